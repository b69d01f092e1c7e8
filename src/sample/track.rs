//! One track, checked and made ready to be sampled.

use super::block::WINDOW;
use super::easing::{Bezier, Polynomial};
use crate::diagnostic::Problem;
use crate::format::{codes, file_problem};
use crate::math::quat_from_euler;
use crate::model::limits::{MAX_KEYS, MAX_VALUE};
use crate::model::{ClipKind, Property, Track, messages};
use glam::{DQuat, DVec3};
use std::sync::Arc;

/// From one key's rotation to the next the shorter way (M22): the rotation at eased progress u is
/// cos(uθ)·`from` + sin(uθ)/θ·`along`, where θ, the angle between the quaternions, is the length
/// of `along`. The arcs' trigonometry is done here, once; at u = 0 the key itself comes out, to
/// the last bit. One cache line.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(64))]
pub(crate) struct Turn {
    pub from: DQuat,
    pub along: DQuat,
}

impl Turn {
    /// The shorter way between two unit quaternions.
    pub fn between(from: DQuat, to: DQuat) -> Self {
        let to = if from.dot(to) < 0.0 { -to } else { to };
        let angle = 2.0 * libm::atan2((to - from).length(), (to + from).length());
        let across = to - from * from.dot(to);
        let length = across.length();
        let along =
            if length > 0.0 { across * (angle / length) } else { DQuat::from_array([0.0; 4]) };
        Turn { from, along }
    }
}

/// The keys' values in the form that sampling wants; one record more than keys where a segment
/// reads its end too.
#[derive(Clone, Debug)]
pub(super) enum Values {
    /// Positions, scales, and the angles of a model clip.
    Vectors(Arc<[DVec3]>),
    /// A rig clip's rotations.
    Turns(Arc<[Turn]>),
}

/// How the keys of a track are eased.
#[derive(Clone, Debug)]
pub(super) enum TrackEasing {
    Polynomial(Polynomial),
    Bezier(Arc<Bezier>),
}

/// One track, checked and made ready. It is made anew only when the track it stands for is
/// another one.
#[derive(Clone, Debug)]
pub(super) struct CompiledTrack {
    /// What it was made of; held, so that the same address means the same track.
    pub source: Arc<Track>,
    /// The keys' times, and [`WINDOW`] times of infinity behind them.
    pub times: Arc<[f64]>,
    pub values: Values,
    pub easing: TrackEasing,
}

impl CompiledTrack {
    /// Checks and compiles track number `index` of a clip; the problem is the first one that
    /// strict loading would find in it.
    pub fn new(
        source: &Arc<Track>,
        kind: ClipKind,
        duration_secs: f64,
        index: usize,
    ) -> Result<Self, Box<Problem>> {
        check(source, duration_secs, index)?;
        let keys = &source.keys;
        let times = keys.iter().map(|key| key.time);
        let times = times.chain(std::iter::repeat_n(f64::INFINITY, WINDOW)).collect();
        let values = if source.property == Property::Rotation && kind == ClipKind::Rig {
            let rotations: Vec<DQuat> = keys.iter().map(|key| quat_from_euler(key.value)).collect();
            let next = rotations.iter().skip(1).chain(rotations.last());
            let turns = rotations.iter().zip(next).map(|(from, to)| Turn::between(*from, *to));
            Values::Turns(turns.collect())
        } else {
            Values::Vectors(keys.iter().chain(keys.last()).map(|key| key.value).collect())
        };
        let easing = match Polynomial::of(source.interpolation) {
            Some(polynomial) => TrackEasing::Polynomial(polynomial),
            None => TrackEasing::Bezier(Arc::new(Bezier::new(source.curve()))),
        };
        Ok(CompiledTrack { source: Arc::clone(source), times, values, easing })
    }

    /// Whether its keys all lie within the clip.
    pub fn fits(&self, duration_secs: f64) -> bool {
        self.source.keys.last().is_none_or(|key| key.time <= duration_secs)
    }
}

/// What strict loading checks of a track alone, in its order (M3).
fn check(track: &Track, duration_secs: f64, index: usize) -> Result<(), Box<Problem>> {
    if track.curve().iter().any(|c| !(0.0..=1.0).contains(c)) {
        return Err(problem(codes::CURVE, messages::CURVE, format!("tracks[{index}].curve")));
    }
    if track.keys.is_empty() || track.keys.len() > MAX_KEYS {
        return Err(problem(
            codes::KEY_COUNT,
            messages::KEY_COUNT,
            format!("tracks[{index}].keys"),
        ));
    }
    let mut before = None;
    for (number, key) in track.keys.iter().enumerate() {
        let at = |field: &str| format!("tracks[{index}].keys[{number}].{field}");
        let within = (0.0..=duration_secs).contains(&key.time);
        if !within || before.is_some_and(|before| key.time <= before) {
            return Err(problem(codes::KEY_TIMES, messages::KEY_TIMES, at("time")));
        }
        before = Some(key.time);
        let components = key.value.to_array();
        if track.property == Property::Scale && components.iter().any(|c| *c <= 0.0) {
            return Err(problem(codes::KEY_SCALE, messages::ANIMATED_SCALE, at("value")));
        }
        // A NaN is no number within anything.
        if !components.iter().all(|c| c.abs() <= MAX_VALUE) {
            return Err(problem(codes::VALUE_RANGE, messages::VALUE_RANGE, at("value")));
        }
    }
    Ok(())
}

/// An error of a model, which has no place in a text.
pub(super) fn problem(code: &'static str, message: &str, path: String) -> Box<Problem> {
    Box::new(Problem { path, ..file_problem(code, message) })
}
