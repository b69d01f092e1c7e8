//! Exports evaluated: `cargo bench --no-default-features --bench evaluation`.
//!
//! 500 pegs × 600 keys. Past results are in `benches/README.md`.

#[path = "shared/random.rs"]
mod random;

use glam::{DQuat, DVec3};
use posewright::model::Uids;
use posewright::model::take::{
    AxisHandles, CoordinateSystem, Handles, Header, Interp, Keyframe, Peg, Take,
};
use posewright::progress::Progress;
use posewright::sample::take::{Space, TakeCurves, TakePoses, TakeReport, TakeRig, measure_space};
use random::Random;
use std::hint::black_box;
use std::sync::{Arc, LazyLock};

const PEGS: usize = 500;
const KEYS: usize = 600;

/// How the keys of a bench's take are made.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// BEZIER with handles on all nine curves, on frames 1 to 600.
    Handles,
    /// The same, on jittered frames.
    JitteredHandles,
    /// BEZIER with quaternions and without handles: a bake.
    Baked,
}

fn take(kind: Kind) -> Take {
    let mut random = Random(7);
    let mut uids = Uids::default();
    let pegs = (0..PEGS).map(|number| {
        let keys = (0..KEYS).map(|key| {
            let jitter = if kind == Kind::JitteredHandles { random.between(0.0, 0.9) } else { 0.0 };
            let frame = 1.0 + key as f64 + jitter;
            let [pos, rot, scl] = [random.vector(2.0), random.vector(170.0), random.vector(0.2)];
            let mut axes = |value: DVec3| {
                Some(std::array::from_fn(|axis| {
                    let mut reach = || random.between(0.0, 0.9);
                    let (left, right) = (reach(), reach());
                    let mut value =
                        |x: f64| glam::DVec2::new(x, value[axis] + random.between(-1.0, 1.0));
                    Some(AxisHandles { left: value(frame - left), right: value(frame + right) })
                }))
            };
            let handles = (kind != Kind::Baked).then(|| {
                Box::new(Handles { pos: axes(pos), rot: axes(rot), scl: axes(scl + 1.0) })
            });
            let quat = DQuat::from_euler(glam::EulerRot::XYZEx, rot.x, rot.y, rot.z);
            Keyframe {
                uid: uids.fresh(),
                interp: Some(Interp::Bezier),
                frame,
                pos: Some(pos),
                rot: Some(rot),
                rot_quat: (kind == Kind::Baked).then_some([quat.w, quat.x, quat.y, quat.z]),
                scl: Some(scl + 1.0),
                handles,
                origin: None,
            }
        });
        let keyframes = keys.collect();
        Arc::new(Peg {
            uid: uids.fresh(),
            name: format!("peg{number}"),
            path: None,
            parent: (number > 0).then(|| format!("peg{}", (number - 1) / 3)),
            rest_pivot: Some(DVec3::Y),
            rest_rotation: None,
            rig: None,
            is_camera: false,
            source_modes: None,
            keyframes,
            origin: None,
        })
    });
    let pegs = pegs.collect();
    Take {
        header: Header {
            source: Some("harmony".to_owned()),
            fps: Some(24.0),
            coordinate_system: Some(CoordinateSystem::canonical()),
        },
        frame_range: Some([1.0, KEYS as f64]),
        pegs,
        cameras: Vec::new(),
        origin: None,
    }
}

static HANDLES: LazyLock<Take> = LazyLock::new(|| take(Kind::Handles));
static JITTERED: LazyLock<Take> = LazyLock::new(|| take(Kind::JitteredHandles));
static BAKED: LazyLock<Take> = LazyLock::new(|| take(Kind::Baked));

fn of(kind: Kind) -> &'static Take {
    match kind {
        Kind::Handles => &HANDLES,
        Kind::JitteredHandles => &JITTERED,
        Kind::Baked => &BAKED,
    }
}

fn channels(bencher: divan::Bencher, kind: Kind) {
    let curves = TakeCurves::new(of(kind), Space::Local);
    let mut random = Random(3);
    let mut out = Vec::with_capacity(PEGS);
    bencher.with_inputs(|| random.between(1.0, KEYS as f64)).bench_local_values(|frame| {
        curves.sample(frame, &mut out);
        black_box(&out);
    });
}

/// All channels of all pegs at random frames: the target is 0.4 ms.
#[divan::bench(min_time = 2)]
fn all_pegs_with_handles(bencher: divan::Bencher) {
    channels(bencher, Kind::Handles);
}

#[divan::bench(min_time = 2)]
fn all_pegs_with_handles_on_jittered_frames(bencher: divan::Bencher) {
    channels(bencher, Kind::JitteredHandles);
}

#[divan::bench(min_time = 2)]
fn all_pegs_baked(bencher: divan::Bencher) {
    channels(bencher, Kind::Baked);
}

/// Channels, local and world poses.
#[divan::bench(min_time = 2)]
fn world_poses_with_handles(bencher: divan::Bencher) {
    let rig = TakeRig::new(&HANDLES, Space::Local);
    let mut random = Random(3);
    let mut poses = TakePoses::default();
    bencher.with_inputs(|| random.between(1.0, KEYS as f64)).bench_local_values(|frame| {
        rig.sample(frame, &mut poses);
        black_box(&poses);
    });
}

#[divan::bench(sample_count = 10)]
fn compile_with_handles() -> TakeCurves {
    TakeCurves::new(&HANDLES, Space::Local)
}

#[divan::bench(sample_count = 10)]
fn compile_baked() -> TakeCurves {
    TakeCurves::new(&BAKED, Space::Local)
}

/// After an edit of one peg.
#[divan::bench(sample_count = 100)]
fn compile_one_peg_anew(bencher: divan::Bencher) {
    let curves = TakeCurves::new(&HANDLES, Space::Local);
    let mut edited = HANDLES.clone();
    edited.pegs[9] = Arc::new((*edited.pegs[9]).clone());
    bencher.bench_local(|| curves.updated(&edited, Space::Local));
}

#[divan::bench(sample_count = 10)]
fn measure_the_space(bencher: divan::Bencher) {
    let curves = TakeCurves::new(&BAKED, Space::World);
    bencher.bench_local(|| measure_space(&BAKED, &curves));
}

#[divan::bench(sample_count = 5)]
fn report_on_all_pegs(bencher: divan::Bencher) {
    let curves = TakeCurves::new(&BAKED, Space::World);
    let measured = measure_space(&BAKED, &curves);
    let rig = TakeRig::with_curves(&BAKED, Space::Local, &curves);
    bencher.bench_local(|| TakeReport::new(&BAKED, &rig, &measured, &Progress::new()));
}

fn main() {
    divan::main();
}
