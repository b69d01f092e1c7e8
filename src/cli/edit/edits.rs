//! What the operations of `posewright edit` mean as edits of the window.

use crate::edit::{ClipEdit, Content, DocId, Edit, Keep, KeyTime, RestEdit, RigEdit, Workspace};
use crate::format::script::{Operation, is_one_line_value, numbers_of, text_value};
use crate::model::{Clip, Interpolation, Node, NodeKind, Rig, RigForm, Track, Uid};
use crate::source::{Step, parse_path};
use std::collections::HashSet;

/// The edit that an operation on a document means. `None` where no edit does that: the path is that
/// of an unknown field or of nothing, the value is none for its field, or what comes out is for a
/// later operation to put right, as a copied key is until it has a time of its own.
pub(super) fn edit_of(workspace: &Workspace, doc: DocId, operation: &Operation) -> Option<Edit> {
    let mut edits: Vec<Edit> = match workspace.content(doc)? {
        Content::Clip(clip) => {
            let edits = clip_edits(clip, operation)?;
            edits.into_iter().map(|edit| Edit::Clip { doc, edit }).collect()
        }
        Content::Rig(rig) => vec![Edit::Rig { doc, edit: rig_edit(rig, operation)? }],
        Content::Take(take) => {
            let edit = super::take_edits::take_edit(take, operation)?;
            vec![Edit::Take { doc, edit }]
        }
        Content::Skeleton(_) | Content::Text(_) => return None,
    };
    match edits.len() {
        0 => None,
        1 => edits.pop(),
        _ => Some(Edit::All { label: String::new(), edits }),
    }
}

/// A path as keys, each with the index behind it: `tracks[0].keys[3].time` is `tracks` 0, `keys` 3,
/// `time`. `None` for two indices behind one another, which no known field has.
pub(super) fn place_of(path: &str) -> Option<Vec<(String, Option<usize>)>> {
    let mut place: Vec<(String, Option<usize>)> = Vec::new();
    for step in parse_path(path)? {
        match step {
            Step::Key(key) => place.push((key, None)),
            Step::Index(index) => {
                let last = place.last_mut().filter(|(_, at)| at.is_none())?;
                last.1 = Some(index);
            }
        }
    }
    Some(place)
}

/// As [`place_of`], to be matched.
pub(super) fn borrowed(place: &[(String, Option<usize>)]) -> Vec<(&str, Option<usize>)> {
    place.iter().map(|(key, index)| (key.as_str(), *index)).collect()
}

fn clip_edits(clip: &Clip, operation: &Operation) -> Option<Vec<ClipEdit>> {
    let edit = match operation {
        Operation::Set { path, value } => set_in_clip(clip, &borrowed(&place_of(path)?), value)?,
        Operation::Delete { path } => match borrowed(&place_of(path)?)[..] {
            [("tracks", Some(track))] => {
                ClipEdit::RemoveTracks { tracks: vec![clip.tracks.get(track)?.uid] }
            }
            [("tracks", Some(track)), ("keys", Some(key))] => {
                ClipEdit::DeleteKeys { keys: vec![key_at(clip, track, key)?] }
            }
            [("tracks", Some(track)), ("curve", None)] => {
                let track = clip.tracks.get(track).filter(|track| track.curve.is_some())?;
                ClipEdit::SetCurve { tracks: vec![track.uid], curve: None }
            }
            [("binding", None)] if clip.binding.is_some() => ClipEdit::SetBinding { binding: None },
            _ => return None,
        },
        Operation::Move { path, index } => match borrowed(&place_of(path)?)[..] {
            [("tracks", Some(track))] if *index < clip.tracks.len() => {
                ClipEdit::MoveTrack { track: clip.tracks.get(track)?.uid, index: *index }
            }
            _ => return None,
        },
        // A copy stands at the time of its key, or animates what its track animates, until it is
        // given another.
        Operation::Duplicate { .. } => return None,
        Operation::RenameNode { old, new } => {
            let of_part = clip.tracks.iter().filter(|track| track.part == *old);
            let retarget = |track: Uid| ClipEdit::RetargetTrack { track, part: new.clone() };
            return Some(of_part.map(|track| retarget(track.uid)).collect());
        }
    };
    Some(vec![edit])
}

