//! The pose at the playhead, and at any other time, from the one sampler.

use super::exports::ShownExport;
use super::state::{DocView, WorkspaceTab};
use crate::edit::{Content, DocId, Workspace};
use crate::math::Trs;
use crate::model::{Clip, Rig};
use crate::sample::take::Space;
use crate::sample::{self, Hierarchy, MotionRig, RestPart};
use std::collections::BTreeSet;
use std::sync::Arc;

/// What the viewport shows and the panels read values from: a clip on its rig, a clip alone, a rig
/// at rest, or an export. Made anew only where the clip or the rig is another value than before.
#[derive(Debug, Default)]
pub struct Stage {
    key: Option<Key>,
    /// The clip's document.
    pub clip_doc: Option<DocId>,
    /// The rig's document.
    pub rig_doc: Option<DocId>,
    /// The clip, compiled, without tracks that are muted or that no node has; `None` without a
    /// clip, or where it cannot play.
    pub clip: Option<sample::Clip>,
    /// The export that is shown in place of a clip and a rig.
    pub export: Option<ShownExport>,
    motion: Option<MotionRig>,
    hierarchy: Arc<Hierarchy>,
    names: Vec<String>,
    parents: Vec<Option<usize>>,
    rest: Vec<Trs>,
    /// Where the playhead is, in seconds; not wrapped.
    pub time_secs: f64,
    /// Poses relative to the parent, in metres, at the playhead; at rest in the Rig workspace.
    pub local: Vec<Trs>,
    /// Poses in the world at the playhead, in metres.
    pub world: Vec<Trs>,
    /// Counts up whenever anything here has changed: panels keep what they drew by it.
    pub revision: u64,
    /// Counts up whenever anything but the playhead has changed.
    pub made: u64,
    posed_at: Option<f64>,
}

/// What shall stand on the stage.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted {
    /// An export, in place of a clip and a rig.
    pub export: Option<DocId>,
    /// A clip.
    pub clip: Option<DocId>,
    /// The rig that it plays on, or that stands there at rest.
    pub rig: Option<DocId>,
    /// A gesture is under way: what it previews comes anew in every frame.
    pub moving: bool,
}

/// What a stage was made of; kept alive, so that an address cannot mean something else.
#[derive(Debug, Clone)]
struct Key {
    clip: Option<(DocId, Arc<Clip>)>,
    rig: Option<(DocId, Arc<Rig>)>,
    /// With the space that was chosen, and whether a gesture is under way.
    export: Option<(DocId, Content, Option<Space>, bool)>,
    muted: BTreeSet<crate::model::Uid>,
    at_rest: bool,
}

impl Key {
    fn same(&self, other: &Key) -> bool {
        let clips = match (&self.clip, &other.clip) {
            (Some((a, x)), Some((b, y))) => a == b && Arc::ptr_eq(x, y),
            (None, None) => true,
            _ => false,
        };
        let rigs = match (&self.rig, &other.rig) {
            (Some((a, x)), Some((b, y))) => a == b && Arc::ptr_eq(x, y),
            (None, None) => true,
            _ => false,
        };
        let exports = match (&self.export, &other.export) {
            (Some((a, x, s, m)), Some((b, y, t, n))) => a == b && x.ptr_eq(y) && s == t && m == n,
            (None, None) => true,
            _ => false,
        };
        clips && rigs && exports && self.muted == other.muted && self.at_rest == other.at_rest
    }
}

impl Stage {
    /// Brings the stage up to what is open and where the playhead is.
    pub fn update(
        &mut self,
        workspace: &Workspace,
        wanted: Wanted,
        view: Option<&DocView>,
        tab: WorkspaceTab,
    ) {
        let Wanted { export, clip, rig, .. } = wanted;
        let key = Key {
            export: export.and_then(|doc| {
                let content = workspace.content(doc)?.clone();
                Some((doc, content, view.and_then(|view| view.space), wanted.moving))
            }),
            clip: clip.and_then(|doc| Some((doc, workspace.clip(doc)?.clone()))),
            rig: rig.and_then(|doc| Some((doc, workspace.rig(doc)?.clone()))),
            muted: view.map(|v| v.timeline.muted.clone()).unwrap_or_default(),
            at_rest: tab == WorkspaceTab::Rig,
        };
        if self.key.as_ref().is_none_or(|before| !before.same(&key)) {
            self.rebuild(&key);
            self.key = Some(key);
            self.posed_at = None;
        }
        let playhead_secs = view.map_or(0.0, |v| v.playhead_secs);
        self.pose(playhead_secs);
    }

