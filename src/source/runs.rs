//! The fast path for long runs of keys.
//!
//! Nearly all of a big clip is lines such as
//!
//! ```yaml
//!       - time: 0.25
//!         value: [0, 1.5, -2e-3]
//! ```
//!
//! A run of items of exactly this shape and indentation is found by a plain scan. All but its
//! first and last item are cut out of the text that the event parser sees. Where the parser then gives the
//! first item as a mapping of just these two scalars and one flow list in a block list, the items
//! cut out behind it can only be its siblings, and their nodes are written down without it. Where it gives
//! anything else (the run stood in a block scalar, say), the whole text is parsed instead.

use super::tree::{Kind, LONG_LIST, Node};
use std::ops::Range;

/// Runs shorter than this are not worth a cut.
const SHORTEST: usize = 4;
/// Nodes of one key: the mapping, two keys, the time, the list and its three numbers.
const NODES: usize = 8;

/// Keys of one shape in a row.
#[derive(Debug)]
pub(super) struct Run {
    /// Byte of the first item's mapping, behind its dash.
    start: usize,
    /// Byte behind the first item's last line.
    cut: Range<usize>,
    indent: usize,
    /// Items that were cut out.
    pub extra: usize,
}

/// All runs of a text, in order.
#[derive(Debug, Default)]
pub(super) struct Runs {
    runs: Vec<Run>,
    /// Words with commas, cut out of lists that have too many of them (M12).
    words: Vec<Range<usize>>,
    /// Everything that was cut out.
    gone: Vec<Range<usize>>,
    /// For each cut where it lies in the shortened text, and how much is missing behind it.
    cuts: Vec<(usize, usize)>,
}

impl Runs {
    pub fn find(text: &str) -> Runs {
        let bytes = text.as_bytes();
        let mut runs = Runs { words: long_lists(bytes), ..Runs::default() };
        let mut at = 0;
        while let Some(hit) = memchr::memmem::find(&bytes[at..], b"- time: ") {
            let dash = at + hit;
            at = dash + 1;
            let line = memchr::memrchr2(b'\n', b'\r', &bytes[..dash]).map_or(0, |i| i + 1);
            let indent = dash - line;
            if bytes[line..dash].iter().any(|b| *b != b' ') {
                continue;
            }
            let Some(first) = Item::scan(bytes, line, indent) else { continue };
            // The last item stays too: lines behind it may still belong to it.
            let mut cut = first.end..first.end;
            let mut end = first.end;
            let mut extra = 0;
            while let Some(next) = Item::scan(bytes, end, indent) {
                if end > cut.start {
                    extra += 1;
                }
                cut.end = end;
                end = next.end;
            }
            at = end;
            if extra >= SHORTEST {
                let start = dash + 2;
                runs.runs.push(Run { start, cut, indent, extra });
            }
        }
        runs.gone = runs.runs.iter().map(|run| run.cut.clone()).collect();
        runs.gone.extend(runs.words.iter().cloned());
        runs.gone.sort_by_key(|cut| cut.start);
        let mut removed = 0;
        for cut in &runs.gone {
            runs.cuts.push((cut.start - removed, removed + cut.len()));
            removed += cut.len();
        }
        runs
    }

    pub fn is_empty(&self) -> bool {
        self.gone.is_empty()
    }

    /// What was cut out of long lists, in order.
    pub fn words(&self) -> &[Range<usize>] {
        &self.words
    }

    pub fn len(&self) -> usize {
        self.runs.len()
    }

    /// The text without the cuts.
    pub fn shorten(&self, text: &str) -> String {
        let mut short = String::new();
        let mut at = 0;
        for cut in &self.gone {
            short.push_str(&text[at..cut.start]);
            at = cut.end;
        }
        short.push_str(&text[at..]);
        short
    }

    /// A byte of the shortened text that begins something, in the whole text.
    pub fn start(&self, short: usize) -> usize {
        let before = self.cuts.partition_point(|(at, _)| *at <= short);
        short + before.checked_sub(1).map_or(0, |i| self.cuts[i].1)
    }

    /// A byte of the shortened text that ends something, in the whole text.
    pub fn end(&self, short: usize) -> usize {
        let before = self.cuts.partition_point(|(at, _)| *at < short);
        short + before.checked_sub(1).map_or(0, |i| self.cuts[i].1)
    }

    /// Whether something cut out lies inside these bytes of the whole text.
    pub fn cut_within(&self, range: Range<usize>) -> bool {
        let next = self.gone.partition_point(|cut| cut.start <= range.start);
        self.gone.get(next).is_some_and(|cut| cut.start < range.end)
    }

    /// The run whose first mapping begins at this byte.
    pub fn starting_at(&self, start: usize) -> Option<&Run> {
        let index = self.runs.binary_search_by_key(&start, |run| run.start).ok()?;
        Some(&self.runs[index])
    }
}

