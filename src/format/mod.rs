//! Texts to models and back.
//!
//! Reading never stops at the first problem: a [`Reading`] holds all of them, the one that strict
//! loading reports first (M3), and the value where the text is one or a draft of one.

mod advice;
mod bind;
mod choices;
pub mod codes;
mod export;
pub(crate) mod field;
mod hierarchy;
mod kind;
mod lint;
pub(crate) mod log;
mod motion;
mod repair;
mod rig;
mod scene;
pub mod script;
mod unknown;
mod version;
mod write;

pub use advice::advice;
pub use bind::{Outline, bind, bind_outline};
pub use choices::choices;
pub use export::{Cancelled, Export, ExportReading, read_export, read_skeleton, read_take};
pub use kind::FileKind;
pub use lint::{add_remarks, lint_export, lint_skeleton, lint_take};
pub use scene::hanging_below;
pub use unknown::{Holder, unknown_fields, unknown_values};
pub use version::written_version;
pub use write::{write_clip, write_rig, write_skeleton, write_take, write_take_shared};

use crate::diagnostic::{Problem, Severity};
use crate::model::{Clip, Rig, Uids};
use crate::source::{Source, SyntaxError};
use std::sync::Arc;

/// What a text says, and what is wrong with it.
#[derive(Debug)]
pub struct Reading<T> {
    /// The model, where no error stands in its way but those that a draft may have: no tracks, no
    /// nodes, no binding, a track without a part.
    pub value: Option<T>,
    /// Everything that is wrong: errors in the order of strict loading (M3), then warnings, then
    /// infos.
    pub problems: Vec<Problem>,
}

/// What strict loading says of a reading: its value, or its first error.
///
/// # Errors
/// The first problem of severity error, drafts included.
#[allow(clippy::result_large_err)] // Once a file, and the problem is what the caller wants.
pub fn strict<T>(reading: Reading<T>) -> Result<T, Problem> {
    let mut problems = reading.problems.into_iter();
    match (problems.find(|p| p.severity == Severity::Error), reading.value) {
        (Some(error), _) => Err(error),
        (None, Some(value)) => Ok(value),
        (None, None) => Err(file_problem(codes::SYNTAX, "The file cannot be read")),
    }
}

/// Reads a `.motion` clip (M1–M7).
pub fn read_clip(source: &Arc<Source>, uids: &mut Uids) -> Reading<Clip> {
    motion::read(source, uids)
}

/// Reads a `.rig` (M8).
pub fn read_rig(source: &Arc<Source>, uids: &mut Uids) -> Reading<Rig> {
    rig::read(source, uids)
}

/// Reads a scene as a rig (M9).
pub fn read_scene(source: &Arc<Source>, uids: &mut Uids) -> Reading<Rig> {
    scene::read(source, uids)
}

/// The clip that stands in a text, also where it breaks limits that a later change may put right:
/// keys out of order or outside the clip, scales of 0, values out of range, two tracks for one
/// property. `None` where something stands there that no clip can hold.
pub fn read_clip_loosely(source: &Arc<Source>, uids: &mut Uids) -> Option<Clip> {
    motion::read_loosely(source, uids)
}

/// The rig that stands in the text of a rig or a scene, also where it breaks limits that a later
/// change may put right: ids that stand twice, parents that are missing, values out of range.
/// `None` where something stands there that no rig can hold, and where parents form a loop.
pub fn read_rig_loosely(source: &Arc<Source>, kind: FileKind, uids: &mut Uids) -> Option<Rig> {
    match kind {
        FileKind::Rig => rig::read_all(source, uids).loosely,
        FileKind::Scene => scene::read_all(source, uids).loosely,
        _ => None,
    }
}

/// A problem of a file as a whole, without a place.
pub fn file_problem(code: &'static str, message: impl Into<String>) -> Problem {
    Problem {
        severity: Severity::Error,
        code,
        message: message.into(),
        path: String::new(),
        position: None,
        span: None,
        file: None,
        fix: None,
        subject: None,
    }
}

/// The problem that a text which is no YAML has.
pub fn syntax_problem(text: &str, error: &SyntaxError) -> Problem {
    let position = crate::source::position_in(text, error.offset);
    let offset = error.offset.min(text.len());
    Problem {
        position: Some(position),
        span: Some(offset..offset),
        ..file_problem(codes::SYNTAX, error.message.clone())
    }
}
