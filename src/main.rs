//! The `posewright` program: a command, or the window.

fn main() {}
