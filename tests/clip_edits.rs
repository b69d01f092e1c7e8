//! What edits of clips do, rule by rule.
#![allow(clippy::unwrap_used)] // A test may stop where something is not as it says.

mod documents;

use documents::*;
use glam::DVec3;
use posewright::edit::{ClipEdit, Clipboard, Edit, KeyTime, NewKey, Snap, snap_time};
use posewright::format::FileKind;
use posewright::model::{ClipForm, ClipKind, Interpolation, Property, messages};

fn v(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

#[test]
fn snapping_lands_on_round_times() {
    let grid: Vec<f64> = (1..=3).map(|n| snap_time(f64::from(n) * 0.15 + 0.01, 0.15)).collect();
    assert_eq!(grid, [0.15, 0.3, 0.45]);
    assert_eq!(snap_time(30.0 * (1.0 / 30.0), 1.0 / 30.0), 1.0);
    assert_eq!(snap_time(1.0 / 24.0, 1.0 / 24.0), 0.041667);
    assert_eq!(snap_time(0.2, 0.0), 0.2);
}

#[test]
fn a_moved_key_snaps_and_the_file_shows_it_short() {
    let (mut editor, doc) = open_clip(CLIP);
    let anchor = key(&editor, doc, 1, 1);
    let snap = Some(Snap { step_secs: 0.15, anchor });
    let moved = ClipEdit::MoveKeys { keys: vec![anchor], delta_secs: -0.56, snap };
    assert_eq!(edit(&mut editor, doc, moved).unwrap(), "Move key");
    assert_eq!(times(&editor, doc, 1), [0.0, 0.45, 3.0]);
    assert_eq!(text(&editor, doc), CLIP.replace("time: 1\n", "time: 0.45\n"));
}

#[test]
fn snapped_keys_keep_their_distance_and_still_increase() {
    let source = CLIP.replace("time: 1\n", "time: 2.9999999\n");
    let (mut editor, doc) = open_clip(&source);
    let both = keys(&editor, doc, 1)[1..].to_vec();
    let snap = Some(Snap { step_secs: 0.5, anchor: both[0] });
    let moved = ClipEdit::MoveKeys { keys: both, delta_secs: -1.0, snap };
    edit(&mut editor, doc, moved).unwrap();
    let times = times(&editor, doc, 1);
    assert!(times[1] == 2.0 && times[2] > 2.0 && times[2] < 2.000001, "{times:?}");
}

#[test]
fn a_moved_key_replaces_the_one_it_lands_on_and_the_label_says_so() {
    let (mut editor, doc) = open_clip(CLIP);
    let moved = ClipEdit::MoveKeys {
        keys: vec![key(&editor, doc, 1, 0), key(&editor, doc, 1, 1)],
        delta_secs: 2.0,
        snap: None,
    };
    let kept = key(&editor, doc, 1, 1);
    assert_eq!(edit(&mut editor, doc, moved).unwrap(), "Move 2 keys, replacing 1");
    assert_eq!(times(&editor, doc, 1), [2.0, 3.0]);
    let last = &clip(&editor, doc).tracks[1].keys[1];
    assert_eq!((last.uid, last.value), (kept, v(1.0, 1.4, 0.0)));
    editor.undo(doc).unwrap();
    assert_eq!(text(&editor, doc), CLIP);
}

#[test]
fn a_drag_over_a_key_and_back_leaves_it() {
    let (mut editor, doc) = open_clip(CLIP);
    let uid = key(&editor, doc, 1, 1);
    let at = |delta_secs| Edit::Clip {
        doc,
        edit: ClipEdit::MoveKeys { keys: vec![uid], delta_secs, snap: None },
    };
    editor.begin();
    for delta in [0.5, 2.0, 2.5, -0.5, 0.0] {
        editor.preview(&at(delta)).unwrap();
    }
    assert_eq!(text(&editor, doc), CLIP);
    assert!(editor.commit().is_none());
    assert!(editor.history().undo_label(doc).is_none());
    // Released on the key it is replaced.
    editor.preview(&at(2.0)).unwrap();
    assert_eq!(editor.commit().unwrap().label, "Move key, replacing 1");
}

#[test]
fn a_refused_preview_leaves_the_last_one_and_a_cancel_leaves_nothing() {
    let (mut editor, doc) = open_clip(CLIP);
    let uid = key(&editor, doc, 1, 2);
    let at = |delta_secs| Edit::Clip {
        doc,
        edit: ClipEdit::MoveKeys { keys: vec![uid], delta_secs, snap: None },
    };
    editor.preview(&at(0.5)).unwrap();
    assert_eq!(editor.preview(&at(9.0)).unwrap_err().message, messages::KEY_TIMES);
    assert_eq!(times(&editor, doc, 1)[2], 3.5);
    editor.cancel();
    assert_eq!(text(&editor, doc), CLIP);
    assert!(editor.undo(doc).is_err());
}

#[test]
fn limits_refuse_with_the_formats_sentences() {
    let (mut editor, doc) = open_clip(CLIP);
    let scale = key(&editor, doc, 2, 0);
    let first = key(&editor, doc, 1, 0);
    let tracks = vec![track(&editor, doc, "hand", Property::Rotation)];
    let cases: Vec<(ClipEdit, &str)> = vec![
        (
            ClipEdit::SetKeyValues { keys: vec![(scale, [Some(0.0), None, None])] },
            messages::ANIMATED_SCALE,
        ),
        (
            ClipEdit::OffsetKeys { keys: vec![scale], delta: v(0.0, -1.0, 0.0) },
            messages::ANIMATED_SCALE,
        ),
        (
            ClipEdit::OffsetKeys { keys: vec![first], delta: v(1e6 + 1.0, 0.0, 0.0) },
            messages::VALUE_RANGE,
        ),
        (
            ClipEdit::SetKeyValues { keys: vec![(first, [None, Some(f64::NAN), None])] },
            messages::VALUE_RANGE,
        ),
        (
            ClipEdit::SetKeyTimes { keys: vec![KeyTime { key: first, time: 1.0 }] },
            messages::KEY_TIMES,
        ),
        (
            ClipEdit::SetKeyTimes { keys: vec![KeyTime { key: first, time: f64::NAN }] },
            messages::KEY_TIMES,
        ),
        (
            ClipEdit::MoveKeys { keys: vec![first], delta_secs: -0.1, snap: None },
            messages::KEY_TIMES,
        ),
        (ClipEdit::InsertTime { at_secs: 1.0, length_secs: 3597.0 }, messages::MODEL_AND_DURATION),
        (ClipEdit::SetDuration { secs: 3.5, scale_keys: false }, messages::KEY_TIMES),
        (ClipEdit::SetDuration { secs: 0.0, scale_keys: true }, messages::MODEL_AND_DURATION),
        (ClipEdit::SetDuration { secs: 3601.0, scale_keys: true }, messages::MODEL_AND_DURATION),
        (ClipEdit::SetModel { model: String::new() }, messages::MODEL_AND_DURATION),
        (ClipEdit::SetCurve { tracks, curve: Some([0.0, 1.1, 0.0, 1.0]) }, messages::CURVE),
        (
            ClipEdit::AddTrack {
                part: "hand".to_owned(),
                property: Property::Rotation,
                key: (0.0, DVec3::ZERO),
            },
            messages::DUPLICATE_TRACK,
        ),
        (
            ClipEdit::Ripple { tracks: vec![], from_secs: 1.0, delta_secs: -1.0 },
            messages::KEY_TIMES,
        ),
    ];
    for (wrong, sentence) in cases {
        let error = edit(&mut editor, doc, wrong.clone()).unwrap_err();
        assert_eq!(error.message, sentence, "{wrong:?}");
        assert_eq!(text(&editor, doc), CLIP);
        assert!(!editor.is_dirty(doc));
    }
    let many: Vec<NewKey> = (0..512)
        .map(|i| NewKey {
            part: "shoulder".to_owned(),
            property: Property::Position,
            time: 0.001 + f64::from(i) * 0.001,
            value: DVec3::ZERO,
        })
        .collect();
    let error = edit(&mut editor, doc, ClipEdit::InsertKeys { keys: many }).unwrap_err();
    assert_eq!(error.message, messages::KEY_COUNT);
    let add = |i: usize| ClipEdit::AddTrack {
        part: format!("p{i}"),
        property: Property::Scale,
        key: (0.0, DVec3::ONE),
    };
    for i in 3..128 {
        edit(&mut editor, doc, add(i)).unwrap();
    }
    assert_eq!(edit(&mut editor, doc, add(128)).unwrap_err().message, messages::TRACK_COUNT);
}

#[test]
fn inserting_makes_keys_and_tracks_or_sets_the_value_that_is_there() {
    let (mut editor, doc) = open_clip(CLIP);
    let new = |part: &str, time, value| NewKey {
        part: part.to_owned(),
        property: Property::Position,
        time,
        value,
    };
    let insert = ClipEdit::InsertKeys {
        keys: vec![new("shoulder", 1.0, v(9.0, 0.0, 0.0)), new("hand", 0.5, v(1.0, 2.0, 3.0))],
    };
    let there = key(&editor, doc, 1, 1);
    assert_eq!(edit(&mut editor, doc, insert).unwrap(), "Insert 2 keys");
    let clip = clip(&editor, doc);
    assert_eq!((clip.tracks[1].keys[1].uid, clip.tracks[1].keys[1].value.x), (there, 9.0));
    assert_eq!(
        (clip.tracks[3].part.as_str(), clip.tracks[3].interpolation),
        ("hand", Interpolation::Linear)
    );
    let selected = editor.selection().keys_of(doc);
    assert_eq!(selected, [there, clip.tracks[3].keys[0].uid]);
    let expected = CLIP
        .replace("time: 1\n        value: [1, 1.4, 0]", "time: 1\n        value: [9, 0, 0]")
        + "  - part: hand\n    property: position\n    interpolation: linear\n    keys:\n      \
           - time: 0.5\n        value: [1, 2, 3]\n";
    assert_eq!(text(&editor, doc), expected);
}

#[test]
fn a_key_on_the_curve_keeps_the_motion_where_that_is_possible() {
    let (mut editor, doc) = open_clip(CLIP);
    let tracks = vec![track(&editor, doc, "shoulder", Property::Position)];
    let on_curve = ClipEdit::InsertOnCurve { tracks, time: 2.0 };
    let step = editor.perform(&Edit::Clip { doc, edit: on_curve }).unwrap().unwrap();
    assert!(step.notes.is_empty());
    assert_eq!(clip(&editor, doc).tracks[1].keys[2].value, v(2.0, 1.4, 0.0));
    let tracks = vec![track(&editor, doc, "hand", Property::Rotation)];
    let on_curve = ClipEdit::InsertOnCurve { tracks, time: 1.0 };
    let step = editor.perform(&Edit::Clip { doc, edit: on_curve }).unwrap().unwrap();
    assert_eq!(step.notes.len(), 1, "a bezier eases anew");
    let value = clip(&editor, doc).tracks[0].keys[1].value;
    assert!((value - v(0.0, 0.0, 1.5 * 0.802403)).length() < 1e-5, "{value}");
    // A step holds, and before the first key its value.
    let tracks = vec![track(&editor, doc, "shoulder", Property::Scale)];
    edit(&mut editor, doc, ClipEdit::InsertOnCurve { tracks, time: 0.5 }).unwrap();
    assert_eq!(clip(&editor, doc).tracks[2].keys[0].value, DVec3::ONE);
}

#[test]
fn a_rig_rotation_on_the_curve_is_the_slerped_one() {
    let source = CLIP.replace("interpolation: bezier", "interpolation: linear");
    let source = source.replace("[0, 0, 1.5]", "[1.2, -0.4, 1.5]");
    let (mut editor, doc) = open_clip(&source);
    let sampled = |editor: &posewright::edit::Editor, t: f64| {
        let compiled = posewright::sample::Clip::new(clip(editor, doc)).unwrap();
        match compiled.value("hand", Property::Rotation, t).unwrap() {
            posewright::sample::TrackValue::Rotation(q) => q,
            other => panic!("{other:?}"),
        }
    };
    let before: Vec<_> = (0..40).map(|i| sampled(&editor, f64::from(i) * 0.1)).collect();
    let tracks = vec![track(&editor, doc, "hand", Property::Rotation)];
    edit(&mut editor, doc, ClipEdit::InsertOnCurve { tracks, time: 0.7 }).unwrap();
    for (i, before) in before.into_iter().enumerate() {
        let after = sampled(&editor, i as f64 * 0.1);
        assert!(before.dot(after).abs() > 1.0 - 1e-12, "at {i}");
    }
}

#[test]
fn deleting_the_last_key_deletes_the_track_and_comments_go_along() {
    let (mut editor, doc) = open_clip(CLIP);
    let gone = vec![key(&editor, doc, 2, 0), key(&editor, doc, 0, 1)];
    let label = edit(&mut editor, doc, ClipEdit::DeleteKeys { keys: gone }).unwrap();
    assert_eq!(label, "Delete 2 keys and track");
    let now = text(&editor, doc);
    assert!(!now.contains("half way") && !now.contains("here") && !now.contains("scale"), "{now}");
    let all: Vec<_> =
        clip(&editor, doc).tracks.iter().flat_map(|t| &t.keys).map(|k| k.uid).collect();
    edit(&mut editor, doc, ClipEdit::DeleteKeys { keys: all }).unwrap();
    assert!(clip(&editor, doc).tracks.is_empty(), "an empty clip is a draft");
    editor.undo(doc).unwrap();
    editor.undo(doc).unwrap();
    assert_eq!(text(&editor, doc), CLIP);
    assert!(!editor.is_dirty(doc));
}

#[test]
fn scaling_to_nothing_and_undoing_gives_every_key_back() {
    let (mut editor, doc) = open_clip(CLIP);
    let before = clip(&editor, doc).clone();
    let all: Vec<_> = before.tracks.iter().flat_map(|t| &t.keys).map(|k| k.uid).collect();
    let scale = |factor| ClipEdit::ScaleKeys { keys: all.clone(), pivot_secs: 1.0, factor };
    let label = edit(&mut editor, doc, scale(0.0)).unwrap();
    assert_eq!(label, "Scale 7 keys, replacing 4");
    assert_eq!(times(&editor, doc, 0), [1.0]);
    // Of keys that fall together the last one stays.
    assert_eq!(clip(&editor, doc).tracks[0].keys[0].value.z, 3.0);
    editor.undo(doc).unwrap();
    assert_eq!(clip(&editor, doc).tracks, before.tracks);
    // A gesture through zero leaves no trace either.
    for factor in [0.5, 0.0, -0.2, 0.1, 0.5] {
        editor.preview(&Edit::Clip { doc, edit: scale(factor) }).unwrap();
    }
    editor.commit().unwrap();
    assert_eq!(times(&editor, doc, 0), [0.5, 1.5, 2.5]);
    assert_eq!(times(&editor, doc, 1), [0.5, 1.0, 2.0]);
}

#[test]
fn a_negative_factor_turns_the_order_round() {
    let (mut editor, doc) = open_clip(CLIP);
    let all = keys(&editor, doc, 1);
    let turned = ClipEdit::ScaleKeys { keys: all.clone(), pivot_secs: 1.5, factor: -1.0 };
    edit(&mut editor, doc, turned).unwrap();
    assert_eq!(times(&editor, doc, 1), [0.0, 2.0, 3.0]);
    assert_eq!(keys(&editor, doc, 1), [all[2], all[1], all[0]]);
}

#[test]
fn duplicates_are_new_keys_without_comments() {
    let (mut editor, doc) = open_clip(CLIP);
    let one = vec![key(&editor, doc, 0, 1)];
    let copy = |delta_secs| ClipEdit::DuplicateKeys { keys: one.clone(), delta_secs };
    assert_eq!(
        edit(&mut editor, doc, copy(0.0)).unwrap(),
        "",
        "a copy in its own place is no step"
    );
    assert_eq!(edit(&mut editor, doc, copy(1.0)).unwrap(), "Duplicate key");
    assert_eq!(times(&editor, doc, 0), [0.0, 2.0, 3.0, 4.0]);
    let now = text(&editor, doc);
    let line = "      - time: 3\n        value: [0, 0, 1.5]\n        mark: 7\n";
    assert!(now.contains(line), "unknown fields go along, comments do not: {now}");
    assert_eq!(now.matches("half way").count(), 1);
    assert_eq!(editor.selection().keys_of(doc), [key(&editor, doc, 0, 2)]);
    assert_eq!(edit(&mut editor, doc, copy(2.0)).unwrap(), "Duplicate key, replacing 1");
}

#[test]
fn pasting_goes_by_part_names_and_makes_missing_tracks() {
    let (mut editor, doc) = open_clip(CLIP);
    let other = open(
        &mut editor,
        FileKind::Motion,
        "/p/b.motion",
        "binding: r.rig\r\nmodel: R\r\nduration: 10\r\nloop: false\r\ntracks:\r\n- part: \
         shoulder\r\n  property: position\r\n  interpolation: smooth\r\n  keys:\r\n  - {time: 5, \
         value: [0, 0, 0]}\r\n",
    );
    let all: Vec<_> =
        clip(&editor, doc).tracks.iter().flat_map(|t| &t.keys).map(|k| k.uid).collect();
    let board = Clipboard::of_keys(editor.workspace(), doc, &all, false).unwrap();
    editor.close(doc);
    let paste = board.paste_keys(2.0, false).unwrap();
    assert_eq!(edit(&mut editor, other, paste).unwrap(), "Paste 7 keys, replacing 1");
    assert_eq!(times(&editor, other, 0), [2.0, 3.0, 5.0]);
    let now = clip(&editor, other);
    assert_eq!(
        now.tracks[0].interpolation,
        Interpolation::Smooth,
        "what is there keeps its easing"
    );
    assert_eq!(
        (now.tracks[1].part.as_str(), now.tracks[1].interpolation),
        ("hand", Interpolation::Bezier)
    );
    let text = text(&editor, other);
    assert!(text.contains("note: wave\r\n") && text.contains("mark: 7\r\n"), "{text}");
    assert!(!text.contains("half way") && !text.replace("\r\n", "").contains('\n'), "{text}");
}

/// How often the comments of the key that is cut stand in a document.
fn comments(editor: &posewright::edit::Editor, doc: posewright::edit::DocId) -> (usize, usize) {
    let text = text(editor, doc);
    (text.matches("# half way").count(), text.matches("# here").count())
}

#[test]
fn cut_keys_take_their_comments_once() {
    let (mut editor, doc) = open_clip(CLIP);
    let one = vec![key(&editor, doc, 0, 1)];
    let board = Clipboard::of_keys(editor.workspace(), doc, &one, true).unwrap();
    let paste = |at| board.paste_keys(at, false).unwrap();
    edit(&mut editor, doc, ClipEdit::DeleteKeys { keys: one }).unwrap();
    assert_eq!(comments(&editor, doc), (0, 0));
    edit(&mut editor, doc, paste(3.0)).unwrap();
    let now = text(&editor, doc);
    assert!(now.contains("# half way\n      - time: 3   # here\n"), "{now}");
    // A second paste is a copy.
    edit(&mut editor, doc, paste(1.0)).unwrap();
    assert_eq!(comments(&editor, doc), (1, 1));
    // Taken back and pasted once more, they are there again.
    editor.undo(doc).unwrap();
    editor.undo(doc).unwrap();
    assert_eq!(comments(&editor, doc), (0, 0));
    edit(&mut editor, doc, paste(1.0)).unwrap();
    assert_eq!(comments(&editor, doc), (1, 1));
}

#[test]
fn undoing_a_cut_leaves_its_comments_where_they_were() {
    let (mut editor, doc) = open_clip(CLIP);
    let one = vec![key(&editor, doc, 0, 1)];
    let board = Clipboard::of_keys(editor.workspace(), doc, &one, true).unwrap();
    edit(&mut editor, doc, ClipEdit::DeleteKeys { keys: one }).unwrap();
    editor.undo(doc).unwrap();
    edit(&mut editor, doc, board.paste_keys(3.0, false).unwrap()).unwrap();
    let now = text(&editor, doc);
    assert!(now.contains("# half way\n      - time: 2   # here\n"), "{now}");
    assert_eq!(comments(&editor, doc), (1, 1));
}

#[test]
fn cut_here_and_pasted_there_a_comment_is_in_one_of_the_files() {
    let (mut editor, doc) = open_clip(CLIP);
    let source = CLIP.replace("# half way", "#").replace("# here", "#");
    let other = open(&mut editor, FileKind::Motion, "/p/other.motion", &source);
    let one = vec![key(&editor, doc, 0, 1)];
    let board = Clipboard::of_keys(editor.workspace(), doc, &one, true).unwrap();
    edit(&mut editor, doc, ClipEdit::DeleteKeys { keys: one }).unwrap();
    let paste = |editor: &mut posewright::edit::Editor, at| {
        edit(editor, other, board.paste_keys(at, false).unwrap()).unwrap();
    };
    paste(&mut editor, 3.0);
    assert_eq!((comments(&editor, doc), comments(&editor, other)), ((0, 0), (1, 1)));
    // Undone there and pasted once more.
    editor.undo(other).unwrap();
    assert_eq!(comments(&editor, other), (0, 0));
    paste(&mut editor, 1.0);
    paste(&mut editor, 3.0);
    assert_eq!(comments(&editor, other), (1, 1));
    // Undone here: what comes back has its own again, and further pastes have none.
    editor.undo(other).unwrap();
    editor.undo(other).unwrap();
    editor.undo(doc).unwrap();
    assert_eq!(text(&editor, doc), CLIP);
    paste(&mut editor, 3.0);
    assert_eq!((comments(&editor, doc), comments(&editor, other)), ((1, 1), (0, 0)));
}

/// The cut was not saved, and somebody else's change reloads the file: what was cut is there again,
/// with its comments.
#[test]
fn a_reload_between_cut_and_paste_doubles_no_comments() {
    let reload = |editor: &mut posewright::edit::Editor, doc, text: &str| {
        let text = text.into();
        editor.perform(&posewright::edit::Edit::ReloadText { doc, text }).unwrap();
    };
    let (mut editor, doc) = open_clip(CLIP);
    let one = vec![key(&editor, doc, 0, 1)];
    let board = Clipboard::of_keys(editor.workspace(), doc, &one, true).unwrap();
    edit(&mut editor, doc, ClipEdit::DeleteKeys { keys: one.clone() }).unwrap();
    let theirs = CLIP.replace("loop: true", "loop: false");
    reload(&mut editor, doc, &theirs);
    assert_eq!(comments(&editor, doc), (1, 1));
    edit(&mut editor, doc, board.paste_keys(3.0, false).unwrap()).unwrap();
    assert_eq!(comments(&editor, doc), (1, 1));

    // Where the file on disk has it no more, the paste brings the comments.
    let (mut editor, doc) = open_clip(CLIP);
    let one = vec![key(&editor, doc, 0, 1)];
    let board = Clipboard::of_keys(editor.workspace(), doc, &one, true).unwrap();
    edit(&mut editor, doc, ClipEdit::DeleteKeys { keys: one }).unwrap();
    let without = text(&editor, doc).replace("loop: true", "loop: false");
    reload(&mut editor, doc, &without);
    assert_eq!(comments(&editor, doc), (0, 0));
    edit(&mut editor, doc, board.paste_keys(3.0, false).unwrap()).unwrap();
    assert_eq!(comments(&editor, doc), (1, 1));
    edit(&mut editor, doc, board.paste_keys(1.0, false).unwrap()).unwrap();
    assert_eq!(comments(&editor, doc), (1, 1));
}

#[test]
fn a_cut_track_takes_its_comments_once() {
    let source = CLIP.replace("  - part: hand\n", "  # the wave\n  - part: hand\n");
    let (mut editor, doc) = open_clip(&source);
    let all = keys(&editor, doc, 0);
    let board = Clipboard::of_keys(editor.workspace(), doc, &all, true).unwrap();
    let many = |editor: &posewright::edit::Editor| {
        (text(editor, doc).matches("# the wave").count(), comments(editor, doc))
    };
    edit(&mut editor, doc, ClipEdit::DeleteKeys { keys: all }).unwrap();
    assert_eq!(many(&editor), (0, (0, 0)));
    edit(&mut editor, doc, board.paste_keys(0.0, false).unwrap()).unwrap();
    assert_eq!(many(&editor), (1, (1, 1)));
    editor.undo(doc).unwrap();
    editor.undo(doc).unwrap();
    // The track animates another part now: a paste makes one anew.
    let hand = track(&editor, doc, "hand", Property::Rotation);
    let part = "elbow".to_owned();
    edit(&mut editor, doc, ClipEdit::RetargetTrack { track: hand, part }).unwrap();
    edit(&mut editor, doc, board.paste_keys(0.0, false).unwrap()).unwrap();
    assert_eq!(clip(&editor, doc).tracks.len(), 4);
    assert_eq!(many(&editor), (1, (1, 1)));
}

#[test]
fn pasting_flipped_swaps_sides_and_mirrors_across_x() {
    let source = CLIP.replace("part: hand", "part: hand.L");
    let (mut editor, doc) = open_clip(&source);
    let all: Vec<_> = [0, 1].iter().flat_map(|t| keys(&editor, doc, *t)).collect();
    let board = Clipboard::of_keys(editor.workspace(), doc, &all, false).unwrap();
    let label = edit(&mut editor, doc, board.paste_keys(0.0, true).unwrap()).unwrap();
    assert_eq!(label, "Paste flipped 6 keys, replacing 3");
    let now = clip(&editor, doc);
    assert_eq!(now.tracks[3].part, "hand.R");
    assert_eq!(now.tracks[3].keys[1].value, v(0.0, 0.0, -1.5));
    assert_eq!(now.tracks[1].keys[2].value, v(-3.0, 1.4, 0.0), "without a side: itself");
    assert_eq!(now.tracks[0].keys[1].value, v(0.0, 0.0, 1.5));
}

#[test]
fn the_clipboard_is_yaml_for_other_programs_and_back() {
    let (editor, doc) = open_clip(CLIP);
    let all: Vec<_> =
        clip(&editor, doc).tracks.iter().flat_map(|t| &t.keys).map(|k| k.uid).collect();
    let board = Clipboard::of_keys(editor.workspace(), doc, &all, false).unwrap();
    let text = board.text();
    assert!(text.starts_with("tracks:\n  - part: hand\n") && text.contains("mark: 7"), "{text}");
    let json = r#"{"tracks": [{"part": "a", "property": "scale", "interpolation": "step",
        "keys": [{"time": 1, "value": [1, 2, 3], "x": null}]}]}"#;
    let bare = "- part: a\n  property: scale\n  interpolation: step\n  keys:\n    - {time: 1, value: [1, 2, 3]}\n";
    let list = r#"[{"part": "a", "property": "scale", "interpolation": "step", "keys": [{"time": 1, "value": [1, 2, 3]}]}]"#;
    for (text, tracks, keys) in
        [(text.as_str(), 3, 7), (CLIP, 3, 7), (json, 1, 1), (bare, 1, 1), (list, 1, 1)]
    {
        let Some(Clipboard::Tracks(read)) = Clipboard::parse(text) else { panic!("{text}") };
        assert_eq!(read.len(), tracks);
        assert_eq!(read.iter().map(|t| t.keys.len()).sum::<usize>(), keys);
        assert_eq!(
            Clipboard::parse(&Clipboard::Tracks(read).text()).unwrap().text().len(),
            Clipboard::parse(text).unwrap().text().len()
        );
    }
    let wrong = bare.replace("[1, 2, 3]", "[1, 0, 3]");
    for text in ["", "hello", "- 1\n- 2\n", "{", "tracks: []", "a: b", &wrong, "\u{0}"] {
        assert!(Clipboard::parse(text).is_none(), "{text}");
    }
}

