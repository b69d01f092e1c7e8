//! Tracks whose interpolation has an equal here (A53 a–c): their keys are kept.

use super::moving::Source;
use super::reduce::Curve;
use crate::math::Trs;
use crate::model::take::Channel;
use crate::model::{Interpolation, Property};
use crate::sample::take::{Shape, Space, split};
use glam::{DQuat, DVec2, DVec3};

/// Normalised curves that differ by no more are the same (A53 c).
const SAME_CURVE: f64 = 1e-4;
/// An axis that moves by no more stands still: metres, degrees, factors.
const STILL: f64 = 1e-7;
/// In linear and bezier tracks neighbouring rotation keys are nearer than this (A53).
pub(super) const TURN_LIMIT_DEG: f64 = 169.9;
/// A key that the line between its neighbours passes within this share of the tolerance says
/// nothing.
const SAYS_NOTHING: f64 = 0.002;

/// A track that plays as its source does.
#[derive(Clone, Debug)]
pub(super) struct Exact {
    pub interpolation: Interpolation,
    pub curve: Option<[f64; 4]>,
    /// Frames and poses at them.
    pub keys: Vec<(f64, Trs)>,
}

/// What one segment does.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Flat,
    Step,
    Line,
    Ease([f64; 4]),
}

/// One axis of one segment as a Bézier curve: key, handle, handle, key (frame, value).
type AxisCurve = [DVec2; 4];

struct Segment {
    ends: [f64; 2],
    poses: [Trs; 2],
    kind: Option<Kind>,
    /// How many keys' lengths it needs, so that the way round is sure (A53).
    parts: u32,
    /// The axes' curves, where the segment is one of curves.
    curves: Option<[AxisCurve; 3]>,
}

/// The track of a joint's property with the source's own keys, where its interpolation has an equal
/// that is the same everywhere (A53 b, c).
pub(super) fn exact(
    source: &Source,
    joint: usize,
    property: Property,
    tolerance: f64,
) -> Option<Exact> {
    let care = source.joints[joint].care;
    let scaled = property != Property::Position && (care.folds || care.mirrors);
    if source.rig.space() == Space::World || scaled || !source.is_keyed(joint) {
        return None;
    }
    let frames = frames(source, joint);
    let pose = |frame: f64| source.local(joint, frame);
    let mut segments = Vec::with_capacity(frames.len());
    for pair in frames.windows(2) {
        segments.push(segment(source, joint, property, [pair[0], pair[1]])?);
    }
    merge(&mut segments);
    trim(&mut segments, property);
    let kinds: Option<Vec<Kind>> = segments.iter().map(|segment| kind(segment, property)).collect();
    let kinds = kinds?;
    let moving = || kinds.iter().filter(|kind| **kind != Kind::Flat);
    let (interpolation, curve) = if moving().all(|kind| *kind == Kind::Step) {
        (Interpolation::Step, None)
    } else if moving().all(|kind| *kind == Kind::Line) {
        (Interpolation::Linear, None)
    } else {
        (Interpolation::Bezier, Some(common_curve(moving())?))
    };
    let mut keys: Vec<(f64, Trs)> = Vec::with_capacity(segments.len() + 1);
    for segment in &segments {
        keys.push((segment.ends[0], segment.poses[0]));
        let [from, to] = segment.ends;
        for at in 1..segment.parts {
            let frame = from + (to - from) * f64::from(at) / f64::from(segment.parts);
            keys.push((frame, pose(frame)));
        }
    }
    let last = segments.last().map(|s| (s.ends[1], s.poses[1]));
    keys.push(last.unwrap_or_else(|| {
        let only = frames.first().copied().unwrap_or(source.range[0]);
        (only, pose(only))
    }));
    if moving().next().is_none() {
        // One value from end to end.
        keys.truncate(1);
        return Some(Exact { interpolation: Interpolation::Linear, curve: None, keys });
    }
    let keys = match interpolation {
        Interpolation::Linear => unneeded_out(keys, property, tolerance * SAYS_NOTHING),
        Interpolation::Step => {
            let mut kept: Vec<(f64, Trs)> = Vec::with_capacity(keys.len());
            for key in keys {
                if kept.last().is_none_or(|last| !is_still(&last.1, &key.1, property)) {
                    kept.push(key);
                }
            }
            kept
        }
        _ => keys,
    };
    Some(Exact { interpolation, curve, keys })
}

