//! A drag, a slider, a text field being typed into: many previews, one step.

use super::{Selection, Workspace};

/// A gesture under way. Each preview is made from the base with the total change, never from the
/// preview before, so that going back and forth leaves no trace.
#[derive(Clone, Debug)]
pub struct Gesture {
    /// The workspace before it.
    pub base: Workspace,
    /// The selection before it.
    pub selection: Selection,
    /// What the step will be called, by the last preview.
    pub label: String,
}
