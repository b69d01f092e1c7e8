//! The limits of the formats on values that are edited (M12), with the sentences of the format's
//! own table (M4). Reading has the same rules with places; every edit is judged here.
//!
//! Drafts pass: no tracks, no nodes, no binding, a track without a part.

use super::limits::{MAX_DEPTH, MAX_DURATION_SECS, MAX_KEYS, MAX_NODES, MAX_TRACKS, MAX_VALUE};
use super::{Clip, ClipForm, ClipKind, Node, NodeKind, Property, Rig, RigForm, Track, messages};
use glam::DVec3;
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

/// The sentence of the limit that is broken.
pub type Broken = Cow<'static, str>;

/// A node of a scene that is no entity would not be read again (M9).
pub const SCENE_KIND: &str = "A scene's nodes are entities: only a .rig has joints and attachments";
/// A scene's entities have no display names (M9).
pub const SCENE_NAME: &str = "A scene's nodes have no display names: they show their ids";

fn in_range(value: DVec3) -> bool {
    value.to_array().iter().all(|x| x.abs() <= MAX_VALUE)
}

/// Judges one track, with times in seconds against the clip's length: curve, number of keys, and
/// of each key time, scale above 0 and range.
///
/// # Errors
/// The first limit that is broken, in the order of strict loading (M3).
pub fn track(track: &Track, duration_secs: f64) -> Result<(), Broken> {
    if track.curve.is_some_and(|c| c.iter().any(|x| !(0.0..=1.0).contains(x))) {
        return Err(messages::CURVE.into());
    }
    if track.keys.is_empty() || track.keys.len() > MAX_KEYS {
        return Err(messages::KEY_COUNT.into());
    }
    let mut last = f64::NEG_INFINITY;
    for key in &track.keys {
        // Written so that a NaN fails.
        if !(key.time > last && key.time >= 0.0 && key.time <= duration_secs) {
            return Err(messages::KEY_TIMES.into());
        }
        last = key.time;
        if track.property == Property::Scale && key.value.to_array().iter().any(|x| *x <= 0.0) {
            return Err(messages::ANIMATED_SCALE.into());
        }
        if !in_range(key.value) {
            return Err(messages::VALUE_RANGE.into());
        }
    }
    Ok(())
}

fn clip_head(clip: &Clip) -> Result<(), Broken> {
    if clip.model.is_empty()
        || !(clip.duration_secs > 0.0 && clip.duration_secs <= MAX_DURATION_SECS)
    {
        return Err(messages::MODEL_AND_DURATION.into());
    }
    if clip.kind == ClipKind::Model && (clip.binding.is_some() || clip.form == ClipForm::Bare) {
        return Err(messages::BINDING_MISMATCH.into());
    }
    if clip.tracks.len() > MAX_TRACKS {
        return Err(messages::TRACK_COUNT.into());
    }
    Ok(())
}

fn same_target(a: &Track, b: &Track) -> bool {
    a.property == b.property && a.part == b.part && !a.part.is_empty()
}

/// Judges a whole clip.
///
/// # Errors
/// The first limit that is broken.
pub fn clip(clip: &Clip) -> Result<(), Broken> {
    clip_head(clip)?;
    for (at, one) in clip.tracks.iter().enumerate() {
        if clip.tracks[..at].iter().any(|other| same_target(one, other)) {
            return Err(messages::DUPLICATE_TRACK.into());
        }
        track(one, clip.duration_secs)?;
    }
    Ok(())
}

/// Judges what an edit made of a clip that was in order: only tracks that are other values than
/// before are looked into.
///
/// # Errors
/// The first limit that is broken.
pub fn clip_change(before: &Clip, after: &Clip) -> Result<(), Broken> {
    clip_head(after)?;
    for (at, one) in after.tracks.iter().enumerate() {
        if shared(one, at, &before.tracks) {
            let last = one.keys.last().map_or(0.0, |k| k.time);
            if last > after.duration_secs {
                return Err(messages::KEY_TIMES.into());
            }
            continue;
        }
        let others = after.tracks.iter().enumerate().filter(|(other, _)| *other != at);
        if others.map(|(_, other)| other).any(|other| same_target(one, other)) {
            return Err(messages::DUPLICATE_TRACK.into());
        }
        track(one, after.duration_secs)?;
    }
    Ok(())
}