fn key_at(clip: &Clip, track: usize, key: usize) -> Option<Uid> {
    Some(clip.tracks.get(track)?.keys.get(key)?.uid)
}

fn set_in_clip(clip: &Clip, place: &[(&str, Option<usize>)], value: &str) -> Option<ClipEdit> {
    Some(match *place {
        [("duration", None)] => ClipEdit::SetDuration { secs: number(value)?, scale_keys: false },
        [("loop", None)] => ClipEdit::SetLoop { looping: flag(value)? },
        [("model", None)] => ClipEdit::SetModel { model: words(value)? },
        [("binding", None)] if clip.kind == crate::model::ClipKind::Rig => {
            ClipEdit::SetBinding { binding: words(value) }
        }
        [("tracks", Some(track)), (field, at)] => {
            set_in_track(clip.tracks.get(track)?, (field, at), value)?
        }
        [("tracks", Some(track)), ("keys", Some(key)), ("time", None)] => {
            let key = key_at(clip, track, key)?;
            ClipEdit::SetKeyTimes { keys: vec![KeyTime { key, time: number(value)? }] }
        }
        [("tracks", Some(track)), ("keys", Some(key)), ("value", at)] => {
            let key = key_at(clip, track, key)?;
            ClipEdit::SetKeyValues { keys: vec![(key, components(value, at)?)] }
        }
        _ => return None,
    })
}

fn set_in_track(track: &Track, field: (&str, Option<usize>), value: &str) -> Option<ClipEdit> {
    let tracks = vec![track.uid];
    Some(match field {
        ("part", None) => ClipEdit::RetargetTrack { track: track.uid, part: words(value)? },
        ("interpolation", None) => {
            let interpolation = Interpolation::from_word(&words(value)?)?;
            ClipEdit::SetInterpolation { tracks, interpolation }
        }
        ("curve", None) => ClipEdit::SetCurve { tracks, curve: Some(vector(value)?) },
        ("curve", Some(at)) => {
            let mut curve = track.curve?;
            *curve.get_mut(at)? = number(value)?;
            ClipEdit::SetCurve { tracks, curve: Some(curve) }
        }
        _ => return None,
    })
}

fn rig_edit(rig: &Rig, operation: &Operation) -> Option<RigEdit> {
    Some(match operation {
        Operation::Set { path, value } => match borrowed(&place_of(path)?)[..] {
            [("name", None)] if rig.form == RigForm::Rig => {
                RigEdit::SetName { name: words(value)? }
            }
            [("animation_name", None)] if rig.form == RigForm::Scene => {
                RigEdit::SetName { name: words(value)? }
            }
            [list, field] => set_in_node(rig, node_at(rig, list)?, field, value)?,
            _ => return None,
        },
        Operation::Delete { path } => match borrowed(&place_of(path)?)[..] {
            [list] => {
                let nodes = vec![node_at(rig, list)?.uid];
                RigEdit::DeleteNodes { nodes, with_children: true }
            }
            [list, (field, None)] => without(rig, node_at(rig, list)?, field)?,
            _ => return None,
        },
        Operation::Duplicate { path } => match borrowed(&place_of(path)?)[..] {
            [list] => RigEdit::DuplicateSubtrees { nodes: vec![node_at(rig, list)?.uid] },
            _ => return None,
        },
        Operation::Move { path, index } => match borrowed(&place_of(path)?)[..] {
            // Among entities of other kinds an index means more than the order of nodes.
            [list] if *index < rig.nodes.len() && is_all_nodes(rig) => {
                RigEdit::MoveNode { node: node_at(rig, list)?.uid, index: *index }
            }
            _ => return None,
        },
        Operation::RenameNode { old, new } => {
            RigEdit::Rename { node: by_id(rig, old)?.uid, id: new.clone() }
        }
    })
}

fn by_id<'r>(rig: &'r Rig, id: &str) -> Option<&'r Node> {
    rig.nodes.iter().map(|node| &**node).find(|node| node.id == id)
}

/// The node at a place of the file's list. A scene's list has other entities too (M9).
fn node_at<'r>(rig: &'r Rig, list: (&str, Option<usize>)) -> Option<&'r Node> {
    match (rig.form, list) {
        (RigForm::Rig, ("nodes", Some(index))) => rig.nodes.get(index).map(|node| &**node),
        (RigForm::Scene, ("entities", Some(index))) => {
            let is_node = items_that_are_nodes(rig)?;
            let before = is_node.get(..index)?.iter().filter(|is| **is).count();
            is_node.get(index)?.then(|| rig.nodes.get(before).map(|node| &**node))?
        }
        _ => None,
    }
}

