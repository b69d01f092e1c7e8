//! The Viewport panel: the stage.

mod gizmo;
mod hand;
mod lens;
mod look;
mod other;
mod paint;
mod render;
mod scene;
mod tools;
mod way;

use super::action::{Action, Tone};
use super::command::CommandId;
use super::cx::Cx;
use super::state::{PanelId, Tool, ViewportView, WorkspaceTab};
use super::{nodes, text, theme, widgets};
use crate::edit::{Edit, NewNode, RigEdit};
use crate::model::{NodeKind, Property};
use crate::ui::pose;
use eframe::egui::{FontId, Rect, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo};
use eframe::egui::{pos2, vec2};
use gizmo::{Axis, Gizmo};
use glam::DVec3;
use hand::{Hand, Held};
use lens::Lens;
use look::Through;
pub use render::{Look, Renderer};
use scene::{Kind, MAX_NAMED, REACH, Scene};

/// Shows the panel.
pub fn show(ui: &mut Ui, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    let rect = ui.max_rect();
    // A panel of no size shows nothing, and divides by nothing.
    if !(rect.is_finite() && rect.width() >= 2.0 && rect.height() >= 2.0) {
        return;
    }
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, theme::CORNER, cx.theme.ground);
    let mut view = cx.view().viewport.clone();
    let before = view.clone();
    if cx.clip().is_none() && cx.rig().is_none() {
        let words = "The stage of a clip or a rig.";
        let steps = [(CommandId::Open, "Open…"), (CommandId::NewRig, "New rig")];
        widgets::empty(ui, cx, words, &steps, actions);
        return;
    }
    let mut scene = Scene::new(cx);
    if !view.framed && !scene.items.is_empty() {
        // The cameras of an export stand far away from what they look at.
        let joints = scene.items.iter().filter(|item| item.kind == Kind::Node(NodeKind::Joint));
        let joints: Vec<usize> = match cx.export() {
            Some(_) => joints.map(|item| item.index).collect(),
            None => Vec::new(),
        };
        let (center, radius) = scene.ball_through(cx, &joints);
        view.camera = lens::framed(&view.camera, center, radius, rect);
        view.framed = true;
    }
    let mut hand = Hand::load(ui);
    commands(ui, cx, &scene, rect, &mut view, &mut hand, actions);

    let response = ui.interact(rect, ui.scope_id().with("stage"), Sense::CLICK | Sense::DRAG);
    response.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, "Stage"));
    let camera_before = view.camera;
    hand.navigate(ui, cx, &response, &mut view.camera);
    if view.camera != camera_before {
        // Who turns the view has left the camera.
        view.look_through = None;
    }
    let look = Through::new(cx, &view, rect);
    let lens = match &look {
        Some(look) => Lens::through(&look.view, scene.ball(&[]).0, look.gate, rect),
        None => Lens::new(&view.camera, rect),
    };
    scene.project(&lens);
    let grips = Gizmo::new(cx, &scene, &lens, view.tool);
    let pointer = response.hover_pos();
    hand.work(ui, cx, &response, &lens, &scene, grips.as_ref(), actions);

    let free = matches!(hand.held, Held::Nothing);
    let hot = match (&hand.held, &grips, pointer) {
        (Held::Handle(drag), _, _) => Some(drag.axis),
        (Held::Nothing, Some(grips), Some(at)) => grips.hit(at, &lens),
        _ => None,
    };
    let hovered = pointer.filter(|_| free && hot.is_none());
    let hovered = hovered.and_then(|at| scene.pick(at, &lens));
    if let Some(words) = hint(cx, &hand, hot, hovered.map(|item| item.id), view.tool) {
        actions.push(Action::Hint(words));
    }

    paint::grid(&painter, &lens, cx.theme);
    if view.ghosts {
        paint::ghosts(&painter, &lens, cx, &scene);
    }
    if cx.conversions.ghost {
        paint::source(&painter, &lens, cx, &scene);
    }
    other::ghost(&painter, &lens, cx, rect);
    if view.bones_in_front {
        paint::boxes(&painter, &lens, cx, &scene);
        paint::bones(&painter, &lens, cx, &scene);
    } else {
        paint::bones(&painter, &lens, cx, &scene);
        paint::boxes(&painter, &lens, cx, &scene);
    }
    if view.trail {
        way::trail(&painter, &lens, cx, &nodes::selected(cx));
    }
    let ink = paint::ink(&lens, &scene);
    paint::joints(&painter, cx, &scene, hovered.map(|item| item.index), ink);
    paint::labels(&painter, &lens, cx, &scene);
    if let Held::Handle(drag) = &hand.held
        && let Some(bound) = drag.bound()
    {
        paint::bound_axis(&painter, &lens, cx.theme, bound);
    }
    if let Some(grips) = &grips {
        paint::gizmo(&painter, &lens, cx.theme, grips, hot);
    }
    named_things(ui, cx, &lens, &scene, grips.as_ref(), actions);
    match &hand.held {
        Held::Handle(drag) => {
            let color = match drag.axis {
                Axis::One(axis) => cx.theme.axes[axis],
                Axis::View => cx.theme.text,
            };
            widgets::tag(&painter, cx.theme, drag.last_at, &hand.tag, color, rect);
        }
        Held::Box(from, to) => {
            let area = Rect::from_two_pos(*from, *to);
            painter.rect_filled(area, 0.0, cx.theme.accent.gamma_multiply(0.12));
            let stroke = Stroke::new(1.0, cx.theme.accent);
            painter.rect_stroke(area, 0.0, stroke, StrokeKind::Inside);
        }
        Held::Nothing => {}
    }
    match &look {
        Some(look) => {
            if look.frame(ui, &painter, cx, rect) {
                view.look_through = None;
            }
        }
        None => {
            paint::cross(&painter, rect, &lens, cx.theme);
            cross_buttons(ui, cx, &lens, rect, actions);
            tools::bar(ui, cx, &lens, rect, &mut view, actions);
        }
    }
    readout(ui, cx, &scene, rect);
    hand.save(ui);
    if view != before {
        actions.push(Action::SetViewport(view));
    }
}

