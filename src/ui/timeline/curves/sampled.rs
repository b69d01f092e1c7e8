//! The lines of curves: values over time, from the one sampler.

use super::super::axis::TimeAxis;
use crate::math::{continuous_euler, euler_from_quat};
use crate::model::{Clip, ClipKind, Interpolation, Property, Track, Uid};
use crate::sample::{self, TrackValue};
use glam::DVec3;
use std::collections::HashMap;
use std::sync::Arc;

/// A sample every so many points of the screen.
const STEP_POINTS: f64 = 3.0;
/// Written angles that are farther than this from where the motion arrives are a true jump.
const JUMP: f64 = 1e-3;

/// X, Y and Z of one track as lines: seconds and plotted values. A pair that is no number breaks
/// the line.
#[derive(Debug, Default)]
pub struct Lines {
    /// One for each component.
    pub channels: [Vec<[f64; 2]>; 3],
    /// The lowest and highest value of each component, keys and all.
    pub spans: [(f64, f64); 3],
}

/// What a line depends on, beside its track.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Window {
    kind: ClipKind,
    axis: TimeAxis,
    duration_secs: f64,
}

/// The lines of tracks, kept while track and window stay the same.
#[derive(Debug, Default)]
pub struct Sampled {
    clip: Option<(Arc<Clip>, Option<sample::Clip>)>,
    window: Option<Window>,
    lines: HashMap<Uid, (Arc<Track>, Arc<Lines>)>,
}

/// Plotted units of one unit of a file: degrees for angles.
pub fn unit(property: Property) -> f64 {
    if property == Property::Rotation { 180.0 / std::f64::consts::PI } else { 1.0 }
}

impl Sampled {
    /// The lines of a clip's tracks, given by their indices, as far as the axis shows them.
    pub fn lines(
        &mut self,
        clip: &Arc<Clip>,
        tracks: &[usize],
        axis: &TimeAxis,
    ) -> Vec<(usize, Arc<Lines>)> {
        let window = Window { kind: clip.kind, axis: *axis, duration_secs: clip.duration_secs };
        if self.window != Some(window) {
            self.lines.clear();
            self.window = Some(window);
        }
        let stale = |(_, track): &(usize, &Arc<Track>)| {
            let kept = self.lines.get(&track.uid);
            kept.is_none_or(|(of, _)| !Arc::ptr_eq(of, track))
        };
        let wanted = || tracks.iter().map(|at| (*at, &clip.tracks[*at]));
        if wanted().any(|pair| stale(&pair)) {
            self.compile(clip);
        }
        let compiled = self.clip.as_ref().and_then(|(_, compiled)| compiled.as_ref());
        for (_, track) in wanted() {
            let kept = self.lines.get(&track.uid);
            if kept.is_none_or(|(of, _)| !Arc::ptr_eq(of, track)) {
                let lines = Arc::new(lines_of(track, compiled, &window));
                self.lines.insert(track.uid, (track.clone(), lines));
            }
        }
        wanted()
            .filter_map(|(at, track)| Some((at, self.lines.get(&track.uid)?.1.clone())))
            .collect()
    }

    fn compile(&mut self, clip: &Arc<Clip>) {
        if self.clip.as_ref().is_some_and(|(of, _)| Arc::ptr_eq(of, clip)) {
            return;
        }
        let before = self.clip.take().and_then(|(_, compiled)| compiled);
        // A draft's track may have no part, and has no curve then.
        let named = clip.tracks.iter().all(|track| !track.part.is_empty());
        let playable = match named {
            true => clip.clone(),
            false => {
                let tracks = clip.tracks.iter().filter(|track| !track.part.is_empty());
                Arc::new(Clip { tracks: tracks.cloned().collect(), ..(**clip).clone() })
            }
        };
        let compiled = match before {
            Some(before) => before.updated(&playable),
            None => sample::Clip::new(&playable),
        };
        self.clip = Some((clip.clone(), compiled.ok()));
    }
}

fn finite(value: f64) -> f64 {
    if value.is_finite() { value } else { 0.0 }
}

