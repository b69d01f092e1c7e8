//! Edits of keyframes in time: making, deleting, moving, copies.

use super::super::owners::Picked;
use super::super::words::{count, replacing, tidy};
use super::super::{Applied, EditError};
use super::draft::{Draft, SAME_FRAME, copied, put_keys};
use super::values::{move_value, set_rotation, shift_handles};
use super::{NewKeyframe, TakeEdit};
use crate::math::apart_deg;
use crate::model::Uid;
use crate::model::take::{Channel, Handles, Keyframe, Peg};
use crate::sample::take::split;
use glam::{DVec2, DVec3};
use std::collections::HashMap;
use std::sync::Arc;

pub(super) fn apply(mut draft: Draft, edit: &TakeEdit) -> Result<Applied, EditError> {
    match edit {
        TakeEdit::InsertKeys { keys } => insert(draft, keys),
        TakeEdit::DeleteKeys { keys } => {
            let mut deleted = 0;
            for Picked { row: peg, keys } in draft.pick(keys)? {
                deleted += keys.len();
                let mut at = 0;
                draft.peg(peg).keyframes.retain(|_| {
                    at += 1;
                    keys.binary_search(&(at - 1)).is_err()
                });
            }
            draft.finish(format!("Delete {}", count(deleted, "key")))
        }
        TakeEdit::MoveKeys { keys, delta_frames, snap } => {
            let delta = snapped(&draft, *delta_frames, *snap);
            let label = format!("Move {}", count(keys.len(), "key"));
            retime(draft, keys, label, &|frame| tidy(frame + delta), &|key, frame| {
                shift_handles(key, DVec2::new(frame - key.frame, 0.0));
            })
        }
        TakeEdit::ScaleKeys { keys, pivot_frame, factor } => {
            if !factor.is_finite() {
                return Err(EditError::new("The factor must be a number"));
            }
            let label = format!("Scale {}", count(keys.len(), "key"));
            let scaled = |frame: f64| tidy(pivot_frame + (frame - pivot_frame) * factor);
            retime(draft, keys, label, &scaled, &|key, frame| stretch_handles(key, frame, *factor))
        }
        TakeEdit::SetFrames { keys } => set_frames(draft, keys),
        TakeEdit::DuplicateKeys { keys, delta_frames } => duplicate(draft, keys, *delta_frames),
        TakeEdit::PasteKeys { pegs, frame } => paste(draft, pegs, *frame),
        _ => super::values::apply(draft, edit),
    }
}

/// The distance that puts one key on a whole frame.
fn snapped(draft: &Draft, delta_frames: f64, snap: Option<Uid>) -> f64 {
    let Some(anchor) = snap else { return delta_frames };
    let keys = draft.take.pegs.iter().flat_map(|peg| &peg.keyframes);
    let frame = keys.filter(|key| key.uid == anchor).map(|key| key.frame).next();
    frame.map_or(delta_frames, |frame| (frame + delta_frames).round() - frame)
}

/// Gives keys other frames; keys in the way are replaced.
fn retime(
    mut draft: Draft,
    keys: &[Uid],
    label: String,
    frame_of: &dyn Fn(f64) -> f64,
    handles: &dyn Fn(&mut Keyframe, f64),
) -> Result<Applied, EditError> {
    let mut replaced = 0;
    for Picked { row: peg, keys } in draft.pick(keys)? {
        if keys.iter().all(|at| {
            let frame = draft.take.pegs[peg].keyframes[*at].frame;
            frame_of(frame) == frame
        }) {
            continue;
        }
        let peg = draft.peg(peg);
        let (mut moved, mut stays) = (Vec::with_capacity(keys.len()), Vec::new());
        for (at, mut key) in std::mem::take(&mut peg.keyframes).into_iter().enumerate() {
            if keys.binary_search(&at).is_ok() {
                let frame = frame_of(key.frame);
                handles(&mut key, frame);
                key.frame = frame;
                moved.push(key);
            } else {
                stays.push(key);
            }
        }
        peg.keyframes = stays;
        // Of moved keys that come to stand on one frame the last one stays.
        moved.sort_by(|a, b| a.frame.total_cmp(&b.frame));
        let many = moved.len();
        moved.reverse();
        moved.dedup_by(|earlier, later| (later.frame - earlier.frame).abs() < SAME_FRAME);
        replaced += many - moved.len();
        replaced += put_keys(peg, moved);
    }
    draft.finish(label + &replacing(replaced))
}

