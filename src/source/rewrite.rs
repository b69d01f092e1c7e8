//! Edits of a text that leave every other byte alone.
//!
//! A [`Rewrite`] gathers changes to nodes of one [`Source`] (values, entries of mappings, the
//! order of lists) and writes the text once with all of them. Changes may nest: an item that
//! moves is copied with the changes inside it.

use super::compose::{Patch, Piece, compose_alone};
use super::flow::{FlowItem, collect_inner};
use super::fragment::{Fragment, Style, double_quoted, quoted_key, yaml_string};
use super::json_text::tight;
use super::layout::{Chunk, FlowPart};
use super::plan::{Item, Plan};
use super::text_end;
use super::tree::{Kind, NodeId, Source};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

/// Changes to one text, written by [`Rewrite::finish`].
#[derive(Debug)]
pub struct Rewrite<'s> {
    pub(super) source: &'s Source,
    pub(super) style: Style,
    /// Whether new text has no white space, as the text around has none.
    tight: bool,
    patches: Vec<Patch>,
    /// Entries to take out of and to put into flow mappings, gathered per mapping.
    flow_maps: BTreeMap<NodeId, FlowMapChange>,
    /// Entries to take out of block mappings, gathered per mapping.
    removed: BTreeMap<NodeId, Vec<NodeId>>,
}

#[derive(Debug, Default)]
struct FlowMapChange {
    removed: Vec<NodeId>,
    /// (behind this key, spelled entry)
    added: Vec<(Option<NodeId>, String)>,
}

impl<'s> Rewrite<'s> {
    /// No changes yet.
    pub fn new(source: &'s Source) -> Self {
        let (list_offset, dash_gap) = source.list_style();
        let style = Style { list_offset, dash_gap, line_break: source.line_break() };
        Rewrite {
            source,
            style,
            tight: source.is_tight(),
            patches: Vec::new(),
            flow_maps: BTreeMap::new(),
            removed: BTreeMap::new(),
        }
    }

    /// True while the text stays as it is.
    pub fn is_unchanged(&self) -> bool {
        self.patches.is_empty() && self.flow_maps.is_empty() && self.removed.is_empty()
    }

    /// Replaces a value by one line of text (a scalar, a vector, a flow collection). An alias is
    /// replaced where it stands; what it stood for stays.
    pub fn set(&mut self, node: NodeId, text: &str) {
        let source = self.source;
        let without_space = self.tight.then(|| tight(text));
        let text = without_space.as_deref().unwrap_or(text);
        let span = source.span(node);
        let (span, text) = match source.kind(node) {
            Kind::Empty => {
                let before = source.text[..span.start].chars().next_back();
                let text = match before {
                    Some(':' | '-' | '?') => format!(" {text}"),
                    // A key of a flow mapping without a colon.
                    _ if !source.is_json() => format!(": {text}"),
                    _ => text.to_owned(),
                };
                (span, text)
            }
            // Onto the line of the key or the dash, before a comment there.
            Kind::BlockSeq | Kind::BlockMap if !source.one_line(self.gap_before(span.start)) => {
                let at = self.value_place(node).unwrap_or(self.gap_before(span.start).start);
                let line_end = source.line_end(at);
                let head_end = source.comment_in(at..line_end).map_or(line_end, |c| c.start);
                let head = source.text[at..head_end].trim_end_matches([' ', '\t']).len();
                self.patch(node, at..at + head, vec![Piece::Text(format!(" {text}"))]);
                self.patch(node, line_end..span.end, Vec::new());
                return;
            }
            _ => (span, text.to_owned()),
        };
        let end = source.span(node).end.max(span.end);
        self.patch(node, span.start..end, vec![Piece::Text(text)]);
    }

    /// Replaces a string, in the quotes it had where that is possible.
    pub fn set_string(&mut self, node: NodeId, value: &str) {
        let source = self.source;
        let text = match source.kind(node) {
            _ if source.is_json() => double_quoted(value),
            Kind::DoubleQuoted => double_quoted(value),
            Kind::Plain | Kind::Empty
                if source.parent(node).is_some_and(|map| source.is_like_json(map)) =>
            {
                double_quoted(value)
            }
            Kind::SingleQuoted if !value.contains(|c: char| c.is_control() || c == '\u{feff}') => {
                format!("'{}'", value.replace('\'', "''"))
            }
            _ => yaml_string(value),
        };
        self.set(node, &text);
    }

