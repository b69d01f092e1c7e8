//! Repairs of a track's list of keys: doubled keys are dropped first, then the rest is sorted.

use super::{comments_above, has_comments, is_blank, line_end, line_start, next_line};
use crate::diagnostic::{Fix, TextEdit};
use crate::format::field;
use crate::source::{Item, Kind, NodeId, Rewrite, Source};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// What is to be done about the keys of one track, found out once for all of them.
pub(in crate::format) struct KeyRepairs<'a> {
    source: &'a Source,
    list: NodeId,
    duration_secs: Option<f64>,
    items: Vec<NodeId>,
    /// Keys that say nothing but what another one says.
    doubled: HashSet<usize>,
    /// Where the items stand, where each has its lines for itself; of a block list only.
    places: Option<Vec<BlockPlace>>,
    /// Whether the step for the whole list was given away.
    given: bool,
}

/// Where an item of a block list stands.
struct BlockPlace {
    /// Its lines with the comments right above and beside it, without the last line break.
    content: Range<usize>,
    /// Its last line break; empty at the end of a text that has none.
    line_break: Range<usize>,
    /// The block scalar that it ends in, if it does.
    block: Option<NodeId>,
}

impl<'a> KeyRepairs<'a> {
    /// Looks at a list of keys; `duration_secs` is the clip's length, where that is good.
    pub fn new(source: &'a Source, list: NodeId, duration_secs: Option<f64>) -> Self {
        let items: Vec<NodeId> = source.items(list).collect();
        let places = match source.kind(list) {
            Kind::BlockSeq => block_places(source, list, &items),
            _ => None,
        };
        let commented = |index: usize| {
            let place = places.as_ref().and_then(|places| places.get(index));
            place.is_some_and(|place| has_comments(source, &place.content))
        };
        let doubled = doubled(source, &items, commented);
        KeyRepairs { source, list, duration_secs, items, doubled, places, given: false }
    }

    /// The next step at a key that is out of order. At the track's first one all keys go that
    /// say nothing new, or where there are none the keys are sorted; at any other one only the
    /// key itself goes, where it is such a key.
    pub fn at(&mut self, index: usize) -> Option<Fix> {
        if self.given {
            let mine = self.doubled.contains(&index).then(|| HashSet::from([index]))?;
            return self.drop_keys(&mine, "Delete the doubled key");
        }
        self.given = true;
        match self.doubled.len() {
            0 => self.sort(),
            1 => self.drop_keys(&self.doubled, "Delete the doubled key"),
            _ => self.drop_keys(&self.doubled, "Delete the doubled keys"),
        }
    }

    fn drop_keys(&self, gone: &HashSet<usize>, title: &str) -> Option<Fix> {
        let edits = match &self.places {
            Some(places) => self.cut_lines(places, gone),
            None if self.source.kind(self.list).is_flow() => {
                let kept = (0..self.items.len()).filter(|index| !gone.contains(index));
                vec![self.arranged(kept)?]
            }
            None => return None,
        };
        Some(Fix { title: title.to_owned(), edits })
    }

    fn cut_lines(&self, places: &[BlockPlace], gone: &HashSet<usize>) -> Vec<TextEdit> {
        let text = self.source.text();
        let mut gone: Vec<usize> = gone.iter().copied().collect();
        gone.sort_unstable();
        let mut edits: Vec<TextEdit> = Vec::with_capacity(gone.len());
        for index in &gone {
            let place = &places[*index];
            let span = place.content.start..place.line_break.end;
            match edits.last_mut().filter(|last| last.span.end == span.start) {
                Some(last) => last.span.end = span.end,
                None => edits.push(TextEdit { span, text: String::new() }),
            }
        }
        // The last line of a file that has no last line break takes the one before it, unless
        // that is part of a value.
        if places.last().is_some_and(|place| place.line_break.is_empty())
            && gone.last() == Some(&(places.len() - 1))
            && let Some(last) = edits.last_mut()
        {
            let before = places.iter().find(|place| place.line_break.end == last.span.start);
            if before.is_none_or(|place| place.block.is_none()) {
                let head = &text[..last.span.start];
                last.span.start = head
                    .strip_suffix("\r\n")
                    .or_else(|| head.strip_suffix(['\n', '\r']))
                    .map_or(last.span.start, str::len);
            }
        }
        edits
    }

