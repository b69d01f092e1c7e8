//! Folders and files that are not there yet.

use std::path::Path;

/// Makes a folder, and those above it that are missing. Nothing is done where it is there.
///
/// # Errors
/// What the system says.
pub fn make_folder(path: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(path)
}
