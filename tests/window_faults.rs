//! Panics in a frame: no work is lost, and the window goes on.
#![cfg(feature = "gui")]
#![allow(clippy::unwrap_used)] // A test that cannot go on should stop.

mod window;

use posewright::edit::{DocId, Edit, RigEdit};
use posewright::ui::{Action, fault};
use window::{Place, RIG, Window};

struct Test {
    place: Place,
    window: Window,
    doc: DocId,
}

impl Test {
    /// The rig is open, and has an unsaved name.
    fn start() -> Test {
        let place = Place::new();
        let rig = place.write("arm.rig", RIG);
        let window = Window::start(place.config(), &[], &[rig]);
        let doc = window.app().state().active.unwrap();
        let mut test = Test { place, window, doc };
        test.rename("Mine");
        assert_eq!(test.name(), "Mine");
        test
    }

    fn rename(&mut self, name: &str) {
        let edit = RigEdit::SetName { name: name.to_owned() };
        self.window.app_mut().push(Action::Edit(Edit::Rig { doc: self.doc, edit }));
        self.window.run();
    }

    fn name(&self) -> String {
        self.window.app().editor().workspace().rig(self.doc).unwrap().name.clone()
    }

    /// Whether the journal of this running copy holds these words.
    fn journal_holds(&self, words: &str) -> bool {
        let mut folders = vec![self.place.path("recovery")];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if std::fs::read(&path)
                    .is_ok_and(|bytes| bytes.windows(words.len()).any(|w| w == words.as_bytes()))
                {
                    return true;
                }
            }
        }
        false
    }
}

#[test]
fn a_panic_in_an_action_takes_that_action_back_alone() {
    let mut test = Test::start();
    fault::inject("apply", 1);
    test.rename("Lost");
    assert_eq!(test.name(), "Mine");
    assert!(test.window.app().editor().is_dirty(test.doc));
    assert!(test.window.sees("A part of the window failed: a panic for a test in apply"));
    assert!(test.window.sees("fault.rs:"), "the place is told");
    assert!(test.window.sees("Nothing is lost"));
    assert!(test.journal_holds("Mine"), "the journal was flushed at once");
    // And everything goes on.
    test.rename("Next");
    assert_eq!(test.name(), "Next");
    test.window.click("Edit");
    test.window.click_like("Undo");
    assert_eq!(test.name(), "Mine");
}

#[test]
fn a_panel_that_panics_once_is_shown_again() {
    let mut test = Test::start();
    fault::inject("Inspector", 1);
    test.rename("Shown");
    // The change that was made for this frame is taken back, and can be done again.
    assert_eq!(test.name(), "Mine");
    assert!(test.window.sees("Inspector failed: a panic for a test in Inspector"));
    assert!(test.window.sees("Rename rig Mine → Shown\u{201d} was taken back"));
    assert!(test.window.sees("Duration") || test.window.sees("Rig name"), "it is there again");
    test.window.click("Edit");
    test.window.click_like("Redo");
    assert_eq!(test.name(), "Shown");
    assert!(test.window.app().state().panel_faults.is_empty());
}

#[test]
fn a_panel_that_panics_again_and_again_is_closed_and_the_others_stay() {
    let mut test = Test::start();
    fault::inject("Inspector", u32::MAX);
    test.window.run();
    assert!(test.window.sees("Inspector failed twice in a row and was closed"));
    assert!(test.window.sees("Hierarchy"));
    test.rename("More");
    assert_eq!(test.name(), "More", "work goes on without it");
    fault::inject("Inspector", 0);
    test.window.click("Show Inspector again");
    assert!(!test.window.sees("failed twice in a row"));
    assert!(test.window.sees("Rig name"));
    assert_eq!(test.name(), "More");
}

#[test]
fn a_panic_between_frames_costs_nothing() {
    let mut test = Test::start();
    fault::inject("tick", 1);
    test.window.run();
    assert_eq!(test.name(), "Mine");
    assert!(test.window.sees("Your documents are as they were"));
    test.rename("Next");
    assert_eq!(test.name(), "Next");
}

#[test]
fn a_window_that_cannot_be_drawn_still_saves() {
    for part in ["draw", "tick"] {
        let mut test = Test::start();
        fault::inject(part, u32::MAX);
        test.window.run();
        assert!(test.window.sees("The window has failed twice in a row"), "{part}");
        assert!(test.window.sees("arm.rig: not saved"));
        assert!(test.journal_holds("Mine"));
        test.window.click("Save arm.rig");
        assert_eq!(test.place.read("arm.rig"), RIG.replace("Arm", "Mine"));
        assert!(test.window.sees("arm.rig: saved"));
        test.window.click_like("Undo");
        assert_eq!(test.name(), "Arm");
        // Tried too early it fails again, and is plain again.
        test.window.click("Try the window again");
        assert!(test.window.sees("The window has failed twice in a row"), "{part}");
        fault::inject(part, 0);
        test.window.click("Try the window again");
        assert!(test.window.sees("Hierarchy") && test.window.sees("Rig name"), "{part}");
        assert_eq!(test.name(), "Arm");
    }
}

#[test]
fn another_files_name_is_not_taken_by_the_plain_window() {
    let mut test = Test::start();
    let other = test.place.write("other.rig", "name: Other\n");
    fault::inject("draw", u32::MAX);
    test.window.run();
    test.window.click("Where to save arm.rig");
    test.window.keys(window::Modifiers::COMMAND, window::Key::A);
    test.window.type_text(other.to_str().unwrap());
    test.window.click("Save arm.rig");
    assert!(test.window.sees("is there already"));
    assert_eq!(test.place.read("other.rig"), "name: Other\n");
    test.window.click("Where to save arm.rig");
    test.window.keys(window::Modifiers::COMMAND, window::Key::A);
    test.window.type_text(test.place.path("copy.rig").to_str().unwrap());
    test.window.click("Save arm.rig");
    assert_eq!(test.place.read("copy.rig"), RIG.replace("Arm", "Mine"));
    fault::inject("draw", 0);
}

#[test]
fn even_a_plain_window_that_panics_does_not_loop() {
    let mut test = Test::start();
    fault::inject("draw", u32::MAX);
    fault::inject("plain", 3);
    for _ in 0..5 {
        test.window.run();
    }
    assert!(test.window.sees("The window has failed twice in a row"));
    assert_eq!(test.name(), "Mine");
    fault::inject("draw", 0);
}

/// A mistake in what reckons the problems of a document costs those alone.
#[test]
fn a_document_that_cannot_be_checked_can_be_edited() {
    let mut test = Test::start();
    let problems = posewright::ui::PanelId::Problems;
    test.window.app_mut().push(posewright::ui::Action::FocusPanel(problems));
    test.window.run();
    fault::inject("facts", 1);
    test.rename("Odd");
    assert_eq!(test.name(), "Odd");
    let problems = test.window.app().derived().problems(test.doc);
    assert!(problems[0].message.contains("could not be checked"), "{problems:?}");
    test.rename("Next");
    assert!(test.window.app().derived().problems(test.doc).is_empty());
}
