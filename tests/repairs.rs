//! `check --fix` reaches the end wherever every step has one right answer, and loses nothing.
#![allow(clippy::unwrap_used)] // A test that cannot go on should stop.

mod common;

use common::Rng;
use posewright::diagnostic::{Fix, Severity};
use posewright::format::read_clip;
use posewright::io::check_text;
use posewright::model::{Clip, Uids};
use posewright::source::Source;
use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::Arc;

const RIG: &str = "name: R\nnodes:\n  - id: n0\n    kind: joint\n  - id: n1\n    kind: joint\n";

fn fix(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_posewright"))
        .args(["check", "--fix"])
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap()
}

fn clip(text: &str) -> Clip {
    let source = Source::parse_yaml(text.to_owned()).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let reading = read_clip(&Arc::new(source), &mut Uids::default());
    reading.value.unwrap_or_else(|| panic!("{:?}\n{text}", reading.problems))
}

fn apply(text: &str, fix: &Fix) -> String {
    let mut out = text.to_owned();
    for edit in fix.edits.iter().rev() {
        out.replace_range(edit.span.clone(), &edit.text);
    }
    out
}

/// Makes the first repair and checks again, until there is none.
fn one_by_one(path: &Path, text: &str) -> String {
    let mut text = text.to_owned();
    for _ in 0..500 {
        let checked = check_text(path, text.clone(), None);
        let Some(fix) = checked.opened.problems.iter().find_map(|p| p.fix.clone()) else {
            return text;
        };
        text = apply(&text, &fix);
    }
    panic!("no end\n{text}");
}

/// A key as its fields, spelled, and its comments.
#[derive(Clone)]
struct Key {
    time: String,
    value: [String; 3],
    note: Option<String>,
    above: Option<String>,
    beside: Option<String>,
    /// 0: on one line, 1: a flow list over lines, 2: a block list.
    shape: usize,
}

/// How the clip is written.
struct Style {
    eol: &'static str,
    flow: bool,
    /// Flow lists with one key a line, which may have comments.
    flow_lines: bool,
    gaps: bool,
    last_break: bool,
}

fn number(rng: &mut Rng, value: usize) -> String {
    match rng.below(4) {
        0 => format!("{value}.0"),
        1 => format!("{value}e0"),
        _ => format!("{value}"),
    }
}

fn keys(rng: &mut Rng, style: &Style, serial: &mut usize) -> Vec<Key> {
    let comments = !style.flow || style.flow_lines;
    let mut next = |rng: &mut Rng, percent: usize, word: &str| {
        *serial += 1;
        (comments && rng.chance(percent)).then(|| format!("# {word} {serial}"))
    };
    let count = 1 + rng.below(6);
    let mut keys: Vec<Key> = (0..count)
        .map(|i| Key {
            time: number(rng, i),
            value: std::array::from_fn(|_| {
                let digit = rng.below(9) + 1;
                number(rng, digit)
            }),
            note: None,
            above: next(rng, 20, "above"),
            beside: next(rng, 20, "beside"),
            shape: 0,
        })
        .collect();
    for (i, key) in keys.iter_mut().enumerate() {
        key.note = match rng.below(8) {
            0 => Some(format!("note: n{i}")),
            1 if !style.flow => Some(format!("note: |{}          line {i}", style.eol)),
            2 => Some(format!("note: {{a: [{i}, '# no']}}")),
            _ => None,
        };
    }
    keys
}

fn double(rng: &mut Rng, of: &Key) -> Key {
    let respell = |text: &str| {
        let value = text.parse::<f64>().unwrap();
        if value.fract() == 0.0 { format!("{value:.2}") } else { text.to_owned() }
    };
    let mut key = Key {
        note: None,
        above: rng.chance(20).then(|| "# of a double".to_owned()),
        beside: None,
        ..of.clone()
    };
    if rng.chance(50) {
        key.time = respell(&key.time);
        key.value = key.value.map(|x| respell(&x));
    }
    key
}

