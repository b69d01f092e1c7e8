//! Fewest keys on straight lines for a bounded error (A53 d).

use crate::sample::{Arc, arc_at};
use glam::{DQuat, DVec3};

/// What a track's values are, and how far they may be off.
pub(super) trait Value: Copy {
    /// The way from one key to the next.
    type Way;
    fn way(from: Self, to: Self) -> Self::Way;
    /// Whether the way's value at a share of it is within the bound of `value`.
    fn is_near(way: &Self::Way, share: f64, value: Self, bound: f64) -> bool;
    /// Whether a held value is.
    fn holds(self, value: Self, bound: f64) -> bool;
    /// The bound that a tolerance means for [`Value::is_near`].
    fn bound(tolerance: f64) -> f64;
    /// How the way's value at a share of it had to be moved to be `value`.
    fn off(way: &Self::Way, share: f64, value: Self) -> DVec3;
    /// Moved by so much; small moves alone are exact.
    fn moved(self, by: DVec3) -> Self;
}

impl Value for DVec3 {
    type Way = [DVec3; 2];

    fn way(from: Self, to: Self) -> Self::Way {
        [from, to - from]
    }

    fn is_near([from, way]: &Self::Way, share: f64, value: Self, bound: f64) -> bool {
        (*from + *way * share - value).length_squared() <= bound
    }

    fn holds(self, value: Self, bound: f64) -> bool {
        (self - value).length_squared() <= bound
    }

    fn bound(tolerance: f64) -> f64 {
        tolerance * tolerance
    }

    fn off([from, way]: &Self::Way, share: f64, value: Self) -> DVec3 {
        value - (*from + *way * share)
    }

    fn moved(self, by: DVec3) -> Self {
        self + by
    }
}

impl Value for DQuat {
    type Way = Arc;

    fn way(from: Self, to: Self) -> Self::Way {
        Arc::between(from, to)
    }

    fn is_near(way: &Self::Way, share: f64, value: Self, bound: f64) -> bool {
        arc_at(way, share).holds(value, bound)
    }

    fn holds(self, value: Self, bound: f64) -> bool {
        // The squared sine of half the angle between them; from the smaller of the two differences
        // where there are digits.
        let apart = (self - value).length_squared().min((self + value).length_squared());
        apart * (1.0 - 0.25 * apart) <= bound
    }

    /// Of degrees.
    fn bound(tolerance: f64) -> f64 {
        let sine = libm::sin(0.5 * tolerance.to_radians().min(std::f64::consts::PI));
        sine * sine
    }

    fn off(way: &Self::Way, share: f64, value: Self) -> DVec3 {
        let between = arc_at(way, share).conjugate() * value;
        between.xyz() * if between.w < 0.0 { -2.0 } else { 2.0 }
    }

    fn moved(self, by: DVec3) -> Self {
        let half = 0.5 * by;
        (self * DQuat::from_xyzw(half.x, half.y, half.z, 1.0)).normalize()
    }
}

/// A curve as samples.
#[derive(Clone, Copy, Debug)]
pub(super) struct Curve<'a, V> {
    /// Increasing, seconds.
    pub times: &'a [f64],
    pub values: &'a [V],
    /// Where keys may stand.
    pub candidate: &'a [bool],
    /// Whether the curve jumps between the sample before and this one.
    pub jumped: &'a [bool],
}

/// How much farther the next segment is tried at first than the last one went.
const STRIDE: f64 = 1.5;

/// Segments whose lines miss by up to so many tolerances may be mended by moving their keys: a line
/// that leaves a bow by half of its height on both sides is as near as it can be. The more there is
/// to mend, the more often it fails.
const BOWS: [f64; 4] = [1.8, 1.6, 1.4, 1.2];
/// So often segments that are still off are parted.
const REPAIRS: usize = 6;

