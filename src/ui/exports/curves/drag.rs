//! Dragging keys in value (with Alt in time too), and handles.

use super::super::board::Board;
use super::sampled::PegKeys;
use super::shape::dragged;
use super::values::ValueAxis;
use super::{unit, words};
use crate::edit::{Edit, NewHandles, TakeEdit};
use crate::model::Uid;
use crate::model::take::{Angles, AxisHandles, Channel};
use crate::ui::action::Action;
use crate::ui::cx::Cx;
use crate::ui::text;
use crate::ui::timeline::curves::drag::tidy;
use crate::ui::timeline::hand::signed;
use crate::ui::timeline::preview::Preview;
use eframe::egui::{Pos2, Ui};
use glam::{DQuat, DVec2, DVec3};
use std::collections::HashSet;
use std::sync::Arc;

/// Keys whose values are dragged, by what an edit of them is.
#[derive(Clone, Debug, Default)]
pub struct Dragged {
    /// Numbers that are added to.
    offsets: Vec<Uid>,
    /// Turns that quaternions rule: degrees as they are shown, and the quaternion.
    turns: Vec<(Uid, DVec3, DQuat)>,
    /// Channels that a key leaves out, with what counts there, in the file's unit.
    absent: Vec<(Uid, DVec3)>,
    /// Whether any of them has handles that go along.
    handles: bool,
}

impl Dragged {
    /// Sorts selected keys of a peg.
    pub fn add(&mut self, keys: &PegKeys, chosen: &HashSet<Uid>, channel: Channel) {
        let (curves, peg) = (&keys.curves, keys.curves.peg());
        for at in 0..curves.frames().len() {
            let Some(key) = peg.keyframes.get(curves.key_index(at)) else { continue };
            if !chosen.contains(&key.uid) {
                continue;
            }
            let shown = keys.values(at, channel);
            self.handles |= key.channel_handles(channel).is_some();
            if channel == Channel::Rot && keys.is_by_quat(at) {
                let quat = curves.at(curves.frames()[at]).rotation;
                self.turns.push((key.uid, shown, quat));
            } else if key.channel(channel).is_none() {
                let value =
                    if channel == Channel::Rot { curves.angles().of_degrees(shown) } else { shown };
                self.absent.push((key.uid, value));
            } else {
                self.offsets.push(key.uid);
            }
        }
    }

    /// The edits that add to one axis; `delta` is plotted (degrees).
    fn edits(&self, channel: Channel, axis: usize, delta: f64, angles: Angles) -> Vec<TakeEdit> {
        let mut edits = Vec::new();
        let mut by = DVec3::ZERO;
        by[axis] = delta;
        let file = if channel == Channel::Rot { angles.of_degrees(by) } else { by };
        if !self.offsets.is_empty() {
            let keys = self.offsets.clone();
            edits.push(TakeEdit::OffsetValues { keys, channel, delta: file });
        }
        if !self.absent.is_empty() {
            let new = |(uid, value): &(Uid, DVec3)| (*uid, (*value + file).to_array().map(Some));
            let keys = self.absent.iter().map(new).collect();
            edits.push(TakeEdit::SetValues { keys, channel });
        }
        let turned = |(uid, degrees, old): &(Uid, DVec3, DQuat)| {
            let new = angles.quat_of_degrees(*degrees + by)?;
            // On the side of the quaternion before (A3).
            Some((*uid, if new.dot(*old) < 0.0 { -new } else { new }))
        };
        let turns: Vec<_> = self.turns.iter().filter_map(turned).collect();
        if !turns.is_empty() {
            edits.push(TakeEdit::SetRotations { keys: turns });
        }
        edits
    }
}

/// What is dragged.
#[derive(Clone, Debug)]
pub enum What {
    /// Keys up and down one axis; with `free`, sideways too.
    Value {
        /// The keys by what an edit of them is.
        dragged: Arc<Dragged>,
        /// All of them.
        keys: Arc<Vec<Uid>>,
        /// The key under the pointer, and its frame before.
        anchor: (Uid, f64),
        /// Of what.
        channel: Channel,
        /// 0, 1, 2 for X, Y, Z.
        axis: usize,
        /// The plotted value before.
        from: f64,
        /// Alt: both ways.
        free: bool,
    },
    /// A handle.
    Handle {
        /// The key.
        key: Uid,
        /// Of what.
        channel: Channel,
        /// 0, 1, 2 for X, Y, Z.
        axis: usize,
        /// The one that leads to the next key.
        is_right: bool,
        /// Frame and plotted value of the key.
        at: DVec2,
        /// Both handles before, as frames and plotted values.
        before: AxisHandles,
        /// Where the handle was, in points, less where the pointer was.
        offset: [f32; 2],
    },
}

/// A drag under way.
#[derive(Clone, Debug)]
pub struct CurveDrag {
    what: What,
    angles: Angles,
    /// Where it began, in points.
    origin: Pos2,
    preview: Preview<[f64; 4]>,
}

