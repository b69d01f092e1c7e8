//! The handles that move, rotate and scale what is selected, and the drag of one of them.

use super::lens::Lens;
use super::scene::{Scene, to_segment};
use crate::math::{Trs, continuous_euler, euler_from_quat, quat_from_euler};
use crate::model::Property;
use crate::ui::cx::Cx;
use crate::ui::expr;
use crate::ui::nodes;
use crate::ui::pose::{self, Change, Target};
use crate::ui::state::Tool;
use crate::ui::text;
use eframe::egui::{Pos2, Vec2};
use glam::{DQuat, DVec3};
use std::f64::consts::TAU;

/// Radius of the rings, in points.
const RING: f64 = 58.0;
/// Length of the arrows, in points.
const ARROW: f64 = 74.0;
/// Radius of the ring about the line of sight, in points.
const OUTER: f64 = 72.0;
/// How near to a handle a press takes hold of it, in points.
const REACH: f32 = 8.0;
/// Lines of a ring.
const SIDES: usize = 48;

/// Along or about which axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// One of X, Y and Z: 0, 1, 2.
    One(usize),
    /// About the line of sight, in the plane of the screen, or all three at once.
    View,
}

impl Axis {
    /// X, Y, Z and the view's.
    pub const ALL: [Axis; 4] = [Axis::One(0), Axis::One(1), Axis::One(2), Axis::View];

    /// The letter in the tag beside a drag.
    pub fn letter(self) -> &'static str {
        match self {
            Axis::One(0) => "X",
            Axis::One(1) => "Y",
            Axis::One(_) => "Z",
            Axis::View => "View",
        }
    }
}

/// The property that a tool changes.
pub fn property(tool: Tool) -> Option<Property> {
    match tool {
        Tool::Select => None,
        Tool::Move => Some(Property::Position),
        Tool::Rotate => Some(Property::Rotation),
        Tool::Scale => Some(Property::Scale),
    }
}

/// The handles, about the node that was selected last.
pub struct Gizmo {
    /// Which handles.
    pub tool: Tool,
    /// The middle, in metres.
    pub pivot: DVec3,
    /// The middle on the screen.
    pub at: Pos2,
    axes: [DVec3; 3],
    metre: f64,
}

impl Gizmo {
    /// The handles for what is selected; `None` where nothing can be changed.
    pub fn new(cx: &Cx<'_>, scene: &Scene<'_>, lens: &Lens, tool: Tool) -> Option<Gizmo> {
        pose::target(cx)?;
        property(tool)?;
        let active = nodes::active(cx)?;
        let item = scene.items.get(active).filter(|item| !item.hidden)?;
        let at = item.at?;
        let turn = if cx.view().viewport.local_axes || tool == Tool::Scale {
            item.world.rotation.normalize()
        } else {
            DQuat::IDENTITY
        };
        let metre = 1.0 / lens.points_per_metre(item.world.position);
        let axes = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| turn * axis);
        let usable = metre.is_finite() && axes.iter().all(|axis| axis.is_finite());
        usable.then_some(Gizmo { tool, pivot: item.world.position, at, axes, metre })
    }

    /// The line of a handle on the screen, each with whether it is on the near side.
    pub fn line(&self, axis: Axis, lens: &Lens) -> Vec<(Pos2, bool)> {
        let to_eye = lens.to_eye(self.pivot);
        match (self.tool, axis) {
            (Tool::Rotate, _) => {
                let (u, v, radius) = match axis {
                    Axis::One(i) => (self.axes[(i + 1) % 3], self.axes[(i + 2) % 3], RING),
                    Axis::View => (lens.right, lens.up, OUTER),
                };
                let point = |side: usize| {
                    let angle = side as f64 / SIDES as f64 * TAU;
                    let way = u * angle.cos() + v * angle.sin();
                    let at = lens.project(self.pivot + way * (radius * self.metre))?;
                    Some((at, way.dot(to_eye) > -0.02))
                };
                (0..=SIDES).filter_map(point).collect()
            }
            (_, Axis::One(i)) => {
                let tip = lens.project(self.pivot + self.axes[i] * (ARROW * self.metre));
                let foot = lens.project(self.pivot + self.axes[i] * (14.0 * self.metre));
                foot.into_iter().chain(tip).map(|at| (at, true)).collect()
            }
            (_, Axis::View) => vec![(self.at, true)],
        }
    }

    fn distance(&self, axis: Axis, at: Pos2, lens: &Lens) -> f32 {
        let line = self.line(axis, lens);
        match line[..] {
            [(one, _)] => one.distance(at) - 3.0,
            _ => line
                .windows(2)
                .filter(|pair| pair[0].1 && pair[1].1)
                .map(|pair| to_segment(at, pair[0].0, pair[1].0))
                .fold(f32::INFINITY, f32::min),
        }
    }

    /// The handle that a press takes hold of.
    pub fn hit(&self, at: Pos2, lens: &Lens) -> Option<Axis> {
        let near = Axis::ALL.into_iter().map(|axis| (self.distance(axis, at, lens), axis));
        let (distance, axis) = near.min_by(|a, b| a.0.total_cmp(&b.0))?;
        (distance <= REACH).then_some(axis)
    }

    /// Where a handle is best taken hold of: far from the others.
    pub fn grip(&self, axis: Axis, lens: &Lens) -> Option<Pos2> {
        let line = self.line(axis, lens);
        if self.tool != Tool::Rotate {
            return line.last().map(|(at, _)| *at);
        }
        let others = Axis::ALL.into_iter().filter(|other| *other != axis);
        let lines: Vec<Vec<(Pos2, bool)>> = others.map(|other| self.line(other, lens)).collect();
        let room = |at: Pos2| {
            let points = lines.iter().flatten().map(|(other, _)| other.distance(at));
            points.fold(f32::INFINITY, f32::min)
        };
        let near = line.iter().filter(|(_, near)| *near).step_by(2).map(|(at, _)| *at);
        near.max_by(|a, b| room(*a).total_cmp(&room(*b)))
    }
}

