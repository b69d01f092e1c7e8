//! Undo lines, their bounds, dirtiness, reloading, closing and opening again.
#![allow(clippy::unwrap_used)] // A test may stop where something is not as it says.

mod documents;

use documents::*;
use posewright::edit::{
    ClipEdit, Content, Edit, Editor, HistoryLimits, RigEdit, Selection, UndoError,
};
use posewright::format::FileKind;
use posewright::model::Property;
use posewright::source::Source;
use std::path::PathBuf;
use std::sync::Arc;

fn reload(editor: &mut Editor, doc: posewright::edit::DocId, text: &str) -> Option<String> {
    let source = Arc::new(Source::parse_yaml(text.to_owned()).unwrap());
    let step = editor.perform(&Edit::Reload { doc, source }).unwrap();
    step.map(|s| s.label.clone())
}

fn set_loop(looping: bool) -> ClipEdit {
    ClipEdit::SetLoop { looping }
}

#[test]
fn undo_back_to_what_is_saved_is_clean() {
    let (mut editor, doc) = open_clip(CLIP);
    assert!(!editor.is_dirty(doc));
    edit(&mut editor, doc, set_loop(false)).unwrap();
    assert!(editor.is_dirty(doc));
    editor.undo(doc).unwrap();
    assert!(!editor.is_dirty(doc));
    editor.redo(doc).unwrap();
    let content = editor.workspace().content(doc).unwrap().clone();
    editor.mark_saved(doc, PathBuf::from("/p/a.motion"), content);
    assert!(!editor.is_dirty(doc));
    editor.undo(doc).unwrap();
    assert!(editor.is_dirty(doc), "now the older state is the unsaved one");
    // The same by another way is clean too.
    edit(&mut editor, doc, set_loop(false)).unwrap();
    assert!(!editor.is_dirty(doc));
}

#[test]
fn what_was_moved_there_and_back_is_clean() {
    let (mut editor, doc) = open_clip(CLIP);
    let hand = track(&editor, doc, "hand", Property::Rotation);
    edit(&mut editor, doc, ClipEdit::MoveTrack { track: hand, index: 2 }).unwrap();
    assert!(editor.is_dirty(doc));
    edit(&mut editor, doc, ClipEdit::MoveTrack { track: hand, index: 0 }).unwrap();
    assert!(!editor.is_dirty(doc));
    // The same values from another text: the bytes decide.
    reload(&mut editor, doc, &CLIP.replace("loop: true", "loop:  true")).unwrap();
    assert!(editor.is_dirty(doc));
    reload(&mut editor, doc, CLIP).unwrap();
    assert!(!editor.is_dirty(doc));
}

#[test]
fn a_line_is_bounded_by_steps_and_keeps_the_newest() {
    let limits = HistoryLimits { steps: 30, bytes: 0, kept: 20 };
    let mut editor = Editor::new(limits);
    let doc = open(&mut editor, FileKind::Motion, "/p/a.motion", CLIP);
    for i in 0..100 {
        edit(&mut editor, doc, set_loop(i % 2 == 1)).unwrap();
        let many = editor.history().steps(doc).count();
        assert!(many <= 30 && many >= (i + 1).min(20), "{many} after {i}");
    }
    let mut undone = 0;
    while editor.undo(doc).is_ok() {
        undone += 1;
    }
    assert!((20..=30).contains(&undone), "{undone}");
    assert_eq!(editor.undo(doc).unwrap_err(), UndoError::Nothing);
}

#[test]
fn bytes_bound_a_line_at_four_times_the_document() {
    let limits = HistoryLimits { steps: 1000, bytes: 0, kept: 20 };
    let mut editor = Editor::new(limits);
    let doc = open(&mut editor, FileKind::Motion, "/p/a.motion", CLIP);
    let all: Vec<_> = (0..3).flat_map(|t| keys(&editor, doc, t)).collect();
    for _ in 0..300 {
        let delta = glam::DVec3::new(0.001, 0.0, 0.0);
        edit(&mut editor, doc, ClipEdit::OffsetKeys { keys: all.clone(), delta }).unwrap();
    }
    assert_eq!(editor.history().steps(doc).count(), 20, "each step holds the whole document");
}

