//! Poses of one part, and Euler angles to quaternions and back.
//!
//! Everything is f64, and trigonometry comes from `libm`, so that a pose is the same to the last
//! bit on every machine.

use glam::{DQuat, DVec3, EulerRot};
use std::f64::consts::{FRAC_PI_2, PI, TAU};
use std::ops::{Add, Mul, Sub};
use wide::f64x2;

/// In which order the three angles of a file turn (M20): about the parent's fixed axes X first,
/// then Y, then Z, so that R = Rz·Ry·Rx. Blender, Maya and FBX call this XYZ.
///
/// Only [`quat_from_euler`] and [`euler_from_quat`] read it.
pub const EULER_ORDER: EulerRot = EulerRot::XYZEx;

/// The unit quaternion of Euler angles in radians (M20).
pub fn quat_from_euler(euler: DVec3) -> DQuat {
    DQuat::from_euler(EULER_ORDER, euler.x, euler.y, euler.z)
}

/// The unit quaternion of Euler angles in radians that turn about the parent's fixed axes in any
/// order (A21): `axes` are their numbers (x is 0), the one that turns first in front. With
/// `[0, 1, 2]` as [`quat_from_euler`].
pub fn quat_about_axes(euler: DVec3, axes: [usize; 3]) -> DQuat {
    let about = |axis: usize| {
        let (sin, cos) = libm::sincos(0.5 * euler[axis]);
        let mut xyz = [0.0; 3];
        xyz[axis] = sin;
        DQuat::from_xyzw(xyz[0], xyz[1], xyz[2], cos)
    };
    let [first, second, third] = axes;
    about(third) * about(second) * about(first)
}

/// How far two unit quaternions are apart, in degrees, 0 to 180: 2·atan2(|v|, |w|) of conj(a)·b
/// (A3).
pub fn apart_deg(a: DQuat, b: DQuat) -> f64 {
    let between = a.conjugate() * b;
    let v = between.xyz().length();
    2.0 * libm::atan2(v, between.w.abs()).to_degrees()
}

/// The Euler angles in radians of a unit quaternion (M20): y within ±90°, x and z within ±360°.
/// Where y is ±90° x and z turn about one axis; z is 0 there.
pub fn euler_from_quat(rotation: DQuat) -> DVec3 {
    let DQuat { x, y, z, w } = rotation;
    match EULER_ORDER {
        // Half the sum and half the difference of the outer angles come from two pairs of
        // components each. Unlike reading the angles from a matrix this loses nothing near the
        // poles, where only one of the two pairs is small.
        EulerRot::XYZEx => {
            const POLE: f64 = 16.0 * f64::EPSILON;
            let (sum_size, difference_size) =
                (libm::hypot(x + z, w - y), libm::hypot(x - z, w + y));
            let sum = libm::atan2(x + z, w - y);
            let difference = libm::atan2(x - z, w + y);
            let (sum, difference) = if sum_size < POLE {
                (difference, difference)
            } else if difference_size < POLE {
                (sum, sum)
            } else {
                (sum, difference)
            };
            let middle = 2.0 * libm::atan2(difference_size, sum_size) - FRAC_PI_2;
            DVec3::new(sum + difference, middle, sum - difference)
        }
        order => {
            let (x, y, z) = rotation.to_euler(order);
            DVec3::new(x, y, z)
        }
    }
}

/// Of all angles in radians that make the same rotation as `euler`, those nearest to `previous`
/// (A57): `euler` itself and (x ± 180°, 180° − y, z ± 180°), each angle shifted by whole turns.
pub fn continuous_euler(euler: DVec3, previous: DVec3) -> DVec3 {
    let near = |angles: DVec3| {
        let turns = (previous - angles) / TAU;
        // Half a turn away on both sides: `round` goes away from zero, whichever machine it is.
        angles + turns.round() * TAU
    };
    let same = near(euler);
    let flipped = near(DVec3::new(euler.x + PI, PI - euler.y, euler.z + PI));
    if flipped.distance_squared(previous) < same.distance_squared(previous) {
        flipped
    } else {
        same
    }
}

/// A pose of one part: scaled first, then turned, then moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trs {
    /// Metres.
    pub position: DVec3,
    /// A unit quaternion.
    pub rotation: DQuat,
    /// Factors, one an axis.
    pub scale: DVec3,
}

