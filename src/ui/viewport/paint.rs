//! Drawing the stage.

use super::gizmo::{Axis, Gizmo};
use super::lens::Lens;
use super::scene::{Item, Kind, Scene};
use crate::math::Trs;
use crate::model::NodeKind;
use crate::ui::cx::Cx;
use crate::ui::state::Tool;
use crate::ui::text;
use crate::ui::theme::Theme;
use crate::ui::widgets;
use eframe::egui::{
    Align2, Color32, FontId, Mesh, Painter, Pos2, Rect, Shape, Stroke, epaint, pos2, vec2,
};
use glam::DVec3;
use std::f64::consts::FRAC_PI_2;

/// The plane that the grid lies in: its two directions, and their colours as axes.
struct Ground {
    u: DVec3,
    v: DVec3,
    colors: [usize; 2],
}

fn ground(lens: &Lens) -> Ground {
    let flat = |way: DVec3| lens.orthographic && lens.forward.dot(way).abs() > 0.999;
    if flat(DVec3::Z) {
        Ground { u: DVec3::X, v: DVec3::Y, colors: [0, 1] }
    } else if flat(DVec3::X) {
        Ground { u: DVec3::Z, v: DVec3::Y, colors: [2, 1] }
    } else {
        Ground { u: DVec3::X, v: DVec3::Z, colors: [0, 2] }
    }
}

/// Lines of the grid nearer to each other than this, in points, are not drawn.
const NARROWEST: f64 = 9.0;

/// The distance from line to line of the grid, in metres: the smallest of 1 mm, 1 cm, 10 cm, …
/// whose lines are far enough apart.
pub fn grid_step(lens: &Lens) -> f64 {
    let target = lens.eye + lens.forward * lens.distance;
    let wanted = NARROWEST / lens.points_per_metre(target);
    let step = 10f64.powf(wanted.log10().ceil());
    if step.is_finite() && step > 0.0 { step.clamp(1e-6, 1e9) } else { 1.0 }
}

/// A length as people say it: `10 cm`, `1 m`, `10 km`.
pub fn length(metres: f64) -> String {
    let (value, unit) = match metres {
        m if m < 0.0099 => (m * 1e3, "mm"),
        m if m < 0.99 => (m * 1e2, "cm"),
        m if m < 999.0 => (m, "m"),
        m => (m / 1e3, "km"),
    };
    let places = if value < 0.99 { 3 } else { 0 };
    format!("{} {unit}", text::number(value, places))
}

/// The grid, which fades away from the middle, and the two axes in it.
pub fn grid(painter: &Painter, lens: &Lens, theme: &Theme) {
    let Ground { u, v, colors } = ground(lens);
    let step = grid_step(lens);
    let target = lens.eye + lens.forward * lens.distance;
    let (cu, cv) = (target.dot(u), target.dot(v));
    // The finer lines come in slowly as one goes closer.
    let width = step * lens.points_per_metre(target);
    let fine = ((width / NARROWEST - 1.0) / 3.0).clamp(0.15, 1.0) as f32 * 0.7;
    const LINES: i64 = 40;
    let reach = LINES as f64 * step;
    let (fu, fv) = ((cu / step).round(), (cv / step).round());
    let fade = |du: f64, dv: f64| {
        let far = (du * du + dv * dv).sqrt() / reach;
        (1.0 - far).clamp(0.0, 1.0) as f32
    };
    const PARTS: i64 = 8;
    let line = |along: DVec3, across: DVec3, place: f64, mid: f64, color: Color32, k: f32| {
        for part in 0..PARTS {
            let at = |p: i64| (2.0 * p as f64 / PARTS as f64 - 1.0) * reach;
            let (from, to) = (at(part), at(part + 1));
            let middle = 0.5 * (from + to);
            let center = if across == u { cu } else { cv };
            let strength = fade(middle, place - center) * k;
            if strength < 0.02 {
                continue;
            }
            let point = |along_at: f64| along * (mid + along_at) + across * place;
            if let Some(ends) = lens.segment(point(from), point(to)) {
                let color = color.gamma_multiply(strength);
                painter.line_segment(ends, Stroke::new(1.0, color));
            }
        }
    };
    for i in -LINES..=LINES {
        for (along, across, first, mid) in [(u, v, fv, cu), (v, u, fu, cv)] {
            let number = first + i as f64;
            let place = number * step;
            if place == 0.0 {
                continue;
            }
            let k = if number % 10.0 == 0.0 { 1.0 } else { fine };
            line(along, across, place, mid, theme.line, k);
        }
    }
    line(u, v, 0.0, cu, theme.axes[colors[0]], 0.8);
    line(v, u, 0.0, cv, theme.axes[colors[1]], 0.8);
}

