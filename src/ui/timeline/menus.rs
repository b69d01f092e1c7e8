//! The menus of the timeline: interpolation and presets, tracks, what can be done with keys.

use super::board::Board;
use super::{commands, names};
use crate::edit::{ClipEdit, Edit};
use crate::math::Trs;
use crate::model::{ClipKind, Interpolation, Property, Uid};
use crate::ui::action::Action;
use crate::ui::command::{self, CommandId};
use crate::ui::cx::Cx;
use crate::ui::{text, widgets};
use eframe::egui::{self, Button, Id, RichText, Ui};
use glam::DVec3;

/// Easing curves that have a name, as the web's style sheets call them.
pub const PRESETS: [(&str, [f64; 4]); 6] = [
    ("Ease", [0.25, 0.1, 0.25, 1.0]),
    ("Ease in", [0.42, 0.0, 1.0, 1.0]),
    ("Ease out", [0.0, 0.0, 0.58, 1.0]),
    ("Ease in and out", [0.42, 0.0, 0.58, 1.0]),
    ("Sharp in", [0.7, 0.0, 0.84, 0.0]),
    ("Sharp out", [0.16, 1.0, 0.3, 1.0]),
];

/// An edit of the board's clip.
pub fn edit(board: &Board<'_>, edit: ClipEdit) -> Action {
    Action::Edit(Edit::Clip { doc: board.doc, edit })
}

/// The interpolation of these tracks, and the presets. It belongs to whole tracks, and says so.
pub fn interpolation(
    ui: &mut Ui,
    cx: &Cx<'_>,
    board: &Board<'_>,
    uids: &[Uid],
    actions: &mut Vec<Action>,
) {
    ui.set_min_width(210.0);
    let tracks: Vec<_> =
        board.clip.tracks.iter().filter(|track| uids.contains(&track.uid)).collect();
    let whole = match tracks.len() {
        1 => "Applies to the whole track".to_owned(),
        many => format!("Applies to {many} whole tracks"),
    };
    ui.label(RichText::new(whole).small().color(cx.theme.muted));
    for word in Interpolation::ALL {
        let on = !tracks.is_empty() && tracks.iter().all(|track| track.interpolation == word);
        let help = match word {
            Interpolation::Step => "The value holds and jumps at the next key",
            Interpolation::Linear => "A straight line from key to key",
            Interpolation::Smooth => "Slow at both ends",
            Interpolation::Bezier => "Along the track's easing curve",
        };
        let button = Button::new(capital(word.as_str())).selected(on);
        if ui.add(button).on_hover_text(help).clicked() {
            let uids = uids.to_vec();
            let set = ClipEdit::SetInterpolation { tracks: uids, interpolation: word };
            actions.push(edit(board, set));
            ui.close();
        }
    }
    ui.separator();
    for (name, curve) in PRESETS {
        let on = tracks
            .iter()
            .all(|track| track.interpolation == Interpolation::Bezier && track.curve() == curve)
            && !tracks.is_empty();
        let numbers = curve.map(|x| text::number(x, 2)).join("  ");
        let button = Button::new(name)
            .selected(on)
            .shortcut_text(RichText::new(numbers).small().color(cx.theme.muted));
        if ui.add(button).on_hover_text("A bezier easing of the whole track").clicked() {
            let paste = ClipEdit::PasteEasing {
                tracks: uids.to_vec(),
                interpolation: Interpolation::Bezier,
                curve: Some(curve),
            };
            actions.push(edit(board, paste));
            ui.close();
        }
    }
}

