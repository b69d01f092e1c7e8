//! The status line: what is selected · what a click does here · problems · saved.

use crate::edit::{Content, Selected};
use crate::model::take::Keyframe;
use crate::ui::action::Action;
use crate::ui::cx::Cx;
use crate::ui::state::PanelId;
use crate::ui::text;
use crate::ui::theme;
use eframe::egui::{self, Button, Label, RichText, Ui};

/// Shows the line.
pub fn show(ui: &mut Ui, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    let size = theme::LABEL_SIZE;
    let theme = cx.theme;
    ui.horizontal_centered(|ui| {
        let selected = RichText::new(selection(cx)).size(size).color(theme.text);
        ui.add(Label::new(selected).truncate());
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let (words, color) = saved(cx);
            if !words.is_empty() {
                ui.add(Label::new(RichText::new(words).size(size).color(color)).truncate());
                ui.label(RichText::new("·").size(size).color(theme.muted));
            }
            let (words, color) = problems(cx);
            let button = Button::new(RichText::new(words).size(size).color(color)).frame(false);
            if ui.add(button).on_hover_text("Show the Problems panel").clicked() {
                actions.push(Action::FocusPanel(PanelId::Problems));
            }
            let refused = refused(ui, cx);
            if !cx.state.hint.is_empty() || refused.is_some() {
                let (words, color) = match refused {
                    Some(words) => (words, theme.warning),
                    None => (cx.state.hint.as_str(), theme.muted),
                };
                let hint = RichText::new(text::clean(words, 200)).size(size).color(color);
                ui.with_layout(
                    egui::Layout::centered_and_justified(egui::Direction::LeftToRight),
                    |ui| ui.add(Label::new(hint).truncate()),
                );
            }
        });
    });
}

/// Why a drag was refused a moment ago.
fn refused<'a>(ui: &Ui, cx: &Cx<'a>) -> Option<&'a str> {
    let (words, until) = cx.state.refused.as_ref()?;
    let left = until - ui.input(|input| input.time);
    if left <= 0.0 {
        return None;
    }
    ui.ctx().request_repaint_after(std::time::Duration::from_secs_f64(left));
    Some(words)
}

/// What is selected, in plain words.
fn selection(cx: &Cx<'_>) -> String {
    let Some(document) = cx.document() else { return "Nothing is open".to_owned() };
    if matches!(document.content, Content::Text(_)) {
        return "This file does not load yet: mend its problems".to_owned();
    }
    let selection = cx.selection();
    let workspace = cx.workspace();
    // What is selected in a document behind another tab is no matter here.
    let many_keys = selection.keys.iter().filter(|(doc, _)| cx.is_shown(*doc)).count();
    if many_keys > 0 {
        let keys = text::count(many_keys, "key", "keys");
        let mut on = std::collections::BTreeSet::new();
        let docs: std::collections::BTreeSet<_> =
            selection.keys.iter().map(|k| k.0).filter(|doc| cx.is_shown(*doc)).collect();
        let mut pegs = Vec::new();
        for doc in docs {
            if let Some(take) = workspace.take(doc) {
                let is_on = |key: &Keyframe| selection.keys.contains(&(doc, key.uid));
                let with = take.pegs.iter().filter(|peg| peg.keyframes.iter().any(is_on));
                pegs.extend(with.map(|peg| peg.name.as_str()));
            }
            let Some(clip) = workspace.clip(doc) else { continue };
            for track in &clip.tracks {
                if track.keys.iter().any(|key| selection.keys.contains(&(doc, key.uid))) {
                    on.insert((track.part.as_str(), track.property.as_str()));
                }
            }
        }
        return match on.iter().next() {
            None if pegs.len() == 1 => format!("{keys} selected on {}", text::name(pegs[0])),
            None if !pegs.is_empty() => format!("{keys} selected on {} pegs", pegs.len()),
            Some((part, property)) if on.len() == 1 => {
                format!("{keys} selected on {} · {property}", text::name(part))
            }
            _ => format!("{keys} selected on {} tracks", on.len()),
        };
    }
    let name = |selected: &Selected| match selected {
        Selected::Node(doc, uid) => workspace
            .rig(*doc)
            .or_else(|| Some(cx.rig().filter(|(shown, _)| shown == doc)?.1))
            .and_then(|rig| rig.nodes.iter().find(|node| node.uid == *uid))
            .map(|node| text::name(node.display_name()).into_owned()),
        Selected::Part(_, part) => Some(text::name(part).into_owned()),
    };
    let is_seen = |selected: &&Selected| match selected {
        Selected::Node(doc, _) | Selected::Part(doc, _) => cx.is_shown(*doc),
    };
    let mut nodes = selection.nodes.iter().filter(is_seen);
    match nodes.clone().count() {
        0 => match (cx.clip(), cx.rig()) {
            (Some((_, clip)), _) => {
                let keys = clip.tracks.iter().map(|t| t.keys.len()).sum();
                format!(
                    "{} · {}",
                    text::count(clip.tracks.len(), "track", "tracks"),
                    text::count(keys, "key", "keys")
                )
            }
            (None, Some((_, rig))) => text::count(rig.nodes.len(), "node", "nodes"),
            (None, None) => String::new(),
        },
        1 => nodes.next().and_then(name).unwrap_or_default() + " selected",
        many => format!("{many} nodes selected"),
    }
}

fn problems(cx: &Cx<'_>) -> (String, egui::Color32) {
    let count = cx.derived.count(cx.workspace());
    if count.errors > 0 {
        return (text::count(count.errors, "error", "errors"), cx.theme.error);
    }
    if count.warnings > 0 {
        return (text::count(count.warnings, "warning", "warnings"), cx.theme.warning);
    }
    match count.infos {
        0 => ("no problems".to_owned(), cx.theme.muted),
        notes => (text::count(notes, "note", "notes"), cx.theme.muted),
    }
}

fn saved(cx: &Cx<'_>) -> (String, egui::Color32) {
    let muted = cx.theme.muted;
    let Some(document) = cx.document() else { return (String::new(), muted) };
    let suggested = cx.state.suggested_names.get(&document.id);
    let suggested = suggested.filter(|_| document.path.is_none());
    let name = suggested.cloned().unwrap_or_else(|| document.name());
    let name = text::clean(&name, 40);
    if !cx.editor.is_dirty(document.id) {
        // A rename in a rig changes clips behind other tabs, an edit of a clip's rig the rig.
        let others = cx.workspace().documents().filter(|other| cx.editor.is_dirty(other.id));
        let others: Vec<_> = others.map(|other| other.name()).collect();
        return match others.as_slice() {
            [] => ("saved".to_owned(), muted),
            [other] => (format!("{} is not saved", text::clean(other, 40)), cx.theme.selection),
            _ => (format!("{} other files are not saved", others.len()), cx.theme.selection),
        };
    }
    let words = match cx.derived.of(document.id) {
        Some(facts) if document.path.is_some() => {
            format!("unsaved: {} in {name}", text::count(facts.changed_lines, "line", "lines"))
        }
        _ => format!("{name} is not saved"),
    };
    (words, cx.theme.selection)
}
