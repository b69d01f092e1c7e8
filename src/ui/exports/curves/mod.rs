//! The curves of an export: pos, rot and scl of the selected pegs over its frames, with their real
//! handles.

mod drag;
mod head;
mod kept;
mod sampled;
mod shape;
mod touch;

pub use kept::pairs;
pub use shape::{Shape, handles as shaped};

use super::board::Board;
use super::hand::Hand;
use super::{commands, keys, menu, names, ruler};
use crate::edit::{Content, DocId};
use crate::model::Uid;
use crate::model::take::{Angles, Channel, Take};
use crate::sample::take::PegCurves;
use crate::ui::action::Action;
use crate::ui::command::CommandId;
use crate::ui::cx::Cx;
use crate::ui::state::PanelId;
use crate::ui::timeline::curves::value_at;
use crate::ui::timeline::curves::values;
use crate::ui::timeline::{pointer, wheel};
use crate::ui::{text, theme, widgets};
use eframe::egui::{self, CornerRadius, Role, Sense, Shape as Drawing, Ui, WidgetInfo, pos2, vec2};
use glam::DVec3;
use kept::{Curve, Kept, Look};
use sampled::place;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use touch::{CurveHand, Panel};
use values::ValueAxis;

/// Shows the curves.
pub fn show(ui: &mut Ui, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    let Some(board) = cx.export().and_then(|export| Board::new(ui, cx, export)) else {
        widgets::empty(ui, cx, "A skeleton has no curves: it is one pose.", &[], actions);
        return;
    };
    let id = ui.scope_id().with("curves of an export");
    let kept = ui.data_mut(|data| data.get_temp_mut_or_default::<Arc<Mutex<Kept>>>(id).clone());
    let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
    let mut hand: Hand = ui.data_mut(|data| std::mem::take(data.get_temp_mut_or_default(id)));
    let mut curves: CurveHand =
        ui.data_mut(|data| std::mem::take(data.get_temp_mut_or_default(id)));

    names::paint_grounds(ui, cx, &board);
    let canvas = ui.interact(board.canvas, id, Sense::click_and_drag());
    canvas.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, "Curves"));
    ui.painter().rect_filled(board.canvas, CornerRadius::same(theme::CORNER), cx.theme.ground);
    let pegs = shown(cx, &board);
    let changed = kept.update(&board, &pegs, cx.selection());
    let channels = channels(&board, &kept);
    curves.focus = curves.focus.filter(|focus| {
        let there = |shown: &kept::Shown| shown.keys.curves.peg().uid == focus.peg;
        board.view.channels[focus.axis]
            && channels[place(focus.channel)]
            && kept.pegs.iter().any(there)
    });
    let before = match curves.without_before {
        true => None,
        false => before(cx, board.doc),
    };
    // The axis does not run away from under a hand that drags a value.
    let visible = curves.held_values().or(board.view.visible_values);
    let others = others(cx, board.doc, &kept);
    let look = Look { channels, focus: curves.focus, visible, before, others };
    let values = kept.draw(cx, &board, &look, changed);
    curves.hold_values(&values);
    let painter = ui.painter().with_clip_rect(board.canvas.intersect(ui.clip_rect()));
    values.paint(&painter, cx.theme, board.canvas, axis_unit(cx, &board, channels));
    // A clip of its own keeps the mesh apart from its neighbours: appended to them, its buffers
    // would be copied once more for each thing painted after it.
    let apart = painter.clip_rect().expand(0.01);
    painter.with_clip_rect(apart).add(Drawing::mesh(kept.mesh.clone()));

    let wheel = wheel::board(ui, &canvas, &board.axis, board.canvas.center().x);
    if let Some(visible) = wheel.visible_secs {
        board.look(actions, |view| view.visible_secs = Some(visible));
    }
    if wheel.value_zoom != 1.0 || wheel.down != 0.0 {
        let y = pointer(ui).map_or(board.canvas.center().y, |pos| pos.y);
        let visible = match wheel.value_zoom == 1.0 {
            true => values.panned(wheel.down),
            false => values.zoomed(wheel.value_zoom, y),
        };
        board.look(actions, |view| view.visible_values = Some(visible));
    }
    if let Some(command) = cx.invoked(PanelId::Curves) {
        let at = pointer(ui).filter(|pos| board.canvas.contains(*pos));
        let at = at.unwrap_or_else(|| board.canvas.center());
        if !commands::run(cx, &board, &mut hand, &pegs, (command, at), actions)
            && command == CommandId::FrameSelected
        {
            fit(&board, &kept, channels, actions);
        }
    }
    let panel = Panel { ui, cx, board: &board, values, kept: &kept, channels };
    let handles = panel.handles(curves.focus);
    panel.paint_handles(&handles);
    panel.widgets_of_keys();
    panel.handle(&canvas, &handles, &mut hand, &mut curves, actions);
    let scope = (channels, board.view.channels);
    canvas.context_menu(|ui| menu::keys(ui, cx, &board, scope, actions));
    menu::popup(ui, cx, &board, &mut hand.menu, scope, actions);

    ruler::show(ui, cx, &board, actions);
    board.paint_time(ui, cx);
    tags_at_playhead(ui, cx, &board, &values, &kept, channels, curves.focus);
    head::show(ui, cx, &board, channels, actions);
    names::show(ui, cx, &board, actions);
    if pegs.is_empty() {
        let place = board.canvas.shrink2(vec2(72.0, 16.0));
        let builder = egui::UiBuilder::new().max_rect(place).id_salt("first step");
        let mut ui = ui.new_child(builder);
        let words = "Select a peg: its curves show here, with its keys and handles.";
        widgets::empty(&mut ui, cx, words, &[], actions);
    } else {
        head::footer(ui, cx, &board, &kept, channels, &mut curves, actions);
    }
    keys::follow(ui, cx, &board, id, actions);
    ui.data_mut(|data| {
        data.insert_temp(id, hand);
        data.insert_temp(id, curves);
    });
}

