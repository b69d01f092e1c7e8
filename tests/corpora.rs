//! Bad input: every text is read or refused with a place, quickly, and nothing panics.
#![allow(clippy::unwrap_used)] // A test that cannot go on should stop.

use posewright::diagnostic::Severity;
use posewright::format::FileKind;
use posewright::io::{check_text, open, open_text};
use posewright::source::Source;
use std::path::Path;
use std::time::{Duration, Instant};

/// Nothing here may take as long; a run that hangs takes much longer.
const QUICK: Duration = Duration::from_secs(5);

/// Opens a text as every kind of file; true where YAML itself was fine.
fn open_all_ways(text: &str) -> bool {
    for name in ["a.motion", "a.rig", "a.yaml", "a.anm", "a"] {
        let opened = open_text(Path::new(name), text.to_owned());
        assert_eq!(opened.text(), text);
        for problem in &opened.problems {
            assert!(!problem.message.is_empty());
            if let Some(span) = &problem.span {
                assert!(text.get(span.clone()).is_some(), "{name}: {problem:?}");
                assert!(problem.position.is_some(), "{name}: {problem:?}");
            }
            for edit in problem.fix.iter().flat_map(|fix| &fix.edits) {
                assert!(text.get(edit.span.clone()).is_some(), "{name}: {problem:?}");
            }
        }
        if opened.document.is_none() {
            let refused = opened.problems.iter().any(|p| p.severity == Severity::Error);
            assert!(refused, "{name} was refused without a word: {text:?}");
        }
    }
    Source::parse_yaml(text.to_owned()).is_ok()
}

#[test]
fn the_yaml_test_suite() {
    let begun = Instant::now();
    let (mut bad, mut ok, mut read) = (0, 0, 0);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/yaml");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let Ok(text) = String::from_utf8(std::fs::read(&path).unwrap()) else { continue };
        let fine = open_all_ways(&text);
        if name.starts_with("bad-") {
            bad += 1;
            assert!(!fine, "{name} must be refused:\n{text}");
        } else {
            ok += 1;
            read += usize::from(fine);
        }
    }
    assert!(bad > 80 && ok > 250, "{bad} bad, {ok} ok");
    // The others have no mapping at the top, or several documents.
    assert!(read > ok / 3, "{read} of {ok}");
    assert!(begun.elapsed() < QUICK, "{:?}", begun.elapsed());
}

#[test]
fn unusual_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.motion");
    let utf16: Vec<u8> = "\u{feff}model: R\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let cases: [(&[u8], u32, u32, &str); 9] = [
        (b"", 1, 1, "empty"),
        (b"\xEF\xBB\xBF", 1, 1, "empty"),
        (b"\n\n# nothing\n", 1, 1, "empty"),
        (&utf16, 1, 1, "UTF-16"),
        (b"model: R\nname: a\xFFb\n", 2, 8, "UTF-8"),
        (b"model: \xC3", 1, 8, "UTF-8"),
        (b"model: R\nx: a\0b\n", 2, 5, "NUL"),
        (b"- a\n", 1, 1, "mapping"),
        (b"a: 1\n---\nb: 2\n", 2, 1, "document"),
    ];
    for (bytes, line, column, word) in cases {
        std::fs::write(&path, bytes).unwrap();
        let opened = open(&path).unwrap();
        assert_eq!(opened.kind, FileKind::Motion);
        let [problem] = &opened.problems[..] else { panic!("{:?}", opened.problems) };
        assert_eq!(problem.code, "syntax");
        let place = problem.position.unwrap();
        assert_eq!((place.line, place.column), (line, column), "{}", problem.message);
        assert!(problem.message.contains(word), "{}", problem.message);
    }
    // A tab where indentation should be is an error with its place.
    std::fs::write(&path, "tracks:\n\t- part: n\n").unwrap();
    let opened = open(&path).unwrap();
    assert_eq!(opened.problems[0].code, "syntax");
    assert_eq!(opened.problems[0].position.unwrap().line, 2);
}

#[test]
fn truncation_at_every_byte() {
    let clip = "\u{feff}# clip\r\nformat: {version: \"2.0.0\"}\r\nbinding: data/é.rig\r\nmodel: 'R'\r\n\
        duration: 4 # s\r\nloop: true\r\ntracks:\r\n  - part: &p hand\r\n    property: rotation\r\n    \
        interpolation: bezier\r\n    curve: [0.25, 0.1, 0.25, 1.0]\r\n    note: |\r\n      long\r\n    \
        keys:\r\n      - time: 0\r\n        value: [0, 0, 0]\r\n      - {time: 4, value: [0, 0, 3.1]}\r\n";
    let rig = "name: Weapon display\nnodes:\n  - id: shoulder\n    name: \"Sh\\u00f6\"\n    kind: joint\n    \
        position: [0, 1.4, 0]\n  - {id: hand, kind: joint, parent: shoulder}\n";
    let begun = Instant::now();
    for text in [clip, rig] {
        assert!(open_all_ways(text));
        for end in (0..text.len()).filter(|end| text.is_char_boundary(*end)) {
            open_all_ways(&text[..end]);
        }
    }
    assert!(begun.elapsed() < QUICK, "{:?}", begun.elapsed());
}

