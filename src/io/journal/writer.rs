//! The thread that writes the journals of one running copy.

use super::log::{Encoder, Header, Record};
use super::patch::Patch;
use super::session::Session;
use super::{DocumentId, JournalError, NewText};
use crate::io::ContentHash;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Beyond this many bytes, and four times the text, a journal is written anew from its text.
const LONGEST_JOURNAL: u64 = 1 << 20;

/// What the thread is told.
pub(super) enum Message {
    Open { id: DocumentId, path: Option<PathBuf>, label: String, base: Arc<str> },
    Step(Vec<(DocumentId, NewText)>),
    Saved(DocumentId, Arc<str>),
    Closed(DocumentId),
    Flush(Sender<Result<(), JournalError>>),
    End,
}

/// Why the journal is behind, for the user; none while it is not.
pub(super) type Status = Arc<Mutex<Option<String>>>;

/// The journals of one copy.
pub(super) struct Writer {
    session: Session,
    documents: BTreeMap<DocumentId, Document>,
    /// The newest text of each document that changed since the last step on the disk. They are
    /// all written as one step, so that what is recovered is one moment of all documents.
    pending: BTreeMap<DocumentId, NewText>,
    /// Documents whose newest text could not be made.
    silent: BTreeSet<DocumentId>,
    /// The number of the last step that was tried.
    step: u64,
    status: Status,
}

struct Document {
    path: Option<PathBuf>,
    label: String,
    /// What its file holds.
    base: ContentHash,
    /// The text after the last step on the disk.
    text: Arc<str>,
    /// The journal; none while the text is the file's.
    journal: Option<OpenJournal>,
}

struct OpenJournal {
    file: File,
    /// The good bytes. What lies behind them is left from a write that failed.
    length: u64,
    encoder: Encoder,
}

impl Writer {
    pub fn new(session: Session, status: Status) -> Self {
        let (documents, pending, silent) = (BTreeMap::new(), BTreeMap::new(), BTreeSet::new());
        Self { session, documents, pending, silent, step: 0, status }
    }

    /// Works until it is told to end, or nobody is left to tell it.
    pub fn run(mut self, messages: &Receiver<Message>, interval: Duration) {
        // When what is pending has to be written.
        let mut due: Option<Instant> = None;
        loop {
            let message = match due {
                None => messages.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(due) => messages.recv_timeout(due.saturating_duration_since(Instant::now())),
            };
            match message {
                Ok(Message::Open { id, path, label, base }) => {
                    let hash = ContentHash::of(base.as_bytes());
                    let document = Document { path, label, base: hash, text: base, journal: None };
                    self.documents.insert(id, document);
                }
                Ok(Message::Step(changes)) => {
                    for (id, text) in changes {
                        if self.documents.contains_key(&id) {
                            self.pending.insert(id, text);
                        }
                    }
                }
                Ok(Message::Saved(id, text)) => self.settle(id, Some(text)),
                Ok(Message::Closed(id)) => self.settle(id, None),
                Ok(Message::Flush(done)) => {
                    // Nobody may wait for the answer any more.
                    let _ = done.send(self.write());
                }
                Err(RecvTimeoutError::Timeout) => {
                    // What went wrong stands in the status; the next round tries again.
                    let _ = self.write();
                    due = None;
                }
                Ok(Message::End) | Err(RecvTimeoutError::Disconnected) => break,
            }
            if self.pending.is_empty() {
                due = None;
            } else if due.is_none() {
                due = Some(Instant::now() + interval);
            }
        }
        let _ = self.write();
        if self.pending.is_empty() && !self.any_edited() {
            // What cannot be removed is found empty at the next start.
            let _ = self.session.remove();
        }
    }

    fn any_edited(&self) -> bool {
        self.documents.values().any(|document| document.journal.is_some())
    }

    /// Brings the disk up to the pending texts, as one step.
    fn write(&mut self) -> Result<(), JournalError> {
        let texts = self.render();
        let written = self.append(texts).and_then(|()| match self.silent.first() {
            Some(id) => {
                let document = self.documents.get(id);
                let label = document.map(|document| document.label.clone()).unwrap_or_default();
                Err(JournalError::Render { label })
            }
            None => Ok(()),
        });
        self.tell(written.as_ref().err());
        written
    }

    fn tell(&self, error: Option<&JournalError>) {
        let told = error.map(ToString::to_string);
        *self.status.lock().unwrap_or_else(PoisonError::into_inner) = told;
    }

    /// The texts of the pending documents, where they are new.
    fn render(&mut self) -> BTreeMap<DocumentId, Arc<str>> {
        let mut texts = BTreeMap::new();
        for (id, text) in std::mem::take(&mut self.pending) {
            // A panic while one document is written out must not end the journal of the others.
            match catch_unwind(AssertUnwindSafe(|| text.make())) {
                Ok(text) => {
                    self.silent.remove(&id);
                    texts.insert(id, text);
                }
                Err(_) => {
                    self.silent.insert(id);
                }
            }
        }
        texts.retain(|id, text| self.documents.get(id).is_some_and(|own| own.text != *text));
        texts
    }

