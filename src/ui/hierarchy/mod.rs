//! The Hierarchy panel: the tree of nodes.

mod drag;
mod menu;
mod rename;
mod row;
mod rows;

pub use rename::select_all;
pub use rows::id_problem;

use super::action::Action;
use super::command::CommandId;
use super::cx::Cx;
use super::state::PanelId;
use super::{node_commands, nodes, text, theme, widgets};
use crate::edit::Selected;
use crate::model::Uid;
use eframe::egui::{self, Id, Key, Rect, RichText, Role, ScrollArea, Sense, Ui, WidgetInfo, pos2};
use egui_material_icons::icons;
use rows::Row;

/// What the panel remembers from frame to frame.
#[derive(Clone, Debug, Default)]
struct Memory {
    search: String,
    /// The row whose name is being typed, and what was typed.
    renaming: Option<(Selected, String)>,
    /// The field of the name has the keys.
    focused: bool,
    /// The row that is being dragged.
    dragged: Option<Selected>,
    /// Where a range of rows began.
    anchor: Option<Selected>,
    /// The node whose parents were unfolded last.
    reveal: Option<Selected>,
    /// The node whose row was brought into view last.
    shown: Option<Selected>,
    /// How far the list is scrolled, and how high it is, in points.
    scrolled: (f32, f32),
}

fn memory_id() -> Id {
    Id::unique("the tree of nodes")
}

/// Shows the panel.
pub fn show(ui: &mut Ui, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    if cx.rig().is_none() && cx.clip().is_none() {
        let text = "The nodes of a rig. Open one, or a clip that is bound to one.";
        let steps = [(CommandId::Open, "Open…"), (CommandId::NewRig, "New rig")];
        widgets::empty(ui, cx, text, &steps, actions);
        return;
    }
    let mut memory: Memory = ui.data(|data| data.get_temp(memory_id())).unwrap_or_default();
    head(ui, cx, &mut memory, actions);
    let rows = rows::rows(cx, &memory.search);
    commands(cx, &mut memory, actions);
    keyboard(ui, cx, &rows, &mut memory, actions);
    let active = cx.selection().active.clone();
    if memory.reveal != active {
        memory.reveal.clone_from(&active);
        unfold_above(cx, active.as_ref(), actions);
    }
    if cx.stage.is_empty() {
        let words = match cx.rig() {
            Some(_) => "No nodes yet. The first one is the root.",
            None => "No parts yet: a part is there as soon as a track animates it.",
        };
        let steps: &[(CommandId, &str)] = match cx.rig() {
            Some(_) => &[(CommandId::AddChild, "Add joint")],
            None => &[],
        };
        widgets::empty(ui, cx, words, steps, actions);
    } else {
        list(ui, cx, &rows, &mut memory, actions);
    }
    ui.data_mut(|data| data.insert_temp(memory_id(), memory));
}

/// Search, the button for a new joint, and a menu with everything one can do with nodes.
fn head(ui: &mut Ui, cx: &Cx<'_>, memory: &mut Memory, actions: &mut Vec<Action>) {
    egui::Frame::new().inner_margin(egui::Margin { left: 8, right: 8, top: 2, bottom: 4 }).show(
        ui,
        |ui| {
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 4.0;
                // An export's pegs are looked at: nothing is added to them.
                let is_export = cx.export().is_some();
                let buttons = if is_export { 1.0 } else { 2.0 };
                let width = (ui.available_width() - buttons * 32.0).max(40.0);
                let hint = if is_export { "Search pegs" } else { "Search nodes" };
                let search = &mut memory.search;
                let response = widgets::search_field(ui, search, hint, hint, width - 8.0);
                if response.has_focus() && ui.input(|input| input.key_pressed(Key::Escape)) {
                    memory.search.clear();
                }
                if !is_export {
                    let icon = icons::ICON_ADD;
                    let add = widgets::icon_button(ui, icon, "Add child", false, cx.theme);
                    if add.on_hover_text(cx.tooltip(CommandId::AddChild)).clicked() {
                        actions.push(Action::Command(CommandId::AddChild));
                    }
                }
                let more = RichText::new(icons::ICON_MORE_VERT.codepoint)
                    .family(icons::ICON_MORE_VERT.font_family())
                    .size(18.0);
                let menu = ui.menu_button(more, |ui| menu::show(ui, cx, memory, None, actions));
                menu.response.widget_info(|| {
                    WidgetInfo::labeled(Role::Button, true, "What to do with nodes")
                });
            });
        },
    );
}

/// Unfolds what stands above a node, so that its row is there.
fn unfold_above(cx: &Cx<'_>, node: Option<&Selected>, actions: &mut Vec<Action>) {
    let Some(index) = node.and_then(|node| nodes::index_of(cx, node)) else { return };
    let mut folded = cx.view().folded_nodes.clone();
    let mut above = cx.stage.parent(index);
    while let Some(at) = above {
        if let Some(node) = nodes::node(cx, at) {
            folded.remove(&node.uid);
        }
        above = cx.stage.parent(at);
    }
    if folded != cx.view().folded_nodes {
        actions.push(Action::SetFoldedNodes(folded));
    }
}

