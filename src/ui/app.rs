//! The application: one frame after the other.

use super::action::{Action, CarryAnswer, Tone};
use super::compare::Compare;
use super::convert::Conversions;
use super::cx::{self, Cx};
use super::derived::{Derived, Wish};
use super::exports::Reports;
use super::fault::{self, Trouble};
use super::files::Files;
use super::files::dialogs::Dialogs;
use super::files::guard::Guard;
use super::files::opening::Openings;
use super::files::panel::Project;
use super::plain::Plain;
use super::settings::{self, Settings};
use super::shell::toasts::Toasts;
use super::shell::{self, Shell};
use super::shortcuts;
use super::stage::{Stage, Wanted};
use super::state::{PanelId, State};
use super::theme::{self, Theme, ThemeChoice};
use crate::edit::{DocId, Editor, HistoryLimits};
use crate::io;
use crate::sample::clip_time;
use eframe::egui::{self, Context};
use std::path::PathBuf;

/// Where the application keeps what it remembers.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// The folder of the settings; `None` remembers nothing.
    pub settings_folder: Option<PathBuf>,
    /// The folder of the recovery journal; `None` keeps none.
    pub recovery_folder: Option<PathBuf>,
    /// The folder that sample projects are unpacked into.
    pub samples_folder: Option<PathBuf>,
    /// Whether files that somebody else changes are reloaded.
    pub watch: bool,
}

impl Config {
    /// The user's own folders.
    pub fn of_user() -> Config {
        use etcetera::{AppStrategy, AppStrategyArgs, choose_app_strategy};
        let strategy = choose_app_strategy(AppStrategyArgs {
            top_level_domain: "org".to_owned(),
            author: "Posewright".to_owned(),
            app_name: "Posewright".to_owned(),
        });
        let Ok(strategy) = strategy else { return Config::default() };
        Config {
            settings_folder: Some(strategy.config_dir()),
            recovery_folder: io::journal::recovery_folder(),
            samples_folder: Some(strategy.data_dir().join("samples")),
            watch: true,
        }
    }

    /// The file of the settings.
    pub fn settings_file(&self) -> Option<PathBuf> {
        self.settings_folder.as_ref().map(|folder| folder.join("settings.json"))
    }
}

/// The application.
pub struct App {
    pub(super) config: Config,
    pub(super) editor: Editor,
    pub(super) state: State,
    pub(super) theme: Theme,
    pub(super) stage: Stage,
    pub(super) derived: Derived,
    pub(super) reports: Reports,
    pub(super) conversions: Conversions,
    pub(super) compare: Compare,
    pub(super) files: Files,
    pub(super) project: Project,
    pub(super) dialogs: Box<dyn Dialogs>,
    pub(super) shell: Shell,
    pub(super) toasts: Toasts,
    pub(super) trouble: Trouble,
    pub(super) plain: Plain,
    styled: Option<(ThemeChoice, f32)>,
    /// The window's title as the window system knows it.
    told_title: String,
    saved_settings: String,
    /// When what is remembered between runs is written down next, by the window's clock.
    pub(super) settings_due_secs: Option<f64>,
    settings_writer: Option<std::thread::JoinHandle<bool>>,
    queue: Vec<Action>,
}

impl App {
    /// An application with nothing open, its settings as they were left.
    pub fn new(ctx: &Context, config: Config, dialogs: Box<dyn Dialogs>) -> App {
        let text = config.settings_file().and_then(|file| io::read_text(&file).ok());
        let settings = text.as_deref().map(Settings::parse).unwrap_or_default();
        let mut state = State {
            workspace_tab: settings.workspace_tab,
            project: settings.project.clone().filter(|folder| folder.is_dir()),
            settings,
            ..State::default()
        };
        state.welcome = true;
        let guard = Guard::start(config.recovery_folder.as_deref(), config.watch, ctx);
        theme::add_fonts(ctx);
        let openings = Openings::new(ctx.clone());
        let mut app = App {
            config,
            editor: Editor::new(HistoryLimits::default()),
            theme: Theme::new(state.settings.theme),
            stage: Stage::default(),
            derived: Derived::default(),
            reports: Reports::default(),
            conversions: Conversions::default(),
            compare: Compare::default(),
            files: Files { guard, openings, ..Files::default() },
            project: Project::default(),
            dialogs,
            shell: Shell::default(),
            toasts: Toasts::default(),
            trouble: Trouble::default(),
            plain: Plain::default(),
            styled: None,
            told_title: String::new(),
            saved_settings: text.unwrap_or_default(),
            settings_due_secs: None,
            settings_writer: None,
            queue: Vec::new(),
            state,
        };
        app.restyle(ctx);
        app
    }

