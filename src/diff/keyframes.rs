//! How the keys of two pegs differ.

use super::report::{Change, Clock, KeyChange, KeysChange, Tolerances};
use super::times::{SAME_TIME, pair_keys};
use crate::format::{Holder, unknown_values};
use crate::math::{Basis, apart_deg};
use crate::model::Origin;
use crate::model::take::{Angles, AxisHandles, Channel, Interp, Keyframe, Peg, RotationForm, Take};
use crate::sample::take::{Space, shown_basis};
use glam::{DQuat, DVec2, DVec3};

/// What the numbers of a take mean.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meaning {
    pub basis: Basis,
    pub angles: Angles,
    /// What they are relative to, where that is known; only for what keys leave out (A1b).
    pub space: Option<Space>,
}

impl Meaning {
    pub fn of(take: &Take, space: Option<Space>) -> Meaning {
        let system = take.header.coordinate_system.as_ref();
        Meaning { basis: shown_basis(system), angles: Angles::of(system), space }
    }

    fn point(&self, p: DVec3) -> DVec3 {
        if self.basis.is_canonical() { p } else { self.basis.point(p) }
    }

    fn rotation(&self, q: DQuat) -> DQuat {
        if self.basis.is_canonical() { q } else { self.basis.rotation(q) }
    }

    /// The angles of `rot` in degrees, where they are angles.
    fn degrees(&self, key: &Keyframe) -> Option<DVec3> {
        key.rot.filter(|_| self.angles.count()).map(|rot| self.angles.degrees(rot))
    }
}

/// A peg with what its numbers mean.
#[derive(Clone, Copy)]
pub(super) struct Keyed<'a> {
    pub peg: &'a Peg,
    pub meaning: &'a Meaning,
}

/// The numbers of a key in metres, Y up, right-handed.
#[derive(Clone, Copy, Debug)]
struct Values {
    pos: DVec3,
    /// The rotation that counts: `rot_quat`, else `rot` (A2).
    rotation: DQuat,
    scl: DVec3,
}

impl Keyed<'_> {
    fn values(&self, key: &Keyframe) -> Values {
        let delta = self.meaning.space == Some(Space::Delta);
        let pos = key.pos.unwrap_or_else(|| match delta {
            true => DVec3::ZERO,
            false => self.peg.rest_pivot(),
        });
        let from_angles = || self.meaning.angles.quat(key.rot?);
        let rotation = key.quat().or_else(from_angles).unwrap_or_else(|| match delta {
            true => DQuat::IDENTITY,
            false => self.peg.rest_rotation(),
        });
        Values {
            pos: self.meaning.point(pos),
            rotation: self.meaning.rotation(rotation),
            scl: self.meaning.basis.scale(key.scl.unwrap_or(DVec3::ONE)),
        }
    }
}

/// The keys of a peg in both documents, compared; `None` where they are the same.
pub(super) fn keys(a: Keyed, b: Keyed, tolerances: &Tolerances) -> Option<Change> {
    let both = Both { a, b, tolerances, alike: alike(a.meaning, b.meaning) };
    let frames = |peg: &Peg| peg.keyframes.iter().map(|key| key.frame).collect::<Vec<_>>();
    let (frames_a, frames_b) = (frames(a.peg), frames(b.peg));
    let same = |i: usize, j: usize| {
        let (ka, kb) = (&a.peg.keyframes[i], &b.peg.keyframes[j]);
        both.same_numbers(ka, kb) || both.values(ka, kb) == ([0.0; 3], 0.0)
    };
    let mut changes = Vec::new();
    for (i, j) in pair_keys(&frames_a, &frames_b, &same) {
        let key = |peg: &'_ Peg, at: Option<u32>| {
            at.map(|at| at as usize).filter(|at| *at < peg.keyframes.len())
        };
        let ka = key(a.peg, i).map(|at| &a.peg.keyframes[at]);
        let kb = key(b.peg, j).map(|at| &b.peg.keyframes[at]);
        let change = match (ka, kb) {
            (Some(ka), Some(kb)) => both.key(ka, kb),
            (Some(only), None) | (None, Some(only)) => {
                Some(KeyChange { at: only.frame, ..KeyChange::default() })
            }
            (None, None) => None,
        };
        changes.extend(change.map(|change| KeyChange { a: i, b: j, ..change }));
    }
    if changes.is_empty() {
        return None;
    }
    changes.shrink_to_fit();
    Some(Change::Keys(Box::new(KeysChange { clock: Clock::Frames, keys: changes })))
}

/// Whether equal numbers mean the same.
fn alike(a: &Meaning, b: &Meaning) -> bool {
    a.basis == b.basis && a.angles == b.angles
}

