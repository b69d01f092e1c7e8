//! An export on the stage.

use crate::edit::{Content, DocId};
use crate::math::{Trs, euler_from_quat};
use crate::model::take::{Skeleton, Take};
use crate::model::{Node, NodeKind, Rig, RigForm, Uid};
use crate::sample::take::{
    SkeletonRig, Space, SpaceMeasure, TakeCurves, TakePoses, TakeRig, measure_space,
};
use std::sync::Arc;

/// An export as the panels see it: its pegs or bones stand there as the nodes of a rig, each with
/// its own identity, which nobody can edit.
#[derive(Debug)]
pub struct ShownExport {
    /// Its document.
    pub doc: DocId,
    /// Its pegs or bones as nodes, at rest; ids are the labels of [`TakeRig::labels`].
    pub nodes: Arc<Rig>,
    what: What,
    poses: TakePoses,
}

#[derive(Debug)]
enum What {
    Take { take: Arc<Take>, rig: TakeRig, measure: SpaceMeasure },
    Skeleton(SkeletonRig),
}

impl ShownExport {
    /// An export in the space that was chosen, otherwise in the one that was measured (A20).
    /// `before` is what was shown until now: pegs that are still the same are not compiled anew,
    /// and under a gesture (`moving`) its space stays as it was measured.
    pub fn new(
        doc: DocId,
        content: &Content,
        space: Option<Space>,
        moving: bool,
        before: Option<ShownExport>,
    ) -> Option<ShownExport> {
        match content {
            Content::Take(take) => Some(Self::of_take(doc, take, space, moving, before)),
            Content::Skeleton(skeleton) => Some(Self::of_skeleton(doc, skeleton)),
            Content::Clip(_) | Content::Rig(_) | Content::Text(_) => None,
        }
    }

    fn of_take(
        doc: DocId,
        take: &Arc<Take>,
        space: Option<Space>,
        moving: bool,
        before: Option<ShownExport>,
    ) -> ShownExport {
        let before = before.filter(|before| before.doc == doc).map(|before| before.what);
        let curves = match &before {
            Some(What::Take { rig, .. }) => rig.curves().clone(),
            _ => TakeCurves::default(),
        };
        let measure = match before {
            // The very same take in another space; or a drag, which asks for this in every frame.
            Some(What::Take { take: old, measure, .. }) if moving || Arc::ptr_eq(&old, take) => {
                measure
            }
            _ => measure_space(take, &curves),
        };
        let rig = TakeRig::with_curves(take, space.unwrap_or_else(|| measure.shown()), &curves);
        let nodes = take.pegs.iter().enumerate().map(|(at, peg)| {
            let kind = if peg.is_camera { NodeKind::Entity } else { NodeKind::Joint };
            let parent = rig.parent(at).and_then(|parent| rig.labels().get(parent));
            let rest = rig.rest(at).unwrap_or_default();
            node(peg.uid, &rig.labels()[at], &peg.name, kind, parent, &rest)
        });
        let nodes = rig_of(doc, nodes.collect());
        let what = What::Take { take: take.clone(), rig, measure };
        ShownExport { doc, nodes, what, poses: TakePoses::default() }
    }

    fn of_skeleton(doc: DocId, skeleton: &Skeleton) -> ShownExport {
        let rig = SkeletonRig::new(skeleton);
        let nodes = skeleton.bones.iter().enumerate().map(|(at, bone)| {
            let kind = if bone.is_camera { NodeKind::Entity } else { NodeKind::Joint };
            let parent = rig.links[at].index().and_then(|parent| rig.labels.get(parent));
            node(bone.uid, &rig.labels[at], &bone.name, kind, parent, &rig.local[at])
        });
        let nodes = rig_of(doc, nodes.collect());
        ShownExport { doc, nodes, what: What::Skeleton(rig), poses: TakePoses::default() }
    }

    /// The take with its poses and the figures of its space; `None` for a skeleton.
    pub fn take(&self) -> Option<(&Arc<Take>, &TakeRig, &SpaceMeasure)> {
        match &self.what {
            What::Take { take, rig, measure } => Some((take, rig, measure)),
            What::Skeleton(_) => None,
        }
    }

    /// A name for each peg or bone of its own.
    pub fn names(&self) -> &[String] {
        match &self.what {
            What::Take { rig, .. } => rig.labels(),
            What::Skeleton(rig) => &rig.labels,
        }
    }

    /// The place of a peg's or bone's parent.
    pub fn parent(&self, at: usize) -> Option<usize> {
        match &self.what {
            What::Take { rig, .. } => rig.parent(at),
            What::Skeleton(rig) => rig.links.get(at)?.index(),
        }
    }

    /// Rests relative to the parent, in metres.
    pub fn rests(&self) -> Vec<Trs> {
        match &self.what {
            What::Take { rig, .. } => {
                (0..rig.len()).map(|at| rig.rest(at).unwrap_or_default()).collect()
            }
            What::Skeleton(rig) => rig.local.clone(),
        }
    }

    /// How long it is, in seconds; 0 for what has no length.
    pub fn duration_secs(&self) -> f64 {
        match &self.what {
            What::Take { rig, .. } => rig.duration_secs().unwrap_or(0.0),
            What::Skeleton(_) => 0.0,
        }
    }

    /// Poses at a time, in seconds from the first frame of its range.
    pub fn pose(&mut self, time_secs: f64, local: &mut Vec<Trs>, world: &mut Vec<Trs>) {
        let mut poses = std::mem::take(&mut self.poses);
        self.fill(time_secs, &mut poses, local, world);
        self.poses = poses;
    }

    /// As [`ShownExport::pose`], at any other time.
    pub fn at(&self, time_secs: f64, local: &mut Vec<Trs>, world: &mut Vec<Trs>) {
        self.fill(time_secs, &mut TakePoses::default(), local, world);
    }

    /// The channels of a peg at the playhead, as the file means them.
    pub fn raw(&self, at: usize) -> Option<&crate::sample::take::RawPose> {
        self.poses.raw.get(at)
    }

    fn fill(
        &self,
        time_secs: f64,
        poses: &mut TakePoses,
        local: &mut Vec<Trs>,
        world: &mut Vec<Trs>,
    ) {
        local.clear();
        world.clear();
        match &self.what {
            What::Take { rig, .. } => {
                rig.sample(rig.frame_at(time_secs), poses);
                local.extend_from_slice(&poses.local);
                world.extend_from_slice(&poses.world);
            }
            What::Skeleton(rig) => {
                local.extend_from_slice(&rig.local);
                world.extend_from_slice(&rig.world);
            }
        }
    }
}

fn node(
    uid: Uid,
    id: &str,
    name: &str,
    kind: NodeKind,
    parent: Option<&String>,
    rest: &Trs,
) -> Arc<Node> {
    Arc::new(Node {
        uid,
        id: id.to_owned(),
        name: (id != name).then(|| name.to_owned()),
        kind,
        parent: parent.cloned(),
        model: None,
        position: rest.position,
        rotation: euler_from_quat(rest.rotation),
        scale: rest.scale,
        origin: None,
    })
}

fn rig_of(doc: DocId, nodes: Vec<Arc<Node>>) -> Arc<Rig> {
    let name = format!("export {}", doc.0);
    Arc::new(Rig { form: RigForm::Rig, name, nodes, origin: None })
}
