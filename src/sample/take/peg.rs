//! One peg's channels at any frame (A10–A14).

use super::curve::{AXES, Handled, Point, corrected, hermite, limited, tangent};
use super::space::Base;
use crate::math::{Trs, apart_deg};
use crate::model::take::{Angles, Channel, Interp, Keyframe, Peg, RotationForm};
use crate::sample::block::turn_at;
use crate::sample::track;
use glam::{DQuat, DVec3};
use std::sync::Arc;

mod handles;

pub use handles::ShownHandle;

/// Up to so many degrees apart `rot` and `rot_quat` say the same (A3, A14).
const AGREE_DEG: f64 = 0.1;

/// How a peg is turned at a frame (A14).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Turn {
    /// Euler curves rule: the angles of `rot` in degrees, in the file's order of axes.
    Euler(DVec3),
    /// Quaternions rule: a unit quaternion.
    Quat(DQuat),
}

/// The channels of a peg at a frame, as the file means them: in its own space, axes and lengths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RawPose {
    /// `pos`.
    pub pos: DVec3,
    /// `rot` or `rot_quat`.
    pub turn: Turn,
    /// The unit quaternion of `turn`.
    pub rotation: DQuat,
    /// `scl`.
    pub scl: DVec3,
}

impl RawPose {
    /// The rotation as degrees for people: the angles themselves where Euler curves rule, otherwise
    /// those of the quaternion that are nearest to `previous_deg` (A57).
    pub fn degrees(&self, angles: Angles, previous_deg: DVec3) -> DVec3 {
        match self.turn {
            Turn::Euler(degrees) => degrees,
            Turn::Quat(quat) => {
                let angles = Angles { form: RotationForm::EulerDeg, ..angles };
                angles.rot_of(quat, previous_deg)
            }
        }
    }

    /// TRS(pos, q, scl).
    pub fn trs(&self) -> Trs {
        Trs { position: self.pos, rotation: self.rotation, scale: self.scl }
    }
}

/// How a channel goes from one key to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Shape {
    /// It holds the first key's value.
    Hold,
    /// Each axis along a line.
    Line,
    /// Each axis along a Bézier curve: the inner points' shares of the segment, and the values of
    /// all four points (degrees for angles).
    Curves { x: [DVec3; 2], y: [DVec3; 4] },
    /// The shorter way round.
    Slerp,
    /// Quaternions component by component.
    Blend,
}

/// Where a frame is among a peg's keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// There are no keys.
    Rest,
    /// At a key's own values: before the first, or from the last on.
    Key(usize),
    /// From this key to the next.
    Segment(usize),
}

/// So far from the guess a segment is looked for one by one.
const NEAR: usize = 8;

/// How one segment is evaluated, in 4 bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Segment(u32);

impl Segment {
    const EULER: u32 = 4;
    const SLOT_SHIFT: u32 = 3;

    fn new(interp: Interp, euler: bool, slot: Option<usize>) -> Self {
        let interp = match interp {
            Interp::Constant => 0,
            Interp::Linear => 1,
            Interp::Bezier | Interp::Unknown => 2,
        };
        let euler = if euler { Self::EULER } else { 0 };
        let slot = slot.map_or(0, |slot| slot as u32 + 1);
        Segment(slot << Self::SLOT_SHIFT | euler | interp)
    }

    fn interp(self) -> Interp {
        match self.0 & 3 {
            0 => Interp::Constant,
            1 => Interp::Linear,
            _ => Interp::Bezier,
        }
    }

    /// Whether Euler curves rule the rotation (A14).
    fn is_euler(self) -> bool {
        self.0 & Self::EULER != 0
    }

    /// Its place in the list of segments whose handles count.
    fn slot(self) -> Option<usize> {
        (self.0 >> Self::SLOT_SHIFT).checked_sub(1).map(|slot| slot as usize)
    }
}

