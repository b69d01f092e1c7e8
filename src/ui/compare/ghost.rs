//! The other document's poses, for the viewport.

use crate::diff;
use crate::edit::Content;
use crate::math::Trs;
use crate::model::Rig;
use crate::sample::MotionRig;
use crate::sample::take::{SkeletonRig, TakePoses, TakeRig};
use crate::ui::cx::Cx;
use glam::DVec3;

/// The other document's poses.
pub struct Ghost {
    what: What,
    parents: Vec<Option<usize>>,
    /// Where the bone of a joint without children ends, in its own axes, in metres.
    ends: Vec<Option<DVec3>>,
}

/// What gives them.
enum What {
    /// A take.
    Take(Box<TakeRig>),
    /// A clip on its rig.
    Motion(Box<MotionRig>),
    /// Something that rests: poses in the world.
    Rest(Vec<Trs>),
}

impl Ghost {
    /// The poses of a document; `None` where it has none.
    pub fn new(content: &Content, take: Option<TakeRig>, rig: Option<&Rig>) -> Option<Ghost> {
        let (what, parents, rests): (What, Vec<Option<usize>>, Vec<Trs>) = match content {
            Content::Take(_) => {
                let rig = take?;
                let joints = 0..rig.len();
                let parents = joints.clone().map(|at| rig.parent(at)).collect();
                let rests = joints.map(|at| rig.rest(at).unwrap_or_default()).collect();
                (What::Take(Box::new(rig)), parents, rests)
            }
            Content::Skeleton(skeleton) => {
                let rig = SkeletonRig::new(skeleton);
                let parents = rig.links.iter().map(|link| link.index()).collect();
                (What::Rest(rig.world), parents, rig.local)
            }
            Content::Clip(clip) => {
                // Parts without a rig stand beside each other on the stage, not where they are.
                let rig = rig?;
                let motion = diff::motion(clip, Some(rig)).ok()?;
                let parents = diff::motion_parents(&motion, Some(rig));
                let rests = rig.nodes.iter().map(|node| crate::sample::rest_pose(node)).collect();
                (What::Motion(Box::new(motion)), parents, rests)
            }
            Content::Rig(rig) => {
                let (world, parents) = diff::rests(rig);
                let rests = rig.nodes.iter().map(|node| crate::sample::rest_pose(node)).collect();
                (What::Rest(world), parents, rests)
            }
            Content::Text(_) => return None,
        };
        let mut has_child = vec![false; parents.len()];
        for parent in parents.iter().flatten() {
            if let Some(slot) = has_child.get_mut(*parent) {
                *slot = true;
            }
        }
        // The end of a chain goes on as the bone before it came, a little shorter.
        let end = |at: usize| {
            let rest = rests.get(at).filter(|_| !has_child[at] && parents[at].is_some())?;
            (rest.position.length() > 1e-6).then(|| rest.position * 0.6)
        };
        let ends = (0..parents.len()).map(end).collect();
        Some(Ghost { what, parents, ends })
    }

    /// The take, where it is one.
    pub fn take(&self) -> Option<&TakeRig> {
        match &self.what {
            What::Take(rig) => Some(rig),
            _ => None,
        }
    }

    /// World poses at the playhead.
    pub fn world(&self, cx: &Cx<'_>, world: &mut Vec<Trs>) {
        let secs = cx.playhead_secs();
        match &self.what {
            What::Take(rig) => {
                let own = cx.export().and_then(|export| export.take());
                // Two takes meet by their frames.
                let frame = own.map_or_else(|| rig.frame_at(secs), |own| own.1.frame_at(secs));
                let mut poses = TakePoses::default();
                rig.sample(frame, &mut poses);
                world.clone_from(&poses.world);
            }
            What::Motion(motion) => {
                motion.sample(secs.clamp(0.0, motion.clip().duration_secs()), 1.0, world);
            }
            What::Rest(rest) => world.clone_from(rest),
        }
    }

    /// The place of a joint's parent.
    pub fn parent(&self, at: usize) -> Option<usize> {
        self.parents.get(at).copied().flatten()
    }

    /// Where the bone of a joint without children ends, in its own axes, in metres.
    pub fn end(&self, at: usize) -> Option<DVec3> {
        self.ends.get(at).copied().flatten()
    }
}
