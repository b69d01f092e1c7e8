//! What an edit and its undo cost on the largest clip that there may be: 128 tracks × 512 keys.
//!
//! `cargo bench --bench edits`; the targets are 50 µs for a one-key edit, 10 µs for its undo, and
//! 64 MB for 200 steps of one track each.
#![allow(clippy::unwrap_used)] // A bench may stop where something is not as it says.

use divan::{AllocProfiler, Bencher};
use posewright::edit::{
    ClipEdit, Content, DocId, Edit, Editor, HistoryLimits, Selection, Workspace, apply, content_of,
};
use posewright::format::FileKind;
use posewright::model::{Uid, Uids};
use std::fmt::Write;
use std::path::PathBuf;

#[global_allocator]
static ALLOC: AllocProfiler = AllocProfiler::system();

fn main() {
    memory();
    divan::main();
}

/// A clip of full size, as read from its text.
fn text() -> String {
    let mut text = "binding: r.rig\nmodel: R\nduration: 600\nloop: true\ntracks:\n".to_owned();
    for track in 0..128 {
        let property = ["position", "rotation", "scale"][track % 3];
        let part = track / 3;
        let _ = write!(
            text,
            "  - part: n{part}\n    property: {property}\n    interpolation: smooth\n    keys:\n"
        );
        for key in 0..512 {
            let _ = write!(text, "      - time: {key}\n        value: [1, {key}.5, 1]\n");
        }
    }
    text.replace("value: [1, 0.5,", "value: [1, 1.5,")
}

fn open() -> (Editor, DocId) {
    let mut editor = Editor::new(HistoryLimits::default());
    let mut uids = Uids::default();
    let content = content_of(FileKind::Motion, &text(), &mut uids);
    assert!(matches!(content, Content::Clip(_)));
    let doc = editor.open(Some(PathBuf::from("/p/a.motion")), None, content, uids);
    (editor, doc)
}

fn key(workspace: &Workspace, doc: DocId, track: usize, key: usize) -> Uid {
    workspace.clip(doc).unwrap().tracks[track].keys[key].uid
}

fn nudge(doc: DocId, key: Uid, delta_secs: f64) -> Edit {
    Edit::Clip { doc, edit: ClipEdit::MoveKeys { keys: vec![key], delta_secs, snap: None } }
}

#[divan::bench]
fn apply_one_key(bencher: Bencher) {
    let (editor, doc) = open();
    let edit = nudge(doc, key(editor.workspace(), doc, 100, 300), 0.25);
    bencher.bench(|| apply(editor.workspace(), &edit).unwrap());
}

#[divan::bench]
fn perform_one_key(bencher: Bencher) {
    let (mut editor, doc) = open();
    let uid = key(editor.workspace(), doc, 100, 300);
    editor.select(Selection::default().with_keys([(doc, uid)]));
    let mut there = false;
    bencher.bench_local(|| {
        there = !there;
        let edit = nudge(doc, uid, if there { 0.25 } else { -0.25 });
        editor.perform(&edit).unwrap()
    });
}

#[divan::bench]
fn undo_one_key(bencher: Bencher) {
    let (mut editor, doc) = open();
    let uid = key(editor.workspace(), doc, 100, 300);
    editor.select(Selection::default().with_keys([(doc, uid)]));
    editor.perform(&nudge(doc, uid, 0.25)).unwrap();
    let start = editor.clone();
    bencher.with_inputs(|| start.clone()).bench_local_refs(|editor| editor.undo(doc).unwrap());
}

#[divan::bench]
fn offset_all_keys(bencher: Bencher) {
    let (editor, doc) = open();
    let clip = editor.workspace().clip(doc).unwrap();
    let keys = clip.tracks.iter().flat_map(|t| &t.keys).map(|k| k.uid).collect();
    let edit = ClipEdit::OffsetKeys { keys, delta: glam::DVec3::new(0.0, 0.25, 0.0) };
    let edit = Edit::Clip { doc, edit };
    bencher.bench(|| apply(editor.workspace(), &edit).unwrap());
}

/// Bytes of 200 steps by their own account.
fn memory() {
    let (mut editor, doc) = open();
    for step in 0..200 {
        let uid = key(editor.workspace(), doc, step % 128, 1 + step);
        editor.perform(&nudge(doc, uid, 0.25)).unwrap().unwrap();
    }
    let steps: Vec<usize> = editor.history().steps(doc).map(|s| s.bytes).collect();
    assert_eq!(steps.len(), 200);
    let bytes: usize = steps.iter().sum();
    println!("200 one-track steps: {:.1} MB by their own account", bytes as f64 / 1e6);
    assert!(bytes < 64_000_000);
}
