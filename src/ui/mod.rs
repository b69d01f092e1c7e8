//! The window.
//!
//! Panels are functions `show(ui, cx, actions)`: they read a [`Cx`] and push [`Action`]s, which
//! [`App`] runs after all panels were shown. Nothing else changes a document or the [`State`].

mod action;
mod app;
mod apply;
pub mod command;
mod compare;
mod convert;
mod cx;
pub mod derived;
mod exports;
pub mod expr;
pub mod fault;
mod files;
mod hierarchy;
mod inspector;
pub mod keys;
mod node_commands;
pub mod nodes;
pub mod paint;
mod panels;
mod plain;
pub mod pose;
mod problems;
mod repair;
mod settings;
mod shell;
mod shortcuts;
mod source_view;
pub mod stage;
mod state;
pub mod text;
mod text_view;
pub mod theme;
mod timeline;
mod viewport;
pub mod widgets;

pub use action::{Action, OnDisk, OutsideAnswer, Tone};
pub use app::{App, Config};
pub use command::CommandId;
pub use compare::Ask as CompareAsk;
pub use cx::Cx;
pub use files::dialogs::{Ask, AskKind, Dialogs, PathDialogs, ScriptedDialogs, SystemDialogs};
pub use settings::Settings;
pub use shell::dock::Layouts;
pub use state::{
    Camera, DocView, Invoked, PanelId, Playback, PlaybackSettings, State, TimelineView, Tool,
    ViewportView, WorkspaceTab,
};
pub use theme::{Theme, ThemeChoice};
pub use viewport::{Look, Renderer};

use eframe::egui;
use std::path::PathBuf;

/// Opens the window on these files and runs until it is closed.
///
/// # Errors
/// Where there is no display, or no way to draw on it.
pub fn run(files: Vec<PathBuf>) -> Result<(), String> {
    fault::listen();
    let viewport = egui::ViewportBuilder::default()
        .with_title("Posewright")
        .with_app_id("posewright")
        .with_inner_size([1600.0, 900.0])
        .with_min_inner_size([480.0, 320.0])
        .with_drag_and_drop(true);
    let options = eframe::NativeOptions {
        viewport,
        persist_window: false,
        // Edges are smoothed by egui itself.
        multisampling: 0,
        depth_buffer: 0,
        ..eframe::NativeOptions::default()
    };
    eframe::run_native(
        "posewright",
        options,
        Box::new(move |cc| {
            let mut app = App::new(&cc.egui_ctx, Config::of_user(), Box::new(SystemDialogs));
            app.open_at_start(files);
            Ok(Box::new(app))
        }),
    )
    .map_err(|error| {
        log::error!("{error}");
        "the window could not be opened; is there a display? The commands need none: \
         see posewright --help"
            .to_owned()
    })
}