impl Default for Trs {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Trs {
    /// At the parent's origin, not turned, of its own size.
    pub const IDENTITY: Trs =
        Trs { position: DVec3::ZERO, rotation: DQuat::IDENTITY, scale: DVec3::ONE };

    /// The pose in the space that `self` stands in, of a child whose pose under `self` is `local`
    /// (M25): position = Pp + Pq·(Ps∘p), rotation = Pq·q, scale = Ps∘s. Nothing is ever sheared.
    #[inline]
    pub fn compose(&self, local: &Trs) -> Trs {
        Trs::from_numbers(compose_numbers(&self.numbers(), &local.numbers()))
    }

    /// Two compositions side by side, each the same to the last bit as [`Trs::compose`].
    #[inline]
    pub fn compose_two(parents: [&Trs; 2], locals: [&Trs; 2]) -> [Trs; 2] {
        let side_by_side = |[a, b]: [&Trs; 2]| -> Numbers<f64x2> {
            let (a, b) = (a.numbers(), b.numbers());
            std::array::from_fn(|i| f64x2::new([a[i], b[i]]))
        };
        let composed = compose_numbers(&side_by_side(parents), &side_by_side(locals));
        let composed = composed.map(f64x2::to_array);
        [0, 1].map(|side| Trs::from_numbers(composed.map(|both| both[side])))
    }

    #[inline]
    fn numbers(&self) -> Numbers<f64> {
        let Trs { position: p, rotation: q, scale: s } = self;
        [p.x, p.y, p.z, q.x, q.y, q.z, q.w, s.x, s.y, s.z]
    }

    #[inline]
    fn from_numbers(numbers: Numbers<f64>) -> Trs {
        let [px, py, pz, qx, qy, qz, qw, sx, sy, sz] = numbers;
        Trs {
            position: DVec3::new(px, py, pz),
            rotation: DQuat::from_xyzw(qx, qy, qz, qw),
            scale: DVec3::new(sx, sy, sz),
        }
    }

    /// Where a point of this part's own space stands in the space around it.
    pub fn transform_point(&self, point: DVec3) -> DVec3 {
        let DQuat { x, y, z, w } = self.rotation;
        self.position + DVec3::from(rotate([x, y, z, w], (self.scale * point).to_array()))
    }

    /// The same transform where two factors of the scale are below 0: both above, and half a turn
    /// about the third axis (A52). Any other pose as it is.
    #[must_use]
    pub fn folded(&self) -> Trs {
        let Trs { position, mut rotation, scale } = *self;
        let negative = scale.to_array().map(|factor| factor < 0.0);
        if negative.iter().filter(|negative| **negative).count() != 2 {
            return *self;
        }
        let third = negative.iter().position(|negative| !negative).unwrap_or(0);
        let mut half = [0.0; 4];
        half[third] = 1.0;
        rotation *= DQuat::from_array(half);
        Trs { position, rotation, scale: scale.abs() }
    }

    /// The local pose that stands at `world` under the parent `self`: [`Trs::compose`] undone.
    ///
    /// `None` where there is no exact answer: one of the parent's factors is 0, so that everything
    /// under it is flat, or a number is too large or too small to be divided. The answer may still
    /// be outside of what a file may hold; whoever writes it looks at that.
    pub fn local_from_world(&self, world: &Trs) -> Option<Trs> {
        let back = self.rotation.conjugate();
        let turned = rotate(back.to_array(), (world.position - self.position).to_array());
        let local = Trs {
            position: DVec3::from(turned) / self.scale,
            rotation: back * world.rotation,
            scale: world.scale / self.scale,
        };
        let divisible = self.scale.cmpne(DVec3::ZERO).all() && self.scale.is_finite();
        let exact = divisible
            && local.position.is_finite()
            && local.scale.is_finite()
            && local.rotation.is_finite()
            // A factor that is no normal number any more has lost digits.
            && local.scale.to_array().iter().zip(world.scale.to_array()).all(|(l, w)| {
                l.is_normal() || w == 0.0
            });
        exact.then_some(local)
    }
}

/// Which axes a [`Basis`] starts from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Axes {
    /// Y up, right-handed: as here.
    #[default]
    YUp,
    /// Z up, right-handed.
    ZUp,
    /// Y up, left-handed: Z points the other way.
    YUpLeftHanded,
}

