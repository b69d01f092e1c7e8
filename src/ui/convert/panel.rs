//! The Convert panel: what is asked, live figures, and the first step to the result.

use super::Form;
use super::result;
use super::work::{Made, Reckoning};
use crate::convert::{Consent, Refusal, Tolerances};
use crate::edit::{Content, DocId};
use crate::ui::action::Action;
use crate::ui::command::CommandId;
use crate::ui::cx::Cx;
use crate::ui::{exports, text, theme, widgets};
use eframe::egui::{
    self, DragValue, Label, Margin, RichText, ScrollArea, TextEdit, Ui, WidgetInfo,
};

/// Shows the panel.
pub fn show(ui: &mut Ui, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    let Some(document) = cx.document() else { return nothing(ui, cx, actions) };
    let doc = document.id;
    if matches!(document.content, Content::Text(_)) {
        return nothing(ui, cx, actions);
    }
    let outcome = cx.conversions.outcome(doc);
    let own = cx.conversions.own.contains(&doc);
    let result = outcome.filter(|_| !own);
    match result {
        Some(outcome) => result::footer(ui, cx, doc, outcome, actions),
        None => footer(ui, cx, doc, &document.content, actions),
    }
    ScrollArea::vertical().auto_shrink([false; 2]).show(ui, |ui| {
        let margin = Margin { left: 12, right: 12, top: 4, bottom: 12 };
        egui::Frame::new().inner_margin(margin).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 5.0;
            if outcome.is_some() {
                ui.horizontal(|ui| {
                    for (name, is_own) in [("Result", false), ("Convert this", true)] {
                        if widgets::toggle(ui, cx.theme, own == is_own, name).clicked() {
                            actions.push(Action::ShowOwnConversion(doc, is_own));
                        }
                    }
                });
            }
            match result {
                Some(outcome) => result::show(ui, cx, doc, outcome, actions),
                None => asking(ui, cx, doc, &document.content, actions),
            }
        });
    });
}

/// What it will come to, and the button, always in sight.
fn footer(ui: &mut Ui, cx: &Cx<'_>, doc: DocId, content: &Content, actions: &mut Vec<Action>) {
    let Some(form) = cx.conversions.form(doc) else { return };
    let button = match content {
        Content::Take(_) => "Create Rig and Clip",
        Content::Clip(_) => "Create Export",
        Content::Rig(_) => "Create Skeleton",
        Content::Skeleton(_) | Content::Text(_) => "Create Rig",
    };
    foot(ui, cx, |ui| {
        figures(ui, cx, doc, form, actions);
        let ready = matches!(cx.conversions.reckoning(), Reckoning::Made(_));
        let response = widgets::primary_button(ui, cx.theme, ready, button);
        if response.clicked() {
            actions.push(Action::CreateConverted(doc));
        }
        response.on_hover_text("New documents, not saved yet");
    });
}

/// What stays at the panel's foot while the rest scrolls.
pub(super) fn foot(ui: &mut Ui, cx: &Cx<'_>, add: impl FnOnce(&mut Ui)) {
    let margin = Margin { left: 12, right: 12, top: 6, bottom: 8 };
    let frame = egui::Frame::new().inner_margin(margin).fill(cx.theme.panel);
    egui::Panel::bottom(ui.scope_id().with("foot")).frame(frame).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 4.0;
        add(ui);
    });
}

fn nothing(ui: &mut Ui, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    let words = "Makes a rig and a clip of an exported .anm, and exports of clips and rigs, with \
                 the error measured.";
    widgets::empty(ui, cx, words, &[(CommandId::Open, "Open…")], actions);
}