#[test]
fn a_step_that_another_line_has_lost_is_gone_whole() {
    let limits = HistoryLimits { steps: 25, bytes: usize::MAX / 8, kept: 20 };
    let mut editor = Editor::new(limits);
    let rig_doc = open(&mut editor, FileKind::Rig, "/p/data/weapon.rig", RIG);
    let clip_doc = open(&mut editor, FileKind::Motion, "/p/wave.motion", CLIP);
    let name = |name: &str| RigEdit::SetName { name: name.to_owned() };
    edit_rig(&mut editor, rig_doc, name("A")).unwrap();
    for i in 0..24 {
        edit(&mut editor, clip_doc, set_loop(i % 2 == 1)).unwrap();
    }
    assert!(editor.history().undo_label(rig_doc).is_some());
    edit(&mut editor, clip_doc, set_loop(false)).unwrap();
    assert!(editor.history().undo_label(rig_doc).is_none(), "half of it could never be undone");
    edit_rig(&mut editor, rig_doc, name("B")).unwrap();
    editor.undo(rig_doc).unwrap();
    assert_eq!(clip(&editor, clip_doc).model, "A");
}

#[test]
fn a_dropped_redo_branch_is_dropped_in_all_lines() {
    let (mut editor, rig_doc, clip_doc) = open_both();
    let name = |name: &str| RigEdit::SetName { name: name.to_owned() };
    edit_rig(&mut editor, rig_doc, name("A")).unwrap();
    edit(&mut editor, clip_doc, set_loop(false)).unwrap();
    editor.undo(clip_doc).unwrap();
    editor.undo(clip_doc).unwrap();
    assert!(editor.history().redo_label(clip_doc).is_some());
    // The rig goes another way: what came after the shared step in the clip goes too.
    edit_rig(&mut editor, rig_doc, name("B")).unwrap();
    assert_eq!(editor.history().redo_label(rig_doc), None);
    assert_eq!(editor.history().redo_label(clip_doc), None);
    assert_eq!(editor.redo(clip_doc).unwrap_err(), UndoError::Nothing);
    editor.undo(clip_doc).unwrap();
    assert_eq!(
        (text(&editor, rig_doc), text(&editor, clip_doc)),
        (RIG.to_owned(), CLIP.to_owned())
    );
}

#[test]
fn selection_goes_with_undo_and_is_no_step() {
    let (mut editor, doc) = open_clip(CLIP);
    let (first, second) = (key(&editor, doc, 0, 0), key(&editor, doc, 1, 1));
    editor.select(Selection::default().with_keys([(doc, first)]));
    edit(&mut editor, doc, ClipEdit::DeleteKeys { keys: vec![second] }).unwrap();
    editor.select(Selection::default());
    editor.undo(doc).unwrap();
    assert_eq!(editor.selection().keys_of(doc), [first]);
    editor.select(Selection::default().with_keys([(doc, second)]));
    editor.redo(doc).unwrap();
    assert_eq!(editor.selection().keys_of(doc), [first], "what was selected after the step");
    assert!(editor.redo(doc).is_err());
}

#[test]
fn reloading_keeps_identities_and_is_one_step() {
    let (mut editor, doc) = open_clip(CLIP);
    let before = clip(&editor, doc).clone();
    let chosen = key(&editor, doc, 0, 1);
    editor.select(Selection::default().with_keys([(doc, chosen)]));
    // Tracks in another order, a key more, a key at another time, another value.
    let (head, tracks) = CLIP.split_once("tracks:\n").unwrap();
    let at = tracks.find("  - part: shoulder").unwrap();
    let (hand, shoulder) = tracks.split_at(at);
    let hand = hand.replace("[0, 0, 1.5]", "[0, 0, 1.25]");
    let shoulder = shoulder.replace("time: 1\n", "time: 1.25\n");
    let on_disk = format!("{head}tracks:\n{shoulder}{hand}      - {{time: 4, value: [9, 9, 9]}}\n");
    let on_disk = on_disk.replacen("{time: 4,", "{time: 3.5,", 1);
    assert_eq!(reload(&mut editor, doc, &on_disk).as_deref(), Some("Reload a.motion"));
    assert_eq!(text(&editor, doc), on_disk);
    let now = clip(&editor, doc).clone();
    let hand_now = now.tracks.iter().find(|t| t.part == "hand").unwrap();
    assert_eq!(hand_now.uid, before.tracks[0].uid);
    let old: Vec<_> = before.tracks[0].keys.iter().map(|k| k.uid).collect();
    let new: Vec<_> = hand_now.keys.iter().map(|k| k.uid).collect();
    assert_eq!((new[0], new[1], new[3]), (old[0], old[1], old[2]), "by time");
    assert!(!old.contains(&new[2]));
    let moved = &now.tracks[0].keys[1];
    assert_eq!((moved.time, moved.uid), (1.25, before.tracks[1].keys[1].uid), "then by order");
    assert_eq!(editor.selection().keys_of(doc), [chosen]);
    // An edit after it touches its lines only.
    edit(&mut editor, doc, set_loop(false)).unwrap();
    assert_eq!(text(&editor, doc), on_disk.replace("loop: true", "loop: false"));
    editor.undo(doc).unwrap();
    editor.undo(doc).unwrap();
    assert_eq!(text(&editor, doc), CLIP);
    assert_eq!(reload(&mut editor, doc, CLIP), None, "the same bytes are no step");
}

