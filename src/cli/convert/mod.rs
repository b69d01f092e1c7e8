//! `posewright convert`

mod meter;
mod report;

use super::output::{self, clean, complain};
use super::sample::{SpaceChoice, finite};
use super::{FAILED, FINE};
use crate::convert::{
    Consent, ExportOptions, ImportOptions, Measured, Refusal, Report, Tolerances, export_clip,
    export_rig, import_skeleton, import_take, measure_export, measure_import,
};
use crate::diagnostic::{Severity, counted};
use crate::format::{write_clip, write_rig, write_skeleton, write_take};
use crate::io::save::{Base, save};
use crate::io::{
    Loaded, Opened, check, is_same_file, make_folder, open, open_as_binding, resolve_binding,
};
use crate::model::take::{Skeleton, Take};
use crate::model::{Clip, ClipKind, Rig};
use crate::progress::Progress;
use crate::sample::take::Space;
use clap::Args;
use meter::Meter;
use report::ReportOut;
use std::path::{Path, PathBuf};

/// Convert exports to clips and rigs, and back, with the error measured
#[derive(Args)]
#[command(after_help = "What becomes what:\n  \
    .anm → a folder: NAME.rig and NAME.motion (or NAME.1.motion … with --split)\n  \
    .motion → .anm, .pvt → .rig, .rig → .pvt\n\n\
    Examples:\n  posewright convert walk.anm --out clips --report walk.json\n  \
    posewright convert clips/walk.motion --out walk.anm --fps 30\n\n\
    Tolerances hold in the world for every joint, at 8 samples a frame. Nothing that is there \
    already is replaced without --overwrite.")]
pub(super) struct Convert {
    /// The file
    file: PathBuf,
    /// Where to write: a folder for an .anm, otherwise a file
    #[arg(long, value_name = "OUT")]
    out: PathBuf,
    /// What the values of an .anm are relative to
    #[arg(long, value_enum, default_value = "auto")]
    space: SpaceChoice,
    /// How far a joint may be off, in metres [default: 0.001]
    #[arg(long, value_name = "M", value_parser = positive)]
    tolerance_position: Option<f64>,
    /// How far a joint may be turned off, in degrees [default: 0.1]
    #[arg(long, value_name = "DEG", value_parser = positive)]
    tolerance_angle: Option<f64>,
    /// How far a joint's scale may be off [default: 0.001]
    #[arg(long, value_name = "S", value_parser = positive)]
    tolerance_scale: Option<f64>,
    /// What the rig and its clips are called [default: as the file]
    #[arg(long)]
    name: Option<String>,
    /// The clip repeats
    #[arg(long = "loop")]
    looping: bool,
    /// Make several clips where one has too many tracks
    #[arg(long)]
    split: bool,
    /// Take `rot` where `rot_quat` is no rotation
    #[arg(long)]
    use_rot: bool,
    /// Take scales that mirror without their signs
    #[arg(long)]
    abs_scale: bool,
    /// To an .anm: the rig, instead of the clip's binding
    #[arg(long, value_name = "FILE")]
    rig: Option<PathBuf>,
    /// To an .anm: frames a second [default: 24]
    #[arg(long, value_parser = positive)]
    fps: Option<f64>,
    /// To an .anm: the first frame [default: 1]
    #[arg(long, allow_negative_numbers = true, value_parser = finite)]
    start: Option<f64>,
    /// To an .anm: the program that it shall be from [default: blender]
    #[arg(long)]
    source: Option<String>,
    /// Write what was done, and how far off it is, as JSON
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Replace files that are there already
    #[arg(long)]
    overwrite: bool,
}

fn positive(text: &str) -> Result<f64, String> {
    match finite(text)? {
        number if number > 0.0 => Ok(number),
        _ => Err("must be above 0".to_owned()),
    }
}

/// A file to write.
struct Output {
    path: PathBuf,
    text: String,
}

/// What was made of a file.
struct Made {
    outputs: Vec<Output>,
    report: Report,
}

impl Convert {
    pub fn run(&self) -> u8 {
        match self.convert() {
            Ok(()) => FINE,
            Err(message) => {
                complain(&message);
                FAILED
            }
        }
    }

