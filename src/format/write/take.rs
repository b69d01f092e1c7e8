//! Takes to `.anm` texts.

use super::Fields;
use crate::format::export::{ANM, numbers};
use crate::format::field;
use crate::model::Origin;
use crate::model::take::{
    Channel, ChannelHandles, CoordinateSystem, Handles, Header, Keyframe, Peg, Take, TakeCamera,
    TakeOrigin,
};
use crate::source::{Fragment, Item, NodeId, Rewrite, Source, double_quoted, number, vector};
use glam::DVec3;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The text of a take: the text it was read from with what changed, every other byte alone, or a
/// new text (A60). Changes of `fps`, the range, pegs and their keys are written; what of a read
/// take is never edited (its cameras, its coordinate system) stays as it was.
pub fn write_take(take: &Take) -> String {
    Arc::unwrap_or_clone(write_take_shared(take))
}

/// As [`write_take`]; where nothing changed it is the very text that was read, which may be large.
pub fn write_take_shared(take: &Take) -> Arc<String> {
    match &take.origin {
        None => Arc::new(new_text(take).json_file()),
        Some(origin) if is_as_read(take, origin) => origin.source.shared_text(),
        Some(origin) => Arc::new(patched(take, origin)),
    }
}

fn same_pegs(take: &Take, origin: &TakeOrigin) -> bool {
    take.pegs.len() == origin.pegs.len()
        && take.pegs.iter().zip(&origin.pegs).all(|(a, b)| Arc::ptr_eq(a, b))
}

fn is_as_read(take: &Take, origin: &TakeOrigin) -> bool {
    same_pegs(take, origin)
        && take.frame_range == origin.frame_range
        && take.header.fps == origin.header.fps
        && take.header.source == origin.header.source
}

/// The text that was read, with what changed.
fn patched(take: &Take, origin: &TakeOrigin) -> String {
    let read: HashMap<*const Peg, NodeId> = origin
        .pegs
        .iter()
        .filter_map(|peg| Some((Arc::as_ptr(peg), peg.origin.as_ref()?.node)))
        .collect();
    let is_read = |peg: &Arc<Peg>| read.contains_key(&Arc::as_ptr(peg));
    let source = &origin.source;
    // Only what is looked into needs more than leaves.
    let here = |o: &&Origin| Arc::ptr_eq(&o.source, source);
    let changed = take.pegs.iter().filter(|peg| !is_read(peg));
    let lists: HashSet<NodeId> = changed
        .filter_map(|peg| source.get(peg.origin.as_ref().filter(here)?.node, "keyframes"))
        .filter(|list| source.kind(*list).is_seq())
        .collect();
    let whole = source.expanded(&lists);
    let mut rewrite = Rewrite::new(&whole);
    let root = whole.root();
    let mut fields = Fields::new(&mut rewrite, &whole, root);
    fields.pass("version");
    if take.header.source != origin.header.source {
        fields.string("source", take.header.source.as_deref());
    }
    fields.pass("source");
    if take.frame_range != origin.frame_range {
        set_numbers_or(&mut fields, "frame_range", take.frame_range.as_ref().map(|r| &r[..]));
    }
    fields.pass("frame_range");
    if take.header.fps != origin.header.fps {
        match take.header.fps {
            Some(fps) => fields.value("fps", fps, None, field::number, |v| number(*v)),
            None => fields.remove("fps"),
        }
    }
    fields.pass("fps");
    if !same_pegs(take, origin)
        && let Some(list) = whole.get(root, "pegs")
    {
        let by_start: HashMap<usize, NodeId> =
            whole.items(list).map(|item| (whole.span(item).start, item)).collect();
        let as_read: HashMap<NodeId, &Peg> = origin
            .pegs
            .iter()
            .filter_map(|peg| Some((peg.origin.as_ref()?.node, &**peg)))
            .collect();
        let mut used = HashSet::new();
        let mut items = Vec::with_capacity(take.pegs.len());
        for peg in &take.pegs {
            let own = peg.origin.as_ref().filter(here);
            let kept = own.and_then(|o| {
                let item = by_start.get(&source.span(o.node).start)?;
                Some((*item, *as_read.get(&o.node)?))
            });
            match kept.filter(|(item, _)| used.insert(*item)) {
                Some((item, before)) => {
                    if !is_read(peg) {
                        patch_peg(&mut rewrite, &whole, source, item, peg, before);
                    }
                    items.push(Item::Keep(item));
                }
                None => items.push(Item::New(peg_fragment(peg))),
            }
        }
        rewrite.arrange(list, &items, &HashSet::new());
    }
    if rewrite.is_unchanged() { source.text().to_owned() } else { rewrite.finish() }
}

