//! A document read anew: elements keep their identities where they are the same.

use super::workspace::{Content, DocId, Document, content_of, content_of_with};
use super::{Applied, EditError, Workspace};
use crate::format::{self, FileKind};
use crate::model::take::{Bone, Peg, Skeleton, SkeletonOrigin, Take, TakeCamera, TakeOrigin};
use crate::model::{
    Clip, ClipOrigin, Key, Node, Property, Rig, RigForm, RigOrigin, Track, Uid, Uids,
};
use crate::progress::Progress;
use crate::source::Source;
use std::collections::HashMap;
use std::sync::Arc;

pub(super) fn reload(
    workspace: &Workspace,
    doc: DocId,
    source: &Arc<Source>,
) -> Result<Applied, EditError> {
    replace(workspace, doc, source.text(), |kind, uids| read(kind, source, uids))
}

/// As [`reload`], of a text that may be no YAML at all.
pub(super) fn reload_text(
    workspace: &Workspace,
    doc: DocId,
    text: &str,
) -> Result<Applied, EditError> {
    replace(workspace, doc, text, |kind, uids| content_of(kind, text, uids))
}

/// A text from disk as the new content of a document, with the identities of what was there: all
/// that takes long of a reload, for a thread where nobody waits for it.
#[derive(Clone, Debug)]
pub struct ReadAnew {
    base: Content,
    content: Content,
    uids: Uids,
}

impl ReadAnew {
    /// Reads a text. Nothing of use comes out where the work was cancelled.
    pub fn new(document: &Document, text: &str, progress: &Progress) -> ReadAnew {
        let base = document.content.clone();
        let mut uids = document.uids.clone();
        if base.text() == text {
            return ReadAnew { content: base.clone(), base, uids };
        }
        let kind = base.file_kind();
        let read = content_of_with(kind, text, &mut uids, &progress.part(0.1, 0.9));
        let content = relinked(&base, read);
        ReadAnew { base, content, uids }
    }

    /// What was read.
    pub fn content(&self) -> &Content {
        &self.content
    }

    /// Whether a document is still what this was read for.
    pub fn fits(&self, content: &Content) -> bool {
        self.base.ptr_eq(content)
    }
}

/// Takes over what was read.
pub(super) fn read_anew(
    workspace: &Workspace,
    doc: DocId,
    read: &ReadAnew,
) -> Result<Applied, EditError> {
    let document = workspace.document(doc).ok_or("This document is not open")?;
    if !read.fits(&document.content) {
        return Err("This document was changed while its file was read".into());
    }
    let workspace = match read.content.ptr_eq(&document.content) {
        true => workspace.clone(),
        false => workspace.with_content(doc, read.content.clone(), read.uids.clone()),
    };
    let label = format!("Reload {}", document.name());
    Ok(Applied { workspace, label, selection: None, notes: Vec::new() })
}

fn replace(
    workspace: &Workspace,
    doc: DocId,
    text: &str,
    read: impl FnOnce(FileKind, &mut Uids) -> Content,
) -> Result<Applied, EditError> {
    let document = workspace.document(doc).ok_or("This document is not open")?;
    let label = format!("Reload {}", document.name());
    let applied = |workspace| Applied { workspace, label, selection: None, notes: Vec::new() };
    if document.content.text() == text {
        return Ok(applied(workspace.clone()));
    }
    let mut uids = document.uids.clone();
    let content = read(document.content.file_kind(), &mut uids);
    let content = relinked(&document.content, content);
    Ok(applied(workspace.with_content(doc, content, uids)))
}

fn read(kind: FileKind, source: &Arc<Source>, uids: &mut Uids) -> Content {
    let content = match kind {
        FileKind::Motion => format::read_clip(source, uids).value.map(|c| Content::Clip(c.into())),
        FileKind::Rig => format::read_rig(source, uids).value.map(|r| Content::Rig(r.into())),
        FileKind::Scene => format::read_scene(source, uids).value.map(|r| Content::Rig(r.into())),
        FileKind::Anm | FileKind::Pvt | FileKind::Unknown => None,
    };
    content.unwrap_or_else(|| content_of(kind, source.text(), uids))
}

