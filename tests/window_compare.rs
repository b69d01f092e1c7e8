//! Comparing in the window: the lead's journeys.
#![cfg(feature = "gui")]
#![allow(clippy::unwrap_used)] // A test that cannot go on should stop.

mod window;

use posewright::ui::{Action, CommandId, CompareAsk, PanelId};
use std::fmt::Write;
use std::path::PathBuf;
use window::{Key, Modifiers, Place, Queryable, Window};

/// An arm that swings, 1 to 25: shoulder, hand, and ten fingers.
struct Arm {
    turn_deg: f64,
    hand: &'static str,
    thumb_rest: f64,
    handle: f64,
    rate: f64,
}

const ARM: Arm = Arm { turn_deg: 20.0, hand: "hand", thumb_rest: 0.1, handle: 0.0, rate: 24.0 };

fn text(arm: &Arm) -> String {
    let mut out = format!(
        "{{\n  \"format\": \"octo_anm\", \"version\": 4, \"source\": \"maya\", \"fps\": {:?},\n  \
         \"frame_range\": [1, 25],\n  \"coordinate_system\": {{\"up\": \"y\", \"hand\": \"right\", \
         \"unit\": \"meters\", \"rot_order\": \"xyz\", \"rot_repr_anim\": \"euler_deg\", \
         \"rot_repr_rest\": \"quat_wxyz\"}},\n  \"pegs\": [\n",
        arm.rate
    );
    let mut peg = |name: &str, parent: &str, rest: f64, deg: f64, handles: &str, last: bool| {
        let parent = if parent.is_empty() { "null".to_owned() } else { format!("\"{parent}\"") };
        let _ = writeln!(
            out,
            "    {{\"name\": \"{name}\", \"parent\": {parent}, \"rest_pivot\": [{rest}, 0, 0], \
             \"keyframes\": ["
        );
        for (frame, deg) in [(1, 0.0), (13, deg), (25, 0.0)] {
            let handles = if frame == 13 { handles } else { "" };
            let comma = if frame == 25 { "" } else { "," };
            let _ = writeln!(
                out,
                "      {{\"frame\": {frame}, \"pos\": [{rest}, 0, 0], \"rot\": [0, 0, {deg}], \
                 \"scl\": [1, 1, 1], \"interp\": \"BEZIER\"{handles}}}{comma}"
            );
        }
        let _ = writeln!(out, "    ]}}{}", if last { "" } else { "," });
    };
    let axis = |y: f64| format!("[[9, {y}], [17, {y}]]");
    let handles = format!(
        ", \"handles\": {{\"pos\": [], \"rot\": [{}, {}, {}], \"scl\": []}}",
        axis(0.0),
        axis(0.0),
        axis(20.0 + arm.handle)
    );
    peg("shoulder", "", 0.0, arm.turn_deg, "", false);
    peg(arm.hand, "shoulder", 0.5, 20.0, &handles, false);
    peg("thumb", arm.hand, arm.thumb_rest, 5.0, "", false);
    for at in 1..10 {
        peg(&format!("finger{at}"), arm.hand, 0.2, 5.0, "", at == 9);
    }
    out.push_str("  ],\n  \"cameras\": []\n}\n");
    out
}

/// `old` is open in no tab, `new` is; the two are compared.
fn compared(old: &str, new: &str) -> (Place, Window) {
    let place = Place::new();
    let old = place.write("old.anm", old);
    let new = place.write("new.anm", new);
    let answer = [old];
    let answers: [&[PathBuf]; 1] = [&answer];
    let mut window = Window::start(place.config(), &answers, &[new]);
    window.app_mut().push(Action::Command(CommandId::CompareFile));
    window.run();
    window.wait("the comparison", |window| {
        // Buttons speak of differences before any are known.
        let known = ["s differ", " differs"].iter().any(|words| window.sees(words));
        window.sees("old.anm → new.anm") && known
    });
    (place, window)
}

/// Two exports that differ in one handle, one rest and one name: each is named, and nothing else.
#[test]
fn what_changed_between_two_exports_is_said() {
    let new = Arm { hand: "paw", thumb_rest: 0.15, handle: 6.0, ..ARM };
    let (_place, window) = compared(&text(&ARM), &text(&new));
    // The thumb's keys follow its rest, so that both differ; the fingers only changed parents' name.
    assert!(window.sees("2 pegs differ"), "the summary");
    assert!(
        window.sees("hand: renamed from hand to paw") || window.sees("renamed from hand to paw")
    );
    assert!(window.sees("rotation handles changed by 6.0° (frame 13)"));
    assert!(window.sees("thumb: rest moved by 5.0 cm"));
    assert!(!window.sees("finger1: "), "nothing is said of what only follows");
}

