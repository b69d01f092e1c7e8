//! Panics: a mistake in a frame must never cost work.
//!
//! Each part of a frame runs under `caught`. Where it panics, the editor goes back to the last
//! state that was drawn whole, the journal is flushed, and the window says what happened. A panel
//! that panics twice in a row is closed; where it is no panel, the window becomes the plain one
//! of `plain.rs`, which only saves.

use super::action::Tone;
use super::app::App;
use super::state::PanelId;
use crate::edit::{DocId, Editor};
use eframe::egui::Context;
use std::backtrace::Backtrace;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, Once, PoisonError};

/// A panic, as it is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What it said.
    pub message: String,
    /// The file, line and column of the program where it happened.
    pub place: String,
}

/// Panics in a row.
const PATIENCE: u32 = 2;

/// What has gone wrong in the window.
#[derive(Default)]
pub struct Trouble {
    /// The editor as it was last drawn whole.
    good: Editor,
    /// Frames in a row in which something beside the panels panicked.
    in_row: u32,
    /// Whether this frame did.
    now: bool,
    /// What made the window a plain one.
    pub plain: Option<Fault>,
}

/// What has gone wrong in a panel.
#[derive(Clone, Debug)]
pub struct PanelFault {
    /// The last panic.
    pub fault: Fault,
    in_row: u32,
}

impl PanelFault {
    /// Whether the panel is no longer shown.
    pub fn is_closed(&self) -> bool {
        self.in_row >= PATIENCE
    }
}

thread_local! {
    static CATCHING: Cell<bool> = const { Cell::new(false) };
    static LAST: RefCell<Option<Fault>> = const { RefCell::new(None) };
    static INJECTED: RefCell<Injected> = RefCell::new(Injected::default());
}

/// Parts that shall panic, and how often; a thread shares them with those that it starts.
pub(super) type Injected = Arc<Mutex<BTreeMap<&'static str, u32>>>;

/// What was injected into this thread, for one that works for it.
pub(super) fn injected() -> Injected {
    INJECTED.with_borrow(Injected::clone)
}

/// Takes over what was injected into the thread that this one works for.
pub(super) fn adopt(from: Injected) {
    INJECTED.set(from);
}

/// Lets a part of this thread's frames, or of what works for them, panic so many times. For tests of what happens then; no
/// action leads here.
#[doc(hidden)]
pub fn inject(part: &'static str, times: u32) {
    injected().lock().unwrap_or_else(PoisonError::into_inner).insert(part, times);
}

/// Panics where a test asks for it.
pub(super) fn part(name: &str) {
    let fails = {
        let injected = injected();
        let mut injected = injected.lock().unwrap_or_else(PoisonError::into_inner);
        injected.get_mut(name).is_some_and(|times| {
            let fails = *times > 0;
            *times = times.saturating_sub(1);
            fails
        })
    };
    if fails {
        std::panic::panic_any(format!("a panic for a test in {name}"));
    }
}

/// Runs a part of a frame.
///
/// # Errors
/// It panicked. What it was changing may be half done.
pub(super) fn caught<T>(part: impl FnOnce() -> T) -> Result<T, Fault> {
    listen();
    let outer = CATCHING.replace(true);
    let result = catch_unwind(AssertUnwindSafe(part));
    CATCHING.set(outer);
    result.map_err(|_| {
        let unknown = || Fault { message: "no words".to_owned(), place: "no place".to_owned() };
        LAST.take().unwrap_or_else(unknown)
    })
}

/// Writes every panic to the log, with its place, and keeps what [`caught`] tells.
pub(super) fn listen() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let message = info.payload_as_str().unwrap_or("no words").to_owned();
            let place = info.location().map(ToString::to_string).unwrap_or_default();
            log::error!("panic at {place}: {message}\n{}", Backtrace::capture());
            if CATCHING.get() {
                LAST.set(Some(Fault { message, place }));
            } else {
                before(info);
            }
        }));
    });
}

impl App {
    /// Runs a part of a frame; where it panics, the last good documents come back.
    pub(super) fn guarded<T>(
        &mut self,
        ctx: &Context,
        part: impl FnOnce(&mut App) -> T,
    ) -> Option<T> {
        match caught(|| part(self)) {
            Ok(value) => Some(value),
            Err(fault) => {
                self.trouble.now = true;
                self.go_back(ctx, "A part of the window", &fault);
                None
            }
        }
    }

    /// All of the documents was drawn: they can be gone back to.
    pub(super) fn drawn_whole(&mut self) {
        self.trouble.good = self.editor.clone();
    }

    /// The frame is over: a second one in a row that failed makes the window plain.
    pub(super) fn end_frame(&mut self, ctx: &Context) {
        self.trouble.in_row = if self.trouble.now { self.trouble.in_row + 1 } else { 0 };
        if std::mem::take(&mut self.trouble.now) {
            ctx.request_repaint();
        }
    }

    /// Tries the whole window again.
    pub(super) fn try_again(&mut self) {
        self.trouble.plain = None;
        self.trouble.in_row = 0;
        self.trouble.now = false;
        self.state.panel_faults.clear();
    }

