//! Undo: one line of steps a document, kept as the values themselves.

use super::workspace::{DocId, Document};
use super::{Content, Selection, Workspace};
use crate::model::{Clip, Key, Node, Rig, Track};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// One document before and after a step.
#[derive(Clone, Debug)]
pub struct Change {
    /// As it was.
    pub before: Arc<Document>,
    /// As it became.
    pub after: Arc<Document>,
}

/// One step of undo, over one document or several.
#[derive(Clone, Debug)]
pub struct Step {
    /// Counts up over all documents.
    pub number: u64,
    /// What the menu says: "Move 12 keys".
    pub label: String,
    /// Every document that it changed.
    pub changes: BTreeMap<DocId, Change>,
    /// The selection before it.
    pub selection_before: Selection,
    /// The selection after it.
    pub selection_after: Selection,
    /// Roughly what it holds alone, in bytes.
    pub bytes: usize,
}

/// How much undo keeps for each document.
#[derive(Clone, Copy, Debug)]
pub struct HistoryLimits {
    /// Most steps of a document's line.
    pub steps: usize,
    /// Most bytes of a document's line, unless four times its largest document is more.
    pub bytes: usize,
    /// The newest steps that are never dropped.
    pub kept: usize,
}

impl Default for HistoryLimits {
    fn default() -> Self {
        HistoryLimits { steps: 200, bytes: 256 * 1024 * 1024, kept: 20 }
    }
}

/// Why nothing was undone or redone.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UndoError {
    /// There is no step.
    #[error("nothing to undo")]
    Nothing,
    /// The step also changed a document that has changed since.
    #[error("\"{label}\" also changed {document}, which has changed since: undo there first")]
    Blocked {
        /// The step that cannot be undone yet.
        label: String,
        /// The name of the document that blocks it.
        document: String,
    },
}

#[derive(Clone, Debug, Default)]
struct Line {
    undo: VecDeque<Arc<Step>>,
    redo: Vec<Arc<Step>>,
}

/// The undo lines of all documents.
#[derive(Clone, Debug, Default)]
pub struct History {
    lines: BTreeMap<DocId, Line>,
    limits: HistoryLimits,
    next: u64,
}

impl History {
    /// No steps, with these limits.
    pub fn with_limits(limits: HistoryLimits) -> History {
        History { limits, ..History::default() }
    }

    /// The number of the newest step ever recorded.
    pub fn newest(&self) -> u64 {
        self.next
    }

    /// What undo would undo in this document.
    pub fn undo_label(&self, doc: DocId) -> Option<&str> {
        self.lines.get(&doc)?.undo.back().map(|s| s.label.as_str())
    }

    /// What redo would redo in this document.
    pub fn redo_label(&self, doc: DocId) -> Option<&str> {
        self.lines.get(&doc)?.redo.last().map(|s| s.label.as_str())
    }

    /// Steps that undo can take back in this document, oldest first.
    pub fn steps(&self, doc: DocId) -> impl DoubleEndedIterator<Item = &Arc<Step>> {
        self.lines.get(&doc).into_iter().flat_map(|line| &line.undo)
    }

    /// Writes down what changed between two workspaces. No change leaves no step.
    pub fn record(
        &mut self,
        label: &str,
        before: &Workspace,
        after: &Workspace,
        selection_before: &Selection,
        selection_after: &Selection,
    ) -> Option<Arc<Step>> {
        let mut changes = BTreeMap::new();
        let mut bytes = 0;
        for document in after.documents() {
            let Some(old) = before.document(document.id) else { continue };
            if old.content.ptr_eq(&document.content) {
                continue;
            }
            bytes += own_bytes(&old.content, &document.content);
            changes.insert(document.id, Change { before: old.clone(), after: document.clone() });
        }
        if changes.is_empty() {
            return None;
        }
        self.next += 1;
        let step = Arc::new(Step {
            number: self.next,
            label: label.to_owned(),
            changes,
            selection_before: selection_before.clone(),
            selection_after: selection_after.clone(),
            bytes,
        });
        for doc in step.changes.keys() {
            let line = self.lines.entry(*doc).or_default();
            // A step that was undone and never redone is gone in every document it stood in.
            let gone = std::mem::take(&mut line.redo);
            line.undo.push_back(step.clone());
            for old in gone {
                for other in old.changes.keys().filter(|o| *o != doc) {
                    if let Some(line) = self.lines.get_mut(other) {
                        line.redo.retain(|s| s.number != old.number);
                    }
                }
            }
        }
        self.evict(&step);
        Some(step)
    }

    fn evict(&mut self, newest: &Step) {
        for (doc, change) in &newest.changes {
            let Some(line) = self.lines.get_mut(doc) else { continue };
            let most = self.limits.bytes.max(4 * content_bytes(&change.after.content));
            let mut bytes: usize = line.undo.iter().map(|s| s.bytes).sum();
            while line.undo.len() > self.limits.kept
                && (line.undo.len() > self.limits.steps || bytes > most)
            {
                let Some(step) = line.undo.pop_front() else { break };
                bytes -= step.bytes;
            }
        }
        // A step can be undone only where it stands in every line it changed.
        let oldest: BTreeMap<DocId, u64> = self
            .lines
            .iter()
            .map(|(doc, line)| (*doc, line.undo.front().map_or(u64::MAX, |s| s.number)))
            .collect();
        for (doc, line) in &mut self.lines {
            let whole = |step: &Arc<Step>| {
                step.changes.keys().all(|other| {
                    other == doc || oldest.get(other).is_some_and(|first| *first <= step.number)
                })
            };
            let torn = line.undo.iter().rposition(|step| !whole(step));
            if let Some(torn) = torn {
                line.undo.drain(..=torn);
            }
        }
    }

