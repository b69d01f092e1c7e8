//! The Problems panel: what is wrong with the open documents.

use super::action::Action;
use super::cx::Cx;
use super::derived::MOST_CHOICES;
use super::{text, theme, widgets};
use crate::diagnostic::{Problem, Severity};
use crate::edit::{Content, DocId};
use crate::format;
use eframe::egui::{
    self, Align2, Color32, CornerRadius, FontId, Rect, RichText, ScrollArea, Sense, Stroke, Ui,
    WidgetInfo, pos2, vec2,
};

/// Shows the panel.
pub fn show(ui: &mut Ui, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    if cx.derived.count(cx.workspace()).total() == 0 {
        let words = if cx.state.tabs.is_empty() {
            "What is wrong with the open documents is listed here, with its repair."
        } else {
            "Nothing is wrong with the open documents."
        };
        widgets::empty(ui, cx, words, &[], actions);
        return;
    }
    list(ui, cx, None, actions);
}

/// The problems of one document, or of all of them: errors first, the current document's before
/// the others'.
pub fn list(ui: &mut Ui, cx: &Cx<'_>, only: Option<DocId>, actions: &mut Vec<Action>) {
    let mut rows: Vec<(DocId, usize, &Problem)> = Vec::new();
    for document in cx.workspace().documents() {
        if only.is_none_or(|only| only == document.id) {
            let problems = cx.derived.problems(document.id).iter().enumerate();
            rows.extend(problems.map(|(index, problem)| (document.id, index, problem)));
        }
    }
    let active = cx.active();
    rows.sort_by_key(|(doc, index, problem)| {
        (problem.severity, active != Some(*doc), *doc, *index)
    });
    let rows = folded(rows);
    // All rows are equally high, so that only those on the screen need be laid out: with a line
    // more where a sentence does not fit in one.
    const HEIGHT: f32 = 56.0;
    let fits = ((ui.available_width() - 44.0) / MEAN_GLYPH).max(0.0);
    let is_long = |row: &Row<'_>| row.problem.message.len() as f32 > fits;
    let height = HEIGHT + if rows.iter().any(is_long) { LINE } else { 0.0 };
    ScrollArea::vertical().auto_shrink([false; 2]).show_rows(
        ui,
        height,
        rows.len(),
        |ui, shown| {
            for row in &rows[shown] {
                show_row(ui, cx, row, height, actions);
            }
        },
    );
}

/// From one line of a row's sentences to the next, in points.
const LINE: f32 = 15.0;
/// How wide a glyph of a sentence is, a little generously, in points.
const MEAN_GLYPH: f32 = 5.8;

/// A problem in the list, with what is the same problem of the same peg at later frames.
struct Row<'p> {
    doc: DocId,
    index: usize,
    problem: &'p Problem,
    until_frame: Option<f64>,
    /// What says how many more keys of the peg are like the ones listed.
    rest: Option<&'p Problem>,
}

impl Row<'_> {
    /// The frames that it is about, for the right edge.
    fn frames(&self) -> Option<String> {
        let first = self.problem.subject.as_ref()?.frame?;
        let number = |frame: f64| text::number(frame, if frame == frame.round() { 0 } else { 2 });
        Some(match (self.until_frame, self.rest) {
            // Which the others are is not listed.
            (_, Some(_)) => format!("from frame {}", number(first)),
            (Some(until), None) => format!("frames {} – {}", number(first), number(until)),
            (None, None) => format!("frame {}", number(first)),
        })
    }
}

