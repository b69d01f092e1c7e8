//! Where a key stands, without looking through a whole clip.

use crate::model::{Clip, Uid};
use std::sync::{Arc, PoisonError, RwLock};

/// For each key of a document the index of the track that held it last; 0 is unknown, `n + 1` is
/// track `n`. Only a hint, looked after by every version of the document: what it says is tried
/// first, and what it does not know is looked for and noted.
#[derive(Clone, Debug, Default)]
pub(super) struct Owners(Arc<RwLock<Vec<u16>>>);

impl Owners {
    /// The track and the place in it of a key.
    pub fn find(&self, clip: &Clip, key: Uid) -> Option<(usize, usize)> {
        let hint = self.hint(key);
        if let Some(track) = hint
            && let Some(at) = place(clip, track, key)
        {
            return Some((track, at));
        }
        let found = (0..clip.tracks.len()).find_map(|t| Some((t, place(clip, t, key)?)));
        if found.is_some() {
            self.note_all(clip);
        }
        found
    }

    fn hint(&self, key: Uid) -> Option<usize> {
        let hints = self.0.read().unwrap_or_else(PoisonError::into_inner);
        hints.get(key.0 as usize).and_then(|hint| usize::from(*hint).checked_sub(1))
    }

    fn note_all(&self, clip: &Clip) {
        let mut hints = self.0.write().unwrap_or_else(PoisonError::into_inner);
        for (at, track) in clip.tracks.iter().enumerate() {
            let Ok(mark) = u16::try_from(at + 1) else { break };
            for key in &track.keys {
                set(&mut hints, key.uid, mark);
            }
        }
    }

    /// Notes that these keys stand in a track.
    pub fn note(&self, keys: impl Iterator<Item = Uid>, track: usize) {
        let Ok(mark) = u16::try_from(track + 1) else { return };
        let mut hints = self.0.write().unwrap_or_else(PoisonError::into_inner);
        for key in keys {
            set(&mut hints, key, mark);
        }
    }
}

fn place(clip: &Clip, track: usize, key: Uid) -> Option<usize> {
    clip.tracks.get(track)?.keys.iter().position(|k| k.uid == key)
}

fn set(hints: &mut Vec<u16>, key: Uid, mark: u16) {
    let at = key.0 as usize;
    if hints.len() <= at {
        hints.resize(at + 1, 0);
    }
    hints[at] = mark;
}
