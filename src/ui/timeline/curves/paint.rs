//! The mesh of the curves, kept while nothing changes.

use super::super::axis::TimeAxis;
use super::super::board::Board;
use super::super::chosen::Chosen;
use super::super::mesh;
use super::cover::{self, Cover};
use super::sampled::{Lines, Sampled, unit};
use super::thin;
use super::values::ValueAxis;
use super::{common_property, span_of};
use crate::model::{Clip, Property, Uid};
use crate::ui::cx::Cx;
use crate::ui::theme::ThemeChoice;
use eframe::egui::{Color32, Mesh, Pos2, Rect, pos2};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A handle of a track's easing at one segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Handle {
    /// The track's index.
    pub track: usize,
    /// The component it is drawn on.
    pub axis: usize,
    /// 0 at the segment's start, 1 at its end.
    pub point: usize,
    /// The segment: seconds and plotted values.
    pub ends: [[f64; 2]; 2],
    /// The track's easing.
    pub curve: [f64; 4],
}

impl Handle {
    /// Where it is, and the key it belongs to, in points.
    pub fn places(&self, board: &Board<'_>, values: &ValueAxis) -> (Pos2, Pos2) {
        let [[t0, v0], [t1, v1]] = self.ends;
        let [x, y] = [self.curve[self.point * 2], self.curve[self.point * 2 + 1]];
        let at = |secs: f64, value: f64| {
            pos2(board.axis.screen_from_time(secs), values.screen_from_value(value))
        };
        let [secs, value] = self.ends[self.point];
        (at(t0 + (t1 - t0) * x, v0 + (v1 - v0) * y), at(secs, value))
    }
}

#[derive(Clone, Debug, PartialEq)]
struct Drawn {
    axis: TimeAxis,
    canvas: Rect,
    values: Option<(f64, f64)>,
    channels: [bool; 3],
    theme: ThemeChoice,
    tracks: Vec<usize>,
    focus: Option<(Uid, usize)>,
    muted: BTreeSet<Uid>,
    others: Vec<usize>,
}

/// The clip as it is, as it was before the change, and the one that it is compared with.
type Clips = (Arc<Clip>, Option<Arc<Clip>>, Option<Arc<Clip>>);

/// The clip that this one is compared with, and which of its tracks are those that are shown and
/// differ.
pub type Other = (Arc<Clip>, Vec<usize>);

/// What is kept from frame to frame.
#[derive(Debug, Default)]
pub struct Kept {
    pub(super) chosen: Chosen,
    sampled: Sampled,
    before: Sampled,
    other: Sampled,
    drawn: Option<(Drawn, Clips, Chosen)>,
    /// The lines of the selected tracks, by the tracks' indices.
    pub lines: Vec<(usize, Arc<Lines>)>,
    /// Everything in one mesh.
    pub mesh: Arc<Mesh>,
}

/// The axes that the mesh was made for.
pub struct Frame {
    /// Values.
    pub values: ValueAxis,
    /// What all curves are of, where they are of one thing.
    pub property: Option<Property>,
}

/// Brings the mesh up to what is shown.
pub fn update(
    cx: &Cx<'_>,
    board: &Board<'_>,
    kept: &mut Kept,
    tracks: &[usize],
    focus: Option<(Uid, usize)>,
    before: Option<&Arc<Clip>>,
    other: Option<&Other>,
) -> Frame {
    let before = before.filter(|before| !Arc::ptr_eq(before, board.clip));
    let drawn = Drawn {
        axis: board.axis,
        canvas: board.canvas,
        values: board.view.visible_values,
        channels: board.view.channels,
        theme: cx.theme.choice,
        tracks: tracks.to_vec(),
        focus,
        muted: board.view.muted.clone(),
        others: other.map(|(_, tracks)| tracks.clone()).unwrap_or_default(),
    };
    let other_clip = other.map(|(clip, _)| clip);
    let same_clip = |a: Option<&Arc<Clip>>, b: Option<&Arc<Clip>>| match (a, b) {
        (Some(a), Some(b)) => Arc::ptr_eq(a, b),
        (None, None) => true,
        _ => false,
    };
    let fresh = kept.drawn.as_ref().is_some_and(|(old, (clip, old_before, old_other), chosen)| {
        *old == drawn
            && Arc::ptr_eq(clip, board.clip)
            && same_clip(old_before.as_ref(), before)
            && same_clip(old_other.as_ref(), other_clip)
            && chosen.keys == kept.chosen.keys
    });
    if !fresh {
        kept.lines = kept.sampled.lines(board.clip, tracks, &board.axis);
    }
    let span = span_of(kept.lines.iter(), board.view.channels);
    let values = ValueAxis::new(board.canvas, board.view.visible_values, span);
    if !fresh {
        let mut mesh = Mesh::default();
        if let Some(before) = before {
            old_curves(cx, board, &values, (&mut kept.before, before), tracks, &mut mesh);
        }
        if let Some((clip, tracks)) = other {
            let color = cx.theme.ghost_after;
            let lines = kept.other.lines(clip, tracks, &board.axis);
            lines_of(board, &values, &lines, 1.6, color, &mut mesh);
        }
        curves(cx, board, &values, &kept.lines, focus, &mut mesh);
        keys(cx, board, &values, kept, focus, &mut mesh);
        kept.mesh = Arc::new(mesh);
        let clips = (board.clip.clone(), before.cloned(), other_clip.cloned());
        kept.drawn = Some((drawn, clips, kept.chosen.clone()));
    }
    Frame { values, property: common_property(board.clip, tracks) }
}

