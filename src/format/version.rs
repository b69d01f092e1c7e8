//! Versions: which kind of clip a file is, and whether it can be read (M2, M8).

use super::codes;
use super::field;
use super::log::{Log, Phase};
use super::repair;
use crate::diagnostic::Severity;
use crate::model::{ClipForm, ClipKind, messages};
use crate::source::{NodeId, Source, Syntax};

/// The newest version of each major line that clips may have: model clips, rig clips.
const CLIP_VERSIONS: [([u64; 3], ClipKind); 2] =
    [([1, 0, 0], ClipKind::Model), ([2, 0, 0], ClipKind::Rig)];
/// The newest version that a `.rig` may have (ours: the format's own page elides it).
const RIG_VERSIONS: [[u64; 3]; 1] = [[1, 0, 0]];

/// `2`, `2.0` or `2.0.0`: missing components count as 0.
fn parse(version: &str) -> Option<[u64; 3]> {
    let mut numbers = [0; 3];
    let mut slots = numbers.iter_mut();
    for part in version.split('.') {
        if part.is_empty() || !part.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        // A number too long for 64 bits is newer than anything.
        *slots.next()? = part.parse().unwrap_or(u64::MAX);
    }
    Some(numbers)
}

/// The readable version that `version` is at most, of the same major line.
fn readable(version: &str, newest: [u64; 3]) -> bool {
    parse(version).is_some_and(|v| v[0] == newest[0] && v <= newest)
}

/// What `format` says.
enum Format {
    /// There is no `format`.
    Absent,
    /// It is there without a version.
    Bare,
    /// Its version and where that stands.
    Version(String, NodeId),
    /// It is something else than a map with a version; this is reported.
    Bad,
}

fn format(log: &mut Log, root: NodeId) -> Format {
    let source = log.source;
    let Some((_, at)) = source.entry(root, "format") else { return Format::Absent };
    if !log.tag_suits(Phase::Version, at, || "format".to_owned()) {
        return Format::Bad;
    }
    let map = source.resolve(at);
    if field::is_null(source, map) {
        return Format::Bare;
    }
    if !source.kind(map).is_map() {
        let span = log.at(at);
        log.error(
            Phase::Version,
            codes::WRONG_TYPE,
            messages::FORMAT_MAP,
            "format".to_owned(),
            span,
        );
        return Format::Bad;
    }
    let Some((_, version)) = source.entry(map, "version") else { return Format::Bare };
    if !log.tag_suits(Phase::Version, version, || "format.version".to_owned()) {
        return Format::Bad;
    }
    if field::is_null(source, version) {
        return Format::Bare;
    }
    // A list or a map is no version either; its first line stands for it in the message.
    let text =
        field::string(source, version).unwrap_or_else(|| source.text()[log.at(version)].to_owned());
    Format::Version(text, version)
}

/// The kind of a clip and how its file says so. The kind is `None` where the version is not known
/// here, so that nobody can tell what the rest should be; this is reported.
pub(super) fn clip(log: &mut Log, root: NodeId) -> (Option<ClipKind>, ClipForm) {
    let source = log.source;
    let legacy = source.entry(root, "version");
    let format = format(log, root);
    if let (Some((_, at)), false) = (legacy, matches!(format, Format::Absent)) {
        let message = "Both format and version are given; format counts";
        let span = log.at(at);
        let path = "version".to_owned();
        log.note(Severity::Warning, codes::FORMAT_AND_VERSION, message, path, span);
    }
    match format {
        Format::Absent => match legacy {
            None => (Some(ClipKind::Rig), ClipForm::Bare),
            Some((_, at)) => (legacy_clip(log, at), ClipForm::Legacy),
        },
        Format::Bare => {
            let message = "The format section has no version: read as a rig clip";
            let span = log.at_or(source.entry(root, "format").map(|(key, _)| key), root);
            let path = "format".to_owned();
            log.note(Severity::Warning, codes::FORMAT_WITHOUT_VERSION, message, path, span);
            (Some(ClipKind::Rig), ClipForm::Format)
        }
        Format::Version(text, at) => {
            let kind = CLIP_VERSIONS.iter().find(|(newest, _)| readable(&text, *newest));
            if kind.is_none() {
                let span = log.at(at);
                log.error(
                    Phase::Version,
                    codes::FORMAT_VERSION,
                    messages::clip_format_version(&text),
                    "format.version".to_owned(),
                    span,
                );
            }
            (kind.map(|(_, kind)| *kind), ClipForm::Format)
        }
        Format::Bad => (None, ClipForm::Format),
    }
}

fn legacy_clip(log: &mut Log, at: NodeId) -> Option<ClipKind> {
    if !log.tag_suits(Phase::Version, at, || "version".to_owned()) {
        return None;
    }
    match field::number(log.source, at) {
        Some(1.0) => return Some(ClipKind::Model),
        Some(2.0) => return Some(ClipKind::Rig),
        _ => {}
    }
    let written = as_written(log, at);
    let span = log.at(at);
    log.error(
        Phase::Version,
        codes::CLIP_VERSION,
        messages::clip_version(&written),
        "version".to_owned(),
        span,
    );
    None
}

/// An old-style version for a message: as it is written, quotes included, since `"2"` is a text and
/// 2 a number; of a value of several lines the first.
fn as_written(log: &Log, at: NodeId) -> String {
    log.source.text()[log.at(log.source.resolve(at))].to_owned()
}

/// The version gate of a `.rig` (M8).
pub(super) fn rig(log: &mut Log, root: NodeId) {
    let source = log.source;
    if let Some((key, at)) = source.entry(root, "version") {
        let message = messages::rig_version(&as_written(log, at));
        let span = log.at(at);
        log.error_with(
            Phase::Version,
            codes::RIG_VERSION,
            &message,
            "version".to_owned(),
            span,
            || repair::delete_field(source, root, key, at, "Delete the version line"),
        );
    }
    if let Format::Version(text, at) = format(log, root)
        && !RIG_VERSIONS.iter().any(|newest| readable(&text, *newest))
    {
        let span = log.at(at);
        log.error(
            Phase::Version,
            codes::FORMAT_VERSION,
            messages::rig_format_version(&text),
            "format.version".to_owned(),
            span,
        );
    }
}

/// The version that a clip or a rig is marked with, as it is written; `None` without a mark.
pub fn written_version(source: &Source) -> Option<String> {
    let root = source.root();
    match source.get(root, "format").filter(|_| source.syntax() == Syntax::Yaml) {
        Some(map) => source.get(map, "version").and_then(|v| field::string(source, v)),
        None => source.get(root, "version").and_then(|v| field::string(source, v)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_components_are_zero() {
        assert_eq!(parse("2"), Some([2, 0, 0]));
        assert_eq!(parse("2.0"), Some([2, 0, 0]));
        assert_eq!(parse("1.2.3"), Some([1, 2, 3]));
        assert_eq!(parse("99999999999999999999"), Some([u64::MAX, 0, 0]));
        for text in ["", ".", "1.", ".1", "1..0", "1.0.0.0", "v1", "-1", "1e0", "1.0.0-rc", " 1"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
