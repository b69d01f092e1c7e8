//! Files that are open, read anew off the UI thread: somebody else changed them, or the user wants
//! to go back to them. What takes long shows how far it is and can be cancelled. A file that does
//! not load, since its writer is not done, takes nothing away: the last good document stays.

use super::Conflict;
use super::opening::{PATIENCE, QUICK_BYTES, Shown};
use crate::edit::{Content, DocId, Document, Edit, ReadAnew};
use crate::io;
use crate::progress::Progress;
use crate::ui::action::Tone;
use crate::ui::app::App;
use crate::ui::text;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::{Duration, Instant};

/// Why a file is read anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Why {
    /// Somebody changed it: it is taken over where nothing is unsaved.
    Noticed,
    /// The user keeps the work here: what is on disk is only what a save is compared with.
    KeepMine,
    /// The user wants what is on disk, whatever it is.
    Asked,
    /// The user wants back to it.
    Revert,
}

/// What a thread found on disk.
enum Found {
    /// What is known already.
    Known,
    /// This.
    Text {
        text: Arc<str>,
        /// Not where nobody asked for it yet, because there is unsaved work.
        read: Option<Arc<ReadAnew>>,
        /// What is wrong, where it does not load.
        why_not: Option<String>,
    },
}

struct Reading {
    number: u64,
    doc: DocId,
    name: String,
    why: Why,
    started: Instant,
    progress: Progress,
    found: Receiver<Result<Found, String>>,
    ready: Option<Result<Found, String>>,
}

/// Everything that is being read anew.
#[derive(Default)]
pub struct Reloads {
    list: Vec<Reading>,
}

impl Reloads {
    /// Whether something is being read.
    pub fn is_busy(&self) -> bool {
        !self.list.is_empty()
    }

    /// What has been under way for so long that it shows.
    pub fn shown(&self) -> Vec<Shown> {
        let slow =
            self.list.iter().filter(|r| r.ready.is_none() && r.started.elapsed() >= PATIENCE);
        let shown = slow.map(|reading| Shown {
            number: reading.number,
            doing: "Reloading",
            name: reading.name.clone(),
            fraction: reading.progress.fraction(),
        });
        shown.collect()
    }
}

/// What a thread is given to read.
struct Job {
    document: Arc<Document>,
    path: PathBuf,
    /// What is on disk as far as is known.
    known: Option<Arc<str>>,
    /// What is on disk, where that was read before.
    text: Option<Arc<str>>,
    /// Whether what was read will be taken over.
    parse: bool,
    progress: Progress,
}

impl Job {
    fn run(&self) -> Result<Found, String> {
        let text: Arc<str> = match &self.text {
            Some(text) => text.clone(),
            None => {
                let text = io::read_text_with(&self.path, &self.progress.part(0.0, 0.3));
                text.map_err(|error| error.to_string())?.into()
            }
        };
        if self.known.as_ref().is_some_and(|known| **known == *text) {
            return Ok(Found::Known);
        }
        if !self.parse {
            return Ok(Found::Text { text, read: None, why_not: None });
        }
        let read = ReadAnew::new(&self.document, &text, &self.progress.part(0.3, 1.0));
        let was_text = matches!(self.document.content, Content::Text(_));
        let broken = matches!(read.content(), Content::Text(_)) && !was_text;
        let why_not = broken.then(|| why_not(&self.path, &text));
        Ok(Found::Text { text, read: Some(Arc::new(read)), why_not })
    }
}

/// The first thing that keeps a text from loading.
fn why_not(path: &Path, text: &str) -> String {
    let opened = io::open_text(path, text.to_owned());
    let error =
        opened.problems.into_iter().find(|p| p.severity == crate::diagnostic::Severity::Error);
    match error {
        Some(problem) => match problem.position {
            Some(at) => format!("line {}: {}", at.line, problem.message),
            None => problem.message,
        },
        None => "it is another kind of file".to_owned(),
    }
}

impl App {
    /// Compares a document with its file, and reloads it where nothing is unsaved.
    pub(in crate::ui) fn look_at_disk(&mut self, doc: DocId) {
        self.read_anew(doc, Why::Noticed, None);
    }

