//! The curves: X, Y and Z of the selected tracks over time.

mod cover;
pub(in crate::ui) mod drag;
pub(in crate::ui) mod footer;
mod paint;
mod sampled;
mod shown;
pub(in crate::ui) mod thin;
pub(in crate::ui) mod values;

use super::board::{Board, pointer};
use super::canvas::{self, Canvas};
use super::hand::{self, Hand, Kind, Press};
use super::{commands, dope, menus, names, pick, ruler};
use crate::edit::{Content, Selection};
use crate::model::{Clip, Interpolation, Property, Track, Uid};
use crate::ui::action::Action;
use crate::ui::command::CommandId;
use crate::ui::cx::Cx;
use crate::ui::state::PanelId;
use crate::ui::{text, theme, widgets};
use drag::{CurveDrag, What};
use eframe::egui::{
    self, CornerRadius, CursorIcon, Pos2, Rect, Role, Sense, Shape, Stroke, Ui, WidgetInfo, pos2,
    vec2,
};
use paint::Kept;
use sampled::{Lines, unit};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use values::ValueAxis;

/// Keys that are widgets of their own.
const MOST_WIDGETS: usize = 2000;

/// A key of one component.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Spot {
    track: usize,
    key: usize,
    axis: usize,
}

/// What a press hit.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Hit {
    Key(Spot),
    Handle(paint::Handle),
    Empty,
}

/// What the hand does here, beside what it does in time.
#[derive(Clone, Debug, Default)]
struct CurveHand {
    press: Option<Press<Hit>>,
    drag: Option<CurveDrag>,
    /// The curve that was last taken in hand: track, and 0, 1, 2 for X, Y, Z.
    focus: Option<(Uid, usize)>,
    /// The curve before the change is not drawn.
    without_before: bool,
}

/// Shows the curves.
pub fn show(ui: &mut Ui, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    let Some((doc, clip)) = cx.clip() else { return names::empty(ui, cx, actions) };
    let board = Board::new(ui, cx, doc, clip, false);
    let id = ui.scope_id().with("curves");
    let kept = ui.data_mut(|data| data.get_temp_mut_or_default::<Arc<Mutex<Kept>>>(id).clone());
    let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
    let mut hand: Hand = ui.data_mut(|data| std::mem::take(data.get_temp_mut_or_default(id)));
    let mut curves: CurveHand =
        ui.data_mut(|data| std::mem::take(data.get_temp_mut_or_default(id)));

    names::paint_grounds(ui, cx, &board);
    let canvas = ui.interact(board.canvas, id, Sense::click_and_drag());
    canvas.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, "Curves"));
    ui.painter().rect_filled(board.canvas, CornerRadius::same(theme::CORNER), cx.theme.ground);
    let tracks = shown::tracks(cx, &board, clip);
    curves.focus = curves.focus.filter(|(uid, axis)| {
        board.view.channels[*axis] && tracks.iter().any(|track| clip.tracks[*track].uid == *uid)
    });
    kept.chosen.update(doc, clip, cx.selection());
    let before = match curves.without_before {
        true => None,
        false => before(cx, doc).cloned(),
    };
    let other = other(cx, doc, &tracks);
    let (focus, before) = (curves.focus, before.as_ref());
    let drawn = paint::update(cx, &board, &mut kept, &tracks, focus, before, other.as_ref());
    let values = drawn.values;
    let painter = ui.painter().with_clip_rect(board.canvas.intersect(ui.clip_rect()));
    let one = drawn.property;
    values.paint(&painter, cx.theme, board.canvas, values::unit_of(cx, one));
    // A clip of its own keeps the mesh apart from its neighbours: appended to them, its buffers
    // would be copied once more for each thing painted after it.
    let apart = painter.clip_rect().expand(0.01);
    painter.with_clip_rect(apart).add(Shape::mesh(kept.mesh.clone()));

    let seen = Seen { ui, cx, board: &board, values, kept: &kept, tracks: &tracks };
    let handles = seen.handles(curves.focus);
    seen.paint_handles(&handles);
    seen.widgets_of_keys();
    let (zoom, down) = board.wheel(ui, &canvas, actions);
    if zoom != 1.0 || down != 0.0 {
        let y = pointer(ui).map_or(board.canvas.center().y, |pos| pos.y);
        let visible = if zoom != 1.0 { values.zoomed(zoom, y) } else { values.panned(down) };
        board.look(actions, |view| view.visible_values = Some(visible));
    }
    if let Some(command) = cx.invoked(PanelId::Curves) {
        let at = pointer(ui).filter(|pos| board.canvas.contains(*pos));
        let at = at.unwrap_or_else(|| board.canvas.center());
        let unknown = commands::run(ui, cx, &board, &mut hand, (command, at), actions);
        if unknown == Some(CommandId::FrameSelected) {
            footer::fit_selected(&board, &kept, &tracks, actions);
        }
    }
    let seen = Seen { ui, cx, board: &board, values, kept: &kept, tracks: &tracks };
    let mut press = curves.press.take();
    let mut panel = Panel { seen, handles: &handles, curves: &mut curves };
    canvas::follow(&mut panel, &canvas, &mut hand, &mut press, actions);
    curves.press = press;
    canvas.context_menu(|ui| menus::more(ui, cx, &board, actions));
    dope::show_menu(ui, cx, &board, &mut hand, actions);

    ruler::show(ui, cx, &board, actions);
    board.paint_time(ui, cx);
    tags_at_playhead(ui, cx, &board, &values, &kept, &tracks, curves.focus);
    names::head(ui, cx, &board, actions);
    names::show(ui, cx, &board, Some((board.view.channels, &tracks)), actions);
    if tracks.is_empty() {
        // Beside the numbers of the axis, and the playhead at the start.
        let place = board.canvas.shrink2(vec2(72.0, 16.0));
        let mut ui = ui.new_child(egui::UiBuilder::new().max_rect(place).id_salt("first step"));
        let (words, steps) = shown::first_step(cx, clip);
        widgets::empty(&mut ui, cx, &words, steps, actions);
    } else {
        footer::show(ui, cx, &board, &kept, &tracks, &mut curves, actions);
    }
    ui.data_mut(|data| {
        data.insert_temp(id, hand);
        data.insert_temp(id, curves);
    });
}

