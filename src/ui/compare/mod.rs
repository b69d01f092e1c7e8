//! Comparing a document with another one: what is compared with what, and what came of it, reckoned
//! off the UI thread where it is much.

mod ghost;
mod going;
mod panel;
mod strip;
mod theirs;

pub use ghost::Ghost;
pub use panel::show;

use crate::diff::{self, Difference, Posed, Side, Tolerances};
use crate::edit::{Content, DocId, Workspace, content_of_file};
use crate::io;
use crate::model::{Clip, Rig, Uids};
use crate::progress::Progress;
use crate::sample::take::{PegCurves, Space, TakeCurves, TakeRig, measure_space};
use crate::ui::fault;
use crate::ui::stage::Stage;
use crate::ui::state::State;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

/// Documents with more keys or elements than this are compared on another thread.
const MUCH: usize = 2000;

/// What a panel asks of a comparison of the current document.
#[derive(Clone, Debug)]
pub enum Ask {
    /// Compares it with a file.
    File(PathBuf),
    /// Compares it with another open document.
    Open(DocId),
    /// Compares it with what it was before it was exported anew.
    Before,
    /// Compares it with nothing any more.
    Stop,
    /// Stops the reckoning.
    Cancel,
    /// Shows the other in the viewport, or not.
    Ghost(bool),
    /// Goes to a difference, by its place in the list.
    Go(usize),
    /// Goes to the next difference, or to the one before.
    Step(bool),
}

/// What a document is compared with.
#[derive(Clone, Debug)]
enum Other {
    /// A file that is read when it is compared.
    File(PathBuf),
    /// Another open document, as it is now.
    Open(DocId),
    /// A value: the version before.
    Value(Content, Option<Arc<Rig>>),
}

/// Everything that a comparison is made of; kept alive, so that an address cannot mean something
/// else.
#[derive(Clone)]
struct Key {
    /// `None`: the file, which is read.
    other: Option<(Content, Option<Arc<Rig>>)>,
    current: Content,
    rig: Option<Arc<Rig>>,
    space: Option<Space>,
}

fn same_rig(a: Option<&Arc<Rig>>, b: Option<&Arc<Rig>>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => Arc::ptr_eq(a, b),
        (None, None) => true,
        _ => false,
    }
}

impl Key {
    fn same(&self, other: &Key) -> bool {
        let others = match (&self.other, &other.other) {
            (Some((a, x)), Some((b, y))) => a.ptr_eq(b) && same_rig(x.as_ref(), y.as_ref()),
            (None, None) => true,
            _ => false,
        };
        others
            && self.current.ptr_eq(&other.current)
            && same_rig(self.rig.as_ref(), other.rig.as_ref())
            && self.space == other.space
    }

    fn is_much(&self) -> bool {
        let much = |content: &Content| match content {
            Content::Clip(clip) => clip.tracks.iter().map(|t| t.keys.len()).sum::<usize>() > MUCH,
            Content::Rig(rig) => rig.nodes.len() > MUCH,
            Content::Take(take) => take.key_count() > MUCH,
            Content::Skeleton(skeleton) => skeleton.bones.len() > MUCH,
            Content::Text(_) => false,
        };
        let other = self.other.as_ref().is_none_or(|(other, _)| much(other));
        other || much(&self.current)
    }
}

/// What came of a comparison.
pub struct Made {
    /// The other document.
    pub other: Content,
    /// What differs from it in the current one.
    pub difference: Difference,
    /// The difference in one line.
    pub summary: String,
    /// What the poses say, and what else is worth knowing; with the moment that it is about.
    pub about: Vec<(String, Option<f64>)>,
    /// For each change of the document itself its words.
    pub header: Vec<String>,
    /// For each element that differs its words, without its name.
    pub words: Vec<String>,
    /// The other's poses.
    pub ghost: Option<Ghost>,
    other_rig: Option<Arc<Rig>>,
    /// For each peg or track of the current document that differs its place in the other.
    partners: BTreeMap<usize, usize>,
}

impl Made {
    /// The other take's curves of a peg of the current one, where the two differ.
    pub fn other_curves(&self, peg: usize) -> Option<&Arc<PegCurves>> {
        let rig = self.ghost.as_ref()?.take()?;
        rig.curves().pegs().get(*self.partners.get(&peg)?)
    }

    /// The other clip.
    pub fn other_clip(&self) -> Option<&Arc<Clip>> {
        match &self.other {
            Content::Clip(clip) => Some(clip),
            _ => None,
        }
    }

    /// The other clip's track of a track of the current one, where the two differ.
    pub fn other_track(&self, track: usize) -> Option<usize> {
        self.other_clip()?;
        self.partners.get(&track).copied()
    }
}

