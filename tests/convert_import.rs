//! `.anm` → `.rig` + `.motion` (A20–A22, A50–A55).
#![allow(clippy::unwrap_used)] // A test that cannot go on should stop.

mod common;

use common::takes::{canonical, key, peg, read, take};
use glam::{DMat3, DQuat, DVec3};
use posewright::convert::{
    Consent, ImportOptions, Imported, Refusal, Tolerances, import_take, measure_import,
};
use posewright::format::{read_clip, read_rig, strict, write_clip, write_rig};
use posewright::math::quat_from_euler;
use posewright::model::take::Take;
use posewright::model::{Clip, Interpolation, NodeKind, Property, Rig, Track, Uids};
use posewright::progress::Progress;
use posewright::sample::take::Space;
use posewright::sample::{Binding, Clip as Compiled};
use posewright::source::Source;
use serde_json::{Value, json};
use std::sync::Arc;

fn options() -> ImportOptions {
    ImportOptions { space: Some(Space::Local), ..ImportOptions::new("hero") }
}

fn import_as(take: &Take, options: &ImportOptions) -> Result<Imported, Refusal> {
    import_take(take, options, &Progress::new())
}

/// As written: texts that load strictly, without a warning, and play.
fn written(imported: &Imported) -> (Rig, Vec<Clip>) {
    let parse = |text: String| Arc::new(Source::parse_yaml(text).unwrap());
    let reading = read_rig(&parse(write_rig(&imported.rig)), &mut Uids::default());
    assert_eq!(reading.problems, [], "the rig is clean");
    let rig = strict(reading).unwrap();
    let clips = imported.clips.iter().map(|(_, clip)| {
        let reading = read_clip(&parse(write_clip(clip)), &mut Uids::default());
        assert_eq!(reading.problems, [], "the clip is clean");
        let clip = strict(reading).unwrap();
        Binding::new(&rig).unwrap().bind(&Compiled::new(&clip).unwrap()).unwrap();
        clip
    });
    (rig.clone(), clips.collect())
}

/// Converts, and holds what was written to the tolerances.
fn import(take: &Take, options: &ImportOptions) -> (Imported, Rig, Vec<Clip>) {
    let imported = import_as(take, options).unwrap();
    let (rig, clips) = written(&imported);
    let measured = measure_import(take, options, &rig, &clips, &Progress::new()).unwrap();
    let limits = options.tolerances;
    for (property, limit) in
        [limits.position_m, limits.angle_deg, limits.scale].into_iter().enumerate()
    {
        if let Some((joint, peak)) = measured.worst(property) {
            assert!(peak.error <= limit * 1.000_001, "{joint}: {peak:?} over {limit}");
        }
    }
    (imported, rig, clips)
}

fn track<'c>(clip: &'c Clip, part: &str, property: Property) -> Option<&'c Track> {
    clip.tracks.iter().find(|t| t.part == part && t.property == property).map(|t| &**t)
}

fn times(track: &Track) -> Vec<f64> {
    track.keys.iter().map(|key| key.time).collect()
}

fn keyed(frame: f64, interp: &str, pos: [f64; 3]) -> Value {
    key(frame, json!({"pos": pos, "rot_quat": [1, 0, 0, 0], "scl": [1, 1, 1], "interp": interp}))
}

fn with(pegs: &[Value], change: impl FnOnce(&mut Value)) -> Take {
    let mut whole: Value = serde_json::from_str(&common::takes::text(pegs)).unwrap();
    change(&mut whole);
    read(&whole.to_string())
}

fn moving() -> Value {
    peg("hip", vec![keyed(1.0, "LINEAR", [0.0; 3]), keyed(25.0, "LINEAR", [1.0, 2.0, 3.0])])
}

#[test]
fn times_are_frames_from_the_start() {
    for (fps, range, expected) in [
        (24.0, [1.0, 60.0], 2.458333),
        (23.976, [1.0, 1001.0], 41.708375),
        (30.0, [1.0, 60.0], 1.966667),
        (24.0, [5.0, 5.0], 0.041667),
    ] {
        let [start, end] = range;
        let keys = vec![
            keyed(start, "LINEAR", [0.0; 3]),
            keyed(end + 1e-12 * f64::from(u8::from(start == end)), "LINEAR", [1.0; 3]),
        ];
        let take = with(&[peg("hip", keys)], |whole| {
            whole["fps"] = json!(fps);
            whole["frame_range"] = json!(range);
        });
        let (_, _, clips) = import(&take, &options());
        assert_eq!(clips[0].duration_secs, expected);
        let position = track(&clips[0], "hip", Property::Position).unwrap();
        let last = position.keys.last().unwrap().time;
        assert!(last <= expected && (start == end || last == expected), "{last}");
        assert!(!clips[0].looping);
    }
}

