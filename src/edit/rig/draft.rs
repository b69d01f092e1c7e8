//! A rig while one edit works on it.

use super::super::words::tidy;
use super::super::workspace::{Content, DocId};
use super::super::{Applied, EditError, Selected, Selection, Workspace};
use crate::math::{Trs, continuous_euler, euler_from_quat};
use crate::model::limits::MAX_VALUE;
use crate::model::{Node, NodeKind, Rig, RigForm, Uid, Uids, check};
use crate::sample::{Hierarchy, rest_pose};
use glam::DVec3;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The rig as it becomes, with what the edit made.
pub(super) struct Draft<'a> {
    /// With clips that the edit carried to.
    pub workspace: Workspace,
    pub doc: DocId,
    before: &'a Arc<Rig>,
    pub rig: Rig,
    pub uids: Uids,
    pub notes: Vec<String>,
    made: Selection,
}

impl<'a> Draft<'a> {
    pub fn new(workspace: &'a Workspace, doc: DocId) -> Result<Self, EditError> {
        let before = workspace.require_rig(doc)?;
        let document = workspace.document(doc).ok_or("This document is not open")?;
        Ok(Draft {
            workspace: workspace.clone(),
            doc,
            before,
            rig: (**before).clone(),
            uids: document.uids.clone(),
            notes: Vec::new(),
            made: Selection::default(),
        })
    }

    /// The index of a node.
    pub fn find(&self, node: Uid) -> Result<usize, EditError> {
        let at = self.rig.nodes.iter().position(|n| n.uid == node);
        at.ok_or(EditError::new("This node is no longer there"))
    }

