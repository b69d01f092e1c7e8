//! What a hand does with a take's keys: clicks, boxes, and drags in time. A drag is one gesture
//! that takes a typed number, ends with the button and is cancelled by Escape.

use super::board::Board;
use super::select::{self, BoxMode, Spot};
use crate::edit::{Selection, TakeEdit};
use crate::model::Uid;
use crate::ui::action::Action;
use crate::ui::cx::Cx;
use crate::ui::timeline::hand::{signed, threshold};
use crate::ui::timeline::pointer;
use crate::ui::timeline::preview::Preview;
use crate::ui::{text, widgets};
use eframe::egui::{
    CornerRadius, CursorIcon, Key, Modifiers, PointerButton, Pos2, Rect, Response, Stroke,
    StrokeKind, Ui,
};
use std::sync::Arc;

/// What a drag does with the keys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// They move.
    Move,
    /// Copies of them move.
    Duplicate,
    /// They are stretched about a frame.
    Scale {
        /// What stays.
        pivot_frame: f64,
    },
    /// They, which are all from a frame on, move; not back beyond it.
    Ripple {
        /// So many frames back at most.
        most_back: f64,
    },
}

/// A gesture under way.
#[derive(Clone, Debug)]
pub struct Drag {
    kind: Kind,
    keys: Arc<Vec<Uid>>,
    /// The key that lands on whole frames, and its frame before.
    anchor: Option<(Uid, f64)>,
    /// The place and the frame where the pointer was when it began.
    origin: (Pos2, f64),
    /// How it is shown: by frames, or a factor.
    preview: Preview<f64>,
    /// Whether it goes on without a button, until a click.
    modal: bool,
}

/// A box that is being drawn.
#[derive(Clone, Debug)]
struct BoxDrag {
    from: Pos2,
    before: Selection,
    mode: BoxMode,
}

/// A press that is no drag yet.
#[derive(Clone, Copy, Debug)]
struct Press {
    pos: Pos2,
    hit: Option<Spot>,
    modifiers: Modifiers,
    was_selected: bool,
}

/// What the hand does; kept from frame to frame.
#[derive(Clone, Debug, Default)]
pub struct Hand {
    press: Option<Press>,
    drag: Option<Drag>,
    boxed: Option<BoxDrag>,
    /// The next drag draws a box wherever it begins.
    pub armed_box: bool,
    /// Where the menu of interpolation and handles is open.
    pub menu: Option<Pos2>,
    /// Nothing more until the button is up.
    spent: bool,
}

/// Begins a gesture; `anchor` is the key under the pointer.
fn begin(board: &Board<'_>, kind: Kind, keys: Vec<Uid>, anchor: Option<Spot>, at: Pos2) -> Drag {
    Drag {
        kind,
        keys: Arc::new(keys),
        anchor: anchor.map(|spot| (spot.key, spot.frame)),
        origin: (at, board.frame_from_screen(at.x)),
        preview: Preview::default(),
        modal: false,
    }
}

impl Drag {
    /// Shows what the gesture does; gives what its tag says, or `None` once it is over.
    fn update(
        &mut self,
        ui: &Ui,
        cx: &Cx<'_>,
        board: &Board<'_>,
        pos: Pos2,
        actions: &mut Vec<Action>,
    ) -> Option<String> {
        if !self.preview.goes_on(cx) {
            return None;
        }
        let (enter, modifiers) = self.preview.read(ui, false);
        let (delta, snap) = self.amount(board, pos, modifiers);
        let neutral = if let Kind::Scale { .. } = self.kind { 1.0 } else { 0.0 };
        let (kind, keys) = (self.kind, &self.keys);
        let edit = || {
            let keys = keys.to_vec();
            board.edit(match kind {
                Kind::Move | Kind::Ripple { .. } => {
                    TakeEdit::MoveKeys { keys, delta_frames: delta, snap }
                }
                Kind::Duplicate => TakeEdit::DuplicateKeys { keys, delta_frames: delta },
                Kind::Scale { pivot_frame } => {
                    TakeEdit::ScaleKeys { keys, pivot_frame, factor: delta }
                }
            })
        };
        self.preview.show(ui, delta, delta == neutral, edit, actions);
        if enter {
            self.preview.end(actions);
            return None;
        }
        let delta = self.preview.shown().unwrap_or(neutral);
        let places = |frames: f64| if (frames - frames.round()).abs() < 1e-3 { 0 } else { 2 };
        let mut tag = match kind {
            Kind::Scale { .. } => format!("× {}", text::number(delta, 3)),
            _ => format!("{} f", signed(delta, places(delta))),
        };
        if let (Some((_, frame)), false) = (self.anchor, matches!(kind, Kind::Scale { .. })) {
            let frame = frame + delta;
            tag = format!("frame {}  {tag}", text::number(frame, places(frame)));
        }
        Some(self.preview.tagged(tag))
    }

