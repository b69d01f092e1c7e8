//! Edits of what keyframes hold: numbers, rotations, interpolation, handles.

use super::super::clip::set_components;
use super::super::owners::Picked;
use super::super::words::{count, tidy};
use super::super::{Applied, EditError};
use super::draft::Draft;
use super::{NewHandles, TakeEdit};
use crate::model::Uid;
use crate::model::take::{Angles, Channel, Handles, Interp, Keyframe, unit_quat};
use glam::{DQuat, DVec2, DVec3};
use std::collections::HashMap;

/// What is said where handles had to go.
pub(super) const DROPPED: &str =
    "Handles of rot were dropped where they no longer fit the new angles";

pub(super) fn apply(mut draft: Draft, edit: &TakeEdit) -> Result<Applied, EditError> {
    match edit {
        TakeEdit::OffsetValues { keys, channel, delta } => {
            let delta = *delta;
            let change = move |old: DVec3| {
                let sum = old + delta;
                let sum = DVec3::new(tidy(sum.x), tidy(sum.y), tidy(sum.z));
                // What is not offset keeps its very value.
                DVec3::select(delta.cmpeq(DVec3::ZERO), old, sum)
            };
            let changed = change_values(&mut draft, keys, *channel, &|_, old| change(old))?;
            draft.finish(format!("Change {}", count(changed, "key")))
        }
        TakeEdit::SetValues { keys, channel } => {
            let uids: Vec<Uid> = keys.iter().map(|(uid, _)| *uid).collect();
            let values: HashMap<Uid, [Option<f64>; 3]> = keys.iter().copied().collect();
            let change = |uid: Uid, mut old: DVec3| {
                if let Some(value) = values.get(&uid) {
                    set_components(&mut old, value);
                }
                old
            };
            let changed = change_values(&mut draft, &uids, *channel, &change)?;
            draft.finish(format!("Set the value of {}", count(changed, "key")))
        }
        TakeEdit::SetRotations { keys } => {
            let uids: Vec<Uid> = keys.iter().map(|(uid, _)| *uid).collect();
            let turns: HashMap<Uid, DQuat> = keys.iter().copied().collect();
            let angles = draft.angles;
            let mut dropped = false;
            for Picked { row: peg, keys } in draft.pick(&uids)? {
                let peg = draft.peg(peg);
                for at in keys {
                    let key = &mut peg.keyframes[at];
                    if let Some(turn) = turns.get(&key.uid) {
                        dropped |= set_rotation(key, *turn, angles);
                    }
                }
            }
            if dropped {
                draft.note(DROPPED);
            }
            draft.finish(format!("Rotate {}", count(uids.len(), "key")))
        }
        TakeEdit::SetInterp { keys, interp } => {
            if *interp == Interp::Unknown {
                return Err(EditError::new("interp is BEZIER, LINEAR or CONSTANT"));
            }
            for Picked { row: peg, keys } in draft.pick(keys)? {
                let peg = draft.peg(peg);
                for at in keys {
                    peg.keyframes[at].interp = Some(*interp);
                }
            }
            draft.finish(format!("Set {} on {}", interp.as_str(), count(keys.len(), "key")))
        }
        TakeEdit::SetHandles { handles } => {
            if handles.iter().any(|new| new.axis > 2) {
                return Err(EditError::new("An axis is x, y or z"));
            }
            let mut by_key: HashMap<Uid, Vec<&NewHandles>> = HashMap::new();
            for new in handles {
                by_key.entry(new.key).or_default().push(new);
            }
            let uids: Vec<Uid> = by_key.keys().copied().collect();
            for Picked { row: peg, keys } in draft.pick(&uids)? {
                let peg = draft.peg(peg);
                for at in keys {
                    let key = &mut peg.keyframes[at];
                    for new in by_key.get(&key.uid).into_iter().flatten() {
                        let all = key.handles.get_or_insert_default();
                        let axes = all.channel_mut(new.channel).get_or_insert_default();
                        axes[new.axis] = new.handles;
                    }
                    tidy_handles(key);
                }
            }
            draft.finish("Change handles")
        }
        // The edits in time come first, and hand on only what stands above.
        _ => Err(EditError::new("This change is none of values")),
    }
}

