//! `posewright render`, as it is called by scripts.
#![cfg(feature = "gui")]
#![allow(clippy::unwrap_used)] // A test that cannot go on should stop.

mod window;

use posewright::ui::paint::Picture;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use window::{Place, assert_picture, difference, load};

const MODEL: &str = "format:\n  version: 1.0.0\nmodel: robot\nduration: 1\nloop: true\ntracks:\n\
    \x20 - part: arm\n    property: rotation\n    interpolation: linear\n    keys:\n\
    \x20     - time: 0\n        value: [0, 0, 0]\n      - time: 1\n        value: [0, 0, 1.5]\n\
    \x20 - part: leg\n    property: position\n    interpolation: linear\n    keys:\n\
    \x20     - time: 0\n        value: [0, 0, 0]\n";

fn sample() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/weapon/draw.motion")
}

fn render(place: &Place, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_posewright"));
    command.current_dir(place.folder.path()).arg("render").args(arguments).output().unwrap()
}

fn picture(place: &Place, file: &Path, out: &str, arguments: &[&str]) -> Picture {
    let mut all = vec![file.to_str().unwrap(), "--out", out];
    all.extend(arguments);
    let output = render(place, &all);
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{words}");
    assert!(output.stdout.is_empty() && words.is_empty(), "{words}");
    load(&place.path(out))
}

#[test]
fn each_moment_is_a_picture_of_its_own() {
    let place = Place::new();
    let small = ["--size", "320x200"];
    let at = |time: &'static str| {
        picture(&place, &sample(), "a.png", &[&small[..], &["--time", time]].concat())
    };
    let (start, middle, end) = (at("0"), at("2"), at("4"));
    assert_picture(&middle, "render-draw");
    assert!(difference(&start, &middle) > 0.005);
    assert!(difference(&start, &at("0")) == 0.0);
    assert!(difference(&end, &at("99")) == 0.0, "held at the end");
    let front = picture(&place, &sample(), "a.png", &[&small[..], &["--view", "front"]].concat());
    assert!(difference(&start, &front) > 0.005);
}

#[test]
fn a_model_clip_shows_its_parts_as_boxes() {
    let place = Place::new();
    let clip = place.write("wave.motion", MODEL);
    let size = ["--size", "320x200", "--time", "0.5"];
    assert_picture(&picture(&place, &clip, "a.png", &size), "render-model");
}

#[test]
fn a_sheet_has_all_its_moments() {
    let place = Place::new();
    let sheet = picture(&place, &sample(), "s.png", &["--sheet", "6", "--size", "640x320"]);
    assert_picture(&sheet, "render-sheet");
    // The default grows with the count; many small ones fit too.
    let twelve = picture(&place, &sample(), "s.png", &["--sheet", "12"]);
    assert_eq!((twelve.width, twelve.height), (1312, 668));
    picture(&place, &sample(), "s.png", &["--sheet", "400", "--size", "64x64"]);
}

#[test]
fn a_gif_has_its_frames_and_their_time() {
    let place = Place::new();
    let clip = sample();
    let arguments =
        [clip.to_str().unwrap(), "--out", "a.GIF", "--frames", "0..23", "--size", "96x64"];
    assert_eq!(render(&place, &arguments).status.code(), Some(0));
    let bytes = std::fs::read(place.path("a.GIF")).unwrap();
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(&bytes[..]).unwrap();
    let mut frames = Vec::new();
    let mut hundredths = 0;
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        assert_eq!((frame.width, frame.height), (96, 64));
        hundredths += u32::from(frame.delay);
        frames.push(frame.buffer.to_vec());
    }
    assert_eq!((frames.len(), hundredths), (24, 100), "24 frames are a second");
    assert!(frames[0] != frames[23]);
}

#[test]
fn rigs_stand_still_and_need_no_time() {
    let place = Place::new();
    let rig = place.write("arm.rig", window::RIG);
    let rest = picture(&place, &rig, "a.png", &["--size", "200x200"]);
    assert!(rest.pixels.iter().any(|p| *p != rest.pixels[0]));
    let output = render(&place, &["arm.rig", "--out", "a.png", "--time", "1"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn sizes_down_to_a_pixel() {
    let place = Place::new();
    for size in ["1x1", "2x500", "500x2"] {
        picture(&place, &sample(), "a.png", &["--size", size]);
        picture(&place, &sample(), "a.png", &["--size", size, "--sheet", "3"]);
    }
}

#[test]
fn refusals_say_why_and_write_nothing() {
    let place = Place::new();
    place.write("broken.motion", window::BROKEN);
    place.write(
        "lonely.motion",
        "binding: gone.rig\nmodel: R\nduration: 1\nloop: true\ntracks: []\n",
    );
    let clip = sample();
    let clip = clip.to_str().unwrap();
    let cases: &[(&[&str], i32, &str)] = &[
        (&[clip], 2, "--out"),
        (&[clip, "--out", "a.jpg"], 2, ".png or .gif"),
        (&[clip, "--out", "a"], 2, ".png or .gif"),
        (&[clip, "--out", "a.png", "--size", "9000x10"], 2, "8192"),
        (&[clip, "--out", "a.png", "--size", "0x10"], 2, "8192"),
        (&[clip, "--out", "a.png", "--time", "nan"], 2, "finite"),
        (&[clip, "--out", "a.png", "--frames", "0..4"], 2, "one picture"),
        (&[clip, "--out", "a.gif", "--frames", "4..0"], 2, "before"),
        (&[clip, "--out", "a.gif", "--frames", "0..97"], 2, "0 to 96"),
        (&[clip, "--out", "a.gif", "--frames", "0..4", "--time", "1"], 2, "cannot be used"),
        (&[clip, "--out", "a.gif", "--sheet", "4"], 2, ".png"),
        (&[clip, "--out", "a.png", "--sheet", "0"], 2, "1..=400"),
        (&[clip, "--out", "a.png", "--view", "back"], 2, "persp"),
        (&[clip, "--out", "gone/a.png"], 2, "gone"),
        (&["gone.motion", "--out", "a.png"], 2, "gone.motion"),
        (&["broken.motion", "--out", "a.png"], 1, "increase strictly"),
        (&["lonely.motion", "--out", "a.png"], 1, "gone.rig"),
    ];
    for (arguments, code, words) in cases {
        let output = render(&place, arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(*code), "{arguments:?}: {said}");
        assert!(said.contains(words), "{arguments:?}: {said}");
        assert!(!place.path("a.png").exists() && !place.path("a.gif").exists());
    }
    let help = String::from_utf8(render(&place, &["--help"]).stdout).unwrap();
    assert!(help.contains("Examples:") && help.contains("--sheet"));
}
