//! The document that the current one is compared with, as a ghost behind it.

use super::lens::Lens;
use crate::ui::cx::Cx;
use crate::ui::state::WorkspaceTab;
use crate::ui::text;
use crate::ui::theme;
use eframe::egui::{Align2, FontId, Painter, Rect, Stroke, vec2};

/// Draws it, where there is one and it is asked for.
pub fn ghost(painter: &Painter, lens: &Lens, cx: &Cx<'_>, rect: Rect) {
    let Some(entry) = cx.active().and_then(|doc| cx.compare.of(doc)).filter(|e| e.ghost) else {
        return;
    };
    let Some(ghost) = entry.made().and_then(|made| made.ghost.as_ref()) else { return };
    // In the Rig workspace a clip's rig rests.
    if cx.tab() == WorkspaceTab::Rig && cx.export().is_none() && cx.duration_secs().is_some() {
        return;
    }
    let mut world = Vec::new();
    ghost.world(cx, &mut world);
    let color = cx.theme.ghost_after;
    for (at, pose) in world.iter().enumerate() {
        let parent = ghost.parent(at).and_then(|parent| world.get(parent));
        if let Some(parent) = parent
            && let Some(ends) = lens.segment(parent.position, pose.position)
        {
            painter.line_segment(ends, Stroke::new(2.5, color.gamma_multiply(0.8)));
        }
        let end = ghost.end(at).map(|end| pose.position + pose.rotation * end);
        if let Some(ends) = end.and_then(|end| lens.segment(pose.position, end)) {
            painter.line_segment(ends, Stroke::new(2.5, color.gamma_multiply(0.8)));
        }
        if let Some(place) = lens.project(pose.position) {
            painter.circle_stroke(place, 4.0, Stroke::new(1.5, color));
        }
    }
    let words = format!("ghost: {}", text::clean(&entry.name, 60));
    let font = FontId::proportional(theme::LABEL_SIZE);
    let at = rect.right_bottom() - vec2(12.0, 12.0);
    painter.text(at, Align2::RIGHT_BOTTOM, words, font, color);
}
