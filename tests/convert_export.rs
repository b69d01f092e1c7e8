//! `.rig` + `.motion` → `.anm`, and back; `.pvt` ↔ `.rig` (A30, A31, A56, A57).
// A test that cannot go on should stop; numbers stand as the format's examples have them.
#![allow(clippy::unwrap_used, clippy::approx_constant)]

mod common;

use common::takes::skeleton;
use glam::DVec3;
use posewright::convert::{
    ExportOptions, ImportOptions, export_clip, export_rig, import_skeleton, import_take,
    measure_export,
};
use posewright::diagnostic::Severity;
use posewright::format::{
    lint_skeleton, lint_take, read_clip, read_rig, read_skeleton, read_take, strict, write_clip,
    write_rig, write_skeleton, write_take,
};
use posewright::model::take::{Interp, Take};
use posewright::model::{Clip, Property, Rig, Uids};
use posewright::progress::Progress;
use posewright::sample::take::Space;
use posewright::source::Source;
use proptest::prelude::*;
use serde_json::json;
use std::fmt::Write;
use std::sync::Arc;

fn yaml(text: &str) -> Arc<Source> {
    Arc::new(Source::parse_yaml(text.to_owned()).unwrap())
}

fn rig(text: &str) -> Rig {
    strict(read_rig(&yaml(text), &mut Uids::default())).unwrap()
}

fn clip(text: &str) -> Clip {
    strict(read_clip(&yaml(text), &mut Uids::default())).unwrap()
}

const RIG: &str = "name: Crane\nnodes:\n  - id: base\n    kind: joint\n    position: [0, 1.4, 0]\n  \
    - id: arm\n    name: Long arm\n    kind: joint\n    parent: base\n    position: [0.8, 0, 0]\n    \
    rotation: [0, 0.5, 0]\n    scale: [2, 2, 2]\n  - id: gun\n    kind: attachment\n    \
    parent: arm\n    model: gun\n";

fn head(secs: f64) -> String {
    format!("binding: crane.rig\nmodel: Crane\nduration: {secs}\nloop: false\ntracks:\n")
}

fn track(part: &str, property: &str, interpolation: &str, keys: &[(f64, [f64; 3])]) -> String {
    let mut text = format!(
        "  - part: {part}\n    property: {property}\n    interpolation: {interpolation}\n    keys:\n"
    );
    for (time, [x, y, z]) in keys {
        let _ = writeln!(text, "      - time: {time}\n        value: [{x}, {y}, {z}]");
    }
    text
}

fn with_curve(track: &str, curve: [f64; 4]) -> String {
    track.replace("    keys:\n", &format!("    curve: {curve:?}\n    keys:\n"))
}

/// Converts, reads back what is written, and holds it to the tolerances.
fn export(clip: &Clip, rig: Option<&Rig>) -> Take {
    let options = ExportOptions::default();
    let (take, report) = export_clip(clip, rig, &options, &Progress::new()).unwrap();
    let reading = read_take(write_take(&take), &mut Uids::default());
    assert_eq!(reading.problems, [], "the export is clean");
    let take = strict(reading).unwrap();
    let errors = |p: &&posewright::diagnostic::Problem| p.severity == Severity::Error;
    assert_eq!(lint_take(&take, &Progress::new()).iter().filter(errors).count(), 0);
    let measured = measure_export(&take, clip, rig, &options, &Progress::new()).unwrap();
    for (property, limit) in [0.001, 0.1, 0.001].into_iter().enumerate() {
        if let Some((joint, peak)) = measured.worst(property) {
            assert!(peak.error <= limit, "{joint}: {peak:?} over {limit}");
        }
    }
    assert_eq!(report.joints.len(), take.pegs.len());
    take
}

/// Back to a clip, with the source's own names.
fn back(take: &Take) -> Clip {
    let options = ImportOptions { space: Some(Space::Local), ..ImportOptions::new("Crane") };
    let imported = import_take(take, &options, &Progress::new()).unwrap();
    clip(&write_clip(&imported.clips[0].1))
}

