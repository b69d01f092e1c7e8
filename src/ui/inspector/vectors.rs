//! Rows of three numbers, and the edits that they make.

use super::number::{self, Event, Look};
use crate::edit::Edit;
use crate::model::Property;
use crate::ui::action::{Action, Tone};
use crate::ui::cx::Cx;
use crate::ui::expr::Typed;
use crate::ui::{pose, text, theme};
use eframe::egui::{Id, Rect, RichText, Ui, pos2, vec2};
use glam::DVec3;

/// The width of the names before fields, in points.
pub const LABEL: f32 = 76.0;
/// The width of the mark behind fields, in points.
pub const MARK: f32 = 22.0;

/// What a row of three numbers is about.
pub struct Row<'a> {
    /// The word before it.
    pub label: &'a str,
    /// What its fields are called where they are read aloud, before X, Y and Z.
    pub name: &'a str,
    /// Metres, angles or factors.
    pub property: Property,
    /// The values of all that is selected, in the file's units.
    pub values: &'a [DVec3],
    /// Whether they can be changed.
    pub enabled: bool,
}

/// From the file's units to those shown.
pub fn shown(cx: &Cx<'_>, property: Property, value: f64) -> f64 {
    match property {
        Property::Rotation if !cx.settings().show_radians => value.to_degrees(),
        _ => value,
    }
}

/// From the units shown to the file's.
pub fn stored(cx: &Cx<'_>, property: Property, value: f64) -> f64 {
    match property {
        Property::Rotation if !cx.settings().show_radians => value.to_radians(),
        _ => value,
    }
}

/// The one value that all have; `None` where they differ.
pub fn shared(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let mut values = values.into_iter();
    let first = values.next()?;
    values.all(|value| (value - first).abs() < 1e-9).then_some(first)
}

/// Shows a row. `edit_of` makes the edit that turns the old values into new ones. Gives where the mark goes.
pub fn show(
    ui: &mut Ui,
    cx: &Cx<'_>,
    row: &Row<'_>,
    edit_of: &dyn Fn(&[DVec3], &[DVec3]) -> Option<Edit>,
    actions: &mut Vec<Action>,
) -> Rect {
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), theme::ROW));
    let words = RichText::new(row.label).size(theme::LABEL_SIZE).color(cx.theme.muted);
    let label = Rect::from_min_max(rect.min, pos2(rect.left() + LABEL, rect.bottom()));
    ui.place(label, |ui: &mut Ui| {
        ui.with_layout(eframe::egui::Layout::left_to_right(eframe::egui::Align::Center), |ui| {
            ui.label(words)
        })
        .inner
    });
    let left = rect.left() + LABEL;
    let right = (rect.right() - MARK).max(left + 60.0);
    let width = (right - left - 8.0) / 3.0;
    let (places, per_point, snap) = match row.property {
        Property::Position => (3, 0.005, 0.1),
        Property::Rotation if cx.settings().show_radians => (3, 0.01, 0.1),
        Property::Rotation => (2, 0.5, 5.0),
        Property::Scale => (3, 0.005, 0.1),
    };
    for axis in 0..3 {
        let x = left + axis as f32 * (width + 4.0);
        let field = Rect::from_min_size(pos2(x, rect.top() + 1.0), vec2(width, theme::ROW - 2.0));
        let name = format!("{} {}", row.name, ["X", "Y", "Z"][axis]);
        let value = shared(row.values.iter().map(|value| value[axis]));
        let look = Look {
            name: &name,
            value: value.map(|value| shown(cx, row.property, value)),
            places,
            per_point,
            snap,
            edge: Some(cx.theme.axes[axis]),
            enabled: row.enabled,
        };
        let id = field_id(&name);
        let event = number::show(ui, cx, id, field, &look);
        react(ui, cx, row, axis, id, event, edit_of, actions);
    }
    Rect::from_min_max(pos2(rect.right() - MARK, rect.top()), rect.max)
}

/// The identity of a field.
pub fn field_id(name: &str) -> Id {
    Id::unique(("a field of the inspector", name))
}

#[expect(clippy::too_many_arguments, reason = "all of one field, each used once")]
fn react(
    ui: &Ui,
    cx: &Cx<'_>,
    row: &Row<'_>,
    axis: usize,
    id: Id,
    event: Event,
    edit_of: &dyn Fn(&[DVec3], &[DVec3]) -> Option<Edit>,
    actions: &mut Vec<Action>,
) {
    let started = id.with("started");
    match event {
        Event::None => {}
        Event::Begin => {
            // Each preview is reckoned from here, never from the preview before.
            ui.data_mut(|data| data.insert_temp(started, row.values.to_vec()));
            actions.push(Action::Begin);
        }
        Event::Drag(total) => {
            let base: Vec<DVec3> = ui.data(|data| data.get_temp(started)).unwrap_or_default();
            let by = stored(cx, row.property, total);
            let new = base.iter().map(|old| {
                let mut new = *old;
                new[axis] += by;
                if row.property == Property::Scale {
                    new[axis] = new[axis].max(1e-4);
                }
                pose::settled(*old, new)
            });
            let new: Vec<DVec3> = new.collect();
            actions.extend(edit_of(&base, &new).map(Action::Preview));
        }
        Event::End => {
            ui.data_mut(|data| data.remove::<Vec<DVec3>>(started));
            actions.push(Action::Commit);
        }
        Event::Typed(typed) => match typed_values(cx, row, axis, typed) {
            Some(new) => actions.extend(edit_of(row.values, &new).map(Action::Edit)),
            None => {
                let words = format!("{} would be no number", text::clean(row.name, 40));
                actions.push(Action::Toast(Tone::Info, words));
            }
        },
    }
}

fn typed_values(cx: &Cx<'_>, row: &Row<'_>, axis: usize, typed: Typed) -> Option<Vec<DVec3>> {
    let one = |old: &DVec3| {
        let mut new = *old;
        let reckoned = typed.apply(shown(cx, row.property, old[axis]))?;
        new[axis] = stored(cx, row.property, reckoned);
        Some(new)
    };
    row.values.iter().map(one).collect()
}
