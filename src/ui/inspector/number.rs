//! A field with a number: click to type, drag to change.

use crate::ui::cx::Cx;
use crate::ui::expr::{self, Typed};
use crate::ui::{text, theme};
use eframe::egui::{
    self, Align2, Color32, CornerRadius, CursorIcon, FontId, Id, Key, PointerButton, Rect, Role,
    Sense, Stroke, StrokeKind, TextEdit, Ui, WidgetInfo, pos2, vec2,
};

/// What a field shows.
#[derive(Clone, Copy, Debug)]
pub struct Look<'a> {
    /// What it is called where it is read aloud.
    pub name: &'a str,
    /// The value in the units that are shown; `None` where those selected differ.
    pub value: Option<f64>,
    /// Digits behind the point.
    pub places: usize,
    /// By how much one point of a drag changes it.
    pub per_point: f64,
    /// What a drag lands on while it snaps.
    pub snap: f64,
    /// The colour of its left edge.
    pub edge: Option<Color32>,
    /// Whether it can be changed.
    pub enabled: bool,
}

/// What the hand did to a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// Nothing.
    None,
    /// A drag begins.
    Begin,
    /// The total change of the drag so far, in the units that are shown.
    Drag(f64),
    /// The drag ends where it is.
    End,
    /// Something was typed.
    Typed(Typed),
}

/// What a field remembers while it is used.
#[derive(Clone, Debug, Default)]
struct Memory {
    typing: Option<String>,
    focused: bool,
    /// Points dragged so far, and whether the window still knows of it.
    dragged: Option<(f64, u32)>,
    shown: Option<f64>,
    wrong: bool,
}

/// A field, where it stands and what it shows.
#[derive(Clone, Copy)]
struct Field<'a> {
    cx: &'a Cx<'a>,
    id: Id,
    rect: Rect,
    look: &'a Look<'a>,
}

/// Shows a field.
pub fn show(ui: &mut Ui, cx: &Cx<'_>, id: Id, rect: Rect, look: &Look<'_>) -> Event {
    let field = Field { cx, id, rect, look };
    let mut memory: Memory = ui.data(|data| data.get_temp(id)).unwrap_or_default();
    let event = if memory.typing.is_some() {
        type_in(ui, field, &mut memory)
    } else {
        rest(ui, field, &mut memory)
    };
    ui.data_mut(|data| data.insert_temp(id, memory));
    event
}

fn exact(value: f64) -> String {
    // Enough digits to type on from, without the noise of the last one.
    let rounded = (value * 1e9).round() / 1e9 + 0.0;
    format!("{rounded}")
}

fn rest(ui: &mut Ui, field: Field<'_>, memory: &mut Memory) -> Event {
    let Field { cx, id, rect, look } = field;
    let theme = cx.theme;
    let sense = if look.enabled { Sense::click_and_drag() } else { Sense::hover() };
    let response = ui.interact(rect, id, sense);
    let words = match look.value {
        Some(value) => text::number(value, look.places),
        None => "mixed".to_owned(),
    };
    response.widget_info(|| {
        let mut info = WidgetInfo::labeled(Role::SpinButton, look.enabled, look.name);
        info.value = look.value;
        info.current_text_value = Some(words.clone());
        info
    });
    let seen = look.value.map(|value| fitting(ui, value, look.places, rect.width() - 10.0));
    let seen = seen.unwrap_or_else(|| words.clone());
    let painter = ui.painter();
    let corner = CornerRadius::same(theme::CORNER);
    let fill = if response.hovered() && look.enabled { theme.control } else { theme.ground };
    painter.rect_filled(rect, corner, fill);
    painter.rect_stroke(rect, corner, Stroke::new(1.0, theme.line), StrokeKind::Inside);
    if response.gained_focus() {
        response.scroll_to_me(None);
    }
    if response.has_focus() {
        painter.rect_stroke(rect, corner, Stroke::new(1.0, theme.accent), StrokeKind::Inside);
    }
    edge(ui, rect, look);
    let color = if look.value.is_some() && look.enabled { theme.text } else { theme.muted };
    let font = FontId::monospace(theme::LABEL_SIZE);
    let clip = rect.shrink2(vec2(5.0, 0.0)).intersect(ui.clip_rect());
    let at = pos2(rect.right() - 6.0, rect.center().y);
    ui.painter().with_clip_rect(clip).text(at, Align2::RIGHT_CENTER, seen, font, color);
    if !look.enabled {
        return Event::None;
    }
    if response.hovered() || response.dragged() {
        ui.ctx().set_cursor_icon(CursorIcon::ResizeHorizontal);
    }
    let opened = response.clicked()
        || response.has_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    if opened {
        memory.typing = Some(look.value.map(exact).unwrap_or_default());
        memory.focused = false;
        memory.wrong = false;
        ui.ctx().request_repaint();
        return Event::None;
    }
    if response.drag_started_by(PointerButton::Primary) {
        memory.dragged = Some((0.0, 0));
        memory.shown = None;
        return Event::Begin;
    }
    let Some((points, frames)) = memory.dragged else { return Event::None };
    if cx.editor.gesture().is_none() {
        // Escape, or another window: it has ended without us.
        memory.dragged = None;
        return Event::None;
    }
    if !response.dragged_by(PointerButton::Primary) {
        memory.dragged = None;
        return Event::End;
    }
    let modifiers = ui.input(|input| input.modifiers);
    let fine = if modifiers.shift { 0.1 } else { 1.0 };
    let points = points + f64::from(response.drag_delta().x) * fine;
    memory.dragged = Some((points, frames.saturating_add(1)));
    let mut total = points * look.per_point;
    if modifiers.command && look.snap > 0.0 {
        total = (total / look.snap).round() * look.snap;
    }
    if memory.shown == Some(total) {
        return Event::None;
    }
    memory.shown = Some(total);
    Event::Drag(total)
}

