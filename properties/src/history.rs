//! What an observer has written down so far.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    Batch, BrokerMemory, Epoch, Event, Identity, Offset, Outcome, Partition, ProducerId, Record,
    Remembered, Sequence,
};

/// One batch in the log as a history remembers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogEntry {
    /// Its epoch and sequences; `None` without idempotence.
    pub identity: Option<Identity>,
    /// Offset of its first record.
    pub base: Offset,
}

/// The questions that properties ask about the past. A history may forget whatever no
/// property can ask again: [`RecordedHistory`] forgets nothing but what was cut off a log,
/// a model's history keeps a few batches.
///
/// `producer` and `partition` come first in every method that asks about one of them;
/// records are numbered within them.
pub trait History {
    /// Whether the record stands in the log.
    fn contains(&self, producer: ProducerId, partition: Partition, record: Record) -> bool;
    /// Whether the record stands in the log at this offset.
    fn stands_at(
        &self,
        producer: ProducerId,
        partition: Partition,
        record: Record,
        offset: Offset,
    ) -> bool;
    /// The highest record of the producer in the log.
    fn highest_record(&self, producer: ProducerId, partition: Partition) -> Option<Record>;
    /// The batches of the producer in the log, newest first: `nth_newest(.., 0)` is the
    /// newest.
    fn nth_newest(
        &self,
        producer: ProducerId,
        partition: Partition,
        newest: usize,
    ) -> Option<LogEntry>;
    /// Log end offset: the offset that the next record will get.
    fn log_end(&self, partition: Partition) -> Offset;
    /// Whether the application was told that the record failed.
    fn was_reported_failed(
        &self,
        producer: ProducerId,
        partition: Partition,
        record: Record,
    ) -> bool;
    /// One record that was acknowledged to the application and would be lost if the log of
    /// the partition were cut at `end`: a copy stands at `end` or beyond, and none below.
    /// With the producer whose record it is, and the offset of its lowest copy. A batch
    /// that reaches across `end` is lost as a whole ([`Event::Truncated`]).
    fn acknowledged_lost_by(
        &self,
        partition: Partition,
        end: Offset,
    ) -> Option<(ProducerId, Record, Offset)>;
    /// One record that was sent and of which the application was told nothing yet.
    fn any_undecided(&self) -> Option<Record>;
}

#[derive(Clone, Debug, Default)]
struct Stream {
    batches: Vec<(Batch, Offset)>,
    undecided: BTreeSet<Record>,
    failed: BTreeSet<Record>,
    acknowledged: BTreeSet<Record>,
}

/// A history that forgets nothing but what was cut off a log: for production runs, dumped
/// logs and tests.
#[derive(Clone, Debug, Default)]
pub struct RecordedHistory {
    streams: BTreeMap<(ProducerId, Partition), Stream>,
    log_ends: BTreeMap<Partition, Offset>,
}

impl RecordedHistory {
    /// Writes one event down.
    pub fn record<M>(&mut self, event: &Event<'_, M>) {
        match event {
            Event::Sent { batch } => {
                let stream = self.stream_mut(batch.producer, batch.partition);
                stream.undecided.extend(batch.records());
            }
            Event::Appended { batch, base } => {
                self.stream_mut(batch.producer, batch.partition)
                    .batches
                    .push((*batch, *base));
                self.log_ends.insert(batch.partition, end_of(batch, *base));
            }
            Event::Reported {
                producer,
                partition,
                record,
                outcome,
            } => {
                let stream = self.stream_mut(*producer, *partition);
                stream.undecided.remove(record);
                match outcome {
                    Outcome::Failed => stream.failed.insert(*record),
                    Outcome::Acknowledged { .. } => stream.acknowledged.insert(*record),
                    Outcome::Unknown => false,
                };
            }
            Event::Truncated { partition, end } => self.cut(*partition, *end),
            Event::Decided(_) | Event::Answered { .. } | Event::Finished => {}
        }
    }

