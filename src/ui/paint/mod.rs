//! Drawing egui's meshes on the CPU, for tests, screenshots and pictures without a display.
//!
//! It does what egui's own shader does: colours are premultiplied and multiplied in gamma space,
//! pixels belong to a triangle by the top-left rule, clip rectangles are rounded to pixels.

mod raster;

use eframe::egui::epaint::textures::{
    TextureFilter, TextureOptions, TextureWrapMode, TexturesDelta,
};
use eframe::egui::epaint::{ClippedPrimitive, Primitive};
use eframe::egui::{Color32, ImageData, TextureId};
use std::collections::HashMap;

/// A picture: rows from the top, four bytes a pixel (red, green, blue, alpha; premultiplied).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Pixels in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// `width × height` pixels.
    pub pixels: Vec<Color32>,
}

impl Picture {
    /// A picture of one colour.
    pub fn new(width: usize, height: usize, color: Color32) -> Picture {
        Picture { width, height, pixels: vec![color; width * height] }
    }

    /// The bytes, as picture files hold them.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.pixels.iter().flat_map(|pixel| pixel.to_array()).collect()
    }
}

/// A texture as egui gave it.
pub(crate) struct Texture {
    width: usize,
    height: usize,
    pixels: Vec<Color32>,
    options: TextureOptions,
}

impl Texture {
    fn pixel(&self, x: isize, y: isize) -> Color32 {
        let wrap = |at: isize, size: usize| -> Option<usize> {
            let size = size as isize;
            if size == 0 {
                return None;
            }
            let at = match self.options.wrap_mode {
                TextureWrapMode::ClampToEdge => at.clamp(0, size - 1),
                TextureWrapMode::Repeat => at.rem_euclid(size),
                TextureWrapMode::MirroredRepeat => {
                    let at = at.rem_euclid(2 * size);
                    if at < size { at } else { 2 * size - 1 - at }
                }
            };
            Some(at as usize)
        };
        match (wrap(x, self.width), wrap(y, self.height)) {
            (Some(x), Some(y)) => {
                self.pixels.get(y * self.width + x).copied().unwrap_or(Color32::TRANSPARENT)
            }
            _ => Color32::TRANSPARENT,
        }
    }

    /// The colour at a place from 0 to 1, each channel from 0 to 255.
    pub(crate) fn sample(&self, u: f32, v: f32) -> [f32; 4] {
        let (x, y) = (u * self.width as f32, v * self.height as f32);
        if self.options.magnification == TextureFilter::Nearest {
            return self.pixel(x.floor() as isize, y.floor() as isize).to_array().map(f32::from);
        }
        let (x, y) = (x - 0.5, y - 0.5);
        let (left, top) = (x.floor(), y.floor());
        let (right_part, bottom_part) = (x - left, y - top);
        let (left, top) = (left as isize, top as isize);
        let mut color = [0.0; 4];
        for (dx, dy, part) in [
            (0, 0, (1.0 - right_part) * (1.0 - bottom_part)),
            (1, 0, right_part * (1.0 - bottom_part)),
            (0, 1, (1.0 - right_part) * bottom_part),
            (1, 1, right_part * bottom_part),
        ] {
            if part > 0.0 {
                let pixel = self.pixel(left + dx, top + dy).to_array();
                for (sum, channel) in color.iter_mut().zip(pixel) {
                    *sum += part * f32::from(channel);
                }
            }
        }
        color
    }
}

/// Paints egui's output; it keeps the textures between pictures, as egui expects.
#[derive(Default)]
pub struct Painter {
    textures: HashMap<TextureId, Texture>,
}

impl Painter {
    /// No textures yet.
    pub fn new() -> Painter {
        Painter::default()
    }

    /// Takes over new and changed textures, and drops those that egui frees.
    pub fn update(&mut self, delta: &mut TexturesDelta) {
        let mut set: Vec<_> = delta.set.drain().collect();
        set.sort_by_key(|(id, _)| format!("{id:?}"));
        for (id, changes) in set {
            for change in changes {
                let ImageData::Color(image) = change.image;
                let [width, height] = image.size;
                match change.pos {
                    None => {
                        let pixels = image.pixels.clone();
                        let texture = Texture { width, height, pixels, options: change.options };
                        self.textures.insert(id, texture);
                    }
                    Some([left, top]) => {
                        let Some(texture) = self.textures.get_mut(&id) else { continue };
                        texture.options = change.options;
                        for (row, line) in image.pixels.chunks(width.max(1)).enumerate() {
                            let start = (top + row) * texture.width + left;
                            if let Some(place) = texture.pixels.get_mut(start..start + line.len()) {
                                place.copy_from_slice(line);
                            }
                        }
                    }
                }
            }
        }
        for id in delta.free.drain() {
            self.textures.remove(&id);
        }
    }

