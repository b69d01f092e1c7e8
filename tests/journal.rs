//! The recovery journal: what comes back after a crash, a cut, a flipped bit.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]
#![cfg(target_os = "linux")]

mod files;

use files::{names, rerun, rerun_arguments, role};
use posewright::io::journal::{
    DocumentId, DocumentName, Journal, NewText, Recoverable, recover, recovery_folder,
};
use proptest::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Long enough that only `flush` writes.
const NEVER: Duration = Duration::from_secs(3600);

fn change(document: DocumentId, text: &str) -> (DocumentId, NewText) {
    (document, NewText::Ready(text.into()))
}

/// What the disk would hold if the machine stopped now: a copy that no process holds locked.
fn crash(recovery: &Path) -> TempDir {
    fn copy(from: &Path, to: &Path) {
        for entry in fs::read_dir(from).unwrap() {
            let from = entry.unwrap().path();
            let to = to.join(from.file_name().unwrap());
            if from.is_dir() {
                fs::create_dir(&to).unwrap();
                copy(&from, &to);
            } else {
                fs::copy(&from, &to).unwrap();
            }
        }
    }
    let disk = tempfile::tempdir().unwrap();
    copy(recovery, disk.path());
    disk
}

/// The texts that are offered, by label. Nothing is discarded.
fn offered(recovery: &Path) -> Vec<(String, String)> {
    let recovered = recover(recovery).unwrap();
    let mut texts: Vec<_> =
        recovered.offers().map(|(_, offer)| (offer.label.clone(), offer.text.clone())).collect();
    texts.sort();
    texts
}

fn journals(recovery: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(recovery).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        }
    }
    found.sort();
    found
}

/// A journal, its folder, and a folder with files that hold their own names.
struct Setting {
    recovery: TempDir,
    project: TempDir,
    journal: Journal,
}

impl Setting {
    fn new() -> Self {
        let recovery = tempfile::tempdir().unwrap();
        let journal = Journal::start_with(recovery.path(), NEVER).unwrap();
        Self { recovery, project: tempfile::tempdir().unwrap(), journal }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.project.path().join(name)
    }

    /// Makes and opens a file.
    fn open(&self, name: &str, text: &str) -> DocumentId {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        self.journal.open(&DocumentName::File(path), text.into())
    }

    fn step(&self, changes: &[(DocumentId, &str)]) {
        self.journal.step(changes.iter().map(|(id, text)| change(*id, text)).collect());
        self.journal.flush().unwrap();
    }

    fn crash(&self) -> TempDir {
        crash(self.recovery.path())
    }
}

#[test]
fn the_newest_text_comes_back() {
    let setting = Setting::new();
    let one = setting.open("one/a.motion", "base");
    let two = setting.open("two/a.motion", "base");
    let new = setting.journal.open(&DocumentName::Untitled(1, "untitled".into()), "".into());
    assert!(journals(setting.recovery.path()).is_empty());
    setting.step(&[(one, "base, edited")]);
    setting.step(&[(one, "edited")]);
    setting.step(&[(new, "möre"), (two, "other")]);
    setting.step(&[(new, "märe")]);

    let disk = setting.crash();
    let recovered = recover(disk.path()).unwrap();
    let mut found: Vec<Recoverable> = recovered.offers().map(|(_, offer)| offer.clone()).collect();
    found.sort_by(|one, two| one.text.cmp(&two.text));
    let texts: Vec<_> = found.iter().map(|offer| offer.text.as_str()).collect();
    assert_eq!(texts, ["edited", "märe", "other"]);
    let root = fs::canonicalize(setting.project.path()).unwrap();
    assert_eq!(found[0].path.as_ref(), Some(&root.join("one/a.motion")));
    assert_eq!((&found[1].path, found[1].label.as_str()), (&None, "untitled"));
    assert_eq!(found[2].path.as_ref(), Some(&root.join("two/a.motion")));
    assert!(found.iter().all(|offer| offer.base_matches && !offer.incomplete));
    assert_eq!(fs::read_to_string(setting.path("one/a.motion")).unwrap(), "base");
}

