//! Where a key stands, without looking through a whole clip.

use crate::model::take::Take;
use crate::model::{Clip, Uid};
use std::collections::HashSet;
use std::sync::{Arc, PoisonError, RwLock};

/// Rows of keys: a clip's tracks, a take's pegs.
pub(super) trait KeyRows {
    /// How many rows there are.
    fn rows(&self) -> usize;
    /// The keys of a row.
    fn keys(&self, row: usize) -> impl Iterator<Item = Uid>;
}

impl KeyRows for Clip {
    fn rows(&self) -> usize {
        self.tracks.len()
    }

    fn keys(&self, row: usize) -> impl Iterator<Item = Uid> {
        self.tracks.get(row).into_iter().flat_map(|track| &track.keys).map(|key| key.uid)
    }
}

impl KeyRows for Take {
    fn rows(&self) -> usize {
        self.pegs.len()
    }

    fn keys(&self, row: usize) -> impl Iterator<Item = Uid> {
        self.pegs.get(row).into_iter().flat_map(|peg| &peg.keyframes).map(|key| key.uid)
    }
}

/// What is said of a key that went.
pub(super) const NO_KEY: &str = "This key is no longer there";

/// Keys of one row, by rising index.
pub(super) struct Picked {
    pub row: usize,
    pub keys: Vec<usize>,
}

/// For each key of a document the index of the row that held it last; 0 is unknown, `n + 1` is
/// row `n`. Only a hint, looked after by every version of the document: what it says is tried
/// first, and what it does not know is looked for and noted.
#[derive(Clone, Debug, Default)]
pub(super) struct Owners(Arc<RwLock<Vec<u16>>>);

impl Owners {
    /// The row and the place in it of a key.
    pub fn find(&self, rows: &impl KeyRows, key: Uid) -> Option<(usize, usize)> {
        let place = |row| Some((row, rows.keys(row).position(|uid| uid == key)?));
        let found = self.hint(key).and_then(place);
        if found.is_some() {
            return found;
        }
        let found = (0..rows.rows()).find_map(place);
        if found.is_some() {
            self.note_all(rows);
        }
        found
    }

    /// Where keys stand, by rows; `None` where one of them is no longer there.
    pub fn pick(&self, rows: &impl KeyRows, keys: &[Uid]) -> Option<Vec<Picked>> {
        match keys {
            [] => Some(Vec::new()),
            [key] => {
                let (row, at) = self.find(rows, *key)?;
                Some(vec![Picked { row, keys: vec![at] }])
            }
            many => {
                // One walk through all.
                let wanted: HashSet<Uid> = many.iter().copied().collect();
                let mut missing = wanted.len();
                let mut found = Vec::new();
                for row in 0..rows.rows() {
                    if missing == 0 {
                        break;
                    }
                    let keys = rows.keys(row).enumerate();
                    let keys: Vec<usize> =
                        keys.filter_map(|(at, key)| wanted.contains(&key).then_some(at)).collect();
                    missing -= keys.len();
                    if !keys.is_empty() {
                        found.push(Picked { row, keys });
                    }
                }
                (missing == 0).then_some(found)
            }
        }
    }

    fn hint(&self, key: Uid) -> Option<usize> {
        let hints = self.0.read().unwrap_or_else(PoisonError::into_inner);
        hints.get(key.0 as usize).and_then(|hint| usize::from(*hint).checked_sub(1))
    }

    fn note_all(&self, rows: &impl KeyRows) {
        let mut hints = self.0.write().unwrap_or_else(PoisonError::into_inner);
        for row in 0..rows.rows() {
            let Ok(mark) = u16::try_from(row + 1) else { break };
            for key in rows.keys(row) {
                set(&mut hints, key, mark);
            }
        }
    }

    /// Notes that these keys stand in a row.
    pub fn note(&self, keys: impl Iterator<Item = Uid>, row: usize) {
        let Ok(mark) = u16::try_from(row + 1) else { return };
        let mut hints = self.0.write().unwrap_or_else(PoisonError::into_inner);
        for key in keys {
            set(&mut hints, key, mark);
        }
    }
}

fn set(hints: &mut Vec<u16>, key: Uid, mark: u16) {
    let at = key.0 as usize;
    if hints.len() <= at {
        hints.resize(at + 1, 0);
    }
    hints[at] = mark;
}