    /// The white space and comments between a block collection and what stands before it.
    pub(super) fn gap_before(&self, start: usize) -> Range<usize> {
        let before = self.source.text[..start].trim_end_matches([' ', '\t', '\n', '\r']);
        before.len()..start
    }

    /// Takes an entry out of a mapping, with the comment beside it and those directly above it
    /// (but not those above the mapping).
    pub fn remove_entry(&mut self, map: NodeId, key: NodeId) {
        if self.source.kind(map) == Kind::FlowMap {
            self.flow_maps.entry(map).or_default().removed.push(key);
        } else {
            self.removed.entry(map).or_default().push(key);
        }
    }

    /// Puts an entry into a mapping behind the entry of `after`, or first.
    pub fn insert_entry(
        &mut self,
        map: NodeId,
        after: Option<NodeId>,
        key: &str,
        value: &Fragment,
    ) {
        let source = self.source;
        let value_of = |after: NodeId| {
            let mut entries = source.entries(map);
            entries.find(|(key, _)| *key == after).map_or(after, |(_, value)| value)
        };
        let near = after.map_or(source.span(map).start, |key| source.span(value_of(key)).end);
        self.break_as_at(near);
        if source.kind(map) == Kind::FlowMap {
            let text = if source.is_json() {
                source.json_entry(map, key, value)
            } else if source.is_like_json(map) {
                format!("{}: {}", quoted_key(key), value.quoted().flow())
            } else {
                format!("{key}: {}", value.flow())
            };
            self.flow_maps.entry(map).or_default().added.push((after, text));
            return;
        }
        let Some((first, _)) = source.entries(map).next() else { return };
        let indent = source.column_of(source.full_span(first).start);
        let mut lines = String::new();
        value.block_entry(key, indent, &self.style, &mut lines);
        let lines = lines.trim_end_matches(['\n', '\r']);
        match after {
            Some(after) => {
                let at = source.line_end(source.span(value_of(after)).end);
                let text = format!("{}{lines}", self.style.line_break);
                self.patch(map, at..at, vec![Piece::Text(text)]);
            }
            None => {
                let start = source.full_span(first).start;
                let (at, text) = if source.begins_line(start) {
                    // Comments directly above the first entry are its own.
                    let at = source.comments_above(start, 0);
                    (at, format!("{lines}{}", self.style.line_break))
                } else {
                    let lines = lines.trim_start_matches(' ');
                    (start, format!("{lines}{}{:indent$}", self.style.line_break, ""))
                };
                self.patch(map, at..at, vec![Piece::Text(text)]);
            }
        }
    }

    /// Gives a list these items in this order. Items in `fixed` are not part of the order: they
    /// stay where they stand. What is neither is taken out with its comments; comments that stand
    /// apart stay in their place.
    pub fn arrange(&mut self, list: NodeId, items: &[Item], fixed: &HashSet<NodeId>) {
        let source = self.source;
        let old: Vec<NodeId> = source.items(list).filter(|i| !fixed.contains(i)).collect();
        let same = items.len() == old.len()
            && items.iter().zip(&old).all(|(i, o)| matches!(i, Item::Keep(k) if k == o));
        if same {
            return;
        }
        if source.is_json() && old.is_empty() && source.kind(list) == Kind::FlowSeq {
            let all: Vec<Fragment> = items.iter().map(|i| self.fragment(i)).collect();
            let text = source.json_list(list, all);
            self.set(list, &text);
            return;
        }
        let plan = Plan::new(&old, items);
        let quoted: Vec<Item>;
        let items = match !source.is_json() && source.is_like_json(list) {
            true => {
                quoted = items.iter().map(Item::quoted).collect();
                &quoted[..]
            }
            false => items,
        };
        self.break_as_at(source.full_span(list).start);
        if let Some(parts) = source.flow_parts(list) {
            self.arrange_flow(list, &parts, &plan, items, fixed);
        } else if source.kind(list) == Kind::BlockSeq {
            match source.chunks(list) {
                Some(chunks) => self.arrange_block(list, &chunks, &plan, items, fixed),
                None => self.arrange_odd(list, items, fixed),
            }
        } else {
            // `tracks:` with nothing behind it, or an alias.
            self.replace_by_list(list, items);
        }
    }