fn commands(cx: &Cx<'_>, memory: &mut Memory, actions: &mut Vec<Action>) {
    let Some(id) = cx.invoked(PanelId::Hierarchy) else { return };
    match id {
        CommandId::Rename => rename::start(cx, memory),
        other => node_commands::run(cx, other, PanelId::Hierarchy, actions),
    }
}

/// Arrows and Enter, while the pointer or the keys are in the panel.
fn keyboard(ui: &Ui, cx: &Cx<'_>, rows: &[Row], memory: &mut Memory, actions: &mut Vec<Action>) {
    let here = cx.state.pointer_panel == Some(PanelId::Hierarchy);
    if !here || memory.renaming.is_some() || ui.ctx().text_edit_focused() || rows.is_empty() {
        return;
    }
    let active = cx.selection().active.as_ref();
    let at = active.and_then(|node| rows.iter().position(|row| row.what == *node));
    let last = rows.len() - 1;
    let (mut to, mut extend, mut fold) = (None, false, None);
    ui.input(|input| {
        for event in &input.events {
            let egui::Event::Key { key, pressed: true, modifiers, .. } = event else { continue };
            if modifiers.command || modifiers.alt {
                continue;
            }
            extend = modifiers.shift;
            match key {
                Key::ArrowDown => to = Some(at.map_or(0, |at| (at + 1).min(last))),
                Key::ArrowUp => to = Some(at.map_or(last, |at| at.saturating_sub(1))),
                Key::ArrowRight => fold = Some(false),
                Key::ArrowLeft => fold = Some(true),
                Key::PageDown => to = Some(at.map_or(0, |at| (at + 10).min(last))),
                Key::PageUp => to = Some(at.map_or(0, |at| at.saturating_sub(10))),
                Key::End => to = Some(last),
                _ => {}
            }
        }
    });
    if let (Some(fold), Some(at)) = (fold, at) {
        let row = &rows[at];
        let is_open = row.children && !row.folded;
        match (fold, is_open) {
            (true, true) | (false, false) if row.children => {
                actions.extend(row.uid.map(|uid| toggle_fold(cx, uid)));
            }
            (true, _) => {
                to = rows[..at].iter().rposition(|above| above.depth < row.depth);
            }
            (false, _) => to = rows.get(at + 1).filter(|r| r.depth > row.depth).map(|_| at + 1),
        }
    }
    if let Some(row) = to.and_then(|to| rows.get(to)) {
        let selection = cx.selection();
        let next = if extend {
            nodes::with_all(selection, [row.what.clone()])
        } else {
            selection.with_node(row.what.clone())
        };
        if !extend {
            memory.anchor = Some(row.what.clone());
        }
        actions.push(Action::Select(next));
    }
}

fn toggle_fold(cx: &Cx<'_>, uid: Uid) -> Action {
    let mut folded = cx.view().folded_nodes.clone();
    if !folded.remove(&uid) {
        folded.insert(uid);
    }
    Action::SetFoldedNodes(folded)
}

fn list(ui: &mut Ui, cx: &Cx<'_>, rows: &[Row], memory: &mut Memory, actions: &mut Vec<Action>) {
    let foot = 24.0;
    let height = (ui.available_height() - foot).max(theme::ROW);
    ui.spacing_mut().item_spacing.y = 0.0;
    let mut drop_on = None;
    let mut area = ScrollArea::vertical().auto_shrink([false; 2]).max_height(height);
    // A row that was selected elsewhere comes into view.
    let active = cx.selection().active.as_ref();
    if memory.shown.as_ref() != active
        && let Some(at) = active.and_then(|what| rows.iter().position(|row| row.what == *what))
    {
        memory.shown = active.cloned();
        let (offset, room) = memory.scrolled;
        let top = at as f32 * theme::ROW;
        if room > 0.0 && (top < offset || top + theme::ROW > offset + room) {
            area = area.vertical_scroll_offset((top - room * 0.5).max(0.0));
        }
    }
    let output = area.show_rows(ui, theme::ROW, rows.len(), |ui, range| {
        for row in &rows[range] {
            let response = row::show(ui, cx, rows, row, memory, actions);
            let over = ui.input(|input| input.pointer.hover_pos());
            if over.is_some_and(|at| response.rect.contains(at)) {
                drop_on = Some((row.clone(), response.rect));
            }
        }
    });
    memory.scrolled = (output.state.unclamped_offset().y, output.inner_rect.height());
    drag::show(ui, cx, rows, memory, drop_on, output.inner_rect, actions);
    let empty = ui.interact(
        Rect::from_min_max(
            pos2(output.inner_rect.left(), output.inner_rect.top() + output.content_size.y),
            output.inner_rect.max,
        ),
        memory_id().with("ground"),
        Sense::CLICK,
    );
    if empty.clicked() {
        actions.push(Action::Select(nodes::without(cx.selection())));
    }
    let nodes = match cx.rig() {
        Some(_) if cx.export().is_some() => text::count(cx.stage.len(), "peg", "pegs"),
        Some(_) => text::count(cx.stage.len(), "node", "nodes"),
        None => text::count(cx.stage.len(), "part", "parts"),
    };
    let words = format!("{nodes} · depth {}", rows::depth(cx));
    ui.horizontal(|ui| {
        ui.add_space(8.0);
        ui.label(RichText::new(words).size(theme::SMALL_SIZE).color(cx.theme.muted));
    });
}
