//! Keyframe clips, rigs and the sampler that plays them.
//!
//! The library reads and writes `.motion` clips and `.rig` hierarchies without losing a byte it
//! does not understand, checks them, and evaluates their poses. It needs no window system: build
//! it with `default-features = false` to link it into an engine or a build server.

pub mod cli;
pub mod convert;
pub mod diagnostic;
pub mod diff;
pub mod edit;
pub mod format;
pub mod io;
pub mod math;
pub mod model;
pub mod progress;
pub mod sample;
pub mod source;
#[cfg(feature = "gui")]
pub mod ui;

/// What an engine links: clips, rigs and world poses.
///
/// Times are seconds, angles radians, positions relative to the part's parent (or, in world poses,
/// to the root's surroundings), rotations unit quaternions; everything is f64. Sampling allocates
/// nothing, writes into the caller's buffers, and gives the same bits on every machine.
///
/// | the format's function | here |
/// |---|---|
/// | `ctMotionLoad(path)` | [`Clip::load`](runtime::Clip::load) |
/// | `ctMotionParse(text)` | [`Clip::parse`](runtime::Clip::parse) |
/// | `ctMotionTime(clip, elapsed)` | [`Clip::time`](runtime::Clip::time) |
/// | `ctMotionPose(clip, part, time, rest)` | [`Clip::pose`](runtime::Clip::pose) |
/// | `ctAnimationBindingLoad(path)` | [`Binding::load`](runtime::Binding::load) |
/// | `ctAnimationBindingParse(text)` | [`Binding::parse`](runtime::Binding::parse) |
/// | `ctAnimationBind(binding, clip)` | [`Binding::bind`](runtime::Binding::bind) |
/// | `ctMotionRigCreate(restParts, clip)` | [`MotionRig::new`](runtime::MotionRig::new) |
/// | `ctMotionRigSample(rig, clip, time, weight)` | [`MotionRig::sample`](runtime::MotionRig::sample) |
///
/// A clip and its rig:
///
/// ```
/// use posewright::runtime::{Binding, Clip};
///
/// let rig = "name: Weapon display\nnodes:\n  - id: hand\n    kind: joint\n";
/// let motion = "binding: weapon.rig\nmodel: Weapon display\nduration: 4\nloop: true\n\
///     tracks:\n  - part: hand\n    property: position\n    interpolation: linear\n    keys:\n\
///     \x20     - time: 0\n        value: [0, 0, 0]\n\
///     \x20     - time: 4\n        value: [8, 0, 0]\n";
/// let clip = Clip::parse(motion)?;
/// let rig = Binding::parse(rig)?.bind(&clip)?;
/// let mut world = Vec::new();
/// rig.sample(clip.time(5.0), 1.0, &mut world);
/// assert_eq!(world[0].position.x, 2.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub mod runtime {
    pub use crate::math::Trs as Pose;
    pub use crate::sample::{Binding, Clip, Cursor, MotionRig, RestPart, RigError};
}
