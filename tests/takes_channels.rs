//! Channels of exports at any frame (A10–A14).
#![allow(clippy::unwrap_used)] // A test stops where something is not as it should be.

mod common;

use common::takes::{key, peg, take};
use glam::{DQuat, DVec3};
use posewright::format::{read_take, strict};
use posewright::model::Uids;
use posewright::model::take::Take;
use posewright::sample::take::{RawPose, Space, TakeCurves, Turn};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

fn data(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/anm");
    std::fs::read_to_string(folder.join(name)).unwrap()
}

fn at(take: &Take, frame: f64) -> Vec<RawPose> {
    let mut out = Vec::new();
    TakeCurves::new(take, Space::Local).sample(frame, &mut out);
    out
}

fn degrees(pose: &RawPose) -> DVec3 {
    match pose.turn {
        Turn::Euler(degrees) => degrees,
        Turn::Quat(quat) => panic!("quaternions rule: {quat}"),
    }
}

fn quat(pose: &RawPose) -> DQuat {
    match pose.turn {
        Turn::Quat(quat) => quat,
        Turn::Euler(degrees) => panic!("angles rule: {degrees}"),
    }
}

/// The angle about Z of a rotation about Z, in degrees.
fn about_z(quat: DQuat) -> f64 {
    (2.0 * quat.z.atan2(quat.w)).to_degrees()
}

#[test]
fn curves_go_as_blender_evaluates_them() {
    let take = strict(read_take(data("fcurves.anm"), &mut Uids::default())).unwrap();
    let expected: Value = serde_json::from_str(&data("fcurves.expected.json")).unwrap();
    let curves = TakeCurves::new(&take, Space::Local);
    let mut compared = 0;
    for (peg, curves) in take.pegs.iter().zip(curves.pegs()) {
        let moments = expected[&peg.name].as_array().unwrap();
        // The range of each curve, from what is expected of it.
        let value = |moment: &Value, at: usize| {
            moment[["pos", "rot", "scl"][at / 3]][at % 3].as_f64().unwrap()
        };
        let ranges: Vec<f64> = (0..9)
            .map(|at| {
                let all = || moments.iter().map(|moment| value(moment, at));
                all().fold(f64::MIN, f64::max) - all().fold(f64::MAX, f64::min)
            })
            .collect();
        for moment in moments {
            let frame = moment["frame"].as_f64().unwrap();
            let pose = curves.at(frame);
            let rot = degrees(&pose);
            let got = [pose.pos, rot, pose.scl].map(|v| v.to_array()).concat();
            for (at, (got, range)) in got.iter().zip(&ranges).enumerate() {
                let want = value(moment, at);
                // Half a unit of the sixth decimal is how exactly the expected value is written.
                let tolerance = 1e-4 * range + 5e-7;
                assert!(
                    (got - want).abs() <= tolerance,
                    "{} at {frame}, curve {at}: {got}, not {want}",
                    peg.name
                );
                compared += 1;
            }
        }
    }
    assert!(compared > 2_000, "only {compared} values");
}

#[test]
fn the_worked_curves() {
    let third = 10.0 / 3.0;
    let cases = [
        ([6.0, 8.0], [8.0, 2.0], [2.800386, 4.454837, 5.408105]),
        ([8.0, 0.0], [2.0, 10.0], [0.476438, 5.0, 9.523562]),
        ([20.0, 4.0], [2.0, 10.0], [0.768727, 2.934144, 9.573850]),
        ([-3.0, 5.0], [6.0, 10.0], [5.835053, 8.099481, 9.470167]),
        ([third, 0.0], [2.0 * third, 10.0], [1.5625, 5.0, 8.4375]),
    ];
    for (p1, p2, expected) in cases {
        // The same on an axis of each channel; the left side of the first key and the right one of
        // the last do not count.
        let first = json!([[-99, -99], p1]);
        let last = json!([p2, [99, 99]]);
        let axes = |h: &Value| json!({"pos": [h, null, null], "rot": [null, h, null], "scl": [null, null, h]});
        let keys = vec![
            key(
                0.0,
                json!({"pos": [0, 0, 0], "rot": [0, 0, 0], "scl": [1, 1, 0], "interp": "BEZIER", "handles": axes(&first)}),
            ),
            key(
                10.0,
                json!({"pos": [10, 0, 7], "rot": [0, 10, 7], "scl": [1, 1, 10], "interp": "BEZIER", "handles": axes(&last)}),
            ),
        ];
        let take = take(&[peg("a", keys)]);
        for (frame, want) in [2.5, 5.0, 7.5].into_iter().zip(expected) {
            let pose = at(&take, frame)[0];
            for got in [pose.pos.x, degrees(&pose).y, pose.scl.z] {
                assert!((got - want).abs() < 1e-6, "{p1:?} {p2:?} at {frame}: {got}, not {want}");
            }
            // An axis without handles goes by itself (A13).
            let u: f64 = frame / 10.0;
            assert!((pose.pos.z - 7.0 * u * u * (3.0 - 2.0 * u)).abs() < 1e-12);
            assert_eq!(pose.pos.y, 0.0);
        }
    }
}

