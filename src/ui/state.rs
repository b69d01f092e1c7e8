//! Everything the window remembers that is no document.

use super::fault::PanelFault;
use super::settings::Settings;
use crate::edit::{Clipboard, DocId};
use crate::model::Uid;
use crate::model::limits::DISPLAY_FPS;
use glam::DVec3;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// A docked panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum PanelId {
    /// The tree of nodes.
    Hierarchy,
    /// The files of the project.
    Files,
    /// The stage.
    Viewport,
    /// The fields of what is selected.
    Inspector,
    /// Keys over time.
    DopeSheet,
    /// Values over time.
    Curves,
    /// What is wrong.
    Problems,
    /// The file as it would be saved.
    Source,
    /// What an export is, at a glance.
    Report,
    /// The pegs of an export, as a table.
    Pegs,
    /// Making rigs, clips and exports of what is open.
    Convert,
    /// What differs from another version.
    Compare,
}

impl PanelId {
    /// All panels.
    pub const ALL: [PanelId; 12] = [
        PanelId::Hierarchy,
        PanelId::Files,
        PanelId::Viewport,
        PanelId::Inspector,
        PanelId::DopeSheet,
        PanelId::Curves,
        PanelId::Problems,
        PanelId::Source,
        PanelId::Report,
        PanelId::Pegs,
        PanelId::Convert,
        PanelId::Compare,
    ];

    /// Its title.
    pub fn name(self) -> &'static str {
        match self {
            PanelId::Hierarchy => "Hierarchy",
            PanelId::Files => "Files",
            PanelId::Viewport => "Viewport",
            PanelId::Inspector => "Inspector",
            PanelId::DopeSheet => "Dope sheet",
            PanelId::Curves => "Curves",
            PanelId::Problems => "Problems",
            PanelId::Source => "Source",
            PanelId::Report => "Report",
            PanelId::Pegs => "Pegs",
            PanelId::Convert => "Convert",
            PanelId::Compare => "Compare",
        }
    }
}

/// A workspace: which panels there are, and what changing a pose field means.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
pub enum WorkspaceTab {
    /// Changing a value writes a key at the playhead.
    #[default]
    Animate,
    /// Changing a value changes the rest.
    Rig,
    /// Looking at exports; their keys are changed in the dope sheet and the curves.
    Inspect,
}

impl WorkspaceTab {
    /// All, from left to right.
    pub const ALL: [WorkspaceTab; 3] =
        [WorkspaceTab::Animate, WorkspaceTab::Rig, WorkspaceTab::Inspect];

    /// Its title.
    pub fn name(self) -> &'static str {
        match self {
            WorkspaceTab::Animate => "Animate",
            WorkspaceTab::Rig => "Rig",
            WorkspaceTab::Inspect => "Inspect",
        }
    }
}

/// What a click and a drag do in the viewport.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Tool {
    /// Select only.
    #[default]
    Select,
    /// Arrows that move.
    Move,
    /// Rings that rotate.
    Rotate,
    /// Handles that scale.
    Scale,
}

impl Tool {
    /// All, from left to right.
    pub const ALL: [Tool; 4] = [Tool::Select, Tool::Move, Tool::Rotate, Tool::Scale];

    /// Its title.
    pub fn name(self) -> &'static str {
        match self {
            Tool::Select => "Select",
            Tool::Move => "Move",
            Tool::Rotate => "Rotate",
            Tool::Scale => "Scale",
        }
    }
}

/// The camera of the viewport.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Camera {
    /// What it looks at and turns around, in metres.
    #[serde(with = "vec3")]
    pub target: DVec3,
    /// About the world's Y axis, radians; 0 looks along −Z.
    pub yaw: f64,
    /// Up and down, radians, within ±90°; positive looks down.
    pub pitch: f64,
    /// From the target, in metres, above 0.
    pub distance: f64,
    /// Parallel instead of perspective.
    pub orthographic: bool,
}