/// An exact change of basis to Y up, right-handed, metres (A21).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Basis {
    /// The axes of what is changed.
    pub axes: Axes,
    /// How many metres a length of 1 is.
    pub meters: f64,
}

impl Default for Basis {
    fn default() -> Self {
        Basis::CANONICAL
    }
}

impl Basis {
    /// The one that changes nothing.
    pub const CANONICAL: Basis = Basis { axes: Axes::YUp, meters: 1.0 };

    /// Whether it changes nothing.
    pub fn is_canonical(&self) -> bool {
        *self == Basis::CANONICAL
    }

    /// A point or an offset (A21): Z up (x, y, z) → (x, z, −y), left-handed z → −z; in metres.
    pub fn point(&self, p: DVec3) -> DVec3 {
        let turned = match self.axes {
            Axes::YUp => p,
            Axes::ZUp => DVec3::new(p.x, p.z, -p.y),
            Axes::YUpLeftHanded => DVec3::new(p.x, p.y, -p.z),
        };
        turned * self.meters
    }

    /// A rotation (A21): Z up (w, x, z, −y), left-handed (w, −x, −y, z).
    pub fn rotation(&self, q: DQuat) -> DQuat {
        match self.axes {
            Axes::YUp => q,
            Axes::ZUp => DQuat::from_xyzw(q.x, q.z, -q.y, q.w),
            Axes::YUpLeftHanded => DQuat::from_xyzw(-q.x, -q.y, q.z, q.w),
        }
    }

    /// Factors along the axes (A21): Z up swaps y and z.
    pub fn scale(&self, s: DVec3) -> DVec3 {
        match self.axes {
            Axes::ZUp => DVec3::new(s.x, s.z, s.y),
            Axes::YUp | Axes::YUpLeftHanded => s,
        }
    }

    /// A pose, relative to the parent or in the world: both change alike.
    pub fn pose(&self, pose: &Trs) -> Trs {
        Trs {
            position: self.point(pose.position),
            rotation: self.rotation(pose.rotation),
            scale: self.scale(pose.scale),
        }
    }

    /// An angle about a camera's own Z: its sign changes with the hand (A21).
    pub fn roll(&self, angle: f64) -> f64 {
        if self.axes == Axes::YUpLeftHanded { -angle } else { angle }
    }
}

/// Position, rotation and scale of one pose, or of several side by side.
type Numbers<T> = [T; 10];

/// What [`Trs::compose`] says, for one pose or several side by side.
#[inline(always)]
fn compose_numbers<T>(parent: &Numbers<T>, local: &Numbers<T>) -> Numbers<T>
where
    T: Copy + Add<Output = T> + Sub<Output = T> + Mul<Output = T>,
{
    let [ppx, ppy, ppz, pqx, pqy, pqz, pqw, psx, psy, psz] = *parent;
    let [px, py, pz, qx, qy, qz, qw, sx, sy, sz] = *local;
    let [x, y, z] = rotate([pqx, pqy, pqz, pqw], [psx * px, psy * py, psz * pz]);
    [
        ppx + x,
        ppy + y,
        ppz + z,
        (pqw * qx + pqx * qw) + (pqy * qz - pqz * qy),
        (pqw * qy + pqy * qw) + (pqz * qx - pqx * qz),
        (pqw * qz + pqz * qw) + (pqx * qy - pqy * qx),
        (pqw * qw - pqx * qx) - (pqy * qy + pqz * qz),
        psx * sx,
        psy * sy,
        psz * sz,
    ]
}

/// A vector turned by a quaternion x, y, z, w: v + w·t + q×t, where t = 2q×v. Fewer steps than by
/// way of a matrix.
#[inline(always)]
fn rotate<T>([qx, qy, qz, qw]: [T; 4], [x, y, z]: [T; 3]) -> [T; 3]
where
    T: Copy + Add<Output = T> + Sub<Output = T> + Mul<Output = T>,
{
    let [tx, ty, tz] = [qy * z - qz * y, qz * x - qx * z, qx * y - qy * x];
    let [tx, ty, tz] = [tx + tx, ty + ty, tz + tz];
    [
        x + qw * tx + (qy * tz - qz * ty),
        y + qw * ty + (qz * tx - qx * tz),
        z + qw * tz + (qx * ty - qy * tx),
    ]
}

