//! The JSON scanner: what it takes, what it refuses and where.
#![allow(clippy::unwrap_used)] // A test that cannot go on should stop.

mod common;

use common::Rng;
use posewright::source::{Kind, NodeId, Source, position_in};
use serde_json::Value;
use std::path::Path;
use std::time::{Duration, Instant};

fn parse(text: &str) -> Result<Source, (u32, u32, String)> {
    Source::parse_json(text.to_owned()).map_err(|error| {
        let at = position_in(text, error.offset);
        (at.line, at.column, error.message)
    })
}

#[test]
fn what_is_refused_has_a_place_and_a_clear_sentence() {
    let cases = [
        ("", 1, 1, "expected a value, but the text ends here"),
        ("  \n ", 2, 2, "the text ends here"),
        ("{\"a\": NaN}", 1, 7, "neither NaN nor infinity"),
        ("{\"a\": -Infinity}", 1, 7, "neither NaN nor infinity"),
        ("[1,\n 1e400]", 2, 2, "too large for a double"),
        ("[-1e400]", 1, 2, "too large"),
        ("[01]", 1, 2, "`01` is no value"),
        ("[+1]", 1, 2, "`+1` is no value"),
        ("[.5]", 1, 2, "`.5` is no value"),
        ("[1.]", 1, 2, "`1.` is no value"),
        ("[1e]", 1, 2, "`1e` is no value"),
        ("[tru]", 1, 2, "`tru` is no value"),
        ("[nullx]", 1, 2, "`nullx`"),
        ("['a']", 1, 2, "expected a value, found `'`"),
        ("[1,]", 1, 4, "expected a value, found `]`"),
        ("[1 2]", 1, 4, "expected `,` or `]`, found `2`"),
        ("{\"a\" 1}", 1, 6, "expected `:` behind the key, found `1`"),
        ("{\"a\": 1,}", 1, 9, "expected a key in quotes, found `}`"),
        ("{a: 1}", 1, 2, "expected a key in quotes or `}`, found `a`"),
        ("{\"a\": 1", 1, 8, "expected `,` or `}`, but the text ends here"),
        ("[1] x", 1, 5, "expected the end of the text, found `x`"),
        ("[1] // no", 1, 5, "expected the end of the text, found `/`"),
        ("[\"a\nb\"]", 1, 4, "does not end on its line"),
        ("[\"a\tb\"]", 1, 4, "must be written \\t"),
        ("[\"a\u{1}b\"]", 1, 4, "must be written \\u0001"),
        ("[\"\\x41\"]", 1, 3, "an escape that JSON does not have"),
        ("[\"\\u12g4\"]", 1, 3, "four hex digits"),
        ("[\"\\ud800\"]", 1, 3, "half of a surrogate pair"),
        ("[\"é\\udc00\"]", 1, 4, "half of a surrogate pair"),
        ("[\"\\ud800\\u0041\"]", 1, 3, "half of a surrogate pair"),
        ("[\"abc", 1, 6, "a string does not end"),
        ("\u{feff}[é]", 1, 2, "`é` is no value"),
        ("[\u{feff}1]", 1, 2, "found U+FEFF"),
        ("{\"a\":\r\n  {\"b\": [1, ?]}}", 2, 13, "found `?`"),
    ];
    for (text, line, column, sentence) in cases {
        let (l, c, message) = parse(text).map(|_| ()).unwrap_err();
        assert!(message.contains(sentence), "{text:?}: {message}");
        assert_eq!((l, c), (line, column), "{text:?}: {message}");
    }
}

#[test]
fn nesting_is_bounded_and_never_eats_the_stack() {
    let nested = |n: usize| "[".repeat(n) + &"]".repeat(n);
    assert!(parse(&nested(128)).is_ok());
    let (_, column, message) = parse(&nested(129)).map(|_| ()).unwrap_err();
    assert!(message.contains("deeper than 128"), "{message}");
    assert_eq!(column, 129);
    let begun = Instant::now();
    assert!(parse(&"[".repeat(1_000_000)).is_err());
    assert!(parse(&"{\"a\":".repeat(1_000_000)).is_err());
    assert!(begun.elapsed() < Duration::from_secs(1));
}

/// A node as serde_json would have it.
fn value(source: &Source, node: NodeId) -> Value {
    match source.kind(node) {
        Kind::FlowMap => source
            .entries(node)
            .map(|(key, item)| (source.scalar(key).unwrap().into_owned(), value(source, item)))
            .collect(),
        Kind::FlowSeq => source.items(node).map(|item| value(source, item)).collect(),
        Kind::DoubleQuoted => Value::String(source.scalar(node).unwrap().into_owned()),
        _ => serde_json::from_str(source.raw(node)).unwrap(),
    }
}

#[test]
fn the_json_test_suite() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/json");
    let (mut yes, mut no, mut either) = (0, 0, 0);
    let begun = Instant::now();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let bytes = std::fs::read(&path).unwrap();
        let parsed = String::from_utf8(bytes).map_err(drop).map(|text| (parse(&text), text));
        let fine = matches!(&parsed, Ok((Ok(_), _)));
        if let Ok((Err((line, column, message)), _)) = &parsed {
            assert!(*line > 0 && *column > 0 && !message.is_empty(), "{name}");
        }
        match &name[..2] {
            "y_" => {
                yes += 1;
                let Ok((Ok(source), text)) = parsed else { panic!("{name} must be read") };
                let other: Value = serde_json::from_str(&text).unwrap();
                assert_eq!(value(&source, source.root()), other, "{name}");
            }
            "n_" => {
                no += 1;
                assert!(!fine, "{name} must be refused");
            }
            _ => either += 1,
        }
    }
    assert!(yes > 90 && no > 180 && either > 30, "{yes} {no} {either}");
    assert!(begun.elapsed() < Duration::from_secs(5));
}

