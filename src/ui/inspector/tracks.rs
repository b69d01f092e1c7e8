//! The section of a track: how it moves between its keys.

use super::fields;
use super::vectors::field_id;
use crate::edit::{ClipEdit, DocId, Edit};
use crate::model::{Interpolation, Track, Uid};
use crate::sample::ease;
use crate::ui::action::Action;
use crate::ui::cx::Cx;
use crate::ui::{text, theme, widgets};
use eframe::egui::{
    self, Pos2, Rect, RichText, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2,
};
use std::sync::Arc;

/// Curves that people know by name, as CSS has them.
const PRESETS: [(&str, [f64; 4]); 4] = [
    ("Ease", [0.25, 0.1, 0.25, 1.0]),
    ("In", [0.42, 0.0, 1.0, 1.0]),
    ("Out", [0.0, 0.0, 0.58, 1.0]),
    ("In-out", [0.42, 0.0, 0.58, 1.0]),
];

/// Side of the easing's picture, in points.
const SIDE: f32 = 112.0;

/// Tracks that the panel is about: the selected ones, those of selected keys, those of the nodes.
pub fn of_selection<'a>(cx: &Cx<'a>, parts: &[String]) -> Vec<&'a Arc<Track>> {
    let Some((doc, clip)) = cx.clip() else { return Vec::new() };
    let selection = cx.selection();
    let selected = |track: &&Arc<Track>| selection.tracks.contains(&(doc, track.uid));
    let chosen: Vec<_> = clip.tracks.iter().filter(selected).collect();
    if !chosen.is_empty() {
        return chosen;
    }
    let has_key = |track: &&Arc<Track>| {
        let keyed = track.keys.iter().any(|key| selection.keys.contains(&(doc, key.uid)));
        keyed && (parts.is_empty() || parts.contains(&track.part))
    };
    let chosen: Vec<_> = clip.tracks.iter().filter(has_key).collect();
    if !chosen.is_empty() {
        return chosen;
    }
    clip.tracks.iter().filter(|track| parts.contains(&track.part)).collect()
}

/// Shows tracks: one with all there is to it, several with what they share.
pub fn show(ui: &mut Ui, cx: &Cx<'_>, tracks: &[&Arc<Track>], actions: &mut Vec<Action>) {
    let Some((doc, _)) = cx.clip() else { return };
    let Some(first) = tracks.first() else { return };
    let same_part = tracks.iter().all(|track| track.part == first.part);
    let title = match tracks {
        [track] => format!("TRACK {} {}", text::name(&track.part), track.property.as_str()),
        _ if same_part => format!("{} TRACKS OF {}", tracks.len(), text::name(&first.part)),
        _ => format!("{} TRACKS", tracks.len()),
    };
    widgets::section(ui, cx.theme, &title);
    let uids: Vec<Uid> = tracks.iter().map(|track| track.uid).collect();
    let choices = Interpolation::ALL.map(|i| (i, i.as_str().to_owned()));
    let shared = tracks.iter().all(|track| track.interpolation == first.interpolation);
    let value = shared.then_some(first.interpolation);
    if let Some(interpolation) = fields::choice(ui, cx, "Easing", value, &choices) {
        let edit = ClipEdit::SetInterpolation { tracks: uids.clone(), interpolation };
        actions.push(Action::Edit(Edit::Clip { doc, edit }));
    }
    let same_curve = tracks.iter().all(|track| track.curve() == first.curve());
    if value == Some(Interpolation::Bezier) {
        bezier(ui, cx, doc, &uids, same_curve.then(|| first.curve()), actions);
    } else if let Some(interpolation) = value {
        ui.horizontal(|ui| {
            let (_, rect) = ui.allocate_space(vec2(SIDE * 0.6, SIDE * 0.6));
            picture(ui, cx, rect, interpolation, first.curve());
            let words = match interpolation {
                Interpolation::Step => "Holds, and jumps at the next key",
                Interpolation::Linear => "Straight from key to key",
                _ => "Slow at both ends",
            };
            note(ui, cx, words);
        });
    }
    if let [track] = tracks {
        let keys = text::count(track.keys.len(), "key", "keys");
        let span = match (track.keys.first(), track.keys.last()) {
            (Some(a), Some(b)) if track.keys.len() > 1 => {
                format!("{keys}, {} to {}", cx.show_time(a.time), cx.show_time(b.time))
            }
            _ => keys,
        };
        fields::fact(ui, cx, "Keys", &span);
        let none = |typed: &str| typed.is_empty().then_some("a part is needed");
        if let Some(part) = fields::words(ui, cx, "Part", Some(&track.part), "", &none) {
            let edit = ClipEdit::RetargetTrack { track: track.uid, part };
            actions.push(Action::Edit(Edit::Clip { doc, edit }));
        }
    }
    ui.horizontal(|ui| {
        let word = if tracks.len() == 1 { "Delete track" } else { "Delete tracks" };
        if ui.button(word).clicked() {
            let edit = ClipEdit::RemoveTracks { tracks: uids };
            actions.push(Action::Edit(Edit::Clip { doc, edit }));
        }
    });
}

fn note(ui: &mut Ui, cx: &Cx<'_>, words: &str) {
    let words = RichText::new(words).size(theme::SMALL_SIZE).color(cx.theme.muted);
    ui.add(egui::Label::new(words).wrap());
}

