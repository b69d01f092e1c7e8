//! The Hierarchy panel: the tree of nodes.

mod rows;

pub use rows::id_problem;

use super::action::Action;
use super::command::CommandId;
use super::cx::Cx;
use super::state::PanelId;
use super::{node_commands, nodes, text, theme, widgets};
use crate::edit::{ClipEdit, DocId, Edit, Keep, RigEdit, Selected, Selection};
use crate::model::{NodeKind, Uid};
use eframe::egui::{
    self, Align2, Color32, CornerRadius, CursorIcon, FontId, Id, Key, Painter, Pos2, Rect,
    Response, RichText, Role, ScrollArea, Sense, Stroke, StrokeKind, TextEdit, Ui, WidgetInfo,
    pos2, vec2,
};
use egui_material_icons::icons;
use rows::Row;
use std::collections::BTreeSet;

/// Width of a step to the right, in points.
const INDENT: f32 = 16.0;

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
    commands(ui, cx, &mut memory, actions);
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
                let width = (ui.available_width() - 2.0 * 32.0).max(40.0);
                let field = TextEdit::singleline(&mut memory.search)
                    .hint_text("Search nodes")
                    .desired_width(width - 8.0);
                let response = ui.add(field);
                response.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Search nodes"));
                if response.has_focus() && ui.input(|input| input.key_pressed(Key::Escape)) {
                    memory.search.clear();
                }
                let add = widgets::icon_button(ui, icons::ICON_ADD, "Add child", false, cx.theme);
                if add.on_hover_text(cx.tooltip(CommandId::AddChild)).clicked() {
                    actions.push(Action::Command(CommandId::AddChild));
                }
                let more = RichText::new(icons::ICON_MORE_VERT.codepoint)
                    .family(icons::ICON_MORE_VERT.font_family())
                    .size(18.0);
                let menu = ui.menu_button(more, |ui| menu(ui, cx, memory, None, actions));
                menu.response.widget_info(|| {
                    WidgetInfo::labeled(Role::Button, true, "What to do with nodes")
                });
            });
        },
    );
}

/// The entries of the menu, for what is selected.
fn menu(
    ui: &mut Ui,
    cx: &Cx<'_>,
    memory: &mut Memory,
    row: Option<&Row>,
    actions: &mut Vec<Action>,
) {
    let commands = [
        (CommandId::Rename, "Rename"),
        (CommandId::AddChild, "Add child"),
        (CommandId::Duplicate, "Duplicate"),
        (CommandId::Mirror, "Mirror"),
        (CommandId::Copy, "Copy"),
        (CommandId::Paste, "Paste below"),
        (CommandId::Parent, "Parent to the last selected"),
        (CommandId::Unparent, "Make roots"),
        (CommandId::Delete, "Delete with children"),
    ];
    for (id, name) in commands {
        if widgets::command_button(ui, cx, id, name, actions).clicked() {
            ui.close();
        }
    }
    let chosen = nodes::selected_uids(cx);
    let doc = cx.rig().map(|(doc, _)| doc);
    let can = doc.is_some() && !chosen.is_empty();
    let help = "Children go to the parent and keep their place in the world";
    let delete = ui.add_enabled(can, egui::Button::new("Delete without children"));
    if delete.on_hover_text(help).clicked()
        && let Some(doc) = doc
    {
        let edit = RigEdit::DeleteNodes { nodes: chosen.clone(), with_children: false };
        actions.push(Action::Edit(Edit::Rig { doc, edit }));
        ui.close();
    }
    ui.separator();
    let id = row
        .map(|row| row.id.clone())
        .or_else(|| nodes::active(cx).and_then(|index| cx.stage.names().get(index).cloned()));
    if ui.add_enabled(id.is_some(), egui::Button::new("Copy id")).clicked() {
        actions.extend(id.map(Action::CopyText));
        ui.close();
    }
    let view = &cx.view().viewport;
    let hidden = can && chosen.iter().all(|uid| view.hidden.contains(uid));
    let words = if hidden { "Show in the viewport" } else { "Hide in the viewport" };
    if ui.add_enabled(can, egui::Button::new(words)).clicked() {
        actions.push(set_marks(cx, &chosen, Some(!hidden), None));
        ui.close();
    }
    let locked = can && chosen.iter().all(|uid| view.locked.contains(uid));
    let words = if locked { "Unlock in the viewport" } else { "Lock in the viewport" };
    if ui.add_enabled(can, egui::Button::new(words)).clicked() {
        actions.push(set_marks(cx, &chosen, None, Some(!locked)));
        ui.close();
    }
    if ui.button("Fold all").clicked() {
        let all = cx.rig().map(|(_, rig)| rig.nodes.iter().map(|node| node.uid).collect());
        actions.push(Action::SetFoldedNodes(all.unwrap_or_default()));
        // What is unfolded for a selection stays as it is asked for here.
        memory.reveal = cx.selection().active.clone();
        ui.close();
    }
    if ui.button("Unfold all").clicked() {
        actions.push(Action::SetFoldedNodes(BTreeSet::new()));
        ui.close();
    }
}

