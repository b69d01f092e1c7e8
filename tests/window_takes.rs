//! Exports in the window: the lead's journeys.
#![cfg(feature = "gui")]
#![allow(clippy::unwrap_used)] // A test that cannot go on should stop.

mod window;

use posewright::sample::take::Space;
use posewright::ui::{Action, PanelId};
use std::fmt::Write;
use window::egui::{Event, PointerButton, Pos2, vec2};
use window::pointer::{button, drag, move_to, place_of, press};
use window::{Key, Modifiers, Place, Queryable, Window};

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
    assert!(window.sees("selected on peg157"), "the status line says what is selected");
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

/// Points of one frame, from two keys of a peg.
fn frame(window: &Window, peg: &str) -> f32 {
    let a = place_of(window, &format!("{peg}, key at frame 1"));
    let b = place_of(window, &format!("{peg}, key at frame 60"));
    (b.x - a.x) / 59.0
}

/// The frames of a peg's keys.
fn frames(window: &Window, peg: usize) -> Vec<f64> {
    let app = window.app();
    let take = app.editor().workspace().take(app.state().active.unwrap()).unwrap();
    take.pegs[peg].keyframes.iter().map(|key| key.frame).collect()
}

/// A take of four pegs with its keys in sight.
fn open_keys() -> (Place, Window) {
    let (place, mut window) = open(&take(4, 4));
    window.wait("its table", |window| window.sees("peg1, 3 keys"));
    window.click("peg1, 3 keys");
    window.click("Dope sheet");
    assert!(window.sees("peg1 keys, 3 keys"));
    (place, window)
}

