//! The one question that stops everything: unsaved changes are about to be lost.

use crate::ui::action::{Action, CloseAnswer};
use crate::ui::cx::Cx;
use crate::ui::files::closing::Closing;
use crate::ui::text;
use eframe::egui::{self, Context, Id, Key, RichText};

/// Asks whether to save what is being closed.
pub fn show(ctx: &Context, closing: &Closing, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    let unsaved: Vec<String> = closing
        .docs
        .iter()
        .filter(|doc| cx.editor.is_dirty(**doc))
        .filter_map(|doc| Some(cx.workspace().document(*doc)?.name()))
        .collect();
    let Some(first) = unsaved.first() else { return };
    let title = match unsaved.len() {
        1 => format!("Save the changes to {}?", text::name(first)),
        many => format!("Save the changes to {many} documents?"),
    };
    let mut answer = None;
    egui::Modal::new(Id::unique("unsaved changes")).show(ctx, |ui| {
        ui.set_max_width(440.0);
        ui.label(RichText::new(title).size(16.0).strong());
        ui.add_space(4.0);
        if unsaved.len() > 1 {
            for name in unsaved.iter().take(12) {
                ui.label(format!("•  {}", text::name(name)));
            }
        }
        let words = "Without saving, what you changed is lost.";
        ui.label(RichText::new(words).color(cx.theme.muted));
        ui.add_space(12.0);
        ui.horizontal(|ui| {
            let save = egui::Button::new(RichText::new("Save").color(cx.theme.on_accent))
                .fill(cx.theme.accent);
            if ui.add(save).clicked() {
                answer = Some(CloseAnswer::Save);
            }
            if ui.button("Don't save").clicked() {
                answer = Some(CloseAnswer::Discard);
            }
            if ui.button("Cancel").clicked() {
                answer = Some(CloseAnswer::Cancel);
            }
        });
    });
    if ctx.input_mut(|input| input.consume_key(egui::Modifiers::NONE, Key::Escape)) {
        answer = Some(CloseAnswer::Cancel);
    }
    actions.extend(answer.map(Action::AnswerClose));
}
