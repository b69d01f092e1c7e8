//! JSON texts to span trees.
//!
//! Nearly all of a big take is its keyframes. Their tree would be many times as large as the text,
//! so that [`parse_with_lists`] makes each keyframe a leaf: an object of which only the span is
//! known. [`Source::expanded`] gives a tree in which some lists are whole; [`Source::fields_of`]
//! looks into one leaf.

use super::scan::{Scan, unescape};
use super::tree::{BOM, Kind, LONG_LIST, Node, NodeId, Source, Syntax, SyntaxError, push_node};
use crate::progress::Progress;
use std::collections::{HashMap, HashSet, VecDeque};
use std::ops::Range;
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};

/// Lists that are read by themselves: the values of `field` in the items of the top's list `list`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lists {
    pub list: &'static str,
    pub field: &'static str,
}

/// Lists at the top of an export that are read item by item, however many there are.
const ELEMENTS: [&str; 3] = ["pegs", "bones", "cameras"];

/// How many lists and objects are open around the items of such a list.
pub(crate) const ITEM_DEPTH: usize = 4;

/// Below this many bytes a second thread costs more than it brings.
const WORTH_THREADS: usize = 1 << 20;

/// Why there is no tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The text is no JSON.
    Syntax(SyntaxError),
    /// Somebody asked to stop.
    Cancelled,
}

impl From<SyntaxError> for Stop {
    fn from(error: SyntaxError) -> Self {
        Stop::Syntax(error)
    }
}

impl Source {
    /// Reads a JSON text. Its byte-order mark, if it has one, stays; keys that stand twice in one
    /// object are listed, and the last one counts.
    ///
    /// # Errors
    /// The first place at which it is no JSON: RFC 8259 to the letter, lists and objects nested at
    /// most [`super::MAX_NESTING`] deep (M12), every number within the range of an `f64`, no lone
    /// surrogates.
    pub fn parse_json(text: impl Into<Arc<String>>) -> Result<Source, SyntaxError> {
        let text = text.into();
        let mut tree = Tree::default();
        build_whole(&text, &mut tree, None)?;
        Ok(tree.into_source(text))
    }

    /// Whether an object is a leaf although it is not empty: its text was not looked into.
    pub fn is_leaf(&self, node: NodeId) -> bool {
        self.syntax == Syntax::Json
            && self.kind(node) == Kind::FlowMap
            && self.node(node).next == node.0 + 1
            && self.raw(node).bytes().any(|b| b == b'"')
    }

    /// The fields of an object of a JSON text with the spans of their values, in file order, also
    /// where the object is a leaf. Nothing for any other node.
    pub fn fields_of(&self, node: NodeId) -> Vec<(String, Range<usize>)> {
        self.fields_in(&self.span(node))
    }

    /// As [`Source::fields_of`], of the object that stands in these bytes.
    pub(crate) fn fields_in(&self, span: &Range<usize>) -> Vec<(String, Range<usize>)> {
        let mut fields = Vec::new();
        self.each_field(span.clone(), |name, value| fields.push((name.to_owned(), value)));
        fields
    }

    /// Meets each field of the object that stands in these bytes of a JSON text: its name and the
    /// span of its value.
    pub(crate) fn each_field(&self, span: Range<usize>, mut meet: impl FnMut(&str, Range<usize>)) {
        let is_object = self.text.as_bytes().get(span.start) == Some(&b'{');
        if self.syntax == Syntax::Json && is_object {
            // The text was found to be valid: what goes wrong here cannot, and ends the walk.
            let _ = self.walk_fields(span.start, &mut meet);
        }
    }

    fn walk_fields(
        &self,
        start: usize,
        meet: &mut impl FnMut(&str, Range<usize>),
    ) -> Result<(), SyntaxError> {
        let mut scan = Scan::new(&self.text, start, 0);
        scan.open()?;
        let mut first = true;
        while let Some(key) = scan.key(first)? {
            first = false;
            let start = scan.at;
            scan.skip_value()?;
            let inner = &self.text[key.inner];
            match key.escaped {
                true => meet(&unescape(inner), start..scan.at),
                false => meet(inner, start..scan.at),
            }
        }
        Ok(())
    }

    /// The bytes of a field's value in an object of a JSON text, also where the object is a leaf;
    /// of the last one where it stands twice.
    pub fn field_span(&self, node: NodeId, name: &str) -> Option<Range<usize>> {
        self.field_span_in(&self.span(node), name)
    }

