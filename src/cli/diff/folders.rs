//! Two folders compared file by file.

use super::super::output::{self, clean, complain};
use super::super::{FAILED, FINE, Format, HAS_ERRORS};
use super::{Diff, Read, json};
use crate::diff::Difference;
use crate::io::files_below;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// What became of a file.
pub(super) enum State {
    /// Both folders have it.
    Both(Box<(Read, Read, Difference)>),
    /// It is only in the newer one.
    New,
    /// It is only in the older one.
    Gone,
    /// It could not be read or compared.
    Failed,
}

impl State {
    pub fn word(&self) -> &'static str {
        match self {
            State::Both(both) if both.2.is_empty() => "same",
            State::Both(_) => "differs",
            State::New => "new",
            State::Gone => "gone",
            State::Failed => "failed",
        }
    }
}

impl Diff {
    /// Pairs by their paths below the folders.
    pub(super) fn folders(&self) -> u8 {
        let mut failed = false;
        let (a, b) = (below(&self.a, &mut failed), below(&self.b, &mut failed));
        let all: BTreeSet<&PathBuf> = a.union(&b).collect();
        if all.is_empty() {
            complain(&format!(
                "neither {} nor {} has a file that can be compared",
                self.a.display(),
                self.b.display()
            ));
            failed = true;
        }
        let mut rows: Vec<(PathBuf, State)> = Vec::with_capacity(all.len());
        for path in all {
            let state = match (a.contains(path), b.contains(path)) {
                (true, false) => State::Gone,
                (false, true) => State::New,
                _ => self.pair(path),
            };
            failed |= matches!(state, State::Failed);
            rows.push((path.clone(), state));
        }
        failed |= !output::print(&match self.format {
            Format::Text => table(&rows),
            Format::Json => json::folders(&self.a, &self.b, &rows),
        });
        match rows.iter().all(|(_, state)| state.word() == "same") {
            _ if failed => FAILED,
            true => FINE,
            false => HAS_ERRORS,
        }
    }

    fn pair(&self, path: &Path) -> State {
        let (Ok(a), Ok(b)) = (self.read(&self.a.join(path)), self.read(&self.b.join(path))) else {
            return State::Failed;
        };
        match self.compare(&a, &b) {
            Ok(found) => State::Both(Box::new((a, b, found))),
            Err(error) => {
                complain(&error);
                State::Failed
            }
        }
    }
}

fn below(folder: &Path, failed: &mut bool) -> BTreeSet<PathBuf> {
    let found = files_below(folder, None);
    for (path, error) in found.errors {
        complain(&format!("{}: {error}", path.display()));
        *failed = true;
    }
    for link in found.outside {
        let (link, folder) = (link.display(), folder.display());
        complain(&format!("{link}: left out, since this link leads out of {folder}"));
    }
    let own = |path: PathBuf| path.strip_prefix(folder).map(Path::to_owned).ok();
    found.files.into_iter().filter_map(own).collect()
}

/// A row a file; of those that differ the summary.
fn table(rows: &[(PathBuf, State)]) -> String {
    let name = |path: &PathBuf| clean(&path.display().to_string());
    let width = rows.iter().map(|(path, _)| name(path).chars().count()).max().unwrap_or(0);
    let mut out = String::new();
    let mut counts: Vec<String> = Vec::new();
    for word in ["differs", "new", "gone", "same", "failed"] {
        let count = rows.iter().filter(|(_, state)| state.word() == word).count();
        if count > 0 {
            let word = if word == "differs" && count > 1 { "differ" } else { word };
            counts.push(format!("{count} {word}"));
        }
    }
    let _ = writeln!(out, "{}", counts.join(", "));
    for (path, state) in rows {
        let summary = match state {
            State::Both(both) if !both.2.is_empty() => clean(&both.2.summary()),
            _ => String::new(),
        };
        let line = format!("{:<8} {:<width$}  {summary}", state.word(), name(path));
        let _ = writeln!(out, "{}", line.trim_end());
    }
    out
}
