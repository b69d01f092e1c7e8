//! Poses of exports: channels at any frame, spaces, bases, cameras (A10–A14, A20–A22, A30–A40).
//!
//! ```text
//! Take ── PegCurves (a peg each, A10–A14) ── TakeCurves: the channels as the file means them
//!   │                                            │
//!   └── measure_space (A20) ── Space ───────── TakeRig: local and world poses (A20, A22),
//!                                                in metres, Y up, right-handed (A21)
//! ```
//!
//! The compiled form points into the pegs' own keys: what it adds is 12 bytes a key and 288 bytes
//! a segment whose handles count. After an edit only the pegs that are other values than before
//! are compiled ([`TakeCurves::updated`]). Nothing allocates while it samples.

mod basis;
mod camera;
mod curve;
mod curves;
mod matching;
mod measure;
mod peg;
mod report;
mod rig;
mod skeleton;
mod space;
mod split;

pub use basis::{BasisError, FieldState, declared_basis, field_states, shown_basis};
pub use camera::{CameraView, camera_peg, camera_view};
pub use curves::TakeCurves;
pub use matching::{Match, RestDifference, Unmatched, match_bones, rest_differences};
pub use measure::{SpaceMeasure, measure_space};
pub(crate) use peg::Shape;
pub use peg::{PegCurves, RawPose, ShownHandle, Turn};
pub use report::{Counts, InterpMix, Motion, PegRow, TakeReport};
pub use rig::{TakePoses, TakeRig, labels};
pub use skeleton::{SkeletonError, SkeletonRig, bone_rests};
pub use space::Space;
pub use split::split;
