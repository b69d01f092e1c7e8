//! `posewright check`

use super::output::{self, complain};
use super::report::{FileReport, problem_text};
use super::{FAILED, FINE, Format, HAS_ERRORS};
use crate::diagnostic::{Severity, TextEdit, counted};
use crate::io::save::{Base, save};
use crate::io::{Checked, ContentHash, ReadError, check, check_text, files_below};
use clap::Args;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// So many rounds of repairs are made at most. Each mends at least one thing, and nearly all
/// files need one or two.
const MAX_ROUNDS: usize = 1_000;

/// Say everything that is wrong with files, and with what they are bound to
#[derive(Args)]
#[command(after_help = "Examples:\n  posewright check assets\n  \
    posewright check draw.motion --project . --format json\n  \
    posewright check draw.motion --fix")]
pub(super) struct Check {
    /// Files, and folders to look through
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// The project's root, below which bindings are found; else the nearest folder above a clip
    /// under which its binding exists
    #[arg(long, value_name = "DIR")]
    project: Option<PathBuf>,
    /// How to answer
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Make the repairs that have one right answer
    #[arg(long)]
    fix: bool,
}

impl Check {
    pub fn run(&self) -> u8 {
        let mut failed = false;
        if let Some(project) = self.project.as_deref().filter(|p| !p.is_dir()) {
            complain(&format!("{}: no such folder for --project", project.display()));
            return FAILED;
        }
        let mut results = Vec::new();
        for file in self.files(&mut failed) {
            match self.check(&file, &mut failed) {
                Ok(checked) => results.push(checked),
                Err(error) => {
                    complain(&error.to_string());
                    failed = true;
                }
            }
        }
        if self.fix {
            // A repair of one file may mend another that is bound to it.
            let project = self.project.as_deref();
            let again = |checked: &Checked| check(&checked.opened.path, project);
            results = results.iter().filter_map(|checked| again(checked).ok()).collect();
        }
        failed |= !output::print(&match self.format {
            Format::Text if self.paths.iter().any(|path| path.is_dir()) => summary(&results),
            Format::Text => text(&results),
            Format::Json => json(&results),
        });
        if failed {
            FAILED
        } else if results.iter().any(|checked| checked.opened.has_errors()) {
            HAS_ERRORS
        } else {
            FINE
        }
    }

    /// The files that were asked for, those of folders included.
    fn files(&self, failed: &mut bool) -> Vec<PathBuf> {
        let mut files = Vec::new();
        for path in &self.paths {
            if !path.is_dir() {
                files.push(path.clone());
                continue;
            }
            let found = files_below(path, self.project.as_deref());
            files.extend(found.files);
            for (path, error) in found.errors {
                complain(&format!("{}: {error}", path.display()));
                *failed = true;
            }
            for link in found.outside {
                complain(&format!(
                    "{}: left out, since this link leads out of {}; name the file to check it",
                    link.display(),
                    path.display()
                ));
            }
        }
        files
    }

    fn check(&self, path: &Path, failed: &mut bool) -> Result<Checked, ReadError> {
        let project = self.project.as_deref();
        let checked = check(path, project)?;
        if !self.fix {
            return Ok(checked);
        }
        let original = checked.opened.text().to_owned();
        let (mended, titles) = mend(path, checked, project);
        if titles.is_empty() {
            return Ok(mended);
        }
        let base = Base::Content(ContentHash::of(original.as_bytes()));
        if let Err(error) = save(path, mended.opened.text().as_bytes(), base) {
            complain(&error.to_string());
            *failed = true;
            return Ok(check_text(path, original, project));
        }
        let count = titles.len();
        let times = if count == 1 { "repair" } else { "repairs" };
        complain(&format!("{}: {count} {times} made", path.display()));
        for (title, line) in titles.iter().take(20) {
            complain(&format!("  line {line}: {title}"));
        }
        if count > 20 {
            complain(&format!("  and {} more", count - 20));
        }
        Ok(mended)
    }
}

