//! Going to where a problem is, and mending it.

use super::action::Tone;
use super::app::App;
use super::state::{PanelId, WorkspaceTab};
use crate::diagnostic::{Fix, Problem};
use crate::edit::{Content, DocId, Edit, Selected, Selection};
use std::sync::Arc;

/// Steps of a problem's path such as `tracks[0].keys[3].time`: names, each with its index.
fn steps(path: &str) -> Vec<(&str, Option<usize>)> {
    path.split('.')
        .map(|step| match step.split_once('[') {
            Some((name, rest)) => (name, rest.trim_end_matches(']').parse().ok()),
            None => (step, None),
        })
        .collect()
}

/// The field of the Inspector that shows what a path names.
fn field_of(content: &Content, steps: &[(&str, Option<usize>)]) -> Option<&'static str> {
    let last = steps.last()?.0;
    Some(match (content, last) {
        (Content::Clip(_), "duration") => "Duration",
        (Content::Clip(_), "model") => "Model",
        (Content::Clip(_), "binding") => "Binding",
        (Content::Clip(_), "part") => "Part",
        (Content::Clip(_), "time") => "Key time",
        (Content::Clip(_), "value" | "keys") => "Key value X",
        (Content::Rig(_), "name") if steps.len() == 1 => "Rig name",
        (Content::Rig(_), "name") => "Name",
        (Content::Rig(_), "id") => "Id",
        (Content::Rig(_), "model") => "Model",
        (Content::Rig(_), "position") => "Rest position X",
        (Content::Rig(_), "rotation") => "Rest rotation X",
        (Content::Rig(_), "scale") => "Rest scale X",
        _ => return None,
    })
}

/// A text with a repair made. `None` where the repair was made for another text.
pub fn mended(text: &str, fix: &Fix) -> Option<String> {
    let mut mended = String::with_capacity(text.len());
    let mut end = 0;
    for edit in &fix.edits {
        if edit.span.start < end {
            return None;
        }
        mended.push_str(text.get(end..edit.span.start)?);
        mended.push_str(&edit.text);
        text.get(edit.span.start..edit.span.end)?;
        end = edit.span.end;
    }
    mended.push_str(text.get(end..)?);
    Some(mended)
}

impl App {
    fn problem(&self, doc: DocId, index: usize) -> Option<Problem> {
        self.derived.problems(doc).get(index).cloned()
    }

    /// Selects what a problem is about, and shows its line.
    pub(super) fn go_to_problem(&mut self, doc: DocId, index: usize) {
        let Some(problem) = self.problem(doc, index) else { return };
        if let Some(file) = &problem.file {
            self.open_files(std::slice::from_ref(file));
            return;
        }
        self.editor.commit();
        self.activate(doc);
        if let Some(position) = problem.position {
            let count = self.state.go_to_line.map_or(0, |(_, _, count)| count + 1);
            self.state.go_to_line = Some((doc, position.line, count));
        }
        let workspace = self.editor.workspace();
        let steps = steps(&problem.path);
        let field = workspace.content(doc).and_then(|content| field_of(content, &steps));
        if let Some(field) = field {
            let count = self.state.go_to_field.map_or(0, |(_, count)| count + 1);
            self.state.go_to_field = Some((field, count));
        }
        let mut selection = self.editor.selection().clone();
        match workspace.content(doc) {
            Some(Content::Clip(clip)) => {
                self.state.workspace_tab = WorkspaceTab::Animate;
                let track = match steps.first().copied() {
                    Some(("tracks", Some(track))) => clip.tracks.get(track),
                    _ => None,
                };
                let Some(track) = track else {
                    // The fields of the clip show where nothing is selected.
                    self.editor.select(Selection::default());
                    return;
                };
                selection.nodes.clear();
                selection.active = None;
                selection.tracks = [(doc, track.uid)].into();
                selection.keys.clear();
                let mut time_secs = None;
                if let Some(("keys", Some(key))) = steps.get(1).copied()
                    && let Some(key) = track.keys.get(key)
                {
                    selection.keys.insert((doc, key.uid));
                    time_secs = Some(key.time);
                }
                let rig = workspace.rig_of(doc);
                let node = rig.and_then(|rig| {
                    let nodes = &workspace.rig(rig)?.nodes;
                    let node = nodes.iter().find(|node| node.id == track.part)?;
                    Some(Selected::Node(rig, node.uid))
                });
                if let Some(node) = node {
                    selection = selection.with_node(node);
                }
                self.editor.select(selection);
                if let Some(secs) = time_secs {
                    self.state.view_mut(doc).playhead_secs = secs;
                }
            }
            Some(Content::Rig(rig)) => {
                self.state.workspace_tab = WorkspaceTab::Rig;
                let Some((_, Some(node))) = steps.first().copied() else {
                    self.editor.select(Selection::default());
                    return;
                };
                if let Some(node) = rig.nodes.get(node) {
                    self.editor.select(selection.with_node(Selected::Node(doc, node.uid)));
                }
            }
            Some(Content::Take(_) | Content::Skeleton(_)) => {
                self.state.workspace_tab = WorkspaceTab::Inspect;
                let uid = |index: usize| match workspace.content(doc) {
                    Some(Content::Take(take)) => take.pegs.get(index).map(|peg| peg.uid),
                    Some(Content::Skeleton(s)) => s.bones.get(index).map(|bone| bone.uid),
                    _ => None,
                };
                let Some(about) = &problem.subject else { return };
                let mut curves = None;
                if let Some(Content::Take(take)) = workspace.content(doc)
                    && let Some(peg) = take.pegs.get(about.index)
                    && !peg.keyframes.is_empty()
                {
                    selection.keys.clear();
                    selection.tracks = [(doc, peg.uid)].into();
                    let at = about.frame;
                    let here = peg.keyframes.iter().filter(|key| Some(key.frame) == at);
                    selection.keys.extend(here.map(|key| (doc, key.uid)));
                    let of = |name| steps.iter().any(|step| step.0 == name);
                    let turns = of("rot") || of("rot_quat");
                    curves = (about.frame.is_some() || of("keyframes")).then_some([
                        of("pos"),
                        turns,
                        of("scl"),
                    ]);
                }
                if let Some(uid) = uid(about.index) {
                    self.editor.select(selection.with_node(Selected::Node(doc, uid)));
                }
                if let Some(channels) = curves {
                    // Its curves, of what the problem is about.
                    let timeline = &mut self.state.view_mut(doc).timeline;
                    timeline.curve_channels = channels.contains(&true).then_some(channels);
                    timeline.visible_values = None;
                    self.state.settings.layouts.focus(WorkspaceTab::Inspect, PanelId::Curves);
                }
                self.state.playback.playing = None;
                if let Some(frame) = about.frame {
                    self.state.go_to_frame = Some((doc, frame));
                }
            }
            Some(Content::Text(_)) | None => {}
        }
    }

