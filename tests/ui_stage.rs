//! Viewport, Hierarchy and Inspector on the real application, by pointer and keys, through the
//! accessibility tree.
#![cfg(feature = "gui")]
#![allow(clippy::unwrap_used)] // Test code: a panic is a failed test.

use eframe::egui::{self, Key, Modifiers, PointerButton, Pos2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use posewright::edit::DocId;
use posewright::io;
use posewright::model::{Property, Track};
use posewright::ui::{App, Config, ScriptedDialogs};
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

struct Window {
    harness: Harness<'static, Option<App>>,
    folder: tempfile::TempDir,
}

impl Window {
    /// The sample project in a folder of its own, opened in a window.
    fn open(files: &[&str]) -> Window {
        let folder = tempfile::tempdir().unwrap();
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/weapon");
        std::fs::create_dir(folder.path().join("data")).unwrap();
        for file in ["draw.motion", "data/weapon-rig.rig"] {
            std::fs::copy(from.join(file), folder.path().join(file)).unwrap();
        }
        // A second clip of the same rig.
        let text = std::fs::read_to_string(folder.path().join("draw.motion")).unwrap();
        std::fs::write(folder.path().join("other.motion"), text).unwrap();
        Window::in_folder(folder, files, ScriptedDialogs::default())
    }

    fn in_folder(folder: tempfile::TempDir, files: &[&str], dialogs: ScriptedDialogs) -> Window {
        let paths: Vec<PathBuf> = files.iter().map(|file| folder.path().join(file)).collect();
        // Made before the first frame, so that its fonts are there.
        let made = Rc::new(RefCell::new(None));
        let making = made.clone();
        let setup = move |ctx: &egui::Context| {
            let mut app = App::new(ctx, Config::default(), Box::new(dialogs));
            app.open_at_start(paths);
            *making.borrow_mut() = Some(app);
        };
        let app = move |ui: &mut egui::Ui, app: &mut Option<App>| {
            let ctx = ui.ctx().clone();
            let app = app.get_or_insert_with(|| made.borrow_mut().take().unwrap());
            app.tick(&ctx);
            app.show(ui);
        };
        let harness = Harness::builder()
            .with_size(vec2(1600.0, 900.0))
            .with_context_setup(setup)
            .build_ui_state(app, None);
        let mut window = Window { harness, folder };
        window.settle();
        window
    }

    fn app(&self) -> &App {
        self.harness.state().as_ref().unwrap()
    }

    fn settle(&mut self) {
        self.harness.run_steps(1);
        while self.app().is_opening() {
            std::thread::sleep(std::time::Duration::from_millis(5));
            self.harness.run_steps(1);
        }
        self.harness.run_steps(4);
    }

    fn click(&mut self, label: &str) {
        self.click_with(label, Modifiers::NONE);
    }

    fn click_with(&mut self, label: &str, modifiers: Modifiers) {
        let at = self.place(label);
        self.click_at(at, modifiers);
    }

    fn click_at(&mut self, at: Pos2, modifiers: Modifiers) {
        self.press(at, modifiers);
        self.release(at, modifiers);
        // So that two clicks are not a double click.
        self.harness.run_steps(30);
    }

    fn place(&self, label: &str) -> Pos2 {
        self.harness.get_by_label(label).rect().center()
    }

    fn press(&mut self, at: Pos2, modifiers: Modifiers) {
        self.harness.event(egui::Event::PointerMoved(at));
        self.harness.step();
        let button = PointerButton::Primary;
        let event = egui::Event::PointerButton { pos: at, button, pressed: true, modifiers };
        self.harness.event_modifiers(event, modifiers);
        self.harness.step();
    }

    fn move_to(&mut self, at: Pos2) {
        self.harness.event(egui::Event::PointerMoved(at));
        self.harness.step();
        self.harness.step();
    }

    fn release(&mut self, at: Pos2, modifiers: Modifiers) {
        let button = PointerButton::Primary;
        let event = egui::Event::PointerButton { pos: at, button, pressed: false, modifiers };
        self.harness.event_modifiers(event, modifiers);
        self.settle();
    }

    fn drag(&mut self, from: Pos2, to: Pos2) {
        self.press(from, Modifiers::NONE);
        for step in 1..=8 {
            self.move_to(from + (to - from) * (step as f32 / 8.0));
        }
        self.release(to, Modifiers::NONE);
    }

    fn key(&mut self, key: Key, modifiers: Modifiers) {
        self.harness.key_press_modifiers(modifiers, key);
        self.settle();
    }

    fn type_text(&mut self, text: &str) {
        self.harness.event(egui::Event::Text(text.to_owned()));
        self.settle();
    }

    /// Types into a field of the inspector and presses Enter.
    fn enter(&mut self, field: &str, text: &str) {
        self.click(field);
        self.type_text(text);
        self.key(Key::Enter, Modifiers::NONE);
    }

    fn doc(&self, name: &str) -> DocId {
        self.app().editor().workspace().by_path(&self.folder.path().join(name)).unwrap()
    }

    fn track(&self, file: &str, part: &str, property: Property) -> Option<Arc<Track>> {
        let clip = self.app().editor().workspace().clip(self.doc(file)).unwrap();
        clip.tracks.iter().find(|t| t.part == part && t.property == property).cloned()
    }

    fn selected_ids(&self) -> Vec<String> {
        let editor = self.app().editor();
        let rig = editor.workspace().documents().find_map(|d| editor.workspace().rig(d.id));
        let node = |selected: &posewright::edit::Selected| match selected {
            posewright::edit::Selected::Node(_, uid) => {
                rig?.nodes.iter().find(|n| n.uid == *uid).map(|n| n.id.clone())
            }
            posewright::edit::Selected::Part(_, part) => Some(part.clone()),
        };
        editor.selection().nodes.iter().filter_map(node).collect()
    }

    fn text(&self, file: &str) -> String {
        std::fs::read_to_string(self.folder.path().join(file)).unwrap()
    }

    /// Brings the playhead to a time by its own keys.
    fn go_to_frame(&mut self, frame: usize) {
        let stage = self.place("Stage");
        self.harness.hover_at(stage);
        self.settle();
        for _ in 0..frame {
            self.harness.key_press(Key::ArrowRight);
            self.harness.step();
        }
        self.settle();
    }
}

#[test]
fn clicks_pick_the_nearest_joint_and_empty_ground_deselects() {
    let mut window = Window::open(&["draw.motion"]);
    window.click("forearm in the stage");
    assert_eq!(window.selected_ids(), ["forearm"]);
    window.click_with("upper_arm in the stage", Modifiers::SHIFT);
    assert_eq!(window.selected_ids(), ["upper_arm", "forearm"]);
    window.click_with("forearm in the stage", Modifiers::COMMAND);
    assert_eq!(window.selected_ids(), ["upper_arm"]);
    // A little beside the joint is still the joint.
    let beside = window.place("spine in the stage") + vec2(5.0, 4.0);
    window.click_at(beside, Modifiers::NONE);
    assert_eq!(window.selected_ids(), ["spine"]);
    let empty = window.place("Stage") + vec2(-300.0, -60.0);
    window.click_at(empty, Modifiers::NONE);
    assert!(window.selected_ids().is_empty());
}

#[test]
fn a_box_selects_what_lies_in_it() {
    let mut window = Window::open(&["draw.motion"]);
    let elbow = window.place("forearm in the stage");
    let hand = window.place("hand in the stage");
    let area = egui::Rect::from_two_pos(elbow, hand).expand(12.0);
    window.drag(area.left_top(), area.right_bottom());
    let selected = window.selected_ids();
    assert!(selected.contains(&"forearm".to_owned()), "{selected:?}");
    assert!(selected.contains(&"hand".to_owned()), "{selected:?}");
    assert!(!selected.contains(&"spine".to_owned()), "{selected:?}");
}

#[test]
fn turning_a_joint_with_the_gizmo_makes_a_key_at_the_playhead() {
    let mut window = Window::open(&["draw.motion"]);
    window.click("hand, 1 track");
    window.go_to_frame(48);
    let before = window.track("draw.motion", "hand", Property::Rotation).unwrap();
    assert!(before.keys.iter().all(|key| key.time != 2.0));
    let grip = window.place("Rotate Z handle");
    window.drag(grip, grip + vec2(30.0, 24.0));
    let after = window.track("draw.motion", "hand", Property::Rotation).unwrap();
    assert_eq!(after.keys.len(), before.keys.len() + 1);
    let key = after.keys.iter().find(|key| key.time == 2.0).unwrap();
    let turned = before.keys.iter().all(|old| (old.value - key.value).length() > 0.05);
    assert!(turned, "{:?}", key.value);
    // One drag is one step.
    window.key(Key::Z, Modifiers::COMMAND);
    let undone = window.track("draw.motion", "hand", Property::Rotation).unwrap();
    assert!(Arc::ptr_eq(&undone, &before));
    assert!(!window.app().editor().is_dirty(window.doc("draw.motion")));
}

#[test]
fn escape_takes_a_drag_back_and_a_typed_number_counts() {
    let mut window = Window::open(&["draw.motion"]);
    window.click("hand, 1 track");
    window.go_to_frame(48);
    let before = window.track("draw.motion", "hand", Property::Rotation).unwrap();
    let grip = window.place("Rotate Z handle");
    window.press(grip, Modifiers::NONE);
    window.move_to(grip + vec2(20.0, 20.0));
    window.move_to(grip + vec2(40.0, 40.0));
    let during = window.track("draw.motion", "hand", Property::Rotation).unwrap();
    assert_eq!(during.keys.len(), before.keys.len() + 1, "the drag shows");
    window.key(Key::Escape, Modifiers::NONE);
    window.move_to(grip + vec2(60.0, 60.0));
    window.release(grip + vec2(60.0, 60.0), Modifiers::NONE);
    let after = window.track("draw.motion", "hand", Property::Rotation).unwrap();
    assert!(Arc::ptr_eq(&after, &before), "nothing is left of it");
    assert_eq!(window.selected_ids(), ["hand"], "its end selects nothing else");

    let rest = window.app().stage().local[4].rotation;
    window.press(grip, Modifiers::NONE);
    window.move_to(grip + vec2(20.0, 20.0));
    window.type_text("90/2");
    window.key(Key::Enter, Modifiers::NONE);
    window.release(grip + vec2(20.0, 20.0), Modifiers::NONE);
    let turned = window.app().stage().local[4].rotation;
    let angle = rest.angle_between(turned).to_degrees();
    assert!((angle - 45.0).abs() < 1e-6, "{angle}");
}

#[test]
fn in_the_rig_workspace_the_gizmo_moves_the_rest() {
    let mut window = Window::open(&["draw.motion"]);
    let before = window.text("draw.motion");
    window.key(Key::Num2, Modifiers::COMMAND | Modifiers::ALT);
    window.click("crate");
    window.click("Move");
    let grip = window.place("Move Y handle");
    window.press(grip, Modifiers::NONE);
    window.move_to(grip - vec2(0.0, 20.0));
    window.type_text("0.5");
    window.key(Key::Enter, Modifiers::NONE);
    window.release(grip - vec2(0.0, 20.0), Modifiers::NONE);
    let rig = window.app().editor().workspace().rig(window.doc("data/weapon-rig.rig")).unwrap();
    let node = rig.nodes.iter().find(|node| node.id == "crate").unwrap();
    assert_eq!(node.position.to_array(), [0.7, 0.7, -0.4]);
    assert!(!window.app().editor().is_dirty(window.doc("draw.motion")));
    assert_eq!(window.text("draw.motion"), before);
}

#[test]
fn fields_reckon_and_write_only_what_changed() {
    let mut window = Window::open(&["draw.motion"]);
    window.key(Key::Num2, Modifiers::COMMAND | Modifiers::ALT);
    window.click("hand, 1 track");
    window.enter("Rest rotation Z", "90/2");
    window.enter("Rest position X", "+=0.02");
    window.enter("Rest scale Y", "*2");
    window.key(Key::S, Modifiers::COMMAND | Modifiers::ALT);
    let text = window.text("data/weapon-rig.rig");
    let at = text.find("- id: hand").unwrap();
    let hand = &text[at..at + 200];
    assert!(hand.contains("position: [0.3, 0, 0]"), "{hand}");
    assert!(hand.contains("rotation: [0, 0, 0.7853981633974483]"), "{hand}");
    assert!(hand.contains("scale: [1, 2, 1]"), "{hand}");
    // What is no number changes nothing, and Escape leaves the field.
    window.enter("Rest position X", "abc");
    window.key(Key::Escape, Modifiers::NONE);
    assert!(!window.app().editor().is_dirty(window.doc("data/weapon-rig.rig")));
}

#[test]
fn a_drag_in_a_field_is_one_step_and_offsets_each() {
    let mut window = Window::open(&["draw.motion"]);
    window.key(Key::Num2, Modifiers::COMMAND | Modifiers::ALT);
    window.click("hand, 1 track");
    window.click_with("forearm, 1 track", Modifiers::COMMAND);
    let doc = window.doc("data/weapon-rig.rig");
    let x = |window: &Window, id: &str| {
        let rig = window.app().editor().workspace().rig(doc).unwrap();
        rig.nodes.iter().find(|node| node.id == id).unwrap().position.x
    };
    let field = window.place("Rest position X");
    window.drag(field, field + vec2(40.0, 0.0));
    let moved = (x(&window, "hand") - 0.28, x(&window, "forearm") - 0.32);
    assert!(moved.0 > 0.05 && (moved.0 - moved.1).abs() < 1e-9, "{moved:?}");
    window.key(Key::Z, Modifiers::COMMAND);
    assert_eq!((x(&window, "hand"), x(&window, "forearm")), (0.28, 0.32));
}

#[test]
fn renaming_a_joint_renames_it_in_two_clips_and_one_undo_brings_all_back() {
    let mut window = Window::open(&["draw.motion", "other.motion"]);
    let files = ["draw.motion", "other.motion", "data/weapon-rig.rig"];
    let before: Vec<String> = files.iter().map(|file| window.text(file)).collect();
    window.click("hand, 1 track");
    window.key(Key::F2, Modifiers::NONE);
    // Not an id: it is refused while it is typed.
    window.type_text("ha/nd");
    window.key(Key::Enter, Modifiers::NONE);
    assert!(window.track("draw.motion", "hand", Property::Rotation).is_some());
    window.type_text("wrist");
    window.key(Key::Enter, Modifiers::NONE);
    for file in ["draw.motion", "other.motion"] {
        assert!(window.track(file, "wrist", Property::Rotation).is_some(), "{file}");
        assert!(window.track(file, "hand", Property::Rotation).is_none(), "{file}");
    }
    window.key(Key::S, Modifiers::COMMAND | Modifiers::ALT);
    for (file, before) in files.iter().zip(&before) {
        let after = window.text(file);
        let changed: Vec<_> = before.lines().zip(after.lines()).filter(|(a, b)| a != b).collect();
        assert!(!changed.is_empty() && changed.iter().all(|(_, b)| b.contains("wrist")), "{file}");
    }
    window.key(Key::Z, Modifiers::COMMAND);
    window.key(Key::S, Modifiers::COMMAND | Modifiers::ALT);
    for (file, before) in files.iter().zip(&before) {
        assert_eq!(window.text(file), *before, "{file}");
    }
}

#[test]
fn closed_clips_that_use_a_joint_are_named_before_it_is_renamed() {
    let rename = |window: &mut Window| {
        window.click("hand, 1 track");
        window.key(Key::F2, Modifiers::NONE);
        window.type_text("wrist");
        window.key(Key::Enter, Modifiers::NONE);
        // Nothing happens before the answer.
        assert!(window.track("draw.motion", "hand", Property::Rotation).is_some());
    };
    let open = |window: &Window, file: &str| {
        window.app().editor().workspace().documents().any(|d| d.name() == file)
    };
    let mut window = Window::open(&["draw.motion"]);
    rename(&mut window);
    window.click("Cancel");
    assert!(window.track("draw.motion", "hand", Property::Rotation).is_some());
    rename(&mut window);
    window.click("Change them too");
    for file in ["draw.motion", "other.motion"] {
        assert!(window.track(file, "wrist", Property::Rotation).is_some(), "{file}");
    }
    // Opened, unsaved.
    assert!(window.text("other.motion").contains("part: hand"));

    let mut window = Window::open(&["draw.motion"]);
    rename(&mut window);
    window.click("Leave them");
    assert!(window.track("draw.motion", "wrist", Property::Rotation).is_some());
    assert!(!open(&window, "other.motion"));
}

#[test]
fn a_new_rig_of_five_joints_mirrored_with_a_model_is_clean() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("arm.rig");
    let dialogs = ScriptedDialogs { answers: [vec![file.clone()]].into() };
    let mut window = Window::in_folder(folder, &[], dialogs);
    window.key(Key::N, Modifiers::COMMAND | Modifiers::SHIFT);
    // A chain: each new joint hangs below the one before.
    for _ in 0..5 {
        window.click("Add child");
    }
    let names = |window: &Window| -> Vec<String> {
        let editor = window.app().editor();
        let rig = editor.workspace().documents().find_map(|d| editor.workspace().rig(d.id));
        rig.unwrap().nodes.iter().map(|node| node.id.clone()).collect()
    };
    assert_eq!(names(&window).len(), 5);
    // Joints with a side have a mirrored twin.
    window.click("joint2");
    window.key(Key::F2, Modifiers::NONE);
    window.type_text("arm.L");
    window.key(Key::Enter, Modifiers::NONE);
    window.enter("Rest position X", "0.3");
    window.click("What to do with nodes");
    window.click("Mirror");
    assert!(names(&window).contains(&"arm.R".to_owned()), "{:?}", names(&window));
    // A model on the last joint.
    window.click("joint5");
    let field = window.harness.get_by_role_and_label(egui::Role::TextInput, "Model");
    let field = field.rect().center();
    window.click_at(field, Modifiers::NONE);
    window.type_text("gun");
    window.key(Key::Enter, Modifiers::NONE);
    window.key(Key::S, Modifiers::COMMAND);
    window.settle();
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains("id: arm.R") && text.contains("model: gun"), "{text}");
    let checked = io::check(&file, None).unwrap();
    assert!(checked.opened.problems.is_empty(), "{:?}", checked.opened.problems);
}

