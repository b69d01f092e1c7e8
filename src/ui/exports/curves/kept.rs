//! What the curves keep from frame to frame: lines, and everything in one mesh.

use super::super::board::Board;
use super::sampled::{Lines, PegKeys, Window, lines, place};
use super::values::ValueAxis;
use crate::edit::{DocId, Selection};
use crate::model::Uid;
use crate::model::take::{Channel, Take};
use crate::sample::take::{PegCurves, TakeCurves};
use crate::ui::cx::Cx;
use crate::ui::theme::ThemeChoice;
use crate::ui::timeline::axis::TimeAxis;
use crate::ui::timeline::curves::thin;
use crate::ui::timeline::mesh;
use eframe::egui::{Color32, Mesh, Pos2, Rect, pos2};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

/// More points of all curves together than this are drawn with hard edges: every vertex is copied
/// in every frame, and in such a carpet soft edges are not seen.
const DENSE_POINTS: usize = 20_000;
/// More keys than this are drawn with hard edges.
const DENSE_KEYS: usize = 4000;
/// Of more pegs than this the curves before the change are not drawn: in a carpet nobody finds
/// them.
const MOST_OLD: usize = 64;
/// Keys are drawn no more than one in a cell of so many points.
const CELL: f32 = 4.0;

/// A curve: its peg, and which of its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Curve {
    /// The peg.
    pub peg: Uid,
    /// Pos, rot or scl.
    pub channel: Channel,
    /// 0, 1, 2 for X, Y, Z.
    pub axis: usize,
}

/// A peg that is shown.
#[derive(Clone, Debug)]
pub struct Shown {
    /// Its place in the take.
    pub at: usize,
    /// Its keys.
    pub keys: Arc<PegKeys>,
    /// Its lines; empty until [`Kept::draw`].
    pub lines: Arc<Lines>,
}

#[derive(Clone, Debug, PartialEq)]
struct Drawn {
    window: Window,
    axis: TimeAxis,
    canvas: Rect,
    values: ValueAxis,
    axes: [bool; 3],
    theme: ThemeChoice,
    focus: Option<Curve>,
}

/// The pegs that a mesh was made of, and the take before the change.
type MadeOf = (Vec<Arc<PegCurves>>, Option<Arc<Take>>);

/// Lines, what they were made of, and in which window.
type LinesOf = (Arc<PegCurves>, Window, Arc<Lines>);

/// Kept from frame to frame.
#[derive(Debug, Default)]
pub struct Kept {
    /// The pegs that are shown.
    pub pegs: Vec<Shown>,
    /// The selected keys of the take.
    pub chosen: HashSet<Uid>,
    chosen_of: Option<(DocId, BTreeSet<(DocId, Uid)>)>,
    keys: HashMap<Uid, Arc<PegKeys>>,
    window: Option<Window>,
    lines: HashMap<Uid, (Arc<PegCurves>, Arc<Lines>)>,
    before: Option<(Arc<Take>, TakeCurves)>,
    old: HashMap<Uid, LinesOf>,
    /// Lines of the take that this one is compared with.
    others: HashMap<Uid, LinesOf>,
    drawn: Option<(Drawn, MadeOf)>,
    /// Everything in one mesh.
    pub mesh: Arc<Mesh>,
}

/// What is asked of [`Kept::draw`].
pub struct Look<'a> {
    /// Which of pos, rot, scl.
    pub channels: [bool; 3],
    /// The curve in hand.
    pub focus: Option<Curve>,
    /// The values to be seen, if not all of them.
    pub visible: Option<(f64, f64)>,
    /// The take before the change, to be drawn in grey.
    pub before: Option<&'a Arc<Take>>,
    /// For each peg that is shown its curves in the take that this one is compared with, where
    /// they differ.
    pub others: Vec<Option<Arc<PegCurves>>>,
}

