//! Saves that leave either the old file or the new one, whatever happens in between.
//!
//! The new content goes to a temporary file in the same folder, reaches the disk, and takes the
//! target's place by a rename. A symbolic link stays and the file that it leads to is replaced.
//! Where a rename would lose something (another name of the same file, an owner that cannot be
//! given away, a mount on the file), the old and the new content are put beside the file first,
//! and it is then overwritten in place; [`sweep`] finishes that after a crash.

mod error;
mod in_place;
mod sweep;
mod target;
mod temporary;

pub use error::SaveError;
pub use sweep::{Interrupted, Swept, sweep, sweep_for};

use super::{ContentHash, held};
use error::{after, before};
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use target::{Existing, folder_of, follow_links, hash_on_disk};
use tempfile::NamedTempFile;

/// What the file must hold for a save to overwrite it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// Nothing: there must be no file.
    Absent,
    /// The content that the document was read from or last saved as.
    Content(ContentHash),
    /// Anything: the user was asked and said yes.
    Any,
}

/// How the new content got into the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// A new file took the name.
    Renamed,
    /// The same file got new bytes, because a rename would have lost a link or the owner.
    InPlace,
}

/// A save that reached the disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    /// The file that was written, symbolic links followed.
    pub path: PathBuf,
    /// The base of the next save.
    pub hash: ContentHash,
    /// How it was written.
    pub how: How,
}

/// Writes `bytes` to the file at `path`, so that a crash or a power cut at any moment leaves the
/// old or the new content, and reads them back.
///
/// # Errors
/// See [`SaveError`]. The old file is whole then, but for [`SaveError::Torn`], which names where
/// the content is; see also [`SaveError::replaced`].
pub fn save(path: &Path, bytes: &[u8], base: Base) -> Result<Saved, SaveError> {
    survive_size_limit();
    let target = follow_links(path)?;
    let Some(name) = target.file_name() else {
        return Err(SaveError::NotAFile { path: path.to_owned(), what: "a folder" });
    };
    let folder = folder_of(&target);
    let existing = Existing::open(&target)?;
    let hash = ContentHash::of(bytes);
    let found = existing.as_ref().map(Existing::hash);
    check_base(&target, found, base, hash)?;

    let mut temporary = temporary::create(folder, name, existing.is_none()).map_err(|error| {
        if error.kind() == ErrorKind::NotFound {
            SaveError::NoFolder { path: target.clone(), folder: folder.to_owned() }
        } else {
            before(&target, "making a file in its folder")(error)
        }
    })?;
    temporary::fill(temporary.as_file_mut(), bytes)
        .map_err(before(&target, "writing the new content"))?;
    if !temporary::holds(temporary.as_file_mut(), bytes)
        .map_err(before(&target, "reading the new content back"))?
    {
        return Err(SaveError::ReadBack { path: target, replaced: false });
    }

    let how = match existing {
        None => {
            rename(temporary, &target, folder, base)?;
            How::Renamed
        }
        Some(existing) => {
            let keeps_all = existing.names() == 1
                && temporary::take_attributes(temporary.as_file(), &existing).is_ok();
            // As late as can be: another program may have been faster.
            let now = hash_on_disk(&target).map_err(before(&target, "looking at the file"))?;
            if now != found {
                check_base(&target, now, base, hash)?;
            }
            if keeps_all {
                // The attributes have to reach the disk as well.
                let flushed = temporary.as_file().sync_all();
                flushed.map_err(before(&target, "writing the new content"))?;
                // On Windows a file that is open cannot be replaced.
                drop(existing);
                match rename_over(temporary, &target, folder)? {
                    None => How::Renamed,
                    Some(temporary) => {
                        let existing = Existing::open(&target)?.ok_or_else(|| {
                            SaveError::ChangedOnDisk { path: target.clone(), now: None }
                        })?;
                        check_base(&target, Some(existing.hash()), base, hash)?;
                        in_place::overwrite(&target, folder, existing, temporary, bytes)?;
                        How::InPlace
                    }
                }
            } else {
                in_place::overwrite(&target, folder, existing, temporary, bytes)?;
                How::InPlace
            }
        }
    };

    match held::patiently(|| fs::read(&target)) {
        Ok(back) if back == bytes => Ok(Saved { path: target, hash, how }),
        Ok(_) => Err(SaveError::ReadBack { path: target, replaced: true }),
        Err(error) => Err(after(&target, "reading it back")(error)),
    }
}

