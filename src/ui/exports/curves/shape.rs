//! What handles of a key are when they get one of the usual shapes.

use crate::model::take::{AxisHandles, Channel};
use crate::sample::take::{PegCurves, Turn};
use glam::DVec2;

/// How a curve passes through a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// The tangent that never overshoots (A13).
    Auto,
    /// Level.
    Flat,
    /// Towards the keys on both sides.
    Linear,
    /// As it is now, with handles that can be dragged each for itself.
    Free,
}

impl Shape {
    /// All, in the order of the menu.
    pub const ALL: [Shape; 4] = [Shape::Auto, Shape::Flat, Shape::Linear, Shape::Free];

    /// What the menu calls it.
    pub fn name(self) -> &'static str {
        match self {
            Shape::Auto => "Auto handles",
            Shape::Flat => "Flat handles",
            Shape::Linear => "Linear handles",
            Shape::Free => "Free handles",
        }
    }

    /// One sentence for the tooltip.
    pub fn help(self) -> &'static str {
        match self {
            Shape::Auto => "The smooth way through the key that never overshoots",
            Shape::Flat => "Level at the key",
            Shape::Linear => "Straight towards the keys on both sides",
            Shape::Free => "As the curve runs now, written down as handles to be dragged",
        }
    }
}

/// A channel's number at the key on `frames()[key]`, in the file's unit; `None` where quaternions
/// rule a rotation there.
pub fn value(curves: &PegCurves, key: usize, channel: Channel, axis: usize) -> Option<f64> {
    let pose = curves.at(*curves.frames().get(key)?);
    Some(match (channel, pose.turn) {
        (Channel::Pos, _) => pose.pos[axis],
        (Channel::Scl, _) => pose.scl[axis],
        (Channel::Rot, Turn::Euler(degrees)) => curves.angles().of_degrees(degrees)[axis],
        (Channel::Rot, Turn::Quat(_)) => return None,
    })
}

/// The handles, in the file's unit, that one axis of the key on `frames()[key]` gets; `Some(None)`
/// takes them away, `None` where handles say nothing: quaternions rule the rotation (A14).
pub fn handles(
    curves: &PegCurves,
    key: usize,
    channel: Channel,
    axis: usize,
    shape: Shape,
) -> Option<Option<AxisHandles>> {
    let frames = curves.frames();
    let frame = *frames.get(key)?;
    let here = value(curves, key, channel, axis)?;
    let before = key.checked_sub(1);
    let after = (key + 1 < frames.len()).then_some(key + 1);
    let lengths = [before.map(|at| frame - frames[at]), after.map(|at| frames[at] - frame)];
    let [left, right] = match lengths {
        [Some(left), Some(right)] => [left, right],
        [Some(one), None] | [None, Some(one)] => [one, one],
        [None, None] => [3.0, 3.0],
    };
    let thirds = [left / 3.0, right / 3.0];
    let sloped = |[into, out]: [f64; 2]| AxisHandles {
        left: DVec2::new(frame - thirds[0], here - into * thirds[0]),
        right: DVec2::new(frame + thirds[1], here + out * thirds[1]),
    };
    let automatic = || sloped([curves.automatic_slope(key, channel, axis); 2]);
    let handles = match shape {
        Shape::Auto => {
            let index = curves.key_index(key);
            let has_quat =
                curves.peg().keyframes.get(index).is_some_and(|key| key.rot_quat.is_some());
            // Without handles of `rot` quaternions would rule from then on.
            if channel != Channel::Rot || !has_quat {
                return Some(None);
            }
            automatic()
        }
        Shape::Flat => sloped([0.0; 2]),
        Shape::Linear => {
            let secant = |other: Option<usize>, length: f64| {
                let there = other.and_then(|at| value(curves, at, channel, axis));
                there.map_or(0.0, |there| (there - here) / length)
            };
            sloped([-secant(before, left), secant(after, right)])
        }
        Shape::Free => {
            let mut handles = automatic();
            let index = curves.key_index(key);
            let own = curves.peg().keyframes.get(index).and_then(|key| {
                let axes = key.channel_handles(channel)?;
                axes[axis]
            });
            if let Some(own) = own {
                handles = own;
            }
            if let Some([_, into]) = before.and_then(|at| curves.segment_handles(at, channel, axis))
            {
                handles.left = into.effective;
            }
            if let Some([out, _]) = curves.segment_handles(key, channel, axis) {
                handles.right = out.effective;
            }
            handles
        }
    };
    Some(Some(handles))
}

