//! Texts to models and back.

pub(crate) mod field;
mod write;

pub use write::{write_clip, write_rig};
