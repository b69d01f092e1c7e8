//! The fields that nobody here knows: kept when editing, listed for people.

use super::export;
use super::kind::FileKind;
use super::log::Log;
use super::scene::is_entity;
use super::version;
use crate::model::ClipKind;
use crate::model::take::CoordinateSystem;
use crate::source::{NodeId, Source};
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
    let shape = match kind {
        FileKind::Motion => match version::clip(&mut Log::new(source), root).0 {
            Some(ClipKind::Model) => &MODEL_CLIP,
            _ => &RIG_CLIP,
        },
        FileKind::Rig => &RIG,
        FileKind::Scene => &SCENE,
        FileKind::Anm => &ANM,
        FileKind::Pvt => &PVT,
        FileKind::Unknown => return Vec::new(),
    };
    let mut found = Found { source, seen: HashSet::new(), paths: Vec::new() };
    found.map(root, shape, "");
    found.paths
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
