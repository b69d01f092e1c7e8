//! Saves while the system fails: refused calls, a full disk, a size limit, a killed process.
//!
//! Each fault needs a process of its own: the test program runs one of its tests again, with the
//! part to play in the environment.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]
#![cfg(target_os = "linux")]

mod files;

use files::{have, is_refusal, names, refused, rerun, rerun_arguments, role, skip};
use posewright::io::ContentHash;
use posewright::io::save::{Base, How, SaveError, save, sweep};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const OLD: &str = "what was there before\n";
const NEW: &str = "what the user wants to save, which is longer than that\n";

/// The kinds of save that go different ways.
const KINDS: [&str; 3] = ["new", "rename", "in place"];

/// The calls that a save makes, and some that it might make on another system.
const CALLS: [&str; 15] = [
    "openat",
    "write",
    "read",
    "fsync",
    "rename",
    "renameat",
    "renameat2",
    "link",
    "fchmod",
    "ftruncate",
    "lseek",
    "unlink",
    "statx",
    "flock",
    "flistxattr",
];

/// What is there before a save of this kind.
fn old(kind: &str) -> String {
    if kind == "shorter in place" { OLD.repeat(500) } else { OLD.to_owned() }
}

fn prepare(kind: &str, folder: &Path) {
    let path = folder.join("a.motion");
    if kind != "new" {
        fs::write(&path, old(kind)).unwrap();
    }
    if kind.ends_with("in place") {
        fs::hard_link(&path, folder.join("b.motion")).unwrap();
    }
}

fn base(kind: &str) -> Base {
    if kind == "new" { Base::Absent } else { Base::Content(ContentHash::of(old(kind).as_bytes())) }
}

/// The child of [`every_call_of_a_save_may_fail`]. It saves in a thread of its own, to which the
/// parent ties strace: so every call that is counted belongs to the save.
#[test]
fn child_saves_when_told() {
    let Some((kind, folder)) = role() else { return };
    let path = folder.join("work/a.motion");
    let (thread_id, go) = (folder.join("thread"), Arc::new(AtomicBool::new(false)));
    let told = folder.join("told");
    let saving = std::thread::spawn({
        let go = go.clone();
        move || {
            let own = fs::read_link("/proc/thread-self").unwrap();
            let own = own.file_name().unwrap().to_str().unwrap().to_owned();
            fs::write(thread_id.with_extension("new"), own).unwrap();
            fs::rename(thread_id.with_extension("new"), &thread_id).unwrap();
            while !go.load(Ordering::Acquire) {
                std::thread::sleep(Duration::from_micros(200));
            }
            save(&path, NEW.as_bytes(), base(&kind))
        }
    });
    std::io::stdin().read_line(&mut String::new()).unwrap();
    go.store(true, Ordering::Release);
    let text = match saving.join().unwrap() {
        Ok(_) => "saved".to_owned(),
        Err(SaveError::Torn { .. }) => panic!("one refused call does not tear a file"),
        Err(error) => {
            let word = if error.replaced() { "replaced" } else { "refused" };
            format!("{word} {error}")
        }
    };
    fs::write(told, text).unwrap();
}

/// How one save went while one call of it was refused.
enum Outcome {
    /// There is no call of that number.
    NotReached,
    /// Strace may not trace here.
    NotAllowed(Output),
    /// What the child told.
    Told(String),
    /// The call was the child's last.
    Killed,
}

/// One save while `inject` goes wrong.
fn save_under_strace(kind: &str, inject: &str, folder: &Path) -> Outcome {
    let call = inject.split(':').next().unwrap();
    let what = ["-e", &format!("trace={call}"), "-e", &format!("inject={inject}")];
    let (output, log) = match trace_save(kind, &what, folder) {
        Ok(traced) => traced,
        Err(output) => return Outcome::NotAllowed(output),
    };
    if output.status.signal() == Some(9) {
        return Outcome::Killed;
    }
    assert!(output.status.success(), "{inject}: {}", String::from_utf8_lossy(&output.stderr));
    if !log.contains("(INJECTED)") {
        return Outcome::NotReached;
    }
    Outcome::Told(fs::read_to_string(folder.join("told")).unwrap())
}

