//! The names at the left of dope sheet and curves: fold, select, mute, lock, easing.

use super::board::Board;
use super::menus;
use super::places::filter_field;
use super::rows::{Row, row_name, selected_parts, track_name};
use crate::edit::{Selected, Selection};
use crate::model::{Clip, Track, Uid};
use crate::ui::action::Action;
use crate::ui::cx::Cx;
use crate::ui::theme::{self, Theme};
use crate::ui::widgets;
use eframe::egui::{
    self, Align2, Color32, CornerRadius, Rect, Response, Role, Sense, Shape, Stroke, Ui,
    WidgetInfo, pos2, vec2,
};
use egui_material_icons::icons;
use std::sync::Arc;

/// Which of X, Y and Z buttons stand in a track's row, for the curves.
pub type Channels<'a> = Option<([bool; 3], &'a [usize])>;

/// Shows the head above the names.
pub fn head(ui: &mut Ui, cx: &Cx<'_>, board: &Board<'_>, actions: &mut Vec<Action>) {
    let rect = board.head;
    let theme = cx.theme;
    let inner = rect.shrink2(vec2(8.0, 1.0));
    let mut ui = ui.new_child(
        egui::UiBuilder::new()
            .id_salt("head")
            .max_rect(inner)
            .layout(egui::Layout::left_to_right(egui::Align::Center)),
    );
    ui.set_clip_rect(rect.intersect(ui.clip_rect()));
    ui.spacing_mut().item_spacing.x = 4.0;
    ui.spacing_mut().interact_size.y = 22.0;
    let words = egui::RichText::new("Tracks").size(theme::LABEL_SIZE).color(theme.muted);
    ui.label(words);
    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
        let more = bare_icon(ui, icons::ICON_MORE_VERT, "More for tracks", theme.muted);
        egui::Popup::menu(&more).show(|ui| menus::more(ui, cx, board, actions));
        more.on_hover_text("Folding, muting, zoom, and what can be done with keys");
        let add = bare_icon(ui, icons::ICON_ADD, "Add track", theme.muted);
        egui::Popup::menu(&add)
            .close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside)
            .show(|ui| menus::add_track(ui, cx, board, actions));
        add.on_hover_text("A new track of a part, with its first key at the playhead");
        let width = (ui.available_width() - 8.0).clamp(20.0, 130.0);
        let words = ("filter", "Filter tracks");
        let filter = filter_field(ui, &board.view.filter, words, width, egui::Align2::RIGHT_CENTER);
        if let Some(filter) = filter {
            board.look(actions, |view| {
                view.filter = filter;
                view.scroll = 0.0;
            });
        }
    });
}

/// An icon without a frame.
fn bare_icon(
    ui: &mut Ui,
    icon: egui_material_icons::MaterialIcon,
    name: &str,
    color: Color32,
) -> Response {
    let words =
        egui::RichText::new(icon.codepoint).family(icon.font_family()).size(16.0).color(color);
    let response = ui.add(egui::Button::new(words).frame(false).min_size(vec2(18.0, 22.0)));
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, name));
    response
}

/// Draws what lies behind names and keys: part rows filled, selected rows in blue.
pub fn paint_grounds(ui: &Ui, cx: &Cx<'_>, board: &Board<'_>) {
    let theme = cx.theme;
    let all = board.names.union(board.canvas);
    let painter = ui.painter().with_clip_rect(all.intersect(ui.clip_rect()));
    let parts = selected_parts(cx);
    let selection = cx.selection();
    for index in board.seen() {
        let rect = board.row_rect(index);
        let fill = match &board.rows.rows[index] {
            Row::Summary => continue,
            Row::Part { part, folded, tracks } => {
                let inside = tracks.iter().any(|t| is_selected(board, selection, *t));
                match *folded && (inside || parts.contains(part)) {
                    true => theme.row_selected,
                    false => theme.control.gamma_multiply(0.55),
                }
            }
            Row::Track(track) if is_selected(board, selection, *track) => theme.row_selected,
            Row::Track(_) => continue,
        };
        painter.rect_filled(rect.shrink2(vec2(0.0, 0.5)), CornerRadius::same(2), fill);
    }
}

/// Whether a track is selected.
pub fn is_selected(board: &Board<'_>, selection: &Selection, track: usize) -> bool {
    let Some(track) = board.clip.tracks.get(track) else { return false };
    selection.tracks.contains(&(board.doc, track.uid))
}