#[test]
fn a_new_export_has_everything() {
    let rig = rig(RIG);
    let text = head(1.0)
        + &track("arm", "rotation", "linear", &[(0.0, [0.0, 0.5, 0.0]), (1.0, [0.0, 1.5, 0.0])]);
    let take = export(&clip(&text), Some(&rig));
    assert_eq!(take.header.source.as_deref(), Some("blender"));
    assert_eq!((take.header.fps, take.frame_range), (Some(24.0), Some([1.0, 25.0])));
    let [base, arm, gun] = [&take.pegs[0], &take.pegs[1], &take.pegs[2]];
    assert_eq!((base.parent.as_deref(), arm.parent.as_deref()), (None, Some("base")));
    assert_eq!(arm.rig.as_deref(), Some("Crane"));
    assert_eq!(arm.path.as_deref(), Some("Crane/base/Long arm"));
    // A rest scale survives in the first key.
    assert_eq!(arm.keyframes[0].scl, Some(DVec3::splat(2.0)));
    assert_eq!((base.keyframes.len(), arm.keyframes.len(), gun.keyframes.len()), (1, 2, 1));
    assert_eq!(arm.keyframes[0].interp, Some(Interp::Linear));
    let last = &arm.keyframes[1];
    assert!((last.rot.unwrap().y - 1.5_f64.to_degrees()).abs() < 1e-6);
    assert!(last.rot_quat.is_some());
}

#[test]
fn interpolations_have_their_equals() {
    let rig = rig(RIG);
    let keys = [(0.0, [0.0; 3]), (0.5, [1.0, 0.0, 0.0]), (1.0, [1.0, 2.0, 0.0])];
    for (interpolation, interp) in
        [("step", Interp::Constant), ("linear", Interp::Linear), ("smooth", Interp::Bezier)]
    {
        let text = head(1.0) + &track("base", "position", interpolation, &keys);
        let take = export(&clip(&text), Some(&rig));
        let base = &take.pegs[0].keyframes;
        assert_eq!(base.iter().map(|k| k.frame).collect::<Vec<_>>(), [1.0, 13.0, 25.0]);
        assert_eq!(base[0].interp, Some(interp));
        assert_eq!(base[0].handles.is_some(), interp == Interp::Bezier);
        let again = back(&take);
        assert_eq!(again.tracks.len(), 2, "position, and arm's rest scale");
        let track = again.tracks.iter().find(|t| t.part == "base").unwrap();
        let got: Vec<_> = track.keys.iter().map(|key| (key.time, key.value.to_array())).collect();
        assert_eq!(got, keys);
    }
}

#[test]
fn a_turn_about_several_axes_is_baked_each_frame() {
    let rig = rig(RIG);
    let keys = [(0.0, [0.0; 3]), (1.0, [0.7, -0.5, 1.2])];
    let text = head(1.0) + &track("base", "rotation", "smooth", &keys);
    let take = export(&clip(&text), Some(&rig));
    assert!(take.pegs[0].keyframes.len() >= 25, "{}", take.pegs[0].keyframes.len());
    // A linear one is a slerp there too.
    let text = head(1.0) + &track("base", "rotation", "linear", &keys);
    let take = export(&clip(&text), Some(&rig));
    assert_eq!(take.pegs[0].keyframes.len(), 2);
    // One axis keeps its curve, beside a position that is eased otherwise.
    let text = head(1.0)
        + &track("base", "rotation", "smooth", &[(0.0, [0.0; 3]), (1.0, [0.0, 0.0, 2.0])])
        + &track(
            "base",
            "position",
            "linear",
            &[(0.0, [0.0; 3]), (0.5, [1.0; 3]), (1.0, [0.0; 3])],
        );
    let take = export(&clip(&text), Some(&rig));
    assert_eq!(take.pegs[0].keyframes.len(), 3);
    let again = back(&take);
    let counts: Vec<(Property, usize)> = again
        .tracks
        .iter()
        .filter(|t| t.part == "base")
        .map(|t| (t.property, t.keys.len()))
        .collect();
    assert_eq!(counts, [(Property::Position, 3), (Property::Rotation, 2)]);
}

