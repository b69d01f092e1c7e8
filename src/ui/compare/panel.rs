//! The Compare panel: what differs, each in words, with the way to take it over.

use super::strip::{self, Shows};
use super::{Ask, Entry, Made, theirs};
use crate::diff::{Change, KeyChange, What};
use crate::edit::{Content, DocId};
use crate::ui::action::{Action, Tone};
use crate::ui::command::CommandId;
use crate::ui::cx::Cx;
use crate::ui::{text, theme, widgets};
use eframe::egui::{
    self, Align, Align2, Button, Color32, CornerRadius, FontId, Layout, Rect, RichText, Role,
    ScrollArea, Sense, Ui, WidgetInfo, pos2, vec2,
};
use std::collections::BTreeSet;
use std::sync::Arc;

/// How the list is looked at.
#[derive(Clone, Debug, Default)]
struct Look {
    filter: String,
    shows: Shows,
    /// Elements whose keys are listed.
    open: BTreeSet<usize>,
    /// The going that was last scrolled to.
    scrolled: u64,
}

/// A line of the list.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Row {
    /// What the poses say.
    About(usize),
    /// A field of the document itself.
    Header(usize),
    Element(usize),
    /// A key of an element.
    Key(usize, usize),
}

/// Shows the panel.
pub fn show(ui: &mut Ui, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    let Some(doc) = cx.active() else {
        let words = "What changed from another version of a file to this one.";
        return widgets::empty(ui, cx, words, &[(CommandId::Open, "Open…")], actions);
    };
    let Some(entry) = cx.compare.of(doc) else { return choose(ui, cx, doc, actions) };
    let id = ui.scope_id().with(("look", doc));
    let mut look: Look = ui.data_mut(|data| data.get_temp_mut_or_default::<Look>(id).clone());
    let rect = ui.max_rect();
    let head = Rect::from_min_size(rect.min, vec2(rect.width(), 30.0));
    ui.scope_builder(egui::UiBuilder::new().max_rect(head.shrink2(vec2(8.0, 2.0))), |ui| {
        ui.horizontal_centered(|ui| bar(ui, cx, doc, entry, &mut look, actions));
    });
    let mut top = head.bottom();
    if let Some(made) = entry.made() {
        let moves = made.difference.poses.as_ref().is_some_and(|poses| poses.moments.len() > 1);
        if moves && rect.bottom() - top > strip::HEIGHT + 2.0 * theme::ROW {
            let place =
                Rect::from_min_size(pos2(rect.left(), top), vec2(rect.width(), strip::HEIGHT));
            strip::show(ui, cx, place, made, &mut look.shows, actions);
            top = place.bottom();
        }
        let body = Rect::from_min_max(pos2(rect.left(), top), rect.max);
        ui.scope_builder(egui::UiBuilder::new().max_rect(body), |ui| {
            list(ui, cx, doc, entry, made, &mut look, actions);
        });
    } else if let Some(words) = entry.failed() {
        let body = Rect::from_min_max(pos2(rect.left() + 12.0, top + 8.0), rect.max);
        ui.scope_builder(egui::UiBuilder::new().max_rect(body), |ui| {
            ui.label(RichText::new(text::clean(words, 400)).color(cx.theme.error));
        });
    }
    ui.data_mut(|data| data.insert_temp(id, look));
}

/// What the current document can be compared with.
fn choose(ui: &mut Ui, cx: &Cx<'_>, doc: DocId, actions: &mut Vec<Action>) {
    let words = "What changed from another version to this one: pegs, keys, rests, names, in \
                 words; and where the poses are farthest apart, and why.";
    let steps: &[(CommandId, &str)] = match cx.compare.has_before(doc) {
        true => &[
            (CommandId::CompareBefore, "Compare with the version before"),
            (CommandId::CompareFile, "Compare with a file…"),
        ],
        false => &[(CommandId::CompareFile, "Compare with a file…")],
    };
    widgets::empty(ui, cx, words, steps, actions);
    let own = cx.document().map(|document| document.content.clone());
    let fits = |content: &Content| match (&own, content) {
        (Some(own), other) => can_compare(own, other),
        (None, _) => false,
    };
    let others = cx.workspace().documents().filter(|other| other.id != doc && fits(&other.content));
    let others: Vec<_> = others.collect();
    if others.is_empty() {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        ui.add_space(12.0);
        ui.label(RichText::new("Or with what is open:").color(cx.theme.muted));
        for other in others {
            let name = other.name();
            let response = ui.button(text::name(&name).into_owned());
            response.widget_info(|| {
                let name = format!("Compare with {}", text::name(&name));
                WidgetInfo::labeled(Role::Button, true, name)
            });
            if response.clicked() {
                actions.push(Action::Compare(Ask::Open(other.id)));
            }
        }
    });
}

