//! The sampler against poses made by an independent program, the format's worked numbers, and
//! properties that hold for every clip.
#![allow(clippy::unwrap_used)] // A test stops where something is not as it should be.
#![allow(clippy::approx_constant)] // Numbers stand as the format's examples have them.

use glam::{DQuat, DVec3};
use posewright::math::{Trs, quat_from_euler};
use posewright::model::{self, ClipForm, ClipKind, Interpolation, Key, Property, Track, Uids};
use posewright::runtime::{Binding, Clip, Cursor, MotionRig, RestPart};
use proptest::prelude::*;
use serde_json::Value;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};
use std::path::Path;
use std::sync::Arc;

type Keys<'a> = &'a [(f64, [f64; 3])];

fn track(part: &str, property: Property, easing: Interpolation, keys: Keys) -> Arc<Track> {
    let mut uids = Uids::default();
    let keys = keys.iter().map(|(time, value)| Key {
        uid: uids.fresh(),
        time: *time,
        value: DVec3::from(*value),
        origin: None,
    });
    Arc::new(Track {
        keys: keys.collect(),
        uid: uids.fresh(),
        part: part.to_owned(),
        property,
        interpolation: easing,
        curve: None,
        origin: None,
    })
}

fn model_of(kind: ClipKind, duration_secs: f64, tracks: Vec<Arc<Track>>) -> model::Clip {
    model::Clip {
        kind,
        form: ClipForm::Bare,
        binding: (kind == ClipKind::Rig).then(|| "r.rig".to_owned()),
        model: "R".to_owned(),
        duration_secs,
        looping: true,
        tracks,
        origin: None,
    }
}

fn clip(kind: ClipKind, duration_secs: f64, tracks: Vec<Arc<Track>>) -> Clip {
    Clip::new(&model_of(kind, duration_secs, tracks)).unwrap()
}

fn assert_close(got: DVec3, want: [f64; 3], what: &str) {
    let want = DVec3::from(want);
    for (g, w) in got.to_array().into_iter().zip(want.to_array()) {
        assert!((g - w).abs() <= 1e-5 * w.abs().max(1.0), "{what}: {got}, not {want}");
    }
}

/// A quaternion and its negative are the same rotation. `want` is w, x, y, z.
fn assert_same_rotation(got: DQuat, want: [f64; 4], tolerance: f64, what: &str) {
    let want = DQuat::from_xyzw(want[1], want[2], want[3], want[0]);
    let off = (got - want).to_array().into_iter().fold(0.0, |m: f64, c| m.max(c.abs()));
    let opposite = (got + want).to_array().into_iter().fold(0.0, |m: f64, c| m.max(c.abs()));
    assert!(off.min(opposite) <= tolerance, "{what}: {got}, not {want}");
}

// ---- poses made by an independent program ----

fn numbers<const N: usize>(value: &Value) -> [f64; N] {
    std::array::from_fn(|i| value[i].as_f64().unwrap())
}

fn assert_pose(got: &Trs, want: &Value, what: &str) {
    assert_close(got.position, numbers(&want["position"]), what);
    assert_same_rotation(got.rotation, numbers(&want["rotation"]), 1e-5, what);
    assert_close(got.scale, numbers(&want["scale"]), what);
}

#[test]
fn poses_of_an_independent_program() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/sampling");
    let (mut cases, mut compared) = (0, 0);
    for file in std::fs::read_dir(&folder).unwrap() {
        let file = file.unwrap().path();
        if file.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let case: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
        let clip = Clip::load(folder.join(case["clip"].as_str().unwrap())).unwrap();
        let binding = Binding::load(folder.join(case["rig"].as_str().unwrap())).unwrap();
        let rig = binding.bind(&clip).unwrap();
        let (mut local, mut world, mut cursor) = (Vec::new(), Vec::new(), Cursor::default());
        cases += 1;
        for sample in case["samples"].as_array().unwrap() {
            let (time, weight) =
                (sample["time"].as_f64().unwrap(), sample["weight"].as_f64().unwrap());
            rig.sample_local(time, weight, &mut local);
            rig.sample_with(&mut cursor, time, weight, &mut world);
            let parts = sample["parts"].as_object().unwrap();
            assert_eq!(parts.len(), rig.names().len());
            for (name, want) in parts {
                let what = format!("{} at {time} × {weight}: {name}", file.display());
                let part = rig.find(name).unwrap();
                assert_pose(&local[part], &want["local"], &what);
                assert_pose(&world[part], &want["world"], &what);
                if weight == 1.0 {
                    let alone = clip.pose(name, time, &binding.parts()[part].rest);
                    assert_eq!(alone, local[part], "{what}: alone and together");
                }
                compared += 1;
            }
        }
    }
    assert!(cases == 10 && compared > 400, "only {compared} poses of {cases} cases");
}

