//! Conversions both ways, with the error measured (A50–A57).
//!
//! ```text
//! Take ── Source: joints, poses at any frame, scales in order (A50–A52)
//!   │        │
//!   │        ├─ exact    tracks whose interpolation has an equal (A53 a–c)
//!   │        ├─ reduce   fewest keys for a bounded error (A53 d)
//!   │        └─ measure  the whole skeleton, in the world, at 8 samples a frame (A53b)
//!   │                └── fit: tightens the tracks that cause what is over, until it holds
//!   └── import_take ──► Rig + Clips + Report          export_clip ──► Take + Report (A56)
//!       import_skeleton ──► Rig                       export_rig ──► Skeleton
//! ```
//!
//! Nothing here touches the disk. What comes out are new documents and a [`Report`]; whoever writes
//! them measures what was written again with [`measure_import`] or [`measure_export`].

mod bake;
mod clips;
mod exact;
mod export;
mod fit;
mod ids;
mod import;
mod measure;
mod moving;
mod reduce;
mod refusal;
mod report;
mod skeleton;
mod target;

pub use export::{ExportOptions, export_clip, measure_export};
pub use import::{ImportOptions, Imported, import_take, measure_import};
pub use refusal::{Consent, Refusal};
pub use report::{JointErrors, Measured, Note, Peak, Report, TrackReport, unit};
pub use skeleton::{export_rig, import_skeleton};

/// What a conversion may differ by (A53b): in the world, for every joint, at 8 samples a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerances {
    /// Metres.
    pub position_m: f64,
    /// Degrees.
    pub angle_deg: f64,
    /// Of a factor.
    pub scale: f64,
}

impl Default for Tolerances {
    fn default() -> Self {
        Tolerances { position_m: 0.001, angle_deg: 0.1, scale: 0.001 }
    }
}

impl Tolerances {
    /// Position, rotation, scale.
    pub(crate) fn array(self) -> [f64; 3] {
        [self.position_m, self.angle_deg, self.scale]
    }

    /// All three times a factor.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        let [position_m, angle_deg, scale] = self.array().map(|tolerance| tolerance * factor);
        Tolerances { position_m, angle_deg, scale }
    }
}

/// How often a frame the error is measured (A53b).
pub const SAMPLES_A_FRAME: f64 = 8.0;
/// How far apart the two keys of a jump are, in seconds (A53).
pub const JUMP_SECS: f64 = 1e-6;

/// Rounded to 6 decimals, as times are written (A50).
pub(crate) fn round_secs(secs: f64) -> f64 {
    // Adding 0 makes 0 of -0.
    (secs * 1e6).round() / 1e6 + 0.0
}