    /// A list that does not stand on lines of its own is written anew on one line.
    fn arrange_odd(&mut self, list: NodeId, items: &[Item], fixed: &HashSet<NodeId>) {
        let source = self.source;
        let mut all: Vec<Fragment> = items.iter().map(|i| self.fragment(i)).collect();
        all.extend(
            source.items(list).filter(|i| fixed.contains(i)).map(|i| Fragment::of(source, i, true)),
        );
        let flow = Fragment::seq(all).flow();
        self.set(list, &flow);
    }

    fn fragment(&self, item: &Item) -> Fragment {
        match item {
            Item::Keep(node) => Fragment::of(self.source, *node, true),
            Item::New(fragment) => fragment.clone(),
        }
    }

    fn replace_by_list(&mut self, node: NodeId, items: &[Item]) {
        let all: Vec<Fragment> = items.iter().map(|i| self.fragment(i)).collect();
        let list = Fragment::seq(all);
        match self.block_room(node) {
            Some(indent) if !items.is_empty() => {
                let mut lines = String::new();
                if let super::fragment::Body::Seq(items) = &list.body {
                    for item in items {
                        item.block_item(indent, &self.style, &mut lines);
                    }
                }
                self.below_line(node, &lines);
            }
            _ => self.set(node, &list.flow()),
        }
    }

    /// Takes a one-line value away and puts lines below its line instead.
    fn below_line(&mut self, node: NodeId, lines: &str) {
        let source = self.source;
        let span = source.full_span(node);
        let start = self.gap_before(span.start).start.min(span.start);
        self.patch(node, start..span.end.max(start), Vec::new());
        let at = source.line_end(span.end);
        let lines = lines.trim_end_matches(['\n', '\r']);
        let text = format!("{}{lines}", self.style.line_break);
        self.patch(node, at..at, vec![Piece::Text(text)]);
    }

    /// The column for the dashes of a block list that takes the place of this value; `None` where
    /// block style cannot stand.
    fn block_room(&self, node: NodeId) -> Option<usize> {
        let source = self.source;
        let parent = source.parent(node)?;
        if source.kind(parent) != Kind::BlockMap || source.is_json() {
            return None;
        }
        let (key, _) = source.entries(parent).find(|(_, v)| *v == node)?;
        if !source.one_line(source.full_span(key).start..source.span(node).end) {
            return None;
        }
        Some(source.column_of(source.full_span(key).start) + self.style.list_offset)
    }

