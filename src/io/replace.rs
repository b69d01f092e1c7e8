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

/// Writes a file: as [`write_replacing`] where it is there, otherwise a new one, which appears
/// whole or not at all.
///
/// # Errors
/// What the system says; an old file is then as it was.
pub fn write_file(path: &Path, text: &str) -> io::Result<()> {
    if fs::symlink_metadata(path).is_ok() {
        return write_replacing(path, text);
    }
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // What any program would give it; the umask takes its share.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    file.persist_noclobber(path).map_err(|error| error.error)?;
    Ok(())
}
