//! One peg: its keys, one by one and each with its neighbour.

use super::curves;
use super::finding::{Finding, Num, PegFindings};
use super::rotation::{APART_DEG, FAR_APART_DEG, are_near, fitting_order, intrinsic_name};
use crate::format::codes;
use crate::math::apart_deg;
use crate::model::take::{Angles, Interp, Keyframe, Peg, Take, unit_quat};
use glam::{DQuat, DVec3};

/// |‖q‖ − 1| above this is worth a word (A2).
pub(super) const LENGTH_TOLERANCE: f64 = 1e-3;
/// From here on a scale or a distance that changes from one key to the next is a jump in size (A3).
const SIZE_JUMP: f64 = 100.0;
/// Distances below this, in metres, do not count for that: near 0 every ratio is large.
const SMALLEST_DISTANCE: f64 = 0.01;
/// The middle angle is this near to 90° where the other two turn about one axis (A3).
const GIMBAL_DEG: f64 = 89.9;
/// Frames beyond this are no film's (A3).
pub(super) const ABSURD_FRAME: f64 = 1e7;
/// Values that differ by less are the same where a peg never moves.
const STILL: f64 = 1e-9;

/// What a take says that its keys are judged by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// The written range, where it is one.
    range: Option<[f64; 2]>,
}

impl Limits {
    pub fn of(take: &Take) -> Limits {
        Limits { range: take.frame_range.filter(|[first, last]| first <= last) }
    }
}

/// Everything about one peg that needs no other.
pub(super) fn look(peg: &Peg, index: usize, limits: &Limits, angles: Angles) -> Vec<Finding> {
    let mut found = PegFindings::new(index);
    if let Some(fault) = peg.rest_rotation.and_then(quat_fault) {
        found.peg(fault.code, "rest_rotation", fault.at_rest());
    }
    if peg.keyframes.is_empty() {
        let message = "It has no keys: it stays at rest".to_owned();
        found.peg(codes::NO_KEYS, "keyframes", message);
        return found.finish();
    }
    missing(&mut found, peg);
    for (at, key) in peg.keyframes.iter().enumerate() {
        one(&mut found, key, at, angles);
    }
    let order = in_order(&mut found, peg);
    outside(&mut found, peg, limits);
    let at = |index: usize| match &order {
        Some(order) => order[index],
        None => index,
    };
    for pair in 1..peg.keyframes.len() {
        let (a, b) = (at(pair - 1), at(pair));
        neighbours(&mut found, &peg.keyframes[a], &peg.keyframes[b], b, angles);
        curves::segment(&mut found, &peg.keyframes[a], &peg.keyframes[b], a, b);
    }
    if never_moves(&peg.keyframes) {
        let keys = match peg.keyframes.len() {
            1 => "its only key holds".to_owned(),
            count => format!("its {count} keys are all the same"),
        };
        let message = format!("It never moves: {keys}");
        found.peg(codes::NEVER_MOVES, "keyframes", message);
    }
    found.finish()
}

/// Fields that every key should have (A1b), once a peg.
fn missing(found: &mut PegFindings, peg: &Peg) {
    type IsMissing = fn(&Keyframe) -> bool;
    let fields: [(&str, IsMissing, &str); 3] = [
        ("pos", |key| key.pos.is_none(), "it stays where it rests"),
        ("scl", |key| key.scl.is_none(), "it keeps its size"),
        ("interp", |key| key.interp.is_none(), "BEZIER is taken"),
    ];
    let count = peg.keyframes.len();
    for (field, is_missing, then) in fields {
        let Some(first) = peg.keyframes.iter().position(is_missing) else { continue };
        let missing = peg.keyframes.iter().filter(|key| is_missing(key)).count();
        found.key(codes::MISSING_FIELD, first, field, || match missing {
            1 => format!("`{field}` is missing: {then}"),
            _ => format!("`{field}` is missing in {missing} of {count} keys: {then} there"),
        });
    }
}

/// A quaternion that is none, or not of length 1.
pub(super) struct QuatFault {
    pub code: &'static str,
    length: f64,
}

