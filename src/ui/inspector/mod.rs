//! The Inspector panel: the fields of what is selected.

mod clip;
mod fields;
mod number;
mod tracks;
mod vectors;

use super::action::Action;
use super::command::CommandId;
use super::cx::Cx;
use super::pose::{self, Change, Mark, Target};
use super::state::WorkspaceTab;
use super::{nodes, text, theme, widgets};
use crate::edit::{ClipEdit, Edit, NewKey, RigEdit};
use crate::model::{Node, NodeKind, Property, RigForm, Uid};
use eframe::egui::{
    self, Align, Color32, CornerRadius, Label, Layout, Margin, Rect, RichText, Role, ScrollArea,
    Sense, Shape, Stroke, Ui, WidgetInfo, vec2,
};
use glam::DVec3;
use std::sync::Arc;

use super::hierarchy::select_all;

/// Shows the panel.
pub fn show(ui: &mut Ui, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    if cx.clip().is_none() && cx.rig().is_none() {
        let steps = [(CommandId::Open, "Open…")];
        widgets::empty(ui, cx, "The fields of what is selected.", &steps, actions);
        return;
    }
    if cx.export().is_some() {
        return super::exports::fields(ui, cx);
    }
    focus_wanted(ui, cx);
    ScrollArea::vertical().auto_shrink([false; 2]).show(ui, |ui| {
        let margin = Margin { left: 12, right: 8, top: 0, bottom: 12 };
        egui::Frame::new().inner_margin(margin).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            let chosen = nodes::selected(cx);
            let parts: Vec<String> =
                chosen.iter().filter_map(|at| cx.stage.names().get(*at).cloned()).collect();
            let tracks = tracks::of_selection(cx, &parts);
            let animate = cx.tab() == WorkspaceTab::Animate;
            if chosen.is_empty() {
                clip::show(ui, cx, actions);
            } else {
                header(ui, cx, &chosen);
                pose_section(ui, cx, &chosen, actions);
                rest_section(ui, cx, &chosen, actions);
                if !animate {
                    node_section(ui, cx, &chosen, actions);
                }
            }
            clip::keys(ui, cx, actions);
            tracks::show(ui, cx, &tracks, actions);
            if animate && !chosen.is_empty() {
                node_section(ui, cx, &chosen, actions);
            }
            clip::unknown(ui, cx, &chosen);
        });
    });
}

/// Gives the keys to the field that a click on a problem goes to, once; the field then brings
/// itself into view.
fn focus_wanted(ui: &Ui, cx: &Cx<'_>) {
    let Some((name, count)) = cx.state.go_to_field else { return };
    let done_id = egui::Id::unique("the field of the inspector that had the keys last");
    if ui.data(|data| data.get_temp::<u64>(done_id)) == Some(count) {
        return;
    }
    ui.data_mut(|data| data.insert_temp(done_id, count));
    let field = vectors::field_id(name);
    let is_words = matches!(name, "Model" | "Binding" | "Part" | "Rig name" | "Name" | "Id");
    let field = if is_words { fields::words_id(name) } else { field };
    ui.memory_mut(|memory| memory.request_focus(field));
    ui.ctx().request_repaint();
}

fn title(ui: &mut Ui, cx: &Cx<'_>, name: &str, kind: &str) {
    ui.add_space(2.0);
    ui.horizontal(|ui| {
        let kind = RichText::new(kind).size(theme::LABEL_SIZE).color(cx.theme.muted);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.label(kind);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let name = RichText::new(text::name(name)).strong().size(theme::TEXT_SIZE + 1.0);
                ui.add(Label::new(name).truncate());
            });
        });
    });
}

fn header(ui: &mut Ui, cx: &Cx<'_>, chosen: &[usize]) {
    match chosen {
        [one] => {
            let name = cx.stage.names().get(*one).map(String::as_str).unwrap_or_default();
            let kind = nodes::node(cx, *one).map_or("part", |node| node.kind.as_str());
            title(ui, cx, name, kind);
        }
        _ => {
            let word = if cx.rig().is_some() { "nodes" } else { "parts" };
            title(ui, cx, &format!("{} {word}", chosen.len()), "shared fields");
        }
    }
}

/// A heading with a small button on the right.
fn heading(ui: &mut Ui, cx: &Cx<'_>, words: &str, button: &str, help: &str) -> bool {
    ui.add_space(8.0);
    ui.horizontal(|ui| {
        let words = RichText::new(words).size(theme::SMALL_SIZE).color(cx.theme.muted);
        ui.label(words);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let words = RichText::new(button).size(theme::SMALL_SIZE).color(cx.theme.accent);
            ui.add(egui::Button::new(words).frame(false)).on_hover_text(help).clicked()
        })
        .inner
    })
    .inner
}

