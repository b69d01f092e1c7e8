//! Watching files that other programs change.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]
#![cfg(target_os = "linux")]

mod files;

use posewright::io::ContentHash;
use posewright::io::save::{Base, How, save};
use posewright::io::watch::{Change, FileEvent, Watcher};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Longer than any event takes to come, with notifications or by polling in these tests.
const QUIET: Duration = Duration::from_millis(900);

fn hash(text: &str) -> ContentHash {
    ContentHash::of(text.as_bytes())
}

/// How another program saves: by renaming a new file over the old one.
fn rename_save(path: &Path, text: &str) {
    let new = path.with_extension("other-programs-new");
    fs::write(&new, text).unwrap();
    fs::rename(new, path).unwrap();
}

struct Setting {
    folder: TempDir,
    watcher: Watcher,
    woken: Receiver<()>,
}

impl Setting {
    /// With the system's notifications, and by polling: both have to tell the same.
    fn both() -> [Self; 2] {
        [false, true].map(|polling| {
            let (wake, woken) = channel();
            let wake = move || {
                let _ = wake.send(());
            };
            let watcher = if polling {
                Watcher::polling(Duration::from_millis(50), wake)
            } else {
                Watcher::start(wake)
            };
            Self { folder: tempfile::tempdir().unwrap(), watcher: watcher.unwrap(), woken }
        })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Makes and watches a file, and waits until it has been looked at.
    fn watch(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, text).unwrap();
        self.watcher.watch(&path, Some(hash(text)));
        std::thread::sleep(Duration::from_millis(150));
        path
    }

    /// The next event, which the watcher must have woken somebody for.
    fn next(&self) -> FileEvent {
        let start = Instant::now();
        self.woken.recv_timeout(Duration::from_secs(30)).unwrap();
        let mut events = self.watcher.events();
        assert_eq!(events.len(), 1, "{events:?} after {:?}", start.elapsed());
        events.remove(0)
    }

    fn expect(&self, path: &Path, change: Change, text: Option<&str>) {
        let event = FileEvent { path: path.to_owned(), change, hash: text.map(hash) };
        assert_eq!(self.next(), event);
    }

    fn expect_quiet(&self) {
        std::thread::sleep(QUIET);
        assert_eq!(self.watcher.events(), []);
    }
}

#[test]
fn two_saves_by_rename_are_two_changes() {
    for setting in Setting::both() {
        let path = setting.watch("a.motion", "0");
        for text in ["first", "second", "third"] {
            rename_save(&path, text);
            setting.expect(&path, Change::Replaced, Some(text));
        }
        setting.expect_quiet();
    }
}

#[test]
fn a_change_is_told_soon() {
    let [setting, _] = Setting::both();
    let path = setting.watch("a.motion", "0");
    let start = Instant::now();
    rename_save(&path, "1");
    setting.next();
    // Notifications gather for 0.1 s and the file must rest as long; polling would take 5 s.
    let took = start.elapsed();
    assert!(took < Duration::from_secs(2), "it took {took:?}: are there no notifications?");
}

#[test]
fn changed_in_place_removed_and_there_again() {
    for setting in Setting::both() {
        let path = setting.watch("a.motion", "0");
        let other = setting.watch("other.motion", "0");
        fs::write(&path, "in place").unwrap();
        setting.expect(&path, Change::Changed, Some("in place"));
        fs::remove_file(&path).unwrap();
        setting.expect(&path, Change::Removed, None);
        fs::write(&path, "in place").unwrap();
        setting.expect(&path, Change::Replaced, Some("in place"));
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        setting.expect(&path, Change::Removed, None);
        fs::write(&other, "1").unwrap();
        setting.expect(&other, Change::Changed, Some("1"));
        setting.watcher.unwatch(&other);
        fs::write(&other, "2").unwrap();
        setting.expect_quiet();
    }
}

#[test]
fn what_changes_nothing_is_not_told() {
    for setting in Setting::both() {
        let path = setting.watch("a.motion", "0");
        fs::write(&path, "0").unwrap();
        rename_save(&path, "0");
        fs::write(setting.path("unrelated"), "1").unwrap();
        // Moved away and back, as some programs do while they save.
        fs::rename(&path, setting.path("backup")).unwrap();
        std::thread::sleep(Duration::from_millis(60));
        fs::write(&path, "0").unwrap();
        setting.expect_quiet();
    }
}

