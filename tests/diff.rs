//! What changed between two documents, by construction: a document is taken, known things about it
//! are changed, and the comparison must name these and nothing else.
#![allow(clippy::unwrap_used)] // A test that cannot go on should stop.

mod common;

use common::Rng;
use common::takes::{canonical, read, skeleton};
use posewright::diff::{
    Change, DiffError, Difference, KeysChange, Posed, Side, Tolerances, What, diff, diff_watched,
};
use posewright::format::{read_clip, read_rig, strict};
use posewright::model::take::Take;
use posewright::model::{Clip, Rig, Uids};
use posewright::progress::Progress;
use posewright::sample::take::Space;
use posewright::source::Source;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::HashSet;
use std::sync::Arc;

fn local(take: &Take) -> Side<'_> {
    Side::Take { take, posed: Posed::In(Space::Local) }
}

fn of_takes(a: &Take, b: &Take) -> Difference {
    diff(&local(a), &local(b), &Tolerances::default()).unwrap()
}

fn of_texts(a: &Value, b: &Value) -> Difference {
    of_takes(&read(&a.to_string()), &read(&b.to_string()))
}

fn vector(rng: &mut Rng, size: f64) -> Value {
    json!([0, 1, 2].map(|_| (rng.number() * size * 1e4).round() / 1e5))
}

fn quat(rng: &mut Rng) -> Value {
    let [w, x, y, z] = [(); 4].map(|()| rng.number() + 0.01);
    let length = (w * w + x * x + y * y + z * z).sqrt();
    json!([w, x, y, z].map(|n| n / length))
}

/// A take of a few pegs in a tree, each after its parent.
fn take_value(rng: &mut Rng) -> Value {
    let count = 4 + rng.below(5);
    let mut pegs = Vec::new();
    for at in 0..count {
        let mut keys = Vec::new();
        let mut frame = 1 + rng.below(4);
        for _ in 0..2 + rng.below(6) {
            let mut key = json!({
                "frame": frame, "pos": vector(rng, 1.0), "rot_quat": quat(rng),
                "scl": [1.0, 1.0, 1.0], "interp": *rng.pick(&["BEZIER", "LINEAR", "CONSTANT"]),
            });
            if rng.chance(40) {
                let f = frame as f64;
                let axis =
                    |rng: &mut Rng| json!([[f - 1.0, rng.number()], [f + 1.0, rng.number()]]);
                key["handles"] = json!({"pos": [axis(rng), null, axis(rng)], "rot": [], "scl": []});
            }
            if rng.chance(20) {
                key["note"] = json!({"a": 1, "b": [true, "x"]});
            }
            keys.push(key);
            frame += 2 + rng.below(6);
        }
        let parent = if at == 0 { Value::Null } else { json!(format!("peg{}", rng.below(at))) };
        pegs.push(json!({
            "name": format!("peg{at}"), "parent": parent, "rig": "hero",
            "rest_pivot": vector(rng, 1.0), "rest_rotation": quat(rng),
            "source_modes": {"position": "separate", "enable_3d": true},
            "keyframes": keys,
        }));
    }
    let mut take = json!({
        "format": "octo_anm", "version": 4, "source": "maya", "frame_range": [1, 40], "fps": 24.0,
        "coordinate_system": canonical(), "pegs": pegs, "studio": {"shot": 12},
        "cameras": [{"name": "cam", "peg": "peg1", "fov": 40.0, "offset_z": 12.0}],
    });
    if rng.chance(60) {
        set_paths(&mut take);
    }
    take
}

/// Paths as a scene has them: along the parents.
fn set_paths(take: &mut Value) {
    let pegs = take["pegs"].as_array_mut().unwrap();
    let named: Vec<(String, Option<String>)> = pegs
        .iter()
        .map(|peg| {
            let name = |field: &str| peg[field].as_str().map(str::to_owned);
            (name("name").unwrap(), name("parent"))
        })
        .collect();
    for (at, peg) in pegs.iter_mut().enumerate() {
        let mut path = named[at].0.clone();
        let mut up = named[at].1.clone();
        while let Some(parent) = up {
            path = format!("{parent}/{path}");
            up = named.iter().find(|(name, _)| *name == parent).unwrap().1.clone();
        }
        peg["path"] = json!(format!("Top/{path}"));
    }
}

/// What one change is called in these tests.
fn tag(change: &Change) -> Vec<String> {
    match change {
        Change::Added { .. } => vec!["added".into()],
        Change::Removed { .. } => vec!["removed".into()],
        Change::Renamed { from, to } => vec![format!("renamed {from} {to}")],
        Change::Reparented { from, to } => vec![format!("reparented {from:?} {to:?}")],
        Change::Rest { metres, degrees, factor } => {
            let round = |n: f64| (n * 1e6).round() / 1e6;
            vec![format!("rest {} {} {}", round(*metres), round(*degrees), round(*factor))]
        }
        Change::Field { field, from, to } => vec![format!("{field} {from:?} {to:?}")],
        Change::Keys(keys) => key_tags(keys),
        Change::Unknown { path, from, to } => vec![format!("unknown {path} {from:?} {to:?}")],
    }
}