#[test]
fn what_cannot_be_is_refused_with_what_to_do() {
    let refused = |change: &dyn Fn(&mut Value)| {
        import_as(&with(&[moving()], |whole| change(whole)), &options()).unwrap_err()
    };
    let words = |change: &dyn Fn(&mut Value)| refused(change).to_string();
    assert!(
        words(&|w| w["fps"] = json!(0)).contains("fps")
            || words(&|w| w["fps"] = json!(0)).contains("rate")
    );
    assert!(words(&|w| w["frame_range"] = json!([10, 1])).len() > 10);
    assert!(words(&|w| w["frame_range"] = json!([1, 100_000])).contains("3600"));
    let header = |w: &mut Value| {
        w.as_object_mut().unwrap().remove("coordinate_system");
    };
    assert!(matches!(refused(&header), Refusal::Basis(_)));
    assert!(matches!(refused(&|w| w["coordinate_system"]["up"] = json!("x")), Refusal::Basis(_)));
    let both = |w: &mut Value| {
        w["coordinate_system"]["up"] = json!("z");
        w["coordinate_system"]["hand"] = json!("left");
    };
    assert!(matches!(refused(&both), Refusal::Basis(_)));
    assert!(matches!(refused(&|w| w["pegs"] = json!([])), Refusal::Empty));
    let gone = |w: &mut Value| w["pegs"][0]["parent"] = json!("nobody");
    assert!(matches!(refused(&gone), Refusal::Problem { .. }));

    let zero = |w: &mut Value| w["pegs"][0]["keyframes"][0]["rot_quat"] = json!([0, 0, 0, 0]);
    assert!(refused(&zero).consents().is_empty() || refused(&zero).consents() == [Consent::UseRot]);
    let by_rot = with(&[moving()], |w| {
        zero(w);
        w["pegs"][0]["keyframes"][0]["rot"] = json!([0, 0, 90]);
    });
    let refusal = import_as(&by_rot, &options()).unwrap_err();
    assert_eq!(refusal.consents(), [Consent::UseRot]);
    let (imported, ..) = import(&by_rot, &ImportOptions { use_rot: true, ..options() });
    assert!(imported.report.notes.iter().any(|note| note.why.contains("by `rot`")));

    let mirrored = with(&[moving()], |w| w["pegs"][0]["keyframes"][1]["scl"] = json!([1, -2, 1]));
    let refusal = import_as(&mirrored, &options()).unwrap_err();
    assert_eq!(refusal.consents(), [Consent::AbsScale]);
    let (_, _, clips) = import(&mirrored, &ImportOptions { abs_scale: true, ..options() });
    let scale = track(&clips[0], "hip", Property::Scale).unwrap();
    assert!(scale.keys.iter().all(|key| key.value.min_element() > 0.0));
    assert_eq!(scale.keys.last().unwrap().value, DVec3::new(1.0, 2.0, 1.0));
}

#[test]
fn two_negative_factors_are_half_a_turn_about_the_third() {
    let scaled = |frame: f64| {
        key(
            frame,
            json!({"pos": [0, 0, 0], "rot_quat": [1, 0, 0, 0], "scl": [-2, -3, 4],
                          "interp": "LINEAR"}),
        )
    };
    let child = json!({"name": "hand", "parent": "arm", "rest_pivot": [1, 1, 1],
        "keyframes": [keyed(1.0, "LINEAR", [1.0, 1.0, 1.0])]});
    let take = take(&[peg("arm", vec![scaled(1.0), scaled(25.0)]), child]);
    let (imported, rig, clips) = import(&take, &options());
    assert!(imported.report.notes.iter().any(|note| note.what == "folded"));
    let motion = Binding::new(&rig).unwrap().bind(&Compiled::new(&clips[0]).unwrap()).unwrap();
    let mut world = Vec::new();
    motion.sample(0.5, 1.0, &mut world);
    assert!((world[1].position - DVec3::new(-2.0, -3.0, 4.0)).length() < 1e-6, "{world:?}");
    let flat = with(&[moving()], |w| w["pegs"][0]["keyframes"][1]["scl"] = json!([1, 0, 1]));
    let (imported, _, clips) = import(&flat, &options());
    let scale = track(&clips[0], "hip", Property::Scale).unwrap();
    assert_eq!(scale.keys.last().unwrap().value.y, 0.0001);
    assert!(imported.report.notes.iter().any(|note| note.what == "clamped"));
}