#[test]
fn what_is_on_disk_already_is_not_offered() {
    let setting = Setting::new();
    let undone = setting.open("undone", "base");
    let saved = setting.open("saved", "base");
    let changed = setting.open("changed", "base");
    let gone = setting.open("gone", "base");
    setting.step(&[(undone, "edit"), (saved, "edit"), (changed, "edit"), (gone, "edit")]);
    setting.step(&[(undone, "base")]);
    // The save was done, but the copy died before it could tell the journal.
    fs::write(setting.path("saved"), "edit").unwrap();
    fs::write(setting.path("changed"), "by somebody else").unwrap();
    fs::remove_file(setting.path("gone")).unwrap();

    let disk = setting.crash();
    let recovered = recover(disk.path()).unwrap();
    let mut found: Vec<_> = recovered
        .offers()
        .map(|(_, offer)| (offer.label.as_str(), offer.text.as_str(), offer.base_matches))
        .collect();
    found.sort();
    assert_eq!(found, [("changed", "edit", false), ("gone", "edit", false)]);
    assert_eq!(fs::read_to_string(setting.path("changed")).unwrap(), "by somebody else");
}

#[test]
fn saving_and_closing_leave_nothing() {
    let setting = Setting::new();
    let recovery = setting.recovery.path().to_owned();
    let one = setting.open("one", "base");
    let two = setting.open("two", "base");
    setting.step(&[(one, "one, shared"), (two, "two, shared")]);
    setting.journal.saved(two, "two, shared".into());
    fs::write(setting.path("two"), "two, shared").unwrap();
    setting.journal.flush().unwrap();
    // The other half of the step is on the disk already; this half is whole by itself.
    assert_eq!(offered(setting.crash().path()), [("one".to_owned(), "one, shared".to_owned())]);

    // A saved document may be edited on.
    setting.step(&[(two, "two, again")]);
    let both = [("one", "one, shared"), ("two", "two, again")]
        .map(|(label, text)| (label.to_owned(), text.to_owned()));
    assert_eq!(offered(setting.crash().path()), both);

    // Closed without saving: the user did not want it.
    setting.journal.closed(two);
    setting.journal.flush().unwrap();
    assert_eq!(offered(setting.crash().path()), both[..1]);
    setting.journal.saved(one, "one, shared".into());
    setting.journal.flush().unwrap();
    assert!(journals(&recovery).is_empty());
    assert_eq!(offered(setting.crash().path()), []);
    drop(setting.journal);
    assert_eq!(names(&recovery), [""; 0]);
}

#[test]
fn dropping_the_journal_keeps_what_is_unsaved() {
    let setting = Setting::new();
    let one = setting.open("one", "base");
    setting.journal.step(vec![change(one, "pending")]);
    // No flush: a panic that unwinds drops the journal.
    drop(setting.journal);
    let all = offered(setting.recovery.path());
    assert_eq!(all, [("one".to_owned(), "pending".to_owned())]);
    assert_eq!(offered(setting.recovery.path()), all);
}

/// A line of a record's own, and one that both documents of a shared step have.
fn lines(own: usize, shared: usize) -> String {
    format!("own: {own}\n{}\nshared: {shared}\n", "note ".repeat(own))
}

fn shared_of(text: &str) -> &str {
    text.lines().find_map(|line| line.strip_prefix("shared: ")).unwrap()
}

/// Two documents with steps of their own and shared ones, and the texts after each.
fn history(setting: &Setting) -> [Vec<String>; 2] {
    let ids = [setting.open("one", &lines(0, 0)), setting.open("two", &lines(0, 0))];
    let mut state = [(0, 0), (0, 0)];
    let mut texts = [vec![lines(0, 0)], vec![lines(0, 0)]];
    for step in ["1", "both", "2", "both", "1", "1", "both", "2"] {
        let mut changes = Vec::new();
        for document in 0..2 {
            let (own, shared) = &mut state[document];
            match step {
                "both" => *shared += 1,
                _ if step == (document + 1).to_string() => *own += 1,
                _ => continue,
            }
            let text = lines(*own, *shared);
            changes.push((ids[document], text.clone()));
            texts[document].push(text);
        }
        let changes: Vec<_> = changes.iter().map(|(id, text)| (*id, text.as_str())).collect();
        setting.step(&changes);
    }
    texts
}