/// What is asked of a document that is no result.
fn asking(ui: &mut Ui, cx: &Cx<'_>, doc: DocId, content: &Content, actions: &mut Vec<Action>) {
    let Some(form) = cx.conversions.form(doc) else { return };
    let mut next = form.clone();
    let title = match content {
        Content::Take(_) => "RIG AND CLIP",
        Content::Clip(_) => "EXPORT AS .ANM",
        Content::Rig(_) => "EXPORT AS .PVT",
        Content::Skeleton(_) => "RIG",
        Content::Text(_) => return,
    };
    widgets::section(ui, cx.theme, title);
    named(ui, cx, "Name", |ui| ui.add(TextEdit::singleline(&mut next.name).desired_width(140.0)));
    if let Content::Take(_) = content {
        spaces(ui, cx, &mut next);
    }
    if matches!(content, Content::Take(_) | Content::Clip(_)) {
        tolerances(ui, cx, &mut next.tolerances);
        parts(ui, cx, doc, content, &mut next);
    }
    if let Content::Clip(_) = content {
        named(ui, cx, "Frames a second", |ui| {
            ui.add(DragValue::new(&mut next.fps).range(0.001..=10_000.0).speed(0.1))
        });
        named(ui, cx, "First frame", |ui| ui.add(DragValue::new(&mut next.start).speed(0.2)));
        named(ui, cx, "Source", |ui| {
            ui.add(TextEdit::singleline(&mut next.source).desired_width(140.0))
        });
    }
    if let Content::Take(_) = content {
        let helps = [
            (&mut next.looping, "Loop", "The clip repeats"),
            (&mut next.split, "Split", "Several clips where one would have more than 128 tracks"),
            (&mut next.use_rot, "Use rot", "Take rot where rot_quat is no rotation"),
            (&mut next.abs_scale, "Scale's size alone", "Take scales that mirror without signs"),
        ];
        for (on, name, help) in helps {
            ui.checkbox(on, name).on_hover_text(help);
        }
    }
    if next != *form {
        actions.push(Action::SetConversion(doc, Box::new(next)));
    }
}

/// A label, and a field that is called so where it is read aloud.
fn named(ui: &mut Ui, cx: &Cx<'_>, name: &str, field: impl FnOnce(&mut Ui) -> egui::Response) {
    ui.horizontal(|ui| {
        ui.set_min_height(22.0);
        let label = exports::label(ui, cx, name);
        field(ui).labelled_by(label.id);
    });
}

/// The choice of what values are relative to, with the figures beside (A20).
fn spaces(ui: &mut Ui, cx: &Cx<'_>, form: &mut Form) {
    let Some((_, _, measure)) = cx.export().and_then(|export| export.take()) else { return };
    widgets::section(ui, cx.theme, "VALUES ARE RELATIVE TO");
    let chosen = form.space.or(measure.decided);
    if let Some(space) = exports::space_rows(ui, cx, measure, chosen) {
        form.space = Some(space);
    }
    let (words, color) = match (measure.decided, form.space) {
        (Some(space), None) => (format!("as measured: {}", space.as_str()), cx.theme.muted),
        (Some(space), Some(chosen)) if space != chosen => {
            (format!("measured: {} fits the numbers better", space.as_str()), cx.theme.warning)
        }
        (None, None) => {
            ("undecided: several readings fit; please choose".to_owned(), cx.theme.warning)
        }
        (_, Some(chosen)) => (format!("chosen: {}", chosen.as_str()), cx.theme.muted),
    };
    ui.label(RichText::new(words).size(theme::LABEL_SIZE).color(color));
}

/// What may differ, in the world, for every joint.
pub(super) fn tolerances(ui: &mut Ui, cx: &Cx<'_>, tolerances: &mut Tolerances) {
    widgets::section(ui, cx.theme, "MAY DIFFER BY, IN THE WORLD");
    let Tolerances { position_m, angle_deg, scale } = tolerances;
    for (name, value, suffix) in
        [("Position", position_m, " m"), ("Rotation", angle_deg, "°"), ("Scale", scale, "")]
    {
        named(ui, cx, name, |ui| {
            let speed = (*value * 0.02).max(1e-7);
            let field = DragValue::new(value).speed(speed).range(1e-9..=1e6).max_decimals(9);
            ui.add(field.suffix(suffix))
        });
    }
}

/// Everything, or what is selected and what that hangs on.
fn parts(ui: &mut Ui, cx: &Cx<'_>, doc: DocId, content: &Content, form: &mut Form) {
    let holder = match content {
        Content::Clip(_) => cx.rig().map(|(rig, _)| rig),
        _ => Some(doc),
    };
    let Some(holder) = holder else { return };
    let selected = cx.selection().nodes_of(holder);
    ui.horizontal(|ui| {
        if widgets::toggle(ui, cx.theme, form.only.is_none(), "All parts").clicked() {
            form.only = None;
        }
        let words = match &form.only {
            Some(only) => format!("Only {}", text::count(only.len(), "part", "parts")),
            None => "Only selected".to_owned(),
        };
        let enabled = form.only.is_some() || !selected.is_empty();
        ui.add_enabled_ui(enabled, |ui| {
            let response = widgets::toggle(ui, cx.theme, form.only.is_some(), &words);
            let help = "What is selected now, and what it hangs on";
            if response.on_hover_text(help).clicked() && !selected.is_empty() {
                form.only = Some(selected.iter().copied().collect());
            }
        });
    });
}

