//! What the hand does on the stage: orbit, pan and zoom; boxes; handles; clicks.

use super::gizmo::{Axis, Drag, Gizmo};
use super::lens::{Lens, usable};
use super::paint;
use super::scene::Scene;
use crate::ui::action::Action;
use crate::ui::command::CommandId;
use crate::ui::cx::Cx;
use crate::ui::keys::Keymap;
use crate::ui::nodes;
use crate::ui::state::{Camera, Tool};
use eframe::egui::{Event, Id, Key, PointerButton, Pos2, Rect, Response, Ui};
use std::f64::consts::FRAC_PI_2;

/// What the pointer holds.
#[derive(Clone, Debug, Default)]
pub enum Held {
    /// Nothing.
    #[default]
    Nothing,
    /// A box around what shall be selected: its two corners.
    Box(Pos2, Pos2),
    /// A handle.
    Handle(Box<Drag>),
}

/// How the view moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Orbit,
    Pan,
    Zoom,
}

/// The hand between two frames.
#[derive(Clone, Debug, Default)]
pub struct Hand {
    /// What it holds.
    pub held: Held,
    /// The number beside the drag.
    pub tag: String,
    /// The next drag with the first button moves the view.
    next: Option<Way>,
    /// The next drag draws a box, whatever lies below.
    boxing: bool,
    /// Takes hold of what is selected as soon as it can.
    take_hold: u8,
    /// This press has ended something: its release selects nothing.
    spent: bool,
}

fn memory_id() -> Id {
    Id::unique("the hand on the stage")
}

impl Hand {
    /// As it was in the frame before.
    pub fn load(ui: &Ui) -> Hand {
        ui.data(|data| data.get_temp(memory_id())).unwrap_or_default()
    }

    /// For the next frame.
    pub fn save(self, ui: &Ui) {
        ui.data_mut(|data| data.insert_temp(memory_id(), self));
    }

    /// The next drag moves the view, as a menu entry has asked for.
    pub fn start_navigating(&mut self, id: CommandId) {
        self.next = Some(match id {
            CommandId::Pan => Way::Pan,
            CommandId::Zoom => Way::Zoom,
            _ => Way::Orbit,
        });
    }

    /// The next drag draws a box.
    pub fn start_box(&mut self) {
        self.boxing = true;
    }

    /// Takes hold of what is selected, without a button, as soon as it is there.
    pub fn take_hold_next(&mut self) {
        self.take_hold = 3;
    }

    /// What a drag would do where nothing lies.
    pub fn navigation_hint(&self) -> Option<String> {
        let words = match (self.next, self.boxing) {
            (Some(Way::Orbit), _) => "Drag to orbit · Esc ends",
            (Some(Way::Pan), _) => "Drag to pan · Esc ends",
            (Some(Way::Zoom), _) => "Drag up and down to zoom · Esc ends",
            (None, true) => "Drag a box around what shall be selected",
            (None, false) => return None,
        };
        Some(words.to_owned())
    }

    fn way(&self, cx: &Cx<'_>, ui: &Ui, response: &Response) -> Option<Way> {
        let modifiers = ui.input(|input| input.modifiers);
        let by = |button| response.dragged_by(button);
        if by(PointerButton::Primary)
            && let Some(next) = self.next
        {
            return Some(next);
        }
        match cx.settings().keymap {
            Keymap::Blender if by(PointerButton::Middle) => Some(match modifiers {
                m if m.shift => Way::Pan,
                m if m.command => Way::Zoom,
                _ => Way::Orbit,
            }),
            Keymap::Maya if modifiers.alt && by(PointerButton::Primary) => Some(Way::Orbit),
            Keymap::Maya if by(PointerButton::Middle) => Some(Way::Pan),
            Keymap::Maya if modifiers.alt && by(PointerButton::Secondary) => Some(Way::Zoom),
            _ => None,
        }
    }

