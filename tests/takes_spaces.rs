//! Spaces, bases, cameras, skeletons and the report of exports (A20–A22, A30–A32, A40).
// A test stops where something is not as it should be; numbers stand as the worked ones do.
#![allow(clippy::unwrap_used, clippy::approx_constant)]

mod common;

use common::takes::{canonical, key, peg, read, skeleton, take, text};
use glam::{DMat4, DQuat, DVec3};
use posewright::format::{read_skeleton, strict};
use posewright::math::Trs;
use posewright::model::Uids;
use posewright::model::take::{Take, TakeCamera};
use posewright::progress::Progress;
use posewright::sample::take::{
    BasisError, SkeletonError, SkeletonRig, Space, SpaceMeasure, TakeCurves, TakePoses, TakeReport,
    TakeRig, bone_rests, camera_peg, declared_basis, match_bones, measure_space, rest_differences,
};
use serde_json::{Value, json};
use std::path::Path;

fn data(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/anm");
    std::fs::read_to_string(folder.join(name)).unwrap()
}

fn measure(take: &Take) -> SpaceMeasure {
    measure_space(take, &TakeCurves::default())
}

fn posed(take: &Take, space: Space, frame: f64) -> TakePoses {
    let mut poses = TakePoses::default();
    TakeRig::new(take, space).sample(frame, &mut poses);
    poses
}

fn matrix(pose: &Trs) -> DMat4 {
    DMat4::from_scale_rotation_translation(pose.scale, pose.rotation, pose.position)
}

/// Compares world poses with matrices, row by row.
fn assert_world(names: &[String], world: &[Trs], frame: &Value, tolerance: f64) -> usize {
    let mut compared = 0;
    for (name, pose) in names.iter().zip(world) {
        let rows = matrix(pose).transpose().to_cols_array_2d();
        for (row, got) in rows.iter().enumerate() {
            for (column, got) in got.iter().enumerate() {
                let want = frame[name][row][column].as_f64().unwrap();
                assert!(
                    (got - want).abs() <= tolerance,
                    "{name} [{row}][{column}]: {got}, not {want}"
                );
                compared += 1;
            }
        }
    }
    compared
}

#[test]
fn a_baked_skeleton_stands_where_it_stood() {
    let take = read(&data("torso.anm"));
    let expected: Value = serde_json::from_str(&data("torso.expected.json")).unwrap();
    let measured = measure(&take);
    assert_eq!(measured.decided, Some(Space::Local), "{}", measured.figures_text());
    let rig = TakeRig::new(&take, Space::Local);
    let mut poses = TakePoses::default();
    let mut compared = 0;
    for (frame, matrices) in expected["frames"].as_object().unwrap() {
        rig.sample(frame.parse().unwrap(), &mut poses);
        compared += assert_world(rig.labels(), &poses.world, matrices, 1e-5);
    }
    assert!(compared > 1_000, "only {compared} numbers");

    // The same numbers told as offsets from rest, and as world poses, are the same skeleton.
    for space in [Space::Delta, Space::World] {
        let mut told = serde_json::from_str::<Value>(&data("torso.anm")).unwrap();
        let frames: Vec<f64> = rig.curves().pegs()[0].frames().to_vec();
        for (at, frame) in frames.iter().enumerate() {
            rig.sample(*frame, &mut poses);
            for peg in 0..rig.len() {
                let pose = match space {
                    Space::World => poses.world[peg],
                    _ => rig.rest(peg).unwrap().local_from_world(&poses.local[peg]).unwrap(),
                };
                let key = &mut told["pegs"][peg]["keyframes"][at];
                let q = pose.rotation;
                key["pos"] = json!(pose.position.to_array());
                key["rot_quat"] = json!([q.w, q.x, q.y, q.z]);
                key.as_object_mut().unwrap().remove("rot");
            }
        }
        let take = read(&told.to_string());
        let measured = measure(&take);
        assert_eq!(measured.decided, Some(space), "{}", measured.figures_text());
        for (frame, matrices) in expected["frames"].as_object().unwrap() {
            let poses = posed(&take, space, frame.parse().unwrap());
            assert_world(rig.labels(), &poses.world, matrices, 1e-5);
            // Local poses make those world poses.
            let mut world = poses.local.clone();
            assert!(rig.local_to_world(&mut world));
            assert_world(rig.labels(), &world, matrices, 1e-5);
        }
    }
}

