//! What a comparison says, as data.

use super::pose::PoseDifference;
use crate::model::take::{Channel, Interp};

/// What is the same: differences that are not larger are silent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerances {
    /// Metres.
    pub position_m: f64,
    /// Degrees.
    pub angle_deg: f64,
    /// Factors.
    pub scale: f64,
}

impl Tolerances {
    /// Between two documents of a kind: a tenth of a millimetre, a hundredth of a degree.
    pub const EXPORTS: Tolerances = Tolerances { position_m: 1e-4, angle_deg: 0.01, scale: 1e-4 };
    /// Between an export and what it was converted to: what a conversion may do (A53b).
    pub const CONVERTED: Tolerances = Tolerances { position_m: 1e-3, angle_deg: 0.1, scale: 1e-3 };

    /// The tolerance of a channel, in its unit.
    pub fn of(&self, channel: Channel) -> f64 {
        match channel {
            Channel::Pos => self.position_m,
            Channel::Rot => self.angle_deg,
            Channel::Scl => self.scale,
        }
    }

    /// Whether a difference of a channel is beyond the tolerance. What is no number is.
    pub fn beyond(&self, channel: Channel, by: f64) -> bool {
        // Rounding of a difference that is exactly as large does not count.
        let most = self.of(channel);
        by.is_nan() || by > most + (1e-9 * most).max(1e-12)
    }
}

impl Default for Tolerances {
    fn default() -> Self {
        Tolerances::EXPORTS
    }
}

/// What was compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compared {
    /// Two takes.
    Takes,
    /// Two skeletons.
    Skeletons,
    /// Two clips.
    Clips,
    /// Two rigs or scenes.
    Rigs,
    /// A take and a clip on its rig, either first: parts and poses, no keys.
    TakeAndClip,
}

/// What times are counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// Frames of a take.
    Frames,
    /// Seconds of a clip.
    Seconds,
}

/// What kind of thing an element is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum What {
    /// Of a take.
    Peg,
    /// Of a skeleton.
    Bone,
    /// Of a rig.
    Node,
    /// A part of a clip, which only its tracks name.
    Part,
    /// Of a clip.
    Track,
    /// Of an export.
    Camera,
}

impl What {
    /// The word for so many.
    pub fn word(self, count: usize) -> &'static str {
        match (self, count) {
            (What::Peg, 1) => "peg",
            (What::Peg, _) => "pegs",
            (What::Bone, 1) => "bone",
            (What::Bone, _) => "bones",
            (What::Node, 1) => "node",
            (What::Node, _) => "nodes",
            (What::Part, 1) => "part",
            (What::Part, _) => "parts",
            (What::Track, 1) => "track",
            (What::Track, _) => "tracks",
            (What::Camera, 1) => "camera",
            (What::Camera, _) => "cameras",
        }
    }
}

/// One thing that differs.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// It is only in the second document, with so many keys.
    Added {
        /// How many keys it has.
        keys: usize,
    },
    /// It is only in the first document, with so many keys.
    Removed {
        /// How many keys it has.
        keys: usize,
    },
    /// It has another name, or a node another id.
    Renamed {
        /// In the first document.
        from: String,
        /// In the second.
        to: String,
    },
    /// It hangs on something else. A parent that was only renamed is the same.
    Reparented {
        /// The parent's name in the first document.
        from: Option<String>,
        /// In the second.
        to: Option<String>,
    },
    /// It rests elsewhere relative to its parent. What is within the tolerance is 0.
    Rest {
        /// How far the rest moved, in metres.
        metres: f64,
        /// How far it turned, in degrees.
        degrees: f64,
        /// The largest difference of a factor.
        factor: f64,
    },
    /// A field says something else.
    Field {
        /// Its name in the file.
        field: String,
        /// What it says in the first document; `None` where nothing stands there.
        from: Option<String>,
        /// In the second.
        to: Option<String>,
    },
    /// Its keys differ.
    Keys(Box<KeysChange>),
    /// A field that nobody here knows says something else.
    Unknown {
        /// Its name within the element.
        path: String,
        /// What it says in the first document, in a spelling of its own.
        from: Option<String>,
        /// In the second.
        to: Option<String>,
    },
}

