//! Changes of a text by path, for scripts: `tracks[0].keys[3].value` is set, deleted, duplicated
//! or moved, and every other byte stays.
//!
//! This works on the text, not on the model: it serves where no edit of the model does, for unknown
//! fields and for files that do not load. What comes out is for the caller to check.

use super::FileKind;
use super::field;
use crate::source::{
    Fragment, Item, Kind, NodeId, Rewrite, Source, Step, Syntax, SyntaxError, double_quoted,
    number, parse_path, path_text, vector, yaml_string,
};
use std::collections::HashSet;

/// One change of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Sets a value, or adds the field. Text fields take the value as it is, others as YAML.
    Set {
        /// Where.
        path: String,
        /// What.
        value: String,
    },
    /// Takes an element or a field out. A track that loses its last key goes too.
    Delete {
        /// Where.
        path: String,
    },
    /// Copies an element of a list to the place behind it, unknown fields included.
    Duplicate {
        /// Where.
        path: String,
    },
    /// Moves an element within its list.
    Move {
        /// Where.
        path: String,
        /// Its index afterwards.
        index: usize,
    },
    /// Gives a node another id, in its children's `parent` too; in a clip, a part.
    RenameNode {
        /// The id.
        old: String,
        /// The new id.
        new: String,
    },
}

/// Why an operation was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScriptError {
    /// The text is no YAML, before the operation or after it.
    #[error("{0}")]
    Syntax(#[from] SyntaxError),
    /// A path that is none.
    #[error("`{0}` is no path; paths look like tracks[0].keys[3].value")]
    NoPath(String),
    /// Nothing stands there.
    #[error("there is nothing at {0}")]
    Nothing(String),
    /// Only elements of lists can be duplicated and moved.
    #[error("{0} is no element of a list")]
    NoElement(String),
    /// A place behind the list's end.
    #[error("{path} cannot move to {index}: its list has {len} elements")]
    NoPlace {
        /// What was to move.
        path: String,
        /// Where to.
        index: usize,
        /// How long the list is.
        len: usize,
    },
    /// A value that is no one-line YAML.
    #[error("`{0}` is no value on one line")]
    NoValue(String),
    /// A rename of what is not there.
    #[error("there is no node or part called {0}")]
    NoNode(String),
}

/// Fields whose value is text whatever it looks like (M6).
const TEXT_FIELDS: [&str; 9] =
    ["binding", "model", "part", "property", "interpolation", "id", "kind", "name", "parent"];

/// The same of an export.
const EXPORT_TEXT_FIELDS: [&str; 16] = [
    "name",
    "parent",
    "path",
    "rig",
    "peg",
    "interp",
    "source",
    "format",
    "fov_axis",
    "pivot_space",
    "up",
    "hand",
    "unit",
    "rot_order",
    "rot_repr_anim",
    "rot_repr_rest",
];

/// Fields that hold a number or a list of numbers, written as M31 says.
const NUMBER_FIELDS: [&str; 7] =
    ["time", "value", "duration", "curve", "position", "rotation", "scale"];

/// Fields in the order of the format, for where a new one goes.
const ORDER: [&[&str]; 9] = [
    &["format", "version", "binding", "model", "duration", "loop", "tracks"],
    &["part", "property", "interpolation", "curve", "keys"],
    &["time", "value"],
    &["id", "name", "kind", "parent", "model", "position", "rotation", "scale"],
    &["format", "name", "animation_name", "nodes", "entities"],
    &super::export::KEY_FIELDS,
    &super::export::PEG_FIELDS,
    &super::export::BONE_FIELDS,
    &super::export::CAMERA_FIELDS,
];

