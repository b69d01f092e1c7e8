//! The Report panel: what an export is, at a glance.

use super::ShownExport;
use crate::model::take::{CoordinateSystem, Header, Take};
use crate::sample::take::{Space, SpaceMeasure, TakeReport};
use crate::ui::action::Action;
use crate::ui::command::CommandId;
use crate::ui::cx::Cx;
use crate::ui::{text, theme, widgets};
use eframe::egui::{
    self, Align, Color32, CornerRadius, FontId, Label, Layout, Margin, Rect, RichText, ScrollArea,
    Sense, Ui, WidgetInfo, pos2, vec2,
};

/// Where the second column begins, in points.
const COLUMN: f32 = 108.0;

/// Shows the panel.
pub fn show(ui: &mut Ui, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    let Some(export) = cx.export() else {
        let words = "What an exported .anm or .pvt is, at a glance: rate, range, space, cameras.";
        widgets::empty(ui, cx, words, &[(CommandId::Open, "Open…")], actions);
        return;
    };
    ScrollArea::vertical().auto_shrink([false; 2]).show(ui, |ui| {
        let margin = Margin { left: 12, right: 12, top: 4, bottom: 12 };
        egui::Frame::new().inner_margin(margin).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 3.0;
            match export.take() {
                Some((take, _, measure)) => {
                    of_take(ui, cx, take, cx.report, actions);
                    spaces(ui, cx, export, measure, actions);
                }
                None => of_skeleton(ui, cx, export),
            }
        });
    });
}

/// A line: what it is, and what it is here.
fn line(ui: &mut Ui, cx: &Cx<'_>, name: &str, words: &str, color: Color32) {
    ui.horizontal(|ui| {
        ui.set_min_height(20.0);
        label(ui, cx, name);
        let shown = text::clean(words, 400);
        let words = RichText::new(&*shown).size(theme::TEXT_SIZE).color(color);
        ui.add(Label::new(words).wrap());
    });
}

/// What stands in the first column.
pub fn label(ui: &mut Ui, cx: &Cx<'_>, name: &str) -> egui::Response {
    let words = RichText::new(name).size(theme::LABEL_SIZE).color(cx.theme.muted);
    let layout = Layout::left_to_right(Align::Center);
    // In a narrow panel what is said of it needs the room more.
    let width = COLUMN.min(ui.max_rect().width() * 0.45);
    ui.allocate_ui_with_layout(vec2(width, 20.0), layout, |ui| {
        ui.set_min_width(width);
        ui.label(words)
    })
    .inner
}

fn header(ui: &mut Ui, cx: &Cx<'_>, kind: &str, header: &Header) {
    let source = header.source.as_deref().filter(|source| !source.is_empty());
    let words = format!("{} · {kind} v{}", source.unwrap_or("unknown"), Header::VERSION);
    let known = source.is_some_and(|s| Header::SOURCES.iter().any(|k| k.eq_ignore_ascii_case(s)));
    line(ui, cx, "Source", &words, if known { cx.theme.text } else { cx.theme.warning });
}

fn axes(ui: &mut Ui, cx: &Cx<'_>, system: Option<&CoordinateSystem>) {
    let Some(system) = system else {
        let words = "not in the file: shown as y up, right, metres";
        return line(ui, cx, "Axes", words, cx.theme.warning);
    };
    let written = system.written();
    let (known, canonical) = (system.known(), system.canonical_fields());
    let word = |at: usize| written[at].unwrap_or("?");
    let words = format!("{} up · {} · {} · {}", word(0), word(1), word(2), word(3));
    let color = match (known[..4].contains(&false), canonical[..4].contains(&false)) {
        (true, _) => cx.theme.error,
        (false, true) => cx.theme.warning,
        (false, false) => cx.theme.text,
    };
    line(ui, cx, "Axes", &words, color);
    for at in 4..6 {
        if !canonical[at] {
            let color = if known[at] { cx.theme.warning } else { cx.theme.error };
            line(ui, cx, CoordinateSystem::FIELDS[at], word(at), color);
        }
    }
}

fn frames(value: f64) -> String {
    text::number(value, if value == value.round() { 0 } else { 3 })
}

