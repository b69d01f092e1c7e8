//! The answer for programs: `docs/diff.md` has its shape.

use super::Read;
use super::folders::State;
use crate::diff::{
    Change, Clock, Compared, Difference, Element, Extreme, KeyChange, KeysChange, Peak,
    PoseDifference, Tally, Tolerances, What, Worst,
};
use crate::model::take::{Channel, Interp};
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};

/// Two files.
pub(super) fn file(a: &Read, b: &Read, found: &Difference) -> String {
    print(&pair(a, b, found))
}

/// Two folders.
pub(super) fn folders(a: &Path, b: &Path, rows: &[(PathBuf, State)]) -> String {
    let row = |(path, state): &(PathBuf, State)| {
        let difference = match state {
            State::Both(both) => pair(&both.0, &both.1, &both.2),
            _ => Value::Null,
        };
        let path = path.display().to_string();
        json!({"path": path, "state": state.word(), "difference": difference})
    };
    let equal = rows.iter().all(|(_, state)| state.word() == "same");
    print(&json!({
        "a": a.display().to_string(),
        "b": b.display().to_string(),
        "equal": equal,
        "files": rows.iter().map(row).collect::<Vec<_>>(),
    }))
}

fn print(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}

fn pair(a: &Read, b: &Read, found: &Difference) -> Value {
    let side = |read: &Read| json!({"file": read.path.display().to_string(), "kind": read.kind});
    let compared = match found.compared {
        Compared::Takes => "takes",
        Compared::Skeletons => "skeletons",
        Compared::Clips => "clips",
        Compared::Rigs => "rigs",
        Compared::TakeAndClip => "take-and-clip",
    };
    let Tolerances { position_m, angle_deg, scale } = found.tolerances;
    json!({
        "a": side(a),
        "b": side(b),
        "compared": compared,
        "equal": found.is_empty(),
        "summary": found.summary(),
        "tolerances": {"position": position_m, "angle": angle_deg, "scale": scale},
        "header": found.header.iter().map(change).collect::<Vec<_>>(),
        "elements": found.elements.iter().map(element).collect::<Vec<_>>(),
        "poses": found.poses.as_ref().map(|poses| self::poses(poses, &found.tolerances)),
        "notes": found.notes,
    })
}

fn element(element: &Element) -> Value {
    let what = match element.what {
        What::Peg => "peg",
        What::Bone => "bone",
        What::Node => "node",
        What::Part => "part",
        What::Track => "track",
        What::Camera => "camera",
    };
    json!({
        "what": what,
        "name": element.name,
        "a": element.a,
        "b": element.b,
        "words": element.words(),
        "changes": element.changes.iter().map(change).collect::<Vec<_>>(),
    })
}

fn change(change: &Change) -> Value {
    match change {
        Change::Added { keys } => json!({"change": "added", "keys": keys}),
        Change::Removed { keys } => json!({"change": "removed", "keys": keys}),
        Change::Renamed { from, to } => json!({"change": "renamed", "from": from, "to": to}),
        Change::Reparented { from, to } => {
            json!({"change": "reparented", "from": from, "to": to})
        }
        Change::Rest { metres, degrees, factor } => {
            json!({"change": "rest", "m": metres, "deg": degrees, "factor": factor})
        }
        Change::Field { field, from, to } => {
            json!({"change": "field", "field": field, "from": from, "to": to})
        }
        Change::Keys(keys) => self::keys(keys),
        Change::Unknown { path, from, to } => {
            json!({"change": "unknown", "path": path, "from": from, "to": to})
        }
    }
}

fn clock(clock: Clock) -> &'static str {
    match clock {
        Clock::Frames => "frame",
        Clock::Seconds => "second",
    }
}

/// Names of the channels, and their units.
const CHANNELS: [(&str, &str); 3] = [("position", "m"), ("rotation", "deg"), ("scale", "factor")];

