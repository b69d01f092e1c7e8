//! New and foreign text: a small tree of values, spelled as they will be written, with the
//! comments that go along.

use super::tree::{Kind, NodeId, Source, Syntax, Tag};
use std::borrow::Cow;
use std::fmt::Write;

/// A value to be written somewhere, with its comments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fragment {
    /// Comment lines above, from `#` on.
    pub above: Vec<String>,
    /// The comment on its line, from `#` on.
    pub beside: Option<String>,
    /// Whether it was written `{…}` or `[…]`, and stays so where no comment is in the way.
    pub in_flow: bool,
    /// The value.
    pub body: Body,
}

/// What a [`Fragment`] holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    /// One line that is valid in block and in flow style as it is: a scalar or a vector.
    Line(String),
    /// A list.
    Seq(Vec<Fragment>),
    /// Keys as spelled, with their values.
    Map(Vec<(String, Fragment)>),
}

impl Default for Body {
    fn default() -> Self {
        Body::Line("null".to_owned())
    }
}

/// How block text is laid out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    /// Columns from a key to the dashes of its list.
    pub list_offset: usize,
    /// Columns from a dash to its item.
    pub dash_gap: usize,
    pub line_break: &'static str,
}

impl Fragment {
    /// A scalar or vector, spelled.
    pub fn line(text: impl Into<String>) -> Fragment {
        Body::Line(text.into()).into()
    }

    /// A list.
    pub fn seq(items: Vec<Fragment>) -> Fragment {
        Body::Seq(items).into()
    }

    /// A mapping; keys must be spelled as they are to be written.
    pub fn map<K: Into<String>>(entries: impl IntoIterator<Item = (K, Fragment)>) -> Fragment {
        Body::Map(entries.into_iter().map(|(k, v)| (k.into(), v)).collect()).into()
    }

    /// What a node of a text holds, known or not, aliases expanded and anchors dropped; with its
    /// comments and those inside it, or without any.
    pub fn of(source: &Source, node: NodeId, with_comments: bool) -> Fragment {
        if source.is_cut(node) {
            return Fragment::of_cut(source, node);
        }
        let mut fragment = Fragment {
            body: body_of(source, node, with_comments),
            in_flow: is_flow_line(source, node),
            ..Default::default()
        };
        if !with_comments {
            fragment.drop_comments();
        }
        fragment
    }

    /// A long list of which the tree has only the first items.
    fn of_cut(source: &Source, node: NodeId) -> Fragment {
        let raw = source.raw(node);
        let whole = match source.syntax() {
            Syntax::Json => Source::parse_json(raw.to_owned()).ok(),
            Syntax::Yaml => None,
        };
        match whole {
            Some(whole) => Fragment::of(&whole, whole.root(), false),
            // Words and commas on one line.
            None => Fragment { in_flow: true, ..Fragment::line(raw.to_owned()) },
        }
    }

    /// An item of a list: as [`Fragment::of`], and with its own comments above and beside it.
    pub fn element(source: &Source, node: NodeId, with_comments: bool) -> Fragment {
        let mut fragment = Fragment::of(source, node, with_comments);
        let Some(list) = source.parent(node).filter(|_| with_comments) else { return fragment };
        let start = source.full_span(node).start;
        let texts = |range: std::ops::Range<usize>| {
            source.comments_in(range).map(|c| source.text()[c].to_owned()).collect::<Vec<_>>()
        };
        if let Some(chunk) =
            source.chunks(list).and_then(|c| c.into_iter().find(|c| c.node == node))
        {
            fragment.above = texts(chunk.start..start);
            if source.kind(node).is_flow() || source.kind(node).is_scalar() {
                fragment.beside = texts(source.span(node).end..chunk.end).pop();
            }
        } else if let Some(parts) = source.flow_parts(list)
            && let Some(part) = parts.iter().find(|p| p.node == node)
        {
            fragment.above = texts(part.start..start);
            fragment.above.extend(texts(part.body_end..part.comma.unwrap_or(part.body_end)));
            fragment.beside = texts(part.beside.clone()).pop();
        }
        fragment
    }

    /// Sets the value of a key, or appends it, or (with `None`) removes it. Nothing happens to
    /// anything but a mapping.
    pub fn set(&mut self, key: &str, value: Option<Fragment>) {
        let Body::Map(entries) = &mut self.body else { return };
        let at = entries.iter().position(|(k, _)| unquoted(k) == key);
        match (at, value) {
            (Some(at), Some(mut value)) => {
                value.above = std::mem::take(&mut entries[at].1.above);
                value.beside = entries[at].1.beside.take();
                entries[at].1 = value;
            }
            (Some(at), None) => {
                entries.remove(at);
            }
            (None, Some(value)) => entries.push((key.to_owned(), value)),
            (None, None) => {}
        }
    }

