//! The CPU time of a frame of the whole window, with a full-size clip that plays: 128 tracks of
//! 512 keys, 512 nodes, 1600 × 900 points, accessibility on. Update, layout and tessellation
//! count; the driver's and the display's own time does not.
//!
//! `cargo bench --bench frame`
#![allow(clippy::unwrap_used)] // A bench that cannot go on should stop.

use eframe::egui::epaint::Primitive;
use eframe::egui::{self, Event, Pos2, RawInput, Rect, vec2};
use posewright::edit::{ClipEdit, DocId, Edit, Selection};
use posewright::ui::{Action, App, Config, PanelId, ScriptedDialogs};
use std::fmt::Write;
use std::time::{Duration, Instant};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Frames that are measured, after as many as make everything warm.
const FRAMES: usize = 600;
const WARM: usize = 60;

fn rig() -> String {
    let mut text = "name: Full\nnodes:\n".to_owned();
    for node in 0..512 {
        write!(text, "  - id: n{node}\n    kind: joint\n    position: [0.1, 0.02, 0]\n").unwrap();
        if node % 16 != 0 {
            writeln!(text, "    parent: n{}", node - 1).unwrap();
        }
    }
    text
}

fn clip() -> String {
    let mut text = "binding: full.rig\nmodel: Full\nduration: 60\nloop: true\ntracks:\n".to_owned();
    for track in 0..128_u32 {
        let property = ["rotation", "position", "scale"][track as usize % 3];
        let interpolation = ["bezier", "smooth", "linear", "step"][track as usize % 4];
        write!(
            text,
            "  - part: n{}\n    property: {property}\n    interpolation: {interpolation}\n    keys:\n",
            track * 4
        )
        .unwrap();
        for key in 0..512_u32 {
            let time = f64::from(key) * 60.0 / 512.0;
            let value = |axis: u32| {
                let wave = (f64::from(key * (axis + 2) + track * 7) * 0.13).sin();
                if property == "scale" { 1.0 + 0.4 * wave } else { wave }
            };
            writeln!(
                text,
                "      - time: {time}\n        value: [{:.6}, {:.6}, {:.6}]",
                value(0),
                value(1),
                value(2)
            )
            .unwrap();
        }
    }
    text
}

struct Window {
    ctx: egui::Context,
    app: App,
    time_secs: f64,
    /// Of the last frame.
    vertices: usize,
}

impl Window {
    /// One frame; gives its CPU time: all of it, and of that the tessellation.
    fn frame(&mut self, events: Vec<Event>) -> (Duration, Duration) {
        self.time_secs += 1.0 / 60.0;
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, vec2(1600.0, 900.0))),
            time: Some(self.time_secs),
            events,
            focused: true,
            ..RawInput::default()
        };
        let app = &mut self.app;
        let start = Instant::now();
        let output = self.ctx.run_ui(input, |ui| {
            app.tick(ui.ctx());
            app.show(ui);
        });
        let laid_out = start.elapsed();
        let primitives = self.ctx.tessellate(output.shapes, output.pixels_per_point);
        let took = start.elapsed();
        assert!(!primitives.is_empty());
        let vertices = primitives.iter().map(|primitive| match &primitive.primitive {
            Primitive::Mesh(mesh) => mesh.vertices.len(),
            Primitive::Callback(_) => 0,
        });
        self.vertices = vertices.sum();
        (took, took - laid_out)
    }

    fn measure(&mut self, what: &str) -> bool {
        for _ in 0..WARM {
            self.frame(Vec::new());
        }
        let both: Vec<_> = (0..FRAMES).map(|_| self.frame(Vec::new())).collect();
        let mut times: Vec<Duration> = both.iter().map(|(took, _)| *took).collect();
        let mut tessellation: Vec<Duration> = both.iter().map(|(_, part)| *part).collect();
        times.sort_unstable();
        tessellation.sort_unstable();
        let at = |part: f64| times[(part * (FRAMES - 1) as f64) as usize].as_secs_f64() * 1e3;
        let (median, p95) = (at(0.5), at(0.95));
        println!("{what:<34} median {median:6.2} ms   p95 {p95:6.2} ms   worst {:6.2} ms", at(1.0));
        println!(
            "  tessellation of it, median {:.2} ms; {} thousand vertices",
            tessellation[FRAMES / 2].as_secs_f64() * 1e3,
            self.vertices / 1000
        );
        median <= 8.0 && p95 <= 12.0
    }
}