/// The text after one operation.
///
/// # Errors
/// The operation does not suit the text; or the text is no YAML.
pub fn run(text: &str, kind: FileKind, operation: &Operation) -> Result<String, ScriptError> {
    if let Some(text) = aliases_written_out(text, kind, operation)? {
        return run(&text, kind, operation);
    }
    let source = match kind {
        FileKind::Anm | FileKind::Pvt => Source::parse_json(text.to_owned())?,
        _ => Source::parse_yaml_whole(text.to_owned())?,
    };
    let mut rewrite = Rewrite::new(&source);
    match operation {
        Operation::Set { path, value } => set(&source, &mut rewrite, path, value)?,
        Operation::Delete { path } => delete(&source, &mut rewrite, path)?,
        Operation::Duplicate { path } => {
            let (list, node, at) = element(&source, path)?;
            let mut items: Vec<Item> = source.items(list).map(Item::Keep).collect();
            items.insert(at + 1, Item::New(Fragment::element(&source, node, false)));
            rewrite.arrange(list, &items, &HashSet::new());
        }
        Operation::Move { path, index } => {
            let (list, _, at) = element(&source, path)?;
            let mut items: Vec<Item> = source.items(list).map(Item::Keep).collect();
            let (index, len) = (*index, items.len());
            if index >= len {
                return Err(ScriptError::NoPlace { path: path.clone(), index, len });
            }
            let item = items.remove(at);
            items.insert(index, item);
            rewrite.arrange(list, &items, &HashSet::new());
        }
        Operation::RenameNode { old, new } => rename(&source, &mut rewrite, kind, old, new)?,
    }
    Ok(rewrite.finish())
}

/// The text with the values of the aliases that an operation passes through in their places. An
/// edit through an alias happens there, never where the anchor stands (M30). `None` where there is
/// no alias on the way.
///
/// # Errors
/// The text is no YAML, or the operation's path none.
pub fn aliases_written_out(
    text: &str,
    kind: FileKind,
    operation: &Operation,
) -> Result<Option<String>, ScriptError> {
    if matches!(kind, FileKind::Anm | FileKind::Pvt) {
        return Ok(None); // JSON has no aliases.
    }
    let source = Source::parse_yaml_whole(text.to_owned())?;
    let Some(alias) = alias_on_the_way(&source, kind, operation)? else { return Ok(None) };
    let mut rewrite = Rewrite::new(&source);
    rewrite.set(alias, &Fragment::of(&source, alias, false).flow());
    let text = rewrite.finish();
    Ok(Some(aliases_written_out(&text, kind, operation)?.unwrap_or(text)))
}

/// The first alias that the operation's path passes through.
fn alias_on_the_way(
    source: &Source,
    kind: FileKind,
    operation: &Operation,
) -> Result<Option<NodeId>, ScriptError> {
    let path = match operation {
        Operation::Set { path, .. }
        | Operation::Delete { path }
        | Operation::Duplicate { path }
        | Operation::Move { path, .. } => path,
        Operation::RenameNode { old, .. } => {
            let (list, fields) = renamed_in(kind);
            let Some((_, list)) = source.entry(source.root(), list) else { return Ok(None) };
            let names = |item: NodeId| {
                let map = source.resolve(item);
                fields.iter().any(|field| {
                    let value = source.get(map, field);
                    value.and_then(|v| field::string(source, v)).as_deref() == Some(old.as_str())
                })
            };
            let items = source.items(source.resolve(list));
            if source.kind(list) == Kind::Alias {
                return Ok(items.clone().any(names).then_some(list));
            }
            let mut items = items.filter(|item| source.kind(*item) == Kind::Alias);
            return Ok(items.find(|item| names(*item)));
        }
    };
    let steps = steps(path)?;
    let on_the_way = (1..steps.len()).filter_map(|depth| source.at(&steps[..depth]));
    Ok(on_the_way.into_iter().find(|node| source.kind(*node) == Kind::Alias))
}

fn steps(path: &str) -> Result<Vec<Step>, ScriptError> {
    parse_path(path).ok_or_else(|| ScriptError::NoPath(path.to_owned()))
}