fn key_tags(keys: &KeysChange) -> Vec<String> {
    let mut tags = Vec::new();
    for key in &keys.keys {
        let at = key.at;
        let round = |n: f64| (n * 1e6).round() / 1e6;
        if key.is_added() {
            tags.push(format!("key added {at}"));
        } else if key.is_removed() {
            tags.push(format!("key removed {at}"));
        }
        if key.moved != 0.0 {
            tags.push(format!("key moved {}", key.moved.abs()));
        }
        for (channel, by) in key.by.iter().enumerate().filter(|(_, by)| **by != 0.0) {
            tags.push(format!("key value {channel} {}", round(*by)));
        }
        if key.angles_deg != 0.0 {
            tags.push(format!("key angles {}", round(key.angles_deg)));
        }
        if let Some([from, to]) = key.interp {
            tags.push(format!("key interp {} {}", from.as_str(), to.as_str()));
        }
        for channel in 0..3 {
            if key.has_handles(channel) {
                let (by, frames) = (key.handle_by[channel], key.handle_frames[channel]);
                tags.push(format!("key handle {channel} {} {}", round(by), round(frames)));
            }
        }
        if key.unknown {
            tags.push(format!("key unknown {at}"));
        }
    }
    tags
}

/// Everything that differs, sorted: the element's name and what of it.
fn tags(found: &Difference) -> Vec<String> {
    let mut all: Vec<String> = found.header.iter().flat_map(tag).collect();
    for element in &found.elements {
        let of = element.changes.iter().flat_map(tag);
        all.extend(of.map(|tag| format!("{}: {tag}", element.name)));
    }
    all.sort();
    all
}

/// The other way round: what was added was removed.
fn mirrored(change: &Change) -> Change {
    match change.clone() {
        Change::Added { keys } => Change::Removed { keys },
        Change::Removed { keys } => Change::Added { keys },
        Change::Renamed { from, to } => Change::Renamed { from: to, to: from },
        Change::Reparented { from, to } => Change::Reparented { from: to, to: from },
        Change::Field { field, from, to } => Change::Field { field, from: to, to: from },
        Change::Unknown { path, from, to } => Change::Unknown { path, from: to, to: from },
        Change::Keys(mut keys) => {
            for key in &mut keys.keys {
                (key.a, key.b) = (key.b, key.a);
                key.interp = key.interp.map(|[from, to]| [to, from]);
                key.moved = -key.moved;
            }
            Change::Keys(keys)
        }
        rest @ Change::Rest { .. } => rest,
    }
}

fn assert_mirrors(a: &Difference, b: &Difference) {
    let turned: Vec<Vec<String>> = a.header.iter().map(|c| tag(&mirrored(c))).collect();
    assert_eq!(turned, b.header.iter().map(tag).collect::<Vec<_>>());
    assert_eq!(a.elements.len(), b.elements.len());
    for element in &a.elements {
        let other = b
            .elements
            .iter()
            .find(|other| (other.a, other.b, other.what) == (element.b, element.a, element.what));
        let other = other.unwrap_or_else(|| panic!("{element:?}"));
        let sorted = |tags: Vec<String>| {
            let mut tags = tags;
            tags.sort();
            tags
        };
        let turned = sorted(element.changes.iter().flat_map(|c| tag(&mirrored(c))).collect());
        assert_eq!(turned, sorted(other.changes.iter().flat_map(tag).collect()));
    }
    if let (Some(a), Some(b)) = (&a.poses, &b.poses) {
        let by = |e: &Option<posewright::diff::Extreme>| e.map_or(0.0, |e| e.by);
        assert!((by(&a.farthest) - by(&b.farthest)).abs() < 1e-9);
        assert!((by(&a.most_turned) - by(&b.most_turned)).abs() < 1e-9);
    }
}

