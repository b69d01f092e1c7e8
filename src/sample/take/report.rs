//! What a lead reads of a take at a glance: counts, and a table of its pegs.

use super::measure::SpaceMeasure;
use super::rig::{TakePoses, TakeRig};
use crate::format::{FileKind, unknown_fields};
use crate::math::{Trs, apart_deg};
use crate::model::take::{Interp, Peg, Take};
use crate::progress::Progress;
use std::collections::BTreeSet;

/// Points of a motion line.
const LINE_POINTS: usize = 60;
/// So many poses are taken at most: takes with more have some frames left out.
const MAX_POSES: usize = 4_000_000;
/// Below this many poses a second thread costs more than it brings.
const WORTH_THREADS: usize = 20_000;

/// How many keys a peg has of each interpolation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InterpMix {
    /// BEZIER, also where nothing is written (A1b).
    pub bezier: usize,
    /// LINEAR.
    pub linear: usize,
    /// CONSTANT.
    pub constant: usize,
    /// A word that nobody knows, which plays as BEZIER (A3).
    pub unknown: usize,
    /// Of all: keys whose handles count for nothing or are not there, so that BEZIER is automatic
    /// (A13).
    pub without_handles: usize,
}

impl InterpMix {
    fn of(peg: &Peg) -> Self {
        let mut mix = InterpMix::default();
        for key in &peg.keyframes {
            match key.interp.unwrap_or(Interp::Bezier) {
                Interp::Bezier => mix.bezier += 1,
                Interp::Linear => mix.linear += 1,
                Interp::Constant => mix.constant += 1,
                Interp::Unknown => mix.unknown += 1,
            }
            if key.handles.as_ref().is_none_or(|handles| handles.is_empty()) {
                mix.without_handles += 1;
            }
        }
        mix
    }
}

/// How a peg moves, relative to its parent, over the take's range.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Motion {
    /// The way it goes, in metres.
    pub travel: f64,
    /// How far it turns, all in all, in degrees.
    pub turn_deg: f64,
    /// The farthest that it goes from one frame to the next, in metres.
    pub largest_step: f64,
    /// The frame at which that step ends.
    pub largest_step_frame: f64,
    /// The most that it turns from one frame to the next, in degrees.
    pub largest_turn_deg: f64,
    /// The frame at which that turn ends.
    pub largest_turn_frame: f64,
    /// About 60 moments, evenly spread over the range: how far it is from where it began, in
    /// metres.
    pub moved: Vec<f32>,
    /// As `moved`: how far it is turned from where it began, in degrees.
    pub turned_deg: Vec<f32>,
}

/// A row of the peg table.
#[derive(Clone, Debug, PartialEq)]
pub struct PegRow {
    /// Its name.
    pub name: String,
    /// What it is called where each needs a name of its own; see [`TakeRig::labels`].
    pub label: String,
    /// The parent's name, as written.
    pub parent_name: Option<String>,
    /// The place of its parent; `None` for roots, and for pegs that are shown as roots (A22).
    pub parent: Option<usize>,
    /// The tag of its rig.
    pub rig: Option<String>,
    /// Whether it carries a camera.
    pub is_camera: bool,
    /// How many keys it has.
    pub keys: usize,
    /// Their interpolations.
    pub interp: InterpMix,
    /// How it moves.
    pub motion: Motion,
}

/// Sizes of a take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Pegs.
    pub pegs: usize,
    /// Keys of all pegs.
    pub keys: usize,
    /// Cameras.
    pub cameras: usize,
    /// Pegs without a parent, or shown so.
    pub roots: usize,
    /// Levels of the hierarchy; a root is level 1.
    pub depth: usize,
    /// Pegs that never move relative to their parent.
    pub still: usize,
}

