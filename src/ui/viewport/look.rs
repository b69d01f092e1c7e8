//! Looking through a camera of an export: its gate at the right aspect, and what it says.

use crate::model::take::TakeCamera;
use crate::sample::take::CameraView;
use crate::ui::cx::Cx;
use crate::ui::state::ViewportView;
use crate::ui::{text, theme};
use eframe::egui::{
    Align2, Button, FontId, Painter, Rect, Stroke, StrokeKind, Ui, UiBuilder, pos2, vec2,
};

/// The gate's width through its height: no file says another.
const ASPECT: f64 = 16.0 / 9.0;

/// A camera that is looked through.
pub struct Through {
    /// Where it is and what it sees.
    pub view: CameraView,
    /// Its gate in the panel.
    pub gate: Rect,
    name: String,
    /// The scene's field of view is not in the file.
    foreign_fov: bool,
}

/// A camera of the export that is shown, by its place in the file, and what it sees now in a
/// picture `aspect` times as wide as high (A40).
pub fn seen<'a>(cx: &Cx<'a>, at: usize, aspect: f64) -> Option<(&'a TakeCamera, CameraView)> {
    let (_, rig, _) = cx.export()?.take()?;
    let camera = rig.cameras().nth(at)?;
    Some((camera, rig.camera(at, &cx.stage.world, aspect)?))
}

impl Through {
    /// The camera that the view looks through, where the export has it.
    pub fn new(cx: &Cx<'_>, view: &ViewportView, rect: Rect) -> Option<Through> {
        let (camera, view) = seen(cx, view.look_through?, ASPECT)?;
        let (name, foreign_fov) =
            (camera.name.clone().unwrap_or_default(), camera.override_fov == Some(false));
        let room = rect.shrink2(vec2(24.0, 44.0));
        let width = room.width().min(room.height() * ASPECT as f32).max(16.0);
        let size = vec2(width, width / ASPECT as f32);
        Some(Through { view, gate: Rect::from_center_size(rect.center(), size), name, foreign_fov })
    }

    /// Darkens what the camera does not see, draws the gate, and says which camera it is; true
    /// where it shall be left.
    pub fn frame(&self, ui: &mut Ui, painter: &Painter, cx: &Cx<'_>, rect: Rect) -> bool {
        let (gate, shade) = (self.gate, cx.theme.ground.gamma_multiply(0.7));
        for side in [
            Rect::from_min_max(rect.min, pos2(rect.right(), gate.top())),
            Rect::from_min_max(pos2(rect.left(), gate.bottom()), rect.max),
            Rect::from_min_max(pos2(rect.left(), gate.top()), gate.left_bottom()),
            Rect::from_min_max(gate.right_top(), pos2(rect.right(), gate.bottom())),
        ] {
            painter.rect_filled(side, 0.0, shade);
        }
        painter.rect_stroke(gate, 0.0, Stroke::new(1.0, cx.theme.muted), StrokeKind::Outside);
        let fov = text::number(self.view.fov_deg, 1);
        let foreign = if self.foreign_fov { " · the scene's FOV is not in the file" } else { "" };
        let name = text::name(&self.name);
        let words = format!("Looking through {name} · 16:9 · {fov}°{foreign}");
        let font = FontId::proportional(theme::LABEL_SIZE);
        let at = pos2(rect.left() + 12.0, rect.top() + 20.0);
        painter.text(at, Align2::LEFT_CENTER, words, font, cx.theme.muted);
        let size = vec2(110.0, 26.0);
        let place = Rect::from_min_size(pos2(rect.right() - 122.0, rect.top() + 8.0), size);
        let mut ui = ui.new_child(UiBuilder::new().max_rect(place));
        ui.add_sized(size, Button::new("Leave camera")).clicked()
    }
}
