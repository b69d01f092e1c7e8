//! Converting in the window: what is asked of a conversion, its live figures, and its result beside
//! what it was made of.

mod apply;
mod form;
mod panel;
mod result;
mod work;

pub use form::Form;
pub use panel::show;
pub use result::heat;
pub use work::Conversions;
