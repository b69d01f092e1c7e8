//! Writing a file so that it is never half there.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// Replaces a file's content through a temporary file beside it. A symlink is followed, the mode
/// is kept.
///
/// # Errors
/// What the system says; the old file is then as it was.
pub fn write_replacing(path: &Path, text: &str) -> io::Result<()> {
    let target = fs::canonicalize(path)?;
    let folder = target.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.as_file().set_permissions(fs::metadata(&target)?.permissions())?;
    file.as_file().sync_all()?;
    file.persist(&target).map_err(|error| error.error)?;
    Ok(())
}

/// Writes a file that need not be there, nor its folder. For the app's own files.
///
/// # Errors
/// What the system says; an old file is then as it was.
pub fn write_new_or_replace(path: &Path, text: &str) -> io::Result<()> {
    if path.exists() {
        return write_replacing(path, text);
    }
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}
