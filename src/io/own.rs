//! The app's own files: settings, sample projects.

use super::save::{Base, save};
use std::fs;
use std::io;
use std::path::Path;

/// Writes one of the app's own files, and makes its folder where there is none.
///
/// # Errors
/// What the system says; an old file is then as it was.
pub fn write_own_file(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    save(path, text.as_bytes(), Base::Any).map(drop).map_err(io::Error::other)
}
