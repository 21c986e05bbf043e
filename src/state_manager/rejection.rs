//! Why the manager refuses a batch, with the numbers that an operator asks for and the
//! error code that goes to the client.

use thiserror::Error;

use super::numbers::{CoordinatorEpoch, Epoch, Offset, Sequence};

/// A refusal. Nothing was changed by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Rejection {
    /// The batch is malformed: INVALID_RECORD (87).
    #[error("invalid record batch: {0}")]
    InvalidRecord(#[from] InvalidRecord),
    /// The batch does not follow the last one: OUT_OF_ORDER_SEQUENCE_NUMBER (45).
    #[error("out of order: expected sequence {expected}, received {received} ({because})")]
    OutOfOrderSequence {
        /// The only first sequence that would have been accepted.
        expected: Sequence,
        /// The first sequence of the batch.
        received: Sequence,
        /// What makes `expected` the only one.
        because: Because,
    },
    /// The batch or marker comes from before an epoch bump: INVALID_PRODUCER_EPOCH (47).
    #[error("stale producer epoch: the current one is {current}, received {received}")]
    StaleEpoch {
        /// The producer's current epoch on this partition.
        current: Epoch,
        /// The epoch of the batch or marker.
        received: Epoch,
    },
    /// A batch outside of a transaction while one is open: INVALID_TXN_STATE (48).
    #[error("the producer has a transaction open since offset {first_offset}, the batch is not part of it")]
    OpenTransaction {
        /// Offset at which the open transaction began.
        first_offset: Offset,
    },
    /// A marker of a coordinator that was replaced: TRANSACTION_COORDINATOR_FENCED (52).
    #[error("marker of an old coordinator: the current epoch is {current}, received {received}")]
    CoordinatorFenced {
        /// Epoch of the newest coordinator that wrote a marker.
        current: CoordinatorEpoch,
        /// Epoch of the marker's coordinator.
        received: CoordinatorEpoch,
    },
}

/// What makes one sequence the only acceptable one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Because {
    /// It follows the newest batch.
    Next,
    /// The epoch is new, or nothing but a marker is known of it.
    StartOfEpoch,
    /// Nothing is known of the producer (only under
    /// [`Profile::Hardened`](super::Profile::Hardened)).
    UnknownProducer,
}

impl std::fmt::Display for Because {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Because::Next => "it follows the newest batch",
            Because::StartOfEpoch => "the epoch has no batch yet",
            Because::UnknownProducer => "nothing is known of the producer",
        })
    }
}

/// What is wrong with a batch's own fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum InvalidRecord {
    /// Control batches are written by brokers only.
    #[error("it is a control batch")]
    ControlBatch,
    /// The batch is empty, or its count does not fit its offsets.
    #[error("{records} records do not fit a last offset delta of {last_offset_delta}")]
    RecordCount {
        /// The number of records that the header states.
        records: i32,
        /// The last offset delta that the header states.
        last_offset_delta: i32,
    },
    /// A producer id without a sequence, or a sequence that overflowed in the client.
    #[error("it has a producer id and the base sequence {sequence}")]
    NegativeSequence {
        /// The base sequence of the header.
        sequence: i32,
    },
    /// A produce request has exactly one batch for each partition.
    #[error("there are {batches} batches for the partition, there must be one")]
    NotOneBatch {
        /// How many there are.
        batches: usize,
    },
}

impl Rejection {
    /// The error code of Kafka's protocol.
    pub fn code(&self) -> i16 {
        match self {
            Rejection::OutOfOrderSequence { .. } => 45,
            Rejection::StaleEpoch { .. } => 47,
            Rejection::OpenTransaction { .. } => 48,
            Rejection::CoordinatorFenced { .. } => 52,
            Rejection::InvalidRecord(_) => 87,
        }
    }

    /// The name of that code.
    pub fn code_name(&self) -> &'static str {
        match self {
            Rejection::OutOfOrderSequence { .. } => "OUT_OF_ORDER_SEQUENCE_NUMBER",
            Rejection::StaleEpoch { .. } => "INVALID_PRODUCER_EPOCH",
            Rejection::OpenTransaction { .. } => "INVALID_TXN_STATE",
            Rejection::CoordinatorFenced { .. } => "TRANSACTION_COORDINATOR_FENCED",
            Rejection::InvalidRecord(_) => "INVALID_RECORD",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_refusal_has_the_code_that_kafka_gives_it() {
        let next = Sequence::new(5).unwrap();
        let out_of_order = |because| Rejection::OutOfOrderSequence {
            expected: next,
            received: Sequence::ZERO,
            because,
        };
        let table = [
            (
                out_of_order(Because::Next),
                45,
                "OUT_OF_ORDER_SEQUENCE_NUMBER",
                "out of order: expected sequence 5, received 0 (it follows the newest batch)",
            ),
            (
                out_of_order(Because::StartOfEpoch),
                45,
                "OUT_OF_ORDER_SEQUENCE_NUMBER",
                "out of order: expected sequence 5, received 0 (the epoch has no batch yet)",
            ),
            (
                out_of_order(Because::UnknownProducer),
                45,
                "OUT_OF_ORDER_SEQUENCE_NUMBER",
                "out of order: expected sequence 5, received 0 (nothing is known of the producer)",
            ),
            (
                Rejection::StaleEpoch {
                    current: Epoch::new(3),
                    received: Epoch::new(2),
                },
                47,
                "INVALID_PRODUCER_EPOCH",
                "stale producer epoch: the current one is 3, received 2",
            ),
            (
                Rejection::OpenTransaction {
                    first_offset: Offset::ZERO,
                },
                48,
                "INVALID_TXN_STATE",
                "the producer has a transaction open since offset 0, the batch is not part of it",
            ),
            (
                Rejection::CoordinatorFenced {
                    current: CoordinatorEpoch::new(4),
                    received: CoordinatorEpoch::new(1),
                },
                52,
                "TRANSACTION_COORDINATOR_FENCED",
                "marker of an old coordinator: the current epoch is 4, received 1",
            ),
            (
                InvalidRecord::NotOneBatch { batches: 2 }.into(),
                87,
                "INVALID_RECORD",
                "invalid record batch: there are 2 batches for the partition, there must be one",
            ),
        ];
        for (rejection, code, name, text) in table {
            assert_eq!(rejection.code(), code);
            assert_eq!(rejection.code_name(), name);
            assert_eq!(rejection.to_string(), text);
        }
    }
}
