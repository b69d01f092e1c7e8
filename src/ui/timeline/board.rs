//! What the dope sheet and the curves share: the places of names, ruler and board, the wheel, the
//! playhead, snapping.

use super::axis::TimeAxis;
use super::places::Places;
use super::rows::Rows;
use super::wheel;
use crate::edit::DocId;
use crate::model::Clip;
use crate::ui::action::Action;
use crate::ui::cx::Cx;
use crate::ui::state::TimelineView;
use crate::ui::theme;
use eframe::egui::{self, Modifiers, Pos2, Rect, Response, Shape, Stroke, Ui, pos2};
use std::sync::Arc;

/// Where everything stands in a panel of the timeline.
pub struct Board<'a> {
    /// The clip's document.
    pub doc: DocId,
    /// The clip, with the preview of a gesture under way.
    pub clip: &'a Arc<Clip>,
    /// How its time is looked at.
    pub view: &'a TimelineView,
    /// The rows.
    pub rows: Rows,
    /// Where names, ruler and canvas are.
    pub places: Places,
    /// The one time axis.
    pub axis: TimeAxis,
}

impl<'a> Board<'a> {
    /// Places everything in a panel.
    pub fn new(ui: &Ui, cx: &Cx<'a>, doc: DocId, clip: &'a Arc<Clip>, with_summary: bool) -> Self {
        let view = &cx.view().timeline;
        let rows = Rows::new(cx, clip, with_summary);
        let places = Places::new(ui, view, rows.rows.len());
        // A gesture that lengthens the clip does not pull the ruler away from under the hand.
        let base = cx.editor.gesture().and_then(|gesture| gesture.base.clip(doc));
        let duration_secs = base.map_or(clip.duration_secs, |base| base.duration_secs);
        Board {
            doc,
            clip,
            view,
            axis: TimeAxis::new(view, duration_secs, places.canvas.left(), places.canvas.right()),
            rows,
            places,
        }
    }

    /// The time at a place, on a frame where times snap.
    pub fn snapped_at(&self, x: f32, modifiers: Modifiers) -> f64 {
        self.snapped(self.axis.time_from_screen(x), modifiers)
    }

    /// A time, on a frame where times snap, otherwise rounded as people write it (M31).
    pub fn snapped(&self, secs: f64, modifiers: Modifiers) -> f64 {
        if self.snaps(modifiers) {
            self.view.snapped_secs(secs)
        } else {
            // Finer than a pixel at any zoom, and short in the file.
            (secs * 1e6).round() / 1e6
        }
    }

    /// Whether times snap now: Ctrl inverts it.
    pub fn snaps(&self, modifiers: Modifiers) -> bool {
        self.view.snap != modifiers.command
    }

    /// Asks for another view of time.
    pub fn look(&self, actions: &mut Vec<Action>, change: impl FnOnce(&mut TimelineView)) {
        self.places.look(self.view, actions, change);
    }

    /// The wheel over the names: scrolls rows.
    pub fn wheel_on_names(&self, ui: &Ui, response: &Response, actions: &mut Vec<Action>) {
        let by = wheel::rows(ui, response);
        if by != 0.0 {
            self.scroll_by(by, actions);
        }
    }

    /// Scrolls the rows, in points; down is positive.
    pub fn scroll_by(&self, by: f32, actions: &mut Vec<Action>) {
        self.places.scroll_by(self.view, by, actions);
    }

    /// The wheel, two fingers, a pinch and the middle button over the board. Gives what is asked
    /// of the values: a factor of zoom, and points to move by.
    pub fn wheel(&self, ui: &Ui, response: &Response, actions: &mut Vec<Action>) -> (f64, f32) {
        let wheel = wheel::board(ui, response, &self.axis, self.canvas.center().x);
        if let Some(visible) = wheel.visible_secs {
            self.look(actions, |view| view.visible_secs = Some(visible));
        }
        (wheel.value_zoom, wheel.down)
    }

    /// Draws the playhead, the end of the clip and what lies outside it or outside the range.
    pub fn paint_time(&self, ui: &Ui, cx: &Cx<'_>) {
        let painter = ui.painter().with_clip_rect(
            Rect::from_min_max(self.ruler.min, self.canvas.max).intersect(ui.clip_rect()),
        );
        let bottom = self.canvas.bottom();
        let end = self.axis.screen_from_time(self.clip.duration_secs);
        let dash = Stroke::new(1.0, cx.theme.accent.gamma_multiply(0.7));
        painter.extend(Shape::dashed_line(
            &[pos2(end, self.canvas.top()), pos2(end, bottom)],
            dash,
            4.0,
            4.0,
        ));
        painter.text(
            pos2(end - 5.0, bottom - 4.0),
            egui::Align2::RIGHT_BOTTOM,
            "end",
            theme::Theme::small_font(),
            cx.theme.accent,
        );
        if let Some((from, to)) = self.view.range_secs {
            let shade = cx.theme.ground.gamma_multiply(0.55);
            let (left, right) = (self.axis.screen_from_time(from), self.axis.screen_from_time(to));
            for (a, b) in [(self.canvas.left(), left), (right, self.canvas.right())] {
                if b > a {
                    let rect = Rect::from_min_max(pos2(a, self.canvas.top()), pos2(b, bottom));
                    painter.rect_filled(rect, 0.0, shade);
                }
            }
        }
        self.paint_playhead(&painter, cx.theme, self.axis.screen_from_time(cx.playhead_secs()));
    }

    /// The edges of what can be seen in time, a little more at both sides, in seconds.
    pub fn visible_secs(&self) -> (f64, f64) {
        let more = self.axis.secs_per_point() * 8.0;
        (self.axis.from_secs - more, self.axis.to_secs + more)
    }
}

/// A board's names, ruler and canvas are its own.
impl std::ops::Deref for Board<'_> {
    type Target = Places;

    fn deref(&self) -> &Places {
        &self.places
    }
}

/// The pointer, wherever it is.
pub fn pointer(ui: &Ui) -> Option<Pos2> {
    ui.input(|input| input.pointer.latest_pos())
}