    fn arrange_block(
        &mut self,
        list: NodeId,
        chunks: &[Chunk],
        plan: &Plan,
        items: &[Item],
        fixed: &HashSet<NodeId>,
    ) {
        let source = self.source;
        let (Some(first), Some(last)) = (chunks.first(), chunks.last()) else { return };
        let column = source.column_of(first.dash);
        let style = Style { dash_gap: self.dash_gap(chunks), ..self.style };
        let as_flow = self.items_are_flow(list);
        let mut pieces = Vec::new();
        let chunk_of: HashMap<NodeId, &Chunk> = chunks.iter().map(|c| (c.node, c)).collect();
        let put = |pieces: &mut Vec<Piece>, index: usize, beside: &Chunk| match &items[index] {
            Item::Keep(node) => {
                if let Some(chunk) = chunk_of.get(node) {
                    pieces.push(Piece::CopyLines(chunk.start..chunk.end));
                }
            }
            Item::New(fragment) => {
                let mut lines = String::new();
                let line_break = source.line_break_at(beside.dash);
                let style = Style { line_break, ..style };
                if as_flow && !fragment.has_comments() {
                    Fragment::line(fragment.flow()).block_item(column, &style, &mut lines);
                } else {
                    fragment.block_item(column, &style, &mut lines);
                }
                pieces.push(Piece::Lines(lines));
            }
        };
        for index in &plan.first {
            put(&mut pieces, *index, first);
        }
        let mut end = first.start;
        for chunk in chunks {
            if chunk.start > end {
                pieces.push(Piece::CopyLines(end..chunk.start));
            }
            end = chunk.end;
            if fixed.contains(&chunk.node) {
                pieces.push(Piece::CopyLines(chunk.start..chunk.end));
            } else if let Some(followers) = plan.behind.get(&chunk.node) {
                pieces.push(Piece::CopyLines(chunk.start..chunk.end));
                for index in followers {
                    put(&mut pieces, *index, chunk);
                }
            }
        }
        if items.is_empty() && !chunks.iter().any(|c| fixed.contains(&c.node)) {
            // A block list cannot be empty.
            let at = self.gap_before(source.full_span(list).start).start;
            let at = self.value_place(list).unwrap_or(at);
            self.patch(list, at..at, vec![Piece::Text(" []".to_owned())]);
        }
        self.patch(list, first.start..last.end, pieces);
    }

    /// Behind the colon or the dash of which this is the value.
    fn value_place(&self, node: NodeId) -> Option<usize> {
        let source = self.source;
        let parent = source.parent(node)?;
        if source.kind(parent).is_seq() {
            let chunks = source.chunks(parent)?;
            return chunks.iter().find(|c| c.node == node).map(|c| c.dash + 1);
        }
        let (key, _) = source.entries(parent).find(|(_, v)| *v == node)?;
        let from = source.span(key).end;
        source.text[from..].find(':').map(|i| from + i + 1)
    }

    fn dash_gap(&self, chunks: &[Chunk]) -> usize {
        let gap = chunks.first().map_or(2, |c| {
            let start = self.source.full_span(c.node).start;
            if start > c.dash && self.source.one_line(c.dash..start) { start - c.dash } else { 2 }
        });
        if (2..=9).contains(&gap) { gap } else { 2 }
    }

    /// Whether new items of this block list should be written `{…}`, as its others are.
    fn items_are_flow(&self, list: NodeId) -> bool {
        let source = self.source;
        let (mut flow, mut all) = (0, 0);
        for item in source.items(list).take(16) {
            all += 1;
            flow += usize::from(source.kind(source.resolve(item)) == Kind::FlowMap);
        }
        flow * 2 > all
    }

    fn arrange_flow(
        &mut self,
        list: NodeId,
        parts: &[FlowPart],
        plan: &Plan,
        items: &[Item],
        fixed: &HashSet<NodeId>,
    ) {
        let source = self.source;
        let span = source.full_span(list);
        let takes_comments =
            items.iter().any(|i| matches!(i, Item::New(fragment) if fragment.has_comments()));
        let room = self.block_room(list);
        let one_line = source.one_line(span.clone());
        if one_line
            && let Some(indent) = room
            && fixed.is_empty()
            && (takes_comments || parts.is_empty() && !items.is_empty())
        {
            self.flow_to_block(list, items, indent);
            return;
        }
        let part_of: HashMap<NodeId, usize> =
            parts.iter().enumerate().map(|(i, p)| (p.node, i)).collect();
        let mut order: Vec<FlowItem> = Vec::new();
        let element = |index: usize| match &items[index] {
            Item::Keep(node) => part_of.get(node).map(|i| FlowItem::Part(*i)),
            Item::New(fragment) => Some(FlowItem::New(fragment)),
        };
        order.push(FlowItem::Gap(0));
        order.extend(plan.first.iter().filter_map(|i| element(*i)));
        for (at, part) in parts.iter().enumerate() {
            if fixed.contains(&part.node) {
                order.push(FlowItem::Part(at));
            } else if let Some(followers) = plan.behind.get(&part.node) {
                order.push(FlowItem::Part(at));
                order.extend(followers.iter().filter_map(|i| element(*i)));
            }
            order.push(FlowItem::Gap(at + 1));
        }
        let pieces = self.flow_with_gaps(list, parts, order);
        self.patch(list, source.span(list), pieces);
    }

