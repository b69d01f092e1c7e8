//! The curves of pegs as lines: frames and plotted values (degrees for turns), from the sampler.

use crate::model::take::{Angles, Channel, Interp};
use crate::sample::take::{PegCurves, RawPose, Turn};
use glam::DVec3;
use std::sync::Arc;

/// A sample every so many points of the screen.
const STEP_POINTS: f64 = 3.0;
/// Angles that are farther than this from where the motion arrives are a jump of the numbers.
const JUMP_DEG: f64 = 1e-3;

/// The place of a channel in lists of pos, rot and scl.
pub fn place(channel: Channel) -> usize {
    match channel {
        Channel::Pos => 0,
        Channel::Rot => 1,
        Channel::Scl => 2,
    }
}

/// What a peg's keys are as they are drawn.
#[derive(Debug)]
pub struct PegKeys {
    /// The peg's curves.
    pub curves: Arc<PegCurves>,
    /// By key, in the order of frames: pos, rot in degrees (A57), scl.
    values: Vec<[DVec3; 3]>,
    /// By key: whether quaternions rule the rotation there (A14).
    by_quat: Vec<bool>,
    /// The lowest and highest value of each channel's axes.
    pub spans: [[(f64, f64); 3]; 3],
}

impl PegKeys {
    /// The keys of a peg.
    pub fn new(curves: &Arc<PegCurves>) -> PegKeys {
        let peg = curves.peg();
        let angles = curves.angles();
        let first = peg.keyframes.get(curves.key_index(0)).and_then(|key| key.rot);
        let written = first.filter(|rot| rot.is_finite() && angles.count());
        let mut before = written.map_or(DVec3::ZERO, |rot| angles.degrees(rot));
        let mut values = Vec::with_capacity(curves.frames().len());
        let mut by_quat = Vec::with_capacity(curves.frames().len());
        let mut spans = [[(f64::INFINITY, f64::NEG_INFINITY); 3]; 3];
        for frame in curves.frames() {
            let pose = curves.at(*frame);
            before = pose.degrees(angles, before);
            let all = [pose.pos, before, pose.scl];
            for (spans, value) in spans.iter_mut().zip(all) {
                for (span, value) in spans.iter_mut().zip(value.to_array()) {
                    *span = widened(*span, value);
                }
            }
            by_quat.push(matches!(pose.turn, Turn::Quat(_)));
            values.push(all);
        }
        PegKeys { curves: curves.clone(), values, by_quat, spans }
    }

    /// A plotted value of a key.
    pub fn value(&self, key: usize, channel: Channel, axis: usize) -> f64 {
        self.values.get(key).map_or(f64::NAN, |all| all[place(channel)][axis])
    }

    /// All three plotted values of a key's channel.
    pub fn values(&self, key: usize, channel: Channel) -> DVec3 {
        self.values.get(key).map_or(DVec3::NAN, |all| all[place(channel)])
    }

    /// Whether quaternions rule the rotation at a key.
    pub fn is_by_quat(&self, key: usize) -> bool {
        self.by_quat.get(key).copied().unwrap_or(false)
    }

    /// Whether quaternions rule the rotation anywhere.
    pub fn any_by_quat(&self) -> bool {
        self.by_quat.contains(&true)
    }

    /// Whether a channel is seen to move: by more than the noise of a bake.
    pub fn moves(&self, channel: Channel) -> bool {
        let least = if channel == Channel::Rot { 1e-2 } else { 1e-4 };
        self.spans[place(channel)].iter().any(|(low, high)| high - low > least)
    }
}

fn widened((low, high): (f64, f64), value: f64) -> (f64, f64) {
    if value.is_finite() { (low.min(value), high.max(value)) } else { (low, high) }
}

/// The lines of a peg: for pos, rot and scl those of X, Y and Z, as frames and plotted values. A
/// pair that is no number breaks the line. What is not shown is empty.
#[derive(Debug, Default)]
pub struct Lines {
    /// The lines.
    pub channels: [[Vec<[f64; 2]>; 3]; 3],
    /// The lowest and highest value of each.
    pub spans: [[(f64, f64); 3]; 3],
}

/// Which part of time is drawn, and how finely.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// Which of pos, rot and scl.
    pub channels: [bool; 3],
    /// The frames at the edges.
    pub frames: (f64, f64),
    /// Frames in one point.
    pub per_point: f64,
}

