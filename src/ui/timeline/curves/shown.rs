//! Whose curves are shown, and what an empty panel says.

use crate::model::Clip;
use crate::ui::command::CommandId;
use crate::ui::cx::Cx;
use crate::ui::timeline::board::Board;
use crate::ui::timeline::{names, rows};

/// The tracks whose curves are shown: the selected ones, otherwise those of the selected nodes,
/// otherwise those of selected keys.
pub fn tracks(cx: &Cx<'_>, board: &Board<'_>, clip: &Clip) -> Vec<usize> {
    let which = |wanted: &dyn Fn(usize) -> bool| -> Vec<usize> {
        (0..clip.tracks.len()).filter(|track| wanted(*track)).collect()
    };
    let parts = rows::selected_parts(cx);
    let of_parts = |track: usize| parts.contains(&clip.tracks[track].part);
    let chosen = which(&|track| names::is_selected(board, cx.selection(), track));
    // Selecting a track selects its node: where none of them is of a selected node, the hand has
    // gone on to other nodes since.
    let current = parts.is_empty() || chosen.iter().any(|track| of_parts(*track));
    if !chosen.is_empty() && current {
        return chosen;
    }
    if !parts.is_empty() {
        return which(&of_parts);
    }
    let keys = &cx.selection().keys;
    if keys.is_empty() {
        return Vec::new();
    }
    which(&|track| clip.tracks[track].keys.iter().any(|key| keys.contains(&(board.doc, key.uid))))
}

/// What an empty panel says, and the step that it offers.
pub fn first_step(cx: &Cx<'_>, clip: &Clip) -> (String, &'static [(CommandId, &'static str)]) {
    let parts = rows::selected_parts(cx);
    let insert: &[(CommandId, &str)] = &[(CommandId::InsertKey, "Insert key")];
    match (parts.first(), clip.tracks.is_empty()) {
        (Some(part), _) if parts.len() == 1 => {
            let part = rows::part_name(part);
            (format!("{part} is not animated yet. A key at the playhead begins a curve."), insert)
        }
        (Some(_), _) => ("None of the selected nodes is animated yet.".to_owned(), insert),
        (None, true) => {
            let words =
                "The clip has no keys yet. Select a node and move it: its curves show here.";
            (words.to_owned(), &[])
        }
        (None, false) => {
            let words = "Select a node, or tracks at the left: their values over time show here.";
            (words.to_owned(), &[])
        }
    }
}
