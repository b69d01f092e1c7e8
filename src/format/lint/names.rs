//! Names, rigs and parents (A22).

use super::finding::{Finding, Place};
use crate::format::codes;
use crate::model::take::{ParentLink, Skeleton, Take};
use std::collections::{BTreeSet, HashMap};

/// So many names are spelled out in one sentence.
const SHOWN: usize = 5;

/// What of a peg or bone these rules look at.
struct Named<'a> {
    name: &'a str,
    rig: &'a str,
    parent: Option<&'a str>,
}

pub(super) fn take(take: &Take) -> Vec<Finding> {
    let pegs = take.pegs.iter().map(|peg| Named {
        name: &peg.name,
        rig: peg.rig.as_deref().unwrap_or(""),
        parent: peg.parent(),
    });
    look(&pegs.collect::<Vec<_>>(), &take.parents(), "peg")
}

pub(super) fn skeleton(skeleton: &Skeleton) -> Vec<Finding> {
    let bones = skeleton.bones.iter().map(|bone| Named {
        name: &bone.name,
        rig: bone.rig.as_deref().unwrap_or(""),
        parent: bone.parent(),
    });
    look(&bones.collect::<Vec<_>>(), &skeleton.parents(), "bone")
}

fn look(elements: &[Named], parents: &[ParentLink], what: &str) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut loops: HashMap<usize, Vec<&str>> = HashMap::new();
    for (at, (element, link)) in elements.iter().zip(parents).enumerate() {
        let parent = element.parent.unwrap_or("");
        let mut put = |code, message: String| {
            found.push(Finding::new(code, Place::Peg(at), "parent", message));
        };
        match *link {
            ParentLink::Root | ParentLink::At(_) => {}
            ParentLink::Missing => put(
                codes::NO_SUCH_PARENT,
                format!(
                    "There is no {what} called \"{parent}\": it is shown as a root, and conversion refuses"
                ),
            ),
            ParentLink::Ambiguous(_) => put(
                codes::AMBIGUOUS_PARENT,
                format!(
                    "Several {what}s are called \"{parent}\", and neither rig nor path says which \
                     is meant: it is shown as a root, and conversion refuses"
                ),
            ),
            ParentLink::Loop(first) => loops.entry(first).or_default().push(element.name),
        }
    }
    let mut loops: Vec<(usize, Vec<&str>)> = loops.into_iter().collect();
    loops.sort_unstable_by_key(|(first, _)| *first);
    for (first, members) in loops {
        let count = members.len();
        let message = format!(
            "A loop of parents: {}: its {count} members are shown as roots, and conversion refuses",
            shown(&members)
        );
        found.push(Finding::new(codes::PARENT_LOOP, Place::Peg(first), "parent", message));
    }
    found.extend(clashes(elements, what));
    let rigs: BTreeSet<&str> =
        elements.iter().map(|e| e.rig).filter(|rig| !rig.is_empty()).collect();
    if rigs.len() > 1 {
        let rigs: Vec<&str> = rigs.into_iter().collect();
        let message = format!(
            "{} rigs in one file: {}: conversion makes one rig of them",
            rigs.len(),
            shown(&rigs)
        );
        let field = if what == "peg" { "pegs" } else { "bones" };
        found.push(Finding::new(codes::SEVERAL_RIGS, Place::Top, field, message));
    }
    found
}

/// Names that stand more than once, each once.
fn clashes(elements: &[Named], what: &str) -> Vec<Finding> {
    let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, element) in elements.iter().enumerate() {
        places.entry(element.name).or_default().push(at);
    }
    let mut clashes: Vec<(&str, Vec<usize>)> =
        places.into_iter().filter(|(_, places)| places.len() > 1).collect();
    clashes.sort_unstable_by_key(|(_, places)| places[0]);
    let finding = |(name, places): (&str, Vec<usize>)| {
        let same_rig = places.iter().all(|at| elements[*at].rig == elements[places[0]].rig);
        let whose = if same_rig { "of one rig" } else { "of several rigs" };
        let count = places.len();
        let message = format!(
            "{count} {what}s {whose} are called \"{name}\": who looks for one by its name may \
             find the other, and conversion numbers them"
        );
        Finding::new(codes::NAME_CLASH, Place::Peg(places[1]), "name", message)
    };
    clashes.into_iter().map(finding).collect()
}

fn shown(names: &[&str]) -> String {
    let mut text = names.iter().take(SHOWN).copied().collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN {
        text.push_str(&format!(" and {} more", names.len() - SHOWN));
    }
    text
}
