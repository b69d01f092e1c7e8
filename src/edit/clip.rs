//! Edits of clips, as data.

use super::workspace::DocId;
use super::{Applied, EditError, Workspace};
use crate::model::{ClipForm, ClipKind, Interpolation, Key, Property, Track, Uid};
use glam::DVec3;
use std::sync::Arc;

/// A time grid that moved keys land on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Snap {
    /// Seconds from line to line: 1/24 for frames at 24 a second. Times on the grid are multiples
    /// of it, rounded to 6 decimals (M31).
    pub step_secs: f64,
    /// The key that lands on the grid; the others keep their distance from it.
    pub anchor: Uid,
}

/// A key to be made.
#[derive(Clone, Debug, PartialEq)]
pub struct NewKey {
    /// The part; its track of `property` is made where there is none.
    pub part: String,
    /// Which of its properties.
    pub property: Property,
    /// Seconds from the clip's start.
    pub time: f64,
    /// Metres, radians or factors.
    pub value: DVec3,
}

/// The time a key shall have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KeyTime {
    /// The key.
    pub key: Uid,
    /// Seconds from the clip's start.
    pub time: f64,
}

/// A change of one clip.
#[derive(Clone, Debug)]
pub enum ClipEdit {
    /// Makes keys; one that stands at the same time gets the new value instead. New tracks are
    /// `linear`.
    InsertKeys {
        /// The keys.
        keys: Vec<NewKey>,
    },
    /// Makes a key on each of these tracks without changing the motion, where the interpolation
    /// allows that (step, linear); otherwise the key holds the value of that moment.
    InsertOnCurve {
        /// The tracks.
        tracks: Vec<Uid>,
        /// Seconds from the clip's start.
        time: f64,
    },
    /// Deletes keys. A track that loses its last key goes too.
    DeleteKeys {
        /// The keys.
        keys: Vec<Uid>,
    },
    /// Moves keys in time. Keys that are in the way are replaced, and the label says so.
    MoveKeys {
        /// The keys.
        keys: Vec<Uid>,
        /// By this many seconds; later is positive.
        delta_secs: f64,
        /// Lands on a grid.
        snap: Option<Snap>,
    },
    /// Adds to the values of keys.
    OffsetKeys {
        /// The keys.
        keys: Vec<Uid>,
        /// Metres, radians or factors.
        delta: DVec3,
    },
    /// Sets the value of keys; `None` leaves a component as it is.
    SetKeyValues {
        /// The keys, each with its new components.
        keys: Vec<(Uid, [Option<f64>; 3])>,
    },
    /// Sets a key's time. Onto another key of its track: refused.
    SetKeyTimes {
        /// The keys.
        keys: Vec<KeyTime>,
    },
    /// Stretches keys about a moment. Keys that fall together are replaced by the last of them,
    /// and the label says so.
    ScaleKeys {
        /// The keys.
        keys: Vec<Uid>,
        /// Seconds from the clip's start: this moment stays.
        pivot_secs: f64,
        /// 2 doubles the distances; negative turns the order round.
        factor: f64,
    },
    /// Copies keys to later (or earlier) times, with their unknown fields, without comments.
    DuplicateKeys {
        /// The keys.
        keys: Vec<Uid>,
        /// By this many seconds.
        delta_secs: f64,
    },
    /// Puts copied tracks' keys in, the earliest at `time`; parts are matched by name, tracks
    /// that are not there are made.
    PasteKeys {
        /// Tracks as copied; their identities are not used.
        tracks: Vec<Arc<Track>>,
        /// Seconds from the clip's start.
        time: f64,
        /// Swaps left and right parts by the name rule and mirrors the values across X.
        flipped: bool,
    },
    /// Gives tracks the easing of another.
    PasteEasing {
        /// The tracks.
        tracks: Vec<Uid>,
        /// How they move.
        interpolation: Interpolation,
        /// Their curve; `None` is the default one.
        curve: Option<[f64; 4]>,
    },
    /// Plays keys backwards within the span they cover; without keys, the whole clip. Whole
    /// tracks turn their easing round too.
    Reverse {
        /// The keys; empty: all.
        keys: Vec<Uid>,
    },
    /// Moves all keys at and after a moment, of all tracks or of these, and the clip's end along.
    Ripple {
        /// The tracks; empty: all.
        tracks: Vec<Uid>,
        /// Keys from here on move.
        from_secs: f64,
        /// By this many seconds; never past an earlier key.
        delta_secs: f64,
    },
    /// Opens a gap, or closes one: keys inside go.
    InsertTime {
        /// Where.
        at_secs: f64,
        /// How long; negative takes time out.
        length_secs: f64,
    },
    /// Makes an empty-handed track: one key at the playhead with this value.
    AddTrack {
        /// The part; may be empty in a draft.
        part: String,
        /// Which property.
        property: Property,
        /// The first key.
        key: (f64, DVec3),
    },
    /// Takes tracks out.
    RemoveTracks {
        /// The tracks.
        tracks: Vec<Uid>,
    },
    /// Sets how tracks move.
    SetInterpolation {
        /// The tracks.
        tracks: Vec<Uid>,
        /// How.
        interpolation: Interpolation,
    },
    /// Sets tracks' easing curve; `None` takes the field out.
    SetCurve {
        /// The tracks.
        tracks: Vec<Uid>,
        /// `[x1, y1, x2, y2]`, each from 0 to 1.
        curve: Option<[f64; 4]>,
    },
    /// Lets a track animate another part.
    RetargetTrack {
        /// The track.
        track: Uid,
        /// The part.
        part: String,
    },
    /// Moves a track in the list.
    MoveTrack {
        /// The track.
        track: Uid,
        /// Its index afterwards.
        index: usize,
    },
    /// Sets the length.
    SetDuration {
        /// Seconds.
        secs: f64,
        /// Stretches all keys along; otherwise keys behind the end are refused.
        scale_keys: bool,
    },
    /// Sets whether it repeats.
    SetLoop {
        /// Whether.
        looping: bool,
    },
    /// Sets the name of the model or rig.
    SetModel {
        /// The name.
        model: String,
    },
    /// Sets the path of the rig.
    SetBinding {
        /// Project-relative; `None` makes a draft.
        binding: Option<String>,
    },
    /// Turns a model clip into a rig clip, or back.
    SetKind {
        /// The kind.
        kind: ClipKind,
    },
    /// Sets how the file says which kind it is (M32).
    SetForm {
        /// The form.
        form: ClipForm,
    },
}

pub(super) fn apply(
    workspace: &Workspace,
    doc: DocId,
    edit: &ClipEdit,
) -> Result<Applied, EditError> {
    let _ = (workspace, doc, edit, std::marker::PhantomData::<Key>);
    Err(EditError::new("not yet"))
}
