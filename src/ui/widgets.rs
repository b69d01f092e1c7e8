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

/// An entry of a menu that carries out a command, with its shortcut; `on` where it is on or off.
pub fn command_entry(
    ui: &mut Ui,
    cx: &Cx<'_>,
    id: CommandId,
    name: &str,
    on: Option<bool>,
    actions: &mut Vec<Action>,
) {
    let mut button = egui::Button::new(name);
    if let Some(shortcut) = command::command(id).shortcut(cx.settings().keymap) {
        button = button.shortcut_text(RichText::new(shortcut).color(cx.theme.muted));
    }
    if let Some(on) = on {
        button = button.selected(on);
    }
    let response = ui.add_enabled(command::is_enabled(id, cx), button);
    if response.clicked() {
        actions.push(Action::Command(id));
        ui.close();
    }
    let words = cx.tooltip(id);
    response.on_hover_text(&words).on_disabled_hover_text(words);
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
    tags(painter, theme, at, &[(at.y, text.to_owned(), color)], within);
}

/// Tags below each other, right above each one's height and beside `at`: those that would lie over
/// each other are pushed apart as little as need be.
pub fn tags(
    painter: &Painter,
    theme: &Theme,
    at: Pos2,
    wanted: &[(f32, String, Color32)],
    within: Rect,
) {
    let font = FontId::new(theme::LABEL_SIZE, egui::FontFamily::Monospace);
    let layout = |(y, text, color): &(f32, String, Color32)| {
        (*y, painter.layout_no_wrap(text.clone(), font.clone(), *color), *color)
    };
    let laid: Vec<_> = wanted.iter().map(layout).collect();
    let size = |galley: &egui::Galley| galley.size() + vec2(16.0, 8.0);
    let height = laid.iter().map(|(_, galley, _)| size(galley).y).fold(0.0, f32::max);
    let tops: Vec<f32> = laid.iter().map(|(y, ..)| y - 8.0 - height).collect();
    let tops = apart(&tops, height, within.y_range());
    for ((_, galley, color), top) in laid.into_iter().zip(tops) {
        let mut rect = Rect::from_min_size(Pos2::new(at.x + 12.0, top), size(&galley));
        let over =
            (rect.right() - within.right()).max(0.0) - (within.left() - rect.left()).max(0.0);
        rect = rect.translate(vec2(-over, 0.0));
        painter.rect_filled(rect, CornerRadius::same(theme::CORNER), theme.tag);
        painter.galley(rect.min + vec2(8.0, 4.0), galley, color);
    }
}

/// Where the tops of boxes of one height come that want to be at these tops and may not lie over
/// each other: as near as can be (by least squares), in the order of their wishes, and within
/// `range` where all fit.
fn apart(wanted: &[f32], height: f32, range: egui::Rangef) -> Vec<f32> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|a, b| wanted[*a].total_cmp(&wanted[*b]));
    // Without the boxes' own heights they may only not change places: neighbours that would are
    // pooled at their mean.
    let mut pools: Vec<(f32, usize)> = Vec::with_capacity(wanted.len());
    for (place, at) in order.iter().enumerate() {
        let mut pool = (wanted[*at] - place as f32 * height, 1);
        while let Some((mean, many)) = pools.pop_if(|(mean, _)| *mean > pool.0) {
            let all = many + pool.1;
            pool = ((mean * many as f32 + pool.0 * pool.1 as f32) / all as f32, all);
        }
        pools.push(pool);
    }
    let last = (range.max - wanted.len() as f32 * height).max(range.min);
    let mut tops = vec![0.0; wanted.len()];
    let means = pools.into_iter().flat_map(|(mean, many)| std::iter::repeat_n(mean, many));
    for ((place, at), mean) in order.into_iter().enumerate().zip(means) {
        tops[at] = mean.max(range.min).min(last) + place as f32 * height;
    }
    tops
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_near_each_other_are_pushed_apart() {
        let range = egui::Rangef::new(0.0, 100.0);
        // Free ones stay.
        assert_eq!(apart(&[50.0, 10.0], 20.0, range), [50.0, 10.0]);
        // Equal ones keep their order, and their middle.
        assert_eq!(apart(&[40.0, 40.0, 40.0], 20.0, range), [20.0, 40.0, 60.0]);
        assert_eq!(apart(&[45.0, 40.0], 20.0, range), [52.5, 32.5]);
        // At the edges they stay within.
        assert_eq!(apart(&[-5.0, -5.0], 20.0, range), [0.0, 20.0]);
        assert_eq!(apart(&[95.0, 99.0, 90.0], 20.0, range), [60.0, 80.0, 40.0]);
        assert_eq!(apart(&[], 20.0, range), [0.0; 0]);
    }
}
