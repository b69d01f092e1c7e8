//! The one time axis of ruler, dope sheet and curves.

use crate::ui::state::TimelineView;

/// Room left and right of the clip when all of it is shown, as a part of its length.
const MARGIN: f64 = 0.025;
/// The shortest time that the axis shows, in seconds.
const SHORTEST_SECS: f64 = 1e-4;
/// The longest, in seconds: somewhat more than the longest clip.
const LONGEST_SECS: f64 = 20_000.0;

/// From seconds to points of the screen and back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeAxis {
    /// The left edge, in points.
    pub left: f32,
    /// The right edge, in points; right of the left one.
    pub right: f32,
    /// The time at the left edge, in seconds.
    pub from_secs: f64,
    /// The time at the right edge, in seconds; later than at the left one.
    pub to_secs: f64,
}

/// A mark of the ruler.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tick {
    /// Where, in seconds.
    pub secs: f64,
    /// Whether a number stands at it.
    pub labeled: bool,
}

impl TimeAxis {
    /// The axis of a view between two edges, in points.
    pub fn new(view: &TimelineView, duration_secs: f64, left: f32, right: f32) -> TimeAxis {
        let (from_secs, to_secs) = sane(view.visible_secs).unwrap_or_else(|| fit(duration_secs));
        TimeAxis { left, right: right.max(left + 1.0), from_secs, to_secs }
    }

    /// Seconds in one point.
    pub fn secs_per_point(&self) -> f64 {
        (self.to_secs - self.from_secs) / f64::from(self.right - self.left)
    }

    /// The place of a time, in points. Far outside it stops, so that it can be drawn.
    pub fn screen_from_time(&self, secs: f64) -> f32 {
        let x = f64::from(self.left) + (secs - self.from_secs) / self.secs_per_point();
        if x.is_finite() { x.clamp(-1e5, 1e5) as f32 } else { self.left }
    }

    /// The time at a place, in seconds.
    pub fn time_from_screen(&self, x: f32) -> f64 {
        self.from_secs + f64::from(x - self.left) * self.secs_per_point()
    }

    /// What is visible when zoomed by a factor (above 1: closer) about a place in points.
    pub fn zoomed(&self, factor: f64, about: f32) -> (f64, f64) {
        let length = self.to_secs - self.from_secs;
        let wanted = (length / factor.clamp(0.01, 100.0)).clamp(SHORTEST_SECS, LONGEST_SECS);
        let at = self.time_from_screen(about);
        let part = ((at - self.from_secs) / length).clamp(0.0, 1.0);
        let from = at - part * wanted;
        (from, from + wanted)
    }

    /// What is visible when moved by so many points (positive: towards later times).
    pub fn panned(&self, points: f32) -> (f64, f64) {
        let by = f64::from(points) * self.secs_per_point();
        let by = by.clamp(-LONGEST_SECS - self.to_secs, LONGEST_SECS - self.from_secs);
        (self.from_secs + by, self.to_secs + by)
    }

    /// The marks that fit, from left to right: round numbers of seconds, or of frames.
    pub fn ticks(&self, fps: f64, in_frames: bool) -> Vec<Tick> {
        let unit = if in_frames { 1.0 / fps } else { 1.0 };
        let label_secs = self.secs_per_point() * 68.0;
        let step = round_step(label_secs / unit, in_frames) * unit;
        if !(step > 0.0 && step.is_finite()) {
            return Vec::new();
        }
        let parts = parts_of(step, unit, in_frames);
        let small = step / f64::from(parts);
        let first = (self.from_secs / small).ceil() as i64;
        let last = (self.to_secs / small).floor() as i64;
        let mut ticks = Vec::new();
        for index in first..=last.min(first.saturating_add(4000)) {
            let labeled = index.rem_euclid(i64::from(parts)) == 0;
            ticks.push(Tick { secs: index as f64 * small, labeled });
        }
        ticks
    }
}

/// The whole clip with a little room on both sides.
pub fn fit(duration_secs: f64) -> (f64, f64) {
    let duration = if duration_secs.is_finite() && duration_secs > 0.0 {
        duration_secs.min(LONGEST_SECS)
    } else {
        1.0
    };
    (-MARGIN * duration, duration * (1.0 + MARGIN))
}