#[test]
fn easing_alone_can_be_pasted() {
    let (mut editor, doc) = open_clip(CLIP);
    let from = keys(&editor, doc, 0);
    let board = Clipboard::of_keys(editor.workspace(), doc, &from[..1], false).unwrap();
    let to = vec![track(&editor, doc, "shoulder", Property::Position)];
    let label = edit(&mut editor, doc, board.paste_easing(to).unwrap()).unwrap();
    assert_eq!(label, "Paste easing to track");
    let track = &clip(&editor, doc).tracks[1];
    assert_eq!(
        (track.interpolation, track.curve),
        (Interpolation::Bezier, Some([0.25, 0.1, 0.25, 1.0]))
    );
    assert_eq!(track.keys.len(), 3);
}

#[test]
fn reversing_a_clip_turns_its_easing_round() {
    let (mut editor, doc) = open_clip(CLIP);
    let sampled = |editor: &posewright::edit::Editor, t: f64| {
        let compiled = posewright::sample::Clip::new(clip(editor, doc)).unwrap();
        let rest = posewright::math::Trs::IDENTITY;
        compiled.pose("hand", t, &rest).rotation
    };
    let before: Vec<_> = (0..=40).map(|i| sampled(&editor, f64::from(i) * 0.1)).collect();
    assert_eq!(edit(&mut editor, doc, ClipEdit::Reverse { keys: vec![] }).unwrap(), "Reverse clip");
    let now = clip(&editor, doc);
    assert_eq!(now.tracks[0].curve, Some([0.75, 0.0, 0.75, 0.9]));
    assert_eq!(times(&editor, doc, 1), [1.0, 3.0, 4.0]);
    assert_eq!(now.tracks[1].keys[0].value.x, 3.0);
    assert_eq!(now.tracks[1].curve, None);
    for (i, before) in before.into_iter().enumerate() {
        let after = sampled(&editor, 4.0 - i as f64 * 0.1);
        assert!(before.dot(after).abs() > 1.0 - 1e-9, "at {i}");
    }
    edit(&mut editor, doc, ClipEdit::Reverse { keys: vec![] }).unwrap();
    assert_eq!(times(&editor, doc, 0), [0.0, 2.0, 4.0]);
    assert_eq!(clip(&editor, doc).tracks[0].curve, Some([0.25, 0.1, 0.25, 1.0]));
}