#[test]
fn curves_without_handles_never_overshoot() {
    let at_y = |frame: f64, y: f64| {
        key(frame, json!({"pos": [0, y, 0], "rot": [0, y, 0], "scl": [1, y, 1]}))
    };
    let keys = vec![at_y(0.0, 0.0), at_y(10.0, 5.0), at_y(20.0, 20.0)];
    let take = take(&[peg("a", keys)]);
    for (frame, want) in [(5.0, 1.25), (15.0, 13.75), (10.0, 5.0)] {
        let pose = at(&take, frame)[0];
        for got in [pose.pos.y, degrees(&pose).y, pose.scl.y] {
            assert!((got - want).abs() < 1e-12, "at {frame}: {got}");
        }
    }
}

#[test]
fn interpolations_rule_the_segment_behind_their_key() {
    let keys = vec![
        key(1.0, json!({"pos": [1, 0, 0], "rot": [0, 0, 0], "interp": "LINEAR"})),
        key(3.0, json!({"pos": [3, 0, 0], "rot": [0, 0, 90], "interp": "CONSTANT"})),
        // Handles of other interpolations count for nothing.
        key(
            5.0,
            json!({"pos": [9, 0, 0], "rot": [0, 0, 450], "interp": "LINEAR",
                        "handles": {"pos": [[[4, 99], [5.5, 99]], null, null], "rot": [], "scl": []}}),
        ),
        key(6.0, json!({"pos": [7, 0, 0], "rot": [0, 0, 0], "interp": "BEZIER"})),
    ];
    let take = take(&[peg("a", keys)]);
    let cases = [
        (-7.0, 1.0, 0.0),
        (1.0, 1.0, 0.0),
        (2.5, 2.5, 67.5),
        (3.0, 3.0, 90.0),
        (4.999999, 3.0, 90.0),
        (5.0, 9.0, 450.0),
        (5.5, 8.0, 225.0),
        (6.0, 7.0, 0.0),
        (1e300, 7.0, 0.0),
    ];
    for (frame, x, z) in cases {
        let pose = at(&take, frame)[0];
        assert_eq!((pose.pos.x, degrees(&pose).z), (x, z), "at {frame}");
    }
    assert_eq!(at(&take, f64::NAN)[0].pos.x, 1.0, "a NaN is before everything");
}

#[test]
fn quaternions_go_the_shorter_way_and_are_eased_by_component() {
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let with = |sign: f64, interp: &str| {
        let to = [half * sign, 0.0, 0.0, half * sign];
        take(&[peg(
            "a",
            vec![
                key(0.0, json!({"rot_quat": [1, 0, 0, 0], "rot": [0, 0, 0], "interp": interp})),
                key(10.0, json!({"rot_quat": to, "rot": [0, 0, 90], "interp": interp})),
            ],
        )])
    };
    // Either sign is the same rotation.
    for sign in [1.0, -1.0] {
        let angle = |interp, frame| about_z(quat(&at(&with(sign, interp), frame)[0]));
        assert!((angle("BEZIER", 2.5) - 13.209080).abs() < 1e-6);
        assert!((angle("LINEAR", 2.5) - 22.5).abs() < 1e-12);
        assert_eq!(angle("CONSTANT", 9.9), 0.0);
        assert!((angle("CONSTANT", 10.0).rem_euclid(360.0) - 90.0).abs() < 1e-12);
    }
}

