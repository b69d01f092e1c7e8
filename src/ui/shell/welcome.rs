//! The first page: samples, recent files, new documents.

use crate::ui::action::Action;
use crate::ui::command::{self, CommandId};
use crate::ui::cx::Cx;
use crate::ui::files::samples::SAMPLES;
use crate::ui::text;
use crate::ui::theme;
use eframe::egui::{self, RichText, Ui, vec2};

/// Shows the page.
pub fn show(ui: &mut Ui, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    egui::ScrollArea::vertical().auto_shrink([false; 2]).show(ui, |ui| {
        let width = ui.available_width().min(860.0);
        let left = (ui.available_width() - width) / 2.0;
        ui.add_space((ui.available_height() * 0.12).min(96.0));
        ui.horizontal_top(|ui| {
            ui.add_space(left);
            ui.vertical(|ui| {
                ui.set_width(width);
                page(ui, cx, actions);
            });
        });
    });
}

fn page(ui: &mut Ui, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    ui.label(RichText::new("Posewright").size(30.0).strong());
    let words = "Key clips, build rigs, and see every pose as the engine will.";
    ui.label(RichText::new(words).color(cx.theme.muted));
    ui.add_space(24.0);
    ui.columns(2, |columns| {
        let [start, recent] = columns else { return };
        start.label(RichText::new("Start").strong());
        start.add_space(4.0);
        for id in [
            CommandId::Open,
            CommandId::OpenFolder,
            CommandId::NewRigClip,
            CommandId::NewModelClip,
            CommandId::NewRig,
        ] {
            let row = command::command(id);
            let mut button = egui::Button::new(row.name)
                .min_size(vec2(280.0, 30.0))
                .wrap_mode(egui::TextWrapMode::Extend);
            if let Some(shortcut) = row.shortcut(cx.settings().keymap) {
                button = button.shortcut_text(RichText::new(shortcut).color(cx.theme.muted));
            }
            if start.add(button).on_hover_text(row.help).clicked() {
                actions.push(Action::Command(id));
            }
        }
        recent.label(RichText::new("Samples").strong());
        recent.add_space(4.0);
        for (index, sample) in SAMPLES.iter().enumerate() {
            if recent.link(sample.name).on_hover_text(sample.about).clicked() {
                actions.push(Action::OpenSample(index));
            }
            recent.label(RichText::new(sample.about).size(theme::LABEL_SIZE).color(cx.theme.muted));
        }
        recent.add_space(16.0);
        recent.label(RichText::new("Recent").strong());
        recent.add_space(4.0);
        if cx.settings().recent.is_empty() {
            let words = "Files that you open will be listed here.";
            recent.label(RichText::new(words).color(cx.theme.muted));
        }
        for path in cx.settings().recent.iter().take(10) {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let full = path.display().to_string();
            let response = recent.link(text::name(&name).into_owned());
            if response.clicked() {
                actions.push(Action::Open(vec![path.clone()]));
            }
            response.on_hover_text(text::clean(&full, 200));
        }
    });
    if !cx.state.tabs.is_empty() {
        ui.add_space(24.0);
        if ui.button("Back to the documents").clicked() {
            actions.push(Action::CloseWelcome);
        }
    }
}
