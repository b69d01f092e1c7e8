//! Undo: one line of steps a document, kept as the values themselves.

use super::workspace::{DocId, Document};
use super::{Content, Selection, Workspace};
use crate::model::check::shared;
use crate::model::take::{Handles, Keyframe, Peg, Take};
use crate::model::{Clip, Key, Node, Rig, Track};
use std::collections::{BTreeMap, HashSet, VecDeque};
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
    /// What did not come out quite as one might think, for people.
    pub notes: Vec<String>,
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

    /// Writes down what changed between two workspaces, with the selections before and after. No
    /// change leaves no step.
    pub fn record(
        &mut self,
        label: &str,
        notes: Vec<String>,
        before: &Workspace,
        after: &Workspace,
        (selection_before, selection_after): (&Selection, &Selection),
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
            notes,
            changes,
            selection_before: selection_before.clone(),
            selection_after: selection_after.clone(),
            bytes,
        });
        for doc in step.changes.keys() {
            let line = self.lines.entry(*doc).or_default();
            line.redo.clear();
            line.undo.push_back(step.clone());
        }
        self.drop_torn_redo();
        self.evict(&step);
        Some(step)
    }

    /// Drops every step that can no longer be redone, because it is gone in another document that
    /// it changed, and with it those that came after it.
    fn drop_torn_redo(&mut self) {
        loop {
            let waiting: HashSet<(DocId, u64)> = self
                .lines
                .iter()
                .flat_map(|(doc, line)| line.redo.iter().map(|step| (*doc, step.number)))
                .collect();
            let mut dropped = false;
            for line in self.lines.values_mut() {
                let whole =
                    |s: &Arc<Step>| s.changes.keys().all(|doc| waiting.contains(&(*doc, s.number)));
                // The last one is the next to be redone: what stands before it came after it.
                if let Some(torn) = line.redo.iter().rposition(|step| !whole(step)) {
                    line.redo.drain(..=torn);
                    dropped = true;
                }
            }
            if !dropped {
                break;
            }
        }
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
        // A step can be undone only where it stands in every line it changed: one that another
        // line has lost, and all before it, can never be undone again, however new they are.
        loop {
            let first = |line: &Line| line.undo.front().map_or(u64::MAX, |s| s.number);
            let oldest: BTreeMap<DocId, u64> =
                self.lines.iter().map(|(doc, line)| (*doc, first(line))).collect();
            let whole = |step: &Arc<Step>| {
                let stands = |doc| oldest.get(doc).is_some_and(|first| *first <= step.number);
                step.changes.len() == 1 || step.changes.keys().all(stands)
            };
            let mut dropped = false;
            for line in self.lines.values_mut() {
                if let Some(torn) = line.undo.iter().rposition(|step| !whole(step)) {
                    line.undo.drain(..=torn);
                    dropped = true;
                }
            }
            if !dropped {
                break;
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

fn peg_bytes(peg: &Peg) -> usize {
    let handled = peg.keyframes.iter().filter(|key| key.handles.is_some()).count();
    size_of::<Peg>()
        + peg.name.len()
        + peg.keyframes.capacity() * size_of::<Keyframe>()
        + handled * size_of::<Handles>()
}

/// What `after` and `before` do not share.
fn own_bytes(before: &Content, after: &Content) -> usize {
    match (before, after) {
        (Content::Clip(a), Content::Clip(b)) => {
            let apart = a.tracks.iter().enumerate().filter(|(i, t)| !shared(t, *i, &b.tracks));
            let apart: usize = apart.map(|(_, t)| track_bytes(t)).sum();
            apart + size_of::<Clip>() + b.tracks.len() * size_of::<Arc<Track>>()
        }
        (Content::Rig(a), Content::Rig(b)) => {
            let apart = a.nodes.iter().enumerate().filter(|(i, n)| !shared(n, *i, &b.nodes));
            let apart: usize = apart.map(|(_, n)| node_bytes(n)).sum();
            apart + size_of::<Rig>() + b.nodes.len() * size_of::<Arc<Node>>()
        }
        (Content::Take(a), Content::Take(b)) => {
            let same = |(at, peg): (usize, &Arc<Peg>)| {
                b.pegs.get(at).is_some_and(|other| Arc::ptr_eq(peg, other))
            };
            let apart = a.pegs.iter().enumerate().filter(|pair| !same(*pair));
            let apart: usize = apart.map(|(_, peg)| peg_bytes(peg)).sum();
            apart + size_of::<Take>() + b.pegs.len() * size_of::<Arc<Peg>>()
        }
        (before, _) => content_bytes(before),
    }
}

fn content_bytes(content: &Content) -> usize {
    match content {
        Content::Clip(clip) => clip.tracks.iter().map(|t| track_bytes(t)).sum(),
        Content::Rig(rig) => rig.nodes.iter().map(|n| node_bytes(n)).sum(),
        Content::Take(take) => take.pegs.iter().map(|peg| peg_bytes(peg)).sum(),
        Content::Skeleton(skeleton) => {
            skeleton.origin.as_ref().map_or(0, |origin| origin.source.text().len())
        }
        Content::Text(text) => text.text.len(),
    }
}