    /// Sorts the keys by time, where they are distinct and all in the clip.
    fn sort(&self) -> Option<Fix> {
        let (source, list) = (self.source, self.list);
        let span = source.span(list);
        let anchored = source.has_anchors() && source.anchor_within(&span);
        if source.full_span(list) != span || anchored {
            return None;
        }
        let end = self.duration_secs?;
        let mut order = Vec::with_capacity(self.items.len());
        for (index, item) in self.items.iter().enumerate() {
            let time = source.get(source.resolve(*item), "time")?;
            let time = field::number(source, time).filter(|t| (0.0..=end).contains(t))?;
            order.push((time, index));
        }
        order.sort_by(|a, b| a.0.total_cmp(&b.0));
        if order.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return None;
        }
        let order = order.into_iter().map(|(_, index)| index);
        let edits = if let Some(places) = &self.places {
            self.moved_lines(places, order)
        } else if !source.kind(list).is_flow() {
            return None;
        } else if has_comments(source, &span) {
            vec![self.arranged(order)?]
        } else {
            self.moved_flow(order)
        };
        Some(Fix { title: "Sort the keys".to_owned(), edits })
    }

    /// Every item goes to the lines of the one whose place it takes; what stands between them
    /// stays.
    fn moved_lines(
        &self,
        places: &[BlockPlace],
        order: impl Iterator<Item = usize>,
    ) -> Vec<TextEdit> {
        let source = self.source;
        let mut edits = Vec::new();
        for (slot, from) in order.enumerate().filter(|(slot, from)| slot != from) {
            let (to, from) = (&places[slot], &places[from]);
            let mut text = source.text()[from.content.clone()].to_owned();
            if let Some(block) = from.block {
                // The last line break of a block scalar is part of its value.
                if from.line_break.is_empty() {
                    source.strip_line_break(block, from.content.start, &mut text);
                } else if to.line_break.is_empty() {
                    text.push_str(&source.text()[from.line_break.clone()]);
                }
            }
            edits.push(TextEdit { span: to.content.clone(), text });
        }
        edits
    }

    fn moved_flow(&self, order: impl Iterator<Item = usize>) -> Vec<TextEdit> {
        let span = |index: usize| self.source.full_span(self.items[index]);
        let moved = order.enumerate().filter(|(slot, from)| slot != from);
        let text = |from: usize| self.source.text()[span(from)].to_owned();
        moved.map(|(slot, from)| TextEdit { span: span(slot), text: text(from) }).collect()
    }

    /// The list with these items in this order, comments with their items.
    fn arranged(&self, order: impl Iterator<Item = usize>) -> Option<TextEdit> {
        let items: Vec<Item> = order.map(|index| Item::Keep(self.items[index])).collect();
        let mut rewrite = Rewrite::new(self.source);
        rewrite.arrange(self.list, &items, &HashSet::new());
        let (span, text) = rewrite.only_patch()?;
        Some(TextEdit { span, text })
    }
}

/// Deletes an item of a list with its lines and the comments right above them. The only item of a
/// list is not deleted, nor one that an alias may want.
pub(in crate::format) fn delete_item(
    source: &Source,
    list: NodeId,
    index: usize,
) -> Option<Vec<TextEdit>> {
    let items: Vec<NodeId> = source.items(list).collect();
    let span = source.full_span(*items.get(index)?);
    let anchored = source.has_anchors() && source.anchor_within(&span);
    if items.len() < 2 || anchored {
        return None;
    }
    let places = match source.kind(list) {
        Kind::BlockSeq => block_places(source, list, &items),
        _ => None,
    };
    let doubled = HashSet::new();
    let list =
        KeyRepairs { source, list, duration_secs: None, items, doubled, places, given: true };
    list.drop_keys(&HashSet::from([index]), "").map(|fix| fix.edits)
}

