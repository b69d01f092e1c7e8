//! What a killed save left behind, put right at the next start.

use super::in_place::put;
use super::target::{folder_of, follow_links};
use super::temporary::{BAK, NEW, TMP, is_left_over, name_hash, target_hash};
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

/// A save in place that was cut off, and then another program changed the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interrupted {
    /// The file, if it is still there.
    pub target: Option<PathBuf>,
    /// A copy of its content before that save, if it is still there.
    pub before: Option<PathBuf>,
    /// A copy of what was being saved.
    pub after: PathBuf,
}

/// What [`sweep`] did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Swept {
    /// Left-over files that were removed.
    pub removed: Vec<PathBuf>,
    /// Files whose save had been cut off half-way and was now finished.
    pub finished: Vec<PathBuf>,
    /// What only the user can decide. Nothing of it was touched.
    pub kept: Vec<Interrupted>,
}

/// Removes what saves that were killed left in `folder` and finishes those that were half-way
/// through overwriting a file. Saves that are under way, in any running copy of the program, are
/// left alone. Call it before opening files of a folder; [`sweep_for`] suits a single file.
///
/// # Errors
/// When the folder cannot be listed. What cannot be removed is left for the next time.
pub fn sweep(folder: &Path) -> io::Result<Swept> {
    let mut swept = Swept::default();
    let (mut temporaries, mut backups, mut news, mut others) = (vec![], vec![], vec![], vec![]);
    for entry in fs::read_dir(folder)? {
        let Ok(entry) = entry else { continue };
        let name = entry.file_name();
        let text = name.to_string_lossy();
        if !text.starts_with('.') {
            others.push(name);
        } else if text.ends_with(TMP) {
            temporaries.push(entry.path());
        } else if text.ends_with(BAK) {
            backups.push(entry.path());
        } else if text.ends_with(NEW) {
            news.push((entry.path(), text.into_owned()));
        } else {
            others.push(name);
        }
    }
    for (after, name) in news {
        let before = after.with_file_name(name.replace(NEW, BAK));
        let hash = target_hash(&name);
        let target = others.iter().find(|other| Some(name_hash(other)) == hash);
        let target = target.map(|name| folder.join(name));
        let before = backups.contains(&before).then_some(before);
        backups.retain(|backup| Some(backup) != before.as_ref());
        mend(target, before, after, &mut swept);
    }
    for path in temporaries {
        remove_left_over(path, &mut swept);
    }
    // A copy of the old content alone: the overwriting had not begun, or had ended.
    for path in backups {
        let name = path.file_name().unwrap_or_default().to_string_lossy().replace(BAK, NEW);
        // Unless it began since the folder was listed.
        if !path.with_file_name(name).exists() {
            remove_left_over(path, &mut swept);
        }
    }
    Ok(swept)
}

fn remove_left_over(path: PathBuf, swept: &mut Swept) {
    if File::open(&path).is_ok_and(|file| is_left_over(&file) && fs::remove_file(&path).is_ok()) {
        swept.removed.push(path);
    }
}

/// [`sweep`] for the folder that a save to `path` writes into, symbolic links followed.
///
/// # Errors
/// As [`sweep`], and when the links lead nowhere.
pub fn sweep_for(path: &Path) -> io::Result<Swept> {
    let target = follow_links(path).map_err(io::Error::other)?;
    sweep(folder_of(&target))
}

/// Looks at one file that was being overwritten in place.
fn mend(target: Option<PathBuf>, before: Option<PathBuf>, after: PathBuf, swept: &mut Swept) {
    // Held to the end, so that no other copy mends the same.
    let Ok(after_file) = File::open(&after) else { return };
    let Ok(before_file) = before.as_ref().map(File::open).transpose() else { return };
    if !before_file.iter().chain([&after_file]).all(is_left_over) {
        return;
    }
    match settle(target.as_deref(), before_file.as_ref(), &after_file) {
        Ok(settled @ (Settled::Whole | Settled::Finished)) => {
            if matches!(settled, Settled::Finished) {
                swept.finished.extend(target);
            }
            // The new one first: alone, the old one says that nothing is to be done.
            for path in [Some(after), before].into_iter().flatten() {
                if fs::remove_file(&path).is_err() {
                    break;
                }
                swept.removed.push(path);
            }
        }
        Ok(Settled::Foreign) | Err(_) => swept.kept.push(Interrupted { target, before, after }),
    }
}

enum Settled {
    /// The old or the new content, complete.
    Whole,
    /// It was a mixture and is the new content now.
    Finished,
    /// Neither: somebody else wrote it, or it is gone.
    Foreign,
}

fn settle(target: Option<&Path>, before: Option<&File>, after: &File) -> io::Result<Settled> {
    let Some(target) = target else { return Ok(Settled::Foreign) };
    let (mut old, mut new) = (Vec::new(), Vec::new());
    // By the handles that hold the locks: on Windows no other one may read.
    let mut after = after;
    after.read_to_end(&mut new)?;
    if let Some(mut before) = before {
        before.read_to_end(&mut old)?;
    }
    let now = match fs::read(target) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Settled::Foreign),
        other => other?,
    };
    if now == new || (before.is_some() && now == old) {
        return Ok(Settled::Whole);
    }
    if !is_mixture(&now, &old, &new) {
        return Ok(Settled::Foreign);
    }
    let mut file = OpenOptions::new().read(true).write(true).open(target)?;
    put(&mut file, &new)?;
    Ok(Settled::Finished)
}