/// Shows the names.
pub fn show(
    ui: &mut Ui,
    cx: &Cx<'_>,
    board: &Board<'_>,
    channels: Channels<'_>,
    actions: &mut Vec<Action>,
) {
    let ground = ui.interact(board.names, ui.scope_id().with("names"), Sense::click());
    ground.widget_info(|| WidgetInfo::labeled(Role::List, true, "Tracks"));
    board.wheel_on_names(ui, &ground, actions);
    if ground.clicked() && !cx.selection().tracks.is_empty() {
        let selection = Selection { tracks: Default::default(), ..cx.selection().clone() };
        actions.push(Action::Select(selection));
    }
    let clip_rect = board.names.intersect(ui.clip_rect());
    let outer = ui.clip_rect();
    ui.set_clip_rect(clip_rect);
    for index in board.seen() {
        let full = board.row_rect(index);
        let rect = Rect::from_min_max(full.min, pos2(board.names.right(), full.max.y));
        match &board.rows.rows[index] {
            Row::Summary => {
                let at = rect.left_center() + vec2(12.0, 0.0);
                words(ui, at, "Summary", cx.theme.text, true, rect.right());
            }
            Row::Part { part, folded, tracks } => {
                part_row(ui, cx, board, (rect, index), (part, *folded, tracks), actions);
            }
            Row::Track(track) => track_row(ui, cx, board, rect, *track, channels, actions),
        }
    }
    ui.set_clip_rect(outer);
    let by = board.scroll_bar(ui, cx.theme, "Scroll tracks");
    if by != 0.0 {
        board.scroll_by(by, actions);
    }
}

fn words(ui: &Ui, at: egui::Pos2, text: &str, color: Color32, strong: bool, right: f32) -> f32 {
    let mut job = egui::text::LayoutJob::simple_singleline(
        text.to_owned(),
        egui::FontId::proportional(theme::TEXT_SIZE),
        color,
    );
    job.wrap = egui::text::TextWrapping::truncate_at_width((right - at.x).max(1.0));
    let galley = ui.painter().layout_job(job);
    let place = at - vec2(0.0, galley.size().y / 2.0);
    let end = place.x + galley.size().x;
    if strong {
        // No bold face is shipped: a second stroke beside the first makes one.
        ui.painter().galley(place + vec2(0.35, 0.0), galley.clone(), color);
    }
    ui.painter().galley(place, galley, color);
    end
}

fn part_row(
    ui: &mut Ui,
    cx: &Cx<'_>,
    board: &Board<'_>,
    (rect, index): (Rect, usize),
    (part, folded, tracks): (&str, bool, &[usize]),
    actions: &mut Vec<Action>,
) {
    let theme = cx.theme;
    let id = ui.scope_id().with(("part", part));
    let response = ui.interact(rect, id, Sense::click());
    let name = row_name(board.clip, &board.rows.rows[index]);
    response.widget_info(|| WidgetInfo::labeled(Role::TreeItem, true, &name));
    let triangle = Rect::from_center_size(rect.left_center() + vec2(14.0, 0.0), vec2(20.0, 22.0));
    let fold = ui.interact(triangle, id.with("fold"), Sense::click());
    let verb = if folded { "Unfold" } else { "Fold" };
    fold.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("{verb} {name}")));
    if fold.clicked() || response.double_clicked() {
        board.look(actions, |view| {
            if !view.folded.remove(part) {
                view.folded.insert(part.to_owned());
            }
        });
    } else if response.clicked() {
        select(ui, cx, board, tracks, actions);
    }
    let hovered = response.hovered() || fold.hovered();
    let color = if fold.hovered() { theme.text } else { theme.muted };
    fold_triangle(ui, triangle.center(), folded, color);
    let text_color = if part.is_empty() { theme.warning } else { theme.text };
    words(ui, rect.left_center() + vec2(26.0, 0.0), &name, text_color, true, rect.right() - 60.0);
    let uids: Vec<Uid> = tracks.iter().map(|t| board.clip.tracks[*t].uid).collect();
    let right = pos2(rect.right() - 4.0, rect.center().y);
    switches(ui, cx, board, (&name, &uids), right, hovered, actions);
    response.context_menu(|ui| menus::row(ui, cx, board, &uids, actions));
}

fn fold_triangle(ui: &Ui, center: egui::Pos2, folded: bool, color: Color32) {
    let points = if folded {
        vec![vec2(-2.5, -4.0), vec2(3.5, 0.0), vec2(-2.5, 4.0)]
    } else {
        vec![vec2(-4.0, -2.5), vec2(4.0, -2.5), vec2(0.0, 3.5)]
    };
    let points = points.into_iter().map(|p| center + p).collect();
    ui.painter().add(Shape::convex_polygon(points, color, Stroke::NONE));
}