    /// Opens what the command line names.
    pub fn open_at_start(&mut self, files: Vec<PathBuf>) {
        if !files.is_empty() {
            self.open_files(&files);
            self.files.openings.start();
        }
    }

    /// The documents, undo, selection.
    pub fn editor(&self) -> &Editor {
        &self.editor
    }

    /// What the window remembers.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Poses at the playhead.
    pub fn stage(&self) -> &Stage {
        &self.stage
    }

    /// What the open documents would be saved as, and their problems.
    pub fn derived(&self) -> &Derived {
        &self.derived
    }

    /// Runs an action as if a panel had pushed it, at the end of the next frame.
    pub fn push(&mut self, action: Action) {
        self.queue.push(action);
    }

    /// What the window's frame and the system's list of windows say: the document, an asterisk
    /// while it has unsaved changes, the program.
    pub fn title(&self) -> String {
        let shown = self.state.active.and_then(|doc| {
            let name = self.editor.workspace().document(doc)?.name();
            let sign = if self.editor.is_dirty(doc) { "*" } else { "" };
            Some(format!("{}{sign} – Posewright", super::text::name(&name)))
        });
        shown.unwrap_or_else(|| "Posewright".to_owned())
    }

    /// What panels read.
    pub fn cx(&self) -> Cx<'_> {
        Cx {
            editor: &self.editor,
            state: &self.state,
            theme: &self.theme,
            stage: &self.stage,
            derived: &self.derived,
            report: self.reports.current(&self.stage),
            conversions: &self.conversions,
            compare: &self.compare,
            files: &self.files,
            project: &self.project,
        }
    }

    pub(super) fn toast(&mut self, tone: Tone, text: &str) {
        log::info!("{tone:?}: {text}");
        let text = super::text::clean(text, 400).into_owned();
        self.toasts.add(tone, text);
    }

    /// Makes a document the current one.
    pub(super) fn activate(&mut self, doc: DocId) {
        if self.editor.workspace().document(doc).is_none() {
            return;
        }
        if self.state.active != Some(doc) {
            self.state.playback.playing = None;
        }
        self.state.active = Some(doc);
        if let (Some(clip), Some(rig)) =
            (cx::clip_of(&self.editor, &self.state), cx::rig_of(&self.editor, &self.state))
        {
            self.state.last_clip.insert(rig, clip);
        }
    }

    fn restyle(&mut self, ctx: &Context) {
        let settings = &self.state.settings;
        let wanted = (settings.theme, settings.scale);
        if self.styled == Some(wanted) {
            return;
        }
        self.styled = Some(wanted);
        self.theme = Theme::new(settings.theme);
        let style = std::sync::Arc::new(self.theme.style());
        // Both, so that the system's own preference cannot change it.
        ctx.set_style_of(egui::Theme::Dark, style.clone());
        ctx.set_style_of(egui::Theme::Light, style);
        ctx.set_theme(match settings.theme {
            ThemeChoice::Dark => egui::Theme::Dark,
            ThemeChoice::Light => egui::Theme::Light,
        });
        ctx.set_zoom_factor(settings::clamp_scale(settings.scale));
        ctx.options_mut(|options| options.zoom_with_keyboard = false);
    }

    /// Moves the playhead of what plays.
    fn play(&mut self, ctx: &Context) {
        let now = ctx.input(|input| input.time);
        let Some(doc) = self.state.playback.playing else {
            self.state.playback.last_secs = None;
            self.state.playback.drawn.clear();
            return;
        };
        let workspace = self.editor.workspace();
        let clip = workspace.clip(doc).map(|clip| (clip.duration_secs, clip.looping));
        let export = self.stage.export.as_ref().filter(|export| export.doc == doc);
        let export = export.map(|export| (export.duration_secs(), false));
        let Some((duration_secs, own_loop)) = clip.or(export) else {
            self.state.playback.playing = None;
            return;
        };
        let settings = self.state.settings.playback;
        let view = self.state.view_mut(doc);
        let fps = view.timeline.usable_fps();
        let playback = &mut self.state.playback;
        let last = playback.last_secs.replace(now);
        playback.drawn.push_back(now);
        while playback.drawn.front().is_some_and(|first| now - first > 1.0) {
            playback.drawn.pop_front();
        }
        let passed = match last {
            None => 0.0,
            Some(_) if settings.every_frame => 1.0 / fps,
            Some(last) => (now - last).max(0.0),
        };
        let view = self.state.views.entry(doc).or_default();
        let range = view.timeline.range_secs;
        let (from, to) = range.unwrap_or((0.0, duration_secs));
        let length = to - from;
        let looping = settings.looping.unwrap_or(own_loop || range.is_some());
        let elapsed = view.playhead_secs - from + passed * settings.speed;
        if length > 0.0 {
            view.playhead_secs = from + clip_time(elapsed, length, looping);
        }
        if !looping && elapsed >= length {
            self.state.playback.playing = None;
        }
        ctx.request_repaint();
    }

    /// What the window system says: files dropped on the window, its close button.
    fn look_at_window(&mut self, ctx: &Context) {
        let (dropped, close) = ctx.input(|input| {
            let files = input.raw.dropped_files.iter().map(|file| file.path().to_owned());
            (files.collect::<Vec<_>>(), input.viewport().close_requested())
        });
        if !dropped.is_empty() {
            self.queue.push(Action::Open(dropped));
        }
        if close && !self.shell.may_quit {
            ctx.send_viewport_cmd(egui::ViewportCommand::CancelClose);
            self.quit(ctx);
        }
    }

    /// Writes down what is remembered between runs.
    pub fn save_settings(&mut self) {
        self.write_settings(false);
    }

    /// Writes down what is remembered between runs, beside the window where nobody waits for it.
    fn write_settings(&mut self, beside: bool) {
        if let Some(writer) = self.settings_writer.take() {
            if beside && !writer.is_finished() {
                self.settings_writer = Some(writer);
                return;
            }
            if !writer.join().unwrap_or(false) {
                // It said itself what went wrong, and is tried again.
                self.saved_settings.clear();
            }
        }
        let Some(file) = self.config.settings_file() else { return };
        for document in self.editor.workspace().documents() {
            if let (Some(path), Some(view)) = (&document.path, self.state.views.get(&document.id)) {
                self.state.settings.remember_view(path, view);
            }
        }
        self.state.settings.workspace_tab = self.state.workspace_tab;
        self.state.settings.project = self.state.project.clone();
        let text = self.state.settings.to_text();
        if text == self.saved_settings {
            return;
        }
        self.saved_settings.clone_from(&text);
        if beside {
            self.settings_writer = Some(std::thread::spawn(move || write_settings(&file, &text)));
        } else if !write_settings(&file, &text) {
            self.saved_settings.clear();
        }
    }

    /// Whether something on the screen shows what a save would write and what is wrong, more than
    /// the status line does.
    fn shows_facts(&self) -> bool {
        const SHOWING: [PanelId; 3] = [PanelId::Problems, PanelId::Source, PanelId::Pegs];
        let front = &self.state.front_panels;
        SHOWING.iter().any(|panel| front.contains(panel))
            || self.shell.difference.is_some()
            || super::text_view::is_current(&self.cx())
    }

    fn refresh(&mut self, ctx: &Context) {
        let on_disk = &self.files.on_disk;
        let wake = || -> Box<dyn Fn() + Send> {
            let ctx = ctx.clone();
            Box::new(move || ctx.request_repaint())
        };
        let shown = [
            self.state.active,
            cx::clip_of(&self.editor, &self.state),
            cx::rig_of(&self.editor, &self.state),
        ];
        let wanted = Wish {
            at_once: self.shows_facts(),
            shown: shown.into_iter().flatten().collect(),
            busy: self.editor.gesture().is_some(),
            now_secs: ctx.input(|input| input.time),
        };
        let saved = |doc| on_disk.get(&doc).cloned();
        let rest = self.derived.update(self.editor.workspace(), &wanted, &saved, &wake);
        if let Some(secs) = rest {
            ctx.request_repaint_after(std::time::Duration::from_secs_f64(secs));
        }
        let clip = cx::clip_of(&self.editor, &self.state);
        let rig = cx::rig_of(&self.editor, &self.state);
        let view = cx::view_doc(&self.editor, &self.state);
        let workspace = self.editor.workspace();
        let export = cx::export_of(&self.editor, &self.state);
        let tab = self.state.workspace_tab;
        let view = view.map(|doc| {
            &*self.state.views.entry(doc).or_insert_with(|| {
                let mut view = super::state::DocView::default();
                if let Some(take) = workspace.take(doc).filter(|take| take.fps() > 0.0) {
                    view.timeline.fps = take.fps();
                }
                view
            })
        });
        let moving = self.editor.gesture().is_some();
        let wanted = Wanted { export, clip, rig, moving };
        self.stage.update(self.editor.workspace(), wanted, view, tab);
        self.reports.update(&self.stage, &wake);
        self.follow_conversions(&wake);
        let (workspace, stage) = (self.editor.workspace(), &self.stage);
        self.compare.update(workspace, stage, &self.state, moving, &wake);
        if let Some((doc, frame)) = self.state.go_to_frame.take() {
            let shown = self.stage.export.as_ref().filter(|export| export.doc == doc);
            let secs = shown.and_then(|export| export.take()?.1.time_secs_at(frame));
            if let Some(secs) = secs.filter(|secs| secs.is_finite()) {
                self.state.view_mut(doc).playhead_secs = secs;
                ctx.request_repaint();
            }
        }
    }
}

