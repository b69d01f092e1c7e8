//! What the open documents would be saved as, and what is wrong with them: reckoned off the UI
//! thread, kept while nothing changed, and only for who looks. While a panel shows it, it follows
//! each edit; while only the status line does, it waits until the edits rest.

use crate::diagnostic::{Fix, Problem, Severity};
use crate::edit::{Content, DocId, Workspace};
use crate::format::{self, FileKind, Outline, codes};
use crate::io::{self, BindingError};
use crate::model::{ClipKind, Rig};
use crate::ui::fault;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

/// How long edits must have rested before facts that no panel shows are reckoned, in seconds.
const REST_SECS: f64 = 0.4;
/// Problems whose answers are looked for.
pub(super) const MOST_CHOICES: usize = 200;

/// How many problems there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// What strict loading refuses.
    pub errors: usize,
    /// What will surprise somebody.
    pub warnings: usize,
    /// What is worth knowing.
    pub infos: usize,
}

impl Count {
    /// All of them.
    pub fn total(&self) -> usize {
        self.errors + self.warnings + self.infos
    }

    fn add(&mut self, problems: &[Problem]) {
        for problem in problems {
            match problem.severity {
                Severity::Error => self.errors += 1,
                Severity::Warning => self.warnings += 1,
                Severity::Info => self.infos += 1,
            }
        }
    }
}

/// What follows from one document's content.
#[derive(Clone, Debug)]
pub struct Facts {
    /// The bytes that a save would write.
    pub text: Arc<str>,
    /// Lines of `text` (from 0) that are not so on disk.
    pub changed: Vec<Range<usize>>,
    /// How many lines a save would change, add or take away.
    pub changed_lines: usize,
    /// Everything that is wrong, errors first; places are those of `text`.
    pub problems: Vec<Problem>,
    /// For each problem the answers that it has, where they are several.
    pub choices: Vec<Vec<Fix>>,
}

#[derive(Clone)]
struct Job {
    doc: DocId,
    content: Content,
    rig: Option<(PathBuf, Arc<Rig>)>,
    saved: Option<Arc<str>>,
    path: Option<PathBuf>,
    root: Option<PathBuf>,
}

impl Job {
    fn same(&self, other: &Job) -> bool {
        let rigs = match (&self.rig, &other.rig) {
            (Some((a, x)), Some((b, y))) => a == b && Arc::ptr_eq(x, y),
            (None, None) => true,
            _ => false,
        };
        let saved = match (&self.saved, &other.saved) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (None, None) => true,
            _ => false,
        };
        self.content.ptr_eq(&other.content)
            && rigs
            && saved
            && self.path == other.path
            && self.root == other.root
    }
}

/// Who looks at the facts.
#[derive(Clone, Debug, Default)]
pub struct Wish {
    /// A panel shows them, of any document.
    pub at_once: bool,
    /// The documents that the window shows, and of which the status line tells.
    pub shown: Vec<DocId>,
    /// A gesture is under way.
    pub busy: bool,
    /// The window's clock, in seconds.
    pub now_secs: f64,
}

/// The facts of all open documents.
#[derive(Default)]
pub struct Derived {
    /// Since when a document whose facts nobody looks at is what it is now.
    resting: BTreeMap<DocId, (Content, f64)>,
    facts: BTreeMap<DocId, (Job, Arc<Facts>)>,
    in_flight: BTreeMap<DocId, Job>,
    worker: Option<Worker>,
    /// Counts up whenever a fact is new.
    pub revision: u64,
}

struct Worker {
    jobs: Sender<Job>,
    done: Receiver<(Job, Arc<Facts>)>,
}

impl Derived {
    /// The facts of a document; those of a moment ago where the new ones are not ready yet.
    pub fn of(&self, doc: DocId) -> Option<&Arc<Facts>> {
        self.facts.get(&doc).map(|(_, facts)| facts)
    }

    /// The problems of a document.
    pub fn problems(&self, doc: DocId) -> &[Problem] {
        self.of(doc).map_or(&[], |facts| &facts.problems)
    }

    /// The answers to a problem of a document, where they are several.
    pub fn choices(&self, doc: DocId, index: usize) -> &[Fix] {
        self.of(doc).and_then(|facts| facts.choices.get(index)).map_or(&[], Vec::as_slice)
    }

    /// The problems of all open documents.
    pub fn count(&self, workspace: &Workspace) -> Count {
        let mut count = Count::default();
        for document in workspace.documents() {
            count.add(self.problems(document.id));
        }
        count
    }

    /// The problems of one document.
    pub fn count_of(&self, doc: DocId) -> Count {
        let mut count = Count::default();
        count.add(self.problems(doc));
        count
    }

    /// Whether some facts are still being reckoned.
    pub fn is_behind(&self) -> bool {
        !self.in_flight.is_empty()
    }

