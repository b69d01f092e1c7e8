//! The Files panel: the files of the project's folder, exports too, clips under the rig they bind.

use super::relative;
use crate::diagnostic::Severity;
use crate::format::FileKind;
use crate::io;
use crate::ui::action::Action;
use crate::ui::command::CommandId;
use crate::ui::cx::Cx;
use crate::ui::text;
use crate::ui::theme;
use crate::ui::widgets;
use eframe::egui::{
    self, Align2, Context, FontId, Id, Key, RichText, ScrollArea, Sense, Ui, WidgetInfo, pos2, vec2,
};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};

/// A file of the project.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The file.
    pub path: PathBuf,
    /// Its path below the folder.
    pub name: String,
    /// What it is.
    pub kind: FileKind,
    /// The rig that it binds.
    pub rig: Option<PathBuf>,
    /// The worst of its problems.
    pub worst: Option<Severity>,
    /// How many problems it has.
    pub problems: usize,
}

/// The files of the project, checked on another thread.
#[derive(Debug, Default)]
pub struct Project {
    folder: Option<PathBuf>,
    stale: bool,
    entries: Vec<Entry>,
    running: Option<Receiver<Vec<Entry>>>,
}

impl Project {
    /// The folder may have changed: look again.
    pub fn refresh(&mut self) {
        self.stale = true;
    }

    /// The files, clips behind the rig they bind.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Whether the folder is still being looked through.
    pub fn is_busy(&self) -> bool {
        self.running.is_some()
    }

    /// Looks through the folder where that is needed, and takes over what was found.
    pub fn update(&mut self, folder: Option<&Path>, ctx: &Context) {
        if self.folder.as_deref() != folder {
            self.folder = folder.map(Path::to_owned);
            self.entries.clear();
            self.running = None;
            self.stale = folder.is_some();
        }
        if let Some(found) = self.running.as_ref().and_then(|running| running.try_recv().ok()) {
            self.entries = found;
            self.running = None;
        }
        let Some(folder) = self.folder.clone().filter(|_| self.stale && self.running.is_none())
        else {
            return;
        };
        self.stale = false;
        let (send, receive) = channel();
        let ctx = ctx.clone();
        std::thread::spawn(move || {
            let _ = send.send(look_through(&folder));
            ctx.request_repaint();
        });
        self.running = Some(receive);
    }
}

fn look_through(folder: &Path) -> Vec<Entry> {
    let files = io::files_below(folder, None).files;
    let mut entries: Vec<Entry> = files.into_iter().map(|path| entry(folder, path)).collect();
    // Rigs and what stands alone by name; each clip behind its rig.
    let order = |entry: &Entry| match &entry.rig {
        Some(rig) if rig.starts_with(folder) => (rig.clone(), 1, entry.path.clone()),
        _ => (entry.path.clone(), 0, PathBuf::new()),
    };
    entries.sort_by_cached_key(order);
    entries
}

fn entry(folder: &Path, path: PathBuf) -> Entry {
    let name = relative(&path, folder).unwrap_or_else(|| path.display().to_string());
    match io::check(&path, None) {
        Err(_) => Entry {
            kind: FileKind::of_path(&path),
            path,
            name,
            rig: None,
            worst: Some(Severity::Error),
            problems: 1,
        },
        Ok(checked) => Entry {
            kind: checked.opened.kind,
            path,
            name,
            rig: checked.binding.as_ref().map(|binding| binding.path.clone()),
            worst: checked.opened.problems.iter().map(|problem| problem.severity).min(),
            problems: checked.opened.problems.len(),
        },
    }
}

