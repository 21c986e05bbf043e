//! Record lines put together into batches.
//!
//! Deep dumps up to 2.1 have no batch lines. The records of one batch have its position, and
//! stand behind each other.

use super::record_line::Record;
use crate::audit::{LoggedBatch, Place};

/// A batch of which the records seen so far are known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Folded(LoggedBatch);

impl Folded {
    /// The batch that this record is the first of.
    ///
    /// `next_offset` is where the log goes on: a compressed batch of magic 0 or 1 is one line
    /// that tells the offset of its last record only.
    pub(super) fn begin(record: &Record, place: Place, next_offset: Option<i64>) -> Self {
        let is_wrapper = record.producer_id < 0 && record.sequence < 0;
        let base_offset = next_offset
            .filter(|next| is_wrapper && *next < record.offset)
            .unwrap_or(record.offset);
        Folded(LoggedBatch {
            place,
            base_offset,
            last_offset: record.offset,
            count: None,
            base_sequence: record.sequence,
            last_sequence: record.sequence,
            producer_id: record.producer_id,
            producer_epoch: record.producer_epoch,
            leader_epoch: None,
            is_transactional: record.is_transactional,
            is_control: record.is_transactional && record.sequence < 0,
            position: record.position,
            size: None,
            crc: None,
            is_valid: record.is_valid,
            has_delete_horizon: false,
        })
    }

    /// Adds the next record, if it is of the same batch.
    pub(super) fn add(&mut self, record: &Record) -> bool {
        let batch = &mut self.0;
        let is_of_it = batch.position.is_some()
            && batch.position == record.position
            && batch.producer_id == record.producer_id
            && batch.producer_epoch == record.producer_epoch
            && record.offset > batch.last_offset;
        if is_of_it {
            // Records in the middle are gone: the cleaner was here.
            batch.has_delete_horizon |= record.offset - batch.last_offset > 1;
            batch.last_offset = record.offset;
            batch.last_sequence = record.sequence;
            if record.is_valid == Some(false) {
                batch.is_valid = Some(false);
            }
        }
        is_of_it
    }

    /// The batch of the records so far.
    pub(super) fn batch(&self) -> LoggedBatch {
        self.0
    }
}
