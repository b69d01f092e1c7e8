//! Reading exports: what refuses them (A1, A1b), what is only said, and what comes out.
#![allow(clippy::unwrap_used)] // A test that cannot go on should stop.

use posewright::diagnostic::{Problem, Severity};
use posewright::format::{FileKind, read_export, read_skeleton, read_take, strict};
use posewright::io::{Loaded, check_text, open_text};
use posewright::model::Uids;
use posewright::model::take::{Interp, Term, UpAxis};
use posewright::progress::Progress;
use std::path::Path;

const TAKE: &str = r#"{
  "format": "octo_anm",
  "version": 4,
  "source": "maya",
  "frame_range": [1, 60],
  "fps": 24.0,
  "coordinate_system": {
    "up": "y", "hand": "right", "unit": "meters",
    "rot_order": "xyz", "rot_repr_anim": "euler_deg", "rot_repr_rest": "quat_wxyz"
  },
  "pegs": [
    {
      "name": "hip-P",
      "path": "Top/spaceship/hip-P",
      "parent": "root",
      "rest_pivot": [0.0, 0.5, 0.0],
      "rest_rotation": [1.0, 0.0, 0.0, 0.0],
      "rig": "spaceship",
      "is_camera": false,
      "source_modes": {"position": "separate", "rotation": "euler", "enable_3d": true},
      "keyframes": [
        {
          "frame": 1, "pos": [0.0, 0.0, 0.0], "rot": [0.0, 0.0, 90], "rot_quat": [1, 0, 0, 0],
          "scl": [1.0, 1.0, 1.0], "interp": "BEZIER",
          "handles": {
            "pos": [[[0, 1], [2, 3]], null, [[-1.5, 0], [2.5, 1e1]]], "rot": [], "scl": []
          }
        },
        {"frame": 12.5, "pos": [0.1, 0.0, 0.0], "interp": "CONSTANT"}
      ]
    }
  ],
  "cameras": [{"name": "cam", "peg": "hip-P", "fov": 30, "offset_z": 12.0, "pivot_x": 0.25}]
}
"#;

fn take_with(from: &str, to: &str) -> String {
    assert!(TAKE.contains(from), "{from}");
    TAKE.replacen(from, to, 1)
}

fn problems(text: &str) -> Vec<Problem> {
    read_take(text.to_owned(), &mut Uids::default()).problems
}

#[test]
fn everything_of_a_take_is_there() {
    let take = strict(read_take(TAKE.to_owned(), &mut Uids::default())).unwrap();
    assert_eq!(take.header.source.as_deref(), Some("maya"));
    assert_eq!((take.fps(), take.frame_range()), (24.0, [1.0, 60.0]));
    let system = take.header.coordinate_system.clone().unwrap();
    assert_eq!(system.up, Term { written: Some("y".into()), known: Some(UpAxis::Y) });
    assert_eq!(system.known(), [true; 6]);
    let peg = &take.pegs[0];
    assert_eq!((peg.name.as_str(), peg.parent()), ("hip-P", Some("root")));
    assert_eq!(peg.rest_pivot().to_array(), [0.0, 0.5, 0.0]);
    assert_eq!(peg.source_modes.as_ref().unwrap().len(), 3);
    let [first, second] = &peg.keyframes[..] else { panic!() };
    assert_eq!(first.rot.unwrap().z, 90.0);
    assert_eq!(first.rot_quat, Some([1.0, 0.0, 0.0, 0.0]));
    let handles = first.handles.as_ref().unwrap();
    let pos = handles.pos.unwrap();
    assert_eq!(pos[0].unwrap().right.to_array(), [2.0, 3.0]);
    assert_eq!(pos[1], None);
    assert_eq!(pos[2].unwrap().left.to_array(), [-1.5, 0.0]);
    assert_eq!((handles.rot, handles.scl), (None, None));
    assert_eq!((second.frame, second.interp), (12.5, Some(Interp::Constant)));
    assert_eq!((second.rot, second.rot_quat, second.scl), (None, None, None));
    let camera = &take.cameras[0];
    assert_eq!((camera.offset.z, camera.pivot.x, camera.fov), (12.0, 0.25, Some(30.0)));
    assert!(problems(TAKE).is_empty(), "{:?}", problems(TAKE));
    // Small enough for big takes.
    assert!(size_of_val(first) <= 176, "{}", size_of_val(first));
}

