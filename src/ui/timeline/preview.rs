//! What every drag of keys and handles has: a number that may be typed into it, and the edit that
//! it is shown by.

use crate::edit::Edit;
use crate::ui::action::Action;
use crate::ui::cx::Cx;
use eframe::egui::{Event, Key, Modifiers, Ui};

/// A drag as it is shown, and as it ends; `A` is its total change.
#[derive(Clone, Debug)]
pub struct Preview<A> {
    typed: String,
    shown: Option<A>,
    /// The edit that it was shown by.
    last: Option<Edit>,
    began: bool,
}

impl<A> Default for Preview<A> {
    fn default() -> Self {
        Preview { typed: String::new(), shown: None, last: None, began: false }
    }
}

impl<A: Copy + PartialEq> Preview<A> {
    /// Whether the gesture is still under way: Escape or another edit may have ended it.
    pub fn goes_on(&mut self, cx: &Cx<'_>) -> bool {
        let is_over = self.began && cx.editor.gesture().is_none();
        self.began = true;
        !is_over
    }

    /// Takes what was typed, unless it is `deaf`. Gives whether Enter ends the drag, and the keys
    /// that are held.
    pub fn read(&mut self, ui: &Ui, deaf: bool) -> (bool, Modifiers) {
        ui.input(|input| {
            if !deaf {
                take_typed(&mut self.typed, &input.events);
            }
            (input.key_pressed(Key::Enter), input.modifiers)
        })
    }

    /// The number that was typed; `None` where it is none yet.
    pub fn typed(&self) -> Option<f64> {
        parse(&self.typed)
    }

    /// The total change that was shown last.
    pub fn shown(&self) -> Option<A> {
        self.shown
    }

    /// Shows a total change, where it is another than before; `nothing` at all is not shown before
    /// anything else was.
    pub fn show(
        &mut self,
        ui: &Ui,
        amount: A,
        nothing: bool,
        edit: impl FnOnce() -> Edit,
        actions: &mut Vec<Action>,
    ) {
        if self.shown == Some(amount) || (nothing && self.shown.is_none()) {
            return;
        }
        self.shown = Some(amount);
        let edit = edit();
        self.last = Some(edit.clone());
        actions.push(Action::Preview(edit));
        // What it does is seen in the next frame, also where the hand rests meanwhile.
        ui.ctx().request_repaint();
    }

    /// Ends the drag where it is. What the hand drags ends where it could be shown last; a typed
    /// number that the edit refuses is refused, whatever was shown before it.
    pub fn end(&self, actions: &mut Vec<Action>) {
        match self.last.as_ref().filter(|_| self.typed().is_some()) {
            Some(edit) => actions.extend([Action::Cancel, Action::Edit(edit.clone())]),
            None => actions.push(Action::Commit),
        }
    }

    /// A tag, with what was typed behind it.
    pub fn tagged(&self, tag: String) -> String {
        match self.typed.is_empty() {
            true => tag,
            false => format!("{tag}  [{}]", self.typed),
        }
    }
}

/// Adds what was typed to a number: digits, a point, a sign; Backspace takes back.
fn take_typed(typed: &mut String, events: &[Event]) {
    for event in events {
        match event {
            Event::Text(words) => {
                for c in words.chars().map(|c| if c == ',' { '.' } else { c }) {
                    match c {
                        '-' if typed.starts_with('-') => {
                            typed.remove(0);
                        }
                        '-' => typed.insert(0, '-'),
                        '0'..='9' if typed.len() < 16 => typed.push(c),
                        '.' if !typed.contains('.') => typed.push(c),
                        _ => {}
                    }
                }
            }
            Event::Key { key: Key::Backspace, pressed: true, .. } => {
                typed.pop();
            }
            _ => {}
        }
    }
}

/// The number that was typed; `None` where it is none yet.
fn parse(typed: &str) -> Option<f64> {
    typed.parse::<f64>().ok().filter(|number| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typed_numbers() {
        let mut typed = String::new();
        let text = |words: &str| Event::Text(words.to_owned());
        take_typed(&mut typed, &[text("1"), text(","), text("5x")]);
        assert_eq!(parse(&typed), Some(1.5));
        take_typed(&mut typed, &[text("-")]);
        assert_eq!(parse(&typed), Some(-1.5));
        take_typed(&mut typed, &[text("-."), text("2")]);
        assert_eq!(typed, "1.52");
        assert_eq!(parse("-"), None);
    }
}
