//! Why something is not converted, and what to do.

use super::Tolerances;
use crate::format::Cancelled;
use crate::model::limits::{MAX_DEPTH, MAX_DURATION_SECS, MAX_KEYS, MAX_NODES, MAX_TRACKS};
use crate::sample::take::{BasisError, SkeletonError, Space, SpaceMeasure};

/// What a person may agree to, so that a conversion goes on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Consent {
    /// Several clips instead of one (A54).
    Split,
    /// `rot` where `rot_quat` is no rotation (A2).
    UseRot,
    /// Scales without their signs (A52).
    AbsScale,
    /// One of these spaces (A20).
    Space(Space),
    /// Larger tolerances, the smallest that fit (A54).
    Tolerances(Tolerances),
}

/// Why nothing was converted.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Refusal {
    /// It was cancelled.
    #[error("stopped")]
    Cancelled,
    /// What the values are relative to is undecided (A20).
    #[error("what its values are relative to is undecided ({}): say which", .0.figures_text())]
    Space(Box<SpaceMeasure>),
    /// The header declares no coordinate system that is known (A21).
    #[error("{0}; write the header's words, or export it again")]
    Basis(#[from] BasisError),
    /// An error that the lint names too, at its path.
    #[error("{message}{}", at_path(.path))]
    Problem {
        /// Where.
        path: String,
        /// What is wrong.
        message: String,
    },
    /// Nothing to convert.
    #[error("there is nothing to convert: no pegs")]
    Empty,
    /// A quaternion that is no rotation (A2).
    #[error(
        "`rot_quat` is no rotation at {path} (frame {frame}; such keys in all: {count}): export \
         it again, or convert with `rot` in their place"
    )]
    Quaternion {
        /// The first one.
        path: String,
        /// Its frame.
        frame: f64,
        /// How many there are.
        count: usize,
    },
    /// A scale with one or three negative factors (A52).
    #[error(
        "the scale mirrors at {path} (frame {frame}; such keys in all: {count}): freeze it in \
         the source, or convert the scale's size alone"
    )]
    Mirrored {
        /// The first one.
        path: String,
        /// Its frame.
        frame: f64,
        /// How many there are.
        count: usize,
    },
    /// Longer than a clip may be (A50).
    #[error("{secs} s is longer than a clip may be ({MAX_DURATION_SECS} s): shorten the range")]
    TooLong {
        /// Seconds.
        secs: f64,
    },
    /// More samples than can be looked at.
    #[error("{frames} frames are more than can be measured: shorten the range")]
    TooManyFrames {
        /// Frames of the range.
        frames: f64,
    },
    /// More nodes than a rig may have (A54).
    #[error("{count} pegs, and a rig has at most {MAX_NODES} nodes: take parts of it")]
    Nodes {
        /// How many.
        count: usize,
    },
    /// A deeper hierarchy than a rig may have (A54).
    #[error("{levels} levels, and a rig has at most {MAX_DEPTH}: take parts of it")]
    Depth {
        /// How many levels.
        levels: usize,
    },
    /// More tracks than a clip may have (A54).
    #[error(
        "{count} tracks ({positions} positions, {rotations} rotations, {scales} scales), and a \
         clip has at most {MAX_TRACKS}: split it into {clips} clips"
    )]
    Tracks {
        /// How many.
        count: usize,
        /// Of positions.
        positions: usize,
        /// Of rotations.
        rotations: usize,
        /// Of scales.
        scales: usize,
        /// How many clips it would be.
        clips: usize,
    },
    /// More keys than a track may have (A54).
    #[error("{part}'s {property} needs {keys} keys, and a track has at most {MAX_KEYS}: {}", what_fits(.fits))]
    Keys {
        /// The node.
        part: String,
        /// The property.
        property: &'static str,
        /// How many it needs.
        keys: usize,
        /// The smallest tolerances that fit, where any do.
        fits: Option<Tolerances>,
    },
    /// Tolerances that numbers cannot hold.
    #[error(
        "the tolerances cannot be held: {part} stays {error} {unit} off at frame {frame}; take \
         larger ones"
    )]
    Unreachable {
        /// The joint.
        part: String,
        /// How far off it stays.
        error: f64,
        /// In which unit.
        unit: &'static str,
        /// Where.
        frame: f64,
    },
    /// A value beyond what a clip may hold.
    #[error("{path} is beyond ±1,000,000 at frame {frame}: look at the unit of the source")]
    Range {
        /// Which.
        path: String,
        /// Where.
        frame: f64,
    },
    /// A skeleton that means nothing (A30, A31).
    #[error(transparent)]
    Skeleton(#[from] SkeletonError),
    /// A clip or a rig that does not load, or do not fit each other.
    #[error("{0}")]
    Invalid(String),
    /// A number that was asked for and cannot be.
    #[error("{0}")]
    Option(String),
}

fn at_path(path: &str) -> String {
    if path.is_empty() { String::new() } else { format!(" (at {path})") }
}

fn what_fits(fits: &Option<Tolerances>) -> String {
    match fits {
        Some(t) => format!(
            "the smallest tolerances that fit are {} m, {}° and {}",
            t.position_m, t.angle_deg, t.scale
        ),
        None => "no tolerance makes it fit; shorten the range".to_owned(),
    }
}

impl From<Cancelled> for Refusal {
    fn from(_: Cancelled) -> Self {
        Refusal::Cancelled
    }
}

impl Refusal {
    /// What a person may agree to, so that the conversion goes on.
    pub fn consents(&self) -> Vec<Consent> {
        match self {
            Refusal::Space(measure) => measure.choices().into_iter().map(Consent::Space).collect(),
            Refusal::Quaternion { .. } => vec![Consent::UseRot],
            Refusal::Mirrored { .. } => vec![Consent::AbsScale],
            Refusal::Tracks { .. } => vec![Consent::Split],
            Refusal::Keys { fits: Some(fits), .. } => vec![Consent::Tolerances(*fits)],
            _ => Vec::new(),
        }
    }
}
