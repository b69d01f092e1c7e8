//! Clips to `.motion` texts.

use super::super::field;
use super::{
    Element, Fields, base_fragment, read_vector, set_line, set_numbers, spell_vector, write_list,
};
use crate::model::{Clip, ClipForm, ClipKind, Key, Origin, Track};
use crate::source::{Fragment, NodeId, Rewrite, Source, number, vector, yaml_string};
use std::collections::HashSet;
use std::sync::Arc;

/// The text of a clip: the text it was read from with what changed (M30), or a new text in the
/// shape of the format's own examples (M31, M32).
pub fn write_clip(clip: &Clip) -> String {
    let Some(origin) = &clip.origin else { return new_text(clip) };
    let source = &origin.source;
    let mut rewrite = Rewrite::new(source);
    let map = source.root();
    write_form(clip, origin.kind, origin.form, &mut rewrite, source, map);
    let mut fields = Fields::new(&mut rewrite, source, map);
    fields.pass("version");
    fields.pass("format");
    if clip.kind == ClipKind::Rig {
        fields.string("binding", clip.binding.as_deref());
    } else {
        fields.pass("binding");
    }
    fields.string("model", Some(&clip.model));
    fields.value("duration", clip.duration_secs, None, field::number, |v| number(*v));
    fields.value("loop", clip.looping, None, field::boolean, bool::to_string);
    let as_read: HashSet<*const Track> = origin.tracks.iter().map(Arc::as_ptr).collect();
    match fields.pass("tracks") {
        Some((_, list)) => {
            let tracks = clip.tracks.iter().map(|t| (&**t, as_read.contains(&Arc::as_ptr(t))));
            write_list(&mut rewrite, source, list, tracks, &HashSet::new());
        }
        None if clip.tracks.is_empty() => {}
        None => {
            let tracks = Fragment::seq(clip.tracks.iter().map(|t| t.fragment()).collect());
            fields.insert("tracks", &tracks);
        }
    }
    if rewrite.is_unchanged() { source.text().to_owned() } else { rewrite.finish() }
}

/// Writes how the file says what kind of clip it is, where that changed.
fn write_form<'s>(
    clip: &Clip,
    kind: ClipKind,
    form: ClipForm,
    rewrite: &mut Rewrite<'s>,
    source: &'s Source,
    map: NodeId,
) {
    if (kind, form) == (clip.kind, clip.form) {
        return;
    }
    let (dotted, legacy) = match clip.kind {
        ClipKind::Model => ("1.0.0", "1"),
        ClipKind::Rig => ("2.0.0", "2"),
    };
    let mut fields = Fields::new(rewrite, source, map);
    let format = source.get(map, "format").filter(|n| source.kind(*n).is_map());
    match clip.form {
        ClipForm::Legacy => {
            fields.value("version", legacy.to_owned(), None, field::string, String::clone);
        }
        ClipForm::Format => {
            fields.remove("version");
            match format {
                Some(format) => {
                    let mut inner = Fields::new(rewrite, source, format);
                    inner.value("version", dotted.to_owned(), None, field::string, String::clone);
                }
                None => {
                    fields.remove("format");
                    fields.insert("format", &Fragment::map([("version", Fragment::line(dotted))]));
                }
            }
        }
        ClipForm::Bare => {
            fields.remove("version");
            match format {
                // Unknown fields beside the version stay.
                Some(format) if source.entries(format).count() > 1 => {
                    let mut inner = Fields::new(rewrite, source, format);
                    inner.value("version", dotted.to_owned(), None, field::string, String::clone);
                }
                _ => fields.remove("format"),
            }
        }
    }
}

fn new_text(clip: &Clip) -> String {
    let mut text = String::new();
    if clip.kind == ClipKind::Model {
        text.push_str("format:\n  version: 1.0.0\n");
    }
    if let Some(binding) = clip.binding.as_ref().filter(|_| clip.kind == ClipKind::Rig) {
        text.push_str(&format!("binding: {}\n", yaml_string(binding)));
    }
    text.push_str(&format!("model: {}\n", yaml_string(&clip.model)));
    text.push_str(&format!("duration: {}\n", number(clip.duration_secs)));
    text.push_str(&format!("loop: {}\n", clip.looping));
    let tracks = Fragment::seq(clip.tracks.iter().map(|t| t.fragment()).collect());
    text.push_str(&tracks.new_entry("tracks"));
    text
}

