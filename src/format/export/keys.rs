//! A list of keyframes, read in one pass over its text.

use crate::model::Uid;
use crate::model::take::{AxisHandles, Channel, ChannelHandles, Handles, Interp, Keyframe};
use crate::progress::Progress;
use crate::source::json::Stop;
use crate::source::scan::{Scan, unescape};
use glam::{DVec2, DVec3};
use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

/// The fields of a key that the format has, in its order.
pub(in crate::format) const KEY_FIELDS: [&str; 7] =
    ["frame", "pos", "rot", "rot_quat", "scl", "interp", "handles"];

/// So many notes of one list are kept; a list that is wrong throughout needs no more.
const MAX_NOTES: usize = 200;

/// What a list of keyframes says.
#[derive(Debug, Default)]
pub(in crate::format) struct KeyList {
    /// One for each item, in file order; identities and origins are given later.
    pub keys: Vec<Keyframe>,
    /// What is wrong, in file order.
    pub notes: Vec<KeyNote>,
    /// Notes that were not kept.
    pub more_notes: usize,
    /// Unknown fields, each once with its first place.
    pub unknown: Vec<(String, Range<usize>)>,
}

/// Something odd about a key.
#[derive(Debug)]
pub(in crate::format) struct KeyNote {
    /// Which key of the list.
    pub item: usize,
    pub fault: Fault,
    pub span: Range<usize>,
}

/// What is odd about a key's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::format) enum Fault {
    NotObject,
    NoFrame,
    BadFrame,
    /// A list of so many numbers was expected.
    NotNumbers(&'static str, usize),
    NotText(&'static str),
    /// Handles of a wrong shape: of a channel, or all of them.
    Handles(Option<Channel>),
    Repeated(String),
}

/// Reads a list at its `[`: keys, and the span of each item.
pub(super) fn read_list(
    scan: &mut Scan,
    span: Range<usize>,
    spans: &mut Vec<Range<u32>>,
    progress: &Progress,
) -> Result<KeyList, Stop> {
    let mut list = KeyList::default();
    let mut reader = Reader::default();
    let mut reported = scan.at;
    let mut first = true;
    scan.open()?;
    while scan.item(first)? {
        first = false;
        let start = scan.at;
        let item = list.keys.len();
        reader.read(scan, item, &mut list)?;
        spans.push(start as u32..scan.at as u32);
        match item {
            // What the rest will need, going by the first ones.
            15 => {
                let each = (scan.at - span.start) / 16;
                let estimate = (span.end - scan.at) / each.max(16) + 2;
                list.keys.reserve_exact(estimate);
                spans.reserve_exact(estimate);
            }
            _ if item % 256 == 0 => {
                if progress.is_cancelled() {
                    return Err(Stop::Cancelled);
                }
                progress.advance(scan.at - reported);
                reported = scan.at;
            }
            _ => {}
        }
    }
    progress.advance(scan.at - reported);
    if list.keys.capacity() > list.keys.len() + list.keys.len() / 8 {
        list.keys.shrink_to_fit();
    }
    Ok(list)
}

/// What is used again from key to key.
#[derive(Default)]
struct Reader<'t> {
    /// Unknown fields of the key at hand.
    own_unknown: HashSet<Cow<'t, str>>,
    unknown: HashSet<Cow<'t, str>>,
}

impl KeyList {
    #[cold]
    fn note(&mut self, item: usize, fault: Fault, span: Range<usize>) {
        if self.notes.len() < MAX_NOTES {
            self.notes.push(KeyNote { item, fault, span });
        } else {
            self.more_notes += 1;
        }
    }
}

