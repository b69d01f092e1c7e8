//! Gathers the problems of one text in the order in which strict loading meets them (M3).

use super::codes;
use crate::diagnostic::{Fix, Problem, Severity};
use crate::model::messages;
use crate::source::{NodeId, Source, Tag};
use std::ops::Range;

/// So many problems of each phase are kept: nobody reads more, and a broken file of 256 MiB must
/// not become gigabytes of complaints (M12).
pub(super) const MAX_PROBLEMS: usize = 10_000;

/// The phases of strict loading (M3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Phase {
    /// Keys that stand twice (M1).
    Duplicates,
    /// Which version the file is of.
    Version,
    /// The shape of vectors and curves, in file order.
    Shapes,
    /// Everything else, in the order of the checks.
    Body,
    /// Warnings and infos.
    Notes,
}

/// Problems by phase.
pub(super) struct Log<'a> {
    pub source: &'a Source,
    phases: [Vec<Problem>; 5],
    /// True once there is an error that no draft may have.
    pub fatal: bool,
    /// True once something stands there that no value of the model holds.
    pub unreadable: bool,
    cut: bool,
}

impl<'a> Log<'a> {
    pub fn new(source: &'a Source) -> Self {
        Log { source, phases: Default::default(), fatal: false, unreadable: false, cut: false }
    }

    fn push(
        &mut self,
        phase: Phase,
        severity: Severity,
        code: &'static str,
        message: impl Into<String>,
        path: String,
        span: Range<usize>,
    ) -> Option<&mut Problem> {
        let list = &mut self.phases[phase as usize];
        if list.len() >= MAX_PROBLEMS {
            self.cut = true;
            return None;
        }
        list.push(Problem {
            severity,
            code,
            message: message.into(),
            path,
            position: None,
            span: Some(span),
            file: None,
            fix: None,
            subject: None,
        });
        list.last_mut()
    }

    /// An error at which the text stays a text.
    pub fn error(
        &mut self,
        phase: Phase,
        code: &'static str,
        message: impl Into<String>,
        path: String,
        span: Range<usize>,
    ) {
        self.unreadable = true;
        self.limit(phase, code, message, path, span);
    }

    /// As [`Log::error`], where the model holds what stands there nevertheless: a limit is broken,
    /// which a later change may put right.
    pub fn limit(
        &mut self,
        phase: Phase,
        code: &'static str,
        message: impl Into<String>,
        path: String,
        span: Range<usize>,
    ) {
        self.fatal = true;
        self.push(phase, Severity::Error, code, message, path, span);
    }

    /// An error with one right repair.
    pub fn error_with(
        &mut self,
        phase: Phase,
        code: &'static str,
        message: &str,
        path: String,
        span: Range<usize>,
        fix: impl FnOnce() -> Option<Fix>,
    ) {
        self.unreadable = true;
        self.limit_with(phase, code, message, path, span, fix);
    }

    /// As [`Log::limit`], with one right repair.
    pub fn limit_with(
        &mut self,
        phase: Phase,
        code: &'static str,
        message: &str,
        path: String,
        span: Range<usize>,
        fix: impl FnOnce() -> Option<Fix>,
    ) {
        self.fatal = true;
        if let Some(problem) = self.push(phase, Severity::Error, code, message, path, span) {
            problem.fix = fix();
        }
    }

    /// An error that a draft may have.
    pub fn draft(&mut self, code: &'static str, message: &str, path: String, span: Range<usize>) {
        self.push(Phase::Body, Severity::Error, code, message, path, span);
    }

    /// A warning or an info.
    pub fn note(
        &mut self,
        severity: Severity,
        code: &'static str,
        message: impl Into<String>,
        path: String,
        span: Range<usize>,
    ) {
        self.push(Phase::Notes, severity, code, message, path, span);
    }

    /// Where a value stands; for a long one, its first line.
    pub fn at(&self, node: NodeId) -> Range<usize> {
        let span = self.source.span(node);
        let raw = &self.source.text().as_bytes()[span.clone()];
        let line = memchr::memchr2(b'\n', b'\r', raw).unwrap_or(raw.len());
        span.start..span.start + line
    }

    /// The value of a field, or where it is missing the mapping that lacks it.
    pub fn at_or(&self, value: Option<NodeId>, map: NodeId) -> Range<usize> {
        self.at(value.unwrap_or(map))
    }