/// Hides or shows nodes in the viewport, locks or unlocks them.
fn set_marks(cx: &Cx<'_>, nodes: &[Uid], hide: Option<bool>, lock: Option<bool>) -> Action {
    let mut view = cx.view().viewport.clone();
    let set = |marks: &mut BTreeSet<Uid>, on: Option<bool>| match on {
        Some(true) => marks.extend(nodes),
        Some(false) => marks.retain(|uid| !nodes.contains(uid)),
        None => {}
    };
    set(&mut view.hidden, hide);
    set(&mut view.locked, lock);
    Action::SetViewport(view)
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

fn commands(ui: &Ui, cx: &Cx<'_>, memory: &mut Memory, actions: &mut Vec<Action>) {
    let Some(id) = cx.invoked(PanelId::Hierarchy) else { return };
    match id {
        CommandId::Rename => start_renaming(cx, memory),
        other => node_commands::run(ui, cx, other, PanelId::Hierarchy, actions),
    }
}

fn start_renaming(cx: &Cx<'_>, memory: &mut Memory) {
    let Some(index) = nodes::active(cx) else { return };
    let (Some(what), Some(id)) = (nodes::at(cx, index), cx.stage.names().get(index)) else {
        return;
    };
    memory.search.clear();
    memory.renaming = Some((what, id.clone()));
    memory.focused = false;
    memory.reveal = None;
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
            let response = self::row(ui, cx, rows, row, memory, actions);
            let over = ui.input(|input| input.pointer.hover_pos());
            if over.is_some_and(|at| response.rect.contains(at)) {
                drop_on = Some((row.clone(), response.rect));
            }
        }
    });
    memory.scrolled = (output.state.unclamped_offset().y, output.inner_rect.height());
    drop(ui, cx, memory, drop_on, output.inner_rect, actions);
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
        Some(_) => text::count(cx.stage.len(), "node", "nodes"),
        None => text::count(cx.stage.len(), "part", "parts"),
    };
    let words = format!("{nodes} · depth {}", rows::depth(cx));
    ui.horizontal(|ui| {
        ui.add_space(8.0);
        ui.label(RichText::new(words).size(theme::SMALL_SIZE).color(cx.theme.muted));
    });
}

/// Ends a drag of rows: on a row they hang below it, on empty ground they are roots.
fn drop(
    ui: &Ui,
    cx: &Cx<'_>,
    memory: &mut Memory,
    over: Option<(Row, Rect)>,
    area: Rect,
    actions: &mut Vec<Action>,
) {
    let Some(dragged) = memory.dragged.clone() else { return };
    let (released, escape, alt, pointer) = ui.input(|input| {
        let escape = input.key_pressed(Key::Escape);
        let released = input.pointer.any_released() || !input.pointer.any_down();
        (released, escape, input.modifiers.alt, input.pointer.latest_pos())
    });
    if escape {
        memory.dragged = None;
        return;
    }
    let Some((doc, _)) = cx.rig() else {
        memory.dragged = None;
        return;
    };
    let moved: Vec<Uid> = match &dragged {
        node if cx.selection().nodes.contains(node) => nodes::selected_uids(cx),
        Selected::Node(_, uid) => vec![*uid],
        Selected::Part(..) => Vec::new(),
    };
    let parent = over.as_ref().and_then(|(row, _)| row.uid);
    let refused = parent.is_some_and(|uid| moved.contains(&uid));
    let inside = pointer.is_some_and(|at| area.contains(at));
    let words = match &over {
        _ if !inside || refused => "Drop on another node, or on empty ground".to_owned(),
        Some((row, _)) => format!("Hang below {}", text::name(&row.id)),
        None => "Make a root".to_owned(),
    };
    let keeps = if alt { "keeps its local rest" } else { "keeps its place; Alt its local rest" };
    actions.push(Action::Hint(format!("{words} · {keeps} · Esc cancels")));
    if let Some(at) = pointer {
        let painter = ui
            .ctx()
            .layer_painter(egui::LayerId::new(egui::Order::Tooltip, memory_id().with("drag")));
        if let Some((_, rect)) = over.as_ref().filter(|_| !refused) {
            let stroke = Stroke::new(1.0, cx.theme.accent);
            let corner = CornerRadius::same(theme::CORNER);
            painter.rect_stroke(*rect, corner, stroke, StrokeKind::Inside);
        }
        let screen = ui.ctx().content_rect();
        widgets::tag(&painter, cx.theme, at, &words, cx.theme.text, screen);
    }
    if released {
        memory.dragged = None;
        if inside && !refused && !moved.is_empty() {
            let keep = if alt { Keep::Local } else { Keep::World };
            let edit = RigEdit::Reparent { nodes: moved, parent, keep };
            actions.push(Action::Edit(Edit::Rig { doc, edit }));
        }
    }
}

