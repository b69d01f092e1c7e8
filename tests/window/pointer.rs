//! The pointer as a hand moves it.

use super::Window;
use super::egui::{Event, Modifiers, PointerButton, Pos2};
use egui_kittest::kittest::Queryable;

pub fn place_of(window: &Window, label: &str) -> Pos2 {
    window.harness.get_by_label(label).rect().center()
}

pub fn button(pos: Pos2, pressed: bool, modifiers: Modifiers) -> Event {
    Event::PointerButton { pos, button: PointerButton::Primary, pressed, modifiers }
}

pub fn press(window: &mut Window, from: Pos2, modifiers: Modifiers) {
    window.harness.event(Event::ModifiersChanged(modifiers));
    window.harness.event(Event::PointerMoved(from));
    window.harness.event(button(from, true, modifiers));
}

pub fn move_to(window: &mut Window, from: Pos2, to: Pos2) {
    for part in 1..=8_u8 {
        let at = from + (to - from) * (f32::from(part) / 8.0);
        window.harness.event(Event::PointerMoved(at));
    }
    window.run();
}

pub fn release(window: &mut Window, at: Pos2) {
    window.harness.event(button(at, false, Modifiers::NONE));
    window.harness.event(Event::ModifiersChanged(Modifiers::NONE));
    window.run();
}

pub fn drag_with(window: &mut Window, from: Pos2, to: Pos2, modifiers: Modifiers) {
    press(window, from, modifiers);
    move_to(window, from, to);
    release(window, to);
}

pub fn drag(window: &mut Window, from: Pos2, to: Pos2) {
    drag_with(window, from, to, Modifiers::NONE);
}