    fn rebuild(&mut self, key: &Key) {
        self.revision += 1;
        self.made += 1;
        self.clip_doc = key.clip.as_ref().map(|(doc, _)| *doc);
        self.rig_doc = key.rig.as_ref().map(|(doc, _)| *doc);
        self.motion = None;
        let before = self.clip.take();
        let export = self.export.take();
        if let Some((doc, content, space, moving)) = &key.export {
            self.export = ShownExport::new(*doc, content, *space, *moving, export);
            self.stand_export();
            return;
        }

        let parts: Vec<RestPart> = match (&key.rig, &key.clip) {
            (Some((_, rig)), _) => rig.nodes.iter().map(|node| RestPart::from(&**node)).collect(),
            // Parts of a procedural model, or of a rig that is not there: each its own root.
            (None, Some((_, clip))) => {
                let mut seen = BTreeSet::new();
                let names = clip.tracks.iter().map(|track| track.part.as_str());
                names
                    .filter(|name| !name.is_empty() && seen.insert(*name))
                    .map(|name| RestPart {
                        name: name.to_owned(),
                        parent: None,
                        rest: Trs::IDENTITY,
                    })
                    .collect()
            }
            (None, None) => Vec::new(),
        };
        let pairs = parts.iter().map(|part| (part.name.as_str(), part.parent.as_deref()));
        // A document's nodes are a sound hierarchy: the reader and every edit see to that.
        self.hierarchy = Arc::new(Hierarchy::new(pairs).unwrap_or_default());
        self.parents = parts.iter().map(|p| self.hierarchy.find(p.parent.as_deref()?)).collect();
        self.rest = parts.iter().map(|part| part.rest).collect();
        self.names = parts.iter().map(|part| part.name.clone()).collect();

        let Some((_, clip)) = &key.clip else { return };
        let plays = |track: &&Arc<crate::model::Track>| {
            !key.muted.contains(&track.uid) && self.hierarchy.find(&track.part).is_some()
        };
        let tracks: Vec<_> = clip.tracks.iter().filter(plays).cloned().collect();
        let playable = if tracks.len() == clip.tracks.len() {
            clip.clone()
        } else {
            Arc::new(Clip { tracks, ..(**clip).clone() })
        };
        let compiled = match before {
            Some(before) => before.updated(&playable),
            None => sample::Clip::new(&playable),
        };
        self.clip = compiled.ok();
        if key.at_rest {
            return;
        }
        if let Some(clip) = &self.clip {
            self.motion = MotionRig::new(&parts, clip).ok();
        }
    }

    /// Names, parents and rests of the export.
    fn stand_export(&mut self) {
        let Some(export) = &self.export else { return };
        self.names = export.names().to_vec();
        self.parents = (0..self.names.len()).map(|at| export.parent(at)).collect();
        self.rest = export.rests();
        let pairs = self.names.iter().enumerate().map(|(at, name)| {
            let parent = export.parent(at).and_then(|parent| self.names.get(parent));
            (name.as_str(), parent.map(String::as_str))
        });
        self.hierarchy = Arc::new(Hierarchy::new(pairs).unwrap_or_default());
    }

