//! How two clips differ.

use super::keyframes::{unknown, unknown_differs};
use super::pairs::Pairs;
use super::report::{Change, Clock, Element, KeyChange, KeysChange, Tolerances, What};
use super::take::{field, top_unknown};
use super::times::{SAME_TIME, pair_keys};
use crate::format::{FileKind, Holder};
use crate::math::{apart_deg, quat_from_euler};
use crate::model::take::Channel;
use crate::model::{Clip, ClipForm, ClipKind, Interpolation, Key, Property, Track};
use crate::source::{number, vector};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// The fields of two clips themselves.
pub(super) fn header(a: &Clip, b: &Clip) -> Vec<Change> {
    let mut changes = Vec::new();
    if (a.duration_secs - b.duration_secs).abs() > SAME_TIME {
        let [from, to] = [a, b].map(|clip| Some(number(clip.duration_secs)));
        field("duration", from, to, &mut changes);
    }
    let kind = |clip: &Clip| match clip.kind {
        ClipKind::Model => Some("model clip".to_owned()),
        ClipKind::Rig => Some("rig clip".to_owned()),
    };
    field("format", kind(a), kind(b), &mut changes);
    if a.kind == b.kind && (a.form == ClipForm::Legacy) != (b.form == ClipForm::Legacy) {
        let form = |clip: &Clip| match clip.form {
            ClipForm::Legacy => Some("legacy".to_owned()),
            ClipForm::Bare | ClipForm::Format => None,
        };
        field("version", form(a), form(b), &mut changes);
    }
    field("loop", Some(a.looping.to_string()), Some(b.looping.to_string()), &mut changes);
    field("model", Some(a.model.clone()), Some(b.model.clone()), &mut changes);
    field("binding", a.binding.clone(), b.binding.clone(), &mut changes);
    let source = |clip: &Clip| clip.origin.as_ref().map(|o| Arc::clone(&o.source));
    top_unknown(source(a), source(b), FileKind::Motion, &mut changes);
    changes
}

/// A part of a clip with its tracks, by their places.
struct Part<'a> {
    name: &'a str,
    tracks: Vec<usize>,
}

fn parts(clip: &Clip) -> Vec<Part<'_>> {
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut parts: Vec<Part> = Vec::new();
    for (at, track) in clip.tracks.iter().enumerate() {
        let place = *places.entry(&track.part).or_insert_with(|| {
            parts.push(Part { name: &track.part, tracks: Vec::new() });
            parts.len() - 1
        });
        parts[place].tracks.push(at);
    }
    parts
}

/// What tracks hold, as a number.
fn content(clip: &Clip, part: &Part) -> u64 {
    let mut tracks: Vec<u64> = Vec::new();
    for track in part.tracks.iter().map(|at| &clip.tracks[*at]) {
        let mut hasher = DefaultHasher::new();
        track.property.hash(&mut hasher);
        for key in &track.keys {
            for number in [key.time, key.value.x, key.value.y, key.value.z] {
                (number + 0.0).to_bits().hash(&mut hasher);
            }
        }
        tracks.push(hasher.finish());
    }
    // The order of tracks says nothing.
    tracks.sort_unstable();
    let mut hasher = DefaultHasher::new();
    tracks.hash(&mut hasher);
    hasher.finish()
}

/// The share of keys of two parts that are the same, 0 to 1.
fn likeness(a: (&Clip, &Part), b: (&Clip, &Part)) -> f64 {
    let keys = |(clip, part): (&Clip, &Part)| {
        part.tracks.iter().map(|at| clip.tracks[*at].keys.len()).sum::<usize>()
    };
    let most = keys(a).max(keys(b));
    let mut same = 0;
    for track in a.1.tracks.iter().map(|at| &a.0.tracks[*at]) {
        let others = b.1.tracks.iter().map(|at| &b.0.tracks[*at]);
        for other in others.filter(|other| other.property == track.property) {
            let alike = |(x, y): &(&Key, &Key)| x.time == y.time && x.value == y.value;
            same += track.keys.iter().zip(&other.keys).filter(alike).count();
        }
    }
    if most < 2 { 0.0 } else { same as f64 / most as f64 }
}

