//! How the bones of a skeleton rest (A30, A31, A33).

use super::basis::shown_basis;
use super::curves::parents_first;
use super::rig::labels;
use crate::math::{Basis, Trs};
use crate::model::take::{ParentLink, PivotSpace, Skeleton};
use glam::DVec3;

/// Why a skeleton's rests mean nothing.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SkeletonError {
    /// `scale_factor` is 0, less, or not finite (A30).
    #[error("`scale_factor` is {0}: pivots are divided by it, so it must be above 0")]
    ScaleFactor(f64),
    /// `pivot_space` is no known word (A31).
    #[error("`pivot_space` is \"{0}\", neither local nor armature")]
    PivotSpace(String),
}

/// Each bone's rest relative to its parent (A30, A31), in the order of the file and in its own
/// axes: pivots divided by `scale_factor`, and out of the armature's space if they are in it,
/// local = R_p⁻¹(p − p_p), q = q_p⁻¹·q.
///
/// # Errors
/// As [`SkeletonError`] says.
pub fn bone_rests(skeleton: &Skeleton) -> Result<Vec<Trs>, SkeletonError> {
    let factor = skeleton.scale_factor();
    if !(factor > 0.0 && factor.is_finite()) {
        return Err(SkeletonError::ScaleFactor(factor));
    }
    let Some(space) = skeleton.pivot_space() else {
        let word = skeleton.pivot_space.written.clone().unwrap_or_default();
        return Err(SkeletonError::PivotSpace(word));
    };
    Ok(rests(skeleton, factor, space, &skeleton.parents()))
}

fn rests(skeleton: &Skeleton, factor: f64, space: PivotSpace, parents: &[ParentLink]) -> Vec<Trs> {
    let bones = skeleton.bones.iter().map(|bone| Trs {
        position: bone.pivot() / factor,
        rotation: bone.rotation(),
        scale: DVec3::ONE,
    });
    let stored: Vec<Trs> = bones.collect();
    if space == PivotSpace::Local {
        return stored;
    }
    let local = |(bone, link): (&Trs, &ParentLink)| {
        let parent = link.index().and_then(|parent| stored.get(parent));
        let local = parent.and_then(|parent| parent.local_from_world(bone));
        local.unwrap_or(*bone)
    };
    stored.iter().zip(parents).map(local).collect()
}

/// A skeleton as a viewport shows it: its bones at rest, in the order of the file; metres, Y up,
/// right-handed (A21). What has no meaning is taken as the format's default, as a lint says.
#[derive(Clone, Debug)]
pub struct SkeletonRig {
    /// What each bone is called where each must have a name of its own; see
    /// [`TakeRig::labels`](super::TakeRig::labels).
    pub labels: Vec<String>,
    /// What each bone's parent is (A22).
    pub links: Vec<ParentLink>,
    /// Rests relative to the parent.
    pub local: Vec<Trs>,
    /// Rests in the world.
    pub world: Vec<Trs>,
    /// The change of basis that they went through.
    pub basis: Basis,
}

impl SkeletonRig {
    /// A skeleton at rest.
    pub fn new(skeleton: &Skeleton) -> Self {
        let links = skeleton.parents();
        let basis = shown_basis(skeleton.header.coordinate_system.as_ref());
        let factor = skeleton.scale_factor();
        let factor = if factor > 0.0 && factor.is_finite() { factor } else { 1.0 };
        let space = skeleton.pivot_space().unwrap_or(PivotSpace::Local);
        let local = rests(skeleton, factor, space, &links);
        let local: Vec<Trs> = local.iter().map(|rest| basis.pose(rest)).collect();
        let mut world = local.clone();
        for [child, parent] in parents_first(&links) {
            world[child] = world[parent].compose(&world[child]);
        }
        let names = skeleton.bones.iter().map(|bone| (&*bone.name, bone.path.as_deref()));
        SkeletonRig { labels: labels(names), links, local, world, basis }
    }
}
