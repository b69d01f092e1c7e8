//! All pegs of a take, ready to be evaluated.

use super::peg::{PegCurves, Place, RawPose};
use super::space::{Base, Space, rest_of};
use crate::math::Trs;
use crate::model::take::{Angles, ParentLink, Take};
use std::hint::black_box;
use std::sync::Arc;

/// So many pegs' keys are read at once.
const TOGETHER: usize = 16;

/// The channels of all pegs of a take (A10–A14), in the order of the file. The space says only what
/// keys mean that leave something out (A1b).
#[derive(Clone, Debug, Default)]
pub struct TakeCurves {
    pegs: Vec<Arc<PegCurves>>,
}

impl TakeCurves {
    /// The curves of a take.
    pub fn new(take: &Take, space: Space) -> Self {
        TakeCurves::default().updated(take, space)
    }

    /// The curves of a take that was edited, or is read in another space: only pegs that are not
    /// the same shared values are compiled.
    #[must_use]
    pub fn updated(&self, take: &Take, space: Space) -> Self {
        let parents = if space == Space::World { take.parents() } else { Vec::new() };
        self.updated_with(take, space, &parents)
    }

    /// As [`TakeCurves::updated`]; `parents` are the take's own, and need to be there only for the
    /// world.
    pub(super) fn updated_with(&self, take: &Take, space: Space, parents: &[ParentLink]) -> Self {
        let angles = Angles::of(take.header.coordinate_system.as_ref());
        let rests: Vec<Trs> = match space {
            Space::Delta => vec![Trs::IDENTITY; take.pegs.len()],
            Space::Local => take.pegs.iter().map(|peg| rest_of(peg)).collect(),
            Space::World => {
                let mut rests: Vec<Trs> = take.pegs.iter().map(|peg| rest_of(peg)).collect();
                for [child, parent] in parents_first(parents) {
                    rests[child] = rests[parent].compose(&rests[child]);
                }
                rests
            }
        };
        let pegs = take.pegs.iter().zip(&rests).enumerate().map(|(index, (peg, rest))| {
            let base = Base::of(rest);
            // After an edit a peg mostly stands where it stood.
            match self.pegs.get(index) {
                Some(before) if before.still_holds(peg, angles, base) => Arc::clone(before),
                _ => Arc::new(PegCurves::new(peg, angles, base)),
            }
        });
        TakeCurves { pegs: pegs.collect() }
    }

    /// The pegs' curves, in the order of the file.
    pub fn pegs(&self) -> &[Arc<PegCurves>] {
        &self.pegs
    }

    /// All pegs' channels at a frame, whole or between. Allocates only where `out` is too small.
    pub fn sample(&self, frame: f64, out: &mut Vec<RawPose>) {
        out.clear();
        out.reserve(self.pegs.len());
        for pegs in self.pegs.chunks(TOGETHER) {
            let mut read = 0;
            let mut guesses = [0; TOGETHER];
            for (peg, guess) in pegs.iter().zip(&mut guesses) {
                *guess = peg.guess(frame);
                read ^= peg.touch_guess(*guess);
            }
            black_box(read);
            let mut places = [Place::Rest; TOGETHER];
            for (peg, (place, guess)) in pegs.iter().zip(places.iter_mut().zip(guesses)) {
                *place = peg.place(frame, guess);
                read ^= peg.touch(*place);
            }
            // What was read is not what counts, but that it was.
            black_box(read);
            out.extend(pegs.iter().zip(places).map(|(peg, place)| peg.at_place(frame, place)));
        }
    }
}

/// All that have a parent, with it, in an order that has parents before their children. Without a
/// bound on depth, and without any on loops, whose members have no parent (A22).
pub(super) fn parents_first(parents: &[ParentLink]) -> Vec<[usize; 2]> {
    let mut placed = vec![false; parents.len()];
    let mut order = Vec::with_capacity(parents.len());
    let mut way = Vec::new();
    for start in 0..parents.len() {
        let mut at = Some(start);
        while let Some(index) = at.filter(|index| !placed[*index]) {
            placed[index] = true;
            way.push(index);
            at = parents[index].index();
        }
        while let Some(index) = way.pop() {
            if let Some(parent) = parents[index].index() {
                order.push([index, parent]);
            }
        }
    }
    order
}
