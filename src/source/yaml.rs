//! YAML events to the span tree.
//!
//! The event parser does all the deciding. What it gives less exactly than patches need is made
//! exact here: where an empty value stands, where a block scalar begins and ends, where block
//! collections end.

use super::indent;
use super::runs::{self, Runs};
use super::tree::{Anchor, BOM, Kind, Node, NodeId, Source, Syntax, SyntaxError, Tag, push_node};
use super::{MAX_ALIAS_EXPANSION, MAX_NESTING};
use granit_parser::{Event, Parser, ScalarStyle, Span, StructureStyle};
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

impl Source {
    /// Reads a YAML text: one document with a mapping at its top (M1).
    ///
    /// # Errors
    /// The first place that is no YAML, nests deeper than 128 levels, or whose aliases would
    /// swell the text more than tenfold (M12).
    pub fn parse_yaml(text: impl Into<Arc<String>>) -> Result<Source, SyntaxError> {
        let text = text.into();
        if let Some(offset) = memchr::memchr(0, text.as_bytes()) {
            return Err(error(NUL, offset));
        }
        let runs = Runs::find(&text);
        if !runs.is_empty() {
            // The short text has the long runs of keys cut out; whatever looks odd in it is left
            // to the parser on the whole text, and so are its errors.
            let short = runs.shorten(&text);
            if let Some(source) = Builder::build(&text, &short, &runs).ok().flatten() {
                return Ok(source.finish(text));
            }
        }
        parse_whole(text)
    }

    /// As [`Source::parse_yaml`], with every item of every list in the tree: for those who look
    /// into lists that no format knows.
    ///
    /// # Errors
    /// As [`Source::parse_yaml`].
    pub fn parse_yaml_whole(text: impl Into<Arc<String>>) -> Result<Source, SyntaxError> {
        let text = text.into();
        if let Some(offset) = memchr::memchr(0, text.as_bytes()) {
            return Err(error(NUL, offset));
        }
        parse_whole(text)
    }
}

/// Reads every byte with the event parser.
pub(super) fn parse_whole(text: Arc<String>) -> Result<Source, SyntaxError> {
    match Builder::build(&text, &text, &Runs::default())? {
        Some(source) => Ok(source.finish(text)),
        None => Err(error("this text cannot be read", 0)),
    }
}

const NUL: &str = "the text holds a NUL byte: it is not a text file";

fn error(message: impl Into<String>, offset: usize) -> SyntaxError {
    SyntaxError { message: message.into(), offset }
}

/// An open list or mapping.
struct Open {
    node: u32,
    /// Children so far.
    count: u32,
    /// Where the last child ended.
    last_end: u32,
}

#[derive(Default)]
struct Tables {
    nodes: Vec<Node>,
    comments: Vec<Range<u32>>,
    decoded: HashMap<u32, Box<str>>,
    tags: HashMap<u32, (Tag, u32)>,
    anchors: HashMap<u32, Anchor>,
    aliases: HashMap<u32, u32>,
    duplicates: Vec<(NodeId, NodeId)>,
    cut: HashSet<u32>,
}

impl Tables {
    fn finish(self, text: Arc<String>) -> Source {
        Source {
            text,
            syntax: Syntax::Yaml,
            nodes: self.nodes,
            comments: self.comments,
            decoded: self.decoded,
            tags: self.tags,
            anchors: self.anchors,
            aliases: self.aliases,
            duplicates: self.duplicates,
            cut: self.cut,
            lines: Default::default(),
        }
    }
}

struct Builder<'a> {
    /// The text that spans refer to.
    text: &'a str,
    runs: &'a Runs,
    runs_used: usize,
    words_used: usize,
    out: Tables,
    stack: Vec<Open>,
    /// Anchor ids of the parser to nodes.
    anchor_nodes: HashMap<usize, u32>,
    documents: usize,
    /// Set where the runs turned out to be something else than keys.
    mistaken: bool,
}

