//! The checks of a rig's hierarchy: ids, parents, loops, depth (M3, M8), and scales that shear
//! (M25).

use super::codes;
use super::log::{Log, Phase};
use crate::diagnostic::Severity;
use crate::model::limits::MAX_DEPTH;
use crate::model::messages;
use std::collections::HashMap;
use std::ops::Range;

/// What the hierarchy needs to know of a node.
pub(super) struct Link {
    pub id: String,
    pub parent: Option<String>,
    /// Its place in the list.
    pub index: usize,
    pub id_span: Range<usize>,
    pub parent_span: Range<usize>,
    pub scale_span: Range<usize>,
    /// Whether its scale is the same on all axes.
    pub even: bool,
    /// Whether it is rotated at rest.
    pub turned: bool,
}

/// Where a node's walk to its root ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    New,
    /// On the walk that is going on.
    Walking,
    /// At this level; a root is level 1.
    Level(usize),
    /// In a loop, or below one.
    Loop,
}

/// Reports everything that is wrong with a hierarchy: first all duplicates, then missing parents,
/// loops and levels too deep.
pub(super) fn check(log: &mut Log, list: &str, links: &[Link]) {
    let mut by_id: HashMap<&str, usize> = HashMap::with_capacity(links.len());
    for (at, link) in links.iter().enumerate() {
        if *by_id.entry(&link.id).or_insert(at) != at {
            let path = format!("{list}[{}].id", link.index);
            let message = messages::duplicate_part(&link.id);
            let span = link.id_span.clone();
            log.limit(Phase::Body, codes::DUPLICATE_NODE, message, path, span);
        }
    }
    let mut parents: Vec<Option<usize>> = Vec::with_capacity(links.len());
    for link in links {
        let parent = link.parent.as_deref().and_then(|id| by_id.get(id).copied());
        parents.push(parent);
        if let (Some(id), None) = (&link.parent, parent) {
            let path = format!("{list}[{}].parent", link.index);
            let message = messages::missing_parent(id);
            let span = link.parent_span.clone();
            log.limit(Phase::Body, codes::MISSING_PARENT, message, path, span);
        }
    }
    levels(log, list, links, &parents);
    if !log.fatal {
        uneven_scales(log, list, links, &parents);
    }
}

fn levels(log: &mut Log, list: &str, links: &[Link], parents: &[Option<usize>]) {
    let mut marks = vec![Mark::New; links.len()];
    let mut loops = Vec::new();
    let mut walk = Vec::new();
    for start in 0..links.len() {
        walk.clear();
        let mut at = Some(start);
        while let Some(i) = at.filter(|i| marks[*i] == Mark::New) {
            marks[i] = Mark::Walking;
            walk.push(i);
            at = parents[i];
        }
        let end = at.map_or(Mark::Level(0), |i| marks[i]);
        let mut level = match end {
            Mark::Level(level) => level,
            Mark::New | Mark::Loop => usize::MAX,
            Mark::Walking => {
                // The walk ran into itself: its first node in the file stands for the loop.
                let from = walk.iter().position(|i| Some(*i) == at).unwrap_or(0);
                loops.extend(walk[from..].iter().min());
                usize::MAX
            }
        };
        for i in walk.iter().rev() {
            level = level.saturating_add(1);
            marks[*i] = if level == usize::MAX { Mark::Loop } else { Mark::Level(level) };
        }
    }
    let mut report = |at: usize, code, message: &str| {
        let path = format!("{list}[{}].parent", links[at].index);
        let span = links[at].parent_span.clone();
        log.error(Phase::Body, code, message, path, span);
    };
    loops.sort_unstable();
    for at in loops {
        report(at, codes::CYCLE, messages::CYCLE);
    }
    for (at, mark) in marks.iter().enumerate() {
        // Those further down are too deep for the same reason.
        if *mark == Mark::Level(MAX_DEPTH + 1) {
            report(at, codes::DEPTH, messages::DEPTH);
        }
    }
}

/// Non-uniform scales above turned nodes: the world pose has no shear (M25).
fn uneven_scales(log: &mut Log, list: &str, links: &[Link], parents: &[Option<usize>]) {
    let mut shears = vec![false; links.len()];
    for (at, link) in links.iter().enumerate() {
        let mut above = parents[at].filter(|_| link.turned);
        while let Some(i) = above {
            shears[i] |= !links[i].even;
            above = parents[i];
        }
    }
    for (link, _) in links.iter().zip(shears).filter(|(_, shears)| *shears) {
        let message = "Non-uniform scale above a turned node: the engine has no shear, so shapes \
                       below may differ from what a modelling program shows";
        let path = format!("{list}[{}].scale", link.index);
        let span = link.scale_span.clone();
        log.note(Severity::Info, codes::UNEVEN_SCALE, message, path, span);
    }
}
