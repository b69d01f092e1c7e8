//! Durable saves: what stays, what changes and what is refused.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]
#![cfg(target_os = "linux")]

mod files;

use files::{as_ordinary_user, is_root, names, skip};
use posewright::io::ContentHash;
use posewright::io::save::{Base, How, SaveError, save, sweep, sweep_for};
use std::fs::{self, File, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

fn content(text: &str) -> Base {
    Base::Content(ContentHash::of(text.as_bytes()))
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().mode() & 0o7777
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

#[test]
fn a_new_file_has_the_rights_of_any_new_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.motion");
    let saved = save(&path, b"one", Base::Absent).unwrap();
    assert_eq!((saved.how, saved.path), (How::Renamed, path.clone()));
    assert_eq!(saved.hash, ContentHash::of(b"one"));
    assert_eq!(read(&path), "one");
    let plain = folder.path().join("plain");
    File::create(&plain).unwrap();
    assert_eq!(mode(&path), mode(&plain));
    assert_eq!(names(folder.path()), ["a.motion", "plain"]);
}

#[test]
fn an_old_file_keeps_its_mode_and_the_saves_follow_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.motion");
    fs::write(&path, "0").unwrap();
    let mut base = content("0");
    for (index, bits) in [0o600, 0o640, 0o664, 0o755, 0o2755, 0o666].into_iter().enumerate() {
        fs::set_permissions(&path, Permissions::from_mode(bits)).unwrap();
        let before = fs::metadata(&path).unwrap().ino();
        let text = format!("save {index}");
        let saved = save(&path, text.as_bytes(), base).unwrap();
        assert_eq!((read(&path), mode(&path)), (text, bits));
        assert_ne!(fs::metadata(&path).unwrap().ino(), before);
        base = Base::Content(saved.hash);
    }
    assert_eq!(names(folder.path()), ["a.motion"]);
}

#[test]
fn empty_and_large_contents() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.motion");
    let large = "0123456789abcdef".repeat(1 << 20);
    for text in ["", &large, "small", ""] {
        save(&path, text.as_bytes(), Base::Any).unwrap();
        assert!(read(&path) == text);
    }
}

#[test]
fn a_file_that_changed_on_disk_is_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.motion");
    fs::write(&path, "theirs").unwrap();

    let error = save(&path, b"mine", content("base")).unwrap_err();
    assert!(
        matches!(&error, SaveError::ChangedOnDisk { now: Some(now), .. } if *now == ContentHash::of(b"theirs"))
    );
    assert!(!error.replaced());
    let text = error.to_string();
    assert!(text.contains("changed on disk") && text.contains("a.motion"), "{text}");
    assert_eq!(read(&path), "theirs");

    assert!(matches!(save(&path, b"mine", Base::Absent), Err(SaveError::Exists { .. })));
    assert_eq!(read(&path), "theirs");
    assert_eq!(names(folder.path()), ["a.motion"]);

    // What is there is what would be written: nobody's work is lost.
    save(&path, b"theirs", content("base")).unwrap();

    save(&path, b"mine", Base::Any).unwrap();
    assert_eq!(read(&path), "mine");

    fs::remove_file(&path).unwrap();
    let error = save(&path, b"mine", content("mine")).unwrap_err();
    assert!(matches!(error, SaveError::ChangedOnDisk { now: None, .. }));
    assert!(error.to_string().contains("was removed from disk"));
    assert_eq!(names(folder.path()), [""; 0]);
}

#[test]
fn a_symbolic_link_stays_and_its_target_changes() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    fs::create_dir_all(root.join("links")).unwrap();
    fs::create_dir_all(root.join("real/deep")).unwrap();
    let target = root.join("real/deep/a.motion");
    fs::write(&target, "old").unwrap();
    // Relative to where each link lies, and through an absolute one.
    symlink("../real/second", root.join("links/first")).unwrap();
    symlink(root.join("links/third"), root.join("real/second")).unwrap();
    symlink("../real/deep/a.motion", root.join("links/third")).unwrap();
    let link = root.join("links/first");
    let before: Vec<_> = ["links/first", "real/second", "links/third"]
        .map(|name| fs::symlink_metadata(root.join(name)).unwrap())
        .iter()
        .map(|link| (link.ino(), link.mtime_nsec(), link.mtime()))
        .collect();
    std::thread::sleep(Duration::from_millis(20));

    let saved = save(&link, b"new", content("old")).unwrap();
    assert_eq!(fs::canonicalize(saved.path).unwrap(), fs::canonicalize(&target).unwrap());
    assert_eq!(read(&target), "new");
    let after: Vec<_> = ["links/first", "real/second", "links/third"]
        .map(|name| fs::symlink_metadata(root.join(name)).unwrap())
        .iter()
        .map(|link| (link.ino(), link.mtime_nsec(), link.mtime()))
        .collect();
    assert_eq!(after, before);
    assert_eq!(names(&root.join("links")), ["first", "third"]);
    assert_eq!(names(&root.join("real/deep")), ["a.motion"]);
    assert_eq!(sweep_for(&link).unwrap(), sweep(&root.join("real/deep")).unwrap());
}

