//! Dragging rows: onto a row they hang below it, between rows they take that place among its
//! siblings, on empty ground they are roots.

use super::row::indent;
use super::rows::Row;
use super::{Memory, memory_id};
use crate::edit::{DocId, Edit, Keep, RigEdit, Selected};
use crate::model::{Rig, Uid};
use crate::ui::action::Action;
use crate::ui::cx::Cx;
use crate::ui::{nodes, text, theme, widgets};
use eframe::egui::{self, CornerRadius, Key, Pos2, Rect, Stroke, StrokeKind, Ui, pos2};

/// The part of a row's height, above and below, in which a drop goes between rows.
const BETWEEN: f32 = 0.28;

/// Where dragged rows would go.
#[derive(Clone, Debug, PartialEq)]
enum Target {
    /// Below this row, behind what hangs there.
    Onto(Uid),
    /// Among the children of `parent` (`None`: the roots), before `before`, or behind all.
    Among { parent: Option<Uid>, before: Option<Uid> },
    /// The roots, behind all, where they are no roots yet.
    Root,
}

/// A target with how it shows: a frame around a row, or a line between two.
struct Aim {
    target: Target,
    words: String,
    mark: Option<Rect>,
}

/// Shows a drag under way, and ends it.
pub fn show(
    ui: &Ui,
    cx: &Cx<'_>,
    rows: &[Row],
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
    let Some((doc, rig)) = cx.rig().filter(|_| !escape) else {
        memory.dragged = None;
        return;
    };
    let moved: Vec<Uid> = match &dragged {
        node if cx.selection().nodes.contains(node) => nodes::selected_uids(cx),
        Selected::Node(_, uid) => vec![*uid],
        Selected::Part(..) => Vec::new(),
    };
    let moved = tops(rig, &moved);
    let inside = pointer.filter(|at| area.contains(*at));
    let aim = inside.and_then(|at| aim(cx, rows, over.as_ref(), at));
    // Nothing can hang below itself.
    let aim = aim.filter(|aim| match &aim.target {
        Target::Onto(parent) | Target::Among { parent: Some(parent), .. } => {
            !is_below(rig, *parent, &moved)
        }
        Target::Among { parent: None, .. } | Target::Root => true,
    });
    let words = match &aim {
        Some(aim) => aim.words.clone(),
        None => "Drop on another node, between nodes, or on empty ground".to_owned(),
    };
    let keeps = if alt { "keeps its local rest" } else { "keeps its place; Alt its local rest" };
    actions.push(Action::Hint(format!("{words} · {keeps} · Esc cancels")));
    if let Some(at) = pointer {
        let painter = ui
            .ctx()
            .layer_painter(egui::LayerId::new(egui::Order::Tooltip, memory_id().with("drag")));
        let mark = aim.as_ref().and_then(|aim| aim.mark);
        match mark {
            Some(line) if line.height() <= 2.0 => {
                painter.rect_filled(line, 1.0, cx.theme.accent);
                painter.circle_filled(line.left_center(), 3.0, cx.theme.accent);
            }
            Some(rect) => {
                let stroke = Stroke::new(1.0, cx.theme.accent);
                let corner = CornerRadius::same(theme::CORNER);
                painter.rect_stroke(rect, corner, stroke, StrokeKind::Inside);
            }
            None => {}
        }
        let screen = ui.ctx().content_rect();
        widgets::tag(&painter, cx.theme, at, &words, cx.theme.text, screen);
    }
    if released {
        memory.dragged = None;
        let keep = if alt { Keep::Local } else { Keep::World };
        if let Some(aim) = aim.filter(|_| !moved.is_empty()) {
            actions.extend(edit(doc, rig, moved, &aim.target, keep).map(Action::Edit));
        }
    }
}

/// What the pointer aims at.
fn aim(cx: &Cx<'_>, rows: &[Row], over: Option<&(Row, Rect)>, at: Pos2) -> Option<Aim> {
    let Some((row, rect)) = over else {
        return Some(Aim { target: Target::Root, words: "Make a root".to_owned(), mark: None });
    };
    let uid = row.uid?;
    let place = rows.iter().position(|other| other.what == row.what)?;
    let part = (at.y - rect.top()) / rect.height().max(1.0);
    let name = text::name(&row.id);
    let line = |y: f32, depth: usize| {
        let left = rect.left() + indent(depth) + 12.0;
        Rect::from_min_max(pos2(left, y - 1.0), pos2(rect.right() - 4.0, y + 1.0))
    };
    let parent_of = |row: &Row| {
        cx.stage.parent(row.index).and_then(|parent| nodes::node(cx, parent)).map(|node| node.uid)
    };
    if part < BETWEEN {
        let target = Target::Among { parent: parent_of(row), before: Some(uid) };
        let mark = Some(line(rect.top(), row.depth));
        return Some(Aim { target, words: format!("Move before {name}"), mark });
    }
    if part <= 1.0 - BETWEEN {
        let words = format!("Hang below {name}");
        return Some(Aim { target: Target::Onto(uid), words, mark: Some(*rect) });
    }
    // Behind an open row comes its first child.
    if let Some(child) = rows.get(place + 1).filter(|next| next.depth > row.depth) {
        let target = Target::Among { parent: Some(uid), before: child.uid };
        let mark = Some(line(rect.bottom(), child.depth));
        return Some(Aim { target, words: format!("First below {name}"), mark });
    }
    let sibling = rows[place + 1..]
        .iter()
        .take_while(|next| next.depth >= row.depth)
        .find(|next| next.depth == row.depth);
    let target =
        Target::Among { parent: parent_of(row), before: sibling.and_then(|next| next.uid) };
    let mark = Some(line(rect.bottom(), row.depth));
    Some(Aim { target, words: format!("Move behind {name}"), mark })
}

