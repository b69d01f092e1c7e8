//! `.anm` and `.pvt` texts to takes and skeletons (A1–A3).
//!
//! Reading gives what A1 and A1b refuse, what has the wrong type, and what nobody knows. What else
//! a person should be told of a take that opens says [`lint`](crate::format::lint).

mod anm;
mod camera;
mod fields;
mod keys;
mod pvt;

pub(super) use anm::PEG_FIELDS;
pub(super) use camera::CAMERA_FIELDS;
pub(super) use fields::{first_line, numbers};
pub(super) use keys::KEY_FIELDS;
pub(super) use pvt::BONE_FIELDS;

use super::{FileKind, Reading, codes, file_problem, syntax_problem};
use crate::diagnostic::{Problem, Severity};
use crate::model::Uids;
use crate::model::take::{CoordinateSystem, Header, Skeleton, Take};
use crate::progress::Progress;
use crate::source::json::{Lists, Stop, parse_with_lists};
use crate::source::{NodeId, Source};
use fields::{Fields, Report};
use keys::KeyList;
use std::collections::HashMap;
use std::sync::Arc;

/// The `format` of an `.anm`.
pub(super) const ANM: &str = "octo_anm";
/// The `format` of a `.pvt`.
pub(super) const PVT: &str = "octo_pvt";

pub(super) const ANM_FIELDS: [&str; 8] =
    ["format", "version", "source", "frame_range", "fps", "coordinate_system", "pegs", "cameras"];
pub(super) const PVT_FIELDS: [&str; 10] = [
    "format",
    "version",
    "source",
    "name",
    "scale_factor",
    "pivot_space",
    "fps",
    "coordinate_system",
    "bones",
    "cameras",
];

/// Where the bulk of a take lies.
const KEYFRAMES: Lists = Lists { list: "pegs", field: "keyframes" };

/// What an export holds.
#[derive(Clone, Debug)]
pub enum Export {
    /// An `.anm`.
    Take(Take),
    /// A `.pvt`.
    Skeleton(Skeleton),
}

/// An export that was read.
#[derive(Debug)]
pub struct ExportReading {
    /// What its `format` says it is, or else its name (A1).
    pub kind: FileKind,
    /// Its structure; `None` where it is no JSON. Keyframes are leaves in it
    /// ([`Source::is_leaf`]).
    pub source: Option<Arc<Source>>,
    /// What it holds; `None` where A1 or A1b refuses it, so that it opens as text.
    pub value: Option<Export>,
    /// What is wrong: errors in the order of strict loading, then warnings, then infos.
    pub problems: Vec<Problem>,
}

/// Somebody asked a reading to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stopped")]
pub struct Cancelled;

/// Reads an export of either kind (A1). `named` is what its name promises, for a text that does
/// not say what it is.
///
/// # Errors
/// Only where `progress` was cancelled.
pub fn read_export(
    text: impl Into<Arc<String>>,
    named: FileKind,
    uids: &mut Uids,
    progress: &Progress,
) -> Result<ExportReading, Cancelled> {
    let text = text.into();
    let (source, lists) = match parse_with_lists(&text, KEYFRAMES, progress, |scan, span, spans| {
        keys::read_list(scan, span, spans, progress)
    }) {
        Ok(parsed) => parsed,
        Err(Stop::Cancelled) => return Err(Cancelled),
        Err(Stop::Syntax(error)) => {
            let problems = vec![syntax_problem(&text, &error)];
            return Ok(ExportReading { kind: named, source: None, value: None, problems });
        }
    };
    let source = Arc::new(source);
    let mut report = Report::new(&source);
    let kind = read_kind(&mut report, named);
    let value = match kind {
        Some(FileKind::Anm) if !report.fatal => {
            let lists: HashMap<NodeId, KeyList> = lists.into_iter().collect();
            anm::read(&source, lists, &mut report, uids).map(Export::Take)
        }
        Some(FileKind::Pvt) if !report.fatal => {
            pvt::read(&source, &mut report, uids).map(Export::Skeleton)
        }
        _ => None,
    };
    let value = value.filter(|_| !report.fatal);
    let problems = report.finish();
    Ok(ExportReading { kind: kind.unwrap_or(named), source: Some(source), value, problems })
}

/// Reads an `.anm` (A1–A3), for callers that want nothing else.
pub fn read_take(text: impl Into<Arc<String>>, uids: &mut Uids) -> Reading<Take> {
    one(read_export(text, FileKind::Anm, uids, &Progress::new()), |export| match export {
        Export::Take(take) => Ok(take),
        Export::Skeleton(_) => Err("This is a skeleton (octo_pvt), no take"),
    })
}

/// Reads a `.pvt` (A1, A30, A31), for callers that want nothing else.
pub fn read_skeleton(text: impl Into<Arc<String>>, uids: &mut Uids) -> Reading<Skeleton> {
    one(read_export(text, FileKind::Pvt, uids, &Progress::new()), |export| match export {
        Export::Skeleton(skeleton) => Ok(skeleton),
        Export::Take(_) => Err("This is a take (octo_anm), no skeleton"),
    })
}

