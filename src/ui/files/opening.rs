//! Opening files off the UI thread: what is quick is there at once, what is not shows how far it
//! is and can be cancelled.

use super::root_of;
use crate::edit::{Content, DocId, below_root, content_of, content_of_file};
use crate::format::FileKind;
use crate::io::{self, save::Swept};
use crate::model::Uids;
use crate::progress::Progress;
use crate::ui::action::Tone;
use crate::ui::app::App;
use crate::ui::state::WorkspaceTab;
use eframe::egui::Context;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What takes longer shows its progress.
pub(super) const PATIENCE: Duration = Duration::from_millis(300);
/// Files of this many bytes together are read before anybody could see that they are not there
/// yet: they are waited for, so that nothing flickers.
pub(super) const QUICK_BYTES: u64 = 512 * 1024;
/// Most files that are read at the same time.
const MOST_THREADS: usize = 4;

/// What is done when all files of a request are there; it is not where one was cancelled.
pub type Then = Box<dyn FnOnce(&mut App)>;

/// A file as it was read; its rig with it.
struct Loaded {
    path: PathBuf,
    text: Arc<str>,
    content: Content,
    uids: Uids,
    root: Option<PathBuf>,
    swept: Option<Swept>,
    rig: Option<Box<Loaded>>,
}

/// A file that is being opened.
struct File {
    number: u64,
    path: PathBuf,
    progress: Progress,
    loaded: Receiver<Result<Loaded, String>>,
    ready: Option<Result<Loaded, String>>,
}

/// Files that were asked for together.
struct Request {
    started: Instant,
    /// All of them, also those that were open before.
    paths: Vec<PathBuf>,
    /// Those that are not there yet, in the order in which they were asked for.
    files: VecDeque<File>,
    /// Whether the last of them becomes the current document.
    show: bool,
    cancelled: bool,
    then: Option<Then>,
}

/// A file that is being opened, as the window shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// By which it is cancelled.
    pub number: u64,
    /// What is done: `Opening`, `Reloading`.
    pub doing: &'static str,
    /// The file's name.
    pub name: String,
    /// How far it is, 0 to 1.
    pub fraction: f32,
}

/// Everything that is being opened.
#[derive(Default)]
pub struct Openings {
    requests: Vec<Request>,
    next: u64,
    /// What the window was started with is on its way.
    at_start: bool,
    /// Woken when something is ready.
    ctx: Context,
}

impl Openings {
    /// Nothing under way; `ctx` is woken when something is ready.
    pub fn new(ctx: Context) -> Openings {
        Openings { ctx, ..Openings::default() }
    }

    /// What is under way is what the window was started with.
    pub fn start(&mut self) {
        self.at_start = true;
    }

    /// Whether something is being opened.
    pub fn is_busy(&self) -> bool {
        !self.requests.is_empty()
    }

    /// Whether the files that the window was started with are likely to be there at once: no page
    /// shall flash up before them.
    pub fn is_starting(&self) -> bool {
        self.at_start && self.is_busy() && self.shown().is_empty()
    }

    /// What has been under way for so long that it shows.
    pub fn shown(&self) -> Vec<Shown> {
        let slow = self.requests.iter().filter(|request| request.started.elapsed() >= PATIENCE);
        let files = slow.flat_map(|request| &request.files).filter(|file| file.ready.is_none());
        let shown = files.map(|file| Shown {
            number: file.number,
            doing: "Opening",
            name: file.path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            fraction: file.progress.fraction(),
        });
        shown.collect()
    }

    /// A number for something that can be cancelled.
    pub(super) fn number(&mut self) -> u64 {
        self.next += 1;
        self.next - 1
    }

    /// What is woken when something is ready.
    pub(super) fn ctx(&self) -> &Context {
        &self.ctx
    }

    /// When the window must look again, if nothing else happens.
    fn look_again(&self) -> Option<Duration> {
        let next = self.requests.iter().map(|request| {
            let left = PATIENCE.saturating_sub(request.started.elapsed());
            if left.is_zero() { Duration::from_millis(60) } else { left }
        });
        next.min()
    }
}

/// What a thread is given to read.
struct Job {
    path: PathBuf,
    as_binding: bool,
    chosen_root: Option<PathBuf>,
    project: Option<PathBuf>,
    progress: Progress,
    answer: std::sync::mpsc::Sender<Result<Loaded, String>>,
}

