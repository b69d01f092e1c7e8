//! `posewright edit` with several operations: each sees what those before it made, and only the end
//! must load.
#![allow(clippy::unwrap_used)] // A failed unwrap is a failed test.

mod program;

use program::edit;

const CLIP: &str = "\
binding: gone.rig
model: R
duration: 4
loop: false
tracks:
  - part: n
    property: position
    interpolation: linear
    keys:
      # first
      - time: 0
        value: [0, 0, 0]
      - time: 1
        value: [1, 0, 0]
        tag: x
      - {time: 2, value: [2, 0, 0]} # two
      - time: 3
        value: [3, 0, 0]
  - part: m
    property: scale
    interpolation: step
    keys: [{time: 0, value: [1, 1, 1]}]
";

/// The first track's keys as (time, x).
fn keys(text: &str) -> Vec<(f64, f64)> {
    let all: serde_yaml::Value = serde_yaml::from_str(text).unwrap();
    let keys = all["tracks"][0]["keys"].as_sequence().unwrap().clone();
    let number = |value: &serde_yaml::Value| value.as_f64().unwrap();
    keys.iter().map(|key| (number(&key["time"]), number(&key["value"][0]))).collect()
}

#[test]
fn keys_go_to_their_places_whatever_the_state_on_the_way() {
    type Case<'a> = (&'a [&'a str], &'a [(f64, f64)]);
    let cases: &[Case] = &[
        // A copy goes past a neighbour, before all, behind all.
        (
            &["--duplicate tracks[0].keys[1]", "--set tracks[0].keys[2].time=2.5"],
            &[(0.0, 0.0), (1.0, 1.0), (2.0, 2.0), (2.5, 1.0), (3.0, 3.0)],
        ),
        (
            &["--duplicate tracks[0].keys[2]", "--set tracks[0].keys[3].time=0.5"],
            &[(0.0, 0.0), (0.5, 2.0), (1.0, 1.0), (2.0, 2.0), (3.0, 3.0)],
        ),
        (
            &["--duplicate tracks[0].keys[0]", "--set tracks[0].keys[1].time=4"],
            &[(0.0, 0.0), (1.0, 1.0), (2.0, 2.0), (3.0, 3.0), (4.0, 0.0)],
        ),
        // The copy is the one behind, also where the first of the two is moved.
        (
            &["--duplicate tracks[0].keys[1]", "--set tracks[0].keys[1].time=2.5"],
            &[(0.0, 0.0), (1.0, 1.0), (2.0, 2.0), (2.5, 1.0), (3.0, 3.0)],
        ),
        // Two copies at once; the later indices are those after the earlier operations.
        (
            &[
                "--duplicate tracks[0].keys[1]",
                "--duplicate tracks[0].keys[3]",
                "--set tracks[0].keys[2].time=3.5",
                "--set tracks[0].keys[2].time=0.5",
            ],
            &[(0.0, 0.0), (0.5, 2.0), (1.0, 1.0), (2.0, 2.0), (3.0, 3.0), (3.5, 1.0)],
        ),
        // Behind the end, which then follows.
        (
            &["--set tracks[0].keys[0].time=9", "--set duration=9"],
            &[(1.0, 1.0), (2.0, 2.0), (3.0, 3.0), (9.0, 0.0)],
        ),
        (
            &["--set duration=2", "--delete tracks[0].keys[3]"],
            &[(0.0, 0.0), (1.0, 1.0), (2.0, 2.0)],
        ),
        // Onto another key, which then goes out of the way.
        (
            &["--set tracks[0].keys[0].time=1", "--set tracks[0].keys[1].time=2.5"],
            &[(1.0, 0.0), (2.0, 2.0), (2.5, 1.0), (3.0, 3.0)],
        ),
        // A value out of range or a scale of 0, which is then put right.
        (
            &[
                "--set tracks[0].keys[1].value=[2e6,0,0]",
                "--set tracks[0].keys[1].time=3.5",
                "--set tracks[0].keys[3].value[0]=7",
            ],
            &[(0.0, 0.0), (2.0, 2.0), (3.0, 3.0), (3.5, 7.0)],
        ),
        // While two tracks animate one thing.
        (
            &[
                "--duplicate tracks[0]",
                "--set tracks[0].keys[0].time=2.5",
                "--set tracks[1].part=k",
            ],
            &[(1.0, 1.0), (2.0, 2.0), (2.5, 0.0), (3.0, 3.0)],
        ),
    ];
    for (operations, wanted) in cases {
        let arguments: Vec<&str> =
            operations.iter().flat_map(|operation| operation.split(' ')).collect();
        let (code, now, said) = edit(CLIP, "a.motion", &arguments);
        assert_eq!(code, 0, "{operations:?}: {said}");
        assert_eq!(keys(&now), *wanted, "{operations:?}\n{now}");
        assert_eq!(now.matches("# two").count(), 1, "{now}");
        assert!(now.contains("# first\n      - time"), "{operations:?}\n{now}");
    }
}

