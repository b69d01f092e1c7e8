//! The questions that stop everything: unsaved changes are about to be lost, or a clip is about to
//! be saved where it loses its rig.

use crate::ui::action::{Action, CloseAnswer, OutsideAnswer};
use crate::ui::cx::Cx;
use crate::ui::files::asking::Outside;
use crate::ui::files::closing::Closing;
use crate::ui::text;
use eframe::egui::{self, Context, Id, Key, RichText};

/// A question in front of everything, with room around its words.
fn modal(ctx: &Context, id: &str) -> egui::Modal {
    let frame = egui::Frame::popup(&ctx.global_style()).inner_margin(egui::Margin::same(18));
    egui::Modal::new(Id::unique(id)).frame(frame)
}

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
    modal(ctx, "unsaved changes").show(ctx, |ui| {
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

/// Asks whether a clip shall really be saved outside of its project.
pub fn outside(ctx: &Context, outside: &Outside, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    let name = outside.path.file_name().unwrap_or_default().to_string_lossy();
    let root = outside.root.display().to_string();
    let mut answer = None;
    modal(ctx, "outside of the project").show(ctx, |ui| {
        ui.set_max_width(480.0);
        let title = format!("Save {} outside of its project?", text::name(&name));
        ui.label(RichText::new(title).size(16.0).strong());
        ui.add_space(4.0);
        let binding = text::clean(&outside.binding, 120);
        let words = match &outside.leads_to {
            Some(rig) => {
                let rig = rig.display().to_string();
                format!("From there its binding {binding} leads to {}.", text::clean(&rig, 200))
            }
            None => format!("From there its binding {binding} leads to no file."),
        };
        ui.label(words);
        let words =
            format!("The project is {}. The binding is not changed.", text::clean(&root, 200));
        ui.label(RichText::new(words).color(cx.theme.muted));
        ui.add_space(12.0);
        ui.horizontal(|ui| {
            let choose = RichText::new("Choose another place…").color(cx.theme.on_accent);
            if ui.add(egui::Button::new(choose).fill(cx.theme.accent)).clicked() {
                answer = Some(OutsideAnswer::Choose);
            }
            if ui.button("Save there").clicked() {
                answer = Some(OutsideAnswer::Save);
            }
            if ui.button("Cancel").clicked() {
                answer = Some(OutsideAnswer::Cancel);
            }
        });
    });
    if ctx.input_mut(|input| input.consume_key(egui::Modifiers::NONE, Key::Escape)) {
        answer = Some(OutsideAnswer::Cancel);
    }
    actions.extend(answer.map(Action::AnswerOutside));
}
