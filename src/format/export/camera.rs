//! The cameras that both kinds of export carry.

use super::fields::{Fields, Report};
use crate::diagnostic::Severity;
use crate::format::codes;
use crate::model::take::TakeCamera;
use crate::model::{Origin, Uids};
use crate::source::Source;
use glam::{DVec2, DVec3};
use std::sync::Arc;

pub(in crate::format) const CAMERA_FIELDS: [&str; 18] = [
    "name",
    "peg",
    "path",
    "is_default",
    "fov",
    "fov_axis",
    "override_fov",
    "near_plane",
    "far_plane",
    "near_field",
    "far_field",
    "angle",
    "offset_x",
    "offset_y",
    "offset_z",
    "pivot_x",
    "pivot_y",
    "rig",
];

pub(super) fn read_cameras(
    source: &Arc<Source>,
    report: &mut Report,
    uids: &mut Uids,
) -> Vec<Arc<TakeCamera>> {
    let Some(list) = source.get(source.root(), "cameras") else { return Vec::new() };
    if source.raw(list) == "null" {
        return Vec::new();
    }
    if !source.kind(list).is_seq() {
        let message = "`cameras` must be a list; it counts as absent";
        let span = source.span(list);
        report.add(Severity::Warning, codes::WRONG_FIELD, message, "cameras".into(), span, None);
        return Vec::new();
    }
    let mut cameras = Vec::new();
    for (at, map) in source.items(list).enumerate() {
        let path = format!("cameras[{at}]");
        if !source.kind(map).is_map() {
            let message = "A camera must be an object; this one is left out";
            let span = source.span(map);
            report.add(Severity::Warning, codes::WRONG_FIELD, message, path, span, None);
            continue;
        }
        let mut fields = Fields { report: &mut *report, map, path, subject: None };
        let mut number = |key| fields.number_as(key, Severity::Warning);
        let offset = ["offset_x", "offset_y", "offset_z"].map(&mut number);
        let pivot = ["pivot_x", "pivot_y"].map(&mut number);
        let angle = number("angle").unwrap_or(0.0);
        let [fov, near_plane, far_plane, near_field, far_field] =
            ["fov", "near_plane", "far_plane", "near_field", "far_field"].map(&mut number);
        let [name, peg, scene_path, fov_axis, rig] =
            ["name", "peg", "path", "fov_axis", "rig"].map(|key| fields.text(key));
        let is_default = fields.boolean("is_default");
        let override_fov = fields.boolean("override_fov");
        fields.unknown("cameras[].", &CAMERA_FIELDS);
        cameras.push(Arc::new(TakeCamera {
            uid: uids.fresh(),
            name,
            peg,
            path: scene_path,
            is_default,
            fov,
            fov_axis,
            override_fov,
            near_plane,
            far_plane,
            near_field,
            far_field,
            angle,
            offset: DVec3::from_array(offset.map(|x| x.unwrap_or(0.0))),
            pivot: DVec2::from_array(pivot.map(|x| x.unwrap_or(0.0))),
            rig,
            origin: Some(Origin { source: Arc::clone(source), node: map, with_comments: true }),
        }));
    }
    cameras
}