#[test]
fn both_pivot_spaces_of_a_skeleton_are_the_same_rest() {
    let read = |name| strict(read_skeleton(data(name), &mut Uids::default())).unwrap();
    let (local, armature) = (read("torso.local.pvt"), read("torso.armature.pvt"));
    let take = read_torso();
    let rests = [bone_rests(&local).unwrap(), bone_rests(&armature).unwrap()];
    for (a, b) in rests[0].iter().zip(&rests[1]) {
        assert!((a.position - b.position).length() < 1e-5, "{a:?} {b:?}");
        assert!(1.0 - a.rotation.dot(b.rotation).abs() < 1e-10, "{a:?} {b:?}");
    }
    for skeleton in [&local, &armature] {
        let matched = match_bones(skeleton, &take);
        assert_eq!(matched.peg_of_bone, (0..take.pegs.len()).map(Some).collect::<Vec<_>>());
        assert!(rest_differences(skeleton, &take, &matched).unwrap().is_empty());
        let rig = SkeletonRig::new(skeleton);
        let mut world = Vec::new();
        TakeRig::new(&take, Space::Local).rest_world(&mut world);
        for (bone, peg) in rig.world.iter().zip(&world) {
            assert!((bone.position - peg.position).length() < 1e-5, "{bone:?} {peg:?}");
        }
    }
}

fn read_torso() -> Take {
    read(&data("torso.anm"))
}

/// Hip at rest (0,1,0), thigh at rest (0,−0.5,0); the hip turns by 90° about Z.
fn legs(source: &str, hip: [f64; 3], thigh: [[f64; 3]; 2]) -> Take {
    let keys = |pos: [[f64; 3]; 2], z: f64| {
        [(1.0, 0.0, 0), (10.0, z, 1)]
            .map(|(frame, z, at)| {
                key(frame, json!({"pos": pos[at], "rot": [0, 0, z], "scl": [1, 1, 1]}))
            })
            .to_vec()
    };
    let mut parts = [peg("hip", keys([hip; 2], 90.0)), peg("thigh", keys(thigh, 0.0))];
    parts[0]["rest_pivot"] = json!([0, 1, 0]);
    parts[1]["rest_pivot"] = json!([0, -0.5, 0]);
    parts[1]["parent"] = json!("hip");
    read(&text(&parts).replace("harmony", source))
}

#[test]
fn the_worked_measurements() {
    let still = [[0.0, -0.5, 0.0]; 2];
    let world = [[0.0, 0.5, 0.0], [0.5, 1.0, 0.0]];
    let cases = [
        ([0.0, 1.0, 0.0], still, [0.0, 0.5, 1.290569], Some(Space::Local)),
        ([0.0, 1.0, 0.0], world, [1.290569, 0.809017, 0.0], Some(Space::World)),
        ([0.0; 3], [[0.0; 3]; 2], [0.5, 0.0, 0.5], Some(Space::Delta)),
    ];
    for (hip, thigh, figures, decided) in cases {
        let measured = measure(&legs("harmony", hip, thigh));
        for (got, want) in measured.figures.into_iter().zip(figures) {
            assert!((got.unwrap() - want).abs() < 1e-6, "{}", measured.figures_text());
        }
        assert_eq!(measured.decided, decided, "{}", measured.figures_text());
        assert_eq!(measured.readings, Space::ALL);
    }
    let measured = measure(&legs("harmony", [0.0, 1.0, 0.0], still));
    assert_eq!(measured.figures_text(), "local 0.000000, delta 0.500000, world 1.290569");
}

