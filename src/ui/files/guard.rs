//! What guards unsaved work: the journal that outlives a crash, and the watch over files that
//! somebody else changes.

use super::Conflict;
use super::reloading::Why;
use crate::edit::{Content, DocId, Edit, Workspace, content_of};
use crate::format::FileKind;
use crate::io::ContentHash;
use crate::io::journal::{
    DocumentId, DocumentName, Journal, NewText, Recoverable, Recovered, recover,
};
use crate::io::watch::{Change, Saving, Watcher};
use crate::model::Uids;
use crate::ui::action::{Action, OnDisk, Tone};
use crate::ui::app::App;
use eframe::egui::Context;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The journal and the watch.
#[derive(Default)]
pub struct Guard {
    journal: Option<Journal>,
    watcher: Option<Watcher>,
    /// What earlier runs left behind.
    recovered: Option<Recovered>,
    known: BTreeMap<DocId, Known>,
    told: Option<String>,
}

struct Known {
    id: Option<DocumentId>,
    path: Option<PathBuf>,
    /// What the journal was last told.
    content: Option<Content>,
}

/// Unsaved work of an earlier run, as the window offers it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// Its number.
    pub index: usize,
    /// What it is called.
    pub label: String,
    /// Its file.
    pub path: Option<PathBuf>,
    /// Whether the file still is what the work grew from.
    pub base_matches: bool,
    /// Whether its last steps are lost.
    pub incomplete: bool,
}

impl Guard {
    /// Starts the journal in a folder, and the watch.
    pub fn start(recovery: Option<&Path>, watch: bool, ctx: &Context) -> Guard {
        let mut guard = Guard::default();
        if let Some(folder) = recovery {
            match recover(folder) {
                Ok(recovered) => guard.recovered = Some(recovered),
                Err(error) => log::warn!("{}: {error}", folder.display()),
            }
            match Journal::start(folder) {
                Ok(journal) => guard.journal = Some(journal),
                Err(error) => {
                    guard.told = Some(format!(
                        "Unsaved work is not protected against a crash: {}: {error}",
                        folder.display()
                    ));
                }
            }
        }
        if watch {
            let ctx = ctx.clone();
            match Watcher::start(move || ctx.request_repaint()) {
                Ok(watcher) => guard.watcher = Some(watcher),
                Err(error) => log::warn!("files are not watched: {error}"),
            }
        }
        guard
    }

    /// A document was opened; `text` is what is on disk, `content` what that is. A new document has
    /// neither.
    pub fn opened(
        &mut self,
        doc: DocId,
        path: Option<&Path>,
        text: Arc<str>,
        content: Option<Content>,
    ) {
        if let (Some(watcher), Some(path)) = (&self.watcher, path) {
            watcher.watch(path, Some(ContentHash::of(text.as_bytes())));
        }
        let id = self.journal.as_ref().map(|journal| journal.open(&name(doc, path), text));
        let path = path.map(Path::to_owned);
        self.known.insert(doc, Known { id, path, content });
    }

    /// A save to a file is under way.
    pub fn saving(&self, path: &Path) -> Option<Saving> {
        self.watcher.as_ref().map(|watcher| watcher.saving(path))
    }

    /// A document's file holds this now; it may be another file than before.
    pub fn saved(&mut self, doc: DocId, path: &Path, text: Arc<str>) {
        let Some(known) = self.known.get_mut(&doc) else { return };
        if known.path.as_deref() == Some(path) {
            if let (Some(journal), Some(id)) = (&self.journal, known.id) {
                journal.saved(id, text);
            }
            return;
        }
        let content = known.content.clone();
        self.closed(doc);
        self.opened(doc, Some(path), text, content);
    }

    /// A document was closed.
    pub fn closed(&mut self, doc: DocId) {
        let Some(known) = self.known.remove(&doc) else { return };
        if let (Some(journal), Some(id)) = (&self.journal, known.id) {
            journal.closed(id);
        }
        if let (Some(watcher), Some(path)) = (&self.watcher, &known.path) {
            watcher.unwatch(path);
        }
    }

