//! Anchors and aliases in known fields and around edits (M30): editing through an alias writes
//! there only, and no edit leaves an alias without its value.
#![allow(clippy::unwrap_used)] // A failed unwrap is a failed test.

use posewright::format::{read_clip, strict, write_clip};
use posewright::model::{Clip, Uids};
use posewright::source::{Fragment, Source};
use std::sync::Arc;

fn load(text: &str) -> Clip {
    let source = Source::parse_yaml(text.to_owned()).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    strict(read_clip(&Arc::new(source), &mut Uids::default()))
        .unwrap_or_else(|e| panic!("{e:?}\n{text}"))
}

fn values(clip: &Clip) -> String {
    clip.tracks
        .iter()
        .map(|t| {
            let keys: Vec<_> = t.keys.iter().map(|k| (k.time, k.value)).collect();
            format!("{} {:?} {:?} {keys:?}\n", t.part, t.property, t.curve)
        })
        .collect()
}

/// Unknown fields with aliases resolved. (The second reader loses count where one name is anchored
/// three times, which YAML allows.)
fn notes(text: &str) -> Vec<Option<String>> {
    let source = Source::parse_yaml(text.to_owned()).unwrap();
    let tracks = source.get(source.root(), "tracks").unwrap();
    let note =
        |track, key| source.get(track, key).map(|node| Fragment::of(&source, node, false).flow());
    source.items(tracks).flat_map(|track| [note(track, "note"), note(track, "note2")]).collect()
}

const HEAD: &str = "binding: a.rig\nmodel: R\nduration: 4\nloop: false\ntracks:\n";

fn shared_list() -> String {
    format!(
        "{HEAD}  - part: a\n    property: position\n    interpolation: linear\n    keys: &k\n      - time: 0\n        value: &v [1, 2, 3]\n      - {{time: 1, value: *v}}\n  - part: b\n    property: position\n    interpolation: linear\n    keys: *k\n"
    )
}

/// Writes, checks that the text reads back as the clip, and gives the text.
fn written(clip: &Clip) -> String {
    let text = write_clip(clip);
    assert_eq!(values(&load(&text)), values(clip), "{text}");
    text
}

#[test]
fn aliases_of_known_fields_are_read_through() {
    let clip = load(&shared_list());
    assert_eq!(clip.tracks[0].keys[1].value, clip.tracks[0].keys[0].value);
    assert_eq!(clip.tracks[1].keys.len(), 2);
    assert_eq!(written(&clip), shared_list());
}

#[test]
fn an_edit_through_an_alias_writes_there_only() {
    let mut clip = load(&shared_list());
    Arc::make_mut(&mut clip.tracks[0]).keys[1].value.x = 9.0;
    let text = written(&clip);
    assert!(text.contains("value: &v [1, 2, 3]"), "{text}");

    // A key of the list that is an alias: the whole list is written there.
    let mut clip = load(&shared_list());
    Arc::make_mut(&mut clip.tracks[1]).keys[0].value.x = 9.0;
    let text = written(&clip);
    assert!(text.starts_with(shared_list().split("    keys: *k").next().unwrap()), "{text}");
}

#[test]
fn an_edit_of_what_is_anchored_leaves_its_aliases_as_they_were() {
    let mut clip = load(&shared_list());
    Arc::make_mut(&mut clip.tracks[0]).keys[0].value.x = 9.0;
    let text = written(&clip);
    assert!(text.contains("value: [9, 2, 3]"), "{text}");

    let mut clip = load(&shared_list());
    Arc::make_mut(&mut clip.tracks[0]).keys.remove(0);
    written(&clip);

    let mut clip = load(&shared_list());
    clip.tracks.remove(0);
    written(&clip);

    let mut clip = load(&shared_list());
    clip.tracks.swap(0, 1);
    written(&clip);
}

#[test]
fn unknown_fields_keep_their_values_however_their_anchors_move() {
    let track = |part: &str, notes: &str| {
        format!(
            "  - part: {part}\n    property: scale\n{notes}    interpolation: step\n    keys: [{{time: 0, value: [1, 1, 1]}}]\n"
        )
    };
    let text = [
        HEAD.to_owned(),
        track("a", "    note: &n\n      - x: 1\n        y: |\n          two\n          lines\n    note2: &m {q: *n}\n"),
        track("b", "    note: *n\n    note2: *m\n"),
        track("c", "    note: [*n, *m]\n    note2: &n other\n"),
        track("d", "    note: *n\n"),
    ]
    .concat();
    let clip = load(&text);
    let before = notes(&text);
    let mut orders = vec![vec![0, 1, 2, 3]];
    for a in 0..4 {
        for b in 0..4 {
            let mut order: Vec<usize> = (0..4).collect();
            order.swap(a, b);
            orders.push(order.clone());
            order.remove(0);
            orders.push(order);
        }
    }
    for order in orders {
        let mut edited = clip.clone();
        edited.tracks = order.iter().map(|i| clip.tracks[*i].clone()).collect();
        let text = written(&edited);
        let expected: Vec<_> =
            order.iter().flat_map(|i| [before[2 * i].clone(), before[2 * i + 1].clone()]).collect();
        assert_eq!(notes(&text), expected, "{order:?}\n{text}");
    }
}

#[test]
fn items_that_are_aliases_stay_aliases_until_they_differ() {
    let text = format!(
        "{HEAD}  - part: a\n    property: position\n    interpolation: linear\n    keys:\n      - &k {{time: 0, value: [1, 2, 3], x: 1}}\n  - part: b\n    property: position\n    interpolation: linear\n    keys:\n      - *k\n      - {{time: 2, value: [0, 0, 0]}}\n"
    );
    let mut clip = load(&text);
    assert_eq!(written(&clip), text);
    Arc::make_mut(&mut clip.tracks[1]).keys[1].value.x = 5.0;
    assert!(written(&clip).contains("- *k\n"));
    Arc::make_mut(&mut clip.tracks[1]).keys[0].time = 1.0;
    let now = written(&clip);
    assert!(now.contains("- &k {time: 0, value: [1, 2, 3], x: 1}"), "{now}");
    assert!(now.contains("{time: 1, value: [1, 2, 3], x: 1}"), "{now}");
}
