//! The buttons below the curves: fit, isolate, units, before.

use super::super::board::Board;
use super::paint::Kept;
use super::sampled::unit;
use super::{CurveHand, span_of};
use crate::ui::action::Action;
use crate::ui::command::CommandId;
use crate::ui::cx::Cx;
use crate::ui::{theme, widgets};
use eframe::egui::{self, Align, Layout, Rect, Ui, pos2};

/// Shows the buttons at the lower right.
pub fn show(
    ui: &mut Ui,
    cx: &Cx<'_>,
    board: &Board<'_>,
    kept: &Kept,
    tracks: &[usize],
    curves: &mut CurveHand,
    actions: &mut Vec<Action>,
) {
    let canvas = board.canvas;
    if canvas.height() < 70.0 || canvas.width() < 200.0 {
        return;
    }
    let top = canvas.bottom() - theme::ROW - 4.0;
    let rect = Rect::from_min_max(
        pos2(canvas.left(), top),
        pos2(canvas.right() - 12.0, canvas.bottom() - 4.0),
    );
    let layout = Layout::right_to_left(Align::Center);
    let mut ui =
        ui.new_child(egui::UiBuilder::new().id_salt("footer").max_rect(rect).layout(layout));
    ui.spacing_mut().item_spacing.x = 4.0;
    let on = !curves.without_before;
    if widgets::toggle(&mut ui, cx.theme, on, "Before")
        .on_hover_text("The curves before the change, in grey: before this drag, otherwise as the file has them")
        .clicked()
    {
        curves.without_before = on;
    }
    let degrees = if cx.settings().show_radians { "Radians" } else { "Degrees" };
    if widgets::toggle(&mut ui, cx.theme, false, degrees)
        .on_hover_text(cx.tooltip(CommandId::ShowRadians))
        .clicked()
    {
        actions.push(Action::Command(CommandId::ShowRadians));
    }
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
    if widgets::toggle(&mut ui, cx.theme, false, "Fit all")
        .on_hover_text("The whole clip and all values of the selected tracks")
        .clicked()
    {
        board.look(actions, |view| {
            view.visible_secs = None;
            view.visible_values = None;
        });
    }
    if widgets::toggle(&mut ui, cx.theme, false, "Fit")
        .on_hover_text("The selected keys; without any, the curve in hand")
        .clicked()
    {
        fit_selected(board, kept, tracks, actions);
    }
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
