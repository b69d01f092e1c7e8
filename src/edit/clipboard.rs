//! What was copied or cut: values of their own, which outlive the document they come from, and
//! their text for the system's clipboard: YAML of clips and rigs, JSON of exports.

mod pegs;

pub use pegs::CopiedPegs;

use super::{ClipEdit, DocId, RigEdit, Workspace};
use crate::format::{read_clip, read_rig, write_clip, write_rig};
use crate::model::limits::{MAX_DURATION_SECS, MAX_FILE_BYTES};
use crate::model::{Clip, ClipForm, ClipKind, Node, Origin, Rig, RigForm, Track, Uid, Uids};
use crate::source::{Source, double_quoted};
use std::collections::HashSet;
use std::sync::Arc;

/// Copied elements.
#[derive(Clone, Debug)]
pub enum Clipboard {
    /// Tracks with those of their keys that were copied, in seconds of the clip they come from.
    Tracks(Vec<Arc<Track>>),
    /// Nodes in file order; `parent` is set only where it is among them.
    Nodes(Vec<Arc<Node>>),
    /// Pegs of an export with those of their keys that were copied.
    Pegs(CopiedPegs),
}

/// The name that a header has which only serves for reading.
const NAME: &str = "clipboard";

impl Clipboard {
    /// Copies keys of a clip with their tracks' easing and unknown fields. With `cut` their
    /// comments go along (M30), to wherever they are pasted while nothing else in an open document
    /// owns them. `None` where there are none of them.
    pub fn of_keys(workspace: &Workspace, doc: DocId, keys: &[Uid], cut: bool) -> Option<Self> {
        let wanted: HashSet<Uid> = keys.iter().copied().collect();
        let pick = |track: &Arc<Track>| {
            let mut copy = (**track).clone();
            copy.keys.retain(|key| wanted.contains(&key.uid));
            let whole = copy.keys.len() == track.keys.len();
            own_comments(&mut copy, cut, whole);
            (!copy.keys.is_empty()).then(|| Arc::new(copy))
        };
        let tracks: Vec<_> = workspace.clip(doc)?.tracks.iter().filter_map(pick).collect();
        (!tracks.is_empty()).then_some(Clipboard::Tracks(tracks))
    }

    /// Copies whole tracks of a clip.
    pub fn of_tracks(workspace: &Workspace, doc: DocId, tracks: &[Uid], cut: bool) -> Option<Self> {
        let clip = workspace.clip(doc)?;
        let chosen = clip.tracks.iter().filter(|t| tracks.contains(&t.uid));
        let copies: Vec<_> = chosen
            .map(|track| {
                let mut copy = (**track).clone();
                own_comments(&mut copy, cut, true);
                Arc::new(copy)
            })
            .collect();
        (!copies.is_empty()).then_some(Clipboard::Tracks(copies))
    }

    /// Copies nodes of a rig with everything below them.
    pub fn of_nodes(workspace: &Workspace, doc: DocId, nodes: &[Uid], cut: bool) -> Option<Self> {
        let rig = workspace.rig(doc)?;
        let mut ids: HashSet<&str> =
            rig.nodes.iter().filter(|n| nodes.contains(&n.uid)).map(|n| n.id.as_str()).collect();
        // Parents may stand behind their children: until nothing is added.
        loop {
            let many = ids.len();
            let below = |n: &&Arc<Node>| n.parent.as_deref().is_some_and(|p| ids.contains(p));
            let found: Vec<&str> = rig.nodes.iter().filter(below).map(|n| n.id.as_str()).collect();
            ids.extend(found);
            if ids.len() == many {
                break;
            }
        }
        let copy = |n: &Arc<Node>| {
            let mut copy = (**n).clone();
            copy.parent = copy.parent.filter(|p| ids.contains(p.as_str()));
            set_comments(&mut copy.origin, cut);
            Arc::new(copy)
        };
        let copies: Vec<_> =
            rig.nodes.iter().filter(|n| ids.contains(n.id.as_str())).map(copy).collect();
        (!copies.is_empty()).then_some(Clipboard::Nodes(copies))
    }

    /// The text that the system's clipboard gets: `tracks:` or `nodes:` with a list as in a file;
    /// of an export a whole small `.anm`.
    pub fn text(&self) -> String {
        match self {
            Clipboard::Pegs(pegs) => pegs.text(),
            Clipboard::Tracks(tracks) => from_list(&write_clip(&clip_of(tracks.clone())), "tracks"),
            Clipboard::Nodes(nodes) => from_list(&write_rig(&rig_of(nodes.clone())), "nodes"),
        }
    }

    /// Reads such a text back, or a whole file, a bare list of tracks or nodes, or the same as
    /// JSON; or an `.anm`, whole or its `pegs` alone. `None` where it holds none of them, or
    /// something that loading would refuse.
    pub fn parse(text: &str) -> Option<Clipboard> {
        if text.len() as u64 > MAX_FILE_BYTES {
            return None;
        }
        if let Some(pegs) = CopiedPegs::parse(text) {
            return Some(Clipboard::Pegs(pegs));
        }
        ["", "tracks", "nodes"].into_iter().find_map(|key| read_under(text, key))
    }