    /// Makes the one right repair of a problem, or one of its several answers, as a step that undo
    /// takes back.
    pub(super) fn repair(&mut self, doc: DocId, index: usize, choice: Option<usize>) {
        let fix = match choice {
            Some(choice) => self.derived.choices(doc, index).get(choice).cloned(),
            None => self.problem(doc, index).and_then(|problem| problem.fix),
        };
        let Some(fix) = fix else { return };
        self.editor.commit();
        let (Some(facts), Some(content)) =
            (self.derived.of(doc).cloned(), self.editor.workspace().content(doc).cloned())
        else {
            return;
        };
        // The places of a repair are those of the text it was found in.
        let current = content.text();
        let Some(text) = mended(&facts.text, &fix).filter(|_| *current == *facts.text) else {
            self.toast(Tone::Info, "The file has changed: look at its problems again");
            return;
        };
        let was_text = matches!(content, Content::Text(_));
        let edit = match content {
            Content::Text(_) => Edit::Text { doc, text, label: fix.title.clone() },
            _ => Edit::All {
                label: fix.title.clone(),
                edits: vec![Edit::ReloadText { doc, text: Arc::from(text) }],
            },
        };
        if self.perform(&edit) {
            self.loads_now(doc, was_text);
        }
    }

    /// Says so when a text has become a document, and opens its rig.
    pub(super) fn loads_now(&mut self, doc: DocId, was_text: bool) {
        let Some(document) = self.editor.workspace().document(doc).cloned() else { return };
        let (tab, what) = match &document.content {
            Content::Text(_) => return,
            Content::Clip(_) => (WorkspaceTab::Animate, "clip"),
            Content::Rig(_) => (WorkspaceTab::Rig, "rig"),
            Content::Take(_) => (WorkspaceTab::Inspect, "take"),
            Content::Skeleton(_) => (WorkspaceTab::Inspect, "skeleton"),
        };
        if !was_text {
            return;
        }
        self.state.workspace_tab = tab;
        self.toast(Tone::Good, &format!("{} loads now, as a {what}", document.name()));
        if let (Content::Clip(clip), Some(path)) = (&document.content, &document.path) {
            let project = self.state.project.as_deref();
            let root = super::files::root_of(path, clip.binding.as_deref(), project);
            self.editor.set_project_root(doc, root);
            self.open_rig_of(doc);
            self.activate(doc);
        }
        self.state.settings.layouts.focus(tab, PanelId::Viewport);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // A panic is a failed test.
    use super::*;
    use crate::diagnostic::TextEdit;

    #[test]
    fn paths_are_steps() {
        assert_eq!(
            steps("tracks[0].keys[3].time"),
            [("tracks", Some(0)), ("keys", Some(3)), ("time", None)]
        );
        assert_eq!(steps(""), [("", None)]);
    }

    #[test]
    fn repairs_are_made_where_they_fit() {
        let edit = |span, text: &str| TextEdit { span, text: text.to_owned() };
        let fix = Fix { title: String::new(), edits: vec![edit(0..1, "x"), edit(3..3, "-")] };
        assert_eq!(mended("abcd", &fix).unwrap(), "xbc-d");
        assert_eq!(mended("a", &fix), None);
        let wrong = Fix { title: String::new(), edits: vec![edit(2..3, ""), edit(1..2, "")] };
        assert_eq!(mended("abcd", &wrong), None);
    }
}