    fn convert(&self) -> Result<(), String> {
        let opened = open(&self.file).map_err(|error| error.to_string())?;
        self.refuse_errors(&opened)?;
        let extension = |path: &Path| {
            path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase()).unwrap_or_default()
        };
        let out = extension(&self.out);
        let meter = Meter::start();
        let made = match &opened.document {
            Some(Loaded::Take(take)) => {
                if matches!(out.as_str(), "motion" | "rig" | "anm" | "pvt") {
                    return Err(self.says(
                        "an .anm becomes a rig and a clip: --out names the folder for both",
                    ));
                }
                self.refuse_options(
                    "--rig, --fps, --start and --source are for .motion → .anm",
                    [
                        self.rig.is_some(),
                        self.fps.is_some(),
                        self.start.is_some(),
                        self.source.is_some(),
                    ],
                )?;
                self.take(take, meter.progress())?
            }
            Some(Loaded::Clip(clip)) if out == "anm" => {
                self.refuse_options(
                    "--space, --name, --loop, --split, --use-rot and --abs-scale are for exports",
                    self.import_options(),
                )?;
                self.clip(clip, meter.progress())?
            }
            Some(Loaded::Skeleton(skeleton)) if out == "rig" => {
                let [space, _, looping, split, use_rot, abs_scale] = self.import_options();
                let given = [space, looping, split, use_rot, abs_scale, self.to_anm()];
                self.refuse_options("of all options --name alone is for .pvt → .rig", given)?;
                self.skeleton(skeleton)?
            }
            Some(Loaded::Rig(rig)) if out == "pvt" => {
                let given = self.import_options().contains(&true) || self.to_anm();
                self.refuse_options("none of these options is for .rig → .pvt", [given])?;
                self.rig(rig)?
            }
            _ => {
                return Err(self.says(
                    "cannot become that: .anm → a folder, .motion → .anm, .pvt → .rig, .rig → .pvt",
                ));
            }
        };
        drop(meter);
        self.write(made, &opened)
    }

    fn import_options(&self) -> [bool; 6] {
        [
            self.space != SpaceChoice::Auto,
            self.name.is_some(),
            self.looping,
            self.split,
            self.use_rot,
            self.abs_scale,
        ]
    }

    fn to_anm(&self) -> bool {
        self.rig.is_some() || self.fps.is_some() || self.start.is_some() || self.source.is_some()
    }

    fn refuse_options<const N: usize>(
        &self,
        message: &str,
        given: [bool; N],
    ) -> Result<(), String> {
        if given.contains(&true) { Err(self.says(message)) } else { Ok(()) }
    }

    /// A sentence about the file.
    fn says(&self, message: &str) -> String {
        format!("{}: {message}", self.file.display())
    }

    fn refuse_errors(&self, opened: &Opened) -> Result<(), String> {
        let errors: Vec<_> =
            opened.problems.iter().filter(|p| p.severity == Severity::Error).collect();
        let Some(first) = errors.first() else { return Ok(()) };
        let place =
            first.position.map_or_else(String::new, |p| format!("{}:{}: ", p.line, p.column));
        let more = match errors.len() {
            1 => String::new(),
            count => format!(" (and {} more: see posewright check)", count - 1),
        };
        Err(format!("{}:{place}{}{more}", self.file.display(), first.message))
    }

    fn tolerances(&self) -> Tolerances {
        let default = Tolerances::default();
        Tolerances {
            position_m: self.tolerance_position.unwrap_or(default.position_m),
            angle_deg: self.tolerance_angle.unwrap_or(default.angle_deg),
            scale: self.tolerance_scale.unwrap_or(default.scale),
        }
    }

    /// What a refusal means here: which options a person may give.
    fn refused(&self, refusal: &Refusal) -> String {
        let spaces: Vec<String> = refusal
            .consents()
            .iter()
            .map(|consent| match consent {
                Consent::Split => "--split".to_owned(),
                Consent::UseRot => "--use-rot".to_owned(),
                Consent::AbsScale => "--abs-scale".to_owned(),
                Consent::Space(space) => format!("--space {}", space.as_str()),
                Consent::Tolerances(t) => format!(
                    "--tolerance-position {} --tolerance-angle {} --tolerance-scale {}",
                    t.position_m, t.angle_deg, t.scale
                ),
            })
            .collect();
        match spaces.is_empty() {
            true => self.says(&refusal.to_string()),
            false => self.says(&format!("{refusal} ({})", spaces.join(" or "))),
        }
    }

    fn name_of_file(&self) -> String {
        let stem = self.file.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        stem.filter(|stem| !stem.is_empty()).unwrap_or_else(|| "export".to_owned())
    }

    fn import(&self) -> Result<ImportOptions, String> {
        let name = self.name.clone().unwrap_or_else(|| self.name_of_file());
        let file = Path::new(&name);
        if name.is_empty() || name.contains(['/', '\\']) || file.file_name().is_none() {
            return Err(self.says("--name names files too: it must be a name, without / and \\"));
        }
        Ok(ImportOptions {
            space: match self.space {
                SpaceChoice::Auto => None,
                SpaceChoice::Local => Some(Space::Local),
                SpaceChoice::Delta => Some(Space::Delta),
                SpaceChoice::World => Some(Space::World),
            },
            tolerances: self.tolerances(),
            looping: self.looping,
            split: self.split,
            use_rot: self.use_rot,
            abs_scale: self.abs_scale,
            ..ImportOptions::new(&name)
        })
    }

    fn take(&self, take: &Take, progress: &Progress) -> Result<Made, String> {
        let options = self.import()?;
        let imported =
            import_take(take, &options, progress).map_err(|refusal| self.refused(&refusal))?;
        let mut outputs = vec![Output {
            path: self.out.join(format!("{}.rig", options.name)),
            text: write_rig(&imported.rig),
        }];
        outputs.extend(imported.clips.iter().map(|(stem, clip)| Output {
            path: self.out.join(format!("{stem}.motion")),
            text: write_clip(clip),
        }));
        Ok(Made { outputs, report: imported.report })
    }

    fn export_options(&self) -> ExportOptions {
        let default = ExportOptions::default();
        ExportOptions {
            fps: self.fps.unwrap_or(default.fps),
            start: self.start.unwrap_or(default.start),
            source: self.source.clone().unwrap_or(default.source),
            tolerances: self.tolerances(),
            nodes: None,
        }
    }

    /// The clip's rig: the one that was named, else the one it is bound to.
    fn rig_of(&self, clip: &Clip) -> Result<Option<Rig>, String> {
        let path = match (&self.rig, &clip.binding) {
            (Some(path), _) => path.clone(),
            (None, Some(binding)) if clip.kind == ClipKind::Rig => {
                resolve_binding(&self.file, binding, None).map_err(|e| self.says(&e.to_string()))?
            }
            _ => return Ok(None),
        };
        let opened = open_as_binding(&path).map_err(|error| error.to_string())?;
        if let Some(error) = opened.problems.iter().find(|p| p.severity == Severity::Error) {
            return Err(format!("{}: {}", path.display(), error.message));
        }
        match opened.document {
            Some(Loaded::Rig(rig)) => Ok(Some(rig)),
            _ => Err(format!("{}: this is no rig", path.display())),
        }
    }

    fn clip(&self, clip: &Clip, progress: &Progress) -> Result<Made, String> {
        let rig = self.rig_of(clip)?;
        let options = self.export_options();
        let (take, mut report) = export_clip(clip, rig.as_ref(), &options, progress)
            .map_err(|refusal| self.refused(&refusal))?;
        let file = self.out.file_name().map(|n| n.to_string_lossy().into_owned());
        report.written = file.iter().cloned().collect();
        for track in &mut report.tracks {
            track.clip = file.clone().unwrap_or_default();
        }
        Ok(Made {
            outputs: vec![Output { path: self.out.clone(), text: write_take(&take) }],
            report,
        })
    }

    fn skeleton(&self, skeleton: &Skeleton) -> Result<Made, String> {
        let (rig, report) = import_skeleton(skeleton, self.name.as_deref(), &self.name_of_file())
            .map_err(|refusal| self.refused(&refusal))?;
        Ok(self.one(write_rig(&rig), report))
    }

    fn rig(&self, rig: &Rig) -> Result<Made, String> {
        let (skeleton, report) = export_rig(rig).map_err(|refusal| self.refused(&refusal))?;
        Ok(self.one(write_skeleton(&skeleton), report))
    }

    fn one(&self, text: String, mut report: Report) -> Made {
        let file = self.out.file_name().map(|n| n.to_string_lossy().into_owned());
        report.written = file.into_iter().collect();
        Made { outputs: vec![Output { path: self.out.clone(), text }], report }
    }

    /// Writes everything, measures it again as it was written, and says so.
    fn write(&self, made: Made, opened: &Opened) -> Result<(), String> {
        let Made { outputs, mut report } = made;
        let all = outputs.iter().map(|output| &output.path).chain(&self.report);
        if !self.overwrite
            && let Some(there) = all.clone().find(|path| path.symlink_metadata().is_ok())
        {
            let there = there.display();
            return Err(format!("{there} is there already: give --overwrite, or another place"));
        }
        if let Some(own) = outputs.iter().find(|output| is_same_file(&output.path, &self.file)) {
            return Err(format!("{} is the file itself", own.path.display()));
        }
        if let Some(report) = &self.report {
            let read = [Some(&self.file), self.rig.as_ref()].into_iter().flatten();
            let written = outputs.iter().map(|output| &output.path);
            let taken = |path: &&PathBuf| {
                is_same_file(path, report)
                    || std::path::absolute(path).ok() == std::path::absolute(report).ok()
            };
            // The report would stand in the place of what it reports on.
            if let Some(own) = read.chain(written).find(taken) {
                return Err(format!(
                    "--report names {}, which the conversion itself reads or writes: give it a \
                     name of its own",
                    own.display()
                ));
            }
        }
        let folders = [outputs.first().map(|o| &o.path), self.report.as_ref()];
        if matches!(opened.document, Some(Loaded::Take(_))) {
            for folder in folders.into_iter().flatten().take(1).filter_map(|path| path.parent()) {
                make_folder(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
            }
        }
        let base = if self.overwrite { Base::Any } else { Base::Absent };
        for output in &outputs {
            save(&output.path, output.text.as_bytes(), base).map_err(|error| error.to_string())?;
        }
        let meter = Meter::start();
        if let Some(measured) = self.measured(&outputs, opened, meter.progress())? {
            report.remeasure(measured);
        }
        drop(meter);
        if let Some(path) = &self.report {
            let json = serde_json::to_string_pretty(&ReportOut::new(&report));
            let json = json.map_err(|error| error.to_string())? + "\n";
            save(path, json.as_bytes(), base).map_err(|error| error.to_string())?;
        }
        output::print(&said(&report, &outputs));
        let limits = self.tolerances();
        let limits = [limits.position_m, limits.angle_deg, limits.scale];
        for (property, limit) in limits.into_iter().enumerate() {
            if let Some((part, peak)) =
                report.worst(property).filter(|w| w.1.error > limit * 1.000_001)
            {
                return Err(format!(
                    "what was written is {} off at {part}, frame {}: more than {limit}",
                    peak.error, peak.frame
                ));
            }
        }
        Ok(())
    }

    /// What was written, read back, against what it was made of.
    fn measured(
        &self,
        outputs: &[Output],
        opened: &Opened,
        progress: &Progress,
    ) -> Result<Option<Measured>, String> {
        let mut rig = None;
        let mut clips = Vec::new();
        let mut take = None;
        for output in outputs {
            let checked = check(&output.path, None).map_err(|error| error.to_string())?;
            let errors = checked.opened.problems.iter();
            if let Some(error) = errors.clone().find(|p| p.severity == Severity::Error) {
                return Err(format!("{}: {}", output.path.display(), error.message));
            }
            match checked.opened.document {
                Some(Loaded::Rig(loaded)) => rig = Some(loaded),
                Some(Loaded::Clip(clip)) => clips.push(clip),
                Some(Loaded::Take(loaded)) => take = Some(loaded),
                _ => {}
            }
        }
        let measured = match (&opened.document, rig, take) {
            (Some(Loaded::Take(source)), Some(rig), _) => {
                measure_import(source, &self.import()?, &rig, &clips, progress).map(Some)
            }
            (Some(Loaded::Clip(clip)), _, Some(take)) => {
                let rig = self.rig_of(clip)?;
                let options = self.export_options();
                measure_export(&take, clip, rig.as_ref(), &options, progress).map(Some)
            }
            _ => Ok(None),
        };
        measured.map_err(|refusal| self.refused(&refusal))
    }
}

