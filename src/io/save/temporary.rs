//! The files that stand beside the target while a save is under way.
//!
//! Their names are `.NAME.HASH-RANDOM.posewright-tmp` (not complete, or not needed), `-bak` (the
//! whole old content while the target is overwritten in place) and `-new` (the whole new
//! content, in the same case). `HASH` is of the target's full name, as `NAME` may be shortened.
//! Each is locked by the save that made it, so that a sweep knows which ones are left over.

use super::target::Existing;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use tempfile::{NamedTempFile, TempPath};
use twox_hash::XxHash3_64;

pub(super) const TMP: &str = ".posewright-tmp";
pub(super) const BAK: &str = ".posewright-bak";
pub(super) const NEW: &str = ".posewright-new";

/// A name may have 255 bytes; ours adds less than 60.
const LONGEST_STEM: usize = 120;

/// What stands between the dot and the suffix, but for the random part.
fn stem_of(name: &OsStr) -> String {
    let text = name.to_string_lossy();
    let mut end = text.len().min(LONGEST_STEM);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}.{:016x}", &text[..end], name_hash(name))
}

/// The hash of a target's full name that its temporaries carry.
pub(super) fn name_hash(name: &OsStr) -> u64 {
    XxHash3_64::oneshot(name.as_encoded_bytes())
}

/// The hash that a temporary's name carries.
pub(super) fn target_hash(temporary: &str) -> Option<u64> {
    let stem = temporary.strip_suffix(NEW)?;
    let (stem, _random) = stem.rsplit_once('-')?;
    let (_, hash) = stem.rsplit_once('.')?;
    u64::from_str_radix(hash, 16).ok()
}

/// Makes an empty, locked temporary for the file `name` in `folder`. It is deleted when dropped.
/// `like_new` gives it the rights of a newly made file; otherwise only its owner may read it.
pub(super) fn create(folder: &Path, name: &OsStr, like_new: bool) -> io::Result<NamedTempFile> {
    let prefix = format!(".{}-", stem_of(name));
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(TMP).rand_bytes(8);
    #[cfg(unix)]
    if like_new {
        use std::os::unix::fs::PermissionsExt;
        // The umask takes away what it must.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    #[cfg(not(unix))]
    let _ = like_new;
    loop {
        let file = builder.tempfile_in(folder)?;
        // A file system without locks still takes a save; sweeps go by age there.
        if file.as_file().lock().is_err() || file.path().exists() {
            return Ok(file);
        }
        // A sweep was between our creating it and our locking it. Once more.
    }
}

/// Writes `bytes` and flushes them to the disk.
pub(super) fn fill(file: &mut File, bytes: &[u8]) -> io::Result<()> {
    file.write_all(bytes)?;
    file.sync_all()
}

/// Whether the file holds exactly `bytes`.
pub(super) fn holds(file: &mut File, bytes: &[u8]) -> io::Result<bool> {
    file.rewind()?;
    let mut back = Vec::with_capacity(bytes.len());
    file.read_to_end(&mut back)?;
    Ok(back == bytes)
}

/// Gives a complete temporary the suffix that says so, and the random part of `pair`. The lock
/// stays with the returned file.
pub(super) fn rename(
    temporary: NamedTempFile,
    pair: &Path,
    suffix: &str,
) -> io::Result<(File, TempPath)> {
    let to = with_suffix(pair, suffix);
    let file = temporary.persist_noclobber(&to).map_err(|refused| refused.error)?;
    Ok((file, TempPath::try_from_path(to)?))
}

fn with_suffix(temporary: &Path, suffix: &str) -> PathBuf {
    let name = temporary.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let stem = name.strip_suffix(TMP).unwrap_or(&name);
    temporary.with_file_name(format!("{stem}{suffix}"))
}

/// Whether the save that made this file is gone. A lock that cannot be asked for (no locks on
/// this file system) counts as gone after a day.
pub(super) fn is_left_over(file: &File) -> bool {
    match file.try_lock() {
        Ok(()) => true,
        Err(fs::TryLockError::WouldBlock) => false,
        Err(fs::TryLockError::Error(_)) => file
            .metadata()
            .and_then(|metadata| metadata.modified())
            .ok()
            .and_then(|time| time.elapsed().ok())
            .is_some_and(|age| age.as_secs() > 24 * 60 * 60),
    }
}

/// Makes the new file belong to whom the old one belonged to, with the same mode and the same
/// extended attributes (access lists among them). An error means that it cannot be done.
#[cfg(unix)]
pub(super) fn take_attributes(new: &File, old: &Existing) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    let (have, want) = (new.metadata()?, &old.metadata);
    if (have.uid(), have.gid()) != (want.uid(), want.gid()) {
        std::os::unix::fs::fchown(new, Some(want.uid()), Some(want.gid()))?;
    }
    // After the owner, because changing that clears set-user-id.
    new.set_permissions(fs::Permissions::from_mode(want.mode() & 0o7777))?;
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    take_xattrs(new, &old.file)?;
    Ok(())
}

#[cfg(not(unix))]
pub(super) fn take_attributes(new: &File, old: &Existing) -> io::Result<()> {
    new.set_permissions(old.metadata.permissions())
}

#[cfg(any(target_os = "linux", target_os = "macos"))]
fn take_xattrs(new: &File, old: &File) -> io::Result<()> {
    use rustix::fs::{XattrFlags, fremovexattr, fsetxattr};
    let (wanted, present) = (xattrs(old)?, xattrs(new)?);
    for (name, _) in &present {
        // The folder's default access list, for one, that the old file did not have.
        if !wanted.iter().any(|(other, _)| other == name) {
            fremovexattr(new, name.as_os_str())?;
        }
    }
    for (name, value) in &wanted {
        if !present.contains(&(name.clone(), value.clone())) {
            fsetxattr(new, name.as_os_str(), value, XattrFlags::empty())?;
        }
    }
    Ok(())
}

#[cfg(any(target_os = "linux", target_os = "macos"))]
fn xattrs(file: &File) -> io::Result<Vec<(std::ffi::OsString, Vec<u8>)>> {
    use rustix::fs::{fgetxattr, fgetxattr_query, flistxattr, flistxattr_query};
    use rustix::io::Errno;
    use std::os::unix::ffi::OsStrExt;
    let length = match flistxattr_query(file) {
        // This file system has none.
        Err(Errno::NOTSUP) => return Ok(Vec::new()),
        other => other?,
    };
    let mut names = vec![0; length];
    let length = flistxattr(file, names.as_mut_slice())?;
    names.truncate(length);
    let mut all = Vec::new();
    for name in names.split(|byte| *byte == 0).filter(|name| !name.is_empty()) {
        // macOS gives it to every file by itself, and lets nobody change it.
        if cfg!(target_os = "macos") && name == b"com.apple.provenance" {
            continue;
        }
        let name = OsStr::from_bytes(name);
        let mut value = vec![0; fgetxattr_query(file, name)?];
        let length = fgetxattr(file, name, value.as_mut_slice())?;
        value.truncate(length);
        all.push((name.to_owned(), value));
    }
    Ok(all)
}
