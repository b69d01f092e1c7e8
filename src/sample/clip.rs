//! The clip that engines play.

use super::block::{Block, Channel, Lane, Located, Row};
use super::hints::Hints;
use super::lanes::LANES;
use super::track::{CompiledTrack, TrackEasing, Turn, Values, problem};
use crate::diagnostic::Problem;
use crate::format::codes;
use crate::math::{Trs, quat_from_euler};
use crate::model::limits::{MAX_DURATION_SECS, MAX_TRACKS};
use crate::model::{self, ClipKind, Property, messages};
use glam::{DQuat, DVec3};
use std::collections::HashMap;
use std::sync::Arc;

/// Most blocks of a clip: full ones, and one that is not for each group of tracks.
const MAX_BLOCKS: usize = MAX_TRACKS / LANES + 8;

/// A clip, checked and compiled once, then sampled without allocation. Cheap to clone.
///
/// Made by [`Clip::load`] (the format's `ctMotionLoad`), [`Clip::parse`] (`ctMotionParse`), or
/// from the editor's model with [`Clip::new`].
#[derive(Clone, Debug)]
pub struct Clip {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    kind: ClipKind,
    binding: Option<String>,
    model: String,
    duration_secs: f64,
    looping: bool,
    tracks: Vec<CompiledTrack>,
    parts: Vec<Part>,
    part_by_name: HashMap<String, usize>,
    /// Positions, scales and angles; then, with block numbers that go on, rotations.
    vectors: Vec<Block<DVec3>>,
    turns: Vec<Block<Turn>>,
    /// For each block, the parts its lanes write to.
    targets: Vec<[u32; LANES]>,
    hints: Hints,
}

/// A part and where its tracks are.
#[derive(Clone, Debug, Default)]
struct Part {
    name: String,
    position: Option<Place>,
    rotation: Option<Place>,
    scale: Option<Place>,
}

/// A track's block, counted over both lists, and its lane in it.
#[derive(Clone, Copy, Debug)]
struct Place {
    block: usize,
    lane: usize,
}

/// Remembers where each track was, so that advancing by a little finds every segment at once,
/// however the keys are spaced. It speeds sampling up and never changes its result. It belongs to
/// one clip; given to another it begins anew.
#[derive(Clone, Debug, Default)]
pub struct Cursor {
    rows: Vec<Row>,
}

/// A track's value at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TrackValue {
    /// A position in metres, a scale, or, in a model clip, a rotation's angles in radians.
    Vector(DVec3),
    /// A rig clip's rotation, a unit quaternion.
    Rotation(DQuat),
}

impl Clip {
    /// Compiles a clip of the editor's model. A draft without tracks is a clip that leaves
    /// everything at rest.
    ///
    /// # Errors
    /// The first problem for which strict loading would refuse the clip's length, tracks or keys,
    /// with its path (`tracks[0].keys[3].time`). `model` and `binding` are not looked at.
    pub fn new(clip: &model::Clip) -> Result<Clip, Box<Problem>> {
        Self::build(clip, None)
    }

    /// The compiled form of `clip`, made from this one: only tracks that are not the same shared
    /// values as here are compiled.
    ///
    /// # Errors
    /// As [`Clip::new`].
    pub fn updated(&self, clip: &model::Clip) -> Result<Clip, Box<Problem>> {
        Self::build(clip, Some(&self.inner))
    }

    fn build(clip: &model::Clip, old: Option<&Inner>) -> Result<Clip, Box<Problem>> {
        let duration_secs = clip.duration_secs;
        if !(duration_secs > 0.0 && duration_secs <= MAX_DURATION_SECS) {
            let message = messages::MODEL_AND_DURATION;
            return Err(problem(codes::MODEL_DURATION, message, "duration".to_owned()));
        }
        if clip.tracks.len() > MAX_TRACKS {
            return Err(problem(codes::TRACK_COUNT, messages::TRACK_COUNT, "tracks".to_owned()));
        }
        let reusable = old.filter(|old| old.kind == clip.kind).map_or(&[][..], |old| &old.tracks);
        let compiled_before = |index: usize, track: &Arc<model::Track>| {
            let same = |compiled: &&CompiledTrack| Arc::ptr_eq(&compiled.source, track);
            let compiled = reusable.get(index).filter(same);
            let compiled = compiled.or_else(|| reusable.iter().find(same))?;
            compiled.fits(duration_secs).then(|| compiled.clone())
        };
        let mut tracks = Vec::with_capacity(clip.tracks.len());
        for (index, track) in clip.tracks.iter().enumerate() {
            tracks.push(match compiled_before(index, track) {
                Some(compiled) => compiled,
                None => CompiledTrack::new(track, clip.kind, duration_secs, index)?,
            });
        }
        Inner::assemble(clip, tracks, old).map(|inner| Clip { inner: Arc::new(inner) })
    }

