//! Exports (`.anm`, `.pvt`) in the window: the report, the table of pegs, the fields of a peg,
//! looking through their cameras, and the keys and curves of takes over time.

mod board;
mod commands;
mod curves;
mod fields;
mod hand;
mod keys;
mod menu;
mod names;
mod pegs;
mod report;
mod reports;
mod ruler;
mod select;
mod shown;

pub use curves::show as curves;
pub use fields::show as fields;
pub use keys::show as keys;
pub use pegs::show as pegs;
pub use report::{label, show as report, space_rows};
pub use reports::Reports;
pub use shown::ShownExport;