#[test]
fn a_rig_reloads_by_ids_and_a_broken_text_stays_a_text() {
    let (mut editor, doc) = open_rig(RIG);
    let hand = node(&editor, doc, "hand");
    reload(
        &mut editor,
        doc,
        &RIG.replace("[0.8, 0, 0]", "[0.9, 0, 0]").replace("id: weapon", "id: gun"),
    );
    assert_eq!(node(&editor, doc, "hand"), hand);
    assert_ne!(node(&editor, doc, "gun"), hand);
    for broken in ["name: R\nnodes:\n  - {id: a/b, kind: joint}\n", "nodes: [", "\t"] {
        editor.perform(&Edit::ReloadText { doc, text: broken.into() }).unwrap();
        assert!(matches!(editor.workspace().content(doc), Some(Content::Text(_))));
        assert_eq!(text(&editor, doc), broken);
        let label = String::new();
        editor.perform(&Edit::Text { doc, text: RIG.to_owned(), label }).unwrap();
        assert!(editor.workspace().rig(doc).is_some(), "it loads: it is a document");
        editor.undo(doc).unwrap();
        assert_eq!(text(&editor, doc), broken);
        editor.undo(doc).unwrap();
        assert_eq!(node(&editor, doc, "hand"), hand);
    }
}

#[test]
fn undo_into_a_closed_document_opens_it() {
    let (mut editor, rig_doc, clip_doc) = open_both();
    edit_rig(&mut editor, rig_doc, RigEdit::SetName { name: "A".to_owned() }).unwrap();
    editor.close(clip_doc);
    assert!(editor.workspace().document(clip_doc).is_none());
    editor.undo(rig_doc).unwrap();
    assert_eq!(text(&editor, clip_doc), CLIP);
    assert!(!editor.is_dirty(clip_doc));
}

#[test]
fn a_file_that_is_opened_again_is_the_same_document() {
    let (mut editor, rig_doc, clip_doc) = open_both();
    edit_rig(&mut editor, rig_doc, RigEdit::SetName { name: "A".to_owned() }).unwrap();
    editor.close(clip_doc);
    // Nobody saved it: on disk it is as it was.
    let again = open(&mut editor, FileKind::Motion, "/p/wave.motion", CLIP);
    assert_eq!(again, clip_doc);
    assert_eq!((text(&editor, again).as_str(), editor.is_dirty(again)), (CLIP, false));
    assert_eq!(editor.history().undo_label(again), Some("Reload wave.motion"));
    editor.undo(again).unwrap();
    assert_eq!(clip(&editor, again).model, "A", "what was not saved is an undo away");
    editor.undo(rig_doc).unwrap();
    assert_eq!((text(&editor, rig_doc).as_str(), text(&editor, again).as_str()), (RIG, CLIP));
}

#[test]
fn several_edits_are_one_step_or_none() {
    let (mut editor, doc) = open_clip(CLIP);
    let one = |edit| Edit::Clip { doc, edit };
    let model = |model: &str| one(ClipEdit::SetModel { model: model.to_owned() });
    let label = "Both".to_owned();
    let both = Edit::All { label: label.clone(), edits: vec![one(set_loop(false)), model("")] };
    assert!(editor.perform(&both).is_err());
    assert_eq!(text(&editor, doc), CLIP);
    let both = Edit::All { label, edits: vec![one(set_loop(false)), model("B")] };
    assert_eq!(editor.perform(&both).unwrap().unwrap().label, "Both");
    editor.undo(doc).unwrap();
    assert_eq!(text(&editor, doc), CLIP);
    assert!(editor.undo(doc).is_err());
}