/// What a click would do here, in plain words.
fn hint(
    cx: &Cx<'_>,
    hand: &Hand,
    hot: Option<Axis>,
    hovered: Option<&str>,
    tool: Tool,
) -> Option<String> {
    Some(match (&hand.held, hot, hovered) {
        (Held::Handle(drag), ..) => {
            let end = if drag.modal { "Click to set" } else { "Let go to set" };
            format!("{end} · type a number · Ctrl inverts snapping · Esc cancels")
        }
        (Held::Box(..), ..) => "Shift adds, Ctrl toggles · Esc cancels".to_owned(),
        (_, Some(axis), _) => {
            let axis = axis.letter();
            format!("Drag to {} along {axis}: {}", tool.name().to_lowercase(), pose::badge(cx))
                .replace("rotate along", "rotate about")
        }
        (_, _, Some(name)) => {
            format!("Click selects {} · Shift adds · Ctrl toggles", text::name(name))
        }
        _ => hand.navigation_hint()?,
    })
}

/// Gives joints and handles names, so that they can be read aloud and tested.
fn named_things(
    ui: &Ui,
    cx: &Cx<'_>,
    lens: &Lens,
    scene: &Scene<'_>,
    grips: Option<&Gizmo>,
    actions: &mut Vec<Action>,
) {
    let size = vec2(2.0 * REACH, 2.0 * REACH);
    let free = scene.items.iter().filter(|item| !item.locked);
    for item in free.filter(|item| item.at.is_some()).take(MAX_NAMED) {
        let Some(at) = item.at else { continue };
        let target = Rect::from_center_size(at, size).intersect(lens.rect);
        if !target.is_positive() {
            continue;
        }
        let id = ui.scope_id().with(("thing", item.index));
        let response = ui.interact(target, id, Sense::CLICK);
        let name = format!("{} in the stage", text::name(item.id));
        response.widget_info(|| WidgetInfo::selected(Role::Button, true, item.selected, &name));
        if response.clicked() {
            // Where two targets lie on each other the nearest one is meant.
            let at = response.interact_pointer_pos();
            let what = at.and_then(|at| scene.pick(at, lens)).unwrap_or(item).what.clone();
            let modifiers = ui.input(|input| input.modifiers);
            let next = nodes::clicked(cx.selection(), what, modifiers);
            actions.push(Action::Select(next));
        }
    }
    let Some(grips) = grips else { return };
    for axis in Axis::ALL {
        let Some(at) = grips.grip(axis, lens) else { continue };
        let target = Rect::from_center_size(at, size).intersect(lens.rect);
        if !target.is_positive() {
            continue;
        }
        let id = ui.scope_id().with(("handle", axis.letter()));
        let response = ui.interact(target, id, Sense::hover());
        let name = format!("{} {} handle", grips.tool.name(), axis.letter());
        response.widget_info(|| WidgetInfo::labeled(Role::Slider, true, &name));
    }
}

/// Where the selected node is, in the world and relative to its parent.
fn readout(ui: &mut Ui, cx: &Cx<'_>, scene: &Scene<'_>, rect: Rect) {
    let Some(index) = nodes::active(cx) else { return };
    let Some(item) = scene.items.get(index) else { return };
    let vector = |v: DVec3| {
        let [x, y, z] = v.to_array().map(|value| text::number(value, 3));
        format!("{x}, {y}, {z}")
    };
    let local = pose::value(cx, index, Property::Position);
    let world = cx.stage.world.get(index).map_or(item.world.position, |pose| pose.position);
    let words = format!(
        "{} · world {} m · local {}",
        text::clean(item.id, 40),
        vector(world),
        vector(local)
    );
    let font = FontId::proportional(theme::LABEL_SIZE);
    let galley = ui.painter().layout_no_wrap(words.clone(), font, cx.theme.muted);
    let at = pos2(rect.left() + 12.0, rect.bottom() - 12.0 - galley.size().y);
    let place = Rect::from_min_size(at, galley.size());
    let response = ui.interact(place, ui.scope_id().with("readout"), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &words));
    let back = place.expand2(vec2(6.0, 3.0)).intersect(rect);
    ui.painter().rect_filled(back, theme::CORNER, cx.theme.ground.gamma_multiply(0.8));
    ui.painter().with_clip_rect(rect).galley(at, galley, cx.theme.muted);
}

