//! Commands about nodes that the viewport and the tree share.

use super::action::{Action, Tone};
use super::command::CommandId;
use super::cx::Cx;
use super::state::{PanelId, WorkspaceTab};
use super::{nodes, pose};
use crate::edit::{ClipEdit, Clipboard, DocId, Edit, Keep, NewNode, RigEdit, Selected};
use crate::model::{NodeKind, Property, Uid};
use glam::DVec3;

fn rig_edit(doc: DocId, edit: RigEdit) -> Action {
    Action::Edit(Edit::Rig { doc, edit })
}

/// Carries out a command that a panel was given, where it is about nodes.
pub fn run(cx: &Cx<'_>, id: CommandId, panel: PanelId, actions: &mut Vec<Action>) {
    let say = |actions: &mut Vec<Action>, words: &str| {
        actions.push(Action::Toast(Tone::Info, words.to_owned()));
    };
    match id {
        CommandId::SelectAll | CommandId::SelectInverse => {
            let selection = cx.selection();
            let view = &cx.view().viewport;
            let skipped = |node: &Selected| match node {
                Selected::Node(_, uid) => {
                    panel == PanelId::Viewport
                        && (view.hidden.contains(uid) || view.locked.contains(uid))
                }
                Selected::Part(..) => false,
            };
            let all = (0..cx.stage.len()).filter_map(|at| nodes::at(cx, at));
            let all = all.filter(|node| !skipped(node));
            let inverse = id == CommandId::SelectInverse;
            let chosen: Vec<Selected> =
                all.filter(|node| !(inverse && selection.nodes.contains(node))).collect();
            actions.push(Action::Select(nodes::only(selection, chosen)));
        }
        CommandId::SelectNone => actions.push(Action::Select(nodes::without(cx.selection()))),
        CommandId::InsertKey => match insert_keys(cx) {
            Some(edit) => actions.push(Action::Edit(edit)),
            None => say(actions, "Select a node to make keys for it"),
        },
        _ => {
            let Some((doc, _)) = cx.rig() else {
                say(actions, "This needs a rig: parts of a model have no hierarchy");
                return;
            };
            on_rig(cx, id, panel, doc, actions);
        }
    }
}

fn on_rig(cx: &Cx<'_>, id: CommandId, panel: PanelId, doc: DocId, actions: &mut Vec<Action>) {
    let chosen = nodes::selected_uids(cx);
    let active = match &cx.selection().active {
        Some(Selected::Node(d, uid)) if *d == doc => Some(*uid),
        _ => None,
    };
    match id {
        CommandId::AddChild => actions.push(rig_edit(doc, add_child(cx, active))),
        CommandId::Unparent if !chosen.is_empty() => actions.push(rig_edit(
            doc,
            RigEdit::Reparent { nodes: chosen, parent: None, keep: Keep::World },
        )),
        CommandId::Parent => {
            let children: Vec<Uid> =
                chosen.into_iter().filter(|uid| Some(*uid) != active).collect();
            if let (Some(parent), false) = (active, children.is_empty()) {
                let edit =
                    RigEdit::Reparent { nodes: children, parent: Some(parent), keep: Keep::World };
                actions.push(rig_edit(doc, edit));
            }
        }
        CommandId::Mirror if !chosen.is_empty() => {
            actions.push(rig_edit(doc, RigEdit::Mirror { nodes: chosen }));
        }
        CommandId::Duplicate if !chosen.is_empty() => {
            actions.push(rig_edit(doc, RigEdit::DuplicateSubtrees { nodes: chosen }));
        }
        CommandId::Delete | CommandId::Cut if !chosen.is_empty() => {
            // Over the stage of a clip the key is meant for keys, and a slip would cost a joint.
            if panel == PanelId::Viewport && cx.tab() == WorkspaceTab::Animate {
                let words = "Nodes are deleted in the Hierarchy, or in the Rig workspace";
                actions.push(Action::Toast(Tone::Info, words.to_owned()));
                return;
            }
            if id == CommandId::Cut
                && let Some(cut) = Clipboard::of_nodes(cx.workspace(), doc, &chosen, true)
            {
                actions.push(Action::SetClipboard(cut));
            }
            let edit = RigEdit::DeleteNodes { nodes: chosen, with_children: true };
            actions.push(rig_edit(doc, edit));
        }
        CommandId::Copy if !chosen.is_empty() => {
            if let Some(copied) = Clipboard::of_nodes(cx.workspace(), doc, &chosen, false) {
                actions.push(Action::SetClipboard(copied));
            }
        }
        CommandId::Paste => match cx.clipboard().and_then(|copied| copied.paste_nodes(active)) {
            Some(edit) => actions.push(rig_edit(doc, edit)),
            None => {
                let words = "Copy nodes first, then paste them below the selected one";
                actions.push(Action::Toast(Tone::Info, words.to_owned()));
            }
        },
        _ => {}
    }
}

/// A new joint below a node; it goes on from it as the node goes on from its own parent.
pub fn add_child(cx: &Cx<'_>, parent: Option<Uid>) -> RigEdit {
    let node = cx.rig().and_then(|(_, rig)| rig.nodes.iter().find(|n| Some(n.uid) == parent));
    let position = match node {
        None => DVec3::ZERO,
        Some(node) if node.parent.is_some() && node.position.length() > 1e-6 => node.position,
        Some(_) => DVec3::new(0.0, 0.25, 0.0),
    };
    let scene = cx.rig().is_some_and(|(_, rig)| rig.form == crate::model::RigForm::Scene);
    let kind = if scene { NodeKind::Entity } else { NodeKind::Joint };
    let new = NewNode { id: String::new(), kind, parent, position, model: None };
    RigEdit::AddNode { node: new }
}

/// Keys at the playhead for what is selected: on each animated property of each node, on its
/// rotation where none is.
fn insert_keys(cx: &Cx<'_>) -> Option<Edit> {
    let (doc, _) = cx.clip()?;
    let time = cx.playhead_secs();
    let mut keys = Vec::new();
    for index in nodes::selected(cx) {
        let part = cx.stage.names().get(index)?;
        let animated: Vec<Property> = Property::ALL
            .into_iter()
            .filter(|property| pose::track(cx, index, *property).is_some())
            .collect();
        let wanted = if animated.is_empty() { vec![Property::Rotation] } else { animated };
        for property in wanted {
            let value = pose::value(cx, index, property);
            keys.push(crate::edit::NewKey { part: part.clone(), property, time, value });
        }
    }
    (!keys.is_empty()).then_some(Edit::Clip { doc, edit: ClipEdit::InsertKeys { keys } })
}
