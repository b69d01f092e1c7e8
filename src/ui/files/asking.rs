//! Questions for files under way, and what their answers lead to.

use super::dialogs::{Answer, Ask, AskKind};
use super::{relative, suggested_name};
use crate::edit::{Content, DocId};
use crate::ui::action::{OutsideAnswer, Tone};
use crate::ui::app::App;
use crate::ui::shell::path_field::PathField;
use eframe::egui::Context;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, TryRecvError};

/// Why files are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To open them.
    Open,
    /// To open a folder as a project.
    OpenFolder,
    /// To save a document there.
    SaveAs(DocId),
    /// To save a document there, and go on closing.
    SaveAndClose(DocId),
    /// To compare the current document with it.
    Compare,
    /// To make a clip for this rig.
    RigForClip,
    /// To be the root of this clip's project.
    Root(DocId),
}

/// A clip that is about to be saved outside of its project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outside {
    /// The clip.
    pub doc: DocId,
    /// Where to.
    pub path: PathBuf,
    /// The root of its project.
    pub root: PathBuf,
    /// Its binding, which is not changed.
    pub binding: String,
    /// Where that leads from there.
    pub leads_to: Option<PathBuf>,
    /// Whether it is being closed.
    pub close: bool,
}

/// A question under way.
#[derive(Debug)]
pub struct Pending {
    ask: Ask,
    purpose: Purpose,
    answer: Receiver<Answer>,
}

impl App {
    /// Asks for files.
    pub(in crate::ui) fn ask(&mut self, ctx: &Context, purpose: Purpose) {
        let workspace = self.editor.workspace();
        let near = |doc: DocId| {
            let document = workspace.document(doc)?;
            let folder = document.path.as_deref().and_then(Path::parent).map(Path::to_owned);
            folder.or_else(|| document.project_root.clone())
        };
        let folder = self
            .state
            .active
            .and_then(near)
            .or_else(|| self.state.project.clone())
            .or_else(|| self.state.settings.recent.first()?.parent().map(Path::to_owned));
        let (kind, title, name) = match purpose {
            Purpose::Open => (AskKind::OpenFiles, "Open", String::new()),
            Purpose::OpenFolder => (AskKind::Folder, "Open a folder as a project", String::new()),
            Purpose::SaveAs(doc) | Purpose::SaveAndClose(doc) => {
                let own = self.state.suggested_names.get(&doc).cloned();
                let own = own.filter(|_| workspace.document(doc).is_some_and(|d| d.path.is_none()));
                let name = own.unwrap_or_else(|| suggested_name(workspace, doc));
                (AskKind::SaveFile, "Save as", name)
            }
            Purpose::Compare => (AskKind::OpenFile, "Compare with", String::new()),
            Purpose::RigForClip => (AskKind::Rig, "A rig for the new clip", String::new()),
            Purpose::Root(_) => (AskKind::Folder, "The project's root folder", String::new()),
        };
        let ask = Ask { kind, title: title.to_owned(), folder, name };
        let waker = ctx.clone();
        let answer = self.dialogs.ask(&ask, Box::new(move || waker.request_repaint()));
        self.shell.pending.push(Pending { ask, purpose, answer });
    }

    /// Looks whether answers have come.
    pub(in crate::ui) fn poll(&mut self, ctx: &Context) {
        let pending = std::mem::take(&mut self.shell.pending);
        for question in pending {
            match question.answer.try_recv() {
                Err(TryRecvError::Empty) => self.shell.pending.push(question),
                Err(TryRecvError::Disconnected) => {}
                Ok(Answer::Unavailable) => {
                    self.shell.path_field = Some(PathField::new(question.ask, question.purpose));
                }
                Ok(Answer::Paths(paths)) => self.answered(ctx, question.purpose, &paths),
            }
        }
        if let Some((purpose, path)) = self.shell.path_field.as_mut().and_then(PathField::answer) {
            self.shell.path_field = None;
            self.answered(ctx, purpose, &path.into_iter().collect::<Vec<_>>());
        }
    }

    fn answered(&mut self, ctx: &Context, purpose: Purpose, paths: &[PathBuf]) {
        let Some(first) = paths.first() else {
            if let Purpose::SaveAndClose(_) = purpose {
                self.shell.closing = None;
            }
            return;
        };
        match purpose {
            Purpose::Open => self.open_files(paths),
            Purpose::OpenFolder => self.open_folder(first, true),
            Purpose::Compare => self.compare_with_file(first),
            Purpose::SaveAs(doc) => self.save_as(ctx, doc, first, false),
            Purpose::SaveAndClose(doc) => self.save_as(ctx, doc, first, true),
            Purpose::RigForClip => {
                let path = std::path::absolute(first).unwrap_or_else(|_| first.clone());
                let then = move |app: &mut App| match app.editor.workspace().by_path(&path) {
                    Some(rig) => {
                        if let Err(message) = app.new_rig_clip(rig) {
                            app.toast(Tone::Error, &message);
                        }
                    }
                    None => app.toast(Tone::Error, "a clip needs a rig that loads"),
                };
                let first = std::slice::from_ref(first);
                self.open_and_then(first, true, Some(Box::new(then)));
            }
            Purpose::Root(doc) => self.set_root(doc, first),
        }
    }

