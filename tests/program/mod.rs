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
