//! One segment of a curve (A12, A13).

use crate::sample::easing::Cubic;

/// Of how many segments a tangent that never overshoots is at most as steep as its neighbours'
/// secants (A13).
const STEEPEST: f64 = 3.0;
/// Largest last step of the quick solver that counts as an arrival; see `sample/easing.rs`.
const ARRIVED: f64 = 1e-10;
/// How many axes a peg has: pos, scl, rot, three each.
pub(super) const AXES: usize = 9;

/// A point of a curve: frame and value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Point {
    pub frame: f64,
    pub value: f64,
}

/// The segments of all axes of a peg from one key to the next, in the order pos, scl, rot: the
/// inner control points, x as a share of the segment, y as values.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Handled {
    pub x1: [f64; AXES],
    pub y1: [f64; AXES],
    pub x2: [f64; AXES],
    pub y2: [f64; AXES],
}

impl Handled {
    pub const EMPTY: Handled =
        Handled { x1: [1.0 / 3.0; AXES], y1: [0.0; AXES], x2: [2.0 / 3.0; AXES], y2: [0.0; AXES] };

    /// Reads something of each of its cache lines; see [`PegCurves::touch`].
    ///
    /// [`PegCurves::touch`]: super::PegCurves
    #[inline(always)]
    pub fn touch(&self) -> u64 {
        let Handled { x1, y1, x2, y2 } = self;
        let read = [x1[0], x1[8], y1[7], x2[6], y2[5], y2[8]];
        read.iter().fold(0, |all, number| all ^ number.to_bits())
    }

    /// The first `N` axes at share `u` of the segment (above 0, below 1), which goes from `from`
    /// to `to`.
    #[inline]
    pub fn at<const N: usize>(&self, from: &[f64; N], to: &[f64; N], u: f64) -> [f64; N] {
        let first = |all: &[f64; AXES]| -> [f64; N] { std::array::from_fn(|i| all[i]) };
        let s = solve(&first(&self.x1), &first(&self.x2), u);
        let mut out = [0.0; N];
        for i in 0..N {
            let (y1, y2) = (self.y1[i] - from[i], self.y2[i] - from[i]);
            let end = to[i] - from[i];
            let (linear, bend) = (3.0 * y1, 3.0 * (y2 - y1));
            let square = bend - linear;
            let cube = end - bend;
            out[i] = from[i] + s[i] * (linear + s[i] * (square + s[i] * cube));
        }
        out
    }
}

/// s of x(s) = `u` for Bézier curves from 0 to 1 with these inner control points, all within 0 to
/// 1 (A12, step 3).
///
/// A first guess between quarter points, three Halley steps, a Newton step, which shows how far it
/// still was; where that was too far (near a vertical tangent) the sure way. Each step is a loop
/// of its own over the axes, so that the compiler makes them side by side.
#[inline]
pub(super) fn solve<const N: usize>(x1: &[f64; N], x2: &[f64; N], u: f64) -> [f64; N] {
    let [mut linear, mut square, mut cube] = [[0.0; N]; 3];
    for i in 0..N {
        let x = Cubic::bezier(x1[i], x2[i]);
        (linear[i], square[i], cube[i]) = (x.linear, x.square, x.cube);
    }
    let x = |i: usize| Cubic { linear: linear[i], square: square[i], cube: cube[i] };
    let mut s = [0.0; N];
    for (i, s) in s.iter_mut().enumerate() {
        let [one, two, three] = [0.25, 0.5, 0.75].map(|quarter| x(i).at(quarter));
        let pick = |values: [f64; 4]| {
            let high = if u >= three { values[3] } else { values[2] };
            let low = if u >= one { values[1] } else { values[0] };
            if u >= two { high } else { low }
        };
        let (low, high) = (pick([0.0, one, two, three]), pick([one, two, three, 1.0]));
        *s = pick([0.0, 0.25, 0.5, 0.75]) + 0.25 * (u - low) / (high - low);
    }
    for _ in 0..3 {
        for (i, s) in s.iter_mut().enumerate() {
            let (miss, slope) = (x(i).at(*s) - u, x(i).slope(*s));
            *s -= miss * slope / (slope * slope - miss * x(i).half_bend(*s));
        }
    }
    let mut last_step = [0.0; N];
    for i in 0..N {
        last_step[i] = (x(i).at(s[i]) - u) / x(i).slope(s[i]);
        s[i] -= last_step[i];
    }
    // A NaN has not arrived, and neither has another root of the same cubic.
    let here =
        |i: usize| (last_step[i].abs() <= ARRIVED) & (s[i] >= -ARRIVED) & (s[i] <= 1.0 + ARRIVED);
    let arrived: [bool; N] = std::array::from_fn(here);
    if !arrived.iter().fold(true, |all, one| all & one) {
        for i in 0..N {
            if !arrived[i] {
                s[i] = solve_surely(x1[i], x2[i], u);
            }
        }
    }
    s
}

