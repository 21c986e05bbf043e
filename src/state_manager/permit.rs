//! The right to append one batch, and what becomes of it.

use thiserror::Error;

use super::batch::Marker;
use super::numbers::{Offset, ProducerId, Timestamp};
use super::producers::{SequenceRange, Slot};
use super::rejection::Rejection;

/// The right to append one batch, given by a check and used by
/// [`commit`](super::ProducerStateManager::commit) once the log has it. Dropping it leaves
/// no trace.
///
/// It is about one producer as it was when checked: any change of that producer's state in
/// between, truncation, a restore, or a new leader epoch makes it worthless. Permits of
/// different producers do not disturb each other. (A permit for an unknown producer is good
/// as long as the producer is unknown, also if it was known for a while in between.)
#[derive(Debug)]
#[must_use = "a batch that was appended to the log must be committed"]
pub struct Permit {
    pub(super) basis: Basis,
    pub(super) data: Data,
}

/// The right to append one marker, as [`Permit`] is that for a batch; for
/// [`commit_marker`](super::ProducerStateManager::commit_marker).
#[derive(Debug)]
#[must_use = "a marker that was appended to the log must be committed"]
pub struct MarkerPermit {
    pub(super) basis: Basis,
    pub(super) marker: Marker,
}

/// The state that a permit is about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Basis {
    /// Which manager, and which life of it.
    pub incarnation: u64,
    /// Number of the manager's last change at the time of the check.
    pub changes: u64,
    pub producer_id: ProducerId,
    /// Where the producer lies; [`UNKNOWN`] if it does nowhere.
    pub slot: Slot,
    /// Number of the producer's last change, modulo 2³².
    pub version: u32,
}

/// In place of a slot.
pub(super) const UNKNOWN: Slot = Slot::MAX;

/// A batch of records, whoever wrote it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Data {
    pub max_timestamp: i64,
    pub range: SequenceRange,
    pub epoch: i16,
    pub transactional: bool,
    /// Whether it begins where the producer's newest batch ended.
    pub follows: bool,
}

impl Permit {
    /// Whose batch may be appended.
    pub fn producer_id(&self) -> ProducerId {
        self.basis.producer_id
    }
}

impl MarkerPermit {
    /// Whose transaction may be ended.
    pub fn producer_id(&self) -> ProducerId {
        self.basis.producer_id
    }
}

/// What a check says of a batch. Nothing has changed by it.
#[derive(Debug)]
#[must_use]
pub enum Check {
    /// Append it to the log, then commit the permit.
    Append(Permit),
    /// It is in the log. Answer with this; append nothing.
    Duplicate(Duplicate),
    /// Answer with the error; append nothing.
    Rejected(Rejection),
}

/// Where the original of a duplicate stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Duplicate {
    /// Offset of its first record: the base offset of the answer.
    pub first_offset: Offset,
    /// Offset of its last record. With acks=all the answer waits until the high watermark
    /// is beyond it, as that of an append does.
    pub last_offset: Offset,
    /// The original's largest timestamp. Kafka puts it into the answer as log append time,
    /// even for topics that use the client's times.
    pub timestamp: Timestamp,
}

/// Why a commit or a replicated batch was not recorded. The manager is as it was.
///
/// If the batch is in the log nevertheless, state and log differ: bring the manager back to
/// the log with [`truncate_and_reload`](super::ProducerStateManager::truncate_and_reload)
/// and a replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum CommitError {
    /// The producer changed since the check, or the manager did as a whole. Who checks,
    /// appends and commits under one lock never sees it.
    #[error("the permit is out of date: the producer's state changed since the batch was checked; check it again")]
    StalePermit,
    /// The log does not go backwards.
    #[error("offset {given} is below {map_end}, where the recorded part of the log ends")]
    OffsetMovedBack {
        /// The offset of the batch.
        given: Offset,
        /// [`map_end_offset`](super::ProducerStateManager::map_end_offset).
        map_end: Offset,
    },
    /// The last record would stand beyond the last offset there is.
    #[error("a batch at offset {given} would end beyond offset 2⁶³−1")]
    OffsetOverflow {
        /// The offset of the batch.
        given: Offset,
    },
    /// A batch outside of a transaction, in a log where the producer's transaction is open.
    #[error(transparent)]
    Rejected(#[from] Rejection),
}