/// Replaces the numbers of a list that differ; takes the field out where there shall be none.
fn set_numbers_or(fields: &mut Fields, key: &str, values: Option<&[f64]>) {
    let Some(values) = values else { return fields.remove(key) };
    match fields.pass(key) {
        Some((_, node)) => {
            if !super::set_numbers(fields.rewrite, fields.source, node, values) {
                fields.rewrite.set(node, &vector(values));
            }
        }
        None => fields.insert(key, &Fragment::line(vector(values))),
    }
}

/// `whole` is the text with the peg's keys looked into, `source` the one it was read from.
fn patch_peg<'s>(
    rewrite: &mut Rewrite<'s>,
    whole: &'s Source,
    source: &Arc<Source>,
    map: NodeId,
    peg: &Peg,
    before: &Peg,
) {
    let mut fields = Fields::new(rewrite, whole, map);
    let texts = [
        ("name", Some(&peg.name), Some(&before.name)),
        ("path", peg.path.as_ref(), before.path.as_ref()),
        ("parent", peg.parent.as_ref(), before.parent.as_ref()),
    ];
    for (key, now, then) in texts {
        if now != then {
            fields.string(key, now.map(String::as_str));
        }
        fields.pass(key);
    }
    let pivot = peg.rest_pivot.map(|v| v.to_array());
    if peg.rest_pivot != before.rest_pivot {
        set_numbers_or(&mut fields, "rest_pivot", pivot.as_ref().map(|v| &v[..]));
    }
    fields.pass("rest_pivot");
    if peg.rest_rotation != before.rest_rotation {
        set_numbers_or(&mut fields, "rest_rotation", peg.rest_rotation.as_ref().map(|v| &v[..]));
    }
    fields.pass("rest_rotation");
    if peg.rig != before.rig {
        fields.string("rig", peg.rig.as_deref());
    }
    fields.pass("rig");
    if peg.is_camera != before.is_camera {
        fields.value("is_camera", peg.is_camera, Some(false), field::boolean, bool::to_string);
    }
    fields.pass("is_camera");
    fields.pass("source_modes");
    match fields.pass("keyframes").filter(|(_, list)| whole.kind(*list).is_seq()) {
        Some((_, list)) => patch_keys(rewrite, whole, source, list, peg, before),
        None if peg.keyframes.is_empty() => {}
        None => {
            let keys = peg.keyframes.iter().map(key_fragment).collect();
            fields.remove("keyframes");
            fields.insert("keyframes", &Fragment::seq(keys));
        }
    }
}

fn patch_keys<'s>(
    rewrite: &mut Rewrite<'s>,
    whole: &'s Source,
    source: &Arc<Source>,
    list: NodeId,
    peg: &Peg,
    before: &Peg,
) {
    let by_start: HashMap<usize, NodeId> =
        whole.items(list).map(|item| (whole.span(item).start, item)).collect();
    let as_read: HashMap<NodeId, &Keyframe> =
        before.keyframes.iter().filter_map(|key| Some((key.origin.as_ref()?.node, key))).collect();
    let mut used = HashSet::new();
    let mut items = Vec::with_capacity(peg.keyframes.len());
    for key in &peg.keyframes {
        // A copy may share its origin with what it was copied from: the first one keeps the place.
        let own = key.origin.as_ref();
        let own = own.filter(|o| Arc::ptr_eq(&o.source, source) && o.with_comments);
        let kept = own.and_then(|o| {
            let item = by_start.get(&source.span(o.node).start)?;
            Some((*item, *as_read.get(&o.node)?))
        });
        match kept.filter(|(item, _)| used.insert(*item)) {
            Some((item, before)) => {
                if key != before {
                    patch_key(rewrite, whole, item, key, before);
                }
                items.push(Item::Keep(item));
            }
            None => items.push(Item::New(key_fragment(key))),
        }
    }
    rewrite.arrange(list, &items, &HashSet::new());
}

