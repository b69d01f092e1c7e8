//! The buttons of the curves: the filter and what is shown above the names, the rest at the lower
//! edge.

use super::super::board::Board;
use super::super::names;
use super::kept::Kept;
use super::{CurveHand, fit};
use crate::model::take::Channel;
use crate::ui::action::Action;
use crate::ui::cx::Cx;
use crate::ui::timeline::curves::footer;
use crate::ui::{theme, widgets};
use eframe::egui::{self, RichText, Ui, vec2};

/// The head above the names: a filter, and which of pos, rot and scl are drawn.
pub fn show(
    ui: &mut Ui,
    cx: &Cx<'_>,
    board: &Board<'_>,
    channels: [bool; 3],
    actions: &mut Vec<Action>,
) {
    let mut ui = names::head_strip(ui, board);
    ui.spacing_mut().item_spacing.x = 4.0;
    for (at, channel) in Channel::ALL.into_iter().enumerate().rev() {
        let button = widgets::toggle(&mut ui, cx.theme, channels[at], channel.as_str());
        if button.clicked() {
            let modifiers = ui.input(|input| input.modifiers);
            let next = toggled(channels, at, modifiers.shift || modifiers.command);
            board.look(actions, |view| {
                view.curve_channels = Some(next);
                view.visible_values = None;
            });
        }
        let words = format!("The curves of {} alone; with Shift it too", channel.as_str());
        button.on_hover_text(words);
    }
    names::filter(&mut ui, board, actions);
}

/// Another choice of channels by a click: one alone, or turned round.
fn toggled(mut channels: [bool; 3], at: usize, add: bool) -> [bool; 3] {
    if !add {
        return std::array::from_fn(|other| other == at);
    }
    channels[at] = !channels[at];
    match channels.contains(&true) {
        true => channels,
        false => std::array::from_fn(|other| other == at),
    }
}

/// The buttons at the lower edge of the curves.
pub fn footer(
    ui: &mut Ui,
    cx: &Cx<'_>,
    board: &Board<'_>,
    kept: &Kept,
    channels: [bool; 3],
    curves: &mut CurveHand,
    actions: &mut Vec<Action>,
) {
    let Some(mut ui) = footer::strip(ui, board.canvas, 60.0) else { return };
    footer::before_button(&mut ui, cx, &mut curves.without_before);
    if channels[1] {
        footer::degrees_button(&mut ui, cx, actions);
    }
    let help = "The whole range and all values of the selected pegs";
    if let Some(fit) = footer::fit_all_button(&mut ui, cx, help) {
        board.look(actions, fit);
    }
    if widgets::toggle(&mut ui, cx.theme, false, "Fit")
        .on_hover_text("The selected keys; without any, all values of the selected pegs")
        .clicked()
    {
        fit(board, kept, channels, actions);
    }
    ui.add_space(8.0);
    for axis in [2, 1, 0] {
        let on = board.view.channels[axis];
        let name = ["X", "Y", "Z"][axis];
        let color = if on { cx.theme.axes[axis] } else { cx.theme.muted };
        let button = egui::Button::new(RichText::new(name).color(color).strong())
            .selected(false)
            .fill(cx.theme.control)
            .min_size(vec2(26.0, theme::ROW - 2.0));
        let response = ui.add(button);
        response.widget_info(|| {
            let name = format!("Curves of {name}");
            egui::WidgetInfo::selected(egui::Role::CheckBox, true, on, name)
        });
        if response.clicked() {
            let add = ui.input(|input| input.modifiers.shift || input.modifiers.command);
            let alone = board.view.channels.iter().filter(|on| **on).count() == 1;
            let next = match add {
                true => toggled(board.view.channels, axis, true),
                false if on && alone => [true; 3],
                false => toggled(board.view.channels, axis, false),
            };
            board.look(actions, |view| view.channels = next);
        }
        response.on_hover_text("This axis alone, again: all three; with Shift it too");
    }
    let by_quat = kept.pegs.iter().any(|shown| shown.keys.any_by_quat());
    if channels[1] && by_quat {
        ui.add_space(8.0);
        let words = RichText::new("quaternions rule").small().color(cx.theme.warning);
        let frame = egui::Frame::new()
            .fill(cx.theme.tag)
            .corner_radius(theme::CORNER)
            .inner_margin(egui::Margin::symmetric(6, 2));
        frame.show(&mut ui, |ui| {
            ui.label(words).on_hover_text(
                "Between these keys rot_quat decides and rot does not count: the angles are those \
                 of the quaternions, made continuous. Dragging a key turns its quaternion, and rot \
                 with it.",
            );
        });
    }
}

#[cfg(test)]
mod tests {
    use super::toggled;

    #[test]
    fn a_click_shows_one_alone_and_something_is_always_shown() {
        assert_eq!(toggled([false, true, false], 0, false), [true, false, false]);
        assert_eq!(toggled([false, true, false], 0, true), [true, true, false]);
        assert_eq!(toggled([false, true, false], 1, true), [false, true, false]);
    }
}
