//! What the numbers of `rot` mean (A21).

use super::{CoordinateSystem, RotOrder, RotationForm};
use crate::math::{continuous_euler, euler_from_quat, quat_about_axes, quat_from_euler};
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

    /// The numbers that `rot` would hold for a unit quaternion: of all that make the same
    /// rotation, those nearest to `previous` (A57), which is in the same unit. Where `rot` does not
    /// count they are degrees.
    pub fn rot_of(self, quat: DQuat, previous: DVec3) -> DVec3 {
        let axes = self.order.axes();
        // The same turn with the axes renamed so that the first to turn is x, the second y, the
        // third z; where that mirrors, every angle changes its sign.
        let sign = if matches!(axes, [0, 1, 2] | [1, 2, 0] | [2, 0, 1]) { 1.0 } else { -1.0 };
        let v = quat.xyz() * sign;
        let renamed = DQuat::from_xyzw(v[axes[0]], v[axes[1]], v[axes[2]], quat.w);
        let unit = match self.form {
            RotationForm::EulerRad => 1.0,
            _ => 1_f64.to_degrees(),
        };
        let near = DVec3::from_array(axes.map(|axis| previous[axis] * sign)) / unit;
        let euler = continuous_euler(euler_from_quat(renamed), near) * (unit * sign);
        let mut rot = DVec3::ZERO;
        for (at, axis) in axes.into_iter().enumerate() {
            rot[axis] = euler[at];
        }
        rot
    }

    /// Degrees in the unit of `rot`.
    pub fn of_degrees(self, degrees: DVec3) -> DVec3 {
        match self.form {
            RotationForm::EulerRad => degrees * 1_f64.to_radians(),
            _ => degrees,
        }
    }

    /// The unit quaternion of angles in degrees that turn in this order, whether or not `rot`
    /// counts; `None` where they are not finite.
    pub fn quat_of_degrees(self, degrees: DVec3) -> Option<DQuat> {
        Angles { form: RotationForm::EulerDeg, ..self }.quat(degrees)
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
    use crate::math::apart_deg;

    #[test]
    fn written_angles_make_the_rotation_and_stay_near_to_those_before() {
        // The worked number: 180 − 80 is nearer to 100 than 80 is.
        let angles = Angles::default();
        let quat = angles.quat(DVec3::new(170.0, 100.0, 10.0)).unwrap_or_default();
        let got = angles.rot_of(quat, DVec3::new(170.0, 80.0, 10.0));
        assert!((got - DVec3::new(170.0, 100.0, 10.0)).length() < 1e-9, "{got}");
        for order in RotOrder::ALL {
            for (form, unit) in
                [(RotationForm::EulerDeg, 1.0), (RotationForm::EulerRad, 1_f64.to_radians())]
            {
                let angles = Angles { order, form };
                for rot in [[10.0, 20.0, 30.0], [170.0, -100.0, 400.0], [-725.0, 3.0, 91.0]] {
                    let rot = DVec3::from(rot) * unit;
                    let quat = angles.quat(rot).unwrap_or_default();
                    let got = angles.rot_of(quat, rot + DVec3::splat(3.0 * unit));
                    assert!((got - rot).length() < 1e-6, "{order:?}: {got}, not {rot}");
                    let far = angles.rot_of(quat, DVec3::ZERO);
                    let again = angles.quat(far).unwrap_or_default();
                    assert!(apart_deg(again, quat) < 1e-6, "{order:?}: {far}");
                }
            }
        }
    }

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

    #[test]
    fn angles_come_back_from_their_turn() {
        for order in RotOrder::ALL {
            for form in [RotationForm::EulerDeg, RotationForm::EulerRad] {
                let angles = Angles { order, form };
                let unit = if form == RotationForm::EulerDeg { 1.0 } else { 1_f64.to_radians() };
                for rot in [[30.0, 40.0, 50.0], [-170.0, 20.0, 400.0], [10.0, -75.0, -200.0]] {
                    let rot = DVec3::from_array(rot) * unit;
                    let turn = angles.quat(rot).unwrap_or_default();
                    let near = rot + DVec3::new(4.0, -7.0, 9.0) * unit;
                    let back = angles.rot_of(turn, near);
                    assert!((back - rot).length() < 1e-9, "{order:?}: {back}, not {rot}");
                }
            }
        }
    }
}
