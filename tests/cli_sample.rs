//! `posewright sample`, as it is called by scripts.
#![allow(clippy::unwrap_used)] // A test stops where something is not as it should be.

use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::{Command, Output};

const CLIP: &str = "binding: rig.rig\nmodel: R\nduration: 2\nloop: true\ntracks:\n  \
    - part: hand\n    property: position\n    interpolation: linear\n    keys:\n      \
    - time: 0\n        value: [0, 0, 0]\n      - time: 2\n        value: [4, 0, 0]\n";
const RIG: &str = "name: R\nnodes:\n  - id: hand\n    kind: joint\n    parent: arm\n  - id: arm\n    \
    kind: joint\n    position: [0, 1, 0]\n    scale: [2, 1, 1]\n";

struct Project(tempfile::TempDir);

impl Project {
    fn new(files: &[(&str, &str)]) -> Self {
        let project = Project(tempfile::tempdir().unwrap());
        for (name, text) in files {
            std::fs::write(project.path(name), text).unwrap();
        }
        project
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn sample(&self, arguments: &[&str]) -> Output {
        let program = env!("CARGO_BIN_EXE_posewright");
        let mut command = Command::new(program);
        command.current_dir(self.0.path()).arg("sample").args(arguments).output().unwrap()
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let output = self.sample(arguments);
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{words}");
        serde_json::from_slice(&output.stdout).unwrap()
    }

    fn refused(&self, arguments: &[&str]) -> (i32, String) {
        let output = self.sample(arguments);
        assert!(output.stdout.is_empty(), "an answer besides the refusal");
        (output.status.code().unwrap(), String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

#[test]
fn every_node_of_the_bound_rig_is_there_at_every_time() {
    let project = Project::new(&[("a.motion", CLIP), ("rig.rig", RIG)]);
    let answer = project.json(&["a.motion", "--time", "0.5,-3,9", "--format", "json"]);
    let moment = json!({
        "time": 0.5, "weight": 1.0,
        "parts": {
            "hand": {
                "local": {"position": [1.0, 0.0, 0.0], "rotation": [1.0, 0.0, 0.0, 0.0], "scale": [1.0, 1.0, 1.0]},
                "world": {"position": [2.0, 1.0, 0.0], "rotation": [1.0, 0.0, 0.0, 0.0], "scale": [2.0, 1.0, 1.0]},
            },
            "arm": {
                "local": {"position": [0.0, 1.0, 0.0], "rotation": [1.0, 0.0, 0.0, 0.0], "scale": [2.0, 1.0, 1.0]},
                "world": {"position": [0.0, 1.0, 0.0], "rotation": [1.0, 0.0, 0.0, 0.0], "scale": [2.0, 1.0, 1.0]},
            },
        },
    });
    assert_eq!(answer[0], moment);
    // Clamped, never wrapped, though the clip loops.
    assert_eq!(answer[1]["time"], json!(0.0));
    assert_eq!(answer[2]["time"], json!(2.0));
    assert_eq!(answer[2]["parts"]["hand"]["local"]["position"], json!([4.0, 0.0, 0.0]));
    let half = project.json(&["a.motion", "--time", "2", "--weight", "0.5", "--format", "json"]);
    assert_eq!(half[0]["parts"]["hand"]["local"]["position"], json!([2.0, 0.0, 0.0]));
    assert_eq!(half[0]["weight"], json!(0.5));
}

#[test]
fn the_rig_may_be_given_and_a_model_clip_needs_none() {
    let other = RIG.replace("[0, 1, 0]", "[0, 7, 0]");
    let model = CLIP.replace("binding: rig.rig\n", "format:\n  version: 1.0.0\n");
    let project = Project::new(&[("a.motion", CLIP), ("o.rig", &other), ("m.motion", &model)]);
    // The binding is not there, and does not matter then.
    let given = project.json(&["a.motion", "--rig", "o.rig", "--time", "1", "--format", "json"]);
    assert_eq!(given[0]["parts"]["hand"]["world"]["position"], json!([4.0, 7.0, 0.0]));
    let alone = project.json(&["m.motion", "--time", "1", "--format", "json"]);
    let parts = alone[0]["parts"].as_object().unwrap();
    assert_eq!(parts.keys().collect::<Vec<_>>(), ["hand"]);
    assert_eq!(parts["hand"]["local"], parts["hand"]["world"]);
}

#[test]
fn refusals_say_why_and_print_nothing() {
    let broken = CLIP.replace("time: 2\n", "time: 0\n");
    let model = CLIP.replace("binding: rig.rig\n", "format:\n  version: 1.0.0\n");
    let handless = RIG.replace("hand", "foot");
    let files = [
        ("a.motion", CLIP),
        ("broken.motion", &broken),
        ("m.motion", &model),
        ("handless.rig", &handless),
        ("r.rig", RIG),
    ];
    let project = Project::new(&files);
    let refused = |arguments: &[&str], code: i32, words: &str| {
        let (got, message) = project.refused(arguments);
        assert_eq!((got, message.contains(words)), (code, true), "{arguments:?}: {message}");
    };
    refused(&["broken.motion", "--time", "0"], 1, "Key times must increase strictly");
    refused(&["a.motion", "--time", "0"], 1, "rig.rig");
    refused(
        &["a.motion", "--rig", "handless.rig", "--time", "0"],
        1,
        "Animation part is missing: hand",
    );
    refused(&["m.motion", "--rig", "r.rig", "--time", "0"], 1, "does not match its joint/scene");
    refused(&["a.motion", "--rig", "nowhere.rig", "--time", "0"], 2, "nowhere.rig");
    refused(&["nowhere.motion", "--time", "0"], 2, "nowhere.motion");
    refused(&["r.rig", "--time", "0"], 2, "no poses to sample");
    refused(&["a.motion"], 2, "--time");
    refused(&["a.motion", "--time", "soon"], 2, "soon");
    refused(&["a.motion", "--time", "nan"], 2, "finite");
}

#[test]
fn minus_zero_is_zero() {
    let folder = tempfile::tempdir().unwrap();
    let clip = "format: {version: 1.0.0}\nmodel: R\nduration: 1\nloop: false\ntracks:\n  - {part: n, property: position, interpolation: linear, keys: [{time: 0, value: [0, 0, 0]}]}\n";
    std::fs::write(folder.path().join("a.motion"), clip).unwrap();
    for format in ["json", "text"] {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_posewright"))
            .args(["sample", "a.motion", "--time=-0.0,-1,0", "--weight=-0.0", "--format", format])
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(!text.contains("\"time\": -0") && !text.contains("\"weight\": -0"), "{text}");
        assert!(!text.contains("time -0") && !text.contains("weight -0"), "{text}");
    }
}