    /// The total change in frames, and the key that is on a whole frame then.
    fn amount(&self, board: &Board<'_>, pos: Pos2, modifiers: Modifiers) -> (f64, Option<Uid>) {
        let typed = self.preview.typed();
        if let Kind::Scale { pivot_frame } = self.kind {
            let from = self.origin.1 - pivot_frame;
            let to = board.frame_from_screen(pos.x) - pivot_frame;
            // A hand at the pivot stretches by what it goes, a hundred points a factor.
            let factor = match from.abs() > board.frames_per_point() * 20.0 {
                true => to / from,
                false => 1.0 + f64::from(pos.x - self.origin.0.x) / 100.0,
            };
            let rounded = (factor * 1e3).round() / 1e3;
            return (typed.unwrap_or(rounded.max(0.001)), None);
        }
        if let Kind::Ripple { most_back } = self.kind {
            let moved = board.frame_from_screen(pos.x) - self.origin.1;
            let step = if board.snaps(modifiers) { moved.round() } else { moved };
            return (typed.unwrap_or((step * 1e3).round() / 1e3).max(-most_back), None);
        }
        if let Some(typed) = typed {
            return (typed, None);
        }
        // A key that stands beside a frame is not pulled onto it before the hand has moved.
        if (pos.x - self.origin.0.x).abs() < 1.0 {
            return (0.0, None);
        }
        let moved = board.frame_from_screen(pos.x) - self.origin.1;
        match (board.snaps(modifiers), self.anchor) {
            (true, Some((key, frame))) => ((frame + moved).round() - frame, Some(key)),
            (true, None) => (moved.round(), None),
            // Finer than a pixel at any useful zoom, and short in the file.
            (false, _) => ((moved * 1e3).round() / 1e3, None),
        }
    }
}

impl Hand {
    /// Begins a gesture that follows the pointer without a button.
    pub fn grab(
        &mut self,
        board: &Board<'_>,
        kind: Kind,
        keys: Vec<Uid>,
        at: Pos2,
        actions: &mut Vec<Action>,
    ) {
        let mut drag = begin(board, kind, keys, None, at);
        drag.modal = true;
        actions.push(Action::Begin);
        self.drag = Some(drag);
    }