impl Element for Track {
    fn origin(&self) -> Option<&Origin> {
        self.origin.as_ref()
    }

    fn patch<'s>(&self, rewrite: &mut Rewrite<'s>, source: &'s Source, map: NodeId) {
        let mut fields = Fields::new(rewrite, source, map);
        fields.string("part", Some(&self.part).filter(|p| !p.is_empty()).map(|p| p.as_str()));
        fields.string("property", Some(self.property.as_str()));
        fields.string("interpolation", Some(self.interpolation.as_str()));
        write_curve(&mut fields, self.curve);
        let Some((_, list)) = fields.pass("keys") else { return };
        let keys = self.keys.iter().map(|k| (k, false));
        write_list(rewrite, source, list, keys, &HashSet::new());
    }

    fn reads_alike(&self, source: &Source, map: NodeId) -> bool {
        let text = |key| source.get(map, key).and_then(|n| field::string(source, n));
        let keys = source.get(map, "keys");
        text("part").unwrap_or_default() == self.part
            && text("property").as_deref() == Some(self.property.as_str())
            && text("interpolation").as_deref() == Some(self.interpolation.as_str())
            && source.get(map, "curve").and_then(|n| field::vector(source, n)) == self.curve
            && keys.is_some_and(|list| {
                source.items(list).count() == self.keys.len()
                    && source
                        .items(list)
                        .zip(&self.keys)
                        .all(|(item, key)| key.reads_alike(source, source.resolve(item)))
            })
    }

    fn fragment(&self) -> Fragment {
        let origin = self.origin.as_ref();
        let mut fragment = base_fragment(origin);
        let part = Some(&self.part).filter(|p| !p.is_empty());
        set_line(&mut fragment, origin, "part", part, field::string, |p| yaml_string(p));
        let property = Some(self.property.as_str().to_owned());
        set_line(
            &mut fragment,
            origin,
            "property",
            property.as_ref(),
            field::string,
            String::clone,
        );
        let word = Some(self.interpolation.as_str().to_owned());
        set_line(
            &mut fragment,
            origin,
            "interpolation",
            word.as_ref(),
            field::string,
            String::clone,
        );
        set_line(&mut fragment, origin, "curve", self.curve.as_ref(), field::vector, |c| vector(c));
        fragment.set("keys", Some(Fragment::seq(self.keys.iter().map(Key::fragment).collect())));
        fragment
    }
}

fn write_curve(fields: &mut Fields, curve: Option<[f64; 4]>) {
    match (fields.source.entry(fields.map, "curve"), curve) {
        (Some((_, node)), Some(curve)) => {
            fields.pass("curve");
            let found = field::vector::<4>(fields.source, node);
            if found != Some(curve) && !set_numbers(fields.rewrite, fields.source, node, &curve) {
                fields.rewrite.set(node, &vector(&curve));
            }
        }
        (Some((_, node)), None) if !field::is_null(fields.source, node) => fields.remove("curve"),
        (Some(_), None) => {
            fields.pass("curve");
        }
        (None, Some(curve)) => fields.insert("curve", &Fragment::line(vector(&curve))),
        (None, None) => {}
    }
}

impl Element for Key {
    fn origin(&self) -> Option<&Origin> {
        self.origin.as_ref()
    }

    fn patch<'s>(&self, rewrite: &mut Rewrite<'s>, source: &'s Source, map: NodeId) {
        let mut fields = Fields::new(rewrite, source, map);
        fields.value("time", self.time, None, field::number, |v| number(*v));
        fields.vector("value", self.value, None);
    }

    fn reads_alike(&self, source: &Source, map: NodeId) -> bool {
        let time = source.get(map, "time").and_then(|n| field::number(source, n));
        let value = source.get(map, "value").and_then(|n| read_vector(source, n));
        time == Some(self.time) && value == Some(self.value)
    }

    fn fragment(&self) -> Fragment {
        let origin = self.origin.as_ref();
        let mut fragment = base_fragment(origin);
        set_line(&mut fragment, origin, "time", Some(&self.time), field::number, |t| number(*t));
        set_line(&mut fragment, origin, "value", Some(&self.value), read_vector, spell_vector);
        fragment
    }
}
