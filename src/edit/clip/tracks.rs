//! Edits of tracks and of the whole clip.

use super::super::comments::Owned;
use super::super::words::{count, replacing};
use super::super::{Applied, EditError, sides};
use super::ClipEdit;
use super::draft::{Draft, put_keys, settle};
use super::keys::mirrored;
use crate::format::field;
use crate::model::{Clip, ClipForm, ClipKind, Interpolation, Key, Track, Uid, messages};
use std::collections::HashSet;
use std::sync::Arc;

pub(super) fn apply(mut draft: Draft, edit: &ClipEdit) -> Result<Applied, EditError> {
    match edit {
        ClipEdit::PasteKeys { tracks, time, flipped } => paste(draft, tracks, *time, *flipped),
        ClipEdit::PasteEasing { tracks, interpolation, curve } => {
            for_tracks(&mut draft, tracks, |track| {
                track.interpolation = *interpolation;
                track.curve = *curve;
            })?;
            draft.finish(format!("Paste easing to {}", count(tracks.len(), "track")))
        }
        ClipEdit::AddTrack { part, property, key: (time, value) } => {
            let key = Key { uid: draft.uids.fresh(), time: *time, value: *value, origin: None };
            let track = Track {
                uid: draft.uids.fresh(),
                part: part.clone(),
                property: *property,
                interpolation: Interpolation::Linear,
                curve: None,
                keys: vec![key],
                origin: None,
            };
            draft.select_track(track.uid);
            draft.select_key(track.keys[0].uid);
            draft.clip.tracks.push(Arc::new(track));
            draft.finish(format!("Add track {}", target(part, property.as_str())))
        }
        ClipEdit::RemoveTracks { tracks } => {
            let gone = draft.find_tracks(tracks)?;
            let label = match gone[..] {
                [at] => {
                    let track = &draft.clip.tracks[at];
                    format!("Delete track {}", target(&track.part, track.property.as_str()))
                }
                _ => format!("Delete {}", count(gone.len(), "track")),
            };
            let uids: HashSet<Uid> = tracks.iter().copied().collect();
            draft.clip.tracks.retain(|t| !uids.contains(&t.uid));
            draft.finish(label)
        }
        ClipEdit::SetInterpolation { tracks, interpolation } => {
            for_tracks(&mut draft, tracks, |track| track.interpolation = *interpolation)?;
            let word = interpolation.as_str();
            draft.finish(format!("Set {} to {word}", count(tracks.len(), "track")))
        }
        ClipEdit::SetCurve { tracks, curve } => {
            for_tracks(&mut draft, tracks, |track| track.curve = *curve)?;
            draft.finish(format!("Set easing of {}", count(tracks.len(), "track")))
        }
        ClipEdit::RetargetTrack { track, part } => {
            let at = draft.find_tracks(&[*track])?[0];
            let old = std::mem::replace(&mut draft.track(at).part, part.clone());
            let name =
                |part: &str| if part.is_empty() { "no part".to_owned() } else { part.into() };
            draft.finish(format!("Retarget {} → {}", name(&old), name(part)))
        }
        ClipEdit::MoveTrack { track, index } => {
            let at = draft.find_tracks(&[*track])?[0];
            let moved = draft.clip.tracks.remove(at);
            let index = (*index).min(draft.clip.tracks.len());
            let label = format!("Move track {}", target(&moved.part, moved.property.as_str()));
            draft.clip.tracks.insert(index, moved);
            draft.finish(label)
        }
        _ => whole(draft, edit),
    }
}

fn whole(mut draft: Draft, edit: &ClipEdit) -> Result<Applied, EditError> {
    match edit {
        ClipEdit::SetDuration { secs, scale_keys } => {
            let old = draft.clip.duration_secs;
            draft.clip.duration_secs = *secs;
            if *scale_keys && *secs != old {
                for at in 0..draft.clip.tracks.len() {
                    for key in &mut draft.track(at).keys {
                        // The end comes out exactly.
                        key.time = match key.time == old {
                            true => *secs,
                            false => settle(key.time * (secs / old), *secs),
                        };
                    }
                }
                return draft.finish(format!("Stretch clip to {secs} s"));
            }
            draft.finish(format!("Set duration to {secs} s"))
        }
        ClipEdit::SetLoop { looping } => {
            draft.clip.looping = *looping;
            draft.finish(if *looping { "Turn looping on" } else { "Turn looping off" })
        }
        ClipEdit::SetModel { model } => {
            draft.clip.model.clone_from(model);
            draft.finish(format!("Set model to {model}"))
        }
        ClipEdit::SetBinding { binding } => {
            let binding = binding.clone().filter(|b| !b.is_empty());
            if binding.is_some() && draft.clip.kind == ClipKind::Model {
                return Err(messages::BINDING_MISMATCH.into());
            }
            let label = match &binding {
                Some(path) => format!("Bind to {path}"),
                None => "Take the binding away".to_owned(),
            };
            draft.clip.binding = binding;
            draft.finish(label)
        }
        ClipEdit::SetKind { kind } => {
            set_kind(&mut draft.clip, *kind);
            draft.finish(match kind {
                ClipKind::Model => "Make a model clip",
                ClipKind::Rig => "Make a rig clip",
            })
        }
        ClipEdit::SetForm { form } => {
            draft.clip.form = form_for(&draft.clip, draft.clip.kind, *form);
            draft.finish("Change how the file says its kind")
        }
        _ => Err("This is no edit of a clip".into()),
    }
}

