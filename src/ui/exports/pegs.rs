//! The Pegs panel: a table of an export's pegs, to be sorted and filtered.

use crate::diagnostic::Severity;
use crate::edit::Selected;
use crate::sample::take::{PegRow, TakeReport};
use crate::ui::action::Action;
use crate::ui::command::CommandId;
use crate::ui::cx::Cx;
use crate::ui::{nodes, text, theme, widgets};
use eframe::egui::{
    self, Align2, Color32, CornerRadius, FontId, Pos2, Rect, Role, ScrollArea, Sense, Shape,
    Stroke, TextEdit, Ui, WidgetInfo, pos2, vec2,
};
use std::cmp::Ordering;

/// What can be sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Peg,
    Parent,
    Rig,
    Motion,
    Keys,
    Travel,
    Turn,
    Step,
    Interp,
    Problems,
}

impl Column {
    const ALL: [Column; 10] = [
        Column::Peg,
        Column::Parent,
        Column::Rig,
        Column::Motion,
        Column::Keys,
        Column::Travel,
        Column::Turn,
        Column::Step,
        Column::Interp,
        Column::Problems,
    ];

    fn name(self) -> &'static str {
        match self {
            Column::Peg => "Peg",
            Column::Parent => "Parent",
            Column::Rig => "Rig",
            Column::Motion => "Motion",
            Column::Keys => "Keys",
            Column::Travel => "Travel",
            Column::Turn => "Turn",
            Column::Step => "Largest step",
            Column::Interp => "Interpolation",
            Column::Problems => "Problems",
        }
    }

    /// Its share of the width.
    fn share(self) -> f32 {
        match self {
            Column::Peg => 0.15,
            Column::Parent => 0.1,
            Column::Rig => 0.06,
            Column::Motion => 0.17,
            Column::Keys => 0.06,
            Column::Travel | Column::Turn => 0.08,
            Column::Step => 0.09,
            Column::Interp => 0.11,
            Column::Problems => 0.1,
        }
    }

    fn is_number(self) -> bool {
        matches!(
            self,
            Column::Keys | Column::Travel | Column::Turn | Column::Step | Column::Problems
        )
    }
}

/// How the table is looked at.
#[derive(Clone, Debug)]
struct Look {
    by: Column,
    down: bool,
    filter: String,
}

impl Default for Look {
    fn default() -> Self {
        Look { by: Column::Problems, down: true, filter: String::new() }
    }
}

/// The worst problem of each peg, and how many it has.
type Faults = Vec<Option<(Severity, usize)>>;

/// Shows the panel.
pub fn show(ui: &mut Ui, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    let (Some(export), Some(report)) = (cx.export(), cx.report) else {
        let waiting = cx.export().is_some_and(|export| export.take().is_some());
        let words = match waiting {
            true => "Looking at the pegs…",
            false => {
                "The pegs of an exported .anm: how far each moves and turns, its keys, its \
                      problems."
            }
        };
        widgets::empty(ui, cx, words, &[(CommandId::Open, "Open…")], actions);
        return;
    };
    let id = ui.scope_id().with("look");
    let mut look: Look = ui.data_mut(|data| data.get_temp_mut_or_default::<Look>(id).clone());
    let faults = faults(cx, export.doc, report.pegs.len());
    let rect = ui.max_rect();
    let top = Rect::from_min_size(rect.min, vec2(rect.width(), 26.0));
    head(ui, cx, top, &mut look);
    let rows = rows(report, &look, &faults);
    let body = Rect::from_min_max(pos2(rect.left(), top.bottom()), rect.max);
    ui.scope_builder(egui::UiBuilder::new().max_rect(body), |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        let area = ScrollArea::vertical().auto_shrink([false; 2]);
        area.show_rows(ui, theme::ROW, rows.len(), |ui, shown| {
            for at in &rows[shown] {
                row(ui, cx, *at, &report.pegs[*at], faults[*at], actions);
            }
        });
        if rows.is_empty() {
            ui.vertical_centered(|ui| ui.label("No peg has that in its name, rig or problem."));
        }
    });
    ui.data_mut(|data| data.insert_temp(id, look));
}

fn faults(cx: &Cx<'_>, doc: crate::edit::DocId, pegs: usize) -> Faults {
    let mut faults: Faults = vec![None; pegs];
    for problem in cx.derived.problems(doc) {
        let Some(about) = &problem.subject else { continue };
        let Some(slot) = faults.get_mut(about.index) else { continue };
        *slot = Some(match *slot {
            // Only those of the worst kind are counted.
            Some((worst, many)) if worst == problem.severity => (worst, many + 1),
            Some((worst, many)) if worst < problem.severity => (worst, many),
            _ => (problem.severity, 1),
        });
    }
    faults
}

/// The places of the columns.
fn columns(rect: Rect) -> [Rect; 10] {
    let mut left = rect.left() + 12.0;
    let width = rect.width() - 24.0;
    Column::ALL.map(|column| {
        let own = column.share() * width;
        let place = Rect::from_min_size(pos2(left, rect.top()), vec2(own - 10.0, rect.height()));
        left += own;
        place
    })
}