/// Lines shorter than this hold no list that is worth a cut.
const LONG_LINE: usize = 8 * LONG_LIST;

/// A list with more words than this is no item of a list that is cut: it may be cut itself.
const MOST_WORDS: usize = 64;

/// A byte of a list of words (numbers, `true`, `null`, names) and of short lists of words.
pub(super) fn is_in_words(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'.' | b'_' | b'+' | b'-' | b',' | b' ' | b'[' | b']')
}

/// In lists that have more than [`LONG_LIST`] words, or short lists of words, on one line: those
/// from there to the last, each with its comma.
fn long_lists(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    while start < bytes.len() {
        let end = memchr::memchr2(b'\n', b'\r', &bytes[start..]).map_or(bytes.len(), |i| start + i);
        if end - start >= LONG_LINE {
            let mut at = start;
            while let Some(open) = memchr::memchr(b'[', &bytes[at..end]) {
                at += open + 1;
                let (mut count, mut from) = (0, at);
                while let Some(next) = element(&bytes[..end], at) {
                    at = next;
                    count += 1;
                    if count == LONG_LIST {
                        from = at;
                    }
                }
                if count > LONG_LIST {
                    found.push(from..at);
                }
            }
        }
        start = end + 1;
    }
    found
}

/// Behind the word or short list of words that begins here, its comma and the spaces that follow.
fn element(bytes: &[u8], at: usize) -> Option<usize> {
    if *bytes.get(at)? != b'[' {
        return comma(bytes, word(bytes, at)?);
    }
    let mut at = at + 1;
    for _ in 0..MOST_WORDS {
        at = word(bytes, at)?;
        if *bytes.get(at)? == b']' {
            return comma(bytes, at + 1);
        }
        at = comma(bytes, at)?;
    }
    None
}

/// Behind the word that begins here.
fn word(bytes: &[u8], at: usize) -> Option<usize> {
    let mut end = at;
    end += usize::from(matches!(bytes.get(end)?, b'+' | b'-'));
    end += usize::from(*bytes.get(end)? == b'.');
    if !bytes.get(end)?.is_ascii_alphanumeric() {
        return None;
    }
    while matches!(bytes.get(end)?, b'.' | b'_' | b'+' | b'-') || bytes[end].is_ascii_alphanumeric()
    {
        end += 1;
    }
    Some(end)
}

impl Run {
    /// Whether the nodes are those of one key of this run's shape and nothing else.
    pub fn is_like(&self, nodes: &[Node]) -> bool {
        use Kind::{BlockMap, FlowSeq, Plain};
        let kinds = [BlockMap, Plain, Plain, Plain, FlowSeq, Plain, Plain, Plain];
        nodes.len() == NODES
            && nodes.iter().map(|n| n.kind).eq(kinds)
            && nodes[0].start as usize == self.start
            && nodes[0].end as usize <= self.cut.start
    }

    /// Writes down the nodes of the items that were cut out; gives the last one's end.
    pub fn append(&self, text: &str, nodes: &mut Vec<Node>) -> Option<u32> {
        let bytes = text.as_bytes();
        let mut at = self.cut.start;
        let mut last = None;
        nodes.reserve(self.extra * NODES);
        while at < self.cut.end {
            let item = Item::scan(bytes, at, self.indent)?;
            let map = nodes.len() as u32;
            let spans = item.spans(at, self.indent);
            for (offset, (kind, span)) in spans.into_iter().enumerate() {
                let index = map + offset as u32;
                let next = match offset {
                    0 => map + NODES as u32,
                    4 => index + 4,
                    _ => index + 1,
                };
                nodes.push(Node { start: span.start as u32, end: span.end as u32, next, kind });
            }
            last = Some(item.value.end as u32);
            at = item.end;
        }
        last
    }
}

/// One key as it was scanned.
struct Item {
    time: Range<usize>,
    value: Range<usize>,
    numbers: [Range<usize>; 3],
    value_key: usize,
    end: usize,
}

impl Item {
    /// Reads one key whose line begins at `at`, or nothing where it differs in the least.
    fn scan(bytes: &[u8], at: usize, indent: usize) -> Option<Item> {
        let mut at = spaces(bytes, at, indent)?;
        at = literal(bytes, at, b"- time: ")?;
        let time = number(bytes, at)?;
        at = line_break(bytes, time.end)?;
        at = spaces(bytes, at, indent + 2)?;
        let value_key = at;
        at = literal(bytes, at, b"value: [")?;
        let start = at - 1;
        let x = number(bytes, at)?;
        at = comma(bytes, x.end)?;
        let y = number(bytes, at)?;
        at = comma(bytes, y.end)?;
        let z = number(bytes, at)?;
        at = literal(bytes, z.end, b"]")?;
        let value = start..at;
        let end = line_break(bytes, at)?;
        Some(Item { time, value, numbers: [x, y, z], value_key, end })
    }

