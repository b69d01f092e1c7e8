//! One watched file: what is known of it, and what a look at it says.

use super::{Change, FileEvent};
use crate::io::ContentHash;
use std::fs::{self, Metadata};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

/// Which file it is, whatever its name; all zero where the system does not say.
pub(super) type Id = (u64, u64);

/// As many symbolic links as Linux follows.
const MOST_LINKS: usize = 40;

/// Two contents written within this time may have one time stamp.
const STAMP_GRAIN: Duration = Duration::from_secs(3);

#[cfg(unix)]
fn id_of(metadata: &Metadata) -> Id {
    use std::os::unix::fs::MetadataExt;
    (metadata.dev(), metadata.ino())
}

#[cfg(not(unix))]
fn id_of(_: &Metadata) -> Id {
    (0, 0)
}

/// The identity of a folder and when it was made: a folder that is made anew often gets the number
/// of the one that went.
pub(super) type FolderId = (Id, Option<SystemTime>);

/// The identity of a folder, none if it is not there.
pub(super) fn folder_id(folder: &Path) -> Option<FolderId> {
    let metadata = fs::metadata(folder).ok().filter(Metadata::is_dir)?;
    Some((id_of(&metadata), metadata.created().ok()))
}

/// What tells cheaply that a file was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    id: Id,
    length: u64,
    modified: Option<SystemTime>,
}

impl Stamp {
    fn of(metadata: &Metadata) -> Self {
        let (length, modified) = (metadata.len(), metadata.modified().ok());
        Self { id: id_of(metadata), length, modified }
    }

    /// Whether another write could leave the same stamp.
    fn is_fresh(&self) -> bool {
        let age = self.modified.and_then(|time| time.elapsed().ok());
        age.is_none_or(|age| age < STAMP_GRAIN)
    }
}

/// What stands under a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seen {
    /// Nothing, or something that is no file.
    Missing,
    Content {
        hash: ContentHash,
        id: Id,
        empty: bool,
    },
}

/// What came of a look.
pub(super) enum Look {
    /// Nothing new, or not for certain yet.
    Quiet,
    /// It is another one than was known, and stays so.
    Told(FileEvent),
}

/// A watched file.
pub(super) struct File {
    path: PathBuf,
    known: Option<ContentHash>,
    /// Which file held that; none before the first look.
    id: Option<Id>,
    /// What was seen that differs from what is known, and since when.
    pending: Option<(Seen, Instant)>,
    /// When to look next; none while nothing happens.
    due: Option<Instant>,
    /// Saves of our own that are under way.
    holds: usize,
    /// The stamp of the last look, if it would show any later write.
    stamp: Option<Stamp>,
    /// The paths at which something may happen to it: its own and those of its links.
    places: Vec<PathBuf>,
}

impl File {
    pub fn new(path: PathBuf, known: Option<ContentHash>, now: Instant) -> Self {
        let mut file = Self {
            path,
            known,
            id: None,
            pending: None,
            due: Some(now),
            holds: 0,
            stamp: None,
            places: Vec::new(),
        };
        file.find_places();
        file
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn due(&self) -> Option<Instant> {
        self.due.filter(|_| self.holds == 0)
    }

    pub fn touch(&mut self, now: Instant) {
        self.due = Some(self.due.map_or(now, |due| due.min(now)));
    }

    pub fn hold(&mut self) {
        self.holds += 1;
    }

    pub fn release(&mut self, saved: Option<ContentHash>, now: Instant) {
        self.holds = self.holds.saturating_sub(1);
        if saved.is_some() {
            (self.known, self.id) = (saved, None);
        }
        self.pending = None;
        self.touch(now);
    }

    /// Whether something that happened at `path` may concern it: there, or to a folder above.
    pub fn is_at(&self, path: &Path) -> bool {
        self.places.iter().any(|place| place.starts_with(path))
    }

    /// The folders to watch for it.
    pub fn folders(&self) -> impl Iterator<Item = &Path> {
        self.places.iter().filter_map(|place| place.parent())
    }

    /// Follows its links; true if they lead elsewhere than before.
    pub fn find_places(&mut self) -> bool {
        let mut places = Vec::new();
        let mut at = std::path::absolute(&self.path).unwrap_or_else(|_| self.path.clone());
        for _ in 0..MOST_LINKS {
            // Notifications name the folder as it was given, and the links in it are ours to
            // follow. A folder that is gone keeps the name that it was watched by.
            let folder = at
                .parent()
                .map(|folder| fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned()));
            let (Some(folder), Some(name)) = (folder, at.file_name()) else { break };
            let place = folder.join(name);
            let link = fs::read_link(&place);
            places.push(place);
            match link {
                Ok(to) => at = folder.join(to),
                Err(_) => break,
            }
        }
        let moved = places != self.places;
        self.places = places;
        moved
    }

    /// Looks at the next chance if the file seems to have been written. For polling.
    pub fn look_if_touched(&mut self, now: Instant) {
        let stamp = fs::metadata(&self.path).ok().map(|metadata| Stamp::of(&metadata));
        if self.stamp.is_none() || stamp != self.stamp {
            self.touch(now);
        }
    }

    /// Looks what is there. A change is told once it was the same for `settle`.
    pub fn look(&mut self, now: Instant, settle: Duration) -> Look {
        self.due = None;
        let Some(seen) = self.see() else {
            // It is being written, or may not be read: later.
            self.pending = None;
            self.due = Some(now + settle * 5);
            return Look::Quiet;
        };
        let (hash, id) = match seen {
            Seen::Missing => (None, None),
            Seen::Content { hash, id, .. } => (Some(hash), Some(id)),
        };
        if hash == self.known {
            (self.id, self.pending) = (id, None);
            return Look::Quiet;
        }
        let since = match self.pending {
            Some((pending, since)) if pending == seen => since,
            _ => now,
        };
        // Some programs move the old file away, or empty it, and write the new one after that.
        let patience = match seen {
            Seen::Content { empty: false, .. } => settle,
            _ => settle * 4,
        };
        if now.saturating_duration_since(since) < patience {
            self.pending = Some((seen, since));
            self.due = Some(since + patience);
            return Look::Quiet;
        }
        let change = match id {
            None => Change::Removed,
            Some(_) if self.known.is_some() && self.id.is_none_or(|own| Some(own) == id) => {
                Change::Changed
            }
            Some(_) => Change::Replaced,
        };
        (self.known, self.id, self.pending) = (hash, id, None);
        Look::Told(FileEvent { path: self.path.clone(), change, hash })
    }

    /// What is there; none if it cannot be told now.
    fn see(&mut self) -> Option<Seen> {
        self.stamp = None;
        let before = match fs::metadata(&self.path) {
            // Asked before reading: a FIFO would wait for a writer.
            Ok(metadata) if !metadata.is_file() => return Some(Seen::Missing),
            Ok(metadata) => Stamp::of(&metadata),
            Err(error) => return missing_if_gone(&error),
        };
        let bytes = match fs::read(&self.path) {
            Ok(bytes) => bytes,
            Err(error) => return missing_if_gone(&error),
        };
        let after = fs::metadata(&self.path).ok().map(|metadata| Stamp::of(&metadata));
        if after != Some(before) {
            return None;
        }
        self.stamp = after.filter(|stamp| !stamp.is_fresh());
        let (hash, empty) = (ContentHash::of(&bytes), bytes.is_empty());
        Some(Seen::Content { hash, id: before.id, empty })
    }
}

fn missing_if_gone(error: &std::io::Error) -> Option<Seen> {
    let gone = matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory);
    gone.then_some(Seen::Missing)
}