/// From the nearer end, where the digits are.
#[cold]
fn solve_surely(x1: f64, x2: f64, u: f64) -> f64 {
    if u > 0.5 {
        1.0 - Cubic::bezier(1.0 - x2, 1.0 - x1).solve_surely(1.0 - u)
    } else {
        Cubic::bezier(x1, x2).solve_surely(u)
    }
}

/// A handle as evaluation takes it (A12, steps 1 and 2), relative to its key: on its own side, and
/// no longer than the segment. `length` is that of the segment; `reach` and `rise` are the
/// handle's frames towards the other key and its value, both relative to its key. Gives the
/// handle's share of the segment and its value.
pub(super) fn corrected(reach: f64, rise: f64, length: f64) -> (f64, f64) {
    // A NaN is on no side.
    let reach = if reach > 0.0 { reach } else { 0.0 };
    if reach > length {
        return (1.0, rise * (length / reach));
    }
    (reach / length, rise)
}

/// The slope at a key between two others that never overshoots (A13), in values a frame.
pub(super) fn tangent(before: Point, here: Point, after: Point) -> f64 {
    let left = (here.value - before.value) / (here.frame - before.frame);
    let right = (after.value - here.value) / (after.frame - here.frame);
    let slope = (after.value - before.value) / (after.frame - before.frame);
    limited(slope, left, right)
}

/// A slope that never overshoots (A13), between the slopes of two secants.
#[inline(always)]
pub(super) fn limited(slope: f64, left: f64, right: f64) -> f64 {
    let limit = STEEPEST * left.abs().min(right.abs());
    // Of different signs, or one of them level; also where a difference is no number.
    let same_sign = (left > 0.0 && right > 0.0) || (left < 0.0 && right < 0.0);
    if same_sign { slope.max(-limit).min(limit) } else { 0.0 }
}

