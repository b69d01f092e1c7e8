//! The span tree that both syntaxes share.

use crate::diagnostic::Position;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// The language a text is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    /// `.motion`, `.rig`, scenes.
    Yaml,
    /// `.anm`, `.pvt`.
    Json,
}

/// A node of a [`Source`]: an index into its pre-order list, meaningless in any other source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(crate) u32);

/// What a node is and how it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nothing stands there (`key:`), which reads as null. Its span is empty.
    Empty,
    /// An unquoted scalar; in JSON: a number, `true`, `false` or `null`.
    Plain,
    /// `'text'`
    SingleQuoted,
    /// `"text"`
    DoubleQuoted,
    /// `|` or `>` with the lines below it.
    Block,
    /// `*name`
    Alias,
    /// A list of `- item` lines.
    BlockSeq,
    /// `[…]`
    FlowSeq,
    /// A mapping of `key: value` lines.
    BlockMap,
    /// `{…}`
    FlowMap,
}

impl Kind {
    /// True for everything but lists, mappings and aliases.
    pub fn is_scalar(self) -> bool {
        use Kind::*;
        matches!(self, Empty | Plain | SingleQuoted | DoubleQuoted | Block)
    }

    /// True for lists of either style.
    pub fn is_seq(self) -> bool {
        matches!(self, Kind::BlockSeq | Kind::FlowSeq)
    }

    /// True for mappings of either style.
    pub fn is_map(self) -> bool {
        matches!(self, Kind::BlockMap | Kind::FlowMap)
    }

    /// True for `[…]` and `{…}`.
    pub fn is_flow(self) -> bool {
        matches!(self, Kind::FlowSeq | Kind::FlowMap)
    }
}

/// An explicit YAML tag on a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tag {
    /// A tag of the core schema, by its suffix: `!!float` is `Core("float")`.
    Core(String),
    /// Any other tag, as written.
    Other(String),
}

/// `&name` before a node.
#[derive(Clone, Debug)]
pub(crate) struct Anchor {
    pub name: String,
    pub span: Range<u32>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// First byte of the content; of a block scalar, its `|` or `>`.
    pub start: u32,
    pub end: u32,
    /// The index behind the node's last descendant.
    pub next: u32,
    pub kind: Kind,
}

/// A text that could not be read as YAML or JSON.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct SyntaxError {
    /// What is wrong, for people.
    pub message: String,
    /// The byte at which it is wrong.
    pub offset: usize,
}

/// An immutable text and the spans of everything in it.
///
/// Nodes lie in one pre-order list of 16 bytes each; what few nodes have (anchors, tags, scalars
/// whose value is not their spelling) lies in side tables.
#[derive(Debug)]
pub struct Source {
    pub(crate) text: Arc<String>,
    pub(crate) syntax: Syntax,
    pub(crate) nodes: Vec<Node>,
    /// Spans of comments, from `#` to before the line break, in order.
    pub(crate) comments: Vec<Range<u32>>,
    /// Values of scalars that differ from their bare spelling.
    pub(crate) decoded: HashMap<u32, Box<str>>,
    pub(crate) tags: HashMap<u32, (Tag, u32)>,
    pub(crate) anchors: HashMap<u32, Anchor>,
    /// Alias node to the node it stands for, which is always complete before it.
    pub(crate) aliases: HashMap<u32, u32>,
    /// Keys that stand twice in one mapping: (the first, the second).
    pub(crate) duplicates: Vec<(NodeId, NodeId)>,
    /// Long lists of which only the first items are in the tree: no known field has as many, and a
    /// node for each would be many times the text (M12).
    pub(crate) cut: HashSet<u32>,
    pub(crate) lines: OnceLock<Vec<u32>>,
}

/// So many items of a list of plain values are in the tree. More than any list of a clip or a rig
/// may have, so that one that is too long is seen to be.
pub(crate) const LONG_LIST: usize = 1024;

/// Makes room for one more node. A list that grows by doubling would for a while be three times as
/// large as its nodes, which may already be many times the text.
pub(crate) fn push_node(nodes: &mut Vec<Node>, node: Node) {
    const LARGE: usize = 1 << 16;
    if nodes.len() == nodes.capacity() && nodes.len() >= LARGE {
        nodes.reserve_exact(nodes.len() / 4);
    }
    nodes.push(node);
}

impl Source {
    /// The whole text, byte-order mark included.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The whole text, which may be large, without a copy of it.
    pub fn shared_text(&self) -> Arc<String> {
        Arc::clone(&self.text)
    }

    /// YAML or JSON.
    pub fn syntax(&self) -> Syntax {
        self.syntax
    }

    /// The top of the document.
    pub fn root(&self) -> NodeId {
        NodeId(0)
    }

