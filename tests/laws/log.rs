//! Logs that are made up at random.

use std::collections::HashMap;

use quickcheck::{Arbitrary, Gen};
use retryproof::state_manager::{
    BatchHeader, CommitError, CoordinatorEpoch, Ending, Epoch, LoggedBatch, Marker, Offset,
    ProducerId, ProducerStateManager, Timestamp,
};

/// The producers of all logs.
pub const PRODUCERS: std::ops::Range<i64> = 0..6;
/// The time at which the first entry is recorded; each of the following a millisecond later.
const START: i64 = 10_000;
/// More than a batch may have to be told apart by its sequences alone, in a window of 63.
const LARGE: i32 = 1 << 25;

/// A choice of what comes next in a log. What it leads to depends on what came before, so
/// that every list of choices makes a log that a leader may have.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    producer: i64,
    what: What,
    /// Records of a batch, before compaction.
    records: i32,
    /// Offsets left out before it: compaction took what stood there.
    gap: i64,
    timestamp: i64,
}

#[derive(Clone, Copy, Debug)]
enum What {
    Plain,
    Batch {
        epoch: Step,
        start: Start,
        transactional: bool,
        compacted: bool,
    },
    Coordinator,
    Marker {
        epoch: Step,
        ending: Ending,
        new_coordinator: bool,
    },
    EmptyControl,
}

/// How a producer's epoch changes. A lower one comes from a leader that had forgotten the
/// producer.
#[derive(Clone, Copy, Debug)]
enum Step {
    Same,
    Higher,
    Lower,
}

/// Where the sequences of a batch begin.
#[derive(Clone, Copy, Debug)]
enum Start {
    /// After the last batch; at 0 if there is none in the epoch.
    Next,
    /// Just below the wrap.
    NearWrap,
    /// Anywhere.
    Anywhere(i32),
}

impl Arbitrary for Choice {
    fn arbitrary(g: &mut Gen) -> Self {
        let records = match u8::arbitrary(g) % 16 {
            0 => LARGE + i32::arbitrary(g) % 2,
            small => i32::from(small) % 5 + 1,
        };
        Choice {
            producer: i64::from(u8::arbitrary(g)) % PRODUCERS.end,
            what: What::arbitrary(g),
            records,
            gap: i64::from(*one_of(g, &[0, 0, 0, 0, 0, 2])),
            timestamp: i64::from(u16::arbitrary(g)),
        }
    }
}

impl Arbitrary for What {
    fn arbitrary(g: &mut Gen) -> Self {
        match u8::arbitrary(g) % 20 {
            0 => What::Plain,
            1 => What::EmptyControl,
            2 => What::Coordinator,
            3..=5 => What::Marker {
                epoch: *one_of(g, &[Step::Same, Step::Same, Step::Higher]),
                ending: *one_of(g, &[Ending::Committed, Ending::Aborted]),
                new_coordinator: bool::arbitrary(g),
            },
            _ => What::Batch {
                epoch: match u8::arbitrary(g) % 12 {
                    0 => Step::Higher,
                    1 => Step::Lower,
                    _ => Step::Same,
                },
                start: match u8::arbitrary(g) % 12 {
                    0 => Start::NearWrap,
                    1 => Start::Anywhere(i32::arbitrary(g) & i32::MAX),
                    _ => Start::Next,
                },
                transactional: u8::arbitrary(g) % 8 == 0,
                compacted: u8::arbitrary(g) % 8 == 0,
            },
        }
    }
}

pub fn one_of<'a, T>(g: &mut Gen, all: &'a [T]) -> &'a T {
    g.choose(all).expect("some")
}

/// One batch, marker or control batch in a log.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Offset of its first record.
    pub base: i64,
    /// The offset after its last record.
    pub end: i64,
    /// When it is recorded.
    pub now: Timestamp,
    pub content: Content,
}

#[derive(Clone, Copy, Debug)]
pub enum Content {
    Plain,
    Batch {
        batch: LoggedBatch,
        producer: ProducerId,
        transactional: bool,
    },
    Marker(Marker),
    EmptyControl(ProducerId),
}

impl Entry {
    /// Whose it is.
    pub fn producer(&self) -> Option<ProducerId> {
        match self.content {
            Content::Plain => None,
            Content::Batch { producer, .. } | Content::EmptyControl(producer) => Some(producer),
            Content::Marker(marker) => Some(marker.producer_id),
        }
    }