/// Changes numbers of keys with their handles; gives how many keys.
fn change_values(
    draft: &mut Draft,
    keys: &[Uid],
    channel: Channel,
    change: &dyn Fn(Uid, DVec3) -> DVec3,
) -> Result<usize, EditError> {
    let angles = draft.angles;
    let mut changed = 0;
    for Picked { row: peg, keys } in draft.pick(keys)? {
        let rest = match channel {
            Channel::Scl => DVec3::ONE,
            _ => DVec3::ZERO,
        };
        let peg = draft.peg(peg);
        changed += keys.len();
        for at in keys {
            let key = &mut peg.keyframes[at];
            if channel != Channel::Rot {
                let old = key.channel(channel).unwrap_or(rest);
                let new = change(key.uid, old);
                if key.channel(channel).is_none_or(|_| new != old) {
                    move_value(key, channel, new);
                }
                continue;
            }
            // Without angles of its own the key has those of its quaternion, nearest to zero.
            let own = key.rot.filter(|rot| rot.is_finite());
            let old = own.or_else(|| Some(angles.rot_of(key.quat()?, DVec3::ZERO)));
            let old = old.unwrap_or_default();
            let new = change(key.uid, old);
            if new == old {
                continue;
            }
            let Some(turn) = angles.quat(new) else {
                return Err(EditError::new(
                    "The rotations of this file are quaternions: `rot` does not count",
                ));
            };
            if key.rot.is_some() || key.rot_quat.is_none() {
                move_value(key, Channel::Rot, new);
            }
            // On the side of the quaternion before (A3).
            let turn = match key.rot_quat.and_then(unit_quat) {
                Some(old) if old.dot(turn) < 0.0 => -turn,
                _ => turn,
            };
            set_quat(key, turn);
        }
    }
    Ok(changed)
}

/// Sets a channel; its handles go along.
pub(super) fn move_value(key: &mut Keyframe, channel: Channel, value: DVec3) {
    let slot = match channel {
        Channel::Pos => &mut key.pos,
        Channel::Rot => &mut key.rot,
        Channel::Scl => &mut key.scl,
    };
    let by = slot.map(|old| value - old);
    *slot = Some(value);
    let (Some(by), Some(handles)) = (by, &mut key.handles) else { return };
    for (axis, by) in handles.channel_mut(channel).iter_mut().flatten().zip(by.to_array()) {
        if let Some(axis) = axis
            && by != 0.0
        {
            axis.left.y = tidy(axis.left.y + by);
            axis.right.y = tidy(axis.right.y + by);
        }
    }
}

/// Sets those of `rot` and `rot_quat` that the key has (A60). Gives whether handles of `rot` were
/// dropped, because the same turn is now written with quite other angles.
pub(super) fn set_rotation(key: &mut Keyframe, turn: DQuat, angles: Angles) -> bool {
    const OTHER_WAY_DEG: f64 = 90.0;
    // What is written is what was given; what it means is its direction (A2).
    let (given, turn) = (turn, turn.normalize());
    let mut dropped = false;
    if let Some(old) = key.rot {
        let near = if old.is_finite() { old } else { DVec3::ZERO };
        let new = angles.rot_of(turn, near);
        let same = angles.quat(near).is_some_and(|q| same_turn(q, turn));
        if !same {
            move_value(key, Channel::Rot, new);
            let far = angles.degrees(new - near).abs().max_element() > OTHER_WAY_DEG;
            if far
                && let Some(handles) = &mut key.handles
                && handles.rot.take().is_some()
            {
                dropped = true;
                tidy_handles(key);
            }
        }
    }
    if key.rot.is_none() || key.rot_quat.is_some() {
        set_quat(key, given);
    }
    dropped
}

fn same_turn(a: DQuat, b: DQuat) -> bool {
    a.dot(b).abs() > 1.0 - 1e-15
}

/// Sets `rot_quat` where the key has one or has nothing else.
fn set_quat(key: &mut Keyframe, turn: DQuat) {
    if key.rot_quat.is_none() && key.rot.is_some() {
        return;
    }
    key.rot_quat = Some([turn.w, turn.x, turn.y, turn.z]);
}

/// Moves all handles of a key.
pub(super) fn shift_handles(key: &mut Keyframe, by: DVec2) {
    let Some(handles) = &mut key.handles else { return };
    for channel in Channel::ALL {
        for axis in handles.channel_mut(channel).iter_mut().flatten().flatten() {
            for point in [&mut axis.left, &mut axis.right] {
                *point = DVec2::new(tidy(point.x + by.x), tidy(point.y + by.y));
            }
        }
    }
}

/// Channels whose axes have no handles have none; a key without any has no list of them.
fn tidy_handles(key: &mut Keyframe) {
    let Some(handles) = &mut key.handles else { return };
    for channel in Channel::ALL {
        let axes = handles.channel_mut(channel);
        if axes.is_some_and(|axes| axes.iter().all(Option::is_none)) {
            *axes = None;
        }
    }
    if **handles == Handles::default() {
        key.handles = None;
    }
}
