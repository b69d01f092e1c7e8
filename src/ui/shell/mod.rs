//! What stands around the panels: menus, tabs, status line, palette, pages and questions.

mod bars;
pub mod dock;
pub mod gap;
mod guide;
mod menu;
mod palette;
pub mod path_field;
mod question;
mod status;
mod tabs;
pub mod toasts;
mod welcome;

use super::action::Action;
use super::cx::Cx;
use super::files::asking::{Outside, Pending};
use super::files::closing::Closing;
use super::text_view;
use crate::edit::DocId;
use eframe::egui::{self, Margin, Ui};
use egui_tiles::Tree;
use palette::Palette;
use path_field::PathField;

/// What is up around the panels.
#[derive(Default)]
pub struct Shell {
    /// Dialogs that have not been answered yet.
    pub pending: Vec<Pending>,
    /// The window's own field for a path, where the system has no dialogs.
    pub path_field: Option<PathField>,
    /// Documents that are being closed.
    pub closing: Option<Closing>,
    /// A clip that is about to be saved outside of its project.
    pub outside: Option<Outside>,
    /// Nothing stands in the way of closing the window any more.
    pub may_quit: bool,
    /// The page of all shortcuts.
    pub guide: bool,
    /// What this program is.
    pub about: bool,
    /// The document whose file was changed by somebody else, to be compared with it.
    pub difference: Option<DocId>,
    /// Time that is about to be inserted or removed.
    pub gap: Option<gap::Gap>,
    /// The next paste is a flipped one.
    pub paste_flipped: bool,
    palette: Option<Palette>,
    compared: Option<bars::Compared>,
}

impl Shell {
    /// Opens the palette.
    pub fn open_palette(&mut self) {
        self.palette = Some(Palette::default());
    }

    /// Whether something in front of the panels takes the keys.
    pub fn is_asking(&self) -> bool {
        self.palette.is_some()
            || self.closing.is_some()
            || self.path_field.is_some()
            || self.outside.is_some()
    }
}

/// Shows everything. Gives the panel under the pointer, and which were drawn.
pub fn show(
    ui: &mut Ui,
    shell: &mut Shell,
    tree: &mut Tree<super::state::PanelId>,
    cx: &Cx<'_>,
    actions: &mut Vec<Action>,
) -> dock::DockOutput {
    let theme = cx.theme;
    let bar = |fill| egui::Frame::new().fill(fill).inner_margin(Margin::symmetric(8, 0));
    egui::Panel::top("menu")
        .exact_size(34.0)
        .frame(bar(theme.panel))
        .show_separator_line(false)
        .show(ui, |ui| menu::show(ui, cx, actions));
    egui::Panel::bottom("status")
        .exact_size(26.0)
        .frame(bar(theme.panel))
        .show_separator_line(false)
        .show(ui, |ui| status::show(ui, cx, actions));
    if !cx.state.tabs.is_empty() {
        egui::Panel::top("tabs")
            .exact_size(34.0)
            .frame(bar(theme.ground))
            .show_separator_line(false)
            .show(ui, |ui| tabs::show(ui, cx, actions));
    }
    bars::show(ui, cx, actions);
    let mut docked = dock::DockOutput::default();
    let margin = Margin { left: 8, right: 8, top: 0, bottom: 8 };
    egui::CentralPanel::no_frame()
        .frame(egui::Frame::new().fill(theme.ground).inner_margin(margin))
        .show(ui, |ui| {
            if cx.state.tabs.is_empty() && cx.files.openings.is_starting() {
                return;
            }
            if text_view::is_current(cx) && !cx.state.welcome {
                text_view::show(ui, cx, actions);
            } else if cx.state.welcome || cx.state.tabs.is_empty() && cx.state.project.is_none() {
                welcome::show(ui, cx, actions);
            } else {
                docked = dock::show(ui, tree, cx, actions);
            }
        });
    if let Some(palette) = &mut shell.palette
        && !palette.show(ui.ctx(), cx, actions)
    {
        shell.palette = None;
    }
    if let Some(field) = &mut shell.path_field {
        field.show(ui.ctx(), theme);
    }
    if let Some(outside) = &shell.outside {
        question::outside(ui.ctx(), outside, cx, actions);
    } else if let Some(closing) = &shell.closing {
        question::show(ui.ctx(), closing, cx, actions);
    }
    bars::difference(ui.ctx(), shell, cx, actions);
    gap::show(ui.ctx(), shell, cx, actions);
    guide::show(ui.ctx(), shell, cx);
    docked
}