/// The clip that this one is compared with, where shown tracks differ.
fn other(cx: &Cx<'_>, doc: crate::edit::DocId, tracks: &[usize]) -> Option<paint::Other> {
    let made = cx.compare.of(doc).filter(|entry| entry.ghost)?.made()?;
    let theirs: Vec<usize> = tracks.iter().filter_map(|track| made.other_track(*track)).collect();
    let clip = made.other_clip().filter(|_| !theirs.is_empty())?;
    Some((clip.clone(), theirs))
}

/// The clip before the change: before the gesture under way, otherwise as it is on disk.
fn before<'a>(cx: &Cx<'a>, doc: crate::edit::DocId) -> Option<&'a Arc<Clip>> {
    if let Some(gesture) = cx.editor.gesture() {
        return gesture.base.clip(doc);
    }
    match cx.editor.saved(doc)? {
        Content::Clip(clip) => Some(clip),
        _ => None,
    }
}

/// The value at the playhead in a tag: of the curve in hand, otherwise of those of one track.
fn tags_at_playhead(
    ui: &Ui,
    cx: &Cx<'_>,
    board: &Board<'_>,
    values: &ValueAxis,
    kept: &Kept,
    tracks: &[usize],
    focus: Option<(Uid, usize)>,
) {
    let secs = cx.playhead_secs();
    let x = board.axis.screen_from_time(secs);
    if !board.canvas.x_range().contains(x) {
        return;
    }
    let painter = ui.painter().with_clip_rect(board.canvas.intersect(ui.clip_rect()));
    let mut tags = Vec::new();
    for (at, lines) in &kept.lines {
        let track = &board.clip.tracks[*at];
        for axis in (0..3).filter(|axis| board.view.channels[*axis]) {
            let wanted = match focus {
                Some(focus) => focus == (track.uid, axis),
                None => tracks.len() == 1,
            };
            if !wanted {
                continue;
            }
            let Some(value) = value_at(&lines.channels[axis], secs) else { continue };
            let at = pos2(x, values.screen_from_value(value));
            let color = cx.theme.axes[axis];
            painter.circle_filled(at, 2.5, color);
            tags.push((at.y + 20.0, values::words(cx, track.property, value), color));
        }
    }
    widgets::tags(&painter, cx.theme, pos2(x - 4.0, 0.0), &tags, board.canvas);
}