    /// Forgets the batches that do not end at or below `end`. A log that is not as long as
    /// that stays as it is.
    fn cut(&mut self, partition: Partition, end: Offset) {
        if self.log_end(partition) <= end {
            return;
        }
        for ((_, of), stream) in &mut self.streams {
            if *of == partition {
                stream
                    .batches
                    .retain(|(batch, base)| end_of(batch, *base) <= end);
            }
        }
        self.log_ends.insert(partition, end);
    }

    fn stream_mut(&mut self, producer: ProducerId, partition: Partition) -> &mut Stream {
        self.streams.entry((producer, partition)).or_default()
    }

    fn stream(&self, producer: ProducerId, partition: Partition) -> Option<&Stream> {
        self.streams.get(&(producer, partition))
    }

    fn places(
        &self,
        producer: ProducerId,
        partition: Partition,
        record: Record,
    ) -> impl Iterator<Item = Offset> + '_ {
        self.stream(producer, partition)
            .into_iter()
            .flat_map(move |stream| stream.copies(record))
            .map(|(offset, _)| offset)
    }
}

/// The offset behind the last record of a batch.
fn end_of(batch: &Batch, base: Offset) -> Offset {
    Offset(base.0 + i64::from(batch.count))
}

impl Stream {
    /// Where the record stands: its offset, and the end of the batch that it stands in.
    fn copies(&self, record: Record) -> impl Iterator<Item = (Offset, Offset)> + '_ {
        self.batches.iter().filter_map(move |(batch, base)| {
            let within = record.0 - batch.first_record.0;
            (0..i64::from(batch.count))
                .contains(&within)
                .then(|| (Offset(base.0 + within), end_of(batch, *base)))
        })
    }

    /// Where a record was to be found that a cut at `end` leaves no copy of.
    fn lost_by(&self, record: Record, end: Offset) -> Option<Offset> {
        let survives = self.copies(record).any(|(_, batch_end)| batch_end <= end);
        let lowest = self.copies(record).map(|(offset, _)| offset).min();
        lowest.filter(|_| !survives)
    }
}

impl History for RecordedHistory {
    fn contains(&self, producer: ProducerId, partition: Partition, record: Record) -> bool {
        self.places(producer, partition, record).next().is_some()
    }

    fn stands_at(
        &self,
        producer: ProducerId,
        partition: Partition,
        record: Record,
        offset: Offset,
    ) -> bool {
        self.places(producer, partition, record)
            .any(|place| place == offset)
    }

    fn highest_record(&self, producer: ProducerId, partition: Partition) -> Option<Record> {
        self.stream(producer, partition)?
            .batches
            .iter()
            .flat_map(|(batch, _)| batch.records())
            .max()
    }

    fn nth_newest(
        &self,
        producer: ProducerId,
        partition: Partition,
        newest: usize,
    ) -> Option<LogEntry> {
        let batches = &self.stream(producer, partition)?.batches;
        let (batch, base) = batches.iter().rev().nth(newest)?;
        Some(LogEntry {
            identity: batch.identity,
            base: *base,
        })
    }

    fn log_end(&self, partition: Partition) -> Offset {
        self.log_ends.get(&partition).copied().unwrap_or(Offset(0))
    }

    fn was_reported_failed(
        &self,
        producer: ProducerId,
        partition: Partition,
        record: Record,
    ) -> bool {
        self.stream(producer, partition)
            .is_some_and(|stream| stream.failed.contains(&record))
    }

    fn acknowledged_lost_by(
        &self,
        partition: Partition,
        end: Offset,
    ) -> Option<(ProducerId, Record, Offset)> {
        self.streams
            .iter()
            .filter(|((_, of), _)| *of == partition)
            .find_map(|((producer, _), stream)| {
                let mut acknowledged = stream.acknowledged.iter();
                acknowledged.find_map(|record| {
                    let offset = stream.lost_by(*record, end)?;
                    Some((*producer, *record, offset))
                })
            })
    }

    fn any_undecided(&self) -> Option<Record> {
        self.streams
            .values()
            .find_map(|stream| stream.undecided.first().copied())
    }
}

