//! What every element of a document has: an identity and an origin.

use crate::source::{NodeId, Source};
use std::sync::Arc;

/// The identity of an element (track, key, node) within its document. It survives sorting, undo
/// and reloading, and is never given twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Uid(pub u32);

/// Hands out [`Uid`]s. Undo never rewinds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uids {
    next: u32,
}

impl Default for Uids {
    fn default() -> Self {
        Uids { next: 1 }
    }
}

impl Uids {
    /// An identity that this counter never gave before.
    pub fn fresh(&mut self) -> Uid {
        let uid = Uid(self.next);
        self.next = self.next.checked_add(1).expect("fewer than 2^32 elements are ever made");
        uid
    }

    /// Moves on, so that nothing `other` gave is ever given again.
    pub fn skip_past(&mut self, other: &Uids) {
        self.next = self.next.max(other.next);
    }
}

/// The text an element was read from. It is never rebased: it keeps its text alive through saves,
/// moves and undo.
#[derive(Clone, Debug)]
pub struct Origin {
    /// The text.
    pub source: Arc<Source>,
    /// The element's node in it (the mapping, aliases followed).
    pub node: NodeId,
    /// Whether the comments beside and above the element are its own. A copy has none (M30).
    pub with_comments: bool,
}

impl PartialEq for Origin {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.source, &other.source)
            && self.node == other.node
            && self.with_comments == other.with_comments
    }
}
