//! What can be done with nodes, as a menu.

use super::Memory;
use super::rows::Row;
use crate::edit::{Edit, RigEdit};
use crate::model::Uid;
use crate::ui::action::Action;
use crate::ui::command::CommandId;
use crate::ui::cx::Cx;
use crate::ui::{nodes, widgets};
use eframe::egui::{self, Ui};
use std::collections::BTreeSet;

/// The entries of the menu, for what is selected.
pub fn show(
    ui: &mut Ui,
    cx: &Cx<'_>,
    memory: &mut Memory,
    row: Option<&Row>,
    actions: &mut Vec<Action>,
) {
    let commands = [
        (CommandId::Rename, "Rename"),
        (CommandId::AddChild, "Add child"),
        (CommandId::Duplicate, "Duplicate"),
        (CommandId::Mirror, "Mirror"),
        (CommandId::Copy, "Copy"),
        (CommandId::Paste, "Paste below"),
        (CommandId::Parent, "Parent to the last selected"),
        (CommandId::Unparent, "Make roots"),
        (CommandId::Delete, "Delete with children"),
    ];
    let editable = cx.export().is_none();
    for (id, name) in commands.into_iter().filter(|_| editable) {
        if widgets::command_button(ui, cx, id, name, actions).clicked() {
            ui.close();
        }
    }
    let chosen = nodes::selected_uids(cx);
    let doc = cx.rig().map(|(doc, _)| doc);
    let can = doc.is_some() && !chosen.is_empty();
    if editable {
        let help = "Children go to the parent and keep their place in the world";
        let delete = ui.add_enabled(can, egui::Button::new("Delete without children"));
        if delete.on_hover_text(help).clicked()
            && let Some(doc) = doc
        {
            let edit = RigEdit::DeleteNodes { nodes: chosen.clone(), with_children: false };
            actions.push(Action::Edit(Edit::Rig { doc, edit }));
            ui.close();
        }
        ui.separator();
    }
    let id = row
        .map(|row| row.id.clone())
        .or_else(|| nodes::active(cx).and_then(|index| cx.stage.names().get(index).cloned()));
    if ui.add_enabled(id.is_some(), egui::Button::new("Copy id")).clicked() {
        actions.extend(id.map(Action::CopyText));
        ui.close();
    }
    let view = &cx.view().viewport;
    let hidden = can && chosen.iter().all(|uid| view.hidden.contains(uid));
    let words = if hidden { "Show in the viewport" } else { "Hide in the viewport" };
    if ui.add_enabled(can, egui::Button::new(words)).clicked() {
        actions.push(set_marks(cx, &chosen, Some(!hidden), None));
        ui.close();
    }
    let locked = can && chosen.iter().all(|uid| view.locked.contains(uid));
    let words = if locked { "Unlock in the viewport" } else { "Lock in the viewport" };
    if ui.add_enabled(can, egui::Button::new(words)).clicked() {
        actions.push(set_marks(cx, &chosen, None, Some(!locked)));
        ui.close();
    }
    if ui.button("Fold all").clicked() {
        let all = cx.rig().map(|(_, rig)| rig.nodes.iter().map(|node| node.uid).collect());
        actions.push(Action::SetFoldedNodes(all.unwrap_or_default()));
        // What is unfolded for a selection stays as it is asked for here.
        memory.reveal = cx.selection().active.clone();
        ui.close();
    }
    if ui.button("Unfold all").clicked() {
        actions.push(Action::SetFoldedNodes(BTreeSet::new()));
        ui.close();
    }
}

/// Hides or shows nodes in the viewport, locks or unlocks them.
pub fn set_marks(cx: &Cx<'_>, nodes: &[Uid], hide: Option<bool>, lock: Option<bool>) -> Action {
    let mut view = cx.view().viewport.clone();
    let set = |marks: &mut BTreeSet<Uid>, on: Option<bool>| match on {
        Some(true) => marks.extend(nodes),
        Some(false) => marks.retain(|uid| !nodes.contains(uid)),
        None => {}
    };
    set(&mut view.hidden, hide);
    set(&mut view.locked, lock);
    Action::SetViewport(view)
}
