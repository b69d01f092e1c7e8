//! A take that was given a space: local and world poses at any frame (A20–A22).

use super::camera::{CameraView, camera_peg, camera_view};
use super::curves::{TakeCurves, parents_first};
use super::peg::RawPose;
use super::space::{Space, local_under, rest_of};
use super::{basis::shown_basis, peg::PegCurves};
use crate::math::{Basis, Trs};
use crate::model::take::{ParentLink, Take, TakeCamera};
use std::collections::HashMap;
use std::sync::Arc;

/// Poses of all pegs at one frame; kept by the caller, so that sampling allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct TakePoses {
    /// The channels as evaluated, in the file's own space, axes and lengths.
    pub raw: Vec<RawPose>,
    /// Relative to the parent; metres, Y up, right-handed.
    pub local: Vec<Trs>,
    /// In the world; metres, Y up, right-handed.
    pub world: Vec<Trs>,
}

/// A take in a space: what a viewport shows of it. Lists are in the order of the pegs.
///
/// Whatever the header declares, poses come out in metres, Y up, right-handed (A21); curves are
/// evaluated as they stand in the file, and [`TakePoses::raw`] is theirs.
#[derive(Clone, Debug)]
pub struct TakeRig {
    curves: TakeCurves,
    space: Space,
    basis: Basis,
    labels: Vec<String>,
    links: Vec<ParentLink>,
    /// Child and parent, parents before their children.
    steps: Vec<[usize; 2]>,
    /// In the file's own axes and lengths.
    rests: Vec<Trs>,
    cameras: Vec<(Arc<TakeCamera>, Option<usize>)>,
    frame_range: [f64; 2],
    fps: f64,
}

impl TakeRig {
    /// A take in a space.
    pub fn new(take: &Take, space: Space) -> Self {
        Self::with_curves(take, space, &TakeCurves::default())
    }

    /// The take after an edit, or in another space: only pegs that are not the same shared values
    /// are compiled.
    #[must_use]
    pub fn updated(&self, take: &Take, space: Space) -> Self {
        Self::with_curves(take, space, &self.curves)
    }

    /// As [`TakeRig::new`], from curves that were made for something else, such as the measurement.
    pub fn with_curves(take: &Take, space: Space, before: &TakeCurves) -> Self {
        let links = take.parents();
        let cameras = take.cameras.iter();
        TakeRig {
            curves: before.updated_with(take, space, &links),
            space,
            basis: shown_basis(take.header.coordinate_system.as_ref()),
            labels: labels(take.pegs.iter().map(|peg| (&*peg.name, peg.path.as_deref()))),
            steps: parents_first(&links),
            rests: take.pegs.iter().map(|peg| rest_of(peg)).collect(),
            cameras: cameras.map(|c| (Arc::clone(c), camera_peg(take, c))).collect(),
            links,
            frame_range: take.frame_range(),
            fps: take.fps(),
        }
    }

    /// The space it is in.
    pub fn space(&self) -> Space {
        self.space
    }

    /// The change of basis that its poses went through (A21).
    pub fn basis(&self) -> Basis {
        self.basis
    }

    /// The curves of its pegs.
    pub fn curves(&self) -> &TakeCurves {
        &self.curves
    }

    /// How many pegs there are.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// What each peg is called where each must have a name of its own: its name; where names
    /// clash, its path; where that does not help, with a number.
    pub fn labels(&self) -> &[String] {
        &self.labels
    }

    /// What each peg's parent is (A22).
    pub fn links(&self) -> &[ParentLink] {
        &self.links
    }

    /// The place of a peg's parent; `None` for roots, and for pegs that are shown as roots.
    pub fn parent(&self, peg: usize) -> Option<usize> {
        self.links.get(peg)?.index()
    }

    /// All pegs that have a parent, with it, parents before their children.
    pub fn parents_first(&self) -> &[[usize; 2]] {
        &self.steps
    }

    /// How a peg rests relative to its parent; metres, Y up, right-handed.
    pub fn rest(&self, peg: usize) -> Option<Trs> {
        self.rests.get(peg).map(|rest| self.basis.pose(rest))
    }

    /// The frame of a time in seconds, 0 being the range's first frame (A50). With a rate of 0 or
    /// less every time is the first frame.
    pub fn frame_at(&self, time_secs: f64) -> f64 {
        match self.fps > 0.0 {
            true => self.frame_range[0] + time_secs * self.fps,
            false => self.frame_range[0],
        }
    }

    /// The time in seconds of a frame; `None` with a rate of 0 or less.
    pub fn time_secs_at(&self, frame: f64) -> Option<f64> {
        (self.fps > 0.0).then(|| (frame - self.frame_range[0]) / self.fps)
    }

    /// Length of the range in seconds; `None` with a rate of 0 or less, or a reversed range.
    pub fn duration_secs(&self) -> Option<f64> {
        self.time_secs_at(self.frame_range[1]).filter(|secs| *secs >= 0.0)
    }

