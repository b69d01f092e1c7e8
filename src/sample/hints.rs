//! Where to begin looking for a time's segment, for all tracks at once.

use super::block::{Row, WALK};
use super::lanes::LANES;

/// A clip's length cut into buckets of equal length, and for each bucket one row with every
/// track's last key before it. One row is a few cache lines, however many keys there are.
#[derive(Clone, Debug)]
pub(super) struct Hints {
    per_sec: f64,
    buckets: usize,
    blocks: usize,
    /// [`Hints::buckets`] + 1 rows of `blocks` each; the last one is the clip's end.
    rows: Vec<Row>,
}

impl Hints {
    /// Empty hints for a clip of this length with so many blocks of tracks and at most `most_keys`
    /// keys a track.
    pub fn new(duration_secs: f64, blocks: usize, most_keys: usize) -> Self {
        // Two buckets a key: evenly spaced keys, however they tremble, are alone in theirs.
        let buckets = 2 * most_keys.next_power_of_two();
        let rows = vec![[0; LANES]; (buckets + 1) * blocks];
        Hints { per_sec: buckets as f64 / duration_secs, buckets, blocks, rows }
    }

    /// Whether the rows of `other` mean the same times and blocks.
    pub fn is_like(&self, other: &Hints) -> bool {
        self.per_sec == other.per_sec
            && self.buckets == other.buckets
            && self.blocks == other.blocks
    }

    /// Rounding may put a time into a neighbouring bucket, but never an earlier time into a later
    /// bucket, and that is all that counts.
    #[inline(always)]
    fn bucket(&self, time: f64) -> usize {
        ((time * self.per_sec) as usize).min(self.buckets - 1)
    }

    /// The rows of a time's bucket and of the next one. A track's segment is not before its hint
    /// in the first and not after its hint in the second.
    #[inline(always)]
    pub fn rows(&self, time: f64) -> (&[Row], &[Row]) {
        let start = self.bucket(time) * self.blocks;
        let rows = self.rows.get(start..start + 2 * self.blocks).unwrap_or_default();
        rows.split_at(self.blocks.min(rows.len()))
    }

    /// Writes one track's hints; true where it is clustered, so that more than [`WALK`] keys lie
    /// behind a hint. `times` are the keys' alone.
    pub fn set(&mut self, block: usize, lane: usize, times: &[f64]) -> bool {
        let mut clustered = false;
        let mut key = 0;
        let mut before = 0;
        for bucket in 0..=self.buckets {
            let hint = key.max(1) - 1;
            clustered |= hint - before > WALK;
            before = hint;
            self.rows[bucket * self.blocks + block][lane] = hint as u16;
            while bucket < self.buckets && key < times.len() && self.bucket(times[key]) <= bucket {
                key += 1;
            }
        }
        clustered
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The hints of one track hold for every time between them, also where rounding puts times
    /// into a neighbouring bucket.
    fn check(duration_secs: f64, times: &[f64]) -> bool {
        let mut hints = Hints::new(duration_secs, 1, times.len());
        let clustered = hints.set(0, 0, times);
        let around = times.iter().flat_map(|t| [t.next_down(), *t, t.next_up()]);
        let buckets = (0..=hints.buckets).map(|b| duration_secs * b as f64 / hints.buckets as f64);
        for time in around.chain(buckets.flat_map(|t| [t.next_down(), t, t.next_up()])) {
            let segment = times.partition_point(|t| *t <= time).saturating_sub(1);
            let (low, high) = hints.rows(time);
            let (low, high) = (usize::from(low[0][0]), usize::from(high[0][0]));
            assert!(low <= segment && segment <= high, "{low} ≤ {segment} ≤ {high} at {time}");
            assert!(clustered || segment - low <= WALK);
        }
        clustered
    }

    #[test]
    fn hints_enclose_the_segment_and_say_where_keys_crowd() {
        for duration in [1.0, 0.1, 3600.0, 1e-300, 7.3] {
            let even: Vec<f64> = (0..512).map(|i| duration * f64::from(i) / 511.0).collect();
            assert!(!check(duration, &even));
            let crowded: Vec<f64> =
                (0..512).map(|i| duration * (0.5 + f64::from(i) * 1e-6)).collect();
            assert!(check(duration, &crowded));
            let shrinking: Vec<f64> = (0..200).rev().map(|i| duration * 0.9f64.powi(i)).collect();
            assert!(check(duration, &shrinking));
            assert!(!check(duration, &[duration]));
            assert!(!check(duration, &[0.0, duration]));
        }
    }
}
