//! The commands on exports, as a person runs them.
#![allow(clippy::unwrap_used)] // A test that cannot go on should stop.

mod program;

use program::run;
use serde_json::Value;
use std::path::Path;
use std::process::Output;

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn json(output: &Output) -> Value {
    serde_json::from_str(&stdout(output)).unwrap()
}

fn samples() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/anm")
}

fn sample(name: &str) -> String {
    std::fs::read_to_string(samples().join(name)).unwrap()
}

#[test]
fn info_says_what_is_in_an_export() {
    let content = json(&run(&samples(), &["info", "torso.anm", "--format", "json"]));
    assert_eq!(content["kind"], "anm");
    assert_eq!(content["version"], "4");
    assert_eq!(content["source"], "blender");
    assert_eq!(content["fps"], 30.0);
    assert_eq!(content["frame_range"], serde_json::json!([1.0, 24.0]));
    assert_eq!((&content["pegs"], &content["cameras"]), (&14.into(), &0.into()));
    assert_eq!(content["keys"], 14 * 24);
    assert_eq!(content["parts"][0], "spine");
    assert_eq!(content["unknown_fields"], serde_json::json!([]));
    let content = json(&run(&samples(), &["info", "torso.local.pvt", "--format", "json"]));
    assert_eq!((&content["kind"], &content["nodes"]), (&"pvt".into(), &14.into()));
    assert_eq!(content["model"], "torso");
    let text = stdout(&run(&samples(), &["info", "torso.anm"]));
    assert!(text.contains("range     1 to 24, 0.767 s"), "{text}");
    let folder = tempfile::tempdir().unwrap();
    let odd = sample("fcurves.anm")
        .replacen("\"frame\": 17,", "\"frame\": 17, \"mood\": {},", 1)
        .replacen("\"pos\": [\n", "\"twist\": 1, \"pos\": [\n", 1)
        .replacen("\"name\":", "\"tag\": 1, \"name\":", 1)
        .replacen("\"up\":", "\"down\": \"z\", \"up\":", 1);
    std::fs::write(folder.path().join("odd.txt"), odd).unwrap();
    let content = json(&run(folder.path(), &["info", "odd.txt", "--format", "json"]));
    assert_eq!(content["kind"], "anm");
    let unknown = serde_json::json!([
        "coordinate_system.down",
        "pegs[].tag",
        "pegs[].keyframes[].mood",
        "pegs[].keyframes[].handles.twist"
    ]);
    assert_eq!(content["unknown_fields"], unknown);
}

#[test]
fn check_names_peg_and_frame() {
    let folder = tempfile::tempdir().unwrap();
    let text = sample("torso.anm").replacen("[109.817762, ", "[139.817762, ", 1);
    std::fs::write(folder.path().join("a.anm"), &text).unwrap();
    let output = run(folder.path(), &["check", "a.anm", "--format", "json"]);
    assert_eq!(output.status.code(), Some(1));
    let problem = &json(&output)[0]["problems"][0];
    assert_eq!(problem["code"], "rotations-far-apart");
    assert_eq!((&problem["peg"], &problem["frame"]), (&"spine".into(), &2.0.into()));
    assert_eq!(problem["path"], "pegs[0].keyframes[1].rot");
    let line = text.lines().position(|line| line.contains("139.817762")).unwrap() + 1;
    assert_eq!(problem["line"], line);
    let text = stdout(&run(folder.path(), &["check", "a.anm"]));
    let head = format!("a.anm:{line}:18: error[rotations-far-apart]: spine, frame 2: `rot` and");
    assert!(text.starts_with(&head), "{text}");
}