fn set<'s>(
    source: &'s Source,
    rewrite: &mut Rewrite<'s>,
    path: &str,
    value: &str,
) -> Result<(), ScriptError> {
    let steps = steps(path)?;
    let is_json = source.syntax() == Syntax::Json;
    let text_fields = if is_json { &EXPORT_TEXT_FIELDS[..] } else { &TEXT_FIELDS[..] };
    let is_text = matches!(steps.last(), Some(Step::Key(key)) if text_fields.contains(&&**key));
    let is_value = match is_json {
        true => !value.contains(['\n', '\r']) && Source::parse_json(value.to_owned()).is_ok(),
        false => is_one_line_value(value),
    };
    if !is_text && !is_value {
        return Err(ScriptError::NoValue(value.to_owned()));
    }
    let numbers = match steps.last() {
        Some(Step::Key(key)) if NUMBER_FIELDS.contains(&&**key) && !is_json => numbers_of(value),
        _ if is_json && !is_text => numbers_of(value),
        _ => None,
    };
    let spelled_numbers = numbers.as_ref().map(|(numbers, is_vector)| match is_vector {
        true => vector(numbers),
        false => number(numbers[0]),
    });
    let value = spelled_numbers.as_deref().unwrap_or_else(|| value.trim());
    let text = text_value(value).filter(|_| is_text);
    if let Some(node) = source.at(&steps) {
        if let Some((numbers, true)) = &numbers
            && source.kind(node) == Kind::FlowSeq
            && source.items(node).count() == numbers.len()
            && source.items(node).all(|item| field::number(source, item).is_some())
        {
            // Only the numbers that differ.
            for (item, new) in source.items(node).zip(numbers) {
                if field::number(source, item) != Some(*new) {
                    rewrite.set(item, &number(*new));
                }
            }
            return Ok(());
        }
        match &text {
            Some(text) => rewrite.set_string(node, text),
            None => rewrite.set(node, value),
        }
        return Ok(());
    }
    // The innermost mapping that is there; what is missing below it is made.
    let mut depth = steps.len() - 1;
    while depth > 0 && source.at(&steps[..depth]).is_none() {
        depth -= 1;
    }
    let nothing = || ScriptError::Nothing(path.to_owned());
    let map = match depth {
        0 => source.root(),
        _ => source.resolve(source.at(&steps[..depth]).ok_or_else(nothing)?),
    };
    let spelled = match text {
        Some(text) if is_json => double_quoted(&text),
        Some(text) => yaml_string(&text),
        None => value.to_owned(),
    };
    let mut fragment = Fragment::line(spelled);
    for step in steps[depth + 1..].iter().rev() {
        let Step::Key(key) = step else { return Err(nothing()) };
        fragment = Fragment::map([(yaml_string(key), fragment)]);
    }
    let Step::Key(key) = &steps[depth] else { return Err(nothing()) };
    if depth > 0 && field::is_null(source, map) {
        // Nothing stands there yet: a mapping may.
        let fragment = Fragment::map([(yaml_string(key), fragment)]);
        rewrite.set(map, &fragment.flow());
        return Ok(());
    }
    if !source.kind(map).is_map() {
        return Err(nothing());
    }
    let after = place_of(source, map, key);
    rewrite.insert_entry(map, after, &yaml_string(key), &fragment);
    Ok(())
}

/// The entry behind which a new field goes.
fn place_of(source: &Source, map: NodeId, key: &str) -> Option<NodeId> {
    let keys: Vec<(NodeId, String)> = source
        .entries(map)
        .filter_map(|(k, _)| Some((k, source.scalar(k)?.into_owned())))
        .collect();
    let order = ORDER.iter().find(|order| {
        order.contains(&key) && keys.iter().any(|(_, k)| order.contains(&k.as_str()))
    });
    let last = keys.last().map(|(node, _)| *node);
    let Some(order) = order else { return last };
    let rank = |key: &str| order.iter().position(|k| *k == key);
    let mine = rank(key);
    keys.iter().rev().find(|(_, k)| rank(k).is_some_and(|r| Some(r) < mine)).map(|(n, _)| *n)
}

/// A finite number, or a list of them, and whether it is a list.
pub(crate) fn numbers_of(value: &str) -> Option<(Vec<f64>, bool)> {
    let source = Source::parse_yaml(format!("x: {value}")).ok()?;
    let node = source.get(source.root(), "x")?;
    let is_vector = source.kind(node) == Kind::FlowSeq;
    let numbers: Option<Vec<f64>> = match is_vector {
        true => source.items(node).map(|item| field::number(&source, item)).collect(),
        false => field::number(&source, node).map(|number| vec![number]),
    };
    numbers.filter(|n| !n.is_empty() && n.iter().all(|n| n.is_finite())).map(|n| (n, is_vector))
}