#[test]
fn a_close_race_is_undecided_and_asks_in_the_likelier_order() {
    // Half-way between rest and no offset at all: both are as near.
    let close = [[0.0, -0.25, 0.0]; 2];
    let measured = measure(&legs("maya", [0.0, 1.0, 0.0], close));
    assert_eq!((measured.decided, measured.shown()), (None, Space::World));
    assert_eq!(measured.choices(), [Space::World, Space::Local, Space::Delta]);
    let measured = measure(&legs("Harmony", [0.0, 1.0, 0.0], close));
    assert_eq!(measured.choices(), Space::ALL);
    // A quarter of the next is enough, and more is not.
    for (y, decided) in [(-0.4, Some(Space::Local)), (-0.399, None)] {
        let measured = measure(&legs("maya", [0.0, 1.0, 0.0], [[0.0, y, 0.0]; 2]));
        assert_eq!(measured.decided, decided, "{}", measured.figures_text());
    }
}

#[test]
fn readings_with_the_same_transforms_are_one() {
    let moving = || {
        vec![
            key(1.0, json!({"pos": [0, 0, 0], "rot": [0, 0, 0]})),
            key(9.0, json!({"pos": [1, 0, 0], "rot": [0, 50, 0]})),
        ]
    };
    // No parents, no rests: all three are the same.
    let measured = measure(&take(&[peg("a", moving()), peg("b", moving())]));
    assert_eq!(
        (measured.readings.clone(), measured.decided),
        (vec![Space::Local], Some(Space::Local))
    );
    assert_eq!((measured.named, measured.figures), ([Space::Local; 3], [None; 3]));
    // Without a parented peg, but with a rest: local (and world), or delta.
    let mut rested = peg("a", moving());
    rested["rest_pivot"] = json!([0, 2, 0]);
    let measured = measure(&take(&[rested]));
    assert_eq!(measured.named, [Space::Local, Space::Delta, Space::Local]);
    assert_eq!(measured.decided, None);
    // A parent that never moves and stands nowhere makes local and world one; one that moves
    // where the child has no key does not.
    let child = || {
        let mut child = peg("b", vec![key(1.0, json!({"pos": [0, 3, 0], "rot": [0, 0, 0]}))]);
        child["parent"] = json!("a");
        child["rest_pivot"] = json!([0, 3, 0]);
        child
    };
    let still = peg("a", vec![key(1.0, json!({"pos": [0, 0, 0], "rot": [0, 0, 0]}))]);
    let measured = measure(&take(&[still, child()]));
    assert_eq!(measured.named, [Space::Local, Space::Delta, Space::Local]);
    assert_eq!(measured.decided, Some(Space::Local));
    let measured = measure(&take(&[peg("a", moving()), child()]));
    assert_eq!(measured.readings, Space::ALL);
    // Cameras are not counted.
    let mut camera = child();
    camera["is_camera"] = json!(true);
    assert_eq!(measure(&take(&[peg("a", moving()), camera])).figures, [None; 3]);
}

#[test]
fn a_peg_without_keys_rests_under_its_parent_in_every_space() {
    let mut pegs = [
        peg(
            "a",
            vec![
                key(1.0, json!({"pos": [1, 0, 0], "rot": [0, 0, 0], "interp": "LINEAR"})),
                key(3.0, json!({"pos": [1, 0, 0], "rot": [0, 0, 180]})),
            ],
        ),
        peg("b", vec![]),
        peg("c", vec![key(1.0, json!({"pos": [5, 5, 5], "rot": [0, 0, 0]}))]),
    ];
    pegs[1]["parent"] = json!("a");
    pegs[1]["rest_pivot"] = json!([1, 0, 0]);
    pegs[2]["parent"] = json!("b");
    let take = take(&pegs);
    for space in Space::ALL {
        let poses = posed(&take, space, 2.0);
        let b = poses.world[1].position;
        assert!((b - DVec3::new(1.0, 1.0, 0.0)).length() < 1e-12, "{space:?}: {b}");
        let c = poses.world[2].position;
        let want =
            if space == Space::World { DVec3::splat(5.0) } else { DVec3::new(-4.0, 6.0, 5.0) };
        assert!((c - want).length() < 1e-12, "{space:?}: {c}");
        let again = poses.world[1].compose(&poses.local[2]).position;
        assert!((again - want).length() < 1e-12, "{space:?}");
    }
}

