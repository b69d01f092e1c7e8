//! Conversions off the UI thread, and their results beside what they were made of.

use super::Form;
use crate::convert::{
    Refusal, Report, Tolerances, export_clip, export_rig, import_skeleton, import_take,
    measure_export, measure_import,
};
use crate::edit::{Content, DocId, content_of};
use crate::format::{FileKind, write_clip, write_rig, write_skeleton, write_take};
use crate::math::{Trs, apart_deg};
use crate::model::take::Take;
use crate::model::{Clip, ClipKind, Rig, Uids};
use crate::progress::Progress;
use crate::sample::take::{Space, TakePoses, TakeRig};
use crate::sample::{self, Binding, MotionRig};
use crate::ui::fault;
use crate::ui::stage::Stage;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::{Duration, Instant};

/// What takes longer shows its progress.
const PATIENCE: Duration = Duration::from_millis(250);

/// What is converted, and how.
#[derive(Clone, Debug)]
pub struct Job {
    /// The document.
    pub content: Content,
    /// A clip's rig.
    pub rig: Option<Arc<Rig>>,
    /// What is asked.
    pub form: Form,
    /// What clips say in `binding`.
    pub binding: String,
}

impl Job {
    fn same(&self, other: &Job) -> bool {
        let rigs = match (&self.rig, &other.rig) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (None, None) => true,
            _ => false,
        };
        rigs && self.content.ptr_eq(&other.content)
            && self.form == other.form
            && self.binding == other.binding
    }
}

/// A new document, not opened yet.
#[derive(Clone, Debug)]
pub struct NewFile {
    /// What the file is to be called.
    pub name: String,
    /// What it is.
    pub kind: FileKind,
    /// What it holds.
    pub text: String,
}

/// What moves as the source does, for the ghost.
#[derive(Clone, Debug)]
enum Ghost {
    /// An export, and the place of each joint's peg.
    Take { rig: Box<TakeRig>, pegs: Vec<usize> },
    /// A clip on its rig, and the place of each joint's node.
    Motion { motion: Box<MotionRig>, parts: Vec<usize> },
}

/// What was made of a document.
#[derive(Clone, Debug)]
pub struct Made {
    /// The new documents; the rig first.
    pub files: Vec<NewFile>,
    /// What is to be said of them; measured on the written texts.
    pub report: Report,
    /// What may differ.
    pub tolerances: Tolerances,
    ghost: Option<Ghost>,
}

/// A result that is open: its documents and what they were made of.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What it was made of, and how.
    pub job: Job,
    /// The source's document, if it is still open.
    pub source: DocId,
    /// The source's name.
    pub source_name: String,
    /// All documents that were made.
    pub docs: Vec<DocId>,
    /// What was made.
    pub made: Arc<Made>,
    /// The place of each joint by its id.
    joints: HashMap<String, usize>,
}

/// The source beside the result at the playhead.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Beside {
    /// Where the source's joints are in the world, in metres, by the places of the stage.
    pub world: Vec<Option<Trs>>,
    /// How far each is off at this moment, as a share of what is allowed.
    pub heat: Vec<Option<f32>>,
}

/// What is being reckoned.
struct Coming {
    job: Job,
    progress: Progress,
    inbox: Receiver<Result<Made, Refusal>>,
    began: Instant,
}

/// What is asked, what is reckoned, what was made.
#[derive(Default)]
pub struct Conversions {
    forms: BTreeMap<DocId, Form>,
    reckoned: Option<(Job, Result<Arc<Made>, Refusal>)>,
    coming: Option<Coming>,
    /// The job that was stopped by hand.
    stopped: Option<Job>,
    outcomes: BTreeMap<DocId, Arc<Outcome>>,
    beside: Option<Beside>,
    /// The source's ghost is shown.
    pub ghost: bool,
    /// Joints are coloured by their error.
    pub heat: bool,
    /// Results whose own conversion is shown instead of how they were made.
    pub own: std::collections::BTreeSet<DocId>,
}