/// Where two versions of a swing are farthest apart, and why.
#[test]
fn the_worst_moment_is_found_and_its_cause() {
    let new = Arm { turn_deg: 32.4, ..ARM };
    let (_place, mut window) = compared(&text(&ARM), &text(&new));
    assert!(window.sees("1 peg differs, worst 14."), "in one line");
    assert!(window.sees("at frame 13 on"));
    assert!(window.sees("shoulder: rotation changed by 12.4° (frame 13)"));
    assert!(window.sees("since shoulder is turned by 12.4°"), "and why");
    assert!(window.sees("shoulder differs by itself; 11 joints only follow"));
    window.click_like("Worst moment: ");
    let app = window.app();
    let doc = app.state().active.unwrap();
    let secs = app.state().views[&doc].playhead_secs;
    assert!((secs - 0.5).abs() < 1e-9, "the playhead is at frame 13: {secs}");
    // Relative to the parent it is the shoulder at every frame.
    window.click("Local");
    window.click("Angle");
    assert!(window.sees("Worst moment: 12.4° at frame 13 on shoulder"));
}

/// Next and previous go from difference to difference, select and go there.
#[test]
fn differences_are_gone_through_by_key() {
    let new = Arm { turn_deg: 32.4, thumb_rest: 0.15, ..ARM };
    let (_place, mut window) = compared(&text(&ARM), &text(&new));
    let selected = |window: &Window| {
        let app = window.app();
        let doc = app.state().active.unwrap();
        let take = app.editor().workspace().take(doc).unwrap();
        let chosen = app.editor().selection().nodes_of(doc);
        take.pegs
            .iter()
            .filter(|p| chosen.contains(&p.uid))
            .map(|p| p.name.clone())
            .collect::<Vec<_>>()
    };
    window.key(Key::F7);
    let first = selected(&window);
    window.key(Key::F7);
    let second = selected(&window);
    assert_eq!([first.clone(), second.clone()], [["thumb"], ["shoulder"]]);
    window.keys(Modifiers::SHIFT, Key::F7);
    assert_eq!(selected(&window), first);
    window.key(Key::F7);
    let app = window.app();
    let doc = app.state().active.unwrap();
    assert!((app.state().views[&doc].playhead_secs - 0.5).abs() < 1e-9);
    window.key(Key::F7);
    assert_eq!(selected(&window), first, "around");
}

/// What the other has is taken over as an ordinary edit: a peg's keys, and one key alone.
#[test]
fn theirs_is_taken_and_undone() {
    let new = Arm { turn_deg: 32.4, handle: 6.0, ..ARM };
    let (place, mut window) = compared(&text(&ARM), &text(&new));
    let before = place.read("new.anm");
    window.click("Take theirs: shoulder");
    assert!(!window.sees("shoulder: rotation"), "it differs no more");
    assert!(window.sees("1 peg differs"));
    window.keys(Modifiers::COMMAND, Key::Z);
    assert!(window.sees("shoulder: rotation changed by 12.4°"), "undo brings it back");
    window.click("Show keys of shoulder");
    window.click_like("Take theirs: shoulder, frame 13: rotation changed by 12.4°");
    assert!(!window.sees("shoulder: rotation"));
    let doc = window.app().state().active.unwrap();
    let take = window.app().editor().workspace().take(doc).unwrap().clone();
    assert_eq!(take.pegs[0].keyframes[1].rot.unwrap().z, 20.0);
    assert_eq!(take.pegs[0].keyframes.len(), 3);
    window.click("Take theirs: hand");
    assert!(window.sees("nothing differs"));
    assert_eq!(place.read("new.anm"), before, "nothing is saved by that");
}

/// Three exports in a row are compared with the one that was last looked at.
#[test]
fn exports_anew_are_compared_with_what_was_looked_at() {
    let place = Place::new();
    let file = place.write("arm.anm", &text(&ARM));
    let config = posewright::ui::Config { watch: true, ..place.config() };
    let mut window = Window::start(config, &[], &[file]);
    for turn_deg in [21.0, 24.0, 32.4] {
        place.write("arm.anm", &text(&Arm { turn_deg, ..ARM }));
        window.wait("the reload", |window| {
            let app = window.app();
            let take = app.editor().workspace().take(app.state().active.unwrap()).unwrap();
            take.pegs[0].keyframes[1].rot.unwrap().z == turn_deg
        });
    }
    window.wait("the bar", |window| window.sees("1 peg differs, worst 14."));
    assert!(window.sees("at frame 13 on"), "where it is worst");
    window.app_mut().push(Action::Compare(CompareAsk::Before));
    window.run();
    assert!(window.sees("shoulder: rotation changed by 12.4° (frame 13)"), "from 20 to 32.4");
    assert!(!window.sees("Re-exported"), "it has been looked at");
    place.write("arm.anm", &text(&Arm { turn_deg: 33.4, ..ARM }));
    window.wait("the next bar", |window| window.sees("Re-exported"));
    window.app_mut().push(Action::Compare(CompareAsk::Before));
    window.run();
    assert!(window.sees("shoulder: rotation changed by 1.0° (frame 13)"), "from 32.4 to 33.4");
}

