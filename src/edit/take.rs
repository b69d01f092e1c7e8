//! Edits of exported animations, as data: keys, their values, interpolation and handles. Names,
//! parents and rests of pegs belong to the program that exported them.

mod draft;
mod frames;
mod values;

use super::workspace::DocId;
use super::{Applied, EditError, Workspace};
use crate::model::Uid;
use crate::model::take::{AxisHandles, Channel, Interp, Peg};
use glam::{DQuat, DVec3};
use std::sync::Arc;

/// A key to be made; what stands at that frame gets the values instead.
#[derive(Clone, Debug, PartialEq)]
pub struct NewKeyframe {
    /// The peg.
    pub peg: Uid,
    /// The frame, possibly fractional.
    pub frame: f64,
    /// In the file's unit of length.
    pub pos: DVec3,
    /// In the file's axes.
    pub rotation: DQuat,
    /// The angles that `rot` shall have, in the file's unit, where they are to be these of all
    /// that make the rotation: a curve that turns around and around. `None`: those nearest to the
    /// key before (A57).
    pub rot: Option<DVec3>,
    /// Factors.
    pub scl: DVec3,
}

/// The handles an axis of a key shall have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NewHandles {
    /// The key.
    pub key: Uid,
    /// Which numbers.
    pub channel: Channel,
    /// 0, 1, 2 for x, y, z.
    pub axis: usize,
    /// Frames and values; `None` takes them away.
    pub handles: Option<AxisHandles>,
}

/// A change of one `.anm` (A60). Frames may be fractional, and may lie outside the file's range.
#[derive(Clone, Debug)]
pub enum TakeEdit {
    /// Makes keys. A new key has what its neighbours have (`rot`, `rot_quat`), moves on as the key
    /// before it, and leaves the shape of curves with handles as it was.
    InsertKeys {
        /// The keys.
        keys: Vec<NewKeyframe>,
    },
    /// Deletes keys. A peg may be left without any.
    DeleteKeys {
        /// The keys.
        keys: Vec<Uid>,
    },
    /// Moves keys in time with their handles. Keys that are in the way are replaced, and the label
    /// says so.
    MoveKeys {
        /// The keys.
        keys: Vec<Uid>,
        /// By this many frames; later is positive.
        delta_frames: f64,
        /// This key lands on a whole frame; the others keep their distance from it.
        snap: Option<Uid>,
    },
    /// Sets keys' frames. Onto another key of the same peg: refused.
    SetFrames {
        /// The keys, each with its frame.
        keys: Vec<(Uid, f64)>,
    },
    /// Stretches keys and their handles about a frame. Keys that fall together are replaced by the
    /// last of them, and the label says so.
    ScaleKeys {
        /// The keys.
        keys: Vec<Uid>,
        /// This frame stays.
        pivot_frame: f64,
        /// 2 doubles the distances; negative turns the order round.
        factor: f64,
    },
    /// Copies keys to later (or earlier) frames, with their handles and unknown fields.
    DuplicateKeys {
        /// The keys.
        keys: Vec<Uid>,
        /// By this many frames.
        delta_frames: f64,
    },
    /// Puts copied keys in, the earliest at `frame`; pegs are matched by path, then by rig and
    /// name, then by name. Pegs that are not there are left out, with a note.
    PasteKeys {
        /// Pegs as copied, each with the keys that were; their identities are not used.
        pegs: Vec<Arc<Peg>>,
        /// The frame.
        frame: f64,
    },
    /// Adds to the numbers of keys; handles go along. A turn is added to `rot`, and `rot_quat`
    /// follows.
    OffsetValues {
        /// The keys.
        keys: Vec<Uid>,
        /// Which numbers.
        channel: Channel,
        /// In the channel's unit.
        delta: DVec3,
    },
    /// Sets numbers of keys; `None` leaves a component as it is. Handles go along.
    SetValues {
        /// The keys, each with its new components.
        keys: Vec<(Uid, [Option<f64>; 3])>,
        /// Which numbers.
        channel: Channel,
    },
    /// Turns keys: those of `rot` and `rot_quat` that a key has are set (A60), the angles those
    /// nearest to the ones before (A57).
    SetRotations {
        /// The keys, each with its rotation in the file's axes.
        keys: Vec<(Uid, DQuat)>,
    },
    /// Sets how values move from these keys to the next ones.
    SetInterp {
        /// The keys.
        keys: Vec<Uid>,
        /// How.
        interp: Interp,
    },
    /// Sets handles. They count for BEZIER only (A10).
    SetHandles {
        /// The handles.
        handles: Vec<NewHandles>,
    },
}

pub(super) fn apply(
    workspace: &Workspace,
    doc: DocId,
    edit: &TakeEdit,
) -> Result<Applied, EditError> {
    frames::apply(draft::Draft::new(workspace, doc)?, edit)
}