fn set_frames(mut draft: Draft, keys: &[(Uid, f64)]) -> Result<Applied, EditError> {
    let uids: Vec<Uid> = keys.iter().map(|(uid, _)| *uid).collect();
    let frames: HashMap<Uid, f64> = keys.iter().copied().collect();
    for Picked { row: peg, keys } in draft.pick(&uids)? {
        let peg = draft.peg(peg);
        let mut moved = Vec::with_capacity(keys.len());
        for at in keys.iter().rev() {
            let mut key = peg.keyframes.remove(*at);
            let frame = frames.get(&key.uid).copied().unwrap_or(key.frame);
            let delta = frame - key.frame;
            shift_handles(&mut key, DVec2::new(delta, 0.0));
            key.frame = frame;
            moved.push(key);
        }
        moved.sort_by(|a, b| a.frame.total_cmp(&b.frame));
        let near = |a: &Keyframe, b: &Keyframe| (a.frame - b.frame).abs() < SAME_FRAME;
        let taken = moved.windows(2).any(|pair| near(&pair[0], &pair[1]))
            || moved.iter().any(|key| peg.keyframes.iter().any(|other| near(key, other)));
        if taken {
            return Err(EditError::new(format!("{} has a key on this frame already", peg.name)));
        }
        put_keys(peg, moved);
    }
    draft.finish(format!("Set the frame of {}", count(uids.len(), "key")))
}

fn duplicate(mut draft: Draft, keys: &[Uid], delta_frames: f64) -> Result<Applied, EditError> {
    let label = format!("Duplicate {}", count(keys.len(), "key"));
    let picked = draft.pick(keys)?;
    // A drag that has not left its place yet: the copies would only hide the keys.
    if delta_frames.abs() < SAME_FRAME {
        return draft.finish(label);
    }
    let mut replaced = 0;
    for Picked { row: peg, keys } in picked {
        let mut copies = Vec::with_capacity(keys.len());
        for at in keys {
            let uid = draft.uids.fresh();
            let mut copy = copied(&draft.take.pegs[peg].keyframes[at], uid);
            shift_handles(&mut copy, DVec2::new(delta_frames, 0.0));
            copy.frame = tidy(copy.frame + delta_frames);
            draft.select_key(uid);
            copies.push(copy);
        }
        replaced += put_keys(draft.peg(peg), copies);
    }
    draft.finish(label + &replacing(replaced))
}

fn paste(mut draft: Draft, pegs: &[Arc<Peg>], frame: f64) -> Result<Applied, EditError> {
    let frames = pegs.iter().flat_map(|peg| &peg.keyframes).map(|key| key.frame);
    let first = frames.fold(f64::INFINITY, f64::min);
    if !first.is_finite() {
        return Err(EditError::new("There are no keys to paste"));
    }
    let places = draft.places();
    let (mut pasted, mut replaced) = (0, 0);
    let mut missing = Vec::new();
    for peg in pegs {
        let Some(at) = places.of(peg) else {
            missing.push(peg.name.as_str());
            continue;
        };
        let mut copies = Vec::with_capacity(peg.keyframes.len());
        for key in &peg.keyframes {
            let uid = draft.uids.fresh();
            let mut copy = copied(key, uid);
            shift_handles(&mut copy, DVec2::new(frame - first, 0.0));
            copy.frame = tidy(copy.frame + frame - first);
            draft.select_key(uid);
            copies.push(copy);
        }
        pasted += copies.len();
        replaced += put_keys(draft.peg(at), copies);
    }
    if pasted == 0 {
        let name = missing.first().copied().unwrap_or_default();
        let words = match missing.len() {
            1 => format!("There is not exactly one peg {name} in this take to paste into"),
            many => {
                format!("None of the {many} copied pegs ({name} and others) is here exactly once")
            }
        };
        return Err(EditError::new(words));
    }
    if let [name, others @ ..] = missing.as_slice() {
        let more = match others.len() {
            0 => String::new(),
            many => format!(" and {many} more"),
        };
        draft.note(&format!(
            "Left out: there is exactly one peg in this take for each copied one \
                             but {name}{more}"
        ));
    }
    draft.finish(format!("Paste {}", count(pasted, "key")) + &replacing(replaced))
}

fn stretch_handles(key: &mut Keyframe, frame: f64, factor: f64) {
    let from = key.frame;
    each_handle(key, |point| point.x = frame + (point.x - from) * factor);
    if factor < 0.0
        && let Some(handles) = &mut key.handles
    {
        // Turned round: what led in leads out.
        for channel in Channel::ALL {
            for axis in handles.channel_mut(channel).iter_mut().flatten().flatten() {
                std::mem::swap(&mut axis.left, &mut axis.right);
            }
        }
    }
}

