//! Opening, saving and closing documents.

pub mod asking;
pub mod carry;
pub mod closing;
pub mod dialogs;
pub mod guard;
pub mod opening;
pub mod panel;
pub mod reexport;
pub mod reloading;
pub mod samples;

use super::app::App;
use super::state::{PanelId, WorkspaceTab};
use crate::edit::{Content, DocId, Workspace};
use crate::io::save::{Base, SaveError, save};
use crate::io::{self, ContentHash};
use crate::model::{Clip, ClipForm, ClipKind, Rig, RigForm, Uids, binding_parts};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What the window knows of the files of its documents.
#[derive(Default)]
pub struct Files {
    /// Each document's text as it is on disk.
    pub on_disk: BTreeMap<DocId, Arc<str>>,
    /// Documents with unsaved work whose file was changed by somebody else.
    pub conflicts: BTreeMap<DocId, Conflict>,
    /// Exports that were exported anew since somebody last said that it is known.
    pub re_exported: BTreeMap<DocId, reexport::ReExport>,
    /// The journal of unsaved work, and what earlier runs left in it.
    pub guard: guard::Guard,
    /// What is being opened.
    pub openings: opening::Openings,
    /// What is being read anew.
    pub reloads: reloading::Reloads,
    /// An edit of a rig that closed clips would feel, until it is answered.
    pub waiting: Option<carry::Waiting>,
}

/// What somebody else made of a file while there is unsaved work on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Conflict {
    /// It holds this now.
    Changed(Arc<str>),
    /// It holds this now, which does not load: somebody is still writing it, or it is broken. The
    /// document is what it was, be it saved or not.
    Broken {
        /// The text on disk.
        text: Arc<str>,
        /// The first thing that is wrong with it.
        why: String,
    },
    /// It is there and cannot be read, for this reason.
    Unreadable(String),
    /// It is gone.
    Gone,
}

impl Conflict {
    /// What the file holds now.
    pub fn text(&self) -> Option<&Arc<str>> {
        match self {
            Conflict::Changed(text) | Conflict::Broken { text, .. } => Some(text),
            Conflict::Unreadable(_) | Conflict::Gone => None,
        }
    }
}

impl Files {
    /// What has been read for so long that it shows.
    pub fn under_way(&self) -> Vec<opening::Shown> {
        let mut shown = self.openings.shown();
        shown.extend(self.reloads.shown());
        shown
    }
}

/// The folder that a clip's binding is relative to: the nearest above the clip under which the
/// binding exists (M10), otherwise the project's folder or the clip's own.
pub fn root_of(clip: &Path, binding: Option<&str>, project: Option<&Path>) -> Option<PathBuf> {
    let found = binding.and_then(|binding| {
        let rig = io::resolve_binding(clip, binding, None).ok()?;
        let depth = binding_parts(binding).ok()?.len();
        rig.ancestors().nth(depth).map(Path::to_owned)
    });
    let project = project.filter(|project| clip.starts_with(project)).map(Path::to_owned);
    found.or(project).or_else(|| clip.parent().map(Path::to_owned))
}

impl App {
    pub(super) fn open_folder(&mut self, folder: &Path, show: bool) {
        let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        self.state.settings.project = Some(folder.clone());
        self.state.project = Some(folder);
        self.state.welcome = false;
        self.project.refresh();
        // What is in it is what the user wants to see next.
        if show {
            self.state.settings.layouts.focus(self.state.workspace_tab, PanelId::Files);
        }
    }

    /// A new document that has no file yet.
    pub(super) fn open_new(
        &mut self,
        root: Option<PathBuf>,
        content: Content,
        uids: Uids,
    ) -> DocId {
        let doc = self.editor.open(None, root, content, uids);
        self.files.guard.opened(doc, None, "".into(), None);
        self.state.tabs.push(doc);
        self.activate(doc);
        self.state.welcome = false;
        doc
    }

    pub(super) fn new_model_clip(&mut self) {
        let clip = Clip {
            kind: ClipKind::Model,
            form: ClipForm::Format,
            binding: None,
            model: "model".to_owned(),
            duration_secs: 1.0,
            looping: true,
            tracks: Vec::new(),
            origin: None,
        };
        self.open_new(None, Content::Clip(Arc::new(clip)), Uids::default());
        self.state.workspace_tab = WorkspaceTab::Animate;
    }

