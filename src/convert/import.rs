//! `.anm` → `.rig` + `.motion` (A50–A55).

use super::clips;
use super::fit::{self, Fit, NoFit, moments};
use super::ids::{self, Named};
use super::measure::{Chains, Motions, measure};
use super::moving::{Joint, ScaleCare, Source};
use super::report::{Measured, Report, TrackReport};
use super::target::{Target, Tracks};
use super::{Refusal, Tolerances, round_secs};
use crate::diagnostic::{Severity, counted};
use crate::format::{codes, lint_take};
use crate::math::{Basis, Trs, euler_from_quat};
use crate::model::limits::{MAX_DEPTH, MAX_DURATION_SECS, MAX_NODES, MAX_TRACKS};
use crate::model::take::{CoordinateSystem, Peg, Take};
use crate::model::{
    Clip, Interpolation, Key, Node, NodeKind, Property, Rig, RigForm, Track, Uid, Uids,
};
use crate::progress::Progress;
use crate::sample::rest_pose;
use crate::sample::take::{
    Space, SpaceMeasure, TakeCurves, TakeRig, declared_basis, measure_space,
};
use glam::DVec3;
use std::sync::Arc;

/// Decimals that rest angles are written with, so that what a file says in fewer comes back.
const REST_DECIMALS: f64 = 1e12;
/// Longest range that is measured, in frames.
const MAX_FRAMES: f64 = 1_000_000.0;
/// Keys that are found beyond what fits are tried with tolerances up to so many times larger.
const LARGEST_FACTOR: f64 = 4096.0;

/// What is asked of an import.
#[derive(Clone, Debug)]
pub struct ImportOptions {
    /// What the values are relative to; `None` to measure it (A20).
    pub space: Option<Space>,
    /// What may differ (A53b).
    pub tolerances: Tolerances,
    /// What the rig is called, and what clips say in `model` (A51).
    pub name: String,
    /// What clips say in `binding` (A51).
    pub binding: String,
    /// Whether clips repeat (A50).
    pub looping: bool,
    /// Whether there may be several clips (A54).
    pub split: bool,
    /// Whether `rot` counts where `rot_quat` is no rotation (A2).
    pub use_rot: bool,
    /// Whether scales that mirror count without their signs (A52).
    pub abs_scale: bool,
    /// Which pegs are taken, in the order of the file; what they hang on comes with them. `None`
    /// for all.
    pub pegs: Option<Vec<bool>>,
}

impl ImportOptions {
    /// As the format's own text wants it: the space measured, one clip that does not repeat.
    pub fn new(name: &str) -> Self {
        ImportOptions {
            space: None,
            tolerances: Tolerances::default(),
            name: name.to_owned(),
            binding: format!("{name}.rig"),
            looping: false,
            split: false,
            use_rot: false,
            abs_scale: false,
            pegs: None,
        }
    }
}

/// What an import makes.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The rig.
    pub rig: Rig,
    /// The clips, with what their files are called before `.motion`: NAME, or NAME.1, NAME.2.
    pub clips: Vec<(String, Clip)>,
    /// The place in the take of each node's peg.
    pub pegs: Vec<usize>,
    /// What is to be said of it; its errors are those of the values before they were written.
    pub report: Report,
}

/// Converts a take into a rig and one or more clips (A50–A55).
///
/// # Errors
/// Why it is refused, and what a person may agree to ([`Refusal::consents`]).
pub fn import_take(
    take: &Take,
    options: &ImportOptions,
    progress: &Progress,
) -> Result<Imported, Refusal> {
    let (source, mut report) = prepare(take, options, &progress.part(0.0, 0.1))?;
    let chains = chains_of(&source);
    let fitting = progress.part(0.1, 1.0);
    let fit = match fit::fit(&source, &chains, options.tolerances, &fitting) {
        Ok(fit) => fit,
        Err(NoFit::Refused(refusal)) => return Err(refusal),
        Err(NoFit::Overflow(overflow)) => {
            let fits = smallest_that_fits(&source, &chains, options.tolerances, progress)?;
            return Err(Refusal::Keys {
                part: source.joints[overflow.joint].id.clone(),
                property: overflow.property.as_str(),
                keys: overflow.keys,
                fits,
            });
        }
    };
    let made = assemble(take, &source, &chains, fit, options, &mut report)?;
    progress.set(1.0);
    Ok(made)
}