/// A peg, ready to be evaluated at any frame. It points into the peg's own keys: what it adds is
/// 12 bytes a key, and 288 bytes a BEZIER segment that has handles.
#[derive(Debug)]
pub struct PegCurves {
    peg: Arc<Peg>,
    angles: Angles,
    base: Base,
    /// Whether any key leaves something out, so that `base` counts.
    uses_base: bool,
    /// Keys by frame, of several on one frame the last in the file; `None` where the file has them
    /// so.
    order: Option<Box<[u32]>>,
    /// By key: where its rotation comes from, where any has none itself (A3); `u32::MAX` for the
    /// rest.
    turned_by: Option<Box<[u32]>>,
    frames: Box<[f64]>,
    /// Keys a frame, if they were evenly spread.
    density: f64,
    segments: Box<[Segment]>,
    handled: Box<[Handled]>,
}

impl PegCurves {
    pub(super) fn new(peg: &Arc<Peg>, angles: Angles, base: Base) -> Self {
        let keys = &peg.keyframes;
        let in_order = keys.windows(2).all(|pair| pair[0].frame < pair[1].frame);
        let order = (!in_order).then(|| by_frame(keys));
        let count = order.as_ref().map_or(keys.len(), |order| order.len());
        let mut curves = PegCurves {
            peg: Arc::clone(peg),
            angles,
            base,
            uses_base: false,
            order,
            turned_by: None,
            frames: Box::default(),
            density: 0.0,
            segments: Box::default(),
            handled: Box::default(),
        };
        curves.frames = (0..count).map(|key| curves.key(key).frame).collect();
        if let (Some(first), Some(last)) = (curves.frames.first(), curves.frames.last()) {
            curves.density = (count - 1) as f64 / (last - first);
        }
        let turns = |key: &Keyframe| key.quat().is_some() || curves.angle(key).is_some();
        if (0..count).any(|key| !turns(curves.key(key))) {
            // The key before, as often as it takes (A3).
            let mut last = u32::MAX;
            let turned_by = (0..count).map(|key| {
                if turns(curves.key(key)) {
                    last = key as u32;
                }
                last
            });
            curves.turned_by = Some(turned_by.collect());
        }
        let leaves_out = |key: &Keyframe| key.pos.is_none();
        curves.uses_base = count == 0
            || keys.iter().any(leaves_out)
            || curves.turned_by.as_ref().is_some_and(|by| by.first() == Some(&u32::MAX));
        curves.compile();
        curves
    }

    fn compile(&mut self) {
        let count = self.frames.len().saturating_sub(1);
        let mut handled = Vec::new();
        let mut segments = Vec::with_capacity(count);
        for start in 0..count {
            let a = self.key(start);
            let euler = self.euler_rules(start);
            let mut slot = None;
            if a.interp() == Interp::Bezier
                && let Some(curves) = self.handled(start, euler)
            {
                slot = Some(handled.len());
                handled.push(curves);
            }
            segments.push(Segment::new(a.interp(), euler, slot));
        }
        self.segments = segments.into();
        self.handled = handled.into();
    }

    /// Whether Euler curves rule the segment that starts at a key (A14).
    fn euler_rules(&self, start: usize) -> bool {
        let [a, b] = [start, start + 1].map(|key| self.turned_by(key));
        let (Some(a), Some(b)) = (a, b) else { return false };
        match (a.quat(), b.quat()) {
            (None, None) => true,
            (Some(p), Some(q)) => {
                let handles = |key: usize| {
                    let handles = self.key(key).channel_handles(Channel::Rot);
                    handles.is_some_and(|axes| axes.iter().any(Option::is_some))
                };
                let agree = |key: &Keyframe, quat: DQuat| {
                    let own = self.angle(key).and_then(|rot| self.angles.quat(rot));
                    own.is_some_and(|own| apart_deg(own, quat) <= AGREE_DEG)
                };
                handles(start) && handles(start + 1) && agree(a, p) && agree(b, q)
            }
            _ => false,
        }
    }

