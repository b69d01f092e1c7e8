//! Writing touches only what was edited (M30), for random documents in many styles and random
//! edits.
#![allow(clippy::unwrap_used)] // A failed unwrap is a failed test.

mod common;

use common::{Rng, clip_text, rig_text};
use glam::DVec3;
use posewright::format::{read_clip, read_rig, strict, write_clip, write_rig};
use posewright::model::{
    Clip, Interpolation, Key, Node, NodeKind, Origin, Property, Rig, Track, Uids,
};
use posewright::source::Source;
use std::collections::BTreeMap;
use std::sync::Arc;

fn cases() -> u64 {
    std::env::var("POSEWRIGHT_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(3000)
}

fn load_clip(text: &str) -> (Clip, Uids) {
    let source = Source::parse_yaml(text.to_owned()).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    let mut uids = Uids::default();
    let clip = strict(read_clip(&Arc::new(source), &mut uids));
    (clip.unwrap_or_else(|e| panic!("{e:?}\n{text}")), uids)
}

fn load_rig(text: &str) -> (Rig, Uids) {
    let source = Source::parse_yaml(text.to_owned()).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    let mut uids = Uids::default();
    let rig = strict(read_rig(&Arc::new(source), &mut uids));
    (rig.unwrap_or_else(|e| panic!("{e:?}\n{text}")), uids)
}

/// All that the format knows of a clip, without identities and origins.
fn clip_values(clip: &Clip) -> String {
    let mut out = format!(
        "{:?} {:?} {} {} {}\n",
        clip.kind, clip.binding, clip.model, clip.duration_secs, clip.looping
    );
    for t in &clip.tracks {
        let keys: Vec<_> = t.keys.iter().map(|k| (k.time, k.value + DVec3::ZERO)).collect();
        out +=
            &format!("{} {:?} {:?} {:?} {keys:?}\n", t.part, t.property, t.interpolation, t.curve);
    }
    out
}

fn rig_values(rig: &Rig) -> String {
    let mut out = format!("{}\n", rig.name);
    for n in &rig.nodes {
        out += &format!(
            "{} {:?} {:?} {:?} {:?} {} {} {}\n",
            n.id, n.name, n.kind, n.parent, n.model, n.position, n.rotation, n.scale
        );
    }
    out
}

fn yaml(text: &str) -> serde_yaml::Value {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    serde_yaml::from_str(text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// The unknown fields of a mapping, as the second reader sees them.
fn unknown(value: &serde_yaml::Value) -> BTreeMap<String, serde_yaml::Value> {
    let fields = value.as_mapping().unwrap().iter();
    fields
        .map(|(k, v)| (k.as_str().unwrap().to_owned(), v.clone()))
        .filter(|(k, _)| k.starts_with("x_"))
        .collect()
}

/// The place of an element's origin among the items of its text, as a path of indices.
fn place_of(origin: &Option<Origin>, lists: &[&str]) -> Option<(Arc<Source>, Vec<usize>, bool)> {
    let o = origin.as_ref()?;
    let root = o.source.root();
    let list = o.source.get(root, lists[0])?;
    for (i, item) in o.source.items(list).enumerate() {
        if item == o.node {
            return Some((o.source.clone(), vec![i], o.with_comments));
        }
        let Some(key) = lists.get(1) else { continue };
        let Some(inner) = o.source.get(o.source.resolve(item), key) else { continue };
        if let Some(j) = o.source.items(inner).position(|n| n == o.node) {
            return Some((o.source.clone(), vec![i, j], o.with_comments));
        }
    }
    None
}

fn at_place<'v>(
    value: &'v serde_yaml::Value,
    lists: &[&str],
    place: &[usize],
) -> &'v serde_yaml::Value {
    let mut at = value;
    for (list, index) in lists.iter().zip(place) {
        at = &at[*list][*index];
    }
    at
}

/// Comment lines directly above an element's line, and its own lines.
fn lines_of(source: &Source, node: posewright::source::NodeId) -> (Vec<String>, String) {
    let text = source.text();
    let span = source.full_span(node);
    let mut start = text[..span.start].rfind('\n').map_or(0, |i| i + 1);
    let mut above = Vec::new();
    while start > 0 {
        let before = text[..start - 1].rfind('\n').map_or(0, |i| i + 1);
        let line = text[before..start].trim();
        if !line.starts_with("# above") {
            break;
        }
        above.push(line.to_owned());
        start = before;
    }
    (above, text[span].to_owned())
}

/// What must hold of any written text, whatever was edited.
fn check_clip(before: &str, edited: &Clip, context: &str) -> String {
    let written = write_clip(edited);
    let (again, _) = load_clip_or(&written, before, context);
    assert_eq!(
        clip_values(edited),
        clip_values(&again),
        "{context}\n--- before\n{before}\n--- written\n{written}"
    );
    // The second reader finds the same keys, and every unknown field where its element is now.
    let new = yaml(&written);
    for (t, track) in edited.tracks.iter().enumerate() {
        check_unknown(&new["tracks"][t], &track.origin, &["tracks"], before, &written, context);
        for (k, key) in track.keys.iter().enumerate() {
            let value = &new["tracks"][t]["keys"][k];
            assert_eq!(value["time"].as_f64(), Some(key.time), "{context}\n{written}");
            check_unknown(value, &key.origin, &["tracks", "keys"], before, &written, context);
        }
    }
    written
}

fn load_clip_or(written: &str, before: &str, context: &str) -> (Clip, Uids) {
    let source = Source::parse_yaml(written.to_owned()).unwrap_or_else(|e| {
        panic!("{context}: {e:?}\n--- before\n{before}\n--- written\n{written}")
    });
    let mut uids = Uids::default();
    let clip = strict(read_clip(&Arc::new(source), &mut uids)).unwrap_or_else(|e| {
        panic!("{context}: {e:?}\n--- before\n{before}\n--- written\n{written}")
    });
    (clip, uids)
}

fn check_unknown(
    value: &serde_yaml::Value,
    origin: &Option<Origin>,
    lists: &[&str],
    before: &str,
    written: &str,
    context: &str,
) {
    let Some((source, place, _)) = place_of(origin, lists) else { return };
    let old = yaml(source.text());
    assert_eq!(
        unknown(at_place(&old, lists, &place)),
        unknown(value),
        "{context}: unknown fields\n--- before\n{before}\n--- written\n{written}"
    );
}

fn comments_in(text: &str) -> Vec<String> {
    // The generator numbers its comments; block scalars hold no such text.
    let mut found: Vec<String> = text
        .match_indices("# ")
        .map(|(i, _)| &text[i..])
        .filter(|c| {
            c.starts_with("# above") || c.starts_with("# beside") || c.starts_with("# start")
        })
        .map(|c| c.lines().next().unwrap().trim_end().to_owned())
        .collect();
    found.sort();
    found
}

/// Comments with a blank line below them, or below those directly under them: they belong to
/// nothing that stands there.
fn comments_apart(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let mut apart = Vec::new();
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| line.starts_with("# above")) {
        let below = lines[at..].iter().find(|line| !line.starts_with("# above"));
        if below.is_none_or(|line| line.is_empty() || line.starts_with(']')) {
            apart.push((*line).to_owned());
        }
    }
    apart
}