impl<'a> Builder<'a> {
    /// `None` where the shortened text cannot be trusted to mean what the whole one means.
    fn build(text: &'a str, short: &str, runs: &'a Runs) -> Result<Option<Tables>, SyntaxError> {
        let options = granit_parser::options! {
            emit_anchor_events: true,
            emit_comments: true,
            max_buffered_comment_events: usize::MAX,
            flow_nesting_limit: MAX_NESTING,
            block_nesting_limit: MAX_NESTING,
        };
        let mut builder = Builder {
            text,
            runs,
            runs_used: 0,
            words_used: 0,
            out: Tables::default(),
            stack: Vec::new(),
            anchor_nodes: HashMap::new(),
            documents: 0,
            mistaken: false,
        };
        for event in Parser::new_from_str_with_options(short, options) {
            let (event, span) = event.map_err(|e| {
                let offset = e.marker().byte_offset().unwrap_or(0);
                error(plain_words(&e.info()), runs.start(offset))
            })?;
            builder.event(event, span)?;
            if builder.mistaken {
                return Ok(None);
            }
        }
        if builder.runs_used != runs.len() || builder.words_used != runs.words().len() {
            return Ok(None);
        }
        match builder.out.nodes.first() {
            Some(root) if root.kind.is_map() => {}
            Some(root) => {
                return Err(error(
                    "expected a mapping at the top of the file",
                    root.start as usize,
                ));
            }
            None => {
                let start = if text.starts_with(BOM) { BOM.len() } else { 0 };
                return Err(error("the file is empty; expected a mapping", start));
            }
        }
        builder.check_expansion()?;
        builder.out.duplicates.sort_by_key(|(_, second)| *second);
        Ok(Some(builder.out))
    }

    fn range(&mut self, span: &Span) -> Range<u32> {
        let range = span.byte_range().unwrap_or(0..0);
        let start = self.runs.start(range.start);
        let end = if range.is_empty() { start } else { self.runs.end(range.end) };
        if self.runs.cut_within(start..end) {
            self.mistaken = true;
        }
        start as u32..end as u32
    }

    fn event(&mut self, event: Event<'_>, span: Span) -> Result<(), SyntaxError> {
        let range = self.range(&span);
        self.pass_words(range.start as usize);
        if self.mistaken {
            return Ok(());
        }
        match event {
            Event::DocumentStart(..) => {
                self.documents += 1;
                if self.documents > 1 {
                    let message = "expected one document; a second one begins here";
                    return Err(error(message, range.start as usize));
                }
            }
            Event::Comment(..) => self.out.comments.push(range),
            Event::Scalar(value, style, _, tag) => {
                let kind = match style {
                    ScalarStyle::Plain if range.is_empty() => Kind::Empty,
                    ScalarStyle::Plain => Kind::Plain,
                    ScalarStyle::SingleQuoted => Kind::SingleQuoted,
                    ScalarStyle::DoubleQuoted => Kind::DoubleQuoted,
                    ScalarStyle::Literal | ScalarStyle::Folded => Kind::Block,
                };
                let range = match kind {
                    Kind::Empty => self.empty_place(range),
                    Kind::Block => self.block_scalar_place(range, &span),
                    _ => range,
                };
                let bare = match kind {
                    Kind::Empty => Some(""),
                    Kind::Plain => self.text.get(range.start as usize..range.end as usize),
                    Kind::SingleQuoted | Kind::DoubleQuoted => {
                        self.text.get(range.start as usize + 1..range.end as usize - 1)
                    }
                    _ => None,
                };
                // The parser adds the line break that a block scalar at the text's end lacks.
                let lacks_break = kind == Kind::Block && range.end as usize == self.text.len();
                let value = match value.strip_suffix('\n').filter(|_| lacks_break) {
                    Some(value) => value,
                    None => &*value,
                };
                let node = self.push(kind, range)?;
                if kind != Kind::Empty && bare != Some(value) {
                    self.out.decoded.insert(node, value.into());
                }
                self.tag(node, tag.as_deref(), &span);
                if matches!(kind, Kind::SingleQuoted | Kind::DoubleQuoted) {
                    self.check_indent(node)?;
                }
                self.closed(node);
            }
            Event::SequenceStart(style, _, tag) => {
                let kind = match style {
                    StructureStyle::Block => Kind::BlockSeq,
                    StructureStyle::Flow => Kind::FlowSeq,
                };
                self.open(kind, range, tag.as_deref(), &span)?;
            }
            Event::MappingStart(style, _, tag) => {
                let kind = match style {
                    StructureStyle::Block => Kind::BlockMap,
                    StructureStyle::Flow => Kind::FlowMap,
                };
                self.open(kind, range, tag.as_deref(), &span)?;
            }
            Event::SequenceEnd | Event::MappingEnd => self.close(range)?,
            Event::Anchor(id, name) => {
                let node = self.out.nodes.len() as u32 - 1;
                self.anchor_nodes.insert(id, node);
                self.out.anchors.insert(node, Anchor { name: name.into(), span: range });
            }
            Event::Alias(id) => {
                let Some(target) = self.anchor_nodes.get(&id).copied() else {
                    return Err(error("unknown anchor", range.start as usize));
                };
                if self.stack.iter().any(|open| open.node == target) {
                    let message = "an alias inside its own anchor never ends";
                    return Err(error(message, range.start as usize));
                }
                let node = self.push(Kind::Alias, range)?;
                self.out.aliases.insert(node, target);
                self.closed(node);
            }
            _ => {}
        }
        Ok(())
    }

