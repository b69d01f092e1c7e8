//! What the dope sheet and the curves of an export do by a command: shortcut, menu or palette.

use super::board::Board;
use super::hand::{Hand, Kind};
use crate::edit::{Clipboard, CopiedPegs, Edit, NewKeyframe, Selection, TakeEdit};
use crate::model::Uid;
use crate::sample::take::Turn;
use crate::ui::action::{Action, Tone};
use crate::ui::command::{CommandId, command};
use crate::ui::cx::Cx;
use crate::ui::text;
use eframe::egui::Pos2;
use std::collections::BTreeSet;

/// Says that keys must be selected first.
pub fn need_keys(actions: &mut Vec<Action>) {
    say(actions, "Select keys first");
}

fn say(actions: &mut Vec<Action>, words: &str) {
    actions.push(Action::Toast(Tone::Info, words.to_owned()));
}

/// Carries out what both panels do the same way; `pegs` are those that the panel shows, by their
/// places in the take. Gives whether it knew the command.
pub fn run(
    cx: &Cx<'_>,
    board: &Board<'_>,
    hand: &mut Hand,
    pegs: &[usize],
    (id, at): (CommandId, Pos2),
    actions: &mut Vec<Action>,
) -> bool {
    let keys = cx.selection().keys_of(board.doc);
    match id {
        CommandId::Delete
        | CommandId::Cut
        | CommandId::Copy
        | CommandId::ToolMove
        | CommandId::ToolScale
        | CommandId::Duplicate
        | CommandId::Interpolation
            if keys.is_empty() =>
        {
            need_keys(actions);
        }
        CommandId::Delete => {
            actions.push(Action::Edit(board.edit(TakeEdit::DeleteKeys { keys })));
        }
        CommandId::Cut | CommandId::Copy => {
            let Some(copied) = CopiedPegs::new(cx.workspace(), board.doc, &keys) else {
                need_keys(actions);
                return true;
            };
            let count = text::count(copied.key_count(), "key", "keys");
            let of = text::count(copied.pegs.len(), "peg", "pegs");
            actions.push(Action::SetClipboard(Clipboard::Pegs(copied)));
            if id == CommandId::Copy {
                let words = format!("Copied {count} of {of}");
                actions.push(Action::Toast(Tone::Good, words));
            } else {
                let delete = board.edit(TakeEdit::DeleteKeys { keys });
                let label = format!("Cut {count}");
                actions.push(Action::Edit(Edit::All { label, edits: vec![delete] }));
            }
        }
        CommandId::Paste => paste(cx, board, actions),
        CommandId::InsertKey => insert(cx, board, actions),
        CommandId::ToolMove => hand.grab(board, Kind::Move, keys, at, actions),
        CommandId::ToolScale => {
            let pivot_frame = playhead(cx, board);
            hand.grab(board, Kind::Scale { pivot_frame }, keys, at, actions);
        }
        CommandId::Duplicate => hand.grab(board, Kind::Duplicate, keys, at, actions),
        CommandId::Extend => extend(cx, board, hand, at, actions),
        CommandId::Interpolation => hand.menu = Some(at),
        CommandId::BoxSelect => hand.armed_box = true,
        CommandId::SelectAll | CommandId::SelectNone | CommandId::SelectInverse => {
            select(cx, board, pegs, id, actions);
        }
        CommandId::FrameAll => board.look(actions, |view| {
            view.visible_secs = None;
            view.visible_values = None;
        }),
        CommandId::FrameSelected => return false,
        other => {
            let words = format!("{} is not for the keys of an export", command(other).name);
            say(actions, &words);
        }
    }
    true
}

/// The frame under the playhead, without the noise of reckoning in seconds.
fn playhead(cx: &Cx<'_>, board: &Board<'_>) -> f64 {
    let frame = board.frame_from_secs(cx.playhead_secs());
    (frame * 1e6).round() / 1e6
}

