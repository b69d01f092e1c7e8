//! Poses at a time: the one evaluator behind previews, curves, bakes, conversions, the command
//! line, and engines that link the library.
//!
//! # From a file to a pose
//!
//! [`Clip`] is the compiled form of a [`model::Clip`](crate::model::Clip): checked, immutable,
//! cheap to clone. [`Clip::updated`] makes the next one after an edit and compiles only tracks that
//! are not the same shared values. [`Hierarchy`] knows which part moves with which. A [`Binding`]
//! is a rig at rest; [`Binding::bind`] and [`MotionRig::new`] connect a clip to parts, and
//! [`MotionRig::sample`] fills the caller's buffer with world poses. Nothing here allocates while
//! it samples (M26), and nothing depends on the machine: trigonometry is `libm`'s or made of
//! plain arithmetic, and there are no fused multiply-adds.
//!
//! # How a clip lies in memory
//!
//! Sampling 128 tracks is mostly waiting: for memory, and for branches that went the other way.
//! The layout is made against these two.
//!
//! ```text
//! hints    one row for each bucket of time, one u16 for each track:
//!          the last key before the bucket. All tracks' hints for a time are
//!          a few neighbouring cache lines.                          (hints.rs)
//! times    for each track its keys' times, then infinities. The segment is
//!          the hint plus the number of the next four times that have passed:
//!          four comparisons, no branch.                             (block.rs)
//! values   for each track its keys' vectors, or its turns: 64 bytes with the
//!          key's rotation and the arc to the next one.              (track.rs)
//! blocks   eight tracks of one channel and one sort of easing; progress,
//!          easing and the arcs' sines are arrays of eight.          (lanes.rs)
//! ```
//!
//! [`Clip::sample_parts`] first finds all segments of all blocks, then reads all turns, then
//! writes all values, so that many reads from memory are under way at once.
//!
//! Tracks whose keys crowd together (more than four in one bucket somewhere) are *clustered*: they
//! are searched by halves between two hints, and a [`Cursor`] spares them even that while time
//! advances. All ways give the same segment, and therefore the same bits.
//!
//! A turn from `a` to `b` is cos(uθ)·a + sin(uθ)·d, with d the unit quaternion at a right angle to
//! `a` towards `b`. θ·d is stored, so that θ² is its squared length, and sine and cosine are two
//! short polynomials in (uθ)²: exact to 1e-14, since θ is at most 90° the shorter way round.
//!
//! Cubic-bezier easing takes a first guess from a table, one Halley step and one Newton step. The
//! size of the last step proves that it arrived; where it did not (near vertical tangents) that
//! lane is solved inside a bracket ([`Bezier`]).

mod blend;
mod block;
mod clip;
mod easing;
mod hierarchy;
mod hints;
mod lanes;
mod parse;
mod rig;
pub mod take;
mod track;

pub use blend::blend;
pub(crate) use block::turn_at as arc_at;
pub use clip::{Clip, Cursor, TrackValue, clip_time};
pub use easing::{Bezier, ease};
pub use hierarchy::{Hierarchy, RestPart, RigError, rest_pose};
pub use rig::{Binding, MotionRig};
pub(crate) use track::Turn as Arc;
