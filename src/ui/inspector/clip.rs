//! The fields of the clip and of the rig, of selected keys, and those that nobody knows.

use super::fields;
use super::number::Look;
use super::vectors::{self, shared};
use super::{nodes, title};
use crate::edit::{ClipEdit, DocId, Edit, KeyTime, RigEdit};
use crate::model::limits::MAX_DURATION_SECS;
use crate::model::{Clip, ClipKind, Key, Origin, Property, Rig, RigForm, Track, Uid};
use crate::ui::action::Action;
use crate::ui::command::CommandId;
use crate::ui::cx::Cx;
use crate::ui::{text, theme, widgets};
use eframe::egui::{Id, RichText, Ui};
use glam::DVec3;
use std::sync::Arc;

/// Shows the clip, and the rig.
pub fn show(ui: &mut Ui, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    let clip = cx.clip();
    if let Some((doc, clip)) = clip {
        of_clip(ui, cx, doc, clip, actions);
    }
    if let Some((doc, rig)) = cx.rig() {
        of_rig(ui, cx, doc, rig, clip.is_none(), actions);
    }
}

fn of_clip(ui: &mut Ui, cx: &Cx<'_>, doc: DocId, clip: &Arc<Clip>, actions: &mut Vec<Action>) {
    let name = cx.workspace().document(doc).map(|document| document.name()).unwrap_or_default();
    let kind = if clip.kind == ClipKind::Rig { "rig clip" } else { "model clip" };
    title(ui, cx, &name, kind);
    widgets::section(ui, cx.theme, "CLIP");
    let stretch_id = Id::unique("stretch the keys with the clip");
    let stretch: bool = ui.data(|data| data.get_temp(stretch_id)).unwrap_or_default();
    let look = Look {
        name: "Duration",
        value: Some(clip.duration_secs),
        places: 3,
        per_point: 0.01,
        snap: 1.0 / cx.view().timeline.usable_fps(),
        edge: None,
        enabled: true,
    };
    let edit_of = |secs: f64| {
        let edit = ClipEdit::SetDuration { secs, scale_keys: stretch };
        Some(Edit::Clip { doc, edit })
    };
    let last = clip.tracks.iter().filter_map(|t| t.keys.last()).map(|key| key.time);
    let least = if stretch { 0.001 } else { last.fold(0.001, f64::max) };
    let within = (least, MAX_DURATION_SECS);
    fields::number(ui, cx, "Duration s", &look, within, &edit_of, actions);
    let mut push = |edit: ClipEdit| actions.push(Action::Edit(Edit::Clip { doc, edit }));
    let help = "A new duration moves all keys along";
    if let Some(on) = fields::check(ui, cx, "", stretch, "Stretch keys along", help) {
        ui.data_mut(|data| data.insert_temp(stretch_id, on));
    }
    let words = "Plays again at the end";
    if let Some(looping) = fields::check(ui, cx, "Loop", clip.looping, words, "") {
        push(ClipEdit::SetLoop { looping });
    }
    let needed = |typed: &str| typed.is_empty().then_some("a model is needed");
    if let Some(model) = fields::words(ui, cx, "Model", Some(&clip.model), "", &needed) {
        push(ClipEdit::SetModel { model });
    }
    if clip.kind == ClipKind::Rig {
        let fine = |_: &str| None;
        let now = clip.binding.as_deref().unwrap_or_default();
        let hint = "path of a .rig";
        if let Some(path) = fields::words(ui, cx, "Binding", Some(now), hint, &fine) {
            push(ClipEdit::SetBinding { binding: Some(path) });
        }
    }
    let kinds = [
        (ClipKind::Rig, "rig clip (format 2)".to_owned()),
        (ClipKind::Model, "model clip (format 1)".to_owned()),
    ];
    if let Some(kind) = fields::choice(ui, cx, "Kind", Some(clip.kind), &kinds) {
        push(ClipEdit::SetKind { kind });
    }
    let keys: usize = clip.tracks.iter().map(|track| track.keys.len()).sum();
    let words = format!(
        "{}, {}",
        text::count(clip.tracks.len(), "track", "tracks"),
        text::count(keys, "key", "keys")
    );
    fields::fact(ui, cx, "Tracks", &words);
    if clip.kind == ClipKind::Model {
        new_track(ui, cx, doc, clip, actions);
    }
}