/// What must hold whatever happened to one of two journals: texts that were, never later than
/// the bytes allow, and shared steps in both or none. Gives how many texts were lost.
fn check_pair(disk: &Path, texts: &[Vec<String>; 2], what: &str) -> usize {
    // What is not offered is removed, so each look has its own copy.
    let disk = crash(disk);
    let recovered = recover(disk.path()).unwrap();
    let damaged = recovered.damaged().count();
    let mut shared = Vec::new();
    let mut lost = 0;
    for (label, texts) in ["one", "two"].into_iter().zip(texts) {
        let offer = recovered.offers().find(|(_, offer)| offer.label == label);
        let text = offer.map_or(texts[0].as_str(), |(_, offer)| offer.text.as_str());
        let at = texts.iter().position(|known| known == text);
        assert!(at.is_some(), "{what}: {label} never was {text:?}");
        lost += texts.len() - 1 - at.unwrap();
        if let Some((_, offer)) = offer {
            // A cut between two records cannot be seen.
            assert!(!offer.incomplete || at.unwrap() + 1 < texts.len(), "{what}: {label}");
        }
        shared.push(shared_of(text).to_owned());
    }
    assert_eq!(shared[0], shared[1], "{what}: a shared step is in one document only");
    assert!(damaged <= 1);
    lost
}

#[test]
fn a_journal_cut_at_any_byte_gives_its_longest_good_beginning() {
    let setting = Setting::new();
    let texts = history(&setting);
    let disk = setting.crash();
    assert_eq!(check_pair(disk.path(), &texts, "whole"), 0);
    for journal in journals(disk.path()) {
        let whole = fs::read(&journal).unwrap();
        let mut lost_before = 0;
        for length in (0..whole.len()).rev() {
            fs::write(&journal, &whole[..length]).unwrap();
            let lost = check_pair(disk.path(), &texts, &format!("cut at {length}"));
            assert!(lost >= lost_before, "cut at {length}: less is left and more comes back");
            assert!(lost > 0);
            lost_before = lost;
        }
        assert!(lost_before > 6);
        fs::write(&journal, &whole).unwrap();
    }
    // A last record that is only half there costs its own step alone.
    let alone = Setting::new();
    let id = alone.open("alone", "base");
    alone.step(&[(id, "first")]);
    alone.step(&[(id, "second")]);
    let disk = alone.crash();
    let journal = &journals(disk.path())[0];
    let whole = fs::read(journal).unwrap();
    fs::write(journal, &whole[..whole.len() - 1]).unwrap();
    let recovered = recover(disk.path()).unwrap();
    let (_, offer) = recovered.offers().next().unwrap();
    assert_eq!((offer.text.as_str(), offer.incomplete), ("first", true));
}

#[test]
fn a_flipped_byte_is_never_believed() {
    let setting = Setting::new();
    let texts = history(&setting);
    let disk = setting.crash();
    for journal in journals(disk.path()) {
        let whole = fs::read(&journal).unwrap();
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << (at % 8);
            fs::write(&journal, &bytes).unwrap();
            let lost = check_pair(disk.path(), &texts, &format!("flipped at {at}"));
            assert!(lost > 0, "flipped at {at}: nothing noticed");
        }
        fs::write(&journal, &whole).unwrap();
    }
    assert_eq!(check_pair(disk.path(), &texts, "whole again"), 0);
}

#[test]
fn a_damaged_journal_is_kept_and_named() {
    let setting = Setting::new();
    let one = setting.open("one", "base");
    setting.step(&[(one, "edited")]);
    let disk = setting.crash();
    let journal = journals(disk.path()).remove(0);
    fs::write(&journal, "not a journal").unwrap();
    for _ in 0..2 {
        let recovered = recover(disk.path()).unwrap();
        assert_eq!(recovered.offers().count(), 0);
        let damaged: Vec<_> = recovered.damaged().map(|found| found.journal.clone()).collect();
        assert_eq!(damaged, std::slice::from_ref(&journal));
    }
    recover(disk.path()).unwrap().discard_damaged().unwrap();
    assert_eq!(names(disk.path()), [""; 0]);
}