/// How far the figures of a form are.
pub enum Reckoning<'a> {
    /// Nothing is reckoned.
    Idle,
    /// They are on their way, so far; nothing shows yet where there is no number.
    Coming(Option<f32>),
    /// They were stopped by hand.
    Stopped,
    /// These.
    Made(&'a Arc<Made>),
    /// It is refused.
    Refused(&'a Refusal),
}

impl Conversions {
    /// What is asked of a document.
    pub fn form(&self, doc: DocId) -> Option<&Form> {
        self.forms.get(&doc)
    }

    /// Asks something else.
    pub fn set_form(&mut self, doc: DocId, form: Form) {
        self.forms.insert(doc, form);
        self.stopped = None;
    }

    /// The result that a document is part of.
    pub fn outcome(&self, doc: DocId) -> Option<&Arc<Outcome>> {
        self.outcomes.get(&doc)
    }

    /// The source beside the result that stands on the stage.
    pub fn beside(&self) -> Option<&Beside> {
        self.beside.as_ref()
    }

    /// How far the figures are of what is asked now.
    pub fn reckoning(&self) -> Reckoning<'_> {
        match (&self.coming, &self.stopped, &self.reckoned) {
            (Some(coming), ..) => {
                let slow = coming.began.elapsed() >= PATIENCE;
                Reckoning::Coming(slow.then(|| coming.progress.fraction()))
            }
            (None, Some(_), _) => Reckoning::Stopped,
            (None, None, Some((_, Ok(made)))) => Reckoning::Made(made),
            (None, None, Some((_, Err(refusal)))) => Reckoning::Refused(refusal),
            (None, None, None) => Reckoning::Idle,
        }
    }

    /// Whether something is being reckoned.
    pub fn is_busy(&self) -> bool {
        self.coming.is_some()
    }

    /// What was reckoned, with its job.
    pub fn ready(&self) -> Option<(&Job, &Arc<Made>)> {
        let (job, made) = self.reckoned.as_ref().filter(|_| self.coming.is_none())?;
        Some((job, made.as_ref().ok()?))
    }

    /// Shows the conversion of a result itself, or how it was made.
    pub fn show_own(&mut self, doc: DocId, own: bool) {
        let changed = if own { self.own.insert(doc) } else { self.own.remove(&doc) };
        if changed && self.outcomes.contains_key(&doc) {
            // The one is asked other things than the other.
            self.forms.remove(&doc);
        }
    }

    /// Stops what is being reckoned.
    pub fn stop(&mut self) {
        if let Some(coming) = self.coming.take() {
            coming.progress.cancel();
            self.stopped = Some(coming.job);
        }
    }

    /// Goes on with what was stopped.
    pub fn resume(&mut self) {
        self.stopped = None;
    }

    /// Brings the figures up to what is asked. `wake` makes what is called when they are ready.
    pub fn update(&mut self, wanted: Option<Job>, wake: &dyn Fn() -> Box<dyn Fn() + Send>) {
        if let Some(coming) = &self.coming {
            match coming.inbox.try_recv() {
                Ok(result) => {
                    self.reckoned = Some((coming.job.clone(), result.map(Arc::new)));
                    self.coming = None;
                }
                Err(TryRecvError::Disconnected) => {
                    // It was cancelled: nothing more comes of it.
                    self.stopped = Some(coming.job.clone());
                    self.coming = None;
                }
                Err(TryRecvError::Empty) => {}
            }
        }
        let Some(wanted) = wanted else {
            if let Some(coming) = self.coming.take() {
                coming.progress.cancel();
            }
            return;
        };
        if self.stopped.as_ref().is_some_and(|job| job.same(&wanted)) {
            return;
        }
        self.stopped = None;
        if self.coming.as_ref().is_some_and(|coming| coming.job.same(&wanted)) {
            return;
        }
        if self.coming.is_none() && self.reckoned.as_ref().is_some_and(|(job, _)| job.same(&wanted))
        {
            return;
        }
        if let Some(coming) = self.coming.take() {
            coming.progress.cancel();
        }
        let (outbox, inbox) = channel();
        let progress = Progress::new();
        let (job, wake) = (wanted.clone(), wake());
        let own = progress.clone();
        let injected = fault::injected();
        std::thread::spawn(move || {
            fault::adopt(injected);
            let result = fault::caught(|| {
                fault::part("conversion");
                convert(&job, &own)
            });
            let result = result.unwrap_or_else(|failed| {
                let words = format!("the conversion failed: {} ({})", failed.message, failed.place);
                Err(Refusal::Invalid(words))
            });
            if !own.is_cancelled() && outbox.send(result).is_ok() {
                wake();
            }
        });
        self.coming = Some(Coming { job: wanted, progress, inbox, began: Instant::now() });
    }

    /// Remembers what documents were made of.
    pub fn made(&mut self, source: (DocId, String), docs: Vec<DocId>, job: Job, made: Arc<Made>) {
        let joints = made.report.joints.iter().cloned().zip(0..).collect();
        let (source, source_name) = source;
        let outcome = Outcome { job, source, source_name, docs: docs.clone(), made, joints };
        let outcome = Arc::new(outcome);
        for doc in docs {
            self.outcomes.insert(doc, outcome.clone());
        }
        (self.ghost, self.heat) = (true, true);
    }

    /// Forgets documents that are closed.
    pub fn forget(&mut self, is_open: impl Fn(DocId) -> bool) {
        self.outcomes.retain(|doc, _| is_open(*doc));
        self.forms.retain(|doc, _| is_open(*doc));
        self.own.retain(|doc| is_open(*doc));
    }

    /// Puts the source beside what stands on the stage, if that is a result.
    pub fn follow(&mut self, stage: &Stage) {
        let doc = stage.export.as_ref().map(|export| export.doc).or(stage.clip_doc);
        let outcome = doc.and_then(|doc| self.outcomes.get(&doc));
        self.beside = outcome.filter(|_| self.ghost || self.heat).and_then(|o| o.beside(stage));
    }
}

