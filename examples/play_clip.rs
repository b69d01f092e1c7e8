//! Plays a clip on its rig and prints world poses, 30 a second:
//! `cargo run --example play_clip -- CLIP.motion RIG.rig`

use posewright::runtime::{Binding, Clip, Cursor};
use std::error::Error;

const FPS: f64 = 30.0;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1);
    let (Some(clip), Some(rig)) = (arguments.next(), arguments.next()) else {
        return Err("usage: play_clip CLIP.motion RIG.rig".into());
    };
    let clip = Clip::load(clip)?;
    let rig = Binding::load(rig)?.bind(&clip)?;

    // Both are used again and again: after the first frame nothing is allocated.
    let mut world = Vec::new();
    let mut cursor = Cursor::default();
    let frames = (clip.duration_secs() * FPS).ceil() as u32;
    for frame in 0..=frames {
        let elapsed_secs = f64::from(frame) / FPS;
        rig.sample_with(&mut cursor, clip.time(elapsed_secs), 1.0, &mut world);
        for (name, pose) in rig.names().iter().zip(&world) {
            println!("{elapsed_secs:.3} s  {name}  {:.4}  {:.4}", pose.position, pose.rotation);
        }
    }
    Ok(())
}
