//! `posewright diff`, as a person runs it.
#![allow(clippy::unwrap_used)] // A test that cannot go on should stop.

mod program;

use program::run;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

const PAGE: &str = include_str!("../docs/diff.md");

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/diff")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

#[test]
fn a_summary_line_then_what_matters_most() {
    let output = run(&data(), &["diff", "old.anm", "new.anm"]);
    assert_eq!((code(&output), stderr(&output)), (1, String::new()));
    let expected = "old.anm → new.anm: 3 pegs differ, worst 13.3 cm at frame 3 on thumb
  farthest: 13.3 cm at frame 3 on thumb, since shoulder is turned by 10.0°
  most turned: 10.5° at frame 3 on hand, since shoulder is turned by 10.0°
  shoulder, hand differ by themselves; 1 joint only follows
  thumb: rest moved by 10.0 cm; renamed from thumb to finger
  shoulder: rotation changed by 10.0° (frame 3)
  hand: 1 key moved by 0.5 frames later, interpolation BEZIER → LINEAR (frame 2)
";
    assert_eq!(stdout(&output), expected);
    let output = run(&data(), &["diff", "old.anm", "old.anm"]);
    assert_eq!(code(&output), 0);
    assert_eq!(stdout(&output), "old.anm → old.anm: nothing differs\n");
}

#[test]
fn tolerances_decide_what_is_silent() {
    let wide = ["diff", "old.anm", "new.anm", "--angle", "11", "--position", "0.2"];
    let output = run(&data(), &wide);
    assert_eq!(code(&output), 1);
    let text = stdout(&output);
    assert!(text.starts_with("old.anm → new.anm: 2 pegs differ\n"), "{text}");
    assert!(!text.contains("rotation") && text.contains("renamed"), "{text}");
    for wrong in ["-1", "nan", "x"] {
        let output = run(&data(), &["diff", "old.anm", "new.anm", &format!("--angle={wrong}")]);
        assert_eq!(code(&output), 2, "{wrong}");
    }
}

/// The shape that the page shows is the one that comes out: the same fields, and the same values
/// but for the last digits.
#[test]
fn the_json_is_the_documented_one() {
    let output = run(&data(), &["diff", "old.anm", "new.anm", "--format", "json"]);
    let value: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let blocks: Vec<Value> = PAGE
        .split("```json\n")
        .skip(1)
        .map(|block| serde_json::from_str(block.split("```").next().unwrap()).unwrap())
        .collect();
    assert_eq!(rounded(&value), rounded(&blocks[0]));
    // Two folders.
    let folder = tempfile::tempdir().unwrap();
    folders(folder.path());
    let output = run(folder.path(), &["diff", "monday", "tuesday", "--format", "json"]);
    let mut value: Value = serde_json::from_str(&stdout(&output)).unwrap();
    for file in value["files"].as_array_mut().unwrap() {
        if let Some(difference) = file["difference"].as_object_mut() {
            assert_eq!(difference["compared"], "takes");
            difference.clear();
        }
    }
    assert_eq!(value, blocks[1]);
    // Every change and field that can come out stands on the page.
    for word in ["added", "removed", "renamed", "reparented", "rest", "field", "keys", "unknown"] {
        assert!(PAGE.contains(&format!("`{word}`")), "{word}");
    }
}

fn rounded(value: &Value) -> Value {
    match value {
        Value::Number(number) => {
            let number = number.as_f64().unwrap();
            Value::from((number * 1e6).round() / 1e6 + 0.0)
        }
        Value::Array(items) => items.iter().map(rounded).collect(),
        Value::Object(map) => {
            map.iter().map(|(name, value)| (name.clone(), rounded(value))).collect()
        }
        other => other.clone(),
    }
}

