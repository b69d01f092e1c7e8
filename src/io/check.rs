//! Checking a file together with what it is bound to.

use super::open::{Loaded, Opened, open, open_as_binding, open_text};
use super::project::resolve_binding;
use super::read::ReadError;
use crate::diagnostic::{Problem, Severity};
use crate::format::{
    FileKind, Outline, add_remarks, bind_outline, codes, lint_skeleton, lint_take,
};
use crate::model::Rig;
use crate::progress::Progress;
use std::path::Path;

/// A file with its problems and those of its binding.
#[derive(Debug)]
pub struct Checked {
    /// The file. Its problems are all of them here: errors first, in the order of strict loading;
    /// those that lie in the bound rig carry its path.
    pub opened: Opened,
    /// The bound rig or scene, where it could be opened.
    pub binding: Option<Opened>,
}

impl Checked {
    /// The rig that the clip is bound to, where both fit the formats.
    pub fn rig(&self) -> Option<&Rig> {
        match self.binding.as_ref()?.document.as_ref()? {
            Loaded::Rig(rig) => Some(rig),
            _ => None,
        }
    }

    /// The text that a problem stands in.
    pub fn text_of(&self, problem: &Problem) -> &str {
        match (&problem.file, &self.binding) {
            (None, _) => self.opened.text(),
            (Some(file), Some(binding)) if *file == binding.path => binding.text(),
            _ => "",
        }
    }
}

/// Checks a file, with `project` as the root of its project where that is set (M10).
///
/// # Errors
/// Where the file itself cannot be read. A binding that cannot be read is a problem.
pub fn check(path: &Path, project: Option<&Path>) -> Result<Checked, ReadError> {
    Ok(with_binding(open(path)?, project))
}

/// Checks a file that was opened.
pub fn check_opened(opened: Opened, project: Option<&Path>) -> Checked {
    with_binding(opened, project)
}

/// Checks a text as if it stood in the file `path`.
pub fn check_text(path: &Path, text: String, project: Option<&Path>) -> Checked {
    with_binding(open_text(path, text), project)
}

fn with_binding(mut opened: Opened, project: Option<&Path>) -> Checked {
    let remarks = match &opened.document {
        Some(Loaded::Take(take)) => lint_take(take, &Progress::new()),
        Some(Loaded::Skeleton(skeleton)) => lint_skeleton(skeleton),
        _ => Vec::new(),
    };
    if !remarks.is_empty() {
        add_remarks(&mut opened.problems, remarks);
    }
    let Some(source) = opened.source.clone().filter(|_| opened.kind == FileKind::Motion) else {
        return Checked { opened, binding: None };
    };
    let outline = match &opened.document {
        Some(Loaded::Clip(clip)) => Outline::of_clip(clip),
        _ => Outline::of_source(&source),
    };
    let Some((path, _)) = &outline.binding else { return Checked { opened, binding: None } };
    let (problems, binding) = match resolve_binding(&opened.path, path, project) {
        Err(error) => (vec![outline.binding_problem(error.code(), error.to_string())], None),
        Ok(path) => bound(&outline, &path),
    };
    opened.problems.extend(problems);
    opened.problems.sort_by_key(|problem| problem.severity);
    Checked { opened, binding }
}

/// Opens the binding and judges the clip against it.
fn bound(outline: &Outline, path: &Path) -> (Vec<Problem>, Option<Opened>) {
    let binding = match open_as_binding(path) {
        Ok(binding) => binding,
        Err(error) => {
            let message = format!("Binding cannot be read: {error}");
            return (vec![outline.binding_problem(codes::BINDING_FILE, message)], None);
        }
    };
    let mut problems = Vec::new();
    if binding.has_errors() {
        let message = format!("Binding has errors: {}", path.display());
        problems.push(outline.binding_problem(codes::BINDING_BROKEN, message));
        problems.extend(binding.problems.iter().map(|problem| Problem {
            file: Some(path.to_owned()),
            // A repair is made where the rig itself is checked.
            fix: None,
            ..problem.clone()
        }));
    } else if let Some(Loaded::Rig(rig)) = &binding.document {
        problems = bind_outline(outline, rig);
    }
    debug_assert!(problems.iter().all(|p| p.severity == Severity::Error || p.file.is_some()));
    (problems, Some(binding))
}
