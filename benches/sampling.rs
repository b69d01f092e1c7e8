//! The sampler beside plain code that does the same, in one run: `cargo bench --bench sampling`.
//!
//! Divan gives the times; behind them a table gives the ratios to the plain code, measured in
//! turns, so that a machine that is busy for a moment does not favour one side. What the plain
//! code is, and past results, are in `benches/README.md`.

#[path = "shared/random.rs"]
mod random;

use glam::{DQuat, DVec3, Quat, Vec3};
use posewright::math::{Trs, euler_from_quat, quat_from_euler};
use posewright::model::{self, ClipForm, ClipKind, Interpolation, Key, Property, Track, Uids};
use posewright::sample::{Clip, Cursor, Hierarchy};
use random::Random;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

const JOINTS: usize = 64;
const KEYS: usize = 512;
const DURATION_SECS: f64 = 20.0;

/// 64 joints with position and rotation, 512 keys a track, each track's times jittered by itself.
fn clip(bezier: bool) -> model::Clip {
    let mut random = Random(7);
    let mut uids = Uids::default();
    let mut tracks = Vec::new();
    for joint in 0..JOINTS {
        for property in [Property::Position, Property::Rotation] {
            let step = DURATION_SECS / KEYS as f64;
            let mut rotation = quat_from_euler(random.vector(3.0));
            let keys = (0..KEYS).map(|i| {
                let time = (i as f64 + random.between(0.05, 0.95)) * step;
                let value = if property == Property::Position {
                    random.vector(2.0)
                } else {
                    // As baked clips turn: some degrees from key to key.
                    rotation = (rotation * quat_from_euler(random.vector(0.3))).normalize();
                    euler_from_quat(rotation)
                };
                Key { uid: uids.fresh(), time, value, origin: None }
            });
            let keys = keys.collect();
            let curve = [random.next(), random.next(), random.next(), random.next()];
            tracks.push(Arc::new(Track {
                uid: uids.fresh(),
                part: format!("joint {joint}"),
                property,
                interpolation: if bezier { Interpolation::Bezier } else { Interpolation::Linear },
                curve: bezier.then_some(curve),
                keys,
                origin: None,
            }));
        }
    }
    model::Clip {
        kind: ClipKind::Rig,
        form: ClipForm::Bare,
        binding: Some("a.rig".to_owned()),
        model: "a".to_owned(),
        duration_secs: DURATION_SECS,
        looping: false,
        tracks,
        origin: None,
    }
}

/// What a careful programmer writes on the first day: keys as structs, a binary search a track,
/// slerp by its textbook formula, all in f32.
mod plain {
    use super::*;

    #[derive(Clone, Copy)]
    pub struct PlainKey {
        time: f32,
        value: [f32; 4],
    }

    #[derive(Clone, Copy)]
    pub struct Pose {
        pub position: Vec3,
        pub rotation: Quat,
        pub scale: Vec3,
    }

    pub const REST: Pose =
        Pose { position: Vec3::ZERO, rotation: Quat::IDENTITY, scale: Vec3::ONE };

    pub struct PlainTrack {
        joint: usize,
        rotation: bool,
        curve: Option<[f64; 4]>,
        keys: Vec<PlainKey>,
    }

    pub fn tracks(clip: &model::Clip) -> Vec<PlainTrack> {
        let tracks = clip.tracks.iter().enumerate().map(|(index, track)| {
            let rotation = track.property == Property::Rotation;
            let keys = track.keys.iter().map(|key| PlainKey {
                time: key.time as f32,
                value: if rotation {
                    quat_from_euler(key.value).as_quat().to_array()
                } else {
                    key.value.as_vec3().extend(0.0).to_array()
                },
            });
            PlainTrack { joint: index / 2, rotation, curve: track.curve, keys: keys.collect() }
        });
        tracks.collect()
    }