/// One save of a child, with strace tied to its thread. Gives what became of the child and what
/// strace wrote; what strace said if it may not trace.
fn trace_save(kind: &str, what: &[&str], folder: &Path) -> Result<(Output, String), Output> {
    let arguments = rerun_arguments("child_saves_when_told");
    let mut child = rerun(&[], &arguments, kind, folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let thread = wait_for(|| fs::read_to_string(folder.join("thread")).ok());
    let log = folder.join("log");
    let mut strace = Command::new("strace")
        .args(what)
        .args(["-p", &thread, "-o", log.to_str().unwrap()])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = String::new();
    let mut stderr = BufReader::new(strace.stderr.take().unwrap());
    stderr.read_line(&mut said).unwrap();
    let attached = said.contains("attached");
    child.stdin.take().unwrap().write_all(b"go\n").unwrap();
    let output = child.wait_with_output().unwrap();
    stderr.read_to_string(&mut said).unwrap();
    let status = strace.wait().unwrap();
    if !attached {
        return Err(Output { status, stdout: vec![], stderr: said.into_bytes() });
    }
    Ok((output, fs::read_to_string(&log).unwrap()))
}

fn wait_for<T>(mut look: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(start.elapsed() < Duration::from_secs(60), "waited for a minute");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// The file is whole, is what the save said it is, and nothing is left after the next start.
fn check(kind: &str, inject: &str, told: &str, work: &Path) {
    let path = work.join("a.motion");
    let expected = match told.split(' ').next().unwrap() {
        "saved" | "replaced" => Some(NEW),
        "refused" if kind == "new" => None,
        "refused" => Some(OLD),
        _ => panic!("{kind}, {inject}: {told}"),
    };
    if told != "saved" {
        assert!(told.contains("a.motion") && told.contains("to another disk"), "{told}");
    }
    for when in ["at once", "after the next start"] {
        let found = fs::read_to_string(&path).ok();
        assert_eq!(found.as_deref(), expected, "{kind}, {inject}, {when}: {told}");
        let swept = sweep(work).unwrap();
        assert_eq!((swept.kept.len(), swept.finished.len()), (0, 0), "{kind}, {inject}");
    }
    let mut files = if expected.is_some() { vec!["a.motion"] } else { vec![] };
    if kind == "in place" {
        files.push("b.motion");
        assert_eq!(fs::read_to_string(work.join("b.motion")).ok().as_deref(), expected);
    }
    assert_eq!(names(work), files, "{kind}, {inject}");
}

#[test]
fn every_call_of_a_save_may_fail() {
    if !have("strace") {
        return skip("strace is needed to inject faults");
    }
    let mut injected = BTreeMap::new();
    for kind in KINDS {
        for call in CALLS {
            for errno in ["ENOSPC", "EIO"] {
                for nth in 1.. {
                    let folder = tempfile::tempdir().unwrap();
                    let work = folder.path().join("work");
                    fs::create_dir(&work).unwrap();
                    prepare(kind, &work);
                    let inject = format!("{call}:error={errno}:when={nth}");
                    match save_under_strace(kind, &inject, folder.path()) {
                        Outcome::NotReached => break,
                        Outcome::NotAllowed(output) if is_refusal(&output) => {
                            return refused("strace", &output);
                        }
                        Outcome::NotAllowed(output) => panic!("{output:?}"),
                        Outcome::Killed => panic!("{inject} killed it"),
                        Outcome::Told(told) => {
                            check(kind, &inject, &told, &work);
                            *injected.entry((kind, call)).or_insert(0) += 1;
                        }
                    }
                }
            }
        }
    }
    eprintln!("faults injected into saves: {injected:?}");
    // What every save does, so that a wrong filter cannot make this test pass.
    for kind in KINDS {
        for call in ["openat", "write", "read", "fsync"] {
            assert!(injected.contains_key(&(kind, call)), "{kind}: no {call} failed");
        }
        let renames = ["rename", "renameat", "renameat2", "link"];
        assert!(renames.iter().any(|call| injected.contains_key(&(kind, *call))), "{kind}");
    }
}

/// What outlives a power cut depends on the order of the calls alone.
#[test]
fn the_disk_has_each_part_before_the_next() {
    if !have("strace") {
        return skip("strace is needed to see the calls");
    }
    // Of each call, what it is and the end of the first path in it.
    let expected = [
        ("new", vec!["write tmp", "fsync tmp", "rename tmp", "fsync work"]),
        ("rename", vec!["write tmp", "fsync tmp", "fsync tmp", "rename tmp", "fsync work"]),
        (
            "in place",
            vec![
                "write tmp",
                "fsync tmp",
                "write tmp",
                "fsync tmp",
                "rename tmp",
                "rename tmp",
                "fsync work",
                "write motion",
                "fsync motion",
                "unlink new",
                "unlink bak",
            ],
        ),
    ];
    for (kind, expected) in expected {
        let folder = tempfile::tempdir().unwrap();
        let work = folder.path().join("work");
        fs::create_dir(&work).unwrap();
        prepare(kind, &work);
        let calls = "trace=write,fsync,fdatasync,rename,renameat,renameat2,unlink,unlinkat";
        let log = match trace_save(kind, &["-y", "-e", calls], folder.path()) {
            Ok((output, log)) => {
                assert!(output.status.success());
                log
            }
            Err(output) if is_refusal(&output) => return refused("strace", &output),
            Err(output) => panic!("{output:?}"),
        };
        let mut seen = Vec::new();
        // The whole path: this very test may run in a folder of that name.
        let root = work.display().to_string();
        for line in log.lines().filter(|line| line.contains(&root)) {
            let call = line.split('(').next().unwrap();
            let call = if call.starts_with("rename") { "rename" } else { call };
            // The path up to its end: `>` after a descriptor, `"` after a name.
            let path = &line[line.find(&root).unwrap() + root.len() - "work".len()..];
            let path = &path[..path.find(['>', '"']).unwrap()];
            let end = path.rsplit(['.', '-']).next().unwrap();
            seen.push(format!("{call} {end}"));
        }
        assert_eq!(seen, expected, "{kind}:\n{log}");
    }
}

#[test]
fn a_kill_at_every_call_tears_nothing() {
    if !have("strace") {
        return skip("strace is needed to kill at a call");
    }
    // How many kills left the old content, the new one, and one that the next start finished.
    let mut ends = BTreeMap::new();
    let kinds = ["new", "rename", "in place", "shorter in place"];
    for (kind, call) in kinds.iter().flat_map(|kind| CALLS.map(|call| (*kind, call))) {
        for nth in 1.. {
            let folder = tempfile::tempdir().unwrap();
            let work = folder.path().join("work");
            fs::create_dir(&work).unwrap();
            prepare(kind, &work);
            let inject = format!("{call}:signal=KILL:when={nth}");
            match save_under_strace(kind, &inject, folder.path()) {
                Outcome::Killed => {}
                Outcome::NotReached => break,
                Outcome::NotAllowed(output) if is_refusal(&output) => {
                    return refused("strace", &output);
                }
                Outcome::NotAllowed(output) => panic!("{output:?}"),
                Outcome::Told(told) => panic!("it outlived {inject} and told: {told}"),
            }
            let swept = sweep(&work).unwrap();
            assert_eq!(swept.kept, [], "{kind}, {inject}");
            let text = fs::read_to_string(work.join("a.motion")).ok();
            let end = match text.as_deref() {
                Some(NEW) if !swept.finished.is_empty() => "finished",
                Some(NEW) => "new",
                None if kind == "new" => "old",
                Some(text) if text == old(kind) => "old",
                text => panic!("{kind}, {inject}: torn: {text:?}"),
            };
            *ends.entry((kind, end)).or_insert(0) += 1;
            let mut files = vec!["a.motion", "b.motion"];
            files.truncate(if kind.ends_with("in place") { 2 } else { 1 });
            files.retain(|_| text.is_some());
            assert_eq!(names(&work), files, "{kind}, {inject}");
        }
    }
    eprintln!("ends of killed saves: {ends:?}");
    for kind in kinds {
        for end in ["old", "new"] {
            assert!(ends.contains_key(&(kind, end)), "no {kind} ended {end}");
        }
    }
    assert!(ends.contains_key(&("shorter in place", "finished")));
}

/// The child of [`a_full_disk_is_an_error`], alone in a mount namespace: the 128 KiB are gone
/// with it.
#[test]
fn child_fills_a_disk() {
    let Some((_, folder)) = role() else { return };
    for kind in KINDS {
        let work = folder.join(kind);
        fs::create_dir(&work).unwrap();
        prepare(kind, &work);
        let path = work.join("a.motion");
        let large = vec![b'x'; 200_000];
        let error = save(&path, &large, base(kind)).unwrap_err();
        assert!(!error.replaced());
        assert!(error.to_string().contains("Free some space"), "{error}");
        check(kind, "full disk", "refused a.motion to another disk", &work);
        if kind == "in place" {
            // The copies fit, but then the file itself cannot grow.
            let error = save(&path, &large[..70_000], base(kind)).unwrap_err();
            assert!(error.to_string().contains("overwriting it"), "{error}");
            check(kind, "full disk", "refused a.motion to another disk", &work);
        }
        let saved = save(&path, &large[..40_000], base(kind)).unwrap();
        let error = save(&path, &large[..95_000], Base::Content(saved.hash)).unwrap_err();
        assert!(error.to_string().contains("Free some space"), "{error}");
        assert_eq!(fs::read(&path).unwrap(), &large[..40_000]);
        save(&path, b"small", Base::Content(saved.hash)).unwrap();
        fs::remove_dir_all(work).unwrap();
    }
}

#[test]
fn a_full_disk_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let script = r#"mount -t tmpfs -o size=128k none "$POSEWRIGHT_TEST_FOLDER" && exec "$@""#;
    in_mount_namespace(script, "child_fills_a_disk", folder.path());
}

/// The child of [`a_mounted_file_is_overwritten_in_place`].
#[test]
fn child_saves_a_mounted_file() {
    let Some((_, folder)) = role() else { return };
    let saved = save(&folder.join("a.motion"), NEW.as_bytes(), base("rename")).unwrap();
    assert_eq!(saved.how, How::InPlace);
    assert_eq!(names(&folder), ["a.motion", "source"]);
}

#[test]
fn a_mounted_file_is_overwritten_in_place() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.motion", "source"] {
        fs::write(folder.path().join(name), OLD).unwrap();
    }
    let script = r#"cd "$POSEWRIGHT_TEST_FOLDER" && mount --bind source a.motion && exec "$@""#;
    if in_mount_namespace(script, "child_saves_a_mounted_file", folder.path()) {
        assert_eq!(fs::read_to_string(folder.path().join("source")).unwrap(), NEW);
        assert_eq!(fs::read_to_string(folder.path().join("a.motion")).unwrap(), OLD);
    }
}

