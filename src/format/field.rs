//! Known fields: what a node of a text means as a string, a number, a switch or a vector.
//!
//! All of these follow aliases first. They say what stands there, never whether it is allowed.

use crate::source::{Kind, NodeId, Source, Syntax, Tag};

/// True for nothing (`key:`), unquoted `null` and `~`, which all read as absent (M6).
pub(crate) fn is_null(source: &Source, node: NodeId) -> bool {
    let node = source.resolve(node);
    let kind = source.kind(node);
    match source.tag(node) {
        None => match kind {
            Kind::Empty => true,
            Kind::Plain => is_null_word(source.raw(node), source.syntax()),
            _ => false,
        },
        Some(Tag::Core(name)) => name == "null" && kind.is_scalar(),
        Some(Tag::Other(_)) => false,
    }
}

fn is_null_word(word: &str, syntax: Syntax) -> bool {
    match syntax {
        Syntax::Yaml => matches!(word, "null" | "Null" | "NULL" | "~"),
        Syntax::Json => word == "null",
    }
}

/// The text of any scalar but null (M6): `007` unquoted is the text "007".
pub(crate) fn string(source: &Source, node: NodeId) -> Option<String> {
    let node = source.resolve(node);
    if is_null(source, node) || matches!(source.tag(node), Some(Tag::Other(tag)) if tag != "!") {
        return None;
    }
    source.scalar(node).map(|text| text.into_owned())
}

/// A number of YAML 1.2's core schema (M5b), or of JSON in a JSON text. `.inf`, `.nan` and what
/// is too large for an `f64` give infinities and NaN; quoted numbers are strings.
#[inline]
pub(crate) fn number(source: &Source, node: NodeId) -> Option<f64> {
    let node = source.resolve(node);
    match source.tag(node) {
        None if source.kind(node) == Kind::Plain => parse_number(source.raw(node), source.syntax()),
        Some(Tag::Core(name)) if name == "int" || name == "float" => {
            parse_number(&source.scalar(node)?, source.syntax())
        }
        _ => None,
    }
}

/// `true` or `false` of the core schema; never `yes`, `on` or 1.
pub(crate) fn boolean(source: &Source, node: NodeId) -> Option<bool> {
    let node = source.resolve(node);
    let text = match source.tag(node) {
        None if source.kind(node) == Kind::Plain => source.raw(node).into(),
        Some(Tag::Core(name)) if name == "bool" => source.scalar(node)?,
        _ => return None,
    };
    match (&*text, source.syntax()) {
        ("true", _) | ("True" | "TRUE", Syntax::Yaml) => Some(true),
        ("false", _) | ("False" | "FALSE", Syntax::Yaml) => Some(false),
        _ => None,
    }
}

/// A flow list on one line of exactly `N` numbers (M5), which may be infinite or NaN.
pub(crate) fn vector<const N: usize>(source: &Source, node: NodeId) -> Option<[f64; N]> {
    let node = source.resolve(node);
    if source.kind(node) != Kind::FlowSeq
        || !is_seq_tag(source.tag(node))
        || memchr::memchr2(b'\n', b'\r', source.raw(node).as_bytes()).is_some()
    {
        return None;
    }
    let mut vector = [0.0; N];
    let mut items = source.items(node);
    for slot in &mut vector {
        *slot = number(source, items.next()?)?;
    }
    items.next().is_none().then_some(vector)
}

fn is_seq_tag(tag: Option<&Tag>) -> bool {
    match tag {
        None => true,
        Some(Tag::Core(name)) => name == "seq",
        Some(Tag::Other(name)) => name == "!",
    }
}

/// The number that a word is.
pub(crate) fn parse_number(word: &str, syntax: Syntax) -> Option<f64> {
    let bytes = word.as_bytes();
    let signed = matches!(bytes.first()?, b'-' | b'+');
    let digits = &bytes[usize::from(signed)..];
    if is_decimal(digits) {
        if syntax == Syntax::Json && !is_json_number(bytes) {
            return None;
        }
        // Too large a number reads as infinite here, never as an error.
        return word.parse().ok();
    }
    if syntax == Syntax::Json {
        return None;
    }
    match digits {
        b".inf" | b".Inf" | b".INF" if bytes[0] == b'-' => Some(f64::NEG_INFINITY),
        b".inf" | b".Inf" | b".INF" => Some(f64::INFINITY),
        b".nan" | b".NaN" | b".NAN" if !signed => Some(f64::NAN),
        [b'0', b'x', digits @ ..] if !signed => radix(digits, 16),
        [b'0', b'o', digits @ ..] if !signed => radix(digits, 8),
        _ => None,
    }
}

/// `12`, `1.5`, `1.`, `.5`, each with an exponent or not.
fn is_decimal(bytes: &[u8]) -> bool {
    let whole = digits_at(bytes, 0);
    let mut at = whole;
    if bytes.get(at) == Some(&b'.') {
        at = digits_at(bytes, at + 1);
        if whole == 0 && at == 1 {
            return false;
        }
    } else if whole == 0 {
        return false;
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        let from = at + 1 + usize::from(matches!(bytes.get(at + 1), Some(b'-' | b'+')));
        at = digits_at(bytes, from);
        if at == from {
            return false;
        }
    }
    at == bytes.len()
}

/// Where the digits that begin at `from` end.
fn digits_at(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while bytes.get(at).is_some_and(u8::is_ascii_digit) {
        at += 1;
    }
    at
}