#[test]
fn which_of_two_rotations_rules_is_said_segment_by_segment() {
    let handles = json!({"pos": [], "rot": [[[0, 0], [1, 0]], null, null], "scl": []});
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let quarter = [half, 0.0, 0.0, half];
    let rules = |from: Value, to: Value| {
        let take = take(&[peg("a", vec![key(0.0, from), key(10.0, to)])]);
        matches!(at(&take, 5.0)[0].turn, Turn::Euler(_))
    };
    let quats = |handles: &Value, z: f64| {
        (
            json!({"rot": [0, 0, 0], "rot_quat": [1, 0, 0, 0], "handles": handles}),
            json!({"rot": [0, 0, z], "rot_quat": quarter, "handles": handles}),
        )
    };
    let none = json!({"pos": [], "rot": [], "scl": []});
    let (from, to) = quats(&none, 90.0);
    assert!(!rules(from.clone(), to.clone()), "both have quaternions, none has handles");
    let (with_from, with_to) = quats(&handles, 90.0);
    assert!(rules(with_from.clone(), with_to.clone()), "both have handles, and agree");
    assert!(!rules(with_from, to), "one has handles");
    let (from_off, to_off) = quats(&handles, 90.2);
    assert!(!rules(from_off, to_off), "they disagree");
    let (from_near, to_near) = quats(&handles, 90.05);
    assert!(rules(from_near, to_near), "that near they agree");
    let angles = json!({"rot": [0, 0, 90]});
    assert!(rules(angles.clone(), angles.clone()), "neither has a quaternion");
    assert!(!rules(from, angles.clone()), "one has");
    // It is converted, and then quaternions rule.
    let take = take(&[peg(
        "a",
        vec![key(0.0, json!({"rot_quat": [1, 0, 0, 0], "interp": "LINEAR"})), key(10.0, angles)],
    )]);
    assert!((about_z(quat(&at(&take, 5.0)[0])) - 45.0).abs() < 1e-12);
    assert!((about_z(quat(&at(&take, 10.0)[0])) - 90.0).abs() < 1e-12);
}

#[test]
fn a_key_without_a_rotation_shows_the_one_before() {
    let take = take(&[
        peg(
            "a",
            vec![
                key(
                    0.0,
                    json!({"rot_quat": [0, 0, 0, 0], "rot": [0, 0, 30], "interp": "CONSTANT"}),
                ),
                key(1.0, json!({"rot_quat": [0, 0, 0, 0], "interp": "CONSTANT"})),
                key(2.0, json!({"interp": "CONSTANT"})),
                key(3.0, json!({"rot_quat": [2, 0, 0, 0], "interp": "CONSTANT"})),
                key(4.0, json!({"rot_quat": [0, 0, 0, 0]})),
            ],
        ),
        json!({"name": "b", "rest_rotation": [0, 1, 0, 0], "rest_pivot": [1, 2, 3],
               "keyframes": [{"frame": 1}]}),
    ]);
    for frame in [0.0, 1.0, 2.0] {
        let pose = at(&take, frame)[0];
        let z = about_z(pose.rotation);
        assert!((z - 30.0).abs() < 1e-12, "at {frame}: {z}");
    }
    for frame in [3.0, 4.0] {
        let pose = at(&take, frame)[0];
        assert_eq!(pose.rotation, DQuat::IDENTITY, "at {frame}; of length 1 again");
    }
    // Nothing was written: it rests.
    let pose = at(&take, 1.0)[1];
    assert_eq!((pose.pos, pose.scl), (DVec3::new(1.0, 2.0, 3.0), DVec3::ONE));
    assert_eq!(pose.rotation, DQuat::from_xyzw(1.0, 0.0, 0.0, 0.0));
    let mut delta = Vec::new();
    TakeCurves::new(&take, Space::Delta).sample(1.0, &mut delta);
    assert_eq!((delta[1].pos, delta[1].rotation), (DVec3::ZERO, DQuat::IDENTITY));
}

#[test]
fn keys_are_sorted_and_the_last_on_a_frame_wins() {
    let x = |frame: f64, x: f64| key(frame, json!({"pos": [x, 0, 0], "interp": "LINEAR"}));
    let keys = vec![x(10.0, 10.0), x(0.0, 5.0), x(5.0, 7.0), x(0.0, 0.0), x(10.0, 20.0)];
    let take = take(&[peg("a", keys)]);
    let curves = TakeCurves::new(&take, Space::Local);
    assert_eq!(curves.pegs()[0].frames(), [0.0, 5.0, 10.0]);
    assert_eq!((0..3).map(|k| curves.pegs()[0].key_index(k)).collect::<Vec<_>>(), [3, 2, 4]);
    for (frame, want) in [(0.0, 0.0), (2.5, 3.5), (7.5, 13.5), (10.0, 20.0)] {
        assert_eq!(curves.pegs()[0].at(frame).pos.x, want, "at {frame}");
    }
}

