//! The menus over the keys of an export: interpolation, handles, what can be done with keys.

use super::board::Board;
use super::curves::{Shape, shaped};
use crate::edit::{NewHandles, TakeEdit};
use crate::model::Uid;
use crate::model::take::{Channel, Interp};
use crate::ui::action::{Action, Tone};
use crate::ui::command::{self, CommandId};
use crate::ui::cx::Cx;
use crate::ui::{text, widgets};
use eframe::egui::{self, Button, Pos2, RichText, Ui};
use std::collections::HashSet;

/// Which of pos, rot and scl, and which of their axes: what handles are set on.
pub type Scope = ([bool; 3], [bool; 3]);

/// All numbers of a key.
pub const EVERYTHING: Scope = ([true; 3], [true; 3]);

/// What can be done with the selected keys.
pub fn keys(ui: &mut Ui, cx: &Cx<'_>, board: &Board<'_>, scope: Scope, actions: &mut Vec<Action>) {
    shapes(ui, cx, board, scope, actions);
    ui.separator();
    for id in
        [CommandId::InsertKey, CommandId::Cut, CommandId::Copy, CommandId::Paste, CommandId::Extend]
    {
        widgets::command_entry(ui, cx, id, command::command(id).name, None, actions);
    }
    let keys = cx.selection().keys_of(board.doc);
    if ui.add_enabled(!keys.is_empty(), Button::new("Delete keys")).clicked() {
        actions.push(Action::Edit(board.edit(TakeEdit::DeleteKeys { keys })));
        ui.close();
    }
    ui.separator();
    if ui.add(Button::new("Only selected pegs").selected(board.view.only_selected)).clicked() {
        board.look(actions, |view| view.only_selected = !view.only_selected);
        ui.close();
    }
}

/// The menu of interpolation and handles where a command opened it.
pub fn popup(
    ui: &Ui,
    cx: &Cx<'_>,
    board: &Board<'_>,
    at: &mut Option<Pos2>,
    scope: Scope,
    actions: &mut Vec<Action>,
) {
    let Some(place) = *at else { return };
    let mut open = true;
    let id = ui.scope_id().with("interpolation");
    egui::Popup::new(id, ui.ctx().clone(), place, ui.layer_id())
        .kind(egui::PopupKind::Menu)
        .layout(egui::Layout::top_down_justified(egui::Align::Min))
        .style(egui::containers::menu::menu_style)
        .accessible_name("Interpolation and handles")
        .open_bool(&mut open)
        .show(|ui| shapes(ui, cx, board, scope, actions));
    if !open {
        *at = None;
    }
}

/// How values move on from the selected keys, and the shapes of their handles.
fn shapes(ui: &mut Ui, cx: &Cx<'_>, board: &Board<'_>, scope: Scope, actions: &mut Vec<Action>) {
    ui.set_min_width(210.0);
    let keys = cx.selection().keys_of(board.doc);
    let any = !keys.is_empty();
    let words = match keys.len() {
        0 => "No key is selected".to_owned(),
        many => format!("From {} on", text::count(many, "selected key", "selected keys")),
    };
    ui.label(RichText::new(words).small().color(cx.theme.muted));
    for interp in Interp::ALL {
        let on = any && keys.len() == 1 && interp_of(cx, board, keys[0]) == Some(interp);
        let button = Button::new(format!("Set {}", interp.as_str())).selected(on);
        let help = match interp {
            Interp::Constant => "The value holds until the next key",
            Interp::Linear => "A straight line to the next key",
            _ => "A curve to the next key: by handles, or the smooth way without them",
        };
        if ui.add_enabled(any, button).on_hover_text(help).clicked() {
            let edit = board.edit(TakeEdit::SetInterp { keys: keys.clone(), interp });
            actions.push(Action::Edit(edit));
            ui.close();
        }
    }
    ui.separator();
    let of: Vec<&str> = Channel::ALL
        .into_iter()
        .zip(scope.0)
        .filter_map(|(channel, shown)| shown.then_some(channel.as_str()))
        .collect();
    let words = format!("Of {}, where the motion is BEZIER", of.join(", "));
    ui.label(RichText::new(words).small().color(cx.theme.muted));
    for shape in Shape::ALL {
        let button = ui.add_enabled(any, Button::new(shape.name())).on_hover_text(shape.help());
        if button.clicked() {
            shape_keys(board, &keys, scope, shape, actions);
            ui.close();
        }
    }
}

/// Gives handles of keys a shape, as one step.
fn shape_keys(
    board: &Board<'_>,
    keys: &[Uid],
    scope: Scope,
    shape: Shape,
    actions: &mut Vec<Action>,
) {
    let wanted: HashSet<Uid> = keys.iter().copied().collect();
    let mut handles: Vec<NewHandles> = Vec::new();
    let mut turns = 0;
    for (at, peg) in board.take.pegs.iter().enumerate() {
        let Some(curves) = board.curves(at) else { continue };
        if !peg.keyframes.iter().any(|key| wanted.contains(&key.uid)) {
            continue;
        }
        for key in 0..curves.frames().len() {
            let Some(uid) = peg.keyframes.get(curves.key_index(key)).map(|key| key.uid) else {
                continue;
            };
            if !wanted.contains(&uid) {
                continue;
            }
            let mut no_turn = false;
            for (channel, axis) in super::curves::pairs(scope.0, scope.1) {
                match shaped(curves, key, channel, axis, shape) {
                    Some(new) => handles.push(NewHandles { key: uid, channel, axis, handles: new }),
                    None => no_turn = true,
                }
            }
            turns += usize::from(no_turn);
        }
    }
    if turns > 0 {
        let words = format!(
            "Quaternions rule the rotation of {}: handles of rot say nothing there",
            text::count(turns, "key", "keys")
        );
        actions.push(Action::Toast(Tone::Info, words));
    }
    if !handles.is_empty() {
        actions.push(Action::Edit(board.edit(TakeEdit::SetHandles { handles })));
    }
}

fn interp_of(cx: &Cx<'_>, board: &Board<'_>, key: Uid) -> Option<Interp> {
    let (peg, at) = cx.workspace().find_key(board.doc, key)?;
    Some(board.take.pegs.get(peg)?.keyframes.get(at)?.interp())
}
