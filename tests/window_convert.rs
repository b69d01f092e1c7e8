//! Converting in the window.
#![cfg(feature = "gui")]
#![allow(clippy::unwrap_used)] // A test that cannot go on should stop.

mod window;

use posewright::edit::Content;
use posewright::ui::{CommandId, PanelId, WorkspaceTab};
use std::path::Path;
use window::{Key, Place, Queryable, Window};

fn sample(name: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/anm").join(name);
    std::fs::read_to_string(file).unwrap()
}

fn command(window: &mut Window, id: CommandId) {
    window.app_mut().push(posewright::ui::Action::Command(id));
    window.run();
}

fn reckoned(window: &mut Window) {
    window.wait("the figures", |window| !window.app().is_converting() && !window.sees("Reckoning"));
}

/// Types a number into the field of this name.
fn set(window: &mut Window, name: &str, value: &str) {
    window.click(name);
    window.keys(window::Modifiers::COMMAND, Key::A);
    window.type_text(value);
    window.key(Key::Enter);
}

fn open(answers: &[&[std::path::PathBuf]]) -> (Place, Window) {
    let place = Place::new();
    let file = place.write("torso.anm", &sample("torso.anm"));
    let mut window = Window::sized(place.config(), answers, &[file], [1600.0, 1000.0]);
    window.run();
    (place, window)
}

/// Keys of the clip that is shown.
fn keys(window: &Window) -> usize {
    let app = window.app();
    let clip = app.editor().workspace().clip(app.state().active.unwrap()).unwrap();
    clip.tracks.iter().map(|track| track.keys.len()).sum()
}

/// The lead's journey: convert, go to the worst moment, allow less, convert again.
#[test]
fn a_take_is_converted_judged_and_converted_again() {
    let (place, mut window) = open(&[]);
    command(&mut window, CommandId::CreateRigAndClip);
    assert!(window.app().state().front_panels.contains(&PanelId::Convert));
    reckoned(&mut window);
    // The three figures stand beside the choices, and what it will cost below.
    assert!(window.sees("as measured: local"));
    for figure in ["0.000 m", "0.202 m", "0.223 m"] {
        let choices = window.harness.query_all_by_value(figure);
        assert!(choices.count() >= 1, "{figure} is read beside its choice");
    }
    assert!(window.sees("168 keys become"));
    assert!(window.sees("off by at most"));
    window.click("Create Rig and Clip");
    let app = window.app();
    assert_eq!(app.state().workspace_tab, WorkspaceTab::Animate);
    let clip = app.state().active.unwrap();
    let workspace = app.editor().workspace();
    assert!(matches!(workspace.content(clip), Some(Content::Clip(_))));
    assert!(app.editor().is_dirty(clip), "nothing is saved yet");
    assert!(!place.path("torso.motion").exists());
    assert_eq!(app.stage().len(), 14, "it plays on the new rig");
    assert!(window.sees("torso.motion *") && window.sees("torso.rig *"));
    let first = keys(&window);

    // The worst moment is a click away.
    window.click_like("Worst position");
    let secs = window.app().state().views[&clip].playhead_secs;
    assert!(secs > 0.0, "the playhead went to the worst moment");
    assert_eq!(window.app().editor().selection().nodes.len(), 1);
    assert!(window.sees("rotation, "), "tracks by their own error");

    // Compare says the same: of the result against its source, and goes there.
    window.click("Compare");
    window.wait("the comparison", |window| window.sees("Worst moment: "));
    window.app_mut().push(posewright::ui::Action::SetPlayhead(0.0));
    window.run();
    window.click_like("Worst moment: ");
    let compared = window.app().state().views[&clip].playhead_secs;
    assert!((compared - secs).abs() < 0.05, "{compared}, and {secs} by our own table");

    // Less is allowed: more keys.
    set(&mut window, "Position", "0.0002");
    reckoned(&mut window);
    assert!(window.sees("keys become"));
    window.click("Convert Again");
    let second = keys(&window);
    assert!(second > first, "{second} keys after {first}");
    let app = window.app();
    let clips = app.editor().workspace().documents();
    let clips = clips.filter(|d| matches!(d.content, Content::Clip(_))).count();
    assert_eq!(clips, 1, "the first result was closed");
    assert!(window.sees("Worst position: 0.1"), "0.1something millimetres");
}

