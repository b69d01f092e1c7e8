//! Moments of exports: `.anm` and `.pvt`.

use super::super::output::complain;
use super::{Moment, PartPoses, PoseReport, Sample, SpaceChoice, failed, list};
use crate::math::Trs;
use crate::model::take::{CoordinateSystem, Skeleton, Take};
use crate::sample::blend;
use crate::sample::take::{
    RawPose, SkeletonRig, Space, TakeCurves, TakePoses, TakeRig, Turn, bone_rests, declared_basis,
    measure_space,
};
use serde::Serialize;
use std::fmt::Write;
use std::path::Path;

/// A peg's channels as evaluated: in the file's own space, axes and lengths.
#[derive(Serialize)]
pub(super) struct RawReport {
    pos: [f64; 3],
    /// Degrees; null where quaternions rule (A14).
    rot: Option<[f64; 3]>,
    /// w, x, y, z; only where quaternions rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    rot_quat: Option<[f64; 4]>,
    scl: [f64; 3],
}

impl From<&RawPose> for RawReport {
    fn from(raw: &RawPose) -> Self {
        let (rot, rot_quat) = match raw.turn {
            Turn::Euler(degrees) => (Some(degrees.to_array()), None),
            Turn::Quat(quat) => (None, Some([quat.w, quat.x, quat.y, quat.z])),
        };
        RawReport { pos: raw.pos.to_array(), rot, rot_quat, scl: raw.scl.to_array() }
    }
}

impl RawReport {
    pub fn write(&self, out: &mut String) {
        let turn = match (self.rot, self.rot_quat) {
            (Some(rot), _) => format!("rot {}", list(&rot)),
            (None, Some(quat)) => format!("rot_quat {}", list(&quat)),
            (None, None) => String::new(),
        };
        let (pos, scl) = (list(&self.pos), list(&self.scl));
        let _ = writeln!(out, "  raw    pos {pos}  {turn}  scl {scl}");
    }
}

impl Sample {
    /// An `.anm` at its moments, or what the program exits with.
    pub(super) fn take(&self, take: &Take) -> Result<String, u8> {
        let file = self.file.display();
        if self.rig.is_some() {
            return Err(failed(format!("{file}: --rig is for clips; an .anm has its own rests")));
        }
        if self.time.is_empty() && self.frame.is_empty() {
            let message = "say which moments: --frame F[,F…] or --time T[,T…]";
            return Err(failed(format!("{file}: {message}")));
        }
        let (rig, heading) = self.take_in_its_space(take)?;
        let duration_secs = rig.duration_secs();
        let frames: Vec<f64> = match (self.frame.is_empty(), duration_secs) {
            // Adding 0 makes 0 of -0.
            (false, _) => self.frame.iter().map(|frame| frame + 0.0).collect(),
            (true, Some(duration_secs)) => {
                let clamped = self.time.iter().map(|time| time.clamp(0.0, duration_secs) + 0.0);
                clamped.map(|time| rig.frame_at(time)).collect()
            }
            (true, None) => {
                let [first, last] = take.frame_range();
                return Err(failed(format!(
                    "{file}: at {} frames a second, from frame {first} to {last}, there is no \
                     time; use --frame",
                    take.fps()
                )));
            }
        };
        warn_of_basis(&self.file, take.header.coordinate_system.as_ref());
        let weight = self.weight();
        let mut poses = TakePoses::default();
        let rests: Vec<Trs> = (0..rig.len()).filter_map(|peg| rig.rest(peg)).collect();
        let moments = frames.into_iter().map(|frame| {
            rig.sample(frame, &mut poses);
            if weight < 1.0 {
                for (local, rest) in poses.local.iter_mut().zip(&rests) {
                    *local = blend(rest, local, weight);
                }
                poses.world.clone_from(&poses.local);
                rig.local_to_world(&mut poses.world);
            }
            let pegs = poses.raw.iter().zip(poses.local.iter().zip(&poses.world));
            let parts = rig.labels().iter().zip(pegs).map(|(label, (raw, (local, world)))| {
                let raw = Some(RawReport::from(raw));
                let (local, world) = (PoseReport::from(local), PoseReport::from(world));
                (label.as_str(), PartPoses { local, world, raw })
            });
            let time = rig.time_secs_at(frame);
            Moment { frame: Some(frame), time, weight, parts: parts.collect() }
        });
        Ok(self.answer(&moments.collect::<Vec<_>>(), &heading))
    }

