//! A take while one edit works on it.

use super::super::owners::{NO_KEY, Owners, Picked};
use super::super::workspace::{Content, DocId};
use super::super::{Applied, EditError, Selection, Workspace};
use crate::model::limits::MAX_VALUE;
use crate::model::messages;
use crate::model::take::{Angles, Channel, Keyframe, Peg, Take};
use crate::model::{Uid, Uids};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Keys nearer to each other than this, in frames, stand on one frame when one of them moves onto
/// the other.
pub(super) const SAME_FRAME: f64 = 1e-6;

/// The take as it becomes, with what the edit made.
pub(super) struct Draft<'a> {
    workspace: &'a Workspace,
    doc: DocId,
    before: &'a Arc<Take>,
    owners: &'a Owners,
    pub take: Take,
    pub uids: Uids,
    pub notes: Vec<String>,
    /// What the numbers of `rot` mean here.
    pub angles: Angles,
    made: Selection,
}

impl<'a> Draft<'a> {
    pub fn new(workspace: &'a Workspace, doc: DocId) -> Result<Self, EditError> {
        let before = workspace.require_take(doc)?;
        let document = workspace.document(doc).ok_or("This document is not open")?;
        Ok(Draft {
            workspace,
            doc,
            before,
            owners: &document.owners,
            take: (**before).clone(),
            uids: document.uids.clone(),
            notes: Vec::new(),
            angles: Angles::of(before.header.coordinate_system.as_ref()),
            made: Selection::default(),
        })
    }

    /// Where keys stand, by pegs.
    pub fn pick(&self, keys: &[Uid]) -> Result<Vec<Picked>, EditError> {
        self.owners.pick(&**self.before, keys).ok_or_else(|| NO_KEY.into())
    }

    /// The place of a peg.
    pub fn find_peg(&self, peg: Uid) -> Result<usize, EditError> {
        let found = self.take.pegs.iter().position(|p| p.uid == peg);
        found.ok_or_else(|| EditError::new("This peg is no longer there"))
    }

    /// The places of pegs, by what tells them apart: by path, by rig and name, by name alone.
    pub fn places(&self) -> Places {
        let mut places = Places::default();
        for (at, peg) in self.take.pegs.iter().enumerate() {
            if let Some(path) = &peg.path {
                places.by_path.entry(path.clone()).or_default().push(at);
            }
            let rig = peg.rig.clone().unwrap_or_default();
            places.by_rig.entry((rig, peg.name.clone())).or_default().push(at);
            places.by_name.entry(peg.name.clone()).or_default().push(at);
        }
        places
    }

    /// A peg to be changed.
    pub fn peg(&mut self, at: usize) -> &mut Peg {
        Arc::make_mut(&mut self.take.pegs[at])
    }

    /// Marks a key as what shall be selected.
    pub fn select_key(&mut self, key: Uid) {
        self.made.keys.insert((self.doc, key));
    }

    /// Says something once.
    pub fn note(&mut self, words: &str) {
        if !self.notes.iter().any(|note| note == words) {
            self.notes.push(words.to_owned());
        }
    }

    /// The workspace with the take, if what was written can be read again.
    pub fn finish(mut self, label: impl Into<String>) -> Result<Applied, EditError> {
        let mut changed = Vec::new();
        for (at, peg) in self.take.pegs.iter_mut().enumerate() {
            let Some(old) = self.before.pegs.get(at).filter(|old| !Arc::ptr_eq(old, peg)) else {
                continue;
            };
            // A peg that came out as it was stays the very value it was.
            if old == peg {
                *peg = old.clone();
            } else {
                judge(old, peg)?;
                changed.push(at);
            }
        }
        let selection = (!self.made.is_empty()).then_some(self.made);
        let label = label.into();
        if changed.is_empty() {
            let workspace = self.workspace.clone();
            return Ok(Applied { workspace, label, selection, notes: self.notes });
        }
        if let Some(selection) = &selection {
            let made: HashSet<Uid> = selection.keys.iter().map(|(_, key)| *key).collect();
            for at in changed {
                let keys = self.take.pegs[at].keyframes.iter().map(|key| key.uid);
                self.owners.note(keys.filter(|uid| made.contains(uid)), at);
            }
        }
        let content = Content::Take(Arc::new(self.take));
        let workspace = self.workspace.with_content(self.doc, content, self.uids);
        Ok(Applied { workspace, label, selection, notes: self.notes })
    }
}

