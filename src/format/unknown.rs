//! The fields that nobody here knows: kept when editing, listed for people.

use super::export;
use super::field;
use super::kind::FileKind;
use super::log::Log;
use super::scene::is_entity;
use super::version;
use crate::model::ClipKind;
use crate::model::take::CoordinateSystem;
use crate::source::{Kind, NodeId, Source, Tag, double_quoted, number};
use std::collections::HashSet;
use std::ops::Range;

/// A mapping's known fields, and which of them hold more.
struct Shape {
    fields: &'static [&'static str],
    /// Fields with a mapping inside.
    map: Option<(&'static str, &'static Shape)>,
    /// Fields with a list of mappings inside.
    lists: &'static [(&'static str, &'static Shape)],
}

const FORMAT: Shape = Shape { fields: &["version"], map: None, lists: &[] };
const KEY: Shape = Shape { fields: &["time", "value"], map: None, lists: &[] };
const TRACK: Shape = Shape {
    fields: &["part", "property", "interpolation", "curve", "keys"],
    map: None,
    lists: &[("keys", &KEY)],
};
const RIG_CLIP: Shape = Shape {
    fields: &["format", "version", "binding", "model", "duration", "loop", "tracks"],
    map: Some(("format", &FORMAT)),
    lists: &[("tracks", &TRACK)],
};
/// A model clip's own `binding` is an unknown field (M11).
const MODEL_CLIP: Shape = Shape {
    fields: &["format", "version", "model", "duration", "loop", "tracks"],
    map: Some(("format", &FORMAT)),
    lists: &[("tracks", &TRACK)],
};
const NODE: Shape = Shape {
    fields: &["id", "kind", "name", "parent", "model", "position", "rotation", "scale"],
    map: None,
    lists: &[],
};
const RIG: Shape = Shape {
    fields: &["format", "version", "name", "nodes"],
    map: Some(("format", &FORMAT)),
    lists: &[("nodes", &NODE)],
};
/// An entity's `name` is not read (M9).
const ENTITY: Shape = Shape {
    fields: &["id", "kind", "parent", "model", "position", "rotation", "scale"],
    map: None,
    lists: &[],
};
const SCENE: Shape =
    Shape { fields: &["animation_name", "entities"], map: None, lists: &[("entities", &ENTITY)] };

const SYSTEM: Shape = Shape { fields: &CoordinateSystem::FIELDS, map: None, lists: &[] };
const CAMERA: Shape = Shape { fields: &export::CAMERA_FIELDS, map: None, lists: &[] };
const HANDLES: Shape = Shape { fields: &["pos", "rot", "scl"], map: None, lists: &[] };
const KEYFRAME: Shape =
    Shape { fields: &export::KEY_FIELDS, map: Some(("handles", &HANDLES)), lists: &[] };
const PEG: Shape =
    Shape { fields: &export::PEG_FIELDS, map: None, lists: &[("keyframes", &KEYFRAME)] };
const ANM: Shape = Shape {
    fields: &export::ANM_FIELDS,
    map: Some(("coordinate_system", &SYSTEM)),
    lists: &[("pegs", &PEG), ("cameras", &CAMERA)],
};
const BONE: Shape = Shape { fields: &export::BONE_FIELDS, map: None, lists: &[] };
const PVT: Shape = Shape {
    fields: &export::PVT_FIELDS,
    map: Some(("coordinate_system", &SYSTEM)),
    lists: &[("bones", &BONE), ("cameras", &CAMERA)],
};

/// Paths of unknown fields such as `tracks[].note`, each once, in file order. What lies inside an
/// unknown field, or in a scene's entity that is no node, is not looked at.
pub fn unknown_fields(source: &Source, kind: FileKind) -> Vec<String> {
    let root = source.root();
    let Some(shape) = top_shape(source, kind) else { return Vec::new() };
    let mut found = Found { source, seen: HashSet::new(), paths: Vec::new() };
    found.map(root, shape, "");
    found.paths
}

/// What kind of element a node of a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder {
    /// The document itself, its lists of elements left aside.
    Top(FileKind),
    /// A peg of an `.anm`, its keyframes left aside.
    Peg,
    /// A keyframe of a peg.
    Keyframe,
    /// A bone of a `.pvt`.
    Bone,
    /// A camera of either export.
    Camera,
    /// A track of a clip, its keys left aside.
    Track,
    /// A key of a track.
    Key,
    /// A node of a rig.
    Node,
    /// An entity of a scene.
    Entity,
}

impl Holder {
    fn shape(self, source: &Source) -> Option<&'static Shape> {
        Some(match self {
            Holder::Top(kind) => return top_shape(source, kind),
            Holder::Peg => &PEG,
            Holder::Keyframe => &KEYFRAME,
            Holder::Bone => &BONE,
            Holder::Camera => &CAMERA,
            Holder::Track => &TRACK,
            Holder::Key => &KEY,
            Holder::Node => &NODE,
            Holder::Entity => &ENTITY,
        })
    }
}

/// The fields of one element that nobody here knows, by name (`note`, `handles.twist`), each with
/// what it says, sorted by name. Values are spelled in one way, whatever their text looks like:
/// equal spellings mean equal values, however a writer indents, orders, quotes or rounds off zeros.
/// Of a name that stands twice the last one counts.
pub fn unknown_values(source: &Source, node: NodeId, holder: Holder) -> Vec<(String, String)> {
    let mut values = Vec::new();
    if let Some(shape) = holder.shape(source) {
        let node = source.resolve(node);
        match source.is_leaf(node) {
            true => leaf_values(source, source.span(node), shape, "", &mut values),
            false => map_values(source, node, shape, "", &mut values),
        }
    }
    values.sort_by(|a, b| a.0.cmp(&b.0));
    // The sort is stable: the last of one name is the one that counts.
    values.reverse();
    values.dedup_by(|later, kept| later.0 == kept.0);
    values.reverse();
    values
}