impl Kept {
    /// Brings pegs, keys and selection up to what is there; gives whether the selection changed.
    pub fn update(&mut self, board: &Board<'_>, pegs: &[usize], selection: &Selection) -> bool {
        let curves_of = |at: &usize| Some((*at, board.curves(*at)?));
        let wanted: Vec<(usize, &Arc<PegCurves>)> = pegs.iter().filter_map(curves_of).collect();
        if self.keys.len() > 2 * wanted.len() + 64 {
            self.keys.clear();
            self.lines.clear();
        }
        let lines = Arc::new(Lines::default());
        self.pegs.clear();
        for (at, curves) in wanted {
            let uid = curves.peg().uid;
            let kept = self.keys.get(&uid).filter(|kept| Arc::ptr_eq(&kept.curves, curves));
            let keys = kept.cloned().unwrap_or_else(|| Arc::new(PegKeys::new(curves)));
            self.keys.insert(uid, keys.clone());
            self.pegs.push(Shown { at, keys, lines: lines.clone() });
        }
        let same =
            |(doc, keys): &(DocId, BTreeSet<_>)| *doc == board.doc && *keys == selection.keys;
        if self.chosen_of.as_ref().is_some_and(same) {
            return false;
        }
        self.chosen = selection.keys_of(board.doc).into_iter().collect();
        self.chosen_of = Some((board.doc, selection.keys.clone()));
        true
    }

    /// Brings lines and mesh up to what is looked at; gives the axis of values. `changed` says that
    /// the selection is another one.
    pub fn draw(
        &mut self,
        cx: &Cx<'_>,
        board: &Board<'_>,
        look: &Look<'_>,
        changed: bool,
    ) -> ValueAxis {
        let canvas = board.canvas;
        let frames =
            (board.frame_from_screen(canvas.left()), board.frame_from_screen(canvas.right()));
        let window =
            Window { channels: look.channels, frames, per_point: board.frames_per_point() };
        if self.window != Some(window) {
            self.lines.clear();
            self.window = Some(window);
        }
        for shown in &mut self.pegs {
            let uid = shown.keys.curves.peg().uid;
            let kept = self.lines.get(&uid);
            shown.lines = match kept.filter(|(of, _)| Arc::ptr_eq(of, &shown.keys.curves)) {
                Some((_, lines)) => lines.clone(),
                None => {
                    let made = Arc::new(lines(&shown.keys, &window));
                    self.lines.insert(uid, (shown.keys.curves.clone(), made.clone()));
                    made
                }
            };
        }
        self.compare(look, &window);
        let axes = board.view.channels;
        let span = self.span(look.channels, axes);
        let values = ValueAxis::new(canvas, look.visible, span);
        let drawn = Drawn {
            window,
            axis: board.axis,
            canvas,
            values,
            axes,
            theme: cx.theme.choice,
            focus: look.focus,
        };
        let own = self.pegs.iter().map(|shown| shown.keys.curves.clone());
        let of: Vec<_> = own.chain(look.others.iter().flatten().cloned()).collect();
        let same = |(old, (pegs, before)): &(Drawn, MadeOf)| {
            *old == drawn
                && pegs.len() == of.len()
                && pegs.iter().zip(&of).all(|(a, b)| Arc::ptr_eq(a, b))
                && match (before, look.before) {
                    (Some(a), Some(b)) => Arc::ptr_eq(a, b),
                    (None, None) => true,
                    _ => false,
                }
        };
        if changed || !self.drawn.as_ref().is_some_and(same) {
            let mut mesh = Mesh::default();
            self.old_curves(cx, board, look, &values, &window, &mut mesh);
            self.other_curves(cx, board, look, &values, &mut mesh);
            self.curves(cx, board, look, &values, &mut mesh);
            self.diamonds(cx, board, look, &values, &mut mesh);
            self.mesh = Arc::new(mesh);
            self.drawn = Some((drawn, (of, look.before.cloned())));
        }
        values
    }

    /// The values that the shown curves reach.
    pub fn span(&self, channels: [bool; 3], axes: [bool; 3]) -> Option<(f64, f64)> {
        let mut span = (f64::INFINITY, f64::NEG_INFINITY);
        let others = self.others.values().map(|(_, _, lines)| lines);
        for lines in self.pegs.iter().map(|shown| &shown.lines).chain(others) {
            for (channel, axis) in pairs(channels, axes) {
                let (low, high) = lines.spans[place(channel)][axis];
                span = (span.0.min(low), span.1.max(high));
            }
        }
        (span.0 <= span.1).then_some(span)
    }

    /// Makes the lines of the take that this one is compared with, of a few pegs.
    fn compare(&mut self, look: &Look<'_>, window: &Window) {
        if self.pegs.len() > MOST_OLD {
            self.others.clear();
            return;
        }
        let mut others = HashMap::new();
        for (shown, other) in self.pegs.iter().zip(&look.others) {
            let Some(other) = other else { continue };
            let uid = shown.keys.curves.peg().uid;
            others.insert(uid, remade(self.others.get(&uid), other, window));
        }
        self.others = others;
    }