impl QuatFault {
    fn at_key(&self, has_rot: bool) -> String {
        match (self.code == codes::QUATERNION_ZERO, has_rot) {
            (true, true) => "`rot_quat` is no rotation (its length is 0): conversion refuses it \
                             unless told to use `rot`, which is shown here"
                .to_owned(),
            (true, false) => "`rot_quat` is no rotation (its length is 0): conversion refuses it, \
                              and the key before is shown here"
                .to_owned(),
            (false, _) => format!(
                "`rot_quat` has the length {:.6}, not 1: the normalised one is used",
                Num(self.length)
            ),
        }
    }

    pub fn at_rest(&self) -> String {
        match self.code == codes::QUATERNION_ZERO {
            true => "The rest rotation is none (its length is 0): conversion refuses it, and no \
                     rotation is shown"
                .to_owned(),
            false => format!(
                "The rest rotation has the length {:.6}, not 1: the normalised one is used",
                Num(self.length)
            ),
        }
    }
}

pub(super) fn quat_fault(wxyz: [f64; 4]) -> Option<QuatFault> {
    let square: f64 = wxyz.iter().map(|c| c * c).sum();
    // Nearly all are well within.
    if (square - 1.0).abs() <= LENGTH_TOLERANCE {
        return None;
    }
    let length = square.sqrt();
    if unit_quat(wxyz).is_none() {
        return Some(QuatFault { code: codes::QUATERNION_ZERO, length });
    }
    ((length - 1.0).abs() > LENGTH_TOLERANCE)
        .then_some(QuatFault { code: codes::QUATERNION_LENGTH, length })
}

/// One key by itself.
fn one(found: &mut PegFindings, key: &Keyframe, at: usize, angles: Angles) {
    let frame = key.frame;
    if !frame.is_finite() || frame.abs() > ABSURD_FRAME {
        found.key(codes::ODD_FRAME, at, "frame", || {
            format!("Frame {frame:e} is no frame of a film: times there lose their digits")
        });
    }
    if let Some(fault) = key.rot_quat.and_then(quat_fault) {
        found.key(fault.code, at, "rot_quat", || fault.at_key(key.rot.is_some()));
    }
    let quat = key.quat();
    // What conversion could use: a quaternion that is none is reported as that.
    if key.rot_quat.is_none() && (key.rot.is_none() || !angles.count()) {
        found.key(codes::NO_ROTATION, at, "", || match key.rot.is_some() {
            true => "Neither `rot_quat` nor a `rot` that counts (`rot_repr_anim` is quat_wxyz): \
                     conversion refuses this key, and the one before is shown here"
                .to_owned(),
            false => "Neither `rot_quat` nor `rot`: conversion refuses this key, and the one \
                      before is shown here"
                .to_owned(),
        });
    }
    if let Some(rot) = key.rot {
        if let (Some(quat), Some(own)) = (quat, angles.quat(rot)) {
            agreement(found, at, angles, rot, own, quat);
        }
        if angles.count() {
            let degrees = angles.degrees(rot);
            let middle = degrees[angles.order.axes()[1]];
            // 270 and −450 are poles as well.
            let from_pole = ((middle - 90.0).rem_euclid(180.0) - 90.0).abs();
            if from_pole >= GIMBAL_DEG {
                let axis = ["x", "y", "z"][angles.order.axes()[1]];
                let middle = Num(middle);
                found.key(codes::GIMBAL, at, "rot", || {
                    format!(
                        "Gimbal lock: {axis} is {middle:.3}°, where the other two angles turn \
                         about one axis; curves of single angles mean little here"
                    )
                });
            }
        }
    }
    if let Some(scale) = key.scl
        && scale.min_element() <= 0.0
    {
        scale_sign(found, at, scale);
    }
    if key.interp == Some(Interp::Unknown) {
        found.key(codes::UNKNOWN_INTERP, at, "interp", || {
            "`interp` is none of BEZIER, LINEAR, CONSTANT: BEZIER is taken".to_owned()
        });
    }
}

