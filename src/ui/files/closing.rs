//! Saving, reverting and closing.

use super::asking::Purpose;
use super::reloading::Why;
use crate::edit::DocId;
use crate::ui::action::Tone;
use crate::ui::app::App;
use eframe::egui::{Context, ViewportCommand};

/// Documents that are being closed; asked about while some have unsaved changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Closing {
    /// Which.
    pub docs: Vec<DocId>,
    /// The window closes after them.
    pub quit: bool,
    /// Whether the user has been told what is unsaved and said to go on without it.
    pub discard: bool,
}

impl App {
    /// Saves a document; asks where, if it has no file.
    pub(in crate::ui) fn save_document(&mut self, ctx: &Context, doc: DocId) -> bool {
        self.editor.commit();
        let path = self.editor.workspace().document(doc).and_then(|d| d.path.clone());
        let Some(path) = path else {
            self.ask(ctx, Purpose::SaveAs(doc));
            return false;
        };
        match self.save_to(doc, &path) {
            Ok(()) => {
                self.saved(doc);
                true
            }
            Err(message) => {
                self.toast(Tone::Error, &message);
                false
            }
        }
    }

    pub(in crate::ui) fn save_all(&mut self, ctx: &Context) {
        let dirty: Vec<DocId> = self.dirty();
        for doc in dirty {
            self.save_document(ctx, doc);
        }
    }

    fn dirty(&self) -> Vec<DocId> {
        let documents = self.editor.workspace().documents();
        documents.map(|d| d.id).filter(|doc| self.editor.is_dirty(*doc)).collect()
    }

    /// Back to what is on disk, as a step that undo takes back.
    pub(in crate::ui) fn revert(&mut self, doc: DocId) {
        self.read_anew(doc, Why::Revert, None);
    }

    pub(in crate::ui) fn quit(&mut self, ctx: &Context) {
        let all = self.state.tabs.clone();
        self.close(ctx, all, true);
    }

    /// Closes documents, and asks first where changes are unsaved.
    pub(in crate::ui) fn close(&mut self, ctx: &Context, docs: Vec<DocId>, quit: bool) {
        self.editor.commit();
        self.shell.closing = Some(Closing { docs, quit, discard: false });
        self.go_on_closing(ctx);
    }

    /// The documents that are asked about now.
    pub(in crate::ui) fn unsaved_of_closing(&self) -> Vec<DocId> {
        let Some(closing) = &self.shell.closing else { return Vec::new() };
        closing.docs.iter().copied().filter(|doc| self.editor.is_dirty(*doc)).collect()
    }

    /// Closes what can be closed; what has unsaved changes waits for an answer.
    pub(in crate::ui) fn go_on_closing(&mut self, ctx: &Context) {
        let Some(closing) = self.shell.closing.clone() else { return };
        if !closing.discard && !self.unsaved_of_closing().is_empty() {
            return;
        }
        self.shell.closing = None;
        for doc in closing.docs {
            self.close_now(doc);
        }
        if closing.quit {
            self.shell.may_quit = true;
            ctx.send_viewport_cmd(ViewportCommand::Close);
        }
    }

    /// Saves what is unsaved of what is being closed, then closes.
    pub(in crate::ui) fn save_and_close(&mut self, ctx: &Context) {
        for doc in self.unsaved_of_closing() {
            let has_file = self.editor.workspace().document(doc).is_some_and(|d| d.path.is_some());
            if !has_file {
                // Goes on when the dialog has answered.
                self.ask(ctx, Purpose::SaveAndClose(doc));
                return;
            }
            if !self.save_document(ctx, doc) {
                self.shell.closing = None;
                return;
            }
        }
        self.go_on_closing(ctx);
    }

    /// Closes a document, whatever is unsaved.
    pub(in crate::ui) fn close_now(&mut self, doc: DocId) {
        if let Some(document) = self.editor.workspace().document(doc)
            && let (Some(path), Some(view)) = (&document.path, self.state.views.get(&doc))
        {
            self.state.settings.remember_view(path, view);
        }
        let place = self.state.tabs.iter().position(|tab| *tab == doc);
        self.editor.close(doc);
        self.files.on_disk.remove(&doc);
        self.files.conflicts.remove(&doc);
        self.files.re_exported.remove(&doc);
        self.compare.closed(doc);
        self.files.guard.closed(doc);
        self.state.suggested_names.remove(&doc);
        self.state.tabs.retain(|tab| *tab != doc);
        if self.state.active == Some(doc) {
            self.state.active = None;
            self.state.playback.playing = None;
            let next = place.map_or(0, |at| at.min(self.state.tabs.len().saturating_sub(1)));
            if let Some(next) = self.state.tabs.get(next).copied() {
                self.activate(next);
            }
        }
    }
}
