//! How far the poses of both documents are apart, as a curve under the ruler.

use super::Made;
use crate::diff::{self, Clock, Moment, Worst};
use crate::ui::action::Action;
use crate::ui::cx::Cx;
use crate::ui::text;
use crate::ui::theme::{self, Theme};
use crate::ui::timeline::axis::TimeAxis;
use crate::ui::timeline::{pointer, wheel};
use crate::ui::widgets;
use eframe::egui::{
    Align2, Color32, CornerRadius, CursorIcon, Mesh, Rect, Role, Sense, Shape, Stroke, Ui,
    WidgetInfo, pos2, vec2,
};

/// What the curve shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shows {
    /// Angles instead of distances; `None`: whichever tells something.
    angle: Option<bool>,
    /// Relative to the parent instead of in the world.
    local: bool,
}

/// What it comes to.
#[derive(Clone, Copy, Debug)]
struct Curve {
    angle: bool,
    local: bool,
}

impl Curve {
    fn of(self, moment: &Moment) -> Worst {
        match (self.angle, self.local) {
            (false, false) => moment.world_m,
            (true, false) => moment.world_deg,
            (false, true) => moment.local_m,
            (true, true) => moment.local_deg,
        }
    }

    fn words(self, by: f64) -> String {
        if self.angle { diff::angle(by) } else { diff::length(by) }
    }
}

/// How high the strip is.
pub const HEIGHT: f32 = 92.0;
/// How high its ruler is.
const RULER: f32 = 20.0;
/// How wide what stands left of it is.
const SIDE: f32 = 148.0;

/// The time in seconds of a moment of a comparison.
pub fn secs_of(cx: &Cx<'_>, made: &Made, at: f64) -> Option<f64> {
    let clock = made.difference.poses.as_ref().and_then(|poses| poses.clock)?;
    if clock == Clock::Seconds {
        return Some(at);
    }
    if let Some((_, rig, _)) = cx.export().and_then(|export| export.take()) {
        return rig.time_secs_at(at);
    }
    made.ghost.as_ref()?.take()?.time_secs_at(at)
}

