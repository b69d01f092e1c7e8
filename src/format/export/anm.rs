//! `.anm`: takes.

use super::camera::read_cameras;
use super::fields::{Fields, Report};
use super::keys::{Fault, KeyList, KeyNote};
use super::read_header;
use crate::diagnostic::{Severity, Subject};
use crate::format::codes;
use crate::model::take::{Channel, Keyframe, Peg, Take, TakeOrigin};
use crate::model::{Origin, Uids};
use crate::source::{NodeId, Source};
use glam::DVec3;
use std::collections::HashMap;
use std::sync::Arc;

pub(in crate::format) const PEG_FIELDS: [&str; 9] = [
    "name",
    "path",
    "parent",
    "rest_pivot",
    "rest_rotation",
    "rig",
    "is_camera",
    "source_modes",
    "keyframes",
];

/// Reads the document; `None` only together with a fatal problem.
pub(super) fn read(
    source: &Arc<Source>,
    mut lists: HashMap<NodeId, KeyList>,
    report: &mut Report,
    uids: &mut Uids,
) -> Option<Take> {
    let root = source.root();
    let mut fields = Fields { report: &mut *report, map: root, path: String::new(), subject: None };
    let header = read_header(&mut fields);
    let frame_range = fields.numbers("frame_range");
    fields.unknown("", &super::ANM_FIELDS);
    let Some(list) = fields.get("pegs").filter(|node| source.kind(*node).is_seq()) else {
        let what = match fields.get("pegs") {
            None => "`pegs` is missing",
            Some(_) => "`pegs` must be a list",
        };
        let at = fields.get("pegs").unwrap_or(root);
        let span = report.source.span(at);
        report.fatal(codes::NO_PEGS, what, "pegs".to_owned(), span, None);
        return None;
    };
    let mut pegs = Vec::new();
    for (index, map) in source.items(list).enumerate() {
        let path = format!("pegs[{index}]");
        if !source.kind(map).is_map() {
            let span = source.span(map);
            report.fatal(codes::NO_NAME, "A peg must be an object with a name", path, span, None);
            continue;
        }
        pegs.push(Arc::new(read_peg(source, map, path, index, &mut lists, report, uids)));
    }
    let cameras = read_cameras(source, report, uids);
    let origin = TakeOrigin {
        source: Arc::clone(source),
        header: header.clone(),
        frame_range,
        pegs: pegs.clone(),
        cameras: cameras.clone(),
    };
    Some(Take { header, frame_range, pegs, cameras, origin: Some(Arc::new(origin)) })
}

fn read_peg(
    source: &Arc<Source>,
    map: NodeId,
    path: String,
    index: usize,
    lists: &mut HashMap<NodeId, KeyList>,
    report: &mut Report,
    uids: &mut Uids,
) -> Peg {
    let mut fields = Fields { report, map, path, subject: None };
    let name = read_name(&mut fields, "peg");
    fields.subject = Some(Subject { index, peg: name.clone(), frame: None });
    let uid = uids.fresh();
    let [scene_path, parent, rig] = ["path", "parent", "rig"].map(|key| fields.text(key));
    let rest_pivot = fields.numbers("rest_pivot").map(DVec3::from_array);
    let rest_rotation = fields.numbers("rest_rotation");
    let is_camera = fields.boolean("is_camera").unwrap_or(false);
    let modes = fields.get("source_modes").filter(|node| source.kind(*node).is_map());
    let source_modes = modes.map(|modes| {
        let entry = |(key, value): (NodeId, NodeId)| {
            let value = source.scalar(value).unwrap_or_else(|| source.raw(value).into());
            (source.scalar(key).unwrap_or_default().into_owned(), value.into_owned())
        };
        source.entries(modes).map(entry).collect()
    });
    fields.unknown("pegs[].", &PEG_FIELDS);
    let mut keyframes = Vec::new();
    match fields.get("keyframes") {
        Some(node) if source.kind(node).is_seq() => {
            let list = lists.remove(&node).unwrap_or_default();
            tell(&mut fields, &list);
            keyframes = list.keys;
            for (key, item) in keyframes.iter_mut().zip(source.items(node)) {
                key.uid = uids.fresh();
                key.origin =
                    Some(Origin { source: Arc::clone(source), node: item, with_comments: true });
            }
        }
        Some(node) => {
            let span = source.span(node);
            let message = "`keyframes` must be a list; nothing can be converted from it";
            let (path, subject) = (fields.path_of("keyframes"), fields.subject.clone());
            fields.report.add(Severity::Error, codes::WRONG_VALUE, message, path, span, subject);
        }
        None => {}
    }
    Peg {
        uid,
        name,
        path: scene_path,
        parent,
        rest_pivot,
        rest_rotation,
        rig,
        is_camera,
        source_modes,
        keyframes,
        origin: Some(Origin { source: Arc::clone(source), node: map, with_comments: true }),
    }
}

