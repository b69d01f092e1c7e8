//! The open documents, as shared values.

use super::owners::Owners;
use super::{Applied, EditError};
use crate::format::{self, Export, FileKind};
use crate::model::take::{Skeleton, Take};
use crate::model::{Clip, Rig, Uid, Uids, binding_parts};
use crate::progress::Progress;
use crate::source::Source;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A document of a workspace; never given twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DocId(pub u32);

/// A file that does not load (yet): its text, edited as such.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextDocument {
    /// What it would be if it loaded.
    pub kind: FileKind,
    /// The whole text.
    pub text: Arc<str>,
}

/// What a document holds.
#[derive(Clone, Debug)]
pub enum Content {
    /// A `.motion` clip.
    Clip(Arc<Clip>),
    /// A `.rig`, or a scene used as one.
    Rig(Arc<Rig>),
    /// An `.anm`.
    Take(Arc<Take>),
    /// A `.pvt`.
    Skeleton(Arc<Skeleton>),
    /// A file that the strict loader refuses.
    Text(Arc<TextDocument>),
}

impl Content {
    /// Whether both are the very same value (not merely equal ones).
    pub fn ptr_eq(&self, other: &Content) -> bool {
        match (self, other) {
            (Content::Clip(a), Content::Clip(b)) => Arc::ptr_eq(a, b),
            (Content::Rig(a), Content::Rig(b)) => Arc::ptr_eq(a, b),
            (Content::Take(a), Content::Take(b)) => Arc::ptr_eq(a, b),
            (Content::Skeleton(a), Content::Skeleton(b)) => Arc::ptr_eq(a, b),
            (Content::Text(a), Content::Text(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }

    /// What was read of an export.
    pub fn of_export(export: Export) -> Content {
        match export {
            Export::Take(take) => Content::Take(Arc::new(take)),
            Export::Skeleton(skeleton) => Content::Skeleton(Arc::new(skeleton)),
        }
    }

    /// The bytes that a save would write.
    pub fn text(&self) -> String {
        match self {
            Content::Clip(clip) => format::write_clip(clip),
            Content::Rig(rig) => format::write_rig(rig),
            Content::Take(take) => format::write_take(take),
            Content::Skeleton(skeleton) => format::write_skeleton(skeleton),
            Content::Text(text) => text.text.to_string(),
        }
    }
}

/// One open document.
#[derive(Clone, Debug)]
pub struct Document {
    /// Identity.
    pub id: DocId,
    /// Its file, absolute; `None` until it is first saved.
    pub path: Option<PathBuf>,
    /// The folder that a clip's binding is relative to (M10).
    pub project_root: Option<PathBuf>,
    /// What it holds.
    pub content: Content,
    /// Gives identities to new elements. Undo never rewinds it.
    pub uids: Uids,
    /// Where keys stand; shared by all versions of the document.
    pub(super) owners: Owners,
}

impl Document {
    /// The file's name, for tabs and messages.
    pub fn name(&self) -> String {
        let name = self.path.as_deref().and_then(Path::file_name);
        match (name, &self.content) {
            (Some(name), _) => name.to_string_lossy().into_owned(),
            (None, Content::Clip(_)) => "untitled.motion".to_owned(),
            (None, Content::Rig(_)) => "untitled.rig".to_owned(),
            (None, Content::Take(_)) => "untitled.anm".to_owned(),
            (None, Content::Skeleton(_)) => "untitled.pvt".to_owned(),
            (None, Content::Text(_)) => "untitled".to_owned(),
        }
    }
}

/// The open documents. Cloning shares them.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    docs: BTreeMap<DocId, Arc<Document>>,
    next: u32,
    on_the_way: bool,
}

impl Workspace {
    /// An empty workspace for scripts, in which edits are judged by nobody until the last of them:
    /// a later one may put right what this one breaks. Its documents come from
    /// [`content_on_the_way`].
    pub fn on_the_way() -> Workspace {
        Workspace { on_the_way: true, ..Workspace::default() }
    }

    /// Whether edits may break limits that later ones put right.
    pub(super) fn is_on_the_way(&self) -> bool {
        self.on_the_way
    }

    /// All documents in the order in which they were opened.
    pub fn documents(&self) -> impl Iterator<Item = &Arc<Document>> {
        self.docs.values()
    }

    /// A document.
    pub fn document(&self, doc: DocId) -> Option<&Arc<Document>> {
        self.docs.get(&doc)
    }

    /// What a document holds.
    pub fn content(&self, doc: DocId) -> Option<&Content> {
        self.docs.get(&doc).map(|d| &d.content)
    }

    /// The clip that a document holds.
    pub fn clip(&self, doc: DocId) -> Option<&Arc<Clip>> {
        match self.content(doc)? {
            Content::Clip(clip) => Some(clip),
            _ => None,
        }
    }

    /// The rig that a document holds.
    pub fn rig(&self, doc: DocId) -> Option<&Arc<Rig>> {
        match self.content(doc)? {
            Content::Rig(rig) => Some(rig),
            _ => None,
        }
    }

    /// The take that a document holds.
    pub fn take(&self, doc: DocId) -> Option<&Arc<Take>> {
        match self.content(doc)? {
            Content::Take(take) => Some(take),
            _ => None,
        }
    }

    /// The skeleton that a document holds.
    pub fn skeleton(&self, doc: DocId) -> Option<&Arc<Skeleton>> {
        match self.content(doc)? {
            Content::Skeleton(skeleton) => Some(skeleton),
            _ => None,
        }
    }

    /// Where a key stands: the index of its track and its index there; in a take of its peg.
    pub fn find_key(&self, doc: DocId, key: Uid) -> Option<(usize, usize)> {
        let document = self.docs.get(&doc)?;
        match &document.content {
            Content::Clip(clip) => document.owners.find(&**clip, key),
            Content::Take(take) => document.owners.find(&**take, key),
            _ => None,
        }
    }

    /// The document of a file.
    pub fn by_path(&self, path: &Path) -> Option<DocId> {
        self.docs.values().find(|d| d.path.as_deref() == Some(path)).map(|d| d.id)
    }

    /// Where a clip's binding leads, by its project root: a path, whether there is a file or not.
    pub fn binding_path(&self, clip: DocId) -> Option<PathBuf> {
        let document = self.docs.get(&clip)?;
        let binding = self.clip(clip)?.binding.as_deref()?;
        below_root(document.project_root.as_deref()?, binding)
    }

    /// The open rig that an open clip is bound to.
    pub fn rig_of(&self, clip: DocId) -> Option<DocId> {
        let path = self.binding_path(clip)?;
        self.by_path(&path).filter(|doc| self.rig(*doc).is_some())
    }

    /// The open clips that are bound to an open rig.
    pub fn clips_of(&self, rig: DocId) -> Vec<DocId> {
        self.docs.keys().copied().filter(|doc| self.rig_of(*doc) == Some(rig)).collect()
    }

    /// With one more document; its id is fresh.
    pub fn with_new(
        &self,
        path: Option<PathBuf>,
        project_root: Option<PathBuf>,
        content: Content,
        uids: Uids,
    ) -> (Workspace, DocId) {
        let mut workspace = self.clone();
        let id = DocId(workspace.next);
        workspace.next += 1;
        let owners = Owners::default();
        let document = Document { id, path, project_root, content, uids, owners };
        workspace.docs.insert(id, Arc::new(document));
        (workspace, id)
    }

    /// With a document as given, in the place of the one of its id or back where it was closed.
    pub fn with(&self, document: Document) -> Workspace {
        let mut workspace = self.clone();
        workspace.next = workspace.next.max(document.id.0 + 1);
        workspace.docs.insert(document.id, Arc::new(document));
        workspace
    }

    /// Without a document.
    pub fn without(&self, doc: DocId) -> Workspace {
        let mut workspace = self.clone();
        workspace.docs.remove(&doc);
        workspace
    }

    /// With another content for a document, and its identities counted on.
    pub(super) fn with_content(&self, doc: DocId, content: Content, uids: Uids) -> Workspace {
        let Some(document) = self.docs.get(&doc) else { return self.clone() };
        let mut document = Document { content, ..(**document).clone() };
        document.uids.skip_past(&uids);
        self.with(document)
    }

    /// With another content that has no new identities.
    pub(super) fn with_same_uids(&self, doc: DocId, content: Content) -> Workspace {
        let uids = self.docs.get(&doc).map(|d| d.uids.clone()).unwrap_or_default();
        self.with_content(doc, content, uids)
    }

    pub(super) fn require_clip(&self, doc: DocId) -> Result<&Arc<Clip>, EditError> {
        self.clip(doc).ok_or_else(|| EditError::new("this document is no clip"))
    }

    pub(super) fn require_take(&self, doc: DocId) -> Result<&Arc<Take>, EditError> {
        self.take(doc).ok_or_else(|| EditError::new("this document is no .anm"))
    }

    pub(super) fn require_rig(&self, doc: DocId) -> Result<&Arc<Rig>, EditError> {
        self.rig(doc).ok_or_else(|| match self.content(doc) {
            Some(Content::Take(_) | Content::Skeleton(_)) => EditError::new(
                "Names, parents and rests of an export are those of the program that wrote it: \
                 change them there",
            ),
            _ => EditError::new("this document is no rig"),
        })
    }
}

/// Where a binding leads from the root of its project, whether there is a file or not; `None` where
/// it leads nowhere inside.
pub fn below_root(root: &Path, binding: &str) -> Option<PathBuf> {
    let mut path = root.to_owned();
    path.extend(binding_parts(binding).ok()?);
    Some(path)
}

/// What a text loads as; a text document where it does not load.
pub fn content_of(kind: FileKind, text: &str, uids: &mut Uids) -> Content {
    content_of_with(kind, text, uids, &Progress::default())
}

/// As [`content_of`], saying how far it is; a text document where the work was cancelled.
pub(super) fn content_of_with(
    kind: FileKind,
    text: &str,
    uids: &mut Uids,
    progress: &Progress,
) -> Content {
    content_with(text, uids, |_| kind, kind, progress)
}

/// What a text means to a script that is not at its end: as [`content_of`], but a clip or a rig may
/// break limits that a later operation puts right.
pub fn content_on_the_way(kind: FileKind, text: &str, uids: &mut Uids) -> Content {
    if !matches!(kind, FileKind::Motion | FileKind::Rig | FileKind::Scene) {
        return content_of(kind, text, uids);
    }
    let source = Source::parse_yaml(text.to_owned()).ok().map(Arc::new);
    let content = source.and_then(|source| match kind {
        FileKind::Motion => {
            let clip = format::read_clip_loosely(&source, uids)?;
            Some(Content::Clip(Arc::new(clip)))
        }
        _ => {
            let rig = format::read_rig_loosely(&source, kind, uids)?;
            Some(Content::Rig(Arc::new(rig)))
        }
    });
    content.unwrap_or_else(|| Content::Text(Arc::new(TextDocument { kind, text: text.into() })))
}

/// What the text of a file loads as, its kind found by the file's name and its content; a text
/// document where it does not load, or where the work was cancelled.
pub fn content_of_file(path: &Path, text: &str, uids: &mut Uids, progress: &Progress) -> Content {
    let by_name = FileKind::of_path(path);
    if let Some(kind) = FileKind::of_json(path, text) {
        return content_of_export(text, kind, uids, progress);
    }
    content_with(text, uids, |source| FileKind::of(path, source), by_name, progress)
}

fn content_of_export(text: &str, kind: FileKind, uids: &mut Uids, progress: &Progress) -> Content {
    let reading = format::read_export(text.to_owned(), kind, uids, progress).ok();
    match reading.and_then(|reading| reading.value) {
        Some(export) => Content::of_export(export),
        None => Content::Text(Arc::new(TextDocument { kind, text: text.into() })),
    }
}

/// `without` is the kind of a text that has no structure.
fn content_with(
    text: &str,
    uids: &mut Uids,
    kind: impl Fn(&Source) -> FileKind,
    without: FileKind,
    progress: &Progress,
) -> Content {
    if matches!(without, FileKind::Anm | FileKind::Pvt) {
        return content_of_export(text, without, uids, progress);
    }
    let as_text = |kind| Content::Text(Arc::new(TextDocument { kind, text: text.into() }));
    // The reader of YAML says nothing in between: these are coarse steps.
    progress.set(0.1);
    let Ok(source) = Source::parse_yaml(text.to_owned()) else { return as_text(without) };
    progress.set(0.6);
    let kind = kind(&source);
    let as_text = || as_text(kind);
    if progress.is_cancelled() {
        return as_text();
    }
    let source = Arc::new(source);
    match kind {
        FileKind::Motion => match format::read_clip(&source, uids).value {
            Some(clip) => Content::Clip(Arc::new(clip)),
            None => as_text(),
        },
        FileKind::Rig => match format::read_rig(&source, uids).value {
            Some(rig) => Content::Rig(Arc::new(rig)),
            None => as_text(),
        },
        FileKind::Scene => match format::read_scene(&source, uids).value {
            Some(rig) => Content::Rig(Arc::new(rig)),
            None => as_text(),
        },
        FileKind::Anm | FileKind::Pvt | FileKind::Unknown => as_text(),
    }
}

pub(super) fn set_text(
    workspace: &Workspace,
    doc: DocId,
    text: &str,
    label: &str,
) -> Result<Applied, EditError> {
    let document = workspace.document(doc).ok_or_else(|| EditError::new("no such document"))?;
    let Content::Text(old) = &document.content else {
        return Err(EditError::new("this document is no text: change it by its fields"));
    };
    let mut uids = document.uids.clone();
    let content = content_of(old.kind, text, &mut uids);
    Ok(Applied {
        workspace: workspace.with_content(doc, content, uids),
        label: label.to_owned(),
        selection: None,
        notes: Vec::new(),
    })
}
