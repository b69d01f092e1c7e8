//! What a hand does with keys in time: moves, copies, retimes, ripples them. Each is one gesture
//! that takes a typed number, ends with the button and is cancelled by Escape.

use super::board::Board;
use super::preview::Preview;
use crate::edit::{ClipEdit, Edit, Selection, Snap, snap_time};
use crate::model::Uid;
use crate::model::limits::MAX_DURATION_SECS;
use crate::ui::action::Action;
use crate::ui::cx::Cx;
use crate::ui::text;
use eframe::egui::{Key, Modifiers, Pos2, Ui};
use std::sync::Arc;

/// What is done to the keys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// They move.
    Move,
    /// Copies of them move.
    Duplicate,
    /// They are stretched about a moment, in seconds.
    Scale {
        /// What stays.
        pivot_secs: f64,
    },
    /// All keys from a moment on move, and the clip's end with them.
    Ripple {
        /// The moment, in seconds.
        from_secs: f64,
    },
}

/// A gesture under way.
#[derive(Clone, Debug)]
pub struct Drag {
    /// What is done.
    pub kind: Kind,
    /// To which keys.
    keys: Arc<Vec<Uid>>,
    /// The key that lands on frames, and its time before, in seconds.
    anchor: (Option<Uid>, f64),
    /// The first and last of the keys before, in seconds.
    span_secs: (f64, f64),
    /// How far the hand may move them, in seconds: the group stops as a whole.
    within_secs: (f64, f64),
    /// Where the pointer was when it began, in points and in seconds.
    origin: (Pos2, f64),
    /// How it is shown: by seconds, or a factor.
    preview: Preview<f64>,
    /// Whether it goes on without a button, until a click.
    pub modal: bool,
    /// A key that was held from before the drag, and whose letters are no typed number.
    held: bool,
}

/// A box that is being drawn.
#[derive(Clone, Debug)]
pub struct BoxDrag {
    /// The corner where it began.
    pub from: Pos2,
    /// The selection before it.
    pub before: Selection,
    /// What is in it is added to what was selected.
    pub add: bool,
    /// What is in it is turned round.
    pub toggle: bool,
}

/// What a press hit.
#[derive(Clone, Debug, PartialEq)]
pub enum Hit {
    /// Keys, and the time that they stand at, in seconds.
    Keys(Vec<Uid>, f64),
    /// An edge of the selection's box; what stays is the other one, in seconds.
    Edge {
        /// What stays.
        pivot_secs: f64,
        /// What is dragged.
        edge_secs: f64,
    },
    /// The inside of the selection's box.
    Body,
    /// Nothing.
    Empty,
}

/// A press that is no drag yet.
#[derive(Clone, Debug)]
pub struct Press<H> {
    /// Where.
    pub pos: Pos2,
    /// On what.
    pub hit: H,
    /// With which keys held.
    pub modifiers: Modifiers,
    /// Whether what was hit was selected before.
    pub was_selected: bool,
}

/// What the hand does in a panel of the timeline; kept from frame to frame.
#[derive(Clone, Debug, Default)]
pub struct Hand {
    /// A gesture.
    pub drag: Option<Drag>,
    /// A box.
    pub boxed: Option<BoxDrag>,
    /// The next drag draws a box wherever it begins.
    pub armed_box: bool,
    /// The interpolation menu: where, for which tracks, and whether it was just opened.
    pub menu: Option<(Pos2, Vec<Uid>, bool)>,
    /// Nothing more until the button is up.
    pub spent: bool,
}

/// So far the pointer moves before a press is a drag, in points; a pen trembles more.
pub fn threshold(ui: &Ui) -> f32 {
    if ui.input(|input| input.any_touches()) { 6.0 } else { 4.0 }
}

/// Begins a gesture that follows the pointer without a button.
#[expect(clippy::too_many_arguments)] // Everything that a gesture begins with.
pub fn grab(
    ui: &Ui,
    cx: &Cx<'_>,
    board: &Board<'_>,
    hand: &mut Hand,
    kind: Kind,
    keys: Vec<Uid>,
    at: Pos2,
    actions: &mut Vec<Action>,
) {
    let mut drag = begin(ui, cx, board, kind, keys, (at, board.axis.time_from_screen(at.x)), None);
    drag.modal = true;
    actions.push(Action::Begin);
    hand.drag = Some(drag);
}