/// The keys that may go: each has the time and value of another one that stays, and nothing else
/// but what that one has too. Of equals the first stays that has comments.
fn doubled(source: &Source, items: &[NodeId], commented: impl Fn(usize) -> bool) -> HashSet<usize> {
    let mut groups: HashMap<[u64; 4], Vec<usize>> = HashMap::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        if let Some(content) = key_content(source, *item) {
            // 0 and -0 are one number.
            groups.entry(content.map(|x| (x + 0.0).to_bits())).or_default().push(index);
        }
    }
    groups.retain(|_, group| group.len() > 1);
    if groups.is_empty() {
        return HashSet::new();
    }
    let mut anchors: Vec<usize> =
        source.anchors.values().map(|anchor| anchor.span.start as usize).collect();
    anchors.sort_unstable();
    let mut doubled = HashSet::new();
    for group in groups.into_values() {
        // An alias may want what is named by an anchor there.
        let has_anchor = |index: usize| {
            let span = source.full_span(items[index]);
            let next = anchors.partition_point(|start| *start < span.start);
            anchors.get(next).is_some_and(|start| *start < span.end)
        };
        let stays = |index: &usize| has_anchor(*index) || !is_plain(source, items[*index]);
        let mut all = group.iter().copied();
        let keeper = all.clone().find(stays).or_else(|| all.find(|index| commented(*index)));
        let keeper = keeper.unwrap_or(group[0]);
        let raw = |index: usize| source.raw(source.resolve(items[index]));
        let mut kept = HashSet::from([raw(keeper)]);
        for index in group.into_iter().filter(|index| *index != keeper) {
            let adds_nothing = is_plain(source, items[index]) || kept.contains(raw(index));
            if adds_nothing && !has_anchor(index) {
                doubled.insert(index);
            } else {
                kept.insert(raw(index));
            }
        }
    }
    doubled
}

/// A key's time and value, where both are good numbers.
fn key_content(source: &Source, item: NodeId) -> Option<[f64; 4]> {
    let map = source.resolve(item);
    let time = field::number(source, source.get(map, "time")?)?;
    let [x, y, z] = field::vector::<3>(source, source.get(map, "value")?)?;
    Some([time, x, y, z])
}

/// Whether a key has no field but its time and value.
fn is_plain(source: &Source, item: NodeId) -> bool {
    let known =
        |key: NodeId| source.scalar(key).is_some_and(|name| matches!(&*name, "time" | "value"));
    source.entries(source.resolve(item)).all(|(key, _)| known(key))
}

/// The places of all items of a block list, where each has its lines for itself.
fn block_places(source: &Source, list: NodeId, items: &[NodeId]) -> Option<Vec<BlockPlace>> {
    let text = source.text();
    let mut places = Vec::with_capacity(items.len());
    let mut end = source.span(list).start;
    // The first line that no item before has.
    let first = line_start(text, end);
    let mut free = comments_above(text, first, 0);
    for item in items {
        let dash = skip_to_dash(text, end)?;
        let line = line_start(text, dash);
        if !is_blank(text.get(line..dash)?) {
            return None;
        }
        end = source.full_span(*item).end.max(source.span(*item).end).max(dash + 1);
        let block = source.block_scalar_at_end(*item);
        let stop = line_end(text, end);
        let rest = text[end..stop].trim_start_matches([' ', '\t']);
        if !(rest.is_empty() || rest.starts_with('#')) {
            return None;
        }
        let line_break = stop..next_line(text, stop);
        places.push(BlockPlace {
            content: comments_above(text, line, free)..stop,
            line_break: line_break.clone(),
            block,
        });
        free = line_break.end;
        end = stop;
    }
    Some(places)
}

/// From `from` over white space, line breaks and comments to a dash.
fn skip_to_dash(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = from;
    loop {
        match bytes.get(at)? {
            b' ' | b'\t' | b'\n' | b'\r' => at += 1,
            b'#' => at = line_end(text, at),
            b'-' => return Some(at),
            _ => return None,
        }
    }
}
