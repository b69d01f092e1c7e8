//! What actions do. They run after the panels were shown, in order.

use super::action::{Action, CloseAnswer, Tone};
use super::app::{App, panel_for};
use super::command::{self, CommandId};
use super::compare::Ask;
use super::cx;
use super::fault;
use super::files::asking::Purpose;
use super::keys::Keymap;
use super::settings::clamp_scale;
use super::shell::gap::Gap;
use super::state::{Invoked, WorkspaceTab};
use super::theme::ThemeChoice;
use crate::edit::{DocId, Edit};
use eframe::egui::{Context, ViewportCommand};

/// How long the status line says why a drag was refused, in seconds.
const REFUSED_SECS: f64 = 4.0;

/// How long after something was done the settings are written down, in seconds.
const SETTINGS_SECS: f64 = 2.0;

impl App {
    pub(super) fn apply_all(&mut self, ctx: &Context, actions: Vec<Action>) {
        fault::part("apply");
        let now = ctx.input(|input| input.time);
        self.settings_due_secs.get_or_insert(now + SETTINGS_SECS);
        for action in actions {
            self.apply(ctx, action);
        }
    }

    fn apply(&mut self, ctx: &Context, action: Action) {
        match action {
            Action::Edit(edit) => {
                self.state.playback.playing = None;
                self.perform_or_ask(edit);
            }
            Action::Begin => {
                self.state.playback.playing = None;
                self.state.refused = None;
                self.editor.begin();
            }
            Action::Preview(edit) => {
                if let Err(error) = self.editor.preview(&edit) {
                    // Long enough to be read, also when the drag goes on where it may.
                    let until = ctx.input(|input| input.time) + REFUSED_SECS;
                    self.state.refused = Some((error.message, until));
                }
            }
            Action::Commit => {
                let step = self.editor.commit();
                // What the hand's last preview had to say: keys replaced, handles dropped.
                for note in step.iter().flat_map(|step| &step.notes) {
                    self.toast(Tone::Warning, note);
                }
            }
            Action::Cancel => self.editor.cancel(),
            Action::Select(selection) => self.editor.select(selection),
            Action::Activate(doc) => {
                self.editor.commit();
                self.activate(doc);
            }
            Action::SetPlayhead(secs) => {
                self.state.playback.playing = None;
                self.set_playhead(secs);
            }
            Action::GoToFrame(doc, frame) => {
                self.state.playback.playing = None;
                self.state.go_to_frame = Some((doc, frame));
            }
            Action::SetSpace(space) => {
                if let Some(view) = self.view_mut() {
                    view.space = space;
                }
            }
            Action::Play(on) => self.play_or_pause(on),
            Action::SetTimeline(timeline) => {
                if let Some(view) = self.view_mut() {
                    view.timeline = timeline;
                }
            }
            Action::SetViewport(viewport) => {
                if let Some(view) = self.view_mut() {
                    view.viewport = viewport;
                }
            }
            Action::SetFoldedNodes(nodes) => {
                if let Some(view) = self.view_mut() {
                    view.folded_nodes = nodes;
                }
            }
            Action::SetSettings(settings) => {
                // Panels are being shown from the layouts that are there now.
                let layouts = std::mem::take(&mut self.state.settings.layouts);
                self.state.settings = super::Settings { layouts, ..*settings };
            }
            Action::SetWorkspace(tab) => {
                self.editor.commit();
                self.state.playback.playing = None;
                self.state.workspace_tab = tab;
            }
            Action::Compare(ask) => self.answer_compare(ask),
            Action::Command(id) => self.run(ctx, id),
            Action::Open(paths) => self.open_files(&paths),
            Action::CancelOpening(number) => self.cancel_opening(Some(number)),
            Action::OpenFolder(folder) => self.open_folder(&folder, true),
            Action::CloseFolder => {
                self.state.project = None;
                self.state.settings.project = None;
            }
            Action::NewRigClip { rig } => match rig {
                Some(rig) => {
                    if let Err(message) = self.new_rig_clip(rig) {
                        self.toast(Tone::Error, &message);
                    }
                }
                None => self.ask(ctx, Purpose::RigForClip),
            },
            Action::Close(doc) => self.close(ctx, vec![doc], false),
            Action::AnswerClose(answer) => match answer {
                CloseAnswer::Save => self.save_and_close(ctx),
                CloseAnswer::Discard => {
                    if let Some(closing) = &mut self.shell.closing {
                        closing.discard = true;
                    }
                    self.go_on_closing(ctx);
                }
                CloseAnswer::Cancel => self.shell.closing = None,
            },
            Action::AnswerOutside(answer) => self.answer_outside(ctx, answer),
            Action::Save(doc) => {
                self.save_document(ctx, doc);
            }
            Action::SaveAs(doc) => self.ask(ctx, Purpose::SaveAs(doc)),
            Action::AnswerCarry(answer) => self.answer_carry(answer),
            Action::OnDisk(..)
            | Action::KeepQuiet(_)
            | Action::Recover(_)
            | Action::DiscardRecovered(_) => {
                self.answer_guard(action);
            }
            Action::SetClipboard(clipboard) => {
                ctx.copy_text(clipboard.text());
                self.state.clipboard = Some(clipboard);
            }
            Action::Paste { text, flipped } => {
                let flipped = flipped || std::mem::take(&mut self.shell.paste_flipped);
                self.state.pasted_text = text;
                let id = if flipped { CommandId::PasteFlipped } else { CommandId::Paste };
                if command::is_enabled(id, &self.cx()) {
                    self.hand_to_panel(ctx, id);
                }
            }
            Action::SetConversion(doc, form) => self.conversions.set_form(doc, *form),
            Action::CreateConverted(doc) => self.create_converted(doc),
            Action::StopConversion(true) => self.conversions.stop(),
            Action::StopConversion(false) => self.conversions.resume(),
            Action::ShowOwnConversion(doc, own) => self.conversions.show_own(doc, own),
            Action::ShowBeside { ghost: true, on } => self.conversions.ghost = on,
            Action::ShowBeside { ghost: false, on } => self.conversions.heat = on,
            Action::ShowPanel(panel, shown) => {
                self.state.settings.layouts.show(self.state.workspace_tab, panel, shown);
            }
            Action::FocusPanel(panel) => {
                self.state.settings.layouts.focus(self.state.workspace_tab, panel);
            }
            Action::GoToProblem { doc, index } => self.go_to_problem(doc, index),
            Action::Repair { doc, index } => self.repair(doc, index, None),
            Action::Choose { doc, index, choice } => self.repair(doc, index, Some(choice)),
            Action::CopyText(text) => ctx.copy_text(text),
            Action::Toast(tone, text) => self.toast(tone, &text),
            Action::Hint(text) => self.state.hint = text,
            Action::PanelFailed(panel, fault) => self.panel_failed(ctx, panel, fault),
            Action::PanelWorks(panel) => self.panel_works(panel),
            Action::CloseWelcome => self.state.welcome = false,
            Action::OpenSample(index) => self.open_sample(index),
        }
    }

