//! Which keys of a take are under the pointer or in a box, and what is selected then.

use super::board::Board;
use crate::edit::{Selected, Selection};
use crate::model::Uid;
use crate::ui::cx::Cx;
use crate::ui::timeline::REACH;
use eframe::egui::{Pos2, Rect};
use std::collections::BTreeSet;

/// A key: its peg, itself, its frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// The peg.
    pub peg: Uid,
    /// The key.
    pub key: Uid,
    /// Its frame.
    pub frame: f64,
}

/// The row at the height of a place.
pub fn row_at(board: &Board<'_>, pos: Pos2) -> Option<usize> {
    board.seen().find(|row| board.row_rect(*row).y_range().contains(pos.y))
}

/// The key that is nearest to a place and in reach; selected ones first.
pub fn key_at(board: &Board<'_>, selection: &Selection, pos: Pos2) -> Option<Spot> {
    if !board.canvas.contains(pos) {
        return None;
    }
    let row = row_at(board, pos)?;
    if (board.row_rect(row).center().y - pos.y).abs() > REACH + 2.0 {
        return None;
    }
    let peg = board.peg(row)?.uid;
    let [from, to] = [pos.x - REACH, pos.x + REACH].map(|x| board.frame_from_screen(x));
    let mut best: Option<(bool, f32, Spot)> = None;
    for (frame, key) in board.keys_within(row, from, to) {
        let far = (board.screen_from_frame(frame) - pos.x).abs();
        let other = !selection.keys.contains(&(board.doc, key));
        if best.is_none_or(|(o, f, _)| (other, far) < (o, f)) {
            best = Some((other, far, Spot { peg, key, frame }));
        }
    }
    best.map(|(_, _, spot)| spot)
}

/// The keys whose middle is in a box.
pub fn keys_in(board: &Board<'_>, rect: Rect) -> Vec<Spot> {
    let from = board.frame_from_screen(rect.left());
    let to = board.frame_from_screen(rect.right());
    let inside = |row: &usize| rect.y_range().contains(board.row_rect(*row).center().y);
    let mut spots = Vec::new();
    for row in (0..board.rows.len()).filter(inside) {
        let Some(peg) = board.peg(row) else { continue };
        let keys = board.keys_within(row, from, to);
        spots.extend(keys.map(|(frame, key)| Spot { peg: peg.uid, key, frame }));
    }
    spots
}

/// The selection with these keys, alone or added to what was selected; their pegs are marked.
pub fn with_keys(cx: &Cx<'_>, board: &Board<'_>, spots: &[Spot], add: bool) -> Selection {
    let mut selection = cx.selection().clone();
    if !add {
        selection.keys.clear();
        selection.tracks.clear();
    }
    selection.keys.extend(spots.iter().map(|spot| (board.doc, spot.key)));
    mark(board, &mut selection, spots, add);
    selection
}

/// The selection with a key turned round.
pub fn toggled(cx: &Cx<'_>, board: &Board<'_>, spot: Spot) -> Selection {
    let mut selection = cx.selection().clone();
    if !selection.keys.remove(&(board.doc, spot.key)) {
        selection.keys.insert((board.doc, spot.key));
        mark(board, &mut selection, &[spot], true);
    }
    selection
}

/// How a box changes what was selected before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoxMode {
    /// What is in it alone.
    Only,
    /// What is in it too.
    Add,
    /// What is in it is turned round.
    Toggle,
}

/// The selection that a box makes.
pub fn boxed(board: &Board<'_>, before: &Selection, mode: BoxMode, spots: &[Spot]) -> Selection {
    let mut selection = before.clone();
    let inside: BTreeSet<_> = spots.iter().map(|spot| (board.doc, spot.key)).collect();
    match mode {
        BoxMode::Only => {
            selection.keys = inside;
            selection.tracks.clear();
        }
        BoxMode::Add => selection.keys.extend(inside),
        BoxMode::Toggle => {
            selection.keys = selection.keys.symmetric_difference(&inside).copied().collect();
        }
    }
    if !spots.is_empty() {
        mark(board, &mut selection, spots, mode != BoxMode::Only);
    }
    selection
}

/// Marks the pegs of keys. While only selected pegs have rows no row goes away under the hand.
fn mark(board: &Board<'_>, selection: &mut Selection, spots: &[Spot], add: bool) {
    let node = |spot: &Spot| Selected::Node(board.doc, spot.peg);
    if !add && !board.view.only_selected {
        selection.nodes.clear();
    }
    selection.tracks.extend(spots.iter().map(|spot| (board.doc, spot.peg)));
    selection.nodes.extend(spots.iter().map(node));
    if let Some(last) = spots.last() {
        selection.active = Some(node(last));
    }
}