    fn pose(&mut self, time_secs: f64) {
        if self.posed_at == Some(time_secs) {
            return;
        }
        self.posed_at = Some(time_secs);
        self.time_secs = time_secs;
        self.revision += 1;
        if let Some(export) = &mut self.export {
            export.pose(time_secs, &mut self.local, &mut self.world);
            return;
        }
        let mut local = std::mem::take(&mut self.local);
        self.local_at(time_secs, &mut local);
        self.world.resize(local.len(), Trs::IDENTITY);
        self.hierarchy.world_from_local(&local, &mut self.world);
        self.local = local;
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Node ids or part names, in the order of all poses (that of the file).
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The place of a node in the order of all poses.
    pub fn find(&self, id: &str) -> Option<usize> {
        self.hierarchy.find(id)
    }

    /// The place of a node's parent.
    pub fn parent(&self, index: usize) -> Option<usize> {
        self.parents.get(index).copied().flatten()
    }

    /// The rest pose of a node, relative to its parent.
    pub fn rest(&self, index: usize) -> Option<&Trs> {
        self.rest.get(index)
    }

    /// Poses relative to the parent at any time, in seconds, one for each of [`Stage::names`].
    pub fn local_at(&self, time_secs: f64, local: &mut Vec<Trs>) {
        if let Some(export) = &self.export {
            export.at(time_secs, local, &mut Vec::new());
            return;
        }
        match &self.motion {
            Some(motion) => motion.sample_local(time_secs, 1.0, local),
            None => {
                local.clear();
                local.extend_from_slice(&self.rest);
            }
        }
    }

    /// Poses in the world at any time, in seconds: for ghosts and trails.
    pub fn world_at(&self, time_secs: f64, world: &mut Vec<Trs>) {
        if let Some(export) = &self.export {
            export.at(time_secs, &mut Vec::new(), world);
            return;
        }
        self.local_at(time_secs, world);
        self.hierarchy.local_to_world(world);
    }

    /// Turns poses relative to the parent into world poses, in place.
    pub fn local_to_world(&self, poses: &mut [Trs]) {
        self.hierarchy.local_to_world(poses);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // A panic is a failed test.
    use super::*;
    use crate::edit::{Workspace, content_of};
    use crate::format::FileKind;
    use crate::model::Uids;

    const RIG: &str = "name: R\nnodes:\n  - id: a\n    kind: joint\n    position: [0, 1, 0]\n  - id: b\n    kind: joint\n    parent: a\n    position: [1, 0, 0]\n";
    const CLIP: &str = "binding: r.rig\nmodel: R\nduration: 2\nloop: false\ntracks:\n  - part: a\n    property: position\n    interpolation: linear\n    keys:\n      - time: 0\n        value: [0, 1, 0]\n      - time: 2\n        value: [0, 3, 0]\n  - part: gone\n    property: position\n    interpolation: linear\n    keys:\n      - time: 0\n        value: [9, 9, 9]\n";

    fn open(workspace: &Workspace, kind: FileKind, text: &str) -> (Workspace, DocId) {
        let mut uids = Uids::default();
        let content = content_of(kind, text, &mut uids);
        workspace.with_new(None, None, content, uids)
    }

    fn on(clip: DocId, rig: Option<DocId>) -> Wanted {
        Wanted { clip: Some(clip), rig, ..Wanted::default() }
    }

    #[test]
    fn the_stage_follows_playhead_edits_and_workspace() {
        let (workspace, rig) = open(&Workspace::default(), FileKind::Rig, RIG);
        let (workspace, clip) = open(&workspace, FileKind::Motion, CLIP);
        let mut stage = Stage::default();
        let mut view = DocView { playhead_secs: 1.0, ..DocView::default() };
        stage.update(&workspace, on(clip, Some(rig)), Some(&view), WorkspaceTab::Animate);
        // A track that no node has is left out; the rest still plays.
        assert_eq!(stage.world[1].position, glam::DVec3::new(1.0, 2.0, 0.0));
        let revision = stage.revision;
        stage.update(&workspace, on(clip, Some(rig)), Some(&view), WorkspaceTab::Animate);
        assert_eq!(stage.revision, revision, "nothing changed");
        view.playhead_secs = 2.0;
        stage.update(&workspace, on(clip, Some(rig)), Some(&view), WorkspaceTab::Animate);
        assert_eq!(stage.world[0].position.y, 3.0);
        stage.update(&workspace, on(clip, Some(rig)), Some(&view), WorkspaceTab::Rig);
        assert_eq!(stage.world[0].position.y, 1.0, "Rig shows the rest");
        view.timeline.muted.insert(workspace.clip(clip).unwrap().tracks[0].uid);
        stage.update(&workspace, on(clip, Some(rig)), Some(&view), WorkspaceTab::Animate);
        assert_eq!(stage.world[0].position.y, 1.0, "a muted track does not play");
        stage.update(&workspace, on(clip, None), Some(&view), WorkspaceTab::Animate);
        assert_eq!(stage.names(), ["a", "gone"], "without a rig, the parts of the tracks");
    }
}
