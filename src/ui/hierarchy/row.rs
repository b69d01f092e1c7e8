//! One row of the tree.

use super::rows::Row;
use super::{Memory, memory_id, menu, rename, toggle_fold};
use crate::edit::{Selected, Selection};
use crate::model::NodeKind;
use crate::ui::action::Action;
use crate::ui::cx::Cx;
use crate::ui::{nodes, text, theme, widgets};
use eframe::egui::{
    self, Align2, Color32, CornerRadius, CursorIcon, FontId, Painter, Pos2, Rect, Response, Role,
    Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2,
};
use egui_material_icons::icons;

/// Width of a step to the right, in points.
const INDENT: f32 = 16.0;

/// Where the words of a row this deep begin, from the row's left, in points.
pub fn indent(depth: usize) -> f32 {
    12.0 + depth.min(24) as f32 * INDENT
}

/// Shows it.
pub fn show(
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
    let left = rect.left() + indent(row.depth);
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
        let done = rename::field(ui, cx, row, place, &mut typed, &mut memory.focused, actions);
        memory.renaming = (!done).then(|| (row.what.clone(), typed));
    } else {
        let color = if hidden { theme.dim } else { theme.text };
        let font = FontId::proportional(theme::TEXT_SIZE);
        let galley = painter.layout_no_wrap(name.clone(), font, color);
        let clip = Rect::from_min_max(pos2(text_left, rect.top()), pos2(right, rect.bottom()));
        let at = pos2(text_left, mid - galley.size().y * 0.5);
        painter.with_clip_rect(clip.intersect(painter.clip_rect())).galley(at, galley, color);
    }
    if response.drag_started() && cx.rig().is_some() && cx.export().is_none() {
        memory.dragged = Some(pressed(ui, rows, row, rect).what.clone());
    }
    if memory.dragged.is_some() && response.dragged() {
        ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
    }
    if response.clicked() {
        let modifiers = ui.input(|input| input.modifiers);
        actions.push(Action::Select(clicked(cx, rows, row, memory, modifiers)));
    }
    if response.double_clicked() && cx.export().is_none() {
        memory.renaming = Some((row.what.clone(), row.id.clone()));
        memory.focused = false;
    }
    if response.secondary_clicked() && !selected {
        actions.push(Action::Select(cx.selection().with_node(row.what.clone())));
    }
    response.context_menu(|ui| menu::show(ui, cx, memory, Some(row), actions));
    if response.hovered() && memory.dragged.is_none() {
        actions.push(Action::Hint(
            "Click selects · drag onto a row to reparent, between rows to move · F2 renames"
                .to_owned(),
        ));
    }
    let shown = nodes::node(cx, row.index).map(|node| node.display_name());
    match shown.filter(|shown| *shown != row.id && memory.dragged.is_none()) {
        Some(shown) => response.on_hover_text(text::name(shown)),
        None => response,
    }
}

/// The row that a press was on, where `row` in `rect` is the one that the pointer is on now: a
/// press and a quick move may come in one frame.
fn pressed<'r>(ui: &Ui, rows: &'r [Row], row: &'r Row, rect: Rect) -> &'r Row {
    let Some(origin) = ui.input(|input| input.pointer.press_origin()) else { return row };
    let off = ((origin.y - rect.top()) / rect.height()).floor() as isize;
    let here = rows.iter().position(|other| other.what == row.what);
    here.and_then(|here| rows.get(here.checked_add_signed(off)?)).unwrap_or(row)
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
            actions.push(menu::set_marks(cx, &[uid], hide, lock));
        }
        x -= 20.0;
    }
    x
}