/// What a text field shall say: a value in quotes without them, any other as it is. Nothing for
/// an unquoted null, which takes the text away.
pub(crate) fn text_value(value: &str) -> Option<String> {
    let quoted = value.len() > 1 && value.starts_with(['"', '\'']) && is_one_line_value(value);
    if quoted {
        let source = Source::parse_yaml(format!("x: {value}")).ok()?;
        let node = source.get(source.root(), "x")?;
        return source.scalar(node).map(|text| text.into_owned());
    }
    (!matches!(value, "null" | "~")).then(|| value.to_owned())
}

/// Whether a value is YAML that stays on its line wherever it is put.
pub(crate) fn is_one_line_value(value: &str) -> bool {
    if value.contains(['\n', '\r']) || value.trim().is_empty() {
        return false;
    }
    // In a flow mapping, which allows the least.
    let Ok(source) = Source::parse_yaml(format!("{{x: {value}}}")) else { return false };
    let mut entries = source.entries(source.root());
    let only = matches!((entries.next(), entries.next()), (Some((_, v)), None)
        if source.full_span(v).end == 4 + value.trim_end().len());
    only && source.comments.is_empty()
}

fn delete<'s>(
    source: &'s Source,
    rewrite: &mut Rewrite<'s>,
    path: &str,
) -> Result<(), ScriptError> {
    let mut steps = steps(path)?;
    let nothing = || ScriptError::Nothing(path.to_owned());
    source.at(&steps).ok_or_else(nothing)?;
    let is_key = matches!(&steps[..], [Step::Key(tracks), Step::Index(_), Step::Key(keys), Step::Index(_)]
        if tracks == "tracks" && keys == "keys");
    if is_key {
        let list = source.at(&steps[..3]).map(|list| source.resolve(list)).ok_or_else(nothing)?;
        if source.items(list).count() == 1 {
            steps.truncate(2);
        }
    }
    match steps.last() {
        Some(Step::Index(_)) => {
            let (list, node, _) = element(source, &path_text(&steps))?;
            let items: Vec<Item> =
                source.items(list).filter(|item| *item != node).map(Item::Keep).collect();
            rewrite.arrange(list, &items, &HashSet::new());
        }
        Some(Step::Key(key)) => {
            let map = match steps.len() {
                1 => source.root(),
                n => source.resolve(source.at(&steps[..n - 1]).ok_or_else(nothing)?),
            };
            let (key, _) = source.entry(map, key).ok_or_else(nothing)?;
            rewrite.remove_entry(map, key);
        }
        None => return Err(nothing()),
    }
    Ok(())
}

/// The list, the item in it, and its index.
fn element(source: &Source, path: &str) -> Result<(NodeId, NodeId, usize), ScriptError> {
    let steps = steps(path)?;
    let node = source.at(&steps).ok_or_else(|| ScriptError::Nothing(path.to_owned()))?;
    let (Some(Step::Index(at)), Some(list)) = (steps.last(), source.at(&steps[..steps.len() - 1]))
    else {
        return Err(ScriptError::NoElement(path.to_owned()));
    };
    Ok((source.resolve(list), node, *at))
}

fn rename<'s>(
    source: &'s Source,
    rewrite: &mut Rewrite<'s>,
    kind: FileKind,
    old: &str,
    new: &str,
) -> Result<(), ScriptError> {
    let (list, fields) = renamed_in(kind);
    let list = source.get(source.root(), list);
    let mut found = false;
    for item in list.into_iter().flat_map(|list| source.items(list)) {
        let map = source.resolve(item);
        for field in fields {
            let Some((_, value)) = source.entry(map, field) else { continue };
            if field::string(source, value).as_deref() == Some(old) {
                found |= *field != "parent";
                rewrite.set_string(value, new);
            }
        }
    }
    if found { Ok(()) } else { Err(ScriptError::NoNode(old.to_owned())) }
}

/// The list and the fields in which a node's or part's name stands.
fn renamed_in(kind: FileKind) -> (&'static str, &'static [&'static str]) {
    match kind {
        FileKind::Motion => ("tracks", &["part"]),
        FileKind::Scene => ("entities", &["id", "parent"]),
        _ => ("nodes", &["id", "parent"]),
    }
}