/// The pegs whose curves are shown: the selected ones, otherwise those of selected keys.
fn shown(cx: &Cx<'_>, board: &Board<'_>) -> Vec<usize> {
    let selected: BTreeSet<Uid> = cx.selection().nodes_of(board.doc).into_iter().collect();
    let pegs = board.take.pegs.iter().enumerate();
    if !selected.is_empty() {
        return pegs.filter(|(_, peg)| selected.contains(&peg.uid)).map(|(at, _)| at).collect();
    }
    let keys = cx.selection().keys_of(board.doc);
    let of = keys.into_iter().filter_map(|key| Some(cx.workspace().find_key(board.doc, key)?.0));
    of.collect::<BTreeSet<usize>>().into_iter().collect()
}

/// Which of pos, rot and scl are shown: as chosen, otherwise the first of rot, pos and scl that
/// moves.
fn channels(board: &Board<'_>, kept: &Kept) -> [bool; 3] {
    if let Some(chosen) = board.view.curve_channels.filter(|chosen| chosen.contains(&true)) {
        return chosen;
    }
    let order = [Channel::Rot, Channel::Pos, Channel::Scl];
    let moves = |channel: &Channel| kept.pegs.iter().any(|shown| shown.keys.moves(*channel));
    let one = order.into_iter().find(moves).unwrap_or(Channel::Rot);
    std::array::from_fn(|at| at == place(one))
}

/// The curves of the shown pegs in the take that this one is compared with, where they differ.
fn others(cx: &Cx<'_>, doc: DocId, kept: &Kept) -> Vec<Option<Arc<PegCurves>>> {
    let entry = cx.compare.of(doc).filter(|entry| entry.ghost);
    let Some(made) = entry.and_then(|entry| entry.made()) else { return Vec::new() };
    kept.pegs.iter().map(|shown| made.other_curves(shown.at).cloned()).collect()
}

/// The take before the change: before the gesture under way, otherwise as it is on disk.
fn before<'a>(cx: &Cx<'a>, doc: DocId) -> Option<&'a Arc<Take>> {
    if let Some(gesture) = cx.editor.gesture() {
        return gesture.base.take(doc);
    }
    match cx.editor.saved(doc)? {
        Content::Take(take) => Some(take),
        _ => None,
    }
}

