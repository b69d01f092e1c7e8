//! `.motion` text to a clip (M1–M7).

use super::log::{Log, Phase};
use super::repair::KeyRepairs;
use super::{Reading, codes, field, repair, version};
use crate::diagnostic::{Problem, Severity};
use crate::math::quat_from_euler;
use crate::model::limits::{MAX_DURATION_SECS, MAX_KEYS, MAX_TRACKS, MAX_VALUE};
use crate::model::{
    Clip, ClipKind, ClipOrigin, Interpolation, Key, Origin, Property, Track, Uids, messages,
};
use crate::source::{Kind, NodeId, Source};
use glam::DVec3;
use std::collections::HashSet;
use std::f64::consts::PI;
use std::sync::Arc;

/// Rotation keys nearer to half a turn than this are warned of (M22), in radians.
const HALF_TURN_TOLERANCE: f64 = 0.001;

pub(super) fn read(source: &Arc<Source>, uids: &mut Uids) -> Reading<Clip> {
    let (read, fatal, problems) = read_all(source, uids);
    Reading { value: read.filter(|_| !fatal), problems }
}

/// The clip that stands there, also where it breaks limits that a later change may put right.
pub(super) fn read_loosely(source: &Arc<Source>, uids: &mut Uids) -> Option<Clip> {
    read_all(source, uids).0
}

/// What the model can hold, whether an error stands in its way, and all problems.
fn read_all(source: &Arc<Source>, uids: &mut Uids) -> (Option<Clip>, bool, Vec<Problem>) {
    let mut log = Log::new(source);
    log.duplicates();
    let root = source.root();
    log.tag_suits(Phase::Version, root, String::new);
    let (kind, form) = version::clip(&mut log, root);
    let binding = binding(&mut log, root, kind);
    let model = model(&mut log, root);
    let duration_secs = duration(&mut log, root, model.is_none());
    let looping = looping(&mut log, root);
    let mut reader =
        Reader { source, uids, log, kind, duration_secs, seen: HashSet::new(), tracks: Vec::new() };
    reader.tracks(root);
    let Reader { log, tracks, .. } = reader;
    let (fatal, unreadable) = (log.fatal, log.unreadable);
    let problems = log.finish();
    let value = match (kind, model, duration_secs, looping) {
        (Some(kind), Some(model), Some(duration_secs), Some(looping)) if !unreadable => {
            Some(Clip {
                kind,
                form,
                binding,
                model,
                duration_secs,
                looping,
                origin: Some(Arc::new(ClipOrigin {
                    source: source.clone(),
                    kind,
                    form,
                    tracks: tracks.clone(),
                })),
                tracks,
            })
        }
        _ => None,
    };
    (value, fatal, problems)
}

/// The binding of a rig clip. A model clip's own is an unknown field (M11).
fn binding(log: &mut Log, root: NodeId, kind: Option<ClipKind>) -> Option<String> {
    if kind != Some(ClipKind::Rig) {
        return None;
    }
    let source = log.source;
    let at = source.entry(root, "binding").map(|(_, at)| at);
    let path = || "binding".to_owned();
    let span = log.at_or(at, root);
    match at {
        Some(at) if !field::is_null(source, at) => {
            if !log.tag_suits(Phase::Body, at, path) {
                return None;
            }
            match field::string(source, at) {
                Some(text) if !text.is_empty() => return Some(text),
                Some(_) => log.draft(codes::NO_BINDING, messages::NO_BINDING, path(), span),
                // A list or a map: not a draft, since saving one would lose it.
                None => {
                    log.error(Phase::Body, codes::NO_BINDING, messages::NO_BINDING, path(), span);
                }
            }
        }
        _ => log.draft(codes::NO_BINDING, messages::NO_BINDING, path(), span),
    }
    None
}

fn model(log: &mut Log, root: NodeId) -> Option<String> {
    let at = log.source.entry(root, "model").map(|(_, at)| at);
    let path = || "model".to_owned();
    if let Some(at) = at {
        if !log.tag_suits(Phase::Body, at, path) {
            return None;
        }
        if let Some(text) = field::string(log.source, at).filter(|text| !text.is_empty()) {
            return Some(text);
        }
    }
    let span = log.at_or(at, root);
    log.error(Phase::Body, codes::MODEL_DURATION, messages::MODEL_AND_DURATION, path(), span);
    None
}

