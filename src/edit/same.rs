//! Whether two values would be written as the same bytes, without writing them.

use super::Content;
use crate::model::take::{Bone, Keyframe, Peg, Skeleton, Take, TakeCamera};
use crate::model::{Clip, Key, Node, Rig, Track, Uid};
use std::collections::HashMap;
use std::sync::Arc;

/// What a look at the values tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// The same values from the same texts.
    Same,
    /// A value differs, and with it the text: a text reads back as what was written.
    Other,
    /// The same values from different texts.
    Unknown,
}

impl Verdict {
    fn all(verdicts: impl Iterator<Item = Verdict>) -> Verdict {
        let mut all = Verdict::Same;
        for verdict in verdicts {
            match verdict {
                Verdict::Other => return Verdict::Other,
                Verdict::Unknown => all = Verdict::Unknown,
                Verdict::Same => {}
            }
        }
        all
    }

    fn of_origin(same: bool) -> Verdict {
        if same { Verdict::Same } else { Verdict::Unknown }
    }
}

impl Content {
    /// Whether both would be written as the same bytes. Shared parts are not looked into, so that
    /// this may be asked at each frame.
    pub fn same(&self, other: &Content) -> bool {
        if self.ptr_eq(other) {
            return true;
        }
        let verdict = match (self, other) {
            (Content::Clip(a), Content::Clip(b)) => clips(a, b),
            (Content::Rig(a), Content::Rig(b)) => rigs(a, b),
            (Content::Take(a), Content::Take(b)) => takes(a, b),
            (Content::Skeleton(a), Content::Skeleton(b)) => skeletons(a, b),
            (Content::Text(a), Content::Text(b)) => return a.text == b.text,
            _ => Verdict::Unknown,
        };
        match verdict {
            Verdict::Same => true,
            Verdict::Other => false,
            Verdict::Unknown => self.text() == other.text(),
        }
    }
}

impl Content {
    /// How many pegs (or bones) of two versions of an export differ: other values, or only in one
    /// of them. Elements are the same by their identities, which a reload keeps; spelling does not
    /// count. `None` where the two are not exports of one kind.
    pub fn pegs_apart(&self, newer: &Content) -> Option<usize> {
        match (self, newer) {
            (Content::Take(a), Content::Take(b)) => Some(apart(
                &a.pegs,
                &b.pegs,
                |p| p.uid,
                |a, b| a.source_modes == b.source_modes && pegs(a, b) != Verdict::Other,
            )),
            (Content::Skeleton(a), Content::Skeleton(b)) => Some(apart(
                &a.bones,
                &b.bones,
                |b| b.uid,
                |a, b| Bone { uid: a.uid, origin: a.origin.clone(), ..b.clone() } == *a,
            )),
            _ => None,
        }
    }
}

/// How many elements are only in one list, or not alike in both.
fn apart<T>(
    old: &[Arc<T>],
    new: &[Arc<T>],
    uid: impl Fn(&T) -> Uid,
    alike: impl Fn(&T, &T) -> bool,
) -> usize {
    let mut gone: HashMap<Uid, &Arc<T>> = old.iter().map(|one| (uid(one), one)).collect();
    let mut many = 0;
    for one in new {
        let same = gone
            .remove(&uid(one))
            .is_some_and(|before| Arc::ptr_eq(before, one) || alike(before, one));
        many += usize::from(!same);
    }
    many + gone.len()
}

fn lists<T>(a: &[Arc<T>], b: &[Arc<T>], each: impl Fn(&T, &T) -> Verdict) -> Verdict {
    if a.len() != b.len() {
        return Verdict::Other;
    }
    let apart = a.iter().zip(b).filter(|(x, y)| !Arc::ptr_eq(x, y));
    Verdict::all(apart.map(|(x, y)| each(x, y)))
}

fn option_ptr_eq<T>(a: Option<&Arc<T>>, b: Option<&Arc<T>>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => Arc::ptr_eq(a, b),
        (None, None) => true,
        _ => false,
    }
}