fn one<T>(
    reading: Result<ExportReading, Cancelled>,
    pick: impl FnOnce(Export) -> Result<T, &'static str>,
) -> Reading<T> {
    let Ok(ExportReading { value, mut problems, .. }) = reading else {
        return Reading { value: None, problems: Vec::new() };
    };
    let value = match value.map(pick) {
        Some(Ok(value)) => Some(value),
        Some(Err(message)) => {
            problems.insert(0, file_problem(codes::EXPORT_FORMAT, message));
            None
        }
        None => None,
    };
    Reading { value, problems }
}

/// What a text that may be an export calls itself at its top, without reading all of it: its
/// `format`, where that is one of the two.
pub(super) fn sniff(text: &str) -> Option<FileKind> {
    use crate::source::scan::Scan;
    let bom = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let mut scan = Scan::new(text, bom, 0);
    scan.skip_space();
    if scan.peek() != Some(b'{') {
        return None;
    }
    scan.open().ok()?;
    let (mut first, mut found) = (true, None);
    while let Some(key) = scan.key(first).ok().flatten() {
        first = false;
        let value = scan.at;
        match scan.peek() {
            Some(b'[' | b'{') if !scan.skip_brackets() => break,
            Some(b'[' | b'{') => {}
            _ if scan.skip_value().is_err() => break,
            _ => {}
        }
        if &text[key.inner] == "format" {
            found = match text[value..scan.at].trim_matches('"') {
                ANM => Some(FileKind::Anm),
                PVT => Some(FileKind::Pvt),
                _ => None,
            };
            break;
        }
    }
    found
}

/// The kind that the file's `format` names, with what is wrong with `format` and `version` (A1).
fn read_kind(report: &mut Report, named: FileKind) -> Option<FileKind> {
    let source = report.source;
    let root = source.root();
    if !source.kind(root).is_map() {
        let message =
            format!("An export is one object, {{ \"format\": \"{ANM}\", … }}: this JSON is none");
        report.fatal(codes::EXPORT_FORMAT, message, String::new(), source.span(root), None);
        return None;
    }
    let seconds = source.duplicate_keys().iter().take(fields::MAX_PER_CODE + 1);
    let seconds: Vec<NodeId> = seconds.map(|(_, second)| *second).collect();
    for (second, path) in seconds.iter().zip(super::log::key_paths(source, &seconds)) {
        let name = source.scalar(*second).unwrap_or_default();
        let message = format!("`{name}` stands twice in one object; the last one counts");
        let span = source.span(*second);
        report.add(Severity::Warning, codes::REPEATED_FIELD, message, path, span, None);
    }
    let here = {
        let start = source.span(root).start;
        start..start + 1
    };
    let fields = Fields { report: &mut *report, map: root, path: String::new(), subject: None };
    let format = fields.get("format");
    let word = format.and_then(|node| fields.text_of(node));
    let version = fields.get("version");
    let kind = match word.as_deref() {
        Some(ANM) => FileKind::Anm,
        Some(PVT) => FileKind::Pvt,
        _ => {
            let (message, span) = match format {
                None => ("`format` is missing".to_owned(), here),
                Some(node) => (format!("`format` is {}", source.raw(node)), source.span(node)),
            };
            let message = format!("{message}; an export is \"{ANM}\" or \"{PVT}\"");
            report.fatal(codes::EXPORT_FORMAT, message, "format".to_owned(), span, None);
            return Some(named);
        }
    };
    let number = version.and_then(|node| super::field::number(source, node));
    if number != Some(f64::from(Header::VERSION)) {
        let (message, span) = match version {
            None => (
                "`version` is missing (this build writes/reads v4; re-export from the source DCC)"
                    .to_owned(),
                here,
            ),
            Some(node) => (unsupported_version(source.raw(node)), source.span(node)),
        };
        report.fatal(codes::FORMAT_VERSION, message, "version".to_owned(), span, None);
    }
    Some(kind)
}

/// The format's own sentence for any version but 4 (A1).
fn unsupported_version(found: &str) -> String {
    // A number of any length is not worth more than a line.
    let mut shown: String = found.chars().take(40).collect();
    if shown.len() < found.len() {
        shown.push('…');
    }
    format!(
        "unsupported version {shown} (this build writes/reads v4; no backward migration — \
         re-export from the source DCC)"
    )
}

fn read_header(fields: &mut Fields) -> Header {
    let header_source = fields.text("source");
    let fps = fields.number("fps");
    let system = fields.get("coordinate_system");
    let coordinate_system = match system {
        Some(node) if fields.report.source.kind(node).is_map() => {
            let mut inner = Fields {
                report: &mut *fields.report,
                map: node,
                path: "coordinate_system".to_owned(),
                subject: None,
            };
            inner.unknown("coordinate_system.", &CoordinateSystem::FIELDS);
            Some(CoordinateSystem {
                up: inner.term("up"),
                hand: inner.term("hand"),
                unit: inner.term("unit"),
                rot_order: inner.term("rot_order"),
                rot_repr_anim: inner.term("rot_repr_anim"),
                rot_repr_rest: inner.term("rot_repr_rest"),
            })
        }
        Some(node) => {
            let span = fields.report.source.span(node);
            let message = "`coordinate_system` must be an object; nothing can be converted from it";
            let path = "coordinate_system".to_owned();
            fields.report.add(Severity::Error, codes::WRONG_VALUE, message, path, span, None);
            None
        }
        None => None,
    };
    Header { source: header_source, fps, coordinate_system }
}
