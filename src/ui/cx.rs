//! What panels read.

use super::command::{self, CommandId};
use super::compare::Compare;
use super::convert::Conversions;
use super::derived::Derived;
use super::exports::ShownExport;
use super::files::Files;
use super::files::panel::Project;
use super::settings::Settings;
use super::stage::Stage;
use super::state::{DocView, Invoked, PanelId, State, WorkspaceTab};
use super::theme::Theme;
use crate::edit::{Clipboard, Content, DocId, Document, Editor, Selection, Workspace};
use crate::model::{Clip, Rig};
use crate::sample::take::TakeReport;
use std::sync::{Arc, OnceLock};

/// Everything a panel may look at. Nothing can be changed through it: panels push actions.
pub struct Cx<'a> {
    /// The documents, undo, selection, and the gesture under way.
    pub editor: &'a Editor,
    /// What the window remembers.
    pub state: &'a State,
    /// Colours and sizes.
    pub theme: &'a Theme,
    /// Poses at the playhead.
    pub stage: &'a Stage,
    /// What the open documents would be saved as, and what is wrong with them.
    pub derived: &'a Derived,
    /// The report on the export that is shown, once it is made.
    pub report: Option<&'a Arc<TakeReport>>,
    /// Conversions: what is asked, what was made.
    pub conversions: &'a Conversions,
    /// What documents are compared with.
    pub compare: &'a Compare,
    /// The files behind the documents.
    pub files: &'a Files,
    /// The files of the project's folder.
    pub project: &'a Project,
}

impl<'a> Cx<'a> {
    /// The documents, with the preview of a gesture under way.
    pub fn workspace(&self) -> &'a Workspace {
        self.editor.workspace()
    }

    /// What is selected.
    pub fn selection(&self) -> &'a Selection {
        self.editor.selection()
    }

    /// The settings.
    pub fn settings(&self) -> &'a Settings {
        &self.state.settings
    }

    /// The document of the current tab.
    pub fn active(&self) -> Option<DocId> {
        self.state.active.filter(|doc| self.workspace().document(*doc).is_some())
    }

    /// The document of the current tab.
    pub fn document(&self) -> Option<&'a Arc<Document>> {
        self.workspace().document(self.active()?)
    }

    /// The clip that is animated: the current document, or the clip that was last looked at with
    /// the current rig.
    pub fn clip(&self) -> Option<(DocId, &'a Arc<Clip>)> {
        let doc = clip_of(self.editor, self.state)?;
        Some((doc, self.workspace().clip(doc)?))
    }

    /// The export that is shown, where the current document is one.
    pub fn export(&self) -> Option<&'a ShownExport> {
        self.stage.export.as_ref().filter(|export| self.state.active == Some(export.doc))
    }

    /// How long what is shown plays, in seconds: a clip, or an export that has frames.
    pub fn duration_secs(&self) -> Option<f64> {
        let export = self.export().filter(|export| export.take().is_some());
        let export = export.map(ShownExport::duration_secs);
        export.or_else(|| self.clip().map(|(_, clip)| clip.duration_secs))
    }

    /// The rig that is shown: the current document, the one the clip is bound to, or the stage
    /// that a model clip is shown on.
    pub fn rig(&self) -> Option<(DocId, &'a Arc<Rig>)> {
        if let Some(export) = self.export() {
            return Some((export.doc, &export.nodes));
        }
        let doc = rig_of(self.editor, self.state)?;
        Some((doc, self.workspace().rig(doc)?))
    }

    /// Whether a document is before the user's eyes: the current one, or its rig. What is selected
    /// in others is no matter to the panels.
    pub fn is_shown(&self, doc: DocId) -> bool {
        self.active() == Some(doc) || self.rig().is_some_and(|(rig, _)| rig == doc)
    }

    /// The document whose view (playhead, camera, ranges) counts: the clip, otherwise the current
    /// one.
    pub fn view_doc(&self) -> Option<DocId> {
        view_doc(self.editor, self.state)
    }

    /// How the document is looked at.
    pub fn view(&self) -> &'a DocView {
        static FIRST: OnceLock<DocView> = OnceLock::new();
        self.view_doc()
            .and_then(|doc| self.state.views.get(&doc))
            .unwrap_or_else(|| FIRST.get_or_init(DocView::default))
    }

    /// Where the playhead is, in seconds within the clip.
    pub fn playhead_secs(&self) -> f64 {
        self.view().playhead_secs
    }

    /// Whether the clip plays.
    pub fn is_playing(&self) -> bool {
        self.state.playback.playing.is_some()
    }

    /// The workspace: whether changing a value keys it or changes the rest.
    pub fn tab(&self) -> WorkspaceTab {
        self.state.workspace_tab
    }

    /// The command that this panel shall carry out in this frame: by a shortcut with the pointer
    /// over it, or by a menu or the palette.
    pub fn invoked(&self, panel: PanelId) -> Option<CommandId> {
        match self.state.invoked {
            Some(Invoked { panel: p, command }) if p == panel => Some(command),
            _ => None,
        }
    }

    /// What a paste puts in: what was copied in this window, otherwise what the system's clipboard
    /// holds, where that can be read.
    pub fn clipboard(&self) -> Option<Clipboard> {
        let pasted = &self.state.pasted_text;
        let own = self.state.clipboard.as_ref();
        match own.filter(|own| pasted.is_empty() || own.text() == *pasted) {
            Some(own) => Some(own.clone()),
            None => Clipboard::parse(pasted),
        }
    }

    /// The tooltip of a command with its shortcuts, and why it would do nothing now.
    pub fn tooltip(&self, id: CommandId) -> String {
        let words = command::command(id).tooltip(self.settings().keymap);
        match command::why_not(id, self) {
            Some(why) => format!("{words}\n{why}"),
            None => words,
        }
    }

    /// A time as the user wants to see it: seconds, or frames of the display rate.
    pub fn show_time(&self, time_secs: f64) -> String {
        if self.settings().show_frames {
            let frame = time_secs * self.view().timeline.usable_fps();
            let whole = (frame - frame.round()).abs() < 1e-3;
            super::text::number(frame, if whole { 0 } else { 2 })
        } else {
            format!("{} s", super::text::number(time_secs, 3))
        }
    }
}