/// Makes one known change to a peg, and says what the comparison must say.
fn change_one(take: &mut Value, at: usize, kind: usize, rng: &mut Rng) -> Option<String> {
    let count = take["pegs"].as_array().unwrap().len();
    let name = take["pegs"][at]["name"].as_str().unwrap().to_owned();
    let keys = take["pegs"][at]["keyframes"].as_array().unwrap().len();
    let k = rng.below(keys);
    let frame = take["pegs"][at]["keyframes"][k]["frame"].as_f64().unwrap();
    let key = &mut take["pegs"][at]["keyframes"][k];
    Some(match kind {
        0 => {
            let axis = rng.below(3);
            let by = 0.25 + rng.below(100) as f64 / 64.0;
            key["pos"][axis] = json!(key["pos"][axis].as_f64().unwrap() + by);
            format!("{name}: key value 0 {by}")
        }
        1 => {
            // Turned about Z by so much: another quaternion, and then its negative.
            let by: f64 = 5.0 + rng.below(150) as f64;
            let (sin, cos) = (by.to_radians() / 2.0).sin_cos();
            let q: Vec<f64> =
                key["rot_quat"].as_array().unwrap().iter().map(|n| n.as_f64().unwrap()).collect();
            let (w, x, y, z) = (q[0], q[1], q[2], q[3]);
            let turned =
                [cos * w - sin * z, cos * x - sin * y, cos * y + sin * x, cos * z + sin * w];
            key["rot_quat"] = json!(turned.map(|n| -n));
            format!("{name}: key value 1 {by}")
        }
        2 => {
            key["frame"] = json!(frame + 0.75);
            format!("{name}: key moved 0.75")
        }
        3 => {
            let from = key["interp"].as_str().unwrap().to_owned();
            let to = if from == "LINEAR" { "CONSTANT" } else { "LINEAR" };
            key["interp"] = json!(to);
            format!("{name}: key interp {from} {to}")
        }
        4 => {
            let peg = &mut take["pegs"][at];
            let by = 0.5 + rng.below(64) as f64 / 64.0;
            peg["rest_pivot"][1] = json!(peg["rest_pivot"][1].as_f64().unwrap() + by);
            format!("{name}: rest {by} 0 0")
        }
        5 => {
            let new = format!("new_{name}");
            take["pegs"][at]["name"] = json!(new);
            for peg in take["pegs"].as_array_mut().unwrap() {
                if peg["parent"] == json!(name) {
                    peg["parent"] = json!(new);
                }
            }
            for camera in take["cameras"].as_array_mut().unwrap() {
                if camera["peg"] == json!(name) {
                    return None;
                }
            }
            if take["pegs"][0].get("path").is_some() {
                set_paths(take);
            }
            format!("{name}: renamed {name} {new}")
        }
        6 => {
            let old = take["pegs"][at]["parent"].as_str().map(str::to_owned);
            let new = (0..at.min(count))
                .map(|p| take["pegs"][p]["name"].as_str().unwrap().to_owned())
                .find(|p| Some(p) != old.as_ref())?;
            take["pegs"][at]["parent"] = json!(new);
            if take["pegs"][0].get("path").is_some() {
                set_paths(take);
            }
            // Each parent by its name in its own document.
            let old = old.map(|old| old.trim_start_matches("new_").to_owned());
            format!("{name}: reparented {old:?} {:?}", Some(new))
        }
        7 => {
            let by = 0.5 + rng.below(64) as f64 / 64.0;
            let handles = key.get_mut("handles")?;
            let y = handles["pos"][2][1][1].as_f64().unwrap() + by;
            handles["pos"][2][1][1] = json!(y);
            format!("{name}: key handle 0 {by} 0")
        }
        8 => {
            take["pegs"][at]["studio_tag"] = json!({"z": [1, 2.5], "a": "x"});
            format!(
                "{name}: unknown studio_tag None Some(\"{{\\\"a\\\": \\\"x\\\", \\\"z\\\": [1, 2.5]}}\")"
            )
        }
        9 => {
            key["mood"] = json!("glad");
            format!("{name}: key unknown {frame}")
        }
        10 => {
            take["pegs"][at]["source_modes"]["position"] = json!("path");
            format!("{name}: source_modes.position Some(\"separate\") Some(\"path\")")
        }
        11 => {
            take["cameras"][0]["fov"] = json!(50.0);
            "cam: fov Some(\"40\") Some(\"50\")".to_owned()
        }
        12 => {
            take["fps"] = json!(30.0);
            "fps Some(\"24\") Some(\"30\")".to_owned()
        }
        13 => {
            take["studio"]["shot"] = json!(13);
            "unknown studio Some(\"{\\\"shot\\\": 12}\") Some(\"{\\\"shot\\\": 13}\")".to_owned()
        }
        14 => {
            take["pegs"][at]["keyframes"].as_array_mut().unwrap().remove(k);
            format!("{name}: key removed {frame}")
        }
        _ => {
            let added = json!({"frame": frame + 0.5, "pos": vector(rng, 1.0), "rot_quat": quat(rng),
                "scl": [1, 1, 1], "interp": "LINEAR"});
            take["pegs"][at]["keyframes"].as_array_mut().unwrap().insert(k + 1, added);
            format!("{name}: key added {}", frame + 0.5)
        }
    })
}

