//! What a file of either format holds, also in the shape of its JSON.

use std::collections::HashSet;

use serde::Serialize;

use crate::state_manager::snapshot::{self, kafka, whole_window, SnapshotError};
use crate::state_manager::Sequence;

/// What a file holds. Its JSON is stable; keys are only ever added.
#[derive(Serialize)]
pub(super) struct Contents {
    pub(super) format: Format,
    pub(super) version: u32,
    /// In hexadecimal digits.
    pub(super) checksum: String,
    /// The log is covered up to here, exclusive; `None` if the file does not say.
    pub(super) map_end: Option<i64>,
    /// Why a broker refuses the file under its name, though it is whole; `None` if it does
    /// not.
    pub(super) refused: Option<String>,
    pub(super) producers: Vec<Producer>,
}

#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Format {
    Kafka,
    WholeWindow,
}

impl Format {
    /// The format in words.
    pub(super) fn about(self) -> &'static str {
        match self {
            Format::Kafka => "Kafka's format, the newest batch of each producer",
            Format::WholeWindow => "The whole window of each producer",
        }
    }
}

/// One producer. `None` is what a file does not hold or what it says is not there.
#[derive(Serialize)]
pub(super) struct Producer {
    pub(super) producer_id: i64,
    pub(super) epoch: i16,
    pub(super) coordinator_epoch: Option<i32>,
    pub(super) last_timestamp: Option<i64>,
    pub(super) last_seen: Option<i64>,
    pub(super) transaction_first_offset: Option<i64>,
    /// Oldest first.
    pub(super) batches: Vec<Batch>,
}

/// One batch. `None` is what a file does not hold or what it says is not there.
#[derive(Serialize)]
pub(super) struct Batch {
    pub(super) first_sequence: Option<i32>,
    pub(super) last_sequence: Option<i32>,
    pub(super) first_offset: i64,
    pub(super) last_offset: i64,
    pub(super) timestamp: Option<i64>,
}

impl Contents {
    /// Reads a file of either format.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, SnapshotError> {
        let contents = match snapshot::detect(bytes)? {
            snapshot::Format::Kafka => Contents::of_kafka(&kafka::parse(bytes)?),
            snapshot::Format::WholeWindow => {
                Contents::of_whole_window(&whole_window::parse(bytes)?)
            }
        };
        let mut seen = HashSet::new();
        let mut ids = contents.producers.iter().map(|it| it.producer_id);
        match ids.find(|id| !seen.insert(*id)) {
            Some(producer_id) => Err(SnapshotError::DuplicateProducer { producer_id }),
            None => Ok(contents),
        }
    }

    fn of_kafka(parsed: &kafka::Parsed<'_>) -> Self {
        Contents {
            format: Format::Kafka,
            version: kafka::VERSION.unsigned_abs().into(),
            checksum: hexadecimal(parsed.checksum()),
            map_end: None,
            refused: None,
            producers: parsed.entries().map(Producer::of_kafka).collect(),
        }
    }

    fn of_whole_window(parsed: &whole_window::Parsed<'_>) -> Self {
        Contents {
            format: Format::WholeWindow,
            version: whole_window::VERSION,
            checksum: hexadecimal(parsed.checksum()),
            map_end: Some(parsed.map_end()),
            refused: None,
            producers: parsed.entries().map(Producer::of_whole_window).collect(),
        }
    }

    /// As a file whose name says that it covers the log up to here.
    pub(super) fn named(mut self, end: i64) -> Self {
        self.refused = match self.map_end {
            Some(by_itself) if by_itself != end => Some(format!(
                "by its name it covers the log up to offset {end}, exclusive"
            )),
            Some(_) => None,
            None => self.producers.iter().find_map(|producer| {
                let offset = producer.highest_offset().filter(|offset| *offset >= end)?;
                Some(format!(
                    "offset {offset} of producer {} is at or after the offset in its name",
                    producer.producer_id
                ))
            }),
        };
        self.map_end = self.map_end.or(Some(end));
        self
    }
}

impl Producer {
    fn of_kafka(entry: kafka::Entry) -> Self {
        let batch = entry.has_batch().then(|| {
            // The file has one timestamp, that of the producer.
            Batch::new(
                entry.last_sequence,
                entry.last_offset,
                entry.offset_delta,
                None,
            )
        });
        Producer {
            producer_id: entry.producer_id,
            epoch: entry.epoch,
            coordinator_epoch: unless_none(entry.coordinator_epoch),
            last_timestamp: unless_none(entry.timestamp),
            last_seen: None,
            transaction_first_offset: unless_none(entry.transaction_first_offset),
            batches: batch.into_iter().collect(),
        }
    }

    fn of_whole_window(entry: whole_window::Entry<'_>) -> Self {
        let producer = entry.producer;
        let batches = entry.batches().map(|batch| {
            Batch::new(
                batch.last_sequence,
                batch.last_offset,
                batch.offset_delta,
                Some(batch.timestamp),
            )
        });
        Producer {
            producer_id: producer.producer_id,
            epoch: producer.epoch,
            coordinator_epoch: unless_none(producer.coordinator_epoch),
            last_timestamp: unless_none(producer.last_timestamp),
            last_seen: Some(producer.last_seen),
            transaction_first_offset: unless_none(producer.transaction_first_offset),
            batches: batches.collect(),
        }
    }

    fn highest_offset(&self) -> Option<i64> {
        let batches = self.batches.iter().map(|batch| batch.last_offset);
        batches.chain(self.transaction_first_offset).max()
    }
}

impl Batch {
    fn new(
        last_sequence: i32,
        last_offset: i64,
        offset_delta: i32,
        timestamp: Option<i64>,
    ) -> Self {
        let last = Sequence::new(last_sequence);
        let first = last.map(|last| last.minus(offset_delta.unsigned_abs()));
        Batch {
            first_sequence: first.map(Sequence::get),
            last_sequence: last.map(Sequence::get),
            first_offset: last_offset - i64::from(offset_delta),
            last_offset,
            timestamp: timestamp.and_then(unless_none),
        }
    }
}

/// The number, unless it is the −1 that stands for none.
fn unless_none<N: PartialEq + From<i8>>(number: N) -> Option<N> {
    (number != N::from(-1)).then_some(number)
}

fn hexadecimal(checksum: u32) -> String {
    format!("{checksum:08x}")
}
