//! Keyframe clips, rigs and the sampler that plays them.
//!
//! The library reads and writes `.motion` clips and `.rig` hierarchies without losing a byte it
//! does not understand, checks them, and evaluates their poses. It needs no window system: build
//! it with `default-features = false` to link it into an engine or a build server.

pub mod cli;
pub mod diagnostic;
pub mod edit;
pub mod format;
pub mod io;
pub mod model;
pub mod source;
