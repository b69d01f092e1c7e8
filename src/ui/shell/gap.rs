//! The small window that inserts time into a clip, or removes some.

use super::Shell;
use crate::edit::{ClipEdit, DocId, Edit};
use crate::model::Clip;
use crate::model::limits::MAX_DURATION_SECS;
use crate::ui::action::Action;
use crate::ui::cx::Cx;
use crate::ui::text;
use eframe::egui::{self, Context, DragValue, Key, RichText, Ui, Vec2};

/// Time that is about to be inserted or removed.
#[derive(Clone, Debug, PartialEq)]
pub struct Gap {
    doc: DocId,
    remove: bool,
    from_secs: f64,
    length_secs: f64,
}

impl Gap {
    /// The time of the range, where one is set; otherwise from the first to the last selected key;
    /// otherwise one second at the playhead. `None` where there is no clip.
    pub fn new(cx: &Cx<'_>, remove: bool) -> Option<Gap> {
        let (doc, clip) = cx.clip()?;
        let (from_secs, length_secs) = match cx.view().timeline.range_secs {
            Some((from, to)) => (from, to - from),
            None => match span_of_selected(cx, doc, clip) {
                Some((from, to)) => (from, to - from),
                None if remove => {
                    let at = cx.playhead_secs();
                    let left = clip.duration_secs - at;
                    // At the end there is nothing to remove but what lies before it.
                    if left > 0.0 {
                        (at, left.min(1.0))
                    } else {
                        ((at - 1.0).max(0.0), at.min(1.0))
                    }
                }
                None => (cx.playhead_secs(), 1.0),
            },
        };
        Some(Gap { doc, remove, from_secs, length_secs })
    }

    fn title(&self) -> &'static str {
        if self.remove { "Remove time" } else { "Insert time" }
    }

    /// What will happen, for people.
    fn words(&self, cx: &Cx<'_>, clip: &Clip) -> String {
        let by = cx.show_time(self.length_secs);
        let times = || clip.tracks.iter().flat_map(|track| track.keys.iter().map(|key| key.time));
        if !self.remove {
            let later = times().filter(|time| *time >= self.from_secs).count();
            let length = cx.show_time(clip.duration_secs + self.length_secs);
            let keys = text::count(later, "key", "keys");
            return format!(
                "{keys} from there on move {by} later. The clip becomes {length} long."
            );
        }
        if !self.can(clip) {
            return "A clip has some length: nothing of this one would be left.".to_owned();
        }
        let to = (self.from_secs + self.length_secs).min(clip.duration_secs);
        let length = cx.show_time(clip.duration_secs - (to - self.from_secs));
        let inside = times().filter(|time| *time >= self.from_secs && *time < to).count();
        let keys = match inside {
            0 => "No key lies in it".to_owned(),
            some => format!("{} in it go", text::count(some, "key", "keys")),
        };
        format!("{keys}; later ones move earlier. The clip becomes {length} long.")
    }

    /// Whether there is time to insert or remove, and some of the clip left.
    fn can(&self, clip: &Clip) -> bool {
        let all = self.from_secs <= 0.0 && self.length_secs >= clip.duration_secs;
        self.length_secs > 0.0 && !(self.remove && all)
    }

    fn edit(&self) -> Action {
        let length_secs = if self.remove { -self.length_secs } else { self.length_secs };
        let edit = ClipEdit::InsertTime { at_secs: self.from_secs, length_secs };
        Action::Edit(Edit::Clip { doc: self.doc, edit })
    }
}

/// From the first to the last selected key, where they are apart.
fn span_of_selected(cx: &Cx<'_>, doc: DocId, clip: &Clip) -> Option<(f64, f64)> {
    let times = cx.selection().keys_of(doc).into_iter().filter_map(|key| {
        let (track, at) = cx.workspace().find_key(doc, key)?;
        Some(clip.tracks.get(track)?.keys.get(at)?.time)
    });
    let span = times.fold(None, |span: Option<(f64, f64)>, time| {
        let (from, to) = span.unwrap_or((time, time));
        Some((from.min(time), to.max(time)))
    });
    span.filter(|(from, to)| to > from)
}

/// Shows the window, if it is up.
pub fn show(ctx: &Context, shell: &mut Shell, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    let Some(gap) = &mut shell.gap else { return };
    let clip = cx.clip().filter(|(doc, _)| *doc == gap.doc);
    let Some((_, clip)) = clip else {
        shell.gap = None;
        return;
    };
    let (mut open, mut done, mut cancelled) = (true, false, false);
    // Where fields have the keys, these end the typing.
    let typing = ctx.memory(|memory| memory.focused().is_some());
    let (enter, escape) =
        ctx.input(|input| (input.key_pressed(Key::Enter), input.key_pressed(Key::Escape)));
    egui::Window::new(gap.title())
        .open(&mut open)
        .collapsible(false)
        .resizable(false)
        .anchor(egui::Align2::CENTER_CENTER, Vec2::ZERO)
        .show(ctx, |ui| {
            ui.set_width(320.0);
            egui::Grid::new("time").num_columns(2).spacing([12.0, 8.0]).show(ui, |ui| {
                let duration = clip.duration_secs;
                field(ui, cx, "From", &mut gap.from_secs, duration);
                let most = match gap.remove {
                    true => (duration - gap.from_secs).max(0.0),
                    false => (MAX_DURATION_SECS - duration).max(0.0),
                };
                field(ui, cx, "Length", &mut gap.length_secs, most);
            });
            ui.add_space(6.0);
            let words = RichText::new(gap.words(cx, clip)).color(cx.theme.muted);
            ui.add(egui::Label::new(words).wrap());
            ui.add_space(10.0);
            ui.horizontal(|ui| {
                let words = if gap.remove { "Remove" } else { "Insert" };
                let button = egui::Button::new(RichText::new(words).color(cx.theme.on_accent))
                    .fill(cx.theme.accent);
                let can = gap.can(clip);
                done = ui.add_enabled(can, button).clicked() || can && enter && !typing;
                if ui.button("Cancel").clicked() || escape && !typing {
                    cancelled = true;
                }
            });
        });
    if done {
        actions.push(gap.edit());
    }
    if done || cancelled || !open {
        shell.gap = None;
    }
}

/// A time in what times are shown in.
fn field(ui: &mut Ui, cx: &Cx<'_>, name: &str, secs: &mut f64, most_secs: f64) {
    let frames = cx.settings().show_frames;
    let fps = cx.view().timeline.usable_fps();
    let (unit, suffix, step) = if frames { (fps, " frames", 0.1) } else { (1.0, " s", 1.0 / fps) };
    let label = ui.label(name);
    let mut shown = *secs * unit;
    let value = DragValue::new(&mut shown)
        .range(0.0..=most_secs * unit)
        .speed(step)
        .max_decimals(if frames { 2 } else { 4 })
        .update_while_editing(false)
        .suffix(suffix);
    if ui.add_sized([140.0, 24.0], value).labelled_by(label.id).changed() {
        *secs = shown / unit;
    }
    ui.end_row();
}
