//! What a hand does with the curves of an export: what is under the pointer, clicks, boxes, drags;
//! and the names of keys and handles.

use super::super::board::Board;
use super::super::hand::{Hand, Kind};
use super::super::select::Spot as KeySpot;
use super::drag::{CurveDrag, Dragged, What, plotted};
use super::kept::{Curve, Kept, keys_within, pairs};
use super::shape::{Shape, handles as shaped};
use super::unit;
use super::values::ValueAxis;
use crate::edit::{Selected, Selection};
use crate::model::Uid;
use crate::model::take::{AxisHandles, Channel};
use crate::sample::take::ShownHandle;
use crate::ui::action::Action;
use crate::ui::cx::Cx;
use crate::ui::timeline::hand::threshold;
use crate::ui::timeline::{REACH, pointer};
use crate::ui::{text, widgets};
use eframe::egui::{
    CornerRadius, CursorIcon, Key, Modifiers, PointerButton, Pos2, Rect, Response, Role, Sense,
    Shape as Drawing, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2,
};
use glam::DVec2;
use std::collections::HashSet;
use std::sync::Arc;

/// Keys that are widgets of their own; where there are more, a channel of a peg is one.
const MOST_WIDGETS: usize = 2000;
/// Handles that are drawn: more keys are selected to be moved, not to be shaped one by one.
const MOST_HANDLES: usize = 400;

/// A key on one curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// The peg's place among those that are shown.
    row: usize,
    /// The key's place in the order of frames.
    key: usize,
    channel: Channel,
    axis: usize,
}

/// A handle that is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Handle {
    spot: Spot,
    is_right: bool,
    /// Frames and values in the file's unit.
    shown: ShownHandle,
}

/// What a press hit.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Hit {
    Key(Spot),
    Handle(Handle),
    Empty,
}

#[derive(Clone, Copy, Debug)]
struct Press {
    pos: Pos2,
    hit: Hit,
    modifiers: Modifiers,
    was_selected: bool,
}

#[derive(Clone, Debug)]
struct BoxDrag {
    from: Pos2,
    before: Selection,
    modifiers: Modifiers,
}

/// What the hand does; kept from frame to frame.
#[derive(Clone, Debug, Default)]
pub struct CurveHand {
    press: Option<Press>,
    drag: Option<CurveDrag>,
    boxed: Option<BoxDrag>,
    held: Option<(f64, f64)>,
    /// The curve that was last taken in hand.
    pub focus: Option<Curve>,
    /// The curves before the change are not drawn.
    pub without_before: bool,
}

impl CurveHand {
    /// The values that stay in sight while a hand drags.
    pub fn held_values(&self) -> Option<(f64, f64)> {
        self.held.filter(|_| self.drag.is_some())
    }

    /// Keeps the values that are in sight for a drag that begins.
    pub fn hold_values(&mut self, values: &ValueAxis) {
        if self.drag.is_none() {
            self.held = Some((values.low, values.high));
        }
    }
}

/// What the hand works with in one frame.
pub struct Panel<'a, 'b> {
    /// The panel.
    pub ui: &'a Ui,
    /// What is read.
    pub cx: &'a Cx<'b>,
    /// Where everything stands.
    pub board: &'a Board<'b>,
    /// The axis of values.
    pub values: ValueAxis,
    /// Pegs, lines, selected keys.
    pub kept: &'a Kept,
    /// Which of pos, rot and scl are shown.
    pub channels: [bool; 3],
}

impl Panel<'_, '_> {
    fn frame_of(&self, spot: Spot) -> f64 {
        self.kept.pegs[spot.row].keys.curves.frames()[spot.key]
    }

    fn value_of(&self, spot: Spot) -> f64 {
        self.kept.pegs[spot.row].keys.value(spot.key, spot.channel, spot.axis)
    }

    fn place(&self, spot: Spot) -> Pos2 {
        let y = self.values.screen_from_value(self.value_of(spot));
        pos2(self.board.screen_from_frame(self.frame_of(spot)), y)
    }

