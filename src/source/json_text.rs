//! Fragments as JSON text, in the style of the text around them.

use super::fragment::{Body, Fragment, double_quoted};
use super::layout::FlowPart;
use super::tree::{Kind, NodeId, Source};
use std::borrow::Cow;

/// How a JSON text is laid out around a place.
#[derive(Clone, Debug)]
struct JsonStyle {
    /// Between an item and the next on one line.
    comma: &'static str,
    /// Between a key and its value.
    colon: String,
    /// Where objects stand on many lines.
    lines: Option<Lines>,
}

#[derive(Clone, Debug)]
struct Lines {
    line_break: &'static str,
    /// The indentation of the line on which the value begins.
    indent: String,
    /// One level more.
    step: String,
}

impl JsonStyle {
    /// Two spaces a level: a new file.
    fn new_file() -> Self {
        JsonStyle {
            comma: ", ",
            colon: ": ".to_owned(),
            lines: Some(Lines { line_break: "\n", indent: String::new(), step: "  ".to_owned() }),
        }
    }

    fn inner(&self) -> JsonStyle {
        let lines = self.lines.as_ref().map(|lines| Lines {
            indent: format!("{}{}", lines.indent, lines.step),
            ..lines.clone()
        });
        JsonStyle { lines, ..self.clone() }
    }

    fn one_line(&self) -> JsonStyle {
        JsonStyle { lines: None, ..self.clone() }
    }
}

impl Fragment {
    /// A whole new JSON file: two spaces a level, lists of scalars on one line (A60).
    pub fn json_file(&self) -> String {
        let mut out = String::new();
        self.write_json(&JsonStyle::new_file(), &mut out);
        out.push('\n');
        out
    }

    fn json(&self, style: &JsonStyle) -> String {
        let mut out = String::new();
        self.write_json(style, &mut out);
        out
    }

    /// Recursive as deep as the fragment, which nests at most as deep as a text may.
    fn write_json(&self, style: &JsonStyle, out: &mut String) {
        let lines = style.lines.as_ref().filter(|_| !self.in_flow);
        match &self.body {
            Body::Line(text) if style.comma == "," => out.push_str(&tight(text)),
            Body::Line(text) => out.push_str(text),
            Body::Seq(items) => {
                let is_simple = items.iter().all(|item| matches!(item.body, Body::Line(_)));
                let lines = lines.filter(|_| !is_simple);
                let inner = if lines.is_some() { style.inner() } else { style.one_line() };
                wrap(out, ['[', ']'], style.comma, lines, items.iter(), |item, out| {
                    item.write_json(&inner, out);
                });
            }
            Body::Map(entries) => {
                let lines = lines.filter(|_| !entries.is_empty());
                let inner = if lines.is_some() { style.inner() } else { style.one_line() };
                wrap(out, ['{', '}'], style.comma, lines, entries.iter(), |(key, value), out| {
                    out.push_str(&json_key(key));
                    out.push_str(&style.colon);
                    value.write_json(&inner, out);
                });
            }
        }
    }
}

/// A value without white space, but for one with strings in it.
pub(super) fn tight(text: &str) -> Cow<'_, str> {
    match text.contains('"') || !text.contains(char::is_whitespace) {
        true => Cow::Borrowed(text),
        false => Cow::Owned(text.split_whitespace().collect()),
    }
}

/// A key as it must be spelled in JSON.
fn json_key(key: &str) -> String {
    match key.len() > 1 && key.starts_with('"') && key.ends_with('"') {
        true => key.to_owned(),
        false => double_quoted(key),
    }
}

fn wrap<T>(
    out: &mut String,
    [open, close]: [char; 2],
    comma: &str,
    lines: Option<&Lines>,
    items: impl Iterator<Item = T>,
    mut put: impl FnMut(T, &mut String),
) {
    out.push(open);
    let mut any = false;
    for item in items {
        if any {
            out.push_str(if lines.is_some() { "," } else { comma });
        }
        any = true;
        if let Some(Lines { line_break, indent, step }) = lines {
            out.push_str(line_break);
            out.push_str(indent);
            out.push_str(step);
        }
        put(item, out);
    }
    if let Some(Lines { line_break, indent, .. }) = lines.filter(|_| any) {
        out.push_str(line_break);
        out.push_str(indent);
    }
    out.push(close);
}

impl Source {
    /// Whether this is a JSON text without white space.
    pub(super) fn is_tight(&self) -> bool {
        self.is_json() && self.json_colon(self.root()).is_some_and(|colon| colon == ":")
    }

    /// What stands between the keys and values of an object, such as `: `.
    fn json_colon(&self, map: NodeId) -> Option<String> {
        let (key, value) = self.entries(map).next()?;
        let gap = &self.text[self.span(key).end..self.span(value).start];
        (!gap.contains(['\n', '\r'])).then(|| gap.to_owned())
    }

    /// The style of a list or object: that of its first element, or else of the text.
    fn json_style(&self, container: NodeId, parts: &[FlowPart]) -> JsonStyle {
        let root = self.root();
        let model = parts.first().map(|part| part.node).filter(|node| {
            matches!(self.kind(*node), Kind::FlowMap) && self.entries(*node).next().is_some()
        });
        let colon = model
            .and_then(|model| self.json_colon(model))
            .or_else(|| self.json_colon(container))
            .or_else(|| self.json_colon(root))
            .unwrap_or_else(|| ": ".to_owned());
        let comma = if colon.ends_with(':') { "," } else { ", " };
        // In one line unless the elements around, or else the text's top, stand on many.
        let sample = match model {
            Some(model) => model,
            None if parts.is_empty() => root,
            None => return JsonStyle { comma, colon, lines: None },
        };
        let Some((first, _)) = self.entries(sample).next() else {
            return JsonStyle { comma, colon, lines: None };
        };
        let gap = self.span(sample).start + 1..self.span(first).start;
        if self.one_line(gap) {
            return JsonStyle { comma, colon, lines: None };
        }
        let outer = self.indent_at(self.span(sample).start);
        let inner = self.indent_at(self.span(first).start);
        let step = inner.strip_prefix(outer).filter(|s| !s.is_empty()).unwrap_or("  ").to_owned();
        let indent = self.indent_at(self.span(container).start).to_owned();
        let lines = Lines { line_break: self.line_break(), indent, step };
        JsonStyle { comma, colon, lines: Some(lines) }
    }

    /// A new entry of an object, on one line.
    pub(super) fn json_entry(&self, map: NodeId, key: &str, value: &Fragment) -> String {
        let style = self.json_style(map, &[]).one_line();
        let colon = self.json_colon(map).unwrap_or_else(|| style.colon.clone());
        format!("{}{colon}{}", json_key(key), value.json(&style))
    }

    /// A new element of a list, to stand where its others do.
    pub(super) fn json_item(
        &self,
        list: NodeId,
        parts: &[FlowPart],
        fragment: &Fragment,
    ) -> String {
        let mut style = self.json_style(list, parts);
        if let (Some(lines), Some(first)) = (&mut style.lines, parts.first()) {
            lines.indent = self.indent_at(self.span(first.node).start).to_owned();
        }
        fragment.json(&style)
    }

    /// A list that was empty, with these elements.
    pub(super) fn json_list(&self, list: NodeId, items: Vec<Fragment>) -> String {
        Fragment::seq(items).json(&self.json_style(list, &[]))
    }
}