    /// As [`Source::field_span`], of the object that stands in these bytes.
    pub(crate) fn field_span_in(&self, span: &Range<usize>, name: &str) -> Option<Range<usize>> {
        let fields = self.fields_in(span);
        fields.into_iter().rev().find(|(field, _)| field == name).map(|(_, span)| span)
    }

    /// The same text with a whole tree in these lists, the items of which may be leaves here.
    /// Nodes have other numbers there; spans are the same.
    pub(crate) fn expanded(&self, lists: &HashSet<NodeId>) -> Source {
        let mut lists: Vec<u32> = lists.iter().map(|list| list.0).collect();
        lists.sort_unstable();
        let mut parts = Vec::with_capacity(lists.len());
        for list in lists {
            let mut tree = Tree::default();
            let start = self.nodes[list as usize].start as usize;
            let mut scan = Scan::new(&self.text, start, 0);
            // Valid once, valid again.
            if build(&mut scan, &mut tree, None).is_ok() {
                parts.push((list, tree));
            }
        }
        let splice = Splice::new(&self.nodes, parts);
        let mut source = Source {
            text: Arc::clone(&self.text),
            syntax: self.syntax,
            nodes: Vec::new(),
            comments: Vec::new(),
            decoded: self.decoded.iter().map(|(n, d)| (splice.moved(*n), d.clone())).collect(),
            tags: HashMap::new(),
            anchors: HashMap::new(),
            aliases: HashMap::new(),
            duplicates: Vec::new(),
            cut: self.cut.iter().map(|list| splice.moved(*list)).collect(),
            lines: OnceLock::new(),
        };
        let moved =
            |(a, b): &(NodeId, NodeId)| (NodeId(splice.moved(a.0)), NodeId(splice.moved(b.0)));
        source.duplicates = self.duplicates.iter().map(moved).collect();
        splice.join(&self.nodes, &mut source);
        source.duplicates.sort_by_key(|(_, second)| *second);
        source
    }
}

/// What was made of lists, with their nodes, in file order.
pub(crate) type Made<T> = Vec<(NodeId, T)>;

/// Reads a JSON text in which the items of some lists become leaves: `read` is called once for
/// each such list, at its `[`, on any thread, and must pass the list whole and give the span of
/// each item. What it makes of the lists comes back in file order with the lists' nodes, whose
/// items follow the list's own node without a gap.
///
/// # Errors
/// As [`Source::parse_json`], and where `progress` was cancelled.
pub(crate) fn parse_with_lists<T: Send>(
    text: &Arc<String>,
    lists: Lists,
    progress: &Progress,
    read: impl Fn(&mut Scan, Range<usize>, &mut Vec<Range<u32>>) -> Result<T, Stop> + Sync,
) -> Result<(Source, Made<T>), Stop> {
    progress.expect(text.len());
    let work = Work {
        text,
        read: &read,
        queue: Mutex::new(Queue::default()),
        more: Condvar::new(),
        done: Mutex::new(Vec::new()),
        progress,
    };
    let threads = match text.len() < WORTH_THREADS {
        true => 1,
        false => std::thread::available_parallelism().map_or(1, |n| n.get().min(8)),
    };
    let mut tree = Tree::default();
    let mut found = Vec::new();
    let built = std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(|| work.run());
        }
        let mut put = |node: u32, span: Range<usize>| {
            work.put(found.len(), span);
            found.push(node);
        };
        let built = build_whole(text, &mut tree, Some(Apart { lists, put: &mut put }));
        work.close();
        work.run();
        built
    });
    let mut done = work.done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(index, _)| *index);
    // The text's first error, as one pass over it would have met it.
    let mut first = built.err();
    let mut parts = Vec::with_capacity(done.len());
    let mut results = Vec::with_capacity(done.len());
    for (index, result) in done {
        match result {
            Ok((spans, value)) => {
                let list = tree.nodes[found[index] as usize];
                parts.push((found[index], Tree::leaves(text, list, spans)));
                results.push((found[index], value));
            }
            Err(Stop::Cancelled) => return Err(Stop::Cancelled),
            Err(Stop::Syntax(error)) => {
                if first.as_ref().is_none_or(|first| error.offset < first.offset) {
                    first = Some(error);
                }
            }
        }
    }
    if let Some(error) = first {
        return Err(error.into());
    }
    if progress.is_cancelled() {
        return Err(Stop::Cancelled);
    }
    let nodes = std::mem::take(&mut tree.nodes);
    let splice = Splice::new(&nodes, parts);
    tree.decoded = tree.decoded.into_iter().map(|(n, d)| (splice.moved(n), d)).collect();
    tree.cut = tree.cut.into_iter().map(|list| splice.moved(list)).collect();
    for (a, b) in &mut tree.duplicates {
        (*a, *b) = (NodeId(splice.moved(a.0)), NodeId(splice.moved(b.0)));
    }
    let results = results.into_iter().map(|(n, v)| (NodeId(splice.moved(n)), v)).collect();
    let mut source = tree.into_source(Arc::clone(text));
    splice.join(&nodes, &mut source);
    Ok((source, results))
}

