//! The dope sheet: keys over time.

use super::board::{Board, pointer};
use super::canvas::{self, Canvas};
use super::chosen::Chosen;
use super::hand::{self, Hand, Hit, Kind, Press};
use super::mesh::{self, KEY_RADIUS};
use super::pick;
use super::rows::{Merged, Row, row_name};
use super::{commands, menus, names, ruler};
use crate::edit::Selection;
use crate::model::{Interpolation, Track, Uid};
use crate::ui::action::Action;
use crate::ui::command::CommandId;
use crate::ui::cx::Cx;
use crate::ui::keys::Keymap;
use crate::ui::state::PanelId;
use crate::ui::theme::ThemeChoice;
use crate::ui::{text, widgets};
use eframe::egui::{
    self, CornerRadius, CursorIcon, Key, Mesh, Pos2, Rect, Role, Sense, Shape, Stroke, StrokeKind,
    Ui, WidgetInfo, pos2, vec2,
};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

/// Keys that are widgets of their own; where there are more, a row is one.
const MOST_WIDGETS: usize = 2000;
/// From the outermost selected keys to the edge of their box, in points.
const BOX_MARGIN: f32 = 12.0;

/// What a mesh of keys was made of, beside clip, rows and selection.
#[derive(Clone, Debug, PartialEq)]
struct Drawn {
    axis: super::axis::TimeAxis,
    scroll: f32,
    canvas: Rect,
    theme: ThemeChoice,
    muted: BTreeSet<Uid>,
}

/// Kept while nothing changes.
#[derive(Debug, Default)]
pub(super) struct Kept {
    pub merged: Merged,
    pub chosen: Chosen,
    drawn: Option<Drawn>,
    mesh: Arc<Mesh>,
}

/// Shows the dope sheet.
pub fn show(ui: &mut Ui, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    let Some((doc, clip)) = cx.clip() else { return names::empty(ui, cx, actions) };
    let board = Board::new(ui, cx, doc, clip, true);
    let id = ui.scope_id().with("dope sheet");
    let kept = ui.data_mut(|data| data.get_temp_mut_or_default::<Arc<Mutex<Kept>>>(id).clone());
    let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
    let mut hand: Hand = ui.data_mut(|data| std::mem::take(data.get_temp_mut_or_default(id)));
    let mut press: Option<Press<Hit>> =
        ui.data_mut(|data| std::mem::take(data.get_temp_mut_or_default(id)));

    names::paint_grounds(ui, cx, &board);
    let canvas = ui.interact(board.canvas, id, Sense::click_and_drag());
    canvas.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, "Keys over time"));
    update(cx, &board, &mut kept);
    let painter = ui.painter().with_clip_rect(board.canvas.intersect(ui.clip_rect()));
    let selection_box = selection_box(&board, &kept.chosen);
    if let Some(rect) = selection_box {
        painter.rect_filled(rect, CornerRadius::same(2), cx.theme.selection.gamma_multiply(0.16));
    }
    painter.add(Shape::mesh(kept.mesh.clone()));
    if let Some(rect) = selection_box {
        paint_box(&painter, cx, rect);
    }
    widgets_of_keys(ui, cx, &board, &kept);

    let (_, down) = board.wheel(ui, &canvas, actions);
    if down != 0.0 {
        board.scroll_by(down, actions);
    }
    if let Some(command) = cx.invoked(PanelId::DopeSheet) {
        let at = pointer(ui).filter(|pos| board.canvas.contains(*pos));
        let at = at.unwrap_or_else(|| board.canvas.center());
        let unknown = commands::run(ui, cx, &board, &mut hand, (command, at), actions);
        if unknown == Some(CommandId::FrameSelected) {
            frame_selected(&board, &kept.chosen, actions);
        }
    }
    let mut panel = Panel { ui, cx, board: &board, kept: &kept, selection_box };
    canvas::follow(&mut panel, &canvas, &mut hand, &mut press, actions);
    canvas.context_menu(|ui| menus::more(ui, cx, &board, actions));
    show_menu(ui, cx, &board, &mut hand, actions);

    ruler::show(ui, cx, &board, actions);
    board.paint_time(ui, cx);
    names::head(ui, cx, &board, actions);
    names::show(ui, cx, &board, None, actions);
    if clip.tracks.is_empty() {
        let place = board.canvas.shrink(8.0);
        let mut ui = ui.new_child(egui::UiBuilder::new().max_rect(place).id_salt("first step"));
        let words = "This clip has no tracks yet. The + above makes the first one; changing a \
                     pose in Animate keys it too.";
        widgets::empty(&mut ui, cx, words, &[], actions);
    }
    ui.data_mut(|data| {
        data.insert_temp(id, hand);
        data.insert_temp(id, press);
    });
}

