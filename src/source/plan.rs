//! Which items of a list stay in their place when it is put into another order.

use super::fragment::Fragment;
use super::tree::NodeId;
use std::collections::HashMap;

/// An element of a list as it shall be.
#[derive(Clone, Debug)]
pub enum Item {
    /// An item that the list has already: copied, wherever it goes.
    Keep(NodeId),
    /// Something new.
    New(Fragment),
}

impl Item {
    /// With new keys and strings in double quotes.
    pub(super) fn quoted(&self) -> Item {
        match self {
            Item::Keep(node) => Item::Keep(*node),
            Item::New(fragment) => Item::New(fragment.quoted()),
        }
    }
}

/// Which items stay in their place, and what follows each of them.
pub(super) struct Plan {
    /// Items before the first that stays, by index.
    pub first: Vec<usize>,
    /// Items that stay, with the indices of those behind each.
    pub behind: HashMap<NodeId, Vec<usize>>,
}

impl Plan {
    /// As many items as possible stay: the longest run of old ones that is still in order.
    pub fn new(old: &[NodeId], items: &[Item]) -> Plan {
        let place: HashMap<NodeId, usize> = old.iter().enumerate().map(|(i, n)| (*n, i)).collect();
        let kept: Vec<(usize, usize)> = items
            .iter()
            .enumerate()
            .filter_map(|(index, item)| match item {
                Item::Keep(node) => place.get(node).map(|p| (index, *p)),
                Item::New(_) => None,
            })
            .collect();
        let stays = longest_increasing(&kept.iter().map(|(_, p)| *p).collect::<Vec<_>>());
        let mut stay_at: HashMap<usize, NodeId> = HashMap::new();
        for i in stays {
            stay_at.insert(kept[i].0, old[kept[i].1]);
        }
        let mut plan = Plan { first: Vec::new(), behind: HashMap::new() };
        let mut current: Option<NodeId> = None;
        for index in 0..items.len() {
            if let Some(node) = stay_at.get(&index) {
                plan.behind.insert(*node, Vec::new());
                current = Some(*node);
            } else if let Some(followers) = current.and_then(|node| plan.behind.get_mut(&node)) {
                followers.push(index);
            } else {
                plan.first.push(index);
            }
        }
        plan
    }
}

/// Indices of a longest strictly increasing subsequence.
fn longest_increasing(values: &[usize]) -> Vec<usize> {
    let mut tails: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = vec![None; values.len()];
    for (i, value) in values.iter().enumerate() {
        let at = tails.partition_point(|t| values[*t] < *value);
        before[i] = at.checked_sub(1).map(|a| tails[a]);
        if at == tails.len() {
            tails.push(i);
        } else {
            tails[at] = i;
        }
    }
    let mut out = Vec::new();
    let mut at = tails.last().copied();
    while let Some(i) = at {
        out.push(i);
        at = before[i];
    }
    out.reverse();
    out
}