    /// One frame of the hand over the canvas.
    pub fn handle(
        &mut self,
        ui: &Ui,
        cx: &Cx<'_>,
        board: &Board<'_>,
        canvas: &Response,
        actions: &mut Vec<Action>,
    ) {
        let (down, pressed, escape) = ui.input(|input| {
            (
                input.pointer.button_down(PointerButton::Primary),
                input.pointer.button_pressed(PointerButton::Primary),
                input.key_pressed(Key::Escape),
            )
        });
        let Some(pos) = pointer(ui) else { return };
        if self.goes_on(ui, cx, board, actions) {
            return;
        }
        if let Some(boxed) = self.boxed.take() {
            draw_box(ui, cx, board, &boxed, pos, actions);
            if !down || escape {
                // What was just drawn is over.
                ui.ctx().request_repaint();
            }
            if escape {
                actions.push(Action::Select(boxed.before));
                self.spent = true;
            } else if down {
                self.boxed = Some(boxed);
            }
            return;
        }
        if escape {
            self.armed_box = false;
            self.press = None;
        }
        let on_canvas = canvas.is_pointer_button_down_on() || canvas.clicked();
        if pressed && on_canvas && !self.spent {
            let at = ui.input(|input| input.pointer.press_origin()).unwrap_or(pos);
            self.press(ui, cx, board, at, actions);
        }
        if let Some(press) = self.press.take() {
            if !down {
                click(cx, board, &press, actions);
            } else if press.pos.distance(pos) > threshold(ui) {
                self.start(cx, board, press, actions);
            } else {
                self.press = Some(press);
            }
        }
        if canvas.hovered() && !down {
            self.hover(ui, cx, board, pos, actions);
        }
    }

    /// Goes on with a gesture under way; gives whether there is one, or its button is still down.
    pub fn goes_on(
        &mut self,
        ui: &Ui,
        cx: &Cx<'_>,
        board: &Board<'_>,
        actions: &mut Vec<Action>,
    ) -> bool {
        let Some(pos) = pointer(ui) else { return false };
        let (down, pressed) = ui.input(|input| {
            (
                input.pointer.button_down(PointerButton::Primary),
                input.pointer.button_pressed(PointerButton::Primary),
            )
        });
        self.spent &= down;
        let Some(drag) = self.drag.take() else { return false };
        self.go_on(ui, cx, board, (drag, pos, down, pressed), actions);
        true
    }

    /// Begins a gesture that ends with the button.
    pub fn pull(
        &mut self,
        board: &Board<'_>,
        kind: Kind,
        keys: Vec<Uid>,
        anchor: Spot,
        at: Pos2,
        actions: &mut Vec<Action>,
    ) {
        actions.push(Action::Begin);
        self.drag = Some(begin(board, kind, keys, Some(anchor), at));
    }

    /// Whether nothing is done until the button is up.
    pub fn is_spent(&self) -> bool {
        self.spent
    }

    /// Nothing more is done until the button is up.
    pub fn spend(&mut self, down: bool) {
        self.spent = down;
    }

    fn go_on(
        &mut self,
        ui: &Ui,
        cx: &Cx<'_>,
        board: &Board<'_>,
        (mut drag, pos, down, pressed): (Drag, Pos2, bool, bool),
        actions: &mut Vec<Action>,
    ) {
        let Some(tag) = drag.update(ui, cx, board, pos, actions) else {
            self.spent = down;
            return;
        };
        let canvas = board.canvas;
        let painter = ui.painter().with_clip_rect(canvas.intersect(ui.clip_rect()));
        widgets::tag(&painter, cx.theme, pos, &tag, cx.theme.selection, canvas);
        let words = match drag.kind {
            Kind::Scale { .. } => "Type a factor · Escape cancels",
            _ if drag.modal => {
                "Click to place · type frames · Ctrl inverts snapping · Escape cancels"
            }
            _ => "Ctrl inverts snapping · type frames · handles go along · Escape cancels",
        };
        actions.push(Action::Hint(words.to_owned()));
        ui.ctx().set_cursor_icon(CursorIcon::ResizeHorizontal);
        let over = if drag.modal { pressed } else { !down };
        if over {
            drag.preview.end(actions);
            self.spent = down;
        } else {
            self.drag = Some(drag);
        }
    }

    fn press(
        &mut self,
        ui: &Ui,
        cx: &Cx<'_>,
        board: &Board<'_>,
        pos: Pos2,
        actions: &mut Vec<Action>,
    ) {
        let modifiers = ui.input(|input| input.modifiers);
        let selection = cx.selection();
        let hit = match self.armed_box {
            true => None,
            false => select::key_at(board, selection, pos),
        };
        let was_selected = hit.is_some_and(|s| selection.keys.contains(&(board.doc, s.key)));
        if let Some(spot) = hit
            && !was_selected
            && !modifiers.command
        {
            let next = select::with_keys(cx, board, &[spot], modifiers.shift);
            actions.push(Action::Select(next));
        }
        self.press = Some(Press { pos, hit, modifiers, was_selected });
    }