fn write_keys(out: &mut String, style: &Style, keys: &[Key]) {
    let eol = style.eol;
    let vector = |key: &Key, block: &str| {
        let [x, y, z] = &key.value;
        match key.shape {
            0 => format!(" [{x}, {y}, {z}]"),
            1 => format!(" [{x},{eol}          {y}, {z}]"),
            _ => format!("{eol}{block}- {x}{eol}{block}- {y}{eol}{block}- {z}"),
        }
    };
    if style.flow {
        out.push_str("    keys: [");
        for (i, key) in keys.iter().enumerate() {
            if style.flow_lines {
                out.push_str(eol);
                if let Some(above) = &key.above {
                    let _ = write!(out, "      {above}{eol}");
                }
                out.push_str("      ");
            } else if i > 0 {
                out.push(' ');
            }
            let note = key.note.as_ref().map_or(String::new(), |note| format!(", {note}"));
            let _ = write!(out, "{{time: {}, value:{}{note}}}", key.time, vector(key, ""));
            if i + 1 < keys.len() {
                out.push(',');
            }
            if let Some(beside) = key.beside.as_ref().filter(|_| style.flow_lines) {
                let _ = write!(out, " {beside}");
            }
        }
        if style.flow_lines {
            let _ = write!(out, "{eol}    ");
        }
        let _ = write!(out, "]{eol}");
        return;
    }
    let _ = write!(out, "    keys:{eol}");
    for (i, key) in keys.iter().enumerate() {
        if style.gaps && i % 3 == 1 {
            let _ = write!(out, "{eol}      # apart{eol}{eol}");
        }
        if let Some(above) = &key.above {
            let _ = write!(out, "      {above}{eol}");
        }
        let beside = key.beside.as_ref().map_or(String::new(), |c| format!(" {c}"));
        let _ = write!(out, "      - time: {}{beside}{eol}", key.time);
        let _ = write!(out, "        value:{}{eol}", vector(key, "          "));
        if let Some(note) = &key.note {
            let _ = write!(out, "        {note}{eol}");
        }
    }
}

fn write_clip(style: &Style, curve: &str, tracks: &[Vec<Key>]) -> String {
    let eol = style.eol;
    let mut out = format!(
        "# head{eol}binding: a.rig{eol}model: R # m{eol}duration: 9{eol}loop: false{eol}\
         extra: {{a: 1}}{eol}tracks:{eol}"
    );
    for (i, keys) in tracks.iter().enumerate() {
        let _ = write!(
            out,
            "  - part: n{i}{eol}    property: position{eol}    interpolation: bezier{eol}    \
             curve: {curve}{eol}    x: [{i}, y]{eol}"
        );
        write_keys(&mut out, style, keys);
    }
    if !style.last_break {
        out.truncate(out.trim_end().len());
    }
    out
}

/// With every number in one spelling: which of two equal keys stays does not matter.
fn respelled(text: &str) -> String {
    let mut out = String::new();
    let mut word = String::new();
    for c in text.chars().chain([' ']) {
        if c.is_ascii_alphanumeric() || c == '.' {
            word.push(c);
            continue;
        }
        match word.parse::<f64>() {
            Ok(number) => out.push_str(&number.to_string()),
            Err(_) => out.push_str(&word),
        }
        word.clear();
        out.push(c);
    }
    out
}

fn sorted<T: Ord>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut items: Vec<T> = items.collect();
    items.sort();
    items
}

/// What is compared where the repairs may lay out anew: every character but white space and
/// commas.
fn characters(text: &str) -> Vec<char> {
    sorted(text.chars().filter(|c| !c.is_whitespace() && *c != ','))
}

struct Case {
    broken: String,
    whole: String,
    in_lines: bool,
}

fn case(seed: u64) -> Case {
    let rng = &mut Rng::new(seed);
    let flow = rng.chance(40);
    let style = Style {
        eol: if rng.chance(25) { "\r\n" } else { "\n" },
        flow,
        flow_lines: flow && rng.chance(50),
        gaps: rng.chance(40),
        last_break: rng.chance(70),
    };
    let mut serial = 0;
    let mut whole: Vec<Vec<Key>> = (0..2).map(|_| keys(rng, &style, &mut serial)).collect();
    let mut broken = whole.clone();
    for (keys, whole) in broken.iter_mut().zip(&mut whole) {
        for _ in 0..rng.below(4) {
            let of = rng.below(keys.len());
            let mut double = double(rng, &keys[of].clone());
            if keys[of].note.is_none() {
                // Of equals the first stays that has comments; in flow lists just the first.
                double.above = None;
                if flow {
                    let time = double.time.parse::<f64>().unwrap();
                    let same = |key: &&mut Key| key.time.parse::<f64>().unwrap() == time;
                    for key in keys.iter_mut().chain(whole.iter_mut()).filter(same) {
                        (key.above, key.beside) = (None, None);
                    }
                }
            }
            let at = rng.below(keys.len() + 1);
            keys.insert(at, double);
        }
        if rng.chance(70) {
            rng.shuffle(keys);
        }
        let shapes = if flow { 2 } else { 3 };
        let multi = !flow || style.flow_lines || rng.chance(50);
        for key in keys.iter_mut().filter(|_| multi) {
            if rng.chance(25) {
                key.shape = rng.below(shapes);
            }
        }
    }
    let one_line = "[0, 0.5, 1, 1]";
    let curve = match rng.below(3) {
        0 => format!("[0,{eol}      0.5,{eol}      1, 1]", eol = style.eol),
        1 => format!("{eol}      - 0{eol}      - 0.5{eol}      - 1{eol}      - 1", eol = style.eol),
        _ => one_line.to_owned(),
    };
    let mark = if rng.chance(20) { "\u{feff}" } else { "" };
    let broken = write_clip(&style, &curve, &broken)
        .replace("curve: \n", "curve:\n")
        .replace("curve: \r\n", "curve:\r\n");
    Case {
        broken: format!("{mark}{broken}"),
        whole: format!("{mark}{}", write_clip(&style, one_line, &whole)),
        in_lines: !flow,
    }
}