#[test]
fn the_space_is_measured_or_asked_for() {
    let hip = |y: f64| {
        json!({"name": "hip", "rest_pivot": [0, 1, 0], "keyframes": [
        key(1.0, json!({"pos": [0.0, y, 0.0], "rot": [0, 0, 0], "interp": "LINEAR"})),
        key(25.0, json!({"pos": [0.0, y, 0.0], "rot": [0, 0, 90], "interp": "LINEAR"}))]})
    };
    let thigh = |from: [f64; 3], to: [f64; 3]| {
        json!({"name": "thigh", "parent": "hip", "rest_pivot": [0, -0.5, 0], "keyframes": [
            key(1.0, json!({"pos": from, "rot": [0, 0, 0], "interp": "LINEAR"})),
            key(25.0, json!({"pos": to, "rot": [0, 0, 0], "interp": "LINEAR"}))]})
    };
    let cases = [
        ([0.0, -0.5, 0.0], [0.0, -0.5, 0.0], Some(Space::Local), [0.0, 0.5, 1.290569]),
        ([0.0, 0.5, 0.0], [0.5, 1.0, 0.0], Some(Space::World), [1.290569, 0.809017, 0.0]),
        ([0.0, 0.0, 0.0], [0.0, 0.0, 0.0], Some(Space::Delta), [0.5, 0.0, 0.5]),
    ];
    for (from, to, space, figures) in cases {
        let y = if space == Some(Space::Delta) { 0.0 } else { 1.0 };
        let take = take(&[hip(y), thigh(from, to)]);
        let asked = ImportOptions { space: None, ..options() };
        let (imported, ..) = import(&take, &asked);
        assert_eq!(imported.report.space, space);
        for (got, want) in imported.report.residuals.unwrap().into_iter().zip(figures) {
            assert!((got.unwrap() - want).abs() < 1e-6, "{got:?}, not {want}");
        }
    }
    // One peg alone says nothing: a person is asked.
    let root = json!({"name": "hip", "rest_pivot": [0, 1, 0], "keyframes": [
        keyed(1.0, "LINEAR", [0.0; 3]), keyed(25.0, "LINEAR", [1.0, 0.0, 0.0])]});
    let undecided = import_as(&take(&[root]), &ImportOptions { space: None, ..options() });
    assert!(matches!(undecided, Err(Refusal::Space(_))));
    assert!(undecided.unwrap_err().consents().len() >= 2);
}

#[test]
fn names_become_ids() {
    let named = |name: &str, rig: &str, parent: Option<&str>| {
        json!({"name": name, "rig": rig, "parent": parent, "keyframes":
            [keyed(1.0, "LINEAR", [0.0; 3]), keyed(25.0, "LINEAR", [1.0, 0.0, 0.0])]})
    };
    let mut camera = named("Camera-P", "a", None);
    camera["is_camera"] = json!(true);
    let still = json!({"name": "still", "rig": "a", "parent": "hip", "keyframes": []});
    let pegs = [
        named("root", "a", None),
        named("hip", "a", Some("root")),
        named("hip", "b", Some("Top")),
        named("L/arm:1", "b", Some("hip")),
        camera,
        still,
    ];
    let (imported, rig, clips) = import(&take(&pegs), &options());
    let ids: Vec<&str> = rig.nodes.iter().map(|node| node.id.as_str()).collect();
    assert_eq!(ids, ["root", "a.hip", "b.hip", "L_arm_1", "Camera-P", "still"]);
    let parents: Vec<Option<&str>> = rig.nodes.iter().map(|n| n.parent.as_deref()).collect();
    assert_eq!(parents, [None, Some("root"), None, Some("b.hip"), None, Some("a.hip")]);
    assert_eq!(rig.nodes[3].name.as_deref(), Some("L/arm:1"));
    assert_eq!(rig.nodes[1].name.as_deref(), Some("hip"));
    assert_eq!(rig.nodes[0].name, None);
    assert_eq!(rig.nodes[4].kind, NodeKind::Entity);
    assert_eq!((rig.name.as_str(), clips[0].model.as_str()), ("hero", "hero"));
    assert_eq!(clips[0].binding.as_deref(), Some("hero.rig"));
    assert!(track(&clips[0], "still", Property::Position).is_none());
    let renamed: Vec<&str> = imported
        .report
        .notes
        .iter()
        .filter(|note| note.what == "renamed")
        .map(|note| note.path.as_str())
        .collect();
    assert_eq!(renamed.len(), 3, "{renamed:?}");
}