fn agreement(
    found: &mut PegFindings,
    at: usize,
    angles: Angles,
    rot: DVec3,
    own: DQuat,
    quat: DQuat,
) {
    if are_near(own, quat) {
        return;
    }
    let apart = apart_deg(own, quat);
    if apart <= APART_DEG {
        return;
    }
    let code = match apart > FAR_APART_DEG {
        true => codes::ROTATIONS_FAR_APART,
        false => codes::ROTATIONS_APART,
    };
    found.key(code, at, "rot", || {
        let radians = angles.degrees(rot) * 1_f64.to_radians();
        let fits = match fitting_order(radians, quat, angles.order) {
            Some(order) => {
                let word = crate::model::take::Word::as_str(order);
                let name = intrinsic_name(order);
                format!("; `rot` fits in another order of its axes, intrinsic {name} ({word})")
            }
            None => String::new(),
        };
        format!(
            "`rot` and `rot_quat` are {apart:.6}° apart{fits}: `rot_quat` is what plays, and who \
             reads the angles sees something else"
        )
    });
}

/// A scale of 0 or less (A52).
fn scale_sign(found: &mut PegFindings, at: usize, scale: DVec3) {
    let negative = scale.to_array().iter().filter(|x| **x < 0.0).count();
    let [x, y, z] = scale.to_array().map(Num);
    match negative {
        1 | 3 => found.key(codes::SCALE_MIRRORED, at, "scl", || {
            format!(
                "The scale ({x}, {y}, {z}) mirrors: conversion refuses it unless told to take it \
                 without its sign"
            )
        }),
        2 => found.key(codes::SCALE_SIGN, at, "scl", || {
            format!(
                "The scale ({x}, {y}, {z}) has two negative factors: conversion makes them half a \
                 turn about the third axis"
            )
        }),
        _ => found.key(codes::SCALE_SIGN, at, "scl", || {
            format!("The scale ({x}, {y}, {z}) is flat: conversion makes 0 into 0.0001")
        }),
    }
}

/// Says of keys out of order and of two on one frame; gives the order by frame where that is not
/// the file's.
fn in_order(found: &mut PegFindings, peg: &Peg) -> Option<Vec<usize>> {
    let keys = &peg.keyframes;
    let mut latest = f64::NEG_INFINITY;
    let mut sorted = true;
    for (at, key) in keys.iter().enumerate() {
        if key.frame < latest {
            sorted = false;
            found.key(codes::KEY_ORDER, at, "frame", || {
                format!(
                    "Frame {} stands behind frame {}: keys are sorted before anything is done \
                     with them",
                    Num(key.frame),
                    Num(latest)
                )
            });
        } else {
            latest = key.frame;
        }
    }
    let order = (!sorted).then(|| {
        let mut order: Vec<usize> = (0..keys.len()).collect();
        order.sort_by(|a, b| keys[*a].frame.total_cmp(&keys[*b].frame));
        order
    });
    let at = |index: usize| order.as_ref().map_or(index, |order| order[index]);
    for pair in 1..keys.len() {
        let (a, b) = (at(pair - 1), at(pair));
        if keys[a].frame == keys[b].frame {
            found.key(codes::KEY_TWICE, b, "frame", || {
                let frame = Num(keys[b].frame);
                format!("Two keys stand on frame {frame}: the last one in the file wins")
            });
        }
    }
    order
}

/// Keys outside the written range, once a peg.
fn outside(found: &mut PegFindings, peg: &Peg, limits: &Limits) {
    let Some([first, last]) = limits.range else { return };
    let is_outside = |key: &Keyframe| !(key.frame >= first && key.frame <= last);
    let Some(at) = peg.keyframes.iter().position(is_outside) else { return };
    let count = peg.keyframes.iter().filter(|key| is_outside(key)).count();
    let frame = Num(peg.keyframes[at].frame);
    let (first, last) = (Num(first), Num(last));
    found.key(codes::KEY_OUTSIDE, at, "frame", || {
        let what = match count {
            1 => format!("A key on frame {frame} lies"),
            _ => format!("{count} keys, the first on frame {frame}, lie"),
        };
        format!(
            "{what} outside the range {first}–{last}: a clip ends there, with keys that are put \
             at its ends"
        )
    });
}

