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
use crate::ui::timeline::axis::TimeAxis;
use crate::ui::timeline::places::Places;
use eframe::egui::{Modifiers, Rect, Shape, Stroke, Ui, pos2};
use std::sync::Arc;

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
    /// Where names, ruler and canvas are.
    pub places: Places,
    /// The time axis: seconds from the first frame of the range.
    pub axis: TimeAxis,
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
        let rows = rows(cx, export.doc, take, rig, view);
        let places = Places::new(ui, view, rows.len());
        let canvas = places.canvas;
        // Where a file has no usable rate its frames still stand beside each other.
        let fps = Some(take.fps()).filter(|fps| fps.is_finite() && *fps > 0.0).unwrap_or(1.0);
        let [first_frame, last] = rig.frame_range();
        let length_secs = ((last - first_frame) / fps).max(0.0);
        Some(Board {
            doc: export.doc,
            take,
            rig,
            view,
            rows,
            places,
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

    /// Asks for another view of time.
    pub fn look(&self, actions: &mut Vec<Action>, change: impl FnOnce(&mut TimelineView)) {
        self.places.look(self.view, actions, change);
    }

    /// Scrolls the rows, in points; down is positive.
    pub fn scroll_by(&self, by: f32, actions: &mut Vec<Action>) {
        self.places.scroll_by(self.view, by, actions);
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
        self.paint_playhead(&painter, cx.theme, self.axis.screen_from_time(cx.playhead_secs()));
    }
}

/// A board's names, ruler and canvas are its own.
impl std::ops::Deref for Board<'_> {
    type Target = Places;

    fn deref(&self) -> &Places {
        &self.places
    }
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
