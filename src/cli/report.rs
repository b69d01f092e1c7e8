//! Problems as text and as JSON.

use super::output::{clean, visible};
use crate::diagnostic::{Fix, Problem, Severity};
use crate::io::Checked;
use serde::Serialize;
use std::fmt::Write;
use std::path::Path;

/// Characters of a line that are shown to either side of a caret.
const BESIDE: usize = 60;

/// One file in the JSON answer of `check`.
#[derive(Serialize)]
pub(super) struct FileReport<'a> {
    file: String,
    kind: &'static str,
    ok: bool,
    problems: Vec<ProblemReport<'a>>,
}

#[derive(Serialize)]
struct ProblemReport<'a> {
    severity: &'static str,
    code: &'static str,
    message: &'a str,
    line: Option<u32>,
    column: Option<u32>,
    path: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    peg: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    frame: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<FixReport<'a>>,
}

#[derive(Serialize)]
struct FixReport<'a> {
    title: &'a str,
    edits: Vec<EditReport<'a>>,
}

#[derive(Serialize)]
struct EditReport<'a> {
    start: usize,
    end: usize,
    text: &'a str,
}

impl<'a> FileReport<'a> {
    pub fn new(checked: &'a Checked) -> Self {
        let opened = &checked.opened;
        FileReport {
            file: opened.path.display().to_string(),
            kind: opened.kind.as_str(),
            ok: !opened.has_errors(),
            problems: opened.problems.iter().map(ProblemReport::new).collect(),
        }
    }
}

impl<'a> ProblemReport<'a> {
    fn new(problem: &'a Problem) -> Self {
        ProblemReport {
            severity: problem.severity.as_str(),
            code: problem.code,
            message: &problem.message,
            line: problem.position.map(|p| p.line),
            column: problem.position.map(|p| p.column),
            path: &problem.path,
            peg: problem.subject.as_ref().map(|subject| &*subject.peg),
            frame: problem.subject.as_ref().and_then(|subject| subject.frame),
            file: problem.file.as_ref().map(|file| file.display().to_string()),
            fix: problem.fix.as_ref().map(FixReport::new),
        }
    }
}

impl<'a> FixReport<'a> {
    fn new(fix: &'a Fix) -> Self {
        let edits = fix.edits.iter().map(|edit| EditReport {
            start: edit.span.start,
            end: edit.span.end,
            text: &edit.text,
        });
        FixReport { title: &fix.title, edits: edits.collect() }
    }
}

/// A problem as `file:line:column: error[code]: message`, with its line and a caret below it.
pub(super) fn problem_text(checked: &Checked, problem: &Problem, colours: bool) -> String {
    let text = checked.text_of(problem);
    let file = problem.file.as_deref().unwrap_or(&checked.opened.path);
    problem_text_in(file, text, problem, colours)
}

fn problem_text_in(file: &Path, text: &str, problem: &Problem, colours: bool) -> String {
    let (strong, weak, end) = match (colours, problem.severity) {
        (false, _) => ("", "", ""),
        (true, Severity::Error) => ("\u{1b}[1;31m", "\u{1b}[2m", "\u{1b}[0m"),
        (true, Severity::Warning) => ("\u{1b}[1;33m", "\u{1b}[2m", "\u{1b}[0m"),
        (true, Severity::Info) => ("\u{1b}[1;36m", "\u{1b}[2m", "\u{1b}[0m"),
    };
    let mut out = clean(&file.display().to_string());
    if let Some(position) = problem.position {
        let _ = write!(out, ":{}:{}", position.line, position.column);
    }
    let severity = problem.severity.as_str();
    let code = problem.code;
    let whose = problem.subject.as_ref().map(|subject| match subject.frame {
        Some(frame) => format!("{}, frame {frame}: ", clean(&subject.peg)),
        None => format!("{}: ", clean(&subject.peg)),
    });
    let whose = whose.unwrap_or_default();
    let message = clean(&problem.message);
    let _ = writeln!(out, ": {strong}{severity}[{code}]{end}: {whose}{message}");
    if let (Some(position), Some(span)) = (problem.position, &problem.span)
        && let Some((line, before, carets)) = excerpt(text, span.start, span.end)
    {
        let number = position.line.to_string();
        let margin = " ".repeat(number.len());
        let _ = writeln!(out, "{weak}{number} |{end} {line}");
        let marks = "^".repeat(carets);
        let _ = writeln!(out, "{weak}{margin} |{end} {}{strong}{marks}{end}", " ".repeat(before));
    }
    if let Some(fix) = &problem.fix {
        let _ = writeln!(out, "  {weak}--fix would:{end} {}", clean(&fix.title));
    }
    out
}

/// The line around a byte, cut where it is long; how many characters stand before the caret, and
/// how many carets there are. The work does not grow with the line's length.
fn excerpt(text: &str, start: usize, end: usize) -> Option<(String, usize, usize)> {
    let is_break = |c: &char| matches!(c, '\n' | '\r');
    let (head, tail) = (text.get(..start)?, text.get(start..)?);
    let mut before: Vec<char> =
        head.chars().rev().take_while(|c| !is_break(c)).take(BESIDE + 1).collect();
    let cut_left = before.len() > BESIDE;
    before.truncate(BESIDE);
    before.reverse();
    // The mark is no character of the first line.
    if before.first() == Some(&'\u{feff}') {
        before.remove(0);
    }
    let after: Vec<char> = tail.chars().take_while(|c| !is_break(c)).take(BESIDE + 1).collect();
    let cut_right = after.len() > BESIDE;
    let shown = &after[..after.len().min(BESIDE)];
    let marked =
        tail.get(..end.saturating_sub(start)).map_or(1, |m| m.chars().take(BESIDE).count());
    let mut line = String::new();
    line.extend(cut_left.then_some('…'));
    line.extend(before.iter().chain(shown).map(|c| visible(*c)));
    line.extend(cut_right.then_some('…'));
    let carets = marked.clamp(1, shown.len().max(1));
    Some((line, before.len() + usize::from(cut_left), carets))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_cut_around_the_caret() {
        let text = format!("{}X{}\nnext", "a".repeat(1_000), "b".repeat(1_000));
        let shown = excerpt(&text, 1_000, 1_001);
        let expected = format!("…{}X{}…", "a".repeat(BESIDE), "b".repeat(BESIDE - 1));
        assert_eq!(shown, Some((expected, BESIDE + 1, 1)));
    }

    #[test]
    fn carets_stay_on_their_line() {
        assert_eq!(excerpt("a: b\nc: d\n", 3, 9), Some(("a: b".to_owned(), 3, 1)));
        assert_eq!(excerpt("\u{feff}a: bcd", 6, 9), Some(("a: bcd".to_owned(), 3, 3)));
        assert_eq!(excerpt("", 0, 0), Some((String::new(), 0, 1)));
        assert_eq!(excerpt("ab", 5, 6), None);
    }
}
