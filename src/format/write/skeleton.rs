//! Skeletons to `.pvt` texts.

use super::take::{camera_fragment, head, system_fragment};
use crate::format::export::PVT;
use crate::model::take::{Bone, Skeleton};
use crate::source::{Fragment, double_quoted, number, vector};

/// The text of a skeleton (A60): the very text it was read from (skeletons are not edited), or a
/// new one.
pub fn write_skeleton(skeleton: &Skeleton) -> String {
    match &skeleton.origin {
        Some(origin) => origin.source.text().to_owned(),
        None => new_text(skeleton).json_file(),
    }
}

fn new_text(skeleton: &Skeleton) -> Fragment {
    let line = |text: String| Fragment::line(text);
    let mut entries = head(PVT, &skeleton.header);
    if let Some(name) = &skeleton.name {
        entries.push(("name", line(double_quoted(name))));
    }
    if let Some(scale) = skeleton.scale_factor {
        entries.push(("scale_factor", line(number(scale))));
    }
    if let Some(space) = &skeleton.pivot_space.written {
        entries.push(("pivot_space", line(double_quoted(space))));
    }
    if let Some(fps) = skeleton.header.fps {
        entries.push(("fps", line(number(fps))));
    }
    if let Some(system) = &skeleton.header.coordinate_system {
        entries.push(("coordinate_system", system_fragment(system)));
    }
    let bones = skeleton.bones.iter().map(|bone| bone_fragment(bone)).collect();
    entries.push(("bones", Fragment::seq(bones)));
    let cameras = skeleton.cameras.iter().map(|camera| camera_fragment(camera)).collect();
    entries.push(("cameras", Fragment::seq(cameras)));
    Fragment::map(entries)
}

fn bone_fragment(bone: &Bone) -> Fragment {
    let mut entries = vec![("name", Fragment::line(double_quoted(&bone.name)))];
    let parent = bone.parent().map_or_else(|| "null".to_owned(), double_quoted);
    entries.push(("parent", Fragment::line(parent)));
    if let Some(pivot) = bone.pivot {
        entries.push(("pivot", Fragment::line(vector(&pivot.to_array()))));
    }
    if let Some(rotation) = bone.rotation {
        entries.push(("rotation", Fragment::line(vector(&rotation))));
    }
    for (key, value) in [("path", &bone.path), ("rig", &bone.rig)] {
        if let Some(value) = value.as_ref().filter(|value| !value.is_empty()) {
            entries.push((key, Fragment::line(double_quoted(value))));
        }
    }
    if bone.is_camera {
        entries.push(("is_camera", Fragment::line("true")));
    }
    Fragment::map(entries)
}
