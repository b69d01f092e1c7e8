//! The cameras of an export.

use crate::model::{Origin, Uid};
use glam::{DVec2, DVec3};

/// A camera, tied by name to the peg (or bone) that moves it.
#[derive(Clone, Debug, PartialEq)]
pub struct TakeCamera {
    /// Identity.
    pub uid: Uid,
    /// Its name.
    pub name: Option<String>,
    /// The name of the peg that moves it; a camera without one stands still.
    pub peg: Option<String>,
    /// The way of that peg in the scene that it came from.
    pub path: Option<String>,
    /// Whether it is the scene's own camera.
    pub is_default: Option<bool>,
    /// Field of view in degrees, as written; see [`TakeCamera::DEFAULT_FOV`].
    pub fov: Option<f64>,
    /// Which way the field of view is measured, as written.
    pub fov_axis: Option<String>,
    /// Whether the field of view is the camera's own; where not, the scene's is not in the file.
    pub override_fov: Option<bool>,
    /// Nearest distance that is seen, in metres.
    pub near_plane: Option<f64>,
    /// Farthest distance that is seen, in metres.
    pub far_plane: Option<f64>,
    /// Harmony's own value of the nearest distance: kept and shown, never used.
    pub near_field: Option<f64>,
    /// Harmony's own value of the farthest distance: kept and shown, never used.
    pub far_field: Option<f64>,
    /// Roll about Z in degrees; 0 where the file does not say.
    pub angle: f64,
    /// Its place relative to the peg, in metres; 0 where the file does not say.
    pub offset: DVec3,
    /// The point about which it rolls, in metres; 0 where the file does not say.
    pub pivot: DVec2,
    /// The tag of its rig.
    pub rig: Option<String>,
    /// Where it was read from.
    pub origin: Option<Origin>,
}

impl TakeCamera {
    /// The vertical field of view where the file says none, or none above 0 (A40).
    pub const DEFAULT_FOV: f64 = 41.112090;
    /// The clip planes where those of the file are of no use (A40).
    pub const DEFAULT_PLANES: [f64; 2] = [0.1, 1000.0];
}
