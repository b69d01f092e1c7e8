//! How far the poses of two documents are apart over time, and which joint that comes from.
//!
//! World poses show what a viewer sees; local ones show who does it. One turned shoulder moves
//! a hand and ten fingers in the world, and only the shoulder differs relative to its parent.

use super::pairs::Pairs;
use super::report::{Clock, Tolerances};
use crate::math::{Trs, apart_deg};
use crate::model::take::Channel;
use crate::progress::Progress;
use crate::sample::MotionRig;
use crate::sample::take::{TakePoses, TakeRig};

/// So many poses are compared at most: in longer documents some moments are left out.
const MAX_POSES: usize = 4_000_000;
/// Below this many poses a second thread costs more than it brings.
const WORTH_THREADS: usize = 20_000;

/// A largest difference, and when it is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Peak {
    /// How large.
    pub by: f64,
    /// When: a frame, or seconds.
    pub at: f64,
}

impl Peak {
    fn meet(&mut self, by: f64, at: f64) {
        if by > self.by {
            *self = Peak { by, at };
        }
    }

    /// Takes over what came later.
    fn append(&mut self, later: Peak) {
        if later.by > self.by {
            *self = later;
        }
    }
}

/// How one joint's poses differ.
#[derive(Clone, Debug, PartialEq)]
pub struct JointDifference {
    /// What it is called in the first document.
    pub name: String,
    /// Its place there.
    pub a: usize,
    /// Its place in the second document.
    pub b: usize,
    /// Distance in the world, in metres.
    pub world_m: Peak,
    /// Angle in the world, in degrees.
    pub world_deg: Peak,
    /// Distance relative to the parent, in metres.
    pub local_m: Peak,
    /// Angle relative to the parent, in degrees.
    pub local_deg: Peak,
    /// The largest difference of a factor relative to the parent.
    pub local_scale: Peak,
}

impl JointDifference {
    /// Whether it differs relative to its parent: it does not only follow.
    pub fn is_cause(&self, tolerances: &Tolerances) -> bool {
        tolerances.beyond(Channel::Pos, self.local_m.by)
            || tolerances.beyond(Channel::Rot, self.local_deg.by)
            || tolerances.beyond(Channel::Scl, self.local_scale.by)
    }

    /// Whether it differs in the world.
    pub fn is_apart(&self, tolerances: &Tolerances) -> bool {
        tolerances.beyond(Channel::Pos, self.world_m.by)
            || tolerances.beyond(Channel::Rot, self.world_deg.by)
    }
}

/// The worst joint of a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Worst {
    /// By how much: metres or degrees.
    pub by: f64,
    /// Its place in [`PoseDifference::joints`].
    pub joint: usize,
}

impl Worst {
    fn meet(&mut self, by: f64, joint: usize) {
        if by > self.by {
            *self = Worst { by, joint };
        }
    }
}

/// The worst joints at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moment {
    /// When: a frame, or seconds.
    pub at: f64,
    /// By distance in the world.
    pub world_m: Worst,
    /// By angle in the world.
    pub world_deg: Worst,
    /// By distance relative to the parent.
    pub local_m: Worst,
    /// By angle relative to the parent.
    pub local_deg: Worst,
}

/// Why a joint is elsewhere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cause {
    /// The joint that differs relative to its parent, by its place in [`PoseDifference::joints`]:
    /// the one itself, or one above it.
    pub joint: usize,
    /// How far it is apart relative to its parent at that moment, in metres.
    pub metres: f64,
    /// In degrees.
    pub degrees: f64,
    /// The largest difference of a factor.
    pub factor: f64,
}

/// The moment at which a joint is farthest away, and why.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extreme {
    /// By how much: metres or degrees.
    pub by: f64,
    /// When: a frame, or seconds.
    pub at: f64,
    /// The joint, by its place in [`PoseDifference::joints`].
    pub joint: usize,
    /// What it comes from; `None` where nothing on the way up differs by itself.
    pub cause: Option<Cause>,
}