/// A vector as a list of three numbers.
mod vec3 {
    use glam::DVec3;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(vector: &DVec3, to: S) -> Result<S::Ok, S::Error> {
        vector.to_array().serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<DVec3, D::Error> {
        <[f64; 3]>::deserialize(from).map(DVec3::from_array)
    }
}

impl Default for Camera {
    fn default() -> Self {
        Camera {
            target: DVec3::new(0.0, 1.0, 0.0),
            yaw: 0.6,
            pitch: 0.35,
            distance: 4.0,
            orthographic: false,
        }
    }
}

/// How a document is looked at in the viewport. Small: panels change a copy and push it as
/// [`super::Action::SetViewport`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ViewportView {
    /// Where from.
    pub camera: Camera,
    /// Whether the camera has been fitted to the document, once at first.
    pub framed: bool,
    /// What a drag does.
    pub tool: Tool,
    /// Axes of the node itself, or those of the world.
    pub local_axes: bool,
    /// Names beside nodes.
    pub names: bool,
    /// Bones in front of models.
    pub bones_in_front: bool,
    /// Drags in the viewport land on steps; Ctrl inverts it.
    pub snap: bool,
    /// Poses around the playhead.
    pub ghosts: bool,
    /// The way of the selected nodes through time.
    pub trail: bool,
    /// Nodes that are not drawn.
    #[serde(skip)]
    pub hidden: BTreeSet<Uid>,
    /// Nodes that a click in the viewport passes over.
    #[serde(skip)]
    pub locked: BTreeSet<Uid>,
    /// A rig that a model clip is shown on.
    #[serde(skip)]
    pub stage_rig: Option<DocId>,
    /// The camera of an export that is looked through, by its place in the file.
    #[serde(skip)]
    pub look_through: Option<usize>,
}

impl Default for ViewportView {
    fn default() -> Self {
        ViewportView {
            camera: Camera::default(),
            framed: false,
            tool: Tool::Rotate,
            local_axes: true,
            names: false,
            bones_in_front: true,
            snap: false,
            ghosts: false,
            trail: false,
            hidden: BTreeSet::new(),
            locked: BTreeSet::new(),
            stage_rig: None,
            look_through: None,
        }
    }
}

/// How a clip's time is looked at. Small: panels change a copy and push it as
/// [`super::Action::SetTimeline`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TimelineView {
    /// Frames a second that times are shown and snapped in; the file knows none.
    pub fps: f64,
    /// Times land on frames.
    pub snap: bool,
    /// The part of the clip that playing keeps to, in seconds; `None` is the whole clip.
    pub range_secs: Option<(f64, f64)>,
    /// The seconds at the left and right edge; `None` fits the clip.
    pub visible_secs: Option<(f64, f64)>,
    /// The values at the lower and upper edge of the curves; `None` fits them.
    pub visible_values: Option<(f64, f64)>,
    /// Rows scrolled past, in points.
    pub scroll: f32,
    /// Parts whose tracks are folded away.
    pub folded: BTreeSet<String>,
    /// Which of X, Y and Z the curves show.
    pub channels: [bool; 3],
    /// Which of pos, rot and scl the curves of an export show; `None`: the first of rot, pos and
    /// scl that moves.
    pub curve_channels: Option<[bool; 3]>,
    /// Only tracks of selected nodes.
    pub only_selected: bool,
    /// Only rows whose name holds this.
    pub filter: String,
    /// Tracks that the preview leaves out.
    #[serde(skip)]
    pub muted: BTreeSet<Uid>,
    /// Tracks that cannot be changed in the timeline.
    #[serde(skip)]
    pub locked: BTreeSet<Uid>,
}

impl Default for TimelineView {
    fn default() -> Self {
        TimelineView {
            fps: DISPLAY_FPS,
            snap: true,
            range_secs: None,
            visible_secs: None,
            visible_values: None,
            scroll: 0.0,
            folded: BTreeSet::new(),
            channels: [true; 3],
            curve_channels: None,
            only_selected: false,
            filter: String::new(),
            muted: BTreeSet::new(),
            locked: BTreeSet::new(),
        }
    }
}

impl TimelineView {
    /// Frames a second that can be divided by.
    pub fn usable_fps(&self) -> f64 {
        if self.fps.is_finite() { self.fps.clamp(0.01, 100_000.0) } else { DISPLAY_FPS }
    }

    /// The time of the nearest frame, rounded as files hold it (M31).
    pub fn snapped_secs(&self, time_secs: f64) -> f64 {
        let fps = self.usable_fps();
        let secs = (time_secs * fps).round() / fps;
        (secs * 1e6).round() / 1e6
    }
}