/// Rows between rows: a node takes another place among its siblings; onto another parent's
/// children it goes there.
#[test]
fn rows_are_moved_between_rows() {
    let mut window = Window::open(&["draw.motion"]);
    let order = |window: &Window| -> Vec<(String, Option<String>)> {
        let rig = window.app().editor().workspace().rig(window.doc("data/weapon-rig.rig")).unwrap();
        rig.nodes.iter().map(|node| (node.id.clone(), node.parent.clone())).collect()
    };
    let place = |ids: &[(String, Option<String>)], id: &str| {
        ids.iter().position(|(other, _)| other == id).unwrap()
    };
    let before = order(&window);
    assert!(place(&before, "fingers") < place(&before, "weapon"));
    // The weapon goes before the fingers: onto the upper edge of their row.
    let row = window.harness.get_by_label("fingers, 1 track").rect();
    let from = window.place("weapon, 1 track");
    window.drag(from, egui::pos2(row.center().x, row.top() + 3.0));
    let after = order(&window);
    assert!(place(&after, "weapon") < place(&after, "fingers"), "{after:?}");
    assert_eq!(after.len(), before.len());
    assert_eq!(after[place(&after, "weapon")].1.as_deref(), Some("hand"), "its parent stays");
    window.key(Key::Z, Modifiers::COMMAND);
    assert_eq!(order(&window), before, "one step");

    // Behind the upper arm is first below it, where it is open; the place in the world stays.
    let world = |window: &Window, id: &str| {
        let stage = window.app().stage();
        stage.world[stage.find(id).unwrap()].position
    };
    let stood = world(&window, "crate");
    let row = window.harness.get_by_label("upper_arm, 1 track").rect();
    let from = window.place("crate");
    window.drag(from, egui::pos2(row.center().x, row.bottom() - 3.0));
    let after = order(&window);
    assert_eq!(after[place(&after, "crate")].1.as_deref(), Some("upper_arm"));
    assert!(place(&after, "crate") < place(&after, "forearm"), "{after:?}");
    assert!(world(&window, "crate").distance(stood) < 1e-3);
    window.key(Key::Z, Modifiers::COMMAND);
    assert_eq!(order(&window), before);

    // Nothing hangs below itself.
    let row = window.harness.get_by_label("hand, 1 track").rect();
    let from = window.place("upper_arm, 1 track");
    window.drag(from, egui::pos2(row.center().x, row.bottom() - 3.0));
    assert_eq!(order(&window), before);
}