/// What a person is told.
fn said(report: &Report, outputs: &[Output]) -> String {
    use std::fmt::Write;
    let mut out = String::new();
    for output in outputs {
        let _ = writeln!(out, "wrote {}", output.path.display());
    }
    if let (Some(space), Some(figures)) = (report.space, report.residuals) {
        let figures = Space::ALL.iter().zip(figures).map(|(space, figure)| match figure {
            Some(figure) => format!("{} {figure:.6}", space.as_str()),
            None => format!("{} –", space.as_str()),
        });
        let figures: Vec<String> = figures.collect();
        let _ = writeln!(out, "space {} (measured: {})", space.as_str(), figures.join(", "));
    }
    if !report.tracks.is_empty() {
        let [source, keys] = report.key_counts();
        let [tracks, keys] =
            [(report.tracks.len(), "track"), (keys, "key")].map(|(n, what)| counted(n, what));
        let _ = writeln!(out, "{tracks}, {keys} (the source has {source})");
    }
    for (property, unit) in [" m", "°", ""].into_iter().enumerate() {
        if let Some((part, peak)) = report.worst(property) {
            let name = ["position", "rotation", "scale"][property];
            let (part, frame) = (clean(part), peak.frame);
            let error = peak.error;
            let _ = writeln!(out, "worst {name}: {error:.6}{unit} at {part}, frame {frame}");
        }
    }
    for note in &report.notes {
        let (path, why) = (clean(&note.path), clean(&note.why));
        let _ = writeln!(out, "{} {path}: {why}", note.what);
    }
    out
}