/// The interpolation menu where a command opened it.
pub(super) fn show_menu(
    ui: &Ui,
    cx: &Cx<'_>,
    board: &Board<'_>,
    hand: &mut Hand,
    actions: &mut Vec<Action>,
) {
    let Some((at, tracks, _)) = &hand.menu else { return };
    let mut open = true;
    let id = ui.scope_id().with("interpolation");
    egui::Popup::new(id, ui.ctx().clone(), *at, ui.layer_id())
        .kind(egui::PopupKind::Menu)
        .layout(egui::Layout::top_down_justified(egui::Align::Min))
        .style(egui::containers::menu::menu_style)
        .accessible_name("Interpolation")
        .open_bool(&mut open)
        .show(|ui| menus::interpolation(ui, cx, board, tracks, actions));
    if !open {
        hand.menu = None;
    }
}

fn frame_selected(board: &Board<'_>, chosen: &Chosen, actions: &mut Vec<Action>) {
    let Some((from, to)) = chosen.span_secs else {
        board.look(actions, |view| view.visible_secs = None);
        return;
    };
    // A single key is shown with a second around it.
    let room = ((to - from) * 0.15).max(0.1);
    let middle = (from + to) / 2.0;
    let half = ((to - from) / 2.0 + room).max(0.25);
    board.look(actions, |view| view.visible_secs = Some((middle - half, middle + half)));
}

/// Brings what is kept up to what is open.
fn update(cx: &Cx<'_>, board: &Board<'_>, kept: &mut Kept) {
    let mut changed = kept.merged.update(board.doc, board.clip, &board.rows);
    changed |= kept.chosen.update(board.doc, board.clip, cx.selection());
    let drawn = Drawn {
        axis: board.axis,
        scroll: board.scroll,
        canvas: board.canvas,
        theme: cx.theme.choice,
        muted: board.view.muted.clone(),
    };
    if changed || kept.drawn.as_ref() != Some(&drawn) {
        let mut mesh = Mesh::default();
        build(cx, board, kept, &mut mesh);
        kept.mesh = Arc::new(mesh);
        kept.drawn = Some(drawn);
    }
}

/// The keys of a track that can be seen, by their places.
fn seen_keys(board: &Board<'_>, track: &Track) -> std::ops::Range<usize> {
    let (from, to) = board.visible_secs();
    let first = track.keys.partition_point(|key| key.time < from);
    let last = track.keys.partition_point(|key| key.time <= to);
    first..last.max(first)
}

fn seen_times<'t>(board: &Board<'_>, times: &'t [f64]) -> &'t [f64] {
    let (from, to) = board.visible_secs();
    let first = times.partition_point(|time| *time < from);
    let last = times.partition_point(|time| *time <= to);
    &times[first..last.max(first)]
}

/// Puts lines and keys of all rows that are seen into a mesh: selected keys last, and not more
/// keys than one in four points.
fn build(cx: &Cx<'_>, board: &Board<'_>, kept: &Kept, mesh: &mut Mesh) {
    let theme = cx.theme;
    for index in board.seen() {
        let y = board.row_rect(index).center().y;
        let tracks = board.rows.tracks_of(index);
        let mut marks = Vec::new();
        let color = match &board.rows.rows[index] {
            Row::Track(at) => {
                let track = &board.clip.tracks[*at];
                let muted = board.view.muted.contains(&track.uid);
                lines(board, track, y, theme.dim.gamma_multiply(0.55), mesh);
                for key in &track.keys[seen_keys(board, track)] {
                    marks.push((key.time, kept.chosen.keys.contains(&key.uid)));
                }
                if muted { theme.dim } else { theme.key }
            }
            Row::Summary | Row::Part { .. } => {
                for time in seen_times(board, kept.merged.times(index)) {
                    let chosen = !kept.chosen.keys.is_empty() && kept.chosen.is_at(tracks, *time);
                    marks.push((*time, chosen));
                }
                theme.muted
            }
        };
        for (chosen, color) in [(false, color), (true, theme.selection)] {
            let mut last = f32::NEG_INFINITY;
            for (time, _) in marks.iter().filter(|(_, c)| *c == chosen) {
                let x = board.axis.screen_from_time(*time);
                if x - last >= 4.0 {
                    mesh::diamond(mesh, pos2(x, y), KEY_RADIUS, color);
                    last = x;
                }
            }
        }
    }
}

