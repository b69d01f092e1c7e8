//! Handles to be shown: as they are written, and as evaluation takes them (A11–A13).

use super::super::curve::corrected;
use super::PegCurves;
use crate::model::take::{Angles, Channel, Interp};
use glam::DVec2;

/// Farther apart than this, in parts of what they are, two numbers are other numbers.
const OTHER: f64 = 1e-9;

/// A handle of one axis at one end of a BEZIER segment: x is the frame, y the value in the
/// channel's unit as the file has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShownHandle {
    /// As written; `None` where the key has none on this axis, so that its tangent is automatic
    /// (A13).
    pub written: Option<DVec2>,
    /// As evaluation takes it: on its own side of the key, and no longer than the segment (A12).
    pub effective: DVec2,
}

impl ShownHandle {
    /// Whether evaluation takes it elsewhere than it is written (A12).
    pub fn is_corrected(&self) -> bool {
        // What is no number is elsewhere.
        let far = |a: f64, b: f64| {
            let apart = (a - b).abs();
            apart.is_nan() || apart > OTHER * (1.0 + a.abs())
        };
        self.written.is_some_and(|written| {
            far(written.x, self.effective.x) || far(written.y, self.effective.y)
        })
    }
}

impl PegCurves {
    /// What the angles of `rot` mean.
    pub fn angles(&self) -> Angles {
        self.angles
    }

    /// How the segment moves that starts at the key on `frames()[key]` (A10); `None` for the last
    /// key, which starts none.
    pub fn interp_from(&self, key: usize) -> Option<Interp> {
        self.segments.get(key).map(|segment| segment.interp())
    }

    /// Whether Euler curves rule the rotation of the segment that starts at the key on
    /// `frames()[key]`; otherwise quaternions do (A14).
    pub fn is_euler_from(&self, key: usize) -> bool {
        self.segments.get(key).is_some_and(|segment| segment.is_euler())
    }

    /// The slope that one axis (0, 1, 2) has at the key on `frames()[key]` where it has no handles
    /// (A13), in the file's unit a frame.
    pub fn automatic_slope(&self, key: usize, channel: Channel, axis: usize) -> f64 {
        if key < self.frames.len() && axis < 3 { self.slope(key, channel, axis) } else { 0.0 }
    }

    /// The handles of one axis (0, 1, 2) of the segment that starts at the key on `frames()[key]`:
    /// the one that leads out, and the one that leads into the next key. `None` where none counts:
    /// the segment is no BEZIER, or quaternions rule it (A14).
    pub fn segment_handles(
        &self,
        key: usize,
        channel: Channel,
        axis: usize,
    ) -> Option<[ShownHandle; 2]> {
        let segment = self.segments.get(key).filter(|s| s.interp() == Interp::Bezier)?;
        if (channel == Channel::Rot && !segment.is_euler()) || axis > 2 {
            return None;
        }
        let written = |key: usize| {
            let axes = self.key(key).channel_handles(channel)?;
            axes[axis]
        };
        let [f0, f1] = [self.frames[key], self.frames[key + 1]];
        let [v0, v1] = [key, key + 1].map(|key| self.value(key, channel)[axis]);
        let length = f1 - f0;
        let third = length / 3.0;
        let out = match written(key) {
            Some(handles) => {
                let point = handles.right;
                let (share, rise) = corrected(point.x - f0, point.y - v0, length);
                let effective = DVec2::new(f0 + share * length, v0 + rise);
                ShownHandle { written: Some(point), effective }
            }
            None => {
                let rise = self.slope(key, channel, axis) * third;
                ShownHandle { written: None, effective: DVec2::new(f0 + third, v0 + rise) }
            }
        };
        let into = match written(key + 1) {
            Some(handles) => {
                let point = handles.left;
                let (share, rise) = corrected(f1 - point.x, point.y - v1, length);
                let effective = DVec2::new(f1 - share * length, v1 + rise);
                ShownHandle { written: Some(point), effective }
            }
            None => {
                let fall = self.slope(key + 1, channel, axis) * third;
                ShownHandle { written: None, effective: DVec2::new(f1 - third, v1 - fall) }
            }
        };
        Some([out, into])
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // A panic is a failed test.
    use crate::model::Uids;
    use crate::sample::take::{Space, TakeCurves};
    use glam::DVec2;
    use std::sync::Arc;

    fn curves(keys: &str) -> Arc<super::PegCurves> {
        let text = format!(
            "{{\"format\": \"octo_anm\", \"version\": 4, \"pegs\": [{{\"name\": \"a\", \
             \"keyframes\": [{keys}]}}]}}"
        );
        let take = crate::format::read_take(text, &mut Uids::default()).value.unwrap();
        TakeCurves::new(&take, Space::Local).pegs()[0].clone()
    }

    fn key(frame: f64, x: f64, handles: &str) -> String {
        format!(
            "{{\"frame\": {frame}, \"pos\": [{x}, 0, 0], \"rot\": [0, 0, 0], \"scl\": [1, 1, 1], \
             \"interp\": \"BEZIER\", \"handles\": {{\"pos\": {handles}, \"rot\": [], \"scl\": []}}}}"
        )
    }

    use crate::model::take::Channel::{Pos, Rot};

    #[test]
    fn handles_show_where_they_are_written_and_where_they_count() {
        // From (0, 0) to (10, 10): the third and the fourth of the worked curves.
        let a = key(0.0, 0.0, "[[[-1, 0], [20, 4]], null, null]");
        let b = key(10.0, 10.0, "[[[2, 10], [13, 10]], null, null]");
        let curves = curves(&[a, b].join(","));
        let [out, into] = curves.segment_handles(0, Pos, 0).unwrap();
        assert_eq!(out.written, Some(DVec2::new(20.0, 4.0)));
        assert!((out.effective - DVec2::new(10.0, 2.0)).length() < 1e-12, "scaled by 10/20");
        assert!(out.is_corrected());
        assert_eq!(into.effective, DVec2::new(2.0, 10.0));
        assert!(!into.is_corrected());
        assert_eq!(curves.segment_handles(1, Pos, 0), None, "the last key begins nothing");
        let [out, _] = curves.segment_handles(0, Pos, 1).unwrap();
        assert_eq!(out.written, None);
        assert!(curves.segment_handles(0, Rot, 2).is_some(), "without quaternions angles rule");
    }

    #[test]
    fn a_handle_on_the_wrong_side_counts_at_its_key() {
        let a = key(0.0, 0.0, "[[[-1, 0], [-3, 5]], null, null]");
        let b = key(10.0, 10.0, "[[[6, 10], [13, 10]], null, null]");
        let curves = curves(&[a, b].join(","));
        let [out, _] = curves.segment_handles(0, Pos, 0).unwrap();
        assert_eq!(out.effective, DVec2::new(0.0, 5.0), "its height is kept");
        assert!(out.is_corrected());
    }

    #[test]
    fn without_handles_tangents_are_automatic() {
        let keys = [(0.0, 0.0), (10.0, 5.0), (20.0, 20.0)].map(|(f, x)| key(f, x, "[]"));
        let curves = curves(&keys.join(","));
        // The slope at the middle key is 1 (A13).
        let [_, into] = curves.segment_handles(0, Pos, 0).unwrap();
        let [out, _] = curves.segment_handles(1, Pos, 0).unwrap();
        let third = 10.0 / 3.0;
        assert!((into.effective - DVec2::new(10.0 - third, 5.0 - third)).length() < 1e-12);
        assert!((out.effective - DVec2::new(10.0 + third, 5.0 + third)).length() < 1e-12);
        assert!(!out.is_corrected());
    }
}