fn each_handle(key: &mut Keyframe, mut change: impl FnMut(&mut DVec2)) {
    let Some(handles) = &mut key.handles else { return };
    for channel in Channel::ALL {
        for axis in handles.channel_mut(channel).iter_mut().flatten().flatten() {
            change(&mut axis.left);
            change(&mut axis.right);
        }
    }
}

fn insert(mut draft: Draft, keys: &[NewKeyframe]) -> Result<Applied, EditError> {
    for new in keys {
        let at = draft.find_peg(new.peg)?;
        let angles = draft.angles;
        let fresh = draft.uids.fresh();
        let peg = draft.peg(at);
        let near = |key: &Keyframe| (key.frame - new.frame).abs() < SAME_FRAME;
        let place = match peg.keyframes.iter().position(near) {
            Some(place) => place,
            None => {
                let key = made(peg, new, fresh);
                let place = peg.keyframes.iter().position(|k| k.frame > new.frame);
                let place = place.unwrap_or(peg.keyframes.len());
                peg.keyframes.insert(place, key);
                keep_shape(peg, place);
                place
            }
        };
        let key = &mut peg.keyframes[place];
        for (channel, value) in [(Channel::Pos, new.pos), (Channel::Scl, new.scl)] {
            if key.channel(channel).is_some_and(|old| old != value) {
                move_value(key, channel, value);
            }
        }
        let dropped = set_rotation(key, new.rotation, angles);
        let same = |rot: &DVec3| {
            angles.quat(*rot).is_some_and(|quat| apart_deg(quat, new.rotation.normalize()) < 1e-6)
        };
        if let Some(rot) = new.rot.filter(same).filter(|rot| key.rot.is_some_and(|old| old != *rot))
        {
            move_value(key, Channel::Rot, rot);
        }
        let uid = key.uid;
        if dropped {
            draft.note(super::values::DROPPED);
        }
        draft.select_key(uid);
    }
    draft.finish(format!("Insert {}", count(keys.len(), "key")))
}

/// A key with the values given and the fields that its neighbours have.
fn made(peg: &Peg, new: &NewKeyframe, uid: Uid) -> Keyframe {
    let before = peg.keyframes.iter().rev().find(|key| key.frame < new.frame);
    let after = peg.keyframes.iter().find(|key| key.frame > new.frame);
    let model = before.or(after);
    let rot = model.is_none_or(|key| key.rot.is_some());
    let quat = model.is_none_or(|key| key.rot_quat.is_some());
    Keyframe {
        uid,
        interp: before.or(after).and_then(|key| key.interp),
        frame: new.frame,
        pos: model.is_none_or(|key| key.pos.is_some()).then_some(new.pos),
        // The angles will be those nearest to the key before (A57).
        rot: rot.then_some(model.and_then(|key| key.rot).unwrap_or_default()),
        // One of the two a key must have.
        rot_quat: (quat || !rot).then_some([1.0, 0.0, 0.0, 0.0]),
        scl: model.is_none_or(|key| key.scl.is_some()).then_some(new.scl),
        handles: None,
        origin: None,
    }
}

/// Splits the curves with handles at a key that was just put among two others, so that they keep
/// their shape (de Casteljau).
fn keep_shape(peg: &mut Peg, place: usize) {
    let Some(before) = place.checked_sub(1) else { return };
    let Some([a, key, b]) = peg.keyframes.get_mut(before..before + 3) else { return };
    for channel in Channel::ALL {
        for axis in 0..3 {
            let of = |key: &Keyframe| {
                let handles = (*key.channel_handles(channel)?)[axis]?;
                Some((key.channel(channel)?[axis], handles))
            };
            let (Some((from, out)), Some((to, into))) = (of(a), of(b)) else { continue };
            let ends = [DVec2::new(a.frame, from), out.right, into.left, DVec2::new(b.frame, to)];
            let Some([left, right]) = split(ends, key.frame) else { continue };
            let set =
                |key: &mut Keyframe, change: &dyn Fn(&mut crate::model::take::AxisHandles)| {
                    let handles = key.handles.get_or_insert_with(|| Box::new(Handles::default()));
                    let axes = handles.channel_mut(channel).get_or_insert_default();
                    let at = left[3];
                    let fresh = crate::model::take::AxisHandles { left: at, right: at };
                    change(axes[axis].get_or_insert(fresh));
                };
            set(a, &|handles| handles.right = left[1]);
            set(key, &|handles| (handles.left, handles.right) = (left[2], right[1]));
            set(b, &|handles| handles.left = right[2]);
            // The curve's own value, which the handles belong to.
            let value = match channel {
                Channel::Pos => &mut key.pos,
                Channel::Rot => &mut key.rot,
                Channel::Scl => &mut key.scl,
            };
            if let Some(value) = value {
                value[axis] = left[3].y;
            }
        }
    }
}
