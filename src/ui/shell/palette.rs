//! The palette: any command by its name, any panel and recent file too.

use crate::ui::action::Action;
use crate::ui::command::{COMMANDS, Command, CommandId};
use crate::ui::cx::Cx;
use crate::ui::shell::dock;
use crate::ui::state::PanelId;
use crate::ui::text;
use crate::ui::theme;
use eframe::egui::{self, Align2, Context, Key, RichText, TextEdit, vec2};
use std::path::PathBuf;

/// What has been typed, and which row is current.
#[derive(Debug, Default)]
pub struct Palette {
    query: String,
    current: usize,
    shown_before: bool,
}

enum Hit<'a> {
    Command(&'static Command),
    File(&'a PathBuf),
    Panel(PanelId),
}

/// How well a name fits what was typed: all its words must begin in it, in any order; less is
/// better.
fn fit(query: &str, name: &str) -> Option<usize> {
    let name = name.to_lowercase();
    let mut cost = name.len();
    for word in query.to_lowercase().split_whitespace() {
        let at = name.find(word)?;
        let begins = at == 0 || !name[..at].ends_with(char::is_alphanumeric);
        cost += at + if begins { 0 } else { 100 };
    }
    Some(cost)
}

/// How a panel is called in the list.
fn panel_words(panel: PanelId) -> String {
    format!("Show {}", panel.name())
}

impl Palette {
    /// Shows the palette; false once it is done.
    pub fn show(&mut self, ctx: &Context, cx: &Cx<'_>, actions: &mut Vec<Action>) -> bool {
        let mut hits: Vec<(usize, Hit<'_>)> = Vec::new();
        for command in COMMANDS {
            let mouse = matches!(command.id, CommandId::Orbit | CommandId::Pan | CommandId::Zoom);
            if mouse || command.id == CommandId::Palette {
                continue;
            }
            // By its name, or by what it does.
            let by_help = || Some(fit(&self.query, command.help)? + 500);
            if let Some(cost) = fit(&self.query, command.name).or_else(by_help) {
                // What can be done now comes first.
                let rest = if (command.enabled)(cx) { 0 } else { 1000 };
                let cost = if self.query.is_empty() { rest } else { cost + rest };
                hits.push((cost, Hit::Command(command)));
            }
        }
        if !self.query.is_empty() {
            for panel in dock::panels_of(cx.tab()) {
                if let Some(cost) = fit(&self.query, &panel_words(panel)) {
                    hits.push((cost + 25, Hit::Panel(panel)));
                }
            }
            for path in &cx.settings().recent {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                if let Some(cost) = fit(&self.query, &name) {
                    hits.push((cost + 50, Hit::File(path)));
                }
            }
        }
        hits.sort_by_key(|(cost, _)| *cost);
        hits.truncate(40);
        self.current = self.current.min(hits.len().saturating_sub(1));

        let (up, down, enter, escape) = ctx.input_mut(|input| {
            (
                input.consume_key(egui::Modifiers::NONE, Key::ArrowUp),
                input.consume_key(egui::Modifiers::NONE, Key::ArrowDown),
                input.consume_key(egui::Modifiers::NONE, Key::Enter),
                input.consume_key(egui::Modifiers::NONE, Key::Escape),
            )
        });
        if down && !hits.is_empty() {
            self.current = (self.current + 1) % hits.len();
        }
        if up && !hits.is_empty() {
            self.current = (self.current + hits.len() - 1) % hits.len();
        }
        let moved = up || down;
        let mut chosen = enter.then_some(self.current);
        let mut open = !escape;

        let width = 520.0_f32.min(ctx.content_rect().width() - 32.0);
        let area = egui::Window::new("Find a command")
            .title_bar(false)
            .resizable(false)
            .collapsible(false)
            .anchor(Align2::CENTER_TOP, vec2(0.0, 64.0))
            .fixed_size(vec2(width, 380.0))
            .show(ctx, |ui| {
                let field = TextEdit::singleline(&mut self.query)
                    .hint_text("Find a command or a file")
                    .desired_width(f32::INFINITY);
                let response = ui.add(field);
                response.request_focus();
                if response.changed() {
                    self.current = 0;
                }
                ui.add_space(4.0);
                egui::ScrollArea::vertical().max_height(320.0).show(ui, |ui| {
                    if hits.is_empty() {
                        ui.label(RichText::new("Nothing of that name").color(cx.theme.muted));
                    }
                    for (index, (_, hit)) in hits.iter().enumerate() {
                        let current = index == self.current;
                        let response = row(ui, hit, current, cx);
                        if response.clicked() {
                            chosen = Some(index);
                        }
                        if current && moved {
                            response.scroll_to_me(None);
                        }
                    }
                });
            });
        let elsewhere = area.is_some_and(|area| area.response.clicked_elsewhere());
        if elsewhere && self.shown_before {
            open = false;
        }
        self.shown_before = true;
        if let Some((_, hit)) = chosen.and_then(|index| hits.get(index)) {
            match hit {
                Hit::Command(command) if (command.enabled)(cx) => {
                    actions.push(Action::Command(command.id));
                    open = false;
                }
                Hit::Command(_) => {}
                Hit::Panel(panel) => {
                    actions.push(Action::FocusPanel(*panel));
                    open = false;
                }
                Hit::File(path) => {
                    actions.push(Action::Open(vec![(*path).clone()]));
                    open = false;
                }
            }
        }
        open
    }
}

fn row(ui: &mut egui::Ui, hit: &Hit<'_>, current: bool, cx: &Cx<'_>) -> egui::Response {
    let (name, right, enabled, help) = match hit {
        Hit::Command(command) => (
            command.name.to_owned(),
            command.shortcut(cx.settings().keymap).unwrap_or_default(),
            (command.enabled)(cx),
            match crate::ui::command::why_not(command.id, cx) {
                Some(why) => format!("{}\n{why}", command.help),
                None => command.help.to_owned(),
            },
        ),
        Hit::Panel(panel) => {
            let help = "Brings the panel to the front, and back where it is hidden";
            (panel_words(*panel), "panel".into(), true, help.to_owned())
        }
        Hit::File(path) => {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let full = path.display().to_string();
            (text::name(&name).into_owned(), "recent".into(), true, text::clean(&full, 200).into())
        }
    };
    let button = egui::Button::new(name)
        .shortcut_text(RichText::new(right).color(cx.theme.muted))
        .selected(current)
        .fill(if current { cx.theme.row_selected } else { cx.theme.panel })
        .min_size(vec2(ui.available_width(), theme::ROW));
    ui.add_enabled(enabled, button).on_hover_text(&help).on_disabled_hover_text(help)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_fit_in_any_order_and_beginnings_first() {
        assert!(fit("save", "Save As…").is_some());
        assert!(fit("as sa", "Save As…").is_some());
        assert!(fit("saev", "Save").is_none());
        assert!(fit("key", "Insert Key") < fit("key", "Monkeys"));
        assert!(fit("save", "Save") < fit("save", "Save All"));
    }
}
