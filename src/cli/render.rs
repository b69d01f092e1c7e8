//! `posewright render`

use super::output::{clean, complain};
use super::sample::{SpaceChoice, Staged, failed, finite, space_of, staged_of, warn_of_basis};
use super::{FAILED, FINE, Gui, HAS_ERRORS};
use crate::io::picture::{Gif, Image, MAX_SIDE, PictureError, write_png};
use crate::io::{Loaded, open};
use crate::model::limits::DISPLAY_FPS;
use crate::model::take::{Skeleton, Take};
use crate::model::{Clip, Rig};
use crate::sample::take::{Space, TakeCurves, TakeRig, bone_rests};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Draw a clip, a rig or an export as a picture, without a display
#[derive(Args)]
#[command(after_help = "Examples:\n  posewright render draw.motion --out draw.png --time 2\n  \
    posewright render draw.motion --out draw.gif --frames 0..48\n  \
    posewright render draw.motion --out sheet.png --sheet 12 --view front\n  \
    posewright render shot.anm --out shot.gif --frames 1..60 --camera shot_cam\n\n\
    Frames of a clip are counted from 0 at 24 a second; an .anm has its own numbers and rate, and\n\
    a .pvt is drawn at rest. All pictures of a clip are drawn from one place, from which the whole\n\
    clip can be seen; through a camera they show what it sees, as wide and high as the picture.")]
pub(super) struct Render {
    /// The clip, rig, scene, .anm or .pvt
    file: PathBuf,
    /// The picture: a .png, or a .gif of several frames; what is there is replaced
    #[arg(long, value_name = "PNG|GIF")]
    out: PathBuf,
    /// Seconds from the clip's start; held at its start and end
    #[arg(long, value_name = "T", conflicts_with = "frames", value_parser = finite)]
    #[arg(allow_negative_numbers = true)]
    time: Option<f64>,
    /// The first and the last frame
    #[arg(long, value_name = "A..B", value_parser = frames)]
    #[arg(allow_hyphen_values = true)]
    frames: Option<(i64, i64)>,
    /// The rig or scene, in place of the clip's binding
    #[arg(long, value_name = "FILE")]
    rig: Option<PathBuf>,
    /// Pixels of the whole picture, each from 1 to 8192 [default: 1280x720]
    #[arg(long, value_name = "WxH", value_parser = size)]
    size: Option<[u32; 2]>,
    /// Where it is looked from
    #[arg(long, value_enum, default_value = "persp")]
    view: View,
    /// Looks through this camera of an .anm
    #[arg(long, value_name = "NAME", conflicts_with = "view")]
    camera: Option<String>,
    /// What the values of an .anm are relative to; auto measures it
    #[arg(long, value_enum, default_value = "auto")]
    space: SpaceChoice,
    /// A contact sheet of so many moments, from 1 to 400
    #[arg(long, value_name = "N", conflicts_with = "time")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_MOMENTS)))]
    sheet: Option<u32>,
}

/// Most moments of a contact sheet.
const MOST_MOMENTS: u32 = 400;
/// Most frames of a GIF.
const MOST_FRAMES: i64 = 5_000;

/// Where a picture is drawn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum View {
    /// Along −Z, parallel.
    Front,
    /// Along −X, parallel.
    Side,
    /// Along −Y, parallel.
    Top,
    /// From above and aside, in perspective.
    Persp,
}

/// What is to be drawn.
#[derive(Debug)]
pub struct Shot {
    /// The clip; without one the rig is drawn at rest.
    pub clip: Option<Clip>,
    /// What the clip is shown on; without one each part is a box of its own.
    pub rig: Option<Rig>,
    /// An export, in place of both.
    pub export: Option<Export>,
    /// From where.
    pub view: View,
    /// Pixels of the whole picture, width and height, each from 1 to [`MAX_SIDE`].
    pub size: [u32; 2],
    /// Whether moments stand beside each other with their times.
    pub sheet: bool,
}

