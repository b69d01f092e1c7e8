//! The tabs of the open documents.

use crate::edit::DocId;
use crate::ui::action::Action;
use crate::ui::cx::Cx;
use crate::ui::text;
use crate::ui::theme;
use eframe::egui::{
    self, Align2, CornerRadius, FontId, PointerButton, Rect, Sense, Stroke, Ui, WidgetInfo, vec2,
};

/// Shows the tabs.
pub fn show(ui: &mut Ui, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    let area = egui::ScrollArea::horizontal()
        .scroll_bar_visibility(egui::scroll_area::ScrollBarVisibility::AlwaysHidden);
    area.show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            for doc in &cx.state.tabs {
                tab(ui, *doc, cx, actions);
            }
        });
    });
}

fn tab(ui: &mut Ui, doc: DocId, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    let Some(document) = cx.workspace().document(doc) else { return };
    let theme = cx.theme;
    let active = cx.active() == Some(doc);
    let dirty = cx.editor.is_dirty(doc);
    let suggested = cx.state.suggested_names.get(&doc).filter(|_| document.path.is_none());
    let name = suggested.cloned().unwrap_or_else(|| document.name());
    let name = text::clean(&name, 40);
    let font = FontId::proportional(theme::TEXT_SIZE);
    let color = if active { theme.text } else { theme.muted };
    let galley = ui.painter().layout_no_wrap(name.clone().into_owned(), font, color);
    let size = vec2(galley.size().x + 56.0, 30.0);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    let label = if dirty { format!("{name} *") } else { name.clone().into_owned() };
    response.widget_info(|| WidgetInfo::selected(egui::Role::Button, true, active, &label));
    let painter = ui.painter();
    let corner = CornerRadius { nw: theme::CORNER, ne: theme::CORNER, sw: 0, se: 0 };
    if active {
        painter.rect_filled(rect, corner, theme.panel);
    } else if response.hovered() {
        painter.rect_filled(rect, corner, theme.control);
    }
    if response.has_focus() {
        painter.rect_stroke(rect, corner, Stroke::new(1.0, theme.accent), egui::StrokeKind::Inside);
    }
    let at = rect.left_center() + vec2(12.0, -galley.size().y / 2.0);
    let end = at.x + galley.size().x;
    painter.galley(at, galley, color);
    if dirty {
        let font = FontId::proportional(16.0);
        let at = egui::pos2(end + 8.0, rect.center().y + 2.0);
        painter.text(at, Align2::CENTER_CENTER, "*", font, theme.selection);
    }
    let close = Rect::from_center_size(rect.right_center() - vec2(16.0, 0.0), vec2(20.0, 20.0));
    let close_response = ui.interact(close, response.id.with("close"), Sense::click());
    close_response
        .widget_info(|| WidgetInfo::labeled(egui::Role::Button, true, format!("Close {name}")));
    if close_response.hovered() {
        ui.painter().rect_filled(close, CornerRadius::same(theme::CORNER), theme.control_hover);
    }
    let color = if close_response.hovered() { theme.text } else { theme.muted };
    let cross = Rect::from_center_size(close.center(), vec2(7.0, 7.0));
    let stroke = Stroke::new(1.2, color);
    ui.painter().line_segment([cross.left_top(), cross.right_bottom()], stroke);
    ui.painter().line_segment([cross.right_top(), cross.left_bottom()], stroke);
    if close_response.clicked() || response.clicked_by(PointerButton::Middle) {
        actions.push(Action::Close(doc));
    } else if response.clicked() {
        actions.push(Action::Activate(doc));
    }
    let full = document.path.as_ref().map(|path| path.display().to_string());
    let full = full.unwrap_or_else(|| "not saved yet".to_owned());
    response.context_menu(|ui| {
        if ui.button("Save").clicked() {
            actions.push(Action::Save(doc));
            ui.close();
        }
        if ui.button("Save As…").clicked() {
            actions.push(Action::SaveAs(doc));
            ui.close();
        }
        if ui.button("Copy Path").clicked() {
            actions.push(Action::CopyText(full.clone()));
            ui.close();
        }
        if ui.button("Close").clicked() {
            actions.push(Action::Close(doc));
            ui.close();
        }
    });
    response.on_hover_text(text::clean(&full, 200));
}
