//! What changed between two documents, in the user's words.
//!
//! ```text
//! pairs      which element of one document is which of the other
//! times      which key of one list is which of the other
//! take, skeleton, clip, rig, keyframes, mixed: what differs in pairs
//! pose       how far the poses are apart over time, and which joint that comes from
//! report     all that as data; words: as sentences
//! ```
//!
//! Values are compared as they mean, never as they are written: numbers by what they are, rotations
//! as rotations, lengths in metres, fields that nobody knows by what they say. The order of lists
//! and of fields says nothing. Nothing is copied: both documents are looked at where they are, and
//! values that both share are equal without a look.

mod clip;
mod keyframes;
mod mixed;
mod pairs;
mod pose;
mod report;
mod rig;
mod skeleton;
mod take;
mod times;
mod words;

pub use pose::{Cause, Extreme, JointDifference, Moment, Peak, PoseDifference, Worst};
pub use report::{
    Change, Clock, Compared, Difference, Element, KeyChange, KeysChange, KeysTally, Tally,
    Tolerances, What,
};
pub use words::{angle, factor, length, moment};

use crate::math::Trs;
use crate::model::limits::DISPLAY_FPS;
use crate::model::take::{Skeleton, Take};
use crate::model::{Clip, Rig};
use crate::progress::Progress;
use crate::sample::take::{
    SkeletonRig, Space, SpaceMeasure, TakeCurves, TakeRig, labels, measure_space,
};
use crate::sample::{self, Binding, MotionRig, RestPart};
use keyframes::Meaning;
use pose::Poser;
use std::collections::HashMap;

/// What the values of a take are relative to.
#[derive(Clone, Copy, Debug)]
pub enum Posed<'a> {
    /// As its numbers tell (A20). Where they do not, poses are compared only if the other take's
    /// tell.
    Measured,
    /// As somebody said.
    In(Space),
    /// As in a rig that is there already.
    By(&'a TakeRig),
}

/// One of the two documents.
#[derive(Clone, Copy, Debug)]
pub enum Side<'a> {
    /// A take (`.anm`).
    Take {
        /// The take.
        take: &'a Take,
        /// What its values are relative to.
        posed: Posed<'a>,
    },
    /// A skeleton (`.pvt`).
    Skeleton(&'a Skeleton),
    /// A clip (`.motion`), and what it moves.
    Clip {
        /// The clip.
        clip: &'a Clip,
        /// Its rig; without one its parts are compared at an identity rest, each its own root.
        rig: Option<&'a Rig>,
    },
    /// A rig (`.rig`), or a scene.
    Rig(&'a Rig),
}

impl Side<'_> {
    fn word(&self) -> &'static str {
        match self {
            Side::Take { .. } => "a take (.anm)",
            Side::Skeleton(_) => "a skeleton (.pvt)",
            Side::Clip { .. } => "a clip (.motion)",
            Side::Rig(_) => "a rig",
        }
    }
}

/// Why there is no difference to tell.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DiffError {
    /// The two are not of a kind.
    #[error("{0} and {1} have nothing to compare")]
    Kinds(&'static str, &'static str),
    /// Nobody waits for it any more.
    #[error("the comparison was stopped")]
    Cancelled,
}

/// What differs between two documents, `a` being the older one: two of a kind, or a take and the
/// clip that was made from it (or it from the clip), on its rig.
///
/// # Errors
/// [`DiffError::Kinds`] where they are of kinds that have nothing in common.
pub fn diff(a: &Side, b: &Side, tolerances: &Tolerances) -> Result<Difference, DiffError> {
    diff_watched(a, b, tolerances, &Progress::new())
}