/// What a lead reads of a take at a glance. A value: made once, in the background for large takes.
#[derive(Clone, Debug, PartialEq)]
pub struct TakeReport {
    /// Sizes.
    pub counts: Counts,
    /// First and last frame (A1b).
    pub frame_range: [f64; 2],
    /// Frames a second (A1b).
    pub fps: f64,
    /// Length of the range in seconds; `None` with a rate of 0 or less, or a reversed range.
    pub duration_secs: Option<f64>,
    /// The space and its figures (A20).
    pub space: SpaceMeasure,
    /// The tags of rigs, sorted.
    pub rigs: Vec<String>,
    /// The names of cameras, in the order of the file; "" where one has none.
    pub cameras: Vec<String>,
    /// The fields that nobody knows, as paths (A3).
    pub unknown_fields: Vec<String>,
    /// A row for each peg, in the order of the file.
    pub pegs: Vec<PegRow>,
    /// Frames from one looked at pose to the next: 1, but more in very long takes.
    pub frame_step: f64,
}

impl TakeReport {
    /// The report on a take, posed by `rig`, whose space `space` measured. `None` where `progress`
    /// was cancelled.
    pub fn new(
        take: &Take,
        rig: &TakeRig,
        space: &SpaceMeasure,
        progress: &Progress,
    ) -> Option<Self> {
        let moments = Moments::of(rig);
        let motions = motions(rig, &moments, progress)?;
        let links = rig.links();
        let rows = take.pegs.iter().zip(motions).enumerate().map(|(index, (peg, motion))| PegRow {
            name: peg.name.clone(),
            label: rig.labels().get(index).cloned().unwrap_or_default(),
            parent_name: peg.parent().map(str::to_owned),
            parent: rig.parent(index),
            rig: peg.rig.clone(),
            is_camera: peg.is_camera,
            keys: peg.keyframes.len(),
            interp: InterpMix::of(peg),
            motion,
        });
        let pegs: Vec<PegRow> = rows.collect();
        let still = |row: &&PegRow| row.motion.travel <= 1e-9 && row.motion.turn_deg <= 1e-6;
        let counts = Counts {
            pegs: pegs.len(),
            keys: take.key_count(),
            cameras: take.cameras.len(),
            roots: links.iter().filter(|link| link.index().is_none()).count(),
            depth: depth(rig),
            still: pegs.iter().filter(still).count(),
        };
        let rigs: BTreeSet<&str> =
            take.pegs.iter().filter_map(|p| p.rig.as_deref()).filter(|r| !r.is_empty()).collect();
        let unknown = take.origin.as_ref().map(|o| unknown_fields(&o.source, FileKind::Anm));
        Some(TakeReport {
            counts,
            frame_range: rig.frame_range(),
            fps: take.fps(),
            duration_secs: rig.duration_secs(),
            space: space.clone(),
            rigs: rigs.into_iter().map(str::to_owned).collect(),
            cameras: take.cameras.iter().map(|c| c.name.clone().unwrap_or_default()).collect(),
            unknown_fields: unknown.unwrap_or_default(),
            pegs,
            frame_step: moments.step,
        })
    }
}

fn depth(rig: &TakeRig) -> usize {
    let mut levels = vec![1_usize; rig.len()];
    for [child, parent] in rig.parents_first() {
        levels[*child] = levels[*parent] + 1;
    }
    levels.into_iter().max().unwrap_or(0)
}

/// The frames that are looked at.
#[derive(Clone, Copy, Debug)]
struct Moments {
    first: f64,
    last: f64,
    /// Frames from one to the next.
    step: f64,
    /// How many steps there are; the last may be shorter.
    steps: usize,
}

impl Moments {
    fn of(rig: &TakeRig) -> Moments {
        let [a, b] = rig.frame_range();
        let (first, last) = (a.min(b), a.max(b));
        let length = last - first;
        if !(length > 0.0 && length.is_finite()) {
            return Moments { first, last: first, step: 1.0, steps: 0 };
        }
        let most = (MAX_POSES / rig.len().max(1)).clamp(LINE_POINTS, 20_000) as f64;
        let step = (length / most).ceil().max(1.0);
        Moments { first, last, step, steps: (length / step).ceil() as usize }
    }

    fn frame(&self, index: usize) -> f64 {
        if index >= self.steps { self.last } else { self.first + index as f64 * self.step }
    }

