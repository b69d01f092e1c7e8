//! Which rows the dope sheet and the curves show, and where.

use crate::edit::{DocId, Selected};
use crate::model::{Clip, Track};
use crate::ui::cx::Cx;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A row. Indices are those of the clip's tracks.
#[derive(Clone, Debug, PartialEq)]
pub enum Row {
    /// All keys.
    Summary,
    /// All keys of a part.
    Part {
        /// The part.
        part: String,
        /// Whether its tracks are folded away.
        folded: bool,
        /// Its tracks that the filter lets through.
        tracks: Vec<usize>,
    },
    /// The keys of one track.
    Track(usize),
}

/// The rows of a clip, the filter and folding reckoned in.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Rows {
    /// From the top.
    pub rows: Vec<Row>,
    /// The tracks that the filter lets through, folded ones too.
    pub tracks: Vec<usize>,
}

/// The names of the selected nodes: the parts that they are called in tracks.
pub fn selected_parts(cx: &Cx<'_>) -> BTreeSet<String> {
    let node = |selected: &Selected| match selected {
        Selected::Node(doc, uid) => {
            let rig = cx.workspace().rig(*doc)?;
            rig.nodes.iter().find(|node| node.uid == *uid).map(|node| node.id.clone())
        }
        Selected::Part(_, part) => Some(part.clone()),
    };
    let is_shown = |selected: &&Selected| match selected {
        Selected::Node(doc, _) => cx.is_shown(*doc),
        // A part is of a clip without its rig; the clip may be seen from its rig's tab.
        Selected::Part(..) => true,
    };
    cx.selection().nodes.iter().filter(is_shown).filter_map(node).collect()
}

impl Rows {
    /// The rows of a clip.
    pub fn new(cx: &Cx<'_>, clip: &Clip, with_summary: bool) -> Rows {
        let view = &cx.view().timeline;
        let filter = view.filter.trim().to_lowercase();
        let chosen = view.only_selected.then(|| selected_parts(cx));
        let passes = |track: &Track| {
            chosen.as_ref().is_none_or(|parts| parts.contains(&track.part))
                && (filter.is_empty()
                    || track.part.to_lowercase().contains(&filter)
                    || track.property.as_str().contains(&filter))
        };
        let tracks: Vec<usize> = clip
            .tracks
            .iter()
            .enumerate()
            .filter(|(_, track)| passes(track))
            .map(|(index, _)| index)
            .collect();
        let mut rows = Vec::new();
        if with_summary && !tracks.is_empty() {
            rows.push(Row::Summary);
        }
        // Parts in the order in which they first come; their tracks together.
        let mut places: std::collections::HashMap<&str, usize> = std::collections::HashMap::new();
        let mut parts: Vec<(&str, Vec<usize>)> = Vec::new();
        for index in &tracks {
            let part = clip.tracks[*index].part.as_str();
            let place = *places.entry(part).or_insert_with(|| {
                parts.push((part, Vec::new()));
                parts.len() - 1
            });
            parts[place].1.push(*index);
        }
        for (part, of_part) in parts {
            let folded = view.folded.contains(part);
            let children = if folded { Vec::new() } else { of_part.clone() };
            rows.push(Row::Part { part: part.to_owned(), folded, tracks: of_part });
            rows.extend(children.into_iter().map(Row::Track));
        }
        Rows { rows, tracks }
    }

    /// The tracks whose keys a row shows.
    pub fn tracks_of(&self, row: usize) -> &[usize] {
        match &self.rows[row] {
            Row::Summary => &self.tracks,
            Row::Part { tracks, .. } => tracks,
            Row::Track(index) => std::slice::from_ref(index),
        }
    }

    /// The row of a track, or of its part where that is folded.
    pub fn row_of(&self, track: usize) -> Option<usize> {
        self.rows.iter().position(|row| match row {
            Row::Summary => false,
            Row::Part { folded, tracks, .. } => *folded && tracks.contains(&track),
            Row::Track(index) => *index == track,
        })
    }
}

/// What a row is called.
pub fn row_name(clip: &Clip, row: &Row) -> String {
    match row {
        Row::Summary => "Summary".to_owned(),
        Row::Part { part, .. } => part_name(part),
        Row::Track(index) => track_name(&clip.tracks[*index]),
    }
}

/// A part's name, made safe; a draft's track may have none.
pub fn part_name(part: &str) -> String {
    if part.is_empty() { "no part".to_owned() } else { crate::ui::text::name(part).into_owned() }
}

/// "hand rotation".
pub fn track_name(track: &Track) -> String {
    format!("{} {}", part_name(&track.part), track.property.as_str())
}

/// The keys of all parts and of the clip, each time once: what summary and part rows show. Kept
/// while clip and rows stay the same.
#[derive(Clone, Debug, Default)]
pub struct Merged {
    made_of: Option<(DocId, Arc<Clip>, Rows)>,
    /// For each row that is no track: its times, increasing.
    times: std::collections::HashMap<usize, Vec<f64>>,
}

impl Merged {
    /// Brings the times up to the clip; gives whether anything changed.
    pub fn update(&mut self, doc: DocId, clip: &Arc<Clip>, rows: &Rows) -> bool {
        let same =
            |(d, c, r): &(DocId, Arc<Clip>, Rows)| *d == doc && Arc::ptr_eq(c, clip) && r == rows;
        if self.made_of.as_ref().is_some_and(same) {
            return false;
        }
        self.times.clear();
        for (index, row) in rows.rows.iter().enumerate() {
            if matches!(row, Row::Track(_)) {
                continue;
            }
            let tracks = rows.tracks_of(index).iter().map(|track| &clip.tracks[*track]);
            let mut times: Vec<f64> =
                tracks.flat_map(|track| track.keys.iter().map(|key| key.time)).collect();
            times.sort_unstable_by(f64::total_cmp);
            times.dedup();
            self.times.insert(index, times);
        }
        self.made_of = Some((doc, clip.clone(), rows.clone()));
        true
    }

    /// The times of a row that is no track, in seconds.
    pub fn times(&self, row: usize) -> &[f64] {
        self.times.get(&row).map_or(&[], Vec::as_slice)
    }
}