    /// The inner control points of the segment that starts at a key (A12, A13); `None` where no
    /// handle counts.
    fn handled(&self, start: usize, euler: bool) -> Option<Handled> {
        let handles = |key: usize, channel: Channel| self.key(key).channel_handles(channel);
        let channels: &[Channel] = match euler {
            true => &[Channel::Pos, Channel::Scl, Channel::Rot],
            false => &[Channel::Pos, Channel::Scl],
        };
        let any = channels.iter().any(|channel| {
            let of = |key| handles(key, *channel).is_some_and(|h| h.iter().any(Option::is_some));
            of(start) || of(start + 1)
        });
        if !any {
            return None;
        }
        let mut out = Handled::EMPTY;
        let [f0, f1] = [self.frames[start], self.frames[start + 1]];
        let length = f1 - f0;
        for (number, channel) in channels.iter().enumerate() {
            let [v0, v1] = [start, start + 1].map(|key| self.value(key, *channel));
            for axis in 0..3 {
                let at = 3 * number + axis;
                let slope = |key: usize| self.slope(key, *channel, axis);
                (out.x1[at], out.y1[at]) = match handles(start, *channel).and_then(|h| h[axis]) {
                    Some(h) => {
                        let (x, rise) = corrected(h.right.x - f0, h.right.y - v0[axis], length);
                        (x, v0[axis] + rise)
                    }
                    None => (1.0 / 3.0, v0[axis] + slope(start) * length / 3.0),
                };
                (out.x2[at], out.y2[at]) = match handles(start + 1, *channel).and_then(|h| h[axis])
                {
                    Some(h) => {
                        let (x, rise) = corrected(f1 - h.left.x, h.left.y - v1[axis], length);
                        (1.0 - x, v1[axis] + rise)
                    }
                    None => (2.0 / 3.0, v1[axis] - slope(start + 1) * length / 3.0),
                };
            }
        }
        Some(out)
    }

    /// The automatic slope of one axis at a key (A13).
    fn slope(&self, key: usize, channel: Channel, axis: usize) -> f64 {
        if key == 0 || key + 1 >= self.frames.len() {
            return 0.0;
        }
        let point =
            |key: usize| Point { frame: self.frames[key], value: self.value(key, channel)[axis] };
        tangent(point(key - 1), point(key), point(key + 1))
    }

    /// The peg.
    pub fn peg(&self) -> &Arc<Peg> {
        &self.peg
    }

    /// The frames that have a key, increasing: sorted, and each once.
    pub fn frames(&self) -> &[f64] {
        &self.frames
    }

    /// The place in [`Peg::keyframes`] of the key on `frames()[key]`.
    pub fn key_index(&self, key: usize) -> usize {
        self.order.as_ref().map_or(key, |order| order.get(key).map_or(key, |at| *at as usize))
    }

    /// How the values go on from a key.
    pub(crate) fn interp_of(&self, segment: usize) -> Interp {
        self.segments.get(segment).map_or(Interp::Constant, |segment| segment.interp())
    }

    /// How a channel goes from a key to the next (A12–A14).
    pub(crate) fn shape(&self, segment: usize, channel: Channel) -> Shape {
        let Some(kind) = self.segments.get(segment).copied() else { return Shape::Hold };
        let turns = channel == Channel::Rot && !kind.is_euler();
        match kind.interp() {
            Interp::Constant => return Shape::Hold,
            Interp::Linear if turns => return Shape::Slerp,
            Interp::Linear => return Shape::Line,
            _ if turns => return Shape::Blend,
            _ => {}
        }
        let unit = |vector: DVec3| match channel {
            Channel::Rot => self.angles.degrees(vector),
            _ => vector,
        };
        let [from, to] = [segment, segment + 1].map(|key| self.value(key, channel));
        let length = self.frames[segment + 1] - self.frames[segment];
        let first = match channel {
            Channel::Pos => 0,
            Channel::Scl => 3,
            Channel::Rot => 6,
        };
        let (mut x1, mut x2) = (DVec3::splat(1.0 / 3.0), DVec3::splat(2.0 / 3.0));
        let (mut y1, mut y2) = (from, to);
        for axis in 0..3 {
            match kind.slot().map(|slot| &self.handled[slot]) {
                Some(handled) => {
                    let at = first + axis;
                    (x1[axis], x2[axis]) = (handled.x1[at], handled.x2[at]);
                    (y1[axis], y2[axis]) = (handled.y1[at], handled.y2[at]);
                }
                None => {
                    let slope = |key: usize| self.slope(key, channel, axis) * length / 3.0;
                    y1[axis] = from[axis] + slope(segment);
                    y2[axis] = to[axis] - slope(segment + 1);
                }
            }
        }
        Shape::Curves { x: [x1, x2], y: [from, y1, y2, to].map(unit) }
    }