/// A line's value at a time, between its points; the later one at a jump.
pub(in crate::ui) fn value_at(line: &[[f64; 2]], secs: f64) -> Option<f64> {
    let next = line.partition_point(|point| point[0] <= secs);
    let before = line[..next].iter().rev().find(|point| point[1].is_finite())?;
    match line.get(next) {
        Some(after) if after[1].is_finite() && after[0] > before[0] => {
            let part = (secs - before[0]) / (after[0] - before[0]);
            Some(before[1] + (after[1] - before[1]) * part)
        }
        _ => Some(before[1]),
    }
}

/// The curves in one frame.
struct Seen<'a, 'b> {
    ui: &'a Ui,
    cx: &'a Cx<'b>,
    board: &'a Board<'b>,
    values: ValueAxis,
    kept: &'a Kept,
    tracks: &'a [usize],
}

impl Seen<'_, '_> {
    fn place(&self, spot: Spot) -> Pos2 {
        let track = &self.board.clip.tracks[spot.track];
        let key = &track.keys[spot.key];
        let value = key.value[spot.axis] * unit(track.property);
        pos2(self.board.axis.screen_from_time(key.time), self.values.screen_from_value(value))
    }

    fn track(&self, spot: Spot) -> &Arc<Track> {
        &self.board.clip.tracks[spot.track]
    }

    fn uid(&self, spot: Spot) -> Uid {
        self.track(spot).keys[spot.key].uid
    }

    /// The keys of the curves that are seen between two times.
    fn spots(&self, from: f64, to: f64) -> impl Iterator<Item = Spot> {
        self.tracks.iter().flat_map(move |track| {
            let keys = &self.board.clip.tracks[*track].keys;
            let first = keys.partition_point(|key| key.time < from);
            let last = keys.partition_point(|key| key.time <= to).max(first);
            (first..last).flat_map(move |key| {
                let shown = (0..3).filter(|axis| self.board.view.channels[*axis]);
                shown.map(move |axis| Spot { track: *track, key, axis })
            })
        })
    }

    /// The handles of the easing: at the segments of selected keys, otherwise at the one under the
    /// playhead.
    fn handles(&self, focus: Option<(Uid, usize)>) -> Vec<paint::Handle> {
        let mut handles = Vec::new();
        let secs = self.cx.playhead_secs();
        for (at, lines) in &self.kept.lines {
            let track = &self.board.clip.tracks[*at];
            if track.interpolation != Interpolation::Bezier || commands::is_locked(self.board, *at)
            {
                continue;
            }
            if handles.len() > 64 {
                break;
            }
            let axis = match focus {
                Some((uid, axis)) if uid == track.uid => axis,
                // The component that moves most shows most of the easing.
                _ => {
                    let tall = |axis: &usize| lines.spans[*axis].1 - lines.spans[*axis].0;
                    let shown = (0..3).filter(|axis| self.board.view.channels[*axis]);
                    let Some(axis) = shown.max_by(|a, b| tall(a).total_cmp(&tall(b))) else {
                        continue;
                    };
                    axis
                }
            };
            let chosen = |key: usize| self.kept.chosen.keys.contains(&track.keys[key].uid);
            let any = self.kept.chosen.tracks.contains(at);
            if !any && self.tracks.len() != 1 {
                continue;
            }
            for key in 0..track.keys.len().saturating_sub(1) {
                let (a, b) = (&track.keys[key], &track.keys[key + 1]);
                let wanted = match any {
                    true => chosen(key) && chosen(key + 1) || self.only_one(at, key, &chosen),
                    false => a.time <= secs && secs < b.time,
                };
                if wanted {
                    let unit = unit(track.property);
                    let ends = [[a.time, a.value[axis] * unit], [b.time, b.value[axis] * unit]];
                    let curve = track.curve();
                    for point in 0..2 {
                        handles.push(paint::Handle { track: *at, axis, point, ends, curve });
                    }
                }
            }
        }
        handles
    }

