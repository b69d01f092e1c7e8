//! Converting baked takes: 159 pegs of 60 frames, and 500 of 600.
//!
//! `cargo bench --no-default-features --bench convert`. Peak memory is counted by an allocator of
//! this program, from the opened take on, beside the size of its text.
#![allow(clippy::unwrap_used)] // A bench that cannot read its own take should stop.

#[path = "shared/counting.rs"]
mod counting;

use counting::{Counting, LIVE, PEAK};
use glam::{DQuat, DVec3};
use posewright::convert::{ExportOptions, ImportOptions, Imported, export_clip, import_take};
use posewright::format::read_take;
use posewright::model::Uids;
use posewright::model::take::Take;
use posewright::progress::Progress;
use posewright::sample::take::Space;
use std::fmt::Write;
use std::hint::black_box;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// A skeleton whose joints all swing about their own axes, baked each frame: BEZIER, no handles,
/// as Blender's and Maya's exports are.
fn text(pegs: usize, frames: usize, space: Space) -> String {
    let mut out = format!(
        "{{\n  \"format\": \"octo_anm\",\n  \"version\": 4,\n  \"source\": \"blender\",\n  \
         \"frame_range\": [1, {frames}],\n  \"fps\": 24.0,\n  \"coordinate_system\": {{\n    \
         \"up\": \"y\",\n    \"hand\": \"right\",\n    \"unit\": \"meters\",\n    \
         \"rot_order\": \"xyz\",\n    \"rot_repr_anim\": \"euler_deg\",\n    \
         \"rot_repr_rest\": \"quat_wxyz\"\n  }},\n  \"pegs\": [\n"
    );
    let parent = |peg: usize| peg.checked_sub(1).map(|below| below / 2);
    let local = |peg: usize, frame: usize| {
        let (t, own) = (frame as f64 / 24.0, peg as f64);
        let turn = DQuat::from_rotation_x(0.4 * (1.3 * t + own).sin())
            * DQuat::from_rotation_z(0.3 * (0.9 * t + 2.0 * own).sin());
        (DVec3::new(0.0, 0.12, 0.02 * (peg % 3) as f64), turn)
    };
    for peg in 0..pegs {
        let above = parent(peg).map_or("null".to_owned(), |above| format!("\"peg{above}\""));
        let _ = write!(
            out,
            "    {{\n      \"name\": \"peg{peg}\",\n      \"path\": \"Top/rig/peg{peg}\",\n      \
             \"parent\": {above},\n      \"rest_pivot\": [0.0, 0.12, {}],\n      \
             \"rest_rotation\": [1.0, 0.0, 0.0, 0.0],\n      \"rig\": \"rig\",\n      \
             \"keyframes\": [\n",
            0.02 * (peg % 3) as f64,
        );
        for frame in 0..frames {
            let (mut place, mut turn) = local(peg, frame);
            let mut at = parent(peg).filter(|_| space == Space::World);
            while let Some(above) = at {
                let (above_place, above_turn) = local(above, frame);
                (place, turn) = (above_place + above_turn * place, above_turn * turn);
                at = parent(above);
            }
            let _ = write!(
                out,
                "        {{\n          \"frame\": {},\n          \"pos\": [{:.6}, {:.6}, {:.6}],\n\
                 \x20         \"rot_quat\": [{:.9}, {:.9}, {:.9}, {:.9}],\n          \
                 \"scl\": [1.0, 1.0, 1.0],\n          \"interp\": \"BEZIER\"\n        }}{}\n",
                frame + 1,
                place.x,
                place.y,
                place.z,
                turn.w,
                turn.x,
                turn.y,
                turn.z,
                if frame + 1 < frames { "," } else { "" }
            );
        }
        out += if peg + 1 < pegs { "      ]\n    },\n" } else { "      ]\n    }\n" };
    }
    out + "  ],\n  \"cameras\": []\n}\n"
}

fn import(take: &Take) -> Imported {
    let options = ImportOptions { split: true, ..ImportOptions::new("bench") };
    import_take(take, &options, &Progress::new()).unwrap()
}

struct Row {
    what: String,
    time: Duration,
    memory: f64,
    keys: [usize; 2],
    tracks: usize,
}

fn measure(pegs: usize, frames: usize, space: Space) -> Row {
    let text = text(pegs, frames, space);
    let bytes = text.len() as f64;
    let before = LIVE.load(Relaxed) - text.len();
    let take = read_take(text, &mut Uids::default()).value.unwrap();
    PEAK.store(LIVE.load(Relaxed), Relaxed);
    let began = Instant::now();
    let imported = import(&take);
    let time = began.elapsed();
    let memory = (PEAK.load(Relaxed) - before) as f64 / bytes;
    let what = format!("{pegs} pegs × {frames} frames, {}", space.as_str());
    let keys = imported.report.key_counts();
    let tracks = imported.report.tracks.len();
    if imported.clips.len() == 1 {
        let (rig, clip) = (&imported.rig, &imported.clips[0].1);
        let options = ExportOptions::default();
        black_box(export_clip(clip, Some(rig), &options, &Progress::new()).unwrap());
    }
    Row { what, time, memory, keys, tracks }
}

fn main() {
    let mut rows = Vec::new();
    for space in [Space::Local, Space::World] {
        rows.push(measure(159, 60, space));
        rows.push(measure(500, 600, space));
    }
    println!("| take | time | peak / text | tracks | keys of source | keys |");
    println!("|---|---|---|---|---|---|");
    for Row { what, time, memory, keys: [source, keys], tracks } in rows {
        println!("| {what} | {time:.2?} | {memory:.1}× | {tracks} | {source} | {keys} |");
    }
}
