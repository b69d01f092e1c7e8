//! The buttons below the curves: fit, isolate, units, before.

use super::super::board::Board;
use super::paint::Kept;
use super::sampled::unit;
use super::{CurveHand, span_of};
use crate::ui::action::Action;
use crate::ui::command::CommandId;
use crate::ui::cx::Cx;
use crate::ui::state::TimelineView;
use crate::ui::{theme, widgets};
use eframe::egui::{self, Align, Layout, Rect, Ui, pos2};

/// Shows the buttons at the lower right.
pub(super) fn show(
    ui: &mut Ui,
    cx: &Cx<'_>,
    board: &Board<'_>,
    kept: &Kept,
    tracks: &[usize],
    curves: &mut CurveHand,
    actions: &mut Vec<Action>,
) {
    let Some(mut ui) = strip(ui, board.canvas, 0.0) else { return };
    before_button(&mut ui, cx, &mut curves.without_before);
    degrees_button(&mut ui, cx, actions);
    let alone = board.view.channels.iter().filter(|shown| **shown).count() == 1;
    if widgets::toggle(&mut ui, cx.theme, alone, "Isolate")
        .on_hover_text("Show the axis of the curve in hand alone")
        .clicked()
    {
        let axis = curves.focus.map_or(2, |(_, axis)| axis);
        board.look(actions, |view| {
            view.channels = match alone {
                true => [true; 3],
                false => std::array::from_fn(|at| at == axis),
            };
        });
    }
    let help = "The whole clip and all values of the selected tracks";
    if let Some(fit) = fit_all_button(&mut ui, cx, help) {
        board.look(actions, fit);
    }
    if widgets::toggle(&mut ui, cx.theme, false, "Fit")
        .on_hover_text("The selected keys; without any, the curve in hand")
        .clicked()
    {
        fit_selected(board, kept, tracks, actions);
    }
}

/// Where buttons stand at the lower edge of curves, from the right; `free` points at the left are
/// left alone. `None` where there is no room for them.
pub fn strip(ui: &mut Ui, canvas: Rect, free: f32) -> Option<Ui> {
    if canvas.height() < 70.0 || canvas.width() < 200.0 {
        return None;
    }
    let rect = Rect::from_min_max(
        pos2(canvas.left() + free, canvas.bottom() - theme::ROW - 4.0),
        pos2(canvas.right() - 12.0, canvas.bottom() - 4.0),
    );
    let layout = Layout::right_to_left(Align::Center);
    let mut ui =
        ui.new_child(egui::UiBuilder::new().id_salt("footer").max_rect(rect).layout(layout));
    ui.spacing_mut().item_spacing.x = 4.0;
    Some(ui)
}

/// Whether the curves before the change are drawn.
pub fn before_button(ui: &mut Ui, cx: &Cx<'_>, without: &mut bool) {
    let help = "The curves before the change, in grey: before this drag, otherwise as the file has \
                them";
    if widgets::toggle(ui, cx.theme, !*without, "Before").on_hover_text(help).clicked() {
        *without = !*without;
    }
}

/// Degrees or radians.
pub fn degrees_button(ui: &mut Ui, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    let name = if cx.settings().show_radians { "Radians" } else { "Degrees" };
    let help = cx.tooltip(CommandId::ShowRadians);
    if widgets::toggle(ui, cx.theme, false, name).on_hover_text(help).clicked() {
        actions.push(Action::Command(CommandId::ShowRadians));
    }
}

/// Everything in sight: what that does to a view, once it is clicked.
pub fn fit_all_button(ui: &mut Ui, cx: &Cx<'_>, help: &str) -> Option<fn(&mut TimelineView)> {
    let fit = |view: &mut TimelineView| {
        view.visible_secs = None;
        view.visible_values = None;
    };
    widgets::toggle(ui, cx.theme, false, "Fit all").on_hover_text(help).clicked().then_some(fit)
}

/// Brings the selected keys into view; without any, all values of the selected tracks.
pub fn fit_selected(board: &Board<'_>, kept: &Kept, tracks: &[usize], actions: &mut Vec<Action>) {
    let mut span: Option<(f64, f64)> = None;
    for track in tracks.iter().map(|track| &board.clip.tracks[*track]) {
        for key in track.keys.iter().filter(|key| kept.chosen.keys.contains(&key.uid)) {
            for axis in (0..3).filter(|axis| board.view.channels[*axis]) {
                let value = key.value[axis] * unit(track.property);
                let (low, high) = span.unwrap_or((value, value));
                span = Some((low.min(value), high.max(value)));
            }
        }
    }
    let times = kept.chosen.span_secs.filter(|_| span.is_some());
    let span = span.or_else(|| span_of(kept.lines.iter(), board.view.channels));
    let Some((low, high)) = span else { return };
    let room = ((high - low) * 0.2).max(0.05).max(high.abs() * 1e-3);
    board.look(actions, |view| {
        view.visible_values = Some((low - room, high + room));
        if let Some((from, to)) = times {
            let half = ((to - from) * 0.65).max(0.25);
            let middle = (from + to) / 2.0;
            view.visible_secs = Some((middle - half, middle + half));
        }
    });
}