    /// Where one key alone is selected, the segments on both its sides have handles.
    fn only_one(&self, track: &usize, key: usize, chosen: &dyn Fn(usize) -> bool) -> bool {
        let keys = self.board.clip.tracks[*track].keys.len();
        let neighbours =
            |at: usize| (at > 0 && chosen(at - 1)) || (at + 1 < keys && chosen(at + 1));
        (chosen(key) && !neighbours(key)) || (chosen(key + 1) && !neighbours(key + 1))
    }

    fn paint_handles(&self, handles: &[paint::Handle]) {
        let canvas = self.board.canvas;
        let painter = self.ui.painter().with_clip_rect(canvas.intersect(self.ui.clip_rect()));
        for (index, handle) in handles.iter().enumerate() {
            let (at, base) = handle.places(self.board, &self.values);
            let color = self.cx.theme.selection;
            painter.line_segment([base, at], Stroke::new(1.0, color.gamma_multiply(0.8)));
            painter.circle(at, 4.5, self.cx.theme.ground, Stroke::new(1.5, color));
            let rect = Rect::from_center_size(at, vec2(16.0, 16.0)).intersect(canvas);
            if rect.is_positive() {
                let id = self.ui.scope_id().with(("handle", index));
                let response = self.ui.interact(rect, id, Sense::hover());
                response.widget_info(|| {
                    let track = super::rows::track_name(&self.board.clip.tracks[handle.track]);
                    let which = ["start", "end"][handle.point];
                    let secs = self.cx.show_time(handle.ends[0][0]);
                    let name = format!("Easing {which} handle of {track} from {secs}");
                    WidgetInfo::labeled(Role::Slider, true, name)
                });
            }
        }
    }

    fn widgets_of_keys(&self) {
        let (from, to) = self.board.visible_secs();
        let canvas = self.board.canvas;
        if self.spots(from, to).take(MOST_WIDGETS + 1).count() > MOST_WIDGETS {
            for (at, _) in &self.kept.lines {
                let track = &self.board.clip.tracks[*at];
                let id = self.ui.scope_id().with(("curve", track.uid.0));
                let response = self.ui.interact(canvas, id, Sense::hover());
                response.widget_info(|| {
                    let keys = text::count(track.keys.len(), "key", "keys");
                    let name = format!("Curve of {}, {keys}", super::rows::track_name(track));
                    WidgetInfo::labeled(Role::ListItem, true, name)
                });
            }
            return;
        }
        for spot in self.spots(from, to) {
            let rect = Rect::from_center_size(self.place(spot), vec2(16.0, 16.0)).intersect(canvas);
            if !rect.is_positive() {
                continue;
            }
            let uid = self.uid(spot);
            let id = self.ui.scope_id().with(("spot", uid.0, spot.axis));
            let response = self.ui.interact(rect, id, Sense::hover());
            response.widget_info(|| {
                let track = self.track(spot);
                let name = ["X", "Y", "Z"][spot.axis];
                let secs = self.cx.show_time(track.keys[spot.key].time);
                let name = format!("{} {name}, key at {secs}", super::rows::track_name(track));
                let chosen = self.kept.chosen.keys.contains(&uid);
                WidgetInfo::selected(Role::ListItem, true, chosen, name)
            });
        }
    }

    fn hit(&self, pos: Pos2, handles: &[paint::Handle], focus: Option<(Uid, usize)>) -> Hit {
        let mut best: Option<((bool, bool, f32), Spot)> = None;
        let from = self.board.axis.time_from_screen(pos.x - pick::REACH);
        let to = self.board.axis.time_from_screen(pos.x + pick::REACH);
        for spot in self.spots(from, to) {
            let far = self.place(spot).distance(pos);
            if far > pick::REACH || commands::is_locked(self.board, spot.track) {
                continue;
            }
            let other = focus != Some((self.track(spot).uid, spot.axis));
            let rank = (!self.kept.chosen.keys.contains(&self.uid(spot)), other, far);
            if best.is_none_or(|(old, _)| rank < old) {
                best = Some((rank, spot));
            }
        }
        let near =
            |handle: &&paint::Handle| handle.places(self.board, &self.values).0.distance(pos);
        let handle = handles.iter().min_by(|a, b| near(a).total_cmp(&near(b)));
        let handle = handle.filter(|handle| near(handle) <= pick::REACH + 1.0);
        match (best, handle) {
            (Some(((_, _, far), spot)), Some(handle)) if far <= near(&handle) => Hit::Key(spot),
            (_, Some(handle)) => Hit::Handle(*handle),
            (Some((_, spot)), None) => Hit::Key(spot),
            (None, None) => Hit::Empty,
        }
    }

