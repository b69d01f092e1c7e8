//! `posewright edit` and `resave`: what they change, and what they refuse.
#![allow(clippy::unwrap_used)] // A failed unwrap is a failed test.

mod program;

use program::run;
use std::fs;

const CLIP: &str = "# head\nbinding: gone.rig\nmodel: R\nduration: 2.50\nloop: false # once\ntracks:\n  # about n\n  - part: n\n    property: position\n    interpolation: linear\n    note: {keep: [1, 2]}\n    keys:\n      - time: 0\n        value: [0, 0.0, 0]\n      - {time: 1.0, value: [1, 0, 0], tag: x}\n      # last\n      - time: 2 # end\n        value: [0, 0, 0]\n  - part: m\n    property: scale\n    interpolation: step\n    keys: [{time: 0, value: [1, 1, 1]}]\n";

const RIG: &str =
    "name: R\nnodes:\n  - {id: n, kind: joint}\n  - {id: m, kind: joint, parent: n} # child\n";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.motion"), CLIP).unwrap();
    fs::write(folder.path().join("a.rig"), RIG).unwrap();
    folder
}

/// The lines that differ: what went, what came.
fn changed(before: &str, after: &str) -> (Vec<String>, Vec<String>) {
    let (a, b): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let head = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let most = a.len().min(b.len()) - head;
    let tail = a.iter().rev().zip(b.iter().rev()).take(most).take_while(|(x, y)| x == y).count();
    let cut = |lines: &[&str]| {
        lines[head..lines.len() - tail].iter().map(|l| l.trim().to_owned()).collect()
    };
    (cut(&a), cut(&b))
}

#[test]
fn operations_touch_their_own_lines() {
    let cases: &[(&[&str], &[&str], &[&str])] = &[
        (&["--set", "duration=3"], &["duration: 2.50"], &["duration: 3"]),
        (&["--set", "loop=true"], &["loop: false # once"], &["loop: true # once"]),
        (
            &["--set", "tracks[0].keys[0].value=[1, 2, 3]"],
            &["value: [0, 0.0, 0]"],
            &["value: [1, 2, 3]"],
        ),
        (
            &["--set", "tracks[0].keys[1].time=1.5"],
            &["- {time: 1.0, value: [1, 0, 0], tag: x}"],
            &["- {time: 1.5, value: [1, 0, 0], tag: x}"],
        ),
        (&["--set", "tracks[0].part=007"], &["- part: n"], &["- part: \"007\""]),
        (&["--set", "tracks[0].curve=[0, 0, 1, 1]"], &[], &["curve: [0, 0, 1, 1]"]),
        (
            &["--set", "tracks[0].note.keep[1]=5"],
            &["note: {keep: [1, 2]}"],
            &["note: {keep: [1, 5]}"],
        ),
        (&["--set", "model='it''s'"], &["model: R"], &["model: \"it's\""]),
        (&["--delete", "tracks[0].note"], &["note: {keep: [1, 2]}"], &[]),
        (&["--delete", "tracks[0].keys[1]"], &["- {time: 1.0, value: [1, 0, 0], tag: x}"], &[]),
        (
            &["--delete", "tracks[0].keys[2]"],
            &["# last", "- time: 2 # end", "value: [0, 0, 0]"],
            &[],
        ),
        // A track that loses its last key goes too.
        (
            &["--delete", "tracks[1].keys[0]"],
            &[
                "- part: m",
                "property: scale",
                "interpolation: step",
                "keys: [{time: 0, value: [1, 1, 1]}]",
            ],
            &[],
        ),
        (
            &["--duplicate", "tracks[0].keys[1]", "--set", "tracks[0].keys[2].time=1.25"],
            &[],
            &["- {time: 1.25, value: [1, 0, 0], tag: x}"],
        ),
        (
            &["--duplicate", "tracks[1].keys[0]", "--set", "tracks[1].keys[1].time=0.5"],
            &["keys: [{time: 0, value: [1, 1, 1]}]"],
            &["keys: [{time: 0, value: [1, 1, 1]}, {time: 0.5, value: [1, 1, 1]}]"],
        ),
    ];
    for (arguments, went, came) in cases {
        let folder = folder();
        let all = [&["edit", "a.motion"], *arguments].concat();
        let output = run(folder.path(), &all);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {output:?}");
        let text = fs::read_to_string(folder.path().join("a.motion")).unwrap();
        let (gone, new) = changed(CLIP, &text);
        assert_eq!(
            (&gone[..], &new[..]),
            (&went.map_all()[..], &came.map_all()[..]),
            "{arguments:?}\n{text}"
        );
    }
}

