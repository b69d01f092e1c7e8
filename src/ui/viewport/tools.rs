//! The tools above the stage.

use super::lens::Lens;
use super::paint;
use crate::model::ClipKind;
use crate::ui::action::Action;
use crate::ui::command::CommandId;
use crate::ui::cx::Cx;
use crate::ui::pose::{self, Target};
use crate::ui::state::{Tool, ViewportView};
use crate::ui::{text, theme, widgets};
use eframe::egui::{Align, Button, Layout, Rect, RichText, Ui, UiBuilder, vec2};
use std::collections::{BTreeSet, HashSet};

/// Shows the tools, from the left: what a drag does, about which axes, what is shown; on the right
/// where the camera looks from.
pub fn bar(
    ui: &mut Ui,
    cx: &Cx<'_>,
    lens: &Lens,
    rect: Rect,
    view: &mut ViewportView,
    actions: &mut Vec<Action>,
) {
    let strip = Rect::from_min_size(rect.min + vec2(10.0, 8.0), vec2(rect.width() - 20.0, 28.0));
    if strip.width() < 40.0 || rect.height() < 48.0 {
        return;
    }
    let builder = UiBuilder::new().max_rect(strip).layout(Layout::left_to_right(Align::Center));
    ui.scope_builder(builder, |ui| {
        ui.set_clip_rect(rect.intersect(ui.clip_rect()));
        ui.spacing_mut().item_spacing.x = 4.0;
        // An export is looked at, never changed here.
        if cx.export().is_none() {
            tools(ui, cx, view);
        } else if widgets::toggle(ui, cx.theme, view.names, "Names").clicked() {
            view.names = !view.names;
        }
        if cx.duration_secs().is_some() {
            let shown = [
                (&mut view.ghosts, "Ghosts", CommandId::ShowGhosts),
                (&mut view.trail, "Trail", CommandId::ShowTrail),
            ];
            for (on, name, command) in shown {
                let response = widgets::toggle(ui, cx.theme, *on, name);
                if response.on_hover_text(cx.tooltip(command)).clicked() {
                    *on = !*on;
                }
            }
        }
        stages(ui, cx, view);
        ui.add_space(4.0);
        if cx.export().is_none() {
            badge(ui, cx);
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| camera(ui, cx, lens, actions));
    });
}

/// What a drag does, about which axes, in which steps.
fn tools(ui: &mut Ui, cx: &Cx<'_>, view: &mut ViewportView) {
    let tools = [
        (Tool::Select, CommandId::ToolSelect),
        (Tool::Move, CommandId::ToolMove),
        (Tool::Rotate, CommandId::ToolRotate),
        (Tool::Scale, CommandId::ToolScale),
    ];
    for (tool, command) in tools {
        let response = widgets::toggle(ui, cx.theme, view.tool == tool, tool.name());
        if response.clicked() {
            view.tool = tool;
        }
        response.on_hover_text(cx.tooltip(command));
    }
    ui.add_space(8.0);
    let axes = drops(if view.local_axes { "Local" } else { "World" });
    ui.menu_button(axes, |ui| {
        let choices = [
            (true, "Local axes", "Each node turns about its own axes"),
            (false, "World axes", "Along and about the axes of the world"),
        ];
        for (local, name, help) in choices {
            let on = view.local_axes == local;
            if ui.add(Button::new(name).selected(on)).on_hover_text(help).clicked() {
                view.local_axes = local;
                ui.close();
            }
        }
    });
    let help = "Snap drags: 15° for turns, the grid for moves, 0.1 for scales; Ctrl inverts it";
    if widgets::toggle(ui, cx.theme, view.snap, "Snap").on_hover_text(help).clicked() {
        view.snap = !view.snap;
    }
}

/// A word on a button that opens a menu.
fn drops(words: &str) -> String {
    format!("{words} {}", egui_material_icons::icons::ICON_ARROW_DROP_DOWN.codepoint)
}

/// What a drag writes to.
fn badge(ui: &mut Ui, cx: &Cx<'_>) {
    let color = match pose::target(cx) {
        Some(Target::Keys(_)) => cx.theme.selection,
        Some(Target::Rest(_)) => cx.theme.accent,
        None => cx.theme.muted,
    };
    let words = RichText::new(pose::badge(cx)).size(theme::SMALL_SIZE).color(color);
    ui.label(words).on_hover_text("What a drag in the viewport changes");
}

