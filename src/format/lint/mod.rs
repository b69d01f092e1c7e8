//! What a lead must be told of an export that opens (A3, and A1b, A2, A11, A21, A22, A30, A31,
//! A40 as far as they speak of warnings and of what conversion refuses).
//!
//! Everything is judged by plain key values. Each finding says what was found and what will come
//! of it; where one thing is wrong many times in one peg, the first few are listed and the rest
//! counted.

mod cameras;
mod curves;
mod finding;
mod header;
mod names;
mod peg;
mod rotation;
mod skeleton;

use super::codes;
use super::export::Export;
use crate::diagnostic::Problem;
use crate::model::take::{Angles, Skeleton, Take};
use crate::progress::Progress;
use finding::Finding;
use std::collections::HashSet;

/// Below this many keys a second thread costs more than it brings.
const WORTH_THREADS: usize = 20_000;

/// What a lead must be told of an export, the worst first.
pub fn lint_export(export: &Export) -> Vec<Problem> {
    match export {
        Export::Take(take) => lint_take(take, &Progress::new()),
        Export::Skeleton(skeleton) => lint_skeleton(skeleton),
    }
}

/// What a lead must be told of a take (A3), the worst first: errors where conversion refuses
/// without an option, then warnings, then infos. Where `progress` is cancelled, what was found
/// until then.
pub fn lint_take(take: &Take, progress: &Progress) -> Vec<Problem> {
    progress.expect(take.key_count());
    let mut findings = header::take(take);
    findings.extend(names::take(take));
    findings.extend(cameras::take(take));
    let angles = Angles::of(take.header.coordinate_system.as_ref());
    let limits = peg::Limits::of(take);
    let look = |pegs: std::ops::Range<usize>| {
        let mut found = Vec::new();
        for index in pegs {
            if progress.is_cancelled() {
                break;
            }
            let Some(peg) = take.pegs.get(index) else { break };
            found.extend(peg::look(peg, index, &limits, angles));
            progress.advance(peg.keyframes.len());
        }
        found
    };
    let threads = match take.key_count() < WORTH_THREADS {
        true => 1,
        false => std::thread::available_parallelism().map_or(1, |n| n.get().min(8)),
    };
    let shares = shares(take, threads);
    let in_pegs: Vec<Vec<Finding>> = std::thread::scope(|scope| {
        let look = &look;
        let mut shares = shares.into_iter();
        let own = shares.next();
        let others: Vec<_> = shares.map(|share| scope.spawn(move || look(share))).collect();
        let mut all: Vec<Vec<Finding>> = own.map(look).into_iter().collect();
        all.extend(others.into_iter().map(|other| other.join().unwrap_or_default()));
        all
    });
    findings.extend(in_pegs.into_iter().flatten());
    findings.extend(curves::without_handles(take));
    finding::take_problems(take, findings)
}

/// What a lead must be told of a skeleton, the worst first.
pub fn lint_skeleton(skeleton: &Skeleton) -> Vec<Problem> {
    let mut findings = header::skeleton(skeleton);
    findings.extend(names::skeleton(skeleton));
    findings.extend(cameras::skeleton(skeleton));
    findings.extend(skeleton::look(skeleton));
    finding::skeleton_problems(skeleton, findings)
}

/// Adds what the checks found to what reading an export found, errors first. What reading has said
/// of a field, that it is of a wrong type and counts as absent, is not said again as its absence.
pub fn add_remarks(problems: &mut Vec<Problem>, mut remarks: Vec<Problem>) {
    let is_wrong = |problem: &&Problem| {
        problem.code == codes::WRONG_VALUE || problem.code == codes::WRONG_FIELD
    };
    let mut wrong: HashSet<&str> = HashSet::new();
    for problem in problems.iter().filter(is_wrong) {
        wrong.insert(&problem.path);
        let rotation = problem.path.strip_suffix(".rot");
        wrong.extend(rotation.or(problem.path.strip_suffix(".rot_quat")));
    }
    const ABSENT: [&str; 4] =
        [codes::MISSING_FIELD, codes::NO_ROTATION, codes::NO_KEYS, codes::CAMERA_FOV];
    remarks
        .retain(|remark| !(ABSENT.contains(&remark.code) && wrong.contains(remark.path.as_str())));
    problems.extend(remarks);
    problems.sort_by_key(|problem| problem.severity);
}

/// The pegs in runs of about as many keys each.
fn shares(take: &Take, count: usize) -> Vec<std::ops::Range<usize>> {
    let each = take.key_count() / count.max(1) + 1;
    let mut shares = Vec::new();
    let (mut start, mut keys) = (0, 0);
    for (index, peg) in take.pegs.iter().enumerate() {
        keys += peg.keyframes.len();
        if keys >= each {
            shares.push(start..index + 1);
            (start, keys) = (index + 1, 0);
        }
    }
    shares.push(start..take.pegs.len());
    shares
}