/// See [`Cx::clip`].
pub fn clip_of(editor: &Editor, state: &State) -> Option<DocId> {
    let workspace = editor.workspace();
    let active = state.active?;
    if workspace.clip(active).is_some() {
        return Some(active);
    }
    workspace.rig(active)?;
    let last = state.last_clip.get(&active).copied();
    last.filter(|doc| workspace.clip(*doc).is_some())
}

/// See [`Cx::rig`].
pub fn rig_of(editor: &Editor, state: &State) -> Option<DocId> {
    let workspace = editor.workspace();
    let active = state.active?;
    if workspace.rig(active).is_some() {
        return Some(active);
    }
    let stage = || state.views.get(&active)?.viewport.stage_rig;
    workspace.rig_of(active).or_else(stage).filter(|doc| workspace.rig(*doc).is_some())
}

/// The current document, where it is an export.
pub fn export_of(editor: &Editor, state: &State) -> Option<DocId> {
    let active = state.active?;
    let content = editor.workspace().content(active)?;
    matches!(content, Content::Take(_) | Content::Skeleton(_)).then_some(active)
}

/// See [`Cx::view_doc`].
pub fn view_doc(editor: &Editor, state: &State) -> Option<DocId> {
    clip_of(editor, state).or(state.active)
}

/// The document whose last step undo takes back, or redo does again: of those that the window
/// shows (the current one, the clip and the rig on the stage) the one that changed last.
pub fn undo_line(editor: &Editor, state: &State, undo: bool) -> Option<DocId> {
    let history = editor.history();
    let shown = [state.active, clip_of(editor, state), rig_of(editor, state)];
    let mut shown = shown.into_iter().flatten();
    if undo {
        let newest = |doc: &DocId| history.steps(*doc).next_back().map(|step| step.number);
        // Of equals the last wins: the current document comes last.
        shown.rev().filter(|doc| newest(doc).is_some()).max_by_key(newest)
    } else {
        shown.find(|doc| history.redo_label(*doc).is_some())
    }
}
