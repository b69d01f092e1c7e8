//! The stage as a picture, without a window: for `posewright render`.

use super::lens::{self, Lens};
use super::look;
use super::paint;
use super::scene::Scene;
use crate::edit::{Content, DocId, Editor, HistoryLimits};
use crate::io::picture::{Image, MAX_SIDE};
use crate::model::{Clip, Rig, Uids};
use crate::sample::take::Space;
use crate::ui::compare::Compare;
use crate::ui::convert::Conversions;
use crate::ui::cx::Cx;
use crate::ui::derived::Derived;
use crate::ui::files::Files;
use crate::ui::files::panel::Project;
use crate::ui::paint::{Painter, Picture};
use crate::ui::stage::{Stage, Wanted};
use crate::ui::state::{Camera, State, WorkspaceTab};
use crate::ui::text;
use crate::ui::theme::{self, Theme, ThemeChoice};
use eframe::egui::{self, Align2, Context, FontId, Rect, Ui, pos2, vec2};
use glam::DVec3;
use std::sync::Arc;

/// Where a picture is drawn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// Along −Z, parallel.
    Front,
    /// Along −X, parallel.
    Side,
    /// Along −Y, parallel.
    Top,
    /// From above and aside, in perspective.
    Perspective,
}

impl Look {
    fn camera(self) -> Camera {
        let first = Camera::default();
        let flat = |(yaw, pitch): (f64, f64)| Camera { yaw, pitch, orthographic: true, ..first };
        match self {
            Look::Front => flat(paint::FRONT),
            Look::Side => flat(paint::SIDE),
            Look::Top => flat(paint::TOP),
            Look::Perspective => first,
        }
    }
}

/// Moments of a clip that its camera is fitted to, besides its end.
const FITTED: u32 = 60;
/// The part of a picture's width and height that the clip may fill.
const FILLED: f32 = 0.8;
/// Below this many points to a side a picture has no words.
const SMALLEST_WITH_WORDS: f32 = 200.0;
/// Around and between the pictures of a sheet, in points.
const GAP: f32 = 16.0;
/// The height of the line under a picture of a sheet, in points.
const LINE: f32 = 20.0;
/// Least points to the side of a picture of a sheet that leaves room for words.
const NARROWEST: f32 = 90.0;

/// Draws a clip on its rig, a rig at rest, or an export, as the viewport shows it.
pub struct Renderer {
    ctx: Context,
    painter: Painter,
    scene: World,
    look: Look,
    through: Option<usize>,
    size: [u32; 2],
    scale: f32,
}

/// What a panel would read.
struct World {
    editor: Editor,
    state: State,
    theme: Theme,
    stage: Stage,
    derived: Derived,
    conversions: Conversions,
    files: Files,
    project: Project,
    compare: Compare,
    export: Option<DocId>,
    clip: Option<DocId>,
    rig: Option<DocId>,
    duration_secs: f64,
    /// The camera that was fitted last, and to which place.
    fitted: Option<(Rect, Camera)>,
}

/// From where a picture is drawn.
#[derive(Clone, Copy)]
enum Eye {
    Free(Camera),
    /// A camera of the export, by its place in the file.
    Through(usize),
}

impl World {
    fn new(clip: Option<Clip>, rig: Option<Rig>) -> World {
        let mut world = World::empty();
        world.duration_secs = clip.as_ref().map_or(0.0, |clip| clip.duration_secs);
        let World { editor, state, .. } = &mut world;
        let mut open = |content: Content| editor.open(None, None, content, Uids::default());
        let rig = rig.map(|rig| open(Content::Rig(Arc::new(rig))));
        let clip = clip.map(|clip| open(Content::Clip(Arc::new(clip))));
        state.active = clip.or(rig);
        if let Some(clip) = clip {
            // What a clip is shown on was looked up by who called.
            state.view_mut(clip).viewport.stage_rig = rig;
        }
        (world.clip, world.rig) = (clip, rig);
        world
    }

    fn of_export(content: Content, space: Option<Space>) -> World {
        let mut world = World::empty();
        let doc = world.editor.open(None, None, content, Uids::default());
        world.state.active = Some(doc);
        world.state.view_mut(doc).space = space;
        world.export = Some(doc);
        world.go_to(0.0);
        world.duration_secs = world.stage.export.as_ref().map_or(0.0, |e| e.duration_secs());
        world
    }

