//! What stands on the stage, ready to be drawn and picked.

use super::lens::Lens;
use crate::edit::Selected;
use crate::math::Trs;
use crate::model::{NodeKind, Property};
use crate::ui::cx::Cx;
use crate::ui::nodes;
use crate::ui::state::WorkspaceTab;
use eframe::egui::{Pos2, Rect};
use glam::DVec3;

/// Most things that get an accessible name of their own.
pub const MAX_NAMED: usize = 2000;
/// How far from a joint a click still hits it, in points: half of its target of 16.
pub const REACH: f32 = 8.0;

/// What a thing is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A rig's node.
    Node(NodeKind),
    /// A part of a procedural model, shown without a rig.
    Part,
}

/// A thing on the stage.
pub struct Item<'a> {
    /// Its place in the order of all poses.
    pub index: usize,
    /// What a click on it selects.
    pub what: Selected,
    /// Its id, or the part's name.
    pub id: &'a str,
    /// What it is.
    pub kind: Kind,
    /// The model drawn here.
    pub model: Option<&'a str>,
    /// Its pose in the world, in metres, where it is shown.
    pub world: Trs,
    /// Not drawn.
    pub hidden: bool,
    /// A click passes over it.
    pub locked: bool,
    /// Whether it is selected.
    pub selected: bool,
    /// Where it shows, if it does.
    pub at: Option<Pos2>,
    /// Bones that belong to it: to where they go, in metres.
    pub tails: Vec<DVec3>,
}

/// At how many moments a fresh view looks for where things come.
const MOMENTS: u32 = 8;

/// Everything on the stage.
pub struct Scene<'a> {
    /// One for each place of the stage.
    pub items: Vec<Item<'a>>,
    /// The length that sizes are measured by: that of a usual bone, in metres.
    pub unit: f64,
}

impl<'a> Scene<'a> {
    /// What stands on the stage now.
    pub fn new(cx: &Cx<'a>) -> Scene<'a> {
        let view = &cx.view().viewport;
        let stage = cx.stage;
        let selection = cx.selection();
        let rig = cx.rig();
        let offsets = if rig.is_none() { layout(cx) } else { Vec::new() };
        let mut items = Vec::with_capacity(stage.len());
        for (index, world) in stage.world.iter().enumerate().take(stage.len()) {
            let Some(what) = nodes::at(cx, index) else { continue };
            let node = rig.and_then(|(_, rig)| rig.nodes.get(index));
            let uid = node.map(|node| node.uid);
            let mut world = *world;
            world.position += offsets.get(index).copied().unwrap_or(DVec3::ZERO);
            items.push(Item {
                index,
                selected: selection.nodes.contains(&what),
                what,
                id: node.map_or_else(|| stage.names()[index].as_str(), |node| node.id.as_str()),
                kind: node.map_or(Kind::Part, |node| Kind::Node(node.kind)),
                model: node.and_then(|node| node.model.as_deref()),
                world,
                hidden: uid.is_some_and(|uid| view.hidden.contains(&uid)),
                locked: uid.is_some_and(|uid| view.locked.contains(&uid)),
                at: None,
                tails: Vec::new(),
            });
        }
        let mut scene = Scene { items, unit: 0.25 };
        scene.unit = scene.usual_length(cx);
        scene.add_bones(cx);
        scene
    }

    fn usual_length(&self, cx: &Cx<'_>) -> f64 {
        if cx.rig().is_none() {
            return 1.0;
        }
        let length = |item: &Item<'_>| {
            let parent = cx.stage.parent(item.index)?;
            let length = item.world.position.distance(self.items.get(parent)?.world.position);
            (length > 1e-6 && length.is_finite()).then_some(length)
        };
        let mut lengths: Vec<f64> = self.items.iter().filter_map(length).collect();
        lengths.sort_by(f64::total_cmp);
        lengths.get(lengths.len() / 2).copied().unwrap_or(0.25)
    }