/// An export that is to be drawn.
#[derive(Debug)]
pub enum Export {
    /// An `.anm`.
    Take {
        /// Its pegs.
        take: Take,
        /// What its values are relative to.
        space: Space,
        /// The camera that is looked through, by its place in the file.
        camera: Option<usize>,
    },
    /// A `.pvt`, at rest.
    Skeleton(Skeleton),
}

/// Draws moments of a shot, given in seconds: one as it is, several (or any of a sheet) as a
/// contact sheet.
pub type Artist = Box<dyn FnMut(&[f64]) -> Image>;

fn size(text: &str) -> Result<[u32; 2], String> {
    let side = |text: &str| text.parse().ok().filter(|side| (1..=MAX_SIDE).contains(side));
    let sides = text.split_once(['x', 'X']).and_then(|(w, h)| Some([side(w)?, side(h)?]));
    sides.ok_or_else(|| format!("write it as 1280x720, each number from 1 to {MAX_SIDE}"))
}

fn frames(text: &str) -> Result<(i64, i64), String> {
    let ends = text.split_once("..").and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
    match ends {
        Some((first, last)) if first <= last => Ok((first, last)),
        Some(_) => Err("the last frame lies before the first".to_owned()),
        None => Err("write it as 0..48: the first and the last frame".to_owned()),
    }
}

impl Render {
    pub fn run(&self, gui: Option<Gui>) -> u8 {
        match self.render(gui) {
            Ok(()) => FINE,
            Err(code) => code,
        }
    }

    fn render(&self, gui: Option<Gui>) -> Result<(), u8> {
        let refuse = |words: &str| {
            complain(words);
            Err(FAILED)
        };
        let extension = self.out.extension().and_then(|e| e.to_str()).unwrap_or_default();
        let moves = match extension.to_ascii_lowercase().as_str() {
            "png" => false,
            "gif" => true,
            _ => return refuse("--out must end in .png or .gif"),
        };
        match (moves, self.frames, self.sheet, self.time) {
            (true, _, Some(_), _) => return refuse("a contact sheet is one picture: a .png"),
            (false, Some(_), None, _) => {
                return refuse("a .png holds one picture: use --time, --sheet, or a .gif");
            }
            _ => {}
        }
        let Some(gui) = gui else { return refuse("this build draws nothing") };
        let size = self.size.unwrap_or_else(|| default_size(self.sheet));
        let (subject, timing) = self.subject()?;
        let times_secs = self.times(&timing, moves)?;
        let shot = Shot { view: self.view, size, sheet: self.sheet.is_some(), ..subject };
        let mut draw = (gui.artist)(shot);
        if !moves {
            return write_png(&self.out, &draw(&times_secs)).map_err(failed);
        }
        let mut make = || -> Result<(), PictureError> {
            let mut gif = Gif::new(size[0], size[1], timing.fps)?;
            for time_secs in &times_secs {
                gif.add(&mut draw(std::slice::from_ref(time_secs)))?;
            }
            gif.write(&self.out)
        };
        make().map_err(failed)
    }

