//! A rename or a delete in a rig that closed clips would feel: they are named first, and changed
//! too (opened, unsaved) or left.

use crate::edit::{DocId, Edit, RigEdit};
use crate::io;
use crate::ui::action::CarryAnswer;
use crate::ui::app::App;
use std::path::{Path, PathBuf};

/// An edit that waits for an answer.
#[derive(Clone, Debug)]
pub struct Waiting {
    /// The edit.
    pub edit: Edit,
    /// The closed clips that it would leave behind.
    pub clips: Vec<PathBuf>,
}

impl App {
    /// Makes an edit, or asks first where closed clips use what it renames or deletes.
    pub(in crate::ui) fn perform_or_ask(&mut self, edit: Edit) {
        self.files.waiting = None;
        let clips = self.closed_users(&edit);
        if clips.is_empty() {
            self.perform(&edit);
        } else {
            self.files.waiting = Some(Waiting { edit, clips });
        }
    }

    /// Carries out the answer about closed clips.
    pub(in crate::ui) fn answer_carry(&mut self, answer: CarryAnswer) {
        let Some(Waiting { edit, clips }) = self.files.waiting.take() else { return };
        match answer {
            CarryAnswer::Cancel => {}
            CarryAnswer::Leave => {
                self.perform(&edit);
            }
            CarryAnswer::ChangeToo => {
                let wanted = clips.clone();
                let then = move |app: &mut App| {
                    // One that cannot be opened was named; nothing is changed by half then.
                    let workspace = app.editor.workspace();
                    if wanted.iter().all(|clip| workspace.by_path(clip).is_some()) {
                        app.perform(&edit);
                    }
                };
                self.open_and_then(&clips, false, Some(Box::new(then)));
            }
        }
    }

    fn closed_users(&self, edit: &Edit) -> Vec<PathBuf> {
        let Edit::Rig { doc, edit } = edit else { return Vec::new() };
        let workspace = self.editor.workspace();
        let Some(rig) = workspace.rig(*doc) else { return Vec::new() };
        let id = |uid| rig.nodes.iter().find(|n| n.uid == uid).map(|n| n.id.clone());
        let parts: Option<Vec<String>> = match edit {
            RigEdit::Rename { node, .. } => Some(id(*node).into_iter().collect()),
            RigEdit::DeleteNodes { nodes, with_children } => {
                let mut gone: Vec<String> = nodes.iter().filter_map(|uid| id(*uid)).collect();
                // A node below one that goes, however the list is ordered.
                loop {
                    let below = |n: &&std::sync::Arc<crate::model::Node>| {
                        n.parent.as_ref().is_some_and(|p| gone.contains(p)) && !gone.contains(&n.id)
                    };
                    let next = rig.nodes.iter().find(below).filter(|_| *with_children);
                    let Some(next) = next else { break };
                    gone.push(next.id.clone());
                }
                Some(gone)
            }
            RigEdit::SetName { .. } => None,
            _ => return Vec::new(),
        };
        let Some(path) = workspace.document(*doc).and_then(|d| d.path.clone()) else {
            return Vec::new();
        };
        let Some(root) = self.root_around(*doc, &path) else { return Vec::new() };
        let mut clips = io::clips_bound_to(&root, &path, parts.as_deref());
        clips.retain(|clip| workspace.by_path(clip).is_none());
        clips
    }

    /// The folder in which other users of a rig are looked for.
    fn root_around(&self, rig: DocId, path: &Path) -> Option<PathBuf> {
        let workspace = self.editor.workspace();
        let of_clip = || {
            let clips = workspace.clips_of(rig);
            clips.into_iter().find_map(|clip| workspace.document(clip)?.project_root.clone())
        };
        let project = self.state.project.clone().filter(|folder| path.starts_with(folder));
        project.or_else(of_clip)
    }
}
