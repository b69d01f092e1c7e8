//! The ruler of a take: its own frame numbers, and the place that scrubs.

use super::board::Board;
use crate::ui::action::Action;
use crate::ui::cx::Cx;
use crate::ui::text;
use crate::ui::theme::{self, Theme};
use crate::ui::timeline::axis::TimeAxis;
use crate::ui::timeline::{pointer, wheel};
use eframe::egui::{
    Align2, CornerRadius, CursorIcon, Key, PointerButton, Rect, Role, Sense, Stroke, Ui,
    WidgetInfo, pos2,
};

/// Where the playhead was when scrubbing began, for Escape.
#[derive(Clone, Copy, Debug)]
struct Scrub {
    from_secs: f64,
    cancelled: bool,
}

/// Shows the ruler.
pub fn show(ui: &mut Ui, cx: &Cx<'_>, board: &Board<'_>, actions: &mut Vec<Action>) {
    paint(ui, cx, board);
    let id = ui.scope_id().with("ruler");
    let response = ui.interact(board.ruler, id, Sense::click_and_drag());
    response.widget_info(|| {
        let frame = board.frame_from_secs(cx.playhead_secs());
        let mut info = WidgetInfo::slider(true, frame, "Ruler");
        info.role = Role::Slider;
        info
    });
    let (pressed, down, escape, modifiers) = ui.input(|input| {
        (
            input.pointer.primary_pressed() || input.pointer.primary_clicked(),
            input.pointer.button_down(PointerButton::Primary),
            input.key_pressed(Key::Escape),
            input.modifiers,
        )
    });
    if (response.is_pointer_button_down_on() && down) || response.clicked() {
        let fresh = Scrub { from_secs: cx.playhead_secs(), cancelled: false };
        let kept = ui.data(|data| data.get_temp::<Scrub>(id));
        let mut scrub = kept.filter(|_| !pressed).unwrap_or(fresh);
        if escape && !scrub.cancelled {
            scrub.cancelled = true;
            actions.push(Action::SetPlayhead(scrub.from_secs));
        }
        if let Some(pos) = pointer(ui)
            && !scrub.cancelled
        {
            let [first, last] = board.frame_range();
            let mut frame = board.frame_from_screen(pos.x);
            if board.snaps(modifiers) {
                frame = frame.round();
            }
            let secs = board.secs_from_frame(frame.clamp(first, last.max(first)));
            if secs != cx.playhead_secs() || cx.is_playing() {
                actions.push(Action::SetPlayhead(secs));
            }
        }
        ui.data_mut(|data| data.insert_temp(id, scrub));
    }
    let wheel = wheel::board(ui, &response, &board.axis, board.canvas.center().x);
    if let Some(visible) = wheel.visible_secs {
        board.look(actions, |view| view.visible_secs = Some(visible));
    }
    if response.hovered() {
        ui.ctx().set_cursor_icon(CursorIcon::ResizeHorizontal);
        let snaps = if board.view.snap { "Ctrl snaps off" } else { "Ctrl snaps to frames" };
        actions.push(Action::Hint(format!("Drag to scrub · {snaps} · wheel zooms")));
    }
}

fn paint(ui: &Ui, cx: &Cx<'_>, board: &Board<'_>) {
    let (theme, rect) = (cx.theme, board.ruler);
    let ground = Rect::from_min_max(board.head.min, rect.max);
    ui.painter().rect_filled(ground, CornerRadius::same(theme::CORNER), theme.ground);
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    // The same axis counted in frames, so that the numbers of the file are the round ones.
    let frames = TimeAxis {
        from_secs: board.frame_from_screen(board.axis.left),
        to_secs: board.frame_from_screen(board.axis.right),
        ..board.axis
    };
    for tick in frames.ticks(1.0, true) {
        let x = frames.screen_from_time(tick.secs);
        let height = if tick.labeled { 12.0 } else { 6.0 };
        let color = if tick.labeled { theme.muted } else { theme.dim };
        let top = rect.bottom() - height;
        painter.line_segment([pos2(x, top), pos2(x, rect.bottom())], Stroke::new(1.0, color));
        if tick.labeled {
            let at = pos2(x + 4.0, rect.top() + 2.0);
            let words = text::number(tick.secs, 0);
            painter.text(at, Align2::LEFT_TOP, words, Theme::small_font(), theme.muted);
        }
    }
}