    /// The edit that puts copied keys into a clip, the earliest at `time_secs`, left and right
    /// swapped if `flipped`. `None` for
    /// anything else.
    pub fn paste_keys(&self, time_secs: f64, flipped: bool) -> Option<ClipEdit> {
        let Clipboard::Tracks(tracks) = self else { return None };
        Some(ClipEdit::PasteKeys { tracks: tracks.clone(), time: time_secs, flipped })
    }

    /// The edit that gives tracks the easing of the first copied track. `None` for nodes.
    pub fn paste_easing(&self, to: Vec<Uid>) -> Option<ClipEdit> {
        let Clipboard::Tracks(tracks) = self else { return None };
        let from = tracks.first()?;
        Some(ClipEdit::PasteEasing {
            tracks: to,
            interpolation: from.interpolation,
            curve: from.curve,
        })
    }

    /// The edit that puts copied nodes in under a parent. `None` for tracks.
    pub fn paste_nodes(&self, parent: Option<Uid>) -> Option<RigEdit> {
        let Clipboard::Nodes(nodes) = self else { return None };
        Some(RigEdit::PasteNodes { nodes: nodes.clone(), parent })
    }

    /// Without comments, as a copy is.
    fn without_comments(mut self) -> Clipboard {
        match &mut self {
            Clipboard::Tracks(tracks) => {
                tracks.iter_mut().for_each(|t| own_comments(Arc::make_mut(t), false, false));
            }
            Clipboard::Nodes(nodes) => {
                nodes.iter_mut().for_each(|n| set_comments(&mut Arc::make_mut(n).origin, false));
            }
            // JSON has none.
            Clipboard::Pegs(_) => {}
        }
        self
    }
}

fn set_comments(origin: &mut Option<Origin>, keep: bool) {
    if let Some(origin) = origin {
        origin.with_comments &= keep;
    }
}

/// A track's own comments go only with all of its keys.
fn own_comments(track: &mut Track, cut: bool, whole: bool) {
    set_comments(&mut track.origin, cut && whole);
    for key in &mut track.keys {
        set_comments(&mut key.origin, cut);
    }
}

fn clip_of(tracks: Vec<Arc<Track>>) -> Clip {
    Clip {
        kind: ClipKind::Rig,
        form: ClipForm::Bare,
        binding: None,
        model: NAME.to_owned(),
        duration_secs: MAX_DURATION_SECS,
        looping: false,
        tracks,
        origin: None,
    }
}

fn rig_of(nodes: Vec<Arc<Node>>) -> Rig {
    Rig { form: RigForm::Rig, name: NAME.to_owned(), nodes, origin: None }
}

/// A new file's text from its list on: the header before it is known, and has no line of that
/// name.
fn from_list(text: &str, key: &str) -> String {
    let at = text.find(&format!("\n{key}:")).map_or(0, |at| at + 1);
    text[at..].to_owned()
}

/// Reads a text, put under a key if it is a bare list.
fn read_under(text: &str, key: &str) -> Option<Clipboard> {
    let text = match text.trim_start().starts_with('[') {
        _ if key.is_empty() => text.to_owned(),
        true => format!("{{\"{key}\": {text}}}"),
        false => format!("{key}:\n{text}"),
    };
    let source = Source::parse_yaml(text).ok()?;
    let root = source.root();
    let has = |key: &str| source.entry(root, key).is_some();
    let needed: &[(&str, String)] = if has("tracks") {
        &[
            ("model", NAME.to_owned()),
            ("duration", MAX_DURATION_SECS.to_string()),
            ("loop", "false".to_owned()),
        ]
    } else if has("nodes") {
        &[("name", NAME.to_owned())]
    } else {
        return None;
    };
    let missing = needed.iter().filter(|(key, _)| !has(key));
    let start = source.span(root).start;
    let (head, tail) = source.text().split_at(start);
    // Lists and mappings in braces may be JSON as it comes from elsewhere.
    let whole = if let Some(rest) = tail.strip_prefix('{') {
        let entries: String =
            missing.map(|(key, value)| format!("{}: {value}, ", double_quoted(key))).collect();
        format!("{head}{{{entries}{rest}")
    } else {
        let indent = head.rsplit('\n').next().filter(|s| s.trim().is_empty()).unwrap_or("");
        let entries: String = missing.map(|(k, v)| format!("{k}: {v}\n{indent}")).collect();
        format!("{head}{entries}{tail}")
    };
    let is_clip = has("tracks");
    let source = Arc::new(Source::parse_yaml(whole).ok()?);
    let mut uids = Uids::default();
    let read = if is_clip {
        Clipboard::Tracks(read_clip(&source, &mut uids).value?.tracks)
    } else {
        Clipboard::Nodes(read_rig(&source, &mut uids).value?.nodes)
    };
    // Text is a copy.
    let read = read.without_comments();
    let empty = match &read {
        Clipboard::Tracks(tracks) => tracks.is_empty(),
        Clipboard::Nodes(nodes) => nodes.is_empty(),
        Clipboard::Pegs(_) => false,
    };
    (!empty).then_some(read)
}
