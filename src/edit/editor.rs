//! The current workspace with everything around it: undo, selection, the gesture under way.

use super::history::{History, HistoryLimits, Step, UndoError};
use super::{Applied, Content, DocId, Edit, EditError, Gesture, Selection, Workspace, apply};
use crate::model::Uids;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// The state of editing. Everything that changes a document goes through here.
#[derive(Clone, Debug, Default)]
pub struct Editor {
    workspace: Workspace,
    history: History,
    selection: Selection,
    gesture: Option<Gesture>,
    /// Each document as it was last read from or written to disk; `None` was never saved.
    saved: BTreeMap<DocId, Option<Content>>,
}

impl Editor {
    /// Nothing open.
    pub fn new(limits: HistoryLimits) -> Editor {
        Editor { history: History::with_limits(limits), ..Editor::default() }
    }

    /// The documents, with the preview of a gesture under way.
    pub fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    /// The undo lines.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// What is selected.
    pub fn selection(&self) -> &Selection {
        &self.selection
    }

    /// Selects. That alone is no step.
    pub fn select(&mut self, selection: Selection) {
        self.selection = selection;
    }

    /// The gesture under way.
    pub fn gesture(&self) -> Option<&Gesture> {
        self.gesture.as_ref()
    }

    /// Opens a document that was read from a file (`path`), or a new one (no path), which counts
    /// as unsaved.
    pub fn open(
        &mut self,
        path: Option<PathBuf>,
        project_root: Option<PathBuf>,
        content: Content,
        uids: Uids,
    ) -> DocId {
        self.cancel();
        let saved = path.is_some().then(|| content.clone());
        let (workspace, doc) = self.workspace.with_new(path, project_root, content, uids);
        self.workspace = workspace;
        self.saved.insert(doc, saved);
        doc
    }

    /// Closes a document. Its undo line stays, for steps that stand in other lines too.
    pub fn close(&mut self, doc: DocId) {
        self.cancel();
        self.workspace = self.workspace.without(doc);
        self.selection = self.selection.pruned(&self.workspace);
    }

    /// Whether a document differs from what is on disk. Undoing back to that is clean again.
    pub fn is_dirty(&self, doc: DocId) -> bool {
        let Some(content) = self.workspace.content(doc) else { return false };
        match self.saved.get(&doc) {
            Some(Some(saved)) => !content.same(saved),
            _ => true,
        }
    }

    /// A document is on disk now as `content`, at `path`.
    pub fn mark_saved(&mut self, doc: DocId, path: PathBuf, content: Content) {
        if let Some(document) = self.workspace.document(doc) {
            let mut document = (**document).clone();
            document.path = Some(path);
            self.workspace = self.workspace.with(document);
        }
        self.saved.insert(doc, Some(content));
    }

    /// The folder that a document's binding is relative to, from now on.
    pub fn set_project_root(&mut self, doc: DocId, root: Option<PathBuf>) {
        if let Some(document) = self.workspace.document(doc) {
            let mut document = (**document).clone();
            document.project_root = root;
            self.workspace = self.workspace.with(document);
        }
    }

    /// Makes an edit as one step. A gesture under way is committed first.
    ///
    /// # Errors
    /// The edit was refused; nothing changed.
    pub fn perform(&mut self, edit: &Edit) -> Result<Option<Arc<Step>>, EditError> {
        self.commit();
        let Applied { workspace, label, selection } = apply(&self.workspace, edit)?;
        let selection = selection.unwrap_or_else(|| self.selection.clone()).pruned(&workspace);
        let step =
            self.history.record(&label, &self.workspace, &workspace, &self.selection, &selection);
        self.workspace = workspace;
        self.selection = selection;
        Ok(step)
    }

    /// Begins a gesture; one under way is committed first.
    pub fn begin(&mut self) {
        self.commit();
        self.gesture = Some(Gesture {
            base: self.workspace.clone(),
            selection: self.selection.clone(),
            label: String::new(),
        });
    }

    /// Shows what the gesture would do so far: `edit` is the total change since its beginning.
    ///
    /// # Errors
    /// The edit was refused; the last preview stays.
    pub fn preview(&mut self, edit: &Edit) -> Result<(), EditError> {
        if self.gesture.is_none() {
            self.begin();
        }
        let Some(gesture) = &mut self.gesture else { return Ok(()) };
        let applied = apply(&gesture.base, edit)?;
        gesture.label = applied.label;
        self.selection = applied
            .selection
            .unwrap_or_else(|| gesture.selection.clone())
            .pruned(&applied.workspace);
        self.workspace = applied.workspace;
        Ok(())
    }

    /// Ends the gesture where it is, as one step; where it ended as it began, as none.
    pub fn commit(&mut self) -> Option<Arc<Step>> {
        let gesture = self.gesture.take()?;
        let unchanged = self
            .workspace
            .documents()
            .all(|d| gesture.base.content(d.id).is_some_and(|before| before.same(&d.content)));
        if unchanged {
            self.workspace = gesture.base;
            return None;
        }
        self.history.record(
            &gesture.label,
            &gesture.base,
            &self.workspace,
            &gesture.selection,
            &self.selection,
        )
    }

    /// Ends the gesture as if it had never begun.
    pub fn cancel(&mut self) {
        if let Some(gesture) = self.gesture.take() {
            self.workspace = gesture.base;
            self.selection = gesture.selection;
        }
    }

    /// Takes back the newest step of a document.
    ///
    /// # Errors
    /// Nothing to undo, or another document of the step has changed since.
    pub fn undo(&mut self, doc: DocId) -> Result<Arc<Step>, UndoError> {
        self.cancel();
        let (workspace, step) = self.history.undo(doc, &self.workspace)?;
        self.workspace = workspace;
        self.selection = step.selection_before.pruned(&self.workspace);
        Ok(step)
    }

    /// Does again what was last undone in a document.
    ///
    /// # Errors
    /// Nothing to redo, or another document of the step has changed since.
    pub fn redo(&mut self, doc: DocId) -> Result<Arc<Step>, UndoError> {
        self.cancel();
        let (workspace, step) = self.history.redo(doc, &self.workspace)?;
        self.workspace = workspace;
        self.selection = step.selection_after.pruned(&self.workspace);
        Ok(step)
    }
}