#[test]
fn deep_nesting_is_refused_with_a_place() {
    let texts = [
        format!("a: {}", "[".repeat(100_000)),
        format!("a: {}{}", "[".repeat(100_000), "]".repeat(100_000)),
        format!("a: {}", "{".repeat(100_000)),
        format!("a: {}", "{b: ".repeat(100_000)),
        format!("a:\n  {}x", "- ".repeat(100_000)),
        format!("{}x", "? ".repeat(100_000)),
        format!("a:\n  {}x", "? - ".repeat(50_000)),
        (0..20_000).map(|i| format!("{}a:\n", " ".repeat(i))).collect(),
        (0..20_000).map(|i| format!("{}-\n", " ".repeat(i))).collect(),
    ];
    for text in texts {
        let begun = Instant::now();
        let error = Source::parse_yaml(text.clone()).err();
        let start = &text[..40.min(text.len())];
        let error = error.unwrap_or_else(|| panic!("accepted: {start}"));
        assert!(error.offset <= text.len());
        assert!(begun.elapsed() < QUICK, "{start}: {:?}", begun.elapsed());
    }
    let deepest = |levels: usize| format!("a: {}{}\n", "[".repeat(levels), "]".repeat(levels));
    assert!(Source::parse_yaml(deepest(127)).is_ok());
    assert!(Source::parse_yaml(deepest(128)).is_err());
}

#[test]
fn alias_bombs_are_refused() {
    let mut bomb = "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n".to_owned();
    for i in 1..30 {
        let list = vec![format!("*a{}", i - 1); 9].join(", ");
        bomb.push_str(&format!("a{i}: &a{i} [{list}]\n"));
    }
    let error = Source::parse_yaml(bomb).unwrap_err();
    assert!(error.message.contains("aliases"), "{error}");
    assert!(Source::parse_yaml("a: &a [*a]\n".to_owned()).is_err());
    assert!(Source::parse_yaml("a: *nobody\n".to_owned()).is_err());
    let many = format!("a: &a [1, 2]\nb: [{}]\n", vec!["*a"; 100_000].join(", "));
    assert!(Source::parse_yaml(many).is_ok());
}

#[test]
fn long_texts_take_time_in_proportion() {
    let texts = [
        ("one line", format!("model: {}", "x".repeat(4 << 20))),
        ("quoted", format!("model: \"{}\"", "x\\n".repeat(1 << 20))),
        ("flow list", format!("a: [{}]", "1, ".repeat(200_000))),
        ("open flow list", format!("a: [{}", "1, ".repeat(200_000))),
        ("comments", format!("{}a: 1", "# x\n".repeat(200_000))),
        ("blank lines", format!("a: 1{}", "\n".repeat(1 << 20))),
        ("spaces", format!("a: 1{}", " ".repeat(1 << 20))),
        ("folded", format!("a: >\n{}", "  x\n\n".repeat(200_000))),
        ("plain lines", format!("a: x\n{}", "  x\n".repeat(200_000))),
        ("keys", (0..100_000).map(|i| format!("k{i}: {i}\n")).collect()),
        ("doubled keys", (0..100_000).map(|i| format!("k{}: {i}\n", i % 50_000)).collect()),
        ("anchors", (0..50_000).map(|i| format!("k{i}: &a{i} v\n")).collect()),
        (
            "bad keys on one line",
            format!(
                "model: R\nduration: 1\nloop: true\ntracks: [{{part: a, property: scale, \
             interpolation: step, keys: [{}]}}]",
                "{time: x, value: [1]}, ".repeat(50_000)
            ),
        ),
        ("doubled in items", format!("a:\n{}", "  - {b: 1, b: 2}\n".repeat(30_000))),
        ("empty items", format!("a:\n{}", "  -\n".repeat(100_000))),
        (
            "block scalars",
            "a: |\n  x\n".chars().cycle().take(9).collect::<String>()
                + &(0..50_000).map(|i| format!("b{i}: |\n  x\n")).collect::<String>(),
        ),
        ("quotes", format!("a: {}", "'".repeat(300_000))),
        ("colons", format!("a: {}", ":".repeat(300_000))),
        ("question marks", "?\n".repeat(100_000)),
        ("stars", format!("a: {}", "*".repeat(300_000))),
        ("bangs", format!("a: {}", "!".repeat(300_000))),
        ("directives", format!("{}---\na: 1", "%X y\n".repeat(50_000))),
    ];
    for (name, text) in texts {
        let begun = Instant::now();
        check_text(Path::new("a.motion"), text, None);
        assert!(begun.elapsed() < QUICK, "{name}: {:?}", begun.elapsed());
    }
}

#[test]
fn naughty_strings_as_names() {
    let strings: Vec<String> =
        serde_json::from_str(include_str!("data/naughty-strings.json")).unwrap();
    assert!(strings.len() > 400);
    for name in strings.iter().filter(|name| !name.is_empty()) {
        // A JSON string is a double-quoted YAML scalar, but for what neither may hold bare.
        let quoted = serde_json::to_string(name).unwrap().replace('\u{7f}', "\\x7f");
        let text = format!(
            "binding: {quoted}\nmodel: {quoted}\nduration: 1\nloop: true\ntracks:\n  \
             - part: {quoted}\n    property: scale\n    interpolation: step\n    \
             keys: [{{time: 0, value: [1, 1, 1]}}]\n"
        );
        let opened = open_text(Path::new("a.motion"), text.clone());
        match &opened.document {
            Some(posewright::io::Loaded::Clip(clip)) => {
                assert_eq!(&clip.model, name);
                assert_eq!(&clip.tracks[0].part, name);
                assert_eq!(clip.binding.as_ref(), Some(name));
            }
            _ => {
                // YAML forbids a few characters outright; nothing else may be refused.
                let [problem] = &opened.problems[..] else { panic!("{:?}", opened.problems) };
                assert_eq!(problem.code, "syntax", "{name:?}");
                assert!(
                    name.chars().any(|c| c.is_control()
                        || ('\u{fffe}'..='\u{ffff}').contains(&c)
                        || c == '\u{feff}'),
                    "{name:?}: {problem:?}"
                );
            }
        }
    }
}
