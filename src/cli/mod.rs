//! The command line: arguments to commands, and their exit codes.
//!
//! 0: fine. 1: a file has errors. 2: wrong arguments, or reading or writing failed.

mod check;
mod edit;
mod info;
mod output;
mod report;
mod resave;

use clap::{Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

/// Everything is fine.
const FINE: u8 = 0;
/// The file has errors.
const HAS_ERRORS: u8 = 1;
/// Wrong arguments, or reading or writing failed.
const FAILED: u8 = 2;

/// Checks and shows keyframe clips (.motion), rigs (.rig) and scenes used as rigs.
#[derive(Parser)]
#[command(name = "posewright", version, args_conflicts_with_subcommands = true)]
#[command(after_help = "Example:\n  posewright assets/weapon/draw.motion")]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// Files to show
    files: Vec<PathBuf>,
}

#[derive(Subcommand)]
enum Command {
    Check(check::Check),
    Info(info::Info),
    Resave(resave::Resave),
    /// Change a file; every byte that is not meant stays
    Edit(edit::Edit),
}

/// How a command answers.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Text,
    /// One JSON value for programs
    Json,
}

/// Runs the program with its arguments, its name first.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(error) => {
            // Nothing can be done where nobody listens.
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { FAILED } else { FINE });
        }
    };
    let code = match arguments.command {
        Some(Command::Check(check)) => check.run(),
        Some(Command::Info(info)) => info.run(),
        Some(Command::Resave(resave)) => resave.run(),
        Some(Command::Edit(edit)) => edit.run(),
        None if arguments.files.is_empty() => {
            output::complain("no file given; see posewright --help");
            FAILED
        }
        None => info::show(&arguments.files, Format::Text),
    };
    ExitCode::from(code)
}