    fn empty() -> World {
        World {
            editor: Editor::new(HistoryLimits::default()),
            state: State::default(),
            theme: Theme::new(ThemeChoice::Dark),
            stage: Stage::default(),
            derived: Derived::default(),
            conversions: Conversions::default(),
            files: Files::default(),
            project: Project::default(),
            compare: Compare::default(),
            export: None,
            clip: None,
            rig: None,
            duration_secs: 0.0,
            fitted: None,
        }
    }

    fn go_to(&mut self, time_secs: f64) {
        let view = self.state.active.map(|doc| {
            self.state.view_mut(doc).playhead_secs = time_secs;
            &self.state.views[&doc]
        });
        let tab = WorkspaceTab::Animate;
        let (export, clip, rig) = (self.export, self.clip, self.rig);
        let wanted = Wanted { export, clip, rig, moving: false };
        self.stage.update(self.editor.workspace(), wanted, view, tab);
    }

    fn cx(&self) -> Cx<'_> {
        Cx {
            editor: &self.editor,
            state: &self.state,
            theme: &self.theme,
            stage: &self.stage,
            derived: &self.derived,
            report: None,
            conversions: &self.conversions,
            files: &self.files,
            project: &self.project,
            compare: &self.compare,
        }
    }

    /// From where all pictures in places like this one are drawn.
    fn from(&mut self, look: Look, through: Option<usize>, rect: Rect) -> Eye {
        match (through, self.fitted) {
            (Some(camera), _) => Eye::Through(camera),
            (None, Some((fitted, camera))) if fitted == rect => Eye::Free(camera),
            (None, _) => {
                let camera = self.camera(look, rect);
                self.fitted = Some((rect, camera));
                Eye::Free(camera)
            }
        }
    }

    /// A camera that sees the whole clip in a panel of this shape.
    fn camera(&mut self, look: Look, rect: Rect) -> Camera {
        let mut points = Vec::new();
        let mut unit = 0.0f64;
        let steps = if self.duration_secs > 0.0 { FITTED } else { 0 };
        for step in 0..=steps {
            self.go_to(self.duration_secs * f64::from(step) / f64::from(FITTED));
            let cx = self.cx();
            let scene = Scene::new(&cx);
            points.extend(scene.points(&[]));
            unit = unit.max(scene.half_box());
        }
        let mut camera = look.camera();
        let low = points.iter().copied().reduce(DVec3::min);
        let high = points.iter().copied().reduce(DVec3::max);
        let (Some(low), Some(high)) = (low, high) else { return camera };
        let radius = (low.distance(high) * 0.5).max(unit * 2.0);
        camera = lens::framed(&camera, (low + high) * 0.5, radius, rect);
        // A ball holds it all; most things are longer than they are wide.
        for _ in 0..4 {
            let lens = Lens::new(&camera, rect);
            let mut seen = Rect::NOTHING;
            for point in &points {
                let Some(at) = lens.project(*point) else { return camera };
                // A box may be turned: its corners reach as far as its diagonal.
                let box_size = (unit * 1.75 * lens.points_per_metre(*point)) as f32;
                seen = seen.union(Rect::from_center_size(at, vec2(1.0, 1.0) * 2.0 * box_size));
            }
            let off = seen.center() - rect.center();
            let metre = lens.points_per_metre(camera.target);
            camera.target += (lens.right * f64::from(off.x) - lens.up * f64::from(off.y)) / metre;
            let filled = (seen.width() / rect.width()).max(seen.height() / rect.height());
            camera.distance *= f64::from(filled / FILLED).clamp(0.2, 5.0);
            camera = lens::usable(&camera);
        }
        camera
    }
}

impl Renderer {
    /// Makes ready to draw a clip on a rig (a clip alone shows each part as a box, a rig alone is
    /// at rest), in pictures of this many pixels, width and height, 1 to [`MAX_SIDE`] each.
    pub fn new(clip: Option<Clip>, rig: Option<Rig>, look: Look, size: [u32; 2]) -> Renderer {
        Self::of(World::new(clip, rig), None, look, size)
    }