    /// Moves the view.
    pub fn navigate(&mut self, ui: &Ui, cx: &Cx<'_>, response: &Response, camera: &mut Camera) {
        if ui.input(|input| input.key_pressed(Key::Escape)) {
            self.next = None;
            self.boxing = false;
            self.take_hold = 0;
        }
        *camera = usable(camera);
        let lens = Lens::new(camera, response.rect);
        let target = camera.target;
        if let Some(way) = self.way(cx, ui, response) {
            let delta = response.drag_delta();
            let (dx, dy) = (f64::from(delta.x), f64::from(delta.y));
            match way {
                Way::Orbit => {
                    camera.yaw -= dx * 0.008;
                    camera.pitch = (camera.pitch + dy * 0.008).clamp(-FRAC_PI_2, FRAC_PI_2);
                }
                Way::Pan => {
                    let metre = 1.0 / lens.points_per_metre(target);
                    camera.target += (lens.up * dy - lens.right * dx) * metre;
                }
                Way::Zoom => camera.distance *= (dy * 0.008).exp(),
            }
        }
        let Some(pointer) = response.hover_pos() else { return };
        let (scroll, pinch, by_points) = ui.input(|input| {
            let by_points = input.events.iter().any(|event| {
                let points = eframe::egui::MouseWheelUnit::Point;
                matches!(event, Event::MouseWheel { unit, .. } if *unit == points)
            });
            (input.smooth_scroll_delta(), f64::from(input.zoom_delta()), by_points)
        });
        if by_points && (pinch - 1.0).abs() < 1e-6 {
            // Two fingers on a trackpad.
            let metre = 1.0 / lens.points_per_metre(target);
            let (dx, dy) = (f64::from(scroll.x), f64::from(scroll.y));
            camera.target += (lens.up * dy - lens.right * dx) * metre;
            return;
        }
        let factor = (-f64::from(scroll.y) * 0.003).exp() / pinch.clamp(0.1, 10.0);
        if factor != 1.0 && factor.is_finite() {
            // What lies under the pointer stays there.
            if let Some(under) = lens.on_plane(pointer, target, lens.forward) {
                camera.target = under + (target - under) * factor;
            }
            camera.distance *= factor;
        }
        *camera = usable(camera);
    }

    /// Handles, boxes and clicks.
    #[expect(clippy::too_many_arguments, reason = "all of one frame, each used once")]
    pub fn work(
        &mut self,
        ui: &Ui,
        cx: &Cx<'_>,
        response: &Response,
        lens: &Lens,
        scene: &Scene<'_>,
        grips: Option<&Gizmo>,
        actions: &mut Vec<Action>,
    ) {
        let pointer = ui.input(|input| input.pointer.latest_pos()).unwrap_or(lens.rect.center());
        let modifiers = ui.input(|input| input.modifiers);
        let moves_view =
            self.next.is_some() || (cx.settings().keymap == Keymap::Maya && modifiers.alt);
        if self.take_hold > 0 && matches!(self.held, Held::Nothing) {
            self.take_hold -= 1;
            let tool = cx.view().viewport.tool;
            let grips = grips.filter(|grips| grips.tool == tool && self.take_hold < 2);
            let drag = grips.and_then(|grips| Drag::new(cx, grips, Axis::View, pointer));
            if let Some(mut drag) = drag {
                drag.modal = true;
                self.take_hold = 0;
                actions.push(Action::Begin);
                self.held = Held::Handle(Box::new(drag));
            }
            ui.ctx().request_repaint();
        }
        if response.drag_started_by(PointerButton::Primary)
            && !moves_view
            && matches!(self.held, Held::Nothing)
        {
            let origin = ui.input(|input| input.pointer.press_origin()).unwrap_or(pointer);
            let axis = grips.filter(|_| !self.boxing).and_then(|grips| grips.hit(origin, lens));
            let drag = grips.zip(axis).and_then(|(g, axis)| Drag::new(cx, g, axis, origin));
            self.held = match drag {
                Some(drag) => {
                    actions.push(Action::Begin);
                    Held::Handle(Box::new(drag))
                }
                None => Held::Box(origin, pointer),
            };
        }
        match std::mem::take(&mut self.held) {
            Held::Nothing => {}
            Held::Box(from, _) => self.draw_box(ui, cx, response, scene, from, pointer, actions),
            Held::Handle(drag) => self.drag(ui, cx, response, lens, *drag, pointer, actions),
        }
        if response.clicked_by(PointerButton::Primary) {
            if std::mem::take(&mut self.spent) || moves_view {
                return;
            }
            let at = response.interact_pointer_pos().unwrap_or(pointer);
            let next = match scene.pick(at, lens) {
                Some(item) => nodes::clicked(cx.selection(), item.what.clone(), modifiers),
                None if modifiers.shift || modifiers.command => return,
                None => nodes::without(cx.selection()),
            };
            actions.push(Action::Select(next));
        }
        if !ui.input(|input| input.pointer.any_down() || input.pointer.any_released()) {
            self.spent = false;
        }
        if response.drag_stopped_by(PointerButton::Primary) && self.next.is_some() {
            self.next = None;
        }
    }