#[test]
fn a_jump_beside_a_move_is_kept() {
    let rig = rig(RIG);
    let text = head(1.0)
        + &track("base", "position", "step", &[(0.0, [0.0; 3]), (0.5, [1.0; 3]), (1.0, [3.0; 3])])
        + &track("base", "rotation", "linear", &[(0.0, [0.0; 3]), (1.0, [1.0, 0.0, 0.0])]);
    export(&clip(&text), Some(&rig));
}

#[test]
fn angles_go_on_as_they_were() {
    // (170, 80, 10) and then the quaternion of (170, 100, 10) is written as that (A57).
    let degrees = |e: [f64; 3]| e.map(f64::to_radians);
    let keys = [(0.0, degrees([170.0, 80.0, 10.0])), (1.0, degrees([170.0, 100.0, 10.0]))];
    let text = head(1.0) + &track("base", "rotation", "linear", &keys);
    let take = export(&clip(&text), Some(&rig(RIG)));
    let last = take.pegs[0].keyframes.last().unwrap().rot.unwrap();
    assert!((last - DVec3::new(170.0, 100.0, 10.0)).length() < 1e-6, "{last}");
}

#[test]
fn model_clips_convert_too() {
    let text = "format:\n  version: 1.0.0\nmodel: robot\nduration: 1\nloop: true\ntracks:\n"
        .to_owned()
        + &track("arm", "rotation", "smooth", &[(0.0, [0.0; 3]), (1.0, [0.0, 0.0, 6.283185])]);
    let take = export(&clip(&text), None);
    assert_eq!(take.pegs.len(), 1);
    assert_eq!(take.pegs[0].keyframes.len(), 2, "a whole turn of the angles");
}

/// A clip of one interpolation a track, keys on frames, turns about one axis.
fn plain_clip() -> impl Strategy<Value = String> {
    let keys = prop::collection::btree_set(0..48_u32, 2..5);
    let value = || prop::collection::vec(-2.0..2.0f64, 3);
    let round = |value: f64| (value * 1e6).round() / 1e6;
    let one = (
        keys,
        prop::collection::vec(value(), 5),
        prop_oneof![Just("linear"), Just("smooth"), Just("bezier")],
        [0.0..0.5f64, 0.0..1.0, 0.5..1.0, 0.0..1.0],
    );
    prop::collection::vec(one, 3).prop_map(move |tracks| {
        let mut text = head(2.0);
        for ((keys, values, interpolation, curve), property) in
            tracks.into_iter().zip(["position", "rotation", "scale"])
        {
            // No two neighbours alike, and none on a line with others.
            let axis = |at: usize, v: &[f64]| {
                let far = (at * at) as f64;
                let sign = if at.is_multiple_of(2) { 1.0 } else { -1.0 };
                match property {
                    "rotation" => [0.0, 0.0, round(sign * (0.4 + 0.4 * v[2].abs()))],
                    "scale" => [0, 1, 2].map(|a: usize| round(0.5 + 0.2 * v[a].abs() + far)),
                    _ => [0, 1, 2].map(|a: usize| round(0.3 * v[a] - 1.1 * far)),
                }
            };
            let keys: Vec<(f64, [f64; 3])> = keys
                .iter()
                .zip(values.iter().enumerate())
                .map(|(frame, (at, v))| (round(f64::from(*frame) / 24.0), axis(at, v)))
                .collect();
            let track = track("base", property, interpolation, &keys);
            text += &match interpolation {
                "bezier" => with_curve(&track, curve.map(round)),
                _ => track,
            };
        }
        text
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: std::env::var("POSEWRIGHT_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(60),
        failure_persistence: None, ..<_>::default()
    })]

    #[test]
    fn clips_come_back_with_their_keys(text in plain_clip()) {
        let before = clip(&text);
        let rig = rig(RIG);
        let take = export(&before, Some(&rig));
        let after = back(&take);
        for track in &before.tracks {
            let again = after.tracks.iter().find(|t| t.part == track.part && t.property == track.property);
            let Some(again) = again else { panic!("{:?} is gone", track.property) };
            let [a, b] = [track, again].map(|t| t.keys.iter().map(|k| k.time).collect::<Vec<_>>());
            prop_assert_eq!(&a, &b, "{}: {:?}", write_take(&take), track.property);
            for (key, other) in track.keys.iter().zip(&again.keys) {
                prop_assert!((key.value - other.value).length() < 1e-5, "{:?} {:?}", key, other);
            }
        }
    }

    #[test]
    fn rigs_come_back_from_skeletons(
        angles in prop::collection::vec((-1.5..1.5f64, -1.5..1.5f64, -1.5..1.5f64), 1..8),
        names in prop::collection::vec("[a-zA-Z0-9 /:.é-]{0,6}", 8),
    ) {
        let round = |v: f64| (v * 1e6).round() / 1e6;
        let mut text = "name: \"A rig: 1\"\nnodes:\n".to_owned();
        for (at, ((x, y, z), name)) in angles.iter().zip(&names).enumerate() {
            let parent = at.checked_sub(1).map_or(String::new(), |p| format!("    parent: n{}\n", p / 2));
            let name = match name.is_empty() {
                true => String::new(),
                false => format!("    name: {}\n", json!(name)),
            };
            let _ = write!(
                text,
                "  - id: n{at}\n{name}    kind: joint\n{parent}    position: [{}, {}, {}]\n    \
                 rotation: [{}, {}, {}]\n",
                round(*z), round(*x), round(*y), round(*x), round(*y), round(*z),
            );
        }
        let before = rig(&text);
        let (made, _) = export_rig(&before).unwrap();
        let reading = read_skeleton(write_skeleton(&made), &mut Uids::default());
        prop_assert_eq!(&reading.problems, &[]);
        let made = strict(reading).unwrap();
        let errors = lint_skeleton(&made).into_iter().filter(|p| p.severity == Severity::Error);
        prop_assert_eq!(errors.count(), 0);
        let (after, _) = import_skeleton(&made, None, "other").unwrap();
        let after = rig(&write_rig(&after));
        prop_assert_eq!(&after.name, &before.name);
        for (a, b) in before.nodes.iter().zip(&after.nodes) {
            prop_assert_eq!((&a.id, &a.parent, a.kind), (&b.id, &b.parent, b.kind));
            prop_assert_eq!(a.display_name(), b.display_name());
            prop_assert_eq!((a.position, a.rotation), (b.position, b.rotation));
        }
    }
}