fn row(
    ui: &mut Ui,
    cx: &Cx<'_>,
    rows: &[Row],
    row: &Row,
    memory: &mut Memory,
    actions: &mut Vec<Action>,
) -> Response {
    let theme = cx.theme;
    let size = vec2(ui.available_width(), theme::ROW);
    let (_, rect) = ui.allocate_space(size);
    let id = memory_id().with(("row", &row.what));
    let response = ui.interact(rect, id, Sense::click_and_drag());
    let selected = cx.selection().nodes.contains(&row.what);
    let view = &cx.view().viewport;
    let hidden = row.uid.is_some_and(|uid| view.hidden.contains(&uid));
    let locked = row.uid.is_some_and(|uid| view.locked.contains(&uid));
    let name = text::name(&row.id).into_owned();
    response.widget_info(|| {
        let tracks = match row.tracks {
            0 => String::new(),
            many => format!(", {}", text::count(many, "track", "tracks")),
        };
        WidgetInfo::selected(Role::TreeItem, true, selected, format!("{name}{tracks}"))
    });
    let inner = rect.shrink2(vec2(4.0, 1.0));
    let painter = ui.painter().clone();
    if selected {
        painter.rect_filled(inner, theme::CORNER, theme.row_selected);
    } else if response.hovered() {
        painter.rect_filled(inner, theme::CORNER, theme.control);
    }
    if response.has_focus() {
        let stroke = Stroke::new(1.0, theme.accent);
        painter.rect_stroke(inner, theme::CORNER, stroke, StrokeKind::Inside);
    }
    let left = rect.left() + 12.0 + (row.depth.min(24)) as f32 * INDENT;
    let mid = rect.center().y;
    if row.children {
        let spot = Rect::from_center_size(pos2(left + 4.0, mid), vec2(18.0, 20.0));
        let fold = ui.interact(spot, id.with("fold"), Sense::CLICK);
        let words = if row.folded { "Unfold" } else { "Fold" };
        fold.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("{words} {name}")));
        triangle(&painter, spot.center(), row.folded, theme.muted);
        if fold.clicked()
            && let Some(uid) = row.uid
        {
            actions.push(toggle_fold(cx, uid));
        }
    }
    glyph(&painter, pos2(left + 20.0, mid), row.kind, cx);
    let text_left = left + 34.0;
    let mut right = rect.right() - 10.0;
    right = marks(ui, cx, row, &response, [hidden, locked], pos2(right, mid), actions);
    if row.tracks > 0 {
        right = badge(&painter, cx, pos2(right, mid), row.tracks);
    }
    if let Some((what, typed)) = &mut memory.renaming
        && *what == row.what
    {
        let mut typed = std::mem::take(typed);
        let place =
            Rect::from_min_max(pos2(text_left - 4.0, rect.top()), pos2(right, rect.bottom()));
        let done = rename_field(ui, cx, row, place, &mut typed, &mut memory.focused, actions);
        memory.renaming = (!done).then(|| (row.what.clone(), typed));
    } else {
        let color = if hidden { theme.dim } else { theme.text };
        let font = FontId::proportional(theme::TEXT_SIZE);
        let galley = painter.layout_no_wrap(name.clone(), font, color);
        let clip = Rect::from_min_max(pos2(text_left, rect.top()), pos2(right, rect.bottom()));
        let at = pos2(text_left, mid - galley.size().y * 0.5);
        painter.with_clip_rect(clip.intersect(painter.clip_rect())).galley(at, galley, color);
    }
    if response.drag_started() && cx.rig().is_some() {
        memory.dragged = Some(row.what.clone());
    }
    if memory.dragged.is_some() && response.dragged() {
        ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
    }
    if response.clicked() {
        let modifiers = ui.input(|input| input.modifiers);
        actions.push(Action::Select(clicked(cx, rows, row, memory, modifiers)));
    }
    if response.double_clicked() {
        memory.renaming = Some((row.what.clone(), row.id.clone()));
        memory.focused = false;
    }
    if response.secondary_clicked() && !selected {
        actions.push(Action::Select(cx.selection().with_node(row.what.clone())));
    }
    response.context_menu(|ui| menu(ui, cx, memory, Some(row), actions));
    if response.hovered() && memory.dragged.is_none() {
        actions.push(Action::Hint(
            "Click selects · drag to reparent, Alt keeps the local rest · F2 renames".to_owned(),
        ));
    }
    let shown = nodes::node(cx, row.index).map(|node| node.display_name());
    match shown.filter(|shown| *shown != row.id && memory.dragged.is_none()) {
        Some(shown) => response.on_hover_text(text::name(shown)),
        None => response,
    }
}

