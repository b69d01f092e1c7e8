//! A hierarchy of nodes with their rest pose.

use super::{Origin, Uid};
use crate::source::Source;
use glam::DVec3;
use std::sync::Arc;

/// What a node is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NodeKind {
    /// A bone's pivot.
    Joint,
    /// A place where a model hangs.
    Attachment,
    /// A thing of the scene.
    Entity,
}

impl NodeKind {
    /// All three, in the order of the format.
    pub const ALL: [NodeKind; 3] = [NodeKind::Joint, NodeKind::Attachment, NodeKind::Entity];

    /// The word in the file.
    pub fn as_str(self) -> &'static str {
        match self {
            NodeKind::Joint => "joint",
            NodeKind::Attachment => "attachment",
            NodeKind::Entity => "entity",
        }
    }

    /// The kind of that word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|k| k.as_str() == word)
    }
}

/// One node of a rig.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Identity within the document.
    pub uid: Uid,
    /// The id in the file, unique in the rig; clips name it.
    pub id: String,
    /// Display name; `None` shows the id.
    pub name: Option<String>,
    /// What it is for.
    pub kind: NodeKind,
    /// The parent's id.
    pub parent: Option<String>,
    /// The procedural model drawn here.
    pub model: Option<String>,
    /// Rest position relative to the parent, in metres.
    pub position: DVec3,
    /// Rest rotation relative to the parent: Euler angles in radians (M20).
    pub rotation: DVec3,
    /// Rest scale, each above 0.
    pub scale: DVec3,
    /// Where it was read from.
    pub origin: Option<Origin>,
}

impl Node {
    /// What is shown to people.
    pub fn display_name(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.id)
    }
}

/// What kind of file holds the nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RigForm {
    /// A `.rig` file.
    Rig,
    /// A scene whose `kind: entity` entities are the nodes (M9).
    Scene,
}

/// The text a rig was read from, with its nodes as they were.
#[derive(Debug)]
pub struct RigOrigin {
    /// The text.
    pub source: Arc<Source>,
    /// The nodes as read.
    pub nodes: Vec<Arc<Node>>,
}

/// A hierarchy with its rest pose.
#[derive(Clone, Debug)]
pub struct Rig {
    /// A `.rig` or a scene.
    pub form: RigForm,
    /// The name that clips say in `model`.
    pub name: String,
    /// Nodes in file order; parents may stand after their children.
    pub nodes: Vec<Arc<Node>>,
    /// Where it was read from; `None` for a new rig.
    pub origin: Option<Arc<RigOrigin>>,
}

impl Rig {
    /// A scene's name where it has no `animation_name`.
    pub const DEFAULT_SCENE_NAME: &'static str = "Scene";
}