fn capital(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// What can be done with some tracks.
pub fn row(ui: &mut Ui, cx: &Cx<'_>, board: &Board<'_>, uids: &[Uid], actions: &mut Vec<Action>) {
    ui.set_min_width(190.0);
    ui.menu_button("Interpolation", |ui| interpolation(ui, cx, board, uids, actions));
    let muted = uids.iter().all(|uid| board.view.muted.contains(uid));
    let locked = uids.iter().all(|uid| board.view.locked.contains(uid));
    for (mute, on, name) in [(true, muted, "Muted"), (false, locked, "Locked")] {
        if ui.add(Button::new(name).selected(on)).clicked() {
            names::toggle(board, uids, mute, on, actions);
            ui.close();
        }
    }
    ui.separator();
    let tracks = if uids.len() == 1 { "Delete track" } else { "Delete tracks" };
    if ui.button(tracks).clicked() {
        actions.push(edit(board, ClipEdit::RemoveTracks { tracks: uids.to_vec() }));
        ui.close();
    }
}

/// The menu of the head: everything that has no place of its own.
pub fn more(ui: &mut Ui, cx: &Cx<'_>, board: &Board<'_>, actions: &mut Vec<Action>) {
    ui.set_min_width(220.0);
    let view_entry = |ui: &mut Ui, name: &str, on: Option<bool>| -> bool {
        let mut button = Button::new(name);
        if let Some(on) = on {
            button = button.selected(on);
        }
        let clicked = ui.add(button).clicked();
        if clicked {
            ui.close();
        }
        clicked
    };
    if view_entry(ui, "Only selected nodes", Some(board.view.only_selected)) {
        board.look(actions, |view| view.only_selected = !view.only_selected);
    }
    if view_entry(ui, "Fold all", None) {
        let parts = board.clip.tracks.iter().map(|track| track.part.clone()).collect();
        board.look(actions, |view| view.folded = parts);
    }
    if view_entry(ui, "Unfold all", None) {
        board.look(actions, |view| view.folded.clear());
    }
    if view_entry(ui, "Unmute and unlock all", None) {
        board.look(actions, |view| {
            view.muted.clear();
            view.locked.clear();
        });
    }
    ui.separator();
    for (name, factor) in [("Zoom in", 1.5), ("Zoom out", 1.0 / 1.5)] {
        if view_entry(ui, name, None) {
            let about = board.axis.screen_from_time(cx.playhead_secs());
            let about = about.clamp(board.canvas.left(), board.canvas.right());
            let visible = board.axis.zoomed(factor, about);
            board.look(actions, |view| view.visible_secs = Some(visible));
        }
    }
    for id in [CommandId::FrameSelected, CommandId::FrameAll] {
        widgets::command_entry(ui, cx, id, command::command(id).name, None, actions);
    }
    ui.separator();
    for id in [
        CommandId::InsertKey,
        CommandId::Duplicate,
        CommandId::Delete,
        CommandId::BoxSelect,
        CommandId::ToolMove,
        CommandId::ToolScale,
        CommandId::Extend,
        CommandId::InsertTime,
        CommandId::RemoveTime,
    ] {
        widgets::command_entry(ui, cx, id, command::command(id).name, None, actions);
    }
    let keys = commands::selected_keys(cx, board);
    let name = if keys.is_empty() { "Reverse clip" } else { "Reverse keys" };
    if view_entry(ui, name, None) {
        actions.push(edit(board, ClipEdit::Reverse { keys }));
    }
}

/// A new track: the part, and which of its properties.
pub fn add_track(ui: &mut Ui, cx: &Cx<'_>, board: &Board<'_>, actions: &mut Vec<Action>) {
    ui.set_min_width(230.0);
    let id = Id::unique("the part of a new track");
    let mut part: String = ui
        .data(|data| data.get_temp(id))
        .unwrap_or_else(|| super::rows::selected_parts(cx).into_iter().next().unwrap_or_default());
    ui.label(RichText::new("Part").small().color(cx.theme.muted));
    let response = ui.add(egui::TextEdit::singleline(&mut part).hint_text("name of the part"));
    response.widget_info(|| {
        let mut info = egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Part of the track");
        info.current_text_value = Some(part.clone());
        info
    });
    let known: Vec<String> = match cx.rig() {
        Some((_, rig)) if board.clip.kind == ClipKind::Rig => {
            rig.nodes.iter().map(|node| node.id.clone()).collect()
        }
        _ => super::names::parts_of(board.clip, &(0..board.clip.tracks.len()).collect::<Vec<_>>()),
    };
    if !known.is_empty() {
        egui::ScrollArea::vertical().max_height(150.0).id_salt("parts").show(ui, |ui| {
            for name in &known {
                let shown = text::name(name).into_owned();
                if ui.add(Button::new(shown).selected(*name == part)).clicked() {
                    part.clone_from(name);
                }
            }
        });
    }
    ui.data_mut(|data| data.insert_temp(id, part.clone()));
    ui.separator();
    for property in Property::ALL {
        let taken =
            board.clip.tracks.iter().any(|track| track.part == part && track.property == property);
        let label = format!("Add {}", property.as_str());
        let button = ui.add_enabled(!part.is_empty() && !taken, Button::new(label));
        let button = match taken {
            true => button.on_disabled_hover_text("There is such a track already"),
            false => button,
        };
        if button.clicked() {
            let secs = cx.playhead_secs();
            let value = value_now(cx, &part, property);
            let track = ClipEdit::AddTrack { part: part.clone(), property, key: (secs, value) };
            actions.push(edit(board, track));
            ui.close();
        }
    }
}

/// The value of a part at the playhead, as a key says it.
pub fn value_now(cx: &Cx<'_>, part: &str, property: Property) -> DVec3 {
    let index = cx.stage.find(part);
    let pose = index.and_then(|i| cx.stage.local.get(i)).copied().unwrap_or(Trs::IDENTITY);
    match property {
        Property::Position => pose.position,
        Property::Rotation => {
            let near = match (cx.rig(), index) {
                (Some((_, rig)), Some(i)) => rig.nodes.get(i).map(|node| node.rotation),
                _ => None,
            };
            let euler = crate::math::euler_from_quat(pose.rotation);
            crate::math::continuous_euler(euler, near.unwrap_or(DVec3::ZERO))
        }
        Property::Scale => pose.scale,
    }
}