/// With Shift the rows from the one that was clicked before.
fn clicked(
    cx: &Cx<'_>,
    rows: &[Row],
    row: &Row,
    memory: &mut Memory,
    modifiers: egui::Modifiers,
) -> Selection {
    let place = |what: &Selected| rows.iter().position(|row| row.what == *what);
    if modifiers.shift
        && let Some(from) = memory.anchor.as_ref().and_then(place)
        && let Some(to) = place(&row.what)
    {
        let range = if from <= to { from..=to } else { to..=from };
        let between = rows[range].iter().map(|row| row.what.clone());
        let mut next = nodes::with_all(cx.selection(), between);
        next.active = Some(row.what.clone());
        return next;
    }
    memory.anchor = Some(row.what.clone());
    nodes::clicked(cx.selection(), row.what.clone(), modifiers)
}

/// The field in which a name is typed. Gives whether it is done.
fn rename_field(
    ui: &mut Ui,
    cx: &Cx<'_>,
    row: &Row,
    place: Rect,
    typed: &mut String,
    focused: &mut bool,
    actions: &mut Vec<Action>,
) -> bool {
    let (enter, escape, away) = ui.input(|input| {
        (input.key_pressed(Key::Enter), input.key_pressed(Key::Escape), !input.focused)
    });
    let problem = rows::id_problem(cx, row.index, typed);
    let color = if problem.is_some() { cx.theme.error } else { cx.theme.text };
    let field_id = memory_id().with("name");
    let field = TextEdit::singleline(typed)
        .id(field_id)
        .text_color(color)
        .margin(egui::Margin::symmetric(4, 3))
        .desired_width(place.width() - 8.0);
    let response = ui.place(place, field);
    response.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "New id"));
    if !*focused {
        *focused = true;
        response.request_focus();
        select_all(ui, field_id, typed.chars().count());
    }
    if let Some(problem) = problem {
        let at = place.left_bottom();
        widgets::tag(
            &ui.ctx().layer_painter(egui::LayerId::new(
                egui::Order::Tooltip,
                memory_id().with("why not"),
            )),
            cx.theme,
            at + vec2(-12.0, 36.0),
            problem,
            cx.theme.error,
            ui.ctx().content_rect(),
        );
    }
    if escape {
        return true;
    }
    if !(enter || response.lost_focus() || away) {
        return false;
    }
    // Looked at again: it may have been changed in this very frame.
    if rows::id_problem(cx, row.index, typed).is_none() && *typed != row.id {
        actions.extend(renamed(cx, row, typed).map(Action::Edit));
    } else if enter && rows::id_problem(cx, row.index, typed).is_some() {
        *focused = false;
        return false;
    }
    true
}

/// Marks the whole text of a field, so that typing replaces it.
pub fn select_all(ui: &Ui, field: Id, chars: usize) {
    use egui::text::{CCursor, CCursorRange};
    let mut state = TextEdit::load_state(ui.ctx(), field).unwrap_or_default();
    let all = CCursorRange::two(CCursor::new(0), CCursor::new(chars));
    state.cursor.set_char_range(Some(all));
    state.store(ui.ctx(), field);
}

/// The edit that gives a node another id, or all tracks of a part another part.
fn renamed(cx: &Cx<'_>, row: &Row, id: &str) -> Option<Edit> {
    match &row.what {
        Selected::Node(doc, node) => {
            let edit = RigEdit::Rename { node: *node, id: id.to_owned() };
            Some(Edit::Rig { doc: *doc, edit })
        }
        Selected::Part(doc, part) => retarget_all(cx, *doc, part, id),
    }
}

