//! What a peg or a bone is called in a rig, and back (A51).

use std::collections::{HashMap, HashSet};

/// What names are made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Named<'a> {
    pub name: &'a str,
    pub rig: Option<&'a str>,
    pub path: Option<&'a str>,
}

fn allowed(name: &str) -> String {
    match name.replace(['/', ':'], "_") {
        empty if empty.is_empty() => "node".to_owned(),
        name => name,
    }
}

/// An id for each (A51): `/` and `:` become `_`, nothing becomes `node`; a name that is alone
/// stays; those that clash become `rig.name`, then `.2`, `.3` in the order of the file.
pub(super) fn ids(elements: &[Named]) -> Vec<String> {
    let names: Vec<String> = elements.iter().map(|element| allowed(element.name)).collect();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    names.iter().for_each(|name| *counts.entry(name).or_default() += 1);
    let mut taken: HashSet<String> =
        names.iter().filter(|name| counts[name.as_str()] == 1).cloned().collect();
    let mut next: HashMap<String, usize> = HashMap::new();
    let id = |(element, name): (&Named, &String)| {
        if counts[name.as_str()] == 1 {
            return name.clone();
        }
        let wish = match element.rig.filter(|rig| !rig.is_empty()) {
            Some(rig) => format!("{}.{name}", allowed(rig)),
            None => name.clone(),
        };
        if taken.insert(wish.clone()) {
            return wish;
        }
        let number = next.entry(wish.clone()).or_insert(2);
        loop {
            let id = format!("{wish}.{number}");
            *number += 1;
            if taken.insert(id.clone()) {
                return id;
            }
        }
    };
    elements.iter().zip(&names).map(id).collect()
}

/// The name that a rig's display name came from: the last part of `path` where that is another
/// than `name`, below the parent's path or the rig's tag, as [`path_of`] writes it; else `name`.
pub(super) fn display_name<'a>(element: &Named<'a>, above: Option<&str>) -> &'a str {
    let label = element.path.and_then(|path| path.strip_prefix(above?)?.strip_prefix('/'));
    match label.filter(|label| !label.is_empty()) {
        Some(label) if label.rsplit('/').next() != Some(element.name) => label,
        _ => element.name,
    }
}

/// The path of a node that is written: display names from the rig's name on, so that ids may be
/// names and names are not lost.
pub(super) fn path_of(above: &str, display: &str) -> String {
    format!("{above}/{display}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named<'a>(name: &'a str, rig: &'a str) -> Named<'a> {
        Named { name, rig: Some(rig).filter(|rig| !rig.is_empty()), path: None }
    }

    #[test]
    fn ids_are_names_unless_they_clash() {
        let pegs = [
            named("hip", "a"),
            named("hip", "b"),
            named("hip", "b"),
            named("L/arm:1", "a"),
            named("", "a"),
            named("leg", ""),
            named("leg", ""),
            named("leg.2", ""),
            named("root", "a"),
        ];
        let expected =
            ["a.hip", "b.hip", "b.hip.2", "L_arm_1", "node", "leg", "leg.3", "leg.2", "root"];
        assert_eq!(ids(&pegs), expected);
        // What was made to fit may clash too.
        let pegs = [named("a/b", ""), named("a_b", ""), named("a:b", "")];
        assert_eq!(ids(&pegs), ["a_b", "a_b.2", "a_b.3"]);
    }

    #[test]
    fn display_names_come_back_from_paths() {
        let bone = |name, path| Named { name, rig: None, path: Some(path) };
        assert_eq!(
            display_name(&bone("hand", "R/Arm/Hand: left/2"), Some("R/Arm")),
            "Hand: left/2"
        );
        assert_eq!(display_name(&bone("hip", "Armature/hip"), Some("spaceship")), "hip");
        assert_eq!(display_name(&bone("hip-P", "Top/hero/g/hip-P"), Some("Top/hero")), "hip-P");
        assert_eq!(display_name(&bone("hip", "R"), Some("R")), "hip");
    }
}
