//! A result: how far off it is, track by track, and the way to the worst moment.

use super::panel;
use super::work::{Outcome, Reckoning};
use crate::convert::TrackReport;
use crate::edit::DocId;
use crate::model::Property;
use crate::ui::action::Action;
use crate::ui::compare::Ask;
use crate::ui::cx::Cx;
use crate::ui::{nodes, text, theme, widgets};
use eframe::egui::{
    self, Align2, Color32, CornerRadius, FontId, RichText, Role, Sense, Ui, WidgetInfo, pos2, vec2,
};
use std::sync::Arc;

/// Most rows of the table; the worst come first.
const MOST_ROWS: usize = 400;

/// Errors below this are 0 in the words for them.
const SEEN: [f64; 3] = [5e-7, 5e-5, 5e-6];

/// Shows the result that the document is part of.
pub(super) fn show(
    ui: &mut Ui,
    cx: &Cx<'_>,
    doc: DocId,
    outcome: &Arc<Outcome>,
    actions: &mut Vec<Action>,
) {
    widgets::section(ui, cx.theme, "MADE OF");
    ui.horizontal(|ui| {
        let name = text::clean(&outcome.source_name, 24).into_owned();
        let open = cx.workspace().document(outcome.source).is_some();
        if ui.add_enabled(open, egui::Button::new(name)).clicked() {
            actions.push(Action::Activate(outcome.source));
        }
        let compare = ui.add_enabled(open, egui::Button::new("Compare"));
        if compare.on_hover_text("Everything that differs from the source").clicked() {
            actions.push(Action::Compare(Ask::Open(outcome.source)));
        }
    });
    ui.horizontal(|ui| {
        for (on, name, help, ghost) in [
            (cx.conversions.ghost, "Source's ghost", "The source behind the result", true),
            (
                cx.conversions.heat,
                "Error as heat",
                "Joints coloured by how far off they are",
                false,
            ),
        ] {
            let response = widgets::toggle(ui, cx.theme, on, name);
            if response.on_hover_text(help).clicked() {
                actions.push(Action::ShowBeside { ghost, on: !on });
            }
        }
    });
    panel::counts(ui, cx, &outcome.made);
    worst(ui, cx, doc, outcome, actions);
    other(ui, cx, doc, outcome, actions);
    table(ui, cx, doc, outcome, actions);
}

/// The three worst moments; a click goes there.
fn worst(ui: &mut Ui, cx: &Cx<'_>, doc: DocId, outcome: &Outcome, actions: &mut Vec<Action>) {
    let report = &outcome.made.report;
    for (property, name) in ["position", "rotation", "scale"].into_iter().enumerate() {
        let seen = |worst: &(usize, crate::convert::Peak)| worst.1.error >= SEEN[property];
        let Some((joint, peak)) = report.measured.worst(property).filter(seen) else { continue };
        let part = report.joints.get(joint).map_or("", String::as_str);
        let error = shown(property, peak.error);
        let frame = text::number(peak.frame, 3);
        let words = format!("Worst {name}: {error} at {}, frame {frame}", text::name(part));
        let link = ui.link(RichText::new(words).size(theme::LABEL_SIZE).color(cx.theme.accent));
        if link.on_hover_text("Goes to that moment").clicked() {
            go(cx, doc, outcome, joint, report.secs_at(peak.frame), actions);
        }
    }
}

fn shown(property: usize, error: f64) -> String {
    match property {
        0 => format!("{} mm", text::number(error * 1e3, 3)),
        1 => format!("{}°", text::number(error, 4)),
        _ => text::number(error, 5),
    }
}

/// Selects a joint, and goes to a time.
fn go(
    cx: &Cx<'_>,
    doc: DocId,
    outcome: &Outcome,
    joint: usize,
    secs: f64,
    actions: &mut Vec<Action>,
) {
    if let Some(what) = outcome.place(cx.stage, joint).and_then(|at| nodes::at(cx, at)) {
        actions.push(Action::Select(nodes::only(cx.selection(), [what])));
    }
    match cx.workspace().take(doc) {
        Some(take) => {
            let frame = take.frame_range()[0] + secs * take.fps();
            actions.push(Action::GoToFrame(doc, frame));
        }
        None => actions.push(Action::SetPlayhead(secs)),
    }
}

/// Other tolerances than those it was made with.
fn other(ui: &mut Ui, cx: &Cx<'_>, doc: DocId, outcome: &Outcome, actions: &mut Vec<Action>) {
    let Some(form) = cx.conversions.form(doc) else { return };
    if outcome.made.report.tracks.is_empty() {
        return;
    }
    let mut next = form.clone();
    panel::tolerances(ui, cx, &mut next.tolerances);
    if next != *form {
        actions.push(Action::SetConversion(doc, Box::new(next)));
    }
}

