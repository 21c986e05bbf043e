//! What a producer was told, beside what stands in the log.
//!
//! Acknowledgements come as lines of JSON, one for each batch or record that the application
//! handed over. All of them are kept while the logs pass by, so memory grows with them, not
//! with the logs. For each it is seen where its sequences stand; at the end the properties
//! judge what the application was told.

mod ack;
mod judge;

use std::collections::BTreeMap;
use std::io::BufRead;

pub use ack::{Ack, Outcome};

use super::finding::Findings;
use super::report::Note;
use super::{sequence, FileId, LoggedBatch, Place, Position, Summary, Unreadable};

/// Acknowledgements, and what was seen of them so far.
#[derive(Debug, Default)]
pub struct Acks {
    told: Vec<Told>,
    /// By partition, producer, epoch and first sequence.
    by_sequence: BTreeMap<(usize, i64, i16, i32), Vec<usize>>,
    /// By partition and offset told.
    by_offset: BTreeMap<(usize, i64), Vec<usize>>,
    /// Partitions by number, as in `orders-0`.
    partitions: Vec<String>,
    /// The log of each partition, once one is read.
    logs: Vec<Option<usize>>,
}

/// An acknowledgement, and what the log has to say of it.
#[derive(Debug)]
struct Told {
    ack: Ack,
    place: Place,
    partition: usize,
    /// Offset of its first sequence in the log; of the first place if there are several.
    found: Option<i64>,
    /// Whether its first sequence stands at the offset that was told.
    at_offset_told: bool,
    /// What stands at the offset told instead.
    other: Option<LoggedBatch>,
}

impl Acks {
    /// Reads lines of JSON.
    ///
    /// # Errors
    /// If a line is no acknowledgement.
    pub fn read(file: FileId, input: impl BufRead) -> Result<Self, Unreadable> {
        let mut acks = Acks::default();
        for (number, line) in (1..).zip(input.lines()) {
            let line = line.map_err(|error| Unreadable::io(file, error))?;
            if line.trim().is_empty() {
                continue;
            }
            let place = Place {
                file,
                position: Position::Line(number),
            };
            let ack = Ack::of(&line).map_err(|reason| Unreadable::form(place, reason))?;
            acks.add(ack, place);
        }
        Ok(acks)
    }

    fn add(&mut self, ack: Ack, place: Place) {
        let name = format!("{}-{}", ack.topic, ack.partition);
        let known = self.partitions.iter().position(|known| *known == name);
        let partition = known.unwrap_or_else(|| {
            self.partitions.push(name);
            self.logs.push(None);
            self.partitions.len() - 1
        });
        let index = self.told.len();
        let sequence = (partition, ack.producer_id, ack.epoch, ack.first_sequence);
        self.by_sequence.entry(sequence).or_default().push(index);
        if let Some(offset) = ack.base_offset {
            self.by_offset
                .entry((partition, offset))
                .or_default()
                .push(index);
        }
        self.told.push(Told {
            ack,
            place,
            partition,
            found: None,
            at_offset_told: false,
            other: None,
        });
    }

    /// A log of this partition begins. Where several replicas are read, the first counts.
    pub(super) fn begin(&mut self, log: usize, partition: Option<&str>) {
        for (name, of) in self.partitions.iter().zip(&mut self.logs) {
            if partition.is_none_or(|partition| partition == name) {
                of.get_or_insert(log);
            }
        }
    }

    /// A batch stands in a log.
    pub(super) fn see(&mut self, log: usize, batch: &LoggedBatch) {
        for partition in 0..self.logs.len() {
            if self.logs[partition] == Some(log) {
                self.see_sequences(partition, batch);
                self.see_offsets(partition, batch);
            }
        }
    }

    fn see_sequences(&mut self, partition: usize, batch: &LoggedBatch) {
        if !batch.has_sequences() {
            return;
        }
        let (first, last) = (batch.base_sequence, batch.last_sequence);
        // In two parts if the batch crosses the last sequence.
        let parts = if first <= last {
            [Some(first..=last), None]
        } else {
            [Some(first..=i32::MAX), Some(0..=last)]
        };
        let key = |sequence| (partition, batch.producer_id, batch.producer_epoch, sequence);
        // A damaged line may name a last sequence below 0: nothing lies up to it.
        let parts = parts.into_iter().flatten();
        for part in parts.filter(|part| !part.is_empty()) {
            let range = key(*part.start())..=key(*part.end());
            for index in self.by_sequence.range(range).flat_map(|(_, told)| told) {
                let told = &mut self.told[*index];
                let into = sequence::span(first, told.ack.first_sequence);
                let reach = into + sequence::span(told.ack.first_sequence, told.ack.last_sequence);
                if reach > sequence::span(first, last) {
                    continue;
                }
                let offset = batch.base_offset.saturating_add(into);
                told.found.get_or_insert(offset);
                told.at_offset_told |= told.ack.base_offset == Some(offset);
            }
        }
    }

    fn see_offsets(&mut self, partition: usize, batch: &LoggedBatch) {
        if batch.last_offset < batch.base_offset {
            return;
        }
        let range = (partition, batch.base_offset)..=(partition, batch.last_offset);
        for index in self.by_offset.range(range).flat_map(|(_, told)| told) {
            let told = &mut self.told[*index];
            if !told.at_offset_told {
                told.other = Some(*batch);
            }
        }
    }

    /// Judges what was told, when all logs are read.
    pub(super) fn finish(&self, logs: &[Summary], findings: &mut Findings) -> Vec<Note> {
        judge::judge(self, logs, findings)
    }
}