#[test]
fn what_refuses_a_take_is_the_first_error() {
    let version = |n: &str| {
        format!(
            "unsupported version {n} (this build writes/reads v4; no backward migration — \
             re-export from the source DCC)"
        )
    };
    let cases = [
        ("\"version\": 4", "\"version\": 3", version("3"), 3, "version"),
        ("\"version\": 4", "\"version\": 5", version("5"), 3, "version"),
        ("\"version\": 4", "\"version\": 4.5", version("4.5"), 3, "version"),
        ("\"version\": 4", "\"version\": \"4\"", version("\"4\""), 3, "version"),
        ("  \"version\": 4,\n", "", "`version` is missing".into(), 1, "version"),
        ("octo_anm", "octo_xyz", "`format` is \"octo_xyz\"".into(), 2, "format"),
        ("  \"format\": \"octo_anm\",\n", "", "`format` is missing".into(), 1, "format"),
        ("\"pegs\"", "\"begs\"", "`pegs` is missing".into(), 1, "pegs"),
        ("\"name\": \"hip-P\"", "\"nam\": 1", "A peg has no `name`".into(), 12, "pegs[0].name"),
        ("\"name\": \"hip-P\"", "\"name\": 7", "`name` must be text".into(), 13, "pegs[0].name"),
        (
            "{\"frame\": 12.5, ",
            "{",
            "A key has no `frame`".into(),
            29,
            "pegs[0].keyframes[1].frame",
        ),
        (
            "\"frame\": 12.5",
            "\"frame\": \"x\"",
            "`frame` must be a number".into(),
            29,
            "pegs[0].keyframes[1].frame",
        ),
        ("12.5", "1e999", "a number too large for a double".into(), 29, ""),
    ];
    for (from, to, message, line, path) in cases {
        let text = take_with(from, to);
        let reading = read_take(text.clone(), &mut Uids::default());
        assert!(reading.value.is_none(), "{to}");
        let error = strict(reading).unwrap_err();
        assert!(error.message.contains(&message), "{to}: {}", error.message);
        assert_eq!(error.path, path, "{to}");
        assert_eq!(error.position.unwrap().line, line, "{to}: {error:?}");
        let opened = open_text(Path::new("a.anm"), text.clone());
        assert!(opened.document.is_none() && opened.text() == text);
    }
    // Of another version nothing else is said: its numbers mean something else.
    assert_eq!(problems(&take_with("\"version\": 4", "\"version\": 3")).len(), 1);
    assert_eq!(
        strict(read_take("[]".to_owned(), &mut Uids::default())).unwrap_err().code,
        "export-format"
    );
}

#[test]
fn the_format_in_the_file_decides_not_the_extension() {
    for name in ["a.anm", "a.pvt", "a.json", "a.motion", "a.rig", "a.yaml", "a"] {
        let opened = open_text(Path::new(name), TAKE.to_owned());
        assert_eq!(opened.kind, FileKind::Anm, "{name}");
        assert!(matches!(opened.document, Some(Loaded::Take(_))), "{name}");
    }
    let opened = open_text(Path::new("a.anm"), "{\"a\": }".to_owned());
    assert_eq!((opened.kind, opened.problems.len()), (FileKind::Anm, 1));
    let opened = open_text(Path::new("a.json"), "{\"a\": 1}".to_owned());
    assert_eq!(opened.kind, FileKind::Unknown);
}