    /// The indices of nodes, in the order of the list, each once.
    pub fn find_all(&self, nodes: &[Uid]) -> Result<Vec<usize>, EditError> {
        let mut found: Vec<usize> =
            nodes.iter().map(|uid| self.find(*uid)).collect::<Result<_, _>>()?;
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    /// The id of a node; of none, none.
    pub fn id_of(&self, node: Option<Uid>) -> Result<Option<String>, EditError> {
        node.map(|uid| Ok(self.rig.nodes[self.find(uid)?].id.clone())).transpose()
    }

    /// A node to be changed.
    pub fn node(&mut self, at: usize) -> &mut Node {
        Arc::make_mut(&mut self.rig.nodes[at])
    }

    /// For each node the index of its parent.
    pub fn parents(&self) -> Vec<Option<usize>> {
        let mut ids: HashMap<&str, usize> = HashMap::with_capacity(self.rig.nodes.len());
        for (at, node) in self.rig.nodes.iter().enumerate() {
            // While a script is on its way an id may stand twice: the first one counts, as where
            // loops are looked for.
            ids.entry(&node.id).or_insert(at);
        }
        let parent = |n: &Arc<Node>| n.parent.as_deref().and_then(|id| ids.get(id).copied());
        self.rig.nodes.iter().map(parent).collect()
    }

    /// Those of the nodes that hang below none of the others.
    pub fn tops(&self, nodes: &[usize]) -> Vec<usize> {
        let parents = self.parents();
        let chosen: HashSet<usize> = nodes.iter().copied().collect();
        let is_top = |at: &usize| {
            let mut above = parents[*at];
            while let Some(i) = above {
                if chosen.contains(&i) {
                    return false;
                }
                above = parents[i];
            }
            true
        };
        nodes.iter().copied().filter(is_top).collect()
    }

    /// These nodes and everything below them, in the order of the list.
    pub fn with_below(&self, nodes: &[usize]) -> Vec<usize> {
        let parents = self.parents();
        let mut marked: Vec<Option<bool>> = vec![None; parents.len()];
        for at in nodes {
            marked[*at] = Some(true);
        }
        for start in 0..parents.len() {
            let mut way = Vec::new();
            let mut at = Some(start);
            while let Some(i) = at.filter(|i| marked[*i].is_none()) {
                way.push(i);
                at = parents[i];
            }
            let below = at.is_some_and(|i| marked[i] == Some(true));
            for i in way {
                marked[i] = Some(below);
            }
        }
        (0..parents.len()).filter(|at| marked[*at] == Some(true)).collect()
    }

    /// Rest poses in the world (M25), by index.
    pub fn worlds(&self) -> Result<Vec<Trs>, EditError> {
        let parts = self.rig.nodes.iter().map(|n| (n.id.as_str(), n.parent.as_deref()));
        let hierarchy = Hierarchy::new(parts).map_err(|e| EditError::new(e.to_string()))?;
        let mut poses: Vec<Trs> = self.rig.nodes.iter().map(|n| rest_pose(n)).collect();
        hierarchy.local_to_world(&mut poses);
        Ok(poses)
    }

    /// Where a node goes that shall come last among a parent's children: behind all that is below
    /// the parent; a root goes to the end.
    pub fn place_below(&self, parent: Option<&str>) -> usize {
        let at = parent.and_then(|id| self.rig.nodes.iter().position(|n| n.id == id));
        at.map_or(self.rig.nodes.len(), |at| self.place_behind(at))
    }

    /// The place behind a node and all that is below it.
    pub fn place_behind(&self, at: usize) -> usize {
        self.with_below(&[at]).last().map_or(at + 1, |last| last + 1)
    }

    /// Puts a node in under a parent, behind its siblings.
    pub fn insert(&mut self, node: Node) {
        let place = self.place_below(node.parent.as_deref());
        self.rig.nodes.insert(place, Arc::new(node));
    }

    /// Marks a node as what shall be selected; the first one is the active one.
    pub fn select(&mut self, node: Uid) {
        let node = Selected::Node(self.doc, node);
        self.made.active.get_or_insert(node.clone());
        self.made.nodes.insert(node);
    }

    /// Makes a copy fit this kind of file: a scene's nodes are entities without names (M9).
    pub fn fit_form(&mut self, node: &mut Node) {
        if self.rig.form == RigForm::Scene && (node.kind != NodeKind::Entity || node.name.is_some())
        {
            node.kind = NodeKind::Entity;
            node.name = None;
            self.notes
                .push(format!("{}: in a scene it is an entity without a display name", node.id));
        }
    }

    /// Gives a node the local rest that stands at `world` under a parent that stands at `parent`;
    /// where that is impossible, the nearest that a file may hold, with a note.
    pub fn stand_at(&mut self, at: usize, parent: &Trs, world: &Trs) {
        let id = self.rig.nodes[at].id.clone();
        let note = || format!("{id} could not keep its place in the world exactly");
        let Some(local) = parent.local_from_world(world) else {
            self.notes.push(note());
            return;
        };
        let node = &self.rig.nodes[at];
        let old = rest_pose(node);
        let mut position = near_or(local.position, old.position);
        let mut scale = near_or(local.scale, old.scale);
        // The same rotation keeps its very angles.
        let rotation = if local.rotation.dot(old.rotation).abs() > 1.0 - 1e-15 {
            node.rotation
        } else {
            tidy_vec(continuous_euler(euler_from_quat(local.rotation), node.rotation))
        };
        let limit = DVec3::splat(MAX_VALUE);
        let clamped =
            (position.clamp(-limit, limit), scale.clamp(DVec3::splat(f64::MIN_POSITIVE), limit));
        if clamped != (position, scale) {
            self.notes.push(note());
            (position, scale) = clamped;
        }
        let node = self.node(at);
        node.position = position;
        node.rotation = rotation;
        node.scale = scale;
    }

    /// The workspace with the rig, if it keeps every limit.
    pub fn finish(mut self, label: impl Into<String>) -> Result<Applied, EditError> {
        for (at, node) in self.rig.nodes.iter_mut().enumerate() {
            if let Some(old) = self.before.nodes.get(at)
                && !Arc::ptr_eq(old, node)
                && old == node
            {
                *node = old.clone();
            }
        }
        let selection = (!self.made.is_empty()).then_some(self.made);
        let same = self.before.name == self.rig.name
            && self.before.nodes.len() == self.rig.nodes.len()
            && self.before.nodes.iter().zip(&self.rig.nodes).all(|(a, b)| Arc::ptr_eq(a, b));
        let workspace = if same {
            self.workspace
        } else {
            if !self.workspace.is_on_the_way() {
                check::rig_change(self.before, &self.rig)?;
            }
            self.workspace.with_content(self.doc, Content::Rig(Arc::new(self.rig)), self.uids)
        };
        Ok(Applied { workspace, label: label.into(), selection, notes: self.notes })
    }
}

fn tidy_vec(v: DVec3) -> DVec3 {
    DVec3::new(tidy(v.x), tidy(v.y), tidy(v.z))
}

/// A reckoned vector, or the old one where only the reckoning's noise is between them.
fn near_or(new: DVec3, old: DVec3) -> DVec3 {
    let pick = |new: f64, old: f64| {
        if (new - old).abs() <= 8.0 * f64::EPSILON * old.abs().max(1.0) { old } else { tidy(new) }
    };
    DVec3::new(pick(new.x, old.x), pick(new.y, old.y), pick(new.z, old.z))
}

/// An id like `base` that is not taken: `hand`, `hand2`, `hand3`; `arm_01`, `arm_02`.
pub(super) fn unique_id(base: &str, taken: &HashSet<String>) -> String {
    if !taken.contains(base) {
        return base.to_owned();
    }
    let stem = base.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = &base[stem.len()..];
    let width = digits.len();
    // A number too long to count on is part of the name.
    let (stem, width, first) = match digits.parse::<u64>() {
        Ok(number) if number < u64::MAX / 2 => (stem, width, number + 1),
        Ok(_) => (base, 0, 2),
        Err(_) if digits.is_empty() => (base, 0, 2),
        Err(_) => (base, 0, 2),
    };
    let free = (first..).map(|n| format!("{stem}{n:0width$}")).find(|id| !taken.contains(id));
    free.unwrap_or_else(|| base.to_owned())
}