fn set_curve(doc: DocId, tracks: &[Uid], curve: [f64; 4]) -> Edit {
    let edit = ClipEdit::SetCurve { tracks: tracks.to_vec(), curve: Some(curve) };
    Edit::Clip { doc, edit }
}

/// The picture with its two handles, presets, and the numbers.
fn bezier(
    ui: &mut Ui,
    cx: &Cx<'_>,
    doc: DocId,
    tracks: &[Uid],
    curve: Option<[f64; 4]>,
    actions: &mut Vec<Action>,
) {
    ui.horizontal_top(|ui| {
        let (_, rect) = ui.allocate_space(vec2(SIDE, SIDE));
        let now = curve.unwrap_or(Track::DEFAULT_CURVE);
        picture(ui, cx, rect, Interpolation::Bezier, now);
        handles(ui, cx, rect, doc, tracks, now, actions);
        ui.vertical(|ui| {
            ui.spacing_mut().item_spacing = vec2(4.0, 4.0);
            for pair in PRESETS.chunks(2) {
                ui.horizontal(|ui| {
                    let width = ((ui.available_width() - 4.0) / 2.0).clamp(40.0, 90.0);
                    for (name, preset) in pair {
                        let on = curve == Some(*preset);
                        let button =
                            egui::Button::new(*name).selected(on).min_size(vec2(width, theme::ROW));
                        if ui.add(button).clicked() && !on {
                            actions.push(Action::Edit(set_curve(doc, tracks, *preset)));
                        }
                    }
                });
            }
            let words = match curve {
                Some(curve) => curve.map(|value| text::number(value, 2)).join(" "),
                None => "mixed".to_owned(),
            };
            ui.label(RichText::new(words).monospace().color(cx.theme.muted));
            let many = tracks.len();
            note(ui, cx, if many == 1 { "applies to the track" } else { "applies to all of them" });
        });
    });
}

fn place(rect: Rect, x: f64, y: f64) -> Pos2 {
    let inner = rect.shrink(8.0);
    pos2(inner.left() + inner.width() * x as f32, inner.bottom() - inner.height() * y as f32)
}

fn picture(ui: &Ui, cx: &Cx<'_>, rect: Rect, interpolation: Interpolation, curve: [f64; 4]) {
    let painter = ui.painter();
    painter.rect_filled(rect, theme::CORNER, cx.theme.ground);
    let line = Stroke::new(1.0, cx.theme.line);
    painter.rect_stroke(rect, theme::CORNER, line, StrokeKind::Inside);
    let points: Vec<Pos2> = if interpolation == Interpolation::Step {
        [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0)].map(|(x, y)| place(rect, x, y)).to_vec()
    } else {
        let at = |i: i32| f64::from(i) / 64.0;
        (0..=64).map(|i| place(rect, at(i), ease(interpolation, curve, at(i)))).collect()
    };
    painter.line(points, Stroke::new(2.0, cx.theme.accent));
}

fn handles(
    ui: &Ui,
    cx: &Cx<'_>,
    rect: Rect,
    doc: DocId,
    tracks: &[Uid],
    curve: [f64; 4],
    actions: &mut Vec<Action>,
) {
    let base_id = field_id("easing").with("started");
    for handle in 0..2 {
        let (x, y) = (curve[2 * handle], curve[2 * handle + 1]);
        let at = place(rect, x, y);
        let end = place(rect, handle as f64, handle as f64);
        let painter = ui.painter();
        painter.line_segment([end, at], Stroke::new(1.0, cx.theme.selection));
        let id = field_id("easing").with(handle);
        let target = Rect::from_center_size(at, vec2(16.0, 16.0));
        let response = ui.interact(target, id, Sense::click_and_drag());
        let name = format!("Easing handle {}", handle + 1);
        response.widget_info(|| WidgetInfo::labeled(Role::Slider, true, &name));
        let hot = response.hovered() || response.dragged();
        painter.circle_filled(at, if hot { 6.5 } else { 5.0 }, cx.theme.selection);
        if response.drag_started() {
            ui.data_mut(|data| data.insert_temp(base_id, curve));
            actions.push(Action::Begin);
        } else if response.dragged() && cx.editor.gesture().is_some() {
            let base: [f64; 4] = ui.data(|data| data.get_temp(base_id)).unwrap_or(curve);
            let inner = rect.shrink(8.0);
            if let Some(pointer) = response.interact_pointer_pos() {
                let snap = ui.input(|input| input.modifiers.command);
                let digits = if snap { 10.0 } else { 100.0 };
                let part = |value: f32| {
                    let value = f64::from(value);
                    let value = if value.is_finite() { value.clamp(0.0, 1.0) } else { 0.0 };
                    (value * digits).round() / digits
                };
                let mut next = base;
                next[2 * handle] = part((pointer.x - inner.left()) / inner.width());
                next[2 * handle + 1] = part((inner.bottom() - pointer.y) / inner.height());
                if next != curve {
                    actions.push(Action::Preview(set_curve(doc, tracks, next)));
                }
                let words = format!(
                    "{} {}",
                    text::number(next[2 * handle], 2),
                    text::number(next[2 * handle + 1], 2)
                );
                let within = ui.ctx().content_rect();
                widgets::tag(painter, cx.theme, at, &words, cx.theme.selection, within);
            }
        } else if response.drag_stopped() && cx.editor.gesture().is_some() {
            actions.push(Action::Commit);
        }
    }
}