/// Whether the user's save may replace what is there. Content that equals what is to be written
/// never stands in the way.
fn check_base(
    path: &Path,
    now: Option<ContentHash>,
    base: Base,
    new: ContentHash,
) -> Result<(), SaveError> {
    match (base, now) {
        (Base::Any, _) | (Base::Absent, None) => Ok(()),
        (Base::Content(expected), Some(now)) if now == expected || now == new => Ok(()),
        (Base::Content(_), now) => Err(SaveError::ChangedOnDisk { path: path.to_owned(), now }),
        (Base::Absent, Some(_)) => Err(SaveError::Exists { path: path.to_owned() }),
    }
}

/// Gives the temporary a name that is not taken.
fn rename(
    temporary: NamedTempFile,
    target: &Path,
    folder: &Path,
    base: Base,
) -> Result<(), SaveError> {
    let handle = open_folder(folder).map_err(before(target, "opening its folder"))?;
    unlock_for_rename(&temporary);
    let renamed = match base {
        Base::Any => held::persist(temporary, target),
        _ => temporary.persist_noclobber(target),
    };
    match renamed {
        Ok(file) => sync_folder(handle, &file).map_err(after(target, "flushing its folder")),
        Err(refused) if refused.error.kind() == ErrorKind::AlreadyExists => {
            Err(SaveError::Exists { path: target.to_owned() })
        }
        Err(refused) => Err(before(target, "naming the new file")(refused.error)),
    }
}

/// Puts the temporary in the place of the target; gives it back where the system says that this
/// name cannot change hands (a mount on the file itself, as containers do).
fn rename_over(
    temporary: NamedTempFile,
    target: &Path,
    folder: &Path,
) -> Result<Option<NamedTempFile>, SaveError> {
    let handle = open_folder(folder).map_err(before(target, "opening its folder"))?;
    unlock_for_rename(&temporary);
    match held::persist(temporary, target) {
        Ok(file) => {
            sync_folder(handle, &file).map_err(after(target, "flushing its folder"))?;
            Ok(None)
        }
        Err(refused) if refused.error.kind() == ErrorKind::ResourceBusy => Ok(Some(refused.file)),
        Err(refused) => Err(before(target, "putting the new file in its place")(refused.error)),
    }
}

/// On Windows a lock keeps everybody from reading the file, also after it got its name.
fn unlock_for_rename(temporary: &NamedTempFile) {
    if cfg!(windows) {
        let _ = temporary.as_file().unlock();
    }
}

/// The folder, ready to be flushed; none where that cannot be done. Opened before anything is
/// renamed, so that an error leaves the old file.
fn open_folder(folder: &Path) -> io::Result<Option<File>> {
    if !cfg!(unix) {
        return Ok(None);
    }
    match File::open(folder) {
        Ok(handle) => Ok(Some(handle)),
        // One may write into a folder that one may not list.
        Err(error) if error.kind() == ErrorKind::PermissionDenied => Ok(None),
        Err(error) => Err(error),
    }
}

/// Makes the names in a folder outlive a power cut.
fn sync_folder(folder: Option<File>, file: &File) -> io::Result<()> {
    match folder {
        Some(folder) => match folder.sync_all() {
            // Some network file systems flush names by themselves and refuse to be asked.
            Err(error) if error.kind() == ErrorKind::InvalidInput => Ok(()),
            other => other,
        },
        #[cfg(target_os = "linux")]
        None => Ok(rustix::fs::syncfs(file)?),
        #[cfg(not(target_os = "linux"))]
        None => {
            let _ = file;
            Ok(())
        }
    }
}

/// Without this a limit on file sizes (`ulimit -f`) kills the program at the first byte too many.
/// With it, the write fails and the save says why.
pub(super) fn survive_size_limit() {
    #[cfg(unix)]
    {
        use std::sync::{Arc, Once, atomic::AtomicBool};
        static ONCE: Once = Once::new();
        ONCE.call_once(|| {
            // A handler that only sets a flag nobody reads: the signal stops being deadly.
            // Where it cannot be set, saving works as long as there is no limit.
            let _ = signal_hook::flag::register(
                signal_hook::consts::SIGXFSZ,
                Arc::new(AtomicBool::new(false)),
            );
        });
    }
}
