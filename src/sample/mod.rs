//! Poses at a time.

mod easing;
mod lanes;

pub use easing::{Bezier, ease};
