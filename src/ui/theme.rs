//! Colours, sizes and type of the whole window, dark and light, in one place.

use eframe::egui::epaint::text::{FontInsert, FontPriority, InsertFontFamily};
use eframe::egui::{
    self, Color32, CornerRadius, FontFamily, FontId, Margin, Shadow, Stroke, TextStyle, Vec2, vec2,
};
use serde::{Deserialize, Serialize};

/// Corner radius of panels, buttons and fields, in points.
pub const CORNER: u8 = 4;
/// Inner margin of a panel, in points.
pub const MARGIN: f32 = 8.0;
/// Gap between panels, in points.
pub const GAP: f32 = 8.0;
/// Height of a row of a list, a tree or the dope sheet, in points.
pub const ROW: f32 = 26.0;
/// Height of the strip above the docked panels' content, in points.
pub const BAR: f32 = 40.0;
/// Size of words, in points.
pub const TEXT_SIZE: f32 = 13.0;
/// Size of labels, in points.
pub const LABEL_SIZE: f32 = 12.0;
/// Size of hints and headings of sections, in points.
pub const SMALL_SIZE: f32 = 11.0;

/// Which of the two themes is on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ThemeChoice {
    /// Light words on dark ground.
    #[default]
    Dark,
    /// Dark words on light ground.
    Light,
}

/// The colours. Nothing in the window has a colour that is not here.
#[derive(Clone, Debug, PartialEq)]
pub struct Theme {
    /// Which theme this is.
    pub choice: ThemeChoice,
    /// Behind everything; also the ground of fields, of the viewport and of curves.
    pub ground: Color32,
    /// Panels.
    pub panel: Color32,
    /// Buttons and fields on panels, and filled rows.
    pub control: Color32,
    /// A control under the pointer.
    pub control_hover: Color32,
    /// Grids and borders, at most 1 point wide.
    pub line: Color32,
    /// Words.
    pub text: Color32,
    /// Labels and hints.
    pub muted: Color32,
    /// Ornament only: too faint to read from.
    pub dim: Color32,
    /// What is on, current or a link.
    pub accent: Color32,
    /// Words on the accent.
    pub on_accent: Color32,
    /// The ground of the current row.
    pub row_selected: Color32,
    /// Keys, handles and joints that are selected; what is not saved.
    pub selection: Color32,
    /// A warning's sign and words.
    pub warning: Color32,
    /// The playhead.
    pub playhead: Color32,
    /// Errors.
    pub error: Color32,
    /// The axes and channels X, Y and Z.
    pub axes: [Color32; 3],
    /// Keys and bones that are not selected.
    pub key: Color32,
    /// Bones' faces.
    pub bone: Color32,
    /// Ghosts before the playhead.
    pub ghost_before: Color32,
    /// Ghosts after the playhead.
    pub ghost_after: Color32,
    /// The ground of a number beside a drag.
    pub tag: Color32,
    /// A change that is fine: a saved line, a lossless conversion.
    pub good: Color32,
}

const fn rgb(hex: u32) -> Color32 {
    Color32::from_rgb((hex >> 16) as u8, (hex >> 8) as u8, hex as u8)
}

impl Theme {
    /// The dark or the light theme.
    pub fn new(choice: ThemeChoice) -> Theme {
        match choice {
            ThemeChoice::Dark => Theme {
                choice,
                ground: rgb(0x14161b),
                panel: rgb(0x1c1f26),
                control: rgb(0x262a33),
                control_hover: rgb(0x313744),
                line: rgb(0x2f3541),
                text: rgb(0xd8dce4),
                muted: rgb(0x8a93a3),
                dim: rgb(0x5c6472),
                accent: rgb(0x5b9dff),
                on_accent: rgb(0x0b1220),
                row_selected: rgb(0x22344f),
                selection: rgb(0xffb454),
                warning: rgb(0xffb454),
                playhead: rgb(0xff5d5d),
                error: rgb(0xff5d5d),
                axes: [rgb(0xf0625d), rgb(0x6cc070), rgb(0x5b9dff)],
                key: rgb(0xc4cad6),
                bone: rgb(0x3a4150),
                ghost_before: rgb(0xa06cc8),
                ghost_after: rgb(0x3fa796),
                tag: rgb(0x06070a),
                good: rgb(0x6cc070),
            },
            ThemeChoice::Light => Theme {
                choice,
                ground: rgb(0xe9ebf0),
                panel: rgb(0xf7f8fa),
                control: rgb(0xe4e7ed),
                control_hover: rgb(0xd6dbe4),
                line: rgb(0xc9ced8),
                text: rgb(0x1d2129),
                muted: rgb(0x535c6b),
                dim: rgb(0x9098a6),
                accent: rgb(0x1559c7),
                on_accent: rgb(0xffffff),
                row_selected: rgb(0xcfdffa),
                selection: rgb(0x8f5200),
                warning: rgb(0x8a4f00),
                playhead: rgb(0xc32222),
                error: rgb(0xb81d1d),
                axes: [rgb(0xb92822), rgb(0x1f6d2a), rgb(0x1559c7)],
                key: rgb(0x3f4756),
                bone: rgb(0xc3cad6),
                ghost_before: rgb(0x7d3fae),
                ghost_after: rgb(0x13796a),
                tag: rgb(0xffffff),
                good: rgb(0x1f6d2a),
            },
        }
    }