/// How the keys of a peg or a track differ.
#[derive(Clone, Debug, PartialEq)]
pub struct KeysChange {
    /// What their times are.
    pub clock: Clock,
    /// Those that differ, by time.
    pub keys: Vec<KeyChange>,
}

/// How one key differs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct KeyChange {
    /// Its place in the first document's list; `None` where it is only in the second.
    pub a: Option<u32>,
    /// Its place in the second document's list; `None` where it is only in the first.
    pub b: Option<u32>,
    /// When it is: in the first document, where it is there.
    pub at: f64,
    /// How much later it is in the second document; 0 within rounding.
    pub moved: f64,
    /// By how much values differ, for position (metres), rotation (degrees, as rotations) and
    /// scale (factor); 0 within the tolerance.
    pub by: [f64; 3],
    /// By how much the written angles differ, in degrees, where they make the same rotation and
    /// still count: whole turns, or the other way to spell a rotation; otherwise 0.
    pub angles_deg: f64,
    /// The interpolations, where they differ.
    pub interp: Option<[Interp; 2]>,
    /// By how much handles differ in their values, for position, rotation and scale, in the
    /// channel's unit. Infinite where only one of the two keys has them.
    pub handle_by: [f64; 3],
    /// By how many frames handles of each channel differ.
    pub handle_frames: [f64; 3],
    /// Whether fields that nobody knows differ.
    pub unknown: bool,
}

impl KeyChange {
    /// Whether it is only in the second document.
    pub fn is_added(&self) -> bool {
        self.a.is_none()
    }

    /// Whether it is only in the first document.
    pub fn is_removed(&self) -> bool {
        self.b.is_none()
    }

    /// Whether handles of a channel differ.
    pub fn has_handles(&self, channel: usize) -> bool {
        self.handle_by.get(channel).is_some_and(|by| *by != 0.0)
            || self.handle_frames.get(channel).is_some_and(|by| *by != 0.0)
    }

    /// Whether both documents have it and it is the same in both.
    pub fn is_same(&self) -> bool {
        let none = KeyChange { a: self.a, b: self.b, at: self.at, ..KeyChange::default() };
        self.a.is_some() && self.b.is_some() && *self == none
    }
}

/// How many differ in one way, and where it is worst.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// How many.
    pub count: usize,
    /// The largest difference.
    pub by: f64,
    /// When that is.
    pub at: f64,
}

impl Tally {
    fn count(&mut self, by: f64, at: f64) {
        self.count += 1;
        if self.count == 1 || by.abs() > self.by.abs() {
            (self.by, self.at) = (by, at);
        }
    }
}

/// The keys of a [`KeysChange`] counted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct KeysTally {
    /// Keys that are only in the second document.
    pub added: Tally,
    /// Keys that are only in the first.
    pub removed: Tally,
    /// Keys at another time; `by` has its sign.
    pub moved: Tally,
    /// Values: position, rotation, scale.
    pub values: [Tally; 3],
    /// The same rotation by other angles.
    pub angles: Tally,
    /// Interpolations.
    pub interp: Tally,
    /// The first of those, from and to.
    pub interp_from_to: Option<[Interp; 2]>,
    /// Handles: position, rotation, scale; by how much in the channel's unit.
    pub handles: [Tally; 3],
    /// Fields that nobody knows.
    pub unknown: Tally,
}

impl KeysChange {
    /// Counts.
    pub fn tally(&self) -> KeysTally {
        let mut tally = KeysTally::default();
        for key in &self.keys {
            let at = key.at;
            if key.is_added() {
                tally.added.count(0.0, at);
                continue;
            }
            if key.is_removed() {
                tally.removed.count(0.0, at);
                continue;
            }
            if key.moved != 0.0 {
                tally.moved.count(key.moved, at);
            }
            for (tally, by) in tally.values.iter_mut().zip(key.by) {
                if by != 0.0 {
                    tally.count(by, at);
                }
            }
            if key.angles_deg != 0.0 {
                tally.angles.count(key.angles_deg, at);
            }
            if let Some(interp) = key.interp {
                tally.interp.count(0.0, at);
                tally.interp_from_to.get_or_insert(interp);
            }
            for (channel, tally) in tally.handles.iter_mut().enumerate() {
                if key.has_handles(channel) {
                    tally.count(key.handle_by[channel], at);
                }
            }
            if key.unknown {
                tally.unknown.count(0.0, at);
            }
        }
        tally
    }
}