fn folders(root: &Path) {
    let old = fs::read_to_string(data().join("old.anm")).unwrap();
    let new = fs::read_to_string(data().join("new.anm")).unwrap();
    for (path, text) in [
        ("monday/walk.anm", &old),
        ("tuesday/walk.anm", &new),
        ("monday/run/fast.anm", &old),
        ("tuesday/run/fast.anm", &old),
        ("monday/jump.anm", &old),
        ("tuesday/turn.anm", &old),
    ] {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

#[test]
fn folders_are_paired_by_name() {
    let folder = tempfile::tempdir().unwrap();
    folders(folder.path());
    let output = run(folder.path(), &["diff", "monday", "tuesday"]);
    assert_eq!((code(&output), stderr(&output)), (1, String::new()));
    let expected = "1 differs, 1 new, 1 gone, 1 same
gone     jump.anm
same     run/fast.anm
new      turn.anm
differs  walk.anm      3 pegs differ, worst 13.3 cm at frame 3 on thumb
";
    assert_eq!(stdout(&output), expected);
    assert_eq!(code(&run(folder.path(), &["diff", "monday/run", "tuesday/run"])), 0);
    fs::write(folder.path().join("tuesday/run/fast.anm"), "{").unwrap();
    let output = run(folder.path(), &["diff", "monday/run", "tuesday/run"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("fast.anm:1:"), "{}", stderr(&output));
    assert!(stdout(&output).contains("failed   fast.anm"), "{}", stdout(&output));
    assert_eq!(code(&run(folder.path(), &["diff", "monday", "tuesday/walk.anm"])), 2);
}

const RIG: &str = "name: Arm\nnodes:\n  - id: shoulder\n    kind: joint\n    position: [0, 1, 0]\n\
    \x20 - id: hand\n    kind: joint\n    parent: shoulder\n    position: [0.5, 0, 0]\n\
    \x20 - id: thumb\n    kind: joint\n    parent: hand\n    position: [0.25, 0, 0]\n";

/// The old take as a clip by hand: straight lines instead of its curves.
fn motion() -> String {
    let track = |part: &str, keys: &[(f64, f64)]| {
        let mut text = format!(
            "  - part: {part}\n    property: rotation\n    interpolation: linear\n    keys:\n"
        );
        for (frame, deg) in keys {
            let (time, z) = ((frame - 1.0) / 24.0, deg.to_radians());
            text += &format!("      - time: {time:.6}\n        value: [0, 0, {z}]\n");
        }
        text
    };
    let mut text =
        "binding: arm.rig\nmodel: Arm\nduration: 0.166667\nloop: false\ntracks:\n".to_owned();
    // The take does not keep it where it rests.
    text += "  - part: shoulder\n    property: position\n    interpolation: step\n    keys:\n      \
        - time: 0\n        value: [0, 0, 0]\n";
    text += &track("shoulder", &[(1.0, 0.0), (3.0, 20.0), (5.0, 0.0)]);
    text += &track("hand", &[(1.0, 0.0), (2.0, 8.0), (5.0, 0.0)]);
    text += &track("thumb", &[(1.0, 0.0), (4.0, 5.0)]);
    text
}

#[test]
fn a_take_against_the_pair_that_was_made_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let linear = fs::read_to_string(data().join("old.anm")).unwrap().replace("BEZIER", "LINEAR");
    fs::write(folder.path().join("arm.anm"), linear).unwrap();
    fs::write(folder.path().join("arm.rig"), RIG).unwrap();
    fs::write(folder.path().join("arm.motion"), motion()).unwrap();
    for pair in [["arm.anm", "arm.motion"], ["arm.motion", "arm.anm"]] {
        let output = run(folder.path(), &["diff", pair[0], pair[1]]);
        assert_eq!((code(&output), stderr(&output)), (0, String::new()), "{}", stdout(&output));
        assert!(stdout(&output).ends_with("nothing differs\n"), "{}", stdout(&output));
    }
    // Another rig in its place.
    fs::write(folder.path().join("long.rig"), RIG.replace("[0.5, 0, 0]", "[0.75, 0, 0]")).unwrap();
    let output = run(folder.path(), &["diff", "arm.anm", "arm.motion", "--rig", "long.rig"]);
    assert_eq!(code(&output), 1);
    assert!(stdout(&output).contains("hand: rest moved by 25.0 cm"), "{}", stdout(&output));
    // Two clips, of which one has lost its rig.
    fs::create_dir(folder.path().join("lost")).unwrap();
    let lost = motion().replace("arm.rig", "gone.rig").replace("0.166667", "0.25");
    fs::write(folder.path().join("lost/arm.motion"), lost).unwrap();
    let output = run(folder.path(), &["diff", "arm.motion", "lost/arm.motion"]);
    assert_eq!(code(&output), 1);
    let text = stdout(&output);
    assert!(text.contains("duration: 0.166667 → 0.25"), "{text}");
    assert!(text.contains("its rig gone.rig could not be read"), "{text}");
    // Kinds that have nothing in common.
    let output = run(folder.path(), &["diff", "arm.anm", "arm.rig"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("a take (.anm) and a rig have nothing to compare"));
}

/// What `convert` makes of an export is the same within its tolerances, either way round.
#[test]
fn what_was_converted_does_not_differ() {
    let folder = tempfile::tempdir().unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/anm/torso.anm");
    fs::copy(source, folder.path().join("torso.anm")).unwrap();
    let output = run(folder.path(), &["convert", "torso.anm", "--out", "out", "--space", "local"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let pair = ["diff", "torso.anm", "out/torso.motion", "--space", "local"];
    let output = run(folder.path(), &pair);
    assert_eq!(code(&output), 0, "{}{}", stdout(&output), stderr(&output));
}

/// A step on the last frame, whose time is rounded in the clip, and a scale that mirrors twice.
#[test]
fn steps_and_folded_scales_of_what_was_converted_do_not_differ() {
    let folder = tempfile::tempdir().unwrap();
    let key = |frame: u32, deg: u32| {
        format!(
            "{{\"frame\": {frame}, \"pos\": [0, 1, 0], \"rot\": [0, 0, {deg}], \
             \"scl\": [-1, 1, -1], \"interp\": \"CONSTANT\"}}"
        )
    };
    let take = format!(
        "{{\"format\": \"octo_anm\", \"version\": 4, \"source\": \"maya\", \
         \"frame_range\": [1, 20], \"fps\": 24.0, \"coordinate_system\": {{\"up\": \"y\", \
         \"hand\": \"right\", \"unit\": \"meters\", \"rot_order\": \"xyz\", \
         \"rot_repr_anim\": \"euler_deg\", \"rot_repr_rest\": \"quat_wxyz\"}}, \
         \"pegs\": [{{\"name\": \"hip\", \"keyframes\": [{}, {}, {}]}}]}}",
        key(1, 0),
        key(10, 45),
        key(20, 90)
    );
    fs::write(folder.path().join("step.anm"), take).unwrap();
    let convert = ["convert", "step.anm", "--out", "out", "--space", "local"];
    let output = run(folder.path(), &convert);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let pair = ["diff", "step.anm", "out/step.motion", "--space", "local"];
    let output = run(folder.path(), &pair);
    assert_eq!(code(&output), 0, "{}{}", stdout(&output), stderr(&output));
}

#[test]
fn what_cannot_be_read_is_said() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("broken.anm"), "{\"format\": \"octo_anm\", \"version\": 3}")
        .unwrap();
    fs::copy(data().join("old.anm"), folder.path().join("old.anm")).unwrap();
    let output = run(folder.path(), &["diff", "old.anm", "broken.anm"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("unsupported version 3"), "{}", stderr(&output));
    assert_eq!(stdout(&output), "");
    let output = run(folder.path(), &["diff", "old.anm", "none.anm"]);
    assert_eq!(code(&output), 2);
    // Where the numbers do not tell the space, keys are compared and poses wait for a word.
    let peg = "{\"format\": \"octo_anm\", \"version\": 4, \"pegs\": [{\"name\": \"a\", \
        \"rest_pivot\": [1, 0, 0], \"keyframes\": [{\"frame\": 1, \"pos\": [0, 0, 0], \
        \"rot\": [0, 0, 0]}]}]}";
    fs::write(folder.path().join("a.anm"), peg).unwrap();
    fs::write(folder.path().join("b.anm"), peg.replace("\"pos\": [0", "\"pos\": [2")).unwrap();
    let output = run(folder.path(), &["diff", "a.anm", "b.anm"]);
    let text = stdout(&output);
    assert!(text.contains("a: position changed by 2.00 m (frame 1)"), "{text}");
    assert!(text.contains("undecided") && text.contains("--space"), "{text}");
    let output = run(folder.path(), &["diff", "a.anm", "b.anm", "--space", "local"]);
    assert!(stdout(&output).contains("worst 2.00 m at frame 1 on a"), "{}", stdout(&output));
    let help = run(folder.path(), &["diff", "--help"]);
    assert!(stdout(&help).contains("posewright diff walk.old.anm walk.anm"));
}

/// Only the first items of a long list of words are held as nodes; what it says is compared whole.
#[test]
fn long_unknown_lists_are_compared_to_their_ends() {
    let words = |changed: usize| -> Vec<String> {
        let word = |at: usize| match at {
            _ if at == changed => "9".to_owned(),
            _ if at.is_multiple_of(3) => format!("[{at}, 0]"),
            _ => at.to_string(),
        };
        (0..3000).map(word).collect()
    };
    let flow = |changed| format!("[{}]", words(changed).join(", "));
    let clip = |top: &str, track: &str, key: &str| {
        format!(
            "format: {{version: 1.0.0}}\nmodel: R\nduration: 1\nloop: false\ntop: {top}\ntracks:\n\
             \x20 - part: n\n    property: position\n    interpolation: linear\n    \
             note: {{deep: {track}}}\n    keys:\n      - time: 0\n        value: [0, 0, 0]\n        \
             note: {key}\n"
        )
    };
    let take = |top: &str, peg: &str, key: &str| {
        format!(
            "{{\"format\": \"octo_anm\", \"version\": 4, \"fps\": 24, \"frame_range\": [1, 2], \
             \"top\": {top}, \"pegs\": [{{\"name\": \"p\", \"note\": {{\"deep\": {peg}}}, \
             \"keyframes\": [{{\"frame\": 1, \"rot\": [0, 0, 0], \"note\": {key}}}]}}]}}"
        )
    };
    let dir = tempfile::tempdir().unwrap();
    let differ = |kind: &str, a: &str, b: &str| {
        fs::write(dir.path().join(format!("a.{kind}")), a).unwrap();
        fs::write(dir.path().join(format!("b.{kind}")), b).unwrap();
        code(&run(dir.path(), &["diff", &format!("a.{kind}"), &format!("b.{kind}")]))
    };
    let same = flow(3000);
    let close = same.replace(", ", ",");
    let block: String = words(3000).iter().map(|word| format!("\n  - {word}")).collect();
    for at in [5, 1024, 1500, 2999] {
        let other = flow(at);
        let old = clip(&same, &same, &same);
        assert_eq!(differ("motion", &old, &clip(&other, &same, &same)), 1, "top {at}");
        assert_eq!(differ("motion", &old, &clip(&same, &other, &same)), 1, "track {at}");
        assert_eq!(differ("motion", &old, &clip(&same, &same, &other)), 1, "key {at}");
        let old = take(&same, &same, &same);
        assert_eq!(differ("anm", &old, &take(&other, &same, &same)), 1, "export {at}");
        assert_eq!(differ("anm", &old, &take(&same, &other, &same)), 1, "peg {at}");
        assert_eq!(differ("anm", &old, &take(&same, &same, &other)), 1, "keyframe {at}");
    }
    // However they are written.
    let old = clip(&same, &same, &same);
    assert_eq!(differ("motion", &old, &clip(&block, &close, &close)), 0);
    assert_eq!(differ("anm", &take(&same, &same, &same), &take(&close, &close, &close)), 0);
}