/// How far the poses of two documents are apart.
#[derive(Clone, Debug, PartialEq)]
pub struct PoseDifference {
    /// What times are; `None` where both rest.
    pub clock: Option<Clock>,
    /// The joints that are in both documents, in the order of the first.
    pub joints: Vec<JointDifference>,
    /// Every frame; of clips also each key's time.
    pub moments: Vec<Moment>,
    /// The largest distance in the world; `None` where all stand at the same places.
    pub farthest: Option<Extreme>,
    /// The largest angle in the world.
    pub most_turned: Option<Extreme>,
}

impl PoseDifference {
    /// Whether any joint differs in the world.
    pub fn is_beyond(&self, tolerances: &Tolerances) -> bool {
        self.joints.iter().any(|joint| joint.is_apart(tolerances))
    }

    /// The joints that differ by themselves, the most differing first.
    pub fn causes(&self, tolerances: &Tolerances) -> Vec<&JointDifference> {
        let mut causes: Vec<&JointDifference> =
            self.joints.iter().filter(|joint| joint.is_cause(tolerances)).collect();
        let size = |j: &JointDifference| j.local_m.by + 0.01 * j.local_deg.by + j.local_scale.by;
        causes.sort_by(|a, b| size(b).total_cmp(&size(a)));
        causes
    }

    /// How many joints are elsewhere only since something above them is.
    pub fn followers(&self, tolerances: &Tolerances) -> usize {
        let follows = |j: &&JointDifference| j.is_apart(tolerances) && !j.is_cause(tolerances);
        self.joints.iter().filter(follows).count()
    }
}

/// What gives poses at times.
pub(super) enum Poser<'a> {
    /// A take, at frames.
    Take(&'a TakeRig),
    /// A clip. Its time is (asked time − `start`) / `rate`; `rounded` to 6 decimals, as key times
    /// of clips made of exports are (A50): a step would come a frame late otherwise.
    Motion { motion: MotionRig, parents: Vec<Option<usize>>, start: f64, rate: f64, rounded: bool },
    /// Something that rests.
    Rest { local: Vec<Trs>, world: Vec<Trs>, parents: Vec<Option<usize>> },
}

impl Poser<'_> {
    fn parent(&self, joint: usize) -> Option<usize> {
        match self {
            Poser::Take(rig) => rig.parent(joint),
            Poser::Motion { parents, .. } | Poser::Rest { parents, .. } => {
                parents.get(joint).copied().flatten()
            }
        }
    }

    fn sample(&self, at: f64, out: &mut TakePoses) {
        match self {
            Poser::Take(rig) => rig.sample(at, out),
            Poser::Motion { motion, start, rate, rounded, .. } => {
                let secs = (at - start) / rate;
                let secs = if *rounded { (secs * 1e6).round() / 1e6 } else { secs };
                let secs = secs.clamp(0.0, motion.clip().duration_secs());
                motion.sample_local(secs, 1.0, &mut out.local);
                out.world.clone_from(&out.local);
                motion.hierarchy().local_to_world(&mut out.world);
            }
            Poser::Rest { local, world, .. } => {
                out.local.clone_from(local);
                out.world.clone_from(world);
            }
        }
    }
}

/// A joint of both documents.
#[derive(Clone, Copy, Debug)]
struct Pair {
    a: usize,
    b: usize,
    /// Where it hangs on something else in the second document: what its pose is compared under
    /// there, the partner of its parent in the first, or the world.
    under: Option<Option<usize>>,
}

/// The moments between two that are looked at: whole steps of `step`, and the last one.
pub(super) fn steps(first: f64, last: f64, step: f64, joints: usize) -> Vec<f64> {
    let length = last - first;
    if !(length > 0.0 && length.is_finite() && step > 0.0) {
        return vec![first];
    }
    let most = (MAX_POSES / joints.max(1)).clamp(60, 20_000) as f64;
    let step = step * (length / step / most).ceil().max(1.0);
    let count = (length / step - 1e-9).ceil() as usize;
    (0..count).map(|at| first + at as f64 * step).chain([last]).collect()
}