fn keys(keys: &KeysChange) -> Value {
    let tally = keys.tally();
    let mut out = Map::new();
    out.insert("change".to_owned(), "keys".into());
    out.insert("unit".to_owned(), clock(keys.clock).into());
    out.insert("added".to_owned(), tally.added.count.into());
    out.insert("removed".to_owned(), tally.removed.count.into());
    let counted = |tally: &Tally, unit: Option<&str>| match (tally.count, unit) {
        (0, _) => Value::Null,
        (count, None) => json!({"count": count, "at": tally.at}),
        (count, Some(unit)) => json!({"count": count, unit: finite(tally.by), "at": tally.at}),
    };
    out.insert("moved".to_owned(), counted(&tally.moved, Some("by")));
    for ((name, unit), tally) in CHANNELS.into_iter().zip(&tally.values) {
        out.insert(name.to_owned(), counted(tally, Some(unit)));
    }
    out.insert("angles".to_owned(), counted(&tally.angles, Some("deg")));
    out.insert("interp".to_owned(), counted(&tally.interp, None));
    for ((name, unit), tally) in CHANNELS.into_iter().zip(&tally.handles) {
        out.insert(format!("{name}_handles"), counted(tally, Some(unit)));
    }
    out.insert("unknown".to_owned(), tally.unknown.count.into());
    out.insert("keys".to_owned(), keys.keys.iter().map(key).collect::<Vec<_>>().into());
    Value::Object(out)
}

/// What is infinite is null: handles that came or went.
fn finite(by: f64) -> Value {
    if by.is_finite() { by.into() } else { Value::Null }
}

/// One key: only what differs stands there.
fn key(key: &KeyChange) -> Value {
    let mut out = Map::new();
    out.insert("a".to_owned(), json!(key.a));
    out.insert("b".to_owned(), json!(key.b));
    out.insert("at".to_owned(), json!(key.at));
    if key.moved != 0.0 {
        out.insert("moved".to_owned(), json!(key.moved));
    }
    for (channel, (name, _)) in CHANNELS.into_iter().enumerate() {
        if key.by[channel] != 0.0 {
            out.insert(name.to_owned(), finite(key.by[channel]));
        }
    }
    if key.angles_deg != 0.0 {
        out.insert("angles".to_owned(), finite(key.angles_deg));
    }
    if let Some(interp) = key.interp {
        let word = |interp: Interp| match interp {
            Interp::Unknown => Value::Null,
            known => known.as_str().into(),
        };
        out.insert("interp".to_owned(), json!(interp.map(word)));
    }
    let handles = Channel::ALL.into_iter().enumerate().filter(|(at, _)| key.has_handles(*at));
    let handles: Vec<&str> = handles.map(|(at, _)| CHANNELS[at].0).collect();
    if !handles.is_empty() {
        out.insert("handles".to_owned(), json!(handles));
    }
    if key.unknown {
        out.insert("unknown".to_owned(), true.into());
    }
    Value::Object(out)
}

fn poses(poses: &PoseDifference, tolerances: &Tolerances) -> Value {
    let name = |joint: usize| poses.joints.get(joint).map(|joint| joint.name.as_str());
    let extreme = |extreme: Option<Extreme>, unit: &str| {
        extreme.map(|extreme| {
            let cause = extreme.cause.map(|cause| {
                let joint = name(cause.joint);
                json!({"joint": joint, "m": cause.metres, "deg": cause.degrees,
                       "factor": cause.factor})
            });
            json!({unit: extreme.by, "at": extreme.at, "joint": name(extreme.joint),
                   "cause": cause})
        })
    };
    let worst = |worst: Worst, unit: &str| json!({unit: worst.by, "joint": name(worst.joint)});
    let moments = poses.moments.iter().map(|moment| {
        json!({
            "at": moment.at,
            "world": {"position": worst(moment.world_m, "m"),
                      "rotation": worst(moment.world_deg, "deg")},
            "local": {"position": worst(moment.local_m, "m"),
                      "rotation": worst(moment.local_deg, "deg")},
        })
    });
    let peak = |peak: Peak, unit: &str| json!({unit: peak.by, "at": peak.at});
    let apart = poses
        .joints
        .iter()
        .filter(|joint| joint.is_apart(tolerances) || joint.is_cause(tolerances));
    let joints = apart.map(|joint| {
        json!({
            "name": joint.name,
            "a": joint.a,
            "b": joint.b,
            "by_itself": joint.is_cause(tolerances),
            "world": {"position": peak(joint.world_m, "m"),
                      "rotation": peak(joint.world_deg, "deg")},
            "local": {"position": peak(joint.local_m, "m"),
                      "rotation": peak(joint.local_deg, "deg"),
                      "scale": peak(joint.local_scale, "factor")},
        })
    });
    json!({
        "unit": poses.clock.map(clock),
        "compared": poses.joints.len(),
        "farthest": extreme(poses.farthest, "m"),
        "most_turned": extreme(poses.most_turned, "deg"),
        "joints": joints.collect::<Vec<_>>(),
        "moments": moments.collect::<Vec<_>>(),
    })
}