    /// With keys in double quotes, and strings too: for mappings that are written as JSON is.
    pub(super) fn quoted(&self) -> Fragment {
        let body = match &self.body {
            Body::Line(text) if is_plain_string(text) => Body::Line(double_quoted(text)),
            Body::Line(text) => Body::Line(text.clone()),
            Body::Seq(items) => Body::Seq(items.iter().map(Fragment::quoted).collect()),
            Body::Map(entries) => {
                let quoted = |(key, value): &(String, Fragment)| (quoted_key(key), value.quoted());
                Body::Map(entries.iter().map(quoted).collect())
            }
        };
        Fragment { body, ..self.clone() }
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Fragment> {
        let Body::Map(entries) = &self.body else { return None };
        entries.iter().find(|(k, _)| unquoted(k) == key).map(|(_, v)| v)
    }

    /// Whether it carries a comment anywhere.
    pub fn has_comments(&self) -> bool {
        !self.above.is_empty()
            || self.beside.is_some()
            || match &self.body {
                Body::Line(_) => false,
                Body::Seq(items) => items.iter().any(Fragment::has_comments),
                Body::Map(entries) => entries.iter().any(|(_, v)| v.has_comments()),
            }
    }

    fn drop_comments(&mut self) {
        self.above.clear();
        self.beside = None;
        match &mut self.body {
            Body::Line(_) => {}
            Body::Seq(items) => items.iter_mut().for_each(Fragment::drop_comments),
            Body::Map(entries) => entries.iter_mut().for_each(|(_, v)| v.drop_comments()),
        }
    }

    /// As an entry at the top of a new file, in the shape of the format's examples.
    pub fn new_entry(&self, key: &str) -> String {
        let style = Style { list_offset: 2, dash_gap: 2, line_break: "\n" };
        let mut out = String::new();
        self.block_entry(key, 0, &style, &mut out);
        out
    }

    /// On one line, without comments.
    pub fn flow(&self) -> String {
        let mut out = String::new();
        self.write_flow(&mut out);
        out
    }

    fn write_flow(&self, out: &mut String) {
        match &self.body {
            Body::Line(text) => out.push_str(text),
            Body::Seq(items) => {
                out.push('[');
                for (i, item) in items.iter().enumerate() {
                    out.push_str(if i > 0 { ", " } else { "" });
                    item.write_flow(out);
                }
                out.push(']');
            }
            Body::Map(entries) => {
                out.push('{');
                for (i, (key, value)) in entries.iter().enumerate() {
                    out.push_str(if i > 0 { ", " } else { "" });
                    let _ = write!(out, "{key}: ");
                    value.write_flow(out);
                }
                out.push('}');
            }
        }
    }

    /// As an item of a block list whose dashes stand at `indent`; each line with its break.
    pub(super) fn block_item(&self, indent: usize, style: &Style, out: &mut String) {
        if let (Some(comment), Body::Map(_) | Body::Seq(_)) = (&self.beside, &self.body) {
            // A comment beside something of many lines: on one line, or above it.
            let mut item = Fragment { beside: None, ..self.clone() };
            let above = std::mem::take(&mut item.above);
            let item = if item.has_comments() {
                let above = above.into_iter().chain([comment.clone()]).collect();
                Fragment { above, ..item }
            } else {
                let beside = Some(comment.clone());
                Fragment { above, beside, body: Body::Line(item.flow()), in_flow: true }
            };
            return item.block_item(indent, style, out);
        }
        self.comments_above(indent, style, out);
        let _ = write!(out, "{:indent$}-{:gap$}", "", "", gap = style.dash_gap - 1);
        self.block_value(indent + style.dash_gap, indent, true, style, out);
    }

    /// As an entry of a block mapping at `indent`; each line with its break.
    pub(super) fn block_entry(&self, key: &str, indent: usize, style: &Style, out: &mut String) {
        self.comments_above(indent, style, out);
        let _ = write!(out, "{:indent$}{key}:", "");
        if self.as_line().is_some() {
            out.push(' ');
        }
        self.block_value(indent + 2, indent, false, style, out);
    }

    /// What stands on one line in block style, too.
    fn as_line(&self) -> Option<Cow<'_, str>> {
        let line = |empty: bool, comments: bool| {
            (empty || self.in_flow && !comments).then(|| Cow::Owned(self.flow()))
        };
        match &self.body {
            Body::Line(text) => Some(Cow::Borrowed(text)),
            Body::Seq(items) => line(items.is_empty(), items.iter().any(Fragment::has_comments)),
            Body::Map(entries) => {
                line(entries.is_empty(), entries.iter().any(|(_, v)| v.has_comments()))
            }
        }
    }

