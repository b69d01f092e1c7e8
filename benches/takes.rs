//! Opening, judging and saving a take of 50 MB, beside `serde_json` reading it into plain structs.
//!
//! `cargo bench --no-default-features --bench takes`. The table at the end gives the ratios; peak
//! memory is counted by an allocator of this program.
#![allow(clippy::unwrap_used)] // A bench that cannot read its own take should stop.

#[path = "shared/counting.rs"]
mod counting;

use counting::{Counting, LIVE, PEAK};
use posewright::format::{lint_take, read_take, write_take};
use posewright::model::Uids;
use posewright::model::take::Take;
use posewright::progress::Progress;
use std::fmt::Write;
use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// 500 pegs of 600 keys, a little over 50 MB in the layout of the format's example.
fn text() -> String {
    let mut out = String::from(
        "{\n  \"format\": \"octo_anm\",\n  \"version\": 4,\n  \"source\": \"maya\",\n  \
         \"frame_range\": [1, 600],\n  \"fps\": 24.0,\n  \"coordinate_system\": {\n    \
         \"up\": \"y\",\n    \"hand\": \"right\",\n    \"unit\": \"meters\",\n    \
         \"rot_order\": \"xyz\",\n    \"rot_repr_anim\": \"euler_deg\",\n    \
         \"rot_repr_rest\": \"quat_wxyz\"\n  },\n  \"pegs\": [\n",
    );
    let mut seed = 1u64;
    let mut random = move || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as f64 / (1u64 << 31) as f64 - 0.5
    };
    for p in 0..500 {
        let parent = if p == 0 { "null".to_owned() } else { format!("\"peg{}\"", (p - 1) / 2) };
        let _ = write!(
            out,
            "    {{\n      \"name\": \"peg{p}\",\n      \"path\": \"Top/rig/peg{p}\",\n      \
             \"parent\": {parent},\n      \"rest_pivot\": [0.0, 0.1, 0.0],\n      \
             \"rest_rotation\": [1.0, 0.0, 0.0, 0.0],\n      \"rig\": \"rig\",\n      \
             \"keyframes\": [\n"
        );
        for k in 0..600 {
            let angle = 3.0 * (k as f64 / 40.0 + p as f64).sin() + random() * 0.01;
            let (sin, cos) = (angle / 2.0).sin_cos();
            let _ = write!(
                out,
                "        {{\n          \"frame\": {},\n          \"pos\": [{:.6}, {:.6}, {:.6}],\n\
                 \x20         \"rot\": [0.0, 0.0, {:.6}],\n          \
                 \"rot_quat\": [{cos:.9}, 0.0, 0.0, {sin:.9}],\n          \
                 \"scl\": [1.0, 1.0, 1.0],\n          \"interp\": \"BEZIER\"\n        }}{}\n",
                k + 1,
                random(),
                random(),
                random(),
                angle.to_degrees(),
                if k == 599 { "" } else { "," }
            );
        }
        let _ = write!(out, "      ]\n    }}{}\n", if p == 499 { "" } else { "," });
    }
    out.push_str("  ],\n  \"cameras\": []\n}\n");
    out
}

#[allow(dead_code)] // Plain structs: what a program that keeps nothing reads.
mod plain {
    #[derive(serde::Deserialize)]
    pub struct Take {
        pub format: String,
        pub version: u32,
        pub source: String,
        pub frame_range: [f64; 2],
        pub fps: f64,
        pub pegs: Vec<Peg>,
    }

    #[derive(serde::Deserialize)]
    pub struct Peg {
        pub name: String,
        pub path: String,
        pub parent: Option<String>,
        pub rest_pivot: [f64; 3],
        pub rest_rotation: [f64; 4],
        pub rig: String,
        pub keyframes: Vec<Key>,
    }

    #[derive(serde::Deserialize)]
    pub struct Key {
        pub frame: f64,
        pub pos: [f64; 3],
        pub rot: [f64; 3],
        pub rot_quat: [f64; 4],
        pub scl: [f64; 3],
        pub interp: String,
    }
}

fn open(text: &Arc<String>) -> Take {
    read_take(Arc::clone(text), &mut Uids::default()).value.unwrap()
}

fn best(rounds: usize, mut run: impl FnMut() -> Duration) -> Duration {
    (0..rounds).map(|_| run()).min().unwrap_or_default()
}

fn timed<T>(run: impl FnOnce() -> T) -> Duration {
    let begun = Instant::now();
    let value = black_box(run());
    let took = begun.elapsed();
    drop(value);
    took
}

#[divan::bench(sample_count = 3)]
fn open_50_mb(bencher: divan::Bencher) {
    let text = Arc::new(text());
    bencher.bench(|| open(&text));
}

#[divan::bench(sample_count = 3)]
fn lint_50_mb(bencher: divan::Bencher) {
    let take = open(&Arc::new(text()));
    bencher.bench(|| lint_take(&take, &Progress::new()));
}

#[divan::bench(sample_count = 3)]
fn save_50_mb_with_one_key_edited(bencher: divan::Bencher) {
    let mut take = open(&Arc::new(text()));
    Arc::make_mut(&mut take.pegs[250]).keyframes[300].frame = 301.5;
    bencher.bench(|| write_take(&take));
}

fn main() {
    divan::main();
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    let text = Arc::new(text());
    let megabytes = text.len() as f64 / 1e6;
    let take = open(&text);
    // In turns, so that a neighbour on the machine hits both.
    let (mut serde, mut ours, mut lint) = (Duration::MAX, Duration::MAX, Duration::MAX);
    for _ in 0..8 {
        serde =
            serde.min(best(1, || timed(|| serde_json::from_str::<plain::Take>(&text).unwrap())));
        ours = ours.min(best(1, || timed(|| open(&text))));
        lint = lint.min(best(1, || timed(|| lint_take(&take, &Progress::new()))));
    }
    drop(take);
    // The text is the file's own; what comes on top is what reading needs.
    let before = LIVE.load(Relaxed);
    PEAK.store(before, Relaxed);
    let take = open(&text);
    drop(lint_take(&take, &Progress::new()));
    let peak = (PEAK.load(Relaxed) - before + text.len()) as f64 / text.len() as f64;
    let kept = (LIVE.load(Relaxed) - before + text.len()) as f64 / text.len() as f64;
    let ratio = |time: Duration| time.as_secs_f64() / serde.as_secs_f64();
    println!("\n{megabytes:.1} MB, {} keys, {} threads", take.key_count(), threads());
    println!("serde_json into plain structs  {:7.1} ms", serde.as_secs_f64() * 1e3);
    println!(
        "open + validate                {:7.1} ms  {:.2}  (at most 1.3)",
        ours.as_secs_f64() * 1e3,
        ratio(ours)
    );
    println!(
        "lint                           {:7.1} ms  {:.2}  (at most 0.4)",
        lint.as_secs_f64() * 1e3,
        ratio(lint)
    );
    println!("peak memory {peak:.2} of the file (at most 4), kept {kept:.2}");
}

fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, |n| n.get())
}
