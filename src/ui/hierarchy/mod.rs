//! The Hierarchy panel: the tree of nodes.

use super::action::Action;
use super::command::CommandId;
use super::cx::Cx;
use super::{text, widgets};
use crate::edit::Selected;
use eframe::egui::{ScrollArea, Ui};

/// Shows the panel.
pub fn show(ui: &mut Ui, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    let Some((doc, rig)) = cx.rig() else {
        let text = "The nodes of a rig. Open one, or a clip that is bound to one.";
        let steps = [(CommandId::Open, "Open…"), (CommandId::NewRig, "New rig")];
        widgets::empty(ui, cx, text, &steps, actions);
        return;
    };
    ScrollArea::vertical().auto_shrink([false; 2]).show(ui, |ui| {
        for node in &rig.nodes {
            let selected = Selected::Node(doc, node.uid);
            let on = cx.selection().nodes.contains(&selected);
            let name = text::name(node.display_name()).into_owned();
            if ui.selectable_label(on, name).clicked() {
                actions.push(Action::Select(cx.selection().with_node(selected)));
            }
        }
    });
}