    /// Whether a change of the rest, or of the space, needs another compiled form.
    pub(super) fn still_holds(&self, peg: &Arc<Peg>, angles: Angles, base: Base) -> bool {
        let same_base = !self.uses_base || self.base == base;
        Arc::ptr_eq(&self.peg, peg) && self.angles == angles && same_base
    }

    fn key(&self, key: usize) -> &Keyframe {
        &self.peg.keyframes[self.key_index(key)]
    }

    /// The key that gives a key's rotation: itself, or one before it; `None` for the rest.
    fn turned_by(&self, key: usize) -> Option<&Keyframe> {
        match &self.turned_by {
            None => Some(self.key(key)),
            Some(by) => (by[key] != u32::MAX).then(|| self.key(by[key] as usize)),
        }
    }

    /// The angles of a key that count, in the file's unit.
    fn angle(&self, key: &Keyframe) -> Option<DVec3> {
        key.rot.filter(|rot| self.angles.count() && rot.is_finite())
    }

    /// A channel's numbers at a key, in the file's unit.
    fn value(&self, key: usize, channel: Channel) -> DVec3 {
        match channel {
            Channel::Pos => self.key(key).pos.unwrap_or(self.base.position),
            Channel::Scl => self.key(key).scl.unwrap_or(DVec3::ONE),
            Channel::Rot => {
                self.turned_by(key).and_then(|key| self.angle(key)).unwrap_or(DVec3::ZERO)
            }
        }
    }

    /// A key's rotation as a quaternion.
    fn quat(&self, key: usize) -> DQuat {
        let Some(key) = self.turned_by(key) else { return self.base.rotation };
        let from_angles = || self.angle(key).and_then(|rot| self.angles.quat(rot));
        key.quat().or_else(from_angles).unwrap_or(self.base.rotation)
    }

    /// The channels at a frame, whole or between: before the first key its values, behind the last
    /// the last's (A10). Without keys: the rest.
    pub fn at(&self, frame: f64) -> RawPose {
        self.at_place(frame, self.place(frame, self.guess(frame)))
    }

    /// About which segment a frame is in. Most files have a key every so many frames: then it is
    /// that one. Any number for a frame that is in none.
    #[inline]
    pub(super) fn guess(&self, frame: f64) -> usize {
        let first = self.frames.first().copied().unwrap_or(0.0);
        let last_segment = self.frames.len().saturating_sub(2);
        // What is negative, or no number, becomes 0.
        (((frame - first) * self.density) as usize).min(last_segment)
    }

    /// Where a frame is, from a guess.
    #[inline]
    pub(super) fn place(&self, frame: f64, guess: usize) -> Place {
        let (Some(first), Some(last)) = (self.frames.first(), self.frames.last()) else {
            return Place::Rest;
        };
        if frame >= *last {
            return Place::Key(self.frames.len() - 1);
        }
        // A NaN is before everything.
        let after_first = frame > *first;
        if !after_first {
            return Place::Key(0);
        }
        let mut start = guess;
        for _ in 0..NEAR {
            if frame < self.frames[start] {
                start -= 1;
            } else if frame >= self.frames[start + 1] {
                start += 1;
            } else {
                return Place::Segment(start);
            }
        }
        let behind = self.frames.partition_point(|key| *key <= frame);
        Place::Segment(behind.saturating_sub(1).min(self.frames.len() - 2))
    }

    /// Reads what finding the place will read. Sampling many pegs is mostly waiting for memory;
    /// the reading of several pegs goes on at once when nothing else comes between.
    #[inline(always)]
    pub(super) fn touch_guess(&self, guess: usize) -> u64 {
        let frame = self.frames.get(guess).map_or(0, |frame| frame.to_bits());
        frame ^ self.segments.get(guess).map_or(0, |segment| u64::from(segment.0))
    }

    /// Reads what [`PegCurves::at_place`] will read; see [`PegCurves::touch_guess`].
    #[inline(always)]
    pub(super) fn touch(&self, place: Place) -> u64 {
        let of_key = |key: usize| {
            let key = self.key(key);
            let first = |vector: Option<DVec3>| vector.map_or(0, |v| v.x.to_bits() ^ v.z.to_bits());
            let quat = key.rot_quat.map_or(0, |q| q[0].to_bits() ^ q[3].to_bits());
            first(key.pos) ^ first(key.rot) ^ first(key.scl) ^ quat
        };
        let Place::Segment(start) = place else { return 0 };
        let ends = of_key(start) ^ of_key(start + 1);
        match self.segments[start].slot() {
            Some(slot) => ends ^ self.handled[slot].touch(),
            None => {
                let last = self.frames.len() - 1;
                ends ^ of_key(start.saturating_sub(1)) ^ of_key((start + 2).min(last))
            }
        }
    }

