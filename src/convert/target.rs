//! What was made, as it plays: any number of tracks on a rig's nodes.

use crate::math::Trs;
use crate::model::{self, ClipForm, ClipKind, Track};
use crate::sample::Clip;
use std::collections::HashMap;
use std::sync::Arc;

/// So many joints share a compiled clip: three tracks each stay below its limit.
const JOINTS: usize = 40;

/// All tracks of a rig, compiled by the one sampler, a few joints each.
#[derive(Debug)]
pub(super) struct Target {
    rests: Vec<Trs>,
    chunks: Vec<Chunk>,
}

#[derive(Debug)]
struct Chunk {
    clip: Clip,
    /// For each of the clip's parts the joint.
    joints: Vec<usize>,
}

/// The tracks of a joint: position, rotation, scale.
pub(super) type Tracks = [Option<Arc<Track>>; 3];

impl Target {
    /// Compiles the tracks of joints with these ids and rests.
    ///
    /// # Errors
    /// What the sampler says of a track.
    pub fn new(
        ids: &[&str],
        rests: Vec<Trs>,
        tracks: &[Tracks],
        duration_secs: f64,
    ) -> Result<Target, String> {
        let mut target = Target { rests, chunks: Vec::new() };
        for first in (0..ids.len()).step_by(JOINTS) {
            target.chunks.push(chunk(ids, tracks, first, duration_secs, None)?);
        }
        Ok(target)
    }

    /// Compiles the tracks of those joints anew that changed.
    ///
    /// # Errors
    /// As [`Target::new`].
    pub fn update(
        &mut self,
        ids: &[&str],
        tracks: &[Tracks],
        duration_secs: f64,
        changed: &[bool],
    ) -> Result<(), String> {
        for (number, old) in self.chunks.iter_mut().enumerate() {
            let first = number * JOINTS;
            let end = (first + JOINTS).min(changed.len());
            if changed[first..end].contains(&true) {
                *old = chunk(ids, tracks, first, duration_secs, Some(&old.clip))?;
            }
        }
        Ok(())
    }

    /// All joints relative to their parents at a clip time.
    pub fn sample(&self, time_secs: f64, local: &mut Vec<Trs>, scratch: &mut Vec<Trs>) {
        local.clear();
        local.extend_from_slice(&self.rests);
        for Chunk { clip, joints } in &self.chunks {
            scratch.clear();
            scratch.extend(joints.iter().map(|joint| local[*joint]));
            clip.sample_parts(time_secs, scratch);
            for (joint, pose) in joints.iter().zip(&*scratch) {
                local[*joint] = *pose;
            }
        }
    }
}

fn chunk(
    ids: &[&str],
    tracks: &[Tracks],
    first: usize,
    duration_secs: f64,
    before: Option<&Clip>,
) -> Result<Chunk, String> {
    let range = first..(first + JOINTS).min(ids.len());
    let clip = model::Clip {
        kind: ClipKind::Rig,
        form: ClipForm::Bare,
        binding: None,
        model: String::new(),
        duration_secs,
        looping: false,
        tracks: range.clone().flat_map(|joint| tracks[joint].iter().flatten().cloned()).collect(),
        origin: None,
    };
    let clip = match before {
        Some(before) => before.updated(&clip),
        None => Clip::new(&clip),
    };
    let clip = clip.map_err(|problem| problem.message)?;
    let by_id: HashMap<&str, usize> = range.map(|joint| (ids[joint], joint)).collect();
    let joints = clip.parts().filter_map(|part| by_id.get(part).copied()).collect();
    Ok(Chunk { clip, joints })
}
