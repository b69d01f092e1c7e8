//! How two rigs, or scenes used as rigs, differ.

use super::keyframes::unknown;
use super::pairs::Pairs;
use super::report::{Change, Element, Tolerances, What};
use super::take::{Parents, field, rest, top_unknown};
use crate::format::{FileKind, Holder};
use crate::model::take::ParentLink;
use crate::model::{Node, Rig, RigForm};
use crate::sample::rest_pose;
use glam::DVec3;
use std::collections::HashMap;
use std::sync::Arc;

/// The parent of each node; a loop's members have none.
pub(super) fn links(rig: &Rig) -> Vec<ParentLink> {
    let places: HashMap<&str, usize> =
        rig.nodes.iter().enumerate().map(|(at, node)| (node.id.as_str(), at)).collect();
    let link = |node: &Arc<Node>| match node.parent.as_deref() {
        None => ParentLink::Root,
        Some(parent) => places.get(parent).map_or(ParentLink::Missing, |at| ParentLink::At(*at)),
    };
    let mut links: Vec<ParentLink> = rig.nodes.iter().map(link).collect();
    for at in 0..links.len() {
        let mut above = links[at].index();
        let mut steps = 0;
        while let Some(parent) = above {
            steps += 1;
            if parent == at || steps > links.len() {
                links[at] = ParentLink::Loop(at);
                break;
            }
            above = links[parent].index();
        }
    }
    links
}

/// Which node is which: by id, then by display name, then by what it holds.
pub(super) fn pair_nodes(a: &Rig, b: &Rig, links: [&[ParentLink]; 2]) -> Pairs {
    let mut pairs = Pairs::new(a.nodes.len(), b.nodes.len());
    let (na, nb) = (|at: usize| &*a.nodes[at], |at: usize| &*b.nodes[at]);
    pairs.unique(|at| Some(na(at).id.clone()), |at| Some(nb(at).id.clone()));
    pairs.unique(|at| na(at).name.clone(), |at| nb(at).name.clone());
    let holds = |node: &Node| {
        let numbers = [node.position, node.rotation, node.scale].map(|v| v.to_array());
        let says = node.position != DVec3::ZERO || node.model.is_some();
        let bits = numbers.as_flattened().iter().map(|n| (n + 0.0).to_bits()).collect::<Vec<_>>();
        says.then(|| (bits, node.kind, node.model.clone()))
    };
    pairs.unique(|at| holds(na(at)), |at| holds(nb(at)));
    for _ in 0..4 {
        pairs.by_place(|at| links[0][at].index(), |at| links[1][at].index());
    }
    pairs
}

/// The fields of two rigs themselves.
pub(super) fn header(a: &Rig, b: &Rig) -> Vec<Change> {
    let mut changes = Vec::new();
    field("name", Some(a.name.clone()), Some(b.name.clone()), &mut changes);
    let form = |rig: &Rig| match rig.form {
        RigForm::Rig => "rig".to_owned(),
        RigForm::Scene => "scene".to_owned(),
    };
    field("form", Some(form(a)), Some(form(b)), &mut changes);
    if a.form == b.form {
        let kind = match a.form {
            RigForm::Rig => FileKind::Rig,
            RigForm::Scene => FileKind::Scene,
        };
        let source = |rig: &Rig| rig.origin.as_ref().map(|o| Arc::clone(&o.source));
        top_unknown(source(a), source(b), kind, &mut changes);
    }
    changes
}

/// How the nodes of two rigs differ.
pub(super) fn nodes(
    a: &Rig,
    b: &Rig,
    links: [&[ParentLink]; 2],
    pairs: &Pairs,
    tolerances: &Tolerances,
) -> Vec<Element> {
    let names = [&|at: usize| a.nodes[at].id.clone() as String, &|at: usize| {
        b.nodes[at].id.clone() as String
    }] as [&dyn Fn(usize) -> String; 2];
    let parents = Parents { pairs, links, names };
    let mut elements = Vec::new();
    for (x, y) in pairs.both() {
        let (node_a, node_b) = (&a.nodes[x], &b.nodes[y]);
        let mut changes = Vec::new();
        if node_a.id != node_b.id {
            let (from, to) = (node_a.id.clone(), node_b.id.clone());
            changes.push(Change::Renamed { from, to });
        }
        let written = [node_a.parent.as_deref(), node_b.parent.as_deref()];
        parents.compare((x, y), written, &mut changes);
        if !Arc::ptr_eq(node_a, node_b) {
            node(node_a, node_b, [a.form, b.form], tolerances, &mut changes);
        }
        if !changes.is_empty() {
            let name = node_a.id.clone();
            elements.push(Element { what: What::Node, name, a: Some(x), b: Some(y), changes });
        }
    }
    for x in pairs.open_a() {
        let (name, changes) = (a.nodes[x].id.clone(), vec![Change::Removed { keys: 0 }]);
        elements.push(Element { what: What::Node, name, a: Some(x), b: None, changes });
    }
    for y in pairs.open_b() {
        let (name, changes) = (b.nodes[y].id.clone(), vec![Change::Added { keys: 0 }]);
        elements.push(Element { what: What::Node, name, a: None, b: Some(y), changes });
    }
    elements
}

fn node(
    a: &Node,
    b: &Node,
    forms: [RigForm; 2],
    tolerances: &Tolerances,
    changes: &mut Vec<Change>,
) {
    let pose = |node: &Node| {
        let rest = rest_pose(node);
        (rest.position, rest.rotation, rest.scale)
    };
    rest(pose(a), pose(b), tolerances, changes);
    // A name that is the id says nothing of its own.
    let name = |node: &Node| node.name.clone().filter(|name| *name != node.id);
    field("name", name(a), name(b), changes);
    let kind = |node: &Node| Some(node.kind.as_str().to_owned());
    field("kind", kind(a), kind(b), changes);
    field("model", a.model.clone(), b.model.clone(), changes);
    if forms[0] == forms[1] {
        let holder = match forms[0] {
            RigForm::Rig => Holder::Node,
            RigForm::Scene => Holder::Entity,
        };
        unknown(&a.origin, &b.origin, holder, changes);
    }
}
