//! What to do about each problem, in one table: the window shows it, `docs/problems.md` has it too
//! (a test holds the two together).

/// What mends a problem of this code, as a sentence; back-ticks enclose what stands in files.
/// `None` for a code that no file has.
pub fn advice(code: &str) -> Option<&'static str> {
    let place = ADVICE.iter().find(|(known, _)| *known == code);
    place.map(|(_, advice)| *advice)
}

/// Code and advice, in the order of [`super::codes::ALL`].
const ADVICE: &[(&str, &str)] = &[
    ("syntax", "Mend the text at the place that is named; save it as UTF-8."),
    ("file-size", "Split the file."),
    ("unsupported", "Give it the right extension, or open another file."),
    ("duplicate-key", "Delete one of the two."),
    ("unknown-tag", "Delete the tag."),
    ("wrong-type", "Write text or a map there."),
    ("format-version", "Export it for a version that is read."),
    (
        "clip-version",
        "Write 1 or 2; or `format:` with `version: 1.0.0` for a model clip, and nothing for a rig clip.",
    ),
    ("rig-version", "Delete the line."),
    ("vector", "Write it as `[x, y, z]`."),
    ("curve", "Write it as `[x1, y1, x2, y2]`."),
    ("no-binding", "Add `binding:` with the path of the .rig or scene."),
    ("model-duration", "Name the model; give a length above 0 and at most 3600 seconds."),
    ("loop", "Write `loop: true` or `loop: false`."),
    ("track-count", "Add a track, or split the clip."),
    ("track-target", "Name the part and the property."),
    ("interpolation", "Write one of the four."),
    ("duplicate-track", "Delete one of them."),
    ("key-count", "Add a key, or thin them out."),
    (
        "key-times",
        "Sort the keys; delete a doubled key where both are equal; else move the key or lengthen the clip.",
    ),
    ("key-scale", "Write numbers above 0."),
    ("value-range", "Write smaller numbers."),
    ("rig-name", "Add `name:`; clips say it in `model`."),
    ("node-count", "Add a node, or split the rig."),
    ("node-id", "Give it another id."),
    ("node-kind", "Write one of the three."),
    ("node-scale", "Write numbers above 0."),
    ("duplicate-node", "Rename one of them."),
    ("missing-parent", "Correct the parent, or add the node."),
    ("cycle", "Give one node of the loop another parent."),
    ("depth", "Shorten the chain."),
    (
        "binding-path",
        "Write it relative to the project's folder, with `/`; copy what is linked into the project, or make a folder above both the project's root.",
    ),
    ("binding-file", "Correct the path; or name the project's folder with `--project`."),
    ("binding-broken", "Mend the rig."),
    ("binding-mismatch", "Write the rig's name in `model`, or bind another rig."),
    ("missing-part", "Correct the part, or add the node."),
    ("format-without-version", "Delete it, or add `version: 1.0.0` where this is a model clip."),
    ("format-and-version", "Delete the old-style `version:`."),
    ("half-turn", "Add a key in between."),
    ("uneven-scale", "Scale evenly, or scale the leaf only."),
    ("more-problems", "Mend some and check again."),
];