fn cases(many: u32) -> ProptestConfig {
    let cases = std::env::var("POSEWRIGHT_CASES").ok().and_then(|n| n.parse().ok());
    ProptestConfig { cases: cases.unwrap_or(many), ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn exactly_what_was_changed_is_named(seed in any::<u64>()) {
        let mut rng = Rng::new(seed);
        let before = take_value(&mut rng);
        let mut after = before.clone();
        let count = before["pegs"].as_array().unwrap().len();
        let mut expected = Vec::new();
        // Each peg is changed once at most, so that changes do not hide each other.
        let mut pegs: Vec<usize> = (0..count).collect();
        rng.shuffle(&mut pegs);
        let mut used = HashSet::new();
        for at in pegs.into_iter().take(1 + rng.below(3)) {
            let kind = rng.below(16);
            // Of the document itself there is but one.
            if (11..14).contains(&kind) && !used.insert(kind) {
                continue;
            }
            let kept = after.clone();
            match change_one(&mut after, at, kind, &mut rng) {
                Some(tag) => expected.push(tag),
                None => after = kept,
            }
        }
        // A parent that was renamed later has its new name in what its child says.
        for at in 0..expected.len() {
            if let Some((_, renamed)) = expected[at].clone().split_once(": renamed ") {
                let (from, to) = renamed.split_once(' ').unwrap();
                for tag in expected.iter_mut().filter(|tag| tag.contains("reparented")) {
                    let (start, end) = tag.rsplit_once("Some(").unwrap();
                    let end = end.replace(&format!("\"{from}\""), &format!("\"{to}\""));
                    *tag = format!("{start}Some({end}");
                }
            }
        }
        expected.sort();
        let found = of_texts(&before, &after);
        prop_assert_eq!(tags(&found), expected);
        let back = of_texts(&after, &before);
        assert_mirrors(&found, &back);
        // A sentence for each.
        prop_assert!(found.elements.iter().all(|e| e.words().len() > e.name.len() + 2));
        prop_assert_eq!(found.is_empty(), found.header.is_empty() && found.elements.is_empty());
    }

    #[test]
    fn a_document_does_not_differ_from_itself_or_from_what_another_writer_makes_of_it(
        seed in any::<u64>(),
    ) {
        let mut rng = Rng::new(seed);
        let value = take_value(&mut rng);
        let take = read(&value.to_string());
        prop_assert!(of_takes(&take, &take).is_empty());
        prop_assert!(of_takes(&take, &take.clone()).is_empty());
        let mut text = String::new();
        respelled(&value, &mut rng, &mut text);
        let other = read(&text);
        let found = of_takes(&take, &other);
        prop_assert!(found.is_empty(), "{:?}\n{}", found.lines(), text);
        prop_assert!(!found.poses.unwrap().is_beyond(&Tolerances::default()));
    }

    #[test]
    fn what_is_below_the_tolerances_is_silent(seed in any::<u64>()) {
        let mut rng = Rng::new(seed);
        let value = take_value(&mut rng);
        let a = read(&value.to_string());
        let mut b = a.clone();
        let noise = |rng: &mut Rng| glam::DVec3::new(rng.number(), rng.number(), rng.number()) * 4e-6;
        for peg in &mut b.pegs {
            let peg = Arc::make_mut(peg);
            peg.rest_pivot = peg.rest_pivot.map(|p| p + noise(&mut rng));
            for key in &mut peg.keyframes {
                key.pos = key.pos.map(|p| p + noise(&mut rng));
                key.scl = key.scl.map(|p| p + noise(&mut rng));
                key.rot_quat = key.rot_quat.map(|q| q.map(|n| n + 1e-6 * rng.number()));
            }
        }
        let found = of_takes(&a, &b);
        prop_assert!(found.is_empty(), "{:?}", found.lines());
        let exact = Tolerances { position_m: 0.0, angle_deg: 0.0, scale: 0.0 };
        let found = diff(&local(&a), &local(&b), &exact).unwrap();
        prop_assert_eq!(found.elements.len(), a.pegs.len());
    }
}

/// A JSON value as another program might write it: another indent, another order of fields, other
/// spellings of numbers.
fn respelled(value: &Value, rng: &mut Rng, out: &mut String) {
    let space = *rng.pick(&["", " ", "\n", "\n\t", "  "]);
    match value {
        Value::Object(map) => {
            let mut entries: Vec<_> = map.iter().collect();
            rng.shuffle(&mut entries);
            out.push('{');
            for (at, (key, value)) in entries.into_iter().enumerate() {
                out.push_str(if at > 0 { "," } else { "" });
                out.push_str(space);
                // An escape that need not be one.
                let key = key.replacen('o', "\\u006f", usize::from(rng.chance(20)));
                out.push_str(&format!("\"{key}\":{space}"));
                respelled(value, rng, out);
            }
            out.push('}');
        }
        Value::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                out.push_str(if at > 0 { "," } else { "" });
                out.push_str(space);
                respelled(item, rng, out);
            }
            out.push(']');
        }
        Value::Number(number) => {
            let number = number.as_f64().unwrap();
            out.push_str(&match rng.below(3) {
                0 => format!("{number:e}"),
                1 => format!("{number:?}").replace("e-", "E-"),
                _ => format!("{number}"),
            });
        }
        other => out.push_str(&other.to_string()),
    }
}

fn parse_clip(text: &str) -> Clip {
    let source = Arc::new(Source::parse_yaml(text.to_owned()).unwrap());
    strict(read_clip(&source, &mut Uids::default())).unwrap()
}

fn parse_rig(text: &str) -> Rig {
    let source = Arc::new(Source::parse_yaml(text.to_owned()).unwrap());
    strict(read_rig(&source, &mut Uids::default())).unwrap()
}

/// A YAML value as another program might write it; vectors stay on one line, as they must.
fn yaml(value: &serde_yaml::Value, indent: usize, out: &mut String) {
    use serde_yaml::Value as Y;
    match value {
        Y::Mapping(map) if !map.is_empty() => {
            let entries: Vec<_> = map.iter().collect();
            for (key, value) in entries.into_iter().rev() {
                out.push_str(&format!("\n{:indent$}", ""));
                out.push_str(serde_yaml::to_string(key).unwrap().trim_end());
                out.push(':');
                yaml(value, indent + 3, out);
            }
        }
        Y::Sequence(items) if items.iter().any(|item| item.is_mapping() || item.is_sequence()) => {
            for item in items {
                out.push_str(&format!("\n{:indent$}-", ""));
                yaml(item, indent + 2, out);
            }
        }
        Y::Sequence(items) => {
            out.push_str(" [");
            for item in items {
                yaml(item, 0, out);
                out.push_str(" ,");
            }
            out.push(']');
        }
        Y::String(text) => out.push_str(&format!(" {}", serde_json::to_string(text).unwrap())),
        Y::Number(number) => {
            let number = number.as_f64().unwrap();
            out.push_str(&format!(" {number:?}"));
        }
        Y::Mapping(_) => out.push_str(" {}"),
        other => out.push_str(&format!(" {}", serde_yaml::to_string(other).unwrap().trim_end())),
    }
}

fn rewritten(text: &str) -> String {
    let value: serde_yaml::Value =
        serde_yaml::from_str(text.trim_start_matches('\u{feff}')).unwrap();
    let mut out = String::new();
    yaml(&value, 0, &mut out);
    out
}

fn of_clips(a: &Clip, b: &Clip) -> Difference {
    let side = |clip| Side::Clip { clip, rig: None };
    diff(&side(a), &side(b), &Tolerances::default()).unwrap()
}