// ---- worked numbers ----

#[test]
fn half_a_turn_goes_the_way_its_last_digit_says() {
    let at_half = |end: f64| {
        let keys = [(0.0, [0.0; 3]), (4.0, [0.0, 0.0, end])];
        let hand = track("hand", Property::Rotation, Interpolation::Bezier, &keys);
        let pose = clip(ClipKind::Rig, 4.0, vec![hand]).pose("hand", 2.0, &Trs::IDENTITY);
        posewright::math::euler_from_quat(pose.rotation).z
    };
    assert!((at_half(3.141593) + 2.520824).abs() < 1e-6);
    assert!((at_half(3.141592) - 2.520824).abs() < 1e-6);
}

#[test]
fn model_clips_spin_as_far_as_they_say() {
    let keys = [(0.0, [0.0; 3]), (1.0, [0.0, 0.0, 4.0 * FRAC_PI_2])];
    let spin = || vec![track("arm", Property::Rotation, Interpolation::Linear, &keys)];
    let rotation = |kind| clip(kind, 1.0, spin()).pose("arm", 0.25, &Trs::IDENTITY).rotation;
    let quarter = FRAC_PI_4.cos();
    assert_same_rotation(rotation(ClipKind::Model), [quarter, 0.0, 0.0, quarter], 1e-12, "model");
    assert_same_rotation(rotation(ClipKind::Rig), [1.0, 0.0, 0.0, 0.0], 1e-9, "rig");
}

#[test]
fn clip_time_wraps_or_stops() {
    let keys = [(0.0, [0.0; 3])];
    let mut source = model_of(
        ClipKind::Rig,
        4.0,
        vec![track("a", Property::Position, Interpolation::Linear, &keys)],
    );
    let looping = Clip::new(&source).unwrap();
    let cases = [(9.5, 1.5), (-0.5, 3.5), (4.0, 0.0), (8.0, 0.0), (-1e-17, 0.0), (0.0, 0.0)];
    for (elapsed, want) in cases {
        assert_eq!(looping.time(elapsed), want, "{elapsed}");
    }
    for strange in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(looping.time(strange), 0.0);
    }
    source.looping = false;
    let once = Clip::new(&source).unwrap();
    let cases = [
        (9.5, 4.0),
        (-0.5, 0.0),
        (4.0, 4.0),
        (2.5, 2.5),
        (f64::INFINITY, 4.0),
        (f64::NEG_INFINITY, 0.0),
        (f64::NAN, 0.0),
    ];
    for (elapsed, want) in cases {
        assert_eq!(once.time(elapsed), want, "{elapsed}");
    }
}

#[test]
fn weight_blends_from_rest_to_pose() {
    let rest = Trs { position: DVec3::new(0.8, 0.0, 0.0), ..Trs::IDENTITY };
    let parts = [RestPart { name: "hand".to_owned(), parent: None, rest }];
    let clip = clip(
        ClipKind::Rig,
        1.0,
        vec![
            track("hand", Property::Position, Interpolation::Linear, &[(0.0, [1.8, 0.0, 0.0])]),
            track(
                "hand",
                Property::Rotation,
                Interpolation::Linear,
                &[(0.0, [0.0, 0.0, FRAC_PI_2])],
            ),
        ],
    );
    let rig = MotionRig::new(&parts, &clip).unwrap();
    let mut world = Vec::new();
    rig.sample(0.5, 0.25, &mut world);
    assert_close(world[0].position, [1.05, 0.0, 0.0], "a quarter");
    assert_same_rotation(world[0].rotation, [0.980785, 0.0, 0.0, 0.195090], 1e-6, "a quarter");
    for (weight, same_as) in [(-3.0, 0.0), (f64::NAN, 0.0), (17.0, 1.0), (f64::INFINITY, 1.0)] {
        let mut other = Vec::new();
        rig.sample(0.5, weight, &mut world);
        rig.sample(0.5, same_as, &mut other);
        assert_eq!(world, other, "weight {weight}");
    }
    rig.sample(0.5, 0.0, &mut world);
    assert_eq!(world[0], rest);
}