impl eframe::App for App {
    fn logic(&mut self, ctx: &Context, _: &mut eframe::Frame) {
        self.tick(ctx);
    }

    fn ui(&mut self, ui: &mut egui::Ui, _: &mut eframe::Frame) {
        self.show(ui);
    }

    fn save(&mut self, _: &mut dyn eframe::Storage) {
        self.save_settings();
    }

    fn persist_egui_memory(&self) -> bool {
        false
    }

    fn on_exit(&mut self, _: Option<&eframe::glow::Context>) {
        self.save_settings();
    }

    fn clear_color(&self, _: &egui::Visuals) -> [f32; 4] {
        self.theme.ground.to_normalized_gamma_f32()
    }
}

impl App {
    /// What goes on whether or not anything is drawn: playing, saving, files that changed.
    pub fn tick(&mut self, ctx: &Context) {
        if self.trouble.plain.is_some() {
            return self.plain_tick();
        }
        self.guarded(ctx, |app| {
            fault::part("tick");
            app.restyle(ctx);
            app.play(ctx);
            app.poll(ctx);
            app.guard();
            app.look_at_openings();
            app.look_at_reloads();
            app.look_at_window(ctx);
            app.project.update(app.state.project.as_deref(), ctx);
            app.refresh(ctx);
            app.remember(ctx);
            app.entitle(ctx);
        });
    }