    fn view_mut(&mut self) -> Option<&mut super::DocView> {
        let doc = cx::view_doc(&self.editor, &self.state)?;
        Some(self.state.view_mut(doc))
    }

    /// Makes an edit; an error is said, and nothing has changed.
    pub(super) fn perform(&mut self, edit: &Edit) -> bool {
        match self.editor.perform(edit) {
            Ok(step) => {
                for note in step.iter().flat_map(|step| &step.notes) {
                    self.toast(Tone::Warning, note);
                }
                true
            }
            Err(error) => {
                self.toast(Tone::Error, &error.message);
                false
            }
        }
    }

    /// Moves the playhead, as [`Action::SetPlayhead`] does.
    pub(super) fn scrub_to(&mut self, secs: f64) {
        self.state.playback.playing = None;
        self.set_playhead(secs);
    }

    fn set_playhead(&mut self, secs: f64) {
        let Some((doc, duration)) = self.playable() else { return };
        let duration = duration.max(0.0);
        let secs = if secs.is_finite() { secs.clamp(0.0, duration) } else { 0.0 };
        self.state.view_mut(doc).playhead_secs = secs;
    }

    /// What plays: the clip, or the export that is shown, with its length in seconds.
    fn playable(&self) -> Option<(DocId, f64)> {
        let cx = self.cx();
        Some((cx.view_doc()?, cx.duration_secs()?))
    }