/// How many keys, how far off; or how far that is; or why not.
pub(super) fn figures(
    ui: &mut Ui,
    cx: &Cx<'_>,
    doc: DocId,
    form: &Form,
    actions: &mut Vec<Action>,
) {
    match cx.conversions.reckoning() {
        Reckoning::Idle | Reckoning::Coming(None) => {
            ui.label(RichText::new("Reckoning…").color(cx.theme.muted));
        }
        Reckoning::Coming(Some(fraction)) => {
            ui.horizontal(|ui| {
                let percent = format!("Reckoning {:.0} %", fraction * 100.0);
                let bar = egui::ProgressBar::new(fraction).desired_width(120.0).text(percent);
                ui.add(bar);
                if ui.button("Stop").clicked() {
                    actions.push(Action::StopConversion(true));
                }
            });
            ui.ctx().request_repaint_after(std::time::Duration::from_millis(100));
        }
        Reckoning::Stopped => {
            ui.horizontal(|ui| {
                ui.label(RichText::new("Stopped").color(cx.theme.warning));
                if ui.button("Go on").clicked() {
                    actions.push(Action::StopConversion(false));
                }
            });
        }
        Reckoning::Made(made) => counts(ui, cx, made),
        Reckoning::Refused(refusal) => refused(ui, cx, doc, form, refusal, actions),
    }
}

/// The figures of what was reckoned.
pub(super) fn counts(ui: &mut Ui, cx: &Cx<'_>, made: &Made) {
    let report = &made.report;
    let line = |ui: &mut Ui, words: String| {
        let response = ui.label(RichText::new(words.clone()).size(theme::LABEL_SIZE));
        response.widget_info(|| WidgetInfo::labeled(egui::Role::Label, true, &words));
    };
    if report.tracks.is_empty() {
        line(ui, format!("{}, exactly", text::count(report.ids.len(), "node", "nodes")));
    } else {
        let [source, keys] = report.key_counts();
        let tracks = text::count(report.tracks.len(), "track", "tracks");
        line(ui, format!("{tracks} · {source} keys become {keys}"));
        let [position, rotation, scale] =
            [0, 1, 2].map(|p| report.measured.worst(p).map_or(0.0, |w| w.1.error));
        line(
            ui,
            format!(
                "off by at most {} mm · {}° · {}",
                text::number(position * 1e3, 3),
                text::number(rotation, 4),
                text::number(scale, 5)
            ),
        );
    }
    let dropped = report.notes.len();
    if dropped > 0 {
        let title = text::count(dropped, "note", "notes");
        egui::CollapsingHeader::new(title).id_salt("notes").show(ui, |ui| {
            for note in report.notes.iter().take(200) {
                let words = format!("{} {}: {}", note.what, note.path, note.why);
                let words = RichText::new(text::clean(&words, 300)).size(theme::LABEL_SIZE);
                ui.add(Label::new(words.color(cx.theme.muted)).wrap());
            }
        });
    }
}

fn refused(
    ui: &mut Ui,
    cx: &Cx<'_>,
    doc: DocId,
    form: &Form,
    refusal: &Refusal,
    actions: &mut Vec<Action>,
) {
    let words = text::clean(&refusal.to_string(), 600).into_owned();
    ui.add(Label::new(RichText::new(words).color(cx.theme.error)).wrap());
    ui.horizontal_wrapped(|ui| {
        for consent in refusal.consents() {
            let words = match consent {
                Consent::Split => "Split it".to_owned(),
                Consent::UseRot => "Use rot".to_owned(),
                Consent::AbsScale => "Take its size".to_owned(),
                Consent::Space(space) => format!("Read as {}", space.as_str()),
                Consent::Tolerances(t) => {
                    format!("Allow {} m, {}°, {}", t.position_m, t.angle_deg, t.scale)
                }
            };
            if ui.button(words).clicked() {
                actions.push(Action::SetConversion(doc, Box::new(form.agreeing(consent))));
            }
        }
    });
}