fn clips(a: &Clip, b: &Clip) -> Verdict {
    let heads = a.kind == b.kind
        && a.form == b.form
        && a.binding == b.binding
        && a.model == b.model
        && a.duration_secs == b.duration_secs
        && a.looping == b.looping;
    if !heads {
        return Verdict::Other;
    }
    let source = |c: &Clip| c.origin.as_ref().map(|o| o.source.clone());
    let origin = option_ptr_eq(source(a).as_ref(), source(b).as_ref());
    Verdict::all([lists(&a.tracks, &b.tracks, tracks), Verdict::of_origin(origin)].into_iter())
}

fn tracks(a: &Track, b: &Track) -> Verdict {
    let heads = a.part == b.part
        && a.property == b.property
        && a.interpolation == b.interpolation
        && a.curve == b.curve
        && a.keys.len() == b.keys.len();
    if !heads {
        return Verdict::Other;
    }
    let keys = |(a, b): (&Key, &Key)| match a.time == b.time && a.value == b.value {
        true => Verdict::of_origin(a.origin == b.origin),
        false => Verdict::Other,
    };
    let all = a.keys.iter().zip(&b.keys).map(keys);
    Verdict::all(all.chain([Verdict::of_origin(a.origin == b.origin)]))
}

fn rigs(a: &Rig, b: &Rig) -> Verdict {
    if a.form != b.form || a.name != b.name {
        return Verdict::Other;
    }
    let source = |r: &Rig| r.origin.as_ref().map(|o| o.source.clone());
    let origin = option_ptr_eq(source(a).as_ref(), source(b).as_ref());
    Verdict::all([lists(&a.nodes, &b.nodes, nodes), Verdict::of_origin(origin)].into_iter())
}

fn nodes(a: &Node, b: &Node) -> Verdict {
    let alike = Node { uid: a.uid, origin: a.origin.clone(), ..b.clone() } == *a;
    if alike { Verdict::of_origin(a.origin == b.origin) } else { Verdict::Other }
}

fn takes(a: &Take, b: &Take) -> Verdict {
    if a.header != b.header || a.frame_range != b.frame_range {
        return Verdict::Other;
    }
    let source = |t: &Take| t.origin.as_ref().map(|o| o.source.clone());
    let origin = option_ptr_eq(source(a).as_ref(), source(b).as_ref());
    let pegs = lists(&a.pegs, &b.pegs, pegs);
    let cameras = lists(&a.cameras, &b.cameras, cameras);
    Verdict::all([pegs, cameras, Verdict::of_origin(origin)].into_iter())
}

fn pegs(a: &Peg, b: &Peg) -> Verdict {
    let heads = a.name == b.name
        && a.path == b.path
        && a.parent == b.parent
        && a.rest_pivot == b.rest_pivot
        && a.rest_rotation == b.rest_rotation
        && a.rig == b.rig
        && a.is_camera == b.is_camera
        && a.keyframes.len() == b.keyframes.len();
    if !heads {
        return Verdict::Other;
    }
    let keys = |(a, b): (&Keyframe, &Keyframe)| {
        let alike = Keyframe { uid: a.uid, origin: a.origin.clone(), ..b.clone() } == *a;
        if alike { Verdict::of_origin(a.origin == b.origin) } else { Verdict::Other }
    };
    let all = a.keyframes.iter().zip(&b.keyframes).map(keys);
    Verdict::all(all.chain([Verdict::of_origin(a.origin == b.origin)]))
}

fn cameras(a: &TakeCamera, b: &TakeCamera) -> Verdict {
    let alike = TakeCamera { uid: a.uid, origin: a.origin.clone(), ..b.clone() } == *a;
    if alike { Verdict::of_origin(a.origin == b.origin) } else { Verdict::Other }
}

/// Skeletons are never edited: the same text is the same skeleton.
fn skeletons(a: &Skeleton, b: &Skeleton) -> Verdict {
    let source = |s: &Skeleton| s.origin.as_ref().map(|o| o.source.clone());
    Verdict::of_origin(option_ptr_eq(source(a).as_ref(), source(b).as_ref()))
}