/// Shows the strip in `rect`.
pub fn show(
    ui: &mut Ui,
    cx: &Cx<'_>,
    rect: Rect,
    made: &Made,
    shows: &mut Shows,
    actions: &mut Vec<Action>,
) {
    let Some(poses) = &made.difference.poses else { return };
    // Where nothing is elsewhere, something may be turned.
    let beyond = |by: Option<f64>, most: f64| by.is_some_and(|by| by > most);
    let tolerances = &made.difference.tolerances;
    let moved = beyond(poses.farthest.map(|far| far.by), tolerances.position_m);
    let turned = beyond(poses.most_turned.map(|turned| turned.by), tolerances.angle_deg);
    let by_itself = !moved && turned;
    let side = Rect::from_min_size(rect.min, vec2(SIDE, rect.height()));
    choose(ui, cx, side.shrink2(vec2(8.0, 4.0)), by_itself, shows);
    let shows = Curve { angle: shows.angle.unwrap_or(by_itself), local: shows.local };
    let place =
        Rect::from_min_max(pos2(side.right(), rect.top()), rect.max).shrink2(vec2(8.0, 2.0));
    if place.width() < 20.0 {
        return;
    }
    let ruler = Rect::from_min_size(place.min, vec2(place.width(), RULER));
    let canvas = Rect::from_min_max(pos2(place.left(), ruler.bottom() + 2.0), place.max);
    let duration_secs = cx.duration_secs().unwrap_or(0.0);
    let view = &cx.view().timeline;
    let axis = TimeAxis::new(view, duration_secs, place.left() + 4.0, place.right() - 4.0);
    ground(ui, cx, ruler, canvas, &axis);

    let points: Vec<(f64, Worst)> = poses
        .moments
        .iter()
        .filter_map(|moment| Some((secs_of(cx, made, moment.at)?, shows.of(moment))))
        .filter(|(secs, worst)| secs.is_finite() && worst.by.is_finite())
        .collect();
    let highest = points.iter().map(|(_, worst)| worst.by).fold(0.0_f64, f64::max);
    // What is rounding stays a level line.
    let scale = highest.max(if shows.angle { 1e-3 } else { 1e-6 });
    let inner = canvas.shrink2(vec2(0.0, 4.0));
    let at = |(secs, worst): &(f64, Worst)| {
        let y = inner.bottom() - inner.height() * (worst.by / scale) as f32;
        pos2(axis.screen_from_time(*secs), y)
    };
    let painter = ui.painter().with_clip_rect(canvas.intersect(ui.clip_rect()));
    let line: Vec<_> = points.iter().map(at).collect();
    fill(&painter, &line, inner.bottom(), cx.theme.accent.gamma_multiply(0.18));
    painter.add(Shape::line(line, Stroke::new(1.5, cx.theme.accent)));

    let id = ui.scope_id().with("pose difference");
    let response = ui.interact(canvas.union(ruler), id, Sense::click_and_drag());
    response.widget_info(|| {
        let mut info = WidgetInfo::slider(true, cx.playhead_secs(), "Pose difference over time");
        info.role = Role::Slider;
        info
    });
    let worst = points.iter().filter(|(_, worst)| worst.by > 0.0);
    let worst = worst.fold(None, |best: Option<&(f64, Worst)>, next| match best {
        Some(best) if best.1.by >= next.1.by => Some(best),
        _ => Some(next),
    });
    let mut on_mark = false;
    if let Some(peak) = worst {
        on_mark = mark(ui, cx, canvas, at(peak), peak, &words(cx, made, peak, shows), actions);
    }
    let head = axis.screen_from_time(cx.playhead_secs());
    let whole = Rect::from_min_max(ruler.min, canvas.max);
    let painter = ui.painter().with_clip_rect(whole.intersect(ui.clip_rect()));
    let ends = [pos2(head, whole.top()), pos2(head, whole.bottom())];
    painter.line_segment(ends, Stroke::new(1.0, cx.theme.playhead));

    if (response.dragged() || response.clicked() || response.is_pointer_button_down_on())
        && !on_mark
        && let Some(pos) = pointer(ui)
    {
        let secs = axis.time_from_screen(pos.x).clamp(0.0, duration_secs.max(0.0));
        let secs = if view.snap { view.snapped_secs(secs).min(duration_secs) } else { secs };
        if (secs - cx.playhead_secs()).abs() > 1e-9 {
            actions.push(Action::SetPlayhead(secs));
        }
    }
    let turned = wheel::board(ui, &response, &axis, canvas.center().x);
    if let Some(visible) = turned.visible_secs {
        let view = crate::ui::TimelineView { visible_secs: Some(visible), ..view.clone() };
        actions.push(Action::SetTimeline(view));
    }
    if response.hovered() {
        ui.ctx().set_cursor_icon(CursorIcon::ResizeHorizontal);
        let here = response.hover_pos().map(|pos| axis.time_from_screen(pos.x));
        let near = here.and_then(|secs| {
            let apart = |point: &&(f64, Worst)| (point.0 - secs).abs();
            points.iter().min_by(|a, b| apart(a).total_cmp(&apart(b)))
        });
        let hint = near.map(|near| words(cx, made, near, shows));
        let hint = hint.map(|hint| format!("{hint} · drag to scrub · wheel zooms"));
        actions.push(Action::Hint(hint.unwrap_or_else(|| "Drag to scrub".to_owned())));
    }
}

/// What a point of the curve says: `3.2 cm at frame 41 on hand.L`.
fn words(cx: &Cx<'_>, made: &Made, point: &(f64, Worst), shows: Curve) -> String {
    let joints = made.difference.poses.as_ref().map_or(&[][..], |poses| &poses.joints);
    let name = joints.get(point.1.joint).map_or("", |joint| joint.name.as_str());
    let when = match cx.export().and_then(|export| export.take()) {
        Some((_, rig, _)) => diff::moment(Clock::Frames, rig.frame_at(point.0)),
        None => cx.show_time(point.0),
    };
    format!("{} at {when} on {}", shows.words(point.1.by), text::clean(name, 60))
}

/// Which of the four curves.
fn choose(ui: &mut Ui, cx: &Cx<'_>, rect: Rect, angle: bool, shows: &mut Shows) {
    ui.scope_builder(eframe::egui::UiBuilder::new().max_rect(rect), |ui| {
        ui.vertical(|ui| {
            ui.label(
                eframe::egui::RichText::new("Pose difference")
                    .size(theme::SMALL_SIZE)
                    .color(cx.theme.muted),
            );
            let pair = |ui: &mut Ui, of: &mut bool, names: [&str; 2], tips: [&str; 2]| {
                ui.horizontal(|ui| {
                    ui.spacing_mut().item_spacing.x = 4.0;
                    for (at, (name, tip)) in names.into_iter().zip(tips).enumerate() {
                        let on = *of == (at == 1);
                        let response = widgets::toggle(ui, cx.theme, on, name);
                        if response.clicked() {
                            *of = at == 1;
                        }
                        response.on_hover_text(tip);
                    }
                });
            };
            let tips = ["The farthest joint of each frame", "The most turned joint of each frame"];
            let mut of = shows.angle.unwrap_or(angle);
            pair(ui, &mut of, ["Distance", "Angle"], tips);
            if of != shows.angle.unwrap_or(angle) {
                shows.angle = Some(of);
            }
            let tips = [
                "In the world: what one sees",
                "Relative to the parent: which joint does it, without those that only follow",
            ];
            pair(ui, &mut shows.local, ["World", "Local"], tips);
        });
    });
}

