//! The keys of a take over time: what the dope sheet shows while an export is the current
//! document.

use super::board::Board;
use super::hand::Hand;
use super::{commands, menu, names, ruler};
use crate::model::Uid;
use crate::ui::action::Action;
use crate::ui::command::CommandId;
use crate::ui::cx::Cx;
use crate::ui::state::PanelId;
use crate::ui::timeline::mesh::{self, KEY_RADIUS};
use crate::ui::timeline::{pointer, wheel};
use crate::ui::{text, widgets};
use eframe::egui::{Mesh, Rect, Role, Sense, Shape, Ui, WidgetInfo, pos2, vec2};
use std::collections::BTreeSet;

/// Keys that are widgets of their own; where there are more, only the rows are.
const MOST_WIDGETS: usize = 2000;

/// Shows the keys.
pub fn show(ui: &mut Ui, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    let Some(board) = cx.export().and_then(|export| Board::new(ui, cx, export)) else {
        widgets::empty(ui, cx, "A skeleton has no keys: it is one pose.", &[], actions);
        return;
    };
    let id = ui.scope_id().with("keys of an export");
    let mut hand: Hand = ui.data_mut(|data| std::mem::take(data.get_temp_mut_or_default(id)));
    names::paint_grounds(ui, cx, &board);
    let canvas = ui.interact(board.canvas, id, Sense::click_and_drag());
    canvas.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, "Keys over time"));
    let painter = ui.painter().with_clip_rect(board.canvas.intersect(ui.clip_rect()));
    painter.add(Shape::mesh(diamonds(cx, &board)));
    widgets_of_rows(ui, &board);
    widgets_of_keys(ui, cx, &board);

    let wheel = wheel::board(ui, &canvas, &board.axis, board.canvas.center().x);
    if let Some(visible) = wheel.visible_secs {
        board.look(actions, |view| view.visible_secs = Some(visible));
    }
    if wheel.down != 0.0 {
        board.scroll_by(wheel.down, actions);
    }
    if let Some(command) = cx.invoked(PanelId::DopeSheet) {
        let at = pointer(ui).filter(|pos| board.canvas.contains(*pos));
        let at = at.unwrap_or_else(|| board.canvas.center());
        if !commands::run(cx, &board, &mut hand, &board.rows, (command, at), actions)
            && command == CommandId::FrameSelected
        {
            frame(cx, &board, actions);
        }
    }
    hand.handle(ui, cx, &board, &canvas, actions);
    canvas.context_menu(|ui| menu::keys(ui, cx, &board, menu::EVERYTHING, actions));
    menu::popup(ui, cx, &board, &mut hand.menu, menu::EVERYTHING, actions);
    ruler::show(ui, cx, &board, actions);
    board.paint_time(ui, cx);
    names::head(ui, cx, &board, actions);
    names::show(ui, cx, &board, actions);
    if board.rows.is_empty() {
        let place = board.canvas.shrink(8.0);
        let builder = eframe::egui::UiBuilder::new().max_rect(place).id_salt("first step");
        let mut ui = ui.new_child(builder);
        let words = match board.view.only_selected {
            true => "No selected peg has a row: select one in Pegs, or show them all.",
            false => "No peg has that in its name.",
        };
        widgets::empty(&mut ui, cx, words, &[], actions);
    }
    follow(ui, cx, &board, id, actions);
    ui.data_mut(|data| data.insert_temp(id, hand));
}

/// Brings the row of a peg into view that was selected elsewhere.
pub(super) fn follow(
    ui: &Ui,
    cx: &Cx<'_>,
    board: &Board<'_>,
    id: eframe::egui::Id,
    actions: &mut Vec<Action>,
) {
    let active = cx.selection().active.clone();
    let id = id.with("active");
    let before = ui.data(|data| data.get_temp(id));
    if before.as_ref() == Some(&active) {
        return;
    }
    ui.data_mut(|data| data.insert_temp(id, active));
    let Some(at) = crate::ui::nodes::active(cx) else { return };
    let Some(row) = board.rows.iter().position(|peg| *peg == at) else { return };
    let rect = board.row_rect(row);
    if rect.top() < board.canvas.top() {
        board.scroll_by(rect.top() - board.canvas.top(), actions);
    } else if rect.bottom() > board.canvas.bottom() {
        board.scroll_by(rect.bottom() - board.canvas.bottom(), actions);
    }
}

