//! A field for a path, where the system has no file dialogs.

use crate::ui::files::asking::Purpose;
use crate::ui::files::dialogs::{Ask, AskKind};
use crate::ui::theme::Theme;
use eframe::egui::{self, Align2, Context, Key, RichText, TextEdit, vec2};
use std::path::PathBuf;

/// The field.
#[derive(Debug)]
pub struct PathField {
    ask: Ask,
    purpose: Purpose,
    text: String,
    done: Option<Option<PathBuf>>,
    focused: bool,
}

impl PathField {
    /// Asks what a dialog would have asked.
    pub fn new(ask: Ask, purpose: Purpose) -> PathField {
        let mut text = ask.folder.as_ref().map(|f| f.display().to_string()).unwrap_or_default();
        if !text.is_empty() && !text.ends_with(std::path::MAIN_SEPARATOR) {
            text.push(std::path::MAIN_SEPARATOR);
        }
        text.push_str(&ask.name);
        PathField { ask, purpose, text, done: None, focused: false }
    }

    /// The path, once it was given; `None` inside where it was cancelled.
    pub fn answer(&mut self) -> Option<(Purpose, Option<PathBuf>)> {
        self.done.take().map(|path| (self.purpose, path))
    }

    /// Shows the field.
    pub fn show(&mut self, ctx: &Context, theme: &Theme) {
        let (enter, escape) = ctx.input_mut(|input| {
            (
                input.consume_key(egui::Modifiers::NONE, Key::Enter),
                input.consume_key(egui::Modifiers::NONE, Key::Escape),
            )
        });
        let path = PathBuf::from(self.text.trim());
        let problem = match self.ask.kind {
            _ if self.text.trim().is_empty() => Some("a path is needed"),
            AskKind::OpenFiles | AskKind::OpenFile | AskKind::Rig if !path.is_file() => {
                Some("there is no such file")
            }
            AskKind::Folder if !path.is_dir() => Some("there is no such folder"),
            AskKind::SaveFile if path.is_dir() => Some("this is a folder"),
            _ => None,
        };
        let mut go = enter;
        egui::Window::new(self.ask.title.clone())
            .resizable(false)
            .collapsible(false)
            .anchor(Align2::CENTER_CENTER, vec2(0.0, 0.0))
            .show(ctx, |ui| {
                ui.set_width(480.0);
                let field = TextEdit::singleline(&mut self.text).desired_width(f32::INFINITY);
                let response = ui.add(field);
                response
                    .widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Path"));
                if !self.focused {
                    response.request_focus();
                    self.focused = true;
                }
                let replaces = self.ask.kind == AskKind::SaveFile && path.is_file();
                let note = if replaces { "this file is there and will be replaced" } else { " " };
                let words = problem.unwrap_or(note);
                ui.label(RichText::new(words).color(theme.muted));
                ui.horizontal(|ui| {
                    let name = match self.ask.kind {
                        AskKind::SaveFile if replaces => "Replace",
                        AskKind::SaveFile => "Save",
                        _ => "Open",
                    };
                    go |= ui.add_enabled(problem.is_none(), egui::Button::new(name)).clicked();
                    if ui.button("Cancel").clicked() {
                        self.done = Some(None);
                    }
                });
            });
        if escape {
            self.done = Some(None);
        } else if go && problem.is_none() {
            self.done = Some(Some(path));
        }
        if self.done.is_some() {
            ctx.request_repaint();
        }
    }
}