fn of_rigs(a: &Rig, b: &Rig) -> Difference {
    diff(&Side::Rig(a), &Side::Rig(b), &Tolerances::default()).unwrap()
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn clips_and_rigs_from_another_writer_do_not_differ(seed in any::<u64>()) {
        let mut rng = Rng::new(seed);
        let text = common::clip_text(&mut rng);
        let other = rewritten(&text);
        let (a, b) = (parse_clip(&text), parse_clip(&other));
        let found = of_clips(&a, &b);
        prop_assert!(found.is_empty(), "{:?}\n{text}\n---{other}", found.lines());
        let text = common::rig_text(&mut rng);
        let other = rewritten(&text);
        let (a, b) = (parse_rig(&text), parse_rig(&other));
        let found = of_rigs(&a, &b);
        prop_assert!(found.is_empty(), "{:?}\n{text}\n---{other}", found.lines());
    }

    #[test]
    fn exactly_what_was_changed_in_a_clip_is_named(seed in any::<u64>()) {
        let mut rng = Rng::new(seed);
        let a = parse_clip(&common::clip_text(&mut rng));
        let mut b = a.clone();
        let at = rng.below(b.tracks.len());
        let name = format!("{}.{}", a.tracks[at].part, a.tracks[at].property.as_str());
        let channel = a.tracks[at].property as usize;
        let track = Arc::make_mut(&mut b.tracks[at]);
        let k = rng.below(track.keys.len());
        let time = track.keys[k].time;
        let expected = match rng.below(6) {
            0 => {
                track.keys[k].value.x += 0.5;
                match channel {
                    // One angle of three is not the angle of the turn; its size is tested by hand.
                    1 => None,
                    _ => Some(format!("{name}: key value {channel} 0.5")),
                }
            }
            1 => {
                track.keys[k].time += 0.125;
                Some(format!("{name}: key moved 0.125"))
            }
            2 if track.keys.len() > 1 => {
                track.keys.remove(k);
                Some(format!("{name}: key removed {time}"))
            }
            3 => {
                let from = track.interpolation.as_str();
                track.interpolation = match track.interpolation {
                    posewright::model::Interpolation::Step => posewright::model::Interpolation::Smooth,
                    _ => posewright::model::Interpolation::Step,
                };
                let to = track.interpolation.as_str();
                Some(format!("{name}: interpolation {:?} {:?}", Some(from), Some(to)))
            }
            4 => {
                b.looping = !b.looping;
                let (from, to) = (a.looping.to_string(), b.looping.to_string());
                Some(format!("loop {:?} {:?}", Some(from), Some(to)))
            }
            _ => {
                let old = track.part.clone();
                for track in b.tracks.iter_mut().filter(|track| track.part == old) {
                    Arc::make_mut(track).part = "renamed".to_owned();
                }
                Some(format!("{old}: renamed {old} renamed"))
            }
        };
        let found = of_clips(&a, &b);
        match expected {
            Some(expected) => prop_assert_eq!(tags(&found), [expected]),
            None => {
                let start = format!("{name}: key value 1");
                prop_assert!(tags(&found)[0].starts_with(&start));
            }
        }
        assert_mirrors(&found, &of_clips(&b, &a));
    }

    #[test]
    fn exactly_what_was_changed_in_a_rig_is_named(seed in any::<u64>()) {
        let mut rng = Rng::new(seed);
        let a = parse_rig(&common::rig_text(&mut rng));
        let mut b = a.clone();
        let at = rng.below(b.nodes.len());
        let old = a.nodes[at].id.clone();
        let node = Arc::make_mut(&mut b.nodes[at]);
        let expected = match rng.below(4) {
            0 => {
                node.position.y += 2.0;
                Some(format!("{old}: rest 2 0 0"))
            }
            1 => {
                node.scale.z *= 3.0;
                Some(format!("{old}: rest 0 0 {}", (2.0 * a.nodes[at].scale.z * 1e6).round() / 1e6))
            }
            2 => {
                node.model = Some("gun".to_owned());
                Some(format!("{old}: model None Some(\"gun\")"))
            }
            _ => {
                // Nodes that hold nothing of their own and have no children cannot be told apart.
                let tells = node.name.is_some() || a.nodes.iter().any(|n| n.parent.as_ref() == Some(&old));
                if !tells {
                    return Ok(());
                }
                node.id = "renamed".to_owned();
                for node in &mut b.nodes {
                    if node.parent.as_ref() == Some(&old) {
                        Arc::make_mut(node).parent = Some("renamed".to_owned());
                    }
                }
                Some(format!("{old}: renamed {old} renamed"))
            }
        };
        let found = of_rigs(&a, &b);
        let name_follows = |tag: &String| !tag.contains(": name ");
        let named: Vec<String> = tags(&found).into_iter().filter(name_follows).collect();
        prop_assert_eq!(named, expected.into_iter().collect::<Vec<_>>());
        assert_mirrors(&found, &of_rigs(&b, &a));
    }
}

