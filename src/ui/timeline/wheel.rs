//! What the wheel, fingers on a trackpad and the middle button ask of rows and axes.

use super::axis::TimeAxis;
use crate::ui::theme;
use eframe::egui::{self, Event, MouseWheelSource, MouseWheelUnit, Response, Ui};

/// How much closer one notch of the wheel comes.
const NOTCH: f64 = 1.15;

/// What is asked for over a board of time and values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wheel {
    /// Another part of time, in seconds.
    pub visible_secs: Option<(f64, f64)>,
    /// A factor of zoom for the values; above 1 is closer.
    pub value_zoom: f64,
    /// Points to move rows or values by; down is positive.
    pub down: f32,
}

/// Over a list of rows: how far to scroll, in points; down is positive.
pub fn rows(ui: &Ui, response: &Response) -> f32 {
    if !response.contains_pointer() {
        return 0.0;
    }
    let mut by = 0.0;
    ui.input(|input| {
        for event in &input.events {
            if let Event::MouseWheel { unit, delta, .. } = event {
                by += delta.y * points_of(*unit, theme::ROW * 2.0);
            }
        }
    });
    -by
}

/// Over a board: zooms about the pointer, or about `middle` (in points) where there is none.
pub fn board(ui: &Ui, response: &Response, axis: &TimeAxis, middle: f32) -> Wheel {
    let (mut zoom, mut pan, mut value_zoom, mut down) = (1.0, 0.0, 1.0, 0.0);
    let mut about = None;
    if response.contains_pointer() {
        ui.input(|input| {
            about = input.pointer.latest_pos();
            for event in &input.events {
                match event {
                    Event::MouseWheel { unit, delta, source, modifiers, .. } => {
                        let fingers = is_trackpad(*unit, *source);
                        let lines = f64::from(delta.y) * f64::from(points_of(*unit, 1.0))
                            / if *unit == MouseWheelUnit::Point { 40.0 } else { 1.0 };
                        if fingers && modifiers.command {
                            zoom *= NOTCH.powf(lines);
                        } else if fingers {
                            pan -= delta.x;
                            down -= delta.y;
                        } else if modifiers.shift {
                            pan -= (delta.x + delta.y) * points_of(*unit, 60.0);
                        } else if modifiers.command {
                            value_zoom *= NOTCH.powf(lines);
                        } else {
                            zoom *= NOTCH.powf(lines);
                            pan -= delta.x * points_of(*unit, 60.0);
                        }
                    }
                    Event::Zoom(factor) => zoom *= f64::from(*factor),
                    _ => {}
                }
            }
        });
    }
    if response.dragged_by(egui::PointerButton::Middle) {
        pan -= response.drag_delta().x;
        down -= response.drag_delta().y;
    }
    let mut visible_secs = None;
    if zoom != 1.0 || pan != 0.0 {
        let mut axis = *axis;
        if zoom != 1.0 && zoom.is_finite() {
            let x = about.map_or(middle, |pos| pos.x);
            (axis.from_secs, axis.to_secs) = axis.zoomed(zoom, x);
        }
        visible_secs = Some(axis.panned(pan));
    }
    Wheel { visible_secs, value_zoom, down }
}

/// Points of one unit of the wheel, where a line counts as so many.
fn points_of(unit: MouseWheelUnit, line: f32) -> f32 {
    match unit {
        MouseWheelUnit::Point => 1.0,
        MouseWheelUnit::Line => line,
        MouseWheelUnit::Page => line * 10.0,
    }
}

/// Whether fingers on a trackpad scroll. Where the platform does not say, a trackpad is what gives
/// points instead of lines.
fn is_trackpad(unit: MouseWheelUnit, source: MouseWheelSource) -> bool {
    match source {
        MouseWheelSource::Trackpad | MouseWheelSource::Momentum => true,
        MouseWheelSource::Wheel => false,
        MouseWheelSource::Unknown => unit == MouseWheelUnit::Point,
    }
}
