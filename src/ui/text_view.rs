//! A file that does not load: its text, its problems, and their repairs.

use super::action::Action;
use super::cx::Cx;
use super::problems;
use super::theme;
use crate::edit::{Content, DocId, Edit, TextDocument};
use eframe::egui::text::CCursorRange;
use eframe::egui::{self, Id, Margin, RichText, ScrollArea, TextEdit, Ui, vec2};
use std::sync::Arc;

/// Larger texts are shown, not edited: laying them out at each frame would take too long.
const MOST_EDITABLE: usize = 512 * 1024;

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

fn editor(ui: &mut Ui, cx: &Cx<'_>, doc: DocId, actions: &mut Vec<Action>) {
    let content = cx.workspace().content(doc);
    let mut text = content.map(Content::text).unwrap_or_default().to_string();
    let id = Id::unique("text of the document").with(doc.0);
    let height = ui.text_style_height(&egui::TextStyle::Monospace);
    let mut area = ScrollArea::both().auto_shrink([false; 2]).id_salt(("text", doc.0));
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
        let mut edit = TextEdit::multiline(&mut text)
            .id(id)
            .code_editor()
            .desired_width(f32::INFINITY)
            .margin(Margin::same(8))
            .min_size(vec2(0.0, ui.available_height() - 8.0))
            .lock_focus(true);
        edit = edit.desired_rows(8);
        let mut output = edit.show(ui);
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
    });
}
