//! Unsaved work that outlives a crash.
//!
//! A [`Journal`] is told of each step and writes, in a thread of its own, what a save would
//! change: at most two seconds behind, never into the user's files. [`recover`] finds at the next
//! start what copies of the program left behind that did not end in peace.

mod log;
mod patch;
mod recover;
mod session;
mod writer;

pub use recover::{Damaged, Recoverable, Recovered, recover};

use crate::io::save::survive_size_limit;
use etcetera::BaseStrategy;
use session::Session;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;
use twox_hash::XxHash3_128;
use writer::{Message, Status, Writer};

/// How long changes gather before they are written. With the writing itself the journal stays
/// within the two seconds that it may be behind.
const INTERVAL: Duration = Duration::from_secs(1);

/// Where the journals of this user's copies lie; none where the system names no home.
pub fn recovery_folder() -> Option<PathBuf> {
    let folders = etcetera::base_strategy::choose_native_strategy().ok()?;
    let folder = folders.state_dir().unwrap_or_else(|| folders.data_dir());
    Some(folder.join("posewright").join("recovery"))
}

/// A document of a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DocumentId(u128);

/// What a document is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DocumentName {
    /// By its file.
    File(PathBuf),
    /// It was never saved: by a number that no other document of this copy has, and a word for
    /// people, such as "untitled 2".
    Untitled(u64, String),
}

impl DocumentName {
    /// The same for each name of a file, and different for equal names in different folders.
    fn id(&self) -> DocumentId {
        let mut bytes;
        match self {
            Self::File(path) => {
                bytes = b"file ".to_vec();
                bytes.extend(canonical(path).as_os_str().as_encoded_bytes());
            }
            Self::Untitled(number, _) => {
                bytes = b"untitled ".to_vec();
                bytes.extend(number.to_le_bytes());
            }
        }
        DocumentId(XxHash3_128::oneshot(&bytes))
    }
}

/// The one path of a file, also of one that does not exist yet.
fn canonical(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| {
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        match (absolute.parent().map(fs::canonicalize), absolute.file_name()) {
            (Some(Ok(folder)), Some(name)) => folder.join(name),
            _ => absolute,
        }
    })
}

/// The text of a document after a step: there already, or made in the journal's thread.
pub enum NewText {
    /// The whole text.
    Ready(Arc<str>),
    /// What makes the whole text. It runs only if no newer text replaces it first.
    Lazy(Box<dyn FnOnce() -> Arc<str> + Send>),
}

impl NewText {
    /// A text that is made when the journal needs it.
    pub fn lazy(make: impl FnOnce() -> Arc<str> + Send + 'static) -> Self {
        Self::Lazy(Box::new(make))
    }

    fn make(self) -> Arc<str> {
        match self {
            Self::Ready(text) => text,
            Self::Lazy(make) => make(),
        }
    }
}

/// Why unsaved work is not in the journal.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The system refused to write it.
    #[error(
        "unsaved work is not protected against a crash: the journal cannot be written ({0}). Save your work."
    )]
    Write(io::Error),
    /// A document could not be written out.
    #[error(
        "unsaved work is not protected against a crash: {label} cannot be written out. Save your work under another name."
    )]
    Render {
        /// Which one.
        label: String,
    },
    /// The thread that writes is gone.
    #[error(
        "unsaved work is not protected against a crash: the journal has ended. Save your work and start again."
    )]
    Ended,
}

/// The journal of this running copy. Dropping it writes what is pending; if every document is
/// saved or closed by then, nothing of it stays on the disk.
pub struct Journal {
    messages: Sender<Message>,
    thread: Option<JoinHandle<()>>,
    status: Status,
}

impl Journal {
    /// Starts a journal in `recovery` (see [`recovery_folder`]), which is made if it is missing.
    ///
    /// # Errors
    /// When the folder cannot be made or written into.
    pub fn start(recovery: &Path) -> io::Result<Self> {
        Self::start_with(recovery, INTERVAL)
    }

    /// [`Journal::start`] with another time for changes to gather.
    ///
    /// # Errors
    /// As [`Journal::start`].
    pub fn start_with(recovery: &Path, interval: Duration) -> io::Result<Self> {
        survive_size_limit();
        let session = Session::create(recovery)?;
        let status = Arc::new(Mutex::new(None));
        let writer = Writer::new(session, status.clone());
        let (messages, receiver) = channel();
        let thread = std::thread::Builder::new()
            .name("journal".to_owned())
            .spawn(move || writer.run(&receiver, interval))?;
        Ok(Self { messages, thread: Some(thread), status })
    }

    /// A document was opened or made; `base` is the text of its file, empty for a new one.
    /// Nothing is written before its first step. A document opened again begins anew.
    pub fn open(&self, name: &DocumentName, base: Arc<str>) -> DocumentId {
        let id = name.id();
        let (path, label) = match name {
            DocumentName::File(path) => {
                let label = path.file_name().unwrap_or(path.as_os_str());
                (Some(canonical(path)), label.to_string_lossy().into_owned())
            }
            DocumentName::Untitled(_, label) => (None, label.clone()),
        };
        self.send(Message::Open { id, path, label, base });
        id
    }

    /// One step changed these documents. It is recovered in all of them or in none. Returns at
    /// once.
    pub fn step(&self, changes: Vec<(DocumentId, NewText)>) {
        self.send(Message::Step(changes));
    }

    /// The document's file holds `text` now: nothing of it is unsaved.
    pub fn saved(&self, document: DocumentId, text: Arc<str>) {
        self.send(Message::Saved(document, text));
    }

    /// The document was closed, and what was unsaved is not wanted.
    pub fn closed(&self, document: DocumentId) {
        self.send(Message::Closed(document));
    }

    /// Writes what is pending and waits until it is on the disk.
    ///
    /// # Errors
    /// See [`JournalError`]. What could not be written stays pending.
    pub fn flush(&self) -> Result<(), JournalError> {
        let (done, answer) = channel();
        self.send(Message::Flush(done));
        answer.recv().unwrap_or(Err(JournalError::Ended))
    }

    /// Why the journal is behind, in a sentence for the user; none while it is not.
    pub fn problem(&self) -> Option<String> {
        if self.thread.as_ref().is_none_or(JoinHandle::is_finished) {
            return Some(JournalError::Ended.to_string());
        }
        self.status.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn send(&self, message: Message) {
        // Without its thread the journal says so by `problem`.
        let _ = self.messages.send(message);
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        self.send(Message::End);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
