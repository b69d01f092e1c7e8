//! The ruler: marks, and the only place that scrubs.

use super::board::{Board, pointer};
use crate::ui::action::Action;
use crate::ui::cx::Cx;
use crate::ui::text;
use crate::ui::theme::{self, Theme};
use eframe::egui::{
    Align2, CornerRadius, CursorIcon, Key, PointerButton, Rect, Role, Sense, Shape, Stroke, Ui,
    WidgetInfo, pos2, vec2,
};

/// Where the playhead was when scrubbing began, for Escape; `None` once that was pressed.
#[derive(Clone, Copy, Debug)]
struct Scrub {
    from_secs: f64,
    cancelled: bool,
}

/// Shows the ruler.
pub fn show(ui: &mut Ui, cx: &Cx<'_>, board: &Board<'_>, actions: &mut Vec<Action>) {
    let theme = cx.theme;
    let rect = board.ruler;
    let ground = Rect::from_min_max(board.head.min, rect.max);
    ui.painter().rect_filled(ground, CornerRadius::same(theme::CORNER), theme.ground);
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    let fps = board.view.usable_fps();
    let in_frames = cx.settings().show_frames;
    let axis = &board.axis;
    for tick in axis.ticks(fps, in_frames) {
        let x = axis.screen_from_time(tick.secs);
        let height = if tick.labeled { 12.0 } else { 6.0 };
        let color = if tick.labeled { theme.muted } else { theme.dim };
        let top = rect.bottom() - height;
        painter.line_segment([pos2(x, top), pos2(x, rect.bottom())], Stroke::new(1.0, color));
        if tick.labeled {
            let label = if in_frames {
                text::number(tick.secs * fps, 0)
            } else {
                seconds(tick.secs, axis.secs_per_point())
            };
            let at = pos2(x + 4.0, rect.top() + 2.0);
            painter.text(at, Align2::LEFT_TOP, label, Theme::small_font(), theme.muted);
        }
    }

    let response = ui.interact(rect, ui.scope_id().with("ruler"), Sense::click_and_drag());
    response.widget_info(|| {
        let mut info = WidgetInfo::slider(true, cx.playhead_secs(), "Ruler");
        info.role = Role::Slider;
        info
    });
    let id = response.id;
    let (pressed, modifiers) = ui.input(|input| {
        (input.pointer.primary_pressed() || input.pointer.primary_clicked(), input.modifiers)
    });
    let down = response.is_pointer_button_down_on()
        && ui.input(|input| input.pointer.button_down(PointerButton::Primary));
    if down || response.clicked() {
        let mut scrub = ui
            .data(|data| data.get_temp::<Scrub>(id))
            .unwrap_or(Scrub { from_secs: cx.playhead_secs(), cancelled: false });
        if pressed {
            scrub = Scrub { from_secs: cx.playhead_secs(), cancelled: false };
        }
        if ui.input(|input| input.key_pressed(Key::Escape)) && !scrub.cancelled {
            scrub.cancelled = true;
            actions.push(Action::SetPlayhead(scrub.from_secs));
        }
        if let Some(pos) = pointer(ui)
            && !scrub.cancelled
        {
            let duration = board.clip.duration_secs;
            let secs = board.snapped_at(pos.x, modifiers).clamp(0.0, duration);
            if secs != cx.playhead_secs() || cx.is_playing() {
                actions.push(Action::SetPlayhead(secs));
            }
        }
        ui.data_mut(|data| data.insert_temp(id, scrub));
    }
    board.wheel(ui, &response, actions);
    if response.hovered() {
        ui.ctx().set_cursor_icon(CursorIcon::ResizeHorizontal);
        let snaps = if board.view.snap { "Ctrl snaps off" } else { "Ctrl snaps to frames" };
        actions.push(Action::Hint(format!("Drag to scrub · {snaps} · wheel zooms")));
    }
    range(ui, cx, board, actions);
}

/// The two ends of the range that playing keeps to.
fn range(ui: &mut Ui, cx: &Cx<'_>, board: &Board<'_>, actions: &mut Vec<Action>) {
    let Some((from, to)) = board.view.range_secs else { return };
    let rect = board.ruler;
    let axis = &board.axis;
    let (left, right) = (axis.screen_from_time(from), axis.screen_from_time(to));
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    let bar = Rect::from_min_max(pos2(left, rect.bottom() - 3.0), pos2(right, rect.bottom()));
    painter.rect_filled(bar, 0.0, cx.theme.accent.gamma_multiply(0.6));
    for (start, x, name) in [(true, left, "Start of the range"), (false, right, "End of the range")]
    {
        let side = if start { 8.0 } else { -8.0 };
        painter.add(Shape::convex_polygon(
            vec![
                pos2(x, rect.bottom() - 10.0),
                pos2(x + side, rect.bottom()),
                pos2(x, rect.bottom()),
            ],
            cx.theme.accent,
            Stroke::NONE,
        ));
        let place =
            Rect::from_center_size(pos2(x + side / 2.0, rect.bottom() - 6.0), vec2(16.0, 12.0));
        let place = place.intersect(rect);
        if place.width() <= 0.0 {
            continue;
        }
        let response = ui.interact(place, ui.scope_id().with(name), Sense::drag());
        response.widget_info(|| WidgetInfo::slider(true, if start { from } else { to }, name));
        if let Some(pos) = response.interact_pointer_pos()
            && response.dragged()
        {
            let modifiers = ui.input(|input| input.modifiers);
            let least = 1.0 / board.view.usable_fps();
            let secs = board.snapped_at(pos.x, modifiers).clamp(0.0, board.clip.duration_secs);
            let range =
                if start { (secs.min(to - least), to) } else { (from, secs.max(from + least)) };
            if range.0 >= 0.0 && range.1 <= board.clip.duration_secs + least {
                board.look(actions, |view| view.range_secs = Some(range));
            }
        }
    }
}

/// "1 s" on whole seconds, "0.5" between them; as many places as the zoom needs.
fn seconds(secs: f64, secs_per_point: f64) -> String {
    let places = (-(secs_per_point * 68.0).log10().floor()).clamp(0.0, 6.0) as usize + 1;
    if (secs - secs.round()).abs() < 1e-9 {
        return format!("{} s", text::number(secs, 0));
    }
    let shown = text::number(secs, places);
    shown.trim_end_matches('0').trim_end_matches('.').to_owned()
}
