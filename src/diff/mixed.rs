//! How a take and a clip on its rig differ: the one was made from the other. Their keys are not the
//! same things; their parts, rests and poses are.

use super::pairs::Pairs;
use super::pose::{self, Poser};
use super::report::{Change, Clock, Compared, Difference, Element, Tolerances, What};
use super::take::{Parents, field, rest};
use super::{Posed, Spaces, motion, motion_parents, rig as rigs};
use crate::math::Trs;
use crate::model::take::{ParentLink, Take};
use crate::model::{Clip, Rig};
use crate::progress::Progress;
use crate::sample::rest_pose;
use crate::sample::take::{TakeRig, labels, shown_basis};
use crate::source::number;
use glam::DVec3;

/// Lengths that are rounded to six decimals are no further apart (A50).
const SAME_LENGTH_SECS: f64 = 1.5e-6;

/// Pairs of child and parent, parents before their children.
pub(super) fn parents_first(links: &[ParentLink]) -> Vec<[usize; 2]> {
    let mut placed = vec![false; links.len()];
    let mut order = Vec::with_capacity(links.len());
    for start in 0..links.len() {
        let mut way = Vec::new();
        let mut at = Some(start);
        while let Some(index) = at.filter(|index| !placed[*index]) {
            placed[index] = true;
            way.push(index);
            at = links[index].index();
        }
        for index in way.into_iter().rev() {
            order.extend(links[index].index().map(|parent| [index, parent]));
        }
    }
    order
}

/// The parts of either kind of document.
struct Parts {
    what: What,
    names: Vec<String>,
    links: Vec<ParentLink>,
    parents: Vec<Option<String>>,
    /// Where nothing is known of how they rest, none.
    rests: Option<Vec<Trs>>,
    keys: Vec<usize>,
}

impl Parts {
    fn of_take(take: &Take) -> Parts {
        let basis = shown_basis(take.header.coordinate_system.as_ref());
        let rest = |peg: &crate::model::take::Peg| Trs {
            position: basis.point(peg.rest_pivot()),
            rotation: basis.rotation(peg.rest_rotation()),
            scale: DVec3::ONE,
        };
        Parts {
            what: What::Peg,
            names: labels(take.pegs.iter().map(|peg| (&*peg.name, peg.path.as_deref()))),
            links: take.parents(),
            parents: take.pegs.iter().map(|peg| peg.parent().map(str::to_owned)).collect(),
            rests: Some(take.pegs.iter().map(|peg| rest(peg)).collect()),
            keys: take.pegs.iter().map(|peg| peg.keyframes.len()).collect(),
        }
    }

    fn of_clip(clip: &Clip, names: Vec<String>, rig: Option<&Rig>) -> Parts {
        let keys = |name: &String| {
            let tracks = clip.tracks.iter().filter(|track| track.part == *name);
            tracks.map(|track| track.keys.len()).sum()
        };
        let keys = names.iter().map(keys).collect();
        match rig {
            Some(rig) => Parts {
                what: What::Node,
                links: rigs::links(rig),
                parents: rig.nodes.iter().map(|node| node.parent.clone()).collect(),
                // An export has no place for the scale of a rest: its first keys hold it (A56).
                rests: Some(
                    rig.nodes.iter().map(|n| Trs { scale: DVec3::ONE, ..rest_pose(n) }).collect(),
                ),
                names,
                keys,
            },
            None => Parts {
                what: What::Part,
                links: vec![ParentLink::Root; names.len()],
                parents: vec![None; names.len()],
                rests: None,
                names,
                keys,
            },
        }
    }
}

/// The id of a node that is made of a peg (A51), before clashes are looked at.
fn id_of(name: &str) -> String {
    match name {
        "" => "node".to_owned(),
        name => name.replace(['/', ':'], "_"),
    }
}

/// Which peg is which node: the node's name is the peg's, or its id is what a conversion makes of
/// the peg (A51).
fn pair(take: &Take, ids: &[String], rig: Option<&Rig>) -> Pairs {
    let mut pairs = Pairs::new(take.pegs.len(), ids.len());
    let name_b = |at: usize| rig.and_then(|rig| rig.nodes.get(at)?.name.clone());
    let id_b = |at: usize| Some(ids[at].clone());
    pairs.unique(|at| Some(take.pegs[at].name.clone()), name_b);
    pairs.unique(|at| Some(id_of(&take.pegs[at].name)), id_b);
    let with_rig = |at: usize| {
        let peg = &take.pegs[at];
        let rig = peg.rig.as_deref().filter(|rig| !rig.is_empty())?;
        Some(id_of(&format!("{rig}.{}", peg.name)))
    };
    pairs.unique(with_rig, id_b);
    // Of one name in the order of the file, as they were numbered.
    let shown = |at: usize| name_b(at).or_else(|| id_b(at));
    pairs.in_order(|at| Some(take.pegs[at].name.clone()), shown);
    pairs
}