/// A key and the one before it.
fn neighbours(found: &mut PegFindings, a: &Keyframe, b: &Keyframe, at: usize, angles: Angles) {
    let quats = a.quat().zip(b.quat());
    if let Some((from, to)) = quats
        && from.dot(to) < 0.0
    {
        found.key(codes::HEMISPHERE, at, "rot_quat", || {
            format!(
                "The quaternion is in the opposite hemisphere of that on frame {}: signs are \
                 aligned before blending, but a program that does not do so takes the long way",
                Num(a.frame)
            )
        });
    }
    let degrees =
        |key: &Keyframe| key.rot.filter(|_| angles.count()).map(|rot| angles.degrees(rot));
    if let Some((from, to)) = degrees(a).zip(degrees(b)) {
        let moved = (to - from).abs();
        if moved.max_element() >= 180.0 {
            turns(found, a, at, from, to, quats);
        }
    }
    if let Some((from, to)) = a.scl.zip(b.scl) {
        size_jump(found, a, at, from, to);
    }
    if let Some((from, to)) = a.pos.zip(b.pos) {
        let (from, to) = (from.length(), to.length());
        let (small, large) = (from.min(to), from.max(to));
        if large >= SIZE_JUMP * small && small >= SMALLEST_DISTANCE && large.is_finite() {
            found.key(codes::SIZE_JUMP, at, "pos", || {
                let (from, to) = (Num(from), Num(to));
                format!(
                    "The distance from the parent goes from {from:.4} on frame {} to {to:.4}: is \
                     this another unit?",
                    Num(a.frame)
                )
            });
        }
    }
}

/// An angle that moves by half a turn or more between neighbours.
fn turns(
    found: &mut PegFindings,
    a: &Keyframe,
    at: usize,
    from: DVec3,
    to: DVec3,
    quats: Option<(DQuat, DQuat)>,
) {
    let moved = (to - from).abs();
    for axis in 0..3 {
        if moved[axis] < 180.0 {
            continue;
        }
        let name = ["x", "y", "z"][axis];
        let (before, after) = (from[axis], to[axis]);
        let turned = quats.map(|(from, to)| apart_deg(from, to));
        let beyond = moved[axis] >= 360.0 || before.abs() > 180.0 || after.abs() > 180.0;
        if let Some(turned) = turned.filter(|turned| beyond && *turned < moved[axis] - APART_DEG) {
            found.key(codes::SPIN_LOST, at, "rot", || {
                let (before, after) = (Num(before), Num(after));
                format!(
                    "A spin is lost: {name} goes from {before:.3}° on frame {} to {after:.3}°, but \
                     the quaternions, which play, turn {turned:.3}°",
                    Num(a.frame)
                )
            });
        } else {
            found.key(codes::EULER_JUMP, at, "rot", || {
                let (before, after) = (Num(before), Num(after));
                format!(
                    "{name} jumps from {before:.3}° on frame {} to {after:.3}°: a curve through \
                     the angles spins here",
                    Num(a.frame)
                )
            });
        }
    }
}

fn size_jump(found: &mut PegFindings, a: &Keyframe, at: usize, from: DVec3, to: DVec3) {
    for axis in 0..3 {
        let (before, after) = (from[axis].abs(), to[axis].abs());
        let (small, large) = (before.min(after), before.max(after));
        if small > 0.0 && large >= SIZE_JUMP * small {
            found.key(codes::SIZE_JUMP, at, "scl", || {
                let name = ["x", "y", "z"][axis];
                format!(
                    "The scale in {name} goes from {} on frame {} to {}: is this another unit?",
                    Num(before),
                    Num(a.frame),
                    Num(after)
                )
            });
            return;
        }
    }
}

/// Whether all keys hold the same values, quaternions of either sign alike.
fn never_moves(keys: &[Keyframe]) -> bool {
    let Some((first, rest)) = keys.split_first() else { return true };
    let near = |a: Option<DVec3>, b: Option<DVec3>| match (a, b) {
        (Some(a), Some(b)) => (a - b).abs().max_element() <= STILL,
        (a, b) => a.is_none() && b.is_none(),
    };
    let turned = |key: &Keyframe| match (first.quat(), key.quat()) {
        (Some(a), Some(b)) => 1.0 - a.dot(b).abs() > STILL,
        (None, None) => !near(first.rot, key.rot),
        _ => true,
    };
    rest.iter().all(|key| near(first.pos, key.pos) && near(first.scl, key.scl) && !turned(key))
}