/// For each item of a scene's list whether it is a node.
fn items_that_are_nodes(rig: &Rig) -> Option<Vec<bool>> {
    let source = &rig.origin.as_ref()?.source;
    let list = source.get(source.root(), "entities")?;
    let origins = rig.nodes.iter().filter_map(|node| node.origin.as_ref());
    let nodes: HashSet<_> = origins.map(|origin| origin.node).collect();
    let items = source.items(source.resolve(list));
    Some(items.map(|item| nodes.contains(&source.resolve(item))).collect())
}

fn is_all_nodes(rig: &Rig) -> bool {
    rig.form == RigForm::Rig
        || items_that_are_nodes(rig).is_some_and(|items| items.into_iter().all(|is| is))
}

fn set_in_node(
    rig: &Rig,
    node: &Node,
    field: (&str, Option<usize>),
    value: &str,
) -> Option<RigEdit> {
    let nodes = vec![node.uid];
    let node_rest = |rest| RigEdit::SetRest { nodes: vec![(node.uid, rest)] };
    Some(match field {
        ("id", None) => RigEdit::Rename { node: node.uid, id: words(value)? },
        ("kind", None) => RigEdit::SetKind { nodes, kind: NodeKind::from_word(&words(value)?)? },
        ("position", at) => {
            node_rest(RestEdit { position: components(value, at)?, ..RestEdit::default() })
        }
        ("rotation", at) => {
            node_rest(RestEdit { rotation: components(value, at)?, ..RestEdit::default() })
        }
        ("scale", at) => {
            node_rest(RestEdit { scale: components(value, at)?, ..RestEdit::default() })
        }
        ("name", None) if rig.form == RigForm::Rig => {
            RigEdit::SetDisplayName { node: node.uid, name: words(value) }
        }
        ("model", None) => RigEdit::SetModel { nodes, model: words(value) },
        ("parent", None) => {
            let parent = match words(value) {
                Some(id) => Some(by_id(rig, &id)?.uid),
                None => None,
            };
            // The field alone: no rest value is touched.
            RigEdit::Reparent { nodes, parent, keep: Keep::Local }
        }
        _ => return None,
    })
}

/// Takes a field away that a node need not have. Rest values have defaults, which no edit leaves
/// unwritten.
fn without(rig: &Rig, node: &Node, field: &str) -> Option<RigEdit> {
    let nodes = vec![node.uid];
    Some(match field {
        "parent" if node.parent.is_some() => {
            RigEdit::Reparent { nodes, parent: None, keep: Keep::Local }
        }
        "model" if node.model.is_some() => RigEdit::SetModel { nodes, model: None },
        "name" if node.name.is_some() && rig.form == RigForm::Rig => {
            RigEdit::SetDisplayName { node: node.uid, name: None }
        }
        _ => return None,
    })
}

/// The text that a value is; none for null and for none at all.
pub(super) fn words(value: &str) -> Option<String> {
    text_value(value.trim()).filter(|words| !words.is_empty())
}

fn flag(value: &str) -> Option<bool> {
    match value.trim() {
        "true" | "True" | "TRUE" => Some(true),
        "false" | "False" | "FALSE" => Some(false),
        _ => None,
    }
}

pub(super) fn number(value: &str) -> Option<f64> {
    match numbers_of(value).filter(|_| is_one_line_value(value))? {
        (numbers, false) => numbers.first().copied(),
        _ => None,
    }
}

pub(super) fn vector<const N: usize>(value: &str) -> Option<[f64; N]> {
    match numbers_of(value).filter(|_| is_one_line_value(value))? {
        (numbers, true) => numbers.try_into().ok(),
        _ => None,
    }
}

/// The components of a vector that a value sets: all of them, or with an index that one.
pub(super) fn components(value: &str, at: Option<usize>) -> Option<[Option<f64>; 3]> {
    match at {
        None => Some(vector::<3>(value)?.map(Some)),
        Some(at) => {
            let mut one = [None; 3];
            *one.get_mut(at)? = Some(number(value)?);
            Some(one)
        }
    }
}
