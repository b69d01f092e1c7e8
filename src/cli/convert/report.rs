//! A conversion's report as JSON (A55); `docs/convert.md` says what the fields are.

use crate::convert::{Peak, Report, TrackReport, unit};
use crate::sample::take::Space;
use serde::{Serialize, Serializer};

#[derive(Serialize)]
pub(super) struct ReportOut<'a> {
    space: Option<&'static str>,
    residuals: Option<Residuals>,
    euler: &'static str,
    #[serde(serialize_with = "by_name")]
    ids: &'a [(String, String)],
    tracks: Vec<TrackOut<'a>>,
    worst: WorstOut<'a>,
    written: &'a [String],
    notes: Vec<NoteOut<'a>>,
}

#[derive(Serialize)]
struct Residuals {
    local: Option<f64>,
    delta: Option<f64>,
    world: Option<f64>,
}

#[derive(Serialize)]
struct TrackOut<'a> {
    clip: &'a str,
    part: &'a str,
    property: &'static str,
    source_keys: usize,
    keys: usize,
    method: &'static str,
    error: f64,
    unit: &'static str,
    at: f64,
}

#[derive(Serialize)]
struct WorstOut<'a> {
    position: Option<WorstPosition<'a>>,
    rotation: Option<WorstRotation<'a>>,
    scale: Option<WorstScale<'a>>,
}

#[derive(Serialize)]
struct WorstPosition<'a> {
    m: f64,
    part: &'a str,
    frame: f64,
}

#[derive(Serialize)]
struct WorstRotation<'a> {
    deg: f64,
    part: &'a str,
    frame: f64,
}

#[derive(Serialize)]
struct WorstScale<'a> {
    factor: f64,
    part: &'a str,
    frame: f64,
}

#[derive(Serialize)]
struct NoteOut<'a> {
    what: &'static str,
    path: &'a str,
    why: &'a str,
}

fn by_name<S: Serializer>(ids: &[(String, String)], to: S) -> Result<S::Ok, S::Error> {
    // A name that several have stands with its id for each.
    let clashes = |name: &String| ids.iter().filter(|(other, _)| other == name).count() > 1;
    to.collect_map(ids.iter().map(|(name, id)| match clashes(name) {
        true => (format!("{name} ({id})"), id),
        false => (name.clone(), id),
    }))
}

impl<'a> ReportOut<'a> {
    pub fn new(report: &'a Report) -> Self {
        let worst = |property: usize| {
            report.worst(property).or_else(|| {
                // Nothing is off at all: any joint, at its first frame.
                let first = report.joints.first().filter(|_| !report.measured.joints.is_empty())?;
                Some((first.as_str(), Peak::default()))
            })
        };
        let track = |track: &'a TrackReport| TrackOut {
            clip: &track.clip,
            part: &track.part,
            property: track.property.as_str(),
            source_keys: track.source_keys,
            keys: track.keys,
            method: track.method,
            error: track.peak.error,
            unit: unit(track.property),
            at: report.secs_at(track.peak.frame),
        };
        let [position, rotation, scale] = [0, 1, 2].map(worst);
        ReportOut {
            space: report.space.map(Space::as_str),
            residuals: report.residuals.map(|[local, delta, world]| Residuals {
                local,
                delta,
                world,
            }),
            euler: Report::EULER,
            ids: &report.ids,
            tracks: report.tracks.iter().map(track).collect(),
            worst: WorstOut {
                position: position.map(|(part, Peak { error: m, frame })| WorstPosition {
                    m,
                    part,
                    frame,
                }),
                rotation: rotation.map(|(part, Peak { error: deg, frame })| WorstRotation {
                    deg,
                    part,
                    frame,
                }),
                scale: scale.map(|(part, Peak { error: factor, frame })| WorstScale {
                    factor,
                    part,
                    frame,
                }),
            },
            written: &report.written,
            notes: report
                .notes
                .iter()
                .map(|note| NoteOut { what: note.what, path: &note.path, why: &note.why })
                .collect(),
        }
    }
}
