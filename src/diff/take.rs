//! How two takes differ.

use super::keyframes::{Keyed, Meaning, keys, unknown, unknown_differs};
use super::pairs::Pairs;
use super::report::{Change, Element, Tolerances, What};
use crate::format::{FileKind, Holder};
use crate::math::{Basis, apart_deg};
use crate::model::Origin;
use crate::model::take::{
    Channel, CoordinateSystem, Header, Keyframe, ParentLink, Peg, Take, TakeCamera,
};
use crate::progress::Progress;
use crate::sample::take::labels;
use crate::source::{Source, number};
use glam::{DQuat, DVec3};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// Which peg is which.
pub(super) fn pair_pegs(
    a: &Take,
    b: &Take,
    links_a: &[ParentLink],
    links_b: &[ParentLink],
) -> Pairs {
    let mut pairs = Pairs::new(a.pegs.len(), b.pegs.len());
    // The same shared value in the same place: after an edit, nearly all.
    for (at, (x, y)) in a.pegs.iter().zip(&b.pegs).enumerate() {
        if Arc::ptr_eq(x, y) {
            pairs.join(at, at);
        }
    }
    let all = |p: &Peg| Some((path(p).to_owned(), rig(p).to_owned(), p.name.clone()));
    let with_content = |p: &Peg| Some((all(p), content(p, true)));
    let (pa, pb) = (|at: usize| &*a.pegs[at], |at: usize| &*b.pegs[at]);
    pairs.unique(|at| all(pa(at)), |at| all(pb(at)));
    pairs.in_order(|at| with_content(pa(at)), |at| with_content(pb(at)));
    pairs.in_order(|at| all(pa(at)), |at| all(pb(at)));
    let by_path = |p: &Peg| p.path.clone().filter(|path| !path.is_empty());
    pairs.unique(|at| by_path(pa(at)), |at| by_path(pb(at)));
    let by_rig = |p: &Peg| Some((rig(p).to_owned(), p.name.clone()));
    pairs.unique(|at| by_rig(pa(at)), |at| by_rig(pb(at)));
    let by_name = |p: &Peg| Some(p.name.clone());
    pairs.unique(|at| by_name(pa(at)), |at| by_name(pb(at)));
    if pairs.is_complete() {
        return pairs;
    }
    let parent_a = |at: usize| links_a[at].index();
    let parent_b = |at: usize| links_b[at].index();
    let whole = |p: &Peg| says_something(p).then(|| content(p, true));
    pairs.unique(|at| whole(pa(at)), |at| whole(pb(at)));
    let of_keys = |p: &Peg| (p.keyframes.len() > 1).then(|| content(p, false));
    pairs.unique(|at| of_keys(pa(at)), |at| of_keys(pb(at)));
    // A chain of renamed parents is known from below, one by one.
    for _ in 0..4 {
        pairs.by_place(parent_a, parent_b);
    }
    pairs.by_likeness(|x, y| likeness(pa(x), pb(y)));
    pairs
}

fn path(peg: &Peg) -> &str {
    peg.path.as_deref().unwrap_or("")
}

fn rig(peg: &Peg) -> &str {
    peg.rig.as_deref().unwrap_or("")
}

/// Whether a peg holds anything by which it could be known.
fn says_something(peg: &Peg) -> bool {
    !peg.keyframes.is_empty() || peg.rest_pivot() != DVec3::ZERO
}

/// What a peg holds, as a number: its keys, and its rest if asked.
fn content(peg: &Peg, with_rest: bool) -> u64 {
    let mut hasher = DefaultHasher::new();
    let mut hash = |numbers: &[f64]| {
        for number in numbers {
            // 0 and −0 are the same.
            (number + 0.0).to_bits().hash(&mut hasher);
        }
    };
    if with_rest {
        hash(&peg.rest_pivot().to_array());
        hash(&peg.rest_rotation().to_array());
    }
    for key in &peg.keyframes {
        hash(&[key.frame]);
        for vector in [key.pos, key.rot, key.scl] {
            hash(&vector.map_or([f64::NAN; 3], |v| v.to_array()));
        }
        hash(&key.rot_quat.unwrap_or([f64::NAN; 4]));
    }
    hasher.finish()
}

/// So many keys are compared to say how alike two pegs are.
const SAMPLED: usize = 16;