#[test]
fn a_dangling_link_gets_its_target() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    fs::create_dir(root.join("there")).unwrap();
    let link = root.join("a.motion");
    symlink("there/b.motion", &link).unwrap();
    save(&link, b"new", Base::Absent).unwrap();
    assert_eq!(fs::read_link(&link).unwrap(), Path::new("there/b.motion"));
    assert_eq!(read(&root.join("there/b.motion")), "new");

    let lost = root.join("lost");
    symlink("nowhere/b.motion", &lost).unwrap();
    let error = save(&lost, b"new", Base::Absent).unwrap_err();
    assert!(matches!(error, SaveError::NoFolder { .. }), "{error}");
    assert!(error.to_string().contains("nowhere"), "{error}");
    assert!(fs::symlink_metadata(&lost).unwrap().is_symlink());
}

#[test]
fn links_in_a_circle_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let (one, two) = (folder.path().join("one"), folder.path().join("two"));
    symlink("two", &one).unwrap();
    symlink("one", &two).unwrap();
    let error = save(&one, b"new", Base::Any).unwrap_err();
    assert!(matches!(error, SaveError::LinkLoop { .. }), "{error}");
    let own = folder.path().join("own");
    symlink("own", &own).unwrap();
    assert!(matches!(save(&own, b"new", Base::Any), Err(SaveError::LinkLoop { .. })));
    assert_eq!(names(folder.path()), ["one", "own", "two"]);
}

#[test]
fn a_hard_link_stays_the_same_file() {
    let folder = tempfile::tempdir().unwrap();
    let (one, two) = (folder.path().join("one"), folder.path().join("two"));
    fs::write(&one, "old").unwrap();
    fs::set_permissions(&one, Permissions::from_mode(0o604)).unwrap();
    fs::hard_link(&one, &two).unwrap();
    let inode = fs::metadata(&one).unwrap().ino();
    let mut base = content("old");
    for text in ["a longer text than before", "short", ""] {
        let saved = save(&one, text.as_bytes(), base).unwrap();
        assert_eq!(saved.how, How::InPlace);
        assert_eq!((read(&one), read(&two)), (text.to_owned(), text.to_owned()));
        assert_eq!(fs::metadata(&two).unwrap().ino(), inode);
        assert_eq!(mode(&one), 0o604);
        assert_eq!(names(folder.path()), ["one", "two"]);
        base = Base::Content(saved.hash);
    }
    let error = save(&one, b"mine", content("something else")).unwrap_err();
    assert!(matches!(error, SaveError::ChangedOnDisk { .. }));
}

#[test]
fn what_is_no_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let path = root.join("a.motion");
    let refused = |what: &str| {
        for base in [content("old"), Base::Any, Base::Absent] {
            let error = save(&path, b"new", base).unwrap_err();
            assert!(matches!(error, SaveError::NotAFile { .. }), "{error}");
            assert!(error.to_string().contains(what), "{error}");
        }
        assert_eq!(names(root), ["a.motion"]);
    };
    fs::create_dir(&path).unwrap();
    refused("a folder");
    fs::remove_dir(&path).unwrap();

    assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    refused("a FIFO");
    fs::remove_file(&path).unwrap();

    let _socket = std::os::unix::net::UnixListener::bind(&path).unwrap();
    refused("a socket");

    let error = save(&root.join(".."), b"new", Base::Any).unwrap_err();
    assert!(matches!(error, SaveError::NotAFile { .. }), "{error}");
    let error = save(&root.join("a.motion/b"), b"new", Base::Any).unwrap_err();
    assert!(error.to_string().contains("a.motion"), "{error}");
    let error = save(&root.join("none/b"), b"new", Base::Any).unwrap_err();
    assert!(matches!(error, SaveError::NoFolder { .. }), "{error}");
}

