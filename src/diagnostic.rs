//! What is wrong with a file, where, and how to mend it.

use std::ops::Range;
use std::path::PathBuf;

/// How bad a [`Problem`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Strict loading stops here.
    Error,
    /// It loads, but somebody will be surprised.
    Warning,
    /// Worth knowing.
    Info,
}

impl Severity {
    /// The word that reports use.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "info",
        }
    }
}

/// A place in a text as editors count: lines and characters from 1. A byte-order mark is not a
/// character.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Character in the line, from 1.
    pub column: u32,
}

/// One replacement of bytes of the text that was checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextEdit {
    /// The bytes to replace.
    pub span: Range<usize>,
    /// What takes their place.
    pub text: String,
}

/// The one right repair of a problem. Problems with two answers have none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What a button would say: "Sort the keys".
    pub title: String,
    /// Replacements in the order of their places; they do not overlap.
    pub edits: Vec<TextEdit>,
}

/// What in a take or a skeleton a [`Problem`] is about, for whoever wants to go there.
#[derive(Clone, Debug, PartialEq)]
pub struct Subject {
    /// The peg's or bone's place in its list.
    pub index: usize,
    /// Its name.
    pub peg: String,
    /// The frame of the key, where it is about one.
    pub frame: Option<f64>,
}

/// Something a person should know about a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// How bad it is.
    pub severity: Severity,
    /// A stable word for programs; `docs/problems.md` lists them all.
    pub code: &'static str,
    /// The sentence for people; where the format's own table has one, that one to the letter.
    pub message: String,
    /// Which value, such as `tracks[0].keys[3].time`; empty for the whole file.
    pub path: String,
    /// Where it stands, where that is known.
    pub position: Option<Position>,
    /// The bytes of the offending value, where they are known.
    pub span: Option<Range<usize>>,
    /// The file, where it is another one than the file that was checked.
    pub file: Option<PathBuf>,
    /// The repair, where there is exactly one right one.
    pub fix: Option<Fix>,
    /// The peg or bone and the frame, where it is about one.
    pub subject: Option<Box<Subject>>,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.position {
            Some(at) => write!(f, "{}:{}: {}", at.line, at.column, self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for Problem {}

/// `1 key`, `12 keys`: for words whose plural has an s.
pub fn counted(number: usize, one: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{number} {one}s") }
}