/// As [`diff`], with word about how far it is. Both cores work.
///
/// # Errors
/// As [`diff`], and [`DiffError::Cancelled`] where `progress` was cancelled.
pub fn diff_watched(
    a: &Side,
    b: &Side,
    tolerances: &Tolerances,
    progress: &Progress,
) -> Result<Difference, DiffError> {
    let found = match (a, b) {
        (Side::Take { take: x, posed: of_x }, Side::Take { take: y, posed: of_y }) => {
            takes((x, *of_x), (y, *of_y), tolerances, progress)
        }
        (Side::Skeleton(x), Side::Skeleton(y)) => skeletons(x, y, tolerances, progress),
        (Side::Rig(x), Side::Rig(y)) => rigs(x, y, tolerances, progress),
        (Side::Clip { clip: x, rig: rig_x }, Side::Clip { clip: y, rig: rig_y }) => {
            clips((x, *rig_x), (y, *rig_y), tolerances, progress)
        }
        (Side::Take { take, posed }, Side::Clip { clip, rig }) => {
            mixed::take_and_clip((take, *posed), (clip, *rig), true, tolerances, progress)
        }
        (Side::Clip { clip, rig }, Side::Take { take, posed }) => {
            mixed::take_and_clip((take, *posed), (clip, *rig), false, tolerances, progress)
        }
        _ => return Err(DiffError::Kinds(a.word(), b.word())),
    };
    let mut found = found.ok_or(DiffError::Cancelled)?;
    report::sort(&mut found.elements);
    progress.set(1.0);
    Ok(found)
}

fn takes(
    (a, posed_a): (&Take, Posed),
    (b, posed_b): (&Take, Posed),
    tolerances: &Tolerances,
    progress: &Progress,
) -> Option<Difference> {
    let spaces = Spaces::of([(a, posed_a), (b, posed_b)]);
    progress.set(0.2);
    let (links_a, links_b) = (a.parents(), b.parents());
    let pairs = take::pair_pegs(a, b, &links_a, &links_b);
    let [space_a, space_b] = spaces.spaces;
    let meanings = [Meaning::of(a, space_a), Meaning::of(b, space_b)];
    let side_a = take::Side { take: a, meaning: &meanings[0], links: &links_a };
    let side_b = take::Side { take: b, meaning: &meanings[1], links: &links_b };
    let mut header = take::header(a, b);
    if let (Some(x), Some(y)) = (space_a, space_b)
        && x != y
    {
        let [from, to] = [x, y].map(|space| Some(space.as_str().to_owned()));
        header.push(Change::Field { field: "space".to_owned(), from, to });
    }
    let mut elements = take::pegs(side_a, side_b, &pairs, tolerances, &progress.part(0.2, 0.6))?;
    let bases = [meanings[0].basis, meanings[1].basis];
    elements.extend(take::cameras((&a.cameras, bases[0]), (&b.cameras, bases[1]), tolerances));
    let mut notes = spaces.notes.clone();
    if a.fps() != b.fps() {
        notes.push("The two have other rates: poses are compared frame by frame".to_owned());
    }
    let rigs = spaces.rigs([(a, posed_a), (b, posed_b)]);
    let mut poses = None;
    if let Some([x, y]) = &rigs {
        let names = labels(a.pegs.iter().map(|peg| (&*peg.name, peg.path.as_deref())));
        let ranges = [x.get().frame_range(), y.get().frame_range()];
        let first = ranges.iter().flatten().copied().fold(f64::INFINITY, f64::min);
        let last = ranges.iter().flatten().copied().fold(f64::NEG_INFINITY, f64::max);
        let times = pose::steps(first, last, 1.0, pairs.b_of_a.len());
        poses = Some(pose::poses(
            (&Poser::Take(x.get()), &Poser::Take(y.get())),
            &pairs,
            &|at| names[at].clone(),
            Some(Clock::Frames),
            &times,
            &progress.part(0.6, 1.0),
        )?);
    }
    let poses = poses.filter(|poses| !poses.joints.is_empty());
    let (compared, tolerances) = (Compared::Takes, *tolerances);
    Some(Difference { compared, tolerances, header, elements, poses, notes })
}

/// A rig that was there, or one that was made.
enum Rigged<'a> {
    There(&'a TakeRig),
    Made(Box<TakeRig>),
}