#[test]
fn keys_that_stand_twice_are_listed_and_the_last_counts() {
    let source = parse("{\"a\": 1, \"b\": {\"x\": 1, \"\\u0078\": 2}, \"a\": 3}").unwrap();
    let names: Vec<(String, String)> = source
        .duplicate_keys()
        .iter()
        .map(|(first, second)| (source.path(*first), source.raw(*second).to_owned()))
        .collect();
    let expected = [("b.x", "\"\\u0078\""), ("a", "\"a\"")];
    assert_eq!(names, expected.map(|(a, b)| (a.to_owned(), b.to_owned())));
    assert_eq!(source.raw(source.get(source.root(), "a").unwrap()), "3");
    // Many keys in one object are no trouble.
    let many: Vec<String> = (0..100_000).map(|i| format!("\"k{}\": 1", i % 50_000)).collect();
    let begun = Instant::now();
    let source = parse(&format!("{{{}}}", many.join(","))).unwrap();
    assert_eq!(source.duplicate_keys().len(), 50_000);
    assert!(begun.elapsed() < Duration::from_secs(2));
}

/// A random JSON text, and how deep it may still go.
fn random(rng: &mut Rng, deep: usize, out: &mut String) {
    let space = |rng: &mut Rng, out: &mut String| {
        let spaces: [&str; 6] = ["", "", " ", "\n", "\r\n\t", "  "];
        let space: &str = rng.pick::<&str>(&spaces);
        out.push_str(space);
    };
    space(rng, out);
    match rng.below(if deep == 0 { 4 } else { 7 }) {
        0 => {
            let word: &str = rng.pick::<&str>(&["true", "false", "null"]);
            out.push_str(word);
        }
        1 => out.push_str(&number(rng)),
        2 | 3 => {
            let words = ["", "a", "\\\"", "\\u00e9\\n", "\\ud83d\\ude00", "日本", "\\/", "x y"];
            out.push('"');
            let word: &str = rng.pick::<&str>(&words);
            out.push_str(word);
            out.push('"');
        }
        kind => {
            let is_map = kind == 4;
            out.push(if is_map { '{' } else { '[' });
            let count = rng.below(5);
            for i in 0..count {
                if i > 0 {
                    out.push(',');
                }
                if is_map {
                    space(rng, out);
                    out.push_str(&format!("\"k{}\"", rng.below(4)));
                    space(rng, out);
                    out.push(':');
                }
                random(rng, deep - 1, out);
            }
            space(rng, out);
            out.push(if is_map { '}' } else { ']' });
        }
    }
    space(rng, out);
}

fn number(rng: &mut Rng) -> String {
    let digits = rng.below(21);
    let mut text = String::new();
    if rng.chance(30) {
        text.push('-');
    }
    text.push_str(&(1 + rng.below(9)).to_string());
    (0..digits).for_each(|_| text.push(char::from(b'0' + rng.below(10) as u8)));
    if rng.chance(60) {
        text.push('.');
        (0..=rng.below(20)).for_each(|_| text.push(char::from(b'0' + rng.below(10) as u8)));
    }
    if rng.chance(30) {
        text.push_str(&format!("{}{}", rng.pick(&["e", "E+", "e-"]), rng.below(250)));
    }
    text
}

#[test]
fn random_texts_read_as_serde_json_reads_them() {
    let cases = std::env::var("POSEWRIGHT_CASES").ok().and_then(|n| n.parse().ok());
    for seed in 0..cases.unwrap_or(5_000) {
        let mut rng = Rng::new(seed);
        let mut text = String::new();
        random(&mut rng, 6, &mut text);
        let source = parse(&text).unwrap_or_else(|e| panic!("seed {seed}: {e:?}\n{text}"));
        let other: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value(&source, source.root()), other, "seed {seed}\n{text}");
        assert_eq!(source.text(), text);
        // Anything cut off or put in is refused exactly where serde_json refuses it, too.
        let mut broken = text.clone();
        let mut at = rng.below(text.len() + 1);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        match rng.below(2) {
            0 => broken.truncate(at),
            _ => broken.insert(at, *rng.pick(&['"', '[', '}', ',', ':', '1', 'e', '\\', '\u{0}'])),
        }
        let theirs = serde_json::from_str::<Value>(&broken).is_ok();
        assert_eq!(parse(&broken).is_ok(), theirs, "seed {seed}\n{broken}");
    }
}

#[test]
fn numbers_are_read_exactly() {
    let mut rng = Rng::new(7);
    let mut take = String::from(
        "{\"format\":\"octo_anm\",\"version\":4,\"pegs\":[{\"name\":\"a\",\"keyframes\":[",
    );
    let mut numbers = Vec::new();
    for i in 0..30_000 {
        let text = match i % 3 {
            0 => number(&mut rng),
            1 => f64::from_bits(rng.next() << 11 ^ rng.next()).to_string(),
            _ => format!("{:?}", rng.number()),
        };
        let Some(exact) = text.parse::<f64>().ok().filter(|x| x.is_finite()) else { continue };
        if !numbers.is_empty() {
            take.push(',');
        }
        take.push_str(&format!("{{\"frame\":{text}}}"));
        numbers.push(exact);
    }
    take.push_str("]}]}");
    let reading = posewright::format::read_take(take, &mut Default::default());
    let read: Vec<u64> =
        reading.value.unwrap().pegs[0].keyframes.iter().map(|key| key.frame.to_bits()).collect();
    let exact: Vec<u64> = numbers.iter().map(|x| x.to_bits()).collect();
    assert!(read.len() > 20_000);
    assert_eq!(read, exact);
}