/// Every operation that an edit of the window does, and what a file looks like afterwards.
#[test]
fn operations_on_known_fields_are_the_edits_of_the_window() {
    // A key that gets another time stands where it belongs, with its comments and unknown fields.
    let now = edited(CLIP, "a.motion", &["--set", "tracks[0].keys[2].time=0.5"]);
    let keys = "    keys:\n      - time: 0\n        value: [0, 0.0, 0]\n      # last\n      \
                - time: 0.5 # end\n        value: [0, 0, 0]\n      \
                - {time: 1.0, value: [1, 0, 0], tag: x}\n";
    assert!(now.contains(keys), "{now}");
    // The next operation counts in the new order.
    let now = edited(
        CLIP,
        "a.motion",
        &["--set", "tracks[0].keys[2].time=0.5", "--set", "tracks[0].keys[1].value=[7, 7, 7]"],
    );
    assert!(now.contains("- time: 0.5 # end\n        value: [7, 7, 7]\n"), "{now}");

    let rig = "name: R\nnodes:\n  - {id: a, kind: joint}\n  - {id: b, kind: joint, parent: a, \
               mark: 1} # b\n  - {id: c, kind: joint, parent: b}\n  - {id: d, kind: joint}\n";
    let line = |id: &str, rest: &str| format!("  - {{id: {id}, kind: joint{rest}}}");
    let file = |lines: &[String]| format!("name: R\nnodes:\n{}\n", lines.join("\n"));
    let (a, d) = (line("a", ""), line("d", ""));
    let b = |rest: &str| format!("{} # b", line("b", rest));
    let (whole_b, c) = (b(", parent: a, mark: 1"), line("c", ", parent: b"));
    let cases: &[(&[&str], Vec<String>)] = &[
        // Everything below a deleted node goes too.
        (&["--delete", "nodes[1]"], vec![a.clone(), d.clone()]),
        // Children follow an id.
        (
            &["--set", "nodes[1].id=x"],
            vec![
                a.clone(),
                format!("{} # b", line("x", ", parent: a, mark: 1")),
                line("c", ", parent: x"),
                d.clone(),
            ],
        ),
        // Copies have ids that are free, and stand behind what was copied; no comments.
        (
            &["--duplicate", "nodes[1]"],
            vec![
                a.clone(),
                whole_b.clone(),
                c.clone(),
                line("b2", ", parent: a, mark: 1"),
                line("c2", ", parent: b2"),
                d.clone(),
            ],
        ),
        (
            &["--duplicate", "nodes[3]", "--set", "nodes[4].id=e"],
            vec![a.clone(), whole_b.clone(), c.clone(), d.clone(), line("e", "")],
        ),
        (&["--move", "nodes[3]", "0"], vec![d.clone(), a.clone(), whole_b.clone(), c.clone()]),
        // The place in the file is kept, not the one in the world.
        (
            &["--set", "nodes[2].parent=d"],
            vec![a.clone(), whole_b.clone(), line("c", ", parent: d"), d.clone()],
        ),
        (&["--delete", "nodes[1].parent"], vec![a.clone(), b(", mark: 1"), c.clone(), d.clone()]),
        (
            &["--set", "nodes[3].parent=null", "--set", "nodes[3].position[1]=0"],
            vec![a.clone(), whole_b.clone(), c.clone(), d.clone()],
        ),
        (
            &["--set", "nodes[0].position=[0, 1, 0]", "--set", "nodes[0].position[2]=2"],
            vec![line("a", ", position: [0, 1, 2]"), whole_b.clone(), c.clone(), d.clone()],
        ),
        (
            &["--set", "nodes[0].name=Top", "--set", "nodes[0].model=gun"],
            vec![
                "  - {id: a, name: Top, kind: joint, model: gun}".to_owned(),
                whole_b.clone(),
                c.clone(),
                d.clone(),
            ],
        ),
    ];
    for (arguments, lines) in cases {
        assert_eq!(edited(rig, "a.rig", arguments), file(lines), "{arguments:?}");
    }
}

/// A scene's list has entities that are no nodes, which stay where they are and count.
#[test]
fn paths_into_scenes_count_all_entities() {
    let scene = "entities:\n  - {id: lamp, kind: light}\n  - {id: a, kind: entity}\n  \
                 - {id: sun, kind: light}\n  - {id: b, kind: entity, parent: a}\n";
    let now = edited(scene, "s.scene", &["--set", "entities[3].position=[1, 0, 0]"]);
    assert_eq!(now, scene.replace("parent: a}", "parent: a, position: [1, 0, 0]}"));
    let now = edited(scene, "s.scene", &["--set", "entities[1].id=hip"]);
    assert_eq!(now, scene.replace("id: a,", "id: hip,").replace("parent: a}", "parent: hip}"));
    let now = edited(scene, "s.scene", &["--set", "entities[2].kind=lamp"]);
    assert_eq!(now, scene.replace("{id: sun, kind: light}", "{id: sun, kind: lamp}"));
    let now = edited(scene, "s.scene", &["--move", "entities[3]", "0"]);
    assert!(now.starts_with("entities:\n  - {id: b, kind: entity, parent: a}\n"), "{now}");
}

