//! What a conversion says of itself (A55).

use crate::model::Property;
use crate::sample::take::Space;

/// A largest error, and where it is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Peak {
    /// Metres, degrees, or of a factor.
    pub error: f64,
    /// The frame of the source.
    pub frame: f64,
}

impl Peak {
    pub(super) fn see(&mut self, error: f64, frame: f64) {
        // A NaN is the largest error of all.
        if error > self.error || (error.is_nan() && !self.error.is_nan()) {
            *self = Peak { error, frame };
        }
    }

    pub(super) fn merge(&mut self, other: Peak) {
        self.see(other.error, other.frame);
    }
}

/// How far one joint is off: position (m), rotation (degrees) and scale, each at its worst.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JointErrors {
    /// In the world (A53b).
    pub world: [Peak; 3],
    /// Relative to the parent: of each of its tracks.
    pub local: [Peak; 3],
}

/// What was measured between a source and what was made of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measured {
    /// For each joint, in the order of the rig's nodes.
    pub joints: Vec<JointErrors>,
}

impl Measured {
    /// The joint that is farthest off in the world by position (0), rotation (1) or scale (2).
    pub fn worst(&self, property: usize) -> Option<(usize, Peak)> {
        let peaks = self.joints.iter().map(|joint| joint.world[property.min(2)]);
        let all = peaks.enumerate().filter(|(_, peak)| peak.error > 0.0);
        all.max_by(|a, b| a.1.error.total_cmp(&b.1.error))
    }
}

/// One written track, or a channel of a peg.
#[derive(Clone, Debug, PartialEq)]
pub struct TrackReport {
    /// Which file it is in.
    pub clip: String,
    /// The node's id.
    pub part: String,
    /// Its place in the rig.
    pub joint: usize,
    /// What it animates.
    pub property: Property,
    /// Keys of the source.
    pub source_keys: usize,
    /// Keys that were written.
    pub keys: usize,
    /// `step`, `linear`, `bezier` (as in the source), `reduced`, `baked` or `exact`.
    pub method: &'static str,
    /// The largest error relative to the parent (m, degrees, factor) and its frame.
    pub peak: Peak,
}

/// Something that is not as it was: dropped, clamped, renamed, sorted, folded.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Note {
    /// One word: `dropped`, `clamped`, `renamed`, `sorted`, `folded`, `changed`, `merged`, `split`.
    pub what: &'static str,
    /// Of what: a path of the source's file, or a name.
    pub path: String,
    /// How much, and why.
    pub why: String,
}

/// What a conversion says of itself (A55).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// The space that values were read in; `None` where there is no such question.
    pub space: Option<Space>,
    /// The figures of local, delta and world (A20).
    pub residuals: Option<[Option<f64>; 3]>,
    /// What each source's element is called now: path (or name) and id.
    pub ids: Vec<(String, String)>,
    /// The written tracks.
    pub tracks: Vec<TrackReport>,
    /// What was measured.
    pub measured: Measured,
    /// The ids of the joints that were measured.
    pub joints: Vec<String>,
    /// The frame of time 0.
    pub start_frame: f64,
    /// Frames a second.
    pub fps: f64,
    /// The files, as they are called beside each other.
    pub written: Vec<String>,
    /// Whatever is not as it was.
    pub notes: Vec<Note>,
}

impl Report {
    /// The axis order of the Euler angles that are written (M20).
    pub const EULER: &'static str = "xyz, fixed axes";

    /// The joint that is farthest off by position (0), rotation (1) or scale (2), by its id.
    pub fn worst(&self, property: usize) -> Option<(&str, Peak)> {
        let (joint, peak) = self.measured.worst(property)?;
        Some((self.joints.get(joint)?, peak))
    }

    /// How many keys the source has for what was written, and how many were written.
    pub fn key_counts(&self) -> [usize; 2] {
        let source = self.tracks.iter().map(|track| track.source_keys).sum();
        [source, self.tracks.iter().map(|track| track.keys).sum()]
    }

    /// The time of a frame in seconds, as it is written.
    pub fn secs_at(&self, frame: f64) -> f64 {
        let secs = (frame - self.start_frame) / self.fps;
        if secs.is_finite() { super::round_secs(secs) } else { 0.0 }
    }

    /// Takes what was measured again, on the written files.
    pub fn remeasure(&mut self, measured: Measured) {
        for track in &mut self.tracks {
            if let Some(joint) = measured.joints.get(track.joint) {
                track.peak = joint.local[track.property as usize];
            }
        }
        self.measured = measured;
    }

    pub(super) fn note(&mut self, what: &'static str, path: impl Into<String>, why: String) {
        self.notes.push(Note { what, path: path.into(), why });
    }
}

/// The unit of a property's error, as reports name it.
pub fn unit(property: Property) -> &'static str {
    match property {
        Property::Position => "m",
        Property::Rotation => "deg",
        Property::Scale => "factor",
    }
}