    fn uid(&self, spot: Spot) -> Uid {
        let curves = &self.kept.pegs[spot.row].keys.curves;
        curves.peg().keyframes[curves.key_index(spot.key)].uid
    }

    fn curve(&self, spot: Spot) -> Curve {
        let peg = self.kept.pegs[spot.row].keys.curves.peg().uid;
        Curve { peg, channel: spot.channel, axis: spot.axis }
    }

    fn label(&self, row: usize) -> &str {
        let at = self.kept.pegs[row].at;
        self.board.rig.labels().get(at).map_or("", String::as_str)
    }

    /// The keys of the curves that are shown, between two frames.
    fn spots(&self, from: f64, to: f64) -> impl Iterator<Item = Spot> {
        self.kept.pegs.iter().enumerate().flat_map(move |(row, shown)| {
            keys_within(&shown.keys.curves, from, to).flat_map(move |key| {
                let shown = pairs(self.channels, self.board.view.channels);
                shown.map(move |(channel, axis)| Spot { row, key, channel, axis })
            })
        })
    }

    /// The handles of the selected keys: those of the curve in hand, otherwise of all curves.
    pub fn handles(&self, focus: Option<Curve>) -> Vec<Handle> {
        let mut handles = Vec::new();
        if self.kept.chosen.is_empty() || self.kept.chosen.len() > MOST_HANDLES {
            return handles;
        }
        let (from, to) = self.board.seen_frames();
        for spot in self.spots(from, to) {
            if focus.is_some_and(|focus| focus != self.curve(spot))
                || !self.kept.chosen.contains(&self.uid(spot))
            {
                continue;
            }
            let curves = &self.kept.pegs[spot.row].keys.curves;
            let at = |key: usize| curves.segment_handles(key, spot.channel, spot.axis);
            if let Some([_, shown]) = spot.key.checked_sub(1).and_then(at) {
                handles.push(Handle { spot, is_right: false, shown });
            }
            if let Some([shown, _]) = at(spot.key) {
                handles.push(Handle { spot, is_right: true, shown });
            }
            if handles.len() > MOST_HANDLES {
                return Vec::new();
            }
        }
        handles
    }

    fn handle_point(&self, handle: &Handle, point: DVec2) -> Pos2 {
        let angles = self.kept.pegs[handle.spot.row].keys.curves.angles();
        let y = point.y * unit(handle.spot.channel, angles);
        pos2(self.board.screen_from_frame(point.x), self.values.screen_from_value(y))
    }

    /// Where a handle is taken: as it is written, otherwise where it counts; there too where the
    /// place that is written is out of sight.
    fn handle_place(&self, handle: &Handle) -> Pos2 {
        let effective = || self.handle_point(handle, handle.shown.effective);
        let Some(written) = handle.shown.written else { return effective() };
        let at = self.handle_point(handle, written);
        match handle.shown.is_corrected() && !self.board.canvas.contains(at) {
            true => effective(),
            false => at,
        }
    }