/// A broker's producer state written down as plain data.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordedMemory {
    /// Current epoch; `None` if the broker holds no state for the producer.
    pub epoch: Option<Epoch>,
    /// Last sequence of the newest batch in that epoch.
    pub last_sequence: Option<Sequence>,
    /// How many batches the broker promises to remember.
    pub capacity: usize,
    /// The batches remembered, newest first.
    pub remembered: Vec<Remembered>,
}

impl BrokerMemory for RecordedMemory {
    fn epoch(&self) -> Option<Epoch> {
        self.epoch
    }

    fn last_sequence(&self) -> Option<Sequence> {
        self.last_sequence
    }

    fn capacity(&self) -> usize {
        self.capacity
    }

    fn remembered(&self, newest: usize) -> Option<Remembered> {
        self.remembered.get(newest).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{
        appended, batch, entry, for_another_partition, from_another_producer, history, log, plain,
        reported, truncated, Seen, PARTITION, PRODUCER,
    };

    fn sent(batch: Batch) -> Seen<'static> {
        Event::Sent { batch }
    }

    #[test]
    fn an_empty_history_knows_nothing() {
        let history = RecordedHistory::default();
        assert!(!history.contains(PRODUCER, PARTITION, Record(0)));
        assert!(!history.stands_at(PRODUCER, PARTITION, Record(0), Offset(0)));
        assert_eq!(history.highest_record(PRODUCER, PARTITION), None);
        assert_eq!(history.nth_newest(PRODUCER, PARTITION, 0), None);
        assert_eq!(history.log_end(PARTITION), Offset(0));
        assert!(!history.was_reported_failed(PRODUCER, PARTITION, Record(0)));
        assert_eq!(history.any_undecided(), None);
    }

    #[test]
    fn every_record_of_a_batch_stands_at_its_own_offset() {
        let log = log(&[plain(5, 2), plain(7, 3)]);
        for (record, offset) in [(5, 0), (6, 1), (7, 2), (8, 3), (9, 4)] {
            assert!(log.contains(PRODUCER, PARTITION, Record(record)));
            for other in 0..6 {
                assert_eq!(
                    log.stands_at(PRODUCER, PARTITION, Record(record), Offset(other)),
                    other == offset
                );
            }
        }
        for absent in [4, 10] {
            assert!(!log.contains(PRODUCER, PARTITION, Record(absent)));
        }
    }

    #[test]
    fn a_record_written_twice_stands_in_both_places() {
        let log = log(&[plain(0, 1), plain(1, 1), plain(0, 1)]);
        for (offset, stands) in [(0, true), (1, false), (2, true)] {
            assert_eq!(
                log.stands_at(PRODUCER, PARTITION, Record(0), Offset(offset)),
                stands
            );
        }
    }

    #[test]
    fn the_highest_record_need_not_be_the_newest() {
        let log = log(&[plain(3, 2), plain(0, 1)]);
        assert_eq!(log.highest_record(PRODUCER, PARTITION), Some(Record(4)));
    }

    #[test]
    fn batches_are_counted_from_the_newest() {
        let (first, second) = (batch(0, 2, 0, 0), plain(2, 1));
        let log = log(&[first, from_another_producer(plain(0, 3)), second]);
        assert_eq!(
            log.nth_newest(PRODUCER, PARTITION, 0),
            Some(entry(second, 5))
        );
        assert_eq!(
            log.nth_newest(PRODUCER, PARTITION, 1),
            Some(entry(first, 0))
        );
        assert_eq!(log.nth_newest(PRODUCER, PARTITION, 2), None);
    }

    #[test]
    fn the_log_end_offset_counts_the_records_of_all_producers_of_one_partition() {
        let history = history(&[
            appended(plain(0, 2), 0),
            appended(from_another_producer(plain(0, 3)), 2),
            appended(for_another_partition(plain(2, 4)), 0),
        ]);
        assert_eq!(history.log_end(PARTITION), Offset(5));
        assert_eq!(
            history.log_end(for_another_partition(plain(0, 1)).partition),
            Offset(4)
        );
    }

