//! Rows with one field: words, choices, a number.

use super::number::{self, Event, Look};
use super::vectors::{LABEL, MARK, field_id};
use crate::edit::Edit;
use crate::ui::action::Action;
use crate::ui::cx::Cx;
use crate::ui::{text, theme};
use eframe::egui::{
    self, Align, Button, ComboBox, Key, Layout, Rect, RichText, Role, TextEdit, Ui, WidgetInfo,
    pos2, vec2,
};

/// The name before a field, and the place of the field.
pub fn labelled(ui: &mut Ui, cx: &Cx<'_>, label: &str) -> Rect {
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), theme::ROW));
    let words = RichText::new(label).size(theme::LABEL_SIZE).color(cx.theme.muted);
    let place = Rect::from_min_max(rect.min, pos2(rect.left() + LABEL, rect.bottom()));
    ui.place(place, |ui: &mut Ui| {
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| ui.label(words)).inner
    });
    let right = (rect.right() - MARK).max(rect.left() + LABEL + 40.0);
    Rect::from_min_max(
        pos2(rect.left() + LABEL, rect.top() + 1.0),
        pos2(right, rect.bottom() - 1.0),
    )
}

/// A row of words that are shown only.
pub fn fact(ui: &mut Ui, cx: &Cx<'_>, label: &str, words: &str) {
    let place = labelled(ui, cx, label);
    let words = text::clean(words, 200);
    ui.place(place, |ui: &mut Ui| {
        let label = egui::Label::new(RichText::new(words).size(theme::LABEL_SIZE)).truncate();
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| ui.add(label)).inner
    });
}

/// The identity of a field with words, by its label.
pub fn words_id(label: &str) -> egui::Id {
    field_id(label).with("words").with("text")
}

/// A box to tick, with words behind it. Gives the new value, once.
pub fn check(
    ui: &mut Ui,
    cx: &Cx<'_>,
    label: &str,
    on: bool,
    words: &str,
    help: &str,
) -> Option<bool> {
    let place = labelled(ui, cx, label);
    let mut now = on;
    let response = ui.place(place, |ui: &mut Ui| {
        ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Truncate);
        let check = egui::Checkbox::new(&mut now, words);
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| ui.add(check)).inner
    });
    let changed = response.changed();
    if !help.is_empty() {
        response.on_hover_text(help);
    }
    changed.then_some(now)
}

/// A field with words. `value` is `None` where those selected differ. `wrong` says what is wrong
/// with a text. Gives the new text, once.
pub fn words(
    ui: &mut Ui,
    cx: &Cx<'_>,
    label: &str,
    value: Option<&str>,
    hint: &str,
    wrong: &dyn Fn(&str) -> Option<&'static str>,
) -> Option<String> {
    let place = labelled(ui, cx, label);
    let id = field_id(label).with("words");
    let typed: Option<String> = ui.data(|data| data.get_temp(id));
    let typing = typed.is_some();
    // A name of a megabyte is not laid out whole in every frame.
    let shown = || text::clean(value.unwrap_or_default(), 400).into_owned();
    let too_long = value.is_some_and(|value| shown() != value);
    let mut typed = typed.unwrap_or_else(shown);
    let problem = if typing { wrong(&typed) } else { None };
    let color = if problem.is_some() { cx.theme.error } else { cx.theme.text };
    let hint = if value.is_none() { "mixed" } else { hint };
    let field = TextEdit::singleline(&mut typed)
        .id(words_id(label))
        .interactive(!too_long)
        .hint_text(hint)
        .text_color(color)
        .margin(egui::Margin::symmetric(6, 3))
        .align(egui::Align2::LEFT_CENTER)
        .min_size(place.size())
        .desired_width(place.width() - 12.0);
    let response = ui.place(place, field);
    response.widget_info(|| {
        let mut info = WidgetInfo::labeled(Role::TextInput, !too_long, label);
        info.current_text_value = value.map(|value| text::clean(value, 400).into_owned());
        info
    });
    let (enter, escape, away) = ui.input(|input| {
        (input.key_pressed(Key::Enter), input.key_pressed(Key::Escape), !input.focused)
    });
    if response.gained_focus() {
        response.scroll_to_me(None);
    }
    if response.gained_focus() || response.changed() {
        ui.data_mut(|data| data.insert_temp(id, typed.clone()));
    }
    let response = match problem {
        Some(problem) => response.on_hover_text(problem),
        None => response,
    };
    let ended = response.lost_focus() || typing && (away || escape);
    if !ended {
        return None;
    }
    ui.data_mut(|data| data.remove::<String>(id));
    let fine = wrong(&typed).is_none() && value != Some(typed.as_str());
    (typing && !escape && fine && (enter || response.lost_focus() || away)).then_some(typed)
}

/// A choice. Gives what was chosen, once.
pub fn choice<T: Copy + PartialEq>(
    ui: &mut Ui,
    cx: &Cx<'_>,
    label: &str,
    value: Option<T>,
    choices: &[(T, String)],
) -> Option<T> {
    let place = labelled(ui, cx, label);
    let now = choices.iter().find(|(choice, _)| Some(*choice) == value);
    let now = now.map_or("mixed", |(_, name)| name.as_str()).to_owned();
    let mut chosen = None;
    ui.place(place, |ui: &mut Ui| {
        let combo = ComboBox::from_id_salt(field_id(label))
            .width(place.width())
            .height(320.0)
            .truncate()
            .selected_text(text::clean(&now, 60).into_owned());
        let output = combo.show_ui(ui, |ui| {
            for (choice, name) in choices {
                let on = Some(*choice) == value;
                if ui.add(Button::selectable(on, text::clean(name, 60))).clicked() && !on {
                    chosen = Some(*choice);
                }
            }
        });
        output.response.widget_info(|| {
            let mut info = WidgetInfo::labeled(Role::ComboBox, true, label);
            info.current_text_value = Some(now.clone());
            info
        });
        output.response
    });
    chosen
}

/// A number alone in its row. `edit_of` makes the edit for a new value. A drag keeps within two
/// bounds, as they were when it began; what is typed is the edit's to take or to refuse.
pub fn number(
    ui: &mut Ui,
    cx: &Cx<'_>,
    label: &str,
    look: &Look<'_>,
    within: (f64, f64),
    edit_of: &dyn Fn(f64) -> Option<Edit>,
    actions: &mut Vec<Action>,
) {
    let mut place = labelled(ui, cx, label);
    // Narrow panels still show the whole number.
    let width = ((place.width() - 8.0) / 3.0 * 1.6).max(72.0).min(place.width());
    place.set_width(width);
    let id = field_id(look.name);
    let started = id.with("started");
    match number::show(ui, cx, id, place, look) {
        Event::None => {}
        Event::Begin => {
            let value = look.value.unwrap_or_default();
            ui.data_mut(|data| data.insert_temp(started, (value, within)));
            actions.push(Action::Begin);
        }
        Event::Drag(total) => {
            let (base, (least, most)): (f64, (f64, f64)) =
                ui.data(|data| data.get_temp(started)).unwrap_or_default();
            let new = (((base + total) * 1e6).round() / 1e6).min(most).max(least);
            actions.extend(edit_of(new).map(Action::Preview));
        }
        Event::End => actions.push(Action::Commit),
        Event::Typed(typed) => {
            let new = typed.apply(look.value.unwrap_or_default());
            actions.extend(new.and_then(edit_of).map(Action::Edit));
        }
    }
}
