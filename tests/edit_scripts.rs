//! Random scripts of edits, undo, redo, saves, gestures and pastes over three documents, held
//! against a plain model that keeps a copy of everything.
//!
//! `POSEWRIGHT_SCRIPTS` sets how many scripts of up to 50 operations run (10,000 in CI); without it
//! a tenth of that.
#![allow(clippy::unwrap_used)] // A test may stop where something is not as it says.

mod documents;

use documents::{CLIP, RIG, open};
use glam::DVec3;
use posewright::edit::{
    ClipEdit, Clipboard, Content, DocId, Edit, Editor, HistoryLimits, Keep, KeyTime, NewKey,
    NewNode, RestEdit, RigEdit, Selection, Snap,
};
use posewright::format::{self, FileKind};
use posewright::model::{
    Clip, ClipForm, ClipKind, Interpolation, NodeKind, Property, Rig, Track, Uid, Uids, check,
};
use posewright::source::Source;
use proptest::prelude::*;
use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

/// One operation: what, and three numbers to choose by.
type Op = (u8, u16, u16, u16);

const FLOW: &str = "\u{feff}{\"model\": \"R\", duration: 4, loop: false, extra: {a: [1, 2]},\n tracks: [\n  \
     {part: arm.L, property: rotation, interpolation: smooth, keys: [{time: 0, value: [0, 0, 0]}, # \
     first\n   {time: 1e0, value: [1, 0, 0.50], tag: x}]},\n  # apart\n  {part: arm.R, property: \
     scale, interpolation: step, keys: [{time: 2, value: [1, 1, 1]}]}]}\n";

const ANCHORED: &str = "\
format:\r
  version: 1.0.0\r
  by: hand\r
model: robot # old\r
duration: 4\r
loop: true\r
\r
tracks:\r
- part: arm\r
  property: position\r
  interpolation: linear\r
  keys:\r
  - {time: 0, value: &v [0, 0, 0]}\r
  - time: 1.50\r
    value: *v\r
  # last\r
  - time: 4\r
    value: [1, 2, 3]\r
- part: leg\r
  property: position\r
  interpolation: bezier\r
  curve: [0, 0, 1, 1]\r
  keys: [{time: 1, value: *v, who: &w [a, {b: c}]}]\r
  also: *w\r
# the end";

/// A plain undo model: everything is kept, nothing is shared.
struct Plain {
    steps: Vec<BTreeMap<DocId, (Content, Content)>>,
    undo: BTreeMap<DocId, Vec<usize>>,
    redo: BTreeMap<DocId, Vec<usize>>,
    now: BTreeMap<DocId, Content>,
    saved: BTreeMap<DocId, String>,
}