#[test]
fn odd_shapes_are_said_and_the_take_opens() {
    let cases = [
        ("\"fps\": 24.0", "\"fps\": \"24\"", "wrong-value", "fps", None),
        ("[1, 60]", "[1]", "wrong-value", "frame_range", None),
        ("[0.0, 0.5, 0.0]", "[0, 0.5]", "wrong-value", "pegs[0].rest_pivot", None),
        (
            "[0.1, 0.0, 0.0]",
            "[0.1, 0, 0, 0]",
            "wrong-value",
            "pegs[0].keyframes[1].pos",
            Some(12.5),
        ),
        ("[1, 0, 0, 0]", "[1, 0, 0]", "wrong-value", "pegs[0].keyframes[0].rot_quat", Some(1.0)),
        ("\"CONSTANT\"", "7", "wrong-field", "pegs[0].keyframes[1].interp", Some(12.5)),
        ("\"is_camera\": false", "\"is_camera\": 0", "wrong-field", "pegs[0].is_camera", None),
        ("[2, 3]", "[2]", "handle-shape", "pegs[0].keyframes[0].handles.pos", Some(1.0)),
        (
            "\"rot\": [], ",
            "\"rot\": {}, ",
            "handle-shape",
            "pegs[0].keyframes[0].handles.rot",
            Some(1.0),
        ),
        (
            "\"scl\": []",
            "\"scl\": [null]",
            "handle-shape",
            "pegs[0].keyframes[0].handles.scl",
            Some(1.0),
        ),
        (
            "{\"frame\": 12.5,",
            "{\"frame\": 12.5, \"pos\": [9, 9, 9],",
            "repeated-field",
            "pegs[0].keyframes[1].pos",
            Some(12.5),
        ),
        (
            "\"rig\": \"spaceship\"",
            "\"rig\": \"s\", \"rig\": \"t\"",
            "repeated-field",
            "pegs[0].rig",
            None,
        ),
        (
            "{\"frame\": 12.5,",
            "{\"frame\": 12.5, \"mood\": 1,",
            "unknown-field",
            "pegs[0].keyframes",
            None,
        ),
        ("\"fov\": 30", "\"fov\": 30, \"lens\": 1", "unknown-field", "cameras[0].lens", None),
    ];
    for (from, to, code, path, frame) in cases {
        let text = take_with(from, to);
        let reading = read_take(text.clone(), &mut Uids::default());
        assert!(reading.value.is_some(), "{to}: {:?}", reading.problems);
        let [problem] = &reading.problems[..] else { panic!("{to}: {:?}", reading.problems) };
        assert_eq!((problem.code, problem.path.as_str()), (code, path), "{to}");
        assert!(problem.position.is_some());
        assert_eq!(problem.subject.as_ref().and_then(|s| s.frame), frame, "{to}");
        if frame.is_some() {
            assert_eq!(problem.subject.as_ref().unwrap().peg, "hip-P");
        }
    }
    // The last one of two counts.
    let text =
        take_with("{\"frame\": 12.5,", "{\"pos\": [9, 9, 9], \"frame\": 2, \"frame\": 12.5,");
    let take = read_take(text, &mut Uids::default()).value.unwrap();
    let key = &take.pegs[0].keyframes[1];
    assert_eq!((key.frame, key.pos.unwrap().x), (12.5, 0.1));
}

#[test]
fn a_mark_at_the_start_stays_and_counts_for_nothing() {
    let text = format!("\u{feff}{}", take_with("\"version\": 4", "\"version\": 3"));
    let error = strict(read_take(text, &mut Uids::default())).unwrap_err();
    assert_eq!(error.position.map(|at| (at.line, at.column)), Some((3, 14)));
    let reading = read_take(format!("\u{feff}{TAKE}"), &mut Uids::default());
    let origin = reading.value.unwrap().origin.unwrap();
    assert!(origin.source.text().starts_with('\u{feff}'));
}

#[test]
fn skeletons_are_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/anm");
    let text = std::fs::read_to_string(folder.join("torso.local.pvt")).unwrap();
    let skeleton = strict(read_skeleton(text.clone(), &mut Uids::default())).unwrap();
    assert_eq!((skeleton.scale_factor(), skeleton.bones.len()), (2.5, 14));
    assert_eq!(skeleton.name.as_deref(), Some("torso"));
    assert_eq!(skeleton.bones[1].parent(), Some("spine"));
    assert_eq!(skeleton.parents()[1].index(), Some(0));
    let text = text.replacen("\"bones\"", "\"ones\"", 1);
    let error = strict(read_skeleton(text, &mut Uids::default())).unwrap_err();
    assert_eq!(error.message, "`bones` is missing");
}

