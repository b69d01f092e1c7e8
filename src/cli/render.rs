//! `posewright render`

use super::output::complain;
use super::sample::{Staged, failed, finite, staged};
use super::{FAILED, FINE, Gui};
use crate::io::picture::{Gif, Image, MAX_SIDE, PictureError, write_png};
use crate::model::limits::DISPLAY_FPS;
use crate::model::{Clip, Rig};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Draw a clip or a rig as a picture, without a display
#[derive(Args)]
#[command(after_help = "Examples:\n  posewright render draw.motion --out draw.png --time 2\n  \
    posewright render draw.motion --out draw.gif --frames 0..48\n  \
    posewright render draw.motion --out sheet.png --sheet 12 --view front\n\n\
    Frames are counted from 0 at 24 a second. All pictures of a clip are drawn from one place,\n\
    from which the whole clip can be seen.")]
pub(super) struct Render {
    /// The clip, rig or scene
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
    frames: Option<(u32, u32)>,
    /// The rig or scene, in place of the clip's binding
    #[arg(long, value_name = "FILE")]
    rig: Option<PathBuf>,
    /// Pixels of the whole picture, each from 1 to 8192 [default: 1280x720]
    #[arg(long, value_name = "WxH", value_parser = size)]
    size: Option<[u32; 2]>,
    /// Where it is looked from
    #[arg(long, value_enum, default_value = "persp")]
    view: View,
    /// A contact sheet of so many moments, from 1 to 400
    #[arg(long, value_name = "N", conflicts_with = "time")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_MOMENTS)))]
    sheet: Option<u32>,
}

/// Most moments of a contact sheet.
const MOST_MOMENTS: u32 = 400;
/// Most frames of a GIF.
const MOST_FRAMES: u32 = 5_000;

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
    /// From where.
    pub view: View,
    /// Pixels of the whole picture, width and height, each from 1 to [`MAX_SIDE`].
    pub size: [u32; 2],
    /// Whether moments stand beside each other with their times.
    pub sheet: bool,
}

/// Draws moments of a shot, given in seconds: one as it is, several (or any of a sheet) as a
/// contact sheet.
pub type Artist = Box<dyn FnMut(&[f64]) -> Image>;

fn size(text: &str) -> Result<[u32; 2], String> {
    let side = |text: &str| text.parse().ok().filter(|side| (1..=MAX_SIDE).contains(side));
    let sides = text.split_once(['x', 'X']).and_then(|(w, h)| Some([side(w)?, side(h)?]));
    sides.ok_or_else(|| format!("write it as 1280x720, each number from 1 to {MAX_SIDE}"))
}

fn frames(text: &str) -> Result<(u32, u32), String> {
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
        let Staged { clip, rig, .. } = staged(&self.file, self.rig.as_deref())?;
        let duration_secs = clip.as_ref().map(|clip| clip.duration_secs);
        if duration_secs.is_none() {
            let asked = [self.time.is_some(), self.frames.is_some(), self.sheet.is_some()];
            if asked.contains(&true) {
                return refuse("a rig stands still: it has no --time, --frames or --sheet");
            }
            if self.rig.is_some() {
                return refuse("--rig is for clips: this is a rig itself");
            }
        }
        let looping = clip.as_ref().is_some_and(|clip| clip.looping);
        let times_secs = self.times(duration_secs.unwrap_or(0.0), looping, moves)?;
        let size = self.size.unwrap_or_else(|| default_size(self.sheet));
        let sheet = self.sheet.is_some();
        let mut draw = (gui.artist)(Shot { clip, rig, view: self.view, size, sheet });
        if !moves {
            return write_png(&self.out, &draw(&times_secs)).map_err(failed);
        }
        let make = || -> Result<(), PictureError> {
            let mut gif = Gif::new(size[0], size[1], DISPLAY_FPS)?;
            for time_secs in &times_secs {
                gif.add(&mut draw(std::slice::from_ref(time_secs)))?;
            }
            gif.write(&self.out)
        };
        let mut make = make;
        make().map_err(failed)
    }

    /// The moments that are drawn, in seconds.
    fn times(&self, duration_secs: f64, looping: bool, moves: bool) -> Result<Vec<f64>, u8> {
        let end = (duration_secs * DISPLAY_FPS + 1e-6).floor() as u32;
        let at = |frame: u32| (f64::from(frame) / DISPLAY_FPS).min(duration_secs);
        if let Some((_, last)) = self.frames.filter(|(_, last)| *last > end) {
            complain(&format!("frame {last} lies behind the end: the clip has frames 0 to {end}"));
            return Err(FAILED);
        }
        if let Some(many) = self.sheet {
            let (from, to) = self.frames.map_or((0.0, duration_secs), |(a, b)| (at(a), at(b)));
            // The end of what repeats is its beginning.
            let round = looping && self.frames.is_none();
            let steps = if round { many } else { (many - 1).max(1) };
            let time = |i: u32| from + (to - from) * f64::from(i) / f64::from(steps);
            // Moments lie on frames where there are enough of them.
            let frames = (to - from) * DISPLAY_FPS;
            let on_frame = |time: f64| match frames >= f64::from(steps) {
                true => ((time * DISPLAY_FPS).round() / DISPLAY_FPS).clamp(from, to),
                false => time,
            };
            return Ok((0..many).map(|i| on_frame(time(i))).collect());
        }
        if !moves || self.time.is_some() {
            return Ok(vec![self.time.unwrap_or(0.0).clamp(0.0, duration_secs)]);
        }
        let (first, last) = self.frames.unwrap_or(match looping {
            true if end > 0 => (0, end - 1),
            _ => (0, end),
        });
        if last - first >= MOST_FRAMES {
            complain(&format!(
                "frames {first} to {last} are too many for one GIF: at most {MOST_FRAMES}; \
                 choose some with --frames"
            ));
            return Err(FAILED);
        }
        Ok((first..=last).map(at).collect())
    }
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
        for bad in ["", "4", "..", "4..", "..4", "4..3", "-1..3", "0...3", "0..=3"] {
            assert!(frames(bad).is_err(), "{bad}");
        }
    }
}
