//! How a segment's progress becomes its eased progress (M21).

use crate::model::Interpolation;

/// Rows of a [`Bezier`]'s table of first guesses.
const ROWS: usize = 64;
/// Largest last step of the quick solver that counts as an arrival. A cubic has a root within
/// three times its Newton step, so what arrives is within 3e-10 even where the curve is vertical,
/// and far closer anywhere else.
const ARRIVED: f64 = 1e-10;

/// The eased progress of `progress` (both 0 to 1; what lies outside counts as the nearer end).
/// `curve` is `[x1, y1, x2, y2]` and counts for [`Interpolation::Bezier`] alone. At progress 1 a
/// step has jumped: a segment's end is the next key's.
///
/// This is for one value at a time, as when an easing is drawn. Clips are sampled through the same
/// arithmetic, to the last bit.
pub fn ease(interpolation: Interpolation, curve: [f64; 4], progress: f64) -> f64 {
    if progress >= 1.0 {
        return 1.0;
    }
    let progress = if progress > 0.0 { progress } else { 0.0 };
    match Polynomial::of(interpolation) {
        Some(polynomial) => polynomial.ease(progress),
        None => Bezier::new(curve).ease(progress),
    }
}

/// The easings that are polynomials: u·(a + u·(b + u·c)).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Polynomial {
    pub a: f64,
    pub b: f64,
    pub c: f64,
}

impl Polynomial {
    /// `None` for bezier.
    pub fn of(interpolation: Interpolation) -> Option<Self> {
        let [a, b, c] = match interpolation {
            Interpolation::Step => [0.0, 0.0, 0.0],
            Interpolation::Linear => [1.0, 0.0, 0.0],
            Interpolation::Smooth => [0.0, 3.0, -2.0],
            Interpolation::Bezier => return None,
        };
        Some(Polynomial { a, b, c })
    }

    #[inline(always)]
    pub fn ease(&self, u: f64) -> f64 {
        u * (self.a + u * (self.b + u * self.c))
    }
}

/// ((cube·s + square)·s + linear)·s
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Cubic {
    pub linear: f64,
    pub square: f64,
    pub cube: f64,
}

impl Cubic {
    /// The Bézier curve from 0 to 1 with these two control values.
    pub fn bezier(p1: f64, p2: f64) -> Self {
        let linear = 3.0 * p1;
        let square = 3.0 * (p2 - p1) - linear;
        Cubic { linear, square, cube: 1.0 - linear - square }
    }

    #[inline(always)]
    pub fn at(&self, s: f64) -> f64 {
        ((self.cube * s + self.square) * s + self.linear) * s
    }

    #[inline(always)]
    pub fn slope(&self, s: f64) -> f64 {
        (3.0 * self.cube * s + 2.0 * self.square) * s + self.linear
    }

    #[inline(always)]
    pub fn half_bend(&self, s: f64) -> f64 {
        3.0 * self.cube * s + self.square
    }

    /// s of self(s) = `u`, for a cubic that does not fall from 0 to 1, by Newton steps inside a
    /// shrinking bracket.
    pub fn solve_surely(&self, u: f64) -> f64 {
        if u.is_nan() || u <= 0.0 {
            return 0.0;
        }
        if u >= 1.0 {
            return 1.0;
        }
        // About the point where its slope is least the cubic has no square term. Written so it
        // keeps its digits, and never steps back, where it is nearly vertical.
        let mut x = *self;
        let (mut origin, mut target) = (0.0, u);
        let flattest = -x.square / (3.0 * x.cube);
        if x.cube > 1e-3 && flattest > 0.0 && flattest < 1.0 {
            origin = flattest;
            target -= x.at(origin);
            // Below 0 it is only rounding: x never falls.
            let linear = (x.linear + x.square * origin).max(0.0);
            x = Cubic { linear, square: 0.0, cube: x.cube };
        }
        let (mut low, mut high) = (-origin, 1.0 - origin);
        let mut s = u - origin;
        // Newton alone gains a third a step at a triple root: 200 steps are enough for anything.
        for _ in 0..200 {
            let miss = x.at(s) - target;
            if miss > 0.0 {
                high = s;
            } else if miss < 0.0 {
                low = s;
            } else {
                break;
            }
            let newton = s - miss / x.slope(s);
            // A NaN is in no bracket.
            let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
            if !(next > low && next < high) {
                break;
            }
            s = next;
        }
        s + origin
    }
}

/// A CSS cubic-bezier, ready to be evaluated: x(s) = u is solved for s, and y(s) is the eased
/// progress.
#[derive(Clone, Debug)]
pub struct Bezier {
    x: Cubic,
    y: Cubic,
    /// 1 − x(1 − r): x seen from its end.
    x_back: Cubic,
    /// s at u = row / [`ROWS`]: where the search begins.
    guesses: [f32; ROWS + 1],
}

