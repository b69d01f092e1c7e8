//! Random documents in many styles, for the properties of reading and writing.
#![allow(dead_code)] // Each test file uses its own part.

pub mod takes;

use std::fmt::Write;

/// A small deterministic generator: a seed says everything about a case.
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Rng {
        Rng(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }

    pub fn number(&mut self) -> f64 {
        (self.below(20_001) as f64 - 10_000.0) / 1000.0
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

/// How a document is written.
pub struct Style {
    pub eol: &'static str,
    pub offset: usize,
    pub gap: usize,
    pub flow_keys: usize,
    pub flow_items: usize,
    pub comments: usize,
    pub unknown: usize,
    pub quotes: usize,
    pub anchors: bool,
}

impl Style {
    pub fn random(rng: &mut Rng) -> Style {
        Style {
            eol: if rng.chance(25) { "\r\n" } else { "\n" },
            offset: *rng.pick(&[0, 2, 2, 2, 4, 3]),
            gap: *rng.pick(&[2, 2, 2, 4]),
            flow_keys: *rng.pick(&[0, 0, 30, 100]),
            flow_items: *rng.pick(&[0, 0, 30, 100]),
            comments: *rng.pick(&[0, 10, 40]),
            unknown: *rng.pick(&[0, 15, 40]),
            quotes: *rng.pick(&[0, 0, 30]),
            anchors: rng.chance(30),
        }
    }
}

pub struct Writer<'r> {
    pub rng: &'r mut Rng,
    pub style: Style,
    pub out: String,
    comments: usize,
    anchors: usize,
}

impl<'r> Writer<'r> {
    pub fn new(rng: &'r mut Rng) -> Writer<'r> {
        let style = Style::random(rng);
        Writer { rng, style, out: String::new(), comments: 0, anchors: 0 }
    }

    fn eol(&mut self) {
        let beside = self.rng.chance(self.style.comments / 2);
        if beside {
            let _ = write!(self.out, " # beside {}", self.comments);
            self.comments += 1;
        }
        self.out.push_str(self.style.eol);
    }

    fn comment_lines(&mut self, indent: usize, may_be_apart: bool) {
        if self.rng.chance(self.style.comments) {
            if self.rng.chance(20) {
                self.out.push_str(self.style.eol);
            }
            for _ in 0..=self.rng.below(2) {
                let _ = write!(self.out, "{:indent$}# above {}", "", self.comments);
                self.comments += 1;
                self.out.push_str(self.style.eol);
            }
            if may_be_apart && self.rng.chance(30) {
                self.out.push_str(self.style.eol);
            }
        }
    }

    fn key(&mut self, key: &str) -> String {
        match self.rng.chance(self.style.quotes) {
            true if self.rng.chance(50) => format!("\"{key}\""),
            true => format!("'{key}'"),
            false => key.to_owned(),
        }
    }

    fn text(&mut self, text: &str) -> String {
        self.key(text)
    }

    pub fn number(&mut self, value: f64) -> String {
        match self.rng.below(6) {
            0 => format!("{value:.3}"),
            1 if value >= 0.0 => format!("+{value}"),
            2 => format!("{value:e}"),
            _ => format!("{value}"),
        }
    }

    fn vector(&mut self, values: &[f64]) -> String {
        let comma = *self.rng.pick(&[", ", ",", " , "]);
        let numbers: Vec<String> = values.iter().map(|v| self.number(*v)).collect();
        match self.rng.below(4) {
            0 => format!("[ {} ]", numbers.join(comma)),
            _ => format!("[{}]", numbers.join(comma)),
        }
    }

    /// An unknown field's value: anything that YAML has, on one line or several.
    fn unknown_value(&mut self, indent: usize) -> String {
        let n = self.rng.below(1000);
        let eol = self.style.eol;
        if self.style.anchors && self.rng.chance(40) {
            // Spelled when it is written, so that an alias always stands behind its anchor.
            let bodies = ["@{x: 1, y: [2]}", "@plain text", "@[1, two, 'three']", "@"];
            return (*self.rng.pick(&bodies)).to_owned();
        }
        match self.rng.below(9) {
            0 => format!("{n}"),
            1 => format!("\"text {n}: \\u00e9\""),
            2 => format!("{{a: {n}, b: [1, 2]}}"),
            3 => "null".to_owned(),
            4 => format!("{eol}{:indent$}- item {n}{eol}{:indent$}- {{}}", "", ""),
            5 => {
                format!("|{eol}{:i$}line {n}{eol}{:i$}  more # no comment", "", "", i = indent + 2)
            }
            6 => format!("plain {n}{eol}{:i$}over two lines", "", i = indent + 2),
            7 => format!("{eol}{:i$}deep:{eol}{:i$}  x: {n}", "", "", i = indent + 2),
            _ => format!("'it''s {n}'"),
        }
    }

    /// Turns `@body` into an anchor and a lone `@` into an alias.
    fn spell(&mut self, text: String) -> String {
        match text.strip_prefix('@') {
            None => text,
            Some("") if self.anchors == 0 => "0".to_owned(),
            Some("") => format!("*a{}", self.rng.below(self.anchors)),
            Some(body) => {
                self.anchors += 1;
                format!("&a{} {body}", self.anchors - 1)
            }
        }
    }

    fn flow_unknown(&mut self) -> String {
        let n = self.rng.below(1000);
        match self.rng.below(4) {
            0 => format!("{n}"),
            1 => format!("\"a, b {n}\""),
            2 => format!("[{n}, {{x: y}}]"),
            _ => format!("word{n}"),
        }
    }

    /// Entries of a block mapping; values are given spelled, or as a nested list to write.
    fn block_map(&mut self, indent: usize, behind_dash: bool, entries: Vec<(String, Value)>) {
        let mut first = behind_dash;
        for (key, value) in entries {
            if !first {
                self.comment_lines(indent, false);
                let _ = write!(self.out, "{:indent$}", "");
            }
            first = false;
            let key = self.key(&key);
            let _ = write!(self.out, "{key}:");
            match value {
                Value::Line(text) => {
                    let text = self.spell(text);
                    if !text.starts_with(['\n', '\r']) {
                        self.out.push(' ');
                    }
                    self.out.push_str(&text);
                    let block = text.starts_with('|') || text.contains("over two");
                    if block { self.out.push_str(self.style.eol) } else { self.eol() }
                }
                Value::List(items) => self.list(indent, items),
            }
        }
    }

    fn list(&mut self, outer: usize, items: Vec<Vec<(String, Value)>>) {
        let flow = items.iter().all(|i| {
            i.iter()
                .all(|(_, v)| matches!(v, Value::Line(t) if !t.contains(['\n', '\r', '|', '@'])))
        }) && self.rng.chance(self.style.flow_keys);
        if flow {
            let lines = self.rng.chance(30);
            self.out.push_str(" [");
            let count = items.len();
            for (i, item) in items.into_iter().enumerate() {
                if lines {
                    let indent = outer + 4;
                    self.out.push_str(self.style.eol);
                    self.comment_lines(indent, true);
                    let _ = write!(self.out, "{:indent$}", "");
                }
                let text = self.flow_map(item);
                self.out.push_str(&text);
                let comma = i + 1 < count || self.rng.chance(10);
                self.out.push_str(match (comma, lines) {
                    (true, true) => ",",
                    (true, false) => ", ",
                    _ => "",
                });
                if lines && comma && self.rng.chance(self.style.comments / 2) {
                    let _ = write!(self.out, " # beside {}", self.comments);
                    self.comments += 1;
                }
            }
            if lines {
                let _ = write!(self.out, "{}{:i$}", self.style.eol, "", i = outer + 2);
            }
            self.out.push(']');
            self.eol();
            return;
        }
        self.eol();
        let indent = outer + self.style.offset;
        for item in items {
            self.comment_lines(indent, true);
            let flow = item
                .iter()
                .all(|(_, v)| matches!(v, Value::Line(t) if !t.contains(['\n', '\r', '|', '@'])))
                && self.rng.chance(self.style.flow_items);
            let _ = write!(self.out, "{:indent$}-{:g$}", "", "", g = self.style.gap - 1);
            if flow {
                let text = self.flow_map(item);
                self.out.push_str(&text);
                self.eol();
            } else {
                self.block_map(indent + self.style.gap, true, item);
            }
            if self.rng.chance(10) {
                self.out.push_str(self.style.eol);
            }
        }
    }

    fn flow_map(&mut self, entries: Vec<(String, Value)>) -> String {
        let entries: Vec<String> = entries
            .into_iter()
            .map(|(key, value)| {
                let Value::Line(text) = value else { unreachable!("lists are not flow here") };
                format!("{}: {text}", self.key(&key))
            })
            .collect();
        format!("{{{}}}", entries.join(", "))
    }

    fn with_unknown(&mut self, indent: usize, entries: &mut Vec<(String, Value)>, flow_only: bool) {
        for i in 0..2 {
            if self.rng.chance(self.style.unknown) {
                let value =
                    if flow_only { self.flow_unknown() } else { self.unknown_value(indent) };
                let at = self.rng.below(entries.len() + 1);
                // Names that no field has.
                entries.insert(at, (format!("x_{i}"), Value::Line(value)));
            }
        }
    }

    fn finish(self) -> String {
        let mut out = self.out;
        // A block scalar that ends with the file has no line break in its value, and gains one
        // when its element moves: not tested.
        let block_ends = out.trim_end().ends_with("# no comment");
        if self.rng.chance(15) && !block_ends {
            out.truncate(out.trim_end_matches(['\n', '\r']).len());
        }
        if self.rng.chance(10) {
            out.insert(0, '\u{feff}');
        }
        out
    }
}

pub enum Value {
    Line(String),
    List(Vec<Vec<(String, Value)>>),
}

fn line(text: impl Into<String>) -> Value {
    Value::Line(text.into())
}

/// A valid rig clip of a few tracks.
pub fn clip_text(rng: &mut Rng) -> String {
    let mut w = Writer::new(rng);
    let tracks = 1 + w.rng.below(4);
    let column = w.style.offset + w.style.gap;
    let mut list = Vec::new();
    for t in 0..tracks {
        let keys = 1 + w.rng.below(5);
        let mut items = Vec::new();
        for k in 0..keys {
            let time = w.number(k as f64 + 0.25);
            let values = [w.rng.number().abs() + 0.1, w.rng.number().abs() + 0.1, 1.0];
            let mut entries = vec![
                ("time".to_owned(), line(time)),
                ("value".to_owned(), line(w.vector(&values))),
            ];
            let flow_only = w.style.flow_keys > 0 || w.style.flow_items > 0;
            w.with_unknown(column + w.style.offset + w.style.gap, &mut entries, flow_only);
            items.push(entries);
        }
        let property = ["position", "rotation", "scale"][t % 3];
        let part = w.text(&format!("part{}", t / 3));
        let word = *w.rng.pick(&["step", "linear", "smooth", "bezier"]);
        let mut entries = vec![
            ("part".to_owned(), line(part)),
            ("property".to_owned(), line(property)),
            ("interpolation".to_owned(), line(word)),
        ];
        if w.rng.chance(40) {
            entries.push(("curve".to_owned(), line(w.vector(&[0.1, 0.2, 0.3, 1.0]))));
        }
        w.with_unknown(column, &mut entries, false);
        let at = if w.rng.chance(80) { entries.len() } else { w.rng.below(entries.len()) };
        entries.insert(at, ("keys".to_owned(), Value::List(items)));
        list.push(entries);
    }
    let mut top = vec![
        ("binding".to_owned(), line("data/a.rig")),
        ("model".to_owned(), line("Rig")),
        ("duration".to_owned(), line("10")),
        ("loop".to_owned(), line("true")),
    ];
    w.with_unknown(0, &mut top, false);
    let at = if w.rng.chance(80) { top.len() } else { w.rng.below(top.len()) };
    top.insert(at, ("tracks".to_owned(), Value::List(list)));
    if w.rng.chance(10) {
        w.out.push_str("--- # start");
        w.out.push_str(w.style.eol);
    }
    w.block_map(0, false, top);
    w.finish()
}

/// A valid rig of a few nodes.
pub fn rig_text(rng: &mut Rng) -> String {
    let mut w = Writer::new(rng);
    let nodes = 1 + w.rng.below(6);
    let column = w.style.offset + w.style.gap;
    let mut list = Vec::new();
    for n in 0..nodes {
        let id = w.text(&format!("node{n}"));
        let mut entries = vec![("id".to_owned(), line(id)), ("kind".to_owned(), line("joint"))];
        if n > 0 && w.rng.chance(70) {
            let parent = format!("node{}", w.rng.below(n));
            entries.push(("parent".to_owned(), line(parent)));
        }
        if w.rng.chance(30) {
            entries.push(("name".to_owned(), line(format!("\"Node {n}\""))));
        }
        for key in ["position", "rotation", "scale"] {
            if w.rng.chance(50) {
                let values = [w.rng.number().abs() + 0.1, 1.0, w.rng.number().abs() + 0.5];
                entries.push((key.to_owned(), line(w.vector(&values))));
            }
        }
        w.with_unknown(column, &mut entries, false);
        w.rng.shuffle(&mut entries);
        list.push(entries);
    }
    let mut top = vec![("name".to_owned(), line("Rig"))];
    w.with_unknown(0, &mut top, false);
    let at = w.rng.below(top.len() + 1);
    top.insert(at, ("nodes".to_owned(), Value::List(list)));
    w.block_map(0, false, top);
    w.finish()
}
