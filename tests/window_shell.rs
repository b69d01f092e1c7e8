//! The window around the panels: palette, keymaps, themes, panels, pictures.
#![cfg(feature = "gui")]
#![allow(clippy::unwrap_used)] // A test that cannot go on should stop.

mod window;

use posewright::ui::command::CommandId;
use posewright::ui::keys::Keymap;
use posewright::ui::paint::Picture;
use posewright::ui::{Action, CompareAsk, PanelId, ThemeChoice, WorkspaceTab};
use window::{Key, Modifiers, Place, Queryable, Window, assert_picture, difference, egui, store};

fn sample(place: &Place) -> Window {
    let mut window = Window::start(place.config(), &[], &[]);
    window.click("Draw a weapon");
    window
}

fn by_palette(window: &mut Window, words: &str) {
    window.keys(Modifiers::COMMAND | Modifiers::SHIFT, Key::P);
    window.type_text(words);
    window.key(Key::Enter);
}

#[test]
fn the_palette_finds_commands() {
    let place = Place::new();
    let mut window = Window::start(place.config(), &[], &[]);
    assert_eq!(window.app().state().settings.theme, ThemeChoice::Dark);
    by_palette(&mut window, "light");
    assert_eq!(window.app().state().settings.theme, ThemeChoice::Light);
    window.key(Key::F3);
    window.type_text("nothing is called this");
    assert!(window.sees("Nothing of that name"));
    window.key(Key::Escape);
    assert!(!window.sees("Nothing of that name"));
}

/// A panel is found by its name, behind another tab and hidden.
#[test]
fn the_palette_finds_panels() {
    let place = Place::new();
    let mut window = sample(&place);
    assert!(window.harness.query_by_label("Fit all").is_none(), "the dope sheet is in front");
    by_palette(&mut window, "curves");
    assert!(
        window.harness.query_by_label("Fit all").is_some() || window.sees("tracks at the left")
    );
    let tab = window.app().state().workspace_tab;
    window.app_mut().push(Action::ShowPanel(PanelId::Inspector, false));
    window.run();
    let is_shown =
        |window: &Window| window.app().state().settings.layouts.is_shown(tab, PanelId::Inspector);
    assert!(!is_shown(&window));
    by_palette(&mut window, "show inspector");
    assert!(is_shown(&window));
    // And commands by what they do.
    by_palette(&mut window, "dark theme");
    assert_eq!(window.app().state().settings.theme, ThemeChoice::Light);
}

/// Window lists and task bars tell by the title which file is open, and whether it is saved.
#[test]
fn the_title_names_the_document() {
    let place = Place::new();
    let mut window = Window::start(place.config(), &[], &[]);
    assert_eq!(window.app().title(), "Posewright");
    window = sample(&place);
    assert_eq!(window.app().title(), "draw.motion – Posewright");
    window.click("hand");
    window.app_mut().push(Action::SetPlayhead(1.0));
    window.run();
    window.keys(Modifiers::NONE, Key::I);
    assert_eq!(window.app().title(), "draw.motion* – Posewright");
    window.keys(Modifiers::COMMAND, Key::Z);
    assert_eq!(window.app().title(), "draw.motion – Posewright");
}

/// The status line tells of what is seen: not what is selected behind another tab, and not that
/// all is saved while the rig of the clip is not.
#[test]
fn the_status_line_tells_of_what_is_seen() {
    let place = Place::new();
    let mut window = sample(&place);
    window.click("hand");
    assert!(window.sees("Hand selected"));
    window.app_mut().push(Action::SetWorkspace(WorkspaceTab::Rig));
    window.run();
    let rig = window.app().cx().rig().unwrap().0;
    window.app_mut().push(Action::Command(CommandId::AddChild));
    window.run();
    assert!(window.app().editor().is_dirty(rig));
    assert!(window.harness.query_by_label("saved").is_none());
    assert!(window.sees("weapon-rig.rig is not saved"));
    assert!(window.sees("joint selected"));
    window.app_mut().push(Action::Command(CommandId::NewRig));
    window.run();
    assert!(!window.sees("joint selected"), "it is in another document");
    window.app_mut().push(Action::Command(CommandId::NewModelClip));
    window.app_mut().push(Action::SetWorkspace(WorkspaceTab::Animate));
    window.run();
    by_palette(&mut window, "show curves");
    assert!(!window.sees("is not animated yet"), "nor does the timeline offer its key");
}