    /// Cubic-bezier by Newton's method in f64, from the progress itself, with bisection where the
    /// slope is too small.
    pub fn bezier([x1, y1, x2, y2]: [f64; 4], u: f64) -> f64 {
        let terms = |p1: f64, p2: f64| {
            let c = 3.0 * p1;
            let b = 3.0 * (p2 - p1) - c;
            (1.0 - c - b, b, c)
        };
        let (ax, bx, cx) = terms(x1, x2);
        let (ay, by, cy) = terms(y1, y2);
        let x = |s: f64| ((ax * s + bx) * s + cx) * s;
        let y = |s: f64| ((ay * s + by) * s + cy) * s;
        let mut s = u;
        for _ in 0..8 {
            let miss = x(s) - u;
            if miss.abs() < 1e-7 {
                return y(s);
            }
            let slope = (3.0 * ax * s + 2.0 * bx) * s + cx;
            if slope.abs() < 1e-6 {
                break;
            }
            s -= miss / slope;
        }
        let (mut low, mut high) = (0.0, 1.0);
        while high - low > 1e-7 {
            s = 0.5 * (low + high);
            if x(s) < u { low = s } else { high = s }
        }
        y(s)
    }

    fn slerp(a: Quat, b: Quat, u: f32) -> Quat {
        let mut dot = a.dot(b);
        let mut b = b;
        if dot < 0.0 {
            dot = -dot;
            b = -b;
        }
        if dot > 0.9995 {
            return a.lerp(b, u);
        }
        let angle = dot.acos();
        let (from, to) = (((1.0 - u) * angle).sin(), (u * angle).sin());
        (a * from + b * to) * (1.0 / angle.sin())
    }

    pub fn sample(tracks: &[PlainTrack], time: f32, poses: &mut [Pose]) {
        for track in tracks {
            let next = track.keys.partition_point(|key| key.time <= time);
            let (from, to) = match next {
                0 => (track.keys[0], track.keys[0]),
                n if n == track.keys.len() => (track.keys[n - 1], track.keys[n - 1]),
                n => (track.keys[n - 1], track.keys[n]),
            };
            let length = to.time - from.time;
            let mut u = if length > 0.0 { (time - from.time) / length } else { 0.0 };
            if let Some(curve) = track.curve {
                u = bezier(curve, f64::from(u)) as f32;
            }
            let pose = &mut poses[track.joint];
            if track.rotation {
                let (a, b) = (Quat::from_array(from.value), Quat::from_array(to.value));
                pose.rotation = slerp(a, b, u);
            } else {
                let (a, b) = (Vec3::from_slice(&from.value), Vec3::from_slice(&to.value));
                pose.position = a.lerp(b, u);
            }
        }
    }
}

/// Both samplers of one clip, and times to sample at.
struct Sampling {
    clip: Clip,
    plain: Vec<plain::PlainTrack>,
    times: Vec<f64>,
    poses: Vec<Trs>,
    plain_poses: Vec<plain::Pose>,
    cursor: Cursor,
}

impl Sampling {
    fn new(bezier: bool, random_times: bool) -> Self {
        let source = clip(bezier);
        let mut random = Random(11);
        let times = (0..4096).map(|i| {
            if random_times {
                random.between(0.0, DURATION_SECS)
            } else {
                (f64::from(i) / 60.0) % DURATION_SECS
            }
        });
        Sampling {
            clip: Clip::new(&source).expect("the clip is valid"),
            plain: plain::tracks(&source),
            times: times.collect(),
            poses: vec![Trs::IDENTITY; JOINTS],
            plain_poses: vec![plain::REST; JOINTS],
            cursor: Cursor::default(),
        }
    }

    fn ours(&mut self, i: usize) {
        let time = self.times[i % self.times.len()];
        self.clip.sample_parts(black_box(time), &mut self.poses);
        black_box(&mut self.poses);
    }

    fn ours_with_cursor(&mut self, i: usize) {
        let time = self.times[i % self.times.len()];
        self.clip.sample_parts_with(&mut self.cursor, black_box(time), &mut self.poses);
        black_box(&mut self.poses);
    }

    fn plain(&mut self, i: usize) {
        let time = self.times[i % self.times.len()] as f32;
        plain::sample(&self.plain, black_box(time), &mut self.plain_poses);
        black_box(&mut self.plain_poses);
    }
}

/// 512 nodes, 128 of them in one chain, the others hung on it and on each other.
struct Worlds {
    hierarchy: Hierarchy,
    local: Vec<Trs>,
    world: Vec<Trs>,
    parents: Vec<Option<usize>>,
    plain_local: Vec<plain::Pose>,
    plain_world: Vec<plain::Pose>,
}

