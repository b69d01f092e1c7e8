//! Pegs and their keyframes.

use crate::model::{Origin, Uid};
use glam::{DQuat, DVec2, DVec3};

/// One of the three groups of numbers that a keyframe sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Channel {
    /// Metres.
    Pos,
    /// Euler angles in degrees.
    Rot,
    /// Factors.
    Scl,
}

impl Channel {
    /// All three, in the order of the format.
    pub const ALL: [Channel; 3] = [Channel::Pos, Channel::Rot, Channel::Scl];

    /// The word in the file.
    pub fn as_str(self) -> &'static str {
        match self {
            Channel::Pos => "pos",
            Channel::Rot => "rot",
            Channel::Scl => "scl",
        }
    }
}

/// How values move from a key to the next (A10).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Interp {
    /// Along a curve with handles, or without (A12, A13).
    Bezier,
    /// A straight line.
    Linear,
    /// The value holds until the next key's exact frame.
    Constant,
    /// A word that we do not know, which stays in its text; it plays as BEZIER (A3).
    Unknown,
}

impl Interp {
    /// The three that the format has.
    pub const ALL: [Interp; 3] = [Interp::Bezier, Interp::Linear, Interp::Constant];

    /// The word in the file; of an unknown one nothing.
    pub fn as_str(self) -> &'static str {
        match self {
            Interp::Bezier => "BEZIER",
            Interp::Linear => "LINEAR",
            Interp::Constant => "CONSTANT",
            Interp::Unknown => "",
        }
    }

    /// The interpolation of a word, [`Interp::Unknown`] for any that the format does not have.
    pub fn from_word(word: &str) -> Self {
        Self::ALL.into_iter().find(|i| i.as_str() == word).unwrap_or(Interp::Unknown)
    }
}

/// The two handles of one axis at one key, absolute: x is the frame, y the value in the channel's
/// unit (A11).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxisHandles {
    /// Towards the key before.
    pub left: DVec2,
    /// Towards the next key.
    pub right: DVec2,
}

/// The handles of a channel's axes x, y, z; an axis may have none.
pub type ChannelHandles = [Option<AxisHandles>; 3];

/// A key's handles. A channel without any (absent, `[]`, or of a wrong shape) is `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Handles {
    /// Of `pos`, values in metres.
    pub pos: Option<ChannelHandles>,
    /// Of `rot`, values in degrees.
    pub rot: Option<ChannelHandles>,
    /// Of `scl`, values are factors.
    pub scl: Option<ChannelHandles>,
}

impl Handles {
    /// The handles of a channel.
    pub fn channel(&self, channel: Channel) -> Option<&ChannelHandles> {
        match channel {
            Channel::Pos => self.pos.as_ref(),
            Channel::Rot => self.rot.as_ref(),
            Channel::Scl => self.scl.as_ref(),
        }
    }

    /// The handles of a channel, to be set.
    pub fn channel_mut(&mut self, channel: Channel) -> &mut Option<ChannelHandles> {
        match channel {
            Channel::Pos => &mut self.pos,
            Channel::Rot => &mut self.rot,
            Channel::Scl => &mut self.scl,
        }
    }

    /// Whether no channel has any.
    pub fn is_empty(&self) -> bool {
        self.pos.is_none() && self.rot.is_none() && self.scl.is_none()
    }
}

/// One keyframe of a peg, as written.
#[derive(Clone, Debug, PartialEq)]
pub struct Keyframe {
    /// Identity.
    pub uid: Uid,
    /// How values move from here to the next key; `None` where the file does not say.
    pub interp: Option<Interp>,
    /// The frame, possibly fractional.
    pub frame: f64,
    /// Metres.
    pub pos: Option<DVec3>,
    /// Euler angles, in degrees unless the header says otherwise.
    pub rot: Option<DVec3>,
    /// The quaternion w, x, y, z, of any length.
    pub rot_quat: Option<[f64; 4]>,
    /// Factors, of any sign.
    pub scl: Option<DVec3>,
    /// Its handles, where any channel has some.
    pub handles: Option<Box<Handles>>,
    /// Where it was read from.
    pub origin: Option<Origin>,
}