/// Measures what was written against its source again (A53b): the rig and the clips as they were
/// read back. Joints are in the order of the rig's nodes.
///
/// # Errors
/// Where the take is refused, or these are not what came of it.
pub fn measure_import(
    take: &Take,
    options: &ImportOptions,
    rig: &Rig,
    clips: &[Clip],
    progress: &Progress,
) -> Result<Measured, Refusal> {
    let (mut source, _) = prepare(take, options, &progress.part(0.0, 0.1))?;
    let same = rig.nodes.len() == source.joints.len()
        && rig.nodes.iter().zip(&source.joints).all(|(node, joint)| node.id == joint.id);
    if !same {
        return Err(Refusal::Invalid("the rig has other nodes than the export has pegs".into()));
    }
    let ids: Vec<String> = rig.nodes.iter().map(|node| node.id.clone()).collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let rests: Vec<Trs> = rig.nodes.iter().map(|node| rest_pose(node)).collect();
    let mut tracks: Vec<Tracks> = vec![[None, None, None]; ids.len()];
    let mut gaps = Vec::new();
    for track in clips.iter().flat_map(|clip| &clip.tracks) {
        let Some(joint) = ids.iter().position(|id| *id == track.part) else {
            return Err(Refusal::Invalid(format!("{} is no node of the rig", track.part)));
        };
        if track.interpolation == Interpolation::Linear {
            let near = |pair: &&[Key]| pair[1].time - pair[0].time <= 2.5 * super::JUMP_SECS;
            gaps.extend(track.keys.windows(2).filter(near).map(|p| [p[0].time, p[1].time]));
        }
        let slot = Property::ALL.iter().position(|p| *p == track.property).unwrap_or(0);
        tracks[joint][slot] = Some(Arc::clone(track));
    }
    if let Some(clip) = clips.first() {
        source.duration_secs = clip.duration_secs;
    }
    let target =
        Target::new(&ids, rests, &tracks, source.duration_secs).map_err(Refusal::Invalid)?;
    let chains = chains_of(&source);
    let motions = Motions {
        source: |frame, out: &mut Vec<Trs>| {
            out.clear();
            out.extend((0..source.joints.len()).map(|joint| source.local(joint, frame)));
        },
        target: |time, out: &mut Vec<Trs>, scratch: &mut Vec<Trs>| {
            target.sample(time, out, scratch);
        },
    };
    let moments = moments(&source, gaps.iter());
    Ok(measure(&motions, &chains, &moments, &progress.part(0.1, 1.0))?)
}

fn chains_of(source: &Source) -> Chains {
    Chains::new(source.joints.iter().map(|joint| joint.parent).collect())
}

