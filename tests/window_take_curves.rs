//! The curves of an export in the window, and its keys on the clipboard.
#![cfg(feature = "gui")]
#![allow(clippy::unwrap_used)] // A test that cannot go on should stop.

mod window;

use posewright::edit::DocId;
use posewright::model::take::{Channel, Keyframe, Take};
use posewright::ui::{Action, PanelId};
use std::sync::Arc;
use window::egui::{Event, Pos2, Vec2, vec2};
use window::pointer::{button, place_of};
use window::{Key, Modifiers, Place, Queryable, Window};

const HEAD: &str = "{\n  \"format\": \"octo_anm\",\n  \"version\": 4,\n  \"source\": \"blender\",\n  \
    \"frame_range\": [1, 25],\n  \"fps\": 24.0,\n  \"coordinate_system\": {\"up\": \"y\", \"hand\": \
    \"right\", \"unit\": \"meters\", \"rot_order\": \"xyz\", \"rot_repr_anim\": \"euler_deg\", \
    \"rot_repr_rest\": \"quat_wxyz\"},\n";

/// One key a line. The hip's angles rule, and its first handle is longer than its segment; the
/// knee's quaternions rule.
const PEGS: &str = "  \"pegs\": [\n    {\"name\": \"hip\", \"parent\": null, \"rest_pivot\": [0, 0, 0], \"keyframes\": [
      {\"frame\": 1, \"pos\": [0, 0.0, 0], \"rot\": [0, 0, 0], \"scl\": [1, 1, 1], \"interp\": \"BEZIER\", \"handles\": {\"pos\": [null, [[-3, 0.0], [31, 1.5]], null], \"rot\": [], \"scl\": []}},
      {\"frame\": 13, \"pos\": [0, 2.0, 0], \"rot\": [0, 0, 45], \"scl\": [1, 1, 1], \"interp\": \"BEZIER\", \"handles\": {\"pos\": [null, [[9, 2.0], [17, 2.0]], null], \"rot\": [], \"scl\": []}},
      {\"frame\": 25, \"pos\": [0, 1.0, 0], \"rot\": [0, 0, 10], \"scl\": [1, 1, 1], \"interp\": \"BEZIER\", \"note\": \"keep me\"}
    ]},
    {\"name\": \"knee\", \"parent\": \"hip\", \"rest_pivot\": [0, -0.5, 0], \"keyframes\": [
      {\"frame\": 1, \"pos\": [0, -0.5, 0], \"rot\": [0, 0, 0], \"rot_quat\": [1, 0, 0, 0], \"scl\": [1, 1, 1], \"interp\": \"LINEAR\"},
      {\"frame\": 13, \"pos\": [0, -0.5, 0], \"rot\": [0, 0, 90], \"rot_quat\": [0.7071067811865476, 0, 0, 0.7071067811865476], \"scl\": [1, 1, 1], \"interp\": \"LINEAR\"}
    ]}
  ],\n  \"cameras\": []\n}\n";

fn text() -> String {
    format!("{HEAD}{PEGS}")
}

/// The take in Inspect, with the curves of a peg in sight.
fn open(peg: &str) -> (Place, Window) {
    let place = Place::new();
    let file = place.write("shot.anm", &text());
    let mut window = Window::start(place.config(), &[], &[file]);
    show(&mut window, peg);
    (place, window)
}

fn show(window: &mut Window, peg: &str) {
    window.app_mut().push(Action::FocusPanel(PanelId::Curves));
    window.run();
    window.click(&format!("Keys of {peg}"));
}

fn doc(window: &Window) -> DocId {
    window.app().state().active.unwrap()
}

fn take(window: &Window) -> Arc<Take> {
    window.app().editor().workspace().take(doc(window)).unwrap().clone()
}

fn key(window: &Window, peg: usize, at: usize) -> Keyframe {
    take(window).pegs[peg].keyframes[at].clone()
}

fn steps(window: &Window) -> usize {
    window.app().editor().history().steps(doc(window)).count()
}

/// Presses at a place and moves on; the button stays down.
fn press_and_move(window: &mut Window, from: Pos2, by: Vec2) {
    window.harness.event(Event::PointerMoved(from));
    window.harness.event(button(from, true, Modifiers::NONE));
    for part in 1..=8_u8 {
        window.harness.event(Event::PointerMoved(from + by * (f32::from(part) / 8.0)));
        window.harness.step();
    }
    window.run();
}

fn drag(window: &mut Window, from: Pos2, by: Vec2) {
    press_and_move(window, from, by);
    window.harness.event(button(from + by, false, Modifiers::NONE));
    window.run();
}

fn click_at(window: &mut Window, at: Pos2) {
    window.harness.event(Event::PointerMoved(at));
    for pressed in [true, false] {
        window.harness.event(button(at, pressed, Modifiers::NONE));
        window.run();
    }
}

fn undo(window: &mut Window) {
    window.keys(Modifiers::COMMAND, Key::Z);
}

/// Lines of two texts that differ.
fn differing(before: &str, after: &str) -> Vec<(String, String)> {
    assert_eq!(before.lines().count(), after.lines().count());
    let pairs = before.lines().zip(after.lines()).filter(|(a, b)| a != b);
    pairs.map(|(a, b)| (a.to_owned(), b.to_owned())).collect()
}

/// What moves is shown first, and pos on request; a value is dragged with its handles.
#[test]
fn a_value_is_dragged_undone_redone_and_saved() {
    let (place, mut window) = open("hip");
    assert!(window.sees("hip rot Z, key at frame 13"), "rot moves: it is shown first");
    assert!(!window.sees("hip pos Y, key at frame 13"));
    window.click("pos");
    let before = place.read("shot.anm");
    let at = place_of(&window, "hip pos Y, key at frame 13");
    press_and_move(&mut window, at, vec2(1.0, -24.0));
    let raised = key(&window, 0, 1).pos.unwrap().y;
    assert!(raised > 2.05, "shown while the button is down: {raised}");
    window.harness.event(button(at + vec2(1.0, -24.0), false, Modifiers::NONE));
    window.run();
    let changed = key(&window, 0, 1);
    assert_eq!(changed.frame, 13.0, "up and down that axis alone");
    assert_eq!(changed.pos.unwrap().x, 0.0);
    let handles = changed.channel_handles(Channel::Pos).unwrap()[1].unwrap();
    assert!((handles.left.y - raised).abs() < 1e-9, "handles go along: {handles:?}");
    assert_eq!(steps(&window), 1);
    undo(&mut window);
    assert_eq!(key(&window, 0, 1).pos.unwrap().y, 2.0);
    assert!(!window.app().editor().is_dirty(doc(&window)));
    window.keys(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    assert_eq!(key(&window, 0, 1).pos.unwrap().y, raised);
    window.keys(Modifiers::COMMAND, Key::S);
    let differing = differing(&before, &place.read("shot.anm"));
    assert_eq!(differing.len(), 1, "only that key: {differing:?}");
    assert!(differing[0].0.contains("\"frame\": 13"));
    let spelled = format!("{raised}");
    assert!(spelled.len() <= 6, "no digits that no hand could mean: {spelled}");
}

/// A typed number counts, Escape takes all back, Alt moves both ways in one step.
#[test]
fn values_are_typed_cancelled_and_freed() {
    let (_place, mut window) = open("hip");
    let at = place_of(&window, "hip rot Z, key at frame 13");
    press_and_move(&mut window, at, vec2(0.0, 20.0));
    assert!(key(&window, 0, 1).rot.unwrap().z < 45.0);
    window.key(Key::Escape);
    assert_eq!(key(&window, 0, 1).rot.unwrap().z, 45.0);
    window.harness.event(button(at, false, Modifiers::NONE));
    window.run();
    assert_eq!(steps(&window), 0);

    press_and_move(&mut window, at, vec2(0.0, 20.0));
    window.type_text("15");
    window.key(Key::Enter);
    window.harness.event(button(at, false, Modifiers::NONE));
    window.run();
    assert_eq!(key(&window, 0, 1).rot.unwrap().z, 60.0);
    undo(&mut window);

    // A frame to the right, and down.
    let first = place_of(&window, "hip rot Z, key at frame 1");
    let frame = (at.x - first.x) / 12.0;
    window.harness.event(Event::ModifiersChanged(Modifiers::ALT));
    window.harness.event(Event::PointerMoved(at));
    let alt = |pos, pressed| button(pos, pressed, Modifiers::ALT);
    window.harness.event(alt(at, true));
    for part in 1..=4_u8 {
        let by = vec2(frame * 2.2, 20.0) * (f32::from(part) / 4.0);
        window.harness.event(Event::PointerMoved(at + by));
        window.harness.step();
    }
    window.harness.event(alt(at + vec2(frame * 2.2, 20.0), false));
    window.run();
    window.harness.event(Event::ModifiersChanged(Modifiers::NONE));
    let moved = key(&window, 0, 1);
    assert_eq!(moved.frame, 15.0, "snapped to frames");
    assert!(moved.rot.unwrap().z < 45.0);
    assert_eq!(steps(&window), 1);
    undo(&mut window);
    assert_eq!((key(&window, 0, 1).frame, key(&window, 0, 1).rot.unwrap().z), (13.0, 45.0));
}

/// Sideways all three axes move, on whole frames.
#[test]
fn keys_are_dragged_sideways_and_boxed() {
    let (_place, mut window) = open("hip");
    let at = place_of(&window, "hip rot Z, key at frame 13");
    let frame = (at.x - place_of(&window, "hip rot Z, key at frame 1").x) / 12.0;
    drag(&mut window, at, vec2(frame * 3.3, 2.0));
    assert_eq!(key(&window, 0, 1).frame, 16.0);
    assert_eq!(key(&window, 0, 1).rot.unwrap().z, 45.0);
    // Its handles went along.
    let handles = *key(&window, 0, 1).channel_handles(Channel::Pos).unwrap();
    assert_eq!(handles[1].unwrap().left.x, 12.0);
    undo(&mut window);

    let from = at - vec2(20.0, 20.0);
    drag(&mut window, from, vec2(40.0, 40.0));
    let chosen = window.app().editor().selection().keys_of(doc(&window));
    assert_eq!(chosen, [key(&window, 0, 1).uid]);
    window.key(Key::A);
    assert_eq!(window.app().editor().selection().keys_of(doc(&window)).len(), 3);
    // An empty click deselects the keys, and the curves stay.
    click_at(&mut window, from);
    assert!(window.app().editor().selection().keys.is_empty());
    assert!(window.sees("hip rot Z, key at frame 13"));
}

/// A handle is dragged and the other turns along; one that is too long says where it counts.
#[test]
fn handles_are_dragged_and_corrected_ones_are_marked() {
    let (place, mut window) = open("hip");
    window.click("pos");
    let at = place_of(&window, "hip pos Y, key at frame 13");
    click_at(&mut window, at);
    let name = "Right handle of hip pos Y, key at frame 13";
    let handle = place_of(&window, name);
    assert!(handle.x > at.x + 5.0 && (handle.y - at.y).abs() < 1.0, "as it is written");
    let before = place.read("shot.anm");
    drag(&mut window, handle, vec2(0.0, -20.0));
    let handles = key(&window, 0, 1).channel_handles(Channel::Pos).unwrap()[1].unwrap();
    let up = handles.right.y - 2.0;
    assert!(up > 0.05, "{handles:?}");
    assert!((handles.right.x - 17.0).abs() < 0.05);
    assert!((handles.left.y - (2.0 - up)).abs() < 1e-3, "in line: {handles:?}");
    assert_eq!(key(&window, 0, 1).pos.unwrap().y, 2.0);
    window.keys(Modifiers::COMMAND, Key::S);
    assert_eq!(differing(&before, &place.read("shot.anm")).len(), 1);
    undo(&mut window);
    assert_eq!(place_of(&window, name), handle);

    // Alt parts them.
    press_and_move(&mut window, handle, vec2(0.0, -20.0));
    window.harness.event(Event::ModifiersChanged(Modifiers::ALT));
    window.harness.event(Event::PointerMoved(handle + vec2(0.0, -22.0)));
    window.run();
    window.harness.event(button(handle + vec2(0.0, -22.0), false, Modifiers::NONE));
    window.run();
    window.harness.event(Event::ModifiersChanged(Modifiers::NONE));
    let handles = key(&window, 0, 1).channel_handles(Channel::Pos).unwrap()[1].unwrap();
    assert!(handles.right.y > 2.05 && handles.left.y == 2.0, "{handles:?}");
    undo(&mut window);

    let first = place_of(&window, "hip pos Y, key at frame 1");
    click_at(&mut window, first);
    assert!(
        window.sees("Right handle of hip pos Y, key at frame 1, corrected: it counts at frame 13")
    );
}

/// The menu shapes handles, and sets how a key moves on.
#[test]
fn the_menu_shapes_handles() {
    let (_place, mut window) = open("hip");
    window.click("pos");
    let at = place_of(&window, "hip pos Y, key at frame 13");
    click_at(&mut window, at);
    window.key(Key::T);
    window.click("Linear handles");
    let handles = key(&window, 0, 1).channel_handles(Channel::Pos).unwrap()[1].unwrap();
    assert_eq!((handles.left.x, handles.right.x), (9.0, 17.0));
    assert!((handles.left.y - (2.0 - 2.0 / 3.0)).abs() < 1e-9, "{handles:?}");
    assert!((handles.right.y - (2.0 - 1.0 / 3.0)).abs() < 1e-9, "{handles:?}");
    assert_eq!(key(&window, 0, 1).channel_handles(Channel::Rot), None, "what is shown alone");
    window.key(Key::T);
    window.click("Auto handles");
    assert_eq!(key(&window, 0, 1).channel_handles(Channel::Pos), None);
    assert!(window.sees("Right handle of hip pos Y, key at frame 13, automatic"));
    window.key(Key::T);
    window.click("Set CONSTANT");
    assert_eq!(key(&window, 0, 1).interp().as_str(), "CONSTANT");
    assert!(!window.sees("Right handle of hip pos Y, key at frame 13"));
    assert_eq!(steps(&window), 3);
}

/// Where quaternions rule a dragged angle turns the quaternion, and `rot` with it.
#[test]
fn angles_that_quaternions_rule_are_dragged() {
    let (_place, mut window) = open("knee");
    assert!(window.sees("quaternions rule"));
    let at = place_of(&window, "knee rot Z, key at frame 13");
    press_and_move(&mut window, at, vec2(0.0, 20.0));
    window.type_text("-30");
    window.key(Key::Enter);
    window.harness.event(button(at, false, Modifiers::NONE));
    window.run();
    let key = key(&window, 1, 1);
    let [w, x, y, z] = key.rot_quat.unwrap();
    let half = 30_f64.to_radians();
    assert!((w - half.cos()).abs() < 1e-9 && (z - half.sin()).abs() < 1e-9, "{w} {x} {y} {z}");
    assert!((key.rot.unwrap().z - 60.0).abs() < 1e-9, "{:?}", key.rot);
    // The hip is ruled by its angles.
    window.click("Keys of hip");
    assert!(!window.sees("quaternions rule"));
}

/// The curves with a selected key in hand, its automatic handle pale, the others at a third.
#[test]
fn the_curves_look_as_they_did() {
    let (_place, mut window) = open("hip");
    window.click("pos");
    let at = place_of(&window, "hip pos Y, key at frame 1");
    click_at(&mut window, at);
    // The tab is called the same, and is smaller.
    let all = window.harness.get_all_by_label("Curves").map(|node| node.rect());
    let canvas = all.max_by(|a, b| a.area().total_cmp(&b.area())).unwrap();
    let whole = window.picture();
    window::assert_picture(&window::cut(&whole, canvas), "take-curves");
}

/// Insert Key makes keys for the selected pegs without changing the motion.
#[test]
fn keys_are_inserted_on_the_curve() {
    let (_place, mut window) = open("hip");
    window.click("pos");
    let secs = 6.0 / 24.0;
    window.app_mut().push(Action::SetPlayhead(secs));
    window.run();
    let before = window.app().stage().world[0];
    // The pointer is over the curves.
    let canvas = window.harness.get_by_label("Curves of X").rect().center() - vec2(0.0, 60.0);
    window.harness.event(Event::PointerMoved(canvas));
    window.run();
    window.key(Key::I);
    assert_eq!(take(&window).pegs[0].keyframes.len(), 4);
    assert_eq!(key(&window, 0, 1).frame, 7.0);
    let after = window.app().stage().world[0];
    assert!((after.position - before.position).length() < 1e-9);
    assert_eq!(steps(&window), 1);
    window.key(Key::I);
    assert!(window.sees("have keys at the playhead already"));
    assert_eq!(steps(&window), 1);
}

/// Keys go from one export to another, through the system's clipboard too; what does not match is
/// refused with a reason.
#[test]
fn keys_are_copied_to_another_export() {
    let (place, mut window) = open("hip");
    window.key(Key::A);
    let at = place_of(&window, "hip rot Z, key at frame 13");
    window.harness.event(Event::PointerMoved(at));
    window.run();
    window.key(Key::A);
    window.harness.event(Event::Copy);
    window.run();
    assert!(window.sees("Copied 3 keys of 1 peg"));
    let copied = window.app().state().clipboard.as_ref().unwrap().text();
    assert!(copied.contains("\"octo_anm\"") && copied.contains("keep me"), "{copied}");

    // Another take, in which the hip stands elsewhere.
    let other = text().replace("\"name\": \"knee\"", "\"name\": \"spine\"");
    let file = place.write("other.anm", &other);
    window.app_mut().push(Action::Open(vec![file]));
    window.run();
    show(&mut window, "hip");
    window.app_mut().push(Action::SetPlayhead(13.0 / 24.0));
    window.run();
    let at = place_of(&window, "hip rot Z, key at frame 13");
    window.harness.event(Event::PointerMoved(at + vec2(30.0, 30.0)));
    window.run();
    window.harness.event(Event::Paste(copied.clone()));
    window.run();
    let frames: Vec<f64> = take(&window).pegs[0].keyframes.iter().map(|key| key.frame).collect();
    assert_eq!(frames, [1.0, 13.0, 14.0, 25.0, 26.0, 38.0], "the earliest at the playhead");
    let pasted = key(&window, 0, 4);
    assert_eq!(pasted.pos.unwrap().y, 2.0);
    let handles = pasted.channel_handles(Channel::Pos).unwrap()[1].unwrap();
    assert_eq!((handles.left.x, handles.right.x), (22.0, 30.0), "handles go along");
    assert_eq!(steps(&window), 1);
    window.keys(Modifiers::COMMAND, Key::S);
    assert!(place.read("other.anm").matches("keep me").count() == 2, "unknown fields too");
    undo(&mut window);
    assert_eq!(take(&window).pegs[0].keyframes.len(), 3);

    // A text from elsewhere, whose peg is not here.
    let foreign = copied.replace("\"hip\"", "\"shoulder\"");
    window.harness.event(Event::Paste(foreign));
    window.run();
    assert!(window.sees("There is not exactly one peg shoulder in this take to paste into"));
    let feet = copied.replace("\"meters\"", "\"feet\"");
    window.harness.event(Event::Paste(feet));
    window.run();
    assert!(window.sees("whose unit is another"));
    assert_eq!(take(&window).pegs[0].keyframes.len(), 3);
}

/// Extend moves all keys of the selected peg from the playhead on.
#[test]
fn later_keys_are_extended() {
    let (_place, mut window) = open("hip");
    window.app_mut().push(Action::SetPlayhead(3.0 / 24.0));
    window.run();
    let at = place_of(&window, "hip rot Z, key at frame 13") + vec2(30.0, 30.0);
    window.harness.event(Event::PointerMoved(at));
    window.run();
    window.key(Key::E);
    window.type_text("4");
    window.key(Key::Enter);
    let frames = |window: &Window, peg: usize| {
        take(window).pegs[peg].keyframes.iter().map(|key| key.frame).collect::<Vec<_>>()
    };
    assert_eq!(frames(&window, 0), [1.0, 17.0, 29.0]);
    assert_eq!(frames(&window, 1), [1.0, 13.0], "it is not selected");
}

/// A click on a problem moves the playhead, selects the peg and its key, and shows its curves.
#[test]
fn a_problem_shows_its_curves() {
    let place = Place::new();
    let wrong = text().replace("\"rot\": [0, 0, 90]", "\"rot\": [0, 0, 50]");
    let file = place.write("shot.anm", &wrong);
    let mut window = Window::start(place.config(), &[], &[file]);
    window.wait("its problems", |window| window.sees("Error: knee") || window.sees("error: knee"));
    assert!(!window.sees("knee rot Z, key at frame 13"));
    window.click_like("rror: knee");
    assert!(window.sees("knee rot Z, key at frame 13"));
    let selection = window.app().editor().selection();
    assert_eq!(selection.nodes_of(doc(&window)), [take(&window).pegs[1].uid]);
    assert_eq!(selection.keys_of(doc(&window)), [key(&window, 1, 1).uid]);
    let secs = window.app().state().views[&doc(&window)].playhead_secs;
    assert!((secs - 0.5).abs() < 1e-9, "frame 13: {secs}");
}

/// What is refused for an export says why.
#[test]
fn disabled_commands_say_why() {
    use posewright::ui::command::{CommandId, why_not};
    let (_place, window) = open("hip");
    let cx = window.app().cx();
    assert!(why_not(CommandId::PasteFlipped, &cx).unwrap().contains("not mirrored"));
    assert!(why_not(CommandId::Mirror, &cx).is_some());
    for id in [CommandId::InsertKey, CommandId::Interpolation, CommandId::Extend, CommandId::Copy] {
        assert_eq!(why_not(id, &cx), None, "{id:?}");
    }
}

/// Many keys: each channel of a peg is one thing, and nothing is lost of what a hand can do.
#[test]
fn many_keys_are_named_by_their_pegs() {
    let mut text = format!("{HEAD}  \"pegs\": [\n");
    for peg in 0..60 {
        let keys = (1..=25).map(|frame| {
            format!(
                "{{\"frame\": {frame}, \"pos\": [0, 0, 0], \"rot\": [0, 0, {}], \"scl\": [1, 1, 1]}}",
                frame + peg
            )
        });
        let keys = keys.collect::<Vec<_>>().join(", ");
        let comma = if peg == 59 { "" } else { "," };
        text += &format!("{{\"name\": \"peg{peg}\", \"keyframes\": [{keys}]}}{comma}\n");
    }
    text += "  ],\n  \"cameras\": []\n}\n";
    let place = Place::new();
    let file = place.write("shot.anm", &text);
    let mut window = Window::start(place.config(), &[], &[file]);
    show(&mut window, "peg0");
    assert!(window.sees("peg0 rot Z, key at frame 25"));
    let app = window.app_mut();
    let doc = app.state().active.unwrap();
    let take = app.editor().workspace().take(doc).unwrap().clone();
    let nodes = take.pegs.iter().map(|peg| posewright::edit::Selected::Node(doc, peg.uid));
    let selection = posewright::edit::Selection { nodes: nodes.collect(), ..Default::default() };
    app.push(Action::Select(selection));
    window.run();
    assert!(window.sees("Curves of peg7 rot, 25 keys"));
    assert!(!window.sees("peg0 rot Z, key at frame 25"));
}
