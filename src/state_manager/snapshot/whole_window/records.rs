//! A producer and a batch, as numbers and as bytes.

use super::super::field::Field;
use super::{BATCH_SIZE, PRODUCER_SIZE};

const PRODUCER_ID: Field<0> = Field;
const LAST_TIMESTAMP: Field<8> = Field;
const LAST_SEEN: Field<16> = Field;
const TRANSACTION_FIRST_OFFSET: Field<24> = Field;
const COORDINATOR_EPOCH: Field<32> = Field;
const EPOCH: Field<36> = Field;
/// How many batches follow a producer.
pub(super) const BATCH_COUNT: Field<38> = Field;

const LAST_OFFSET: Field<0> = Field;
const TIMESTAMP: Field<8> = Field;
const LAST_SEQUENCE: Field<16> = Field;
const OFFSET_DELTA: Field<20> = Field;

/// What a file holds of one producer, apart from its batches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Producer {
    /// Producer id, 0 or more.
    pub producer_id: i64,
    /// Producer epoch; any number.
    pub epoch: i16,
    /// Epoch of the coordinator that wrote the last transaction marker; −1 if there was none.
    pub coordinator_epoch: i32,
    /// Last timestamp of the producer, in ms; −1 if there was none.
    pub last_timestamp: i64,
    /// When the broker last heard of the producer by its own clock, in ms.
    pub last_seen: i64,
    /// First offset of the open transaction; −1 if there is none.
    pub transaction_first_offset: i64,
}

/// What a file holds of one batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchRecord {
    /// Sequence of its last record; −1 if it has none, as those of the group coordinator.
    pub last_sequence: i32,
    /// Offset of its last record.
    pub last_offset: i64,
    /// Last offset − first offset, 0 or more.
    pub offset_delta: i32,
    /// Largest timestamp of its records, in ms.
    pub timestamp: i64,
}

impl Producer {
    #[inline]
    pub(super) fn from_bytes(bytes: &[u8; PRODUCER_SIZE]) -> Self {
        Producer {
            producer_id: i64::from_be_bytes(PRODUCER_ID.get(bytes)),
            epoch: i16::from_be_bytes(EPOCH.get(bytes)),
            coordinator_epoch: i32::from_be_bytes(COORDINATOR_EPOCH.get(bytes)),
            last_timestamp: i64::from_be_bytes(LAST_TIMESTAMP.get(bytes)),
            last_seen: i64::from_be_bytes(LAST_SEEN.get(bytes)),
            transaction_first_offset: i64::from_be_bytes(TRANSACTION_FIRST_OFFSET.get(bytes)),
        }
    }

    #[inline]
    pub(super) fn to_bytes(self, batches: u16) -> [u8; PRODUCER_SIZE] {
        let mut bytes = [0; PRODUCER_SIZE];
        PRODUCER_ID.put(&mut bytes, self.producer_id.to_be_bytes());
        EPOCH.put(&mut bytes, self.epoch.to_be_bytes());
        COORDINATOR_EPOCH.put(&mut bytes, self.coordinator_epoch.to_be_bytes());
        LAST_TIMESTAMP.put(&mut bytes, self.last_timestamp.to_be_bytes());
        LAST_SEEN.put(&mut bytes, self.last_seen.to_be_bytes());
        let first_offset = self.transaction_first_offset.to_be_bytes();
        TRANSACTION_FIRST_OFFSET.put(&mut bytes, first_offset);
        BATCH_COUNT.put(&mut bytes, batches.to_be_bytes());
        bytes
    }
}

impl BatchRecord {
    #[inline]
    pub(super) fn from_bytes(bytes: &[u8; BATCH_SIZE]) -> Self {
        BatchRecord {
            last_sequence: i32::from_be_bytes(LAST_SEQUENCE.get(bytes)),
            last_offset: i64::from_be_bytes(LAST_OFFSET.get(bytes)),
            offset_delta: i32::from_be_bytes(OFFSET_DELTA.get(bytes)),
            timestamp: i64::from_be_bytes(TIMESTAMP.get(bytes)),
        }
    }

    #[inline]
    pub(super) fn to_bytes(self) -> [u8; BATCH_SIZE] {
        let mut bytes = [0; BATCH_SIZE];
        LAST_SEQUENCE.put(&mut bytes, self.last_sequence.to_be_bytes());
        LAST_OFFSET.put(&mut bytes, self.last_offset.to_be_bytes());
        OFFSET_DELTA.put(&mut bytes, self.offset_delta.to_be_bytes());
        TIMESTAMP.put(&mut bytes, self.timestamp.to_be_bytes());
        bytes
    }
}