/// The frames of the track's keys: those within the range, and the range's ends where keys lie
/// beyond them (A50).
fn frames(source: &Source, joint: usize) -> Vec<f64> {
    let [start, end] = source.range;
    let all = source.curves(joint).frames();
    let mut frames: Vec<f64> =
        all.iter().copied().filter(|frame| *frame >= start && *frame <= end).collect();
    if all.first().is_some_and(|first| *first < start) && frames.first() != Some(&start) {
        frames.insert(0, start);
    }
    if all.last().is_some_and(|last| *last > end) && frames.last() != Some(&end) {
        frames.push(end);
    }
    if frames.is_empty() {
        frames.push(start);
    }
    // What is rounded to one time is one key, the later one.
    let mut kept: Vec<f64> = Vec::with_capacity(frames.len());
    for frame in frames {
        match kept.last_mut() {
            Some(last) if source.time_secs(*last) >= source.time_secs(frame) => *last = frame,
            _ => kept.push(frame),
        }
    }
    kept
}

/// What happens between two neighbouring frames; `None` where it has no equal.
fn segment(source: &Source, joint: usize, property: Property, ends: [f64; 2]) -> Option<Segment> {
    let curves = source.curves(joint);
    let frames = curves.frames();
    let poses = ends.map(|frame| source.local(joint, frame));
    let behind = frames.partition_point(|frame| *frame <= ends[0]);
    let plain = |kind| Some(Segment { ends, poses, kind: Some(kind), parts: 1, curves: None });
    let still = is_still(&poses[0], &poses[1], property);
    // Before the first key, and behind the last.
    let Some(index) = behind.checked_sub(1).filter(|index| index + 1 < frames.len()) else {
        return if still { plain(Kind::Flat) } else { None };
    };
    let channel = match property {
        Property::Position => Channel::Pos,
        Property::Rotation => Channel::Rot,
        Property::Scale => Channel::Scl,
    };
    let whole = frames[index] == ends[0] && frames[index + 1] == ends[1];
    let scale_clamped = property == Property::Scale
        && source.joints[joint].rest.scale != DVec3::ZERO
        && poses.iter().any(|pose| pose.scale.min_element() <= 0.000_11);
    if scale_clamped {
        return None;
    }
    match curves.shape(index, channel) {
        Shape::Hold => plain(if still { Kind::Flat } else { Kind::Step }),
        Shape::Slerp => plain(if still { Kind::Flat } else { Kind::Line }),
        Shape::Line if channel != Channel::Rot => {
            plain(if still { Kind::Flat } else { Kind::Line })
        }
        Shape::Line => {
            let values = [0.0, 1.0].map(|share| {
                let frame = frames[index] + share * (frames[index + 1] - frames[index]);
                degrees_at(source, joint, frame, share)
            });
            let [from, to] = [values[0]?, values[1]?];
            match moving_axes(from, to) {
                0 => plain(Kind::Flat),
                1 => {
                    let whole = (ends[1] - ends[0]) / (frames[index + 1] - frames[index]);
                    let turned = (to - from).abs().max_element() * whole;
                    let parts = (turned / TURN_LIMIT_DEG).floor().min(1e6) as u32 + 1;
                    Some(Segment { ends, poses, kind: Some(Kind::Line), parts, curves: None })
                }
                _ => None,
            }
        }
        Shape::Blend => {
            // Where nothing turns it is the same in all ways.
            let middle = 0.5 * (ends[0] + ends[1]);
            let flat = still && is_still(&poses[0], &source.local(joint, middle), property);
            if flat { plain(Kind::Flat) } else { None }
        }
        Shape::Curves { x, y } if whole => {
            let [f0, f1] = ends;
            let at = |share: f64| f0 + share * (f1 - f0);
            let axes = [0, 1, 2].map(|axis| {
                [
                    DVec2::new(f0, y[0][axis]),
                    DVec2::new(at(x[0][axis]), y[1][axis]),
                    DVec2::new(at(x[1][axis]), y[2][axis]),
                    DVec2::new(f1, y[3][axis]),
                ]
            });
            Some(Segment { ends, poses, kind: None, parts: 1, curves: Some(axes) })
        }
        // A curve that the range cuts is another curve.
        Shape::Curves { .. } => None,
    }
}