/// The thin line between keys, broken where the value holds.
fn lines(board: &Board<'_>, track: &Track, y: f32, color: egui::Color32, mesh: &mut Mesh) {
    if track.interpolation == Interpolation::Step {
        return;
    }
    let range = seen_keys(board, track);
    let first = range.start.saturating_sub(1);
    let last = (range.end + 1).min(track.keys.len());
    let mut open: Option<f64> = None;
    for pair in track.keys[first..last].windows(2) {
        let moves = pair[0].value != pair[1].value;
        match (open, moves) {
            (None, true) => open = Some(pair[0].time),
            (Some(from), false) => {
                line(board, from, pair[0].time, y, color, mesh);
                open = None;
            }
            _ => {}
        }
    }
    if let (Some(from), Some(end)) = (open, track.keys[first..last].last()) {
        line(board, from, end.time, y, color, mesh);
    }
}

fn line(board: &Board<'_>, from: f64, to: f64, y: f32, color: egui::Color32, mesh: &mut Mesh) {
    let left = board.axis.screen_from_time(from).max(board.canvas.left());
    let right = board.axis.screen_from_time(to).min(board.canvas.right());
    mesh::level(mesh, left, right, y, 2.0, color);
}

/// Around the selected keys, where there is something to retime.
fn selection_box(board: &Board<'_>, chosen: &Chosen) -> Option<Rect> {
    let (from, to) = chosen.span_secs?;
    if from >= to {
        return None;
    }
    let rows = chosen.tracks.iter().filter_map(|track| board.rows.row_of(*track));
    let (first, last) = rows.fold((usize::MAX, 0), |(a, b), row| (a.min(row), b.max(row)));
    if first > last {
        return None;
    }
    let top = board.row_rect(first).top();
    let bottom = board.row_rect(last).bottom();
    let left = board.axis.screen_from_time(from) - BOX_MARGIN;
    let right = board.axis.screen_from_time(to) + BOX_MARGIN;
    let rect = Rect::from_min_max(pos2(left, top + 1.0), pos2(right, bottom - 1.0));
    rect.intersects(board.canvas).then_some(rect)
}

fn paint_box(painter: &egui::Painter, cx: &Cx<'_>, rect: Rect) {
    let color = cx.theme.selection;
    painter.rect_stroke(rect, CornerRadius::same(2), Stroke::new(1.0, color), StrokeKind::Inside);
    let height = (rect.height() * 0.4).clamp(10.0, 24.0);
    for x in [rect.left(), rect.right()] {
        let handle = Rect::from_center_size(pos2(x, rect.center().y), vec2(4.0, height));
        painter.rect_filled(handle, CornerRadius::same(2), color);
    }
}

/// Names for keys, so that they can be read aloud and found; dense rows are one widget each.
fn widgets_of_keys(ui: &Ui, cx: &Cx<'_>, board: &Board<'_>, kept: &Kept) {
    let clip = board.canvas;
    let in_row = |index: usize| match &board.rows.rows[index] {
        Row::Track(at) => seen_keys(board, &board.clip.tracks[*at]).len(),
        Row::Summary | Row::Part { .. } => seen_times(board, kept.merged.times(index)).len(),
    };
    let total: usize = board.seen().map(in_row).sum();
    for index in board.seen() {
        let row = &board.rows.rows[index];
        let rect = board.row_rect(index);
        let y = rect.center().y;
        if total > MOST_WIDGETS {
            let place = Rect::from_min_max(pos2(clip.left(), rect.top()), rect.max).intersect(clip);
            let response = ui.interact(place, ui.scope_id().with(("row", index)), Sense::hover());
            response.widget_info(|| {
                let keys = text::count(in_row(index), "key", "keys");
                let name = format!("{}, {keys}", row_name(board.clip, row));
                WidgetInfo::labeled(Role::ListItem, true, name)
            });
            continue;
        }
        let place = |secs: f64| {
            let center = pos2(board.axis.screen_from_time(secs), y);
            Rect::from_center_size(center, vec2(16.0, 16.0)).intersect(clip)
        };
        match row {
            Row::Track(at) => {
                let track = &board.clip.tracks[*at];
                for key in &track.keys[seen_keys(board, track)] {
                    let rect = place(key.time);
                    if !rect.is_positive() {
                        continue;
                    }
                    let id = ui.scope_id().with(("key", key.uid.0));
                    let response = ui.interact(rect, id, Sense::hover());
                    response.widget_info(|| {
                        let secs = cx.show_time(key.time);
                        let name = format!("{}, key at {secs}", row_name(board.clip, row));
                        let chosen = kept.chosen.keys.contains(&key.uid);
                        WidgetInfo::selected(Role::ListItem, true, chosen, name)
                    });
                }
            }
            Row::Summary | Row::Part { .. } => {
                for time in seen_times(board, kept.merged.times(index)) {
                    let rect = place(*time);
                    if !rect.is_positive() {
                        continue;
                    }
                    let id = ui.scope_id().with(("keys", index, time.to_bits()));
                    let response = ui.interact(rect, id, Sense::hover());
                    response.widget_info(|| {
                        let secs = cx.show_time(*time);
                        let name = format!("{}, keys at {secs}", row_name(board.clip, row));
                        let tracks = board.rows.tracks_of(index);
                        let chosen = kept.chosen.is_at(tracks, *time);
                        WidgetInfo::selected(Role::ListItem, true, chosen, name)
                    });
                }
            }
        }
    }
}

