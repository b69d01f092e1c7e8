//! The transport, the dope sheet and the curves.

use super::action::Action;
use super::command::CommandId;
use super::cx::Cx;
use super::{text, widgets};
use eframe::egui::{ScrollArea, Ui};
use egui_material_icons::icons;

/// The left part of the transport: play, loop, the time.
pub fn transport(ui: &mut Ui, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    let theme = cx.theme;
    ui.spacing_mut().item_spacing.x = 4.0;
    let icon = if cx.is_playing() { icons::ICON_PAUSE } else { icons::ICON_PLAY_ARROW };
    let buttons = [
        (CommandId::GoStart, icons::ICON_SKIP_PREVIOUS, "Go to start"),
        (CommandId::Play, icon, if cx.is_playing() { "Pause" } else { "Play" }),
        (CommandId::GoEnd, icons::ICON_SKIP_NEXT, "Go to end"),
    ];
    for (id, icon, name) in buttons {
        let on = id == CommandId::Play && cx.is_playing();
        let response = widgets::icon_button(ui, icon, name, on, theme);
        if response.clicked() {
            actions.push(Action::Command(id));
        }
        response.on_hover_text(cx.tooltip(id));
    }
    ui.monospace(cx.show_time(cx.playhead_secs()));
}

/// The right part of the transport, from right to left: the speed.
pub fn transport_right(ui: &mut Ui, cx: &Cx<'_>, _actions: &mut Vec<Action>) {
    ui.monospace(format!("{}×", text::number(cx.settings().playback.speed, 1)));
}

/// Shows the dope sheet.
pub fn dope_sheet(ui: &mut Ui, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    let Some((_, clip)) = cx.clip() else {
        let steps = [(CommandId::Open, "Open…"), (CommandId::NewRigClip, "New rig clip…")];
        widgets::empty(ui, cx, "The keys of a clip over time.", &steps, actions);
        return;
    };
    ScrollArea::vertical().auto_shrink([false; 2]).show(ui, |ui| {
        for track in &clip.tracks {
            let part = text::name(&track.part);
            let property = track.property.as_str();
            ui.label(format!(
                "{part} {property}, {}",
                text::count(track.keys.len(), "key", "keys")
            ));
        }
    });
}

/// Shows the curves.
pub fn curves(ui: &mut Ui, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    widgets::empty(ui, cx, "The values of the selected tracks over time.", &[], actions);
}
