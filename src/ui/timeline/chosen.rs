//! The selected keys of the clip, made ready to be drawn and hit.

use crate::edit::{DocId, Selection};
use crate::model::{Clip, Uid};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

/// What the selected keys were looked up in.
type MadeOf = (DocId, Arc<Clip>, BTreeSet<(DocId, Uid)>);

/// The selected keys; kept while clip and selection stay the same.
#[derive(Clone, Debug, Default)]
pub struct Chosen {
    made_of: Option<MadeOf>,
    /// The keys.
    pub keys: HashSet<Uid>,
    /// The tracks of selected keys, by the time's bits.
    at: HashMap<u64, Vec<usize>>,
    /// The tracks that have selected keys.
    pub tracks: BTreeSet<usize>,
    /// From the first to the last of them, in seconds.
    pub span_secs: Option<(f64, f64)>,
}

impl Chosen {
    /// Brings everything up to the clip and the selection; gives whether anything changed.
    pub fn update(&mut self, doc: DocId, clip: &Arc<Clip>, selection: &Selection) -> bool {
        let same =
            |(d, c, keys): &MadeOf| *d == doc && Arc::ptr_eq(c, clip) && *keys == selection.keys;
        if self.made_of.as_ref().is_some_and(same) {
            return false;
        }
        let keys: HashSet<Uid> =
            selection.keys.iter().filter(|(d, _)| *d == doc).map(|(_, uid)| *uid).collect();
        self.at.clear();
        self.tracks.clear();
        self.span_secs = None;
        if !keys.is_empty() {
            for (index, track) in clip.tracks.iter().enumerate() {
                for key in track.keys.iter().filter(|key| keys.contains(&key.uid)) {
                    self.at.entry(key.time.to_bits()).or_default().push(index);
                    self.tracks.insert(index);
                    let (from, to) = self.span_secs.unwrap_or((key.time, key.time));
                    self.span_secs = Some((from.min(key.time), to.max(key.time)));
                }
            }
        }
        self.keys = keys;
        self.made_of = Some((doc, clip.clone(), selection.keys.clone()));
        true
    }

    /// Whether one of these tracks has a selected key at a time.
    pub fn is_at(&self, tracks: &[usize], secs: f64) -> bool {
        let Some(chosen) = self.at.get(&secs.to_bits()) else { return false };
        chosen.iter().any(|track| tracks.binary_search(track).is_ok())
    }
}