    /// Makes ready to draw an export: a take in a space (without one in that which is measured,
    /// A20), or a skeleton at rest; through one of its cameras, by its place in the file, or from
    /// where `look` says. Sizes as with [`Renderer::new`]; the gate is the whole picture (A40).
    pub fn of_export(
        content: Content,
        space: Option<Space>,
        camera: Option<usize>,
        look: Look,
        size: [u32; 2],
    ) -> Renderer {
        Self::of(World::of_export(content, space), camera, look, size)
    }

    fn of(scene: World, through: Option<usize>, look: Look, size: [u32; 2]) -> Renderer {
        let size = size.map(|side| side.clamp(1, MAX_SIDE));
        let ctx = Context::default();
        theme::add_fonts(&ctx);
        ctx.set_style_of(egui::Theme::Dark, Arc::new(scene.theme.style()));
        ctx.set_theme(egui::Theme::Dark);
        // Lines and words grow with the picture.
        let scale = (size[0].min(size[1]) as f32 / 720.0).max(1.0);
        let mut renderer =
            Renderer { ctx, painter: Painter::new(), scene, look, through, size, scale };
        // The fonts come with the first frame.
        renderer.draw(|_, _| {});
        renderer
    }

    /// The clip at a time, in seconds.
    pub fn moment(&mut self, time_secs: f64) -> Image {
        let (look, through) = (self.look, self.through);
        self.draw(|ui, world| {
            let rect = ui.max_rect();
            let from = world.from(look, through, rect);
            world.go_to(time_secs);
            stage(ui, &world.cx(), rect, from, true);
        })
    }

    /// Several times of the clip, in seconds, side by side, each with its time below it.
    pub fn sheet(&mut self, times_secs: &[f64]) -> Image {
        let (look, through) = (self.look, self.through);
        self.draw(|ui, world| {
            let cells = cells(ui.max_rect(), times_secs.len());
            let Some(first) = cells.first() else { return };
            let from = world.from(look, through, first.0);
            ui.painter().rect_filled(ui.max_rect(), 0.0, world.theme.panel);
            for ((rect, line), time_secs) in cells.iter().zip(times_secs) {
                world.go_to(*time_secs);
                stage(ui, &world.cx(), *rect, from, false);
                if let Some(line) = line {
                    let font = FontId::monospace(theme::LABEL_SIZE);
                    let words = time(&world.cx());
                    let color = world.theme.text;
                    let painter = ui.painter_at(*line);
                    painter.text(line.center(), Align2::CENTER_CENTER, words, font, color);
                }
            }
        })
    }

    fn draw(&mut self, mut add: impl FnMut(&mut Ui, &mut World)) -> Image {
        let [width, height] = self.size;
        let points = vec2(width as f32, height as f32) / self.scale;
        let mut input = egui::RawInput {
            screen_rect: Some(Rect::from_min_size(pos2(0.0, 0.0), points)),
            ..egui::RawInput::default()
        };
        if let Some(viewport) = input.viewports.get_mut(&egui::ViewportId::ROOT) {
            viewport.native_pixels_per_point = Some(self.scale);
        }
        let world = &mut self.scene;
        let mut output = self.ctx.run_ui(input, |ui| add(ui, world));
        self.painter.update(&mut output.textures_delta);
        let primitives = self.ctx.tessellate(output.shapes, output.pixels_per_point);
        let mut picture = Picture::new(width as usize, height as usize, self.scene.theme.ground);
        self.painter.paint(&mut picture, &primitives, output.pixels_per_point);
        Image { width, height, rgba: picture.to_bytes() }
    }
}

/// The time as pictures say it; the frame of an export is its own number.
fn time(cx: &Cx<'_>) -> String {
    let time_secs = cx.playhead_secs();
    let frame = match cx.export().and_then(|export| export.take()) {
        Some((_, rig, _)) => rig.frame_at(time_secs),
        None => time_secs * crate::model::limits::DISPLAY_FPS,
    };
    let whole = (frame - frame.round()).abs() < 1e-3;
    let frame = text::number(frame, if whole { 0 } else { 2 });
    format!("{} s · frame {frame}", text::number(time_secs, 3))
}