impl Keyframe {
    /// How values move from here to the next key: BEZIER where the file does not say (A1b) or
    /// says something unknown.
    pub fn interp(&self) -> Interp {
        match self.interp {
            None | Some(Interp::Unknown) => Interp::Bezier,
            Some(interp) => interp,
        }
    }

    /// The unit quaternion of `rot_quat`; `None` where there is none, or none that is one (A2).
    pub fn quat(&self) -> Option<DQuat> {
        self.rot_quat.and_then(unit_quat)
    }

    /// The channel's three numbers as written; `rot` whether or not `rot_quat` overrules it.
    pub fn channel(&self, channel: Channel) -> Option<DVec3> {
        match channel {
            Channel::Pos => self.pos,
            Channel::Rot => self.rot,
            Channel::Scl => self.scl,
        }
    }

    /// The handles of a channel.
    pub fn channel_handles(&self, channel: Channel) -> Option<&ChannelHandles> {
        self.handles.as_ref()?.channel(channel)
    }
}

/// The unit quaternion of w, x, y, z; `None` for zero and for what is not finite (A2).
pub fn unit_quat(wxyz: [f64; 4]) -> Option<DQuat> {
    let [w, x, y, z] = wxyz;
    let square = w * w + x * x + y * y + z * z;
    // Nearly all are of about length 1.
    if square > 0.25 && square < 4.0 {
        return Some(DQuat::from_xyzw(x, y, z, w) * (1.0 / square.sqrt()));
    }
    // Scaled first, so that the squares of huge and of tiny numbers stay numbers.
    let largest = wxyz.iter().fold(0.0_f64, |largest, c| largest.max(c.abs()));
    if !wxyz.iter().all(|c| c.is_finite()) || !largest.is_normal() {
        return None;
    }
    Some(DQuat::from_xyzw(x / largest, y / largest, z / largest, w / largest).normalize())
}

/// Something that moves, with its rest and its keys.
#[derive(Clone, Debug, PartialEq)]
pub struct Peg {
    /// Identity.
    pub uid: Uid,
    /// Its name, not necessarily the only one of that name.
    pub name: String,
    /// Its way in the scene that it came from.
    pub path: Option<String>,
    /// Its parent's name, as written; see [`Peg::parent`].
    pub parent: Option<String>,
    /// Where it rests, relative to its parent, in metres.
    pub rest_pivot: Option<DVec3>,
    /// How it rests: a quaternion w, x, y, z of any length.
    pub rest_rotation: Option<[f64; 4]>,
    /// The tag of its rig.
    pub rig: Option<String>,
    /// Whether it carries a camera.
    pub is_camera: bool,
    /// How the program that wrote it made it: names and values as spelled. Only ever shown (A3).
    pub source_modes: Option<Vec<(String, String)>>,
    /// Keys in file order, which need not be that of their frames (A3).
    pub keyframes: Vec<Keyframe>,
    /// Where it was read from.
    pub origin: Option<Origin>,
}

impl Peg {
    /// The parent's name: null, "" and absent are none (A22).
    pub fn parent(&self) -> Option<&str> {
        self.parent.as_deref().filter(|parent| !parent.is_empty())
    }

    /// Where it rests: (0, 0, 0) where the file does not say (A1b).
    pub fn rest_pivot(&self) -> DVec3 {
        self.rest_pivot.unwrap_or(DVec3::ZERO)
    }

    /// How it rests, as a unit quaternion: the identity where the file does not say (A1b) or says
    /// nothing usable.
    pub fn rest_rotation(&self) -> DQuat {
        self.rest_rotation.and_then(unit_quat).unwrap_or(DQuat::IDENTITY)
    }
}
