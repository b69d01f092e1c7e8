//! The transport: play, step, loop, time; at the right snapping, speed and range.

use crate::ui::action::Action;
use crate::ui::command::CommandId;
use crate::ui::cx::Cx;
use crate::ui::settings::Settings;
use crate::ui::theme::{self, Theme};
use crate::ui::{text, widgets};
use eframe::egui::{
    self, Button, DragValue, FontFamily, FontId, Popup, PopupCloseBehavior, RichText, Role, Ui,
    WidgetInfo,
};
use egui_material_icons::icons;

/// Display rates that have a place in the menu, in frames a second.
const RATES: [f64; 8] = [12.0, 24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 120.0];
/// Speeds that have one.
const SPEEDS: [f64; 6] = [0.1, 0.25, 0.5, 1.0, 1.5, 2.0];

/// The left part of the transport: play, loop, the time.
pub fn left(ui: &mut Ui, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    let theme = cx.theme;
    // In a narrow bar the tabs beside it must stay in reach; frames are in the ruler too.
    let is_narrow = ui.available_width() < 560.0;
    ui.spacing_mut().item_spacing.x = 4.0;
    let playing = cx.is_playing();
    let (play, play_name) = match playing {
        true => (icons::ICON_PAUSE, "Pause"),
        false => (icons::ICON_PLAY_ARROW, "Play"),
    };
    let buttons = [
        (CommandId::GoStart, icons::ICON_SKIP_PREVIOUS, "Go to start"),
        (CommandId::FrameBack, icons::ICON_CHEVRON_LEFT, "Previous frame"),
        (CommandId::Play, play, play_name),
        (CommandId::FrameForward, icons::ICON_CHEVRON_RIGHT, "Next frame"),
        (CommandId::GoEnd, icons::ICON_SKIP_NEXT, "Go to end"),
    ];
    let has_clip = cx.duration_secs().is_some();
    for (id, icon, name) in buttons {
        let on = id == CommandId::Play && playing;
        let response =
            ui.add_enabled_ui(has_clip, |ui| widgets::icon_button(ui, icon, name, on, theme)).inner;
        if response.clicked() {
            actions.push(Action::Command(id));
        }
        response.on_hover_text(cx.tooltip(id));
    }
    ui.add_space(4.0);
    let own = cx.clip().is_some_and(|(_, clip)| clip.looping);
    let looping = cx.settings().playback.looping.unwrap_or(own);
    let response =
        ui.add_enabled_ui(has_clip, |ui| widgets::toggle(ui, theme, looping, "Loop")).inner;
    if response.clicked() {
        actions.push(Action::Command(CommandId::ToggleLoop));
    }
    response.on_hover_text(cx.tooltip(CommandId::ToggleLoop));
    ui.add_space(8.0);
    if has_clip {
        times(ui, cx, is_narrow, actions);
    }
}

/// The time and, where there is room, the frame of the playhead; both can be dragged and typed
/// into.
fn times(ui: &mut Ui, cx: &Cx<'_>, is_narrow: bool, actions: &mut Vec<Action>) {
    let fps = cx.view().timeline.usable_fps();
    let duration = cx.duration_secs().unwrap_or(0.0);
    // An export counts its own frames from where its range begins.
    let take = cx.export().and_then(|export| export.take());
    let first = take.map_or(0.0, |(_, rig, _)| rig.frame_at(0.0));
    let now = cx.playhead_secs();
    ui.scope(|ui| {
        ui.style_mut().drag_value_text_style = egui::TextStyle::Monospace;
        ui.style_mut()
            .text_styles
            .insert(egui::TextStyle::Monospace, FontId::new(16.0, FontFamily::Monospace));
        bare(ui, cx.theme);
        let mut secs = now;
        let field = DragValue::new(&mut secs)
            .range(0.0..=duration)
            .speed(1.0 / fps)
            .fixed_decimals(3)
            .update_while_editing(false)
            .suffix(" s");
        let response = ui.add_sized([92.0, theme::ROW], field);
        response.widget_info(|| WidgetInfo::slider(true, now, "Time in seconds"));
        if response.changed() {
            let snapped = match response.dragged() && cx.view().timeline.snap {
                true => cx.view().timeline.snapped_secs(secs),
                false => secs,
            };
            actions.push(Action::SetPlayhead(snapped));
        }
        response.on_hover_text("Where the playhead is: drag, or click to type");
    });
    if is_narrow {
        return;
    }
    ui.scope(|ui| {
        bare(ui, cx.theme);
        ui.visuals_mut().widgets.inactive.fg_stroke.color = cx.theme.muted;
        ui.style_mut().drag_value_text_style = egui::TextStyle::Monospace;
        let mut frame = first + now * fps;
        let whole = (frame - frame.round()).abs() < 1e-3;
        let field = DragValue::new(&mut frame)
            .range(first..=first + duration * fps)
            .speed(0.25)
            .fixed_decimals(if whole { 0 } else { 2 })
            .update_while_editing(false)
            .prefix("frame ");
        let response = ui.add_sized([84.0, theme::ROW], field);
        response.widget_info(|| WidgetInfo::slider(true, first + now * fps, "Frame"));
        if response.changed() {
            let frame = if response.dragged() { frame.round() } else { frame };
            let secs = ((frame - first) / fps * 1e6).round() / 1e6;
            actions.push(Action::SetPlayhead(secs));
        }
        response.on_hover_text("The frame of the display rate; the file knows only seconds");
    });
}

