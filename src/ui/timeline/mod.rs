//! The transport, the dope sheet and the curves.
//!
//! Both panels stand on one [`Board`](board::Board): names at the left, the ruler above, one time
//! axis. They push actions only; what they keep from frame to frame (meshes, a press that is no
//! drag yet) lies in egui's memory under the panel's id.

pub(super) mod axis;
mod board;
mod canvas;
mod chosen;
mod commands;
pub(super) mod curves;
mod dope;
pub(super) mod hand;
mod menus;
pub(super) mod mesh;
mod names;
mod pick;
pub(super) mod places;
pub(in crate::ui) mod preview;
mod rows;
mod ruler;
mod transport;
pub(super) mod wheel;

pub use board::pointer;
pub use curves::show as curves;
pub use dope::show as dope_sheet;
pub use pick::REACH;
pub use transport::left as transport;
pub use transport::right as transport_right;