/// What the hand works with in one frame.
struct Panel<'a, 'b> {
    ui: &'a Ui,
    cx: &'a Cx<'b>,
    board: &'a Board<'b>,
    kept: &'a Kept,
    selection_box: Option<Rect>,
}

impl Canvas for Panel<'_, '_> {
    type Hit = Hit;

    fn board(&self) -> &Board<'_> {
        self.board
    }

    fn ui(&self) -> &Ui {
        self.ui
    }

    fn cx(&self) -> &Cx<'_> {
        self.cx
    }

    fn nothing(&self) -> Hit {
        Hit::Empty
    }

    fn press(&mut self, press: &Press<Hit>, actions: &mut Vec<Action>) {
        if let Hit::Keys(keys, _) = &press.hit
            && !press.was_selected
            && !press.modifiers.command
        {
            let selection = pick::with_keys(self.cx, self.board, keys, press.modifiers.shift);
            actions.push(Action::Select(selection));
        }
    }

    fn keys_in(&self, rect: Rect) -> Vec<Uid> {
        pick::keys_in(self.board, rect)
    }

    fn shows_selected(&self) -> bool {
        false
    }

    /// What is under the pointer; keys before the box, the box before nothing.
    fn hit(&self, pos: Pos2) -> (Hit, bool) {
        if let Some((keys, secs, selected)) = self.key_at(pos) {
            return (Hit::Keys(keys, secs), selected);
        }
        let (Some(rect), Some((from, to))) = (self.selection_box, self.kept.chosen.span_secs)
        else {
            return (Hit::Empty, false);
        };
        let tall = rect.expand2(vec2(8.0, 0.0));
        if tall.contains(pos) {
            if (pos.x - rect.right()).abs() <= 8.0 {
                return (Hit::Edge { pivot_secs: from, edge_secs: to }, false);
            }
            if (pos.x - rect.left()).abs() <= 8.0 {
                return (Hit::Edge { pivot_secs: to, edge_secs: from }, false);
            }
            return (Hit::Body, false);
        }
        (Hit::Empty, false)
    }

    /// A press that ended where it began.
    fn click(&self, press: &Press<Hit>, actions: &mut Vec<Action>) {
        let old = self.cx.selection();
        match &press.hit {
            Hit::Keys(keys, _) if press.modifiers.command => {
                let selection = pick::toggled(self.cx, self.board, keys);
                actions.push(Action::Select(selection));
            }
            Hit::Keys(keys, _) if press.was_selected && !press.modifiers.shift => {
                let selection = pick::with_keys(self.cx, self.board, keys, false);
                actions.push(Action::Select(selection));
            }
            Hit::Keys(..) => {}
            Hit::Edge { .. } | Hit::Body | Hit::Empty => {
                let something = !old.keys.is_empty() || !old.tracks.is_empty();
                if something && !press.modifiers.shift && !press.modifiers.command {
                    let (keys, tracks) = (BTreeSet::new(), BTreeSet::new());
                    actions.push(Action::Select(Selection { keys, tracks, ..old.clone() }));
                }
            }
        }
    }

    /// A press that became a drag.
    fn start(&mut self, press: Press<Hit>, _: Pos2, hand: &mut Hand, actions: &mut Vec<Action>) {
        let (ui, cx, board) = (self.ui, self.cx, self.board);
        let origin = (press.pos, board.axis.time_from_screen(press.pos.x));
        let begin = |kind, keys, anchor| hand::begin(ui, cx, board, kind, keys, origin, anchor);
        let maya = cx.settings().keymap == Keymap::Maya;
        let (kind, anchor) = match press.hit {
            Hit::Empty => return canvas::begin_box(cx, &press, hand),
            Hit::Edge { pivot_secs, edge_secs } => (Kind::Scale { pivot_secs }, Some(edge_secs)),
            Hit::Body => (Kind::Move, None),
            Hit::Keys(_, secs) if maya && ui.input(|input| input.key_down(Key::Num2)) => {
                (Kind::Ripple { from_secs: secs }, Some(secs))
            }
            Hit::Keys(_, secs) if press.modifiers.alt => (Kind::Duplicate, Some(secs)),
            Hit::Keys(_, secs) => (Kind::Move, Some(secs)),
        };
        let mut keys = commands::selected_keys(cx, board);
        let old: BTreeSet<Uid> = keys.iter().copied().collect();
        if let Hit::Keys(hit, _) = &press.hit
            && !press.was_selected
        {
            // What the press has selected may not be seen as selected before the next frame.
            match press.modifiers.shift && !press.modifiers.command {
                true => keys.extend(hit.iter().filter(|key| !old.contains(key))),
                false => keys.clone_from(hit),
            }
            if press.modifiers.command {
                // Ctrl was meant for the snapping: what is dragged is selected all the same.
                actions.push(Action::Select(pick::with_keys(cx, board, hit, false)));
            }
        }
        if keys.is_empty() {
            return;
        }
        actions.push(Action::Begin);
        hand.drag = Some(begin(kind, keys, anchor));
    }

    fn hover(&self, pos: Pos2, _: &Hand, actions: &mut Vec<Action>) {
        let keymap = self.cx.settings().keymap;
        let snapping = if self.board.view.snap { "Ctrl snaps off" } else { "Ctrl snaps on" };
        let (cursor, words) = match self.hit(pos).0 {
            Hit::Keys(..) => {
                let scale = if keymap == Keymap::Blender { "S" } else { "R" };
                let words =
                    format!("Drag to move · {snapping} · {scale} retimes about the playhead");
                (CursorIcon::Grab, words)
            }
            Hit::Edge { .. } => {
                let words = format!("Drag to retime · {snapping} · type a factor");
                (CursorIcon::ResizeHorizontal, words)
            }
            Hit::Body => (CursorIcon::Grab, format!("Drag to move the selected keys · {snapping}")),
            Hit::Empty => {
                let words = "Drag a box to select · wheel zooms · Shift+wheel pans".to_owned();
                (CursorIcon::Default, words)
            }
        };
        if cursor != CursorIcon::Default {
            self.ui.ctx().set_cursor_icon(cursor);
        }
        actions.push(Action::Hint(words));
    }
}

