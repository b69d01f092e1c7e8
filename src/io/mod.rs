//! Everything that touches the file system: durable saves, the journal of unsaved work, and the
//! watch over files that other programs change.

mod hash;
pub mod journal;
pub mod save;
pub mod watch;

pub use hash::ContentHash;
