//! Time itself in the timeline: gaps, quick hands, what is refused, trackpads.
#![cfg(feature = "gui")]
#![allow(clippy::unwrap_used)] // A test that cannot go on should stop.

mod window;

use egui::{Event, MouseWheelSource, MouseWheelUnit, TouchPhase, vec2};
use window::timeline::*;
use window::{Key, Modifiers, Place, Queryable, Window, egui};

/// Press and move may come in one frame, where a frame takes long or the hand is quick.
#[test]
fn a_drag_may_be_quicker_than_a_frame() {
    let place = Place::new();
    for two in [false, true] {
        let mut window = sample(&place);
        if two {
            window.keys(Modifiers::COMMAND | Modifiers::SHIFT, Key::P);
            window.type_text("maya");
            window.key(Key::Enter);
            let (key, pressed, repeat) = (Key::Num2, true, false);
            let (physical_key, modifiers) = (None, Modifiers::NONE);
            let key = Event::Key { key, physical_key, pressed, repeat, modifiers };
            window.harness.event(key);
            window.run();
        }
        let before = times(&window, "hand");
        let from = place_of(&window, "hand rotation, key at 1.250 s");
        let to = from + vec2(second(&window) * 0.5, 0.0);
        window.harness.event(Event::PointerMoved(from));
        window.run();
        let events = &mut window.harness.input_mut().events;
        events.extend([button(from, true, Modifiers::NONE), Event::PointerMoved(to)]);
        window.harness.step();
        window.harness.step();
        window.harness.event(Event::PointerMoved(to + vec2(1.0, 0.0)));
        window.run();
        release(&mut window, to);
        let moved = times(&window, "hand");
        assert_eq!((moved[2], moved[3] > 2.5), (before[2] + 0.5, two), "{moved:?}");
    }
}

/// The row that was pressed is dragged, not the one that a quick hand is over a frame later.
#[test]
fn a_row_may_be_dragged_quicker_than_a_frame() {
    let place = Place::new();
    let mut window = sample(&place);
    let (from, by) = (place_of(&window, "crate"), place_of(&window, "weapon, 1 track"));
    let to = place_of(&window, "spine");
    window.harness.event(Event::PointerMoved(from));
    window.run();
    let events = &mut window.harness.input_mut().events;
    events.extend([button(from, true, Modifiers::NONE), Event::PointerMoved(by)]);
    window.harness.step();
    move_to(&mut window, by, to);
    release(&mut window, to);
    let workspace = window.app().editor().workspace();
    let (_, rig) = workspace.documents().find_map(|d| Some((d.id, workspace.rig(d.id)?))).unwrap();
    let parent = |id: &str| {
        rig.nodes.iter().find(|node| node.id == id).unwrap().parent.as_deref().map(str::to_owned)
    };
    assert_eq!(parent("crate").as_deref(), Some("spine"));
    assert_eq!(parent("weapon").as_deref(), Some("hand"));
}

/// Time is inserted and removed by a command: the window says what will happen, and takes numbers.
#[test]
fn time_is_inserted_and_removed() {
    let place = Place::new();
    let mut window = sample(&place);
    let before = times(&window, "hand");
    let command = |window: &mut Window, name: &str| {
        window.keys(Modifiers::COMMAND | Modifiers::SHIFT, Key::P);
        window.type_text(name);
        window.key(Key::Enter);
    };
    let set = |window: &mut Window, field: &str, value: &str| {
        window.harness.get_by_role_and_label(egui::accesskit::Role::SpinButton, field).click();
        window.run();
        window.keys(Modifiers::COMMAND, Key::A);
        window.type_text(value);
        window.key(Key::Enter);
    };
    command(&mut window, "Insert Time");
    assert!(window.sees("The clip becomes 5.000 s long"), "a second at the playhead, at first");
    set(&mut window, "From", "0.5");
    set(&mut window, "Length", "0.75");
    assert!(window.sees("The clip becomes 4.750 s long"));
    window.click("Insert");
    let moved = |time: &f64| if *time < 0.5 { *time } else { time + 0.75 };
    let later: Vec<f64> = before.iter().map(moved).collect();
    assert_eq!(times(&window, "hand"), later);
    assert_eq!(times(&window, "weapon")[0], 0.0, "what lies before stays");
    assert_eq!(clip(&window).duration_secs, 4.75);
    assert!(!window.sees("The clip becomes"), "the window is closed");

    // Escape and Cancel change nothing.
    command(&mut window, "Remove Time");
    window.key(Key::Escape);
    assert!(!window.sees("The clip becomes"));
    command(&mut window, "Remove Time");
    window.click("Cancel");
    assert_eq!(times(&window, "hand"), later);

    // The range says how much is removed.
    let doc = window.app().state().active.unwrap();
    let mut timeline = view(&window);
    timeline.range_secs = Some((0.5, 1.25));
    window.app_mut().push(posewright::ui::Action::SetTimeline(timeline));
    window.run();
    command(&mut window, "Remove Time");
    assert!(window.sees("No key lies in it; later ones move earlier. The clip becomes 4.000 s"));
    window.key(Key::Enter);
    assert_eq!(times(&window, "hand"), before);
    assert_eq!(clip(&window).duration_secs, 4.0);
    over_keys(&mut window);
    window.keys(Modifiers::COMMAND, Key::Z);
    window.keys(Modifiers::COMMAND, Key::Z);
    assert!(!window.app().editor().is_dirty(doc));
}

/// Why a drag was refused can be read after the hand has moved on, and does not stay.
#[test]
fn the_reason_of_a_refused_drag_stays_for_a_while() {
    use posewright::edit::{ClipEdit, Edit, KeyTime};
    use posewright::ui::Action;
    let place = Place::new();
    let mut window = sample(&place);
    let doc = window.app().state().active.unwrap();
    let key = clip(&window).tracks[0].keys[1].uid;
    let edit = ClipEdit::SetKeyTimes { keys: vec![KeyTime { key, time: 99.0 }] };
    for action in [Action::Begin, Action::Preview(Edit::Clip { doc, edit }), Action::Cancel] {
        window.app_mut().push(action);
    }
    window.harness.run_steps(8);
    assert!(window.sees(KEY_TIMES), "after two seconds");
    window.harness.run_steps(12);
    assert!(!window.sees(KEY_TIMES), "after more than four");
}

/// Two fingers pan, a pinch zooms at the pointer.
#[test]
fn a_trackpad_pans_and_zooms_time() {
    let place = Place::new();
    let mut window = sample(&place);
    let canvas = window.harness.get_by_label("Keys over time").rect();
    let at = canvas.center();
    window.harness.event(Event::PointerMoved(at));
    window.run();
    let before = second(&window);
    window.harness.event(Event::Zoom(1.5));
    window.run();
    let after = second(&window);
    assert!((after / before - 1.5).abs() < 0.05, "{before} {after}");
    let key = place_of(&window, "hand rotation, key at 1.250 s");
    window.harness.event(Event::MouseWheel {
        unit: MouseWheelUnit::Point,
        delta: vec2(40.0, 0.0),
        phase: TouchPhase::Move,
        source: MouseWheelSource::Wheel,
        modifiers: Modifiers::NONE,
    });
    window.run();
    let moved = place_of(&window, "hand rotation, key at 1.250 s").x - key.x;
    assert!(moved > 20.0, "{moved}");
    assert!((second(&window) - after).abs() < 0.5, "panning does not zoom");
}