    fn spans(&self, line: usize, indent: usize) -> [(Kind, Range<usize>); NODES] {
        let map = line + indent + 2;
        let [x, y, z] = self.numbers.clone();
        [
            (Kind::BlockMap, map..self.value.end),
            (Kind::Plain, map..map + 4),
            (Kind::Plain, self.time.clone()),
            (Kind::Plain, self.value_key..self.value_key + 5),
            (Kind::FlowSeq, self.value.clone()),
            (Kind::Plain, x),
            (Kind::Plain, y),
            (Kind::Plain, z),
        ]
    }
}

fn spaces(bytes: &[u8], at: usize, count: usize) -> Option<usize> {
    let end = at + count;
    bytes.get(at..end)?.iter().all(|b| *b == b' ').then_some(end)
}

fn literal(bytes: &[u8], at: usize, expected: &[u8]) -> Option<usize> {
    let end = at + expected.len();
    (bytes.get(at..end)? == expected).then_some(end)
}

/// A plain scalar made of the characters of numbers. Whether it is one is not decided here.
fn number(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let mut end = at + usize::from(matches!(bytes.get(at)?, b'-' | b'+'));
    if !matches!(bytes.get(end)?, b'0'..=b'9' | b'.') {
        return None;
    }
    while matches!(bytes.get(end)?, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-') {
        end += 1;
    }
    Some(at..end)
}

fn comma(bytes: &[u8], at: usize) -> Option<usize> {
    let mut at = literal(bytes, at, b",")?;
    while *bytes.get(at)? == b' ' {
        at += 1;
    }
    Some(at)
}