/// Runs a test again behind a shell script that mounts something; false if that cannot be.
fn in_mount_namespace(script: &str, name: &str, folder: &Path) -> bool {
    if !have("unshare") || !have("mount") {
        skip("unshare and mount (util-linux, mount) are needed");
        return false;
    }
    // An ordinary user may mount in a user namespace of its own, where the kernel allows one.
    let mut tool = vec!["unshare", "--mount"];
    if !files::is_root() {
        tool.push("--map-root-user");
    }
    tool.extend(["sh", "-c", script, "sh"]);
    let tool: Vec<_> = tool.into_iter().map(OsStr::new).collect();
    let output = rerun(&tool, &rerun_arguments(name), "mount", folder).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    if (stderr.contains("unshare:") || stderr.contains("mount:")) && is_refusal(&output) {
        refused("unshare or mount", &output);
        return false;
    }
    files::assert_passed(&output);
    true
}

/// The child of [`a_file_size_limit_is_an_error`].
#[test]
fn child_meets_a_size_limit() {
    let Some((_, folder)) = role() else { return };
    for kind in KINDS {
        let work = folder.join(kind);
        fs::create_dir(&work).unwrap();
        prepare(kind, &work);
        let path = work.join("a.motion");
        let error = save(&path, &vec![b'x'; 1 << 20], base(kind)).unwrap_err();
        assert!(error.to_string().contains("ulimit -f"), "{error}");
        check(kind, "size limit", "refused a.motion to another disk", &work);
        save(&path, NEW.as_bytes(), base(kind)).unwrap();
    }
}