#[test]
fn unedited_documents_keep_every_byte() {
    for seed in 0..cases() {
        let text = clip_text(&mut Rng::new(seed));
        assert_eq!(write_clip(&load_clip(&text).0), text, "seed {seed}");
        let text = rig_text(&mut Rng::new(seed));
        assert_eq!(write_rig(&load_rig(&text).0), text, "seed {seed}");
    }
}

#[test]
fn one_value_changes_one_place() {
    for seed in 0..cases() {
        let rng = &mut Rng::new(seed);
        let text = clip_text(rng);
        let (mut clip, _) = load_clip(&text);
        let t = rng.below(clip.tracks.len());
        let track = Arc::make_mut(&mut clip.tracks[t]);
        let k = rng.below(track.keys.len());
        track.keys[k].value[rng.below(3)] = 77.125;
        let origin = track.keys[k].origin.clone().unwrap();
        let written = check_clip(&text, &clip, &format!("seed {seed}"));
        let span = origin.source.full_span(origin.node);
        assert!(written.starts_with(&text[..span.start]), "seed {seed}\n{text}\n{written}");
        assert!(written.ends_with(&text[span.end..]), "seed {seed}\n{text}\n{written}");
        assert!(written.contains("77.125"));
        assert_eq!(comments_in(&written), comments_in(&text), "seed {seed}\n{text}\n{written}");
    }
}