/// The angles of an Euler segment at its start or end, in degrees.
fn degrees_at(source: &Source, joint: usize, frame: f64, share: f64) -> Option<DVec3> {
    // At a key the segment behind it counts: a little before the end is the same line.
    let frame = if share > 0.0 { frame - 1e-7 } else { frame };
    match source.curves(joint).at(frame).turn {
        crate::sample::take::Turn::Euler(degrees) => Some(degrees),
        crate::sample::take::Turn::Quat(_) => None,
    }
}

fn moving_axes(from: DVec3, to: DVec3) -> usize {
    (to - from).abs().to_array().iter().filter(|moved| **moved > 1e-6).count()
}

fn is_still(a: &Trs, b: &Trs, property: Property) -> bool {
    match property {
        Property::Position => (a.position - b.position).abs().max_element() <= STILL,
        Property::Scale => (a.scale - b.scale).abs().max_element() <= STILL,
        Property::Rotation => {
            let apart = (a.rotation - b.rotation).length().min((a.rotation + b.rotation).length());
            2.0 * apart <= STILL.to_radians().max(1e-9)
        }
    }
}

/// What a segment of curves is, or what was found before.
fn kind(segment: &Segment, property: Property) -> Option<Kind> {
    let Some(axes) = &segment.curves else { return segment.kind };
    let mut found: Option<[f64; 4]> = None;
    let mut moving = 0;
    for [p0, p1, p2, p3] in axes {
        let [length, rise] = [p3.x - p0.x, p3.y - p0.y];
        if rise.abs() <= STILL {
            let flat = [p1, p2].iter().all(|p| (p.y - p0.y).abs() <= STILL);
            if flat {
                continue;
            }
            return None;
        }
        moving += 1;
        if property == Property::Rotation && rise.abs() >= TURN_LIMIT_DEG {
            // Keys in between would be of another curve.
            return None;
        }
        let share = |p: &DVec2| [(p.x - p0.x) / length, (p.y - p0.y) / rise];
        let ([x1, y1], [x2, y2]) = (share(p1), share(p2));
        let curve = [x1, y1, x2, y2];
        match found {
            None => found = Some(curve),
            Some(other) if !same_curve(&curve, &other) => return None,
            Some(_) => {}
        }
    }
    if property == Property::Rotation && moving > 1 {
        return None;
    }
    let Some(curve) = found else { return Some(Kind::Flat) };
    let [x1, y1, x2, y2] = curve;
    if (x1 - y1).abs() <= SAME_CURVE && (x2 - y2).abs() <= SAME_CURVE {
        return Some(Kind::Line);
    }
    Some(Kind::Ease(curve))
}

fn same_curve(a: &[f64; 4], b: &[f64; 4]) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() <= SAME_CURVE)
}

/// The one curve of all that move, within 0–1, as it is written.
fn common_curve<'k>(kinds: impl Iterator<Item = &'k Kind>) -> Option<[f64; 4]> {
    let mut first: Option<[f64; 4]> = None;
    for kind in kinds {
        let Kind::Ease(curve) = kind else { return None };
        match &first {
            None => first = Some(*curve),
            Some(first) if same_curve(curve, first) => {}
            Some(_) => return None,
        }
    }
    let curve = first?;
    // What is a hair outside by rounding is inside.
    let inside = curve.iter().all(|c| *c >= -1e-6 && *c <= 1.0 + 1e-6);
    inside.then(|| curve.map(|c| (c.clamp(0.0, 1.0) * 1e6).round() / 1e6))
}

