//! The current workspace with everything around it: undo, selection, the gesture under way.

use super::history::{History, HistoryLimits, Step, UndoError};
use super::{
    Applied, Content, DocId, Document, Edit, EditError, Gesture, Selection, Workspace, apply,
};
use crate::model::Uids;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// The state of editing. Everything that changes a document goes through here.
#[derive(Clone, Debug, Default)]
pub struct Editor {
    workspace: Workspace,
    history: History,
    /// Shared, so that a copy of the editor costs nothing to speak of.
    selection: Arc<Selection>,
    gesture: Option<Gesture>,
    /// Each document as it was last read from or written to disk; `None` was never saved.
    saved: BTreeMap<DocId, Option<Content>>,
    /// Each content as it was last compared with what is on disk, and whether it differed.
    dirty: BTreeMap<DocId, (Content, bool)>,
    /// Documents that were closed, by their files: opened again they are the same documents, and
    /// their undo lines go on.
    closed: BTreeMap<PathBuf, Arc<Document>>,
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
        self.selection = Arc::new(selection);
    }

    /// The gesture under way.
    pub fn gesture(&self) -> Option<&Gesture> {
        self.gesture.as_ref()
    }

    /// Opens a document that was read from a file (`path`), or a new one (no path), which counts
    /// as unsaved. A file that was open before is that document again, with its undo line; what
    /// changed in it meanwhile is a step.
    pub fn open(
        &mut self,
        path: Option<PathBuf>,
        project_root: Option<PathBuf>,
        content: Content,
        uids: Uids,
    ) -> DocId {
        self.cancel();
        if let Some(old) = path.as_ref().and_then(|path| self.closed.remove(path)) {
            return self.reopen(&old, project_root, content, uids);
        }
        let saved = path.is_some().then(|| content.clone());
        let (workspace, doc) = self.workspace.with_new(path, project_root, content, uids);
        self.workspace = workspace;
        self.saved.insert(doc, saved);
        self.compare();
        doc
    }

    fn reopen(
        &mut self,
        old: &Arc<Document>,
        project_root: Option<PathBuf>,
        content: Content,
        uids: Uids,
    ) -> DocId {
        let doc = old.id;
        let mut document = (**old).clone();
        document.project_root = project_root;
        self.workspace = self.workspace.with(document);
        if !old.content.same(&content) {
            // Identities of what was just read must not be those of what was there before.
            let mut uids = uids;
            uids.skip_past(&old.uids);
            let mut own = uids.clone();
            let read = super::content_of(content.file_kind(), &content.text(), &mut own);
            let read = super::reload::relinked(&old.content, read);
            let before = self.workspace.clone();
            self.workspace = self.workspace.with_content(doc, read, own);
            let label = format!("Reload {}", old.name());
            let selections = (&*self.selection, &*self.selection);
            self.history.record(&label, Vec::new(), &before, &self.workspace, selections);
        }
        if let Some(content) = self.workspace.content(doc) {
            self.saved.insert(doc, Some(content.clone()));
        }
        self.compare();
        doc
    }

    /// Closes a document. Its undo line stays, for steps that stand in other lines too.
    pub fn close(&mut self, doc: DocId) {
        self.cancel();
        if let Some(document) = self.workspace.document(doc)
            && let Some(path) = &document.path
        {
            self.closed.insert(path.clone(), document.clone());
        }
        self.dirty.remove(&doc);
        self.workspace = self.workspace.without(doc);
        self.selection = Arc::new(self.selection.pruned(&self.workspace));
    }

    /// Whether a document differs from what is on disk. Undoing back to that is clean again.
    pub fn is_dirty(&self, doc: DocId) -> bool {
        let Some(content) = self.workspace.content(doc) else { return false };
        match self.dirty.get(&doc) {
            Some((compared, dirty)) if compared.ptr_eq(content) => *dirty,
            _ => self.differs(doc, content),
        }
    }

    fn differs(&self, doc: DocId, content: &Content) -> bool {
        match self.saved.get(&doc) {
            Some(Some(saved)) => !content.same(saved),
            _ => true,
        }
    }

    /// Compares what changed since the last time with what is on disk, so that asking at each
    /// frame costs nothing.
    fn compare(&mut self) {
        for document in self.workspace.documents() {
            let known = self.dirty.get(&document.id);
            if !known.is_some_and(|(content, _)| content.ptr_eq(&document.content)) {
                let differs = self.differs(document.id, &document.content);
                self.dirty.insert(document.id, (document.content.clone(), differs));
            }
        }
    }

    /// What is on disk of a document, as far as is known; `None` was never saved.
    pub fn saved(&self, doc: DocId) -> Option<&Content> {
        self.saved.get(&doc)?.as_ref()
    }

    /// A document is on disk now as `content`, at `path`.
    pub fn mark_saved(&mut self, doc: DocId, path: PathBuf, content: Content) {
        if let Some(document) = self.workspace.document(doc) {
            let mut document = (**document).clone();
            document.path = Some(path);
            self.workspace = self.workspace.with(document);
        }
        self.saved.insert(doc, Some(content));
        self.dirty.remove(&doc);
        self.compare();
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
        let Applied { workspace, label, selection, notes } = apply(&self.workspace, edit)?;
        let selection = match selection {
            Some(made) => self.selection.overlaid(&made).pruned(&workspace),
            None => self.selection.pruned(&workspace),
        };
        let selections = (&*self.selection, &selection);
        let step = self.history.record(&label, notes, &self.workspace, &workspace, selections);
        self.workspace = workspace;
        self.selection = Arc::new(selection);
        self.compare();
        Ok(step)
    }

    /// Begins a gesture; one under way is committed first.
    pub fn begin(&mut self) {
        self.commit();
        self.gesture = Some(Gesture {
            base: self.workspace.clone(),
            selection: self.selection.clone(),
            label: String::new(),
            notes: Vec::new(),
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
        gesture.notes = applied.notes;
        self.selection = Arc::new(match applied.selection {
            Some(made) => gesture.selection.overlaid(&made).pruned(&applied.workspace),
            None => gesture.selection.pruned(&applied.workspace),
        });
        self.workspace = applied.workspace;
        self.compare();
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
            self.selection = gesture.selection;
            self.compare();
            return None;
        }
        let selections = (&*gesture.selection, &*self.selection);
        self.history.record(
            &gesture.label,
            gesture.notes,
            &gesture.base,
            &self.workspace,
            selections,
        )
    }

    /// Ends the gesture as if it had never begun.
    pub fn cancel(&mut self) {
        if let Some(gesture) = self.gesture.take() {
            self.workspace = gesture.base;
            self.selection = gesture.selection;
            self.compare();
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
        self.selection = Arc::new(step.selection_before.pruned(&self.workspace));
        self.reopened();
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
        self.selection = Arc::new(step.selection_after.pruned(&self.workspace));
        self.reopened();
        Ok(step)
    }

    /// After undo, which opens documents again.
    fn reopened(&mut self) {
        if !self.closed.is_empty() {
            let workspace = &self.workspace;
            self.closed.retain(|_, document| workspace.document(document.id).is_none());
        }
        self.compare();
    }
}