#[test]
fn the_keymap_can_be_changed() {
    let place = Place::new();
    let mut window = sample(&place);
    let playing = |window: &Window| window.app().state().playback.playing.is_some();
    let press = |window: &mut Window| {
        window.harness.key_press_modifiers(Modifiers::ALT, Key::V);
        // A clip that plays never stands still.
        window.harness.run_steps(2);
    };
    press(&mut window);
    assert!(!playing(&window), "no shortcut of Blender");
    by_palette(&mut window, "maya");
    assert_eq!(window.app().state().settings.keymap, Keymap::Maya);
    press(&mut window);
    assert!(playing(&window));
    press(&mut window);
    assert!(!playing(&window));
}

#[test]
fn playing_moves_the_playhead_and_scrubbing_commands_stop_it() {
    let place = Place::new();
    let mut window = sample(&place);
    let doc = window.app().state().active.unwrap();
    let playhead = |window: &Window| window.app().state().view(doc).playhead_secs;
    window.click("Play");
    window.harness.run_steps(10);
    assert!(playhead(&window) > 0.0);
    window.click("Pause");
    let now = playhead(&window);
    window.harness.run_steps(5);
    assert_eq!(playhead(&window), now);
    by_palette(&mut window, "go to end");
    assert_eq!(playhead(&window), 4.0, "the end of a looping clip can be seen");
    by_palette(&mut window, "previous frame");
    assert!((playhead(&window) - 95.0 / 24.0).abs() < 1e-9);
    by_palette(&mut window, "go to start");
    assert_eq!(playhead(&window), 0.0);
}

#[test]
fn settings_are_remembered() {
    let place = Place::new();
    let mut window = sample(&place);
    window.app_mut().push(Action::ShowPanel(PanelId::Inspector, false));
    window.app_mut().push(Action::SetWorkspace(WorkspaceTab::Rig));
    window.run();
    by_palette(&mut window, "light theme");
    window.app_mut().save_settings();
    drop(window);
    let window = Window::start(place.config(), &[], &[]);
    let state = window.app().state();
    assert_eq!(state.settings.theme, ThemeChoice::Light);
    assert_eq!(state.workspace_tab, WorkspaceTab::Rig);
    assert!(!state.settings.layouts.is_shown(WorkspaceTab::Animate, PanelId::Inspector));
}

/// So that pictures are 1600 × 900: the harness leaves an edge free.
const FULL: [f32; 2] = [1616.0, 916.0];

/// Takes a picture in the dark theme and one in the light.
fn in_both_themes(window: &mut Window, name: &str, shots: &mut Vec<(String, Picture)>) {
    shots.push((format!("{name}-dark"), window.picture()));
    by_palette(window, "light theme");
    shots.push((format!("{name}-light"), window.picture()));
    by_palette(window, "light theme");
}

/// Opens the sample take, its arm selected in the middle of its wave.
fn inspect(window: &mut Window, place: &Place) {
    let take = place.write("robot.anm", include_str!("../assets/robot/robot.anm"));
    window.app_mut().push(Action::Open(vec![take]));
    window.run();
    window.app_mut().push(Action::SetPlayhead(0.5));
    window.run();
    window.wait("its table", |window| window.sees("arm-P, 7 keys"));
    window.click("arm-P, 7 keys");
}