struct Both<'a> {
    a: Keyed<'a>,
    b: Keyed<'a>,
    tolerances: &'a Tolerances,
    alike: bool,
}

impl Both<'_> {
    /// Whether two keys hold the very same numbers, with the same meaning.
    fn same_numbers(&self, a: &Keyframe, b: &Keyframe) -> bool {
        let whole =
            a.pos.is_some() && a.rot.or(b.rot).or(a.rot_quat.map(|_| DVec3::ZERO)).is_some();
        self.alike
            && (whole || self.a.meaning.space == self.b.meaning.space)
            && a.pos == b.pos
            && a.rot == b.rot
            && a.rot_quat == b.rot_quat
            && a.scl == b.scl
            && (whole || self.a.peg.rest_pivot == self.b.peg.rest_pivot)
    }

    /// By how much the values of two keys differ: position, rotation, scale; and the angles where
    /// they count. What is within the tolerance is 0.
    fn values(&self, a: &Keyframe, b: &Keyframe) -> ([f64; 3], f64) {
        let (va, vb) = (self.a.values(a), self.b.values(b));
        let apart = [
            va.pos.distance(vb.pos),
            apart_deg(va.rotation, vb.rotation),
            (va.scl - vb.scl).abs().max_element(),
        ];
        let mut by = [0.0; 3];
        for ((by, apart), channel) in by.iter_mut().zip(apart).zip(Channel::ALL) {
            if self.tolerances.beyond(channel, apart) {
                *by = apart;
            }
        }
        // What both leave out rests in both, whatever the rest is: that is the rest's difference.
        if a.pos.is_none() && b.pos.is_none() {
            by[0] = 0.0;
        }
        let turns = |key: &Keyframe| key.rot.is_some() || key.rot_quat.is_some();
        if !turns(a) && !turns(b) {
            by[1] = 0.0;
        }
        let angles = if by[1] == 0.0 { self.angles(a, b) } else { 0.0 };
        (by, angles)
    }

    /// By how much the angles differ where the rotation that counts does not: the curves between
    /// keys follow them where no quaternion stands there (A14). Where one does, they are there to
    /// be read, and only what they mean counts.
    fn angles(&self, a: &Keyframe, b: &Keyframe) -> f64 {
        let (Some(da), Some(db)) = (self.a.meaning.degrees(a), self.b.meaning.degrees(b)) else {
            return 0.0;
        };
        if da == db && self.alike {
            return 0.0;
        }
        let [qa, qb] = [(self.a, da), (self.b, db)].map(|(side, degrees)| {
            let order = side.meaning.angles.order;
            let angles = Angles { order, form: RotationForm::EulerDeg };
            angles.quat(degrees).map(|q| side.meaning.rotation(q))
        });
        let (Some(qa), Some(qb)) = (qa, qb) else { return 0.0 };
        let same_order = self.a.meaning.angles.order == self.b.meaning.angles.order
            && self.a.meaning.basis.axes == self.b.meaning.basis.axes;
        let rules = a.rot_quat.is_none() && b.rot_quat.is_none() && same_order;
        let apart = match rules {
            true => (da - db).abs().max_element(),
            false => apart_deg(qa, qb),
        };
        if self.tolerances.beyond(Channel::Rot, apart) { apart } else { 0.0 }
    }

    fn key(&self, a: &Keyframe, b: &Keyframe) -> Option<KeyChange> {
        let mut change = KeyChange { at: a.frame, ..KeyChange::default() };
        if (b.frame - a.frame).abs() > SAME_TIME {
            change.moved = b.frame - a.frame;
        }
        if !self.same_numbers(a, b) {
            (change.by, change.angles_deg) = self.values(a, b);
        }
        if a.interp() != b.interp() || interp_word(a) != interp_word(b) {
            change.interp = Some([a.interp.unwrap_or(a.interp()), b.interp.unwrap_or(b.interp())]);
        }
        if a.handles.is_some() || b.handles.is_some() {
            for (at, channel) in Channel::ALL.into_iter().enumerate() {
                (change.handle_by[at], change.handle_frames[at]) = self.handles(a, b, channel);
            }
        }
        change.unknown = unknown_differs(&a.origin, &b.origin, Holder::Keyframe);
        let same = KeyChange { at: change.at, ..KeyChange::default() };
        (change != same).then_some(change)
    }

    /// By how much the handles of a channel differ: in the channel's unit, and in frames. A handle
    /// that kept its place, or its place beside its key, is the same.
    fn handles(&self, a: &Keyframe, b: &Keyframe, channel: Channel) -> (f64, f64) {
        let (ha, hb) = (a.channel_handles(channel), b.channel_handles(channel));
        if ha == hb && a.frame == b.frame && self.alike {
            return (0.0, 0.0);
        }
        let none = [None; 3];
        let (ha, hb) = (ha.unwrap_or(&none), hb.unwrap_or(&none));
        let unit = |side: &Keyed| match channel {
            Channel::Pos => side.meaning.basis.meters,
            Channel::Rot => side.meaning.angles.degrees(DVec3::ONE).x,
            Channel::Scl => 1.0,
        };
        let (unit_a, unit_b) = (unit(&self.a), unit(&self.b));
        let at_a = a.channel(channel).unwrap_or(DVec3::ZERO) * unit_a;
        let at_b = b.channel(channel).unwrap_or(DVec3::ZERO) * unit_b;
        let (mut by, mut frames) = (0.0_f64, 0.0_f64);
        for axis in 0..3 {
            let (ha, hb) = match (ha[axis], hb[axis]) {
                (None, None) => continue,
                (Some(ha), Some(hb)) => (ha, hb),
                _ => return (f64::INFINITY, 0.0),
            };
            for side in [|h: AxisHandles| h.left, |h: AxisHandles| h.right] {
                let (pa, pb): (DVec2, DVec2) = (side(ha), side(hb));
                let x = nearer(pa.x, pb.x, a.frame, b.frame);
                let y = nearer(pa.y * unit_a, pb.y * unit_b, at_a[axis], at_b[axis]);
                frames = frames.max(x);
                by = by.max(y);
            }
        }
        let by = if self.tolerances.beyond(channel, by) { by } else { 0.0 };
        // A frame is not known better than the value over it.
        let frames = if frames > SAME_FRAME_OF_HANDLE { frames } else { 0.0 };
        (by, frames)
    }
}

