//! Builders for the tests of the properties: hand-made histories in a few words.

use crate::{
    Answer, Batch, Decision, Epoch, Event, Identity, LogEntry, Offset, Outcome, Partition,
    ProducerId, Record, RecordedHistory, RecordedMemory, Rejection, Sequence,
};

/// An event of a hand-made history.
pub(crate) type Seen<'a> = Event<'a, RecordedMemory>;

/// The producer of every batch that a builder makes.
pub(crate) const PRODUCER: ProducerId = ProducerId(1);
/// The partition of every batch that a builder makes.
pub(crate) const PARTITION: Partition = Partition(0);

/// Every rejection, by its number in Kafka's protocol.
pub(crate) const EVERY_REJECTION: [Rejection; 11] = [
    Rejection::NotLeaderOrFollower,
    Rejection::RequestTimedOut,
    Rejection::MessageTooLarge,
    Rejection::NotEnoughReplicas,
    Rejection::NotEnoughReplicasAfterAppend,
    Rejection::InvalidTimestamp,
    Rejection::OutOfOrderSequence,
    Rejection::InvalidProducerEpoch,
    Rejection::KafkaStorageError,
    Rejection::UnknownProducerId,
    Rejection::InvalidRecord,
];

/// A batch with idempotence: its first record, how many, its epoch and base sequence.
pub(crate) fn batch(first_record: i64, count: u32, epoch: i64, base_sequence: i64) -> Batch {
    Batch {
        identity: Some(Identity {
            epoch: Epoch(epoch),
            first: Sequence(base_sequence),
            last: Sequence(base_sequence + i64::from(count) - 1),
        }),
        ..plain(first_record, count)
    }
}

/// A batch without idempotence.
pub(crate) fn plain(first_record: i64, count: u32) -> Batch {
    Batch {
        producer: PRODUCER,
        partition: PARTITION,
        identity: None,
        first_record: Record(first_record),
        count,
    }
}

/// The same batch from another producer.
pub(crate) fn from_another_producer(batch: Batch) -> Batch {
    Batch {
        producer: ProducerId(2),
        ..batch
    }
}

/// The same batch for another partition.
pub(crate) fn for_another_partition(batch: Batch) -> Batch {
    Batch {
        partition: Partition(1),
        ..batch
    }
}

/// The batch was written, its first record at this offset.
pub(crate) fn appended(batch: Batch, base: i64) -> Seen<'static> {
    Event::Appended {
        batch,
        base: Offset(base),
    }
}

/// The broker decided a request and changed nothing.
pub(crate) fn decided(batch: Batch, answer: Option<Answer>, memory: &RecordedMemory) -> Seen<'_> {
    Event::Decided(Decision {
        batch,
        answer,
        before: memory,
        after: memory,
        log_end_before: Offset(0),
        log_end_after: Offset(0),
    })
}

/// The producer read an answer.
pub(crate) fn answered(batch: Batch, answer: Answer) -> Seen<'static> {
    Event::Answered { batch, answer }
}

/// The application was told an outcome.
pub(crate) fn reported(record: i64, outcome: Outcome) -> Seen<'static> {
    Event::Reported {
        producer: PRODUCER,
        partition: PARTITION,
        record: Record(record),
        outcome,
    }
}

/// The log was cut at this offset.
pub(crate) fn truncated(end: i64) -> Seen<'static> {
    Event::Truncated {
        partition: PARTITION,
        end: Offset(end),
    }
}

/// The answer "duplicate" with the offset of the original.
pub(crate) fn duplicate_at(base: i64) -> Answer {
    Answer::Duplicate {
        base: Some(Offset(base)),
    }
}

/// What was seen so far.
pub(crate) fn history(events: &[Seen<'_>]) -> RecordedHistory {
    let mut history = RecordedHistory::default();
    for event in events {
        history.record(event);
    }
    history
}

/// The events of these batches written one behind the other into one partition, from
/// offset 0.
pub(crate) fn appends(batches: &[Batch]) -> Vec<Seen<'static>> {
    let mut end = 0;
    let mut events = Vec::new();
    for batch in batches {
        events.push(appended(*batch, end));
        end += i64::from(batch.count);
    }
    events
}

/// What is seen when these batches are written one behind the other.
pub(crate) fn log(batches: &[Batch]) -> RecordedHistory {
    history(&appends(batches))
}

/// Every log of at most `longest` batches drawn from `choices`, the empty one included.
pub(crate) fn every_log(choices: &[Batch], longest: usize) -> Vec<Vec<Batch>> {
    let mut logs = vec![Vec::new()];
    let mut previous = logs.clone();
    for _ in 0..longest {
        previous = previous
            .iter()
            .flat_map(|log| {
                choices
                    .iter()
                    .map(|batch| [log.as_slice(), &[*batch]].concat())
            })
            .collect();
        logs.extend_from_slice(&previous);
    }
    logs
}

/// The records of a log in the order in which they stand.
pub(crate) fn records(log: &[Batch]) -> Vec<Record> {
    log.iter().flat_map(Batch::records).collect()
}

/// How a history remembers a batch at this offset.
pub(crate) fn entry(batch: Batch, base: i64) -> LogEntry {
    LogEntry {
        identity: batch.identity,
        base: Offset(base),
    }
}
