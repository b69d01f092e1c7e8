//! What is asked of a conversion.

use crate::convert::{Consent, ExportOptions, ImportOptions, Tolerances};
use crate::edit::{Content, Document};
use crate::model::Uid;
use crate::sample::take::Space;
use std::collections::BTreeSet;
use std::path::Path;

/// What is asked of a conversion of one document; each kind of document looks at its own part.
#[derive(Clone, Debug, PartialEq)]
pub struct Form {
    /// What comes out is called so.
    pub name: String,
    /// What may differ.
    pub tolerances: Tolerances,
    /// What an export's values are relative to; `None` as measured.
    pub space: Option<Space>,
    /// The clip repeats.
    pub looping: bool,
    /// Several clips where one has too many tracks.
    pub split: bool,
    /// `rot` where `rot_quat` is no rotation.
    pub use_rot: bool,
    /// Scales that mirror without their signs.
    pub abs_scale: bool,
    /// Only these pegs or nodes, and what they hang on.
    pub only: Option<BTreeSet<Uid>>,
    /// Frames a second of a new export.
    pub fps: f64,
    /// Its first frame.
    pub start: f64,
    /// The program that it shall be from.
    pub source: String,
}

impl Form {
    /// What is asked at first.
    pub fn of(document: &Document, space: Option<Space>) -> Form {
        let path = document.path.as_deref();
        let stem = path.and_then(Path::file_stem).map(|stem| stem.to_string_lossy().into_owned());
        let own = match &document.content {
            Content::Rig(rig) => Some(rig.name.clone()),
            Content::Skeleton(skeleton) => skeleton.name.clone(),
            _ => None,
        };
        let named = |name: &String| !name.is_empty();
        let name = own.filter(named).or(stem).filter(named).unwrap_or_else(|| "export".to_owned());
        let default = ExportOptions::default();
        Form {
            name,
            tolerances: default.tolerances,
            space,
            looping: false,
            split: false,
            use_rot: false,
            abs_scale: false,
            only: None,
            fps: default.fps,
            start: default.start,
            source: default.source,
        }
    }

    /// The name as it may stand in a file's name.
    pub fn file_stem(&self) -> String {
        let allowed = self.name.replace(['/', '\\'], "_");
        if allowed.trim().is_empty() { "export".to_owned() } else { allowed }
    }

    /// For `.anm` → `.rig` + `.motion`; `binding` is what clips say, `pegs` are the pegs' identities
    /// in the order of the file.
    pub fn import(&self, binding: String, pegs: impl Iterator<Item = Uid>) -> ImportOptions {
        let only = self.only.as_ref();
        ImportOptions {
            space: self.space,
            tolerances: self.tolerances,
            name: self.file_stem(),
            binding,
            looping: self.looping,
            split: self.split,
            use_rot: self.use_rot,
            abs_scale: self.abs_scale,
            pegs: only.map(|only| pegs.map(|peg| only.contains(&peg)).collect()),
        }
    }

    /// For `.rig` + `.motion` → `.anm`.
    pub fn export(&self, nodes: impl Iterator<Item = Uid>) -> ExportOptions {
        let only = self.only.as_ref();
        ExportOptions {
            fps: self.fps,
            start: self.start,
            source: self.source.clone(),
            tolerances: self.tolerances,
            nodes: only.map(|only| nodes.map(|node| only.contains(&node)).collect()),
        }
    }

    /// The form with what was agreed to.
    #[must_use]
    pub fn agreeing(&self, consent: Consent) -> Form {
        let mut form = self.clone();
        match consent {
            Consent::Split => form.split = true,
            Consent::UseRot => form.use_rot = true,
            Consent::AbsScale => form.abs_scale = true,
            Consent::Space(space) => form.space = Some(space),
            Consent::Tolerances(tolerances) => form.tolerances = tolerances,
        }
        form
    }
}
