//! What the application is told.

use crate::message::{Place, Small};
use crate::queue::Queue;

use super::MAX_UNDECIDED;

/// What the application is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Told {
    /// Written, at this place.
    Acknowledged(Place),
    /// Not written.
    Failed,
    /// The producer does not know.
    Unknown,
}

/// One outcome told to the application.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Report {
    /// The first record of the batch.
    pub record: Small,
    /// How many records follow the first: all are told the same.
    pub more: u8,
    /// What was told; the place is that of the first.
    pub told: Told,
}

impl Default for Report {
    fn default() -> Self {
        Report {
            record: 0,
            more: 0,
            told: Told::Unknown,
        }
    }
}

/// The outcomes that one step tells.
pub type Reports = Queue<Report, MAX_UNDECIDED>;
