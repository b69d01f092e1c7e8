//! Findings, and what becomes of them: problems with a path and a place.

use crate::diagnostic::{Problem, Severity, Subject};
use crate::format::export::first_line;
use crate::format::{codes, file_problem, log};
use crate::model::Origin;
use crate::model::take::{Skeleton, Take};
use crate::source::{NodeId, Source};
use std::collections::HashMap;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// So many findings of one code are listed for one peg; the rest are counted.
const MAX_PER_PEG: usize = 8;
/// So many findings of one code are listed for a file.
const MAX_PER_CODE: usize = 2_000;

/// A number in a sentence: one that would need a line of digits is written with an exponent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Num(pub f64);

impl fmt::Display for Num {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHORT: std::ops::Range<f64> = 1e-6..1e15;
        let Num(number) = *self;
        match f.precision() {
            Some(digits) if number.abs() < SHORT.end => write!(f, "{number:.digits$}"),
            None if number == 0.0 || SHORT.contains(&number.abs()) => write!(f, "{number}"),
            _ if number.is_finite() => write!(f, "{number:e}"),
            _ => write!(f, "{number}"),
        }
    }
}

/// What a finding is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    /// A field at the top, or in a mapping there: `coordinate_system.up`.
    Top,
    /// A peg or bone, by its place in the list.
    Peg(usize),
    /// A key of a peg, each by its place in the list.
    Key(usize, usize),
    /// A camera, by its place in the list.
    Camera(usize),
}

/// One thing that was found.
#[derive(Clone, Debug)]
pub(super) struct Finding {
    pub code: &'static str,
    pub place: Place,
    /// The field, or empty for the whole element.
    pub field: &'static str,
    pub message: String,
}

impl Finding {
    pub fn new(
        code: &'static str,
        place: Place,
        field: &'static str,
        message: impl Into<String>,
    ) -> Finding {
        Finding { code, place, field, message: message.into() }
    }
}

/// The findings of one peg's keys: of each code the first few, and how many more there were.
pub(super) struct PegFindings {
    index: usize,
    found: Vec<Finding>,
    counts: Vec<(&'static str, usize)>,
}

impl PegFindings {
    pub fn new(index: usize) -> Self {
        PegFindings { index, found: Vec::new(), counts: Vec::new() }
    }

    /// About the peg as a whole.
    pub fn peg(&mut self, code: &'static str, field: &'static str, message: String) {
        self.found.push(Finding::new(code, Place::Peg(self.index), field, message));
    }

    /// About one key; the sentence is only made where it is listed.
    pub fn key(
        &mut self,
        code: &'static str,
        key: usize,
        field: &'static str,
        message: impl FnOnce() -> String,
    ) {
        let count = match self.counts.iter_mut().find(|(counted, _)| *counted == code) {
            Some((_, count)) => count,
            None => {
                self.counts.push((code, 0));
                match self.counts.last_mut() {
                    Some((_, count)) => count,
                    None => return,
                }
            }
        };
        *count += 1;
        if *count <= MAX_PER_PEG {
            self.found.push(Finding::new(code, Place::Key(self.index, key), field, message()));
        }
    }

    pub fn finish(mut self) -> Vec<Finding> {
        for (code, count) in &self.counts {
            let more = count.saturating_sub(MAX_PER_PEG);
            if more > 0 {
                let keys = if more == 1 { "key" } else { "keys" };
                let message =
                    format!("and {more} more {keys} of this peg like the {MAX_PER_PEG} listed");
                self.found.push(Finding::new(code, Place::Peg(self.index), "keyframes", message));
            }
        }
        self.found
    }
}

/// Where the elements of a document are.
struct Document<'a> {
    source: Option<&'a Arc<Source>>,
    /// The list's name, `pegs` or `bones`.
    list: &'static str,
    peg: &'a dyn Fn(usize) -> Option<(&'a str, Option<&'a Origin>)>,
    key: &'a dyn Fn(usize, usize) -> Option<(f64, Option<&'a Origin>)>,
    camera: &'a dyn Fn(usize) -> Option<&'a Origin>,
}

pub(super) fn take_problems(take: &Take, findings: Vec<Finding>) -> Vec<Problem> {
    let document = Document {
        source: take.origin.as_ref().map(|origin| &origin.source),
        list: "pegs",
        peg: &|at| take.pegs.get(at).map(|peg| (peg.name.as_str(), peg.origin.as_ref())),
        key: &|peg, at| {
            let key = take.pegs.get(peg)?.keyframes.get(at)?;
            Some((key.frame, key.origin.as_ref()))
        },
        camera: &|at| take.cameras.get(at)?.origin.as_ref(),
    };
    document.problems(findings)
}

