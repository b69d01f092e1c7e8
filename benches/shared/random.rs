//! Numbers for what is measured.

use glam::DVec3;

/// Numbers that look random and are the same in every run.
pub struct Random(pub u64);

impl Random {
    /// From 0 to 1.
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Between two numbers.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }

    /// Each component within this size.
    pub fn vector(&mut self, size: f64) -> DVec3 {
        DVec3::new(self.between(-size, size), self.between(-size, size), self.between(-size, size))
    }
}