/// More points of all curves together than this are drawn with hard edges: every vertex is copied
/// in every frame, and in such a carpet soft edges are not seen.
const DENSE_POINTS: usize = 20_000;

/// More keys than this are drawn with hard edges.
const DENSE_KEYS: usize = 4000;

/// More keys than this in view would hide the curves.
const CROWDED_KEYS: usize = 20_000;

/// Appends a line as points of the screen, without those that lie straight between others.
fn to_screen(board: &Board<'_>, values: &ValueAxis, line: &[[f64; 2]], points: &mut Vec<Pos2>) {
    let place = |[secs, value]: &[f64; 2]| {
        pos2(board.axis.screen_from_time(*secs), values.screen_from_value(*value))
    };
    thin::thin(line.iter().map(place), points);
}

/// The curves before the change, where they differ.
fn old_curves(
    cx: &Cx<'_>,
    board: &Board<'_>,
    values: &ValueAxis,
    (sampled, before): (&mut Sampled, &Arc<Clip>),
    tracks: &[usize],
    mesh: &mut Mesh,
) {
    let old: Vec<usize> = tracks
        .iter()
        .filter_map(|track| {
            let now = &board.clip.tracks[*track];
            let at = before.tracks.iter().position(|old| old.uid == now.uid)?;
            (!Arc::ptr_eq(&before.tracks[at], now)).then_some(at)
        })
        .collect();
    if old.is_empty() {
        return;
    }
    let color = cx.theme.muted.gamma_multiply(0.7);
    let lines = sampled.lines(before, &old, &board.axis);
    lines_of(board, values, &lines, 1.3, color, mesh);
}

/// Lines of tracks in one colour.
fn lines_of(
    board: &Board<'_>,
    values: &ValueAxis,
    lines: &[(usize, Arc<Lines>)],
    width: f32,
    color: Color32,
    mesh: &mut Mesh,
) {
    let mut points = Vec::new();
    for (_, lines) in lines {
        for axis in (0..3).filter(|axis| board.view.channels[*axis]) {
            points.clear();
            to_screen(board, values, &lines.channels[axis], &mut points);
            mesh::polyline(mesh, &points, width, color);
        }
    }
}

/// How strong a channel is drawn: the one in hand full, the others at a third.
fn strength(focus: Option<(Uid, usize)>, track: Uid, axis: usize) -> f32 {
    match focus {
        Some(focus) if focus != (track, axis) => 1.0 / 3.0,
        _ => 1.0,
    }
}

fn curves(
    cx: &Cx<'_>,
    board: &Board<'_>,
    values: &ValueAxis,
    lines: &[(usize, Arc<Lines>)],
    focus: Option<(Uid, usize)>,
    mesh: &mut Mesh,
) {
    let mut points = Vec::new();
    let mut drawn = Vec::new();
    for (at, lines) in lines {
        let track = &board.clip.tracks[*at];
        let muted = if board.view.muted.contains(&track.uid) { 0.4 } else { 1.0 };
        for axis in (0..3).filter(|axis| board.view.channels[*axis]) {
            let in_hand = focus == Some((track.uid, axis));
            let part = strength(focus, track.uid, axis) * muted;
            let first = points.len();
            to_screen(board, values, &lines.channels[axis], &mut points);
            drawn.push((in_hand, first..points.len(), cx.theme.axes[axis].gamma_multiply(part)));
        }
    }
    let dense = points.len() > DENSE_POINTS;
    // The one in hand lies over all others.
    drawn.sort_by_key(|(in_hand, ..)| *in_hand);
    // What lies on top claims its place first.
    let mut cover = dense.then(|| Cover::new(board.canvas));
    let mut seen: Vec<(bool, Vec<Pos2>, Color32)> = Vec::with_capacity(drawn.len());
    let canvas = board.canvas.expand(2.0);
    for (in_hand, range, color) in drawn.into_iter().rev() {
        let mut line = Vec::new();
        cover::seen(&points[range], canvas, cover.as_mut(), &mut line);
        seen.push((in_hand, line, color));
    }
    for (in_hand, line, color) in seen.into_iter().rev() {
        match (in_hand, dense) {
            (true, _) => mesh::polyline(mesh, &line, 2.2, color),
            (false, false) => mesh::polyline(mesh, &line, 1.6, color),
            (false, true) => mesh::plain_polyline(mesh, &line, 1.4, color),
        }
    }
}

