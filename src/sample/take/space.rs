//! What the numbers of a take are relative to (A20).

use crate::math::Trs;
use crate::model::take::Peg;
use glam::{DQuat, DVec3};

/// What the numbers of a take are relative to (A20). The format does not say; see
/// [`measure_space`](super::measure_space).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Space {
    /// The parent: M = TRS(pos, q, scl).
    Local,
    /// The rest pose: M = TRS(rest_pivot, rest_rotation, 1)·TRS(pos, q, scl).
    Delta,
    /// The world: M = M_world(parent)⁻¹·TRS(pos, q, scl).
    World,
}

impl Space {
    /// All three, in the order in which equal readings are named.
    pub const ALL: [Space; 3] = [Space::Local, Space::Delta, Space::World];

    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Space::Local => "local",
            Space::Delta => "delta",
            Space::World => "world",
        }
    }
}

/// How a peg rests, relative to its parent, as the file has it.
pub(super) fn rest_of(peg: &Peg) -> Trs {
    Trs { position: peg.rest_pivot(), rotation: peg.rest_rotation(), scale: DVec3::ONE }
}

/// What a peg's keys mean where they leave something out (A1b): its rest, in the space of the
/// numbers. The scale is always 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Base {
    pub position: DVec3,
    pub rotation: DQuat,
}

impl Base {
    pub fn of(pose: &Trs) -> Base {
        Base { position: pose.position, rotation: pose.rotation }
    }
}

/// The local pose of a child that stands at `world` under `parent`. Where the parent is flat there
/// is no exact answer; it counts as 0.0001 thick then, as in conversion (A52).
pub(super) fn local_under(parent: &Trs, world: &Trs) -> Trs {
    const THIN: f64 = 0.0001;
    if let Some(local) = parent.local_from_world(world) {
        return local;
    }
    let thick = |factor: f64| match factor.abs() < THIN {
        true => THIN.copysign(factor),
        false => factor,
    };
    let [x, y, z] = parent.scale.to_array().map(thick);
    let parent = Trs { scale: DVec3::new(x, y, z), ..*parent };
    parent.local_from_world(world).unwrap_or(*world)
}