/// Where pegs stand, by what tells them apart.
#[derive(Default)]
pub(super) struct Places {
    by_path: HashMap<String, Vec<usize>>,
    by_rig: HashMap<(String, String), Vec<usize>>,
    by_name: HashMap<String, Vec<usize>>,
}

impl Places {
    /// The peg that a copied one means, where there is exactly one.
    pub fn of(&self, peg: &Peg) -> Option<usize> {
        let one = |found: Option<&Vec<usize>>| match found.map(Vec::as_slice) {
            Some([only]) => Some(*only),
            _ => None,
        };
        let by_path = peg.path.as_ref().and_then(|path| one(self.by_path.get(path)));
        let rig = (peg.rig.clone().unwrap_or_default(), peg.name.clone());
        by_path.or_else(|| one(self.by_rig.get(&rig))).or_else(|| one(self.by_name.get(&peg.name)))
    }
}

/// Numbers that edits make must be ones that a reader takes and that are no nonsense. What a file
/// held before is left alone.
fn judge(old: &Peg, peg: &Peg) -> Result<(), EditError> {
    let before: HashMap<Uid, &Keyframe> = old.keyframes.iter().map(|key| (key.uid, key)).collect();
    for key in &peg.keyframes {
        if before.get(&key.uid).is_some_and(|old| *old == key) {
            continue;
        }
        if !key.frame.is_finite() || key.frame.abs() > MAX_VALUE {
            return Err(EditError::new("A key's frame must be finite and within +/-1000000"));
        }
        for channel in Channel::ALL {
            let then = before.get(&key.uid);
            if then.is_some_and(|old| {
                old.channel(channel) == key.channel(channel)
                    && old.channel_handles(channel) == key.channel_handles(channel)
            }) {
                continue;
            }
            let value = key.channel(channel).unwrap_or_default();
            let handles = key.channel_handles(channel).into_iter().flatten().flatten();
            let mut numbers: Vec<f64> = value.to_array().to_vec();
            for handle in handles {
                numbers.extend([handle.left.y, handle.right.y]);
                let frames = [handle.left.x, handle.right.x];
                if frames.iter().any(|frame| !frame.is_finite()) {
                    return Err(messages::VALUE_RANGE.into());
                }
            }
            if numbers.iter().any(|number| !number.is_finite() || number.abs() > MAX_VALUE) {
                return Err(messages::VALUE_RANGE.into());
            }
        }
        let quat = key.rot_quat.unwrap_or([1.0, 0.0, 0.0, 0.0]);
        if quat.iter().any(|c| !c.is_finite()) {
            return Err(messages::VALUE_RANGE.into());
        }
    }
    Ok(())
}

/// Puts keys into a peg; those on the same frames go. Gives how many went. The keys of a peg whose
/// order is not that of their frames stay where they are.
pub(super) fn put_keys(peg: &mut Peg, mut keys: Vec<Keyframe>) -> usize {
    keys.sort_by(|a, b| a.frame.total_cmp(&b.frame));
    let many = peg.keyframes.len();
    let in_the_way = |frame: f64| {
        let at = keys.partition_point(|key| key.frame <= frame - SAME_FRAME);
        keys.get(at).is_some_and(|key| (key.frame - frame).abs() < SAME_FRAME)
    };
    peg.keyframes.retain(|key| !in_the_way(key.frame));
    let replaced = many - peg.keyframes.len();
    let sorted = peg.keyframes.is_sorted_by(|a, b| a.frame <= b.frame);
    if sorted {
        peg.keyframes.extend(keys);
        // Stable, and quick for two sorted runs.
        peg.keyframes.sort_by(|a, b| a.frame.total_cmp(&b.frame));
    } else {
        for key in keys {
            let later = peg.keyframes.iter().position(|other| other.frame > key.frame);
            peg.keyframes.insert(later.unwrap_or(peg.keyframes.len()), key);
        }
    }
    replaced
}

/// Origins of copies: unknown fields go along (A60).
pub(super) fn copied(key: &Keyframe, uid: Uid) -> Keyframe {
    let mut copy = Keyframe { uid, ..key.clone() };
    if let Some(origin) = &mut copy.origin {
        origin.with_comments = false;
    }
    copy
}