    /// Brings the facts up to what is open, as far as somebody looks. `saved` gives each document's
    /// text as it is on disk, `wake` is called from another thread when facts are ready. Gives
    /// after how many seconds to ask again, where edits must rest first.
    pub fn update(
        &mut self,
        workspace: &Workspace,
        wish: &Wish,
        saved: &dyn Fn(DocId) -> Option<Arc<str>>,
        wake: &dyn Fn() -> Box<dyn Fn() + Send>,
    ) -> Option<f64> {
        let mut again: Option<f64> = None;
        while let Some((job, facts)) = self.worker.as_ref().and_then(|w| w.done.try_recv().ok()) {
            self.in_flight.remove(&job.doc);
            if workspace.document(job.doc).is_some() {
                self.revision += 1;
                self.facts.insert(job.doc, (job, facts));
            }
        }
        self.facts.retain(|doc, _| workspace.document(*doc).is_some());
        self.resting.retain(|doc, _| workspace.document(*doc).is_some());
        for document in workspace.documents() {
            let doc = document.id;
            let rig = workspace.rig_of(doc).and_then(|rig| {
                Some((workspace.document(rig)?.path.clone()?, workspace.rig(rig)?.clone()))
            });
            let job = Job {
                doc,
                content: document.content.clone(),
                rig,
                saved: saved(doc),
                path: document.path.clone(),
                root: document.project_root.clone(),
            };
            if self.facts.get(&doc).is_some_and(|(done, _)| done.same(&job)) {
                continue;
            }
            // What was never reckoned is: a file that was just opened.
            if !wish.at_once && self.facts.contains_key(&doc) {
                if !wish.shown.contains(&doc) {
                    continue;
                }
                let since = match self.resting.get(&doc) {
                    Some((content, since)) if content.ptr_eq(&job.content) => *since,
                    _ => {
                        self.resting.insert(doc, (job.content.clone(), wish.now_secs));
                        wish.now_secs
                    }
                };
                let left = REST_SECS - (wish.now_secs - since);
                if left > 0.0 || wish.busy {
                    // The end of a gesture is a frame of its own.
                    let left = left.max(0.01);
                    if !wish.busy {
                        again = Some(again.map_or(left, |before| before.min(left)));
                    }
                    continue;
                }
            }
            if !self.in_flight.contains_key(&doc) {
                let worker = self.worker.get_or_insert_with(|| Worker::start(wake()));
                if worker.jobs.send(job.clone()).is_ok() {
                    self.in_flight.insert(doc, job);
                }
            }
        }
        again
    }
}

impl Worker {
    fn start(wake: Box<dyn Fn() + Send>) -> Worker {
        let (jobs, inbox) = channel::<Job>();
        let (outbox, done) = channel();
        let injected = fault::injected();
        std::thread::spawn(move || {
            fault::adopt(injected);
            while let Ok(job) = inbox.recv() {
                let facts = Arc::new(derive(&job));
                if outbox.send((job, facts)).is_err() {
                    return;
                }
                wake();
            }
        });
        Worker { jobs, done }
    }
}

/// The facts of a document. A mistake in what reckons them costs the facts, never the document.
fn derive(job: &Job) -> Facts {
    fault::caught(|| {
        fault::part("facts");
        reckon(job)
    })
    .unwrap_or_else(|failed| {
        let text = fault::caught(|| job.content.text()).unwrap_or_default();
        let words = format!(
            "This document could not be checked: {} ({}). Nothing is lost",
            failed.message, failed.place
        );
        let problems = vec![format::file_problem(codes::SYNTAX, words)];
        let choices = vec![Vec::new()];
        Facts { text: text.into(), changed: Vec::new(), changed_lines: 0, problems, choices }
    })
}

fn reckon(job: &Job) -> Facts {
    let text: Arc<str> = match &job.content {
        Content::Text(text) => text.text.clone(),
        other => other.text().into(),
    };
    let (changed, changed_lines) = match &job.saved {
        Some(saved) => changed_lines(saved, &text),
        None => {
            let lines = text.lines().count();
            (std::iter::once(0..lines).collect(), lines)
        }
    };
    let (problems, choices) = problems(job, &text);
    Facts { problems, choices, text, changed, changed_lines }
}

/// The lines of `new` that are not in `old`, and how many lines differ in all.
pub fn changed_lines(old: &str, new: &str) -> (Vec<Range<usize>>, usize) {
    if old == new {
        return (Vec::new(), 0);
    }
    let (head, [old, new]) = apart(old, new, 0);
    // Beyond this the differences are no longer the fewest: nobody waits longer for them.
    let diff = similar::TextDiff::configure()
        .timeout(std::time::Duration::from_millis(100))
        .diff_lines(old, new);
    let mut changed = Vec::new();
    let mut lines = 0;
    for op in diff.ops() {
        if op.tag() == similar::DiffTag::Equal {
            continue;
        }
        lines += op.old_range().len().max(op.new_range().len());
        let range = op.new_range();
        if !range.is_empty() {
            changed.push(range.start + head..range.end + head);
        }
    }
    (changed, lines)
}

