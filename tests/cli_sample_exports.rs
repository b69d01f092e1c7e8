//! `posewright sample` on exports, as it is called by scripts.
#![allow(clippy::unwrap_used)] // A test stops where something is not as it should be.

mod common;

use common::takes::{canonical, key, peg, text};
use serde_json::{Value, json};
use std::path::Path;
use std::process::{Command, Output};

struct Folder(tempfile::TempDir);

impl Folder {
    fn new(files: &[(&str, String)]) -> Self {
        let folder = Folder(tempfile::tempdir().unwrap());
        for (name, text) in files {
            std::fs::write(folder.0.path().join(name), text).unwrap();
        }
        folder
    }

    fn sample(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_posewright"));
        command.current_dir(self.0.path()).arg("sample").args(arguments).output().unwrap()
    }

    /// The answer in JSON, and what was said beside it.
    fn json(&self, arguments: &[&str]) -> (Value, String) {
        let output = self.sample(&[arguments, &["--format", "json"]].concat());
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{words}");
        (serde_json::from_slice(&output.stdout).unwrap(), words)
    }

    fn refused(&self, arguments: &[&str], code: i32, words: &[&str]) {
        let output = self.sample(arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
        assert!(output.stdout.is_empty(), "an answer besides the refusal");
        assert!(words.iter().all(|word| said.contains(word)), "{arguments:?}: {said}");
    }
}

/// A hip that turns and a thigh that hangs on it.
fn legs(thigh_y: f64) -> String {
    let mut pegs = [
        peg(
            "hip",
            vec![
                key(
                    1.0,
                    json!({"pos": [0, 1, 0], "rot": [0, 0, 0], "scl": [1, 1, 1], "interp": "LINEAR"}),
                ),
                key(25.0, json!({"pos": [0, 1, 0], "rot": [0, 0, 90], "scl": [1, 1, 1]})),
            ],
        ),
        peg(
            "thigh",
            vec![
                key(
                    1.0,
                    json!({"pos": [0, thigh_y, 0], "rot": [0, 0, 0], "rot_quat": [1, 0, 0, 0], "scl": [1, 1, 1]}),
                ),
                key(
                    25.0,
                    json!({"pos": [0, thigh_y, 0], "rot": [0, 0, 0], "rot_quat": [1, 0, 0, 0], "scl": [1, 1, 1]}),
                ),
            ],
        ),
    ];
    pegs[0]["rest_pivot"] = json!([0, 1, 0]);
    pegs[1]["rest_pivot"] = json!([0, -0.5, 0]);
    pegs[1]["parent"] = json!("hip");
    text(&pegs)
}

fn near(value: &Value, want: &[f64]) -> bool {
    let numbers = value.as_array().unwrap();
    numbers.len() == want.len()
        && numbers.iter().zip(want).all(|(n, w)| (n.as_f64().unwrap() - w).abs() < 1e-9)
}

#[test]
fn a_take_answers_with_raw_local_and_world() {
    let folder = Folder::new(&[("a.anm", legs(-0.5))]);
    let (answer, words) = folder.json(&["a.anm", "--frame", "25,13,-4"]);
    assert!(
        words.contains("space local, measured: local 0.000000, delta 0.500000, world"),
        "{words}"
    );
    let first = &answer[0];
    assert_eq!((&first["frame"], &first["time"]), (&json!(25.0), &json!(1.0)));
    let hip = &first["parts"]["hip"];
    assert_eq!(
        hip["raw"],
        json!({"pos": [0.0, 1.0, 0.0], "rot": [0.0, 0.0, 90.0], "scl": [1.0, 1.0, 1.0]})
    );
    let thigh = &first["parts"]["thigh"];
    assert_eq!(thigh["raw"]["rot"], Value::Null, "quaternions rule");
    assert!(near(&thigh["raw"]["rot_quat"], &[1.0, 0.0, 0.0, 0.0]));
    assert!(near(&thigh["local"]["position"], &[0.0, -0.5, 0.0]));
    assert!(near(&thigh["world"]["position"], &[0.5, 1.0, 0.0]), "{thigh}");
    assert!(near(&answer[1]["parts"]["hip"]["raw"]["rot"], &[0.0, 0.0, 45.0]));
    // A frame is what it is, before the range too.
    assert_eq!(answer[2]["frame"], json!(-4.0));
    assert!(near(&answer[2]["parts"]["hip"]["raw"]["rot"], &[0.0, 0.0, 0.0]));
    // A time is held at both ends.
    let (answer, _) = folder.json(&["a.anm", "--time", "0.5,99,-3"]);
    let frames: Vec<&Value> = (0..3).map(|at| &answer[at]["frame"]).collect();
    assert_eq!(frames, [&json!(13.0), &json!(25.0), &json!(1.0)]);
    assert_eq!(answer[1]["time"], json!(1.0));
    // Half the weight is half-way from rest.
    let (answer, _) =
        folder.json(&["a.anm", "--frame", "25", "--weight", "0.5", "--space", "delta"]);
    assert!(near(&answer[0]["parts"]["thigh"]["local"]["position"], &[0.0, -0.75, 0.0]));
}

#[test]
fn the_space_may_be_given() {
    let folder = Folder::new(&[("a.anm", legs(-0.5))]);
    let world_y = |space: &str| {
        let (answer, words) = folder.json(&["a.anm", "--frame", "1", "--space", space]);
        assert_eq!(words, "", "nothing was measured");
        answer[0]["parts"]["thigh"]["world"]["position"][1].as_f64().unwrap()
    };
    let [local, delta, world] = ["local", "delta", "world"].map(world_y);
    assert_eq!((local, delta, world), (0.5, 1.0, -0.5));
}

#[test]
fn text_says_the_same() {
    let folder = Folder::new(&[("a.anm", legs(-0.5))]);
    let output = folder.sample(&["a.anm", "--frame", "12.5"]);
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.starts_with("space local, measured: local 0.000000, delta 0.500000"), "{said}");
    assert!(said.contains("frame 12.5, time 0.479"), "{said}");
    assert!(
        said.contains("raw    pos 0.000000 1.000000 0.000000  rot 0.000000 0.000000 43.125000")
    );
    assert!(said.contains("rot_quat 1.000000 0.000000 0.000000 0.000000"), "{said}");
}