#[test]
fn some_keys_reverse_within_their_span() {
    let (mut editor, doc) = open_clip(CLIP);
    let some = keys(&editor, doc, 1)[..2].to_vec();
    assert_eq!(edit(&mut editor, doc, ClipEdit::Reverse { keys: some }).unwrap(), "Reverse 2 keys");
    let xs: Vec<f64> = clip(&editor, doc).tracks[1].keys.iter().map(|k| k.value.x).collect();
    assert_eq!((times(&editor, doc, 1), xs), (vec![0.0, 1.0, 3.0], vec![1.0, 0.0, 3.0]));
}

#[test]
fn rippling_moves_the_rest_and_the_end() {
    let (mut editor, doc) = open_clip(CLIP);
    let ripple = |delta_secs| ClipEdit::Ripple { tracks: vec![], from_secs: 1.5, delta_secs };
    assert_eq!(edit(&mut editor, doc, ripple(0.25)).unwrap(), "Ripple 4 keys");
    assert_eq!(clip(&editor, doc).duration_secs, 4.25);
    assert_eq!(times(&editor, doc, 0), [0.0, 2.25, 4.25]);
    assert_eq!(times(&editor, doc, 1), [0.0, 1.0, 3.25]);
    assert_eq!(times(&editor, doc, 2), [1.75]);
    editor.undo(doc).unwrap();
    // Never past an earlier key.
    let back = ClipEdit::Ripple { tracks: vec![], from_secs: 2.0, delta_secs: -2.5 };
    assert_eq!(edit(&mut editor, doc, back).unwrap_err().message, messages::KEY_TIMES);
}