/// How alike two pegs are, 0 to 1: the share of keys that hold the same numbers at the same frame.
fn likeness(a: &Peg, b: &Peg) -> f64 {
    let (short, long) = match a.keyframes.len() <= b.keyframes.len() {
        true => (&a.keyframes, &b.keyframes),
        false => (&b.keyframes, &a.keyframes),
    };
    // One key is soon like another.
    if short.len() < 2 || long.len() > 2 * short.len() {
        return 0.0;
    }
    let step = short.len().div_ceil(SAMPLED).max(1);
    let near = |x: Option<DVec3>, y: Option<DVec3>| match (x, y) {
        (Some(x), Some(y)) => x.distance(y) < 1e-6,
        (None, None) => true,
        _ => false,
    };
    let alike = |x: &Keyframe, y: &Keyframe| {
        let turned = match (x.quat(), y.quat()) {
            (Some(x), Some(y)) => apart_deg(x, y) < 1e-3,
            (None, None) => near(x.rot, y.rot),
            _ => false,
        };
        turned && near(x.pos, y.pos)
    };
    let sampled = short.iter().step_by(step);
    let count = sampled.len();
    let found = sampled
        .filter(|key| {
            let at = long.partition_point(|other| other.frame < key.frame - 1e-6);
            long.get(at).is_some_and(|other| alike(key, other))
        })
        .count();
    found as f64 / count.max(1) as f64
}

/// One side of a comparison of takes.
#[derive(Clone, Copy)]
pub(super) struct Side<'a> {
    pub take: &'a Take,
    pub meaning: &'a Meaning,
    pub links: &'a [ParentLink],
}

/// The header of two takes.
pub(super) fn header(a: &Take, b: &Take) -> Vec<Change> {
    let mut changes = common_header(&a.header, &b.header);
    let range = |range: Option<[f64; 2]>| {
        range.map(|[first, last]| format!("{} to {}", number(first), number(last)))
    };
    field("frame_range", range(a.frame_range), range(b.frame_range), &mut changes);
    let source = |take: &Take| take.origin.as_ref().map(|o| Arc::clone(&o.source));
    top_unknown(source(a), source(b), FileKind::Anm, &mut changes);
    changes
}

/// What both kinds of export begin with.
pub(super) fn common_header(a: &Header, b: &Header) -> Vec<Change> {
    let mut changes = Vec::new();
    field("fps", a.fps.map(number), b.fps.map(number), &mut changes);
    let (wa, wb) = (words(a), words(b));
    for ((name, a), b) in CoordinateSystem::FIELDS.into_iter().zip(wa).zip(wb) {
        field(&format!("coordinate_system.{name}"), a, b, &mut changes);
    }
    field("source", a.source.clone(), b.source.clone(), &mut changes);
    changes
}

/// The six words of a coordinate system: those that are known as the format spells them, so that
/// `mm` and `Millimeters` are the same.
fn words(header: &Header) -> [Option<String>; 6] {
    use crate::model::take::{Term, Word};
    fn word<T: Word>(term: &Term<T>) -> Option<String> {
        match term.known {
            Some(known) => Some(known.as_str().to_owned()),
            None => term.written.clone(),
        }
    }
    let Some(system) = &header.coordinate_system else { return [const { None }; 6] };
    [
        word(&system.up),
        word(&system.hand),
        word(&system.unit),
        word(&system.rot_order),
        word(&system.rot_repr_anim),
        word(&system.rot_repr_rest),
    ]
}

/// Fields of the document itself that nobody knows.
pub(super) fn top_unknown(
    a: Option<Arc<Source>>,
    b: Option<Arc<Source>>,
    kind: FileKind,
    changes: &mut Vec<Change>,
) {
    let origin = |source: Option<Arc<Source>>| {
        source.map(|source| Origin { node: source.root(), source, with_comments: false })
    };
    unknown(&origin(a), &origin(b), Holder::Top(kind), changes);
}

/// A field, where it says something else.
pub(super) fn field(
    name: &str,
    from: Option<String>,
    to: Option<String>,
    changes: &mut Vec<Change>,
) {
    if from != to {
        changes.push(Change::Field { field: name.to_owned(), from, to });
    }
}

/// The parts of an element's rest that differ beyond the tolerances.
pub(super) fn rest(
    a: (DVec3, DQuat, DVec3),
    b: (DVec3, DQuat, DVec3),
    tolerances: &Tolerances,
    changes: &mut Vec<Change>,
) {
    let beyond = |channel, by: f64| if tolerances.beyond(channel, by) { by } else { 0.0 };
    let metres = beyond(Channel::Pos, a.0.distance(b.0));
    let degrees = beyond(Channel::Rot, apart_deg(a.1, b.1));
    let factor = beyond(Channel::Scl, (a.2 - b.2).abs().max_element());
    if metres != 0.0 || degrees != 0.0 || factor != 0.0 {
        changes.push(Change::Rest { metres, degrees, factor });
    }
}

