//! Tracks that hold the tolerances in the world with few keys (A53).

use super::exact::{Exact, TURN_LIMIT_DEG, exact};
use super::measure::{Chains, Moment, Motions, measure};
use super::moving::{Samples, Source, grid};
use super::reduce::{Curve, Value};
use super::report::Measured;
use super::target::{Target, Tracks};
use super::{JUMP_SECS, Refusal, Tolerances, round_secs};
use crate::math::{Trs, apart_deg, continuous_euler, euler_from_quat};
use crate::model::limits::{MAX_KEYS, MAX_VALUE};
use crate::model::{Interpolation, Key, Property, Track, Uid};
use crate::progress::Progress;
use crate::sample::{Arc as Way, arc_at};
use glam::{DQuat, DVec3};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// So often tolerances are tightened at most.
const ROUNDS: usize = 60;
/// What is tightened aims this far below what is allowed.
const AIM: f64 = 0.92;
/// Tracks that cause less than this share of what the largest cause makes are left alone.
const BLAME_SHARE: f64 = 0.3;
/// Tolerances below this are held with every digit there is.
const FINE: f64 = 1e-6;
/// Decimals of written values otherwise.
const DECIMALS: f64 = 1e9;
/// So many moments tell how far joints reach.
const REACH_MOMENTS: usize = 16;

/// How a track was made.
#[derive(Clone, Debug)]
pub(super) struct Fitted {
    pub track: Arc<Track>,
    pub method: &'static str,
}

/// A joint's tracks and what they may differ by.
#[derive(Clone, Debug)]
struct JointFit {
    tolerances: [f64; 3],
    may_be_exact: [bool; 3],
    tracks: [Option<Fitted>; 3],
    /// The gaps of its jumps: between these times nothing is measured.
    gaps: Vec<[f64; 2]>,
}

/// What came out of it.
#[derive(Debug)]
pub(super) struct Fit {
    pub tracks: Vec<[Option<Fitted>; 3]>,
    pub measured: Measured,
}

/// A track that has more keys than a clip can hold.
#[derive(Clone, Debug)]
pub(super) struct Overflow {
    pub joint: usize,
    pub property: Property,
    pub keys: usize,
}

/// Why there is no fit.
#[derive(Debug)]
pub(super) enum NoFit {
    Overflow(Overflow),
    Refused(Refusal),
}

impl From<Refusal> for NoFit {
    fn from(refusal: Refusal) -> Self {
        NoFit::Refused(refusal)
    }
}

