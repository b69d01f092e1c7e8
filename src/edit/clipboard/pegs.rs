//! Copied keys of an export.

use super::super::{DocId, TakeEdit, Workspace};
use crate::format::{read_take, write_take};
use crate::model::take::{CoordinateSystem, Header, Peg, Take};
use crate::model::{Uid, Uids};
use crate::source::Source;
use std::collections::HashSet;
use std::sync::Arc;

/// Pegs of an export, each with those of its keys that were copied, and what their numbers mean.
#[derive(Clone, Debug)]
pub struct CopiedPegs {
    /// The pegs; each has a key.
    pub pegs: Vec<Arc<Peg>>,
    /// The coordinate system of the file that they come from.
    pub system: Option<CoordinateSystem>,
}

impl CopiedPegs {
    /// Copies keys of an export with their handles and unknown fields. `None` where there are none
    /// of them.
    pub fn new(workspace: &Workspace, doc: DocId, keys: &[Uid]) -> Option<CopiedPegs> {
        let take = workspace.take(doc)?;
        let wanted: HashSet<Uid> = keys.iter().copied().collect();
        let pick = |peg: &Arc<Peg>| {
            let keys = peg.keyframes.iter().filter(|key| wanted.contains(&key.uid));
            let keys: Vec<_> = keys.cloned().collect();
            // What else the file says of the peg does not go along.
            let copy = || Arc::new(Peg { keyframes: keys.clone(), origin: None, ..bare(peg) });
            (!keys.is_empty()).then(copy)
        };
        let pegs: Vec<_> = take.pegs.iter().filter_map(pick).collect();
        let system = take.header.coordinate_system.clone();
        (!pegs.is_empty()).then_some(CopiedPegs { pegs, system })
    }

    /// How many keys there are.
    pub fn key_count(&self) -> usize {
        self.pegs.iter().map(|peg| peg.keyframes.len()).sum()
    }

    /// A whole small `.anm` with nothing but the keys.
    pub fn text(&self) -> String {
        let header = Header { coordinate_system: self.system.clone(), ..Header::default() };
        let (frame_range, cameras, origin) = (None, Vec::new(), None);
        write_take(&Take { header, frame_range, pegs: self.pegs.clone(), cameras, origin })
    }

    /// Reads an `.anm`, or a JSON object with its `pegs` alone; pegs without keys are left out.
    /// `None` where it is neither, or has no key at all.
    pub fn parse(text: &str) -> Option<CopiedPegs> {
        let start = text.find('{').filter(|at| text[..*at].trim_matches(BLANK).is_empty())?;
        // Most texts are none: that is seen before they are read.
        if !text.contains("\"pegs\"") {
            return None;
        }
        let source = Source::parse_json(text.to_owned()).ok()?;
        let root = source.root();
        source.entry(root, "pegs")?;
        let missing = ["format", "version"].map(|key| source.entry(root, key).is_none());
        let mut whole = text[..=start].to_owned();
        for (key, missing) in
            [("\"format\": \"octo_anm\",", missing[0]), ("\"version\": 4,", missing[1])]
        {
            if missing {
                whole.push_str(key);
            }
        }
        whole.push_str(&text[start + 1..]);
        let take = read_take(whole, &mut Uids::default()).value?;
        let with_keys = take.pegs.into_iter().filter(|peg| !peg.keyframes.is_empty());
        let pegs: Vec<_> = with_keys.collect();
        let system = take.header.coordinate_system;
        (!pegs.is_empty()).then_some(CopiedPegs { pegs, system })
    }

    /// The edit that puts the keys into a take, the earliest at `frame`.
    ///
    /// # Errors
    /// The numbers mean another thing there: axes, unit or angles.
    pub fn paste(&self, take: &Take, frame: f64) -> Result<TakeEdit, String> {
        let there = take.header.coordinate_system.as_ref();
        match CoordinateSystem::differs(self.system.as_ref(), there) {
            Some(field) => Err(format!(
                "The copied keys come from a file whose {field} is another: their numbers would \
                 mean something else here"
            )),
            None => Ok(TakeEdit::PasteKeys { pegs: self.pegs.clone(), frame }),
        }
    }
}

/// White space, and the mark that some programs put in front.
const BLANK: [char; 5] = [' ', '\t', '\r', '\n', '\u{feff}'];

/// What a peg is found by, without anything else.
fn bare(peg: &Peg) -> Peg {
    Peg {
        uid: peg.uid,
        name: peg.name.clone(),
        path: peg.path.clone(),
        parent: peg.parent.clone(),
        rest_pivot: None,
        rest_rotation: None,
        rig: peg.rig.clone(),
        is_camera: false,
        source_modes: None,
        keyframes: Vec::new(),
        origin: None,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // A panic is a failed test.
    use super::super::Clipboard;
    use super::*;

    const PEGS: &str = "\"pegs\": [{\"name\": \"a\", \"path\": \"Top/a\", \"keyframes\": [\
        {\"frame\": 3, \"pos\": [1, 2, 3], \"rot\": [0, 0, 5], \"scl\": [1, 1, 1], \
        \"interp\": \"LINEAR\", \"tag\": 7}]}, {\"name\": \"b\", \"keyframes\": []}]";

    fn parsed(text: &str) -> Option<CopiedPegs> {
        match Clipboard::parse(text) {
            Some(Clipboard::Pegs(pegs)) => Some(pegs),
            _ => None,
        }
    }

    #[test]
    fn pegs_are_read_with_and_without_a_header() {
        for text in [
            format!("{{{PEGS}}}"),
            format!(" \n{{\"format\": \"octo_anm\", \"version\": 4, {PEGS}}}"),
        ] {
            let pegs = parsed(&text).unwrap();
            assert_eq!((pegs.pegs.len(), pegs.key_count()), (1, 1), "{text}");
        }
        for text in [
            "{\"pegs\": []}".to_owned(),
            "{\"pegs\": 3}".to_owned(),
            format!("{{\"format\": \"octo_anm\", \"version\": 3, {PEGS}}}"),
            format!("x {{{PEGS}}}"),
            format!("{{{PEGS}"),
        ] {
            assert!(parsed(&text).is_none(), "{text}");
        }
    }

    #[test]
    fn the_text_comes_back_with_unknown_fields() {
        let pegs = parsed(&format!("{{{PEGS}}}")).unwrap();
        let text = pegs.text();
        assert!(text.contains("\"tag\": 7"), "{text}");
        let again = parsed(&text).unwrap();
        assert_eq!(again.text(), text);
        assert_eq!(again.pegs[0].path.as_deref(), Some("Top/a"));
    }

    #[test]
    fn keys_of_another_system_are_refused() {
        let feet = format!("{{\"coordinate_system\": {{\"unit\": \"feet\"}}, {PEGS}}}");
        let (feet, plain) = (parsed(&feet).unwrap(), parsed(&format!("{{{PEGS}}}")).unwrap());
        let take = Take {
            header: Header::default(),
            frame_range: None,
            pegs: Vec::new(),
            cameras: Vec::new(),
            origin: None,
        };
        assert!(feet.paste(&take, 1.0).unwrap_err().contains("unit"));
        // What is not said is canonical.
        assert!(plain.paste(&take, 1.0).is_ok());
        let metres = "{\"coordinate_system\": {\"unit\": \"M\", \"up\": \"Y\"}, ";
        assert!(parsed(&format!("{metres}{PEGS}}}")).unwrap().paste(&take, 1.0).is_ok());
    }
}