fn head(ui: &mut Ui, cx: &Cx<'_>, rect: Rect, look: &mut Look) {
    let theme = cx.theme;
    for (column, place) in Column::ALL.into_iter().zip(columns(rect)) {
        let is_peg = column == Column::Peg;
        if is_peg {
            // The filter stands where the names do.
            let field = TextEdit::singleline(&mut look.filter).hint_text("Peg: filter");
            let response = ui.put(place.shrink2(vec2(0.0, 2.0)), field);
            response.widget_info(|| {
                WidgetInfo::labeled(Role::TextInput, true, "Filter pegs by name, rig or problem")
            });
            continue;
        }
        let id = ui.scope_id().with(column.name());
        let response = ui.interact(place, id, Sense::click());
        response.widget_info(|| {
            WidgetInfo::labeled(Role::Button, true, format!("Sort by {}", column.name()))
        });
        let on = look.by == column;
        let color = match (on, response.hovered()) {
            (true, _) => theme.text,
            (false, true) => theme.text,
            (false, false) => theme.muted,
        };
        let arrow = match (on, look.down) {
            (true, true) => " ▾",
            (true, false) => " ▴",
            (false, _) => "",
        };
        let words = format!("{}{arrow}", column.name());
        let font = FontId::proportional(theme::LABEL_SIZE);
        let (at, align) = match column.is_number() {
            true => (place.right_center(), Align2::RIGHT_CENTER),
            false => (place.left_center(), Align2::LEFT_CENTER),
        };
        ui.painter().text(at, align, words, font, color);
        if response.clicked() {
            look.down = if on { !look.down } else { column.is_number() };
            look.by = column;
        }
        response.on_hover_text(format!("Sort by {}", column.name().to_lowercase()));
    }
}

/// The rows that the filter lets through, in order.
fn rows(report: &TakeReport, look: &Look, faults: &Faults) -> Vec<usize> {
    let wanted = look.filter.trim().to_lowercase();
    let has = |text: &str| text.to_lowercase().contains(&wanted);
    let fits = |at: &usize| {
        let row = &report.pegs[*at];
        wanted.is_empty()
            || has(&row.name)
            || row.rig.as_deref().is_some_and(has)
            || row.parent_name.as_deref().is_some_and(has)
            || faults[*at].is_some_and(|(severity, _)| has(severity.as_str()))
    };
    let mut rows: Vec<usize> = (0..report.pegs.len()).filter(fits).collect();
    let number = |a: f64, b: f64| a.total_cmp(&b);
    let order = |a: &usize, b: &usize| -> Ordering {
        let (x, y) = (&report.pegs[*a], &report.pegs[*b]);
        match look.by {
            Column::Peg => x.name.cmp(&y.name),
            Column::Parent => x.parent_name.cmp(&y.parent_name),
            Column::Rig => x.rig.cmp(&y.rig),
            Column::Motion | Column::Travel => number(x.motion.travel, y.motion.travel),
            Column::Keys => x.keys.cmp(&y.keys),
            Column::Turn => number(x.motion.turn_deg, y.motion.turn_deg),
            Column::Step => number(x.motion.largest_turn_deg, y.motion.largest_turn_deg),
            Column::Interp => x.interp.bezier.cmp(&y.interp.bezier),
            Column::Problems => {
                let rank = |at: usize| {
                    faults[at].map_or((0, 0), |(severity, many)| {
                        let weight = match severity {
                            Severity::Error => 3,
                            Severity::Warning => 2,
                            Severity::Info => 1,
                        };
                        (weight, many)
                    })
                };
                rank(*a).cmp(&rank(*b))
            }
        }
    };
    rows.sort_by(|a, b| if look.down { order(b, a) } else { order(a, b) });
    rows
}