impl Outcome {
    /// The place on the stage of a joint.
    pub fn place(&self, stage: &Stage, joint: usize) -> Option<usize> {
        stage.find(self.made.report.joints.get(joint)?)
    }

    fn beside(&self, stage: &Stage) -> Option<Beside> {
        let mut source: Vec<Trs> = Vec::new();
        match self.made.ghost.as_ref()? {
            Ghost::Take { rig, pegs } => {
                let mut poses = TakePoses::default();
                rig.sample(rig.frame_at(stage.time_secs), &mut poses);
                let pose = |peg: &usize| poses.world.get(*peg).copied().unwrap_or_default();
                source.extend(pegs.iter().map(pose));
            }
            Ghost::Motion { motion, parts } => {
                let mut world = Vec::new();
                motion.sample(stage.time_secs, 1.0, &mut world);
                let pose = |part: &usize| world.get(*part).copied().unwrap_or_default();
                source.extend(parts.iter().map(pose));
            }
        }
        let joint = |name: &String| self.joints.get(name).and_then(|joint| source.get(*joint));
        let world: Vec<Option<Trs>> = stage.names().iter().map(|n| joint(n).copied()).collect();
        let limits = self.made.tolerances;
        let heat = world.iter().zip(&stage.world).map(|(source, here)| {
            let source = source.as_ref()?;
            let shares = [
                source.position.distance(here.position) / limits.position_m,
                apart_deg(source.rotation, here.rotation) / limits.angle_deg,
                (source.scale - here.scale).abs().max_element() / limits.scale,
            ];
            Some(shares.into_iter().fold(0.0_f64, f64::max) as f32)
        });
        Some(Beside { heat: heat.collect(), world })
    }
}

