//! `posewright diff`

mod folders;
mod json;

use super::output::{self, clean, complain};
use super::report::problem_text;
use super::sample::{SpaceChoice, failed};
use super::{FAILED, FINE, Format, HAS_ERRORS};
use crate::diagnostic::Severity;
use crate::diff::{Compared, Difference, Posed, Side, Tolerances, diff};
use crate::io::{Checked, Loaded, check_opened, open, open_as_binding};
use crate::model::{Clip, Rig};
use crate::sample::take::Space;
use clap::Args;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Say what changed from one file to another
#[derive(Args)]
#[command(after_help = "Examples:\n  posewright diff walk.old.anm walk.anm\n  \
    posewright diff walk.anm walk.motion --angle 0.5 --format json\n  \
    posewright diff exports/monday exports/tuesday\n\n\
    Any two of a kind, an .anm and the .motion made from it (its binding, or --rig, gives the \
    rig), or two folders. Exit 0: nothing differs beyond the tolerances; 1: something does; \
    2: wrong arguments, or reading failed.")]
pub(super) struct Diff {
    /// The older file or folder
    a: PathBuf,
    /// The newer one
    b: PathBuf,
    /// What counts as the same place, in metres [0.0001; between an .anm and a .motion 0.001]
    #[arg(long, value_name = "M", value_parser = tolerance)]
    position: Option<f64>,
    /// What counts as the same angle, in degrees [0.01; between an .anm and a .motion 0.1]
    #[arg(long, value_name = "DEG", value_parser = tolerance)]
    angle: Option<f64>,
    /// What counts as the same factor [0.0001; between an .anm and a .motion 0.001]
    #[arg(long, value_name = "S", value_parser = tolerance)]
    scale: Option<f64>,
    /// What the values of .anm files are relative to; auto measures it
    #[arg(long, value_enum, default_value = "auto")]
    space: SpaceChoice,
    /// The rig or scene, in place of the clips' bindings
    #[arg(long, value_name = "FILE")]
    rig: Option<PathBuf>,
    /// How to answer
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

fn tolerance(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(number) if number.is_finite() && number >= 0.0 => Ok(number),
        _ => Err("not a number of 0 or more".to_owned()),
    }
}

/// A document that was read.
struct Read {
    path: PathBuf,
    kind: &'static str,
    document: Loaded,
    rig: Option<Rig>,
    /// What could not be had, and is no reason to stop.
    remark: Option<String>,
}

impl Diff {
    pub fn run(&self) -> u8 {
        match (self.a.is_dir(), self.b.is_dir()) {
            (true, true) => self.folders(),
            (false, false) => self.files(),
            (is_dir, _) => {
                let (folder, file) = if is_dir { (&self.a, &self.b) } else { (&self.b, &self.a) };
                complain(&format!(
                    "{} is a folder and {} is none: name two of a kind",
                    folder.display(),
                    file.display()
                ));
                FAILED
            }
        }
    }

    fn files(&self) -> u8 {
        let (a, b) = match (self.read(&self.a), self.read(&self.b)) {
            (Ok(a), Ok(b)) => (a, b),
            (Err(code), _) | (_, Err(code)) => return code,
        };
        let found = match self.compare(&a, &b) {
            Ok(found) => found,
            Err(error) => return failed(error),
        };
        let printed = output::print(&match self.format {
            Format::Text => text(&a, &b, &found),
            Format::Json => json::file(&a, &b, &found),
        });
        match (printed, found.is_empty()) {
            (false, _) => FAILED,
            (true, true) => FINE,
            (true, false) => HAS_ERRORS,
        }
    }

    /// The tolerances that were asked for, over those of the kind.
    fn tolerances(&self, a: &Read, b: &Read) -> Tolerances {
        let mixed = matches!(
            (&a.document, &b.document),
            (Loaded::Take(_), Loaded::Clip(_)) | (Loaded::Clip(_), Loaded::Take(_))
        );
        let of_kind = if mixed { Tolerances::CONVERTED } else { Tolerances::EXPORTS };
        Tolerances {
            position_m: self.position.unwrap_or(of_kind.position_m),
            angle_deg: self.angle.unwrap_or(of_kind.angle_deg),
            scale: self.scale.unwrap_or(of_kind.scale),
        }
    }