    /// What the clip animates.
    pub fn kind(&self) -> ClipKind {
        self.inner.kind
    }

    /// The project-relative path of the rig or scene, which a rig clip has.
    pub fn binding(&self) -> Option<&str> {
        self.inner.binding.as_deref()
    }

    /// The rig's name, or the procedural model's.
    pub fn model(&self) -> &str {
        &self.inner.model
    }

    /// Length in seconds.
    pub fn duration_secs(&self) -> f64 {
        self.inner.duration_secs
    }

    /// Whether playing starts again at the end.
    pub fn looping(&self) -> bool {
        self.inner.looping
    }

    /// The names of the animated parts, in the order in which tracks first name them.
    pub fn parts(&self) -> impl ExactSizeIterator<Item = &str> {
        self.inner.parts.iter().map(|part| part.name.as_str())
    }

    /// The clip time of `elapsed_secs` of playing, in seconds (M23; the format's `ctMotionTime`).
    /// A looping clip wraps, also below 0, and its end is its beginning: of a clip of 4 s, 9.5 →
    /// 1.5, −0.5 → 3.5, 4 → 0. Any other stops: at 0 and at its duration. What is no number is 0,
    /// and so is an infinity in a looping clip.
    pub fn time(&self, elapsed_secs: f64) -> f64 {
        clip_time(elapsed_secs, self.inner.duration_secs, self.inner.looping)
    }

    /// One part's pose at a clip time in seconds, relative to its parent (M22; the format's
    /// `ctMotionPose`). Properties without a track, and parts without any, stay as in `rest`.
    /// Before the first key and after the last the part holds that key's value; the time is not
    /// wrapped.
    pub fn pose(&self, part: &str, time_secs: f64, rest: &Trs) -> Trs {
        let mut pose = *rest;
        let Some(index) = self.inner.part_by_name.get(part) else { return pose };
        let part = &self.inner.parts[*index];
        let value = |place: Option<Place>| self.inner.value_at(place?, time_secs);
        if let Some(TrackValue::Vector(position)) = value(part.position) {
            pose.position = position;
        }
        match value(part.rotation) {
            Some(TrackValue::Rotation(rotation)) => pose.rotation = rotation,
            Some(TrackValue::Vector(angles)) => pose.rotation = quat_from_euler(angles),
            None => {}
        }
        if let Some(TrackValue::Vector(scale)) = value(part.scale) {
            pose.scale = scale;
        }
        pose
    }

    /// One track's value at a clip time in seconds; `None` where the part has no such track.
    pub fn value(&self, part: &str, property: Property, time_secs: f64) -> Option<TrackValue> {
        let part = &self.inner.parts[*self.inner.part_by_name.get(part)?];
        let place = match property {
            Property::Position => part.position,
            Property::Rotation => part.rotation,
            Property::Scale => part.scale,
        };
        self.inner.value_at(place?, time_secs)
    }

    /// Samples all tracks at a clip time in seconds into `poses`, one for each of
    /// [`Clip::parts`]; what has no track stays as it is there. Allocates nothing (M26). False,
    /// and nothing done, where `poses` is not as long as `parts`.
    pub fn sample_parts(&self, time_secs: f64, poses: &mut [Trs]) -> bool {
        self.sample_parts_maybe_with(None, time_secs, poses)
    }

    /// As [`Clip::sample_parts`], with a cursor for time that advances by little. The result is
    /// the same to the last bit.
    pub fn sample_parts_with(
        &self,
        cursor: &mut Cursor,
        time_secs: f64,
        poses: &mut [Trs],
    ) -> bool {
        self.sample_parts_maybe_with(Some(cursor), time_secs, poses)
    }

    fn sample_parts_maybe_with(
        &self,
        cursor: Option<&mut Cursor>,
        time_secs: f64,
        poses: &mut [Trs],
    ) -> bool {
        let fits = poses.len() == self.inner.parts.len();
        if fits {
            self.sample_to(time_secs, cursor, &self.inner.targets, poses);
        }
        fits
    }

    /// For each lane of each block the part it writes to, as an index into [`Clip::parts`].
    pub(super) fn targets(&self) -> &[[u32; LANES]] {
        &self.inner.targets
    }

