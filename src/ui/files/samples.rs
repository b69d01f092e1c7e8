//! Sample projects, which live in the program and are unpacked when they are first opened.

use crate::io;
use crate::ui::action::Tone;
use crate::ui::app::App;
use std::path::PathBuf;

/// A sample project.
#[derive(Debug)]
pub struct Sample {
    /// What the welcome page calls it.
    pub name: &'static str,
    /// What there is to see.
    pub about: &'static str,
    /// The file that is opened.
    pub open: &'static str,
    /// Its folder's name and its files, by path below it.
    pub folder: &'static str,
    /// Path and text.
    pub files: &'static [(&'static str, &'static str)],
}

/// All samples, in the order of the welcome page.
pub static SAMPLES: &[Sample] = &[
    Sample {
        name: "Draw a weapon",
        about: "A rig clip on an arm: bezier easing, an attachment, a crate",
        open: "draw.motion",
        folder: "weapon",
        files: &[
            ("draw.motion", include_str!("../../../assets/weapon/draw.motion")),
            ("data/weapon-rig.rig", include_str!("../../../assets/weapon/data/weapon-rig.rig")),
        ],
    },
    Sample {
        name: "A robot waves",
        about: "A model clip: the parts of a procedural model",
        open: "wave.motion",
        folder: "robot",
        files: &[("wave.motion", include_str!("../../../assets/robot/wave.motion"))],
    },
    Sample {
        name: "An export of a robot",
        about: "A take of three pegs and a camera, to be inspected",
        open: "robot.anm",
        folder: "robot",
        files: &[("robot.anm", include_str!("../../../assets/robot/robot.anm"))],
    },
];

impl App {
    /// Opens a sample. Files that were unpacked before stay as the user left them.
    pub(in crate::ui) fn open_sample(&mut self, index: usize) {
        let Some(sample) = SAMPLES.get(index) else { return };
        let Some(folder) = self.config.samples_folder.as_ref().map(|f| f.join(sample.folder))
        else {
            self.toast(Tone::Error, "There is no folder that samples could be put into");
            return;
        };
        for (name, text) in sample.files {
            let path: PathBuf = folder.join(name);
            if path.exists() {
                continue;
            }
            if let Err(error) = io::write_own_file(&path, text) {
                self.toast(Tone::Error, &format!("{}: {error}", path.display()));
                return;
            }
        }
        self.open_files(&[folder.join(sample.open)]);
    }
}
