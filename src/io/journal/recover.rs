//! What copies of the program that are gone left unsaved.

use super::log::{Encoder, Header, Log, read};
use super::session::Session;
use crate::io::ContentHash;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A document with unsaved work that a copy left behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recoverable {
    /// Its file; none if it was never saved.
    pub path: Option<PathBuf>,
    /// What people called it.
    pub label: String,
    /// Whether the file still is what the unsaved work grew from. If not, taking `text` loses
    /// what somebody else did since: show the difference.
    pub base_matches: bool,
    /// The whole text with the unsaved work.
    pub text: String,
    /// Whether the last steps were lost: torn off, or part of a step that is not whole.
    pub incomplete: bool,
    /// When the journal was last written.
    pub written: Option<std::time::SystemTime>,
}

/// A journal that was damaged before its first step, so that nothing of it comes back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damaged {
    /// The journal itself, which is kept.
    pub journal: PathBuf,
    /// The document's file, if that could be read.
    pub path: Option<PathBuf>,
}

/// Everything that [`recover`] found. While this is held, no other copy is offered the same;
/// what is not discarded is offered again at the next start.
#[derive(Debug, Default)]
pub struct Recovered {
    offers: Vec<Offer>,
    damaged: Vec<(Damaged, usize)>,
    sessions: Vec<Option<Session>>,
}

#[derive(Debug)]
struct Offer {
    found: Recoverable,
    key: u128,
    session: usize,
    wanted: bool,
}

/// Looks through `recovery` for the work of copies that are gone. Those that still run are left
/// alone. Journals that hold nothing unsaved are removed.
///
/// # Errors
/// When the folder is there and cannot be listed.
pub fn recover(recovery: &Path) -> io::Result<Recovered> {
    let mut recovered = Recovered::default();
    for session in Session::abandoned(recovery)? {
        let index = recovered.sessions.len();
        // A session that cannot be looked into is left for another time.
        let Ok(journals) = session.journals() else { continue };
        for (key, offer) in sift(journals, &mut recovered.damaged, index) {
            recovered.offers.push(Offer { found: offer, key, session: index, wanted: true });
        }
        recovered.sessions.push(Some(session));
        recovered.remove_if_done(index);
    }
    Ok(recovered)
}

impl Recovered {
    /// What is still offered, with the number that [`Recovered::discard`] takes.
    pub fn offers(&self) -> impl Iterator<Item = (usize, &Recoverable)> {
        let offers = self.offers.iter().enumerate();
        offers.filter(|(_, offer)| offer.wanted).map(|(index, offer)| (index, &offer.found))
    }

    /// Journals that cannot be read, to be told of.
    pub fn damaged(&self) -> impl Iterator<Item = &Damaged> {
        self.damaged.iter().map(|(damaged, _)| damaged)
    }

    /// Removes an offer from the disk: the user does not want it, or it is in a document again
    /// that the journal of this copy has (after [`Journal::flush`](super::Journal::flush)).
    /// An unknown number is nothing to remove.
    ///
    /// # Errors
    /// When it cannot be removed; it is then offered again at the next start.
    pub fn discard(&mut self, index: usize) -> io::Result<()> {
        let Some(offer) = self.offers.get_mut(index).filter(|offer| offer.wanted) else {
            return Ok(());
        };
        offer.wanted = false;
        let (session, key) = (offer.session, offer.key);
        if let Some(Some(session)) = self.sessions.get(session) {
            // The steps of the other documents that name this one stay whole.
            let (path, label) = (offer.found.path.clone(), offer.found.label.clone());
            let base = ContentHash::of(b"");
            let settled = Header { path, label, base, edited: false, through: u64::MAX };
            session.replace(key, &Encoder::begin(&settled, b"").0)?;
        }
        self.remove_if_done(session);
        Ok(())
    }

    /// Removes journals that cannot be read.
    ///
    /// # Errors
    /// When one cannot be removed.
    pub fn discard_damaged(&mut self) -> io::Result<()> {
        while let Some((damaged, session)) = self.damaged.pop() {
            fs::remove_file(damaged.journal)?;
            self.remove_if_done(session);
        }
        Ok(())
    }