impl Rigged<'_> {
    fn get(&self) -> &TakeRig {
        match self {
            Rigged::There(rig) => rig,
            Rigged::Made(rig) => rig,
        }
    }
}

/// What the values of two takes are relative to, as far as anybody knows.
struct Spaces {
    spaces: [Option<Space>; 2],
    /// What measuring made, so that it is not made twice.
    curves: [Option<TakeCurves>; 2],
    notes: Vec<String>,
}

impl Spaces {
    fn of(sides: [(&Take, Posed); 2]) -> Spaces {
        let said = |posed: Posed| match posed {
            Posed::Measured => None,
            Posed::In(space) => Some(space),
            Posed::By(rig) => Some(rig.space()),
        };
        let measure = |(take, posed): (&Take, Posed)| -> Option<(SpaceMeasure, TakeCurves)> {
            if said(posed).is_some() {
                return None;
            }
            let curves = TakeCurves::new(take, Space::World);
            Some((measure_space(take, &curves), curves))
        };
        let [a, b] = sides;
        let both = matches!((a.1, b.1), (Posed::Measured, Posed::Measured));
        let (of_a, of_b) = if both && std::ptr::eq(a.0, b.0) {
            let once = measure(a);
            (once.clone(), once)
        } else {
            std::thread::scope(|scope| {
                let other = scope.spawn(|| measure(b));
                let of_a = measure(a);
                (of_a, other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            })
        };
        let measured = [of_a, of_b];
        let [m, n] = [0, 1].map(|at| measured[at].as_ref().map(|(measure, _)| measure));
        let known = |posed, measure: Option<&SpaceMeasure>| {
            said(posed).or_else(|| measure.and_then(|measure| measure.decided))
        };
        let mut spaces = [known(a.1, m), known(b.1, n)];
        let mut notes = Vec::new();
        for (at, measure) in [m, n].into_iter().enumerate() {
            let Some(measure) = measure else { continue };
            let Some(other) = spaces[1 - at] else { continue };
            // All readings are one: it has the other's name too.
            if measure.readings.len() == 1 {
                spaces[at] = Some(other);
            } else if spaces[at].is_none() && measure.readings.contains(&other) {
                spaces[at] = Some(other);
                let which = ["first", "second"][at];
                notes.push(format!(
                    "What the values of the {which} are relative to is undecided ({}): taken as {}, \
                     as in the other",
                    measure.figures_text(),
                    other.as_str()
                ));
            }
        }
        for (at, measure) in [m, n].into_iter().enumerate() {
            if let Some(measure) = measure.filter(|_| spaces[at].is_none()) {
                let which = ["first", "second"][at];
                let choices: Vec<&str> = measure.choices().iter().map(|s| s.as_str()).collect();
                notes.push(format!(
                    "Poses are not compared: what the values of the {which} are relative to is \
                     undecided ({}); it is one of {}",
                    measure.figures_text(),
                    choices.join(", ")
                ));
            }
        }
        let curves = measured.map(|measured| measured.map(|(_, curves)| curves));
        Spaces { spaces, curves, notes }
    }

    /// Rigs of both takes, where both spaces are known.
    fn rigs<'a>(&self, sides: [(&'a Take, Posed<'a>); 2]) -> Option<[Rigged<'a>; 2]> {
        let rig = |at: usize| {
            let (take, posed) = sides[at];
            let space = self.spaces[at]?;
            Some(match (posed, &self.curves[at]) {
                (Posed::By(rig), _) => Rigged::There(rig),
                (_, Some(curves)) => {
                    Rigged::Made(Box::new(TakeRig::with_curves(take, space, curves)))
                }
                (_, None) => Rigged::Made(Box::new(TakeRig::new(take, space))),
            })
        };
        Some([rig(0)?, rig(1)?])
    }
}

