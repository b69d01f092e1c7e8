//! Telling contents apart without keeping them.

use std::fmt;
use twox_hash::XxHash3_128;

/// The 128-bit XXH3 of a file's bytes. Two different contents never share one by accident; it is
/// no defence against somebody who builds two on purpose.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentHash(u128);

impl ContentHash {
    /// The hash of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(XxHash3_128::oneshot(bytes))
    }

    pub(super) fn to_bits(self) -> u128 {
        self.0
    }

    pub(super) fn from_bits(bits: u128) -> Self {
        Self(bits)
    }
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ContentHash({:032x})", self.0)
    }
}