#[test]
fn children_may_stand_before_their_parents() {
    let part = |name: &str, parent: Option<&str>, rest: Trs| RestPart {
        name: name.to_owned(),
        parent: parent.map(str::to_owned),
        rest,
    };
    let turned = quat_from_euler(DVec3::new(0.0, 0.0, FRAC_PI_4));
    let child = Trs { position: DVec3::X, rotation: turned, scale: DVec3::ONE };
    let tip = Trs { position: DVec3::X, ..Trs::IDENTITY };
    let wide = Trs { scale: DVec3::new(2.0, 1.0, 1.0), ..Trs::IDENTITY };
    let parts = [
        part("tip", Some("child"), tip),
        part("child", Some("wide"), child),
        part("wide", None, wide),
    ];
    let still = clip(ClipKind::Rig, 1.0, Vec::new());
    let mut world = Vec::new();
    MotionRig::new(&parts, &still).unwrap().sample(0.0, 1.0, &mut world);
    assert_close(world[0].position, [3.414214, 1.414214, 0.0], "M25");
    assert_close(world[0].scale, [2.0, 1.0, 1.0], "M25");
}

#[test]
fn hierarchies_that_are_none_are_refused_in_the_formats_words() {
    let refusal = |parents: &[(&str, Option<&str>)], animated: &str| {
        let parts = parents.iter().map(|(name, parent)| RestPart {
            name: (*name).to_owned(),
            parent: parent.map(str::to_owned),
            rest: Trs::IDENTITY,
        });
        let keys = [(0.0, [0.0; 3])];
        let moved = track(animated, Property::Position, Interpolation::Linear, &keys);
        let clip = clip(ClipKind::Rig, 1.0, vec![moved]);
        MotionRig::new(&parts.collect::<Vec<_>>(), &clip).err().map(|error| error.to_string())
    };
    let refused = |parents: &[(&str, Option<&str>)]| refusal(parents, "a").unwrap();
    assert_eq!(refused(&[("a", None), ("a", None)]), "Duplicate part name: a");
    assert_eq!(refused(&[("a", Some("b"))]), "Missing parent part: b");
    assert_eq!(refused(&[("a", Some("a"))]), "Part hierarchy contains a cycle");
    let ring = [("r", None), ("a", Some("b")), ("b", Some("c")), ("c", Some("a"))];
    assert_eq!(refused(&ring), "Part hierarchy contains a cycle");
    assert_eq!(refusal(&[("a", None)], "z").unwrap(), "Animation part is missing: z");
    let names: Vec<String> = (0..129).map(|level| format!("n{level}")).collect();
    let chain: Vec<(&str, Option<&str>)> = (0..129)
        .map(|level| (&*names[level], level.checked_sub(1).map(|above| &*names[above])))
        .collect();
    assert_eq!(refusal(&chain[..128], "n0"), None);
    assert_eq!(refusal(&chain, "n0").unwrap(), "Part hierarchy exceeds 128 levels");
    let backwards: Vec<_> = chain.iter().rev().copied().collect();
    assert_eq!(refusal(&backwards, "n0").unwrap(), "Part hierarchy exceeds 128 levels");
}