/// A model has no file that names its parts: their names are typed.
fn new_track(ui: &mut Ui, cx: &Cx<'_>, doc: DocId, clip: &Clip, actions: &mut Vec<Action>) {
    widgets::section(ui, cx.theme, "NEW TRACK");
    let chosen_id = Id::unique("the property of a new track");
    let mut property: usize = ui.data(|data| data.get_temp(chosen_id)).unwrap_or(1);
    let choices: Vec<(usize, String)> =
        Property::ALL.iter().enumerate().map(|(i, p)| (i, p.as_str().to_owned())).collect();
    if let Some(chosen) = fields::choice(ui, cx, "Property", Some(property), &choices) {
        property = chosen;
        ui.data_mut(|data| data.insert_temp(chosen_id, chosen));
    }
    let property = Property::ALL[property.min(2)];
    let taken = |part: &str| {
        let there = clip.tracks.iter().any(|t| t.part == part && t.property == property);
        there.then_some("there is such a track")
    };
    if let Some(part) = fields::words(ui, cx, "New part", Some(""), "name, then Enter", &taken) {
        let value = if property == Property::Scale { DVec3::ONE } else { DVec3::ZERO };
        let key = (cx.playhead_secs(), value);
        let edit = ClipEdit::AddTrack { part, property, key };
        actions.push(Action::Edit(Edit::Clip { doc, edit }));
    }
}

fn of_rig(
    ui: &mut Ui,
    cx: &Cx<'_>,
    doc: DocId,
    rig: &Arc<Rig>,
    alone: bool,
    actions: &mut Vec<Action>,
) {
    let document = cx.workspace().document(doc).map(|document| document.name());
    let name = document.unwrap_or_default();
    let form = if rig.form == RigForm::Rig { "rig" } else { "scene" };
    if alone {
        title(ui, cx, &name, form);
    }
    widgets::section(ui, cx.theme, if rig.form == RigForm::Rig { "RIG" } else { "SCENE" });
    if !alone {
        fields::fact(ui, cx, "File", &name);
    }
    let needed = |typed: &str| typed.is_empty().then_some("a name is needed");
    if let Some(name) = fields::words(ui, cx, "Rig name", Some(&rig.name), "", &needed) {
        let edit = RigEdit::SetName { name };
        actions.push(Action::Edit(Edit::Rig { doc, edit }));
    }
    fields::fact(ui, cx, "Nodes", &text::count(rig.nodes.len(), "node", "nodes"));
    if rig.nodes.is_empty() {
        widgets::command_button(ui, cx, CommandId::AddChild, "Add joint", actions);
    }
}

/// Shows selected keys: their time, and their values.
pub fn keys(ui: &mut Ui, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    let Some((doc, clip)) = cx.clip() else { return };
    let selected = &cx.selection().keys;
    if selected.is_empty() {
        return;
    }
    let mut keys: Vec<(&Track, &Key)> = Vec::new();
    for track in &clip.tracks {
        let of = track.keys.iter().filter(|key| selected.contains(&(doc, key.uid)));
        keys.extend(of.map(|key| (&**track, key)));
    }
    let Some((first, _)) = keys.first() else { return };
    let property = first.property;
    let title = match keys.len() {
        1 => "KEY".to_owned(),
        many => format!("{many} KEYS"),
    };
    widgets::section(ui, cx.theme, &title);
    let time = shared(keys.iter().map(|(_, key)| key.time));
    let uids: Vec<Uid> = keys.iter().map(|(_, key)| key.uid).collect();
    let look = Look {
        name: "Key time",
        value: time,
        places: 3,
        per_point: 0.01,
        snap: 1.0 / cx.view().timeline.usable_fps(),
        edge: None,
        // Keys at different times are moved in the timeline: one time for all would merge them.
        enabled: time.is_some(),
    };
    let edit_of = |time: f64| {
        let keys = uids.iter().map(|key| KeyTime { key: *key, time }).collect();
        Some(Edit::Clip { doc, edit: ClipEdit::SetKeyTimes { keys } })
    };
    let within = (0.0, clip.duration_secs);
    fields::number(ui, cx, "Time s", &look, within, &edit_of, actions);
    if keys.iter().any(|(track, _)| track.property != property) {
        let words = RichText::new("Keys of different properties").size(theme::LABEL_SIZE);
        ui.label(words.color(cx.theme.muted));
        return;
    }
    let values: Vec<DVec3> = keys.iter().map(|(_, key)| key.value).collect();
    let label = match property {
        Property::Position => "Position",
        Property::Rotation if cx.settings().show_radians => "Rotation rad",
        Property::Rotation => "Rotation °",
        Property::Scale => "Scale",
    };
    let row = vectors::Row { label, name: "Key value", property, values: &values, enabled: true };
    let edit_of = |old: &[DVec3], new: &[DVec3]| {
        let changed = uids.iter().zip(old.iter().zip(new)).map(|(uid, (old, new))| {
            let (old, new) = (old.to_array(), new.to_array());
            (*uid, std::array::from_fn(|i| (old[i] != new[i]).then_some(new[i])))
        });
        let edit = ClipEdit::SetKeyValues { keys: changed.collect() };
        Some(Edit::Clip { doc, edit })
    };
    vectors::show(ui, cx, &row, &edit_of, actions);
}