/// What other tolerances come to, and once more with them: always in sight.
pub(super) fn footer(
    ui: &mut Ui,
    cx: &Cx<'_>,
    doc: DocId,
    outcome: &Outcome,
    actions: &mut Vec<Action>,
) {
    let Some(form) = cx.conversions.form(doc) else { return };
    if outcome.made.report.tracks.is_empty() {
        return;
    }
    panel::foot(ui, cx, |ui| {
        let same = *form == outcome.job.form;
        if !same {
            panel::figures(ui, cx, doc, form, actions);
        }
        let ready = !same && matches!(cx.conversions.reckoning(), Reckoning::Made(_));
        let response = ui.add_enabled(ready, egui::Button::new("Convert Again"));
        if response.clicked() {
            actions.push(Action::CreateConverted(doc));
        }
        let help = "With other tolerances: new documents; those before are closed where nothing \
                    was done to them";
        response.on_hover_text(help);
    });
}

/// How much of what is allowed a track's own error is.
fn share(outcome: &Outcome, track: &TrackReport) -> f64 {
    let limits = outcome.made.tolerances;
    let limit = match track.property {
        Property::Position => limits.position_m,
        Property::Rotation => limits.angle_deg,
        Property::Scale => limits.scale,
    };
    track.peak.error / limit
}

fn table(ui: &mut Ui, cx: &Cx<'_>, doc: DocId, outcome: &Outcome, actions: &mut Vec<Action>) {
    let report = &outcome.made.report;
    if report.tracks.is_empty() {
        return;
    }
    widgets::section(ui, cx.theme, "TRACKS BY THEIR OWN ERROR");
    let mut order: Vec<(f64, &TrackReport)> =
        report.tracks.iter().map(|track| (share(outcome, track), track)).collect();
    order.sort_by(|a, b| b.0.total_cmp(&a.0));
    ui.spacing_mut().item_spacing.y = 0.0;
    for (share, track) in order.iter().take(MOST_ROWS) {
        row(ui, cx, *share, track, || {
            go(cx, doc, outcome, track.joint, report.secs_at(track.peak.frame), actions);
        });
    }
    if order.len() > MOST_ROWS {
        let words = format!("{} more, all better", order.len() - MOST_ROWS);
        ui.label(RichText::new(words).size(theme::LABEL_SIZE).color(cx.theme.muted));
    }
}

fn row(ui: &mut Ui, cx: &Cx<'_>, share: f64, track: &TrackReport, go: impl FnOnce()) {
    let theme = cx.theme;
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), theme::ROW), Sense::click());
    let property = track.property as usize;
    let error = shown(property, track.peak.error);
    let name = format!("{} {}", text::name(&track.part), track.property.as_str());
    response.widget_info(|| {
        WidgetInfo::labeled(Role::Row, true, format!("{name}, {} keys, {error}", track.keys))
    });
    if ui.is_rect_visible(rect) {
        let painter = ui.painter();
        if response.hovered() {
            painter.rect_filled(rect, CornerRadius::same(theme::CORNER), theme.control);
        }
        let bar = egui::Rect::from_min_size(
            pos2(rect.left(), rect.bottom() - 3.0),
            vec2((share.clamp(0.0, 1.0) as f32) * rect.width(), 2.0),
        );
        painter.rect_filled(bar, CornerRadius::ZERO, heat(cx, share as f32));
        let font = FontId::proportional(theme::LABEL_SIZE);
        let mono = FontId::monospace(theme::LABEL_SIZE);
        let right = rect.right() - 4.0;
        let at = |x: f32| pos2(x, rect.center().y);
        let place = painter.text(at(right), Align2::RIGHT_CENTER, &error, mono.clone(), theme.text);
        let keys = format!("{}→{}", track.source_keys, track.keys);
        let end = place.left().min(right - 74.0) - 10.0;
        let keys = painter.text(at(end), Align2::RIGHT_CENTER, keys, mono, theme.muted);
        let room = egui::Rect::from_min_max(rect.min, pos2(keys.left() - 6.0, rect.bottom()));
        let painter = painter.with_clip_rect(room.intersect(ui.clip_rect()));
        painter.text(at(rect.left() + 4.0), Align2::LEFT_CENTER, name, font, theme.text);
    }
    if response.clicked() {
        go();
    }
    let frame = text::number(track.peak.frame, 3);
    let words = format!("{}: worst at frame {frame} · a click goes there", track.method);
    response.on_hover_text(words);
}

/// The colour of an error that is this share of what is allowed.
pub fn heat(cx: &Cx<'_>, share: f32) -> Color32 {
    let theme = cx.theme;
    let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 1.0 };
    match share < 0.5 {
        true => theme.good.lerp_to_gamma(theme.warning, share * 2.0),
        false => theme.warning.lerp_to_gamma(theme.error, share * 2.0 - 1.0),
    }
}