#[test]
fn equal_interpolation_keeps_its_keys() {
    let pos = |interp: &str| {
        let values = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.5, 2.0, 0.0], [0.0, -1.0, 0.5]];
        let keys = values.iter().zip([1.0, 4.0, 13.5, 25.0]);
        peg("hip", keys.map(|(value, frame)| keyed(frame, interp, *value)).collect())
    };
    for (interp, interpolation) in
        [("CONSTANT", Interpolation::Step), ("LINEAR", Interpolation::Linear)]
    {
        let (imported, _, clips) = import(&take(&[pos(interp)]), &options());
        let track = track(&clips[0], "hip", Property::Position).unwrap();
        assert_eq!(track.interpolation, interpolation);
        assert_eq!(times(track), [0.0, 0.125, 0.520833, 1.0]);
        assert_eq!(track.keys[2].value, DVec3::new(1.5, 2.0, 0.0));
        assert_eq!(imported.report.tracks[0].method, interpolation.as_str());
        assert_eq!(clips[0].tracks.len(), 1, "what rests has no track");
    }
    // Two BEZIER keys without handles: the automatic tangents are level at both ends.
    let eased =
        peg("hip", vec![keyed(1.0, "BEZIER", [0.0; 3]), keyed(25.0, "BEZIER", [1.0, 2.0, -3.0])]);
    let (_, _, clips) = import(&take(&[eased]), &options());
    let track = track(&clips[0], "hip", Property::Position).unwrap();
    assert_eq!(track.interpolation, Interpolation::Bezier);
    assert_eq!(track.curve, Some([0.333333, 0.0, 0.666667, 1.0]));
    assert_eq!(track.keys.len(), 2);
}

#[test]
fn a_spin_about_one_axis_is_kept_and_has_keys_in_between() {
    let turned = |frame: f64, z: f64| {
        key(frame, json!({"pos": [0, 0, 0], "rot": [0, 0, z], "interp": "LINEAR"}))
    };
    let take = take(&[peg("wheel", vec![turned(1.0, 0.0), turned(25.0, 720.0)])]);
    let (imported, _, clips) = import(&take, &options());
    let track = track(&clips[0], "wheel", Property::Rotation).unwrap();
    assert_eq!(track.interpolation, Interpolation::Linear);
    for pair in track.keys.windows(2) {
        let apart = posewright::math::apart_deg(
            quat_from_euler(pair[0].value),
            quat_from_euler(pair[1].value),
        );
        assert!(apart < 170.0, "{apart}");
    }
    assert!(track.keys.len() <= 8, "{}", track.keys.len());
    assert!((track.keys.last().unwrap().value.z.to_degrees() - 720.0).abs() < 1e-5);
    assert!(imported.report.worst(1).is_none_or(|worst| worst.1.error < 0.1));
}

#[test]
fn a_jump_amid_others_is_two_keys() {
    let keys = vec![
        keyed(1.0, "LINEAR", [0.0; 3]),
        keyed(5.0, "CONSTANT", [1.0, 0.0, 0.0]),
        keyed(13.0, "LINEAR", [5.0, 0.0, 0.0]),
        keyed(25.0, "LINEAR", [6.0, 0.0, 0.0]),
    ];
    let (_, _, clips) = import(&take(&[peg("hip", keys)]), &options());
    let track = track(&clips[0], "hip", Property::Position).unwrap();
    assert_eq!(times(track), [0.0, 0.166667, 0.499999, 0.5, 1.0]);
    assert_eq!(track.interpolation, Interpolation::Linear);
    assert_eq!(track.keys[2].value.x, 1.0);
    assert_eq!(track.keys[3].value.x, 5.0);
}