fn line_break(bytes: &[u8], at: usize) -> Option<usize> {
    match bytes.get(at)? {
        b'\n' => Some(at + 1),
        b'\r' if bytes.get(at + 1) == Some(&b'\n') => Some(at + 2),
        _ => None,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use crate::source::tree::Source;
    use crate::source::yaml::parse_whole;

    /// Everything that the two ways of reading give.
    fn described(source: &Source) -> String {
        let mut decoded: Vec<_> = source.decoded.iter().collect();
        decoded.sort();
        let mut aliases: Vec<_> = source.aliases.iter().collect();
        aliases.sort();
        let mut anchors: Vec<_> = source.anchors.iter().map(|(n, a)| (n, &a.name)).collect();
        anchors.sort();
        format!(
            "{:?}\n{:?}\n{decoded:?}\n{aliases:?}\n{anchors:?}\n{:?}",
            source.nodes, source.comments, source.duplicates
        )
    }

    struct Rng(u64);

    impl Rng {
        fn below(&mut self, n: u64) -> u64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 9) % n
        }
    }

    /// Long runs of keys with something odd before, behind, around or among them.
    fn text(rng: &mut Rng) -> String {
        let eol = if rng.below(4) == 0 { "\r\n" } else { "\n" };
        let mut out = String::new();
        let heads = [
            "tracks:",
            "note: |",
            "note: >-",
            "note: \"",
            "note: 'x",
            "a: [",
            "# c",
            "? x",
            "- y",
            "tracks: &k",
            "x: *k",
            "note: |+",
            "note: |2",
            "deep:",
            "tracks: !!seq",
            "---",
            "key",
        ];
        for _ in 0..1 + rng.below(4) {
            out += heads[rng.below(heads.len() as u64) as usize];
            out += eol;
            let indent = rng.below(3) as usize * 2;
            for k in 0..rng.below(12) {
                let pad = " ".repeat(indent);
                out += &format!("{pad}- time: {k}{eol}{pad}  value: [{k}, -1.5e3, .5]{eol}");
                match rng.below(40) {
                    0 => out += &format!("{pad}  note: 1{eol}"),
                    1 => out += &format!("{pad}# comment{eol}"),
                    2 => out += eol,
                    3 => out += &format!("{pad}    more{eol}"),
                    4 => out += &format!("{pad}- other{eol}"),
                    5 => out += &format!("{pad}  time: 7{eol}"),
                    6 => out += &format!("{pad}  - 1{eol}"),
                    7 => out += "\"",
                    8 => out += "]",
                    _ => {}
                }
            }
            match rng.below(8) {
                0 => out += "\"",
                1 => out += "]",
                2 => out += &format!("    trailing{eol}"),
                3 => out += &format!("end: 1{eol}"),
                _ => {}
            }
        }
        out
    }

    #[test]
    fn both_ways_of_reading_give_the_same_tree() {
        let mut rng = Rng(0x5EED);
        let (mut read, mut refused) = (0, 0);
        for case in 0..20_000 {
            let text = text(&mut rng);
            let fast = Source::parse_yaml(text.clone());
            let whole = parse_whole(text.clone().into());
            match (&fast, &whole) {
                (Ok(fast), Ok(whole)) => {
                    assert_eq!(described(fast), described(whole), "case {case}\n{text}");
                    read += 1;
                }
                (Err(fast), Err(whole)) => {
                    assert_eq!(fast, whole, "case {case}\n{text}");
                    refused += 1;
                }
                _ => panic!("case {case}: {fast:?}\n{whole:?}\n{text}"),
            }
        }
        assert!(read > 1_000 && refused > 1_000, "{read} read, {refused} refused");
    }

    #[test]
    fn a_run_is_taken_without_the_parser() {
        let mut text = "tracks:\n  - keys:\n".to_owned();
        for k in 0..100 {
            text += &format!("      - time: {k}\n        value: [0, {k}, 1]\n");
        }
        let runs = super::Runs::find(&text);
        assert_eq!(runs.len(), 1);
        assert!(runs.shorten(&text).len() < 200);
        let source = Source::parse_yaml(text).unwrap();
        assert_eq!(source.nodes.len(), 1 + 1 + 1 + 1 + 1 + 1 + 100 * super::NODES);
    }

    /// A long list of words in many surroundings: read or refused as the whole text is, and with
    /// the first items only where it is a list.
    #[test]
    fn long_lists_are_read_alike_and_kept_short() {
        use crate::source::tree::LONG_LIST;
        let fill = |three: &str| vec![three; LONG_LIST + 1].join(", ");
        let fills = [fill("1.5, -2e3,x"), fill("[1, -2.5],[x], [a,b,c]"), fill("[1], 2, [3,4]")];
        let surroundings = [
            ("x: [", "]\n", true),
            ("x: {a: [", "]}\n", true),
            ("x:\n  - [", "]\n", true),
            ("x: &a [", "]\ny: *a\n", true),
            ("x: [[", "], 2]\ny: 1\n", true),
            ("x: [", "\n]\n", false),
            ("x: [a b, ", "]\n", false),
            ("x: ['a', ", "]\n", false),
            ("entities: [", "]\n", false),
            ("\"entities\" : [", "]\n", false),
            ("x: {k, ", "}\n", false),
            ("x: {[", "]}\n", true),
            ("[", "]: 1\n", false),
            ("x: {[", "]: 1}\n", false),
            ("? [", "]\n: 1\n", true),
            ("x: \"[", "]\"\n", false),
            ("x: '[", "]'\n", false),
            ("x: |\n  [", "]\n", false),
            ("x: a [", "]\n", false),
            ("# [", "]\nx: 1\n", false),
            ("x: 1 # [", "]\n", false),
            ("x: [", ", &a 5, *a]\n", false),
            ("x: [", ", *b]\n", false),
            ("x: [", ", {a: 1}]\n", false),
            ("x: [", "\n", false),
            ("x: [", "}\n", false),
        ];
        let cases = fills.iter().flat_map(|fill| surroundings.map(|around| (fill, around)));
        for (fill, (before, behind, is_cut)) in cases {
            let text = format!("a: 1\n{before}{fill}{behind}z: [1, 2]\n");
            let fast = Source::parse_yaml(text.clone());
            let whole = parse_whole(text.into());
            match (fast, whole) {
                (Ok(fast), Ok(whole)) => {
                    assert_eq!(fast.cut.len(), usize::from(is_cut), "{before} {behind}");
                    let kept = |source: &Source| {
                        let spans = source.nodes.iter().map(|n| (n.start, n.end, n.kind));
                        spans.collect::<Vec<_>>()
                    };
                    let (fast_kept, whole_kept) = (kept(&fast), kept(&whole));
                    let mut others = whole_kept.iter();
                    assert!(fast_kept.iter().all(|node| others.any(|o| o == node)), "{before}");
                    match is_cut {
                        true => assert!(fast_kept.len() < 3 * LONG_LIST + 40, "{before}"),
                        false => assert_eq!(fast_kept, whole_kept, "{before}"),
                    }
                    assert!(fast.get(fast.root(), "z").is_some(), "{before}");
                }
                (fast, whole) => {
                    assert_eq!(fast.err(), whole.err(), "{before} {behind}");
                    assert!(!is_cut);
                }
            }
        }
    }

    /// Lists among the words are not too deep because they were cut out.
    #[test]
    fn what_is_cut_out_nests_no_deeper_than_it_may() {
        use crate::source::tree::LONG_LIST;
        let fill = format!("{}[1], 2", "1, ".repeat(LONG_LIST + 5) + &"[1], ".repeat(5));
        for depth in 120..=130 {
            let text = format!("x: {}{fill}{}\n", "[".repeat(depth), "]".repeat(depth));
            let fast = Source::parse_yaml(text.clone()).err();
            assert_eq!(fast, parse_whole(text.into()).err(), "{depth}");
        }
    }
}
