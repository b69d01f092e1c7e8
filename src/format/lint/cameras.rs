//! Cameras (A1b, A40).

use super::finding::{Finding, Num, Place};
use crate::format::codes;
use crate::model::take::{Skeleton, Take, TakeCamera};
use std::collections::HashSet;
use std::sync::Arc;

pub(super) fn take(take: &Take) -> Vec<Finding> {
    let pegs = take.pegs.iter().flat_map(|peg| [Some(&*peg.name), peg.path.as_deref()]);
    look(&take.cameras, pegs.flatten().collect(), "peg")
}

pub(super) fn skeleton(skeleton: &Skeleton) -> Vec<Finding> {
    let bones = skeleton.bones.iter().flat_map(|bone| [Some(&*bone.name), bone.path.as_deref()]);
    look(&skeleton.cameras, bones.flatten().collect(), "bone")
}

fn look(cameras: &[Arc<TakeCamera>], names: HashSet<&str>, what: &str) -> Vec<Finding> {
    let mut found = Vec::new();
    for (at, camera) in cameras.iter().enumerate() {
        let mut put = |code, field, message: String| {
            found.push(Finding::new(code, Place::Camera(at), field, message));
        };
        let name = camera.name.as_deref().unwrap_or("without a name");
        let peg = camera.peg.as_deref().filter(|peg| !peg.is_empty());
        match peg {
            Some(peg) if names.contains(peg) => {}
            Some(peg) => put(
                codes::CAMERA_PEG,
                "peg",
                format!("There is no {what} called \"{peg}\": the camera {name} stands still"),
            ),
            None => put(
                codes::CAMERA_PEG,
                "peg",
                format!("No {what} moves the camera {name}: it stands still"),
            ),
        }
        let default = TakeCamera::DEFAULT_FOV;
        match camera.fov {
            Some(fov) if fov > 0.0 && fov < 180.0 => {}
            Some(fov) => put(
                codes::CAMERA_FOV,
                "fov",
                format!("A field of view of {}° is none: {default}° is taken", Num(fov)),
            ),
            None => put(codes::CAMERA_FOV, "fov", format!("`fov` is missing: {default}° is taken")),
        }
        if let Some(axis) = camera.fov_axis.as_deref()
            && !["vertical", "v", "y", "horizontal", "h", "x"]
                .iter()
                .any(|word| word.eq_ignore_ascii_case(axis))
        {
            let message = format!("`fov_axis` is \"{axis}\", no known word: vertical is taken");
            put(codes::CAMERA_FOV, "fov_axis", message);
        }
        let [near, far] = TakeCamera::DEFAULT_PLANES;
        let planes = (camera.near_plane.unwrap_or(near), camera.far_plane.unwrap_or(far));
        if !(planes.0 > 0.0 && planes.1 > planes.0) {
            let message = format!(
                "Clip planes at {} and {} show nothing: {near} and {far} are taken",
                Num(planes.0),
                Num(planes.1)
            );
            put(codes::CAMERA_PLANES, "near_plane", message);
        }
        if camera.override_fov == Some(false) {
            let message = "The scene's field of view is not in the file: the camera's own, which \
                           the scene overrules, is shown"
                .to_owned();
            put(codes::CAMERA_SCENE_FOV, "override_fov", message);
        }
    }
    found
}
