//! Files that other programs change while they are open.
//!
//! The folders are watched, not the files: most programs save by renaming a new file over the
//! old one, and a watch on the old one would go silent. A notification only says where to look;
//! what counts is the content, so the program's own saves, touches and double notifications are
//! no events. Every few seconds the files are looked at anyway, for folders that cannot be
//! watched (network drives, no notifications left) or were made anew.

mod look;

use super::ContentHash;
use look::{File, Look};
use notify_debouncer_full::notify::{Config, RecommendedWatcher, RecursiveMode};
use notify_debouncer_full::{DebounceEventResult, Debouncer, NoCache, new_debouncer_opt};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long notifications gather, and how long a file must look the same before it is told of:
/// a program that is still writing it is not done.
const SETTLE: Duration = Duration::from_millis(100);
/// How often files are looked at although nothing was notified.
const POLL: Duration = Duration::from_secs(5);
/// The same where notifications are not to be had.
const POLL_ALONE: Duration = Duration::from_secs(1);

/// What happened to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// The same file has another content.
    Changed,
    /// Another file is there under its name, or a file is there again. On Windows a replaced
    /// file counts as [`Change::Changed`].
    Replaced,
    /// It is gone, or is no file any more.
    Removed,
}

/// A file is not what it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileEvent {
    /// The file, as it was given to [`Watcher::watch`].
    pub path: PathBuf,
    /// What happened.
    pub change: Change,
    /// What it holds now; none if it is gone.
    pub hash: Option<ContentHash>,
}

/// Watches files, in a thread of its own.
pub struct Watcher {
    messages: Sender<Message>,
    events: Receiver<FileEvent>,
    thread: Option<JoinHandle<()>>,
}

enum Message {
    Watch(PathBuf, Option<ContentHash>),
    Unwatch(PathBuf),
    Hold(PathBuf),
    Release(PathBuf, Option<ContentHash>),
    /// Something happened at these paths; nowhere means anywhere.
    Touched(Vec<PathBuf>),
    End,
}

impl Watcher {
    /// Starts watching. `wake` is called in another thread when an event is ready to be taken.
    ///
    /// # Errors
    /// When no thread can be started. Without notifications of the system it polls.
    pub fn start(wake: impl Fn() + Send + 'static) -> std::io::Result<Self> {
        Self::start_with(true, POLL, wake)
    }

    /// Starts watching without notifications: the files are looked at every `interval`.
    ///
    /// # Errors
    /// When no thread can be started.
    pub fn polling(interval: Duration, wake: impl Fn() + Send + 'static) -> std::io::Result<Self> {
        Self::start_with(false, interval, wake)
    }

    fn start_with(
        notify: bool,
        poll: Duration,
        wake: impl Fn() + Send + 'static,
    ) -> std::io::Result<Self> {
        let (messages, inbox) = channel();
        let (outbox, events) = channel();
        let folders = Folders::new(if notify { notifier(messages.clone()) } else { None });
        let mut worker =
            Worker { files: Vec::new(), folders, notify, poll, outbox, wake: Box::new(wake) };
        let thread = std::thread::Builder::new()
            .name("watch".to_owned())
            .spawn(move || worker.run(&inbox))?;
        Ok(Self { messages, events, thread: Some(thread) })
    }

    /// Watches the file at `path`, which holds `known` as far as the caller knows; none if it is
    /// not there. What differs already is told of soon. A file watched again begins anew.
    pub fn watch(&self, path: &Path, known: Option<ContentHash>) {
        self.send(Message::Watch(path.to_owned(), known));
    }

    /// Watches the file no more.
    pub fn unwatch(&self, path: &Path) {
        self.send(Message::Unwatch(path.to_owned()));
    }

    /// Call it before saving to a watched file: nothing is told of the file until the returned
    /// value says what was saved, or is dropped because the save failed.
    pub fn saving(&self, path: &Path) -> Saving {
        self.send(Message::Hold(path.to_owned()));
        Saving { path: path.to_owned(), saved: None, messages: self.messages.clone() }
    }

    /// The events since the last call, oldest first.
    pub fn events(&self) -> Vec<FileEvent> {
        self.events.try_iter().collect()
    }

