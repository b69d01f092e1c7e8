//! What the tests of saving, the journal and watching share: running a test again in another
//! process, as another user, under a limit.

#![allow(dead_code, reason = "each test file uses a part of it")]

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The folder that the parent process prepared for a test that runs again as a child.
pub const FOLDER: &str = "POSEWRIGHT_TEST_FOLDER";
/// Which part a child plays.
pub const ROLE: &str = "POSEWRIGHT_TEST_ROLE";

/// Says that a test could not run here. With CI=true that is a failure: CI installs what it needs.
pub fn skip(why: &str) {
    assert!(std::env::var_os("CI").is_none_or(|ci| ci != "true"), "must run in CI: {why}");
    eprintln!("skipped: {why}");
}

/// The kernel does not let this machine do what the test needs; no installing would help.
pub fn refused(what: &str, output: &Output) {
    eprintln!("the kernel refused {what}: {}", String::from_utf8_lossy(&output.stderr).trim());
}

/// Whether a tool's message is the kernel's refusal of a privilege.
pub fn is_refusal(output: &Output) -> bool {
    let stderr = String::from_utf8_lossy(&output.stderr);
    ["Operation not permitted", "Permission denied", "Function not implemented", "Invalid argument"]
        .iter()
        .any(|message| stderr.contains(message))
}

pub fn have(tool: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(tool).is_file())
}

#[cfg(unix)]
pub fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    fs::metadata("/proc/self").is_ok_and(|metadata| metadata.uid() == 0)
}

/// A command line that runs the test `name` of this test program again, for a tool to run.
pub fn rerun_arguments(name: &str) -> Vec<String> {
    let program = std::env::current_exe().unwrap().to_str().unwrap().to_owned();
    let rest = ["--exact", name, "--nocapture", "--test-threads=1"];
    [program].into_iter().chain(rest.map(str::to_owned)).collect()
}

/// `before… program --exact name` with the role and the folder set.
pub fn rerun(before: &[&OsStr], arguments: &[String], role: &str, folder: &Path) -> Command {
    let mut line = before.iter().map(|word| word.to_os_string()).collect::<Vec<_>>();
    line.extend(arguments.iter().map(Into::into));
    let mut command = Command::new(&line[0]);
    command.args(&line[1..]).env(ROLE, role).env(FOLDER, folder);
    command
}

/// The part this process plays and its folder, if it is a child.
pub fn role() -> Option<(String, PathBuf)> {
    Some((std::env::var(ROLE).ok()?, std::env::var_os(FOLDER)?.into()))
}

/// Runs `body` as a user who is not root, in a folder that `setup` prepared. Root's own process
/// runs the test `name` again without its rights; others run `body` at once.
#[cfg(target_os = "linux")]
pub fn as_ordinary_user(name: &str, setup: impl Fn(&Path), body: impl Fn(&Path)) {
    use std::os::unix::fs::PermissionsExt;
    if let Some((_, folder)) = role() {
        assert!(!is_root(), "setpriv did not take root away");
        return body(&folder);
    }
    let folder = tempfile::tempdir().unwrap();
    // Nobody but root may have made it, and nobody else could enter it.
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).unwrap();
    if !is_root() {
        setup(folder.path());
        return body(folder.path());
    }
    if !have("setpriv") {
        return skip("setpriv (util-linux) is needed to give up root's rights");
    }
    // The build folder may be closed to others; so the program goes where they can read it.
    let tools = tempfile::tempdir().unwrap();
    fs::set_permissions(tools.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let mut arguments = rerun_arguments(name);
    let program = tools.path().join("test");
    fs::copy(&arguments[0], &program).unwrap();
    arguments[0] = program.to_str().unwrap().to_owned();
    setup(folder.path());
    let user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"].map(OsStr::new);
    let output = rerun(&user, &arguments, "user", folder.path()).output().unwrap();
    if !output.status.success()
        && String::from_utf8_lossy(&output.stderr).contains("setpriv:")
        && is_refusal(&output)
    {
        return refused("setpriv", &output);
    }
    assert_passed(&output);
}

/// A child ran exactly one test, and it passed.
pub fn assert_passed(output: &Output) {
    let (stdout, stderr) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(
        output.status.success() && stdout.contains("1 passed"),
        "{}\n{stdout}\n{stderr}",
        output.status
    );
}

/// The names in a folder, sorted.
pub fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}
