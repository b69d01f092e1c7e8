//! `.rig` text to a rig (M8), and the nodes that scenes have alike.

use super::log::{Log, Phase};
use super::motion::in_range;
use super::{Reading, codes, field, hierarchy, repair, version};
use crate::diagnostic::Problem;
use crate::math::quat_from_euler;
use crate::model::limits::MAX_NODES;
use crate::model::{Node, NodeKind, Origin, Rig, RigForm, RigOrigin, Uids, messages};
use crate::source::{Kind, NodeId, Source};
use glam::{DQuat, DVec3};
use std::sync::Arc;

pub(super) fn read(source: &Arc<Source>, uids: &mut Uids) -> Reading<Rig> {
    read_all(source, uids).strictly()
}

/// A rig as far as the model can hold it.
pub(super) struct Read {
    /// The rig, also where it breaks limits that a later change may put right.
    pub loosely: Option<Rig>,
    /// Whether an error stands in its way.
    fatal: bool,
    problems: Vec<Problem>,
}

impl Read {
    /// What strict loading and the checks say of it.
    pub fn strictly(self) -> Reading<Rig> {
        Reading { value: self.loosely.filter(|_| !self.fatal), problems: self.problems }
    }
}

pub(super) fn read_all(source: &Arc<Source>, uids: &mut Uids) -> Read {
    let mut log = Log::new(source);
    log.duplicates();
    let root = source.root();
    log.tag_suits(Phase::Version, root, String::new);
    version::rig(&mut log, root);
    let name = name(&mut log, root);
    let list = node_list(&mut log, root, "nodes");
    let mut reader = Reader::new(source, uids, log, RigForm::Rig);
    if let Some(list) = list {
        reader.count(source.items(list.node).count(), list.at);
        for (index, item) in source.items(list.node).enumerate() {
            reader.node(item, index, list.own);
        }
    }
    reader.finish(name)
}

fn name(log: &mut Log, root: NodeId) -> Option<String> {
    let at = log.source.entry(root, "name").map(|(_, at)| at);
    let path = || "name".to_owned();
    if let Some(at) = at {
        if !log.tag_suits(Phase::Body, at, path) {
            return None;
        }
        if let Some(text) = field::string(log.source, at).filter(|text| !text.is_empty()) {
            return Some(text);
        }
    }
    let span = log.at_or(at, root);
    log.error(Phase::Body, codes::RIG_NAME, messages::RIG_NAME, path(), span);
    None
}

/// The list of nodes as it stands in a text.
pub(super) struct List {
    /// The list, aliases followed.
    pub node: NodeId,
    /// The field's value.
    pub at: NodeId,
    /// False where it is reached through an alias, so that its comments are not its own.
    pub own: bool,
}

/// The list of `nodes` or `entities`; where there is none, this is reported.
pub(super) fn node_list(log: &mut Log, root: NodeId, field: &'static str) -> Option<List> {
    let source = log.source;
    let at = source.entry(root, field).map(|(_, at)| at);
    let span = log.at_or(at, root);
    let (code, message) = (codes::NODE_COUNT, messages::NODE_COUNT);
    let Some(at) = at.filter(|at| !field::is_null(source, *at)) else {
        log.draft(code, message, field.to_owned(), span);
        return None;
    };
    if !log.tag_suits(Phase::Body, at, || field.to_owned()) {
        return None;
    }
    let node = source.resolve(at);
    if !source.kind(node).is_seq() {
        log.error(Phase::Body, code, message, field.to_owned(), span);
        return None;
    }
    Some(List { node, at, own: source.kind(at) != Kind::Alias })
}

/// Reads nodes one after the other.
pub(super) struct Reader<'a> {
    source: &'a Arc<Source>,
    uids: &'a mut Uids,
    pub log: Log<'a>,
    form: RigForm,
    nodes: Vec<Arc<Node>>,
    links: Vec<hierarchy::Link>,
}