    /// Removes a session that has nothing more to offer.
    fn remove_if_done(&mut self, index: usize) {
        let needed = self.offers.iter().any(|offer| offer.wanted && offer.session == index)
            || self.damaged.iter().any(|(_, session)| *session == index);
        if needed {
            return;
        }
        if let Some(session) = self.sessions.get_mut(index).and_then(Option::take) {
            // What cannot be removed is looked at again at the next start.
            let _ = session.remove();
        }
    }
}

/// The unsaved work in the journals of one session.
fn sift(
    journals: Vec<(u128, PathBuf)>,
    damaged: &mut Vec<(Damaged, usize)>,
    session: usize,
) -> Vec<(u128, Recoverable)> {
    let mut logs = BTreeMap::new();
    for (key, path) in journals {
        match fs::read(&path).ok().as_deref().and_then(read) {
            Some(log) if log.text.is_some() => {
                let written = fs::metadata(&path).and_then(|metadata| metadata.modified()).ok();
                logs.insert(key, (log, path, written));
            }
            Some(log) => {
                damaged.push((Damaged { journal: path, path: log.header.path }, session));
            }
            None => damaged.push((Damaged { journal: path, path: None }, session)),
        }
    }
    let counts = whole_steps(&logs.iter().map(|(key, (log, _, _))| (*key, log)).collect());
    let mut found = Vec::new();
    for (key, (log, journal, written)) in logs {
        let count = counts.get(&key).copied().unwrap_or_default();
        let (torn, path) = (log.torn, log.header.path.clone());
        if let Some(mut recoverable) = offer(log, count) {
            recoverable.written = written;
            found.push((key, recoverable));
        } else if torn {
            damaged.push((Damaged { journal, path }, session));
        }
    }
    found
}

/// How many records of each journal count: a step over several documents only if all of them
/// have it, and nothing after one that does not count.
fn whole_steps(logs: &BTreeMap<u128, &Log>) -> BTreeMap<u128, usize> {
    let mut counts: BTreeMap<u128, usize> =
        logs.iter().map(|(key, log)| (*key, log.records.len())).collect();
    loop {
        let has = |key: &u128, step: u64| {
            let (Some(log), Some(count)) = (logs.get(key), counts.get(key)) else { return false };
            step <= log.header.through || log.records[..*count].iter().any(|own| own.step == step)
        };
        // The first record of any journal that some other one lacks.
        let cut = logs.iter().find_map(|(key, log)| {
            let counted = log.records[..counts[key]].iter();
            let first = counted.enumerate().find(|(_, record)| {
                record.documents.iter().any(|other| other != key && !has(other, record.step))
            });
            first.map(|(index, _)| (*key, index))
        });
        match cut {
            Some((key, index)) => counts.insert(key, index),
            None => return counts,
        };
    }
}

/// The unsaved work of one journal, none if its file has it all.
fn offer(log: Log, count: usize) -> Option<Recoverable> {
    let Log { header, text, records, mut torn } = log;
    let mut text = text?;
    torn |= count < records.len();
    let mut applied = 0;
    for record in records.iter().take(count) {
        if !record.patch.apply(&mut text) {
            torn = true;
            break;
        }
        applied += 1;
    }
    let hash = ContentHash::of(&text);
    if (!header.edited && applied == 0) || hash == header.base {
        return None;
    }
    let (base_matches, text_is_saved) = match &header.path {
        Some(path) => {
            let now = fs::read(path).ok().map(|bytes| ContentHash::of(&bytes));
            (now == Some(header.base), now == Some(hash))
        }
        None => (true, false),
    };
    // The save was done, and the copy ended before it could say so here.
    if text_is_saved {
        return None;
    }
    // Every step led from text to text; so nothing is lost here.
    let text = String::from_utf8_lossy(&text).into_owned();
    let (path, label) = (header.path, header.label);
    Some(Recoverable { path, label, base_matches, text, incomplete: torn, written: None })
}
