//! `posewright info`

use super::output::{self, clean, complain};
use super::report::problem_text;
use super::{FAILED, FINE, Format, HAS_ERRORS};
use crate::diagnostic::Severity;
use crate::format::{unknown_fields, written_version};
use crate::io::{Checked, Loaded, check};
use crate::model::{Clip, ClipKind, Node, Rig};
use clap::Args;
use serde::Serialize;
use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;

/// Say what is in a file
#[derive(Args)]
#[command(after_help = "Example:\n  posewright info draw.motion --format json")]
pub(super) struct Info {
    /// The file
    file: PathBuf,
    /// How to answer
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

impl Info {
    pub fn run(&self) -> u8 {
        show(std::slice::from_ref(&self.file), self.format)
    }
}

/// What is in a file. Fields that a kind of file has not are null, 0 or empty.
#[derive(Serialize)]
struct Content {
    file: String,
    kind: &'static str,
    clip: Option<&'static str>,
    version: Option<String>,
    source: Option<String>,
    model: Option<String>,
    binding: Option<String>,
    duration: Option<f64>,
    #[serde(rename = "loop")]
    looping: Option<bool>,
    frame_range: Option<[f64; 2]>,
    fps: Option<f64>,
    tracks: usize,
    keys: usize,
    nodes: usize,
    depth: usize,
    pegs: usize,
    cameras: usize,
    parts: Vec<String>,
    unknown_fields: Vec<String>,
    /// A rig's name, for people; it stands in `model` for programs.
    #[serde(skip)]
    name: Option<String>,
}

/// Prints what is in files; their errors go to stderr.
pub(super) fn show(files: &[PathBuf], format: Format) -> u8 {
    let mut code = FINE;
    let mut out = String::new();
    for file in files {
        let checked = match check(file, None) {
            Ok(checked) => checked,
            Err(error) => {
                complain(&error.to_string());
                code = FAILED;
                continue;
            }
        };
        let own = checked.opened.problems.iter().filter(|p| p.severity == Severity::Error);
        for problem in own {
            complain(problem_text(&checked, problem, false).lines().next().unwrap_or_default());
            code = code.max(HAS_ERRORS);
        }
        let content = Content::of(&checked);
        match format {
            Format::Json => {
                out.push_str(&serde_json::to_string_pretty(&content).unwrap_or_default());
                out.push('\n');
            }
            Format::Text if checked.opened.document.is_none() => {}
            Format::Text => {
                if !out.is_empty() {
                    out.push('\n');
                }
                content.write(&mut out);
            }
        }
    }
    if !output::print(&out) {
        return FAILED;
    }
    code
}

impl Content {
    /// Of a file that is no document only what kind it is, and what can be read of it.
    fn of(checked: &Checked) -> Content {
        let opened = &checked.opened;
        let source = opened.source.as_ref();
        let mut content = Content {
            file: opened.path.display().to_string(),
            kind: opened.kind.as_str(),
            clip: None,
            version: source.and_then(|source| written_version(source)),
            source: None,
            model: None,
            binding: None,
            duration: None,
            looping: None,
            frame_range: None,
            fps: None,
            tracks: 0,
            keys: 0,
            nodes: 0,
            depth: 0,
            pegs: 0,
            cameras: 0,
            parts: Vec::new(),
            unknown_fields: source.map_or_else(Vec::new, |s| unknown_fields(s, opened.kind)),
            name: None,
        };
        match &opened.document {
            None => {}
            Some(Loaded::Clip(clip)) => {
                content.clip(clip);
                if let Some(rig) = checked.rig() {
                    content.nodes = rig.nodes.len();
                    content.depth = depth(&rig.nodes);
                }
            }
            Some(Loaded::Rig(rig)) => content.rig(rig),
        }
        content
    }

    fn clip(&mut self, clip: &Clip) {
        self.clip = Some(match clip.kind {
            ClipKind::Model => "model",
            ClipKind::Rig => "rig",
        });
        self.model = Some(clip.model.clone());
        self.binding = clip.binding.clone();
        self.duration = Some(clip.duration_secs);
        self.looping = Some(clip.looping);
        self.tracks = clip.tracks.len();
        self.keys = clip.tracks.iter().map(|track| track.keys.len()).sum();
        let mut seen = HashSet::new();
        let parts = clip.tracks.iter().map(|track| &track.part);
        self.parts = parts.filter(|p| !p.is_empty() && seen.insert(*p)).cloned().collect();
    }

    fn rig(&mut self, rig: &Rig) {
        self.name = Some(rig.name.clone());
        self.model = Some(rig.name.clone());
        self.nodes = rig.nodes.len();
        self.depth = depth(&rig.nodes);
        self.parts = rig.nodes.iter().map(|node| node.id.clone()).collect();
    }

    fn write(&self, out: &mut String) {
        let kind = match self.clip {
            Some(clip) => format!("{clip} clip"),
            None => self.kind.to_owned(),
        };
        let mut line = |name: &str, value: &str| {
            let _ = writeln!(out, "{name:<9} {}", clean(value));
        };
        line("file", &self.file);
        line("kind", &kind);
        if let Some(version) = &self.version {
            line("version", version);
        }
        match (&self.name, &self.model) {
            (Some(name), _) => line("name", name),
            (None, Some(model)) => line("model", model),
            (None, None) => {}
        }
        if let Some(binding) = &self.binding {
            line("binding", binding);
        }
        if let Some(duration) = self.duration {
            let ending = if self.looping == Some(true) { "loops" } else { "holds the last pose" };
            line("duration", &format!("{duration} s, {ending}"));
        }
        if self.clip.is_some() {
            line("tracks", &format!("{} with {} keys", self.tracks, self.keys));
        }
        if self.nodes > 0 {
            line("nodes", &format!("{} on {} levels", self.nodes, self.depth));
        }
        if !self.parts.is_empty() {
            line("parts", &self.parts.join(", "));
        }
        if !self.unknown_fields.is_empty() {
            line("unknown", &self.unknown_fields.join(", "));
        }
    }
}

/// Levels of a hierarchy without loops; a root is level 1.
fn depth(nodes: &[Arc<Node>]) -> usize {
    let parents: HashMap<&str, Option<&str>> =
        nodes.iter().map(|node| (node.id.as_str(), node.parent.as_deref())).collect();
    let level = |node: &Arc<Node>| {
        let above = |id: &&str| parents.get(id).copied().flatten();
        std::iter::successors(Some(node.id.as_str()), above).take(nodes.len()).count()
    };
    nodes.iter().map(level).max().unwrap_or(0)
}