/// The handles where one of them was put elsewhere; with `aligned` the other one turns along and
/// keeps its distance in frames. The handle stays on its own side of the key.
pub fn dragged(
    before: AxisHandles,
    key: DVec2,
    is_right: bool,
    to: DVec2,
    aligned: bool,
) -> AxisHandles {
    let mut handles = before;
    let x = if is_right { to.x.max(key.x) } else { to.x.min(key.x) };
    let to = DVec2::new(x, to.y);
    let (own, other) = match is_right {
        true => (&mut handles.right, &mut handles.left),
        false => (&mut handles.left, &mut handles.right),
    };
    *own = to;
    let across = to.x - key.x;
    // Straight up there is no slope that the other side could follow.
    if aligned && across.abs() > 1e-6 {
        let y = key.y + (other.x - key.x) * (to.y - key.y) / across;
        other.y = (y * 1e6).round() / 1e6;
    }
    handles
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // A panic is a failed test.
    use super::*;
    use crate::model::Uids;
    use crate::sample::take::{Space, TakeCurves};
    use std::sync::Arc;

    fn curves(quats: bool, handles: &str) -> Arc<PegCurves> {
        let quat = if quats { "\"rot_quat\": [1, 0, 0, 0], " } else { "" };
        let key = |frame: u32, y: u32| {
            format!(
                "{{\"frame\": {frame}, \"pos\": [0, {y}, 0], \"rot\": [0, 0, 0], {quat}\
                 \"interp\": \"BEZIER\", \"handles\": {{\"rot\": {handles}}}}}"
            )
        };
        let text = format!(
            "{{\"format\": \"octo_anm\", \"version\": 4, \"pegs\": [{{\"name\": \"a\", \
             \"keyframes\": [{}, {}, {}]}}]}}",
            key(0, 0),
            key(10, 5),
            key(20, 20)
        );
        let take = crate::format::read_take(text, &mut Uids::default()).value.unwrap();
        TakeCurves::new(&take, Space::Local).pegs()[0].clone()
    }

    #[test]
    fn handles_have_the_shapes_of_their_names() {
        let curves = curves(false, "[]");
        let of = |shape| handles(&curves, 1, Channel::Pos, 1, shape).unwrap();
        assert_eq!(of(Shape::Auto), None);
        let third = 10.0 / 3.0;
        let near = |a: AxisHandles, b: [[f64; 2]; 2]| {
            let far =
                (a.left - DVec2::from(b[0])).length() + (a.right - DVec2::from(b[1])).length();
            assert!(far < 1e-9, "{a:?}, not {b:?}");
        };
        near(of(Shape::Flat).unwrap(), [[10.0 - third, 5.0], [10.0 + third, 5.0]]);
        let linear = [[10.0 - third, 5.0 - 5.0 / 3.0], [10.0 + third, 10.0]];
        near(of(Shape::Linear).unwrap(), linear);
        // The automatic slope is 1, and free handles keep the curve.
        near(of(Shape::Free).unwrap(), [[10.0 - third, 5.0 - third], [10.0 + third, 5.0 + third]]);
    }

    #[test]
    fn a_turn_that_quaternions_rule_has_no_handles() {
        let quats = curves(true, "[]");
        assert_eq!(handles(&quats, 1, Channel::Rot, 0, Shape::Flat), None);
        // With handles on both sides angles rule, and still do when they become automatic.
        let euler = curves(true, "[[[0, 0], [0, 0]], null, null]");
        assert!(handles(&euler, 1, Channel::Rot, 0, Shape::Auto).unwrap().is_some());
        let plain = curves(false, "[]");
        assert_eq!(handles(&plain, 1, Channel::Rot, 0, Shape::Auto), Some(None));
    }

    #[test]
    fn the_other_handle_turns_along() {
        let before = AxisHandles { left: DVec2::new(8.0, 5.0), right: DVec2::new(13.0, 5.0) };
        let key = DVec2::new(10.0, 5.0);
        let aligned = dragged(before, key, true, DVec2::new(12.0, 9.0), true);
        assert_eq!(aligned.right, DVec2::new(12.0, 9.0));
        assert_eq!(aligned.left, DVec2::new(8.0, 1.0));
        let free = dragged(before, key, true, DVec2::new(12.0, 9.0), false);
        assert_eq!(free.left, before.left);
        let wrong_side = dragged(before, key, false, DVec2::new(12.0, 3.0), true);
        assert_eq!(wrong_side.left, DVec2::new(10.0, 3.0), "it stays on its side");
        assert_eq!(wrong_side.right, before.right);
    }
}
