//! Opening, saving and closing documents.

pub mod asking;
pub mod carry;
pub mod closing;
pub mod dialogs;
pub mod guard;
pub mod panel;
pub mod samples;

use super::action::Tone;
use super::app::App;
use super::state::WorkspaceTab;
use crate::edit::{Content, DocId, Workspace, content_of};
use crate::format::FileKind;
use crate::io::save::{Base, SaveError, save};
use crate::io::{self, ContentHash};
use crate::model::{Clip, ClipForm, ClipKind, Rig, RigForm, Uids, binding_parts};
use crate::source::Source;
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
    /// The journal of unsaved work, and what earlier runs left in it.
    pub guard: guard::Guard,
    /// An edit of a rig that closed clips would feel, until it is answered.
    pub waiting: Option<carry::Waiting>,
}

/// What somebody else made of a file while there is unsaved work on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Conflict {
    /// It holds this now.
    Changed(Arc<str>),
    /// It is gone, or cannot be read.
    Gone,
}

/// The kind of a text, by its file's name and content.
fn kind_of(path: &Path, text: &str) -> FileKind {
    match Source::parse_yaml(text.to_owned()) {
        Ok(source) => FileKind::of(path, &source),
        Err(_) => FileKind::of_path(path),
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
    /// Opens files; a clip's rig with it. The last one becomes the current document. Says in a
    /// toast what could not be opened.
    pub(super) fn open_files(&mut self, paths: &[PathBuf]) {
        let mut opened = None;
        for path in paths {
            if path.is_dir() {
                self.open_folder(path);
                continue;
            }
            match self.open_file(path) {
                Ok(doc) => opened = Some(doc),
                Err(message) => self.toast(Tone::Error, &message),
            }
        }
        if let Some(doc) = opened {
            self.activate(doc);
            let rig = self.editor.workspace().rig(doc).is_some();
            self.state.workspace_tab = if rig { WorkspaceTab::Rig } else { WorkspaceTab::Animate };
            self.state.welcome = false;
        }
    }

    fn open_file(&mut self, path: &Path) -> Result<DocId, String> {
        let path = std::path::absolute(path).map_err(|e| format!("{}: {e}", path.display()))?;
        if let Some(doc) = self.editor.workspace().by_path(&path) {
            return Ok(doc);
        }
        self.sweep_for(&path);
        let text = io::read_text(&path).map_err(|error| error.to_string())?;
        let kind = kind_of(&path, &text);
        if matches!(kind, FileKind::Unknown) && !text.is_empty() {
            log::info!("{} is of no known kind", path.display());
        }
        let doc = self.open_text(&path, kind, text);
        self.state.settings.remember_recent(&path);
        self.open_rig_of(doc);
        Ok(doc)
    }

    /// Puts right what a killed save left beside a file, before it is read.
    fn sweep_for(&mut self, path: &Path) {
        // A folder that cannot be listed says so when the file is read.
        let Ok(swept) = io::save::sweep_for(path) else { return };
        for file in &swept.finished {
            let message = format!("{}: the save that was cut off is finished now", file.display());
            self.toast(Tone::Warning, &message);
        }
        for one in &swept.kept {
            let what = one.target.as_deref().unwrap_or(path).display();
            let after = one.after.display();
            let message = format!(
                "{what} was changed after a save that was cut off; that save is in {after}"
            );
            self.toast(Tone::Warning, &message);
        }
    }

    fn open_text(&mut self, path: &Path, kind: FileKind, text: String) -> DocId {
        let mut uids = Uids::default();
        let content = content_of(kind, &text, &mut uids);
        let binding = match &content {
            Content::Clip(clip) => clip.binding.clone(),
            _ => None,
        };
        let chosen = self.state.settings.roots.get(path).cloned();
        let project = self.state.project.as_deref();
        let root = chosen.or_else(|| root_of(path, binding.as_deref(), project));
        let doc = self.editor.open(Some(path.to_owned()), root, content, uids);
        let text: Arc<str> = text.into();
        self.files.on_disk.insert(doc, text.clone());
        let content = self.editor.workspace().content(doc).cloned();
        self.files.guard.opened(doc, Some(path), text, content);
        if !self.state.tabs.contains(&doc) {
            self.state.tabs.push(doc);
        }
        if let Some(view) = self.state.settings.view_of(path) {
            self.state.views.insert(doc, view);
        }
        doc
    }

    /// Opens the rig that a clip is bound to, behind it.
    pub(super) fn open_rig_of(&mut self, clip: DocId) {
        let Some(path) = self.editor.workspace().binding_path(clip) else { return };
        if self.editor.workspace().by_path(&path).is_some() {
            return;
        }
        let document = self.editor.workspace().document(clip);
        let root = document.and_then(|document| document.project_root.clone());
        let binding = self.editor.workspace().clip(clip).and_then(|clip| clip.binding.clone());
        let (Some(root), Some(binding)) = (root, binding) else { return };
        // A rig that is not there, or to which a link leads out of the project (M10), is a
        // problem of the clip, which its panel shows.
        if io::resolve_binding(&root.join("-"), &binding, Some(&root)).is_err() {
            return;
        }
        let Ok(text) = io::read_text(&path) else { return };
        let kind = match FileKind::of_path(&path) {
            FileKind::Rig => FileKind::Rig,
            _ => FileKind::Scene,
        };
        self.open_text(&path, kind, text);
    }

    pub(super) fn open_folder(&mut self, folder: &Path) {
        let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        self.state.settings.project = Some(folder.clone());
        self.state.project = Some(folder);
        self.state.welcome = false;
        self.project.refresh();
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