/// A key is dragged two frames on, undone, redone and saved: one line differs on disk.
#[test]
fn a_key_is_dragged_undone_redone_and_saved() {
    let (place, mut window) = open_keys();
    let before = place.read("shot.anm");
    let from = place_of(&window, "peg1, key at frame 12");
    // A little more than two frames by the hand, and snapped.
    let to = from + vec2(frame(&window, "peg1") * 2.3, 1.0);
    press(&mut window, from, Modifiers::NONE);
    move_to(&mut window, from, to);
    assert_eq!(frames(&window, 1), [1.0, 14.0, 60.0], "shown while the button is down");
    window.harness.event(button(to, false, Modifiers::NONE));
    window.run();
    let app = window.app();
    let doc = app.state().active.unwrap();
    let moved = app.editor().workspace().take(doc).unwrap().pegs[1].keyframes[1].uid;
    assert_eq!(app.editor().selection().keys_of(doc), [moved]);
    window.keys(Modifiers::COMMAND, Key::Z);
    assert_eq!(frames(&window, 1), [1.0, 12.0, 60.0]);
    assert!(!window.app().editor().is_dirty(doc));
    window.keys(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    assert_eq!(frames(&window, 1), [1.0, 14.0, 60.0]);
    window.keys(Modifiers::COMMAND, Key::S);
    assert!(!window.app().editor().is_dirty(doc));
    let after = place.read("shot.anm");
    assert_eq!(before.lines().count(), after.lines().count());
    let changed: Vec<_> = before.lines().zip(after.lines()).filter(|(a, b)| a != b).collect();
    let [(old, new)] = changed.as_slice() else { panic!("one line: {changed:?}") };
    assert_eq!(old.replace("\"frame\": 12", "\"frame\": 14"), *new);
}

/// Escape takes a drag back, Ctrl lets keys stand between frames, a typed number counts.
#[test]
fn a_drag_is_cancelled_unsnapped_and_typed() {
    let (_place, mut window) = open_keys();
    let step = frame(&window, "peg2");
    let from = place_of(&window, "peg2, key at frame 12");
    press(&mut window, from, Modifiers::NONE);
    move_to(&mut window, from, from + vec2(step * 5.0, 0.0));
    assert_eq!(frames(&window, 2), [1.0, 17.0, 60.0]);
    window.key(Key::Escape);
    assert_eq!(frames(&window, 2), [1.0, 12.0, 60.0]);
    window.harness.event(button(from, false, Modifiers::NONE));
    window.run();
    let doc = window.app().state().active.unwrap();
    assert!(!window.app().editor().is_dirty(doc));

    press(&mut window, from, Modifiers::NONE);
    move_to(&mut window, from, from + vec2(step * 2.4, 0.0));
    window.harness.event(Event::ModifiersChanged(Modifiers::COMMAND));
    window.harness.event(Event::PointerMoved(from + vec2(step * 2.5, 0.0)));
    window.run();
    let frame = frames(&window, 2)[1];
    assert!((frame - 14.5).abs() < 0.2 && frame.fract() != 0.0, "{frame}");
    window.harness.event(Event::ModifiersChanged(Modifiers::NONE));
    window.type_text("7");
    assert_eq!(frames(&window, 2), [1.0, 19.0, 60.0]);
    window.key(Key::Enter);
    window.harness.event(button(from, false, Modifiers::NONE));
    window.run();
    assert_eq!(frames(&window, 2), [1.0, 19.0, 60.0]);
    assert_eq!(window.app().editor().history().undo_label(doc), Some("Move key"));
}

/// A box selects keys of several pegs, Delete deletes them as one step.
#[test]
fn keys_are_boxed_and_deleted() {
    let (_place, mut window) = open_keys();
    let from = place_of(&window, "peg1, key at frame 12") - vec2(14.0, 10.0);
    let to = place_of(&window, "peg3, key at frame 12") + vec2(14.0, 10.0);
    drag(&mut window, from, to);
    let doc = window.app().state().active.unwrap();
    assert_eq!(window.app().editor().selection().keys_of(doc).len(), 3);
    window.key(Key::Delete);
    assert_eq!(frames(&window, 0), [1.0, 12.0, 60.0]);
    for peg in 1..4 {
        assert_eq!(frames(&window, peg), [1.0, 60.0], "peg{peg}");
    }
    window.keys(Modifiers::COMMAND, Key::Z);
    assert_eq!(frames(&window, 3), [1.0, 12.0, 60.0]);
    // Only the pegs whose keys were boxed.
    window.click("Only selected");
    assert!(!window.sees("peg0 keys"));
    assert!(window.sees("peg2 keys, 3 keys"));
}

/// The ruler counts the frames of the file, and scrubs to whole ones.
#[test]
fn the_ruler_scrubs_in_the_frames_of_the_file() {
    let (_place, mut window) = open_keys();
    let ruler = window.harness.get_by_label("Ruler").rect();
    let at = Pos2::new(place_of(&window, "peg1, key at frame 12").x + 1.0, ruler.center().y);
    drag(&mut window, at, at);
    let doc = window.app().state().active.unwrap();
    let secs = window.app().state().views[&doc].playhead_secs;
    assert!((secs - 11.0 / 24.0).abs() < 1e-9, "frame 12 of a range from 1: {secs}");
}

/// The menu over the keys sets how the selected ones move on.
#[test]
fn the_menu_sets_the_interpolation_of_keys() {
    let (_place, mut window) = open_keys();
    let at = place_of(&window, "peg1, key at frame 12");
    drag(&mut window, at, at);
    for pressed in [true, false] {
        let (button, modifiers) = (PointerButton::Secondary, Modifiers::NONE);
        window.harness.event(Event::PointerButton { pos: at, button, pressed, modifiers });
    }
    window.run();
    window.click("Set CONSTANT");
    let app = window.app();
    let take = app.editor().workspace().take(app.state().active.unwrap()).unwrap();
    let words = take.pegs[1].keyframes.iter().map(|key| key.interp().as_str());
    assert_eq!(words.collect::<Vec<_>>(), ["LINEAR", "CONSTANT", "LINEAR"]);
}

/// The text with the scale of the last so many pegs' keys changed.
fn other_scale(text: &str, pegs: usize) -> String {
    let (at, _) = text.rmatch_indices("\"name\": \"peg").nth(pegs - 1).unwrap();
    format!("{}{}", &text[..at], text[at..].replace("[1.0, 1.0, 1.0]", "[1.0, 1.5, 1.0]"))
}

/// A writer that is not done takes nothing away: the last version that loads stays until the next.
#[test]
fn an_export_that_is_half_written_waits_for_its_other_half() {
    let place = Place::new();
    let text = take(4, 4);
    let file = place.write("shot.anm", &text);
    let config = posewright::ui::Config { watch: true, ..place.config() };
    let mut window = Window::start(config, &[], std::slice::from_ref(&file));
    let doc = window.app().state().active.unwrap();
    let uid = |window: &Window| {
        let take = window.app().editor().workspace().take(doc);
        take.map(|take| take.pegs[2].uid)
    };
    let before = uid(&window);
    let newer = other_scale(&text, 2);
    for part in [newer.len() / 2, newer.len() - 20] {
        place.write("shot.anm", &newer[..part]);
        let is_broken = |window: &Window| window.sees("shot.anm on disk does not load now (line ");
        window.wait("the bar", is_broken);
        assert_eq!(uid(&window), before, "the last good one stays");
        assert!(!window.app().editor().is_dirty(doc));
    }
    // Half a character is no text at all.
    std::fs::write(&file, [b'{', b'"', 0xc3]).unwrap();
    window.wait("the bar", |window| window.sees("shot.anm on disk cannot be read now"));
    assert_eq!(uid(&window), before);
    place.write("shot.anm", &newer);
    window.wait("it is read", |window| window.sees("2 pegs differ"));
    assert!(!window.sees("does not load now"));
    assert_eq!(uid(&window), before);

    // Nothing is saved over it unasked, and it can be looked at as it is.
    place.write("shot.anm", "{");
    window.wait("the bar", |window| window.sees("does not load now"));
    window.keys(Modifiers::COMMAND, Key::S);
    assert_eq!(place.read("shot.anm"), "{");
    window.click("Show it as text");
    assert!(uid(&window).is_none() && !window.sees("does not load now"));
    let undo = posewright::ui::CommandId::Undo;
    window.app_mut().push(Action::Command(undo));
    window.run();
    assert_eq!(uid(&window), before);
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
    window.wait("the bar", |window| window.sees("2 pegs and 1 camera differ"));
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

    // At another rate: the frame stays, and the numbers are in the new frames.
    let twice = newer.replace("\"fps\": 24.0", "\"fps\": 48.0");
    assert_ne!(twice, newer);
    place.write("shot.anm", &twice);
    window.wait("the bar", |window| window.sees("24 → 48 fps"));
    let view = &window.app().state().views[&doc];
    assert!((view.playhead_secs - playhead / 2.0).abs() < 1e-9);
    assert_eq!(view.timeline.fps, 48.0);
    place.write("shot.anm", &newer);
    window.wait("the bar", |window| window.sees("48 → 24 fps"));

    // Against the version before, not the first: back again are the same two.
    window.click("Keep quiet");
    assert!(!window.sees("Re-exported "));
    place.write("shot.anm", &other_scale(&text, 3));
    window.wait("the bar", |window| window.sees("1 peg and 1 camera differ"));
    assert_eq!(window.app().state().views[&doc].viewport.look_through, Some(0));

    // Pegs that came and pegs that went.
    window.click("Keep quiet");
    place.write("shot.anm", &take(6, 4));
    window.wait("the bar", |window| window.sees("5 pegs differ"));
    window.click("Keep quiet");
    place.write("shot.anm", &take(1, 4));
    window
        .wait("the bar", |window| window.sees("5 pegs differ") && window.app().stage().len() == 1);
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

/// The tree of pegs is looked at: it offers nothing that would be refused.
#[test]
fn the_tree_of_pegs_offers_no_changes() {
    let (_place, mut window) = open(&take(4, 4));
    window.click("Hierarchy");
    assert!(window.sees("4 pegs"));
    assert!(window.harness.query_by_label("Add child").is_none());
    window.click("What to do with nodes");
    assert!(window.sees("Copy id") && window.sees("Fold all"));
    assert!(!window.sees("Delete with children") && !window.sees("Delete without children"));
    window.key(Key::Escape);
    // F2 over the tree begins no renaming that would be refused.
    window.key(Key::F2);
    assert!(window.harness.query_by_label("New id").is_none());
}
