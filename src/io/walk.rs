//! The files of a folder that are worth checking.

use super::open::open;
use crate::format::FileKind;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Deepest folders that are looked into.
const MAX_FOLDERS_DEEP: usize = 64;

/// Every file below `folder` that this program reads, sorted by path: those of its own
/// extensions, and YAML files that are scenes. Hidden files and folders are left out, and links
/// to folders are not followed. Folders that cannot be read are given with what the system says.
pub fn files_below(folder: &Path) -> (Vec<PathBuf>, Vec<(PathBuf, io::Error)>) {
    let mut files = Vec::new();
    let mut errors = Vec::new();
    let mut folders = vec![(folder.to_owned(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        let entries = fs::read_dir(&folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
        let entries = match entries {
            Ok(entries) => entries,
            Err(error) => {
                errors.push((folder, error));
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
                Ok(_) if is_worth_checking(&path) => files.push(path),
                Ok(_) => {}
                Err(error) => errors.push((path, error)),
            }
        }
    }
    files.sort();
    (files, errors)
}

fn is_worth_checking(path: &Path) -> bool {
    if path.is_dir() {
        return false;
    }
    match FileKind::of_path(path) {
        FileKind::Motion | FileKind::Rig | FileKind::Anm | FileKind::Pvt => true,
        FileKind::Unknown => false,
        // Other YAML files are none of our business.
        FileKind::Scene => open(path).is_ok_and(|opened| {
            opened.kind != FileKind::Scene
                || opened.source.is_some_and(|s| s.get(s.root(), "entities").is_some())
        }),
    }
}
