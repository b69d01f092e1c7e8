//! A segment cut in two, each half of the same shape.

use super::curve::{corrected, solve};
use glam::DVec2;

/// Cuts a Bézier segment at a frame (de Casteljau): the four control points of both halves, which
/// together are the same curve. `segment` is key, right handle, left handle, key, each (frame,
/// value), absolute; handles are taken as evaluation takes them (A12). `None` unless the frame lies
/// strictly between the keys, and where handles that overlap leave a half whose own would be longer
/// than the half: evaluation shortens those, so that no two segments are the same curve.
pub fn split(segment: [DVec2; 4], frame: f64) -> Option<[[DVec2; 4]; 2]> {
    let [start, out, into, end] = segment;
    let length = end.x - start.x;
    let within = frame > start.x && frame < end.x;
    if !within || !segment.iter().all(|p| p.is_finite()) {
        return None;
    }
    let (x1, y1) = corrected(out.x - start.x, out.y - start.y, length);
    let (back, y2) = corrected(end.x - into.x, into.y - end.y, length);
    let x2 = 1.0 - back;
    let [s] = solve::<1>(&[x1], &[x2], (frame - start.x) / length);
    let a = DVec2::new(start.x + x1 * length, start.y + y1);
    let b = DVec2::new(start.x + x2 * length, end.y + y2);
    let between = |p: DVec2, q: DVec2| p + (q - p) * s;
    let (p01, p12, p23) = (between(start, a), between(a, b), between(b, end));
    let (p012, p123) = (between(p01, p12), between(p12, p23));
    let mut middle = between(p012, p123);
    middle.x = frame;
    let halves = [[start, p01, p012, middle], [middle, p123, p23, end]];
    let stays = |[from, out, into, to]: &[DVec2; 4]| {
        // What rounding makes of a handle that just reaches is no matter.
        let slack = 1e-9 * length;
        let within = |x: f64| x >= from.x - slack && x <= to.x + slack;
        within(out.x) && within(into.x)
    };
    halves.iter().all(stays).then_some(halves)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // A panic is a failed test.
    use super::super::curve::Handled;
    use super::*;
    use proptest::prelude::*;

    fn value(segment: [DVec2; 4], frame: f64) -> f64 {
        let [start, out, into, end] = segment;
        let length = end.x - start.x;
        let (x1, y1) = corrected(out.x - start.x, out.y - start.y, length);
        let (back, y2) = corrected(end.x - into.x, into.y - end.y, length);
        let mut handled = Handled::EMPTY;
        (handled.x1[0], handled.y1[0]) = (x1, start.y + y1);
        (handled.x2[0], handled.y2[0]) = (1.0 - back, end.y + y2);
        handled.at::<1>(&[start.y], &[end.y], (frame - start.x) / length)[0]
    }

    proptest! {
        #[test]
        fn both_halves_are_the_same_curve(
            out in (-0.2_f64..1.3, -5.0_f64..5.0),
            into in (-0.2_f64..1.3, -5.0_f64..5.0),
            to in -5.0_f64..5.0,
            cut in 0.05_f64..0.95,
            at in 0.01_f64..0.99,
        ) {
            let place = |(x, y): (f64, f64)| DVec2::new(10.0 + 8.0 * x, y);
            let whole = [place((0.0, 1.0)), place(out), place(into), place((1.0, to))];
            let frame = 10.0 + 8.0 * cut;
            let Some([left, right]) = split(whole, frame) else {
                // Only where handles overlap.
                prop_assert!(out.0.clamp(0.0, 1.0) > into.0.clamp(0.0, 1.0));
                return Ok(());
            };
            let asked = 10.0 + 8.0 * at;
            let half = if asked < frame { left } else { right };
            let (got, want) = (value(half, asked), value(whole, asked));
            // Near a vertical tangent a little of x is much of y.
            prop_assert!((got - want).abs() < 1e-5, "{got}, not {want}");
        }
    }

    #[test]
    fn nothing_is_cut_at_or_beyond_its_ends() {
        let segment =
            [DVec2::ZERO, DVec2::new(1.0, 0.0), DVec2::new(2.0, 1.0), DVec2::new(3.0, 1.0)];
        for frame in [-1.0, 0.0, 3.0, 4.0, f64::NAN] {
            assert_eq!(split(segment, frame), None);
        }
    }
}