impl<'a> Reader<'a> {
    pub fn new(source: &'a Arc<Source>, uids: &'a mut Uids, log: Log<'a>, form: RigForm) -> Self {
        Reader { source, uids, log, form, nodes: Vec::new(), links: Vec::new() }
    }

    /// The name of the list in this form.
    fn list_name(&self) -> &'static str {
        match self.form {
            RigForm::Rig => "nodes",
            RigForm::Scene => "entities",
        }
    }

    /// Checks the number of nodes.
    pub fn count(&mut self, count: usize, at: NodeId) {
        let (code, message) = (codes::NODE_COUNT, messages::NODE_COUNT);
        let path = self.list_name().to_owned();
        let span = self.log.at(at);
        if count == 0 {
            self.log.draft(code, message, path, span);
        } else if count > MAX_NODES {
            self.log.error(Phase::Body, code, message, path, span);
        }
    }

    /// Reads the node that is item `index` of its list.
    pub fn node(&mut self, item: NodeId, index: usize, own: bool) {
        let source: &'a Source = self.source;
        let list = self.list_name();
        let path = |field: &str| format!("{list}[{index}]{field}");
        let map = source.resolve(item);
        if !self.log.tag_suits(Phase::Body, item, || path("")) {
            return;
        }
        if !source.kind(map).is_map() {
            let span = self.log.at(item);
            let message = messages::NODE_MAP;
            self.log.error(Phase::Body, codes::WRONG_TYPE, message, path(""), span);
            return;
        }
        let position = self.vector(map, "position", DVec3::ZERO, &path);
        let rotation = self.vector(map, "rotation", DVec3::ZERO, &path);
        let scale = self.vector(map, "scale", DVec3::ONE, &path);
        let id = self.id(map, &path);
        let kind = self.kind(map, &path);
        let name = match self.form {
            RigForm::Rig => self.text(map, "name", &path),
            // A scene's `name` is not read (M9).
            RigForm::Scene => None,
        };
        let parent = self.text(map, "parent", &path);
        let model = self.text(map, "model", &path);
        self.check_vector(map, "scale", scale, &path);
        self.check_vector(map, "position", position, &path);
        self.check_vector(map, "rotation", rotation, &path);
        if let Some(id) = &id {
            let span_of = |field: &str| {
                let at = source.entry(map, field).map(|(_, at)| at);
                self.log.at_or(at, map)
            };
            self.links.push(hierarchy::Link {
                id: id.clone(),
                parent: parent.clone(),
                index,
                id_span: span_of("id"),
                parent_span: span_of("parent"),
                scale_span: span_of("scale"),
                even: scale.is_none_or(|s| s.x == s.y && s.y == s.z),
                turned: rotation.is_some_and(is_turned),
            });
        }
        if self.nodes.len() < MAX_NODES
            && let (Some(id), Some(kind), Some(position), Some(rotation), Some(scale)) =
                (id, kind, position, rotation, scale)
        {
            let with_comments = own && source.kind(item) != Kind::Alias;
            let origin = Origin { source: self.source.clone(), node: map, with_comments };
            self.nodes.push(Arc::new(Node {
                uid: self.uids.fresh(),
                id,
                name,
                kind,
                parent,
                model,
                position,
                rotation,
                scale,
                origin: Some(origin),
            }));
        }
    }

    fn id(&mut self, map: NodeId, path: &dyn Fn(&str) -> String) -> Option<String> {
        let at = self.source.entry(map, "id").map(|(_, at)| at);
        if let Some(at) = at {
            if !self.log.tag_suits(Phase::Body, at, || path(".id")) {
                return None;
            }
            let text = field::string(self.source, at);
            if let Some(text) = text.filter(|t| !t.is_empty() && !t.contains(['/', ':'])) {
                return Some(text);
            }
        }
        let span = self.log.at_or(at, map);
        self.log.error(Phase::Body, codes::NODE_ID, messages::NODE_ID, path(".id"), span);
        None
    }

    fn kind(&mut self, map: NodeId, path: &dyn Fn(&str) -> String) -> Option<NodeKind> {
        let at = self.source.entry(map, "kind").map(|(_, at)| at);
        if let Some(at) = at {
            if !self.log.tag_suits(Phase::Body, at, || path(".kind")) {
                return None;
            }
            let word = field::string(self.source, at);
            if let Some(kind) = word.as_deref().and_then(NodeKind::from_word) {
                return Some(kind);
            }
        }
        let span = self.log.at_or(at, map);
        self.log.error(Phase::Body, codes::NODE_KIND, messages::NODE_KIND, path(".kind"), span);
        None
    }

    /// An optional text.
    fn text(
        &mut self,
        map: NodeId,
        name: &'static str,
        path: &dyn Fn(&str) -> String,
    ) -> Option<String> {
        let (_, at) = self.source.entry(map, name)?;
        let path = || path(&format!(".{name}"));
        if !self.log.tag_suits(Phase::Body, at, path) || field::is_null(self.source, at) {
            return None;
        }
        let text = field::string(self.source, at);
        if text.is_none() {
            let span = self.log.at(at);
            let message = messages::must_be_text(name);
            self.log.error(Phase::Body, codes::WRONG_TYPE, message, path(), span);
        }
        text
    }

    /// The shape of a rest vector (M5); absent and null are the default.
    fn vector(
        &mut self,
        map: NodeId,
        name: &'static str,
        default: DVec3,
        path: &dyn Fn(&str) -> String,
    ) -> Option<DVec3> {
        let source: &'a Source = self.source;
        let Some((key, at)) = source.entry(map, name) else { return Some(default) };
        if field::is_null(source, at) {
            return Some(default);
        }
        let path = || path(&format!(".{name}"));
        if !self.log.tag_suits(Phase::Shapes, at, path) {
            return None;
        }
        if let Some(vector) = field::vector::<3>(source, at) {
            return Some(DVec3::from_array(vector));
        }
        let span = self.log.at(at);
        let fix = || repair::one_line::<3>(source, key, at);
        let (code, message) = (codes::VECTOR, messages::VECTOR);
        self.log.error_with(Phase::Shapes, code, message, path(), span, fix);
        None
    }

    /// A scale above 0, everything finite and within a million.
    fn check_vector(
        &mut self,
        map: NodeId,
        name: &'static str,
        vector: Option<DVec3>,
        path: &dyn Fn(&str) -> String,
    ) {
        let Some(vector) = vector else { return };
        let broken = [
            (name == "scale" && vector.to_array().iter().any(|x| *x <= 0.0))
                .then_some((codes::NODE_SCALE, messages::NODE_SCALE)),
            (!in_range(&vector.to_array())).then_some((codes::VALUE_RANGE, messages::VALUE_RANGE)),
        ];
        for (code, message) in broken.into_iter().flatten() {
            let span = self.log.at_or(self.source.entry(map, name).map(|(_, at)| at), map);
            self.log.limit(Phase::Body, code, message, path(&format!(".{name}")), span);
        }
    }

    /// Checks the hierarchy and gives what was read.
    pub fn finish(mut self, name: Option<String>) -> Read {
        let list = self.list_name();
        hierarchy::check(&mut self.log, list, &self.links);
        let (fatal, unreadable) = (self.log.fatal, self.log.unreadable);
        let problems = self.log.finish();
        let origin = RigOrigin { source: self.source.clone(), nodes: self.nodes.clone() };
        let loosely = name.filter(|_| !unreadable).map(|name| Rig {
            form: self.form,
            name,
            nodes: self.nodes,
            origin: Some(Arc::new(origin)),
        });
        Read { loosely, fatal, problems }
    }
}

/// Rest rotations nearer to none than this are none, in radians: whole turns are written with
/// five decimals or more.
const NO_TURN_TOLERANCE: f64 = 1e-5;

/// Whether a rest rotation turns anything: whole turns do not.
fn is_turned(rotation: DVec3) -> bool {
    let DQuat { x, y, z, .. } = quat_from_euler(rotation);
    let half_sine = DVec3::new(x, y, z).length();
    half_sine > (NO_TURN_TOLERANCE / 2.0).sin()
}
