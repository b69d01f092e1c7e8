//! Everything that touches the disk.

mod check;
mod hash;
pub mod journal;
mod load;
mod open;
mod own;
mod project;
mod read;
mod replace;
pub mod save;
mod walk;
pub mod watch;

pub use check::{Checked, check, check_text};
pub use hash::ContentHash;
pub use open::{Document, Opened, open, open_as_binding, open_text};
pub use own::write_own_file;
pub use project::{BindingError, resolve_binding};
pub use read::{ReadError, read_text};
pub use replace::{write_file, write_replacing};
pub use walk::files_below;