#[test]
fn time_is_put_in_and_taken_out() {
    let (mut editor, doc) = open_clip(CLIP);
    let time = |at_secs, length_secs| ClipEdit::InsertTime { at_secs, length_secs };
    assert_eq!(edit(&mut editor, doc, time(1.0, 0.5)).unwrap(), "Insert 0.5 s");
    assert_eq!(times(&editor, doc, 1), [0.0, 1.5, 3.5]);
    assert_eq!(clip(&editor, doc).duration_secs, 4.5);
    assert_eq!(edit(&mut editor, doc, time(1.0, -0.5)).unwrap(), "Remove 0.5 s");
    assert_eq!(text(&editor, doc), CLIP, "the key on the far edge comes back to the near one");
    let label = edit(&mut editor, doc, time(1.0, -1.0)).unwrap();
    assert_eq!(label, "Remove 1 s with 2 keys");
    assert_eq!(times(&editor, doc, 0), [0.0, 1.0, 3.0]);
    assert_eq!(times(&editor, doc, 1), [0.0, 2.0]);
    assert_eq!(clip(&editor, doc).tracks.len(), 2, "a track without keys is gone");
    assert_eq!(clip(&editor, doc).duration_secs, 3.0);
}

#[test]
fn tracks_are_moved_retargeted_and_deleted() {
    let (mut editor, doc) = open_clip(CLIP);
    let hand = track(&editor, doc, "hand", Property::Rotation);
    let label = edit(&mut editor, doc, ClipEdit::MoveTrack { track: hand, index: 2 }).unwrap();
    assert_eq!(label, "Move track hand rotation");
    assert_eq!(clip(&editor, doc).tracks[2].uid, hand);
    let retarget = |part: &str| ClipEdit::RetargetTrack { track: hand, part: part.to_owned() };
    assert_eq!(edit(&mut editor, doc, retarget("weapon")).unwrap(), "Retarget hand → weapon");
    let both = vec![hand, track(&editor, doc, "shoulder", Property::Scale)];
    let label = edit(&mut editor, doc, ClipEdit::RemoveTracks { tracks: both }).unwrap();
    assert_eq!(label, "Delete 2 tracks");
    for _ in 0..3 {
        editor.undo(doc).unwrap();
    }
    assert_eq!(text(&editor, doc), CLIP);
}

