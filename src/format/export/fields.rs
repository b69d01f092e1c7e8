//! The fields of one object of an export, with what is wrong with them.

use crate::diagnostic::{Problem, Severity, Subject};
use crate::format::{codes, file_problem};
use crate::model::take::{Term, Word};
use crate::source::{Kind, NodeId, Source};
use std::collections::HashSet;
use std::ops::Range;

/// So many problems of one code are listed; nobody reads more, and a broken file of 256 MiB must
/// not become gigabytes of complaints (M12).
pub(super) const MAX_PER_CODE: usize = 2_000;

/// The problems of one export in the order in which strict loading meets them.
pub(in crate::format) struct Report<'a> {
    pub source: &'a Source,
    problems: Vec<Problem>,
    counts: std::collections::HashMap<&'static str, usize>,
    unknown: HashSet<String>,
    cut: bool,
    /// True once there is an error at which the file stays a text (A1, A1b).
    pub fatal: bool,
}

impl<'a> Report<'a> {
    pub fn new(source: &'a Source) -> Self {
        Report {
            source,
            problems: Vec::new(),
            counts: Default::default(),
            unknown: HashSet::new(),
            cut: false,
            fatal: false,
        }
    }

    pub fn add(
        &mut self,
        severity: Severity,
        code: &'static str,
        message: impl Into<String>,
        path: String,
        span: Range<usize>,
        subject: Option<Subject>,
    ) {
        let count = self.counts.entry(code).or_default();
        *count += 1;
        if *count > MAX_PER_CODE {
            self.cut = true;
            return;
        }
        self.problems.push(Problem {
            severity,
            path,
            span: Some(first_line(self.source, span)),
            subject: subject.map(Box::new),
            ..file_problem(code, message)
        });
    }

    /// An error at which the file stays a text.
    pub fn fatal(
        &mut self,
        code: &'static str,
        message: impl Into<String>,
        path: String,
        span: Range<usize>,
        subject: Option<Subject>,
    ) {
        self.fatal = true;
        self.add(Severity::Error, code, message, path, span, subject);
    }

    /// A field that nobody here knows, once for each path such as `pegs[].note`.
    pub fn unknown(&mut self, general: String, path: String, span: Range<usize>) {
        if self.unknown.contains(&general) {
            return;
        }
        let message = format!("Unknown field `{general}`: kept as it is, and never used");
        self.unknown.insert(general);
        self.add(Severity::Info, codes::UNKNOWN_FIELD, message, path, span, None);
    }

    /// Errors in the order in which they were met, then warnings, then infos, with their lines.
    pub fn finish(mut self) -> Vec<Problem> {
        self.problems.sort_by_key(|problem| problem.severity);
        if self.cut {
            let message = "There are more problems than are listed";
            self.problems.push(Problem {
                severity: Severity::Info,
                ..file_problem(codes::MORE_PROBLEMS, message)
            });
        }
        crate::format::log::place(self.source, &mut self.problems);
        self.problems
    }
}

/// Of a long value its first line.
pub(in crate::format) fn first_line(source: &Source, span: Range<usize>) -> Range<usize> {
    let raw = &source.text().as_bytes()[span.clone()];
    let line = memchr::memchr2(b'\n', b'\r', raw).unwrap_or(raw.len());
    span.start..span.start + line
}

/// One object, the way to it, and what it is about.
pub(super) struct Fields<'r, 'a> {
    pub report: &'r mut Report<'a>,
    pub map: NodeId,
    pub path: String,
    pub subject: Option<Subject>,
}

impl Fields<'_, '_> {
    pub fn path_of(&self, key: &str) -> String {
        match self.path.is_empty() {
            true => key.to_owned(),
            false => format!("{}.{key}", self.path),
        }
    }

    /// A field's value; null is as good as absent.
    pub fn get(&self, key: &str) -> Option<NodeId> {
        let source = self.report.source;
        source.get(self.map, key).filter(|node| source.raw(*node) != "null")
    }

    pub fn text_of(&self, node: NodeId) -> Option<String> {
        let source = self.report.source;
        let text = source.scalar(node).filter(|_| source.kind(node) == Kind::DoubleQuoted);
        text.map(|text| text.into_owned())
    }

    fn wrong(&mut self, severity: Severity, key: &str, node: NodeId, what: &str) {
        let (path, span) = (self.path_of(key), self.report.source.span(node));
        let (code, end) = match severity {
            Severity::Error => (codes::WRONG_VALUE, "; nothing can be converted from it"),
            _ => (codes::WRONG_FIELD, "; it counts as absent"),
        };
        let message = format!("`{key}` must be {what}{end}");
        self.report.add(severity, code, message, path, span, self.subject.clone());
    }

    /// A text that is only a name for people or programs.
    pub fn text(&mut self, key: &str) -> Option<String> {
        let node = self.get(key)?;
        let text = self.text_of(node);
        if text.is_none() {
            self.wrong(Severity::Warning, key, node, "text");
        }
        text
    }

    pub fn boolean(&mut self, key: &str) -> Option<bool> {
        let node = self.get(key)?;
        let value = match self.report.source.raw(node) {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        };
        if value.is_none() {
            self.wrong(Severity::Warning, key, node, "true or false");
        }
        value
    }

    /// A number that counts.
    pub fn number(&mut self, key: &str) -> Option<f64> {
        self.number_as(key, Severity::Error)
    }

    pub fn number_as(&mut self, key: &str, severity: Severity) -> Option<f64> {
        let node = self.get(key)?;
        let value = crate::format::field::number(self.report.source, node);
        if value.is_none() {
            self.wrong(severity, key, node, "a number");
        }
        value
    }

    /// A list of `N` numbers that count.
    pub fn numbers<const N: usize>(&mut self, key: &str) -> Option<[f64; N]> {
        let node = self.get(key)?;
        let value = numbers(self.report.source, node);
        if value.is_none() {
            self.wrong(Severity::Error, key, node, &format!("a list of {N} numbers"));
        }
        value
    }

    /// One of some known words; anything but a text is kept as it is spelled.
    pub fn term<T: Word>(&mut self, key: &str) -> Term<T> {
        let node = self.get(key);
        let written = node.map(|node| {
            self.text_of(node).unwrap_or_else(|| self.report.source.raw(node).to_owned())
        });
        Term::new(written)
    }

    /// Lists the fields that are none of these; `general` is the way here without numbers.
    pub fn unknown(&mut self, general: &str, known: &[&str]) {
        let source = self.report.source;
        for (key, _) in source.entries(self.map) {
            let Some(name) = source.scalar(key) else { continue };
            if !known.contains(&&*name) {
                let path = self.path_of(&name);
                self.report.unknown(format!("{general}{name}"), path, source.span(key));
            }
        }
    }
}

/// A list of exactly `N` numbers, on as many lines as it likes.
pub(in crate::format) fn numbers<const N: usize>(
    source: &Source,
    node: NodeId,
) -> Option<[f64; N]> {
    let mut found = [0.0; N];
    let mut items = source.items(node);
    for slot in &mut found {
        *slot = crate::format::field::number(source, items.next()?)?;
    }
    items.next().is_none().then_some(found)
}