    /// A panel panicked while it was shown.
    pub(super) fn panel_failed(&mut self, ctx: &Context, panel: PanelId, fault: Fault) {
        let many = self.state.panel_faults.get(&panel).map_or(0, |old| old.in_row);
        self.go_back(ctx, panel.name(), &fault);
        self.state.panel_faults.insert(panel, PanelFault { fault, in_row: many + 1 });
    }

    /// A panel was shown that had panicked the time before, or shall be tried again.
    pub(super) fn panel_works(&mut self, panel: PanelId) {
        self.state.panel_faults.remove(&panel);
    }

    /// Goes back to what was last drawn whole, and says so.
    fn go_back(&mut self, ctx: &Context, what: &str, fault: &Fault) {
        if self.trouble.in_row + 1 >= PATIENCE && self.trouble.now {
            self.trouble.plain = Some(fault.clone());
        }
        if let Err(worse) = caught(|| self.restore(what, fault)) {
            // Not even that: the documents are those that were last drawn, and can be saved.
            self.editor = self.trouble.good.clone();
            self.trouble.plain = Some(worse);
        }
        ctx.request_repaint();
    }

    fn restore(&mut self, what: &str, fault: &Fault) {
        self.state.playback.playing = None;
        self.state.invoked = None;
        let good = &self.trouble.good;
        let newest = good.history().newest();
        let label = newest_step(&self.editor, newest).map(|(_, label)| label);
        let back = stepped_back(&self.editor, good).unwrap_or_else(|| {
            let mut good = good.clone();
            // A drag ends where it was last shown, as a step: that is work too.
            good.commit();
            good
        });
        let failed = std::mem::replace(&mut self.editor, back);
        self.reconcile(&failed);
        self.files.guard.flush(self.editor.workspace());
        let taken_back = match label {
            Some(label) => format!("\u{201c}{label}\u{201d} was taken back, the rest is as it was"),
            None => "Your documents are as they were".to_owned(),
        };
        let text = format!(
            "{what} failed: {} ({}). Nothing is lost: {taken_back}",
            fault.message, fault.place
        );
        self.toast(Tone::Error, &text);
    }

    /// Brings what the window knows of its documents' files into line with an editor that was
    /// gone back to.
    fn reconcile(&mut self, failed: &Editor) {
        let is_open = |doc: DocId| self.editor.workspace().document(doc).is_some();
        let ids = |editor: &Editor| -> Vec<DocId> {
            editor.workspace().documents().map(|document| document.id).collect()
        };
        let (gone, open) = (ids(failed), ids(&self.editor));
        let gone: Vec<DocId> = gone.into_iter().filter(|doc| !is_open(*doc)).collect();
        for doc in gone {
            self.state.views.remove(&doc);
            self.files.on_disk.remove(&doc);
            self.files.conflicts.remove(&doc);
            self.files.guard.closed(doc);
        }
        self.state.tabs.retain(|doc| self.editor.workspace().document(*doc).is_some());
        for doc in open {
            if !self.state.tabs.contains(&doc) {
                self.state.tabs.push(doc);
            }
            let saved = self.editor.saved(doc).cloned();
            let path = self.editor.workspace().document(doc).and_then(|d| d.path.clone());
            if !self.files.guard.knows(doc) {
                let text = saved.as_ref().map(|content| content.text()).unwrap_or_default();
                self.files.guard.opened(doc, path.as_deref(), text.into(), saved.clone());
            }
            // What a save is compared with is what these documents grew from.
            if let Some(saved) = saved
                && failed.saved(doc).is_none_or(|other| !other.ptr_eq(&saved))
            {
                self.files.on_disk.insert(doc, saved.text().into());
            }
        }
        let active = self.state.active.filter(|doc| self.state.tabs.contains(doc));
        self.state.active = active.or_else(|| self.state.tabs.last().copied());
    }
}

/// The document and the label of the newest step, if it came after the step of that number.
fn newest_step(editor: &Editor, number: u64) -> Option<(DocId, String)> {
    let ids = editor.workspace().documents().map(|document| document.id);
    let newest = ids.filter_map(|doc| Some((doc, editor.history().steps(doc).next_back()?)));
    let (doc, step) = newest.max_by_key(|(_, step)| step.number)?;
    (step.number > number).then(|| (doc, step.label.clone()))
}

/// An editor that failed, with all steps undone that came after the good one, so that they can be
/// done again. `None` where that does not lead to what was good.
fn stepped_back(failed: &Editor, good: &Editor) -> Option<Editor> {
    if good.gesture().is_some() {
        return None;
    }
    let mut editor = failed.clone();
    editor.cancel();
    while let Some((doc, _)) = newest_step(&editor, good.history().newest()) {
        editor.undo(doc).ok()?;
    }
    let same = editor.workspace().documents().all(|now| {
        good.workspace().content(now.id).is_some_and(|before| before.ptr_eq(&now.content))
    });
    let many = |editor: &Editor| editor.workspace().documents().count();
    (same && many(&editor) == many(good)).then_some(editor)
}
