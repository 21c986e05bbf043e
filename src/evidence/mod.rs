//! What is shown of an outcome: tables, the story of a run, the staircase of the frontier,
//! JSON. Nothing here searches anything.

pub mod checked_claims;
pub mod claims_table;
pub mod figures;
pub mod file;
pub mod json;
pub mod kill_matrix;
pub mod lanes;
pub mod not_modelled;
pub mod paint;
pub mod player;
pub mod properties_table;
pub mod report;
pub mod report_directory;
pub mod requirements;
pub mod scenario;
pub mod seen;
pub mod sequence;
pub mod situation;
pub mod staircase;
pub mod story;
pub mod svg;
pub mod tellings;
pub mod template;
pub mod view;
pub mod walked;
pub mod wrap;
