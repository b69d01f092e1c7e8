//! Which space the numbers of a take are in, as far as they tell (A20).

use super::curves::{TakeCurves, parents_first};
use super::peg::PegCurves;
use super::space::{Space, local_under, rest_of};
use crate::math::Trs;
use crate::model::take::{Header, Take};

/// A reading wins if its figure is at most this share of the next one's (A20).
const WINS_BY: f64 = 0.25;
/// Transforms that differ by no more are the same (A20).
const SAME: f64 = 1e-6;
/// Figures below this are 0: what is left of them is rounding.
const ZERO: f64 = 1e-9;
/// So many transforms are compared at most before two readings count as the same.
const MAX_COMPARED: usize = 2_000_000;

/// What the numbers of a take say about their space (A20).
#[derive(Clone, Debug, PartialEq)]
pub struct SpaceMeasure {
    /// For local, delta and world: the median, over keys of pegs that have a parent and carry no
    /// camera, of |local translation − rest_pivot|, in the file's unit of length. `None` where
    /// there is no such key.
    pub figures: [Option<f64>; 3],
    /// The readings that differ, each named by the first of local, delta, world that gives the
    /// same transforms.
    pub readings: Vec<Space>,
    /// For local, delta and world: the reading under whose name it stands.
    pub named: [Space; 3],
    /// The space, where the numbers decide it.
    pub decided: Option<Space>,
    /// Whether world is the likelier guess where nothing is decided: Blender and Maya bake so.
    world_first: bool,
}

impl SpaceMeasure {
    /// The figure of a reading.
    pub fn figure(&self, space: Space) -> Option<f64> {
        let [local, delta, world] = self.figures;
        match space {
            Space::Local => local,
            Space::Delta => delta,
            Space::World => world,
        }
    }

    /// What to offer where a person is asked, the likeliest first: world for files of Blender and
    /// Maya, otherwise the order local, delta, world.
    pub fn choices(&self) -> Vec<Space> {
        let mut choices = self.readings.clone();
        if self.world_first {
            choices.sort_by_key(|space| *space != Space::World);
        }
        choices
    }

    /// The space to show a take in before anybody was asked: the decided one, or the first choice.
    pub fn shown(&self) -> Space {
        self.decided.or_else(|| self.choices().first().copied()).unwrap_or(Space::Local)
    }

    /// The three figures for people: `local 0.000000, delta 0.500000, world 1.290569`.
    pub fn figures_text(&self) -> String {
        let one = |space: Space| match self.figure(space) {
            Some(figure) => format!("{} {figure:.6}", space.as_str()),
            None => format!("{} –", space.as_str()),
        };
        Space::ALL.map(one).join(", ")
    }
}

/// Measures which space a take is in (A20). `curves` are the take's own, in any space; those that
/// leave nothing out are used as they are.
pub fn measure_space(take: &Take, curves: &TakeCurves) -> SpaceMeasure {
    let parents = take.parents();
    let worlds = Worlds {
        // Only what the keys leave out differs from space to space.
        curves: curves.updated_with(take, Space::World, &parents),
        anchors: Vec::new(),
        parents: parents.iter().map(|link| link.index()).collect(),
        rests: take.pegs.iter().map(|peg| rest_of(peg)).collect(),
    };
    let worlds = worlds.with_anchors(&parents_first(&parents));
    let figures = figures(take, &worlds);
    let named = named(&worlds);
    let mut readings: Vec<Space> = named.to_vec();
    readings.sort_unstable();
    readings.dedup();
    let source = take.header.source.as_deref().unwrap_or("");
    let decided = match readings[..] {
        [only] => Some(only),
        _ => winner(&readings, figures),
    };
    let world_first = Header::SOURCES[1..].iter().any(|word| source.eq_ignore_ascii_case(word));
    SpaceMeasure { figures, readings, named, decided, world_first }
}

fn winner(readings: &[Space], figures: [Option<f64>; 3]) -> Option<Space> {
    let figure = |space: &Space| figures[Space::ALL.iter().position(|s| s == space)?];
    let mut known = Vec::new();
    for space in readings {
        known.push((figure(space)?, *space));
    }
    known.sort_by(|a, b| a.0.total_cmp(&b.0));
    let [(best, space), (next, _), ..] = known[..] else { return None };
    // Two zeros are a tie, and so is what is no number.
    (next > ZERO && best <= WINS_BY * next).then_some(space)
}

/// The pegs' poses under the reading that they are world poses.
struct Worlds {
    curves: TakeCurves,
    parents: Vec<Option<usize>>,
    rests: Vec<Trs>,
    /// The peg with keys that each peg hangs on, and its place under that: itself, where it has
    /// keys.
    anchors: Vec<(Option<usize>, Trs)>,
}

impl Worlds {
    fn with_anchors(mut self, parents_first: &[[usize; 2]]) -> Self {
        let has_keys = |peg: &std::sync::Arc<PegCurves>| !peg.frames().is_empty();
        let own = |(at, peg)| match has_keys(peg) {
            true => (Some(at), Trs::IDENTITY),
            false => (None, self.rests[at]),
        };
        self.anchors = self.curves.pegs().iter().enumerate().map(own).collect();
        for [child, parent] in parents_first {
            if !has_keys(&self.curves.pegs()[*child]) {
                let (anchor, above) = self.anchors[*parent];
                self.anchors[*child] = (anchor, above.compose(&self.rests[*child]));
            }
        }
        self
    }

