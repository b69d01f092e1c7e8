//! Patches to text: one pass over what stays, with the changes in their places.

use super::fragment::Fragment;
use super::tree::{NodeId, Source};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// Bytes of a text and what takes their place.
#[derive(Debug)]
pub(super) struct Patch {
    /// The scalar, list or mapping that it changes.
    pub owner: NodeId,
    pub span: Range<usize>,
    pub with: Vec<Piece>,
}

#[derive(Debug)]
pub(super) enum Piece {
    /// Bytes of the text, with the changes inside them.
    Copy(Range<usize>),
    Text(String),
    /// Like `Copy` and `Text`, on lines of their own.
    CopyLines(Range<usize>),
    Lines(String),
}

/// The text with all patches. Patches may nest: those inside a range that is copied are made
/// there.
pub(super) fn compose(source: &Source, patches: &mut [Patch], line_break: &str) -> String {
    // At one place insertions first, in the order they were made, then outer changes before
    // those inside them.
    patches.sort_by_key(|p| (p.span.start, !p.span.is_empty(), std::cmp::Reverse(p.span.end)));
    let patches = &*patches;
    let marks = Marks::new(source, patches);
    let has_anchors = !marks.all.is_empty();
    let (out, marks) = Writer::run(source, patches, line_break, marks);
    // Whether an anchor is still somewhere shows only once all is written.
    if has_anchors { Writer::run(source, patches, line_break, marks.again()).0 } else { out }
}

/// The new text of one patch alone, where it has no anchors and lies behind those it refers to.
pub(super) fn compose_alone(source: &Source, patch: Patch, line_break: &str) -> String {
    let marks = Marks {
        all: Vec::new(),
        broken: HashSet::new(),
        defined: HashMap::new(),
        written: HashSet::new(),
    };
    let out = String::with_capacity(patch.span.len() + 64);
    let mut writer = Writer { source, patches: &[], line_break, made: Vec::new(), out, marks };
    writer.pieces(&patch.with);
    writer.out
}

/// Anchors and aliases by their place, so that no edit leaves an alias without its value.
struct Marks<'s> {
    /// (place, node, is an alias), by place.
    all: Vec<(Range<usize>, u32, bool)>,
    /// Anchored nodes that have aliases and are changed inside: they lose their anchor.
    broken: HashSet<u32>,
    /// What each name stands for in the output so far.
    defined: HashMap<&'s str, u32>,
    /// Anchors that are written somewhere.
    written: HashSet<u32>,
}

impl<'s> Marks<'s> {
    fn new(source: &'s Source, patches: &[Patch]) -> Self {
        let mut all = Vec::new();
        let mut broken = HashSet::new();
        let used: HashSet<u32> = source.aliases.values().copied().collect();
        for (node, anchor) in &source.anchors {
            all.push((anchor.span.start as usize..anchor.span.end as usize, *node, false));
            let inside = *node..source.nodes[*node as usize].next;
            let touched = patches.iter().any(|p| inside.contains(&p.owner.0));
            if touched && used.contains(node) {
                broken.insert(*node);
            }
        }
        for alias in source.aliases.keys() {
            all.push((source.span(NodeId(*alias)), *alias, true));
        }
        all.sort_by_key(|(place, ..)| place.start);
        Marks { all, broken, defined: HashMap::new(), written: HashSet::new() }
    }

    /// For a second pass that knows which anchors are written.
    fn again(self) -> Self {
        Marks { defined: HashMap::new(), ..self }
    }
}

struct Writer<'s, 'p> {
    source: &'s Source,
    patches: &'p [Patch],
    /// Which patches are written: at the end of the text, a range and what holds it meet.
    made: Vec<bool>,
    line_break: &'p str,
    out: String,
    marks: Marks<'s>,
}

impl<'s, 'p> Writer<'s, 'p> {
    fn run(
        source: &'s Source,
        patches: &'p [Patch],
        line_break: &'p str,
        marks: Marks<'s>,
    ) -> (String, Marks<'s>) {
        let out = String::with_capacity(source.text.len() + 64);
        let made = vec![false; patches.len()];
        let mut writer = Writer { source, patches, line_break, made, out, marks };
        writer.copy(0..source.text.len());
        (writer.out, writer.marks)
    }

