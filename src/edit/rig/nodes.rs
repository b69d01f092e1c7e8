//! Edits of single nodes: making, deleting, copying, names, rests, kinds.

use super::super::clip::set_components;
use super::super::comments::Owned;
use super::super::words::count;
use super::super::{Applied, EditError};
use super::draft::{Draft, unique_id};
use super::{Keep, NewNode, RigEdit, carry};
use crate::format::hanging_below;
use crate::math::Trs;
use crate::model::{Node, NodeKind, RigForm, Uid, messages};
use glam::DVec3;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

pub(super) fn apply(mut draft: Draft, edit: &RigEdit) -> Result<Applied, EditError> {
    match edit {
        RigEdit::AddNode { node } => add(draft, node),
        RigEdit::DeleteNodes { nodes, with_children } => delete(draft, nodes, *with_children),
        RigEdit::DuplicateSubtrees { nodes } => duplicate(draft, nodes),
        RigEdit::PasteNodes { nodes, parent } => paste(draft, nodes, *parent),
        RigEdit::Rename { node, id } => rename(draft, *node, id),
        RigEdit::SetDisplayName { node, name } => {
            let at = draft.find(*node)?;
            let id = draft.rig.nodes[at].id.clone();
            let name = name.clone().filter(|name| !name.is_empty());
            let label = match &name {
                Some(name) => format!("Show {id} as {name}"),
                None => format!("Show {id} by its id"),
            };
            draft.node(at).name = name;
            draft.finish(label)
        }
        RigEdit::Reparent { nodes, parent, keep } => reparent(draft, nodes, *parent, *keep),
        RigEdit::MoveNode { node, index } => {
            let at = draft.find(*node)?;
            let moved = draft.rig.nodes.remove(at);
            let label = format!("Move {}", moved.id);
            let index = (*index).min(draft.rig.nodes.len());
            draft.rig.nodes.insert(index, moved);
            draft.finish(label)
        }
        RigEdit::SetRest { nodes } => {
            for (uid, rest) in nodes {
                let at = draft.find(*uid)?;
                let node = draft.node(at);
                set_components(&mut node.position, &rest.position);
                set_components(&mut node.rotation, &rest.rotation);
                set_components(&mut node.scale, &rest.scale);
            }
            let label = format!("Set rest of {}", named(&draft, nodes.iter().map(|(uid, _)| *uid)));
            draft.finish(label)
        }
        RigEdit::SetRestFromPose { nodes } => {
            for (uid, [position, rotation, scale]) in nodes {
                let at = draft.find(*uid)?;
                let node = draft.node(at);
                node.position = *position;
                node.rotation = *rotation;
                node.scale = *scale;
            }
            let who = named(&draft, nodes.iter().map(|(uid, _)| *uid));
            draft.finish(format!("Set rest from pose of {who}"))
        }
        RigEdit::SetKind { nodes, kind } => {
            for at in draft.find_all(nodes)? {
                draft.node(at).kind = *kind;
            }
            let who = named(&draft, nodes.iter().copied());
            let article = if *kind == NodeKind::Joint { "a" } else { "an" };
            draft.finish(format!("Make {who} {article} {}", kind.as_str()))
        }
        RigEdit::SetModel { nodes, model } => {
            let model = model.clone().filter(|m| !m.is_empty());
            for at in draft.find_all(nodes)? {
                draft.node(at).model.clone_from(&model);
            }
            let who = named(&draft, nodes.iter().copied());
            draft.finish(match model {
                Some(model) => format!("Hang {model} on {who}"),
                None => format!("Take the model off {who}"),
            })
        }
        RigEdit::SetName { name } => {
            let label = format!("Rename rig {} → {name}", draft.rig.name);
            if name.is_empty() {
                return Err(messages::RIG_NAME.into());
            }
            draft.rig.name.clone_from(name);
            carry::model(&mut draft, name)?;
            draft.finish(label)
        }
        RigEdit::Mirror { nodes } => super::mirror::apply(draft, nodes),
    }
}

/// "hand", "3 nodes".
pub(super) fn named(draft: &Draft, nodes: impl Iterator<Item = Uid> + Clone) -> String {
    let mut first = nodes.clone();
    match (first.next(), first.next()) {
        (Some(one), None) => {
            draft.find(one).map(|at| draft.rig.nodes[at].id.clone()).unwrap_or_default()
        }
        _ => count(nodes.count(), "node"),
    }
}

