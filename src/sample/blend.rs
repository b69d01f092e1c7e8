//! From rest to pose by weight (M24).

use super::block::turn_at;
use super::track::Turn;
use crate::math::Trs;

/// The pose `weight` of the way from `rest` to `pose` (M24): positions and scales along a line,
/// rotations the shorter way round. The weight is clamped to 0–1 (a NaN is 0); at 0 the answer is
/// `rest` and at 1 `pose`, to the last bit.
pub fn blend(rest: &Trs, pose: &Trs, weight: f64) -> Trs {
    if weight >= 1.0 {
        return *pose;
    }
    if weight.is_nan() || weight <= 0.0 {
        return *rest;
    }
    Trs {
        position: rest.position + (pose.position - rest.position) * weight,
        rotation: turn_at(&Turn::between(rest.rotation, pose.rotation), weight),
        scale: rest.scale + (pose.scale - rest.scale) * weight,
    }
}