/// Which cells of the canvas have a key already.
struct Cells {
    canvas: Rect,
    size: f32,
    wide: usize,
    taken: Vec<bool>,
}

impl Cells {
    fn new(canvas: Rect, size: f32) -> Cells {
        let canvas = canvas.expand(8.0);
        let many = |length: f32| (length / size).ceil().clamp(0.0, 8192.0) as usize + 1;
        let (wide, high) = (many(canvas.width()), many(canvas.height()));
        Cells { canvas, size, wide, taken: vec![false; wide * high] }
    }

    /// Takes the cell of a place that is seen, if it is free.
    fn take(&mut self, place: Pos2) -> bool {
        if !self.canvas.contains(place) {
            return false;
        }
        let at = (place - self.canvas.min) / self.size;
        let cell = self.taken.get_mut(at.y as usize * self.wide + at.x as usize);
        cell.is_some_and(|taken| !std::mem::replace(taken, true))
    }
}

/// Keys as diamonds, not more than one in four points either way; selected ones last. Where keys
/// stand so close that they would hide the curves they belong to, fewer and smaller ones.
fn keys(
    cx: &Cx<'_>,
    board: &Board<'_>,
    values: &ValueAxis,
    kept: &Kept,
    focus: Option<(Uid, usize)>,
    mesh: &mut Mesh,
) {
    let (from, to) = board.visible_secs();
    let shown = (0..3).filter(|axis| board.view.channels[*axis]).count();
    let visible = |at: usize| {
        let keys = &board.clip.tracks[at].keys;
        let first = keys.partition_point(|key| key.time < from);
        first..keys.partition_point(|key| key.time <= to).max(first)
    };
    let many: usize = kept.lines.iter().map(|(at, _)| visible(*at).len() * shown).sum();
    let crowded = many > CROWDED_KEYS;
    let mut cells = Cells::new(board.canvas, if crowded { 10.0 } else { 4.0 });
    // What shall be on top is put last but claims its cell first.
    let (mut chosen_places, mut places) = (Vec::new(), Vec::new());
    for wanted in [true, false] {
        for (at, _) in &kept.lines {
            let track = &board.clip.tracks[*at];
            let unit = unit(track.property);
            for key in &track.keys[visible(*at)] {
                let chosen = kept.chosen.keys.contains(&key.uid);
                if chosen != wanted {
                    continue;
                }
                for axis in (0..3).filter(|axis| board.view.channels[*axis]) {
                    let y = values.screen_from_value(key.value[axis] * unit);
                    let place = pos2(board.axis.screen_from_time(key.time), y);
                    let part = strength(focus, track.uid, axis);
                    if chosen {
                        let color = cx.theme.selection.gamma_multiply(part.max(0.6));
                        chosen_places.push((place, color));
                    } else if cells.take(place) {
                        places.push((place, cx.theme.key.gamma_multiply(part)));
                    }
                }
            }
        }
    }
    let radius = if crowded { 3.0 } else { 4.5 };
    let dense = crowded || places.len() > DENSE_KEYS;
    for (place, color) in places {
        match dense {
            true => mesh::plain_diamond(mesh, place, radius, color),
            false => mesh::diamond(mesh, place, radius, color),
        }
    }
    // Thousands of selected ones need no soft edges either, nor one on the other.
    let dense = chosen_places.len() > DENSE_KEYS;
    let mut cells = Cells::new(board.canvas, 3.0);
    for (place, color) in chosen_places {
        match dense {
            false => mesh::diamond(mesh, place, mesh::KEY_RADIUS, color),
            true if cells.take(place) => {
                mesh::plain_diamond(mesh, place, mesh::KEY_RADIUS, color);
            }
            true => {}
        }
    }
}
