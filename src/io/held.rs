//! Files that another program holds open. Windows refuses to replace or read them; virus scanners,
//! indexers and synchronisers let go within moments, so it is tried again before it is an error.

use std::fs::File;
use std::io;
use std::path::Path;
use std::time::Duration;
use tempfile::{NamedTempFile, PersistError};

/// How long to wait before each further try: half a second in all.
const WAITS: [Duration; 6] = [
    Duration::from_millis(5),
    Duration::from_millis(15),
    Duration::from_millis(40),
    Duration::from_millis(80),
    Duration::from_millis(140),
    Duration::from_millis(220),
];

/// Whether the system says so because another program has the file open. On Windows: access
/// denied (also said of a file that is open without leave to replace it), sharing violation, lock
/// violation.
pub fn is_held(error: &io::Error) -> bool {
    cfg!(windows) && matches!(error.raw_os_error(), Some(5 | 32 | 33))
}

/// Does something to a file; while another program holds it, again after a moment.
///
/// # Errors
/// What the last try failed with.
pub fn patiently<T>(attempt: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    again(is_held, attempt)
}

fn again<T, E>(
    is_held: impl Fn(&E) -> bool,
    mut attempt: impl FnMut() -> Result<T, E>,
) -> Result<T, E> {
    for wait in WAITS {
        match attempt() {
            Err(error) if is_held(&error) => std::thread::sleep(wait),
            done => return done,
        }
    }
    attempt()
}

/// Gives a temporary file its name, over what has it; while another program holds that, again
/// after a moment.
///
/// # Errors
/// What the last try failed with, and the temporary file.
pub fn persist(temporary: NamedTempFile, target: &Path) -> Result<File, PersistError> {
    let mut temporary = temporary;
    for wait in WAITS {
        match temporary.persist(target) {
            Err(refused) if is_held(&refused.error) => {
                std::thread::sleep(wait);
                temporary = refused.file;
            }
            done => return done,
        }
    }
    temporary.persist(target)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_held_is_tried_again_and_nothing_else() {
        for (held_for, tries) in [(0, 1), (3, 4), (WAITS.len(), WAITS.len() + 1)] {
            let mut tried = 0;
            let done = again(
                |_: &&str| true,
                || {
                    tried += 1;
                    if tried > held_for { Ok(tried) } else { Err("held") }
                },
            );
            assert_eq!(done, Ok(tries));
        }
        let mut tried = 0;
        let refused = again(
            |error: &&str| *error == "held",
            || {
                tried += 1;
                Err::<(), _>("no room")
            },
        );
        assert_eq!((refused, tried), (Err("no room"), 1));
        let mut tried = 0;
        let refused = again(
            |_: &&str| true,
            || {
                tried += 1;
                Err::<(), _>("held")
            },
        );
        assert_eq!((refused, tried), (Err("held"), WAITS.len() + 1));
    }
}