/// Those that do not hang below another of them, in the order of the file.
fn tops(rig: &Rig, moved: &[Uid]) -> Vec<Uid> {
    let chosen = rig.nodes.iter().filter(|node| moved.contains(&node.uid));
    let parent = |id: &Option<String>| {
        let id = id.as_deref()?;
        rig.nodes.iter().find(|node| node.id == id)
    };
    let top = |node: &&std::sync::Arc<crate::model::Node>| {
        parent(&node.parent).is_none_or(|above| !is_below(rig, above.uid, moved))
    };
    chosen.filter(top).map(|node| node.uid).collect()
}

/// Whether a node is one of these or hangs below one.
fn is_below(rig: &Rig, node: Uid, these: &[Uid]) -> bool {
    let find = |id: &str| rig.nodes.iter().find(|node| node.id == id);
    let mut at = rig.nodes.iter().find(|other| other.uid == node);
    // A document has no loops; the count is for peace of mind.
    for _ in 0..=rig.nodes.len() {
        let Some(here) = at else { return false };
        if these.contains(&here.uid) {
            return true;
        }
        at = here.parent.as_deref().and_then(find);
    }
    false
}

/// The edit that brings nodes to a place; `None` where they are there already.
fn edit(doc: DocId, rig: &Rig, moved: Vec<Uid>, target: &Target, keep: Keep) -> Option<Edit> {
    let (parent, before) = match target {
        Target::Root => return Some(reparent(doc, moved, None, keep)),
        Target::Onto(parent) => return Some(reparent(doc, moved, Some(*parent), keep)),
        Target::Among { parent, before } => (*parent, *before),
    };
    let id_of = |uid: Uid| rig.nodes.iter().find(|node| node.uid == uid).map(|n| n.id.clone());
    let parent_id = parent.and_then(id_of);
    let elsewhere =
        |uid: &Uid| rig.nodes.iter().any(|node| node.uid == *uid && node.parent != parent_id);
    let mut edits = Vec::new();
    let strangers: Vec<Uid> = moved.iter().copied().filter(elsewhere).collect();
    if !strangers.is_empty() {
        edits.push(reparent(doc, strangers, parent, keep));
    }
    let is_sibling = |uid: &Uid| {
        let node = rig.nodes.iter().find(|node| node.uid == *uid);
        node.is_some_and(|node| node.parent == parent_id) && !moved.contains(uid)
    };
    // Before one that moves itself is before the next that stays.
    let before = before.and_then(|before| {
        let mut from = rig.nodes.iter().map(|node| node.uid).skip_while(|uid| *uid != before);
        from.find(|uid| is_sibling(uid))
    });
    // One after the other goes to its place in the list as it is by then.
    let mut list: Vec<Uid> = rig.nodes.iter().map(|node| node.uid).collect();
    let mut behind = None;
    for node in &moved {
        let Some(from) = list.iter().position(|uid| uid == node) else { continue };
        list.remove(from);
        let place = |uid: Uid| list.iter().position(|other| *other == uid);
        let to = match (behind, before) {
            (Some(behind), _) => place(behind).map(|at| at + 1),
            (None, Some(before)) => place(before),
            // Behind the last of those that are there.
            (None, None) => list.iter().rposition(is_sibling).map(|at| at + 1),
        };
        let to = to.unwrap_or(from).min(list.len());
        list.insert(to, *node);
        behind = Some(*node);
        if to != from {
            let edit = RigEdit::MoveNode { node: *node, index: to };
            edits.push(Edit::Rig { doc, edit });
        }
    }
    let label = match moved[..] {
        [one] => format!("Move {}", id_of(one).unwrap_or_default()),
        _ => format!("Move {} nodes", moved.len()),
    };
    (!edits.is_empty()).then_some(Edit::All { label, edits })
}

fn reparent(doc: DocId, nodes: Vec<Uid>, parent: Option<Uid>, keep: Keep) -> Edit {
    Edit::Rig { doc, edit: RigEdit::Reparent { nodes, parent, keep } }
}