/// The keys of the rows that are seen, not more than one in four points; selected ones on top.
fn diamonds(cx: &Cx<'_>, board: &Board<'_>) -> Mesh {
    let mut mesh = Mesh::default();
    let (from, to) = board.seen_frames();
    let selected = &cx.selection().keys;
    for row in board.seen() {
        let y = board.row_rect(row).center().y;
        for (wanted, color) in [(false, cx.theme.key), (true, cx.theme.selection)] {
            let mut last = f32::NEG_INFINITY;
            for (frame, key) in board.keys_within(row, from, to) {
                let x = board.screen_from_frame(frame);
                if x - last >= 4.0 && selected.contains(&(board.doc, key)) == wanted {
                    mesh::diamond(&mut mesh, pos2(x, y), KEY_RADIUS, color);
                    last = x;
                }
            }
        }
    }
    mesh
}

/// Each row as a whole, by its peg and how many keys that has.
fn widgets_of_rows(ui: &Ui, board: &Board<'_>) {
    let clip = board.canvas.intersect(ui.clip_rect());
    for row in board.seen() {
        let (Some(peg), rect) = (board.peg(row), board.row_rect(row).intersect(clip)) else {
            continue;
        };
        if rect.is_positive() {
            let id = ui.scope_id().with(("row", peg.uid.0));
            let response = ui.interact(rect, id, Sense::hover());
            response.widget_info(|| {
                let keys = text::count(peg.keyframes.len(), "key", "keys");
                let name = format!("{} keys, {keys}", text::name(board.label(row)));
                WidgetInfo::labeled(Role::ListItem, true, name)
            });
        }
    }
}

/// Names for keys, so that they can be read aloud and found.
fn widgets_of_keys(ui: &Ui, cx: &Cx<'_>, board: &Board<'_>) {
    let (from, to) = board.seen_frames();
    let total: usize = board.seen().map(|row| board.keys_within(row, from, to).count()).sum();
    if total > MOST_WIDGETS {
        return;
    }
    for row in board.seen() {
        let y = board.row_rect(row).center().y;
        for (frame, key) in board.keys_within(row, from, to) {
            let center = pos2(board.screen_from_frame(frame), y);
            let rect = Rect::from_center_size(center, vec2(16.0, 16.0)).intersect(board.canvas);
            if !rect.is_positive() {
                continue;
            }
            let id = ui.scope_id().with(("key", key.0));
            let response = ui.interact(rect, id, Sense::hover());
            response.widget_info(|| {
                let name = format!("{}, key at frame {frame}", text::name(board.label(row)));
                let chosen = cx.selection().keys.contains(&(board.doc, key));
                WidgetInfo::selected(Role::ListItem, true, chosen, name)
            });
        }
    }
}

/// Brings the selected keys into view.
fn frame(cx: &Cx<'_>, board: &Board<'_>, actions: &mut Vec<Action>) {
    let wanted: BTreeSet<Uid> = cx.selection().keys_of(board.doc).into_iter().collect();
    let all = board.take.pegs.iter().flat_map(|peg| &peg.keyframes);
    let frames = all.filter(|key| wanted.contains(&key.uid)).map(|key| key.frame);
    let (first, last) =
        frames.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), f| (a.min(f), b.max(f)));
    if first <= last {
        let visible = board.around_frames(first, last);
        board.look(actions, |view| view.visible_secs = Some(visible));
    } else {
        commands::need_keys(actions);
    }
}
