//! Which part moves with which, and world poses.

use crate::math::{Trs, quat_from_euler};
use crate::model::limits::MAX_DEPTH;
use crate::model::{Node, messages};
use std::collections::HashMap;

/// A part at rest: what a hierarchy is made of.
#[derive(Clone, Debug, PartialEq)]
pub struct RestPart {
    /// What tracks call it: a rig's node id, or a model's part name. Unique.
    pub name: String,
    /// The name of the part that it moves with; `None` for a root.
    pub parent: Option<String>,
    /// Its pose relative to the parent where nothing animates it.
    pub rest: Trs,
}

impl From<&Node> for RestPart {
    /// A rig's node at rest.
    fn from(node: &Node) -> Self {
        RestPart { name: node.id.clone(), parent: node.parent.clone(), rest: rest_pose(node) }
    }
}

/// A node's rest pose relative to its parent.
pub fn rest_pose(node: &Node) -> Trs {
    Trs { position: node.position, rotation: quat_from_euler(node.rotation), scale: node.scale }
}

/// Why parts and a clip do not go together. The sentences are those of the format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RigError {
    /// Two parts of one name.
    #[error("{}", messages::duplicate_part(.0))]
    DuplicatePart(String),
    /// A parent that is no part.
    #[error("{}", messages::missing_parent(.0))]
    MissingParent(String),
    /// A loop of parents.
    #[error("{}", messages::CYCLE)]
    Cycle,
    /// More than 128 levels.
    #[error("{}", messages::DEPTH)]
    Depth,
    /// A track whose part is not there.
    #[error("{}", messages::missing_part(.0))]
    MissingPart(String),
    /// The clip's `model` is not the rig's name, or a model clip was bound to a rig (M11).
    #[error("{}", messages::BINDING_MISMATCH)]
    Mismatch,
}

/// Parents and the order in which world poses come out of local ones.
#[derive(Clone, Debug, Default)]
pub struct Hierarchy {
    index: HashMap<String, usize>,
    /// All parts but the roots, parents first, by twos that do not wait for each other. A part
    /// that is alone on its level stands there twice.
    pairs: Vec<[Step; 2]>,
    roots: Vec<u32>,
}

/// A part and the part that it moves with, by number.
#[derive(Clone, Copy, Debug)]
struct Step {
    part: u32,
    parent: u32,
}

