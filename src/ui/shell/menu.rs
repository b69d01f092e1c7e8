//! The bar of menus and workspaces.

use crate::ui::action::Action;
use crate::ui::command::{self, COMMANDS, CommandId, Menu};
use crate::ui::cx::Cx;
use crate::ui::keys::{self, Keymap};
use crate::ui::shell::dock;
use crate::ui::state::WorkspaceTab;
use crate::ui::theme::{self, ThemeChoice};
use crate::ui::{text, widgets};
use eframe::egui::{self, Button, RichText, Ui};

/// Shows the bar.
pub fn show(ui: &mut Ui, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    ui.horizontal_centered(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        for menu in Menu::ALL {
            let button = Button::new(menu.name()).frame_when_inactive(false);
            egui::containers::menu::MenuButton::from_button(button).ui(ui, |ui| {
                ui.set_min_width(230.0);
                entries(ui, menu, cx, actions);
            });
        }
        let middle = ui.max_rect().center().x - 84.0;
        let gap = middle - ui.cursor().left();
        if gap > 0.0 {
            ui.add_space(gap);
        } else {
            ui.add_space(16.0);
        }
        ui.spacing_mut().item_spacing.x = 4.0;
        for tab in WorkspaceTab::ALL {
            let id = match tab {
                WorkspaceTab::Animate => CommandId::WorkspaceAnimate,
                WorkspaceTab::Rig => CommandId::WorkspaceRig,
                WorkspaceTab::Inspect => CommandId::WorkspaceInspect,
            };
            let response = widgets::toggle(ui, cx.theme, cx.tab() == tab, tab.name());
            if response.clicked() {
                actions.push(Action::SetWorkspace(tab));
            }
            response.on_hover_text(cx.tooltip(id));
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let keymap = cx.settings().keymap;
            let shortcut = command::command(CommandId::Palette).keys[keymap as usize];
            let shortcut = shortcut.last().map(|word| keys::show(word)).unwrap_or_default();
            let words = format!("Find a command  {shortcut}");
            let words = RichText::new(words).size(theme::LABEL_SIZE).color(cx.theme.muted);
            if ui.available_width() > 150.0 && ui.add(Button::new(words).frame(false)).clicked() {
                actions.push(Action::Command(CommandId::Palette));
            }
        });
    });
}

fn entries(ui: &mut Ui, menu: Menu, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    let mut group = None;
    for row in COMMANDS.iter().filter(|c| c.menu.0 == menu) {
        // What the mouse does with a button held is in the guide, not in a menu.
        if matches!(row.id, CommandId::Orbit | CommandId::Pan | CommandId::Zoom) {
            continue;
        }
        if group.is_some_and(|g| g != row.menu.1) {
            ui.separator();
        }
        group = Some(row.menu.1);
        entry(ui, row, cx, actions);
        if row.id == CommandId::OpenFolder {
            recent(ui, cx, actions);
        }
        if row.id == CommandId::ResetLayout {
            panels(ui, cx, actions);
        }
    }
}

fn entry(ui: &mut Ui, row: &command::Command, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    let name = match row.id {
        CommandId::Undo => {
            step_name(cx, "Undo", cx.active().and_then(|d| cx.editor.history().undo_label(d)))
        }
        CommandId::Redo => {
            step_name(cx, "Redo", cx.active().and_then(|d| cx.editor.history().redo_label(d)))
        }
        CommandId::Play if cx.is_playing() => "Pause".to_owned(),
        _ => row.name.to_owned(),
    };
    widgets::command_entry(ui, cx, row.id, &name, checked(row.id, cx), actions);
}

fn step_name(_: &Cx<'_>, word: &str, label: Option<&str>) -> String {
    match label {
        Some(label) => format!("{word} \u{201c}{}\u{201d}", text::clean(label, 40)),
        None => word.to_owned(),
    }
}

/// Whether a command that is on or off is on.
fn checked(id: CommandId, cx: &Cx<'_>) -> Option<bool> {
    let view = cx.view();
    Some(match id {
        CommandId::KeymapBlender => cx.settings().keymap == Keymap::Blender,
        CommandId::KeymapMaya => cx.settings().keymap == Keymap::Maya,
        CommandId::WorkspaceAnimate => cx.tab() == WorkspaceTab::Animate,
        CommandId::WorkspaceRig => cx.tab() == WorkspaceTab::Rig,
        CommandId::WorkspaceInspect => cx.tab() == WorkspaceTab::Inspect,
        CommandId::ShowFrames => cx.settings().show_frames,
        CommandId::ShowRadians => cx.settings().show_radians,
        CommandId::ToggleTheme => cx.settings().theme == ThemeChoice::Light,
        CommandId::ShowNames => view.viewport.names,
        CommandId::BonesInFront => view.viewport.bones_in_front,
        CommandId::ShowGhosts => view.viewport.ghosts,
        CommandId::ShowTrail => view.viewport.trail,
        CommandId::ViewPerspective => !view.viewport.camera.orthographic,
        CommandId::ToggleSnap => view.timeline.snap,
        CommandId::ToggleLoop => cx
            .settings()
            .playback
            .looping
            .unwrap_or_else(|| cx.clip().is_some_and(|(_, clip)| clip.looping)),
        _ => return None,
    })
}

fn recent(ui: &mut Ui, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    let recent = &cx.settings().recent;
    ui.add_enabled_ui(!recent.is_empty(), |ui| {
        ui.menu_button("Open Recent", |ui| {
            ui.set_min_width(260.0);
            for path in recent {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                let full = path.display().to_string();
                let response = ui.button(text::name(&name).into_owned());
                if response.clicked() {
                    actions.push(Action::Open(vec![path.clone()]));
                    ui.close();
                }
                response.on_hover_text(text::clean(&full, 200));
            }
        });
    });
}

fn panels(ui: &mut Ui, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    ui.menu_button("Panels", |ui| {
        ui.set_min_width(160.0);
        for panel in dock::panels_of(cx.tab()) {
            let mut shown = cx.state.shown_panels.contains(&panel);
            if ui.checkbox(&mut shown, panel.name()).changed() {
                actions.push(Action::ShowPanel(panel, shown));
            }
        }
    });
}
