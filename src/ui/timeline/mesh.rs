//! Shapes put into one mesh by hand: keys and lines by the thousand.

use eframe::egui::{Color32, Mesh, Pos2, Vec2, pos2, vec2};

/// From the middle of a key to its corner, in points: 11 points across.
pub const KEY_RADIUS: f32 = 5.5;

/// A diamond with soft edges.
pub fn diamond(mesh: &mut Mesh, center: Pos2, radius: f32, color: Color32) {
    if !(center.x.is_finite() && center.y.is_finite()) {
        return;
    }
    let first = mesh.vertices.len() as u32;
    let corners = [vec2(0.0, -1.0), vec2(1.0, 0.0), vec2(0.0, 1.0), vec2(-1.0, 0.0)];
    for corner in corners {
        mesh.colored_vertex(center + corner * (radius - 0.6), color);
    }
    for corner in corners {
        mesh.colored_vertex(center + corner * (radius + 0.7), Color32::TRANSPARENT);
    }
    mesh.add_triangle(first, first + 1, first + 2);
    mesh.add_triangle(first, first + 2, first + 3);
    for side in 0..4 {
        let (a, b) = (first + side, first + (side + 1) % 4);
        mesh.add_triangle(a, b, b + 4);
        mesh.add_triangle(a, b + 4, a + 4);
    }
}

/// A level line of some thickness.
pub fn level(mesh: &mut Mesh, left: f32, right: f32, y: f32, thickness: f32, color: Color32) {
    if !(left.is_finite() && right.is_finite() && y.is_finite()) || right <= left {
        return;
    }
    let half = thickness / 2.0;
    let first = mesh.vertices.len() as u32;
    for (x, y) in [(left, y - half), (right, y - half), (right, y + half), (left, y + half)] {
        mesh.colored_vertex(pos2(x, y), color);
    }
    mesh.add_triangle(first, first + 1, first + 2);
    mesh.add_triangle(first, first + 2, first + 3);
}

/// A diamond of two triangles with hard edges: where thousands stand side by side nobody sees the
/// edges, but everybody waits for them.
pub fn plain_diamond(mesh: &mut Mesh, center: Pos2, radius: f32, color: Color32) {
    if !(center.x.is_finite() && center.y.is_finite()) {
        return;
    }
    let first = mesh.vertices.len() as u32;
    for corner in [vec2(0.0, -1.0), vec2(1.0, 0.0), vec2(0.0, 1.0), vec2(-1.0, 0.0)] {
        mesh.colored_vertex(center + corner * radius, color);
    }
    mesh.add_triangle(first, first + 1, first + 2);
    mesh.add_triangle(first, first + 2, first + 3);
}

/// A line through points with soft edges. Points that are no numbers break it.
pub fn polyline(mesh: &mut Mesh, points: &[Pos2], width: f32, color: Color32) {
    // Thinner than a pixel: paler instead.
    let color = if width < 1.0 { color.gamma_multiply(width) } else { color };
    let inner = (width / 2.0 - 0.5).max(0.0);
    let outer = width / 2.0 + 0.5;
    let clear = Color32::TRANSPARENT;
    let sides = [(-outer, clear), (-inner, color), (inner, color), (outer, clear)];
    strip(mesh, points, &sides);
}

/// A line through points with hard edges, at less than half the cost of a soft one.
pub fn plain_polyline(mesh: &mut Mesh, points: &[Pos2], width: f32, color: Color32) {
    strip(mesh, points, &[(-width / 2.0, color), (width / 2.0, color)]);
}

/// Bands beside each other along a line: how far each edge lies from the line, and its color.
fn strip(mesh: &mut Mesh, points: &[Pos2], edges: &[(f32, Color32)]) {
    for run in points.split(|p| !(p.x.is_finite() && p.y.is_finite())) {
        strip_of(mesh, run, edges);
    }
}

fn strip_of(mesh: &mut Mesh, points: &[Pos2], edges: &[(f32, Color32)]) {
    if points.len() < 2 {
        return;
    }
    let mut before: Option<u32> = None;
    let mut behind: Option<Vec2> = None;
    for (index, point) in points.iter().enumerate() {
        let ahead = points.get(index + 1).map(|next| {
            let along = *next - *point;
            let length = along.length();
            if length > 1e-6 { along / length } else { vec2(1.0, 0.0) }
        });
        let normal = match (behind, ahead) {
            (Some(a), Some(b)) => {
                let middle = a.rot90() + b.rot90();
                let length_sq = middle.length_sq().max(0.5);
                // Longer at a bend, so that the line keeps its width; never a spike.
                middle * (2.0 / length_sq)
            }
            (Some(one), None) | (None, Some(one)) => one.rot90(),
            (None, None) => vec2(0.0, 1.0),
        };
        behind = ahead;
        let first = mesh.vertices.len() as u32;
        for (far, color) in edges {
            mesh.colored_vertex(*point + normal * *far, *color);
        }
        if let Some(last) = before {
            for band in 0..edges.len() as u32 - 1 {
                let (a, b) = (last + band, first + band);
                mesh.add_triangle(a, a + 1, b + 1);
                mesh.add_triangle(a, b + 1, b);
            }
        }
        before = Some(first);
    }
}