#[test]
fn check_of_a_folder_is_a_line_a_file_the_worst_first() {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let good = sample("torso.anm");
    put("a-good.anm", &good);
    put("b-old.anm", &good.replacen("\"version\": 4", "\"version\": 3", 1));
    put(
        "c-zero.anm",
        &good.replace("\"rot_quat\": [0.5", "\"rot_quat\": [0, 0, 0, 0], \"x\": [0.5"),
    );
    put("d-broken.anm", &good[..good.len() / 2]);
    put("f.json", "{\"name\": \"no export\"}");
    put("g.json", &good);
    put("e.rig", "name: R\nnodes:\n  - id: n\n    kind: joint\n");
    let output = run(folder.path(), &["check", "."]);
    assert_eq!(output.status.code(), Some(1));
    let text = stdout(&output);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 7, "{text}");
    assert!(lines[0].starts_with("./c-zero.anm: ") && lines[0].contains("errors"), "{text}");
    assert_eq!(
        lines[1],
        "./b-old.anm: 1 error; line 3: unsupported version 3 (this build writes/reads v4; no \
         backward migration — re-export from the source DCC)"
    );
    assert!(lines[2].starts_with("./d-broken.anm: 1 error; line "), "{text}");
    assert!(lines[3].starts_with("./a-good.anm: "), "{text}");
    assert!(lines[4].starts_with("./g.json: "), "{text}");
    assert_eq!(lines[5], "./e.rig: fine");
    assert!(lines[6].starts_with("6 files checked: "));
}

#[test]
fn resave_gives_the_same_bytes_of_anything() {
    let folder = tempfile::tempdir().unwrap();
    let torso = sample("torso.anm");
    let texts = [
        torso.clone(),
        torso.replace('\n', "\r\n"),
        torso.split_whitespace().collect(),
        format!("\u{feff}{torso}"),
        torso.trim_end().to_owned(),
        torso.replace("1.0,", "1.00E+0 ,").replace("  ", "\t"),
        sample("torso.armature.pvt"),
        sample("fcurves.anm"),
        torso.replacen("\"version\": 4", "\"version\": 3", 1),
        torso[..5_000].to_owned(),
    ];
    for text in texts {
        std::fs::write(folder.path().join("a.anm"), &text).unwrap();
        let output = run(folder.path(), &["resave", "a.anm", "--out", "b.anm"]);
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(std::fs::read_to_string(folder.path().join("b.anm")).unwrap(), text);
    }
}

#[test]
fn edit_changes_what_it_is_told_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let torso = sample("torso.anm");
    let edited = |operations: &[&str]| {
        std::fs::write(folder.path().join("a.anm"), &torso).unwrap();
        let output = run(folder.path(), &[&["edit", "a.anm"], operations].concat());
        let error = String::from_utf8(output.stderr).unwrap();
        let text = std::fs::read_to_string(folder.path().join("a.anm")).unwrap();
        (output.status.code().unwrap(), text, error)
    };
    let key = "          \"pos\": [0.024398, 1.051652, -0.029656],\n";
    let (code, text, error) = edited(&["--set", "pegs[0].keyframes[1].pos=[0.024398, 2.0, -1e-2]"]);
    assert_eq!(code, 0, "{error}");
    assert_eq!(text, torso.replacen(key, &key.replace("1.051652, -0.029656", "2, -0.01"), 1));
    let (code, text, _) = edited(&["--set", "pegs[0].keyframes[0].interp=LINEAR"]);
    assert_eq!((code, text), (0, torso.replacen("BEZIER", "LINEAR", 1)));
    let (code, text, _) = edited(&["--set", "pegs[0].keyframes[0].note={\"by\": [1, null]}"]);
    let more = "\"interp\": \"BEZIER\",\n          \"note\": {\"by\": [1, null]}\n";
    assert_eq!((code, text), (0, torso.replacen("\"interp\": \"BEZIER\"\n", more, 1)));
    let (code, text, _) = edited(&["--set", "source=hip \"x\""]);
    let expected = torso.replacen("\"source\": \"blender\"", "\"source\": \"hip \\\"x\\\"\"", 1);
    assert_eq!((code, text), (0, expected));
    let (code, text, _) = edited(&["--delete", "pegs[0].keyframes[1]"]);
    let start = torso.find("        {\n          \"frame\": 2,").unwrap();
    let end = torso.find("        {\n          \"frame\": 3,").unwrap();
    assert_eq!((code, text), (0, format!("{}{}", &torso[..start], &torso[end..])));
    let (code, text, _) = edited(&["--duplicate", "pegs[0].keyframes[1]"]);
    assert_eq!((code, text.len()), (0, torso.len() + (end - start)));
    for (operation, word) in [
        ("version=3", "unsupported version 3"),
        ("pegs[0].keyframes[0].frame=x", "no value"),
        ("pegs[0].keyframes[0].pos=[1, 2", "no value"),
        ("pegs[0].keyframes[99].frame=1", "nothing at"),
    ] {
        let (code, text, error) = edited(&["--set", operation]);
        assert_eq!((code, &text), (2, &torso), "{operation}");
        assert!(error.contains(word), "{operation}: {error}");
    }
}

