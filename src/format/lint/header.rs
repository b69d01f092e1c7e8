//! The header, the range and the size of everything.

use super::finding::{Finding, Num, Place};
use super::peg::ABSURD_FRAME;
use crate::format::codes;
use crate::model::limits::MAX_DURATION_SECS;
use crate::model::take::{
    CoordinateSystem, Hand, Header, ParentLink, RotationForm, Skeleton, Take, UpAxis,
};
use glam::{DQuat, DVec3};
use std::collections::BTreeMap;

/// Frame rates outside of this are no film's (A3).
const USUAL_FPS: std::ops::RangeInclusive<f64> = 1.0..=1000.0;
/// A rig larger than this, in metres, is perhaps in another unit (A3).
const TALLEST: f64 = 100.0;
/// A rig smaller than this, in metres, is perhaps in another unit (A3).
const SMALLEST: f64 = 0.01;

pub(super) fn take(take: &Take) -> Vec<Finding> {
    let mut found = common(&take.header);
    range(&mut found, take);
    if take.pegs.is_empty() {
        found.push(Finding::new(codes::EMPTY, Place::Top, "pegs", "There are no pegs"));
    }
    let elements = take.pegs.iter().map(|peg| Resting {
        rig: peg.rig.as_deref().unwrap_or(""),
        is_camera: peg.is_camera,
        pivot: peg.rest_pivot(),
        rotation: peg.rest_rotation(),
    });
    sizes(&mut found, &take.header, &elements.collect::<Vec<_>>(), &take.parents());
    found
}

pub(super) fn skeleton(skeleton: &Skeleton) -> Vec<Finding> {
    let mut found = common(&skeleton.header);
    if skeleton.bones.is_empty() {
        found.push(Finding::new(codes::EMPTY, Place::Top, "bones", "There are no bones"));
    }
    found
}

fn common(header: &Header) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut top = |code, field, message: String| {
        found.push(Finding::new(code, Place::Top, field, message));
    };
    match header.fps {
        None => {
            top(
                codes::MISSING_FIELD,
                "fps",
                "`fps` is missing: 24 frames a second are taken".into(),
            );
        }
        Some(fps) if !(fps > 0.0 && fps.is_finite()) => {
            let fps = Num(fps);
            let message =
                format!("{fps} frames a second: frames have no times, and conversion refuses");
            top(codes::FPS, "fps", message);
        }
        Some(fps) if !USUAL_FPS.contains(&fps) => {
            let fps = Num(fps);
            let message = format!("{fps} frames a second are no film's rate: is it one?");
            top(codes::ODD_FPS, "fps", message);
        }
        Some(_) => {}
    }
    if let Some(source) = &header.source
        && !Header::SOURCES.contains(&source.as_str())
    {
        let message = format!(
            "`source` is \"{source}\", none of harmony, blender, maya: nothing depends on it but \
             the guess which space is meant"
        );
        top(codes::UNKNOWN_SOURCE, "source", message);
    }
    match &header.coordinate_system {
        None => top(
            codes::MISSING_FIELD,
            "coordinate_system",
            "`coordinate_system` is missing: the canonical one is shown, and conversion refuses"
                .into(),
        ),
        Some(system) => axes(&mut found, system),
    }
    found
}

fn axes(found: &mut Vec<Finding>, system: &CoordinateSystem) {
    const FIELDS: [&str; 6] = [
        "coordinate_system.up",
        "coordinate_system.hand",
        "coordinate_system.unit",
        "coordinate_system.rot_order",
        "coordinate_system.rot_repr_anim",
        "coordinate_system.rot_repr_rest",
    ];
    let (known, canonical) = (system.known(), system.canonical_fields());
    // Each of the two alone can be converted.
    let up_and_left = system.up.known == Some(UpAxis::Z) && system.hand.known == Some(Hand::Left);
    for (at, written) in system.written().into_iter().enumerate() {
        let (field, name) = (FIELDS[at], CoordinateSystem::FIELDS[at]);
        let mut put = |code, message| found.push(Finding::new(code, Place::Top, field, message));
        match written {
            None => put(
                codes::COORDINATES,
                format!("`{name}` is missing: conversion refuses, it does not guess"),
            ),
            Some(word) if !known[at] => put(
                codes::COORDINATES,
                format!("`{name}` is \"{word}\", which is no known word: conversion refuses"),
            ),
            Some(word) if !(canonical[at] || up_and_left && at < 2) => {
                put(
                    codes::NOT_CANONICAL,
                    format!("`{name}` is \"{word}\": {}", consequence(at, system)),
                );
            }
            Some(_) => {}
        }
    }
    if up_and_left {
        let message = "Up z together with a left hand: which axis was mirrored is not in the \
                       file, and conversion refuses";
        found.push(Finding::new(codes::COORDINATES, Place::Top, FIELDS[1], message));
    }
}

