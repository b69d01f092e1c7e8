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
    assert!(
        help.contains("Examples:")
            && help.contains("--sheet")
            && help.contains("--camera shot_cam")
    );
}

fn take() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/robot/robot.anm")
}

/// Frames of a take are its own numbers, and its rate is its own.
#[test]
fn each_frame_of_a_take_is_a_picture_of_its_own() {
    let place = Place::new();
    let small = ["--size", "320x200"];
    let at = |more: &[&str]| picture(&place, &take(), "a.png", &[&small[..], more].concat());
    let (start, middle) = (at(&[]), at(&["--time", "0.5"]));
    assert!(difference(&start, &middle) > 0.005);
    assert!(difference(&start, &at(&["--time", "0"])) == 0.0);
    assert!(difference(&at(&["--time", "99"]), &at(&["--time", "1.9583333333333333"])) == 0.0);
    assert!(difference(&start, &at(&["--view", "front"])) > 0.005);
    // Values that are an offset from rest put the arm elsewhere.
    assert!(difference(&start, &at(&["--space", "delta"])) > 0.005);
    assert!(difference(&start, &at(&["--space", "local"])) == 0.0, "as it was measured");
    picture(&place, &take(), "s.png", &["--sheet", "6", "--size", "640x320"]);
}

#[test]
fn a_gif_of_a_take_has_its_own_frames_and_rate() {
    let place = Place::new();
    let text = std::fs::read_to_string(take()).unwrap();
    place.write("slow.anm", &text.replace("\"fps\": 24.0", "\"fps\": 10.0"));
    let frames = |arguments: &[&str]| {
        let all = [&["slow.anm", "--out", "a.gif", "--size", "96x64"], arguments].concat();
        let output = render(&place, &all);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let bytes = std::fs::read(place.path("a.gif")).unwrap();
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(&bytes[..]).unwrap();
        let mut frames = Vec::new();
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            assert_eq!(frame.delay, 10, "ten frames a second");
            frames.push(frame.buffer.to_vec());
        }
        frames
    };
    let some = frames(&["--frames", "1..10"]);
    assert_eq!(some.len(), 10);
    assert!(some[0] != some[9]);
    let all = frames(&[]);
    assert_eq!(all.len(), 48, "1 to 48");
    assert!(all[0] == some[0] && all[9] == some[9]);
}

/// Through a camera the picture is its gate, as wide and high as the picture (A40).
#[test]
fn a_take_is_seen_through_its_camera() {
    let place = Place::new();
    let at = |size: &str, more: &[&str]| {
        picture(&place, &take(), "a.png", &[&["--size", size], more].concat())
    };
    let camera = ["--camera", "shot_cam"];
    let seen = at("320x180", &camera);
    assert!(difference(&seen, &at("320x180", &[])) > 0.005, "not the free view");
    let later = at("320x180", &["--camera", "shot_cam", "--time", "1"]);
    assert!(difference(&seen, &later) > 0.005, "it moves");
    assert_picture(&seen, "render-camera");
    // A vertical field of view: a picture that is wider shows more at its sides, and the same
    // things as large as before.
    let wide = at("480x180", &camera);
    let (crop, mut apart) = ((wide.width - seen.width) / 2, 0);
    // Below the grid's far edge, above the words.
    for y in 20..140 {
        for x in 60..260 {
            let (a, b) = (seen.pixels[y * seen.width + x], wide.pixels[y * wide.width + x + crop]);
            let far = |a: u8, b: u8| a.abs_diff(b) > 60;
            apart += usize::from(far(a.r(), b.r()) || far(a.g(), b.g()) || far(a.b(), b.b()));
        }
    }
    assert!(apart < 240, "{apart} of 24000 pixels differ");
}

#[test]
fn a_skeleton_is_drawn_at_rest() {
    let place = Place::new();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/anm/torso.local.pvt");
    let armature = file.with_file_name("torso.armature.pvt");
    let rest = picture(&place, &file, "a.png", &["--size", "200x200"]);
    assert!(rest.pixels.iter().any(|p| *p != rest.pixels[0]));
    // The same bones, written relative to the armature.
    let other = picture(&place, &armature, "a.png", &["--size", "200x200"]);
    assert!(difference(&rest, &other) < 0.001);
}

#[test]
fn refusals_of_exports_say_why_and_write_nothing() {
    let place = Place::new();
    let text = std::fs::read_to_string(take()).unwrap();
    place.write("a.anm", &text);
    place.write("old.anm", &text.replace("\"version\": 4", "\"version\": 3"));
    place.write("cut.anm", &text[..text.len() / 2]);
    place.write("still.anm", &text.replace("\"fps\": 24.0", "\"fps\": 0.0"));
    place.write(
        "eyeless.anm",
        &(text[..text.find("\"cameras\"").unwrap()].to_owned() + "\"cameras\": []}"),
    );
    // One peg alone decides nothing.
    let pegs = "{\"name\": \"a\", \"rest_pivot\": [0, 1, 0], \"keyframes\": [{\"frame\": 1, \"pos\": [0, 1, 0], \"rot\": [0, 0, 0], \"scl\": [1, 1, 1], \"interp\": \"LINEAR\"}]}";
    let head = &text[..text.find("\"pegs\"").unwrap()];
    place.write("alone.anm", &format!("{head}\"pegs\": [{pegs}], \"cameras\": []}}"));
    let pvt = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/anm/torso.local.pvt");
    let pvt = pvt.to_str().unwrap();
    let cases: &[(&[&str], i32, &[&str])] = &[
        (&["a.anm", "--out", "a.png", "--camera", "gone"], 2, &["\"gone\"", "\"shot_cam\""]),
        (&["eyeless.anm", "--out", "a.png", "--camera", "gone"], 2, &["it has none"]),
        (&["a.anm", "--out", "a.png", "--camera", "x", "--view", "top"], 2, &["cannot be used"]),
        (&["a.anm", "--out", "a.png", "--rig", "a.rig"], 2, &["--rig is for clips"]),
        (&["a.anm", "--out", "a.gif", "--frames", "0..4"], 2, &["frame 0 lies before", "1 to 48"]),
        (&["a.anm", "--out", "a.gif", "--frames", "-3..4"], 2, &["frame -3 lies before"]),
        (&["a.anm", "--out", "a.gif", "--frames", "40..49"], 2, &["frame 49 lies behind"]),
        (&["a.anm", "--out", "a.png", "--space", "moon"], 2, &["delta"]),
        (
            &["alone.anm", "--out", "a.png"],
            2,
            &["undecided", "local ", "delta ", "world ", "--space"],
        ),
        (&["still.anm", "--out", "a.gif", "--frames", "1..4"], 2, &["there is no time"]),
        (&["old.anm", "--out", "a.png"], 1, &["unsupported version 3"]),
        (&["cut.anm", "--out", "a.png"], 1, &["cut.anm"]),
        (&["gone.anm", "--out", "a.png"], 2, &["gone.anm"]),
        (&[pvt, "--out", "a.png", "--time", "1"], 2, &["stands still"]),
        (&[pvt, "--out", "a.png", "--camera", "a"], 2, &["--camera"]),
    ];
    for (arguments, code, words) in cases {
        let output = render(&place, arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(*code), "{arguments:?}: {said}");
        assert!(words.iter().all(|word| said.contains(word)), "{arguments:?}: {said}");
        assert!(!place.path("a.png").exists() && !place.path("a.gif").exists());
    }
    let clip = sample();
    let output = render(&place, &[clip.to_str().unwrap(), "--out", "a.png", "--camera", "c"]);
    assert_eq!(output.status.code(), Some(2));
}