#[test]
fn keys_outside_unsorted_and_doubled_are_reported() {
    let keys = vec![
        keyed(31.0, "LINEAR", [30.0, 0.0, 0.0]),
        keyed(-9.0, "LINEAR", [-10.0, 0.0, 0.0]),
        keyed(12.5, "LINEAR", [99.0, 0.0, 0.0]),
        keyed(12.5, "LINEAR", [14.0, 0.0, 0.0]),
    ];
    let (imported, _, clips) = import(&take(&[peg("hip", keys)]), &options());
    let track = track(&clips[0], "hip", Property::Position).unwrap();
    assert_eq!(times(track), [0.0, 0.479167, 1.0]);
    assert!((track.keys[0].value.x - (-10.0 + 24.0 * 10.0 / 21.5)).abs() < 1e-6);
    let whats: Vec<&str> = imported.report.notes.iter().map(|note| note.what).collect();
    assert_eq!(whats, ["clamped", "sorted", "dropped"]);
}

#[test]
fn the_basis_is_changed_exactly() {
    let keys = |to: [f64; 3]| {
        vec![
            key(1.0, json!({"pos": [0, 0, 0], "rot": [0, 0, 0], "interp": "LINEAR"})),
            key(25.0, json!({"pos": to, "rot": [0, 0, 60], "scl": [1, 2, 3], "interp": "LINEAR"})),
        ]
    };
    let z_up = with(&[peg("hip", keys([100.0, 200.0, 300.0]))], |w| {
        w["coordinate_system"]["up"] = json!("Z");
        w["coordinate_system"]["unit"] = json!("cm");
    });
    let (imported, _, clips) = import(&z_up, &options());
    let last = |property| track(&clips[0], "hip", property).unwrap().keys.last().unwrap().value;
    assert_eq!(last(Property::Position), DVec3::new(1.0, 3.0, -2.0));
    assert_eq!(last(Property::Scale), DVec3::new(1.0, 3.0, 2.0));
    assert!((last(Property::Rotation).y.to_degrees() - 60.0).abs() < 1e-6);
    assert!(imported.report.notes.iter().any(|note| note.path == "coordinate_system"));
    let left = with(&[peg("hip", keys([1.0, 2.0, 3.0]))], |w| {
        w["coordinate_system"]["hand"] = json!("left");
    });
    let (imported, _, clips) = import(&left, &options());
    let last = |property| track(&clips[0], "hip", property).unwrap().keys.last().unwrap().value;
    assert_eq!(last(Property::Position), DVec3::new(1.0, 2.0, -3.0));
    assert!((last(Property::Rotation).z.to_degrees() - 60.0).abs() < 1e-6);
    assert!(imported.report.notes.iter().any(|note| note.why.contains("left-handed")));
    assert_eq!(canonical()["up"], "y");
}

/// A chain of joints that swings about all axes, baked each frame in a space.
fn swinging(joints: usize, frames: usize, space: Space) -> Take {
    let mut pegs: Vec<Value> = Vec::new();
    let mut keys: Vec<Vec<Value>> = vec![Vec::new(); joints];
    let rest = |joint: usize| {
        let pivot = if joint == 0 { DVec3::new(0.0, 1.0, 0.0) } else { DVec3::new(0.1, 0.25, 0.0) };
        (pivot, DQuat::from_rotation_z(0.1 * joint as f64))
    };
    for frame in 0..frames {
        let t = frame as f64 / 24.0;
        let mut world = (DVec3::ZERO, DQuat::IDENTITY);
        for (joint, keys) in keys.iter_mut().enumerate() {
            let phase = joint as f64 * 0.7;
            let (pivot, rest_turn) = rest(joint);
            let delta = DQuat::from_rotation_x(0.5 * (3.0 * t + phase).sin())
                * DQuat::from_rotation_y(0.4 * (2.0 * t + phase).cos());
            let moved =
                if joint == 0 { DVec3::new(t, 0.1 * (5.0 * t).sin(), 0.0) } else { DVec3::ZERO };
            let local = (pivot + rest_turn * moved, rest_turn * delta);
            world = (world.0 + world.1 * local.0, world.1 * local.1);
            let (pos, turn) = match space {
                Space::Local => local,
                Space::Delta => (moved, delta),
                Space::World => world,
            };
            keys.push(key(
                1.0 + frame as f64,
                json!({
                    "pos": pos.to_array(), "rot_quat": [turn.w, turn.x, turn.y, turn.z],
                    "scl": [1, 1, 1], "interp": "BEZIER"
                }),
            ));
        }
    }
    for (joint, keys) in keys.into_iter().enumerate() {
        let (pivot, turn) = rest(joint);
        let parent = joint.checked_sub(1).map(|parent| format!("bone{parent}"));
        pegs.push(json!({"name": format!("bone{joint}"), "parent": parent,
            "rest_pivot": pivot.to_array(), "rest_rotation": [turn.w, turn.x, turn.y, turn.z],
            "keyframes": keys}));
    }
    with(&pegs, |w| w["frame_range"] = json!([1, frames]))
}