fn track_row(
    ui: &mut Ui,
    cx: &Cx<'_>,
    board: &Board<'_>,
    rect: Rect,
    index: usize,
    channels: Channels<'_>,
    actions: &mut Vec<Action>,
) {
    let theme = cx.theme;
    let track = &board.clip.tracks[index];
    let name = track_name(track);
    let id = ui.scope_id().with(("track", track.uid.0));
    let selected = is_selected(board, cx.selection(), index);
    let response = ui.interact(rect, id, Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::TreeItem, true, selected, &name));
    if response.clicked() {
        select(ui, cx, board, &[index], actions);
    }
    let muted = board.view.muted.contains(&track.uid);
    let color = match (muted, selected) {
        (true, _) => theme.dim,
        (false, true) => theme.text,
        (false, false) => theme.muted,
    };
    let at = rect.left_center() + vec2(34.0, 0.0);
    words(ui, at, track.property.as_str(), color, false, rect.right() - 120.0);

    let easing = track.interpolation.as_str();
    let galley = ui.painter().layout_no_wrap(easing.to_owned(), Theme::small_font(), color);
    let place = Rect::from_min_max(
        pos2(rect.right() - 8.0 - galley.size().x - 4.0, rect.top()),
        pos2(rect.right() - 4.0, rect.bottom()),
    );
    let button = ui.interact(place, id.with("easing"), Sense::click());
    button.widget_info(|| {
        WidgetInfo::labeled(Role::Button, true, format!("Interpolation of {name}: {easing}"))
    });
    let color = if button.hovered() || selected { theme.text } else { theme.muted };
    let at =
        Align2::RIGHT_CENTER.anchor_size(pos2(rect.right() - 8.0, rect.center().y), galley.size());
    ui.painter().galley_with_override_text_color(at.min, galley, color);
    egui::Popup::menu(&button).show(|ui| {
        menus::interpolation(ui, cx, board, &targets(cx, board, track), actions);
    });
    button.on_hover_text("How the track moves between all its keys");

    let mut right = place.left() - 8.0;
    if let Some((shown, _)) = channels.filter(|(_, tracks)| tracks.contains(&index)) {
        right = channel_buttons(ui, cx, board, id, shown, pos2(right, rect.center().y), actions);
    }
    let hovered = response.hovered();
    let right = pos2(right, rect.center().y);
    switches(ui, cx, board, (&name, &[track.uid]), right, hovered || selected, actions);
    let uids = targets(cx, board, track);
    response.context_menu(|ui| menus::row(ui, cx, board, &uids, actions));
}

/// The selected tracks if this is one of them, otherwise this one.
fn targets(cx: &Cx<'_>, board: &Board<'_>, track: &Track) -> Vec<Uid> {
    let selected = &cx.selection().tracks;
    if !selected.contains(&(board.doc, track.uid)) {
        return vec![track.uid];
    }
    selected.iter().filter(|(doc, _)| *doc == board.doc).map(|(_, uid)| *uid).collect()
}

/// X, Y and Z, filled where the curves show them. Gives what is left of them free.
fn channel_buttons(
    ui: &mut Ui,
    cx: &Cx<'_>,
    board: &Board<'_>,
    id: egui::Id,
    shown: [bool; 3],
    right_center: egui::Pos2,
    actions: &mut Vec<Action>,
) -> f32 {
    let mut right = right_center.x;
    for axis in (0..3).rev() {
        let name = ["X", "Y", "Z"][axis];
        let rect = Rect::from_center_size(pos2(right - 11.0, right_center.y), vec2(22.0, 17.0));
        let response = ui.interact(rect, id.with(("channel", axis)), Sense::click());
        response.widget_info(|| {
            WidgetInfo::selected(Role::Button, true, shown[axis], format!("Show {name}"))
        });
        let color = cx.theme.axes[axis];
        let (fill, ink) = match shown[axis] {
            true => (color, cx.theme.on_accent),
            false => (color.gamma_multiply(0.25), cx.theme.muted),
        };
        ui.painter().rect_filled(rect.shrink2(vec2(1.0, 0.0)), CornerRadius::same(3), fill);
        let font = Theme::small_font();
        ui.painter().text(rect.center(), Align2::CENTER_CENTER, name, font, ink);
        if response.clicked() {
            let only = ui.input(|input| input.modifiers.shift);
            board.look(actions, |view| {
                if only {
                    view.channels = std::array::from_fn(|at| at == axis);
                } else {
                    view.channels[axis] = !view.channels[axis];
                }
            });
        }
        response.on_hover_text(format!("Show the {name} curves; Shift shows them alone"));
        right -= 25.0;
    }
    right
}

