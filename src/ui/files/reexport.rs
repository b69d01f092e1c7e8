//! An export that was exported anew while it is open: what stays, and what is said.

use crate::edit::{Content, DocId};
use crate::model::Uid;
use crate::model::take::{Take, TakeCamera};
use crate::ui::app::App;
use crate::ui::text;
use std::sync::Arc;

/// What a new version of an export changed, as its bar says it.
#[derive(Clone, Debug, PartialEq)]
pub struct ReExport {
    /// The time of day, `14:02`.
    pub at: String,
    /// How many pegs or bones differ from the version before.
    pub apart: usize,
    /// What they are called: one and several.
    pub what: [&'static str; 2],
    /// The frames per second before and now, where they differ.
    pub rates: Option<[f64; 2]>,
}

impl ReExport {
    /// The bar's words; `found` is what a comparison said, once there is one.
    pub fn words(&self, found: Option<&str>) -> String {
        let rate = match self.rates {
            Some([old, new]) => {
                let short = |rate: f64| (rate * 1000.0).round() / 1000.0;
                format!("{} → {} fps · ", short(old), short(new))
            }
            None => String::new(),
        };
        if let Some(found) = found.filter(|_| self.apart > 0) {
            return format!("Re-exported {} · {rate}{found}", self.at);
        }
        let [one, several] = self.what;
        let count = match self.apart {
            0 => format!("no {one} differs"),
            1 => format!("1 {one} differs"),
            many => format!("{} differ", text::count(many, one, several)),
        };
        format!("Re-exported {} · {rate}{count} from the version before", self.at)
    }
}

/// The camera at a place, whose identity outlives a reload.
fn camera(take: &Take, at: usize) -> Option<Uid> {
    take.cameras.get(at).map(|camera| camera.uid)
}

impl App {
    /// An export was read anew; `before` is the version before. The camera that is looked through
    /// stays the same one, the playhead stays inside, and a bar says how many pegs differ. False
    /// where it is no export, or none any more.
    pub(in crate::ui) fn re_exported(&mut self, doc: DocId, before: &Content) -> bool {
        let Some(after) = self.editor.workspace().content(doc).cloned() else { return false };
        let rig = self.editor.workspace().rig_of(doc);
        let rig = rig.and_then(|rig| self.editor.workspace().rig(rig)).cloned();
        self.compare.read_anew(doc, before.clone(), rig);
        // Against the version that somebody last looked at, not the one that went by.
        let looked_at = self.compare.before(doc).unwrap_or(before);
        let Some(apart) = looked_at.pegs_apart(&after) else {
            self.files.re_exported.remove(&doc);
            return false;
        };
        let what = match &after {
            Content::Skeleton(_) => ["bone", "bones"],
            _ => ["peg", "pegs"],
        };
        let mut rates = None;
        if let (Content::Take(old), Content::Take(new)) = (before, &after) {
            let view = self.state.view_mut(doc);
            let looked = view.viewport.look_through.and_then(|at| camera(old, at));
            let is_it = |camera: &Arc<TakeCamera>| Some(camera.uid) == looked;
            view.viewport.look_through = looked.and_then(|_| new.cameras.iter().position(is_it));
            let [first, last] = new.frame_range();
            let duration_secs = match new.fps() > 0.0 {
                true => ((last - first) / new.fps()).max(0.0),
                false => 0.0,
            };
            let [old_fps, new_fps] = [old.fps(), new.fps()];
            if old_fps != new_fps && old_fps > 0.0 && new_fps > 0.0 {
                rates = Some([old_fps, new_fps]);
                if view.timeline.fps == old_fps {
                    view.timeline.fps = new_fps;
                }
                // The frame is what a shot is spoken of by.
                let frame = old.frame_range()[0] + view.playhead_secs * old_fps;
                view.playhead_secs = ((frame - first) / new_fps).max(0.0);
            }
            view.playhead_secs = view.playhead_secs.min(duration_secs);
        }
        let at = chrono::Local::now().format("%H:%M").to_string();
        self.files.re_exported.insert(doc, ReExport { at, apart, what, rates });
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_count() {
        let known =
            |apart| ReExport { at: "14:02".to_owned(), apart, what: ["peg", "pegs"], rates: None };
        let words = |apart| known(apart).words(None);
        assert_eq!(words(7), "Re-exported 14:02 · 7 pegs differ from the version before");
        assert_eq!(words(1), "Re-exported 14:02 · 1 peg differs from the version before");
        let found = "7 pegs differ, worst 3.2 cm at frame 41 on hand.L";
        assert_eq!(known(7).words(Some(found)), format!("Re-exported 14:02 · {found}"));
        assert_eq!(words(0), "Re-exported 14:02 · no peg differs from the version before");
    }
}