    /// The selection with this key; the tracks that are shown stay shown.
    fn with_key(&self, key: Uid, add: bool) -> Selection {
        let mut selection = pick::with_keys(self.cx, self.board, &[key], add);
        selection.tracks.extend(self.cx.selection().tracks.iter().copied());
        selection
    }
}

/// What the hand works with in one frame.
struct Panel<'a, 'b> {
    seen: Seen<'a, 'b>,
    handles: &'a [paint::Handle],
    curves: &'a mut CurveHand,
}

impl Canvas for Panel<'_, '_> {
    type Hit = Hit;

    fn board(&self) -> &Board<'_> {
        self.seen.board
    }

    fn ui(&self) -> &Ui {
        self.seen.ui
    }

    fn cx(&self) -> &Cx<'_> {
        self.seen.cx
    }

    fn nothing(&self) -> Hit {
        Hit::Empty
    }

    fn hit(&self, pos: Pos2) -> (Hit, bool) {
        let hit = self.seen.hit(pos, self.handles, self.curves.focus);
        let selected = match hit {
            Hit::Key(spot) => self.seen.kept.chosen.keys.contains(&self.seen.uid(spot)),
            _ => false,
        };
        (hit, selected)
    }

    fn press(&mut self, press: &Press<Hit>, actions: &mut Vec<Action>) {
        let Hit::Key(spot) = press.hit else { return };
        self.curves.focus = Some((self.seen.track(spot).uid, spot.axis));
        if !press.was_selected && !press.modifiers.command {
            let key = self.seen.uid(spot);
            actions.push(Action::Select(self.seen.with_key(key, press.modifiers.shift)));
        }
    }

    fn go_on(&mut self, pos: Pos2, down: bool, hand: &mut Hand, actions: &mut Vec<Action>) -> bool {
        let Some(mut drag) = self.curves.drag.take() else { return false };
        let Seen { ui, cx, board, values, .. } = self.seen;
        let Some(tag) = drag.update(ui, cx, board, &values, pos, actions) else {
            hand.spent = down;
            return true;
        };
        canvas::tell(self, (pos, &tag, drag.hint()), actions);
        if down {
            self.curves.drag = Some(drag);
        } else {
            drag.end(actions);
        }
        true
    }

    fn keys_in(&self, rect: Rect) -> Vec<Uid> {
        let seen = &self.seen;
        let from = seen.board.axis.time_from_screen(rect.left());
        let to = seen.board.axis.time_from_screen(rect.right());
        let inside = |spot: &Spot| {
            !commands::is_locked(seen.board, spot.track)
                && rect.y_range().contains(seen.place(*spot).y)
        };
        let spots = seen.spots(from, to).filter(inside);
        let mut keys: Vec<Uid> = spots.map(|spot| seen.uid(spot)).collect();
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    fn shows_selected(&self) -> bool {
        true
    }

    fn click(&self, press: &Press<Hit>, actions: &mut Vec<Action>) {
        let (seen, with) = (&self.seen, press.modifiers);
        let old = seen.cx.selection();
        match press.hit {
            Hit::Key(spot) if with.command => {
                let selection = pick::toggled(seen.cx, seen.board, &[seen.uid(spot)]);
                actions.push(Action::Select(selection));
            }
            Hit::Key(spot) if press.was_selected && !with.shift => {
                actions.push(Action::Select(seen.with_key(seen.uid(spot), false)));
            }
            Hit::Empty if !with.shift && !with.command && !old.keys.is_empty() => {
                // The curves stay: without them there would be nothing to click on.
                let keys = BTreeSet::new();
                actions.push(Action::Select(Selection { keys, ..old.clone() }));
            }
            _ => {}
        }
    }

    fn start(&mut self, press: Press<Hit>, now: Pos2, hand: &mut Hand, actions: &mut Vec<Action>) {
        let seen = &self.seen;
        let (ui, cx, board) = (seen.ui, seen.cx, seen.board);
        let origin = press.pos;
        match press.hit {
            Hit::Empty => canvas::begin_box(cx, &press, hand),
            Hit::Handle(handle) => {
                let at = handle.places(board, &seen.values).0;
                let what = What::Handle {
                    track: board.clip.tracks[handle.track].uid,
                    point: handle.point,
                    curve: handle.curve,
                    segment: handle.ends,
                    offset: [at.x - origin.x, at.y - origin.y],
                };
                actions.push(Action::Begin);
                self.curves.drag = Some(CurveDrag::new(what, origin));
            }
            Hit::Key(spot) => {
                let uid = seen.uid(spot);
                let mut keys = commands::selected_keys(cx, board);
                if !keys.contains(&uid) {
                    actions.push(Action::Select(seen.with_key(uid, false)));
                    keys = vec![uid];
                }
                let track = seen.track(spot);
                let secs = track.keys[spot.key].time;
                let moved = now - origin;
                let free = ui.input(|input| input.modifiers.alt);
                actions.push(Action::Begin);
                if !free && moved.x.abs() >= moved.y.abs() {
                    let from = (origin, board.axis.time_from_screen(origin.x));
                    let drag = hand::begin(ui, cx, board, Kind::Move, keys, from, Some(secs));
                    hand.drag = Some(drag);
                    return;
                }
                // Metres, degrees and factors are not added to each other.
                let of_kind = |key: &Uid| {
                    let place = cx.workspace().find_key(board.doc, *key);
                    place.is_some_and(|(t, _)| board.clip.tracks[t].property == track.property)
                };
                keys.retain(of_kind);
                let times = keys.iter().filter_map(|key| {
                    let (track, at) = cx.workspace().find_key(board.doc, *key)?;
                    Some(board.clip.tracks[track].keys[at].time)
                });
                let span = times.fold((secs, secs), |(a, b), time| (a.min(time), b.max(time)));
                let what = What::Value {
                    keys: Arc::new(keys),
                    anchor: (uid, secs),
                    span_secs: span,
                    axis: spot.axis,
                    property: track.property,
                    from: track.keys[spot.key].value[spot.axis] * unit(track.property),
                    free,
                };
                self.curves.drag = Some(CurveDrag::new(what, origin));
            }
        }
    }

    fn hover(&self, pos: Pos2, _: &Hand, actions: &mut Vec<Action>) {
        let (cursor, words) = match self.hit(pos).0 {
            Hit::Key(_) => {
                let words = "Sideways moves the key in time, up and down this axis · Alt frees \
                             both · Ctrl inverts snapping";
                (CursorIcon::Grab, words)
            }
            Hit::Handle(_) => (CursorIcon::Grab, "Drag to change the easing of the whole track"),
            Hit::Empty => {
                let words =
                    "Drag a box to select · wheel zooms time, Ctrl+wheel values · Shift+wheel pans";
                (CursorIcon::Default, words)
            }
        };
        if cursor != CursorIcon::Default {
            self.ui().ctx().set_cursor_icon(cursor);
        }
        actions.push(Action::Hint(words.to_owned()));
    }
}

/// The property that all of these tracks have, for the unit of the axis.
fn common_property(clip: &Clip, tracks: &[usize]) -> Option<Property> {
    let mut of = tracks.iter().map(|track| clip.tracks[*track].property);
    let first = of.next()?;
    of.all(|property| property == first).then_some(first)
}

/// The values that some curves reach.
fn span_of<'l>(
    lines: impl Iterator<Item = &'l (usize, Arc<Lines>)>,
    channels: [bool; 3],
) -> Option<(f64, f64)> {
    let spans = lines.flat_map(|(_, lines)| (0..3).map(|axis| (axis, lines.spans[axis])));
    let shown = spans.filter(|(axis, (low, high))| channels[*axis] && low <= high);
    shown.map(|(_, span)| span).reduce(|(a, b), (low, high)| (a.min(low), b.max(high)))
}
