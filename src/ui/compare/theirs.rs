//! Taking over what the other document has, as an ordinary edit.

use super::Made;
use crate::diff::{Change, Element, KeyChange, What};
use crate::edit::{ClipEdit, Content, DocId, Edit, Keep, RestEdit, RigEdit, TakeEdit};
use crate::model::take::{Keyframe, Peg, Take};
use crate::model::{Clip, Key, Rig, Track, Uid};
use glam::DVec3;
use std::sync::Arc;

/// Keys that are no further apart stand at one time.
const SAME_TIME: f64 = 1e-4;

/// Whether an element can be made as it is in the other document; `Err` says why not. Quick, for
/// every row of a list in every frame.
pub fn able(made: &Made, current: &Content, element: &Element) -> Result<(), &'static str> {
    match (&made.other, current) {
        (Content::Take(_), Content::Take(_)) => able_peg(element),
        (Content::Clip(_), Content::Clip(_)) if element.what == What::Track => Ok(()),
        (Content::Clip(_), Content::Clip(_)) => {
            Err("This belongs to the rig: open it to change it")
        }
        (Content::Rig(theirs), Content::Rig(own)) => {
            // A handful of fields: made and forgotten.
            node(theirs, own, DocId(0), element, String::new()).map(|_| ())
        }
        _ => Err("Of these two only poses can be compared"),
    }
}

fn able_peg(element: &Element) -> Result<(), &'static str> {
    if element.what != What::Peg {
        return Err("Only keys can be taken over: the rest is as it was exported");
    }
    if element.a.is_none() || element.b.is_none() {
        return Err("Pegs cannot be added or removed: they are as they were exported");
    }
    match element.changes.iter().any(|change| matches!(change, Change::Keys(_))) {
        true => Ok(()),
        false => Err("Only keys can be taken over: names and rests are as they were exported"),
    }
}

/// Makes an element as it is in the other document; `Err` says why that cannot be.
pub fn element(
    made: &Made,
    doc: DocId,
    current: &Content,
    element: &Element,
) -> Result<Edit, &'static str> {
    able(made, current, element)?;
    let label = format!("Take {} from the other", element.name);
    match (&made.other, current) {
        (Content::Take(theirs), Content::Take(own)) => peg(theirs, own, doc, element, label),
        (Content::Clip(theirs), Content::Clip(own)) => track(theirs, own, doc, element, label),
        (Content::Rig(theirs), Content::Rig(own)) => node(theirs, own, doc, element, label),
        _ => Err("Of these two only poses can be compared"),
    }
}

/// Makes one key as it is in the other document.
pub fn key(
    made: &Made,
    doc: DocId,
    current: &Content,
    element: &Element,
    change: &KeyChange,
) -> Option<Edit> {
    let label = format!("Take a key of {} from the other", element.name);
    let (a, b) = (change.a.map(|at| at as usize), change.b.map(|at| at as usize));
    match (&made.other, current) {
        (Content::Take(theirs), Content::Take(own)) => {
            let own_peg = own.pegs.get(element.b?)?;
            let own_key = b.and_then(|at| own_peg.keyframes.get(at));
            let their_peg = theirs.pegs.get(element.a?)?;
            let their_key = a.and_then(|at| their_peg.keyframes.get(at));
            let mut edits: Vec<Edit> = Vec::new();
            edits.extend(own_key.map(|key| delete(doc, vec![key.uid])));
            edits.extend(their_key.map(|key| paste(doc, own_peg, vec![key.clone()])));
            (!edits.is_empty()).then_some(Edit::All { label, edits })
        }
        (Content::Clip(theirs), Content::Clip(own)) => {
            let own_track = own.tracks.get(element.b?)?;
            let their_track = theirs.tracks.get(element.a?)?;
            let own_key = b.and_then(|at| own_track.keys.get(at));
            let their_key = a.and_then(|at| their_track.keys.get(at));
            let mut edits: Vec<Edit> = Vec::new();
            // First what comes: a track that loses its last key is gone.
            edits.extend(their_key.map(|key| paste_track(doc, own_track, vec![key.clone()])));
            let stays = |own: &&Key| their_key.is_none_or(|t| (t.time - own.time).abs() > 1e-6);
            edits.extend(own_key.filter(stays).map(|own| delete_keys(doc, vec![own.uid])));
            (!edits.is_empty()).then_some(Edit::All { label, edits })
        }
        _ => None,
    }
}

fn delete(doc: DocId, keys: Vec<Uid>) -> Edit {
    Edit::Take { doc, edit: TakeEdit::DeleteKeys { keys } }
}

/// Puts keys into a peg of one's own where they stand.
fn paste(doc: DocId, own: &Peg, keys: Vec<Keyframe>) -> Edit {
    let frame = keys.iter().map(|key| key.frame).fold(f64::INFINITY, f64::min);
    let peg = Peg { keyframes: keys, ..own.clone() };
    Edit::Take { doc, edit: TakeEdit::PasteKeys { pegs: vec![Arc::new(peg)], frame } }
}

fn peg(
    theirs: &Take,
    own: &Take,
    doc: DocId,
    element: &Element,
    label: String,
) -> Result<Edit, &'static str> {
    let theirs = element.a.and_then(|at| theirs.pegs.get(at));
    let own = element.b.and_then(|at| own.pegs.get(at));
    let (Some(their_peg), Some(own_peg)) = (theirs, own) else {
        return Err("This was changed in between");
    };
    let mut edits = Vec::new();
    if !own_peg.keyframes.is_empty() {
        edits.push(delete(doc, own_peg.keyframes.iter().map(|key| key.uid).collect()));
    }
    if !their_peg.keyframes.is_empty() {
        edits.push(paste(doc, own_peg, their_peg.keyframes.clone()));
    }
    Ok(Edit::All { label, edits })
}

