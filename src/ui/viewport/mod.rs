//! The Viewport panel: the stage.

use super::action::Action;
use super::cx::Cx;
use super::theme;
use eframe::egui::{Stroke, Ui, pos2};

/// Shows the panel.
pub fn show(ui: &mut Ui, cx: &Cx<'_>, _actions: &mut Vec<Action>) {
    let rect = ui.max_rect();
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, theme::CORNER, cx.theme.ground);
    // Seen from the front, 120 points to the metre.
    let at = |index: usize| {
        let p = cx.stage.world[index].position;
        pos2(rect.center().x + p.x as f32 * 120.0, rect.bottom() - 40.0 - p.y as f32 * 120.0)
    };
    for index in 0..cx.stage.len() {
        if let Some(parent) = cx.stage.parent(index) {
            painter.line_segment([at(parent), at(index)], Stroke::new(2.0, cx.theme.key));
        }
        painter.circle_filled(at(index), 4.0, cx.theme.selection);
    }
}