fn patch_key<'s>(
    rewrite: &mut Rewrite<'s>,
    whole: &'s Source,
    map: NodeId,
    key: &Keyframe,
    before: &Keyframe,
) {
    let mut fields = Fields::new(rewrite, whole, map);
    if key.frame != before.frame {
        fields.value("frame", key.frame, None, field::number, |v| number(*v));
    }
    fields.pass("frame");
    let list = |value: Option<DVec3>| value.map(|v| v.to_array().to_vec());
    let quat = |value: Option<[f64; 4]>| value.map(|v| v.to_vec());
    let vectors = [
        ("pos", list(key.pos), list(before.pos)),
        ("rot", list(key.rot), list(before.rot)),
        ("rot_quat", quat(key.rot_quat), quat(before.rot_quat)),
        ("scl", list(key.scl), list(before.scl)),
    ];
    for (name, now, then) in vectors {
        if now != then {
            set_numbers_or(&mut fields, name, now.as_deref());
        }
        fields.pass(name);
    }
    if key.interp != before.interp {
        // A word that nobody knows has no spelling of its own here.
        let word = key.interp.map(|interp| interp.as_str()).filter(|word| !word.is_empty());
        fields.string("interp", word);
    }
    fields.pass("interp");
    if key.handles != before.handles {
        patch_handles(&mut fields, key.handles.as_deref());
    }
}

fn patch_handles(fields: &mut Fields, handles: Option<&Handles>) {
    let source = fields.source;
    let Some((_, map)) = fields.pass("handles") else {
        if let Some(handles) = handles {
            fields.insert("handles", &handles_fragment(handles));
        }
        return;
    };
    if !source.kind(map).is_map() {
        let fragment = handles.map(handles_fragment);
        match fragment {
            Some(fragment) => {
                fields.remove("handles");
                fields.insert("handles", &fragment);
            }
            None => fields.remove("handles"),
        }
        return;
    }
    let mut inner = Fields::new(fields.rewrite, source, map);
    for channel in Channel::ALL {
        let now = handles.and_then(|handles| handles.channel(channel));
        patch_channel(&mut inner, channel, now);
        inner.pass(channel.as_str());
    }
}

fn patch_channel(fields: &mut Fields, channel: Channel, now: Option<&ChannelHandles>) {
    let source = fields.source;
    let Some((_, node)) = fields.source.entry(fields.map, channel.as_str()) else {
        if let Some(now) = now {
            fields.insert(channel.as_str(), &channel_fragment(Some(now)));
        }
        return;
    };
    let spelled = |axes: Option<&ChannelHandles>| channel_fragment(axes).flow();
    let Some(now) = now else {
        // What reads as none already, however odd, stays.
        if read_channel(source, node).is_some() {
            fields.rewrite.set(node, "[]");
        }
        return;
    };
    let Some(then) = read_channel(source, node) else {
        fields.rewrite.set(node, &spelled(Some(now)));
        return;
    };
    for ((axis, now), then) in source.items(node).zip(now).zip(then) {
        match (now, then) {
            (now, then) if *now == then => {}
            (Some(now), Some(_)) => {
                let points = [now.left.to_array(), now.right.to_array()];
                for (point, numbers) in source.items(axis).zip(points) {
                    super::set_numbers(fields.rewrite, source, point, &numbers);
                }
            }
            (now, _) => fields.rewrite.set(axis, &axis_fragment(now).flow()),
        }
    }
}

