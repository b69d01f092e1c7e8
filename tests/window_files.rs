//! Files in the window: opening, mending, saving, closing, recovering.
#![cfg(feature = "gui")]
#![allow(clippy::unwrap_used)] // A test that cannot go on should stop.

mod window;

use window::{BROKEN, Key, Modifiers, Place, Queryable, RIG, Window, egui};

/// Journey d: a broken clip opens as text; its repairs make it load; it is saved.
#[test]
fn a_broken_clip_is_mended_by_its_repairs() {
    let place = Place::new();
    place.write("arm.rig", RIG);
    let clip = place.write("wave.motion", BROKEN);
    let mut window = Window::start(place.config(), &[], &[clip]);
    assert!(window.sees("does not load yet"), "the status line says so");
    assert!(window.sees("Key times must increase strictly within the clip duration"));
    assert!(window.sees("Expected [x, y, z]"));
    window.click("Put the vector on one line");
    window.click("Sort the keys");
    let doc = window.app().state().active.unwrap();
    assert!(window.app().editor().workspace().clip(doc).is_some(), "it is a clip now");
    assert_eq!(window.app().stage().names(), ["hand"], "its rig was opened");
    // Each repair is a step of its own.
    window.keys(Modifiers::COMMAND, Key::Z);
    assert!(window.app().editor().workspace().clip(doc).is_none());
    window.keys(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    assert!(window.app().editor().workspace().clip(doc).is_some());
    window.keys(Modifiers::COMMAND, Key::S);
    let saved = "\
# A broken clip.
binding: arm.rig
model: Arm
duration: 2
loop: false
tracks:
  - part: hand
    property: position
    interpolation: linear
    keys:
      - time: 0
        value: [0, 0, 0]
      - time: 1  # later
        value: [1, 0, 0]
  - part: hand
    property: scale
    interpolation: linear
    keys:
      - time: 0
        value: [1, 1, 1]
";
    assert_eq!(place.read("wave.motion"), saved);
    assert!(!window.app().editor().is_dirty(doc));
    assert!(window.sees("saved"));
}

/// The text itself can be edited, and that is undone as one step.
#[test]
fn a_broken_text_is_edited_by_hand() {
    let place = Place::new();
    let rig = place.write("arm.rig", "name: Arm\nversion: 1\nnodes: []\n");
    let mut window = Window::start(place.config(), &[], std::slice::from_ref(&rig));
    let doc = window.app().state().active.unwrap();
    type_at_the_end(&mut window, "# mine");
    let text = |window: &Window| window.app().editor().workspace().content(doc).unwrap().text();
    assert!(text(&window).contains("# mine"));
    assert!(window.app().editor().is_dirty(doc));
    // The field keeps Ctrl+Z until it is left; afterwards the document's own undo takes it back.
    window.click("arm.rig *");
    window.click("Edit");
    window.click_like("Undo");
    assert_eq!(*text(&window), *"name: Arm\nversion: 1\nnodes: []\n");
    assert!(!window.app().editor().is_dirty(doc));
}

fn type_at_the_end(window: &mut Window, words: &str) {
    window.harness.get_by_label("Text of the file").click();
    window.run();
    window.keys(Modifiers::COMMAND, Key::End);
    window.type_text(words);
}

#[test]
fn closing_asks_about_unsaved_changes() {
    let place = Place::new();
    let rig = place.write("arm.rig", "name: Arm\nversion: 1\nnodes: []\n");
    let mut window = Window::start(place.config(), &[], std::slice::from_ref(&rig));
    let doc = window.app().state().active.unwrap();
    window.click("Delete the version line");
    assert!(window.app().editor().is_dirty(doc));
    window.keys(Modifiers::COMMAND, Key::W);
    assert!(window.sees("Save the changes to arm.rig?"));
    window.click("Cancel");
    assert!(window.app().editor().workspace().document(doc).is_some());
    window.keys(Modifiers::COMMAND, Key::W);
    window.key(Key::Escape);
    assert!(window.app().editor().workspace().document(doc).is_some(), "Escape is Cancel");
    window.click("Close arm.rig");
    window.click("Don't save");
    assert!(window.app().editor().workspace().document(doc).is_none());
    assert_eq!(place.read("arm.rig"), "name: Arm\nversion: 1\nnodes: []\n");

    let mut window = Window::start(place.config(), &[], &[rig]);
    window.click("Delete the version line");
    window.keys(Modifiers::COMMAND, Key::W);
    window.click("Save");
    assert_eq!(place.read("arm.rig"), "name: Arm\nnodes: []\n");
    assert!(window.app().state().active.is_none());
}

/// The close button of the window asks too, about all documents.
#[test]
fn the_window_does_not_close_over_unsaved_work() {
    let place = Place::new();
    let mut window = Window::start(place.config(), &[], &[]);
    window.click_like("New Model Clip");
    let request = |window: &mut Window| {
        let input = window.harness.input_mut();
        let viewport = input.viewports.entry(egui::ViewportId::ROOT).or_default();
        viewport.events.push(egui::ViewportEvent::Close);
        window.harness.step();
        window
            .harness
            .input_mut()
            .viewports
            .entry(egui::ViewportId::ROOT)
            .or_default()
            .events
            .clear();
        window.run();
    };
    request(&mut window);
    assert!(window.sees("Save the changes to untitled.motion?"));
    window.click("Cancel");
    assert_eq!(window.app().editor().workspace().documents().count(), 1);
    request(&mut window);
    window.click("Don't save");
    assert_eq!(window.app().editor().workspace().documents().count(), 0);
}

#[test]
fn a_new_rig_is_saved_where_the_dialog_says() {
    let place = Place::new();
    let target = place.path("new.rig");
    let answers = [std::slice::from_ref(&target)];
    let mut window = Window::start(place.config(), &answers, &[]);
    window.click_like("New Rig");
    // The first that begins so is "New Rig Clip…", which asks for a rig: it was answered with a
    // file that is not there.
    assert!(window.app().state().active.is_none());
    let mut window = Window::start(place.config(), &answers, &[]);
    window.keys(Modifiers::COMMAND | Modifiers::SHIFT, Key::N);
    window.keys(Modifiers::COMMAND, Key::S);
    assert_eq!(place.read("new.rig"), "name: Rig\nnodes: []\n");
    assert!(window.sees("draft"), "a draft is said to be one");
}

#[test]
fn samples_and_recent_files_open() {
    let place = Place::new();
    let mut window = Window::start(place.config(), &[], &[]);
    window.click("Draw a weapon");
    assert!(place.path("samples/weapon/draw.motion").is_file());
    assert_eq!(window.app().state().tabs.len(), 2, "the clip and its rig");
    assert!(window.app().stage().len() > 4);
    assert_eq!(window.app().derived().count(window.app().editor().workspace()).errors, 0);
    window.keys(Modifiers::COMMAND, Key::W);
    window.keys(Modifiers::COMMAND, Key::W);
    assert!(window.app().state().tabs.is_empty());
    window.click("draw.motion");
    assert_eq!(window.app().state().tabs.len(), 2, "by the list of recent files");
}

#[test]
fn a_folder_opens_as_a_project() {
    let place = Place::new();
    place.write("p/arm.rig", RIG);
    place.write("p/bad.motion", BROKEN);
    place.write("p/sub/note.txt", "nothing");
    let folder = place.path("p");
    let answers = [std::slice::from_ref(&folder)];
    let mut window = Window::start(place.config(), &answers, &[]);
    window.keys(Modifiers::COMMAND | Modifiers::SHIFT, Key::O);
    // Its files come to the front by themselves.
    window.wait("the files are listed", |window| window.sees("Open bad.motion"));
    assert!(window.sees("Open arm.rig"));
    assert!(!window.sees("note.txt"));
    window.click("Open bad.motion, error");
    assert!(window.sees("does not load yet"));
}

#[test]
fn a_file_that_somebody_else_changed_is_reloaded_or_asked_about() {
    let place = Place::new();
    let rig = place.write("arm.rig", RIG);
    let config = posewright::ui::Config { watch: true, ..place.config() };
    let mut window = Window::start(config, &[], std::slice::from_ref(&rig));
    let doc = window.app().state().active.unwrap();
    let name = |window: &Window| window.app().editor().workspace().rig(doc).unwrap().name.clone();
    place.write("arm.rig", &RIG.replace("Arm", "Leg"));
    window.wait("it is reloaded", |window| name(window) == "Leg");
    assert!(!window.app().editor().is_dirty(doc));

    // With unsaved work, a bar asks.
    let edit = posewright::edit::RigEdit::SetName { name: "Mine".to_owned() };
    window.app_mut().push(posewright::ui::Action::Edit(posewright::edit::Edit::Rig { doc, edit }));
    window.run();
    place.write("arm.rig", &RIG.replace("Arm", "Theirs"));
    window.wait("the bar", |window| window.sees("was changed on disk while you changed it"));
    window.keys(Modifiers::COMMAND, Key::S);
    assert!(place.read("arm.rig").contains("Theirs"), "nothing is overwritten before the answer");
    window.click("Show the difference");
    assert!(window.sees("name: Theirs") && window.sees("name: Mine"));
    window.click_like("Keep mine");
    window.keys(Modifiers::COMMAND, Key::S);
    assert_eq!(place.read("arm.rig"), RIG.replace("Arm", "Mine"));
}

/// The child of the next test: works on a text and waits to be killed.
fn work_until_killed(folder: &str) -> ! {
    let folder = std::path::Path::new(folder);
    let config = posewright::ui::Config {
        recovery_folder: Some(folder.join("recovery")),
        ..posewright::ui::Config::default()
    };
    let mut window = Window::start(config, &[], &[folder.join("arm.rig")]);
    type_at_the_end(&mut window, "# unsaved");
    window.click_like("arm.rig");
    let start = std::time::Instant::now();
    while start.elapsed().as_secs() < 60 {
        window.run();
        if start.elapsed().as_millis() > 2500 {
            std::fs::write(folder.join("ready"), "").unwrap();
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    std::process::exit(1);
}

/// Journey e: the process is killed with unsaved work; the next start offers it.
#[test]
fn unsaved_work_outlives_a_kill() {
    const CHILD: &str = "POSEWRIGHT_TEST_CHILD";
    if let Ok(folder) = std::env::var(CHILD) {
        work_until_killed(&folder);
    }
    let place = Place::new();
    let text = "name: Arm\nversion: 1\nnodes: []\n";
    let rig = place.write("arm.rig", text);
    let mut child = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "unsaved_work_outlives_a_kill", "--nocapture"])
        .env(CHILD, place.folder.path())
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let start = std::time::Instant::now();
    while !place.path("ready").is_file() {
        assert!(start.elapsed().as_secs() < 50, "the child works");
        assert!(child.try_wait().unwrap().is_none(), "the child lives");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(place.read("arm.rig"), text, "the file itself is untouched");

    let mut window = Window::start(place.config(), &[], &[]);
    assert!(window.sees("Unsaved work on arm.rig was left behind"));
    window.click("Recover");
    let doc = window.app().editor().workspace().by_path(&rig).unwrap();
    let found = window.app().editor().workspace().content(doc).unwrap().text();
    assert_eq!(*found, *format!("{text}# unsaved"));
    assert!(window.app().editor().is_dirty(doc));
    assert!(!window.sees("was left behind"), "it is offered once");
    drop(window);

    // What was recovered and not saved is in the new journal.
    let mut window = Window::start(place.config(), &[], &[]);
    window.wait("it is offered again", |window| window.sees("was left behind"));
    window.click("Discard");
    drop(window);
    let window = Window::start(place.config(), &[], &[]);
    assert!(!window.sees("was left behind"), "discarded is discarded");
}

/// A clip that takes a moment to read.
fn large_clip() -> String {
    let mut text =
        String::from("format:\n  version: 1.0.0\nmodel: m\nduration: 3600\nloop: false\ntracks:\n");
    for part in 0..128 {
        text.push_str(&format!(
            "  - part: p{part}\n    property: position\n    interpolation: linear\n    keys:\n"
        ));
        for key in 0..512 {
            // Odd lines, which no fast path takes.
            text.push_str(&format!(
                "      - {{time: {key}, value: [0, 0, {key}], note: [a, b]}}\n"
            ));
        }
    }
    text
}

/// A step a time, until something is so.
fn step_until(window: &mut Window, what: &str, done: impl Fn(&Window) -> bool) {
    let start = std::time::Instant::now();
    while !done(window) {
        assert!(start.elapsed().as_secs() < 60, "still not so: {what}");
        std::thread::sleep(std::time::Duration::from_millis(10));
        window.harness.step();
    }
}

#[test]
fn a_large_file_shows_how_far_it_is_and_the_window_stays_usable() {
    let place = Place::new();
    let large = place.write("large.motion", &large_clip());
    let small = place.write("arm.rig", RIG);
    let mut window = Window::start(place.config(), &[], &[]);
    window.app_mut().push(posewright::ui::Action::Open(vec![large.clone(), small]));
    step_until(&mut window, "the progress", |window| window.sees("Opening large.motion"));
    assert!(window.app().is_opening());
    // Meanwhile something else is made, and stays.
    window.app_mut().push(posewright::ui::Action::Command(posewright::ui::CommandId::NewModelClip));
    window.harness.step();
    window.harness.step();
    assert!(window.app().is_opening(), "it is still on its way");
    assert_eq!(window.app().state().tabs.len(), 1, "a tab besides");
    step_until(&mut window, "it is there", |window| !window.app().is_opening());
    window.run();
    assert!(!window.sees("Opening large.motion"));
    let names: Vec<String> = {
        let app = window.app();
        let document = |doc: &_| app.editor().workspace().document(*doc).unwrap().name();
        app.state().tabs.iter().map(document).collect()
    };
    assert_eq!(
        names,
        ["untitled.motion", "large.motion", "arm.rig"],
        "in the order of the request"
    );
    let doc = window.app().editor().workspace().by_path(&large).unwrap();
    assert_eq!(window.app().editor().workspace().clip(doc).unwrap().tracks.len(), 128);
}

#[test]
fn opening_that_is_cancelled_leaves_no_trace() {
    let place = Place::new();
    let large = place.write("large.motion", &large_clip());
    let mut window = Window::start(place.config(), &[], &[]);
    for escape in [false, true] {
        window.app_mut().push(posewright::ui::Action::Open(vec![large.clone()]));
        step_until(&mut window, "the progress", |window| window.sees("Opening large.motion"));
        if escape {
            window.harness.key_press(Key::Escape);
        } else {
            window.harness.get_by_label("Cancel opening large.motion").click();
        }
        window.harness.step();
        window.harness.step();
        window.harness.step();
        assert!(!window.app().is_opening() && !window.sees("Opening large.motion"));
        let state = window.app().state();
        assert!(state.tabs.is_empty() && state.settings.recent.is_empty());
        assert!(state.welcome, "the page from before is there");
        assert_eq!(window.app().editor().workspace().documents().count(), 0);
    }
    // It can be opened again, as if nothing had been.
    window.app_mut().push(posewright::ui::Action::Open(vec![large.clone()]));
    window.harness.step();
    window.run();
    assert!(window.app().editor().workspace().by_path(&large).is_some());
}

/// Going back to a large file shows how far it is, blocks nothing, and can be cancelled.
#[test]
fn a_large_file_is_read_anew_beside_the_window() {
    use posewright::edit::{ClipEdit, Edit};
    use posewright::ui::{Action, CommandId};
    let place = Place::new();
    let large = place.write("large.motion", &large_clip());
    let mut window = Window::start(place.config(), &[], &[large]);
    let doc = window.app().state().active.unwrap();
    let looping = |window: &Window| window.app().editor().workspace().clip(doc).unwrap().looping;
    let as_saved = looping(&window);
    let edit = Edit::Clip { doc, edit: ClipEdit::SetLoop { looping: !as_saved } };
    window.app_mut().push(Action::Edit(edit));
    window.run();
    let key = |window: &Window| {
        window.app().editor().workspace().clip(doc).unwrap().tracks[3].keys[7].uid
    };
    let before = key(&window);
    for cancelled in [true, false] {
        window.app_mut().push(Action::Command(CommandId::Revert));
        let start = std::time::Instant::now();
        window.harness.step();
        assert!(window.app().is_opening(), "read by another thread");
        if cancelled {
            step_until(&mut window, "the progress", |w| w.sees("Reloading large.motion"));
            window.harness.get_by_label("Cancel reloading large.motion").click();
            window.harness.step();
            window.harness.step();
            window.harness.step();
            assert!(!window.app().is_opening() && window.sees("large.motion is not reloaded"));
            assert_eq!(looping(&window), !as_saved, "the work is still there");
            continue;
        }
        let first_frame = start.elapsed();
        step_until(&mut window, "it is there", |window| !window.app().is_opening());
        assert!(first_frame < start.elapsed(), "frames went on");
        window.run();
        assert_eq!((looping(&window), key(&window)), (as_saved, before));
        assert!(!window.app().editor().is_dirty(doc));
    }
}

#[test]
fn a_clip_is_not_saved_outside_of_its_project_unasked() {
    let place = Place::new();
    let text = "binding: rigs/arm.rig\nmodel: Arm\nduration: 1\nloop: true\ntracks: []\n";
    place.write("p/rigs/arm.rig", RIG);
    let clip = place.write("p/wave.motion", text);
    std::fs::create_dir_all(place.path("away")).unwrap();
    let (away, inside) = (place.path("away/wave.motion"), place.path("p/sub.motion"));
    let at = |path: &std::path::PathBuf| vec![path.clone()];
    let answers = [at(&away), at(&away), at(&inside), at(&away)];
    let answers: Vec<&[std::path::PathBuf]> = answers.iter().map(Vec::as_slice).collect();
    let mut window = Window::start(place.config(), &answers, std::slice::from_ref(&clip));
    let save_as = |window: &mut Window| window.keys(Modifiers::COMMAND | Modifiers::SHIFT, Key::S);
    save_as(&mut window);
    assert!(window.sees("Save wave.motion outside of its project?"));
    assert!(window.sees("leads to no file") && !away.exists(), "nothing is written yet");
    window.key(Key::Escape);
    assert!(!window.sees("outside of its project?") && !away.exists());
    // Another place, inside: no question.
    save_as(&mut window);
    window.click("Choose another place…");
    assert!(inside.exists() && !away.exists() && !window.sees("outside of its project?"));
    // Where the user wants it, it is written as it is.
    save_as(&mut window);
    window.click("Save there");
    assert_eq!(place.read("away/wave.motion"), text, "the binding is what it was");
    assert_eq!(place.read("p/wave.motion"), text);
}

/// A text that does not load: its lines are marked, a click in the list goes there, and what has
/// more than one answer is chosen.
#[test]
fn answers_are_chosen_where_there_are_several() {
    let text = |keys: &str| {
        format!(
            "binding: arm.rig\nmodel: Arm\nduration: 2\nloop: false\ntracks:\n  - part: hand\n    \
             property: position\n    interpolation: linear\n    keys:\n{keys}"
        )
    };
    let one = "      - time: 1\n        value: [1, 0, 0]\n";
    let two = "      - time: 1\n        value: [2, 0, 0]\n";
    let place = Place::new();
    place.write("arm.rig", RIG);
    let clip = place.write("wave.motion", &text(&format!("{one}{two}")));
    let mut window = Window::start(place.config(), &[], &[clip]);
    let doc = window.app().state().active.unwrap();
    assert!(window.sees("1 problem is marked"));
    window.click_like("error: tracks[0].keys[1].time");
    assert!(window.sees("Line 12: Key times must increase strictly"), "what is wrong there");
    window.click("Choose a repair");
    assert!(window.sees("Keep the first: [1, 0, 0]"));
    window.click("Keep the second: [2, 0, 0]");
    let now = |window: &Window| window.app().editor().workspace().content(doc).unwrap().text();
    assert_eq!(*now(&window), *text(two));
    assert!(window.app().editor().workspace().clip(doc).is_some(), "it is a clip now");
    window.keys(Modifiers::COMMAND, Key::Z);
    assert_eq!(*now(&window), *text(&format!("{one}{two}")), "undone as all else");
}

/// A click on a problem selects its row, focuses its field and shows its line.
#[test]
fn a_click_on_a_problem_goes_to_its_field() {
    let place = Place::new();
    let text = "binding: gone.rig\nmodel: Arm\nduration: 2\nloop: false\ntracks:\n  - part: hand\n    \
        property: position\n    interpolation: linear\n    keys:\n      - time: 0\n        value: [0, 0, 0]\n";
    let clip = place.write("wave.motion", text);
    let mut window = Window::start(place.config(), &[], &[clip]);
    window.app_mut().push(posewright::ui::Action::FocusPanel(posewright::ui::PanelId::Problems));
    window.run();
    window.click_like("error: binding");
    let field = window.harness.get_by_role_and_label(egui::Role::TextInput, "Binding");
    assert!(field.is_focused(), "the field has the keys");
    assert_eq!(window.app().state().go_to_line.map(|(_, line, _)| line), Some(1));
    window.key(Key::Escape);
    assert_eq!(place.read("wave.motion"), text);
}