pub(super) fn taken(draft: &Draft) -> HashSet<String> {
    draft.rig.nodes.iter().map(|n| n.id.clone()).collect()
}

fn add(mut draft: Draft, new: &NewNode) -> Result<Applied, EditError> {
    let parent = draft.id_of(new.parent)?;
    let base = if new.id.is_empty() { new.kind.as_str() } else { &new.id };
    let mut node = Node {
        uid: draft.uids.fresh(),
        id: unique_id(base, &taken(&draft)),
        name: None,
        kind: new.kind,
        parent,
        model: new.model.clone().filter(|m| !m.is_empty()),
        position: new.position,
        rotation: DVec3::ZERO,
        scale: DVec3::ONE,
        origin: None,
    };
    draft.fit_form(&mut node);
    let label = format!("Add {} {}", node.kind.as_str(), node.id);
    draft.select(node.uid);
    draft.insert(node);
    draft.finish(label)
}

fn delete(mut draft: Draft, nodes: &[Uid], with_children: bool) -> Result<Applied, EditError> {
    let chosen = draft.find_all(nodes)?;
    let gone = if with_children { draft.with_below(&chosen) } else { chosen };
    let gone: HashSet<usize> = gone.into_iter().collect();
    refuse_orphans(&draft, &gone)?;
    let label = match gone.iter().next() {
        Some(at) if gone.len() == 1 => format!("Delete {}", draft.rig.nodes[*at].id),
        _ => format!("Delete {}", count(gone.len(), "node")),
    };
    let parents = draft.parents();
    let worlds = if with_children { Vec::new() } else { draft.worlds()? };
    for at in (0..parents.len()).filter(|_| !with_children) {
        let Some(parent) = parents[at].filter(|p| gone.contains(p)) else { continue };
        if gone.contains(&at) {
            continue;
        }
        let mut above = parents[parent];
        while let Some(i) = above.filter(|i| gone.contains(i)) {
            above = parents[i];
        }
        let id = above.map(|i| draft.rig.nodes[i].id.clone());
        draft.node(at).parent = id;
        let parent_world = above.map_or(Trs::IDENTITY, |i| worlds[i]);
        draft.stand_at(at, &parent_world, &worlds[at]);
    }
    let ids: HashSet<String> = gone.iter().map(|at| draft.rig.nodes[*at].id.clone()).collect();
    let mut at = 0;
    draft.rig.nodes.retain(|_| {
        at += 1;
        !gone.contains(&(at - 1))
    });
    let tracks = carry::deleted(&mut draft, &ids)?;
    let tail = match tracks {
        0 => String::new(),
        n => format!(" and {}", count(n, "track")),
    };
    draft.finish(label + &tail)
}

/// A scene's lights and the like hang below nodes, but are none: what they hang below stays, since
/// nobody here could put them back (M9).
fn refuse_orphans(draft: &Draft, gone: &HashSet<usize>) -> Result<(), EditError> {
    let Some(read) = draft.rig.origin.as_ref().filter(|_| draft.rig.form == RigForm::Scene) else {
        return Ok(());
    };
    let source = &read.source;
    let hanging = hanging_below(source);
    for at in gone {
        let Some(origin) = &draft.rig.nodes[*at].origin else { continue };
        if !Arc::ptr_eq(&origin.source, source) || !origin.with_comments {
            continue;
        }
        let id = source.get(origin.node, "id").and_then(|id| source.scalar(id));
        if let Some((_, who)) = hanging.iter().find(|(parent, _)| Some(&**parent) == id.as_deref())
        {
            let node = &draft.rig.nodes[*at].id;
            return Err(EditError::new(format!(
                "{who} hangs below {node} and is no node of the rig: take it off or delete it in \
                 the scene first"
            )));
        }
    }
    Ok(())
}

fn duplicate(mut draft: Draft, nodes: &[Uid]) -> Result<Applied, EditError> {
    let chosen = draft.find_all(nodes)?;
    let tops = draft.tops(&chosen);
    let label =
        format!("Duplicate {}", named(&draft, tops.iter().map(|t| draft.rig.nodes[*t].uid)));
    let copies: Vec<(Arc<Node>, Vec<Arc<Node>>)> = tops
        .iter()
        .map(|top| {
            let all = draft.with_below(&[*top]);
            let nodes = all.iter().map(|at| draft.rig.nodes[*at].clone()).collect();
            (draft.rig.nodes[*top].clone(), nodes)
        })
        .collect();
    for (top, nodes) in copies {
        let place = draft.place_behind(draft.find(top.uid)?);
        put_copies(&mut draft, &nodes, top.parent.as_deref(), place);
    }
    draft.finish(label)
}