    /// The curves of the take that this one is compared with, where they differ.
    fn other_curves(
        &self,
        cx: &Cx<'_>,
        board: &Board<'_>,
        look: &Look<'_>,
        values: &ValueAxis,
        mesh: &mut Mesh,
    ) {
        for shown in &self.pegs {
            let uid = shown.keys.curves.peg().uid;
            let Some((_, _, lines)) = self.others.get(&uid) else { continue };
            behind(board, look, values, lines, (1.6, cx.theme.ghost_after), mesh);
        }
    }

    /// The curves before the change, where they differ.
    fn old_curves(
        &mut self,
        cx: &Cx<'_>,
        board: &Board<'_>,
        look: &Look<'_>,
        values: &ValueAxis,
        window: &Window,
        mesh: &mut Mesh,
    ) {
        let few = self.pegs.len() <= MOST_OLD;
        let before = look.before.filter(|before| few && !Arc::ptr_eq(before, board.take));
        let Some(take) = before else {
            self.before = None;
            self.old.clear();
            return;
        };
        if self.before.as_ref().is_none_or(|(of, _)| !Arc::ptr_eq(of, take)) {
            // Only pegs that are other values are compiled.
            let curves = board.rig.curves().updated(take, board.rig.space());
            self.before = Some((take.clone(), curves));
        }
        let Some((_, before)) = &self.before else { return };
        let color = cx.theme.muted.gamma_multiply(0.7);
        for shown in &self.pegs {
            let uid = shown.keys.curves.peg().uid;
            let mut old = before.pegs().get(shown.at).filter(|old| old.peg().uid == uid);
            old = old.or_else(|| before.pegs().iter().find(|old| old.peg().uid == uid));
            let Some(old) = old.filter(|old| !Arc::ptr_eq(old.peg(), shown.keys.curves.peg()))
            else {
                continue;
            };
            let made = remade(self.old.get(&uid), old, window);
            behind(board, look, values, &made.2, (1.3, color), mesh);
            self.old.insert(uid, made);
        }
    }

    fn curves(
        &self,
        cx: &Cx<'_>,
        board: &Board<'_>,
        look: &Look<'_>,
        values: &ValueAxis,
        mesh: &mut Mesh,
    ) {
        let mut drawn: Vec<(bool, Vec<Pos2>, Color32)> = Vec::new();
        let mut total = 0;
        for shown in &self.pegs {
            let peg = shown.keys.curves.peg().uid;
            for (channel, axis) in pairs(look.channels, board.view.channels) {
                let line = &shown.lines.channels[place(channel)][axis];
                let (low, high) = shown.lines.spans[place(channel)][axis];
                // Nothing of it is seen.
                if low > values.high || high < values.low {
                    continue;
                }
                let in_hand = look.focus == Some(Curve { peg, channel, axis });
                let part = strength(look.focus, in_hand);
                let points = to_screen(board, values, line);
                total += points.len();
                drawn.push((in_hand, points, cx.theme.axes[axis].gamma_multiply(part)));
            }
        }
        let dense = total > DENSE_POINTS;
        // The one in hand lies over all others.
        drawn.sort_by_key(|(in_hand, ..)| *in_hand);
        for (in_hand, points, color) in drawn {
            match (in_hand, dense) {
                (true, _) => mesh::polyline(mesh, &points, 2.2, color),
                (false, false) => mesh::polyline(mesh, &points, 1.6, color),
                (false, true) => mesh::plain_polyline(mesh, &points, 1.4, color),
            }
        }
    }

