//! The program from outside: what it prints, what it writes, how it exits.
#![allow(clippy::unwrap_used)] // A test that cannot go on should stop.

mod program;

use program::run;
use std::process::Output;

const RIG: &str = "name: R\nnodes:\n  - id: n\n    kind: joint\n";

const CLIP: &str = "\
binding: a.rig
model: R
duration: 1
loop: false
tracks:
  - part: n
    property: position
    interpolation: linear
    keys:
      - time: 0
        value: [0, 0, 0]
";

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn json(output: &Output) -> serde_json::Value {
    serde_json::from_str(&stdout(output)).unwrap()
}

fn project() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.rig"), RIG).unwrap();
    std::fs::write(folder.path().join("a.motion"), CLIP).unwrap();
    folder
}

#[test]
fn text_has_the_line_and_a_caret() {
    let folder = project();
    let clip = CLIP.replace("time: 0", "time: 7");
    std::fs::write(folder.path().join("a.motion"), clip).unwrap();
    let output = run(folder.path(), &["check", "a.motion"]);
    assert_eq!(output.status.code(), Some(1));
    let expected = "\
a.motion:10:15: error[key-times]: Key times must increase strictly within the clip duration
10 |       - time: 7
   |               ^
1 file checked: 1 error, 0 other remarks
";
    assert_eq!(stdout(&output), expected);
    assert_eq!(stderr(&output), "");
}

#[test]
fn a_broken_rig_is_one_error_of_the_clip_and_its_own() {
    let folder = project();
    std::fs::write(folder.path().join("a.rig"), RIG.replace("joint", "bone")).unwrap();
    let output = run(folder.path(), &["check", "a.motion", "--format", "json"]);
    assert_eq!(output.status.code(), Some(1));
    let problems = json(&output)[0]["problems"].clone();
    assert_eq!(problems[0]["code"], "binding-broken");
    assert_eq!((&problems[0]["line"], &problems[0]["path"]), (&1.into(), &"binding".into()));
    assert_eq!(problems[0].get("file"), None);
    assert_eq!(problems[1]["code"], "node-kind");
    assert_eq!(problems[1]["file"], "a.rig");
    assert_eq!(problems[1]["line"], 4);
    assert_eq!(problems.as_array().unwrap().len(), 2);
    let text = stdout(&run(folder.path(), &["check", "a.motion"]));
    assert!(text.contains("\na.rig:4:11: error[node-kind]: Node kind must be"), "{text}");
    assert!(text.contains("4 |     kind: bone\n  |           ^^^^\n"), "{text}");
}