#[test]
fn keys_that_were_in_no_order_are_mended_one_by_one() {
    let text = CLIP.replace("time: 1\n", "time: 3.25\n").replace("{time: 2,", "{time: 1.5,");
    let mend = ["--set", "tracks[0].keys[2].time=3.5", "--set", "tracks[0].keys[3].time=3.75"];
    let (code, now, said) = edit(&text, "a.motion", &mend);
    assert_eq!(code, 0, "{said}");
    assert_eq!(keys(&now), [(0.0, 0.0), (3.25, 1.0), (3.5, 2.0), (3.75, 3.0)]);
}

#[test]
fn every_script_gives_what_loads_or_nothing() {
    let times = ["0", "0.5", "1", "1.5", "2", "2.5", "3", "3.5", "4"];
    let mut state = 7_u64;
    let mut below = |n: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % n
    };
    let (mut done, mut refused) = (0, 0);
    for _ in 0..60 {
        let mut arguments: Vec<String> = Vec::new();
        let mut wanted = 4;
        for _ in 0..1 + below(4) {
            let at = below(wanted);
            if below(3) == 0 {
                arguments.extend(["--duplicate".into(), format!("tracks[0].keys[{at}]")]);
                wanted += 1;
            } else {
                let time = times[below(times.len())];
                arguments.extend(["--set".into(), format!("tracks[0].keys[{at}].time={time}")]);
            }
        }
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let (code, now, said) = edit(CLIP, "a.motion", &arguments);
        if code != 0 {
            // The only thing that these can break in the end: two keys at one time.
            assert!(said.contains("Key times must increase"), "{arguments:?}: {said}");
            assert_eq!(now, CLIP);
            refused += 1;
            continue;
        }
        done += 1;
        let keys = keys(&now);
        assert_eq!(keys.len(), wanted, "{arguments:?}\n{now}");
        assert!(keys.windows(2).all(|pair| pair[0].0 < pair[1].0), "{arguments:?}\n{now}");
    }
    assert!(done > 10 && refused > 5, "{done} done, {refused} refused");
}

const RIG: &str = "\
name: R
nodes:
  - {id: a, kind: joint}
  - {id: b, kind: joint, parent: a}
  - {id: c, kind: joint, parent: b}
  - {id: d, kind: joint}
";

#[test]
fn nodes_are_those_of_the_window_whatever_the_state_on_the_way() {
    // While a parent is missing: children still go along, and copies still get free ids.
    let (code, now, said) = edit(
        RIG,
        "a.rig",
        &["--set", "nodes[3].parent=zz", "--delete", "nodes[1]", "--set", "nodes[1].parent=a"],
    );
    assert_eq!((code, said.as_str()), (0, ""));
    assert_eq!(
        now,
        "name: R\nnodes:\n  - {id: a, kind: joint}\n  - {id: d, kind: joint, parent: a}\n"
    );
    let (code, now, said) = edit(
        RIG,
        "a.rig",
        &["--set", "nodes[3].scale=[0,1,1]", "--duplicate", "nodes[1]", "--delete", "nodes[5]"],
    );
    assert_eq!((code, said.as_str()), (0, ""));
    assert!(now.contains("{id: b2, kind: joint, parent: a}"), "{now}");
    assert!(now.contains("{id: c2, kind: joint, parent: b2}"), "{now}");
    // Nobody could tell whose the children are.
    for arguments in [
        &["--rename-node", "a=b", "--rename-node", "b=a"][..],
        &["--set", "nodes[1].id=a", "--set", "nodes[0].id=z"],
    ] {
        let (code, now, said) = edit(RIG, "a.rig", arguments);
        assert_eq!(code, 2, "{said}");
        assert!(said.contains("Duplicate part name: "), "{said}");
        assert_eq!(now, RIG);
    }
}

const SCENE: &str = "\
entities:
  - {id: a, kind: entity}
  - {id: hand, kind: entity, parent: a}
  - {id: lamp, kind: light, parent: hand}
  - {id: sun, kind: light}
";

