//! The real application without a display: its accessibility tree, its keys and its pointer, its
//! pictures.
#![allow(dead_code)] // Each test file uses its own part.

pub mod pointer;
pub mod timeline;

use egui_kittest::{Harness, TestRenderer};
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use posewright::ui::paint::{Painter, Picture};
use posewright::ui::{App, Config, Dialogs, ScriptedDialogs};
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;

pub use eframe::egui::{self, Key, Modifiers};
pub use egui_kittest::kittest::Queryable;

/// Keeps the textures for the pictures.
struct Textures(Rc<RefCell<Painter>>);

impl TestRenderer for Textures {
    fn handle_delta(&mut self, delta: &mut egui::TexturesDelta) {
        self.0.borrow_mut().update(delta);
    }
}

/// The application, made in the first frame: its fonts are there from the second on.
pub struct Running {
    app: Option<App>,
    start: Option<Start>,
}

struct Start {
    config: Config,
    dialogs: Box<dyn Dialogs>,
    files: Vec<PathBuf>,
}

/// The application under test.
pub struct Window {
    pub harness: Harness<'static, Running>,
    painter: Rc<RefCell<Painter>>,
}

impl Window {
    /// Starts it with these answers to its file dialogs, and opens files.
    pub fn start(config: Config, answers: &[&[PathBuf]], files: &[PathBuf]) -> Window {
        Window::sized(config, answers, files, [1280.0, 800.0])
    }

    pub fn sized(
        config: Config,
        answers: &[&[PathBuf]],
        files: &[PathBuf],
        size: [f32; 2],
    ) -> Window {
        let answers = answers.iter().map(|paths| paths.to_vec()).collect();
        let dialogs = Box::new(ScriptedDialogs { answers });
        let start = Start { config, dialogs, files: files.to_vec() };
        let painter = Rc::new(RefCell::new(Painter::new()));
        let harness = Harness::builder()
            .with_size(egui::Vec2::from(size))
            .with_max_steps(40)
            .renderer(Textures(painter.clone()))
            .build_ui_state(
                |ui, running: &mut Running| match (&mut running.app, running.start.take()) {
                    (Some(app), _) => {
                        app.tick(ui.ctx());
                        app.show(ui);
                    }
                    (None, Some(start)) => {
                        let mut app = App::new(ui.ctx(), start.config, start.dialogs);
                        app.open_at_start(start.files);
                        running.app = Some(app);
                        ui.ctx().request_repaint();
                    }
                    (None, None) => {}
                },
                Running { app: None, start: Some(start) },
            );
        let mut window = Window { harness, painter };
        window.run();
        window
    }

    pub fn app(&self) -> &App {
        self.harness.state().app.as_ref().expect("started")
    }

    pub fn app_mut(&mut self) -> &mut App {
        self.harness.state_mut().app.as_mut().expect("started")
    }

    /// Frames until nothing moves.
    pub fn run(&mut self) {
        self.harness.run_ok();
        // Files, and what is wrong with them, come from other threads.
        let start = std::time::Instant::now();
        let behind = |app: &App| app.is_opening() || app.derived().is_behind();
        while self.harness.state().app.as_ref().is_some_and(behind) {
            assert!(start.elapsed().as_secs() < 60, "still opening or reckoning");
            std::thread::sleep(std::time::Duration::from_millis(5));
            self.harness.run_ok();
        }
    }

    /// Clicks what is called this.
    pub fn click(&mut self, label: &str) {
        self.harness.get_by_label(label).click();
        self.run();
    }

    /// Clicks the first thing whose name begins so.
    pub fn click_like(&mut self, part: &str) {
        let node = self.harness.get_all_by_label_contains(part).next().expect("such a thing");
        node.click();
        self.run();
    }

    pub fn sees(&self, part: &str) -> bool {
        self.harness.query_all_by_label_contains(part).next().is_some()
    }

    pub fn key(&mut self, key: Key) {
        self.keys(Modifiers::NONE, key);
    }

    pub fn keys(&mut self, modifiers: Modifiers, key: Key) {
        self.harness.key_press_modifiers(modifiers, key);
        self.run();
    }

    /// Types into what has the focus.
    pub fn type_text(&mut self, text: &str) {
        self.harness.event(egui::Event::Text(text.to_owned()));
        self.run();
    }

    /// Frames until `done`, at most ten seconds of the clock: for what other threads do.
    pub fn wait(&mut self, what: &str, done: impl Fn(&Window) -> bool) {
        let start = std::time::Instant::now();
        while !done(self) {
            assert!(start.elapsed().as_secs() < 10, "still not so: {what}");
            std::thread::sleep(std::time::Duration::from_millis(20));
            self.run();
        }
    }