/// Fits all joints' tracks.
pub(super) fn fit(
    source: &Source,
    chains: &Chains,
    tolerances: Tolerances,
    progress: &Progress,
) -> Result<Fit, NoFit> {
    let count = source.joints.len();
    let limits = tolerances.array();
    let reach = reach(source, chains);
    let first = |joint: usize| {
        // Alone a track must not move a joint below it farther than is allowed.
        let reach: f64 = reach[joint].max(1e-9);
        let angle = limits[1].min((limits[0] / reach).to_degrees());
        JointFit {
            tolerances: [limits[0], angle, limits[2].min(limits[0] / reach)],
            may_be_exact: [true; 3],
            tracks: [None, None, None],
            gaps: Vec::new(),
        }
    };
    let mut fits: Vec<JointFit> = (0..count).map(first).collect();
    let mut changed = vec![true; count];
    let ids: Vec<&str> = source.joints.iter().map(|joint| joint.id.as_str()).collect();
    let rests: Vec<Trs> = source.joints.iter().map(|joint| joint.rest).collect();
    let mut target: Option<Target> = None;
    for round in 0..ROUNDS {
        let part = progress.part(share(round), share(round + 1));
        refit(source, &mut fits, &changed, limits, &part.part(0.0, 0.5))?;
        let tracks: Vec<Tracks> = fits
            .iter()
            .map(|fit| [0, 1, 2].map(|p| fit.tracks[p].as_ref().map(|f| Arc::clone(&f.track))))
            .collect();
        let secs = source.duration_secs;
        let made = match &mut target {
            Some(target) => target.update(&ids, &tracks, secs, &changed),
            None => Target::new(&ids, rests.clone(), &tracks, secs).map(|t| target = Some(t)),
        };
        made.map_err(Refusal::Invalid)?;
        let Some(target) = &target else { break };
        let moments = moments(source, fits.iter().flat_map(|fit| &fit.gaps));
        let motions = Motions {
            source: |frame, out: &mut Vec<Trs>| {
                out.clear();
                out.extend((0..count).map(|joint| source.local(joint, frame)));
            },
            target: |time, out: &mut Vec<Trs>, scratch: &mut Vec<Trs>| {
                target.sample(time, out, scratch);
            },
        };
        let measured =
            measure(&motions, chains, &moments, &part.part(0.5, 1.0)).map_err(Refusal::from)?;
        changed = vec![false; count];
        let factors = blame(source, chains, target, &measured, limits);
        if factors.is_empty() {
            let tracks = fits.into_iter().map(|fit| fit.tracks).collect();
            return Ok(Fit { tracks, measured });
        }
        let mut tightened = false;
        for (joint, property, factor) in factors {
            let fit = &mut fits[joint];
            let reached = measured.joints[joint].local[property].error;
            let before = fit.tolerances[property];
            let harder = if round > 20 { 0.5 } else { 1.0 };
            fit.tolerances[property] = before.min(reached.max(1e-15)) * factor * harder;
            let exact = fit.tracks[property].as_ref().is_some_and(|f| f.method != "reduced");
            fit.may_be_exact[property] &= !exact;
            tightened |= fit.tolerances[property] > 1e-14;
            changed[joint] = true;
        }
        if !tightened {
            return Err(unreachable(source, &measured, limits).into());
        }
        if round + 1 == ROUNDS {
            return Err(unreachable(source, &measured, limits).into());
        }
    }
    Err(Refusal::Empty.into())
}

/// How far a round brings the work: most take a few.
fn share(round: usize) -> f32 {
    1.0 - 1.0 / (1.0 + 0.5 * round as f32)
}

/// The moments at which errors are measured, those in gaps of jumps left out (A53).
pub(super) fn moments<'g>(
    source: &Source,
    gaps: impl Iterator<Item = &'g [f64; 2]>,
) -> Vec<Moment> {
    let mut gaps: Vec<[f64; 2]> = gaps.copied().collect();
    gaps.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let in_gap = |time: f64| {
        let behind = gaps.partition_point(|gap| gap[0] < time);
        gaps[behind.saturating_sub(4)..behind].iter().any(|gap| time > gap[0] && time < gap[1])
    };
    let all = grid(source.range).map(|frame| Moment { frame, time_secs: source.time_secs(frame) });
    all.filter(|moment| !in_gap(moment.time_secs)).collect()
}

fn unreachable(source: &Source, measured: &Measured, limits: [f64; 3]) -> Refusal {
    let units = ["m", "degrees", "of a factor"];
    let worst = (0..3).filter_map(|p| Some((p, measured.worst(p)?)));
    let over = worst.max_by(|a, b| {
        let ratio = |(p, (_, peak)): &(usize, (usize, super::Peak))| peak.error / limits[*p];
        ratio(a).total_cmp(&ratio(b))
    });
    match over {
        Some((property, (joint, peak))) => Refusal::Unreachable {
            part: source.joints[joint].id.clone(),
            error: peak.error,
            unit: units[property],
            frame: peak.frame,
        },
        None => Refusal::Empty,
    }
}