    /// `[…]` or `{…}` with these elements, keeping the white space it has.
    pub(super) fn flow_pieces(
        &self,
        container: NodeId,
        parts: &[FlowPart],
        order: &[FlowItem],
    ) -> Vec<Piece> {
        let source = self.source;
        let span = source.span(container);
        let close = span.end - 1;
        let (open_end, close_start) = match (parts.first(), parts.last()) {
            (Some(first), Some(last)) => (first.start, last.end),
            _ => (close, close),
        };
        let multi_line = !source.one_line(span.start..open_end);
        let indent = match parts.first() {
            Some(first) if multi_line => source.indent_at(first.start).to_owned(),
            _ => format!("{}    ", source.indent_at(span.start)),
        };
        let new_line = format!("{}{indent}", self.style.line_break);
        let default_gap = match parts {
            [a, b, ..] => source.text[a.end..b.start].to_owned(),
            _ if multi_line => new_line.clone(),
            _ if self.tight => String::new(),
            _ => " ".to_owned(),
        };
        let mut pieces = vec![Piece::Copy(span.start..open_end)];
        let count = order.len();
        // A trailing comma stays one, where the language has them.
        let trailing = parts.last().is_some_and(|p| p.comma.is_some());
        let mut on_comment = false;
        let mut on_new_line = !source.one_line(span.start..open_end);
        for (i, element) in order.iter().enumerate() {
            let comma = i + 1 < count || trailing;
            match element {
                FlowItem::Gap(_) => {}
                FlowItem::Part(at) => {
                    let part = &parts[*at];
                    if source.text[part.start..].starts_with('#') && !on_new_line {
                        pieces.push(Piece::Text(new_line.clone()));
                    }
                    pieces.push(Piece::Copy(part.start..part.body_end));
                    // A comment may stand before the comma, too.
                    let before = part.body_end..part.comma.unwrap_or(part.body_end);
                    if source.comment_in(before.clone()).is_some() {
                        pieces.push(Piece::Copy(before));
                    }
                    if comma {
                        pieces.push(Piece::Text(",".to_owned()));
                    }
                    pieces.push(Piece::Copy(part.beside.clone()));
                    on_comment = !part.beside.is_empty();
                    let next = parts.get(at + 1);
                    if i + 1 < count {
                        let gap = match next {
                            Some(next) => source.text[part.end..next.start].to_owned(),
                            None => default_gap.clone(),
                        };
                        let gap = if on_comment && !gap.contains(['\n', '\r']) {
                            new_line.clone()
                        } else {
                            gap
                        };
                        on_new_line = gap.contains(['\n', '\r']);
                        pieces.push(Piece::Text(gap));
                        on_comment = false;
                    }
                }
                FlowItem::New(fragment) => {
                    let mut comments: Vec<&str> =
                        fragment.above.iter().map(|c| c.as_str()).collect();
                    collect_inner(fragment, &mut comments);
                    let mut text = String::new();
                    for comment in &comments {
                        text.push_str(&format!("{new_line}{comment}"));
                    }
                    if !comments.is_empty() {
                        text.push_str(&new_line);
                    }
                    match source.is_json() {
                        true => text.push_str(&source.json_item(container, parts, fragment)),
                        false => text.push_str(&fragment.flow()),
                    }
                    if comma {
                        text.push(',');
                    }
                    if let Some(comment) = &fragment.beside {
                        text.push_str(&format!(" {comment}"));
                        on_comment = true;
                    }
                    if i + 1 < count {
                        text.push_str(if on_comment { &new_line } else { &default_gap });
                        on_comment = false;
                    }
                    pieces.push(Piece::Text(text));
                }
                FlowItem::Entry(entry) => {
                    let comma = if comma { "," } else { "" };
                    let gap = if i + 1 < count { &*default_gap } else { "" };
                    pieces.push(Piece::Text(format!("{entry}{comma}{gap}")));
                }
            }
        }
        let tail = &source.text[close_start..close];
        if on_comment && !tail.contains(['\n', '\r']) {
            pieces.push(Piece::Text(new_line));
        }
        if order.is_empty() && !tail.contains('#') {
            // `[ ]` rather than what was left of many lines.
            pieces.truncate(0);
            pieces.push(Piece::Copy(span.start..span.start + 1));
            pieces.push(Piece::Copy(close..span.end));
            return pieces;
        }
        pieces.push(Piece::Copy(close_start.max(open_end)..span.end));
        pieces
    }

