//! Edits of keyframes of an export: what changes, what is refused, what the bytes are.
#![allow(clippy::unwrap_used)] // A test that cannot go on should stop.

use glam::{DQuat, DVec2, DVec3};
use posewright::edit::{
    Content, DocId, Edit, Editor, NewHandles, NewKeyframe, TakeEdit, content_of,
};
use posewright::format::FileKind;
use posewright::model::Uids;
use posewright::model::take::{AxisHandles, Channel, Interp, Keyframe};
use std::path::PathBuf;

const TEXT: &str = r#"{
  "format": "octo_anm", "version": 4, "fps": 24.0, "frame_range": [1, 30],
  "coordinate_system": {"up": "y", "hand": "right", "unit": "meters", "rot_order": "xyz", "rot_repr_anim": "euler_deg", "rot_repr_rest": "quat_wxyz"},
  "pegs": [
    {"name": "hip", "studio": 7, "keyframes": [
      {"frame": 1, "pos": [0.0, 1.0, 0.0], "rot": [0.0, 0.0, 0.0], "rot_quat": [1.0, 0.0, 0.0, 0.0], "scl": [1.0, 1.0, 1.0], "interp": "BEZIER", "handles": {"pos": [[[0, 0.0], [4, 2.0]], null, null], "rot": [], "scl": []}},
      {"frame": 11, "pos": [10.0, 1.0, 0.0], "rot": [0.0, 0.0, 90.0], "rot_quat": [0.7071067811865476, 0.0, 0.0, 0.7071067811865476], "scl": [1.0, 1.0, 1.0], "interp": "LINEAR", "note": "keep", "handles": {"pos": [[[8, 9.0], [12, 10.0]], null, null], "rot": [], "scl": []}},
      {"frame": 24.5, "pos": [3.0, 1.0, 0.0], "rot": [0.0, 0.0, 0.0], "rot_quat": [1.0, 0.0, 0.0, 0.0], "scl": [1.0, 1.0, 1.0], "interp": "CONSTANT"}
    ]}
  ]
}
"#;

fn open(text: &str) -> (Editor, DocId) {
    let mut uids = Uids::default();
    let content = content_of(FileKind::Anm, text, &mut uids);
    assert!(matches!(content, Content::Take(_)), "it opens");
    let mut editor = Editor::default();
    let doc = editor.open(Some(PathBuf::from("/a.anm")), None, content, uids);
    (editor, doc)
}

fn keys(editor: &Editor, doc: DocId) -> Vec<Keyframe> {
    editor.workspace().take(doc).unwrap().pegs[0].keyframes.clone()
}

fn text(editor: &Editor, doc: DocId) -> String {
    editor.workspace().content(doc).unwrap().text()
}

fn perform(editor: &mut Editor, doc: DocId, edit: TakeEdit) {
    editor.perform(&Edit::Take { doc, edit }).unwrap();
}

fn changed_lines(before: &str, after: &str) -> Vec<usize> {
    let (a, b): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    assert_eq!(a.len(), b.len());
    (0..a.len()).filter(|i| a[*i] != b[*i]).collect()
}

#[test]
fn an_edit_touches_its_own_line_and_undo_gives_the_bytes_back() {
    let (mut editor, doc) = open(TEXT);
    assert_eq!(text(&editor, doc), TEXT);
    let key = keys(&editor, doc)[1].uid;
    let keys_of = |value| TakeEdit::SetValues { keys: vec![(key, value)], channel: Channel::Pos };
    perform(&mut editor, doc, keys_of([Some(12.0), None, None]));
    let after = text(&editor, doc);
    assert_eq!(changed_lines(TEXT, &after), [6]);
    assert!(after.contains("[12, 1.0, 0.0]") || after.contains("[12.0, 1.0, 0.0]"), "{after}");
    // Its handles went along.
    let handles = keys(&editor, doc)[1].channel_handles(Channel::Pos).unwrap()[0].unwrap();
    assert_eq!((handles.left, handles.right), (DVec2::new(8.0, 11.0), DVec2::new(12.0, 12.0)));
    assert!(editor.is_dirty(doc));
    editor.undo(doc).unwrap();
    assert_eq!(text(&editor, doc), TEXT);
    assert!(!editor.is_dirty(doc));
}

#[test]
fn a_rotation_sets_both_spellings() {
    let (mut editor, doc) = open(TEXT);
    let key = keys(&editor, doc)[1].uid;
    let rot =
        TakeEdit::SetValues { keys: vec![(key, [None, None, Some(60.0)])], channel: Channel::Rot };
    perform(&mut editor, doc, rot);
    let now = &keys(&editor, doc)[1];
    assert_eq!(now.rot, Some(DVec3::new(0.0, 0.0, 60.0)));
    let [w, _, _, z] = now.rot_quat.unwrap();
    let half = 30.0_f64.to_radians();
    assert!((w - half.cos()).abs() < 1e-12 && (z - half.sin()).abs() < 1e-12);
    let turn = DQuat::from_rotation_z(2.0);
    perform(&mut editor, doc, TakeEdit::SetRotations { keys: vec![(key, turn)] });
    let now = &keys(&editor, doc)[1];
    assert!((now.rot.unwrap().z - 2.0_f64.to_degrees()).abs() < 1e-9);
    assert!((now.rot_quat.unwrap()[3] - turn.z).abs() < 1e-15);
}