impl Worlds {
    fn new() -> Self {
        let mut random = Random(3);
        let mut levels: Vec<usize> = Vec::new();
        let parents: Vec<Option<usize>> = (0..512)
            .map(|node| {
                let parent = match node {
                    0 => None,
                    1..128 => Some(node - 1),
                    // Not below the chain's end: 128 levels are the most there may be.
                    _ => (0..)
                        .map(|_| (random.next() * node as f64) as usize)
                        .find(|parent| levels[*parent] < 128),
                };
                levels.push(parent.map_or(1, |parent| levels[parent] + 1));
                parent
            })
            .collect();
        let names: Vec<String> = (0..512).map(|node| format!("node {node}")).collect();
        let parts = (0..512)
            .map(|node| (names[node].as_str(), parents[node].map(|parent| names[parent].as_str())));
        let local: Vec<Trs> = (0..512)
            .map(|_| Trs {
                position: random.vector(1.0),
                rotation: quat_from_euler(random.vector(3.0)),
                scale: DVec3::ONE + random.vector(0.01),
            })
            .collect();
        let plain = |pose: &Trs| plain::Pose {
            position: pose.position.as_vec3(),
            rotation: pose.rotation.as_quat(),
            scale: pose.scale.as_vec3(),
        };
        Worlds {
            hierarchy: Hierarchy::new(parts).expect("the hierarchy is valid"),
            world: local.clone(),
            plain_local: local.iter().map(plain).collect(),
            plain_world: local.iter().map(plain).collect(),
            local,
            parents,
        }
    }

    fn ours(&mut self) {
        self.hierarchy.world_from_local(black_box(&self.local), &mut self.world);
        black_box(&mut self.world);
    }

    /// The same formula in f32 with glam's own products, node by node.
    fn plain(&mut self) {
        let local = black_box(&self.plain_local);
        for (node, pose) in local.iter().enumerate() {
            self.plain_world[node] = match self.parents[node] {
                None => *pose,
                Some(parent) => {
                    let parent = self.plain_world[parent];
                    plain::Pose {
                        position: parent.position
                            + parent.rotation * (parent.scale * pose.position),
                        rotation: parent.rotation * pose.rotation,
                        scale: parent.scale * pose.scale,
                    }
                }
            };
        }
        black_box(&mut self.plain_world);
    }

    /// And in f64.
    fn plain_f64(&mut self) {
        let local = black_box(&self.local);
        for (node, pose) in local.iter().enumerate() {
            self.world[node] = match self.parents[node] {
                None => *pose,
                Some(parent) => {
                    let parent = self.world[parent];
                    let rotation: DQuat = parent.rotation * pose.rotation;
                    Trs {
                        position: parent.position
                            + parent.rotation * (parent.scale * pose.position),
                        rotation,
                        scale: parent.scale * pose.scale,
                    }
                }
            };
        }
        black_box(&mut self.world);
    }
}

/// Nanoseconds a call of each, the best of many rounds taken in turns. In each round each side
/// runs once unmeasured, so that it finds its own data in the caches and not the other's.
fn in_turns<S>(state: &mut S, calls: usize, sides: &[fn(&mut S, usize)]) -> Vec<f64> {
    let mut best = vec![f64::INFINITY; sides.len()];
    for _ in 0..40 {
        for (side, best) in sides.iter().zip(&mut best) {
            for i in 0..calls {
                side(state, i);
            }
            let start = Instant::now();
            for i in 0..calls {
                side(state, i);
            }
            *best = best.min(start.elapsed().as_secs_f64() * 1e9 / calls as f64);
        }
    }
    best
}

