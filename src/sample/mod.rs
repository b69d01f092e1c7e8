//! Poses at a time.

mod blend;
mod block;
mod clip;
mod easing;
mod hierarchy;
mod hints;
mod lanes;
mod rig;
mod track;

pub use blend::blend;
pub use clip::{Clip, Cursor, TrackValue, clip_time};
pub use easing::{Bezier, ease};
pub use hierarchy::{Hierarchy, RestPart, RigError, rest_pose};
pub use rig::{Binding, MotionRig};
