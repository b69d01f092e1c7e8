//! `.rig` + `.motion` → `.anm` (A56, A57).

use super::bake::{Part, frame_of};
use super::ids::path_of;
use super::measure::{Chains, Moment, Motions, measure};
use super::moving::grid;
use super::report::{Measured, Report, TrackReport};
use super::{JUMP_SECS, Refusal, Tolerances};
use crate::math::Trs;
use crate::model::take::{CoordinateSystem, Header, Peg, Take};
use crate::model::{Clip, ClipKind, Interpolation, Node, NodeKind, Property, Rig, Track, Uids};
use crate::progress::Progress;
use crate::sample::take::{Space, TakeRig};
use crate::sample::{self, Binding, MotionRig, RestPart};
use glam::DVec3;
use std::collections::HashMap;
use std::sync::Arc;

/// What is baked has a key every frame at first, and at most this often halved.
const HALVINGS: usize = 8;

/// What is asked of an export.
#[derive(Clone, Debug, PartialEq)]
pub struct ExportOptions {
    /// Frames a second.
    pub fps: f64,
    /// The frame of time 0.
    pub start: f64,
    /// Which program the file shall say it is from.
    pub source: String,
    /// What may differ (A53b).
    pub tolerances: Tolerances,
    /// Which nodes are written, in the order of the rig; what they hang on comes with them.
    pub nodes: Option<Vec<bool>>,
}

impl Default for ExportOptions {
    fn default() -> Self {
        ExportOptions {
            fps: 24.0,
            start: 1.0,
            source: "blender".to_owned(),
            tolerances: Tolerances::default(),
            nodes: None,
        }
    }
}

/// A node as an export has it.
struct Element<'a> {
    id: &'a str,
    display: &'a str,
    node: Option<&'a Node>,
    parent: Option<usize>,
    rest: Trs,
    rest_angles: DVec3,
    /// Its place in the motion's order.
    part: usize,
}

