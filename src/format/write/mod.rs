//! Models to texts: what was read and is still the same keeps its bytes (M30), what is new looks
//! like the file around it (M31).
//!
//! Writing is a pure function of the value. An element that has its origin in the text that the
//! document was read from is patched where it stands (or copied to where it stands now); an
//! element from anywhere else is spelled anew, unknown fields included.

mod clip;
mod rig;
mod skeleton;
mod take;

pub use clip::write_clip;
pub use rig::write_rig;
pub use skeleton::write_skeleton;
pub use take::{write_take, write_take_shared};

use super::field;
use crate::model::Origin;
use crate::source::{
    Fragment, Item, Kind, NodeId, Rewrite, Source, Syntax, double_quoted, number, vector,
    yaml_string,
};
use glam::DVec3;
use std::collections::HashMap;

/// Writes the known fields of one mapping, each only where it differs from what stands there.
struct Fields<'r, 's> {
    rewrite: &'r mut Rewrite<'s>,
    source: &'s Source,
    map: NodeId,
    /// The entry behind which a new field goes: the last known one before it in the format's
    /// order.
    after: Option<NodeId>,
}

impl<'r, 's> Fields<'r, 's> {
    fn new(rewrite: &'r mut Rewrite<'s>, source: &'s Source, map: NodeId) -> Self {
        Fields { rewrite, source, map, after: None }
    }

    /// The entry of a key, remembered as the one behind which the next new field goes.
    fn pass(&mut self, key: &str) -> Option<(NodeId, NodeId)> {
        let entry = self.source.entry(self.map, key);
        if let Some((key, _)) = entry {
            self.after = Some(key);
        }
        entry
    }

    fn insert(&mut self, key: &str, value: &Fragment) {
        self.rewrite.insert_entry(self.map, self.after, key, value);
    }

    fn remove(&mut self, key: &str) {
        if let Some((key, _)) = self.source.entry(self.map, key) {
            self.rewrite.remove_entry(self.map, key);
        }
    }

    /// A string field; `None` takes it out.
    fn string(&mut self, key: &str, value: Option<&str>) {
        let entry = self.source.entry(self.map, key);
        let found = entry.and_then(|(_, node)| field::string(self.source, node));
        if found.as_deref() == value {
            self.pass(key);
            return;
        }
        match (self.source.entry(self.map, key), value) {
            (Some((_, node)), Some(value)) => {
                self.rewrite.set_string(node, value);
                self.pass(key);
            }
            (Some(_), None) => self.remove(key),
            (None, Some(value)) => {
                let text = match self.source.syntax() {
                    Syntax::Json => double_quoted(value),
                    Syntax::Yaml => yaml_string(value),
                };
                self.insert(key, &Fragment::line(text));
            }
            (None, None) => {}
        }
    }

    /// A field of one line that is compared by what was read from it; `default` is what its
    /// absence means.
    fn value<T: PartialEq>(
        &mut self,
        key: &str,
        value: T,
        default: Option<T>,
        read: impl Fn(&Source, NodeId) -> Option<T>,
        spell: impl Fn(&T) -> String,
    ) {
        match self.pass(key) {
            Some((_, node)) => {
                let found = match field::is_null(self.source, node) {
                    true => default,
                    false => read(self.source, node),
                };
                if found.as_ref() != Some(&value) {
                    self.rewrite.set(node, &spell(&value));
                }
            }
            None if default.as_ref() == Some(&value) => {}
            None => self.insert(key, &Fragment::line(spell(&value))),
        }
    }

    /// A vector: where one number of it differs, that number alone is replaced.
    fn vector(&mut self, key: &str, value: DVec3, default: Option<DVec3>) {
        if let Some((_, node)) = self.source.entry(self.map, key)
            && set_numbers(self.rewrite, self.source, node, &value.to_array())
        {
            self.pass(key);
            return;
        }
        self.value(
            key,
            value,
            default,
            |source, node| field::vector(source, node).map(DVec3::from_array),
            |v| vector(&v.to_array()),
        );
    }
}