impl Hierarchy {
    /// The hierarchy of parts given by name and parent's name.
    ///
    /// # Errors
    /// In this order (M3): [`RigError::DuplicatePart`], [`RigError::MissingParent`],
    /// [`RigError::Cycle`], [`RigError::Depth`].
    pub fn new<'a>(
        parts: impl Iterator<Item = (&'a str, Option<&'a str>)> + Clone,
    ) -> Result<Self, RigError> {
        let mut index = HashMap::new();
        for (number, (name, _)) in parts.clone().enumerate() {
            if index.insert(name.to_owned(), number).is_some() {
                return Err(RigError::DuplicatePart(name.to_owned()));
            }
        }
        let mut parents = Vec::with_capacity(index.len());
        for (_, parent) in parts {
            parents.push(match parent {
                None => None,
                Some(name) => match index.get(name) {
                    Some(parent) => Some(*parent),
                    None => return Err(RigError::MissingParent(name.to_owned())),
                },
            });
        }
        let levels = levels(&parents)?;
        if levels.iter().any(|level| *level > MAX_DEPTH) {
            return Err(RigError::Depth);
        }
        // Level by level: neighbours do not wait for each other's result.
        let mut steps_of_level: Vec<Vec<Step>> = Vec::new();
        for (part, level) in levels.iter().enumerate() {
            let Some(parent) = parents[part] else { continue };
            steps_of_level.resize_with(steps_of_level.len().max(*level), Vec::new);
            steps_of_level[level - 1].push(Step { part: part as u32, parent: parent as u32 });
        }
        let by_twos = steps_of_level.iter().flat_map(|steps| steps.chunks(2));
        let pairs = by_twos.filter_map(|two| Some([*two.first()?, *two.last()?])).collect();
        let numbered = parents.iter().zip(0..);
        let roots = numbered.filter_map(|(parent, at)| parent.is_none().then_some(at)).collect();
        Ok(Hierarchy { index, pairs, roots })
    }

    /// How many parts there are.
    pub fn len(&self) -> usize {
        self.index.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.index.is_empty()
    }

    /// The place of a part in the order in which the parts were given.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.index.get(name).copied()
    }

    /// World poses of local ones, both in the order in which the parts were given (M25): what
    /// [`Hierarchy::local_to_world`] does in place. False, and nothing done, where there are not as
    /// many poses as parts.
    pub fn world_from_local(&self, local: &[Trs], world: &mut [Trs]) -> bool {
        if local.len() != self.len() || world.len() != self.len() {
            return false;
        }
        for root in &self.roots {
            world[*root as usize] = local[*root as usize];
        }
        for [a, b] in &self.pairs {
            let parents = [a, b].map(|step| &world[step.parent as usize]);
            let locals = [a, b].map(|step| &local[step.part as usize]);
            let [first, second] = Trs::compose_two(parents, locals);
            world[a.part as usize] = first;
            world[b.part as usize] = second;
        }
        true
    }

    /// Turns local poses, in the order in which the parts were given, into world poses, in place
    /// (M25). False, and nothing done, where there are not as many poses as parts.
    pub fn local_to_world(&self, poses: &mut [Trs]) -> bool {
        if poses.len() != self.len() {
            return false;
        }
        for [a, b] in &self.pairs {
            let parents = [a, b].map(|step| &poses[step.parent as usize]);
            let locals = [a, b].map(|step| &poses[step.part as usize]);
            let [first, second] = Trs::compose_two(parents, locals);
            poses[a.part as usize] = first;
            poses[b.part as usize] = second;
        }
        true
    }
}

/// Each part's level, roots being 1.
fn levels(parents: &[Option<usize>]) -> Result<Vec<usize>, RigError> {
    let mut levels = vec![0; parents.len()];
    let mut path = Vec::new();
    for start in 0..parents.len() {
        let mut part = start;
        let mut level = loop {
            if levels[part] > 0 {
                break levels[part];
            }
            path.push(part);
            // A way up that is longer than there are parts never ends.
            if path.len() > parents.len() {
                return Err(RigError::Cycle);
            }
            match parents[part] {
                Some(parent) => part = parent,
                None => break 0,
            }
        };
        while let Some(part) = path.pop() {
            level += 1;
            levels[part] = level;
        }
    }
    Ok(levels)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // A panic is a failed test.
    use super::*;
    use glam::{DQuat, DVec3};

    #[test]
    fn in_place_and_beside_give_the_same_world() {
        let parts =
            [("b", Some("a")), ("a", None), ("c", Some("b")), ("d", Some("b")), ("e", None)];
        let hierarchy = Hierarchy::new(parts.into_iter()).unwrap();
        let local: Vec<Trs> = (1..=5)
            .map(|at| Trs {
                position: DVec3::new(f64::from(at), 0.5, -1.0),
                rotation: DQuat::from_rotation_z(0.3 * f64::from(at)),
                scale: DVec3::new(1.0, 2.0, 0.5),
            })
            .collect();
        let mut in_place = local.clone();
        assert!(hierarchy.local_to_world(&mut in_place));
        // What stood there before does not matter.
        let mut beside = vec![Trs { position: DVec3::NAN, ..Trs::IDENTITY }; 5];
        assert!(hierarchy.world_from_local(&local, &mut beside));
        assert_eq!(beside, in_place);
        assert_eq!(beside[0], local[1].compose(&local[0]));
        assert!(!hierarchy.world_from_local(&local, &mut beside[..4]));
        assert!(!hierarchy.world_from_local(&local[..4], &mut beside));
    }
}