fn mixed(a: Color32, b: Color32, t: f32) -> Color32 {
    a.lerp_to_gamma(b, t.clamp(0.0, 1.0))
}

/// Bones, all faces in one mesh, then their edges, the selected ones last.
pub fn bones(painter: &Painter, lens: &Lens, cx: &Cx<'_>, scene: &Scene<'_>) {
    let mut order: Vec<&Item<'_>> =
        scene.items.iter().filter(|i| !i.hidden && !i.tails.is_empty()).collect();
    let depth = |item: &Item<'_>| lens.depth(item.world.position);
    order.sort_by(|a, b| a.selected.cmp(&b.selected).then_with(|| depth(b).total_cmp(&depth(a))));
    let mut faces = Mesh::default();
    let mut edges: Vec<([Pos2; 2], Stroke)> = Vec::new();
    for item in order {
        for tail in &item.tails {
            bone(lens, cx.theme, item, *tail, &mut faces, &mut edges);
        }
    }
    painter.add(Shape::mesh(faces));
    painter.extend(edges.into_iter().map(|(ends, stroke)| Shape::line_segment(ends, stroke)));
}

fn bone(
    lens: &Lens,
    theme: &Theme,
    item: &Item<'_>,
    tail: DVec3,
    faces: &mut Mesh,
    edges: &mut Vec<([Pos2; 2], Stroke)>,
) {
    let head = item.world.position;
    let way = tail - head;
    let length = way.length();
    let (line, fill) = if item.selected {
        (theme.accent, mixed(theme.bone, theme.accent, 0.45))
    } else {
        (theme.key, theme.bone)
    };
    let stroke = Stroke::new(1.0, line.gamma_multiply(if item.selected { 1.0 } else { 0.75 }));
    let Some([a, b]) = lens.segment(head, tail) else { return };
    let whole = lens.project(head).is_some() && lens.project(tail).is_some();
    // Too small to have a shape, or partly behind the camera: a line says it.
    if !whole || a.distance(b) < 10.0 || !length.is_normal() {
        edges.push(([a, b], Stroke::new(if item.selected { 2.0 } else { 1.5 }, line)));
        return;
    }
    let way = way / length;
    let (u, v) = around(item.world.rotation, way);
    let middle = head + way * (length * 0.16);
    let width = length * 0.085;
    let ring = [u, v, -u, -v].map(|side| lens.project(middle + side * width));
    let [Some(p), Some(q), Some(r), Some(s)] = ring else { return };
    let ring = [p, q, r, s];
    for i in 0..4 {
        let (one, two) = (ring[i], ring[(i + 1) % 4]);
        for (tip, outward) in [(b, true), (a, false)] {
            let corners = if outward { [one, two, tip] } else { [two, one, tip] };
            if !looks_here(corners) {
                continue;
            }
            let shade = 0.08 * i as f32;
            let color = mixed(fill, theme.ground, shade).gamma_multiply(0.86);
            let first = faces.vertices.len() as u32;
            for at in [one, two, tip] {
                faces.colored_vertex(at, color);
            }
            faces.add_triangle(first, first + 1, first + 2);
            edges.push(([one, two], stroke));
            edges.push(([one, tip], stroke));
            edges.push(([two, tip], stroke));
        }
    }
}