/// What an element's place in the hierarchy is in both documents.
pub(super) struct Parents<'a> {
    pub pairs: &'a Pairs,
    pub links: [&'a [ParentLink]; 2],
    pub names: [&'a dyn Fn(usize) -> String; 2],
}

impl Parents<'_> {
    /// Whether a pair hangs on something else; says so in `changes`. `written` are the parents'
    /// names in the files.
    pub fn compare(
        &self,
        (a, b): (usize, usize),
        written: [Option<&str>; 2],
        changes: &mut Vec<Change>,
    ) -> bool {
        let (la, lb) = (self.links[0][a], self.links[1][b]);
        let same = match (la, lb) {
            (ParentLink::At(x), ParentLink::At(y)) => self.pairs.b_of_a[x] == Some(y),
            (ParentLink::Root, ParentLink::Root) => return false,
            // A loop has no parent in it; who is in it is another matter.
            _ => {
                written[0] == written[1]
                    && matches!(la, ParentLink::At(_)) == matches!(lb, ParentLink::At(_))
            }
        };
        if same {
            return false;
        }
        let name = |side: usize, link: ParentLink| match link {
            ParentLink::At(parent) => Some(self.names[side](parent)),
            ParentLink::Root => None,
            _ => written[side].map(str::to_owned),
        };
        changes.push(Change::Reparented { from: name(0, la), to: name(1, lb) });
        true
    }
}

/// For each element of the second list whether its own name or place, or that of a parent above
/// it, changed: its path in the scene follows then.
pub(super) fn moved_below(moved: &[bool], links: &[ParentLink]) -> Vec<bool> {
    let mut known: Vec<Option<bool>> = vec![None; moved.len()];
    for start in 0..moved.len() {
        let mut way = Vec::new();
        let mut at = Some(start);
        let mut found = false;
        while let Some(index) = at {
            if let Some(known) = known[index] {
                found = known;
                break;
            }
            way.push(index);
            if moved[index] || way.len() > moved.len() {
                found = moved[index];
                break;
            }
            at = links[index].index();
        }
        for index in way {
            known[index] = Some(found);
        }
    }
    known.into_iter().map(|known| known.unwrap_or(false)).collect()
}

/// How the pegs of two takes differ; `None` where `progress` was cancelled.
pub(super) fn pegs(
    a: Side,
    b: Side,
    pairs: &Pairs,
    tolerances: &Tolerances,
    progress: &Progress,
) -> Option<Vec<Element>> {
    let name = |take: &Take| labels(take.pegs.iter().map(|peg| (&*peg.name, peg.path.as_deref())));
    let (names_a, names_b) = (name(a.take), name(b.take));
    let both: Vec<(usize, usize)> = pairs.both().collect();
    progress.expect(a.take.key_count() + b.take.key_count());
    let parents = Parents {
        pairs,
        links: [a.links, b.links],
        names: [&|at| names_a[at].clone(), &|at| names_b[at].clone()],
    };
    // What says where a peg is, first: paths follow from it.
    let mut changes: Vec<Vec<Change>> = Vec::with_capacity(both.len());
    let mut moved = vec![false; b.take.pegs.len()];
    for (x, y) in &both {
        let (pa, pb) = (&a.take.pegs[*x], &b.take.pegs[*y]);
        let mut list = Vec::new();
        if pa.name != pb.name {
            list.push(Change::Renamed { from: pa.name.clone(), to: pb.name.clone() });
            moved[*y] = true;
        }
        moved[*y] |= parents.compare((*x, *y), [pa.parent(), pb.parent()], &mut list);
        changes.push(list);
    }
    let moved = moved_below(&moved, b.links);
    let fields = both.iter().zip(&mut changes);
    for ((x, y), list) in fields {
        let (pa, pb) = (&a.take.pegs[*x], &b.take.pegs[*y]);
        if !Arc::ptr_eq(pa, pb) {
            peg_fields((a, pa), (b, pb), moved[*y], tolerances, list);
        } else {
            progress.advance(2 * pa.keyframes.len());
        }
    }
    let found = in_shares(both.len(), |at| {
        let (x, y) = both[at];
        let (pa, pb) = (&a.take.pegs[x], &b.take.pegs[y]);
        if progress.is_cancelled() {
            return None;
        }
        // One shared value of which nothing is left to the rest of its document.
        if Arc::ptr_eq(pa, pb)
            && a.meaning.basis == b.meaning.basis
            && a.meaning.angles == b.meaning.angles
        {
            return Some(None);
        }
        let keyed = [(pa, a.meaning), (pb, b.meaning)];
        let [ka, kb] = keyed.map(|(peg, meaning)| Keyed { peg, meaning });
        let found = keys(ka, kb, tolerances);
        progress.advance(pa.keyframes.len() + pb.keyframes.len());
        Some(found)
    });
    let mut elements = Vec::new();
    for (((x, y), mut changes), keys) in both.into_iter().zip(changes).zip(found) {
        changes.extend(keys?);
        if !changes.is_empty() {
            let name = names_a[x].clone();
            elements.push(Element { what: What::Peg, name, a: Some(x), b: Some(y), changes });
        }
    }
    for x in pairs.open_a() {
        let changes = vec![Change::Removed { keys: a.take.pegs[x].keyframes.len() }];
        let name = names_a[x].clone();
        elements.push(Element { what: What::Peg, name, a: Some(x), b: None, changes });
    }
    for y in pairs.open_b() {
        let changes = vec![Change::Added { keys: b.take.pegs[y].keyframes.len() }];
        let name = names_b[y].clone();
        elements.push(Element { what: What::Peg, name, a: None, b: Some(y), changes });
    }
    Some(elements)
}

