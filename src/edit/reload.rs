//! A document read anew: elements keep their identities where they are the same.

use super::workspace::{Content, DocId, content_of};
use super::{Applied, EditError, Workspace};
use crate::format::{self, FileKind};
use crate::model::{
    Clip, ClipOrigin, Key, Node, Property, Rig, RigForm, RigOrigin, Track, Uid, Uids,
};
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
        (_, new) => new,
    }
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
    let mut uids: Vec<Option<Uid>> = vec![None; read.keys.len()];
    let mut left: Vec<Uid> = Vec::new();
    let mut at = 0;
    for key in &old.keys {
        at += read.keys[at..].partition_point(|k| k.time < key.time);
        match read.keys.get(at).filter(|k| k.time == key.time) {
            Some(_) => uids[at] = Some(key.uid),
            None => left.push(key.uid),
        }
    }
    let mut left = left.into_iter();
    for uid in uids.iter_mut().filter(|uid| uid.is_none()) {
        *uid = left.next();
    }
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
            Content::Text(text) => text.kind,
        }
    }
}
