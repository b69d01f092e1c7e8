//! What is refused, with which words, and where.
#![allow(clippy::unwrap_used)] // A test that cannot go on should stop.

use posewright::diagnostic::{Problem, Severity};
use posewright::format::{bind, read_clip, read_rig, read_scene, strict};
use posewright::io::{Loaded, check, check_text};
use posewright::model::{ClipForm, ClipKind, Uids};
use posewright::source::Source;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

#[derive(Deserialize)]
struct Case {
    name: String,
    open: String,
    files: BTreeMap<String, String>,
    message: String,
    line: Option<u32>,
}

fn cases() -> Vec<Case> {
    let cases: Vec<Case> = serde_json::from_str(include_str!("data/errors.json")).unwrap();
    assert!(cases.len() >= 25);
    cases
}

fn folder(files: &BTreeMap<String, String>) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

/// One message of the table is elided where the range of rigs stands.
fn says(message: &str, expected: &str) -> bool {
    match expected.strip_suffix("this cTurtle reads format") {
        Some(_) => message.starts_with(expected),
        None => message == expected,
    }
}

#[test]
fn every_message_of_the_table_through_the_library() {
    for case in cases() {
        let folder = folder(&case.files);
        let checked = check(&folder.path().join(&case.open), None).unwrap();
        let first = first_error(&checked.opened.problems).expect(&case.name);
        assert!(says(&first.message, &case.message), "{}: {}", case.name, first.message);
        let place = first.position.expect(&case.name);
        assert_eq!(case.line.unwrap_or(place.line), place.line, "{}", case.name);
        // Every problem of these small cases has a place and a path that says where it is.
        for problem in &checked.opened.problems {
            assert!(!problem.path.is_empty(), "{}: {problem:?}", case.name);
        }
    }
}

#[test]
fn every_message_of_the_table_through_the_program() {
    for case in cases() {
        let folder = folder(&case.files);
        let (code, json) = program(folder.path(), &["check", &case.open, "--format", "json"]);
        assert_eq!(code, 1, "{}", case.name);
        let file = &json[0];
        assert_eq!(file["file"], case.open.as_str());
        assert_eq!(file["ok"], false);
        let kind = if case.open.ends_with(".rig") { "rig" } else { "motion" };
        assert_eq!(file["kind"], kind);
        let first = &file["problems"][0];
        assert_eq!(first["severity"], "error");
        assert!(says(first["message"].as_str().unwrap(), &case.message), "{first}");
        if let Some(line) = case.line {
            assert_eq!(first["line"], line, "{}", case.name);
        }
    }
}

