//! Lossless text: the spans of everything in a YAML or JSON text, and patches that touch only
//! what changed.
//!
//! [`Source`] is an immutable text with a flat tree of spans over it. Both syntaxes give the same
//! tree, so that everything above reads `.motion`, `.rig`, scenes, `.anm` and `.pvt` alike.

mod compose;
mod flow;
mod fragment;
mod indent;
pub(crate) mod json;
mod json_text;
mod layout;
mod path;
mod plan;
mod rewrite;
mod runs;
pub(crate) mod scan;
mod text_end;
mod tree;
mod yaml;

pub use fragment::{Body, Fragment, double_quoted, number, vector, yaml_string};
pub use path::{Step, parse_path, path_text};
pub use plan::Item;
pub use rewrite::Rewrite;
pub use tree::{Kind, NodeId, Source, Syntax, SyntaxError, Tag, position_in};

/// Deepest nesting of lists and mappings in a text (M12).
pub const MAX_NESTING: usize = 128;
/// How many times its own length a text may become when its aliases are expanded (M12).
pub const MAX_ALIAS_EXPANSION: u64 = 10;
