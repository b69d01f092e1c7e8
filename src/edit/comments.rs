//! Whose comments are whose. What was cut takes its comments to where it is pasted (M30), and undo
//! may bring back what it was cut from: one of the two owns them.

use super::{Content, Workspace};
use crate::model::Origin;
use crate::source::{NodeId, Source};
use std::collections::HashSet;

/// The places whose comments belong to an element of an open document.
pub(super) struct Owned(HashSet<(*const Source, NodeId)>);

impl Owned {
    /// Looks through all open documents, if any of these copies brings comments.
    pub fn of<'o>(
        workspace: &Workspace,
        copies: impl Iterator<Item = &'o Option<Origin>>,
    ) -> Owned {
        let mut owned = Owned(HashSet::new());
        if !copies.flatten().any(|origin| origin.with_comments) {
            return owned;
        }
        for document in workspace.documents() {
            match &document.content {
                Content::Clip(clip) => {
                    for track in &clip.tracks {
                        owned.note(&track.origin);
                        track.keys.iter().for_each(|key| owned.note(&key.origin));
                    }
                }
                Content::Rig(rig) => rig.nodes.iter().for_each(|node| owned.note(&node.origin)),
                Content::Take(_) | Content::Skeleton(_) | Content::Text(_) => {}
            }
        }
        owned
    }

    fn note(&mut self, origin: &Option<Origin>) {
        if let Some(origin) = origin.as_ref().filter(|origin| origin.with_comments) {
            self.0.insert((&*origin.source, origin.node));
        }
    }

    /// Takes the comments off a copy if they belong to somebody; otherwise they are its own from
    /// now on.
    pub fn settle(&mut self, copy: &mut Option<Origin>) {
        if let Some(origin) = copy.as_mut().filter(|origin| origin.with_comments) {
            origin.with_comments = self.0.insert((&*origin.source, origin.node));
        }
    }
}
