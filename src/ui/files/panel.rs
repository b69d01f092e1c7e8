//! The Files panel: the files of the project's folder.

use crate::format::FileKind;
use crate::io;
use crate::ui::action::Action;
use crate::ui::command::CommandId;
use crate::ui::cx::Cx;
use crate::ui::widgets;
use eframe::egui::Ui;

/// The files of the project.
#[derive(Debug, Default)]
pub struct Project {
    stale: bool,
}

impl Project {
    /// The folder may have changed: look again.
    pub fn refresh(&mut self) {
        self.stale = true;
    }
}

/// Shows the panel.
pub fn show(ui: &mut Ui, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    let Some(folder) = &cx.state.project else {
        let text = "The clips and rigs of a folder, each with its worst problem.";
        let steps = [(CommandId::OpenFolder, "Open folder…")];
        widgets::empty(ui, cx, text, &steps, actions);
        return;
    };
    ui.label(folder.display().to_string());
    let _ = (FileKind::Motion, io::files_below as fn(_) -> _);
}
