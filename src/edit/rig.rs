//! Edits of rigs, as data.

mod carry;
mod draft;
mod mirror;
mod nodes;

use super::workspace::DocId;
use super::{Applied, EditError, Workspace};
use crate::model::{Node, NodeKind, Uid};
use glam::DVec3;
use std::sync::Arc;

/// What a reparented node keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// Its place in the world; its local rest changes.
    World,
    /// Its local rest; its place in the world changes.
    Local,
}

/// A node to be made.
#[derive(Clone, Debug, PartialEq)]
pub struct NewNode {
    /// Its id; made unique by a number where it is taken. Empty: `joint`, `joint2`, …
    pub id: String,
    /// What it is for.
    pub kind: NodeKind,
    /// Its parent; `None` is a root.
    pub parent: Option<Uid>,
    /// Rest position relative to the parent, in metres.
    pub position: DVec3,
    /// The model drawn there.
    pub model: Option<String>,
}

/// A change of a rest transform; `None` leaves a component as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RestEdit {
    /// Metres.
    pub position: [Option<f64>; 3],
    /// Radians.
    pub rotation: [Option<f64>; 3],
    /// Factors above 0.
    pub scale: [Option<f64>; 3],
}

/// A change of one rig.
#[derive(Clone, Debug)]
pub enum RigEdit {
    /// Makes a node behind its siblings.
    AddNode {
        /// The node.
        node: NewNode,
    },
    /// Deletes nodes, and in every open clip that is bound the tracks of what is gone.
    DeleteNodes {
        /// The nodes.
        nodes: Vec<Uid>,
        /// With everything below; otherwise children go to the parent and keep their place in the
        /// world where they can.
        with_children: bool,
    },
    /// Copies nodes with everything below under new ids, to the place behind what is copied.
    DuplicateSubtrees {
        /// The tops.
        nodes: Vec<Uid>,
    },
    /// Puts copied nodes in under a parent; ids that are taken are made unique.
    PasteNodes {
        /// Nodes as copied; their identities are not used.
        nodes: Vec<Arc<Node>>,
        /// The parent of the tops.
        parent: Option<Uid>,
    },
    /// Gives a node another id, in its children's `parent` and in every open clip that is bound.
    Rename {
        /// The node.
        node: Uid,
        /// The new id.
        id: String,
    },
    /// Sets a display name.
    SetDisplayName {
        /// The node.
        node: Uid,
        /// The name; `None` shows the id.
        name: Option<String>,
    },
    /// Hangs nodes under another parent. Onto itself or below itself: refused.
    Reparent {
        /// The nodes.
        nodes: Vec<Uid>,
        /// The parent; `None` makes roots.
        parent: Option<Uid>,
        /// What stays.
        keep: Keep,
    },
    /// Moves a node in the list.
    MoveNode {
        /// The node.
        node: Uid,
        /// Its index afterwards.
        index: usize,
    },
    /// Sets rest values.
    SetRest {
        /// The nodes, each with its change.
        nodes: Vec<(Uid, RestEdit)>,
    },
    /// Takes over a pose as the rest: local position, rotation (Euler, radians) and scale.
    SetRestFromPose {
        /// The nodes with their local pose.
        nodes: Vec<(Uid, [DVec3; 3])>,
    },
    /// Sets what nodes are for.
    SetKind {
        /// The nodes.
        nodes: Vec<Uid>,
        /// What for.
        kind: NodeKind,
    },
    /// Sets the model drawn at nodes.
    SetModel {
        /// The nodes.
        nodes: Vec<Uid>,
        /// The model; `None` takes it away.
        model: Option<String>,
    },
    /// Mirrors subtrees across X = 0 under ids with left and right swapped; a counterpart that is
    /// there gets the mirrored rest, one that is not is made.
    Mirror {
        /// The tops.
        nodes: Vec<Uid>,
    },
    /// Sets the rig's name, and `model` in every open clip that is bound.
    SetName {
        /// The name.
        name: String,
    },
}

pub(super) fn apply(
    workspace: &Workspace,
    doc: DocId,
    edit: &RigEdit,
) -> Result<Applied, EditError> {
    nodes::apply(draft::Draft::new(workspace, doc)?, edit)
}