/// The handles of a channel in a text that was looked into (A11).
fn read_channel(source: &Source, node: NodeId) -> Option<ChannelHandles> {
    let mut axes: ChannelHandles = [None; 3];
    let items: Vec<NodeId> = source.items(node).collect();
    if items.len() != 3 {
        return None;
    }
    for (slot, item) in axes.iter_mut().zip(items) {
        if source.raw(item) == "null" {
            continue;
        }
        let points: Vec<NodeId> = source.items(item).collect();
        let [left, right] = points[..] else { return None };
        let (left, right) = (numbers::<2>(source, left)?, numbers::<2>(source, right)?);
        *slot = Some(crate::model::take::AxisHandles { left: left.into(), right: right.into() });
    }
    Some(axes)
}

fn axis_fragment(axis: &Option<crate::model::take::AxisHandles>) -> Fragment {
    Fragment::line(match axis {
        None => "null".to_owned(),
        Some(axis) => {
            format!("[{}, {}]", vector(&axis.left.to_array()), vector(&axis.right.to_array()))
        }
    })
}

fn channel_fragment(axes: Option<&ChannelHandles>) -> Fragment {
    Fragment::seq(axes.map(|axes| axes.iter().map(axis_fragment).collect()).unwrap_or_default())
}

fn handles_fragment(handles: &Handles) -> Fragment {
    let entries =
        Channel::ALL.map(|channel| (channel.as_str(), channel_fragment(handles.channel(channel))));
    Fragment { in_flow: true, ..Fragment::map(entries) }
}

/// What an element from elsewhere has that nobody here knows, in its own order.
fn base(origin: Option<&Origin>) -> Fragment {
    let whole = origin.and_then(|o| Source::parse_json(o.source.raw(o.node).to_owned()).ok());
    match whole {
        Some(whole) => Fragment::of(&whole, whole.root(), false),
        None => Fragment::map::<String>([]),
    }
}

fn set(fragment: &mut Fragment, key: &str, value: Option<String>) {
    // What reads alike keeps its spelling.
    let same = fragment.get(key).is_some_and(|found| match (&found.body, &value) {
        (crate::source::Body::Line(text), Some(value)) => {
            text == value || same_numbers(text, value)
        }
        _ => false,
    });
    if !same {
        fragment.set(key, value.map(Fragment::line));
    }
}

fn same_numbers(a: &str, b: &str) -> bool {
    let parsed = |text: &str| {
        let source = Source::parse_json(text.to_owned()).ok()?;
        let root = source.root();
        match source.kind(root).is_seq() {
            true => source.items(root).map(|item| field::number(&source, item)).collect(),
            false => field::number(&source, root).map(|number| vec![number]),
        }
    };
    let (a, b): (Option<Vec<f64>>, Option<Vec<f64>>) = (parsed(a), parsed(b));
    a.is_some() && a == b
}

/// A key anew, with the unknown fields of its origin.
fn key_fragment(key: &Keyframe) -> Fragment {
    let mut fragment = base(key.origin.as_ref());
    set(&mut fragment, "frame", Some(number(key.frame)));
    let list = |value: Option<DVec3>| value.map(|v| vector(&v.to_array()));
    set(&mut fragment, "pos", list(key.pos));
    set(&mut fragment, "rot", list(key.rot));
    set(&mut fragment, "rot_quat", key.rot_quat.map(|v| vector(&v)));
    set(&mut fragment, "scl", list(key.scl));
    let word = key.interp.map(|interp| interp.as_str());
    if word != Some("") {
        set(&mut fragment, "interp", word.map(double_quoted));
    }
    match &key.handles {
        Some(handles) => fragment.set("handles", Some(handles_fragment(handles))),
        // Empty ones stay empty ones.
        None if fragment.get("handles").is_some() => {
            fragment.set("handles", Some(handles_fragment(&Handles::default())));
        }
        None => {}
    }
    fragment
}

