//! What is selected: nodes and keys, each for itself.

use super::{Content, DocId, Workspace};
use crate::model::Uid;
use std::collections::{BTreeSet, HashSet};

/// One selected thing of a document.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Selected {
    /// A node of a rig, a peg of a take, a bone of a skeleton.
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
    /// Selected tracks, as the curve view shows them; of a take its pegs.
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
            Selected::Node(doc, uid) => has_element(workspace, *doc, *uid),
            Selected::Part(doc, part) => {
                workspace.clip(*doc).is_some_and(|c| c.tracks.iter().any(|t| t.part == *part))
            }
        };
        let docs: BTreeSet<DocId> =
            self.keys.iter().chain(&self.tracks).map(|(doc, _)| *doc).collect();
        let (mut tracks, mut keys) = (BTreeSet::new(), BTreeSet::new());
        for doc in docs {
            let (clip, take) = (workspace.clip(doc), workspace.take(doc));
            let of_doc = (doc, Uid(0))..=(doc, Uid(u32::MAX));
            let live = |uid: &Uid| {
                clip.is_some_and(|clip| clip.tracks.iter().any(|t| t.uid == *uid))
                    || take.is_some_and(|take| take.pegs.iter().any(|p| p.uid == *uid))
            };
            tracks.extend(self.tracks.range(of_doc.clone()).filter(|(_, uid)| live(uid)));
            let selected = self.keys.range(of_doc);
            if selected.clone().take(FEW + 1).count() <= FEW {
                keys.extend(selected.filter(|(_, key)| workspace.find_key(doc, *key).is_some()));
            } else {
                let clip_keys = clip.into_iter().flat_map(|c| &c.tracks).flat_map(|t| &t.keys);
                let take_keys = take.into_iter().flat_map(|t| &t.pegs).flat_map(|p| &p.keyframes);
                let clip_keys = clip_keys.map(|key| key.uid);
                let live: HashSet<Uid> = clip_keys.chain(take_keys.map(|key| key.uid)).collect();
                keys.extend(selected.filter(|(_, key)| live.contains(key)));
            }
        }
        Selection {
            nodes: self.nodes.iter().filter(|n| has_node(n)).cloned().collect(),
            active: self.active.clone().filter(has_node),
            tracks,
            keys,
        }
    }

    /// Whether nothing is selected.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
            && self.active.is_none()
            && self.tracks.is_empty()
            && self.keys.is_empty()
    }

    /// This selection where an edit made `made`: of the two selections (nodes; keys with their
    /// tracks) the one that it holds something of is replaced, the other stays.
    pub fn overlaid(&self, made: &Selection) -> Selection {
        let nodes = if made.nodes.is_empty() { self } else { made };
        let keys = if made.keys.is_empty() && made.tracks.is_empty() { self } else { made };
        Selection {
            nodes: nodes.nodes.clone(),
            active: nodes.active.clone(),
            tracks: keys.tracks.clone(),
            keys: keys.keys.clone(),
        }
    }

    /// Both together; the active one is `other`'s where it has one.
    pub fn joined(&self, other: &Selection) -> Selection {
        Selection {
            nodes: self.nodes.union(&other.nodes).cloned().collect(),
            active: other.active.clone().or_else(|| self.active.clone()),
            tracks: self.tracks.union(&other.tracks).copied().collect(),
            keys: self.keys.union(&other.keys).copied().collect(),
        }
    }
}

/// Up to so many keys are looked up one by one.
const FEW: usize = 16;

fn has_element(workspace: &Workspace, doc: DocId, uid: Uid) -> bool {
    match workspace.content(doc) {
        Some(Content::Rig(rig)) => rig.nodes.iter().any(|n| n.uid == uid),
        Some(Content::Take(take)) => take.pegs.iter().any(|p| p.uid == uid),
        Some(Content::Skeleton(skeleton)) => skeleton.bones.iter().any(|b| b.uid == uid),
        _ => false,
    }
}
