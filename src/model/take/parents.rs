//! Which peg (or bone) a parent's name means (A22).

use super::{Skeleton, Take};
use std::cmp::Ordering;
use std::collections::HashMap;

/// What a parent's name means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ParentLink {
    /// It has no parent.
    Root,
    /// Its parent, by its place in the list.
    At(usize),
    /// There is nothing of that name.
    Missing,
    /// So many have that name and are equally near.
    Ambiguous(usize),
    /// Its parents lead back to itself; the first of that loop in the list.
    Loop(usize),
}

impl ParentLink {
    /// The parent's place in the list, where there is exactly one and no loop.
    pub fn index(self) -> Option<usize> {
        match self {
            ParentLink::At(index) => Some(index),
            _ => None,
        }
    }
}

/// What of an element its place in the hierarchy depends on.
#[derive(Clone, Copy, Debug)]
pub struct Linked<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its rig; none and "" are the same.
    pub rig: Option<&'a str>,
    /// Its way in the scene that it came from.
    pub path: Option<&'a str>,
    /// Its parent's name; none and "" are the same.
    pub parent: Option<&'a str>,
}

/// So many of one name are looked at to either side: enough to say that there are several.
const COUNTED: usize = 8;
/// Names of a scene's own top, which is no peg.
const TOPS: [&str; 2] = ["root", "Top"];

impl Take {
    /// The parent of each peg, in the order of the pegs (A22).
    pub fn parents(&self) -> Vec<ParentLink> {
        let pegs = self.pegs.iter().map(|peg| Linked {
            name: &peg.name,
            rig: peg.rig.as_deref(),
            path: peg.path.as_deref(),
            parent: peg.parent.as_deref(),
        });
        resolve_parents(&pegs.collect::<Vec<_>>())
    }
}

impl Skeleton {
    /// The parent of each bone, in the order of the bones (A22).
    pub fn parents(&self) -> Vec<ParentLink> {
        let bones = self.bones.iter().map(|bone| Linked {
            name: &bone.name,
            rig: bone.rig.as_deref(),
            path: bone.path.as_deref(),
            parent: bone.parent.as_deref(),
        });
        resolve_parents(&bones.collect::<Vec<_>>())
    }
}

/// The parent of each element (A22): null, "" and absent are none; else an element of the same rig
/// with that name, the one with the longest common path; else the only one of that name; else
/// none where the name is the scene's own top. Fast for any number of elements of one name.
pub fn resolve_parents(elements: &[Linked]) -> Vec<ParentLink> {
    let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
    let mut by_rig: HashMap<(&str, &str), Vec<usize>> = HashMap::new();
    for (at, element) in elements.iter().enumerate() {
        by_name.entry(element.name).or_default().push(at);
        by_rig.entry((element.rig.unwrap_or(""), element.name)).or_default().push(at);
    }
    for group in by_rig.values_mut() {
        group.sort_by(|a, b| by_path(elements[*a].path, elements[*b].path).then(a.cmp(b)));
    }
    let link = |at: usize| {
        let element = &elements[at];
        let Some(name) = element.parent.filter(|name| !name.is_empty()) else {
            return ParentLink::Root;
        };
        if let Some(group) = by_rig.get(&(element.rig.unwrap_or(""), name)) {
            return nearest(elements, at, group);
        }
        match by_name.get(name).map(Vec::as_slice) {
            Some([only]) => ParentLink::At(*only),
            Some(several) => ParentLink::Ambiguous(several.len()),
            None if TOPS.contains(&name) => ParentLink::Root,
            None => ParentLink::Missing,
        }
    };
    let mut links: Vec<ParentLink> = (0..elements.len()).map(link).collect();
    mark_loops(&mut links);
    links
}

fn segments(path: Option<&str>) -> impl Iterator<Item = &str> {
    path.unwrap_or("").split('/').filter(|segment| !segment.is_empty())
}

fn by_path(a: Option<&str>, b: Option<&str>) -> Ordering {
    segments(a).cmp(segments(b))
}

fn common(a: Option<&str>, b: Option<&str>) -> usize {
    segments(a).zip(segments(b)).take_while(|(a, b)| a == b).count()
}

