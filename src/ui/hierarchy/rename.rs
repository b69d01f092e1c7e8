//! Typing a node's id in its row.

use super::rows::{self, Row};
use super::{Memory, memory_id};
use crate::edit::{ClipEdit, DocId, Edit, RigEdit, Selected};
use crate::ui::action::Action;
use crate::ui::cx::Cx;
use crate::ui::{nodes, widgets};
use eframe::egui::{self, Id, Key, Rect, Role, TextEdit, Ui, WidgetInfo, vec2};

/// Begins with the active node.
pub fn start(cx: &Cx<'_>, memory: &mut Memory) {
    let Some(index) = nodes::active(cx) else { return };
    let (Some(what), Some(id)) = (nodes::at(cx, index), cx.stage.names().get(index)) else {
        return;
    };
    memory.search.clear();
    memory.renaming = Some((what, id.clone()));
    memory.focused = false;
    memory.reveal = None;
}

/// The field in which a name is typed. Gives whether it is done.
pub fn field(
    ui: &mut Ui,
    cx: &Cx<'_>,
    row: &Row,
    place: Rect,
    typed: &mut String,
    focused: &mut bool,
    actions: &mut Vec<Action>,
) -> bool {
    let (enter, escape, away) = ui.input(|input| {
        (input.key_pressed(Key::Enter), input.key_pressed(Key::Escape), !input.focused)
    });
    let problem = rows::id_problem(cx, row.index, typed);
    let color = if problem.is_some() { cx.theme.error } else { cx.theme.text };
    let field_id = memory_id().with("name");
    let field = TextEdit::singleline(typed)
        .id(field_id)
        .text_color(color)
        .margin(egui::Margin::symmetric(4, 3))
        .desired_width(place.width() - 8.0);
    let response = ui.place(place, field);
    response.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "New id"));
    if !*focused {
        *focused = true;
        response.request_focus();
        select_all(ui, field_id, typed.chars().count());
    }
    if let Some(problem) = problem {
        let at = place.left_bottom();
        widgets::tag(
            &ui.ctx().layer_painter(egui::LayerId::new(
                egui::Order::Tooltip,
                memory_id().with("why not"),
            )),
            cx.theme,
            at + vec2(-12.0, 36.0),
            problem,
            cx.theme.error,
            ui.ctx().content_rect(),
        );
    }
    if escape {
        return true;
    }
    if !(enter || response.lost_focus() || away) {
        return false;
    }
    // Looked at again: it may have been changed in this very frame.
    if rows::id_problem(cx, row.index, typed).is_none() && *typed != row.id {
        actions.extend(renamed(cx, row, typed).map(Action::Edit));
    } else if enter && rows::id_problem(cx, row.index, typed).is_some() {
        *focused = false;
        return false;
    }
    true
}

/// Marks the whole text of a field, so that typing replaces it.
pub fn select_all(ui: &Ui, field: Id, chars: usize) {
    use egui::text::{CCursor, CCursorRange};
    let mut state = TextEdit::load_state(ui.ctx(), field).unwrap_or_default();
    let all = CCursorRange::two(CCursor::new(0), CCursor::new(chars));
    state.cursor.set_char_range(Some(all));
    state.store(ui.ctx(), field);
}

/// The edit that gives a node another id, or all tracks of a part another part.
fn renamed(cx: &Cx<'_>, row: &Row, id: &str) -> Option<Edit> {
    match &row.what {
        Selected::Node(doc, node) => {
            let edit = RigEdit::Rename { node: *node, id: id.to_owned() };
            Some(Edit::Rig { doc: *doc, edit })
        }
        Selected::Part(doc, part) => retarget_all(cx, *doc, part, id),
    }
}

fn retarget_all(cx: &Cx<'_>, doc: DocId, part: &str, id: &str) -> Option<Edit> {
    let clip = cx.workspace().clip(doc)?;
    let tracks = clip.tracks.iter().filter(|track| track.part == part);
    let edits = tracks.map(|track| Edit::Clip {
        doc,
        edit: ClipEdit::RetargetTrack { track: track.uid, part: id.to_owned() },
    });
    let label = format!("Rename part {part} → {id}");
    Some(Edit::All { label, edits: edits.collect() })
}