    fn comments_above(&self, indent: usize, style: &Style, out: &mut String) {
        for comment in &self.above {
            let _ = write!(out, "{:indent$}{comment}{}", "", style.line_break);
        }
    }

    /// Behind `- ` or `key:`; `outer` is the column of the dash or key.
    fn block_value(
        &self,
        indent: usize,
        outer: usize,
        behind_dash: bool,
        style: &Style,
        out: &mut String,
    ) {
        let line_end = |out: &mut String| {
            if let Some(comment) = &self.beside {
                let _ = write!(out, "  {comment}");
            }
            out.push_str(style.line_break);
        };
        if let Some(text) = self.as_line() {
            out.push_str(&text);
            return line_end(out);
        }
        match &self.body {
            Body::Line(_) => {}
            // A list in a list begins on a line of its own: rare, and easier to read.
            Body::Seq(items) => {
                trim_spaces(out);
                line_end(out);
                let dashes = if behind_dash { indent } else { outer + style.list_offset };
                for item in items {
                    item.block_item(dashes, style, out);
                }
            }
            Body::Map(entries) => {
                let mut rest = entries.iter();
                if behind_dash
                    && self.beside.is_none()
                    && let Some((key, value)) = entries.first().filter(|(_, v)| v.above.is_empty())
                {
                    // The first entry stands on the dash's line.
                    let mut first = String::new();
                    value.block_entry(key, indent, style, &mut first);
                    out.push_str(first.trim_start_matches(' '));
                    rest.next();
                } else {
                    trim_spaces(out);
                    line_end(out);
                }
                for (key, value) in rest {
                    value.block_entry(key, indent, style, out);
                }
            }
        }
    }
}

fn trim_spaces(out: &mut String) {
    out.truncate(out.trim_end_matches(' ').len());
}

impl From<Body> for Fragment {
    fn from(body: Body) -> Self {
        Fragment { body, ..Default::default() }
    }
}

fn unquoted(key: &str) -> &str {
    let quoted = key.len() >= 2 && (key.starts_with('"') || key.starts_with('\''));
    if quoted { &key[1..key.len() - 1] } else { key }
}

/// A spelled key in double quotes; one that is in quotes already stays as it is.
pub(super) fn quoted_key(key: &str) -> String {
    let is_quoted = key.starts_with(['"', '\'', '[', '{', '!']);
    if is_quoted { key.to_owned() } else { double_quoted(key) }
}

/// Whether a value is written in flow style; in JSON, where all are, on one line.
fn is_flow_line(source: &Source, node: NodeId) -> bool {
    let node = source.resolve(node);
    source.kind(node).is_flow() && (!source.is_json() || source.one_line(source.span(node)))
}