#[test]
fn loops_flat_parents_and_long_chains_are_no_trouble() {
    let at = |x: f64, scale: f64| {
        vec![key(1.0, json!({"pos": [x, 0, 0], "rot": [0, 0, 0], "scl": [scale, 1, 1]}))]
    };
    let mut pegs: Vec<Value> = (0..1_000)
        .map(|i| {
            let mut peg = peg(&format!("n{i}"), at(1.0, 1.0));
            peg["parent"] = json!(format!("n{}", (i + 1) % 1_000));
            peg
        })
        .collect();
    let mut outside = peg("outside", at(1.0, 1.0));
    outside["parent"] = json!("n500");
    pegs.push(outside);
    for space in Space::ALL {
        let poses = posed(&take(&pegs), space, 1.0);
        let want = if space == Space::World { 1.0 } else { 2.0 };
        assert_eq!((poses.world[500].position.x, poses.world[1_000].position.x), (1.0, want));
    }
    // Members of the loop count as roots for the measurement as well.
    assert!(measure(&take(&pegs)).figures.iter().all(Option::is_some));

    let chain: Vec<Value> = (0..20_000)
        .map(|i| {
            let mut peg = peg(&format!("n{i}"), at(1.0, 1.0));
            peg["parent"] =
                json!(if i + 1 < 20_000 { format!("n{}", i + 1) } else { String::new() });
            peg
        })
        .collect();
    let chain = take(&chain);
    let poses = posed(&chain, Space::Local, 1.0);
    assert_eq!(poses.world[0].position.x, 20_000.0);
    measure(&chain);

    let mut flat = [peg("a", at(1.0, 0.0)), peg("b", at(3.0, 1.0))];
    flat[1]["parent"] = json!("a");
    let poses = posed(&take(&flat), Space::World, 1.0);
    assert!(poses.local[1].position.is_finite() && poses.local[1].scale.is_finite());
    assert_eq!(poses.world[1].position.x, 3.0);
}

#[test]
fn poses_come_out_canonical_whatever_is_declared() {
    let with = |changes: &[(&str, &str)]| {
        let mut system = canonical();
        changes.iter().for_each(|(field, word)| system[*field] = json!(word));
        let mut pegs = [
            peg(
                "a",
                vec![key(1.0, json!({"pos": [1, 2, 3], "rot": [90, 0, 0], "scl": [1, 2, 3]}))],
            ),
            peg("b", vec![key(1.0, json!({"pos": [0, 10, 0], "rot": [0, 0, 0]}))]),
        ];
        pegs[1]["parent"] = json!("a");
        pegs[1]["rest_pivot"] = json!([0, 10, 0]);
        let mut take = serde_json::from_str::<Value>(&text(&pegs)).unwrap();
        take["coordinate_system"] = system;
        read(&take.to_string())
    };
    let near = |a: DVec3, b: DVec3| assert!((a - b).length() < 1e-12, "{a}, not {b}");
    let plain = with(&[]);
    let poses = posed(&plain, Space::Local, 1.0);
    near(poses.world[1].position, DVec3::new(1.0, 2.0, 23.0));

    let z_up = with(&[("up", "Z"), ("unit", "cm")]);
    let poses = posed(&z_up, Space::Local, 1.0);
    near(poses.raw[0].pos, DVec3::new(1.0, 2.0, 3.0));
    near(poses.local[0].position, DVec3::new(0.01, 0.03, -0.02));
    near(poses.local[0].scale, DVec3::new(1.0, 3.0, 2.0));
    near(poses.world[1].position, DVec3::new(0.01, 0.23, -0.02));
    let rig = TakeRig::new(&z_up, Space::Local);
    near(rig.rest(1).unwrap().position, DVec3::new(0.0, 0.0, -0.1));
    // What was composed before is composed after.
    let composed = poses.world[0].compose(&poses.local[1]);
    near(composed.position, poses.world[1].position);

    let left = with(&[("hand", "left"), ("unit", "inches")]);
    let poses = posed(&left, Space::Local, 1.0);
    near(poses.local[0].position, DVec3::new(0.0254, 0.0508, -0.0762));
    let q = poses.local[0].rotation;
    assert!((q - DQuat::from_rotation_x((-90.0_f64).to_radians())).length() < 1e-12, "{q}");
    let both = with(&[("hand", "left"), ("up", "z")]);
    let error = declared_basis(both.header.coordinate_system.as_ref());
    assert_eq!(error, Err(BasisError::ZUpLeftHanded));
}