    /// Tells the window system the title where it is another one: telling draws a frame.
    fn entitle(&mut self, ctx: &Context) {
        let title = self.title();
        if title != self.told_title {
            ctx.send_viewport_cmd(egui::ViewportCommand::Title(title.clone()));
            self.told_title = title;
        }
    }

    /// Writes down what is remembered between runs a moment after something was done: a window that
    /// is killed remembers it too.
    fn remember(&mut self, ctx: &Context) {
        let Some(due) = self.settings_due_secs else { return };
        let left = due - ctx.input(|input| input.time);
        if left <= 0.0 {
            self.settings_due_secs = None;
            self.write_settings(true);
        } else {
            ctx.request_repaint_after(std::time::Duration::from_secs_f64(left));
        }
    }

    /// Shows a frame and carries out what it asked for. A panic in it takes the documents back to
    /// what was last drawn whole.
    pub fn show(&mut self, ui: &mut egui::Ui) {
        if self.trouble.plain.is_some() {
            return self.show_plain(ui);
        }
        let ctx = ui.ctx().clone();
        self.guarded(&ctx, |app| app.hear(&ctx));
        let actions = self.draw(ui);
        if !actions.is_empty() {
            self.guarded(&ctx, |app| app.apply_all(&ctx, actions));
            // What was just drawn is of a moment ago.
            ctx.request_repaint();
        }
        self.guarded(&ctx, |app| app.toasts.show(&ctx, &app.theme));
        self.end_frame(&ctx);
    }

