//! The open documents, as shared values.

use super::owners::Owners;
use super::{Applied, EditError};
use crate::format::{self, FileKind};
use crate::model::{Clip, Rig, Uid, Uids, binding_parts};
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
    /// A file that the strict loader refuses.
    Text(Arc<TextDocument>),
}

impl Content {
    /// Whether both are the very same value (not merely equal ones).
    pub fn ptr_eq(&self, other: &Content) -> bool {
        match (self, other) {
            (Content::Clip(a), Content::Clip(b)) => Arc::ptr_eq(a, b),
            (Content::Rig(a), Content::Rig(b)) => Arc::ptr_eq(a, b),
            (Content::Text(a), Content::Text(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }

    /// The bytes that a save would write.
    pub fn text(&self) -> String {
        match self {
            Content::Clip(clip) => format::write_clip(clip),
            Content::Rig(rig) => format::write_rig(rig),
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
            (None, Content::Text(_)) => "untitled".to_owned(),
        }
    }
}

/// The open documents. Cloning shares them.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    docs: BTreeMap<DocId, Arc<Document>>,
    next: u32,
}

impl Workspace {
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

    /// Where a key stands in a clip: the index of its track and its index there.
    pub fn find_key(&self, doc: DocId, key: Uid) -> Option<(usize, usize)> {
        self.docs.get(&doc)?.owners.find(self.clip(doc)?, key)
    }

    /// The document of a file.
    pub fn by_path(&self, path: &Path) -> Option<DocId> {
        self.docs.values().find(|d| d.path.as_deref() == Some(path)).map(|d| d.id)
    }

    /// Where a clip's binding leads, by its project root: a path, whether there is a file or not.
    pub fn binding_path(&self, clip: DocId) -> Option<PathBuf> {
        let document = self.docs.get(&clip)?;
        let binding = self.clip(clip)?.binding.as_deref()?;
        let mut path = document.project_root.clone()?;
        path.extend(binding_parts(binding).ok()?);
        Some(path)
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

    pub(super) fn require_rig(&self, doc: DocId) -> Result<&Arc<Rig>, EditError> {
        self.rig(doc).ok_or_else(|| EditError::new("this document is no rig"))
    }
}

/// What a text loads as; a text document where it does not load.
pub fn content_of(kind: FileKind, text: &str, uids: &mut Uids) -> Content {
    let as_text = || Content::Text(Arc::new(TextDocument { kind, text: text.into() }));
    let Ok(source) = Source::parse_yaml(text.to_owned()) else { return as_text() };
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
