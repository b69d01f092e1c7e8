//! Two hundred steps of one track each stay below 64 MB, counted by the allocator itself.
#![allow(clippy::unwrap_used)] // A test may stop where something is not as it says.
#![allow(unsafe_code)] // A counting allocator is one.

mod documents;

use documents::*;
use posewright::edit::{ClipEdit, Editor, HistoryLimits};
use posewright::format::FileKind;
use std::alloc::{GlobalAlloc, Layout, System};
use std::fmt::Write;
use std::sync::atomic::{AtomicUsize, Ordering};

struct Counting;

static HELD: AtomicUsize = AtomicUsize::new(0);

// SAFETY: everything is handed on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        HELD.fetch_add(layout.size(), Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        unsafe { System.dealloc(ptr, layout) }
    }
}

#[global_allocator]
static ALLOC: Counting = Counting;

#[test]
fn two_hundred_one_track_steps_stay_below_64_mb() {
    let mut text = "binding: r.rig\nmodel: R\nduration: 600\nloop: true\ntracks:\n".to_owned();
    for track in 0..128 {
        let _ = write!(text, "- part: n{track}\n  property: position\n  interpolation: linear\n");
        text.push_str("  keys:\n");
        for key in 0..512 {
            let _ = writeln!(text, "  - {{time: {key}, value: [0, {key}, 0]}}");
        }
    }
    let mut editor = Editor::new(HistoryLimits::default());
    let doc = open(&mut editor, FileKind::Motion, "/p/a.motion", &text);
    let before = HELD.load(Ordering::Relaxed);
    for step in 0..200 {
        let keys = vec![key(&editor, doc, step % 128, step + 1)];
        let moved = ClipEdit::MoveKeys { keys, delta_secs: 0.25, snap: None };
        edit(&mut editor, doc, moved).unwrap();
    }
    let held = HELD.load(Ordering::Relaxed) - before;
    assert_eq!(editor.history().steps(doc).count(), 200);
    let own: usize = editor.history().steps(doc).map(|s| s.bytes).sum();
    assert!(held < 64_000_000 && own < 64_000_000, "{held} held, {own} by the steps' account");
    // The account is of the right size, or the bound on bytes would mean nothing.
    assert!(own > held / 3 && own < held * 3, "{held} held, {own} by the steps' account");
}
