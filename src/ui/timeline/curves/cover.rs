//! Lines without what nobody sees: what lies beside the canvas, and in a carpet of curves what
//! lies under others. Every vertex is copied in every frame, drawn or not.

use eframe::egui::{Pos2, Rect, pos2};

/// Which pixels of a canvas have a line on them already.
pub struct Cover {
    canvas: Rect,
    wide: usize,
    taken: Vec<bool>,
}

impl Cover {
    /// Nothing covered. Absurdly large canvases are covered by coarser cells.
    pub fn new(canvas: Rect) -> Cover {
        let wide = (canvas.width().ceil().clamp(0.0, 8192.0) as usize) + 1;
        let high = (canvas.height().ceil().clamp(0.0, 8192.0) as usize) + 1;
        Cover { canvas, wide, taken: vec![false; wide * high] }
    }

    /// Covers what lies under a straight piece; true where something of it was free.
    fn take(&mut self, a: Pos2, b: Pos2) -> bool {
        let along = b - a;
        let steps = along.x.abs().max(along.y.abs()).ceil().clamp(1.0, 16_384.0) as usize;
        let mut free = false;
        for step in 0..=steps {
            let at = a + along * (step as f32 / steps as f32) - self.canvas.min;
            if at.x < 0.0 || at.y < 0.0 {
                continue;
            }
            let (x, y) = (at.x as usize, at.y as usize);
            if x >= self.wide {
                continue;
            }
            if let Some(taken) = self.taken.get_mut(y * self.wide + x) {
                free |= !*taken;
                *taken = true;
            }
        }
        free
    }
}

/// Appends the pieces of a line that are seen on the canvas, with breaks where pieces are left out.
/// With a cover, pieces that it covers wholly are left out too. Points that are no numbers break
/// the line, as they do in what is given.
pub fn seen(line: &[Pos2], canvas: Rect, mut cover: Option<&mut Cover>, points: &mut Vec<Pos2>) {
    let mut ends_at: Option<Pos2> = None;
    for pair in line.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        let kept = inside(a, b, canvas).is_some_and(|(from, to)| match &mut cover {
            Some(cover) => cover.take(from, to),
            None => true,
        });
        if !kept {
            continue;
        }
        if ends_at != Some(a) {
            if ends_at.is_some() {
                points.push(pos2(f32::NAN, f32::NAN));
            }
            points.push(a);
        }
        points.push(b);
        ends_at = Some(b);
    }
}

/// The part of a piece that lies on the canvas; none where it lies beside it, or is no line.
fn inside(a: Pos2, b: Pos2, canvas: Rect) -> Option<(Pos2, Pos2)> {
    let numbers = [a.x, a.y, b.x, b.y].iter().all(|number| number.is_finite());
    if !numbers {
        return None;
    }
    let along = b - a;
    let (mut from, mut to) = (0.0_f32, 1.0_f32);
    for (start, way, low, high) in [
        (a.x, along.x, canvas.left(), canvas.right()),
        (a.y, along.y, canvas.top(), canvas.bottom()),
    ] {
        if way.abs() < 1e-6 {
            if start < low || start > high {
                return None;
            }
            continue;
        }
        let (one, other) = ((low - start) / way, (high - start) / way);
        from = from.max(one.min(other));
        to = to.min(one.max(other));
    }
    (from <= to).then(|| (a + along * from, a + along * to))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // A panic is a failed test.
    use super::*;
    use proptest::prelude::*;

    fn canvas() -> Rect {
        Rect::from_min_max(pos2(10.0, 20.0), pos2(110.0, 80.0))
    }

    fn of(line: &[Pos2], cover: Option<&mut Cover>) -> Vec<Pos2> {
        let mut points = Vec::new();
        seen(line, canvas(), cover, &mut points);
        points
    }

    #[test]
    fn what_is_seen_stays_as_it_is() {
        let line = [pos2(10.0, 30.0), pos2(40.0, 50.0), pos2(90.0, 22.0)];
        assert_eq!(of(&line, None), line);
        assert_eq!(of(&line, Some(&mut Cover::new(canvas()))), line);
    }

    #[test]
    fn what_lies_beside_the_canvas_is_left_out() {
        let above = [pos2(10.0, 5.0), pos2(40.0, 6.0), pos2(60.0, 19.0)];
        assert!(of(&above, None).is_empty());
        // It leaves the canvas below and comes back.
        let line = [
            pos2(20.0, 70.0),
            pos2(30.0, 90.0),
            pos2(60.0, 95.0),
            pos2(70.0, 60.0),
            pos2(80.0, 60.0),
        ];
        let points = of(&line, None);
        assert_eq!(points[..2], line[..2]);
        assert!(points[2].x.is_nan());
        assert_eq!(points[3..], line[2..]);
    }

    #[test]
    fn what_is_no_number_breaks_the_line() {
        let gap = pos2(40.0, f32::NAN);
        let line = [pos2(20.0, 30.0), pos2(40.0, 30.0), gap, pos2(40.0, 50.0), pos2(60.0, 50.0)];
        let points = of(&line, None);
        assert_eq!(points[..2], line[..2]);
        assert!(points[2].y.is_nan());
        assert_eq!(points[3..], line[3..]);
    }

    #[test]
    fn the_same_line_under_another_is_left_out() {
        let line = [pos2(20.0, 30.0), pos2(40.0, 50.0), pos2(60.0, 30.0)];
        let mut cover = Cover::new(canvas());
        assert_eq!(of(&line, Some(&mut cover)), line);
        assert!(of(&line, Some(&mut cover)).is_empty());
        // One that crosses it is seen.
        let across = [pos2(20.0, 50.0), pos2(60.0, 31.0)];
        assert_eq!(of(&across, Some(&mut cover)), across);
    }

    proptest! {
        /// Wherever a line crosses the canvas some line is drawn.
        #[test]
        fn nothing_goes_without_cover(
            heights in prop::collection::vec(prop::collection::vec(0.0_f32..100.0, 2..20), 1..12),
        ) {
            let mut cover = Cover::new(canvas());
            let mut drawn: Vec<Pos2> = Vec::new();
            for heights in &heights {
                let place = |(at, y): (usize, &f32)| pos2(at as f32 * 7.0, *y);
                let line: Vec<Pos2> = heights.iter().enumerate().map(place).collect();
                seen(&line, canvas(), Some(&mut cover), &mut drawn);
                drawn.push(pos2(f32::NAN, f32::NAN));
                // The middle of each of its pieces is under something that is drawn.
                for pair in line.windows(2) {
                    let middle = pair[0] + (pair[1] - pair[0]) * 0.5;
                    if !canvas().shrink(1.0).contains(middle) {
                        continue;
                    }
                    let near = drawn.windows(2).any(|piece| {
                        piece.iter().all(|point| point.x.is_finite())
                            && distance(middle, piece[0], piece[1]) < 1.5
                    });
                    prop_assert!(near, "{middle:?} of {pair:?} is bare");
                }
            }
        }
    }

    fn distance(point: Pos2, a: Pos2, b: Pos2) -> f32 {
        let along = b - a;
        let part = ((point - a).dot(along) / along.length_sq().max(1e-9)).clamp(0.0, 1.0);
        point.distance(a + along * part)
    }
}