/// How many lines two texts have in common at their beginning, and what is left of them without
/// those and without their common end: an edit leaves little of a large file. So many lines
/// around it stay.
pub(super) fn apart<'t>(old: &'t str, new: &'t str, around: usize) -> (usize, [&'t str; 2]) {
    let (a, b) = (old.as_bytes(), new.as_bytes());
    let same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let line_start =
        |end: usize| a[..end].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let start = (0..around).fold(line_start(same), |at, _| line_start(at.saturating_sub(1)));
    let head = a[..start].iter().filter(|byte| **byte == b'\n').count();
    let (a, b) = (&a[start..], &b[start..]);
    let same = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    // From the first whole line on.
    let tail = &a[a.len() - same..];
    let mut ends = tail.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    let whole = ends.nth(around).map_or(0, |(at, _)| same - at - 1);
    let left = |text: &'t str| text.get(start..text.len() - whole).unwrap_or_default();
    (head, [left(old), left(new)])
}

fn kind_of(content: &Content) -> FileKind {
    match content {
        Content::Clip(_) => FileKind::Motion,
        Content::Rig(rig) => match rig.form {
            crate::model::RigForm::Rig => FileKind::Rig,
            crate::model::RigForm::Scene => FileKind::Scene,
        },
        Content::Take(_) => FileKind::Anm,
        Content::Skeleton(_) => FileKind::Pvt,
        Content::Text(text) => text.kind,
    }
}

/// A name that says to the reader which kind of file a text is.
fn stand_in(kind: FileKind) -> PathBuf {
    PathBuf::from(match kind {
        FileKind::Motion => "untitled.motion",
        FileKind::Rig => "untitled.rig",
        FileKind::Scene => "untitled.scene",
        FileKind::Anm => "untitled.anm",
        FileKind::Pvt => "untitled.pvt",
        FileKind::Unknown => "untitled",
    })
}

/// Everything that is wrong, each with the answers that it has where they are several.
fn problems(job: &Job, text: &str) -> (Vec<Problem>, Vec<Vec<Fix>>) {
    let path = match (&job.path, &job.content) {
        // A scene is one by what it was opened as.
        (Some(path), Content::Text(_)) => path.clone(),
        (_, content) => stand_in(kind_of(content)),
    };
    let opened = io::open_text(&path, text.to_owned());
    let mut problems = opened.problems;
    match &opened.document {
        Some(io::Loaded::Take(take)) => {
            let remarks = format::lint_take(take, &crate::progress::Progress::new());
            format::add_remarks(&mut problems, remarks);
        }
        Some(io::Loaded::Skeleton(skeleton)) => {
            format::add_remarks(&mut problems, format::lint_skeleton(skeleton));
        }
        _ => {}
    }
    if let (Some(source), FileKind::Motion) = (&opened.source, opened.kind) {
        let outline = match &opened.document {
            Some(io::Loaded::Clip(clip)) => Outline::of_clip(clip),
            _ => Outline::of_source(source),
        };
        problems.extend(binding_problems(job, &outline));
    }
    problems.sort_by_key(|problem| problem.severity);
    let choices = problems.iter().enumerate().map(|(index, problem)| match &opened.source {
        // Nobody reads them all; each costs a look through the text.
        Some(source) if index < MOST_CHOICES => format::choices(source, problem),
        _ => Vec::new(),
    });
    let choices = choices.collect();
    (problems, choices)
}

/// What is wrong between a clip and its rig: the open one, or the one on disk.
fn binding_problems(job: &Job, outline: &Outline<'_>) -> Vec<Problem> {
    if let Content::Clip(clip) = &job.content
        && clip.kind == ClipKind::Model
    {
        return Vec::new();
    }
    let Some((binding, _)) = &outline.binding else { return Vec::new() };
    let path = match (&job.path, &job.root) {
        (Some(path), root) => io::resolve_binding(path, binding, root.as_deref()),
        // Not saved yet: only its root says where the rig is.
        (None, Some(root)) => io::resolve_binding(&root.join("-"), binding, Some(root)),
        (None, None) => Err(BindingError::Missing(binding.clone())),
    };
    match (&job.rig, path) {
        (Some((_, rig)), Ok(_) | Err(BindingError::Missing(_))) => {
            format::bind_outline(outline, rig)
        }
        (None, _) if job.path.is_none() && job.root.is_none() => Vec::new(),
        (_, path) => on_disk(outline, path),
    }
}