#[test]
fn folders_list_what_is_worth_checking_and_what_cannot_be_read_fails() {
    let folder = project();
    let at = |name: &str| folder.path().join(name);
    std::fs::create_dir_all(at("sub/.git")).unwrap();
    std::fs::write(at("sub/.git/x.motion"), "no clip").unwrap();
    std::fs::write(at("sub/b.motion"), CLIP).unwrap();
    std::fs::write(at("sub/shop.yaml"), "entities: [{id: a, kind: entity}]\n").unwrap();
    std::fs::write(at("sub/compose.yml"), "services: {}\n").unwrap();
    std::fs::write(at("sub/read.me"), "hello\n").unwrap();
    let output = run(folder.path(), &["check", ".", "--format", "json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    let listed = json(&output);
    let files: Vec<(&str, &str)> = listed
        .as_array()
        .unwrap()
        .iter()
        .map(|f| (f["file"].as_str().unwrap(), f["kind"].as_str().unwrap()))
        .collect();
    let expected = [
        ("./a.motion", "motion"),
        ("./a.rig", "rig"),
        ("./sub/b.motion", "motion"),
        ("./sub/shop.yaml", "scene"),
    ];
    assert_eq!(files, expected);
    let output = run(folder.path(), &["check", "none.motion", "a.rig", "--format", "json"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("none.motion"));
    assert_eq!(json(&output)[0]["file"], "a.rig");
    assert_eq!(json(&output).as_array().unwrap().len(), 1);
    let output = run(folder.path(), &["check", "a.rig", "--project", "none"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(run(folder.path(), &["check"]).status.code(), Some(2));
    assert_eq!(run(folder.path(), &["check", "a.rig", "--formal"]).status.code(), Some(2));
    assert_eq!(run(folder.path(), &[]).status.code(), Some(2));
}

#[test]
fn kinds_of_refused_files() {
    let folder = project();
    for (name, text, kind, code) in [
        ("x.motion", "a: [", "motion", "syntax"),
        ("x.rig", "- a", "rig", "syntax"),
        ("x.anm", "{\"format\": \"octo_anm\"}", "anm", "format-version"),
        ("x.pvt", "{", "pvt", "syntax"),
        ("x.txt", "a: 1", "unknown", "unsupported"),
        ("x.txt2", "{\"format\": \"octo_anm\"}", "anm", "format-version"),
    ] {
        std::fs::write(folder.path().join(name), text).unwrap();
        let output = run(folder.path(), &["check", name, "--format", "json"]);
        assert_eq!(output.status.code(), Some(1), "{name}");
        let file = &json(&output)[0];
        assert_eq!((&file["kind"], &file["ok"]), (&kind.into(), &false.into()), "{name}");
        assert_eq!(file["problems"][0]["code"], code, "{name}");
    }
}

#[test]
fn fix_mends_what_has_one_answer_and_says_so() {
    let folder = project();
    let at = |name: &str| folder.path().join(name);
    let clip = "\
binding: a.rig
model: R
duration: 1
loop: false
tracks:
  - part: n
    property: position
    interpolation: linear
    curve: [
      0, 0.5,
      1, 1]
    keys:
      # the last
      - time: 1 # beside
        value:
          - 0
          - 1
          - 2e0

      # stays

      - {time: 0, value: [0, 0, 0]}
      - time: 0.5
        value: [0, 0, 3]
        hint: a
      # goes with the doubled one
      - time: 0.5
        value: [0, 0, 3.0]";
    let mended = "\
binding: a.rig
model: R
duration: 1
loop: false
tracks:
  - part: n
    property: position
    interpolation: linear
    curve: [0, 0.5, 1, 1]
    keys:
      - {time: 0, value: [0, 0, 0]}

      # stays

      - time: 0.5
        value: [0, 0, 3]
        hint: a
      # the last
      - time: 1 # beside
        value: [0, 1, 2e0]";
    for (newline, mark) in [("\n", ""), ("\r\n", "\u{feff}")] {
        let spell = |text: &str| format!("{mark}{}", text.replace('\n', newline));
        std::fs::write(at("a.motion"), spell(clip)).unwrap();
        let output = run(folder.path(), &["check", "a.motion", "--fix"]);
        assert_eq!(std::fs::read_to_string(at("a.motion")).unwrap(), spell(mended));
        assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
        assert!(stderr(&output).contains("a.motion: 4 repairs made"), "{}", stderr(&output));
    }
    // What has two answers stays, and the file with it.
    for (from, to) in [
        ("time: 0", "time: 2"),
        ("[0, 0, 0]", "[0, 0, 0]\n      - time: 0\n        value: [1, 0, 0]"),
        ("[0, 0, 0]", "\n          - 0\n          - 0"),
        ("[0, 0, 0]", "\n          - 0\n          - 0 # why\n          - 1"),
    ] {
        let text = CLIP.replace(from, to);
        std::fs::write(at("a.motion"), &text).unwrap();
        let output = run(folder.path(), &["check", "a.motion", "--fix"]);
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert_eq!(std::fs::read_to_string(at("a.motion")).unwrap(), text);
        assert_eq!(stderr(&output), "");
    }
}

#[test]
fn fix_sorts_flow_lists_and_deletes_a_rigs_version() {
    let folder = project();
    let at = |name: &str| folder.path().join(name);
    let keys = |list: &str| {
        CLIP.replace("keys:\n      - time: 0\n        value: [0, 0, 0]", &format!("keys: {list}"))
    };
    let [a, b, c] = [
        "{time: 0, value: [0, 0, 0]}",
        "{value: [1, 0, 0], time: 0.5}",
        "{time: 1, value: [2, 0, 0], x: 1}",
    ];
    let motions = [
        (keys(&format!("[{c}, {a},  {b}]")), keys(&format!("[{a}, {b},  {c}]"))),
        (keys(&format!("[{a}, {a}, {b}]")), keys(&format!("[{a}, {b}]"))),
        (keys(&format!("[{a}, {b}, {b},]")), keys(&format!("[{a}, {b},]"))),
    ];
    for (before, after) in motions {
        std::fs::write(at("a.motion"), &before).unwrap();
        let output = run(folder.path(), &["check", "a.motion", "--fix"]);
        assert_eq!(std::fs::read_to_string(at("a.motion")).unwrap(), after);
        assert_eq!(output.status.code(), Some(0));
    }
    let rigs = [
        (format!("# top\nversion: 1 # old\n{RIG}"), format!("# top\n{RIG}")),
        (format!("\u{feff}version: 1\r\n{RIG}"), format!("\u{feff}{RIG}")),
        (format!("{RIG}version: 1"), RIG.to_owned()),
        (
            "{version: 1, name: R, nodes: [{id: n, kind: joint}]}\n".to_owned(),
            "{name: R, nodes: [{id: n, kind: joint}]}\n".to_owned(),
        ),
        (
            "{name: R, nodes: [{id: n, kind: joint}], version: 1}".to_owned(),
            "{name: R, nodes: [{id: n, kind: joint}]}".to_owned(),
        ),
    ];
    for (before, after) in rigs {
        std::fs::write(at("a.rig"), &before).unwrap();
        let output = run(folder.path(), &["check", "a.rig", "--fix"]);
        assert_eq!(std::fs::read_to_string(at("a.rig")).unwrap(), after);
        assert_eq!(output.status.code(), Some(0));
    }
}

#[test]
fn the_fix_in_json_is_in_bytes() {
    let folder = project();
    let text = format!("# é\nversion: 1\n{RIG}");
    std::fs::write(folder.path().join("a.rig"), &text).unwrap();
    let output = run(folder.path(), &["check", "a.rig", "--format", "json"]);
    let fix = json(&output)[0]["problems"][0]["fix"].clone();
    let expected = serde_json::json!({
        "title": "Delete the version line",
        "edits": [{"start": 5, "end": 16, "text": ""}],
    });
    assert_eq!(fix, expected);
}

#[test]
fn info_says_what_is_in_a_file() {
    let folder = project();
    let clip =
        format!("note: 1\n{CLIP}        ease: in\n    note: x\n").replace("model", "x: 2\nmodel");
    std::fs::write(folder.path().join("a.motion"), clip).unwrap();
    let output = run(folder.path(), &["info", "a.motion", "--format", "json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let expected = serde_json::json!({
        "file": "a.motion", "kind": "motion", "clip": "rig", "version": null, "source": null,
        "model": "R", "binding": "a.rig", "duration": 1.0, "loop": false, "frame_range": null,
        "fps": null, "tracks": 1, "keys": 1, "nodes": 1, "depth": 1, "pegs": 0, "cameras": 0,
        "parts": ["n"],
        "unknown_fields": ["note", "x", "tracks[].keys[].ease", "tracks[].note"],
    });
    assert_eq!(json(&output), expected);
    let text = stdout(&run(folder.path(), &["info", "a.motion"]));
    // Without a window, a file alone is shown the same way.
    if !cfg!(feature = "gui") {
        assert_eq!(stdout(&run(folder.path(), &["a.motion"])), text);
    }
    assert!(text.contains("tracks    1 with 1 keys\n"), "{text}");
    let output = run(folder.path(), &["info", "a.rig", "--format", "json"]);
    let rig = json(&output);
    assert_eq!((&rig["kind"], &rig["nodes"], &rig["depth"]), (&"rig".into(), &1.into(), &1.into()));
    std::fs::write(folder.path().join("bad.motion"), "model: R\n").unwrap();
    let output = run(folder.path(), &["info", "bad.motion", "--format", "json"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("bad.motion:1:1: error[no-binding]"), "{}", stderr(&output));
    assert_eq!(run(folder.path(), &["info", "none"]).status.code(), Some(2));
}

#[test]
fn every_help_has_an_example() {
    let folder = project();
    for arguments in [&["--help"][..], &["check", "--help"], &["info", "--help"]] {
        let output = run(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(0));
        assert!(stdout(&output).contains("Example"), "{}", stdout(&output));
    }
}

#[test]
fn text_from_files_cannot_act_on_a_terminal() {
    let folder = project();
    let clip = CLIP.replace("part: n", "part: \"\\e[31m\\u202Eevil\"");
    std::fs::write(folder.path().join("a.motion"), clip).unwrap();
    let text = stdout(&run(folder.path(), &["check", "a.motion"]));
    assert!(text.contains("Animation part is missing: \u{fffd}[31m\u{fffd}evil"), "{text}");
    assert!(!text.contains(['\u{1b}', '\u{202e}']));
}

#[test]
fn repairs_of_a_bound_rig_count_for_its_clips() {
    let folder = project();
    std::fs::write(folder.path().join("a.rig"), format!("version: 1\n{RIG}")).unwrap();
    let output = run(folder.path(), &["check", ".", "--fix", "--format", "json"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let answer = json(&output);
    assert!(answer.as_array().unwrap().iter().all(|file| file["ok"] == true), "{answer}");
    assert_eq!(std::fs::read_to_string(folder.path().join("a.rig")).unwrap(), RIG);
}

#[test]
fn info_says_what_kind_a_broken_file_is() {
    let folder = project();
    for broken in ["duration: 0\n", "model: [\n", "format:\n  version: 9.0.0\n"] {
        std::fs::write(folder.path().join("a.motion"), broken).unwrap();
        let output = run(folder.path(), &["info", "a.motion", "--format", "json"]);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let answer = json(&output);
        assert_eq!((&answer["kind"], &answer["tracks"]), (&"motion".into(), &0.into()));
    }
}

#[test]
fn a_format_section_without_a_version_is_a_warning() {
    let folder = project();
    for head in ["format:\n", "format: {}\n", "format:\n  version:\n", "format: {note: 1}\n"] {
        std::fs::write(folder.path().join("a.motion"), format!("{head}{CLIP}")).unwrap();
        let output = run(folder.path(), &["check", "a.motion", "--format", "json"]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let answer = json(&output);
        let problems = answer[0]["problems"].as_array().unwrap();
        assert!(problems.iter().any(|p| p["severity"] == "warning"), "{head}: {answer}");
    }
}

#[test]
fn a_word_that_is_no_command_is_no_window() {
    let folder = project();
    let output = run(folder.path(), &["bogus"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("no such file or command"));
}