    /// Samples all tracks, the lanes writing to `out[targets[block][lane]]`.
    pub(super) fn sample_to(
        &self,
        time_secs: f64,
        cursor: Option<&mut Cursor>,
        targets: &[[u32; LANES]],
        out: &mut [Trs],
    ) {
        let inner = &*self.inner;
        let time = usable_time(time_secs);
        let (low, high) = inner.hints.rows(time);
        let blocks = inner.vectors.len() + inner.turns.len();
        let mut remembered = cursor.map(|cursor| {
            cursor.rows.resize(blocks, [0; LANES]);
            cursor.rows.iter_mut()
        });
        // First where everything is, then what stands there: the processor waits for many reads
        // at once instead of for one after the other.
        let mut located = [Located::NOWHERE; MAX_BLOCKS];
        let mut rows = low.iter().zip(high).zip(&mut located);
        for (block, ((low, high), at)) in inner.vectors.iter().zip(&mut rows) {
            let row = remembered.as_mut().and_then(Iterator::next);
            block.locate(time, [low, high], row, at);
        }
        for (block, ((low, high), at)) in inner.turns.iter().zip(&mut rows) {
            let row = remembered.as_mut().and_then(Iterator::next);
            block.locate(time, [low, high], row, at);
        }
        let (at_vectors, at_turns) = located.split_at_mut(inner.vectors.len().min(MAX_BLOCKS));
        for (block, at) in inner.turns.iter().zip(&mut *at_turns) {
            block.reach(at);
        }
        let mut targets = targets.iter();
        for ((block, at), targets) in inner.vectors.iter().zip(&*at_vectors).zip(&mut targets) {
            block.write(time, at, targets, out);
        }
        for ((block, at), targets) in inner.turns.iter().zip(&*at_turns).zip(&mut targets) {
            block.write(time, at, targets, out);
        }
    }
}

/// A time that may be compared and subtracted.
fn usable_time(time_secs: f64) -> f64 {
    if time_secs.is_nan() { 0.0 } else { time_secs.clamp(f64::MIN, f64::MAX) }
}

/// The clip time of `elapsed_secs` (M23), for clips that are not compiled; see [`Clip::time`].
pub fn clip_time(elapsed_secs: f64, duration_secs: f64, looping: bool) -> f64 {
    // Adding 0 makes a 0 of a −0.
    if !looping {
        let elapsed = if elapsed_secs.is_nan() { 0.0 } else { elapsed_secs };
        return elapsed.max(0.0).min(duration_secs) + 0.0;
    }
    let wrapped = elapsed_secs.rem_euclid(duration_secs);
    // A tiny negative time rounds up to the whole duration, which is the beginning again.
    if wrapped < duration_secs { wrapped + 0.0 } else { 0.0 }
}

/// Tracks of one channel and sort of easing, which share blocks.
type Group<'a> = (Channel, bool, Vec<(usize, &'a CompiledTrack)>);

impl Inner {
    fn assemble(
        clip: &model::Clip,
        tracks: Vec<CompiledTrack>,
        old: Option<&Inner>,
    ) -> Result<Inner, Box<Problem>> {
        let mut parts: Vec<Part> = Vec::new();
        let mut part_by_name: HashMap<String, usize> = HashMap::new();
        let mut part_of_track = Vec::with_capacity(tracks.len());
        for track in &tracks {
            let name = &track.source.part;
            let index = match part_by_name.get(name) {
                Some(index) => *index,
                None => {
                    part_by_name.insert(name.clone(), parts.len());
                    parts.push(Part { name: name.clone(), ..Part::default() });
                    parts.len() - 1
                }
            };
            part_of_track.push(index);
        }

        let groups = groups(&tracks);
        let block_count = groups.iter().map(|(.., group)| group.len().div_ceil(LANES)).sum();
        let most_keys = tracks.iter().map(|track| track.source.keys.len()).max().unwrap_or(1);
        let mut hints = Hints::new(clip.duration_secs, block_count, most_keys);
        let old = old.filter(|old| old.hints.is_like(&hints));
        if let Some(old) = old {
            hints = old.hints.clone();
        }

        let mut vectors: Vec<Block<DVec3>> = Vec::new();
        let mut turns: Vec<Block<Turn>> = Vec::new();
        let mut targets = Vec::with_capacity(block_count);
        for (channel, _, group) in &groups {
            for chunk in group.chunks(LANES) {
                let block = vectors.len() + turns.len();
                // Where there are fewer than eight, the last one fills the rest.
                let filled: [&(usize, &CompiledTrack); LANES] =
                    std::array::from_fn(|k| &chunk[k.min(chunk.len() - 1)]);
                targets.push(filled.map(|(index, _)| part_of_track[*index] as u32));
                for (lane, (index, track)) in chunk.iter().enumerate() {
                    let part = &mut parts[part_of_track[*index]];
                    let place = match track.source.property {
                        Property::Position => &mut part.position,
                        Property::Rotation => &mut part.rotation,
                        Property::Scale => &mut part.scale,
                    };
                    if place.replace(Place { block, lane }).is_some() {
                        let message = messages::DUPLICATE_TRACK;
                        return Err(problem(
                            codes::DUPLICATE_TRACK,
                            message,
                            format!("tracks[{index}]"),
                        ));
                    }
                }
                let clustered: [bool; LANES] = std::array::from_fn(|lane| {
                    let track = filled[lane].1;
                    let before = old.and_then(|old| old.lane(block, lane));
                    match before.filter(|(times, _)| Arc::ptr_eq(times, &track.times)) {
                        Some((_, clustered)) => clustered,
                        None => {
                            let keys = track.source.keys.len();
                            hints.set(block, lane, &track.times[..keys])
                        }
                    }
                });
                let easings = filled.map(|(_, track)| &track.easing);
                match *channel {
                    Channel::Turns => turns.extend(block_of(filled, clustered, *channel, easings)),
                    _ => vectors.extend(block_of(filled, clustered, *channel, easings)),
                }
            }
        }
        Ok(Inner {
            kind: clip.kind,
            binding: clip.binding.clone(),
            model: clip.model.clone(),
            duration_secs: clip.duration_secs,
            looping: clip.looping,
            tracks,
            parts,
            part_by_name,
            vectors,
            turns,
            targets,
            hints,
        })
    }

