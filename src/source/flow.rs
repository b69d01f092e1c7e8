//! Flow lists that are written line by line.

use super::compose::Piece;
use super::fragment::{Body, Fragment};
use super::layout::FlowPart;
use super::plan::Item;
use super::rewrite::Rewrite;
use super::tree::NodeId;
use std::ops::Range;

impl Rewrite<'_> {
    /// `[…]` with every element and comment on a line of its own: for lists with comments that
    /// stand apart.
    pub(super) fn flow_lines(
        &self,
        list: NodeId,
        parts: &[FlowPart],
        order: &[FlowItem],
    ) -> Vec<Piece> {
        let source = self.source;
        let span = source.span(list);
        let outer = source.indent_at(span.start);
        let indent = match parts.iter().find(|p| source.begins_line(p.start)) {
            Some(part) => source.indent_at(part.start).to_owned(),
            None => format!("{outer}    "),
        };
        let new_line = || Piece::Text(format!("{}{indent}", self.style.line_break));
        let is_comment = |item: &FlowItem| matches!(item, FlowItem::Comment(_));
        let mut left = order.iter().filter(|item| !is_comment(item)).count();
        let mut pieces = vec![Piece::Copy(span.start..span.start + 1)];
        for item in order {
            pieces.push(new_line());
            left -= usize::from(!is_comment(item));
            let comma = if left > 0 { "," } else { "" };
            match item {
                FlowItem::Comment(comment) => pieces.push(Piece::Copy(comment.clone())),
                FlowItem::Part(at) => {
                    let part = &parts[*at];
                    pieces.push(Piece::Copy(part.start..part.body_end));
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
        // The bracket where it was, or on a line of its own.
        let last = parts.last().map_or(span.start + 1, |p| p.end);
        let tail = &source.text[last..span.end - 1];
        let close = tail.rfind('\n').map_or(outer, |i| &tail[i + 1..]);
        let close = if close.trim().is_empty() { close } else { outer };
        pieces.push(Piece::Text(format!("{}{close}", self.style.line_break)));
        pieces.push(Piece::Copy(span.end - 1..span.end));
        pieces
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
    /// A comment that stands apart.
    Comment(Range<usize>),
}
