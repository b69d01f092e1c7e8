//! What the panel's questions and the commands do.

use super::Ask;
use super::strip::secs_of;
use crate::diff::{Change, Element, What};
use crate::edit::{Content, DocId, Selected, Selection};
use crate::ui::action::Tone;
use crate::ui::app::App;
use crate::ui::nodes;
use crate::ui::state::PanelId;
use std::collections::BTreeSet;
use std::path::Path;

impl App {
    /// Carries out what a panel asks of the current document's comparison.
    pub(in crate::ui) fn answer_compare(&mut self, ask: Ask) {
        let Some(doc) = self.state.active else { return };
        match ask {
            Ask::File(path) => self.compare_with_file(&path),
            Ask::Open(other) => {
                let name = self.editor.workspace().document(other).map(|d| d.name());
                self.compare.with_open(doc, other, name.unwrap_or_default());
                self.show_comparison();
            }
            Ask::Before => {
                self.files.re_exported.remove(&doc);
                match self.compare.with_before(doc) {
                    true => self.show_comparison(),
                    false => self.toast(Tone::Info, "There is no version before this one"),
                }
            }
            Ask::Stop => self.compare.stop(doc),
            Ask::Cancel => self.compare.cancel(doc),
            Ask::Ghost(on) => {
                if let Some(entry) = self.compare.entry_mut(doc) {
                    entry.ghost = on;
                }
            }
            Ask::Go(at) => self.go_to_difference(doc, at),
            Ask::Step(forward) => self.step_difference(doc, forward),
        }
    }

    /// Compares the current document with a file.
    pub(in crate::ui) fn compare_with_file(&mut self, path: &Path) {
        let Some(doc) = self.state.active else { return };
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        match self.editor.workspace().by_path(&path).filter(|open| *open != doc) {
            // What is open is compared as it is here, unsaved changes included.
            Some(open) => {
                let name = self.editor.workspace().document(open).map(|d| d.name());
                self.compare.with_open(doc, open, name.unwrap_or_default());
            }
            None => self.compare.with_file(doc, path),
        }
        self.show_comparison();
    }

    fn show_comparison(&mut self) {
        self.state.settings.layouts.focus(self.state.workspace_tab, PanelId::Compare);
    }

    fn step_difference(&mut self, doc: DocId, forward: bool) {
        let Some(entry) = self.compare.of(doc) else { return };
        let Some(made) = entry.made() else { return };
        let count = made.difference.elements.len();
        if count == 0 {
            return self.toast(Tone::Info, "Nothing differs");
        }
        let next = match (entry.at.filter(|at| *at < count), forward) {
            (None, true) => 0,
            (None, false) => count - 1,
            (Some(at), true) => (at + 1) % count,
            (Some(at), false) => (at + count - 1) % count,
        };
        self.show_comparison();
        self.go_to_difference(doc, next);
    }

    /// Selects what differs, and goes to the moment at which it differs most.
    fn go_to_difference(&mut self, doc: DocId, at: usize) {
        let Some(entry) = self.compare.entry_mut(doc) else { return };
        let Some(made) = entry.made().cloned() else { return };
        let Some(element) = made.difference.elements.get(at) else {
            entry.at = None;
            return;
        };
        entry.at = Some(at);
        entry.gone += 1;
        if let Some(selection) = self.selection_of(doc, element) {
            self.editor.select(selection);
        }
        let when = moment_of(&made.difference, element);
        let secs = when.and_then(|when| secs_of(&self.cx(), &made, when));
        if let Some(secs) = secs.filter(|secs| secs.is_finite()) {
            self.scrub_to(secs);
        }
    }

    fn selection_of(&self, doc: DocId, element: &Element) -> Option<Selection> {
        let at = element.b?;
        let content = self.editor.workspace().content(doc)?;
        let before = self.editor.selection();
        let node = |uid| nodes::only(before, [Selected::Node(doc, uid)]);
        match (content, element.what) {
            (Content::Take(take), What::Peg) => Some(node(take.pegs.get(at)?.uid)),
            (Content::Skeleton(skeleton), What::Bone) => Some(node(skeleton.bones.get(at)?.uid)),
            (Content::Rig(rig), What::Node) => Some(node(rig.nodes.get(at)?.uid)),
            (Content::Clip(clip), What::Track) => {
                let track = clip.tracks.get(at)?;
                let cx = self.cx();
                let place = cx.stage.find(&track.part);
                let thing = place.and_then(|place| nodes::at(&cx, place));
                let with = nodes::only(before, thing);
                let tracks: BTreeSet<_> = std::iter::once((doc, track.uid)).collect();
                Some(Selection { tracks, keys: BTreeSet::new(), ..with })
            }
            _ => None,
        }
    }
}

/// When an element differs most: by its keys, otherwise by its poses.
fn moment_of(difference: &crate::diff::Difference, element: &Element) -> Option<f64> {
    for change in &element.changes {
        let Change::Keys(keys) = change else { continue };
        let tally = keys.tally();
        let largest = tally.values.iter().filter(|tally| tally.count > 0);
        let largest = largest.max_by(|a, b| a.by.abs().total_cmp(&b.by.abs()));
        return largest.map(|tally| tally.at).or_else(|| keys.keys.first().map(|key| key.at));
    }
    let poses = difference.poses.as_ref()?;
    let joint = poses.joints.iter().find(|joint| Some(joint.a) == element.a)?;
    (element.what != What::Track && joint.world_m.by > 0.0).then_some(joint.world_m.at)
}