/// A random change of a clip; says what it did. Comments that go are those of deleted elements.
fn edit_clip(rng: &mut Rng, clip: &mut Clip, uids: &mut Uids, other: &Clip) -> String {
    let t = rng.below(clip.tracks.len());
    let free = |clip: &Clip, part: &str, property| {
        !clip.tracks.iter().any(|t| t.part == part && t.property == property)
    };
    match rng.below(13) {
        0 => {
            let track = Arc::make_mut(&mut clip.tracks[t]);
            let k = rng.below(track.keys.len());
            track.keys[k].value = DVec3::new(1.5, 2.0, 0.125);
            format!("value of track {t} key {k}")
        }
        1 => {
            let track = Arc::make_mut(&mut clip.tracks[t]);
            let k = rng.below(track.keys.len());
            let low = if k == 0 { 0.0 } else { track.keys[k - 1].time };
            let high = track.keys.get(k + 1).map_or(9.995, |k| k.time);
            track.keys[k].time = (low + high) / 2.0;
            format!("time of track {t} key {k}")
        }
        2 => {
            let track = Arc::make_mut(&mut clip.tracks[t]);
            let k = rng.below(track.keys.len() + 1);
            let low = if k == 0 { 0.0 } else { track.keys[k - 1].time };
            let high = track.keys.get(k).map_or(9.995, |k| k.time);
            let value = DVec3::new(0.1, 0.2, 3.0);
            let time = (low + high) / 2.0;
            track.keys.insert(k, Key { uid: uids.fresh(), time, value, origin: None });
            format!("insert into track {t} key {k}")
        }
        3 if clip.tracks[t].keys.len() > 1 => {
            let track = Arc::make_mut(&mut clip.tracks[t]);
            let k = rng.below(track.keys.len());
            track.keys.remove(k);
            format!("delete track {t} key {k}")
        }
        4 if clip.tracks.len() > 1 => {
            clip.tracks.remove(t);
            format!("delete track {t}")
        }
        5 => {
            let track = clip.tracks.remove(t);
            let to = rng.below(clip.tracks.len() + 1);
            clip.tracks.insert(to, track);
            format!("move track {t} to {to}")
        }
        6 => {
            let mut track = (*clip.tracks[t]).clone();
            track.part = format!("copy{}", uids.fresh().0);
            track.uid = uids.fresh();
            track.origin.iter_mut().for_each(|o| o.with_comments = false);
            for key in &mut track.keys {
                key.uid = uids.fresh();
                key.origin.iter_mut().for_each(|o| o.with_comments = false);
            }
            let to = rng.below(clip.tracks.len() + 1);
            clip.tracks.insert(to, Arc::new(track));
            format!("duplicate track {t} to {to}")
        }
        7 => {
            let track = Arc::make_mut(&mut clip.tracks[t]);
            track.part = (*rng
                .pick(&["007", "a: b", "null", "hand", "1e3", "it's", "x#y", "~", "Ünï"]))
            .to_owned();
            track.part += &uids.fresh().0.to_string();
            format!("retarget track {t}")
        }
        8 => {
            let track = Arc::make_mut(&mut clip.tracks[t]);
            track.interpolation = *rng.pick(&Interpolation::ALL);
            track.curve = *rng.pick(&[None, Some([0.0, 0.5, 0.25, 1.0])]);
            format!("easing of track {t}")
        }
        9 => {
            // A key moves to another track: with its comments.
            let from = rng.below(clip.tracks.len());
            if clip.tracks[from].keys.len() < 2 || from == t {
                return String::new();
            }
            let key = Arc::make_mut(&mut clip.tracks[from]).keys.pop().unwrap();
            let track = Arc::make_mut(&mut clip.tracks[t]);
            let at = track.keys.iter().position(|k| k.time >= key.time).unwrap_or(track.keys.len());
            if track.keys.get(at).is_some_and(|k| k.time == key.time) {
                track.keys[at] = key;
            } else {
                track.keys.insert(at, key);
            }
            format!("key of {from} to {t}")
        }
        10 => {
            // A track of another document: cut there, so that its comments come along.
            let mut track = (*other.tracks[rng.below(other.tracks.len())]).clone();
            track.part = format!("pasted{}", uids.fresh().0);
            track.uid = uids.fresh();
            track.keys.iter_mut().for_each(|k| k.uid = uids.fresh());
            let to = rng.below(clip.tracks.len() + 1);
            clip.tracks.insert(to, Arc::new(track));
            format!("paste a track to {to}")
        }
        11 => {
            // Keys of another document, without comments.
            let from = &other.tracks[rng.below(other.tracks.len())];
            let track = Arc::make_mut(&mut clip.tracks[t]);
            let mut at = track.keys.last().unwrap().time;
            for key in &from.keys {
                let mut key = key.clone();
                at += (9.99 - at) / 2.0;
                key.time = at;
                key.uid = uids.fresh();
                let comments = rng.chance(50);
                key.origin.iter_mut().for_each(|o| o.with_comments = comments);
                track.keys.push(key);
            }
            format!("paste keys into {t}")
        }
        _ => {
            let part = "fresh".to_owned();
            if !free(clip, &part, Property::Scale) {
                clip.duration_secs = 20.5;
                clip.looping = !clip.looping;
                clip.model = "Other model: x".to_owned();
                return "clip fields".to_owned();
            }
            let key = |time| Key { uid: uids.fresh(), time, value: DVec3::ONE, origin: None };
            let keys = [0.5, 1.0].map(key).to_vec();
            let track = Track {
                uid: uids.fresh(),
                part,
                property: Property::Scale,
                interpolation: Interpolation::Bezier,
                curve: Some([0.0, 0.0, 1.0, 1.0]),
                keys,
                origin: None,
            };
            let to = rng.below(clip.tracks.len() + 1);
            clip.tracks.insert(to, Arc::new(track));
            format!("new track at {to}")
        }
    }
}