/// Whether a face is seen from outside: its corners stand against the clock on the screen.
fn looks_here([a, b, c]: [Pos2; 3]) -> bool {
    let (along, across) = (b - a, c - a);
    along.x * across.y - along.y * across.x < 0.0
}

/// Two directions at right angles to a bone that turn with its joint.
fn around(turn: glam::DQuat, way: DVec3) -> (DVec3, DVec3) {
    let axes = [turn * DVec3::X, turn * DVec3::Y, turn * DVec3::Z];
    let off = |axis: &DVec3| axis.dot(way).abs();
    let best = axes.iter().min_by(|a, b| off(a).total_cmp(&off(b))).copied();
    let u = best.unwrap_or(DVec3::X).reject_from_normalized(way).normalize_or(DVec3::X);
    (u, way.cross(u))
}

const CORNERS: [[f64; 3]; 8] = [
    [-1.0, -1.0, -1.0],
    [1.0, -1.0, -1.0],
    [1.0, 1.0, -1.0],
    [-1.0, 1.0, -1.0],
    [-1.0, -1.0, 1.0],
    [1.0, -1.0, 1.0],
    [1.0, 1.0, 1.0],
    [-1.0, 1.0, 1.0],
];
const SIDES: [[usize; 4]; 6] =
    [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [2, 3, 7, 6], [1, 2, 6, 5], [0, 4, 7, 3]];

/// Boxes of attachments, entities and parts.
pub fn boxes(painter: &Painter, lens: &Lens, cx: &Cx<'_>, scene: &Scene<'_>) {
    let theme = cx.theme;
    let half = scene.half_box();
    let is_box = |item: &&Item<'_>| !item.hidden && item.kind != Kind::Node(NodeKind::Joint);
    let mut order: Vec<&Item<'_>> = scene.items.iter().filter(is_box).collect();
    let depth = |item: &Item<'_>| lens.depth(item.world.position);
    order.sort_by(|a, b| depth(b).total_cmp(&depth(a)));
    for item in order {
        let color = match item.kind {
            Kind::Node(NodeKind::Attachment) => theme.selection,
            Kind::Node(_) => theme.good,
            Kind::Part => theme.key,
        };
        let color = if item.selected { theme.accent } else { color };
        solid(painter, lens, &item.world, half, color);
        if item.kind == Kind::Part {
            for (axis, way) in [DVec3::X, DVec3::Y, DVec3::Z].into_iter().enumerate() {
                let tip = item.world.transform_point(way * half * 1.35);
                if let Some(ends) = lens.segment(item.world.position, tip) {
                    painter.line_segment(ends, Stroke::new(1.0, theme.axes[axis]));
                }
            }
        }
    }
}

fn solid(painter: &Painter, lens: &Lens, pose: &Trs, half: f64, color: Color32) {
    let corner = |c: &[f64; 3]| {
        let world = pose.transform_point(DVec3::from(*c) * half);
        world.is_finite().then(|| lens.project(world)).flatten()
    };
    let corners: Option<Vec<Pos2>> = CORNERS.iter().map(corner).collect();
    let Some(corners) = corners else { return };
    let mut mesh = Mesh::default();
    let mut edges = Vec::new();
    for side in SIDES {
        let [a, b, c, d] = side.map(|i| corners[i]);
        if !looks_here([a, b, c]) {
            continue;
        }
        let first = mesh.vertices.len() as u32;
        for at in [a, b, c, d] {
            mesh.colored_vertex(at, color.gamma_multiply(0.16));
        }
        mesh.add_triangle(first, first + 1, first + 2);
        mesh.add_triangle(first, first + 2, first + 3);
        for ends in [[a, b], [b, c], [c, d], [d, a]] {
            edges.push(Shape::line_segment(ends, Stroke::new(1.0, color)));
        }
    }
    painter.add(Shape::mesh(mesh));
    painter.extend(edges);
}