    pub(crate) fn node(&self, node: NodeId) -> &Node {
        &self.nodes[node.0 as usize]
    }

    /// What a node is. Aliases are not followed; see [`Source::resolve`].
    pub fn kind(&self, node: NodeId) -> Kind {
        self.node(node).kind
    }

    /// The bytes of a node's content, without its anchor and tag.
    pub fn span(&self, node: NodeId) -> Range<usize> {
        let n = self.node(node);
        n.start as usize..n.end as usize
    }

    /// The bytes of a node with its anchor and tag.
    pub fn full_span(&self, node: NodeId) -> Range<usize> {
        let mut span = self.span(node);
        if let Some(anchor) = self.anchors.get(&node.0) {
            span.start = span.start.min(anchor.span.start as usize);
        }
        if let Some((_, start)) = self.tags.get(&node.0) {
            span.start = span.start.min(*start as usize);
        }
        span
    }

    /// A node's content as it is spelled.
    pub fn raw(&self, node: NodeId) -> &str {
        &self.text[self.span(node)]
    }

    /// Whether only the first items of a list are in the tree.
    pub(crate) fn is_cut(&self, list: NodeId) -> bool {
        self.cut.contains(&list.0)
    }

    /// A list of which only the first items are in the tree, read again with all of them: for
    /// whoever looks at what an unknown field says. Nothing for any other node.
    pub fn whole_list(&self, list: NodeId) -> Option<(Source, NodeId)> {
        if !self.is_cut(list) {
            return None;
        }
        // A part of a valid text is one.
        let raw = self.raw(list);
        Some(match self.syntax() {
            Syntax::Json => {
                let whole = Source::parse_json(raw.to_owned()).ok()?;
                let root = whole.root();
                (whole, root)
            }
            Syntax::Yaml => {
                let whole = Source::parse_yaml_whole(format!("list: {raw}")).ok()?;
                let list = whole.get(whole.root(), "list")?;
                (whole, list)
            }
        })
    }

    /// Follows an alias to the node it stands for; any other node is itself.
    pub fn resolve(&self, node: NodeId) -> NodeId {
        match self.aliases.get(&node.0) {
            Some(target) => NodeId(*target),
            None => node,
        }
    }

    /// The explicit tag of a node, if it has one.
    pub fn tag(&self, node: NodeId) -> Option<&Tag> {
        self.tags.get(&node.0).map(|(tag, _)| tag)
    }

    /// True where the text has no anchors, so that no edit can disturb an alias.
    pub fn has_anchors(&self) -> bool {
        !self.anchors.is_empty()
    }

    /// Whether an anchor stands inside these bytes.
    pub(crate) fn anchor_within(&self, span: &Range<usize>) -> bool {
        self.anchors.values().any(|anchor| span.contains(&(anchor.span.start as usize)))
    }

    /// Spans of comments, from `#` to before the line break, in order.
    pub(crate) fn comments(&self) -> &[Range<u32>] {
        &self.comments
    }

