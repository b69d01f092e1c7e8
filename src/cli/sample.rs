//! `posewright sample`

mod export;

#[cfg(feature = "gui")]
pub(super) use export::{space_of, warn_of_basis};

use super::output::{self, clean, complain};
use super::report::problem_text;
use super::{FAILED, FINE, Format, HAS_ERRORS};
use crate::diagnostic::Severity;
use crate::format::FileKind;
use crate::io::{Checked, Loaded, Opened, check_opened, open, open_as_binding};
use crate::math::Trs;
use crate::model;
use crate::sample::{Binding, Clip, MotionRig, RestPart};
use clap::{Args, ValueEnum};
use serde::{Serialize, Serializer};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Say where everything is at some moments of a clip or an export
#[derive(Args)]
#[command(after_help = "Examples:\n  posewright sample draw.motion --time 0,0.5 --format json\n  \
    posewright sample walk.anm --frame 1,12.5 --space local\n\n\
    Positions are in the rig's units, rotations are quaternions w, x, y, z. Poses of an .anm or \
    .pvt are in metres, Y up, right-handed, whatever the file declares; `raw` is as in the file.")]
pub(super) struct Sample {
    /// The clip, .anm or .pvt
    file: PathBuf,
    /// The rig or scene, in place of the clip's binding
    #[arg(long, value_name = "FILE")]
    rig: Option<PathBuf>,
    /// Seconds from the start; held at start and end, never wrapped
    #[arg(long, value_name = "T[,T…]", value_delimiter = ',', conflicts_with = "frame")]
    #[arg(allow_negative_numbers = true, value_parser = finite)]
    time: Vec<f64>,
    /// Frames of an .anm, whole or between
    #[arg(long, value_name = "F[,F…]", value_delimiter = ',')]
    #[arg(allow_negative_numbers = true, value_parser = finite)]
    frame: Vec<f64>,
    /// How much of the pose: 0 is rest
    #[arg(long, default_value = "1", allow_negative_numbers = true, value_parser = finite)]
    weight: f64,
    /// What the values of an .anm are relative to; auto measures it
    #[arg(long, value_enum, default_value = "auto")]
    space: SpaceChoice,
    /// How to answer
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// What the values of an .anm are relative to (A20).
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum SpaceChoice {
    /// Whichever the numbers decide
    Auto,
    /// The parent
    Local,
    /// The rest pose
    Delta,
    /// The world
    World,
}

pub(super) fn finite(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ => Err("not a finite number".to_owned()),
    }
}

/// One moment in the answer.
#[derive(Serialize)]
struct Moment<'a> {
    /// Of an .anm alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    frame: Option<f64>,
    /// Seconds; null where the rate of an .anm is none.
    time: Option<f64>,
    weight: f64,
    #[serde(serialize_with = "by_name")]
    parts: Vec<(&'a str, PartPoses)>,
}

#[derive(Serialize)]
struct PartPoses {
    local: PoseReport,
    world: PoseReport,
    /// Of an .anm alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    raw: Option<export::RawReport>,
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
        let opened = match open(&self.file) {
            Ok(opened) => opened,
            Err(error) => return failed(error),
        };
        let done = match &opened.document {
            Some(Loaded::Take(take)) => self.take(take),
            Some(Loaded::Skeleton(skeleton)) => self.skeleton(skeleton),
            _ => self.clip(opened),
        };
        match done {
            Ok(out) if output::print(&out) => FINE,
            Ok(_) => FAILED,
            Err(code) => code,
        }
    }

    fn clip(&self, opened: Opened) -> Result<String, u8> {
        if opened.document.is_some() {
            self.refuse_for_clips(&opened)?;
        }
        let rig = self.bound(opened)?;
        let duration_secs = rig.clip().duration_secs();
        let weight = self.weight();
        let [mut local, mut world] = [const { Vec::new() }; 2];
        let moments = self.time.iter().map(|time| {
            let time = time.clamp(0.0, duration_secs) + 0.0;
            rig.sample_local(time, weight, &mut local);
            rig.sample(time, weight, &mut world);
            let poses = local.iter().zip(&world).map(|(local, world)| PartPoses {
                local: PoseReport::from(local),
                world: PoseReport::from(world),
                raw: None,
            });
            let parts = rig.names().iter().map(String::as_str).zip(poses);
            Moment { frame: None, time: Some(time), weight, parts: parts.collect() }
        });
        Ok(self.answer(&moments.collect::<Vec<_>>(), ""))
    }

    /// From 0 to 1. Adding 0 makes 0 of -0.
    fn weight(&self) -> f64 {
        self.weight.clamp(0.0, 1.0) + 0.0
    }

    /// The answer in the form that was asked for; `heading` is for people.
    fn answer(&self, moments: &[Moment], heading: &str) -> String {
        let mut out = String::new();
        match self.format {
            Format::Json => {
                out = serde_json::to_string_pretty(moments).unwrap_or_default();
                out.push('\n');
            }
            Format::Text => {
                out.push_str(heading);
                moments.iter().for_each(|moment| moment.write(&mut out));
            }
        }
        out
    }

    /// What makes no sense for anything but exports.
    fn refuse_for_clips(&self, opened: &Opened) -> Result<(), u8> {
        let kind = opened.kind.as_str();
        let file = self.file.display();
        if !matches!(opened.document, Some(Loaded::Clip(_))) {
            return Ok(());
        }
        if !self.frame.is_empty() {
            return Err(failed(format!("{file}: a {kind} has no frames; use --time")));
        }
        if self.space != SpaceChoice::Auto {
            return Err(failed(format!("{file}: --space is for .anm files alone")));
        }
        if self.time.is_empty() {
            return Err(failed(format!("{file}: say which moments: --time T[,T…]")));
        }
        Ok(())
    }

    /// The clip on its rig, or what the program exits with.
    fn bound(&self, opened: Opened) -> Result<MotionRig, u8> {
        match staged_of(opened, &self.file, self.rig.as_deref())? {
            Staged { motion: Some(motion), .. } => Ok(motion),
            Staged { .. } => {
                Err(failed(format!("{}: a rig has no poses to sample", self.file.display())))
            }
        }
    }
}

