//! Which function shows which panel.

use super::action::Action;
use super::cx::Cx;
use super::state::PanelId;
use super::{files, hierarchy, inspector, problems, source_view, timeline, viewport};
use eframe::egui::Ui;

/// Shows a panel in all of `ui`.
pub fn show(panel: PanelId, ui: &mut Ui, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    match panel {
        PanelId::Hierarchy => hierarchy::show(ui, cx, actions),
        PanelId::Files => files::panel::show(ui, cx, actions),
        PanelId::Viewport => viewport::show(ui, cx, actions),
        PanelId::Inspector => inspector::show(ui, cx, actions),
        PanelId::DopeSheet => timeline::dope_sheet(ui, cx, actions),
        PanelId::Curves => timeline::curves(ui, cx, actions),
        PanelId::Problems => problems::show(ui, cx, actions),
        PanelId::Source => source_view::show(ui, cx, actions),
    }
}