impl<V: Value> Curve<'_, V> {
    /// Keys (samples and values) whose lines are nowhere farther from the samples than the
    /// tolerance: as few as were found. Values are the samples' own, or moved off the curve by part
    /// of the tolerance where that spares keys.
    pub fn fit(&self, tolerance: f64) -> Vec<(usize, V)> {
        let plain = self.reduce(tolerance);
        if plain.len() > 2 {
            let moved = BOWS.iter().filter_map(|bow| {
                self.off_the_curve(self.reduce(bow * tolerance), tolerance, plain.len())
            });
            if let Some(fewest) = moved.min_by_key(Vec::len) {
                return fewest;
            }
        }
        plain.into_iter().map(|key| (key, self.values[key])).collect()
    }

    /// Moves keys half way into the bows beside them, and parts what is still off.
    /// `None` where that takes as many as `most` keys.
    fn off_the_curve(
        &self,
        mut keys: Vec<usize>,
        tolerance: f64,
        most: usize,
    ) -> Option<Vec<(usize, V)>> {
        let bound = V::bound(tolerance);
        let last = self.times.len() - 1;
        for _ in 0..REPAIRS {
            if keys.len() >= most {
                return None;
            }
            let bows: Vec<Option<DVec3>> =
                keys.windows(2).map(|pair| self.bow(pair[0], pair[1], tolerance)).collect();
            let by = |key: usize| {
                // What holds beyond its end stays where it is, and so does what stands still.
                let holds =
                    (key == 0 && keys[0] > 0) || (key + 1 == keys.len() && keys[key] < last);
                let beside = [key.checked_sub(1).map(|k| bows[k]), bows.get(key).copied()];
                let beside: Vec<Option<DVec3>> = beside.into_iter().flatten().collect();
                if holds || beside.contains(&None) || beside.is_empty() {
                    return DVec3::ZERO;
                }
                let sum: DVec3 = beside.iter().flatten().sum();
                0.5 * sum / beside.len() as f64
            };
            let made: Vec<(usize, V)> = keys
                .iter()
                .enumerate()
                .map(|(at, key)| (*key, self.values[*key].moved(by(at))))
                .collect();
            let mut parted = Vec::new();
            for pair in made.windows(2) {
                if !self.is_kept(pair[0], pair[1], bound) {
                    let (from, to) = (pair[0].0, pair[1].0);
                    if to < from + 2 {
                        return None;
                    }
                    let middle = self.candidate_up_to(from, from + (to - from) / 2, to - 1);
                    parted.push(middle);
                }
            }
            let ends = [(0, made.first()?), (last, made.last()?)];
            let held = ends.into_iter().all(|(end, (key, value))| {
                let range = (*key).min(end)..=(*key).max(end);
                range.into_iter().all(|at| value.holds(self.values[at], bound))
            });
            if !held {
                return None;
            }
            if parted.is_empty() {
                return Some(made);
            }
            keys.extend(parted);
            keys.sort_unstable();
            keys.dedup();
        }
        None
    }

    /// How far the samples leave the line between two at most, and where to; `None` where they do
    /// not, or where it is a jump.
    fn bow(&self, from: usize, to: usize, tolerance: f64) -> Option<DVec3> {
        if to == from + 1 && self.jumped[to] {
            return None;
        }
        let way = V::way(self.values[from], self.values[to]);
        let [start, length] = [self.times[from], self.times[to] - self.times[from]];
        let off = |at: usize| V::off(&way, (self.times[at] - start) / length, self.values[at]);
        let most = (from + 1..to)
            .map(off)
            .max_by(|a, b| a.length_squared().total_cmp(&b.length_squared()))
            .unwrap_or(DVec3::ZERO);
        let still = V::bound(tolerance * 1e-3);
        let stands = || (from..=to).all(|at| self.values[from].holds(self.values[at], still));
        (!stands()).then_some(most)
    }

    /// Whether the line between two keys is near to all samples from one to the other.
    fn is_kept(&self, (from, a): (usize, V), (to, b): (usize, V), bound: f64) -> bool {
        if to == from + 1 && self.jumped[to] {
            return a.holds(self.values[from], bound) && b.holds(self.values[to], bound);
        }
        let way = V::way(a, b);
        let [start, length] = [self.times[from], self.times[to] - self.times[from]];
        (from..=to)
            .all(|at| V::is_near(&way, (self.times[at] - start) / length, self.values[at], bound))
    }

    /// Which samples to keep as keys, so that the lines between them are nowhere farther from the
    /// samples than the tolerance: each segment as long as can be, one key where nothing moves.
    pub fn reduce(&self, tolerance: f64) -> Vec<usize> {
        let bound = V::bound(tolerance);
        let last = self.times.len().saturating_sub(1);
        if self.times.is_empty() {
            return Vec::new();
        }
        for key in [0, last / 2, last] {
            if self.values.iter().all(|value| self.values[key].holds(*value, bound)) {
                return vec![key];
            }
        }
        let mut keys = vec![0];
        let (mut from, mut length) = (0, 8);
        let mut jump = 0;
        while from < last {
            if jump <= from {
                jump = (from + 1..=last).find(|at| self.jumped[*at]).unwrap_or(last + 1);
            }
            // A piece ends right before the next jump.
            let end = jump - 1;
            if end > from {
                let to = self.farthest(from, end, length, bound);
                length = to - from;
                keys.push(to);
                from = to;
            } else {
                keys.push(jump);
                from = jump;
            }
        }
        self.trim(&mut keys, bound);
        keys
    }

    /// The last sample up to `end` that a line from `from` may go to.
    fn farthest(&self, from: usize, end: usize, length: usize, bound: f64) -> usize {
        let fits = |to: usize| self.fits(from, to, bound);
        let step = |by: usize| self.candidate_up_to(from, (from + by).min(end), end);
        // Longer and longer while it fits, then halves.
        let mut good = from + 1;
        let mut by = length.max(2);
        let mut bad = loop {
            let to = step(by);
            if !fits(to) {
                break to;
            }
            good = good.max(to);
            if to >= end {
                return end;
            }
            by = ((by as f64 * STRIDE) as usize).max(by + 2);
        };
        if good == from + 1 && bad > good {
            // It did not reach as far as the one before.
            let mut by = (bad - from) / 2;
            while by >= 1 {
                let to = step(by);
                if to <= from + 1 {
                    break;
                }
                if to < bad && fits(to) {
                    good = to;
                    break;
                }
                bad = bad.min(to);
                by /= 2;
            }
        }
        while bad > good + 1 {
            let middle = good + (bad - good) / 2;
            let to = self.candidate_up_to(good, middle, bad - 1);
            if to <= good || to >= bad {
                break;
            }
            if fits(to) { good = to } else { bad = to }
        }
        good
    }

    /// The candidate nearest to `wanted`, behind `from` and not behind `end`, which counts as one.
    fn candidate_up_to(&self, from: usize, wanted: usize, end: usize) -> usize {
        let back = (from + 1..=wanted).rev().find(|at| self.candidate[*at]);
        let on = || (wanted..=end).find(|at| self.candidate[*at]);
        if wanted == end { end } else { back.or_else(on).unwrap_or(end) }
    }

    fn fits(&self, from: usize, to: usize, bound: f64) -> bool {
        if to <= from + 1 {
            return true;
        }
        let way = V::way(self.values[from], self.values[to]);
        let [start, length] = [self.times[from], self.times[to] - self.times[from]];
        let near =
            |at: usize| V::is_near(&way, (self.times[at] - start) / length, self.values[at], bound);
        // Where it does not fit the middle mostly shows it first.
        let middle = from + (to - from) / 2;
        near(middle) && (from + 1..to).all(near)
    }

    /// Takes out a first and a last key that hold what their neighbour holds anyway.
    fn trim(&self, keys: &mut Vec<usize>, bound: f64) {
        let held = |key: usize, from: usize, to: usize| {
            (from..=to).all(|at| self.values[key].holds(self.values[at], bound))
        };
        if let [first, second, ..] = keys[..]
            && held(second, first, second)
            && !self.jumped[second]
        {
            keys.remove(0);
        }
        if let [.., before, last] = keys[..]
            && held(before, before, last)
        {
            keys.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn all(count: usize) -> Vec<bool> {
        vec![true; count]
    }

    fn reduced(values: &[DVec3], tolerance: f64) -> Vec<usize> {
        let times: Vec<f64> = (0..values.len()).map(|at| at as f64 / 24.0).collect();
        let (candidate, jumped) = (all(values.len()), vec![false; values.len()]);
        Curve { times: &times, values, candidate: &candidate, jumped: &jumped }.reduce(tolerance)
    }

    #[test]
    fn lines_have_two_keys_and_plains_one() {
        let line: Vec<DVec3> = (0..100).map(|at| DVec3::X * f64::from(at)).collect();
        assert_eq!(reduced(&line, 0.001), [0, 99]);
        assert_eq!(reduced(&[DVec3::ONE; 100], 0.0), [0]);
        let mut corner = line.clone();
        corner.extend((0..100).map(|at| DVec3::X * f64::from(98 - at)));
        assert_eq!(reduced(&corner, 0.001), [0, 99, 199]);
        // Held before and after.
        let mut ramp = vec![DVec3::ZERO; 50];
        ramp.extend((1..=50).map(|at| DVec3::Y * f64::from(at)));
        ramp.extend(vec![DVec3::Y * 50.0; 50]);
        assert_eq!(reduced(&ramp, 1e-6), [49, 99]);
    }

    #[test]
    fn keys_beside_the_curve_spare_keys() {
        let wave = |at: i32| DVec3::new(0.0, (f64::from(at) * 0.02).sin(), 0.0);
        let values: Vec<DVec3> = (0..1000).map(wave).collect();
        let times: Vec<f64> = (0..1000).map(f64::from).collect();
        let (candidate, jumped) = (all(1000), vec![false; 1000]);
        let curve =
            Curve { times: &times, values: &values, candidate: &candidate, jumped: &jumped };
        let (on, off) = (curve.reduce(0.001).len(), curve.fit(0.001).len());
        assert!(off * 10 <= on * 8, "{off} instead of {on}");
    }

    #[test]
    fn jumps_stay_jumps() {
        let times = [0.0, 0.5, 0.999_999, 1.0, 1.5, 2.0];
        let values = [0.0, 0.0, 0.0, 5.0, 5.0, 5.0].map(|x| DVec3::X * x);
        let jumped = [false, false, false, true, false, false];
        let candidate = all(6);
        let curve =
            Curve { times: &times, values: &values, candidate: &candidate, jumped: &jumped };
        assert_eq!(curve.reduce(0.001), [2, 3]);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..<_>::default() })]

        #[test]
        fn nowhere_farther_than_the_tolerance(
            steps in prop::collection::vec(-1.0..1.0f64, 2..120),
            tolerance in 0.001..2.0f64,
        ) {
            let mut at = 0.0;
            let turns: Vec<DQuat> = steps.iter().map(|step| {
                at += step * 0.3;
                DQuat::from_rotation_z(at) * DQuat::from_rotation_x(0.5 * at)
            }).collect();
            let times: Vec<f64> = (0..turns.len()).map(|at| at as f64 / 8.0).collect();
            let candidate: Vec<bool> = (0..turns.len()).map(|at| at % 2 == 0).collect();
            let jumped = vec![false; turns.len()];
            let curve =
                Curve { times: &times, values: &turns, candidate: &candidate, jumped: &jumped };
            let keys = curve.fit(tolerance);
            prop_assert!(keys.windows(2).all(|pair| pair[0].0 < pair[1].0));
            prop_assert!(keys.len() <= curve.reduce(tolerance).len());
            for (at, turn) in turns.iter().enumerate() {
                let behind = keys.partition_point(|key| key.0 <= at);
                let got = match (behind.checked_sub(1).map(|k| keys[k]), keys.get(behind)) {
                    (Some((a, from)), Some((b, to))) => {
                        let share = (times[at] - times[a]) / (times[*b] - times[a]);
                        arc_at(&Arc::between(from, *to), share)
                    }
                    (Some((_, only)), None) => only,
                    (None, Some((_, only))) => *only,
                    (None, None) => *turn,
                };
                let apart = crate::math::apart_deg(got, *turn);
                prop_assert!(apart <= tolerance * 1.0001 + 1e-9, "{apart} at {at}");
            }
        }
    }
}
