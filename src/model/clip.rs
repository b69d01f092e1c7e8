//! A keyframe clip.

use super::{Origin, Uid};
use crate::source::Source;
use glam::DVec3;
use std::sync::Arc;

/// What a clip animates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClipKind {
    /// Parts of a procedural model (format 1.x): angles blend one by one.
    Model,
    /// Nodes of a rig or a scene (format 2.x): rotations take the shortest way.
    Rig,
}

/// How a file says which [`ClipKind`] it is; kept as it is found (M32).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClipForm {
    /// No word about it: a rig clip.
    Bare,
    /// `format:` with a `version:` below it.
    Format,
    /// A top-level `version: 1` or `version: 2`.
    Legacy,
}

/// What a track animates of its part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Property {
    /// Relative to the parent, in the units of the rig (metres).
    Position,
    /// Euler angles in radians (M20).
    Rotation,
    /// Factors above 0.
    Scale,
}

impl Property {
    /// All three, in the order of the format.
    pub const ALL: [Property; 3] = [Property::Position, Property::Rotation, Property::Scale];

    /// The word in the file.
    pub fn as_str(self) -> &'static str {
        match self {
            Property::Position => "position",
            Property::Rotation => "rotation",
            Property::Scale => "scale",
        }
    }

    /// The property of that word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|p| p.as_str() == word)
    }
}

/// How values move from key to key of a track.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Interpolation {
    /// The value holds and jumps at the next key.
    Step,
    /// A straight line.
    Linear,
    /// Slow at both ends.
    Smooth,
    /// Along the track's [`Track::curve`].
    Bezier,
}

impl Interpolation {
    /// All four, in the order of the format.
    pub const ALL: [Interpolation; 4] =
        [Interpolation::Step, Interpolation::Linear, Interpolation::Smooth, Interpolation::Bezier];

    /// The word in the file.
    pub fn as_str(self) -> &'static str {
        match self {
            Interpolation::Step => "step",
            Interpolation::Linear => "linear",
            Interpolation::Smooth => "smooth",
            Interpolation::Bezier => "bezier",
        }
    }

    /// The interpolation of that word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|i| i.as_str() == word)
    }
}

/// One keyframe.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    /// Identity.
    pub uid: Uid,
    /// Seconds from the clip's start.
    pub time: f64,
    /// Metres, radians or factors, by the track's property.
    pub value: DVec3,
    /// Where it was read from.
    pub origin: Option<Origin>,
}

/// The keys of one property of one part.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// Identity.
    pub uid: Uid,
    /// The model's part or the rig's node id.
    pub part: String,
    /// What of it moves.
    pub property: Property,
    /// How it moves between keys.
    pub interpolation: Interpolation,
    /// The easing `[x1, y1, x2, y2]` for bezier; `None` is the default curve, unwritten.
    pub curve: Option<[f64; 4]>,
    /// Keys by strictly increasing time.
    pub keys: Vec<Key>,
    /// Where it was read from.
    pub origin: Option<Origin>,
}

impl Track {
    /// The easing where a track has none written (M7).
    pub const DEFAULT_CURVE: [f64; 4] = [0.25, 0.1, 0.25, 1.0];

    /// The easing that counts.
    pub fn curve(&self) -> [f64; 4] {
        self.curve.unwrap_or(Self::DEFAULT_CURVE)
    }
}

/// The text a clip was read from, with its tracks as they were: what is still the same value need
/// not be looked at when writing.
#[derive(Debug)]
pub struct ClipOrigin {
    /// The text.
    pub source: Arc<Source>,
    /// The kind as read.
    pub kind: ClipKind,
    /// How the text says so.
    pub form: ClipForm,
    /// The tracks as read.
    pub tracks: Vec<Arc<Track>>,
}

/// A keyframe clip.
#[derive(Clone, Debug)]
pub struct Clip {
    /// What it animates.
    pub kind: ClipKind,
    /// How its file says so.
    pub form: ClipForm,
    /// Project-relative path of the rig or scene; `None` in a model clip and in a draft.
    pub binding: Option<String>,
    /// The procedural model's name, or the rig's.
    pub model: String,
    /// Length in seconds, above 0 and at most 3600.
    pub duration_secs: f64,
    /// Whether playing starts again at the end.
    pub looping: bool,
    /// Tracks in file order; each shared, so that an edit costs the track it touches.
    pub tracks: Vec<Arc<Track>>,
    /// Where it was read from; `None` for a new clip.
    pub origin: Option<Arc<ClipOrigin>>,
}
