//! Flow lists that are written line by line.

use super::compose::Piece;
use super::fragment::{Body, Fragment};
use super::layout::FlowPart;
use super::plan::Item;
use super::rewrite::Rewrite;
use super::tree::NodeId;
use std::ops::Range;

impl Rewrite<'_> {
    /// `[…]` or `{…}` with these elements. Comments that stand apart from any element stay in
    /// their place, with the blank lines that set them apart; where there are none, the elements
    /// may share lines.
    pub(super) fn flow_with_gaps(
        &self,
        container: NodeId,
        parts: &[FlowPart],
        order: Vec<FlowItem>,
    ) -> Vec<Piece> {
        let gaps: Vec<Gap> = (0..=parts.len()).map(|at| self.gap(container, parts, at)).collect();
        let has_comments = |gap: &Gap| self.source.comment_in(gap.whole.clone()).is_some();
        match !self.source.is_json() && gaps.iter().any(has_comments) {
            true => self.flow_lines(container, parts, &gaps, &order),
            false => {
                let elements: Vec<FlowItem> =
                    order.into_iter().filter(|item| !matches!(item, FlowItem::Gap(_))).collect();
                self.flow_pieces(container, parts, &elements)
            }
        }
    }

    /// What stands between two elements, or between one and a bracket; `at` is the element behind.
    fn gap(&self, container: NodeId, parts: &[FlowPart], at: usize) -> Gap {
        let source = self.source;
        let span = source.span(container);
        let start = at.checked_sub(1).map_or(span.start + 1, |before| parts[before].end);
        let end = parts.get(at).map_or(span.end - 1, |part| part.start);
        let whole = start..end;
        if source.one_line(whole.clone()) {
            return Gap { whole, lines: start..start };
        }
        let lines = source.next_line(start)..source.line_start(end);
        let lines = if lines.start < lines.end { lines } else { start..start };
        Gap { whole, lines }
    }

    /// `[…]` or `{…}` of which every new neighbour stands on a line of its own. Between elements
    /// that stay neighbours nothing changes.
    fn flow_lines(
        &self,
        container: NodeId,
        parts: &[FlowPart],
        gaps: &[Gap],
        order: &[FlowItem],
    ) -> Vec<Piece> {
        let source = self.source;
        let span = source.span(container);
        let outer = source.indent_at(span.start);
        let indent = match parts.iter().find(|p| source.begins_line(p.start)) {
            Some(part) => source.indent_at(part.start).to_owned(),
            None => format!("{outer}    "),
        };
        let line_break = self.style.line_break;
        let new_line = || Piece::Text(format!("{line_break}{indent}"));
        let mut left = order.iter().filter(|item| !matches!(item, FlowItem::Gap(_))).count();
        // A trailing comma stays one.
        let trailing = parts.last().is_some_and(|p| p.comma.is_some());
        let mut pieces = vec![Piece::Copy(span.start..span.start + 1)];
        // The element of the text that was written last, counted from 1; 0 is the bracket.
        let mut before = Some(0);
        let mut joined = false;
        for (place, item) in order.iter().enumerate() {
            if let FlowItem::Gap(at) = item {
                let behind = match order.get(place + 1) {
                    Some(FlowItem::Part(part)) => Some(*part),
                    Some(_) => None,
                    None => Some(parts.len()),
                };
                joined = before == Some(*at) && behind == Some(*at);
                match joined {
                    true => pieces.push(Piece::Copy(gaps[*at].whole.clone())),
                    false => self.lines_of_gap(&gaps[*at], *at == 0, &mut pieces),
                }
                continue;
            }
            if !std::mem::take(&mut joined) {
                pieces.push(new_line());
            }
            left -= 1;
            let comma = if left > 0 || trailing { "," } else { "" };
            before = None;
            match item {
                FlowItem::Gap(_) => {}
                FlowItem::Part(at) => {
                    let part = &parts[*at];
                    before = Some(*at + 1);
                    pieces.push(Piece::Copy(part.start..part.body_end));
                    // A comment may stand before the comma, too.
                    let until_comma = part.body_end..part.comma.unwrap_or(part.body_end);
                    if source.comment_in(until_comma.clone()).is_some() {
                        pieces.push(Piece::Copy(until_comma));
                    }
                    pieces.push(Piece::Text(comma.to_owned()));
                    pieces.push(Piece::Copy(part.beside.clone()));
                }
                FlowItem::New(fragment) => {
                    let mut inner: Vec<&str> = fragment.above.iter().map(|c| c.as_str()).collect();
                    collect_inner(fragment, &mut inner);
                    for comment in inner {
                        pieces.push(Piece::Text(comment.to_owned()));
                        pieces.push(new_line());
                    }
                    let beside =
                        fragment.beside.iter().map(|c| format!(" {c}")).collect::<String>();
                    pieces.push(Piece::Text(format!("{}{comma}{beside}", fragment.flow())));
                }
                FlowItem::Entry(entry) => pieces.push(Piece::Text(format!("{entry}{comma}"))),
            }
        }
        if !joined {
            // The bracket where it was, or on a line of its own.
            let last = parts.last().map_or(span.start + 1, |p| p.end);
            let tail = &source.text[last..span.end - 1];
            let close = tail.rfind('\n').map_or(outer, |i| &tail[i + 1..]);
            let close = if close.trim().is_empty() { close } else { outer };
            pieces.push(Piece::Text(format!("{line_break}{close}")));
        }
        pieces.push(Piece::Copy(span.end - 1..span.end));
        pieces
    }

    /// The lines between two elements that are no longer neighbours; behind the opening bracket
    /// also the comment beside that.
    fn lines_of_gap(&self, gap: &Gap, is_head: bool, pieces: &mut Vec<Piece>) {
        let source = self.source;
        let start = gap.whole.start;
        let line_end = source.line_end(start).min(gap.whole.end);
        if let Some(comment) = source.comment_in(start..line_end).filter(|_| is_head) {
            pieces.push(Piece::Copy(start..comment.end));
        }
        if !gap.lines.is_empty() {
            let text = &source.text[gap.lines.clone()];
            let text = text.strip_suffix('\n').unwrap_or(text);
            let length = text.strip_suffix('\r').unwrap_or(text).len();
            pieces.push(Piece::Text(self.style.line_break.to_owned()));
            pieces.push(Piece::Copy(gap.lines.start..gap.lines.start + length));
        }
    }

    /// A one-line flow list becomes lines of `- item`.
    pub(super) fn flow_to_block(&mut self, list: NodeId, items: &[Item], indent: usize) {
        let source = self.source;
        let span = source.full_span(list);
        let start = self.gap_before(span.start).start;
        let at = source.line_end(span.end);
        let mut pieces = vec![Piece::Copy(span.end..at)];
        for item in items {
            pieces.push(Piece::Text(self.style.line_break.to_owned()));
            match item {
                Item::Keep(node) => {
                    let gap = self.style.dash_gap - 1;
                    pieces.push(Piece::Text(format!("{:indent$}-{:gap$}", "", "")));
                    pieces.push(Piece::Copy(source.full_span(*node)));
                }
                Item::New(fragment) => {
                    let mut lines = String::new();
                    fragment.block_item(indent, &self.style, &mut lines);
                    lines.truncate(lines.trim_end_matches(['\n', '\r']).len());
                    pieces.push(Piece::Text(lines));
                }
            }
        }
        self.patch(list, start..at, pieces);
    }
}

/// Comments inside a fragment that flow style has no place for.
pub(super) fn collect_inner<'f>(fragment: &'f Fragment, out: &mut Vec<&'f str>) {
    let mut each = |child: &'f Fragment| {
        out.extend(child.above.iter().map(|c| c.as_str()));
        collect_inner(child, out);
        out.extend(child.beside.as_deref());
    };
    match &fragment.body {
        Body::Line(_) => {}
        Body::Seq(items) => items.iter().for_each(&mut each),
        Body::Map(entries) => entries.iter().for_each(|(_, v)| each(v)),
    }
}

/// An element of a flow list or mapping as it shall be.
pub(super) enum FlowItem<'a> {
    /// One that the collection has, by its place.
    Part(usize),
    New(&'a Fragment),
    Entry(&'a str),
    /// What stands before the element of this place, or behind the last one.
    Gap(usize),
}

/// White space and comments between two elements.
struct Gap {
    whole: Range<usize>,
    /// Its lines that hold nothing else, with their breaks.
    lines: Range<usize>,
}