fn print_ratios() {
    println!("\n{:<44} {:>9} {:>9} {:>6}  {:>6}", "", "plain", "ours", "ratio", "target");
    let line = |what: &str, plain: f64, ours: f64, target: &str| {
        println!("{what:<44} {plain:>9.1} {ours:>9.1} {:>6.3}  {target:>6}", ours / plain);
    };
    for (what, bezier, random, target) in [
        ("128 tracks, random times (ns)", false, true, "0.25"),
        ("128 tracks, advancing 1/60 s (ns)", false, false, "0.25"),
        ("128 bezier tracks, random times (ns)", true, true, "0.5"),
        ("128 bezier tracks, advancing 1/60 s (ns)", true, false, "0.5"),
    ] {
        let mut sampling = Sampling::new(bezier, random);
        let sides: [fn(&mut Sampling, usize); 3] =
            [Sampling::plain, Sampling::ours, Sampling::ours_with_cursor];
        let best = in_turns(&mut sampling, 4096, &sides);
        line(what, best[0], best[1], target);
        if !random {
            line("  with a cursor", best[0], best[2], target);
        }
    }
    let mut worlds = Worlds::new();
    let sides: [fn(&mut Worlds, usize); 3] =
        [|w, _| w.plain(), |w, _| w.ours(), |w, _| w.plain_f64()];
    let best = in_turns(&mut worlds, 1000, &sides).iter().map(|ns| ns / 512.0).collect::<Vec<_>>();
    line("world poses, plain f32 (ns a node)", best[0], best[1], "1.0");
    line("world poses, plain f64 (ns a node)", best[2], best[1], "1.0");
}

/// One pass over all times a sample, so that caches are as warm as they are in a game; divan's
/// `item/s` counts poses of the whole clip.
fn pass(bencher: divan::Bencher, easing: &str, random_times: bool, side: fn(&mut Sampling, usize)) {
    let mut sampling = Sampling::new(easing == "bezier", random_times);
    let count = sampling.times.len();
    bencher.counter(divan::counter::ItemsCount::new(count)).bench_local(|| {
        for i in 0..count {
            side(&mut sampling, i);
        }
    });
}

#[divan::bench_group(sample_count = 30, sample_size = 1)]
mod random_times {
    use super::*;

    #[divan::bench(args = ["linear", "bezier"])]
    fn ours(bencher: divan::Bencher, easing: &str) {
        pass(bencher, easing, true, Sampling::ours);
    }

    #[divan::bench(args = ["linear", "bezier"])]
    fn plain(bencher: divan::Bencher, easing: &str) {
        pass(bencher, easing, true, Sampling::plain);
    }
}

#[divan::bench_group(sample_count = 30, sample_size = 1)]
mod advancing_times {
    use super::*;

    #[divan::bench(args = ["linear", "bezier"])]
    fn ours(bencher: divan::Bencher, easing: &str) {
        pass(bencher, easing, false, Sampling::ours);
    }

    #[divan::bench(args = ["linear", "bezier"])]
    fn ours_with_cursor(bencher: divan::Bencher, easing: &str) {
        pass(bencher, easing, false, Sampling::ours_with_cursor);
    }

    #[divan::bench(args = ["linear", "bezier"])]
    fn plain(bencher: divan::Bencher, easing: &str) {
        pass(bencher, easing, false, Sampling::plain);
    }
}

#[divan::bench_group(sample_count = 30)]
mod compiling {
    use super::*;

    #[divan::bench]
    fn one_track_edited(bencher: divan::Bencher) {
        let source = clip(false);
        let compiled = Clip::new(&source).expect("the clip is valid");
        let mut edited = source;
        let track = Arc::make_mut(&mut edited.tracks[1]);
        track.keys[100].value.x += 1.0;
        bencher.bench_local(|| compiled.updated(black_box(&edited)));
    }

    #[divan::bench]
    fn all_tracks_compiled(bencher: divan::Bencher) {
        let source = clip(false);
        bencher.bench_local(|| Clip::new(black_box(&source)));
    }
}

#[divan::bench_group(sample_size = 100)]
mod world_poses {
    use super::*;

    #[divan::bench]
    fn ours(bencher: divan::Bencher) {
        let mut worlds = Worlds::new();
        bencher.bench_local(|| worlds.ours());
    }

    #[divan::bench]
    fn plain_f32(bencher: divan::Bencher) {
        let mut worlds = Worlds::new();
        bencher.bench_local(|| worlds.plain());
    }

    #[divan::bench]
    fn plain_f64(bencher: divan::Bencher) {
        let mut worlds = Worlds::new();
        bencher.bench_local(|| worlds.plain_f64());
    }
}

fn main() {
    divan::main();
    print_ratios();
}
