//! Which keys are under the pointer or in a box, and what is selected then.

use super::board::Board;
use super::commands;
use super::hand::BoxDrag;
use super::names;
use super::rows::Row;
use crate::edit::Selection;
use crate::model::Uid;
use crate::ui::cx::Cx;
use crate::ui::theme;
use eframe::egui::{Pos2, Rect};
use std::collections::{BTreeSet, HashSet};

/// A key is hit within so many points of its middle.
pub const REACH: f32 = 8.0;

/// The row whose keys are at the height of a place.
pub fn row_at(board: &Board<'_>, pos: Pos2) -> Option<usize> {
    if !board.canvas.contains(pos) {
        return None;
    }
    let row = ((pos.y - board.names.top() + board.scroll) / theme::ROW).floor();
    let row = if row >= 0.0 { row as usize } else { return None };
    let near = row < board.rows.rows.len()
        && (board.row_rect(row).center().y - pos.y).abs() <= REACH + 2.0;
    near.then_some(row)
}

/// Of increasing times the one that is nearest to a place and in reach; selected ones first.
pub fn nearest(
    board: &Board<'_>,
    times: &[f64],
    x: f32,
    chosen: impl Fn(usize) -> bool,
) -> Option<usize> {
    let first = board.axis.time_from_screen(x - REACH);
    let last = board.axis.time_from_screen(x + REACH);
    let from = times.partition_point(|time| *time < first);
    let to = times.partition_point(|time| *time <= last);
    let mut best: Option<(bool, f32, usize)> = None;
    for (at, time) in times.iter().enumerate().take(to).skip(from) {
        let far = (board.axis.screen_from_time(*time) - x).abs();
        let other = !chosen(at);
        if best.is_none_or(|(o, f, _)| (other, far) < (o, f)) {
            best = Some((other, far, at));
        }
    }
    best.map(|(_, _, at)| at)
}

/// The keys of tracks at a time, but for locked ones.
pub fn keys_at(board: &Board<'_>, tracks: &[usize], secs: f64) -> Vec<Uid> {
    let mut keys = Vec::new();
    for index in tracks.iter().filter(|track| !commands::is_locked(board, **track)) {
        let track = &board.clip.tracks[*index];
        let found = track.keys.binary_search_by(|key| key.time.total_cmp(&secs));
        keys.extend(found.ok().map(|at| track.keys[at].uid));
    }
    keys
}

/// The keys whose middle is in a box; those of summary and part rows are all keys at their times.
pub fn keys_in(board: &Board<'_>, rect: Rect) -> Vec<Uid> {
    let from = board.axis.time_from_screen(rect.left());
    let to = board.axis.time_from_screen(rect.right());
    let mut tracks = BTreeSet::new();
    for index in 0..board.rows.rows.len() {
        let y = board.row_rect(index).center().y;
        if rect.y_range().contains(y) {
            match &board.rows.rows[index] {
                Row::Track(track) => {
                    tracks.insert(*track);
                }
                Row::Summary | Row::Part { .. } => tracks.extend(board.rows.tracks_of(index)),
            }
        }
    }
    let mut keys = Vec::new();
    for index in tracks.into_iter().filter(|track| !commands::is_locked(board, *track)) {
        let track = &board.clip.tracks[index];
        let first = track.keys.partition_point(|key| key.time < from);
        let inside = track.keys[first..].iter().take_while(|key| key.time <= to);
        keys.extend(inside.map(|key| key.uid));
    }
    keys
}

/// The selection with these keys, alone or added; their tracks and nodes are marked.
pub fn with_keys(cx: &Cx<'_>, board: &Board<'_>, keys: &[Uid], add: bool) -> Selection {
    let mut selection = cx.selection().clone();
    if !add {
        selection.keys.clear();
        selection.tracks.clear();
    }
    selection.keys.extend(keys.iter().map(|key| (board.doc, *key)));
    mark(cx, board, &mut selection, keys, add);
    selection
}

/// The selection with these keys turned round: all of them off where all were on.
pub fn toggled(cx: &Cx<'_>, board: &Board<'_>, keys: &[Uid]) -> Selection {
    let mut selection = cx.selection().clone();
    let pairs: Vec<_> = keys.iter().map(|key| (board.doc, *key)).collect();
    if pairs.iter().all(|pair| selection.keys.contains(pair)) {
        for pair in &pairs {
            selection.keys.remove(pair);
        }
    } else {
        selection.keys.extend(pairs);
        mark(cx, board, &mut selection, keys, true);
    }
    selection
}

/// The selection that a box makes.
pub fn boxed(cx: &Cx<'_>, board: &Board<'_>, drag: &BoxDrag, keys: &[Uid]) -> Selection {
    let mut selection = drag.before.clone();
    let inside: BTreeSet<_> = keys.iter().map(|key| (board.doc, *key)).collect();
    if drag.toggle {
        selection.keys = selection.keys.symmetric_difference(&inside).copied().collect();
    } else if drag.add {
        selection.keys.extend(inside);
    } else {
        selection.keys = inside;
        selection.tracks.clear();
    }
    if !keys.is_empty() {
        mark(cx, board, &mut selection, keys, drag.add || drag.toggle);
    }
    selection
}

/// Marks the tracks and the nodes of keys.
fn mark(cx: &Cx<'_>, board: &Board<'_>, selection: &mut Selection, keys: &[Uid], add: bool) {
    let wanted: HashSet<Uid> = keys.iter().copied().collect();
    let mut tracks = BTreeSet::new();
    if keys.len() <= 64 {
        let places = keys.iter().filter_map(|key| cx.workspace().find_key(board.doc, *key));
        tracks.extend(places.map(|(track, _)| track));
    } else {
        for (index, track) in board.clip.tracks.iter().enumerate() {
            if track.keys.iter().any(|key| wanted.contains(&key.uid)) {
                tracks.insert(index);
            }
        }
    }
    let tracks: Vec<usize> = tracks.into_iter().collect();
    let uids = tracks.iter().map(|track| (board.doc, board.clip.tracks[*track].uid));
    selection.tracks.extend(uids);
    let parts = names::parts_of(board.clip, &tracks);
    names::mark_nodes(cx, board, selection, &parts, add);
}
