//! The file that a save is about: which one it is, and what it holds now.

use super::error::{SaveError, before};
use crate::io::ContentHash;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

/// Linux gives up after this many as well.
const MOST_LINKS: usize = 40;

/// Where writing to `path` would really write: symbolic links followed one by one, so that the
/// last may point at a file that does not exist yet.
pub(super) fn follow_links(path: &Path) -> Result<PathBuf, SaveError> {
    let mut at = path.to_owned();
    for _ in 0..=MOST_LINKS {
        match fs::symlink_metadata(&at) {
            Ok(metadata) if metadata.file_type().is_symlink() => {
                let to = fs::read_link(&at).map_err(before(path, "reading the link"))?;
                // An absolute `to` replaces the whole path.
                at = folder_of(&at).join(to);
            }
            Ok(_) => return Ok(at),
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(at),
            Err(error) => return Err(before(path, "looking at the file")(error)),
        }
    }
    Err(SaveError::LinkLoop { path: path.to_owned() })
}

/// The folder a file lies in.
pub(super) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// A file that is there, open for reading and writing.
pub(super) struct Existing {
    pub file: File,
    pub metadata: Metadata,
    pub bytes: Vec<u8>,
}

impl Existing {
    /// Opens the file at `path` (no link), or gives none where nothing is.
    pub fn open(path: &Path) -> Result<Option<Self>, SaveError> {
        match fs::symlink_metadata(path) {
            // Asked before opening: opening a FIFO would wait for a writer.
            Ok(metadata) => file_only(path, &metadata)?,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(before(path, "looking at the file")(error)),
        }
        let mut file = match OpenOptions::new().read(true).write(true).open(path) {
            Ok(file) => file,
            Err(source) => {
                return Err(match source.kind() {
                    ErrorKind::PermissionDenied
                    | ErrorKind::ReadOnlyFilesystem
                    | ErrorKind::ExecutableFileBusy => {
                        SaveError::ReadOnly { path: path.to_owned(), source }
                    }
                    ErrorKind::NotFound => {
                        SaveError::ChangedOnDisk { path: path.to_owned(), now: None }
                    }
                    _ => before(path, "opening the file")(source),
                });
            }
        };
        let metadata = file.metadata().map_err(before(path, "looking at the file"))?;
        file_only(path, &metadata)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(before(path, "reading the file as it is"))?;
        Ok(Some(Self { file, metadata, bytes }))
    }

    pub fn hash(&self) -> ContentHash {
        ContentHash::of(&self.bytes)
    }

    /// How many names the file has.
    pub fn names(&self) -> u64 {
        #[cfg(unix)]
        return std::os::unix::fs::MetadataExt::nlink(&self.metadata);
        // The count needs an interface of Windows that is not stable yet. Saving by rename
        // splits a hard link there, as most editors do.
        #[cfg(not(unix))]
        return 1;
    }
}

fn file_only(path: &Path, metadata: &Metadata) -> Result<(), SaveError> {
    if metadata.is_file() {
        return Ok(());
    }
    Err(SaveError::NotAFile { path: path.to_owned(), what: what_is(metadata) })
}

fn what_is(metadata: &Metadata) -> &'static str {
    if metadata.is_dir() {
        return "a folder";
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        let kind = metadata.file_type();
        if kind.is_fifo() {
            return "a FIFO";
        }
        if kind.is_socket() {
            return "a socket";
        }
        if kind.is_block_device() || kind.is_char_device() {
            return "a device";
        }
    }
    "something else"
}

/// What is at `path` now, without needing the right to write it; none if nothing is.
pub(super) fn hash_on_disk(path: &Path) -> io::Result<Option<ContentHash>> {
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_file() => {}
        Ok(metadata) => {
            return Err(io::Error::other(format!("there is {} now", what_is(&metadata))));
        }
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    }
    match fs::read(path) {
        Ok(bytes) => Ok(Some(ContentHash::of(&bytes))),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}
