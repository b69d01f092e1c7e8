//! The sentences of the format's own table (M4), to the letter, where loading, checking and
//! editing share them. `format` adds those that carry a value.

/// A rig clip without `binding`.
pub const NO_BINDING: &str = "Animation requires a binding asset";
/// Missing model, or bad duration.
pub const MODEL_AND_DURATION: &str = "Animation needs a model and a duration in (0, 3600] seconds";
/// No tracks, or too many.
pub const TRACK_COUNT: &str = "Animation needs 1 to 128 tracks";
/// Missing part or bad property.
pub const PART_AND_PROPERTY: &str = "Track needs a part and position, rotation or scale property";
/// Bad interpolation.
pub const INTERPOLATION: &str = "Interpolation must be step, linear, smooth or bezier";
/// Two tracks for the same part and property.
pub const DUPLICATE_TRACK: &str = "Duplicate part/property animation track";
/// No keys, or too many.
pub const KEY_COUNT: &str = "Track needs 1 to 512 keyframes";
/// Key times out of order or outside the clip.
pub const KEY_TIMES: &str = "Key times must increase strictly within the clip duration";
/// A scale key is 0 or negative.
pub const ANIMATED_SCALE: &str = "Animated scale must stay positive";
/// Value too large, in keys and in rest vectors.
pub const VALUE_RANGE: &str = "Animation values must be finite and within +/-1000000";
/// Not a one-line list of three numbers.
pub const VECTOR: &str = "Expected [x, y, z]";
/// Bad curve.
pub const CURVE: &str = "Curve coordinates must be finite and between 0 and 1";
/// No nodes, or too many.
pub const NODE_COUNT: &str = "Binding needs 1 to 512 nodes";
/// Bad id.
pub const NODE_ID: &str = "Node IDs must be nonempty and contain no slash or colon";
/// Bad kind.
pub const NODE_KIND: &str = "Node kind must be joint, entity or attachment";
/// A rest scale of 0 or less; the format's table has no sentence for it.
pub const NODE_SCALE: &str = "Node scale must stay positive";
/// A loop of parents.
pub const CYCLE: &str = "Part hierarchy contains a cycle";
/// Deeper than 128 levels.
pub const DEPTH: &str = "Part hierarchy exceeds 128 levels";
/// The clip's model is not the rig's name, or a model clip is bound to a rig.
pub const BINDING_MISMATCH: &str = "Clip does not match its joint/scene binding";

/// Two nodes of one id.
pub fn duplicate_part(id: &str) -> String {
    format!("Duplicate part name: {id}")
}

/// A parent that is no node.
pub fn missing_parent(id: &str) -> String {
    format!("Missing parent part: {id}")
}

/// A track whose part is no node.
pub fn missing_part(part: &str) -> String {
    format!("Animation part is missing: {part}")
}

/// What a `.motion` file's version may be (M2).
pub fn clip_format_version(version: &str) -> String {
    format!(
        ".motion file uses format version {version}; this cTurtle reads format 1.x up to 1.0.0 \
         and 2.x up to 2.0.0"
    )
}

/// An old-style version of a clip other than 1 or 2 (M2).
pub fn clip_version(version: &str) -> String {
    format!(".motion file: `version: {version}` is not a clip version")
}

/// What a `.rig` file's version may be (M8).
pub fn rig_format_version(version: &str) -> String {
    format!(".rig file uses format version {version}; this cTurtle reads format 1.x up to 1.0.0")
}

/// An old-style version in a rig (M8).
pub fn rig_version(version: &str) -> String {
    format!(".rig file: `version: {version}` is no longer used")
}

/// `loop` missing, or no bool; the format's table has no sentence for it.
pub const LOOP: &str = "Animation needs loop to be true or false";
/// A rig without a name; the format's table has no sentence for it.
pub const RIG_NAME: &str = "Binding needs a name";
/// A `format` that is no map.
pub const FORMAT_MAP: &str = "The format section must be a map with a version";
/// A list item that is no map.
pub const NODE_MAP: &str = "Node must be a map with an id and a kind";

/// A key that stands twice in one mapping (M1).
pub fn duplicate_key(key: &str) -> String {
    format!("Duplicate key: {key}")
}

/// An unknown YAML tag on a known field (M4).
pub fn unknown_tag(tag: &str) -> String {
    format!("Unknown YAML tag: {tag}")
}

/// An optional field that must be text and is a list or a map.
pub fn must_be_text(field: &str) -> String {
    format!("Field must be text: {field}")
}
