//! One part's tracks to keys of an `.anm` (A56, A57).

use crate::math::{Trs, continuous_euler, euler_from_quat, quat_from_euler};
use crate::model::take::{AxisHandles, Channel, Handles, Interp, Keyframe};
use crate::model::{Interpolation, Property, Track, Uids};
use crate::sample::take::split;
use crate::sample::{Clip, TrackValue, ease};
use glam::{DQuat, DVec2, DVec3};

/// The same curve as `smooth`.
const SMOOTH: [f64; 4] = [1.0 / 3.0, 0.0, 2.0 / 3.0, 1.0];
/// An angle that moves by no more, in radians, stands still.
const STILL_RAD: f64 = 1e-9;
/// Times nearer than this are one.
const SAME_SECS: f64 = 1e-9;

/// One part of a clip, and how its times become frames.
pub(super) struct Part<'a> {
    pub clip: &'a Clip,
    pub id: &'a str,
    pub rest: Trs,
    /// As the rig says it, radians.
    pub rest_angles: DVec3,
    /// Position, rotation, scale.
    pub tracks: [Option<&'a Track>; 3],
    /// Whether angles blend one by one (a model clip's).
    pub by_angles: bool,
    pub fps: f64,
    pub start: f64,
}

/// The frame of a clip's time: whole where the time is a whole one's, written with 6 decimals.
pub(super) fn frame_of(time_secs: f64, start: f64, fps: f64) -> f64 {
    let frame = start + time_secs * fps;
    let whole = frame.round();
    match (frame - whole).abs() <= 0.55e-6 * fps + 1e-9 {
        true => whole + 0.0,
        false => (frame * 1e9).round() / 1e9,
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Knot {
    time: f64,
    frame: f64,
    /// Everything holds until the next one: the last moment before a jump.
    holds: bool,
}

/// What one property does between two knots.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Piece {
    Flat,
    Step,
    Line,
    /// Part of the curve between this track's keys `key` and `key + 1`.
    Ease {
        key: usize,
        curve: [f64; 4],
    },
}

impl Piece {
    fn moves(self) -> bool {
        self != Piece::Flat
    }
}

struct Segment {
    pieces: [Piece; 3],
    interp: Interp,
    /// About how many axes it turns, as Euler angles see it.
    axes: usize,
    /// Euler curves shall rule the rotation.
    euler: bool,
    /// It is baked.
    baked: bool,
}

/// What a part became.
pub(super) struct Baked {
    pub keys: Vec<Keyframe>,
    /// Which properties were sampled.
    pub baked: [bool; 3],
}

impl Part<'_> {
    /// The keys; what is baked has one every `step` frames.
    pub fn keys(&self, step: f64, uids: &mut Uids) -> Baked {
        let mut knots = self.knots();
        self.before_jumps(&mut knots);
        let mut baked = [false; 3];
        self.bake(&mut knots, step, &mut baked);
        self.part_turns(&mut knots, step);
        let segments = self.segments(&knots, step);
        Baked { keys: self.written(&knots, &segments, uids), baked }
    }

    fn knot(&self, time: f64) -> Knot {
        Knot { time, frame: frame_of(time, self.start, self.fps), holds: false }
    }

    /// The union of the tracks' key times.
    fn knots(&self) -> Vec<Knot> {
        let tracks = self.tracks.iter().flatten();
        let mut times: Vec<f64> =
            tracks.flat_map(|track| track.keys.iter().map(|key| key.time)).collect();
        times.sort_by(f64::total_cmp);
        if times.is_empty() {
            times.push(0.0);
        }
        let mut knots: Vec<Knot> = Vec::with_capacity(times.len());
        for time in times {
            let knot = self.knot(time);
            if knots.last().is_none_or(|last| last.frame < knot.frame) {
                knots.push(knot);
            }
        }
        knots
    }

    /// Where something jumps while something else moves: a key right before the jump.
    fn before_jumps(&self, knots: &mut Vec<Knot>) {
        let mut out: Vec<Knot> = Vec::with_capacity(knots.len());
        for knot in knots.drain(..) {
            if let Some(last) = out.last().copied() {
                let pieces = self.pieces(&last, &knot);
                let jumps = pieces.contains(&Piece::Step);
                let moves = pieces.iter().any(|p| p.moves() && *p != Piece::Step);
                let frame = knot.frame - super::JUMP_SECS * self.fps;
                if jumps && moves && frame > last.frame {
                    out.push(Knot { time: knot.time - super::JUMP_SECS, frame, holds: true });
                }
            }
            out.push(knot);
        }
        *knots = out;
    }

    fn pieces(&self, a: &Knot, b: &Knot) -> [Piece; 3] {
        if a.holds {
            let step =
                |track: &Option<&Track>| if track.is_some() { Piece::Step } else { Piece::Flat };
            return [0, 1, 2].map(|property| step(&self.tracks[property]));
        }
        Property::ALL.map(|property| self.piece(property, a.time, b.time))
    }

    fn piece(&self, property: Property, from: f64, to: f64) -> Piece {
        let Some(track) = self.tracks[property as usize] else { return Piece::Flat };
        let middle = 0.5 * (from + to);
        let behind = track.keys.partition_point(|key| key.time <= middle);
        let Some(key) = behind.checked_sub(1).filter(|key| key + 1 < track.keys.len()) else {
            return Piece::Flat;
        };
        let [a, b] = [&track.keys[key], &track.keys[key + 1]];
        let still = a.value == b.value;
        match track.interpolation {
            _ if still => Piece::Flat,
            Interpolation::Step if to >= b.time - SAME_SECS => Piece::Step,
            Interpolation::Step => Piece::Flat,
            Interpolation::Linear => Piece::Line,
            Interpolation::Smooth => Piece::Ease { key, curve: SMOOTH },
            Interpolation::Bezier => Piece::Ease { key, curve: track.curve() },
        }
    }

    /// The angles of a rotation track's key and of the next one, in radians, as near as can be.
    fn turn(&self, track: &Track, key: usize, near: Option<DVec3>) -> [DVec3; 2] {
        let [a, b] = [track.keys[key].value, track.keys[key + 1].value];
        if self.by_angles {
            return [a, b];
        }
        let a = near.map_or(a, |near| continuous_euler(a, near));
        [a, continuous_euler(b, a)]
    }

    /// About how many axes the rotation turns between two knots.
    fn axes(&self, piece: Piece, from: f64, to: f64) -> usize {
        let Some(track) =
            self.tracks[1].filter(|_| matches!(piece, Piece::Line | Piece::Ease { .. }))
        else {
            return 0;
        };
        let middle = 0.5 * (from + to);
        let behind = track.keys.partition_point(|key| key.time <= middle);
        let Some(key) = behind.checked_sub(1).filter(|key| key + 1 < track.keys.len()) else {
            return 0;
        };
        let [a, b] = self.turn(track, key, None);
        (b - a).abs().to_array().iter().filter(|moved| **moved > STILL_RAD).count()
    }

    fn segment(&self, a: &Knot, b: &Knot, step: f64) -> Segment {
        let pieces = self.pieces(a, b);
        let axes = self.axes(pieces[1], a.time, b.time);
        let moving = || pieces.iter().filter(|piece| piece.moves());
        let many = axes > 1;
        let interp = if moving().next().is_none() {
            Interp::Linear
        } else if moving().all(|piece| *piece == Piece::Step) {
            Interp::Constant
        } else if moving().all(|piece| *piece == Piece::Line) && !(many && self.by_angles) {
            Interp::Linear
        } else {
            Interp::Bezier
        };
        let unsplit = [0, 2].into_iter().any(|property| {
            matches!(pieces[property], Piece::Ease { .. })
                && self.curve(property, pieces[property], 0, a, b, None).is_none()
        });
        let turns = axes == 1
            && matches!(pieces[1], Piece::Ease { .. })
            && self.curve(1, pieces[1], 0, a, b, None).is_none();
        let is_long = b.frame - a.frame > step + 1e-6;
        let baked = interp == Interp::Bezier && is_long && (many || unsplit || turns);
        let euler = axes == 1 && (interp == Interp::Bezier || self.by_angles);
        Segment { pieces, interp, axes, euler, baked }
    }

    fn segments(&self, knots: &[Knot], step: f64) -> Vec<Segment> {
        knots.windows(2).map(|pair| self.segment(&pair[0], &pair[1], step)).collect()
    }

    /// Knots on every frame (or part of one) where keys alone do not say it.
    fn bake(&self, knots: &mut Vec<Knot>, step: f64, baked: &mut [bool; 3]) {
        let mut out: Vec<Knot> = Vec::with_capacity(knots.len());
        for knot in knots.drain(..) {
            if let Some(last) = out.last().copied() {
                let segment = self.segment(&last, &knot, step);
                if segment.baked {
                    baked[1] |= segment.axes > 1;
                    for property in [0, 2] {
                        let piece = segment.pieces[property];
                        baked[property] |= matches!(piece, Piece::Ease { .. })
                            && self.curve(property, piece, 0, &last, &knot, None).is_none();
                    }
                    let mut count = ((last.frame - self.start) / step).floor() + 1.0;
                    loop {
                        let frame = self.start + count * step;
                        if frame >= knot.frame - 1e-4 {
                            break;
                        }
                        if frame > last.frame + 1e-4 {
                            let time = (frame - self.start) / self.fps;
                            out.push(Knot { time, frame, holds: false });
                        }
                        count += 1.0;
                    }
                }
            }
            out.push(knot);
        }
        *knots = out;
    }

    /// A key in the middle of what turns about several axes between two keys that have handles for
    /// their angles: otherwise those would rule there too (A14).
    fn part_turns(&self, knots: &mut Vec<Knot>, step: f64) {
        let segments = self.segments(knots, step);
        let has = |key: usize| {
            let left = key.checked_sub(1).and_then(|left| segments.get(left));
            [left, segments.get(key)].into_iter().flatten().any(|segment| segment.euler)
        };
        let parted: Vec<usize> = (0..segments.len())
            .filter(|at| segments[*at].axes > 1 && has(*at) && has(*at + 1))
            .collect();
        for at in parted.into_iter().rev() {
            let [a, b] = [knots[at], knots[at + 1]];
            let frame = 0.5 * (a.frame + b.frame);
            let time = 0.5 * (a.time + b.time);
            knots.insert(at + 1, Knot { time, frame, holds: false });
        }
    }

    /// One axis of a property between two knots as a Bézier curve of frames and values: that of
    /// the track's keys, cut (de Casteljau). `None` where it cannot be cut exactly.
    fn curve(
        &self,
        property: usize,
        piece: Piece,
        axis: usize,
        a: &Knot,
        b: &Knot,
        near: Option<DVec3>,
    ) -> Option<[DVec2; 4]> {
        let Piece::Ease { key, curve: [x1, y1, x2, y2] } = piece else { return None };
        let track = self.tracks[property]?;
        let [from, to] = match property {
            1 => self.turn(track, key, near).map(|angles| angles * 1_f64.to_degrees()),
            _ => [track.keys[key].value, track.keys[key + 1].value],
        };
        let (v0, rise) = (from[axis], to[axis] - from[axis]);
        let frame = |key: usize| frame_of(track.keys[key].time, self.start, self.fps);
        let (f0, f1) = (frame(key), frame(key + 1));
        let length = f1 - f0;
        let mut whole = [
            DVec2::new(f0, v0),
            DVec2::new(f0 + x1 * length, v0 + y1 * rise),
            DVec2::new(f0 + x2 * length, v0 + y2 * rise),
            DVec2::new(f1, v0 + rise),
        ];
        if a.frame > f0 + 1e-7 {
            whole = split(whole, a.frame)?[1];
        }
        if b.frame < f1 - 1e-7 {
            whole = split(whole, b.frame)?[0];
        }
        Some(whole)
    }

    /// The time at which a property is asked for a knot: between two of its keys the one that is as
    /// far between their times as the knot's frame is between their frames, which may be whole ones
    /// where times are rounded.
    fn time_for(&self, property: Property, knot: &Knot) -> f64 {
        let Some(track) = self.tracks[property as usize] else { return knot.time };
        let behind = track.keys.partition_point(|key| key.time <= knot.time + SAME_SECS);
        let before = behind.checked_sub(1).and_then(|key| track.keys.get(key));
        let (Some(a), Some(b)) = (before, track.keys.get(behind)) else { return knot.time };
        if knot.time - a.time <= SAME_SECS {
            return a.time;
        }
        let [f0, f1] = [a, b].map(|key| frame_of(key.time, self.start, self.fps));
        let time = a.time + (b.time - a.time) * (knot.frame - f0) / (f1 - f0);
        if knot.holds || !time.is_finite() { knot.time } else { time }
    }

    fn value(&self, property: Property, knot: &Knot, rest: DVec3) -> DVec3 {
        match self.clip.value(self.id, property, self.time_for(property, knot)) {
            Some(TrackValue::Vector(value)) => value,
            _ => rest,
        }
    }

    fn quat(&self, knot: &Knot) -> DQuat {
        let time = self.time_for(Property::Rotation, knot);
        match self.clip.value(self.id, Property::Rotation, time) {
            Some(TrackValue::Rotation(turn)) => turn,
            Some(TrackValue::Vector(angles)) => quat_from_euler(angles),
            None => self.rest.rotation,
        }
    }

    /// The angles at each knot, radians, each near to those before (A57).
    fn angles(&self, knots: &[Knot], segments: &[Segment]) -> Vec<DVec3> {
        let mut out: Vec<DVec3> = Vec::with_capacity(knots.len());
        for (at, knot) in knots.iter().enumerate() {
            let before = out.last().copied();
            let segment = at.checked_sub(1).and_then(|at| segments.get(at));
            let Some(track) = self.tracks[1] else {
                out.push(self.rest_angles);
                continue;
            };
            if self.by_angles {
                out.push(self.value(Property::Rotation, knot, self.rest_angles));
                continue;
            }
            // Between two keys about one axis it is that angle alone that moves.
            let behind = track.keys.partition_point(|key| key.time <= knot.time + SAME_SECS);
            let angles = match (before, segment) {
                (Some(before), Some(segment)) if segment.axes == 1 => {
                    self.on_the_way(track, before, &knots[at - 1], knot)
                }
                _ => None,
            };
            out.push(angles.unwrap_or_else(|| {
                match before {
                    None => match behind
                        .checked_sub(1)
                        .map_or(track.keys.first(), |key| track.keys.get(key))
                    {
                        Some(key) if (key.time - knot.time).abs() <= SAME_SECS || behind == 0 => {
                            key.value
                        }
                        _ => euler_from_quat(self.quat(knot)),
                    },
                    Some(before) => continuous_euler(euler_from_quat(self.quat(knot)), before),
                }
            }));
        }
        out
    }

    /// The angles at a knot from those at the knot before, where one of them moves.
    fn on_the_way(&self, track: &Track, before: DVec3, from: &Knot, to: &Knot) -> Option<DVec3> {
        let middle = 0.5 * (from.time + to.time);
        let behind = track.keys.partition_point(|key| key.time <= middle);
        let key = behind.checked_sub(1).filter(|key| key + 1 < track.keys.len())?;
        let [a, b] = self.turn(track, key, Some(before));
        let [t0, t1] = [track.keys[key].time, track.keys[key + 1].time];
        let share = (self.time_for(Property::Rotation, to) - t0) / (t1 - t0);
        let share = if to.time >= t1 - SAME_SECS { 1.0 } else { share };
        let eased = ease(track.interpolation, track.curve(), share.min(1.0));
        Some(a + (b - a) * eased)
    }

    fn written(&self, knots: &[Knot], segments: &[Segment], uids: &mut Uids) -> Vec<Keyframe> {
        let angles = self.angles(knots, segments);
        let mut keys: Vec<Keyframe> = Vec::with_capacity(knots.len());
        let mut last_quat: Option<DQuat> = None;
        for (at, (knot, angles)) in knots.iter().zip(&angles).enumerate() {
            let pos = self.value(Property::Position, knot, self.rest.position);
            let scl = self.value(Property::Scale, knot, self.rest.scale);
            let mut quat = quat_from_euler(*angles);
            if last_quat.is_some_and(|last| last.dot(quat) < 0.0) {
                quat = -quat;
            }
            last_quat = Some(quat);
            let interp = segments.get(at).or(segments.last()).map_or(Interp::Linear, |s| s.interp);
            let tidy = |number: f64| (number * 1e12).round() / 1e12 + 0.0;
            keys.push(Keyframe {
                uid: uids.fresh(),
                interp: Some(interp),
                frame: knot.frame,
                pos: Some(pos + DVec3::ZERO),
                rot: Some((*angles * 1_f64.to_degrees() * 1e9).round() / 1e9 + DVec3::ZERO),
                rot_quat: Some([quat.w, quat.x, quat.y, quat.z].map(tidy)),
                scl: Some(scl),
                handles: None,
                origin: None,
            });
        }
        for (at, segment) in segments.iter().enumerate() {
            let rot = segment.euler;
            if segment.interp == Interp::Bezier || rot {
                self.handles(&mut keys, knots, &angles, at, segment, rot);
            }
        }
        keys
    }

    /// Gives both keys of a segment the handles of what they do in between.
    fn handles(
        &self,
        keys: &mut [Keyframe],
        knots: &[Knot],
        angles: &[DVec3],
        at: usize,
        segment: &Segment,
        rot: bool,
    ) {
        let [a, b] = [&knots[at], &knots[at + 1]];
        let channels = [(Channel::Pos, 0), (Channel::Rot, 1), (Channel::Scl, 2)];
        for (channel, property) in channels {
            if channel == Channel::Rot && !rot {
                continue;
            }
            let ends = [at, at + 1].map(|key| keys[key].channel(channel).unwrap_or_default());
            for axis in 0..3 {
                let [v0, v1] = ends.map(|end| end[axis]);
                let third = (b.frame - a.frame) / 3.0;
                let chord = (v1 - v0) / 3.0;
                let near = (property == 1).then(|| angles[at]);
                let jumps = segment.pieces[property] == Piece::Step;
                let line = match jumps {
                    true => [DVec2::new(a.frame + third, v0), DVec2::new(b.frame - third, v1)],
                    false => [
                        DVec2::new(a.frame + third, v0 + chord),
                        DVec2::new(b.frame - third, v1 - chord),
                    ],
                };
                let eased = self.curve(property, segment.pieces[property], axis, a, b, near);
                let [right, left] = eased.map_or(line, |curve| [curve[1], curve[2]]);
                set(&mut keys[at], channel, axis, third, |handles| handles.right = right);
                set(&mut keys[at + 1], channel, axis, third, |handles| handles.left = left);
            }
        }
    }
}

/// Changes a key's handles of an axis; those that it had not yet are level.
fn set(
    key: &mut Keyframe,
    channel: Channel,
    axis: usize,
    third: f64,
    change: impl FnOnce(&mut AxisHandles),
) {
    let (frame, value) = (key.frame, key.channel(channel).unwrap_or_default());
    let handles = key.handles.get_or_insert_with(|| Box::new(Handles::default()));
    let level = |axis: usize| {
        let value: f64 = value[axis];
        Some(AxisHandles {
            left: DVec2::new(frame - third, value),
            right: DVec2::new(frame + third, value),
        })
    };
    let axes = handles.channel_mut(channel).get_or_insert_with(|| [0, 1, 2].map(level));
    if let Some(handles) = &mut axes[axis] {
        change(handles);
    }
}
