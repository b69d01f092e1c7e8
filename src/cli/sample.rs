//! `posewright sample`

use super::output::{self, clean, complain};
use super::report::problem_text;
use super::{FAILED, FINE, Format, HAS_ERRORS};
use crate::diagnostic::Severity;
use crate::format::FileKind;
use crate::io::{Checked, Loaded, check, open, open_as_binding};
use crate::math::Trs;
use crate::sample::{Binding, Clip, MotionRig, RestPart};
use clap::Args;
use serde::{Serialize, Serializer};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Say where everything is at some moments of a clip
#[derive(Args)]
#[command(after_help = "Example:\n  posewright sample draw.motion --time 0,0.5 --format json\n\n\
    Positions are in the rig's units, rotations are quaternions w, x, y, z.")]
pub(super) struct Sample {
    /// The clip
    file: PathBuf,
    /// The rig or scene, in place of the clip's binding
    #[arg(long, value_name = "FILE")]
    rig: Option<PathBuf>,
    /// Seconds from the clip's start; held at its start and end, never wrapped
    #[arg(long, value_name = "T[,T…]", required = true, value_delimiter = ',')]
    #[arg(allow_negative_numbers = true, value_parser = finite)]
    time: Vec<f64>,
    /// How much of the pose: 0 is rest
    #[arg(long, default_value = "1", allow_negative_numbers = true, value_parser = finite)]
    weight: f64,
    /// How to answer
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

fn finite(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ => Err("not a finite number".to_owned()),
    }
}

/// One moment in the answer.
#[derive(Serialize)]
struct Moment<'a> {
    time: f64,
    weight: f64,
    #[serde(serialize_with = "by_name")]
    parts: Vec<(&'a str, PartPoses)>,
}

#[derive(Serialize)]
struct PartPoses {
    local: PoseReport,
    world: PoseReport,
}

#[derive(Serialize)]
struct PoseReport {
    position: [f64; 3],
    /// w, x, y, z
    rotation: [f64; 4],
    scale: [f64; 3],
}

/// A map in the order of the rig.
fn by_name<S: Serializer>(parts: &[(&str, PartPoses)], to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(parts.iter().map(|(name, poses)| (name, poses)))
}

impl From<&Trs> for PoseReport {
    fn from(pose: &Trs) -> Self {
        let [x, y, z, w] = pose.rotation.to_array();
        PoseReport {
            position: pose.position.to_array(),
            rotation: [w, x, y, z],
            scale: pose.scale.to_array(),
        }
    }
}

impl Sample {
    pub fn run(&self) -> u8 {
        let (rig, duration_secs) = match self.rig() {
            Ok(rig) => {
                let duration_secs = rig.clip().duration_secs();
                (rig, duration_secs)
            }
            Err(code) => return code,
        };
        // Adding 0 makes 0 of -0.
        let weight = self.weight.clamp(0.0, 1.0) + 0.0;
        let [mut local, mut world] = [const { Vec::new() }; 2];
        let moments = self.time.iter().map(|time| {
            let time = time.clamp(0.0, duration_secs) + 0.0;
            rig.sample_local(time, weight, &mut local);
            rig.sample(time, weight, &mut world);
            let poses = local.iter().zip(&world).map(|(local, world)| PartPoses {
                local: PoseReport::from(local),
                world: PoseReport::from(world),
            });
            let parts = rig.names().iter().map(String::as_str).zip(poses);
            Moment { time, weight, parts: parts.collect() }
        });
        let moments: Vec<Moment> = moments.collect();
        let mut out = String::new();
        match self.format {
            Format::Json => {
                out = serde_json::to_string_pretty(&moments).unwrap_or_default();
                out.push('\n');
            }
            Format::Text => moments.iter().for_each(|moment| moment.write(&mut out)),
        }
        if output::print(&out) { FINE } else { FAILED }
    }

    /// The clip on its rig, or what the program exits with.
    fn rig(&self) -> Result<MotionRig, u8> {
        let checked = match &self.rig {
            // The clip's own binding does not count then; it need not even be there.
            Some(_) => open(&self.file).map(|opened| Checked { opened, binding: None }),
            None => check(&self.file, None),
        };
        let checked = checked.map_err(failed)?;
        refuse_errors(&checked)?;
        let Some(Loaded::Clip(clip)) = &checked.opened.document else {
            let kind = checked.opened.kind;
            let kind = if kind == FileKind::Unknown { "file" } else { kind.as_str() };
            return Err(failed(format!(
                "{}: a {kind} has no poses to sample",
                self.file.display()
            )));
        };
        let clip = Clip::new(clip).map_err(|error| self.broken(&self.file, &*error))?;
        let binding = match (&self.rig, checked.rig()) {
            (Some(path), _) => {
                let opened = open_as_binding(path).map_err(failed)?;
                let checked = Checked { opened, binding: None };
                refuse_errors(&checked)?;
                let Some(Loaded::Rig(rig)) = &checked.opened.document else {
                    return Err(failed(format!("{}: this is no rig", path.display())));
                };
                Some(Binding::new(rig).map_err(|error| self.broken(path, &error))?)
            }
            (None, Some(rig)) => {
                Some(Binding::new(rig).map_err(|error| self.broken(&self.file, &error))?)
            }
            (None, None) => None,
        };
        match binding {
            Some(binding) => binding.bind(&clip),
            None => {
                let parts = clip.parts().map(|name| RestPart {
                    name: name.to_owned(),
                    parent: None,
                    rest: Trs::IDENTITY,
                });
                MotionRig::new(&parts.collect::<Vec<_>>(), &clip)
            }
        }
        .map_err(|error| self.broken(&self.file, &error))
    }

    fn broken(&self, file: &Path, error: &dyn std::error::Error) -> u8 {
        complain(&format!("{}: {error}", file.display()));
        HAS_ERRORS
    }
}

fn failed(error: impl ToString) -> u8 {
    complain(&error.to_string());
    FAILED
}

/// Says every error of a file and its binding, and stops where there is one.
fn refuse_errors(checked: &Checked) -> Result<(), u8> {
    let mut code = Ok(());
    for problem in checked.opened.problems.iter().filter(|p| p.severity == Severity::Error) {
        complain(problem_text(checked, problem, false).lines().next().unwrap_or_default());
        code = Err(HAS_ERRORS);
    }
    code
}

impl Moment<'_> {
    fn write(&self, out: &mut String) {
        if !out.is_empty() {
            out.push('\n');
        }
        let _ = writeln!(out, "time {} s, weight {}", self.time, self.weight);
        for (name, poses) in &self.parts {
            let _ = writeln!(out, "{}", clean(name));
            for (space, pose) in [("local", &poses.local), ("world", &poses.world)] {
                let list = |numbers: &[f64]| {
                    let numbers = numbers.iter().map(|number| format!("{number:.6}"));
                    numbers.collect::<Vec<_>>().join(" ")
                };
                let _ = writeln!(
                    out,
                    "  {space}  position {}  rotation {}  scale {}",
                    list(&pose.position),
                    list(&pose.rotation),
                    list(&pose.scale)
                );
            }
        }
    }
}