/// `told`: that the model is missing was reported, in the words that say it of the duration too.
fn duration(log: &mut Log, root: NodeId, told: bool) -> Option<f64> {
    let at = log.source.entry(root, "duration").map(|(_, at)| at);
    let path = || "duration".to_owned();
    if let Some(at) = at {
        if !log.tag_suits(Phase::Body, at, path) {
            return None;
        }
        let number = field::number(log.source, at);
        if let Some(secs) = number.filter(|secs| *secs > 0.0 && *secs <= MAX_DURATION_SECS) {
            return Some(secs);
        }
    } else if told && log.source.entry(root, "model").is_none() {
        // One sentence for both, at one place.
        return None;
    }
    let span = log.at_or(at, root);
    log.error(Phase::Body, codes::MODEL_DURATION, messages::MODEL_AND_DURATION, path(), span);
    None
}

fn looping(log: &mut Log, root: NodeId) -> Option<bool> {
    let at = log.source.entry(root, "loop").map(|(_, at)| at);
    let path = || "loop".to_owned();
    if let Some(at) = at {
        if !log.tag_suits(Phase::Body, at, path) {
            return None;
        }
        if let Some(looping) = field::boolean(log.source, at) {
            return Some(looping);
        }
    }
    let span = log.at_or(at, root);
    log.error(Phase::Body, codes::LOOP, messages::LOOP, path(), span);
    None
}

/// A list as it stands in a text.
#[derive(Clone, Copy)]
struct List {
    node: NodeId,
    /// False where it is reached through an alias, so that its comments are not its own.
    own: bool,
}

struct Reader<'a> {
    source: &'a Arc<Source>,
    uids: &'a mut Uids,
    log: Log<'a>,
    kind: Option<ClipKind>,
    /// `None` where it is bad: then no time is outside the clip that could be in any.
    duration_secs: Option<f64>,
    /// Targets of the tracks so far.
    seen: HashSet<(String, Property)>,
    tracks: Vec<Arc<Track>>,
}

impl<'a> Reader<'a> {
    fn tracks(&mut self, root: NodeId) {
        let source: &'a Source = self.source;
        let at = source.entry(root, "tracks").map(|(_, at)| at);
        let path = || "tracks".to_owned();
        let span = self.log.at_or(at, root);
        let at = at.filter(|at| !field::is_null(source, *at));
        let Some(at) = at else {
            self.log.draft(codes::TRACK_COUNT, messages::TRACK_COUNT, path(), span);
            return;
        };
        if !self.log.tag_suits(Phase::Body, at, path) {
            return;
        }
        let list = source.resolve(at);
        let count = source.items(list).count();
        if !source.kind(list).is_seq() || count > MAX_TRACKS {
            self.log.error(Phase::Body, codes::TRACK_COUNT, messages::TRACK_COUNT, path(), span);
        } else if count == 0 {
            self.log.draft(codes::TRACK_COUNT, messages::TRACK_COUNT, path(), span);
        }
        let own = source.kind(at) != Kind::Alias;
        for (index, item) in source.items(list).enumerate() {
            self.track(item, index, own);
        }
    }

    fn track(&mut self, item: NodeId, index: usize, own: bool) {
        let source: &'a Source = self.source;
        let path = || format!("tracks[{index}]");
        let map = source.resolve(item);
        let own = own && source.kind(item) != Kind::Alias;
        if !self.log.tag_suits(Phase::Body, item, path) {
            return;
        }
        if !source.kind(map).is_map() {
            let span = self.log.at(item);
            let message = messages::PART_AND_PROPERTY;
            self.log.error(Phase::Body, codes::TRACK_TARGET, message, path(), span);
            return;
        }
        let part = self.part(map, index);
        let property = self.property(map, index);
        let interpolation = self.interpolation(map, index);
        let curve = self.curve(map, index);
        if let (Some(part), Some(property)) = (&part, property)
            && !part.is_empty()
            && !self.seen.insert((part.clone(), property))
        {
            let span = self.log.at(item);
            let message = messages::DUPLICATE_TRACK;
            self.log.limit(Phase::Body, codes::DUPLICATE_TRACK, message, path(), span);
        }
        let keys = self.keys(map, index, property, interpolation, own);
        if self.tracks.len() < MAX_TRACKS
            && let (Some(part), Some(property), Some(interpolation)) =
                (part, property, interpolation)
        {
            let origin = Origin { source: self.source.clone(), node: map, with_comments: own };
            self.tracks.push(Arc::new(Track {
                uid: self.uids.fresh(),
                part,
                property,
                interpolation,
                curve,
                keys,
                origin: Some(origin),
            }));
        }
    }