/// Compares the sample take with one in which the body leaned farther and the head nodded later.
fn compare(window: &mut Window, place: &Place) {
    let text = include_str!("../assets/robot/robot.anm");
    let mut take: serde_json::Value = serde_json::from_str(text).unwrap();
    for (peg, key) in [(0, 1), (0, 2), (0, 3)] {
        let pos = &mut take["pegs"][peg]["keyframes"][key]["pos"];
        pos[0] = (pos[0].as_f64().unwrap() + 0.12).into();
    }
    let frame = &mut take["pegs"][1]["keyframes"][1]["frame"];
    *frame = (frame.as_f64().unwrap() - 2.0).into();
    let other = place.write("robot.monday.anm", &take.to_string());
    window.app_mut().push(Action::Compare(CompareAsk::File(other)));
    window.run();
    window.wait("the comparison", |window| window.sees("head-P: "));
}

#[test]
fn comparing_looks_as_it_should() {
    let place = Place::new();
    let mut window = Window::sized(place.config(), &[], &[], [1280.0, 720.0]);
    inspect(&mut window, &place);
    compare(&mut window, &place);
    assert_picture(&window.picture(), "compare-dark");
}

#[test]
fn inspect_looks_as_it_should() {
    let place = Place::new();
    let mut window = Window::sized(place.config(), &[], &[], [1280.0, 720.0]);
    inspect(&mut window, &place);
    assert_picture(&window.picture(), "inspect-dark");
}

/// The panels of exports are missed too.
#[test]
fn hiding_a_panel_of_inspect_shows_in_the_picture() {
    let place = Place::new();
    let mut window = Window::sized(place.config(), &[], &[], [1280.0, 800.0]);
    inspect(&mut window, &place);
    for panel in [PanelId::Report, PanelId::Pegs, PanelId::Viewport] {
        window.app_mut().push(Action::FocusPanel(panel));
        let whole = window.picture();
        assert!(difference(&whole, &window.picture()) < 1e-9, "nothing moves by itself");
        window.app_mut().push(Action::ShowPanel(panel, false));
        let part = difference(&whole, &window.picture());
        assert!(part > 0.005, "{panel:?}: only {part}");
        window.app_mut().push(Action::FocusPanel(panel));
        let back = window.picture();
        assert!(difference(&whole, &back) <= 0.005, "{panel:?} comes back as it was");
    }
}

/// A picture is only worth something if a missing panel shows in it.
#[test]
fn hiding_any_panel_shows_in_the_picture() {
    let place = Place::new();
    let mut window = sample(&place);
    // Those that this workspace has: the report and the table of pegs are for exports.
    let layouts = &window.app().state().settings.layouts;
    let shown = |panel: &PanelId| layouts.is_shown(WorkspaceTab::Animate, *panel);
    let panels: Vec<PanelId> = PanelId::ALL.into_iter().filter(shown).collect();
    assert_eq!(panels.len(), 8);
    for panel in panels {
        window.app_mut().push(Action::FocusPanel(panel));
        let whole = window.picture();
        assert!(difference(&whole, &window.picture()) < 1e-9, "nothing moves by itself");
        window.app_mut().push(Action::ShowPanel(panel, false));
        let without = window.picture();
        let part = difference(&whole, &without);
        assert!(part > 0.005, "{panel:?}: only {part}");
        window.app_mut().push(Action::FocusPanel(panel));
        let back = window.picture();
        assert!(difference(&whole, &back) <= 0.005, "{panel:?} comes back as it was");
    }
}

#[test]
fn nothing_is_drawn_while_nothing_moves() {
    let place = Place::new();
    let mut window = sample(&place);
    // Settings are written down, and what is wrong is reckoned, in the first moments.
    window.wait("nothing moves", |window| next_frame(window).as_secs() >= 5);
}

/// When the next frame would come.
fn next_frame(window: &Window) -> std::time::Duration {
    window.harness.output().viewport_output[&egui::ViewportId::ROOT].repaint_delay
}

/// Five seconds of rest without a frame, wherever the pointer stands.
#[test]
fn nothing_is_drawn_while_the_pointer_rests_on_the_timeline() {
    let place = Place::new();
    let mut window = sample(&place);
    for panel in [PanelId::DopeSheet, PanelId::Curves] {
        window.app_mut().push(Action::FocusPanel(panel));
        window.run();
        let label = if panel == PanelId::Curves { "Curves" } else { "Keys over time" };
        let role = egui::accesskit::Role::Canvas;
        let at = window.harness.get_by_role_and_label(role, label).rect().center();
        window.harness.event(egui::Event::PointerMoved(at));
        window.run();
        // What shows itself, goes or is written down by itself does so in the first seconds.
        window.wait("nothing moves", |window| next_frame(window).as_secs() >= 5);
    }
}