/// The child: edits, tells so, and waits to be killed.
#[test]
fn child_edits_and_waits() {
    let Some((text, folder)) = role() else { return };
    let journal = Journal::start(&folder.join("recovery")).unwrap();
    let name = DocumentName::File(folder.join("a.motion"));
    let id = journal.open(&name, "base".into());
    journal.step(vec![change(id, &text)]);
    fs::write(folder.join("edited"), "").unwrap();
    std::thread::sleep(Duration::from_secs(600));
}

#[test]
fn two_copies_and_a_kill_after_two_seconds() {
    let folder = tempfile::tempdir().unwrap();
    let recovery = folder.path().join("recovery");
    let path = folder.path().join("a.motion");
    fs::write(&path, "base").unwrap();
    // This copy works on the same file.
    let own = Journal::start_with(&recovery, NEVER).unwrap();
    let id = own.open(&DocumentName::File(path.clone()), "base".into());
    own.step(vec![change(id, "mine")]);
    own.flush().unwrap();

    let arguments = rerun_arguments("child_edits_and_waits");
    let mut command = rerun(&[], &arguments, "theirs", folder.path());
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let start = Instant::now();
    while !folder.path().join("edited").exists() {
        assert!(start.elapsed() < Duration::from_secs(60), "the child does not start");
        std::thread::sleep(Duration::from_millis(2));
    }
    std::thread::sleep(Duration::from_millis(1900));
    // Both run: nothing is offered, nothing is taken away.
    assert_eq!(offered(&recovery), []);
    child.kill().unwrap();
    child.wait().unwrap();

    let theirs = [("a.motion".to_owned(), "theirs".to_owned())];
    assert_eq!(offered(&recovery), theirs);
    let mut first = recover(&recovery).unwrap();
    assert_eq!(first.offers().count(), 1);
    // A third copy that starts while the first asks its user is not offered the same.
    assert_eq!(offered(&recovery), []);
    let (index, _) = first.offers().next().unwrap();
    first.discard(index).unwrap();
    assert_eq!(first.offers().count(), 0);
    drop(first);
    assert_eq!(offered(&recovery), []);
    // The own journal never was touched.
    assert_eq!(offered(crash(&recovery).path())[0].1, "mine");
    own.closed(id);
    drop(own);
    assert_eq!(names(&recovery), [""; 0]);
    assert_eq!(fs::read_to_string(&path).unwrap(), "base");
}

#[test]
fn taking_one_offer_keeps_the_others_whole() {
    let setting = Setting::new();
    let ids = ["one", "two", "three"].map(|name| setting.open(name, "base"));
    setting.step(&[(ids[0], "1"), (ids[1], "2"), (ids[2], "3")]);
    let disk = setting.crash();
    let mut recovered = recover(disk.path()).unwrap();
    let index = recovered.offers().find(|(_, offer)| offer.text == "2").unwrap().0;
    recovered.discard(index).unwrap();
    recovered.discard(index).unwrap();
    drop(recovered);
    let texts: Vec<_> = offered(disk.path()).into_iter().map(|(_, text)| text).collect();
    assert_eq!(texts, ["1", "3"]);
    let mut recovered = recover(disk.path()).unwrap();
    let rest: Vec<_> = recovered.offers().map(|(index, _)| index).collect();
    for index in rest {
        recovered.discard(index).unwrap();
    }
    assert_eq!(names(disk.path()), [""; 0]);
}

#[test]
fn the_caller_never_waits_and_old_texts_are_not_made() {
    let setting = Setting::new();
    let id = setting.open("one", "base");
    let made = Arc::new(AtomicUsize::new(0));
    let start = Instant::now();
    for step in 0..1000 {
        let made = made.clone();
        let text = NewText::lazy(move || {
            made.fetch_add(1, Ordering::SeqCst);
            std::thread::sleep(Duration::from_millis(300));
            format!("step {step}").into()
        });
        setting.journal.step(vec![(id, text)]);
    }
    let took = start.elapsed();
    assert!(took < Duration::from_millis(200), "1000 steps held the caller for {took:?}");
    setting.journal.flush().unwrap();
    assert_eq!(made.load(Ordering::SeqCst), 1);
    assert_eq!(offered(setting.crash().path())[0].1, "step 999");
}