/// What JSON forbids of the decimals above: a plus, leading zeros, a bare point.
fn is_json_number(bytes: &[u8]) -> bool {
    let digits = bytes.strip_prefix(b"-").unwrap_or(bytes);
    let whole = digits_at(digits, 0);
    let leading_zero = whole > 1 && digits[0] == b'0';
    let bare_point = digits.get(whole) == Some(&b'.') && digits_at(digits, whole + 1) == whole + 1;
    whole > 0 && !leading_zero && !bare_point
}

fn radix(digits: &[u8], radix: u32) -> Option<f64> {
    if digits.is_empty() {
        return None;
    }
    let mut exact = Some(0u128);
    let mut value = 0.0;
    for byte in digits {
        let digit = char::from(*byte).to_digit(radix)?;
        exact = exact
            .and_then(|v| v.checked_mul(u128::from(radix)))
            .and_then(|v| v.checked_add(u128::from(digit)));
        value = value * f64::from(radix) + f64::from(digit);
    }
    Some(exact.map_or(value, |v| v as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn yaml(word: &str) -> Option<f64> {
        parse_number(word, Syntax::Yaml)
    }

    #[test]
    fn numbers_are_those_of_the_core_schema() {
        let good = [
            ("0", 0.0),
            ("-0", 0.0),
            ("+1", 1.0),
            ("012", 12.0),
            ("1.", 1.0),
            (".5", 0.5),
            ("-.5e1", -5.0),
            ("1e3", 1000.0),
            ("1E-3", 0.001),
            ("0x10", 16.0),
            ("0o17", 15.0),
            ("1e400", f64::INFINITY),
            ("-1e400", f64::NEG_INFINITY),
            (".inf", f64::INFINITY),
            ("+.Inf", f64::INFINITY),
            ("-.INF", f64::NEG_INFINITY),
            ("0xffffffffffffffffffffffffffffffffff", 2f64.powi(136)),
        ];
        for (word, number) in good {
            assert_eq!(yaml(word), Some(number), "{word}");
        }
        assert!(yaml(".nan").is_some_and(f64::is_nan));
        let bad = [
            "", "-", "+", ".", "-.", "e5", ".e5", "1e", "1e+", "1_000", "12:30:45", "1,5", "0x",
            "0xg", "-0x10", "0o8", "0b1", "inf", "nan", "infinity", "NaN", "-.nan", "1 ", "1f",
            "1.2.3", "--1", "+-1", "٣", "1e5.0", "0x1.8p3",
        ];
        for word in bad {
            assert_eq!(yaml(word), None, "{word}");
        }
    }

    #[test]
    fn json_numbers_are_fewer() {
        for word in ["0", "-0", "1.5", "1e5", "-1.5E+3", "10"] {
            assert!(parse_number(word, Syntax::Json).is_some(), "{word}");
        }
        for word in ["+1", "01", "-01", "1.", ".5", "-.5", "1.e5", "0x10", ".inf", ".nan"] {
            assert_eq!(parse_number(word, Syntax::Json), None, "{word}");
        }
    }

    fn source(text: &str) -> Source {
        Source::parse_yaml(text.to_owned()).unwrap_or_else(|e| panic!("{text}: {e}"))
    }

    #[test]
    fn strings_stay_strings() {
        let cases = [
            ("007", Some("007")),
            ("1e3", Some("1e3")),
            ("yes", Some("yes")),
            ("true", Some("true")),
            ("'null'", Some("null")),
            ("\"~\"", Some("~")),
            ("''", Some("")),
            ("!!str null", Some("null")),
            ("!!str", Some("")),
            ("! null", Some("null")),
            ("!!null x", None),
            ("|\n  a\n  b", Some("a\nb\n")),
            ("null", None),
            ("Null", None),
            ("~", None),
            ("", None),
            ("[a]", None),
            ("{a: b}", None),
            ("!thing x", None),
        ];
        for (text, expected) in cases {
            let source = source(&format!("a: {text}\n"));
            let node = source.get(source.root(), "a").unwrap_or(source.root());
            assert_eq!(string(&source, node).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn vectors_are_one_line_flow_lists() {
        let three = |text: &str| {
            let source = source(text);
            source.get(source.root(), "a").and_then(|node| vector::<3>(&source, node))
        };
        assert_eq!(three("a: [1, -2.5, 0x10]\n"), Some([1.0, -2.5, 16.0]));
        assert_eq!(three("a: !!seq [1, 2, 3,]\n"), Some([1.0, 2.0, 3.0]));
        assert_eq!(three("x: &v [1, 2, 3]\na: *v\n"), Some([1.0, 2.0, 3.0]));
        assert_eq!(three("x: &n 1\na: [*n, *n, !!float '2']\n"), Some([1.0, 1.0, 2.0]));
        for text in [
            "a: [1, 2]\n",
            "a: [1, 2, 3, 4]\n",
            "a: []\n",
            "a: [1, 2, x]\n",
            "a: [1, 2, '3']\n",
            "a: [1, 2, [3]]\n",
            "a: [1, 2, ~]\n",
            "a: [1,\n  2, 3]\n",
            "a:\n  - 1\n  - 2\n  - 3\n",
            "a: {x: 1, y: 2, z: 3}\n",
            "a: 1\n",
            "a:\n",
            "a: '[1, 2, 3]'\n",
            "a: !vec [1, 2, 3]\n",
        ] {
            assert_eq!(three(text), None, "{text}");
        }
    }
}