fn label_of(cx: &Cx<'_>, property: Property) -> &'static str {
    match property {
        Property::Position => "Position",
        Property::Rotation if cx.settings().show_radians => "Rotation rad",
        Property::Rotation => "Rotation °",
        Property::Scale => "Scale",
    }
}

fn name_of(property: Property) -> &'static str {
    match property {
        Property::Position => "Position",
        Property::Rotation => "Rotation",
        Property::Scale => "Scale",
    }
}

fn changes(chosen: &[usize], property: Property, old: &[DVec3], new: &[DVec3]) -> Vec<Change> {
    let values = old.iter().zip(new);
    let pairs = chosen.iter().zip(values);
    pairs
        .map(|(index, (old, new))| Change { index: *index, property, old: *old, new: *new })
        .collect()
}

/// The pose at the playhead: changing it makes keys.
fn pose_section(ui: &mut Ui, cx: &Cx<'_>, chosen: &[usize], actions: &mut Vec<Action>) {
    let Some(target @ Target::Keys(doc)) = pose::target(cx) else { return };
    let words = format!("POSE AT {}", cx.show_time(cx.playhead_secs()));
    let help = "Keys here that hold the rest";
    if heading(ui, cx, &words, "Reset to rest", help) {
        let mut all = Vec::new();
        for property in Property::ALL {
            for index in chosen.iter().filter(|i| pose::track(cx, **i, property).is_some()) {
                let (old, new) =
                    (pose::value(cx, *index, property), pose::rest(cx, *index, property));
                all.push(Change { index: *index, property, old, new });
            }
        }
        actions.extend(pose::edit_of(cx, target, &all).map(Action::Edit));
    }
    for property in Property::ALL {
        let values: Vec<DVec3> = chosen.iter().map(|i| pose::value(cx, *i, property)).collect();
        let row = vectors::Row {
            label: label_of(cx, property),
            name: name_of(property),
            property,
            values: &values,
            enabled: true,
        };
        let edit_of = |old: &[DVec3], new: &[DVec3]| {
            pose::edit_of(cx, target, &changes(chosen, property, old, new))
        };
        let place = vectors::show(ui, cx, &row, &edit_of, actions);
        let marks = chosen.iter().map(|index| pose::mark(cx, *index, property));
        let all_keyed = marks.clone().all(|mark| mark == Mark::Keyed);
        let any = marks.clone().any(|mark| mark != Mark::AtRest);
        let mark = match (all_keyed, any) {
            (true, _) => Mark::Keyed,
            (false, true) => Mark::Animated,
            (false, false) => Mark::AtRest,
        };
        if mark_button(ui, cx, place, property, mark) {
            let edit = if mark == Mark::Keyed {
                let here = chosen.iter().filter_map(|index| {
                    let track = pose::track(cx, *index, property)?;
                    Some(pose::key_here(cx, track)?.uid)
                });
                ClipEdit::DeleteKeys { keys: here.collect() }
            } else {
                let keys = chosen.iter().zip(&values).filter_map(|(index, value)| {
                    let part = cx.stage.names().get(*index)?.clone();
                    Some(NewKey { part, property, time: cx.playhead_secs(), value: *value })
                });
                ClipEdit::InsertKeys { keys: keys.collect() }
            };
            actions.push(Action::Edit(Edit::Clip { doc, edit }));
        }
    }
}

/// The mark behind a pose field: a diamond where there is a key here, an outline where the value
/// is animated, a dot at rest. A click makes the key, or takes it away.
fn mark_button(ui: &Ui, cx: &Cx<'_>, place: Rect, property: Property, mark: Mark) -> bool {
    let id = vectors::field_id(name_of(property)).with("mark");
    let at = place.center() + vec2(3.0, 0.0);
    let response = ui.interact(Rect::from_center_size(at, vec2(18.0, 22.0)), id, Sense::click());
    let (words, help) = match mark {
        Mark::Keyed => ("keyed here", "There is a key here; a click takes it away"),
        Mark::Animated => ("animated", "A track animates it; a click makes a key here"),
        Mark::AtRest => ("at rest", "No track: the rest; a click makes a key here"),
    };
    let name = format!("{} {words}", name_of(property));
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, mark == Mark::Keyed, &name));
    let painter = ui.painter();
    let color = if response.hovered() { cx.theme.text } else { cx.theme.muted };
    match mark {
        Mark::Keyed => widgets::diamond(painter, at, cx.theme.selection),
        Mark::Animated => {
            let corners =
                [(0.0, -5.0), (5.0, 0.0), (0.0, 5.0), (-5.0, 0.0)].map(|(x, y)| at + vec2(x, y));
            let stroke = Stroke::new(1.2, color);
            let fill = Color32::TRANSPARENT;
            painter.add(Shape::convex_polygon(corners.to_vec(), fill, stroke));
        }
        Mark::AtRest => {
            painter.circle_filled(at, 2.0, color);
        }
    }
    if response.has_focus() {
        let rect = response.rect;
        let stroke = Stroke::new(1.0, cx.theme.accent);
        let corner = CornerRadius::same(theme::CORNER);
        painter.rect_stroke(rect, corner, stroke, egui::StrokeKind::Inside);
    }
    let clicked = response.clicked();
    response.on_hover_text(help);
    clicked
}