    pub(super) fn new_rig(&mut self) {
        let rig =
            Rig { form: RigForm::Rig, name: "Rig".to_owned(), nodes: Vec::new(), origin: None };
        self.open_new(None, Content::Rig(Arc::new(rig)), Uids::default());
        self.state.workspace_tab = WorkspaceTab::Rig;
    }

    /// A new clip for a rig that is saved; its root is the folder that the rig's clips use, or
    /// the project's, or the rig's own.
    pub(super) fn new_rig_clip(&mut self, rig: DocId) -> Result<DocId, String> {
        let workspace = self.editor.workspace();
        let value = workspace.rig(rig).ok_or("this document is no rig")?;
        let path = workspace.document(rig).and_then(|d| d.path.clone());
        let path = path.ok_or("save the rig first: a clip names its file")?;
        let root = self.root_for_clips_of(rig, &path);
        let binding = relative(&path, &root).ok_or("the rig lies outside the project's folder")?;
        let clip = Clip {
            kind: ClipKind::Rig,
            form: ClipForm::Bare,
            binding: Some(binding),
            model: value.name.clone(),
            duration_secs: 1.0,
            looping: true,
            tracks: Vec::new(),
            origin: None,
        };
        let doc = self.open_new(Some(root), Content::Clip(Arc::new(clip)), Uids::default());
        self.state.workspace_tab = WorkspaceTab::Animate;
        Ok(doc)
    }

    fn root_for_clips_of(&self, rig: DocId, path: &Path) -> PathBuf {
        let workspace = self.editor.workspace();
        let of_clip = |doc: DocId| workspace.document(doc)?.project_root.clone();
        let clips = workspace.clips_of(rig).into_iter().find_map(of_clip);
        let project = self.state.project.clone().filter(|project| path.starts_with(project));
        clips.or(project).unwrap_or_else(|| path.parent().unwrap_or(Path::new("/")).to_owned())
    }

    /// Writes a document to a file.
    ///
    /// # Errors
    /// What to tell the user; the file is then as it was.
    pub(super) fn save_to(&mut self, doc: DocId, path: &Path) -> Result<(), String> {
        let workspace = self.editor.workspace();
        let document = workspace.document(doc).ok_or("this document is closed")?;
        let content = document.content.clone();
        let own = document.path.as_deref() == Some(path);
        let text: Arc<str> = content.text().into();
        let base = match self.files.on_disk.get(&doc) {
            // The dialog has asked whether another file may be written over.
            _ if !own => Base::Any,
            _ if self.files.conflicts.contains_key(&doc) => {
                return Err(self.conflict_message(doc));
            }
            Some(known) => Base::Content(ContentHash::of(known.as_bytes())),
            None => Base::Absent,
        };
        let held = self.files.guard.saving(path);
        let result = save(path, text.as_bytes(), base);
        match result {
            Ok(saved) => {
                if let Some(held) = held {
                    held.done(saved.hash);
                }
            }
            Err(SaveError::ChangedOnDisk { .. }) => {
                drop(held);
                self.look_at_disk(doc);
                return Err(self.conflict_message(doc));
            }
            Err(error) => return Err(error.to_string()),
        }
        self.editor.mark_saved(doc, path.to_owned(), content);
        self.files.on_disk.insert(doc, text.clone());
        self.files.conflicts.remove(&doc);
        self.files.guard.saved(doc, path, text);
        self.state.settings.remember_recent(path);
        Ok(())
    }

    fn conflict_message(&self, doc: DocId) -> String {
        let name = self.editor.workspace().document(doc).map(|d| d.name()).unwrap_or_default();
        format!("{name} has changed on disk and was not overwritten: answer the bar above first")
    }
}

/// A path below a folder, with `/` between its parts.
pub fn relative(path: &Path, folder: &Path) -> Option<String> {
    let inside = path.strip_prefix(folder).ok()?;
    let parts: Option<Vec<&str>> = inside.iter().map(|part| part.to_str()).collect();
    parts.map(|parts| parts.join("/"))
}

/// The name that a document has at first in the dialog that saves it.
pub fn suggested_name(workspace: &Workspace, doc: DocId) -> String {
    workspace.document(doc).map(|d| d.name()).unwrap_or_default()
}