/// What a save would write and what is wrong is reckoned for who looks, and else when edits rest.
#[test]
fn problems_follow_edits_only_while_they_are_seen() {
    let place = Place::new();
    let mut window = sample(&place);
    let doc = window.app().state().active.unwrap();
    let turn = |window: &mut Window, looping: bool| {
        let edit = posewright::edit::ClipEdit::SetLoop { looping };
        let edit = posewright::edit::Edit::Clip { doc, edit };
        window.app_mut().push(Action::Edit(edit));
        // A quarter of a second.
        window.harness.run_steps(2);
    };
    let looping = window.app().editor().workspace().clip(doc).unwrap().looping;
    let now = |window: &Window| window.app().derived().of(doc).unwrap().text.clone();
    let saved = now(&window);
    turn(&mut window, !looping);
    assert!(!window.app().derived().is_behind(), "nobody looks");
    assert_eq!(now(&window), saved);
    // The status line hears of it when the edits rest.
    window.harness.run_steps(4);
    window.run();
    assert_ne!(now(&window), saved);
    // A panel is never behind.
    window.app_mut().push(Action::FocusPanel(PanelId::Source));
    window.run();
    turn(&mut window, looping);
    window.run();
    assert_eq!(now(&window), saved);
    // Brought to the front later, it is up to date as well.
    window.app_mut().push(Action::FocusPanel(PanelId::DopeSheet));
    window.run();
    turn(&mut window, !looping);
    assert_eq!(now(&window), saved);
    window.app_mut().push(Action::FocusPanel(PanelId::Problems));
    window.run();
    assert_ne!(now(&window), saved);
}

/// A model clip on a rig: what the rig has no node for is not seen, and that is said.
#[test]
fn a_model_clip_on_a_stage_names_what_is_not_on_it() {
    let place = Place::new();
    let rig = place.write("arm.rig", window::RIG);
    let track = |part: &str| {
        format!(
            "  - part: {part}\n    property: position\n    interpolation: linear\n    keys:\n      \
             - time: 0\n        value: [0, 0, 0]\n"
        )
    };
    let text = format!(
        "format:\n  version: 1.0.0\nmodel: m\nduration: 1\nloop: true\ntracks:\n{}{}",
        track("hand"),
        track("flag")
    );
    let clip = place.write("wave.motion", &text);
    let mut window = Window::start(place.config(), &[], &[rig.clone(), clip]);
    assert!(!window.sees("not on it"));
    window.click_like("Parts apart");
    window.click("On arm.rig");
    assert!(window.sees("1 part not on it"));
    assert_eq!(window.app().stage().len(), 1, "the hand");
}

#[test]
fn odd_sizes_and_scales_do_no_harm() {
    let place = Place::new();
    let mut window = sample(&place);
    for size in [[0.0, 0.0], [1.0, 1.0], [120.0, 2000.0], [5000.0, 3000.0], [480.0, 320.0]] {
        window.harness.set_size(egui::Vec2::from(size));
        window.run();
    }
    for scale in [0.75, 3.0, 1.0] {
        let settings = posewright::ui::Settings { scale, ..window.app().state().settings.clone() };
        window.app_mut().push(Action::SetSettings(Box::new(settings)));
        window.run();
    }
}

#[test]
fn the_welcome_page_looks_as_it_should() {
    let place = Place::new();
    let mut window = Window::sized(place.config(), &[], &[], [720.0, 480.0]);
    assert_picture(&window.picture(), "welcome-dark");
    by_palette(&mut window, "light");
    assert_picture(&window.picture(), "welcome-light");
}