fn on_disk(outline: &Outline<'_>, path: Result<PathBuf, BindingError>) -> Vec<Problem> {
    let path = match path {
        Ok(path) => path,
        Err(error) => return vec![outline.binding_problem(error.code(), error.to_string())],
    };
    match io::open_as_binding(&path) {
        Err(error) => {
            let message = format!("Binding cannot be read: {error}");
            vec![outline.binding_problem(codes::BINDING_FILE, message)]
        }
        Ok(opened) if opened.has_errors() => {
            let message = format!("Binding has errors: {}", path.display());
            vec![outline.binding_problem(codes::BINDING_BROKEN, message)]
        }
        Ok(opened) => match &opened.document {
            Some(io::Loaded::Rig(rig)) => format::bind_outline(outline, rig),
            _ => Vec::new(),
        },
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // A panic is a failed test.
    use super::*;
    use crate::edit::content_of;
    use crate::model::Uids;

    #[test]
    fn changed_lines_are_those_that_differ() {
        assert_eq!(changed_lines("a\nb\nc\n", "a\nb\nc\n"), (vec![], 0));
        assert_eq!(changed_lines("a\nb\nc\n", "a\nx\nc\n"), (std::iter::once(1..2).collect(), 1));
        assert_eq!(changed_lines("a\nb\nc\n", "a\nc\n"), (vec![], 1));
        assert_eq!(changed_lines("a\n", "a\nb\nc\n"), (std::iter::once(1..3).collect(), 2));
        assert_eq!(changed_lines("a\nä\n", "a\nö\n"), (std::iter::once(1..2).collect(), 1));
        assert_eq!(changed_lines("x\na", "y\na"), (std::iter::once(0..1).collect(), 1));
        assert_eq!(changed_lines("a\na\n", "a\n"), (vec![], 1));
        assert_eq!(changed_lines("", "a"), (std::iter::once(0..1).collect(), 1));
        let (old, new) = ("1\n2\n3\na\n4\n5\n6\n", "1\n2\n3\nb\n4\n5\n6\n");
        assert_eq!(apart(old, new, 0), (3, ["a\n", "b\n"]));
        assert_eq!(apart(old, new, 2), (1, ["2\n3\na\n4\n5\n", "2\n3\nb\n4\n5\n"]));
        assert_eq!(apart(old, new, 9), (0, [old, new]));
    }

    proptest::proptest! {
        /// What is not marked stands in the old text too, in this order.
        #[test]
        fn lines_that_are_not_marked_are_old(old in "[ab\n]{0,24}", new in "[ab\n]{0,24}") {
            let (changed, count) = changed_lines(&old, &new);
            let is_marked = |line: usize| changed.iter().any(|range| range.contains(&line));
            let mut old = old.split_inclusive('\n');
            for (line, words) in new.split_inclusive('\n').enumerate() {
                let found = is_marked(line) || old.any(|old| old == words);
                proptest::prop_assert!(found, "line {line} of {new:?}");
            }
            proptest::prop_assert!(count > 0 || changed.is_empty());
        }
    }

    fn settle(derived: &mut Derived, workspace: &Workspace) {
        let (woken, wait) = channel();
        let wake = move || -> Box<dyn Fn() + Send> {
            let woken = woken.clone();
            Box::new(move || {
                let _ = woken.send(());
            })
        };
        let wish = Wish { at_once: true, ..Wish::default() };
        derived.update(workspace, &wish, &|_| None, &wake);
        while derived.is_behind() {
            wait.recv().unwrap();
            derived.update(workspace, &wish, &|_| None, &wake);
        }
    }

    #[test]
    fn problems_come_from_the_other_thread() {
        for keys in [3, 400] {
            let tracks: String = (0..2)
                .map(|track| {
                    let keys: String = (0..keys)
                        .map(|k| format!("      - time: {k}\n        value: [0, 0, 0]\n"))
                        .collect();
                    format!("  - part: p{track}\n    property: position\n    interpolation: linear\n    keys:\n{keys}")
                })
                .collect();
            let text = format!(
                "format:\n  version: 1.0.0\nmodel: m\nduration: 2\nloop: no\ntracks:\n{tracks}"
            );
            let mut uids = Uids::default();
            let content = content_of(FileKind::Motion, &text, &mut uids);
            let (workspace, doc) = Workspace::default().with_new(None, None, content, uids);
            let mut derived = Derived::default();
            settle(&mut derived, &workspace);
            assert!(derived.count_of(doc).errors > 0, "keys are outside the duration");
            assert_eq!(&*derived.of(doc).unwrap().text, text);
            let revision = derived.revision;
            settle(&mut derived, &workspace);
            assert_eq!(derived.revision, revision, "nothing changed, nothing is reckoned");
        }
    }
}