    /// Draws handles; one that evaluation corrects (A12) with the place where it counts.
    pub fn paint_handles(&self, handles: &[Handle]) {
        let canvas = self.board.canvas;
        let painter = self.ui.painter().with_clip_rect(canvas.intersect(self.ui.clip_rect()));
        let theme = self.cx.theme;
        for handle in handles {
            let (base, at) = (self.place(handle.spot), self.handle_place(handle));
            let corrected = handle.shown.is_corrected();
            let color = if corrected { theme.error } else { theme.selection };
            let effective = self.handle_point(handle, handle.shown.effective);
            let line = Stroke::new(1.0, theme.selection.gamma_multiply(0.8));
            painter.line_segment([base, effective], line);
            if corrected {
                let written = handle.shown.written.unwrap_or(handle.shown.effective);
                let at = self.handle_point(handle, written);
                let dashes =
                    Drawing::dashed_line(&[effective, at], Stroke::new(1.0, color), 3.0, 3.0);
                painter.extend(dashes);
                painter.circle_filled(effective, 3.0, theme.selection);
            }
            // What nobody wrote is there to be taken, and paler.
            let part = if handle.shown.written.is_some() { 1.0 } else { 0.55 };
            let ring = Stroke::new(1.5, color.gamma_multiply(part));
            painter.circle(at, 4.5, theme.ground, ring);
            if corrected {
                let d = vec2(2.5, 2.5);
                painter.line_segment([at - d, at + d], Stroke::new(1.2, color));
            }
            let rect = Rect::from_center_size(at, vec2(16.0, 16.0)).intersect(canvas);
            if !rect.is_positive() {
                continue;
            }
            let spot = handle.spot;
            let id = ("handle", self.uid(spot).0, super::place(spot.channel), spot.axis);
            let id = self.ui.scope_id().with((id, handle.is_right));
            let response = self.ui.interact(rect, id, Sense::hover());
            response.widget_info(|| {
                let side = if handle.is_right { "Right" } else { "Left" };
                let end = match (corrected, handle.shown.written) {
                    (true, _) => {
                        let frame = text::number(handle.shown.effective.x, 2);
                        format!(", corrected: it counts at frame {frame}")
                    }
                    (false, None) => ", automatic".to_owned(),
                    (false, Some(_)) => String::new(),
                };
                let name = format!("{side} handle of {}{end}", self.spot_name(spot));
                WidgetInfo::labeled(Role::Slider, true, name)
            });
        }
    }

    fn spot_name(&self, spot: Spot) -> String {
        let axis = ["X", "Y", "Z"][spot.axis];
        let label = text::name(self.label(spot.row));
        let (channel, frame) = (spot.channel.as_str(), self.frame_of(spot));
        format!("{label} {channel} {axis}, key at frame {frame}")
    }

    /// Names for keys, so that they can be read aloud and found.
    pub fn widgets_of_keys(&self) {
        let canvas = self.board.canvas;
        let from = self.board.frame_from_screen(canvas.left());
        let to = self.board.frame_from_screen(canvas.right());
        if self.spots(from, to).take(MOST_WIDGETS + 1).count() > MOST_WIDGETS {
            for (row, shown) in self.kept.pegs.iter().enumerate() {
                let keys = shown.keys.curves.frames().len();
                for channel in Channel::ALL {
                    let at = super::place(channel);
                    let id = ("curve", shown.keys.curves.peg().uid.0, at);
                    if !self.channels[at] || row * 3 + at >= MOST_WIDGETS {
                        continue;
                    }
                    let id = self.ui.scope_id().with(id);
                    let response = self.ui.interact(canvas, id, Sense::hover());
                    response.widget_info(|| {
                        let keys = text::count(keys, "key", "keys");
                        let label = text::name(self.label(row));
                        let name = format!("Curves of {label} {}, {keys}", channel.as_str());
                        WidgetInfo::labeled(Role::ListItem, true, name)
                    });
                }
            }
            return;
        }
        for spot in self.spots(from, to) {
            let rect = Rect::from_center_size(self.place(spot), vec2(16.0, 16.0)).intersect(canvas);
            if !rect.is_positive() {
                continue;
            }
            let uid = self.uid(spot);
            let id = ("spot", uid.0, super::place(spot.channel), spot.axis);
            let response = self.ui.interact(rect, self.ui.scope_id().with(id), Sense::hover());
            response.widget_info(|| {
                let chosen = self.kept.chosen.contains(&uid);
                WidgetInfo::selected(Role::ListItem, true, chosen, self.spot_name(spot))
            });
        }
    }