/// Whether two documents have anything to compare.
fn can_compare(a: &Content, b: &Content) -> bool {
    use Content::{Clip, Rig, Skeleton, Take};
    matches!(
        (a, b),
        (Take(_), Take(_) | Clip(_))
            | (Clip(_), Clip(_) | Take(_))
            | (Rig(_), Rig(_))
            | (Skeleton(_), Skeleton(_))
    )
}

fn bar(
    ui: &mut Ui,
    cx: &Cx<'_>,
    doc: DocId,
    entry: &Entry,
    look: &mut Look,
    actions: &mut Vec<Action>,
) {
    let _ = doc;
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        let stop = ui.button("Close").on_hover_text("Compare with nothing any more");
        stop.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Close the comparison"));
        if stop.clicked() {
            actions.push(Action::Compare(Ask::Stop));
        }
        use egui_material_icons::icons::{ICON_CHEVRON_LEFT, ICON_CHEVRON_RIGHT};
        for (id, icon, name) in [
            (CommandId::CompareNext, ICON_CHEVRON_RIGHT, "Next difference"),
            (CommandId::ComparePrevious, ICON_CHEVRON_LEFT, "Previous difference"),
        ] {
            let response = widgets::icon_button(ui, icon, name, false, cx.theme);
            if response.clicked() {
                actions.push(Action::Command(id));
            }
            response.on_hover_text(cx.tooltip(id));
        }
        let ghost = widgets::toggle(ui, cx.theme, entry.ghost, "Ghost");
        if ghost.clicked() {
            actions.push(Action::Compare(Ask::Ghost(!entry.ghost)));
        }
        ghost.on_hover_text("The other one in the viewport, behind this one");
        let width = (ui.available_width() * 0.25).clamp(60.0, 180.0);
        widgets::search_field(ui, &mut look.filter, "Filter", "Filter differences", width);
        if let Some(fraction) = entry.progress() {
            let cancel = ui.button("Cancel");
            cancel.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Cancel the comparison"));
            if cancel.clicked() {
                actions.push(Action::Compare(Ask::Cancel));
            }
            let words = format!("comparing {:>3}%", (fraction * 100.0).floor());
            ui.label(RichText::new(words).monospace().color(cx.theme.muted));
            ui.ctx().request_repaint_after(std::time::Duration::from_millis(60));
        }
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            let own = cx.document().map(|document| document.name()).unwrap_or_default();
            let names = format!("{} → {}", text::clean(&entry.name, 60), text::clean(&own, 60));
            let names = RichText::new(names).color(cx.theme.muted);
            ui.label(names);
            if let Some(made) = entry.made() {
                let words = RichText::new(text::clean(&made.summary, 300)).strong();
                ui.add(egui::Label::new(words.color(cx.theme.text)).truncate());
            }
        });
    });
}

/// The lines that the filter lets through.
fn rows(made: &Made, look: &Look) -> Vec<Row> {
    let wanted = look.filter.trim().to_lowercase();
    let has = |text: &str| wanted.is_empty() || text.to_lowercase().contains(&wanted);
    let about = made.about.iter().enumerate().filter(|(_, (words, _))| has(words));
    let mut rows: Vec<Row> = about.map(|(at, _)| Row::About(at)).collect();
    let elements = made.difference.elements.iter().zip(&made.words).enumerate();
    for (at, (element, words)) in elements {
        if !(has(&element.name) || has(words)) {
            continue;
        }
        rows.push(Row::Element(at));
        if look.open.contains(&at)
            && let Some(keys) = keys_of(&element.changes)
        {
            rows.extend((0..keys.len()).map(|key| Row::Key(at, key)));
        }
    }
    let header = made.header.iter().enumerate().filter(|(_, words)| has(words));
    rows.extend(header.map(|(at, _)| Row::Header(at)));
    rows
}

fn keys_of(changes: &[Change]) -> Option<&[KeyChange]> {
    changes.iter().find_map(|change| match change {
        Change::Keys(keys) => Some(keys.keys.as_slice()),
        _ => None,
    })
}

