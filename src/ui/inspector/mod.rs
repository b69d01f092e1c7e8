//! The Inspector panel: the fields of what is selected.

use super::action::Action;
use super::cx::Cx;
use super::{text, widgets};
use eframe::egui::{Grid, Ui};

/// Shows the panel.
pub fn show(ui: &mut Ui, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    let Some((_, clip)) = cx.clip() else {
        widgets::empty(ui, cx, "The fields of what is selected.", &[], actions);
        return;
    };
    Grid::new("clip").num_columns(2).show(ui, |ui| {
        ui.label("Model");
        ui.label(text::name(&clip.model).into_owned());
        ui.end_row();
        ui.label("Duration");
        ui.monospace(cx.show_time(clip.duration_secs));
        ui.end_row();
    });
}