/// What a settings file may say, where it can be drawn.
fn sane(visible: Option<(f64, f64)>) -> Option<(f64, f64)> {
    visible.filter(|(from, to)| {
        let length = to - from;
        from.abs() <= 2.0 * LONGEST_SECS
            && (SHORTEST_SECS * 0.5..=2.0 * LONGEST_SECS).contains(&length)
    })
}

/// The smallest round number that is not below `least`.
fn round_step(least: f64, whole: bool) -> f64 {
    let least = if whole { least.max(1.0) } else { least };
    if !(least.is_finite() && least > 0.0) {
        return 1.0;
    }
    let ten = 10_f64.powf(least.log10().floor());
    let steps: &[f64] = if whole { &[1.0, 2.0, 5.0, 10.0] } else { &[1.0, 2.0, 2.5, 5.0, 10.0] };
    // Above a minute, minutes are rounder than tens.
    let minutes = [60.0, 120.0, 300.0, 600.0, 1800.0, 3600.0];
    if !whole && least > 50.0 {
        return minutes.into_iter().find(|step| *step >= least).unwrap_or(7200.0);
    }
    let found = steps.iter().map(|step| step * ten).find(|step| *step >= least * 0.999);
    found.unwrap_or(10.0 * ten)
}

/// Into how many parts small marks divide a step.
fn parts_of(step: f64, unit: f64, whole: bool) -> u32 {
    let count = (step / unit).round();
    if whole {
        return match count as i64 {
            1 => 1,
            2 => 2,
            _ => 5,
        };
    }
    let digits = (step / 10_f64.powf(step.log10().floor())).round() as i64;
    if digits == 2 { 4 } else { 5 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis() -> TimeAxis {
        let view = TimelineView { visible_secs: Some((0.0, 4.0)), ..TimelineView::default() };
        TimeAxis::new(&view, 4.0, 100.0, 500.0)
    }

    #[test]
    fn times_and_places_are_the_same_line() {
        let axis = axis();
        assert_eq!(axis.screen_from_time(1.0), 200.0);
        assert_eq!(axis.time_from_screen(300.0), 2.0);
        assert_eq!(axis.screen_from_time(f64::NAN), 100.0);
        assert!(axis.screen_from_time(1e300).is_finite());
    }

    #[test]
    fn zooming_keeps_the_time_under_the_pointer() {
        let axis = axis();
        let (from, to) = axis.zoomed(2.0, 200.0);
        assert!((to - from - 2.0).abs() < 1e-12);
        let view = TimelineView { visible_secs: Some((from, to)), ..TimelineView::default() };
        let zoomed = TimeAxis::new(&view, 4.0, 100.0, 500.0);
        assert!((zoomed.screen_from_time(1.0) - 200.0).abs() < 1e-3);
        assert_eq!(axis.panned(100.0), (1.0, 5.0));
    }

    #[test]
    fn views_that_cannot_be_drawn_fit_the_clip() {
        for visible in [(f64::NAN, 1.0), (3.0, 1.0), (0.0, 0.0), (0.0, f64::INFINITY)] {
            let view = TimelineView { visible_secs: Some(visible), ..TimelineView::default() };
            let axis = TimeAxis::new(&view, 2.0, 0.0, 0.0);
            assert_eq!((axis.from_secs, axis.to_secs), fit(2.0), "{visible:?}");
            assert!(axis.secs_per_point() > 0.0);
        }
    }

    #[test]
    fn marks_are_round_and_few() {
        let axis = axis();
        let ticks = axis.ticks(24.0, false);
        let labeled: Vec<f64> = ticks.iter().filter(|t| t.labeled).map(|t| t.secs).collect();
        assert_eq!(labeled, [0.0, 1.0, 2.0, 3.0, 4.0]);
        let frames = axis.ticks(24.0, true);
        let labeled: Vec<f64> =
            frames.iter().filter(|t| t.labeled).map(|t| (t.secs * 24.0).round()).collect();
        assert_eq!(labeled, [0.0, 20.0, 40.0, 60.0, 80.0]);
        for zoom in 0..60 {
            let length = 1e-4 * 1.35_f64.powi(zoom);
            let view =
                TimelineView { visible_secs: Some((0.0, length)), ..TimelineView::default() };
            let axis = TimeAxis::new(&view, 4.0, 0.0, 1200.0);
            for in_frames in [false, true] {
                let ticks = axis.ticks(23.976, in_frames);
                assert!(ticks.len() < 200, "{length} {in_frames}: {}", ticks.len());
            }
        }
    }
}
