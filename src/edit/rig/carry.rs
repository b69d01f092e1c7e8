//! What a change of a rig does to the open clips that are bound to it.

use super::super::workspace::{Content, DocId};
use super::super::{EditError, Workspace};
use super::draft::Draft;
use crate::model::{Clip, ClipKind, check};
use std::collections::HashSet;
use std::sync::Arc;

/// Parts that follow a renamed node. Gives how many clips changed.
pub(super) fn renamed(draft: &mut Draft, old: &str, new: &str) -> Result<usize, EditError> {
    for_clips(draft, |clip| {
        for track in clip.tracks.iter_mut().filter(|t| t.part == old) {
            new.clone_into(&mut Arc::make_mut(track).part);
        }
    })
}

/// Tracks that go with deleted nodes. Gives how many went.
pub(super) fn deleted(draft: &mut Draft, ids: &HashSet<String>) -> Result<usize, EditError> {
    let mut gone = 0;
    for_clips(draft, |clip| {
        let many = clip.tracks.len();
        clip.tracks.retain(|t| !ids.contains(&t.part));
        gone += many - clip.tracks.len();
    })?;
    Ok(gone)
}

/// `model` where the rig has another name.
pub(super) fn model(draft: &mut Draft, name: &str) -> Result<usize, EditError> {
    for_clips(draft, |clip| name.clone_into(&mut clip.model))
}

fn for_clips(draft: &mut Draft, mut change: impl FnMut(&mut Clip)) -> Result<usize, EditError> {
    let mut changed = 0;
    for doc in draft.workspace.clips_of(draft.doc) {
        let Some(before) = draft.workspace.clip(doc).cloned() else { continue };
        // A model clip's parts are those of a procedural model.
        if before.kind == ClipKind::Model {
            continue;
        }
        let mut clip = (*before).clone();
        change(&mut clip);
        let same = before.model == clip.model
            && before.tracks.len() == clip.tracks.len()
            && before.tracks.iter().zip(&clip.tracks).all(|(a, b)| Arc::ptr_eq(a, b));
        if same {
            continue;
        }
        check::clip_change(&before, &clip)
            .map_err(|broken| refused(&draft.workspace, doc, &broken))?;
        draft.workspace = draft.workspace.with_same_uids(doc, Content::Clip(Arc::new(clip)));
        changed += 1;
    }
    Ok(changed)
}

/// A limit that breaks in another document than the one that is edited.
fn refused(workspace: &Workspace, doc: DocId, broken: &str) -> EditError {
    let name = workspace.document(doc).map(|d| d.name()).unwrap_or_default();
    EditError::new(format!("{name}: {broken}"))
}