    /// What is drawn, and its moments; what is wrong with it is said.
    fn subject(&self) -> Result<(Shot, Timing), u8> {
        let file = self.file.display();
        let opened = open(&self.file).map_err(failed)?;
        let shot = |clip, rig, export| Shot {
            clip,
            rig,
            export,
            view: self.view,
            size: [1, 1],
            sheet: false,
        };
        let is_export = matches!(opened.document, Some(Loaded::Take(_) | Loaded::Skeleton(_)));
        if is_export && self.rig.is_some() {
            return Err(failed(format!("{file}: --rig is for clips")));
        }
        match opened.document {
            Some(Loaded::Take(take)) => {
                let (export, timing) = self.take(take)?;
                return Ok((shot(None, None, Some(export)), timing));
            }
            Some(Loaded::Skeleton(skeleton)) => {
                if self.space != SpaceChoice::Auto || self.camera.is_some() {
                    let words = "a .pvt takes neither --space nor --camera";
                    return Err(failed(format!("{file}: {words}")));
                }
                self.refuse_moments("a .pvt")?;
                if let Err(error) = bone_rests(&skeleton) {
                    complain(&format!("{file}: {error}"));
                    return Err(HAS_ERRORS);
                }
                warn_of_basis(&self.file, skeleton.header.coordinate_system.as_ref());
                return Ok((shot(None, None, Some(Export::Skeleton(skeleton))), Timing::STILL));
            }
            Some(_) if self.space != SpaceChoice::Auto || self.camera.is_some() => {
                return Err(failed(format!("{file}: --space and --camera are for .anm files")));
            }
            _ => {}
        }
        let Staged { clip, rig, .. } = staged_of(opened, &self.file, self.rig.as_deref())?;
        let timing = match &clip {
            Some(clip) => Timing {
                what: "the clip",
                first: 0.0,
                fps: DISPLAY_FPS,
                duration_secs: clip.duration_secs,
                looping: clip.looping,
            },
            None => {
                self.refuse_moments("a rig")?;
                if self.rig.is_some() {
                    return Err(failed("--rig is for clips: this is a rig itself"));
                }
                Timing::STILL
            }
        };
        Ok((shot(clip, rig, None), timing))
    }

    fn refuse_moments(&self, what: &str) -> Result<(), u8> {
        let asked = [self.time.is_some(), self.frames.is_some(), self.sheet.is_some()];
        match asked.contains(&true) {
            true => {
                Err(failed(format!("{what} stands still: it has no --time, --frames or --sheet")))
            }
            false => Ok(()),
        }
    }

    fn take(&self, take: Take) -> Result<(Export, Timing), u8> {
        let file = self.file.display();
        let (space, measured) = space_of(&self.file, &take, self.space)?;
        let camera = match &self.camera {
            Some(name) => {
                Some(camera_of(&take, name).map_err(|why| failed(format!("{file}: {why}")))?)
            }
            None => None,
        };
        warn_of_basis(&self.file, take.header.coordinate_system.as_ref());
        let curves = measured.map_or_else(TakeCurves::default, |(curves, _)| curves);
        let rig = TakeRig::with_curves(&take, space, &curves);
        let [first, last] = rig.frame_range();
        let timing = match rig.duration_secs() {
            Some(duration_secs) => {
                Timing { what: "the take", first, fps: take.fps(), duration_secs, looping: false }
            }
            None => {
                let asked = [self.time.is_some(), self.frames.is_some(), self.sheet.is_some()];
                if asked.contains(&true) {
                    return Err(failed(format!(
                        "{file}: at {} frames a second, from frame {first} to {last}, there is no \
                         time: only its first frame can be drawn",
                        take.fps()
                    )));
                }
                Timing { first, ..Timing::STILL }
            }
        };
        Ok((Export::Take { take, space, camera }, timing))
    }