/// The reason of a refusal is the format's own sentence.
#[test]
fn refusals_say_why_in_the_formats_words() {
    let many: Vec<String> = (0..128).map(|n| format!("  - part: p{n}\n    property: scale\n    interpolation: step\n    keys: [{{time: 0, value: [1, 1, 1]}}]\n")).collect();
    let full =
        format!("binding: a.rig\nmodel: R\nduration: 1\nloop: true\ntracks:\n{}", many.concat());
    let cases: &[(&str, &[&str], &str)] = &[
        (
            "a.motion",
            &["--set", "tracks[0].keys[1].time=2"],
            "Key times must increase strictly within the clip duration",
        ),
        (
            "a.motion",
            &["--set", "tracks[0].keys[1].time=2.6"],
            "Key times must increase strictly within the clip duration",
        ),
        (
            "a.motion",
            &["--set", "duration=1.5"],
            "Key times must increase strictly within the clip duration",
        ),
        (
            "a.motion",
            &["--set", "duration=3601"],
            "Animation needs a model and a duration in (0, 3600] seconds",
        ),
        (
            "a.motion",
            &["--set", "model="],
            "Animation needs a model and a duration in (0, 3600] seconds",
        ),
        (
            "a.motion",
            &["--set", "model=null"],
            "Animation needs a model and a duration in (0, 3600] seconds",
        ),
        ("a.motion", &["--delete", "binding"], "Animation requires a binding asset"),
        (
            "a.motion",
            &["--set", "tracks[1].keys[0].value[1]=0"],
            "Animated scale must stay positive",
        ),
        (
            "a.motion",
            &["--set", "tracks[0].keys[0].value[1]=2e6"],
            "Animation values must be finite and within +/-1000000",
        ),
        (
            "a.motion",
            &["--set", "tracks[0].keys[0].value[1]=.nan"],
            "Animation values must be finite and within +/-1000000",
        ),
        ("a.motion", &["--set", "tracks[0].keys[0].value=[1, 2]"], "Expected [x, y, z]"),
        (
            "a.motion",
            &["--set", "tracks[0].curve=[0, 0, 2, 1]"],
            "Curve coordinates must be finite and between 0 and 1",
        ),
        (
            "a.motion",
            &["--set", "tracks[0].interpolation=cubic"],
            "Interpolation must be step, linear, smooth or bezier",
        ),
        (
            "a.motion",
            &["--set", "tracks[0].part="],
            "Track needs a part and position, rotation or scale property",
        ),
        ("a.motion", &["--set", "loop=yes"], "Animation needs loop to be true or false"),
        (
            "a.motion",
            &["--delete", "tracks[1]", "--delete", "tracks[0]"],
            "Animation needs 1 to 128 tracks",
        ),
        ("a.motion", &["--duplicate", "tracks[1]"], "Duplicate part/property animation track"),
        (
            "full.motion",
            &["--duplicate", "tracks[1]", "--set", "tracks[2].part=x"],
            "Animation needs 1 to 128 tracks",
        ),
        (
            "a.motion",
            &["--duplicate", "tracks[0].keys[0]"],
            "Key times must increase strictly within the clip duration",
        ),
        ("a.rig", &["--set", "nodes[0].parent=m"], "Part hierarchy contains a cycle"),
        ("a.rig", &["--set", "nodes[0].parent=zz"], "Missing parent part: zz"),
        ("a.rig", &["--set", "nodes[0].id=m"], "Duplicate part name: m"),
        (
            "a.rig",
            &["--set", "nodes[0].id=a/b"],
            "Node IDs must be nonempty and contain no slash or colon",
        ),
        (
            "a.rig",
            &["--set", "nodes[0].kind=bone"],
            "Node kind must be joint, entity or attachment",
        ),
        ("a.rig", &["--set", "nodes[1].scale[0]=-1"], "Node scale must stay positive"),
        ("a.rig", &["--delete", "nodes[0]"], "Binding needs 1 to 512 nodes"),
        ("a.rig", &["--set", "name="], "Binding needs a name"),
    ];
    for (name, arguments, reason) in cases {
        let folder = folder();
        fs::write(folder.path().join("full.motion"), &full).unwrap();
        let before = fs::read_to_string(folder.path().join(name)).unwrap();
        let output = run(folder.path(), &[&["edit", name], *arguments].concat());
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(reason), "{arguments:?}: {said}");
        assert_eq!(fs::read_to_string(folder.path().join(name)).unwrap(), before, "{arguments:?}");
    }
}