/// How one document is looked at; kept per file beside the app's settings, never in the file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct DocView {
    /// Where the playhead stands, in seconds within the clip.
    pub playhead_secs: f64,
    /// Viewport.
    pub viewport: ViewportView,
    /// Dope sheet and curves.
    pub timeline: TimelineView,
    /// What the values of an export are read as relative to, where somebody chose (A20).
    #[serde(skip)]
    pub space: Option<crate::sample::take::Space>,
    /// Nodes of the tree whose children are folded away.
    #[serde(skip)]
    pub folded_nodes: BTreeSet<Uid>,
}

/// How playing goes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PlaybackSettings {
    /// 1 is real time.
    pub speed: f64,
    /// Draw every frame of the display rate, however long it takes, instead of keeping time.
    pub every_frame: bool,
    /// Around and around, whatever the clip itself says; `None` does as the clip says.
    pub looping: Option<bool>,
}

impl Default for PlaybackSettings {
    fn default() -> Self {
        PlaybackSettings { speed: 1.0, every_frame: false, looping: None }
    }
}

/// What is playing.
#[derive(Clone, Debug, Default)]
pub struct Playback {
    /// The clip that plays; `None` stands still.
    pub playing: Option<DocId>,
    /// The window's clock when the last frame was reckoned, in seconds.
    pub last_secs: Option<f64>,
    /// The frames drawn in the last second.
    pub drawn: std::collections::VecDeque<f64>,
}

impl Playback {
    /// How many frames a second were really drawn, once there are enough to say so.
    pub fn drawn_fps(&self) -> Option<f64> {
        let (first, last) = (self.drawn.front()?, self.drawn.back()?);
        let span = last - first;
        (self.drawn.len() > 2 && span > 0.0).then(|| (self.drawn.len() - 1) as f64 / span)
    }
}

/// A command on its way to the panel that it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Invoked {
    /// The panel.
    pub panel: PanelId,
    /// The command.
    pub command: super::CommandId,
}

/// Everything the window remembers that is no document. Panels read it; actions change it.
#[derive(Debug, Default)]
pub struct State {
    /// The document of the current tab.
    pub active: Option<DocId>,
    /// The documents in the order of their tabs.
    pub tabs: Vec<DocId>,
    /// The workspace.
    pub workspace_tab: WorkspaceTab,
    /// How each document is looked at.
    pub views: BTreeMap<DocId, DocView>,
    /// For each rig, the clip that was last looked at with it.
    pub last_clip: BTreeMap<DocId, DocId>,
    /// What is playing.
    pub playback: Playback,
    /// What is remembered between runs.
    pub settings: Settings,
    /// The panel under the pointer, or that last was.
    pub pointer_panel: Option<PanelId>,
    /// The panels that this workspace shows, be it behind another tab.
    pub shown_panels: BTreeSet<PanelId>,
    /// The panels that were drawn in the last frame, not behind another tab.
    pub front_panels: BTreeSet<PanelId>,
    /// A command for a panel, for one frame.
    pub invoked: Option<Invoked>,
    /// What was last copied here, with its comments and unknown fields.
    pub clipboard: Option<Clipboard>,
    /// The text that the system's clipboard gave for the paste that is invoked.
    pub pasted_text: String,
    /// The line of a document that shall be shown, from 1; counts as new with each number.
    pub go_to_line: Option<(DocId, u32, u64)>,
    /// The field of the Inspector that shall be shown and get the keys, by the name that it is read
    /// aloud with; counts as new with each number.
    pub go_to_field: Option<(&'static str, u64)>,
    /// The frame of an export that the playhead shall go to as soon as the export is shown.
    pub go_to_frame: Option<(DocId, f64)>,
    /// What files of documents that have none yet are to be called.
    pub suggested_names: BTreeMap<DocId, String>,
    /// The folder that is open as a project.
    pub project: Option<PathBuf>,
    /// The welcome page is up, even with documents open.
    pub welcome: bool,
    /// Panels that panicked the last time they were shown.
    pub panel_faults: BTreeMap<PanelId, PanelFault>,
    /// What the status line says about a click here, as panels set it each frame.
    pub hint: String,
    /// Why a drag was refused, and until when the status line says so, by the window's clock.
    pub refused: Option<(String, f64)>,
}

impl State {
    /// How a document is looked at.
    pub fn view(&self, doc: DocId) -> DocView {
        self.views.get(&doc).cloned().unwrap_or_default()
    }

    /// How a document is looked at, to change it.
    pub fn view_mut(&mut self, doc: DocId) -> &mut DocView {
        self.views.entry(doc).or_default()
    }
}