/// The lists that wait to be read, and those that were.
struct Work<'a, T, F> {
    text: &'a str,
    read: &'a F,
    queue: Mutex<Queue>,
    more: Condvar,
    done: Mutex<Vec<Done<T>>>,
    progress: &'a Progress,
}

type Done<T> = (usize, Result<(Vec<Range<u32>>, T), Stop>);

#[derive(Default)]
struct Queue {
    /// (which list, its bytes)
    waiting: VecDeque<(usize, Range<usize>)>,
    closed: bool,
}

impl<T, F> Work<'_, T, F>
where
    T: Send,
    F: Fn(&mut Scan, Range<usize>, &mut Vec<Range<u32>>) -> Result<T, Stop> + Sync,
{
    fn put(&self, index: usize, span: Range<usize>) {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        queue.waiting.push_back((index, span));
        self.more.notify_one();
    }

    fn close(&self) {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner).closed = true;
        self.more.notify_all();
    }

    /// Reads lists until there are no more.
    fn run(&self) {
        loop {
            let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
            let (index, span) = loop {
                if let Some(job) = queue.waiting.pop_front() {
                    break job;
                }
                if queue.closed {
                    return;
                }
                queue = self.more.wait(queue).unwrap_or_else(PoisonError::into_inner);
            };
            drop(queue);
            let mut scan = Scan::new(self.text, span.start, ITEM_DEPTH - 1);
            let mut spans = Vec::new();
            let result = match self.progress.is_cancelled() {
                true => Err(Stop::Cancelled),
                false => {
                    let read = (self.read)(&mut scan, span, &mut spans);
                    read.map(|value| (spans, value))
                }
            };
            let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
            done.push((index, result));
        }
    }
}

/// Nodes in pre-order with what few of them have.
#[derive(Debug, Default)]
struct Tree {
    nodes: Vec<Node>,
    decoded: HashMap<u32, Box<str>>,
    duplicates: Vec<(NodeId, NodeId)>,
    /// Lists of which only the first items are here.
    cut: HashSet<u32>,
}

impl Tree {
    fn into_source(self, text: Arc<String>) -> Source {
        Source {
            text,
            syntax: Syntax::Json,
            nodes: self.nodes,
            comments: Vec::new(),
            decoded: self.decoded,
            tags: HashMap::new(),
            anchors: HashMap::new(),
            aliases: HashMap::new(),
            duplicates: self.duplicates,
            cut: self.cut,
            lines: OnceLock::new(),
        }
    }

    /// A list whose items are leaves: objects, or whatever one of them is instead.
    fn leaves(text: &str, list: Node, spans: Vec<Range<u32>>) -> Tree {
        let mut tree = Tree::default();
        tree.nodes.reserve_exact(spans.len() + 1);
        tree.nodes.push(Node { next: spans.len() as u32 + 1, ..list });
        for span in spans {
            let span = span.start as usize..span.end as usize;
            match text.as_bytes().get(span.start) {
                Some(b'{') => tree.push(span, Kind::FlowMap),
                Some(b'[') => tree.push(span, Kind::FlowSeq),
                Some(b'"') => {
                    let inner = span.start + 1..span.end - 1;
                    let escaped = text[inner.clone()].contains('\\');
                    tree.push_string(text, &super::scan::Spelled { inner, escaped })
                }
                _ => tree.push(span, Kind::Plain),
            };
        }
        tree
    }