/// Compares a take and a clip; `take_first` says which is the older one.
pub(super) fn take_and_clip(
    (take, posed): (&Take, Posed),
    (clip, rig): (&Clip, Option<&Rig>),
    take_first: bool,
    tolerances: &Tolerances,
    progress: &Progress,
) -> Option<Difference> {
    let spaces = Spaces::of([(take, posed), (take, posed)]);
    let mut notes: Vec<String> = spaces.notes.iter().take(1).cloned().collect();
    progress.set(0.2);
    let moved = motion(clip, rig);
    let ids: Vec<String> = match (&moved, rig) {
        (Ok(motion), _) => motion.names().to_vec(),
        (Err(_), Some(rig)) => rig.nodes.iter().map(|node| node.id.clone()).collect(),
        (Err(_), None) => Vec::new(),
    };
    if rig.is_none() {
        notes.push("The clip has no rig: its parts are compared as if each were a root".to_owned());
    }
    let of_take = pair(take, &ids, rig);
    let (parts_take, parts_clip) = (Parts::of_take(take), Parts::of_clip(clip, ids, rig));
    let (pairs, a, b) = match take_first {
        true => (of_take, parts_take, parts_clip),
        false => {
            let turned = Pairs { b_of_a: of_take.a_of_b, a_of_b: of_take.b_of_a };
            (turned, parts_clip, parts_take)
        }
    };
    let elements = elements(&a, &b, &pairs, rig.is_some(), tolerances);
    let length = |take: &Take| {
        let [first, last] = take.frame_range();
        (take.fps() > 0.0).then(|| (last - first) / take.fps())
    };
    let mut header = Vec::new();
    let lengths = [length(take), Some(clip.duration_secs)];
    // A take of one frame becomes a clip of one frame's length (A50).
    let still = lengths[0].is_some_and(|secs| secs == 0.0);
    let apart = lengths[0].is_none_or(|secs| (secs - clip.duration_secs).abs() > SAME_LENGTH_SECS);
    if apart && !still {
        let [mut from, mut to] = lengths.map(|secs| secs.map(number));
        if !take_first {
            std::mem::swap(&mut from, &mut to);
        }
        field("duration", from, to, &mut header);
    }
    let rigged = spaces.rigs([(take, posed), (take, posed)]);
    let mut poses = None;
    match (&rigged, moved) {
        (Some([taken, _]), Ok(motion)) => {
            let taken: &TakeRig = taken.get();
            let [first, last] = taken.frame_range();
            let rate = if take.fps() > 0.0 { take.fps() } else { 24.0 };
            let parents = motion_parents(&motion, rig);
            let of_clip = Poser::Motion { motion, parents, start: first, rate, rounded: true };
            let of_take = Poser::Take(taken);
            let posers = match take_first {
                true => (&of_take, &of_clip),
                false => (&of_clip, &of_take),
            };
            let times = pose::steps(first.min(last), first.max(last), 1.0, a.names.len());
            let names = |at: usize| a.names[at].clone();
            let part = progress.part(0.2, 1.0);
            let clock = Some(Clock::Frames);
            poses = Some(pose::poses(posers, &pairs, &names, clock, &times, &part)?);
        }
        (_, Err(error)) => notes.push(format!("Poses are not compared: {error}")),
        (None, Ok(_)) => {}
    }
    let poses = poses.filter(|poses| !poses.joints.is_empty());
    let (compared, tolerances) = (Compared::TakeAndClip, *tolerances);
    Some(Difference { compared, tolerances, header, elements, poses, notes })
}

fn elements(
    a: &Parts,
    b: &Parts,
    pairs: &Pairs,
    with_parents: bool,
    tolerances: &Tolerances,
) -> Vec<Element> {
    let names =
        [&|at: usize| a.names[at].clone() as String, &|at: usize| b.names[at].clone() as String]
            as [&dyn Fn(usize) -> String; 2];
    let parents = Parents { pairs, links: [&a.links, &b.links], names };
    let mut elements = Vec::new();
    for (x, y) in pairs.both() {
        let mut changes = Vec::new();
        if with_parents {
            let written = [a.parents[x].as_deref(), b.parents[y].as_deref()];
            parents.compare((x, y), written, &mut changes);
        }
        if let (Some(ra), Some(rb)) = (&a.rests, &b.rests) {
            let parts = |rest: &Trs| (rest.position, rest.rotation, rest.scale);
            rest(parts(&ra[x]), parts(&rb[y]), tolerances, &mut changes);
        }
        if !changes.is_empty() {
            let name = a.names[x].clone();
            elements.push(Element { what: a.what, name, a: Some(x), b: Some(y), changes });
        }
    }
    for x in pairs.open_a() {
        let (name, changes) = (a.names[x].clone(), vec![Change::Removed { keys: a.keys[x] }]);
        elements.push(Element { what: a.what, name, a: Some(x), b: None, changes });
    }
    for y in pairs.open_b() {
        let (name, changes) = (b.names[y].clone(), vec![Change::Added { keys: b.keys[y] }]);
        elements.push(Element { what: b.what, name, a: None, b: Some(y), changes });
    }
    elements
}