/// "hand rotation".
fn target(part: &str, property: &str) -> String {
    if part.is_empty() { property.to_owned() } else { format!("{part} {property}") }
}

fn for_tracks(
    draft: &mut Draft,
    tracks: &[Uid],
    mut change: impl FnMut(&mut Track),
) -> Result<(), EditError> {
    for at in draft.find_tracks(tracks)? {
        change(draft.track(at));
    }
    Ok(())
}

fn set_kind(clip: &mut Clip, kind: ClipKind) {
    if clip.kind == kind {
        return;
    }
    clip.kind = kind;
    // A model clip's own `binding` is a field that nobody reads (M11); a rig clip's counts again.
    let written = clip.origin.as_ref().and_then(|origin| {
        let source = &origin.source;
        source.get(source.root(), "binding").and_then(|node| field::string(source, node))
    });
    clip.binding = written.filter(|b| kind == ClipKind::Rig && !b.is_empty());
    let form = match (kind, clip.form) {
        (ClipKind::Model, ClipForm::Bare) => ClipForm::Format,
        (ClipKind::Rig, ClipForm::Format) => ClipForm::Bare,
        (_, form) => form,
    };
    clip.form = form_for(clip, kind, form);
}

/// The form that a kind can have (M32): a model clip always says its kind; a new file has no
/// choice; where there is a `format` section it decides, and with fields of its own it stays.
fn form_for(clip: &Clip, kind: ClipKind, wanted: ClipForm) -> ClipForm {
    let Some(origin) = &clip.origin else {
        return match kind {
            ClipKind::Model => ClipForm::Format,
            ClipKind::Rig => ClipForm::Bare,
        };
    };
    let source = &origin.source;
    let format = source.get(source.root(), "format").filter(|n| source.kind(*n).is_map());
    match (kind, wanted) {
        (ClipKind::Model, ClipForm::Bare) => ClipForm::Format,
        (ClipKind::Rig, ClipForm::Bare)
            if format.is_some_and(|f| source.entries(f).count() > 1) =>
        {
            ClipForm::Format
        }
        (_, ClipForm::Legacy) if format.is_some() => ClipForm::Format,
        (_, form) => form,
    }
}

fn paste(
    mut draft: Draft,
    tracks: &[Arc<Track>],
    time: f64,
    flipped: bool,
) -> Result<Applied, EditError> {
    let first = tracks.iter().flat_map(|t| t.keys.first()).map(|k| k.time);
    let first = first.fold(f64::INFINITY, f64::min);
    let duration_secs = draft.clip.duration_secs;
    let origins = tracks
        .iter()
        .flat_map(|t| std::iter::once(&t.origin).chain(t.keys.iter().map(|key| &key.origin)));
    let mut owned = Owned::of(draft.workspace(), origins);
    let (mut pasted, mut replaced) = (0, 0);
    for copied in tracks.iter().filter(|t| !t.keys.is_empty()) {
        let part = match flipped {
            true => sides::swapped(&copied.part).unwrap_or_else(|| copied.part.clone()),
            false => copied.part.clone(),
        };
        let mut keys = copied.keys.clone();
        for key in &mut keys {
            key.uid = draft.uids.fresh();
            key.time = match key.time == first {
                true => time,
                false => settle(key.time - first + time, duration_secs),
            };
            if flipped {
                key.value = mirrored(copied.property, key.value);
            }
            owned.settle(&mut key.origin);
            draft.select_key(key.uid);
        }
        pasted += keys.len();
        match draft.track_of(&part, copied.property) {
            Some(at) => replaced += put_keys(draft.track(at), keys),
            None => {
                let uid = draft.uids.fresh();
                let mut track = Track { uid, part, keys, ..(**copied).clone() };
                owned.settle(&mut track.origin);
                draft.clip.tracks.push(Arc::new(track));
            }
        }
    }
    let what = if flipped { "Paste flipped" } else { "Paste" };
    draft.finish(format!("{what} {}{}", count(pasted, "key"), replacing(replaced)))
}
