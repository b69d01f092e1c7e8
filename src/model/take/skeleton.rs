//! What a `.pvt` holds.

use super::{Header, PivotSpace, TakeCamera, Term, unit_quat};
use crate::model::{Origin, Uid};
use crate::source::Source;
use glam::{DQuat, DVec3};
use std::sync::Arc;

/// A bone at rest, as written: its pivot still multiplied by the file's scale (A30), and in the
/// file's own space (A31).
#[derive(Clone, Debug, PartialEq)]
pub struct Bone {
    /// Identity.
    pub uid: Uid,
    /// Its name, not necessarily the only one of that name.
    pub name: String,
    /// Its parent's name, as written; see [`Bone::parent`].
    pub parent: Option<String>,
    /// Where it rests, as stored.
    pub pivot: Option<DVec3>,
    /// How it rests: a quaternion w, x, y, z of any length.
    pub rotation: Option<[f64; 4]>,
    /// Its way in the scene that it came from.
    pub path: Option<String>,
    /// The tag of its rig.
    pub rig: Option<String>,
    /// Whether it carries a camera.
    pub is_camera: bool,
    /// Where it was read from.
    pub origin: Option<Origin>,
}

impl Bone {
    /// The parent's name: null, "" and absent are none (A22).
    pub fn parent(&self) -> Option<&str> {
        self.parent.as_deref().filter(|parent| !parent.is_empty())
    }

    /// The pivot as stored: (0, 0, 0) where the file does not say (A1b).
    pub fn pivot(&self) -> DVec3 {
        self.pivot.unwrap_or(DVec3::ZERO)
    }

    /// The rotation as a unit quaternion: the identity where the file does not say (A1b) or says
    /// nothing usable.
    pub fn rotation(&self) -> DQuat {
        self.rotation.and_then(unit_quat).unwrap_or(DQuat::IDENTITY)
    }
}

/// The text a skeleton was read from, with its parts as they were.
#[derive(Debug)]
pub struct SkeletonOrigin {
    /// The text.
    pub source: Arc<Source>,
    /// The bones as read.
    pub bones: Vec<Arc<Bone>>,
    /// The cameras as read.
    pub cameras: Vec<Arc<TakeCamera>>,
}

/// An exported skeleton (`.pvt`).
#[derive(Clone, Debug)]
pub struct Skeleton {
    /// What both kinds of export begin with.
    pub header: Header,
    /// The rig's name.
    pub name: Option<String>,
    /// What stored pivots are multiplied by, as written: possibly 0 or less (A30).
    pub scale_factor: Option<f64>,
    /// What pivots and rotations are relative to; local where the file does not say (A1b).
    pub pivot_space: Term<PivotSpace>,
    /// Bones in file order.
    pub bones: Vec<Arc<Bone>>,
    /// Cameras in file order.
    pub cameras: Vec<Arc<TakeCamera>>,
    /// Where it was read from; `None` for a new skeleton.
    pub origin: Option<Arc<SkeletonOrigin>>,
}

impl Skeleton {
    /// Frames a second (A1b): 24 where the file does not say.
    pub fn fps(&self) -> f64 {
        self.header.fps.unwrap_or(Header::DEFAULT_FPS)
    }

    /// What stored pivots are multiplied by (A1b): 1 where the file does not say.
    pub fn scale_factor(&self) -> f64 {
        self.scale_factor.unwrap_or(1.0)
    }

    /// What pivots and rotations are relative to: local where the file does not say (A1b);
    /// `None` where it says something unknown, which is an error (A31).
    pub fn pivot_space(&self) -> Option<PivotSpace> {
        match &self.pivot_space.written {
            None => Some(PivotSpace::Local),
            Some(_) => self.pivot_space.known,
        }
    }
}
