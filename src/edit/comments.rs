//! Whose comments are whose. What was cut takes its comments to where it is pasted (M30), and undo
//! or a reload may bring back what it was cut from: one of the two owns them.

use super::{Content, Workspace};
use crate::model::Origin;
use crate::source::{Fragment, NodeId, Source};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The places whose comments belong to an element of an open document.
pub(super) struct Owned {
    places: HashSet<(*const Source, NodeId)>,
    /// The texts that open documents were read from.
    texts: HashSet<*const Source>,
    /// Elements that own comments, by their own bytes: a document that was read anew has other
    /// places. Filled only where a copy comes from a text that no document stands on any more.
    twins: HashMap<String, Vec<Origin>>,
}

impl Owned {
    /// Looks through all open documents, if any of these copies brings comments.
    pub fn of<'o>(
        workspace: &Workspace,
        copies: impl Iterator<Item = &'o Option<Origin>>,
    ) -> Owned {
        let mut owned =
            Owned { places: HashSet::new(), texts: HashSet::new(), twins: HashMap::new() };
        let copies: Vec<&Origin> = copies.flatten().filter(|copy| copy.with_comments).collect();
        if copies.is_empty() {
            return owned;
        }
        for document in workspace.documents() {
            let text = match &document.content {
                Content::Clip(clip) => clip.origin.as_ref().map(|origin| &origin.source),
                Content::Rig(rig) => rig.origin.as_ref().map(|origin| &origin.source),
                Content::Take(_) | Content::Skeleton(_) | Content::Text(_) => None,
            };
            owned.texts.extend(text.map(Arc::as_ptr));
        }
        let read_anew = copies.iter().any(|copy| owned.is_left_behind(copy));
        for document in workspace.documents() {
            match &document.content {
                Content::Clip(clip) => {
                    for track in &clip.tracks {
                        owned.note(&track.origin, read_anew);
                        track.keys.iter().for_each(|key| owned.note(&key.origin, read_anew));
                    }
                }
                Content::Rig(rig) => {
                    rig.nodes.iter().for_each(|node| owned.note(&node.origin, read_anew));
                }
                Content::Take(_) | Content::Skeleton(_) | Content::Text(_) => {}
            }
        }
        owned
    }

    /// Whether no open document stands on the text of a copy any more.
    fn is_left_behind(&self, copy: &Origin) -> bool {
        !self.texts.contains(&Arc::as_ptr(&copy.source))
    }

    fn note(&mut self, origin: &Option<Origin>, read_anew: bool) {
        let Some(origin) = origin.as_ref().filter(|origin| origin.with_comments) else { return };
        self.places.insert((&*origin.source, origin.node));
        if read_anew {
            self.twins.entry(bytes(origin).to_owned()).or_default().push(origin.clone());
        }
    }

    /// Takes the comments off a copy if they belong to somebody; otherwise they are its own from
    /// now on.
    pub fn settle(&mut self, copy: &mut Option<Origin>) {
        if let Some(origin) = copy.as_mut().filter(|origin| origin.with_comments) {
            origin.with_comments =
                !self.has_twin(origin) && self.places.insert((&*origin.source, origin.node));
        }
    }

    /// Whether a document that was read anew holds the same element with the same comments.
    fn has_twin(&self, copy: &Origin) -> bool {
        if !self.is_left_behind(copy) {
            return false;
        }
        let Some(twins) = self.twins.get(bytes(copy)) else { return false };
        let own = Fragment::element(&copy.source, copy.node, true);
        let is_twin = |other: &Origin| {
            !Arc::ptr_eq(&other.source, &copy.source)
                && Fragment::element(&other.source, other.node, true) == own
        };
        own.has_comments() && twins.iter().any(is_twin)
    }
}

/// The bytes of an element, without what stands around it.
fn bytes(origin: &Origin) -> &str {
    origin.source.text().get(origin.source.span(origin.node)).unwrap_or_default()
}
