//! The files of a folder that are worth checking.

use super::open::open;
use super::project::real_folder;
use crate::format::FileKind;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Deepest folders that are looked into.
const MAX_FOLDERS_DEEP: usize = 64;

/// What [`files_below`] found.
#[derive(Debug, Default)]
pub struct Found {
    /// Files that this program reads, sorted by path.
    pub files: Vec<PathBuf>,
    /// What could not be looked at, with what the system says.
    pub errors: Vec<(PathBuf, io::Error)>,
    /// Links of such names that lead out, sorted by path; they were not read (M10).
    pub outside: Vec<PathBuf>,
}

/// Every file below `folder` that this program reads: those of its own extensions, and YAML files
/// that are scenes. Hidden files and folders are left out, and links to folders are not followed.
/// Links to files are, where they stay below `folder`, or below the `project` around it (M10).
pub fn files_below(folder: &Path, project: Option<&Path>) -> Found {
    let mut found = Found::default();
    let inside = real_folder(folder);
    let project = project.and_then(real_folder);
    let limit = match (inside, project) {
        (Some(inside), Some(project)) if inside.starts_with(&project) => Some(project),
        (inside, _) => inside,
    };
    let leads_out = |path: &Path| {
        let file = fs::canonicalize(path).ok();
        file.zip(limit.as_ref()).is_some_and(|(file, limit)| !file.starts_with(limit))
    };
    let mut folders = vec![(folder.to_owned(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        let entries = fs::read_dir(&folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
        let entries = match entries {
            Ok(entries) => entries,
            Err(error) => {
                found.errors.push((folder, error));
                continue;
            }
        };
        for entry in entries {
            if entry.file_name().to_string_lossy().starts_with('.') {
                continue;
            }
            let path = entry.path();
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => {
                    if depth < MAX_FOLDERS_DEEP {
                        folders.push((path, depth + 1));
                    }
                }
                Ok(kind) if kind.is_symlink() && leads_out(&path) => {
                    // A scene is one by what is in it, and that is not looked at.
                    let kind = FileKind::of_path(&path);
                    if !matches!(kind, FileKind::Unknown | FileKind::Scene) && !path.is_dir() {
                        found.outside.push(path);
                    }
                }
                Ok(_) if is_worth_checking(&path) => found.files.push(path),
                Ok(_) => {}
                Err(error) => found.errors.push((path, error)),
            }
        }
    }
    found.files.sort();
    found.outside.sort();
    found
}

fn is_worth_checking(path: &Path) -> bool {
    if path.is_dir() {
        return false;
    }
    match FileKind::of_path(path) {
        FileKind::Motion | FileKind::Rig | FileKind::Anm | FileKind::Pvt => true,
        FileKind::Unknown => is_export(path),
        // Other YAML files are none of our business.
        FileKind::Scene => open(path)
            .is_ok_and(|opened| opened.source.is_some() && opened.kind != FileKind::Unknown),
    }
}

/// Whether a `.json` file begins as an export does: its name is the user's own choice (A1).
fn is_export(path: &Path) -> bool {
    let is_json = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("json"));
    let mut start = Vec::new();
    is_json
        && fs::metadata(path).is_ok_and(|metadata| metadata.is_file())
        && fs::File::open(path).is_ok_and(|file| file.take(4096).read_to_end(&mut start).is_ok())
        && FileKind::is_export_start(&String::from_utf8_lossy(&start))
}