/// Judges a take, and makes it ready to be looked at.
fn prepare(
    take: &Take,
    options: &ImportOptions,
    progress: &Progress,
) -> Result<(Source, Report), Refusal> {
    let mut report = Report::default();
    if take.pegs.is_empty() {
        return Err(Refusal::Empty);
    }
    let basis = declared_basis(take.header.coordinate_system.as_ref())?;
    refuse_problems(take, &progress.part(0.0, 0.6))?;
    if progress.is_cancelled() {
        return Err(Refusal::Cancelled);
    }
    let cares = cares(take, options, &mut report)?;
    let (fps, range) = (take.fps(), take.frame_range());
    let frames = range[1] - range[0];
    let secs = if frames > 0.0 { frames / fps } else { 1.0 / fps };
    let duration_secs = round_secs(secs);
    if !(duration_secs > 0.0 && duration_secs <= MAX_DURATION_SECS) {
        return Err(Refusal::TooLong { secs });
    }
    if frames > MAX_FRAMES {
        return Err(Refusal::TooManyFrames { frames });
    }
    let curves = TakeCurves::new(take, Space::World);
    let measured = measure_space(take, &curves);
    let space = space_of(options, &measured)?;
    report.space = Some(space);
    report.residuals = Some(measured.figures);
    let rig = TakeRig::with_curves(take, space, &curves);
    let taken = taken(take, options, &rig);
    if taken.len() > MAX_NODES {
        return Err(Refusal::Nodes { count: taken.len() });
    }
    let named: Vec<Named> = taken.iter().map(|peg| named(&take.pegs[*peg])).collect();
    let ids = ids::ids(&named);
    let mut place = vec![None; take.pegs.len()];
    taken.iter().enumerate().for_each(|(joint, peg)| place[*peg] = Some(joint));
    let joint = |(peg, id): (&usize, &String)| {
        let rest = rig.rest(*peg).unwrap_or_default();
        let angles = rest_angles(&rest);
        let parent = rig.parent(*peg).and_then(|parent| place[parent]);
        let rest = Trs { rotation: crate::math::quat_from_euler(angles), ..rest };
        Joint { peg: *peg, parent, id: id.clone(), rest, care: cares[*peg] }
    };
    let joints: Vec<Joint> = taken.iter().zip(&ids).map(joint).collect();
    let chains = Chains::new(joints.iter().map(|joint| joint.parent).collect());
    refuse_depth(&chains)?;
    let file_rest = |joint: &Joint| {
        let peg = &take.pegs[joint.peg];
        Trs { position: peg.rest_pivot(), rotation: peg.rest_rotation(), scale: DVec3::ONE }
    };
    let file_rests = joints.iter().map(file_rest).collect();
    notes(take, options, basis, &taken, &ids, &mut report);
    report.start_frame = range[0];
    report.fps = fps;
    let source = Source { rig, joints, range, fps, duration_secs, file_rests };
    Ok((source, report))
}

/// A rest's angles as they are written.
pub(super) fn rest_angles(rest: &Trs) -> DVec3 {
    (euler_from_quat(rest.rotation) * REST_DECIMALS).round() / REST_DECIMALS + DVec3::ZERO
}

fn named(peg: &Peg) -> Named<'_> {
    Named { name: &peg.name, rig: peg.rig.as_deref(), path: peg.path.as_deref() }
}

/// Refuses what is deeper than a rig may be (A54).
pub(super) fn refuse_depth(chains: &Chains) -> Result<(), Refusal> {
    let mut levels = vec![1; chains.parents.len()];
    for joint in &chains.order {
        if let Some(parent) = chains.parents[*joint] {
            levels[*joint] = levels[parent] + 1;
        }
    }
    match levels.into_iter().max().unwrap_or(0) {
        levels if levels > MAX_DEPTH => Err(Refusal::Depth { levels }),
        _ => Ok(()),
    }
}

/// Refuses what a lint names as an error, but for what options speak of.
fn refuse_problems(take: &Take, progress: &Progress) -> Result<(), Refusal> {
    // `rot_quat` is what counts (the format says so), however far `rot` is off: that is reported.
    let others = [
        codes::QUATERNION_ZERO,
        codes::SCALE_MIRRORED,
        codes::ROTATIONS_FAR_APART,
        codes::COORDINATES,
    ];
    let rest = |path: &str| path.ends_with("rest_rotation");
    for problem in lint_take(take, progress) {
        let own = others.contains(&problem.code) && !rest(&problem.path);
        if problem.severity == Severity::Error && !own {
            return Err(Refusal::Problem { path: problem.path, message: problem.message });
        }
    }
    Ok(())
}