/// Runs the program and reads its JSON.
fn program(folder: &Path, arguments: &[&str]) -> (i32, serde_json::Value) {
    let output = Command::new(env!("CARGO_BIN_EXE_posewright"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    let json = serde_json::from_str(&stdout).unwrap_or_else(|e| panic!("{e}: {stdout}"));
    (output.status.code().unwrap(), json)
}

fn first_error(problems: &[Problem]) -> Option<&Problem> {
    problems.iter().find(|p| p.severity == Severity::Error)
}

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

const RIG: &str = "\
name: R
nodes:
  - id: n
    kind: joint
";

const SCENE: &str = "\
entities:
  - id: n
    kind: entity
";

fn source(text: &str) -> Arc<Source> {
    Arc::new(Source::parse_yaml(text.to_owned()).unwrap_or_else(|e| panic!("{e}: {text}")))
}

/// The clip's own problems, its binding left aside.
fn clip_problems(text: &str) -> Vec<Problem> {
    read_clip(&source(text), &mut Uids::default()).problems
}

fn rig_problems(text: &str) -> Vec<Problem> {
    read_rig(&source(text), &mut Uids::default()).problems
}

fn scene_problems(text: &str) -> Vec<Problem> {
    read_scene(&source(text), &mut Uids::default()).problems
}

/// `code line:column path` of the first error, or nothing.
fn brief(problems: &[Problem]) -> String {
    first_error(problems).map_or(String::new(), |p| {
        let place = p.position.expect("a place");
        format!("{} {}:{} {}", p.code, place.line, place.column, p.path)
    })
}

/// Replaces one line of a text.
fn with(text: &str, from: &str, to: &str) -> String {
    assert_eq!(text.matches(from).count(), 1, "{from:?} once in {text}");
    text.replace(from, to)
}

#[test]
fn clips_one_change_at_a_time() {
    let cases = [
        // Versions (M2). All of these load:
        ("binding", "format:\n  version: 2.0.0\nbinding", ""),
        ("binding", "format:\n  version: 2\nbinding", ""),
        ("binding", "format:\n  version: 2.0\nbinding", ""),
        ("binding", "format:\n  version: '2.0.0'\nbinding", ""),
        ("binding", "format: {version: \"1.0.0\"}\nbinding", ""),
        ("binding", "format:\n  version: 1\nbinding", ""),
        ("binding", "version: 1\nbinding", ""),
        ("binding", "version: 2\nbinding", ""),
        ("binding", "format:\nbinding", ""),
        ("binding", "format: {}\nversion: 9\nbinding", ""),
        ("binding", "format:\n  version: ~\nbinding", ""),
        // and these do not:
        ("binding", "format:\n  version: 0.9.0\nbinding", "format-version 2:12 format.version"),
        ("binding", "format:\n  version: 1.0.1\nbinding", "format-version 2:12 format.version"),
        ("binding", "format:\n  version: 1.1\nbinding", "format-version 2:12 format.version"),
        ("binding", "format:\n  version: 2.0.1\nbinding", "format-version 2:12 format.version"),
        ("binding", "format:\n  version: 3\nbinding", "format-version 2:12 format.version"),
        ("binding", "format:\n  version: 2.0.0.0\nbinding", "format-version 2:12 format.version"),
        ("binding", "format:\n  version: two\nbinding", "format-version 2:12 format.version"),
        ("binding", "format:\n  version: [2]\nbinding", "format-version 2:12 format.version"),
        ("binding", "format: 2.0.0\nbinding", "wrong-type 1:9 format"),
        ("binding", "version: 0\nbinding", "clip-version 1:10 version"),
        ("binding", "version: 1.0.0\nbinding", "clip-version 1:10 version"),
        ("binding", "version: '2'\nbinding", "clip-version 1:10 version"),
        ("binding", "version: [1]\nbinding", "clip-version 1:10 version"),
        // Header.
        ("binding: a.rig", "binding:", "no-binding 1:9 binding"),
        ("binding: a.rig", "binding: ''", "no-binding 1:10 binding"),
        ("binding: a.rig", "binding: ~", "no-binding 1:10 binding"),
        ("binding: a.rig", "binding: [a.rig]", "no-binding 1:10 binding"),
        ("binding: a.rig", "bindings: a.rig", "no-binding 1:1 binding"),
        ("model: R", "model:", "model-duration 2:7 model"),
        ("model: R", "model: ''", "model-duration 2:8 model"),
        ("model: R", "model: 'null'", ""),
        ("model: R", "model: 007", ""),
        ("model: R", "model: yes", ""),
        ("model: R", "model: {a: b}", "model-duration 2:8 model"),
        ("model: R", "modell: R", "model-duration 1:1 model"),
        // Numbers (M5b).
        ("duration: 1", "duration: 3600", ""),
        ("duration: 1", "duration: 3600.0001", "model-duration 3:11 duration"),
        ("duration: 1", "duration: 0x10", ""),
        ("duration: 1", "duration: 012", ""),
        ("duration: 1", "duration: +1.5e1", ""),
        ("duration: 1", "duration: !!float '1'", ""),
        ("duration: 1", "duration: '1'", "model-duration 3:11 duration"),
        ("duration: 1", "duration: 1_000", "model-duration 3:11 duration"),
        ("duration: 1", "duration: 12:30:45", "model-duration 3:11 duration"),
        ("duration: 1", "duration: 1e400", "model-duration 3:11 duration"),
        ("duration: 1", "duration: +.inf", "model-duration 3:11 duration"),
        ("duration: 1", "duration: .nan", "model-duration 3:11 duration"),
        ("duration: 1", "duration: -1", "model-duration 3:11 duration"),
        ("duration: 1", "duration: 1s", "model-duration 3:11 duration"),
        ("duration: 1", "duration:", "model-duration 3:10 duration"),
        ("duration: 1", "length: 1", "model-duration 1:1 duration"),
        ("loop: false", "loop: TRUE", ""),
        ("loop: false", "loop: no", "loop 4:7 loop"),
        ("loop: false", "loop: 0", "loop 4:7 loop"),
        ("loop: false", "loop: 'true'", "loop 4:7 loop"),
        ("loop: false", "loop: !!bool 'true'", ""),
        ("loop: false", "loop:", "loop 4:6 loop"),
        ("loop: false", "looop: true", "loop 1:1 loop"),
        // Tracks.
        ("tracks:", "tracks: ~\nold:", "track-count 5:9 tracks"),
        ("tracks:", "tracks: []\nold:", "track-count 5:9 tracks"),
        ("tracks:", "tracks: 5\nold:", "track-count 5:9 tracks"),
        ("tracks:", "tracks: {a: 1}\nold:", "track-count 5:9 tracks"),
        ("tracks:", "old:", "track-count 1:1 tracks"),
        ("tracks:", "tracks:\n  - 5", "track-target 6:5 tracks[0]"),
        ("part: n", "part: 'null'", ""),
        ("part: n", "part:", "track-target 6:10 tracks[0].part"),
        ("part: n", "part: null", "track-target 6:11 tracks[0].part"),
        ("part: n", "part: ''", "track-target 6:11 tracks[0].part"),
        ("part: n", "part: [n]", "track-target 6:11 tracks[0].part"),
        ("part: n", "parts: n", "track-target 6:5 tracks[0].part"),
        ("property: position", "property: Position", "track-target 7:15 tracks[0].property"),
        ("property: position", "property: 'position '", "track-target 7:15 tracks[0].property"),
        ("property: position", "property: 'position'", ""),
        ("property: position", "propertie: position", "track-target 6:5 tracks[0].property"),
        (
            "interpolation: linear",
            "interpolation: hold",
            "interpolation 8:20 tracks[0].interpolation",
        ),
        ("interpolation: linear", "interpolation:", "interpolation 8:19 tracks[0].interpolation"),
        ("interpolation: linear", "easing: linear", "interpolation 6:5 tracks[0].interpolation"),
        // Curves (M7), whatever the interpolation.
        ("    keys:", "    curve: [0, 0, 1, 1]\n    keys:", ""),
        ("    keys:", "    curve:\n    keys:", ""),
        ("    keys:", "    curve: [0, -0.1, 1, 1]\n    keys:", "curve 9:12 tracks[0].curve"),
        ("    keys:", "    curve: [0, 0, 1, .nan]\n    keys:", "curve 9:12 tracks[0].curve"),
        ("    keys:", "    curve: [0, 0, 1]\n    keys:", "curve 9:12 tracks[0].curve"),
        ("    keys:", "    curve: ease\n    keys:", "curve 9:12 tracks[0].curve"),
        (
            "    keys:",
            "    curve:\n    - 0\n    - 0\n    - 1\n    - 1\n    keys:",
            "curve 10:5 tracks[0].curve",
        ),
        // Keys.
        ("    keys:", "    keys: ~\n    old:", "key-count 9:11 tracks[0].keys"),
        ("    keys:", "    keys: {}\n    old:", "key-count 9:11 tracks[0].keys"),
        ("    keys:", "    old:", "key-count 6:5 tracks[0].keys"),
        ("time: 0", "time: 1", ""),
        ("time: 0", "time: 1.0000001", "key-times 10:15 tracks[0].keys[0].time"),
        ("time: 0", "time: -0.1", "key-times 10:15 tracks[0].keys[0].time"),
        ("time: 0", "time: -0", ""),
        ("time: 0", "time: .nan", "key-times 10:15 tracks[0].keys[0].time"),
        ("time: 0", "time: .inf", "key-times 10:15 tracks[0].keys[0].time"),
        ("time: 0", "time: '0'", "key-times 10:15 tracks[0].keys[0].time"),
        ("time: 0", "time:", "key-times 10:14 tracks[0].keys[0].time"),
        ("time: 0", "t: 0", "key-times 10:9 tracks[0].keys[0].time"),
        ("[0, 0, 0]", "[1000000, -1000000, 1e6]", ""),
        ("[0, 0, 0]", "[1000000.0001, 0, 0]", "value-range 11:16 tracks[0].keys[0].value"),
        ("[0, 0, 0]", "[0, .nan, 0]", "value-range 11:16 tracks[0].keys[0].value"),
        ("[0, 0, 0]", "[0, -.inf, 0]", "value-range 11:16 tracks[0].keys[0].value"),
        ("[0, 0, 0]", "[1e400, 0, 0]", "value-range 11:16 tracks[0].keys[0].value"),
        ("[0, 0, 0]", "[0, 0]", "vector 11:16 tracks[0].keys[0].value"),
        ("[0, 0, 0]", "[0, 0, 0, 0]", "vector 11:16 tracks[0].keys[0].value"),
        ("[0, 0, 0]", "[0, 0,\n 0]", "vector 11:16 tracks[0].keys[0].value"),
        ("[0, 0, 0]", "[0, 0, '0']", "vector 11:16 tracks[0].keys[0].value"),
        ("[0, 0, 0]", "[0, 0, 1_0]", "vector 11:16 tracks[0].keys[0].value"),
        (
            "[0, 0, 0]",
            "\n        - 0\n        - 0\n        - 0",
            "vector 12:9 tracks[0].keys[0].value",
        ),
        ("[0, 0, 0]", "", "vector 11:15 tracks[0].keys[0].value"),
        ("[0, 0, 0]", "null", "vector 11:16 tracks[0].keys[0].value"),
        ("value: [0, 0, 0]", "v: [0, 0, 0]", "vector 10:9 tracks[0].keys[0].value"),
        ("- time: 0\n        value: [0, 0, 0]", "- 5", "vector 10:9 tracks[0].keys[0].value"),
        // Duplicates, tags, aliases (M1, M4).
        ("model: R", "model: R\nmodel: R", "duplicate-key 3:1 model"),
        ("model: R", "model: R\n\"model\": Q", "duplicate-key 3:1 model"),
        ("time: 0", "time: 0\n        time: 0", "duplicate-key 11:9 tracks[0].keys[0].time"),
        ("model: R", "model: R\nx: {a: 1, b: {c: 1, c: 2}}", "duplicate-key 3:21 x.b.c"),
        ("model: R", "model: !name R", "unknown-tag 2:8 model"),
        ("model: R", "model: !!str R", ""),
        ("model: R", "model: ! R", ""),
        ("model: R", "model: R\nx: !thing 5", ""),
        ("- part", "- !track\n    part", "unknown-tag 6:5 tracks[0]"),
        ("[0, 0, 0]", "!vec [0, 0, 0]", "unknown-tag 11:16 tracks[0].keys[0].value"),
        ("[0, 0, 0]", "!!seq [0, 0, 0]", ""),
        ("binding: a.rig", "x: &p a.rig\nbinding: *p", ""),
        ("binding: a.rig", "x: &p [a.rig]\nbinding: *p", "no-binding 2:10 binding"),
        ("[0, 0, 0]", "&v [0, 0, 0]\n      - time: 1\n        value: *v", ""),
        ("- time: 0", "- &k\n        time: 0", ""),
        ("[0, 0, 0]", "[0, 0, 0]\n        0x1: 2\n        ? [a]\n        : b", ""),
    ];
    for (from, to, expected) in cases {
        let text = with(CLIP, from, to);
        assert_eq!(brief(&clip_problems(&text)), expected, "{text}");
        same_in_other_dress(&text, clip_problems);
    }
}

/// Line ends, a mark at the beginning, comments and blank lines change no problem but its line.
fn same_in_other_dress(text: &str, problems: fn(&str) -> Vec<Problem>) {
    let facts = |text: &str, lines: u32| -> Vec<(String, String, u32, u32)> {
        let fact = |p: Problem| {
            let at = p.position.unwrap();
            (p.message, p.path, at.line - lines, at.column)
        };
        problems(text).into_iter().map(fact).collect()
    };
    let plain = facts(text, 0);
    let dressed = [
        (text.replace('\n', "\r\n"), 0),
        (format!("\u{feff}{text}"), 0),
        (format!("\u{feff}{}", text.replace('\n', "\r\n")), 0),
        (format!("# é\n\n{text}"), 2),
        (format!("%YAML 1.2\n---\n{text}...\n"), 2),
        (text.replace('\n', " \t\n"), 0),
        (text.trim_end().to_owned(), 0),
    ];
    for (text, lines) in dressed {
        assert_eq!(facts(&text, lines), plain, "{text:?}");
    }
    // A comment behind every line, and one below it.
    let spaced = text.replace('\n', " # c\n  # d\n");
    let spaced: Vec<_> = facts(&spaced, 0)
        .into_iter()
        .map(|(message, path, line, column)| (message, path, line.div_ceil(2), column))
        .collect();
    assert_eq!(spaced, plain, "{text}");
}

#[test]
fn rigs_one_change_at_a_time() {
    let cases = [
        ("name: R", "format:\n  version: 1.0.0\nname: R", ""),
        ("name: R", "format:\nname: R", ""),
        ("name: R", "format: {version: 1}\nname: R", ""),
        ("name: R", "format:\n  version: 2.0.0\nname: R", "format-version 2:12 format.version"),
        ("name: R", "format: []\nname: R", "wrong-type 1:9 format"),
        ("name: R", "version: 2\nname: R", "rig-version 1:10 version"),
        ("name: R", "version: '1'\nname: R", "rig-version 1:10 version"),
        ("name: R", "name:", "rig-name 1:6 name"),
        ("name: R", "name: []", "rig-name 1:7 name"),
        ("name: R", "title: R", "rig-name 1:1 name"),
        ("nodes:", "nodes: 5\nold:", "node-count 2:8 nodes"),
        ("nodes:", "old:", "node-count 1:1 nodes"),
        ("nodes:", "nodes:\n  - 5", "wrong-type 3:5 nodes[0]"),
        ("id: n", "id: 007", ""),
        ("id: n", "id: 'a:b'", "node-id 3:9 nodes[0].id"),
        ("id: n", "id: ''", "node-id 3:9 nodes[0].id"),
        ("id: n", "id: ~", "node-id 3:9 nodes[0].id"),
        ("id: n", "ident: n", "node-id 3:5 nodes[0].id"),
        ("kind: joint", "kind: Joint", "node-kind 4:11 nodes[0].kind"),
        ("kind: joint", "kinds: joint", "node-kind 3:5 nodes[0].kind"),
        ("kind: joint", "kind: attachment\n    name: ''\n    model: gun", ""),
        ("kind: joint", "kind: joint\n    name: [a]", "wrong-type 5:11 nodes[0].name"),
        ("kind: joint", "kind: joint\n    model: {a: b}", "wrong-type 5:12 nodes[0].model"),
        ("kind: joint", "kind: joint\n    parent: ~", ""),
        ("kind: joint", "kind: joint\n    parent: n", "cycle 5:13 nodes[0].parent"),
        ("kind: joint", "kind: joint\n    position:", ""),
        ("kind: joint", "kind: joint\n    position: 5", "vector 5:15 nodes[0].position"),
        (
            "kind: joint",
            "kind: joint\n    rotation: [.inf, 0, 0]",
            "value-range 5:15 nodes[0].rotation",
        ),
        ("kind: joint", "kind: joint\n    scale: [1, 1, 0]", "node-scale 5:12 nodes[0].scale"),
        ("kind: joint", "kind: joint\n    scale: [1, -1, 1]", "node-scale 5:12 nodes[0].scale"),
        ("kind: joint", "kind: joint\n    scale: [1, .nan, 1]", "value-range 5:12 nodes[0].scale"),
        ("kind: joint", "kind: joint\n    scale: [1, 1]", "vector 5:12 nodes[0].scale"),
        // A parent may stand after its child.
        ("- id: n", "- {id: a, kind: joint, parent: n}\n  - id: n", ""),
    ];
    for (from, to, expected) in cases {
        let text = with(RIG, from, to);
        assert_eq!(brief(&rig_problems(&text)), expected, "{text}");
        same_in_other_dress(&text, rig_problems);
    }
}

#[test]
fn scenes_are_rigs_of_their_entities() {
    let cases = [
        ("entities:", "version: 7\nformat: {version: 9.9.9}\nentities:", ""),
        ("entities:", "animation_name: ~\nentities:", ""),
        ("entities:", "animation_name: [a]\nentities:", "wrong-type 1:17 animation_name"),
        ("entities:", "entities: 5\nold:", "node-count 1:11 entities"),
        ("entities:", "old:", "node-count 1:1 entities"),
        ("kind: entity", "kind: light", "node-count 2:3 entities"),
        ("kind: entity", "kind: entity\n    name: [no text]", ""),
        ("kind: entity", "kind: entity\n    scale: [0, 1, 1]", "node-scale 4:12 entities[0].scale"),
        ("- id: n", "- {id: sun, kind: light, position: up}\n  - 5\n  - id: n", ""),
        (
            "- id: n",
            "- {id: sun, kind: light}\n  - {id: m, kind: entity, parent: sun}\n  - id: n",
            "missing-parent 3:35 entities[1].parent",
        ),
        ("id: n", "id: a/b", "node-id 2:9 entities[0].id"),
    ];
    for (from, to, expected) in cases {
        let text = with(SCENE, from, to);
        assert_eq!(brief(&scene_problems(&text)), expected, "{text}");
    }
    let named = |text: &str| {
        let reading = read_scene(&source(text), &mut Uids::default());
        strict(reading).map(|rig| (rig.name, rig.nodes.len())).unwrap()
    };
    assert_eq!(named(SCENE), ("Scene".to_owned(), 1));
    let text = format!("animation_name: Shop\n{SCENE}  - {{id: x, kind: camera}}\n");
    assert_eq!(named(&text), ("Shop".to_owned(), 1));
}

#[test]
fn messages_carry_what_is_written() {
    let message = |problems: &[Problem]| first_error(problems).map(|p| p.message.clone()).unwrap();
    let clip =
        |to: &str| message(&clip_problems(&with(CLIP, "binding", &format!("{to}\nbinding"))));
    let range = "this cTurtle reads format 1.x up to 1.0.0 and 2.x up to 2.0.0";
    for (version, shown) in [("2.1.0", "2.1.0"), ("'3'", "3"), ("\"1.1\"", "1.1"), ("1e0", "1e0")] {
        let expected = format!(".motion file uses format version {shown}; {range}");
        assert_eq!(clip(&format!("format:\n  version: {version}")), expected);
    }
    for (version, shown) in
        [("3", "3"), ("1.5", "1.5"), ("'old'", "'old'"), ("\"2\"", "\"2\""), ("true", "true")]
    {
        let expected = format!(".motion file: `version: {shown}` is not a clip version");
        assert_eq!(clip(&format!("version: {version}")), expected);
    }
    for (version, shown) in [("1", "1"), ("2", "2"), ("\"1.0\"", "\"1.0\"")] {
        let text = with(RIG, "name: R", &format!("version: {version}\nname: R"));
        let expected = format!(".rig file: `version: {shown}` is no longer used");
        assert_eq!(message(&rig_problems(&text)), expected);
    }
    let text = with(RIG, "name: R", "format:\n  version: 1.0.1\nname: R");
    assert_eq!(
        message(&rig_problems(&text)),
        ".rig file uses format version 1.0.1; this cTurtle reads format 1.x up to 1.0.0"
    );
}

#[test]
fn kinds_and_forms_of_clips() {
    let cases = [
        ("", ClipKind::Rig, ClipForm::Bare),
        ("format: {version: 2}\n", ClipKind::Rig, ClipForm::Format),
        ("format: {version: 1.0}\n", ClipKind::Model, ClipForm::Format),
        ("format:\n", ClipKind::Rig, ClipForm::Format),
        ("version: 1\n", ClipKind::Model, ClipForm::Legacy),
        ("version: 2\n", ClipKind::Rig, ClipForm::Legacy),
        ("version: 1\nformat: {version: 2.0.0}\n", ClipKind::Rig, ClipForm::Format),
    ];
    for (head, kind, form) in cases {
        let clip = read_clip(&source(&format!("{head}{CLIP}")), &mut Uids::default());
        let clip = strict(clip).unwrap();
        assert_eq!((clip.kind, clip.form), (kind, form), "{head}");
        assert_eq!(clip.binding.is_some(), kind == ClipKind::Rig, "{head}");
    }
    let codes = |head: &str| -> Vec<(Severity, &str)> {
        clip_problems(&format!("{head}{CLIP}")).iter().map(|p| (p.severity, p.code)).collect()
    };
    assert_eq!(codes("format:\n"), [(Severity::Warning, "format-without-version")]);
    let both = "version: 2\nformat: {version: 2.0.0}\n";
    assert_eq!(codes(both), [(Severity::Warning, "format-and-version")]);
    // A model clip needs no binding.
    let text = CLIP.replace("binding: a.rig", "version: 1");
    assert_eq!(brief(&clip_problems(&text)), "");
}

#[test]
fn strict_order_is_kept_and_everything_is_listed() {
    let text = "\
binding:
model: R
model: R
duration: 0
tracks:
  - part: n
    property: color
    interpolation: cubic
    keys:
      - time: 0
        value: [0, 0]
      - value: [2000000, 0, 0]
    curve: [0, 0, 0, 2]
  - part: n
    property: scale
    interpolation: step
    keys:
      - time: 5
        value: [0, 1, 1]
      - time: 5
        value: 3
format:
  version: 7
";
    let listed: Vec<String> = clip_problems(text)
        .iter()
        .map(|p| format!("{} {}", p.code, p.position.unwrap().line))
        .collect();
    let expected = [
        "duplicate-key 3",
        "format-version 23",
        "vector 11",
        "curve 13",
        "vector 21",
        "model-duration 4",
        "loop 1",
        "track-target 7",
        "interpolation 8",
        "key-times 12",
        "value-range 12",
        "key-scale 19",
        "key-times 20",
    ];
    assert_eq!(listed, expected);
}

#[test]
fn every_doubled_key_has_its_path() {
    let text = "a: {b: 1, b: 2}\nname: R\nnodes:\n  - {id: n, kind: joint}\n  - id: m\n    \
        kind: joint\n    x:\n      - 1\n      - [{y: {z: 1, z: 2}, y: 3}]\n    id: m\na: 1\n\
        ? {k: 1, k: 2}\n: 5\n";
    let paths: Vec<String> = rig_problems(text)
        .into_iter()
        .filter(|p| p.code == "duplicate-key")
        .map(|p| p.path)
        .collect();
    let expected =
        ["a.b", "nodes[1].x[1][0].y.z", "nodes[1].x[1][0].y", "nodes[1].id", "a", "{k: 1, k: 2}.k"];
    assert_eq!(paths, expected);
}

#[test]
fn limits_hold_on_both_sides() {
    let tracks = |count: usize| -> String {
        let (head, track) = CLIP.split_at(CLIP.find("  - part").unwrap());
        let track = |i: usize| track.replace("part: n", &format!("part: n{i}"));
        head.to_owned() + &(0..count).map(track).collect::<String>()
    };
    assert_eq!(brief(&clip_problems(&tracks(128))), "");
    assert_eq!(brief(&clip_problems(&tracks(129))), "track-count 6:3 tracks");
    let keys = |count: usize| -> String {
        let (head, _) = CLIP.split_at(CLIP.find("      - time").unwrap());
        let key =
            |i: usize| format!("      - time: {}\n        value: [0, 0, 0]\n", i as f64 / 600.0);
        head.to_owned() + &(0..count).map(key).collect::<String>()
    };
    assert_eq!(brief(&clip_problems(&keys(512))), "");
    assert_eq!(brief(&clip_problems(&keys(513))), "key-count 10:7 tracks[0].keys");
    let nodes = |count: usize| -> String {
        let node = |i: usize| format!("  - {{id: n{i}, kind: joint}}\n");
        "name: R\nnodes:\n".to_owned() + &(0..count).map(node).collect::<String>()
    };
    assert_eq!(brief(&rig_problems(&nodes(512))), "");
    assert_eq!(brief(&rig_problems(&nodes(513))), "node-count 3:3 nodes");
    // Children before parents, so that the order of the file is no help.
    let levels = |count: usize| -> String {
        let node = |i: usize| match i {
            0 => "  - {id: n0, kind: joint}\n".to_owned(),
            i => format!("  - {{id: n{i}, kind: joint, parent: n{}}}\n", i - 1),
        };
        "name: R\nnodes:\n".to_owned() + &(0..count).rev().map(node).collect::<String>()
    };
    assert_eq!(brief(&rig_problems(&levels(128))), "");
    assert_eq!(brief(&rig_problems(&levels(129))), "depth 3:37 nodes[0].parent");
}

#[test]
fn every_loop_is_reported_once() {
    let text = "name: R\nnodes:\n  - {id: below, kind: joint, parent: a}\n  \
        - {id: a, kind: joint, parent: b}\n  - {id: b, kind: joint, parent: a}\n  \
        - {id: c, kind: joint, parent: c}\n  - {id: ok, kind: joint}\n";
    let paths: Vec<(String, &str)> =
        rig_problems(text).iter().map(|p| (p.path.clone(), p.code)).collect();
    assert_eq!(
        paths,
        [("nodes[1].parent".to_owned(), "cycle"), ("nodes[3].parent".to_owned(), "cycle")]
    );
}

#[test]
fn drafts_are_documents_and_broken_files_are_not() {
    let is_clip = |text: &str| read_clip(&source(text), &mut Uids::default()).value.is_some();
    for (from, to) in [
        ("binding: a.rig\n", ""),
        ("binding: a.rig", "binding: ''"),
        ("part: n", "part:"),
        ("- part: n\n    property", "- property"),
    ] {
        let text = with(CLIP, from, to);
        assert!(is_clip(&text), "{text}");
        assert!(strict(read_clip(&source(&text), &mut Uids::default())).is_err(), "{text}");
    }
    assert!(is_clip("model: R\nduration: 1\nloop: true\n"));
    assert!(is_clip("model: R\nduration: 1\nloop: true\ntracks: []\n"));
    for text in [
        "model: R\nduration: 1\nloop: true\ntracks: 5\n",
        "duration: 1\nloop: true\n",
        "model: R\nduration: 1\n",
        "binding: []\nmodel: R\nduration: 1\nloop: true\n",
    ] {
        assert!(!is_clip(text), "{text}");
    }
    let is_rig = |text: &str| read_rig(&source(text), &mut Uids::default()).value.is_some();
    assert!(is_rig("name: R\n"));
    assert!(is_rig("name: R\nnodes: []\n"));
    assert!(!is_rig("nodes: []\n"));
    assert!(!is_rig("name: R\nnodes: {}\n"));
    // Two tracks that have no part yet do not clash.
    let (head, track) = CLIP.split_at(CLIP.find("  - part").unwrap());
    let twice = format!("{head}{track}{track}").replace("part: n", "part:");
    assert!(is_clip(&twice));
}

#[test]
fn values_are_read_verbatim() {
    let text = "\
binding: x/é.rig
model: '007'
duration: 0x10
loop: true
tracks:
  - part: 1e3
    property: rotation
    interpolation: bezier
    curve: [0, .5, 1., 1e0]
    keys: &k
      - &first
        time: 0
        value: [-1.5, +2, 0o10]
      - time: 15.5
        value: [0, 0, 0]
  - {part: '~', property: scale, interpolation: step, keys: [{time: 1, value: [1, 2, 3]}]}
  - part: yes
    property: position
    interpolation: smooth
    keys: *k
  - part: z
    property: position
    interpolation: smooth
    keys: [*first]
";
    let clip = strict(read_clip(&source(text), &mut Uids::default())).unwrap();
    assert_eq!(clip.binding.as_deref(), Some("x/é.rig"));
    assert_eq!((clip.model.as_str(), clip.duration_secs, clip.looping), ("007", 16.0, true));
    let parts: Vec<&str> = clip.tracks.iter().map(|t| t.part.as_str()).collect();
    assert_eq!(parts, ["1e3", "~", "yes", "z"]);
    assert_eq!(clip.tracks[0].curve, Some([0.0, 0.5, 1.0, 1.0]));
    assert_eq!(clip.tracks[1].curve, None);
    assert_eq!(clip.tracks[0].keys[0].value.to_array(), [-1.5, 2.0, 8.0]);
    assert_eq!(clip.tracks[2].keys[1].time, 15.5);
    let own: Vec<bool> = clip
        .tracks
        .iter()
        .flat_map(|t| t.keys.iter().map(|k| k.origin.as_ref().unwrap().with_comments))
        .collect();
    assert_eq!(own, [true, true, true, false, false, false]);
    let mut uids: Vec<u32> = clip.tracks.iter().map(|t| t.uid.0).collect();
    uids.extend(clip.tracks.iter().flat_map(|t| t.keys.iter().map(|k| k.uid.0)));
    let count = uids.len();
    uids.sort_unstable();
    uids.dedup();
    assert_eq!(uids.len(), count);
}

#[test]
fn half_turns_are_warned_of_in_rig_clips() {
    let clip = |head: &str, how: &str, to: &str| {
        let text = CLIP.replace("position", "rotation").replace("linear", how);
        format!("{head}{text}      - time: 1\n        value: {to}\n")
    };
    let warned = |text: &str| clip_problems(text).iter().any(|p| p.code == "half-turn");
    assert!(warned(&clip("", "linear", "[0, 0, 3.141593]")));
    assert!(warned(&clip("", "bezier", "[-3.1410, 0, 0]")));
    assert!(warned(&clip("", "smooth", "[3.141593, 3.141593, 0]")));
    assert!(!warned(&clip("", "linear", "[0, 0, 3.1400]")));
    assert!(!warned(&clip("", "linear", "[0, 0, 6.283185]")));
    assert!(!warned(&clip("version: 1\n", "linear", "[0, 0, 3.141593]")));
    assert!(!warned(&clip("", "step", "[0, 0, 3.141593]")));
    assert!(!warned(&with(CLIP, "[0, 0, 0]", "[0, 0, 3.141593]")));
}

#[test]
fn uneven_scale_above_a_turned_node_is_an_info() {
    let rig = |scale: &str, rotation: &str| {
        format!(
            "name: R\nnodes:\n  - {{id: a, kind: joint, scale: {scale}}}\n  \
             - {{id: b, kind: joint, parent: a}}\n  \
             - {{id: c, kind: joint, parent: b, rotation: {rotation}}}\n"
        )
    };
    let infos = |text: &str| -> Vec<String> {
        let problems = rig_problems(text);
        assert!(problems.iter().all(|p| p.severity == Severity::Info));
        problems.iter().map(|p| format!("{} {}", p.code, p.path)).collect()
    };
    let expected = ["uneven-scale nodes[0].scale"];
    assert_eq!(infos(&rig("[2, 1, 1]", "[0, 0, 1]")), expected);
    assert!(infos(&rig("[2, 2, 2]", "[0, 0, 1]")).is_empty());
    assert!(infos(&rig("[2, 1, 1]", "[0, 0, 0]")).is_empty());
    // Whole turns are none.
    for rotation in [
        "[0, 0, 6.283185307179586]",
        "[-6.283185, 12.566371, 0]",
        "[3.141592653589793, 3.141592653589793, 3.141592653589793]",
    ] {
        assert!(infos(&rig("[2, 1, 1]", rotation)).is_empty(), "{rotation}");
    }
    for rotation in ["[0, 0, 3.141592653589793]", "[0, 0, 6.2]", "[0.001, 0, 0]"] {
        assert_eq!(infos(&rig("[2, 1, 1]", rotation)), expected, "{rotation}");
    }
}

#[test]
fn binding_says_the_name_first_then_parts() {
    let clip = strict(read_clip(&source(&with(CLIP, "part: n", "part: z")), &mut Uids::default()));
    let mut clip = clip.unwrap();
    let rig = strict(read_rig(&source(RIG), &mut Uids::default())).unwrap();
    let codes = |problems: Vec<Problem>| -> Vec<String> {
        let place = |p: &Problem| p.position.map_or(0, |at| at.line);
        problems.iter().map(|p| format!("{} {} {}", p.code, place(p), p.path)).collect()
    };
    assert_eq!(codes(bind(&clip, &rig)), ["missing-part 6 tracks[0].part"]);
    clip.model = "Q".to_owned();
    assert_eq!(
        codes(bind(&clip, &rig)),
        ["binding-mismatch 2 model", "missing-part 6 tracks[0].part"]
    );
    clip.kind = ClipKind::Model;
    assert_eq!(codes(bind(&clip, &rig)), ["binding-mismatch 2 model"]);
}

#[test]
fn bindings_stay_in_the_project() {
    let folder = tempfile::tempdir().unwrap();
    let at = |path: &str| folder.path().join(path);
    std::fs::create_dir_all(at("game/clips/deep")).unwrap();
    std::fs::create_dir_all(at("game/data")).unwrap();
    std::fs::write(at("outside.rig"), RIG).unwrap();
    std::fs::write(at("game/data/a.rig"), RIG).unwrap();
    std::fs::write(at("game/data/shop.yaml"), format!("animation_name: R\n{SCENE}")).unwrap();
    std::fs::write(at("game/data/broken.rig"), RIG.replace("joint", "bone")).unwrap();
    let clip = at("game/clips/deep/a.motion");
    let codes = |binding: &str, project: Option<&str>| -> Vec<String> {
        let text = with(CLIP, "a.rig", binding);
        let project = project.map(at);
        let checked = check_text(&clip, text, project.as_deref());
        let problems = &checked.opened.problems;
        problems.iter().map(|p| format!("{} {}", p.code, p.position.unwrap().line)).collect()
    };
    assert!(codes("data/a.rig", None).is_empty());
    assert!(codes("data/../data/./a.rig", None).is_empty());
    assert!(codes("game/data/a.rig", None).is_empty());
    assert!(codes("data/shop.yaml", None).is_empty());
    assert!(codes("data/a.rig", Some("game")).is_empty());
    assert!(codes("a.rig", Some("game/data")).is_empty());
    assert_eq!(codes("data/a.rig", Some("game/data")), ["binding-file 1"]);
    assert_eq!(codes("data/none.rig", None), ["binding-file 1"]);
    assert_eq!(codes("data", None), ["binding-file 1"]);
    assert_eq!(codes("../outside.rig", Some("game")), ["binding-path 1"]);
    assert_eq!(codes("../../data/a.rig", None), ["binding-path 1"]);
    assert_eq!(codes("data\\a.rig", None), ["binding-path 1"]);
    assert_eq!(codes(&at("outside.rig").display().to_string(), None), ["binding-path 1"]);
    assert_eq!(codes("data/broken.rig", None), ["binding-broken 1", "node-kind 4"]);
    assert_eq!(codes("data/a.rig/", None), ["binding-path 1"]);
    // A model clip's binding is none.
    let text = format!("version: 1\n{}", with(CLIP, "a.rig", "/nowhere"));
    assert!(check_text(&clip, text, None).opened.problems.is_empty());
    // A clip with other errors is still held against its binding.
    let text = with(CLIP, "duration: 1", "duration: 0").replace("part: n", "part: z");
    let checked = check_text(&at("game/data/x.motion"), text, None);
    let found: Vec<&str> = checked.opened.problems.iter().map(|p| p.code).collect();
    assert_eq!(found, ["model-duration", "missing-part"]);
}

/// Nothing outside the project is read, whatever links say (M10).
#[cfg(unix)]
#[test]
fn links_do_not_lead_out_of_the_project() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().unwrap();
    let at = |path: &str| folder.path().join(path);
    std::fs::create_dir_all(at("game/clips")).unwrap();
    std::fs::create_dir_all(at("game/data")).unwrap();
    std::fs::create_dir_all(at("secret")).unwrap();
    std::fs::write(at("secret/a.rig"), "password: hunter2\n").unwrap();
    std::fs::write(at("secret/shop.yaml"), "password: hunter2\n").unwrap();
    std::fs::write(at("game/data/real.rig"), RIG).unwrap();
    symlink(at("secret"), at("game/out")).unwrap();
    symlink("../../secret/a.rig", at("game/data/out.rig")).unwrap();
    symlink("../../secret/shop.yaml", at("game/data/shop.yaml")).unwrap();
    symlink("real.rig", at("game/data/in.rig")).unwrap();
    symlink("../data", at("game/clips/data2")).unwrap();
    symlink(at("game"), at("alias")).unwrap();
    symlink("nowhere", at("game/data/gone.rig")).unwrap();
    let clip = |binding: &str| with(CLIP, "a.rig", binding);
    let problems = |path: &str, binding: &str, project: Option<&str>| -> Vec<String> {
        let checked = check_text(&at(path), clip(binding), project.map(at).as_deref());
        assert!(!format!("{checked:?}").contains("hunter2"), "{binding}");
        checked.opened.problems.iter().map(|p| p.code.to_owned()).collect()
    };
    for root in ["game", "alias"] {
        let path = format!("{root}/clips/a.motion");
        for project in [None, Some(root)] {
            for binding in ["out/a.rig", "data/out.rig", "data/shop.yaml"] {
                let found = problems(&path, binding, project);
                assert_eq!(found, ["binding-path"], "{path} {binding} {project:?}");
            }
            for binding in ["data/real.rig", "data/in.rig", "clips/data2/in.rig"] {
                let found = problems(&path, binding, project);
                assert!(found.is_empty(), "{path} {binding} {project:?}: {found:?}");
            }
            assert_eq!(problems(&path, "data/gone.rig", project), ["binding-file"]);
        }
    }
    // Where the root is set above both, it is inside; the rig is judged then.
    let checked = check_text(&at("game/a.motion"), clip("secret/a.rig"), Some(folder.path()));
    assert_eq!(checked.opened.problems[0].code, "binding-broken");
    let checked = check_text(&at("game/a.motion"), clip("game/out/a.rig"), Some(folder.path()));
    assert_eq!(checked.opened.problems[0].code, "binding-broken");
    // The nearest folder under which it exists is the project: no other is tried behind it.
    std::fs::create_dir_all(at("data")).unwrap();
    std::fs::write(at("data/out.rig"), RIG).unwrap();
    assert_eq!(problems("game/clips/a.motion", "data/out.rig", None), ["binding-path"]);
    // What is above `link/..` is not what the spelling says.
    std::fs::create_dir_all(at("elsewhere/deep")).unwrap();
    symlink(at("elsewhere/deep"), at("game/jump")).unwrap();
    assert_eq!(problems("game/jump/../a.motion", "data/real.rig", None), ["binding-file"]);
    // The whole disk is nobody's project.
    let passwd = problems("game/clips/a.motion", "etc/passwd", None);
    assert_eq!(passwd, ["binding-file"]);
    // The sentence says what, where and what to do.
    let path = at("game/clips/a.motion");
    let checked = check_text(&path, clip("out/a.rig"), None);
    let problem = &checked.opened.problems[0];
    assert_eq!((problem.position.unwrap().line, &*problem.path), (1, "binding"));
    let message = &problem.message;
    assert!(message.contains("out/a.rig") && message.contains("link"), "{message}");
    assert!(message.contains(&at("game").display().to_string()), "{message}");
    assert!(message.contains("copy the file into the project"), "{message}");
}

#[cfg(unix)]
#[test]
fn a_folder_is_checked_without_what_its_links_lead_out_to() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().unwrap();
    let at = |path: &str| folder.path().join(path);
    std::fs::create_dir_all(at("game/clips")).unwrap();
    std::fs::write(at("a.rig"), "password: hunter2\n").unwrap();
    std::fs::write(at("game/b.rig"), RIG).unwrap();
    symlink("../a.rig", at("game/a.rig")).unwrap();
    symlink("../a.rig", at("game/scene.yaml")).unwrap();
    symlink("../b.rig", at("game/clips/b.rig")).unwrap();
    symlink("game", at("alias")).unwrap();
    let listed = |arguments: &[&str]| {
        let (code, answer) = program(folder.path(), arguments);
        assert!(!answer.to_string().contains("hunter2"));
        let files = answer.as_array().unwrap().iter();
        let files: Vec<String> = files.map(|f| f["file"].as_str().unwrap().to_owned()).collect();
        (code, files)
    };
    for root in ["game", "alias"] {
        let expected = vec![format!("{root}/b.rig"), format!("{root}/clips/b.rig")];
        assert_eq!(listed(&["check", root, "--format", "json"]), (0, expected));
    }
    assert_eq!(listed(&["check", "game/clips", "--format", "json"]).1.len(), 0);
    let inside = listed(&["check", "game/clips", "--project", "game", "--format", "json"]);
    assert_eq!(inside.1.len(), 1);
    // A file that is named is asked for.
    assert_eq!(listed(&["check", "game/a.rig", "--format", "json"]).1.len(), 1);
    let output = Command::new(env!("CARGO_BIN_EXE_posewright"))
        .args(["check", "game"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        complaint.contains("game/a.rig: left out") && !complaint.contains("scene"),
        "{complaint}"
    );
}

#[test]
fn a_clip_bound_to_a_scene_or_a_rig_opens() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.rig"), RIG).unwrap();
    let path = folder.path().join("a.motion");
    std::fs::write(&path, CLIP).unwrap();
    let checked = check(&path, None).unwrap();
    assert!(matches!(checked.opened.document, Some(Loaded::Clip(_))));
    assert_eq!(checked.rig().unwrap().nodes.len(), 1);
    assert!(checked.opened.problems.is_empty());
}

#[test]
fn columns_count_characters_and_the_mark_is_none() {
    let text = with(CLIP, "model: R", "'é手🦾': 1\nmodel: R");
    let text = text.replace("time: 0", "'手🦾': {}\n        time: 7");
    let text = format!("\u{feff}{}", text.replace('\n', "\r\n"));
    assert_eq!(brief(&clip_problems(&text)), "key-times 12:15 tracks[0].keys[0].time");
    let text = with(
        CLIP,
        "- time: 0\n        value: [0, 0, 0]",
        "- {\"手🦾\": 1, time: 7, value: [0, 0, 0]}",
    );
    assert_eq!(brief(&clip_problems(&text)), "key-times 10:25 tracks[0].keys[0].time");
    assert_eq!(
        brief(&clip_problems(&format!("\u{feff}{}", with(CLIP, "binding", "b")))),
        "no-binding 1:1 binding"
    );
}