    fn push(&mut self, span: Range<usize>, kind: Kind) -> u32 {
        let index = self.nodes.len() as u32;
        let (start, end) = (span.start as u32, span.end as u32);
        push_node(&mut self.nodes, Node { start, end, next: index + 1, kind });
        index
    }

    fn push_string(&mut self, text: &str, string: &super::scan::Spelled) -> u32 {
        let node = self.push(string.span(), Kind::DoubleQuoted);
        if string.escaped {
            let value = unescape(&text[string.inner.clone()]);
            self.decoded.insert(node, value.into());
        }
        node
    }

    fn close(&mut self, node: u32, end: usize) {
        let next = self.nodes.len() as u32;
        let node = &mut self.nodes[node as usize];
        node.end = end as u32;
        node.next = next;
    }

    /// Finds keys that stand twice in an object that was just closed.
    fn find_duplicates(&mut self, text: &str, map: u32) {
        let mut keys: Vec<u32> = Vec::new();
        let mut at = map + 1;
        while (at as usize) < self.nodes.len() {
            keys.push(at);
            at = self.nodes[at as usize + 1].next;
        }
        let name = |key: u32| match self.decoded.get(&key) {
            Some(name) => &**name,
            None => {
                let node = &self.nodes[key as usize];
                &text[node.start as usize + 1..node.end as usize - 1]
            }
        };
        let mut found = Vec::new();
        // Nearly all objects are small.
        if keys.len() <= 12 {
            for (at, key) in keys.iter().enumerate() {
                let before = keys[..at].iter().find(|before| name(**before) == name(*key));
                found.extend(before.map(|before| (NodeId(*before), NodeId(*key))));
            }
        } else {
            let mut seen: HashMap<&str, u32> = HashMap::with_capacity(keys.len());
            for key in &keys {
                let first = *seen.entry(name(*key)).or_insert(*key);
                if first != *key {
                    found.push((NodeId(first), NodeId(*key)));
                }
            }
        }
        self.duplicates.extend(found);
    }
}

/// Lists that are only passed, and who is told of them.
struct Apart<'a> {
    lists: Lists,
    put: &'a mut dyn FnMut(u32, Range<usize>),
}

/// The tree of a whole text.
fn build_whole(text: &str, tree: &mut Tree, apart: Option<Apart>) -> Result<(), SyntaxError> {
    let start = if text.starts_with(BOM) { BOM.len() } else { 0 };
    if u32::try_from(text.len()).is_err() {
        let message = "the text is larger than 4 GiB".to_owned();
        return Err(SyntaxError { message, offset: 0 });
    }
    let mut scan = Scan::new(text, start, 0);
    scan.skip_space();
    build(&mut scan, tree, apart)?;
    scan.skip_space();
    if scan.at < text.len() {
        return Err(scan.expected("the end of the text"));
    }
    tree.duplicates.sort_by_key(|(_, second)| *second);
    Ok(())
}

