//! Where the lines, items and comments of a text lie, as patches need to know it.

use super::tree::{Kind, NodeId, Source, Syntax};
use std::ops::Range;

/// An item of a block list as the lines it owns: comments directly above, the item, and the
/// comment beside it (M30).
#[derive(Clone, Debug)]
pub(super) struct Chunk {
    /// The item's node.
    pub node: NodeId,
    /// First byte of the first line, comments above included.
    pub start: usize,
    /// The dash.
    pub dash: usize,
    /// Behind the last line's break.
    pub end: usize,
}

/// An element of a flow list or mapping: `lead comments, body, comma, comment beside`.
#[derive(Clone, Debug)]
pub(super) struct FlowPart {
    /// The item, or the entry's key.
    pub node: NodeId,
    /// First byte, comments on the lines directly above included.
    pub start: usize,
    /// Behind the body.
    pub body_end: usize,
    /// The comma behind it.
    pub comma: Option<usize>,
    /// The comment beside it with the space before, behind the comma; empty where there is none.
    pub beside: Range<usize>,
    /// Where the white space before the next element (or the bracket) begins.
    pub end: usize,
}

impl Source {
    /// The file's line break: that of its first line.
    pub fn line_break(&self) -> &'static str {
        match memchr::memchr2(b'\n', b'\r', self.text.as_bytes()) {
            Some(i) if self.text[i..].starts_with("\r\n") => "\r\n",
            _ => "\n",
        }
    }

    /// The line break of the line on which `offset` lies; on a last line without one, that of the
    /// line before.
    pub(super) fn line_break_at(&self, offset: usize) -> &'static str {
        let end = self.line_end(offset);
        let rest = &self.text[end..];
        let before = self.text[..end].trim_end_matches(|c| c != '\n' && c != '\r');
        match (rest.is_empty(), before.is_empty()) {
            (true, true) => "\n",
            (true, false) if before.ends_with("\r\n") => "\r\n",
            (false, _) if rest.starts_with("\r\n") => "\r\n",
            _ => "\n",
        }
    }

    /// Whether a mapping, or the items of a list, are written as JSON is: in braces, with every
    /// key in double quotes.
    pub(super) fn is_like_json(&self, container: NodeId) -> bool {
        let of_map = |map: NodeId| {
            let mut keys = self.entries(map).map(|(key, _)| self.kind(key)).peekable();
            self.kind(map) == Kind::FlowMap
                && keys.peek().is_some()
                && keys.all(|kind| kind == Kind::DoubleQuoted)
        };
        if !self.kind(container).is_seq() {
            return of_map(container);
        }
        match self.items(container).last() {
            Some(item) => of_map(self.resolve(item)),
            None => self.parent(container).is_some_and(of_map),
        }
    }

    pub(super) fn line_start(&self, offset: usize) -> usize {
        let bytes = &self.text.as_bytes()[..offset];
        let start = memchr::memrchr2(b'\n', b'\r', bytes).map_or(0, |i| i + 1);
        if start == 0 && self.text.starts_with(super::tree::BOM) {
            return super::tree::BOM.len().min(offset);
        }
        start
    }

    /// The end of the line, before its break.
    pub(super) fn line_end(&self, offset: usize) -> usize {
        let bytes = &self.text.as_bytes()[offset..];
        memchr::memchr2(b'\n', b'\r', bytes).map_or(self.text.len(), |i| offset + i)
    }

    /// Behind the line's break.
    pub(super) fn next_line(&self, offset: usize) -> usize {
        let end = self.line_end(offset);
        let rest = &self.text[end..];
        end + if rest.starts_with("\r\n") { 2 } else { usize::from(!rest.is_empty()) }
    }

    /// Bytes before `offset` on its line.
    pub(super) fn column_of(&self, offset: usize) -> usize {
        offset - self.line_start(offset)
    }

    /// Whether only spaces stand before `offset` on its line.
    pub(super) fn begins_line(&self, offset: usize) -> bool {
        self.text[self.line_start(offset)..offset].bytes().all(|b| b == b' ' || b == b'\t')
    }

    /// The indentation of the line on which `offset` lies.
    pub(super) fn indent_at(&self, offset: usize) -> &str {
        let line = &self.text[self.line_start(offset)..];
        &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
    }

    /// The comment that begins in these bytes, if there is one.
    pub(super) fn comment_in(&self, range: Range<usize>) -> Option<Range<usize>> {
        let index = self.comments.partition_point(|c| (c.start as usize) < range.start);
        let comment = self.comments.get(index)?;
        let begins = comment.start as usize;
        (begins < range.end).then_some(begins..comment.end as usize)
    }

    /// All comments that begin in these bytes.
    pub(super) fn comments_in(
        &self,
        range: Range<usize>,
    ) -> impl Iterator<Item = Range<usize>> + '_ {
        let from = self.comments.partition_point(|c| (c.start as usize) < range.start);
        self.comments[from..]
            .iter()
            .take_while(move |c| (c.start as usize) < range.end)
            .map(|c| c.start as usize..c.end as usize)
    }

    /// The first byte of the comment lines that stand directly above the line of `offset`, not
    /// before `floor`; the line's own start where there are none.
    pub(super) fn comments_above(&self, offset: usize, floor: usize) -> usize {
        let mut start = self.line_start(offset);
        while start > floor {
            let above = self.line_start(start - break_before(&self.text, start));
            if above < floor || above == start {
                break;
            }
            let line = &self.text[above..start];
            let text = above + (line.len() - line.trim_start_matches([' ', '\t']).len());
            match self.comment_in(text..text + 1) {
                Some(_) => start = above,
                None => break,
            }
        }
        start
    }

    /// The dash of every item of a block list.
    fn dashes(&self, list: NodeId) -> Option<Vec<(NodeId, usize)>> {
        let bytes = self.text.as_bytes();
        let mut at = self.node(list).start as usize;
        let mut dashes = Vec::new();
        for item in self.items(list) {
            loop {
                match bytes.get(at)? {
                    b' ' | b'\t' | b'\n' | b'\r' => at += 1,
                    b'#' => at = self.line_end(at),
                    b'-' => break,
                    _ => return None,
                }
            }
            dashes.push((item, at));
            at = (self.span(item).end).max(at + 1);
        }
        Some(dashes)
    }

    /// The items of a block list as lines; `None` where they do not stand on lines of their own.
    pub(super) fn chunks(&self, list: NodeId) -> Option<Vec<Chunk>> {
        let mut floor = 0;
        let mut chunks = Vec::new();
        for (node, dash) in self.dashes(list)? {
            if !self.begins_line(dash) {
                return None;
            }
            let start = self.comments_above(dash, floor);
            let end = self.next_line(self.span(node).end.max(dash + 1));
            floor = end;
            chunks.push(Chunk { node, start, dash, end });
        }
        Some(chunks)
    }

    /// The elements of a flow list or mapping; `None` for anything else.
    pub(super) fn flow_parts(&self, container: NodeId) -> Option<Vec<FlowPart>> {
        if !self.kind(container).is_flow() {
            return None;
        }
        let close = self.span(container).end - 1;
        let mut floor = self.span(container).start + 1;
        let spans: Vec<(NodeId, Range<usize>)> = if self.kind(container).is_map() {
            self.entries(container)
                .map(|(k, v)| {
                    let end = self.span(v).end.max(self.span(k).end);
                    (k, self.full_span(k).start..end)
                })
                .collect()
        } else {
            self.items(container).map(|item| (item, self.full_span(item))).collect()
        };
        let mut parts = Vec::with_capacity(spans.len());
        for (node, span) in spans {
            // An explicit `? key` or a `- ` pair is left to whoever sees that it does not fit.
            let start = match self.begins_line(span.start) {
                true => {
                    let above = self.comments_above(span.start, floor.max(self.next_line(floor)));
                    if above < self.line_start(span.start) {
                        above + self.indent_at(above).len()
                    } else {
                        span.start
                    }
                }
                false => span.start,
            };
            let comma = self.comma_after(span.end, close);
            let behind = comma.map_or(span.end, |c| c + 1);
            let line_end = self.line_end(behind).min(close);
            // A comment behind the next element on the line is not this one's.
            let is_next = |c: &Range<usize>| self.text[behind..c.start].trim().is_empty();
            let beside = match self.comment_in(behind..line_end.max(behind)).filter(is_next) {
                Some(comment) => behind..comment.end,
                None => behind..behind,
            };
            let end = beside.end;
            floor = end;
            parts.push(FlowPart { node, start, body_end: span.end, comma, beside, end });
        }
        Some(parts)
    }

    fn comma_after(&self, from: usize, close: usize) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let mut at = from;
        while at < close {
            match bytes[at] {
                b' ' | b'\t' | b'\n' | b'\r' => at += 1,
                b'#' => at = self.line_end(at),
                b',' => return Some(at),
                _ => return None,
            }
        }
        None
    }

    /// Whether the bytes lie on one line.
    pub(super) fn one_line(&self, range: Range<usize>) -> bool {
        memchr::memchr2(b'\n', b'\r', &self.text.as_bytes()[range]).is_none()
    }

    /// How this file indents: (columns from a key to the dashes of its list, columns from a dash
    /// to its item).
    pub(super) fn list_style(&self) -> (usize, usize) {
        let mut stack = vec![self.root()];
        while let Some(map) = stack.pop() {
            for (key, value) in self.entries(map) {
                if self.kind(value) != Kind::BlockSeq {
                    continue;
                }
                let dash = self.column_of(self.span(value).start);
                let column = self.column_of(self.span(key).start);
                if let Some(first) = self.items(value).next() {
                    let gap = self.column_of(self.full_span(first).start).saturating_sub(dash);
                    let gap = if (2..=9).contains(&gap) { gap } else { 2 };
                    return (dash.saturating_sub(column), gap);
                }
            }
        }
        (2, 2)
    }

    /// A node's parent: `None` for the top. Walks from the top, so that it is for single look-ups.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        let mut at = self.root();
        if node == at {
            return None;
        }
        loop {
            let child = self
                .children(at)
                .find(|child| *child <= node && node.0 < self.node(*child).next)?;
            if child == node {
                return Some(at);
            }
            at = child;
        }
    }

    pub(super) fn is_json(&self) -> bool {
        self.syntax == Syntax::Json
    }
}

/// The length of the line break that ends just before `offset`.
fn break_before(text: &str, offset: usize) -> usize {
    let before = &text[..offset];
    if before.ends_with("\r\n") { 2 } else { usize::from(before.ends_with(['\n', '\r'])) }
}
