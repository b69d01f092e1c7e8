//! How far long work has come, and whether it is still wanted.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};

/// Shared by who does long work and who waits for it: the one says how far it is and asks whether
/// it is still wanted, the other shows that and may cancel it.
#[derive(Clone, Debug)]
pub struct Progress {
    shared: Arc<Shared>,
    /// The part of the whole that this handle speaks of.
    from: f32,
    to: f32,
    counted: Arc<Counted>,
}

/// Work that is counted: bytes, keys.
#[derive(Debug, Default)]
struct Counted {
    done: AtomicUsize,
    total: AtomicUsize,
}

#[derive(Debug, Default)]
struct Shared {
    /// In millionths.
    done: AtomicU32,
    cancelled: AtomicBool,
}

impl Default for Progress {
    fn default() -> Self {
        Progress { shared: Arc::default(), from: 0.0, to: 1.0, counted: Arc::default() }
    }
}

impl Progress {
    /// Nothing done yet.
    pub fn new() -> Progress {
        Progress::default()
    }

    /// Says how far the work is, 0 to 1. It never goes back.
    pub fn set(&self, fraction: f32) {
        let fraction = if fraction.is_finite() { fraction.clamp(0.0, 1.0) } else { 0.0 };
        let whole = self.from + (self.to - self.from) * fraction;
        self.shared.done.fetch_max((whole * 1e6) as u32, Ordering::Relaxed);
    }

    /// A handle for the part of the work between two fractions, each 0 to 1: what it calls 0 and
    /// 1 are these.
    pub fn part(&self, from: f32, to: f32) -> Progress {
        let at = |fraction: f32| self.from + (self.to - self.from) * fraction.clamp(0.0, 1.0);
        Progress {
            shared: self.shared.clone(),
            from: at(from),
            to: at(to),
            counted: Arc::default(),
        }
    }

    /// So much more is to be done: whoever counts says so first, then [`Progress::advance`]s.
    pub(crate) fn expect(&self, more: usize) {
        self.counted.total.fetch_add(more, Ordering::Relaxed);
    }

    /// So much more of what was expected is done.
    pub(crate) fn advance(&self, by: usize) {
        let done = self.counted.done.fetch_add(by, Ordering::Relaxed) + by;
        let total = self.counted.total.load(Ordering::Relaxed);
        self.set(done as f32 / total.max(1) as f32);
    }

    /// How far the whole work is, 0 to 1.
    pub fn fraction(&self) -> f32 {
        self.shared.done.load(Ordering::Relaxed) as f32 / 1e6
    }

    /// The work is not wanted any more.
    pub fn cancel(&self) {
        self.shared.cancelled.store(true, Ordering::Relaxed);
    }

    /// Whether the work may stop: nobody will look at its result.
    pub fn is_cancelled(&self) -> bool {
        self.shared.cancelled.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_fill_the_whole_and_nothing_goes_back() {
        let whole = Progress::default();
        let second = whole.part(0.5, 1.0);
        second.set(0.5);
        assert!((whole.fraction() - 0.75).abs() < 1e-5);
        whole.part(0.0, 0.5).set(1.0);
        assert!((whole.fraction() - 0.75).abs() < 1e-5);
        second.part(0.5, 1.0).set(1.0);
        assert!((whole.fraction() - 1.0).abs() < 1e-5);
        second.set(f32::NAN);
        assert!(!whole.is_cancelled());
        second.cancel();
        assert!(whole.is_cancelled());
    }
}
