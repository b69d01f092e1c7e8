//! `.pvt` ↔ `.rig` (A30, A31, A33, A56).

use super::export::node_notes;
use super::ids::{self, Named, display_name, path_of};
use super::measure::Chains;
use super::report::Report;
use super::{Refusal, import};
use crate::diagnostic::Severity;
use crate::format::lint_skeleton;
use crate::math::{Trs, quat_from_euler};
use crate::model::limits::MAX_NODES;
use crate::model::take::{Bone, CoordinateSystem, Header, PivotSpace, Skeleton, Term};
use crate::model::{Node, NodeKind, Rig, RigForm, Uids};
use crate::sample::take::{bone_rests, declared_basis};
use glam::DVec3;
use std::sync::Arc;

/// Converts a skeleton into a rig. It is called `name`, otherwise as the skeleton is, otherwise
/// `fallback`.
///
/// # Errors
/// Why it is refused.
pub fn import_skeleton(
    skeleton: &Skeleton,
    name: Option<&str>,
    fallback: &str,
) -> Result<(Rig, Report), Refusal> {
    if skeleton.bones.is_empty() {
        return Err(Refusal::Empty);
    }
    let basis = declared_basis(skeleton.header.coordinate_system.as_ref())?;
    let rests = bone_rests(skeleton)?;
    for problem in lint_skeleton(skeleton) {
        if problem.severity == Severity::Error {
            return Err(Refusal::Problem { path: problem.path, message: problem.message });
        }
    }
    let links = skeleton.parents();
    if skeleton.bones.len() > MAX_NODES {
        return Err(Refusal::Nodes { count: skeleton.bones.len() });
    }
    let chains = Chains::new(links.iter().map(|link| link.index()).collect());
    import::refuse_depth(&chains)?;
    let named: Vec<Named> = skeleton.bones.iter().map(|bone| named(bone)).collect();
    let ids = ids::ids(&named);
    let mut report = Report::default();
    import::basis_notes(skeleton.header.coordinate_system.as_ref(), basis, &mut report);
    let factor = skeleton.scale_factor();
    if factor != 1.0 {
        report.note("changed", "scale_factor", format!("pivots divided by {factor}"));
    }
    if skeleton.pivot_space() == Some(PivotSpace::Armature) {
        let why = "pivots and rotations made relative to the parents".to_owned();
        report.note("changed", "pivot_space", why);
    }
    let mut uids = Uids::default();
    let mut nodes = Vec::with_capacity(ids.len());
    for (at, bone) in skeleton.bones.iter().enumerate() {
        let rest = basis.pose(&rests[at]);
        let parent = links[at].index();
        let above = match parent {
            Some(parent) => skeleton.bones[parent].path.as_deref(),
            None => bone.rig.as_deref(),
        };
        let display = display_name(&named[at], above);
        let label = bone.path.clone().filter(|path| !path.is_empty());
        let label = label.unwrap_or_else(|| bone.name.clone());
        if ids[at] != bone.name {
            report.note("renamed", label.clone(), format!("its id is {}", ids[at]));
        }
        report.ids.push((label, ids[at].clone()));
        nodes.push(Arc::new(Node {
            uid: uids.fresh(),
            id: ids[at].clone(),
            name: Some(display.to_owned()).filter(|name| !name.is_empty() && *name != ids[at]),
            kind: if bone.is_camera { NodeKind::Entity } else { NodeKind::Joint },
            parent: parent.map(|parent| ids[parent].clone()),
            model: None,
            position: rest.position + DVec3::ZERO,
            rotation: import::rest_angles(&rest),
            scale: DVec3::ONE,
            origin: None,
        }));
    }
    for camera in &skeleton.cameras {
        let name = camera.name.clone().unwrap_or_default();
        report.note("dropped", name, "a rig holds no cameras".to_owned());
    }
    let own = skeleton.name.as_deref().filter(|name| !name.is_empty());
    let name = name.or(own).unwrap_or(fallback).to_owned();
    Ok((Rig { form: RigForm::Rig, name, nodes, origin: None }, report))
}

fn named(bone: &Bone) -> Named<'_> {
    Named { name: &bone.name, rig: bone.rig.as_deref(), path: bone.path.as_deref() }
}

/// Converts a rig into a skeleton (A56): `scale_factor` 1, local, 24 frames a second.
///
/// # Errors
/// [`Refusal::Empty`] for a rig without nodes; a hierarchy that is none.
pub fn export_rig(rig: &Rig) -> Result<(Skeleton, Report), Refusal> {
    crate::model::check::rig(rig).map_err(|broken| Refusal::Invalid(broken.into_owned()))?;
    if rig.nodes.is_empty() {
        return Err(Refusal::Empty);
    }
    let mut report = Report::default();
    let parent = |node: &Node| {
        let id = node.parent.as_deref()?;
        rig.nodes.iter().position(|other| other.id == id)
    };
    let chains = Chains::new(rig.nodes.iter().map(|node| parent(node)).collect());
    let mut paths = vec![String::new(); rig.nodes.len()];
    for at in &chains.order {
        let above = chains.parents[*at].map_or(rig.name.as_str(), |parent| &paths[parent]);
        paths[*at] = path_of(above, rig.nodes[*at].display_name());
    }
    let mut uids = Uids::default();
    let mut bones = Vec::with_capacity(rig.nodes.len());
    for (node, path) in rig.nodes.iter().zip(&paths) {
        let rotation = quat_from_euler(node.rotation);
        let rest = Trs { position: node.position, rotation, scale: DVec3::ONE };
        node_notes(node, true, &mut report);
        let back = import::rest_angles(&rest);
        if (back - node.rotation).abs().max_element() > 1e-9 {
            let [x, y, z] = back.to_array();
            let why = format!("its angles come back as [{x}, {y}, {z}], which is the same turn");
            report.note("changed", node.id.clone(), why);
        }
        report.ids.push((path.clone(), node.id.clone()));
        bones.push(Arc::new(Bone {
            uid: uids.fresh(),
            name: node.id.clone(),
            parent: node.parent.clone(),
            pivot: Some(node.position + DVec3::ZERO),
            rotation: Some([rotation.w, rotation.x, rotation.y, rotation.z].map(|n| n + 0.0)),
            path: Some(path.clone()),
            rig: Some(rig.name.clone()),
            is_camera: false,
            origin: None,
        }));
    }
    let skeleton = Skeleton {
        header: Header {
            source: Some("blender".to_owned()),
            fps: Some(Header::DEFAULT_FPS),
            coordinate_system: Some(CoordinateSystem::canonical()),
        },
        name: Some(rig.name.clone()),
        scale_factor: Some(1.0),
        pivot_space: Term::of(PivotSpace::Local),
        bones,
        cameras: Vec::new(),
        origin: None,
    };
    Ok((skeleton, report))
}
