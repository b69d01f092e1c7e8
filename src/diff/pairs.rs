//! Which element of one document is which of the other.
//!
//! Rules go from what surely tells to what only hints. Each joins elements that it joins with
//! nothing else; what stays open goes to the next rule. So renames and moves are seen as such, and
//! where two could be the same thing nobody guesses.

use std::collections::HashMap;
use std::hash::Hash;

/// Pairs of places in two lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pairs {
    /// For each of the first list its partner in the second.
    pub b_of_a: Vec<Option<usize>>,
    /// For each of the second list its partner in the first.
    pub a_of_b: Vec<Option<usize>>,
}

/// How well two elements must hold the same to be taken for one that was renamed: more than half.
const LIKENESS: f64 = 0.5;
/// So many candidates are compared by what they hold at most.
const MAX_COMPARED: usize = 250_000;

impl Pairs {
    pub fn new(a: usize, b: usize) -> Pairs {
        Pairs { b_of_a: vec![None; a], a_of_b: vec![None; b] }
    }

    pub fn join(&mut self, a: usize, b: usize) {
        self.b_of_a[a] = Some(b);
        self.a_of_b[b] = Some(a);
    }

    /// Whether everything has a partner.
    pub fn is_complete(&self) -> bool {
        self.b_of_a.iter().chain(&self.a_of_b).all(Option::is_some)
    }

    /// Both places of each pair, in the order of the first list.
    pub fn both(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.b_of_a.iter().enumerate().filter_map(|(a, b)| Some((a, (*b)?)))
    }

    pub fn open_a(&self) -> Vec<usize> {
        (0..self.b_of_a.len()).filter(|at| self.b_of_a[*at].is_none()).collect()
    }

    pub fn open_b(&self) -> Vec<usize> {
        (0..self.a_of_b.len()).filter(|at| self.a_of_b[*at].is_none()).collect()
    }

    /// Joins what has an equal key and is the only one of it on either side.
    pub fn unique<K: Eq + Hash>(
        &mut self,
        key_a: impl Fn(usize) -> Option<K>,
        key_b: impl Fn(usize) -> Option<K>,
    ) {
        for [a, b] in self.groups(key_a, key_b) {
            if let ([a], [b]) = (&a[..], &b[..]) {
                self.join(*a, *b);
            }
        }
    }

    /// Joins what has an equal key in the order of the lists, where there are as many on either
    /// side.
    pub fn in_order<K: Eq + Hash>(
        &mut self,
        key_a: impl Fn(usize) -> Option<K>,
        key_b: impl Fn(usize) -> Option<K>,
    ) {
        for [a, b] in self.groups(key_a, key_b) {
            if a.len() == b.len() {
                a.into_iter().zip(b).for_each(|(a, b)| self.join(a, b));
            }
        }
    }

    fn groups<K: Eq + Hash>(
        &self,
        key_a: impl Fn(usize) -> Option<K>,
        key_b: impl Fn(usize) -> Option<K>,
    ) -> Vec<[Vec<usize>; 2]> {
        let (open_a, open_b) = (self.open_a(), self.open_b());
        if open_a.is_empty() || open_b.is_empty() {
            return Vec::new();
        }
        let mut groups: HashMap<K, [Vec<usize>; 2]> = HashMap::new();
        for at in open_a {
            if let Some(key) = key_a(at) {
                groups.entry(key).or_default()[0].push(at);
            }
        }
        for at in open_b {
            if let Some(group) = key_b(at).and_then(|key| groups.get_mut(&key)) {
                group[1].push(at);
            }
        }
        groups.into_values().collect()
    }

    /// Joins elements by place in the hierarchy: parents that are a pair (or both none), and
    /// children, some at least, that are pairs. `parent_a` and `parent_b` give parents.
    pub fn by_place(
        &mut self,
        parent_a: impl Fn(usize) -> Option<usize>,
        parent_b: impl Fn(usize) -> Option<usize>,
    ) {
        let before = self.clone();
        // Everything by its place in the second list, so that both sides speak of the same.
        let mut children_a: HashMap<usize, Vec<usize>> = HashMap::new();
        for (child, partner) in before.both() {
            if let Some(parent) = parent_a(child) {
                children_a.entry(parent).or_default().push(partner);
            }
        }
        let mut children_b: HashMap<usize, Vec<usize>> = HashMap::new();
        for child in (0..before.a_of_b.len()).filter(|at| before.a_of_b[*at].is_some()) {
            if let Some(parent) = parent_b(child) {
                children_b.entry(parent).or_default().push(child);
            }
        }
        children_a.values_mut().chain(children_b.values_mut()).for_each(|list| list.sort());
        // A parent that has no partner yet says nothing; none at all says something.
        let place = |parent: Option<Option<usize>>, children: Option<&Vec<usize>>| {
            Some((parent?, children?.clone()))
        };
        self.unique(
            |a| {
                let parent = match parent_a(a) {
                    None => Some(None),
                    Some(parent) => before.b_of_a[parent].map(Some),
                };
                place(parent, children_a.get(&a))
            },
            |b| {
                let parent = match parent_b(b) {
                    None => Some(None),
                    Some(parent) => before.a_of_b[parent].map(|_| Some(parent)),
                };
                place(parent, children_b.get(&b))
            },
        );
    }

    /// Joins what holds mostly the same: `likeness` is 0 to 1, and both must be each other's best
    /// by far.
    pub fn by_likeness(&mut self, likeness: impl Fn(usize, usize) -> f64) {
        let (open_a, open_b) = (self.open_a(), self.open_b());
        if open_a.len() * open_b.len() > MAX_COMPARED {
            return;
        }
        let mut alike: Vec<(f64, usize, usize)> = Vec::new();
        for a in &open_a {
            for b in &open_b {
                let how = likeness(*a, *b);
                if how > LIKENESS {
                    alike.push((how, *a, *b));
                }
            }
        }
        let mut count_a: HashMap<usize, usize> = HashMap::new();
        let mut count_b: HashMap<usize, usize> = HashMap::new();
        for (_, a, b) in &alike {
            *count_a.entry(*a).or_default() += 1;
            *count_b.entry(*b).or_default() += 1;
        }
        for (_, a, b) in alike {
            if count_a[&a] == 1 && count_b[&b] == 1 {
                self.join(a, b);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_surely_the_same_is_joined() {
        let (a, b) = (["x", "x", "y", "z"], ["y", "x", "w"]);
        let mut pairs = Pairs::new(4, 3);
        pairs.unique(|at| Some(a[at]), |at| Some(b[at]));
        assert_eq!(pairs.b_of_a, [None, None, Some(0), None]);
        pairs.in_order(|at| Some(a[at]), |at| Some(b[at]));
        assert_eq!(pairs.both().collect::<Vec<_>>(), [(2, 0)]);
        // Two may be the one: none is.
        pairs.by_likeness(|a, _| if a < 2 { 0.9 } else { 0.0 });
        assert_eq!(pairs.open_b(), [1, 2]);
        pairs.by_likeness(|a, b| if (a, b) == (3, 2) { 0.9 } else { 0.0 });
        assert_eq!(pairs.b_of_a[3], Some(2));
        assert!(!pairs.is_complete());
    }

    #[test]
    fn a_renamed_parent_is_known_by_its_children() {
        // root > hip > leg, foot; and the same with another name for hip.
        let parents = [None, Some(0), Some(1), Some(1)];
        let mut pairs = Pairs::new(4, 4);
        [0, 2, 3].into_iter().for_each(|at| pairs.join(at, at));
        pairs.by_place(|at| parents[at], |at| parents[at]);
        assert!(pairs.is_complete());
    }
}
