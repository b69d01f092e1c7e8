//! Asking the user for files.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, channel};

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AskKind {
    /// Files to open, several at once.
    OpenFiles,
    /// One file of any kind.
    OpenFile,
    /// A folder.
    Folder,
    /// A file to write.
    SaveFile,
    /// One rig or scene.
    Rig,
}

/// A question for files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ask {
    /// What is asked for.
    pub kind: AskKind,
    /// The dialog's title.
    pub title: String,
    /// The folder it starts in.
    pub folder: Option<PathBuf>,
    /// The name that a file to write has at first.
    pub name: String,
}

/// What came of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// These paths; none where it was cancelled.
    Paths(Vec<PathBuf>),
    /// The system has no dialogs: ask in a field of our own.
    Unavailable,
}

/// A way to ask the user for files. Answers come later, through the channel: a dialog never stops
/// the window.
pub trait Dialogs {
    /// Asks. `wake` is called when the answer is there.
    fn ask(&mut self, ask: &Ask, wake: Box<dyn Fn() + Send>) -> Receiver<Answer>;
}

/// The system's own dialogs.
#[derive(Debug, Default)]
pub struct SystemDialogs;

/// Faster than this nobody cancels a dialog: there was none.
const NOBODY_IS_SO_FAST: std::time::Duration = std::time::Duration::from_millis(250);

impl Dialogs for SystemDialogs {
    fn ask(&mut self, ask: &Ask, wake: Box<dyn Fn() + Send>) -> Receiver<Answer> {
        let (answer, wait) = channel();
        let mut dialog = rfd::AsyncFileDialog::new().set_title(&ask.title);
        if let Some(folder) = &ask.folder {
            dialog = dialog.set_directory(folder);
        }
        if !ask.name.is_empty() {
            dialog = dialog.set_file_name(&ask.name);
        }
        let rigs: &[&str] = &["rig", "yaml", "yml", "scene"];
        let exports: &[&str] = &["anm", "pvt"];
        let all = [&["motion"], rigs, exports].concat();
        let kind = ask.kind;
        dialog = match kind {
            AskKind::OpenFiles | AskKind::OpenFile => dialog
                .add_filter("Clips, rigs, scenes and exports", &all)
                .add_filter("Exports", exports),
            AskKind::Rig => dialog.add_filter("Rigs and scenes", rigs),
            AskKind::SaveFile | AskKind::Folder => dialog,
        };
        if matches!(kind, AskKind::OpenFiles | AskKind::OpenFile | AskKind::Rig) {
            dialog = dialog.add_filter("All files", &["*"]);
        }
        std::thread::spawn(move || {
            let started = std::time::Instant::now();
            let path = |file: rfd::FileHandle| file.path().to_owned();
            let paths: Vec<PathBuf> = match kind {
                AskKind::OpenFiles => pollster::block_on(dialog.pick_files())
                    .map(|files| files.into_iter().map(path).collect())
                    .unwrap_or_default(),
                AskKind::Rig | AskKind::OpenFile => {
                    pollster::block_on(dialog.pick_file()).map(path).into_iter().collect()
                }
                AskKind::Folder => {
                    pollster::block_on(dialog.pick_folder()).map(path).into_iter().collect()
                }
                AskKind::SaveFile => {
                    pollster::block_on(dialog.save_file()).map(path).into_iter().collect()
                }
            };
            let none = paths.is_empty() && started.elapsed() < NOBODY_IS_SO_FAST;
            let _ = answer.send(if none { Answer::Unavailable } else { Answer::Paths(paths) });
            wake();
        });
        wait
    }
}

/// No dialogs at all: the window's own path field asks.
#[derive(Debug, Default)]
pub struct PathDialogs;

impl Dialogs for PathDialogs {
    fn ask(&mut self, _: &Ask, _: Box<dyn Fn() + Send>) -> Receiver<Answer> {
        let (answer, wait) = channel();
        let _ = answer.send(Answer::Unavailable);
        wait
    }
}

/// Answers written down beforehand, for tests.
#[derive(Debug, Default)]
pub struct ScriptedDialogs {
    /// The answers, in order; when they run out, every dialog is cancelled.
    pub answers: VecDeque<Vec<PathBuf>>,
}

impl Dialogs for ScriptedDialogs {
    fn ask(&mut self, _: &Ask, _: Box<dyn Fn() + Send>) -> Receiver<Answer> {
        let (answer, wait) = channel();
        let _ = answer.send(Answer::Paths(self.answers.pop_front().unwrap_or_default()));
        wait
    }
}