/// A joint is extruded in Rig, and the move that follows sets its rest; in Animate it is refused,
/// since the move would make a key.
#[test]
fn a_joint_is_extruded_with_its_rest() {
    let mut window = Window::open(&["draw.motion"]);
    let rig = |window: &Window| {
        window.app().editor().workspace().rig(window.doc("data/weapon-rig.rig")).unwrap().clone()
    };
    window.click("hand, 1 track");
    let over = window.place("Stage");
    window.harness.hover_at(over);
    window.settle();
    window.key(Key::E, Modifiers::NONE);
    assert_eq!(rig(&window).nodes.len(), 8, "nothing in Animate");
    window.key(Key::Num2, Modifiers::COMMAND | Modifiers::ALT);
    let over = window.place("Stage");
    window.harness.hover_at(over);
    window.settle();
    window.key(Key::E, Modifiers::NONE);
    assert_eq!(rig(&window).nodes.len(), 9);
    let before = rig(&window).nodes.iter().find(|n| n.id == "hand2").unwrap().position;
    window.move_to(over + vec2(40.0, -30.0));
    window.press(over + vec2(40.0, -30.0), Modifiers::NONE);
    window.release(over + vec2(40.0, -30.0), Modifiers::NONE);
    let after = rig(&window).nodes.iter().find(|n| n.id == "hand2").unwrap().position;
    assert!(before.distance(after) > 0.01, "{before} {after}");
    assert!(!window.app().editor().is_dirty(window.doc("draw.motion")), "no key was made");
}
