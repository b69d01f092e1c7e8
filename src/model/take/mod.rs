//! What an export holds: a take (`.anm`) and a skeleton (`.pvt`).
//!
//! Everything stands here as the file has it: quaternions are w, x, y, z and need not be of
//! length 1, angles are degrees, frames may be fractional, and what the file leaves out is `None`.
//! What such absence means says A1b; the accessors ([`Take::fps`], [`Keyframe::interp`], …) give
//! it. Lists hold their elements as `Arc`s, so that an edit costs the peg it touches.

mod angles;
mod camera;
mod header;
mod parents;
mod peg;
mod skeleton;

pub use angles::Angles;
pub use camera::TakeCamera;
pub use header::{
    CoordinateSystem, Hand, Header, PivotSpace, RotOrder, RotationForm, Term, Unit, UpAxis, Word,
};
pub use parents::{Linked, ParentLink, resolve_parents};
pub use peg::{AxisHandles, Channel, ChannelHandles, Handles, Interp, Keyframe, Peg, unit_quat};
pub use skeleton::{Bone, Skeleton, SkeletonOrigin};

use crate::source::Source;
use std::sync::Arc;

/// The text a take was read from, with its pegs as they were: what is still the same value need
/// not be looked at when writing.
#[derive(Debug)]
pub struct TakeOrigin {
    /// The text.
    pub source: Arc<Source>,
    /// The header as read.
    pub header: Header,
    /// The range as read.
    pub frame_range: Option<[f64; 2]>,
    /// The pegs as read.
    pub pegs: Vec<Arc<Peg>>,
    /// The cameras as read.
    pub cameras: Vec<Arc<TakeCamera>>,
}

/// An exported animation (`.anm`).
#[derive(Clone, Debug)]
pub struct Take {
    /// What both kinds of export begin with.
    pub header: Header,
    /// First and last frame, as written: possibly reversed (A3).
    pub frame_range: Option<[f64; 2]>,
    /// Pegs in file order; each shared, so that an edit costs the peg it touches.
    pub pegs: Vec<Arc<Peg>>,
    /// Cameras in file order.
    pub cameras: Vec<Arc<TakeCamera>>,
    /// Where it was read from; `None` for a new take.
    pub origin: Option<Arc<TakeOrigin>>,
}

impl Take {
    /// Frames a second (A1b): 24 where the file does not say. As written, possibly 0 or less.
    pub fn fps(&self) -> f64 {
        self.header.fps.unwrap_or(Header::DEFAULT_FPS)
    }

    /// First and last frame (A1b): the file's, else those of the keys themselves; `[0, 0]` where
    /// there is neither. As written, possibly reversed.
    pub fn frame_range(&self) -> [f64; 2] {
        self.frame_range.or_else(|| self.key_range()).unwrap_or([0.0, 0.0])
    }

    /// The earliest and the latest frame that has a key.
    pub fn key_range(&self) -> Option<[f64; 2]> {
        let frames = self.pegs.iter().flat_map(|peg| &peg.keyframes).map(|key| key.frame);
        frames.fold(None, |range, frame| match range {
            None => Some([frame, frame]),
            Some([first, last]) => Some([first.min(frame), last.max(frame)]),
        })
    }

    /// How many keys all pegs have together.
    pub fn key_count(&self) -> usize {
        self.pegs.iter().map(|peg| peg.keyframes.len()).sum()
    }
}
