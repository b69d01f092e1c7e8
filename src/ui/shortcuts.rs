//! From keys to commands.

use super::action::Action;
use super::command::{self, Command, CommandId};
use super::cx::Cx;
use super::keys;
use eframe::egui::{Context, Event, Key, KeyboardShortcut, Modifiers};

/// Commands that go on while their key is held.
fn repeats(id: CommandId) -> bool {
    matches!(
        id,
        CommandId::FrameBack
            | CommandId::FrameForward
            | CommandId::KeyBack
            | CommandId::KeyForward
            | CommandId::Undo
            | CommandId::Redo
            | CommandId::ScaleUp
            | CommandId::ScaleDown
    )
}

fn matches(shortcut: &KeyboardShortcut, key: Key, modifiers: Modifiers) -> bool {
    let wanted = shortcut.modifiers;
    // On many keyboards + is a shifted key, and = stands where + is looked for.
    if shortcut.logical_key == Key::Plus {
        return matches!(key, Key::Plus | Key::Equals)
            && modifiers.command == wanted.command
            && !modifiers.alt;
    }
    shortcut.logical_key == key
        && wanted.alt == modifiers.alt
        && wanted.shift == modifiers.shift
        && wanted.command == modifiers.command
}

/// Takes the keys that are shortcuts out of the input and gives what they ask for. They go to the
/// panel under the pointer; a focused text field keeps its own.
pub fn collect(ctx: &Context, cx: &Cx<'_>) -> Vec<Action> {
    // A drag takes a typed number, as a field does.
    let writing = ctx.text_edit_focused() || cx.editor.gesture().is_some();
    let focused = ctx.memory(|memory| memory.focused()).is_some();
    let keymap = cx.settings().keymap as usize;
    let mut actions = Vec::new();
    let invoke = |command: &Command, repeat: bool| -> bool {
        (!repeat || repeats(command.id)) && (command.enabled)(cx)
    };
    ctx.input_mut(|input| {
        let shift = input.modifiers.shift;
        input.events.retain(|event| {
            let (shortcut, repeat) = match event {
                Event::Key { key, pressed: true, modifiers, repeat, .. } => {
                    (KeyboardShortcut::new(*modifiers, *key), *repeat)
                }
                Event::Copy => (KeyboardShortcut::new(Modifiers::COMMAND, Key::C), false),
                Event::Cut => (KeyboardShortcut::new(Modifiers::COMMAND, Key::X), false),
                Event::Paste(_) => {
                    let shift = if shift { Modifiers::SHIFT } else { Modifiers::NONE };
                    (KeyboardShortcut::new(Modifiers::COMMAND | shift, Key::V), false)
                }
                _ => return true,
            };
            if writing && keys::belongs_to_text(&shortcut) {
                return true;
            }
            // A focused button is pressed by Space.
            if focused && shortcut.logical_key == Key::Space {
                return true;
            }
            for command in command::in_panel(cx.state.pointer_panel) {
                let words = command.keys[keymap].iter().filter_map(|word| keys::parse(word));
                let hit = words
                    .into_iter()
                    .any(|wanted| matches(&wanted, shortcut.logical_key, shortcut.modifiers));
                if hit {
                    if let Event::Paste(text) = event {
                        let flipped = command.id == CommandId::PasteFlipped;
                        actions.push(Action::Paste { text: text.clone(), flipped });
                        return false;
                    }
                    if invoke(command, repeat) {
                        actions.push(Action::Command(command.id));
                    }
                    return false;
                }
            }
            true
        });
    });
    actions
}