pub(super) fn skeleton_problems(skeleton: &Skeleton, findings: Vec<Finding>) -> Vec<Problem> {
    let document = Document {
        source: skeleton.origin.as_ref().map(|origin| &origin.source),
        list: "bones",
        peg: &|at| skeleton.bones.get(at).map(|bone| (bone.name.as_str(), bone.origin.as_ref())),
        key: &|_, _| None,
        camera: &|at| skeleton.cameras.get(at)?.origin.as_ref(),
    };
    document.problems(findings)
}

/// Codes with their rank: the order of the table, the worst first.
fn ranks() -> HashMap<&'static str, (Severity, usize)> {
    let ranked = codes::ALL.iter().enumerate();
    ranked.map(|(rank, (code, severity))| (*code, (*severity, rank))).collect()
}

impl Document<'_> {
    fn problems(&self, mut findings: Vec<Finding>) -> Vec<Problem> {
        let ranks = ranks();
        let rank = |code| ranks.get(code).copied().unwrap_or((Severity::Warning, usize::MAX));
        // Stable: within a code the order of the file, and what was found of a key as it was found.
        findings.sort_by_key(|finding| (rank(finding.code), peg_of(finding.place)));
        let mut counts: HashMap<&str, usize> = HashMap::new();
        let mut cut = false;
        findings.retain(|finding| {
            let count = counts.entry(finding.code).or_default();
            *count += 1;
            cut |= *count > MAX_PER_CODE;
            *count <= MAX_PER_CODE
        });
        let mut problems: Vec<Problem> = findings
            .into_iter()
            .map(|finding| self.problem(rank(finding.code).0, finding))
            .collect();
        if let Some(source) = self.source {
            log::place(source, &mut problems);
        }
        if cut {
            problems.push(Problem {
                severity: Severity::Info,
                ..file_problem(codes::MORE_PROBLEMS, "There are more problems than are listed")
            });
        }
        problems
    }

    fn problem(&self, severity: Severity, finding: Finding) -> Problem {
        let Finding { code, place, field, message } = finding;
        let list = self.list;
        let mut subject = None;
        let (mut path, origin) = match place {
            Place::Top => (String::new(), None),
            Place::Peg(at) => {
                let peg = (self.peg)(at);
                subject = peg.map(|(name, _)| (at, name, None));
                (format!("{list}[{at}]"), peg.and_then(|(_, origin)| origin))
            }
            Place::Key(peg, at) => {
                let key = (self.key)(peg, at);
                subject = (self.peg)(peg).map(|(name, _)| (peg, name, key.map(|key| key.0)));
                let path = format!("{list}[{peg}].keyframes[{at}]");
                (path, key.and_then(|(_, origin)| origin))
            }
            Place::Camera(at) => (format!("cameras[{at}]"), (self.camera)(at)),
        };
        if !field.is_empty() {
            let dot = if path.is_empty() { "" } else { "." };
            path = format!("{path}{dot}{field}");
        }
        let subject = subject
            .map(|(index, name, frame)| Box::new(Subject { index, peg: name.to_owned(), frame }));
        let span = self.span(place, origin, field);
        Problem { severity, path, span, subject, ..file_problem(code, message) }
    }

    /// The field's value, or else the beginning of what lacks it.
    fn span(&self, place: Place, origin: Option<&Origin>, field: &str) -> Option<Range<usize>> {
        let source = self.source?;
        let node = match place {
            Place::Top => source.root(),
            _ => origin.filter(|origin| Arc::ptr_eq(&origin.source, source))?.node,
        };
        let whole = source.span(node);
        let found = field_span(source, node, field).unwrap_or(whole.start..whole.start + 1);
        Some(first_line(source, found))
    }
}

fn peg_of(place: Place) -> usize {
    match place {
        Place::Top => 0,
        Place::Peg(at) | Place::Key(at, _) | Place::Camera(at) => at,
    }
}

/// The span of `a` or `a.b` in an object, leaves included.
fn field_span(source: &Source, node: NodeId, field: &str) -> Option<Range<usize>> {
    let (outer, inner) = field.split_once('.').unwrap_or((field, ""));
    if outer.is_empty() {
        return None;
    }
    let span = source.field_span(node, outer)?;
    match inner {
        "" => Some(span),
        inner => source.field_span_in(&span, inner).or(Some(span)),
    }
}
