//! Overwriting a file that has to stay the same file.

use super::error::{SaveError, before};
use super::target::Existing;
use super::{open_folder, sync_folder, temporary};
use std::fs::File;
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};
use tempfile::{NamedTempFile, TempPath};

/// Overwrites `target` with `bytes`, which `new` holds already and flushed. The old content and
/// the new stand beside it meanwhile, so that a crash at any moment can be mended from them.
pub(super) fn overwrite(
    target: &Path,
    folder: &Path,
    mut existing: Existing,
    new: NamedTempFile,
    bytes: &[u8],
) -> Result<(), SaveError> {
    let doing = "putting a copy of it aside";
    let name = target.file_name().unwrap_or_default();
    let mut old = temporary::create(folder, name, false).map_err(before(target, doing))?;
    temporary::fill(old.as_file_mut(), &existing.bytes).map_err(before(target, doing))?;
    if !temporary::holds(old.as_file_mut(), &existing.bytes).map_err(before(target, doing))? {
        return Err(SaveError::ReadBack { path: target.to_owned(), replaced: false });
    }
    let pair = new.path().to_owned();
    let handle = open_folder(folder).map_err(before(target, "opening its folder"))?;
    // The old one first: a new one without an old one would be a pair that lost something.
    let (old_file, old_path) =
        temporary::rename(old, &pair, temporary::BAK).map_err(before(target, doing))?;
    let (new_file, new_path) =
        temporary::rename(new, &pair, temporary::NEW).map_err(before(target, doing))?;
    sync_folder(handle, &new_file).map_err(before(target, doing))?;

    let written = put(&mut existing.file, bytes).and_then(|()| {
        if temporary::holds(&mut existing.file, bytes)? {
            Ok(())
        } else {
            Err(io::Error::other("what was read back is not what was written"))
        }
    });
    if let Err(source) = written {
        return Err(match put(&mut existing.file, &existing.bytes) {
            Ok(()) => before(target, "overwriting it")(source),
            // Both stay: the next start tries again.
            Err(_) => SaveError::Torn {
                path: target.to_owned(),
                before: keep(old_path),
                after: keep(new_path),
                source,
            },
        });
    }
    // The new one first, see above. What cannot be removed now is swept at the next start.
    let _ = new_path.close();
    let _ = old_path.close();
    drop((old_file, new_file));
    Ok(())
}

fn keep(mut path: TempPath) -> PathBuf {
    path.disable_cleanup(true);
    path.to_path_buf()
}

/// Overwrites a file from its beginning. It is not emptied first, so that the room of the old
/// content serves the new.
pub(super) fn put(file: &mut File, bytes: &[u8]) -> io::Result<()> {
    file.rewind()?;
    file.write_all(bytes)?;
    file.set_len(bytes.len() as u64)?;
    file.sync_all()
}