struct Coming {
    key: Key,
    progress: Progress,
    inbox: Receiver<Result<Made, String>>,
}

/// A document and what it is compared with.
pub struct Entry {
    /// What the other is called.
    pub name: String,
    other: Other,
    made: Option<(Key, Arc<Made>)>,
    coming: Option<Coming>,
    failed: Option<(Key, String)>,
    /// Whether the other shows in the viewport.
    pub ghost: bool,
    /// The difference that was last gone to.
    pub at: Option<usize>,
    /// Counts up with each going, so that the list scrolls there once.
    pub gone: u64,
}

impl Entry {
    fn new(name: String, other: Other) -> Entry {
        Entry {
            name,
            other,
            made: None,
            coming: None,
            failed: None,
            ghost: true,
            at: None,
            gone: 0,
        }
    }

    /// What came of it; what came of it a moment ago where it is being made anew.
    pub fn made(&self) -> Option<&Arc<Made>> {
        self.made.as_ref().map(|(_, made)| made)
    }

    /// How far the reckoning is that is under way.
    pub fn progress(&self) -> Option<f32> {
        self.coming.as_ref().map(|coming| coming.progress.fraction())
    }

    /// Why there is nothing to show.
    pub fn failed(&self) -> Option<&str> {
        self.failed.as_ref().map(|(_, words)| words.as_str())
    }

    fn cancel(&mut self) {
        if let Some(coming) = self.coming.take() {
            coming.progress.cancel();
        }
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        self.cancel();
    }
}

/// All comparisons.
#[derive(Default)]
pub struct Compare {
    /// Those that the panel shows.
    entries: BTreeMap<DocId, Entry>,
    /// Exports that were exported anew, with the version that was last looked at.
    anew: BTreeMap<DocId, Entry>,
}

impl Compare {
    /// What a document is compared with in the panel.
    pub fn of(&self, doc: DocId) -> Option<&Entry> {
        self.entries.get(&doc)
    }

    /// Whether there is a version before, to compare with.
    pub fn has_before(&self, doc: DocId) -> bool {
        self.anew.contains_key(&doc)
    }

    /// What differs from the version that was last looked at, in one line, once it is known.
    pub fn anew_words(&self, doc: DocId) -> Option<String> {
        let made = self.anew.get(&doc)?.made()?;
        Some(made.summary.clone())
    }

    /// The version of a document that was last looked at, before it was exported anew.
    pub fn before(&self, doc: DocId) -> Option<&Content> {
        match &self.anew.get(&doc)?.other {
            Other::Value(content, _) => Some(content),
            _ => None,
        }
    }

    /// A document was read anew; `before` is what was there. The version that was last looked at
    /// stays the one that counts until somebody looks again.
    pub fn read_anew(&mut self, doc: DocId, before: Content, rig: Option<Arc<Rig>>) {
        let name = || {
            let at = chrono::Local::now().format("%H:%M");
            format!("the version before {at}")
        };
        self.anew.entry(doc).or_insert_with(|| Entry::new(name(), Other::Value(before, rig)));
    }

    /// Somebody has looked at what a document is now.
    pub fn looked_at(&mut self, doc: DocId) {
        self.anew.remove(&doc);
    }

    /// A document was closed.
    pub fn closed(&mut self, doc: DocId) {
        self.entries.remove(&doc);
        self.anew.remove(&doc);
        self.entries.retain(|_, entry| !matches!(entry.other, Other::Open(other) if other == doc));
    }

    /// Compares a document with the version before. What is known of it already is taken along.
    pub fn with_before(&mut self, doc: DocId) -> bool {
        let Some(entry) = self.anew.remove(&doc) else { return false };
        self.entries.insert(doc, entry);
        true
    }