    fn play_or_pause(&mut self, on: bool) {
        self.state.playback.last_secs = None;
        self.state.playback.playing = None;
        if !on {
            return;
        }
        let Some((doc, duration_secs)) = self.playable() else { return };
        self.editor.commit();
        let view = self.state.view_mut(doc);
        let (from, to) = view.timeline.range_secs.unwrap_or((0.0, duration_secs));
        if view.playhead_secs >= to || view.playhead_secs < from {
            view.playhead_secs = from;
        }
        self.state.playback.playing = Some(doc);
        // Poses at rest do not play.
        if self.state.workspace_tab == WorkspaceTab::Rig {
            self.state.workspace_tab = WorkspaceTab::Animate;
        }
    }

    /// Carries out a command.
    fn run(&mut self, ctx: &Context, id: CommandId) {
        if !command::is_enabled(id, &self.cx()) {
            return;
        }
        let active = self.state.active;
        let settings = &mut self.state.settings;
        match id {
            CommandId::NewRigClip => {
                let rig = cx::rig_of(&self.editor, &self.state);
                let saved = rig.filter(|rig| {
                    self.editor.workspace().document(*rig).is_some_and(|d| d.path.is_some())
                });
                match (rig, saved) {
                    (_, Some(rig)) => self.apply(ctx, Action::NewRigClip { rig: Some(rig) }),
                    (Some(rig), None) => {
                        self.toast(Tone::Info, "Save the rig first: a clip names its file");
                        self.ask(ctx, Purpose::SaveAs(rig));
                    }
                    (None, None) => self.ask(ctx, Purpose::RigForClip),
                }
            }
            CommandId::NewModelClip => self.new_model_clip(),
            CommandId::NewRig => self.new_rig(),
            CommandId::Open => self.ask(ctx, Purpose::Open),
            CommandId::OpenFolder => self.ask(ctx, Purpose::OpenFolder),
            CommandId::Save => {
                if let Some(doc) = active {
                    self.save_document(ctx, doc);
                }
            }
            CommandId::SaveAs => {
                if let Some(doc) = active {
                    self.ask(ctx, Purpose::SaveAs(doc));
                }
            }
            CommandId::SaveAll => self.save_all(ctx),
            CommandId::Revert => {
                if let Some(doc) = active {
                    self.revert(doc);
                }
            }
            CommandId::SetProjectRoot => {
                if let Some(doc) = active {
                    self.ask(ctx, Purpose::Root(doc));
                }
            }
            CommandId::Close => {
                if let Some(doc) = active {
                    self.close(ctx, vec![doc], false);
                }
            }
            CommandId::Quit => self.quit(ctx),
            CommandId::Undo | CommandId::Redo => {
                let undo = id == CommandId::Undo;
                if let Some(doc) = cx::undo_line(&self.editor, &self.state, undo) {
                    self.undo_or_redo(doc, undo);
                }
            }
            CommandId::Paste | CommandId::PasteFlipped => {
                // The system's clipboard answers with the text.
                self.shell.paste_flipped = id == CommandId::PasteFlipped;
                ctx.send_viewport_cmd(ViewportCommand::RequestPaste);
            }
            CommandId::Palette => self.shell.open_palette(),
            CommandId::KeymapBlender => settings.keymap = Keymap::Blender,
            CommandId::KeymapMaya => settings.keymap = Keymap::Maya,
            CommandId::WorkspaceAnimate => {
                self.apply(ctx, Action::SetWorkspace(WorkspaceTab::Animate));
            }
            CommandId::WorkspaceRig => self.apply(ctx, Action::SetWorkspace(WorkspaceTab::Rig)),
            CommandId::WorkspaceInspect => {
                self.apply(ctx, Action::SetWorkspace(WorkspaceTab::Inspect));
            }
            CommandId::ShowFrames => settings.show_frames = !settings.show_frames,
            CommandId::ShowRadians => settings.show_radians = !settings.show_radians,
            CommandId::ToggleTheme => {
                settings.theme = match settings.theme {
                    ThemeChoice::Dark => ThemeChoice::Light,
                    ThemeChoice::Light => ThemeChoice::Dark,
                };
            }
            CommandId::ScaleUp => settings.scale = clamp_scale(settings.scale + 0.125),
            CommandId::ScaleDown => settings.scale = clamp_scale(settings.scale - 0.125),
            CommandId::ScaleReset => settings.scale = 1.0,
            CommandId::ResetLayout => settings.layouts.reset(self.state.workspace_tab),
            CommandId::ShowNames
            | CommandId::BonesInFront
            | CommandId::ShowGhosts
            | CommandId::ShowTrail => {
                if let Some(view) = self.view_mut() {
                    let shown = match id {
                        CommandId::ShowNames => &mut view.viewport.names,
                        CommandId::BonesInFront => &mut view.viewport.bones_in_front,
                        CommandId::ShowGhosts => &mut view.viewport.ghosts,
                        _ => &mut view.viewport.trail,
                    };
                    *shown = !*shown;
                }
            }
            CommandId::ToggleLoop => {
                let doc = cx::clip_of(&self.editor, &self.state);
                let clip = doc.and_then(|doc| self.editor.workspace().clip(doc));
                let now = self.state.settings.playback.looping;
                let now = now.or(clip.map(|clip| clip.looping)).unwrap_or(false);
                self.state.settings.playback.looping = Some(!now);
            }
            CommandId::ToggleSnap => {
                if let Some(view) = self.view_mut() {
                    view.timeline.snap = !view.timeline.snap;
                }
            }
            CommandId::Play => {
                let on = self.state.playback.playing.is_none();
                self.play_or_pause(on);
            }
            CommandId::FrameBack
            | CommandId::FrameForward
            | CommandId::KeyBack
            | CommandId::KeyForward
            | CommandId::GoStart
            | CommandId::GoEnd => self.step(id),
            CommandId::CompareFile => self.ask(ctx, Purpose::Compare),
            CommandId::CompareBefore => self.answer_compare(Ask::Before),
            CommandId::CompareNext => self.answer_compare(Ask::Step(true)),
            CommandId::ComparePrevious => self.answer_compare(Ask::Step(false)),
            CommandId::InsertTime | CommandId::RemoveTime => {
                self.editor.commit();
                self.shell.gap = Gap::new(&self.cx(), id == CommandId::RemoveTime);
            }
            CommandId::CreateRigAndClip | CommandId::CreateRig | CommandId::Export => {
                let tab = self.state.workspace_tab;
                self.state.settings.layouts.focus(tab, super::PanelId::Convert);
                if let Some(doc) = active.filter(|_| id == CommandId::Export) {
                    self.conversions.show_own(doc, true);
                }
            }
            CommandId::ShortcutGuide => self.shell.guide = !self.shell.guide,
            CommandId::About => self.shell.about = !self.shell.about,
            CommandId::Welcome => self.state.welcome = true,
            _ => self.hand_to_panel(ctx, id),
        }
    }