#[test]
fn baked_skeletons_hold_the_tolerances_in_every_space() {
    for space in Space::ALL {
        let take = swinging(12, 30, space);
        let asked = ImportOptions { space: None, ..options() };
        let (imported, _, clips) = import(&take, &asked);
        assert_eq!(imported.report.space, Some(space));
        let [source, keys] = imported.report.key_counts();
        assert!(keys < 3 * source, "{keys} of {source}");
        assert!(imported.report.tracks.iter().all(|track| track.keys >= 2));
        // Looser tolerances never need more keys.
        let loose = ImportOptions { tolerances: Tolerances::default().times(20.0), ..asked };
        let (loosely, ..) = import(&take, &loose);
        assert!(loosely.report.key_counts()[1] * 2 < keys, "{:?}", loosely.report.key_counts());
        let rotations = clips[0].tracks.iter().filter(|t| t.property == Property::Rotation);
        for pair in rotations.flat_map(|track| track.keys.windows(2)) {
            let turn = |at: usize| quat_from_euler(pair[at].value);
            assert!(posewright::math::apart_deg(turn(0), turn(1)) < 170.0);
        }
    }
}

#[test]
fn the_torso_stands_where_blender_has_it() {
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/anm/");
    let text = |name: &str| std::fs::read_to_string(format!("{data}{name}")).unwrap();
    let take = read(&text("torso.anm"));
    let asked = ImportOptions { space: None, ..options() };
    let (_, rig, clips) = import(&take, &asked);
    let expected: Value = serde_json::from_str(&text("torso.expected.json")).unwrap();
    let motion = Binding::new(&rig).unwrap().bind(&Compiled::new(&clips[0]).unwrap()).unwrap();
    let mut world = Vec::new();
    for (frame, matrices) in expected["frames"].as_object().unwrap() {
        let time = (frame.parse::<f64>().unwrap() - 1.0) / 30.0;
        motion.sample(time, 1.0, &mut world);
        for (name, matrix) in matrices.as_object().unwrap() {
            let at = motion.find(name).unwrap();
            let cell = |row: usize, column: usize| matrix[row][column].as_f64().unwrap();
            let place = DVec3::new(cell(0, 3), cell(1, 3), cell(2, 3));
            let column = |c: usize| DVec3::new(cell(0, c), cell(1, c), cell(2, c)).normalize();
            let turn = DQuat::from_mat3(&DMat3::from_cols(column(0), column(1), column(2)));
            let off = world[at].position.distance(place);
            let turned = posewright::math::apart_deg(world[at].rotation, turn);
            assert!(off < 0.001 && turned < 0.1001, "{name} at {frame}: {off} m, {turned}°");
        }
    }
}

/// World poses below a chain of pegs without keys that hangs on an uneven scale: composed from
/// above down they stand where the file says, and in no other order (M25).
#[test]
fn world_poses_below_a_resting_chain_stand_where_the_file_says() {
    let half = std::f64::consts::FRAC_PI_8;
    let (cos, sin) = (half.cos(), half.sin());
    let pose = |pos: [f64; 3], scl: [f64; 3]| {
        vec![key(
            1.0,
            json!({"pos": pos, "rot_quat": [1, 0, 0, 0], "scl": scl, "interp": "LINEAR"}),
        )]
    };
    let pegs = [
        json!({"name": "a", "keyframes": pose([0.0; 3], [2.0, 1.0, 1.0])}),
        json!({"name": "b", "parent": "a", "rest_pivot": [0, 1, 0],
               "rest_rotation": [cos, 0, 0, sin], "keyframes": []}),
        json!({"name": "b2", "parent": "b", "rest_pivot": [0, 1, 0], "keyframes": []}),
        json!({"name": "c", "parent": "b2", "keyframes": pose([1.0, 2.0, 0.0], [1.0; 3])}),
    ];
    let asked = ImportOptions { space: Some(Space::World), ..options() };
    let (_, rig, clips) = import(&take(&pegs), &asked);
    let motion = Binding::new(&rig).unwrap().bind(&Compiled::new(&clips[0]).unwrap()).unwrap();
    let mut world = Vec::new();
    motion.sample(0.5, 1.0, &mut world);
    let off = world[motion.find("c").unwrap()].position.distance(DVec3::new(1.0, 2.0, 0.0));
    assert!(off < 1e-6, "{off} m off");
}