/// What was read, with the identities of what was there: nodes by id; tracks by part and property;
/// keys by time, then by order. Origins are the new ones.
pub(super) fn relinked(old: &Content, new: Content) -> Content {
    match (old, new) {
        (Content::Clip(old), Content::Clip(new)) => Content::Clip(Arc::new(clip(old, &new))),
        (Content::Rig(old), Content::Rig(new)) => Content::Rig(Arc::new(rig(old, &new))),
        (Content::Take(old), Content::Take(new)) => Content::Take(Arc::new(take(old, &new))),
        (Content::Skeleton(old), Content::Skeleton(new)) => {
            Content::Skeleton(Arc::new(skeleton(old, &new)))
        }
        (_, new) => new,
    }
}

/// Identities of elements by what tells them apart; those of one name in their order.
struct Waiting<K> {
    by_key: HashMap<K, Vec<Uid>>,
}

impl<K: Eq + std::hash::Hash> Waiting<K> {
    fn new(elements: impl DoubleEndedIterator<Item = (K, Uid)>) -> Self {
        let mut by_key: HashMap<K, Vec<Uid>> = HashMap::new();
        for (key, uid) in elements.rev() {
            by_key.entry(key).or_default().push(uid);
        }
        Waiting { by_key }
    }

    fn take(&mut self, key: &K) -> Option<Uid> {
        self.by_key.get_mut(key)?.pop()
    }
}

/// Pegs by path, rig and name; keys by frame, then by order.
fn take(old: &Take, new: &Take) -> Take {
    let key = |peg: &Peg| (peg.path.clone(), peg.rig.clone(), peg.name.clone());
    let mut uids = Waiting::new(old.pegs.iter().map(|peg| (key(peg), peg.uid)));
    let by_uid: HashMap<Uid, &Arc<Peg>> = old.pegs.iter().map(|peg| (peg.uid, peg)).collect();
    let relink = |read: &Arc<Peg>| match uids.take(&key(read)) {
        Some(uid) => {
            let old = by_uid.get(&uid).map_or(&[][..], |peg| &peg.keyframes);
            let old = old.iter().map(|key| (key.frame, key.uid));
            let times: Vec<f64> = read.keyframes.iter().map(|key| key.frame).collect();
            let mut keyframes = read.keyframes.clone();
            for (key, uid) in keyframes.iter_mut().zip(relinked_keys(old, &times)) {
                key.uid = uid.unwrap_or(key.uid);
            }
            Arc::new(Peg { uid, keyframes, ..(**read).clone() })
        }
        None => read.clone(),
    };
    let pegs: Vec<Arc<Peg>> = new.pegs.iter().map(relink).collect();
    let cameras = cameras(&old.cameras, &new.cameras);
    let origin = new.origin.as_ref().map(|origin| {
        Arc::new(TakeOrigin {
            source: origin.source.clone(),
            header: origin.header.clone(),
            frame_range: origin.frame_range,
            pegs: pegs.clone(),
            cameras: cameras.clone(),
        })
    });
    Take { pegs, cameras, origin, ..new.clone() }
}

fn cameras(old: &[Arc<TakeCamera>], new: &[Arc<TakeCamera>]) -> Vec<Arc<TakeCamera>> {
    let key = |camera: &TakeCamera| (camera.path.clone(), camera.name.clone());
    let mut uids = Waiting::new(old.iter().map(|camera| (key(camera), camera.uid)));
    let relink = |read: &Arc<TakeCamera>| match uids.take(&key(read)) {
        Some(uid) => Arc::new(TakeCamera { uid, ..(**read).clone() }),
        None => read.clone(),
    };
    new.iter().map(relink).collect()
}