/// A node in the hand.
#[derive(Clone, Debug)]
struct Grabbed {
    index: usize,
    /// Of its parent, in the world.
    parent: Trs,
    /// Relative to its parent, when the drag began.
    local: Trs,
    /// The value when the drag began.
    old: DVec3,
    /// The value that was shown last: angles go on from there.
    last: DVec3,
}

/// A handle being dragged.
#[derive(Clone, Debug)]
pub struct Drag {
    /// What it does.
    pub tool: Tool,
    /// Along which axis.
    pub axis: Axis,
    /// A number being typed instead.
    pub typed: String,
    /// Follows the pointer without a button: a click or Enter ends it.
    pub modal: bool,
    /// Frames since it began.
    pub frames: u32,
    /// What was shown last.
    pub shown: Option<(f64, DVec3, Axis)>,
    /// Where the pointer was last.
    pub last_at: Pos2,
    target: Target,
    pivot: DVec3,
    axes: [DVec3; 3],
    local_axes: bool,
    start: Pos2,
    turned: f64,
    grabbed: Vec<Grabbed>,
}

impl Drag {
    /// Takes hold of a handle.
    pub fn new(cx: &Cx<'_>, gizmo: &Gizmo, axis: Axis, start: Pos2) -> Option<Drag> {
        let property = property(gizmo.tool)?;
        let local_axes = cx.view().viewport.local_axes;
        let chosen = nodes::selected(cx);
        // What hangs below a selected node goes along with it; only turns about each node's own
        // axes add up along a chain.
        let curls = gizmo.tool == Tool::Scale || (gizmo.tool == Tool::Rotate && local_axes);
        let moves = |index: &usize| {
            let mut above = cx.stage.parent(*index);
            while let Some(at) = above {
                if chosen.contains(&at) {
                    return false;
                }
                above = cx.stage.parent(at);
            }
            true
        };
        let grab = |index: usize| {
            let parent = cx.stage.parent(index);
            let parent = parent.map_or(Some(Trs::IDENTITY), |p| cx.stage.world.get(p).copied())?;
            let old = pose::value(cx, index, property);
            let local = *cx.stage.local.get(index)?;
            Some(Grabbed { index, parent, local, old, last: old })
        };
        let grabbed: Vec<Grabbed> =
            chosen.iter().copied().filter(|i| curls || moves(i)).filter_map(grab).collect();
        (!grabbed.is_empty()).then_some(Drag {
            tool: gizmo.tool,
            axis,
            typed: String::new(),
            modal: false,
            frames: 0,
            shown: None,
            last_at: start,
            target: pose::target(cx)?,
            pivot: gizmo.pivot,
            axes: gizmo.axes,
            local_axes,
            start,
            turned: 0.0,
            grabbed,
        })
    }