/// Mute and lock: seen where they are on, and in the row under the pointer.
fn switches(
    ui: &mut Ui,
    cx: &Cx<'_>,
    board: &Board<'_>,
    (name, uids): (&str, &[Uid]),
    right_center: egui::Pos2,
    shown: bool,
    actions: &mut Vec<Action>,
) {
    let muted = uids.iter().all(|uid| board.view.muted.contains(uid));
    let locked = uids.iter().all(|uid| board.view.locked.contains(uid));
    let row = ui.scope_id().with(("switches", uids.first().map(|uid| uid.0), uids.len(), name));
    let entries = [
        (1, locked, "Lock", icons::ICON_LOCK, icons::ICON_LOCK_OPEN),
        (0, muted, "Mute", icons::ICON_VISIBILITY_OFF, icons::ICON_VISIBILITY),
    ];
    for (place, on, verb, icon_on, icon_off) in entries {
        let left = if place == 0 { 30.0 } else { 10.0 };
        let rect = Rect::from_center_size(right_center - vec2(left, 0.0), vec2(18.0, 20.0));
        let response = ui.interact(rect, row.with(verb), Sense::click());
        let label = format!("{}{verb} {name}", if on { "Un" } else { "" });
        let label = label.replace("UnMute", "Unmute").replace("UnLock", "Unlock");
        response.widget_info(|| WidgetInfo::selected(Role::Button, true, on, &label));
        if on || shown || response.hovered() {
            let icon = if on { icon_on } else { icon_off };
            let color = match (on, response.hovered()) {
                (_, true) => cx.theme.text,
                (true, false) => cx.theme.selection,
                (false, false) => cx.theme.dim,
            };
            let font = egui::FontId::new(14.0, icon.font_family());
            ui.painter().text(rect.center(), Align2::CENTER_CENTER, icon.codepoint, font, color);
        }
        if response.clicked() {
            toggle(board, uids, verb == "Mute", on, actions);
        }
        response.on_hover_text(match verb {
            "Mute" => "Leave this out of the preview; the file keeps it",
            _ => "Keep this from being changed here; the file does not know it",
        });
    }
}

/// Mutes or locks tracks, or takes that away, for the view alone.
pub fn toggle(
    board: &Board<'_>,
    uids: &[Uid],
    mute: bool,
    was_on: bool,
    actions: &mut Vec<Action>,
) {
    board.look(actions, |view| {
        let set = if mute { &mut view.muted } else { &mut view.locked };
        for uid in uids {
            if was_on {
                set.remove(uid);
            } else {
                set.insert(*uid);
            }
        }
    });
}

/// Selects tracks, and the nodes that they move: Shift adds, Ctrl toggles.
pub fn select(
    ui: &Ui,
    cx: &Cx<'_>,
    board: &Board<'_>,
    tracks: &[usize],
    actions: &mut Vec<Action>,
) {
    let modifiers = ui.input(|input| input.modifiers);
    let old = cx.selection();
    let picked: Vec<_> =
        tracks.iter().map(|index| (board.doc, board.clip.tracks[*index].uid)).collect();
    let mut selection = old.clone();
    if modifiers.command {
        let all = picked.iter().all(|track| old.tracks.contains(track));
        for track in picked {
            if all {
                selection.tracks.remove(&track);
            } else {
                selection.tracks.insert(track);
            }
        }
    } else {
        if !modifiers.shift {
            selection.tracks.clear();
            selection.keys.clear();
        }
        selection.tracks.extend(picked);
    }
    let names = parts_of(board.clip, tracks);
    mark_nodes(cx, board, &mut selection, &names, modifiers.shift || modifiers.command);
    actions.push(Action::Select(selection));
}

/// The parts of tracks, each once.
pub fn parts_of(clip: &Arc<Clip>, tracks: &[usize]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for index in tracks {
        let part = &clip.tracks[*index].part;
        if !part.is_empty() && !names.contains(part) {
            names.push(part.clone());
        }
    }
    names
}

/// Marks the nodes of parts in a selection, so that the tree, the viewport and the inspector show
/// what the keys move.
pub fn mark_nodes(
    cx: &Cx<'_>,
    board: &Board<'_>,
    selection: &mut Selection,
    parts: &[String],
    add: bool,
) {
    let nodes: Vec<Selected> = match cx.rig() {
        Some((doc, rig)) => parts
            .iter()
            .filter_map(|part| rig.nodes.iter().find(|node| node.id == *part))
            .map(|node| Selected::Node(doc, node.uid))
            .collect(),
        None => parts.iter().map(|part| Selected::Part(board.doc, part.clone())).collect(),
    };
    if nodes.is_empty() {
        return;
    }
    if !add {
        selection.nodes.clear();
    }
    selection.active = nodes.last().cloned();
    selection.nodes.extend(nodes);
}

/// What an empty timeline says.
pub fn empty(ui: &mut Ui, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    use crate::ui::command::CommandId;
    let steps = [(CommandId::Open, "Open…"), (CommandId::NewRigClip, "New rig clip…")];
    widgets::empty(ui, cx, "The keys of a clip over time.", &steps, actions);
}
