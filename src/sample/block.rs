//! Eight tracks of one kind, sampled together.

use super::easing::{Bezier, BezierLanes, Polynomial};
use super::lanes::{LANES, cos_of_square, progress, sinc_of_square};
use super::track::{TrackEasing, Turn};
use crate::math::{Trs, quat_from_euler};
use glam::{DQuat, DVec3};
use std::sync::Arc;

/// How many keys the search looks at behind the one that the hint gives. Tracks with more keys in
/// one bucket are clustered and searched by halves.
pub(super) const WALK: usize = 4;

/// How many times are looked at together: a power of two above [`WALK`] + 1.
pub(super) const WINDOW: usize = 8;

/// One value for each lane of a block; segments and hints fit, as a track has at most 512 keys.
pub(super) type Row = [u16; LANES];

/// What a block's tracks animate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Channel {
    Position,
    Scale,
    /// A model clip's rotations: angles that blend one by one.
    Angles,
    /// A rig clip's rotations.
    Turns,
}

/// One track in a block.
#[derive(Clone, Debug)]
pub(super) struct Lane<V> {
    pub times: Arc<[f64]>,
    pub values: Arc<[V]>,
    /// More than [`WALK`] keys lie in one bucket somewhere.
    pub clustered: bool,
}

impl<V> Lane<V> {
    /// The segment of `time`, which is the last key that is not behind it, else the first, and the
    /// times at its ends. It lies at `low`, the hint of this time's bucket, or up to [`WALK`]
    /// behind it: not for clustered tracks.
    #[inline(always)]
    fn near_segment(&self, time: f64, low: u16) -> (usize, f64, f64) {
        let low = usize::from(low);
        let Some(near) = self.times.get(low..).and_then(|rest| rest.first_chunk::<WINDOW>()) else {
            return (0, 0.0, 0.0);
        };
        // No branch hangs on a comparison: a wrong guess costs more than all four.
        let passed = (1..=WALK).map(|i| usize::from(near[i] <= time)).sum::<usize>();
        (low + passed, near[passed % WINDOW], near[(passed + 1) % WINDOW])
    }

    /// The same for any track. It lies between `low` and `high`, the hints of this time's bucket
    /// and the next one's; `before`, the segment of the last call, spares clustered tracks the
    /// search while time advances.
    #[cold]
    fn segment(&self, time: f64, low: u16, high: u16, before: Option<u16>) -> (usize, f64, f64) {
        if !self.clustered {
            return self.near_segment(time, low);
        }
        let segment = self.segment_of_clustered(time, low, high, before);
        let [start, end] = self.ends(segment);
        (segment, start, end)
    }

    fn segment_of_clustered(&self, time: f64, low: u16, high: u16, before: Option<u16>) -> usize {
        if let Some(before) = before.map(usize::from)
            && let Some([here, next, after]) =
                self.times.get(before..).and_then(|rest| rest.first_chunk::<3>())
            && *here <= time
            && time < *after
        {
            return before + usize::from(*next <= time);
        }
        let (low, high) = (usize::from(low), usize::from(high));
        let inside = self.times.get(low + 1..=high).unwrap_or_default();
        low + inside.partition_point(|t| *t <= time)
    }

    /// The same by the times alone.
    pub fn find(&self, time: f64) -> usize {
        self.times.partition_point(|t| *t <= time).saturating_sub(1)
    }

    /// The two times around a segment.
    #[inline(always)]
    fn ends(&self, segment: usize) -> [f64; 2] {
        [self.times[segment], self.times[segment + 1]]
    }
}

/// Where a block's lanes are at a time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Located {
    segments: [usize; LANES],
    starts: [f64; LANES],
    ends: [f64; LANES],
    /// The squares of the segments' angles, where they are [`Turn`]s.
    squares: [f64; LANES],
}

impl Located {
    pub const NOWHERE: Located = Located {
        segments: [0; LANES],
        starts: [0.0; LANES],
        ends: [0.0; LANES],
        squares: [0.0; LANES],
    };
}