#[test]
fn a_read_only_file_is_refused() {
    as_ordinary_user(
        "a_read_only_file_is_refused",
        |_| {},
        |folder| {
            let path = folder.join("a.motion");
            for bits in [0o444, 0o200, 0] {
                fs::write(&path, "old").unwrap();
                fs::set_permissions(&path, Permissions::from_mode(bits)).unwrap();
                for base in [content("old"), Base::Any] {
                    let error = save(&path, b"new", base).unwrap_err();
                    assert!(matches!(error, SaveError::ReadOnly { .. }), "{error}");
                    assert!(error.to_string().contains("Make it writable"), "{error}");
                }
                assert_eq!(mode(&path), bits);
                fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
                assert_eq!(read(&path), "old");
            }
            assert_eq!(names(folder), ["a.motion"]);
        },
    );
}

#[test]
fn a_read_only_folder_is_refused_and_one_that_cannot_be_listed_is_not() {
    let name = "a_read_only_folder_is_refused_and_one_that_cannot_be_listed_is_not";
    as_ordinary_user(
        name,
        |_| {},
        |root| {
            let folder = root.join("folder");
            fs::create_dir(&folder).unwrap();
            let path = folder.join("a.motion");
            fs::write(&path, "old").unwrap();
            let new = folder.join("new.motion");

            fs::set_permissions(&folder, Permissions::from_mode(0o555)).unwrap();
            let errors = [save(&path, b"new", content("old")), save(&new, b"new", Base::Absent)]
                .map(Result::unwrap_err);
            for error in errors {
                assert!(!error.replaced());
                assert!(error.to_string().contains("Make the folder writable"), "{error}");
            }
            assert_eq!(read(&path), "old");
            assert_eq!(names(&folder), ["a.motion"]);

            fs::set_permissions(&folder, Permissions::from_mode(0o333)).unwrap();
            save(&path, b"new", content("old")).unwrap();
            save(&new, b"new", Base::Absent).unwrap();
            fs::set_permissions(&folder, Permissions::from_mode(0o700)).unwrap();
            assert_eq!((read(&path).as_str(), read(&new).as_str()), ("new", "new"));
            assert_eq!(names(&folder), ["a.motion", "new.motion"]);
        },
    );
}

#[test]
fn somebody_elses_file_keeps_its_owner() {
    if files::role().is_none() && !is_root() {
        return skip("only root can make a file that belongs to somebody else");
    }
    as_ordinary_user(
        "somebody_elses_file_keeps_its_owner",
        |folder| {
            let path = folder.join("a.motion");
            fs::write(&path, "old").unwrap();
            fs::set_permissions(&path, Permissions::from_mode(0o666)).unwrap();
        },
        |folder| {
            let path = folder.join("a.motion");
            let before = fs::metadata(&path).unwrap();
            assert_eq!(before.uid(), 0);
            let saved = save(&path, b"new text", content("old")).unwrap();
            assert_eq!(saved.how, How::InPlace);
            let after = fs::metadata(&path).unwrap();
            assert_eq!((after.uid(), after.gid(), after.ino()), (0, 0, before.ino()));
            assert_eq!((read(&path).as_str(), mode(&path)), ("new text", 0o666));
            assert_eq!(names(folder), ["a.motion"]);
        },
    );
}