/// A segment without handles at share `u` of its `length` (A13): values and slopes at both ends.
#[inline]
pub(super) fn hermite(from: f64, to: f64, slopes: [f64; 2], length: f64, u: f64) -> f64 {
    let ([m0, m1], back) = (slopes.map(|m| m * length), 1.0 - u);
    let end = to - from;
    from + u * (u * (3.0 - 2.0 * u) * end + back * (back * m0 - u * m1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// From (0, 0) to (10, 10), handles absolute.
    fn ten(p1: [f64; 2], p2: [f64; 2], frame: f64) -> f64 {
        let (x1, y1) = corrected(p1[0], p1[1], 10.0);
        let (back, y2) = corrected(10.0 - p2[0], p2[1] - 10.0, 10.0);
        let mut handled = Handled::EMPTY;
        (handled.x1[0], handled.y1[0]) = (x1, y1);
        (handled.x2[0], handled.y2[0]) = (1.0 - back, 10.0 + y2);
        handled.at::<1>(&[0.0], &[10.0], frame / 10.0)[0]
    }

    #[test]
    fn the_worked_curves_with_handles() {
        let third = 10.0 / 3.0;
        let cases = [
            ([6.0, 8.0], [8.0, 2.0], [2.800386, 4.454837, 5.408105]),
            ([8.0, 0.0], [2.0, 10.0], [0.476438, 5.0, 9.523562]),
            ([20.0, 4.0], [2.0, 10.0], [0.768727, 2.934144, 9.573850]),
            ([-3.0, 5.0], [6.0, 10.0], [5.835053, 8.099481, 9.470167]),
            ([third, 0.0], [2.0 * third, 10.0], [1.5625, 5.0, 8.4375]),
        ];
        for (p1, p2, expected) in cases {
            for (frame, want) in [2.5, 5.0, 7.5].into_iter().zip(expected) {
                let got = ten(p1, p2, frame);
                assert!((got - want).abs() < 1e-6, "{p1:?} {p2:?} at {frame}: {got}, not {want}");
            }
        }
    }

    #[test]
    fn the_worked_curve_without_handles() {
        let keys = [(0.0, 0.0), (10.0, 5.0), (20.0, 20.0)];
        let [a, b, c] = keys.map(|(frame, value)| Point { frame, value });
        let slope = tangent(a, b, c);
        assert_eq!(slope, 1.0);
        assert_eq!(hermite(0.0, 5.0, [0.0, slope], 10.0, 0.5), 1.25);
        assert_eq!(hermite(5.0, 20.0, [slope, 0.0], 10.0, 0.5), 13.75);
        let at = |value: f64| Point { frame: 10.0, value };
        assert_eq!(tangent(a, at(25.0), c), 0.0, "a peak is level");
        assert_eq!(tangent(a, at(0.0), c), 0.0, "and so is where a plain begins");
        assert_eq!(tangent(a, at(1.0), c), 3.0 * 0.1, "never steeper than three of a secant");
    }

    /// Bernstein form and bisection: nothing in common with the solver above.
    fn bisected(x1: f64, x2: f64, u: f64) -> f64 {
        let x = |s: f64| {
            let r = 1.0 - s;
            3.0 * r * r * s * x1 + 3.0 * r * s * s * x2 + s * s * s
        };
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..100 {
            let middle = 0.5 * (low + high);
            if x(middle) < u { low = middle } else { high = middle }
        }
        0.5 * (low + high)
    }

    fn corner() -> impl Strategy<Value = f64> {
        prop_oneof![8 => 0.0..=1.0, 1 => Just(0.0), 1 => Just(1.0)]
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..<_>::default() })]

        #[test]
        fn the_solver_agrees_with_bisection(x1 in corner(), x2 in corner(), u in 0.0..1.0f64) {
            let [got] = solve(&[x1], &[x2], u);
            let want = bisected(x1, x2, u);
            // Vertical in the middle: there bisection itself is unsure of its last digits.
            let tolerance = if x1 > 0.999 && x2 < 0.001 { 1e-5 } else { 1e-8 };
            prop_assert!((got - want).abs() < tolerance, "{got}, not {want}");
            // Side by side nothing else comes out.
            let nine = solve(&[x1; 9], &[x2; 9], u);
            prop_assert!(nine.iter().all(|s| *s == got));
        }

        #[test]
        fn strange_numbers_stay_numbers(x in -1e300..1e300f64, y in -1e3..1e3f64, u in 0.0..1.0f64) {
            let (share, value) = corrected(x, y, 10.0);
            prop_assert!((0.0..=1.0).contains(&share) && value.is_finite());
            let [s] = solve(&[share], &[1.0 - share], u);
            prop_assert!((-1e-9..=1.0 + 1e-9).contains(&s), "{s}");
        }
    }

    #[test]
    fn vertical_tangents_are_found() {
        for (x1, x2) in [(1.0, 0.0), (0.0, 0.0), (1.0, 1.0), (0.999_999, 0.0), (0.0, 1.0)] {
            let mut before = 0.0;
            for step in 1..20_000 {
                let u = f64::from(step) / 20_000.0;
                let [s] = solve(&[x1], &[x2], u);
                assert!((s - bisected(x1, x2, u)).abs() < 1e-5, "{x1} {x2} at {u}");
                assert!(s >= before - 1e-9, "{x1} {x2} falls at {u}");
                before = s;
            }
        }
    }
}