    /// Words that were cut out before this byte lie between two items of the innermost list, and
    /// nowhere else.
    fn pass_words(&mut self, until: usize) {
        while let Some(words) = self.runs.words().get(self.words_used) {
            if words.start >= until {
                return;
            }
            self.words_used += 1;
            let list = self.stack.last().filter(|open| {
                let node = &self.out.nodes[open.node as usize];
                node.kind == Kind::FlowSeq && open.last_end as usize <= words.start
            });
            match list {
                // Lists among the words would lie too deep.
                Some(_) if self.stack.len() >= MAX_NESTING => self.mistaken = true,
                Some(list) => drop(self.out.cut.insert(list.node)),
                None => self.mistaken = true,
            }
        }
    }

    /// Whether a flow collection in which something was cut out is nothing but what the cut takes
    /// it for: words and commas on one line, and no key, which may not be as long.
    fn is_plain_value(&self, node: u32, is_cut: bool) -> bool {
        let Node { start, end, .. } = self.out.nodes[node as usize];
        let span = start as usize..end as usize;
        let text = self.text.as_bytes();
        let behind = text[span.end..].iter().find(|byte| !matches!(byte, b' ' | b'\t'));
        if behind == Some(&b':') {
            return false;
        }
        // A scene's entities are read one by one, however many there are (M9).
        let is_entities = || {
            let key = self.out.nodes[node as usize - 1];
            let raw = &self.text[key.start as usize..key.end as usize];
            let key = self.out.decoded.get(&(node - 1)).map_or(raw, |text| text);
            self.stack.len() == 1 && key.trim_matches(['"', '\'']) == "entities"
        };
        let inner = &text[span.start + 1..span.end - 1];
        !is_cut || inner.iter().all(|byte| runs::is_in_words(*byte)) && !is_entities()
    }

    fn push(&mut self, kind: Kind, range: Range<u32>) -> Result<u32, SyntaxError> {
        let node = self.out.nodes.len() as u32;
        let (start, end) = (range.start, range.end);
        push_node(&mut self.out.nodes, Node { start, end, next: node + 1, kind });
        Ok(node)
    }

    fn tag(&mut self, node: u32, tag: Option<&granit_parser::Tag>, span: &Span) {
        let Some(tag) = tag else { return };
        let start = span.tag_start().and_then(|m| m.byte_offset());
        let start =
            start.map_or(self.out.nodes[node as usize].start as usize, |s| self.runs.start(s));
        let kind = match tag.core_suffix() {
            Some(suffix) => Tag::Core(suffix.to_owned()),
            None => Tag::Other(tag.original()),
        };
        self.out.tags.insert(node, (kind, start as u32));
    }

    fn open(
        &mut self,
        kind: Kind,
        range: Range<u32>,
        tag: Option<&granit_parser::Tag>,
        span: &Span,
    ) -> Result<(), SyntaxError> {
        if self.stack.len() >= MAX_NESTING {
            let message = format!("nested deeper than {MAX_NESTING} levels");
            return Err(error(message, range.start as usize));
        }
        let mut range = range;
        if kind == Kind::BlockSeq
            && let Some(dash) = self.first_dash(range.start as usize)
        {
            range = dash..dash;
        }
        let last_end = range.end;
        let node = self.push(kind, range)?;
        self.tag(node, tag, span);
        self.stack.push(Open { node, count: 0, last_end });
        Ok(())
    }