fn skeleton(old: &Skeleton, new: &Skeleton) -> Skeleton {
    let key = |bone: &Bone| (bone.path.clone(), bone.rig.clone(), bone.name.clone());
    let mut uids = Waiting::new(old.bones.iter().map(|bone| (key(bone), bone.uid)));
    let relink = |read: &Arc<Bone>| match uids.take(&key(read)) {
        Some(uid) => Arc::new(Bone { uid, ..(**read).clone() }),
        None => read.clone(),
    };
    let bones: Vec<Arc<Bone>> = new.bones.iter().map(relink).collect();
    let cameras = cameras(&old.cameras, &new.cameras);
    let origin = new.origin.as_ref().map(|origin| {
        let (bones, cameras) = (bones.clone(), cameras.clone());
        Arc::new(SkeletonOrigin { source: origin.source.clone(), bones, cameras })
    });
    Skeleton { bones, cameras, origin, ..new.clone() }
}

/// For the times of keys that were read the identities of the keys that stood there: by time, what
/// is left over by order. Old keys need not be sorted.
fn relinked_keys(old: impl Iterator<Item = (f64, Uid)>, read: &[f64]) -> Vec<Option<Uid>> {
    let mut places: HashMap<u64, Vec<usize>> = HashMap::new();
    for (at, time) in read.iter().enumerate().rev() {
        places.entry(time.to_bits()).or_default().push(at);
    }
    let mut uids = vec![None; read.len()];
    let mut left: Vec<Uid> = Vec::new();
    for (time, uid) in old {
        match places.get_mut(&time.to_bits()).and_then(Vec::pop) {
            Some(at) => uids[at] = Some(uid),
            None => left.push(uid),
        }
    }
    let mut left = left.into_iter();
    for uid in uids.iter_mut().filter(|uid| uid.is_none()) {
        *uid = left.next();
    }
    uids
}

fn clip(old: &Clip, new: &Clip) -> Clip {
    let mut waiting: HashMap<(&str, Property), Vec<&Arc<Track>>> = HashMap::new();
    // Drafts may have several tracks without a part: in their order.
    for track in old.tracks.iter().rev() {
        waiting.entry((&track.part, track.property)).or_default().push(track);
    }
    let mut tracks: Vec<Arc<Track>> = Vec::with_capacity(new.tracks.len());
    for read in &new.tracks {
        let old = waiting.get_mut(&(read.part.as_str(), read.property)).and_then(Vec::pop);
        tracks.push(old.map_or_else(|| read.clone(), |old| Arc::new(track(old, read))));
    }
    let origin = new.origin.as_ref().map(|origin| {
        let (kind, form) = (origin.kind, origin.form);
        Arc::new(ClipOrigin { source: origin.source.clone(), kind, form, tracks: tracks.clone() })
    });
    Clip { tracks, origin, ..new.clone() }
}

fn track(old: &Track, read: &Track) -> Track {
    let times: Vec<f64> = read.keys.iter().map(|key| key.time).collect();
    let uids = relinked_keys(old.keys.iter().map(|key| (key.time, key.uid)), &times);
    let keys = read.keys.iter().zip(uids);
    let keys = keys.map(|(k, uid)| Key { uid: uid.unwrap_or(k.uid), ..k.clone() }).collect();
    Track { uid: old.uid, keys, ..read.clone() }
}

fn rig(old: &Rig, new: &Rig) -> Rig {
    let uids: HashMap<&str, Uid> = old.nodes.iter().map(|n| (n.id.as_str(), n.uid)).collect();
    let relink = |read: &Arc<Node>| match uids.get(read.id.as_str()) {
        Some(uid) => Arc::new(Node { uid: *uid, ..(**read).clone() }),
        None => read.clone(),
    };
    let nodes: Vec<Arc<Node>> = new.nodes.iter().map(relink).collect();
    let origin = new
        .origin
        .as_ref()
        .map(|o| Arc::new(RigOrigin { source: o.source.clone(), nodes: nodes.clone() }));
    Rig { nodes, origin, ..new.clone() }
}

impl Content {
    /// What kind of file this is, or would be if it loaded.
    pub fn file_kind(&self) -> FileKind {
        match self {
            Content::Clip(_) => FileKind::Motion,
            Content::Rig(rig) if rig.form == RigForm::Scene => FileKind::Scene,
            Content::Rig(_) => FileKind::Rig,
            Content::Take(_) => FileKind::Anm,
            Content::Skeleton(_) => FileKind::Pvt,
            Content::Text(text) => text.kind,
        }
    }
}