#[test]
fn a_file_size_limit_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let tool = ["sh", "-c", r#"ulimit -f 64 && exec "$@""#, "sh"].map(OsStr::new);
    let arguments = rerun_arguments("child_meets_a_size_limit");
    files::assert_passed(&rerun(&tool, &arguments, "limit", folder.path()).output().unwrap());
}

/// A content that shows whether it is whole: its number, then lines that follow from it.
fn numbered(number: u64) -> String {
    let lines = 1 + number * 7919 % 4001;
    let mut text = format!("{number} {lines}\n");
    for line in 0..lines {
        text += &format!("{} of {number}\n", line * number);
    }
    text
}

/// The number of a whole content.
fn number_of(text: &str) -> Option<u64> {
    let number = text.split(' ').next()?.parse().ok()?;
    (numbered(number) == text).then_some(number)
}

/// The child of [`a_kill_at_any_moment_tears_nothing`]: saves until it is killed.
#[test]
fn child_saves_for_ever() {
    let Some((first, folder)) = role() else { return };
    let mut number: u64 = first.parse().unwrap();
    loop {
        for name in ["renamed.motion", "linked.motion", "new.motion"] {
            let path = folder.join(name);
            if name.starts_with("new") {
                fs::remove_file(&path).unwrap();
            }
            save(&path, numbered(number).as_bytes(), Base::Any).unwrap();
        }
        number += 1;
    }
}

