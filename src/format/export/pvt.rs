//! `.pvt`: skeletons.

use super::anm::read_name;
use super::camera::read_cameras;
use super::fields::{Fields, Report};
use super::read_header;
use crate::diagnostic::Subject;
use crate::format::codes;
use crate::model::take::{Bone, Skeleton, SkeletonOrigin};
use crate::model::{Origin, Uids};
use crate::source::Source;
use glam::DVec3;
use std::sync::Arc;

pub(in crate::format) const BONE_FIELDS: [&str; 7] =
    ["name", "parent", "pivot", "rotation", "path", "rig", "is_camera"];

/// Reads the document; `None` only together with a fatal problem.
pub(super) fn read(source: &Arc<Source>, report: &mut Report, uids: &mut Uids) -> Option<Skeleton> {
    let root = source.root();
    let mut fields = Fields { report: &mut *report, map: root, path: String::new(), subject: None };
    let header = read_header(&mut fields);
    let name = fields.text("name");
    let scale_factor = fields.number("scale_factor");
    let pivot_space = fields.term("pivot_space");
    fields.unknown("", &super::PVT_FIELDS);
    let found = fields.get("bones");
    let Some(list) = found.filter(|node| source.kind(*node).is_seq()) else {
        let what = match found {
            None => "`bones` is missing",
            Some(_) => "`bones` must be a list",
        };
        let span = report.source.span(found.unwrap_or(root));
        report.fatal(codes::NO_PEGS, what, "bones".to_owned(), span, None);
        return None;
    };
    let mut bones = Vec::new();
    for (index, map) in source.items(list).enumerate() {
        let path = format!("bones[{index}]");
        if !source.kind(map).is_map() {
            let span = source.span(map);
            report.fatal(codes::NO_NAME, "A bone must be an object with a name", path, span, None);
            continue;
        }
        let mut fields = Fields { report: &mut *report, map, path, subject: None };
        let name = read_name(&mut fields, "bone");
        fields.subject = Some(Subject { index, peg: name.clone(), frame: None });
        let [parent, scene_path, rig] = ["parent", "path", "rig"].map(|key| fields.text(key));
        let pivot = fields.numbers("pivot").map(DVec3::from_array);
        let rotation = fields.numbers("rotation");
        let is_camera = fields.boolean("is_camera").unwrap_or(false);
        fields.unknown("bones[].", &BONE_FIELDS);
        bones.push(Arc::new(Bone {
            uid: uids.fresh(),
            name,
            parent,
            pivot,
            rotation,
            path: scene_path,
            rig,
            is_camera,
            origin: Some(Origin { source: Arc::clone(source), node: map, with_comments: true }),
        }));
    }
    let cameras = read_cameras(source, report, uids);
    let origin = SkeletonOrigin {
        source: Arc::clone(source),
        bones: bones.clone(),
        cameras: cameras.clone(),
    };
    Some(Skeleton {
        header,
        name,
        scale_factor,
        pivot_space,
        bones,
        cameras,
        origin: Some(Arc::new(origin)),
    })
}