/// A take in which anything may be missing, doubled, unsorted or wrong.
fn odd_take(rng: &mut Rng) -> Value {
    let name = |rng: &mut Rng| format!("peg{}", rng.below(4));
    let mut pegs = Vec::new();
    for _ in 0..rng.below(7) {
        let mut keys = Vec::new();
        for _ in 0..rng.below(5) {
            let mut key = json!({"frame": rng.below(8) as f64 / 2.0});
            if rng.chance(70) {
                let size = if rng.chance(5) { 1e12 } else { 1.0 };
                key["pos"] = vector(rng, size);
            }
            if rng.chance(60) {
                key["rot"] = vector(rng, 90.0);
            }
            if rng.chance(50) {
                key["rot_quat"] = if rng.chance(10) { json!([0, 0, 0, 0]) } else { quat(rng) };
            }
            if rng.chance(50) {
                key["scl"] = if rng.chance(20) { json!([0, -1, 1]) } else { json!([1, 1, 1]) };
            }
            if rng.chance(60) {
                key["interp"] =
                    json!(*rng.pick(&["BEZIER", "LINEAR", "CONSTANT", "STEP", "SPLINE"]));
            }
            if rng.chance(20) {
                let handles = json!({"pos": [], "rot": [[[0, 1], [2, 3]], null, null]});
                key["handles"] = if rng.chance(30) { json!([1]) } else { handles };
            }
            keys.push(key);
        }
        let mut peg = json!({"name": name(rng), "keyframes": keys});
        if rng.chance(70) {
            peg["parent"] = json!(name(rng));
        }
        if rng.chance(40) {
            peg["path"] = json!(format!("Top/{}", name(rng)));
        }
        if rng.chance(40) {
            peg["rest_pivot"] = vector(rng, 1.0);
        }
        pegs.push(peg);
    }
    let mut take = json!({"format": "octo_anm", "version": 4, "pegs": pegs});
    if rng.chance(50) {
        take["fps"] = json!(*rng.pick(&[24.0, 0.0, -1.0, 23.976]));
    }
    if rng.chance(50) {
        take["frame_range"] = json!([rng.below(9), rng.below(9)]);
    }
    if rng.chance(50) {
        take["coordinate_system"] = canonical();
        if rng.chance(50) {
            take["coordinate_system"]["unit"] = json!(*rng.pick(&["cm", "feet", "ells"]));
            take["coordinate_system"]["up"] = json!(*rng.pick(&["y", "z", "q"]));
        }
    }
    if rng.chance(40) {
        take["cameras"] = json!([{"name": "c", "fov": rng.number()}, {"peg": name(rng)}]);
    }
    take
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn odd_takes_are_compared_all_the_same(seed in any::<u64>()) {
        let mut rng = Rng::new(seed);
        let [a, b] = [odd_take(&mut rng), odd_take(&mut rng)].map(|value| {
            let reading = posewright::format::read_take(value.to_string(), &mut Uids::default());
            reading.value.unwrap_or_else(|| panic!("{:?}", reading.problems))
        });
        let measured = |take| Side::Take { take, posed: Posed::Measured };
        for (x, y) in [(&a, &b), (&b, &a)] {
            let found = diff(&measured(x), &measured(y), &Tolerances::default()).unwrap();
            // Words for everything, whatever it is.
            prop_assert!(found.lines().iter().all(|line| !line.is_empty()));
        }
        let respelled = {
            let mut text = String::new();
            let mut rng = Rng::new(seed);
            respelled(&odd_take(&mut rng), &mut rng, &mut text);
            posewright::format::read_take(text, &mut Uids::default()).value.unwrap()
        };
        for other in [&a, &respelled] {
            let found = diff(&measured(&a), &measured(other), &Tolerances::default()).unwrap();
            prop_assert!(found.is_empty(), "{:?}", found.lines());
        }
    }
}

/// A torso with one arm and a hand of ten fingers, all along X; the shoulder turns by so much.
fn arm(turn_deg: f64) -> Value {
    let key = |frame: f64, deg: f64| {
        let (sin, cos) = (deg.to_radians() / 2.0).sin_cos();
        json!({"frame": frame, "pos": [0.5, 0, 0], "rot_quat": [cos, 0, 0, sin], "scl": [1, 1, 1],
               "interp": "LINEAR"})
    };
    let peg = |name: &str, parent: Value, deg: f64| {
        json!({"name": name, "parent": parent, "rest_pivot": [0.5, 0, 0],
               "keyframes": [key(1.0, 0.0), key(13.0, deg), key(25.0, 0.0)]})
    };
    let mut pegs = vec![
        peg("torso", Value::Null, 10.0),
        peg("shoulder", json!("torso"), turn_deg),
        peg("hand", json!("shoulder"), 5.0),
    ];
    pegs.extend((0..10).map(|at| peg(&format!("finger{at}"), json!("hand"), 3.0)));
    json!({"format": "octo_anm", "version": 4, "source": "maya", "frame_range": [1, 25],
           "fps": 24.0, "coordinate_system": canonical(), "pegs": pegs, "cameras": []})
}

#[test]
fn one_turned_shoulder_is_not_ten_moved_fingers() {
    let found = of_texts(&arm(20.0), &arm(32.4));
    assert_eq!(found.elements.len(), 1);
    assert_eq!(found.elements[0].words(), "shoulder: rotation changed by 12.4° (frame 13)");
    let poses = found.poses.as_ref().unwrap();
    let causes = poses.causes(&found.tolerances);
    assert_eq!(causes.iter().map(|joint| joint.name.as_str()).collect::<Vec<_>>(), ["shoulder"]);
    assert_eq!(poses.followers(&found.tolerances), 11);
    let far = poses.farthest.unwrap();
    assert_eq!(far.at, 13.0);
    assert!(poses.joints[far.joint].name.starts_with("finger"));
    let cause = far.cause.unwrap();
    assert_eq!(poses.joints[cause.joint].name, "shoulder");
    assert!((cause.degrees - 12.4).abs() < 1e-6 && cause.metres < 1e-9, "{cause:?}");
    // Two lengths of 0.5 m below the shoulder, seen over half the angle.
    let chord = (2.0 * (6.2_f64.to_radians()).sin()) * {
        // The hand is turned by 5° against the arm.
        let (sin, cos) = 5.0_f64.to_radians().sin_cos();
        ((0.5 + 0.5 * cos).powi(2) + (0.5 * sin).powi(2)).sqrt()
    };
    assert!((far.by - chord).abs() < 1e-9, "{} {chord}", far.by);
    assert_eq!(poses.moments.len(), 25);
    // At every frame the worst by itself is the shoulder.
    for moment in &poses.moments[1..24] {
        assert_eq!(poses.joints[moment.local_deg.joint].name, "shoulder", "{}", moment.at);
    }
    assert_eq!(
        found.summary(),
        format!("1 peg differs, worst {:.1} cm at frame 13 on finger0", chord * 100.0)
    );
    assert!(
        found.lines()[0].ends_with("at frame 13 on finger0, since shoulder is turned by 12.4°"),
        "{:?}",
        found.lines()
    );
    assert!(found.lines().iter().any(|l| l == "shoulder differs by itself; 11 joints only follow"));
}