fn convert(job: &Job, progress: &Progress) -> Result<Made, Refusal> {
    let stem = job.form.file_stem();
    match &job.content {
        Content::Take(take) => import(job, take, progress),
        Content::Clip(clip) => export(job, clip, &stem, progress),
        Content::Skeleton(skeleton) => {
            let (rig, report) = import_skeleton(skeleton, Some(&job.form.name), &stem)?;
            let file = file(format!("{stem}.rig"), FileKind::Rig, write_rig(&rig));
            Ok(made(job, vec![file], report, None))
        }
        Content::Rig(rig) => {
            let (skeleton, report) = export_rig(rig)?;
            let text = write_skeleton(&skeleton);
            Ok(made(job, vec![file(format!("{stem}.pvt"), FileKind::Pvt, text)], report, None))
        }
        Content::Text(_) => Err(Refusal::Empty),
    }
}

fn file(name: String, kind: FileKind, text: String) -> NewFile {
    NewFile { name, kind, text }
}

fn made(job: &Job, files: Vec<NewFile>, mut report: Report, ghost: Option<Ghost>) -> Made {
    report.written = files.iter().map(|file| file.name.clone()).collect();
    Made { files, report, tolerances: job.form.tolerances, ghost }
}

fn import(job: &Job, take: &Take, progress: &Progress) -> Result<Made, Refusal> {
    let pegs = take.pegs.iter().map(|peg| peg.uid);
    let options = job.form.import(job.binding.clone(), pegs);
    let imported = import_take(take, &options, &progress.part(0.0, 0.85))?;
    let mut files =
        vec![file(format!("{}.rig", options.name), FileKind::Rig, write_rig(&imported.rig))];
    for (stem, clip) in &imported.clips {
        files.push(file(format!("{stem}.motion"), FileKind::Motion, write_clip(clip)));
    }
    let mut rig = None;
    let mut clips = Vec::new();
    for file in &files {
        match content_of(file.kind, &file.text, &mut Uids::default()) {
            Content::Rig(read) => rig = Some(read),
            Content::Clip(read) => clips.push(Clip::clone(&read)),
            _ => return Err(Refusal::Invalid(format!("{} does not load", file.name))),
        }
    }
    let rig = rig.ok_or(Refusal::Empty)?;
    let part = progress.part(0.85, 1.0);
    let mut report = imported.report;
    report.remeasure(measure_import(take, &options, &rig, &clips, &part)?);
    let space = report.space.unwrap_or(Space::Local);
    let source = Box::new(TakeRig::new(take, space));
    Ok(made(job, files, report, Some(Ghost::Take { rig: source, pegs: imported.pegs })))
}

fn export(job: &Job, clip: &Clip, stem: &str, progress: &Progress) -> Result<Made, Refusal> {
    let rig = job.rig.as_deref();
    let nodes = rig.into_iter().flat_map(|rig| rig.nodes.iter().map(|node| node.uid));
    let options = job.form.export(nodes);
    let (take, mut report) = export_clip(clip, rig, &options, &progress.part(0.0, 0.85))?;
    let text = write_take(&take);
    let Content::Take(read) = content_of(FileKind::Anm, &text, &mut Uids::default()) else {
        return Err(Refusal::Invalid("what was made does not load".to_owned()));
    };
    let part = progress.part(0.85, 1.0);
    report.remeasure(measure_export(&read, clip, rig, &options, &part)?);
    let name = format!("{stem}.anm");
    report.tracks.iter_mut().for_each(|track| track.clip.clone_from(&name));
    let ghost = motion_of(clip, rig).map(|motion| {
        let parts = report.joints.iter().map(|id| motion.find(id).unwrap_or(0)).collect();
        Ghost::Motion { motion: Box::new(motion), parts }
    });
    Ok(made(job, vec![file(name, FileKind::Anm, text)], report, ghost))
}

fn motion_of(clip: &Clip, rig: Option<&Rig>) -> Option<MotionRig> {
    let compiled = sample::Clip::new(clip).ok()?;
    let binding = Binding::new(rig?).ok()?;
    match clip.kind {
        ClipKind::Rig => binding.bind(&compiled).ok(),
        ClipKind::Model => MotionRig::new(binding.parts(), &compiled).ok(),
    }
}
