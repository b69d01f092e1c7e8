//! The command line: arguments to commands, and their exit codes.
//!
//! 0: fine. 1: a file has errors, or two differ. 2: wrong arguments, or reading or writing failed.

mod check;
mod convert;
mod diff;
mod edit;
mod info;
mod output;
#[cfg(feature = "gui")]
mod render;
mod report;
mod resave;
mod sample;

use clap::{Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

/// Everything is fine.
const FINE: u8 = 0;
/// The file has errors, or differs.
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
    Convert(convert::Convert),
    Diff(diff::Diff),
    Info(info::Info),
    #[cfg(feature = "gui")]
    Render(render::Render),
    Resave(resave::Resave),
    /// Change a file; every byte that is not meant stays
    Edit(edit::Edit),
    Sample(sample::Sample),
}

/// How a command answers.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Text,
    /// One JSON value for programs
    Json,
}

#[cfg(feature = "gui")]
pub use render::{Artist, Export, Shot, View};

/// What a build with a window can do besides.
#[derive(Clone, Copy)]
pub struct Gui {
    /// Opens the window on files and comes back when it is closed.
    pub window: fn(Vec<PathBuf>) -> Result<(), String>,
    /// Makes ready to draw a shot.
    #[cfg(feature = "gui")]
    pub artist: fn(Shot) -> Artist,
}

/// Runs the program with its arguments, its name first. Without a command, the window of `gui`
/// opens the files; where there is none, what is in them is shown.
pub fn run(arguments: impl IntoIterator<Item = OsString>, gui: Option<Gui>) -> ExitCode {
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(error) => {
            // Nothing can be done where nobody listens.
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { FAILED } else { FINE });
        }
    };
    if arguments.command.is_none()
        && let Some(gone) = arguments.files.iter().find(|file| !file.exists())
    {
        output::complain(&format!("{}: no such file or command", gone.display()));
        return ExitCode::from(FAILED);
    }
    let code = match (arguments.command, gui) {
        (Some(Command::Check(check)), _) => check.run(),
        (Some(Command::Convert(convert)), _) => convert.run(),
        (Some(Command::Diff(diff)), _) => diff.run(),
        (Some(Command::Info(info)), _) => info.run(),
        #[cfg(feature = "gui")]
        (Some(Command::Render(render)), gui) => render.run(gui),
        (Some(Command::Resave(resave)), _) => resave.run(),
        (Some(Command::Edit(edit)), _) => edit.run(),
        (Some(Command::Sample(sample)), _) => sample.run(),
        (None, Some(gui)) => match (gui.window)(arguments.files) {
            Ok(()) => FINE,
            Err(error) => {
                output::complain(&error);
                FAILED
            }
        },
        (None, None) if arguments.files.is_empty() => {
            output::complain("no file given; see posewright --help");
            FAILED
        }
        (None, None) => info::show(&arguments.files, Format::Text),
    };
    ExitCode::from(code)
}
