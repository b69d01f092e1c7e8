//! The source of an import: joints, their poses at any frame, and when to look (A50, A52).

use super::{JUMP_SECS, SAMPLES_A_FRAME, round_secs};
use crate::math::{Basis, Trs};
use crate::model::take::Interp;
use crate::sample::take::{PegCurves, Space, TakeRig};
use glam::DVec3;
use std::sync::Arc;

/// What a factor of 0 becomes (A52).
const FLAT: f64 = 0.0001;
/// Frames nearer than this are one.
const SAME_FRAME: f64 = 1e-9;
/// Values that jump by less do not jump.
const NO_JUMP: f64 = 1e-9;

/// How a peg's scale is brought into order (A52).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ScaleCare {
    /// Keys with two negative factors: these are half a turn.
    pub folds: bool,
    /// Keys with one or three, whose size alone counts.
    pub mirrors: bool,
}

/// One peg that is converted.
#[derive(Clone, Debug)]
pub(super) struct Joint {
    /// Its place in the take.
    pub peg: usize,
    /// The place of its parent among the joints.
    pub parent: Option<usize>,
    /// Its node's id.
    pub id: String,
    /// How it rests, as the rig says it: metres, Y up, right-handed.
    pub rest: Trs,
    /// What is done about its scale.
    pub care: ScaleCare,
}

/// A take whose poses are wanted as a rig's: relative to the parent, canonical, scales above 0.
#[derive(Debug)]
pub(super) struct Source {
    pub rig: TakeRig,
    pub joints: Vec<Joint>,
    pub range: [f64; 2],
    pub fps: f64,
    pub duration_secs: f64,
    /// Rests in the file's own axes, by joint.
    pub file_rests: Vec<Trs>,
}

impl Source {
    /// The basis that poses go through.
    pub fn basis(&self) -> Basis {
        self.rig.basis()
    }

    pub fn curves(&self, joint: usize) -> &Arc<PegCurves> {
        &self.rig.curves().pegs()[self.joints[joint].peg]
    }

    pub fn is_keyed(&self, joint: usize) -> bool {
        !self.curves(joint).frames().is_empty()
    }

    /// The written time of a frame (A50).
    pub fn time_secs(&self, frame: f64) -> f64 {
        round_secs((frame - self.range[0]) / self.fps).clamp(0.0, self.duration_secs)
    }

    /// A joint's channels, the scale in order (A52); in the file's own space and axes.
    fn written(&self, joint: usize, frame: f64) -> Trs {
        let mut pose = self.curves(joint).at(frame).trs();
        if pose.scale.min_element() <= 0.0 {
            pose = in_order(pose, self.joints[joint].care);
        }
        pose
    }

    /// Where a joint stands in the world, read as world poses; in the file's axes.
    fn world_written(&self, joint: usize, frame: f64) -> Trs {
        // A chain of joints without keys hangs on one that has some, or on nothing. From above
        // down: under an uneven scale poses do not compose in any other order (M25).
        let mut hanging = Vec::new();
        let mut top = Some(joint);
        while let Some(at) = top.filter(|at| !self.is_keyed(*at)) {
            hanging.push(at);
            top = self.joints[at].parent;
        }
        let mut pose = top.map_or(Trs::IDENTITY, |at| self.written(at, frame));
        for at in hanging.into_iter().rev() {
            pose = pose.compose(&self.file_rests[at]);
        }
        pose
    }

    /// A joint's pose relative to its parent at a frame; metres, Y up, right-handed.
    pub fn local(&self, joint: usize, frame: f64) -> Trs {
        if !self.is_keyed(joint) {
            return self.joints[joint].rest;
        }
        let written = self.written(joint, frame);
        let local = match (self.rig.space(), self.joints[joint].parent) {
            (Space::Local, _) | (Space::World, None) => written,
            (Space::Delta, _) => self.file_rests[joint].compose(&written),
            (Space::World, Some(parent)) => {
                let parent = self.world_written(parent, frame);
                parent.local_from_world(&written).unwrap_or(written)
            }
        };
        self.basis().pose(&local)
    }

    /// The joint whose jumps make this one jump too, where values are the world's: the nearest
    /// above that has keys.
    fn anchor(&self, joint: usize) -> Option<usize> {
        if self.rig.space() != Space::World {
            return None;
        }
        let mut at = self.joints[joint].parent;
        while let Some(above) = at.filter(|above| !self.is_keyed(*above)) {
            at = self.joints[above].parent;
        }
        at
    }

    /// The moments of a joint (A53): keys, eighths of frames, and the last moments before jumps.
    pub fn samples(&self, joint: usize) -> Samples {
        let [start, end] = self.range;
        let inside = |frame: &f64| *frame >= start && *frame <= end;
        let mut jumps = Vec::new();
        let mut keys: Vec<f64> = Vec::new();
        for of in [Some(joint), self.anchor(joint)].into_iter().flatten() {
            let curves = self.curves(of);
            let frames = curves.frames();
            keys.extend(frames.iter().filter(|frame| inside(frame)));
            for (segment, pair) in frames.windows(2).enumerate() {
                if curves.interp_of(segment) == Interp::Constant
                    && pair[1] > start
                    && pair[1] <= end
                {
                    jumps.push(pair[1]);
                }
            }
        }
        keys.sort_by(f64::total_cmp);
        jumps.sort_by(f64::total_cmp);
        jumps.dedup();
        let mut out = Samples::default();
        let mut keys = keys.into_iter().peekable();
        let mut jumps = jumps.into_iter().peekable();
        for (at, frame) in grid(self.range).enumerate() {
            while let Some(key) = keys.next_if(|key| *key <= frame + SAME_FRAME) {
                self.add(joint, key, true, &mut jumps, &mut out);
            }
            self.add(joint, frame, at % 2 == 0, &mut jumps, &mut out);
        }
        out
    }