#[cfg(test)]
// A test stops where something is missing; numbers stand as the format's examples have them.
#[allow(clippy::unwrap_used, clippy::approx_constant)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn degrees(x: f64, y: f64, z: f64) -> DVec3 {
        DVec3::new(x.to_radians(), y.to_radians(), z.to_radians())
    }

    fn same_rotation(a: DQuat, b: DQuat, tolerance: f64) -> bool {
        1.0 - a.dot(b).abs() < tolerance * tolerance
            || (a - b).length() < tolerance
            || (a + b).length() < tolerance
    }

    #[test]
    fn euler_angles_turn_about_fixed_axes_x_then_y_then_z() {
        let q = quat_from_euler(degrees(30.0, 40.0, 50.0));
        let expected = [0.860042, 0.080805, 0.402198, 0.303372];
        for (got, want) in [q.w, q.x, q.y, q.z].into_iter().zip(expected) {
            assert!((got - want).abs() < 1e-6, "{q:?}");
        }
        // X moves nothing along X; then Y takes X to −Z; then Z leaves it there.
        let turned = quat_from_euler(degrees(90.0, 90.0, 90.0)) * DVec3::X;
        assert!((turned - DVec3::NEG_Z).length() < 1e-12, "{turned}");
    }

    #[test]
    fn continuous_angles_keep_the_way_they_were_written() {
        let previous = degrees(170.0, 80.0, 10.0);
        let target = degrees(170.0, 100.0, 10.0);
        let read = euler_from_quat(quat_from_euler(target));
        assert!((continuous_euler(read, previous) - target).length() < 1e-9);
        // Whole turns are kept.
        let spun = degrees(725.0, -3.0, -361.0);
        let read = euler_from_quat(quat_from_euler(spun));
        assert!((continuous_euler(read, degrees(720.0, 0.0, -360.0)) - spun).length() < 1e-9);
    }

    #[test]
    fn worlds_are_composed_without_shear() {
        let parent = Trs { scale: DVec3::new(2.0, 1.0, 1.0), ..Trs::IDENTITY };
        let child = Trs {
            position: DVec3::X,
            rotation: quat_from_euler(degrees(0.0, 0.0, 45.0)),
            scale: DVec3::ONE,
        };
        let point = parent.compose(&child).transform_point(DVec3::X);
        assert!((point - DVec3::new(3.414214, 1.414214, 0.0)).length() < 1e-6, "{point}");
    }

    #[test]
    fn a_flat_parent_has_no_exact_local_pose() {
        let flat = Trs { scale: DVec3::new(1.0, 0.0, 1.0), ..Trs::IDENTITY };
        assert_eq!(flat.local_from_world(&Trs::IDENTITY), None);
        let endless = Trs { scale: DVec3::splat(f64::INFINITY), ..Trs::IDENTITY };
        assert_eq!(endless.local_from_world(&Trs::IDENTITY), None);
        let huge = Trs { scale: DVec3::splat(1e300), ..Trs::IDENTITY };
        let tiny = Trs { scale: DVec3::splat(1e-20), ..Trs::IDENTITY };
        assert_eq!(huge.local_from_world(&tiny), None);
    }

    /// A pose as the matrix that it is.
    fn matrix(pose: &Trs) -> glam::DMat4 {
        glam::DMat4::from_scale_rotation_translation(pose.scale, pose.rotation, pose.position)
    }

    #[test]
    fn a_basis_changes_as_the_rule_says() {
        let p = DVec3::new(1.0, 2.0, 3.0);
        let q = DQuat::from_xyzw(0.1, 0.2, 0.3, 0.9);
        let z_up = Basis { axes: Axes::ZUp, meters: 0.01 };
        assert_eq!(z_up.point(p), DVec3::new(0.01, 0.03, -0.02));
        assert_eq!(z_up.rotation(q), DQuat::from_xyzw(0.1, 0.3, -0.2, 0.9));
        assert_eq!(z_up.scale(p), DVec3::new(1.0, 3.0, 2.0));
        assert_eq!(z_up.roll(30.0), 30.0);
        let left = Basis { axes: Axes::YUpLeftHanded, meters: 1.0 };
        assert_eq!(left.point(p), DVec3::new(1.0, 2.0, -3.0));
        assert_eq!(left.rotation(q), DQuat::from_xyzw(-0.1, -0.2, 0.3, 0.9));
        assert_eq!(left.scale(p), p);
        assert_eq!(left.roll(30.0), -30.0);
        assert!(Basis::default().is_canonical() && !left.is_canonical());
    }

    fn angle() -> impl Strategy<Value = f64> {
        prop_oneof![-7.0..7.0, (-4i32..=4).prop_map(|q| f64::from(q) * FRAC_PI_2)]
    }

    prop_compose! {
        fn pose()(p in [-1e3..1e3, -1e3..1e3, -1e3..1e3], e in [angle(), angle(), angle()],
                  s in [0.1..10.0, 0.1..10.0, 0.1..10.0]) -> Trs {
            Trs { position: p.into(), rotation: quat_from_euler(e.into()), scale: s.into() }
        }
    }

    /// Two mirrors are half a turn: no point moves.
    #[test]
    fn folded_poses_are_the_same_transforms() {
        let rotation = quat_from_euler(DVec3::new(0.4, -0.3, 0.9));
        for scale in [[-1.0, -2.0, 3.0], [-1.0, 2.0, -3.0], [1.0, -2.0, -3.0]] {
            let pose = Trs { position: DVec3::ONE, rotation, scale: DVec3::from(scale) };
            let folded = pose.folded();
            assert!(folded.scale.min_element() > 0.0, "{folded:?}");
            for point in [DVec3::X, DVec3::Y, DVec3::new(0.3, -4.0, 2.0)] {
                let [a, b] = [pose, folded].map(|pose| pose.transform_point(point));
                assert!((a - b).length() < 1e-12, "{a} {b}");
            }
        }
        let mirrored = Trs { scale: DVec3::new(-1.0, 1.0, 1.0), ..Trs::IDENTITY };
        assert_eq!(mirrored.folded(), mirrored, "one mirror is none");
    }

    proptest! {
        #[test]
        fn angles_of_a_rotation_make_that_rotation(e in [angle(), angle(), angle()],
                                                   off in -1e-7..1e-7f64, q in -1i32..=1) {
            // Close to the poles too.
            let near_pole = DVec3::new(e[0], f64::from(q) * FRAC_PI_2 + off, e[2]);
            for euler in [DVec3::from(e), near_pole] {
                let rotation = quat_from_euler(euler);
                let read = euler_from_quat(rotation);
                prop_assert!(read.y.abs() <= FRAC_PI_2 + 1e-12);
                prop_assert!(same_rotation(quat_from_euler(read), rotation, 1e-12), "{euler} {read}");
                let continuous = continuous_euler(read, euler);
                prop_assert!(same_rotation(quat_from_euler(continuous), rotation, 1e-12));
                prop_assert!((continuous - euler).length() <= (read - euler).length() + 1e-9);
            }
        }

        #[test]
        fn a_change_of_basis_is_exact(pose in pose(), other in pose(), z_up in any::<bool>(),
                                      meters in 0.001..2.0f64) {
            let axes = if z_up { Axes::ZUp } else { Axes::YUpLeftHanded };
            let basis = Basis { axes, meters };
            // Poses compose the same before and after.
            let before = basis.pose(&pose.compose(&other));
            let after = basis.pose(&pose).compose(&basis.pose(&other));
            prop_assert!((before.position - after.position).length() < 1e-9);
            prop_assert!(same_rotation(before.rotation, after.rotation, 1e-12));
            prop_assert!((before.scale - after.scale).length() < 1e-9);
            // And a matrix C·M·C⁻¹ is the changed pose's matrix.
            let columns = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| basis.point(axis));
            let c = glam::DMat4::from_mat3(glam::DMat3::from_cols_array_2d(&columns.map(|c| c.to_array())));
            let changed = c * matrix(&pose) * c.inverse();
            let difference = (changed - matrix(&basis.pose(&pose))).to_cols_array();
            prop_assert!(difference.iter().all(|d| d.abs() < 1e-9), "{difference:?}");
        }

        #[test]
        fn a_local_pose_composes_back_to_its_world_pose(parent in pose(), world in pose()) {
            let local = parent.local_from_world(&world).unwrap();
            let again = parent.compose(&local);
            prop_assert!((again.position - world.position).length() < 1e-8);
            prop_assert!(same_rotation(again.rotation, world.rotation, 1e-12));
            prop_assert!((again.scale - world.scale).length() < 1e-12);
        }
    }
}