#[test]
fn edited_clips_read_back_as_they_are() {
    for seed in 0..cases() * 2 {
        let rng = &mut Rng::new(seed);
        let text = clip_text(rng);
        let (other, _) = load_clip(&clip_text(rng));
        let (mut clip, mut uids) = load_clip(&text);
        let mut done = Vec::new();
        for _ in 0..1 + rng.below(4) {
            done.push(edit_clip(rng, &mut clip, &mut uids, &other));
        }
        let context = format!("seed {seed}: {done:?}");
        let written = check_clip(&text, &clip, &context);
        // Elements that stayed where they were keep their bytes and the comments above them.
        let (original, _) = load_clip(&text);
        let source = &original.origin.as_ref().unwrap().source;
        let (again, _) = load_clip(&written);
        for (index, track) in clip.tracks.iter().enumerate() {
            let Some(same) = original.tracks.iter().find(|t| t.uid == track.uid) else { continue };
            let node = same.origin.as_ref().unwrap().node;
            let (above, body) = lines_of(source, node);
            let now = again.tracks[index].origin.as_ref().unwrap();
            let (above_now, body_now) = lines_of(&now.source, now.node);
            if format!("{same:?}") == format!("{track:?}") && !text.contains('&') {
                assert_eq!(body, body_now, "{context}\n--- before\n{text}\n--- written\n{written}");
            }
            assert_eq!(above, above_now, "{context}\n--- before\n{text}\n--- written\n{written}");
        }
        // What stood apart does not come to stand above anything.
        let (now, apart) = (comments_in(&written), comments_apart(&written));
        // What is pasted has comments of the same words.
        let pasted = done.iter().any(|d| d.starts_with("paste"));
        for comment in comments_apart(&text).into_iter().filter(|_| !pasted) {
            assert!(
                apart.contains(&comment) || now.iter().filter(|c| **c == comment).count() != 1,
                "{context}: {comment}\n--- before\n{text}\n--- written\n{written}"
            );
        }
        // Edits that delete nothing lose no comment.
        let deletes = done
            .iter()
            .any(|d| d.starts_with("delete") || d.starts_with("key of") || d.starts_with("easing"));
        if !deletes {
            let now = comments_in(&written);
            for comment in comments_in(&text) {
                assert!(
                    now.contains(&comment),
                    "{context}: {comment}\n--- before\n{text}\n--- written\n{written}"
                );
            }
        }
        // And writing again from there changes nothing.
        assert_eq!(write_clip(&again), written);
    }
}

