//! Small widgets that panels share.

use super::action::Action;
use super::command::{self, CommandId};
use super::cx::Cx;
use super::theme::{self, Theme};
use eframe::egui::{
    self, Align2, Color32, CornerRadius, FontId, Margin, Painter, Pos2, Rect, Response, RichText,
    Role, TextEdit, Ui, WidgetInfo, vec2,
};

/// A button that is filled with the accent while it is on.
pub fn toggle(ui: &mut Ui, theme: &Theme, on: bool, text: &str) -> Response {
    filled(ui, theme, on, text, |button| button.selected(on))
}

/// The button that a form leads to, filled with the accent once it can be pressed.
pub fn primary_button(ui: &mut Ui, theme: &Theme, enabled: bool, text: &str) -> Response {
    ui.add_enabled_ui(enabled, |ui| filled(ui, theme, enabled, text, |button| button)).inner
}

fn filled(
    ui: &mut Ui,
    theme: &Theme,
    on: bool,
    text: &str,
    more: impl FnOnce(egui::Button<'_>) -> egui::Button<'_>,
) -> Response {
    let (fill, color) =
        if on { (theme.accent, theme.on_accent) } else { (theme.control, theme.text) };
    let button = egui::Button::new(RichText::new(text).color(color))
        .fill(fill)
        .min_size(vec2(0.0, theme::ROW - 2.0));
    let button = more(button);
    ui.scope(|ui| {
        // Hovering and pressing keep the accent, so that it does not flicker to grey.
        let widgets = &mut ui.visuals_mut().widgets;
        if on {
            widgets.hovered.weak_bg_fill = theme.accent;
            widgets.active.weak_bg_fill = theme.accent;
            ui.visuals_mut().selection.bg_fill = theme.accent;
        }
        ui.add(button)
    })
    .inner
}

/// A small square button with an icon; `name` is what it is called where it is read aloud.
pub fn icon_button(
    ui: &mut Ui,
    icon: egui_material_icons::MaterialIcon,
    name: &str,
    on: bool,
    theme: &Theme,
) -> Response {
    let (fill, color) =
        if on { (theme.accent, theme.on_accent) } else { (theme.control, theme.text) };
    let text = RichText::new(icon.codepoint).family(icon.font_family()).size(18.0).color(color);
    let response =
        ui.add(egui::Button::new(text).fill(fill).min_size(theme::ICON_BUTTON).selected(on));
    response
        .widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, ui.is_enabled(), on, name));
    response
}

/// A button that carries out a command, with the command's tooltip.
pub fn command_button(
    ui: &mut Ui,
    cx: &Cx<'_>,
    id: CommandId,
    text: &str,
    actions: &mut Vec<Action>,
) -> Response {
    let enabled = command::is_enabled(id, cx);
    let response = ui.add_enabled(enabled, egui::Button::new(text));
    if response.clicked() {
        actions.push(Action::Command(id));
    }
    let words = cx.tooltip(id);
    response.on_hover_text(&words).on_disabled_hover_text(words)
}

/// A field to search in a list: as high as the buttons beside it. `name` is read aloud.
pub fn search_field(
    ui: &mut Ui,
    text: &mut String,
    hint: &str,
    name: &str,
    width: f32,
) -> Response {
    let field = TextEdit::singleline(text)
        .hint_text(hint)
        .desired_width(width)
        .min_size(vec2(0.0, ui.spacing().interact_size.y))
        .align(Align2::LEFT_CENTER);
    let response = ui.add(field);
    response.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, name));
    response
}

/// A heading of a section of fields.
pub fn section(ui: &mut Ui, theme: &Theme, text: &str) {
    ui.add_space(8.0);
    ui.label(RichText::new(text).size(theme::SMALL_SIZE).color(theme.muted));
}

/// What an empty panel is for, and the first step as buttons.
pub fn empty(
    ui: &mut Ui,
    cx: &Cx<'_>,
    text: &str,
    steps: &[(CommandId, &str)],
    actions: &mut Vec<Action>,
) {
    egui::Frame::new().inner_margin(Margin::same(12)).show(ui, |ui| {
        ui.vertical(|ui| {
            ui.add(egui::Label::new(RichText::new(text).color(cx.theme.muted)).wrap());
            ui.add_space(4.0);
            ui.horizontal_wrapped(|ui| {
                for (id, name) in steps {
                    command_button(ui, cx, *id, name, actions);
                }
            });
        });
    });
}

/// A number beside what is dragged: dark, small, with its unit and sign. It keeps inside `within`.
pub fn tag(painter: &Painter, theme: &Theme, at: Pos2, text: &str, color: Color32, within: Rect) {
    let galley = painter.layout_no_wrap(
        text.to_owned(),
        FontId::new(theme::LABEL_SIZE, egui::FontFamily::Monospace),
        color,
    );
    let size = galley.size() + vec2(16.0, 8.0);
    let mut rect = Align2::LEFT_BOTTOM.anchor_size(at + vec2(12.0, -8.0), size);
    let over = vec2(
        (rect.right() - within.right()).max(0.0) - (within.left() - rect.left()).max(0.0),
        (rect.bottom() - within.bottom()).max(0.0) - (within.top() - rect.top()).max(0.0),
    );
    rect = rect.translate(-over);
    painter.rect_filled(rect, CornerRadius::same(theme::CORNER), theme.tag);
    painter.galley(rect.min + vec2(8.0, 4.0), galley, color);
}

/// The 11-point diamond of a key.
pub fn diamond(painter: &Painter, center: Pos2, color: Color32) {
    diamond_sized(painter, center, 5.5, color);
}

/// A diamond of another size: from its middle to a corner, in points.
pub fn diamond_sized(painter: &Painter, center: Pos2, radius: f32, color: Color32) {
    painter.add(egui::Shape::convex_polygon(
        vec![
            center + vec2(0.0, -radius),
            center + vec2(radius, 0.0),
            center + vec2(0.0, radius),
            center + vec2(-radius, 0.0),
        ],
        color,
        egui::Stroke::NONE,
    ));
}