#[test]
fn clashing_names_stand_by_their_paths() {
    let key = || vec![key(1.0, json!({"pos": [0, 0, 0], "rot": [0, 0, 0]}))];
    let mut pegs = [peg("hip", key()), peg("hip", key()), peg("leg", key())];
    pegs[0]["path"] = json!("Top/a/hip");
    pegs[1]["path"] = json!("Top/b/hip");
    pegs[2]["path"] = json!("Top/b/leg");
    let folder = Folder::new(&[("a.anm", text(&pegs))]);
    let (answer, _) = folder.json(&["a.anm", "--frame", "1"]);
    let names: Vec<&String> = answer[0]["parts"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["Top/a/hip", "Top/b/hip", "leg"]);
}

#[test]
fn a_skeleton_answers_at_rest() {
    let pvt = |scale: f64| {
        json!({"format": "octo_pvt", "version": 4, "scale_factor": scale, "fps": 24,
               "coordinate_system": canonical(), "bones": [
            {"name": "a", "pivot": [0, 2, 0], "rotation": [0, 0, 0, 1]},
            {"name": "b", "parent": "a", "pivot": [4, 0, 0]}]})
        .to_string()
    };
    let folder = Folder::new(&[("a.pvt", pvt(2.0)), ("b.pvt", pvt(0.0))]);
    for arguments in [&["a.pvt"][..], &["a.pvt", "--time", "3"], &["a.pvt", "--frame", "7"]] {
        let (answer, _) = folder.json(arguments);
        let b = &answer[0]["parts"]["b"];
        assert!(near(&b["local"]["position"], &[2.0, 0.0, 0.0]));
        assert!(near(&b["world"]["position"], &[-2.0, 1.0, 0.0]), "{b}");
        assert_eq!(b.get("raw"), None);
    }
    folder.refused(&["b.pvt", "--time", "0"], 1, &["scale_factor"]);
    folder.refused(&["a.pvt", "--time", "0", "--space", "local"], 2, &["--space"]);
}