#[test]
fn cancelling_stops_the_reading() {
    let progress = Progress::new();
    progress.cancel();
    assert!(read_export(TAKE.to_owned(), FileKind::Anm, &mut Uids::default(), &progress).is_err());
    let progress = Progress::new();
    assert!(read_export(TAKE.to_owned(), FileKind::Anm, &mut Uids::default(), &progress).is_ok());
    assert!(progress.fraction() > 0.0);
}

#[test]
fn the_samples_have_no_errors() {
    for name in ["fcurves.anm", "torso.anm", "torso.local.pvt", "torso.armature.pvt"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/anm");
        let text = std::fs::read_to_string(folder.join(name)).unwrap();
        let checked = check_text(Path::new(name), text, None);
        let errors: Vec<&Problem> =
            checked.opened.problems.iter().filter(|p| p.severity == Severity::Error).collect();
        assert!(errors.is_empty(), "{name}: {errors:#?}");
    }
}

/// Large enough for several threads.
fn large(spoil: impl Fn(usize, usize) -> &'static str) -> String {
    let mut text = "{\"format\": \"octo_anm\", \"version\": 4, \"pegs\": [".to_owned();
    for p in 0..40 {
        let comma = if p > 0 { "," } else { "" };
        text += &format!("{comma}\n{{\"name\": \"p{p}\", \"note\": \"]\\\"[\", \"keyframes\": [");
        for k in 0..300 {
            let comma = if k > 0 { "," } else { "" };
            text += &format!(
                "{comma}\n  {{\"frame\": {k}, \"pos\": [{p}.5, {k}.25, 1.123456789012345]{}, \
                 \"interp\": \"LINEAR\", \"rot_quat\": [1.0, 0.0, 0.0, 0.0], \"x\": \"}}]\"}}",
                spoil(p, k)
            );
        }
        text += "]}";
    }
    text + "]}"
}

#[test]
fn lists_that_other_threads_read_stand_in_their_places() {
    let text = large(|_, _| "");
    assert!(text.len() > 1 << 20);
    let take = read_take(text.clone(), &mut Uids::default()).value.unwrap();
    let source = &take.origin.as_ref().unwrap().source;
    let mut uids = std::collections::HashSet::new();
    for (p, peg) in take.pegs.iter().enumerate() {
        assert_eq!(peg.keyframes.len(), 300);
        let list = source.get(peg.origin.as_ref().unwrap().node, "keyframes").unwrap();
        assert_eq!(source.items(list).count(), 300);
        for (k, key) in peg.keyframes.iter().enumerate() {
            let pos = key.pos.unwrap();
            assert_eq!((key.frame, pos.x, pos.y), (k as f64, p as f64 + 0.5, k as f64 + 0.25));
            assert!(uids.insert(key.uid));
            let node = key.origin.as_ref().unwrap().node;
            assert!(source.is_leaf(node));
            assert_eq!(source.path(node), format!("pegs[{p}].keyframes[{k}]"));
            assert!(source.raw(node).starts_with(&format!("{{\"frame\": {k},")));
            assert_eq!(source.fields_of(node).len(), 5);
        }
    }
}

#[test]
fn of_several_errors_the_first_in_the_text_is_said() {
    let text = large(|p, k| match (p, k) {
        (30, 7) => ", 1",
        (5, 200) => ", \"a\": 01",
        (31, 0) => ", \"a\": [}",
        _ => "",
    });
    let error = read_take(text.clone(), &mut Uids::default()).problems.remove(0);
    assert_eq!(error.message, "`01` is no value in JSON");
    assert_eq!(error.span.unwrap().start, text.find(": 01").unwrap() + 2);
    // Brackets that do not match lead the eye astray, not the error.
    let text = large(|p, k| if (p, k) == (2, 3) { ", \"a\": [}" } else { "" });
    let error = read_take(text.clone(), &mut Uids::default()).problems.remove(0);
    assert_eq!(error.span.unwrap().start, text.find("[}").unwrap() + 1);
    let text = large(|p, k| if (p, k) == (2, 3) { "]" } else { "" });
    let error = read_take(text.clone(), &mut Uids::default()).problems.remove(0);
    assert_eq!(error.span.unwrap().start, text.find("]]").unwrap() + 1);
}