/// The rig that a model clip is shown on.
fn stages(ui: &mut Ui, cx: &Cx<'_>, view: &mut ViewportView) {
    let is_model = cx
        .clip()
        .is_some_and(|(doc, clip)| clip.kind == ClipKind::Model && cx.active() == Some(doc));
    if !is_model {
        return;
    }
    let name = |doc| cx.workspace().document(doc).map(|document| document.name());
    let now = view.stage_rig.and_then(name);
    let label = match &now {
        Some(name) => drops(&format!("On {}", text::clean(name, 24))),
        None => drops("Parts apart"),
    };
    ui.menu_button(label, |ui| {
        if ui.add(Button::new("Parts apart").selected(now.is_none())).clicked() {
            view.stage_rig = None;
            view.framed = false;
            ui.close();
        }
        let mut any = false;
        for document in cx.workspace().documents() {
            if cx.workspace().rig(document.id).is_none() {
                continue;
            }
            any = true;
            let words = format!("On {}", text::clean(&document.name(), 40));
            let on = view.stage_rig == Some(document.id);
            if ui.add(Button::new(words).selected(on)).clicked() {
                view.stage_rig = Some(document.id);
                view.framed = false;
                ui.close();
            }
        }
        if !any {
            ui.label("Open a rig to show the parts on it");
        }
    })
    .response
    .on_hover_text("Show the parts apart, or on a rig that is open");
    missing_on_stage(ui, cx, view);
}

/// Says which parts of a model clip are not seen, because the rig they are shown on has no such
/// nodes.
fn missing_on_stage(ui: &mut Ui, cx: &Cx<'_>, view: &ViewportView) {
    let rig = view.stage_rig.and_then(|doc| cx.workspace().rig(doc));
    let (Some(rig), Some((_, clip))) = (rig, cx.clip()) else { return };
    let ids: HashSet<&str> = rig.nodes.iter().map(|node| node.id.as_str()).collect();
    let parts = clip.tracks.iter().map(|track| track.part.as_str());
    let missing: BTreeSet<&str> = parts.filter(|part| !ids.contains(part)).collect();
    if missing.is_empty() {
        return;
    }
    let words = format!("{} not on it", text::count(missing.len(), "part", "parts"));
    let words = RichText::new(words).size(theme::SMALL_SIZE).color(cx.theme.warning);
    let names: Vec<_> = missing.iter().take(12).map(|part| text::name(part)).collect();
    ui.label(words).on_hover_text(format!("The rig has no node {}", names.join(", ")));
}

/// Where the camera looks from, and everything that changes it.
fn camera(ui: &mut Ui, cx: &Cx<'_>, lens: &Lens, actions: &mut Vec<Action>) {
    let grid = paint::length(paint::grid_step(lens));
    let words = format!("{} · grid {grid}", paint::view_name(lens));
    let words = RichText::new(words).size(theme::LABEL_SIZE).color(cx.theme.muted);
    ui.menu_button(words, |ui| {
        let groups: [&[(CommandId, &str)]; 4] = [
            &[
                (CommandId::ViewFront, "Front"),
                (CommandId::ViewSide, "Side"),
                (CommandId::ViewTop, "Top"),
                (CommandId::ViewPerspective, "Perspective on and off"),
            ],
            &[(CommandId::FrameAll, "Frame all"), (CommandId::FrameSelected, "Frame selected")],
            &[
                (CommandId::Orbit, "Orbit with the next drag"),
                (CommandId::Pan, "Pan with the next drag"),
                (CommandId::Zoom, "Zoom with the next drag"),
            ],
            &[
                (CommandId::ShowNames, "Names on and off"),
                (CommandId::BonesInFront, "Bones in front on and off"),
            ],
        ];
        for (at, group) in groups.into_iter().enumerate() {
            if at > 0 {
                ui.separator();
            }
            for (id, name) in group {
                if widgets::command_button(ui, cx, *id, name, actions).clicked() {
                    ui.close();
                }
            }
        }
    });
}