fn row(
    ui: &mut Ui,
    cx: &Cx<'_>,
    at: usize,
    peg: &PegRow,
    fault: Option<(Severity, usize)>,
    actions: &mut Vec<Action>,
) {
    let theme = cx.theme;
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), theme::ROW), Sense::click());
    let Some(what) = nodes::at(cx, at) else { return };
    let selected = cx.selection().nodes.contains(&what);
    response.widget_info(|| {
        let name = format!("{}, {}", text::name(&peg.label), text::count(peg.keys, "key", "keys"));
        WidgetInfo::selected(Role::Row, true, selected, name)
    });
    if !ui.is_rect_visible(rect) {
        return;
    }
    let painter = ui.painter();
    let ground = rect.shrink2(vec2(4.0, 0.0));
    if selected || response.hovered() {
        let fill = if selected { theme.accent.gamma_multiply(0.25) } else { theme.control };
        painter.rect_filled(ground, CornerRadius::same(theme::CORNER), fill);
    }
    let places = columns(rect);
    let place = |column: Column| places[column as usize];
    let words = |column: Column, words: &str, color: Color32, mono: bool| {
        let place = place(column);
        let font = match mono {
            true => FontId::monospace(theme::LABEL_SIZE),
            false => FontId::proportional(theme::TEXT_SIZE),
        };
        let (at, align) = match column.is_number() {
            true => (place.right_center(), Align2::RIGHT_CENTER),
            false => (place.left_center(), Align2::LEFT_CENTER),
        };
        painter.with_clip_rect(place.intersect(ui.clip_rect())).text(at, align, words, font, color);
    };
    words(Column::Peg, &text::clean(&peg.name, 60), theme.text, false);
    words(
        Column::Parent,
        &text::clean(peg.parent_name.as_deref().unwrap_or("–"), 40),
        theme.muted,
        false,
    );
    words(Column::Rig, &text::clean(peg.rig.as_deref().unwrap_or("–"), 30), theme.muted, false);
    let line = spark(&peg.motion.moved, &peg.motion.turned_deg, place(Column::Motion));
    painter.add(Shape::line(line, Stroke::new(1.2, theme.accent)));
    words(Column::Keys, &peg.keys.to_string(), theme.text, true);
    let still = is_still(peg);
    if still {
        words(Column::Travel, "still", theme.dim, true);
        words(Column::Turn, "still", theme.dim, true);
        words(Column::Step, "–", theme.dim, true);
    } else {
        words(
            Column::Travel,
            &format!("{} m", text::number(peg.motion.travel, 3)),
            theme.text,
            true,
        );
        words(
            Column::Turn,
            &format!("{}°", text::number(peg.motion.turn_deg, 0)),
            theme.text,
            true,
        );
        let step = peg.motion.largest_turn_deg;
        let color = if step >= 40.0 { theme.error } else { theme.text };
        words(Column::Step, &format!("{}°", text::number(step, 1)), color, true);
    }
    mix(ui, cx, place(Column::Interp), peg);
    let (count, color) = match fault {
        Some((Severity::Error, many)) => (text::count(many, "error", "errors"), theme.error),
        Some((Severity::Warning, many)) => {
            (text::count(many, "warning", "warnings"), theme.warning)
        }
        Some((Severity::Info, many)) => (text::count(many, "note", "notes"), theme.muted),
        None if still => ("never moves".to_owned(), theme.muted),
        None => (String::new(), theme.muted),
    };
    words(Column::Problems, &count, color, false);
    if response.clicked() {
        let modifiers = ui.input(|input| input.modifiers);
        let selection = nodes::clicked(cx.selection(), what.clone(), modifiers);
        actions.push(Action::Select(selection));
    }
    if response.double_clicked()
        && let Selected::Node(doc, _) = what
    {
        actions.push(Action::GoToFrame(doc, peg.motion.largest_turn_frame));
    }
    let help = format!(
        "{}\nLargest step {} m at frame {}, {}° at frame {} · double-click goes there",
        text::clean(&peg.label, 200),
        text::number(peg.motion.largest_step, 4),
        text::number(peg.motion.largest_step_frame, 1),
        text::number(peg.motion.largest_turn_deg, 2),
        text::number(peg.motion.largest_turn_frame, 1),
    );
    response.on_hover_text(help);
}

/// What moves less than this over the whole range is rounding of the program that wrote it.
fn is_still(peg: &PegRow) -> bool {
    peg.motion.travel <= 1e-5 && peg.motion.turn_deg <= 0.01
}

/// The way from where it began, and where it does not travel its turn, as a small line.
fn spark(moved: &[f32], turned: &[f32], place: Rect) -> Vec<Pos2> {
    let tall = |values: &[f32]| values.iter().copied().fold(0.0_f32, f32::max);
    let values = if tall(moved) > 1e-5 { moved } else { turned };
    // Rounding stays a level line.
    let (most, many) = (tall(values).max(1e-2), values.len().max(2) - 1);
    let middle = place.shrink2(vec2(0.0, 6.0));
    let at = |(index, value): (usize, &f32)| {
        let x = middle.left() + middle.width() * index as f32 / many as f32;
        let value = if value.is_finite() { *value } else { 0.0 };
        pos2(x, middle.bottom() - middle.height() * value / most)
    };
    values.iter().enumerate().map(at).collect()
}

/// How the keys interpolate: BEZIER in the accent, the others beside it in greys.
fn mix(ui: &Ui, cx: &Cx<'_>, place: Rect, peg: &PegRow) {
    let theme = cx.theme;
    let parts = [
        (peg.interp.bezier, theme.accent),
        (peg.interp.linear, theme.muted),
        (peg.interp.constant, theme.dim),
        (peg.interp.unknown, theme.error),
    ];
    let mut left = place.left();
    for (many, color) in parts.into_iter().filter(|(many, _)| *many > 0) {
        let width = place.width() * many as f32 / peg.keys.max(1) as f32;
        let bar = Rect::from_min_size(pos2(left, place.center().y - 3.0), vec2(width, 6.0));
        ui.painter().rect_filled(bar, CornerRadius::same(1), color);
        left += width;
    }
}