#[test]
fn refusals_say_what_to_do() {
    let undecided = legs(-0.25);
    let broken = legs(0.0).replace("\"version\": 4", "\"version\": 3");
    let no_rate = legs(-0.5).replace("\"fps\": 24.0", "\"fps\": 0");
    let clip = "format:\n  version: 1.0.0\nmodel: R\nduration: 2\nloop: true\ntracks:\n  \
        - part: hand\n    property: position\n    interpolation: linear\n    keys:\n      \
        - time: 0\n        value: [0, 0, 0]\n";
    let folder = Folder::new(&[
        ("a.anm", legs(-0.5)),
        ("undecided.anm", undecided),
        ("broken.anm", broken),
        ("still.anm", no_rate),
        ("m.motion", clip.to_owned()),
    ]);
    folder.refused(
        &["undecided.anm", "--frame", "1"],
        2,
        &[
            "local 0.250000, delta 0.250000, world",
            "--space local or --space delta or --space world",
        ],
    );
    folder.refused(&["broken.anm", "--frame", "1"], 1, &["unsupported version 3", "re-export"]);
    folder.refused(&["a.anm"], 2, &["--frame"]);
    folder.refused(&["a.anm", "--frame", "x"], 2, &["not a finite number"]);
    folder.refused(&["a.anm", "--frame", "1", "--time", "1"], 2, &["--time"]);
    folder.refused(&["a.anm", "--frame", "1", "--rig", "a.rig"], 2, &["--rig"]);
    folder.refused(&["a.anm", "--frame", "1", "--space", "moon"], 2, &["local", "delta", "world"]);
    folder.refused(&["still.anm", "--time", "1"], 2, &["--frame"]);
    folder.refused(&["m.motion", "--frame", "1"], 2, &["--time"]);
    folder.refused(&["m.motion", "--time", "1", "--space", "local"], 2, &["--space"]);
    let (answer, _) = folder.json(&["still.anm", "--frame", "25"]);
    assert_eq!(answer[0]["time"], Value::Null);
}

#[test]
fn what_nobody_knows_of_the_axes_is_said() {
    let unknown = legs(-0.5).replace("\"up\": \"y\"", "\"up\": \"x\"");
    let z_up = legs(-0.5).replace("\"up\": \"y\"", "\"up\": \"z\"");
    let folder = Folder::new(&[("x.anm", unknown), ("z.anm", z_up)]);
    let (_, words) = folder.json(&["x.anm", "--frame", "1"]);
    assert!(words.contains("`coordinate_system.up` is \"x\""), "{words}");
    let (answer, words) = folder.json(&["z.anm", "--frame", "1"]);
    assert!(!words.contains("coordinate_system"), "{words}");
    let hip = &answer[0]["parts"]["hip"];
    assert!(near(&hip["raw"]["pos"], &[0.0, 1.0, 0.0]), "as in the file");
    assert!(near(&hip["world"]["position"], &[0.0, 0.0, -1.0]), "Y up");
}

#[test]
fn the_baked_skeleton_answers() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/anm");
    let folder = Folder::new(&[]);
    let file = data.join("torso.anm");
    let (answer, words) = folder.json(&[file.to_str().unwrap(), "--frame", "1,2.5,24"]);
    assert!(words.contains("space local"), "{words}");
    let expected: Value =
        serde_json::from_str(&std::fs::read_to_string(data.join("torso.expected.json")).unwrap())
            .unwrap();
    for (at, frame) in [(0, "1"), (2, "24")] {
        for (name, part) in answer[at]["parts"].as_object().unwrap() {
            for axis in 0..3 {
                let got = part["world"]["position"][axis].as_f64().unwrap();
                let want = expected["frames"][frame][name][axis][3].as_f64().unwrap();
                assert!((got - want).abs() < 1e-5, "{name} at {frame}: {got}, not {want}");
            }
        }
    }
}