const RIG: &str = "name: Arm\nnodes:\n  - id: shoulder\n    kind: joint\n  - id: hand\n    kind: joint\n    \
    parent: shoulder\n    position: [0.5, 0, 0]\n";

fn clip(deg: f64, interpolation: &str) -> String {
    format!(
        "binding: arm.rig\nmodel: Arm\nduration: 1\nloop: false\ntracks:\n  - part: shoulder\n    \
         property: rotation\n    interpolation: {interpolation}\n    keys:\n      - time: 0\n        \
         value: [0, 0, 0]\n      - time: 0.5\n        value: [0, 0, {}]\n      - time: 1\n        \
         value: [0, 0, 0]\n",
        deg.to_radians()
    )
}

/// Clips and rigs are compared alike, also with what is open.
#[test]
fn clips_and_rigs_are_compared_too() {
    let place = Place::new();
    place.write("arm.rig", RIG);
    let long = place.write("long.rig", &RIG.replace("[0.5, 0, 0]", "[0.75, 0, 0]"));
    let old = place.write("old.motion", &clip(20.0, "linear"));
    let new = place.write("new.motion", &clip(30.0, "smooth"));
    let mut window = Window::start(place.config(), &[], &[old, new]);
    window.app_mut().push(Action::FocusPanel(PanelId::Compare));
    window.run();
    window.click("Compare with old.motion");
    assert!(window.sees("old.motion → new.motion"));
    assert!(window.sees("shoulder.rotation: rotation changed by 10.0° (0.5 s)"));
    assert!(window.sees("interpolation: linear → smooth"));
    assert!(window.sees("Worst moment: "));
    // The other's curve lies over this one's, as long as the other is shown.
    window.app_mut().push(Action::Compare(CompareAsk::Go(0)));
    window.app_mut().push(Action::FocusPanel(PanelId::Curves));
    window.run();
    let both = window.picture();
    window.app_mut().push(Action::Compare(CompareAsk::Ghost(false)));
    let one = window.picture();
    assert!(window::difference(&both, &one) > 0.0005, "its curve and its ghost");
    window.app_mut().push(Action::Compare(CompareAsk::Ghost(true)));
    window.app_mut().push(Action::FocusPanel(PanelId::Compare));
    window.run();
    window.click("Take theirs: shoulder.rotation");
    assert!(window.sees("nothing differs"));
    let doc = window.app().state().active.unwrap();
    let clip = window.app().editor().workspace().clip(doc).unwrap().clone();
    assert_eq!(clip.tracks.len(), 1);
    assert!((clip.tracks[0].keys[1].value.z - 20.0_f64.to_radians()).abs() < 1e-9);
    // The rig that is open with them, and another one.
    window.app_mut().push(Action::Open(vec![long]));
    window.run();
    window.app_mut().push(Action::FocusPanel(PanelId::Compare));
    window.run();
    window.click("Compare with arm.rig");
    assert!(window.sees("hand: rest moved by 25.0 cm"));
    window.click("Take theirs: hand");
    assert!(window.sees("nothing differs"));
}

/// What cannot be compared says why; a comparison is closed again.
#[test]
fn what_cannot_be_compared_says_why() {
    let place = Place::new();
    let broken = place.write("broken.anm", "{\"format\": \"octo_anm\", \"version\": 3}");
    let file = place.write("arm.anm", &text(&ARM));
    let answer = [broken];
    let answers: [&[PathBuf]; 1] = [&answer];
    let mut window = Window::start(place.config(), &answers, &[file]);
    window.app_mut().push(Action::Command(CommandId::CompareFile));
    window.run();
    window.wait("the answer", |window| window.sees("cannot be compared"));
    window.click("Close the comparison");
    assert!(window.harness.query_by_label("Close the comparison").is_none());
    assert!(window.sees("Compare with a file…"));
}
