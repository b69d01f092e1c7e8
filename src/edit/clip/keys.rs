//! Edits of keys: making, deleting, values, copies.

use super::super::owners::Picked;
use super::super::words::{count, replacing, tidy};
use super::super::{Applied, EditError};
use super::draft::{Draft, SAME_TIME_SECS, by_uid, put_keys, settle, without_comments};
use super::{ClipEdit, NewKey};
use crate::math::{continuous_euler, euler_from_quat};
use crate::model::{Clip, ClipKind, Interpolation, Key, Property, Track, Uid};
use crate::sample::{self, TrackValue};
use glam::DVec3;
use std::sync::Arc;

pub(super) fn apply(mut draft: Draft, edit: &ClipEdit) -> Result<Applied, EditError> {
    match edit {
        ClipEdit::InsertKeys { keys } => insert(draft, keys),
        ClipEdit::InsertOnCurve { tracks, time } => insert_on_curve(draft, tracks, *time),
        ClipEdit::DeleteKeys { keys } => {
            let mut deleted = 0;
            for picked in draft.pick(keys)? {
                let mut at = 0;
                deleted += picked.keys.len();
                draft.track(picked.row).keys.retain(|_| {
                    at += 1;
                    picked.keys.binary_search(&(at - 1)).is_err()
                });
            }
            let tracks = draft.drop_empty_tracks();
            let mut label = format!("Delete {}", count(deleted, "key"));
            if tracks > 0 {
                label += &format!(" and {}", count(tracks, "track"));
            }
            draft.finish(label)
        }
        ClipEdit::OffsetKeys { keys, delta } => {
            let change = |value: DVec3| {
                let sum = value + delta;
                DVec3::new(tidy(sum.x), tidy(sum.y), tidy(sum.z))
            };
            let mut changed = 0;
            for picked in draft.pick(keys)? {
                changed += picked.keys.len();
                let track = draft.track(picked.row);
                for at in picked.keys {
                    // What is not offset keeps its very value.
                    let old = track.keys[at].value;
                    track.keys[at].value =
                        DVec3::select(delta.cmpeq(DVec3::ZERO), old, change(old));
                }
            }
            draft.finish(format!("Change {}", count(changed, "key")))
        }
        ClipEdit::SetKeyValues { keys } => {
            let uids: Vec<Uid> = keys.iter().map(|(uid, _)| *uid).collect();
            let values = by_uid(keys.iter().copied());
            for picked in draft.pick(&uids)? {
                let track = draft.track(picked.row);
                for at in picked.keys {
                    let Some(value) = values.get(&track.keys[at].uid) else { continue };
                    set_components(&mut track.keys[at].value, value);
                }
            }
            let label = format!("Set the value of {}", count(values.len(), "key"));
            draft.finish(label)
        }
        ClipEdit::DuplicateKeys { keys, delta_secs } => duplicate(draft, keys, *delta_secs),
        _ => super::time::apply(draft, edit),
    }
}

/// Sets those components that are given.
pub(in super::super) fn set_components(value: &mut DVec3, to: &[Option<f64>; 3]) {
    let mut array = value.to_array();
    for (slot, to) in array.iter_mut().zip(to) {
        *slot = to.unwrap_or(*slot);
    }
    *value = DVec3::from_array(array);
}

fn insert(mut draft: Draft, keys: &[NewKey]) -> Result<Applied, EditError> {
    for new in keys {
        let key = |uid| Key { uid, time: new.time, value: new.value, origin: None };
        let at = match draft.track_of(&new.part, new.property) {
            Some(at) => at,
            None => {
                let track = Track {
                    uid: draft.uids.fresh(),
                    part: new.part.clone(),
                    property: new.property,
                    interpolation: Interpolation::Linear,
                    curve: None,
                    keys: Vec::new(),
                    origin: None,
                };
                draft.clip.tracks.push(Arc::new(track));
                draft.clip.tracks.len() - 1
            }
        };
        let fresh = draft.uids.fresh();
        let track = draft.track(at);
        let near = |k: &Key| (k.time - new.time).abs() < SAME_TIME_SECS;
        let uid = match track.keys.iter_mut().find(|k| near(k)) {
            Some(there) => {
                there.value = new.value;
                there.uid
            }
            None => {
                let place = track.keys.partition_point(|k| k.time < new.time);
                track.keys.insert(place, key(fresh));
                fresh
            }
        };
        draft.select_key(uid);
    }
    draft.finish(format!("Insert {}", count(keys.len(), "key")))
}