/// The easings of a block's lanes.
#[derive(Clone, Debug)]
enum BlockEasing {
    Polynomials { a: [f64; LANES], b: [f64; LANES], c: [f64; LANES] },
    Beziers { curves: [Arc<Bezier>; LANES], terms: Box<BezierLanes<LANES>> },
}

impl BlockEasing {
    /// `None` where the lanes are not all of one sort.
    fn new(easings: [&TrackEasing; LANES]) -> Option<Self> {
        let mut curves: Vec<&Arc<Bezier>> = Vec::new();
        let [mut a, mut b, mut c] = [[0.0; LANES]; 3];
        for (k, easing) in easings.into_iter().enumerate() {
            match easing {
                TrackEasing::Polynomial(p) => (a[k], b[k], c[k]) = (p.a, p.b, p.c),
                TrackEasing::Bezier(curve) => curves.push(curve),
            }
        }
        if curves.is_empty() {
            return Some(BlockEasing::Polynomials { a, b, c });
        }
        let curves: [&Arc<Bezier>; LANES] = curves.try_into().ok()?;
        let terms = Box::new(BezierLanes::new(curves.map(|curve| &**curve)));
        Some(BlockEasing::Beziers { curves: curves.map(Arc::clone), terms })
    }

    #[inline(always)]
    fn ease(&self, u: &[f64; LANES]) -> [f64; LANES] {
        match self {
            BlockEasing::Polynomials { a, b, c } => {
                let mut out = [0.0; LANES];
                for k in 0..LANES {
                    out[k] = Polynomial { a: a[k], b: b[k], c: c[k] }.ease(u[k]);
                }
                out
            }
            BlockEasing::Beziers { curves, terms } => {
                terms.ease(curves.each_ref().map(|c| &**c), u)
            }
        }
    }

    fn ease_one(&self, lane: usize, u: f64) -> f64 {
        match self {
            BlockEasing::Polynomials { a, b, c } => {
                Polynomial { a: a[lane], b: b[lane], c: c[lane] }.ease(u)
            }
            BlockEasing::Beziers { curves, .. } => curves[lane].ease(u),
        }
    }
}

/// Eight tracks of one channel and one sort of easing. Where there are fewer, the last one fills
/// the rest: writing the same value twice harms nothing.
#[derive(Clone, Debug)]
pub(super) struct Block<V> {
    pub lanes: [Lane<V>; LANES],
    pub channel: Channel,
    easing: BlockEasing,
    /// Any of the lanes is.
    clustered: bool,
}

impl<V> Block<V> {
    /// `None` where the easings are not all of one sort.
    pub fn new(
        lanes: [Lane<V>; LANES],
        channel: Channel,
        easings: [&TrackEasing; LANES],
    ) -> Option<Self> {
        let clustered = lanes.iter().any(|lane| lane.clustered);
        Some(Block { lanes, channel, easing: BlockEasing::new(easings)?, clustered })
    }

    /// Finds each lane's segment.
    #[inline(always)]
    pub fn locate(
        &self,
        time: f64,
        [low, high]: [&Row; 2],
        cursor: Option<&mut Row>,
        at: &mut Located,
    ) {
        if self.clustered {
            for (k, lane) in self.lanes.iter().enumerate() {
                let before = cursor.as_ref().map(|row| row[k]);
                (at.segments[k], at.starts[k], at.ends[k]) =
                    lane.segment(time, low[k], high[k], before);
            }
            if let Some(row) = cursor {
                *row = at.segments.map(|segment| segment as u16);
            }
        } else {
            for (k, lane) in self.lanes.iter().enumerate() {
                (at.segments[k], at.starts[k], at.ends[k]) = lane.near_segment(time, low[k]);
            }
        }
    }

    #[inline(always)]
    fn eased(&self, time: f64, at: &Located) -> [f64; LANES] {
        self.easing.ease(&progress(time, &at.starts, &at.ends))
    }