fn skeletons(
    a: &Skeleton,
    b: &Skeleton,
    tolerances: &Tolerances,
    progress: &Progress,
) -> Option<Difference> {
    let rigs = [a, b].map(SkeletonRig::new);
    let [x, y] = &rigs;
    let pairs = skeleton::pair_bones(a, b, [x, y]);
    let rests = |rig: &SkeletonRig| Poser::Rest {
        local: rig.local.clone(),
        world: rig.world.clone(),
        parents: rig.links.iter().map(|link| link.index()).collect(),
    };
    let names = |at: usize| x.labels[at].clone();
    let poses = pose::poses((&rests(x), &rests(y)), &pairs, &names, None, &[0.0], progress)?;
    Some(Difference {
        compared: Compared::Skeletons,
        tolerances: *tolerances,
        header: skeleton::header(a, b, tolerances),
        elements: skeleton::elements(a, b, [x, y], &pairs, tolerances),
        poses: Some(poses).filter(|poses| !poses.joints.is_empty()),
        notes: Vec::new(),
    })
}

fn rigs(a: &Rig, b: &Rig, tolerances: &Tolerances, progress: &Progress) -> Option<Difference> {
    let links = [rig::links(a), rig::links(b)];
    let [la, lb] = [&links[0][..], &links[1][..]];
    let pairs = rig::pair_nodes(a, b, [la, lb]);
    let resting = |rig: &Rig| {
        let (world, parents) = rests(rig);
        let local = rig.nodes.iter().map(|node| sample::rest_pose(node)).collect();
        Poser::Rest { local, world, parents }
    };
    let names = |at: usize| a.nodes[at].id.clone();
    let posers = (&resting(a), &resting(b));
    let poses = pose::poses(posers, &pairs, &names, None, &[0.0], progress)?;
    Some(Difference {
        compared: Compared::Rigs,
        tolerances: *tolerances,
        header: rig::header(a, b),
        elements: rig::nodes(a, b, [la, lb], &pairs, tolerances),
        poses: Some(poses).filter(|poses| !poses.joints.is_empty()),
        notes: Vec::new(),
    })
}

/// Where a rig's nodes rest in the world, and the places of their parents.
pub(crate) fn rests(rig: &Rig) -> (Vec<Trs>, Vec<Option<usize>>) {
    let links = rig::links(rig);
    let mut world: Vec<Trs> = rig.nodes.iter().map(|node| sample::rest_pose(node)).collect();
    for [child, parent] in mixed::parents_first(&links) {
        world[child] = world[parent].compose(&world[child]);
    }
    (world, links.iter().map(|link| link.index()).collect())
}

/// A clip on a rig, or on its own parts, each its own root.
pub(crate) fn motion(clip: &Clip, rig: Option<&Rig>) -> Result<MotionRig, String> {
    let compiled = sample::Clip::new(clip).map_err(|problem| problem.message.clone())?;
    let on_rig = |rig: &Rig| {
        let binding = Binding::new(rig)?;
        MotionRig::new(binding.parts(), &compiled)
    };
    let motion = match rig {
        Some(rig) => on_rig(rig),
        None => {
            let part =
                |name: &str| RestPart { name: name.to_owned(), parent: None, rest: Trs::IDENTITY };
            MotionRig::new(&compiled.parts().map(part).collect::<Vec<_>>(), &compiled)
        }
    };
    motion.map_err(|error| error.to_string())
}

/// The parents of a clip's parts, in the order of its poses.
pub(crate) fn motion_parents(motion: &MotionRig, rig: Option<&Rig>) -> Vec<Option<usize>> {
    let parent = |name: &String| {
        let node = rig?.nodes.iter().find(|node| node.id == *name)?;
        motion.find(node.parent.as_deref()?)
    };
    motion.names().iter().map(parent).collect()
}