    /// The steps after which a point of the motion lines stands.
    fn is_point(&self, index: usize) -> bool {
        let points = LINE_POINTS.min(self.steps.max(1));
        let point = |index: usize| index * points / self.steps.max(1);
        index == 0 || index == self.steps || point(index) != point(index - 1)
    }
}

/// How all pegs move; the range is shared among threads.
fn motions(rig: &TakeRig, moments: &Moments, progress: &Progress) -> Option<Vec<Motion>> {
    progress.expect(moments.steps + 1);
    let mut poses = TakePoses::default();
    rig.sample(moments.first, &mut poses);
    let start = poses.local;
    let threads = match (moments.steps + 1) * rig.len() < WORTH_THREADS {
        true => 1,
        false => std::thread::available_parallelism().map_or(1, |n| n.get().min(8)),
    };
    let share = (moments.steps + 1).div_ceil(threads);
    let shares = (0..threads).map(|t| (t * share, ((t + 1) * share).min(moments.steps + 1)));
    let parts: Vec<Option<Vec<Motion>>> = std::thread::scope(|scope| {
        let start = &start;
        let look = move |(from, to)| look(rig, moments, start, from, to, progress);
        let mut shares = shares;
        let own = shares.next();
        let others: Vec<_> = shares.map(|share| scope.spawn(move || look(share))).collect();
        let mut parts: Vec<_> = own.map(look).into_iter().collect();
        parts.extend(others.into_iter().map(|other| other.join().unwrap_or(None)));
        parts
    });
    let mut all: Vec<Motion> = vec![Motion::default(); rig.len()];
    for part in parts {
        for (motion, part) in all.iter_mut().zip(part?) {
            motion.append(part);
        }
    }
    Some(all)
}

/// The motions over the moments `from` to `to` (not included), with the step that leads there.
fn look(
    rig: &TakeRig,
    moments: &Moments,
    start: &[Trs],
    from: usize,
    to: usize,
    progress: &Progress,
) -> Option<Vec<Motion>> {
    let mut motions = vec![Motion::default(); rig.len()];
    let [mut before, mut here] = [const { Vec::new() }; 2];
    let mut poses = TakePoses::default();
    if from > 0 && from < to {
        rig.sample(moments.frame(from - 1), &mut poses);
        std::mem::swap(&mut before, &mut poses.local);
    }
    for index in from..to {
        if progress.is_cancelled() {
            return None;
        }
        let frame = moments.frame(index);
        rig.sample(frame, &mut poses);
        std::mem::swap(&mut here, &mut poses.local);
        for (motion, (before, here)) in motions.iter_mut().zip(before.iter().zip(&here)) {
            motion.step(before, here, frame);
        }
        if moments.is_point(index) {
            for (motion, (start, here)) in motions.iter_mut().zip(start.iter().zip(&here)) {
                motion.moved.push(start.position.distance(here.position) as f32);
                motion.turned_deg.push(apart_deg(start.rotation, here.rotation) as f32);
            }
        }
        std::mem::swap(&mut before, &mut here);
        progress.advance(1);
    }
    Some(motions)
}

impl Motion {
    fn step(&mut self, before: &Trs, here: &Trs, frame: f64) {
        let distance = before.position.distance(here.position);
        self.travel += distance;
        if distance > self.largest_step {
            (self.largest_step, self.largest_step_frame) = (distance, frame);
        }
        if before.rotation == here.rotation {
            return;
        }
        let degrees = apart_deg(before.rotation, here.rotation);
        self.turn_deg += degrees;
        if degrees > self.largest_turn_deg {
            (self.largest_turn_deg, self.largest_turn_frame) = (degrees, frame);
        }
    }

    /// Takes over what came after.
    fn append(&mut self, later: Motion) {
        self.travel += later.travel;
        self.turn_deg += later.turn_deg;
        if later.largest_step > self.largest_step {
            self.largest_step = later.largest_step;
            self.largest_step_frame = later.largest_step_frame;
        }
        if later.largest_turn_deg > self.largest_turn_deg {
            self.largest_turn_deg = later.largest_turn_deg;
            self.largest_turn_frame = later.largest_turn_frame;
        }
        self.moved.extend(later.moved);
        self.turned_deg.extend(later.turned_deg);
    }
}
