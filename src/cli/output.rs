//! Text for people: cleaned, elided, coloured on a terminal only.

use std::io::{self, IsTerminal, Write};

/// Longest piece of a file's text in a sentence, in characters.
const MAX_WORDS: usize = 300;

/// Writes a whole answer to stdout. A reader that went away is no error.
pub(super) fn print(text: &str) -> bool {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Ok(()) => true,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => true,
        Err(error) => {
            complain(&format!("writing the answer failed: {error}"));
            false
        }
    }
}

/// Says something to the person at stderr.
pub(super) fn complain(message: &str) {
    // Nothing can be done where nobody listens.
    let _ = writeln!(io::stderr(), "posewright: {}", clean(message));
}

/// Whether colours suit where stdout goes.
pub(super) fn colours() -> bool {
    io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty())
}

/// Text of a file made safe to show: control characters and those that turn the direction of
/// writing would act on the terminal, and very long ones would flood it.
pub(super) fn clean(text: &str) -> String {
    let mut clean = String::with_capacity(text.len().min(MAX_WORDS * 4));
    for (count, character) in text.chars().enumerate() {
        if count == MAX_WORDS {
            clean.push('…');
            break;
        }
        clean.push(visible(character));
    }
    clean
}

/// A character, or what is shown in its place. Always one for one, so that carets stay in place.
pub(super) fn visible(character: char) -> char {
    match character {
        '\t' => ' ',
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            '\u{fffd}'
        }
        '\u{feff}' => '\u{fffd}',
        character if character.is_control() => '\u{fffd}',
        character => character,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_act_on_a_terminal_is_shown_as_a_mark() {
        assert_eq!(clean("a\u{1b}[31mb\u{202e}c\u{9b}d\te"), "a\u{fffd}[31mb\u{fffd}c\u{fffd}d e");
        let long = clean(&"x".repeat(1_000));
        assert_eq!(long.chars().count(), MAX_WORDS + 1);
        assert!(long.ends_with('…'));
        assert_eq!(clean("手 🦾 é"), "手 🦾 é");
    }
}