/// Shows the panel.
pub fn show(ui: &mut Ui, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    let Some(folder) = &cx.state.project else {
        let text = "The clips, rigs and exports of a folder, clips under the rig they bind, each \
                    with its worst problem.";
        let steps = [(CommandId::OpenFolder, "Open folder…")];
        widgets::empty(ui, cx, text, &steps, actions);
        return;
    };
    let filter_id = Id::unique("filter of the files panel");
    let mut filter: String = ui.data(|data| data.get_temp(filter_id)).unwrap_or_default();
    egui::Frame::new().inner_margin(egui::Margin::symmetric(8, 0)).show(ui, |ui| {
        ui.horizontal(|ui| {
            let name = folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy();
            ui.label(RichText::new(text::clean(&name, 30)).strong())
                .on_hover_text(text::clean(&folder.display().to_string(), 200));
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                if ui.small_button("Close").on_hover_text("Close the folder").clicked() {
                    actions.push(Action::CloseFolder);
                }
                if cx.project.is_busy() {
                    ui.add(egui::Spinner::new().size(14.0));
                }
            });
        });
        let (hint, width) = ("Filter files", f32::INFINITY);
        let response = widgets::search_field(ui, &mut filter, hint, hint, width);
        let enter = response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        let wanted = filter.to_lowercase();
        let shown: Vec<&Entry> = cx
            .project
            .entries()
            .iter()
            .filter(|entry| entry.name.to_lowercase().contains(&wanted))
            .collect();
        if enter && let Some(first) = shown.first() {
            actions.push(Action::Open(vec![first.path.clone()]));
        }
        if shown.is_empty() && !cx.project.is_busy() {
            let words = if cx.project.entries().is_empty() {
                "There are no clips, rigs or exports in this folder."
            } else {
                "No file of that name."
            };
            ui.label(RichText::new(words).color(cx.theme.muted));
        }
        ScrollArea::vertical().auto_shrink([false; 2]).show_rows(
            ui,
            theme::ROW - 2.0,
            shown.len(),
            |ui, range| {
                ui.spacing_mut().item_spacing.y = 0.0;
                for entry in &shown[range] {
                    row(ui, cx, entry, folder, actions);
                }
            },
        );
    });
    ui.data_mut(|data| data.insert_temp(filter_id, filter));
}

fn row(ui: &mut Ui, cx: &Cx<'_>, entry: &Entry, folder: &Path, actions: &mut Vec<Action>) {
    let theme = cx.theme;
    let size = vec2(ui.available_width(), theme::ROW - 2.0);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    let open = cx.workspace().by_path(&entry.path);
    let current = open.is_some() && open == cx.active();
    response.widget_info(|| {
        let mut name = format!("Open {}", entry.name);
        if let Some(worst) = entry.worst {
            name += &format!(", {}", worst.as_str());
        }
        WidgetInfo::selected(egui::Role::Button, true, current, name)
    });
    let painter = ui.painter_at(rect);
    if current {
        painter.rect_filled(rect, theme::CORNER, theme.row_selected);
    } else if response.hovered() || response.has_focus() {
        painter.rect_filled(rect, theme::CORNER, theme.control);
    }
    let under_rig = entry.rig.as_ref().is_some_and(|rig| rig.starts_with(folder));
    let left = rect.left() + if under_rig { 24.0 } else { 8.0 };
    let sign = pos2(left + 4.0, rect.center().y);
    match entry.kind {
        FileKind::Motion => widgets::diamond_sized(&painter, sign, 4.5, theme.selection),
        FileKind::Rig => {
            painter.circle_filled(sign, 4.0, theme.accent);
        }
        FileKind::Anm => widgets::diamond_sized(&painter, sign, 4.5, theme.good),
        FileKind::Pvt => {
            painter.circle_filled(sign, 4.0, theme.good);
        }
        _ => {
            painter.rect_filled(
                egui::Rect::from_center_size(sign, vec2(7.0, 7.0)),
                1.0,
                theme.good,
            );
        }
    }
    let font = FontId::proportional(theme::TEXT_SIZE);
    let color = if open.is_some() { theme.text } else { theme.muted };
    let at = pos2(left + 16.0, rect.center().y);
    painter.text(at, Align2::LEFT_CENTER, text::name(&entry.name), font, color);
    if let Some(worst) = entry.worst {
        let color = match worst {
            Severity::Error => theme.error,
            Severity::Warning => theme.warning,
            Severity::Info => theme.muted,
        };
        let font = FontId::proportional(theme::SMALL_SIZE);
        let at = rect.right_center() - vec2(8.0, 0.0);
        painter.text(at, Align2::RIGHT_CENTER, entry.problems, font, color);
    }
    let enter = response.has_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    if response.clicked() || enter {
        actions.push(Action::Open(vec![entry.path.clone()]));
    }
    let full = entry.path.display().to_string();
    response.on_hover_text(text::clean(&full, 200));
}
