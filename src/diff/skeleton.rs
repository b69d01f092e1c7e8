//! How two skeletons differ.

use super::keyframes::unknown;
use super::pairs::Pairs;
use super::report::{Change, Element, Tolerances, What};
use super::take::{Parents, cameras, common_header, field, moved_below, rest, top_unknown};
use crate::format::{FileKind, Holder};
use crate::model::take::{Bone, ParentLink, PivotSpace, Skeleton, Word};
use crate::sample::take::SkeletonRig;
use crate::source::number;
use glam::DVec3;
use std::sync::Arc;

/// Which bone is which.
pub(super) fn pair_bones(a: &Skeleton, b: &Skeleton, rigs: [&SkeletonRig; 2]) -> Pairs {
    let mut pairs = Pairs::new(a.bones.len(), b.bones.len());
    let all = |bone: &Bone| Some((path(bone), rig(bone), bone.name.clone()));
    let (ba, bb) = (|at: usize| &*a.bones[at], |at: usize| &*b.bones[at]);
    pairs.in_order(|at| all(ba(at)), |at| all(bb(at)));
    let by_path = |bone: &Bone| Some(path(bone)).filter(|path| !path.is_empty());
    pairs.unique(|at| by_path(ba(at)), |at| by_path(bb(at)));
    let by_rig = |bone: &Bone| Some((rig(bone), bone.name.clone()));
    pairs.unique(|at| by_rig(ba(at)), |at| by_rig(bb(at)));
    pairs.unique(|at| Some(ba(at).name.clone()), |at| Some(bb(at).name.clone()));
    let rests = |bone: &Bone| {
        let quat = bone.rotation().to_array();
        let numbers = [bone.pivot().to_array().as_slice(), &quat].concat();
        let says = bone.pivot() != DVec3::ZERO;
        says.then(|| numbers.iter().map(|n| (n + 0.0).to_bits()).collect::<Vec<_>>())
    };
    pairs.unique(|at| rests(ba(at)), |at| rests(bb(at)));
    for _ in 0..4 {
        pairs.by_place(|at| rigs[0].links[at].index(), |at| rigs[1].links[at].index());
    }
    pairs
}

fn path(bone: &Bone) -> String {
    bone.path.clone().unwrap_or_default()
}

fn rig(bone: &Bone) -> String {
    bone.rig.clone().unwrap_or_default()
}

/// The header of two skeletons.
pub(super) fn header(a: &Skeleton, b: &Skeleton, tolerances: &Tolerances) -> Vec<Change> {
    let mut changes = Vec::new();
    field("name", a.name.clone(), b.name.clone(), &mut changes);
    let (fa, fb) = (a.scale_factor(), b.scale_factor());
    if (fa - fb).abs() > tolerances.scale {
        field("scale_factor", Some(number(fa)), Some(number(fb)), &mut changes);
    }
    let space = |s: &Skeleton| {
        let known = s.pivot_space().map(|space: PivotSpace| space.as_str().to_owned());
        known.or_else(|| s.pivot_space.written.clone())
    };
    field("pivot_space", space(a), space(b), &mut changes);
    changes.extend(common_header(&a.header, &b.header));
    let source = |s: &Skeleton| s.origin.as_ref().map(|o| Arc::clone(&o.source));
    top_unknown(source(a), source(b), FileKind::Pvt, &mut changes);
    changes
}

/// How the bones and cameras of two skeletons differ. Rests are compared as they mean: whatever
/// scale, space and axes the files write them in (A21, A30, A31).
pub(super) fn elements(
    a: &Skeleton,
    b: &Skeleton,
    rigs: [&SkeletonRig; 2],
    pairs: &Pairs,
    tolerances: &Tolerances,
) -> Vec<Element> {
    let links: [&[ParentLink]; 2] = rigs.map(|rig| rig.links.as_slice());
    let names = [&|at: usize| rigs[0].labels[at].clone() as String, &|at: usize| {
        rigs[1].labels[at].clone() as String
    }] as [&dyn Fn(usize) -> String; 2];
    let parents = Parents { pairs, links, names };
    let both: Vec<(usize, usize)> = pairs.both().collect();
    let mut moved = vec![false; b.bones.len()];
    let mut found: Vec<Vec<Change>> = Vec::with_capacity(both.len());
    for (x, y) in &both {
        let (bone_a, bone_b) = (&a.bones[*x], &b.bones[*y]);
        let mut changes = Vec::new();
        if bone_a.name != bone_b.name {
            let (from, to) = (bone_a.name.clone(), bone_b.name.clone());
            changes.push(Change::Renamed { from, to });
            moved[*y] = true;
        }
        let written = [bone_a.parent(), bone_b.parent()];
        moved[*y] |= parents.compare((*x, *y), written, &mut changes);
        found.push(changes);
    }
    let moved = moved_below(&moved, links[1]);
    let mut elements = Vec::new();
    for ((x, y), mut changes) in both.into_iter().zip(found) {
        let (bone_a, bone_b) = (&a.bones[x], &b.bones[y]);
        let local = |rig: &SkeletonRig, at: usize| {
            let local = rig.local[at];
            (local.position, local.rotation, local.scale)
        };
        rest(local(rigs[0], x), local(rigs[1], y), tolerances, &mut changes);
        let said = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
        field("rig", said(&bone_a.rig), said(&bone_b.rig), &mut changes);
        if !moved[y] {
            field("path", said(&bone_a.path), said(&bone_b.path), &mut changes);
        }
        let switch = |bone: &Bone| Some(bone.is_camera.to_string());
        field("is_camera", switch(bone_a), switch(bone_b), &mut changes);
        unknown(&bone_a.origin, &bone_b.origin, Holder::Bone, &mut changes);
        if !changes.is_empty() {
            let name = rigs[0].labels[x].clone();
            elements.push(Element { what: What::Bone, name, a: Some(x), b: Some(y), changes });
        }
    }
    for x in pairs.open_a() {
        let (name, changes) = (rigs[0].labels[x].clone(), vec![Change::Removed { keys: 0 }]);
        elements.push(Element { what: What::Bone, name, a: Some(x), b: None, changes });
    }
    for y in pairs.open_b() {
        let (name, changes) = (rigs[1].labels[y].clone(), vec![Change::Added { keys: 0 }]);
        elements.push(Element { what: What::Bone, name, a: None, b: Some(y), changes });
    }
    elements.extend(cameras((&a.cameras, rigs[0].basis), (&b.cameras, rigs[1].basis), tolerances));
    elements
}