/// Converts a clip on its rig into a take (A56). A model clip without a rig: its parts, at identity
/// rest, each its own root.
///
/// # Errors
/// Why it is refused.
pub fn export_clip(
    clip: &Clip,
    rig: Option<&Rig>,
    options: &ExportOptions,
    progress: &Progress,
) -> Result<(Take, Report), Refusal> {
    check(options)?;
    let motion = motion_of(clip, rig)?;
    let elements = elements(&motion, rig, options);
    if elements.is_empty() {
        return Err(Refusal::Empty);
    }
    let mut report = Report::default();
    let mut tracks: HashMap<&str, [Option<&Track>; 3]> = HashMap::new();
    for track in &clip.tracks {
        tracks.entry(&track.part).or_default()[track.property as usize] = Some(track);
    }
    let mut uids = Uids::default();
    let mut steps = vec![1.0; elements.len()];
    let mut pegs: Vec<Arc<Peg>> = Vec::with_capacity(elements.len());
    let mut baked = vec![[false; 3]; elements.len()];
    let rig_name = rig.map_or(clip.model.as_str(), |rig| rig.name.as_str());
    let mut paths: Vec<String> = vec![String::new(); elements.len()];
    let chains = Chains::new(elements.iter().map(|element| element.parent).collect());
    for at in &chains.order {
        let above = elements[*at].parent.map_or(rig_name, |parent| &paths[parent]);
        paths[*at] = path_of(above, elements[*at].display);
    }
    let keys_of = |at: usize, step: f64, uids: &mut Uids| {
        let element = &elements[at];
        let part = Part {
            clip: motion.clip(),
            id: element.id,
            rest: element.rest,
            rest_angles: element.rest_angles,
            tracks: tracks.get(element.id).copied().unwrap_or_default(),
            by_angles: clip.kind == ClipKind::Model,
            fps: options.fps,
            start: options.start,
        };
        part.keys(step, uids)
    };
    for (at, element) in elements.iter().enumerate() {
        let q = element.rest.rotation;
        let made = keys_of(at, steps[at], &mut uids);
        baked[at] = made.baked;
        pegs.push(Arc::new(Peg {
            uid: uids.fresh(),
            name: element.id.to_owned(),
            path: Some(paths[at].clone()),
            parent: element.parent.map(|parent| elements[parent].id.to_owned()),
            rest_pivot: Some(element.rest.position + DVec3::ZERO),
            rest_rotation: Some([q.w, q.x, q.y, q.z].map(|n| n + 0.0)),
            rig: Some(rig_name.to_owned()),
            is_camera: false,
            source_modes: None,
            keyframes: made.keys,
            origin: None,
        }));
    }
    let end = frame_of(clip.duration_secs, options.start, options.fps);
    let header = Header {
        source: Some(options.source.clone()).filter(|source| !source.is_empty()),
        fps: Some(options.fps),
        coordinate_system: Some(CoordinateSystem::canonical()),
    };
    let mut take = Take {
        header,
        frame_range: Some([options.start, end]),
        pegs,
        cameras: Vec::new(),
        origin: None,
    };
    let limits = options.tolerances.array();
    let mut measured = Measured::default();
    for halving in 0..=HALVINGS {
        let share = |halving: usize| halving as f32 / (HALVINGS + 1) as f32;
        let part = progress.part(share(halving), share(halving + 1));
        measured = measured_take(&take, clip, &motion, &elements, &chains, options, &part)?;
        let over: Vec<bool> = (0..elements.len())
            .map(|at| (0..3).any(|p| measured.joints[at].world[p].error > limits[p]))
            .collect();
        if !over.contains(&true) {
            break;
        }
        let mut due = vec![false; elements.len()];
        for joint in (0..elements.len()).filter(|joint| over[*joint]) {
            for above in chains.chain(joint) {
                let local = measured.joints[above].local;
                let causes = (0..3).any(|p| local[p].error > 0.02 * limits[p]);
                due[above] |= causes && baked[above].contains(&true);
            }
        }
        if halving == HALVINGS || !due.contains(&true) {
            return Err(unreachable(&elements, &measured, limits));
        }
        for at in (0..elements.len()).filter(|at| due[*at]) {
            steps[at] *= 0.5;
            let keyframes = keys_of(at, steps[at], &mut uids).keys;
            take.pegs[at] = Arc::new(Peg { keyframes, ..Peg::clone(&take.pegs[at]) });
        }
    }
    report.space = Some(Space::Local);
    report.start_frame = options.start;
    report.fps = options.fps;
    notes(clip, &elements, &steps, &baked, &mut report);
    for (at, element) in elements.iter().enumerate() {
        report.ids.push((paths[at].clone(), element.id.to_owned()));
        report.joints.push(element.id.to_owned());
        let own = tracks.get(element.id).copied().unwrap_or_default();
        for (slot, (property, track)) in Property::ALL.into_iter().zip(own).enumerate() {
            let Some(track) = track else { continue };
            let peak = measured.joints[at].local[slot];
            report.tracks.push(TrackReport {
                clip: String::new(),
                part: element.id.to_owned(),
                joint: at,
                property,
                source_keys: track.keys.len(),
                keys: take.pegs[at].keyframes.len(),
                method: if baked[at][slot] { "baked" } else { "exact" },
                peak,
            });
        }
    }
    report.measured = measured;
    Ok((take, report))
}

/// Measures a take that was written against its clip again (A53b), in the order of its pegs.
///
/// # Errors
/// Where the clip does not load, or the take is not what came of it.
pub fn measure_export(
    take: &Take,
    clip: &Clip,
    rig: Option<&Rig>,
    options: &ExportOptions,
    progress: &Progress,
) -> Result<Measured, Refusal> {
    check(options)?;
    let motion = motion_of(clip, rig)?;
    let elements = elements(&motion, rig, options);
    let same = elements.len() == take.pegs.len()
        && elements.iter().zip(&take.pegs).all(|(element, peg)| element.id == peg.name);
    if !same {
        return Err(Refusal::Invalid("the export has other pegs than the rig has nodes".into()));
    }
    let chains = Chains::new(elements.iter().map(|element| element.parent).collect());
    measured_take(take, clip, &motion, &elements, &chains, options, progress)
}