/// A peg's or bone's name, without which the file does not open (A1b).
pub(super) fn read_name(fields: &mut Fields, what: &str) -> String {
    let found = fields.get("name");
    if let Some(name) = found.and_then(|node| fields.text_of(node)) {
        return name;
    }
    let message = match found {
        None => format!("A {what} has no `name`"),
        Some(_) => "`name` must be text".to_owned(),
    };
    let start = fields.report.source.span(fields.map).start;
    let span = found.map_or(start..start + 1, |node| fields.report.source.span(node));
    let path = fields.path_of("name");
    fields.report.fatal(codes::NO_NAME, message, path, span, None);
    String::new()
}

/// Says what is wrong in the text of a peg's keys.
fn tell(fields: &mut Fields, list: &KeyList) {
    for note in &list.notes {
        tell_one(fields, note, list.keys.get(note.item));
    }
    if list.more_notes > 0 {
        let (path, subject) = (fields.path_of("keyframes"), fields.subject.clone());
        let start = fields.report.source.span(fields.map).start;
        let message = format!("and {} more like these in this peg's keys", list.more_notes);
        let (severity, code) = (Severity::Info, codes::MORE_PROBLEMS);
        fields.report.add(severity, code, message, path, start..start, subject);
    }
    for (name, span) in &list.unknown {
        let general = format!("pegs[].keyframes[].{name}");
        let path = fields.path_of("keyframes");
        fields.report.unknown(general, path, span.clone());
    }
}

fn tell_one(fields: &mut Fields, note: &KeyNote, key: Option<&Keyframe>) {
    let here = fields.path_of(&format!("keyframes[{}]", note.item));
    let frame = key.map(|key| key.frame);
    let subject = fields.subject.clone().map(|subject| Subject { frame, ..subject });
    let unframed = fields.subject.clone();
    let span = note.span.clone();
    let report = &mut *fields.report;
    match &note.fault {
        Fault::NotObject => {
            let message = "A key must be an object with a `frame`";
            report.fatal(codes::NO_FRAME, message, here, span, unframed);
        }
        Fault::NoFrame => {
            let message = "A key has no `frame`";
            let span = span.start..span.start + 1;
            report.fatal(codes::NO_FRAME, message, format!("{here}.frame"), span, unframed);
        }
        Fault::BadFrame => {
            let message = "`frame` must be a number";
            report.fatal(codes::NO_FRAME, message, format!("{here}.frame"), span, unframed);
        }
        Fault::NotNumbers(field, count) => {
            let message = format!(
                "`{field}` must be a list of {count} numbers; nothing can be converted from it"
            );
            let path = format!("{here}.{field}");
            report.add(Severity::Error, codes::WRONG_VALUE, message, path, span, subject);
        }
        Fault::NotText(field) => {
            let message = format!("`{field}` must be text; it counts as absent");
            let path = format!("{here}.{field}");
            report.add(Severity::Warning, codes::WRONG_FIELD, message, path, span, subject);
        }
        Fault::Handles(channel) => {
            let path = match channel {
                Some(channel) => format!("{here}.handles.{}", channel.as_str()),
                None => format!("{here}.handles"),
            };
            let whose = channel.map_or("all channels", Channel::as_str);
            let message = format!(
                "Handles of {whose} have a wrong shape, which is three times [[left_x, left_y], \
                 [right_x, right_y]] or null: they count as [], and the curve takes the automatic \
                 tangent there"
            );
            report.add(Severity::Warning, codes::HANDLE_SHAPE, message, path, span, subject);
        }
        Fault::Repeated(name) => {
            let message = format!("`{name}` stands twice in one key; the last one counts");
            let path = format!("{here}.{name}");
            report.add(Severity::Warning, codes::REPEATED_FIELD, message, path, span, subject);
        }
    }
}