    /// The style that egui's own widgets take from this theme.
    pub fn style(&self) -> egui::Style {
        let mut style = egui::Style::default();
        let font = |size| FontId::new(size, FontFamily::Proportional);
        style.text_styles = [
            (TextStyle::Heading, font(18.0)),
            (TextStyle::Body, font(TEXT_SIZE)),
            (TextStyle::Button, font(TEXT_SIZE)),
            (TextStyle::Small, font(SMALL_SIZE)),
            (TextStyle::Monospace, FontId::new(LABEL_SIZE, FontFamily::Monospace)),
        ]
        .into();
        let spacing = &mut style.spacing;
        spacing.item_spacing = vec2(8.0, 4.0);
        spacing.button_padding = vec2(8.0, 3.0);
        spacing.interact_size = vec2(28.0, 24.0);
        spacing.menu_margin = Margin::same(6);
        spacing.window_margin = Margin::same(12);
        spacing.indent = 16.0;
        spacing.scroll = egui::style::ScrollStyle::thin();
        spacing.tooltip_width = 320.0;
        style.interaction.tooltip_delay = 0.4;
        style.interaction.selectable_labels = false;
        style.animation_time = 0.08;
        style.visuals = self.visuals();
        style
    }

    fn visuals(&self) -> egui::Visuals {
        let mut visuals = match self.choice {
            ThemeChoice::Dark => egui::Visuals::dark(),
            ThemeChoice::Light => egui::Visuals::light(),
        };
        let corner = CornerRadius::same(CORNER);
        let line = Stroke::new(1.0, self.line);
        visuals.override_text_color = None;
        visuals.weak_text_color = Some(self.muted);
        visuals.hyperlink_color = self.accent;
        visuals.faint_bg_color = self.control;
        visuals.extreme_bg_color = self.ground;
        visuals.text_edit_bg_color = Some(self.ground);
        visuals.code_bg_color = self.control;
        visuals.warn_fg_color = self.warning;
        visuals.error_fg_color = self.error;
        visuals.panel_fill = self.panel;
        visuals.window_fill = self.panel;
        visuals.window_stroke = line;
        visuals.window_corner_radius = CornerRadius::same(8);
        visuals.menu_corner_radius = CornerRadius::same(6);
        let shade = if self.choice == ThemeChoice::Dark { 140 } else { 50 };
        let shadow =
            Shadow { offset: [0, 6], blur: 18, spread: 0, color: Color32::from_black_alpha(shade) };
        visuals.window_shadow = shadow;
        visuals.popup_shadow = shadow;
        visuals.selection.bg_fill = self.row_selected;
        visuals.selection.stroke = Stroke::new(1.0, self.accent);
        visuals.slider_trailing_fill = true;
        visuals.disabled_alpha = 0.45;

        let widgets = &mut visuals.widgets;
        widgets.noninteractive.bg_fill = self.panel;
        widgets.noninteractive.weak_bg_fill = self.panel;
        widgets.noninteractive.bg_stroke = line;
        widgets.noninteractive.fg_stroke = Stroke::new(1.0, self.text);
        widgets.inactive.bg_fill = self.control;
        widgets.inactive.weak_bg_fill = self.control;
        widgets.inactive.bg_stroke = Stroke::NONE;
        widgets.inactive.fg_stroke = Stroke::new(1.0, self.text);
        widgets.hovered.bg_fill = self.control_hover;
        widgets.hovered.weak_bg_fill = self.control_hover;
        widgets.hovered.bg_stroke = Stroke::new(1.0, self.dim);
        widgets.hovered.fg_stroke = Stroke::new(1.5, self.text);
        widgets.active.bg_fill = self.row_selected;
        widgets.active.weak_bg_fill = self.row_selected;
        widgets.active.bg_stroke = Stroke::new(1.0, self.accent);
        widgets.active.fg_stroke = Stroke::new(1.5, self.text);
        widgets.open.bg_fill = self.control_hover;
        widgets.open.weak_bg_fill = self.control_hover;
        widgets.open.bg_stroke = line;
        widgets.open.fg_stroke = Stroke::new(1.0, self.text);
        for state in [
            &mut widgets.noninteractive,
            &mut widgets.inactive,
            &mut widgets.hovered,
            &mut widgets.active,
            &mut widgets.open,
        ] {
            state.corner_radius = corner;
            state.expansion = 0.0;
        }
        visuals
    }