/// One row for what is wrong with one peg in the same way at frame after frame.
fn folded(rows: Vec<(DocId, usize, &Problem)>) -> Vec<Row<'_>> {
    let frame = |problem: &Problem| problem.subject.as_ref().and_then(|about| about.frame);
    let peg = |problem: &Problem| problem.subject.as_ref().map(|about| about.index);
    let mut folded: Vec<Row<'_>> = Vec::with_capacity(rows.len());
    for (doc, index, problem) in rows {
        let same = folded.last_mut().filter(|last| {
            last.doc == doc
                && last.problem.code == problem.code
                && peg(last.problem).is_some()
                && peg(last.problem) == peg(problem)
                && frame(last.problem).is_some()
                && last.rest.is_none()
        });
        match (same, frame(problem)) {
            (Some(last), Some(frame)) => last.until_frame = Some(frame),
            (Some(last), None) if problem.path.ends_with("keyframes") => last.rest = Some(problem),
            _ => folded.push(Row { doc, index, problem, until_frame: None, rest: None }),
        }
    }
    folded
}

/// The colour of a severity.
pub fn color_of(severity: Severity, cx: &Cx<'_>) -> Color32 {
    match severity {
        Severity::Error => cx.theme.error,
        Severity::Warning => cx.theme.warning,
        Severity::Info => cx.theme.muted,
    }
}

/// The thing that a problem is about, in the user's words.
fn subject(cx: &Cx<'_>, doc: DocId, problem: &Problem) -> String {
    let index_after = |name: &str| -> Option<usize> {
        let rest = problem.path.strip_prefix(name)?.strip_prefix('[')?;
        rest.split(']').next()?.parse().ok()
    };
    let named = match cx.workspace().content(doc) {
        Some(Content::Clip(clip)) => index_after("tracks")
            .and_then(|i| clip.tracks.get(i))
            .map(|track| format!("{} · {}", text::name(&track.part), track.property.as_str())),
        Some(Content::Rig(rig)) => index_after("nodes")
            .or_else(|| index_after("entities"))
            .and_then(|i| rig.nodes.get(i))
            .map(|node| text::name(node.display_name()).into_owned()),
        _ => problem.subject.as_ref().map(|about| text::name(&about.peg).into_owned()),
    };
    let path = || match problem.path.as_str() {
        "" => cx.workspace().document(doc).map(|d| d.name()).unwrap_or_default(),
        path => text::name(path).into_owned(),
    };
    named.unwrap_or_else(path)
}

/// What to do about a problem.
fn advice(problem: &Problem) -> String {
    format::advice(problem.code).map(|advice| advice.replace('`', "")).unwrap_or_default()
}