    fn close(&mut self, range: Range<u32>) -> Result<(), SyntaxError> {
        let Some(open) = self.stack.pop() else { return Ok(()) };
        let next = self.out.nodes.len() as u32;
        let node = &mut self.out.nodes[open.node as usize];
        node.next = next;
        // The end that the parser gives for a block collection is the next token's place.
        node.end = if node.kind.is_flow() { range.end } else { open.last_end };
        let (kind, start) = (node.kind, node.start as usize);
        if kind.is_flow() {
            self.check_indent(open.node)?;
            let end = self.out.nodes[open.node as usize].end as usize;
            let is_cut = self.out.cut.contains(&open.node);
            if self.runs.cut_within(start..end) && !self.is_plain_value(open.node, is_cut) {
                self.mistaken = true;
                return Ok(());
            }
        }
        if kind.is_map() {
            self.find_duplicates(open.node);
        }
        let in_block_seq = self
            .stack
            .last()
            .is_some_and(|parent| self.out.nodes[parent.node as usize].kind == Kind::BlockSeq);
        self.closed(open.node);
        if kind == Kind::BlockMap
            && in_block_seq
            && let Some(run) = self.runs.starting_at(start)
        {
            self.add_run(open.node, run);
        }
        Ok(())
    }

    /// Refuses a value inside a block that goes on at the very left. What lies inside a flow
    /// collection is judged with it.
    fn check_indent(&self, node: u32) -> Result<(), SyntaxError> {
        let parent = self.stack.last().map(|parent| self.out.nodes[parent.node as usize].kind);
        if parent.is_none_or(Kind::is_flow) {
            return Ok(());
        }
        let Node { start, end, .. } = self.out.nodes[node as usize];
        match indent::shallow_line(self.text, start as usize..end as usize) {
            Some(at) => Err(error("this line must be indented", at)),
            None => Ok(()),
        }
    }

    /// The rest of a run of keys, whose first stands in the tree as `first`.
    fn add_run(&mut self, first: u32, run: &runs::Run) {
        if !run.is_like(&self.out.nodes[first as usize..]) || self.out.tags.contains_key(&first) {
            self.mistaken = true;
            return;
        }
        self.runs_used += 1;
        let Some(end) = run.append(self.text, &mut self.out.nodes) else {
            self.mistaken = true;
            return;
        };
        if let Some(parent) = self.stack.last_mut() {
            parent.count += run.extra as u32;
            parent.last_end = end;
        }
    }

    /// Tells the parent that a child is complete.
    fn closed(&mut self, node: u32) {
        let end = self.out.nodes[node as usize].end;
        if let Some(parent) = self.stack.last_mut() {
            parent.count += 1;
            parent.last_end = parent.last_end.max(end);
        }
    }

    /// Where a value that is not there would stand: behind the colon or the dash.
    fn empty_place(&self, range: Range<u32>) -> Range<u32> {
        let Some(parent) = self.stack.last() else { return range };
        let kind = self.out.nodes[parent.node as usize].kind;
        let mark = match kind {
            Kind::BlockSeq => b'-',
            _ if kind.is_map() && parent.count % 2 == 1 => b':',
            _ => return range,
        };
        let from = if parent.count == 0 {
            self.out.nodes[parent.node as usize].start
        } else {
            parent.last_end
        };
        match self.skip_to(from as usize, mark) {
            Some(at) => at as u32 + 1..at as u32 + 1,
            None => range.start.max(from)..range.start.max(from),
        }
    }

    /// The first dash of a block list. Where dashes stand as far left as their key, the parser's
    /// span begins behind it.
    fn first_dash(&self, start: usize) -> Option<u32> {
        let bytes = self.text.as_bytes();
        let mut at = self.stack.last()?.last_end as usize;
        while at <= start {
            match bytes.get(at)? {
                b' ' | b'\t' | b'\n' | b'\r' | b':' | b'?' => at += 1,
                b'#' => at += memchr::memchr2(b'\n', b'\r', &bytes[at..])?,
                b'&' | b'!' => at += bytes[at..].iter().position(u8::is_ascii_whitespace)?,
                b'-' => return Some(at as u32),
                _ => return None,
            }
        }
        None
    }