#[test]
fn a_file_that_is_being_written_is_told_once() {
    use std::io::Write;
    for setting in Setting::both() {
        let path = setting.watch("a.motion", "0");
        let mut file = fs::File::create(&path).unwrap();
        let mut text = String::new();
        for line in 0..8 {
            std::thread::sleep(Duration::from_millis(15));
            let line = format!("line {line}\n");
            file.write_all(line.as_bytes()).unwrap();
            text += &line;
        }
        setting.expect(&path, Change::Changed, Some(&text));
        setting.expect_quiet();
    }
}

#[test]
fn our_own_saves_are_not_told() {
    for setting in Setting::both() {
        let path = setting.watch("a.motion", "0");
        let linked = setting.watch("linked.motion", "0");
        fs::hard_link(&linked, setting.path("second")).unwrap();
        let mut base = hash("0");
        for round in 0..4 {
            for (path, how) in [(&path, How::Renamed), (&linked, How::InPlace)] {
                let saving = setting.watcher.saving(path);
                let saved =
                    save(path, format!("round {round}").as_bytes(), Base::Content(base)).unwrap();
                assert_eq!(saved.how, how);
                // Longer than a change has to rest before it is told.
                std::thread::sleep(Duration::from_millis(250));
                saving.done(saved.hash);
            }
            base = hash(&format!("round {round}"));
        }
        setting.expect_quiet();

        // A save that failed hides nothing.
        let saving = setting.watcher.saving(&path);
        rename_save(&path, "theirs");
        save(&path, b"mine", Base::Content(base)).unwrap_err();
        std::thread::sleep(Duration::from_millis(250));
        assert_eq!(setting.watcher.events(), []);
        drop(saving);
        setting.expect(&path, Change::Replaced, Some("theirs"));

        // Nor does one that somebody else was faster to replace.
        let saving = setting.watcher.saving(&path);
        let saved = save(&path, b"mine", Base::Any).unwrap();
        rename_save(&path, "theirs again");
        saving.done(saved.hash);
        assert_eq!(setting.next().hash, Some(hash("theirs again")));
    }
}

#[test]
fn a_change_before_the_watch_is_told() {
    for setting in Setting::both() {
        let path = setting.path("a.motion");
        fs::write(&path, "newer than what was read").unwrap();
        setting.watcher.watch(&path, Some(hash("what was read")));
        setting.expect(&path, Change::Changed, Some("newer than what was read"));
        let missing = setting.path("missing.motion");
        setting.watcher.watch(&missing, None);
        setting.expect_quiet();
        fs::write(&missing, "made").unwrap();
        setting.expect(&missing, Change::Replaced, Some("made"));
    }
}

#[test]
fn links_are_watched_where_they_lead() {
    for setting in Setting::both() {
        for name in ["one", "two", "links"] {
            fs::create_dir(setting.path(name)).unwrap();
        }
        let (one, two) = (setting.path("one/a.motion"), setting.path("two/a.motion"));
        fs::write(&one, "one").unwrap();
        fs::write(&two, "two").unwrap();
        let link = setting.path("links/a.motion");
        symlink("../one/a.motion", &link).unwrap();
        setting.watcher.watch(&link, Some(hash("one")));
        std::thread::sleep(Duration::from_millis(150));
        rename_save(&one, "one, new");
        setting.expect(&link, Change::Replaced, Some("one, new"));
        // The link itself changes, and then what it leads to now.
        fs::remove_file(&link).unwrap();
        symlink(&two, &link).unwrap();
        setting.expect(&link, Change::Replaced, Some("two"));
        rename_save(&two, "two, new");
        setting.expect(&link, Change::Replaced, Some("two, new"));
        rename_save(&one, "nobody looks at this one now");
        setting.expect_quiet();
    }
}

#[test]
fn a_folder_that_is_made_anew_is_watched_again() {
    for setting in Setting::both() {
        let folder = setting.path("project");
        fs::create_dir(&folder).unwrap();
        let path = setting.watch("project/a.motion", "0");
        fs::remove_dir_all(&folder).unwrap();
        setting.expect(&path, Change::Removed, None);
        fs::create_dir(&folder).unwrap();
        fs::write(&path, "1").unwrap();
        setting.expect(&path, Change::Replaced, Some("1"));
        // Where it were only polled, every change would take the whole interval; on a busy machine
        // a single one may.
        let quick = ["2", "3", "4"].iter().any(|text| {
            let start = Instant::now();
            rename_save(&path, text);
            setting.expect(&path, Change::Replaced, Some(text));
            start.elapsed() < Duration::from_secs(3)
        });
        assert!(quick, "it is only polled now");
    }
}