/// A file and what it is shown on, all of it sound.
#[cfg_attr(not(feature = "gui"), allow(dead_code))] // Only pictures look at what was staged.
pub(super) struct Staged {
    /// The clip; `None` where the file is a rig or a scene.
    pub clip: Option<model::Clip>,
    /// The rig that the clip is bound to or that was named in its place, or the file itself.
    pub rig: Option<model::Rig>,
    /// The clip on the rig, ready to play.
    pub motion: Option<MotionRig>,
}

/// A clip that was opened, with its rig (`rig`, otherwise its binding), or a rig; says what is
/// wrong with them and gives the code to exit with.
pub(super) fn staged_of(opened: Opened, file: &Path, rig: Option<&Path>) -> Result<Staged, u8> {
    let checked = match rig {
        // The clip's own binding does not count then; it need not even be there.
        Some(_) => Checked { opened, binding: None },
        None => check_opened(opened, None),
    };
    refuse_errors(&checked)?;
    let bound = checked.rig().cloned();
    let clip = match checked.opened.document {
        Some(Loaded::Clip(clip)) => clip,
        Some(Loaded::Rig(rig)) => {
            return Ok(Staged { clip: None, rig: Some(rig), motion: None });
        }
        _ => {
            let kind = checked.opened.kind;
            let kind = if kind == FileKind::Unknown { "file" } else { kind.as_str() };
            return Err(failed(format!("{}: a {kind} has no poses to sample", file.display())));
        }
    };
    let compiled = Clip::new(&clip).map_err(|error| broken(file, &*error))?;
    let (rig, named) = match rig {
        Some(path) => {
            let opened = open_as_binding(path).map_err(failed)?;
            let checked = Checked { opened, binding: None };
            refuse_errors(&checked)?;
            let Some(Loaded::Rig(rig)) = checked.opened.document else {
                return Err(failed(format!("{}: this is no rig", path.display())));
            };
            (Some(rig), path)
        }
        None => (bound, file),
    };
    let motion = match &rig {
        Some(rig) => Binding::new(rig).map_err(|error| broken(named, &error))?.bind(&compiled),
        None => {
            let parts = compiled.parts().map(|name| RestPart {
                name: name.to_owned(),
                parent: None,
                rest: Trs::IDENTITY,
            });
            MotionRig::new(&parts.collect::<Vec<_>>(), &compiled)
        }
    };
    let motion = Some(motion.map_err(|error| broken(file, &error))?);
    Ok(Staged { clip: Some(clip), rig, motion })
}

fn broken(file: &Path, error: &dyn std::error::Error) -> u8 {
    complain(&format!("{}: {error}", file.display()));
    HAS_ERRORS
}

pub(super) fn failed(error: impl ToString) -> u8 {
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
        if let Some(frame) = self.frame {
            let _ = write!(out, "frame {frame}, ");
        }
        let time = self.time.map_or_else(|| "unknown".to_owned(), |time| format!("{time} s"));
        let _ = writeln!(out, "time {time}, weight {}", self.weight);
        for (name, poses) in &self.parts {
            let _ = writeln!(out, "{}", clean(name));
            if let Some(raw) = &poses.raw {
                raw.write(out);
            }
            for (space, pose) in [("local", &poses.local), ("world", &poses.world)] {
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

/// Numbers for people.
fn list(numbers: &[f64]) -> String {
    let numbers = numbers.iter().map(|number| format!("{number:.6}"));
    numbers.collect::<Vec<_>>().join(" ")
}
