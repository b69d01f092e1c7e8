//! Repairs with one right answer, as replacements of bytes of the text.
//!
//! Where a layout is too odd to be sure of, there is no repair.

mod keys;

pub(super) use keys::{KeyRepairs, delete_item};

use super::field;
use crate::diagnostic::{Fix, TextEdit};
use crate::source::{Kind, NodeId, Source};
use std::ops::Range;

/// Puts a vector of `N` numbers on one line (M5).
pub(super) fn one_line<const N: usize>(source: &Source, key: NodeId, at: NodeId) -> Option<Fix> {
    let kind = source.kind(at);
    if !kind.is_seq() || source.full_span(at) != source.span(at) {
        return None;
    }
    let span = source.span(at);
    if kind == Kind::FlowSeq && !source.raw(at).contains(['\n', '\r']) {
        return None;
    }
    let mut words = Vec::with_capacity(N);
    for item in source.items(at) {
        let plain = matches!(source.kind(item), Kind::Plain | Kind::Alias)
            && source.full_span(item) == source.span(item);
        if !plain || field::number(source, item).is_none() || words.len() == N {
            return None;
        }
        words.push(source.raw(item));
    }
    let (span, lead) = match kind {
        Kind::FlowSeq => (span, ""),
        // From behind the colon, over the line break.
        _ => {
            let after = source.span(key).end;
            let between = source.text().get(after..span.start)?;
            let rest = between.trim_start_matches([' ', '\t']).strip_prefix(':')?;
            let is_lines_only = rest.trim().is_empty() && rest.contains(['\n', '\r']);
            if !is_lines_only {
                return None;
            }
            (span.start - rest.len()..span.end, " ")
        }
    };
    if words.len() != N || has_comments(source, &span) {
        return None;
    }
    let text = format!("{lead}[{}]", words.join(", "));
    let title = if N == 3 { "Put the vector on one line" } else { "Put the curve on one line" };
    Some(Fix { title: title.to_owned(), edits: vec![TextEdit { span, text }] })
}

/// Deletes a field of the top mapping with its line; comments above it stay.
pub(super) fn delete_field(
    source: &Source,
    map: NodeId,
    key: NodeId,
    value: NodeId,
    title: &str,
) -> Option<Fix> {
    let text = source.text();
    let whole = source.full_span(key).start..source.full_span(value).end.max(source.span(key).end);
    let whole = whole.start..whole.end.max(source.span(value).end);
    let entries: Vec<NodeId> = source.entries(map).map(|(key, _)| key).collect();
    let index = entries.iter().position(|k| *k == key)?;
    if entries.len() < 2 || has_anchors(source, &whole) {
        return None;
    }
    let span = if source.kind(map).is_flow() {
        let span = match entries.get(index + 1) {
            Some(next) => whole.start..source.full_span(*next).start,
            None => {
                let (_, before) = source.entries(map).nth(index - 1)?;
                source.span(before).end..whole.end
            }
        };
        if has_comments(source, &span) {
            return None;
        }
        span
    } else {
        lines_of(text, &whole)?
    };
    Some(Fix { title: title.to_owned(), edits: vec![TextEdit { span, text: String::new() }] })
}

/// The whole lines of something that has them for itself, with their last line break.
fn lines_of(text: &str, span: &Range<usize>) -> Option<Range<usize>> {
    let start = line_start(text, span.start);
    let stop = line_end(text, span.end);
    let rest = text[span.end..stop].trim_start_matches([' ', '\t']);
    let alone = is_blank(&text[start..span.start]) && (rest.is_empty() || rest.starts_with('#'));
    alone.then(|| start..next_line(text, stop))
}

/// Where the comment lines right above a line begin, not above `floor`.
fn comments_above(text: &str, line: usize, floor: usize) -> usize {
    let mut line = line;
    while line > floor {
        let above = &text[..line];
        let above = above
            .strip_suffix("\r\n")
            .unwrap_or_else(|| above.strip_suffix(['\n', '\r']).unwrap_or(above));
        let start = line_start(text, above.len());
        if start < floor
            || start >= line
            || !text[start..].trim_start_matches([' ', '\t']).starts_with('#')
        {
            break;
        }
        line = start;
    }
    line
}

/// Where the line of a byte begins; a byte-order mark is before the first line.
fn line_start(text: &str, at: usize) -> usize {
    let bytes = &text.as_bytes()[..at];
    let bom = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    memchr::memrchr2(b'\n', b'\r', bytes).map_or(bom.min(at), |i| i + 1)
}

/// Where the line of a byte ends, before its break.
fn line_end(text: &str, at: usize) -> usize {
    let rest = &text.as_bytes()[at..];
    memchr::memchr2(b'\n', b'\r', rest).map_or(text.len(), |i| at + i)
}

/// Behind the line break that begins at `stop`.
fn next_line(text: &str, stop: usize) -> usize {
    let rest = &text[stop..];
    if rest.starts_with("\r\n") { stop + 2 } else { (stop + 1).min(text.len()) }
}

fn is_blank(text: &str) -> bool {
    text.bytes().all(|b| b == b' ' || b == b'\t')
}

/// Whether comments begin inside these bytes.
fn has_comments(source: &Source, span: &Range<usize>) -> bool {
    let comments = source.comments();
    let next = comments.partition_point(|c| (c.start as usize) < span.start);
    comments.get(next).is_some_and(|c| (c.start as usize) < span.end)
}

/// Whether something inside these bytes is named by an anchor, so that an alias may want it there.
fn has_anchors(source: &Source, span: &Range<usize>) -> bool {
    source.has_anchors() && source.anchor_within(span)
}