    fn add(
        &self,
        joint: usize,
        frame: f64,
        candidate: bool,
        jumps: &mut std::iter::Peekable<std::vec::IntoIter<f64>>,
        out: &mut Samples,
    ) {
        // The jump itself is a key, and comes before anything behind it.
        let jump = jumps.next_if(|jump| *jump <= frame + SAME_FRAME);
        let time = self.time_secs(frame);
        let pose = self.local(joint, frame);
        let mut jumped = false;
        if let Some(jump) = jump {
            let left_time = round_secs(time - JUMP_SECS);
            let left = self.local(joint, jump - JUMP_SECS * self.fps);
            while out.times.len() > 1 && out.times.last().is_some_and(|last| *last >= left_time) {
                out.pop();
            }
            let fits = out.times.last().is_none_or(|last| *last < left_time) && left_time >= 0.0;
            if fits && differ(&left, &pose) {
                out.push(jump - JUMP_SECS * self.fps, left_time, true, false, left);
                jumped = true;
            }
        }
        // What is rounded to one time is one.
        match out.times.last() {
            Some(last) if *last >= time => {
                if let Some(last) = out.candidate.last_mut() {
                    *last |= candidate;
                }
            }
            _ => out.push(frame, time, candidate, jumped, pose),
        }
    }
}

fn differ(a: &Trs, b: &Trs) -> bool {
    let turned = 1.0 - a.rotation.dot(b.rotation).abs();
    (a.position - b.position).abs().max_element() > NO_JUMP
        || (a.scale - b.scale).abs().max_element() > NO_JUMP
        || turned > NO_JUMP * NO_JUMP.sqrt()
}

/// The frames at which the error is measured (A53b): eighths from the range's first frame on, and
/// its last.
pub(super) fn grid(range: [f64; 2]) -> impl Iterator<Item = f64> + Clone {
    let [start, end] = range;
    let count = ((end - start) * SAMPLES_A_FRAME + SAME_FRAME).floor().max(0.0) as usize;
    let last = start + count as f64 / SAMPLES_A_FRAME;
    let rest = (end > last + SAME_FRAME).then_some(end);
    (0..=count).map(move |at| (start + at as f64 / SAMPLES_A_FRAME).min(end)).chain(rest)
}

/// A scale above 0 (A52), where it is not.
fn in_order(pose: Trs, care: ScaleCare) -> Trs {
    let pose = if care.folds { pose.folded() } else { pose };
    let Trs { position, rotation, scale } = pose;
    let scale = if care.mirrors { scale.abs() } else { scale };
    Trs { position, rotation, scale: scale.max(DVec3::splat(FLAT)) }
}

/// What a joint does, at the moments that count.
#[derive(Clone, Debug, Default)]
pub(super) struct Samples {
    pub frames: Vec<f64>,
    /// As written.
    pub times: Vec<f64>,
    /// Where a key may stand: keys and quarters of frames.
    pub candidate: Vec<bool>,
    /// Whether it jumps between the sample before and this one.
    pub jumped: Vec<bool>,
    pub poses: Vec<Trs>,
}

impl Samples {
    fn push(&mut self, frame: f64, time: f64, candidate: bool, jumped: bool, pose: Trs) {
        self.frames.push(frame);
        self.times.push(time);
        self.candidate.push(candidate);
        self.jumped.push(jumped);
        self.poses.push(pose);
    }

    fn pop(&mut self) {
        self.frames.pop();
        self.times.pop();
        self.candidate.pop();
        self.jumped.pop();
        self.poses.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grid_has_eighths_and_the_end() {
        let frames: Vec<f64> = grid([1.0, 2.0]).collect();
        assert_eq!(frames, [1.0, 1.125, 1.25, 1.375, 1.5, 1.625, 1.75, 1.875, 2.0]);
        let frames: Vec<f64> = grid([0.5, 0.7]).collect();
        assert_eq!(frames, [0.5, 0.625, 0.7]);
        assert_eq!(grid([3.0, 3.0]).collect::<Vec<_>>(), [3.0]);
    }

    #[test]
    fn two_negative_factors_are_half_a_turn() {
        let pose = Trs { scale: DVec3::new(-2.0, 3.0, -4.0), ..Trs::IDENTITY };
        let folded = in_order(pose, ScaleCare { folds: true, mirrors: false });
        assert_eq!(folded.scale, DVec3::new(2.0, 3.0, 4.0));
        let point = DVec3::new(1.0, 1.0, 1.0);
        assert!((folded.transform_point(point) - pose.transform_point(point)).length() < 1e-12);
        let flat = Trs { scale: DVec3::new(0.0, 1.0, 1.0), ..Trs::IDENTITY };
        assert_eq!(in_order(flat, ScaleCare::default()).scale.x, 0.0001);
        let mirrored = Trs { scale: DVec3::new(1.0, -3.0, 1.0), ..Trs::IDENTITY };
        let size = in_order(mirrored, ScaleCare { folds: false, mirrors: true });
        assert_eq!(size.scale, DVec3::new(1.0, 3.0, 1.0));
    }
}