/// Makes the tracks of changed joints anew, several at once.
fn refit(
    source: &Source,
    fits: &mut [JointFit],
    changed: &[bool],
    limits: [f64; 3],
    progress: &Progress,
) -> Result<(), NoFit> {
    let due: Vec<usize> = (0..fits.len()).filter(|joint| changed[*joint]).collect();
    progress.expect(due.len());
    let next = AtomicUsize::new(0);
    let fine = limits.iter().any(|limit| *limit < FINE);
    let work = |fits: &[JointFit]| {
        let mut done = Vec::new();
        while let Some(joint) = due.get(next.fetch_add(1, Ordering::Relaxed)) {
            if progress.is_cancelled() {
                return Err(Refusal::Cancelled);
            }
            done.push((*joint, fit_joint(source, *joint, &fits[*joint], fine)?));
            progress.advance(1);
        }
        Ok(done)
    };
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get().min(8));
    let threads = if due.len() < 4 { 1 } else { threads };
    let shared: &[JointFit] = fits;
    let parts: Vec<Result<Vec<(usize, JointFit)>, Refusal>> = std::thread::scope(|scope| {
        let work = &work;
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(move || work(shared))).collect();
        let mut all = vec![work(shared)];
        all.extend(others.into_iter().map(|o| o.join().unwrap_or(Err(Refusal::Cancelled))));
        all
    });
    for part in parts {
        for (joint, fit) in part? {
            fits[joint] = fit;
        }
    }
    for joint in due {
        for (property, fitted) in Property::ALL.into_iter().zip(&fits[joint].tracks) {
            let keys = fitted.as_ref().map_or(0, |fitted| fitted.track.keys.len());
            if keys > MAX_KEYS {
                return Err(NoFit::Overflow(Overflow { joint, property, keys }));
            }
        }
    }
    Ok(())
}

fn fit_joint(
    source: &Source,
    joint: usize,
    before: &JointFit,
    fine: bool,
) -> Result<JointFit, Refusal> {
    let mut fit = JointFit { tracks: [None, None, None], gaps: Vec::new(), ..before.clone() };
    if !source.is_keyed(joint) {
        return Ok(fit);
    }
    let samples = source.samples(joint);
    let finite = |pose: &Trs| {
        let size = pose.position.abs().max_element().max(pose.scale.abs().max_element());
        size <= MAX_VALUE && pose.rotation.is_finite()
    };
    if let Some(at) = samples.poses.iter().position(|pose| !finite(pose)) {
        let (path, frame) = (source.joints[joint].id.clone(), samples.frames[at]);
        return Err(Refusal::Range { path, frame });
    }
    let rest = source.joints[joint].rest;
    for (number, property) in Property::ALL.into_iter().enumerate() {
        let tolerance = before.tolerances[number];
        let path = Path { source, joint, property, samples: &samples, tolerance, fine };
        fit.tracks[number] = path.fit(&rest, before.may_be_exact[number], &mut fit.gaps);
    }
    Ok(fit)
}

/// One property of one joint.
struct Path<'a> {
    source: &'a Source,
    joint: usize,
    property: Property,
    samples: &'a Samples,
    tolerance: f64,
    fine: bool,
}

