//! How far a long reading is, and whether somebody wants it to stop.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Shared between a reading and whoever waits for it. One serves one reading.
#[derive(Debug, Default)]
pub struct Progress {
    done: AtomicUsize,
    total: AtomicUsize,
    cancelled: AtomicBool,
}

impl Progress {
    /// Nothing done yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// How much is done, from 0 to 1.
    pub fn fraction(&self) -> f64 {
        let total = self.total.load(Ordering::Relaxed);
        if total == 0 {
            return 0.0;
        }
        (self.done.load(Ordering::Relaxed) as f64 / total as f64).min(1.0)
    }

    /// Asks the reading to stop soon.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Whether somebody asked it to stop.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    pub(crate) fn expect(&self, more: usize) {
        self.total.fetch_add(more, Ordering::Relaxed);
    }

    pub(crate) fn advance(&self, by: usize) {
        self.done.fetch_add(by, Ordering::Relaxed);
    }
}