#[test]
fn root_gives_the_new_file_to_the_old_owner() {
    if !is_root() {
        return skip("only root can give files away");
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.motion");
    fs::write(&path, "old").unwrap();
    chown(&path, Some(65534), Some(1)).unwrap();
    fs::set_permissions(&path, Permissions::from_mode(0o4750)).unwrap();
    let saved = save(&path, b"new", content("old")).unwrap();
    let after = fs::metadata(&path).unwrap();
    assert_eq!((saved.how, after.uid(), after.gid()), (How::Renamed, 65534, 1));
    assert_eq!((read(&path).as_str(), mode(&path)), ("new", 0o4750));
}

/// An access list as the kernel stores it: tag, rights, user.
fn access_list(entries: &[(u16, u16, u32)]) -> Vec<u8> {
    let mut bytes = 2u32.to_le_bytes().to_vec();
    for (tag, rights, user) in entries {
        bytes.extend(tag.to_le_bytes());
        bytes.extend(rights.to_le_bytes());
        bytes.extend(user.to_le_bytes());
    }
    bytes
}

#[test]
fn extended_attributes_and_access_lists_stay() {
    use rustix::fs::{XattrFlags, getxattr, setxattr};
    const ACCESS: &str = "system.posix_acl_access";
    const NOBODY: u32 = u32::MAX;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.motion");
    let plain = folder.path().join("plain.motion");
    fs::write(&path, "old").unwrap();
    fs::write(&plain, "old").unwrap();
    fs::set_permissions(&plain, Permissions::from_mode(0o640)).unwrap();
    // User 1000 may read it, beside the owner and the group.
    let list = access_list(&[
        (1, 6, NOBODY),
        (2, 4, 1000),
        (4, 4, NOBODY),
        (16, 4, NOBODY),
        (32, 0, NOBODY),
    ]);
    for set in [
        setxattr(&path, "user.note", b"keep me", XattrFlags::empty()),
        setxattr(&path, ACCESS, &list, XattrFlags::empty()),
        // What a new file in the folder would get, and `plain` has not.
        setxattr(folder.path(), "system.posix_acl_default", &list, XattrFlags::empty()),
    ] {
        match set {
            Err(rustix::io::Errno::NOTSUP) => {
                return eprintln!("skipped: this file system has no attributes ({set:?})");
            }
            other => other.unwrap(),
        }
    }
    for path in [&path, &plain] {
        assert_eq!(save(path, b"new", content("old")).unwrap().how, How::Renamed);
        assert_eq!(mode(path), 0o640);
    }
    let get = |path: &Path, name: &str| {
        let mut value = vec![0; 256];
        let length = getxattr(path, name, value.as_mut_slice())?;
        value.truncate(length);
        Ok::<_, rustix::io::Errno>(value)
    };
    assert_eq!(get(&path, "user.note").unwrap(), b"keep me");
    assert_eq!(get(&path, ACCESS).unwrap(), list);
    assert_eq!(get(&plain, ACCESS), Err(rustix::io::Errno::NODATA));
}

#[test]
fn names_that_are_not_unicode_and_paths_without_a_folder() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(std::ffi::OsStr::from_bytes(b"\xff\xfe\xfd.motion"));
    save(&path, b"one", Base::Absent).unwrap();
    fs::hard_link(&path, folder.path().join("second")).unwrap();
    assert_eq!(save(&path, b"two", content("one")).unwrap().how, How::InPlace);
    assert_eq!(read(&path), "two");

    // The working folder belongs to the whole process, so another one saves there.
    if let Some((_, folder)) = files::role() {
        std::env::set_current_dir(folder).unwrap();
        save(Path::new("here.motion"), b"here", Base::Absent).unwrap();
        save(Path::new("here.motion"), b"again", content("here")).unwrap();
        sweep_for(Path::new("here.motion")).unwrap();
        return;
    }
    let arguments = files::rerun_arguments("names_that_are_not_unicode_and_paths_without_a_folder");
    files::assert_passed(&files::rerun(&[], &arguments, "here", folder.path()).output().unwrap());
    assert_eq!(read(&folder.path().join("here.motion")), "again");
}

#[test]
fn saves_and_sweeps_at_the_same_time_do_not_meet() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let linked = root.join("linked");
    fs::write(&linked, "x").unwrap();
    fs::hard_link(&linked, root.join("other")).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..3 {
            scope.spawn(move || {
                let path = root.join(format!("{thread}.motion"));
                for round in 0..40 {
                    save(&path, format!("{thread} {round}").as_bytes(), Base::Any).unwrap();
                }
            });
        }
        let linked = &linked;
        scope.spawn(move || {
            for round in 0..40 {
                save(linked, "round ".repeat(round).as_bytes(), Base::Any).unwrap();
            }
        });
        scope.spawn(|| {
            for _ in 0..200 {
                // It may take a file that was made but not locked yet; the save makes another.
                let swept = sweep(root).unwrap();
                assert_eq!((swept.finished, swept.kept), (vec![], vec![]));
            }
        });
    });
    for thread in 0..3 {
        assert_eq!(read(&root.join(format!("{thread}.motion"))), format!("{thread} 39"));
    }
    assert_eq!(read(&linked), "round ".repeat(39));
    assert_eq!(names(root).len(), 5);
}
