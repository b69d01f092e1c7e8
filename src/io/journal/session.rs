//! One folder for each running copy of the program, and the lock that says that it runs.
//!
//! In the recovery folder stand `session-NAME.lock`, held locked while the copy runs, and the
//! folder `session-NAME` with its journals.

use crate::io::held;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

const PREFIX: &str = "session-";
const LOCK: &str = ".lock";
const JOURNAL: &str = ".journal";

/// A session that this process holds: its own, or that of a copy that is gone.
#[derive(Debug)]
pub(super) struct Session {
    folder: PathBuf,
    lock_path: PathBuf,
    /// Held for its lock.
    _lock: File,
}

impl Session {
    /// Makes the session of a copy that starts.
    pub fn create(recovery: &Path) -> io::Result<Self> {
        make_private(recovery)?;
        loop {
            let named =
                tempfile::Builder::new().prefix(PREFIX).suffix(LOCK).tempfile_in(recovery)?;
            // Without locks on this file system no other copy can tell that this one is gone, and
            // its journals wait for a look by hand; keeping them is still right.
            let _ = named.as_file().lock();
            let (lock, lock_path) = named.keep().map_err(|refused| refused.error)?;
            // Another copy that looks around may have taken the file before it was locked.
            if !lock_path.exists() {
                continue;
            }
            let folder = lock_path.with_extension("");
            make_private(&folder)?;
            return Ok(Self { folder, lock_path, _lock: lock });
        }
    }

    /// Takes over the sessions of copies that are gone.
    pub fn abandoned(recovery: &Path) -> io::Result<Vec<Self>> {
        let entries = match fs::read_dir(recovery) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            other => other?,
        };
        let mut found = Vec::new();
        for entry in entries {
            let lock_path = entry?.path();
            let name = lock_path.file_name().unwrap_or_default().to_string_lossy();
            if !name.starts_with(PREFIX) || !name.ends_with(LOCK) {
                continue;
            }
            // One that went away meanwhile was somebody else's to mend.
            let Ok(lock) = File::options().read(true).write(true).open(&lock_path) else {
                continue;
            };
            match lock.try_lock() {
                Ok(()) if lock_path.exists() => {
                    let folder = lock_path.with_extension("");
                    found.push(Self { folder, lock_path, _lock: lock });
                }
                Ok(()) | Err(TryLockError::WouldBlock | TryLockError::Error(_)) => {}
            }
        }
        found.sort_by(|one, other| one.folder.cmp(&other.folder));
        Ok(found)
    }

    /// The journal of a document.
    pub fn journal(&self, key: u128) -> PathBuf {
        self.folder.join(format!("{key:032x}{JOURNAL}"))
    }

    /// All journals, with the keys of their documents.
    pub fn journals(&self) -> io::Result<Vec<(u128, PathBuf)>> {
        let entries = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            other => other?,
        };
        let mut journals = Vec::new();
        for entry in entries {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let key = name.strip_suffix(JOURNAL).and_then(|key| u128::from_str_radix(key, 16).ok());
            if let Some(key) = key {
                journals.push((key, path));
            }
        }
        journals.sort();
        Ok(journals)
    }

    /// Writes a whole journal in the place of another, or of none.
    pub fn replace(&self, key: u128, bytes: &[u8]) -> io::Result<File> {
        use std::io::Write;
        let mut file = tempfile::NamedTempFile::new_in(&self.folder)?;
        file.write_all(bytes)?;
        file.as_file().sync_all()?;
        let file = held::persist(file, &self.journal(key)).map_err(|refused| refused.error)?;
        if cfg!(unix) {
            File::open(&self.folder)?.sync_all()?;
        }
        Ok(file)
    }

    /// Removes the session with all that is in it.
    pub fn remove(&self) -> io::Result<()> {
        match fs::remove_dir_all(&self.folder) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        fs::remove_file(&self.lock_path)
    }
}

/// A folder that only its owner may look into: it holds people's work.
fn make_private(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}