impl Bezier {
    /// The curve of `[x1, y1, x2, y2]`, each 0 to 1 (M7).
    pub fn new(curve: [f64; 4]) -> Self {
        let [x1, y1, x2, y2] = curve;
        let mut bezier = Bezier {
            x: Cubic::bezier(x1, x2),
            y: Cubic::bezier(y1, y2),
            x_back: Cubic::bezier(1.0 - x2, 1.0 - x1),
            guesses: [0.0; ROWS + 1],
        };
        for row in 0..=ROWS {
            bezier.guesses[row] = bezier.solve_surely(row as f64 / ROWS as f64) as f32;
        }
        bezier
    }

    /// The eased progress of `progress`: within 1e-9, or 1e-5 where the curve is vertical; exactly
    /// 0 from 0 down, exactly 1 from 1 up.
    pub fn ease(&self, progress: f64) -> f64 {
        if progress >= 1.0 {
            return 1.0;
        }
        let [eased] = self.lane().ease([self], &[if progress > 0.0 { progress } else { 0.0 }]);
        eased
    }

    fn lane(&self) -> BezierLanes<1> {
        BezierLanes::new([self])
    }

    /// s of x(s) = `u`: slower, and sure to arrive. From the nearer end, where the digits are.
    #[cold]
    fn solve_surely(&self, u: f64) -> f64 {
        if u > 0.5 { 1.0 - self.x_back.solve_surely(1.0 - u) } else { self.x.solve_surely(u) }
    }
}

/// The curves of a few lanes side by side.
#[derive(Clone, Debug)]
pub(super) struct BezierLanes<const N: usize> {
    /// Linear, square and cube terms.
    x: [[f64; N]; 3],
    y: [[f64; N]; 3],
}

impl<const N: usize> BezierLanes<N> {
    pub fn new(curves: [&Bezier; N]) -> Self {
        let terms = |cubic: fn(&Bezier) -> &Cubic| {
            [
                curves.map(|b| cubic(b).linear),
                curves.map(|b| cubic(b).square),
                curves.map(|b| cubic(b).cube),
            ]
        };
        BezierLanes { x: terms(|b| &b.x), y: terms(|b| &b.y) }
    }

