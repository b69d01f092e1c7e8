//! Bad input: every export opens, or is refused with a place, quickly and in bounded memory.
#![allow(clippy::unwrap_used)] // A test that cannot go on should stop.

use posewright::format::{FileKind, unknown_fields};
use posewright::io::{Loaded, check_text};
use posewright::model::take::ParentLink;
use std::fmt::Write;
use std::path::Path;
use std::time::{Duration, Instant};

const QUICK: Duration = Duration::from_secs(5);

/// Checks a text as both kinds; the codes of what is wrong with it as a take.
fn codes(text: &str) -> Vec<&'static str> {
    codes_as(text, "a.pvt");
    codes_as(text, "a.anm")
}

fn codes_as(text: &str, name: &str) -> Vec<&'static str> {
    let checked = check_text(Path::new(name), text.to_owned(), None);
    let opened = &checked.opened;
    assert_eq!(opened.text(), text);
    for problem in &opened.problems {
        if let Some(span) = &problem.span {
            assert!(text.get(span.clone()).is_some(), "{problem:?}");
            assert!(problem.position.is_some(), "{problem:?}");
        }
    }
    assert!(opened.document.is_some() || opened.has_errors());
    match &opened.document {
        Some(Loaded::Take(take)) => assert_eq!(posewright::format::write_take(take), text),
        Some(Loaded::Skeleton(skeleton)) => {
            assert_eq!(posewright::format::write_skeleton(skeleton), text);
        }
        _ => {}
    }
    if let Some(source) = &opened.source {
        unknown_fields(source, FileKind::Anm);
    }
    opened.problems.iter().map(|p| p.code).collect()
}

fn sample(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/anm");
    std::fs::read_to_string(folder.join(name)).unwrap()
}

#[test]
fn the_json_test_suite_as_exports() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/json");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        let Ok(text) = String::from_utf8(bytes) else { continue };
        count += 1;
        codes(&text);
        // As a key of a take, where another reader comes first.
        let text = text.trim_start_matches('\u{feff}');
        let good = serde_json::from_str::<serde_json::Value>(text).is_ok();
        for (before, after) in [
            ("", ""),
            ("{\"frame\": 1, \"pos\": ", "}"),
            ("{\"handles\": {\"pos\": ", "}, \"frame\": 2}"),
        ] {
            let take = format!(
                "{{\"format\": \"octo_anm\", \"version\": 4, \"pegs\": [{{\"name\": \"a\", \
                 \"keyframes\": [{before}{text}{after}]}}]}}"
            );
            let found = codes(&take);
            // An infinite number is fine for nobody; empty text in a list is an empty list.
            if good {
                assert!(!found.contains(&"syntax"), "{take}");
            } else if serde_json::from_str::<serde_json::Value>(&take).is_err() {
                assert!(found.contains(&"syntax"), "{take}");
            }
        }
    }
    assert!(count > 280, "{count}");
}

#[test]
fn samples_cut_off_at_every_byte() {
    let begun = Instant::now();
    for name in ["torso.local.pvt", "fcurves.anm", "torso.anm"] {
        let text = sample(name);
        // All of the first bytes, and of long texts then as many as time allows.
        let step = text.len() / 400 + 1;
        let cuts = (0..text.len().min(4_000)).chain((4_000..text.len()).step_by(step));
        for cut in cuts.filter(|cut| text.is_char_boundary(*cut)) {
            let opened = posewright::io::open_text(Path::new(name), text[..cut].to_owned());
            let whole = text[cut..].trim().is_empty();
            assert_eq!(opened.document.is_some(), whole, "{name} at {cut}");
            if !whole {
                let problem = &opened.problems[0];
                assert_eq!(problem.code, "syntax");
                assert!(problem.span.as_ref().is_some_and(|s| s.start <= cut), "{problem:?}");
            }
        }
    }
    assert!(begun.elapsed() < QUICK * 6, "{:?}", begun.elapsed());
}

#[test]
fn bytes_that_are_changed_never_panic() {
    let text = sample("torso.local.pvt") + " ";
    let anm = sample("fcurves.anm");
    let anm = &anm[..anm.len().min(9_000)];
    for text in [text.as_str(), anm] {
        for at in (0..text.len()).step_by(3) {
            for with in ["\"", "[", "}", ",", "9", "\\", "-", "null", "\u{e9}"] {
                if text.is_char_boundary(at) && text.is_char_boundary(at + 1) {
                    let broken = format!("{}{with}{}", &text[..at], &text[at + 1..]);
                    posewright::io::open_text(Path::new("a.anm"), broken);
                }
            }
        }
    }
}

fn take(head: &str, pegs: impl Iterator<Item = String>) -> String {
    let mut text = format!("{{\"format\": \"octo_anm\", \"version\": 4, {head} \"pegs\": [\n");
    for (i, peg) in pegs.enumerate() {
        let _ = write!(text, "{}{peg}", if i > 0 { ",\n" } else { "" });
    }
    text + "\n]}\n"
}