    fn hit(&self, pos: Pos2, handles: &[Handle], focus: Option<Curve>) -> Hit {
        if !self.board.canvas.contains(pos) {
            return Hit::Empty;
        }
        let [from, to] = [pos.x - REACH, pos.x + REACH].map(|x| self.board.frame_from_screen(x));
        let mut best: Option<((bool, bool, f32), Spot)> = None;
        for spot in self.spots(from, to) {
            let far = self.place(spot).distance(pos);
            // What is no number is nowhere.
            if far.is_nan() || far > REACH {
                continue;
            }
            let other = focus != Some(self.curve(spot));
            let rank = (!self.kept.chosen.contains(&self.uid(spot)), other, far);
            if best.is_none_or(|(old, _)| rank < old) {
                best = Some((rank, spot));
            }
        }
        let near = |handle: &&Handle| self.handle_place(handle).distance(pos);
        let handle = handles.iter().min_by(|a, b| near(a).total_cmp(&near(b)));
        let handle = handle.filter(|handle| near(handle) <= REACH + 1.0);
        match (best, handle) {
            (Some(((_, _, far), spot)), Some(handle)) if far <= near(&handle) => Hit::Key(spot),
            (_, Some(handle)) => Hit::Handle(*handle),
            (Some((_, spot)), None) => Hit::Key(spot),
            (None, None) => Hit::Empty,
        }
    }

    /// One frame of the hand over the canvas.
    pub fn handle(
        &self,
        canvas: &Response,
        handles: &[Handle],
        hand: &mut Hand,
        curves: &mut CurveHand,
        actions: &mut Vec<Action>,
    ) {
        let (ui, cx, board) = (self.ui, self.cx, self.board);
        let (down, pressed, escape, modifiers) = ui.input(|input| {
            (
                input.pointer.button_down(PointerButton::Primary),
                input.pointer.button_pressed(PointerButton::Primary),
                input.key_pressed(Key::Escape),
                input.modifiers,
            )
        });
        let Some(pos) = pointer(ui) else { return };
        if hand.goes_on(ui, cx, board, actions) {
            return;
        }
        let painter = ui.painter().with_clip_rect(board.canvas.intersect(ui.clip_rect()));
        if let Some(mut drag) = curves.drag.take() {
            let Some(tag) = drag.update(ui, cx, board, &self.values, pos, actions) else {
                hand.spend(down);
                return;
            };
            widgets::tag(&painter, cx.theme, pos, &tag, cx.theme.selection, board.canvas);
            actions.push(Action::Hint(drag.hint(cx)));
            if down {
                curves.drag = Some(drag);
            } else {
                drag.end(actions);
            }
            return;
        }
        if let Some(boxed) = curves.boxed.take() {
            self.draw_box(&painter, &boxed, pos, actions);
            if !down || escape {
                // What was just drawn is over.
                ui.ctx().request_repaint();
            }
            if escape {
                actions.push(Action::Select(boxed.before));
                hand.spend(down);
            } else if down {
                curves.boxed = Some(boxed);
            }
            return;
        }
        if escape {
            hand.armed_box = false;
            curves.press = None;
        }
        let on_canvas = canvas.is_pointer_button_down_on() || canvas.clicked();
        if pressed && on_canvas && !hand.is_spent() {
            let at = ui.input(|input| input.pointer.press_origin()).unwrap_or(pos);
            let hit = match hand.armed_box {
                true => Hit::Empty,
                false => self.hit(at, handles, curves.focus),
            };
            let mut was_selected = false;
            if let Hit::Key(spot) = hit {
                let uid = self.uid(spot);
                was_selected = self.kept.chosen.contains(&uid);
                curves.focus = Some(self.curve(spot));
                if !was_selected && !modifiers.command {
                    actions.push(Action::Select(self.with_key(spot, modifiers.shift)));
                }
            }
            curves.press = Some(Press { pos: at, hit, modifiers, was_selected });
        }
        if let Some(press) = curves.press.take() {
            if !down {
                self.click(&press, curves, actions);
            } else if press.pos.distance(pos) > threshold(ui) {
                self.start(press, pos, hand, curves, actions);
            } else {
                curves.press = Some(press);
            }
        }
        if canvas.hovered() && !down {
            self.hover(self.hit(pos, handles, curves.focus), hand, actions);
        }
    }

