//! Lines with fewer points that look the same.

use eframe::egui::Pos2;

/// How far a line may lie from the points that it leaves out, in points of the screen.
const STRAIGHT: f32 = 0.25;

/// Appends a line that runs from left to right, without the points that lie straight between
/// others. What is no number breaks the line, and is kept.
pub fn thin(line: impl Iterator<Item = Pos2>, points: &mut Vec<Pos2>) {
    let mut fan = Fan::default();
    for place in line {
        if !place.y.is_finite() || fan.from.is_none() {
            points.extend(fan.last.take());
            points.push(place);
            fan = Fan { from: place.y.is_finite().then_some(place), ..Fan::default() };
        } else if !fan.takes(place) {
            let corner = fan.last.unwrap_or(place);
            points.push(corner);
            fan = Fan { from: Some(corner), ..Fan::default() };
            fan.takes(place);
        }
    }
    points.extend(fan.last);
}

/// The slopes under which a straight line from a point passes all points since.
#[derive(Default)]
struct Fan {
    from: Option<Pos2>,
    last: Option<Pos2>,
    slopes: Option<(f32, f32)>,
}

impl Fan {
    /// Takes a point in, if one line passes it and all before it.
    fn takes(&mut self, place: Pos2) -> bool {
        let Some(from) = self.from else { return false };
        let across = place.x - from.x;
        if across < STRAIGHT {
            // Straight up, or where it stands: nothing but itself lies on such a line.
            if self.last.is_some() {
                return false;
            }
            self.slopes = Some((f32::INFINITY, f32::NEG_INFINITY));
            self.last = Some(place);
            return true;
        }
        let (low, high) = self.slopes.unwrap_or((f32::NEG_INFINITY, f32::INFINITY));
        let slope = (place.y - from.y) / across;
        if slope < low || slope > high {
            return false;
        }
        let around = STRAIGHT / across;
        self.slopes = Some((low.max(slope - around), high.min(slope + around)));
        self.last = Some(place);
        true
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // A panic is a failed test.
    use super::*;
    use eframe::egui::pos2;
    use proptest::prelude::*;

    fn thinned(line: &[Pos2]) -> Vec<Pos2> {
        let mut points = Vec::new();
        thin(line.iter().copied(), &mut points);
        points
    }

    /// The height of a line at a place: all of them where it jumps.
    fn heights(line: &[Pos2], x: f32) -> Vec<f32> {
        let mut found: Vec<f32> = line.iter().filter(|p| p.x == x).map(|p| p.y).collect();
        if found.is_empty() {
            let after = line.partition_point(|p| p.x < x);
            let (a, b) = (line[after - 1], line[after]);
            found.push(a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x));
        }
        found
    }

    proptest! {
        #[test]
        fn no_point_is_far_from_the_line(
            steps in prop::collection::vec((0.0_f32..4.0, -30.0_f32..30.0, any::<bool>()), 1..60),
        ) {
            let (mut x, mut y) = (0.0, 100.0);
            let mut line = vec![pos2(x, y)];
            for (right, down, level) in steps {
                x += right;
                y += if level { 0.1 } else { down };
                line.push(pos2(x, y));
            }
            let points = thinned(&line);
            prop_assert_eq!(points[0], line[0]);
            prop_assert_eq!(points.last(), line.last());
            for place in &line {
                let near = heights(&points, place.x).iter().any(|y| (y - place.y).abs() < 0.3);
                prop_assert!(near, "{:?} is far from {:?}", place, points);
            }
        }
    }

    #[test]
    fn a_straight_line_needs_its_ends_only() {
        let line: Vec<Pos2> = (0..100).map(|x| pos2(x as f32, 7.0 - x as f32)).collect();
        assert_eq!(thinned(&line), [line[0], line[99]]);
    }

    #[test]
    fn what_is_no_number_breaks_the_line() {
        let gap = pos2(2.0, f32::NAN);
        let line = [pos2(0.0, 1.0), pos2(1.0, 1.0), pos2(2.0, 1.0), gap, pos2(2.0, 5.0)];
        let points = thinned(&line);
        assert_eq!(points[..2], [line[0], line[2]]);
        assert!(points[2].y.is_nan());
        assert_eq!(points[3..], [line[4]]);
    }
}
