//! The sample clip in the window, and a hand on its timeline.

pub use super::pointer::*;
use super::*;
use egui::{Event, MouseWheelSource, MouseWheelUnit, Pos2, TouchPhase, vec2};
use posewright::model::Clip;
use posewright::ui::TimelineView;
use std::sync::Arc;

pub const CLIP: &str = include_str!("../../assets/weapon/draw.motion");
pub const RIG: &str = include_str!("../../assets/weapon/data/weapon-rig.rig");
pub const SIZE: [f32; 2] = [1600.0, 900.0];

pub const KEY_TIMES: &str = "Key times must increase strictly within the clip duration";

/// The sample clip on its rig, in a window of the usual size.
pub fn sample(place: &Place) -> Window {
    let clip = place.write("p/draw.motion", CLIP);
    place.write("p/data/weapon-rig.rig", RIG);
    Window::sized(place.config(), &[], &[clip], SIZE)
}

pub fn clip(window: &Window) -> Arc<Clip> {
    let app = window.app();
    app.editor().workspace().clip(app.state().active.unwrap()).unwrap().clone()
}

pub fn view(window: &Window) -> TimelineView {
    let app = window.app();
    app.state().views[&app.state().active.unwrap()].timeline.clone()
}

pub fn playhead(window: &Window) -> f64 {
    let app = window.app();
    app.state().views[&app.state().active.unwrap()].playhead_secs
}

/// The times of a track's keys.
pub fn times(window: &Window, part: &str) -> Vec<f64> {
    let clip = clip(window);
    let track = clip.tracks.iter().find(|track| track.part == part);
    track.map(|track| track.keys.iter().map(|key| key.time).collect()).unwrap_or_default()
}

/// Points of one second, from two keys of the hand.
pub fn second(window: &Window) -> f32 {
    let a = place_of(window, "hand rotation, key at 1.250 s");
    let b = place_of(window, "hand rotation, key at 2.500 s");
    (b.x - a.x) / 1.25
}

pub fn over_keys(window: &mut Window) {
    let canvas = window.harness.get_by_label("Keys over time").rect();
    let at = egui::pos2(canvas.center().x, canvas.bottom() - 3.0);
    window.harness.event(Event::PointerMoved(at));
    window.run();
}

pub fn wheel(window: &mut Window, at: Pos2, lines: f32, modifiers: Modifiers) {
    window.harness.event(Event::PointerMoved(at));
    window.harness.event(Event::MouseWheel {
        unit: MouseWheelUnit::Line,
        delta: vec2(0.0, lines),
        phase: TouchPhase::Move,
        source: MouseWheelSource::Wheel,
        modifiers,
    });
    window.run();
}
