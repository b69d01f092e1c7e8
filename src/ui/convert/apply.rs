//! What the panel's actions do.

use super::Form;
use super::work::Job;
use crate::edit::{Content, DocId, content_of};
use crate::model::Uids;
use crate::ui::action::Tone;
use crate::ui::app::App;
use crate::ui::cx;
use crate::ui::files::relative;
use crate::ui::state::{PanelId, WorkspaceTab};
use std::path::{Path, PathBuf};

impl App {
    /// The document whose figures the Convert panel shows, and what they are of.
    pub(in crate::ui) fn conversion_wanted(&mut self) -> Option<Job> {
        let doc =
            self.state.active.filter(|_| self.state.front_panels.contains(&PanelId::Convert))?;
        let document = self.editor.workspace().document(doc)?.clone();
        if matches!(document.content, Content::Text(_)) {
            return None;
        }
        let outcome = self.conversions.outcome(doc).cloned();
        let own = self.conversions.own.contains(&doc);
        if self.conversions.form(doc).is_none() {
            let form = match outcome.as_ref().filter(|_| !own) {
                Some(outcome) => outcome.job.form.clone(),
                None => Form::of(&document, self.state.views.get(&doc).and_then(|v| v.space)),
            };
            self.conversions.set_form(doc, form);
        }
        let form = self.conversions.form(doc)?.clone();
        if let Some(outcome) = outcome.filter(|_| !own) {
            // Nothing is reckoned again before something else is asked.
            let asked = form != outcome.job.form;
            return asked.then(|| Job { form, ..outcome.job.clone() });
        }
        let rig = matches!(document.content, Content::Clip(_))
            .then(|| cx::rig_of(&self.editor, &self.state))
            .flatten()
            .and_then(|rig| self.editor.workspace().rig(rig).cloned());
        let binding = self.binding_beside(document.path.as_deref(), &form).1;
        Some(Job { content: document.content.clone(), rig, form, binding })
    }

    /// The project's root for what is made of a file, and the rig's path from there (A51).
    fn binding_beside(&self, source: Option<&Path>, form: &Form) -> (Option<PathBuf>, String) {
        let file = format!("{}.rig", form.file_stem());
        let Some(folder) = source.and_then(Path::parent) else { return (None, file) };
        let project = self.state.project.clone().filter(|project| folder.starts_with(project));
        let root = project.unwrap_or_else(|| folder.to_owned());
        let binding = relative(&folder.join(&file), &root).unwrap_or(file);
        (Some(root), binding)
    }

    /// Opens what was reckoned as new documents.
    pub(in crate::ui) fn create_converted(&mut self, doc: DocId) {
        let Some((job, made)) = self.conversions.ready() else { return };
        let (job, made) = (job.clone(), made.clone());
        let before = self.conversions.outcome(doc).cloned();
        let before = before.filter(|_| !self.conversions.own.contains(&doc));
        let workspace = self.editor.workspace();
        let source = before.as_ref().map_or(doc, |outcome| outcome.source);
        let document = workspace.document(source).cloned();
        let name = match (&document, &before) {
            (Some(document), _) => document.name(),
            (None, Some(before)) => before.source_name.clone(),
            (None, None) => String::new(),
        };
        let path = document.as_ref().and_then(|document| document.path.clone());
        let (root, _) = self.binding_beside(path.as_deref(), &job.form);
        let fps = match &job.content {
            Content::Take(take) => Some(take.fps()),
            _ => None,
        };
        if let Some(before) = &before {
            self.close_untouched(&before.docs);
        }
        let mut docs = Vec::new();
        let mut rig = None;
        for file in &made.files {
            let mut uids = Uids::default();
            let content = content_of(file.kind, &file.text, &mut uids);
            let is_rig = matches!(content, Content::Rig(_));
            let new = self.open_new(root.clone(), content, uids);
            self.state.suggested_names.insert(new, file.name.clone());
            let view = self.state.view_mut(new);
            if let Some(fps) = fps.filter(|fps| *fps > 0.0) {
                view.timeline.fps = fps;
            }
            if is_rig {
                rig = Some(new);
            } else {
                view.viewport.stage_rig = rig;
            }
            docs.push(new);
        }
        let count = docs.len();
        self.conversions.made((source, name), docs.clone(), job, made);
        let Some(last) = docs.get(1).or(docs.first()).copied() else { return };
        self.activate(last);
        self.state.workspace_tab = match self.editor.workspace().content(last) {
            Some(Content::Take(_) | Content::Skeleton(_)) => WorkspaceTab::Inspect,
            Some(Content::Rig(_)) => WorkspaceTab::Rig,
            _ => WorkspaceTab::Animate,
        };
        let tab = self.state.workspace_tab;
        self.state.settings.layouts.focus(tab, PanelId::Convert);
        let words = match count {
            1 => "Created a document; it is not saved yet".to_owned(),
            count => format!("Created {count} documents; they are not saved yet"),
        };
        self.toast(Tone::Good, &words);
    }

    /// Closes documents of a result that nobody saved or changed.
    fn close_untouched(&mut self, docs: &[DocId]) {
        for doc in docs {
            let untouched = self.editor.history().steps(*doc).next().is_none();
            let saved = self.editor.workspace().document(*doc).is_none_or(|d| d.path.is_some());
            if untouched && !saved {
                self.close_now(*doc);
            }
        }
        let open: Vec<DocId> = self.editor.workspace().documents().map(|d| d.id).collect();
        self.conversions.forget(|doc| open.contains(&doc));
    }

    /// Keeps conversions up with what is open, asked and shown.
    pub(in crate::ui) fn follow_conversions(&mut self, wake: &dyn Fn() -> Box<dyn Fn() + Send>) {
        let wanted = self.conversion_wanted();
        self.conversions.update(wanted, wake);
        let open: Vec<DocId> = self.editor.workspace().documents().map(|d| d.id).collect();
        self.conversions.forget(|doc| open.contains(&doc));
        self.conversions.follow(&self.stage);
    }

    /// Whether figures of a conversion are being reckoned.
    pub fn is_converting(&self) -> bool {
        self.conversions.is_busy()
    }
}