    #[expect(clippy::too_many_arguments, reason = "all of one frame, each used once")]
    fn draw_box(
        &mut self,
        ui: &Ui,
        cx: &Cx<'_>,
        response: &Response,
        scene: &Scene<'_>,
        from: Pos2,
        to: Pos2,
        actions: &mut Vec<Action>,
    ) {
        let (escape, modifiers) =
            ui.input(|input| (input.key_pressed(Key::Escape), input.modifiers));
        if escape {
            return;
        }
        if response.dragged_by(PointerButton::Primary) {
            self.held = Held::Box(from, to);
            return;
        }
        self.boxing = false;
        let inside = scene.inside(Rect::from_two_pos(from, to));
        let selection = cx.selection();
        let next = if modifiers.command {
            let mut next = selection.clone();
            for node in inside {
                next = nodes::clicked(&next, node, modifiers);
            }
            next
        } else if modifiers.shift {
            nodes::with_all(selection, inside)
        } else {
            nodes::only(selection, inside)
        };
        if next != *selection {
            actions.push(Action::Select(next));
        }
    }

    #[expect(clippy::too_many_arguments, reason = "all of one frame, each used once")]
    fn drag(
        &mut self,
        ui: &Ui,
        cx: &Cx<'_>,
        response: &Response,
        lens: &Lens,
        mut drag: Drag,
        pointer: Pos2,
        actions: &mut Vec<Action>,
    ) {
        drag.frames = drag.frames.saturating_add(1);
        let cancelled = ui.input(|input| {
            input.key_pressed(Key::Escape) || input.pointer.button_pressed(PointerButton::Secondary)
        });
        // The window has ended it: by Escape, by losing the focus, by another step.
        if drag.frames > 1 && cx.editor.gesture().is_none() {
            self.spent = true;
            return;
        }
        if cancelled {
            actions.push(Action::Cancel);
            self.spent = true;
            return;
        }
        let enter = typing(ui, &mut drag);
        drag.follow(pointer, lens);
        let view = &cx.view().viewport;
        let command = ui.input(|input| input.modifiers.command);
        let step = (view.snap != command).then(|| match drag.tool {
            Tool::Rotate => 15f64.to_radians(),
            Tool::Scale => 0.1,
            _ => paint::grid_step(lens),
        });
        let radians = cx.settings().show_radians;
        let amount = drag.amount(lens, step, radians);
        self.tag = drag.tag(amount, radians);
        let shown = (amount.0, amount.1, drag.axis);
        if drag.shown != Some(shown) {
            drag.shown = Some(shown);
            let changes = drag.changes(lens, amount);
            if let Some(edit) = drag.edit(cx, &changes) {
                actions.push(Action::Preview(edit));
            }
        }
        let pressed = ui.input(|input| input.pointer.button_pressed(PointerButton::Primary));
        let ended = if drag.modal {
            pressed && drag.frames > 1
        } else {
            !response.dragged_by(PointerButton::Primary)
        };
        if ended || enter {
            actions.push(Action::Commit);
            self.spent = drag.modal || enter;
            return;
        }
        self.held = Held::Handle(Box::new(drag));
    }
}

/// Takes a typed number, and X, Y, Z for the axis. Gives whether Enter ended the drag.
fn typing(ui: &Ui, drag: &mut Drag) -> bool {
    let mut enter = false;
    let mut axis = None;
    ui.input(|input| {
        for event in &input.events {
            match event {
                Event::Text(words) => {
                    for c in words.chars() {
                        match c {
                            'x' | 'X' => axis = Some(Axis::One(0)),
                            'y' | 'Y' => axis = Some(Axis::One(1)),
                            'z' | 'Z' => axis = Some(Axis::One(2)),
                            '0'..='9' | '.' | ',' | '+' | '-' | '*' | '/' | '(' | ')'
                                if drag.typed.len() < 40 =>
                            {
                                drag.typed.push(c);
                            }
                            _ => {}
                        }
                    }
                }
                Event::Key { key: Key::Backspace, pressed: true, .. } => {
                    drag.typed.pop();
                }
                Event::Key { key: Key::Enter, pressed: true, .. } => enter = true,
                _ => {}
            }
        }
    });
    if let Some(axis) = axis {
        drag.choose(axis);
    }
    enter
}