/// The lines of a peg's curves within a window.
pub fn lines(keys: &PegKeys, window: &Window) -> Lines {
    let mut lines = Lines { channels: Default::default(), spans: keys.spans };
    let curves = &keys.curves;
    let frames = curves.frames();
    let (Some(first), Some(last)) = (frames.first(), frames.last()) else { return lines };
    let shown = |at: usize| window.channels[at];
    let (from, to) = window.frames;
    let start = frames.partition_point(|frame| *frame < from).saturating_sub(1);
    let end = (frames.partition_point(|frame| *frame <= to) + 1).min(frames.len());
    let indexed = Channel::ALL.map(|channel| (place(channel), channel));
    let push = |lines: &mut Lines, at: usize, frame: f64, value: DVec3| {
        for (axis, value) in value.to_array().into_iter().enumerate() {
            lines.channels[at][axis].push([frame, value]);
            lines.spans[at][axis] = widened(lines.spans[at][axis], value);
        }
    };
    if start == 0 && from < *first {
        for (at, channel) in indexed.into_iter().filter(|(at, _)| shown(*at)) {
            push(&mut lines, at, from, keys.values(0, channel));
        }
    }
    for key in start..end {
        for (at, channel) in indexed.into_iter().filter(|(at, _)| shown(*at)) {
            push(&mut lines, at, frames[key], keys.values(key, channel));
        }
        let Some(interp) = curves.interp_from(key).filter(|_| key + 1 < end) else { continue };
        let next = frames[key + 1];
        let points = (next - frames[key]) / window.per_point;
        let parts = (points / STEP_POINTS).ceil().clamp(1.0, 800.0) as u32;
        let euler = curves.is_euler_from(key);
        // The angles that this segment begins with: those of its own kind (A14).
        let mut turn = keys.values(key, Channel::Rot);
        let straight =
            |channel: Channel| interp == Interp::Linear && (channel != Channel::Rot || euler);
        if interp == Interp::Constant {
            for (at, channel) in indexed.into_iter().filter(|(at, _)| shown(*at)) {
                if keys.values(key, channel) != keys.values(key + 1, channel) {
                    push(&mut lines, at, next, keys.values(key, channel));
                    push(&mut lines, at, next, DVec3::NAN);
                }
            }
            continue;
        }
        let curved = indexed.map(|(at, channel)| shown(at) && !straight(channel));
        if curved.contains(&true) {
            for part in 1..parts {
                let frame = frames[key] + (next - frames[key]) * f64::from(part) / f64::from(parts);
                let pose = curves.at(frame);
                turn = pose.degrees(curves.angles(), turn);
                for ((at, channel), curved) in indexed.into_iter().zip(curved) {
                    if curved {
                        push(&mut lines, at, frame, plotted(&pose, channel, turn));
                    }
                }
            }
        }
        // The motion may arrive whole turns away from the next key's angles, or in the other of
        // the two ways to write a turn: that is a jump of the numbers.
        if shown(place(Channel::Rot)) {
            let arrives = arrival(keys, key, turn, euler, curves.angles());
            let there = keys.values(key + 1, Channel::Rot);
            if (arrives - there).abs().max_element() > JUMP_DEG {
                push(&mut lines, place(Channel::Rot), next, arrives);
                push(&mut lines, place(Channel::Rot), next, DVec3::NAN);
            }
        }
    }
    if end == frames.len() && to > *last {
        for (at, channel) in indexed.into_iter().filter(|(at, _)| shown(*at)) {
            push(&mut lines, at, to, keys.values(frames.len() - 1, channel));
        }
    }
    lines
}

fn plotted(pose: &RawPose, channel: Channel, degrees: DVec3) -> DVec3 {
    match channel {
        Channel::Pos => pose.pos,
        Channel::Rot => degrees,
        Channel::Scl => pose.scl,
    }
}

