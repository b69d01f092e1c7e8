//! Which key of one list is which of the other.

use std::collections::HashSet;

/// Times that are no further apart are the same moment: half of what two keys of a jump are apart
/// (A53).
pub(super) const SAME_TIME: f64 = 5e-7;
/// So many pairs of keys that stand at no common time are compared at most.
const MAX_COMPARED: usize = 40_000;
/// Fewer keys say nothing about a shift of all.
const SHIFTED: usize = 3;

/// A key's place in the first list and in the second.
pub(super) type KeyPair = (Option<u32>, Option<u32>);

/// Pairs keys (A3: lists need not be sorted, and several may stand at one time). Keys at the same
/// time are the same key, unless the whole list holds at another time what it held before; keys
/// that stand at no common time and hold the same moved. `same` says whether two keys hold the
/// same. In the order of time.
pub(super) fn pair_keys(
    times_a: &[f64],
    times_b: &[f64],
    same: &dyn Fn(usize, usize) -> bool,
) -> Vec<KeyPair> {
    let straight = times_a.len() == times_b.len()
        && times_a.iter().zip(times_b).all(|(a, b)| (a - b).abs() <= SAME_TIME)
        && times_a.windows(2).all(|pair| pair[0] + SAME_TIME < pair[1]);
    if straight {
        let other = (0..times_a.len()).filter(|at| !same(*at, *at)).count();
        if other * 2 <= times_a.len() {
            return (0..times_a.len() as u32).map(|at| (Some(at), Some(at))).collect();
        }
    }
    let lists = Lists { a: by_time(times_a), b: by_time(times_b), times_a, times_b, same };
    let mut pairs = match lists.shift() {
        Some(shift) => lists.at_common_times(shift),
        None => lists.at_common_times(0.0),
    };
    lists.join_moved(&mut pairs);
    let time = |(a, b): &KeyPair| match (a, b) {
        (Some(a), _) => times_a[*a as usize],
        (None, Some(b)) => times_b[*b as usize],
        (None, None) => 0.0,
    };
    pairs.sort_by(|x, y| time(x).total_cmp(&time(y)));
    pairs
}

fn by_time(times: &[f64]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..times.len() as u32).collect();
    order.sort_by(|x, y| times[*x as usize].total_cmp(&times[*y as usize]));
    order
}

struct Lists<'a> {
    /// Places by time.
    a: Vec<u32>,
    b: Vec<u32>,
    times_a: &'a [f64],
    times_b: &'a [f64],
    same: &'a dyn Fn(usize, usize) -> bool,
}

