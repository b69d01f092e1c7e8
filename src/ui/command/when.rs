//! When a command can be done, and why not.

use super::{CommandId, command};
use crate::edit::Content;
use crate::ui::cx::{Cx, undo_line};
use crate::ui::state::WorkspaceTab;

pub(super) fn always(_: &Cx<'_>) -> bool {
    true
}

pub(super) fn has_document(cx: &Cx<'_>) -> bool {
    cx.active().is_some()
}

pub(super) fn can_compare(cx: &Cx<'_>) -> bool {
    cx.document().is_some_and(|document| !matches!(document.content, Content::Text(_)))
}

pub(super) fn has_before(cx: &Cx<'_>) -> bool {
    cx.active().is_some_and(|doc| cx.compare.has_before(doc))
}

pub(super) fn is_compared(cx: &Cx<'_>) -> bool {
    cx.active().is_some_and(|doc| cx.compare.of(doc).is_some())
}

pub(super) fn is_dirty(cx: &Cx<'_>) -> bool {
    cx.active().is_some_and(|doc| cx.editor.is_dirty(doc))
}

pub(super) fn any_dirty(cx: &Cx<'_>) -> bool {
    cx.workspace().documents().any(|d| cx.editor.is_dirty(d.id))
}

pub(super) fn can_revert(cx: &Cx<'_>) -> bool {
    is_dirty(cx) && cx.document().is_some_and(|d| d.path.is_some())
}

pub(super) fn can_undo(cx: &Cx<'_>) -> bool {
    undo_line(cx.editor, cx.state, true).is_some()
}

pub(super) fn can_redo(cx: &Cx<'_>) -> bool {
    undo_line(cx.editor, cx.state, false).is_some()
}

pub(super) fn has_clip(cx: &Cx<'_>) -> bool {
    cx.clip().is_some()
}

/// A clip, or an export that has keys.
pub(super) fn has_keys(cx: &Cx<'_>) -> bool {
    has_clip(cx) || cx.export().is_some_and(|export| export.take().is_some())
}

pub(super) fn active_clip(cx: &Cx<'_>) -> bool {
    cx.document().is_some_and(|d| matches!(d.content, Content::Clip(_)))
}

pub(super) fn active_take(cx: &Cx<'_>) -> bool {
    cx.document().is_some_and(|d| matches!(d.content, Content::Take(_)))
}

pub(super) fn active_skeleton(cx: &Cx<'_>) -> bool {
    cx.document().is_some_and(|d| matches!(d.content, Content::Skeleton(_)))
}

pub(super) fn can_export(cx: &Cx<'_>) -> bool {
    cx.document().is_some_and(|d| matches!(d.content, Content::Clip(_) | Content::Rig(_)))
}

pub(super) fn has_scene(cx: &Cx<'_>) -> bool {
    cx.clip().is_some() || cx.rig().is_some()
}

pub(super) fn plays(cx: &Cx<'_>) -> bool {
    cx.duration_secs().is_some()
}

/// A rig that can be edited: the pegs of an export are shown as one, and cannot.
pub(super) fn has_rig(cx: &Cx<'_>) -> bool {
    cx.rig().is_some() && cx.export().is_none()
}

pub(super) fn has_selection(cx: &Cx<'_>) -> bool {
    let selection = cx.selection();
    !(selection.nodes.is_empty() && selection.keys.is_empty() && selection.tracks.is_empty())
}

pub(super) fn has_nodes(cx: &Cx<'_>) -> bool {
    has_rig(cx) && !cx.selection().nodes.is_empty()
}

pub(super) fn two_nodes(cx: &Cx<'_>) -> bool {
    has_rig(cx) && cx.selection().nodes.len() > 1
}

pub(super) fn not_animate(cx: &Cx<'_>) -> bool {
    cx.state.workspace_tab != WorkspaceTab::Animate
}

pub(super) fn not_rig(cx: &Cx<'_>) -> bool {
    cx.state.workspace_tab != WorkspaceTab::Rig
}

/// Why a command would do nothing now; `None` where it would, or where that is plain to see.
pub fn why_not(id: CommandId, cx: &Cx<'_>) -> Option<&'static str> {
    if is_enabled(id, cx) {
        return None;
    }
    let export = cx.export();
    let skeleton = export.is_some_and(|export| export.take().is_none());
    Some(match id {
        CommandId::Undo => "Nothing was changed yet",
        CommandId::Redo => "Nothing was taken back",
        CommandId::InsertKey | CommandId::Interpolation | CommandId::Extend if skeleton => {
            "A skeleton has no keys: it is one pose"
        }
        CommandId::PasteFlipped if export.is_some() => {
            "Exports are not mirrored here: what their names mean is known to the program that \
             wrote them"
        }
        CommandId::AddChild
        | CommandId::Extrude
        | CommandId::Parent
        | CommandId::Unparent
        | CommandId::Mirror
        | CommandId::Rename
            if export.is_some() =>
        {
            "Names, parents and rests of an export belong to the program that wrote it"
        }
        CommandId::Cut | CommandId::Copy | CommandId::Delete | CommandId::Duplicate => {
            "Nothing is selected"
        }
        _ => return None,
    })
}

/// Whether a document is needed that is not text, for tests and menus.
pub fn is_enabled(id: CommandId, cx: &Cx<'_>) -> bool {
    (command(id).enabled)(cx)
}