fn delete_keys(doc: DocId, keys: Vec<Uid>) -> Edit {
    Edit::Clip { doc, edit: ClipEdit::DeleteKeys { keys } }
}

fn paste_track(doc: DocId, own: &Track, keys: Vec<Key>) -> Edit {
    let time = keys.first().map_or(0.0, |key| key.time);
    let track = Arc::new(Track { keys, ..own.clone() });
    Edit::Clip { doc, edit: ClipEdit::PasteKeys { tracks: vec![track], time, flipped: false } }
}

fn track(
    theirs: &Clip,
    own: &Clip,
    doc: DocId,
    element: &Element,
    label: String,
) -> Result<Edit, &'static str> {
    let their_track = element.a.and_then(|at| theirs.tracks.get(at));
    let own_track = element.b.and_then(|at| own.tracks.get(at));
    let clip = |edit| Edit::Clip { doc, edit };
    let mut edits = Vec::new();
    match (their_track, own_track) {
        (None, None) => return Err("This was changed in between"),
        (None, Some(own)) => {
            edits.push(clip(ClipEdit::RemoveTracks { tracks: vec![own.uid] }));
        }
        (Some(their_track), None) => {
            let time = their_track.keys.first().map_or(0.0, |key| key.time);
            let tracks = vec![their_track.clone()];
            edits.push(clip(ClipEdit::PasteKeys { tracks, time, flipped: false }));
        }
        (Some(their_track), Some(own)) => {
            edits.push(paste_track(doc, own, their_track.keys.clone()));
            let stays = |key: &&Key| {
                their_track.keys.iter().all(|t| (t.time - key.time).abs() > SAME_TIME.min(1e-6))
            };
            let gone: Vec<Uid> = own.keys.iter().filter(stays).map(|key| key.uid).collect();
            if !gone.is_empty() {
                edits.push(delete_keys(doc, gone));
            }
            let tracks = vec![own.uid];
            if own.interpolation != their_track.interpolation {
                let interpolation = their_track.interpolation;
                let tracks = tracks.clone();
                edits.push(clip(ClipEdit::SetInterpolation { tracks, interpolation }));
            }
            if own.curve != their_track.curve {
                edits.push(clip(ClipEdit::SetCurve { tracks, curve: their_track.curve }));
            }
        }
    }
    Ok(Edit::All { label, edits })
}

fn node(
    theirs: &Rig,
    own: &Rig,
    doc: DocId,
    element: &Element,
    label: String,
) -> Result<Edit, &'static str> {
    let their_node = element.a.and_then(|at| theirs.nodes.get(at));
    let own_node = element.b.and_then(|at| own.nodes.get(at));
    let rig = |edit| Edit::Rig { doc, edit };
    let uid_of = |id: &str| own.nodes.iter().find(|node| node.id == id).map(|node| node.uid);
    let mut edits = Vec::new();
    match (their_node, own_node) {
        (None, None) => return Err("This was changed in between"),
        (None, Some(own)) => {
            edits.push(rig(RigEdit::DeleteNodes { nodes: vec![own.uid], with_children: false }));
        }
        (Some(theirs), None) => {
            let parent = theirs.parent.as_deref().and_then(uid_of);
            edits.push(rig(RigEdit::PasteNodes { nodes: vec![theirs.clone()], parent }));
        }
        (Some(theirs), Some(own)) => {
            let nodes = vec![own.uid];
            for change in &element.changes {
                edits.extend(
                    match change {
                        Change::Rest { .. } => {
                            let all = |v: DVec3| v.to_array().map(Some);
                            let rest = RestEdit {
                                position: all(theirs.position),
                                rotation: all(theirs.rotation),
                                scale: all(theirs.scale),
                            };
                            Some(RigEdit::SetRest { nodes: vec![(own.uid, rest)] })
                        }
                        Change::Renamed { .. } => {
                            Some(RigEdit::Rename { node: own.uid, id: theirs.id.clone() })
                        }
                        Change::Reparented { .. } => {
                            let parent = match theirs.parent.as_deref() {
                                None => None,
                                Some(id) => match uid_of(id) {
                                    Some(uid) => Some(uid),
                                    None => return Err("Its parent there is not here"),
                                },
                            };
                            let keep = Keep::Local;
                            Some(RigEdit::Reparent { nodes: nodes.clone(), parent, keep })
                        }
                        Change::Field { field, .. } => match field.as_str() {
                            "kind" => {
                                Some(RigEdit::SetKind { nodes: nodes.clone(), kind: theirs.kind })
                            }
                            "model" => {
                                let model = theirs.model.clone();
                                Some(RigEdit::SetModel { nodes: nodes.clone(), model })
                            }
                            "name" => {
                                let name = theirs.name.clone();
                                Some(RigEdit::SetDisplayName { node: own.uid, name })
                            }
                            _ => None,
                        },
                        _ => None,
                    }
                    .map(rig),
                );
            }
        }
    }
    match edits.is_empty() {
        true => Err("Only the source can be changed for this: fields that nobody here knows"),
        false => Ok(Edit::All { label, edits }),
    }
}