    /// A track's part; empty in a draft that has none yet.
    fn part(&mut self, map: NodeId, index: usize) -> Option<String> {
        let source: &'a Source = self.source;
        let at = source.entry(map, "part").map(|(_, at)| at);
        let path = || format!("tracks[{index}].part");
        if let Some(at) = at
            && !self.log.tag_suits(Phase::Body, at, path)
        {
            return None;
        }
        let text = at.and_then(|at| field::string(source, at)).filter(|text| !text.is_empty());
        if text.is_some() {
            return text;
        }
        let span = self.log.at_or(at, map);
        let message = messages::PART_AND_PROPERTY;
        if at.is_some_and(|at| !source.kind(source.resolve(at)).is_scalar()) {
            self.log.error(Phase::Body, codes::TRACK_TARGET, message, path(), span);
            return None;
        }
        self.log.draft(codes::TRACK_TARGET, message, path(), span);
        Some(String::new())
    }

    fn property(&mut self, map: NodeId, index: usize) -> Option<Property> {
        let source: &'a Source = self.source;
        let at = source.entry(map, "property").map(|(_, at)| at);
        let path = || format!("tracks[{index}].property");
        if let Some(at) = at {
            if !self.log.tag_suits(Phase::Body, at, path) {
                return None;
            }
            let word = field::string(source, at);
            if let Some(property) = word.as_deref().and_then(Property::from_word) {
                return Some(property);
            }
        }
        let span = self.log.at_or(at, map);
        let message = messages::PART_AND_PROPERTY;
        self.log.error(Phase::Body, codes::TRACK_TARGET, message, path(), span);
        None
    }

    fn interpolation(&mut self, map: NodeId, index: usize) -> Option<Interpolation> {
        let source: &'a Source = self.source;
        let at = source.entry(map, "interpolation").map(|(_, at)| at);
        let path = || format!("tracks[{index}].interpolation");
        if let Some(at) = at {
            if !self.log.tag_suits(Phase::Body, at, path) {
                return None;
            }
            let word = field::string(source, at);
            if let Some(interpolation) = word.as_deref().and_then(Interpolation::from_word) {
                return Some(interpolation);
            }
        }
        let span = self.log.at_or(at, map);
        let message = messages::INTERPOLATION;
        self.log.error(Phase::Body, codes::INTERPOLATION, message, path(), span);
        None
    }

    /// The easing, checked whatever the interpolation (M7).
    fn curve(&mut self, map: NodeId, index: usize) -> Option<[f64; 4]> {
        let source: &'a Source = self.source;
        let (key, at) = source.entry(map, "curve")?;
        if field::is_null(source, at) {
            return None;
        }
        let path = || format!("tracks[{index}].curve");
        if !self.log.tag_suits(Phase::Shapes, at, path) {
            return None;
        }
        let curve = field::vector::<4>(source, at);
        if curve.is_none_or(|c| c.iter().any(|x| !(0.0..=1.0).contains(x))) {
            let span = self.log.at(at);
            let shape_only = curve.is_none();
            let fix = || repair::one_line::<4>(source, key, at);
            let (code, message) = (codes::CURVE, messages::CURVE);
            match shape_only {
                true => self.log.error_with(Phase::Shapes, code, message, path(), span, fix),
                false => self.log.limit(Phase::Shapes, code, message, path(), span),
            }
        }
        curve
    }