fn camera_take(camera: Value, peg_fields: Value) -> Take {
    let mut parts = [peg("cam-P", vec![key(1.0, json!({"pos": [0, 0, 0], "rot": [0, 0, 0]}))])];
    for (name, value) in peg_fields.as_object().unwrap() {
        parts[0][name] = value.clone();
    }
    let mut take = serde_json::from_str::<Value>(&text(&parts)).unwrap();
    take["cameras"] = json!([camera]);
    read(&take.to_string())
}

/// Where a point is seen in a picture of 16:9.
fn seen(take: &Take, point: [f64; 3]) -> [f64; 2] {
    let rig = TakeRig::new(take, Space::Local);
    let mut poses = TakePoses::default();
    rig.sample(1.0, &mut poses);
    let camera = rig.camera(0, &poses.world, 16.0 / 9.0).unwrap();
    let ndc = camera.ndc(point.into()).unwrap();
    assert!((0.0..=1.0).contains(&ndc.z), "{ndc}");
    [ndc.x, ndc.y]
}

#[test]
fn the_worked_cameras() {
    let near = |got: [f64; 2], want: [f64; 2]| {
        assert!(got.iter().zip(want).all(|(g, w)| (g - w).abs() < 1e-6), "{got:?}, not {want:?}");
    };
    let camera = |angle: f64| json!({"name": "c", "peg": "cam-P", "fov": 41.112090, "offset_z": 12.0, "angle": angle});
    let point = [1.0, 4.5, 0.0];
    let cases = [(0.0, [0.125, 1.0]), (90.0, [0.5625, -0.222222]), (30.0, [0.389503, 0.754914])];
    for (angle, want) in cases {
        near(seen(&camera_take(camera(angle), json!({})), point), want);
    }
    // A peg that moves and turns takes the camera along.
    let moved = json!({"keyframes": [{"frame": 1, "pos": [5, 0, 0], "rot": [0, 90, 0]}]});
    // Its own −Z points along −X now, its X along −Z.
    near(seen(&camera_take(camera(0.0), moved), [5.0, 4.5, -1.0]), [0.125, 1.0]);
    // Rolled about the pivot, that point stays where it is.
    let mut pivoted = camera(90.0);
    pivoted["pivot_x"] = json!(1.0);
    pivoted["pivot_y"] = json!(4.5);
    near(seen(&camera_take(pivoted, json!({})), point), [0.125, 1.0]);
    // 60° across is 35.983398° up and down.
    let take = camera_take(
        json!({"name": "c", "peg": "cam-P", "fov": 60.0, "fov_axis": "Horizontal", "offset_z": 12.0}),
        json!({}),
    );
    let view = TakeRig::new(&take, Space::Local).camera(0, &[], 16.0 / 9.0).unwrap();
    assert!((view.fov_deg - 35.983398).abs() < 1e-6, "{}", view.fov_deg);
    // Another hand rolls the other way, and what lay behind lies in front.
    let take = camera_take(camera(90.0), json!({}));
    let mut left = (*take.cameras[0]).clone();
    left.offset.z = -12.0;
    let basis =
        posewright::math::Basis { axes: posewright::math::Axes::YUpLeftHanded, meters: 1.0 };
    let view = posewright::sample::take::camera_view(&left, &Trs::IDENTITY, basis, 16.0 / 9.0);
    let ndc = view.ndc(DVec3::new(1.0, 4.5, 0.0)).unwrap();
    near([ndc.x, ndc.y], [-0.5625, 0.222222]);
}