/// The rest of a rig's nodes.
fn rest_section(ui: &mut Ui, cx: &Cx<'_>, chosen: &[usize], actions: &mut Vec<Action>) {
    let Some((doc, _)) = cx.rig() else { return };
    let target = Target::Rest(doc);
    let help = "No offset, no turn, its own size";
    if heading(ui, cx, "REST", "Reset", help) {
        let mut all = Vec::new();
        for property in Property::ALL {
            let new = if property == Property::Scale { DVec3::ONE } else { DVec3::ZERO };
            let old = chosen.iter().map(|index| (*index, pose::rest(cx, *index, property)));
            all.extend(old.map(|(index, old)| Change { index, property, old, new }));
        }
        // Three properties of each node are three edits in one step.
        let edits = Property::ALL.into_iter().filter_map(|property| {
            let of: Vec<Change> =
                all.iter().filter(|change| change.property == property).copied().collect();
            pose::edit_of(cx, target, &of)
        });
        let edit = Edit::All { label: "Reset rest".to_owned(), edits: edits.collect() };
        actions.push(Action::Edit(edit));
    }
    for property in Property::ALL {
        let values: Vec<DVec3> = chosen.iter().map(|i| pose::rest(cx, *i, property)).collect();
        let name = format!("Rest {}", name_of(property).to_lowercase());
        let row = vectors::Row {
            label: label_of(cx, property),
            name: &name,
            property,
            values: &values,
            enabled: true,
        };
        let edit_of = |old: &[DVec3], new: &[DVec3]| {
            pose::edit_of(cx, target, &changes(chosen, property, old, new))
        };
        vectors::show(ui, cx, &row, &edit_of, actions);
    }
}

/// What all have in common; `None` where they differ.
fn same<'a, T: PartialEq>(nodes: &[&'a Arc<Node>], of: impl Fn(&'a Node) -> T) -> Option<T> {
    let first = of(nodes.first()?);
    nodes.iter().all(|node| of(node) == first).then_some(first)
}

fn node_section(ui: &mut Ui, cx: &Cx<'_>, chosen: &[usize], actions: &mut Vec<Action>) {
    let Some((doc, rig)) = cx.rig() else { return };
    let nodes: Vec<&Arc<Node>> = chosen.iter().filter_map(|at| rig.nodes.get(*at)).collect();
    if nodes.is_empty() {
        return;
    }
    let uids: Vec<Uid> = nodes.iter().map(|node| node.uid).collect();
    let mut push = |edit: RigEdit| actions.push(Action::Edit(Edit::Rig { doc, edit }));
    widgets::section(ui, cx.theme, "NODE");
    if let [node] = nodes[..] {
        let wrong = |id: &str| super::hierarchy::id_problem(cx, chosen[0], id);
        if let Some(id) = fields::words(ui, cx, "Id", Some(&node.id), "", &wrong) {
            push(RigEdit::Rename { node: node.uid, id });
        }
        if rig.form == RigForm::Rig {
            let name = node.name.as_deref().unwrap_or_default();
            let fine = |_: &str| None;
            if let Some(name) = fields::words(ui, cx, "Name", Some(name), &node.id, &fine) {
                push(RigEdit::SetDisplayName { node: node.uid, name: Some(name) });
            }
        }
    }
    let kinds: Vec<(NodeKind, String)> =
        NodeKind::ALL.into_iter().map(|kind| (kind, kind.as_str().to_owned())).collect();
    if rig.form == RigForm::Rig
        && let Some(kind) = fields::choice(ui, cx, "Kind", same(&nodes, |node| node.kind), &kinds)
    {
        push(RigEdit::SetKind { nodes: uids.clone(), kind });
    }
    let parents: Vec<(Option<Uid>, String)> = std::iter::once((None, "none".to_owned()))
        .chain(
            rig.nodes
                .iter()
                .filter(|node| !uids.contains(&node.uid))
                .map(|node| (Some(node.uid), node.id.clone())),
        )
        .collect();
    let parent_of = |node: &Node| {
        let id = node.parent.as_deref()?;
        rig.nodes.iter().find(|other| other.id == id).map(|other| other.uid)
    };
    if let Some(parent) = fields::choice(ui, cx, "Parent", same(&nodes, parent_of), &parents) {
        let keep = crate::edit::Keep::World;
        push(RigEdit::Reparent { nodes: uids.clone(), parent, keep });
    }
    let model = same(&nodes, |node| node.model.as_deref().unwrap_or_default());
    let fine = |_: &str| None;
    if let Some(model) = fields::words(ui, cx, "Model", model, "none", &fine) {
        push(RigEdit::SetModel { nodes: uids, model: Some(model) });
    }
}
