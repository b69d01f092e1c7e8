//! `posewright resave`

use super::output::complain;
use super::{FAILED, FINE};
use crate::diagnostic::Severity;
use crate::format::{write_clip, write_rig, write_skeleton, write_take_shared};
use crate::io::save::{Base, save};
use crate::io::{Loaded, open};
use clap::Args;
use std::path::PathBuf;
use std::sync::Arc;

/// Open a file and save it unchanged: the same bytes come out
#[derive(Args)]
#[command(after_help = "Example:\n  posewright resave draw.motion --out copy.motion")]
pub(super) struct Resave {
    /// The file
    file: PathBuf,
    /// Where to save it
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

impl Resave {
    pub fn run(&self) -> u8 {
        let opened = match open(&self.file) {
            Ok(opened) => opened,
            Err(error) => {
                complain(&error.to_string());
                return FAILED;
            }
        };
        let text = match &opened.document {
            Some(Loaded::Clip(clip)) => Arc::new(write_clip(clip)),
            Some(Loaded::Rig(rig)) => Arc::new(write_rig(rig)),
            Some(Loaded::Take(take)) => write_take_shared(take),
            Some(Loaded::Skeleton(skeleton)) => Arc::new(write_skeleton(skeleton)),
            // What does not load is a text, and is saved as one.
            None => Arc::new(opened.text().to_owned()),
        };
        if let Some(error) = opened.problems.iter().find(|p| p.severity == Severity::Error) {
            complain(&format!("{}: {}", self.file.display(), error.message));
            if !opened.has_text() {
                return FAILED;
            }
        }
        // What was read may be several times as large as its text.
        drop(opened);
        match save(&self.out, text.as_bytes(), Base::Any) {
            Ok(_) => FINE,
            Err(error) => {
                complain(&error.to_string());
                FAILED
            }
        }
    }
}
