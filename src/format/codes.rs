//! The codes of all problems that a file can have: stable words for programs.
//!
//! `docs/problems.md` explains each of them; a test holds the two together.

use crate::diagnostic::Severity;

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $code:literal, $severity:ident;)*) => {
        $($(#[$doc])* pub const $name: &str = $code;)*

        /// Every code with the severity of its problems.
        pub const ALL: &[(&str, Severity)] = &[$(($code, Severity::$severity)),*];
    };
}

codes! {
    /// No YAML, not UTF-8, or not one mapping (M1), or past the limits of nesting (M12).
    SYNTAX = "syntax", Error;
    /// Larger than is read (M12).
    FILE_SIZE = "file-size", Error;
    /// A kind of file that cannot be read.
    UNSUPPORTED = "unsupported", Error;
    /// A key that stands twice in one mapping (M1).
    DUPLICATE_KEY = "duplicate-key", Error;
    /// An unknown YAML tag on a known field (M4).
    UNKNOWN_TAG = "unknown-tag", Error;
    /// A known field that is of another type (M4).
    WRONG_TYPE = "wrong-type", Error;
    /// A format version that is not read (M2, M8).
    FORMAT_VERSION = "format-version", Error;
    /// An old-style version of a clip other than 1 or 2 (M2).
    CLIP_VERSION = "clip-version", Error;
    /// An old-style version in a rig (M8).
    RIG_VERSION = "rig-version", Error;
    /// A vector that is no one-line list of three numbers (M5).
    VECTOR = "vector", Error;
    /// A curve that is no one-line list of four numbers from 0 to 1 (M5, M7).
    CURVE = "curve", Error;
    /// A rig clip without `binding`.
    NO_BINDING = "no-binding", Error;
    /// A clip without `model`, or with a bad `duration`.
    MODEL_DURATION = "model-duration", Error;
    /// `loop` missing, or no bool.
    LOOP = "loop", Error;
    /// No tracks, or too many.
    TRACK_COUNT = "track-count", Error;
    /// A track without a part, or with a bad property.
    TRACK_TARGET = "track-target", Error;
    /// A bad interpolation.
    INTERPOLATION = "interpolation", Error;
    /// Two tracks for one property of one part.
    DUPLICATE_TRACK = "duplicate-track", Error;
    /// No keys, or too many.
    KEY_COUNT = "key-count", Error;
    /// A key's time that is not behind the one before, or outside the clip.
    KEY_TIMES = "key-times", Error;
    /// A scale key of 0 or less.
    KEY_SCALE = "key-scale", Error;
    /// A value that is not finite or too large (M5).
    VALUE_RANGE = "value-range", Error;
    /// A rig without a name.
    RIG_NAME = "rig-name", Error;
    /// No nodes, or too many.
    NODE_COUNT = "node-count", Error;
    /// A missing or bad node id.
    NODE_ID = "node-id", Error;
    /// A missing or bad node kind.
    NODE_KIND = "node-kind", Error;
    /// A rest scale of 0 or less.
    NODE_SCALE = "node-scale", Error;
    /// Two nodes of one id.
    DUPLICATE_NODE = "duplicate-node", Error;
    /// A parent that is no node.
    MISSING_PARENT = "missing-parent", Error;
    /// A loop of parents.
    CYCLE = "cycle", Error;
    /// A hierarchy of too many levels.
    DEPTH = "depth", Error;
    /// A binding that is no path inside the project (M10).
    BINDING_PATH = "binding-path", Error;
    /// A binding that is not there or cannot be read (M10).
    BINDING_FILE = "binding-file", Error;
    /// A bound rig that has errors itself.
    BINDING_BROKEN = "binding-broken", Error;
    /// The clip's model is not the rig's name (M11).
    BINDING_MISMATCH = "binding-mismatch", Error;
    /// A track whose part is no node of the rig (M11).
    MISSING_PART = "missing-part", Error;
    /// An export's `format` that is missing or unknown (A1).
    EXPORT_FORMAT = "export-format", Error;
    /// `pegs` or `bones` is missing (A1b).
    NO_PEGS = "no-pegs", Error;
    /// A peg or bone without a name (A1b).
    NO_NAME = "no-name", Error;
    /// A key without a frame (A1b).
    NO_FRAME = "no-frame", Error;
    /// A value of an export that is of another type, where conversion needs it.
    WRONG_VALUE = "wrong-value", Error;
    /// `format:` without a version (M2).
    FORMAT_WITHOUT_VERSION = "format-without-version", Warning;
    /// `format` and an old-style `version` in one clip (M2).
    FORMAT_AND_VERSION = "format-and-version", Warning;
    /// Two rotation keys half a turn apart (M22).
    HALF_TURN = "half-turn", Warning;
    /// A non-uniform scale above a turned node (M25).
    UNEVEN_SCALE = "uneven-scale", Info;
    /// A field of an export that is of another type, and counts as absent.
    WRONG_FIELD = "wrong-field", Warning;
    /// A field that stands twice in one object of an export; the last one counts.
    REPEATED_FIELD = "repeated-field", Warning;
    /// Handles of a wrong shape (A11).
    HANDLE_SHAPE = "handle-shape", Warning;
    /// A field of an export that nobody here knows (A3).
    UNKNOWN_FIELD = "unknown-field", Info;
    /// The list of problems was cut short.
    MORE_PROBLEMS = "more-problems", Info;
}