/// How large joints and glyphs are drawn, 0.4 to 1: where bones are short on the screen, dots of
/// full size would hide them.
pub fn ink(lens: &Lens, scene: &Scene<'_>) -> f32 {
    let target = lens.eye + lens.forward * lens.distance;
    let bone = scene.unit * lens.points_per_metre(target);
    if bone.is_finite() { (bone / 40.0).clamp(0.4, 1.0) as f32 } else { 1.0 }
}

/// Joints as dots, and what attachments and entities are: their glyphs.
/// `ink` is their size, as [`ink`] gives it.
pub fn joints(painter: &Painter, cx: &Cx<'_>, scene: &Scene<'_>, hovered: Option<usize>, ink: f32) {
    let theme = cx.theme;
    for item in scene
        .items
        .iter()
        .filter(|item| !item.selected)
        .chain(scene.items.iter().filter(|item| item.selected))
    {
        let Some(at) = item.at else { continue };
        if hovered == Some(item.index) {
            painter.circle_stroke(at, 8.0, Stroke::new(1.0, theme.text));
        }
        let color = if item.selected { theme.selection } else { theme.key };
        let color = heat(cx, item.index).unwrap_or(color);
        match item.kind {
            Kind::Node(NodeKind::Joint) => {
                let radius = if item.selected { 5.0 } else { 4.0 };
                painter.circle(at, radius * ink, color, Stroke::new(1.0, theme.ground));
            }
            Kind::Node(NodeKind::Attachment) => {
                widgets::diamond_sized(painter, at, 4.5 * ink, color);
            }
            Kind::Node(NodeKind::Entity) | Kind::Part => {
                let side = 6.0 * ink;
                painter.rect_filled(Rect::from_center_size(at, vec2(side, side)), 1.0, color);
            }
        }
    }
}

/// Words beside things: models always, names on request and of what is selected.
pub fn labels(painter: &Painter, lens: &Lens, cx: &Cx<'_>, scene: &Scene<'_>) {
    let theme = cx.theme;
    let names =
        cx.view().viewport.names || scene.items.first().is_some_and(|i| i.kind == Kind::Part);
    let font = FontId::proportional(crate::ui::theme::SMALL_SIZE);
    for item in &scene.items {
        let Some(at) = item.at else { continue };
        let size = (scene.half_box() * lens.points_per_metre(item.world.position)) as f32;
        let beside = at + vec2((size * 1.7).clamp(8.0, 120.0) + 6.0, 0.0);
        if let Some(model) = item.model {
            let color = match item.kind {
                Kind::Node(NodeKind::Attachment) => theme.selection,
                _ => theme.muted,
            };
            let model = text::clean(model, 40);
            painter.text(beside, Align2::LEFT_CENTER, model, font.clone(), color);
        }
        if names {
            let name = text::clean(item.id, 40);
            let color = if item.selected { theme.text } else { theme.muted };
            let place = at + vec2(0.0, 14.0);
            painter.text(place, Align2::CENTER_CENTER, name, font.clone(), color);
        }
    }
}