    /// Keys as diamonds, no more than one in a cell; selected ones last.
    fn diamonds(
        &self,
        cx: &Cx<'_>,
        board: &Board<'_>,
        look: &Look<'_>,
        values: &ValueAxis,
        mesh: &mut Mesh,
    ) {
        let canvas = board.canvas;
        let mut cells = [Cells::new(canvas), Cells::new(canvas)];
        let mut places: [Vec<(Pos2, Color32)>; 2] = Default::default();
        let (from, to) = board.seen_frames();
        for shown in &self.pegs {
            let curves = &shown.keys.curves;
            let peg = curves.peg();
            for key in keys_within(curves, from, to) {
                let index = curves.key_index(key);
                let chosen = peg.keyframes.get(index).is_some_and(|k| self.chosen.contains(&k.uid));
                let x = board.screen_from_frame(curves.frames()[key]);
                for (channel, axis) in pairs(look.channels, board.view.channels) {
                    let y = values.screen_from_value(shown.keys.value(key, channel, axis));
                    let at = pos2(x, y);
                    if !cells[usize::from(chosen)].take(at) {
                        continue;
                    }
                    let curve = Curve { peg: peg.uid, channel, axis };
                    let part = strength(look.focus, look.focus == Some(curve));
                    let color = match chosen {
                        true => cx.theme.selection.gamma_multiply(part.max(0.6)),
                        false => cx.theme.key.gamma_multiply(part),
                    };
                    places[usize::from(chosen)].push((at, color));
                }
            }
        }
        let [others, chosen] = places;
        for (places, radius) in [(others, 4.5), (chosen, mesh::KEY_RADIUS)] {
            let diamond = match places.len() > DENSE_KEYS {
                true => mesh::plain_diamond,
                false => mesh::diamond,
            };
            for (at, color) in places {
                diamond(mesh, at, radius, color);
            }
        }
    }
}

/// How strong a curve is drawn: the one in hand full, the others at a third.
fn strength(focus: Option<Curve>, in_hand: bool) -> f32 {
    if focus.is_none() || in_hand { 1.0 } else { 1.0 / 3.0 }
}

/// The channels and axes that are shown.
pub fn pairs(channels: [bool; 3], axes: [bool; 3]) -> impl Iterator<Item = (Channel, usize)> {
    let shown = Channel::ALL.into_iter().filter(move |channel| channels[place(*channel)]);
    shown.flat_map(move |channel| {
        (0..3).filter(move |axis| axes[*axis]).map(move |axis| (channel, axis))
    })
}

/// The keys between two frames, by their places in [`PegCurves::frames`].
pub fn keys_within(curves: &PegCurves, from: f64, to: f64) -> std::ops::Range<usize> {
    let frames = curves.frames();
    let first = frames.partition_point(|frame| *frame < from);
    first..frames.partition_point(|frame| *frame <= to).max(first)
}

/// The lines of curves in a window; those that are there already where they are the same.
fn remade(kept: Option<&LinesOf>, of: &Arc<PegCurves>, window: &Window) -> LinesOf {
    match kept.filter(|(old, at, _)| Arc::ptr_eq(old, of) && at == window) {
        Some(kept) => kept.clone(),
        None => (of.clone(), *window, Arc::new(lines(&PegKeys::new(of), window))),
    }
}

/// Draws lines of another version, behind those that can be taken hold of.
fn behind(
    board: &Board<'_>,
    look: &Look<'_>,
    values: &ValueAxis,
    lines: &Lines,
    (width, color): (f32, Color32),
    mesh: &mut Mesh,
) {
    for (channel, axis) in pairs(look.channels, board.view.channels) {
        let points = to_screen(board, values, &lines.channels[place(channel)][axis]);
        mesh::polyline(mesh, &points, width, color);
    }
}

/// A line as points of the screen, without those that lie straight between others.
fn to_screen(board: &Board<'_>, values: &ValueAxis, line: &[[f64; 2]]) -> Vec<Pos2> {
    let mut points = Vec::new();
    let place = |[frame, value]: &[f64; 2]| {
        pos2(board.screen_from_frame(*frame), values.screen_from_value(*value))
    };
    thin::thin(line.iter().map(place), &mut points);
    points
}

/// Which cells of a canvas hold something.
struct Cells {
    canvas: Rect,
    across: usize,
    taken: Vec<bool>,
}

impl Cells {
    fn new(canvas: Rect) -> Cells {
        // Half a key beyond the edges is seen.
        let canvas = canvas.expand(8.0);
        let count = |length: f32| (length.clamp(0.0, 1e5) / CELL) as usize + 1;
        let across = count(canvas.width());
        Cells { canvas, across, taken: vec![false; across * count(canvas.height())] }
    }

    /// Takes the cell of a place; `false` where it is taken, or outside.
    fn take(&mut self, at: Pos2) -> bool {
        if !self.canvas.contains(at) {
            return false;
        }
        let cell = |from: f32, to: f32| ((to - from) / CELL) as usize;
        let index = cell(self.canvas.top(), at.y) * self.across + cell(self.canvas.left(), at.x);
        match self.taken.get_mut(index) {
            Some(taken) => !std::mem::replace(taken, true),
            None => false,
        }
    }
}