/// Pastes at the playhead; what cannot be pasted says why.
fn paste(cx: &Cx<'_>, board: &Board<'_>, actions: &mut Vec<Action>) {
    let copied = match cx.clipboard() {
        Some(Clipboard::Pegs(copied)) => copied,
        Some(_) => {
            let words = "The clipboard holds keys of a clip or nodes of a rig: they are none of an \
                         export";
            return say(actions, words);
        }
        None => return say(actions, "There are no keys of an export on the clipboard"),
    };
    match copied.paste(board.take, playhead(cx, board)) {
        Ok(edit) => actions.push(Action::Edit(board.edit(edit))),
        Err(words) => actions.push(Action::Toast(Tone::Error, words)),
    }
}

/// Keys at the playhead on the selected pegs, with the values that they have there.
fn insert(cx: &Cx<'_>, board: &Board<'_>, actions: &mut Vec<Action>) {
    match insert_keys(cx, board) {
        Ok(keys) => actions.push(Action::Edit(board.edit(TakeEdit::InsertKeys { keys }))),
        Err(words) => say(actions, words),
    }
}

fn insert_keys(cx: &Cx<'_>, board: &Board<'_>) -> Result<Vec<NewKeyframe>, &'static str> {
    let frame = playhead(cx, board);
    let selected: BTreeSet<Uid> = cx.selection().nodes_of(board.doc).into_iter().collect();
    if selected.is_empty() {
        return Err("Select pegs first: their keys are made at the playhead");
    }
    let pegs = board.take.pegs.iter().enumerate();
    let keys: Vec<NewKeyframe> = pegs
        .filter(|(_, peg)| selected.contains(&peg.uid))
        .filter_map(|(at, peg)| {
            let curves = board.curves(at)?;
            let here = |key: &f64| (key - frame).abs() < 1e-6;
            if curves.frames().iter().any(here) {
                return None;
            }
            let pose = curves.at(frame);
            let rot = match pose.turn {
                Turn::Euler(degrees) => Some(curves.angles().of_degrees(degrees)),
                Turn::Quat(_) => None,
            };
            let (pos, rotation, scl) = (pose.pos, pose.rotation, pose.scl);
            Some(NewKeyframe { peg: peg.uid, frame, pos, rotation, rot, scl })
        })
        .collect();
    if keys.is_empty() {
        return Err("The selected pegs have keys at the playhead already");
    }
    Ok(keys)
}

/// Begins to move all keys from the playhead on: of the selected pegs, otherwise of all.
fn extend(cx: &Cx<'_>, board: &Board<'_>, hand: &mut Hand, at: Pos2, actions: &mut Vec<Action>) {
    let from = playhead(cx, board);
    let selected: BTreeSet<Uid> = cx.selection().nodes_of(board.doc).into_iter().collect();
    let pegs = board.take.pegs.iter();
    let pegs = pegs.filter(|peg| selected.is_empty() || selected.contains(&peg.uid));
    let later = pegs.flat_map(|peg| &peg.keyframes).filter(|key| key.frame >= from - 1e-6);
    let (mut keys, mut first) = (Vec::new(), f64::INFINITY);
    for key in later {
        keys.push(key.uid);
        first = first.min(key.frame);
    }
    if keys.is_empty() {
        return say(actions, "There are no keys behind the playhead");
    }
    let most_back = (first - from).max(0.0);
    hand.grab(board, Kind::Ripple { most_back }, keys, at, actions);
}

/// All keys of the pegs, none, or those that are not selected.
fn select(
    cx: &Cx<'_>,
    board: &Board<'_>,
    pegs: &[usize],
    id: CommandId,
    actions: &mut Vec<Action>,
) {
    let old = cx.selection();
    let pegs = pegs.iter().filter_map(|peg| board.take.pegs.get(*peg));
    let all = pegs.flat_map(|peg| &peg.keyframes).map(|key| (board.doc, key.uid));
    let keys: BTreeSet<_> = match id {
        CommandId::SelectAll => all.collect(),
        CommandId::SelectInverse => all.filter(|key| !old.keys.contains(key)).collect(),
        _ => BTreeSet::new(),
    };
    actions.push(Action::Select(Selection { keys, ..old.clone() }));
}
