//! Bars above the panels: a file that somebody else changed, unsaved work of an earlier run.

use super::Shell;
use crate::ui::action::{Action, CarryAnswer, OnDisk};
use crate::ui::compare::Ask;
use crate::ui::cx::Cx;
use crate::ui::derived;
use crate::ui::files::Conflict;
use crate::ui::files::opening::Shown;
use crate::ui::text;
use crate::ui::theme;
use eframe::egui::{self, Color32, Context, Label, Margin, RichText, Stroke, Ui, vec2};
use std::sync::Arc;

fn bar(ui: &mut Ui, cx: &Cx<'_>, words: &str, add: impl FnOnce(&mut Ui)) {
    bar_of(ui, cx, cx.theme.warning, words, add);
}

fn bar_of(ui: &mut Ui, cx: &Cx<'_>, color: Color32, words: &str, add: impl FnOnce(&mut Ui)) {
    let frame = egui::Frame::new()
        .fill(cx.theme.ground.lerp_to_gamma(color, 0.12))
        .stroke(Stroke::new(1.0, color.gamma_multiply(0.5)))
        .corner_radius(theme::CORNER)
        .outer_margin(Margin { left: 8, right: 8, top: 2, bottom: 4 })
        .inner_margin(Margin::symmetric(12, 4));
    frame.show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                add(ui);
                ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                    let words = RichText::new(text::clean(words, 300)).color(color).strong();
                    ui.add(Label::new(words).truncate());
                });
            });
        });
    });
}

/// A file that takes long to open.
fn progress(ui: &mut Ui, cx: &Cx<'_>, file: &Shown, actions: &mut Vec<Action>) {
    let frame = egui::Frame::new()
        .fill(cx.theme.panel)
        .corner_radius(theme::CORNER)
        .outer_margin(Margin { left: 8, right: 8, top: 2, bottom: 4 })
        .inner_margin(Margin::symmetric(12, 4));
    frame.show(ui, |ui| {
        ui.horizontal(|ui| {
            let name = text::name(&file.name);
            let percent = (file.fraction * 100.0).floor();
            ui.label(format!("{} {name}", file.doing));
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let cancel = ui.button("Cancel").on_hover_text("Nothing of it stays (Esc)");
                cancel.widget_info(|| {
                    let name = format!("Cancel {} {name}", file.doing.to_lowercase());
                    egui::WidgetInfo::labeled(egui::Role::Button, true, name)
                });
                if cancel.clicked() {
                    actions.push(Action::CancelOpening(file.number));
                }
                let words = RichText::new(format!("{percent:>3}%")).monospace();
                ui.label(words.color(cx.theme.muted));
                let (rect, _) = ui.allocate_exact_size(
                    vec2(ui.available_width().max(0.0), 6.0),
                    egui::Sense::hover(),
                );
                ui.painter().rect_filled(rect, 3.0, cx.theme.control);
                let mut done = rect;
                done.set_width(rect.width() * file.fraction.clamp(0.0, 1.0));
                ui.painter().rect_filled(done, 3.0, cx.theme.accent);
            });
        });
    });
}

/// Shows the bars that there are.
pub fn show(ui: &mut Ui, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    let offers = cx.files.guard.offers();
    let conflict = cx.active().and_then(|doc| Some((doc, cx.files.conflicts.get(&doc)?)));
    let waiting = cx.files.waiting.as_ref();
    let opening = cx.files.under_way();
    let re_exported = cx.active().and_then(|doc| Some((doc, cx.files.re_exported.get(&doc)?)));
    if offers.is_empty()
        && conflict.is_none()
        && re_exported.is_none()
        && waiting.is_none()
        && opening.is_empty()
    {
        return;
    }
    let frame = egui::Frame::new().fill(cx.theme.ground);
    egui::Panel::top("bars").frame(frame).show_separator_line(false).show(ui, |ui| {
        for file in opening.iter().take(4) {
            progress(ui, cx, file, actions);
        }
        if let Some(waiting) = waiting {
            let names: Vec<String> = waiting
                .clips
                .iter()
                .take(4)
                .filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned()))
                .collect();
            let more = waiting.clips.len() - names.len();
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let words = match waiting.clips.len() {
                1 => format!("{} is closed and uses this", names.join(", ")),
                _ => format!("{}{more} are closed and use this", names.join(", ")),
            };
            bar(ui, cx, &words, |ui| {
                let mut answer = |ui: &mut Ui, text: &str, hint: &str, answer| {
                    if ui.button(text).on_hover_text(hint).clicked() {
                        actions.push(Action::AnswerCarry(answer));
                    }
                };
                answer(ui, "Cancel", "Nothing is changed", CarryAnswer::Cancel);
                answer(ui, "Leave them", "They will not load then", CarryAnswer::Leave);
                let hint = "Opens them; they are saved when you save them";
                answer(ui, "Change them too", hint, CarryAnswer::ChangeToo);
            });
        }
        if let Some((doc, conflict)) = conflict {
            let name = cx.document().map(|document| document.name()).unwrap_or_default();
            let words = match conflict {
                Conflict::Changed(_) => format!("{name} was changed on disk while you changed it"),
                Conflict::Broken { why, .. } => {
                    format!(
                        "{name} on disk does not load now ({why}): this is what last loaded. It \
                         is read again when it changes"
                    )
                }
                Conflict::Unreadable(why) => {
                    format!("{name} on disk cannot be read now: this is what last loaded. {why}")
                }
                Conflict::Gone => format!("{name} was removed from disk"),
            };
            bar(ui, cx, &words, |ui| {
                if let Conflict::Unreadable(_) = conflict {
                    if ui.button("Try again").clicked() {
                        actions.push(Action::OnDisk(doc, OnDisk::Reload));
                    }
                } else if ui.button("Keep mine").clicked() {
                    actions.push(Action::OnDisk(doc, OnDisk::KeepMine));
                }
                if conflict.text().is_some() {
                    let (reload, hint) = match conflict {
                        Conflict::Broken { .. } => {
                            ("Show it as text", "Its problems and what mends them; undo comes back")
                        }
                        _ => ("Reload", "Undo brings your changes back"),
                    };
                    if ui.button(reload).on_hover_text(hint).clicked() {
                        actions.push(Action::OnDisk(doc, OnDisk::Reload));
                    }
                    if ui.button("Show the difference").clicked() {
                        actions.push(Action::OnDisk(doc, OnDisk::ShowDifference));
                    }
                }
            });
        }
        if let Some((doc, re_exported)) = re_exported {
            let found = cx.compare.anew_words(doc);
            bar_of(ui, cx, cx.theme.accent, &re_exported.words(found.as_deref()), |ui| {
                if ui.button("Keep quiet").on_hover_text("Closes this bar").clicked() {
                    actions.push(Action::KeepQuiet(doc));
                }
                let hint = "What changed since the version that was last looked at";
                if ui.button("Compare").on_hover_text(hint).clicked() {
                    actions.push(Action::Compare(Ask::Before));
                }
            });
        }
        for offer in offers.iter().take(4) {
            let name = match offer.path.as_deref().and_then(|path| path.file_name()) {
                Some(name) => name.to_string_lossy().into_owned(),
                None => offer.label.clone(),
            };
            let mut words = format!("Unsaved work on {name} was left behind by an earlier run");
            if !offer.base_matches {
                words.push_str("; the file has been changed since");
            }
            bar(ui, cx, &words, |ui| {
                if ui.button("Discard").on_hover_text("This work is lost then").clicked() {
                    actions.push(Action::DiscardRecovered(offer.index));
                }
                if ui.button("Recover").clicked() {
                    actions.push(Action::Recover(offer.index));
                }
            });
        }
    });
}