    fn world_axis(&self, lens: &Lens) -> DVec3 {
        match self.axis {
            Axis::One(i) => self.axes[i],
            Axis::View => lens.to_eye(self.pivot),
        }
    }

    /// Chooses another axis; what was done about the other one is undone.
    pub fn choose(&mut self, axis: Axis) {
        self.axis = axis;
        self.turned = 0.0;
        self.start = self.last_at;
    }

    /// Follows the pointer: turns add up, so that one can go around more than once.
    pub fn follow(&mut self, at: Pos2, lens: &Lens) {
        let from = std::mem::replace(&mut self.last_at, at);
        if self.tool != Tool::Rotate {
            return;
        }
        let axis = self.world_axis(lens);
        if axis.dot(lens.to_eye(self.pivot)).abs() > 0.2 {
            let hit = |at| lens.on_plane(at, self.pivot, axis).map(|hit| hit - self.pivot);
            if let (Some(a), Some(b)) = (hit(from), hit(at)) {
                let angle = axis.dot(a.cross(b)).atan2(a.dot(b));
                if angle.is_finite() {
                    self.turned += angle;
                }
            }
        } else {
            // Seen from the side a ring is a line: along it, one radius is one radian.
            let across = axis.cross(lens.to_eye(self.pivot));
            let way = |v: DVec3| Vec2::new(v.dot(lens.right) as f32, -v.dot(lens.up) as f32);
            let way = way(across).normalized();
            self.turned += f64::from((at - from).dot(way)) / RING;
        }
    }

    /// How far it is by now: metres, radians or a factor; and for a move which way, in the world.
    /// A typed number counts instead.
    pub fn amount(&self, lens: &Lens, step: Option<f64>, radians: bool) -> (f64, DVec3) {
        let snapped = |value: f64| match step {
            Some(step) if step > 0.0 => (value / step).round() * step,
            _ => value,
        };
        let typed = expr::evaluate(&self.typed);
        let axis_of = |axis: Axis| match axis {
            Axis::One(i) => self.axes[i],
            Axis::View => self.axes[0],
        };
        match self.tool {
            Tool::Select => (0.0, DVec3::ZERO),
            Tool::Rotate => match typed {
                Some(value) => (if radians { value } else { value.to_radians() }, DVec3::ZERO),
                None => (snapped(self.turned), DVec3::ZERO),
            },
            Tool::Scale => {
                let factor = typed.unwrap_or_else(|| {
                    let outwards = match self.axis {
                        Axis::One(i) => {
                            let v = self.axes[i];
                            Vec2::new(v.dot(lens.right) as f32, -v.dot(lens.up) as f32).normalized()
                        }
                        Axis::View => Vec2::new(1.0, -1.0).normalized(),
                    };
                    let dragged = f64::from((self.last_at - self.start).dot(outwards));
                    snapped(1.0 + dragged / ARROW)
                });
                (if factor.is_finite() { factor.max(1e-3) } else { 1.0 }, DVec3::ZERO)
            }
            Tool::Move => {
                if let Some(value) = typed {
                    return (value, axis_of(self.axis) * value);
                }
                match self.axis {
                    Axis::One(i) => {
                        let along = |at| lens.along_axis(at, self.pivot, self.axes[i]);
                        let by = along(self.last_at).zip(along(self.start)).map(|(b, a)| b - a);
                        let by = snapped(by.unwrap_or(0.0));
                        (by, self.axes[i] * by)
                    }
                    Axis::View => {
                        let hit = |at| lens.on_plane(at, self.pivot, lens.forward);
                        let by = hit(self.last_at).zip(hit(self.start)).map(|(b, a)| b - a);
                        let by = by.unwrap_or(DVec3::ZERO);
                        let by = DVec3::from_array(by.to_array().map(snapped));
                        (by.length(), by)
                    }
                }
            }
        }
    }

