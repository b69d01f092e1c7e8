//! Shortcuts as words: parsing, showing, matching.

use eframe::egui::{Key, KeyboardShortcut, Modifiers};
use serde::{Deserialize, Serialize};

/// One of the two sets of shortcuts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Keymap {
    /// As in Blender.
    #[default]
    Blender,
    /// As in Maya and Unity.
    Maya,
}

impl Keymap {
    /// Both, in the order of the command table.
    pub const ALL: [Keymap; 2] = [Keymap::Blender, Keymap::Maya];

    /// What the menu calls it.
    pub fn name(self) -> &'static str {
        match self {
            Keymap::Blender => "Blender",
            Keymap::Maya => "Maya/Unity",
        }
    }
}

/// The shortcut that a word such as `Ctrl+Shift+P` means; `Ctrl` is Cmd on macOS. `None` where it
/// is none, as with `MMB`.
pub fn parse(word: &str) -> Option<KeyboardShortcut> {
    let mut modifiers = Modifiers::NONE;
    let mut rest = word;
    loop {
        rest = if let Some(rest) = rest.strip_prefix("Ctrl+") {
            modifiers |= Modifiers::COMMAND;
            rest
        } else if let Some(rest) = rest.strip_prefix("Shift+") {
            modifiers |= Modifiers::SHIFT;
            rest
        } else if let Some(rest) = rest.strip_prefix("Alt+") {
            modifiers |= Modifiers::ALT;
            rest
        } else {
            break;
        };
    }
    let key = match rest.strip_prefix("Numpad ").unwrap_or(rest) {
        "←" => Key::ArrowLeft,
        "→" => Key::ArrowRight,
        "↑" => Key::ArrowUp,
        "↓" => Key::ArrowDown,
        "," => Key::Comma,
        "." => Key::Period,
        "+" => Key::Plus,
        "-" => Key::Minus,
        name => Key::from_name(name)?,
    };
    Some(KeyboardShortcut::new(modifiers, key))
}

/// A shortcut as people of this system write it, in letters that every font has.
pub fn show(word: &str) -> String {
    let mut shown = word.to_owned();
    for (arrow, name) in [("←", "Left"), ("→", "Right"), ("↑", "Up"), ("↓", "Down")] {
        shown = shown.replace(arrow, name);
    }
    if cfg!(target_os = "macos") { shown.replace("Ctrl+", "Cmd+") } else { shown }
}

/// Whether a shortcut is one that a focused text field keeps: letters, digits and signs without
/// Ctrl, what moves and deletes, and the editing commands of the field itself.
pub fn belongs_to_text(shortcut: &KeyboardShortcut) -> bool {
    let key = shortcut.logical_key;
    let modifiers = shortcut.modifiers;
    if modifiers.command {
        return matches!(
            key,
            Key::A | Key::C | Key::V | Key::X | Key::Z | Key::Y | Key::ArrowLeft | Key::ArrowRight
        );
    }
    let function = matches!(
        key,
        Key::F1
            | Key::F2
            | Key::F3
            | Key::F4
            | Key::F5
            | Key::F6
            | Key::F7
            | Key::F8
            | Key::F9
            | Key::F10
            | Key::F11
            | Key::F12
    );
    !function
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // A panic is a failed test.
    use super::*;

    #[test]
    fn words_are_shortcuts() {
        let found = parse("Ctrl+Shift+P").unwrap();
        assert_eq!(found.logical_key, Key::P);
        assert!(found.modifiers.command && found.modifiers.shift && !found.modifiers.alt);
        assert_eq!(parse("Numpad 1").unwrap().logical_key, Key::Num1);
        assert_eq!(parse("Alt+,").unwrap().logical_key, Key::Comma);
        assert_eq!(parse("Shift+←").unwrap().logical_key, Key::ArrowLeft);
        assert!(parse("MMB").is_none());
        assert!(show("Shift+←").ends_with("Shift+Left"));
    }

    #[test]
    fn a_text_field_keeps_what_it_needs() {
        for word in ["G", "Delete", "Space", "←", "Ctrl+Z", "Ctrl+Shift+Z", "Shift+D", "X", "Home"]
        {
            assert!(belongs_to_text(&parse(word).unwrap()), "{word}");
        }
        for word in ["F2", "F3", "Ctrl+S", "Ctrl+Shift+P", "Ctrl+W", "Ctrl+O"] {
            assert!(!belongs_to_text(&parse(word).unwrap()), "{word}");
        }
    }
}