impl Job {
    fn load(&self) -> Result<Loaded, String> {
        // What a killed save left beside a file is put right before it is read. A folder that
        // cannot be listed says so when the file is read.
        let swept = io::save::sweep_for(&self.path).ok();
        let text = io::read_text_with(&self.path, &self.progress.part(0.0, 0.3));
        let text = text.map_err(|error| error.to_string())?;
        let mut uids = Uids::default();
        let content = if self.as_binding {
            content_of(binding_kind(&self.path), &text, &mut uids)
        } else {
            content_of_file(&self.path, &text, &mut uids, &self.progress.part(0.3, 0.9))
        };
        self.progress.set(0.9);
        let binding = match &content {
            Content::Clip(clip) => clip.binding.clone(),
            _ => None,
        };
        let root = self.chosen_root.clone();
        let root =
            root.or_else(|| root_of(&self.path, binding.as_deref(), self.project.as_deref()));
        let rig = match (&binding, &root) {
            (Some(binding), Some(root)) if !self.progress.is_cancelled() => {
                load_rig(root, binding, self.project.as_deref())
            }
            _ => None,
        };
        let path = self.path.clone();
        Ok(Loaded { path, text: text.into(), content, uids, root, swept, rig })
    }
}

fn binding_kind(path: &Path) -> FileKind {
    match FileKind::of_path(path) {
        FileKind::Rig => FileKind::Rig,
        _ => FileKind::Scene,
    }
}

/// The rig of a clip. One that is not there, or to which a link leads out of the project (M10), is
/// a problem of the clip, which its panel shows.
fn load_rig(root: &Path, binding: &str, project: Option<&Path>) -> Option<Box<Loaded>> {
    io::resolve_binding(&root.join("-"), binding, Some(root)).ok()?;
    let path = below_root(root, binding)?;
    let text = io::read_text(&path).ok()?;
    let mut uids = Uids::default();
    let content = content_of(binding_kind(&path), &text, &mut uids);
    let root = root_of(&path, None, project);
    let text = text.into();
    Some(Box::new(Loaded { path, text, content, uids, root, swept: None, rig: None }))
}

impl App {
    /// Whether files are being opened, or read anew.
    pub fn is_opening(&self) -> bool {
        self.files.openings.is_busy() || self.files.reloads.is_busy()
    }

    /// Opens files; a clip's rig with it. The last one becomes the current document. Says in a
    /// toast what could not be opened.
    pub(in crate::ui) fn open_files(&mut self, paths: &[PathBuf]) {
        self.files.openings.at_start = false;
        self.open_and_then(paths, true, None);
    }

    /// Opens files, and goes on when all of them are there (or could not be opened, which is
    /// said).
    pub(in crate::ui) fn open_and_then(
        &mut self,
        paths: &[PathBuf],
        show: bool,
        then: Option<Then>,
    ) {
        let mut files = Vec::new();
        for path in paths {
            if path.is_dir() {
                // A file that is opened with its folder is what is looked at.
                self.open_folder(path, paths.len() == 1);
                continue;
            }
            match std::path::absolute(path) {
                Ok(path) => files.push(path),
                Err(error) => self.toast(Tone::Error, &format!("{}: {error}", path.display())),
            }
        }
        if !files.is_empty() || then.is_some() {
            self.request(files, show, false, then);
        }
    }

    /// Opens the rig that a clip is bound to, behind it.
    pub(in crate::ui) fn open_rig_of(&mut self, clip: DocId) {
        let workspace = self.editor.workspace();
        let Some(path) = workspace.binding_path(clip) else { return };
        let root = workspace.document(clip).and_then(|document| document.project_root.clone());
        let binding = workspace.clip(clip).and_then(|clip| clip.binding.clone());
        let (Some(root), Some(binding)) = (root, binding) else { return };
        // One that is not there, or to which a link leads out of the project (M10), is a problem
        // of the clip.
        if io::resolve_binding(&root.join("-"), &binding, Some(&root)).is_ok() {
            self.request(vec![path], false, true, None);
        }
    }

    fn request(&mut self, paths: Vec<PathBuf>, show: bool, as_binding: bool, then: Option<Then>) {
        let mut files = VecDeque::new();
        let mut jobs = VecDeque::new();
        let mut bytes = 0;
        for path in &paths {
            let under_way = self.files.openings.requests.iter().flat_map(|r| &r.files);
            let twice = under_way.chain(&files).any(|file: &File| file.path == *path);
            if twice || self.editor.workspace().by_path(path).is_some() {
                continue;
            }
            bytes += io::file_bytes(path);
            let progress = Progress::default();
            let (answer, loaded) = channel();
            let number = self.files.openings.number();
            jobs.push_back(Job {
                path: path.clone(),
                as_binding,
                chosen_root: self.state.settings.roots.get(path).cloned(),
                project: self.state.project.clone(),
                progress: progress.clone(),
                answer,
            });
            files.push_back(File { number, path: path.clone(), progress, loaded, ready: None });
        }
        let threads = jobs.len().min(MOST_THREADS);
        let jobs = Arc::new(Mutex::new(jobs));
        for _ in 0..threads {
            let (jobs, ctx) = (jobs.clone(), self.files.openings.ctx.clone());
            std::thread::spawn(move || {
                let next = || jobs.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
                while let Some(job) = next() {
                    if !job.progress.is_cancelled() {
                        // Nobody listens any more where it was cancelled.
                        let _ = job.answer.send(job.load());
                        ctx.request_repaint();
                    }
                }
            });
        }
        let started = Instant::now();
        let mut request = Request { started, paths, files, show, cancelled: false, then };
        if bytes <= QUICK_BYTES {
            for file in &mut request.files {
                let left = PATIENCE.saturating_sub(started.elapsed());
                match file.loaded.recv_timeout(left) {
                    Ok(loaded) => file.ready = Some(loaded),
                    Err(RecvTimeoutError::Timeout) => break,
                    Err(RecvTimeoutError::Disconnected) => {}
                }
            }
        }
        self.files.openings.requests.push(request);
        self.look_at_openings();
    }