    fn add_bones(&mut self, cx: &Cx<'_>) {
        let is_joint = |item: &Item<'_>| item.kind == Kind::Node(NodeKind::Joint);
        for at in 0..self.items.len() {
            if !is_joint(&self.items[at]) {
                continue;
            }
            let tail = self.items[at].world.position;
            let parent = cx.stage.parent(at).filter(|p| self.items.get(*p).is_some_and(is_joint));
            if let Some(parent) = parent {
                self.items[parent].tails.push(tail);
            }
        }
        // The end of a chain has a short bone that goes on as the one before it came, turned as
        // the joint itself is.
        for at in 0..self.items.len() {
            if !is_joint(&self.items[at]) || !self.items[at].tails.is_empty() {
                continue;
            }
            let world = self.items[at].world;
            let (way, length) = match cx.stage.rest(at).filter(|_| cx.stage.parent(at).is_some()) {
                Some(rest) if rest.position.length() > 1e-6 => {
                    let length = rest.position.length();
                    (rest.position / length, (length * 0.6).clamp(self.unit * 0.2, self.unit))
                }
                _ => (DVec3::Y, self.unit * 0.5),
            };
            let tail = world.position + world.rotation * way * length;
            self.items[at].tails.push(tail);
        }
    }

    /// Finds where everything shows.
    pub fn project(&mut self, lens: &Lens) {
        for item in &mut self.items {
            let at = if item.hidden { None } else { lens.project(item.world.position) };
            item.at = at.filter(|at| lens.rect.expand(REACH).contains(*at));
        }
    }

    /// Half the side of the box of an attachment, an entity or a part, in metres.
    pub fn half_box(&self) -> f64 {
        match self.items.first().map(|item| item.kind) {
            Some(Kind::Part) => 0.25,
            _ => self.unit * 0.2,
        }
    }

    /// A ball around these places of the stage, in metres; around everything where there are
    /// none.
    pub fn ball(&self, of: &[usize]) -> (DVec3, f64) {
        self.ball_around(self.points(of), of.is_empty())
    }

    /// A ball around where these places of the stage come in the whole clip, in metres: what a
    /// fresh view shows, so that nothing leaves it as soon as it moves.
    pub fn ball_through(&self, cx: &Cx<'_>, of: &[usize]) -> (DVec3, f64) {
        let mut points: Vec<DVec3> = self.points(of).collect();
        let shown: Vec<usize> = self.items.iter().map(|item| item.index).collect();
        let shown = if of.is_empty() { &shown } else { of };
        let mut world = Vec::new();
        // In the Rig workspace everything rests; the parts of a model clip have their own places.
        let moves = cx.tab() != WorkspaceTab::Rig && cx.rig().is_some();
        if let Some(duration_secs) = cx.duration_secs().filter(|_| moves) {
            for step in 0..=MOMENTS {
                cx.stage.world_at(duration_secs * f64::from(step) / f64::from(MOMENTS), &mut world);
                points.extend(shown.iter().filter_map(|index| Some(world.get(*index)?.position)));
            }
        }
        self.ball_around(points.into_iter().filter(|point| point.is_finite()), of.is_empty())
    }

    fn ball_around(&self, points: impl Iterator<Item = DVec3>, all: bool) -> (DVec3, f64) {
        let mut low = DVec3::splat(f64::INFINITY);
        let mut high = DVec3::splat(f64::NEG_INFINITY);
        for point in points {
            low = low.min(point);
            high = high.max(point);
        }
        if !(low.is_finite() && high.is_finite()) {
            return (DVec3::ZERO, 1.0);
        }
        let radius = low.distance(high) * 0.5;
        let least = if all { self.unit } else { self.unit * 1.5 };
        ((low + high) * 0.5, radius.max(least))
    }

