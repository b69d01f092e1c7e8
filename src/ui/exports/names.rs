//! The names of a take's pegs at the left of their keys, and the head above them.

use super::board::Board;
use crate::ui::action::Action;
use crate::ui::cx::Cx;
use crate::ui::theme::Theme;
use crate::ui::timeline::places::filter_field;
use crate::ui::timeline::wheel;
use crate::ui::{nodes, text, widgets};
use eframe::egui::{self, Align2, CornerRadius, Rect, Role, Sense, Ui, WidgetInfo, pos2, vec2};

/// Shows the head: a filter by name, and whether only selected pegs have rows.
pub fn head(ui: &mut Ui, cx: &Cx<'_>, board: &Board<'_>, actions: &mut Vec<Action>) {
    let mut ui = head_strip(ui, board);
    let on = board.view.only_selected;
    let button = widgets::toggle(&mut ui, cx.theme, on, "Only selected");
    if button.clicked() {
        board.look(actions, |view| {
            view.only_selected = !on;
            view.scroll = 0.0;
        });
    }
    button.on_hover_text("Rows of selected pegs alone");
    filter(&mut ui, board, actions);
}

/// Where what stands above the names goes, from the right.
pub fn head_strip(ui: &mut Ui, board: &Board<'_>) -> Ui {
    let inner = board.head.shrink2(vec2(8.0, 1.0));
    let layout = egui::Layout::right_to_left(egui::Align::Center);
    let builder = egui::UiBuilder::new().id_salt("head").max_rect(inner).layout(layout);
    let mut ui = ui.new_child(builder);
    ui.set_clip_rect(board.head.intersect(ui.clip_rect()));
    ui.spacing_mut().item_spacing.x = 6.0;
    ui.spacing_mut().interact_size.y = 22.0;
    ui
}

/// The filter of rows by name, in what room is left.
pub fn filter(ui: &mut Ui, board: &Board<'_>, actions: &mut Vec<Action>) {
    let width = ui.available_width();
    let words = ("Pegs: filter", "Filter rows by name");
    let filter = filter_field(ui, &board.view.filter, words, width, egui::Align2::LEFT_CENTER);
    if let Some(filter) = filter {
        board.look(actions, |view| {
            view.filter = filter;
            view.scroll = 0.0;
        });
    }
}

/// Draws selected rows in blue, behind names and keys.
pub fn paint_grounds(ui: &Ui, cx: &Cx<'_>, board: &Board<'_>) {
    let all = board.names.union(board.canvas);
    let painter = ui.painter().with_clip_rect(all.intersect(ui.clip_rect()));
    for row in board.seen() {
        if is_selected(cx, board, row) {
            let rect = board.row_rect(row).shrink2(vec2(0.0, 0.5));
            painter.rect_filled(rect, CornerRadius::same(2), cx.theme.row_selected);
        }
    }
}

fn is_selected(cx: &Cx<'_>, board: &Board<'_>, row: usize) -> bool {
    let node = board.rows.get(row).and_then(|at| nodes::at(cx, *at));
    node.is_some_and(|node| cx.selection().nodes.contains(&node))
}

/// Shows the names; a click selects the peg.
pub fn show(ui: &mut Ui, cx: &Cx<'_>, board: &Board<'_>, actions: &mut Vec<Action>) {
    let ground = ui.interact(board.names, ui.scope_id().with("names"), Sense::hover());
    ground.widget_info(|| WidgetInfo::labeled(Role::List, true, "Pegs with keys"));
    let by = wheel::rows(ui, &ground);
    if by != 0.0 {
        board.scroll_by(by, actions);
    }
    let clip = board.names.intersect(ui.clip_rect());
    for row in board.seen() {
        let full = board.row_rect(row);
        let rect = Rect::from_min_max(full.min, pos2(board.names.right(), full.max.y));
        let seen = rect.intersect(clip);
        let node = board.rows.get(row).and_then(|at| nodes::at(cx, *at));
        let (Some(node), Some(peg), true) = (node, board.peg(row), seen.is_positive()) else {
            continue;
        };
        let id = ui.scope_id().with(("peg", peg.uid.0));
        let response = ui.interact(seen, id, Sense::click());
        let selected = cx.selection().nodes.contains(&node);
        let label = text::name(board.label(row));
        response.widget_info(|| {
            WidgetInfo::selected(Role::Row, true, selected, format!("Keys of {label}"))
        });
        if response.clicked() {
            let modifiers = ui.input(|input| input.modifiers);
            actions.push(Action::Select(nodes::clicked(cx.selection(), node, modifiers)));
        }
        let painter = ui.painter().with_clip_rect(seen);
        let color = if selected || response.hovered() { cx.theme.text } else { cx.theme.muted };
        let count = peg.keyframes.len().to_string();
        let right = rect.right_center() - vec2(14.0, 0.0);
        let font = Theme::small_font();
        let used = painter.text(right, Align2::RIGHT_CENTER, count, font, cx.theme.dim);
        let room = Rect::from_min_max(rect.min, pos2(used.left() - 6.0, rect.max.y));
        let painter = painter.with_clip_rect(room.intersect(seen));
        let left = rect.left_center() + vec2(12.0, 0.0);
        painter.text(left, Align2::LEFT_CENTER, label, Theme::text_font(), color);
    }
    let by = board.scroll_bar(ui, cx.theme, "Scroll pegs");
    if by != 0.0 {
        board.scroll_by(by, actions);
    }
}
