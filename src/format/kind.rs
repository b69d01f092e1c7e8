//! What kind of file a text is.

use super::field;
use crate::source::Source;
use std::path::Path;

/// The kinds of files that there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FileKind {
    /// A `.motion` clip.
    Motion,
    /// A `.rig` hierarchy.
    Rig,
    /// A scene used as a rig (M9).
    Scene,
    /// An exported animation.
    Anm,
    /// An exported skeleton.
    Pvt,
    /// Anything else.
    Unknown,
}

impl FileKind {
    /// The word that reports use.
    pub fn as_str(self) -> &'static str {
        match self {
            FileKind::Motion => "motion",
            FileKind::Rig => "rig",
            FileKind::Scene => "scene",
            FileKind::Anm => "anm",
            FileKind::Pvt => "pvt",
            FileKind::Unknown => "unknown",
        }
    }

    /// What the file's name promises. Scenes are YAML files of any name; `.yaml`, `.yml` and
    /// `.scene` are taken for them until their content says something else.
    pub fn of_path(path: &Path) -> FileKind {
        let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
        match extension.to_ascii_lowercase().as_str() {
            "motion" => FileKind::Motion,
            "rig" => FileKind::Rig,
            "anm" => FileKind::Anm,
            "pvt" => FileKind::Pvt,
            "yaml" | "yml" | "scene" => FileKind::Scene,
            _ => FileKind::Unknown,
        }
    }

    /// What a file is by its name and its content. `.motion` and `.rig` are what they are called;
    /// of everything else the content decides, an export's by its `format` (A1).
    pub fn of(path: &Path, source: &Source) -> FileKind {
        let named = FileKind::of_path(path);
        if matches!(named, FileKind::Motion | FileKind::Rig) {
            return named;
        }
        let root = source.root();
        let list = |name| source.get(root, name).is_some_and(|node| source.kind(node).is_seq());
        let format = source.get(root, "format").and_then(|node| field::string(source, node));
        match format.as_deref() {
            Some("octo_anm") => FileKind::Anm,
            Some("octo_pvt") => FileKind::Pvt,
            _ if list("entities") => FileKind::Scene,
            _ if list("tracks") => FileKind::Motion,
            _ if list("nodes") => FileKind::Rig,
            // Any YAML may be called so; only entities make it a scene (M9).
            _ if named == FileKind::Scene && source.entry(root, "entities").is_none() => {
                FileKind::Unknown
            }
            _ => named,
        }
    }

    /// Whether a text is to be read as JSON, and what its name promises: an export by its name, or
    /// anything that calls itself one (A1).
    pub fn of_json(path: &Path, text: &str) -> Option<FileKind> {
        let named = FileKind::of_path(path);
        let is_export = matches!(named, FileKind::Anm | FileKind::Pvt);
        if is_export { Some(named) } else { super::export::sniff(text) }
    }

    /// Whether a file that begins like this is likely an export.
    pub fn is_export_start(start: &str) -> bool {
        use super::export::{ANM, PVT};
        [ANM, PVT].iter().any(|format| start.contains(&format!("\"{format}\"")))
    }
}
