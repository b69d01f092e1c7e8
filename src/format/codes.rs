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
    /// A missing field or an unknown word of the coordinate system (A21).
    COORDINATES = "coordinates", Error;
    /// Frames a second that are 0, less, or no number (A3).
    FPS = "fps", Error;
    /// A range whose end lies before its start (A3).
    RANGE_REVERSED = "range-reversed", Error;
    /// A range longer than a clip may be (A50).
    TOO_LONG = "too-long", Error;
    /// A `scale_factor` of 0 or less (A30).
    SCALE_FACTOR = "scale-factor", Error;
    /// A `pivot_space` that is neither local nor armature (A31).
    PIVOT_SPACE = "pivot-space", Error;
    /// A parent that is no peg or bone (A22).
    NO_SUCH_PARENT = "no-such-parent", Error;
    /// A parent's name that several have (A22).
    AMBIGUOUS_PARENT = "ambiguous-parent", Error;
    /// A loop of parents (A3).
    PARENT_LOOP = "parent-loop", Error;
    /// A quaternion of length 0 (A2).
    QUATERNION_ZERO = "quaternion-zero", Error;
    /// A key without a rotation that counts (A2).
    NO_ROTATION = "no-rotation", Error;
    /// `rot` and `rot_quat` more than 5° apart (A3).
    ROTATIONS_FAR_APART = "rotations-far-apart", Error;
    /// A scale that mirrors (A52).
    SCALE_MIRRORED = "scale-mirrored", Error;
    /// `format:` without a version (M2).
    FORMAT_WITHOUT_VERSION = "format-without-version", Warning;
    /// `format` and an old-style `version` in one clip (M2).
    FORMAT_AND_VERSION = "format-and-version", Warning;
    /// Two rotation keys half a turn apart (M22).
    HALF_TURN = "half-turn", Warning;
    /// A non-uniform scale above a turned node (M25).
    UNEVEN_SCALE = "uneven-scale", Info;
    /// `rot` and `rot_quat` more than 0.1° apart (A3).
    ROTATIONS_APART = "rotations-apart", Warning;
    /// A spin of the angles that the quaternions do not make (A3).
    SPIN_LOST = "spin-lost", Warning;
    /// An angle that moves by 180° or more between neighbouring keys (A3).
    EULER_JUMP = "euler-jump", Warning;
    /// A sudden change of size between neighbouring keys (A3).
    SIZE_JUMP = "size-jump", Warning;
    /// A rig larger than 100 m or smaller than 1 cm (A3).
    RIG_SIZE = "rig-size", Warning;
    /// A quaternion whose length is not 1 (A2).
    QUATERNION_LENGTH = "quaternion-length", Warning;
    /// A scale that is 0 or has two negative factors (A52).
    SCALE_SIGN = "scale-sign", Warning;
    /// A header that is known, but not the canonical one (A21).
    NOT_CANONICAL = "not-canonical", Warning;
    /// Frames a second that are no film's (A3).
    ODD_FPS = "odd-fps", Warning;
    /// A frame that is no film's (A3).
    ODD_FRAME = "odd-frame", Warning;
    /// A range of one frame (A3).
    RANGE_EMPTY = "range-empty", Warning;
    /// A key before another of an earlier frame (A3).
    KEY_ORDER = "key-order", Warning;
    /// Two keys on one frame (A3).
    KEY_TWICE = "key-twice", Warning;
    /// Keys outside the range (A3).
    KEY_OUTSIDE = "key-outside", Warning;
    /// An interpolation that the format does not have (A3).
    UNKNOWN_INTERP = "unknown-interp", Warning;
    /// A handle that points away from its segment (A3, A12).
    HANDLE_BACKWARDS = "handle-backwards", Warning;
    /// A handle that is longer than its segment (A3, A12).
    HANDLE_LONG = "handle-long", Warning;
    /// A camera whose peg is not there (A1b).
    CAMERA_PEG = "camera-peg", Warning;
    /// A camera without a field of view that is one (A40).
    CAMERA_FOV = "camera-fov", Warning;
    /// A camera's clip planes between which nothing is (A40).
    CAMERA_PLANES = "camera-planes", Warning;
    /// A name that several pegs or bones have (A3).
    NAME_CLASH = "name-clash", Warning;
    /// Several rigs in one file (A3).
    SEVERAL_RIGS = "several-rigs", Warning;
    /// A field that is missing and has a default (A1b).
    MISSING_FIELD = "missing-field", Warning;
    /// A take without pegs, a skeleton without bones.
    EMPTY = "empty", Warning;
    /// A peg without keys (A3).
    NO_KEYS = "no-keys", Warning;
    /// A peg whose keys are all the same (A3).
    NEVER_MOVES = "never-moves", Warning;
    /// A field of an export that is of another type, and counts as absent.
    WRONG_FIELD = "wrong-field", Warning;
    /// A field that stands twice in one object of an export; the last one counts.
    REPEATED_FIELD = "repeated-field", Warning;
    /// Handles of a wrong shape (A11).
    HANDLE_SHAPE = "handle-shape", Warning;
    /// Neighbouring quaternions in opposite hemispheres (A3).
    HEMISPHERE = "hemisphere", Info;
    /// A middle angle of 90° (A3).
    GIMBAL = "gimbal", Info;
    /// BEZIER keys without handles (A13).
    NO_HANDLES = "no-handles", Info;
    /// A camera that the scene's field of view overrules (A40).
    CAMERA_SCENE_FOV = "camera-scene-fov", Info;
    /// A `source` that the format does not name (A3).
    UNKNOWN_SOURCE = "unknown-source", Info;
    /// A field of an export that nobody here knows (A3).
    UNKNOWN_FIELD = "unknown-field", Info;
    /// The list of problems was cut short.
    MORE_PROBLEMS = "more-problems", Info;
}
