//! A clip on a hierarchy.

use super::blend::blend;
use super::clip::{Clip, Cursor};
use super::hierarchy::{Hierarchy, RestPart, RigError};
use super::lanes::LANES;
use crate::math::Trs;
use crate::model::{ClipKind, Rig};
use std::sync::Arc;

/// A rig, or a scene used as one, that rig clips can be bound to.
///
/// Made by [`Binding::load`] (the format's `ctAnimationBindingLoad`), [`Binding::parse`]
/// (`ctAnimationBindingParse`), or from the editor's model with [`Binding::new`].
#[derive(Clone, Debug)]
pub struct Binding {
    name: String,
    parts: Vec<RestPart>,
    hierarchy: Arc<Hierarchy>,
}

impl Binding {
    /// The binding of a rig of the editor's model.
    ///
    /// # Errors
    /// What [`Hierarchy::new`] says of its nodes.
    pub fn new(rig: &Rig) -> Result<Binding, RigError> {
        let nodes = rig.nodes.iter().map(|node| (node.id.as_str(), node.parent.as_deref()));
        Ok(Binding {
            name: rig.name.clone(),
            hierarchy: Arc::new(Hierarchy::new(nodes)?),
            parts: rig.nodes.iter().map(|node| RestPart::from(&**node)).collect(),
        })
    }

    /// The name that rig clips say in `model`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The nodes at rest, in the order of the file.
    pub fn parts(&self) -> &[RestPart] {
        &self.parts
    }

    /// Connects a rig clip to its rig (M11; the format's `ctAnimationBind`).
    ///
    /// # Errors
    /// [`RigError::Mismatch`] where the clip is a model clip or names another rig;
    /// [`RigError::MissingPart`] where a track's part is no node.
    pub fn bind(&self, clip: &Clip) -> Result<MotionRig, RigError> {
        if clip.kind() != ClipKind::Rig || clip.model() != self.name {
            return Err(RigError::Mismatch);
        }
        MotionRig::connect(&self.parts, Arc::clone(&self.hierarchy), clip)
    }
}

/// A clip connected to a hierarchy, which gives world poses (the format's `ctMotionRigCreate`).
/// [`Binding::bind`] makes one of a rig clip and its rig; [`MotionRig::new`] of any clip and parts
/// given by name, as of a procedural model.
#[derive(Clone, Debug)]
pub struct MotionRig {
    clip: Clip,
    hierarchy: Arc<Hierarchy>,
    rest: Vec<Trs>,
    names: Vec<String>,
    /// Parts with a track.
    animated: Vec<u32>,
    /// For each lane of the clip the part it writes to.
    targets: Vec<[u32; LANES]>,
}

impl MotionRig {
    /// Connects a clip to parts at rest, whose parents may stand after them.
    ///
    /// # Errors
    /// What [`Hierarchy::new`] says of the parts; [`RigError::MissingPart`] where a track's part
    /// is none of them. Whether the clip was made for these parts is [`Binding::bind`]'s to say.
    pub fn new(rest_parts: &[RestPart], clip: &Clip) -> Result<MotionRig, RigError> {
        let parts = rest_parts.iter().map(|part| (part.name.as_str(), part.parent.as_deref()));
        Self::connect(rest_parts, Arc::new(Hierarchy::new(parts)?), clip)
    }

    fn connect(
        rest_parts: &[RestPart],
        hierarchy: Arc<Hierarchy>,
        clip: &Clip,
    ) -> Result<MotionRig, RigError> {
        let mut animated = Vec::with_capacity(clip.parts().len());
        for name in clip.parts() {
            match hierarchy.find(name) {
                Some(part) => animated.push(part as u32),
                None => return Err(RigError::MissingPart(name.to_owned())),
            }
        }
        let targets = clip.targets().iter().map(|lanes| lanes.map(|part| animated[part as usize]));
        Ok(MotionRig {
            targets: targets.collect(),
            rest: rest_parts.iter().map(|part| part.rest).collect(),
            names: rest_parts.iter().map(|part| part.name.clone()).collect(),
            clip: clip.clone(),
            hierarchy,
            animated,
        })
    }

    /// The clip that plays.
    pub fn clip(&self) -> &Clip {
        &self.clip
    }

    /// The names of the parts, in the order of all poses.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The place of a part in the order of all poses.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.hierarchy.find(name)
    }

    /// The hierarchy, for world poses of poses that did not come from a clip.
    pub fn hierarchy(&self) -> &Hierarchy {
        &self.hierarchy
    }

    /// World poses at a clip time in seconds (M22, M24, M25; the format's `ctMotionRigSample`):
    /// one for each part, in the order in which the parts were given. `weight` is clamped to 0–1,
    /// from rest to pose. The time is not wrapped: see [`Clip::time`].
    ///
    /// `world` is cleared first. Once it has room for all parts, nothing is allocated (M26).
    pub fn sample(&self, time_secs: f64, weight: f64, world: &mut Vec<Trs>) {
        self.sample_local(time_secs, weight, world);
        self.hierarchy.local_to_world(world);
    }

    /// As [`MotionRig::sample`], with a cursor for time that advances by little. The result is the
    /// same to the last bit.
    pub fn sample_with(
        &self,
        cursor: &mut Cursor,
        time_secs: f64,
        weight: f64,
        world: &mut Vec<Trs>,
    ) {
        self.fill_local(Some(cursor), time_secs, weight, world);
        self.hierarchy.local_to_world(world);
    }

    /// As [`MotionRig::sample`], but each pose relative to the part's parent.
    pub fn sample_local(&self, time_secs: f64, weight: f64, local: &mut Vec<Trs>) {
        self.fill_local(None, time_secs, weight, local);
    }

    fn fill_local(
        &self,
        cursor: Option<&mut Cursor>,
        time_secs: f64,
        weight: f64,
        local: &mut Vec<Trs>,
    ) {
        local.clear();
        local.extend_from_slice(&self.rest);
        if weight.is_nan() || weight <= 0.0 {
            return;
        }
        self.clip.sample_to(time_secs, cursor, &self.targets, local);
        if weight < 1.0 {
            for part in &self.animated {
                let part = *part as usize;
                local[part] = blend(&self.rest[part], &local[part], weight);
            }
        }
    }
}