fn ground(ui: &Ui, cx: &Cx<'_>, ruler: Rect, canvas: Rect, axis: &TimeAxis) {
    let theme = cx.theme;
    ui.painter().rect_filled(ruler.union(canvas), CornerRadius::same(theme::CORNER), theme.ground);
    let painter = ui.painter().with_clip_rect(ruler.intersect(ui.clip_rect()));
    // A take counts in its own frames, a clip as the settings say.
    let take = cx.export().and_then(|export| export.take()).filter(|(take, ..)| take.fps() > 0.0);
    let (axis, in_frames, fps) = match take {
        Some((take, rig, _)) => {
            let first = rig.frame_range()[0];
            let frames = TimeAxis {
                from_secs: first + axis.from_secs * take.fps(),
                to_secs: first + axis.to_secs * take.fps(),
                ..*axis
            };
            (frames, true, 1.0)
        }
        None => (*axis, cx.settings().show_frames, cx.view().timeline.usable_fps()),
    };
    for tick in axis.ticks(fps, in_frames) {
        let x = axis.screen_from_time(tick.secs);
        let height = if tick.labeled { 9.0 } else { 4.0 };
        let color = if tick.labeled { theme.muted } else { theme.dim };
        let ends = [pos2(x, ruler.bottom() - height), pos2(x, ruler.bottom())];
        painter.line_segment(ends, Stroke::new(1.0, color));
        if tick.labeled {
            let words = match take {
                Some(_) => text::number(tick.secs, 0),
                None => cx.show_time(tick.secs),
            };
            let at = pos2(x + 4.0, ruler.top() + 1.0);
            painter.text(at, Align2::LEFT_TOP, words, Theme::small_font(), theme.muted);
        }
    }
}

/// The ground under the curve.
fn fill(painter: &eframe::egui::Painter, line: &[eframe::egui::Pos2], bottom: f32, color: Color32) {
    let mut mesh = Mesh::default();
    for pair in line.windows(2) {
        let first = mesh.vertices.len() as u32;
        for point in pair {
            mesh.colored_vertex(*point, color);
            mesh.colored_vertex(pos2(point.x, bottom), color);
        }
        mesh.add_triangle(first, first + 1, first + 2);
        mesh.add_triangle(first + 1, first + 3, first + 2);
    }
    painter.add(Shape::mesh(mesh));
}

/// The mark of the worst moment; whether it is what the pointer is at.
fn mark(
    ui: &Ui,
    cx: &Cx<'_>,
    canvas: Rect,
    at: eframe::egui::Pos2,
    peak: &(f64, Worst),
    words: &str,
    actions: &mut Vec<Action>,
) -> bool {
    if !canvas.x_range().contains(at.x) {
        return false;
    }
    let target = Rect::from_center_size(at, vec2(16.0, 16.0));
    let response = ui.interact(target, ui.scope_id().with("worst"), Sense::CLICK);
    response
        .widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Worst moment: {words}")));
    let size = if response.hovered() { 6.0 } else { 5.0 };
    let diamond = [vec2(0.0, -size), vec2(size, 0.0), vec2(0.0, size), vec2(-size, 0.0)];
    let diamond = diamond.map(|offset| at + offset).to_vec();
    let painter = ui.painter().with_clip_rect(canvas.expand(6.0).intersect(ui.clip_rect()));
    painter.add(Shape::convex_polygon(diamond, cx.theme.warning, Stroke::NONE));
    let galley = painter.layout_no_wrap(words.to_owned(), Theme::small_font(), cx.theme.text);
    let right = at.x + 12.0 + galley.size().x > canvas.right();
    let left = if right { at.x - 12.0 - galley.size().x } else { at.x + 12.0 };
    let top = (at.y - 2.0).min(canvas.bottom() - galley.size().y - 2.0).max(canvas.top() + 2.0);
    let place = Rect::from_min_size(pos2(left, top), galley.size());
    let back = cx.theme.ground.gamma_multiply(0.85);
    painter.rect_filled(place.expand2(vec2(4.0, 1.0)), 3.0, back);
    painter.galley(place.min, galley, cx.theme.text);
    if response.clicked() {
        actions.push(Action::SetPlayhead(peak.0));
    }
    let on = response.hovered() || response.is_pointer_button_down_on();
    response.on_hover_text("Click goes there");
    on
}