    /// A press that became a drag.
    fn start(&mut self, cx: &Cx<'_>, board: &Board<'_>, press: Press, actions: &mut Vec<Action>) {
        let Some(spot) = press.hit else {
            self.armed_box = false;
            let mode = match press.modifiers {
                m if m.command => BoxMode::Toggle,
                m if m.shift => BoxMode::Add,
                _ => BoxMode::Only,
            };
            let before = cx.selection().clone();
            self.boxed = Some(BoxDrag { from: press.pos, before, mode });
            return;
        };
        let mut keys = cx.selection().keys_of(board.doc);
        if !keys.contains(&spot.key) {
            // Ctrl was meant for the snapping: what is dragged is selected all the same.
            actions.push(Action::Select(select::with_keys(cx, board, &[spot], false)));
            keys = vec![spot.key];
        }
        let kind = if press.modifiers.alt { Kind::Duplicate } else { Kind::Move };
        actions.push(Action::Begin);
        self.drag = Some(begin(board, kind, keys, Some(spot), press.pos));
    }

    fn hover(&self, ui: &Ui, cx: &Cx<'_>, board: &Board<'_>, pos: Pos2, actions: &mut Vec<Action>) {
        let words = if self.armed_box {
            ui.ctx().set_cursor_icon(CursorIcon::Crosshair);
            "Drag a box around keys · Escape cancels".to_owned()
        } else if select::key_at(board, cx.selection(), pos).is_some() {
            ui.ctx().set_cursor_icon(CursorIcon::Grab);
            let snaps = if board.view.snap { "Ctrl snaps off" } else { "Ctrl snaps on" };
            format!("Drag to move · {snaps} · Alt+drag copies")
        } else {
            "Drag a box to select · wheel zooms · Shift+wheel pans".to_owned()
        };
        actions.push(Action::Hint(words));
    }
}

/// A press that ended where it began.
fn click(cx: &Cx<'_>, board: &Board<'_>, press: &Press, actions: &mut Vec<Action>) {
    let Press { hit, modifiers, was_selected, .. } = *press;
    match hit {
        Some(spot) if modifiers.command => {
            actions.push(Action::Select(select::toggled(cx, board, spot)));
        }
        Some(spot) if was_selected && !modifiers.shift => {
            actions.push(Action::Select(select::with_keys(cx, board, &[spot], false)));
        }
        Some(_) => {}
        None if modifiers.shift || modifiers.command => {}
        None => {
            let old = cx.selection();
            if !(old.keys.is_empty() && old.tracks.is_empty()) {
                let (keys, tracks) = Default::default();
                actions.push(Action::Select(Selection { keys, tracks, ..old.clone() }));
            }
        }
    }
}

fn draw_box(
    ui: &Ui,
    cx: &Cx<'_>,
    board: &Board<'_>,
    boxed: &BoxDrag,
    pos: Pos2,
    actions: &mut Vec<Action>,
) {
    let rect = Rect::from_two_pos(boxed.from, pos);
    let painter = ui.painter().with_clip_rect(board.canvas.intersect(ui.clip_rect()));
    let accent = cx.theme.accent;
    painter.rect_filled(rect, CornerRadius::ZERO, accent.gamma_multiply(0.12));
    let stroke = Stroke::new(1.0, accent);
    painter.rect_stroke(rect, CornerRadius::ZERO, stroke, StrokeKind::Inside);
    let spots = select::keys_in(board, rect);
    let selection = select::boxed(board, &boxed.before, boxed.mode, &spots);
    if selection != *cx.selection() {
        actions.push(Action::Select(selection));
    }
    let words = format!("{} in the box · Escape cancels", text::count(spots.len(), "key", "keys"));
    actions.push(Action::Hint(words));
}