    #[test]
    fn producers_and_partitions_are_kept_apart() {
        let log = history(&[appended(plain(0, 1), 0), reported(0, Outcome::Failed)]);
        for other in [
            from_another_producer(plain(0, 1)),
            for_another_partition(plain(0, 1)),
        ] {
            let (producer, partition) = (other.producer, other.partition);
            assert!(!log.contains(producer, partition, Record(0)));
            assert_eq!(log.highest_record(producer, partition), None);
            assert_eq!(log.nth_newest(producer, partition, 0), None);
            assert!(!log.was_reported_failed(producer, partition, Record(0)));
        }
    }

    #[test]
    fn a_record_is_undecided_from_being_sent_to_being_reported() {
        let mut seen = history(&[sent(plain(0, 2))]);
        assert_eq!(seen.any_undecided(), Some(Record(0)));
        seen.record(&appended(plain(0, 2), 0));
        assert_eq!(seen.any_undecided(), Some(Record(0)));
        seen.record(&reported(0, Outcome::Acknowledged { offset: None }));
        assert_eq!(seen.any_undecided(), Some(Record(1)));
        seen.record(&reported(1, Outcome::Unknown));
        assert_eq!(seen.any_undecided(), None);
    }

    #[test]
    fn an_undecided_record_of_any_producer_is_found() {
        let seen = history(&[
            sent(plain(0, 1)),
            sent(from_another_producer(plain(3, 1))),
            reported(0, Outcome::Failed),
        ]);
        assert_eq!(seen.any_undecided(), Some(Record(3)));
    }

    #[test]
    fn only_the_outcome_failed_is_remembered_as_a_failure() {
        let seen = history(&[
            reported(0, Outcome::Failed),
            reported(1, Outcome::Unknown),
            reported(2, Outcome::Acknowledged { offset: None }),
        ]);
        for (record, failed) in [(0, true), (1, false), (2, false)] {
            assert_eq!(
                seen.was_reported_failed(PRODUCER, PARTITION, Record(record)),
                failed
            );
        }
    }