fn edit_rig(rng: &mut Rng, rig: &mut Rig, uids: &mut Uids, other: &Rig) -> String {
    let n = rng.below(rig.nodes.len());
    match rng.below(9) {
        0 => {
            let node = Arc::make_mut(&mut rig.nodes[n]);
            node.position = DVec3::new(0.0, 1.0, 0.0);
            node.scale[rng.below(3)] = 2.5;
            format!("rest of {n}")
        }
        1 => {
            let old = rig.nodes[n].id.clone();
            let new = format!("renamed {}", uids.fresh().0);
            for node in &mut rig.nodes {
                if node.id == old {
                    Arc::make_mut(node).id = new.clone();
                }
                if node.parent.as_ref() == Some(&old) {
                    Arc::make_mut(node).parent = Some(new.clone());
                }
            }
            format!("rename {n}")
        }
        2 => {
            let node = Arc::make_mut(&mut rig.nodes[n]);
            node.parent = None;
            node.name = rng.chance(50).then(|| "Näme: \"x\"".to_owned());
            node.model = Some("gun".to_owned());
            format!("fields of {n}")
        }
        3 if rig.nodes.len() > 1 => {
            let gone = rig.nodes.remove(n);
            for node in &mut rig.nodes {
                if node.parent.as_ref() == Some(&gone.id) {
                    Arc::make_mut(node).parent = gone.parent.clone();
                }
            }
            format!("delete {n}")
        }
        4 => {
            let node = rig.nodes.remove(n);
            let to = rng.below(rig.nodes.len() + 1);
            rig.nodes.insert(to, node);
            format!("move {n} to {to}")
        }
        5 => {
            let mut node = (*rig.nodes[n]).clone();
            node.uid = uids.fresh();
            node.id = format!("copy{}", node.uid.0);
            node.origin.iter_mut().for_each(|o| o.with_comments = false);
            rig.nodes.insert(n + 1, Arc::new(node));
            format!("duplicate {n}")
        }
        6 => {
            let mut node = (*other.nodes[rng.below(other.nodes.len())]).clone();
            node.uid = uids.fresh();
            node.id = format!("pasted{}", node.uid.0);
            node.parent = Some(rig.nodes[n].id.clone());
            rig.nodes.insert(rng.below(rig.nodes.len() + 1), Arc::new(node));
            "paste".to_owned()
        }
        7 => {
            rig.name = "A: name".to_owned();
            "name".to_owned()
        }
        _ => {
            let uid = uids.fresh();
            let node = Node {
                uid,
                id: format!("new{}", uid.0),
                name: None,
                kind: NodeKind::Attachment,
                parent: Some(rig.nodes[n].id.clone()),
                model: Some("gun".to_owned()),
                position: DVec3::new(0.5, 0.0, 0.0),
                rotation: DVec3::ZERO,
                scale: DVec3::ONE,
                origin: None,
            };
            rig.nodes.insert(rng.below(rig.nodes.len() + 1), Arc::new(node));
            "new".to_owned()
        }
    }
}

#[test]
fn edited_rigs_read_back_as_they_are() {
    for seed in 0..cases() * 2 {
        let rng = &mut Rng::new(seed);
        let text = rig_text(rng);
        let (other, _) = load_rig(&rig_text(rng));
        let (mut rig, mut uids) = load_rig(&text);
        let mut done = Vec::new();
        for _ in 0..1 + rng.below(4) {
            done.push(edit_rig(rng, &mut rig, &mut uids, &other));
        }
        let context = format!("seed {seed}: {done:?}\n--- before\n{text}");
        let written = write_rig(&rig);
        let source = Source::parse_yaml(written.clone())
            .unwrap_or_else(|e| panic!("{context}\n--- written {e:?}\n{written}"));
        let again = strict(read_rig(&Arc::new(source), &mut Uids::default()))
            .unwrap_or_else(|e| panic!("{context}\n--- written {e:?}\n{written}"));
        assert_eq!(rig_values(&rig), rig_values(&again), "{context}\n--- written\n{written}");
        let new = yaml(&written);
        for (n, node) in rig.nodes.iter().enumerate() {
            check_unknown(&new["nodes"][n], &node.origin, &["nodes"], &text, &written, &context);
        }
        assert_eq!(write_rig(&again), written);
    }
}