/// What is invalid on the way may be put right by what follows.
#[test]
fn only_the_end_must_load() {
    let now = edited(
        CLIP,
        "a.motion",
        &["--set", "duration=1.5", "--set", "tracks[0].keys[2].time=1.25"],
    );
    assert_eq!(
        now,
        CLIP.replace("duration: 2.50", "duration: 1.5").replace("time: 2 #", "time: 1.25 #")
    );
    // Two keys change places.
    let swap = ["--set", "tracks[0].keys[0].time=2.25", "--set", "tracks[0].keys[0].time=0"];
    let now = edited(CLIP, "a.motion", &swap);
    assert!(now.contains("- {time: 0, value: [1, 0, 0], tag: x}\n"), "{now}");
    assert!(now.contains("- time: 2.25\n        value: [0, 0.0, 0]\n"), "{now}");
    // A track is copied for another part.
    let copy = ["--duplicate", "tracks[1]", "--set", "tracks[2].part=n"];
    let now = edited(CLIP, "a.motion", &copy);
    assert_eq!(now.matches("property: scale").count(), 2, "{now}");
    assert!(now.starts_with(CLIP), "{now}");
    // A binding goes and another comes.
    let now = edited(CLIP, "a.motion", &["--delete", "binding", "--set", "binding=b.rig"]);
    assert!(now.contains("binding: b.rig\n"), "{now}");
    // Nodes change places by way of a name that nobody has.
    let rig = "name: R\nnodes:\n  - {id: a, kind: joint}\n  - {id: b, kind: joint, parent: a}\n";
    let swap = ["--rename-node", "a=tmp", "--rename-node", "b=a", "--rename-node", "tmp=b"];
    let now = edited(rig, "a.rig", &swap);
    assert_eq!(
        now,
        "name: R\nnodes:\n  - {id: b, kind: joint}\n  - {id: a, kind: joint, parent: b}\n"
    );
}

trait MapAll {
    fn map_all(&self) -> Vec<String>;
}

impl MapAll for [&str] {
    fn map_all(&self) -> Vec<String> {
        self.iter().map(|s| (*s).to_owned()).collect()
    }
}