fn of_take(
    ui: &mut Ui,
    cx: &Cx<'_>,
    take: &Take,
    report: Option<&std::sync::Arc<TakeReport>>,
    actions: &mut Vec<Action>,
) {
    let theme = cx.theme;
    header(ui, cx, "octo_anm", &take.header);
    let [from, to] = take.frame_range();
    let fps = take.fps();
    let secs = match (to - from) / fps {
        secs if secs.is_finite() && secs >= 0.0 => format!("{} s", text::number(secs, 3)),
        _ => "no length".to_owned(),
    };
    let words = format!("{} – {} · {secs} at {} fps", frames(from), frames(to), frames(fps));
    let odd = take.header.fps.is_none() || take.frame_range.is_none() || to < from || fps <= 0.0;
    line(ui, cx, "Range", &words, if odd { theme.warning } else { theme.text });
    if let Some(report) = report {
        let counts = &report.counts;
        let roots = text::count(counts.roots, "root", "roots");
        let words = format!("{} · {roots} · depth {}", counts.pegs, counts.depth);
        line(ui, cx, "Pegs", &words, theme.text);
        let mut mix = [0_usize; 4];
        for peg in &report.pegs {
            let of =
                [peg.interp.bezier, peg.interp.linear, peg.interp.constant, peg.interp.unknown];
            mix.iter_mut().zip(of).for_each(|(sum, many)| *sum += many);
        }
        let share = |many: usize| (100.0 * many as f64 / counts.keys.max(1) as f64).round();
        let names = ["BEZIER", "LINEAR", "CONSTANT", "unknown"];
        let parts = mix.iter().zip(names).filter(|(many, _)| **many > 0);
        let parts: Vec<String> =
            parts.map(|(many, name)| format!("{}% {name}", share(*many))).collect();
        let words = [vec![counts.keys.to_string()], parts].concat().join(" · ");
        line(ui, cx, "Keys", &words, theme.text);
    } else {
        line(ui, cx, "Pegs", &take.pegs.len().to_string(), theme.text);
        line(ui, cx, "Keys", &format!("{} · counting…", take.key_count()), theme.muted);
    }
    axes(ui, cx, take.header.coordinate_system.as_ref());
    cameras(ui, cx, take, actions);
    if let Some(report) = report {
        let rigs = match report.rigs.as_slice() {
            [] => "none named".to_owned(),
            rigs => rigs.join(" · "),
        };
        line(ui, cx, "Rigs", &rigs, theme.text);
        if take.pegs.iter().any(|peg| peg.source_modes.is_some()) {
            line(ui, cx, "source_modes", "a hint: changes no value", theme.muted);
        }
        if !report.unknown_fields.is_empty() {
            line(ui, cx, "Unknown fields", &report.unknown_fields.join(", "), theme.muted);
        }
    }
}

/// The cameras, each to be looked through.
fn cameras(ui: &mut Ui, cx: &Cx<'_>, take: &Take, actions: &mut Vec<Action>) {
    if take.cameras.is_empty() {
        return line(ui, cx, "Cameras", "none", cx.theme.muted);
    }
    let view = cx.view().viewport.clone();
    for (at, camera) in take.cameras.iter().enumerate() {
        ui.horizontal(|ui| {
            ui.set_min_height(22.0);
            let first = format!("Cameras {}", take.cameras.len());
            label(ui, cx, if at == 0 { &first } else { "" });
            let name = camera.name.as_deref().unwrap_or("unnamed");
            let on = view.look_through == Some(at);
            let default = if camera.is_default == Some(true) { " (default)" } else { "" };
            let words = format!("{}{default}", text::clean(name, 40));
            let response = widgets::toggle(ui, cx.theme, on, &words);
            let help = match on {
                true => "Leave this camera",
                false => "Look through this camera",
            };
            if response.on_hover_text(help).clicked() {
                let look_through = (!on).then_some(at);
                let next = crate::ui::state::ViewportView { look_through, ..view.clone() };
                actions.push(Action::SetViewport(next));
            }
            if camera.override_fov == Some(false) {
                let words = RichText::new("scene FOV not in the file").small();
                ui.label(words.color(cx.theme.warning)).on_hover_text(
                    "The camera does not override the scene's field of view, and the scene's is \
                     not in the file",
                );
            }
        });
    }
}