    /// Takes over what has been read since the last time.
    pub(in crate::ui) fn look_at_openings(&mut self) {
        // Opening would end a drag under way.
        if self.editor.gesture().is_some() {
            return;
        }
        for mut request in std::mem::take(&mut self.files.openings.requests) {
            for file in request.files.iter_mut().filter(|file| file.ready.is_none()) {
                match file.loaded.try_recv() {
                    Ok(loaded) => file.ready = Some(loaded),
                    Err(TryRecvError::Empty) => {}
                    Err(TryRecvError::Disconnected) => {
                        let name = file.path.display();
                        file.ready = Some(Err(format!("{name}: reading it failed")));
                    }
                }
            }
            // Tabs stand in the order in which files were asked for.
            while request.files.front().is_some_and(|file| file.ready.is_some()) {
                let file = request.files.pop_front();
                match file.and_then(|file| file.ready) {
                    Some(Ok(loaded)) => self.put_in(loaded),
                    Some(Err(message)) => self.toast(Tone::Error, &message),
                    None => {}
                }
            }
            if request.files.is_empty() {
                self.finish(request);
            } else {
                self.files.openings.requests.push(request);
            }
        }
        if let Some(delay) = self.files.openings.look_again() {
            self.files.openings.ctx.request_repaint_after(delay);
        }
    }

    fn finish(&mut self, request: Request) {
        let workspace = self.editor.workspace();
        let last = request.paths.iter().rev().find_map(|path| workspace.by_path(path));
        if let Some(doc) = last.filter(|_| request.show) {
            self.activate(doc);
            let workspace = self.editor.workspace();
            self.state.workspace_tab = match workspace.content(doc) {
                Some(Content::Rig(_)) => WorkspaceTab::Rig,
                Some(Content::Take(_) | Content::Skeleton(_)) => WorkspaceTab::Inspect,
                _ => WorkspaceTab::Animate,
            };
            self.state.welcome = false;
        }
        if let Some(then) = request.then.filter(|_| !request.cancelled) {
            then(self);
        }
    }

    fn put_in(&mut self, mut loaded: Loaded) {
        if let Some(swept) = loaded.swept.take() {
            self.tell_swept(&loaded.path, &swept);
        }
        let rig = loaded.rig.take();
        self.state.settings.remember_recent(&loaded.path);
        for one in std::iter::once(loaded).chain(rig.map(|rig| *rig)) {
            // It may have been opened meanwhile.
            if self.editor.workspace().by_path(&one.path).is_none() {
                self.put_in_one(one);
            }
        }
    }

    fn put_in_one(&mut self, loaded: Loaded) {
        let Loaded { path, text, content, uids, root, .. } = loaded;
        let doc = self.editor.open(Some(path.clone()), root, content, uids);
        self.files.on_disk.insert(doc, text.clone());
        let content = self.editor.workspace().content(doc).cloned();
        self.files.guard.opened(doc, Some(&path), text, content);
        if !self.state.tabs.contains(&doc) {
            self.state.tabs.push(doc);
        }
        if let Some(view) = self.state.settings.view_of(&path) {
            self.state.views.insert(doc, view);
        }
    }

    /// Says what was put right beside a file.
    fn tell_swept(&mut self, path: &Path, swept: &Swept) {
        for file in &swept.finished {
            let message = format!("{}: the save that was cut off is finished now", file.display());
            self.toast(Tone::Warning, &message);
        }
        for one in &swept.kept {
            let what = one.target.as_deref().unwrap_or(path).display();
            let after = one.after.display();
            let message = format!(
                "{what} was changed after a save that was cut off; that save is in {after}"
            );
            self.toast(Tone::Warning, &message);
        }
    }

    /// Stops opening a file, or all of them.
    pub(in crate::ui) fn cancel_opening(&mut self, number: Option<u64>) {
        for request in &mut self.files.openings.requests {
            let before = request.files.len();
            request.files.retain(|file| {
                let stop = number.is_none_or(|number| file.number == number);
                if stop {
                    file.progress.cancel();
                }
                !stop
            });
            request.cancelled |= request.files.len() < before;
        }
        self.cancel_reload(number);
        self.look_at_openings();
    }
}
