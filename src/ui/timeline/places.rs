//! Where names, ruler and canvas stand in a panel that shows something over time.

use crate::ui::action::Action;
use crate::ui::state::TimelineView;
use crate::ui::theme::{self, Theme};
use eframe::egui::{
    self, CornerRadius, Painter, Rect, Role, Sense, Shape, Stroke, TextEdit, Ui, WidgetInfo, pos2,
    vec2,
};
use std::ops::Range;

/// Width of the names, in points, where there is room.
const NAMES: f32 = 272.0;

/// The places of a panel, with its rows scrolled.
#[derive(Clone, Copy, Debug)]
pub struct Places {
    /// Above the names.
    pub head: Rect,
    /// The names.
    pub names: Rect,
    /// The ruler.
    pub ruler: Rect,
    /// Below the ruler: keys or curves.
    pub canvas: Rect,
    /// How many rows there are.
    pub row_count: usize,
    /// Rows scrolled past, in points, within what there is.
    pub scroll: f32,
}

impl Places {
    /// The places in a panel with so many rows.
    pub fn new(ui: &Ui, view: &TimelineView, row_count: usize) -> Places {
        let area = ui.max_rect().shrink2(vec2(theme::MARGIN, 0.0));
        let area = Rect::from_min_max(area.min, pos2(area.max.x, area.max.y - 4.0));
        let split = area.left() + NAMES.min(area.width() * 0.4).max(0.0);
        let below = (area.top() + theme::ROW).min(area.bottom());
        let mut places = Places {
            head: Rect::from_min_max(area.min, pos2(split, below)),
            names: Rect::from_min_max(pos2(area.left(), below), pos2(split, area.bottom())),
            ruler: Rect::from_min_max(pos2(split, area.top()), pos2(area.right(), below)),
            canvas: Rect::from_min_max(pos2(split, below), area.max),
            row_count,
            scroll: if view.scroll.is_finite() { view.scroll.max(0.0) } else { 0.0 },
        };
        places.scroll = places.scroll.min(places.most_scroll());
        places
    }

    /// The place of a row, from the left edge of the names to the right edge of the panel.
    pub fn row_rect(&self, row: usize) -> Rect {
        let top = self.names.top() + row as f32 * theme::ROW - self.scroll;
        let right = self.canvas.right();
        Rect::from_min_max(pos2(self.names.left(), top), pos2(right, top + theme::ROW))
    }

    /// The rows that are seen.
    pub fn seen(&self) -> Range<usize> {
        let first = (self.scroll / theme::ROW).floor().max(0.0) as usize;
        let last = ((self.scroll + self.canvas.height()) / theme::ROW).ceil().max(0.0) as usize;
        first.min(self.row_count)..last.min(self.row_count)
    }

    /// How far the rows can be scrolled, in points.
    pub fn most_scroll(&self) -> f32 {
        (self.row_count as f32 * theme::ROW - self.canvas.height()).max(0.0)
    }

    /// A thin bar at the right edge where there are more rows than room; gives how far it scrolls
    /// now, in points.
    pub fn scroll_bar(&self, ui: &Ui, theme: &Theme, name: &str) -> f32 {
        let (room, most) = (self.canvas.height(), self.most_scroll());
        if most <= 0.0 || room <= 40.0 {
            return 0.0;
        }
        let height = (room * room / (self.row_count as f32 * theme::ROW)).max(24.0);
        let top = self.canvas.top() + (room - height) * self.scroll / most;
        let right = ui.max_rect().right() - 1.0;
        let bar = Rect::from_min_size(pos2(right - 6.0, top), vec2(5.0, height));
        let id = ui.scope_id().with("scroll");
        let response = ui.interact(bar.expand2(vec2(2.0, 0.0)), id, Sense::drag());
        response.widget_info(|| WidgetInfo::slider(true, f64::from(self.scroll), name));
        let color = match response.hovered() || response.dragged() {
            true => theme.muted,
            false => theme.dim.gamma_multiply(0.7),
        };
        ui.painter().rect_filled(bar, CornerRadius::same(3), color);
        match response.dragged() {
            true => response.drag_delta().y * most / (room - height).max(1.0),
            false => 0.0,
        }
    }

    /// Draws the playhead, its flag in the ruler.
    pub fn paint_playhead(&self, painter: &Painter, theme: &Theme, x: f32) {
        if !self.canvas.x_range().contains(x) {
            return;
        }
        let (color, top, bottom) = (theme.playhead, self.ruler.top(), self.canvas.bottom());
        painter.line_segment([pos2(x, top), pos2(x, bottom)], Stroke::new(1.5, color));
        let flag = [(-7.0, 1.0), (7.0, 1.0), (7.0, 11.0), (0.0, 17.0), (-7.0, 11.0)];
        let flag = flag.map(|(dx, dy)| pos2(x + dx, top + dy)).to_vec();
        painter.add(Shape::convex_polygon(flag, color, Stroke::NONE));
    }

    /// Asks for another view of time.
    pub fn look(
        &self,
        view: &TimelineView,
        actions: &mut Vec<Action>,
        change: impl FnOnce(&mut TimelineView),
    ) {
        let mut wanted = TimelineView { scroll: self.scroll, ..view.clone() };
        change(&mut wanted);
        if wanted != *view {
            actions.push(Action::SetTimeline(wanted));
        }
    }

    /// Scrolls the rows, in points; down is positive.
    pub fn scroll_by(&self, view: &TimelineView, by: f32, actions: &mut Vec<Action>) {
        let most = self.most_scroll();
        self.look(view, actions, |view| view.scroll = (self.scroll + by).clamp(0.0, most));
    }
}

/// A field for the filter of rows; `align` is where its words stand. Gives the new filter.
pub fn filter_field(
    ui: &mut Ui,
    filter: &str,
    (hint, name): (&'static str, &'static str),
    width: f32,
    align: egui::Align2,
) -> Option<String> {
    let mut text = filter.to_owned();
    let field = TextEdit::singleline(&mut text)
        .hint_text(hint)
        .font(Theme::label_font())
        .frame(egui::Frame::NONE)
        .desired_width(width)
        .align(align);
    let response = ui.add(field);
    response.widget_info(|| {
        let mut info = WidgetInfo::labeled(Role::TextInput, true, name);
        info.current_text_value = Some(filter.to_owned());
        info
    });
    response.changed().then(|| crate::ui::text::clean(&text, 80).into_owned())
}
