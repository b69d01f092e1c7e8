//! The other document's poses, for the viewport.

use crate::diff;
use crate::edit::Content;
use crate::math::Trs;
use crate::model::Rig;
use crate::sample::MotionRig;
use crate::sample::take::{SkeletonRig, TakePoses, TakeRig};
use crate::ui::cx::Cx;

/// What gives the other's poses.
pub enum Ghost {
    /// A take.
    Take(Box<TakeRig>),
    /// A clip on its rig.
    Motion {
        /// The clip.
        motion: Box<MotionRig>,
        /// Parents of its parts.
        parents: Vec<Option<usize>>,
    },
    /// Something that rests.
    Rest {
        /// Where it is.
        world: Vec<Trs>,
        /// Parents.
        parents: Vec<Option<usize>>,
    },
}

impl Ghost {
    /// The poses of a document; `None` where it has none.
    pub fn new(content: &Content, take: Option<TakeRig>, rig: Option<&Rig>) -> Option<Ghost> {
        match content {
            Content::Take(_) => take.map(|rig| Ghost::Take(Box::new(rig))),
            Content::Skeleton(skeleton) => {
                let rig = SkeletonRig::new(skeleton);
                let parents = rig.links.iter().map(|link| link.index()).collect();
                Some(Ghost::Rest { world: rig.world, parents })
            }
            Content::Clip(clip) => {
                let motion = Box::new(diff::motion(clip, rig).ok()?);
                // Parts without a rig stand beside each other on the stage, not where they are.
                rig?;
                let parents = diff::motion_parents(&motion, rig);
                Some(Ghost::Motion { motion, parents })
            }
            Content::Rig(rig) => {
                let (world, parents) = diff::rests(rig);
                Some(Ghost::Rest { world, parents })
            }
            Content::Text(_) => None,
        }
    }

    /// World poses at the playhead.
    pub fn world(&self, cx: &Cx<'_>, world: &mut Vec<Trs>) {
        let secs = cx.playhead_secs();
        match self {
            Ghost::Take(rig) => {
                let own = cx.export().and_then(|export| export.take());
                // Two takes meet by their frames.
                let frame = own.map_or_else(|| rig.frame_at(secs), |own| own.1.frame_at(secs));
                let mut poses = TakePoses::default();
                rig.sample(frame, &mut poses);
                world.clone_from(&poses.world);
            }
            Ghost::Motion { motion, .. } => {
                motion.sample(secs.clamp(0.0, motion.clip().duration_secs()), 1.0, world);
            }
            Ghost::Rest { world: rest, .. } => world.clone_from(rest),
        }
    }

    /// The place of a joint's parent.
    pub fn parent(&self, at: usize) -> Option<usize> {
        match self {
            Ghost::Take(rig) => rig.parent(at),
            Ghost::Motion { parents, .. } | Ghost::Rest { parents, .. } => {
                parents.get(at).copied().flatten()
            }
        }
    }
}