fn list(
    ui: &mut Ui,
    cx: &Cx<'_>,
    doc: DocId,
    entry: &Entry,
    made: &Arc<Made>,
    look: &mut Look,
    actions: &mut Vec<Action>,
) {
    let rows = rows(made, look);
    ui.spacing_mut().item_spacing.y = 0.0;
    if rows.is_empty() {
        let words = match made.difference.elements.is_empty() && made.header.is_empty() {
            true => "Nothing differs.",
            false => "No difference has that in its words.",
        };
        ui.vertical_centered(|ui| ui.label(words));
        return;
    }
    let mut area = ScrollArea::vertical().auto_shrink([false; 2]);
    if look.scrolled != entry.gone {
        look.scrolled = entry.gone;
        let row = entry.at.and_then(|at| rows.iter().position(|row| *row == Row::Element(at)));
        if let Some(row) = row {
            let height = ui.available_height();
            let offset = row as f32 * theme::ROW - 0.5 * (height - theme::ROW);
            area = area.vertical_scroll_offset(offset.max(0.0));
        }
    }
    area.show_rows(ui, theme::ROW, rows.len(), |ui, shown| {
        for row in &rows[shown] {
            match *row {
                Row::About(at) => about(ui, cx, made, at, actions),
                Row::Header(at) => header(ui, cx, &made.header[at]),
                Row::Element(at) => element(ui, cx, doc, entry, made, at, look, actions),
                Row::Key(at, key) => key_row(ui, cx, doc, made, at, key, actions),
            }
        }
    });
}

/// A line's place, with its ground.
fn line(ui: &mut Ui, cx: &Cx<'_>, name: &str, selected: bool) -> (Rect, egui::Response) {
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), theme::ROW), Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::Row, true, selected, name));
    if selected || response.hovered() {
        let fill = if selected { cx.theme.row_selected } else { cx.theme.control };
        let ground = rect.shrink2(vec2(4.0, 0.0));
        ui.painter().rect_filled(ground, CornerRadius::same(theme::CORNER), fill);
    }
    (rect, response)
}

fn put(ui: &Ui, rect: Rect, words: &str, color: Color32) -> f32 {
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    let font = FontId::proportional(theme::TEXT_SIZE);
    painter.text(rect.left_center(), Align2::LEFT_CENTER, words, font, color).width()
}

/// What the poses say; a click goes to the moment that it is about.
fn about(ui: &mut Ui, cx: &Cx<'_>, made: &Arc<Made>, at: usize, actions: &mut Vec<Action>) {
    let Some((words, moment)) = made.about.get(at) else { return };
    let words = text::clean(words, 300);
    let (rect, response) = line(ui, cx, &words, false);
    put(ui, rect.shrink2(vec2(28.0, 0.0)), &words, cx.theme.accent);
    let secs = moment.and_then(|moment| strip::secs_of(cx, made, moment));
    if response.clicked()
        && let Some(secs) = secs
    {
        actions.push(Action::SetPlayhead(secs));
    }
    if secs.is_some() {
        response.on_hover_text("Click goes there");
    }
}

fn header(ui: &mut Ui, cx: &Cx<'_>, words: &str) {
    let (rect, _) = line(ui, cx, &format!("header, {words}"), false);
    let inner = rect.shrink2(vec2(28.0, 0.0));
    let width = put(ui, inner, "header", cx.theme.muted);
    let rest = Rect::from_min_max(pos2(inner.left() + width + 12.0, rect.top()), inner.max);
    put(ui, rest, &text::clean(words, 300), cx.theme.text);
}

/// Where the button stands that takes something over.
fn take_button(
    ui: &mut Ui,
    rect: Rect,
    name: &str,
    able: Result<(), &'static str>,
    tip: &str,
) -> bool {
    let place = Rect::from_min_max(
        pos2(rect.right() - 108.0, rect.top() + 2.0),
        pos2(rect.right() - 12.0, rect.bottom() - 2.0),
    );
    let button = Button::new(RichText::new("Take theirs").size(theme::LABEL_SIZE)).small();
    // A child of its own: the rows below keep their places.
    let builder = egui::UiBuilder::new().max_rect(place).id_salt(name);
    let mut ui = ui.new_child(builder.layout(Layout::right_to_left(Align::Center)));
    let response = ui.add_enabled(able.is_ok(), button);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, able.is_ok(), name));
    let clicked = response.clicked();
    match able {
        Ok(()) => response.on_hover_text(tip),
        Err(why) => response.on_disabled_hover_text(why),
    };
    clicked
}

