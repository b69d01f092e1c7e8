//! Where everything stands in a panel that shows a take over time, counted in the take's own
//! frames.

use super::ShownExport;
use crate::edit::{DocId, Edit, Selected, TakeEdit};
use crate::model::Uid;
use crate::model::take::{Peg, Take};
use crate::sample::take::{PegCurves, TakeRig};
use crate::ui::action::Action;
use crate::ui::cx::Cx;
use crate::ui::state::TimelineView;
use crate::ui::theme;
use crate::ui::timeline::axis::TimeAxis;
use eframe::egui::{Modifiers, Rect, Shape, Stroke, Ui, pos2, vec2};
use std::ops::Range;
use std::sync::Arc;

/// Width of the names, in points, where there is room.
const NAMES: f32 = 272.0;

/// A panel of a take over time.
pub struct Board<'a> {
    /// The take's document.
    pub doc: DocId,
    /// The take, with the preview of a gesture under way.
    pub take: &'a Arc<Take>,
    /// Its compiled curves and labels.
    pub rig: &'a TakeRig,
    /// How its time is looked at.
    pub view: &'a TimelineView,
    /// The pegs that have rows, by their places in the take.
    pub rows: Vec<usize>,
    /// Above the names.
    pub head: Rect,
    /// The names.
    pub names: Rect,
    /// The ruler.
    pub ruler: Rect,
    /// Below the ruler: keys or curves.
    pub canvas: Rect,
    /// The time axis: seconds from the first frame of the range.
    pub axis: TimeAxis,
    /// Rows scrolled past, in points, within what there is.
    pub scroll: f32,
    /// The frame at 0 seconds.
    first_frame: f64,
    /// Frames a second, above 0.
    fps: f64,
}

