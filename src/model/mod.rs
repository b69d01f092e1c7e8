//! What a clip and a rig are: plain values that edits replace whole.
//!
//! [`Clip`] and [`Rig`] are what is edited. Every element knows the text it was read from (its
//! [`Origin`]), so that writing is a pure function of the value and touches only what changed;
//! `sample` compiles a clip into what is fast to evaluate.

mod binding;
pub mod check;
mod clip;
mod element;
pub mod limits;
pub mod messages;
mod rig;

pub use binding::{BindingPathError, binding_parts};
pub use clip::{Clip, ClipForm, ClipKind, ClipOrigin, Interpolation, Key, Property, Track};
pub use element::{Origin, Uid, Uids};
pub use rig::{Node, NodeKind, Rig, RigForm, RigOrigin};
