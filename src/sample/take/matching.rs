//! Which bone of a skeleton is which peg of a take (A32).

use super::skeleton::{SkeletonError, bone_rests};
use super::space::rest_of;
use crate::math::apart_deg;
use crate::model::take::{Bone, Peg, Skeleton, Take};
use std::collections::HashMap;

/// Rests further apart than this, in the take's unit of length, disagree (A32).
const REST_TOLERANCE: f64 = 1e-4;
/// Rests turned further apart than this, in degrees, disagree (A32).
const REST_TOLERANCE_DEG: f64 = 0.1;

/// A bone that was not matched, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unmatched {
    /// The bone's place in the skeleton.
    pub bone: usize,
    /// The pegs that it may be, the first few; none where nothing fits.
    pub candidates: Vec<usize>,
}

/// Bones and pegs that are the same thing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Match {
    /// The peg of each bone, by their places in the lists.
    pub peg_of_bone: Vec<Option<usize>>,
    /// Bones without a peg, in the order of the file.
    pub unmatched_bones: Vec<Unmatched>,
    /// Pegs without a bone, in the order of the file.
    pub unmatched_pegs: Vec<usize>,
}

/// Two matched rests that disagree; the take's wins (A32).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RestDifference {
    /// The bone's place in the skeleton.
    pub bone: usize,
    /// The peg's place in the take.
    pub peg: usize,
    /// How far apart the pivots are, in the take's unit of length.
    pub distance: f64,
    /// How far apart the rotations are, in degrees.
    pub degrees: f64,
}

/// What of a bone or a peg a match looks at.
struct Known<'a> {
    name: &'a str,
    rig: &'a str,
    path: &'a str,
}

/// The suffix that Harmony gives to pegs.
const PEG_SUFFIX: &str = "-P";

impl<'a> Known<'a> {
    fn bone(bone: &'a Bone) -> Self {
        let (rig, path) = (bone.rig.as_deref(), bone.path.as_deref());
        Known { name: &bone.name, rig: rig.unwrap_or(""), path: path.unwrap_or("") }
    }

    fn peg(peg: &'a Peg) -> Self {
        let (rig, path) = (peg.rig.as_deref(), peg.path.as_deref());
        Known { name: &peg.name, rig: rig.unwrap_or(""), path: path.unwrap_or("") }
    }

    fn stem(&self) -> &'a str {
        self.name.strip_suffix(PEG_SUFFIX).unwrap_or(self.name)
    }

    /// What must be equal by each rule, in their order.
    fn key(&self, rule: usize) -> Option<(&'a str, &'a str)> {
        match rule {
            0 => (!self.path.is_empty()).then_some((self.path, "")),
            1 => Some((self.rig, self.name)),
            2 => Some((self.rig, self.stem())),
            _ => Some(("", self.stem())),
        }
    }
}

/// So many candidates are listed.
const MAX_CANDIDATES: usize = 8;
/// How many rules there are.
const RULES: usize = 4;

/// Matches bones and pegs (A32): exact `path`; same rig and name; the same with a trailing `-P`
/// taken off; the only such name. More than one candidate, on either side: unmatched, listed.
pub fn match_bones(skeleton: &Skeleton, take: &Take) -> Match {
    let bones: Vec<Known> = skeleton.bones.iter().map(|bone| Known::bone(bone)).collect();
    let pegs: Vec<Known> = take.pegs.iter().map(|peg| Known::peg(peg)).collect();
    let mut peg_of_bone = vec![None; bones.len()];
    let mut taken = vec![false; pegs.len()];
    let mut candidates: Vec<Vec<usize>> = vec![Vec::new(); bones.len()];
    for rule in 0..RULES {
        let mut groups: HashMap<(&str, &str), [Vec<usize>; 2]> = HashMap::new();
        for (at, bone) in bones.iter().enumerate() {
            let open = peg_of_bone[at].is_none() && candidates[at].is_empty();
            if let Some(key) = bone.key(rule).filter(|_| open) {
                groups.entry(key).or_default()[0].push(at);
            }
        }
        for (at, peg) in pegs.iter().enumerate().filter(|(at, _)| !taken[*at]) {
            if let Some(group) = peg.key(rule).and_then(|key| groups.get_mut(&key)) {
                group[1].push(at);
            }
        }
        for [bones, pegs] in groups.into_values() {
            match (&bones[..], &pegs[..]) {
                (_, []) => {}
                ([bone], [peg]) => {
                    peg_of_bone[*bone] = Some(*peg);
                    taken[*peg] = true;
                }
                _ => {
                    let listed = &pegs[..pegs.len().min(MAX_CANDIDATES)];
                    bones.iter().for_each(|bone| candidates[*bone] = listed.to_vec());
                }
            }
        }
    }
    let unmatched = (0..bones.len()).filter(|bone| peg_of_bone[*bone].is_none());
    let unmatched_bones = unmatched
        .map(|bone| Unmatched { bone, candidates: std::mem::take(&mut candidates[bone]) })
        .collect();
    let unmatched_pegs = (0..pegs.len()).filter(|peg| !taken[*peg]).collect();
    Match { peg_of_bone, unmatched_bones, unmatched_pegs }
}

/// Where matched rests disagree (A32), in the order of the bones.
///
/// # Errors
/// Where the skeleton's rests mean nothing.
pub fn rest_differences(
    skeleton: &Skeleton,
    take: &Take,
    matched: &Match,
) -> Result<Vec<RestDifference>, SkeletonError> {
    let rests = bone_rests(skeleton)?;
    let pairs =
        matched.peg_of_bone.iter().enumerate().filter_map(|(bone, peg)| Some((bone, (*peg)?)));
    let difference = |(bone, peg): (usize, usize)| {
        let (of_bone, of_peg) = (rests.get(bone)?, rest_of(take.pegs.get(peg)?));
        let distance = of_bone.position.distance(of_peg.position);
        let degrees = apart_deg(of_bone.rotation, of_peg.rotation);
        let apart = distance > REST_TOLERANCE || degrees > REST_TOLERANCE_DEG;
        apart.then_some(RestDifference { bone, peg, distance, degrees })
    };
    Ok(pairs.filter_map(difference).collect())
}