    /// Compares a document with a file.
    pub fn with_file(&mut self, doc: DocId, path: PathBuf) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        self.entries.insert(doc, Entry::new(name, Other::File(path)));
    }

    /// Compares a document with another open one.
    pub fn with_open(&mut self, doc: DocId, other: DocId, name: String) {
        self.entries.insert(doc, Entry::new(name, Other::Open(other)));
    }

    /// Compares a document with nothing any more.
    pub fn stop(&mut self, doc: DocId) {
        self.entries.remove(&doc);
    }

    /// Stops the reckoning of a document's comparison.
    pub fn cancel(&mut self, doc: DocId) {
        if let Some(entry) = self.entries.get_mut(&doc)
            && let Some(coming) = &entry.coming
        {
            let key = coming.key.clone();
            entry.cancel();
            entry.failed = Some((key, "The comparison was stopped".to_owned()));
        }
    }

    /// What a document is compared with, to be changed.
    pub fn entry_mut(&mut self, doc: DocId) -> Option<&mut Entry> {
        self.entries.get_mut(&doc)
    }

    /// Brings everything up to what is open. `moving`: a gesture is under way, whose previews are
    /// not compared. `wake` makes what is called from another thread when something is ready.
    pub fn update(
        &mut self,
        workspace: &Workspace,
        stage: &Stage,
        state: &State,
        moving: bool,
        wake: &dyn Fn() -> Box<dyn Fn() + Send>,
    ) {
        self.entries.retain(|doc, _| workspace.document(*doc).is_some());
        self.anew.retain(|doc, _| workspace.document(*doc).is_some());
        for (doc, entry) in self.entries.iter_mut().chain(&mut self.anew) {
            entry.poll();
            if moving {
                continue;
            }
            let Some(document) = workspace.document(*doc) else { continue };
            let rig_of = |doc: DocId| {
                let stage = || state.views.get(&doc)?.viewport.stage_rig;
                let rig = workspace.rig_of(doc).or_else(stage)?;
                workspace.rig(rig).cloned()
            };
            let other = match &entry.other {
                Other::Value(content, rig) => Some((content.clone(), rig.clone())),
                Other::Open(other) => {
                    let Some(content) = workspace.content(*other) else { continue };
                    Some((content.clone(), rig_of(*other)))
                }
                Other::File(_) => None,
            };
            let key = Key {
                other,
                current: document.content.clone(),
                rig: rig_of(*doc),
                space: state.views.get(doc).and_then(|view| view.space),
            };
            entry.start(key, *doc, stage, document.project_root.as_deref(), wake);
        }
    }
}

impl Entry {
    /// Takes what is ready.
    fn poll(&mut self) {
        let Some(coming) = &self.coming else { return };
        match coming.inbox.try_recv() {
            Err(TryRecvError::Empty) => {}
            Err(TryRecvError::Disconnected) => {
                let words = "The comparison could not be made".to_owned();
                self.failed = Some((coming.key.clone(), words));
                self.coming = None;
            }
            Ok(result) => {
                let key = coming.key.clone();
                self.coming = None;
                self.take(key, result);
            }
        }
    }

    fn take(&mut self, key: Key, result: Result<Made, String>) {
        match result {
            Ok(made) => {
                // What was read is what is compared from now on.
                if let Other::File(_) = self.other {
                    self.other = Other::Value(made.other.clone(), made.other_rig.clone());
                }
                let other = Some((made.other.clone(), made.other_rig.clone()));
                let other = key.other.clone().or(other);
                self.failed = None;
                self.made = Some((Key { other, ..key }, Arc::new(made)));
            }
            Err(words) => self.failed = Some((key, words)),
        }
    }

    fn start(
        &mut self,
        key: Key,
        doc: DocId,
        stage: &Stage,
        root: Option<&Path>,
        wake: &dyn Fn() -> Box<dyn Fn() + Send>,
    ) {
        if self.made.as_ref().is_some_and(|(made, _)| made.same(&key)) {
            return self.cancel();
        }
        if self.failed.as_ref().is_some_and(|(failed, _)| failed.same(&key)) {
            return;
        }
        if self.coming.as_ref().is_some_and(|coming| coming.key.same(&key)) {
            return;
        }
        self.cancel();
        // What stands on the stage is compiled already.
        let shown = stage.export.as_ref().filter(|export| export.doc == doc);
        let shown = shown.and_then(|export| export.take()).and_then(|(take, rig, _)| {
            let same = matches!(&key.current, Content::Take(current) if Arc::ptr_eq(current, take));
            same.then(|| rig.clone())
        });
        let file = match &self.other {
            Other::File(path) => Some(path.clone()),
            _ => None,
        };
        let job = Job { key: key.clone(), shown, file, root: root.map(Path::to_owned) };
        if job.file.is_none() && !key.is_much() {
            let result = job.run(&Progress::new());
            return self.take(key, result);
        }
        let (outbox, inbox) = channel();
        let progress = Progress::new();
        self.coming = Some(Coming { key, progress: progress.clone(), inbox });
        let wake = wake();
        let injected = fault::injected();
        std::thread::spawn(move || {
            fault::adopt(injected);
            let result = fault::caught(|| {
                fault::part("comparison");
                job.run(&progress)
            });
            let result = result.unwrap_or_else(|failed| {
                Err(format!("The comparison failed: {} ({})", failed.message, failed.place))
            });
            if outbox.send(result).is_ok() {
                wake();
            }
        });
    }
}

/// What a thread is given to compare.
struct Job {
    key: Key,
    /// The current take's poses, where they are compiled.
    shown: Option<TakeRig>,
    file: Option<PathBuf>,
    root: Option<PathBuf>,
}

