//! What a broker wrote down of a producer: a line of a producer snapshot.

use super::Place;

/// Sequences run from 0 to this and begin again (KIP-98).
pub(super) const LAST_SEQUENCE: i32 = i32::MAX;

/// The newest batch of a producer, as a snapshot has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewestBatch {
    /// Sequence of its first record; −1 if it has no sequences.
    pub first_sequence: i32,
    /// Sequence of its last record; −1 if it has no sequences.
    pub last_sequence: i32,
    /// Offset of its first record.
    pub base_offset: i64,
    /// Offset of its last record.
    pub last_offset: i64,
}

impl NewestBatch {
    /// The batch with these numbers; `None` if there can be none.
    pub fn new(last_sequence: i32, last_offset: i64, offset_delta: i32) -> Option<Self> {
        if last_sequence < -1 || offset_delta < 0 || last_offset < i64::from(offset_delta) {
            return None;
        }
        let first_sequence = match last_sequence {
            -1 => -1,
            _ if offset_delta <= last_sequence => last_sequence - offset_delta,
            _ => LAST_SEQUENCE - (offset_delta - last_sequence - 1),
        };
        Some(NewestBatch {
            first_sequence,
            last_sequence,
            base_offset: last_offset - i64::from(offset_delta),
            last_offset,
        })
    }
}

/// What a snapshot holds of a producer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProducerState {
    /// Where it stands in the input.
    pub place: Place,
    /// Producer id.
    pub producer_id: i64,
    /// Producer epoch.
    pub producer_epoch: i16,
    /// Its newest batch; `None` if only a transaction marker is left of it.
    pub newest: Option<NewestBatch>,
}