#[allow(clippy::too_many_arguments)] // A row of a list reads all of them once.
fn element(
    ui: &mut Ui,
    cx: &Cx<'_>,
    doc: DocId,
    entry: &Entry,
    made: &Arc<Made>,
    at: usize,
    look: &mut Look,
    actions: &mut Vec<Action>,
) {
    let theme = cx.theme;
    let element = &made.difference.elements[at];
    let words = &made.words[at];
    let name = text::clean(&element.name, 60).into_owned();
    let selected = entry.at == Some(at);
    let (rect, response) = line(ui, cx, &format!("{name}: {words}"), selected);
    let keys = keys_of(&element.changes).map_or(0, <[KeyChange]>::len);
    let fold = Rect::from_min_size(rect.min + vec2(8.0, 0.0), vec2(20.0, rect.height()));
    if keys > 0 {
        let open = look.open.contains(&at);
        let response = ui.interact(fold, ui.scope_id().with(("fold", at)), Sense::CLICK);
        let word = if open { "Hide" } else { "Show" };
        response.widget_info(|| {
            WidgetInfo::selected(Role::Button, true, open, format!("{word} keys of {name}"))
        });
        let color = if response.hovered() { theme.text } else { theme.muted };
        let sign = if open { "▴" } else { "▾" };
        let font = FontId::proportional(theme::TEXT_SIZE);
        ui.painter().text(fold.center(), Align2::CENTER_CENTER, sign, font, color);
        if response.clicked() && !look.open.remove(&at) {
            look.open.insert(at);
        }
    }
    let color = match element.changes.first() {
        Some(Change::Added { .. }) => theme.good,
        Some(Change::Removed { .. }) => theme.error,
        _ => theme.text,
    };
    let inner = Rect::from_min_max(pos2(fold.right(), rect.top()), rect.max - vec2(116.0, 0.0));
    let width = put(ui, inner, &name, color);
    let kind = match element.what {
        What::Camera => " camera ",
        What::Part => " part ",
        _ => " ",
    };
    let rest = Rect::from_min_max(pos2(inner.left() + width + 4.0, rect.top()), inner.max);
    put(ui, rest, &text::clean(&format!("{kind}{words}"), 300), theme.muted);
    let Some(current) = cx.workspace().content(doc) else { return };
    let able = theirs::able(made, current, element);
    let tip = "Makes it as it is in the other one; undo brings it back";
    let label = format!("Take theirs: {name}");
    if take_button(ui, rect, &label, able, tip) {
        match theirs::element(made, doc, current, element) {
            Ok(edit) => actions.push(Action::Edit(edit)),
            Err(why) => actions.push(Action::Toast(Tone::Info, why.to_owned())),
        }
    }
    if response.clicked() {
        actions.push(Action::Compare(Ask::Go(at)));
    }
    response.on_hover_text(text::clean(&format!("{name}: {words}"), 600).into_owned());
}

fn key_row(
    ui: &mut Ui,
    cx: &Cx<'_>,
    doc: DocId,
    made: &Arc<Made>,
    at: usize,
    key: usize,
    actions: &mut Vec<Action>,
) {
    let element = &made.difference.elements[at];
    let Some(change) = keys_of(&element.changes).and_then(|keys| keys.get(key)) else { return };
    let clock = element.changes.iter().find_map(|change| match change {
        Change::Keys(keys) => Some(keys.clock),
        _ => None,
    });
    let Some(clock) = clock else { return };
    let words = change.words(clock);
    let name = text::clean(&element.name, 60).into_owned();
    let (rect, response) = line(ui, cx, &format!("{name}, {words}"), false);
    let inner = Rect::from_min_max(rect.min + vec2(44.0, 0.0), rect.max - vec2(116.0, 0.0));
    put(ui, inner, &words, cx.theme.muted);
    let edit = cx
        .workspace()
        .content(doc)
        .and_then(|current| theirs::key(made, doc, current, element, change));
    let able = edit.as_ref().map(|_| ()).ok_or("This key cannot be taken over");
    let label = format!("Take theirs: {name}, {words}");
    let tip = "Makes this key as it is in the other one; undo brings it back";
    if take_button(ui, rect, &label, able, tip)
        && let Some(edit) = edit
    {
        actions.push(Action::Edit(edit));
    }
    if response.clicked() {
        let own = change.b.is_some();
        let at = if own { change.at + change.moved } else { change.at };
        actions.push(Action::Compare(Ask::Go(usize::MAX)));
        match strip::secs_of(cx, made, at) {
            Some(secs) => actions.push(Action::SetPlayhead(secs)),
            None if clock == crate::diff::Clock::Seconds => actions.push(Action::SetPlayhead(at)),
            None => actions.push(Action::GoToFrame(doc, at)),
        }
    }
}
