//! Texts to what is played.

use super::{Binding, Clip};
use crate::diagnostic::Problem;
use crate::format::{codes, file_problem, read_clip, read_rig, read_scene, strict, syntax_problem};
use crate::model::Uids;
use crate::source::Source;
use std::sync::Arc;

fn source(text: &str) -> Result<Arc<Source>, Box<Problem>> {
    match Source::parse_yaml(text.to_owned()) {
        Ok(source) => Ok(Arc::new(source)),
        Err(error) => Err(Box::new(syntax_problem(text, &error))),
    }
}

impl Clip {
    /// Reads the text of a `.motion` file (the format's `ctMotionParse`).
    ///
    /// # Errors
    /// The first problem that the format's loader reports (M3), in its words (M4), with line,
    /// column and path.
    pub fn parse(text: &str) -> Result<Clip, Box<Problem>> {
        let clip = strict(read_clip(&source(text)?, &mut Uids::default()))?;
        Clip::new(&clip)
    }
}

impl Binding {
    /// Reads the text of a `.rig` file, or of a scene used as one (M9): a text with a list
    /// `entities` and none of `nodes` (the format's `ctAnimationBindingParse`).
    ///
    /// # Errors
    /// As [`Clip::parse`].
    pub fn parse(text: &str) -> Result<Binding, Box<Problem>> {
        let source = source(text)?;
        let has = |list| source.get(source.root(), list).is_some();
        Self::of_source(&source, has("entities") && !has("nodes"))
    }

    /// Reads the text of a scene (M9), whatever it looks like.
    ///
    /// # Errors
    /// As [`Clip::parse`].
    pub fn parse_scene(text: &str) -> Result<Binding, Box<Problem>> {
        Self::of_source(&source(text)?, true)
    }

    /// Reads the text of a `.rig` (M8), whatever it looks like.
    ///
    /// # Errors
    /// As [`Clip::parse`].
    pub fn parse_rig(text: &str) -> Result<Binding, Box<Problem>> {
        Self::of_source(&source(text)?, false)
    }

    fn of_source(source: &Arc<Source>, scene: bool) -> Result<Binding, Box<Problem>> {
        let mut uids = Uids::default();
        let reading =
            if scene { read_scene(source, &mut uids) } else { read_rig(source, &mut uids) };
        // What the reader lets through is a hierarchy; should the two ever differ, it is said.
        Binding::new(&strict(reading)?)
            .map_err(|error| Box::new(file_problem(codes::BINDING_BROKEN, error.to_string())))
    }
}