/// What is done about each peg's scale, with notes (A52); refuses what needs an option.
fn cares(
    take: &Take,
    options: &ImportOptions,
    report: &mut Report,
) -> Result<Vec<ScaleCare>, Refusal> {
    let mut first_quat: Option<(String, f64)> = None;
    let mut first_mirror: Option<(String, f64)> = None;
    let (mut quats, mut mirrors) = (0, 0);
    let mut cares = vec![ScaleCare::default(); take.pegs.len()];
    for (index, peg) in take.pegs.iter().enumerate() {
        let path = |key: usize| format!("pegs[{index}].keyframes[{key}]");
        let (mut folded, mut flat, mut sized, mut by_rot) = (0, 0, 0, 0);
        for (at, key) in peg.keyframes.iter().enumerate() {
            if key.rot_quat.is_some() && key.quat().is_none() {
                quats += 1;
                by_rot += 1;
                if first_quat.is_none() && !(options.use_rot && key.rot.is_some()) {
                    first_quat = Some((path(at), key.frame));
                }
            }
            let Some(scale) = key.scl else { continue };
            let negative = scale.to_array().iter().filter(|factor| **factor < 0.0).count();
            flat += usize::from(scale.to_array().contains(&0.0));
            match negative {
                0 => {}
                2 => folded += 1,
                _ => {
                    sized += 1;
                    mirrors += 1;
                    if first_mirror.is_none() {
                        first_mirror = Some((path(at), key.frame));
                    }
                }
            }
        }
        cares[index] = ScaleCare { folds: folded > 0, mirrors: sized > 0 && options.abs_scale };
        let name = || label(peg);
        if folded > 0 {
            let why = format!(
                "{} with two negative factors: half a turn instead",
                counted(folded, "key")
            );
            report.note("folded", name(), why);
        }
        if sized > 0 {
            let why = format!("{} whose scale mirrors: its size alone", counted(sized, "key"));
            report.note("changed", name(), why);
        }
        if flat > 0 {
            let why = format!("{} with a factor of 0: 0.0001", counted(flat, "key"));
            report.note("clamped", name(), why);
        }
        if by_rot > 0 {
            let why = format!("{} by `rot`: `rot_quat` is none", counted(by_rot, "key"));
            report.note("changed", name(), why);
        }
    }
    if let Some((path, frame)) = first_quat {
        return Err(Refusal::Quaternion { path, frame, count: quats });
    }
    match first_mirror.filter(|_| !options.abs_scale) {
        Some((path, frame)) => Err(Refusal::Mirrored { path, frame, count: mirrors }),
        None => Ok(cares),
    }
}

fn label(peg: &Peg) -> String {
    peg.path.clone().filter(|path| !path.is_empty()).unwrap_or_else(|| peg.name.clone())
}

fn space_of(options: &ImportOptions, measured: &SpaceMeasure) -> Result<Space, Refusal> {
    let space = options.space.or(measured.decided);
    space.ok_or_else(|| Refusal::Space(Box::new(measured.clone())))
}

/// The pegs that are taken, in the order of the file.
fn taken(take: &Take, options: &ImportOptions, rig: &TakeRig) -> Vec<usize> {
    let Some(wanted) = &options.pegs else { return (0..take.pegs.len()).collect() };
    let mut taken = vec![false; take.pegs.len()];
    for start in (0..take.pegs.len()).filter(|peg| wanted.get(*peg) == Some(&true)) {
        let mut at = Some(start);
        while let Some(peg) = at.filter(|peg| !taken[*peg]) {
            taken[peg] = true;
            at = rig.parent(peg);
        }
    }
    (0..taken.len()).filter(|peg| taken[*peg]).collect()
}

/// What the change of basis does (A21).
pub(super) fn basis_notes(system: Option<&CoordinateSystem>, basis: Basis, report: &mut Report) {
    if !basis.is_canonical() {
        let axes = match basis.axes {
            crate::math::Axes::YUp => "Y up, right-handed",
            crate::math::Axes::ZUp => "Z up to Y up",
            crate::math::Axes::YUpLeftHanded => {
                "left-handed to right-handed by z, as the file does not say which axis was mirrored"
            }
        };
        let why = format!("{axes}; a length of 1 is {} m", basis.meters);
        report.note("changed", "coordinate_system", why);
    }
    let order = system.and_then(|system| system.rot_order.written.clone()).unwrap_or_default();
    if !order.eq_ignore_ascii_case("xyz") && system.is_some_and(|s| !s.canonical_fields()[3]) {
        let why = format!("angles of `rot` turn in the order {order}; written as xyz, fixed axes");
        report.note("changed", "coordinate_system.rot_order", why);
    }
}

