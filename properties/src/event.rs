//! The vocabulary: what an observer of producers, brokers and applications can see.

use std::fmt;

macro_rules! number {
    ($(#[$about:meta])* $name:ident($inner:ty)) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub $inner);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

number! {
    /// A producer id: one identity given out by InitProducerId (KIP-98).
    ProducerId(i64)
}
number! {
    /// A partition of a topic, as a number.
    Partition(i32)
}
number! {
    /// The identity of a record: its place in the order in which the application handed
    /// records to one producer for one partition. Never the sequence number: after an
    /// epoch bump the same record travels under another sequence.
    Record(i64)
}
number! {
    /// A place in the log of one partition.
    Offset(i64)
}
number! {
    /// A sequence number of one producer, epoch and partition; counts records (KIP-98).
    Sequence(i64)
}
number! {
    /// A producer epoch.
    Epoch(i64)
}

/// What names a batch to the broker beside its producer id: epoch, first and last sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Identity {
    /// Producer epoch under which the batch travels.
    pub epoch: Epoch,
    /// Sequence of the first record (Kafka: base sequence).
    pub first: Sequence,
    /// Sequence of the last record.
    pub last: Sequence,
}

/// One batch as it travels in a request and stands in a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Batch {
    /// Whose batch it is.
    pub producer: ProducerId,
    /// Where it belongs.
    pub partition: Partition,
    /// Epoch and sequences; `None` from a producer without idempotence.
    pub identity: Option<Identity>,
    /// Its first record; the others follow in order.
    pub first_record: Record,
    /// How many records it holds, at least 1.
    pub count: u32,
}

impl Batch {
    /// The records of the batch, in order.
    pub fn records(&self) -> impl Iterator<Item = Record> {
        let first = self.first_record.0;
        (first..first + i64::from(self.count)).map(Record)
    }
}

/// Why a broker refused a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rejection {
    /// OUT_OF_ORDER_SEQUENCE_NUMBER (45).
    OutOfOrderSequence,
    /// INVALID_PRODUCER_EPOCH (47).
    InvalidProducerEpoch,
    /// UNKNOWN_PRODUCER_ID (59), Kafka 1.0 to 2.4.
    UnknownProducerId,
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Rejection::OutOfOrderSequence => "OUT_OF_ORDER_SEQUENCE_NUMBER",
            Rejection::InvalidProducerEpoch => "INVALID_PRODUCER_EPOCH",
            Rejection::UnknownProducerId => "UNKNOWN_PRODUCER_ID",
        })
    }
}

/// What a broker answers to one batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// The batch was appended; its first record stands at `base`.
    Appended {
        /// Offset of the first record.
        base: Offset,
    },
    /// The batch is in the log already. Kafka since 1.0 names the original offset and
    /// answers without an error; DUPLICATE_SEQUENCE_NUMBER (46) names none.
    Duplicate {
        /// Offset of the first record of the original, if the answer names one.
        base: Option<Offset>,
    },
    /// The batch was refused.
    Rejected(Rejection),
}

/// What the application is told of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The record is written; its offset, if the broker named one.
    Acknowledged {
        /// Offset told to the application.
        offset: Option<Offset>,
    },
    /// The record is *not* written. (A client that cannot know must say `Unknown`.)
    Failed,
    /// The producer gave up and does not know.
    Unknown,
}

/// One batch that a broker's producer state remembers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Remembered {
    /// Sequence of its first record.
    pub first: Sequence,
    /// Sequence of its last record.
    pub last: Sequence,
    /// Offset of its first record.
    pub base: Offset,
}

/// What a broker holds of one producer on one partition, as it can be read from outside
/// (DescribeProducers, a producer snapshot, a debugger).
pub trait BrokerMemory: PartialEq + fmt::Debug {
    /// Current epoch of the producer; `None` if the broker holds no state for it.
    fn epoch(&self) -> Option<Epoch>;
    /// Last sequence of the newest batch in the current epoch, if there is one.
    fn last_sequence(&self) -> Option<Sequence>;
    /// How many batches this kind of broker promises to remember (Kafka: 5).
    fn capacity(&self) -> usize;
    /// The batches remembered, newest first: `remembered(0)` is the newest.
    fn remembered(&self, newest: usize) -> Option<Remembered>;
}

/// A broker decided a request that arrived. Comes after the [`Event::Appended`] of the
/// same step, if there was one.
#[derive(Clone, Copy, Debug)]
pub struct Decision<'a, M> {
    /// The batch of the request.
    pub batch: Batch,
    /// The answer; `None` if the broker keeps the request and answers later.
    pub answer: Option<Answer>,
    /// Producer state just before.
    pub before: &'a M,
    /// Producer state just after.
    pub after: &'a M,
    /// Log end offset just before.
    pub log_end_before: Offset,
    /// Log end offset just after.
    pub log_end_after: Offset,
}

/// One thing that happened and could be seen.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a, M> {
    /// The application handed the records of this batch to the producer, which sent them
    /// for the first time.
    Sent {
        /// The batch as first sent.
        batch: Batch,
    },
    /// A batch was written to the log.
    Appended {
        /// The batch.
        batch: Batch,
        /// Offset of its first record.
        base: Offset,
    },
    /// A broker decided a request.
    Decided(Decision<'a, M>),
    /// The producer read the answer to a request that it still waited for.
    Answered {
        /// The batch, under the identity by which the producer knows it now (after an epoch
        /// bump that is not the one it travelled under).
        batch: Batch,
        /// What the broker said.
        answer: Answer,
    },
    /// The application was told what became of a record.
    Reported {
        /// Whose record.
        producer: ProducerId,
        /// Of which partition.
        partition: Partition,
        /// The record.
        record: Record,
        /// What was told.
        outcome: Outcome,
    },
    /// A leader's log was cut: what stood at `end` and beyond is gone. So it is when a new
    /// leader's log is shorter than that of the old (an unclean election, acks=1). Of a
    /// batch that reaches across `end` nothing is left, for logs are cut between batches.
    Truncated {
        /// Whose log.
        partition: Partition,
        /// Log end offset after the cut.
        end: Offset,
    },
    /// The run is over: faults have ceased and nothing more will happen.
    Finished,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::plain;

    #[test]
    fn the_records_of_a_batch_follow_its_first() {
        let records: Vec<Record> = plain(5, 3).records().collect();
        assert_eq!(records, [Record(5), Record(6), Record(7)]);
    }

    #[test]
    fn rejections_are_shown_under_the_names_that_kafka_gives_them() {
        for (rejection, name) in [
            (
                Rejection::OutOfOrderSequence,
                "OUT_OF_ORDER_SEQUENCE_NUMBER",
            ),
            (Rejection::InvalidProducerEpoch, "INVALID_PRODUCER_EPOCH"),
            (Rejection::UnknownProducerId, "UNKNOWN_PRODUCER_ID"),
        ] {
            assert_eq!(rejection.to_string(), name);
        }
    }

    #[test]
    fn numbers_are_shown_bare() {
        assert_eq!(format!("{:>3}", Offset(7)), "  7");
        assert_eq!(Sequence(-1).to_string(), "-1");
    }
}
