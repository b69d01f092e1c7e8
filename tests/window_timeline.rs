//! The transport, the dope sheet and the curves, by pointer and keys, ending in bytes or poses.
#![cfg(feature = "gui")]
#![allow(clippy::unwrap_used)] // A test that cannot go on should stop.

mod window;

use eframe::egui::{Event, vec2};
use posewright::model::Interpolation;
use window::timeline::*;
use window::{Key, Modifiers, Place, Queryable, Window, egui};

/// The lines in which two texts of as many lines differ.
fn changed<'t>(before: &'t str, after: &'t str) -> Vec<(&'t str, &'t str)> {
    assert_eq!(before.lines().count(), after.lines().count());
    before.lines().zip(after.lines()).filter(|(a, b)| a != b).collect()
}

#[test]
fn journey_a_key_dragged_with_snapping_easing_undone_redone_saved() {
    let place = Place::new();
    let mut window = sample(&place);
    window.harness.get_by_label("Play").click();
    window.harness.run_steps(6);
    assert!(window.app().state().playback.playing.is_some());
    assert!(playhead(&window) > 0.0);
    window.harness.get_by_label("Pause").click();
    window.run();
    assert!(window.app().state().playback.playing.is_none());

    // The weapon's key at 2 s goes to 2.5 s: a little less by the hand, and snapped.
    let from = place_of(&window, "weapon position, key at 2.000 s");
    let to = from + vec2(second(&window) * 0.49, 2.0);
    drag(&mut window, from, to);
    assert_eq!(times(&window, "weapon"), [0.0, 1.5, 1.625, 2.5]);

    window.harness.get_by_label("Interpolation of weapon position: linear").click();
    window.run();
    window.click("Smooth");
    let changed_clip = clip(&window);
    let weapon = changed_clip.tracks.iter().find(|t| t.part == "weapon").unwrap();
    assert_eq!(weapon.interpolation, Interpolation::Smooth);

    over_keys(&mut window);
    let doc = window.app().state().active.unwrap();
    for _ in 0..2 {
        window.keys(Modifiers::COMMAND, Key::Z);
    }
    assert!(!window.app().editor().is_dirty(doc));
    assert_eq!(times(&window, "weapon"), [0.0, 1.5, 1.625, 2.0]);
    for _ in 0..2 {
        window.keys(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    }
    window.keys(Modifiers::COMMAND, Key::S);
    assert!(!window.app().editor().is_dirty(doc));
    let saved = place.read("p/draw.motion");
    assert_eq!(
        changed(CLIP, &saved),
        [
            ("    interpolation: linear", "    interpolation: smooth"),
            ("      - time: 2", "      - time: 2.5")
        ]
    );
}

#[test]
fn journey_f_a_model_clip_from_nothing_is_saved_and_opens_again() {
    let place = Place::new();
    let file = place.path("walk.motion");
    let mut window = Window::sized(place.config(), &[std::slice::from_ref(&file)], &[], SIZE);
    window.harness.event(Event::PointerMoved(egui::pos2(800.0, 500.0)));
    window.keys(Modifiers::COMMAND | Modifiers::SHIFT, Key::P);
    window.type_text("New Model Clip");
    window.key(Key::Enter);
    let before = clip(&window).tracks.len();
    for property in ["position", "rotation"] {
        window.click("Add track");
        window.harness.get_by_label("Part of the track").focus();
        window.run();
        if property == "position" {
            window.keys(Modifiers::COMMAND, Key::A);
            window.type_text("leg");
        }
        window.click(&format!("Add {property}"));
    }
    assert_eq!(clip(&window).tracks.len(), before + 2);
    window.keys(Modifiers::COMMAND, Key::S);
    let text = place.read("walk.motion");
    assert!(text.contains("version: 1.0.0"), "{text}");
    let again = Window::sized(place.config(), &[], &[file], SIZE);
    let clip = clip(&again);
    let leg: Vec<_> = clip.tracks.iter().filter(|track| track.part == "leg").collect();
    assert_eq!(leg.len(), 2, "{text}");
}

#[test]
fn a_drag_takes_a_typed_number_and_escape_takes_it_back() {
    let place = Place::new();
    let mut window = sample(&place);
    let from = place_of(&window, "hand rotation, key at 1.250 s");
    let to = from + vec2(40.0, 0.0);
    press(&mut window, from, Modifiers::NONE);
    move_to(&mut window, from, to);
    assert_ne!(times(&window, "hand")[2], 1.25);
    window.type_text("0.5");
    assert_eq!(times(&window, "hand")[2], 1.75);
    window.key(Key::Escape);
    assert_eq!(times(&window, "hand")[2], 1.25);
    release(&mut window, to);
    let doc = window.app().state().active.unwrap();
    assert!(!window.app().editor().is_dirty(doc));
    assert!(window.app().editor().history().undo_label(doc).is_none());

    press(&mut window, from, Modifiers::NONE);
    move_to(&mut window, from, to);
    window.type_text("-0.2");
    window.key(Key::Enter);
    release(&mut window, to);
    assert!((times(&window, "hand")[2] - 1.05).abs() < 1e-9);
}

#[test]
fn a_drag_begins_after_four_points() {
    let place = Place::new();
    let mut window = sample(&place);
    let from = place_of(&window, "hand rotation, key at 1.250 s");
    drag(&mut window, from, from + vec2(3.0, 0.0));
    assert_eq!(times(&window, "hand")[2], 1.25);
    assert_eq!(window.app().editor().selection().keys.len(), 1);
}

#[test]
fn ctrl_inverts_the_snapping() {
    let place = Place::new();
    let mut window = sample(&place);
    let from = place_of(&window, "hand rotation, key at 1.250 s");
    let to = from + vec2(31.0, 0.0);
    press(&mut window, from, Modifiers::NONE);
    window.harness.event(Event::ModifiersChanged(Modifiers::COMMAND));
    move_to(&mut window, from, to);
    window.harness.event(button(to, false, Modifiers::COMMAND));
    window.harness.event(Event::ModifiersChanged(Modifiers::NONE));
    window.run();
    let wanted = 1.25 + 31.0 / f64::from(second_of(&window));
    let found = times(&window, "hand")[2];
    assert!((found - wanted).abs() < 2e-3, "{found} {wanted}");
    assert!((found * 24.0 - (found * 24.0).round()).abs() > 1e-3, "{found} is on a frame");
}

/// Points of one second, by the forearm.
fn second_of(window: &Window) -> f32 {
    let a = place_of(window, "forearm rotation, key at 0.500 s");
    let b = place_of(window, "forearm rotation, key at 2.500 s");
    (b.x - a.x) / 2.0
}

#[test]
fn a_box_selects_delete_deletes_undo_brings_back() {
    let place = Place::new();
    let mut window = sample(&place);
    let first = place_of(&window, "forearm rotation, key at 0.500 s");
    let last = place_of(&window, "hand rotation, key at 1.250 s");
    drag(&mut window, first - vec2(14.0, 9.0), last + vec2(14.0, 9.0));
    assert_eq!(window.app().editor().selection().keys.len(), 4, "0.5, 1.25 and 0.75, 1.25");
    window.key(Key::Delete);
    assert_eq!(times(&window, "forearm"), [0.0, 2.5, 4.0]);
    assert_eq!(times(&window, "hand"), [0.0, 2.5, 4.0]);
    window.keys(Modifiers::COMMAND, Key::Z);
    assert_eq!(times(&window, "forearm"), [0.0, 0.5, 1.25, 2.5, 4.0]);
    assert_eq!(window.app().editor().selection().keys.len(), 4);
}

#[test]
fn shift_adds_ctrl_toggles_an_empty_click_deselects() {
    let place = Place::new();
    let mut window = sample(&place);
    let count = |window: &Window| window.app().editor().selection().keys.len();
    let click = |window: &mut Window, label: &str, modifiers| {
        let at = place_of(window, label);
        drag_with(window, at, at, modifiers);
    };
    click(&mut window, "hand rotation, key at 1.250 s", Modifiers::NONE);
    assert_eq!(count(&window), 1);
    click(&mut window, "hand rotation, key at 2.500 s", Modifiers::SHIFT);
    assert_eq!(count(&window), 2);
    click(&mut window, "hand rotation, key at 1.250 s", Modifiers::COMMAND);
    assert_eq!(count(&window), 1);
    // The summary's key stands for all keys of its time.
    click(&mut window, "Summary, keys at 2.500 s", Modifiers::NONE);
    assert_eq!(count(&window), 3);
    let hand = place_of(&window, "fingers rotation, key at 1.500 s");
    let empty = hand + vec2(60.0, 0.0);
    drag(&mut window, empty, empty);
    assert_eq!(count(&window), 0);
}

#[test]
fn the_box_of_the_selection_retimes() {
    let place = Place::new();
    let mut window = sample(&place);
    let a = place_of(&window, "hand rotation, key at 0.750 s");
    let b = place_of(&window, "hand rotation, key at 1.250 s");
    drag(&mut window, a - vec2(13.0, 9.0), b + vec2(13.0, 9.0));
    // The right edge lies beside the last key, at 1.25 s; the first key stays.
    let edge = b + vec2(12.0, 0.0);
    let half = vec2(second(&window) * 0.5, 0.0);
    drag(&mut window, edge, edge + half);
    let found = times(&window, "hand");
    assert_eq!(found[1], 0.75);
    assert!((found[2] - 1.75).abs() < 1e-6, "{found:?}");
}

#[test]
fn keys_are_copied_to_the_playhead() {
    let place = Place::new();
    let mut window = sample(&place);
    let at = place_of(&window, "hand rotation, key at 1.250 s");
    drag(&mut window, at, at);
    window.keys(Modifiers::COMMAND, Key::C);
    let ruler = window.harness.get_by_label("Ruler").rect();
    let three = egui::pos2(at.x + second(&window) * 1.75, ruler.center().y);
    drag(&mut window, three, three);
    assert_eq!(playhead(&window), 3.0);
    over_keys(&mut window);
    let text = window.app().state().clipboard.as_ref().unwrap().text();
    window.harness.event(Event::Paste(text));
    window.run();
    assert_eq!(times(&window, "hand"), [0.0, 0.75, 1.25, 2.5, 3.0, 4.0]);
    let pasted = &clip(&window).tracks[2].keys[4];
    assert_eq!(pasted.value, clip(&window).tracks[2].keys[2].value);
}

#[test]
fn keys_are_cut_and_pasted_and_a_cut_is_one_step() {
    let place = Place::new();
    let mut window = sample(&place);
    let at = place_of(&window, "hand rotation, key at 1.250 s");
    drag(&mut window, at, at);
    window.harness.event(Event::Cut);
    window.run();
    assert_eq!(times(&window, "hand"), [0.0, 0.75, 2.5, 4.0]);
    let doc = window.app().state().active.unwrap();
    assert_eq!(window.app().editor().history().undo_label(doc), Some("Cut key"));
    let text = window.app().state().clipboard.as_ref().unwrap().text();
    over_keys(&mut window);
    window.key(Key::Escape);
    window.harness.event(Event::Paste(text));
    window.run();
    let now = playhead(&window);
    assert!(times(&window, "hand").contains(&now));
    window.keys(Modifiers::COMMAND, Key::Z);
    window.keys(Modifiers::COMMAND, Key::Z);
    assert_eq!(times(&window, "hand"), [0.0, 0.75, 1.25, 2.5, 4.0]);
    assert!(!window.app().editor().is_dirty(doc));
}

/// A hand cannot leave the clip: the keys stop at its ends, all together.
#[test]
fn dragged_keys_stop_at_the_clips_ends_as_a_group() {
    let place = Place::new();
    let mut window = sample(&place);
    let a = place_of(&window, "hand rotation, key at 1.250 s");
    let b = place_of(&window, "hand rotation, key at 2.500 s");
    drag(&mut window, a - vec2(13.0, 9.0), b + vec2(13.0, 9.0));
    assert_eq!(window.app().editor().selection().keys.len(), 2);
    let far = vec2(second(&window) * 2.0, 0.0);
    drag(&mut window, a, a - far);
    assert_eq!(times(&window, "hand"), [0.0, 0.75, 1.25, 4.0]);
    window.keys(Modifiers::COMMAND, Key::Z);
    let far = vec2(second(&window) * 2.2, 0.0);
    drag(&mut window, a, a + far);
    assert_eq!(times(&window, "hand"), [0.0, 0.75, 2.75, 4.0]);
}

/// What is typed is meant: it is done or refused, never bent.
#[test]
fn typed_times_past_the_end_are_refused_in_the_formats_words() {
    let place = Place::new();
    let mut window = sample(&place);
    let before = times(&window, "hand");
    let doc = window.app().state().active.unwrap();
    let from = place_of(&window, "hand rotation, key at 1.250 s");
    let to = from + vec2(40.0, 0.0);
    for end_by_enter in [true, false] {
        press(&mut window, from, Modifiers::NONE);
        move_to(&mut window, from, to);
        window.type_text("9");
        if end_by_enter {
            window.key(Key::Enter);
        }
        release(&mut window, to);
        assert_eq!(times(&window, "hand"), before);
        assert!(window.app().editor().history().undo_label(doc).is_none());
        assert!(window.sees(KEY_TIMES));
    }
    // In the fields too: a key's time, and a clip shorter than its keys.
    for (field, typed) in [("Key time", "9"), ("Key time", "-1"), ("Duration", "3")] {
        if field == "Duration" {
            // The clip's own fields are shown where nothing is selected.
            let nothing = posewright::ui::Action::Select(posewright::edit::Selection::default());
            window.app_mut().push(nothing);
            window.run();
        }
        window.click(field);
        window.type_text(typed);
        window.key(Key::Enter);
        assert_eq!(times(&window, "hand"), before, "{field} {typed}");
        assert_eq!(clip(&window).duration_secs, 4.0, "{field} {typed}");
        assert!(window.sees(KEY_TIMES), "{field} {typed}");
        assert!(window.app().editor().history().undo_label(doc).is_none());
    }
    window.click("Duration");
    window.type_text("3601");
    window.key(Key::Enter);
    assert!(window.sees("Animation needs a model and a duration in (0, 3600] seconds"));
    // Dragged, the fields stop where the clip does.
    let field = place_of(&window, "Duration");
    drag(&mut window, field, field - vec2(300.0, 0.0));
    assert_eq!(clip(&window).duration_secs, 4.0);
    let key = place_of(&window, "hand rotation, key at 1.250 s");
    drag(&mut window, key, key);
    let field = place_of(&window, "Key time");
    drag(&mut window, field, field - vec2(900.0, 0.0));
    assert!(times(&window, "hand")[0] == 0.0 && times(&window, "hand").len() == 5);
}

#[test]
fn the_ruler_alone_scrubs_and_pauses() {
    let place = Place::new();
    let mut window = sample(&place);
    window.harness.get_by_label("Play").click();
    window.harness.run_steps(4);
    let ruler = window.harness.get_by_label("Ruler").rect();
    let from = egui::pos2(ruler.left() + 200.0, ruler.center().y);
    press(&mut window, from, Modifiers::NONE);
    move_to(&mut window, from, from + vec2(101.0, 0.0));
    assert!(window.app().state().playback.playing.is_none());
    let at = playhead(&window);
    assert!((at * 24.0 - (at * 24.0).round()).abs() < 1e-3, "{at} is no frame");
    let before = window.app().stage().local[3].rotation;
    move_to(&mut window, from, from + vec2(300.0, 0.0));
    assert_ne!(window.app().stage().local[3].rotation, before, "the pose follows");
    release(&mut window, from + vec2(300.0, 0.0));
    let at = playhead(&window);
    let canvas = window.harness.get_by_label("Keys over time").rect();
    let empty = egui::pos2(from.x + 33.0, canvas.bottom() - 4.0);
    drag(&mut window, empty, empty);
    assert_eq!(playhead(&window), at, "the board does not scrub");
}

#[test]
fn the_wheel_zooms_at_the_pointer_and_shift_pans() {
    let place = Place::new();
    let mut window = sample(&place);
    let key = "hand rotation, key at 1.250 s";
    let at = place_of(&window, key);
    let before = second(&window);
    wheel(&mut window, at, 2.0, Modifiers::NONE);
    assert!((place_of(&window, key).x - at.x).abs() < 1.5, "it stays under the pointer");
    assert!(second(&window) > before * 1.2);
    let visible = view(&window).visible_secs.unwrap();
    wheel(&mut window, at, -1.0, Modifiers::SHIFT);
    let panned = view(&window).visible_secs.unwrap();
    assert!(panned.0 > visible.0 && (panned.1 - panned.0 - visible.1 + visible.0).abs() < 1e-9);
    over_keys(&mut window);
    window.key(Key::Home);
    assert_eq!(view(&window).visible_secs, None);
}

#[test]
fn keys_step_insert_and_reach_the_menu_of_interpolation() {
    let place = Place::new();
    let mut window = sample(&place);
    window.click("hand rotation");
    over_keys(&mut window);
    window.key(Key::ArrowUp);
    assert_eq!(playhead(&window), 0.75);
    window.key(Key::ArrowRight);
    assert!((playhead(&window) - 19.0 / 24.0).abs() < 1e-6);
    window.key(Key::I);
    assert_eq!(times(&window, "hand").len(), 6);
    window.key(Key::T);
    window.click("Linear");
    assert_eq!(clip(&window).tracks[2].interpolation, Interpolation::Linear);
}

#[test]
fn locked_tracks_stay_and_muted_ones_do_not_play() {
    let place = Place::new();
    let mut window = sample(&place);
    window.click("Lock hand rotation");
    let from = place_of(&window, "hand rotation, key at 1.250 s");
    drag(&mut window, from, from + vec2(60.0, 0.0));
    assert_eq!(times(&window, "hand")[2], 1.25);
    window.click("Unlock hand rotation");
    let node = window.app().stage().find("upper_arm").unwrap();
    let ruler = window.harness.get_by_label("Ruler").rect();
    drag(&mut window, ruler.center(), ruler.center());
    let moved = window.app().stage().local[node].rotation;
    window.click("Mute upper_arm rotation");
    assert_ne!(window.app().stage().local[node].rotation, moved);
}

fn curves(window: &mut Window) {
    window.click("hand rotation");
    window.click("Curves");
}

#[test]
fn curves_move_keys_sideways_or_up_never_both_but_with_alt() {
    let place = Place::new();
    let mut window = sample(&place);
    curves(&mut window);
    let key = "hand rotation X, key at 0.750 s";
    let from = place_of(&window, key);
    drag(&mut window, from, from + vec2(80.0, -30.0));
    let hand = clip(&window).tracks[2].clone();
    assert!(hand.keys[1].time > 0.9, "{}", hand.keys[1].time);
    assert_eq!(hand.keys[1].value.to_array(), [0.4, 0.0, -0.5], "in time alone");
    window.keys(Modifiers::COMMAND, Key::Z);

    let from = place_of(&window, key);
    drag(&mut window, from, from + vec2(20.0, -40.0));
    let hand = clip(&window).tracks[2].clone();
    assert_eq!(hand.keys[1].time, 0.75);
    assert!(hand.keys[1].value.x > 0.41, "{}", hand.keys[1].value);
    assert_eq!(hand.keys[1].value.z, -0.5, "this axis alone");
    window.keys(Modifiers::COMMAND, Key::Z);

    let from = place_of(&window, key);
    drag_with(&mut window, from, from + vec2(60.0, -40.0), Modifiers::ALT);
    let hand = clip(&window).tracks[2].clone();
    assert!(hand.keys[1].time > 0.8 && hand.keys[1].value.x > 0.41);
}

#[test]
fn curve_drags_take_numbers_and_escape() {
    let place = Place::new();
    let mut window = sample(&place);
    curves(&mut window);
    let from = place_of(&window, "hand rotation X, key at 0.750 s");
    press(&mut window, from, Modifiers::NONE);
    move_to(&mut window, from, from - vec2(0.0, 20.0));
    window.type_text("90");
    let x = clip(&window).tracks[2].keys[1].value.x;
    assert!((x - 0.4 - std::f64::consts::FRAC_PI_2).abs() < 1e-9, "{x}: degrees are typed");
    window.key(Key::Escape);
    assert_eq!(clip(&window).tracks[2].keys[1].value.x, 0.4);
    release(&mut window, from);
    let doc = window.app().state().active.unwrap();
    assert!(!window.app().editor().is_dirty(doc));
}

#[test]
fn easing_handles_change_the_whole_track() {
    let place = Place::new();
    let mut window = sample(&place);
    curves(&mut window);
    let from = place_of(&window, "Easing start handle of hand rotation from 0.000 s");
    drag(&mut window, from, from + vec2(40.0, 0.0));
    let curve = clip(&window).tracks[2].curve.unwrap();
    assert!(curve[0] > 0.3, "{curve:?}");
    assert_eq!(&curve[2..], [0.25, 1.0]);
    window.keys(Modifiers::COMMAND, Key::S);
    let saved = place.read("p/draw.motion");
    let lines = changed(CLIP, &saved);
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(lines[0].1.trim_start().starts_with("curve: ["), "{lines:?}");
}

#[test]
fn hostile_views_and_sizes_do_not_end_the_program() {
    let place = Place::new();
    let mut window = sample(&place);
    curves(&mut window);
    for visible in [(f64::NAN, 1.0), (1.0, 0.0), (-1e300, 1e300), (0.0, 1e-12)] {
        let mut timeline = view(&window);
        timeline.visible_secs = Some(visible);
        timeline.visible_values = Some(visible);
        timeline.scroll = f32::NAN;
        timeline.fps = f64::NAN;
        timeline.range_secs = Some((0.5, 1.0));
        window.app_mut().push(posewright::ui::Action::SetTimeline(timeline));
        window.run();
    }
    for size in [[1.0, 1.0], [90.0, 2000.0], [4000.0, 40.0], [1600.0, 900.0]] {
        window.harness.set_size(egui::Vec2::from(size));
        window.run();
        assert_eq!(times(&window, "hand"), [0.0, 0.75, 1.25, 2.5, 4.0]);
    }
}

/// Journey a as one: play, turn the hand at 2 s with the gizmo, drag the key to 2.5 s, change the
/// easing, undo everything, redo, save.
#[test]
fn journey_a_from_opening_to_the_saved_lines() {
    let place = Place::new();
    let mut window = sample(&place);
    window.harness.get_by_label("Play").click();
    window.harness.run_steps(6);
    window.harness.get_by_label("Pause").click();
    window.run();

    // To 2 s by keys, over the stage; the hand by its row.
    window.click("hand, 1 track");
    let stage = place_of(&window, "Stage");
    window.harness.event(Event::PointerMoved(stage));
    window.run();
    window.keys(Modifiers::SHIFT, Key::ArrowLeft);
    for _ in 0..48 {
        window.key(Key::ArrowRight);
    }
    assert_eq!(playhead(&window), 2.0);

    // The gizmo makes a key there.
    let grip = place_of(&window, "Rotate Z handle");
    drag(&mut window, grip, grip + vec2(30.0, 24.0));
    assert_eq!(times(&window, "hand"), [0.0, 0.75, 1.25, 2.0, 2.5, 4.0]);
    let track = |window: &Window| {
        clip(window).tracks.iter().find(|track| track.part == "hand").unwrap().clone()
    };
    let turned = track(&window).keys[3].value;

    // It goes to 2.5 s, a little less by the hand, and takes the place of what was there.
    let from = place_of(&window, "hand rotation, key at 2.000 s");
    let to = from + vec2(second(&window) * 0.49, 2.0);
    drag(&mut window, from, to);
    assert_eq!(times(&window, "hand"), [0.0, 0.75, 1.25, 2.5, 4.0]);
    assert_eq!(track(&window).keys[3].value, turned);

    window.harness.get_by_label("Interpolation of hand rotation: bezier").click();
    window.run();
    window.click("Linear");
    assert_eq!(track(&window).interpolation, Interpolation::Linear);

    let doc = window.app().state().active.unwrap();
    let dirty = |window: &Window| window.app().editor().is_dirty(doc);
    for left in (0..3).rev() {
        assert!(dirty(&window));
        window.keys(Modifiers::COMMAND, Key::Z);
        assert_eq!(window.app().editor().history().steps(doc).count(), left);
    }
    assert!(!dirty(&window), "undone is as if nothing had been");
    assert_eq!(&*window.app().editor().workspace().content(doc).unwrap().text(), CLIP);
    for _ in 0..3 {
        window.keys(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    }
    window.keys(Modifiers::COMMAND, Key::S);
    assert!(!dirty(&window));

    // Only the hand's lines differ: its easing, and the value at 2.5 s.
    let saved = place.read("p/draw.motion");
    let lines = changed(CLIP, &saved);
    let olds: Vec<&str> = lines.iter().map(|(old, _)| *old).collect();
    assert_eq!(olds, ["    interpolation: bezier", "        value: [0, -0.12, 0.1]"]);
    assert_eq!(lines[0].1, "    interpolation: linear");
    let [x, y, z] = turned.to_array();
    assert_eq!(lines[1].1, format!("        value: [{x}, {y}, {z}]"));
    let hand = CLIP.find("  - part: hand").unwrap();
    let fingers = CLIP.find("  - part: fingers").unwrap();
    assert_eq!(saved[..hand], CLIP[..hand], "nothing before the hand's track");
    assert!(saved.ends_with(&CLIP[fingers..]), "nothing behind it");
}

/// The curves are those of the selected node where no track is selected.
#[test]
fn curves_follow_the_selected_node() {
    let place = Place::new();
    let mut window = sample(&place);
    window.click("Curves");
    assert!(window.sees("Select a node, or tracks at the left"));
    window.click("hand, 1 track");
    assert!(window.sees("hand rotation X, key at 0.750 s"));
    assert!(window.sees("Show X"), "its channels can be chosen");
    window.click("forearm, 1 track");
    assert!(window.sees("forearm rotation X, key at 0.500 s"));
    assert!(!window.sees("hand rotation X, key at 0.750 s"));
    // A click on a key keeps the curves.
    let key = place_of(&window, "forearm rotation Z, key at 0.500 s");
    press(&mut window, key, Modifiers::NONE);
    release(&mut window, key);
    assert!(window.sees("forearm rotation Z, key at 1.250 s"));
    window.click("crate");
    assert!(window.sees("crate is not animated yet"));
}

/// Maya's hands: a drag with Alt moves copies, one with 2 held from before moves all that follows.
#[test]
fn alt_copies_and_two_ripples_in_mayas_keymap() {
    let place = Place::new();
    let mut window = sample(&place);
    window.keys(Modifiers::COMMAND | Modifiers::SHIFT, Key::P);
    window.type_text("maya");
    window.key(Key::Enter);
    let from = place_of(&window, "hand rotation, key at 1.250 s");
    let half = vec2(second(&window) * 0.49, 0.0);
    drag_with(&mut window, from, from + half, Modifiers::ALT);
    assert_eq!(times(&window, "hand"), [0.0, 0.75, 1.25, 1.75, 2.5, 4.0]);
    window.keys(Modifiers::COMMAND, Key::Z);
    assert_eq!(times(&window, "hand"), [0.0, 0.75, 1.25, 2.5, 4.0]);

    let two = |pressed| Event::Key {
        key: Key::Num2,
        physical_key: None,
        pressed,
        repeat: false,
        modifiers: Modifiers::NONE,
    };
    window.harness.event(two(true));
    window.run();
    drag(&mut window, from, from + half);
    window.harness.event(two(false));
    window.run();
    assert_eq!(times(&window, "hand"), [0.0, 0.75, 1.75, 3.0, 4.5]);
    assert_eq!(times(&window, "weapon"), [0.0, 2.0, 2.125, 2.5]);
    assert_eq!(clip(&window).duration_secs, 4.5);
}
