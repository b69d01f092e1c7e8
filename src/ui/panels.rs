//! Which function shows which panel.

use super::action::Action;
use super::cx::Cx;
use super::fault::{self, Fault};
use super::state::PanelId;
use super::{
    compare, convert, exports, files, hierarchy, inspector, problems, source_view, text, timeline,
    viewport,
};
use eframe::egui::{RichText, Ui};

/// Shows a panel in all of `ui`. One that panics leaves the others alone; after the second time in
/// a row it is closed.
pub fn show(panel: PanelId, ui: &mut Ui, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    let before = cx.state.panel_faults.get(&panel);
    if let Some(failed) = before.filter(|failed| failed.is_closed()) {
        return closed(panel, ui, cx, &failed.fault, actions);
    }
    let many = actions.len();
    match fault::caught(|| show_one(panel, ui, cx, actions)) {
        Ok(()) if before.is_some() => actions.push(Action::PanelWorks(panel)),
        Ok(()) => {}
        Err(fault) => {
            actions.truncate(many);
            actions.push(Action::PanelFailed(panel, fault));
        }
    }
}

/// In the place of a panel that panicked twice in a row.
fn closed(panel: PanelId, ui: &mut Ui, cx: &Cx<'_>, fault: &Fault, actions: &mut Vec<Action>) {
    let name = panel.name();
    ui.vertical_centered(|ui| {
        ui.add_space(24.0);
        ui.label(format!("{name} failed twice in a row and was closed. Nothing is lost."));
        let words = format!("{} ({})", fault.message, fault.place);
        ui.label(RichText::new(text::clean(&words, 400)).color(cx.theme.muted));
        if ui.button(format!("Show {name} again")).clicked() {
            actions.push(Action::PanelWorks(panel));
        }
    });
}

fn show_one(panel: PanelId, ui: &mut Ui, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    fault::part(panel.name());
    match panel {
        PanelId::Hierarchy => hierarchy::show(ui, cx, actions),
        PanelId::Files => files::panel::show(ui, cx, actions),
        PanelId::Viewport => viewport::show(ui, cx, actions),
        PanelId::Inspector => inspector::show(ui, cx, actions),
        PanelId::DopeSheet if cx.export().is_some() => exports::keys(ui, cx, actions),
        PanelId::DopeSheet => timeline::dope_sheet(ui, cx, actions),
        PanelId::Curves if cx.export().is_some() => exports::curves(ui, cx, actions),
        PanelId::Curves => timeline::curves(ui, cx, actions),
        PanelId::Problems => problems::show(ui, cx, actions),
        PanelId::Source => source_view::show(ui, cx, actions),
        PanelId::Report => exports::report(ui, cx, actions),
        PanelId::Pegs => exports::pegs(ui, cx, actions),
        PanelId::Convert => convert::show(ui, cx, actions),
        PanelId::Compare => compare::show(ui, cx, actions),
    }
}
