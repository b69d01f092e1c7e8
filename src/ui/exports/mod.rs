//! Exports (`.anm`, `.pvt`) in the window: the report, the table of pegs, the fields of a peg, and
//! looking through their cameras.

mod fields;
mod pegs;
mod report;
mod reports;
mod shown;

pub use fields::show as fields;
pub use pegs::show as pegs;
pub use report::show as report;
pub use reports::Reports;
pub use shown::ShownExport;
