//! The Source panel: the file as it would be saved, with the lines that would change marked.

use super::action::Action;
use super::cx::Cx;
use super::derived::Facts;
use super::{text, theme, widgets};
use eframe::egui::{self, Align2, FontId, Id, Label, Rect, RichText, ScrollArea, Ui, pos2, vec2};
use std::sync::Arc;

/// Where the lines of a text begin, kept while the text is the same.
#[derive(Clone)]
struct Lines {
    text: Arc<str>,
    starts: Arc<Vec<usize>>,
}

fn lines(ui: &Ui, text: &Arc<str>) -> Lines {
    let id = Id::unique("lines of the source panel");
    let kept: Option<Lines> = ui.data(|data| data.get_temp(id));
    if let Some(kept) = kept.filter(|kept| Arc::ptr_eq(&kept.text, text)) {
        return kept;
    }
    let mut starts = vec![0];
    starts.extend(text.match_indices('\n').map(|(at, _)| at + 1));
    let lines = Lines { text: text.clone(), starts: Arc::new(starts) };
    ui.data_mut(|data| data.insert_temp(id, lines.clone()));
    lines
}

impl Lines {
    fn get(&self, line: usize) -> &str {
        let start = self.starts.get(line).copied().unwrap_or(self.text.len());
        let end = self.starts.get(line + 1).copied().unwrap_or(self.text.len());
        self.text.get(start..end).unwrap_or_default().trim_end_matches(['\r', '\n'])
    }
}

/// Shows the panel.
pub fn show(ui: &mut Ui, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    let current = cx.active().and_then(|doc| Some((doc, cx.derived.of(doc)?)));
    let Some((doc, facts)) = current else {
        let words = "The file as it would be saved, with the lines that would change marked.";
        widgets::empty(ui, cx, words, &[], actions);
        return;
    };
    egui::Frame::new().inner_margin(egui::Margin::symmetric(8, 0)).show(ui, |ui| {
        ui.horizontal(|ui| {
            let words = match facts.changed_lines {
                0 => "as on disk".to_owned(),
                count => format!("a save would change {}", text::count(count, "line", "lines")),
            };
            ui.label(RichText::new(words).size(theme::LABEL_SIZE).color(cx.theme.muted));
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                if ui.button("Copy").on_hover_text("Copy the whole text").clicked() {
                    actions.push(Action::CopyText(facts.text.to_string()));
                }
            });
        });
        rows(ui, cx, doc, facts);
    });
}

fn rows(ui: &mut Ui, cx: &Cx<'_>, doc: crate::edit::DocId, facts: &Facts) {
    let theme = cx.theme;
    let lines = lines(ui, &facts.text);
    let height = ui.text_style_height(&egui::TextStyle::Monospace) + 2.0;
    let count = lines.starts.len();
    let digits = count.to_string().len().max(3) as f32;
    let gutter = digits * 8.0 + 16.0;
    let mut area = ScrollArea::both().auto_shrink([false; 2]).id_salt("source");
    // A click on a problem brings its line into view, once.
    let wanted = cx.state.go_to_line.filter(|(of, _, _)| *of == doc);
    let shown_id = Id::unique("shown line of the source panel");
    let shown: Option<(crate::edit::DocId, u32, u64)> = ui.data(|data| data.get_temp(shown_id));
    if let Some(wanted) = wanted.filter(|wanted| shown != Some(*wanted)) {
        let top = (wanted.1 as f32 - 1.0) * height - ui.available_height() / 2.0;
        area = area.vertical_scroll_offset(top.max(0.0));
        ui.data_mut(|data| data.insert_temp(shown_id, wanted));
    }
    ui.spacing_mut().item_spacing.y = 0.0;
    area.show_rows(ui, height, count, |ui, range| {
        for line in range {
            let changed = facts.changed.iter().any(|range| range.contains(&line));
            let is_wanted = wanted.is_some_and(|(_, wanted, _)| wanted as usize == line + 1);
            ui.horizontal(|ui| {
                let (rect, _) = ui.allocate_exact_size(vec2(gutter, height), egui::Sense::hover());
                let painter = ui.painter();
                let row = Rect::from_min_max(
                    rect.min,
                    pos2(ui.clip_rect().right().max(rect.right()), rect.bottom()),
                );
                if is_wanted {
                    painter.rect_filled(row, 0.0, theme.row_selected);
                } else if changed {
                    painter.rect_filled(row, 0.0, theme.panel.lerp_to_gamma(theme.selection, 0.1));
                }
                if changed {
                    let mark = Rect::from_min_size(rect.min, vec2(3.0, height));
                    painter.rect_filled(mark, 0.0, theme.selection);
                }
                painter.text(
                    pos2(rect.right() - 12.0, rect.center().y),
                    Align2::RIGHT_CENTER,
                    line + 1,
                    FontId::monospace(theme::SMALL_SIZE),
                    theme.muted,
                );
                let words = text::clean(lines.get(line), 1000).into_owned();
                let color =
                    if words.trim_start().starts_with('#') { theme.muted } else { theme.text };
                let words = RichText::new(words).monospace().color(color);
                ui.add(Label::new(words).wrap_mode(egui::TextWrapMode::Extend));
            });
        }
    });
}
