//! The limits of the formats (M12), each in one place.

/// Most nodes of a rig.
pub const MAX_NODES: usize = 512;
/// Most levels of a hierarchy: a root is level 1.
pub const MAX_DEPTH: usize = 128;
/// Most tracks of a clip.
pub const MAX_TRACKS: usize = 128;
/// Most keys of a track.
pub const MAX_KEYS: usize = 512;
/// Longest clip, in seconds.
pub const MAX_DURATION_SECS: f64 = 3600.0;
/// Frames a second that a clip is shown in at first; its file knows none.
pub const DISPLAY_FPS: f64 = 24.0;
/// Largest size of an animated or rest value; this one still passes.
pub const MAX_VALUE: f64 = 1_000_000.0;
/// Largest file that is read, in bytes.
pub const MAX_FILE_BYTES: u64 = 256 * 1024 * 1024;
pub use crate::source::{MAX_ALIAS_EXPANSION, MAX_NESTING};
