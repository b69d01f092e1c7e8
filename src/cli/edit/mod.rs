//! `posewright edit`: the window's own edits for scripts, and the text below them for what no edit
//! knows.

mod edits;
mod take_edits;

use super::output::{clean, complain};
use super::{FAILED, FINE};
use crate::diagnostic::{Problem, Severity};
use crate::edit::{self, EditError, RigEdit, Workspace, apply, content_on_the_way};
use crate::format::script::{self, Operation, ScriptError};
use crate::format::{FileKind, codes, lint_skeleton, lint_take};
use crate::io::save::{Base, save};
use crate::io::{ContentHash, Loaded, Opened, is_bound_to, is_same_file, open, open_text};
use crate::model::{ClipKind, Uids, binding_parts};
use crate::progress::Progress;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, value_parser};
use std::path::{Path, PathBuf};

/// Changes a file by operations in the order in which they are given.
pub(super) struct Edit {
    file: PathBuf,
    out: Option<PathBuf>,
    with: Vec<PathBuf>,
    operations: Vec<Operation>,
}

impl Args for Edit {
    fn augment_args(command: Command) -> Command {
        let operation = |name: &'static str, value: &'static str, help: &'static str| {
            Arg::new(name).long(name).value_name(value).help(help).action(ArgAction::Append)
        };
        command
            .about("Change a file; every byte that is not meant stays")
            .after_help(
                "Examples:\n  posewright edit draw.motion --set 'tracks[0].keys[1].value=[0, 0, 1.5]'\n  \
                 posewright edit weapon.rig --rename-node hand=wrist --with draw.motion\n\n\
                 Operations are done in the order in which they are given, as the window does \
                 them: a key that gets another time moves to its place among the others, a node \
                 that gets another id keeps its children, a node that is deleted takes everything \
                 below it along, and one that is duplicated is copied with everything below it \
                 under ids that are free. Unknown fields, and files that do not load yet, are \
                 changed as text. What an operation breaks a later one may put right; a result \
                 that would not load is refused, and so is one that gives an export an error that \
                 it did not have. Nothing is written then; where one of several files cannot be \
                 written, the others are put back.",
            )
            .arg(
                Arg::new("file")
                    .required(true)
                    .value_name("FILE")
                    .help("The file")
                    .value_parser(value_parser!(PathBuf)),
            )
            .arg(
                Arg::new("out")
                    .long("out")
                    .value_name("FILE")
                    .help("Write here instead of in place")
                    .value_parser(value_parser!(PathBuf)),
            )
            .arg(
                operation("set", "PATH=VALUE", "Set a value, such as duration=2")
                    .allow_hyphen_values(true),
            )
            .arg(operation(
                "delete",
                "PATH",
                "Delete an element or a field: a node with everything below it, a track with its \
                 last key",
            ))
            .arg(operation("duplicate", "PATH", "Copy an element to the place behind it"))
            .arg(
                operation("move", "PATH INDEX", "Move an element; INDEX is its index afterwards")
                    .num_args(2)
                    .allow_hyphen_values(true)
                    .value_names(["PATH", "INDEX"]),
            )
            .arg(operation(
                "rename-node",
                "OLD=NEW",
                "Give a node of a rig, or in a clip a part, another id",
            ))
            .arg(
                Arg::new("with")
                    .long("with")
                    .value_name("CLIP")
                    .help(
                        "Carry these clips along, in place, when a node is renamed; those bound \
                         to another rig are left, and named. Not with --out",
                    )
                    .num_args(1..)
                    .action(ArgAction::Append)
                    .value_parser(value_parser!(PathBuf)),
            )
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Edit {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let wrong =
            |message: String| clap::Error::raw(clap::error::ErrorKind::ValueValidation, message);
        let mut operations: Vec<(usize, Operation)> = Vec::new();
        let pair = |text: &str, what: &str| {
            text.split_once('=')
                .map(|(a, b)| (a.trim().to_owned(), b.to_owned()))
                .ok_or_else(|| wrong(format!("`{text}` is not {what}\n")))
        };
        for name in ["set", "delete", "duplicate", "move", "rename-node"] {
            let values: Vec<&String> =
                matches.get_many::<String>(name).into_iter().flatten().collect();
            let indices: Vec<usize> = matches.indices_of(name).into_iter().flatten().collect();
            let width = if name == "move" { 2 } else { 1 };
            for (values, indices) in values.chunks(width).zip(indices.chunks(width)) {
                let operation = match (name, values) {
                    ("set", [text]) => {
                        let (path, value) = pair(text, "PATH=VALUE")?;
                        Operation::Set { path, value }
                    }
                    ("delete", [path]) => Operation::Delete { path: (*path).clone() },
                    ("duplicate", [path]) => Operation::Duplicate { path: (*path).clone() },
                    ("move", [path, index]) => {
                        let index = index.parse().map_err(|_| {
                            wrong(format!("`{index}` is no index: elements count from 0\n"))
                        })?;
                        Operation::Move { path: (*path).clone(), index }
                    }
                    (_, [text]) => {
                        let (old, new) = pair(text, "OLD=NEW")?;
                        Operation::RenameNode { old, new }
                    }
                    _ => continue,
                };
                operations.push((indices[0], operation));
            }
        }
        if operations.is_empty() {
            return Err(wrong("no operation given; see posewright edit --help\n".to_owned()));
        }
        operations.sort_by_key(|(index, _)| *index);
        let path = |name| matches.get_one::<PathBuf>(name).cloned();
        Ok(Edit {
            file: path("file").unwrap_or_default(),
            out: path("out"),
            with: matches.get_many::<PathBuf>("with").into_iter().flatten().cloned().collect(),
            operations: operations.into_iter().map(|(_, operation)| operation).collect(),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Edit {
    pub fn run(&self) -> u8 {
        match self.results() {
            Ok(results) => {
                for (at, change) in results.iter().enumerate() {
                    if let Err(error) = change.write() {
                        complain(&error);
                        results[..at].iter().rev().for_each(Change::take_back);
                        return FAILED;
                    }
                }
                FINE
            }
            Err(message) => {
                complain(&message);
                FAILED
            }
        }
    }

    /// Every file with its new text; an error where any would be refused, so that nothing is
    /// written then.
    fn results(&self) -> Result<Vec<Change>, String> {
        let opened = open(&self.file).map_err(|error| error.to_string())?;
        let before = Before::of(&opened, &self.file)?;
        // The rig of the clips that go along; an export may be many times as large as its text.
        let rig = (!self.with.is_empty()).then_some(opened);
        let text = changed(&self.file, &before, &self.operations)?;
        let out = self.out.as_ref().filter(|out| !is_same_file(out, &self.file));
        let base = out.is_none().then_some(before.text);
        let path = out.unwrap_or(&self.file).clone();
        let mut results = vec![Change { path, before: base, after: text }];
        let renames: Vec<Operation> = self
            .operations
            .iter()
            .filter(|o| matches!(o, Operation::RenameNode { .. }))
            .cloned()
            .collect();
        if !self.with.is_empty() && renames.is_empty() {
            return Err("--with goes with --rename-node".to_owned());
        }
        if !self.with.is_empty() && out.is_some() {
            return Err("--with changes clips in place, where --out leaves their rig as it was: \
                        copy the project, or leave one of the two out"
                .to_owned());
        }
        for clip in &self.with {
            let Some(rig) = &rig else { break };
            if results.iter().any(|change| is_same_file(&change.path, clip)) {
                continue;
            }
            let opened = open(clip).map_err(|error| error.to_string())?;
            if opened.kind != FileKind::Motion {
                return Err(format!("{}: --with takes clips", clip.display()));
            }
            if let Some(why) = why_left(clip, &opened, rig) {
                complain(&format!("{}: left as it is: {why}", clip.display()));
                continue;
            }
            let before = Before::of(&opened, clip)?;
            let mut text = opened.text().to_owned();
            for rename in &renames {
                // A clip need not animate every node.
                match after(&text, FileKind::Motion, rename) {
                    Ok(changed) => text = changed.text,
                    Err(Refused::Text(ScriptError::NoNode(_))) => {}
                    Err(error) => return Err(format!("{}: {error}", clip.display())),
                }
            }
            refuse_broken(clip, &before, &text)?;
            let before = Some(opened.text().to_owned());
            results.push(Change { path: clip.clone(), before, after: text });
        }
        Ok(results)
    }
}

/// A file as it was.
struct Before {
    kind: FileKind,
    text: String,
    /// The errors of an export that opens all the same: how many there are of each code, and what
    /// they say.
    errors: Vec<(&'static str, String)>,
}

impl Before {
    fn of(opened: &Opened, path: &Path) -> Result<Before, String> {
        if let Some(problem) = opened.problems.iter().find(|p| {
            opened.source.is_none() && p.severity == Severity::Error && p.code != codes::SYNTAX
        }) {
            return Err(format!("{}: {}", path.display(), problem.message));
        }
        let errors = errors_of(opened);
        let errors = errors.into_iter().map(|problem| (problem.code, problem.message)).collect();
        Ok(Before { kind: opened.kind, text: opened.text().to_owned(), errors })
    }
}

fn changed(path: &Path, before: &Before, operations: &[Operation]) -> Result<String, String> {
    let name = path.display();
    let mut text: Option<String> = None;
    let mut said = Vec::new();
    for operation in operations {
        let now = text.as_deref().unwrap_or(&before.text);
        let done =
            after(now, before.kind, operation).map_err(|error| format!("{name}: {error}"))?;
        text = Some(done.text);
        said.extend(done.notes);
    }
    let text = text.unwrap_or_default();
    refuse_broken(path, before, &text)?;
    said.dedup();
    for note in said {
        complain(&format!("{name}: {note}"));
    }
    Ok(text)
}

/// Why an operation was not done.
#[derive(Debug, thiserror::Error)]
enum Refused {
    /// No edit, and nothing to be done as text either.
    #[error(transparent)]
    Text(#[from] ScriptError),
    /// The edit that it is was refused, and there is nothing to be done as text.
    #[error(transparent)]
    Edit(#[from] EditError),
}

/// What an operation made of a text.
struct Done {
    text: String,
    /// What did not come out quite as one might think.
    notes: Vec<String>,
}

/// The text after one operation: by an edit of the window where there is one for it, otherwise as
/// text. What breaks a limit is for a later operation to put right; if none does, strict loading
/// refuses it.
fn after(text: &str, kind: FileKind, operation: &Operation) -> Result<Done, Refused> {
    let written_out = script::aliases_written_out(text, kind, operation)?;
    let text = written_out.as_deref().unwrap_or(text);
    let as_text = || script::run(text, kind, operation);
    match by_edit(text, kind, operation) {
        Some(Ok(done)) => Ok(done),
        // Keys of an export need no state in between that a later operation puts right. Of two
        // nodes of one id nobody could tell whose the children are, and what hangs below a node
        // that is gone nobody would find.
        Some(Err((refused, true))) => Err(refused.into()),
        Some(Err((refused, false))) => {
            Ok(Done { text: as_text().map_err(|_| refused)?, notes: Vec::new() })
        }
        None => Ok(Done { text: as_text()?, notes: Vec::new() }),
    }
}

/// The text after an edit, or why it is refused and whether that is final. `None` where the text
/// holds what no document can, or no edit is meant.
fn by_edit(
    text: &str,
    kind: FileKind,
    operation: &Operation,
) -> Option<Result<Done, (EditError, bool)>> {
    let mut uids = Uids::default();
    let content = content_on_the_way(kind, text, &mut uids);
    let (workspace, doc) = Workspace::on_the_way().with_new(None, None, content, uids);
    let edit = edits::edit_of(&workspace, doc, operation)?;
    let of_node = matches!(
        &edit,
        edit::Edit::Rig { edit: RigEdit::Rename { .. } | RigEdit::DeleteNodes { .. }, .. }
    );
    let is_final = kind == FileKind::Anm || of_node;
    let applied = match apply(&workspace, &edit) {
        Ok(applied) => applied,
        Err(refused) => return Some(Err((refused, is_final))),
    };
    let mut notes = applied.notes;
    if let (Some(old), Some(new)) = (workspace.take(doc), applied.workspace.take(doc)) {
        notes.extend(take_edits::moved_handles(old, new));
    }
    let content = applied.workspace.content(doc)?;
    Some(Ok(Done { text: content.text(), notes }))
}

/// Why a clip is not carried along with a rename in a rig; nothing where it is.
fn why_left(path: &Path, clip: &Opened, rig: &Opened) -> Option<String> {
    // What does not load is refused where its new text is judged.
    let Some(Loaded::Clip(clip)) = &clip.document else { return None };
    if clip.kind == ClipKind::Model {
        return Some("it is a model clip".to_owned());
    }
    let binding = clip.binding.as_deref()?;
    match (is_bound_to(path, binding, &rig.path), &rig.document) {
        (Some(true), _) => None,
        (Some(false), _) => Some(format!("it is bound to another rig, {binding}")),
        // Its binding may be found elsewhere; its rig's name is what else it says.
        (None, Some(Loaded::Rig(rig))) if rig.name != clip.model => Some(format!(
            "its binding {binding} is not there, and its rig is called {}",
            clip.model
        )),
        (None, _) => None,
    }
}

/// A file that changes.
struct Change {
    path: PathBuf,
    /// Its text so far, where it is changed in place.
    before: Option<String>,
    after: String,
}

impl Change {
    fn write(&self) -> Result<(), String> {
        let base = match &self.before {
            Some(before) => Base::Content(ContentHash::of(before.as_bytes())),
            None => Base::Any,
        };
        save(&self.path, self.after.as_bytes(), base).map(|_| ()).map_err(|e| e.to_string())
    }

    /// Puts a changed file back where another one could not be written.
    fn take_back(&self) {
        let Some(before) = &self.before else { return };
        let base = Base::Content(ContentHash::of(self.after.as_bytes()));
        if let Err(error) = save(&self.path, before.as_bytes(), base) {
            complain(&format!(
                "{}: is changed, and could not be put back: {error}",
                self.path.display()
            ));
        }
    }
}

/// Everything in a file that is an error. In an export that opens, those of the checks too.
fn errors_of(opened: &Opened) -> Vec<Problem> {
    let lint = match &opened.document {
        Some(Loaded::Take(take)) => lint_take(take, &Progress::new()),
        Some(Loaded::Skeleton(skeleton)) => lint_skeleton(skeleton),
        _ => Vec::new(),
    };
    let all = opened.problems.iter().cloned().chain(lint);
    all.filter(|problem| problem.severity == Severity::Error).collect()
}

/// Refuses what strict loading would refuse; a binding that is not there does not matter. An export
/// opens with many an error (A3): what is refused there is one more than it had.
fn refuse_broken(path: &Path, before: &Before, text: &str) -> Result<(), String> {
    let opened = open_text(path, text.to_owned());
    if let Some(Loaded::Clip(clip)) = &opened.document
        && let Some(binding) = clip.binding.as_deref()
        && let Err(error) = binding_parts(binding)
    {
        let (path, error) = (path.display(), clean(&error.to_string()));
        return Err(format!("{path}: refused: {error} (binding); nothing was written"));
    }
    let opens_anyway = matches!(opened.document, Some(Loaded::Take(_) | Loaded::Skeleton(_)));
    let errors = errors_of(&opened);
    let is_new = |problem: &&Problem| {
        let count = |code| errors.iter().filter(|p| p.code == code).count();
        let had = before.errors.iter().filter(|(code, _)| *code == problem.code);
        count(problem.code) > had.clone().count()
            && !had.clone().any(|(_, message)| *message == problem.message)
    };
    match errors.iter().find(|problem| !opens_anyway || is_new(problem)) {
        None => Ok(()),
        Some(problem) => {
            let place = if problem.path.is_empty() {
                String::new()
            } else {
                format!(" ({})", problem.path)
            };
            Err(format!(
                "{}: refused: {}{place}; nothing was written",
                path.display(),
                clean(&problem.message)
            ))
        }
    }
}