    /// Saves under another name. The binding is never rewritten: where the clip would leave its
    /// project, that is asked about first.
    fn save_as(&mut self, ctx: &Context, doc: DocId, path: &Path, close: bool) {
        let mut path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        if path.extension().is_none()
            && let Some(content) = self.editor.workspace().content(doc)
        {
            path.set_extension(match content {
                Content::Clip(_) => "motion",
                Content::Rig(_) => "rig",
                Content::Take(_) => "anm",
                Content::Skeleton(_) => "pvt",
                Content::Text(_) => "txt",
            });
        }
        if let Some(other) = self.editor.workspace().by_path(&path).filter(|other| *other != doc) {
            let name = self.editor.workspace().document(other).map(|d| d.name());
            let name = name.unwrap_or_default();
            self.toast(Tone::Error, &format!("{name} is open: close it before it is replaced"));
            self.shell.closing = None;
            return;
        }
        match self.outside(doc, &path, close) {
            Some(outside) => self.shell.outside = Some(outside),
            None => self.save_as_now(ctx, doc, &path, close),
        }
    }

    fn save_as_now(&mut self, ctx: &Context, doc: DocId, path: &Path, close: bool) {
        if let Err(message) = self.save_to(doc, path) {
            self.toast(Tone::Error, &message);
            self.shell.closing = None;
            return;
        }
        self.saved(doc);
        if close {
            self.go_on_closing(ctx);
        }
    }

    /// What is lost where a clip is saved outside of its project.
    fn outside(&self, doc: DocId, path: &Path, close: bool) -> Option<Outside> {
        let workspace = self.editor.workspace();
        let binding = workspace.clip(doc)?.binding.clone()?;
        let root = workspace.document(doc)?.project_root.clone()?;
        if relative(path, &root).is_some() {
            return None;
        }
        let leads_to = crate::io::resolve_binding(path, &binding, None).ok();
        let path = path.to_owned();
        Some(Outside { doc, path, root, binding, leads_to, close })
    }

    pub(in crate::ui) fn answer_outside(&mut self, ctx: &Context, answer: OutsideAnswer) {
        let Some(outside) = self.shell.outside.take() else { return };
        let doc = outside.doc;
        match (answer, outside.close) {
            (OutsideAnswer::Save, close) => self.save_as_now(ctx, doc, &outside.path, close),
            (OutsideAnswer::Choose, false) => self.ask(ctx, Purpose::SaveAs(doc)),
            (OutsideAnswer::Choose, true) => self.ask(ctx, Purpose::SaveAndClose(doc)),
            (OutsideAnswer::Cancel, _) => self.shell.closing = None,
        }
    }

    /// Says that a document was saved, and what is odd about where.
    pub(in crate::ui) fn saved(&mut self, doc: DocId) {
        let workspace = self.editor.workspace();
        let Some(document) = workspace.document(doc).cloned() else { return };
        let Some(path) = document.path.clone() else { return };
        let clip = workspace.clip(doc).cloned();
        let draft = match &document.content {
            Content::Clip(clip) => clip.tracks.is_empty(),
            Content::Rig(rig) => rig.nodes.is_empty(),
            Content::Take(_) | Content::Skeleton(_) | Content::Text(_) => false,
        };
        self.project.refresh();
        let name = document.name();
        if let Some(binding) = clip.as_ref().and_then(|clip| clip.binding.as_deref()) {
            let found = crate::io::resolve_binding(&path, binding, None);
            let open = workspace.binding_path(doc);
            match (found, open) {
                (Ok(found), Some(open)) if found == open => {}
                (Ok(found), Some(_)) => {
                    let text = format!(
                        "Saved {name}. From there its binding {binding} leads to {}",
                        found.display()
                    );
                    self.toast(Tone::Warning, &text);
                    return;
                }
                _ => {
                    let inside = document
                        .project_root
                        .as_deref()
                        .is_some_and(|root| relative(&path, root).is_some());
                    let why =
                        if inside { "is missing" } else { "is not found outside its project" };
                    let text = format!("Saved {name}. Its binding {binding} {why}");
                    self.toast(Tone::Warning, &text);
                    return;
                }
            }
        }
        if draft {
            self.toast(Tone::Warning, &format!("Saved {name}, a draft that does not load yet"));
        } else {
            self.toast(Tone::Good, &format!("Saved {name}"));
        }
    }

    fn set_root(&mut self, doc: DocId, folder: &Path) {
        let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        let path = self.editor.workspace().document(doc).and_then(|d| d.path.clone());
        if let Some(path) = path {
            self.state.settings.roots.insert(path, folder.clone());
        }
        self.editor.set_project_root(doc, Some(folder));
        self.open_rig_of(doc);
    }
}