impl Path<'_> {
    fn fit(&self, rest: &Trs, may_be_exact: bool, gaps: &mut Vec<[f64; 2]>) -> Option<Fitted> {
        let poses = &self.samples.poses;
        let bound = match self.property {
            Property::Rotation => DQuat::bound(self.tolerance),
            _ => DVec3::bound(self.tolerance),
        };
        let at_rest = poses.iter().all(|pose| match self.property {
            Property::Position => rest.position.holds(pose.position, bound),
            Property::Rotation => rest.rotation.holds(pose.rotation, bound),
            Property::Scale => rest.scale.holds(pose.scale, bound),
        });
        if at_rest {
            return None;
        }
        let kept = || exact(self.source, self.joint, self.property, self.tolerance);
        if let Some(exact) = may_be_exact.then(kept).flatten() {
            let track = self.exact_track(&exact);
            if track.keys.len() <= MAX_KEYS {
                let method = exact.interpolation.as_str();
                return Some(Fitted { track: Arc::new(track), method });
            }
        }
        let keys: Vec<(usize, Trs)> = match self.property {
            Property::Position => {
                let place = |(at, position)| (at, Trs { position, ..poses[at] });
                self.reduce(|pose| pose.position).into_iter().map(place).collect()
            }
            Property::Rotation => {
                let turn = |(at, rotation)| (at, Trs { rotation, ..poses[at] });
                self.reduce(|pose| pose.rotation).into_iter().map(turn).collect()
            }
            Property::Scale => {
                // A key beside the curve must not be where no scale may be.
                let least = DVec3::splat(FINE);
                let size = |(at, scale): (usize, DVec3)| {
                    (at, Trs { scale: scale.max(least), ..poses[at] })
                };
                self.reduce(|pose| pose.scale).into_iter().map(size).collect()
            }
        };
        let times = &self.samples.times;
        for pair in keys.windows(2) {
            let [from, to] = [pair[0].0, pair[1].0];
            if to == from + 1 && self.samples.jumped[to] {
                gaps.push([times[from], times[to]]);
            }
        }
        let moments = keys.into_iter().map(|(key, pose)| (times[key], pose));
        let track = self.track(Interpolation::Linear, None, moments.collect(), gaps);
        Some(Fitted { track: Arc::new(track), method: "reduced" })
    }

    fn reduce<V: Value>(&self, value: impl Fn(&Trs) -> V) -> Vec<(usize, V)> {
        let values: Vec<V> = self.samples.poses.iter().map(value).collect();
        // Others may jump where this property does not.
        let still = V::bound(self.tolerance * 0.01);
        let jumped: Vec<bool> = (0..values.len())
            .map(|at| self.samples.jumped[at] && !values[at - 1].holds(values[at], still))
            .collect();
        let Samples { times, candidate, .. } = self.samples;
        Curve { times, values: &values, candidate, jumped: &jumped }.fit(self.tolerance)
    }

    fn exact_track(&self, exact: &Exact) -> Track {
        let times = exact.keys.iter().map(|(frame, pose)| (self.source.time_secs(*frame), *pose));
        self.track(exact.interpolation, exact.curve, times.collect(), &mut Vec::new())
    }

    fn track(
        &self,
        interpolation: Interpolation,
        curve: Option<[f64; 4]>,
        mut keys: Vec<(f64, Trs)>,
        gaps: &mut Vec<[f64; 2]>,
    ) -> Track {
        if self.property == Property::Rotation && interpolation != Interpolation::Step {
            keys = self.close_turns(keys, gaps);
        }
        let tidy = |value: DVec3| match self.fine {
            true => value + DVec3::ZERO,
            false => (value * DECIMALS).round() / DECIMALS + DVec3::ZERO,
        };
        let mut near = DVec3::ZERO;
        let mut first = true;
        let key = |(time, pose): (f64, Trs)| {
            let value = match self.property {
                Property::Position => pose.position,
                Property::Scale => pose.scale,
                Property::Rotation => {
                    let euler = euler_from_quat(pose.rotation);
                    let euler = continuous_euler(euler, if first { DVec3::ZERO } else { near });
                    first = false;
                    near = euler;
                    euler
                }
            };
            Key { uid: Uid(0), time, value: tidy(value), origin: None }
        };
        Track {
            uid: Uid(0),
            part: self.source.joints[self.joint].id.clone(),
            property: self.property,
            interpolation,
            curve,
            keys: keys.into_iter().map(key).collect(),
            origin: None,
        }
    }

    /// Keys in between where neighbours are too far apart to be sure of the way round (A53).
    fn close_turns(&self, keys: Vec<(f64, Trs)>, gaps: &mut Vec<[f64; 2]>) -> Vec<(f64, Trs)> {
        let far = |a: &Trs, b: &Trs| apart_deg(a.rotation, b.rotation) >= TURN_LIMIT_DEG;
        if !keys.windows(2).any(|pair| far(&pair[0].1, &pair[1].1)) {
            return keys;
        }
        let mut out: Vec<(f64, Trs)> = Vec::with_capacity(keys.len() * 2);
        let times = &self.samples.times;
        for key in keys {
            while let Some(last) = out.last().copied().filter(|last| far(&last.1, &key.1)) {
                let from = times.partition_point(|time| *time <= last.0 + 1e-9);
                let to = times.partition_point(|time| *time < key.0 - 1e-9);
                if from < to {
                    // What the source does half way there.
                    let at = from + (to - from) / 2;
                    out.push((times[at], self.samples.poses[at]));
                } else if key.0 - last.0 > 3.0 * JUMP_SECS {
                    // Nothing is known in between: it jumps.
                    out.push((round_secs(key.0 - JUMP_SECS), last.1));
                } else {
                    // The two keys of a jump: one more says which way round, and nobody sees it.
                    let early = round_secs(key.0 - 2.0 * JUMP_SECS);
                    let before = out.len().checked_sub(2).map_or(-1.0, |at| out[at].0);
                    if early > before
                        && early >= 0.0
                        && let Some(left) = out.last_mut()
                    {
                        left.0 = left.0.min(early);
                        let rotation = halfway(last.1.rotation, key.1.rotation);
                        let middle = Trs { rotation, ..last.1 };
                        out.push((round_secs(key.0 - JUMP_SECS), middle));
                        gaps.push([early, key.0]);
                    }
                    break;
                }
            }
            out.push(key);
        }
        out
    }
}