/// The keys of one peg, written in one line each.
fn peg(keys: &[&str]) -> String {
    format!(
        "{{\n  \"format\": \"octo_anm\", \"version\": 4, \"fps\": 24.0, \"frame_range\": [1, 60],\n  \
         \"coordinate_system\": {{\"up\": \"y\", \"hand\": \"right\", \"unit\": \"meters\", \
         \"rot_order\": \"xyz\", \"rot_repr_anim\": \"euler_deg\", \"rot_repr_rest\": \
         \"quat_wxyz\"}},\n  \"pegs\": [{{\"name\": \"a\", \"keyframes\": [\n{}\n  ]}}]\n}}\n",
        keys.join(",\n")
    )
}

/// Keys are edited as the window edits them: both spellings of a rotation go together, a key goes
/// to its place, and onto another key it does not go.
#[test]
fn keys_are_edited_as_in_the_window() {
    let folder = tempfile::tempdir().unwrap();
    let quat = "\"rot_quat\": [1.0, 0.0, 0.0, 0.0]";
    // A value that no edit would make is no reason to refuse another.
    let both =
        format!("{{\"frame\": 1, \"pos\": [0.0, 2000000, 0.0], \"rot\": [0.0, 0.0, 0.0], {quat}}}");
    let only_rot = "{\"frame\": 24, \"pos\": [0, 0, 0], \"rot\": [0.0, 0.0, 90.0]}";
    let only_quat = format!("{{\"frame\": 60, \"pos\": [0, 0, 0], {quat}}}");
    let text = peg(&[&both, only_rot, &only_quat]);
    let edit = |set: &str| {
        std::fs::write(folder.path().join("a.anm"), &text).unwrap();
        let output = run(folder.path(), &["edit", "a.anm", "--set", set]);
        let now = std::fs::read_to_string(folder.path().join("a.anm")).unwrap();
        (output.status.code(), now)
    };
    let key = "pegs[0].keyframes";
    let (code, now) = edit(&format!("{key}[0].rot=[0, 0, 180]"));
    assert_eq!(code, Some(0));
    assert!(now.contains("\"rot\": [0.0, 0.0, 180]") || now.contains("180.0]"), "{now}");
    assert!(!now.contains("180], \"rot_quat\": [1.0, 0.0, 0.0, 0.0]"), "{now}");
    let (_, now) = edit(&format!("{key}[2].rot=[0, 0, 180]"));
    assert!(now.lines().nth(5).is_some_and(|line| !line.contains(quat)), "{now}");
    let (_, now) = edit(&format!("{key}[1].rot_quat=[1, 0, 0, 0]"));
    assert!(!now.contains("90.0]"), "its angles say so: {now}");
    let (_, now) = edit(&format!("{key}[0].rot_quat=[0.707107, 0, 0, 0.707107]"));
    assert!(now.contains("[0.707107, 0.0, 0.0, 0.707107]"), "as it was given: {now}");
    let (code, now) = edit(&format!("{key}[0].frame=30"));
    assert_eq!(code, Some(0));
    let frames: Vec<&str> = now.lines().filter_map(|l| l.split("\"frame\": ").nth(1)).collect();
    assert!(frames[0].starts_with("24") && frames[1].starts_with("30"), "{now}");
    let (code, now) = edit(&format!("{key}[1].frame=1"));
    assert_eq!(code, Some(2), "there is a key");
    assert_eq!(now, text);
}