    /// A lane's times and whether it is clustered.
    fn lane(&self, block: usize, lane: usize) -> Option<(&Arc<[f64]>, bool)> {
        if let Some(block) = self.vectors.get(block) {
            return Some((&block.lanes[lane].times, block.lanes[lane].clustered));
        }
        let block = self.turns.get(block.checked_sub(self.vectors.len())?)?;
        Some((&block.lanes[lane].times, block.lanes[lane].clustered))
    }

    fn value_at(&self, place: Place, time_secs: f64) -> Option<TrackValue> {
        let time = usable_time(time_secs);
        if let Some(block) = self.vectors.get(place.block) {
            return Some(TrackValue::Vector(block.sample_one(place.lane, time)));
        }
        let block = self.turns.get(place.block.checked_sub(self.vectors.len())?)?;
        Some(TrackValue::Rotation(block.sample_one(place.lane, time)))
    }
}

/// The tracks by what they write and how they are eased, in the order of the blocks: rotations of
/// rig clips last.
fn groups(tracks: &[CompiledTrack]) -> Vec<Group<'_>> {
    let mut groups: Vec<Group> = Vec::new();
    for channel in [Channel::Position, Channel::Scale, Channel::Angles, Channel::Turns] {
        for bezier in [false, true] {
            let members = tracks.iter().enumerate().filter(|(_, track)| {
                channel_of(track) == channel
                    && matches!(track.easing, TrackEasing::Bezier(_)) == bezier
            });
            let members: Vec<_> = members.collect();
            if !members.is_empty() {
                groups.push((channel, bezier, members));
            }
        }
    }
    groups
}

fn channel_of(track: &CompiledTrack) -> Channel {
    match (&track.values, track.source.property) {
        (Values::Turns(_), _) => Channel::Turns,
        (Values::Vectors(_), Property::Position) => Channel::Position,
        (Values::Vectors(_), Property::Scale) => Channel::Scale,
        (Values::Vectors(_), Property::Rotation) => Channel::Angles,
    }
}

/// What a block's lanes hold.
trait LaneValue: Sized {
    fn of(values: &Values) -> Option<&Arc<[Self]>>;
}

impl LaneValue for DVec3 {
    fn of(values: &Values) -> Option<&Arc<[DVec3]>> {
        match values {
            Values::Vectors(vectors) => Some(vectors),
            Values::Turns(_) => None,
        }
    }
}

impl LaneValue for Turn {
    fn of(values: &Values) -> Option<&Arc<[Turn]>> {
        match values {
            Values::Turns(turns) => Some(turns),
            Values::Vectors(_) => None,
        }
    }
}

/// `None` where the tracks are not all of the channel's kind, which [`groups`] sees to.
fn block_of<V: LaneValue>(
    tracks: [&(usize, &CompiledTrack); LANES],
    clustered: [bool; LANES],
    channel: Channel,
    easings: [&TrackEasing; LANES],
) -> Option<Block<V>> {
    let mut lanes = Vec::with_capacity(LANES);
    for ((_, track), clustered) in tracks.into_iter().zip(clustered) {
        let values = Arc::clone(V::of(&track.values)?);
        lanes.push(Lane { times: Arc::clone(&track.times), values, clustered });
    }
    Block::new(lanes.try_into().ok()?, channel, easings)
}
