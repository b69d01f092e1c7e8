//! One triangle.

use super::{Picture, Texture};
use eframe::egui::Color32;
use eframe::egui::epaint::Vertex;

/// The pixels that may be painted: from, and up to but without.
pub(super) struct Clip {
    pub left: usize,
    pub top: usize,
    pub right: usize,
    pub bottom: usize,
}

/// Parts of a pixel that corners are rounded to: whole numbers, so that two triangles agree on the
/// edge between them.
const STEPS: f32 = 256.0;
/// Farther outside than this, in pixels, a corner is not a place on the screen.
const FAR: f32 = 1e6;

struct Edge {
    /// Change for one pixel to the right and one down.
    dx: i64,
    dy: i64,
    /// The value at the middle of the first pixel.
    start: i64,
}

/// Twice the area left of the edge from `a` to `b`, growing to the inside; pixels on the edge
/// belong to it where it is a top or a left one.
fn edge(a: [i64; 2], b: [i64; 2], first: [i64; 2]) -> Edge {
    let (along_x, along_y) = (b[0] - a[0], b[1] - a[1]);
    let top_or_left = along_y < 0 || (along_y == 0 && along_x > 0);
    let value = along_x * (first[1] - a[1]) - along_y * (first[0] - a[0]);
    let step = STEPS as i64;
    Edge { dx: -along_y * step, dy: along_x * step, start: value - i64::from(!top_or_left) }
}

/// Paints a triangle.
pub(super) fn triangle(
    picture: &mut Picture,
    texture: &Texture,
    clip: &Clip,
    corners: [&Vertex; 3],
    pixels_per_point: f32,
) {
    let mut places = [[0_i64; 2]; 3];
    for (place, corner) in places.iter_mut().zip(corners) {
        let (x, y) = (corner.pos.x * pixels_per_point, corner.pos.y * pixels_per_point);
        if !(x.abs() < FAR && y.abs() < FAR) {
            return;
        }
        *place = [(x * STEPS).round() as i64, (y * STEPS).round() as i64];
    }
    let area = (places[1][0] - places[0][0]) * (places[2][1] - places[0][1])
        - (places[1][1] - places[0][1]) * (places[2][0] - places[0][0]);
    if area == 0 {
        return;
    }
    // One way round only: the shader does not cull either.
    let (places, corners) = if area > 0 {
        (places, corners)
    } else {
        ([places[0], places[2], places[1]], [corners[0], corners[2], corners[1]])
    };
    let area = area.abs();

    let step = STEPS as i64;
    let least = |axis: usize| places.iter().map(|p| p[axis]).min().unwrap_or(0);
    let most = |axis: usize| places.iter().map(|p| p[axis]).max().unwrap_or(0);
    let inside = |at: i64, low: usize, high: usize| (at.max(low as i64) as usize).min(high);
    let left = inside(least(0).div_euclid(step), clip.left, clip.right);
    let right = inside(most(0).div_euclid(step) + 1, clip.left, clip.right);
    let top = inside(least(1).div_euclid(step), clip.top, clip.bottom);
    let bottom = inside(most(1).div_euclid(step) + 1, clip.top, clip.bottom);
    if left >= right || top >= bottom {
        return;
    }

    let first = [left as i64 * step + step / 2, top as i64 * step + step / 2];
    // Each edge stands across from the corner that it weighs.
    let edges = [
        edge(places[1], places[2], first),
        edge(places[2], places[0], first),
        edge(places[0], places[1], first),
    ];
    let color = corners.map(|corner| corner.color.to_array().map(f32::from));
    let flat = color[0] == color[1] && color[1] == color[2];
    let uv = corners.map(|corner| [corner.uv.x, corner.uv.y]);
    // Everything but words and pictures lies on one white spot of the texture.
    let spot = (uv[0] == uv[1] && uv[1] == uv[2]).then(|| texture.sample(uv[0][0], uv[0][1]));
    let constant = match spot {
        Some(spot) if flat => Some(multiply(color[0], spot)),
        _ => None,
    };

    let per_area = 1.0 / area as f32;
    for y in top..bottom {
        let down = (y - top) as i64;
        let mut values = edges.each_ref().map(|edge| edge.start + edge.dy * down);
        let row = y * picture.width;
        for x in left..right {
            if values.iter().all(|value| *value >= 0) {
                let source = constant.unwrap_or_else(|| {
                    let weights = values.map(|value| value as f32 * per_area);
                    let blend = |channel: usize| -> f32 {
                        weights.iter().zip(&color).map(|(w, c)| w * c[channel]).sum()
                    };
                    let vertex = if flat { color[0] } else { std::array::from_fn(blend) };
                    let texel = spot.unwrap_or_else(|| {
                        let place = |axis: usize| -> f32 {
                            weights.iter().zip(&uv).map(|(w, uv)| w * uv[axis]).sum()
                        };
                        texture.sample(place(0), place(1))
                    });
                    multiply(vertex, texel)
                });
                if let Some(pixel) = picture.pixels.get_mut(row + x) {
                    *pixel = over(source, *pixel);
                }
            }
            for (value, edge) in values.iter_mut().zip(&edges) {
                *value += edge.dx;
            }
        }
    }
}

fn multiply(a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
    std::array::from_fn(|channel| a[channel] * b[channel] / 255.0)
}

/// A premultiplied colour over a pixel.
fn over(source: [f32; 4], ground: Color32) -> Color32 {
    let rest = 1.0 - source[3] / 255.0;
    let ground = ground.to_array();
    let mixed: [u8; 4] = std::array::from_fn(|channel| {
        // A conversion from f32 stops at 0 and 255.
        (source[channel] + rest * f32::from(ground[channel])).round() as u8
    });
    Color32::from_rgba_premultiplied(mixed[0], mixed[1], mixed[2], mixed[3])
}
