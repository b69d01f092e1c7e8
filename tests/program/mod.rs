//! The program as a person runs it.

use std::path::Path;
use std::process::{Command, Output};

/// Runs the program in a folder.
pub fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_posewright"))
        .current_dir(folder)
        .args(arguments)
        .output()
        .expect("the program was built for this test")
}

/// `edit` on a file of this text and name, alone in a folder: the exit code, the file afterwards
/// and what was said.
#[allow(dead_code)] // Not every test file edits.
pub fn edit(text: &str, name: &str, arguments: &[&str]) -> (i32, String, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join(name);
    std::fs::write(&file, text).expect("written");
    let output = run(folder.path(), &[&["edit", name], arguments].concat());
    let said = String::from_utf8(output.stderr).expect("words");
    let now = std::fs::read_to_string(&file).expect("still there");
    (output.status.code().expect("an exit"), now, said)
}