/// The handles.
pub fn gizmo(painter: &Painter, lens: &Lens, theme: &Theme, gizmo: &Gizmo, hot: Option<Axis>) {
    for axis in [Axis::View, Axis::One(0), Axis::One(1), Axis::One(2)] {
        let color = match axis {
            Axis::One(i) => theme.axes[i],
            Axis::View => theme.muted,
        };
        let line = gizmo.line(axis, lens);
        let is_hot = hot == Some(axis);
        let width = if is_hot { 3.5 } else { 2.0 };
        if gizmo.tool == Tool::Rotate {
            let width = if axis == Axis::View { width - 1.0 } else { width };
            for pair in line.windows(2) {
                let near = pair[0].1 && pair[1].1;
                let color = if near { color } else { color.gamma_multiply(0.18) };
                painter.line_segment([pair[0].0, pair[1].0], Stroke::new(width, color));
            }
            continue;
        }
        match line[..] {
            [(foot, _), (tip, _)] => {
                painter.line_segment([foot, tip], Stroke::new(width, color));
                let size = if is_hot { 6.0 } else { 5.0 };
                if gizmo.tool == Tool::Scale {
                    let head = Rect::from_center_size(tip, vec2(2.0 * size, 2.0 * size));
                    painter.rect_filled(head, 1.0, color);
                } else {
                    arrow_head(painter, foot, tip, size, color);
                }
            }
            [(at, _)] => {
                let radius = if is_hot { 8.0 } else { 6.0 };
                painter.circle_stroke(at, radius, Stroke::new(1.5, theme.text));
            }
            _ => {}
        }
    }
}

fn arrow_head(painter: &Painter, foot: Pos2, tip: Pos2, size: f32, color: Color32) {
    let way = (tip - foot).normalized();
    if way == vec2(0.0, 0.0) {
        painter.circle_filled(tip, size, color);
        return;
    }
    let side = way.rot90() * size;
    let back = tip - way * (size * 2.2);
    let points = vec![tip, back + side, back - side];
    painter.add(epaint::PathShape::convex_polygon(points, color, Stroke::NONE));
}

/// A line through the stage along the axis that a drag is bound to.
pub fn bound_axis(painter: &Painter, lens: &Lens, theme: &Theme, bound: (DVec3, DVec3, usize)) {
    let (through, way, axis) = bound;
    let far = way * (lens.distance * 100.0);
    if let Some(ends) = lens.segment(through - far, through + far) {
        painter.line_segment(ends, Stroke::new(1.0, theme.axes[axis].gamma_multiply(0.5)));
    }
}

/// Where the ends of the axis cross are: each axis' tip, and whether it points this way.
pub fn cross_tips(rect: Rect, lens: &Lens) -> (Pos2, [(Pos2, bool); 3]) {
    let center = pos2(rect.right() - 46.0, rect.top() + 78.0);
    let tip = |way: DVec3| {
        let at = center + vec2(way.dot(lens.right) as f32, -way.dot(lens.up) as f32) * 30.0;
        (at, way.dot(lens.forward) <= 1e-6)
    };
    (center, [tip(DVec3::X), tip(DVec3::Y), tip(DVec3::Z)])
}

/// The small cross that shows where X, Y and Z point.
pub fn cross(painter: &Painter, rect: Rect, lens: &Lens, theme: &Theme) {
    let (center, tips) = cross_tips(rect, lens);
    let font = FontId::proportional(crate::ui::theme::SMALL_SIZE);
    for near in [false, true] {
        for (axis, (at, _)) in tips.iter().enumerate().filter(|(_, (_, n))| *n == near) {
            let color = theme.axes[axis];
            painter.line_segment([center, *at], Stroke::new(2.0, color));
            let beyond = *at + (*at - center).normalized() * 9.0;
            painter.text(beyond, Align2::CENTER_CENTER, ["X", "Y", "Z"][axis], font.clone(), color);
        }
    }
}

/// Where the camera looks from, in words.
pub fn view_name(lens: &Lens) -> &'static str {
    if !lens.orthographic {
        return "Perspective";
    }
    let along = |way: DVec3| lens.forward.dot(way) > 0.9999;
    match () {
        () if along(DVec3::NEG_Z) => "Front",
        () if along(DVec3::NEG_X) => "Side",
        () if along(DVec3::NEG_Y) => "Top",
        () => "Orthographic",
    }
}