    /// Carries out what the keys ask for, and what waited for this frame.
    fn hear(&mut self, ctx: &Context) {
        let mut actions = std::mem::take(&mut self.queue);
        if !self.shell.is_asking() {
            actions.extend(shortcuts::collect(ctx, &self.cx()));
        }
        let escape = ctx.input(|input| input.key_pressed(egui::Key::Escape));
        if self.files.waiting.is_some() && escape {
            actions.push(Action::AnswerCarry(CarryAnswer::Cancel));
        }
        if escape && self.editor.gesture().is_none() && !self.files.under_way().is_empty() {
            self.cancel_opening(None);
        }
        if self.editor.gesture().is_some() {
            if escape {
                actions.push(Action::Cancel);
            } else if ctx.input(|input| !input.focused) {
                // Another window has the hand now: what was done so far stays.
                actions.push(Action::Commit);
            }
        }
        if !actions.is_empty() {
            self.apply_all(ctx, actions);
            self.refresh(ctx);
        }
    }

    /// Draws everything but the notes. Gives what panels ask for.
    fn draw(&mut self, ui: &mut egui::Ui) -> Vec<Action> {
        let ctx = ui.ctx().clone();
        let tab = self.state.workspace_tab;
        let layouts = &self.state.settings.layouts;
        let shown = PanelId::ALL.into_iter().filter(|panel| layouts.is_shown(tab, *panel));
        self.state.shown_panels = shown.collect();
        let mut tree = self.state.settings.layouts.take(tab);
        let as_it_was = tree.clone();
        let mut shell = std::mem::take(&mut self.shell);
        let mut actions = Vec::new();
        let drawn = self.guarded(&ctx, |app| {
            fault::part("draw");
            shell::show(ui, &mut shell, &mut tree, &app.cx(), &mut actions)
        });
        self.shell = shell;
        let Some(docked) = drawn else {
            // Half a frame: neither its panels nor what they asked for can be relied upon.
            self.state.settings.layouts.put(tab, as_it_was);
            return Vec::new();
        };
        self.state.settings.layouts.put(tab, tree);
        self.state.invoked = None;
        if let Some(panel) = docked.pointer_panel {
            self.state.pointer_panel = Some(panel);
        }
        if docked.front != self.state.front_panels {
            // What they show is reckoned only now that they are seen.
            self.state.front_panels = docked.front;
            ctx.request_repaint();
        }
        if !actions.iter().any(|action| matches!(action, Action::PanelFailed(..))) {
            self.drawn_whole();
        }
        let mut hint = String::new();
        actions.retain(|action| match action {
            Action::Hint(text) => {
                hint.clone_from(text);
                false
            }
            _ => true,
        });
        if hint != self.state.hint {
            self.state.hint = hint;
            ctx.request_repaint();
        }
        actions
    }
}

/// Whether the settings are on the disk.
fn write_settings(file: &std::path::Path, text: &str) -> bool {
    let written = io::write_own_file(file, text);
    if let Err(error) = &written {
        log::warn!("settings are not saved: {}: {error}", file.display());
    }
    written.is_ok()
}

/// The panel that a command goes to when a menu or the palette asks for it: the one under the
/// pointer if it is for it, otherwise the first that is.
pub(super) fn panel_for(panels: &[PanelId], pointer: Option<PanelId>) -> Option<PanelId> {
    pointer.filter(|panel| panels.contains(panel)).or_else(|| panels.first().copied())
}
