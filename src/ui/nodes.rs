//! Nodes and parts as panels name them: the stage's places, selection by clicks.

use super::cx::Cx;
use crate::edit::{Selected, Selection};
use crate::model::{Node, Uid};
use eframe::egui::Modifiers;
use std::collections::BTreeSet;
use std::sync::Arc;

/// What stands at a place of the stage: a rig's node, or a part of a model clip.
pub fn at(cx: &Cx<'_>, index: usize) -> Option<Selected> {
    if let Some((doc, rig)) = cx.rig() {
        return rig.nodes.get(index).map(|node| Selected::Node(doc, node.uid));
    }
    let (doc, _) = cx.clip()?;
    cx.stage.names().get(index).map(|name| Selected::Part(doc, name.clone()))
}

/// The place of a selected thing on the stage; `None` where it is not on this stage.
pub fn index_of(cx: &Cx<'_>, selected: &Selected) -> Option<usize> {
    match selected {
        Selected::Node(doc, uid) => {
            let (rig_doc, rig) = cx.rig()?;
            if rig_doc != *doc {
                return None;
            }
            rig.nodes.iter().position(|node| node.uid == *uid)
        }
        Selected::Part(doc, part) => {
            let (clip, _) = cx.clip()?;
            (clip == *doc && cx.rig().is_none()).then(|| cx.stage.find(part)).flatten()
        }
    }
}

/// The rig's node at a place of the stage; a model clip's part has none.
pub fn node<'a>(cx: &Cx<'a>, index: usize) -> Option<&'a Arc<Node>> {
    cx.rig()?.1.nodes.get(index)
}

/// The places of what is selected on this stage, in the order of the stage.
pub fn selected(cx: &Cx<'_>) -> Vec<usize> {
    let mut places: Vec<usize> =
        cx.selection().nodes.iter().filter_map(|node| index_of(cx, node)).collect();
    places.sort_unstable();
    places
}

/// The place of the node that was selected last.
pub fn active(cx: &Cx<'_>) -> Option<usize> {
    let active = cx.selection().active.as_ref().and_then(|node| index_of(cx, node));
    active.or_else(|| selected(cx).last().copied())
}

/// Selected nodes of the rig on the stage.
pub fn selected_uids(cx: &Cx<'_>) -> Vec<Uid> {
    cx.rig().map(|(doc, _)| cx.selection().nodes_of(doc)).unwrap_or_default()
}

/// What a click on a node selects: it alone, with Shift it too, with Ctrl it or not.
pub fn clicked(selection: &Selection, node: Selected, modifiers: Modifiers) -> Selection {
    if modifiers.command {
        let mut next = selection.clone();
        if !next.nodes.remove(&node) {
            next.nodes.insert(node.clone());
            next.active = Some(node);
        } else if next.active.as_ref() == Some(&node) {
            next.active = next.nodes.iter().next_back().cloned();
        }
        return next;
    }
    if modifiers.shift {
        return with_all(selection, [node]);
    }
    selection.with_node(node)
}

/// With these nodes too; the last of them is the active one.
pub fn with_all(selection: &Selection, nodes: impl IntoIterator<Item = Selected>) -> Selection {
    let mut next = selection.clone();
    for node in nodes {
        next.active = Some(node.clone());
        next.nodes.insert(node);
    }
    next
}

/// Without any node; keys and tracks stay.
pub fn without(selection: &Selection) -> Selection {
    Selection { nodes: BTreeSet::new(), active: None, ..selection.clone() }
}

/// Exactly these nodes; keys and tracks stay.
pub fn only(selection: &Selection, nodes: impl IntoIterator<Item = Selected>) -> Selection {
    with_all(&without(selection), nodes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::DocId;

    #[test]
    fn shift_adds_and_ctrl_toggles() {
        let node = |uid| Selected::Node(DocId(0), Uid(uid));
        let one = clicked(&Selection::default(), node(1), Modifiers::NONE);
        let two = clicked(&one, node(2), Modifiers::SHIFT);
        assert_eq!(two.nodes.len(), 2);
        assert_eq!(two.active, Some(node(2)));
        let again = clicked(&two, node(2), Modifiers::SHIFT);
        assert_eq!(again.nodes.len(), 2, "Shift never takes away");
        let toggled = clicked(&two, node(2), Modifiers::COMMAND);
        assert_eq!(toggled.nodes, one.nodes);
        assert_eq!(toggled.active, Some(node(1)));
        assert_eq!(clicked(&two, node(3), Modifiers::NONE).nodes.len(), 1);
    }
}