/// The stage at its time, seen from somewhere.
fn stage(ui: &Ui, cx: &Cx<'_>, rect: Rect, from: Eye, words: bool) {
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 0.0, cx.theme.ground);
    if rect.width() < 1.0 || rect.height() < 1.0 {
        return;
    }
    let seen = match from {
        Eye::Free(_) => None,
        Eye::Through(at) => {
            let aspect = f64::from(rect.width()) / f64::from(rect.height());
            look::seen(cx, at, aspect)
        }
    };
    let mut scene = Scene::new(cx);
    let center = scene.ball(&[]).0;
    let lens = match (&seen, from) {
        (Some((_, view)), _) => Lens::through(view, center, rect, rect),
        (None, Eye::Free(camera)) => Lens::new(&camera, rect),
        (None, Eye::Through(_)) => Lens::new(&Camera::default(), rect),
    };
    scene.project(&lens);
    paint::grid(&painter, &lens, cx.theme);
    paint::boxes(&painter, &lens, cx, &scene);
    paint::bones(&painter, &lens, cx, &scene);
    let ink = paint::ink(&lens, &scene);
    paint::joints(&painter, cx, &scene, None, ink);
    if rect.width().min(rect.height()) < SMALLEST_WITH_WORDS {
        return;
    }
    paint::labels(&painter, &lens, cx, &scene);
    if !words {
        return;
    }
    // Where the viewport has its buttons there is nothing here.
    paint::cross(&painter, rect.translate(vec2(0.0, -30.0)), &lens, cx.theme);
    let font = FontId::proportional(theme::LABEL_SIZE);
    let grid = paint::length(paint::grid_step(&lens));
    let view = match &seen {
        Some((camera, view)) => {
            let name = camera.name.as_deref().unwrap_or_default();
            format!("{} · {}° · grid {grid}", text::name(name), text::number(view.fov_deg, 1))
        }
        None => format!("{} · grid {grid}", paint::view_name(&lens)),
    };
    let color = cx.theme.muted;
    let at = rect.left_bottom() + vec2(16.0, -14.0);
    painter.text(at, Align2::LEFT_BOTTOM, view, font.clone(), color);
    if cx.duration_secs().is_some() {
        let at = rect.right_bottom() + vec2(-16.0, -14.0);
        let words = time(cx);
        painter.text(at, Align2::RIGHT_BOTTOM, words, FontId::monospace(12.0), color);
    }
}

/// The places of so many pictures, each with that of the line under it, so arranged that they
/// come out as large as they can. Where there is no room, there are no lines.
fn cells(rect: Rect, many: usize) -> Vec<(Rect, Option<Rect>)> {
    let many = many.max(1);
    let fits = |columns: usize| {
        let rows = many.div_ceil(columns);
        let gap = (rect.width().min(rect.height()) / 30.0).clamp(1.0, GAP);
        let width = (rect.width() - gap * (columns + 1) as f32) / columns as f32;
        let line = if width < NARROWEST { 0.0 } else { LINE };
        let height = (rect.height() - gap * (rows + 1) as f32) / rows as f32 - line;
        (width, height, gap, line)
    };
    // The shape that people look at: 16 to 9.
    let value = |columns: usize| {
        let (width, height, ..) = fits(columns);
        (width.min(height * 16.0 / 9.0) * 1000.0) as i64
    };
    let columns = (1..=many).max_by_key(|columns| (value(*columns), usize::MAX - columns));
    let columns = columns.unwrap_or(1);
    let (width, height, gap, line) = fits(columns);
    let (width, height) = (width.max(0.0), height.max(0.0));
    (0..many)
        .map(|at| {
            let (column, row) = ((at % columns) as f32, (at / columns) as f32);
            let left = rect.left() + gap + column * (width + gap);
            let top = rect.top() + gap + row * (height + line + gap);
            let picture = Rect::from_min_size(pos2(left, top), vec2(width, height));
            let below = Rect::from_min_size(picture.left_bottom(), vec2(width, line));
            (picture, (line > 0.0).then_some(below))
        })
        .collect()
}
