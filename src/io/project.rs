//! Where a clip's binding lies: inside its project, and nowhere else (M10).

use crate::format::codes;
use crate::model::{BindingPathError, binding_parts};
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Why a binding leads to no file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BindingError {
    /// It is no path inside a project by its spelling.
    #[error(transparent)]
    Path(#[from] BindingPathError),
    /// A symbolic link on the way leads out of the project.
    #[error(
        "Binding must not leave the project through a link: {binding} lies outside {}; copy the \
         file into the project, or make a folder above both the project's root",
        shown(folder)
    )]
    Link {
        /// The binding as written.
        binding: String,
        /// The project's root.
        folder: PathBuf,
    },
    /// No such file below the project, or below any folder above the clip.
    #[error("Binding file is missing: {0}")]
    Missing(String),
}

impl BindingError {
    /// The code of the problem that this is.
    pub fn code(&self) -> &'static str {
        match self {
            BindingError::Missing(_) => codes::BINDING_FILE,
            BindingError::Path(_) | BindingError::Link { .. } => codes::BINDING_PATH,
        }
    }
}

/// The file that `binding` names: below `project`, or without one below the nearest folder above
/// the clip under which it exists. Nothing else is looked at.
///
/// Links are followed as long as they stay below that folder, which may itself be reached through
/// one. The root of the whole file system is a project's root only where it is given as one, or
/// where the clip stands right in it: otherwise every file there is would be inside.
///
/// The path given back is spelled like the clip's where it can be.
///
/// # Errors
/// A path that is absolute, leaves the project, or has backslashes; a file that is not there.
pub fn resolve_binding(
    clip: &Path,
    binding: &str,
    project: Option<&Path>,
) -> Result<PathBuf, BindingError> {
    let inside: PathBuf = binding_parts(binding)?.into_iter().collect();
    let found = match project {
        Some(project) => below(project, &inside, binding, true)?,
        None => {
            let mut found = None;
            for (index, folder) in folders_above(clip).iter().enumerate() {
                found = below(folder, &inside, binding, index == 0)?;
                if found.is_some() {
                    break;
                }
            }
            found
        }
    };
    found.ok_or_else(|| BindingError::Missing(binding.to_owned()))
}

/// The file below a folder, if it is there; an error where a link leads it out.
fn below(
    folder: &Path,
    inside: &Path,
    binding: &str,
    may_be_top: bool,
) -> Result<Option<PathBuf>, BindingError> {
    let path = folder.join(inside);
    if !path.is_file() {
        return Ok(None);
    }
    let (Some(root), Ok(file)) = (real_folder(folder), fs::canonicalize(&path)) else {
        return Ok(None);
    };
    if root.parent().is_none() && !may_be_top {
        return Ok(None);
    }
    if !file.starts_with(&root) {
        let (binding, folder) = (binding.to_owned(), folder.to_owned());
        return Err(BindingError::Link { binding, folder });
    }
    Ok(Some(path))
}

/// The folders above a clip, nearest first: as they are spelled, then as they are.
fn folders_above(clip: &Path) -> Vec<PathBuf> {
    let given = clip.parent().unwrap_or(Path::new(""));
    let climbs = given.components().any(|c| c == Component::ParentDir);
    if climbs {
        // What lies above `link/..` is not what its spelling says.
        let real = real_folder(given)
            .or_else(|| std::path::absolute(given).ok().map(|path| normal(&path)));
        return real.iter().flat_map(|path| path.ancestors()).map(Path::to_owned).collect();
    }
    let mut folders: Vec<PathBuf> = given.ancestors().map(Path::to_owned).collect();
    if given.is_relative()
        && let Ok(here) = std::path::absolute(".")
    {
        folders.extend(here.ancestors().skip(1).map(Path::to_owned));
    }
    folders
}

/// Where a folder really is, without links.
pub(super) fn real_folder(folder: &Path) -> Option<PathBuf> {
    fs::canonicalize(if folder.as_os_str().is_empty() { Path::new(".") } else { folder }).ok()
}

/// A folder for people; the one we stand in has no name otherwise.
fn shown(folder: &Path) -> std::path::Display<'_> {
    if folder.as_os_str().is_empty() { Path::new(".").display() } else { folder.display() }
}

/// A path without `.` and `..`, by its spelling alone.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                normal.pop();
            }
            part => normal.push(part),
        }
    }
    normal
}