/// The ends of the axis cross look along their axes.
fn cross_buttons(ui: &Ui, cx: &Cx<'_>, lens: &Lens, rect: Rect, actions: &mut Vec<Action>) {
    let (center, tips) = paint::cross_tips(rect, lens);
    let commands = [CommandId::ViewSide, CommandId::ViewTop, CommandId::ViewFront];
    let names = ["Look along X", "Look along Y", "Look along Z"];
    for (axis, (at, _)) in tips.into_iter().enumerate() {
        let at = at + (at - center).normalized() * 6.0;
        let target = Rect::from_center_size(at, vec2(18.0, 18.0)).intersect(rect);
        if !target.is_positive() {
            continue;
        }
        let response = ui.interact(target, ui.scope_id().with(("cross", axis)), Sense::CLICK);
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, names[axis]));
        if response.clicked() {
            actions.push(Action::Command(commands[axis]));
        }
        response.on_hover_text(cx.tooltip(commands[axis]));
    }
}

/// Carries out what a shortcut, a menu or the palette asked of this panel.
fn commands(
    ui: &Ui,
    cx: &Cx<'_>,
    scene: &Scene<'_>,
    rect: Rect,
    view: &mut ViewportView,
    hand: &mut Hand,
    actions: &mut Vec<Action>,
) {
    let Some(id) = cx.invoked(PanelId::Viewport) else { return };
    let look = |view: &mut ViewportView, (yaw, pitch): (f64, f64)| {
        view.camera.yaw = yaw;
        view.camera.pitch = pitch;
        view.camera.orthographic = true;
    };
    match id {
        CommandId::ViewFront => look(view, paint::FRONT),
        CommandId::ViewSide => look(view, paint::SIDE),
        CommandId::ViewTop => look(view, paint::TOP),
        CommandId::ViewPerspective => view.camera.orthographic = !view.camera.orthographic,
        CommandId::FrameAll | CommandId::FrameSelected => {
            let chosen = match id {
                CommandId::FrameSelected => nodes::selected(cx),
                _ => Vec::new(),
            };
            let (center, radius) = scene.ball(&chosen);
            view.camera = lens::framed(&view.camera, center, radius, rect);
        }
        CommandId::Orbit | CommandId::Pan | CommandId::Zoom => hand.start_navigating(id),
        CommandId::BoxSelect => hand.start_box(),
        CommandId::ToolSelect => view.tool = Tool::Select,
        CommandId::ToolMove | CommandId::ToolRotate | CommandId::ToolScale => {
            view.tool = match id {
                CommandId::ToolMove => Tool::Move,
                CommandId::ToolRotate => Tool::Rotate,
                _ => Tool::Scale,
            };
            // In Blender the key takes hold at once; over a menu nobody points at the stage.
            let pointed = ui.input(|i| i.pointer.hover_pos()).is_some_and(|at| rect.contains(at));
            let over_stage = cx.state.pointer_panel == Some(PanelId::Viewport) && pointed;
            if cx.settings().keymap == super::keys::Keymap::Blender && over_stage {
                hand.take_hold_next();
            }
        }
        // Its move would write a key instead of the new joint's rest.
        CommandId::Extrude if cx.tab() == WorkspaceTab::Animate => {
            let words = "Joints are extruded in the Rig workspace";
            actions.push(Action::Toast(Tone::Info, words.to_owned()));
        }
        CommandId::Extrude => {
            if let Some(edit) = nodes::active(cx).and_then(|at| extruded(cx, scene, at)) {
                actions.push(Action::Edit(edit));
                view.tool = Tool::Move;
                hand.take_hold_next();
            }
        }
        other => super::node_commands::run(cx, other, PanelId::Viewport, actions),
    }
}

/// A new joint at the end of a joint's bone.
fn extruded(cx: &Cx<'_>, scene: &Scene<'_>, at: usize) -> Option<Edit> {
    let (doc, rig) = cx.rig()?;
    let item = scene.items.get(at)?;
    let tail = item.tails.first().copied();
    let local = tail.and_then(|tail| {
        let world = crate::math::Trs { position: tail, ..item.world };
        item.world.local_from_world(&world)
    });
    let position = local.map_or(DVec3::Y * scene.unit, |local| local.position);
    let position = pose::settled(DVec3::ZERO, position);
    let node = NewNode {
        id: rig.nodes.get(at)?.id.clone(),
        kind: NodeKind::Joint,
        parent: Some(rig.nodes.get(at)?.uid),
        position,
        model: None,
    };
    Some(Edit::Rig { doc, edit: RigEdit::AddNode { node } })
}