    /// Gives a command to the panel that it is for, in the next frame.
    fn hand_to_panel(&mut self, ctx: &Context, id: CommandId) {
        let row = command::command(id);
        let panels = match id {
            // Names are changed in the tree, wherever the pointer is.
            CommandId::Rename => &[super::PanelId::Hierarchy][..],
            _ => row.panels,
        };
        let tab = self.state.workspace_tab;
        let shown: Vec<_> = panels
            .iter()
            .copied()
            .filter(|panel| self.state.settings.layouts.is_shown(tab, *panel))
            .collect();
        let Some(panel) = panel_for(&shown, self.state.pointer_panel) else {
            let names: Vec<&str> = panels.iter().map(|panel| panel.name()).collect();
            self.toast(Tone::Info, &format!("{} needs the panel {}", row.name, names.join(" or ")));
            return;
        };
        self.state.settings.layouts.focus(tab, panel);
        self.state.invoked = Some(Invoked { panel, command: id });
        ctx.request_repaint();
    }

    /// Moves the playhead by frames or keys.
    fn step(&mut self, id: CommandId) {
        let Some((doc, duration_secs)) = self.playable() else { return };
        let key_secs = self.key_secs(doc);
        self.state.playback.playing = None;
        let view = self.state.view(doc);
        let now = view.playhead_secs;
        let fps = view.timeline.usable_fps();
        let (from, to) = view.timeline.range_secs.unwrap_or((0.0, duration_secs));
        // A little beside a frame is on it.
        let near = 1e-6;
        let times = || key_secs.iter().copied();
        let target = match id {
            CommandId::FrameBack => Some(((now * fps - near).ceil() - 1.0) / fps),
            CommandId::FrameForward => Some(((now * fps + near).floor() + 1.0) / fps),
            CommandId::KeyBack => times().filter(|t| *t < now - near).reduce(f64::max),
            CommandId::KeyForward => times().filter(|t| *t > now + near).reduce(f64::min),
            CommandId::GoStart => Some(from),
            _ => Some(to),
        };
        if let Some(target) = target {
            self.set_playhead(target);
        }
    }