impl CurveDrag {
    /// A drag that begins here.
    pub fn new(what: What, angles: Angles, origin: Pos2) -> CurveDrag {
        CurveDrag { what, angles, origin, preview: Preview::default() }
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
        let radians = |channel| cx.settings().show_radians && channel == Channel::Rot;
        let (amount, edits, tag, nothing) = match &self.what {
            What::Value { dragged, keys, anchor, channel, axis, from, free } => {
                let moved = -f64::from(pointer.y - self.origin.y) * values.per_point();
                let moved = match typed {
                    Some(typed) if radians(*channel) => typed.to_degrees(),
                    Some(typed) => typed,
                    None => tidy(moved, values.per_point()),
                };
                let (mut frames, mut snap) = (0.0, None);
                if *free && (pointer.x - self.origin.x).abs() >= 1.0 {
                    let wish =
                        board.frame_from_screen(pointer.x) - board.frame_from_screen(self.origin.x);
                    frames = (wish * 1e3).round() / 1e3;
                    if board.snaps(modifiers) {
                        frames = (anchor.1 + wish).round() - anchor.1;
                        snap = Some(anchor.0);
                    }
                }
                let mut edits = match moved == 0.0 {
                    true => Vec::new(),
                    false => dragged.edits(*channel, *axis, moved, self.angles),
                };
                if frames != 0.0 || edits.is_empty() {
                    let (keys, delta_frames) = (keys.to_vec(), frames);
                    edits.push(TakeEdit::MoveKeys { keys, delta_frames, snap });
                }
                let shown = if radians(*channel) { moved.to_radians() } else { moved };
                let mut tag = format!(
                    "{} {}  {}",
                    ["X", "Y", "Z"][*axis],
                    words(cx, board, *channel, from + moved),
                    signed(shown, 3),
                );
                if *free {
                    let frame = anchor.1 + frames;
                    let places = if (frame - frame.round()).abs() < 1e-3 { 0 } else { 2 };
                    tag = format!("frame {}  {tag}", text::number(frame, places));
                }
                let amount = [moved, frames, 0.0, 0.0];
                (amount, edits, tag, amount == [0.0; 4])
            }
            What::Handle { key, channel, axis, is_right, at, before, offset } => {
                let own = if *is_right { before.right } else { before.left };
                let moved = (pointer - self.origin).length() >= 1.0;
                let frame = board.frame_from_screen(pointer.x + offset[0]);
                let value = values.value_from_screen(pointer.y + offset[1]);
                let mut to =
                    DVec2::new((frame * 1e3).round() / 1e3, tidy(value, values.per_point()));
                if !moved {
                    to = own;
                }
                if let Some(typed) = typed {
                    let by = if radians(*channel) { typed.to_degrees() } else { typed };
                    to = DVec2::new(own.x, own.y + by);
                }
                let aligned = !modifiers.alt;
                let new = dragged(*before, *at, *is_right, to, aligned);
                let unit = |point: DVec2| match channel {
                    Channel::Rot => {
                        DVec2::new(point.x, self.angles.of_degrees(DVec3::splat(point.y)).x)
                    }
                    _ => point,
                };
                let handles = AxisHandles { left: unit(new.left), right: unit(new.right) };
                let handles = NewHandles {
                    key: *key,
                    channel: *channel,
                    axis: *axis,
                    handles: Some(handles),
                };
                let side = if *is_right { new.right } else { new.left };
                let tag = format!(
                    "{} handle {}  frame {}  {}",
                    if *is_right { "right" } else { "left" },
                    ["X", "Y", "Z"][*axis],
                    text::number(side.x, 2),
                    words(cx, board, *channel, side.y),
                );
                let edits = vec![TakeEdit::SetHandles { handles: vec![handles] }];
                let amount = [new.left.x, new.left.y, new.right.x, new.right.y];
                (amount, edits, tag, new == *before)
            }
        };
        let edit = || {
            let mut edits: Vec<Edit> = edits.into_iter().map(|edit| board.edit(edit)).collect();
            match edits.len() {
                1 => edits.remove(0),
                _ => {
                    let label = match amount[1] == 0.0 {
                        true => "Change keys".to_owned(),
                        false => "Move keys in time and value".to_owned(),
                    };
                    Edit::All { label, edits }
                }
            }
        };
        self.preview.show(ui, amount, nothing, edit, actions);
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
    pub fn hint(&self, cx: &Cx<'_>) -> String {
        let mut words = match &self.what {
            What::Value { free: true, .. } => "Both ways · Ctrl inverts snapping".to_owned(),
            What::Value { .. } => "This axis alone · type a number".to_owned(),
            What::Handle { .. } => "Both handles stay in line · Alt parts them".to_owned(),
        };
        if let What::Value { dragged, .. } = &self.what
            && dragged.handles
        {
            words += " · handles go along";
        }
        for note in cx.editor.gesture().iter().flat_map(|gesture| &gesture.notes) {
            words = format!("{words} · {note}");
        }
        words + " · Escape cancels"
    }
}

/// The handles of a key as frames and plotted values.
pub fn plotted(handles: AxisHandles, channel: Channel, angles: Angles) -> AxisHandles {
    let point = |point: DVec2| DVec2::new(point.x, unit(channel, angles) * point.y);
    AxisHandles { left: point(handles.left), right: point(handles.right) }
}