    fn at(&self, peg: usize, frame: f64) -> Trs {
        let (anchor, below) = &self.anchors[peg];
        match anchor {
            Some(anchor) => {
                let anchor = self.curves.pegs()[*anchor].at(frame).trs();
                if *below == Trs::IDENTITY { anchor } else { anchor.compose(below) }
            }
            None => *below,
        }
    }

    /// The local transforms of a peg with keys at a frame, read as local, delta and world.
    fn readings(&self, peg: usize, frame: f64) -> [Trs; 3] {
        let written = self.curves.pegs()[peg].at(frame).trs();
        let world = match self.parents[peg] {
            Some(parent) => local_under(&self.at(parent, frame), &written),
            None => written,
        };
        [written, self.rests[peg].compose(&written), world]
    }
}

/// The three medians.
fn figures(take: &Take, worlds: &Worlds) -> [Option<f64>; 3] {
    let mut residuals: [Vec<f64>; 3] = Default::default();
    for (index, curves) in worlds.curves.pegs().iter().enumerate() {
        let peg = &take.pegs[index];
        let Some(parent) = worlds.parents[index].filter(|_| !peg.is_camera) else { continue };
        let rest = worlds.rests[index].position;
        for (key, frame) in curves.frames().iter().enumerate() {
            // What is not written rests, whatever it is relative to.
            let written = peg.keyframes.get(curves.key_index(key)).and_then(|key| key.pos);
            let [local, delta] = match written {
                Some(pos) => [(pos - rest).length(), pos.length()],
                None => [0.0; 2],
            };
            let here = curves.at(*frame).trs();
            let world = local_under(&worlds.at(parent, *frame), &here);
            for (list, residual) in
                residuals.iter_mut().zip([local, delta, (world.position - rest).length()])
            {
                list.push(residual);
            }
        }
    }
    residuals.map(median)
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    let half = values.len() / 2;
    if values.is_empty() {
        return None;
    }
    let is_odd = values.len() % 2 == 1;
    let (below, middle, _) = values.select_nth_unstable_by(half, f64::total_cmp);
    let middle = *middle;
    if is_odd {
        return Some(middle);
    }
    let before = below.iter().copied().max_by(f64::total_cmp).unwrap_or(middle);
    Some(0.5 * (before + middle))
}

/// Under which name each of local, delta and world stands: readings with the same transforms count
/// as one. Compared at all frames that have a key, and half-way between; in very long takes at
/// some of them.
fn named(worlds: &Worlds) -> [Space; 3] {
    let [local, delta, world] = Space::ALL;
    // Same so far: local and delta, local and world, delta and world.
    let mut same = [true; 3];
    let keyed: Vec<usize> = worlds
        .curves
        .pegs()
        .iter()
        .enumerate()
        .filter(|(_, peg)| !peg.frames().is_empty())
        .map(|(index, _)| index)
        .collect();
    let most = (MAX_COMPARED / keyed.len().max(1)).max(8);
    'all: for frame in moments(worlds, most) {
        for peg in &keyed {
            let [l, d, w] = worlds.readings(*peg, frame);
            same[0] &= are_same(&l, &d);
            same[1] &= are_same(&l, &w);
            same[2] &= are_same(&d, &w);
            if same == [false; 3] {
                break 'all;
            }
        }
    }
    let of_delta = if same[0] { local } else { delta };
    let of_world = match (same[1], same[2]) {
        (true, _) => local,
        (_, true) => of_delta,
        _ => world,
    };
    [local, of_delta, of_world]
}

/// The frames of all keys and those half-way between, at most so many, evenly picked.
fn moments(worlds: &Worlds, most: usize) -> Vec<f64> {
    let mut frames: Vec<f64> =
        worlds.curves.pegs().iter().flat_map(|peg| peg.frames()).copied().collect();
    frames.sort_unstable_by(f64::total_cmp);
    frames.dedup();
    let between = frames.windows(2).map(|pair| 0.5 * (pair[0] + pair[1]));
    let between: Vec<f64> = between.collect();
    frames.extend(between);
    frames.sort_unstable_by(f64::total_cmp);
    let step = frames.len().div_ceil(most.max(1)).max(1);
    let last = frames.last().copied();
    frames.into_iter().step_by(step).chain(last).collect()
}

fn are_same(a: &Trs, b: &Trs) -> bool {
    let near = |a: glam::DVec3, b: glam::DVec3| {
        // Of large numbers only so many digits are left.
        (a - b).abs().max_element() <= SAME * a.abs().max_element().max(1.0)
    };
    let b_rotation = if a.rotation.dot(b.rotation) < 0.0 { -b.rotation } else { b.rotation };
    let turned = (a.rotation - b_rotation).length();
    near(a.position, b.position) && near(a.scale, b.scale) && turned <= SAME
}
