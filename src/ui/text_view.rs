//! A file that does not load: its text, its problems, and their repairs.

use super::action::Action;
use super::cx::Cx;
use super::{problems, text, theme};
use crate::diagnostic::Severity;
use crate::edit::{Content, DocId, Edit, TextDocument};
use eframe::egui::text::{CCursorRange, LayoutJob, TextFormat};
use eframe::egui::{
    self, Align2, FontId, Id, Margin, Pos2, Rect, RichText, ScrollArea, Stroke, TextEdit, Ui, pos2,
    vec2,
};
use std::ops::Range;
use std::sync::Arc;

/// Larger texts are shown, not edited: laying them out at each frame would take too long.
const MOST_EDITABLE: usize = 512 * 1024;

/// Most problems that are marked in the text; the list beside it has them all.
const MOST_MARKS: usize = 500;
/// The width of the line numbers, in points.
const GUTTER: f32 = 52.0;

/// A problem where it stands in the text.
struct Mark {
    /// Its line, from 1.
    line: u32,
    /// The bytes to underline.
    span: Range<usize>,
    severity: Severity,
    message: String,
}

/// The current document where it is a text, or was one when the typing under way began.
fn current<'a>(cx: &Cx<'a>) -> Option<(DocId, &'a Arc<TextDocument>)> {
    let doc = cx.active()?;
    let base = cx.editor.gesture().and_then(|gesture| gesture.base.content(doc));
    match (base, cx.workspace().content(doc)) {
        (Some(Content::Text(text)), _) => Some((doc, text)),
        (None, Some(Content::Text(text))) => Some((doc, text)),
        _ => None,
    }
}

/// Whether the current document is shown as text.
pub fn is_current(cx: &Cx<'_>) -> bool {
    current(cx).is_some()
}

/// Shows the text with its problems beside it.
pub fn show(ui: &mut Ui, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    let Some((doc, _)) = current(cx) else { return };
    let width = (ui.available_width() * 0.4).clamp(240.0, 560.0);
    egui::Panel::right("problems of the text")
        .default_size(width)
        .frame(cx.theme.panel_frame().inner_margin(Margin::same(8)))
        .show_separator_line(false)
        .show(ui, |ui| {
            ui.label(RichText::new("Problems").strong());
            let words = "The file opens as a document as soon as it loads.";
            ui.label(RichText::new(words).size(theme::LABEL_SIZE).color(cx.theme.muted));
            ui.add_space(4.0);
            if loads(cx, doc) {
                ui.label(RichText::new("It loads now.").color(cx.theme.good));
                if ui.button("Open as a document").clicked() {
                    actions.push(Action::Commit);
                }
            }
            problems::list(ui, cx, Some(doc), actions);
        });
    egui::CentralPanel::no_frame()
        .frame(cx.theme.panel_frame().inner_margin(Margin::same(8)))
        .show(ui, |ui| editor(ui, cx, doc, actions));
}

/// Whether the text, as typed so far, is a document.
fn loads(cx: &Cx<'_>, doc: DocId) -> bool {
    !matches!(cx.workspace().content(doc), None | Some(Content::Text(_)))
}

/// The problems of the text as it is now; none while those of an earlier text are all there is.
fn marks(cx: &Cx<'_>, doc: DocId, text: &str) -> Vec<Mark> {
    let facts = cx.derived.of(doc).filter(|facts| *facts.text == *text);
    let problems = facts.iter().flat_map(|facts| &facts.problems);
    let marks = problems.filter(|problem| problem.file.is_none()).filter_map(|problem| {
        let line = problem.position?.line;
        let span = problem.span.clone().unwrap_or_default();
        Some(Mark {
            line,
            span: seen(text, span),
            severity: problem.severity,
            message: text::clean(&problem.message, 300).into_owned(),
        })
    });
    marks.take(MOST_MARKS).collect()
}