    fn locate_one(&self, lane: usize, time: f64) -> (usize, f64) {
        let segment = self.lanes[lane].find(time);
        let [start, end] = self.lanes[lane].ends(segment);
        let [u] = progress(time, &[start], &[end]);
        (segment, self.easing.ease_one(lane, u))
    }
}

/// The value at eased progress `u` of a segment, of which there always are both ends.
#[inline(always)]
fn between(values: &[DVec3], segment: usize, u: f64) -> DVec3 {
    match values.get(segment..).and_then(|rest| rest.first_chunk::<2>()) {
        Some([from, to]) => *from + (*to - *from) * u,
        None => DVec3::ZERO,
    }
}

impl Block<DVec3> {
    /// Writes each lane's value at `time` into `out[targets[lane]]`.
    #[inline(always)]
    pub fn write(&self, time: f64, at: &Located, targets: &[u32; LANES], out: &mut [Trs]) {
        let eased = self.eased(time, at);
        let value = |k: usize| between(&self.lanes[k].values, at.segments[k], eased[k]);
        match self.channel {
            Channel::Position => {
                for k in 0..LANES {
                    out[targets[k] as usize].position = value(k);
                }
            }
            Channel::Scale => {
                for k in 0..LANES {
                    out[targets[k] as usize].scale = value(k);
                }
            }
            Channel::Angles | Channel::Turns => {
                for k in 0..LANES {
                    out[targets[k] as usize].rotation = quat_from_euler(value(k));
                }
            }
        }
    }

    /// One lane's value, the same to the last bit.
    pub fn sample_one(&self, lane: usize, time: f64) -> DVec3 {
        let (segment, eased) = self.locate_one(lane, time);
        between(&self.lanes[lane].values, segment, eased)
    }
}

/// The two weights of [`Turn`]s at eased progress `u`, given their angles' squares.
#[inline(always)]
fn turn_weights<const N: usize>(u: &[f64; N], squares: &[f64; N]) -> ([f64; N], [f64; N]) {
    let mut angles = [0.0; N];
    for k in 0..N {
        angles[k] = u[k] * u[k] * squares[k];
    }
    let cos = cos_of_square(&angles);
    let mut sin = sinc_of_square(&angles);
    for k in 0..N {
        sin[k] *= u[k];
    }
    (cos, sin)
}

impl Turn {
    #[inline(always)]
    fn square(&self) -> f64 {
        self.along.length_squared()
    }

    #[inline(always)]
    fn at(&self, cos: f64, sin: f64) -> DQuat {
        self.from * cos + self.along * sin
    }
}

impl Block<Turn> {
    /// Reads how far each lane turns in its segment. These records are far apart in memory; the
    /// reading of many of them goes on at once when nothing else comes between.
    #[inline(always)]
    pub fn reach(&self, at: &mut Located) {
        at.squares = std::array::from_fn(|k| self.lanes[k].values[at.segments[k]].square());
    }

    /// Writes each lane's rotation at `time` into `out[targets[lane]]`.
    #[inline(always)]
    pub fn write(&self, time: f64, at: &Located, targets: &[u32; LANES], out: &mut [Trs]) {
        let (cos, sin) = turn_weights(&self.eased(time, at), &at.squares);
        for k in 0..LANES {
            let turn = &self.lanes[k].values[at.segments[k]];
            out[targets[k] as usize].rotation = turn.at(cos[k], sin[k]);
        }
    }

    /// One lane's rotation, the same to the last bit.
    pub fn sample_one(&self, lane: usize, time: f64) -> DQuat {
        let (segment, eased) = self.locate_one(lane, time);
        turn_at(&self.lanes[lane].values[segment], eased)
    }
}

/// The rotation at eased progress `u` of one turn.
pub(crate) fn turn_at(turn: &Turn, u: f64) -> DQuat {
    let ([cos], [sin]) = turn_weights(&[u], &[turn.square()]);
    turn.at(cos, sin)
}