/// Each workspace, and the panels that lie behind others, small.
#[test]
fn workspaces_and_panels_look_as_they_should() {
    let place = Place::new();
    let clip = place.write("p/draw.motion", include_str!("../assets/weapon/draw.motion"));
    place.write("p/data/weapon-rig.rig", include_str!("../assets/weapon/data/weapon-rig.rig"));
    let mut window = Window::sized(place.config(), &[], &[place.path("p"), clip], [1280.0, 720.0]);
    window.click("hand, 1 track");
    let files = |window: &Window| window.sees("Open draw.motion");
    window.app_mut().push(Action::FocusPanel(PanelId::Files));
    window.run();
    window.wait("the files are listed", files);
    assert_picture(&window.picture(), "files-dark");
    window.app_mut().push(Action::FocusPanel(PanelId::Hierarchy));
    window.run();
    assert_picture(&window.picture(), "animate-dark");
    by_palette(&mut window, "light");
    assert_picture(&window.picture(), "animate-light");
    by_palette(&mut window, "light");
    for (panel, name) in [
        (PanelId::Curves, "curves-dark"),
        (PanelId::Source, "source-dark"),
        (PanelId::Problems, "problems-dark"),
    ] {
        window.app_mut().push(Action::FocusPanel(panel));
        window.run();
        assert_picture(&window.picture(), name);
    }
    window.app_mut().push(Action::SetWorkspace(WorkspaceTab::Rig));
    window.run();
    assert_picture(&window.picture(), "rig-dark");
}

#[test]
fn a_file_that_does_not_load_looks_as_it_should() {
    let place = Place::new();
    place.write("arm.rig", window::RIG);
    let clip = place.write("wave.motion", window::BROKEN);
    let mut window = Window::sized(place.config(), &[], &[clip], [960.0, 540.0]);
    assert_picture(&window.picture(), "broken-dark");
}

/// The pictures of the README, at full size and in both themes: made anew with
/// `UPDATE_PICTURES=1`, made at all in every run.
#[test]
fn screenshots() {
    let place = Place::new();
    place.write("arm.rig", window::RIG);
    let broken = place.write("wave.motion", window::BROKEN);
    let mut shots = Vec::new();
    let mut window = Window::sized(place.config(), &[], &[], FULL);
    in_both_themes(&mut window, "welcome", &mut shots);
    window.click("Draw a weapon");
    window.app_mut().push(Action::SetPlayhead(1.25));
    window.run();
    window.click("hand, 1 track");
    by_palette(&mut window, "trail");
    in_both_themes(&mut window, "animate", &mut shots);
    by_palette(&mut window, "trail");
    window.app_mut().push(Action::FocusPanel(PanelId::Curves));
    window.run();
    in_both_themes(&mut window, "curves", &mut shots);
    window.app_mut().push(Action::SetWorkspace(WorkspaceTab::Rig));
    window.run();
    in_both_themes(&mut window, "rig", &mut shots);
    window.app_mut().push(Action::SetWorkspace(WorkspaceTab::Animate));
    window.app_mut().push(Action::Open(vec![broken]));
    window.run();
    in_both_themes(&mut window, "problems", &mut shots);
    // Settings of its own: those of the first window are written beside it.
    let place = Place::new();
    let mut window = Window::sized(place.config(), &[], &[], FULL);
    inspect(&mut window, &place);
    in_both_themes(&mut window, "inspect", &mut shots);
    compare(&mut window, &place);
    in_both_themes(&mut window, "compare", &mut shots);
    for (name, picture) in &shots {
        let words = picture.pixels.iter().filter(|p| p.r() > 150 || p.r() < 10).count();
        assert!(words > 1000, "{name} shows something");
        if std::env::var_os("UPDATE_PICTURES").is_some() {
            let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("screenshots");
            std::fs::create_dir_all(&folder).unwrap();
            store(picture, &folder.join(format!("{name}.png")));
        }
    }
    for (index, (_, a)) in shots.iter().enumerate() {
        for (_, b) in &shots[index + 1..] {
            assert!(difference(a, b) > 0.001, "each shows something else");
        }
    }
}