/// Fields without a ground until the pointer is on them.
fn bare(ui: &mut Ui, theme: &Theme) {
    let widgets = &mut ui.visuals_mut().widgets;
    widgets.inactive.weak_bg_fill = egui::Color32::TRANSPARENT;
    widgets.inactive.bg_fill = egui::Color32::TRANSPARENT;
    widgets.inactive.fg_stroke.color = theme.text;
}

/// The right part of the transport, from right to left: speed and drawn rate, snapping.
pub fn right(ui: &mut Ui, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    if cx.clip().is_none() {
        return;
    }
    let playback = cx.settings().playback;
    let speed = text::number(playback.speed, if playback.speed < 0.2 { 2 } else { 1 });
    let words = match cx.state.playback.drawn_fps().filter(|_| cx.is_playing()) {
        Some(drawn) => format!("{speed}× {} fps", text::number(drawn, 0)),
        None if playback.every_frame => format!("{speed}× every frame"),
        None => format!("{speed}× real time"),
    };
    let words = RichText::new(words).font(Theme::number_font());
    let button = ui.add(Button::new(words).min_size(egui::vec2(96.0, theme::ROW - 2.0)));
    button.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Playback"));
    Popup::menu(&button).show(|ui| playback_menu(ui, cx, actions));
    button.on_hover_text("Speed, real time or every frame, range. While it plays: the frames that were really drawn in the last second");

    if ui.max_rect().width() < 640.0 {
        // The tabs need the room; snapping is in the menu Key too.
        return;
    }
    let view = &cx.view().timeline;
    let fps = view.usable_fps();
    let places = if (fps - fps.round()).abs() < 1e-6 { 0 } else { 3 };
    let words = match view.snap {
        true => format!("Snap {}", text::number(fps, places)),
        false => format!("No snap {}", text::number(fps, places)),
    };
    let button = ui.add(Button::new(words).min_size(egui::vec2(0.0, theme::ROW - 2.0)));
    button.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Snapping and display rate"));
    Popup::menu(&button)
        .close_behavior(PopupCloseBehavior::CloseOnClickOutside)
        .show(|ui| rate_menu(ui, cx, actions));
    button.on_hover_text("Times land on frames of this rate; the file knows no frames");
}

fn rate_menu(ui: &mut Ui, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    ui.set_min_width(190.0);
    let view = &cx.view().timeline;
    let mut look = |change: &dyn Fn(&mut crate::ui::TimelineView)| {
        let mut view = view.clone();
        change(&mut view);
        actions.push(Action::SetTimeline(view));
    };
    if ui.add(Button::new("Snap to frames").selected(view.snap)).clicked() {
        look(&|view| view.snap = !view.snap);
    }
    ui.separator();
    for rate in RATES {
        let on = (view.fps - rate).abs() < 1e-9;
        let name = format!("{} frames a second", text::number(rate, 0));
        if ui.add(Button::new(name).selected(on)).clicked() {
            look(&|view| view.fps = rate);
            ui.close();
        }
    }
    let mut fps = view.usable_fps();
    let field = DragValue::new(&mut fps)
        .range(1.0..=1000.0)
        .max_decimals(3)
        .speed(0.1)
        .suffix(" frames a second");
    let response = ui.add(field);
    response.widget_info(|| WidgetInfo::slider(true, fps, "Display rate"));
    if response.changed() {
        look(&|view| view.fps = fps);
    }
    ui.separator();
    let frames = cx.settings().show_frames;
    if ui.add(Button::new("Show times as frames").selected(frames)).clicked() {
        actions.push(Action::Command(CommandId::ShowFrames));
        ui.close();
    }
}

fn playback_menu(ui: &mut Ui, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    ui.set_min_width(200.0);
    let settings = cx.settings();
    let playback = settings.playback;
    let mut set = |change: &dyn Fn(&mut Settings)| {
        let mut settings = settings.clone();
        change(&mut settings);
        actions.push(Action::SetSettings(Box::new(settings)));
    };
    for speed in SPEEDS {
        let on = (playback.speed - speed).abs() < 1e-9;
        let name = format!("{}× speed", text::number(speed, if speed == 0.25 { 2 } else { 1 }));
        if ui.add(Button::new(name).selected(on)).clicked() {
            set(&|settings| settings.playback.speed = speed);
        }
    }
    ui.separator();
    for (every, name, help) in [
        (false, "Real time", "Keep time, and leave frames out where drawing is slow"),
        (true, "Every frame", "Draw every frame of the display rate, however long it takes"),
    ] {
        let button = Button::new(name).selected(playback.every_frame == every);
        if ui.add(button).on_hover_text(help).clicked() {
            set(&|settings| settings.playback.every_frame = every);
        }
    }
    ui.separator();
    let Some((_, clip)) = cx.clip() else { return };
    let (now, duration) = (cx.playhead_secs(), clip.duration_secs);
    let view = &cx.view().timeline;
    let (from, to) = view.range_secs.unwrap_or((0.0, duration));
    let least = 1.0 / view.usable_fps();
    let mut range = |value: Option<(f64, f64)>| {
        actions.push(Action::SetTimeline(crate::ui::TimelineView {
            range_secs: value,
            ..view.clone()
        }));
    };
    let may_start = now <= to - least || now < duration;
    if ui.add_enabled(may_start, Button::new("Range starts at the playhead")).clicked() {
        range(Some((now, if to > now { to } else { duration })));
    }
    if ui.add_enabled(now > 0.0, Button::new("Range ends at the playhead")).clicked() {
        range(Some((if from < now { from } else { 0.0 }, now)));
    }
    if ui.add_enabled(view.range_secs.is_some(), Button::new("Play the whole clip")).clicked() {
        range(None);
    }
}
