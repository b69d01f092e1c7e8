//! Opening one file, whatever kind it is.

use super::read::{ReadError, read_text};
use crate::diagnostic::{Problem, Severity};
use crate::format::{self, Cancelled, Export, FileKind, codes, file_problem};
use crate::model::take::{Skeleton, Take};
use crate::model::{Clip, Rig, Uids};
use crate::progress::Progress;
use crate::source::Source;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A document as it was loaded from a file; [`crate::edit::Document`] is one that is open.
#[derive(Clone, Debug)]
pub enum Loaded {
    /// A clip.
    Clip(Clip),
    /// A rig, or a scene read as one.
    Rig(Rig),
    /// An exported animation.
    Take(Take),
    /// An exported skeleton.
    Skeleton(Skeleton),
}

/// A file that was opened; it need not be a document yet.
#[derive(Debug)]
pub struct Opened {
    /// The file, as it was given.
    pub path: PathBuf,
    /// What kind of file it is.
    pub kind: FileKind,
    /// The text where it has no structure; none where it is too large or not UTF-8.
    raw: Option<String>,
    /// The text with its structure, where it has one.
    pub source: Option<Arc<Source>>,
    /// The document, where the text is one or a draft of one.
    pub document: Option<Loaded>,
    /// Everything that is wrong with the file by itself, its binding left aside.
    pub problems: Vec<Problem>,
}

impl Opened {
    /// Whether strict loading refuses the file.
    pub fn has_errors(&self) -> bool {
        self.problems.iter().any(|p| p.severity == Severity::Error)
    }

    /// Its text; empty where it is too large or not UTF-8.
    pub fn text(&self) -> &str {
        match &self.source {
            Some(source) => source.text(),
            None => self.raw.as_deref().unwrap_or_default(),
        }
    }

    /// Whether the file is a text at all: not too large, and UTF-8. An empty one is.
    pub fn has_text(&self) -> bool {
        self.source.is_some() || self.raw.is_some()
    }

    fn refused(path: &Path, kind: FileKind, raw: Option<String>, problem: Problem) -> Opened {
        Opened {
            path: path.to_owned(),
            kind,
            raw,
            source: None,
            document: None,
            problems: vec![problem],
        }
    }
}

/// Opens a file. Broken content is no error here: it is in [`Opened::problems`].
///
/// # Errors
/// Where reading fails: the file is not there, or may not be read.
pub fn open(path: &Path) -> Result<Opened, ReadError> {
    open_by(path, &open_text)
}

/// Opens what a clip's `binding` names: a `.rig`, or anything else as a scene (M9).
///
/// # Errors
/// As [`open`].
pub fn open_as_binding(path: &Path) -> Result<Opened, ReadError> {
    let kind = match FileKind::of_path(path) {
        FileKind::Rig => FileKind::Rig,
        _ => FileKind::Scene,
    };
    open_by(path, &|path, text| open_text_as(path, text, |_| kind))
}

fn open_by(path: &Path, open: &dyn Fn(&Path, String) -> Opened) -> Result<Opened, ReadError> {
    match read_text(path) {
        Ok(text) => Ok(open(path, text)),
        Err(error) => {
            let problem = error.into_problem()?;
            Ok(Opened::refused(path, FileKind::of_path(path), None, problem))
        }
    }
}

/// Opens a text as if it stood in the file `path`.
pub fn open_text(path: &Path, text: String) -> Opened {
    match open_text_watched(path, text, &Progress::new()) {
        Ok(opened) => opened,
        // Nobody else has that progress.
        Err(Cancelled) => {
            let problem = file_problem(codes::SYNTAX, "The reading was stopped");
            Opened::refused(path, FileKind::of_path(path), None, problem)
        }
    }
}

/// As [`open`], with word about how far it is: large takes need a while (A4).
///
/// # Errors
/// As [`open`]; `Ok(Err(_))` where `progress` was cancelled.
pub fn open_watched(
    path: &Path,
    progress: &Progress,
) -> Result<Result<Opened, Cancelled>, ReadError> {
    match read_text(path) {
        Ok(text) => Ok(open_text_watched(path, text, progress)),
        Err(error) => {
            let problem = error.into_problem()?;
            let kind = FileKind::of_path(path);
            Ok(Ok(Opened::refused(path, kind, None, problem)))
        }
    }
}

/// As [`open_text`], with word about how far it is.
///
/// # Errors
/// Where `progress` was cancelled.
pub fn open_text_watched(
    path: &Path,
    text: String,
    progress: &Progress,
) -> Result<Opened, Cancelled> {
    match FileKind::of_json(path, &text) {
        Some(named) => open_export(path, text, named, progress),
        None => Ok(open_text_as(path, text, |source| FileKind::of(path, source))),
    }
}

fn open_export(
    path: &Path,
    text: String,
    named: FileKind,
    progress: &Progress,
) -> Result<Opened, Cancelled> {
    let text = Arc::new(text);
    let mut uids = Uids::default();
    let reading = format::read_export(Arc::clone(&text), named, &mut uids, progress)?;
    let raw = match reading.source {
        Some(_) => None,
        None => Some(Arc::unwrap_or_clone(text)),
    };
    let document = reading.value.map(|value| match value {
        Export::Take(take) => Loaded::Take(take),
        Export::Skeleton(skeleton) => Loaded::Skeleton(skeleton),
    });
    let (kind, source, problems) = (reading.kind, reading.source, reading.problems);
    Ok(Opened { path: path.to_owned(), kind, raw, source, document, problems })
}

fn open_text_as(path: &Path, text: String, kind: impl Fn(&Source) -> FileKind) -> Opened {
    let text = Arc::new(text);
    let source = match Source::parse_yaml(Arc::clone(&text)) {
        Ok(source) => Arc::new(source),
        Err(error) => {
            let problem = format::syntax_problem(&text, &error);
            let kind = FileKind::of_path(path);
            return Opened::refused(path, kind, Some(Arc::unwrap_or_clone(text)), problem);
        }
    };
    let kind = kind(&source);
    let mut uids = Uids::default();
    let (document, problems) = match kind {
        FileKind::Motion => {
            let reading = format::read_clip(&source, &mut uids);
            (reading.value.map(Loaded::Clip), reading.problems)
        }
        FileKind::Rig => {
            let reading = format::read_rig(&source, &mut uids);
            (reading.value.map(Loaded::Rig), reading.problems)
        }
        FileKind::Scene => {
            let reading = format::read_scene(&source, &mut uids);
            (reading.value.map(Loaded::Rig), reading.problems)
        }
        FileKind::Anm | FileKind::Pvt | FileKind::Unknown => (None, vec![unsupported()]),
    };
    let path = path.to_owned();
    Opened { path, kind, raw: None, source: Some(source), document, problems }
}

fn unsupported() -> Problem {
    let message = "This is no .motion, .rig, scene or export: it has no tracks, nodes, entities or \
                   pegs";
    file_problem(codes::UNSUPPORTED, message)
}