#[test]
fn a_camera_has_every_default() {
    let take = camera_take(
        json!({"name": "c", "peg": "nobody", "fov": -3, "near_plane": 9, "far_plane": 2}),
        json!({}),
    );
    assert_eq!(camera_peg(&take, &take.cameras[0]), None);
    let rig = TakeRig::new(&take, Space::Local);
    let view = rig.camera(0, &[], 2.0).unwrap();
    assert_eq!((view.fov_deg, view.planes), (TakeCamera::DEFAULT_FOV, TakeCamera::DEFAULT_PLANES));
    assert_eq!(view.world_from_camera, DMat4::IDENTITY, "it stands still");
    assert_eq!(view.ndc(DVec3::Z), None, "nothing is seen behind it");
    let at = |z: f64| view.ndc(DVec3::new(0.0, 0.0, -z)).unwrap().z;
    assert!(at(0.1).abs() < 1e-9 && (at(1000.0) - 1.0).abs() < 1e-9);
    // On a flat peg it still sees.
    let flat =
        json!({"keyframes": [{"frame": 1, "pos": [0, 0, 0], "rot": [0, 0, 0], "scl": [0, 1, 1]}]});
    let take = camera_take(json!({"name": "c", "peg": "cam-P", "offset_z": 12.0}), flat);
    assert!((seen(&take, [1.0, 4.5, 0.0])[1] - 1.0).abs() < 1e-6);
    assert!(rig.camera(1, &[], 2.0).is_none());
    let strange = rig.camera(0, &[], f64::NAN).unwrap();
    assert!(strange.clip_from_world().is_finite());
}

#[test]
fn a_cameras_peg_is_found_by_path_then_rig_then_name() {
    let mut pegs = ["a", "b", "c"].map(|rig| {
        let mut peg = peg("cam", vec![]);
        peg["rig"] = json!(rig);
        peg["path"] = json!(format!("Top/{rig}/cam"));
        peg
    });
    pegs[2]["name"] = json!("other");
    let take = take(&pegs);
    let with = |path: Option<&str>, rig: Option<&str>| {
        let camera = json!({"name": "c", "peg": "cam", "path": path, "rig": rig});
        let base = camera_take(camera, json!({}));
        camera_peg(&take, &base.cameras[0])
    };
    assert_eq!(with(Some("Top/b/cam"), Some("a")), Some(1));
    assert_eq!(with(Some("Top/x/cam"), Some("b")), Some(1));
    assert_eq!(with(None, None), Some(0));
}

