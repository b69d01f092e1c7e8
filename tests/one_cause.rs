//! One problem a cause, and every cause its problem.
#![allow(clippy::unwrap_used)] // A failed unwrap is a failed test.

use posewright::format::FileKind;
use posewright::io::check_text;
use std::path::Path;

/// The problems of a file as `code path`, without infos.
fn problems(name: &str, text: &str) -> Vec<String> {
    let checked = check_text(Path::new(name), text.to_owned(), None);
    let told = checked.opened.problems.iter();
    let told = told.filter(|p| p.severity != posewright::diagnostic::Severity::Info);
    told.map(|p| format!("{} {}", p.code, p.path)).collect()
}

fn message(name: &str, text: &str) -> String {
    check_text(Path::new(name), text.to_owned(), None).opened.problems[0].message.clone()
}

const CLIP: &str = "\
format: {version: 1.0.0}
model: R
duration: 4
loop: false
tracks:
  - part: n
    property: scale
    interpolation: linear
    keys:
      - {time: 0, value: [1, 1, 1]}
      - {time: 1, value: [1, 1, 1]}
";

#[test]
fn of_a_clip() {
    let cases: &[(&str, &str, &[&str])] = &[
        ("model: R\nduration: 4\n", "", &["model-duration model"]),
        ("model: R\n", "", &["model-duration model"]),
        ("duration: 4\n", "", &["model-duration duration"]),
        (
            "model: R\nduration: 4\n",
            "model: []\nduration: x\n",
            &["model-duration model", "model-duration duration"],
        ),
        (
            "[1, 1, 1]}\n      - {time: 1",
            "[-1, 1e9, 1]}\n      - {time: 1",
            &["key-scale tracks[0].keys[0].value", "value-range tracks[0].keys[0].value"],
        ),
        ("duration: 4", "duration: 4000", &["model-duration duration"]),
        ("duration: 4", "duration: 0", &["model-duration duration"]),
    ];
    for (from, to, wanted) in cases {
        let text = CLIP.replacen(from, to, 1);
        assert_ne!(text, CLIP, "{from}");
        assert_eq!(problems("a.motion", &text), *wanted, "{text}");
    }
    // A time that lies in no clip at all does so also where the length is none.
    let text = CLIP.replace("duration: 4", "duration: no").replace("time: 1", "time: 3601");
    let wanted = ["model-duration duration", "key-times tracks[0].keys[1].time"];
    assert_eq!(problems("a.motion", &text), wanted);
    let rig = "name: R\nnodes:\n  - {id: a, kind: joint, scale: [0, 2e6, 1]}\n";
    assert_eq!(problems("a.rig", rig), ["node-scale nodes[0].scale", "value-range nodes[0].scale"]);
}

#[test]
fn old_style_versions_are_numbers_and_shown_as_written() {
    let clip = |version: &str| {
        let bare = CLIP.replace("format: {version: 1.0.0}\n", "").replace("scale", "position");
        format!("version: {version}\nbinding: a.rig\n{bare}")
    };
    let code =
        |version: &str| problems("a.motion", &clip(version)).first().cloned().unwrap_or_default();
    // Numbers of YAML 1.2 (M5b), however they are spelled.
    for version in ["2", "2.0", "+2", "02", "0x2", "2e0", "1", "1.", "0o1"] {
        assert_ne!(code(version), "clip-version version", "{version}");
    }
    for version in ["3", "\"2\"", "'1'", "2.0.0", "0b10", "[2]", "true"] {
        assert_eq!(code(version), "clip-version version", "{version}");
        let wanted = format!(".motion file: `version: {version}` is not a clip version");
        assert_eq!(message("a.motion", &clip(version)), wanted);
    }
    let rig = "version: \"1\"\nname: R\nnodes: [{id: a, kind: joint}]\n";
    assert_eq!(message("a.rig", rig), ".rig file: `version: \"1\"` is no longer used");
    // Under `format` it is no number but a version: components of decimal digits.
    for (version, reads) in [
        ("1", true),
        ("\"1.0\"", true),
        ("01", true),
        ("0x1", false),
        ("+1", false),
        ("1e0", false),
    ] {
        let text = CLIP.replace("1.0.0", version);
        let found = problems("a.motion", &text);
        assert_eq!(found.is_empty(), reads, "{version}: {found:?}");
    }
}

#[test]
fn only_entities_make_a_scene() {
    let kind =
        |name: &str, text: &str| check_text(Path::new(name), text.to_owned(), None).opened.kind;
    for name in ["y.yaml", "y.yml", "y.scene"] {
        assert_eq!(kind(name, "a: 1\n"), FileKind::Unknown, "{name}");
        assert_eq!(kind(name, "entities: []\n"), FileKind::Scene, "{name}");
        assert_eq!(kind(name, "entities: 5\n"), FileKind::Scene, "{name}");
        assert_eq!(kind(name, "entities:\n"), FileKind::Scene, "{name}");
        assert_eq!(kind(name, "tracks: []\n"), FileKind::Motion, "{name}");
    }
    assert_eq!(problems("y.yaml", "a: 1\n"), ["unsupported "]);
}