    /// The font of words.
    pub fn text_font() -> FontId {
        FontId::proportional(TEXT_SIZE)
    }

    /// The font of labels.
    pub fn label_font() -> FontId {
        FontId::proportional(LABEL_SIZE)
    }

    /// The font of hints.
    pub fn small_font() -> FontId {
        FontId::proportional(SMALL_SIZE)
    }

    /// The font of numbers, which do not dance.
    pub fn number_font() -> FontId {
        FontId::monospace(LABEL_SIZE)
    }

    /// The frame of a docked panel without its margin.
    pub fn panel_frame(&self) -> egui::Frame {
        egui::Frame::new().fill(self.panel).corner_radius(CornerRadius::same(CORNER))
    }
}

/// Size of a small square button, in points.
pub const ICON_BUTTON: Vec2 = vec2(28.0, 26.0);

/// The contrast of two colours, 1 to 21, as the web's guidelines reckon it.
pub fn contrast(a: Color32, b: Color32) -> f32 {
    let luminance = |c: Color32| {
        let linear = |v: u8| {
            let v = f32::from(v) / 255.0;
            if v <= 0.04045 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(c.r()) + 0.7152 * linear(c.g()) + 0.0722 * linear(c.b())
    };
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// Adds the fonts that are not egui's own: icons, and signs that the font of words lacks. They are
/// there from the next frame on.
pub fn add_fonts(ctx: &egui::Context) {
    ctx.add_font(egui_material_icons::font_insert());
    ctx.add_font(symbols());
}

/// The arrows and triangles that the font of words lacks, from the font of numbers.
fn symbols() -> FontInsert {
    let data = egui::FontDefinitions::default().font_data.remove("Hack");
    let data = data.map(|data| (*data).clone());
    let data = data.unwrap_or_else(|| egui_material_icons::font_insert().data);
    let families = vec![InsertFontFamily {
        family: egui::FontFamily::Proportional,
        priority: FontPriority::Lowest,
    }];
    FontInsert { name: "symbols".to_owned(), data, families }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_can_be_read_on_every_ground() {
        for choice in [ThemeChoice::Dark, ThemeChoice::Light] {
            let theme = Theme::new(choice);
            let grounds = [
                ("ground", theme.ground),
                ("panel", theme.panel),
                ("control", theme.control),
                ("row_selected", theme.row_selected),
                ("tag", theme.tag),
            ];
            let words = [
                ("text", theme.text),
                ("accent", theme.accent),
                ("selection", theme.selection),
                ("warning", theme.warning),
                ("error", theme.error),
                ("x", theme.axes[0]),
                ("y", theme.axes[1]),
                ("z", theme.axes[2]),
            ];
            for (ground_name, ground) in grounds {
                for (name, word) in words {
                    // Axis colours and links never stand on a filled row.
                    if ground_name == "row_selected" && !matches!(name, "text" | "selection") {
                        continue;
                    }
                    let found = contrast(word, ground);
                    assert!(found >= 4.5, "{choice:?}: {name} on {ground_name} is {found:.2}");
                }
            }
            for (name, ground) in &grounds[..3] {
                let found = contrast(theme.muted, *ground);
                assert!(found >= 4.5, "{choice:?}: muted on {name} is {found:.2}");
            }
            assert!(contrast(theme.on_accent, theme.accent) >= 4.5);
        }
    }

    #[test]
    fn contrast_is_that_of_the_guidelines() {
        assert!((contrast(Color32::BLACK, Color32::WHITE) - 21.0).abs() < 0.01);
        assert!((contrast(Color32::WHITE, Color32::from_gray(0x76)) - 4.54).abs() < 0.01);
    }
}