    fn send(&self, message: Message) {
        // The thread ends only with the watcher.
        let _ = self.messages.send(message);
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        self.send(Message::End);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A save to a watched file that is under way.
pub struct Saving {
    path: PathBuf,
    saved: Option<ContentHash>,
    messages: Sender<Message>,
}

impl Saving {
    /// The save succeeded: this content is the program's own.
    pub fn done(mut self, saved: ContentHash) {
        self.saved = Some(saved);
    }
}

impl Drop for Saving {
    fn drop(&mut self) {
        let path = std::mem::take(&mut self.path);
        let _ = self.messages.send(Message::Release(path, self.saved));
    }
}

type Notifier = Debouncer<RecommendedWatcher, NoCache>;

/// The system's notifications; none where there are none to be had.
fn notifier(messages: Sender<Message>) -> Option<Notifier> {
    let handler = move |result: DebounceEventResult| {
        let touched = match result {
            Ok(events) if events.iter().any(|event| event.need_rescan()) => Vec::new(),
            Ok(events) => {
                let paths = events.into_iter().filter(|event| !event.kind.is_access());
                let paths: Vec<_> = paths.flat_map(|event| event.event.paths).collect();
                if paths.is_empty() {
                    return;
                }
                paths
            }
            // Events were lost: look everywhere.
            Err(_) => Vec::new(),
        };
        let _ = messages.send(Message::Touched(touched));
    };
    new_debouncer_opt(SETTLE, None, handler, NoCache, Config::default()).ok()
}

/// The folders that are watched.
struct Folders {
    notifier: Option<Notifier>,
    /// Each folder, with its identity when the watch on it was set; none where it failed.
    watched: HashMap<PathBuf, Option<look::FolderId>>,
}

impl Folders {
    fn new(notifier: Option<Notifier>) -> Self {
        Self { notifier, watched: HashMap::new() }
    }

    /// Watches exactly these folders. A folder that was made anew is watched anew.
    fn set(&mut self, wanted: &[PathBuf]) {
        let Some(notifier) = &mut self.notifier else { return };
        self.watched.retain(|folder, _| {
            let keep = wanted.contains(folder);
            if !keep {
                let _ = notifier.unwatch(folder);
            }
            keep
        });
        for folder in wanted {
            let id = look::folder_id(folder);
            if id.is_some() && self.watched.get(folder) == Some(&id) {
                continue;
            }
            if self.watched.contains_key(folder) {
                // The system forgot it with the old folder; so an error says nothing.
                let _ = notifier.unwatch(folder);
            }
            let set = notifier.watch(folder, RecursiveMode::NonRecursive).is_ok();
            self.watched.insert(folder.clone(), id.filter(|_| set));
        }
    }

    /// Whether every folder tells what happens in it.
    fn all_tell(&self) -> bool {
        self.notifier.is_some() && self.watched.values().all(Option::is_some)
    }
}

struct Worker {
    files: Vec<File>,
    folders: Folders,
    notify: bool,
    poll: Duration,
    outbox: Sender<FileEvent>,
    wake: Box<dyn Fn() + Send>,
}

impl Worker {
    fn run(&mut self, inbox: &Receiver<Message>) {
        let mut next_poll = Instant::now() + self.poll;
        loop {
            let due = self.files.iter().filter_map(File::due).chain([next_poll]).min();
            let wait = due.unwrap_or(next_poll).saturating_duration_since(Instant::now());
            // Everything that was said comes before a look: a save that has begun, above all.
            let mut message = inbox.recv_timeout(wait);
            loop {
                match message {
                    Ok(Message::End) | Err(RecvTimeoutError::Disconnected) => return,
                    Ok(said) => self.hear(said),
                    Err(RecvTimeoutError::Timeout) => break,
                }
                message = inbox.recv_timeout(Duration::ZERO);
            }
            let now = Instant::now();
            if now >= next_poll {
                self.follow_folders();
                self.files.iter_mut().for_each(|file| file.look_if_touched(now));
                let alone = self.notify && !self.folders.all_tell();
                next_poll = now + if alone { POLL_ALONE.min(self.poll) } else { self.poll };
            }
            let mut told = false;
            let mut moved = false;
            for file in &mut self.files {
                if file.due().is_none_or(|due| due > now) {
                    continue;
                }
                moved |= file.find_places();
                if let Look::Told(event) = file.look(now, SETTLE) {
                    told = true;
                    let _ = self.outbox.send(event);
                }
            }
            // A file that went may have gone with its folder, whose watch is over then.
            if moved || told {
                self.follow_folders();
            }
            if told {
                (self.wake)();
            }
        }
    }

    fn hear(&mut self, message: Message) {
        let now = Instant::now();
        match message {
            Message::Watch(path, known) => {
                self.files.retain(|file| file.path() != path);
                self.files.push(File::new(path, known, now));
                self.follow_folders();
            }
            Message::Unwatch(path) => {
                self.files.retain(|file| file.path() != path);
                self.follow_folders();
            }
            Message::Hold(path) => {
                self.of(&path).for_each(File::hold);
            }
            Message::Release(path, saved) => {
                self.of(&path).for_each(|file| file.release(saved, now));
            }
            Message::Touched(paths) => {
                for file in &mut self.files {
                    if paths.is_empty() || paths.iter().any(|path| file.is_at(path)) {
                        file.touch(now);
                    }
                }
            }
            Message::End => {}
        }
    }

    fn of<'a>(&'a mut self, path: &'a Path) -> impl Iterator<Item = &'a mut File> {
        self.files.iter_mut().filter(move |file| file.path() == path)
    }

    fn follow_folders(&mut self) {
        let folders = self.files.iter().flat_map(File::folders);
        let mut folders: Vec<_> = folders.map(Path::to_owned).collect();
        folders.sort();
        folders.dedup();
        self.folders.set(&folders);
    }
}