const TAKE: &str = "{\"format\": \"octo_anm\", \"version\": 4, \"source\": \"maya\", \"fps\": 24, \
                    \"frame_range\": [0, 1], \"coordinate_system\": {\"up\": \"y\", \"hand\": \
                    \"right\", \"unit\": \"meters\", \"rot_order\": \"xyz\", \"rot_repr_anim\": \
                    \"euler_deg\", \"rot_repr_rest\": \"quat_wxyz\"}, \"pegs\": [{\"name\": \"a\", \
                    \"keyframes\": [{\"frame\": 0, \"pos\": [0, 0, 0], \"rot\": [0, 0, 0], \
                    \"scl\": [1, 1, 1], \"interp\": \"LINEAR\"}, {\"frame\": 1, \"pos\": [1, 0, \
                    0], \"rot\": [0, 0, 0], \"scl\": [1, 1, 1], \"interp\": \"LINEAR\"}]}]}";

#[test]
fn of_a_take() {
    assert_eq!(problems("a.anm", TAKE), Vec::<String>::new());
    let key = "pegs[0].keyframes[0]";
    let cases = [
        ("\"fps\": 24", "\"fps\": \"24\"", "wrong-value fps".to_owned()),
        ("\"fps\": 24, ", "", "missing-field fps".to_owned()),
        ("[0, 1]", "\"0-1\"", "wrong-value frame_range".to_owned()),
        ("\"pos\": [0, 0, 0]", "\"pos\": [0, 0]", format!("wrong-value {key}.pos")),
        ("\"rot\": [0, 0, 0]", "\"rot\": \"x\"", format!("wrong-value {key}.rot")),
        ("\"scl\": [1, 1, 1]", "\"scl\": 1", format!("wrong-value {key}.scl")),
        ("\"interp\": \"LINEAR\"", "\"interp\": 5", format!("wrong-field {key}.interp")),
        ("\"interp\": \"LINEAR\"", "\"x\": 5", format!("missing-field {key}.interp")),
    ];
    for (from, to, wanted) in cases {
        let text = TAKE.replacen(from, to, 1);
        assert_ne!(text, TAKE, "{from}");
        assert_eq!(problems("a.anm", &text), [wanted], "{text}");
    }
    let start = TAKE.find("{\"up\"").unwrap();
    let end = TAKE.find("}, \"pegs\"").unwrap() + 1;
    let text = TAKE.replace(&TAKE[start..end], "5");
    assert_eq!(problems("a.anm", &text), ["wrong-value coordinate_system"]);
    let start = TAKE.find("[{\"frame\"").unwrap();
    let text = TAKE.replace(&TAKE[start..TAKE.len() - 3], "5");
    assert_eq!(problems("a.anm", &text), ["wrong-value pegs[0].keyframes"]);
}

#[test]
fn json_that_is_no_object_is_json_and_no_export() {
    for text in ["[]", "1", "\"x\"", "null", "[1, 2]", "true", " 1.5 "] {
        for name in ["a.anm", "a.pvt"] {
            assert_eq!(problems(name, text), ["export-format "], "{text}");
            assert!(message(name, text).contains("this JSON is none"), "{}", message(name, text));
        }
    }
    assert_eq!(problems("a.anm", "[")[0], "syntax ");
}

#[test]
fn numbers_in_sentences_are_short() {
    for number in ["1e-300", "-1e300", "1e300", "123456789012345678901234567890"] {
        let key = TAKE.find("{\"frame\": 0").unwrap();
        let mut all = vec![
            TAKE.replace("\"fps\": 24", &format!("\"fps\": {number}")),
            TAKE.replace("[0, 1]", &format!("[0, {number}]")),
            TAKE.replace("[0, 1]", &format!("[{number}, {number}]")),
        ];
        for field in ["\"frame\": 0", "\"pos\": [0", "\"rot\": [0", "\"scl\": [1", "\"scl\": [1, 1"]
        {
            let value = &field[field.rfind(['[', ' ']).unwrap() + 1..];
            let wild = field.strip_suffix(value).unwrap().to_owned() + number;
            all.push(format!("{}{}", &TAKE[..key], TAKE[key..].replacen(field, &wild, 1)));
        }
        for text in all {
            assert_ne!(text, TAKE);
            let checked = check_text(Path::new("a.anm"), text.clone(), None);
            for problem in checked.opened.problems {
                let digits = problem.message.split(|c: char| !c.is_ascii_digit());
                let longest = digits.map(str::len).max().unwrap_or(0);
                assert!(longest <= 18, "{}", problem.message);
            }
        }
    }
}