    fn acknowledged(record: i64) -> Seen<'static> {
        reported(record, Outcome::Acknowledged { offset: None })
    }

    #[test]
    fn a_cut_takes_away_what_stands_at_its_offset_and_beyond_of_every_producer() {
        let other = from_another_producer(plain(0, 1));
        let mut log = log(&[batch(0, 2, 0, 0), other, batch(2, 1, 0, 2)]);
        log.record(&appended(for_another_partition(plain(5, 4)), 0));
        log.record(&truncated(2));
        for (record, stands) in [(0, true), (1, true), (2, false)] {
            assert_eq!(log.contains(PRODUCER, PARTITION, Record(record)), stands);
        }
        assert!(!log.contains(other.producer, PARTITION, Record(0)));
        assert_eq!(log.highest_record(PRODUCER, PARTITION), Some(Record(1)));
        assert_eq!(
            log.nth_newest(PRODUCER, PARTITION, 0),
            Some(entry(batch(0, 2, 0, 0), 0))
        );
        assert_eq!(log.log_end(PARTITION), Offset(2));
        let elsewhere = for_another_partition(plain(5, 4)).partition;
        assert!(log.contains(PRODUCER, elsewhere, Record(8)));
        assert_eq!(log.log_end(elsewhere), Offset(4));
    }

    #[test]
    fn of_a_batch_across_the_cut_nothing_is_left() {
        let mut log = log(&[plain(0, 1), plain(1, 3)]);
        log.record(&truncated(2));
        assert!(log.contains(PRODUCER, PARTITION, Record(0)));
        assert!(!log.contains(PRODUCER, PARTITION, Record(1)));
        assert_eq!(log.log_end(PARTITION), Offset(2));
    }

    #[test]
    fn a_cut_at_the_log_end_offset_or_beyond_changes_nothing() {
        for end in [2, 3] {
            let mut log = log(&[plain(0, 2)]);
            log.record(&truncated(end));
            assert!(log.contains(PRODUCER, PARTITION, Record(1)));
            assert_eq!(log.log_end(PARTITION), Offset(2));
        }
    }

    #[test]
    fn what_is_written_after_a_cut_stands_where_it_was_cut() {
        let mut log = log(&[plain(0, 1), plain(1, 2)]);
        log.record(&truncated(1));
        log.record(&appended(plain(1, 1), 1));
        assert!(log.stands_at(PRODUCER, PARTITION, Record(1), Offset(1)));
        assert!(!log.contains(PRODUCER, PARTITION, Record(2)));
        assert_eq!(log.log_end(PARTITION), Offset(2));
    }

    #[test]
    fn an_acknowledged_record_is_lost_by_a_cut_that_leaves_no_copy_of_it() {
        let seen = history(&[
            appended(plain(0, 2), 0),
            appended(plain(2, 2), 2),
            acknowledged(1),
            acknowledged(3),
        ]);
        for (end, lost) in [
            (0, Some((1, 1))),
            (1, Some((1, 1))),
            (2, Some((3, 3))),
            (3, Some((3, 3))),
            (4, None),
        ] {
            assert_eq!(
                seen.acknowledged_lost_by(PARTITION, Offset(end)),
                lost.map(|(record, offset)| (PRODUCER, Record(record), Offset(offset))),
                "cut at {end}"
            );
        }
    }

    #[test]
    fn a_second_copy_below_the_cut_saves_a_record() {
        let mut seen = log(&[plain(0, 1), plain(1, 1), plain(0, 1), plain(1, 1)]);
        seen.record(&acknowledged(1));
        assert_eq!(seen.acknowledged_lost_by(PARTITION, Offset(2)), None);
        let lost = Some((PRODUCER, Record(1), Offset(1)));
        assert_eq!(seen.acknowledged_lost_by(PARTITION, Offset(1)), lost);
    }

    #[test]
    fn only_an_acknowledged_record_in_the_log_of_that_partition_is_lost() {
        let other = from_another_producer(plain(4, 1));
        let mut seen = history(&[
            appended(plain(0, 3), 0),
            appended(other, 3),
            reported(0, Outcome::Failed),
            reported(1, Outcome::Unknown),
            acknowledged(4),
        ]);
        assert_eq!(seen.acknowledged_lost_by(PARTITION, Offset(0)), None);
        seen.record(&Seen::Reported {
            producer: other.producer,
            partition: PARTITION,
            record: Record(4),
            outcome: Outcome::Acknowledged { offset: None },
        });
        assert_eq!(
            seen.acknowledged_lost_by(PARTITION, Offset(0)),
            Some((other.producer, Record(4), Offset(3)))
        );
        let elsewhere = for_another_partition(plain(0, 1)).partition;
        assert_eq!(seen.acknowledged_lost_by(elsewhere, Offset(0)), None);
    }

    #[test]
    fn a_record_that_was_lost_is_lost_again_only_if_it_is_written_again() {
        let mut seen = history(&[appended(plain(0, 1), 0), acknowledged(0), truncated(0)]);
        assert_eq!(seen.acknowledged_lost_by(PARTITION, Offset(0)), None);
        seen.record(&appended(plain(0, 1), 0));
        let lost = Some((PRODUCER, Record(0), Offset(0)));
        assert_eq!(seen.acknowledged_lost_by(PARTITION, Offset(0)), lost);
    }

    #[test]
    fn a_recorded_memory_tells_what_was_written_into_it() {
        let newest = Remembered {
            first: Sequence(3),
            last: Sequence(4),
            base: Offset(7),
        };
        let memory = RecordedMemory {
            epoch: Some(Epoch(2)),
            last_sequence: Some(Sequence(4)),
            capacity: 5,
            remembered: vec![newest],
        };
        assert_eq!(memory.epoch(), Some(Epoch(2)));
        assert_eq!(memory.last_sequence(), Some(Sequence(4)));
        assert_eq!(memory.capacity(), 5);
        assert_eq!(memory.remembered(0), Some(newest));
        assert_eq!(memory.remembered(1), None);
    }
}
