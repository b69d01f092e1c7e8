//! What a hand does on a canvas of keys over time, dope sheet or curves: it presses, clicks, drags,
//! draws boxes. What lies on the canvas is the panel's own.

use super::board::{Board, pointer};
use super::hand::{self, BoxDrag, Hand, Press};
use super::pick;
use crate::model::Uid;
use crate::ui::action::Action;
use crate::ui::cx::Cx;
use crate::ui::{text, widgets};
use eframe::egui::{
    CornerRadius, CursorIcon, Key, Painter, PointerButton, Pos2, Rect, Response, Stroke,
    StrokeKind, Ui,
};

/// A canvas in one frame.
pub trait Canvas {
    /// What a press can hit.
    type Hit;

    /// The canvas.
    fn board(&self) -> &Board<'_>;
    /// Where it is shown.
    fn ui(&self) -> &Ui;
    /// What panels read.
    fn cx(&self) -> &Cx<'_>;
    /// What a press hits where nothing is.
    fn nothing(&self) -> Self::Hit;
    /// What is at a place, and whether it is selected.
    fn hit(&self, pos: Pos2) -> (Self::Hit, bool);
    /// A press has begun.
    fn press(&mut self, press: &Press<Self::Hit>, actions: &mut Vec<Action>);
    /// A press has ended where it began.
    fn click(&self, press: &Press<Self::Hit>, actions: &mut Vec<Action>);
    /// A press has become a drag, which is at a place now.
    fn start(
        &mut self,
        press: Press<Self::Hit>,
        now: Pos2,
        hand: &mut Hand,
        actions: &mut Vec<Action>,
    );
    /// The keys in a box.
    fn keys_in(&self, rect: Rect) -> Vec<Uid>;
    /// Whether what is shown follows the selected tracks, so that a box must not take them away.
    fn shows_selected(&self) -> bool;
    /// The pointer is over a place, with no button.
    fn hover(&self, pos: Pos2, hand: &Hand, actions: &mut Vec<Action>);
    /// Goes on with a drag that only this canvas knows; false where there is none.
    fn go_on(&mut self, _: Pos2, _: bool, _: &mut Hand, _: &mut Vec<Action>) -> bool {
        false
    }
}

/// The painter of what lies on a canvas.
pub fn painter(ui: &Ui, board: &Board<'_>) -> Painter {
    ui.painter().with_clip_rect(board.canvas.intersect(ui.clip_rect()))
}

/// Shows the number of a drag, and what can be done meanwhile.
pub fn tell(canvas: &impl Canvas, (pos, tag, hint): (Pos2, &str, &str), actions: &mut Vec<Action>) {
    let (board, theme) = (canvas.board(), canvas.cx().theme);
    let painter = painter(canvas.ui(), board);
    widgets::tag(&painter, theme, pos, tag, theme.selection, board.canvas);
    actions.push(Action::Hint(hint.to_owned()));
}

/// Follows the hand through one frame.
pub fn follow<C: Canvas>(
    canvas: &mut C,
    response: &Response,
    hand: &mut Hand,
    press: &mut Option<Press<C::Hit>>,
    actions: &mut Vec<Action>,
) {
    let (down, pressed, escape, modifiers) = canvas.ui().input(|input| {
        (
            input.pointer.button_down(PointerButton::Primary),
            input.pointer.button_pressed(PointerButton::Primary),
            input.key_pressed(Key::Escape),
            input.modifiers,
        )
    });
    let Some(pos) = pointer(canvas.ui()) else { return };
    if hand.spent {
        hand.spent = down;
    }
    if canvas.go_on(pos, down, hand, actions) {
        return;
    }
    if let Some(mut drag) = hand.drag.take() {
        let tag = drag.update(canvas.ui(), canvas.cx(), canvas.board(), pos, actions);
        let Some(tag) = tag else {
            hand.spent = down;
            return;
        };
        tell(canvas, (pos, &tag, drag.hint()), actions);
        canvas.ui().ctx().set_cursor_icon(CursorIcon::ResizeHorizontal);
        let over = if drag.modal { pressed } else { !down };
        if over {
            drag.end(actions);
            hand.spent = down;
        } else {
            hand.drag = Some(drag);
        }
        return;
    }
    if let Some(boxed) = hand.boxed.take() {
        draw_box(canvas, &boxed, pos, actions);
        if !down || escape {
            // What was just drawn is over.
            canvas.ui().ctx().request_repaint();
        }
        if escape {
            actions.push(Action::Select(boxed.before));
            hand.spent = true;
        } else if down {
            hand.boxed = Some(boxed);
        }
        return;
    }
    if escape {
        hand.armed_box = false;
        *press = None;
    }
    let on_canvas = response.is_pointer_button_down_on() || response.clicked();
    if pressed && on_canvas && !hand.spent {
        let pos = canvas.ui().input(|input| input.pointer.press_origin()).unwrap_or(pos);
        let (hit, was_selected) = match hand.armed_box {
            true => (canvas.nothing(), false),
            false => canvas.hit(pos),
        };
        let begun = Press { pos, hit, modifiers, was_selected };
        canvas.press(&begun, actions);
        *press = Some(begun);
    }
    if let Some(begun) = press.take() {
        if !down {
            canvas.click(&begun, actions);
        } else if begun.pos.distance(pos) > hand::threshold(canvas.ui()) {
            canvas.start(begun, pos, hand, actions);
        } else {
            *press = Some(begun);
        }
    }
    if response.hovered() && !down {
        if hand.armed_box {
            canvas.ui().ctx().set_cursor_icon(CursorIcon::Crosshair);
            let words = "Drag a box around keys · Escape cancels".to_owned();
            actions.push(Action::Hint(words));
        } else {
            canvas.hover(pos, hand, actions);
        }
    }
}

/// A box begins where a press hit nothing.
pub fn begin_box<H>(cx: &Cx<'_>, press: &Press<H>, hand: &mut Hand) {
    hand.armed_box = false;
    hand.boxed = Some(BoxDrag {
        from: press.pos,
        before: cx.selection().clone(),
        add: press.modifiers.shift,
        toggle: press.modifiers.command,
    });
}

fn draw_box(canvas: &impl Canvas, boxed: &BoxDrag, pos: Pos2, actions: &mut Vec<Action>) {
    let (board, cx) = (canvas.board(), canvas.cx());
    let rect = Rect::from_two_pos(boxed.from, pos);
    let painter = painter(canvas.ui(), board);
    let accent = cx.theme.accent;
    painter.rect_filled(rect, CornerRadius::ZERO, accent.gamma_multiply(0.12));
    let stroke = Stroke::new(1.0, accent);
    painter.rect_stroke(rect, CornerRadius::ZERO, stroke, StrokeKind::Inside);
    let keys = canvas.keys_in(rect);
    let mut selection = pick::boxed(cx, board, boxed, &keys);
    if canvas.shows_selected() {
        selection.tracks.extend(boxed.before.tracks.iter().copied());
    }
    if selection != *cx.selection() {
        actions.push(Action::Select(selection));
    }
    let keys = text::count(keys.len(), "key", "keys");
    actions.push(Action::Hint(format!("{keys} in the box · Escape cancels")));
}
