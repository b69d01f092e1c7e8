//! What the operations of `posewright edit` mean as edits of an exported animation.

use super::edits::{borrowed, components, number, place_of, vector, words};
use crate::edit::TakeEdit;
use crate::format::script::Operation;
use crate::model::take::{Channel, Interp, Keyframe, Take, unit_quat};
use glam::DQuat;
use std::collections::HashMap;
use std::sync::Arc;

/// The edit of keys that an operation means; `None` where it is none, and text serves.
pub(super) fn take_edit(take: &Take, operation: &Operation) -> Option<TakeEdit> {
    let key_at = |peg: usize, key: usize| take.pegs.get(peg)?.keyframes.get(key);
    match operation {
        Operation::Set { path, value } => match borrowed(&place_of(path)?)[..] {
            [("pegs", Some(peg)), ("keyframes", Some(key)), field] => {
                set(key_at(peg, key)?, field, value)
            }
            _ => None,
        },
        Operation::Delete { path } => match borrowed(&place_of(path)?)[..] {
            [("pegs", Some(peg)), ("keyframes", Some(key))] => {
                Some(TakeEdit::DeleteKeys { keys: vec![key_at(peg, key)?.uid] })
            }
            _ => None,
        },
        Operation::Duplicate { .. } | Operation::Move { .. } | Operation::RenameNode { .. } => None,
    }
}

/// Says it where handles went along with their keys (A60).
pub(super) fn moved_handles(before: &Take, after: &Take) -> Option<String> {
    let mut old = HashMap::new();
    for (at, peg) in before.pegs.iter().enumerate() {
        if after.pegs.get(at).is_none_or(|now| !Arc::ptr_eq(peg, now)) {
            old.extend(peg.keyframes.iter().map(|key| (key.uid, &key.handles)));
        }
    }
    let keys = after.pegs.iter().flat_map(|peg| &peg.keyframes);
    let moved = keys.filter(|key| {
        let old = old.get(&key.uid).and_then(|old| old.as_ref());
        key.handles.as_ref().zip(old).is_some_and(|(new, old)| new != old)
    });
    match moved.count() {
        0 => None,
        1 => Some("The handles of the key were moved along with it".to_owned()),
        many => Some(format!("The handles of {many} keys were moved along with them")),
    }
}

/// A field that the key has not is added as text.
fn set(key: &Keyframe, (field, at): (&str, Option<usize>), value: &str) -> Option<TakeEdit> {
    let channel = Channel::ALL.into_iter().find(|channel| channel.as_str() == field);
    if let Some(channel) = channel {
        // Angles of a key that has a quaternion alone turn that.
        if key.channel(channel).is_none() && (channel != Channel::Rot || key.rot_quat.is_none()) {
            return None;
        }
        let keys = vec![(key.uid, components(value, at)?)];
        return Some(TakeEdit::SetValues { keys, channel });
    }
    Some(match (field, at) {
        ("frame", None) => TakeEdit::SetFrames { keys: vec![(key.uid, number(value)?)] },
        ("rot_quat", at) => {
            let quat = match at {
                None => vector(value)?,
                Some(at) => {
                    let mut quat = key.rot_quat?;
                    *quat.get_mut(at)? = number(value)?;
                    quat
                }
            };
            // What is no rotation is for the checks to judge, not to be made one (A2).
            let length = quat.iter().map(|c| c * c).sum::<f64>().sqrt();
            unit_quat(quat).filter(|_| (length - 1.0).abs() <= 1e-3)?;
            let [w, x, y, z] = quat;
            let turn = DQuat::from_xyzw(x, y, z, w);
            TakeEdit::SetRotations { keys: vec![(key.uid, turn)] }
        }
        ("interp", None) => {
            let interp = Interp::from_word(&words(value)?);
            if interp == Interp::Unknown {
                return None;
            }
            TakeEdit::SetInterp { keys: vec![key.uid], interp }
        }
        _ => return None,
    })
}
