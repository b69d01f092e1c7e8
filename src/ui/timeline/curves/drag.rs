//! Dragging keys in value, and easing handles.

use super::super::board::Board;
use super::super::hand::signed;
use super::super::preview::Preview;
use super::values::ValueAxis;
use crate::edit::{ClipEdit, Edit, Snap, snap_time};
use crate::model::{Property, Uid};
use crate::ui::action::Action;
use crate::ui::cx::Cx;
use crate::ui::text;
use eframe::egui::{Pos2, Ui};
use glam::DVec3;
use std::sync::Arc;

/// What is dragged in the curves, time alone aside.
#[derive(Clone, Debug)]
pub enum What {
    /// Keys up and down one axis; with `free`, sideways too.
    Value {
        /// The keys.
        keys: Arc<Vec<Uid>>,
        /// The key under the pointer, and its time before, in seconds.
        anchor: (Uid, f64),
        /// The first and last of the keys before, in seconds.
        span_secs: (f64, f64),
        /// 0, 1, 2 for X, Y, Z.
        axis: usize,
        /// What the values are of.
        property: Property,
        /// The plotted value before.
        from: f64,
        /// Alt: both ways.
        free: bool,
    },
    /// A handle of a track's easing.
    Handle {
        /// The track.
        track: Uid,
        /// 0 for the first point of the curve, 1 for the second.
        point: usize,
        /// The curve before.
        curve: [f64; 4],
        /// The segment: times in seconds and plotted values at both ends.
        segment: [[f64; 2]; 2],
        /// Where the handle was, in points, less where the pointer was.
        offset: [f32; 2],
    },
}

/// A drag under way.
#[derive(Clone, Debug)]
pub struct CurveDrag {
    /// Of what.
    pub what: What,
    /// Where it began, in points.
    pub origin: Pos2,
    preview: Preview<[f64; 4]>,
}

impl CurveDrag {
    /// A drag that begins here.
    pub fn new(what: What, origin: Pos2) -> CurveDrag {
        CurveDrag { what, origin, preview: Preview::default() }
    }

    /// Shows what the drag does; gives its tag, or `None` once it is over.
    pub fn update(
        &mut self,
        ui: &Ui,
        cx: &Cx<'_>,
        board: &Board<'_>,
        values: &ValueAxis,
        pointer: Pos2,
        actions: &mut Vec<Action>,
    ) -> Option<String> {
        if !self.preview.goes_on(cx) {
            return None;
        }
        let (enter, modifiers) = self.preview.read(ui, false);
        let typed = self.preview.typed();
        let (amount, edit, tag) = match &self.what {
            What::Value { keys, anchor, span_secs, axis, property, from, free } => {
                let moved = -f64::from(pointer.y - self.origin.y) * values.per_point();
                let radians = cx.settings().show_radians && *property == Property::Rotation;
                let moved = match typed {
                    Some(typed) if radians => typed.to_degrees(),
                    Some(typed) => typed,
                    None => tidy(moved, values.per_point()),
                };
                let mut secs = 0.0;
                let mut snap = None;
                if *free {
                    let wish = board.axis.time_from_screen(pointer.x)
                        - board.axis.time_from_screen(self.origin.x);
                    let step_secs = 1.0 / board.view.usable_fps();
                    secs = (wish * 1e6).round() / 1e6;
                    if board.snaps(modifiers) {
                        secs = snap_time(anchor.1 + wish, step_secs) - anchor.1;
                        snap = Some(Snap { step_secs, anchor: anchor.0 });
                    }
                    let most = board.clip.duration_secs - span_secs.1;
                    let within = secs.clamp(-span_secs.0, most.max(-span_secs.0));
                    if within != secs {
                        (secs, snap) = (within, None);
                    }
                }
                let mut delta = DVec3::ZERO;
                delta[*axis] = moved / super::sampled::unit(*property);
                let offset = ClipEdit::OffsetKeys { keys: keys.to_vec(), delta };
                let mut edits = vec![Edit::Clip { doc: board.doc, edit: offset }];
                if secs != 0.0 {
                    let keys = keys.to_vec();
                    let time = ClipEdit::MoveKeys { keys, delta_secs: secs, snap };
                    edits.push(Edit::Clip { doc: board.doc, edit: time });
                }
                let name = ["X", "Y", "Z"][*axis];
                let mut tag = format!(
                    "{name} {}  {}",
                    super::values::words(cx, *property, from + moved),
                    signed(if radians { moved.to_radians() } else { moved }, 2),
                );
                if *free {
                    tag = format!("{} s  {tag}", text::number(anchor.1 + secs, 3));
                }
                let edit = match edits.len() {
                    1 => edits.remove(0),
                    _ => Edit::All { label: "Move keys in time and value".to_owned(), edits },
                };
                ([moved, secs, 0.0, 0.0], edit, tag)
            }
            What::Handle { track, point, curve, segment, offset } => {
                let [[t0, v0], [t1, v1]] = *segment;
                let x = board.axis.time_from_screen(pointer.x + offset[0]);
                let y = values.value_from_screen(pointer.y + offset[1]);
                let mut curve = *curve;
                let part = |value: f64| ((value * 1000.0).round() / 1000.0).clamp(0.0, 1.0);
                curve[point * 2] = part((x - t0) / (t1 - t0));
                // On a level segment up and down says nothing.
                if (v1 - v0).abs() > values.per_point() {
                    curve[point * 2 + 1] = part((y - v0) / (v1 - v0));
                }
                let numbers = curve.map(|x| text::number(x, 2)).join(" ");
                let tag = format!("{numbers} · whole track");
                let set = ClipEdit::SetCurve { tracks: vec![*track], curve: Some(curve) };
                (curve, Edit::Clip { doc: board.doc, edit: set }, tag)
            }
        };
        let nothing = match &self.what {
            What::Value { .. } => amount == [0.0; 4],
            What::Handle { curve, .. } => amount == *curve,
        };
        self.preview.show(ui, amount, nothing, || edit, actions);
        if enter {
            self.end(actions);
            return None;
        }
        Some(self.preview.tagged(tag))
    }

    /// Ends the drag where it is. What was typed is done or refused as it was typed.
    pub fn end(&self, actions: &mut Vec<Action>) {
        self.preview.end(actions);
    }

    /// What the status line says meanwhile.
    pub fn hint(&self) -> &'static str {
        match &self.what {
            What::Value { free: true, .. } => "Both ways · Ctrl inverts snapping · Escape cancels",
            What::Value { .. } => "This axis alone · type a number · Escape cancels",
            What::Handle { .. } => "The easing of the whole track · Escape cancels",
        }
    }
}

/// Rounded to what a pixel shows, so that a dragged value is short in the file.
pub(in crate::ui) fn tidy(value: f64, per_point: f64) -> f64 {
    if !(per_point.is_finite() && per_point > 0.0) {
        return 0.0;
    }
    let grain = 10_f64.powf((per_point / 2.0).log10().floor());
    let rounded = (value / grain).round() * grain;
    // Powers of ten below 1 leave digits behind.
    let places = (-grain.log10()).ceil().clamp(0.0, 12.0) as usize;
    format!("{rounded:.places$}").parse().unwrap_or(rounded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dragged_values_are_short() {
        assert_eq!(tidy(1.234_567, 0.4), 1.2);
        assert_eq!(tidy(1.234_567, 0.01), 1.235);
        assert_eq!(tidy(-123.4, 30.0), -120.0);
        assert_eq!(tidy(1.0, f64::NAN), 0.0);
    }
}
