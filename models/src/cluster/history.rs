//! The history before which properties judge: the logs of the true leaders, and what the
//! applications know.

use retryproof_properties::{
    Epoch, History, Identity, LogEntry, Offset, Partition, ProducerId, Record, Sequence,
};

use crate::ledger::RecordSet;
use crate::message::{Small, NO_IDENTITY};

use super::log::{first_record, producer_of, Entry, Log};
use super::LANES;

/// What the application of a producer knows of its records for one partition. They are
/// counted from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Notes {
    /// Records that it was told have failed.
    pub failed: RecordSet,
    /// Records that were sent and of which it was told nothing yet.
    pub undecided: RecordSet,
    /// Records that it was told are written.
    pub acknowledged: RecordSet,
}

/// What was seen so far. To properties a producer is its application: its number, whatever
/// producer id it has on the wire.
pub struct Seen<'a> {
    /// The log of each partition.
    pub logs: [&'a Log; LANES],
    /// What applications know, by producer and partition.
    pub notes: &'a [[Notes; LANES]; LANES],
    /// Whether batches carry sequences.
    pub idempotent: bool,
}

/// The number of a record within those of its producer.
pub fn own_number(record: Small) -> Small {
    record - first_record(producer_of(record))
}

/// A producer or partition of an event as an index.
fn index(number: i64) -> usize {
    number as usize
}

impl Seen<'_> {
    fn log(&self, partition: Partition) -> &Log {
        self.logs[index(partition.0.into())]
    }

    fn notes(&self, producer: ProducerId, partition: Partition) -> &Notes {
        &self.notes[index(producer.0)][index(partition.0.into())]
    }

    /// The batches of a producer in a log, with their offsets.
    fn batches(
        &self,
        producer: ProducerId,
        partition: Partition,
    ) -> impl DoubleEndedIterator<Item = (usize, &Entry)> {
        let all = self.log(partition).iter().enumerate();
        all.filter(move |(_, entry)| producer_of(entry.record) == index(producer.0))
    }

    /// Where the record stands.
    fn places(
        &self,
        producer: ProducerId,
        partition: Partition,
        record: Record,
    ) -> impl Iterator<Item = Offset> + '_ {
        self.batches(producer, partition)
            .filter(move |(_, entry)| i64::from(own_number(entry.record)) == record.0)
            .map(|(offset, _)| Offset(offset as i64))
    }
}

impl History for Seen<'_> {
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
        self.batches(producer, partition)
            .map(|(_, entry)| Record(own_number(entry.record).into()))
            .max()
    }

    fn nth_newest(
        &self,
        producer: ProducerId,
        partition: Partition,
        newest: usize,
    ) -> Option<LogEntry> {
        let (offset, entry) = self.batches(producer, partition).rev().nth(newest)?;
        let sequence = Sequence(entry.sequence.into());
        let has_identity = self.idempotent && entry.epoch != NO_IDENTITY;
        Some(LogEntry {
            identity: has_identity.then(|| Identity {
                epoch: Epoch(entry.epoch.into()),
                first: sequence,
                last: sequence,
            }),
            base: Offset(offset as i64),
        })
    }

    fn log_end(&self, partition: Partition) -> Offset {
        Offset(self.log(partition).len() as i64)
    }

    fn was_reported_failed(
        &self,
        producer: ProducerId,
        partition: Partition,
        record: Record,
    ) -> bool {
        let failed = self.notes(producer, partition).failed;
        failed.contains(record.0 as Small)
    }

    fn acknowledged_lost_by(
        &self,
        partition: Partition,
        end: Offset,
    ) -> Option<(ProducerId, Record, Offset)> {
        let producers = (0..LANES as i64).map(ProducerId);
        producers.into_iter().find_map(|producer| {
            let acknowledged = self.notes(producer, partition).acknowledged;
            acknowledged.iter().find_map(|record| {
                let record = Record(record.into());
                let lowest = self.places(producer, partition, record).next()?;
                (lowest >= end).then_some((producer, record, lowest))
            })
        })
    }

    fn any_undecided(&self) -> Option<Record> {
        let notes = self.notes.iter().flatten();
        let lowest = notes.into_iter().find_map(|notes| notes.undecided.lowest());
        lowest.map(|record| Record(record.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: ProducerId = ProducerId(0);
    const OTHER: ProducerId = ProducerId(1);
    const HERE: Partition = Partition(0);
    const ELSEWHERE: Partition = Partition(1);

    fn log(records: &[Small]) -> Log {
        let mut log = Log::default();
        for (sequence, record) in (0..).zip(records) {
            log.push(Entry {
                record: *record,
                sequence,
                ..Entry::default()
            });
        }
        log
    }

    /// Records 0, 1 of producer 0 and 0 of producer 1 in one log, none in the other.
    fn with_seen(acknowledged: &[Small], judge: impl Fn(&Seen<'_>)) {
        let here = log(&[0, first_record(1), 1, 0]);
        let mut notes = [[Notes::default(); LANES]; LANES];
        for record in acknowledged {
            notes[0][0].acknowledged.insert(*record);
        }
        notes[1][0].failed.insert(0);
        notes[1][1].undecided.insert(3);
        judge(&Seen {
            logs: [&here, &Log::default()],
            notes: &notes,
            idempotent: true,
        });
    }

    #[test]
    fn producers_and_partitions_are_kept_apart() {
        with_seen(&[], |seen| {
            assert!(seen.contains(OWN, HERE, Record(1)));
            assert!(!seen.contains(OTHER, HERE, Record(1)));
            assert!(!seen.contains(OWN, ELSEWHERE, Record(1)));
            assert_eq!(seen.highest_record(OTHER, HERE), Some(Record(0)));
            assert!(seen.was_reported_failed(OTHER, HERE, Record(0)));
            assert!(!seen.was_reported_failed(OWN, HERE, Record(0)));
        });
    }

    #[test]
    fn every_copy_is_a_place() {
        with_seen(&[], |seen| {
            let places = (0..4).map(|o| seen.stands_at(OWN, HERE, Record(0), Offset(o)));
            assert!(places.eq([true, false, false, true]));
            assert_eq!(seen.log_end(HERE), Offset(4));
            assert_eq!(seen.log_end(ELSEWHERE), Offset(0));
        });
    }

    #[test]
    fn batches_are_counted_from_the_newest() {
        with_seen(&[], |seen| {
            let bases = (0..4).map(|n| seen.nth_newest(OWN, HERE, n).map(|entry| entry.base));
            assert!(bases.eq([Some(Offset(3)), Some(Offset(2)), Some(Offset(0)), None]));
        });
    }

    #[test]
    fn an_acknowledged_record_is_lost_if_no_copy_stays() {
        with_seen(&[0, 1], |seen| {
            assert_eq!(seen.acknowledged_lost_by(HERE, Offset(3)), None);
            let lost = Some((OWN, Record(1), Offset(2)));
            assert_eq!(seen.acknowledged_lost_by(HERE, Offset(1)), lost);
        });
    }

    #[test]
    fn an_undecided_record_of_any_lane_is_found() {
        with_seen(&[], |seen| {
            assert_eq!(seen.any_undecided(), Some(Record(3)))
        });
    }
}