    fn compare(&self, a: &Read, b: &Read) -> Result<Difference, String> {
        let posed = match self.space {
            SpaceChoice::Auto => Posed::Measured,
            SpaceChoice::Local => Posed::In(Space::Local),
            SpaceChoice::Delta => Posed::In(Space::Delta),
            SpaceChoice::World => Posed::In(Space::World),
        };
        let found = diff(&a.side(posed), &b.side(posed), &self.tolerances(a, b));
        let mut found = found
            .map_err(|error| format!("{} and {}: {error}", a.path.display(), b.path.display()))?;
        if found.compared != Compared::Clips || self.rig.is_none() {
            found.notes.extend([a, b].into_iter().filter_map(|read| read.remark.clone()));
        }
        for note in &mut found.notes {
            if note.contains("undecided") && note.contains("it is one of") {
                note.push_str("; say it with --space");
            }
        }
        Ok(found)
    }

    /// Reads one file, or says why not and gives the code to exit with.
    fn read(&self, path: &Path) -> Result<Read, u8> {
        let opened = open(path).map_err(failed)?;
        let kind = opened.kind.as_str();
        let is_clip = matches!(opened.document, Some(Loaded::Clip(_)));
        // Takes are not linted: what is odd about them is no reason not to compare.
        let mut checked = match is_clip && self.rig.is_none() {
            true => check_opened(opened, None),
            false => Checked { opened, binding: None },
        };
        let Some(document) = checked.opened.document.take() else {
            let problem = checked.opened.problems.iter().find(|p| p.severity == Severity::Error);
            let why = match problem {
                Some(problem) => {
                    let text = problem_text(&checked, problem, false);
                    text.lines().next().unwrap_or_default().to_owned()
                }
                None => format!("{}: this is no document to compare", path.display()),
            };
            return Err(failed(why));
        };
        let mut remark = None;
        let rig = match (&document, &self.rig) {
            (Loaded::Clip(_), Some(named)) => Some(named_rig(named)?),
            (Loaded::Clip(clip), None) => {
                let rig = checked.rig().cloned();
                if rig.is_none() {
                    remark = missing_rig(path, clip);
                }
                rig
            }
            _ => None,
        };
        Ok(Read { path: path.to_owned(), kind, document, rig, remark })
    }
}

fn named_rig(path: &Path) -> Result<Rig, u8> {
    match open_as_binding(path).map_err(failed)?.document {
        Some(Loaded::Rig(rig)) => Ok(rig),
        _ => Err(failed(format!("{}: this is no rig", path.display()))),
    }
}

fn missing_rig(path: &Path, clip: &Clip) -> Option<String> {
    let binding = clip.binding.as_deref()?;
    let path = path.display();
    Some(format!("{path}: its rig {binding} could not be read; parts are compared as roots"))
}

impl Read {
    fn side<'a>(&'a self, posed: Posed<'a>) -> Side<'a> {
        match &self.document {
            Loaded::Take(take) => Side::Take { take, posed },
            Loaded::Skeleton(skeleton) => Side::Skeleton(skeleton),
            Loaded::Clip(clip) => Side::Clip { clip, rig: self.rig.as_ref() },
            Loaded::Rig(rig) => Side::Rig(rig),
        }
    }
}

/// A summary line, then what matters most first.
fn text(a: &Read, b: &Read, found: &Difference) -> String {
    let mut out = String::new();
    let (a, b) = (a.path.display().to_string(), b.path.display().to_string());
    let _ = writeln!(out, "{} → {}: {}", clean(&a), clean(&b), clean(&found.summary()));
    for line in found.lines() {
        let _ = writeln!(out, "  {}", clean(&line));
    }
    out
}