#[test]
fn the_length_changes_with_or_without_the_keys() {
    let (mut editor, doc) = open_clip(CLIP);
    let set = |secs, scale_keys| ClipEdit::SetDuration { secs, scale_keys };
    assert_eq!(edit(&mut editor, doc, set(0.3, true)).unwrap(), "Stretch clip to 0.3 s");
    assert_eq!(times(&editor, doc, 0), [0.0, 0.15, 0.3]);
    editor.undo(doc).unwrap();
    assert_eq!(edit(&mut editor, doc, set(5.0, false)).unwrap(), "Set duration to 5 s");
    assert_eq!(text(&editor, doc), CLIP.replace("duration: 4", "duration: 5"));
}

#[test]
fn a_clip_changes_its_kind_and_back() {
    let (mut editor, doc) = open_clip(CLIP);
    let kind = |kind| ClipEdit::SetKind { kind };
    assert_eq!(edit(&mut editor, doc, kind(ClipKind::Model)).unwrap(), "Make a model clip");
    let model = text(&editor, doc);
    assert!(model.contains("format:\n  version: 1.0.0\n"), "{model}");
    let bind = ClipEdit::SetBinding { binding: Some("x.rig".to_owned()) };
    assert!(edit(&mut editor, doc, bind).is_err());
    edit(&mut editor, doc, kind(ClipKind::Rig)).unwrap();
    assert_eq!(text(&editor, doc), CLIP);
    assert!(!editor.is_dirty(doc));
    let legacy = format!("version: 2\n{CLIP}");
    let (mut editor, doc) = open_clip(&legacy);
    edit(&mut editor, doc, kind(ClipKind::Model)).unwrap();
    assert!(text(&editor, doc).starts_with("version: 1\n"));
    edit(&mut editor, doc, ClipEdit::SetForm { form: ClipForm::Format }).unwrap();
    assert!(text(&editor, doc).contains("format:\n  version: 1.0.0\n"));
}

#[test]
fn a_binding_may_be_taken_away_and_the_loop_turned_off() {
    let (mut editor, doc) = open_clip(CLIP);
    edit(&mut editor, doc, ClipEdit::SetBinding { binding: None }).unwrap();
    edit(&mut editor, doc, ClipEdit::SetLoop { looping: false }).unwrap();
    edit(&mut editor, doc, ClipEdit::SetModel { model: "yes: no".to_owned() }).unwrap();
    let now = text(&editor, doc);
    assert!(now.starts_with("model: \"yes: no\"\nduration: 4\nloop: false\n"), "{now}");
    assert_eq!(edit(&mut editor, doc, ClipEdit::SetLoop { looping: false }).unwrap(), "");
}

#[test]
fn a_key_that_is_gone_is_refused() {
    let (mut editor, doc) = open_clip(CLIP);
    let gone = key(&editor, doc, 0, 0);
    edit(&mut editor, doc, ClipEdit::DeleteKeys { keys: vec![gone] }).unwrap();
    let before = text(&editor, doc);
    let stale = ClipEdit::MoveKeys { keys: vec![gone], delta_secs: 1.0, snap: None };
    assert!(edit(&mut editor, doc, stale).is_err());
    assert_eq!(text(&editor, doc), before);
}