/// Compares the poses of two documents at these moments, shared among threads; `None` where
/// `progress` was cancelled. `names` are the first document's.
pub(super) fn poses(
    (a, b): (&Poser, &Poser),
    pairs: &Pairs,
    names: &dyn Fn(usize) -> String,
    clock: Option<Clock>,
    times: &[f64],
    progress: &Progress,
) -> Option<PoseDifference> {
    let pair = |(x, y): (usize, usize)| {
        let (parent_a, parent_b) = (a.parent(x), b.parent(y));
        let partner = parent_a.map(|parent| pairs.b_of_a[parent]);
        let under = match (partner, parent_b) {
            (None, None) => None,
            (Some(Some(partner)), Some(parent)) if partner == parent => None,
            (None, Some(_)) => Some(None),
            (Some(Some(partner)), _) => Some(Some(partner)),
            // The parent is gone: as it stands.
            (Some(None), _) => None,
        };
        Pair { a: x, b: y, under }
    };
    let list: Vec<Pair> = pairs.both().map(pair).collect();
    progress.expect(times.len());
    let threads = match times.len() * list.len() < WORTH_THREADS {
        true => 1,
        false => std::thread::available_parallelism().map_or(1, |n| n.get().min(8)),
    };
    let share = times.len().div_ceil(threads).max(1);
    let parts: Vec<Option<Share>> = std::thread::scope(|scope| {
        let list = &list;
        let mut shares = times.chunks(share);
        let own = shares.next();
        let others: Vec<_> =
            shares.map(|times| scope.spawn(move || look((a, b), list, times, progress))).collect();
        let mut parts: Vec<_> =
            own.map(|times| look((a, b), list, times, progress)).into_iter().collect();
        parts.extend(others.into_iter().map(|other| match other.join() {
            Ok(part) => part,
            Err(panic) => std::panic::resume_unwind(panic),
        }));
        parts
    });
    let joint = |pair: &Pair| JointDifference {
        name: names(pair.a),
        a: pair.a,
        b: pair.b,
        world_m: Peak::default(),
        world_deg: Peak::default(),
        local_m: Peak::default(),
        local_deg: Peak::default(),
        local_scale: Peak::default(),
    };
    let mut joints: Vec<JointDifference> = list.iter().map(joint).collect();
    let mut moments = Vec::with_capacity(times.len());
    for part in parts {
        let part = part?;
        moments.extend(part.moments);
        for (joint, peaks) in joints.iter_mut().zip(part.peaks) {
            let own = [
                &mut joint.world_m,
                &mut joint.world_deg,
                &mut joint.local_m,
                &mut joint.local_deg,
                &mut joint.local_scale,
            ];
            own.into_iter().zip(peaks).for_each(|(own, later)| own.append(later));
        }
    }
    let extreme = |of: fn(&Moment) -> Worst, turned: bool| {
        let worst = moments.iter().fold(None, |worst: Option<(Worst, f64)>, moment| {
            let here = of(moment);
            match worst {
                Some((worst, at)) if worst.by >= here.by => Some((worst, at)),
                _ => Some((here, moment.at)),
            }
        });
        let (worst, at) = worst.filter(|(worst, _)| worst.by > 0.0)?;
        let cause = cause((a, b), &list, worst.joint, at, turned);
        Some(Extreme { by: worst.by, at, joint: worst.joint, cause })
    };
    let farthest = extreme(|moment| moment.world_m, false);
    let most_turned = extreme(|moment| moment.world_deg, true);
    Some(PoseDifference { clock, joints, moments, farthest, most_turned })
}

/// What one thread found.
struct Share {
    moments: Vec<Moment>,
    /// For each pair: world distance and angle, local distance, angle and factor.
    peaks: Vec<[Peak; 5]>,
}