/// Whether a list holds this very value; looked for at its own place first.
pub(crate) fn shared<T>(value: &Arc<T>, at: usize, list: &[Arc<T>]) -> bool {
    list.get(at).is_some_and(|other| Arc::ptr_eq(value, other))
        || list.iter().any(|other| Arc::ptr_eq(value, other))
}

/// Judges one node: id, scale above 0, range. A scene's node is an entity without a name (M9).
///
/// # Errors
/// The first limit that is broken.
pub fn node(node: &Node, form: RigForm) -> Result<(), Broken> {
    if node.id.is_empty() || node.id.contains(['/', ':']) {
        return Err(messages::NODE_ID.into());
    }
    if form == RigForm::Scene && node.kind != NodeKind::Entity {
        return Err(SCENE_KIND.into());
    }
    if form == RigForm::Scene && node.name.is_some() {
        return Err(SCENE_NAME.into());
    }
    if node.scale.to_array().iter().any(|x| *x <= 0.0) {
        return Err(messages::NODE_SCALE.into());
    }
    if ![node.position, node.rotation, node.scale].into_iter().all(in_range) {
        return Err(messages::VALUE_RANGE.into());
    }
    Ok(())
}

/// Judges a whole rig: name, number of nodes, each node, then ids, parents, loops and depth.
///
/// # Errors
/// The first limit that is broken.
pub fn rig(rig: &Rig) -> Result<(), Broken> {
    rig_where(rig, |_, _| true)
}

/// Judges what an edit made of a rig that was in order: only nodes that are other values than
/// before are looked into; the hierarchy is judged whole.
///
/// # Errors
/// The first limit that is broken.
pub fn rig_change(before: &Rig, after: &Rig) -> Result<(), Broken> {
    rig_where(after, |at, node| !shared(node, at, &before.nodes))
}

fn rig_where(rig: &Rig, changed: impl Fn(usize, &Arc<Node>) -> bool) -> Result<(), Broken> {
    if rig.name.is_empty() && rig.form == RigForm::Rig {
        return Err(messages::RIG_NAME.into());
    }
    if rig.nodes.len() > MAX_NODES {
        return Err(messages::NODE_COUNT.into());
    }
    for (at, one) in rig.nodes.iter().enumerate() {
        if changed(at, one) {
            node(one, rig.form)?;
        }
    }
    hierarchy(&rig.nodes)
}

fn hierarchy(nodes: &[Arc<Node>]) -> Result<(), Broken> {
    let mut by_id: HashMap<&str, usize> = HashMap::with_capacity(nodes.len());
    for (at, node) in nodes.iter().enumerate() {
        if by_id.insert(&node.id, at).is_some() {
            return Err(messages::duplicate_part(&node.id).into());
        }
    }
    let mut parents = Vec::with_capacity(nodes.len());
    for node in nodes {
        let parent = match node.parent.as_deref() {
            None => None,
            Some(id) => match by_id.get(id) {
                Some(at) => Some(*at),
                None => return Err(messages::missing_parent(id).into()),
            },
        };
        parents.push(parent);
    }
    // Levels of nodes whose way to a root is known; a root is level 1.
    let mut levels = vec![0_usize; nodes.len()];
    let mut too_deep = false;
    for start in 0..nodes.len() {
        let mut way = Vec::new();
        let mut at = Some(start);
        while let Some(i) = at.filter(|i| levels[*i] == 0) {
            if way.len() > nodes.len() {
                return Err(messages::CYCLE.into());
            }
            way.push(i);
            at = parents[i];
        }
        let mut level = at.map_or(0, |i| levels[i]);
        for i in way.into_iter().rev() {
            level += 1;
            levels[i] = level;
        }
        too_deep |= level > MAX_DEPTH;
    }
    if too_deep { Err(messages::DEPTH.into()) } else { Ok(()) }
}