fn rounds() -> u64 {
    std::env::var("POSEWRIGHT_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(400)
}

#[test]
fn every_mix_of_repairable_faults_is_mended_and_nothing_else_is_touched() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.rig"), RIG).unwrap();
    let name = |seed: u64| format!("c{seed}.motion");
    for seed in 0..rounds() {
        std::fs::write(folder.path().join(name(seed)), case(seed).broken).unwrap();
    }
    let output = fix(folder.path(), &["."]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(0), "{said}");
    let mut repaired = 0;
    for seed in 0..rounds() {
        let Case { broken, whole, in_lines } = case(seed);
        let path = folder.path().join(name(seed));
        let mended = std::fs::read_to_string(&path).unwrap();
        let report = || format!("seed {seed}\n{broken}\n=> {mended}\nexpected like\n{whole}");
        repaired += usize::from(mended != broken);
        assert_eq!(one_by_one(&path, &broken), mended, "{}", report());
        // The same clip.
        let (expected, found) = (clip(&whole), clip(&mended));
        for (a, b) in expected.tracks.iter().zip(&found.tracks) {
            let keys = |track: &posewright::model::Track| -> Vec<_> {
                track.keys.iter().map(|key| (key.time, key.value)).collect()
            };
            assert_eq!(keys(a), keys(b), "{}", report());
        }
        // No comment lost but of the doubles, no unknown field, and nothing else changed.
        let apart = |text: &str| {
            let lines = text.lines().filter(|line| line.trim() != "# of a double");
            lines
                .filter(|l| l.trim() != "# apart" && !l.trim().is_empty())
                .collect::<Vec<_>>()
                .join("\n")
        };
        let (a, b) =
            (respelled(&apart(&whole)), respelled(&apart(&mended).replace("note: |-", "note: |")));
        if in_lines {
            let lines = |text: &str| sorted(text.lines().map(|line| line.trim_end().to_owned()));
            let (a, b) = (lines(&a), lines(&b));
            assert_eq!(a, b, "{}", report());
        } else {
            assert_eq!(characters(&a), characters(&b), "{}", report());
        }
        let count = |text: &str| text.matches("# apart").count();
        assert_eq!(count(&broken), count(&mended), "{}", report());
        // The line break of a block scalar is part of its value, wherever it comes to stand; and a
        // comment that stands apart keeps its own where the key behind it goes.
        if !whole.contains("note: |") && !mended.trim_end().ends_with("# apart") {
            assert_eq!(broken.ends_with('\n'), mended.ends_with('\n'), "{}", report());
        }
        assert_eq!(broken.contains("\r\n"), mended.contains("\r\n"), "{}", report());
        let severity = |p: &posewright::diagnostic::Problem| p.severity == Severity::Error;
        let checked = check_text(&path, mended.clone(), None);
        assert!(!checked.opened.problems.iter().any(severity), "{}", report());
    }
    assert!(repaired as u64 * 2 > rounds(), "{repaired}");
}

/// A track with these keys.
fn one_track(keys: &str) -> String {
    format!(
        "binding: a.rig\nmodel: R\nduration: 9\nloop: false\ntracks:\n  - part: n0\n    \
         property: position\n    interpolation: linear\n    keys:\n{keys}"
    )
}

fn key(time: &str, value: &str) -> String {
    format!("      - time: {time}\n        value: {value}\n")
}

