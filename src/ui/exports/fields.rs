//! The fields of a peg or bone, to be read.

use crate::math::euler_from_quat;
use crate::model::take::Channel;
use crate::sample::take::Turn;
use crate::ui::cx::Cx;
use crate::ui::{nodes, text, theme, widgets};
use eframe::egui::{self, Color32, Label, Margin, RichText, ScrollArea, Ui};
use glam::DVec3;

/// Shows the fields of what is selected.
pub fn show(ui: &mut Ui, cx: &Cx<'_>) {
    let Some(export) = cx.export() else { return };
    ScrollArea::vertical().auto_shrink([false; 2]).show(ui, |ui| {
        let margin = Margin { left: 12, right: 8, top: 4, bottom: 12 };
        egui::Frame::new().inner_margin(margin).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 3.0;
            let Some(at) = nodes::active(cx) else {
                let words = RichText::new("Select a peg to read its values.");
                ui.label(words.color(cx.theme.muted));
                return;
            };
            let Some(node) = export.nodes.nodes.get(at) else { return };
            ui.label(RichText::new(text::name(node.display_name())).strong());
            let words =
                "exported values are read here; keys are changed in the dope sheet and the curves";
            ui.label(RichText::new(words).small().color(cx.theme.muted));
            let parent = node.parent.as_deref().unwrap_or("–");
            line(ui, cx, "Parent", parent);
            if let Some((take, rig, _)) = export.take()
                && let Some(peg) = take.pegs.get(at)
            {
                line(ui, cx, "Path", peg.path.as_deref().unwrap_or("–"));
                line(ui, cx, "Rig", peg.rig.as_deref().unwrap_or("–"));
                line(ui, cx, "Keys", &peg.keyframes.len().to_string());
                let frame = rig.frame_at(cx.playhead_secs());
                widgets::section(ui, cx.theme, "AT THE PLAYHEAD, AS IN THE FILE");
                if let Some(raw) = export.raw(at) {
                    vector(ui, cx, "pos", raw.pos, 4);
                    match raw.turn {
                        Turn::Euler(degrees) => vector(ui, cx, "rot °", degrees, 3),
                        Turn::Quat(turn) => {
                            let q = [turn.w, turn.x, turn.y, turn.z].map(|c| text::number(c, 5));
                            line(ui, cx, "rot_quat", &q.join("  "));
                        }
                    }
                    vector(ui, cx, "scl", raw.scl, 4);
                }
                let here = peg.keyframes.iter().find(|key| (key.frame - frame).abs() < 1e-6);
                if let Some(key) = here {
                    let channels = Channel::ALL.into_iter();
                    let handled = channels.filter(|c| key.channel_handles(*c).is_some());
                    let handled: Vec<&str> = handled.map(Channel::as_str).collect();
                    let handles = match handled.as_slice() {
                        [] => "no handles".to_owned(),
                        channels => format!("handles of {}", channels.join(", ")),
                    };
                    line(ui, cx, "Key here", &format!("{} · {handles}", key.interp().as_str()));
                }
                if let Some(modes) = &peg.source_modes {
                    widgets::section(ui, cx.theme, "source_modes: a hint, changes no value");
                    for (name, value) in modes {
                        line(ui, cx, name, value);
                    }
                }
            }
            for (title, pose) in [
                ("RELATIVE TO THE PARENT", cx.stage.local.get(at)),
                ("IN THE WORLD", cx.stage.world.get(at)),
                ("REST", cx.stage.rest(at)),
            ] {
                let Some(pose) = pose else { continue };
                widgets::section(ui, cx.theme, title);
                vector(ui, cx, "position m", pose.position, 4);
                let degrees = euler_from_quat(pose.rotation) * 1_f64.to_degrees();
                vector(ui, cx, "rotation °", degrees, 3);
                if title != "REST" {
                    vector(ui, cx, "scale", pose.scale, 4);
                }
            }
        });
    });
}

fn line(ui: &mut Ui, cx: &Cx<'_>, name: &str, words: &str) {
    ui.horizontal(|ui| {
        label(ui, cx, name);
        ui.add(
            Label::new(RichText::new(text::clean(words, 200)).size(theme::TEXT_SIZE)).truncate(),
        );
    });
}

fn label(ui: &mut Ui, cx: &Cx<'_>, name: &str) {
    let (rect, _) = ui.allocate_exact_size(egui::vec2(84.0, 20.0), egui::Sense::hover());
    let font = egui::FontId::proportional(theme::LABEL_SIZE);
    let at = rect.left_center();
    let shown = text::clean(name, 40);
    ui.painter().text(at, egui::Align2::LEFT_CENTER, shown, font, cx.theme.muted);
}

fn vector(ui: &mut Ui, cx: &Cx<'_>, name: &str, value: DVec3, places: usize) {
    ui.horizontal(|ui| {
        label(ui, cx, name);
        for (axis, value) in value.to_array().into_iter().enumerate() {
            let color: Color32 = cx.theme.axes[axis];
            let words = RichText::new(text::number(value, places)).monospace().color(color);
            ui.label(words);
        }
    });
}