    /// The ends of the bones and the middles of the boxes at these places of the stage, in
    /// metres; of everything where there are none.
    pub fn points<'s>(&'s self, of: &'s [usize]) -> impl Iterator<Item = DVec3> + 's {
        let chosen = |item: &&Item<'_>| (of.is_empty() && !item.hidden) || of.contains(&item.index);
        let items = self.items.iter().filter(chosen);
        let points =
            items.flat_map(|item| std::iter::once(&item.world.position).chain(&item.tails));
        points.copied().filter(|point| point.is_finite())
    }

    /// What a click hits: the nearest joint, the selected first; then a bone or a box.
    pub fn pick(&self, at: Pos2, lens: &Lens) -> Option<&Item<'a>> {
        let free = || self.items.iter().filter(|item| !item.hidden && !item.locked);
        let distance = |item: &Item<'_>| {
            let distance = item.at?.distance(at);
            (distance <= REACH).then_some(distance)
        };
        let near = free().filter_map(|item| {
            // Of what lies on one spot, the selected one, then the one in front.
            let bonus = if item.selected { 2.0 } else { 0.0 };
            Some((distance(item)? - bonus, item))
        });
        let nearer = |a: &(f32, &Item<'_>), b: &(f32, &Item<'_>)| {
            let depth = |item: &Item<'_>| lens.depth(item.world.position);
            a.0.total_cmp(&b.0).then_with(|| depth(a.1).total_cmp(&depth(b.1)))
        };
        if let Some((_, item)) = near.min_by(nearer) {
            return Some(item);
        }
        let body = free().filter_map(|item| {
            let to_bone = item.tails.iter().filter_map(|tail| {
                let [a, b] = lens.segment(item.world.position, *tail)?;
                let thick = (a.distance(b) * 0.1).clamp(5.0, 16.0);
                let distance = to_segment(at, a, b);
                (distance <= thick).then_some(distance)
            });
            let to_box = (item.kind != Kind::Node(NodeKind::Joint)).then(|| {
                let size = (self.half_box() * lens.points_per_metre(item.world.position)) as f32;
                let distance = item.at?.distance(at);
                (distance <= size.clamp(8.0, 200.0)).then_some(distance)
            });
            let nearest = to_bone.chain(to_box.flatten()).reduce(f32::min)?;
            Some((nearest, item))
        });
        body.min_by(nearer).map(|(_, item)| item)
    }

    /// What a box on the screen holds.
    pub fn inside(&self, area: Rect) -> Vec<Selected> {
        let inside = self.items.iter().filter(|item| {
            !item.hidden && !item.locked && item.at.is_some_and(|at| area.contains(at))
        });
        inside.map(|item| item.what.clone()).collect()
    }
}

/// From a point to a line between two others, in points.
pub fn to_segment(at: Pos2, a: Pos2, b: Pos2) -> f32 {
    let along = b - a;
    let length = along.length_sq();
    let t = if length > 0.0 { ((at - a).dot(along) / length).clamp(0.0, 1.0) } else { 0.0 };
    at.distance(a + along * t)
}

/// Where the parts of a model clip stand, so that they can be told apart: in rows, with room for
/// how far each moves.
fn layout(cx: &Cx<'_>) -> Vec<DVec3> {
    let mut reach = 0.0f64;
    if let Some((_, clip)) = cx.clip() {
        for track in clip.tracks.iter().filter(|track| track.property == Property::Position) {
            for key in &track.keys {
                reach = reach.max(key.value.abs().max_element());
            }
        }
    }
    let many = cx.stage.len();
    let columns = (many as f64).sqrt().ceil().max(1.0) as usize;
    let step = 1.0 + 2.0 * reach.min(1000.0);
    let first = -0.5 * (columns.min(many).max(1) - 1) as f64;
    (0..many)
        .map(|at| {
            let (column, row) = ((at % columns) as f64, (at / columns) as f64);
            DVec3::new((first + column) * step, 0.5, row * -step)
        })
        .collect()
}