/// Shows a document beside its file, which somebody else changed.
pub fn difference(ctx: &Context, shell: &mut Shell, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    let Some(doc) = shell.difference else { return };
    let disk = cx.files.conflicts.get(&doc).and_then(Conflict::text);
    let (Some(disk), Some(facts)) = (disk, cx.derived.of(doc)) else {
        (shell.difference, shell.compared) = (None, None);
        return;
    };
    let mut open = true;
    let size = ctx.content_rect().size();
    egui::Window::new("On disk and here")
        .open(&mut open)
        .collapsible(false)
        .default_size(vec2(760.0_f32.min(size.x - 40.0), 520.0_f32.min(size.y - 80.0)))
        .show(ctx, |ui| {
            ui.horizontal(|ui| {
                if ui.button("Reload").clicked() {
                    actions.push(Action::OnDisk(doc, OnDisk::Reload));
                }
                if ui.button("Keep mine").clicked() {
                    actions.push(Action::OnDisk(doc, OnDisk::KeepMine));
                }
                ui.label(RichText::new("− on disk   + here").monospace().color(cx.theme.muted));
            });
            ui.separator();
            let lines = match &shell.compared {
                Some(kept) if kept.is_of(disk, &facts.text) => kept.lines.clone(),
                _ => {
                    let lines: Arc<Vec<_>> = difference_lines(disk, &facts.text).into();
                    let (disk, here) = (disk.clone(), facts.text.clone());
                    shell.compared = Some(Compared { disk, here, lines: lines.clone() });
                    lines
                }
            };
            let row = ui.text_style_height(&egui::TextStyle::Monospace) + 2.0;
            egui::ScrollArea::both().auto_shrink([false; 2]).show_rows(
                ui,
                row,
                lines.len(),
                |ui, range| {
                    for (sign, line) in &lines[range] {
                        let color = match sign {
                            '−' => cx.theme.error,
                            '+' => cx.theme.good,
                            _ => cx.theme.muted,
                        };
                        let words = format!("{sign} {}", text::clean(line, 400));
                        let words = RichText::new(words).monospace().color(color);
                        ui.add(Label::new(words).wrap_mode(egui::TextWrapMode::Extend));
                    }
                },
            );
        });
    if !open {
        (shell.difference, shell.compared) = (None, None);
    }
}

/// Two texts that were compared, kept while they are shown.
pub struct Compared {
    disk: Arc<str>,
    here: Arc<str>,
    lines: Arc<Vec<(char, String)>>,
}

impl Compared {
    fn is_of(&self, disk: &Arc<str>, here: &Arc<str>) -> bool {
        Arc::ptr_eq(&self.disk, disk) && Arc::ptr_eq(&self.here, here)
    }
}

/// Lines that differ, with three around them.
fn difference_lines(old: &str, new: &str) -> Vec<(char, String)> {
    let (_, [old, new]) = derived::apart(old, new, 3);
    let diff = similar::TextDiff::configure()
        .timeout(std::time::Duration::from_millis(200))
        .diff_lines(old, new);
    let mut lines = Vec::new();
    for group in diff.grouped_ops(3) {
        if !lines.is_empty() {
            lines.push(('…', String::new()));
        }
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let sign = match change.tag() {
                similar::ChangeTag::Delete => '−',
                similar::ChangeTag::Insert => '+',
                similar::ChangeTag::Equal => ' ',
            };
            lines.push((sign, change.value().trim_end_matches(['\r', '\n']).to_owned()));
        }
    }
    lines
}
