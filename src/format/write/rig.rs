//! Rigs to `.rig` texts, and the nodes of scenes back into their scenes.

use super::super::field;
use super::{Element, Fields, base_fragment, read_vector, set_line, spell_vector, write_list};
use crate::model::{Node, NodeKind, Origin, Rig, RigForm};
use crate::source::{Fragment, NodeId, Rewrite, Source, yaml_string};
use glam::DVec3;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The text of a rig: the text it was read from with what changed (M30), or a new text in the
/// shape of the format's own example (M31). Of a scene only its nodes and name are written (M9).
pub fn write_rig(rig: &Rig) -> String {
    let Some(origin) = &rig.origin else { return new_text(rig) };
    let source = &origin.source;
    let mut rewrite = Rewrite::new(source);
    let map = source.root();
    let mut fields = Fields::new(&mut rewrite, source, map);
    let list_key = match rig.form {
        RigForm::Rig => {
            fields.pass("format");
            fields.string("name", Some(&rig.name));
            "nodes"
        }
        RigForm::Scene => {
            let written = source.get(map, "animation_name").is_some();
            if written || rig.name != Rig::DEFAULT_SCENE_NAME {
                fields.string("animation_name", Some(&rig.name));
            }
            "entities"
        }
    };
    let as_read: HashSet<*const Node> = origin.nodes.iter().map(Arc::as_ptr).collect();
    match fields.pass(list_key) {
        Some((_, list)) => {
            let fixed = match rig.form {
                RigForm::Rig => HashSet::new(),
                RigForm::Scene => other_entities(source, list),
            };
            let nodes = rig.nodes.iter().map(|n| (&**n, as_read.contains(&Arc::as_ptr(n))));
            write_list(&mut rewrite, source, list, nodes, &fixed);
            follow_renames(&mut rewrite, source, &fixed, &rig.nodes);
        }
        None if rig.nodes.is_empty() => {}
        None => {
            let nodes = Fragment::seq(rig.nodes.iter().map(|n| n.fragment()).collect());
            fields.insert(list_key, &nodes);
        }
    }
    if rewrite.is_unchanged() { source.text().to_owned() } else { rewrite.finish() }
}

/// Gives entities that are no nodes, such as a light, the new ids of the nodes they hang below (M9).
fn follow_renames(
    rewrite: &mut Rewrite,
    source: &Source,
    others: &HashSet<NodeId>,
    nodes: &[Arc<Node>],
) {
    if others.is_empty() {
        return;
    }
    let text = |map, key| source.get(map, key).and_then(|node| field::string(source, node));
    let renamed: HashMap<String, &str> = nodes
        .iter()
        .filter_map(|node| {
            let origin = node.origin.as_ref()?;
            let own = origin.with_comments && std::ptr::eq(&*origin.source, source);
            let old = text(origin.node, "id").filter(|old| own && *old != node.id)?;
            Some((old, node.id.as_str()))
        })
        .collect();
    for item in others.iter().filter(|item| source.kind(**item).is_map()) {
        let Some((_, parent)) = source.entry(*item, "parent") else { continue };
        let new = field::string(source, parent).and_then(|old| renamed.get(&old).copied());
        if let Some(new) = new {
            rewrite.set_string(parent, new);
        }
    }
}

/// Entities of a scene that are no nodes: they stay where they are.
fn other_entities(source: &Source, list: NodeId) -> HashSet<NodeId> {
    let is_entity = |item: &NodeId| {
        let kind = source.get(source.resolve(*item), "kind");
        kind.and_then(|n| field::string(source, n)).as_deref() == Some(NodeKind::Entity.as_str())
    };
    source.items(list).filter(|item| !is_entity(item)).collect()
}

fn new_text(rig: &Rig) -> String {
    let nodes = Fragment::seq(rig.nodes.iter().map(|n| n.fragment()).collect());
    match rig.form {
        RigForm::Rig => format!("name: {}\n{}", yaml_string(&rig.name), nodes.new_entry("nodes")),
        RigForm::Scene => {
            let name = yaml_string(&rig.name);
            format!("animation_name: {name}\n{}", nodes.new_entry("entities"))
        }
    }
}

impl Element for Node {
    fn origin(&self) -> Option<&Origin> {
        self.origin.as_ref()
    }

    fn patch<'s>(&self, rewrite: &mut Rewrite<'s>, source: &'s Source, map: NodeId) {
        let mut fields = Fields::new(rewrite, source, map);
        fields.string("id", Some(&self.id));
        // A scene's entities have names of their own, which are no display names (M9): the model
        // holds none for them, and theirs stay.
        if self.name.is_some() || !is_scene(source) {
            fields.string("name", self.name.as_deref());
        } else {
            fields.pass("name");
        }
        fields.string("kind", Some(self.kind.as_str()));
        fields.string("parent", self.parent.as_deref());
        fields.string("model", self.model.as_deref());
        fields.vector("position", self.position, Some(DVec3::ZERO));
        fields.vector("rotation", self.rotation, Some(DVec3::ZERO));
        fields.vector("scale", self.scale, Some(DVec3::ONE));
    }

    fn reads_alike(&self, source: &Source, map: NodeId) -> bool {
        let text = |key| source.get(map, key).and_then(|n| field::string(source, n));
        let rest = |key, default| match source.get(map, key) {
            Some(node) if !field::is_null(source, node) => read_vector(source, node),
            _ => Some(default),
        };
        text("id").as_deref() == Some(&self.id)
            && (is_scene(source) || text("name") == self.name)
            && text("kind").as_deref() == Some(self.kind.as_str())
            && text("parent") == self.parent
            && text("model") == self.model
            && rest("position", DVec3::ZERO) == Some(self.position)
            && rest("rotation", DVec3::ZERO) == Some(self.rotation)
            && rest("scale", DVec3::ONE) == Some(self.scale)
    }

    fn fragment(&self) -> Fragment {
        let origin = self.origin.as_ref();
        let mut fragment = base_fragment(origin);
        let kind = Some(self.kind.as_str().to_owned());
        set_line(&mut fragment, origin, "id", Some(&self.id), field::string, |t| yaml_string(t));
        if self.name.is_some() || !origin.is_some_and(|o| is_scene(&o.source)) {
            set_line(&mut fragment, origin, "name", self.name.as_ref(), field::string, |t| {
                yaml_string(t)
            });
        }
        set_line(&mut fragment, origin, "kind", kind.as_ref(), field::string, String::clone);
        let parent = self.parent.as_ref();
        set_line(&mut fragment, origin, "parent", parent, field::string, |t| yaml_string(t));
        let model = self.model.as_ref();
        set_line(&mut fragment, origin, "model", model, field::string, |t| yaml_string(t));
        let rests = [
            ("position", self.position, DVec3::ZERO),
            ("rotation", self.rotation, DVec3::ZERO),
            ("scale", self.scale, DVec3::ONE),
        ];
        for (key, value, default) in rests {
            if value == default && fragment.get(key).is_none() {
                continue;
            }
            set_line(&mut fragment, origin, key, Some(&value), read_vector, spell_vector);
        }
        fragment
    }
}

fn is_scene(source: &Source) -> bool {
    source.entry(source.root(), "entities").is_some()
        && source.entry(source.root(), "nodes").is_none()
}