#[test]
fn clips_bind_only_to_their_rig() {
    let rig = "name: R\nnodes:\n  - id: a\n    kind: joint\n";
    let binding = Binding::parse(rig).unwrap();
    let text = |head: &str, model: &str, part: &str| {
        format!(
            "{head}model: {model}\nduration: 1\nloop: false\ntracks:\n  - part: {part}\n    \
             property: position\n    interpolation: step\n    keys:\n      - time: 0\n        \
             value: [1, 2, 3]\n"
        )
    };
    let bound = |text: &str| {
        let rig = binding.bind(&Clip::parse(text).unwrap()).map_err(|error| error.to_string())?;
        let mut world = Vec::new();
        rig.sample(0.5, 1.0, &mut world);
        Ok::<DVec3, String>(world[0].position)
    };
    assert_eq!(bound(&text("binding: r.rig\n", "R", "a")), Ok(DVec3::new(1.0, 2.0, 3.0)));
    let mismatch = Err("Clip does not match its joint/scene binding".to_owned());
    assert_eq!(bound(&text("binding: r.rig\n", "Q", "a")), mismatch);
    assert_eq!(bound(&text("format:\n  version: 1.0.0\n", "R", "a")), mismatch);
    let missing = Err("Animation part is missing: b".to_owned());
    assert_eq!(bound(&text("binding: r.rig\n", "R", "b")), missing);

    let refused = Clip::parse(&text("binding: r.rig\n", "R", "a").replace("step", "stepp"));
    let message = "Interpolation must be step, linear, smooth or bezier";
    assert_eq!(refused.unwrap_err().message, message);
    let scene = "entities:\n  - id: a\n    kind: entity\n  - id: lamp\n    kind: light\n";
    let scene = Binding::parse(scene).unwrap();
    assert_eq!((scene.name(), scene.parts().len()), ("Scene", 1));
    let refused = Binding::parse("name: R\nnodes: []\n").unwrap_err();
    assert_eq!(refused.message, "Binding needs 1 to 512 nodes");
}

#[test]
fn clips_that_no_loader_would_take_are_not_compiled() {
    let position = |keys: Keys| track("a", Property::Position, Interpolation::Linear, keys);
    let one = (0.0, [0.0; 3]);
    let refusal = |duration, tracks| {
        let problem = Clip::new(&model_of(ClipKind::Rig, duration, tracks)).unwrap_err();
        (problem.message, problem.path)
    };
    let check = |tracks, message: &str, path: &str| {
        assert_eq!(refusal(1.0, tracks), (message.to_owned(), path.to_owned()));
    };
    let times = "Key times must increase strictly within the clip duration";
    check(vec![position(&[one, one])], times, "tracks[0].keys[1].time");
    check(vec![position(&[(f64::NAN, [0.0; 3])])], times, "tracks[0].keys[0].time");
    check(vec![position(&[(1.1, [0.0; 3])])], times, "tracks[0].keys[0].time");
    check(vec![position(&[])], "Track needs 1 to 512 keyframes", "tracks[0].keys");
    let range = "Animation values must be finite and within +/-1000000";
    check(vec![position(&[(0.0, [0.0, f64::NAN, 0.0])])], range, "tracks[0].keys[0].value");
    let flat = track("a", Property::Scale, Interpolation::Step, &[one]);
    check(vec![flat], "Animated scale must stay positive", "tracks[0].keys[0].value");
    let twice = vec![position(&[one]), position(&[one])];
    check(twice, "Duplicate part/property animation track", "tracks[1]");
    let (message, path) = refusal(0.0, Vec::new());
    assert_eq!(message, "Animation needs a model and a duration in (0, 3600] seconds");
    assert_eq!(path, "duration");
}

#[test]
fn large_values_and_long_clips_keep_their_digits() {
    let (start, end) = (3599.0, 3599.000001);
    let keys = [(start, [1e6, -1e6, 1e6]), (end, [-1e6, 1e6, 1e6])];
    let moved = track("a", Property::Position, Interpolation::Linear, &keys);
    let clip = clip(ClipKind::Rig, 3600.0, vec![moved]);
    for i in 0..=1000 {
        let time = start + (end - start) * f64::from(i) / 1000.0;
        let u = (time - start) / (end - start);
        let got = clip.pose("a", time, &Trs::IDENTITY).position;
        assert_close(got, [1e6 - 2e6 * u, 2e6 * u - 1e6, 1e6], "long");
    }
}