    /// The eased progress of each lane; `curves` are those that this was made of, and `u` is 0 to
    /// 1.
    ///
    /// One Halley step from the table's guess, then a Newton step, which shows how far it still
    /// was; where that was too far (near a vertical tangent) the sure way for that lane.
    #[inline(always)]
    pub fn ease(&self, curves: [&Bezier; N], u: &[f64; N]) -> [f64; N] {
        let mut s = [0.0; N];
        for k in 0..N {
            let place = u[k] * ROWS as f64;
            let row = (place as usize).min(ROWS - 1);
            let (before, after) =
                (f64::from(curves[k].guesses[row]), f64::from(curves[k].guesses[row + 1]));
            s[k] = before + (after - before) * (place - row as f64);
        }
        let cubic = |terms: &[[f64; N]; 3], k: usize| Cubic {
            linear: terms[0][k],
            square: terms[1][k],
            cube: terms[2][k],
        };
        let mut last_step = [0.0; N];
        for k in 0..N {
            let x = cubic(&self.x, k);
            let (miss, slope) = (x.at(s[k]) - u[k], x.slope(s[k]));
            let halley = miss * slope / (slope * slope - miss * x.half_bend(s[k]));
            let near = s[k] - halley;
            last_step[k] = (x.at(near) - u[k]) / x.slope(near);
            s[k] = near - last_step[k];
        }
        let arrived = last_step.iter().fold(true, |all, step| all & (step.abs() <= ARRIVED));
        if !arrived {
            for k in 0..N {
                // A NaN has not arrived either.
                let here = last_step[k].abs() <= ARRIVED;
                if !here {
                    s[k] = curves[k].solve_surely(u[k]);
                }
            }
        }
        let mut out = [0.0; N];
        for k in 0..N {
            let y = cubic(&self.y, k).at(s[k]);
            out[k] = y.clamp(0.0, 1.0);
        }
        out
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // A test stops where something is missing.
mod tests {
    use super::*;
    use proptest::prelude::*;
    use proptest::strategy::ValueTree;

    /// Bernstein form and bisection: nothing in common with the solver above.
    fn bisected([x1, y1, x2, y2]: [f64; 4], u: f64) -> f64 {
        if u > 0.5 {
            return 1.0 - bisected([1.0 - x2, 1.0 - y2, 1.0 - x1, 1.0 - y1], 1.0 - u);
        }
        let at = |p1: f64, p2: f64, s: f64| {
            let r = 1.0 - s;
            3.0 * r * r * s * p1 + 3.0 * r * s * s * p2 + s * s * s
        };
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..100 {
            let middle = 0.5 * (low + high);
            if at(x1, x2, middle) < u { low = middle } else { high = middle }
        }
        at(y1, y2, 0.5 * (low + high))
    }

    const CSS: [[f64; 4]; 5] = [
        [0.25, 0.1, 0.25, 1.0],
        [0.42, 0.0, 1.0, 1.0],
        [0.0, 0.0, 0.58, 1.0],
        [0.42, 0.0, 0.58, 1.0],
        [0.0, 0.0, 1.0, 1.0],
    ];

    #[test]
    fn worked_numbers() {
        let close = |curve, u, want: f64| {
            let got = ease(Interpolation::Bezier, curve, u);
            assert!((got - want).abs() < 1e-6, "{curve:?} at {u}: {got}, not {want}");
        };
        close([0.0, 1.0, 0.0, 1.0], 0.001, 0.271);
        close(CSS[0], 0.25, 0.408511);
        close(CSS[0], 0.5, 0.802403);
        close(CSS[0], 0.75, 0.960459);
        close([1.0, 0.0, 0.0, 1.0], 0.667, 0.936867);
        assert_eq!(ease(Interpolation::Step, CSS[0], 0.999), 0.0);
        assert_eq!(ease(Interpolation::Step, CSS[0], 1.0), 1.0);
        assert_eq!(ease(Interpolation::Linear, CSS[0], 0.3), 0.3);
        assert_eq!(ease(Interpolation::Smooth, CSS[0], 0.25), 0.15625);
    }

    #[test]
    fn named_curves_are_within_1e_9_of_bisection() {
        for curve in CSS {
            let bezier = Bezier::new(curve);
            for i in 0..=10_000 {
                let u = f64::from(i) / 10_000.0;
                let (got, want) = (bezier.ease(u), bisected(curve, u));
                assert!((got - want).abs() < 1e-9, "{curve:?} at {u}: {got}, not {want}");
            }
        }
    }

    #[test]
    fn vertical_tangents_are_within_1e_5() {
        let curves = [
            [1.0, 0.0, 0.0, 1.0],
            [0.0, 1.0, 0.0, 1.0],
            [0.0, 0.0, 0.0, 1.0],
            [1.0, 0.0, 1.0, 0.0],
            [1.0, 1.0, 0.0, 0.0],
            [0.99999, 0.0, 0.0, 1.0],
        ];
        for curve in curves {
            let bezier = Bezier::new(curve);
            let near_middle = (-1000..=1000).map(|i| 0.5 + f64::from(i) * 1e-12);
            let near_ends = (1..400).flat_map(|i| {
                let small = 10f64.powf(-f64::from(i) / 20.0);
                [small, 1.0 - small]
            });
            for u in near_middle.chain(near_ends) {
                let (got, want) = (bezier.ease(u), bisected(curve, u));
                assert!((got - want).abs() < 1e-5, "{curve:?} at {u}: {got}, not {want}");
            }
        }
    }

    #[test]
    fn random_curves_are_within_1e_9_of_bisection_never_nan_and_monotone() {
        let mut runner = proptest::test_runner::TestRunner::deterministic();
        let corner = prop_oneof![8 => 0.0..=1.0, 1 => Just(0.0), 1 => Just(1.0)];
        let curves = proptest::array::uniform4(corner);
        let mut worst = 0.0f64;
        for _ in 0..10_000 {
            let curve = curves.new_tree(&mut runner).unwrap().current();
            let bezier = Bezier::new(curve);
            // Vertical in the middle: there bisection itself is unsure of its last digits.
            let tolerance = if curve[0] == 1.0 && curve[2] == 0.0 { 1e-5 } else { 1e-9 };
            let mut before = 0.0;
            for i in 0..=100 {
                let u = f64::from(i) / 100.0;
                let (got, want) = (bezier.ease(u), bisected(curve, u));
                worst = worst.max((got - want).abs());
                assert!((got - want).abs() < tolerance, "{curve:?} at {u}: {got}, not {want}");
                assert!(got >= before - 1e-15, "{curve:?} falls at {u}");
                before = got;
            }
            assert_eq!((bezier.ease(0.0), bezier.ease(1.0)), (0.0, 1.0));
            for strange in [f64::NAN, f64::INFINITY, -1.0, 5e-324, 1.0 - f64::EPSILON / 2.0] {
                assert!((0.0..=1.0).contains(&bezier.ease(strange)), "{curve:?} at {strange}");
            }
        }
        assert!(worst > 0.0, "two ways that agree in every bit are one way");
    }

    #[test]
    fn closely_spaced_progress_never_steps_back() {
        for curve in [[1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 1.0], CSS[0], [0.9, 0.1, 0.1, 0.9]] {
            let bezier = Bezier::new(curve);
            let mut before = 0.0;
            for i in 0..=200_000 {
                let here = bezier.ease(f64::from(i) / 200_000.0);
                assert!(here >= before - 1e-15, "{curve:?} at {i}: {before} to {here}");
                before = here;
            }
        }
    }
}