impl<'t> Reader<'t> {
    fn read(&mut self, scan: &mut Scan<'t>, item: usize, list: &mut KeyList) -> Result<(), Stop> {
        let start = scan.at;
        let mut key = Keyframe {
            uid: Uid(0),
            interp: None,
            frame: 0.0,
            pos: None,
            rot: None,
            rot_quat: None,
            scl: None,
            handles: None,
            origin: None,
        };
        if scan.peek() != Some(b'{') {
            scan.skip_value()?;
            list.note(item, Fault::NotObject, start..scan.at);
            list.keys.push(key);
            return Ok(());
        }
        scan.open()?;
        let (mut first, mut has_frame) = (true, false);
        let mut seen = 0_u8;
        while let Some(name) = scan.key(first)? {
            first = false;
            let text = scan.text();
            let inner = &text[name.inner.clone()];
            let decoded = if name.escaped { Cow::Owned(unescape(inner)) } else { inner.into() };
            let at = scan.at;
            let vector = |scan: &mut Scan, field: &'static str, list: &mut KeyList| {
                let found = scan.numbers::<3>()?;
                if found.is_none() && !is_null(text, at..scan.at) {
                    list.note(item, Fault::NotNumbers(field, 3), at..scan.at);
                }
                Ok::<_, Stop>(found.map(DVec3::from_array))
            };
            let known = match &*decoded {
                "frame" => {
                    has_frame = true;
                    match scan.peek() {
                        Some(b'-' | b'0'..=b'9') => key.frame = scan.number()?,
                        _ => {
                            scan.skip_value()?;
                            match is_null(text, at..scan.at) {
                                true => has_frame = false,
                                false => list.note(item, Fault::BadFrame, at..scan.at),
                            }
                        }
                    }
                    0
                }
                "pos" => {
                    key.pos = vector(scan, "pos", list)?;
                    1
                }
                "rot" => {
                    key.rot = vector(scan, "rot", list)?;
                    2
                }
                "scl" => {
                    key.scl = vector(scan, "scl", list)?;
                    3
                }
                "rot_quat" => {
                    key.rot_quat = scan.numbers::<4>()?;
                    if key.rot_quat.is_none() && !is_null(text, at..scan.at) {
                        list.note(item, Fault::NotNumbers("rot_quat", 4), at..scan.at);
                    }
                    4
                }
                "interp" => {
                    key.interp = None;
                    if scan.peek() == Some(b'"') {
                        let word = scan.string("a string")?;
                        let inner = &text[word.inner];
                        key.interp = Some(match word.escaped {
                            true => Interp::from_word(&unescape(inner)),
                            false => Interp::from_word(inner),
                        });
                    } else {
                        scan.skip_value()?;
                        if !is_null(text, at..scan.at) {
                            list.note(item, Fault::NotText("interp"), at..scan.at);
                        }
                    }
                    5
                }
                "handles" => {
                    key.handles = self.handles(scan, item, list)?;
                    6
                }
                _ => {
                    scan.skip_value()?;
                    if !self.own_unknown.insert(decoded.clone()) {
                        list.note(item, Fault::Repeated(decoded.to_string()), name.span());
                    }
                    self.meet_unknown(decoded, name.span(), list);
                    continue;
                }
            };
            if seen & 1 << known != 0 {
                list.note(item, Fault::Repeated(decoded.to_string()), name.span());
            }
            seen |= 1 << known;
        }
        if !self.own_unknown.is_empty() {
            self.own_unknown.clear();
        }
        if !has_frame {
            list.note(item, Fault::NoFrame, start..scan.at);
        }
        list.keys.push(key);
        Ok(())
    }

    fn meet_unknown(&mut self, name: Cow<'t, str>, span: Range<usize>, list: &mut KeyList) {
        if list.unknown.len() < MAX_NOTES && !self.unknown.contains(&name) {
            list.unknown.push((name.to_string(), span));
            self.unknown.insert(name);
        }
    }

    fn handles(
        &mut self,
        scan: &mut Scan<'t>,
        item: usize,
        list: &mut KeyList,
    ) -> Result<Option<Box<Handles>>, Stop> {
        let (text, start) = (scan.text(), scan.at);
        if scan.peek() != Some(b'{') {
            scan.skip_value()?;
            if !is_null(text, start..scan.at) {
                list.note(item, Fault::Handles(None), start..scan.at);
            }
            return Ok(None);
        }
        scan.open()?;
        let mut handles = Handles::default();
        let mut first = true;
        let mut seen: Vec<Channel> = Vec::new();
        while let Some(name) = scan.key(first)? {
            first = false;
            let inner = &text[name.inner.clone()];
            let decoded = if name.escaped { Cow::Owned(unescape(inner)) } else { inner.into() };
            let at = scan.at;
            let channel = Channel::ALL.into_iter().find(|channel| channel.as_str() == decoded);
            let Some(channel) = channel else {
                scan.skip_value()?;
                let path = Cow::Owned(format!("handles.{decoded}"));
                self.meet_unknown(path, name.span(), list);
                continue;
            };
            let before = (scan.at, scan.depth);
            *handles.channel_mut(channel) = match channel_handles(scan)? {
                Shape::Handles(handles) => Some(handles),
                Shape::None => None,
                Shape::Odd => {
                    (scan.at, scan.depth) = before;
                    scan.skip_value()?;
                    list.note(item, Fault::Handles(Some(channel)), at..scan.at);
                    None
                }
            };
            if seen.contains(&channel) {
                let path = format!("handles.{}", channel.as_str());
                list.note(item, Fault::Repeated(path), name.span());
            }
            seen.push(channel);
        }
        Ok((!handles.is_empty()).then(|| Box::new(handles)))
    }
}

fn is_null(text: &str, span: Range<usize>) -> bool {
    text.as_bytes().get(span.start) == Some(&b'n')
}

enum Shape {
    None,
    Handles(ChannelHandles),
    /// Anything else; the place is somewhere inside.
    Odd,
}

/// `[]`, null, or three axes of `[[left_x, left_y], [right_x, right_y]]` or null (A11).
fn channel_handles(scan: &mut Scan) -> Result<Shape, Stop> {
    match scan.peek() {
        Some(b'n') => {
            scan.plain()?;
            return Ok(Shape::None);
        }
        Some(b'[') => scan.open()?,
        _ => return Ok(Shape::Odd),
    }
    let mut axes: ChannelHandles = [None; 3];
    for (at, axis) in axes.iter_mut().enumerate() {
        if !scan.item(at == 0)? {
            return Ok(if at == 0 { Shape::None } else { Shape::Odd });
        }
        match scan.peek() {
            Some(b'n') => {
                scan.plain()?;
            }
            Some(b'[') => {
                scan.open()?;
                let mut pair = [DVec2::ZERO; 2];
                for (side, point) in pair.iter_mut().enumerate() {
                    let found = match scan.item(side == 0)? {
                        true => scan.numbers::<2>()?,
                        false => None,
                    };
                    let Some(numbers) = found else { return Ok(Shape::Odd) };
                    *point = DVec2::from_array(numbers);
                }
                if scan.item(false)? {
                    return Ok(Shape::Odd);
                }
                let [left, right] = pair;
                *axis = Some(AxisHandles { left, right });
            }
            _ => return Ok(Shape::Odd),
        }
    }
    Ok(if scan.item(false)? { Shape::Odd } else { Shape::Handles(axes) })
}