    /// Paints tessellated shapes over a picture. Paint callbacks are left out: they need a GPU.
    pub fn paint(
        &self,
        picture: &mut Picture,
        primitives: &[ClippedPrimitive],
        pixels_per_point: f32,
    ) {
        for primitive in primitives {
            let Primitive::Mesh(mesh) = &primitive.primitive else { continue };
            let Some(texture) = self.textures.get(&mesh.texture_id) else { continue };
            let clip = primitive.clip_rect;
            let edge = |at: f32, most: usize| -> usize {
                (at * pixels_per_point).round().clamp(0.0, most as f32) as usize
            };
            let clip = raster::Clip {
                left: edge(clip.min.x, picture.width),
                top: edge(clip.min.y, picture.height),
                right: edge(clip.max.x, picture.width),
                bottom: edge(clip.max.y, picture.height),
            };
            for corners in mesh.indices.chunks_exact(3) {
                let vertex = |index: u32| mesh.vertices.get(index as usize);
                let (Some(a), Some(b), Some(c)) =
                    (vertex(corners[0]), vertex(corners[1]), vertex(corners[2]))
                else {
                    continue;
                };
                raster::triangle(picture, texture, &clip, [a, b, c], pixels_per_point);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eframe::egui::{self, Rect, pos2, vec2};

    fn shot(size: [f32; 2], scale: f32, add: impl FnMut(&mut egui::Ui)) -> Picture {
        let ctx = egui::Context::default();
        let screen = Rect::from_min_size(pos2(0.0, 0.0), vec2(size[0], size[1]));
        let mut input = egui::RawInput { screen_rect: Some(screen), ..egui::RawInput::default() };
        if let Some(viewport) = input.viewports.get_mut(&egui::ViewportId::ROOT) {
            viewport.native_pixels_per_point = Some(scale);
        }
        let mut output = ctx.run_ui(input, add);
        let mut painter = Painter::new();
        painter.update(&mut output.textures_delta);
        let primitives = ctx.tessellate(output.shapes, output.pixels_per_point);
        let (width, height) = ((size[0] * scale) as usize, (size[1] * scale) as usize);
        let mut picture = Picture::new(width, height, Color32::BLACK);
        painter.paint(&mut picture, &primitives, output.pixels_per_point);
        picture
    }

    fn at(picture: &Picture, x: usize, y: usize) -> Color32 {
        picture.pixels[y * picture.width + x]
    }

    #[test]
    fn rectangles_are_filled_and_clipped() {
        let picture = shot([40.0, 40.0], 1.0, |ui| {
            let area = Rect::from_min_max(pos2(5.0, 5.0), pos2(15.0, 15.0));
            let painter = ui.painter().with_clip_rect(area);
            let all = Rect::from_min_max(pos2(0.0, 0.0), pos2(40.0, 40.0));
            painter.rect_filled(all, 0.0, Color32::from_rgb(10, 200, 30));
        });
        let green = picture.pixels.iter().filter(|p| **p == Color32::from_rgb(10, 200, 30)).count();
        assert_eq!(green, 100);
        assert_eq!(at(&picture, 5, 5), Color32::from_rgb(10, 200, 30));
        assert_eq!(at(&picture, 4, 5), Color32::BLACK);
        assert_eq!(at(&picture, 15, 14), Color32::BLACK);
    }

    #[test]
    fn triangles_that_share_an_edge_paint_each_pixel_once() {
        // Half-transparent, so that a pixel painted twice would be brighter.
        let picture = shot([40.0, 40.0], 1.0, |ui| {
            let color = Color32::from_white_alpha(128);
            let mut mesh = egui::Mesh::default();
            for (x, y) in [(3.3, 2.7), (33.1, 5.2), (30.9, 35.8), (6.4, 31.6)] {
                mesh.colored_vertex(pos2(x, y), color);
            }
            mesh.add_triangle(0, 1, 2);
            mesh.add_triangle(0, 2, 3);
            ui.painter().add(egui::Shape::mesh(mesh));
        });
        let mut seen: Vec<Color32> = picture.pixels.clone();
        seen.sort_by_key(|c| c.to_array());
        seen.dedup();
        assert_eq!(seen.len(), 2, "only ground and half white: {seen:?}");
        assert_eq!(at(&picture, 20, 20).r(), 128);
    }

    #[test]
    fn words_are_painted_at_any_scale() {
        for scale in [1.0, 2.0] {
            let picture = shot([120.0, 40.0], scale, |ui| {
                ui.label(egui::RichText::new("Hand").size(20.0).color(Color32::WHITE));
            });
            let lit = picture.pixels.iter().filter(|p| p.r() > 200).count() as f32;
            assert!(lit > 60.0 * scale * scale && lit < 600.0 * scale * scale, "{scale}: {lit}");
        }
    }
}