fn retarget_all(cx: &Cx<'_>, doc: DocId, part: &str, id: &str) -> Option<Edit> {
    let clip = cx.workspace().clip(doc)?;
    let tracks = clip.tracks.iter().filter(|track| track.part == part);
    let edits = tracks.map(|track| Edit::Clip {
        doc,
        edit: ClipEdit::RetargetTrack { track: track.uid, part: id.to_owned() },
    });
    let label = format!("Rename part {part} → {id}");
    Some(Edit::All { label, edits: edits.collect() })
}

fn triangle(painter: &Painter, at: Pos2, folded: bool, color: Color32) {
    let points = if folded {
        vec![at + vec2(-2.5, -4.0), at + vec2(3.5, 0.0), at + vec2(-2.5, 4.0)]
    } else {
        vec![at + vec2(-4.0, -2.5), at + vec2(4.0, -2.5), at + vec2(0.0, 3.5)]
    };
    painter.add(egui::Shape::convex_polygon(points, color, Stroke::NONE));
}

/// A joint is a dot, an attachment a diamond, an entity a square, a part a ring.
fn glyph(painter: &Painter, at: Pos2, kind: Option<NodeKind>, cx: &Cx<'_>) {
    let theme = cx.theme;
    match kind {
        Some(NodeKind::Joint) => {
            painter.circle_filled(at, 4.0, theme.accent);
        }
        Some(NodeKind::Attachment) => widgets::diamond_sized(painter, at, 5.0, theme.selection),
        Some(NodeKind::Entity) => {
            painter.rect_filled(Rect::from_center_size(at, vec2(8.0, 8.0)), 1.0, theme.good);
        }
        None => {
            painter.circle_stroke(at, 3.5, Stroke::new(1.5, theme.accent));
        }
    }
}

/// How many tracks animate a node. Gives where it begins.
fn badge(painter: &Painter, cx: &Cx<'_>, right: Pos2, tracks: usize) -> f32 {
    let rect =
        Rect::from_min_max(pos2(right.x - 24.0, right.y - 8.0), pos2(right.x, right.y + 8.0));
    painter.rect_filled(rect, CornerRadius::same(8), cx.theme.control);
    let font = FontId::proportional(theme::SMALL_SIZE);
    let words = tracks.to_string();
    painter.text(rect.center(), Align2::CENTER_CENTER, words, font, cx.theme.muted);
    rect.left() - 6.0
}

/// The eye and the lock; they show where they are on, and under the pointer. Gives where they
/// begin.
fn marks(
    ui: &Ui,
    cx: &Cx<'_>,
    row: &Row,
    response: &Response,
    [hidden, locked]: [bool; 2],
    right: Pos2,
    actions: &mut Vec<Action>,
) -> f32 {
    let Some(uid) = row.uid else { return right.x };
    let over = ui.input(|input| input.pointer.hover_pos());
    let over = over.is_some_and(|at| response.rect.contains(at));
    let selected = cx.selection().nodes.contains(&row.what);
    let mut x = right.x;
    let icons = [
        (locked, icons::ICON_LOCK, icons::ICON_LOCK_OPEN, "Lock", "Unlock"),
        (hidden, icons::ICON_VISIBILITY_OFF, icons::ICON_VISIBILITY, "Hide", "Show"),
    ];
    for (at, (on, icon_on, icon_off, word, back)) in icons.into_iter().enumerate() {
        if !(on || over || selected) {
            continue;
        }
        let spot = Rect::from_center_size(pos2(x - 8.0, right.y), vec2(18.0, 20.0));
        let button = ui.interact(spot, response.id.with(("mark", at)), Sense::CLICK);
        let word = if on { back } else { word };
        let name = format!("{word} {}", text::name(&row.id));
        button.widget_info(|| WidgetInfo::selected(Role::Button, true, on, &name));
        let icon = if on { icon_on } else { icon_off };
        let color = match (on, button.hovered()) {
            (true, _) => cx.theme.text,
            (false, true) => cx.theme.text,
            (false, false) => cx.theme.muted,
        };
        let font = FontId::new(15.0, icon.font_family());
        ui.painter().text(spot.center(), Align2::CENTER_CENTER, icon.codepoint, font, color);
        if button.clicked() {
            let (hide, lock) = if at == 0 { (None, Some(!on)) } else { (Some(!on), None) };
            actions.push(set_marks(cx, &[uid], hide, lock));
        }
        x -= 20.0;
    }
    x
}