#[test]
fn moves_take_comments_along() {
    let folder = folder();
    let output =
        run(folder.path(), &["edit", "a.motion", "--move", "tracks[0]", "1", "--out", "b.motion"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = fs::read_to_string(folder.path().join("b.motion")).unwrap();
    assert!(text.contains("loop: false # once\ntracks:\n  - part: m\n"), "{text}");
    assert!(text.ends_with("  # about n\n  - part: n\n    property: position\n    interpolation: linear\n    note: {keep: [1, 2]}\n    keys:\n      - time: 0\n        value: [0, 0.0, 0]\n      - {time: 1.0, value: [1, 0, 0], tag: x}\n      # last\n      - time: 2 # end\n        value: [0, 0, 0]\n"), "{text}");
    // And the file itself was not touched.
    assert_eq!(fs::read_to_string(folder.path().join("a.motion")).unwrap(), CLIP);
}

#[test]
fn what_would_not_load_is_refused_and_nothing_is_written() {
    let cases: &[&[&str]] = &[
        &["a.motion", "--set", "tracks[0].keys[1].time=0"],
        &["a.motion", "--set", "tracks[0].keys[1].time=2"],
        &["a.motion", "--set", "tracks[1].keys[0].value=[0, 1, 1]"],
        &["a.motion", "--set", "tracks[0].keys[0].value=[1, 2]"],
        &["a.motion", "--set", "duration=0"],
        &["a.motion", "--set", "tracks[1].part=n", "--set", "tracks[1].property=position"],
        &["a.motion", "--duplicate", "tracks[0]"],
        &["a.motion", "--delete", "model"],
        &["a.motion", "--delete", "tracks[0]", "--delete", "tracks[0]"],
        &["a.motion", "--delete", "tracks[7]"],
        &["a.motion", "--delete", "nothing"],
        &["a.motion", "--move", "tracks[0]", "2"],
        &["a.motion", "--move", "duration", "0"],
        &["a.motion", "--set", "duration"],
        &["a.motion", "--set", "duration=1\nloop: true"],
        &["a.motion", "--set", "duration=1, x: 2"],
        &["a.motion", "--set", "x=1 # comment"],
        &["a.motion", "--set", "tracks[x]=1"],
        &["a.motion"],
        &["a.motion", "--rename-node", "zz=y"],
        &["a.rig", "--set", "nodes[0].parent=m"],
        &["a.rig", "--rename-node", "n=m"],
        &["a.rig", "--rename-node", "n=a/b"],
        &["a.rig", "--delete", "nodes[0]"],
        &["a.rig", "--set", "nodes[0].scale=[1, -1, 1]"],
        &["gone.rig", "--set", "name=x"],
    ];
    for arguments in cases {
        let folder = folder();
        let output = run(folder.path(), &[&["edit"], *arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
        assert!(!output.stderr.is_empty() && output.stdout.is_empty(), "{arguments:?}");
        assert_eq!(fs::read_to_string(folder.path().join("a.motion")).unwrap(), CLIP);
        assert_eq!(fs::read_to_string(folder.path().join("a.rig")).unwrap(), RIG);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "{arguments:?}");
    }
}

#[test]
fn a_broken_file_can_be_mended() {
    let folder = folder();
    let broken = CLIP.replace("duration: 2.50", "duration: 0");
    fs::write(folder.path().join("a.motion"), broken).unwrap();
    let output = run(folder.path(), &["edit", "a.motion", "--set", "duration=2.50"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let mended = fs::read_to_string(folder.path().join("a.motion")).unwrap();
    assert_eq!(mended, CLIP.replace("duration: 2.50", "duration: 2.5"));
}

#[test]
fn a_renamed_node_takes_children_and_clips_along() {
    let folder = folder();
    let output =
        run(folder.path(), &["edit", "a.rig", "--rename-node", "n=hip.L", "--with", "a.motion"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let rig = fs::read_to_string(folder.path().join("a.rig")).unwrap();
    assert_eq!(rig, RIG.replace("id: n,", "id: hip.L,").replace("parent: n}", "parent: hip.L}"));
    let clip = fs::read_to_string(folder.path().join("a.motion")).unwrap();
    assert_eq!(clip, CLIP.replace("part: n\n", "part: hip.L\n"));
    // Where one file would be refused, none is written.
    let broken = "model: R\n";
    fs::write(folder.path().join("b.motion"), broken).unwrap();
    let output =
        run(folder.path(), &["edit", "a.rig", "--rename-node", "m=k", "--with", "b.motion"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert_eq!(fs::read_to_string(folder.path().join("a.rig")).unwrap(), rig);
}

#[test]
fn resave_gives_the_same_bytes() {
    let folder = folder();
    let odd = format!("\u{feff}{}", CLIP.replace('\n', "\r\n").trim_end());
    fs::write(folder.path().join("odd.motion"), &odd).unwrap();
    fs::write(folder.path().join("broken.motion"), "model: [\n").unwrap();
    let latin = [b'm', b':', 0xE4];
    fs::write(folder.path().join("latin.motion"), latin).unwrap();
    for name in ["a.motion", "a.rig", "odd.motion", "broken.motion"] {
        let output = run(folder.path(), &["resave", name, "--out", "out.motion"]);
        assert_eq!(output.status.code(), Some(0), "{name}: {output:?}");
        let (a, b) = (folder.path().join(name), folder.path().join("out.motion"));
        assert_eq!(fs::read(a).unwrap(), fs::read(b).unwrap(), "{name}");
    }
    let output = run(folder.path(), &["resave", "latin.motion", "--out", "latin.out"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(!folder.path().join("latin.out").exists());
}

/// Runs one edit over a text and gives the new one.
fn edited(text: &str, name: &str, arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(name), text).unwrap();
    let output = run(folder.path(), &[&["edit", name], arguments].concat());
    assert_eq!(output.status.code(), Some(0), "{arguments:?}\n{text}\n{output:?}");
    fs::read_to_string(folder.path().join(name)).unwrap()
}

#[test]
fn a_comment_beside_a_key_never_swallows_the_new_value() {
    let rig = |rest: &str| format!("name: R\nnodes:\n  - id: n\n    kind: joint\n{rest}");
    let block = rig("    position: # p\n      - 1\n      - 2\n      - 3\nmeta: # m\n  a: 1\n");
    let now =
        edited(&block, "a.rig", &["--set", "nodes[0].position=[1, 2, 3]", "--set", "meta={q: 1}"]);
    assert_eq!(now, rig("    position: [1, 2, 3] # p\nmeta: {q: 1} # m\n"));
    let now = edited(&rig("meta:\n  # above\n  a: 1\nend: 2\n"), "a.rig", &["--set", "meta=5"]);
    assert_eq!(now, rig("meta: 5\nend: 2\n"));
}

#[test]
fn an_edit_through_an_alias_is_made_there() {
    let head = "binding: a.rig\nmodel: R\nduration: 2\nloop: true\n";
    let track = |part: &str, keys: &str| {
        format!(
            "  - part: {part}\n    property: position\n    interpolation: linear\n    keys: {keys}\n"
        )
    };
    let text = format!(
        "{head}x: &v [1, 2, 3]\ntracks:\n{}{}",
        track("a", "&k [{time: 0, value: *v}]"),
        track("b", "*k")
    );
    let now = edited(&text, "a.motion", &["--set", "tracks[0].keys[0].value[0]=4"]);
    assert!(now.contains("x: &v [1, 2, 3]"), "{now}");
    assert!(now.contains("keys: [{time: 0, value: [4, 2, 3]}]"), "{now}");
    assert!(now.contains("part: b\n"), "{now}");
    let now = edited(&text, "a.motion", &["--set", "tracks[1].keys[0].time=1"]);
    assert!(now.contains("keys: &k [{time: 0, value: *v}]"), "{now}");
    assert!(now.contains("keys: [{time: 1, value: [1, 2, 3]}]"), "{now}");
    let rig = "name: R\nx: &n {id: b, kind: joint}\nnodes:\n  - *n\n";
    let now = edited(rig, "a.rig", &["--rename-node", "b=z"]);
    assert_eq!(now, "name: R\nx: &n {id: b, kind: joint}\nnodes:\n  - {id: z, kind: joint}\n");
}

#[test]
fn comments_of_flow_lists_survive() {
    let text = "name: R\nnodes: [{id: a, kind: joint}, # beside a\n  # det\n\n  {id: b, kind: joint}, # beside b\n\n  # det2\n\n  {id: c, kind: joint}]\n";
    let all = |text: &str| ["# det\n", "# det2\n"].iter().all(|c| text.matches(c).count() == 1);
    for arguments in [
        &["--delete", "nodes[0]"][..],
        &["--delete", "nodes[1]"],
        &["--delete", "nodes[2]"],
        &["--move", "nodes[2]", "0"],
        &["--move", "nodes[0]", "2"],
    ] {
        let now = edited(text, "a.rig", arguments);
        assert!(all(&now), "{arguments:?}\n{now}");
        let beside = |id: &str| now.contains(&format!("{{id: {id}, kind: joint}}"));
        for id in ["a", "b"] {
            assert_eq!(beside(id), now.contains(&format!("# beside {id}")), "{arguments:?}\n{now}");
        }
    }
    let text = "name: R\nnodes: [{id: a, kind: joint},\n  # about b\n  {id: b, kind: joint}]\n";
    for arguments in [&["--delete", "nodes[0]"][..], &["--move", "nodes[0]", "1"]] {
        let now = edited(text, "a.rig", arguments);
        assert!(now.contains("# about b\n  {id: b, kind: joint}"), "{now}");
    }
}

#[test]
fn the_last_line_keeps_its_missing_break() {
    let text = "name: R\nx: |\n  t\nnodes:\n  - {id: a, kind: joint}\n  - {id: b, kind: joint}";
    let now = edited(text, "a.rig", &["--move", "nodes[1]", "0"]);
    assert_eq!(
        now,
        "name: R\nx: |\n  t\nnodes:\n  - {id: b, kind: joint}\n  - {id: a, kind: joint}"
    );
}

#[test]
fn numbers_are_written_as_the_format_says() {
    let set = |set: &str| edited(CLIP, "a.motion", &["--set", set]);
    assert!(
        set("tracks[0].keys[0].value=[1e3, -0, 1e-7]").contains("value: [1000, 0.0, 0.0000001]")
    );
    assert!(set("tracks[0].keys[0].value=[0,0,1.50]").contains("value: [0, 0.0, 1.5]"));
    assert!(set("duration= 1e1 ").contains("duration: 10\n"));
}

#[test]
fn fields_take_the_comments_above_them_along() {
    let clip = CLIP.replace("binding: gone.rig", "binding: gone.rig\n# about model");
    let now = edited(&clip, "a.motion", &["--set", "version=2"]);
    assert!(
        now.starts_with("version: 2\n# head\nbinding: gone.rig\n# about model\nmodel: R\n"),
        "{now}"
    );
    let text = format!("# about a\na: 1\nb: 2\n{CLIP}");
    assert_eq!(edited(&text, "a.motion", &["--delete", "a"]), format!("b: 2\n{CLIP}"));
}

#[test]
fn only_clips_of_the_rig_are_carried_along() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("other.rig"), RIG).unwrap();
    let clip = |binding: &str| CLIP.replace("gone.rig", binding);
    let model_clip = format!("version: 1\n{}", clip("a.rig"));
    fs::create_dir(at("sub")).unwrap();
    let clips = [
        ("bound.motion", clip("a.rig"), true),
        ("sub/deep.motion", clip("./a.rig"), true),
        ("other.motion", clip("other.rig"), false),
        ("model.motion", model_clip, false),
        ("lost.motion", clip("gone.rig"), true),
        ("stranger.motion", clip("gone.rig").replace("model: R", "model: Q"), false),
    ];
    let mut arguments = vec!["edit", "a.rig", "--rename-node", "n=hip", "--with"];
    for (name, text, _) in &clips {
        fs::write(at(name), text).unwrap();
        arguments.push(name);
    }
    let output = run(folder.path(), &arguments);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let said = String::from_utf8(output.stderr).unwrap();
    for (name, text, carried) in &clips {
        let now = fs::read_to_string(at(name)).unwrap();
        let expected = text.replace("part: n\n", "part: hip\n");
        assert_eq!(&now, if *carried { &expected } else { text }, "{name}");
        assert_eq!(said.contains(name), !carried, "{name}: {said}");
    }
    assert!(fs::read_to_string(at("a.rig")).unwrap().contains("id: hip,"));
}

#[test]
fn a_copy_of_the_rig_leaves_its_clips_alone() {
    let folder = folder();
    let rename = ["edit", "a.rig", "--rename-node", "n=hip", "--with", "a.motion", "--out"];
    let output = run(folder.path(), &[&rename[..], &["copy.rig"]].concat());
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("--with"), "{output:?}");
    assert!(!folder.path().join("copy.rig").exists());
    assert_eq!(fs::read_to_string(folder.path().join("a.motion")).unwrap(), CLIP);
    // Out onto itself is in place.
    let output = run(folder.path(), &[&rename[..], &["./a.rig"]].concat());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(fs::read_to_string(folder.path().join("a.motion")).unwrap().contains("part: hip"));
}

#[cfg(unix)]
#[test]
fn nothing_is_left_half_done_where_one_file_cannot_be_written() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    let locked = folder.path().join("locked");
    fs::create_dir(&locked).unwrap();
    fs::write(locked.join("b.motion"), CLIP.replace("gone.rig", "a.rig")).unwrap();
    let mode = |mode| fs::set_permissions(&locked, fs::Permissions::from_mode(mode)).unwrap();
    mode(0o555);
    fs::set_permissions(locked.join("b.motion"), fs::Permissions::from_mode(0o444)).unwrap();
    let probe = fs::write(locked.join("probe"), "");
    let rename =
        ["edit", "a.rig", "--rename-node", "n=hip", "--with", "a.motion", "locked/b.motion"];
    let output = run(folder.path(), &rename);
    mode(0o755);
    if probe.is_ok() {
        // Whoever may write anywhere sees all of it done.
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        return;
    }
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert_eq!(fs::read_to_string(folder.path().join("a.rig")).unwrap(), RIG);
    assert_eq!(fs::read_to_string(folder.path().join("a.motion")).unwrap(), CLIP);
}

#[test]
fn a_binding_out_of_the_project_is_refused() {
    for binding in ["/etc/a.rig", "../a.rig", "data\\a.rig", "a.rig/", "C:/a.rig"] {
        let folder = folder();
        let set = format!("binding={binding}");
        let output = run(folder.path(), &["edit", "a.motion", "--set", &set]);
        assert_eq!(output.status.code(), Some(2), "{binding}: {output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("Binding must"), "{output:?}");
        assert_eq!(fs::read_to_string(folder.path().join("a.motion")).unwrap(), CLIP);
    }
    // One that is not there does not matter.
    let now = edited(CLIP, "a.motion", &["--set", "binding=data/x.rig"]);
    assert_eq!(now, CLIP.replace("gone.rig", "data/x.rig"));
}

#[test]
fn a_field_below_nothing_makes_a_mapping() {
    let clip = |meta: &str| format!("{CLIP}{meta}\n");
    for (before, after) in [
        ("meta:", "meta: {a: 1}"),
        ("meta: ~ # c", "meta: {a: 1} # c"),
        ("meta: null", "meta: {a: 1}"),
        ("meta: # c", "meta: {a: 1} # c"),
    ] {
        assert_eq!(edited(&clip(before), "a.motion", &["--set", "meta.a=1"]), clip(after));
    }
    let now = edited(&clip("meta:"), "a.motion", &["--set", "meta.a.b=1"]);
    assert_eq!(now, clip("meta: {a: {b: 1}}"));
    let now = edited(&clip("meta: {a: }"), "a.motion", &["--set", "meta.a.b=1"]);
    assert_eq!(now, clip("meta: {a: {b: 1} }"));
}

#[test]
fn what_is_written_as_json_stays_json() {
    let clip = "{\"binding\": \"a.rig\", \"model\": \"R\", \"duration\": 2, \"loop\": false, \"tracks\": [{\"part\": \"n\", \"property\": \"position\", \"interpolation\": \"linear\", \"keys\": [{\"time\": 0, \"value\": [0, 0, 0]}]}]}\n";
    let cases: [&[&str]; 4] = [
        &["--set", "tracks[0].curve=[0, 0, 1, 1]"],
        &["--set", "author=Ada", "--set", "meta.size=big", "--set", "tracks[0].note=x y"],
        &["--set", "tracks[0].keys[0].tag=t"],
        &["--duplicate", "tracks[0].keys[0]", "--set", "tracks[0].keys[1].time=1"],
    ];
    for arguments in cases {
        let now = edited(clip, "a.motion", arguments);
        let value: serde_json::Value =
            serde_json::from_str(&now).unwrap_or_else(|e| panic!("{e} {now}"));
        assert!(value["tracks"][0]["keys"][0]["time"] == 0, "{now}");
    }
    let now = edited(clip, "a.motion", &["--set", "tracks[0].curve=[0, 0, 1, 1]"]);
    assert!(now.contains("\"linear\", \"curve\": [0, 0, 1, 1], \"keys\""), "{now}");
    // Where keys are plain, they stay so.
    let now = edited(
        "name: R\nnodes: [{id: n, kind: joint}]\n",
        "a.rig",
        &["--set", "nodes[0].model=gun"],
    );
    assert!(now.contains("{id: n, kind: joint, model: gun}"), "{now}");
}

#[test]
fn new_lines_end_as_those_around_them() {
    let mixed = "name: R\r\nx: 1\nnodes:\n  - id: a\n    kind: joint\n  - id: b\r\n    kind: joint\r\n  - id: c\r\n    kind: joint";
    let set = |path: &str| edited(mixed, "a.rig", &["--set", path]);
    assert!(set("nodes[0].model=gun").contains("    kind: joint\n    model: gun\n  - id: b\r\n"));
    assert!(set("nodes[1].model=gun").contains("    kind: joint\r\n    model: gun\r\n  - id: c"));
    assert!(set("nodes[2].model=gun").ends_with("id: c\r\n    kind: joint\r\n    model: gun"));
    assert!(set("yy=1").contains("kind: joint\r\nyy: 1"));
    let twice = |path: &str, id: &str| {
        edited(mixed, "a.rig", &["--duplicate", path, "--set", &format!("{id}.id=z")])
    };
    assert!(twice("nodes[0]", "nodes[1]").contains("  - id: z\n    kind: joint\n  - id: b\r\n"));
    assert!(twice("nodes[1]", "nodes[2]").contains("  - id: z\r\n    kind: joint\r\n  - id: c"));
    assert!(twice("nodes[2]", "nodes[3]").ends_with("joint\r\n  - id: z\r\n    kind: joint"));
}

#[test]
fn a_block_scalar_at_the_end_keeps_its_value_when_its_element_moves() {
    let text = "name: R\nnodes:\n  - id: a\n    kind: joint\n  - id: b\n    kind: joint\n    note: |\n      words";
    let now = edited(text, "a.rig", &["--move", "nodes[1]", "0"]);
    assert_eq!(
        now,
        "name: R\nnodes:\n  - id: b\n    kind: joint\n    note: |-\n      words\n  - id: a\n    kind: joint"
    );
    // It stays as it is where it stays at the end.
    let now = edited(text, "a.rig", &["--duplicate", "nodes[0]", "--set", "nodes[1].id=c"]);
    assert!(now.ends_with("    note: |\n      words") && now.contains("id: c"), "{now}");
    let now = edited(text, "a.rig", &["--set", "name=Q"]);
    assert_eq!(now, text.replace("name: R", "name: Q"));
}

#[test]
fn an_empty_file_is_a_text_too() {
    let folder = folder();
    for text in ["", "\u{feff}", "\n", "# nothing\n"] {
        fs::write(folder.path().join("e.motion"), text).unwrap();
        let output = run(folder.path(), &["resave", "e.motion", "--out", "out.motion"]);
        assert_eq!(output.status.code(), Some(0), "{text:?} {output:?}");
        assert_eq!(fs::read_to_string(folder.path().join("out.motion")).unwrap(), text);
        fs::remove_file(folder.path().join("out.motion")).unwrap();
    }
}