    /// The selection with this key; the pegs that are shown stay shown.
    fn with_key(&self, spot: Spot, add: bool) -> Selection {
        let mut selection = self.cx.selection().clone();
        if !add {
            selection.keys.clear();
            selection.tracks.clear();
        }
        selection.keys.insert((self.board.doc, self.uid(spot)));
        self.mark(&mut selection, spot);
        selection
    }

    fn mark(&self, selection: &mut Selection, spot: Spot) {
        let peg = self.curve(spot).peg;
        let node = Selected::Node(self.board.doc, peg);
        selection.tracks.insert((self.board.doc, peg));
        selection.nodes.insert(node.clone());
        selection.active = Some(node);
    }

    fn click(&self, press: &Press, curves: &mut CurveHand, actions: &mut Vec<Action>) {
        let with = press.modifiers;
        let old = self.cx.selection();
        match press.hit {
            Hit::Key(spot) if with.command => {
                let mut selection = old.clone();
                let key = (self.board.doc, self.uid(spot));
                if !selection.keys.remove(&key) {
                    selection.keys.insert(key);
                    self.mark(&mut selection, spot);
                }
                actions.push(Action::Select(selection));
            }
            Hit::Key(spot) if press.was_selected && !with.shift => {
                actions.push(Action::Select(self.with_key(spot, false)));
            }
            Hit::Empty if !with.shift && !with.command => {
                // The curves stay: without them there would be nothing to click on.
                curves.focus = None;
                if !old.keys.is_empty() {
                    let (keys, tracks) = Default::default();
                    actions.push(Action::Select(Selection { keys, tracks, ..old.clone() }));
                }
            }
            _ => {}
        }
    }

    fn start(
        &self,
        press: Press,
        now: Pos2,
        hand: &mut Hand,
        curves: &mut CurveHand,
        actions: &mut Vec<Action>,
    ) {
        let board = self.board;
        match press.hit {
            Hit::Empty => {
                hand.armed_box = false;
                let before = self.cx.selection().clone();
                let modifiers = press.modifiers;
                curves.boxed = Some(BoxDrag { from: press.pos, before, modifiers });
            }
            Hit::Handle(handle) => {
                curves.focus = Some(self.curve(handle.spot));
                if let Some(drag) = self.drag_of_handle(&handle, press.pos) {
                    actions.push(Action::Begin);
                    curves.drag = Some(drag);
                }
            }
            Hit::Key(spot) => {
                let uid = self.uid(spot);
                let mut keys = self.cx.selection().keys_of(board.doc);
                if !keys.contains(&uid) {
                    // Ctrl was meant for the snapping: what is dragged is selected all the same.
                    actions.push(Action::Select(self.with_key(spot, false)));
                    keys = vec![uid];
                }
                let moved = now - press.pos;
                let free = self.ui.input(|input| input.modifiers.alt);
                let frame = self.frame_of(spot);
                if !free && moved.x.abs() >= moved.y.abs() {
                    let peg = self.curve(spot).peg;
                    let anchor = KeySpot { peg, key: uid, frame };
                    hand.pull(board, Kind::Move, keys, anchor, press.pos, actions);
                    return;
                }
                let chosen: HashSet<Uid> = keys.iter().copied().collect();
                let mut dragged = Dragged::default();
                for shown in &self.kept.pegs {
                    dragged.add(&shown.keys, &chosen, spot.channel);
                }
                let what = What::Value {
                    dragged: Arc::new(dragged),
                    keys: Arc::new(keys),
                    anchor: (uid, frame),
                    channel: spot.channel,
                    axis: spot.axis,
                    from: self.value_of(spot),
                    free,
                };
                let angles = self.kept.pegs[spot.row].keys.curves.angles();
                actions.push(Action::Begin);
                curves.drag = Some(CurveDrag::new(what, angles, press.pos));
            }
        }
    }