/// What a peg says beside its keys, name and parent.
fn peg_fields(
    (a, pa): (Side, &Peg),
    (b, pb): (Side, &Peg),
    moved: bool,
    tolerances: &Tolerances,
    changes: &mut Vec<Change>,
) {
    let rest_of = |basis: &Basis, peg: &Peg| {
        (basis.point(peg.rest_pivot()), basis.rotation(peg.rest_rotation()), DVec3::ONE)
    };
    rest(rest_of(&a.meaning.basis, pa), rest_of(&b.meaning.basis, pb), tolerances, changes);
    let said = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
    field("rig", said(&pa.rig), said(&pb.rig), changes);
    if !moved {
        field("path", said(&pa.path), said(&pb.path), changes);
    }
    let switch = |peg: &Peg| Some(peg.is_camera.to_string());
    field("is_camera", switch(pa), switch(pb), changes);
    modes(pa, pb, changes);
    if unknown_differs(&pa.origin, &pb.origin, Holder::Peg) {
        unknown(&pa.origin, &pb.origin, Holder::Peg, changes);
    }
}

fn modes(a: &Peg, b: &Peg, changes: &mut Vec<Change>) {
    let none = Vec::new();
    let (ma, mb) = (a.source_modes.as_ref(), b.source_modes.as_ref());
    let (ma, mb) = (ma.unwrap_or(&none), mb.unwrap_or(&none));
    let find = |modes: &[(String, String)], name: &str| {
        modes.iter().rev().find(|(mode, _)| mode == name).map(|(_, value)| value.clone())
    };
    let mut names: Vec<&str> = ma.iter().chain(mb).map(|(name, _)| name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    for name in names {
        field(&format!("source_modes.{name}"), find(ma, name), find(mb, name), changes);
    }
}

/// What `work` makes of each of `0..count`, shared among threads, in order.
pub(super) fn in_shares<T: Send>(count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    /// Below this a second thread costs more than it brings.
    const WORTH_THREADS: usize = 32;
    let threads = match count < WORTH_THREADS {
        true => 1,
        false => std::thread::available_parallelism().map_or(1, |n| n.get().min(8)),
    };
    if threads == 1 {
        return (0..count).map(work).collect();
    }
    // Small shares, so that who is done early takes another.
    let next = std::sync::atomic::AtomicUsize::new(0);
    let share = count.div_ceil(threads * 8).max(1);
    let run = || {
        let mut done: Vec<(usize, Vec<T>)> = Vec::new();
        loop {
            let from = next.fetch_add(share, std::sync::atomic::Ordering::Relaxed);
            if from >= count {
                return done;
            }
            done.push((from, (from..(from + share).min(count)).map(&work).collect()));
        }
    };
    let mut parts: Vec<(usize, Vec<T>)> = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(run)).collect();
        let mut parts = run();
        for other in others {
            match other.join() {
                Ok(more) => parts.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        parts
    });
    parts.sort_by_key(|(from, _)| *from);
    parts.into_iter().flat_map(|(_, part)| part).collect()
}

