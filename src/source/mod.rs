//! Lossless text: the spans of everything in a YAML or JSON text, and patches that touch only
//! what changed.
//!
//! [`Source`] is an immutable text with a flat tree of spans over it. Both syntaxes give the same
//! tree, so that everything above reads `.motion`, `.rig`, scenes, `.anm` and `.pvt` alike.

mod runs;
mod tree;
mod yaml;

pub use tree::{Kind, NodeId, Source, Syntax, SyntaxError, Tag};
