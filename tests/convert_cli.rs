//! `posewright convert`, as a person runs it.
#![allow(clippy::unwrap_used)] // A test that cannot go on should stop.

mod program;

use program::run;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Output;

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/anm").join(name)
}

fn words(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn an_export_becomes_a_rig_and_a_clip_and_goes_back() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    std::fs::copy(data("torso.anm"), here.join("torso.anm")).unwrap();
    let arguments = ["convert", "torso.anm", "--out", "clips/new", "--report", "r.json"];
    let output = run(here, &arguments);
    assert_eq!(output.status.code(), Some(0), "{}", words(&output));
    let report: Value =
        serde_json::from_str(&std::fs::read_to_string(here.join("r.json")).unwrap()).unwrap();
    assert_eq!(report["space"], "local");
    assert!(report["residuals"]["delta"].as_f64().unwrap() > 0.1);
    assert_eq!(report["euler"], "xyz, fixed axes");
    assert_eq!(report["ids"]["torso/spine"], "spine");
    assert_eq!(report["written"], serde_json::json!(["torso.rig", "torso.motion"]));
    let track = &report["tracks"][0];
    assert_eq!((&track["clip"], &track["part"]), (&"torso.motion".into(), &"spine".into()));
    assert_eq!((&track["property"], &track["unit"]), (&"position".into(), &"m".into()));
    assert_eq!(track["source_keys"], 24);
    assert!(track["error"].as_f64().unwrap() <= 0.001);
    assert!(report["worst"]["position"]["m"].as_f64().unwrap() <= 0.001);
    assert!(report["worst"]["rotation"]["deg"].as_f64().unwrap() <= 0.1);
    assert!(report["notes"].is_array());
    let checked = run(here, &["check", "clips"]);
    assert_eq!(checked.status.code(), Some(0), "{checked:?}");

    // Nothing that is there is replaced, and nothing else is written then.
    let again = run(here, &["convert", "torso.anm", "--out", "clips/new"]);
    assert_eq!(again.status.code(), Some(2));
    assert!(words(&again).contains("--overwrite"), "{}", words(&again));
    let forced =
        run(here, &["convert", "torso.anm", "--out", "clips/new", "--overwrite", "--loop"]);
    assert_eq!(forced.status.code(), Some(0), "{}", words(&forced));
    let clip = std::fs::read_to_string(here.join("clips/new/torso.motion")).unwrap();
    assert!(clip.contains("loop: true") && clip.contains("binding: torso.rig"));

    let arguments = ["convert", "clips/new/torso.motion", "--out", "back.anm", "--fps", "30"];
    let output = run(here, &arguments);
    assert_eq!(output.status.code(), Some(0), "{}", words(&output));
    let back: Value =
        serde_json::from_str(&std::fs::read_to_string(here.join("back.anm")).unwrap()).unwrap();
    assert_eq!((&back["format"], &back["version"]), (&"octo_anm".into(), &4.into()));
    assert_eq!(back["pegs"].as_array().unwrap().len(), 14);
    let checked = run(here, &["check", "back.anm"]);
    assert_eq!(checked.status.code(), Some(0), "{checked:?}");
}

#[test]
fn skeletons_become_rigs_and_go_back() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let local = data("torso.local.pvt");
    let armature = data("torso.armature.pvt");
    for (file, out) in [(&local, "local.rig"), (&armature, "armature.rig")] {
        let output = run(here, &["convert", file.to_str().unwrap(), "--out", out]);
        assert_eq!(output.status.code(), Some(0), "{}", words(&output));
    }
    let output = run(here, &["convert", "local.rig", "--out", "local.pvt", "--report", "r.json"]);
    assert_eq!(output.status.code(), Some(0), "{}", words(&output));
    let output = run(here, &["convert", "local.pvt", "--out", "again.rig"]);
    assert_eq!(output.status.code(), Some(0), "{}", words(&output));
    let text = |name: &str| std::fs::read_to_string(here.join(name)).unwrap();
    assert_eq!(text("local.rig"), text("again.rig"));
    assert_eq!(run(here, &["check", "."]).status.code(), Some(0));
}

/// A report never stands in the place of what it reports on, whatever may be replaced.
#[test]
fn a_report_replaces_neither_source_nor_result() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let text = std::fs::read_to_string(data("torso.anm")).unwrap();
    std::fs::write(here.join("a.anm"), &text).unwrap();
    for report in ["a.anm", "./a.anm", "o/a.rig", "o/./a.motion"] {
        let all = ["convert", "a.anm", "--out", "o", "--report", report, "--overwrite"];
        let output = run(here, &all);
        assert_eq!(output.status.code(), Some(2), "{report}");
        assert!(words(&output).contains("--report names"), "{report}: {}", words(&output));
        assert_eq!(std::fs::read_to_string(here.join("a.anm")).unwrap(), text, "{report}");
        assert!(!here.join("o").exists(), "{report}: nothing is written");
    }
    let all = ["convert", "a.anm", "--out", "o", "--report", "a.json"];
    assert_eq!(run(here, &all).status.code(), Some(0));
}

#[test]
fn refusals_say_what_to_do_and_write_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let text = std::fs::read_to_string(data("torso.anm")).unwrap();
    let write = |name: &str, text: &str| std::fs::write(here.join(name), text).unwrap();
    write("a.anm", &text);
    write("no-header.anm", &text.replacen("\"up\"", "\"upp\"", 1));
    write("v3.anm", &text.replacen("\"version\": 4", "\"version\": 3", 1));
    write("broken.anm", "{");
    for (arguments, expected) in [
        (&["a.anm", "--out", "a.motion"][..], "folder"),
        (&["a.anm", "--out", "o", "--fps", "30"], "--fps"),
        (&["no-header.anm", "--out", "o"], "up"),
        (&["v3.anm", "--out", "o"], "unsupported version 3"),
        (&["broken.anm", "--out", "o"], "broken.anm:1"),
        (&["a.anm", "--out", "o", "--tolerance-angle", "0"], "above 0"),
        (&["gone.anm", "--out", "o"], "gone.anm"),
        (&["a.anm", "--out", "o", "--name", "x/y"], "--name"),
    ] {
        let mut all = vec!["convert"];
        all.extend(arguments);
        let output = run(here, &all);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(words(&output).contains(expected), "{arguments:?}: {}", words(&output));
        assert!(!here.join("o").exists(), "{arguments:?}");
    }
    let help = run(here, &["convert", "--help"]);
    assert!(String::from_utf8_lossy(&help.stdout).contains("Examples:"));
}
