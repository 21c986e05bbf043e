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

/// The error with which a broker answers a batch, under Kafka's name.
///
/// *Retriable* says that its exception is a RetriableException of the Java client: it sends
/// the same batch again. *Appended* says whether the batch may be in the log all the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rejection {
    /// NOT_LEADER_OR_FOLLOWER (6). Retriable. It may have been appended: the broker can
    /// lose its leadership while the batch waits for the replicas.
    NotLeaderOrFollower,
    /// REQUEST_TIMED_OUT (7). Retriable. It was appended to the leader's log: with acks=all
    /// the replicas did not follow in time.
    RequestTimedOut,
    /// MESSAGE_TOO_LARGE (10). Not retriable (the client splits a batch of several
    /// records). Not appended.
    MessageTooLarge,
    /// NOT_ENOUGH_REPLICAS (19). Retriable. Not appended: it is asked first.
    NotEnoughReplicas,
    /// NOT_ENOUGH_REPLICAS_AFTER_APPEND (20). Retriable. It was appended to the leader's
    /// log.
    NotEnoughReplicasAfterAppend,
    /// INVALID_TIMESTAMP (32). Not retriable. Not appended.
    InvalidTimestamp,
    /// OUT_OF_ORDER_SEQUENCE_NUMBER (45). Not retriable by its class; the Java client has a
    /// rule of its own for it. Not appended.
    OutOfOrderSequence,
    /// INVALID_PRODUCER_EPOCH (47). Not retriable. Not appended.
    InvalidProducerEpoch,
    /// KAFKA_STORAGE_ERROR (56). Retriable. It may have been appended before the disk
    /// failed.
    KafkaStorageError,
    /// UNKNOWN_PRODUCER_ID (59), Kafka 1.0 to 2.4. Not retriable by its class; the Java
    /// client has a rule of its own for it. Not appended.
    UnknownProducerId,
    /// INVALID_RECORD (87). Not retriable. Not appended.
    InvalidRecord,
}

impl Rejection {
    /// Whether the batch may stand in the log although the answer is an error: the error
    /// came after the append, or nobody can tell.
    pub fn may_have_appended(self) -> bool {
        match self {
            Rejection::NotLeaderOrFollower
            | Rejection::RequestTimedOut
            | Rejection::NotEnoughReplicasAfterAppend
            | Rejection::KafkaStorageError => true,
            Rejection::MessageTooLarge
            | Rejection::NotEnoughReplicas
            | Rejection::InvalidTimestamp
            | Rejection::OutOfOrderSequence
            | Rejection::InvalidProducerEpoch
            | Rejection::UnknownProducerId
            | Rejection::InvalidRecord => false,
        }
    }

    /// Whether the error by its class asks for the same batch again, and says nothing of
    /// the batch itself.
    pub fn is_retriable(self) -> bool {
        self.may_have_appended() || self == Rejection::NotEnoughReplicas
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Rejection::NotLeaderOrFollower => "NOT_LEADER_OR_FOLLOWER",
            Rejection::RequestTimedOut => "REQUEST_TIMED_OUT",
            Rejection::MessageTooLarge => "MESSAGE_TOO_LARGE",
            Rejection::NotEnoughReplicas => "NOT_ENOUGH_REPLICAS",
            Rejection::NotEnoughReplicasAfterAppend => "NOT_ENOUGH_REPLICAS_AFTER_APPEND",
            Rejection::InvalidTimestamp => "INVALID_TIMESTAMP",
            Rejection::OutOfOrderSequence => "OUT_OF_ORDER_SEQUENCE_NUMBER",
            Rejection::InvalidProducerEpoch => "INVALID_PRODUCER_EPOCH",
            Rejection::KafkaStorageError => "KAFKA_STORAGE_ERROR",
            Rejection::UnknownProducerId => "UNKNOWN_PRODUCER_ID",
            Rejection::InvalidRecord => "INVALID_RECORD",
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
    /// The answer was an error: the batch was refused, or its fate is open
    /// ([`Rejection::may_have_appended`]).
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
    use crate::testing::{plain, EVERY_REJECTION};

    #[test]
    fn the_records_of_a_batch_follow_its_first() {
        let records: Vec<Record> = plain(5, 3).records().collect();
        assert_eq!(records, [Record(5), Record(6), Record(7)]);
    }

    #[test]
    fn rejections_are_shown_under_the_names_that_kafka_gives_them() {
        let names = EVERY_REJECTION.map(|rejection| rejection.to_string());
        assert_eq!(
            names,
            [
                "NOT_LEADER_OR_FOLLOWER",
                "REQUEST_TIMED_OUT",
                "MESSAGE_TOO_LARGE",
                "NOT_ENOUGH_REPLICAS",
                "NOT_ENOUGH_REPLICAS_AFTER_APPEND",
                "INVALID_TIMESTAMP",
                "OUT_OF_ORDER_SEQUENCE_NUMBER",
                "INVALID_PRODUCER_EPOCH",
                "KAFKA_STORAGE_ERROR",
                "UNKNOWN_PRODUCER_ID",
                "INVALID_RECORD",
            ]
        );
    }

    #[test]
    fn after_some_errors_the_batch_may_be_in_the_log() {
        let may = EVERY_REJECTION
            .into_iter()
            .filter(|rejection| rejection.may_have_appended());
        assert!(may.eq([
            Rejection::NotLeaderOrFollower,
            Rejection::RequestTimedOut,
            Rejection::NotEnoughReplicasAfterAppend,
            Rejection::KafkaStorageError,
        ]));
    }

    #[test]
    fn some_errors_ask_for_the_same_batch_again() {
        let retriable = EVERY_REJECTION
            .into_iter()
            .filter(|rejection| rejection.is_retriable());
        assert!(retriable.eq([
            Rejection::NotLeaderOrFollower,
            Rejection::RequestTimedOut,
            Rejection::NotEnoughReplicas,
            Rejection::NotEnoughReplicasAfterAppend,
            Rejection::KafkaStorageError,
        ]));
    }

    #[test]
    fn numbers_are_shown_bare() {
        assert_eq!(format!("{:>3}", Offset(7)), "  7");
        assert_eq!(Sequence(-1).to_string(), "-1");
    }
}