/// How far below each joint the farthest of those that hang on it goes, metres.
fn reach(source: &Source, chains: &Chains) -> Vec<f64> {
    let [start, end] = source.range;
    let count = source.joints.len();
    let mut reach = vec![0.0_f64; count];
    let mut poses: Vec<Trs> = Vec::with_capacity(count);
    for moment in 0..REACH_MOMENTS {
        let frame = start + (end - start) * moment as f64 / (REACH_MOMENTS - 1) as f64;
        poses.clear();
        poses.extend((0..count).map(|joint| source.local(joint, frame)));
        chains.to_world(&mut poses);
        for joint in 0..count {
            let mut above = chains.parents[joint];
            while let Some(at) = above {
                let far = poses[at].position.distance(poses[joint].position);
                reach[at] = reach[at].max(far);
                above = chains.parents[at];
            }
        }
    }
    reach
}

/// Which tracks cause what is over, and how much smaller their error must be: parents first, those
/// that cause little left alone.
fn blame(
    source: &Source,
    chains: &Chains,
    target: &Target,
    measured: &Measured,
    limits: [f64; 3],
) -> Vec<(usize, usize, f64)> {
    let count = source.joints.len();
    let mut factors: Vec<[Option<f64>; 3]> = vec![[None; 3]; count];
    let (mut made, mut scratch) = (Vec::new(), Vec::new());
    for joint in &chains.order {
        for (property, limit) in limits.into_iter().enumerate() {
            let peak = measured.joints[*joint].world[property];
            let ratio = peak.error / limit;
            if ratio <= 1.0 {
                continue;
            }
            let chain = chains.chain(*joint);
            target.sample(source.time_secs(peak.frame), &mut made, &mut scratch);
            let true_local: Vec<Trs> =
                chain.iter().map(|joint| source.local(*joint, peak.frame)).collect();
            let world = |changed: usize, pose: &Trs| {
                let mut world = Trs::IDENTITY;
                for (at, local) in true_local.iter().enumerate() {
                    world = world.compose(if at == changed { pose } else { local });
                }
                world
            };
            let truth = world(usize::MAX, &Trs::IDENTITY);
            let mut causes: Vec<(usize, usize, f64)> = Vec::new();
            for (at, above) in chain.iter().enumerate() {
                let (own, made) = (true_local[at], made[*above]);
                let changed = [
                    Trs { position: made.position, ..own },
                    Trs { rotation: made.rotation, ..own },
                    Trs { scale: made.scale, ..own },
                ];
                for (cause, pose) in changed.iter().enumerate() {
                    let moved = world(at, pose);
                    let size = match property {
                        0 => moved.position.distance(truth.position),
                        1 => apart_deg(moved.rotation, truth.rotation),
                        _ => (moved.scale - truth.scale).abs().max_element(),
                    };
                    causes.push((*above, cause, size));
                }
            }
            let largest = causes.iter().fold(0.0_f64, |largest, cause| largest.max(cause.2));
            let factor = (AIM / ratio).clamp(0.05, 0.97);
            for (above, cause, size) in causes {
                if size > 0.0 && size >= BLAME_SHARE * largest {
                    let slot = &mut factors[above][cause];
                    *slot = Some(slot.map_or(factor, |other| other.min(factor)));
                }
            }
        }
    }
    let found = factors.iter().enumerate().flat_map(|(joint, factors)| {
        let each = factors.iter().enumerate();
        each.filter_map(move |(property, factor)| Some((joint, property, (*factor)?)))
    });
    found.collect()
}

fn halfway(a: DQuat, b: DQuat) -> DQuat {
    arc_at(&Way::between(a, b), 0.5)
}
