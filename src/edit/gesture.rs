//! A drag, a slider, a text field being typed into: many previews, one step.

use super::{Selection, Workspace};
use std::sync::Arc;

/// A gesture under way. Each preview is made from the base with the total change, never from the
/// preview before, so that going back and forth leaves no trace.
#[derive(Clone, Debug)]
pub struct Gesture {
    /// The workspace before it.
    pub base: Workspace,
    /// The selection before it.
    pub selection: Arc<Selection>,
    /// What the step will be called, by the last preview.
    pub label: String,
    /// What the step will have to say, by the last preview.
    pub notes: Vec<String>,
}
