//! A clip while one edit works on it.

use super::super::owners::{NO_KEY, Owners, Picked};
use super::super::words::tidy;
use super::super::workspace::{Content, DocId};
use super::super::{Applied, EditError, Selection, Workspace};
use crate::model::{Clip, Key, Track, Uid, Uids, check};
use std::collections::HashMap;
use std::sync::Arc;

/// Keys nearer to each other than this stand at one time when one of them moves onto the other:
/// half a unit of the last digit that snapping writes (M31), in seconds.
pub(in super::super) const SAME_TIME_SECS: f64 = 5e-7;

/// The clip as it becomes, with what the edit made.
pub(super) struct Draft<'a> {
    workspace: &'a Workspace,
    doc: DocId,
    before: &'a Arc<Clip>,
    owners: &'a Owners,
    pub clip: Clip,
    pub uids: Uids,
    pub notes: Vec<String>,
    /// What shall be selected; nothing leaves the selection as it is.
    pub made: Selection,
}

impl<'a> Draft<'a> {
    pub fn new(workspace: &'a Workspace, doc: DocId) -> Result<Self, EditError> {
        let before = workspace.require_clip(doc)?;
        let document = workspace.document(doc).ok_or("This document is not open")?;
        Ok(Draft {
            workspace,
            doc,
            before,
            owners: &document.owners,
            clip: (**before).clone(),
            uids: document.uids.clone(),
            notes: Vec::new(),
            made: Selection::default(),
        })
    }

    /// The open documents as they are before the edit.
    pub fn workspace(&self) -> &'a Workspace {
        self.workspace
    }

    /// Where keys stand, by tracks.
    pub fn pick(&self, keys: &[Uid]) -> Result<Vec<Picked>, EditError> {
        self.owners.pick(&**self.before, keys).ok_or_else(|| NO_KEY.into())
    }

    /// The indices of tracks.
    pub fn find_tracks(&self, tracks: &[Uid]) -> Result<Vec<usize>, EditError> {
        let find = |uid: &Uid| self.clip.tracks.iter().position(|t| t.uid == *uid);
        let mut found: Vec<usize> = tracks
            .iter()
            .map(|uid| find(uid).ok_or(EditError::new("This track is no longer there")))
            .collect::<Result<_, _>>()?;
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    /// The track of a part's property.
    pub fn track_of(&self, part: &str, property: crate::model::Property) -> Option<usize> {
        self.clip.tracks.iter().position(|t| t.property == property && t.part == part)
    }

    /// A track to be changed.
    pub fn track(&mut self, at: usize) -> &mut Track {
        Arc::make_mut(&mut self.clip.tracks[at])
    }

    /// Takes tracks without keys out: deleting the last key deletes the track.
    pub fn drop_empty_tracks(&mut self) -> usize {
        let many = self.clip.tracks.len();
        self.clip.tracks.retain(|t| !t.keys.is_empty());
        many - self.clip.tracks.len()
    }

    /// Marks a key as what shall be selected.
    pub fn select_key(&mut self, key: Uid) {
        self.made.keys.insert((self.doc, key));
    }

    /// Marks a track as what shall be selected.
    pub fn select_track(&mut self, track: Uid) {
        self.made.tracks.insert((self.doc, track));
    }

    /// The workspace with the clip, if it keeps every limit.
    pub fn finish(mut self, label: impl Into<String>) -> Result<Applied, EditError> {
        // A track that came out as it was stays the very value it was.
        for (at, track) in self.clip.tracks.iter_mut().enumerate() {
            let old = self.before.tracks.get(at).filter(|old| old.uid == track.uid);
            if let Some(old) = old
                && !Arc::ptr_eq(old, track)
                && old == track
            {
                *track = old.clone();
            }
        }
        let selection = (!self.made.is_empty()).then_some(self.made);
        let label = label.into();
        if same_values(self.before, &self.clip) {
            let workspace = self.workspace.clone();
            return Ok(Applied { workspace, label, selection, notes: self.notes });
        }
        if !self.workspace.is_on_the_way() {
            check::clip_change(self.before, &self.clip)?;
        }
        if let Some(selection) = &selection {
            let made: Vec<Uid> = selection.keys.iter().map(|(_, key)| *key).collect();
            if made.len() <= 16 {
                for (at, track) in self.clip.tracks.iter().enumerate() {
                    if !check::shared(track, at, &self.before.tracks) {
                        let here = |uid: &&Uid| track.keys.iter().any(|k| k.uid == **uid);
                        self.owners.note(made.iter().filter(here).copied(), at);
                    }
                }
            }
        }
        let content = Content::Clip(Arc::new(self.clip));
        let workspace = self.workspace.with_content(self.doc, content, self.uids);
        Ok(Applied { workspace, label, selection, notes: self.notes })
    }
}

