//! What is selected: nodes and keys, each for itself.

use super::{Content, DocId, Workspace};
use crate::model::Uid;
use std::collections::BTreeSet;

/// One selected thing of a document.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Selected {
    /// A node of a rig.
    Node(DocId, Uid),
    /// A part of a model clip, which has no rig to hold it.
    Part(DocId, String),
}

/// Two selections, nodes and keys; both survive undo, reloading and sorting, because they name
/// identities.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Selected nodes and parts.
    pub nodes: BTreeSet<Selected>,
    /// The one that was selected last: what the inspector shows and tools pivot on.
    pub active: Option<Selected>,
    /// Selected tracks, as the curve view shows them.
    pub tracks: BTreeSet<(DocId, Uid)>,
    /// Selected keys.
    pub keys: BTreeSet<(DocId, Uid)>,
}

impl Selection {
    /// Only these keys; nodes and tracks stay as they are.
    pub fn with_keys(&self, keys: impl IntoIterator<Item = (DocId, Uid)>) -> Selection {
        Selection { keys: keys.into_iter().collect(), ..self.clone() }
    }

    /// Only this node, and it is the active one; keys stay as they are.
    pub fn with_node(&self, node: Selected) -> Selection {
        Selection {
            nodes: [node.clone()].into_iter().collect(),
            active: Some(node),
            ..self.clone()
        }
    }

    /// The selected keys of one document.
    pub fn keys_of(&self, doc: DocId) -> Vec<Uid> {
        self.keys.iter().filter(|(d, _)| *d == doc).map(|(_, uid)| *uid).collect()
    }

    /// The selected nodes of one rig.
    pub fn nodes_of(&self, doc: DocId) -> Vec<Uid> {
        let node = |selected: &Selected| match selected {
            Selected::Node(d, uid) if *d == doc => Some(*uid),
            _ => None,
        };
        self.nodes.iter().filter_map(node).collect()
    }

    /// Without what is no longer in the workspace.
    pub fn pruned(&self, workspace: &Workspace) -> Selection {
        let has_node = |selected: &Selected| match selected {
            Selected::Node(doc, uid) => {
                workspace.rig(*doc).is_some_and(|rig| rig.nodes.iter().any(|n| n.uid == *uid))
            }
            Selected::Part(doc, part) => {
                workspace.clip(*doc).is_some_and(|c| c.tracks.iter().any(|t| t.part == *part))
            }
        };
        let mut live: BTreeSet<(DocId, Uid)> = BTreeSet::new();
        let docs: BTreeSet<DocId> =
            self.keys.iter().chain(&self.tracks).map(|(doc, _)| *doc).collect();
        for doc in docs {
            if let Some(Content::Clip(clip)) = workspace.content(doc) {
                for track in &clip.tracks {
                    live.insert((doc, track.uid));
                    live.extend(track.keys.iter().map(|k| (doc, k.uid)));
                }
            }
        }
        Selection {
            nodes: self.nodes.iter().filter(|n| has_node(n)).cloned().collect(),
            active: self.active.clone().filter(has_node),
            tracks: self.tracks.intersection(&live).copied().collect(),
            keys: self.keys.intersection(&live).copied().collect(),
        }
    }
}
