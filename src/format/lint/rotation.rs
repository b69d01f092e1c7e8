//! Angles against quaternions.

use crate::math::{apart_deg, quat_about_axes};
use crate::model::take::RotOrder;
use glam::{DQuat, DVec3};

/// Further apart than this, in degrees, `rot` and `rot_quat` do not say the same (A3).
pub(super) const APART_DEG: f64 = 0.1;
/// Further apart than this, in degrees, it is an error (A3).
pub(super) const FAR_APART_DEG: f64 = 5.0;

/// Whether two unit quaternions are nearer than [`APART_DEG`], quickly.
pub(super) fn are_near(a: DQuat, b: DQuat) -> bool {
    // sin²(half the angle)
    const LIMIT: f64 = (0.000_872_664_515_235_149_5 * 0.000_872_664_515_235_149_5) * 0.999;
    let between = a.conjugate() * b;
    between.x * between.x + between.y * between.y + between.z * between.z < LIMIT
}

/// Another order of the axes in which the angles (in radians) make this rotation.
pub(super) fn fitting_order(euler: DVec3, quat: DQuat, not: RotOrder) -> Option<RotOrder> {
    let others = RotOrder::ALL.into_iter().filter(|order| *order != not);
    let apart = others.map(|order| (order, apart_deg(quat_about_axes(euler, order.axes()), quat)));
    let nearest = apart.min_by(|a, b| a.1.total_cmp(&b.1))?;
    (nearest.1 <= APART_DEG).then_some(nearest.0)
}

/// The name that programs with turning axes have for an order: `xyz` about fixed axes is
/// intrinsic ZYX.
pub(super) fn intrinsic_name(order: RotOrder) -> String {
    order.axes().iter().rev().map(|axis| ["X", "Y", "Z"][*axis]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::take::{Angles, unit_quat};

    #[test]
    fn the_worked_disagreement() {
        let rot = DVec3::new(30.0, 40.0, 50.0);
        let quat = unit_quat([0.785221, 0.360042, 0.196628, 0.463827]).unwrap_or_default();
        let angles = Angles::of(None);
        let own = angles.quat(rot).unwrap_or_default();
        assert!((apart_deg(own, quat) - 44.900462).abs() < 1e-4, "{}", apart_deg(own, quat));
        assert!(!are_near(own, quat));
        let fits = fitting_order(rot * 1_f64.to_radians(), quat, RotOrder::Xyz);
        assert_eq!(fits, Some(RotOrder::Zyx));
        assert_eq!(intrinsic_name(RotOrder::Zyx), "XYZ");
        let other = crate::math::quat_from_euler(rot * 1_f64.to_radians());
        assert!(apart_deg(own, other) < 1e-6);
    }
}