    /// New lines end as that of this byte does. In JSON, whose lines may be as long as the text,
    /// they end as the first does.
    fn break_as_at(&mut self, offset: usize) {
        if !self.source.is_json() {
            self.style.line_break = self.source.line_break_at(offset);
        }
    }

    pub(super) fn patch(&mut self, owner: NodeId, span: Range<usize>, with: Vec<Piece>) {
        self.patches.push(Patch { owner, span, with });
    }

    /// Turns what was gathered per mapping into patches.
    fn settle_maps(&mut self) {
        let source = self.source;
        for (map, change) in std::mem::take(&mut self.flow_maps) {
            let Some(parts) = source.flow_parts(map) else { continue };
            self.break_as_at(source.span(map).start);
            let mut order: Vec<FlowItem> = Vec::new();
            let entries = |after: Option<NodeId>| {
                let mine = change.added.iter().filter(move |(a, _)| *a == after);
                mine.map(|(_, text)| FlowItem::Entry(text))
            };
            order.push(FlowItem::Gap(0));
            order.extend(entries(None));
            for (at, part) in parts.iter().enumerate() {
                if !change.removed.contains(&part.node) {
                    order.push(FlowItem::Part(at));
                }
                order.extend(entries(Some(part.node)));
                order.push(FlowItem::Gap(at + 1));
            }
            let pieces = self.flow_with_gaps(map, &parts, order);
            self.patch(map, source.span(map), pieces);
        }
        for (map, keys) in std::mem::take(&mut self.removed) {
            let entries: Vec<(NodeId, NodeId)> = source.entries(map).collect();
            if entries.iter().all(|(k, _)| keys.contains(k)) {
                self.set(map, "{}");
                continue;
            }
            let line_end = |key: NodeId, value: NodeId| {
                source.next_line(source.span(value).end.max(source.span(key).end))
            };
            // The first entry may share its line with a dash: what follows it goes up there.
            let leading = entries.iter().take_while(|(k, _)| keys.contains(k)).count();
            if let Some((key, value)) = leading.checked_sub(1).map(|last| entries[last]) {
                let end = line_end(key, value);
                let rest = &source.text[end..];
                let end = end + (rest.len() - rest.trim_start_matches([' ', '\t']).len());
                let first = source.full_span(entries[0].0).start;
                let start = match source.begins_line(first) {
                    true => source.comments_above(first, 0),
                    false => first,
                };
                let end = if source.begins_line(first) { line_end(key, value) } else { end };
                self.patch(map, start..end, Vec::new());
            }
            for pair in entries[leading.saturating_sub(1)..].windows(2) {
                let [(key_before, value_before), (key, value)] = pair else { continue };
                if keys.contains(key) {
                    let floor = line_end(*key_before, *value_before);
                    let start = source.comments_above(source.full_span(*key).start, floor);
                    self.patch(map, start..line_end(*key, *value), Vec::new());
                }
            }
        }
    }

    /// What is replaced and by what, where that is one place only.
    pub(crate) fn only_patch(mut self) -> Option<(Range<usize>, String)> {
        self.settle_maps();
        let patch = self.patches.pop().filter(|_| self.patches.is_empty())?;
        let span = patch.span.clone();
        Some((span, compose_alone(self.source, patch, self.style.line_break)))
    }

    /// The text with all changes.
    pub fn finish(mut self) -> String {
        self.settle_maps();
        text_end::finish(self.source, self.patches, self.style.line_break)
    }
}