fn insert_on_curve(mut draft: Draft, tracks: &[Uid], time: f64) -> Result<Applied, EditError> {
    let kind = draft.clip.kind;
    let mut made = 0;
    let mut eased = false;
    for at in draft.find_tracks(tracks)? {
        let uid = draft.uids.fresh();
        let track = &draft.clip.tracks[at];
        if let Some(key) = track.keys.iter().find(|k| (k.time - time).abs() < SAME_TIME_SECS) {
            let there = key.uid;
            draft.select_key(there);
            continue;
        }
        let value = value_at(track, kind, draft.clip.duration_secs, time)?;
        eased |= matches!(track.interpolation, Interpolation::Smooth | Interpolation::Bezier)
            && track.keys.first().is_some_and(|k| k.time < time)
            && track.keys.last().is_some_and(|k| k.time > time);
        let track = draft.track(at);
        let place = track.keys.partition_point(|k| k.time < time);
        track.keys.insert(place, Key { uid, time, value, origin: None });
        draft.select_key(uid);
        made += 1;
    }
    if eased {
        let note = "Smooth and bezier tracks ease anew on both sides of the key: the value of this \
                    moment is kept, the motion around it is not";
        draft.notes.push(note.to_owned());
    }
    draft.finish(format!("Insert {} on the curve", count(made, "key")))
}

/// A track's value at a moment as the sampler gives it: the angles of a rig clip's rotation are
/// those nearest to the key before.
pub(super) fn value_at(
    track: &Arc<Track>,
    kind: ClipKind,
    duration_secs: f64,
    time_secs: f64,
) -> Result<DVec3, EditError> {
    const PART: &str = "part";
    let before = track.keys.iter().rev().find(|k| k.time <= time_secs).or(track.keys.first());
    let before = before.map_or(DVec3::ZERO, |k| k.value);
    let inside = |k: &Key| k.time > time_secs;
    let holds = !track.keys.iter().any(inside) || track.keys.iter().all(inside);
    if holds || track.interpolation == Interpolation::Step {
        return Ok(before);
    }
    // A draft's track may have no part, and the sampler wants one.
    let track = Arc::new(Track { part: PART.to_owned(), ..(**track).clone() });
    let alone = Clip {
        kind,
        form: crate::model::ClipForm::Format,
        binding: (kind == ClipKind::Rig).then(|| PART.to_owned()),
        model: PART.to_owned(),
        duration_secs,
        looping: false,
        tracks: vec![track.clone()],
        origin: None,
    };
    let clip = sample::Clip::new(&alone).map_err(|problem| EditError::new(problem.message))?;
    let value = clip.value(PART, track.property, time_secs);
    Ok(match value {
        Some(TrackValue::Vector(value)) => value,
        Some(TrackValue::Rotation(turn)) => continuous_euler(euler_from_quat(turn), before),
        None => before,
    })
}

fn duplicate(mut draft: Draft, keys: &[Uid], delta_secs: f64) -> Result<Applied, EditError> {
    let label = format!("Duplicate {}", count(keys.len(), "key"));
    let picked = draft.pick(keys)?;
    // A drag that has not left its place yet: the copies would only hide the keys.
    if delta_secs.abs() < SAME_TIME_SECS {
        return draft.finish(label);
    }
    let duration_secs = draft.clip.duration_secs;
    let mut replaced = 0;
    for Picked { row: track, keys } in picked {
        let mut copies: Vec<Key> =
            keys.iter().map(|at| draft.clip.tracks[track].keys[*at].clone()).collect();
        for copy in &mut copies {
            copy.uid = draft.uids.fresh();
            copy.time = settle(copy.time + delta_secs, duration_secs);
            without_comments(copy);
            draft.select_key(copy.uid);
        }
        replaced += put_keys(draft.track(track), copies);
    }
    draft.finish(label + &replacing(replaced))
}

/// The value of a part's property mirrored across X: left becomes right.
pub(super) fn mirrored(property: Property, value: DVec3) -> DVec3 {
    match property {
        Property::Position => DVec3::new(-value.x, value.y, value.z),
        Property::Rotation => DVec3::new(value.x, -value.y, -value.z),
        Property::Scale => value,
    }
}
