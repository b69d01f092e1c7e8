//! The Problems panel: what is wrong with the open documents.

use super::action::Action;
use super::cx::Cx;
use super::widgets;
use eframe::egui::{ScrollArea, Ui};

/// Shows the panel.
pub fn show(ui: &mut Ui, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    if cx.derived.count(cx.workspace()).total() == 0 {
        widgets::empty(ui, cx, "Nothing is wrong with the open documents.", &[], actions);
        return;
    }
    ScrollArea::vertical().auto_shrink([false; 2]).show(ui, |ui| {
        for document in cx.workspace().documents() {
            for (index, problem) in cx.derived.problems(document.id).iter().enumerate() {
                if ui.button(&problem.message).clicked() {
                    actions.push(Action::GoToProblem { doc: document.id, index });
                }
            }
        }
    });
}