#[test]
fn the_worked_skeletons() {
    let scaled =
        skeleton(json!({"scale_factor": 2.0, "bones": [{"name": "a", "pivot": [2, 4, 6]}]}));
    assert_eq!(bone_rests(&scaled).unwrap()[0].position, DVec3::new(1.0, 2.0, 3.0));
    let bones = json!([
        {"name": "knee", "parent": "hip", "pivot": [-0.5, 1, 0],
         "rotation": [0.683013, 0.183013, 0.183013, 0.683013]},
        {"name": "hip", "pivot": [0, 1, 0], "rotation": [0.707107, 0, 0, 0.707107]},
    ]);
    let armature = skeleton(json!({"pivot_space": "armature", "bones": bones}));
    let rest = bone_rests(&armature).unwrap()[0];
    assert!((rest.position - DVec3::new(0.0, 0.5, 0.0)).length() < 1e-6, "{rest:?}");
    let want = DQuat::from_xyzw(0.258819, 0.0, 0.0, 0.965926);
    assert!((rest.rotation - want).length() < 1e-5, "{rest:?}");
    let rig = SkeletonRig::new(&armature);
    assert!((rig.world[0].position - DVec3::new(-0.5, 1.0, 0.0)).length() < 1e-6);
    for factor in [0.0, -2.0] {
        let broken = skeleton(json!({"scale_factor": factor, "bones": bones}));
        assert_eq!(bone_rests(&broken), Err(SkeletonError::ScaleFactor(factor)));
    }
    let broken = skeleton(json!({"pivot_space": "moon", "bones": bones}));
    assert_eq!(bone_rests(&broken), Err(SkeletonError::PivotSpace("moon".into())));
    // It is shown all the same.
    assert_eq!(SkeletonRig::new(&broken).local[1].position, DVec3::Y);
}

#[test]
fn bones_and_pegs_are_matched_in_the_order_of_the_rules() {
    let bone = |name: &str, rig: &str, path: &str| json!({"name": name, "rig": rig, "path": path});
    let skeleton = skeleton(json!({"bones": [
        bone("elsewhere", "x", "Top/a/hip"),
        bone("leg", "a", ""),
        bone("arm", "a", ""),
        bone("hat", "z", ""),
        bone("eye", "a", ""),
        bone("nose", "a", ""),
        bone("ear", "q", ""),
        bone("ear", "q", ""),
    ]}));
    let peg = |name: &str, rig: &str, path: &str| json!({"name": name, "rig": rig, "path": path, "rest_pivot": [0, 1, 0], "keyframes": []});
    let take = take(&[
        peg("hat-P", "b", ""),
        peg("arm-P", "a", ""),
        peg("leg", "b", ""),
        peg("leg", "a", ""),
        peg("hip", "a", "Top/a/hip"),
        peg("eye", "b", ""),
        peg("eye", "c", ""),
        peg("ear", "q", ""),
    ]);
    let matched = match_bones(&skeleton, &take);
    let expected = [Some(4), Some(3), Some(1), Some(0), None, None, None, None];
    assert_eq!(matched.peg_of_bone, expected);
    let unmatched: Vec<(usize, Vec<usize>)> =
        matched.unmatched_bones.iter().map(|u| (u.bone, u.candidates.clone())).collect();
    assert_eq!(unmatched, [(4, vec![5, 6]), (5, vec![]), (6, vec![7]), (7, vec![7])]);
    assert_eq!(matched.unmatched_pegs, [2, 5, 6, 7]);
    let differences = rest_differences(&skeleton, &take, &matched).unwrap();
    assert_eq!(differences.len(), 4);
    assert_eq!((differences[0].bone, differences[0].peg, differences[0].distance), (0, 4, 1.0));
}

fn report(take: &Take) -> TakeReport {
    let measured = measure(take);
    let rig = TakeRig::new(take, measured.shown());
    TakeReport::new(take, &rig, &measured, &Progress::new()).unwrap()
}