#[test]
fn what_a_skeleton_cannot_hold_is_reported() {
    let (made, report) = export_rig(&rig(RIG)).unwrap();
    assert_eq!((made.scale_factor, made.header.fps), (Some(1.0), Some(24.0)));
    let whys: Vec<&str> = report.notes.iter().map(|note| note.why.as_str()).collect();
    assert_eq!(whys.len(), 3, "{whys:?}");
    assert!(whys[0].contains("scale") && whys[1].contains("attachment") && whys[2].contains("gun"));
}

#[test]
fn the_worked_skeletons() {
    let bones = json!({"scale_factor": 2.0, "pivot_space": "local", "bones": [
        {"name": "a", "parent": null, "pivot": [2, 4, 6], "rotation": [1, 0, 0, 0]}]});
    let (made, _) = import_skeleton(&skeleton(bones), Some("R"), "f").unwrap();
    assert_eq!(made.nodes[0].position, DVec3::new(1.0, 2.0, 3.0));
    let bones = json!({"pivot_space": "armature", "bones": [
        {"name": "hip", "pivot": [0, 1, 0], "rotation": [0.707107, 0, 0, 0.707107]},
        {"name": "knee", "parent": "hip", "pivot": [-0.5, 1, 0],
         "rotation": [0.683013, 0.183013, 0.183013, 0.683013]}]});
    let (made, report) = import_skeleton(&skeleton(bones), None, "legs").unwrap();
    assert_eq!(made.name, "legs");
    let knee = &made.nodes[1];
    assert!((knee.position - DVec3::new(0.0, 0.5, 0.0)).length() < 1e-5, "{}", knee.position);
    let turn = posewright::math::quat_from_euler(knee.rotation);
    assert!((turn.w - 0.965926).abs() < 1e-5 && (turn.x - 0.258819).abs() < 1e-5, "{turn}");
    assert!(report.notes.iter().any(|note| note.path == "pivot_space"));
    let none = json!({"scale_factor": 0, "bones": [{"name": "a"}]});
    assert!(import_skeleton(&skeleton(none), None, "f").is_err());
}
