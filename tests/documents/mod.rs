//! Documents for the tests of edits.
#![allow(clippy::unwrap_used, dead_code)] // Test code; not every test file uses all of it.

use posewright::edit::{
    ClipEdit, Content, DocId, Edit, EditError, Editor, HistoryLimits, RigEdit, content_of,
};
use posewright::format::FileKind;
use posewright::model::{Clip, Property, Rig, Uid, Uids};
use std::path::PathBuf;
use std::sync::Arc;

pub const RIG: &str = "\
# The display
name: Weapon display
studio: {grid: 0.5}
nodes:
  - id: shoulder   # top
    name: Shoulder
    kind: joint
    position: [0, 1.4, 0]
    colour: red
  # The hand holds it
  - id: hand
    kind: joint
    parent: shoulder
    position: [0.8, 0, 0]
  - id: weapon
    kind: attachment
    parent: hand
    model: gun
";

pub const CLIP: &str = "\
binding: data/weapon.rig
model: Weapon display
duration: 4
loop: true
tracks:
  - part: hand
    property: rotation
    interpolation: bezier
    curve: [0.25, 0.1, 0.25, 1.0]
    note: wave
    keys:
      - time: 0
        value: [0, 0, 0]
      # half way
      - time: 2   # here
        value: [0, 0, 1.5]
        mark: 7
      - {time: 4, value: [0, 0, 3]}
  - part: shoulder
    property: position
    interpolation: linear
    keys:
      - time: 0
        value: [0, 1.4, 0]
      - time: 1
        value: [1, 1.4, 0]
      - time: 3
        value: [3, 1.4, 0]
  - part: shoulder
    property: scale
    interpolation: step
    keys:
      - time: 1.5
        value: [1, 1, 1]
";

/// The editor with a rig and a clip that is bound to it.
pub fn open_both() -> (Editor, DocId, DocId) {
    let mut editor = Editor::new(HistoryLimits::default());
    let rig = open(&mut editor, FileKind::Rig, "/p/data/weapon.rig", RIG);
    let clip = open(&mut editor, FileKind::Motion, "/p/wave.motion", CLIP);
    (editor, rig, clip)
}

pub fn open(editor: &mut Editor, kind: FileKind, path: &str, text: &str) -> DocId {
    let mut uids = Uids::default();
    let content = content_of(kind, text, &mut uids);
    editor.open(Some(PathBuf::from(path)), Some(PathBuf::from("/p")), content, uids)
}

pub fn open_clip(text: &str) -> (Editor, DocId) {
    let mut editor = Editor::new(HistoryLimits::default());
    let doc = open(&mut editor, FileKind::Motion, "/p/a.motion", text);
    assert!(matches!(editor.workspace().content(doc), Some(Content::Clip(_))), "{text}");
    (editor, doc)
}

pub fn open_rig(text: &str) -> (Editor, DocId) {
    let mut editor = Editor::new(HistoryLimits::default());
    let doc = open(&mut editor, FileKind::Rig, "/p/a.rig", text);
    assert!(matches!(editor.workspace().content(doc), Some(Content::Rig(_))), "{text}");
    (editor, doc)
}

pub fn text(editor: &Editor, doc: DocId) -> String {
    editor.workspace().content(doc).unwrap().text()
}

pub fn clip(editor: &Editor, doc: DocId) -> &Arc<Clip> {
    editor.workspace().clip(doc).unwrap()
}

pub fn rig(editor: &Editor, doc: DocId) -> &Arc<Rig> {
    editor.workspace().rig(doc).unwrap()
}

/// Makes an edit of a clip; gives the label of the step, "" for none.
pub fn edit(editor: &mut Editor, doc: DocId, edit: ClipEdit) -> Result<String, EditError> {
    let step = editor.perform(&Edit::Clip { doc, edit })?;
    Ok(step.map(|s| s.label.clone()).unwrap_or_default())
}

pub fn edit_rig(editor: &mut Editor, doc: DocId, edit: RigEdit) -> Result<String, EditError> {
    let step = editor.perform(&Edit::Rig { doc, edit })?;
    Ok(step.map(|s| s.label.clone()).unwrap_or_default())
}

/// The identity of a key, by track and place.
pub fn key(editor: &Editor, doc: DocId, track: usize, key: usize) -> Uid {
    clip(editor, doc).tracks[track].keys[key].uid
}

pub fn keys(editor: &Editor, doc: DocId, track: usize) -> Vec<Uid> {
    clip(editor, doc).tracks[track].keys.iter().map(|k| k.uid).collect()
}

pub fn track(editor: &Editor, doc: DocId, part: &str, property: Property) -> Uid {
    let clip = clip(editor, doc);
    clip.tracks.iter().find(|t| t.part == part && t.property == property).unwrap().uid
}

pub fn times(editor: &Editor, doc: DocId, track: usize) -> Vec<f64> {
    clip(editor, doc).tracks[track].keys.iter().map(|k| k.time).collect()
}

pub fn node(editor: &Editor, doc: DocId, id: &str) -> Uid {
    rig(editor, doc).nodes.iter().find(|n| n.id == id).unwrap().uid
}

pub fn ids(editor: &Editor, doc: DocId) -> Vec<String> {
    rig(editor, doc).nodes.iter().map(|n| n.id.clone()).collect()
}