fn same_values(a: &Clip, b: &Clip) -> bool {
    a.kind == b.kind
        && a.form == b.form
        && a.binding == b.binding
        && a.model == b.model
        && a.duration_secs == b.duration_secs
        && a.looping == b.looping
        && a.tracks.len() == b.tracks.len()
        && a.tracks.iter().zip(&b.tracks).all(|(x, y)| Arc::ptr_eq(x, y))
}

/// Puts keys into a track; those that stand at the same times go. Gives how many went.
pub(super) fn put_keys(track: &mut Track, mut keys: Vec<Key>) -> usize {
    keys.sort_by(|a, b| a.time.total_cmp(&b.time));
    let old = std::mem::take(&mut track.keys);
    let many = old.len();
    let in_the_way = |time: f64| {
        let at = keys.partition_point(|k| k.time <= time - SAME_TIME_SECS);
        keys.get(at).is_some_and(|k| (k.time - time).abs() < SAME_TIME_SECS)
    };
    let stays: Vec<Key> = old.into_iter().filter(|k| !in_the_way(k.time)).collect();
    let replaced = many - stays.len();
    let mut merged = Vec::with_capacity(stays.len() + keys.len());
    let mut moved = keys.into_iter().peekable();
    for key in stays {
        while let Some(next) = moved.next_if(|m| m.time < key.time) {
            merged.push(next);
        }
        merged.push(key);
    }
    merged.extend(moved);
    track.keys = merged;
    replaced
}

/// Gives keys of a track new times, which may not be sorted. Keys in the way go; with `merge` also
/// all but the last of moved keys that come to stand at one time. Gives how many went.
pub(super) fn retime(track: &mut Track, picked: &[usize], times: &[f64], merge: bool) -> usize {
    let mut moved: Vec<Key> = Vec::with_capacity(picked.len());
    let mut stays: Vec<Key> = Vec::with_capacity(track.keys.len() - picked.len());
    let mut next = 0;
    for (at, mut key) in std::mem::take(&mut track.keys).into_iter().enumerate() {
        if picked.get(next) == Some(&at) {
            key.time = times[next];
            next += 1;
            moved.push(key);
        } else {
            stays.push(key);
        }
    }
    moved.sort_by(|a, b| a.time.total_cmp(&b.time));
    let many = moved.len();
    if merge {
        moved.reverse();
        let mut last = f64::INFINITY;
        moved.retain(|key| {
            let apart = last - key.time >= SAME_TIME_SECS || key.time.is_nan();
            last = if apart { key.time } else { last };
            apart
        });
        moved.reverse();
    }
    let merged = many - moved.len();
    track.keys = stays;
    merged + put_keys(track, moved)
}

/// A time on the grid of `step_secs`: 0.15 gives 0.15, 0.3, 0.45; 1/30 at frame 30 is 1 (M31).
pub fn snap_time(time: f64, step_secs: f64) -> f64 {
    if !(step_secs > 0.0 && step_secs.is_finite()) {
        return time;
    }
    round6((time / step_secs).round() * step_secs)
}

/// Rounded to 6 decimals, as times that snapping set are written (M31).
pub(super) fn round6(time: f64) -> f64 {
    (time * 1e6).round() / 1e6
}

/// A time that was reckoned, without the noise of the last digit, and on the clip's end where it
/// is within half a microsecond of it.
pub(super) fn settle(time: f64, duration_secs: f64) -> f64 {
    if time > duration_secs && time - duration_secs < 2.0 * SAME_TIME_SECS {
        return duration_secs;
    }
    if time < 0.0 && time > -SAME_TIME_SECS {
        return 0.0;
    }
    tidy(time)
}

/// Origins of copies: unknown fields go along, comments do not (M30).
pub(in super::super) fn without_comments(key: &mut Key) {
    if let Some(origin) = &mut key.origin {
        origin.with_comments = false;
    }
}

/// Indices by identity, for many look-ups.
pub(super) fn by_uid<T: Copy>(pairs: impl Iterator<Item = (Uid, T)>) -> HashMap<Uid, T> {
    pairs.collect()
}
