//! The `posewright` program: a command, or the window.

use std::process::ExitCode;

fn main() -> ExitCode {
    posewright::cli::run(std::env::args_os())
}