    /// First and last frame, as written (A1b).
    pub fn frame_range(&self) -> [f64; 2] {
        self.frame_range
    }

    /// All poses at a frame, whole or between (A10–A14, A20).
    pub fn sample(&self, frame: f64, out: &mut TakePoses) {
        self.curves.sample(frame, &mut out.raw);
        self.place(out);
        if !self.basis.is_canonical() {
            for pose in out.local.iter_mut().chain(&mut out.world) {
                *pose = self.basis.pose(pose);
            }
        }
    }

    /// Fills local and world poses in the file's own axes from its channels.
    fn place(&self, out: &mut TakePoses) {
        let TakePoses { raw, local, world } = out;
        let keyed = |peg: &PegCurves| !peg.frames().is_empty();
        let pegs = self.curves.pegs().iter().zip(&self.rests);
        let poses = raw.iter().zip(pegs).map(|(raw, (peg, rest))| match self.space {
            // Without keys it stays where it rests under its parent, in every space.
            _ if !keyed(peg) => *rest,
            Space::Local | Space::World => raw.trs(),
            Space::Delta => rest.compose(&raw.trs()),
        });
        local.clear();
        local.extend(poses);
        world.clear();
        world.extend_from_slice(local);
        for [child, parent] in &self.steps {
            let (child, parent) = (*child, *parent);
            if self.space == Space::World && keyed(&self.curves.pegs()[child]) {
                local[child] = local_under(&world[parent], &world[child]);
            } else {
                world[child] = world[parent].compose(&local[child]);
            }
        }
    }

    /// The rest pose of all pegs in the world; metres, Y up, right-handed.
    pub fn rest_world(&self, world: &mut Vec<Trs>) {
        world.clear();
        world.extend(self.rests.iter().map(|rest| self.basis.pose(rest)));
        self.local_to_world(world);
    }

    /// Turns poses relative to the parent into world poses, in place. False, and nothing done,
    /// where there are not as many poses as pegs.
    pub fn local_to_world(&self, poses: &mut [Trs]) -> bool {
        if poses.len() != self.len() {
            return false;
        }
        for [child, parent] in &self.steps {
            poses[*child] = poses[*parent].compose(&poses[*child]);
        }
        true
    }

    /// The cameras, in the order of the file.
    pub fn cameras(&self) -> impl ExactSizeIterator<Item = &Arc<TakeCamera>> {
        self.cameras.iter().map(|(camera, _)| camera)
    }

    /// The peg that moves a camera.
    pub fn camera_peg(&self, camera: usize) -> Option<usize> {
        self.cameras.get(camera)?.1
    }

    /// What a camera sees (A40), with the pegs at `world` (metres, Y up, right-handed), in a
    /// picture `aspect` times as wide as high. `None` where there is no such camera.
    pub fn camera(&self, camera: usize, world: &[Trs], aspect: f64) -> Option<CameraView> {
        let (camera, peg) = self.cameras.get(camera)?;
        let peg = peg.and_then(|peg| world.get(peg)).copied().unwrap_or(Trs::IDENTITY);
        Some(camera_view(camera, &peg, self.basis, aspect))
    }
}

/// A name for each of its own, of names and paths: its name; where names clash, its path; where
/// that does not help, with a number.
pub fn labels<'a>(
    elements: impl Iterator<Item = (&'a str, Option<&'a str>)> + Clone,
) -> Vec<String> {
    let mut names: HashMap<&str, usize> = HashMap::new();
    elements.clone().for_each(|(name, _)| *names.entry(name).or_default() += 1);
    let wanted = |(name, path): (&'a str, Option<&'a str>)| match path {
        Some(path) if !path.is_empty() && names[name] > 1 => path,
        _ => name,
    };
    let mut wishes: HashMap<&str, usize> = HashMap::new();
    elements.clone().for_each(|element| *wishes.entry(wanted(element)).or_default() += 1);
    let mut taken: HashMap<&str, usize> = HashMap::new();
    let label = |element| {
        let wish = wanted(element);
        let nth = taken.entry(wish).or_default();
        *nth += 1;
        if *nth == 1 {
            return wish.to_owned();
        }
        // A name that nobody else has, whatever the others are called.
        let mut number = *nth;
        loop {
            let label = format!("{wish} #{number}");
            if !wishes.contains_key(label.as_str()) {
                *nth = number;
                return label;
            }
            number += 1;
        }
    };
    elements.map(label).collect()
}

#[cfg(test)]
mod tests {
    use super::labels;

    #[test]
    fn every_peg_has_a_label_of_its_own() {
        let pegs = [
            ("hip", Some("a/hip")),
            ("hip", Some("b/hip")),
            ("leg", Some("a/leg")),
            ("arm", None),
            ("arm", Some("")),
            ("arm #2", None),
            ("arm", None),
        ];
        let expected = ["a/hip", "b/hip", "leg", "arm", "arm #3", "arm #2", "arm #4"];
        assert_eq!(labels(pegs.into_iter()), expected);
    }
}