// ---- properties ----

/// How key times may lie; the nasty ones crowd into one bucket of the search.
fn spacing() -> impl Strategy<Value = Vec<f64>> {
    let even = (1usize..60).prop_map(|n| (0..n).map(|i| i as f64 / n as f64).collect());
    let any = prop::collection::vec(0.0..=1.0f64, 1..80);
    let crowded = (1usize..200, 0.0..1.0f64, 1i32..14).prop_map(|(n, at, power)| {
        (0..n).map(|i| at + i as f64 * 10f64.powi(-power) / n as f64).collect()
    });
    let shrinking = (1usize..60).prop_map(|n| (0..n).map(|i| 0.5f64.powi(i as i32)).collect());
    let neighbours = (1u64..100).prop_map(|n| {
        (0..n).map(|i| f64::from_bits(0.75f64.to_bits() + i)).chain([0.0, 1.0]).collect()
    });
    prop_oneof![even, any, crowded, shrinking, neighbours].prop_map(|mut times: Vec<f64>| {
        times.retain(|time| (0.0..=1.0).contains(time));
        times.push(1.0);
        times.sort_by(f64::total_cmp);
        times.dedup();
        times
    })
}

fn easing() -> impl Strategy<Value = (Interpolation, Option<[f64; 4]>)> {
    let end = || prop_oneof![4 => 0.0..=1.0f64, 1 => Just(0.0), 1 => Just(1.0)];
    (0usize..4, prop::option::of([end(), end(), end(), end()]))
        .prop_map(|(i, curve)| (Interpolation::ALL[i], curve))
}

/// Tracks of a few parts, with every property, easing and spacing.
fn any_clip() -> impl Strategy<Value = model::Clip> {
    let duration = prop_oneof![Just(1.0), 0.001..3600.0f64];
    let kind = prop_oneof![Just(ClipKind::Rig), Just(ClipKind::Model)];
    let tracks = prop::collection::vec((easing(), spacing(), any::<u64>()), 1..24);
    (kind, duration, tracks).prop_map(|(kind, duration, tracks)| {
        let tracks = tracks.into_iter().enumerate().map(|(i, (easing, times, seed))| {
            let mut state = seed | 1;
            let mut number = || {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                (state >> 11) as f64 / (1u64 << 53) as f64
            };
            let property = Property::ALL[i % 3];
            let keys: Vec<(f64, [f64; 3])> = times
                .iter()
                .map(|time| {
                    let value = std::array::from_fn(|_| match property {
                        Property::Scale => 0.01 + 3.0 * number(),
                        _ => 8.0 * number() - 4.0,
                    });
                    ((time * duration).min(duration), value)
                })
                .collect();
            let mut keys = keys;
            keys.dedup_by(|a, b| a.0 <= b.0);
            let part = format!("part {}", i / 3);
            let mut track = track(&part, property, easing.0, &keys);
            Arc::make_mut(&mut track).curve = easing.1;
            track
        });
        model_of(kind, duration, tracks.collect())
    })
}

/// The value of a track by a plain walk over its keys.
fn walked(track: &Track, kind: ClipKind, time: f64) -> (DVec3, DQuat) {
    let keys = &track.keys;
    let at = keys.iter().rposition(|key| key.time <= time).unwrap_or(0);
    let (from, to) = (&keys[at], keys.get(at + 1).unwrap_or(&keys[at]));
    let u = if time <= from.time || to.time == from.time {
        0.0
    } else {
        (time - from.time) / (to.time - from.time)
    };
    // Just before a key the progress rounds to 1; a step has not jumped yet.
    let e = match track.interpolation {
        Interpolation::Step => 0.0,
        easing => posewright::sample::ease(easing, track.curve(), u),
    };
    let value = from.value + (to.value - from.value) * e;
    let rotation = if kind == ClipKind::Model {
        quat_from_euler(value)
    } else {
        let (a, mut b) = (quat_from_euler(from.value), quat_from_euler(to.value));
        if a.dot(b) < 0.0 {
            b = -b;
        }
        let angle = a.dot(b).min(1.0).acos();
        if angle < 1e-7 {
            a.lerp(b, e)
        } else {
            (a * ((1.0 - e) * angle).sin() + b * (e * angle).sin()) * (1.0 / angle.sin())
        }
    };
    (value, rotation)
}

