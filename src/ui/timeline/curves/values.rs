//! The value axis of the curves.

use crate::model::Property;
use crate::ui::cx::Cx;
use crate::ui::text;
use crate::ui::theme::Theme;
use eframe::egui::{Align2, Painter, Rect, Stroke, pos2};

/// From plotted values (degrees, metres, factors) to points of the screen and back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValueAxis {
    top: f32,
    bottom: f32,
    /// The value at the lower edge.
    pub low: f64,
    /// The value at the upper edge.
    pub high: f64,
}

impl ValueAxis {
    /// The axis on a canvas: of the values that a view wants to see, or one that fits a span of
    /// values.
    pub fn new(canvas: Rect, visible: Option<(f64, f64)>, span: Option<(f64, f64)>) -> ValueAxis {
        let visible =
            visible.filter(|(low, high)| low.abs() < 1e9 && high.abs() < 1e9 && high - low > 1e-9);
        let (low, high) = visible.unwrap_or_else(|| fit(span));
        let bottom = canvas.bottom().max(canvas.top() + 1.0);
        ValueAxis { top: canvas.top(), bottom, low, high }
    }

    /// Values in one point.
    pub fn per_point(&self) -> f64 {
        (self.high - self.low) / f64::from(self.bottom - self.top)
    }

    /// The height of a value; what is no number has none.
    pub fn screen_from_value(&self, value: f64) -> f32 {
        let y = f64::from(self.bottom) - (value - self.low) / self.per_point();
        if y.is_finite() { y.clamp(-1e5, 1e5) as f32 } else { f32::NAN }
    }

    /// The value at a height.
    pub fn value_from_screen(&self, y: f32) -> f64 {
        self.low + f64::from(self.bottom - y) * self.per_point()
    }

    /// What is visible when zoomed by a factor about a height.
    pub fn zoomed(&self, factor: f64, y: f32) -> (f64, f64) {
        let about = self.value_from_screen(y);
        let length = ((self.high - self.low) / factor.clamp(0.01, 100.0)).clamp(1e-6, 1e8);
        let part = (about - self.low) / (self.high - self.low);
        let low = about - part * length;
        (low, low + length)
    }

    /// What is visible when moved by so many points; down is positive.
    pub fn panned(&self, points: f32) -> (f64, f64) {
        let by = -f64::from(points) * self.per_point();
        (self.low + by, self.high + by)
    }

    /// Lines and numbers, these as many times the values, with a unit behind them.
    pub fn paint(
        &self,
        painter: &Painter,
        theme: &Theme,
        canvas: Rect,
        (scale, unit): (f64, &str),
    ) {
        let least = self.per_point() * 42.0 * scale;
        if !(least.is_finite() && least > 0.0) {
            return;
        }
        let ten = 10_f64.powf(least.log10().floor());
        let steps = [1.0, 2.0, 5.0, 10.0];
        let step = steps.iter().map(|s| s * ten).find(|s| *s >= least).unwrap_or(10.0 * ten);
        let places = (-step.log10().floor()).clamp(0.0, 9.0) as usize;
        let first = (self.low * scale / step).ceil() as i64;
        let last = (self.high * scale / step).floor() as i64;
        for index in first..=last.min(first.saturating_add(100)) {
            let value = index as f64 * step;
            let y = self.screen_from_value(value / scale);
            let line =
                Stroke::new(1.0, theme.line.gamma_multiply(if index == 0 { 1.0 } else { 0.6 }));
            let (left, right) = (canvas.left(), canvas.right());
            painter.line_segment([pos2(left, y), pos2(right, y)], line);
            let words = format!("{}{unit}", text::number(value, places));
            let at = pos2(left + 6.0, y - 2.0);
            painter.text(at, Align2::LEFT_BOTTOM, words, Theme::small_font(), theme.muted);
        }
    }
}

/// By how much plotted values are shown, and their unit; `None` for values of several kinds.
pub fn unit_of(cx: &Cx<'_>, of: Option<Property>) -> (f64, &'static str) {
    match of {
        Some(Property::Rotation) if cx.settings().show_radians => {
            (std::f64::consts::PI / 180.0, " rad")
        }
        Some(Property::Rotation) => (1.0, "°"),
        Some(Property::Position) => (1.0, " m"),
        _ => (1.0, ""),
    }
}

/// A span with a little room above and below.
fn fit(span: Option<(f64, f64)>) -> (f64, f64) {
    let (low, high) = span.filter(|(low, high)| low <= high).unwrap_or((-1.0, 1.0));
    let room = ((high - low) * 0.14).max(high.abs().max(low.abs()) * 1e-3).max(0.05);
    (low - room, high + room)
}

/// A plotted value with its unit, for tags.
pub fn words(cx: &Cx<'_>, property: Property, plotted: f64) -> String {
    match property {
        Property::Rotation if cx.settings().show_radians => {
            format!("{} rad", text::number(plotted.to_radians(), 4))
        }
        Property::Rotation => format!("{}°", text::number(plotted, 2)),
        Property::Position => format!("{} m", text::number(plotted, 3)),
        Property::Scale => format!("× {}", text::number(plotted, 3)),
    }
}