/// A gesture with these keys; `anchor_secs` is the time of the key under the pointer.
pub fn begin(
    ui: &Ui,
    cx: &Cx<'_>,
    board: &Board<'_>,
    kind: Kind,
    keys: Vec<Uid>,
    origin: (Pos2, f64),
    anchor_secs: Option<f64>,
) -> Drag {
    let mut span = (f64::INFINITY, f64::NEG_INFINITY);
    let mut anchor = (None, anchor_secs.unwrap_or(origin.1));
    let mut nearest = f64::INFINITY;
    for key in &keys {
        let Some((track, at)) = cx.workspace().find_key(board.doc, *key) else { continue };
        let secs = board.clip.tracks[track].keys[at].time;
        span = (span.0.min(secs), span.1.max(secs));
        let far = (secs - anchor_secs.unwrap_or(origin.1)).abs();
        if far < nearest {
            nearest = far;
            anchor = (Some(*key), secs);
        }
    }
    match kind {
        Kind::Ripple { from_secs } => anchor = (None, from_secs),
        Kind::Scale { .. } => anchor = (None, anchor_secs.unwrap_or(origin.1)),
        Kind::Move | Kind::Duplicate => {}
    }
    let within_secs = match kind {
        Kind::Ripple { from_secs } => room_for_ripple(board, from_secs),
        _ if span.0 <= span.1 => (-span.0, (board.clip.duration_secs - span.1).max(-span.0)),
        _ => (f64::NEG_INFINITY, f64::INFINITY),
    };
    Drag {
        kind,
        keys: Arc::new(keys),
        anchor,
        span_secs: span,
        within_secs,
        origin,
        preview: Preview::default(),
        modal: false,
        held: ui.input(|input| input.key_down(Key::Num2)),
    }
}

/// How far everything from a moment on can be moved: never onto an earlier key or over one that
/// stays, and the clip stays within its limits.
fn room_for_ripple(board: &Board<'_>, from_secs: f64) -> (f64, f64) {
    // Times as they are written differ in the sixth digit at least.
    const APART_SECS: f64 = 1e-6;
    let duration = board.clip.duration_secs;
    let mut least = APART_SECS - duration;
    for track in &board.clip.tracks {
        let first = track.keys.partition_point(|key| key.time < from_secs);
        let (stay, move_on) = track.keys.split_at(first);
        if board.view.locked.contains(&track.uid) {
            least = least.max(track.keys.last().map_or(0.0, |key| key.time) - duration);
            continue;
        }
        let before = stay.last().map(|key| key.time);
        match move_on.first() {
            Some(key) => {
                let floor = before.map_or(0.0, |before| before + APART_SECS);
                least = least.max(floor - key.time);
            }
            None => least = least.max(before.unwrap_or(0.0) - duration),
        }
    }
    (least.min(0.0), (MAX_DURATION_SECS - duration).max(0.0))
}

impl Drag {
    /// Shows what the gesture does by where the pointer is and what was typed. Gives what its tag
    /// says, or `None` once it is over.
    pub fn update(
        &mut self,
        ui: &Ui,
        cx: &Cx<'_>,
        board: &Board<'_>,
        pointer: Pos2,
        actions: &mut Vec<Action>,
    ) -> Option<String> {
        if !self.preview.goes_on(cx) {
            return None;
        }
        let deaf = self.held;
        self.held &= ui.input(|input| input.key_down(Key::Num2));
        let (enter, modifiers) = self.preview.read(ui, deaf);
        let amount = self.amount(board, pointer, modifiers, cx.settings().show_frames);
        if let Some((amount, snap)) = amount {
            let mut preview = std::mem::take(&mut self.preview);
            let edit = || Edit::Clip { doc: board.doc, edit: self.edit(board, amount, snap) };
            preview.show(ui, amount, self.is_nothing(amount), edit, actions);
            self.preview = preview;
        }
        if enter {
            self.end(actions);
            return None;
        }
        Some(self.tag(cx, board))
    }

    /// Ends the gesture where it is. What was typed is done or refused as it was typed.
    pub fn end(&self, actions: &mut Vec<Action>) {
        self.preview.end(actions);
    }

    fn is_nothing(&self, amount: f64) -> bool {
        match self.kind {
            Kind::Scale { .. } => amount == 1.0,
            _ => amount == 0.0,
        }
    }