/// A peg anew, with the unknown fields of its origin.
fn peg_fragment(peg: &Peg) -> Fragment {
    let mut fragment = base(peg.origin.as_ref());
    set(&mut fragment, "name", Some(double_quoted(&peg.name)));
    let text = |value: &Option<String>| {
        value.as_ref().filter(|text| !text.is_empty()).map(|text| double_quoted(text))
    };
    set(&mut fragment, "path", text(&peg.path));
    set(&mut fragment, "parent", Some(text(&peg.parent).unwrap_or_else(|| "null".to_owned())));
    set(&mut fragment, "rest_pivot", peg.rest_pivot.map(|v| vector(&v.to_array())));
    set(&mut fragment, "rest_rotation", peg.rest_rotation.map(|v| vector(&v)));
    set(&mut fragment, "rig", text(&peg.rig));
    if peg.is_camera || fragment.get("is_camera").is_some() {
        set(&mut fragment, "is_camera", Some(peg.is_camera.to_string()));
    }
    let keys = peg.keyframes.iter().map(key_fragment).collect();
    fragment.set("keyframes", Some(Fragment::seq(keys)));
    fragment
}

/// What both kinds begin with, `fps` and the coordinate system left out.
pub(super) fn head(format: &str, header: &Header) -> Vec<(&'static str, Fragment)> {
    let mut entries = vec![
        ("format", Fragment::line(double_quoted(format))),
        ("version", Fragment::line(Header::VERSION.to_string())),
    ];
    if let Some(source) = &header.source {
        entries.push(("source", Fragment::line(double_quoted(source))));
    }
    entries
}

pub(super) fn system_fragment(system: &CoordinateSystem) -> Fragment {
    let written = CoordinateSystem::FIELDS.into_iter().zip(system.written());
    Fragment::map(
        written.filter_map(|(key, word)| Some((key, Fragment::line(double_quoted(word?))))),
    )
}

fn new_text(take: &Take) -> Fragment {
    let mut entries = head(ANM, &take.header);
    if let Some(range) = take.frame_range {
        entries.push(("frame_range", Fragment::line(vector(&range))));
    }
    if let Some(fps) = take.header.fps {
        entries.push(("fps", Fragment::line(number(fps))));
    }
    if let Some(system) = &take.header.coordinate_system {
        entries.push(("coordinate_system", system_fragment(system)));
    }
    let pegs = take.pegs.iter().map(|peg| peg_fragment(peg)).collect();
    entries.push(("pegs", Fragment::seq(pegs)));
    let cameras = take.cameras.iter().map(|camera| camera_fragment(camera)).collect();
    entries.push(("cameras", Fragment::seq(cameras)));
    Fragment::map(entries)
}

pub(super) fn camera_fragment(camera: &TakeCamera) -> Fragment {
    let mut fragment = base(camera.origin.as_ref());
    let text = |value: &Option<String>| value.as_ref().map(|text| double_quoted(text));
    let plain = |value: Option<f64>| value.map(number);
    let [x, y, z] = camera.offset.to_array();
    let [pivot_x, pivot_y] = camera.pivot.to_array();
    let fields = [
        ("name", text(&camera.name)),
        ("peg", text(&camera.peg)),
        ("path", text(&camera.path).filter(|path| path != "\"\"")),
        ("is_default", camera.is_default.map(|flag| flag.to_string())),
        ("fov", plain(camera.fov)),
        ("fov_axis", text(&camera.fov_axis)),
        ("override_fov", camera.override_fov.map(|flag| flag.to_string())),
        ("near_plane", plain(camera.near_plane)),
        ("far_plane", plain(camera.far_plane)),
        ("near_field", plain(camera.near_field)),
        ("far_field", plain(camera.far_field)),
        ("angle", Some(number(camera.angle))),
        ("offset_x", Some(number(x))),
        ("offset_y", Some(number(y))),
        ("offset_z", Some(number(z))),
        ("pivot_x", Some(number(pivot_x))),
        ("pivot_y", Some(number(pivot_y))),
        ("rig", text(&camera.rig).filter(|rig| rig != "\"\"")),
    ];
    for (key, value) in fields {
        set(&mut fragment, key, value);
    }
    fragment
}