/// The element of a group (sorted by path) whose path has most in common with that of `at`. An
/// element is its own parent only where nothing else has the name.
fn nearest(elements: &[Linked], at: usize, group: &[usize]) -> ParentLink {
    let path = elements[at].path;
    // What stands further away in the order has no more in common than what stands nearer.
    let middle = group.partition_point(|other| by_path(elements[*other].path, path).is_lt());
    let before = group[..middle].iter().rev().filter(|other| **other != at).take(COUNTED);
    let behind = group[middle..].iter().filter(|other| **other != at).take(COUNTED);
    let near: Vec<(usize, usize)> =
        before.chain(behind).map(|other| (common(elements[*other].path, path), *other)).collect();
    let Some(most) = near.iter().map(|(common, _)| *common).max() else {
        return ParentLink::At(at);
    };
    let mut best = near.iter().filter(|(common, _)| *common == most);
    match (best.next(), best.count()) {
        (Some((_, only)), 0) => ParentLink::At(*only),
        (_, others) => ParentLink::Ambiguous(others + 1),
    }
}

/// Turns the links of all members of loops into [`ParentLink::Loop`].
fn mark_loops(links: &mut [ParentLink]) {
    // 0: not seen; otherwise the walk that came by.
    let mut seen = vec![0_usize; links.len()];
    for start in 0..links.len() {
        let walk = start + 1;
        let mut at = start;
        while seen[at] == 0 {
            seen[at] = walk;
            match links[at] {
                ParentLink::At(parent) => at = parent,
                _ => break,
            }
        }
        if seen[at] != walk || links[at].index().is_none() {
            continue;
        }
        // This walk met itself.
        let mut members = vec![at];
        let mut next = links[at].index();
        while let Some(member) = next.filter(|member| *member != at) {
            members.push(member);
            next = links[member].index();
        }
        let first = members.iter().copied().min().unwrap_or(at);
        for member in members {
            links[member] = ParentLink::Loop(first);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn element<'a>(name: &'a str, rig: &'a str, path: &'a str, parent: &'a str) -> Linked<'a> {
        Linked { name, rig: Some(rig), path: Some(path), parent: Some(parent) }
    }

    #[test]
    fn a_parent_is_found_in_the_order_of_the_rules() {
        use ParentLink::*;
        let elements = [
            element("hip", "a", "Top/a/hip", ""),
            element("leg", "a", "Top/a/hip/leg", "hip"),
            element("hip", "b", "Top/b/hip", "root"),
            element("leg", "b", "Top/b/hip/leg", "hip"),
            element("hat", "c", "Top/c/hat", "leg"),
            element("pin", "c", "Top/c/pin", "hat"),
            element("eye", "c", "Top/c/eye", "nose"),
            element("top", "c", "", "Top"),
        ];
        let expected = [Root, At(0), Root, At(2), Ambiguous(2), At(4), Missing, Root];
        assert_eq!(resolve_parents(&elements), expected);
    }

    #[test]
    fn of_one_name_in_a_rig_the_nearest_path_counts() {
        use ParentLink::*;
        let elements = [
            element("arm", "a", "Top/left/arm", ""),
            element("arm", "a", "Top/right/arm", ""),
            element("hand", "a", "Top/right/arm/hand", "arm"),
            element("hand", "a", "Top/left/arm/hand", "arm"),
            element("tail", "a", "Top/tail", "arm"),
            // Its own name: the other one of that name, unless there is none.
            element("arm", "a", "Top/left/arm/arm", "arm"),
            element("self", "a", "", "self"),
        ];
        let expected = [Root, Root, At(1), Ambiguous(2), Ambiguous(3), At(0), Loop(6)];
        assert_eq!(resolve_parents(&elements), expected);
    }

    #[test]
    fn a_root_may_be_a_peg() {
        let elements = [element("root", "", "", ""), element("hip", "", "", "root")];
        assert_eq!(resolve_parents(&elements)[1], ParentLink::At(0));
    }

    #[test]
    fn loops_are_found_once_each() {
        let names: Vec<String> = (0..1_000).map(|i| format!("n{i}")).collect();
        let at = |i: usize| element(&names[i % 1_000], "", "", &names[(i + 1) % 1_000]);
        let mut elements: Vec<Linked> = (0..1_000).map(at).collect();
        elements.push(element("outside", "", "", "n500"));
        let links = resolve_parents(&elements);
        assert!(links[..1_000].iter().all(|link| *link == ParentLink::Loop(0)));
        assert_eq!(links[1_000], ParentLink::At(500));
    }

    #[test]
    fn a_hundred_thousand_of_one_name_are_no_trouble() {
        let paths: Vec<String> = (0..100_000).map(|i| format!("Top/{i}/x")).collect();
        let elements: Vec<Linked> = paths.iter().map(|path| element("x", "r", path, "x")).collect();
        let links = resolve_parents(&elements);
        assert!(links.iter().all(|link| matches!(link, ParentLink::Ambiguous(_))));
    }
}
