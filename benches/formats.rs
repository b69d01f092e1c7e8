//! Opening and saving a full-size clip, beside `serde_yaml` reading it into plain structs.
//!
//! `cargo bench --bench formats`. The table at the end gives the ratios; peak memory is counted by
//! an allocator of this program.
#![allow(clippy::unwrap_used)] // A bench that cannot read its own clip should stop.

#[path = "shared/counting.rs"]
mod counting;

use counting::{Counting, LIVE, PEAK};
use posewright::format::{read_clip, strict, write_clip};
use posewright::model::{Clip, Uids};
use posewright::source::Source;
use std::fmt::Write;
use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// 128 tracks of 512 keys, about 4.2 MB.
fn text(odd: bool) -> String {
    let mut out = "binding: a.rig\nmodel: R\nduration: 60\nloop: false\ntracks:\n".to_owned();
    let mut seed = 1u64;
    let mut random = move || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as f64 / (1u64 << 31) as f64
    };
    for t in 0..128 {
        let property = if t % 2 == 0 { "position" } else { "rotation" };
        let _ = write!(
            out,
            "  - part: n{}\n    property: {property}\n    interpolation: linear\n    keys:\n",
            t / 2
        );
        for k in 0..512 {
            let time = k as f64 * 0.1 + random() * 0.05;
            let (x, y, z) = (random(), random(), random());
            let _ = write!(out, "      - time: {time:.6}\n        value: [{x:.6}, {y:.6}, {z:.6}]");
            out += if odd { " # c\n" } else { "\n" };
        }
    }
    out
}

#[allow(dead_code)] // Plain structs: what a program that keeps nothing reads.
mod plain {
    #[derive(serde::Deserialize)]
    pub struct Clip {
        pub binding: String,
        pub model: String,
        pub duration: f64,
        #[serde(rename = "loop")]
        pub looping: bool,
        pub tracks: Vec<Track>,
    }

    #[derive(serde::Deserialize)]
    pub struct Track {
        pub part: String,
        pub property: String,
        pub interpolation: String,
        pub keys: Vec<Key>,
    }

    #[derive(serde::Deserialize)]
    pub struct Key {
        pub time: f64,
        pub value: [f64; 3],
    }
}

fn open(text: &str) -> Clip {
    let source = Arc::new(Source::parse_yaml(text.to_owned()).unwrap());
    strict(read_clip(&source, &mut Uids::default())).unwrap()
}

/// The best and the median of `rounds` runs.
fn time(rounds: usize, mut run: impl FnMut()) -> (Duration, Duration) {
    run();
    let mut all: Vec<Duration> = (0..rounds)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed()
        })
        .collect();
    all.sort();
    (all[0], all[rounds / 2])
}

fn peak(run: impl FnOnce()) -> usize {
    let before = LIVE.load(Relaxed);
    PEAK.store(before, Relaxed);
    run();
    PEAK.load(Relaxed) - before
}

fn main() {
    let ms = |d: Duration| d.as_secs_f64() * 1e3;
    for odd in [false, true] {
        let text = text(odd);
        let name = if odd { "a comment beside every key" } else { "plain" };
        let size = text.len();
        let theirs = time(9, || {
            black_box(serde_yaml::from_str::<plain::Clip>(&text).unwrap());
        });
        let ours = time(9, || {
            black_box(open(&text));
        });
        println!("{name}: {:.1} MB", size as f64 / 1e6);
        println!(
            "  serde_yaml, plain structs   {:7.1} ms (median {:.1})",
            ms(theirs.0),
            ms(theirs.1)
        );
        println!("  open, lossless, all checks  {:7.1} ms (median {:.1})", ms(ours.0), ms(ours.1));
        println!("  ratio                       {:7.2}    target 1.5", ms(ours.0) / ms(theirs.0));
        let bytes = peak(|| {
            black_box(open(&text));
        });
        println!(
            "  peak memory                 {:7.2} × the size, target 8",
            bytes as f64 / size as f64
        );
        let clip = open(&text);
        let mut edited = clip.clone();
        Arc::make_mut(&mut edited.tracks[64]).keys[256].value.x = 7.5;
        let save = time(9, || {
            black_box(write_clip(&edited));
        });
        println!("  save after a one-key edit   {:7.1} ms, target 20", ms(save.0));
    }
}