    fn append(&mut self, texts: BTreeMap<DocumentId, Arc<str>>) -> Result<(), JournalError> {
        if texts.is_empty() {
            return Ok(());
        }
        // A number is never used twice: what a failed try left behind must not look complete.
        let before = self.step;
        self.step += 1;
        let keys: Vec<u128> = texts.keys().map(|id| id.0).collect();
        let appended = self.append_all(&texts, &keys, before);
        match appended {
            Ok(encoders) => {
                for (id, (added, encoder)) in encoders {
                    let document = self.documents.get_mut(&id);
                    let journal = document.and_then(|document| document.journal.as_mut());
                    if let Some(journal) = journal {
                        journal.length += added;
                        journal.encoder = encoder;
                    }
                }
                for (id, text) in texts {
                    if let Some(document) = self.documents.get_mut(&id) {
                        document.text = text;
                    }
                }
                self.shorten().map_err(JournalError::Write)
            }
            Err(error) => {
                for (id, text) in texts {
                    self.pending.entry(id).or_insert(NewText::Ready(text));
                }
                Err(JournalError::Write(error))
            }
        }
    }

    /// Writes one record in each journal and flushes them. Gives how long each is and how its
    /// next one is encoded; nothing counts as written before all of it is.
    fn append_all(
        &mut self,
        texts: &BTreeMap<DocumentId, Arc<str>>,
        keys: &[u128],
        before: u64,
    ) -> io::Result<BTreeMap<DocumentId, (u64, Encoder)>> {
        let mut encoders = BTreeMap::new();
        for (id, text) in texts {
            let Some(document) = self.documents.get_mut(id) else { continue };
            if document.journal.is_none() {
                document.journal = Some(document.begin(&self.session, *id, false, before)?);
            }
            let Some(journal) = &mut document.journal else { continue };
            let record = Record {
                step: self.step,
                documents: keys.to_vec(),
                patch: Patch::between(document.text.as_bytes(), text.as_bytes()),
            };
            let (bytes, encoder) = journal.encoder.record(&record);
            journal.file.set_len(journal.length)?;
            journal.file.seek(SeekFrom::Start(journal.length))?;
            journal.file.write_all(&bytes)?;
            encoders.insert(*id, (bytes.len() as u64, encoder));
        }
        for id in texts.keys() {
            if let Some(journal) = self.documents.get(id).and_then(|own| own.journal.as_ref()) {
                journal.file.sync_data()?;
            }
        }
        Ok(encoders)
    }

    /// Writes journals anew that have grown long. Their texts hold whole steps only.
    fn shorten(&mut self) -> io::Result<()> {
        for (id, document) in &mut self.documents {
            let longest = LONGEST_JOURNAL.max(4 * document.text.len() as u64);
            if document.journal.as_ref().is_some_and(|journal| journal.length > longest) {
                // On Windows a file that is open cannot be replaced.
                let Some(OpenJournal { file, length, encoder }) = document.journal.take() else {
                    continue;
                };
                drop(file);
                let begun = document.begin(&self.session, *id, true, self.step);
                let (journal, failed) = match begun {
                    Ok(journal) => (journal, None),
                    // The long one is whole, and goes on.
                    Err(error) => {
                        let file = File::options().write(true).open(self.session.journal(id.0))?;
                        (OpenJournal { file, length, encoder }, Some(error))
                    }
                };
                document.journal = Some(journal);
                if let Some(error) = failed {
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    /// The document's text is its file's (it was saved), or nobody wants what was unsaved (it was
    /// closed).
    fn settle(&mut self, id: DocumentId, saved: Option<Arc<str>>) {
        self.pending.remove(&id);
        self.silent.remove(&id);
        let Some(document) = self.documents.get_mut(&id) else { return };
        let had_journal = document.journal.take().is_some();
        let header = document.header(false, self.step);
        match saved {
            Some(text) => {
                document.base = ContentHash::of(text.as_bytes());
                document.text = text;
            }
            None => {
                self.documents.remove(&id);
            }
        }
        if !had_journal {
            return;
        }
        let done = if self.any_edited() {
            // Steps of other documents name this one: it has to say that they are no more its.
            let (bytes, _) = Encoder::begin(&header, b"");
            self.session.replace(id.0, &bytes).map(|_| ())
        } else {
            self.session.journals().and_then(|journals| {
                journals.iter().try_for_each(|(_, path)| std::fs::remove_file(path))
            })
        };
        if let Err(error) = done {
            self.tell(Some(&JournalError::Write(error)));
        }
    }
}

impl Document {
    fn header(&self, edited: bool, through: u64) -> Header {
        let (path, label) = (self.path.clone(), self.label.clone());
        Header { path, label, base: self.base, edited, through }
    }

    /// A new journal that starts from the text as it is.
    fn begin(
        &self,
        session: &Session,
        id: DocumentId,
        edited: bool,
        through: u64,
    ) -> io::Result<OpenJournal> {
        let (bytes, encoder) = Encoder::begin(&self.header(edited, through), self.text.as_bytes());
        let file = session.replace(id.0, &bytes)?;
        Ok(OpenJournal { file, length: bytes.len() as u64, encoder })
    }
}
