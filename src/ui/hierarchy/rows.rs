//! The rows of the tree.

use crate::edit::Selected;
use crate::model::{NodeKind, Uid};
use crate::ui::cx::Cx;
use crate::ui::nodes;
use std::collections::BTreeSet;

/// A row.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The node's place on the stage.
    pub index: usize,
    /// What a click selects.
    pub what: Selected,
    /// Its identity, where it is a rig's node.
    pub uid: Option<Uid>,
    /// Its id, or the part's name.
    pub id: String,
    /// What it is for; `None` for a part.
    pub kind: Option<NodeKind>,
    /// How deep it stands; 0 is a root.
    pub depth: usize,
    /// Whether anything hangs below it, and whether that is folded away.
    pub children: bool,
    /// See [`Row::children`].
    pub folded: bool,
    /// How many tracks animate it.
    pub tracks: usize,
}

/// The rows that show, in the order of the tree: of a search what it finds, with what stands
/// above.
pub fn rows(cx: &Cx<'_>, search: &str) -> Vec<Row> {
    let many = cx.stage.len();
    let folded = &cx.view().folded_nodes;
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); many];
    let mut roots = Vec::new();
    for index in 0..many {
        match cx.stage.parent(index) {
            Some(parent) => below[parent].push(index),
            None => roots.push(index),
        }
    }
    let search = search.trim().to_lowercase();
    let found = found(cx, &search);
    let mut tracks = vec![0; many];
    if let Some((_, clip)) = cx.clip() {
        for track in &clip.tracks {
            if let Some(index) = cx.stage.find(&track.part) {
                tracks[index] += 1;
            }
        }
    }
    let mut rows = Vec::new();
    // A stack instead of recursion: a hierarchy may be as deep as its file says.
    let mut todo: Vec<(usize, usize)> = roots.into_iter().rev().map(|root| (root, 0)).collect();
    while let Some((index, depth)) = todo.pop() {
        if !search.is_empty() && !found.contains(&index) {
            continue;
        }
        let Some(what) = nodes::at(cx, index) else { continue };
        let node = nodes::node(cx, index);
        let uid = node.map(|node| node.uid);
        let is_folded = search.is_empty() && uid.is_some_and(|uid| folded.contains(&uid));
        rows.push(Row {
            index,
            what,
            uid,
            id: cx.stage.names()[index].clone(),
            kind: node.map(|node| node.kind),
            depth,
            children: !below[index].is_empty(),
            folded: is_folded,
            tracks: tracks[index],
        });
        if !is_folded {
            todo.extend(below[index].iter().rev().map(|child| (*child, depth + 1)));
        }
    }
    rows
}

/// What a search finds, with everything above it.
fn found(cx: &Cx<'_>, search: &str) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    if search.is_empty() {
        return found;
    }
    for index in 0..cx.stage.len() {
        let holds = |text: &str| text.to_lowercase().contains(search);
        let node = nodes::node(cx, index);
        let hit = holds(&cx.stage.names()[index])
            || node.is_some_and(|node| node.name.as_deref().is_some_and(holds))
            || node.is_some_and(|node| node.model.as_deref().is_some_and(holds));
        let mut at = hit.then_some(index);
        while let Some(here) = at.filter(|here| found.insert(*here)) {
            at = cx.stage.parent(here);
        }
    }
    found
}

/// How many levels there are.
pub fn depth(cx: &Cx<'_>) -> usize {
    let mut levels: Vec<usize> = vec![0; cx.stage.len()];
    for index in 0..cx.stage.len() {
        let mut at = Some(index);
        let mut level = 0;
        while let Some(here) = at {
            level += 1;
            at = cx.stage.parent(here);
        }
        levels[index] = level;
    }
    levels.into_iter().max().unwrap_or(0)
}

/// Why an id cannot be given to a node; `None` where it can.
pub fn id_problem(cx: &Cx<'_>, index: usize, id: &str) -> Option<&'static str> {
    if id.is_empty() {
        return Some("an id is needed");
    }
    if cx.rig().is_some() && id.contains(['/', ':']) {
        return Some("no slash and no colon");
    }
    let taken = cx.stage.find(id).is_some_and(|other| other != index);
    taken.then_some("this id is taken")
}