/// Fields that nobody here knows: they are kept, and shown as they stand in the file.
pub fn unknown(ui: &mut Ui, cx: &Cx<'_>, chosen: &[usize]) {
    let mut found: Vec<(String, String)> = Vec::new();
    const NODE: [&str; 8] =
        ["id", "kind", "name", "parent", "model", "position", "rotation", "scale"];
    for index in chosen.iter().take(8) {
        if let Some(origin) = nodes::node(cx, *index).and_then(|node| node.origin.as_ref()) {
            collect(origin, &NODE, &mut found);
        }
    }
    if chosen.is_empty() {
        if let Some((_, clip)) = cx.clip()
            && let Some(origin) = &clip.origin
        {
            let known: &[&str] =
                &["format", "version", "binding", "model", "duration", "loop", "tracks"];
            let source = &origin.source;
            collect_in(source, source.root(), known, &mut found);
        } else if let Some((_, rig)) = cx.rig()
            && let Some(origin) = &rig.origin
        {
            let known: &[&str] = match rig.form {
                RigForm::Rig => &["format", "version", "name", "nodes"],
                RigForm::Scene => &["animation_name", "entities"],
            };
            let source = &origin.source;
            collect_in(source, source.root(), known, &mut found);
        }
    }
    if let Some((doc, clip)) = cx.clip() {
        let selection = cx.selection();
        for track in &clip.tracks {
            if selection.tracks.contains(&(doc, track.uid))
                && let Some(origin) = &track.origin
            {
                let known = ["part", "property", "interpolation", "curve", "keys"];
                collect(origin, &known, &mut found);
            }
            let of = track.keys.iter().filter(|key| selection.keys.contains(&(doc, key.uid)));
            for key in of.take(8) {
                if let Some(origin) = &key.origin {
                    collect(origin, &["time", "value"], &mut found);
                }
            }
        }
    }
    if found.is_empty() {
        return;
    }
    widgets::section(ui, cx.theme, "OTHER FIELDS, KEPT AS THEY ARE");
    found.dedup();
    for (name, value) in found.iter().take(64) {
        fields::fact(ui, cx, &text::clean(name, 24), value);
    }
}

fn collect(origin: &Origin, known: &[&str], found: &mut Vec<(String, String)>) {
    collect_in(&origin.source, origin.node, known, found);
}

fn collect_in(
    source: &crate::source::Source,
    map: crate::source::NodeId,
    known: &[&str],
    found: &mut Vec<(String, String)>,
) {
    if !source.kind(map).is_map() {
        return;
    }
    for (key, value) in source.entries(map) {
        let name = source.scalar(key).unwrap_or_else(|| source.raw(key).into());
        if !known.contains(&&*name) {
            let value = text::clean(source.raw(value), 200).into_owned();
            found.push((name.into_owned(), value));
        }
    }
}