impl Lists<'_> {
    fn time_a(&self, at: u32) -> f64 {
        self.times_a[at as usize]
    }

    fn time_b(&self, at: u32) -> f64 {
        self.times_b[at as usize]
    }

    fn holds_same(&self, a: u32, b: u32) -> bool {
        (self.same)(a as usize, b as usize)
    }

    /// Keys at common times after the first list was moved by `shift`, then the rest of both.
    fn at_common_times(&self, shift: f64) -> Vec<KeyPair> {
        let mut pairs = Vec::with_capacity(self.a.len().max(self.b.len()));
        let (mut i, mut j) = (0, 0);
        while let (Some(a), Some(b)) = (self.a.get(i), self.b.get(j)) {
            let apart = self.time_a(*a) + shift - self.time_b(*b);
            if apart.abs() <= SAME_TIME {
                pairs.push((Some(*a), Some(*b)));
                (i, j) = (i + 1, j + 1);
            } else if apart < 0.0 {
                pairs.push((Some(*a), None));
                i += 1;
            } else {
                // What is no number is on its own, and ends all the same.
                pairs.push((None, Some(*b)));
                j += 1;
            }
        }
        pairs.extend(self.a[i..].iter().map(|a| (Some(*a), None)));
        pairs.extend(self.b[j..].iter().map(|b| (None, Some(*b))));
        pairs
    }

    /// By how much the whole list moved, where it did.
    fn shift(&self) -> Option<f64> {
        let mut shifts: Vec<f64> = Vec::new();
        let ends = |list: &[u32]| [0, list.len() / 2, list.len().saturating_sub(1)];
        for a in ends(&self.a).into_iter().filter_map(|at| self.a.get(at)) {
            let found = self.b.iter().filter(|b| self.holds_same(*a, **b)).take(4);
            shifts.extend(found.map(|b| self.time_b(*b) - self.time_a(*a)));
        }
        for b in ends(&self.b).into_iter().filter_map(|at| self.b.get(at)) {
            let found = self.a.iter().filter(|a| self.holds_same(**a, *b)).take(4);
            shifts.extend(found.map(|a| self.time_b(*b) - self.time_a(*a)));
        }
        shifts.retain(|shift| shift.abs() > SAME_TIME && shift.is_finite());
        shifts.sort_by(|x, y| x.abs().total_cmp(&y.abs()).then(x.total_cmp(y)));
        shifts.dedup_by(|x, y| (*x - *y).abs() <= SAME_TIME);
        if shifts.is_empty() {
            return None;
        }
        let explained = |shift: f64| {
            let pairs = self.at_common_times(shift);
            let same =
                |(a, b): &&KeyPair| matches!((a, b), (Some(a), Some(b)) if self.holds_same(*a, *b));
            pairs.iter().filter(same).count()
        };
        let stayed = explained(0.0);
        let (count, shift) = shifts
            .into_iter()
            .map(|shift| (explained(shift), shift))
            .reduce(|best, next| if next.0 > best.0 { next } else { best })?;
        let enough = self.a.len().min(self.b.len()) * 3 / 4;
        (count >= SHIFTED && count > enough && count > 2 * stayed).then_some(shift)
    }

    /// Joins keys that are only in one list each where they hold the same.
    fn join_moved(&self, pairs: &mut Vec<KeyPair>) {
        let gone: Vec<u32> = pairs.iter().filter(|p| p.1.is_none()).filter_map(|p| p.0).collect();
        let come: Vec<u32> = pairs.iter().filter(|p| p.0.is_none()).filter_map(|p| p.1).collect();
        if gone.is_empty() || come.is_empty() {
            return;
        }
        let mut joined: Vec<(u32, u32)> = Vec::new();
        if gone.len() == come.len() && gone.iter().zip(&come).all(|(a, b)| self.holds_same(*a, *b))
        {
            joined = gone.iter().copied().zip(come.iter().copied()).collect();
        } else if gone.len() * come.len() <= MAX_COMPARED {
            let mut open: Vec<u32> = gone.clone();
            while let Some(first) = open.first().copied() {
                // All that hold what this one holds.
                let to: Vec<u32> =
                    come.iter().copied().filter(|b| self.holds_same(first, *b)).collect();
                let alike = |a: &u32| match to.first() {
                    Some(b) => self.holds_same(*a, *b),
                    None => *a == first,
                };
                let from: Vec<u32> = open.iter().copied().filter(|a| alike(a)).collect();
                // As many as before: in their order. Otherwise which is which is anybody's guess.
                if from.len() == to.len() {
                    joined.extend(from.iter().copied().zip(to));
                }
                open.retain(|a| *a != first && !from.contains(a));
            }
        }
        let moved_a: HashSet<u32> = joined.iter().map(|j| j.0).collect();
        let moved_b: HashSet<u32> = joined.iter().map(|j| j.1).collect();
        let is_joined = |pair: &KeyPair| match pair {
            (Some(a), None) => moved_a.contains(a),
            (None, Some(b)) => moved_b.contains(b),
            _ => false,
        };
        pairs.retain(|pair| !is_joined(pair));
        pairs.extend(joined.iter().map(|(a, b)| (Some(*a), Some(*b))));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keys as (time, what they hold).
    fn pairs(a: &[(f64, i32)], b: &[(f64, i32)]) -> Vec<KeyPair> {
        let times = |keys: &[(f64, i32)]| keys.iter().map(|key| key.0).collect::<Vec<_>>();
        pair_keys(&times(a), &times(b), &|i, j| a[i].1 == b[j].1)
    }

    #[test]
    fn keys_at_one_time_are_the_same_key() {
        let a = [(1.0, 1), (5.0, 2), (9.0, 3)];
        let b = [(1.0, 1), (5.0, 7), (9.0, 3)];
        assert_eq!(pairs(&a, &b), [0, 1, 2].map(|at| (Some(at), Some(at))));
        let b = [(9.0, 3), (5.0000001, 2), (1.0, 1)];
        assert_eq!(pairs(&a, &b), [(0, 2), (1, 1), (2, 0)].map(|(a, b)| (Some(a), Some(b))));
    }

    #[test]
    fn a_key_that_holds_the_same_elsewhere_moved() {
        let a = [(1.0, 1), (5.0, 2), (9.0, 3)];
        let b = [(1.0, 1), (7.0, 2), (9.0, 3)];
        assert_eq!(pairs(&a, &b), [0, 1, 2].map(|at| (Some(at), Some(at))));
        // It holds something else too: one went, one came.
        let b = [(1.0, 1), (7.0, 4), (9.0, 3)];
        let expected = [(Some(0), Some(0)), (Some(1), None), (None, Some(1)), (Some(2), Some(2))];
        assert_eq!(pairs(&a, &b), expected);
        // Which of two went nobody knows.
        let a = [(1.0, 1), (2.0, 1), (9.0, 3)];
        let b = [(4.0, 1), (9.0, 3)];
        assert_eq!(pairs(&a, &b).len(), 4);
        // Two for two: in their order.
        let b = [(4.0, 1), (5.0, 1), (9.0, 3)];
        assert_eq!(pairs(&a, &b), [0, 1, 2].map(|at| (Some(at), Some(at))));
    }

    #[test]
    fn a_whole_list_may_move() {
        let a: Vec<(f64, i32)> = (0..20).map(|at| (f64::from(at), at)).collect();
        let b: Vec<(f64, i32)> = (0..20).map(|at| (f64::from(at + 3), at)).collect();
        assert_eq!(pairs(&a, &b), (0..20).map(|at| (Some(at), Some(at))).collect::<Vec<_>>());
        // All values changed: no shift.
        let b: Vec<(f64, i32)> = (0..20).map(|at| (f64::from(at), at + 100)).collect();
        assert_eq!(pairs(&a, &b), (0..20).map(|at| (Some(at), Some(at))).collect::<Vec<_>>());
    }

    #[test]
    fn odd_times_end() {
        let a = [(f64::NAN, 1), (5.0, 2)];
        let b = [(f64::NAN, 1), (5.0, 2), (5.0, 2)];
        let all = pairs(&a, &b);
        assert!(all.len() <= 5 && all.contains(&(Some(1), Some(1))), "{all:?}");
        assert_eq!(pairs(&[], &b).len(), 3);
    }
}
