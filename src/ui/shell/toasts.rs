//! Short notes of what happened, at the lower right. They go by themselves.

use crate::ui::action::Tone;
use crate::ui::theme::Theme;
use eframe::egui::{
    self, Align2, Button, Context, Id, Label, Margin, RichText, Sense, Stroke, pos2, vec2,
};
use std::time::Duration;

/// Most notes at once; older ones go.
const MOST: usize = 5;

struct Toast {
    tone: Tone,
    text: String,
    /// Seconds that it has left, reckoned from when it was first shown.
    secs: f64,
    until: Option<f64>,
    number: u64,
}

/// The notes that are up.
#[derive(Default)]
pub struct Toasts {
    list: Vec<Toast>,
    next: u64,
}

impl Toasts {
    /// Puts a note up. The same note twice counts as one.
    pub fn add(&mut self, tone: Tone, text: String) {
        self.list.retain(|toast| toast.text != text);
        let secs = match tone {
            Tone::Good => 3.0,
            Tone::Info => 4.0,
            Tone::Warning => 8.0,
            Tone::Error => 12.0,
        };
        self.list.push(Toast { tone, text, secs, until: None, number: self.next });
        self.next += 1;
        let over = self.list.len().saturating_sub(MOST);
        self.list.drain(..over);
    }

    /// Shows the notes.
    pub fn show(&mut self, ctx: &Context, theme: &Theme) {
        let now = ctx.input(|input| input.time);
        for toast in &mut self.list {
            toast.until.get_or_insert(now + toast.secs);
        }
        self.list.retain(|toast| toast.until.is_none_or(|until| now < until));
        let mut closed = None;
        let mut bottom = 36.0;
        for toast in self.list.iter_mut().rev() {
            let area = egui::Area::new(Id::unique("toast").with(toast.number))
                .anchor(Align2::RIGHT_BOTTOM, vec2(-16.0, -bottom))
                .order(egui::Order::Foreground)
                .show(ctx, |ui| {
                    if one(ui, theme, toast) {
                        closed = Some(toast.number);
                    }
                });
            bottom += area.response.rect.height() + 8.0;
            // What is being read stays.
            if area.response.contains_pointer() {
                toast.until = Some(now + toast.secs);
            }
        }
        self.list.retain(|toast| Some(toast.number) != closed);
        let first = self.list.iter().filter_map(|toast| toast.until).reduce(f64::min);
        if let Some(first) = first {
            ctx.request_repaint_after(Duration::from_secs_f64((first - now).max(0.05)));
        }
    }
}

/// One note; true where it was closed.
fn one(ui: &mut egui::Ui, theme: &Theme, toast: &Toast) -> bool {
    let color = match toast.tone {
        Tone::Good => theme.good,
        Tone::Info => theme.accent,
        Tone::Warning => theme.warning,
        Tone::Error => theme.error,
    };
    let frame = egui::Frame::popup(ui.style())
        .stroke(Stroke::new(1.0, color.gamma_multiply(0.6)))
        .inner_margin(Margin::symmetric(12, 8));
    let closed = frame.show(ui, |ui| {
        ui.set_max_width(420.0);
        ui.horizontal(|ui| {
            let (rect, _) = ui.allocate_exact_size(vec2(8.0, 8.0), Sense::hover());
            ui.painter().circle_filled(rect.center(), 4.0, color);
            ui.add(Label::new(RichText::new(&toast.text).color(theme.text)).wrap());
            let button = Button::new("").frame(false).min_size(vec2(18.0, 18.0));
            let response = ui.add(button);
            response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, "Dismiss"));
            let (at, r) = (response.rect.center(), 3.5);
            let stroke = Stroke::new(1.2, theme.muted);
            let line = |a: [f32; 2], b: [f32; 2]| {
                let ends = [pos2(at.x + a[0], at.y + a[1]), pos2(at.x + b[0], at.y + b[1])];
                ui.painter().line_segment(ends, stroke);
            };
            line([-r, -r], [r, r]);
            line([r, -r], [-r, r]);
            response.clicked()
        })
        .inner
    });
    closed.inner
}