    /// The channels at a frame that is at this place.
    pub(super) fn at_place(&self, frame: f64, place: Place) -> RawPose {
        let start = match place {
            Place::Rest => {
                let turn = Turn::Quat(self.base.rotation);
                return self.posed(self.base.position, turn, DVec3::ONE);
            }
            Place::Key(key) => return self.at_key(key),
            Place::Segment(start) => start,
        };
        let [f0, f1] = [self.frames[start], self.frames[start + 1]];
        let u = (frame - f0) / (f1 - f0);
        let segment = self.segments[start];
        // Frames that are farther apart than numbers go make no share of anything.
        let between = u > 0.0 && u < 1.0;
        if segment.interp() == Interp::Constant || !between {
            return self.at_key(start);
        }
        if segment.interp() == Interp::Linear {
            let line = |channel| {
                let [a, b] = [start, start + 1].map(|key| self.value(key, channel));
                a + (b - a) * u
            };
            let turn = match segment.is_euler() {
                true => Turn::Euler(self.angles.degrees(line(Channel::Rot))),
                false => {
                    let [a, b] = [start, start + 1].map(|key| self.quat(key));
                    Turn::Quat(turn_at(&track::Turn::between(a, b), u))
                }
            };
            return self.posed(line(Channel::Pos), turn, line(Channel::Scl));
        }
        let (pos, scl, rot) = match segment.slot() {
            Some(slot) => self.by_handles(slot, start, segment.is_euler(), u),
            None => {
                let auto = |channel| self.automatic(start, channel, u);
                let rot = segment.is_euler().then(|| auto(Channel::Rot));
                (auto(Channel::Pos), auto(Channel::Scl), rot)
            }
        };
        let turn = match rot {
            Some(rot) => Turn::Euler(self.angles.degrees(rot)),
            None => Turn::Quat(self.automatic_quat(start, u)),
        };
        self.posed(pos, turn, scl)
    }

    #[inline]
    fn by_handles(
        &self,
        slot: usize,
        start: usize,
        euler: bool,
        u: f64,
    ) -> (DVec3, DVec3, Option<DVec3>) {
        let handled = &self.handled[slot];
        let ends = [start, start + 1];
        let [[p0, p1], [s0, s1]] =
            [Channel::Pos, Channel::Scl].map(|channel| ends.map(|key| self.value(key, channel)));
        if !euler {
            let from: [f64; 6] = [p0.x, p0.y, p0.z, s0.x, s0.y, s0.z];
            let to = [p1.x, p1.y, p1.z, s1.x, s1.y, s1.z];
            let [px, py, pz, sx, sy, sz] = handled.at(&from, &to, u);
            return (DVec3::new(px, py, pz), DVec3::new(sx, sy, sz), None);
        }
        let [r0, r1] = ends.map(|key| self.value(key, Channel::Rot));
        let from: [f64; AXES] = [p0.x, p0.y, p0.z, s0.x, s0.y, s0.z, r0.x, r0.y, r0.z];
        let to = [p1.x, p1.y, p1.z, s1.x, s1.y, s1.z, r1.x, r1.y, r1.z];
        let [px, py, pz, sx, sy, sz, rx, ry, rz] = handled.at(&from, &to, u);
        (DVec3::new(px, py, pz), DVec3::new(sx, sy, sz), Some(DVec3::new(rx, ry, rz)))
    }

    /// A channel of a BEZIER segment without handles (A13).
    fn automatic(&self, start: usize, channel: Channel, u: f64) -> DVec3 {
        let values = self.around(start, |key| self.value(key, channel).to_array());
        DVec3::from(self.hermite_around(start, values, u))
    }

