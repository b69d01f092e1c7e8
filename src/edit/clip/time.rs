//! Edits of time: moving, scaling, reversing, rippling keys, opening and closing gaps.

use super::super::owners::Picked;
use super::super::words::{count, replacing};
use super::super::{Applied, EditError};
use super::draft::{Draft, SAME_TIME_SECS, by_uid, retime, round6, settle, snap_time};
use super::{ClipEdit, Snap};
use crate::model::{Interpolation, Key, Track, Uid, messages};

pub(super) fn apply(mut draft: Draft, edit: &ClipEdit) -> Result<Applied, EditError> {
    match edit {
        ClipEdit::MoveKeys { keys, delta_secs, snap } => move_keys(draft, keys, *delta_secs, *snap),
        ClipEdit::SetKeyTimes { keys } => {
            let uids: Vec<Uid> = keys.iter().map(|k| k.key).collect();
            let wanted = by_uid(keys.iter().map(|k| (k.key, k.time)));
            for Picked { row: track, keys } in draft.pick(&uids)? {
                let on_the_way = draft.workspace().is_on_the_way();
                let track = draft.track(track);
                for at in keys {
                    if let Some(time) = wanted.get(&track.keys[at].uid) {
                        track.keys[at].time = *time;
                    }
                }
                // Among keys that are in no order there is no place to go to.
                let others = track.keys.iter().filter(|key| !wanted.contains_key(&key.uid));
                if !on_the_way || others.is_sorted_by(|a, b| a.time <= b.time) {
                    track.keys.sort_by(|a, b| a.time.total_cmp(&b.time));
                }
            }
            let label = format!("Set the time of {}", count(wanted.len(), "key"));
            draft.finish(label)
        }
        ClipEdit::ScaleKeys { keys, pivot_secs, factor } => {
            let (pivot, factor) = (*pivot_secs, *factor);
            let picked = draft.pick(keys)?;
            let label = format!("Scale {}", count(total(&picked), "key"));
            if factor == 1.0 {
                return draft.finish(label);
            }
            let duration_secs = draft.clip.duration_secs;
            let mut replaced = 0;
            for Picked { row: track, keys } in picked {
                let track = draft.track(track);
                let time = |at: &usize| {
                    settle(pivot + (track.keys[*at].time - pivot) * factor, duration_secs)
                };
                let times: Vec<f64> = keys.iter().map(time).collect();
                replaced += retime(track, &keys, &times, true);
            }
            draft.finish(label + &replacing(replaced))
        }
        ClipEdit::Reverse { keys } => reverse(draft, keys),
        ClipEdit::Ripple { tracks, from_secs, delta_secs } => {
            let chosen = match tracks.is_empty() {
                true => (0..draft.clip.tracks.len()).collect(),
                false => draft.find_tracks(tracks)?,
            };
            let end = settle(draft.clip.duration_secs + delta_secs, f64::INFINITY);
            let mut moved = 0;
            for at in chosen {
                moved += shift_from(&mut draft, at, *from_secs, *delta_secs, end);
            }
            draft.clip.duration_secs = end;
            draft.finish(format!("Ripple {}", count(moved, "key")))
        }
        ClipEdit::InsertTime { at_secs, length_secs } => {
            if *length_secs < 0.0 {
                remove_time(draft, *at_secs, -length_secs)
            } else {
                let end = settle(draft.clip.duration_secs + length_secs, f64::INFINITY);
                for at in 0..draft.clip.tracks.len() {
                    shift_from(&mut draft, at, *at_secs, *length_secs, end);
                }
                draft.clip.duration_secs = end;
                draft.finish(format!("Insert {} s", round6(*length_secs)))
            }
        }
        _ => super::tracks::apply(draft, edit),
    }
}

fn total(picked: &[Picked]) -> usize {
    picked.iter().map(|p| p.keys.len()).sum()
}

fn move_keys(
    mut draft: Draft,
    keys: &[Uid],
    delta_secs: f64,
    snap: Option<Snap>,
) -> Result<Applied, EditError> {
    let picked = draft.pick(keys)?;
    let label = format!("Move {}", count(total(&picked), "key"));
    let mut delta = delta_secs;
    if let Some(snap) = snap {
        let anchor = draft.pick(&[snap.anchor])?;
        let anchor = anchor.first().map(|p| draft.clip.tracks[p.row].keys[p.keys[0]].time);
        let anchor = anchor.unwrap_or(0.0);
        delta = snap_time(anchor + delta_secs, snap.step_secs) - anchor;
    }
    if delta == 0.0 {
        return draft.finish(label);
    }
    let duration_secs = draft.clip.duration_secs;
    let mut replaced = 0;
    for Picked { row: track, keys } in picked {
        let track = draft.track(track);
        let moved = |at: &usize| track.keys[*at].time + delta;
        let mut times: Vec<f64> = match snap {
            Some(_) => keys.iter().map(|at| settle(round6(moved(at)), duration_secs)).collect(),
            None => keys.iter().map(|at| settle(moved(at), duration_secs)).collect(),
        };
        // Keys nearer to each other than the rounding keep their distance instead.
        if times.windows(2).any(|pair| pair[0] >= pair[1]) {
            times = keys.iter().map(moved).collect();
        }
        replaced += retime(track, &keys, &times, false);
    }
    draft.finish(label + &replacing(replaced))
}