/// How the tracks of two clips differ; parts that have another name stand by themselves.
/// `renamed` says of a part of the first clip what it is called in the second, where rigs tell.
pub(super) fn tracks(
    a: &Clip,
    b: &Clip,
    renamed: &HashMap<String, String>,
    tolerances: &Tolerances,
) -> Vec<Element> {
    let (parts_a, parts_b) = (parts(a), parts(b));
    let mut pairs = Pairs::new(parts_a.len(), parts_b.len());
    let told = |name: &str| renamed.get(name).cloned().unwrap_or_else(|| name.to_owned());
    let of_b = |at: usize| Some(parts_b[at].name.to_owned());
    pairs.unique(|at| Some(told(parts_a[at].name)), of_b);
    pairs.unique(|at| Some(parts_a[at].name.to_owned()), of_b);
    pairs.unique(|at| Some(content(a, &parts_a[at])), |at| Some(content(b, &parts_b[at])));
    pairs.by_likeness(|x, y| likeness((a, &parts_a[x]), (b, &parts_b[y])));
    let mut elements = Vec::new();
    let label = |track: &Track| format!("{}.{}", track.part, track.property.as_str());
    let only = |clip: &Clip, at: usize, of_a: bool| {
        let track = &clip.tracks[at];
        let keys = track.keys.len();
        let change = if of_a { Change::Removed { keys } } else { Change::Added { keys } };
        let (a, b) = if of_a { (Some(at), None) } else { (None, Some(at)) };
        Element { what: What::Track, name: label(track), a, b, changes: vec![change] }
    };
    for (x, y) in pairs.both() {
        let (part_a, part_b) = (&parts_a[x], &parts_b[y]);
        if part_a.name != part_b.name {
            let (from, to) = (part_a.name.to_owned(), part_b.name.to_owned());
            let (name, changes) = (from.clone(), vec![Change::Renamed { from, to }]);
            elements.push(Element { what: What::Part, name, a: None, b: None, changes });
        }
        let mut same = Pairs::new(part_a.tracks.len(), part_b.tracks.len());
        // Drafts may have several of one property: in their order.
        same.in_order(
            |at| Some(a.tracks[part_a.tracks[at]].property),
            |at| Some(b.tracks[part_b.tracks[at]].property),
        );
        for (i, j) in same.both() {
            let (i, j) = (part_a.tracks[i], part_b.tracks[j]);
            let (track_a, track_b) = (&a.tracks[i], &b.tracks[j]);
            if Arc::ptr_eq(track_a, track_b) && a.kind == b.kind {
                continue;
            }
            let changes = track((track_a, a.kind), (track_b, b.kind), tolerances);
            if !changes.is_empty() {
                let (what, name) = (What::Track, label(track_a));
                elements.push(Element { what, name, a: Some(i), b: Some(j), changes });
            }
        }
        elements.extend(same.open_a().into_iter().map(|at| only(a, part_a.tracks[at], true)));
        elements.extend(same.open_b().into_iter().map(|at| only(b, part_b.tracks[at], false)));
    }
    for x in pairs.open_a() {
        elements.extend(parts_a[x].tracks.iter().map(|at| only(a, *at, true)));
    }
    for y in pairs.open_b() {
        elements.extend(parts_b[y].tracks.iter().map(|at| only(b, *at, false)));
    }
    elements
}

fn track(
    (a, kind_a): (&Track, ClipKind),
    (b, kind_b): (&Track, ClipKind),
    tolerances: &Tolerances,
) -> Vec<Change> {
    let mut changes = Vec::new();
    let word = |track: &Track| Some(track.interpolation.as_str().to_owned());
    field("interpolation", word(a), word(b), &mut changes);
    let apart = a.curve().iter().zip(b.curve()).any(|(x, y)| (x - y).abs() > SAME_CURVE);
    // A curve counts for bezier alone; elsewhere it is there to be kept.
    let counts = [a, b].iter().any(|t| t.interpolation == Interpolation::Bezier);
    if apart && (counts || a.curve != b.curve) {
        field("curve", Some(vector(&a.curve())), Some(vector(&b.curve())), &mut changes);
    }
    // Angles of model clips blend one by one: whole turns count (M22).
    let angles = kind_a == ClipKind::Model || kind_b == ClipKind::Model;
    changes.extend(keys(a, b, angles, tolerances));
    if unknown_differs(&a.origin, &b.origin, Holder::Track) {
        unknown(&a.origin, &b.origin, Holder::Track, &mut changes);
    }
    changes
}

/// Curves whose numbers are no further apart are the same (A53).
const SAME_CURVE: f64 = 1e-4;

fn keys(a: &Track, b: &Track, angles: bool, tolerances: &Tolerances) -> Option<Change> {
    let channel = match a.property {
        Property::Position => Channel::Pos,
        Property::Rotation => Channel::Rot,
        Property::Scale => Channel::Scl,
    };
    let place = a.property as usize;
    let apart = |i: usize, j: usize| {
        let (x, y) = (a.keys[i].value, b.keys[j].value);
        if x == y {
            return 0.0;
        }
        match channel {
            Channel::Pos => x.distance(y),
            Channel::Scl => (x - y).abs().max_element(),
            Channel::Rot if angles => (x - y).abs().max_element().to_degrees(),
            Channel::Rot => apart_deg(quat_from_euler(x), quat_from_euler(y)),
        }
    };
    let by = |i: usize, j: usize| {
        let by = apart(i, j);
        if tolerances.beyond(channel, by) { by } else { 0.0 }
    };
    let times = |track: &Track| track.keys.iter().map(|key| key.time).collect::<Vec<_>>();
    let pairs = pair_keys(&times(a), &times(b), &|i, j| by(i, j) == 0.0);
    let mut changes = Vec::new();
    for (i, j) in pairs {
        let change = match (i, j) {
            (Some(i), Some(j)) => {
                let (i, j) = (i as usize, j as usize);
                let (x, y) = (&a.keys[i], &b.keys[j]);
                let mut change = KeyChange { at: x.time, ..KeyChange::default() };
                if (y.time - x.time).abs() > SAME_TIME {
                    change.moved = y.time - x.time;
                }
                change.by[place] = by(i, j);
                change.unknown = unknown_differs(&x.origin, &y.origin, Holder::Key);
                change
            }
            (Some(i), None) => KeyChange { at: a.keys[i as usize].time, ..KeyChange::default() },
            (None, Some(j)) => KeyChange { at: b.keys[j as usize].time, ..KeyChange::default() },
            (None, None) => continue,
        };
        let change = KeyChange { a: i, b: j, ..change };
        if !change.is_same() {
            changes.push(change);
        }
    }
    let some = !changes.is_empty();
    some.then(|| Change::Keys(Box::new(KeysChange { clock: Clock::Seconds, keys: changes })))
}