fn moments(clip: &model::Clip, random: &[f64]) -> Vec<f64> {
    let duration = clip.duration_secs;
    let mut times: Vec<f64> = random.iter().map(|t| t * duration).collect();
    for key in clip.tracks.iter().flat_map(|track| &track.keys) {
        times.extend([key.time, key.time.next_down(), key.time.next_up()]);
    }
    times.extend([-1.0, 0.0, -0.0, duration, duration * 2.0, f64::MAX, f64::NAN, f64::INFINITY]);
    times.push(f64::NEG_INFINITY);
    times
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn every_value_is_what_a_plain_walk_gives(source in any_clip(),
                                              random in prop::collection::vec(0.0..1.0f64, 40)) {
        let clip = Clip::new(&source).unwrap();
        for time in moments(&source, &random).into_iter().filter(|time| time.is_finite()) {
            for track in &source.tracks {
                let pose = clip.pose(&track.part, time, &Trs::IDENTITY);
                let (value, rotation) = walked(track, source.kind, time);
                match track.property {
                    Property::Position => prop_assert!((pose.position - value).length() < 1e-9),
                    Property::Scale => prop_assert!((pose.scale - value).length() < 1e-9),
                    Property::Rotation => {
                        let off = (pose.rotation - rotation).length();
                        let off = off.min((pose.rotation + rotation).length());
                        prop_assert!(off < 1e-7, "{} at {time}: {off}", track.part);
                    }
                }
            }
        }
    }

    #[test]
    fn all_ways_to_sample_give_the_same_bits(source in any_clip(),
                                             random in prop::collection::vec(0.0..1.0f64, 40)) {
        let clip = Clip::new(&source).unwrap();
        let parts: Vec<String> = clip.parts().map(str::to_owned).collect();
        let mut times = moments(&source, &random);
        let advancing = {
            let mut sorted = times.clone();
            sorted.sort_by(f64::total_cmp);
            sorted
        };
        let backwards: Vec<f64> = advancing.iter().rev().copied().collect();
        times.extend(advancing);
        times.extend(backwards);
        let mut cursor = Cursor::default();
        let rest = vec![Trs::IDENTITY; parts.len()];
        for time in times {
            let (mut plain, mut with_cursor) = (rest.clone(), rest.clone());
            prop_assert!(clip.sample_parts(time, &mut plain));
            prop_assert!(clip.sample_parts_with(&mut cursor, time, &mut with_cursor));
            let bits = |poses: &[Trs]| poses.iter().flat_map(|pose| {
                let vectors = pose.position.to_array().into_iter().chain(pose.scale.to_array());
                vectors.chain(pose.rotation.to_array()).map(f64::to_bits)
            }).collect::<Vec<u64>>();
            prop_assert_eq!(bits(&plain), bits(&with_cursor), "with a cursor at {}", time);
            let alone: Vec<Trs> =
                parts.iter().map(|part| clip.pose(part, time, &Trs::IDENTITY)).collect();
            prop_assert_eq!(bits(&plain), bits(&alone), "one by one at {}", time);
            prop_assert!(plain.iter().all(|pose| pose.position.is_finite()
                && pose.scale.is_finite() && pose.rotation.is_normalized()));
        }
    }

    #[test]
    fn the_pose_at_a_keys_time_is_the_key(source in any_clip()) {
        let clip = Clip::new(&source).unwrap();
        for track in &source.tracks {
            for key in &track.keys {
                let pose = clip.pose(&track.part, key.time, &Trs::IDENTITY);
                match track.property {
                    Property::Position => prop_assert_eq!(pose.position, key.value),
                    Property::Scale => prop_assert_eq!(pose.scale, key.value),
                    Property::Rotation => {
                        prop_assert_eq!(pose.rotation, quat_from_euler(key.value));
                    }
                }
            }
        }
    }

    #[test]
    fn a_looping_clip_repeats(source in any_clip(), elapsed in -50.0..50.0f64, turns in -3i32..4) {
        let clip = Clip::new(&source).unwrap();
        let duration = source.duration_secs;
        let (here, there) =
            (clip.time(elapsed), clip.time(elapsed + f64::from(turns) * duration));
        prop_assert!((0.0..duration).contains(&here) && (0.0..duration).contains(&there));
        let apart = (here - there).abs();
        prop_assert!(apart.min(duration - apart) < 1e-11 * (1.0 + 4.0 * duration));
    }

    #[test]
    fn weights_go_from_rest_to_pose_and_names_do_not_matter(
        source in any_clip(), at in 0.0..1.0f64, weight in 0.0..1.0f64,
    ) {
        let time = at * source.duration_secs;
        let rest = Trs {
            position: DVec3::new(1.0, -2.0, 3.0),
            rotation: quat_from_euler(DVec3::new(0.1, 0.2, 0.3)),
            scale: DVec3::splat(2.0),
        };
        let rig_of = |source: &model::Clip, name: &dyn Fn(&str) -> String| {
            let clip = Clip::new(source).unwrap();
            let parts = clip.parts().map(|part| RestPart {
                name: part.to_owned(),
                parent: (part != name("part 0")).then(|| name("part 0")),
                rest,
            });
            MotionRig::new(&parts.collect::<Vec<_>>(), &clip).unwrap()
        };
        let rig = rig_of(&source, &str::to_owned);
        let [mut still, mut between, mut full, mut other] = [const { Vec::new() }; 4];
        rig.sample_local(time, 0.0, &mut still);
        prop_assert!(still.iter().all(|pose| *pose == rest));
        rig.sample_local(time, 1.0, &mut full);
        rig.sample_local(time, weight, &mut between);
        for (pose, blended) in full.iter().zip(&between) {
            let want = rest.position.lerp(pose.position, weight);
            prop_assert!((blended.position - want).length() < 1e-9);
            let (to_pose, to_blended) = (
                rest.rotation.dot(pose.rotation).abs().min(1.0).acos(),
                rest.rotation.dot(blended.rotation).abs().min(1.0).acos(),
            );
            prop_assert!((to_blended - weight * to_pose).abs() < 1e-6);
        }

        let renamed = |part: &str| format!("äö/{}", part.to_uppercase());
        let mut twin = source.clone();
        for track in &mut twin.tracks {
            let track = Arc::make_mut(track);
            track.part = renamed(&track.part);
        }
        rig.sample(time, weight, &mut full);
        rig_of(&twin, &renamed).sample(time, weight, &mut other);
        prop_assert_eq!(full, other);
    }

    #[test]
    fn an_updated_clip_is_the_same_as_one_made_anew(source in any_clip(), other in any_clip(),
                                                    at in 0.0..1.0f64, which in any::<prop::sample::Index>()) {
        let compiled = Clip::new(&source).unwrap();
        let mut moved = source.clone();
        let index = which.index(moved.tracks.len());
        let keys = &mut Arc::make_mut(&mut moved.tracks[index]).keys;
        keys[0].value *= 0.5;
        if keys.len() > 2 {
            keys.remove(1);
        }
        let mut fewer = source.clone();
        fewer.tracks.remove(index);
        let mut longer = source.clone();
        longer.duration_secs = (longer.duration_secs * 1.5).min(3600.0);
        let mut other_kind = source.clone();
        other_kind.kind = if source.kind == ClipKind::Rig { ClipKind::Model } else { ClipKind::Rig };
        for edited in [moved, fewer, longer, other_kind, other, source] {
            let (updated, anew) = (compiled.updated(&edited).unwrap(), Clip::new(&edited).unwrap());
            let mut poses = [(); 2].map(|()| vec![Trs::IDENTITY; anew.parts().len()]);
            for time in moments(&edited, &[at]) {
                let [first, second] = &mut poses;
                prop_assert!(updated.sample_parts(time, first) && anew.sample_parts(time, second));
                prop_assert_eq!(first, second);
            }
        }
    }
}
