//! How far two motions of one skeleton are apart (A53b).

use super::report::{JointErrors, Measured, Peak};
use crate::format::Cancelled;
use crate::math::{Trs, apart_deg};
use crate::progress::Progress;
use std::ops::Range;

/// Below this many poses a second thread costs more than it brings.
const WORTH_THREADS: usize = 20_000;

/// When to look: the frame of the source, the time of the clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Moment {
    pub frame: f64,
    pub time_secs: f64,
}

/// Which joint moves with which.
#[derive(Clone, Debug)]
pub(super) struct Chains {
    pub parents: Vec<Option<usize>>,
    /// Parents before their children.
    pub order: Vec<usize>,
}

impl Chains {
    pub fn new(parents: Vec<Option<usize>>) -> Self {
        let mut placed = vec![false; parents.len()];
        let mut order = Vec::with_capacity(parents.len());
        let mut way = Vec::new();
        for start in 0..parents.len() {
            let mut at = Some(start);
            while let Some(joint) = at.filter(|joint| !placed[*joint]) {
                placed[joint] = true;
                way.push(joint);
                at = parents[joint];
            }
            while let Some(joint) = way.pop() {
                order.push(joint);
            }
        }
        Chains { parents, order }
    }

    /// World poses from poses relative to the parent, in place.
    pub fn to_world(&self, poses: &mut [Trs]) {
        for joint in &self.order {
            if let Some(parent) = self.parents[*joint] {
                poses[*joint] = poses[parent].compose(&poses[*joint]);
            }
        }
    }

    /// A joint and all above it, the root first.
    pub fn chain(&self, joint: usize) -> Vec<usize> {
        let mut chain = vec![joint];
        let mut at = self.parents[joint];
        while let Some(above) = at {
            chain.push(above);
            at = self.parents[above];
        }
        chain.reverse();
        chain
    }
}

/// Two motions; each fills poses relative to the parent, for all joints. The second slice is room
/// of its own.
pub(super) struct Motions<S, T> {
    pub source: S,
    pub target: T,
}

/// Buffers for one moment.
#[derive(Default)]
struct Room {
    source: Vec<Trs>,
    target: Vec<Trs>,
    scratch: Vec<Trs>,
    source_world: Vec<Trs>,
    target_world: Vec<Trs>,
}

/// The largest errors of all joints over all moments.
pub(super) fn measure<S, T>(
    motions: &Motions<S, T>,
    chains: &Chains,
    moments: &[Moment],
    progress: &Progress,
) -> Result<Measured, Cancelled>
where
    S: Fn(f64, &mut Vec<Trs>) + Sync,
    T: Fn(f64, &mut Vec<Trs>, &mut Vec<Trs>) + Sync,
{
    let joints = chains.parents.len();
    let threads = match joints * moments.len() < WORTH_THREADS {
        true => 1,
        false => std::thread::available_parallelism().map_or(1, |n| n.get().min(8)),
    };
    let each = moments.len().div_ceil(threads).max(1);
    let counted = progress.part(0.0, 1.0);
    counted.expect(moments.len());
    let look = |range: Range<usize>| -> Result<Vec<JointErrors>, Cancelled> {
        let mut errors = vec![JointErrors::default(); joints];
        let mut room = Room::default();
        for moment in &moments[range] {
            if counted.is_cancelled() {
                return Err(Cancelled);
            }
            one(motions, chains, *moment, &mut room, &mut errors);
            counted.advance(1);
        }
        Ok(errors)
    };
    let ranges: Vec<Range<usize>> = (0..moments.len())
        .step_by(each)
        .map(|first| first..(first + each).min(moments.len()))
        .collect();
    let parts: Vec<Result<Vec<JointErrors>, Cancelled>> = std::thread::scope(|scope| {
        let look = &look;
        let mut ranges = ranges.into_iter();
        let own = ranges.next();
        let others: Vec<_> = ranges.map(|range| scope.spawn(move || look(range))).collect();
        let mut all: Vec<_> = own.map(look).into_iter().collect();
        all.extend(others.into_iter().map(|other| other.join().unwrap_or(Err(Cancelled))));
        all
    });
    let mut joined = vec![JointErrors::default(); joints];
    for part in parts {
        for (joint, errors) in joined.iter_mut().zip(part?) {
            for property in 0..3 {
                joint.world[property].merge(errors.world[property]);
                joint.local[property].merge(errors.local[property]);
            }
        }
    }
    Ok(Measured { joints: joined })
}

fn one<S, T>(
    motions: &Motions<S, T>,
    chains: &Chains,
    moment: Moment,
    room: &mut Room,
    errors: &mut [JointErrors],
) where
    S: Fn(f64, &mut Vec<Trs>),
    T: Fn(f64, &mut Vec<Trs>, &mut Vec<Trs>),
{
    (motions.source)(moment.frame, &mut room.source);
    (motions.target)(moment.time_secs, &mut room.target, &mut room.scratch);
    room.source_world.clone_from(&room.source);
    room.target_world.clone_from(&room.target);
    chains.to_world(&mut room.source_world);
    chains.to_world(&mut room.target_world);
    let local = room.source.iter().zip(&room.target);
    let world = room.source_world.iter().zip(&room.target_world);
    for (errors, (local, world)) in errors.iter_mut().zip(local.zip(world)) {
        see(&mut errors.local, local.0, local.1, moment.frame);
        see(&mut errors.world, world.0, world.1, moment.frame);
    }
}

fn see(peaks: &mut [Peak; 3], a: &Trs, b: &Trs, frame: f64) {
    let [position, rotation, scale] = peaks;
    position.see(a.position.distance(b.position), frame);
    let difference = (a.scale - b.scale).abs();
    scale.see(difference.x.max(difference.y).max(difference.z), frame);
    // The angle is worth its arc tangent only where it may be the largest.
    let [apart, across] = [a.rotation - b.rotation, a.rotation + b.rotation];
    let chord = apart.length_squared().min(across.length_squared());
    let known = 0.5 * rotation.error.to_radians();
    let is_less = chord < 0.9 * known * known && rotation.error < 90.0;
    if !is_less {
        rotation.see(apart_deg(a.rotation, b.rotation), frame);
    }
}
