//! What panels ask for.

use super::command::CommandId;
use super::compare::Ask;
use super::fault::Fault;
use super::settings::Settings;
use super::state::{PanelId, TimelineView, ViewportView, WorkspaceTab};
use crate::edit::{Clipboard, DocId, Edit, Selection};
use crate::model::Uid;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// How a toast looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// It is done.
    Good,
    /// Worth knowing.
    Info,
    /// It is done, but mind this.
    Warning,
    /// It could not be done.
    Error,
}

/// What to do with a file that changed on disk while there is unsaved work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnDisk {
    /// Read it anew; undo brings the work back.
    Reload,
    /// Keep the work; saving will replace the file.
    KeepMine,
    /// Show both.
    ShowDifference,
}

/// What the user says of closed clips that use what is being renamed or deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CarryAnswer {
    /// Open them and change them too, unsaved.
    ChangeToo,
    /// Change only what is open.
    Leave,
    /// Change nothing.
    Cancel,
}

/// What the user says when documents with unsaved changes are being closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CloseAnswer {
    /// Save them, then close.
    Save,
    /// Close without saving.
    Discard,
    /// Leave everything open.
    Cancel,
}

/// What the user says when a clip is about to be saved outside of its project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutsideAnswer {
    /// Save it there all the same.
    Save,
    /// Ask for another place.
    Choose,
    /// Leave it unsaved.
    Cancel,
}

/// Something that a panel asks for. All run after the panels, in the order in which they were
/// pushed; nothing else changes anything.
#[derive(Clone, Debug)]
pub enum Action {
    /// Makes an edit as one step; pauses playing.
    Edit(Edit),
    /// Begins a gesture.
    Begin,
    /// Shows what the gesture would do: the total change since its beginning.
    Preview(Edit),
    /// Ends the gesture as one step.
    Commit,
    /// Ends the gesture as if it had never begun.
    Cancel,
    /// Selects.
    Select(Selection),
    /// Makes a document the current one.
    Activate(DocId),
    /// Moves the playhead, in seconds; clamped to the clip. Pauses playing.
    SetPlayhead(f64),
    /// Goes to a frame of an export.
    GoToFrame(DocId, f64),
    /// Reads the values of the export that is shown as relative to this; nothing: as measured.
    SetSpace(Option<crate::sample::take::Space>),
    /// Plays or pauses.
    Play(bool),
    /// Looks at time in another way.
    SetTimeline(TimelineView),
    /// Looks at the stage in another way.
    SetViewport(ViewportView),
    /// Folds nodes of the tree.
    SetFoldedNodes(BTreeSet<Uid>),
    /// Changes the settings.
    SetSettings(Box<Settings>),
    /// Goes to a workspace.
    SetWorkspace(WorkspaceTab),
    /// Asks something of the comparison of the current document.
    Compare(Ask),
    /// Carries out a command, as its menu entry would.
    Command(CommandId),
    /// Opens files.
    Open(Vec<PathBuf>),
    /// Stops opening a file, by its number.
    CancelOpening(u64),
    /// Opens a folder as a project.
    OpenFolder(PathBuf),
    /// Closes the project's folder; its documents stay open.
    CloseFolder,
    /// Makes a new clip for a rig that is open and saved, or asks for one.
    NewRigClip {
        /// The rig.
        rig: Option<DocId>,
    },
    /// Closes a document; asks where it has unsaved changes.
    Close(DocId),
    /// Answers the question about unsaved changes.
    AnswerClose(CloseAnswer),
    /// Answers the question about saving outside of the project.
    AnswerOutside(OutsideAnswer),
    /// Saves a document.
    Save(DocId),
    /// Asks where to save a document.
    SaveAs(DocId),
    /// Answers the bar about closed clips that use what is being renamed or deleted.
    AnswerCarry(CarryAnswer),
    /// Answers the bar about a file that changed on disk.
    OnDisk(DocId, OnDisk),
    /// Closes the bar about an export that was exported anew.
    KeepQuiet(DocId),
    /// Takes unsaved work of an earlier run back, by its number.
    Recover(usize),
    /// Unsaved work of an earlier run is not wanted.
    DiscardRecovered(usize),
    /// Puts keys or nodes on the clipboard, the window's own and the system's.
    SetClipboard(Clipboard),
    /// A text came from the system's clipboard: pastes it in the panel under the pointer.
    Paste {
        /// The text.
        text: String,
        /// With left and right swapped.
        flipped: bool,
    },
    /// Shows or hides a panel in this workspace.
    ShowPanel(PanelId, bool),
    /// Asks something else of a document's conversion.
    SetConversion(DocId, Box<super::convert::Form>),
    /// Makes new documents of a document, as they were reckoned.
    CreateConverted(DocId),
    /// Stops the reckoning of a conversion, or goes on with it.
    StopConversion(bool),
    /// Shows the conversion of a result itself, or how it was made.
    ShowOwnConversion(DocId, bool),
    /// Shows a result's source: as a ghost, or as the heat of its error.
    ShowBeside {
        /// The ghost, else the heat.
        ghost: bool,
        /// Whether it is shown.
        on: bool,
    },
    /// Brings a panel to the front, and back where it is hidden.
    FocusPanel(PanelId),
    /// Goes to where a problem is: selects its row, shows its field and its line.
    GoToProblem {
        /// The document.
        doc: DocId,
        /// Which problem of its list.
        index: usize,
    },
    /// Repairs a problem, as one step.
    Repair {
        /// The document.
        doc: DocId,
        /// Which problem of its list.
        index: usize,
    },
    /// Mends a problem by one of its several answers, as one step.
    Choose {
        /// The document.
        doc: DocId,
        /// Which problem of its list.
        index: usize,
        /// Which answer.
        choice: usize,
    },
    /// Puts a text on the clipboard.
    CopyText(String),
    /// Says what happened.
    Toast(Tone, String),
    /// Says in the status line what a click would do here.
    Hint(String),
    /// A panel panicked while it was shown.
    PanelFailed(PanelId, Fault),
    /// A panel that panicked is shown again.
    PanelWorks(PanelId),
    /// Closes the welcome page.
    CloseWelcome,
    /// Opens one of the sample projects.
    OpenSample(usize),
}