    /// What is on the screen.
    pub fn picture(&mut self) -> Picture {
        self.harness.remove_cursor();
        self.run();
        let output = self.harness.output();
        let scale = output.pixels_per_point;
        let size = self.harness.ctx.viewport_rect().size() * scale;
        let primitives = self.harness.ctx.tessellate(output.shapes.clone(), scale);
        let mut picture =
            Picture::new(size.x.round() as usize, size.y.round() as usize, egui::Color32::BLACK);
        self.painter.borrow().paint(&mut picture, &primitives, scale);
        without_edge(&picture, (HARNESS_EDGE * scale).round() as usize)
    }
}

/// What the harness leaves free around what it shows, in points.
const HARNESS_EDGE: f32 = 8.0;

/// A picture without what lies within `edge` pixels of its border.
fn without_edge(picture: &Picture, edge: usize) -> Picture {
    let (width, height) = (picture.width - 2 * edge, picture.height - 2 * edge);
    let rows = picture.pixels.chunks(picture.width).skip(edge).take(height);
    let pixels = rows.flat_map(|row| &row[edge..edge + width]).copied().collect();
    Picture { width, height, pixels }
}

/// The part of all pixels that differ by more than 16 of 255 in a channel.
pub fn difference(a: &Picture, b: &Picture) -> f64 {
    if (a.width, a.height) != (b.width, b.height) {
        return 1.0;
    }
    let far = |(a, b): (&egui::Color32, &egui::Color32)| {
        a.to_array().iter().zip(b.to_array()).any(|(a, b)| a.abs_diff(b) > 16)
    };
    a.pixels.iter().zip(&b.pixels).filter(|pair| far(*pair)).count() as f64
        / a.pixels.len().max(1) as f64
}

/// The part of the window's picture that shows a rectangle of the screen, in points.
pub fn cut(picture: &Picture, rect: egui::Rect) -> Picture {
    let at = |point: f32| (point - HARNESS_EDGE).max(0.0).round() as usize;
    let (left, top) = (at(rect.left()), at(rect.top()));
    let (right, bottom) =
        (at(rect.right()).min(picture.width), at(rect.bottom()).min(picture.height));
    let rows = picture.pixels.chunks(picture.width).take(bottom).skip(top);
    let pixels = rows.flat_map(|row| &row[left..right]).copied().collect();
    Picture { width: right - left, height: bottom - top, pixels }
}

/// Writes a picture as PNG.
pub fn store(picture: &Picture, file: &Path) {
    let (width, height) = (picture.width as u32, picture.height as u32);
    let image = image::RgbaImage::from_raw(width, height, picture.to_bytes()).expect("its size");
    // Small files: they are kept beside the code.
    let out = std::io::BufWriter::new(std::fs::File::create(file).expect("made"));
    let (thorough, filter) = (CompressionType::Best, FilterType::Adaptive);
    image.write_with_encoder(PngEncoder::new_with_quality(out, thorough, filter)).expect("stored");
}

/// Reads a picture.
pub fn load(file: &Path) -> Picture {
    let stored = image::open(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    let stored = stored.to_rgba8();
    let pixel = |p: &image::Rgba<u8>| {
        egui::Color32::from_rgba_premultiplied(p.0[0], p.0[1], p.0[2], p.0[3])
    };
    Picture {
        width: stored.width() as usize,
        height: stored.height() as usize,
        pixels: stored.pixels().map(pixel).collect(),
    }
}

/// Compares with the stored picture of that name: at most 0.5% of the pixels may differ. With
/// `UPDATE_PICTURES=1` it is stored anew.
pub fn assert_picture(picture: &Picture, name: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/pictures/{name}.png"));
    if std::env::var_os("UPDATE_PICTURES").is_some() {
        store(picture, &file);
        return;
    }
    let stored = load(&file);
    let part = difference(picture, &stored);
    if part > 0.005 {
        let seen = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.png"));
        store(picture, &seen);
        panic!("{:.2}% of {name} differ; see {}", part * 100.0, seen.display());
    }
}

/// A folder for one test, with settings of its own.
pub struct Place {
    pub folder: tempfile::TempDir,
}

impl Place {
    pub fn new() -> Place {
        Place { folder: tempfile::tempdir().expect("a folder") }
    }

    pub fn config(&self) -> Config {
        Config {
            settings_folder: Some(self.path("settings")),
            recovery_folder: Some(self.path("recovery")),
            samples_folder: Some(self.path("samples")),
            watch: false,
        }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(&path, text).expect("written");
        path
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("read")
    }
}

pub const RIG: &str = "name: Arm\nnodes:\n  - id: hand\n    kind: joint\n    position: [0, 1, 0]\n";

/// A clip whose keys stand in the wrong order, one of them twice, one vector over several lines.
pub const BROKEN: &str = "\
# A broken clip.
binding: arm.rig
model: Arm
duration: 2
loop: false
tracks:
  - part: hand
    property: position
    interpolation: linear
    keys:
      - time: 1  # later
        value: [1, 0, 0]
      - time: 0
        value: [0, 0, 0]
  - part: hand
    property: scale
    interpolation: linear
    keys:
      - time: 0
        value:
          - 1
          - 1
          - 1
";
