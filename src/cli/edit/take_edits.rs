//! What the operations of `posewright edit` mean as edits of an exported animation.

use super::edits::{borrowed, components, number, place_of, vector, words};
use crate::edit::TakeEdit;
use crate::format::script::Operation;
use crate::model::take::{Channel, Interp, Keyframe, Take, unit_quat};

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

/// A field that the key has not is added as text.
fn set(key: &Keyframe, (field, at): (&str, Option<usize>), value: &str) -> Option<TakeEdit> {
    let channel = Channel::ALL.into_iter().find(|channel| channel.as_str() == field);
    if let Some(channel) = channel {
        key.channel(channel)?;
        let keys = vec![(key.uid, components(value, at)?)];
        return Some(TakeEdit::SetValues { keys, channel });
    }
    Some(match (field, at) {
        ("frame", None) => TakeEdit::SetFrames { keys: vec![(key.uid, number(value)?)] },
        ("rot_quat", at) => {
            let mut quat = key.rot_quat?;
            match at {
                None => quat = vector(value)?,
                Some(at) => *quat.get_mut(at)? = number(value)?,
            }
            // What is no rotation is for the checks to judge, not to be made one.
            let length = quat.iter().map(|c| c * c).sum::<f64>().sqrt();
            let turn = unit_quat(quat).filter(|_| (length - 1.0).abs() < 1e-6)?;
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