    /// The total change: seconds, or the factor of a scale; and whether the anchor is on a frame
    /// now.
    fn amount(
        &self,
        board: &Board<'_>,
        pointer: Pos2,
        modifiers: Modifiers,
        in_frames: bool,
    ) -> Option<(f64, bool)> {
        let typed = self.preview.typed();
        let fps = board.view.usable_fps();
        let moved = board.axis.time_from_screen(pointer.x) - self.origin.1;
        let duration = board.clip.duration_secs;
        let (first, last) = self.span_secs;
        if let Kind::Scale { pivot_secs } = self.kind {
            let factor = match typed {
                Some(typed) => return Some((typed, false)),
                None => {
                    let edge = self.anchor.1;
                    let distance = edge - pivot_secs;
                    if distance.abs() < 1e-9 {
                        return None;
                    }
                    let to = board.snapped(edge + moved, modifiers);
                    (to - pivot_secs) / distance
                }
            };
            // All keys stay within the clip, and never fall together.
            let mut most = f64::INFINITY;
            if last > pivot_secs {
                most = most.min((duration - pivot_secs) / (last - pivot_secs));
            }
            if first < pivot_secs {
                most = most.min(pivot_secs / (pivot_secs - first));
            }
            return Some((factor.clamp(0.001, most.max(0.001)), false));
        }
        let unit = if in_frames { 1.0 / fps } else { 1.0 };
        let (mut delta, mut snap) = match typed {
            Some(typed) => (typed * unit, false),
            None if board.snaps(modifiers) => {
                (snap_time(self.anchor.1 + moved, 1.0 / fps) - self.anchor.1, true)
            }
            None => ((moved * 1e6).round() / 1e6, false),
        };
        if self.pointer_rests(pointer) && typed.is_none() {
            (delta, snap) = (0.0, false);
        }
        let within = delta.clamp(self.within_secs.0, self.within_secs.1);
        if within != delta && typed.is_none() {
            (delta, snap) = (within, false);
        }
        Some((delta, snap))
    }

    /// A key that stands beside a frame is not pulled onto it before the hand has moved.
    fn pointer_rests(&self, pointer: Pos2) -> bool {
        (pointer.x - self.origin.0.x).abs() < 1.0
    }

    fn edit(&self, board: &Board<'_>, amount: f64, snap: bool) -> ClipEdit {
        let keys = || self.keys.to_vec();
        match self.kind {
            Kind::Move => {
                let step_secs = 1.0 / board.view.usable_fps();
                let snap = self.anchor.0.filter(|_| snap);
                let snap = snap.map(|anchor| Snap { step_secs, anchor });
                ClipEdit::MoveKeys { keys: keys(), delta_secs: amount, snap }
            }
            Kind::Duplicate => ClipEdit::DuplicateKeys { keys: keys(), delta_secs: amount },
            Kind::Scale { pivot_secs } => {
                ClipEdit::ScaleKeys { keys: keys(), pivot_secs, factor: amount }
            }
            Kind::Ripple { from_secs } => {
                let locked = &board.view.locked;
                let tracks = match locked.is_empty() {
                    true => Vec::new(),
                    false => {
                        let all = board.clip.tracks.iter().map(|track| track.uid);
                        all.filter(|uid| !locked.contains(uid)).collect()
                    }
                };
                ClipEdit::Ripple { tracks, from_secs, delta_secs: amount }
            }
        }
    }

    fn tag(&self, cx: &Cx<'_>, board: &Board<'_>) -> String {
        let neutral = if matches!(self.kind, Kind::Scale { .. }) { 1.0 } else { 0.0 };
        let amount = self.preview.shown().unwrap_or(neutral);
        let words = match self.kind {
            Kind::Scale { .. } => format!("× {}", text::number(amount, 3)),
            _ if cx.settings().show_frames => {
                let frames = amount * board.view.usable_fps();
                let whole = (frames - frames.round()).abs() < 1e-3;
                format!("{} f", signed(frames, if whole { 0 } else { 2 }))
            }
            _ => format!("{} s", signed(amount, 3)),
        };
        self.preview.tagged(words)
    }

    /// What the status line says meanwhile.
    pub fn hint(&self) -> &'static str {
        match (self.kind, self.modal) {
            (Kind::Scale { .. }, _) => "Type a factor · Enter keeps it · Escape cancels",
            (_, true) => "Click to place · type a number · Escape cancels",
            (_, false) => "Ctrl inverts snapping · type a number · Escape cancels",
        }
    }
}

/// A number with its sign.
pub fn signed(value: f64, places: usize) -> String {
    let shown = text::number(value, places);
    if shown.starts_with(['-', '–']) { shown } else { format!("+{shown}") }
}

#[cfg(test)]
mod tests {
    use super::signed;

    #[test]
    fn signs_are_always_there() {
        assert_eq!(signed(0.5, 3), "+0.500");
        assert_eq!(signed(-0.5, 3), "-0.500");
    }
}
