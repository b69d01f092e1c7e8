//! The Source panel: the file as it would be saved.

use super::action::Action;
use super::cx::Cx;
use super::widgets;
use eframe::egui::{ScrollArea, Ui};

/// Shows the panel.
pub fn show(ui: &mut Ui, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    let Some(facts) = cx.active().and_then(|doc| cx.derived.of(doc)) else {
        widgets::empty(ui, cx, "The file as it would be saved.", &[], actions);
        return;
    };
    ScrollArea::both().auto_shrink([false; 2]).show(ui, |ui| {
        ui.monospace(&*facts.text);
    });
}
