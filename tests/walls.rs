//! Holds the layers of ARCHITECTURE.md: who may use whom.
#![allow(clippy::unwrap_used)] // A test that cannot go on should stop.

use std::path::{Path, PathBuf};

/// Each layer may use those before it in the same or an earlier row, never one below.
const ROWS: &[&[&str]] = &[
    &["math", "diagnostic", "progress"],
    &["source"],
    &["model"],
    &["format"],
    &["sample"],
    &["convert"],
    &["diff"],
    &["edit"],
    &["io"],
    &["cli", "ui"],
];

fn row(layer: &str) -> Option<usize> {
    ROWS.iter().position(|row| row.contains(&layer))
}

fn source_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            source_files(&path, files);
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push(path);
        }
    }
}

/// The code of a file without comments, string contents left as they are, and without the unit
/// tests at its end.
fn code(text: &str) -> String {
    let text = text.split("\n#[cfg(test)]\nmod tests").next().unwrap_or(text);
    text.lines().map(|line| line.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n")
}

/// What follows `crate::` everywhere: single names, and the first names of `{…}` lists.
fn used_layers(code: &str) -> Vec<String> {
    let name = |text: &str| -> String {
        text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
    };
    let mut layers = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        let Some(list) = rest.strip_prefix('{') else {
            layers.push(name(rest));
            continue;
        };
        let mut depth = 1;
        let mut begins = true;
        for (offset, character) in list.char_indices() {
            match character {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' => begins = depth == 1,
                c if c.is_whitespace() => continue,
                _ if begins && depth == 1 => {
                    layers.push(name(&list[offset..]));
                    begins = false;
                }
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
    }
    layers
}

/// The layer of a file: its folder or its name below `src`.
fn layer_of(path: &Path, root: &Path) -> String {
    let below = path.strip_prefix(root).unwrap();
    let first = below.components().next().unwrap().as_os_str().to_string_lossy().into_owned();
    first.trim_end_matches(".rs").to_owned()
}

struct File {
    name: String,
    layer: String,
    code: String,
}

fn files() -> Vec<File> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut paths = Vec::new();
    source_files(&root, &mut paths);
    assert!(paths.len() > 20);
    paths
        .into_iter()
        .map(|path| {
            let text = std::fs::read_to_string(&path).unwrap();
            File {
                name: path.strip_prefix(&root).unwrap().display().to_string(),
                layer: layer_of(&path, &root),
                code: code(&text),
            }
        })
        .collect()
}

#[test]
fn nobody_uses_a_layer_below() {
    let mut uses = 0;
    for file in files() {
        if matches!(file.layer.as_str(), "lib" | "main") {
            continue;
        }
        let own = row(&file.layer)
            .unwrap_or_else(|| panic!("{}: `{}` is no layer", file.name, file.layer));
        for used in used_layers(&file.code) {
            // Macros and items of the crate's root are no layer.
            let Some(used_row) = row(&used) else { continue };
            uses += 1;
            let beside = used_row == own && used != file.layer && own == ROWS.len() - 1;
            assert!(used_row <= own && !beside, "{} uses crate::{used}", file.name);
        }
    }
    assert!(uses > 40, "only {uses} uses were seen");
}

#[test]
fn outer_worlds_stay_in_their_layers() {
    // What, and which layers may name it.
    let walls: &[(&str, &[&str])] = &[
        ("std::fs", &["io"]),
        ("std::net", &[]),
        ("tempfile", &["io"]),
        ("egui", &["ui"]),
        ("eframe", &["ui", "main"]),
        ("rfd", &["ui"]),
        ("granit_parser", &["source"]),
        ("serde_yaml", &["format", "source"]),
        ("serde_json", &["format", "source", "cli", "io", "ui"]),
        ("serde::", &["format", "source", "cli", "io", "ui"]),
        ("clap", &["cli", "main"]),
        ("png::", &["io"]),
        ("gif::", &["io"]),
    ];
    for file in files() {
        for (name, layers) in walls {
            let named = file.code.match_indices(name).any(|(at, _)| {
                let before = file.code[..at].chars().next_back();
                !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
                    && (name.ends_with(':')
                        || file.code[at + name.len()..].starts_with("::")
                        || file.code[at + name.len()..].starts_with([';', ' ', ',']))
            });
            let is_use = named && !file.code.contains(&format!("\"{name}"));
            assert!(!is_use || layers.contains(&file.layer.as_str()), "{} uses {name}", file.name);
        }
    }
}

#[test]
fn the_walls_see_what_they_should() {
    assert_eq!(used_layers("use crate::io::open;\ncrate::model::Clip"), ["io", "model"]);
    assert_eq!(
        used_layers("use crate::{io, model::{Clip, Rig},\n  source::Source};"),
        ["io", "model", "source"]
    );
    assert_eq!(code("a // crate::io\nb\n#[cfg(test)]\nmod tests { crate::io }"), "a \nb");
    assert!(row("source") < row("model") && row("io") < row("cli"));
}