    /// The rotation of a BEZIER segment that quaternions rule (A14): A13 for each component, the
    /// signs aligned, and of length 1 again.
    fn automatic_quat(&self, start: usize, u: f64) -> DQuat {
        let mut quats = self.around(start, |key| self.quat(key));
        let aligned = |quat: DQuat, to: DQuat| if quat.dot(to) < 0.0 { -quat } else { quat };
        let [before, a, b, after] = &mut quats;
        *before = aligned(*before, *a);
        *b = aligned(*b, *a);
        *after = aligned(*after, *b);
        let (from, to) = (quats[1], quats[2]);
        let blended = self.hermite_around(start, quats.map(|quat| quat.to_array()), u);
        let blended = DQuat::from_array(blended);
        let length = blended.length();
        // Half a turn apart they may cancel out.
        match length > 1e-9 && length.is_finite() {
            true => blended * (1.0 / length),
            false => turn_at(&track::Turn::between(from, to), u),
        }
    }

    /// Something of the keys before, at both ends of, and behind a segment; at the curve's ends
    /// the end's own twice.
    #[inline]
    fn around<T>(&self, start: usize, of: impl Fn(usize) -> T) -> [T; 4] {
        let last = self.frames.len() - 1;
        [start.saturating_sub(1), start, start + 1, (start + 2).min(last)].map(of)
    }

    #[inline]
    fn hermite_around<const N: usize>(
        &self,
        start: usize,
        [v0, v1, v2, v3]: [[f64; N]; 4],
        u: f64,
    ) -> [f64; N] {
        let [f0, f1, f2, f3] = self.around(start, |key| self.frames[key]);
        // At the curve's ends a secant has no length: what comes of it does not count.
        let (is_first, is_last) = (start == 0, start + 2 == self.frames.len());
        let [before, here, after] = [f1 - f0, f2 - f1, f3 - f2].map(|length| 1.0 / length);
        let [about_a, about_b] = [f2 - f0, f3 - f1].map(|length| 1.0 / length);
        std::array::from_fn(|i| {
            let left = (v1[i] - v0[i]) * before;
            let middle = (v2[i] - v1[i]) * here;
            let right = (v3[i] - v2[i]) * after;
            let a = limited((v2[i] - v0[i]) * about_a, left, middle);
            let b = limited((v3[i] - v1[i]) * about_b, middle, right);
            let slopes = [if is_first { 0.0 } else { a }, if is_last { 0.0 } else { b }];
            hermite(v1[i], v2[i], slopes, f2 - f1, u)
        })
    }

    /// Exactly what a key says. Which of its two rotations counts says the segment it begins; the
    /// last key's the one it ends.
    fn at_key(&self, key: usize) -> RawPose {
        let segment = self.segments.get(key.min(self.segments.len().saturating_sub(1)));
        let euler = match segment {
            Some(segment) => segment.is_euler(),
            None => self.turned_by(key).is_some_and(|key| key.quat().is_none()),
        };
        let turn = match euler {
            true => Turn::Euler(self.angles.degrees(self.value(key, Channel::Rot))),
            false => Turn::Quat(self.quat(key)),
        };
        self.posed(self.value(key, Channel::Pos), turn, self.value(key, Channel::Scl))
    }

    #[inline]
    fn posed(&self, pos: DVec3, turn: Turn, scl: DVec3) -> RawPose {
        let rotation = match turn {
            Turn::Quat(quat) => quat,
            Turn::Euler(degrees) => self.quat_of_degrees(degrees),
        };
        RawPose { pos, turn, rotation, scl }
    }

    fn quat_of_degrees(&self, degrees: DVec3) -> DQuat {
        let order = self.angles.order;
        let angles = Angles { order, ..Angles::default() };
        angles.quat(degrees).unwrap_or(self.base.rotation)
    }
}

/// The order of keys by frame, of several on one frame the last in the file.
fn by_frame(keys: &[Keyframe]) -> Box<[u32]> {
    let mut order: Vec<u32> = (0..keys.len() as u32).collect();
    let frame = |at: u32| keys[at as usize].frame;
    order.sort_by(|a, b| frame(*a).total_cmp(&frame(*b)));
    let mut kept: Vec<u32> = Vec::with_capacity(order.len());
    for at in order {
        match kept.last_mut() {
            Some(last) if frame(*last) == frame(at) => *last = at,
            _ => kept.push(at),
        }
    }
    kept.into()
}