/// Whether every byte is the old one or the new one of its place, or one that the file system
/// had not filled yet: what overwriting leaves that was cut off, also by a power cut.
fn is_mixture(now: &[u8], old: &[u8], new: &[u8]) -> bool {
    let (shortest, longest) = (old.len().min(new.len()), old.len().max(new.len()));
    (shortest..=longest).contains(&now.len())
        && now.iter().enumerate().all(|(index, byte)| {
            *byte == 0 || old.get(index) == Some(byte) || new.get(index) == Some(byte)
        })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

    use super::super::{Base, How, save, temporary};
    use super::*;
    use std::ffi::OsStr;

    #[test]
    fn mixtures_are_told_from_other_writers() {
        assert!(is_mixture(b"newold", b"oldold", b"newnew"));
        assert!(is_mixture(b"new", b"", b"newnew"));
        assert!(is_mixture(b"sho original", b"the original", b"sho"));
        assert!(is_mixture(b"ab\0\0ef", b"ab", b"abcdef"));
        assert!(!is_mixture(b"another", b"oldold", b"newnew"));
        assert!(!is_mixture(b"newolx", b"oldold", b"newnew"));
        assert!(!is_mixture(b"ol", b"oldold", b"newnew"));
    }

    /// A folder as a killed save in place leaves it.
    fn cut_off(now: &[u8], old: &[u8], new: &[u8]) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("clip.motion");
        fs::write(&target, now).unwrap();
        let name = OsStr::new("clip.motion");
        let mut before = temporary::create(folder.path(), name, false).unwrap();
        temporary::fill(before.as_file_mut(), old).unwrap();
        let mut after = temporary::create(folder.path(), name, false).unwrap();
        temporary::fill(after.as_file_mut(), new).unwrap();
        let pair = after.path().to_owned();
        for (file, suffix) in [(before, BAK), (after, NEW)] {
            let (_, mut path) = temporary::rename(file, &pair, suffix).unwrap();
            path.disable_cleanup(true);
        }
        (folder, target)
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn a_cut_off_save_in_place_is_finished() {
        let (folder, target) = cut_off(b"newold", b"oldold", b"newnew and more");
        let swept = sweep(folder.path()).unwrap();
        assert_eq!(swept.finished, std::slice::from_ref(&target));
        assert_eq!(swept.kept, []);
        assert_eq!(fs::read(&target).unwrap(), b"newnew and more");
        assert_eq!(names(folder.path()), ["clip.motion"]);
    }

    #[test]
    fn a_save_in_place_that_had_not_begun_or_had_ended_leaves_the_file() {
        for now in [b"oldold".as_slice(), b"newnew"] {
            let (folder, target) = cut_off(now, b"oldold", b"newnew");
            let swept = sweep(folder.path()).unwrap();
            assert_eq!((swept.finished.len(), swept.removed.len(), swept.kept.len()), (0, 2, 0));
            assert_eq!(fs::read(&target).unwrap(), now);
            assert_eq!(names(folder.path()), ["clip.motion"]);
        }
    }

    #[test]
    fn a_file_that_somebody_changed_afterwards_is_not_touched() {
        let (folder, target) = cut_off(b"somebody else", b"oldold", b"newnew");
        let swept = sweep(folder.path()).unwrap();
        assert_eq!(swept.removed, Vec::<PathBuf>::new());
        let kept = &swept.kept[0];
        assert_eq!(kept.target.as_ref(), Some(&target));
        assert_eq!(fs::read(kept.before.as_ref().unwrap()).unwrap(), b"oldold");
        assert_eq!(fs::read(&kept.after).unwrap(), b"newnew");
        assert_eq!(fs::read(&target).unwrap(), b"somebody else");

        fs::remove_file(&target).unwrap();
        assert_eq!(sweep(folder.path()).unwrap().kept[0].target, None);
        assert_eq!(names(folder.path()).len(), 2);
    }

    #[test]
    fn saves_under_way_are_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let name = OsStr::new("clip.motion");
        let under_way = temporary::create(folder.path(), name, false).unwrap();
        assert_eq!(sweep(folder.path()).unwrap(), Swept::default());
        assert!(under_way.path().exists());
        let (file, path) = under_way.into_parts();
        drop(file);
        assert_eq!(sweep(folder.path()).unwrap().removed, [path.to_path_buf()]);
    }

    #[test]
    fn the_longest_name_and_one_shared_beginning() {
        let folder = tempfile::tempdir().unwrap();
        for last in ["a", "b"] {
            let path = folder.path().join("ü".repeat(127) + last);
            fs::write(&path, "old").unwrap();
            fs::hard_link(&path, folder.path().join(last)).unwrap();
            let saved = save(&path, last.as_bytes(), Base::Any).unwrap();
            assert_eq!(saved.how, How::InPlace);
            assert_eq!(fs::read(&path).unwrap(), last.as_bytes());
        }
        assert_eq!(names(folder.path()).len(), 4);
    }
}