#[test]
fn what_has_two_answers_is_never_touched() {
    let [a, b] = ["[1, 0, 0]", "[2, 0, 0]"];
    for keys in [
        key("1", a) + &key("1", b),
        key("1", a) + &key("0", b) + &key("1", b),
        key("3", a) + &key("10", a) + &key("1", b),
        key("3", a) + &key("-1", a),
        key("3", &format!("{a}\n        x: 1")) + &key("3", &format!("{a}\n        x: 2")),
    ] {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.rig"), RIG).unwrap();
        let text = one_track(&keys);
        std::fs::write(folder.path().join("a.motion"), &text).unwrap();
        let output = fix(folder.path(), &["a.motion"]);
        assert_eq!(output.status.code(), Some(1), "{text}");
        let now = std::fs::read_to_string(folder.path().join("a.motion")).unwrap();
        assert_eq!(now, text);
    }
}

#[test]
fn the_key_that_says_more_stays() {
    let more = key("1", "[1, 0, 0]\n        hint: a");
    let plain = key("1.0", "[1.0, 0, 0]");
    let other = key("0", "[0, 0, 0]");
    let commented = key("1 # why", "[1, 0, 0]");
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.rig"), RIG).unwrap();
    std::fs::write(folder.path().join("a.motion"), one_track(&(plain.clone() + &commented)))
        .unwrap();
    assert_eq!(fix(folder.path(), &["a.motion"]).status.code(), Some(0));
    let now = std::fs::read_to_string(folder.path().join("a.motion")).unwrap();
    assert_eq!(now, one_track(&commented));
    for keys in [
        plain.clone() + &more,
        more.clone() + &plain,
        plain.clone() + &other + &more,
        more.clone() + &other + &plain,
        plain.clone() + &other + &more + &plain + &plain,
    ] {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.rig"), RIG).unwrap();
        std::fs::write(folder.path().join("a.motion"), one_track(&keys)).unwrap();
        let output = fix(folder.path(), &["a.motion"]);
        assert_eq!(output.status.code(), Some(0), "{keys}");
        let first = if keys.contains(&other) { &*other } else { "" };
        let now = std::fs::read_to_string(folder.path().join("a.motion")).unwrap();
        assert_eq!(now, one_track(&format!("{first}{more}")));
    }
}

#[test]
fn a_block_scalar_at_the_end_keeps_its_value_when_its_key_moves() {
    let note = |text: &str| format!("        note: {text}\n          words");
    for (header, moved) in [("|", "|-"), (">", ">-"), ("|-", "|-"), ("|+", "|-"), ("|2", "|2-")] {
        let (header, moved) = match header {
            "|2" => ("|2 # c", "|2- # c"),
            _ => (header, moved),
        };
        let last = key("1", "[0, 0, 0]");
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.rig"), RIG).unwrap();
        let text = one_track(&(last.clone() + &key("0", "[0, 0, 0]") + &note(header)));
        std::fs::write(folder.path().join("a.motion"), &text).unwrap();
        let output = fix(folder.path(), &["a.motion"]);
        assert_eq!(output.status.code(), Some(0), "{text}");
        let now = std::fs::read_to_string(folder.path().join("a.motion")).unwrap();
        let expected = one_track(&(key("0", "[0, 0, 0]") + &note(moved) + "\n" + &last));
        assert_eq!(now, expected.trim_end());
    }
    // And one that had its line break keeps it at the end.
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.rig"), RIG).unwrap();
    let text = one_track(&(key("1", "[0, 0, 0]") + &note("|") + "\n" + &key("0", "[0, 0, 0]")));
    std::fs::write(folder.path().join("a.motion"), text.trim_end()).unwrap();
    assert_eq!(fix(folder.path(), &["a.motion"]).status.code(), Some(0));
    let now = std::fs::read_to_string(folder.path().join("a.motion")).unwrap();
    assert_eq!(
        now,
        one_track(&(key("0", "[0, 0, 0]") + &key("1", "[0, 0, 0]") + &note("|") + "\n"))
    );
}

#[test]
fn rigs_are_mended_whole() {
    let folder = tempfile::tempdir().unwrap();
    let text = "# top\nname: R\nversion: 1 # old\nnodes:\n  - id: a\n    kind: joint\n    \
                position: [1,\n      2, 3] # p\n    scale:\n      - 1\n      - 1\n      - 2\n  \
                - {id: b, kind: joint, rotation: [\n      0, 0,\n      1\n    ]}\n";
    let mended = "# top\nname: R\nnodes:\n  - id: a\n    kind: joint\n    position: [1, 2, 3] # p\n    \
                  scale: [1, 1, 2]\n  - {id: b, kind: joint, rotation: [0, 0, 1]}\n";
    std::fs::write(folder.path().join("a.rig"), text).unwrap();
    assert_eq!(fix(folder.path(), &["a.rig"]).status.code(), Some(0));
    assert_eq!(std::fs::read_to_string(folder.path().join("a.rig")).unwrap(), mended);
}