/// What the keys are relative to: the choice with its three figures (A20).
fn spaces(
    ui: &mut Ui,
    cx: &Cx<'_>,
    export: &ShownExport,
    measure: &SpaceMeasure,
    actions: &mut Vec<Action>,
) {
    ui.add_space(8.0);
    widgets::section(ui, cx.theme, "KEYS ARE RELATIVE TO");
    let Some((_, rig, _)) = export.take() else { return };
    let current = rig.space();
    if let Some(space) = space_rows(ui, cx, measure, Some(current)) {
        actions.push(Action::SetSpace(Some(space)));
    }
    let words = match measure.decided {
        Some(space) if space == current => "measured: the numbers fit this reading alone",
        Some(_) => "another reading fits the numbers better",
        None => "undecided: the numbers fit several readings; please choose",
    };
    let color = match measure.decided {
        Some(space) if space == current => cx.theme.muted,
        _ => cx.theme.warning,
    };
    ui.add_space(2.0);
    let help = "How far the keys' places are from the rests, in the median (metres): the reading \
                that is near 0 is the right one";
    ui.label(RichText::new(words).size(theme::LABEL_SIZE).color(color)).on_hover_text(help);
}

/// The three readings of an export's values, each with how far it is off (A20); gives the one that
/// was clicked.
pub fn space_rows(
    ui: &mut Ui,
    cx: &Cx<'_>,
    measure: &SpaceMeasure,
    current: Option<Space>,
) -> Option<Space> {
    let mut clicked = None;
    let figures = Space::ALL.map(|space| measure.figure(space));
    let largest = figures.iter().flatten().copied().fold(0.0_f64, f64::max).max(1e-9);
    let names = ["the parent (local)", "the rest (delta)", "the world"];
    for ((space, name), figure) in Space::ALL.into_iter().zip(names).zip(figures) {
        let (rect, response) =
            ui.allocate_exact_size(vec2(ui.available_width(), theme::ROW), Sense::click());
        let on = current == Some(space);
        let words = figure.map_or("–".to_owned(), |f| format!("{} m", text::number(f, 3)));
        response.widget_info(|| {
            let mut info = WidgetInfo::selected(egui::Role::RadioButton, true, on, name);
            info.current_text_value = Some(words.clone());
            info
        });
        let painter = ui.painter();
        if on || response.hovered() {
            let fill = if on { cx.theme.accent.gamma_multiply(0.25) } else { cx.theme.control };
            painter.rect_filled(rect, CornerRadius::same(theme::CORNER), fill);
        }
        let dot = pos2(rect.left() + 12.0, rect.center().y);
        let color = if on { cx.theme.accent } else { cx.theme.muted };
        painter.circle_stroke(dot, 5.5, egui::Stroke::new(1.5, color));
        if on {
            painter.circle_filled(dot, 3.0, color);
        }
        let at = pos2(rect.left() + 28.0, rect.center().y);
        let font = FontId::proportional(theme::TEXT_SIZE);
        painter.text(at, egui::Align2::LEFT_CENTER, name, font, cx.theme.text);
        let font = FontId::monospace(theme::LABEL_SIZE);
        let place = pos2(rect.right() - 8.0, rect.center().y);
        let right = painter.text(place, egui::Align2::RIGHT_CENTER, words, font, cx.theme.muted);
        let left = rect.left() + 160.0;
        if let Some(figure) = figure
            && right.left() - 8.0 > left
        {
            let width = ((figure / largest) as f32).clamp(0.02, 1.0) * (right.left() - 8.0 - left);
            let bar = Rect::from_min_size(pos2(left, rect.center().y - 2.5), vec2(width, 5.0));
            let color = if measure.decided == Some(space) { cx.theme.good } else { cx.theme.dim };
            painter.rect_filled(bar, CornerRadius::same(2), color);
        }
        if response.clicked() {
            clicked = Some(space);
        }
    }
    clicked
}

fn of_skeleton(ui: &mut Ui, cx: &Cx<'_>, export: &ShownExport) {
    let Some(skeleton) = cx.workspace().skeleton(export.doc) else { return };
    header(ui, cx, "octo_pvt", &skeleton.header);
    line(ui, cx, "Name", skeleton.name.as_deref().unwrap_or("none"), cx.theme.text);
    line(ui, cx, "Bones", &skeleton.bones.len().to_string(), cx.theme.text);
    line(ui, cx, "Scale", &frames(skeleton.scale_factor()), cx.theme.text);
    let space = skeleton.pivot_space.written.as_deref().unwrap_or("local");
    line(ui, cx, "Pivots", &format!("in {space} space"), cx.theme.text);
    axes(ui, cx, skeleton.header.coordinate_system.as_ref());
    line(ui, cx, "Cameras", &skeleton.cameras.len().to_string(), cx.theme.text);
}