    fn drag_of_handle(&self, handle: &Handle, origin: Pos2) -> Option<CurveDrag> {
        let spot = handle.spot;
        let curves = &self.kept.pegs[spot.row].keys.curves;
        let angles = curves.angles();
        let index = curves.key_index(spot.key);
        let written = curves.peg().keyframes.get(index).and_then(|key| {
            let axes = key.channel_handles(spot.channel)?;
            axes[spot.axis]
        });
        // Where none is written the automatic ones are taken in hand.
        let before: AxisHandles = match written {
            Some(written) => written,
            None => shaped(curves, spot.key, spot.channel, spot.axis, Shape::Free)??,
        };
        let at = self.handle_place(handle);
        let what = What::Handle {
            key: self.uid(spot),
            channel: spot.channel,
            axis: spot.axis,
            is_right: handle.is_right,
            at: DVec2::new(self.frame_of(spot), self.value_of(spot)),
            before: plotted(before, spot.channel, angles),
            offset: [at.x - origin.x, at.y - origin.y],
        };
        Some(CurveDrag::new(what, angles, origin))
    }

    fn draw_box(
        &self,
        painter: &eframe::egui::Painter,
        boxed: &BoxDrag,
        pos: Pos2,
        actions: &mut Vec<Action>,
    ) {
        let rect = Rect::from_two_pos(boxed.from, pos);
        let accent = self.cx.theme.accent;
        painter.rect_filled(rect, CornerRadius::ZERO, accent.gamma_multiply(0.12));
        let stroke = Stroke::new(1.0, accent);
        painter.rect_stroke(rect, CornerRadius::ZERO, stroke, StrokeKind::Inside);
        let [from, to] = [rect.left(), rect.right()].map(|x| self.board.frame_from_screen(x));
        let inside =
            self.spots(from, to).filter(|spot| rect.y_range().contains(self.place(*spot).y));
        let keys: HashSet<Uid> = inside.map(|spot| self.uid(spot)).collect();
        let mut selection = boxed.before.clone();
        let found = keys.iter().map(|key| (self.board.doc, *key));
        match boxed.modifiers {
            with if with.command => {
                let found = found.collect();
                selection.keys = selection.keys.symmetric_difference(&found).copied().collect();
            }
            with if with.shift => selection.keys.extend(found),
            _ => {
                selection.keys = found.collect();
                selection.tracks.clear();
            }
        }
        if selection != *self.cx.selection() {
            actions.push(Action::Select(selection));
        }
        let keys = text::count(keys.len(), "key", "keys");
        actions.push(Action::Hint(format!("{keys} in the box · Escape cancels")));
    }

    fn hover(&self, hit: Hit, hand: &Hand, actions: &mut Vec<Action>) {
        let words = match hit {
            _ if hand.armed_box => {
                self.ui.ctx().set_cursor_icon(CursorIcon::Crosshair);
                "Drag a box around keys · Escape cancels".to_owned()
            }
            Hit::Key(_) => {
                self.ui.ctx().set_cursor_icon(CursorIcon::Grab);
                "Sideways moves the key in time, up and down this axis · Alt frees both · Ctrl \
                 inverts snapping"
                    .to_owned()
            }
            Hit::Handle(handle) => {
                self.ui.ctx().set_cursor_icon(CursorIcon::Grab);
                match handle.shown.is_corrected() {
                    true => {
                        "This handle is on the wrong side or longer than its segment: it counts \
                         where the dot is"
                            .to_owned()
                    }
                    false => "Drag to shape the curve · Alt parts the two handles".to_owned(),
                }
            }
            Hit::Empty => {
                "Drag a box to select · wheel zooms time, Ctrl+wheel values · Shift+wheel \
                           pans"
                    .to_owned()
            }
        };
        actions.push(Action::Hint(words));
    }
}