fn map_values(
    source: &Source,
    map: NodeId,
    shape: &Shape,
    prefix: &str,
    values: &mut Vec<(String, String)>,
) {
    for (key, value) in source.entries(map) {
        let name = source.scalar(key).unwrap_or_else(|| source.raw(key).into());
        if !shape.fields.contains(&&*name) {
            values.push((format!("{prefix}{name}"), spelled(source, value)));
        } else if let Some((_, inner)) = shape.map.filter(|(field, _)| *field == name) {
            map_values(source, source.resolve(value), inner, &format!("{prefix}{name}."), values);
        }
    }
}

fn leaf_values(
    source: &Source,
    span: Range<usize>,
    shape: &Shape,
    prefix: &str,
    values: &mut Vec<(String, String)>,
) {
    source.each_field(span, |name, value| {
        if !shape.fields.contains(&name) {
            // A part of a valid text is one.
            let text = &source.text()[value];
            let said = Source::parse_json(text.to_owned());
            let said = said.map_or_else(|_| text.to_owned(), |said| spelled(&said, said.root()));
            values.push((format!("{prefix}{name}"), said));
        } else if let Some((_, inner)) = shape.map.filter(|(field, _)| *field == name)
            && value.len() > 2
        {
            leaf_values(source, value, inner, &format!("{prefix}{name}."), values);
        }
    });
}

/// A value in a spelling of its own, in which the entries of maps are sorted.
fn spelled(source: &Source, node: NodeId) -> String {
    let node = source.resolve(node);
    let mut out = match source.tag(node) {
        Some(Tag::Other(tag)) if tag != "!" => format!("{tag} "),
        _ => String::new(),
    };
    let kind = source.kind(node);
    if kind.is_map() {
        let entry = |(key, value)| {
            let name = source.scalar(key).map(|name| double_quoted(&name));
            let name = name.unwrap_or_else(|| spelled(source, key));
            format!("{name}: {}", spelled(source, value))
        };
        let mut entries: Vec<String> = source.entries(node).map(entry).collect();
        entries.sort();
        out.push_str(&format!("{{{}}}", entries.join(", ")));
    } else if kind.is_seq() {
        out.push_str(&match source.whole_list(node) {
            Some((whole, list)) => spelled_items(&whole, list),
            None => spelled_items(source, node),
        });
    } else if kind == Kind::Empty || field::is_null(source, node) {
        out.push_str("null");
    } else if let Some(switch) = field::boolean(source, node) {
        out.push_str(if switch { "true" } else { "false" });
    } else if let Some(value) = field::number(source, node) {
        out.push_str(&number(value));
    } else {
        out.push_str(&double_quoted(&source.scalar(node).unwrap_or_default()));
    }
    out
}

fn spelled_items(source: &Source, list: NodeId) -> String {
    let items: Vec<String> = source.items(list).map(|item| spelled(source, item)).collect();
    format!("[{}]", items.join(", "))
}

fn top_shape(source: &Source, kind: FileKind) -> Option<&'static Shape> {
    Some(match kind {
        FileKind::Motion => match version::clip(&mut Log::new(source), source.root()).0 {
            Some(ClipKind::Model) => &MODEL_CLIP,
            _ => &RIG_CLIP,
        },
        FileKind::Rig => &RIG,
        FileKind::Scene => &SCENE,
        FileKind::Anm => &ANM,
        FileKind::Pvt => &PVT,
        FileKind::Unknown => return None,
    })
}

struct Found<'a> {
    source: &'a Source,
    seen: HashSet<String>,
    paths: Vec<String>,
}

impl Found<'_> {
    fn map(&mut self, map: NodeId, shape: &Shape, prefix: &str) {
        let source = self.source;
        for (key, value) in source.entries(map) {
            let name = source.scalar(key).unwrap_or_else(|| source.raw(key).into());
            let value = source.resolve(value);
            if !shape.fields.contains(&&*name) {
                let path = format!("{prefix}{name}");
                if !self.seen.contains(&path) {
                    self.seen.insert(path.clone());
                    self.paths.push(path);
                }
            } else if let Some((_, inner)) = shape.map.filter(|(field, _)| *field == name) {
                self.map(value, inner, &format!("{prefix}{name}."));
            } else if let Some((_, inner)) = shape.lists.iter().find(|(field, _)| *field == name) {
                let prefix = format!("{prefix}{name}[].");
                for item in source.items(value) {
                    if name == "entities" && !is_entity(source, item) {
                        continue;
                    }
                    match source.is_leaf(item) {
                        true => self.leaf(source.span(item), inner, &prefix),
                        false => self.map(source.resolve(item), inner, &prefix),
                    }
                }
            }
        }
    }

    /// As [`Found::map`], of an object that was not looked into.
    fn leaf(&mut self, span: Range<usize>, shape: &Shape, prefix: &str) {
        let source = self.source;
        source.each_field(span, |name, value| {
            if !shape.fields.contains(&name) {
                let path = format!("{prefix}{name}");
                if self.seen.insert(path.clone()) {
                    self.paths.push(path);
                }
            } else if let Some((_, inner)) = shape.map.filter(|(field, _)| *field == name)
                && source.text()[value.clone()].len() > 2
            {
                self.leaf(value, inner, &format!("{prefix}{name}."));
            }
        });
    }
}