    /// Reads a document's file anew, or takes a text for what it holds.
    pub(in crate::ui) fn read_anew(&mut self, doc: DocId, why: Why, text: Option<Arc<str>>) {
        let Some(document) = self.editor.workspace().document(doc).cloned() else { return };
        let Some(path) = document.path.clone() else { return };
        let name = document.name();
        // What the user asked for is not forgotten because the file changes once more.
        let mut why = why;
        self.files.reloads.list.retain(|reading| {
            if reading.doc == doc {
                reading.progress.cancel();
                why = why.max(reading.why);
            }
            reading.doc != doc
        });
        let bytes = match &text {
            Some(text) => text.len() as u64,
            None => io::file_bytes(&path),
        };
        let known = self.files.on_disk.get(&doc).cloned().filter(|_| why == Why::Noticed);
        let parse = why != Why::Noticed || !self.editor.is_dirty(doc);
        let progress = Progress::default();
        let job = Job { document, path, known, text, parse, progress: progress.clone() };
        let (answer, found) = channel();
        let ctx = self.files.openings.ctx().clone();
        std::thread::spawn(move || {
            // Nobody listens any more where it was cancelled.
            let _ = answer.send(job.run());
            ctx.request_repaint();
        });
        // What is small is there before anybody could see that it is not.
        let wait = if bytes <= QUICK_BYTES { PATIENCE } else { Duration::ZERO };
        let ready = found.recv_timeout(wait).ok();
        let number = self.files.openings.number();
        let started = Instant::now();
        let reading = Reading { number, doc, name, why, started, progress, found, ready };
        self.files.reloads.list.push(reading);
        self.look_at_reloads();
    }

    /// Takes over what has been read since the last time.
    pub(in crate::ui) fn look_at_reloads(&mut self) {
        // In the middle of a drag it would pull the keys away.
        if self.editor.gesture().is_some() {
            return;
        }
        for mut reading in std::mem::take(&mut self.files.reloads.list) {
            if reading.ready.is_none() {
                reading.ready = match reading.found.try_recv() {
                    Ok(found) => Some(found),
                    Err(TryRecvError::Empty) => None,
                    Err(TryRecvError::Disconnected) => {
                        Some(Err(format!("{}: reading it failed", reading.name)))
                    }
                };
            }
            match reading.ready.take() {
                Some(found) => self.found_on_disk(reading.doc, reading.why, found),
                None => self.files.reloads.list.push(reading),
            }
        }
        let ctx = self.files.openings.ctx();
        for reading in &self.files.reloads.list {
            let left = PATIENCE.saturating_sub(reading.started.elapsed());
            ctx.request_repaint_after(left.max(Duration::from_millis(60)));
        }
    }

    fn found_on_disk(&mut self, doc: DocId, why: Why, found: Result<Found, String>) {
        let Some(document) = self.editor.workspace().document(doc).cloned() else { return };
        let (text, read, why_not) = match found {
            Ok(Found::Text { text, read, why_not }) => (text, read, why_not),
            Ok(Found::Known) => {
                self.files.conflicts.remove(&doc);
                return;
            }
            Err(message) if why == Why::Revert => return self.toast(Tone::Error, &message),
            Err(message) => {
                let is_there = document.path.as_ref().is_some_and(|path| path.exists());
                let conflict =
                    if is_there { Conflict::Unreadable(message) } else { Conflict::Gone };
                self.files.conflicts.insert(doc, conflict);
                return;
            }
        };
        if why == Why::Noticed && self.editor.is_dirty(doc) {
            self.files.conflicts.insert(doc, Conflict::Changed(text));
            return;
        }
        let Some(read) = read.filter(|read| why == Why::KeepMine || read.fits(&document.content))
        else {
            // It was edited, saved or undone meanwhile.
            return self.read_anew(doc, why, Some(text));
        };
        if why == Why::KeepMine {
            return self.is_on_disk(doc, text, read.content().clone());
        }
        if let (Why::Noticed, Some(why)) = (why, why_not) {
            self.files.conflicts.insert(doc, Conflict::Broken { text, why });
            return;
        }
        let content = read.content().clone();
        if !self.perform(&Edit::ReadAnew { doc, read }) {
            return;
        }
        self.is_on_disk(doc, text, content);
        if why != Why::Revert && !self.re_exported(doc, &document.content) && why == Why::Noticed {
            let words = format!("{} was changed on disk and is reloaded", document.name());
            self.toast(Tone::Info, &words);
        }
    }

    /// A document's file holds this now, which loads as `content`.
    fn is_on_disk(&mut self, doc: DocId, text: Arc<str>, content: Content) {
        let Some(document) = self.editor.workspace().document(doc) else { return };
        let Some(path) = document.path.clone() else { return };
        self.editor.mark_saved(doc, path.clone(), content);
        self.files.on_disk.insert(doc, text.clone());
        self.files.conflicts.remove(&doc);
        self.files.guard.saved(doc, &path, text);
    }

    /// Stops reading a file anew, or all of them. The document stays as it is, and a save will
    /// notice that the file is another one.
    pub(super) fn cancel_reload(&mut self, number: Option<u64>) {
        let mut stopped = Vec::new();
        self.files.reloads.list.retain(|reading| {
            let stop = number.is_none_or(|number| reading.number == number);
            if stop {
                reading.progress.cancel();
                stopped.push(text::name(&reading.name).into_owned());
            }
            !stop
        });
        for name in stopped {
            let words = format!("{name} is not reloaded: it differs from the file on disk");
            self.toast(Tone::Info, &words);
        }
    }
}
