//! What changing a pose value means: a key at the playhead in Animate, the rest in Rig.

use super::cx::Cx;
use super::nodes;
use super::state::WorkspaceTab;
use crate::edit::{ClipEdit, DocId, Edit, NewKey, RestEdit, RigEdit};
use crate::math::{continuous_euler, euler_from_quat};
use crate::model::{Key, Property, Track};
use crate::sample::TrackValue;
use glam::DVec3;
use std::sync::Arc;

/// Keys nearer to the playhead than this stand on it, in seconds.
const HERE_SECS: f64 = 5e-7;

/// What a changed value is written to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Target {
    /// Keys of this clip, at the playhead.
    Keys(DocId),
    /// The rest of this rig.
    Rest(DocId),
}

/// What changing a value in the viewport or in a pose field writes; `None` where there is nothing.
pub fn target(cx: &Cx<'_>) -> Option<Target> {
    // The pegs of an export are looked at.
    if cx.export().is_some() {
        return None;
    }
    match (cx.tab(), cx.clip(), cx.rig()) {
        (WorkspaceTab::Animate, Some((clip, _)), _) => Some(Target::Keys(clip)),
        (_, _, Some((rig, _))) => Some(Target::Rest(rig)),
        (_, _, None) => None,
    }
}

/// The badge that names the target.
pub fn badge(cx: &Cx<'_>) -> String {
    match target(cx) {
        Some(Target::Keys(_)) => format!("Keys at {}", cx.show_time(cx.playhead_secs())),
        Some(Target::Rest(_)) => "Rest".to_owned(),
        None => "Nothing to change".to_owned(),
    }
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// There is a key at the playhead.
    Keyed,
    /// A track animates it, without a key here.
    Animated,
    /// No track: the rest.
    AtRest,
}

/// The track of a node's property in the clip.
pub fn track<'a>(cx: &Cx<'a>, index: usize, property: Property) -> Option<&'a Arc<Track>> {
    let part = cx.stage.names().get(index)?;
    let (_, clip) = cx.clip()?;
    clip.tracks.iter().find(|track| track.property == property && track.part == *part)
}

/// The key of a track at the playhead.
pub fn key_here<'a>(cx: &Cx<'_>, track: &'a Track) -> Option<&'a Key> {
    let now = cx.playhead_secs();
    track.keys.iter().find(|key| (key.time - now).abs() < HERE_SECS)
}

/// Where a node's value comes from.
pub fn mark(cx: &Cx<'_>, index: usize, property: Property) -> Mark {
    match track(cx, index, property) {
        None => Mark::AtRest,
        Some(track) if key_here(cx, track).is_some() => Mark::Keyed,
        Some(_) => Mark::Animated,
    }
}

/// A node's rest value: metres, Euler angles in radians, or factors.
pub fn rest(cx: &Cx<'_>, index: usize, property: Property) -> DVec3 {
    match (nodes::node(cx, index), property) {
        (Some(node), Property::Position) => node.position,
        (Some(node), Property::Rotation) => node.rotation,
        (Some(node), Property::Scale) => node.scale,
        (None, Property::Scale) => DVec3::ONE,
        (None, _) => DVec3::ZERO,
    }
}

/// The value that a node's field shows: sampled at the playhead, or the rest.
pub fn value(cx: &Cx<'_>, index: usize, property: Property) -> DVec3 {
    if !matches!(target(cx), Some(Target::Keys(_))) {
        return rest(cx, index, property);
    }
    let Some(local) = cx.stage.local.get(index) else { return rest(cx, index, property) };
    match property {
        Property::Position => local.position,
        Property::Scale => local.scale,
        Property::Rotation => {
            let Some(track) = track(cx, index, property) else {
                return rest(cx, index, property);
            };
            if let Some(key) = key_here(cx, track) {
                return key.value;
            }
            let name = cx.stage.names().get(index).map(String::as_str).unwrap_or_default();
            let sampled = cx.stage.clip.as_ref();
            match sampled.and_then(|clip| clip.value(name, property, cx.playhead_secs())) {
                Some(TrackValue::Vector(angles)) => angles,
                Some(TrackValue::Rotation(turn)) => {
                    // As the track writes its angles, so that whole turns are kept.
                    let before = track.keys.iter().rev().find(|k| k.time <= cx.playhead_secs());
                    let near = before.or(track.keys.first()).map_or(DVec3::ZERO, |key| key.value);
                    continuous_euler(euler_from_quat(turn), near)
                }
                None => rest(cx, index, property),
            }
        }
    }
}

/// A new value for a node's property.
#[derive(Clone, Copy, Debug)]
pub struct Change {
    /// The node's place on the stage.
    pub index: usize,
    /// Which property.
    pub property: Property,
    /// What it is now: metres, radians or factors.
    pub old: DVec3,
    /// What it shall be.
    pub new: DVec3,
}

/// The edit that makes these changes, as one step; `None` where there is nothing to change.
pub fn edit(cx: &Cx<'_>, changes: &[Change]) -> Option<Edit> {
    edit_of(cx, target(cx)?, changes)
}

/// As [`edit`], for a target that is named.
pub fn edit_of(cx: &Cx<'_>, target: Target, changes: &[Change]) -> Option<Edit> {
    if changes.is_empty() {
        return None;
    }
    match target {
        Target::Keys(doc) => {
            let time = cx.playhead_secs();
            let key = |change: &Change| {
                let part = cx.stage.names().get(change.index)?.clone();
                Some(NewKey { part, property: change.property, time, value: change.new })
            };
            let keys: Vec<NewKey> = changes.iter().filter_map(key).collect();
            (!keys.is_empty()).then_some(Edit::Clip { doc, edit: ClipEdit::InsertKeys { keys } })
        }
        Target::Rest(doc) => {
            let rest = |change: &Change| {
                let uid = cx.workspace().rig(doc)?.nodes.get(change.index)?.uid;
                let (old, new) = (change.old.to_array(), change.new.to_array());
                let value = std::array::from_fn(|i| (old[i] != new[i]).then_some(new[i]));
                let mut rest = RestEdit::default();
                match change.property {
                    Property::Position => rest.position = value,
                    Property::Rotation => rest.rotation = value,
                    Property::Scale => rest.scale = value,
                }
                Some((uid, rest))
            };
            let nodes: Vec<_> = changes.iter().filter_map(rest).collect();
            (!nodes.is_empty()).then_some(Edit::Rig { doc, edit: RigEdit::SetRest { nodes } })
        }
    }
}

/// A value that a hand has set, without digits that no hand could mean; what did not change keeps
/// its very digits.
pub fn settled(old: DVec3, new: DVec3) -> DVec3 {
    let settle = |old: f64, new: f64| {
        if (old - new).abs() < 1e-9 { old } else { (new * 1e6).round() / 1e6 + 0.0 }
    };
    DVec3::new(settle(old.x, new.x), settle(old.y, new.y), settle(old.z, new.z))
}
