//! What the numbers of `rot` mean (A21).

use super::{CoordinateSystem, RotOrder, RotationForm};
use crate::math::{quat_about_axes, quat_from_euler};
use glam::{DQuat, DVec3};

/// How the angles of a take are meant: in which order they turn, and what a number is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Angles {
    /// Which axis turns first.
    pub order: RotOrder,
    /// Degrees or radians; with [`RotationForm::QuatWxyz`] `rot` does not count at all.
    pub form: RotationForm,
}

impl Default for Angles {
    fn default() -> Self {
        Angles { order: RotOrder::Xyz, form: RotationForm::EulerDeg }
    }
}

impl Angles {
    /// As a header says, with the canonical meaning of what it leaves out or what nobody knows.
    pub fn of(system: Option<&CoordinateSystem>) -> Angles {
        let canonical = Angles::default();
        let Some(system) = system else { return canonical };
        Angles {
            order: system.rot_order.known.unwrap_or(canonical.order),
            form: system.rot_repr_anim.known.unwrap_or(canonical.form),
        }
    }

    /// Whether `rot` says anything.
    pub fn count(self) -> bool {
        self.form != RotationForm::QuatWxyz
    }

    /// The unit quaternion of `rot`; `None` where `rot` does not count or is not finite.
    pub fn quat(self, rot: DVec3) -> Option<DQuat> {
        let radians = match self.form {
            RotationForm::EulerDeg => rot * 1_f64.to_radians(),
            RotationForm::EulerRad => rot,
            RotationForm::QuatWxyz => return None,
        };
        radians.is_finite().then(|| match self.order {
            RotOrder::Xyz => quat_from_euler(radians),
            order => quat_about_axes(radians, order.axes()),
        })
    }

    /// The angles of `rot` in degrees.
    pub fn degrees(self, rot: DVec3) -> DVec3 {
        match self.form {
            RotationForm::EulerRad => rot * 1_f64.to_degrees(),
            _ => rot,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_axes_turn_in_the_order_of_the_word() {
        // `zxy`: Z first, then X, then Y, so R = Ry·Rx·Rz (A21).
        let [x, y, z] = [30.0_f64, 40.0, 50.0].map(f64::to_radians);
        let about =
            [DQuat::from_rotation_x(x), DQuat::from_rotation_y(y), DQuat::from_rotation_z(z)];
        for order in RotOrder::ALL {
            let angles = Angles { order, ..Angles::default() };
            let [first, second, third] = order.axes().map(|axis| about[axis]);
            let got = angles.quat(DVec3::new(30.0, 40.0, 50.0)).unwrap_or_default();
            assert!((got - third * second * first).length() < 1e-12, "{order:?}");
        }
        let radians = Angles { form: RotationForm::EulerRad, ..Angles::default() };
        let same = radians
            .quat(DVec3::new(x, y, z))
            .zip(Angles::default().quat(DVec3::new(30.0, 40.0, 50.0)));
        assert!(same.is_some_and(|(a, b)| (a - b).length() < 1e-12));
        let none = Angles { form: RotationForm::QuatWxyz, ..Angles::default() };
        assert_eq!(none.quat(DVec3::ONE), None);
    }
}
