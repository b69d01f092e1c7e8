//! The plain window: what is left where the window panics again and again. It shows nothing of the
//! documents and only saves them.

use super::app::App;
use super::fault::{self, caught};
use super::text;
use crate::edit::DocId;
use eframe::egui::{self, Context, RichText, TextEdit, Ui, ViewportCommand};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What the plain window remembers.
#[derive(Default)]
pub struct Plain {
    /// Where each document shall be saved, as typed.
    paths: BTreeMap<DocId, String>,
    /// What became of the last button.
    said: String,
}

enum Wish {
    Save(DocId, PathBuf),
    Undo(DocId),
    Again,
    Quit,
}

impl App {
    /// Keeps the journal up, and nothing else.
    pub(super) fn plain_tick(&mut self) {
        let kept = caught(|| self.files.guard.step(self.editor.workspace()));
        if let Err(fault) = kept {
            self.plain.said = format!("{} ({})", fault.message, fault.place);
        }
    }

    /// Shows the plain window and does what is asked there.
    pub(super) fn show_plain(&mut self, ui: &mut Ui) {
        let ctx = ui.ctx().clone();
        let mut wish = None;
        let shown = caught(|| {
            fault::part("plain");
            wish = self.plain_parts(ui);
        });
        if shown.is_err() {
            // Nothing can be shown: the next move of the mouse tries again, and the journal holds
            // the work.
            return;
        }
        let Some(wish) = wish else { return };
        let done = caught(|| self.fulfil(&ctx, wish));
        self.plain.said = match done {
            Ok(said) => said,
            Err(fault) => format!("That failed too: {} ({})", fault.message, fault.place),
        };
        ctx.request_repaint();
    }

    fn plain_parts(&mut self, ui: &mut Ui) -> Option<Wish> {
        let mut wish = None;
        let theme = &self.theme;
        let frame = egui::Frame::new().fill(theme.ground).inner_margin(24.0);
        egui::CentralPanel::no_frame().frame(frame).show(ui, |ui| {
            ui.heading("The window has failed twice in a row");
            if let Some(fault) = &self.trouble.plain {
                let words = format!("{} ({})", fault.message, fault.place);
                ui.label(RichText::new(text::clean(&words, 400)).color(theme.muted));
            }
            ui.label(
                "Your documents are here and can be saved. What is not saved is kept beside the \
                 settings, and offered at the next start.",
            );
            ui.add_space(16.0);
            for document in self.editor.workspace().documents() {
                let doc = document.id;
                let name = text::name(&document.name()).into_owned();
                let dirty = self.editor.is_dirty(doc);
                let state = if dirty { "not saved" } else { "saved" };
                ui.label(RichText::new(format!("{name}: {state}")).strong());
                let path = self.plain.paths.entry(doc).or_insert_with(|| {
                    let path = document.path.clone().unwrap_or_else(|| document.name().into());
                    path.display().to_string()
                });
                ui.horizontal(|ui| {
                    let field = ui.add(TextEdit::singleline(path).desired_width(480.0));
                    field.widget_info(|| {
                        let name = format!("Where to save {name}");
                        egui::WidgetInfo::labeled(egui::Role::TextInput, true, name)
                    });
                    if ui.button(format!("Save {name}")).clicked() {
                        wish = Some(Wish::Save(doc, PathBuf::from(path.as_str())));
                    }
                    let last = self.editor.history().undo_label(doc);
                    if let Some(label) = last
                        && ui.button(format!("Undo {}", text::clean(label, 60))).clicked()
                    {
                        wish = Some(Wish::Undo(doc));
                    }
                });
                ui.add_space(8.0);
            }
            ui.add_space(8.0);
            ui.horizontal(|ui| {
                if ui.button("Try the window again").clicked() {
                    wish = Some(Wish::Again);
                }
                if ui.button("Quit").clicked() {
                    wish = Some(Wish::Quit);
                }
            });
            ui.label(text::clean(&self.plain.said, 400));
        });
        wish
    }

    /// Does it, and gives what there is to say.
    fn fulfil(&mut self, ctx: &Context, wish: Wish) -> String {
        match wish {
            Wish::Save(doc, path) => {
                let path = std::path::absolute(&path).unwrap_or(path);
                let other = self.editor.workspace().by_path(&path).filter(|other| *other != doc);
                let own = self.editor.workspace().document(doc).and_then(|d| d.path.clone());
                if other.is_some() || (own.as_deref() != Some(&*path) && exists(&path)) {
                    return format!("{} is there already: give another name", path.display());
                }
                match self.save_to(doc, &path) {
                    Ok(()) => format!("Saved {}", path.display()),
                    Err(message) => message,
                }
            }
            Wish::Undo(doc) => match self.editor.undo(doc) {
                Ok(step) => {
                    self.drawn_whole();
                    format!("Undid {}", step.label)
                }
                Err(error) => error.to_string(),
            },
            Wish::Again => {
                self.try_again();
                String::new()
            }
            Wish::Quit => {
                self.shell.may_quit = true;
                ctx.send_viewport_cmd(ViewportCommand::Close);
                String::new()
            }
        }
    }
}

fn exists(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}
