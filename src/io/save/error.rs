//! Why a save failed, in sentences that say what, where and what to do.

use crate::io::{ContentHash, held};
use std::io;
use std::path::{Path, PathBuf};

/// Why a save failed. Unless [`SaveError::replaced`] or [`SaveError::Torn`] says otherwise, the
/// old file is untouched.
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    /// Somebody else wrote or removed the file since it was read.
    #[error("{} {} since it was opened. Reload it, or save under another name; it was not \
             overwritten.", path.display(), if now.is_some() { "changed on disk" } else { "was removed from disk" })]
    ChangedOnDisk {
        /// The file itself, links followed.
        path: PathBuf,
        /// What is there now; none if there is no file.
        now: Option<ContentHash>,
    },
    /// A new file was to be written, and there is one.
    #[error("{} is there already. Choose another name, or replace it on purpose.", path.display())]
    Exists {
        /// The file that is there.
        path: PathBuf,
    },
    /// A folder, a FIFO, a device stands where the file should be.
    #[error("{} is {what}, not a file. Save under another name.", path.display())]
    NotAFile {
        /// What was to be written.
        path: PathBuf,
        /// "a folder", "a FIFO", …
        what: &'static str,
    },
    /// The file may not be written.
    #[error("{} is write-protected ({source}). Make it writable, or save under another name.", path.display())]
    ReadOnly {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Symbolic links that lead in a circle.
    #[error("{} is a symbolic link that leads nowhere: the links form a circle. Mend the link, or save under another name.", path.display())]
    LinkLoop {
        /// The first link.
        path: PathBuf,
    },
    /// The folder is not there.
    #[error("cannot save {}: the folder {} does not exist. Make it, or save somewhere else.", path.display(), folder.display())]
    NoFolder {
        /// What was to be written.
        path: PathBuf,
        /// The folder that is missing.
        folder: PathBuf,
    },
    /// The system refused one step.
    #[error("cannot save {}: {doing} failed ({source}). {} {}", path.display(), state(*replaced), advice(source))]
    Io {
        /// What was to be written.
        path: PathBuf,
        /// The step that failed.
        doing: &'static str,
        /// True if the new content is in place already, only not surely on the disk.
        replaced: bool,
        /// What the system said.
        source: io::Error,
    },
    /// What was read back is not what was written.
    #[error("{}: what was read back is not what was saved. {} Check the disk, and save to another one.", path.display(), state(*replaced))]
    ReadBack {
        /// What was to be written.
        path: PathBuf,
        /// True if the wrong content is in place.
        replaced: bool,
    },
    /// Writing in place failed half-way, and so did putting the old content back.
    #[error("saving {} failed half-way ({source}) and the old content could not be put back. It is whole in {}; the new content is in {}. Free some space or check the disk, then copy one of them over the file.",
        path.display(), before.display(), after.display())]
    Torn {
        /// The file that is damaged.
        path: PathBuf,
        /// The whole old content.
        before: PathBuf,
        /// The whole new content.
        after: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl SaveError {
    /// True if the file holds the new content although the save failed (its folder could not be
    /// flushed, or it could not be read back): the next save grows from the new content then.
    pub fn replaced(&self) -> bool {
        match self {
            Self::Io { replaced, .. } | Self::ReadBack { replaced, .. } => *replaced,
            _ => false,
        }
    }
}

fn state(replaced: bool) -> &'static str {
    if replaced {
        "The new content is in place but may not outlive a power cut."
    } else {
        "The old file is unchanged."
    }
}

fn advice(error: &io::Error) -> &'static str {
    use io::ErrorKind::*;
    if held::is_held(error) {
        return "Another program may have the file open: close it there and save again; or make \
                the file writable, or save somewhere else.";
    }
    match error.kind() {
        StorageFull | QuotaExceeded => "Free some space, or save to another disk.",
        FileTooLarge => {
            "The limit on file sizes is too low: raise it (`ulimit -f`), or save to another disk."
        }
        PermissionDenied => "Make the folder writable, or save somewhere else.",
        ReadOnlyFilesystem => "The disk is mounted read-only: save to another one.",
        _ => "Try again; if it fails again, save to another disk.",
    }
}

/// Gives an `io::Error` of a step before the old file is touched its sentence.
pub(super) fn before(path: &Path, doing: &'static str) -> impl FnOnce(io::Error) -> SaveError {
    move |source| SaveError::Io { path: path.to_owned(), doing, replaced: false, source }
}

/// The same for a step after the new content took the place of the old.
pub(super) fn after(path: &Path, doing: &'static str) -> impl FnOnce(io::Error) -> SaveError {
    move |source| SaveError::Io { path: path.to_owned(), doing, replaced: true, source }
}