    /// True where a known field has no tag, or one of YAML's own that suits it. Anything else is
    /// an error (M4).
    pub fn tag_suits(&mut self, phase: Phase, node: NodeId, path: impl FnOnce() -> String) -> bool {
        let target = self.source.resolve(node);
        let Some(tag) = self.source.tag(target) else { return true };
        let kind = self.source.kind(target);
        let name = match tag {
            Tag::Core(name) => match name.as_str() {
                "map" if kind.is_map() => return true,
                "seq" if kind.is_seq() => return true,
                "str" | "int" | "float" | "bool" | "null" if kind.is_scalar() => return true,
                name => format!("!!{name}"),
            },
            Tag::Other(name) if name == "!" => return true,
            Tag::Other(name) => name.clone(),
        };
        let span = match self.source.kind(node) == crate::source::Kind::Alias {
            true => self.at(node),
            false => {
                let start = self.source.full_span(target).start;
                start..self.at(target).end.max(start)
            }
        };
        self.error(phase, codes::UNKNOWN_TAG, messages::unknown_tag(&name), path(), span);
        false
    }

    /// The errors for keys that stand twice anywhere (M1).
    pub fn duplicates(&mut self) {
        let source = self.source;
        let all = source.duplicate_keys();
        self.cut |= all.len() > MAX_PROBLEMS;
        let seconds: Vec<NodeId> = all.iter().take(MAX_PROBLEMS).map(|(_, key)| *key).collect();
        for (second, path) in seconds.iter().zip(key_paths(source, &seconds)) {
            let key = source.scalar(*second).unwrap_or_default();
            let message = messages::duplicate_key(&key);
            let span = self.at(*second);
            self.error(Phase::Duplicates, codes::DUPLICATE_KEY, message, path, span);
        }
    }

    /// All problems, errors first in the order of strict loading, then warnings, then infos.
    pub fn finish(self) -> Vec<Problem> {
        let [duplicates, version, mut shapes, body, mut notes] = self.phases;
        shapes.sort_by_key(|p| p.span.as_ref().map_or(0, |s| s.start));
        notes.sort_by_key(|p| (p.severity, p.span.as_ref().map_or(0, |s| s.start)));
        let mut all: Vec<Problem> =
            [duplicates, version, shapes, body, notes].into_iter().flatten().collect();
        place(self.source, &mut all);
        if self.cut {
            all.push(Problem {
                severity: Severity::Info,
                code: codes::MORE_PROBLEMS,
                message: "There are more problems than are listed".to_owned(),
                path: String::new(),
                position: None,
                span: None,
                file: None,
                fix: None,
                subject: None,
            });
        }
        all
    }
}

/// The paths of keys that are given in file order, in one walk over the text.
pub(super) fn key_paths(source: &Source, keys: &[NodeId]) -> Vec<String> {
    struct Level {
        /// Behind the last node inside.
        end: u32,
        children: Vec<NodeId>,
        /// The child that the walk has come to.
        at: usize,
        is_map: bool,
        /// How much of the path leads here.
        path: usize,
    }
    let level = |node: NodeId, path: usize| Level {
        end: source.node(node).next,
        children: source.children(node).collect(),
        at: 0,
        is_map: source.kind(node).is_map(),
        path,
    };
    let name = |key: NodeId| source.scalar(key).unwrap_or_else(|| source.raw(key).into());
    let mut path = String::new();
    let mut levels = vec![level(source.root(), 0)];
    let mut paths = Vec::with_capacity(keys.len());
    for key in keys {
        while levels.len() > 1 && levels.last().is_some_and(|level| level.end <= key.0) {
            levels.pop();
        }
        while let Some(top) = levels.last_mut() {
            while top.children.get(top.at).is_some_and(|child| source.node(*child).next <= key.0) {
                top.at += 1;
            }
            let Some(child) = top.children.get(top.at).copied() else { break };
            path.truncate(top.path);
            if top.is_map {
                let own = top.children.get(top.at - top.at % 2).copied().unwrap_or(child);
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(&name(own));
            } else {
                path.push_str(&format!("[{}]", top.at));
            }
            if child == *key {
                break;
            }
            let next = level(child, path.len());
            levels.push(next);
        }
        paths.push(path.clone());
    }
    paths
}

/// Fills in lines and columns.
pub(super) fn place(source: &Source, problems: &mut [Problem]) {
    let starts: Vec<usize> =
        problems.iter().map(|p| p.span.as_ref().map_or(0, |s| s.start)).collect();
    for (problem, position) in problems.iter_mut().zip(source.positions(&starts)) {
        if problem.span.is_some() {
            problem.position = Some(position);
        }
    }
}