/// A number with as many digits behind the point as there is room for: one without its first
/// digits would be another number.
fn fitting(ui: &Ui, value: f64, places: usize, room: f32) -> String {
    let font = FontId::monospace(theme::LABEL_SIZE);
    let digit = ui.fonts_mut(|fonts| fonts.glyph_width(&font, '0')).max(1.0);
    let fits = |words: &String| words.chars().count() as f32 * digit <= room;
    let tries = (0..=places).rev().map(|places| text::number(value, places));
    let mut last = String::new();
    for words in tries {
        if fits(&words) {
            return words;
        }
        last = words;
    }
    last
}

fn edge(ui: &Ui, rect: Rect, look: &Look<'_>) {
    if let Some(color) = look.edge {
        let bar = Rect::from_min_max(rect.min, pos2(rect.left() + 2.0, rect.bottom()));
        ui.painter().rect_filled(bar, 1.0, color);
    }
}

fn type_in(ui: &mut Ui, field: Field<'_>, memory: &mut Memory) -> Event {
    let Field { cx, id, rect, look } = field;
    let mut typed = memory.typing.take().unwrap_or_default();
    let (enter, escape, away) = ui.input(|input| {
        (input.key_pressed(Key::Enter), input.key_pressed(Key::Escape), !input.focused)
    });
    let field_id = id.with("text");
    let parsed = expr::parse(&typed);
    let color = if parsed.is_none() && memory.wrong { cx.theme.error } else { cx.theme.text };
    let field = TextEdit::singleline(&mut typed)
        .id(field_id)
        .font(FontId::monospace(theme::LABEL_SIZE))
        .text_color(color)
        .align(egui::Align2::RIGHT_CENTER)
        .margin(egui::Margin::symmetric(5, 2))
        .min_size(rect.size())
        .desired_width(rect.width() - 10.0);
    let response = ui.place(rect, field);
    response.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, look.name));
    edge(ui, rect, look);
    if !memory.focused {
        memory.focused = true;
        response.request_focus();
        super::select_all(ui, field_id, typed.chars().count());
    }
    if escape {
        return Event::None;
    }
    if !(enter || response.lost_focus() || away) {
        memory.typing = Some(typed);
        return Event::None;
    }
    match expr::parse(&typed) {
        Some(Typed::Set(value)) if look.value.map(exact) == Some(exact(value)) => Event::None,
        Some(typed) => Event::Typed(typed),
        None if enter => {
            // It stays, in red, until it is a number or given up.
            memory.wrong = true;
            memory.focused = false;
            memory.typing = Some(typed);
            Event::None
        }
        None => Event::None,
    }
}