#[test]
fn a_kill_at_any_moment_tears_nothing() {
    let ci = std::env::var_os("CI").is_some_and(|ci| ci == "true");
    let kills: u64 = match std::env::var("POSEWRIGHT_KILLS") {
        Ok(kills) => kills.parse().unwrap(),
        Err(_) if ci => 200,
        Err(_) => 50,
    };
    let folder = tempfile::tempdir().unwrap();
    let work = folder.path();
    let files = ["linked.motion", "new.motion", "renamed.motion"];
    for name in files {
        fs::write(work.join(name), numbered(0)).unwrap();
    }
    let other = tempfile::tempdir_in(work.parent().unwrap()).unwrap();
    fs::hard_link(work.join("linked.motion"), other.path().join("other")).unwrap();
    let arguments = rerun_arguments("child_saves_for_ever");
    let (mut newest, mut left, mut finished) = (1, 0, 0);
    // Not quite random, so that a failure shows again: the golden ratio spreads the moments.
    let mut moment: f64 = 0.0;
    for kill in 0..kills {
        let mut child = rerun(&[], &arguments, &newest.to_string(), work);
        let mut child = child.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let before = fs::read(work.join("renamed.motion")).unwrap();
        // Once it is saving, and then anywhere in the next rounds.
        wait_for(|| (fs::read(work.join("renamed.motion")).unwrap() != before).then_some(()));
        moment = (moment + 0.618_033_988_75).fract();
        std::thread::sleep(Duration::from_secs_f64(moment * 0.015));
        child.kill().unwrap();
        let status = child.wait().unwrap();
        assert_eq!(status.signal(), Some(9));

        left += usize::from(names(work).len() > files.len());
        let swept = sweep(work).unwrap();
        assert_eq!(swept.kept, [], "kill {kill}");
        finished += swept.finished.len();
        for name in files {
            match fs::read_to_string(work.join(name)) {
                Ok(text) => {
                    let number = number_of(&text);
                    assert!(number.is_some(), "kill {kill}: {name} is torn: {text:.80}");
                    newest = newest.max(number.unwrap_or(0) + 1);
                }
                // The child had just removed it, to make a new one.
                Err(_) if name == "new.motion" => fs::write(work.join(name), numbered(0)).unwrap(),
                Err(error) => panic!("kill {kill}: {name}: {error}"),
            }
        }
        assert_eq!(names(work), files, "kill {kill}");
        let both = ["linked.motion", "other"].map(|name| {
            let folder = if name == "other" { other.path() } else { work };
            fs::read(folder.join(name)).unwrap()
        });
        assert_eq!(both[0], both[1]);
    }
    eprintln!("{kills} kills: {left} left something behind, {finished} saves were finished");
    assert!(left > 0, "no kill hit a save: the test proves nothing");
}