/// Yaw and pitch of the view from the front, from the side and from above, in radians.
pub const FRONT: (f64, f64) = (0.0, 0.0);
/// See [`FRONT`].
pub const SIDE: (f64, f64) = (FRAC_PI_2, 0.0);
/// See [`FRONT`].
pub const TOP: (f64, f64) = (0.0, FRAC_PI_2);

/// Poses around the playhead: those before in one colour, those after in another.
pub fn ghosts(painter: &Painter, lens: &Lens, cx: &Cx<'_>, scene: &Scene<'_>) {
    let Some(duration_secs) = cx.duration_secs() else { return };
    let step = 4.0 / cx.view().timeline.usable_fps();
    let mut world = Vec::new();
    for ghost in [-3i32, -2, -1, 3, 2, 1] {
        let time = cx.playhead_secs() + f64::from(ghost) * step;
        if !(0.0..=duration_secs).contains(&time) {
            continue;
        }
        cx.stage.world_at(time, &mut world);
        let base = if ghost < 0 { cx.theme.ghost_before } else { cx.theme.ghost_after };
        let color = base.gamma_multiply(0.75 - 0.2 * ghost.unsigned_abs() as f32);
        for item in scene.items.iter().filter(|item| !item.hidden) {
            let parent = cx.stage.parent(item.index);
            let ends = parent.and_then(|p| Some((world.get(p)?, world.get(item.index)?)));
            if let Some((a, b)) = ends
                && let Some(ends) = lens.segment(a.position, b.position)
            {
                painter.line_segment(ends, Stroke::new(1.2, color));
            }
        }
    }
}

/// The colour of how far a joint of a conversion's result is off at the playhead.
fn heat(cx: &Cx<'_>, index: usize) -> Option<Color32> {
    let beside = cx.conversions.beside().filter(|_| cx.conversions.heat)?;
    let share = beside.heat.get(index).copied().flatten()?;
    Some(crate::ui::convert::heat(cx, share))
}

/// What a conversion's result was made of, behind it.
pub fn source(painter: &Painter, lens: &Lens, cx: &Cx<'_>, scene: &Scene<'_>) {
    let Some(beside) = cx.conversions.beside() else { return };
    let place = |index: usize| beside.world.get(index).copied().flatten();
    let color = cx.theme.ghost_before;
    for item in scene.items.iter().filter(|item| !item.hidden) {
        let Some(own) = place(item.index) else { continue };
        if let Some(parent) = cx.stage.parent(item.index).and_then(place)
            && let Some(ends) = lens.segment(parent.position, own.position)
        {
            painter.line_segment(ends, Stroke::new(3.0, color));
        }
        if let Some(at) = lens.project(own.position) {
            painter.circle_stroke(at, 5.0, Stroke::new(1.5, color));
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // A panic is a failed test.
    use super::*;
    use crate::ui::state::Camera;

    /// A box shows the sides that are nearer, not those behind them.
    #[test]
    fn the_near_sides_of_a_box_are_those_that_are_seen() {
        for (yaw, pitch) in [(0.4, 0.3), (2.0, -0.5), (-1.0, 0.8)] {
            let target = DVec3::ZERO;
            let camera = Camera { target, yaw, pitch, distance: 8.0, orthographic: false };
            let lens = Lens::new(&camera, Rect::from_min_size(pos2(0.0, 0.0), vec2(400.0, 300.0)));
            let mut seen = 0;
            for side in SIDES {
                let corners = side.map(|i| DVec3::from(CORNERS[i]));
                let middle = corners.iter().sum::<DVec3>() / 4.0;
                // Outwards is away from the middle of the box.
                let outside = middle.dot(lens.eye - middle) > 0.0;
                let [a, b, c, _] = corners.map(|corner| lens.project(corner).unwrap());
                assert_eq!(looks_here([a, b, c]), outside, "{side:?} from {yaw}, {pitch}");
                seen += usize::from(outside);
            }
            assert_eq!(seen, 3);
        }
    }
}
