//! What a clip, a rig, a take and a skeleton are: plain values that edits replace whole.
//!
//! [`Clip`], [`Rig`], [`take::Take`] and [`take::Skeleton`] are what is edited. Every element
//! knows the text it was read from (its [`Origin`]), so that writing is a pure function of the
//! value and touches only what changed; `sample` compiles a clip into what is fast to evaluate.

mod binding;
pub mod check;
mod clip;
mod element;
pub mod limits;
pub mod messages;
mod rig;
pub mod take;

pub use binding::{BindingPathError, binding_parts};
pub use clip::{Clip, ClipForm, ClipKind, ClipOrigin, Interpolation, Key, Property, Track};
pub use element::{Origin, Uid, Uids};
pub use rig::{Node, NodeKind, Rig, RigForm, RigOrigin};
