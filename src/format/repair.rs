//! Repairs with one right answer, as replacements of bytes of the text.
//!
//! Where a layout is too odd to be sure of, there is no repair.

use super::field;
use crate::diagnostic::{Fix, TextEdit};
use crate::source::{Kind, NodeId, Source};
use std::ops::Range;

/// Puts a vector of `N` plain numbers on one line (M5).
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
        let plain = source.kind(item) == Kind::Plain && source.full_span(item) == source.span(item);
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

/// Sorts the keys of a track by time, where they are distinct and all in the clip.
pub(super) fn sort_keys(source: &Source, list: NodeId, duration_secs: f64) -> Option<Fix> {
    if source.full_span(list) != source.span(list) || has_anchors(source, &source.span(list)) {
        return None;
    }
    let items: Vec<NodeId> = source.items(list).collect();
    let mut order = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        let time = source.get(source.resolve(*item), "time")?;
        let time = field::number(source, time).filter(|t| (0.0..=duration_secs).contains(t))?;
        order.push((time, index));
    }
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    if order.windows(2).any(|pair| pair[0].0 == pair[1].0) {
        return None;
    }
    let places = if source.kind(list).is_flow() {
        flow_places(source, list, &items)?
    } else {
        block_places(source, list, &items)?.into_iter().map(|place| place.content).collect()
    };
    let mut edits = Vec::new();
    for (slot, (_, from)) in order.into_iter().enumerate() {
        if slot != from {
            let text = source.text()[places[from].clone()].to_owned();
            edits.push(TextEdit { span: places[slot].clone(), text });
        }
    }
    Some(Fix { title: "Sort the keys".to_owned(), edits })
}

/// Deletes a key that says the same as an earlier one: the same time and value, and nothing else
/// but what that one has too.
pub(super) fn drop_double(source: &Source, list: NodeId, index: usize) -> Option<Fix> {
    let items: Vec<NodeId> = source.items(list).collect();
    let double = *items.get(index)?;
    let content = key_content(source, double)?;
    let same = |item: &NodeId| {
        key_content(source, *item) == Some(content) && adds_nothing(source, *item, double)
    };
    if !items[..index].iter().any(same) || has_anchors(source, &source.full_span(double)) {
        return None;
    }
    let edit = delete_item(source, list, index)?;
    Some(Fix { title: "Delete the doubled key".to_owned(), edits: vec![edit] })
}

/// Deletes an item of a list with its lines and the comments right above them. The only item of a
/// list is not deleted.
pub(super) fn delete_item(source: &Source, list: NodeId, index: usize) -> Option<TextEdit> {
    let items: Vec<NodeId> = source.items(list).collect();
    let item = *items.get(index)?;
    if items.len() < 2 || has_anchors(source, &source.full_span(item)) {
        return None;
    }
    let text = source.text();
    let span = if source.kind(list).is_flow() {
        let span = match index.checked_sub(1).and_then(|before| items.get(before)) {
            Some(before) => source.span(*before).end..source.span(item).end,
            None => source.full_span(item).start..source.full_span(*items.get(1)?).start,
        };
        if has_comments(source, &span) {
            return None;
        }
        span
    } else {
        let place = block_places(source, list, &items)?.swap_remove(index);
        match place.line_break {
            // The last line of a file that has no last line break: it takes the one before it.
            range if range.is_empty() => {
                let start = place.content.start;
                let before = &text[..start];
                let kept = before
                    .strip_suffix("\r\n")
                    .or_else(|| before.strip_suffix(['\n', '\r']))
                    .map_or(start, str::len);
                kept..range.end
            }
            range => place.content.start..range.end,
        }
    };
    Some(TextEdit { span, text: String::new() })
}

/// A key's time and value, where both are good numbers.
fn key_content(source: &Source, item: NodeId) -> Option<[f64; 4]> {
    let map = source.resolve(item);
    let time = field::number(source, source.get(map, "time")?)?;
    let [x, y, z] = field::vector::<3>(source, source.get(map, "value")?)?;
    Some([time, x, y, z])
}

/// Whether a key has no field but its time and value, or is spelled like the other one.
fn adds_nothing(source: &Source, other: NodeId, double: NodeId) -> bool {
    let (other, double) = (source.resolve(other), source.resolve(double));
    let known =
        |key: NodeId| source.scalar(key).is_some_and(|name| matches!(&*name, "time" | "value"));
    source.raw(other) == source.raw(double) || source.entries(double).all(|(key, _)| known(key))
}

/// Where an item of a block list stands.
struct BlockPlace {
    /// Its lines with the comments right above and beside it, without the last line break.
    content: Range<usize>,
    /// Its last line break; empty at the end of a text that has none.
    line_break: Range<usize>,
}

/// The places of all items of a block list, where each has its lines for itself.
fn block_places(source: &Source, list: NodeId, items: &[NodeId]) -> Option<Vec<BlockPlace>> {
    let text = source.text();
    let mut places = Vec::with_capacity(items.len());
    let mut end = source.span(list).start;
    // The first line that no item before has.
    let first = line_start(text, end);
    let mut free = comments_above(text, first, 0);
    for item in items {
        let dash = skip_to_dash(text, end)?;
        let line = line_start(text, dash);
        if !is_blank(text.get(line..dash)?) {
            return None;
        }
        end = source.full_span(*item).end.max(source.span(*item).end).max(dash + 1);
        let stop = line_end(text, end);
        let rest = text[end..stop].trim_start_matches([' ', '\t']);
        if !(rest.is_empty() || rest.starts_with('#')) {
            return None;
        }
        let line_break = stop..next_line(text, stop);
        places.push(BlockPlace {
            content: comments_above(text, line, free)..stop,
            line_break: line_break.clone(),
        });
        free = line_break.end;
        end = stop;
    }
    Some(places)
}

/// The spans of the items of a flow list, where commas and white space are all that lies between.
fn flow_places(source: &Source, list: NodeId, items: &[NodeId]) -> Option<Vec<Range<usize>>> {
    if has_comments(source, &source.span(list)) {
        return None;
    }
    Some(items.iter().map(|item| source.full_span(*item)).collect())
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

/// From `from` over white space, line breaks and comments to a dash.
fn skip_to_dash(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = from;
    loop {
        match bytes.get(at)? {
            b' ' | b'\t' | b'\n' | b'\r' => at += 1,
            b'#' => at = line_end(text, at),
            b'-' => return Some(at),
            _ => return None,
        }
    }
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