#[test]
fn a_report_counts_and_measures() {
    let mut pegs = [
        peg(
            "a",
            vec![
                key(1.0, json!({"pos": [0, 0, 0], "rot": [0, 0, 0], "interp": "LINEAR"})),
                key(13.0, json!({"pos": [3, 0, 0], "rot": [0, 0, 120], "interp": "LINEAR"})),
                key(25.0, json!({"pos": [0, 0, 0], "rot": [0, 0, 0], "interp": "WOBBLY"})),
            ],
        ),
        peg(
            "b",
            vec![
                key(1.0, json!({"pos": [0, 1, 0], "rot": [0, 0, 0], "interp": "CONSTANT"})),
                key(7.0, json!({"pos": [0, 5, 0], "rot": [0, 90, 0]})),
            ],
        ),
        peg("c", vec![]),
    ];
    pegs[1]["parent"] = json!("a");
    pegs[1]["rest_pivot"] = json!([0, 1, 0]);
    pegs[1]["rig"] = json!("hero");
    pegs[1]["wat"] = json!(1);
    let take = take(&pegs);
    let report = report(&take);
    let counts = report.counts;
    assert_eq!(
        (counts.pegs, counts.keys, counts.roots, counts.depth, counts.still),
        (3, 5, 2, 2, 1)
    );
    assert_eq!((report.duration_secs, report.frame_step), (Some(1.0), 1.0));
    assert_eq!(report.rigs, ["hero"]);
    assert_eq!(report.unknown_fields, ["pegs[].wat"]);
    let [a, b, c] = &report.pegs[..] else { panic!() };
    assert!((a.motion.travel - 6.0).abs() < 1e-9 && (a.motion.turn_deg - 240.0).abs() < 1e-6);
    assert!((a.motion.largest_step - 0.25).abs() < 1e-9, "{}", a.motion.largest_step);
    assert_eq!((a.interp.linear, a.interp.unknown, a.keys), (2, 1, 3));
    // The child's own motion, not its parent's.
    assert_eq!(
        (b.motion.travel, b.motion.largest_step, b.motion.largest_step_frame),
        (4.0, 4.0, 7.0)
    );
    assert!((b.motion.turn_deg - 90.0).abs() < 1e-9);
    assert_eq!((b.parent, b.parent_name.as_deref()), (Some(0), Some("a")));
    assert_eq!((b.interp.constant, b.interp.bezier), (1, 1));
    assert_eq!(c.motion.travel, 0.0);
    assert_eq!((a.motion.moved.len(), a.motion.turned_deg.len()), (25, 25));
    assert_eq!((a.motion.moved[12], a.motion.moved[24]), (3.0, 0.0));
    assert!((a.motion.turned_deg[12] - 120.0).abs() < 1e-4);
}

#[test]
fn a_report_of_any_range_is_bounded_and_can_be_stopped() {
    let moving = vec![
        key(1.0, json!({"pos": [0, 0, 0], "rot": [0, 0, 0], "interp": "LINEAR"})),
        key(2000.0, json!({"pos": [0, 7, 0], "rot": [0, 0, 0]})),
    ];
    let base = text(&(0..20).map(|i| peg(&format!("p{i}"), moving.clone())).collect::<Vec<_>>());
    let ranges =
        ["[1,2000]", "[1,2000.5]", "[2000,1]", "[-1e9,1e9]", "[5,5]", "[0,1e300]", "[1,2]"];
    let mut value: Value = serde_json::from_str(&base).unwrap();
    for range in ranges {
        value["frame_range"] = serde_json::from_str(range).unwrap();
        let report = report(&read(&value.to_string()));
        for row in &report.pegs {
            let motion = &row.motion;
            assert!(motion.moved.len() <= 62 && !motion.moved.is_empty(), "{range}");
            assert_eq!(motion.moved.len(), motion.turned_deg.len());
            if range.starts_with("[1,2000") || range == "[2000,1]" {
                assert!((motion.travel - 7.0).abs() < 1e-9, "{range}: {}", motion.travel);
                assert!(motion.moved.len() >= 60);
            }
        }
    }
    let take = read(&base);
    let (rig, measured) = (TakeRig::new(&take, Space::Local), measure(&take));
    let progress = Progress::new();
    progress.cancel();
    assert_eq!(TakeReport::new(&take, &rig, &measured, &progress), None);
}
