//! What a lead is told of a take (A3), with the worked numbers of the rules.
#![allow(clippy::unwrap_used)] // A test that cannot go on should stop.

use posewright::diagnostic::{Problem, Severity};
use posewright::io::check_text;
use std::fmt::Write;
use std::path::Path;

fn check(name: &str, text: &str) -> Vec<Problem> {
    let checked = check_text(Path::new(name), text.to_owned(), None);
    let opened = checked.opened;
    for problem in &opened.problems {
        let span = problem.span.clone().unwrap_or_else(|| panic!("{problem:?}"));
        assert!(text.get(span).is_some_and(|s| !s.is_empty()), "{problem:?}");
        assert!(problem.position.is_some() && !problem.message.is_empty());
    }
    let severities: Vec<Severity> = opened.problems.iter().map(|p| p.severity).collect();
    assert!(severities.is_sorted(), "the worst first");
    opened.problems
}

const HEAD: &str = r#"{"format": "octo_anm", "version": 4, "source": "blender", "frame_range": [1, 10], "fps": 24,
"coordinate_system": {"up": "y", "hand": "right", "unit": "meters", "rot_order": "xyz",
 "rot_repr_anim": "euler_deg", "rot_repr_rest": "quat_wxyz"},
"pegs": [
"#;

/// Two pegs in order: hip, and leg below it; `leg` are the leg's keys, one a line.
fn take(leg: &[&str]) -> String {
    let hip = r#"{"name": "hip", "rig": "r", "keyframes": [
{"frame": 1, "pos": [0, 1, 0], "rot_quat": [1, 0, 0, 0], "scl": [1, 1, 1], "interp": "LINEAR"},
{"frame": 10, "pos": [0, 1.1, 0], "rot_quat": [1, 0, 0, 0], "scl": [1, 1, 1], "interp": "LINEAR"}]},
{"name": "leg", "rig": "r", "parent": "hip", "rest_pivot": [0, -0.5, 0], "keyframes": [
"#;
    format!("{HEAD}{hip}{}]}}\n],\n\"cameras\": []}}\n", leg.join(",\n"))
}

/// A key with everything, some of it replaced.
fn key(frame: f64, fields: &[(&str, &str)]) -> String {
    let mut all = vec![
        ("pos", format!("[0, {}, 0]", -0.5 - frame / 100.0)),
        ("rot_quat", "[1, 0, 0, 0]".to_owned()),
        ("scl", "[1, 1, 1]".to_owned()),
        ("interp", "\"LINEAR\"".to_owned()),
    ];
    for (name, value) in fields {
        all.retain(|(have, _)| have != name);
        if !value.is_empty() {
            all.push((name, (*value).to_owned()));
        }
    }
    let mut text = format!("{{\"frame\": {frame}");
    for (name, value) in all {
        let _ = write!(text, ", \"{name}\": {value}");
    }
    text + "}"
}

fn keys(list: &[(f64, &[(&str, &str)])]) -> String {
    let keys: Vec<String> = list.iter().map(|(frame, fields)| key(*frame, fields)).collect();
    take(&keys.iter().map(String::as_str).collect::<Vec<_>>())
}

fn is_clean(text: &str) {
    let problems = check("a.anm", text);
    assert!(problems.is_empty(), "{problems:#?}");
}

#[test]
fn a_good_take_has_nothing_to_say() {
    is_clean(&keys(&[(1.0, &[]), (2.5, &[]), (10.0, &[])]));
}

/// (what is wrong, its code, its severity, the path, the frame, words of the sentence)
type Case<'a> = (String, &'a str, Severity, &'a str, Option<f64>, &'a [&'a str]);

fn judge(cases: Vec<Case>) {
    for (text, code, severity, path, frame, words) in cases {
        let problems = check("a.anm", &text);
        let found = problems.iter().find(|p| p.code == code && p.path == path);
        let problem = found.unwrap_or_else(|| panic!("{code} {path}: {problems:#?}\n{text}"));
        assert_eq!(problem.severity, severity, "{code}");
        for word in words {
            assert!(problem.message.contains(word), "{code}: {}", problem.message);
        }
        if path.starts_with("pegs[") {
            let subject = problem.subject.as_ref().unwrap();
            let name = if subject.index == 0 { "hip" } else { "leg" };
            assert_eq!((subject.peg.as_str(), subject.frame), (name, frame), "{code}");
        }
        // Nothing else is wrong with it but what comes of the same.
        let others = problems.iter().filter(|p| p.code != code).collect::<Vec<_>>();
        assert!(others.len() <= 2, "{code}: {others:#?}");
    }
}

#[test]
fn what_is_wrong_with_keys() {
    use Severity::{Error, Info, Warning};
    let two = |a: &[(&str, &str)], b: &[(&str, &str)]| keys(&[(1.0, a), (6.0, b)]);
    let second = "pegs[1].keyframes[1]";
    let at =
        |field: &str| -> &'static str { Box::leak(format!("{second}.{field}").into_boxed_str()) };
    judge(vec![
        (
            two(
                &[],
                &[
                    ("rot", "[30, 40, 50]"),
                    ("rot_quat", "[0.785221, 0.360042, 0.196628, 0.463827]"),
                ],
            ),
            "rotations-far-apart",
            Error,
            at("rot"),
            Some(6.0),
            &["44.9004", "° apart", "intrinsic XYZ"],
        ),
        (
            two(&[], &[("rot", "[0, 0, 1]")]),
            "rotations-apart",
            Warning,
            at("rot"),
            Some(6.0),
            &["1.000000° apart"],
        ),
        (
            two(&[("rot_quat", "[1, 0, 0, 0]")], &[("rot_quat", "[-1, 0, 0, 0]")]),
            "hemisphere",
            Info,
            at("rot_quat"),
            Some(6.0),
            &["opposite hemisphere"],
        ),
        (
            two(
                &[("rot", "[0, 0, 0]"), ("rot_quat", "")],
                &[("rot", "[0, 0, 180]"), ("rot_quat", "")],
            ),
            "euler-jump",
            Warning,
            at("rot"),
            Some(6.0),
            &["z jumps from 0.000°", "to 180.000°"],
        ),
        (
            two(&[("rot", "[0, 0, 0]")], &[("rot", "[0, 0, 720]")]),
            "spin-lost",
            Warning,
            at("rot"),
            Some(6.0),
            &["720.000°", "turn 0.000°"],
        ),
        (
            two(&[], &[("rot", "[0, 90, 0]"), ("rot_quat", "")]),
            "gimbal",
            Info,
            at("rot"),
            Some(6.0),
            &["y is 90.000°"],
        ),
        (
            two(&[], &[("rot_quat", "[0, 0, 0, 0]")]),
            "quaternion-zero",
            Error,
            at("rot_quat"),
            Some(6.0),
            &["refuses"],
        ),
        (
            two(&[], &[("rot_quat", "[1.01, 0, 0, 0]")]),
            "quaternion-length",
            Warning,
            at("rot_quat"),
            Some(6.0),
            &["1.010000"],
        ),
        (two(&[], &[("rot_quat", "")]), "no-rotation", Error, second, Some(6.0), &["refuses"]),
        (
            two(&[], &[("pos", "")]),
            "missing-field",
            Warning,
            at("pos"),
            Some(6.0),
            &["`pos` is missing"],
        ),
        (two(&[], &[("scl", "")]), "missing-field", Warning, at("scl"), Some(6.0), &["`scl`"]),
        (
            two(&[], &[("interp", "")]),
            "missing-field",
            Warning,
            at("interp"),
            Some(6.0),
            &["BEZIER"],
        ),
        (
            two(&[], &[("interp", "\"EASE\"")]),
            "unknown-interp",
            Warning,
            at("interp"),
            Some(6.0),
            &["BEZIER"],
        ),
        (
            two(&[], &[("scl", "[-1, 1, 1]")]),
            "scale-mirrored",
            Error,
            at("scl"),
            Some(6.0),
            &["mirrors"],
        ),
        (
            two(&[], &[("scl", "[-1, -1, -1]")]),
            "scale-mirrored",
            Error,
            at("scl"),
            Some(6.0),
            &["mirrors"],
        ),
        (
            two(&[], &[("scl", "[-1, -1, 1]")]),
            "scale-sign",
            Warning,
            at("scl"),
            Some(6.0),
            &["half a turn"],
        ),
        (
            two(&[], &[("scl", "[0, 1, 1]")]),
            "scale-sign",
            Warning,
            at("scl"),
            Some(6.0),
            &["0.0001"],
        ),
        (
            two(&[], &[("scl", "[100, 100, 100]")]),
            "size-jump",
            Warning,
            at("scl"),
            Some(6.0),
            &["unit"],
        ),
        (
            two(&[], &[("scl", "[0.01, 0.01, 0.01]")]),
            "size-jump",
            Warning,
            at("scl"),
            Some(6.0),
            &["unit"],
        ),
        (
            two(&[], &[("pos", "[0, -60, 0]")]),
            "size-jump",
            Warning,
            at("pos"),
            Some(6.0),
            &["unit"],
        ),
        (
            keys(&[(1.0, &[]), (6.0, &[]), (3.0, &[])]),
            "key-order",
            Warning,
            "pegs[1].keyframes[2].frame",
            Some(3.0),
            &["sorted"],
        ),
        (
            keys(&[(1.0, &[]), (6.0, &[]), (6.0, &[])]),
            "key-twice",
            Warning,
            "pegs[1].keyframes[2].frame",
            Some(6.0),
            &["last one"],
        ),
        (
            keys(&[(1.0, &[]), (11.0, &[])]),
            "key-outside",
            Warning,
            at("frame"),
            Some(11.0),
            &["outside the range 1–10"],
        ),
        (
            keys(&[(1.0, &[]), (1e9, &[("pos", "[0, -1, 0]")])]),
            "odd-frame",
            Warning,
            at("frame"),
            Some(1e9),
            &["no frame of a film"],
        ),
        (
            keys(&[(1.0, &[("pos", "[0,1,0]")]), (6.0, &[("pos", "[0,1,0]")])]),
            "never-moves",
            Warning,
            "pegs[1].keyframes",
            None,
            &["2 keys"],
        ),
        (take(&[]), "no-keys", Warning, "pegs[1].keyframes", None, &["no keys"]),
        (
            two(
                &[
                    ("interp", "\"BEZIER\""),
                    ("handles", r#"{"pos": [[[0, 0], [-2, 0]], null, null]}"#),
                ],
                &[],
            ),
            "handle-backwards",
            Warning,
            "pegs[1].keyframes[0].handles.pos",
            Some(1.0),
            &["pos x", "3.0000"],
        ),
        (
            two(
                &[
                    ("interp", "\"BEZIER\""),
                    ("handles", r#"{"rot": [null, [[0, 0], [8, 0]], null]}"#),
                ],
                &[],
            ),
            "handle-long",
            Warning,
            "pegs[1].keyframes[0].handles.rot",
            Some(1.0),
            &["rot y", "7.0000", "5.0000"],
        ),
        (
            two(&[("interp", "\"BEZIER\"")], &[]),
            "no-handles",
            Info,
            "pegs[1].keyframes[0].interp",
            Some(1.0),
            &["1 peg", "own default is unknown"],
        ),
    ]);
}

#[test]
fn an_ordinary_wrap_is_no_lost_spin() {
    let quat = |degrees: f64| {
        let half = (degrees.to_radians()) / 2.0;
        format!("[{}, 0, 0, {}]", half.cos(), half.sin())
    };
    let (a, b) = (quat(179.0), quat(-179.0));
    let text = keys(&[
        (1.0, &[("rot", "[0, 0, 179]"), ("rot_quat", &a)]),
        (6.0, &[("rot", "[0, 0, -179]"), ("rot_quat", &b)]),
    ]);
    let codes: Vec<&str> = check("a.anm", &text).iter().map(|p| p.code).collect();
    assert_eq!(codes, ["euler-jump", "hemisphere"]);
}

#[test]
fn axes_orders_and_radians_of_the_header_count() {
    let disagree =
        [("rot", "[30, 40, 50]"), ("rot_quat", "[0.785221, 0.360042, 0.196628, 0.463827]")];
    let text = keys(&[(1.0, &[]), (6.0, &disagree)]);
    let codes = |text: &str| check("a.anm", text).iter().map(|p| p.code).collect::<Vec<_>>();
    let zyx = text.replace("\"rot_order\": \"xyz\"", "\"rot_order\": \"ZYX\"");
    assert_eq!(codes(&zyx), ["not-canonical"]);
    let ignored = text.replace("\"euler_deg\"", "\"quat_wxyz\"");
    assert_eq!(codes(&ignored), ["not-canonical"]);
    let radians = keys(&[
        (1.0, &[]),
        (6.0, &[("rot", "[0, 0, 1.5]"), ("rot_quat", "[0.731689, 0, 0, 0.681639]")]),
    ]);
    assert_eq!(codes(&radians.replace("\"euler_deg\"", "\"euler_rad\"")), ["not-canonical"]);
    assert_eq!(codes(&radians), ["rotations-far-apart"]);
}

#[test]
fn what_is_wrong_with_the_header_and_the_hierarchy() {
    use Severity::{Error, Info, Warning};
    let good = keys(&[(1.0, &[]), (10.0, &[])]);
    let with = |from: &str, to: &str| {
        assert!(good.contains(from), "{from}");
        good.replacen(from, to, 1)
    };
    judge(vec![
        (with("\"fps\": 24", "\"fps\": 0"), "fps", Error, "fps", None, &["refuses"]),
        (with("\"fps\": 24", "\"fps\": -1"), "fps", Error, "fps", None, &["-1"]),
        (with("\"fps\": 24", "\"fps\": 1e-300"), "odd-fps", Warning, "fps", None, &[]),
        (with("\"fps\": 24", "\"fps\": 1e9"), "odd-fps", Warning, "fps", None, &[]),
        (with("\"fps\": 24,", ""), "missing-field", Warning, "fps", None, &["24 frames"]),
        (
            with("\"frame_range\": [1, 10], ", ""),
            "missing-field",
            Warning,
            "frame_range",
            None,
            &["1–10"],
        ),
        (with("[1, 10]", "[10, 1]"), "range-reversed", Error, "frame_range", None, &["reversed"]),
        (with("[1, 10]", "[1, 1]"), "range-empty", Warning, "frame_range", None, &[]),
        (with("[1, 10]", "[1, 100000]"), "too-long", Error, "frame_range", None, &["3600"]),
        (with("blender", "houdini"), "unknown-source", Info, "source", None, &["houdini"]),
        (
            with("\"up\": \"y\"", "\"up\": \"z\""),
            "not-canonical",
            Warning,
            "coordinate_system.up",
            None,
            &["y up"],
        ),
        (
            with("\"up\": \"y\"", "\"up\": \"x\""),
            "coordinates",
            Error,
            "coordinate_system.up",
            None,
            &["no known word"],
        ),
        (
            with("\"up\": \"y\", ", ""),
            "coordinates",
            Error,
            "coordinate_system.up",
            None,
            &["missing"],
        ),
        (
            with("\"right\"", "\"left\""),
            "not-canonical",
            Warning,
            "coordinate_system.hand",
            None,
            &["mirror"],
        ),
        (
            with("\"y\", \"hand\": \"right\"", "\"z\", \"hand\": \"left\""),
            "coordinates",
            Error,
            "coordinate_system.hand",
            None,
            &["Up z"],
        ),
        (with("\"meters\"", "\"mm\""), "rig-size", Warning, "pegs[0]", None, &["0.0005 m"]),
        (
            with("\"quat_wxyz\"", "\"euler_deg\""),
            "coordinates",
            Error,
            "coordinate_system.rot_repr_rest",
            None,
            &[],
        ),
        (
            with("[0, -0.5, 0]", "[0, -150, 0]"),
            "rig-size",
            Warning,
            "pegs[0]",
            None,
            &["150.0000 m"],
        ),
        (
            with("\"parent\": \"hip\"", "\"parent\": \"hop\""),
            "no-such-parent",
            Error,
            "pegs[1].parent",
            None,
            &["hop"],
        ),
        (
            with("\"parent\": \"hip\"", "\"parent\": \"leg\""),
            "parent-loop",
            Error,
            "pegs[1].parent",
            None,
            &["loop", "leg"],
        ),
        (
            with("\"rest_pivot\"", "\"rest_rotation\": [0, 0, 0, 0], \"rest_pivot\""),
            "quaternion-zero",
            Error,
            "pegs[1].rest_rotation",
            None,
            &[],
        ),
        (
            with("\"rig\": \"r\", \"parent\"", "\"rig\": \"q\", \"parent\""),
            "several-rigs",
            Warning,
            "pegs",
            None,
            &["q, r"],
        ),
        (
            with(
                "\"cameras\": []",
                "\"cameras\": [{\"name\": \"c\", \"peg\": \"x\", \"fov\": 40}]",
            ),
            "camera-peg",
            Warning,
            "cameras[0].peg",
            None,
            &["stands still"],
        ),
        (
            with(
                "\"cameras\": []",
                "\"cameras\": [{\"name\": \"c\", \"peg\": \"hip\", \"fov\": 0}]",
            ),
            "camera-fov",
            Warning,
            "cameras[0].fov",
            None,
            &["41.11209"],
        ),
        (
            with(
                "\"cameras\": []",
                "\"cameras\": [{\"name\": \"c\", \"peg\": \"hip\", \"fov\": 40, \"near_plane\": 10, \"far_plane\": 1}]",
            ),
            "camera-planes",
            Warning,
            "cameras[0].near_plane",
            None,
            &["0.1 and 1000"],
        ),
        (
            with(
                "\"cameras\": []",
                "\"cameras\": [{\"name\": \"c\", \"peg\": \"hip\", \"fov\": 40, \"override_fov\": false}]",
            ),
            "camera-scene-fov",
            Info,
            "cameras[0].override_fov",
            None,
            &["not in the file"],
        ),
    ]);
    let twice = good.replacen("\"leg\"", "\"hip\"", 1).replacen(
        "\"parent\": \"hip\"",
        "\"parent\": \"\"",
        1,
    );
    let problems = check("a.anm", &twice);
    let [clash] = &problems[..] else { panic!("{problems:#?}") };
    assert_eq!((clash.code, clash.path.as_str()), ("name-clash", "pegs[1].name"));
    let empty = good.split_once("\"pegs\"").unwrap().0.to_owned() + "\"pegs\": []}";
    assert_eq!(check("a.anm", &empty)[0].code, "empty");
}

#[test]
fn skeletons_are_judged_too() {
    let bones = r#""bones": [{"name": "a", "pivot": [0, 1, 0]}, {"name": "b", "parent": "a", "pivot": [0, 0.5, 0], "rotation": [1, 0, 0, 0]}], "cameras": []}"#;
    let head = HEAD.replace("octo_anm", "octo_pvt").replace("\"frame_range\": [1, 10], ", "");
    let head = head.replace("\"pegs\": [\n", "");
    let text = |more: &str| format!("{head}{more}\n{bones}");
    let good = "\"name\": \"r\", \"scale_factor\": 2.0, \"pivot_space\": \"local\",";
    assert!(check("a.pvt", &text(good)).is_empty(), "{:#?}", check("a.pvt", &text(good)));
    for (from, to, code, severity, path) in [
        ("2.0", "0", "scale-factor", Severity::Error, "scale_factor"),
        ("2.0", "-1", "scale-factor", Severity::Error, "scale_factor"),
        ("\"scale_factor\": 2.0, ", "", "missing-field", Severity::Warning, "scale_factor"),
        ("\"local\"", "\"world\"", "pivot-space", Severity::Error, "pivot_space"),
        ("\"pivot_space\": \"local\",", "", "missing-field", Severity::Warning, "pivot_space"),
        ("2.0", "0.001", "rig-size", Severity::Warning, "bones[0]"),
    ] {
        let problems = check("a.pvt", &text(&good.replacen(from, to, 1)));
        let [problem] = &problems[..] else { panic!("{to}: {problems:#?}") };
        assert_eq!((problem.code, problem.severity, problem.path.as_str()), (code, severity, path));
    }
    let looped = text(good).replacen("\"a\",", "\"a\", \"parent\": \"b\",", 1);
    let problems = check("a.pvt", &looped);
    assert_eq!((problems[0].code, problems[0].path.as_str()), ("parent-loop", "bones[0].parent"));
}

#[test]
fn of_many_alike_a_few_are_listed_and_the_rest_counted() {
    let list: Vec<String> =
        (1..=60).map(|i| key(f64::from(i) / 10.0, &[("rot", "[0, 0, 90]")])).collect();
    let text = take(&list.iter().map(String::as_str).collect::<Vec<_>>());
    let problems = check("a.anm", &text);
    let of_code: Vec<&Problem> =
        problems.iter().filter(|p| p.code == "rotations-far-apart").collect();
    assert_eq!(of_code.len(), 9);
    assert!(of_code[8].message.contains("52 more keys"), "{}", of_code[8].message);
}