impl<'a> Board<'a> {
    /// Places everything in a panel; `None` where the export has no time.
    pub fn new(ui: &Ui, cx: &Cx<'a>, export: &'a ShownExport) -> Option<Board<'a>> {
        let (take, rig, _) = export.take()?;
        let view = &cx.view().timeline;
        let area = ui.max_rect().shrink2(vec2(theme::MARGIN, 0.0));
        let area = Rect::from_min_max(area.min, pos2(area.max.x, area.max.y - 4.0));
        let split = area.left() + NAMES.min(area.width() * 0.4).max(0.0);
        let below = (area.top() + theme::ROW).min(area.bottom());
        let names = Rect::from_min_max(pos2(area.left(), below), pos2(split, area.bottom()));
        let canvas = Rect::from_min_max(pos2(split, below), area.max);
        let rows = rows(cx, export.doc, take, rig, view);
        let scroll = if view.scroll.is_finite() { view.scroll.max(0.0) } else { 0.0 };
        // Where a file has no usable rate its frames still stand beside each other.
        let fps = Some(take.fps()).filter(|fps| fps.is_finite() && *fps > 0.0).unwrap_or(1.0);
        let [first_frame, last] = rig.frame_range();
        let length_secs = ((last - first_frame) / fps).max(0.0);
        Some(Board {
            doc: export.doc,
            take,
            rig,
            view,
            scroll: scroll.min(most_scroll(rows.len(), canvas.height())),
            rows,
            head: Rect::from_min_max(area.min, pos2(split, below)),
            names,
            ruler: Rect::from_min_max(pos2(split, area.top()), pos2(area.right(), below)),
            canvas,
            axis: TimeAxis::new(view, length_secs, canvas.left(), canvas.right()),
            first_frame,
            fps,
        })
    }

    /// The place of a frame, in points.
    pub fn screen_from_frame(&self, frame: f64) -> f32 {
        self.axis.screen_from_time((frame - self.first_frame) / self.fps)
    }

    /// The frame at a place.
    pub fn frame_from_screen(&self, x: f32) -> f64 {
        self.first_frame + self.axis.time_from_screen(x) * self.fps
    }

    /// Frames in one point.
    pub fn frames_per_point(&self) -> f64 {
        self.axis.secs_per_point() * self.fps
    }

    /// A time of the playhead as a frame.
    pub fn frame_from_secs(&self, secs: f64) -> f64 {
        self.first_frame + secs * self.fps
    }

    /// A frame as a time of the playhead, in seconds.
    pub fn secs_from_frame(&self, frame: f64) -> f64 {
        (frame - self.first_frame) / self.fps
    }

    /// The part of time that shows these frames with a little room at both sides, in seconds.
    pub fn around_frames(&self, first: f64, last: f64) -> (f64, f64) {
        let room = ((last - first) * 0.05).max(1.0);
        (self.secs_from_frame(first - room), self.secs_from_frame(last + room))
    }

    /// The first and last frame of the range.
    pub fn frame_range(&self) -> [f64; 2] {
        self.rig.frame_range()
    }

    /// Whether frames snap now: Ctrl inverts it.
    pub fn snaps(&self, modifiers: Modifiers) -> bool {
        self.view.snap != modifiers.command
    }

    /// The peg of a row.
    pub fn peg(&self, row: usize) -> Option<&'a Arc<Peg>> {
        self.take.pegs.get(*self.rows.get(row)?)
    }

    /// The compiled curves of a peg, by its place in the take.
    pub fn curves(&self, peg: usize) -> Option<&'a Arc<PegCurves>> {
        self.rig.curves().pegs().get(peg)
    }

    /// The name of a row that no other peg has.
    pub fn label(&self, row: usize) -> &'a str {
        self.rows.get(row).and_then(|at| self.rig.labels().get(*at)).map_or("", String::as_str)
    }

    /// The keys of a row within two frames, by frame: each frame with its key's place in the peg.
    pub fn keys_within(
        &self,
        row: usize,
        from: f64,
        to: f64,
    ) -> impl Iterator<Item = (f64, Uid)> + use<'a> {
        let curves = self.rows.get(row).and_then(|peg| self.curves(*peg));
        let range = curves.map_or(0..0, |curves| {
            let frames = curves.frames();
            let first = frames.partition_point(|frame| *frame < from);
            first..frames.partition_point(|frame| *frame <= to).max(first)
        });
        let key = move |at: usize| {
            let curves = curves?;
            let key = curves.peg().keyframes.get(curves.key_index(at))?;
            Some((key.frame, key.uid))
        };
        range.filter_map(key)
    }

    /// The frames at the edges of what is seen, a little more at both sides.
    pub fn seen_frames(&self) -> (f64, f64) {
        let more = self.frames_per_point() * 8.0;
        let canvas = self.canvas;
        (
            self.frame_from_screen(canvas.left()) - more,
            self.frame_from_screen(canvas.right()) + more,
        )
    }

    /// The place of a row, from the left edge of the names to the right edge of the panel.
    pub fn row_rect(&self, row: usize) -> Rect {
        let top = self.names.top() + row as f32 * theme::ROW - self.scroll;
        Rect::from_min_max(
            pos2(self.names.left(), top),
            pos2(self.canvas.right(), top + theme::ROW),
        )
    }

    /// The rows that are seen.
    pub fn seen(&self) -> Range<usize> {
        let first = (self.scroll / theme::ROW).floor().max(0.0) as usize;
        let last = ((self.scroll + self.canvas.height()) / theme::ROW).ceil().max(0.0) as usize;
        first.min(self.rows.len())..last.min(self.rows.len())
    }

    /// How far the rows can be scrolled, in points.
    pub fn most_scroll(&self) -> f32 {
        most_scroll(self.rows.len(), self.canvas.height())
    }

    /// Asks for another view of time.
    pub fn look(&self, actions: &mut Vec<Action>, change: impl FnOnce(&mut TimelineView)) {
        let mut view = self.view.clone();
        view.scroll = self.scroll;
        change(&mut view);
        if view != *self.view {
            actions.push(Action::SetTimeline(view));
        }
    }

    /// Scrolls the rows, in points; down is positive.
    pub fn scroll_by(&self, by: f32, actions: &mut Vec<Action>) {
        let most = self.most_scroll();
        self.look(actions, |view| view.scroll = (self.scroll + by).clamp(0.0, most));
    }

    /// An edit of the take.
    pub fn edit(&self, edit: TakeEdit) -> Edit {
        Edit::Take { doc: self.doc, edit }
    }

    /// Draws the playhead and what lies outside of the file's range.
    pub fn paint_time(&self, ui: &Ui, cx: &Cx<'_>) {
        let all = Rect::from_min_max(self.ruler.min, self.canvas.max);
        let painter = ui.painter().with_clip_rect(all.intersect(ui.clip_rect()));
        let (top, bottom) = (self.canvas.top(), self.canvas.bottom());
        let dash = Stroke::new(1.0, cx.theme.accent.gamma_multiply(0.7));
        for frame in self.frame_range() {
            let x = self.screen_from_frame(frame);
            let line = [pos2(x, top), pos2(x, bottom)];
            painter.extend(Shape::dashed_line(&line, dash, 4.0, 4.0));
        }
        let x = self.screen_from_frame(self.frame_from_secs(cx.playhead_secs()));
        if !self.canvas.x_range().contains(x) {
            return;
        }
        let (color, top) = (cx.theme.playhead, self.ruler.top());
        painter.line_segment([pos2(x, top), pos2(x, bottom)], Stroke::new(1.5, color));
        let flag = [(-7.0, 1.0), (7.0, 1.0), (7.0, 11.0), (0.0, 17.0), (-7.0, 11.0)];
        let flag = flag.map(|(dx, dy)| pos2(x + dx, top + dy)).to_vec();
        painter.add(Shape::convex_polygon(flag, color, Stroke::NONE));
    }
}

fn most_scroll(rows: usize, room: f32) -> f32 {
    (rows as f32 * theme::ROW - room).max(0.0)
}

/// The pegs that have rows: those whose label holds the filter, or the selected ones of them.
fn rows(cx: &Cx<'_>, doc: DocId, take: &Take, rig: &TakeRig, view: &TimelineView) -> Vec<usize> {
    let filter = view.filter.to_lowercase();
    let fits = |at: &usize| {
        let label = rig.labels().get(*at);
        filter.is_empty() || label.is_some_and(|label| label.to_lowercase().contains(&filter))
    };
    let selected = |at: &usize| {
        let node = Selected::Node(doc, take.pegs[*at].uid);
        !view.only_selected || cx.selection().nodes.contains(&node)
    };
    (0..take.pegs.len()).filter(fits).filter(selected).collect()
}