impl Window {
    /// How long after an edit of one key Source and Problems show it, in milliseconds: the slowest
    /// of some.
    fn behind(&mut self, doc: DocId) -> f64 {
        self.app.push(Action::Play(false));
        self.app.push(Action::FocusPanel(PanelId::Source));
        let settle = |window: &mut Window| {
            window.frame(Vec::new());
            window.frame(Vec::new());
            while window.app.derived().is_behind() {
                std::thread::sleep(Duration::from_millis(1));
                window.frame(Vec::new());
            }
        };
        settle(self);
        let times = (0..10).map(|round| {
            let clip = self.app.editor().workspace().clip(doc).unwrap();
            let key = clip.tracks[50 + round].keys[200].uid;
            let before = self.app.derived().of(doc).unwrap().text.clone();
            let delta = glam::DVec3::new(0.25, 0.0, 0.0);
            let edit = ClipEdit::OffsetKeys { keys: vec![key], delta };
            let start = Instant::now();
            self.app.push(Action::Edit(Edit::Clip { doc, edit }));
            settle(self);
            assert!(*self.app.derived().of(doc).unwrap().text != *before);
            start.elapsed().as_secs_f64() * 1e3
        });
        times.fold(0.0, f64::max)
    }
}

fn main() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("full.rig"), rig()).unwrap();
    let file = folder.path().join("full.motion");
    std::fs::write(&file, clip()).unwrap();

    let start = Instant::now();
    let ctx = egui::Context::default();
    ctx.enable_accesskit();
    let app = App::new(&ctx, Config::default(), Box::new(ScriptedDialogs::default()));
    let made = start.elapsed();
    let mut window = Window { ctx, app, time_secs: 0.0, vertices: 0 };
    // With nothing open, as it starts: what the driver does before comes on top.
    let (first, _) = window.frame(Vec::new());
    println!(
        "making the window {:.0} ms, its first frame {:.0} ms",
        made.as_secs_f64() * 1e3,
        first.as_secs_f64() * 1e3
    );
    window.app.open_at_start(vec![file]);
    while window.app.is_opening() {
        std::thread::sleep(std::time::Duration::from_millis(5));
        window.frame(Vec::new());
    }
    println!(
        "the full-size clip is on the screen after {:.0} ms",
        start.elapsed().as_secs_f64() * 1e3
    );
    for _ in 0..5 {
        window.frame(vec![Event::PointerMoved(Pos2::new(800.0, 700.0))]);
    }
    let doc = window.app.state().active.unwrap();
    let clip = window.app.editor().workspace().clip(doc).unwrap().clone();
    assert_eq!((clip.tracks.len(), clip.tracks[0].keys.len()), (128, 512));
    assert_eq!(window.app.stage().len(), 512);
    let tracks = clip.tracks.iter().map(|track| (doc, track.uid)).collect();
    window.app.push(Action::Select(Selection { tracks, ..Selection::default() }));

    let mut good = true;
    for (panel, name) in [
        (PanelId::DopeSheet, "dope sheet and viewport, playing"),
        (PanelId::Curves, "curves and viewport, playing"),
    ] {
        window.app.push(Action::FocusPanel(panel));
        window.app.push(Action::Play(true));
        window.frame(Vec::new());
        good &= window.measure(name);
        assert!(window.app.state().playback.playing.is_some());
    }
    let behind = window.behind(doc);
    println!("Source and Problems are {behind:.0} ms behind an edit (target 200 ms)");
    good &= behind <= 200.0;
    println!("{}", if good { "within all targets" } else { "slower than a target" });
}
