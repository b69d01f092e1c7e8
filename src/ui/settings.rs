//! What is remembered between runs, as JSON beside the user's other settings.

use super::keys::Keymap;
use super::shell::dock::Layouts;
use super::state::{DocView, PlaybackSettings, WorkspaceTab};
use super::theme::ThemeChoice;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Most recent files that are kept.
const MAX_RECENT: usize = 20;
/// Most files whose view is kept.
const MAX_VIEWS: usize = 200;

/// The settings.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Dark or light.
    pub theme: ThemeChoice,
    /// Which shortcuts.
    pub keymap: Keymap,
    /// Size of the interface, 0.75 to 3.
    pub scale: f32,
    /// Times show as frames.
    pub show_frames: bool,
    /// Angles show in radians.
    pub show_radians: bool,
    /// How playing goes.
    pub playback: PlaybackSettings,
    /// The workspace of the last run.
    pub workspace_tab: WorkspaceTab,
    /// Where the panels are, in each workspace.
    pub layouts: Layouts,
    /// Files opened before, the latest first.
    pub recent: Vec<PathBuf>,
    /// The folder that was open as a project.
    pub project: Option<PathBuf>,
    /// How files were looked at, the latest first.
    pub views: Vec<(PathBuf, DocView)>,
    /// Project roots that were chosen by hand.
    pub roots: BTreeMap<PathBuf, PathBuf>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            theme: ThemeChoice::default(),
            keymap: Keymap::default(),
            scale: 1.0,
            show_frames: false,
            show_radians: false,
            playback: PlaybackSettings::default(),
            workspace_tab: WorkspaceTab::default(),
            layouts: Layouts::default(),
            recent: Vec::new(),
            project: None,
            views: Vec::new(),
            roots: BTreeMap::new(),
        }
    }
}

impl Settings {
    /// The settings that a text holds. What cannot be read is as at first: settings are never a
    /// reason not to start.
    pub fn parse(text: &str) -> Settings {
        let mut settings: Settings = serde_json::from_str(text).unwrap_or_else(|error| {
            log::warn!("settings are not read, and start anew: {error}");
            Settings::default()
        });
        settings.scale = clamp_scale(settings.scale);
        let speed = settings.playback.speed;
        settings.playback.speed = if speed.is_finite() { speed.clamp(0.05, 8.0) } else { 1.0 };
        settings
    }

    /// The text that [`Settings::parse`] reads.
    pub fn to_text(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    /// Puts a file first among those opened before.
    pub fn remember_recent(&mut self, path: &Path) {
        self.recent.retain(|p| p != path);
        self.recent.insert(0, path.to_owned());
        self.recent.truncate(MAX_RECENT);
    }

    /// Keeps how a file is looked at.
    pub fn remember_view(&mut self, path: &Path, view: &DocView) {
        self.views.retain(|(p, _)| p != path);
        self.views.insert(0, (path.to_owned(), view.clone()));
        self.views.truncate(MAX_VIEWS);
    }

    /// How a file was looked at.
    pub fn view_of(&self, path: &Path) -> Option<DocView> {
        self.views.iter().find(|(p, _)| p == path).map(|(_, view)| view.clone())
    }
}

/// A size of the interface that can be used.
pub fn clamp_scale(scale: f32) -> f32 {
    if scale.is_finite() { scale.clamp(0.75, 3.0) } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_come_back() {
        let mut settings = Settings { keymap: Keymap::Maya, scale: 1.5, ..Settings::default() };
        settings.remember_recent(Path::new("/a/b.motion"));
        settings.remember_view(
            Path::new("/a/b.motion"),
            &DocView { playhead_secs: 1.25, ..DocView::default() },
        );
        let back = Settings::parse(&settings.to_text());
        assert_eq!(back.keymap, Keymap::Maya);
        assert_eq!(back.scale, 1.5);
        assert_eq!(back.recent, settings.recent);
        assert_eq!(back.view_of(Path::new("/a/b.motion")).map(|v| v.playhead_secs), Some(1.25));
    }

    #[test]
    fn broken_settings_start_anew() {
        assert_eq!(Settings::parse("{").scale, 1.0);
        assert_eq!(Settings::parse(r#"{"scale": 1e9}"#).scale, 3.0);
        assert_eq!(Settings::parse(r#"{"scale": 2, "later": true}"#).scale, 2.0);
    }

    #[test]
    fn recent_files_stand_once() {
        let mut settings = Settings::default();
        for i in 0..30 {
            settings.remember_recent(Path::new(&format!("/{}", i % 25)));
        }
        assert_eq!(settings.recent.len(), MAX_RECENT);
        assert_eq!(settings.recent[0], Path::new("/4"));
    }
}
