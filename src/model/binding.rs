//! What a clip's binding may be by its spelling alone (M10).

/// Why a binding is no path inside a project.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BindingPathError {
    /// It begins at the root of a disk.
    #[error("Binding must be a path inside the project, not an absolute one: {0}")]
    Absolute(String),
    /// It goes up and out of the project.
    #[error("Binding must not leave the project: {0}")]
    Leaves(String),
    /// It has backslashes.
    #[error("Binding must have / between folders, not \\: {0}")]
    Backslash(String),
    /// It ends where only a folder can be meant.
    #[error("Binding must name a file, not a folder: {0}")]
    Folder(String),
}

/// The names along a binding, from the project's root to the file; without `.` and `..`.
///
/// # Errors
/// A path that is absolute, leaves the project, has backslashes, or ends like a folder's.
pub fn binding_parts(binding: &str) -> Result<Vec<&str>, BindingPathError> {
    if binding.contains('\\') {
        return Err(BindingPathError::Backslash(binding.to_owned()));
    }
    let drive = matches!(binding.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic());
    if binding.starts_with('/') || drive {
        return Err(BindingPathError::Absolute(binding.to_owned()));
    }
    let mut parts = Vec::new();
    for part in binding.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                if parts.pop().is_none() {
                    return Err(BindingPathError::Leaves(binding.to_owned()));
                }
            }
            part => parts.push(part),
        }
    }
    match binding.rsplit('/').next() {
        None | Some("" | "." | "..") => Err(BindingPathError::Folder(binding.to_owned())),
        Some(_) => Ok(parts),
    }
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
            let parts = binding_parts(binding).map(|parts| parts.join("/"));
            assert_eq!(parts, Ok(path.to_owned()), "{binding}");
        }
        type Make = fn(String) -> BindingPathError;
        let refused: [(Make, &[&str]); 4] = [
            (BindingPathError::Leaves, &["../a.rig", "a/../../b.rig", "..", "a/../.."]),
            (BindingPathError::Absolute, &["/a.rig", "//server/a.rig", "C:/a.rig", "c:a.rig"]),
            (BindingPathError::Backslash, &["a\\b.rig", "\\\\server\\a.rig", "C:\\a.rig"]),
            (BindingPathError::Folder, &["a.rig/", "data/a.rig//", "a.rig/.", "a/..", ".", ""]),
        ];
        for (error, bindings) in refused {
            for binding in bindings {
                let expected = Err(error((*binding).to_owned()));
                assert_eq!(binding_parts(binding), expected, "{binding}");
            }
        }
    }
}
