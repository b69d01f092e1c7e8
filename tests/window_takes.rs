//! Exports in the window: the lead's journeys.
#![cfg(feature = "gui")]
#![allow(clippy::unwrap_used)] // A test that cannot go on should stop.

mod window;

use posewright::sample::take::Space;
use posewright::ui::{Action, PanelId};
use std::fmt::Write;
use window::{Key, Place, Queryable, Window};

const HEADER: &str = "  \"format\": \"octo_anm\",\n  \"version\": 4,\n  \"source\": \"maya\",\n  \
    \"frame_range\": [1, 60],\n  \"fps\": 24.0,\n  \"coordinate_system\": {\n    \"up\": \"y\",\n    \
    \"hand\": \"right\",\n    \"unit\": \"meters\",\n    \"rot_order\": \"xyz\",\n    \
    \"rot_repr_anim\": \"euler_deg\",\n    \"rot_repr_rest\": \"quat_wxyz\"\n  },\n";

/// A chain of so many pegs that nod; the last but one disagrees with its own angles at frame 12.
fn take(pegs: usize, version: u32) -> String {
    let mut text =
        format!("{{\n{}  \"pegs\": [\n", HEADER.replace(": 4,", &format!(": {version},")));
    for peg in 0..pegs {
        let parent = match peg {
            0 => "null".to_owned(),
            _ => format!("\"peg{}\"", peg - 1),
        };
        let rest = if peg == 0 { "[0.0, 0.0, 0.0]" } else { "[0.0, 0.1, 0.0]" };
        write!(
            text,
            "    {{\n      \"name\": \"peg{peg}\",\n      \"parent\": {parent},\n      \
             \"rest_pivot\": {rest},\n      \"rest_rotation\": [1.0, 0.0, 0.0, 0.0],\n      \
             \"rig\": \"hero\",\n      \"keyframes\": [\n"
        )
        .unwrap();
        for (at, frame) in [1, 12, 60].into_iter().enumerate() {
            let bad = peg + 2 == pegs && frame == 12;
            let half = (if bad { 40.0_f64 } else { 5.0 * at as f64 }).to_radians() / 2.0;
            let comma = if frame == 60 { "" } else { "," };
            writeln!(
                text,
                "        {{\"frame\": {frame}, \"pos\": {rest}, \"rot\": [0.0, 0.0, {}], \
                 \"rot_quat\": [{}, 0.0, 0.0, {}], \"scl\": [1.0, 1.0, 1.0], \
                 \"interp\": \"LINEAR\"}}{comma}",
                5 * at,
                half.cos(),
                half.sin(),
            )
            .unwrap();
        }
        let comma = if peg + 1 == pegs { "" } else { "," };
        writeln!(text, "      ]\n    }}{comma}").unwrap();
    }
    text += "  ],\n  \"cameras\": [\n    {\"name\": \"shot_cam\", \"peg\": \"none\", \
             \"is_default\": true, \"fov\": 41.112090, \"fov_axis\": \"vertical\", \
             \"override_fov\": true, \"near_plane\": 0.1, \"far_plane\": 1000.0, \"angle\": 0.0, \
             \"offset_x\": 0.0, \"offset_y\": 0.5, \"offset_z\": 12.0, \"pivot_x\": 0.0, \
             \"pivot_y\": 0.0}\n  ]\n}\n";
    text
}

fn open(text: &str) -> (Place, Window) {
    let place = Place::new();
    let file = place.write("shot.anm", text);
    let window = Window::start(place.config(), &[], &[file]);
    (place, window)
}

/// The one peg of 159 whose quaternion disagrees with its angles is found at a click.
#[test]
fn the_peg_that_disagrees_is_found() {
    let (_place, mut window) = open(&take(159, 4));
    window.wait("its problems", |window| {
        window.sees("Error: peg157") || window.sees("error: peg157")
    });
    window.wait("its table", |window| window.sees("peg157, 3 keys"));
    assert_eq!(window.app().stage().len(), 159);
    window.click_like("error: peg157");
    let app = window.app();
    let doc = app.state().active.unwrap();
    let take = app.editor().workspace().take(doc).unwrap();
    assert_eq!(app.editor().selection().nodes_of(doc), [take.pegs[157].uid]);
    let secs = app.state().views[&doc].playhead_secs;
    assert!((secs - 11.0 / 24.0).abs() < 1e-9, "the playhead is at frame 12: {secs}");
    // What is wrong with it is said in numbers.
    assert!(window.sees("35.0"), "how far apart they are");
}

