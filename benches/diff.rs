//! Comparing two takes of 50 MB that are open: nothing shared, every key to be looked at, every pose
//! of both over the whole range.
//!
//! `cargo bench --no-default-features --bench diff`. Time, and peak memory on top of both documents,
//! which an allocator of this program counts.
#![allow(clippy::unwrap_used)] // A bench that cannot read its own take should stop.

#[path = "shared/counting.rs"]
mod counting;
#[path = "shared/take.rs"]
mod take;

use counting::{Counting, LIVE, PEAK};
use posewright::diff::{Difference, Posed, Side, Tolerances, diff};
use posewright::format::read_take;
use posewright::model::Uids;
use posewright::model::take::Take;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};
use take::baked;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// `by` degrees more than the other one, at each key of every so many pegs.
fn text(by: f64, every: usize) -> String {
    baked(|p, k| {
        let more = if p % every == 0 { by.to_radians() } else { 0.0 };
        let angle = 0.5 * (k as f64 / 40.0 + p as f64).sin() + more;
        let pos = [0.01 * (k as f64 / 30.0).sin(), 0.1 + 0.01 * (k as f64 / 50.0).cos(), 0.0];
        (pos, angle)
    })
}

fn open(text: String) -> Take {
    read_take(text, &mut Uids::default()).value.unwrap()
}

fn of(a: &Take, b: &Take) -> Difference {
    let side = |take| Side::Take { take, posed: Posed::Measured };
    diff(&side(a), &side(b), &Tolerances::default()).unwrap()
}

fn main() {
    // `cargo bench` says so; anything else only wants to see it start.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let (first, small, all) = (text(0.0, 1), text(12.0, 50), text(12.0, 1));
    let megabytes = first.len() as f64 / 1e6;
    // A document keeps its text, which is here already.
    let before = LIVE.load(Relaxed) - first.len();
    let a = open(first);
    let document = LIVE.load(Relaxed) - before;
    println!("two takes of {megabytes:.1} MB, {:.1} MB each when open\n", document as f64 / 1e6);
    println!("| what differs | time | extra peak memory | share of both |");
    println!("|---|---:|---:|---:|");
    for (what, text) in [("the keys of 10 pegs", small), ("every key", all)] {
        let b = open(text);
        let live = LIVE.load(Relaxed);
        let (mut best, mut extra, mut found) = (Duration::MAX, 0, None);
        for _ in 0..5 {
            drop(found.take());
            PEAK.store(live, Relaxed);
            let begun = Instant::now();
            found = Some(of(&a, &b));
            best = best.min(begun.elapsed());
            extra = PEAK.load(Relaxed) - live;
        }
        let share = extra as f64 / (2.0 * document as f64);
        println!(
            "| {what} | {:.0} ms | {:.1} MB | {:.0} % |",
            best.as_secs_f64() * 1e3,
            extra as f64 / 1e6,
            share * 100.0
        );
        println!("\n{}\n", found.unwrap().summary());
    }
}
