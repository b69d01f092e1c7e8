//! What the timeline does by a command: shortcut, menu or palette.

use super::board::Board;
use super::hand::{self, Hand};
use super::menus;
use super::rows::selected_parts;
use crate::edit::{ClipEdit, Clipboard, Edit, NewKey, Selection};
use crate::model::{Property, Uid};
use crate::ui::action::{Action, Tone};
use crate::ui::command::CommandId;
use crate::ui::cx::Cx;
use crate::ui::keys::Keymap;
use eframe::egui::{Pos2, Ui};
use std::collections::BTreeSet;

/// The selected keys of the board's clip that are not locked.
pub fn selected_keys(cx: &Cx<'_>, board: &Board<'_>) -> Vec<Uid> {
    let keys = cx.selection().keys_of(board.doc);
    if board.view.locked.is_empty() {
        return keys;
    }
    let locked = |key: &Uid| {
        let place = cx.workspace().find_key(board.doc, *key);
        place.is_some_and(|(track, _)| is_locked(board, track))
    };
    keys.into_iter().filter(|key| !locked(key)).collect()
}

/// Whether a track cannot be changed here.
pub fn is_locked(board: &Board<'_>, track: usize) -> bool {
    board.clip.tracks.get(track).is_none_or(|track| board.view.locked.contains(&track.uid))
}

/// The tracks that a command without keys is for: the selected ones, otherwise those of the
/// selected keys, otherwise those of the selected nodes.
pub fn chosen_tracks(cx: &Cx<'_>, board: &Board<'_>) -> Vec<Uid> {
    let selection = cx.selection();
    let tracks = &board.clip.tracks;
    let of_clip = |uid: &Uid| selection.tracks.contains(&(board.doc, *uid));
    let mut chosen: BTreeSet<Uid> = tracks.iter().map(|track| track.uid).filter(of_clip).collect();
    if chosen.is_empty() {
        let places = selection
            .keys_of(board.doc)
            .into_iter()
            .filter_map(|key| cx.workspace().find_key(board.doc, key));
        chosen = places.map(|(track, _)| tracks[track].uid).collect();
    }
    if chosen.is_empty() {
        let parts = selected_parts(cx);
        let of_parts = tracks.iter().filter(|track| parts.contains(&track.part));
        chosen = of_parts.map(|track| track.uid).collect();
    }
    chosen.retain(|uid| !board.view.locked.contains(uid));
    chosen.into_iter().collect()
}