/// The shot's camera is looked through, and left again.
#[test]
fn the_shots_camera_is_looked_through() {
    let (_place, mut window) = open(&take(4, 4));
    window.click_like("shot_cam");
    assert!(window.harness.query_by_label("Leave camera").is_some());
    let doc = window.app().state().active.unwrap();
    assert_eq!(window.app().state().views[&doc].viewport.look_through, Some(0));
    let before = window.app().stage().world[3];
    window.key(Key::ArrowRight);
    let app = window.app();
    assert!(app.state().views[&doc].playhead_secs > 0.0, "scrubbing goes on");
    assert_ne!(app.stage().world[3], before);
    window.click("Leave camera");
    assert_eq!(window.app().state().views[&doc].viewport.look_through, None);
}

/// A file of version 3 says at once what is wrong; so does a broken one.
#[test]
fn what_cannot_be_opened_says_why() {
    let (_place, window) = open(&take(2, 3));
    assert!(window.sees(
        "unsupported version 3 (this build writes/reads v4; no backward migration — re-export \
         from the source DCC)"
    ));
    let text = take(2, 4);
    let (_place, window) = open(&text[..text.len() / 2]);
    assert!(window.app().editor().workspace().take(window.app().state().active.unwrap()).is_none());
    assert!(window.sees("does not load yet"));
}

/// The space that was measured is shown with its figures, and can be chosen.
#[test]
fn the_space_is_measured_and_can_be_chosen() {
    let (_place, mut window) = open(&take(4, 4));
    let tip = |window: &Window| window.app().stage().world[3].position.y;
    assert!((tip(&window) - 0.3).abs() < 1e-9, "relative to the parent: {}", tip(&window));
    window.click("the rest (delta)");
    assert!((tip(&window) - 0.6).abs() < 1e-9, "an offset from rest: {}", tip(&window));
    window.click("the parent (local)");
    assert!((tip(&window) - 0.3).abs() < 1e-9);
}

/// The text with the scale of the last so many pegs' keys changed.
fn other_scale(text: &str, pegs: usize) -> String {
    let (at, _) = text.rmatch_indices("\"name\": \"peg").nth(pegs - 1).unwrap();
    format!("{}{}", &text[..at], text[at..].replace("[1.0, 1.0, 1.0]", "[1.0, 1.5, 1.0]"))
}

