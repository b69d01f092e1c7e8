//! Which closed clips use a rig.

use super::{read_text, resolve_binding, walk::files_below};
use crate::format::{self, FileKind};
use crate::model::Uids;
use crate::source::Source;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The clips below a project's root that are bound to a rig and animate one of these parts (any,
/// without a list), in the order of their paths: what a rename or a delete in that rig would
/// break. Files that cannot be read or do not load are left
/// out; so is everything outside the root (M10).
pub fn clips_bound_to(root: &Path, rig: &Path, parts: Option<&[String]>) -> Vec<PathBuf> {
    let Ok(rig) = fs::canonicalize(rig) else { return Vec::new() };
    let files = files_below(root, None).files;
    let mut clips: Vec<PathBuf> =
        files.into_iter().filter(|file| is_bound(file, root, &rig, parts)).collect();
    clips.sort();
    clips
}

/// Whether a clip's binding leads to this rig; `None` where it leads to no file (M10).
pub fn is_bound_to(clip: &Path, binding: &str, rig: &Path) -> Option<bool> {
    let found = fs::canonicalize(resolve_binding(clip, binding, None).ok()?).ok()?;
    Some(fs::canonicalize(rig).ok()? == found)
}

/// Whether two paths lead to one file that is there.
pub fn is_same_file(a: &Path, b: &Path) -> bool {
    fs::canonicalize(a).is_ok_and(|a| fs::canonicalize(b).is_ok_and(|b| a == b))
}

fn is_bound(file: &Path, root: &Path, rig: &Path, parts: Option<&[String]>) -> bool {
    if FileKind::of_path(file) != FileKind::Motion {
        return false;
    }
    // Most clips of a large project name another rig: look before reading all of it.
    let name = rig.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let Ok(text) = read_text(file) else { return false };
    if !text.contains(name) {
        return false;
    }
    let Ok(source) = Source::parse_yaml(text) else { return false };
    let clip = format::read_clip(&Arc::new(source), &mut Uids::default()).value;
    let Some(clip) = clip else { return false };
    if parts.is_some_and(|parts| !clip.tracks.iter().any(|track| parts.contains(&track.part))) {
        return false;
    }
    let Some(binding) = clip.binding else { return false };
    let bound = resolve_binding(file, &binding, None)
        .or_else(|_| resolve_binding(file, &binding, Some(root)));
    bound.ok().and_then(|path| fs::canonicalize(path).ok()).is_some_and(|path| path == rig)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_clips_of_a_rig_and_no_others() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir_all(root.join("data")).unwrap();
        fs::create_dir_all(root.join("clips/deep")).unwrap();
        for name in ["a.rig", "b.rig"] {
            fs::write(root.join("data").join(name), "name: R\nnodes:\n  - {id: n, kind: joint}\n")
                .unwrap();
        }
        let clip = |binding: &str| {
            format!(
                "binding: {binding}\nmodel: R\nduration: 1\nloop: false\ntracks:\n  - part: n\n    property: position\n    interpolation: linear\n    keys: [{{time: 0, value: [0, 0, 0]}}]\n"
            )
        };
        fs::write(root.join("clips/walk.motion"), clip("data/a.rig")).unwrap();
        fs::write(root.join("clips/deep/run.motion"), clip("data/a.rig")).unwrap();
        fs::write(root.join("clips/other.motion"), clip("data/b.rig") + "# not data/a.rig\n")
            .unwrap();
        fs::write(root.join("clips/broken.motion"), "binding: data/a.rig\nx: [\n").unwrap();
        fs::write(root.join("clips/notes.txt"), "data/a.rig").unwrap();
        let found = clips_bound_to(root, &root.join("data/a.rig"), None);
        let expected = [root.join("clips/deep/run.motion"), root.join("clips/walk.motion")];
        assert_eq!(found, expected);
        let of =
            |part: &str| clips_bound_to(root, &root.join("data/a.rig"), Some(&[part.to_owned()]));
        assert_eq!((of("n").len(), of("m").len()), (2, 0));
        assert!(clips_bound_to(root, &root.join("data/gone.rig"), None).is_empty());
    }
}