    /// Takes back the newest step of a document, in every document that it changed.
    ///
    /// # Errors
    /// Nothing to undo, or a document of the step has changed since.
    pub fn undo(
        &mut self,
        doc: DocId,
        workspace: &Workspace,
    ) -> Result<(Workspace, Arc<Step>), UndoError> {
        let step = self.lines.get(&doc).and_then(|l| l.undo.back()).cloned();
        let step = step.ok_or(UndoError::Nothing)?;
        for other in step.changes.keys() {
            let newest = self.lines.get(other).and_then(|l| l.undo.back());
            if newest.is_none_or(|s| s.number != step.number) {
                return Err(blocked(&step, *other));
            }
        }
        let mut workspace = workspace.clone();
        for (other, change) in &step.changes {
            if let Some(line) = self.lines.get_mut(other) {
                line.undo.pop_back();
                line.redo.push(step.clone());
            }
            workspace = put_back(&workspace, &change.before, &change.after);
        }
        Ok((workspace, step))
    }

    /// Does the step again that was last undone in a document, in every document of it.
    ///
    /// # Errors
    /// Nothing to redo, or a document of the step has changed since.
    pub fn redo(
        &mut self,
        doc: DocId,
        workspace: &Workspace,
    ) -> Result<(Workspace, Arc<Step>), UndoError> {
        let step = self.lines.get(&doc).and_then(|l| l.redo.last()).cloned();
        let step = step.ok_or(UndoError::Nothing)?;
        for other in step.changes.keys() {
            let next = self.lines.get(other).and_then(|l| l.redo.last());
            if next.is_none_or(|s| s.number != step.number) {
                return Err(blocked(&step, *other));
            }
        }
        let mut workspace = workspace.clone();
        for (other, change) in &step.changes {
            if let Some(line) = self.lines.get_mut(other) {
                line.redo.pop();
                line.undo.push_back(step.clone());
            }
            workspace = put_back(&workspace, &change.after, &change.before);
        }
        Ok((workspace, step))
    }
}

fn blocked(step: &Step, doc: DocId) -> UndoError {
    let document = step.changes.get(&doc).map(|c| c.after.name()).unwrap_or_default();
    UndoError::Blocked { label: step.label.clone(), document }
}

/// A document's content as in `to`; opened again where it was closed. Its path and root are those
/// it has now, and its identities count on.
fn put_back(workspace: &Workspace, to: &Arc<Document>, from: &Arc<Document>) -> Workspace {
    let mut document = match workspace.document(to.id) {
        Some(now) => Document { content: to.content.clone(), ..(**now).clone() },
        None => (**to).clone(),
    };
    document.uids.skip_past(&from.uids);
    document.uids.skip_past(&to.uids);
    workspace.with(document)
}

fn track_bytes(track: &Track) -> usize {
    size_of::<Track>() + track.part.len() + track.keys.capacity() * size_of::<Key>()
}

fn node_bytes(node: &Node) -> usize {
    size_of::<Node>() + node.id.len()
}

/// What `after` and `before` do not share.
fn own_bytes(before: &Content, after: &Content) -> usize {
    match (before, after) {
        (Content::Clip(a), Content::Clip(b)) => {
            let apart = |x: &Clip, y: &Clip| -> usize {
                // Tracks mostly stay in their place: look there first.
                x.tracks
                    .iter()
                    .enumerate()
                    .filter(|(i, t)| {
                        !y.tracks.get(*i).is_some_and(|u| Arc::ptr_eq(t, u))
                            && !y.tracks.iter().any(|u| Arc::ptr_eq(t, u))
                    })
                    .map(|(_, t)| track_bytes(t))
                    .sum()
            };
            apart(a, b) + size_of::<Clip>() + b.tracks.len() * size_of::<Arc<Track>>()
        }
        (Content::Rig(a), Content::Rig(b)) => {
            let shared = |n: &Arc<Node>| b.nodes.iter().any(|m| Arc::ptr_eq(n, m));
            let apart: usize = a.nodes.iter().filter(|n| !shared(n)).map(|n| node_bytes(n)).sum();
            apart + size_of::<Rig>() + b.nodes.len() * size_of::<Arc<Node>>()
        }
        (before, _) => content_bytes(before),
    }
}

fn content_bytes(content: &Content) -> usize {
    match content {
        Content::Clip(clip) => clip.tracks.iter().map(|t| track_bytes(t)).sum(),
        Content::Rig(rig) => rig.nodes.iter().map(|n| node_bytes(n)).sum(),
        Content::Text(text) => text.text.len(),
    }
}