fn clips(
    (a, rig_a): (&Clip, Option<&Rig>),
    (b, rig_b): (&Clip, Option<&Rig>),
    tolerances: &Tolerances,
    progress: &Progress,
) -> Option<Difference> {
    // One that is there serves both.
    let stages = [rig_a.or(rig_b), rig_b.or(rig_a)];
    let mut notes = Vec::new();
    let mut elements = Vec::new();
    let mut renamed: HashMap<String, String> = HashMap::new();
    if let [Some(x), Some(y)] = stages {
        let links = [rig::links(x), rig::links(y)];
        let links = [&links[0][..], &links[1][..]];
        let pairs = rig::pair_nodes(x, y, links);
        for (i, j) in pairs.both().filter(|(i, j)| x.nodes[*i].id != y.nodes[*j].id) {
            renamed.insert(x.nodes[i].id.clone(), y.nodes[j].id.clone());
        }
        elements = rig::nodes(x, y, links, &pairs, tolerances);
    }
    elements.extend(clip::tracks(a, b, &renamed, tolerances));
    for element in elements.iter().filter(|element| element.what == What::Part) {
        if let [Change::Renamed { from, to }] = &element.changes[..] {
            renamed.insert(from.clone(), to.clone());
        }
    }
    // What a rig says of a part need not be said again of its tracks.
    let nodes: Vec<String> = elements
        .iter()
        .filter(|e| e.what == What::Node)
        .filter(|e| e.changes.iter().any(|c| matches!(c, Change::Renamed { .. })))
        .map(|e| e.name.clone())
        .collect();
    elements.retain(|e| e.what != What::Part || !nodes.contains(&e.name));
    let mut poses = None;
    match (motion(a, stages[0]), motion(b, stages[1])) {
        (Ok(x), Ok(y)) => {
            poses = clip_poses((a, x, stages[0]), (b, y, stages[1]), &renamed, progress)?;
        }
        (Err(error), _) | (_, Err(error)) => {
            notes.push(format!("Poses are not compared: {error}"));
        }
    }
    let poses = Some(poses).flatten().filter(|poses| !poses.joints.is_empty());
    let (compared, tolerances) = (Compared::Clips, *tolerances);
    Some(Difference { compared, tolerances, header: clip::header(a, b), elements, poses, notes })
}

/// So many key times are looked at besides the frames.
const MAX_KEY_TIMES: usize = 4_000;

#[allow(clippy::option_option)] // Cancelled; then whether there is anything.
fn clip_poses(
    (a, x, rig_x): (&Clip, MotionRig, Option<&Rig>),
    (b, y, rig_y): (&Clip, MotionRig, Option<&Rig>),
    renamed: &HashMap<String, String>,
    progress: &Progress,
) -> Option<Option<PoseDifference>> {
    let mut pairs = pairs::Pairs::new(x.names().len(), y.names().len());
    for (at, name) in x.names().iter().enumerate() {
        let told = renamed.get(name).and_then(|name| y.find(name));
        let partner = told.or_else(|| y.find(name));
        if let Some(partner) = partner.filter(|partner| pairs.a_of_b[*partner].is_none()) {
            pairs.join(at, partner);
        }
    }
    let length = a.duration_secs.max(b.duration_secs);
    let mut times = pose::steps(0.0, length, 1.0 / DISPLAY_FPS, pairs.b_of_a.len());
    let keys = a.tracks.iter().chain(&b.tracks).flat_map(|track| &track.keys);
    times.extend(keys.map(|key| key.time).filter(|time| *time <= length).take(MAX_KEY_TIMES));
    times.sort_by(f64::total_cmp);
    times.dedup_by(|later, earlier| *later - *earlier < 1e-9);
    let names: Vec<String> = x.names().to_vec();
    let parents = [motion_parents(&x, rig_x), motion_parents(&y, rig_y)];
    let [parents_x, parents_y] = parents;
    let poser = |motion, parents| Poser::Motion { motion, parents, start: 0.0, rate: 1.0 };
    let posers = (&poser(x, parents_x), &poser(y, parents_y));
    let names = |at: usize| names[at].clone();
    let clock = Some(Clock::Seconds);
    pose::poses(posers, &pairs, &names, clock, &times, progress).map(Some)
}