fn paste(mut draft: Draft, nodes: &[Arc<Node>], parent: Option<Uid>) -> Result<Applied, EditError> {
    let parent = draft.id_of(parent)?;
    let label = match nodes {
        [node] => format!("Paste {}", node.id),
        _ => format!("Paste {}", count(nodes.len(), "node")),
    };
    let place = draft.place_below(parent.as_deref());
    put_copies(&mut draft, nodes, parent.as_deref(), place);
    draft.finish(label)
}

/// Puts copies in at a place of the list: tops under `parent`, ids that are taken made unique, parents among the copies
/// following their new ids. Unknown fields go along; comments only with what was cut (M30).
fn put_copies(draft: &mut Draft, nodes: &[Arc<Node>], parent: Option<&str>, first: usize) {
    let mut used = taken(draft);
    let mut ids: HashMap<&str, String> = HashMap::new();
    for node in nodes {
        let id = unique_id(&node.id, &used);
        used.insert(id.clone());
        ids.insert(&node.id, id);
    }
    let mut owned = Owned::of(&draft.workspace, nodes.iter().map(|node| &node.origin));
    for (place, node) in (first..).zip(nodes) {
        let mut copy = Node { uid: draft.uids.fresh(), ..(**node).clone() };
        let inner = copy.parent.as_deref().and_then(|id| ids.get(id));
        if inner.is_none() {
            draft.select(copy.uid);
        }
        copy.parent = inner.cloned().or_else(|| parent.map(str::to_owned));
        copy.id = ids.get(node.id.as_str()).cloned().unwrap_or_default();
        owned.settle(&mut copy.origin);
        draft.fit_form(&mut copy);
        draft.rig.nodes.insert(place, Arc::new(copy));
    }
}

fn rename(mut draft: Draft, node: Uid, id: &str) -> Result<Applied, EditError> {
    let at = draft.find(node)?;
    let old = draft.rig.nodes[at].id.clone();
    let label = format!("Rename {old} → {id}");
    if old == id {
        return draft.finish(label);
    }
    if draft.rig.nodes.iter().any(|node| node.id == id) {
        return Err(EditError::new(messages::duplicate_part(id)));
    }
    draft.node(at).id = id.to_owned();
    for child in 0..draft.rig.nodes.len() {
        if draft.rig.nodes[child].parent.as_deref() == Some(&old) {
            draft.node(child).parent = Some(id.to_owned());
        }
    }
    if !draft.workspace.is_on_the_way() {
        crate::model::check::rig(&draft.rig)?;
    }
    let clips = carry::renamed(&mut draft, &old, id)?;
    let tail = match clips {
        0 => String::new(),
        1 => ", also in 1 clip".to_owned(),
        n => format!(", also in {n} clips"),
    };
    draft.finish(label + &tail)
}

fn reparent(
    mut draft: Draft,
    nodes: &[Uid],
    parent: Option<Uid>,
    keep: Keep,
) -> Result<Applied, EditError> {
    let chosen = draft.find_all(nodes)?;
    let tops = draft.tops(&chosen);
    let parent_at = parent.map(|uid| draft.find(uid)).transpose()?;
    let id = draft.id_of(parent)?;
    if parent_at.is_some_and(|p| draft.with_below(&tops).contains(&p)) {
        return Err(messages::CYCLE.into());
    }
    let who = named(&draft, tops.iter().map(|at| draft.rig.nodes[*at].uid));
    let label = match &id {
        Some(id) => format!("Parent {who} to {id}"),
        None => format!("Unparent {who}"),
    };
    let worlds = if keep == Keep::World { draft.worlds()? } else { Vec::new() };
    let parent_world = parent_at.and_then(|at| worlds.get(at).copied()).unwrap_or(Trs::IDENTITY);
    for at in tops {
        if draft.rig.nodes[at].parent == id {
            continue;
        }
        draft.node(at).parent.clone_from(&id);
        if keep == Keep::World {
            draft.stand_at(at, &parent_world, &worlds[at]);
        }
    }
    draft.finish(label)
}