/// An element that differs.
#[derive(Clone, Debug, PartialEq)]
pub struct Element {
    /// What it is.
    pub what: What,
    /// What it is called in the first document, or in the second where it is only there; each in
    /// its document by a name of its own.
    pub name: String,
    /// Its place in the first document's list; of a part none.
    pub a: Option<usize>,
    /// Its place in the second document's list.
    pub b: Option<usize>,
    /// What differs, the most important first.
    pub changes: Vec<Change>,
}

/// What differs between two documents, the first being the older one.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// What was compared.
    pub compared: Compared,
    /// What counted as the same.
    pub tolerances: Tolerances,
    /// Fields of the documents themselves.
    pub header: Vec<Change>,
    /// Elements that differ, the most important first.
    pub elements: Vec<Element>,
    /// How far poses are apart over time; `None` where they could not be told, or where no joint
    /// is in both documents.
    pub poses: Option<PoseDifference>,
    /// What else a person must know, such as why poses could not be compared.
    pub notes: Vec<String>,
}

impl Difference {
    /// Whether nothing differs beyond the tolerances. Between two documents of a kind what they
    /// hold decides; between a take and a clip, whose keys are not the same things, the poses do.
    pub fn is_empty(&self) -> bool {
        let same_poses = self.compared != Compared::TakeAndClip
            || self.poses.as_ref().is_some_and(|poses| !poses.is_beyond(&self.tolerances));
        self.header.is_empty() && self.elements.is_empty() && same_poses
    }
}

/// Sorts what a person reads: the most important first. Equals stay in the order of the file.
pub(super) fn sort(elements: &mut Vec<Element>) {
    // Weighed once each: that counts every key.
    let mut weighed: Vec<(f64, Element)> = Vec::with_capacity(elements.len());
    for mut element in elements.drain(..) {
        let mut changes: Vec<(f64, Change)> =
            element.changes.drain(..).map(|change| (change.weight(), change)).collect();
        changes.sort_by(|a, b| b.0.total_cmp(&a.0));
        let weight = changes.first().map_or(0.0, |(weight, _)| *weight);
        element.changes = changes.into_iter().map(|(_, change)| change).collect();
        weighed.push((weight, element));
    }
    weighed.sort_by(|a, b| b.0.total_cmp(&a.0));
    elements.extend(weighed.into_iter().map(|(_, element)| element));
}

impl Change {
    /// How much it matters to who looks at the animation: things that came or went, then
    /// hierarchy, then rests, then what moves differently by how much, then when, then how, then
    /// names and notes.
    fn weight(&self) -> f64 {
        // A degree is about as much as a centimetre: the way of a hand at arm's length.
        let size = |by: [f64; 3]| {
            let by = by.map(|by| if by.is_finite() { by.abs() } else { 1e6 });
            by[0] + 0.01 * by[1] + by[2]
        };
        let below = |size: f64| size / (1.0 + size);
        match self {
            Change::Added { .. } | Change::Removed { .. } => 9.0,
            Change::Reparented { .. } => 8.0,
            Change::Rest { metres, degrees, factor } => {
                7.0 + below(size([*metres, *degrees, *factor]))
            }
            Change::Keys(keys) => {
                let tally = keys.tally();
                let values = size(tally.values.map(|tally| tally.by)) + 0.01 * tally.angles.by;
                if tally.added.count + tally.removed.count > 0 || values > 0.0 {
                    6.0 + below(values)
                } else if tally.moved.count > 0 {
                    5.0 + below(tally.moved.by.abs())
                } else if tally.interp.count > 0 || tally.handles.iter().any(|t| t.count > 0) {
                    4.0 + below(size(tally.handles.map(|tally| tally.by)))
                } else {
                    1.0
                }
            }
            Change::Field { .. } => 3.0,
            Change::Renamed { .. } => 2.0,
            Change::Unknown { .. } => 0.5,
        }
    }
}