impl Job {
    fn run(&self, progress: &Progress) -> Result<Made, String> {
        let (other, other_rig) = match (&self.key.other, &self.file) {
            (Some((content, rig)), _) => (content.clone(), rig.clone()),
            (None, Some(path)) => self.read(path, &progress.part(0.0, 0.4))?,
            (None, None) => return Err("There is nothing to compare with".to_owned()),
        };
        let own = match &self.key.current {
            Content::Take(take) => Some(match &self.shown {
                Some(rig) => rig.clone(),
                None => posed(take, self.key.space, None),
            }),
            _ => None,
        };
        let own_space = own.as_ref().map(TakeRig::space);
        let others = match &other {
            Content::Take(take) => Some(posed(take, self.key.space, own_space)),
            _ => None,
        };
        let rig = self.key.rig.as_deref();
        let a = side(&other, others.as_ref(), other_rig.as_deref().or(rig))?;
        let b = side(&self.key.current, own.as_ref(), rig)?;
        let mixed = matches!(
            (&a, &b),
            (Side::Take { .. }, Side::Clip { .. }) | (Side::Clip { .. }, Side::Take { .. })
        );
        let tolerances = if mixed { Tolerances::CONVERTED } else { Tolerances::EXPORTS };
        let found = diff::diff_watched(&a, &b, &tolerances, &progress.part(0.4, 1.0));
        let difference = found.map_err(|error| format!("These cannot be compared: {error}"))?;
        let ghost = Ghost::new(&other, others.clone(), other_rig.as_deref().or(rig));
        let has_curves = |what| matches!(what, diff::What::Peg | diff::What::Track);
        let differing = difference.elements.iter().filter(|e| has_curves(e.what));
        let partners = differing.filter_map(|e| Some((e.b?, e.a?))).collect();
        let extremes = difference.extreme_lines().into_iter().map(|(words, at)| (words, Some(at)));
        let others = difference.follow_line().into_iter().chain(difference.notes.iter().cloned());
        let about = extremes.chain(others.map(|words| (words, None))).collect();
        Ok(Made {
            summary: difference.summary(),
            about,
            header: difference.header.iter().map(diff::Change::words).collect(),
            // Made once: counting every key in every frame would be felt.
            words: difference.elements.iter().map(diff::Element::change_words).collect(),
            other,
            difference,
            ghost,
            other_rig,
            partners,
        })
    }

    /// Reads a file; a clip's rig with it.
    fn read(
        &self,
        path: &Path,
        progress: &Progress,
    ) -> Result<(Content, Option<Arc<Rig>>), String> {
        let text = io::read_text_with(path, &progress.part(0.0, 0.3));
        let text = text.map_err(|error| error.to_string())?;
        let mut uids = Uids::default();
        let content = content_of_file(path, &text, &mut uids, &progress.part(0.3, 1.0));
        let binding = match &content {
            Content::Clip(clip) => clip.binding.clone(),
            _ => None,
        };
        let rig = binding.and_then(|binding| {
            let root = self.root.as_deref().filter(|root| path.starts_with(root));
            let found = io::resolve_binding(path, &binding, root);
            let found = found.or_else(|_| io::resolve_binding(path, &binding, None)).ok()?;
            match io::open_as_binding(&found).ok()?.document? {
                io::Loaded::Rig(rig) => Some(Arc::new(rig)),
                _ => None,
            }
        });
        Ok((content, rig))
    }
}

/// A take in the space that was chosen, or that its numbers tell, or that the other is in (A20).
fn posed(take: &crate::model::take::Take, chosen: Option<Space>, other: Option<Space>) -> TakeRig {
    if let Some(space) = chosen {
        return TakeRig::new(take, space);
    }
    let curves = TakeCurves::new(take, Space::World);
    let measure = measure_space(take, &curves);
    let fits = other.filter(|other| measure.readings.contains(other));
    let space = match measure.readings.len() {
        // All readings are one.
        1 => other.unwrap_or_else(|| measure.shown()),
        _ => measure.decided.or(fits).unwrap_or_else(|| measure.shown()),
    };
    TakeRig::with_curves(take, space, &curves)
}

fn side<'a>(
    content: &'a Content,
    posed: Option<&'a TakeRig>,
    rig: Option<&'a Rig>,
) -> Result<Side<'a>, String> {
    Ok(match content {
        Content::Take(take) => Side::Take { take, posed: posed.map_or(Posed::Measured, Posed::By) },
        Content::Skeleton(skeleton) => Side::Skeleton(skeleton),
        Content::Clip(clip) => Side::Clip { clip, rig },
        Content::Rig(rig) => Side::Rig(rig),
        Content::Text(_) => {
            return Err("A file that does not load cannot be compared".to_owned());
        }
    })
}