    /// The total change since the beginning.
    pub fn changes(&mut self, lens: &Lens, amount: (f64, DVec3)) -> Vec<Change> {
        let Some(property) = property(self.tool) else { return Vec::new() };
        let view_axis = self.world_axis(lens);
        let (tool, axis, axes, local_axes) = (self.tool, self.axis, self.axes, self.local_axes);
        let by_hand = self.typed.is_empty();
        let change = |grabbed: &mut Grabbed| {
            let new = match tool {
                Tool::Select => return None,
                Tool::Move => {
                    let by = grabbed.parent.rotation.conjugate() * amount.1 / grabbed.parent.scale;
                    grabbed.old + by
                }
                Tool::Scale => {
                    let factor = match axis {
                        Axis::One(i) => {
                            let mut factor = DVec3::ONE;
                            factor[i] = amount.0;
                            factor
                        }
                        Axis::View => DVec3::splat(amount.0),
                    };
                    (grabbed.old * factor).max(DVec3::splat(1e-4))
                }
                Tool::Rotate => {
                    let turn = match axis {
                        Axis::One(i) if local_axes => {
                            let own = [DVec3::X, DVec3::Y, DVec3::Z][i];
                            grabbed.local.rotation * DQuat::from_axis_angle(own, amount.0)
                        }
                        _ => {
                            let about = match axis {
                                Axis::One(i) => axes[i],
                                Axis::View => view_axis,
                            };
                            let turn = DQuat::from_axis_angle(about, amount.0);
                            let parent = grabbed.parent.rotation;
                            parent.conjugate() * turn * parent * grabbed.local.rotation
                        }
                    };
                    turned(grabbed, axis, turn.normalize(), amount.0)
                }
            };
            if !new.is_finite() {
                return None;
            }
            let new = if by_hand { pose::settled(grabbed.old, new) } else { new };
            grabbed.last = new;
            Some(Change { index: grabbed.index, property, old: grabbed.old, new })
        };
        self.grabbed.iter_mut().filter_map(change).collect()
    }

    /// The edit of these changes, for where the drag began.
    pub fn edit(&self, cx: &Cx<'_>, changes: &[Change]) -> Option<crate::edit::Edit> {
        pose::edit_of(cx, self.target, changes)
    }

    /// The number beside the drag, with its unit and sign.
    pub fn tag(&self, amount: (f64, DVec3), radians: bool) -> String {
        let letter = self.axis.letter();
        let sign = |value: f64, places: usize| {
            let plus = if value >= 0.0 { "+" } else { "" };
            format!("{plus}{}", text::number(value, places))
        };
        if !self.typed.is_empty() {
            let unit = match self.tool {
                Tool::Move => " m",
                Tool::Rotate if radians => " rad",
                Tool::Rotate => "°",
                _ => "×",
            };
            return format!("{letter} {}|{unit}", self.typed);
        }
        match self.tool {
            Tool::Rotate if radians => format!("{letter} {} rad", sign(amount.0, 3)),
            Tool::Rotate => format!("{letter} {}°", sign(amount.0.to_degrees(), 1)),
            // Along all three axes alike.
            Tool::Scale if self.axis == Axis::View => format!("×{}", text::number(amount.0, 3)),
            Tool::Scale => format!("{letter} ×{}", text::number(amount.0, 3)),
            _ if self.axis == Axis::View => {
                let [x, y, z] = amount.1.to_array().map(|value| sign(value, 3));
                format!("{x} {y} {z} m")
            }
            _ => format!("{letter} {} m", sign(amount.0, 3)),
        }
    }

    /// Where the handles were taken hold of, in metres, and the axis they are bound to.
    pub fn bound(&self) -> Option<(DVec3, DVec3, usize)> {
        match self.axis {
            Axis::One(i) => Some((self.pivot, self.axes[i], i)),
            Axis::View => None,
        }
    }
}

/// The angles of a turn: where one angle alone changed, the others keep their digits and whole
/// turns are kept; otherwise those nearest to what was shown last.
fn turned(grabbed: &Grabbed, axis: Axis, turn: DQuat, angle: f64) -> DVec3 {
    if let Axis::One(i) = axis {
        let mut plain = grabbed.old;
        plain[i] += angle;
        if quat_from_euler(plain).dot(turn).abs() > 1.0 - 1e-13 {
            return plain;
        }
    }
    continuous_euler(euler_from_quat(turn), grabbed.last)
}
