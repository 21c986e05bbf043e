//! A batch as it stands in a log: the fields of its header, whatever they were read from.

use super::Place;

/// A record batch in a segment (magic 2), as far as the input tells.
///
/// The numbers are Kafka's, unchanged: −1 where Kafka writes −1. A batch of magic 0 or 1 has
/// no producer; readers give it producer id, epoch and sequences of −1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoggedBatch {
    /// Where it was seen: the line that describes it, or its first byte.
    pub place: Place,
    /// Offset of its first record, as first written (compaction does not change it).
    pub base_offset: i64,
    /// Offset of its last record, as first written.
    pub last_offset: i64,
    /// Records that are still in it; fewer than the offsets if the log was compacted. `None`
    /// if the input does not say (dumps up to 1.1).
    pub count: Option<u32>,
    /// Sequence of its first record; −1 without idempotence and in control batches.
    pub base_sequence: i32,
    /// Sequence of its last record; below `base_sequence` if it crosses 2³¹−1.
    pub last_sequence: i32,
    /// Producer id; −1 without idempotence.
    pub producer_id: i64,
    /// Producer epoch; −1 without idempotence.
    pub producer_epoch: i16,
    /// Epoch of the leader that appended it; −1 if the log does not know. `None` if the input
    /// does not say (record lines of dumps).
    pub leader_epoch: Option<i32>,
    /// Whether it belongs to a transaction.
    pub is_transactional: bool,
    /// Whether it holds control records (transaction markers) instead of data.
    pub is_control: bool,
    /// First byte in the segment; `None` if the input does not say.
    pub position: Option<u64>,
    /// Bytes in the segment, from the base offset on; `None` if the input does not say.
    pub size: Option<u32>,
    /// Checksum that the batch carries (CRC-32C); `None` if the input does not say.
    pub crc: Option<u32>,
    /// Whether the checksum is right and the header in order; `None` if nobody looked.
    pub is_valid: Option<bool>,
    /// Whether the cleaner of a compacted topic left a mark on it: a delete horizon, or records
    /// that are missing in its middle.
    pub has_delete_horizon: bool,
}

impl LoggedBatch {
    /// How many offsets it spans; 0 if the last lies before the first.
    pub fn offsets(&self) -> u64 {
        let span = i128::from(self.last_offset) - i128::from(self.base_offset) + 1;
        u64::try_from(span).unwrap_or(0)
    }

    /// Whether its sequences mean something: it has a producer, and is data. Without a
    /// producer id sequences are to be ignored, for some clients write 0 there.
    pub fn has_sequences(&self) -> bool {
        self.producer_id >= 0 && !self.is_control && self.base_sequence >= 0
    }
}