/// What is not as it was, but for the tracks.
fn notes(
    take: &Take,
    options: &ImportOptions,
    basis: Basis,
    taken: &[usize],
    ids: &[String],
    report: &mut Report,
) {
    let system = take.header.coordinate_system.as_ref();
    basis_notes(system, basis, report);
    let angles = crate::model::take::Angles::of(system);
    let [start, end] = take.frame_range();
    for (peg, id) in taken.iter().zip(ids) {
        let peg = &take.pegs[*peg];
        let name = label(peg);
        report.ids.push((name.clone(), id.clone()));
        if *id != peg.name {
            report.note("renamed", name.clone(), format!("its id is {id}"));
        }
        let keys = &peg.keyframes;
        let outside = keys.iter().filter(|k| k.frame < start || k.frame > end).count();
        if outside > 0 {
            let why = format!(
                "{} outside frames {start} to {end}; cut at its ends",
                counted(outside, "key")
            );
            report.note("clamped", name.clone(), why);
        }
        let unsorted = keys.windows(2).filter(|pair| pair[1].frame < pair[0].frame).count();
        if unsorted > 0 {
            let why = format!("{} after a later one", counted(unsorted, "key"));
            report.note("sorted", name.clone(), why);
        }
        let mut frames: Vec<f64> = keys.iter().map(|key| key.frame).collect();
        frames.sort_by(f64::total_cmp);
        let twice = frames.windows(2).filter(|pair| pair[0] == pair[1]).count();
        if twice > 0 {
            let why =
                format!("{} on the frame of another; the last one counts", counted(twice, "key"));
            report.note("dropped", name.clone(), why);
        }
        let mut worst = (0.0, 0.0);
        for key in keys {
            let own = key.rot.and_then(|rot| angles.quat(rot));
            if let (Some(own), Some(quat)) = (own, key.quat()) {
                let apart = crate::math::apart_deg(own, quat);
                if apart > worst.0 {
                    worst = (apart, key.frame);
                }
            }
        }
        if worst.0 > 0.1 {
            let why = format!(
                "`rot` is up to {:.6}° off `rot_quat` (frame {}); `rot_quat` counts",
                worst.0, worst.1
            );
            report.note("dropped", name, why);
        }
    }
    for (index, peg) in take.pegs.iter().enumerate() {
        if taken.binary_search(&index).is_err() {
            report.note("dropped", label(peg), "not taken".to_owned());
        }
    }
    for camera in &take.cameras {
        let name = camera.name.clone().unwrap_or_default();
        let peg = camera.peg.as_deref().unwrap_or("none");
        let why = format!("a clip holds no cameras; its peg ({peg}) moves on");
        report.note("dropped", name, why);
    }
    if options.use_rot && report.notes.iter().all(|n| !n.why.contains("by `rot`")) {
        report.note("unused", "--use-rot", "every `rot_quat` is a rotation".to_owned());
    }
}

/// The smallest tolerances, in steps of a few percent, with which every track fits into a clip.
fn smallest_that_fits(
    source: &Source,
    chains: &Chains,
    tolerances: Tolerances,
    progress: &Progress,
) -> Result<Option<Tolerances>, Refusal> {
    let holds = |factor: f64| -> Result<bool, Refusal> {
        // Who waits sees only that it goes on.
        match fit::fit(source, chains, rounded(tolerances.times(factor)), &progress.part(0.9, 0.99))
        {
            Ok(_) => Ok(true),
            Err(NoFit::Overflow(_)) => Ok(false),
            Err(NoFit::Refused(refusal)) => Err(refusal),
        }
    };
    let (mut low, mut high) = (1.0, 2.0);
    while !holds(high)? {
        (low, high) = (high, high * 2.0);
        if high > LARGEST_FACTOR {
            return Ok(None);
        }
    }
    while high / low > 1.06 {
        let middle = (low * high).sqrt();
        if holds(middle)? { high = middle } else { low = middle }
    }
    Ok(Some(rounded(tolerances.times(high))))
}

/// Three digits, upwards: what a person types.
fn rounded(tolerances: Tolerances) -> Tolerances {
    let up = |value: f64| {
        let unit = 10_f64.powf(value.log10().floor() - 2.0);
        let digits = (value / unit - 1e-6).ceil();
        format!("{:.12}", digits * unit).parse().unwrap_or(value)
    };
    Tolerances {
        position_m: up(tolerances.position_m),
        angle_deg: up(tolerances.angle_deg),
        scale: up(tolerances.scale),
    }
}