/// What comes of a known word that is not the canonical one (A21).
fn consequence(field: usize, system: &CoordinateSystem) -> &'static str {
    match field {
        0 => "values are shown as written, and conversion turns z up into y up",
        1 => {
            "conversion mirrors z, but which axis was mirrored is not in the file: look at the \
             result"
        }
        2 => "values are shown as written, and conversion makes metres of them",
        3 => "the angles of `rot` turn in that order",
        _ if system.rot_repr_anim.known == Some(RotationForm::QuatWxyz) => {
            "`rot` is ignored, only `rot_quat` counts"
        }
        _ => "the angles of `rot` are read in it",
    }
}

fn range(found: &mut Vec<Finding>, take: &Take) {
    let mut top = |code, message: String| {
        found.push(Finding::new(code, Place::Top, "frame_range", message));
    };
    let Some([first, last]) = take.frame_range else {
        let message = match take.key_range() {
            Some([first, last]) => {
                let (first, last) = (Num(first), Num(last));
                format!("`frame_range` is missing: that of the keys is taken, {first}–{last}")
            }
            None => "`frame_range` is missing, and there are no keys".to_owned(),
        };
        top(codes::MISSING_FIELD, message);
        return;
    };
    let shown = (Num(first), Num(last));
    if first > last {
        let (first, last) = shown;
        let message = format!("The range {first}–{last} is reversed: conversion refuses it");
        top(codes::RANGE_REVERSED, message);
    } else if first == last {
        let (first, _) = shown;
        let message = format!("The range is the one frame {first}: a clip of it is a frame long");
        top(codes::RANGE_EMPTY, message);
    }
    if first.abs().max(last.abs()) > ABSURD_FRAME {
        let (first, last) = shown;
        let message = format!("The range {first}–{last} is none of a film");
        top(codes::ODD_FRAME, message);
    }
    let fps = take.fps();
    let seconds = (last - first) / fps;
    if fps > 0.0 && seconds > MAX_DURATION_SECS {
        let (seconds, fps) = (Num(seconds), Num(fps));
        let message = format!(
            "The range lasts {seconds:.0} s at {fps} frames a second, and a clip at most \
             {MAX_DURATION_SECS} s: conversion refuses"
        );
        top(codes::TOO_LONG, message);
    }
}

/// An element at rest under its parent.
#[derive(Clone, Copy)]
pub(super) struct Resting<'a> {
    pub rig: &'a str,
    pub is_camera: bool,
    pub pivot: DVec3,
    pub rotation: DQuat,
}

/// Rigs that are too large or too small to be in the unit the header says.
pub(super) fn sizes(
    found: &mut Vec<Finding>,
    header: &Header,
    elements: &[Resting],
    parents: &[ParentLink],
) {
    let system = header.coordinate_system.as_ref();
    let meters = system.and_then(|s| s.unit.known).map_or(1.0, |unit| unit.meters());
    let places = places(elements, parents);
    // Lowest and highest corner, and the first element, by rig.
    let mut boxes: BTreeMap<&str, (DVec3, DVec3, usize)> = BTreeMap::new();
    for (at, element) in elements.iter().enumerate() {
        let place = places[at];
        if element.is_camera || !place.is_finite() {
            continue;
        }
        let around = boxes.entry(element.rig).or_insert((place, place, at));
        around.0 = around.0.min(place);
        around.1 = around.1.max(place);
    }
    for (rig, (low, high, first)) in boxes {
        let size = (high - low).max_element() * meters;
        if size == 0.0 || (SMALLEST..=TALLEST).contains(&size) {
            continue;
        }
        let name = if rig.is_empty() { "The rig".to_owned() } else { format!("The rig {rig}") };
        let message = format!("{name} is {:.4} m large at rest: is `unit` right?", Num(size));
        found.push(Finding::new(codes::RIG_SIZE, Place::Peg(first), "", message));
    }
}

/// Where each element rests; any number of levels. Members of loops count as roots.
fn places(elements: &[Resting], parents: &[ParentLink]) -> Vec<DVec3> {
    let mut done: Vec<Option<(DVec3, DQuat)>> = vec![None; elements.len()];
    for start in 0..elements.len() {
        let mut way = Vec::new();
        let mut at = Some(start);
        while let Some(index) = at.filter(|index| done[*index].is_none()) {
            way.push(index);
            at = parents[index].index();
        }
        let mut above = at.and_then(|index| done[index]).unwrap_or((DVec3::ZERO, DQuat::IDENTITY));
        for index in way.into_iter().rev() {
            let element = &elements[index];
            above = (above.0 + above.1 * element.pivot, above.1 * element.rotation);
            done[index] = Some(above);
        }
    }
    done.into_iter().map(|place| place.map_or(DVec3::ZERO, |(place, _)| place)).collect()
}