#[test]
fn angles_are_what_the_header_says() {
    let mut text = common::takes::text(&[peg(
        "a",
        vec![key(
            1.0,
            json!({"rot": [0.5235987755982988, 0.6981317007977318, 0.8726646259971648]}),
        )],
    )]);
    text = text.replace("euler_deg", "euler_rad").replace("\"xyz\"", "\"zxy\"");
    let take = strict(read_take(text.clone(), &mut Uids::default())).unwrap();
    let pose = at(&take, 1.0)[0];
    assert!((degrees(&pose) - DVec3::new(30.0, 40.0, 50.0)).length() < 1e-12, "in degrees");
    let [x, y, z] = [30.0_f64, 40.0, 50.0].map(f64::to_radians);
    let want = DQuat::from_rotation_y(y) * DQuat::from_rotation_x(x) * DQuat::from_rotation_z(z);
    assert!((pose.rotation - want).length() < 1e-12, "R = Ry·Rx·Rz");
    let text = text.replace("euler_rad", "quat_wxyz");
    let take = strict(read_take(text, &mut Uids::default())).unwrap();
    assert_eq!(at(&take, 1.0)[0].rotation, DQuat::IDENTITY, "`rot` is ignored");
}

#[test]
fn an_edit_compiles_the_pegs_that_it_touched() {
    let x = |frame: f64, x: f64| key(frame, json!({"pos": [x, 0, 0], "rot": [0, 0, 0]}));
    let pegs = [peg("a", vec![x(0.0, 1.0), x(9.0, 2.0)]), peg("b", vec![x(0.0, 3.0)])];
    let mut take = take(&pegs);
    let before = TakeCurves::new(&take, Space::Local);
    let mut edited = (*take.pegs[1]).clone();
    edited.keyframes[0].pos = Some(DVec3::new(8.0, 0.0, 0.0));
    take.pegs[1] = Arc::new(edited);
    let after = before.updated(&take, Space::Local);
    assert!(Arc::ptr_eq(&before.pegs()[0], &after.pegs()[0]));
    assert!(!Arc::ptr_eq(&before.pegs()[1], &after.pegs()[1]));
    assert_eq!(after.pegs()[1].at(0.0).pos.x, 8.0);
    // Another space changes nothing where keys leave nothing out.
    let world = after.updated(&take, Space::World);
    assert!(after.pegs().iter().zip(world.pegs()).all(|(a, b)| Arc::ptr_eq(a, b)));
}

#[test]
fn strange_numbers_never_panic() {
    let odd = [0.0, -0.0, 1.0, -1.0, 0.5, 1e308, -1e308, 5e-324, 9.223372036854776e18, 1e-300];
    let mut rng = common::Rng::new(11);
    let mut poses = Vec::new();
    for _ in 0..600 {
        let mut number = || *rng.pick(&odd);
        let mut vector = || json!([number(), number(), number()]);
        let mut keys = Vec::new();
        for _ in 0..4 {
            let handle = |v: &Value| json!([[v[0], v[1]], [v[2], v[0]]]);
            let axes: Vec<Value> = (0..3).map(|_| handle(&vector())).collect();
            let frame = vector()[0].clone();
            let [pos, rot, scl] = [vector(), vector(), vector()];
            let quat = vector();
            keys.push(json!({
                "frame": frame, "pos": pos, "rot": rot, "scl": scl,
                "rot_quat": [quat[0], quat[1], quat[2], quat[0]],
                "handles": {"pos": axes, "rot": axes, "scl": axes},
            }));
        }
        if rng.chance(50) {
            keys.iter_mut().for_each(|key| drop(key.as_object_mut().unwrap().remove("rot_quat")));
        }
        let take = take(&[json!({"name": "a", "keyframes": keys})]);
        let curves = TakeCurves::new(&take, Space::Local);
        for frame in odd.into_iter().chain([f64::NAN, f64::INFINITY, 0.25]) {
            curves.sample(frame, &mut poses);
            assert!(!poses[0].rotation.is_nan(), "{keys:?} at {frame}");
        }
    }
}