#[test]
fn numbers_that_are_none_of_a_film() {
    let one = |head: &str, frame: &str| {
        let peg = format!(
            "{{\"name\": \"a\", \"keyframes\": [{{\"frame\": {frame}, \"rot\": [0,0,0]}}]}}"
        );
        codes(&take(head, std::iter::once(peg)))
    };
    for (fps, code) in [("0", "fps"), ("-1", "fps"), ("1e-300", "odd-fps"), ("1e9", "odd-fps")] {
        let found = one(&format!("\"fps\": {fps}, \"frame_range\": [1, 2],"), "1");
        assert!(found.contains(&code), "{fps}: {found:?}");
    }
    assert!(one("", "9223372036854775808").contains(&"odd-frame"));
    assert!(one("", "-1e300").contains(&"odd-frame"));
    assert!(one("\"frame_range\": [1, 1e300],", "1").contains(&"too-long"));
    for word in ["NaN", "nan", "Infinity", "-Infinity", "1e400", "inf", "0x10", "1_000"] {
        assert_eq!(one("", word), ["syntax"], "{word}");
    }
    for word in ["\"NaN\"", "\"1\"", "true", "null", "[1]", "{}"] {
        assert_eq!(one("", word), ["no-frame"], "{word}");
    }
}

#[test]
fn a_hundred_thousand_pegs_flat_or_in_a_chain() {
    let begun = Instant::now();
    let codes = |text: &str| codes_as(text, "a.anm");
    let flat = take("", (0..100_000).map(|i| format!("{{\"name\": \"p{i}\"}}")));
    assert!(codes(&flat).contains(&"no-keys"));
    let parent = |i: usize| format!("{{\"name\": \"p{i}\", \"parent\": \"p{}\"}}", i + 1);
    let chain = take("", (0..100_000).map(parent));
    let found = codes(&chain);
    assert!(found.contains(&"no-such-parent"));
    // Listed are a bounded number.
    assert!(found.len() < 20_000, "{}", found.len());
    let key = "\"keyframes\": [{\"frame\": 1, \"rot_quat\": [0,0,0,0]}]";
    let zero = take("", (0..20_000).map(|i| format!("{{\"name\": \"p{i}\", {key}}}")));
    assert!(codes(&zero).contains(&"quaternion-zero"));
    let same = take("", (0..20_000).map(|_| "{\"name\": \"p\", \"parent\": \"p\"}".to_owned()));
    assert!(codes(&same).contains(&"ambiguous-parent"));
    let nothing = take("", (0..20_000).map(|_| "{}".to_owned()));
    assert!(codes(&nothing).contains(&"no-name"));
    let twice = take("", (0..20_000).map(|_| "{\"name\": \"p\", \"name\": \"q\"}".to_owned()));
    assert!(codes(&twice).contains(&"repeated-field"));
    // Unoptimised and on a machine that others use; a hang takes longer.
    assert!(begun.elapsed() < QUICK * 30, "{:?}", begun.elapsed());
}

#[test]
fn long_loops_of_parents_are_one_problem() {
    let text = take(
        "",
        (0..3_000).map(|i| {
            let parent = i / 1_000 * 1_000 + (i + 1) % 1_000;
            format!("{{\"name\": \"p{i}\", \"parent\": \"p{parent}\"}}")
        }),
    );
    let found = codes(&text);
    assert_eq!(found.iter().filter(|code| **code == "parent-loop").count(), 3);
    let checked = check_text(Path::new("a.anm"), text, None);
    let Some(Loaded::Take(take)) = &checked.opened.document else { panic!() };
    assert_eq!(take.parents()[1_500], ParentLink::Loop(1_000));
}

#[test]
fn lists_of_anything_but_keys() {
    let found = codes(&take(
        "",
        std::iter::once(
            "{\"name\": \"a\", \"keyframes\": [1, \"x\\n\", [], null, {\"frame\": 1}]}".to_owned(),
        ),
    ));
    assert_eq!(found.iter().filter(|code| **code == "no-frame").count(), 4);
    for odd in ["7", "{}", "\"x\"", "{\"frame\": 1}"] {
        let peg = format!("{{\"name\": \"a\", \"keyframes\": {odd}}}");
        assert!(codes(&take("", std::iter::once(peg))).contains(&"wrong-value"), "{odd}");
    }
    // One key with very many unknown fields, and many keys with one each.
    let begun = Instant::now();
    let many: Vec<String> = (0..30_000).map(|i| format!("\"u{i}\": {i}")).collect();
    let peg =
        format!("{{\"name\": \"a\", \"keyframes\": [{{\"frame\": 1, {}}}]}}", many.join(", "));
    codes(&take("", std::iter::once(peg)));
    let keys: Vec<String> = (0..30_000).map(|i| format!("{{\"frame\": {i}, \"n\": 1}}")).collect();
    let peg = format!("{{\"name\": \"a\", \"keyframes\": [{}]}}", keys.join(", "));
    let found = codes(&take("", std::iter::once(peg)));
    assert_eq!(found.iter().filter(|code| **code == "unknown-field").count(), 1);
    assert!(begun.elapsed() < QUICK * 10, "{:?}", begun.elapsed());
}