/// Applies repairs and checks again until none is left. Repairs that stand apart from each other
/// are made in one round, which gives the same text as one by one.
fn mend(
    path: &Path,
    mut checked: Checked,
    project: Option<&Path>,
) -> (Checked, Vec<(String, u32)>) {
    let mut titles = Vec::new();
    for _ in 0..MAX_ROUNDS {
        let Some(source) = &checked.opened.source else { break };
        // Where each repair of this round begins and ends.
        let mut taken: BTreeMap<usize, usize> = BTreeMap::new();
        let mut edits: Vec<TextEdit> = Vec::new();
        let mut round = Vec::new();
        let own = checked.opened.problems.iter().filter(|p| p.file.is_none());
        for fix in own.filter_map(|problem| problem.fix.as_ref()) {
            let (Some(first), Some(last)) = (fix.edits.first(), fix.edits.last()) else { continue };
            let (start, end) = (first.span.start, last.span.end);
            // None of those taken overlap, so only the last that begins before the end can.
            let before = taken.range(..end.max(start + 1)).next_back();
            if before.is_some_and(|(_, e)| *e > start) {
                continue;
            }
            taken.insert(start, end);
            edits.extend(fix.edits.iter().cloned());
            round.push((fix.title.clone(), start));
        }
        if edits.is_empty() {
            break;
        }
        let text = apply(source.text(), edits);
        let next = check_text(path, text, project);
        if next.opened.source.is_none() {
            // Never seen, and never to be written.
            break;
        }
        let starts: Vec<usize> = round.iter().map(|(_, start)| *start).collect();
        let lines = source.positions(&starts).into_iter().map(|position| position.line);
        titles.extend(round.into_iter().map(|(title, _)| title).zip(lines));
        checked = next;
    }
    (checked, titles)
}

fn apply(text: &str, mut edits: Vec<TextEdit>) -> String {
    edits.sort_by_key(|edit| edit.span.start);
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for edit in edits {
        out.push_str(&text[at..edit.span.start]);
        out.push_str(&edit.text);
        at = edit.span.end;
    }
    out.push_str(&text[at..]);
    out
}

fn text(results: &[Checked]) -> String {
    let colours = output::colours();
    let mut out = String::new();
    let (mut errors, mut others) = (0, 0);
    for checked in results {
        for problem in &checked.opened.problems {
            out.push_str(&problem_text(checked, problem, colours));
            if problem.severity == Severity::Error { errors += 1 } else { others += 1 }
        }
    }
    out.push_str(&total(results.len(), errors, others));
    out
}

fn total(files: usize, errors: usize, others: usize) -> String {
    let [files, errors, others] = [(files, "file"), (errors, "error"), (others, "other remark")]
        .map(|(number, what)| counted(number, what));
    format!("{files} checked: {errors}, {others}\n")
}

/// Of the files of folders one line each, the worst first, with the first thing to look at.
fn summary(results: &[Checked]) -> String {
    let count = |checked: &Checked, severity| {
        checked.opened.problems.iter().filter(|p| p.severity == severity).count()
    };
    let mut lines: Vec<([usize; 3], &Checked)> = results
        .iter()
        .map(|checked| {
            let severities = [Severity::Error, Severity::Warning, Severity::Info];
            (severities.map(|severity| count(checked, severity)), checked)
        })
        .collect();
    // Stable: files that are as bad stay in the order of their paths.
    lines.sort_by_key(|(counts, _)| std::cmp::Reverse(*counts));
    let mut out = String::new();
    let (mut errors, mut others) = (0, 0);
    for ([e, w, i], checked) in lines {
        errors += e;
        others += w + i;
        let file = output::clean(&checked.opened.path.display().to_string());
        let named = [(e, "error"), (w, "warning"), (i, "remark")];
        let counts: Vec<String> = named
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(number, what)| counted(number, what))
            .collect();
        let counts = if counts.is_empty() { "fine".to_owned() } else { counts.join(", ") };
        out.push_str(&format!("{file}: {counts}"));
        let worst = checked.opened.problems.first().filter(|p| p.severity != Severity::Info);
        if let Some(problem) = worst {
            let line = problem.position.map(|at| format!("line {}: ", at.line));
            let line = line.unwrap_or_default();
            out.push_str(&format!("; {line}{}", output::clean(&problem.message)));
        }
        out.push('\n');
    }
    out.push_str(&total(results.len(), errors, others));
    out
}

fn json(results: &[Checked]) -> String {
    let reports: Vec<FileReport> = results.iter().map(FileReport::new).collect();
    let mut text = serde_json::to_string_pretty(&reports).unwrap_or_default();
    text.push('\n');
    text
}