/// How the cameras of two exports differ.
pub(super) fn cameras(
    (a, basis_a): (&[Arc<TakeCamera>], Basis),
    (b, basis_b): (&[Arc<TakeCamera>], Basis),
    tolerances: &Tolerances,
) -> Vec<Element> {
    let mut pairs = Pairs::new(a.len(), b.len());
    let path = |c: &TakeCamera| c.path.clone().filter(|path| !path.is_empty());
    let all = |c: &TakeCamera| Some((c.name.clone(), path(c), c.peg.clone()));
    pairs.in_order(|at| all(&a[at]), |at| all(&b[at]));
    pairs.unique(|at| a[at].name.clone(), |at| b[at].name.clone());
    pairs.unique(|at| path(&a[at]), |at| path(&b[at]));
    pairs.unique(|at| a[at].peg.clone(), |at| b[at].peg.clone());
    let name = |camera: &TakeCamera, at: usize| match &camera.name {
        Some(name) if !name.is_empty() => name.clone(),
        _ => format!("camera {}", at + 1),
    };
    let mut elements = Vec::new();
    for (x, y) in pairs.both() {
        let mut changes = Vec::new();
        if !Arc::ptr_eq(&a[x], &b[y]) || basis_a != basis_b {
            camera((&a[x], basis_a), (&b[y], basis_b), tolerances, &mut changes);
        }
        if !changes.is_empty() {
            let name = name(&a[x], x);
            elements.push(Element { what: What::Camera, name, a: Some(x), b: Some(y), changes });
        }
    }
    for x in pairs.open_a() {
        let (name, changes) = (name(&a[x], x), vec![Change::Removed { keys: 0 }]);
        elements.push(Element { what: What::Camera, name, a: Some(x), b: None, changes });
    }
    for y in pairs.open_b() {
        let (name, changes) = (name(&b[y], y), vec![Change::Added { keys: 0 }]);
        elements.push(Element { what: What::Camera, name, a: None, b: Some(y), changes });
    }
    elements
}

fn camera(
    (a, basis_a): (&TakeCamera, Basis),
    (b, basis_b): (&TakeCamera, Basis),
    tolerances: &Tolerances,
    changes: &mut Vec<Change>,
) {
    let names = [&a.name, &b.name].map(|name| name.clone().unwrap_or_default());
    if names[0] != names[1] {
        let [from, to] = names;
        changes.push(Change::Renamed { from, to });
    }
    if a.peg != b.peg {
        changes.push(Change::Reparented { from: a.peg.clone(), to: b.peg.clone() });
    } else {
        field("path", a.path.clone(), b.path.clone(), changes);
    }
    let mut measured = |name: &str, a: Option<f64>, b: Option<f64>, units: [f64; 2], most: f64| {
        let apart = match (a, b) {
            (Some(a), Some(b)) => (a * units[0] - b * units[1]).abs() > most * (1.0 + 1e-9),
            (a, b) => a != b,
        };
        if apart {
            field(name, a.map(number), b.map(number), changes);
        }
    };
    let lengths = [basis_a.meters, basis_b.meters];
    let (metres, degrees) = (tolerances.position_m, tolerances.angle_deg);
    measured("fov", a.fov, b.fov, [1.0; 2], degrees);
    measured("near_plane", a.near_plane, b.near_plane, lengths, metres);
    measured("far_plane", a.far_plane, b.far_plane, lengths, metres);
    measured("near_field", a.near_field, b.near_field, [1.0; 2], metres);
    measured("far_field", a.far_field, b.far_field, [1.0; 2], metres);
    measured("angle", Some(a.angle), Some(b.angle), [1.0; 2], degrees);
    for (at, axis) in ["x", "y", "z"].into_iter().enumerate() {
        let [a, b] = [a.offset[at], b.offset[at]].map(Some);
        measured(&format!("offset_{axis}"), a, b, lengths, metres);
    }
    for (at, axis) in ["x", "y"].into_iter().enumerate() {
        let [a, b] = [a.pivot[at], b.pivot[at]].map(Some);
        measured(&format!("pivot_{axis}"), a, b, lengths, metres);
    }
    let switch = |said: Option<bool>| said.map(|said| said.to_string());
    field("is_default", switch(a.is_default), switch(b.is_default), changes);
    field("override_fov", switch(a.override_fov), switch(b.override_fov), changes);
    field("fov_axis", a.fov_axis.clone(), b.fov_axis.clone(), changes);
    let said = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
    field("rig", said(&a.rig), said(&b.rig), changes);
    unknown(&a.origin, &b.origin, Holder::Camera, changes);
}
