//! Exports put together in tests.

use posewright::format::{read_skeleton, read_take, strict};
use posewright::model::Uids;
use posewright::model::take::{Skeleton, Take};
use serde_json::{Value, json};

/// The canonical `coordinate_system`.
pub fn canonical() -> Value {
    json!({
        "up": "y", "hand": "right", "unit": "meters", "rot_order": "xyz",
        "rot_repr_anim": "euler_deg", "rot_repr_rest": "quat_wxyz"
    })
}

/// The text of a take.
pub fn text(pegs: &[Value]) -> String {
    let take = json!({
        "format": "octo_anm", "version": 4, "source": "harmony", "frame_range": [1, 25],
        "fps": 24.0, "coordinate_system": canonical(), "pegs": pegs, "cameras": [],
    });
    serde_json::to_string_pretty(&take).unwrap()
}

/// A take of these pegs, canonical, 24 frames a second, frames 1 to 25.
pub fn take(pegs: &[Value]) -> Take {
    read(&text(pegs))
}

/// A take from its text.
pub fn read(text: &str) -> Take {
    strict(read_take(text.to_owned(), &mut Uids::default())).unwrap()
}

/// A skeleton from its fields; what is needed besides is there.
pub fn skeleton(mut fields: Value) -> Skeleton {
    let object = fields.as_object_mut().unwrap();
    for (name, value) in [("format", json!("octo_pvt")), ("version", json!(4))] {
        object.insert(name.to_owned(), value);
    }
    object.entry("coordinate_system").or_insert_with(canonical);
    strict(read_skeleton(fields.to_string(), &mut Uids::default())).unwrap()
}

/// A key.
pub fn key(frame: f64, mut fields: Value) -> Value {
    fields.as_object_mut().unwrap().insert("frame".to_owned(), json!(frame));
    fields
}

/// A peg of some keys.
pub fn peg(name: &str, keys: Vec<Value>) -> Value {
    json!({"name": name, "keyframes": keys})
}