fn reverse(mut draft: Draft, keys: &[Uid]) -> Result<Applied, EditError> {
    let whole = keys.is_empty();
    let picked = match whole {
        true => {
            let all = |(row, t): (usize, &std::sync::Arc<Track>)| Picked {
                row,
                keys: (0..t.keys.len()).collect(),
            };
            draft.clip.tracks.iter().enumerate().map(all).collect()
        }
        false => draft.pick(keys)?,
    };
    // From the first to the last key that is turned round; of a whole clip, its whole length.
    let times = || {
        picked.iter().flat_map(|p| p.keys.iter().map(|at| draft.clip.tracks[p.row].keys[*at].time))
    };
    let (from, to) = match whole {
        true => (0.0, draft.clip.duration_secs),
        false => (times().fold(f64::INFINITY, f64::min), times().fold(f64::NEG_INFINITY, f64::max)),
    };
    let label = match whole {
        true => "Reverse clip".to_owned(),
        false => format!("Reverse {}", count(total(&picked), "key")),
    };
    let duration_secs = draft.clip.duration_secs;
    let mut replaced = 0;
    let mut steps = false;
    for Picked { row: track, keys } in picked {
        let track = draft.track(track);
        steps |= track.interpolation == Interpolation::Step && keys.len() > 1;
        if keys.len() == track.keys.len() && track.interpolation == Interpolation::Bezier {
            track.curve = Some(reversed_curve(track.curve()));
        }
        let time =
            |at: &usize| settle(mirrored_time(track.keys[*at].time, from, to), duration_secs);
        let times: Vec<f64> = keys.iter().map(time).collect();
        replaced += retime(track, &keys, &times, false);
    }
    if steps {
        let note = "A step track holds each value up to the next key: backwards it jumps at the \
                    keys' mirrored times, and holds each value after them";
        draft.notes.push(note.to_owned());
    }
    draft.finish(label + &replacing(replaced))
}

fn mirrored_time(time: f64, from: f64, to: f64) -> f64 {
    // The ends come out exactly.
    if time == from {
        to
    } else if time == to {
        from
    } else {
        from + to - time
    }
}

/// The easing that plays a bezier backwards.
pub(super) fn reversed_curve([x1, y1, x2, y2]: [f64; 4]) -> [f64; 4] {
    [1.0 - x2, 1.0 - y2, 1.0 - x1, 1.0 - y1].map(|x| super::super::words::tidy(x).clamp(0.0, 1.0))
}

/// Moves a track's keys at and after a moment; never past an earlier key, which the limits refuse.
/// Gives how many moved.
fn shift_from(draft: &mut Draft, track: usize, from: f64, delta: f64, end: f64) -> usize {
    let first = draft.clip.tracks[track].keys.partition_point(|k| k.time < from);
    let many = draft.clip.tracks[track].keys.len() - first;
    if many > 0 && delta != 0.0 {
        let track = draft.track(track);
        for key in &mut track.keys[first..] {
            key.time = settle(key.time + delta, end);
        }
    }
    many
}

fn remove_time(mut draft: Draft, at: f64, length: f64) -> Result<Applied, EditError> {
    let duration_secs = draft.clip.duration_secs;
    if !(at >= 0.0 && at < duration_secs) {
        return Err(messages::KEY_TIMES.into());
    }
    // What is not there cannot be taken out.
    let to = (at + length).min(duration_secs);
    let end = settle(duration_secs - (to - at), f64::INFINITY);
    // The key on the gap's far edge comes to its near one; that of a hair before it is inside.
    let inside = |key: &Key| key.time >= at - SAME_TIME_SECS && key.time < to - SAME_TIME_SECS;
    let mut gone = 0;
    for index in 0..draft.clip.tracks.len() {
        if draft.clip.tracks[index].keys.iter().any(inside) {
            let track = draft.track(index);
            let many = track.keys.len();
            track.keys.retain(|key| !inside(key));
            gone += many - track.keys.len();
        }
        let edge = to - SAME_TIME_SECS;
        shift_from(&mut draft, index, edge, at - to, end);
    }
    draft.drop_empty_tracks();
    draft.clip.duration_secs = end;
    let mut label = format!("Remove {} s", round6(to - at));
    if gone > 0 {
        label += &format!(" with {}", count(gone, "key"));
    }
    draft.finish(label)
}