fn show_row(ui: &mut Ui, cx: &Cx<'_>, row: &Row<'_>, height: f32, actions: &mut Vec<Action>) {
    let Row { doc, index, problem, .. } = *row;
    let theme = cx.theme;
    let size = vec2(ui.available_width(), height - 4.0);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    let message = text::clean(&problem.message, 240);
    let subject = subject(cx, doc, problem);
    response.widget_info(|| {
        let severity = problem.severity.as_str();
        WidgetInfo::labeled(egui::Role::Button, true, format!("{severity}: {subject}: {message}"))
    });
    if !ui.is_rect_visible(rect) {
        return;
    }
    let painter = ui.painter();
    if response.hovered() || response.has_focus() {
        painter.rect_filled(rect, CornerRadius::same(theme::CORNER), theme.control);
    }
    let color = color_of(problem.severity, cx);
    let sign = pos2(rect.left() + 16.0, rect.top() + 14.0);
    match problem.severity {
        Severity::Warning => {
            let corners = [vec2(0.0, -5.0), vec2(5.0, 4.0), vec2(-5.0, 4.0)];
            let corners = corners.iter().map(|corner| sign + *corner).collect();
            painter.add(egui::Shape::convex_polygon(corners, color, Stroke::NONE));
        }
        _ => {
            painter.circle_filled(sign, 4.0, color);
        }
    }
    let place = row.frames().unwrap_or_else(|| place(cx, doc, problem));
    let font = FontId::proportional(theme::LABEL_SIZE);
    let right = painter.text(
        rect.right_top() + vec2(-12.0, 14.0),
        Align2::RIGHT_CENTER,
        place,
        font,
        theme.muted,
    );
    let choices = cx.derived.choices(doc, index);
    let title = match (&problem.fix, choices.is_empty()) {
        (Some(fix), _) => Some(text::clean(&fix.title, 40).into_owned()),
        (None, false) => Some("Choose a repair".to_owned()),
        (None, true) => None,
    };
    let button = title.clone().map(|words| {
        let galley = painter.layout_no_wrap(words, theme::Theme::label_font(), theme.text);
        let size = galley.size() + vec2(20.0, 8.0);
        let at = rect.right_bottom() - vec2(12.0, 4.0) - size;
        Rect::from_min_size(at, size)
    });
    let advice = match index >= MOST_CHOICES && problem.fix.is_none() && choices.is_empty() {
        // Nobody reads so many; their answers are looked for when they are among the first.
        true => format!(
            "{} · repairs to choose from come with the first {MOST_CHOICES}",
            advice(problem)
        ),
        false => advice(problem),
    };
    let advice = match row.rest {
        Some(rest) => format!("… {} · {advice}", text::clean(&rest.message, 120)),
        None => advice,
    };
    let left = rect.left() + 32.0;
    let laid = |text: String, size: f32, color: Color32, until: f32, lines: usize| {
        let format = egui::TextFormat {
            line_height: Some(LINE),
            ..egui::TextFormat::simple(FontId::proportional(size), color)
        };
        let mut job = egui::text::LayoutJob::single_section(text, format);
        let width = (until - left).max(20.0);
        job.wrap = egui::text::TextWrapping::truncate_at_width(width);
        job.wrap.max_rows = lines;
        job.wrap.break_anywhere = lines == 1;
        painter.layout_job(job)
    };
    let until = button.map_or(rect.right() - 12.0, |button| button.left() - 12.0);
    let lines = ((rect.height() - 22.0) / LINE) as usize;
    let subject = laid(subject, theme::TEXT_SIZE, theme.text, right.left() - 12.0, 1);
    painter.galley(pos2(left, rect.top() + 5.0), subject.clone(), theme.text);
    // A second time, a hair beside: bold without a bold face.
    painter.galley(pos2(left + 0.4, rect.top() + 5.0), subject, theme.text);
    let message = laid(message.into_owned(), theme::LABEL_SIZE, theme.text, until, lines - 1);
    let left_over = lines.saturating_sub(message.rows.len()).max(1);
    let top = rect.top() + 21.0;
    painter.galley(pos2(left, top), message.clone(), theme.text);
    let advised = laid(advice.clone(), theme::LABEL_SIZE, theme.muted, until, left_over);
    painter.galley(pos2(left, top + message.size().y), advised, theme.muted);
    if response.clicked() {
        actions.push(Action::GoToProblem { doc, index });
    }
    let hover = format!("{}\n{advice}", text::clean(&problem.message, 600));
    response.on_hover_text(hover);
    let (Some(rect), Some(title)) = (button, title) else { return };
    let words = RichText::new(title).size(theme::LABEL_SIZE);
    if problem.fix.is_some() {
        let response = ui.put(rect, egui::Button::new(words));
        if response.clicked() {
            actions.push(Action::Repair { doc, index });
        }
        response.on_hover_text("Undo takes it back");
        return;
    }
    ui.scope_builder(egui::UiBuilder::new().max_rect(rect), |ui| {
        let menu = ui.menu_button(words, |ui| {
            for (choice, fix) in choices.iter().enumerate() {
                if ui.button(text::clean(&fix.title, 80)).clicked() {
                    actions.push(Action::Choose { doc, index, choice });
                    ui.close();
                }
            }
        });
        menu.response.on_hover_text("More than one answer is right; undo takes it back");
    });
}

/// Where a problem is, for the right edge.
fn place(cx: &Cx<'_>, doc: DocId, problem: &Problem) -> String {
    let name = match &problem.file {
        Some(file) => file.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        None => cx.workspace().document(doc).map(|d| d.name()).unwrap_or_default(),
    };
    let name = text::clean(&name, 40);
    match problem.position {
        Some(position) => format!("{name}:{}:{}", position.line, position.column),
        None => name.into_owned(),
    }
}
