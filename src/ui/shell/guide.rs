//! The shortcuts on one page, and what this program is.

use super::Shell;
use crate::ui::command::{COMMANDS, Menu};
use crate::ui::cx::Cx;
use crate::ui::keys::{self, Keymap};
use eframe::egui::{self, Context, Grid, RichText, ScrollArea, vec2};

/// Shows the pages that are open.
pub fn show(ctx: &Context, shell: &mut Shell, cx: &Cx<'_>) {
    let muted = cx.theme.muted;
    let size = ctx.content_rect().size();
    egui::Window::new("Shortcuts")
        .open(&mut shell.guide)
        .collapsible(false)
        .default_size(vec2(640.0_f32.min(size.x - 40.0), 560.0_f32.min(size.y - 80.0)))
        .show(ctx, |ui| {
            ScrollArea::vertical().auto_shrink([false; 2]).show(ui, |ui| {
                for menu in Menu::ALL {
                    ui.add_space(6.0);
                    ui.label(RichText::new(menu.name()).strong());
                    Grid::new(("shortcuts", menu.name())).num_columns(3).spacing([24.0, 4.0]).show(
                        ui,
                        |ui| {
                            for keymap in [None, Some(Keymap::Blender), Some(Keymap::Maya)] {
                                let name = keymap.map_or("Command", Keymap::name);
                                ui.label(RichText::new(name).small().color(muted));
                            }
                            ui.end_row();
                            for row in COMMANDS.iter().filter(|row| row.menu.0 == menu) {
                                if row.keys.iter().all(|words| words.is_empty()) {
                                    continue;
                                }
                                ui.label(row.name).on_hover_text(row.help);
                                for words in row.keys {
                                    let words: Vec<_> =
                                        words.iter().map(|word| keys::show(word)).collect();
                                    ui.monospace(words.join("   "));
                                }
                                ui.end_row();
                            }
                        },
                    );
                }
            });
        });
    egui::Window::new("About Posewright")
        .open(&mut shell.about)
        .collapsible(false)
        .resizable(false)
        .show(ctx, |ui| {
            ui.set_width(360.0);
            ui.label(RichText::new(concat!("Posewright ", env!("CARGO_PKG_VERSION"))).size(18.0));
            ui.label(env!("CARGO_PKG_DESCRIPTION"));
            ui.add_space(8.0);
            ui.label(RichText::new(concat!("Licence: ", env!("CARGO_PKG_LICENSE"))).color(muted));
        });
}
