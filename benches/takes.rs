//! Opening, judging and saving a take of 50 MB, beside `serde_json` reading it into plain structs.
//!
//! `cargo bench --no-default-features --bench takes`. The table at the end gives the ratios; peak
//! memory is counted by an allocator of this program.
#![allow(clippy::unwrap_used)] // A bench that cannot read its own take should stop.

#[path = "shared/counting.rs"]
mod counting;
#[path = "shared/take.rs"]
mod take;

use counting::{Counting, LIVE, PEAK};
use posewright::format::{lint_take, read_take, write_take};
use posewright::model::Uids;
use posewright::model::take::Take;
use posewright::progress::Progress;
use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};
use take::baked;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// A bake with a little noise.
fn text() -> String {
    let mut seed = 1u64;
    let mut random = move || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as f64 / (1u64 << 31) as f64 - 0.5
    };
    baked(|p, k| {
        let angle = 3.0 * (k as f64 / 40.0 + p as f64).sin() + random() * 0.01;
        ([random(), random(), random()], angle)
    })
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