    fn keys(
        &mut self,
        map: NodeId,
        track: usize,
        property: Option<Property>,
        interpolation: Option<Interpolation>,
        own: bool,
    ) -> Vec<Key> {
        let source: &'a Source = self.source;
        let at = source.entry(map, "keys").map(|(_, at)| at);
        let path = || format!("tracks[{track}].keys");
        if let Some(at) = at
            && !self.log.tag_suits(Phase::Body, at, path)
        {
            return Vec::new();
        }
        let count = at.map_or(0, |at| source.items(source.resolve(at)).count());
        if count == 0 || count > MAX_KEYS {
            let span = self.log.at_or(at, map);
            let message = messages::KEY_COUNT;
            self.log.error(Phase::Body, codes::KEY_COUNT, message, path(), span);
        }
        let Some(at) = at else { return Vec::new() };
        let list = List { node: source.resolve(at), own: own && source.kind(at) != Kind::Alias };
        let mut keys: Vec<Key> = Vec::with_capacity(count.min(MAX_KEYS));
        let mut before = Before::default();
        let turns = property == Some(Property::Rotation)
            && self.kind == Some(ClipKind::Rig)
            && interpolation != Some(Interpolation::Step);
        for (index, item) in source.items(list.node).enumerate() {
            let place = Place { track, index, list, item };
            let key = self.key(place, property, &mut before);
            let Some(key) = key else { continue };
            if turns
                && let Some(last) = keys.last()
                && is_half_turn(last.value, key.value)
            {
                self.warn_half_turn(place, key.origin.as_ref().map_or(item, |o| o.node));
            }
            if keys.len() < MAX_KEYS {
                keys.push(key);
            }
        }
        keys
    }

    fn key(
        &mut self,
        place: Place,
        property: Option<Property>,
        before: &mut Before<'a>,
    ) -> Option<Key> {
        let source: &'a Source = self.source;
        if !self.log.tag_suits(Phase::Body, place.item, || place.path("")) {
            return None;
        }
        let map = source.resolve(place.item);
        let (mut time_at, mut value_at) = (None, None);
        for (key, value) in source.entries(map) {
            match source.scalar(key).as_deref() {
                Some("time") => time_at = Some(value),
                Some("value") => value_at = Some((key, value)),
                _ => {}
            }
        }
        let value = self.value(place, map, value_at);
        let time = self.time(place, map, time_at, before);
        let value = value?;
        self.range(place, property, value_at.map_or(map, |(_, at)| at), value);
        let own = place.list.own && source.kind(place.item) != Kind::Alias;
        let origin = Origin { source: self.source.clone(), node: map, with_comments: own };
        Some(Key {
            uid: self.uids.fresh(),
            time: time?,
            value: DVec3::from_array(value),
            origin: Some(origin),
        })
    }

    /// The shape of a key's value (M5).
    fn value(
        &mut self,
        place: Place,
        map: NodeId,
        entry: Option<(NodeId, NodeId)>,
    ) -> Option<[f64; 3]> {
        let source: &'a Source = self.source;
        let at = entry.map(|(_, at)| at);
        if let Some(at) = at {
            if !self.log.tag_suits(Phase::Shapes, at, || place.path(".value")) {
                return None;
            }
            if let Some(value) = field::vector::<3>(source, at) {
                return Some(value);
            }
        }
        let span = self.log.at_or(at, map);
        let fix = || entry.and_then(|(key, at)| repair::one_line::<3>(source, key, at));
        let (code, message) = (codes::VECTOR, messages::VECTOR);
        self.log.error_with(Phase::Shapes, code, message, place.path(".value"), span, fix);
        None
    }