    /// The moments that are drawn, in seconds.
    fn times(&self, timing: &Timing, moves: bool) -> Result<Vec<f64>, u8> {
        let Timing { what, duration_secs, looping, .. } = *timing;
        let [start, end] = timing.frames();
        if let Some((first, last)) = self.frames {
            let (outside, side) = match () {
                () if first < start => (first, "before the start"),
                () if last > end => (last, "behind the end"),
                () => (first, ""),
            };
            if !side.is_empty() {
                return Err(failed(format!(
                    "frame {outside} lies {side}: {what} has frames {start} to {end}"
                )));
            }
        }
        if let Some(many) = self.sheet {
            let whole = (0.0, duration_secs);
            let (from, to) = self.frames.map_or(whole, |(a, b)| (timing.at(a), timing.at(b)));
            // The end of what repeats is its beginning.
            let round = looping && self.frames.is_none();
            let steps = if round { many } else { (many - 1).max(1) };
            let time = |i: u32| from + (to - from) * f64::from(i) / f64::from(steps);
            // Moments lie on frames where there are enough of them.
            let frames = (to - from) * timing.fps;
            let on_frame = |time: f64| match frames >= f64::from(steps) {
                true => ((time * timing.fps).round() / timing.fps).clamp(from, to),
                false => time,
            };
            return Ok((0..many).map(|i| on_frame(time(i))).collect());
        }
        if !moves || self.time.is_some() {
            return Ok(vec![self.time.unwrap_or(0.0).clamp(0.0, duration_secs)]);
        }
        let (first, last) = self.frames.unwrap_or(match looping {
            true if end > start => (start, end - 1),
            _ => (start, end),
        });
        if last.saturating_sub(first) >= MOST_FRAMES {
            return Err(failed(format!(
                "frames {first} to {last} are too many for one GIF: at most {MOST_FRAMES}; \
                 choose some with --frames"
            )));
        }
        Ok((first..=last).map(|frame| timing.at(frame)).collect())
    }
}

/// The frames of what is drawn.
#[derive(Clone, Copy)]
struct Timing {
    /// What it is called in messages.
    what: &'static str,
    /// The number of the frame at 0 seconds.
    first: f64,
    /// Frames a second, above 0.
    fps: f64,
    duration_secs: f64,
    looping: bool,
}

impl Timing {
    /// Of what does not move.
    const STILL: Timing = Timing {
        what: "the picture",
        first: 0.0,
        fps: DISPLAY_FPS,
        duration_secs: 0.0,
        looping: false,
    };

    /// The first and the last whole frame; the same one where there is none in between.
    fn frames(&self) -> [i64; 2] {
        let start = (self.first - 1e-6).ceil();
        let end = (self.first + self.duration_secs * self.fps + 1e-6).floor();
        [start as i64, end.max(start) as i64]
    }

    /// When a frame is, in seconds.
    fn at(&self, frame: i64) -> f64 {
        ((frame as f64 - self.first) / self.fps).clamp(0.0, self.duration_secs)
    }
}

/// The place of the first camera of a name, or which there are.
fn camera_of(take: &Take, name: &str) -> Result<usize, String> {
    let names = || take.cameras.iter().map(|camera| camera.name.as_deref().unwrap_or_default());
    names().position(|known| known == name).ok_or_else(|| {
        let known: Vec<String> = names().map(|name| format!("\"{}\"", clean(name))).collect();
        match known.is_empty() {
            true => format!("no camera is called \"{}\": it has none", clean(name)),
            false => {
                format!("no camera is called \"{}\"; there are {}", clean(name), known.join(", "))
            }
        }
    })
}

/// Pixels of a picture, or of a sheet of so many.
fn default_size(sheet: Option<u32>) -> [u32; 2] {
    let Some(many) = sheet else { return [1280, 720] };
    let columns = f64::from(many).sqrt().ceil() as u32;
    let rows = many.div_ceil(columns);
    [(columns * 320 + 32).min(MAX_SIDE), (rows * 212 + 32).min(MAX_SIDE)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_frames_are_read_and_bounded() {
        assert_eq!(size("640x360"), Ok([640, 360]));
        assert_eq!(size("1X8192"), Ok([1, 8192]));
        for bad in ["", "640", "0x10", "10x0", "8193x10", "-1x5", "1e3x5", "640x", "x360", "5x5x5"]
        {
            assert!(size(bad).is_err_and(|e| e.contains("8192")), "{bad}");
        }
        assert_eq!(frames("0..48"), Ok((0, 48)));
        assert_eq!(frames("3..3"), Ok((3, 3)));
        assert_eq!(frames("-3..2"), Ok((-3, 2)));
        for bad in ["", "4", "..", "4..", "..4", "4..3", "-1..-3", "0...3", "0..=3"] {
            assert!(frames(bad).is_err(), "{bad}");
        }
    }
}
