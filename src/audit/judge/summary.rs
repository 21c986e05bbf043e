//! A log in a few figures.

use std::sync::Arc;

use super::state::Compared;
use crate::audit::Place;

/// What there is to say of a log beside findings.
#[derive(Clone, Debug)]
pub struct Summary {
    /// Partition, and replica if there are several.
    pub name: Arc<str>,
    /// Batches read.
    pub batches: u64,
    /// Offset at which it begins; `None` without a batch.
    pub start: Option<i64>,
    /// Log end offset.
    pub end: i64,
    /// Producers with an id.
    pub producers: usize,
    /// Gaps of sequences that missing offsets account for.
    pub excused: u64,
    /// Holes between batches.
    pub holes: u64,
    /// Whether the log was compacted.
    pub is_compacted: bool,
    /// Whether offsets are missing where the dump does not show if they were cleaned.
    pub has_unjudged_holes: bool,
    /// Where lines of the dump are first missing, and how often they are.
    pub left_out: Option<(Place, u64)>,
    /// What was compared with snapshots.
    pub compared: Compared,
    /// Offsets of snapshots that the log does not reach.
    pub unreached: Vec<i64>,
    /// Where the last segment ends in bytes that are no whole batch, and how many there are.
    pub torn: Option<(Place, u64)>,
}