fn check(options: &ExportOptions) -> Result<(), Refusal> {
    let refuse = |message: &str| Err(Refusal::Option(message.to_owned()));
    if !(options.fps > 0.0 && options.fps <= 10_000.0) {
        return refuse("frames a second must be above 0, and at most 10000");
    }
    if !(options.start.is_finite() && options.start.abs() <= 1e7) {
        return refuse("the first frame must be a number within ±10,000,000");
    }
    Ok(())
}

/// The clip on its rig, as it plays.
fn motion_of(clip: &Clip, rig: Option<&Rig>) -> Result<MotionRig, Refusal> {
    let compiled = sample::Clip::new(clip).map_err(|problem| Refusal::Invalid(problem.message))?;
    let invalid = |error: sample::RigError| Refusal::Invalid(error.to_string());
    let Some(rig) = rig else {
        if clip.kind == ClipKind::Rig {
            let message = "the clip needs its rig: name it, or correct the clip's binding";
            return Err(Refusal::Invalid(message.to_owned()));
        }
        let part =
            |name: &str| RestPart { name: name.to_owned(), parent: None, rest: Trs::IDENTITY };
        let parts: Vec<RestPart> = compiled.parts().map(part).collect();
        return MotionRig::new(&parts, &compiled).map_err(invalid);
    };
    let binding = Binding::new(rig).map_err(invalid)?;
    match clip.kind {
        ClipKind::Rig => binding.bind(&compiled).map_err(invalid),
        ClipKind::Model => MotionRig::new(binding.parts(), &compiled).map_err(invalid),
    }
}

fn elements<'a>(
    motion: &'a MotionRig,
    rig: Option<&'a Rig>,
    options: &ExportOptions,
) -> Vec<Element<'a>> {
    let Some(rig) = rig else {
        let element = |(part, id): (usize, &'a String)| Element {
            id,
            display: id,
            node: None,
            parent: None,
            rest: Trs::IDENTITY,
            rest_angles: DVec3::ZERO,
            part,
        };
        return motion.names().iter().enumerate().map(element).collect();
    };
    let parent = |node: &Node| node.parent.as_deref().and_then(|id| motion.find(id));
    let mut taken = vec![options.nodes.is_none(); rig.nodes.len()];
    if let Some(wanted) = &options.nodes {
        for start in (0..taken.len()).filter(|node| wanted.get(*node) == Some(&true)) {
            let mut at = Some(start);
            while let Some(node) = at.filter(|node| !taken[*node]) {
                taken[node] = true;
                at = parent(&rig.nodes[node]);
            }
        }
    }
    let mut place = vec![None; taken.len()];
    (0..taken.len()).filter(|n| taken[*n]).enumerate().for_each(|(at, n)| place[n] = Some(at));
    let nodes = rig.nodes.iter().enumerate().filter(|(at, _)| taken[*at]);
    nodes
        .map(|(part, node)| Element {
            id: &node.id,
            display: node.display_name(),
            node: Some(node),
            parent: parent(node).and_then(|parent| place[parent]),
            rest: sample::rest_pose(node),
            rest_angles: node.rotation,
            part,
        })
        .collect()
}

