//! Documents and the one way to change them.
//!
//! A [`Workspace`] holds the open documents as shared values. An [`Edit`] is data, and
//! [`apply`] is pure: it gives a new workspace or, on an error, nothing. [`Editor`] keeps the
//! current workspace with its undo lines, selection and the gesture under way.

mod clip;
mod clipboard;
mod comments;
mod editor;
mod gesture;
mod history;
mod owners;
mod reload;
mod rig;
mod same;
mod selection;
pub mod sides;
mod take;
mod words;
mod workspace;

pub use clip::{ClipEdit, KeyTime, NewKey, Snap, snap_time};
pub use clipboard::{Clipboard, CopiedPegs};
pub use editor::Editor;
pub use gesture::Gesture;
pub use history::{History, HistoryLimits, Step, UndoError};
pub use reload::ReadAnew;
pub use rig::{Keep, NewNode, RestEdit, RigEdit};
pub use selection::{Selected, Selection};
pub use take::{NewHandles, NewKeyframe, TakeEdit};
pub use workspace::{
    Content, DocId, Document, TextDocument, Workspace, below_root, content_of, content_of_file,
    content_on_the_way,
};

use crate::source::Source;
use std::sync::Arc;

/// A change of documents, as data.
#[derive(Clone, Debug)]
pub enum Edit {
    /// A change of one clip.
    Clip {
        /// The clip's document.
        doc: DocId,
        /// What changes.
        edit: ClipEdit,
    },
    /// A change of one rig; a renamed or deleted node carries through every open clip that is
    /// bound to it.
    Rig {
        /// The rig's document.
        doc: DocId,
        /// What changes.
        edit: RigEdit,
    },
    /// A change of one exported animation.
    Take {
        /// The take's document.
        doc: DocId,
        /// What changes.
        edit: TakeEdit,
    },
    /// A text document's text. It becomes a clip or a rig as soon as it loads as one.
    Text {
        /// The text's document.
        doc: DocId,
        /// The whole new text.
        text: String,
        /// What the undo menu says.
        label: String,
    },
    /// A document's content read anew from disk; elements keep their identities where they are
    /// the same by id, part and property, or time.
    Reload {
        /// The document.
        doc: DocId,
        /// The text as it is on disk.
        source: Arc<Source>,
    },
    /// As [`Edit::Reload`], where the text on disk may be no YAML at all: then the document becomes
    /// text.
    ReloadText {
        /// The document.
        doc: DocId,
        /// The text as it is on disk.
        text: Arc<str>,
    },
    /// As [`Edit::ReloadText`], of a text that was read before. Refused where the document has
    /// changed since.
    ReadAnew {
        /// The document.
        doc: DocId,
        /// What was read.
        read: Arc<ReadAnew>,
    },
    /// Several edits as one step; all or none.
    All {
        /// What the undo menu says; empty: the first edit's label.
        label: String,
        /// In this order.
        edits: Vec<Edit>,
    },
}

/// Why an edit was refused. Nothing changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct EditError {
    /// For people; where the format's own table has a sentence, that one.
    pub message: String,
}

impl EditError {
    /// An error of this sentence.
    pub fn new(message: impl Into<String>) -> Self {
        EditError { message: message.into() }
    }
}

impl From<std::borrow::Cow<'static, str>> for EditError {
    fn from(message: std::borrow::Cow<'static, str>) -> Self {
        EditError::new(message)
    }
}

impl From<&str> for EditError {
    fn from(message: &str) -> Self {
        EditError::new(message)
    }
}

/// What an edit made of a workspace.
#[derive(Clone, Debug)]
pub struct Applied {
    /// The workspace as it is now.
    pub workspace: Workspace,
    /// What the undo menu says: "Move 12 keys".
    pub label: String,
    /// What should be selected now, where the edit made something new: see
    /// [`Selection::overlaid`].
    pub selection: Option<Selection>,
    /// What did not come out quite as one might think, for people: a place in the world that could
    /// not be kept, an easing that had to begin anew.
    pub notes: Vec<String>,
}

/// Applies an edit. Pure: the workspace given stays as it is, and on an error nothing was made.
///
/// # Errors
/// What would break a limit of the format is refused with the format's own sentence.
pub fn apply(workspace: &Workspace, edit: &Edit) -> Result<Applied, EditError> {
    match edit {
        Edit::Clip { doc, edit } => clip::apply(workspace, *doc, edit),
        Edit::Rig { doc, edit } => rig::apply(workspace, *doc, edit),
        Edit::Take { doc, edit } => take::apply(workspace, *doc, edit),
        Edit::Text { doc, text, label } => workspace::set_text(workspace, *doc, text, label),
        Edit::Reload { doc, source } => reload::reload(workspace, *doc, source),
        Edit::ReloadText { doc, text } => reload::reload_text(workspace, *doc, text),
        Edit::ReadAnew { doc, read } => reload::read_anew(workspace, *doc, read),
        Edit::All { label, edits } => {
            let mut all = Applied {
                workspace: workspace.clone(),
                label: label.clone(),
                selection: None,
                notes: Vec::new(),
            };
            for edit in edits {
                let one = apply(&all.workspace, edit)?;
                all.workspace = one.workspace;
                all.notes.extend(one.notes);
                all.selection = match (all.selection, one.selection) {
                    (Some(old), Some(new)) => Some(old.joined(&new)),
                    (old, new) => new.or(old),
                };
                if all.label.is_empty() {
                    all.label = one.label;
                }
            }
            Ok(all)
        }
    }
}