#[test]
fn keys_that_were_shifted_retimed_and_spun_are_named_as_such() {
    let spin = |frames: [f64; 3], turns: f64| {
        let keys: Vec<Value> = frames
            .iter()
            .zip([0.0, 1.0, 2.0])
            .map(|(frame, n)| {
                json!({"frame": frame, "pos": [n, 0, 0], "rot": [0, 0, n * turns], "scl": [1, 1, 1]})
            })
            .collect();
        json!({"format": "octo_anm", "version": 4, "pegs": [{"name": "top", "keyframes": keys}]})
    };
    let found = of_texts(&spin([1.0, 11.0, 21.0], 30.0), &spin([11.0, 21.0, 31.0], 30.0));
    assert_eq!(found.elements[0].words(), "top: 3 keys moved by 10 frames later");
    let found = of_texts(&spin([1.0, 11.0, 21.0], 30.0), &spin([1.0, 13.0, 26.0], 30.0));
    assert_eq!(found.elements[0].words(), "top: 2 keys moved by up to 5 frames");
    // 0 → 360 → 720 and 0 → 0 → 0 are the same rotations, and not the same turns.
    let found = of_texts(&spin([1.0, 11.0, 21.0], 0.0), &spin([1.0, 11.0, 21.0], 360.0));
    let words = found.elements[0].words();
    assert_eq!(words, "top: the same rotation by angles that differ by up to 720.0° (frame 21)");
}

#[test]
fn units_and_axes_of_the_header_do_not_make_values_differ() {
    let metres = arm(20.0);
    let mut centimetres = metres.clone();
    centimetres["coordinate_system"]["unit"] = json!("cm");
    for peg in centimetres["pegs"].as_array_mut().unwrap() {
        peg["rest_pivot"][0] = json!(50.0);
        for key in peg["keyframes"].as_array_mut().unwrap() {
            key["pos"][0] = json!(50.0);
        }
    }
    let found = of_texts(&metres, &centimetres);
    assert_eq!(
        tags(&found),
        ["coordinate_system.unit Some(\"meters\") Some(\"centimeters\")".to_owned()]
    );
    assert!(!found.poses.unwrap().is_beyond(&found.tolerances));
    let mut long = metres.clone();
    long["coordinate_system"]["unit"] = json!("M");
    assert!(of_texts(&metres, &long).is_empty());
}

#[test]
fn skeletons_are_compared_as_they_rest() {
    let bones = |scale: f64, space: &str, hand: f64| {
        json!({"name": "hero", "scale_factor": scale, "pivot_space": space, "bones": [
            {"name": "hip", "pivot": [0, scale, 0]},
            {"name": "hand", "parent": "hip", "pivot": [hand * scale, if space == "local" { 0.0 } else { scale }, 0]},
        ]})
    };
    let side = |a: &Value, b: &Value| {
        let (a, b) = (skeleton(a.clone()), skeleton(b.clone()));
        diff(&Side::Skeleton(&a), &Side::Skeleton(&b), &Tolerances::default()).unwrap()
    };
    let found = side(&bones(1.0, "local", 0.5), &bones(2.0, "armature", 0.5));
    assert_eq!(found.elements, [], "{:?}", found.lines());
    assert_eq!(found.header.len(), 2);
    let found = side(&bones(1.0, "local", 0.5), &bones(1.0, "local", 0.75));
    assert_eq!(tags(&found), ["hand: rest 0.25 0 0"]);
    assert_eq!(found.summary(), "1 bone differs, worst 25.0 cm on hand");
}

const RIG: &str = "name: Arm\nnodes:\n  - id: torso\n    kind: joint\n    position: [0.5, 0, 0]\n\
    \x20 - id: hand\n    kind: joint\n    parent: torso\n    position: [0.5, 0, 0]\n";

fn clip_of(deg: f64) -> String {
    format!(
        "binding: arm.rig\nmodel: Arm\nduration: 1\nloop: false\ntracks:\n  - part: hand\n    \
         property: rotation\n    interpolation: linear\n    keys:\n      - time: 0\n        \
         value: [0, 0, 0]\n      - time: 1\n        value: [0, 0, {}]\n",
        deg.to_radians()
    )
}

fn take_of(deg: f64) -> Take {
    let (sin, cos) = (deg.to_radians() / 2.0).sin_cos();
    let key = |frame: f64, w: f64, z: f64| {
        json!({"frame": frame, "pos": [0.5, 0, 0], "rot_quat": [w, 0, 0, z], "scl": [1, 1, 1],
               "interp": "LINEAR"})
    };
    let value = json!({"format": "octo_anm", "version": 4, "source": "maya",
    "frame_range": [1, 25], "fps": 24.0, "coordinate_system": canonical(), "cameras": [],
    "pegs": [
        {"name": "torso", "rest_pivot": [0.5, 0, 0], "keyframes": [key(1.0, 1.0, 0.0)]},
        {"name": "hand", "parent": "torso", "rest_pivot": [0.5, 0, 0],
         "keyframes": [key(1.0, 1.0, 0.0), key(25.0, cos, sin)]},
    ]});
    read(&value.to_string())
}