fn assemble(
    take: &Take,
    source: &Source,
    chains: &Chains,
    mut fit: Fit,
    options: &ImportOptions,
    report: &mut Report,
) -> Result<Imported, Refusal> {
    let mut counts: Vec<usize> = fit.tracks.iter().map(clips::count).collect();
    if counts.iter().all(|count| *count == 0) {
        // A clip has at least one track.
        let joint = &source.joints[0];
        let key = Key { uid: Uid(0), time: 0.0, value: joint.rest.position, origin: None };
        let track = Track {
            uid: Uid(0),
            part: joint.id.clone(),
            property: Property::Position,
            interpolation: Interpolation::Linear,
            curve: None,
            keys: vec![key],
            origin: None,
        };
        fit.tracks[0][0] = Some(fit::Fitted { track: Arc::new(track), method: "linear" });
        counts[0] = 1;
        let why = "nothing moves, and a clip has at least one track: its rest".to_owned();
        report.note("changed", joint.id.clone(), why);
    }
    let total: usize = counts.iter().sum();
    let shares = clips::shares(chains, &counts);
    if total > MAX_TRACKS && !options.split {
        let of = |property: usize| fit.tracks.iter().filter(|t| t[property].is_some()).count();
        let [positions, rotations, scales] = [0, 1, 2].map(of);
        let clips = shares.len();
        return Err(Refusal::Tracks { count: total, positions, rotations, scales, clips });
    }
    let mut uids = Uids::default();
    let rig = rig(take, source, options, &mut uids);
    let shares = if total > MAX_TRACKS { shares } else { vec![(0..counts.len()).collect()] };
    let several = shares.len() > 1;
    if several {
        let why = format!("{total} tracks into {} clips of at most {MAX_TRACKS}", shares.len());
        report.note("split", options.name.clone(), why);
    }
    report.written.push(format!("{}.rig", options.name));
    let mut made = Vec::with_capacity(shares.len());
    for (number, joints) in shares.iter().enumerate() {
        let stem = match several {
            true => format!("{}.{}", options.name, number + 1),
            false => options.name.clone(),
        };
        let file = format!("{stem}.motion");
        let mut tracks = Vec::new();
        for joint in joints {
            for (property, fitted) in Property::ALL.into_iter().zip(&fit.tracks[*joint]) {
                let Some(fitted) = fitted else { continue };
                tracks.push(Arc::clone(&fitted.track));
                let slot = property as usize;
                let peak = fit.measured.joints[*joint].local[slot];
                report.tracks.push(TrackReport {
                    clip: file.clone(),
                    part: source.joints[*joint].id.clone(),
                    joint: *joint,
                    property,
                    source_keys: take.pegs[source.joints[*joint].peg].keyframes.len(),
                    keys: fitted.track.keys.len(),
                    method: fitted.method,
                    peak,
                });
            }
        }
        let (name, binding) = (&options.name, &options.binding);
        let secs = source.duration_secs;
        let clip = clips::clip(tracks, name, binding, secs, options.looping, &mut uids);
        report.written.push(file);
        made.push((stem, clip));
    }
    report.joints = source.joints.iter().map(|joint| joint.id.clone()).collect();
    report.measured = fit.measured;
    let pegs = source.joints.iter().map(|joint| joint.peg).collect();
    Ok(Imported { rig, clips: made, pegs, report: std::mem::take(report) })
}

fn rig(take: &Take, source: &Source, options: &ImportOptions, uids: &mut Uids) -> Rig {
    let node = |joint: &Joint| {
        let peg = &take.pegs[joint.peg];
        let above = match source.rig.parent(joint.peg).and_then(|parent| take.pegs.get(parent)) {
            Some(parent) => parent.path.as_deref(),
            None => peg.rig.as_deref(),
        };
        let name = ids::display_name(&named(peg), above);
        let kind = if peg.is_camera { NodeKind::Entity } else { NodeKind::Joint };
        Arc::new(Node {
            uid: uids.fresh(),
            id: joint.id.clone(),
            name: Some(name.to_owned()).filter(|name| !name.is_empty() && *name != joint.id),
            kind,
            parent: joint.parent.map(|parent| source.joints[parent].id.clone()),
            model: None,
            position: joint.rest.position + DVec3::ZERO,
            rotation: rest_angles(&joint.rest),
            scale: DVec3::ONE,
            origin: None,
        })
    };
    let nodes = source.joints.iter().map(node).collect();
    Rig { form: RigForm::Rig, name: options.name.clone(), nodes, origin: None }
}