#[test]
fn changes_are_written_without_being_asked() {
    let recovery = tempfile::tempdir().unwrap();
    let journal = Journal::start_with(recovery.path(), Duration::from_millis(20)).unwrap();
    let id = journal.open(&DocumentName::Untitled(1, "new".into()), "".into());
    for text in ["first", "second"] {
        journal.step(vec![change(id, text)]);
        let start = Instant::now();
        while offered(crash(recovery.path()).path()).first().is_none_or(|(_, had)| had != text) {
            assert!(start.elapsed() < Duration::from_secs(20), "{text} is not written");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

#[test]
fn a_journal_that_cannot_be_written_says_so_and_catches_up() {
    let setting = Setting::new();
    // Enough of them that some stand before the new one, in whatever order they are written.
    let labels = ["1", "2", "3", "4", "5", "6", "7", "8"];
    let old = labels.map(|label| setting.open(label, "base"));
    setting.step(&old.map(|id| (id, "first")));
    assert_eq!(setting.journal.problem(), None);
    let session = journals(setting.recovery.path())[0].parent().unwrap().to_owned();
    let new = setting.open("new", "base");
    // The last journal cannot be made: no part of the step may come back.
    let aside = session.with_extension("aside");
    fs::rename(&session, &aside).unwrap();
    let changes = old.into_iter().chain([new]).map(|id| change(id, "half"));
    setting.journal.step(changes.collect());
    let error = setting.journal.flush().unwrap_err();
    assert!(error.to_string().contains("Save your work"), "{error}");
    assert_eq!(setting.journal.problem(), Some(error.to_string()));
    fs::rename(&aside, &session).unwrap();
    let told = |text: &str| labels.map(|label| (label.to_owned(), text.to_owned())).to_vec();
    assert_eq!(offered(setting.crash().path()), told("first"));

    setting.journal.flush().unwrap();
    assert_eq!(setting.journal.problem(), None);
    let mut all = told("half");
    all.push(("new".to_owned(), "half".to_owned()));
    assert_eq!(offered(setting.crash().path()), all);
}

#[test]
fn a_text_that_cannot_be_made_does_not_stop_the_others() {
    let setting = Setting::new();
    let ids = [setting.open("one", "base"), setting.open("two", "base")];
    setting.journal.step(vec![(ids[0], NewText::lazy(|| panic!("a bug in writing it out")))]);
    setting.journal.step(vec![change(ids[1], "edited")]);
    let error = setting.journal.flush().unwrap_err();
    assert!(error.to_string().contains("one cannot be written out"), "{error}");
    assert_eq!(offered(setting.crash().path()), [("two".to_owned(), "edited".to_owned())]);
    assert!(setting.journal.flush().is_err());
    setting.step(&[(ids[0], "well again")]);
    assert_eq!(setting.journal.problem(), None);
}

#[test]
fn a_long_journal_is_written_anew() {
    let setting = Setting::new();
    let ids = [setting.open("one", "base"), setting.open("two", "base")];
    for step in 0..40 {
        let text = format!("{step} ").repeat(20_000);
        setting.step(&[(ids[0], &text), (ids[1], "shared")]);
        setting.step(&[(ids[0], &text), (ids[1], &format!("shared {step}"))]);
    }
    let disk = setting.crash();
    let size =
        journals(disk.path()).iter().map(|path| fs::metadata(path).unwrap().len()).sum::<u64>();
    assert!(size < 2 << 20, "{size} bytes for a text of 60 KB");
    let found = offered(disk.path());
    assert!(found[0].1 == "39 ".repeat(20_000));
    assert_eq!(found[1].1, "shared 39");
}

#[test]
fn the_folder_is_the_users_own() {
    use std::os::unix::fs::PermissionsExt;
    let folder = recovery_folder().unwrap();
    assert!(folder.ends_with("posewright/recovery"), "{folder:?}");
    let setting = Setting::new();
    let id = setting.open("one", "base");
    setting.step(&[(id, "edited")]);
    for path in journals(setting.recovery.path()) {
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o077;
        assert_eq!((mode(&path), mode(path.parent().unwrap())), (0, 0));
    }
    assert_eq!(recover(Path::new("/nonexistent/recovery")).unwrap().offers().count(), 0);
}

/// What may happen to three documents.
#[derive(Clone, Debug)]
enum Event {
    Step(Vec<usize>),
    Save(usize),
    Flush,
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        5 => proptest::sample::subsequence(vec![0, 1, 2], 1..=3).prop_map(Event::Step),
        1 => (0usize..3).prop_map(Event::Save),
        2 => Just(Event::Flush),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 64,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// Random steps, saves and pauses, and a crash that tears the end off one journal: each
    /// document comes back as it once was, or as its file, and all of them of one moment.
    #[test]
    fn any_history_comes_back_whole(
        events in prop::collection::vec(event(), 1..24),
        torn in any::<prop::sample::Index>(),
        cut in 0usize..200,
    ) {
        let setting = Setting::new();
        let names = ["one", "two", "three"];
        let ids = names.map(|name| setting.open(name, "0 of 0,0,0"));
        // Each text tells the counts of all documents at the last step that changed it, so that
        // texts of one moment can be told from a mixture.
        let mut counts = [0; 3];
        let mut texts = names.map(|_| "0 of 0,0,0".to_owned());
        let mut known = names.map(|_| vec!["0 of 0,0,0".to_owned()]);
        for event in &events {
            match event {
                Event::Step(changed) => {
                    for document in changed {
                        counts[*document] += 1;
                    }
                    let all = counts.map(|count| count.to_string()).join(",");
                    let mut changes = Vec::new();
                    for &document in changed {
                        texts[document] = format!("{} of {all}", counts[document]);
                        known[document].push(texts[document].clone());
                        changes.push(change(ids[document], &texts[document]));
                    }
                    setting.journal.step(changes);
                }
                Event::Save(document) => {
                    fs::write(setting.path(names[*document]), &texts[*document]).unwrap();
                    setting.journal.saved(ids[*document], texts[*document].as_str().into());
                }
                Event::Flush => setting.journal.flush().unwrap(),
            }
        }
        setting.journal.flush().unwrap();
        let disk = setting.crash();
        let all = journals(disk.path());
        let whole = cut == 0 || all.is_empty();
        if !whole {
            let journal = torn.get(&all);
            let bytes = fs::read(journal).unwrap();
            fs::write(journal, &bytes[..bytes.len().saturating_sub(cut)]).unwrap();
        }
        let found = offered(disk.path());
        for (document, name) in names.into_iter().enumerate() {
            let saved = fs::read_to_string(setting.path(name)).unwrap();
            let text = found.iter().find(|(label, _)| label == name).map(|(_, text)| text);
            let text = text.unwrap_or(&saved);
            prop_assert!(known[document].contains(text), "{name} never was {text}");
            if whole {
                prop_assert_eq!(text, &texts[document]);
            }
            if *text == saved {
                // The user saved this half of a step; the other half may be lost.
                continue;
            }
            // A step that changed others too is in all of them or in none.
            let seen = text.split(" of ").nth(1).unwrap();
            for (other, count) in seen.split(',').enumerate() {
                let shared = known[other].iter().any(|text| text.ends_with(&format!(" of {seen}")));
                if !shared || other == document {
                    continue;
                }
                let other_saved = fs::read_to_string(setting.path(names[other])).unwrap();
                let other_text = found.iter().find(|(label, _)| label == names[other]);
                let other_text = other_text.map_or(&other_saved, |(_, text)| text);
                let has: usize = other_text.split(' ').next().unwrap().parse().unwrap();
                prop_assert!(has >= count.parse().unwrap(), "{name} is {text}, {} is {other_text}", names[other]);
            }
        }
    }
}