fn lines_of(track: &Track, clip: Option<&sample::Clip>, window: &Window) -> Lines {
    let mut lines = Lines::default();
    let unit = unit(track.property);
    let (Some(first), Some(last)) = (track.keys.first(), track.keys.last()) else { return lines };
    for axis in 0..3 {
        let mut span = (f64::INFINITY, f64::NEG_INFINITY);
        for key in &track.keys {
            let value = finite(key.value[axis] * unit);
            span = (span.0.min(value), span.1.max(value));
        }
        lines.spans[axis] = span;
    }
    let mut push = |secs: f64, value: DVec3| {
        for axis in 0..3 {
            let plotted = value[axis] * unit;
            lines.channels[axis].push([secs, plotted]);
            if plotted.is_finite() {
                let span = &mut lines.spans[axis];
                *span = (span.0.min(plotted), span.1.max(plotted));
            }
        }
    };
    let (from, to) = (window.axis.from_secs, window.axis.to_secs);
    let turns = track.property == Property::Rotation && window.kind == ClipKind::Rig;
    // Only the segments that are seen, and one on each side.
    let start = track.keys.partition_point(|key| key.time < from).saturating_sub(1);
    let end = (track.keys.partition_point(|key| key.time <= to) + 1).min(track.keys.len());
    if start == 0 {
        push(first.time.min(0.0), first.value);
    }
    for at in start..end {
        let key = &track.keys[at];
        push(key.time, key.value);
        let Some(next) = track.keys.get(at + 1).filter(|_| at + 1 < end) else { continue };
        if track.interpolation == Interpolation::Step {
            if key.value != next.value {
                push(next.time, key.value);
                push(next.time, DVec3::NAN);
            }
            continue;
        }
        let points = (next.time - key.time) / window.axis.secs_per_point();
        let straight =
            track.interpolation == Interpolation::Linear && !turns || key.value == next.value;
        let parts =
            if straight { 1 } else { (points / STEP_POINTS).ceil().clamp(1.0, 800.0) as u32 };
        let mut before = key.value;
        for part in 1..parts {
            let secs = key.time + (next.time - key.time) * f64::from(part) / f64::from(parts);
            let value = clip.and_then(|clip| clip.value(&track.part, track.property, secs));
            let value = match value {
                Some(TrackValue::Vector(value)) => value,
                Some(TrackValue::Rotation(turn)) => continuous_euler(euler_from_quat(turn), before),
                None => break,
            };
            push(secs, value);
            before = value;
        }
        // The motion may arrive whole turns away from what is written, or in the other of the two
        // ways to write a turn: that is a jump of the numbers.
        if turns && parts > 1 {
            let arrives = continuous_euler(next.value, before);
            if (arrives - next.value).abs().max_element() > JUMP {
                push(next.time, arrives);
                push(next.time, DVec3::NAN);
            }
        }
    }
    if end == track.keys.len() {
        push(last.time.max(window.duration_secs), last.value);
    }
    lines
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // A panic is a failed test.
    use super::*;
    use crate::ui::state::TimelineView;

    fn clip(kind: &str, property: &str, interpolation: &str, values: &[[f64; 3]]) -> Arc<Clip> {
        let head = match kind {
            "model" => "format:\n  version: 1.0.0\nmodel: m\n",
            _ => "binding: r.rig\nmodel: m\n",
        };
        let mut text = format!(
            "{head}duration: 4\nloop: false\ntracks:\n  - part: a\n    property: {property}\n    \
             interpolation: {interpolation}\n    keys:\n"
        );
        for (at, value) in values.iter().enumerate() {
            text += &format!("      - time: {at}\n        value: {value:?}\n");
        }
        let mut uids = crate::model::Uids::default();
        let content = crate::edit::content_of(crate::format::FileKind::Motion, &text, &mut uids);
        match content {
            crate::edit::Content::Clip(clip) => clip,
            _ => panic!("it loads:\n{text}"),
        }
    }

    fn lines(clip: &Arc<Clip>) -> Arc<Lines> {
        let view = TimelineView { visible_secs: Some((0.0, 4.0)), ..TimelineView::default() };
        let axis = TimeAxis::new(&view, 4.0, 0.0, 400.0);
        Sampled::default().lines(clip, &[0], &axis)[0].1.clone()
    }

    fn value_at(line: &[[f64; 2]], secs: f64) -> Vec<f64> {
        line.iter().filter(|p| (p[0] - secs).abs() < 1e-9).map(|p| p[1]).collect()
    }

    #[test]
    fn a_model_clips_angles_are_lines() {
        let clip = clip("model", "rotation", "linear", &[[0.0; 3], [0.0, 0.0, 10.0]]);
        let lines = lines(&clip);
        let degrees = 10.0_f64.to_degrees();
        assert!((lines.spans[2].1 - degrees).abs() < 1e-9);
        assert!((value_at(&lines.channels[2], 1.0)[0] - degrees).abs() < 1e-9);
        assert_eq!(lines.spans[0], (0.0, 0.0));
        // The value holds to the clip's end.
        assert!((value_at(&lines.channels[2], 4.0)[0] - degrees).abs() < 1e-9);
    }

    #[test]
    fn steps_jump_in_a_gap() {
        let clip = clip("rig", "position", "step", &[[1.0; 3], [2.0; 3]]);
        let at_one = value_at(&lines(&clip).channels[0], 1.0);
        assert_eq!(at_one[0], 1.0);
        assert!(at_one[1].is_nan());
        assert_eq!(at_one[2], 2.0);
    }

    #[test]
    fn a_rig_clips_angles_are_continuous_and_pass_the_keys() {
        let values = [[0.0, 0.0, 0.2], [0.4, 0.3, 1.5], [0.1, -0.2, 3.0]];
        let clip = clip("rig", "rotation", "smooth", &values);
        let lines = lines(&clip);
        for (at, value) in values.iter().enumerate() {
            for (axis, component) in value.iter().enumerate() {
                let found = value_at(&lines.channels[axis], at as f64);
                let wanted = component.to_degrees();
                assert!(found.iter().any(|v| (v - wanted).abs() < 1e-9), "{at} {axis}: {found:?}");
            }
        }
        for line in &lines.channels {
            for pair in line.windows(2) {
                assert!((pair[1][1] - pair[0][1]).abs() < 6.0, "{pair:?}");
            }
        }
    }

    #[test]
    fn whole_turns_that_nobody_sees_are_gaps() {
        // A rig clip takes the short way: from 0 to a whole turn nothing moves.
        let turn = std::f64::consts::TAU;
        let clip = clip("rig", "rotation", "smooth", &[[0.0; 3], [0.0, 0.0, turn]]);
        let lines = lines(&clip);
        let line = &lines.channels[2];
        assert!(line.iter().any(|p| p[1].is_nan()));
        let before = line.iter().filter(|p| p[0] < 1.0).map(|p| p[1].abs());
        assert!(before.fold(0.0, f64::max) < 1e-6);
        assert!(value_at(line, 1.0).iter().any(|v| (v - 360.0).abs() < 1e-6));
    }
}
