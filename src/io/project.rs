//! Where a clip's binding lies: inside its project, and nowhere else (M10).

use std::path::{Component, Path, PathBuf};

/// Why a binding leads to no file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BindingError {
    /// It begins at the root of a disk.
    #[error("Binding must be a path inside the project, not an absolute one: {0}")]
    Absolute(String),
    /// It goes up and out of the project.
    #[error("Binding must not leave the project: {0}")]
    Leaves(String),
    /// It has backslashes.
    #[error("Binding must have / between folders, not \\: {0}")]
    Backslash(String),
    /// No such file below the project, or below any folder above the clip.
    #[error("Binding file is missing: {0}")]
    Missing(String),
}

/// The file that `binding` names: below `project`, or without one below the nearest folder above
/// the clip under which it exists. Nothing else is looked at.
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
    let inside = path_inside(binding)?;
    let missing = || BindingError::Missing(binding.to_owned());
    if let Some(project) = project {
        let path = project.join(inside);
        return if path.is_file() { Ok(path) } else { Err(missing()) };
    }
    let given = clip.parent().unwrap_or(Path::new(""));
    let climbs = given.components().any(|c| c == Component::ParentDir);
    if !climbs {
        for folder in given.ancestors() {
            let path = folder.join(&inside);
            if path.is_file() {
                return Ok(path);
            }
        }
    }
    let Ok(absolute) = std::path::absolute(clip).map(|path| normal(&path)) else {
        return Err(missing());
    };
    let folders = absolute.ancestors().skip(1).map(|folder| folder.join(&inside));
    folders.into_iter().find(|path| path.is_file()).ok_or_else(missing)
}

/// A binding as a path that stays below whatever it is joined to.
fn path_inside(binding: &str) -> Result<PathBuf, BindingError> {
    if binding.contains('\\') {
        return Err(BindingError::Backslash(binding.to_owned()));
    }
    let drive = matches!(binding.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic());
    if binding.starts_with('/') || drive {
        return Err(BindingError::Absolute(binding.to_owned()));
    }
    let mut parts = Vec::new();
    for part in binding.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                if parts.pop().is_none() {
                    return Err(BindingError::Leaves(binding.to_owned()));
                }
            }
            part => parts.push(part),
        }
    }
    Ok(parts.into_iter().collect())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stay_inside() {
        for (binding, path) in [
            ("a.rig", "a.rig"),
            ("data/a.rig", "data/a.rig"),
            ("./data//a.rig", "data/a.rig"),
            ("data/../a.rig", "a.rig"),
            ("a/b/../../c.rig", "c.rig"),
            ("..a/b..rig", "..a/b..rig"),
        ] {
            assert_eq!(path_inside(binding), Ok(PathBuf::from(path)), "{binding}");
        }
        for binding in ["../a.rig", "a/../../b.rig", "..", "a/../.."] {
            let refused = BindingError::Leaves(binding.to_owned());
            assert_eq!(path_inside(binding), Err(refused), "{binding}");
        }
        for binding in ["/a.rig", "//server/a.rig", "C:/a.rig", "c:a.rig"] {
            let refused = BindingError::Absolute(binding.to_owned());
            assert_eq!(path_inside(binding), Err(refused), "{binding}");
        }
        for binding in ["a\\b.rig", "\\\\server\\a.rig", "C:\\a.rig"] {
            let refused = BindingError::Backslash(binding.to_owned());
            assert_eq!(path_inside(binding), Err(refused), "{binding}");
        }
    }
}
