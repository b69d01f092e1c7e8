//! What a camera of an export sees (A40).

use crate::math::{Basis, Trs};
use crate::model::take::{Take, TakeCamera};
use glam::{DMat4, DQuat, DVec3};

/// A camera at a moment: where it is, and what it sees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CameraView {
    /// The camera's place: it looks along its own −Z, with +Y up. A scale of the peg is in it.
    pub world_from_camera: DMat4,
    /// The inverse of `world_from_camera`.
    pub view: DMat4,
    /// From the camera's space to the clip space: x and y from −1 to 1 within the gate, z from 0 at
    /// the near plane to 1 at the far one.
    pub projection: DMat4,
    /// The vertical field of view in degrees.
    pub fov_deg: f64,
    /// Near and far plane in metres.
    pub planes: [f64; 2],
    /// Width of the gate through its height.
    pub aspect: f64,
}

impl CameraView {
    /// From the world to the clip space.
    pub fn clip_from_world(&self) -> DMat4 {
        self.projection * self.view
    }

    /// Where a point of the world is seen: x and y from −1 to 1 within the gate, z from 0 at the
    /// near plane to 1 at the far one. `None` for what is not in front of the camera.
    pub fn ndc(&self, point: DVec3) -> Option<DVec3> {
        let clip = self.clip_from_world() * point.extend(1.0);
        (clip.w > 0.0).then(|| clip.truncate() / clip.w)
    }
}

/// The peg that moves a camera: the one with its `path`; else of those with its name the only one
/// of its rig; else the only one, or the first, of that name. `None` where there is none: the
/// camera stands still (A1b).
pub fn camera_peg(take: &Take, camera: &TakeCamera) -> Option<usize> {
    let name = camera.peg.as_deref().filter(|name| !name.is_empty())?;
    let named = || take.pegs.iter().enumerate().filter(move |(_, peg)| peg.name == name);
    let path = camera.path.as_deref().filter(|path| !path.is_empty());
    let by_path = path.and_then(|path| named().find(|(_, p)| p.path.as_deref() == Some(path)));
    let by_rig = || named().find(|(_, p)| p.rig.as_deref() == camera.rig.as_deref());
    let by_name = || named().next();
    // Some programs write the whole way in place of the name.
    let by_way = || take.pegs.iter().enumerate().find(|(_, p)| p.path.as_deref() == Some(name));
    let found = by_path.or_else(by_rig).or_else(by_name).or_else(by_way);
    found.map(|(index, _)| index)
}

/// What a camera sees (A40) on a peg at `world_from_peg` (metres, Y up, right-handed), in a picture
/// `aspect` times as wide as high: View = (W·T(offset)·T(pivot)·Rz(angle)·T(−pivot))⁻¹.
///
/// The camera's own numbers go through `basis` first (A21).
pub fn camera_view(
    camera: &TakeCamera,
    world_from_peg: &Trs,
    basis: Basis,
    aspect: f64,
) -> CameraView {
    let aspect = if aspect > 0.0 && aspect.is_finite() { aspect } else { 1.0 };
    let finite = |v: DVec3| if v.is_finite() { v } else { DVec3::ZERO };
    let offset = finite(basis.point(camera.offset));
    let pivot = finite(basis.point(camera.pivot.extend(0.0)));
    let angle = basis.roll(camera.angle).to_radians();
    let angle = if angle.is_finite() { angle } else { 0.0 };
    let (sin, cos) = libm::sincos(0.5 * angle);
    let roll = DQuat::from_xyzw(0.0, 0.0, sin, cos);
    let world_from = |peg: &Trs| {
        DMat4::from_scale_rotation_translation(peg.scale, peg.rotation, peg.position)
            * DMat4::from_translation(offset + pivot)
            * DMat4::from_quat(roll)
            * DMat4::from_translation(-pivot)
    };
    let seen = |matrix: &DMat4| matrix.determinant() != 0.0 && matrix.inverse().is_finite();
    let mut world_from_camera = world_from(world_from_peg);
    if !seen(&world_from_camera) {
        // On a flat peg: as on one of size 1.
        world_from_camera = world_from(&Trs { scale: DVec3::ONE, ..*world_from_peg });
    }
    if !seen(&world_from_camera) {
        world_from_camera = world_from(&Trs::IDENTITY);
    }
    let fov_deg = vertical_fov_deg(camera, aspect);
    let planes = planes(camera, basis.meters);
    let half = 0.5 * fov_deg.to_radians();
    let height = libm::cos(half) / libm::sin(half);
    let [near, far] = planes;
    let depth = far / (near - far);
    let projection = DMat4::from_cols_array_2d(&[
        [height / aspect, 0.0, 0.0, 0.0],
        [0.0, height, 0.0, 0.0],
        [0.0, 0.0, depth, -1.0],
        [0.0, 0.0, near * depth, 0.0],
    ]);
    let view = world_from_camera.inverse();
    CameraView { world_from_camera, view, projection, fov_deg, planes, aspect }
}

/// The vertical field of view in degrees (A40): a horizontal one is 2·atan(tan(h/2)/aspect); where
/// there is none that could be, 41.112090.
fn vertical_fov_deg(camera: &TakeCamera, aspect: f64) -> f64 {
    let Some(fov) = camera.fov.filter(|fov| *fov > 0.0 && *fov < 180.0) else {
        return TakeCamera::DEFAULT_FOV;
    };
    let axis = camera.fov_axis.as_deref().unwrap_or("");
    let horizontal = ["horizontal", "h", "x"].iter().any(|word| word.eq_ignore_ascii_case(axis));
    match horizontal {
        true => {
            let half = libm::atan(libm::tan(0.5 * fov.to_radians()) / aspect);
            (2.0 * half).to_degrees()
        }
        false => fov,
    }
}

/// Near and far plane in metres (A40): 0.1 and 1000 where the file's are of no use.
fn planes(camera: &TakeCamera, meters: f64) -> [f64; 2] {
    let default = TakeCamera::DEFAULT_PLANES;
    let plane = |plane: Option<f64>, default: f64| plane.map_or(default, |plane| plane * meters);
    let [near, far] = [plane(camera.near_plane, default[0]), plane(camera.far_plane, default[1])];
    let good = near > 0.0 && far > near && far.is_finite() && (near - far).is_normal();
    if good { [near, far] } else { default }
}