/// A new version of a take comes in where one stands: nothing moves, and a bar counts the pegs.
#[test]
fn a_take_that_is_exported_anew_reloads_in_place() {
    let place = Place::new();
    let text = take(4, 4);
    let file = place.write("shot.anm", &text);
    let config = posewright::ui::Config { watch: true, ..place.config() };
    let mut window = Window::start(config, &[], std::slice::from_ref(&file));
    let doc = window.app().state().active.unwrap();
    let uid = |window: &Window, at: usize| {
        window.app().editor().workspace().take(doc).unwrap().pegs[at].uid
    };
    window.click("the rest (delta)");
    window.click_like("shot_cam");
    let chosen = uid(&window, 2);
    window.key(Key::ArrowRight);
    window.key(Key::ArrowRight);
    window.app_mut().push(Action::FocusPanel(PanelId::Pegs));
    window.run();
    window.click("peg2, 3 keys");
    // By name, from below.
    window.click("Sort by Parent");
    window.click("Sort by Parent");
    let order = |window: &Window| {
        let mut rows: Vec<(i32, usize)> = (0..4)
            .map(|at| {
                let name = format!("peg{at}, 3 keys");
                let row = window.harness.get_by_label(&name);
                (row.rect().top() as i32, at)
            })
            .collect();
        rows.sort_unstable();
        rows.into_iter().map(|(_, at)| at).collect::<Vec<_>>()
    };
    assert_eq!(order(&window), [3, 2, 1, 0]);
    let playhead = window.app().state().views[&doc].playhead_secs;
    assert!(playhead > 0.0);

    // Two pegs have other values, and there is a camera before the one that is looked through.
    let cameras = "\"cameras\": [\n";
    let second = "    {\"name\": \"wide_cam\", \"peg\": null, \"offset_z\": 30.0},\n";
    let newer = other_scale(&text, 2).replace(cameras, &format!("{cameras}{second}"));
    place.write("shot.anm", &newer);
    window.wait("the bar", |window| window.sees("2 pegs differ from the version before"));
    assert!(window.sees("Re-exported "));
    assert!(!window.sees("is reloaded"), "said once");
    let app = window.app();
    assert!(!app.editor().is_dirty(doc));
    let view = &app.state().views[&doc];
    assert_eq!(view.playhead_secs, playhead);
    assert_eq!(view.space, Some(Space::Delta));
    assert_eq!(view.viewport.look_through, Some(1), "the same camera");
    assert_eq!(uid(&window, 2), chosen);
    assert_eq!(app.editor().selection().nodes_of(doc), [chosen]);
    assert_eq!(order(&window), [3, 2, 1, 0]);

    // Against the version before, not the first: back again are the same two.
    window.click("Keep quiet");
    assert!(!window.sees("Re-exported "));
    place.write("shot.anm", &other_scale(&text, 3));
    window.wait("the bar", |window| window.sees("1 peg differs from the version before"));
    assert_eq!(window.app().state().views[&doc].viewport.look_through, Some(0));

    // Pegs that came and pegs that went.
    place.write("shot.anm", &take(6, 4));
    window.wait("the bar", |window| window.sees("5 pegs differ from the version before"));
    place.write("shot.anm", &take(1, 4));
    window.wait("the bar", |window| {
        window.sees("5 pegs differ from the version before") && window.app().stage().len() == 1
    });
    assert!(window.app().editor().selection().nodes_of(doc).len() <= 1);
}

/// A version that ends earlier than the playhead stands.
#[test]
fn a_shorter_version_keeps_the_playhead_inside() {
    let place = Place::new();
    let text = take(2, 4);
    let file = place.write("shot.anm", &text);
    let config = posewright::ui::Config { watch: true, ..place.config() };
    let mut window = Window::start(config, &[], std::slice::from_ref(&file));
    let doc = window.app().state().active.unwrap();
    window.app_mut().push(Action::SetPlayhead(2.0));
    window.run();
    place.write("shot.anm", &text.replace("[1, 60]", "[1, 25]"));
    window.wait("the bar", |window| window.sees("no peg differs from the version before"));
    assert_eq!(window.app().state().views[&doc].playhead_secs, 1.0);
}

/// The folder's exports stand in the Files panel, each with its worst problem.
#[test]
fn files_lists_exports_with_their_problems() {
    let place = Place::new();
    place.write("p/good.anm", include_str!("../assets/robot/robot.anm"));
    place.write("p/bad.anm", &take(3, 4));
    place.write("p/old.anm", &take(3, 3));
    place.write("p/torso.pvt", include_str!("data/anm/torso.local.pvt"));
    let mut window = Window::start(place.config(), &[], &[place.path("p")]);
    window.app_mut().push(Action::FocusPanel(PanelId::Files));
    window.run();
    window.wait("the files are listed", |window| window.sees("Open torso.pvt"));
    assert!(window.sees("Open bad.anm, error"));
    assert!(window.sees("Open old.anm, error"));
    window.click("Open good.anm");
    assert_eq!(window.app().stage().len(), 4);
}

/// The sample of the welcome page.
#[test]
fn the_sample_take_opens_in_inspect() {
    let place = Place::new();
    let mut window = Window::start(place.config(), &[], &[]);
    window.click("An export of a robot");
    assert_eq!(window.app().state().workspace_tab, posewright::ui::WorkspaceTab::Inspect);
    assert_eq!(window.app().stage().names(), ["body-P", "head-P", "arm-P", "shot_cam-P"]);
    assert!(window.sees("shot_cam"));
}
