//! A scene read as a rig (M9).

use super::log::{Log, Phase};
use super::rig::{Read, Reader, node_list};
use super::{Reading, codes, field};
use crate::model::{Rig, RigForm, Uids, messages};
use crate::source::{NodeId, Source};
use std::sync::Arc;

pub(super) fn read(source: &Arc<Source>, uids: &mut Uids) -> Reading<Rig> {
    read_all(source, uids).strictly()
}

pub(super) fn read_all(source: &Arc<Source>, uids: &mut Uids) -> Read {
    let mut log = Log::new(source);
    log.duplicates();
    let root = source.root();
    log.tag_suits(Phase::Version, root, String::new);
    let name = name(&mut log, root);
    let list = node_list(&mut log, root, "entities");
    let mut reader = Reader::new(source, uids, log, RigForm::Scene);
    if let Some(list) = list {
        let entities =
            || source.items(list.node).enumerate().filter(|(_, item)| is_entity(source, *item));
        reader.count(entities().count(), list.at);
        for (index, item) in entities() {
            reader.node(item, index, list.own);
        }
    }
    reader.finish(name)
}

/// The entities of a scene that are no nodes and hang below one: its id, and what hangs there.
pub fn hanging_below(source: &Source) -> Vec<(String, String)> {
    let list = source.get(source.root(), "entities");
    let others = list.into_iter().flat_map(|list| source.items(list));
    let others = others.filter(|item| !is_entity(source, *item));
    let named = |item: NodeId| {
        let map = source.resolve(item);
        let text = |key| source.get(map, key).and_then(|node| field::string(source, node));
        let who = text("id").or_else(|| text("name")).or_else(|| text("kind"));
        Some((text("parent")?, who.unwrap_or_else(|| "an entity".to_owned())))
    };
    others.filter_map(named).collect()
}

/// Whether an item of `entities` is one of the nodes.
pub(super) fn is_entity(source: &Source, item: NodeId) -> bool {
    let kind = source.get(source.resolve(item), "kind");
    kind.and_then(|kind| field::string(source, kind)).is_some_and(|kind| kind == "entity")
}

/// `animation_name`, or its default.
fn name(log: &mut Log, root: NodeId) -> Option<String> {
    let default = || Some(Rig::DEFAULT_SCENE_NAME.to_owned());
    let Some((_, at)) = log.source.entry(root, "animation_name") else { return default() };
    let path = || "animation_name".to_owned();
    if !log.tag_suits(Phase::Body, at, path) {
        return None;
    }
    if field::is_null(log.source, at) {
        return default();
    }
    let name = field::string(log.source, at);
    if name.is_none() {
        let span = log.at(at);
        let message = messages::must_be_text("animation_name");
        log.error(Phase::Body, codes::WRONG_TYPE, message, path(), span);
    }
    name
}
