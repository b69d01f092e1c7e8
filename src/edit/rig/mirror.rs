//! Mirroring across X = 0, by the left and right in names.

use super::super::sides;
use super::super::{Applied, EditError};
use super::draft::{Draft, unique_id};
use super::nodes::{named, taken};
use crate::math::Trs;
use crate::model::{Node, Uid};
use glam::{DQuat, DVec3};
use std::collections::HashMap;
use std::sync::Arc;

/// Gives the counterpart of each node of the subtrees the mirrored rest; those that are not there
/// are made. A node without a side whose parent has none in the subtree is its own counterpart.
pub(super) fn apply(mut draft: Draft, nodes: &[Uid]) -> Result<Applied, EditError> {
    let chosen = draft.find_all(nodes)?;
    let tops = draft.tops(&chosen);
    let label = format!("Mirror {}", named(&draft, tops.iter().map(|t| draft.rig.nodes[*t].uid)));
    let before: Vec<Arc<Node>> = draft.rig.nodes.clone();
    let worlds = draft.worlds()?;
    let parents = draft.parents();
    let mut order = draft.with_below(&tops);
    let level = |at: usize| {
        let mut above = parents[at];
        std::iter::from_fn(|| {
            let now = above?;
            above = parents[now];
            Some(())
        })
        .count()
    };
    order.sort_by_key(|at| level(*at));
    // Where each world is now: counterparts that were given a place, others as they were.
    let mut counterpart: HashMap<usize, String> = HashMap::new();
    for &at in &order {
        let node = &before[at];
        let above = parents[at].map(|p| (p, counterpart.get(&p).cloned()));
        let parent_id = match above {
            None => None,
            Some((_, Some(id))) => Some(id),
            Some((p, None)) => Some(other_side(&draft, &before[p].id)),
        };
        let moved_over = parent_id.as_deref() != node.parent.as_deref();
        let there = find_counterpart(&draft, node, parent_id.as_deref(), moved_over);
        let id = match there {
            Some(there) => draft.rig.nodes[there].id.clone(),
            None => {
                let wanted = sides::swapped(&node.id).unwrap_or_else(|| node.id.clone());
                let id = unique_id(&wanted, &taken(&draft));
                let uid = draft.uids.fresh();
                let mut made = Node { uid, id, parent: parent_id.clone(), ..(**node).clone() };
                if let Some(origin) = &mut made.origin {
                    origin.with_comments = false;
                }
                let id = made.id.clone();
                draft.select(uid);
                draft.insert(made);
                id
            }
        };
        counterpart.insert(at, id.clone());
        let Some(target) = draft.rig.nodes.iter().position(|n| n.id == id) else { continue };
        set_mirrored(&mut draft, node, &worlds[at], target, parents[at].map(|p| worlds[p]))?;
    }
    draft.finish(label)
}

/// The id of a node's other side, where there is such a node; otherwise its own.
fn other_side(draft: &Draft, id: &str) -> String {
    let there = |other: &String| draft.rig.nodes.iter().any(|n| n.id == *other);
    sides::swapped(id).filter(there).unwrap_or_else(|| id.to_owned())
}

/// The node that stands on the other side. One without a side, below a parent that has one, is
/// known by its name but for a number.
fn find_counterpart(
    draft: &Draft,
    node: &Node,
    parent: Option<&str>,
    moved_over: bool,
) -> Option<usize> {
    let nodes = &draft.rig.nodes;
    if let Some(other) = sides::swapped(&node.id) {
        return nodes.iter().position(|n| n.id == other);
    }
    if !moved_over {
        return nodes.iter().position(|n| n.uid == node.uid);
    }
    let stem = |id: &str| id.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
    let same_name = |n: &Arc<Node>| n.parent.as_deref() == parent && stem(&n.id) == stem(&node.id);
    nodes.iter().position(same_name)
}

fn set_mirrored(
    draft: &mut Draft,
    node: &Node,
    world: &Trs,
    target: usize,
    parent_world: Option<Trs>,
) -> Result<(), EditError> {
    let wanted = mirrored(world);
    let parent_at = draft.parents()[target];
    let now = parent_at.map(|p| Ok::<_, EditError>(draft.worlds()?[p])).transpose()?;
    let plain = mirrored_rest(node);
    let symmetrical = match (now, parent_world) {
        (None, None) => true,
        (Some(now), Some(old)) => near(&now, &mirrored(&old)),
        _ => false,
    };
    if symmetrical {
        // Under mirrored parents the local rest is the mirrored local rest, to the last digit.
        let to = draft.node(target);
        (to.position, to.rotation, to.scale) = plain;
    } else {
        let to = draft.node(target);
        to.rotation = plain.1;
        draft.stand_at(target, &now.unwrap_or(Trs::IDENTITY), &wanted);
    }
    Ok(())
}

fn mirrored_rest(node: &Node) -> (DVec3, DVec3, DVec3) {
    let flip = |v: DVec3, signs: [f64; 3]| {
        // Never −0, which a file cannot hold.
        DVec3::from_array(std::array::from_fn(|i| if v[i] == 0.0 { 0.0 } else { v[i] * signs[i] }))
    };
    (flip(node.position, [-1.0, 1.0, 1.0]), flip(node.rotation, [1.0, -1.0, -1.0]), node.scale)
}

/// A pose mirrored across X = 0.
fn mirrored(pose: &Trs) -> Trs {
    let DQuat { x, y, z, w } = pose.rotation;
    Trs {
        position: DVec3::new(-pose.position.x, pose.position.y, pose.position.z),
        rotation: DQuat::from_xyzw(x, -y, -z, w),
        scale: pose.scale,
    }
}

fn near(a: &Trs, b: &Trs) -> bool {
    let size = a.position.abs().max_element().max(1.0);
    (a.position - b.position).abs().max_element() <= 1e-12 * size
        && a.rotation.dot(b.rotation).abs() > 1.0 - 1e-14
        && (a.scale - b.scale).abs().max_element() <= 1e-12 * a.scale.max_element()
}