/// The angles with which a segment arrives at its second key.
fn arrival(keys: &PegKeys, key: usize, before: DVec3, euler: bool, angles: Angles) -> DVec3 {
    let there = keys.values(key + 1, Channel::Rot);
    let index = keys.curves.key_index(key + 1);
    let written = keys.curves.peg().keyframes.get(index);
    match (euler, keys.is_by_quat(key + 1)) {
        (true, false) => there,
        // The next segment is of the other kind than this one.
        (true, true) => {
            let rot = written.and_then(|key| key.rot).filter(|rot| rot.is_finite());
            rot.map_or(there, |rot| angles.degrees(rot))
        }
        (false, _) => {
            let there = angles.quat_of_degrees(there);
            let degrees = Angles { form: crate::model::take::RotationForm::EulerDeg, ..angles };
            there.map_or(before, |quat| degrees.rot_of(quat, before))
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // A panic is a failed test.
    use super::*;
    use crate::model::Uids;
    use crate::sample::take::{Space, TakeCurves};

    fn keys(keys: &str) -> PegKeys {
        let text = format!(
            "{{\"format\": \"octo_anm\", \"version\": 4, \"pegs\": [{{\"name\": \"a\", \
             \"keyframes\": [{keys}]}}]}}"
        );
        let take = crate::format::read_take(text, &mut Uids::default()).value.unwrap();
        PegKeys::new(&TakeCurves::new(&take, Space::Local).pegs()[0])
    }

    fn quat(frame: u32, degrees: f64) -> String {
        let half = degrees.to_radians() / 2.0;
        format!(
            "{{\"frame\": {frame}, \"rot\": [0, 0, 0], \"rot_quat\": [{}, 0, 0, {}], \
             \"interp\": \"LINEAR\"}}",
            half.cos(),
            half.sin()
        )
    }

    fn window(channel: usize) -> Window {
        let channels = std::array::from_fn(|at| at == channel);
        Window { channels, frames: (-5.0, 45.0), per_point: 0.1 }
    }

    #[test]
    fn turns_by_quaternions_go_on_beyond_half_a_turn() {
        // Four times 100° about Z, of which a quaternion knows only the direction.
        let text: Vec<_> = (0..5).map(|at| quat(at * 10, f64::from(at) * 100.0)).collect();
        let keys = keys(&text.join(","));
        for at in 0..5 {
            let z = keys.value(at, Channel::Rot, 2);
            assert!((z - at as f64 * 100.0).abs() < 1e-6, "{at}: {z}");
            assert!(keys.is_by_quat(at));
        }
        let lines = lines(&keys, &window(1));
        let z = &lines.channels[1][2];
        assert!(z.iter().all(|point| point[1].is_finite()), "no gap");
        for pair in z.windows(2) {
            assert!((pair[1][1] - pair[0][1]).abs() < 4.0, "{pair:?}");
        }
        assert_eq!((z[0][0], z[z.len() - 1][0]), (-5.0, 45.0), "it holds on both sides");
        assert!(lines.channels[0][0].is_empty(), "what is not shown is not made");
    }

    #[test]
    fn constant_segments_jump_in_a_gap_and_bezier_ones_pass_their_keys() {
        let key = |frame: u32, x: f64, interp: &str| {
            format!(
                "{{\"frame\": {frame}, \"pos\": [{x}, 0, 0], \"rot\": [0, 0, 0], \
                 \"interp\": \"{interp}\"}}"
            )
        };
        let text = [key(0, 1.0, "CONSTANT"), key(10, 2.0, "BEZIER"), key(20, 5.0, "BEZIER")];
        let keys = keys(&text.join(","));
        let lines = lines(&keys, &window(0));
        let x = &lines.channels[0][0];
        let at_ten: Vec<f64> = x.iter().filter(|p| p[0] == 10.0).map(|p| p[1]).collect();
        assert_eq!(at_ten[0], 1.0);
        assert!(at_ten[1].is_nan());
        assert_eq!(at_ten[2], 2.0);
        for point in x.iter().filter(|p| p[1].is_finite() && p[0] != 10.0) {
            assert!((keys.curves.at(point[0]).pos.x - point[1]).abs() < 1e-12, "{point:?}");
        }
        assert!(keys.moves(Channel::Pos) && !keys.moves(Channel::Rot));
    }

    #[test]
    fn a_spin_that_quaternions_lose_is_flat() {
        // The angles say 720°, the quaternions nothing at all.
        let text = "{\"frame\": 0, \"rot\": [0, 0, 0], \"rot_quat\": [1, 0, 0, 0]}, \
                    {\"frame\": 10, \"rot\": [0, 0, 720], \"rot_quat\": [1, 0, 0, 0]}";
        assert!(!keys(text).moves(Channel::Rot), "what is shown is what is evaluated");
    }
}