#[test]
fn more_tracks_than_fit_are_split_on_consent() {
    let child = |at: usize| {
        let arm = |frame: f64, share: f64| {
            key(
                frame,
                json!({"pos": [share, 0, 0], "rot": [0, 0, 90.0 * share],
                              "scl": [1.0 + share, 1, 1], "interp": "LINEAR"}),
            )
        };
        json!({"name": format!("n{at}"), "parent": at.checked_sub(1).map(|p| format!("n{}", p / 2)),
               "keyframes": [arm(1.0, 0.0), arm(25.0, 1.0)]})
    };
    let take = take(&(0..60).map(child).collect::<Vec<_>>());
    let loose = ImportOptions { tolerances: Tolerances::default().times(100.0), ..options() };
    match import_as(&take, &loose) {
        Err(refusal @ Refusal::Tracks { count: 180, clips: 2, .. }) => {
            assert_eq!(refusal.consents(), [Consent::Split]);
        }
        other => panic!("{other:?}"),
    }
    let (imported, rig, clips) = import(&take, &ImportOptions { split: true, ..loose });
    assert_eq!(imported.report.written, ["hero.rig", "hero.1.motion", "hero.2.motion"]);
    let tracks: Vec<usize> = clips.iter().map(|clip| clip.tracks.len()).collect();
    assert!(tracks.iter().all(|count| *count <= 128) && tracks.iter().sum::<usize>() == 180);
    assert_eq!(rig.nodes.len(), 60);
    assert_eq!(imported.report.tracks.len(), 180);
}

#[test]
fn more_keys_than_fit_name_the_tolerance_that_does() {
    let keys = (0..1200).map(|at| {
        let up = if at % 2 == 0 { 0.0 } else { 0.01 };
        keyed(f64::from(at), "LINEAR", [0.0, up * f64::from(at % 7), 0.0])
    });
    let take = with(&[peg("shaky", keys.collect())], |w| w["frame_range"] = json!([0, 1199]));
    let refusal = import_as(&take, &options()).unwrap_err();
    let Refusal::Keys { keys, fits: Some(fits), .. } = &refusal else { panic!("{refusal}") };
    assert!(*keys > 512);
    assert!(refusal.to_string().contains(&fits.position_m.to_string()), "{refusal}");
    let consent = ImportOptions { tolerances: *fits, ..options() };
    let (imported, ..) = import(&take, &consent);
    assert!(imported.report.tracks.iter().all(|track| track.keys <= 512));
    let tighter = ImportOptions { tolerances: fits.times(0.9), ..options() };
    assert!(matches!(import_as(&take, &tighter), Err(Refusal::Keys { .. })));
}

#[test]
fn what_rests_all_the_time_is_still_a_clip() {
    let still = peg("hip", vec![keyed(1.0, "LINEAR", [0.0; 3])]);
    let (imported, _, clips) = import(&take(&[still]), &options());
    assert_eq!(clips[0].tracks.len(), 1);
    assert!(imported.report.notes.iter().any(|note| note.why.contains("nothing moves")));
}

#[test]
fn parts_come_with_what_they_hang_on() {
    let take = swinging(6, 12, Space::Local);
    let pegs = Some((0..6).map(|at| at == 3).collect());
    let (imported, rig, _) = import(&take, &ImportOptions { pegs, ..options() });
    let ids: Vec<&str> = rig.nodes.iter().map(|node| node.id.as_str()).collect();
    assert_eq!(ids, ["bone0", "bone1", "bone2", "bone3"]);
    assert_eq!(imported.report.notes.iter().filter(|note| note.why == "not taken").count(), 2);
}

#[test]
fn cancelled_work_stops() {
    let progress = Progress::new();
    progress.cancel();
    let stopped = import_take(&swinging(6, 12, Space::Local), &options(), &progress);
    assert!(matches!(stopped, Err(Refusal::Cancelled)));
}