    /// Has a manager record it.
    pub fn record(&self, manager: &mut ProducerStateManager) -> Result<(), CommitError> {
        match self.content {
            Content::Plain => manager.skip_to(offset(self.end)),
            Content::Batch { batch, .. } => manager.replicate(&batch, self.now),
            Content::Marker(marker) => manager
                .replicate_marker(&marker, offset(self.base), self.now)
                .map(drop),
            Content::EmptyControl(producer) => {
                manager.replicate_empty_control(producer, offset(self.base), self.now)
            }
        }
    }
}

pub fn offset(number: i64) -> Offset {
    Offset::new(number).expect("not negative")
}

pub fn producer_id(number: i64) -> ProducerId {
    ProducerId::new(number).expect("not negative")
}

/// Has a manager record a part of a log.
pub fn record_all(manager: &mut ProducerStateManager, log: &[Entry]) {
    for entry in log {
        entry.record(manager).expect("a log that a leader may have");
    }
}

/// What a log says of one producer, as far as choices depend on it.
#[derive(Clone, Copy)]
struct Producer {
    epoch: i16,
    next_sequence: Option<i32>,
    in_transaction: bool,
    coordinator_epoch: i32,
}

/// The log that these choices make.
pub fn log(choices: &[Choice]) -> Vec<Entry> {
    let mut producers = HashMap::new();
    let mut end = 0;
    let mut log = Vec::new();
    for (choice, now) in choices.iter().zip(START..) {
        let producer = producers.entry(choice.producer).or_insert(Producer {
            epoch: -1,
            next_sequence: None,
            in_transaction: false,
            coordinator_epoch: 0,
        });
        let base = end + choice.gap;
        let (content, records) = choice.content(producer, base);
        end = base + i64::from(records);
        log.push(Entry {
            base,
            end,
            now: Timestamp::from_millis(now),
            content,
        });
    }
    log
}

/// The time after everything in a log.
pub fn after(log: &[Entry]) -> Timestamp {
    log.last().map_or(Timestamp::from_millis(START), |last| {
        Timestamp::from_millis(last.now.get() + 1)
    })
}

impl Choice {
    fn content(&self, producer: &mut Producer, base: i64) -> (Content, i32) {
        match self.what {
            What::Plain => (Content::Plain, self.records),
            What::EmptyControl => (Content::EmptyControl(producer_id(self.producer)), 1),
            What::Marker {
                epoch,
                ending,
                new_coordinator,
            } => {
                producer.step(epoch);
                producer.in_transaction = false;
                producer.coordinator_epoch += i32::from(new_coordinator);
                let marker = Marker {
                    producer_id: producer_id(self.producer),
                    epoch: Epoch::new(producer.epoch),
                    coordinator_epoch: CoordinatorEpoch::new(producer.coordinator_epoch),
                    timestamp: Timestamp::from_millis(self.timestamp),
                    ending,
                };
                (Content::Marker(marker), 1)
            }
            What::Coordinator => {
                producer.step(Step::Same);
                producer.in_transaction = true;
                producer.next_sequence = Some(0);
                (self.batch(producer, -1, self.records, base), self.records)
            }
            What::Batch {
                epoch,
                start,
                transactional,
                compacted,
            } => {
                producer.step(epoch);
                producer.in_transaction |= transactional;
                let sequence = match start {
                    Start::Next => producer.next_sequence.unwrap_or(0),
                    Start::NearWrap => i32::MAX - 4,
                    Start::Anywhere(sequence) => sequence,
                };
                producer.next_sequence = Some(sequence.wrapping_add(self.records) & i32::MAX);
                let left = if compacted { 0 } else { self.records };
                (self.batch(producer, sequence, left, base), self.records)
            }
        }
    }

    fn batch(&self, producer: &Producer, sequence: i32, left: i32, base: i64) -> Content {
        let header = BatchHeader {
            producer_id: self.producer,
            producer_epoch: producer.epoch,
            base_sequence: sequence,
            last_offset_delta: self.records - 1,
            record_count: left,
            max_timestamp: self.timestamp,
            transactional: producer.in_transaction,
            control: false,
        };
        let logged = LoggedBatch::from_header(&header, offset(base)).expect("a sound header");
        Content::Batch {
            batch: logged.expect("a producer id"),
            producer: producer_id(self.producer),
            transactional: producer.in_transaction,
        }
    }
}

impl Producer {
    fn step(&mut self, step: Step) {
        let epoch = match step {
            Step::Same => self.epoch.max(0),
            Step::Higher => self.epoch + 1,
            Step::Lower => (self.epoch - 1).max(0),
        };
        if epoch != self.epoch {
            self.epoch = epoch;
            self.next_sequence = None;
        }
    }
}