/// Bytes that show when they are underlined: those of a problem's first line, and where there are
/// none, the character before.
fn seen(text: &str, span: Range<usize>) -> Range<usize> {
    let floor = |mut at: usize| {
        at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let (start, end) = (floor(span.start), floor(span.end));
    let first = text[start..end.max(start)].lines().next().unwrap_or_default().trim_end();
    if !first.is_empty() {
        return start..start + first.len();
    }
    let before = text[..start].chars().next_back().filter(|c| *c != '\n');
    start - before.map_or(0, char::len_utf8)..start
}

/// The text with what is wrong underlined.
fn layout(ui: &Ui, cx: &Cx<'_>, text: &str, marks: &[Mark]) -> LayoutJob {
    let font = egui::TextStyle::Monospace.resolve(ui.style());
    let plain = TextFormat::simple(font, cx.theme.text);
    let mut job = LayoutJob { break_on_newline: true, ..LayoutJob::default() };
    job.wrap.max_width = f32::INFINITY;
    // The worst problem of a place wins; places may overlap.
    let mut edges: Vec<usize> = marks.iter().flat_map(|m| [m.span.start, m.span.end]).collect();
    edges.extend([0, text.len()]);
    edges.sort_unstable();
    edges.dedup();
    for pair in edges.windows(2) {
        let mark = marks.iter().filter(|m| m.span.start <= pair[0] && pair[1] <= m.span.end);
        let worst = mark.min_by_key(|mark| mark.severity);
        let mut format = plain.clone();
        if let Some(mark) = worst {
            format.underline = Stroke::new(1.5, problems::color_of(mark.severity, cx));
        }
        if let Some(piece) = text.get(pair[0]..pair[1]) {
            job.append(piece, 0.0, format);
        }
    }
    job
}

/// Line numbers at the left edge, in the colour of what is wrong there.
fn gutter(ui: &Ui, cx: &Cx<'_>, galley: &egui::Galley, at: Pos2, field: Rect, marks: &[Mark]) {
    let clip = ui.clip_rect();
    let (top, bottom) =
        (clip.top().max(field.top() + 1.0), clip.bottom().min(field.bottom() - 1.0));
    let left = clip.left().max(field.left() + 1.0);
    let area = Rect::from_min_max(pos2(left, top), pos2(left + GUTTER, bottom));
    let painter = ui.painter().with_clip_rect(area);
    painter.rect_filled(area, 0.0, cx.theme.ground);
    painter.vline(area.right() - 4.0, area.y_range(), Stroke::new(1.0, cx.theme.line));
    for (index, row) in galley.rows.iter().enumerate() {
        let rect = row.rect().translate(at.to_vec2());
        if rect.bottom() < clip.top() || rect.top() > clip.bottom() {
            continue;
        }
        let line = index as u32 + 1;
        let here = marks.iter().filter(|mark| mark.line == line).min_by_key(|m| m.severity);
        let color = match here {
            Some(mark) => problems::color_of(mark.severity, cx),
            None => cx.theme.muted,
        };
        let middle = rect.center().y;
        if here.is_some() {
            painter.circle_filled(pos2(area.left() + 8.0, middle), 3.5, color);
        }
        let font = FontId::monospace(theme::SMALL_SIZE);
        let right = pos2(area.right() - 10.0, middle);
        painter.text(right, Align2::RIGHT_CENTER, line, font, color);
    }
}

/// What is wrong with a line, under the text.
fn foot(ui: &mut Ui, cx: &Cx<'_>, marks: &[Mark], line: Option<u32>) {
    let here = marks.iter().filter(|mark| Some(mark.line) == line).min_by_key(|m| m.severity);
    ui.horizontal(|ui| {
        ui.set_height(22.0);
        match (here, line) {
            (Some(mark), Some(line)) => {
                let words = format!("Line {line}: {}", mark.message);
                let color = problems::color_of(mark.severity, cx);
                let words = RichText::new(words).size(theme::LABEL_SIZE).color(color);
                ui.add(egui::Label::new(words).truncate());
            }
            _ => {
                let words = match marks.len() {
                    0 => String::new(),
                    many => format!(
                        "{}: click one to go there",
                        text::count(many, "problem is marked", "problems are marked")
                    ),
                };
                let words = RichText::new(words).size(theme::LABEL_SIZE);
                ui.label(words.color(cx.theme.muted));
            }
        }
    });
}

fn editor(ui: &mut Ui, cx: &Cx<'_>, doc: DocId, actions: &mut Vec<Action>) {
    let content = cx.workspace().content(doc);
    let mut text = content.map(Content::text).unwrap_or_default().to_string();
    let id = Id::unique("text of the document").with(doc.0);
    let height = ui.text_style_height(&egui::TextStyle::Monospace);
    let marks = if text.len() > MOST_EDITABLE { Vec::new() } else { marks(cx, doc, &text) };
    let line_id = id.with("line of the caret");
    let room = (ui.available_height() - 26.0).max(40.0);
    let mut area = ScrollArea::both().auto_shrink([false; 2]).id_salt(("text", doc.0));
    area = area.max_height(room);
    let wanted = cx.state.go_to_line.filter(|(of, _, _)| *of == doc);
    let shown_id = id.with("shown line");
    let shown: Option<(DocId, u32, u64)> = ui.data(|data| data.get_temp(shown_id));
    let wanted = wanted.filter(|wanted| shown != Some(*wanted));
    if let Some(wanted) = wanted {
        ui.data_mut(|data| data.insert_temp(shown_id, wanted));
        let top = (wanted.1 as f32 - 1.0) * height - ui.available_height() / 2.0;
        area = area.vertical_scroll_offset(top.max(0.0));
    }
    area.show(ui, |ui| {
        if text.len() > MOST_EDITABLE {
            let start: String = text.chars().take(MOST_EDITABLE / 8).collect();
            ui.label("This text is too large to be edited here. Its beginning:");
            ui.monospace(start);
            return;
        }
        let mut layouter = |ui: &Ui, shown: &dyn egui::TextBuffer, _: f32| {
            let shown = shown.as_str();
            // Typing in this very frame moves places that are known only of the text before.
            let fits = marks.iter().all(|mark| shown.get(mark.span.clone()).is_some());
            let job = layout(ui, cx, shown, if fits { &marks } else { &[] });
            ui.fonts_mut(|fonts| fonts.layout_job(job))
        };
        let mut edit = TextEdit::multiline(&mut text)
            .id(id)
            .code_editor()
            .layouter(&mut layouter)
            .desired_width(f32::INFINITY)
            .margin(Margin { left: GUTTER as i8 + 4, right: 8, top: 8, bottom: 8 })
            .min_size(vec2(0.0, ui.available_height() - 8.0))
            .lock_focus(true);
        edit = edit.desired_rows(8);
        let mut output = edit.show(ui);
        let field = output.response.rect;
        gutter(ui, cx, &output.galley, output.galley_pos, field, &marks);
        let caret = output.cursor_range.map(|range| range.primary.index);
        let line = caret.map(|at| text.chars().take(at.into()).filter(|c| *c == '\n').count());
        let line = line.map(|before| before as u32 + 1);
        ui.data_mut(|data| data.insert_temp(line_id, line));
        output.response.widget_info(|| {
            egui::WidgetInfo::labeled(egui::Role::MultilineTextInput, true, "Text of the file")
        });
        if let Some((_, line, _)) = wanted {
            let before: usize =
                text.lines().take(line as usize - 1).map(|l| l.chars().count() + 1).sum();
            let length = text.lines().nth(line as usize - 1).map_or(0, |l| l.chars().count());
            let range = CCursorRange::two(
                egui::text::CCursor::new(before),
                egui::text::CCursor::new(before + length),
            );
            output.state.cursor.set_char_range(Some(range));
            output.state.clone().store(ui.ctx(), id);
            output.response.request_focus();
        }
        if output.response.changed() {
            let label = "Edit the text".to_owned();
            actions.push(Action::Preview(Edit::Text { doc, text: text.clone(), label }));
        }
        if output.response.lost_focus() && cx.editor.gesture().is_some() {
            actions.push(Action::Commit);
        }
        let pointer = output.response.hover_pos();
        let over = pointer.and_then(|at| {
            let y = at.y - output.galley_pos.y;
            let row = output.galley.rows.iter().position(|row| row.rect().y_range().contains(y))?;
            let line = row as u32 + 1;
            let here = marks.iter().filter(|mark| mark.line == line);
            let words: Vec<&str> = here.map(|mark| mark.message.as_str()).collect();
            (!words.is_empty()).then(|| words.join("\n"))
        });
        if let Some(words) = over {
            output.response.response.on_hover_text_at_pointer(words);
        }
    });
    let line: Option<u32> = ui.data(|data| data.get_temp(line_id)).flatten();
    foot(ui, cx, &marks, line);
}