    /// The bytes of a range, with the changes inside it.
    fn copy(&mut self, range: Range<usize>) {
        let patches = self.patches;
        let at_text_end = range.end == self.source.text.len();
        let mut at = range.start;
        let from = patches.partition_point(|p| p.span.start < range.start);
        for (index, patch) in patches.iter().enumerate().skip(from) {
            let span = &patch.span;
            if span.start >= range.end && !(at_text_end && span.start == range.end) {
                break;
            }
            // Changes inside one that was made already, and changes that reach out of the range.
            if self.made[index] || span.start < at || span.end > range.end {
                continue;
            }
            self.made[index] = true;
            self.verbatim(at..span.start);
            self.pieces(&patch.with);
            at = span.end;
        }
        self.verbatim(at..range.end);
    }

    fn pieces(&mut self, pieces: &[Piece]) {
        for piece in pieces {
            match piece {
                Piece::Copy(range) => self.copy(range.clone()),
                Piece::Text(text) => self.out.push_str(text),
                Piece::CopyLines(range) => {
                    self.end_line();
                    self.copy(range.clone());
                }
                Piece::Lines(text) => {
                    self.end_line();
                    self.out.push_str(text);
                }
            }
        }
        if matches!(pieces.last(), Some(Piece::CopyLines(_) | Piece::Lines(_))) {
            self.end_line();
        }
    }

    fn end_line(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with(['\n', '\r', '\u{feff}']) {
            // As the line before ends, so does this one.
            let last = memchr::memrchr2(b'\n', b'\r', self.out.as_bytes());
            let line_break = match last {
                Some(at) if self.out[..=at].ends_with("\r\n") => "\r\n",
                Some(_) => "\n",
                None => self.line_break,
            };
            self.out.push_str(line_break);
        }
    }

    /// Unchanged bytes, but for anchors and aliases that an edit parted.
    fn verbatim(&mut self, range: Range<usize>) {
        let source = self.source;
        if self.marks.all.is_empty() {
            self.out.push_str(&source.text[range]);
            return;
        }
        let mut at = range.start;
        let from = self.marks.all.partition_point(|(place, ..)| place.start < range.start);
        for index in from..self.marks.all.len() {
            let (place, node, is_alias) = self.marks.all[index].clone();
            if place.end > range.end {
                break;
            }
            self.out.push_str(&source.text[at..place.start]);
            at = place.end;
            if !is_alias {
                let Some(anchor) = source.anchors.get(&node) else { continue };
                if self.marks.broken.contains(&node) {
                    let rest = &source.text[at..];
                    let blank = rest.len() - rest.trim_start_matches([' ', '\t']).len();
                    if rest[blank..].starts_with(['\n', '\r']) {
                        self.out.truncate(self.out.trim_end_matches(' ').len());
                    } else {
                        at += blank;
                    }
                } else {
                    self.marks.defined.insert(&anchor.name, node);
                    self.marks.written.insert(node);
                    self.out.push_str(&source.text[place]);
                }
                continue;
            }
            let target = source.aliases[&node];
            let name = source.anchors.get(&target).map_or("", |a| a.name.as_str());
            if self.marks.defined.get(name) == Some(&target) {
                self.out.push_str(&source.text[place]);
                continue;
            }
            // Its anchor is gone, or stands behind it now: the value goes where the alias stands.
            let gone = !self.marks.written.contains(&target);
            let more = gone && source.aliases.iter().any(|(a, t)| *t == target && *a > node);
            if more {
                self.out.push_str(&format!("&{name} "));
                self.marks.defined.insert(name, target);
            }
            let value = Fragment::of(source, NodeId(target), false).flow();
            self.out.push_str(&value);
        }
        if at < range.end {
            self.out.push_str(&source.text[at..range.end]);
        }
    }
}