/// Figures are stopped and gone on with; a refusal offers what to agree to.
#[test]
fn what_is_undecided_is_asked() {
    let place = Place::new();
    let peg = r#"{"name": "hip", "rest_pivot": [0, 1, 0], "keyframes": [
        {"frame": 1, "pos": [0, 0, 0], "rot": [0, 0, 0], "scl": [1, 1, 1], "interp": "LINEAR"},
        {"frame": 25, "pos": [1, 0, 0], "rot": [0, 0, 0], "scl": [1, 1, 1], "interp": "LINEAR"}]}"#;
    let text = sample("torso.anm");
    let head = &text[..text.find("\"pegs\"").unwrap()];
    let file = place.write("one.anm", &format!("{head}\"pegs\": [{peg}], \"cameras\": []}}"));
    let mut window = Window::sized(place.config(), &[], &[file], [1600.0, 1000.0]);
    command(&mut window, CommandId::CreateRigAndClip);
    reckoned(&mut window);
    assert!(window.sees("undecided"));
    assert!(window.harness.query_by_label("Read as delta").is_some());
    window.click("Read as delta");
    reckoned(&mut window);
    assert!(window.sees("1 track"));
    window.click("Create Rig and Clip");
    assert_eq!(keys(&window), 2);
}

/// A clip becomes an export, a rig a skeleton, a skeleton a rig.
#[test]
fn clips_rigs_and_skeletons_become_documents() {
    let place = Place::new();
    place.write("arm.rig", window::RIG);
    let clip = "binding: arm.rig\nmodel: Arm\nduration: 1\nloop: false\ntracks:\n  - part: hand\n    \
                property: position\n    interpolation: smooth\n    keys:\n      - time: 0\n        \
                value: [0, 1, 0]\n      - time: 1\n        value: [0, 2, 0]\n";
    let file = place.write("arm.motion", clip);
    let mut window = Window::sized(place.config(), &[], &[file], [1600.0, 1000.0]);
    command(&mut window, CommandId::Export);
    reckoned(&mut window);
    assert!(window.sees("2 keys become 2"));
    window.click("Create Export");
    let app = window.app();
    let doc = app.state().active.unwrap();
    let take = app.editor().workspace().take(doc).unwrap();
    assert_eq!(take.pegs[0].keyframes.len(), 2);
    assert_eq!(take.frame_range, Some([1.0, 25.0]));
    assert_eq!(app.state().workspace_tab, WorkspaceTab::Inspect);
    assert!(window.sees("Made of") || window.sees("MADE OF"));

    let bones = place.write("torso.pvt", &sample("torso.armature.pvt"));
    window.app_mut().push(posewright::ui::Action::Open(vec![bones]));
    window.run();
    command(&mut window, CommandId::CreateRig);
    reckoned(&mut window);
    window.click("Create Rig");
    let app = window.app();
    let rig = app.editor().workspace().rig(app.state().active.unwrap()).unwrap().clone();
    assert_eq!((rig.nodes.len(), rig.name.as_str()), (14, "torso"));
    command(&mut window, CommandId::Export);
    reckoned(&mut window);
    window.click("Create Skeleton");
    let app = window.app();
    let skeleton = app.editor().workspace().skeleton(app.state().active.unwrap()).unwrap();
    assert_eq!(skeleton.bones.len(), 14);
}

/// Both documents are saved beside each other under the names that were asked for.
#[test]
fn results_are_saved_beside_each_other() {
    let place = Place::new();
    let rig = [place.path("torso.rig")];
    let motion = [place.path("torso.motion")];
    let file = place.write("torso.anm", &sample("torso.anm"));
    let answers: [&[std::path::PathBuf]; 2] = [&motion, &rig];
    let mut window = Window::sized(place.config(), &answers, &[file], [1600.0, 1000.0]);
    command(&mut window, CommandId::CreateRigAndClip);
    reckoned(&mut window);
    window.click("Create Rig and Clip");
    command(&mut window, CommandId::Save);
    window.click("torso.rig *");
    let active = window.app().state().active.unwrap();
    assert!(window.app().editor().workspace().rig(active).is_some(), "the rig's tab");
    command(&mut window, CommandId::Save);
    window.wait("the rig", |_| place.path("torso.rig").exists());
    let clip = place.read("torso.motion");
    assert!(clip.starts_with("binding: torso.rig\nmodel: torso\n"), "{clip}");
    assert!(place.read("torso.rig").starts_with("name: torso\n"));
    window.click("torso.motion");
    assert_eq!(window.app().stage().len(), 14);
}

/// What is asked, and a result beside its source, in both themes.
#[test]
fn converting_looks_as_it_should() {
    let (_place, mut window) = open(&[]);
    command(&mut window, CommandId::CreateRigAndClip);
    reckoned(&mut window);
    let picture = window.picture();
    window::assert_picture(&picture, "convert-asking-dark");
    window.click("Create Rig and Clip");
    window.click_like("Worst position");
    // What was said of it has gone.
    window.wait("quiet", |window| !window.sees("not saved yet"));
    let picture = window.picture();
    window::assert_picture(&picture, "convert-result-dark");
    command(&mut window, CommandId::ToggleTheme);
    let picture = window.picture();
    window::assert_picture(&picture, "convert-result-light");
}
