//! Whether a clip fits a rig (M11).

use super::log::{MAX_PROBLEMS, place};
use super::{codes, field};
use crate::diagnostic::{Problem, Severity};
use crate::model::{Clip, ClipKind, Rig, messages};
use crate::source::{NodeId, Source};
use std::collections::HashSet;
use std::ops::Range;

/// What binding needs to know of a clip. It can be taken from a text that is no clip yet, so that
/// its binding is judged beside its other problems.
#[derive(Debug)]
pub struct Outline<'a> {
    source: Option<&'a Source>,
    /// `None` where the version is not known.
    kind: Option<ClipKind>,
    /// The path of the rig or scene, with the bytes where it stands.
    pub binding: Option<(String, Option<Range<usize>>)>,
    model: Option<(String, Option<Range<usize>>)>,
    /// Tracks with a part, by index.
    parts: Vec<(usize, String, Option<Range<usize>>)>,
}

impl<'a> Outline<'a> {
    /// The outline of a clip.
    pub fn of_clip(clip: &'a Clip) -> Self {
        let source = clip.origin.as_ref().map(|origin| &*origin.source);
        let span = |field: &str| {
            let source = source?;
            Some(source.span(source.entry(source.root(), field)?.1))
        };
        let parts = clip.tracks.iter().enumerate().map(|(index, track)| {
            let span = track
                .origin
                .as_ref()
                .filter(|o| source.is_some_and(|s| std::ptr::eq(&*o.source, s)))
                .map(|o| o.source.span(o.source.entry(o.node, "part").map_or(o.node, |e| e.1)));
            (index, track.part.clone(), span)
        });
        Outline {
            source,
            kind: Some(clip.kind),
            binding: clip.binding.clone().map(|text| (text, span("binding"))),
            model: Some((clip.model.clone(), span("model"))),
            parts: parts.filter(|(_, part, _)| !part.is_empty()).collect(),
        }
    }

    /// The outline of a `.motion` text, as far as it can be read.
    pub fn of_source(source: &'a Source) -> Self {
        let root = source.root();
        let text = |map: NodeId, name: &str| {
            let (_, at) = source.entry(map, name)?;
            let text = field::string(source, at).filter(|text| !text.is_empty())?;
            Some((text, Some(source.span(at))))
        };
        let kind = super::version::clip(&mut super::log::Log::new(source), root).0;
        let tracks = source.get(root, "tracks");
        let items = tracks.into_iter().flat_map(|list| source.items(list)).enumerate();
        let parts = items.filter_map(|(index, item)| {
            let (part, span) = text(source.resolve(item), "part")?;
            Some((index, part, span))
        });
        Outline {
            source: Some(source),
            kind,
            binding: text(root, "binding").filter(|_| kind == Some(ClipKind::Rig)),
            model: text(root, "model"),
            parts: parts.collect(),
        }
    }

    fn problem(
        &self,
        code: &'static str,
        message: String,
        path: String,
        span: Option<Range<usize>>,
    ) -> Problem {
        Problem {
            severity: Severity::Error,
            code,
            message,
            path,
            position: None,
            span,
            file: None,
            fix: None,
        }
    }

    /// A problem at the clip's `binding`.
    pub fn binding_problem(&self, code: &'static str, message: String) -> Problem {
        let span = self.binding.as_ref().and_then(|(_, span)| span.clone());
        let mut problem = [self.problem(code, message, "binding".to_owned(), span)];
        self.place(&mut problem);
        let [problem] = problem;
        problem
    }

    fn place(&self, problems: &mut [Problem]) {
        if let Some(source) = self.source {
            place(source, problems);
        }
    }
}

/// What is wrong between a clip and the rig that it is bound to: the model's name first, then
/// parts that are no nodes, in the order of the tracks. Tracks without a part are not looked at.
pub fn bind(clip: &Clip, rig: &Rig) -> Vec<Problem> {
    bind_outline(&Outline::of_clip(clip), rig)
}

/// As [`bind`], for a clip of which only the outline can be read.
pub fn bind_outline(clip: &Outline, rig: &Rig) -> Vec<Problem> {
    let mut problems = Vec::new();
    if clip.kind == Some(ClipKind::Model) {
        let span = clip.model.as_ref().and_then(|(_, span)| span.clone());
        let message = messages::BINDING_MISMATCH.to_owned();
        problems.push(clip.problem(codes::BINDING_MISMATCH, message, "model".to_owned(), span));
        clip.place(&mut problems);
        return problems;
    }
    if let Some((_, span)) = clip.model.as_ref().filter(|(model, _)| *model != rig.name) {
        let message = messages::BINDING_MISMATCH.to_owned();
        let path = "model".to_owned();
        problems.push(clip.problem(codes::BINDING_MISMATCH, message, path, span.clone()));
    }
    let ids: HashSet<&str> = rig.nodes.iter().map(|node| node.id.as_str()).collect();
    let missing = clip.parts.iter().filter(|(_, part, _)| !ids.contains(part.as_str()));
    for (index, part, span) in missing.take(MAX_PROBLEMS) {
        let message = messages::missing_part(part);
        let path = format!("tracks[{index}].part");
        problems.push(clip.problem(codes::MISSING_PART, message, path, span.clone()));
    }
    clip.place(&mut problems);
    problems
}