impl Plain {
    fn record(&mut self, editor: &Editor) {
        let mut step = BTreeMap::new();
        for document in editor.workspace().documents() {
            let before = &self.now[&document.id];
            if !before.ptr_eq(&document.content) {
                step.insert(document.id, (before.clone(), document.content.clone()));
                self.now.insert(document.id, document.content.clone());
            }
        }
        for doc in step.keys() {
            self.redo.get_mut(doc).unwrap().clear();
            self.undo.get_mut(doc).unwrap().push(self.steps.len());
        }
        self.steps.push(step);
        // A step that is not to be redone everywhere is gone, and what came after it.
        loop {
            let lines = self.redo.clone();
            let torn = |s: usize| self.steps[s].keys().any(|doc| !lines[doc].contains(&s));
            let mut changed = false;
            for line in self.redo.values_mut() {
                if let Some(at) = line.iter().rposition(|s| torn(*s)) {
                    line.drain(..=at);
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
    }

    fn undo(&mut self, doc: DocId) -> bool {
        let Some(step) = self.undo[&doc].last().copied() else { return false };
        if self.steps[step].keys().any(|d| self.undo[d].last() != Some(&step)) {
            return false;
        }
        for (doc, (before, _)) in self.steps[step].clone() {
            self.undo.get_mut(&doc).unwrap().pop();
            self.redo.get_mut(&doc).unwrap().push(step);
            self.now.insert(doc, before);
        }
        true
    }

    fn redo(&mut self, doc: DocId) -> bool {
        let Some(step) = self.redo[&doc].last().copied() else { return false };
        if self.steps[step].keys().any(|d| self.redo[d].last() != Some(&step)) {
            return false;
        }
        for (doc, (_, after)) in self.steps[step].clone() {
            self.redo.get_mut(&doc).unwrap().pop();
            self.undo.get_mut(&doc).unwrap().push(step);
            self.now.insert(doc, after);
        }
        true
    }
}

struct World {
    editor: Editor,
    docs: [DocId; 3],
    plain: Plain,
    board: Option<Clipboard>,
}

impl World {
    fn new(which: u16) -> World {
        let mut editor = Editor::new(HistoryLimits::default());
        let rig = open(&mut editor, FileKind::Rig, "/p/data/weapon.rig", RIG);
        let clip = open(&mut editor, FileKind::Motion, "/p/wave.motion", CLIP);
        let other = if which.is_multiple_of(2) { FLOW } else { ANCHORED };
        let other = open(&mut editor, FileKind::Motion, "/p/other.motion", other);
        let docs = [rig, clip, other];
        let lines = || docs.iter().map(|d| (*d, Vec::new())).collect();
        let now: BTreeMap<DocId, Content> =
            docs.iter().map(|d| (*d, editor.workspace().content(*d).unwrap().clone())).collect();
        let saved = now.iter().map(|(d, c)| (*d, c.text())).collect();
        let plain = Plain { steps: Vec::new(), undo: lines(), redo: lines(), now, saved };
        World { editor, docs, plain, board: None }
    }

    fn agree(&self) -> Result<(), TestCaseError> {
        for (doc, content) in &self.plain.now {
            let is = self.editor.workspace().content(*doc).unwrap();
            prop_assert!(is.ptr_eq(content), "{doc:?}:\n{}\n{}", is.text(), content.text());
        }
        Ok(())
    }

    fn run(&mut self, op: Op, sample: bool) -> Result<(), TestCaseError> {
        let (what, a, b, c) = op;
        let doc = self.docs[usize::from(a) % 3];
        match what % 64 {
            0..=7 => {
                let done = self.editor.undo(doc).is_ok();
                prop_assert_eq!(done, self.plain.undo(doc));
            }
            8..=12 => {
                let done = self.editor.redo(doc).is_ok();
                prop_assert_eq!(done, self.plain.redo(doc));
            }
            13..=14 => {
                let content = self.editor.workspace().content(doc).unwrap().clone();
                let path = self.editor.workspace().document(doc).unwrap().path.clone();
                self.plain.saved.insert(doc, content.text());
                self.editor.mark_saved(doc, path.unwrap_or_else(|| PathBuf::from("/p/x")), content);
            }
            15..=17 => {
                // A gesture: previews from its base, then an end.
                self.editor.begin();
                for i in 0..=b % 3 {
                    let edit =
                        self.edit(doc, (b >> 2).wrapping_add(i * 7), c.wrapping_mul(i + 1), a);
                    let before = self.editor.workspace().clone();
                    if self.editor.preview(&edit).is_err() {
                        for document in before.documents() {
                            let now = self.editor.workspace().content(document.id).unwrap();
                            prop_assert!(now.ptr_eq(&document.content));
                        }
                    }
                }
                if c.is_multiple_of(3) {
                    self.editor.cancel();
                } else if self.editor.commit().is_some() {
                    self.plain.record(&self.editor);
                }
                prop_assert!(self.editor.gesture().is_none());
            }
            18..=19 => self.copy(doc, b, c),
            _ => {
                let edit = self.edit(doc, b, c, u16::from(what).wrapping_mul(251).wrapping_add(a));
                let bound = self.editor.workspace().clips_of(doc);
                match self.editor.perform(&edit) {
                    Ok(Some(step)) => {
                        prop_assert!(!step.label.is_empty());
                        for changed in step.changes.keys() {
                            let carried = doc == self.docs[0] && bound.contains(changed);
                            prop_assert!(*changed == doc || carried, "{edit:?} mixed documents");
                        }
                        self.plain.record(&self.editor);
                    }
                    Ok(None) => {}
                    Err(error) => prop_assert!(!error.message.is_empty()),
                }
                self.valid(doc, sample)?;
            }
        }
        self.agree()?;
        if sample {
            for doc in self.docs {
                let differs = self.plain.now[&doc].text() != self.plain.saved[&doc];
                prop_assert_eq!(
                    self.editor.is_dirty(doc),
                    differs,
                    "{}",
                    self.plain.now[&doc].text()
                );
            }
        }
        Ok(())
    }

    fn copy(&mut self, doc: DocId, b: u16, c: u16) {
        let workspace = self.editor.workspace();
        let cut = c.is_multiple_of(4);
        let board = match workspace.content(doc) {
            Some(Content::Clip(clip)) => {
                Clipboard::of_keys(workspace, doc, &some_keys(clip, b, c), cut)
            }
            Some(Content::Rig(rig)) => {
                let nodes = some_nodes(rig, b, c);
                Clipboard::of_nodes(workspace, doc, &nodes, cut)
            }
            _ => None,
        };
        if let Some(board) = board {
            self.board =
                if c.is_multiple_of(3) { Clipboard::parse(&board.text()) } else { Some(board) };
            assert!(self.board.is_some(), "what was copied reads back");
        }
    }

    fn edit(&self, doc: DocId, what: u16, b: u16, c: u16) -> Edit {
        let workspace = self.editor.workspace();
        if what % 29 == 28 {
            let text = workspace.content(doc).unwrap().text();
            return reloaded(doc, &text, b);
        }
        match workspace.content(doc).unwrap() {
            Content::Clip(clip) => {
                let edit = clip_edit(clip, self.board.as_ref(), what, b, c);
                Edit::Clip { doc, edit }
            }
            Content::Rig(rig) => {
                let edit = rig_edit(rig, self.board.as_ref(), what, b, c);
                Edit::Rig { doc, edit }
            }
            Content::Text(text) => {
                // What another program left broken is mended.
                let text = text.text.replace("{broken", "{");
                Edit::Text { doc, text, label: "Edit text".to_owned() }
            }
            Content::Take(_) | Content::Skeleton(_) => unreachable!("these are clips and rigs"),
        }
    }

    /// What holds after every edit.
    fn valid(&self, doc: DocId, sample: bool) -> Result<(), TestCaseError> {
        let content = self.editor.workspace().content(doc).unwrap();
        let mut uids = HashSet::new();
        match content {
            Content::Clip(clip) => {
                prop_assert_eq!(check::clip(clip), Ok(()));
                for track in &clip.tracks {
                    prop_assert!(uids.insert(track.uid));
                    prop_assert!(track.keys.iter().all(|k| uids.insert(k.uid)));
                }
            }
            Content::Rig(rig) => {
                prop_assert_eq!(check::rig(rig), Ok(()));
                prop_assert!(rig.nodes.iter().all(|n| uids.insert(n.uid)));
            }
            Content::Take(_) | Content::Skeleton(_) | Content::Text(_) => {}
        }
        if sample { reads_back(content) } else { Ok(()) }
    }
}

/// The text of a document reads as the document.
fn reads_back(content: &Content) -> Result<(), TestCaseError> {
    let text = content.text();
    let parsed = Source::parse_yaml(text.clone());
    let Ok(source) = parsed else {
        prop_assert!(matches!(content, Content::Text(_)), "{text}");
        return Ok(());
    };
    let source = Arc::new(source);
    match content {
        Content::Clip(clip) => {
            let reading = format::read_clip(&source, &mut Uids::default());
            let Some(read) = reading.value else {
                return Err(TestCaseError::fail(format!("{:?}\n{text}", reading.problems)));
            };
            prop_assert_eq!(outline(&read), outline(clip), "{}", text);
        }
        Content::Rig(rig) => {
            let reading = format::read_rig(&source, &mut Uids::default());
            let Some(read) = reading.value else {
                return Err(TestCaseError::fail(format!("{:?}\n{text}", reading.problems)));
            };
            prop_assert_eq!(rig_outline(&read), rig_outline(rig), "{}", text);
        }
        Content::Take(_) | Content::Skeleton(_) | Content::Text(_) => {}
    }
    Ok(())
}

fn outline(clip: &Clip) -> String {
    let keys = |t: &Track| {
        t.keys
            .iter()
            .map(|k| (k.time + 0.0, (k.value + DVec3::ZERO).to_array()))
            .collect::<Vec<_>>()
    };
    let tracks: Vec<_> = clip
        .tracks
        .iter()
        .map(|t| (&t.part, t.property, t.interpolation, t.curve, keys(t)))
        .collect();
    let Clip { kind, form, binding, model, duration_secs, looping, .. } = clip;
    format!("{kind:?} {form:?} {binding:?} {model:?} {duration_secs} {looping} {tracks:#?}")
}

fn rig_outline(rig: &Rig) -> String {
    let nodes: Vec<_> = rig
        .nodes
        .iter()
        .map(|n| {
            let rest = [n.position, n.rotation, n.scale].map(|v| (v + DVec3::ZERO).to_array());
            (&n.id, &n.name, n.kind, &n.parent, &n.model, rest)
        })
        .collect();
    format!("{:?} {} {nodes:#?}", rig.form, rig.name)
}

/// The text as another program might have left it.
fn reloaded(doc: DocId, text: &str, b: u16) -> Edit {
    let text = match b % 4 {
        0 => text.replace("loop: true", "loop: false").replace("kind: joint", "kind: entity"),
        1 => text.replace("time: 1", "time: 0.9").replace("position:", "position: "),
        2 => format!("# again\n{}", text.trim_start_matches('\u{feff}')),
        _ => text.replacen('{', "{broken", 1),
    };
    Edit::ReloadText { doc, text: text.into() }
}

fn some<T: Copy>(all: &[T], b: u16, c: u16) -> Vec<T> {
    let many = 1 + usize::from(c) % 4;
    let chosen = all.iter().cycle().skip(usize::from(b)).step_by(1 + usize::from(c >> 3) % 3);
    let mut seen = 0;
    chosen
        .take_while(|_| {
            seen += 1;
            seen <= many.min(all.len())
        })
        .copied()
        .collect()
}

fn some_keys(clip: &Clip, b: u16, c: u16) -> Vec<Uid> {
    let all: Vec<Uid> = clip.tracks.iter().flat_map(|t| &t.keys).map(|k| k.uid).collect();
    some(&all, b, c)
}

fn some_tracks(clip: &Clip, b: u16, c: u16) -> Vec<Uid> {
    let all: Vec<Uid> = clip.tracks.iter().map(|t| t.uid).collect();
    some(&all, b, c)
}

fn some_nodes(rig: &Rig, b: u16, c: u16) -> Vec<Uid> {
    let all: Vec<Uid> = rig.nodes.iter().map(|n| n.uid).collect();
    some(&all, b, c)
}

/// Mostly on a grid, so that keys meet; at times what no file may hold.
fn time(x: u16) -> f64 {
    match x % 23 {
        0 => -0.5,
        1 => f64::NAN,
        2 => 1.0 / 3.0,
        3 => 0.1 + 0.2,
        n => f64::from(n - 3) * 0.25,
    }
}

fn number(x: u16) -> f64 {
    match x % 17 {
        0 => 0.0,
        1 => -0.0,
        2 => 1e6,
        3 => 1_000_001.0,
        4 => 0.1 + 0.2,
        5 => 1e-7,
        6 => f64::INFINITY,
        n => f64::from(n) - 8.5,
    }
}

fn vector(b: u16, c: u16) -> DVec3 {
    DVec3::new(number(b >> 4), number(c >> 4), number(b ^ c))
}

fn name(x: u16) -> String {
    const NAMES: [&str; 16] = [
        "hand",
        "shoulder",
        "weapon",
        "arm",
        "arm.L",
        "arm.R",
        "hand_L",
        "007",
        "null",
        "a b",
        "x: y",
        "",
        "Übung",
        "# no",
        "it's \"so\"",
        "tab\tline\n",
    ];
    NAMES[usize::from(x) % NAMES.len()].to_owned()
}

fn one<T: Copy>(all: &[T], x: u16, none: T) -> T {
    all.get(usize::from(x) % all.len().max(1)).copied().unwrap_or(none)
}

fn clip_edit(clip: &Clip, board: Option<&Clipboard>, what: u16, b: u16, c: u16) -> ClipEdit {
    let keys = some_keys(clip, b, c);
    let tracks = some_tracks(clip, b, c);
    let key = keys.first().copied().unwrap_or(Uid(0));
    let track = tracks.first().copied().unwrap_or(Uid(0));
    let property = Property::ALL[usize::from(c) % 3];
    let interpolation = Interpolation::ALL[usize::from(c) % 4];
    let delta_secs = (time(c) - 1.0) * if b.is_multiple_of(2) { 1.0 } else { -0.5 };
    let new = |i: u16| NewKey {
        part: name(b.wrapping_add(i)),
        property,
        time: time(c.wrapping_add(i)),
        value: vector(b, c.wrapping_add(i)).abs() + DVec3::splat(0.5),
    };
    match what % 28 {
        0 => ClipEdit::InsertKeys { keys: (0..1 + c % 3).map(new).collect() },
        1 => ClipEdit::InsertOnCurve { tracks, time: time(c) },
        2 => ClipEdit::DeleteKeys { keys },
        3 | 4 => {
            let snap = (b.is_multiple_of(3)).then_some(Snap { step_secs: 0.15, anchor: key });
            ClipEdit::MoveKeys { keys, delta_secs, snap }
        }
        5 => ClipEdit::OffsetKeys { keys, delta: vector(b, c) },
        6 => {
            let to = [Some(number(b)), None, Some(number(c))];
            ClipEdit::SetKeyValues { keys: keys.into_iter().map(|k| (k, to)).collect() }
        }
        7 => ClipEdit::SetKeyTimes { keys: vec![KeyTime { key, time: time(c) }] },
        8 => ClipEdit::ScaleKeys { keys, pivot_secs: time(b), factor: number(c) / 4.0 },
        9 => ClipEdit::DuplicateKeys { keys, delta_secs },
        10 | 11 => match board.and_then(|board| board.paste_keys(time(c), b.is_multiple_of(2))) {
            Some(edit) => edit,
            None => ClipEdit::Reverse { keys },
        },
        12 => ClipEdit::PasteEasing { tracks, interpolation, curve: Some([0.0, 0.5, 0.25, 1.0]) },
        13 => ClipEdit::Reverse { keys: if b.is_multiple_of(2) { keys } else { Vec::new() } },
        14 => ClipEdit::Ripple {
            tracks: if b.is_multiple_of(2) { tracks } else { Vec::new() },
            from_secs: time(b),
            delta_secs,
        },
        15 => ClipEdit::InsertTime { at_secs: time(b), length_secs: delta_secs },
        16 => ClipEdit::AddTrack { part: name(b), property, key: (time(c), DVec3::ONE) },
        17 => ClipEdit::RemoveTracks { tracks },
        18 => ClipEdit::SetInterpolation { tracks, interpolation },
        19 => {
            let curves = [None, Some([0.0, 0.0, 1.0, 1.0]), Some([0.0, 2.0, 0.0, 0.0])];
            ClipEdit::SetCurve { tracks, curve: one(&curves, c, None) }
        }
        20 => ClipEdit::RetargetTrack { track, part: name(c) },
        21 => ClipEdit::MoveTrack { track, index: usize::from(c) % 5 },
        22 => ClipEdit::SetDuration {
            secs: 0.5 + time(c).abs() * 2.0,
            scale_keys: b.is_multiple_of(2),
        },
        23 => ClipEdit::SetLoop { looping: b.is_multiple_of(2) },
        24 => ClipEdit::SetModel { model: name(c) },
        25 => ClipEdit::SetBinding {
            binding: Some("data/weapon.rig".to_owned()).filter(|_| !b.is_multiple_of(3)),
        },
        26 => ClipEdit::SetKind {
            kind: if b.is_multiple_of(2) { ClipKind::Model } else { ClipKind::Rig },
        },
        _ => {
            let forms = [ClipForm::Bare, ClipForm::Format, ClipForm::Legacy];
            ClipEdit::SetForm { form: one(&forms, c, ClipForm::Bare) }
        }
    }
}

fn rig_edit(rig: &Rig, board: Option<&Clipboard>, what: u16, b: u16, c: u16) -> RigEdit {
    let nodes = some_nodes(rig, b, c);
    let node = nodes.first().copied().unwrap_or(Uid(0));
    let all: Vec<Uid> = rig.nodes.iter().map(|n| n.uid).collect();
    let parent = (!c.is_multiple_of(3) && !all.is_empty()).then(|| one(&all, c, Uid(0)));
    let kind = NodeKind::ALL[usize::from(c) % 3];
    let rest = RestEdit {
        position: [Some(number(b)), None, None],
        rotation: [None, Some(number(c)), None],
        scale: [None, Some(number(b ^ c)), None],
    };
    match what % 14 {
        0 => RigEdit::AddNode {
            node: NewNode {
                id: name(b),
                kind,
                parent,
                position: vector(b, c),
                model: Some(name(c)),
            },
        },
        1 => RigEdit::DeleteNodes { nodes, with_children: b.is_multiple_of(2) },
        2 => RigEdit::DuplicateSubtrees { nodes },
        3 => match board.and_then(|board| board.paste_nodes(parent)) {
            Some(edit) => edit,
            None => RigEdit::DuplicateSubtrees { nodes },
        },
        4 | 5 => RigEdit::Rename { node, id: name(c) },
        6 => RigEdit::SetDisplayName { node, name: Some(name(c)).filter(|_| b.is_multiple_of(2)) },
        7 | 8 => {
            let keep = if b.is_multiple_of(2) { Keep::World } else { Keep::Local };
            RigEdit::Reparent { nodes, parent, keep }
        }
        9 => RigEdit::MoveNode { node, index: usize::from(c) % 6 },
        10 => RigEdit::SetRest { nodes: vec![(node, rest)] },
        11 => RigEdit::SetModel { nodes, model: Some(name(c)) },
        12 => RigEdit::Mirror { nodes },
        _ => RigEdit::SetName { name: name(c) },
    }
}

fn scripts() -> u32 {
    let set = std::env::var("POSEWRIGHT_SCRIPTS").ok().and_then(|n| n.parse().ok());
    set.unwrap_or(1000)
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: scripts(),
        failure_persistence: None,
        max_shrink_iters: 4000,
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_script_follows_the_plain_model(
        which in any::<u16>(),
        script in proptest::collection::vec(any::<Op>(), 1..=50),
    ) {
        let mut world = World::new(which);
        let original: Vec<String> = world.docs.iter().map(|d| world.plain.now[d].text()).collect();
        world.editor.select(Selection::default());
        for (at, op) in script.iter().enumerate() {
            world.run(*op, (usize::from(which) + at).is_multiple_of(8))?;
        }
        let last: Vec<String> = world.docs.iter().map(|d| world.plain.now[d].text()).collect();
        let redoable: Vec<usize> =
            world.docs.iter().map(|d| world.plain.redo[d].len()).collect();
        // Undo all: the original bytes.
        while world.docs.iter().any(|d| world.editor.undo(*d).is_ok()) {}
        for (doc, original) in world.docs.iter().zip(&original) {
            prop_assert_eq!(world.editor.history().undo_label(*doc), None);
            prop_assert_eq!(&world.editor.workspace().content(*doc).unwrap().text(), original);
        }
        // Redo as much as was undone: the last bytes.
        let redoes = |world: &World, doc: &DocId| {
            let mut probe = world.editor.clone();
            let mut many = 0;
            while probe.redo(*doc).is_ok() { many += 1; }
            many
        };
        if redoable == [0, 0, 0] {
            while world.docs.iter().any(|d| world.editor.redo(*d).is_ok()) {}
            for (doc, last) in world.docs.iter().zip(&last) {
                prop_assert_eq!(redoes(&world, doc), 0);
                prop_assert_eq!(&world.editor.workspace().content(*doc).unwrap().text(), last);
            }
        }
    }
}