    /// Tells the journal what has changed since the last time, as one step.
    pub fn step(&mut self, workspace: &Workspace) {
        let Some(journal) = &self.journal else { return };
        let mut changes = Vec::new();
        for document in workspace.documents() {
            let Some(known) = self.known.get_mut(&document.id) else { continue };
            let before = known.content.replace(document.content.clone());
            let Some(id) = known.id else { continue };
            if before.is_none_or(|before| !before.ptr_eq(&document.content)) {
                let content = document.content.clone();
                changes.push((id, NewText::lazy(move || content.text().into())));
            }
        }
        if !changes.is_empty() {
            journal.step(changes);
        }
    }

    /// Whether a document is guarded.
    pub fn knows(&self, doc: DocId) -> bool {
        self.known.contains_key(&doc)
    }

    /// Puts everything that is unsaved into the journal and waits until it is on the disk. What
    /// stands in the way is said by [`App::guard`].
    pub fn flush(&mut self, workspace: &Workspace) {
        self.step(workspace);
        if let Some(journal) = &self.journal
            && let Err(error) = journal.flush()
        {
            log::error!("{error}");
        }
    }

    /// Unsaved work of earlier runs.
    pub fn offers(&self) -> Vec<Offer> {
        let offers = self.recovered.iter().flat_map(Recovered::offers);
        offers
            .map(|(index, found)| Offer {
                index,
                label: found.label.clone(),
                path: found.path.clone(),
                base_matches: found.base_matches,
                incomplete: found.incomplete,
            })
            .collect()
    }
}

fn name(doc: DocId, path: Option<&Path>) -> DocumentName {
    match path {
        Some(path) => DocumentName::File(path.to_owned()),
        None => DocumentName::Untitled(u64::from(doc.0), format!("untitled {}", doc.0)),
    }
}

impl App {
    /// Keeps the journal up with the documents, and takes note of files that somebody changed.
    pub(in crate::ui) fn guard(&mut self) {
        // A gesture is one step, written when it ends.
        if self.editor.gesture().is_none() {
            self.files.guard.step(self.editor.workspace());
        }
        let problem = self.files.guard.journal.as_ref().and_then(Journal::problem);
        if let Some(problem) = problem
            && self.files.guard.told.as_ref() != Some(&problem)
        {
            self.toast(Tone::Error, &problem);
            self.files.guard.told = Some(problem);
        }
        // A reload in the middle of a drag would pull the keys away.
        if self.editor.gesture().is_some() {
            return;
        }
        let events = self.files.guard.watcher.as_ref().map(Watcher::events).unwrap_or_default();
        for event in events {
            self.project.refresh();
            let Some(doc) = self.editor.workspace().by_path(&event.path) else { continue };
            if event.change == Change::Removed {
                self.files.conflicts.insert(doc, Conflict::Gone);
            } else {
                self.look_at_disk(doc);
            }
        }
    }

    /// What the user says about a file that somebody else changed.
    pub(in crate::ui) fn answer_conflict(&mut self, doc: DocId, answer: OnDisk) {
        let Some(conflict) = self.files.conflicts.get(&doc).cloned() else { return };
        match (answer, conflict.text().cloned()) {
            (OnDisk::Reload, Some(text)) => self.read_anew(doc, Why::Asked, Some(text)),
            (OnDisk::Reload, None) => self.look_at_disk(doc),
            (OnDisk::KeepMine, Some(text)) => self.read_anew(doc, Why::KeepMine, Some(text)),
            (OnDisk::KeepMine, None) if conflict == Conflict::Gone => {
                // The next save makes the file anew.
                self.files.conflicts.remove(&doc);
                self.files.on_disk.remove(&doc);
                if let Some(path) =
                    self.editor.workspace().document(doc).and_then(|d| d.path.clone())
                {
                    let empty = content_of(FileKind::Unknown, "", &mut Uids::default());
                    self.editor.mark_saved(doc, path, empty);
                }
            }
            (OnDisk::ShowDifference, Some(_)) => self.shell.difference = Some(doc),
            (OnDisk::ShowDifference | OnDisk::KeepMine, None) => {}
        }
    }