fn look(
    (a, b): (&Poser, &Poser),
    list: &[Pair],
    times: &[f64],
    progress: &Progress,
) -> Option<Share> {
    let mut peaks = vec![[Peak::default(); 5]; list.len()];
    let mut moments = Vec::with_capacity(times.len());
    let [mut of_a, mut of_b] =
        [const { TakePoses { raw: Vec::new(), local: Vec::new(), world: Vec::new() } }; 2];
    for at in times {
        if progress.is_cancelled() {
            return None;
        }
        a.sample(*at, &mut of_a);
        b.sample(*at, &mut of_b);
        let mut moment = Moment { at: *at, ..Moment::default() };
        for (index, pair) in list.iter().enumerate() {
            let (Some(wa), Some(wb)) = (of_a.world.get(pair.a), of_b.world.get(pair.b)) else {
                continue;
            };
            let (world_m, world_deg, _) = apart(wa, wb);
            let (Some(la), Some(lb)) = (of_a.local.get(pair.a), local_of_b(pair, &of_b)) else {
                continue;
            };
            let (local_m, local_deg, local_scale) = apart(la, &lb);
            moment.world_m.meet(world_m, index);
            moment.world_deg.meet(world_deg, index);
            moment.local_m.meet(local_m, index);
            moment.local_deg.meet(local_deg, index);
            let found = [world_m, world_deg, local_m, local_deg, local_scale];
            peaks[index].iter_mut().zip(found).for_each(|(peak, by)| peak.meet(by, *at));
        }
        moments.push(moment);
        progress.advance(1);
    }
    Some(Share { moments, peaks })
}

/// The second document's pose of a joint under what it hangs on in the first.
fn local_of_b(pair: &Pair, poses: &TakePoses) -> Option<Trs> {
    let local = poses.local.get(pair.b).copied();
    match pair.under {
        None => local,
        Some(None) => poses.world.get(pair.b).copied(),
        Some(Some(under)) => {
            let world = poses.world.get(pair.b)?;
            poses.world.get(under).and_then(|under| under.local_from_world(world)).or(local)
        }
    }
}

/// Distance in metres, angle in degrees, and the largest difference of a factor.
#[inline]
fn apart(a: &Trs, b: &Trs) -> (f64, f64, f64) {
    // Mirrored twice is turned: what stands alike does not differ.
    let (a, b) = (&a.folded(), &b.folded());
    let metres = a.position.distance(b.position);
    let degrees = if a.rotation == b.rotation { 0.0 } else { apart_deg(a.rotation, b.rotation) };
    (metres, degrees, (a.scale - b.scale).abs().max_element())
}

/// Which joint on the way up from one does most of its difference: the one whose local pose of
/// the second document, put into the first, brings the joint nearest to where it is there.
fn cause(
    (a, b): (&Poser, &Poser),
    list: &[Pair],
    joint: usize,
    at: f64,
    turned: bool,
) -> Option<Cause> {
    let [mut of_a, mut of_b] =
        [const { TakePoses { raw: Vec::new(), local: Vec::new(), world: Vec::new() } }; 2];
    a.sample(at, &mut of_a);
    b.sample(at, &mut of_b);
    let mut place_of_a = vec![None; of_a.local.len()];
    for (place, pair) in list.iter().enumerate() {
        if let Some(slot) = place_of_a.get_mut(pair.a) {
            *slot = Some(place);
        }
    }
    let start = list.get(joint)?.a;
    let goal = of_a.world.get(start).copied()?;
    let mut below = Trs::IDENTITY;
    let mut best: Option<(f64, usize)> = None;
    let mut up = Some(start);
    let mut left = of_a.local.len();
    while let Some(here) = up.filter(|_| left > 0) {
        left -= 1;
        let local = of_a.local.get(here)?;
        let above = a.parent(here).and_then(|parent| of_a.world.get(parent)).copied();
        if let Some(place) = place_of_a[here]
            && let Some(other) = local_of_b(&list[place], &of_b)
        {
            let put = above.unwrap_or(Trs::IDENTITY).compose(&other).compose(&below);
            let (metres, degrees, _) = apart(&goal, &put);
            let moved = if turned { degrees } else { metres };
            // Rounding moves everything a little.
            if moved > 1e-9 && best.is_none_or(|(most, _)| moved > most) {
                best = Some((moved, place));
            }
        }
        below = local.compose(&below);
        up = a.parent(here);
    }
    let (_, place) = best?;
    let pair = &list[place];
    let (metres, degrees, factor) = apart(of_a.local.get(pair.a)?, &local_of_b(pair, &of_b)?);
    Some(Cause { joint: place, metres, degrees, factor })
}