#[test]
fn what_hangs_below_a_node_of_a_scene_follows_it() {
    let (code, now, said) =
        edit(SCENE, "s.yaml", &["--rename-node", "hand=wrist", "--set", "entities[0].id=root"]);
    assert_eq!(code, 0, "{said}");
    assert_eq!(
        now,
        SCENE
            .replace("id: hand", "id: wrist")
            .replace("parent: hand", "parent: wrist")
            .replace("id: a,", "id: root,")
            .replace("parent: a", "parent: root")
    );
    for path in ["entities[1]", "entities[0]"] {
        let (code, now, said) = edit(SCENE, "s.yaml", &["--delete", path]);
        assert_eq!((code, now.as_str()), (2, SCENE), "{said}");
        assert!(said.contains("lamp hangs below hand"), "{said}");
    }
    let first = ["--delete", "entities[2]", "--delete", "entities[0]"];
    let (code, now, said) =
        edit(&SCENE.replace("{id: sun, kind: light}", "{id: b, kind: entity}"), "s.yaml", &first);
    assert_eq!(code, 0, "{said}");
    assert_eq!(now, "entities:\n  - {id: b, kind: entity}\n");
}

#[test]
fn arguments_that_begin_with_a_minus_are_values() {
    let (code, now, said) = edit(CLIP, "a.motion", &["--move", "tracks[0]", "-1"]);
    assert_eq!((code, now.as_str()), (2, CLIP));
    assert!(said.contains("`-1` is no index"), "{said}");
    let (code, now, _) = edit(CLIP, "a.motion", &["--set", "tracks[0].keys[0].value[0]=-1"]);
    assert_eq!((code, keys(&now)[0]), (0, (0.0, -1.0)));
    let (code, now, said) = edit(CLIP, "a.motion", &["--set", "x=-1", "--set", "-y=-2"]);
    assert_eq!(code, 0, "{said}");
    assert!(now.contains("\nx: -1\n-y: -2\n") || now.contains("\nx: -1\n\"-y\": -2\n"), "{now}");
}

/// A list of many numbers in a field that nobody knows is not looked into (M12), and is whole
/// wherever it goes.
#[test]
fn long_lists_go_whole_where_their_element_goes() {
    let numbers: Vec<String> = (0..3000).map(|n| n.to_string()).collect();
    let long = format!("[{}]", numbers.join(", "));
    let rig = format!(
        "name: R\nnodes:\n  - {{id: a, kind: joint}}\n  - id: b\n    kind: joint\n    x: {long}\n"
    );
    let (code, now, said) =
        edit(&rig, "a.rig", &["--duplicate", "nodes[1]", "--set", "nodes[2].id=c"]);
    assert_eq!(code, 0, "{said}");
    assert!(now.starts_with(&rig), "{now}");
    assert_eq!(now.matches(&format!("x: {long}")).count(), 2);
    let (code, now, said) = edit(&rig, "a.rig", &["--set", "nodes[1].x[2500]=7"]);
    assert_eq!((code, now), (0, rig.replace(" 2500,", " 7,")), "{said}");
    let (code, now, said) =
        edit(&rig, "a.rig", &["--delete", "nodes[1].x[2999]", "--move", "nodes[1]", "0"]);
    assert_eq!(code, 0, "{said}");
    assert!(now.contains(&format!("x: {}\n", long.replace(", 2999", ""))), "{now}");
    // Through an alias.
    let text = rig.replace("x: [", "x: &x [") + "  - {id: c, kind: joint, x: *x}\n";
    let (code, now, said) = edit(&text, "a.rig", &["--delete", "nodes[1]"]);
    assert_eq!(code, 0, "{said}");
    assert!(now.contains(&format!("x: {long}}}\n")), "{now}");
    // And in an export.
    let peg = |extra: &str| {
        format!(
            "{{\"format\": \"octo_anm\", \"version\": 4, \"x\": {long}, \"pegs\": [{{\"name\": \
             \"a\", \"x\": {long}, \"keyframes\": [{{\"frame\": 0, \"pos\": [0, 0, 0], \"x\": \
             {long}{extra}}}]}}]}}"
        )
    };
    let (code, now, said) = edit(&peg(""), "a.anm", &["--set", "pegs[0].keyframes[0].pos[1]=5"]);
    assert_eq!(
        (code, now),
        (0, peg("").replace("\"pos\": [0, 0, 0]", "\"pos\": [0, 5, 0]")),
        "{said}"
    );
    let (code, now, said) = edit(&peg(""), "a.anm", &["--set", "pegs[0].keyframes[0].y=1"]);
    assert_eq!((code, now), (0, peg(", \"y\": 1")), "{said}");
    let (code, now, _) =
        edit(&peg(""), "a.anm", &["--duplicate", "pegs[0]", "--set", "pegs[1].name=b"]);
    assert_eq!((code, now.matches(&long).count()), (0, 5));
}