/// Handles that are no further apart in frames stand at the same one.
const SAME_FRAME_OF_HANDLE: f64 = 1e-4;

/// How far two numbers are apart: by themselves, or each beside its own anchor.
fn nearer(a: f64, b: f64, anchor_a: f64, anchor_b: f64) -> f64 {
    let beside = (a - anchor_a) - (b - anchor_b);
    (a - b).abs().min(beside.abs())
}

/// The word of an interpolation that nobody knows.
fn interp_word(key: &Keyframe) -> Option<&str> {
    let origin = key.origin.as_ref().filter(|_| key.interp == Some(Interp::Unknown))?;
    let span = origin.source.field_span(origin.node, "interp")?;
    origin.source.text().get(span)
}

/// Whether the fields that nobody knows differ between two elements, by the texts they were read
/// from.
pub(super) fn unknown_differs(a: &Option<Origin>, b: &Option<Origin>, holder: Holder) -> bool {
    if let (Some(a), Some(b)) = (a, b)
        && a.source.raw(a.node) == b.source.raw(b.node)
        // What an alias stands for need not be the same in both.
        && !a.source.has_anchors()
    {
        return false;
    }
    let values = |origin: &Option<Origin>| match origin {
        Some(origin) => unknown_values(&origin.source, origin.node, holder),
        None => Vec::new(),
    };
    values(a) != values(b)
}

/// The fields that nobody knows and that differ between two elements.
pub(super) fn unknown(
    a: &Option<Origin>,
    b: &Option<Origin>,
    holder: Holder,
    changes: &mut Vec<Change>,
) {
    let values = |origin: &Option<Origin>| match origin {
        Some(origin) => unknown_values(&origin.source, origin.node, holder),
        None => Vec::new(),
    };
    unknown_pairs(values(a), values(b), changes);
}

/// Those of two sorted lists of names and values that differ.
pub(super) fn unknown_pairs(
    a: Vec<(String, String)>,
    b: Vec<(String, String)>,
    changes: &mut Vec<Change>,
) {
    let (mut a, mut b) = (a.into_iter().peekable(), b.into_iter().peekable());
    loop {
        let order = match (a.peek(), b.peek()) {
            (None, None) => return,
            (Some(_), None) => std::cmp::Ordering::Less,
            (None, Some(_)) => std::cmp::Ordering::Greater,
            (Some(x), Some(y)) => x.0.cmp(&y.0),
        };
        let from = if order.is_le() { a.next() } else { None };
        let to = if order.is_ge() { b.next() } else { None };
        let path = from.as_ref().or(to.as_ref()).map(|(path, _)| path.clone());
        let (from, to) = (from.map(|f| f.1), to.map(|t| t.1));
        if let Some(path) = path.filter(|_| from != to) {
            changes.push(Change::Unknown { path, from, to });
        }
    }
}
