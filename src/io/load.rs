//! What engines load.

use super::read::{ReadError, read_text};
use crate::diagnostic::Problem;
use crate::format::FileKind;
use crate::sample::{Binding, Clip};
use std::path::Path;

fn load<T>(
    path: &Path,
    parse: impl FnOnce(&str) -> Result<T, Box<Problem>>,
) -> Result<T, ReadError> {
    let text = read_text(path)?;
    parse(&text).map_err(|problem| ReadError::Content { path: path.to_owned(), problem })
}

impl Clip {
    /// Loads a `.motion` file (the format's `ctMotionLoad`). Its rig is not looked for: see
    /// [`Clip::binding`] and [`Binding::load`].
    ///
    /// # Errors
    /// Where the file cannot be read, and where [`Clip::parse`] refuses what is in it.
    pub fn load(path: impl AsRef<Path>) -> Result<Clip, ReadError> {
        load(path.as_ref(), Clip::parse)
    }
}

impl Binding {
    /// Loads a `.rig` file, or any other as a scene used as one (the format's
    /// `ctAnimationBindingLoad`).
    ///
    /// # Errors
    /// Where the file cannot be read, and where [`Binding::parse`] refuses what is in it.
    pub fn load(path: impl AsRef<Path>) -> Result<Binding, ReadError> {
        let path = path.as_ref();
        match FileKind::of_path(path) {
            FileKind::Rig => load(path, Binding::parse_rig),
            _ => load(path, Binding::parse_scene),
        }
    }
}