/// Takes out what only holds at both ends: before its first key and behind its last a track holds
/// anyway.
fn trim(segments: &mut Vec<Segment>, property: Property) {
    let flat = |segment: &Segment| kind(segment, property) == Some(Kind::Flat);
    while segments.len() > 1 && segments.last().is_some_and(flat) {
        segments.pop();
    }
    let leading = segments.iter().take_while(|segment| flat(segment)).count();
    segments.drain(..leading.min(segments.len().saturating_sub(1)));
}

/// Joins neighbours that are the two halves of one curve, as a split by de Casteljau leaves them.
fn merge(segments: &mut Vec<Segment>) {
    let mut merged: Vec<Segment> = Vec::with_capacity(segments.len());
    for segment in segments.drain(..) {
        if let Some(last) = merged.last_mut()
            && let Some(curves) = joined(last, &segment)
        {
            last.ends[1] = segment.ends[1];
            last.poses[1] = segment.poses[1];
            last.curves = Some(curves);
            continue;
        }
        merged.push(segment);
    }
    *segments = merged;
}

fn joined(a: &Segment, b: &Segment) -> Option<[AxisCurve; 3]> {
    let (a, b) = (a.curves.as_ref()?, b.curves.as_ref()?);
    let mut whole = *a;
    let mut any = false;
    for axis in 0..3 {
        let ([p0, p1, p2, p3], [_, q1, q2, q3]) = (a[axis], b[axis]);
        let points = [p1, p2, p3, q1, q2, q3];
        let size = points.iter().fold(0.0_f64, |size, p| size.max((p.y - p0.y).abs()));
        if size <= STILL {
            whole[axis] = [
                p0,
                DVec2::new(p0.x + (q3.x - p0.x) / 3.0, p0.y),
                DVec2::new(p0.x + (q3.x - p0.x) / 1.5, p0.y),
                q3,
            ];
            continue;
        }
        // The share at which a whole one was cut is that in which its handles were.
        let s = (p3.x - p2.x) / (q1.x - p2.x);
        if !(s > 0.0 && s < 1.0) {
            return None;
        }
        let [r1, r2] = [p0 + (p1 - p0) / s, q3 - (q3 - q2) / (1.0 - s)];
        let candidate = [p0, r1, r2, q3];
        let halves = split(candidate, p3.x)?;
        let near = |got: &AxisCurve, want: &AxisCurve| {
            got.iter().zip(want).all(|(got, want)| {
                (got.x - want.x).abs() <= 1e-5 * (q3.x - p0.x)
                    && (got.y - want.y).abs() <= 1e-6 * size
            })
        };
        if !(near(&halves[0], &a[axis]) && near(&halves[1], &b[axis])) {
            return None;
        }
        any = true;
        whole[axis] = candidate;
    }
    any.then_some(whole)
}

/// A linear track without the keys that say nothing.
fn unneeded_out(keys: Vec<(f64, Trs)>, property: Property, tolerance: f64) -> Vec<(f64, Trs)> {
    // By frames, as the source has them: written times are rounded.
    let times: Vec<f64> = keys.iter().map(|(frame, _)| *frame).collect();
    let (candidate, jumped) = (vec![true; keys.len()], vec![false; keys.len()]);
    let vectors = |values: &[DVec3]| {
        Curve { times: &times, values, candidate: &candidate, jumped: &jumped }.reduce(tolerance)
    };
    let kept = match property {
        Property::Position => vectors(&keys.iter().map(|k| k.1.position).collect::<Vec<_>>()),
        Property::Scale => vectors(&keys.iter().map(|k| k.1.scale).collect::<Vec<_>>()),
        Property::Rotation => {
            let values: Vec<DQuat> = keys.iter().map(|k| k.1.rotation).collect();
            let curve =
                Curve { times: &times, values: &values, candidate: &candidate, jumped: &jumped };
            curve.reduce(tolerance)
        }
    };
    kept.into_iter().map(|at| keys[at]).collect()
}