/// The tree of the value that begins here.
fn build(scan: &mut Scan, tree: &mut Tree, mut apart: Option<Apart>) -> Result<(), SyntaxError> {
    let text = scan.text();
    let mut open: Vec<u32> = Vec::new();
    // Whether the value that comes next is the list of elements, or one of the lists set apart.
    let (mut in_list, mut is_apart) = (false, false);
    // Whether a list directly in the top has elements, which are all there.
    let mut has_elements = false;
    let may_cut = apart.is_some();
    // Items so far of each list that is open.
    let mut counts: Vec<usize> = Vec::new();
    loop {
        let mut first = false;
        let apart_here = std::mem::take(&mut is_apart);
        match scan.peek() {
            Some(b'[') if apart_here => {
                let start = scan.at;
                let mut ahead = scan.clone();
                let apart = apart.as_mut().filter(|_| ahead.skip_brackets());
                match apart {
                    Some(apart) => {
                        scan.at = ahead.at;
                        let node = tree.push(start..scan.at, Kind::FlowSeq);
                        (apart.put)(node, start..scan.at);
                    }
                    // It does not end: say where it goes wrong.
                    None => {
                        scan.skip_value()?;
                        return Err(scan.expected("`]`"));
                    }
                }
            }
            Some(byte @ (b'[' | b'{')) => {
                let kind = if byte == b'[' { Kind::FlowSeq } else { Kind::FlowMap };
                let node = tree.push(scan.at..scan.at, kind);
                scan.open()?;
                open.push(node);
                counts.push(0);
                first = true;
            }
            Some(b'"') => {
                let string = scan.string("a string")?;
                tree.push_string(text, &string);
            }
            _ => {
                let start = scan.at;
                scan.plain()?;
                tree.push(start..scan.at, Kind::Plain);
            }
        }
        loop {
            let Some(&top) = open.last() else { return Ok(()) };
            let is_map = tree.nodes[top as usize].kind == Kind::FlowMap;
            let more = if is_map {
                match scan.key(first)? {
                    Some(key) => {
                        tree.push_string(text, &key);
                        if let Some(Apart { lists, .. }) = &apart {
                            match open.len() {
                                1 => {
                                    let name = &text[key.inner];
                                    in_list = name == lists.list;
                                    has_elements = ELEMENTS.contains(&name);
                                }
                                3 => is_apart = in_list && text[key.inner] == *lists.field,
                                _ => {}
                            }
                        }
                        true
                    }
                    None => false,
                }
            } else {
                let mut more = scan.item(first)?;
                if more && let Some(count) = counts.last_mut() {
                    *count += 1;
                    let is_elements = open.len() == 2 && has_elements;
                    if *count > LONG_LIST && may_cut && !is_elements {
                        // Read, so that the whole text is valid, and left out.
                        tree.cut.insert(top);
                        while more {
                            scan.skip_value()?;
                            more = scan.item(false)?;
                        }
                    }
                }
                more
            };
            if more {
                break;
            }
            open.pop();
            counts.pop();
            tree.close(top, scan.at);
            if is_map {
                tree.find_duplicates(text, top);
            }
            first = false;
        }
    }
}

/// Puts trees in the place of lists.
struct Splice {
    /// By place: (the list, the index behind it, its tree)
    parts: Vec<(u32, u32, Tree)>,
    /// How far what stands at or behind each of these old places moves.
    shifts: Vec<(u32, i64)>,
}

impl Splice {
    /// `parts` by place; each tree's first node is the list itself.
    fn new(nodes: &[Node], parts: Vec<(u32, Tree)>) -> Splice {
        let mut shift = 0_i64;
        let mut shifts = Vec::with_capacity(parts.len());
        let parts: Vec<(u32, u32, Tree)> = parts
            .into_iter()
            .map(|(list, tree)| {
                let next = nodes[list as usize].next;
                shift += tree.nodes.len() as i64 - i64::from(next - list);
                shifts.push((next, shift));
                (list, next, tree)
            })
            .collect();
        Splice { parts, shifts }
    }

    /// The new number of an old node that is not inside a list.
    fn moved(&self, node: u32) -> u32 {
        let at = self.shifts.partition_point(|(from, _)| *from <= node);
        let shift = at.checked_sub(1).map_or(0, |at| self.shifts[at].1);
        (i64::from(node) + shift) as u32
    }

    /// Writes all nodes into `source`.
    fn join(self, old: &[Node], source: &mut Source) {
        let added: usize = self.parts.iter().map(|(.., tree)| tree.nodes.len()).sum();
        let mut nodes = Vec::with_capacity(old.len() + added);
        let mut at = 0;
        let shifts = &self.shifts;
        let moved = |node: u32| {
            let at = shifts.partition_point(|(from, _)| *from <= node);
            let shift = at.checked_sub(1).map_or(0, |at| shifts[at].1);
            (i64::from(node) + shift) as u32
        };
        for (list, next, tree) in self.parts {
            let stay = &old[at..list as usize];
            nodes.extend(stay.iter().map(|node| Node { next: moved(node.next), ..*node }));
            let base = nodes.len() as u32;
            nodes.extend(tree.nodes.iter().map(|n| Node { next: n.next + base, ..*n }));
            source.decoded.extend(tree.decoded.into_iter().map(|(n, d)| (n + base, d)));
            let based = |(a, b): (NodeId, NodeId)| (NodeId(a.0 + base), NodeId(b.0 + base));
            source.duplicates.extend(tree.duplicates.into_iter().map(based));
            source.cut.extend(tree.cut.into_iter().map(|list| list + base));
            at = next as usize;
        }
        nodes.extend(old[at..].iter().map(|node| Node { next: moved(node.next), ..*node }));
        source.nodes = nodes;
    }
}
