//! Sampling allocates nothing (M26). In a test file of its own, as the counter is the process's.
#![allow(clippy::unwrap_used)] // A test stops where something is not as it should be.
#![allow(unsafe_code)] // An allocator cannot be written without.

use posewright::format::{read_take, strict};
use posewright::model::Uids;
use posewright::runtime::{Binding, Clip, Cursor, Pose};
use posewright::sample::take::{Space, TakePoses, TakeRig};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::path::Path;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: everything is handed on to the system's allocator; only a number is kept besides.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
        // SAFETY: the caller keeps the promises that `System` wants.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// How many allocations this thread makes meanwhile.
fn allocations(work: impl FnOnce()) -> usize {
    let before = ALLOCATIONS.get();
    work();
    ALLOCATIONS.get() - before
}

#[test]
fn sampling_allocates_nothing() {
    assert!(allocations(|| drop(std::hint::black_box(vec![1u8; 100]))) > 0, "the counter counts");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/sampling");
    let clip = Clip::load(folder.join("case08.motion")).unwrap();
    let rig = Binding::load(folder.join("case08.rig")).unwrap().bind(&clip).unwrap();
    let (mut world, mut cursor) = (Vec::new(), Cursor::default());
    rig.sample_with(&mut cursor, 0.0, 1.0, &mut world);
    let mut parts = vec![Pose::IDENTITY; clip.parts().len()];
    let part = clip.parts().next().unwrap().to_owned();
    let mut moved = 0.0;
    let count = allocations(|| {
        for i in 0..2_000 {
            let time = clip.time(f64::from(i) * 0.01 - 1.0);
            rig.sample(time, 1.0, &mut world);
            rig.sample(time, 0.3, &mut world);
            rig.sample_with(&mut cursor, time, 1.0, &mut world);
            rig.sample_local(time, 0.0, &mut world);
            assert!(clip.sample_parts_with(&mut cursor, time, &mut parts));
            moved += clip.pose(&part, time, &Pose::IDENTITY).position.length();
        }
    });
    assert_eq!(count, 0);
    assert!(moved > 0.0);
}

#[test]
fn sampling_exports_allocates_nothing() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/anm");
    for (name, space) in [("fcurves.anm", Space::Delta), ("torso.anm", Space::World)] {
        let text = std::fs::read_to_string(folder.join(name)).unwrap();
        let take = strict(read_take(text, &mut Uids::default())).unwrap();
        let rig = TakeRig::new(&take, space);
        let mut poses = TakePoses::default();
        rig.sample(0.0, &mut poses);
        let count = allocations(|| {
            for i in 0..2_000 {
                rig.sample(f64::from(i) * 0.04 - 3.0, &mut poses);
            }
        });
        assert_eq!(count, 0);
        assert!(poses.world.iter().any(|pose| pose.position.length() > 0.0));
    }
}