/// Carries out what both panels of the timeline do the same way. Gives what it does not know.
pub fn run(
    ui: &Ui,
    cx: &Cx<'_>,
    board: &Board<'_>,
    hand: &mut Hand,
    (command, at): (CommandId, Pos2),
    actions: &mut Vec<Action>,
) -> Option<CommandId> {
    let keys = selected_keys(cx, board);
    let need_keys = |actions: &mut Vec<Action>| {
        actions.push(Action::Toast(Tone::Info, "Select keys first".to_owned()));
    };
    match command {
        CommandId::InsertKey => insert(cx, board, actions),
        CommandId::Delete => {
            if !keys.is_empty() {
                actions.push(menus::edit(board, ClipEdit::DeleteKeys { keys }));
            } else {
                let tracks: Vec<Uid> = board
                    .clip
                    .tracks
                    .iter()
                    .map(|track| track.uid)
                    .filter(|uid| cx.selection().tracks.contains(&(board.doc, *uid)))
                    .filter(|uid| !board.view.locked.contains(uid))
                    .collect();
                if tracks.is_empty() {
                    need_keys(actions);
                } else {
                    actions.push(menus::edit(board, ClipEdit::RemoveTracks { tracks }));
                }
            }
        }
        CommandId::SelectAll | CommandId::SelectNone | CommandId::SelectInverse => {
            select(cx, board, command, actions);
        }
        CommandId::Cut => match Clipboard::of_keys(cx.workspace(), board.doc, &keys, true) {
            Some(clipboard) => {
                actions.push(Action::SetClipboard(clipboard));
                let label = match keys.len() {
                    1 => "Cut key".to_owned(),
                    many => format!("Cut {many} keys"),
                };
                let delete = Edit::Clip { doc: board.doc, edit: ClipEdit::DeleteKeys { keys } };
                actions.push(Action::Edit(Edit::All { label, edits: vec![delete] }));
            }
            None => need_keys(actions),
        },
        CommandId::Copy => match Clipboard::of_keys(cx.workspace(), board.doc, &keys, false) {
            Some(clipboard) => {
                actions.push(Action::SetClipboard(clipboard));
                let count = crate::ui::text::count(keys.len(), "key", "keys");
                actions.push(Action::Toast(Tone::Good, format!("Copied {count}")));
            }
            None => need_keys(actions),
        },
        CommandId::Paste | CommandId::PasteFlipped => {
            let flipped = command == CommandId::PasteFlipped;
            let at_secs = cx.playhead_secs();
            let paste = cx.clipboard().and_then(|clipboard| clipboard.paste_keys(at_secs, flipped));
            match paste {
                Some(paste) => actions.push(menus::edit(board, paste)),
                None => actions.push(Action::Toast(
                    Tone::Info,
                    "There are no keys on the clipboard".to_owned(),
                )),
            }
        }
        CommandId::FrameAll => board.look(actions, |view| {
            view.visible_secs = None;
            view.visible_values = None;
        }),
        CommandId::Interpolation => {
            let tracks = chosen_tracks(cx, board);
            if tracks.is_empty() {
                let words = "Select tracks or keys first".to_owned();
                actions.push(Action::Toast(Tone::Info, words));
            } else {
                hand.menu = Some((at, tracks, true));
            }
        }
        CommandId::BoxSelect => hand.armed_box = true,
        CommandId::ToolMove | CommandId::ToolScale | CommandId::Duplicate if keys.is_empty() => {
            need_keys(actions);
        }
        CommandId::ToolMove => hand::grab(ui, cx, board, hand, hand::Kind::Move, keys, at, actions),
        CommandId::ToolScale => {
            let kind = hand::Kind::Scale { pivot_secs: cx.playhead_secs() };
            hand::grab(ui, cx, board, hand, kind, keys, at, actions);
        }
        CommandId::Duplicate if cx.settings().keymap == Keymap::Blender => {
            hand::grab(ui, cx, board, hand, hand::Kind::Duplicate, keys, at, actions);
        }
        CommandId::Duplicate => {
            // Without a hand that moves them, the copies go to the playhead.
            let first = keys
                .iter()
                .filter_map(|key| cx.workspace().find_key(board.doc, *key))
                .map(|(track, key)| board.clip.tracks[track].keys[key].time)
                .fold(f64::INFINITY, f64::min);
            let delta_secs = cx.playhead_secs() - first;
            if delta_secs.abs() < 1e-6 {
                let words = "Move the playhead to where the copies shall be".to_owned();
                actions.push(Action::Toast(Tone::Info, words));
            } else {
                actions.push(menus::edit(board, ClipEdit::DuplicateKeys { keys, delta_secs }));
            }
        }
        CommandId::Extend => {
            let kind = hand::Kind::Ripple { from_secs: cx.playhead_secs() };
            hand::grab(ui, cx, board, hand, kind, Vec::new(), at, actions);
        }
        other => return Some(other),
    }
    None
}

/// Keys at the playhead: on the selected tracks, or for the selected nodes.
fn insert(cx: &Cx<'_>, board: &Board<'_>, actions: &mut Vec<Action>) {
    let time = cx.playhead_secs();
    let tracks = chosen_tracks(cx, board);
    if !tracks.is_empty() {
        actions.push(menus::edit(board, ClipEdit::InsertOnCurve { tracks, time }));
        return;
    }
    let parts = selected_parts(cx);
    if parts.is_empty() {
        let words = "Select tracks, keys or a node first".to_owned();
        actions.push(Action::Toast(Tone::Info, words));
        return;
    }
    // A node that nothing moves yet: what most of them are keyed in first.
    let key = |part: &String| NewKey {
        part: part.clone(),
        property: Property::Rotation,
        time,
        value: menus::value_now(cx, part, Property::Rotation),
    };
    let keys = parts.iter().map(key).collect();
    actions.push(Action::Edit(Edit::Clip { doc: board.doc, edit: ClipEdit::InsertKeys { keys } }));
}

fn select(cx: &Cx<'_>, board: &Board<'_>, command: CommandId, actions: &mut Vec<Action>) {
    let old = cx.selection();
    let shown = board.rows.tracks.iter().filter(|track| !is_locked(board, **track));
    let all = shown.flat_map(|track| &board.clip.tracks[*track].keys).map(|k| (board.doc, k.uid));
    let keys: BTreeSet<_> = match command {
        CommandId::SelectAll => all.collect(),
        CommandId::SelectInverse => all.filter(|key| !old.keys.contains(key)).collect(),
        _ => BTreeSet::new(),
    };
    let tracks = match command {
        CommandId::SelectNone => BTreeSet::new(),
        _ => old.tracks.clone(),
    };
    actions.push(Action::Select(Selection { keys, tracks, ..old.clone() }));
}