/// Replaces those numbers of a flow list that differ. False where it is no such list.
fn set_numbers(rewrite: &mut Rewrite, source: &Source, node: NodeId, values: &[f64]) -> bool {
    if source.kind(node) != Kind::FlowSeq || source.items(node).count() != values.len() {
        return false;
    }
    let found: Vec<Option<f64>> = source.items(node).map(|i| field::number(source, i)).collect();
    if found.iter().any(Option::is_none) {
        return false;
    }
    for ((item, found), value) in source.items(node).zip(found).zip(values) {
        if found != Some(*value) {
            rewrite.set(item, &number(*value));
        }
    }
    true
}

/// What writing needs to know of an element of a list.
trait Element {
    fn origin(&self) -> Option<&Origin>;
    /// Patches the mapping that the element was read from.
    fn patch<'s>(&self, rewrite: &mut Rewrite<'s>, source: &'s Source, map: NodeId);
    /// Whether the mapping reads as this element.
    fn reads_alike(&self, source: &Source, map: NodeId) -> bool;
    /// The element anew, with the unknown fields and (if it owns them) comments of its origin.
    fn fragment(&self) -> Fragment;
}

/// Brings a list into the order of `elements` and patches each that stays.
///
/// `list` is the entry's value, which may be an alias. `same` tells of an element that it is the
/// very value that was read, so that nobody need look inside.
fn write_list<'s, 'e, E: Element + 'e>(
    rewrite: &mut Rewrite<'s>,
    source: &'s Source,
    list: NodeId,
    elements: impl Iterator<Item = (&'e E, bool)> + Clone,
    fixed: &std::collections::HashSet<NodeId>,
) {
    let resolved = source.resolve(list);
    let own: HashMap<NodeId, NodeId> = match list == resolved {
        true => {
            source.items(list).filter(|i| source.kind(*i) != Kind::Alias).map(|i| (i, i)).collect()
        }
        false => HashMap::new(),
    };
    // Items that are aliases, by what they stand for; each serves once.
    let mut aliased: HashMap<NodeId, Vec<NodeId>> = HashMap::new();
    if list == resolved {
        for item in source.items(list).filter(|i| source.kind(*i) == Kind::Alias) {
            aliased.entry(source.resolve(item)).or_default().insert(0, item);
        }
    } else {
        let unchanged = source.items(resolved).count() == elements.clone().count()
            && source
                .items(resolved)
                .zip(elements.clone())
                .all(|(item, (e, _))| e.reads_alike(source, source.resolve(item)));
        if unchanged {
            return;
        }
    }
    let mut items = Vec::new();
    let mut used = std::collections::HashSet::new();
    for (element, same) in elements {
        let origin = element.origin().filter(|o| std::ptr::eq(&*o.source, source));
        let kept = origin.and_then(|o| match o.with_comments {
            true => own.get(&o.node).copied().filter(|item| used.insert(*item)),
            false => {
                let waiting = aliased.get_mut(&o.node)?;
                element.reads_alike(source, o.node).then(|| waiting.pop()).flatten()
            }
        });
        match kept {
            Some(item) => {
                if !same && source.kind(item) != Kind::Alias {
                    element.patch(rewrite, source, item);
                }
                items.push(Item::Keep(item));
            }
            None => items.push(Item::New(element.fragment())),
        }
    }
    rewrite.arrange(list, &items, fixed);
}

/// The element's origin spelled as a fragment, or an empty mapping for a new one.
fn base_fragment(origin: Option<&Origin>) -> Fragment {
    match origin {
        Some(o) => Fragment::element(&o.source, o.node, o.with_comments),
        None => Fragment::map::<String>([]),
    }
}

/// Sets a field of a fragment unless what the origin reads there is already this value.
fn set_line<T: PartialEq>(
    fragment: &mut Fragment,
    origin: Option<&Origin>,
    key: &str,
    value: Option<&T>,
    read: impl Fn(&Source, NodeId) -> Option<T>,
    spell: impl Fn(&T) -> String,
) {
    let found = origin.and_then(|o| o.source.get(o.node, key).and_then(|n| read(&o.source, n)));
    if found.as_ref() != value {
        fragment.set(key, value.map(|v| Fragment::line(spell(v))));
    }
}

fn read_vector(source: &Source, node: NodeId) -> Option<DVec3> {
    field::vector(source, node).map(DVec3::from_array)
}

fn spell_vector(value: &DVec3) -> String {
    vector(&value.to_array())
}
