//! Producer snapshots as a whole, out of the file that a broker wrote.

use crate::state_manager::snapshot::{self, kafka, whole_window, Format, SnapshotError};

use super::state::{NewestBatch, ProducerState};
use super::{FileId, Place, Position};

/// A producer snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// Where it begins in the input.
    pub place: Place,
    /// It covers the log up to here, exclusive.
    pub offset: i64,
    /// What it holds of each producer.
    pub states: Vec<ProducerState>,
}

/// Reads the states in a file of Kafka's format, or of one that has the whole window; of the
/// latter the newest batch counts.
///
/// # Errors
/// If the file is damaged, or holds what cannot be.
pub fn read(file: FileId, bytes: &[u8]) -> Result<Vec<ProducerState>, SnapshotError> {
    let place = |entry: usize, header: usize, size: usize| Place {
        file,
        position: Position::Byte((header + entry * size) as u64),
    };
    Ok(match snapshot::detect(bytes)? {
        Format::Kafka => kafka::parse(bytes)?
            .entries()
            .enumerate()
            .map(|(index, entry)| ProducerState {
                place: place(index, kafka::HEADER_SIZE, kafka::ENTRY_SIZE),
                producer_id: entry.producer_id,
                producer_epoch: entry.epoch,
                newest: NewestBatch::new(
                    entry.last_sequence,
                    entry.last_offset,
                    entry.offset_delta,
                )
                .filter(|_| entry.has_batch()),
            })
            .collect(),
        Format::WholeWindow => whole_window::parse(bytes)?
            .entries()
            .map(|entry| ProducerState {
                place: place(0, 0, 0),
                producer_id: entry.producer.producer_id,
                producer_epoch: entry.producer.epoch,
                newest: entry.batches().last().and_then(|batch| {
                    NewestBatch::new(batch.last_sequence, batch.last_offset, batch.offset_delta)
                }),
            })
            .collect(),
    })
}