fn body_of(source: &Source, node: NodeId, with_comments: bool) -> Body {
    let node = source.resolve(node);
    let kind = source.kind(node);
    let span = source.span(node);
    let comment = |range: std::ops::Range<usize>| source.text()[range].to_owned();
    if kind.is_scalar() || kind == Kind::Alias {
        return Body::Line(scalar_line(source, node));
    }
    let tag = tag_text(source, node);
    let simple = kind == Kind::FlowSeq
        && source.items(node).all(|i| {
            matches!(source.kind(i), Kind::Plain | Kind::DoubleQuoted | Kind::SingleQuoted)
                && !source.anchors.contains_key(&i.0)
        })
        && source.one_line(span.clone());
    if simple {
        return Body::Line(format!("{tag}{}", &source.text()[span]));
    }
    // Comments before a child go above it; those behind it on its line go beside it.
    let mut seen = span.start;
    let mut child = |key_start: usize, value: NodeId| {
        let mut fragment = Fragment {
            body: body_of(source, value, with_comments),
            in_flow: is_flow_line(source, value),
            ..Default::default()
        };
        if !with_comments {
            return fragment;
        }
        fragment.above.extend(source.comments_in(seen..key_start.max(seen)).map(comment));
        let end = source.span(value).end;
        seen = seen.max(end);
        let is_block = matches!(source.kind(value), Kind::BlockMap | Kind::BlockSeq);
        if !is_block && source.kind(value) != Kind::Block {
            let line = end..source.line_end(end);
            if let Some(beside) = source.comment_in(line.clone()) {
                let between = &source.text()[end..beside.start];
                if between.trim().trim_start_matches(',').trim().is_empty() {
                    seen = beside.end;
                    fragment.beside = Some(comment(beside));
                }
            }
        }
        fragment
    };
    let mut body = if kind.is_map() {
        let entries = source.entries(node).map(|(key, value)| {
            let start = source.full_span(key).start;
            (key_line(source, key), child(start, value))
        });
        Body::Map(entries.collect())
    } else {
        let items = source.items(node).map(|item| child(source.full_span(item).start, item));
        Body::Seq(items.collect())
    };
    if with_comments && kind.is_flow() {
        let rest: Vec<String> = source.comments_in(seen..span.end).map(comment).collect();
        let last = match &mut body {
            Body::Seq(items) => items.last_mut(),
            Body::Map(entries) => entries.last_mut().map(|(_, v)| v),
            Body::Line(_) => None,
        };
        if let Some(last) = last {
            last.above.extend(rest);
        }
    }
    if !tag.is_empty() {
        // A tagged collection keeps its tag only in flow style.
        return Body::Line(format!("{tag}{}", Fragment::from(body).flow()));
    }
    body
}

fn tag_text(source: &Source, node: NodeId) -> String {
    match source.tag(node) {
        Some(Tag::Core(suffix)) => format!("!!{suffix} "),
        Some(Tag::Other(text)) => format!("{text} "),
        None => String::new(),
    }
}

/// A scalar on one line, spelled as in its text where that is possible.
fn scalar_line(source: &Source, node: NodeId) -> String {
    let raw = source.raw(node);
    let one_line = !raw.contains(['\n', '\r']);
    let keep = match source.kind(node) {
        Kind::Empty => return format!("{}null", tag_text(source, node)),
        Kind::Plain => one_line && !raw.contains([',', '[', ']', '{', '}']),
        Kind::SingleQuoted | Kind::DoubleQuoted => one_line,
        _ => false,
    };
    let value = source.scalar(node).unwrap_or_default();
    let text = if keep { raw.to_owned() } else { double_quoted(&value) };
    tag_text(source, node) + &text
}

fn key_line(source: &Source, key: NodeId) -> String {
    let resolved = source.resolve(key);
    if source.kind(resolved).is_scalar() {
        scalar_line(source, resolved)
    } else {
        Fragment::of(source, resolved, false).flow()
    }
}

/// A string in double quotes, valid as YAML and as JSON.
pub fn double_quoted(value: &str) -> String {
    let mut out = String::with_capacity(value.len() + 2);
    out.push('"');
    for c in value.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            // What YAML does not print, and what editors mistake for line breaks.
            c if c.is_control()
                || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}') =>
            {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A string in the plainest YAML spelling that reads back as this very string, in block and in
/// flow style.
pub fn yaml_string(value: &str) -> String {
    if is_plain_string(value) { value.to_owned() } else { double_quoted(value) }
}

/// Whether a string may stand unquoted and is no number, boolean or null of any YAML version.
fn is_plain_string(value: &str) -> bool {
    let mut chars = value.chars();
    let Some(first) = chars.next() else { return false };
    if !(first.is_alphabetic() || first == '_' || (first == '/' || first == '.') && value.len() > 3)
    {
        return false;
    }
    if value.ends_with(' ') {
        return false;
    }
    let plain =
        |c: char| c.is_alphanumeric() || matches!(c, ' ' | '_' | '-' | '.' | '/' | '+' | '(' | ')');
    if !value.chars().all(plain) {
        return false;
    }
    let word = value.to_ascii_lowercase();
    let special = ["null", "true", "false", "yes", "no", "on", "off", "y", "n", ".inf", ".nan"];
    !special.contains(&word.as_str())
}

/// A number in the shortest spelling that reads back to the same f64: no exponent, no minus zero
/// (M31).
pub fn number(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    // Rust's Display of floats is the shortest that reads back, without an exponent.
    format!("{value}")
}

/// A one-line list of numbers: `[0, 1.5, 2]`.
pub fn vector(values: &[f64]) -> String {
    let parts: Vec<String> = values.iter().map(|v| number(*v)).collect();
    format!("[{}]", parts.join(", "))
}