    /// The times of all keys that one steps through: those of the selected tracks or pegs, or of
    /// all where none is selected.
    fn key_secs(&self, doc: DocId) -> Vec<f64> {
        let selection = self.editor.selection();
        if let Some((take, rig, _)) = self.cx().export().and_then(|export| export.take()) {
            let pegs = selection.nodes_of(doc);
            let chosen = take.pegs.iter().filter(|peg| pegs.is_empty() || pegs.contains(&peg.uid));
            let frames = chosen.flat_map(|peg| peg.keyframes.iter().map(|key| key.frame));
            return frames.filter_map(|frame| rig.time_secs_at(frame)).collect();
        }
        let Some(clip) = self.editor.workspace().clip(doc) else { return Vec::new() };
        let tracks = &selection.tracks;
        let chosen = clip
            .tracks
            .iter()
            .filter(|track| tracks.is_empty() || tracks.contains(&(doc, track.uid)));
        chosen.flat_map(|track| track.keys.iter().map(|key| key.time)).collect()
    }

    fn undo_or_redo(&mut self, doc: DocId, undo: bool) {
        self.state.playback.playing = None;
        let open: Vec<DocId> = self.editor.workspace().documents().map(|d| d.id).collect();
        let result = if undo { self.editor.undo(doc) } else { self.editor.redo(doc) };
        match result {
            Err(error) => self.toast(Tone::Info, &error.to_string()),
            Ok(step) => {
                // A document that was closed since is opened by this.
                for doc in step.changes.keys().filter(|doc| !open.contains(doc)) {
                    if !self.state.tabs.contains(doc) {
                        self.state.tabs.push(*doc);
                    }
                }
                let word = if undo { "Undid" } else { "Redid" };
                self.state.hint = format!("{word}: {}", step.label);
                if step.changes.len() > 1 {
                    let count = step.changes.len();
                    let text =
                        format!("{word} \u{201c}{}\u{201d} in {count} documents", step.label);
                    self.toast(Tone::Info, &text);
                }
            }
        }
    }
}
