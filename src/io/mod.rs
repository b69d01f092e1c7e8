//! Everything that touches the disk: reading and checking files, durable saves, the journal of
//! unsaved work, and the watch over files that other programs change.

mod check;
mod create;
mod hash;
mod held;
pub mod journal;
mod load;
mod open;
mod own;
#[cfg(feature = "gui")]
pub mod picture;
mod project;
mod read;
pub mod save;
mod users;
mod walk;
pub mod watch;

pub use check::{Checked, check, check_opened, check_text};
pub use create::make_folder;
pub use hash::ContentHash;
pub use open::{Loaded, Opened, open, open_as_binding, open_text, open_text_watched, open_watched};
pub use own::write_own_file;
pub use project::{BindingError, resolve_binding};
pub use read::{ReadError, file_bytes, read_text, read_text_with};
pub use users::{clips_bound_to, is_bound_to, is_same_file};
pub use walk::{Found, files_below};