/// The word for the file's unit of length.
fn length_unit(board: &Board<'_>) -> &'static str {
    use crate::model::take::Unit;
    let system = board.take.header.coordinate_system.as_ref();
    match system.and_then(|system| system.unit.known) {
        None | Some(Unit::Meters) => " m",
        Some(Unit::Millimeters) => " mm",
        Some(Unit::Centimeters) => " cm",
        Some(Unit::Inches) => " in",
        Some(Unit::Feet) => " ft",
    }
}

/// By how much the numbers of the axis are shown, and their unit.
fn axis_unit(cx: &Cx<'_>, board: &Board<'_>, channels: [bool; 3]) -> (f64, &'static str) {
    match channels {
        [false, true, false] if cx.settings().show_radians => (1_f64.to_radians(), " rad"),
        [false, true, false] => (1.0, "°"),
        [true, false, false] => (1.0, length_unit(board)),
        _ => (1.0, ""),
    }
}

/// Plotted units of one unit of the file.
fn unit(channel: Channel, angles: Angles) -> f64 {
    match channel {
        Channel::Rot => angles.degrees(DVec3::ONE).x,
        _ => 1.0,
    }
}

/// A plotted value with its unit, for tags.
fn words(cx: &Cx<'_>, board: &Board<'_>, channel: Channel, plotted: f64) -> String {
    match channel {
        Channel::Rot if cx.settings().show_radians => {
            format!("{} rad", text::number(plotted.to_radians(), 4))
        }
        Channel::Rot => format!("{}°", text::number(plotted, 2)),
        Channel::Pos => format!("{}{}", text::number(plotted, 3), length_unit(board)),
        Channel::Scl => format!("× {}", text::number(plotted, 3)),
    }
}

/// The value at the playhead in a tag: of the curve in hand, otherwise of those of one peg.
fn tags_at_playhead(
    ui: &Ui,
    cx: &Cx<'_>,
    board: &Board<'_>,
    values: &ValueAxis,
    kept: &Kept,
    channels: [bool; 3],
    focus: Option<Curve>,
) {
    let frame = board.frame_from_secs(cx.playhead_secs());
    let x = board.screen_from_frame(frame);
    if !board.canvas.x_range().contains(x) {
        return;
    }
    let painter = ui.painter().with_clip_rect(board.canvas.intersect(ui.clip_rect()));
    let mut tags = Vec::new();
    let few = kept.pegs.len() == 1 && channels.iter().filter(|shown| **shown).count() == 1;
    for shown in &kept.pegs {
        let peg = shown.keys.curves.peg().uid;
        for (channel, axis) in pairs(channels, board.view.channels) {
            let wanted = match focus {
                Some(focus) => focus == Curve { peg, channel, axis },
                None => few,
            };
            if !wanted {
                continue;
            }
            let line = &shown.lines.channels[place(channel)][axis];
            let Some(value) = value_at(line, frame) else { continue };
            let at = pos2(x, values.screen_from_value(value));
            let color = cx.theme.axes[axis];
            painter.circle_filled(at, 2.5, color);
            tags.push((at.y + 20.0, words(cx, board, channel, value), color));
        }
    }
    widgets::tags(&painter, cx.theme, pos2(x - 4.0, 0.0), &tags, board.canvas);
}

/// Brings the selected keys with their handles into view; without any, all values of the selected pegs.
fn fit(board: &Board<'_>, kept: &Kept, channels: [bool; 3], actions: &mut Vec<Action>) {
    let (mut span, mut frames) =
        ((f64::INFINITY, f64::NEG_INFINITY), (f64::INFINITY, f64::NEG_INFINITY));
    for shown in &kept.pegs {
        let curves = &shown.keys.curves;
        for (key, frame) in curves.frames().iter().enumerate() {
            let uid = curves.peg().keyframes.get(curves.key_index(key)).map(|key| key.uid);
            if !uid.is_some_and(|uid| kept.chosen.contains(&uid)) {
                continue;
            }
            frames = (frames.0.min(*frame), frames.1.max(*frame));
            for (channel, axis) in pairs(channels, board.view.channels) {
                let unit = unit(channel, curves.angles());
                let handles = |key: usize| curves.segment_handles(key, channel, axis);
                let out = handles(key).map(|[out, _]| out);
                let into = key.checked_sub(1).and_then(handles).map(|[_, into]| into);
                let ends = [into, out].into_iter().flatten().map(|h| h.effective.y * unit);
                for value in ends.chain([shown.keys.value(key, channel, axis)]) {
                    if value.is_finite() {
                        span = (span.0.min(value), span.1.max(value));
                    }
                }
            }
        }
    }
    let any = span.0 <= span.1;
    let all = kept.span(channels, board.view.channels);
    let Some((low, high)) = (if any { Some(span) } else { all }) else { return };
    let room = ((high - low) * 0.2).max(0.05).max(high.abs() * 1e-3);
    board.look(actions, |view| {
        view.visible_values = Some((low - room, high + room));
        if any {
            let half = ((frames.1 - frames.0) * 0.65).max(6.0);
            let middle = (frames.0 + frames.1) / 2.0;
            let [from, to] = [middle - half, middle + half].map(|f| board.secs_from_frame(f));
            view.visible_secs = Some((from, to));
        }
    });
}