    /// The take in the space that was asked for or measured, with a line about it.
    fn take_in_its_space(&self, take: &Take) -> Result<(TakeRig, String), u8> {
        let (space, measured) = space_of(&self.file, take, self.space)?;
        let Some((curves, figures)) = measured else {
            return Ok((TakeRig::new(take, space), String::new()));
        };
        let line = format!("space {}, measured: {figures}", space.as_str());
        if self.format == super::Format::Json {
            complain(&format!("{}: {line}", self.file.display()));
        }
        Ok((TakeRig::with_curves(take, space, &curves), line + "\n\n"))
    }

    /// A `.pvt` at rest, or what the program exits with.
    pub(super) fn skeleton(&self, skeleton: &Skeleton) -> Result<String, u8> {
        let file = self.file.display();
        if self.rig.is_some() || self.space != SpaceChoice::Auto {
            return Err(failed(format!("{file}: a .pvt takes neither --rig nor --space")));
        }
        if let Err(error) = bone_rests(skeleton) {
            complain(&format!("{file}: {error}"));
            return Err(super::HAS_ERRORS);
        }
        warn_of_basis(&self.file, skeleton.header.coordinate_system.as_ref());
        let rig = SkeletonRig::new(skeleton);
        // A skeleton rests at any time.
        let fps = skeleton.fps();
        let secs_of = |frame: f64| (fps > 0.0).then(|| frame / fps);
        let moments: Vec<(Option<f64>, Option<f64>)> = match (&self.time[..], &self.frame[..]) {
            ([], []) => vec![(None, Some(0.0))],
            ([], frames) => frames.iter().map(|f| (Some(*f), secs_of(*f))).collect(),
            (times, _) => times.iter().map(|time| (None, Some(*time))).collect(),
        };
        let weight = self.weight();
        let moments = moments.into_iter().map(|(frame, time)| {
            let poses = rig.local.iter().zip(&rig.world).map(|(local, world)| PartPoses {
                local: PoseReport::from(local),
                world: PoseReport::from(world),
                raw: None,
            });
            let parts = rig.labels.iter().map(String::as_str).zip(poses);
            Moment { frame, time, weight, parts: parts.collect() }
        });
        Ok(self.answer(&moments.collect::<Vec<_>>(), ""))
    }
}

/// The space of a take: as asked for, otherwise as measured (A20), with the curves that it was
/// measured by and its three figures. Where the numbers do not decide it, says so and gives the
/// code to exit with.
pub(in crate::cli) fn space_of(
    file: &Path,
    take: &Take,
    choice: SpaceChoice,
) -> Result<(Space, Option<(TakeCurves, String)>), u8> {
    let asked = match choice {
        SpaceChoice::Auto => None,
        SpaceChoice::Local => Some(Space::Local),
        SpaceChoice::Delta => Some(Space::Delta),
        SpaceChoice::World => Some(Space::World),
    };
    if let Some(space) = asked {
        return Ok((space, None));
    }
    let curves = TakeCurves::new(take, Space::World);
    let measured = measure_space(take, &curves);
    let figures = measured.figures_text();
    let Some(space) = measured.decided else {
        let choices: Vec<&str> = measured.choices().iter().map(|s| s.as_str()).collect();
        return Err(failed(format!(
            "{}: what its values are relative to is undecided ({figures}): say it with --space {}",
            file.display(),
            choices.join(" or --space ")
        )));
    };
    Ok((space, Some((curves, figures))))
}

/// Says what of the header's axes nobody knows: poses are shown as canonical then (A21).
pub(in crate::cli) fn warn_of_basis(file: &Path, system: Option<&CoordinateSystem>) {
    if let Err(error) = declared_basis(system) {
        let file = file.display();
        complain(&format!("{file}: {error}; shown as Y up, right-handed, metres"));
    }
}