    /// A key's time: finite, in the clip, behind the key before.
    fn time(
        &mut self,
        place: Place,
        map: NodeId,
        at: Option<NodeId>,
        before: &mut Before<'a>,
    ) -> Option<f64> {
        let source: &'a Source = self.source;
        if let Some(at) = at
            && !self.log.tag_suits(Phase::Body, at, || place.path(".time"))
        {
            return None;
        }
        let time = at.and_then(|at| field::number(source, at)).filter(|t| t.is_finite());
        let inside = |t: f64| t >= 0.0 && t <= self.duration_secs.unwrap_or(MAX_DURATION_SECS);
        let in_order = |t: f64| before.time.is_none_or(|last| t > last);
        if !time.is_some_and(|t| inside(t) && in_order(t)) {
            let span = self.log.at_or(at, map);
            let misplaced = time.is_some_and(|t| inside(t) && !in_order(t));
            let duration_secs = self.duration_secs;
            let fix = || {
                if !misplaced || !place.list.own {
                    return None;
                }
                let make = || KeyRepairs::new(source, place.list.node, duration_secs);
                before.repairs.get_or_insert_with(make).at(place.index)
            };
            let (code, message) = (codes::KEY_TIMES, messages::KEY_TIMES);
            let path = place.path(".time");
            match time {
                Some(_) => self.log.limit_with(Phase::Body, code, message, path, span, fix),
                None => self.log.error(Phase::Body, code, message, path, span),
            }
        }
        before.time = time.or(before.time);
        time
    }

    /// A key's value: a scale above 0, everything finite and within a million.
    fn range(&mut self, place: Place, property: Option<Property>, at: NodeId, value: [f64; 3]) {
        let is_scale = property == Some(Property::Scale);
        let broken = [
            (is_scale && value.iter().any(|x| *x <= 0.0))
                .then_some((codes::KEY_SCALE, messages::ANIMATED_SCALE)),
            (!in_range(&value)).then_some((codes::VALUE_RANGE, messages::VALUE_RANGE)),
        ];
        for (code, message) in broken.into_iter().flatten() {
            let span = self.log.at(at);
            self.log.limit(Phase::Body, code, message, place.path(".value"), span);
        }
    }

    fn warn_half_turn(&mut self, place: Place, map: NodeId) {
        let at = self.source.entry(map, "value").map(|(_, at)| at);
        let span = self.log.at_or(at, map);
        let message = "This key is half a turn from the one before: which way round it turns \
                       hangs on the last digit";
        let path = place.path(".value");
        self.log.note(Severity::Warning, codes::HALF_TURN, message, path, span);
    }
}

/// What is known of a track's keys so far.
#[derive(Default)]
struct Before<'a> {
    /// The time of the key before.
    time: Option<f64>,
    /// How to put the keys in order, once one was found out of order.
    repairs: Option<KeyRepairs<'a>>,
}

/// Where a key stands.
#[derive(Clone, Copy)]
struct Place {
    track: usize,
    index: usize,
    list: List,
    item: NodeId,
}

impl Place {
    fn path(&self, field: &str) -> String {
        format!("tracks[{}].keys[{}]{field}", self.track, self.index)
    }
}

/// Finite and within ±1,000,000 (M5).
pub(super) fn in_range(value: &[f64]) -> bool {
    value.iter().all(|x| x.abs() <= MAX_VALUE)
}

/// Whether two rotations are half a turn apart, within a thousandth of a radian (M22).
fn is_half_turn(from: DVec3, to: DVec3) -> bool {
    // A turn is never larger than the sum of its angles' changes, so most need no quaternions.
    let change = (to - from).abs();
    if change.x + change.y + change.z < PI - HALF_TURN_TOLERANCE || !change.is_finite() {
        return false;
    }
    let dot = quat_from_euler(from).dot(quat_from_euler(to));
    let angle = 2.0 * dot.abs().min(1.0).acos();
    angle >= PI - HALF_TURN_TOLERANCE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_turns_are_found_about_any_axis() {
        let z = |a: f64| DVec3::new(0.0, 0.0, a);
        assert!(is_half_turn(z(0.0), z(PI + 3.5e-7)));
        assert!(is_half_turn(z(0.0), z(PI - 6.5e-7)));
        assert!(is_half_turn(z(0.0), z(-PI + 0.0009)));
        assert!(is_half_turn(z(1.0), z(1.0 + 3.0 * PI)));
        assert!(is_half_turn(DVec3::ZERO, DVec3::new(PI, PI, 0.0)));
        assert!(!is_half_turn(z(0.0), z(PI - 0.0011)));
        assert!(!is_half_turn(z(0.0), z(2.0 * PI)));
        assert!(!is_half_turn(z(0.0), DVec3::new(f64::INFINITY, 0.0, 0.0)));
    }
}