    /// The value of a scalar with quotes and escapes undone; `None` for anything else. Aliases
    /// are not followed.
    pub fn scalar(&self, node: NodeId) -> Option<Cow<'_, str>> {
        let kind = self.kind(node);
        if !kind.is_scalar() {
            return None;
        }
        if let Some(text) = self.decoded.get(&node.0) {
            return Some(Cow::Borrowed(text));
        }
        let span = self.span(node);
        Some(Cow::Borrowed(match kind {
            Kind::SingleQuoted | Kind::DoubleQuoted => &self.text[span.start + 1..span.end - 1],
            _ => &self.text[span],
        }))
    }

    /// Direct children: items of a list; keys and values in turn of a mapping.
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + Clone + '_ {
        let n = self.node(node);
        let end = match n.kind {
            kind if kind.is_seq() || kind.is_map() => n.next,
            _ => node.0 + 1,
        };
        let mut at = node.0 + 1;
        std::iter::from_fn(move || {
            (at < end).then(|| {
                let child = NodeId(at);
                at = self.nodes[at as usize].next;
                child
            })
        })
    }

    /// Items of a list; nothing for any other node.
    pub fn items(&self, node: NodeId) -> impl Iterator<Item = NodeId> + Clone + '_ {
        let is_seq = self.kind(node).is_seq();
        self.children(node).take_while(move |_| is_seq)
    }

    /// Keys with their values; nothing for anything but a mapping.
    pub fn entries(&self, node: NodeId) -> impl Iterator<Item = (NodeId, NodeId)> + Clone + '_ {
        let is_map = self.kind(node).is_map();
        let mut children = self.children(node).take_while(move |_| is_map);
        std::iter::from_fn(move || Some((children.next()?, children.next()?)))
    }

    /// The entry of a mapping with this key: the last one where it stands twice.
    pub fn entry(&self, map: NodeId, key: &str) -> Option<(NodeId, NodeId)> {
        self.entries(map).filter(|(k, _)| self.scalar(*k).is_some_and(|text| text == key)).last()
    }

    /// The value behind a key, aliases followed.
    pub fn get(&self, map: NodeId, key: &str) -> Option<NodeId> {
        self.entry(map, key).map(|(_, value)| self.resolve(value))
    }

    /// Keys that stand twice in one mapping: (the first, the second), in the order of the second.
    pub fn duplicate_keys(&self) -> &[(NodeId, NodeId)] {
        &self.duplicates
    }

    /// Line and column of a byte.
    pub fn position(&self, offset: usize) -> Position {
        let lines = self.lines.get_or_init(|| line_starts(&self.text));
        position(&self.text, lines, offset)
    }

    /// Lines and columns of many bytes, in the order given: one walk over the text, however long
    /// its lines are.
    pub fn positions(&self, offsets: &[usize]) -> Vec<Position> {
        let lines = self.lines.get_or_init(|| line_starts(&self.text));
        let bytes = self.text.as_bytes();
        let mut order: Vec<usize> = (0..offsets.len()).collect();
        order.sort_unstable_by_key(|i| offsets[*i]);
        let mut positions = vec![Position { line: 1, column: 1 }; offsets.len()];
        let (mut line, mut at, mut column) = (0, lines[0] as usize, 1);
        for index in order {
            let offset = offsets[index].min(bytes.len());
            let next = lines.partition_point(|start| *start as usize <= offset).max(1) - 1;
            if next != line {
                (line, at, column) = (next, lines[next] as usize, 1);
            }
            let from = at.min(offset);
            // Bytes that do not continue a character begin one.
            column += bytes[from..offset].iter().filter(|b| **b & 0xC0 != 0x80).count();
            at = at.max(offset);
            positions[index] = Position { line: line as u32 + 1, column: column as u32 };
        }
        positions
    }

    /// The way from the top to a node, such as `tracks[0].keys[3].time`; to a key as to its
    /// value. Through an alias no way leads.
    pub fn path(&self, node: NodeId) -> String {
        let mut path = String::new();
        let mut at = self.root();
        while at != node {
            let inside = |n: NodeId| n.0 <= node.0 && node.0 < self.node(n).next;
            if self.kind(at).is_seq() {
                let Some((index, item)) = self.items(at).enumerate().find(|(_, n)| inside(*n))
                else {
                    break;
                };
                path.push_str(&format!("[{index}]"));
                at = item;
            } else {
                let entry = self.entries(at).find(|(k, v)| inside(*k) || inside(*v));
                let Some((key, value)) = entry else { break };
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(&self.scalar(key).unwrap_or_else(|| self.raw(key).into()));
                at = if inside(key) { node } else { value };
            }
        }
        path
    }

    /// The bytes of a line (from 1) without its break.
    pub fn line_span(&self, line: u32) -> Range<usize> {
        let lines = self.lines.get_or_init(|| line_starts(&self.text));
        let index = (line.max(1) as usize - 1).min(lines.len() - 1);
        let start = lines[index] as usize;
        let end = lines.get(index + 1).map_or(self.text.len(), |e| *e as usize);
        let end = start + self.text[start..end].trim_end_matches(['\n', '\r']).len();
        start..end
    }
}

/// Byte-order mark of UTF-8.
pub(crate) const BOM: &str = "\u{feff}";

/// Where each line begins. LF, CRLF and a lone CR end a line.
pub(crate) fn line_starts(text: &str) -> Vec<u32> {
    let first = if text.starts_with(BOM) { BOM.len() as u32 } else { 0 };
    let bytes = text.as_bytes();
    let breaks = memchr::memchr2_iter(b'\n', b'\r', bytes)
        .filter(|&i| bytes[i] == b'\n' || bytes.get(i + 1) != Some(&b'\n'));
    std::iter::once(first).chain(breaks.map(|i| i as u32 + 1)).collect()
}

fn position(text: &str, lines: &[u32], offset: usize) -> Position {
    let offset = offset.min(text.len());
    let line = lines.partition_point(|start| *start as usize <= offset).max(1);
    let start = (lines[line - 1] as usize).min(offset);
    let column = String::from_utf8_lossy(&text.as_bytes()[start..offset]).chars().count() + 1;
    Position { line: line as u32, column: column as u32 }
}

/// Line and column of a byte in a text that did not parse.
pub fn position_in(text: &str, offset: usize) -> Position {
    position(text, &line_starts(text), offset)
}