#[test]
fn keys_move_with_their_handles_and_replace_what_is_in_the_way() {
    let (mut editor, doc) = open(TEXT);
    let key = keys(&editor, doc)[1].uid;
    let edit = TakeEdit::MoveKeys { keys: vec![key], delta_frames: 13.4, snap: None };
    perform(&mut editor, doc, edit);
    let now = keys(&editor, doc);
    assert_eq!(now.iter().map(|key| key.frame).collect::<Vec<_>>(), [1.0, 24.4, 24.5]);
    assert_eq!(now[1].channel_handles(Channel::Pos).unwrap()[0].unwrap().left.x, 21.4);
    editor.undo(doc).unwrap();
    let edit = TakeEdit::MoveKeys { keys: vec![key], delta_frames: 13.5, snap: None };
    perform(&mut editor, doc, edit);
    assert_eq!(keys(&editor, doc).len(), 2);
    assert_eq!(editor.history().undo_label(doc), Some("Move key, replacing 1"));
    editor.undo(doc).unwrap();
    // A snapped key lands on a whole frame.
    let last = keys(&editor, doc)[2].uid;
    let edit = TakeEdit::MoveKeys { keys: vec![last], delta_frames: 1.1, snap: Some(last) };
    perform(&mut editor, doc, edit);
    assert_eq!(keys(&editor, doc)[2].frame, 26.0);
}

#[test]
fn onto_another_key_is_refused() {
    let (mut editor, doc) = open(TEXT);
    let all = keys(&editor, doc);
    let edit = TakeEdit::SetFrames { keys: vec![(all[1].uid, 1.0)] };
    let refused = editor.perform(&Edit::Take { doc, edit }).unwrap_err();
    assert_eq!(refused.message, "hip has a key on this frame already");
    let edit = TakeEdit::SetFrames { keys: vec![(all[0].uid, 20.0)] };
    perform(&mut editor, doc, edit);
    let frames: Vec<f64> = keys(&editor, doc).iter().map(|key| key.frame).collect();
    assert_eq!(frames, [11.0, 20.0, 24.5], "it goes to its place");
    for value in [f64::NAN, 1e7] {
        let edit = TakeEdit::OffsetValues {
            keys: vec![all[1].uid],
            channel: Channel::Pos,
            delta: DVec3::new(value, 0.0, 0.0),
        };
        assert!(editor.perform(&Edit::Take { doc, edit }).is_err());
    }
}

#[test]
fn a_key_put_into_a_curve_keeps_its_shape() {
    use posewright::sample::take::{Space, TakeCurves};
    let (mut editor, doc) = open(TEXT);
    let raw = |editor: &Editor, frame: f64| {
        let take = editor.workspace().take(doc).unwrap();
        let mut out = Vec::new();
        TakeCurves::new(take, Space::Local).sample(frame, &mut out);
        out[0]
    };
    let frames: Vec<f64> = (0..=40).map(|i| 1.0 + f64::from(i) * 0.25).collect();
    let before: Vec<DVec3> = frames.iter().map(|frame| raw(&editor, *frame).pos).collect();
    let here = raw(&editor, 5.0);
    let peg = editor.workspace().take(doc).unwrap().pegs[0].uid;
    let new = NewKeyframe {
        peg,
        frame: 5.0,
        pos: here.pos,
        rotation: here.rotation,
        rot: None,
        scl: here.scl,
    };
    perform(&mut editor, doc, TakeEdit::InsertKeys { keys: vec![new] });
    let now = keys(&editor, doc);
    assert_eq!(now.len(), 4);
    assert_eq!(now[1].interp, Some(Interp::Bezier), "it goes on as the key before it");
    assert!(now[1].rot.is_some() && now[1].rot_quat.is_some(), "it has what its neighbours have");
    for (frame, before) in frames.iter().zip(before) {
        let now = raw(&editor, *frame).pos;
        assert!((now - before).length() < 1e-9, "at {frame}: {now}, not {before}");
    }
}

#[test]
fn handles_interpolation_copies_and_deleting() {
    let (mut editor, doc) = open(TEXT);
    let all = keys(&editor, doc);
    let last = all[2].uid;
    let handles = AxisHandles { left: DVec2::new(20.0, 1.0), right: DVec2::new(26.0, 2.0) };
    let new = NewHandles { key: last, channel: Channel::Scl, axis: 2, handles: Some(handles) };
    perform(&mut editor, doc, TakeEdit::SetHandles { handles: vec![new] });
    assert_eq!(keys(&editor, doc)[2].channel_handles(Channel::Scl).unwrap()[2], Some(handles));
    let edit = TakeEdit::SetInterp { keys: vec![last], interp: Interp::Linear };
    perform(&mut editor, doc, edit);
    assert!(
        text(&editor, doc).contains(r#""interp": "LINEAR", "handles""#),
        "{}",
        text(&editor, doc)
    );
    let edit = TakeEdit::DuplicateKeys { keys: vec![all[1].uid], delta_frames: 20.0 };
    perform(&mut editor, doc, edit);
    let text_now = text(&editor, doc);
    assert_eq!(text_now.matches("\"note\": \"keep\"").count(), 2, "unknown fields go along");
    assert_eq!(keys(&editor, doc)[3].frame, 31.0);
    perform(&mut editor, doc, TakeEdit::DeleteKeys { keys: vec![all[0].uid, all[1].uid] });
    assert_eq!(keys(&editor, doc).len(), 2);
    assert_eq!(editor.history().undo_label(doc), Some("Delete 2 keys"));
    while editor.undo(doc).is_ok() {}
    assert_eq!(text(&editor, doc), TEXT);
}
