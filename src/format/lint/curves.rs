//! Handles (A11–A13).

use super::finding::{Finding, Num, PegFindings, Place};
use crate::format::codes;
use crate::model::take::{Channel, Interp, Keyframe, Take};

/// The handles of one segment, which count where it is BEZIER (A10, A12).
pub(super) fn segment(
    found: &mut PegFindings,
    a: &Keyframe,
    b: &Keyframe,
    at_a: usize,
    at_b: usize,
) {
    if a.interp() != Interp::Bezier || a.handles.is_none() && b.handles.is_none() {
        return;
    }
    let length = b.frame - a.frame;
    for channel in Channel::ALL {
        let axis = |key: &Keyframe, axis: usize| key.channel_handles(channel)?[axis];
        for (index, name) in ["x", "y", "z"].into_iter().enumerate() {
            if let Some(handles) = axis(a, index) {
                let reach = handles.right.x - a.frame;
                judge(found, at_a, channel, name, "right", reach, length);
            }
            if let Some(handles) = axis(b, index) {
                let reach = b.frame - handles.left.x;
                judge(found, at_b, channel, name, "left", reach, length);
            }
        }
    }
}

fn judge(
    found: &mut PegFindings,
    at: usize,
    channel: Channel,
    axis: &str,
    side: &str,
    reach: f64,
    length: f64,
) {
    let field = match channel {
        Channel::Pos => "handles.pos",
        Channel::Rot => "handles.rot",
        Channel::Scl => "handles.scl",
    };
    let channel = channel.as_str();
    // A millionth of a frame is no intention.
    if reach < -1e-6 {
        found.key(codes::HANDLE_BACKWARDS, at, field, || {
            format!(
                "The {side} handle of {channel} {axis} points backwards by {:.4} frames: it is \
                 taken to its key's frame",
                Num(-reach)
            )
        });
    } else if reach > length + 1e-6 && length > 0.0 {
        found.key(codes::HANDLE_LONG, at, field, || {
            let (reach, length) = (Num(reach), Num(length));
            format!(
                "The {side} handle of {channel} {axis} is {reach:.4} frames long, its segment \
                 {length:.4}: it is shortened to that"
            )
        });
    }
}

/// Segments that are BEZIER without handles: nobody knows how they went in the program that wrote
/// them (A13). Once a file.
pub(super) fn without_handles(take: &Take) -> Option<Finding> {
    let mut pegs = 0;
    let mut first = None;
    for (index, peg) in take.pegs.iter().enumerate() {
        let last = peg.keyframes.len().saturating_sub(1);
        let bare = peg.keyframes[..last].iter().position(|key| {
            key.interp() == Interp::Bezier && key.handles.as_ref().is_none_or(|h| h.is_empty())
        });
        if let Some(at) = bare {
            pegs += 1;
            first = first.or(Some(Place::Key(index, at)));
        }
    }
    let place = first?;
    let many = if pegs == 1 { "1 peg has".to_owned() } else { format!("{pegs} pegs have") };
    let message = format!(
        "{many} BEZIER keys without handles: the automatic tangent is taken there; the source's \
         own default is unknown"
    );
    Some(Finding::new(codes::NO_HANDLES, place, "interp", message))
}