    /// From `from` over white space, line breaks and comments to `mark`.
    fn skip_to(&self, from: usize, mark: u8) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let mut at = from;
        loop {
            match bytes.get(at)? {
                b' ' | b'\t' | b'\n' | b'\r' => at += 1,
                b'#' => at += memchr::memchr2(b'\n', b'\r', &bytes[at..])?,
                byte if *byte == mark => return Some(at),
                _ => return None,
            }
        }
    }

    /// From the `|` or `>` to the end of the last line that counts. The parser's span begins at
    /// the content and may end in the next line's indentation.
    fn block_scalar_place(&self, range: Range<u32>, span: &Span) -> Range<u32> {
        let bytes = self.text.as_bytes();
        let mut at = self.stack.last().map_or(0, |open| open.last_end as usize);
        if let Some(tag) = span.tag_span().and_then(|t| t.byte_range()) {
            at = at.max(self.runs.end(tag.end));
        }
        // Between the last token and the header stand only `:`, `-`, anchors and comments.
        let mut header = None;
        while at < bytes.len() {
            match bytes[at] {
                b'#' if at > 0 && bytes[at - 1].is_ascii_whitespace() => {
                    at += memchr::memchr2(b'\n', b'\r', &bytes[at..]).unwrap_or(bytes.len() - at);
                }
                b'&' | b'!' => {
                    while at < bytes.len() && !bytes[at].is_ascii_whitespace() {
                        at += 1;
                    }
                }
                b'|' | b'>' => {
                    header = Some(at);
                    break;
                }
                _ => at += 1,
            }
        }
        let start = header.unwrap_or(range.start as usize);
        let header_line = &self.text[start..];
        let header_end = header_line.find(['\n', '\r']).unwrap_or(header_line.len());
        let indicators = header_line[..header_end].split('#').next().unwrap_or("");
        let keep = indicators.contains('+');
        let mut end = (range.end as usize).max(start + header_end);
        if keep {
            // Blank lines at the end are content; the next line's indentation is not.
            end = start + self.text[start..end].trim_end_matches([' ', '\t']).len();
            // The last line break ends the line, as everywhere.
            let whole = &self.text[start..end];
            end -= if whole.ends_with("\r\n") {
                2
            } else {
                usize::from(whole.ends_with(['\n', '\r']))
            };
        } else {
            end = start + self.text[start..end].trim_end_matches([' ', '\t', '\n', '\r']).len();
        }
        start as u32..end as u32
    }

    fn find_duplicates(&mut self, map: u32) {
        let mut keys: Vec<(u32, &str)> = Vec::new();
        let end = self.out.nodes[map as usize].next;
        let mut at = map + 1;
        while at < end {
            let key = self.out.nodes[at as usize];
            if key.kind.is_scalar() {
                let raw = match key.kind {
                    Kind::SingleQuoted | Kind::DoubleQuoted => {
                        &self.text[key.start as usize + 1..key.end as usize - 1]
                    }
                    _ => &self.text[key.start as usize..key.end as usize],
                };
                keys.push((at, self.out.decoded.get(&at).map_or(raw, |d| d)));
            }
            let value = key.next;
            at = self.out.nodes.get(value as usize).map_or(end, |v| v.next);
        }
        let mut found = Vec::new();
        if keys.len() <= 16 {
            for (i, (node, key)) in keys.iter().enumerate() {
                if let Some((first, _)) = keys[..i].iter().find(|(_, k)| k == key) {
                    found.push((NodeId(*first), NodeId(*node)));
                }
            }
        } else {
            let mut firsts: HashMap<&str, u32> = HashMap::with_capacity(keys.len());
            for (node, key) in &keys {
                let first = *firsts.entry(key).or_insert(*node);
                if first != *node {
                    found.push((NodeId(first), NodeId(*node)));
                }
            }
        }
        self.out.duplicates.extend(found);
    }

    /// Refuses texts that aliases would swell more than tenfold (M12).
    fn check_expansion(&self) -> Result<(), SyntaxError> {
        if self.out.aliases.is_empty() {
            return Ok(());
        }
        let limit = self.text.len() as u64 * MAX_ALIAS_EXPANSION;
        // What the aliases before a node add to the text; targets are complete before their
        // aliases, so that one pass is enough.
        let mut added = Vec::with_capacity(self.out.nodes.len() + 1);
        let mut sum = 0u64;
        for index in 0..self.out.nodes.len() as u32 {
            added.push(sum);
            let Some(target) = self.out.aliases.get(&index) else { continue };
            let node = self.out.nodes[*target as usize];
            let inside = added[node.next as usize] - added[*target as usize];
            sum = sum.saturating_add(u64::from(node.end - node.start)).saturating_add(inside);
            if sum > limit {
                let message = format!(
                    "the aliases make the text more than {MAX_ALIAS_EXPANSION} times as long"
                );
                return Err(error(message, self.out.nodes[index as usize].start as usize));
            }
        }
        Ok(())
    }
}

/// The parser's sentence, without the place it repeats.
fn plain_words(info: &str) -> String {
    if info.contains("recursion limit") {
        return format!("nested deeper than {MAX_NESTING} levels");
    }
    info.trim().trim_end_matches('.').to_owned()
}