    /// Takes unsaved work of an earlier run back, as a step on what is on disk.
    pub(in crate::ui) fn recover(&mut self, index: usize) {
        let offers = self.files.guard.recovered.iter().flat_map(Recovered::offers);
        let Some(found) = offers.into_iter().find(|o| o.0 == index).map(|o| o.1.clone()) else {
            return;
        };
        match found.path.clone().filter(|path| path.is_file()) {
            Some(path) => {
                let first = [path.clone()];
                let then = move |app: &mut App| {
                    let doc = app.editor.workspace().by_path(&path);
                    app.take_recovered(index, &found, doc);
                };
                self.open_and_then(&first, true, Some(Box::new(then)));
            }
            None => self.take_recovered(index, &found, None),
        }
    }

    /// Takes recovered work over: into its file's document, or into a new one.
    fn take_recovered(&mut self, index: usize, found: &Recoverable, doc: Option<DocId>) {
        let label = super::super::text::name(&found.label).into_owned();
        match doc {
            Some(doc) => {
                let text: Arc<str> = found.text.as_str().into();
                if !self.perform(&Edit::ReloadText { doc, text }) {
                    return;
                }
            }
            None => {
                let kind = found.path.as_deref().map(FileKind::of_path);
                let kind = kind.unwrap_or_else(|| kind_of_text(&found.text));
                let mut uids = Uids::default();
                let content = content_of(kind, &found.text, &mut uids);
                let root = found.path.as_deref().and_then(Path::parent).map(Path::to_owned);
                self.open_new(root, content, uids);
            }
        }
        let mut notes = String::new();
        if !found.base_matches {
            notes.push_str(". The file has been changed since: compare before saving");
        }
        if found.incomplete {
            notes.push_str(". Its last steps are lost");
        }
        let tone = if notes.is_empty() { Tone::Good } else { Tone::Warning };
        self.toast(tone, &format!("Recovered {label}{notes}"));
        // Only when the work is in this run's journal may the old one go.
        self.files.guard.step(self.editor.workspace());
        let safe = self.files.guard.journal.as_ref().map(|journal| journal.flush().is_ok());
        if safe != Some(false) {
            self.discard_recovered(index);
        }
    }

    /// Unsaved work of an earlier run is not wanted.
    pub(in crate::ui) fn discard_recovered(&mut self, index: usize) {
        let discarded = self.files.guard.recovered.as_mut().map(|r| r.discard(index));
        if let Some(Err(error)) = discarded {
            self.toast(Tone::Error, &error.to_string());
        }
    }

    pub(in crate::ui) fn answer_guard(&mut self, action: Action) {
        match action {
            Action::OnDisk(doc, answer) => self.answer_conflict(doc, answer),
            Action::Recover(index) => self.recover(index),
            Action::KeepQuiet(doc) => {
                self.files.re_exported.remove(&doc);
                self.compare.looked_at(doc);
            }
            Action::DiscardRecovered(index) => self.discard_recovered(index),
            _ => {}
        }
    }
}

/// What a text without a file is, by what stands in it.
fn kind_of_text(text: &str) -> FileKind {
    match crate::source::Source::parse_yaml(text.to_owned()) {
        Ok(source) => match FileKind::of(Path::new(""), &source) {
            FileKind::Unknown => {
                let has = |name| source.get(source.root(), name).is_some();
                if has("duration") { FileKind::Motion } else { FileKind::Rig }
            }
            kind => kind,
        },
        Err(_) => FileKind::Motion,
    }
}