#[test]
fn a_take_and_the_clip_made_of_it_are_compared_by_their_poses() {
    let rig = parse_rig(RIG);
    let clip = parse_clip(&clip_of(40.0));
    let side = Side::Clip { clip: &clip, rig: Some(&rig) };
    let take = take_of(40.0);
    let found = diff(&local(&take), &side, &Tolerances::CONVERTED).unwrap();
    assert!(found.is_empty(), "{:?}", found.lines());
    let take = take_of(45.0);
    for (a, b) in [(local(&take), side), (side, local(&take))] {
        let found = diff(&a, &b, &Tolerances::CONVERTED).unwrap();
        assert!(!found.is_empty());
        assert_eq!(found.elements, []);
        assert_eq!(found.summary(), "the poses differ, worst 5.0° at frame 25 on hand");
    }
    // Another rest, another length.
    let moved = parse_rig(
        &RIG.replace("parent: torso\n    position: [0.5", "parent: torso\n    position: [0.75"),
    );
    let longer = parse_clip(&clip_of(40.0).replace("duration: 1", "duration: 2"));
    let side = Side::Clip { clip: &longer, rig: Some(&moved) };
    let take = take_of(40.0);
    let found = diff(&local(&take), &side, &Tolerances::CONVERTED).unwrap();
    assert_eq!(tags(&found), ["duration Some(\"1\") Some(\"2\")", "hand: rest 0.25 0 0"]);
}

/// An export holds the scale of a rest in its keys; it has no other place for it (A56).
#[test]
fn the_scale_of_a_rest_is_compared_by_poses_alone() {
    let rig =
        parse_rig(&RIG.replace("parent: torso\n", "parent: torso\n    scale: [1.5, 1.5, 1.5]\n"));
    assert!(rig.nodes.iter().any(|node| node.scale != glam::DVec3::ONE), "the rig is scaled");
    let clip = parse_clip(&clip_of(40.0));
    let side = Side::Clip { clip: &clip, rig: Some(&rig) };
    let take = take_of(40.0);
    let found = diff(&local(&take), &side, &Tolerances::CONVERTED).unwrap();
    assert_eq!(found.elements, [], "no rest is said to differ");
}

#[test]
fn clips_on_their_rigs_say_what_of_both_differs() {
    let (rig, clip) = (parse_rig(RIG), parse_clip(&clip_of(40.0)));
    let renamed = parse_rig(&RIG.replace("id: hand", "id: paw"));
    let other = parse_clip(&clip_of(50.0).replace("part: hand", "part: paw"));
    let (a, b) = (
        Side::Clip { clip: &clip, rig: Some(&rig) },
        Side::Clip { clip: &other, rig: Some(&renamed) },
    );
    let found = diff(&a, &b, &Tolerances::default()).unwrap();
    assert_eq!(tags(&found), ["hand.rotation: key value 1 10", "hand: renamed hand paw"]);
    let poses = found.poses.unwrap();
    assert_eq!(poses.joints.len(), 2);
    assert!((poses.most_turned.unwrap().by - 10.0).abs() < 1e-9);
    assert!(found.elements.iter().any(|element| element.what == What::Node));
}

#[test]
fn documents_of_other_kinds_and_work_that_nobody_wants() {
    let rig = parse_rig(RIG);
    let take = take_of(1.0);
    let error = diff(&local(&take), &Side::Rig(&rig), &Tolerances::default());
    assert_eq!(error, Err(DiffError::Kinds("a take (.anm)", "a rig")));
    let progress = Progress::new();
    progress.cancel();
    let found =
        diff_watched(&local(&take), &local(&take_of(2.0)), &Tolerances::default(), &progress);
    assert_eq!(found, Err(DiffError::Cancelled));
    let progress = Progress::new();
    diff_watched(&local(&take), &local(&take), &Tolerances::default(), &progress).unwrap();
    assert_eq!(progress.fraction(), 1.0);
}

#[test]
fn a_space_that_nobody_knows_is_not_guessed() {
    // One peg without a parent tells nothing; with a rest that is not 0 the readings differ.
    let take = |x: f64| {
        let keys = json!([{"frame": 1, "pos": [x, 0, 0], "rot": [0, 0, 0]}]);
        read(
            &json!({"format": "octo_anm", "version": 4, "coordinate_system": canonical(),
            "pegs": [{"name": "a", "rest_pivot": [1, 0, 0], "keyframes": keys}]})
            .to_string(),
        )
    };
    let (a, b) = (take(0.0), take(2.0));
    let measured = |take| Side::Take { take, posed: Posed::Measured };
    let found = diff(&measured(&a), &measured(&b), &Tolerances::default()).unwrap();
    assert_eq!(tags(&found), ["a: key value 0 2"]);
    assert!(found.poses.is_none());
    assert!(found.notes[0].contains("undecided"), "{:?}", found.notes);
    // The other one's tells.
    let known = Side::Take { take: &b, posed: Posed::In(Space::Delta) };
    let found = diff(&measured(&a), &known, &Tolerances::default()).unwrap();
    assert_eq!(found.poses.unwrap().farthest.unwrap().by, 2.0);
    assert!(found.notes[0].contains("taken as delta"), "{:?}", found.notes);
}
