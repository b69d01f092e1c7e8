//! What only a skeleton has (A30, A31).

use super::finding::{Finding, Num, Place};
use super::header::{Resting, sizes};
use super::peg::quat_fault;
use crate::format::codes;
use crate::model::take::{PivotSpace, Skeleton};
use glam::DQuat;

pub(super) fn look(skeleton: &Skeleton) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut top = |code, field, message: String| {
        found.push(Finding::new(code, Place::Top, field, message));
    };
    let scale = skeleton.scale_factor();
    let scale_is_good = scale > 0.0 && scale.is_finite();
    if skeleton.scale_factor.is_none() {
        let message = "`scale_factor` is missing: 1 is taken".to_owned();
        top(codes::MISSING_FIELD, "scale_factor", message);
    } else if !scale_is_good {
        let scale = Num(scale);
        let message = format!(
            "`scale_factor` is {scale}: pivots cannot be divided by it; they are shown as stored, \
             and conversion refuses"
        );
        top(codes::SCALE_FACTOR, "scale_factor", message);
    }
    match (&skeleton.pivot_space.written, skeleton.pivot_space()) {
        (None, _) => {
            let message = "`pivot_space` is missing: local is taken".to_owned();
            top(codes::MISSING_FIELD, "pivot_space", message);
        }
        (Some(word), None) => {
            let message = format!(
                "`pivot_space` is \"{word}\", neither local nor armature: pivots are shown as \
                 local, and conversion refuses"
            );
            top(codes::PIVOT_SPACE, "pivot_space", message);
        }
        (Some(_), Some(_)) => {}
    }
    for (at, bone) in skeleton.bones.iter().enumerate() {
        if let Some(fault) = bone.rotation.and_then(quat_fault) {
            let message = fault.at_rest();
            found.push(Finding::new(fault.code, Place::Peg(at), "rotation", message));
        }
    }
    let divisor = if scale_is_good { scale } else { 1.0 };
    let in_armature = skeleton.pivot_space() == Some(PivotSpace::Armature);
    let elements = skeleton.bones.iter().map(|bone| Resting {
        rig: bone.rig.as_deref().unwrap_or(""),
        is_camera: bone.is_camera,
        pivot: bone.pivot() / divisor,
        rotation: if in_armature { DQuat::IDENTITY } else { bone.rotation() },
    });
    let elements: Vec<Resting> = elements.collect();
    let parents = match in_armature {
        // Pivots are where bones are.
        true => vec![crate::model::take::ParentLink::Root; elements.len()],
        false => skeleton.parents(),
    };
    sizes(&mut found, &skeleton.header, &elements, &parents);
    found
}