impl Panel<'_, '_> {
    fn key_at(&self, pos: Pos2) -> Option<(Vec<Uid>, f64, bool)> {
        let row = pick::row_at(self.board, pos)?;
        let tracks = self.board.rows.tracks_of(row);
        match &self.board.rows.rows[row] {
            Row::Track(at) => {
                let track = &self.board.clip.tracks[*at];
                if commands::is_locked(self.board, *at) {
                    return None;
                }
                let times = track.keys.iter().map(|key| key.time);
                let times: Vec<f64> = times.collect();
                let chosen = |at: usize| self.kept.chosen.keys.contains(&track.keys[at].uid);
                let found = pick::nearest(self.board, &times, pos.x, chosen)?;
                let key = &track.keys[found];
                Some((vec![key.uid], key.time, chosen(found)))
            }
            Row::Summary | Row::Part { .. } => {
                let times = self.kept.merged.times(row);
                let chosen = |at: usize| self.kept.chosen.is_at(tracks, times[at]);
                let found = pick::nearest(self.board, times, pos.x, chosen)?;
                let secs = times[found];
                let keys = pick::keys_at(self.board, tracks, secs);
                let all = keys.iter().all(|key| self.kept.chosen.keys.contains(key));
                (!keys.is_empty()).then_some((keys, secs, all))
            }
        }
    }
}