fn measured_take(
    take: &Take,
    clip: &Clip,
    motion: &MotionRig,
    elements: &[Element],
    chains: &Chains,
    options: &ExportOptions,
    progress: &Progress,
) -> Result<Measured, Refusal> {
    let curves = TakeRig::new(take, Space::Local);
    let mut times: Vec<f64> =
        clip.tracks.iter().flat_map(|track| track.keys.iter().map(|key| key.time)).collect();
    times.sort_by(f64::total_cmp);
    // A frame that was made of a key's time is that time, to the last bit.
    let time_at = |frame: f64| {
        let time = (frame - options.start) / options.fps;
        let behind = times.partition_point(|key| *key < time - JUMP_SECS);
        let key = times.get(behind).filter(|key| (**key - time).abs() <= 0.6 * JUMP_SECS);
        key.copied().unwrap_or(time).clamp(0.0, clip.duration_secs)
    };
    let moment = |frame: f64| Moment { frame, time_secs: frame };
    let range = take.frame_range();
    let steps = clip.tracks.iter().filter(|track| track.interpolation == Interpolation::Step);
    let jumps: Vec<f64> = steps
        .flat_map(|track| {
            track.keys.iter().map(|key| frame_of(key.time, options.start, options.fps))
        })
        .collect();
    let near_jump = |frame: f64| {
        let gap = 1.5 * JUMP_SECS * options.fps;
        jumps.iter().any(|jump| frame < *jump && jump - frame < gap)
    };
    let moments: Vec<Moment> = grid(range).filter(|f| !near_jump(*f)).map(moment).collect();
    let motions = Motions {
        source: |frame, out: &mut Vec<Trs>| {
            let mut all = Vec::new();
            motion.sample_local(time_at(frame), 1.0, &mut all);
            out.clear();
            out.extend(elements.iter().map(|element| all[element.part]));
        },
        target: |frame, out: &mut Vec<Trs>, _: &mut Vec<Trs>| {
            out.clear();
            out.extend(curves.curves().pegs().iter().map(|peg| peg.at(frame).trs()));
        },
    };
    Ok(measure(&motions, chains, &moments, progress)?)
}

fn unreachable(elements: &[Element], measured: &Measured, limits: [f64; 3]) -> Refusal {
    let units = ["m", "degrees", "of a factor"];
    let over = (0..3).find_map(|property| {
        let (joint, peak) = measured.worst(property)?;
        (peak.error > limits[property]).then_some((property, joint, peak))
    });
    match over {
        Some((property, joint, peak)) => Refusal::Unreachable {
            part: elements[joint].id.to_owned(),
            error: peak.error,
            unit: units[property],
            frame: peak.frame,
        },
        None => Refusal::Empty,
    }
}

fn notes(
    clip: &Clip,
    elements: &[Element],
    steps: &[f64],
    baked: &[[bool; 3]],
    report: &mut Report,
) {
    if clip.looping {
        let why = "an .anm does not say that it repeats".to_owned();
        report.note("dropped", "loop", why);
    }
    for (at, element) in elements.iter().enumerate() {
        let words = ["position", "rotation", "scale"];
        let which: Vec<&str> = (0..3).filter(|p| baked[at][*p]).map(|p| words[p]).collect();
        if !which.is_empty() {
            let why = format!("{} baked, a key every {} frames", which.join(" and "), steps[at]);
            report.note("changed", element.id, why);
        }
        if let Some(node) = element.node {
            node_notes(node, false, report);
        }
    }
    for track in &clip.tracks {
        if !elements.iter().any(|element| element.id == track.part) {
            let why = format!("{} track: the node was not taken", track.property.as_str());
            report.note("dropped", track.part.clone(), why);
        }
    }
}

/// What of a node has no place in an export (A56).
pub(super) fn node_notes(node: &Node, scale: bool, report: &mut Report) {
    if node.kind != NodeKind::Joint {
        let why = format!("kind {} has no place there; it reads as a joint", node.kind.as_str());
        report.note("dropped", node.id.clone(), why);
    }
    if let Some(model) = &node.model {
        report.note("dropped", node.id.clone(), format!("model {model} has no place there"));
    }
    if scale && node.scale != DVec3::ONE {
        let [x, y, z] = node.scale.to_array();
        let why = format!("rest scale [{x}, {y}, {z}] has no place there; it reads as 1");
        report.note("dropped", node.id.clone(), why);
    }
}
