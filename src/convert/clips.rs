//! Tracks to clips (A51, A54).

use super::fit::Fitted;
use super::measure::Chains;
use crate::model::limits::MAX_TRACKS;
use crate::model::{Clip, ClipForm, ClipKind, Track, Uids};
use std::sync::Arc;

/// Which joints' tracks each clip has: one clip where all fit, otherwise depth first; a subtree
/// that fits stays together, otherwise its root's tracks go alone and its children are tried
/// (A54). What is next to each other shares a clip while it fits.
pub(super) fn shares(chains: &Chains, counts: &[usize]) -> Vec<Vec<usize>> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); counts.len()];
    let mut roots = Vec::new();
    for (joint, parent) in chains.parents.iter().enumerate() {
        match parent {
            Some(parent) => children[*parent].push(joint),
            None => roots.push(joint),
        }
    }
    let mut below = counts.to_vec();
    for joint in chains.order.iter().rev() {
        if let Some(parent) = chains.parents[*joint] {
            below[parent] += below[*joint];
        }
    }
    // Units, depth first.
    let mut units: Vec<(Vec<usize>, usize)> = Vec::new();
    let mut due: Vec<usize> = roots.into_iter().rev().collect();
    while let Some(joint) = due.pop() {
        if below[joint] <= MAX_TRACKS {
            let mut whole = Vec::new();
            let mut inner = vec![joint];
            while let Some(member) = inner.pop() {
                whole.push(member);
                inner.extend(children[member].iter().rev());
            }
            units.push((whole, below[joint]));
        } else {
            units.push((vec![joint], counts[joint]));
            due.extend(children[joint].iter().rev());
        }
    }
    let mut clips: Vec<(Vec<usize>, usize)> = Vec::new();
    for (joints, count) in units.into_iter().filter(|unit| unit.1 > 0) {
        match clips.last_mut() {
            Some((last, held)) if *held + count <= MAX_TRACKS => {
                last.extend(joints);
                *held += count;
            }
            _ => clips.push((joints, count)),
        }
    }
    clips.into_iter().map(|clip| clip.0).collect()
}

/// A new clip of these tracks, on a rig of this name.
pub(super) fn clip(
    tracks: Vec<Arc<Track>>,
    name: &str,
    binding: &str,
    duration_secs: f64,
    looping: bool,
    uids: &mut Uids,
) -> Clip {
    let fresh = |track: Arc<Track>| {
        let mut track = Track::clone(&track);
        track.uid = uids.fresh();
        track.keys.iter_mut().for_each(|key| key.uid = uids.fresh());
        Arc::new(track)
    };
    Clip {
        kind: ClipKind::Rig,
        form: ClipForm::Bare,
        binding: Some(binding.to_owned()),
        model: name.to_owned(),
        duration_secs,
        looping,
        tracks: tracks.into_iter().map(fresh).collect(),
        origin: None,
    }
}

/// How many tracks a joint has.
pub(super) fn count(tracks: &[Option<Fitted>; 3]) -> usize {
    tracks.iter().flatten().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subtrees_that_fit_stay_together() {
        // A root with two arms of 100 tracks each, and a hat.
        let mut parents = vec![None];
        parents.extend((0..50).map(|at| Some(if at == 0 { 0 } else { at })));
        parents.extend((0..50).map(|at| Some(if at == 0 { 0 } else { at + 50 })));
        parents.push(Some(0));
        let chains = Chains::new(parents);
        let mut counts = vec![2; 102];
        counts[0] = 3;
        let clips = shares(&chains, &counts);
        assert_eq!(clips.len(), 2);
        assert_eq!(clips[0], (0..=50).collect::<Vec<_>>());
        assert_eq!(clips[1], (51..=101).collect::<Vec<_>>());
        let all: usize = clips.iter().map(Vec::len).sum();
        assert_eq!(all, 102);
    }

    #[test]
    fn a_long_chain_is_cut_where_it_must_be() {
        let chains = Chains::new((0..100_usize).map(|at| at.checked_sub(1)).collect());
        let counts = vec![3; 100];
        let clips = shares(&chains, &counts);
        let sizes: Vec<usize> = clips.iter().map(|clip| clip.len() * 3).collect();
        assert!(sizes.iter().all(|size| *size <= MAX_TRACKS), "{sizes:?}");
        assert_eq!(sizes.iter().sum::<usize>(), 300);
        assert_eq!(sizes.len(), 3);
    }
}
