//! One batch of a producer, judged by the properties in the light of what is remembered of
//! the producer.

use retryproof_properties::log_is_fold::NotTheFold;
use retryproof_properties::{
    Batch, Epoch, Event, Identity, Judgement, Offset, Partition, ProducerId, PropertyId,
    RecordedMemory, Sequence, Violation,
};

use super::spans::Spans;
use super::tail::{Newest, Past, Tail};
use crate::audit::sequence;
use crate::audit::LoggedBatch;

/// The properties that a log alone can break at an append, the most telling first.
pub(super) const PROPERTIES: [PropertyId; 5] = [
    PropertyId::StaleEpochRejected,
    PropertyId::NoDuplicate,
    PropertyId::PartitionOrder,
    PropertyId::SequencePerPartition,
    PropertyId::GapRejected,
];

/// Most records of a batch that are looked at one by one. Batches are much smaller; only a
/// damaged or forged header claims more.
const MOST_RECORDS: i64 = 1 << 16;

/// A batch by the numbers that the properties compare.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counted {
    /// Its epoch.
    pub(super) epoch: Epoch,
    /// First sequence, counted on.
    pub(super) first: i64,
    /// Last sequence, counted on.
    pub(super) last: i64,
}

impl Counted {
    /// The batch behind what is remembered of its producer.
    pub(super) fn of(batch: &LoggedBatch, tail: Option<&Tail>) -> Self {
        let epoch = Epoch(batch.producer_epoch.into());
        let near = match tail {
            Some(tail) if tail.epoch == batch.producer_epoch && tail.newest.is_some() => {
                tail.next()
            }
            // Nothing to count on from: the number as it is.
            _ => batch.base_sequence.into(),
        };
        let first = sequence::counted(batch.base_sequence, near);
        let last = first + sequence::span(batch.base_sequence, batch.last_sequence);
        Counted { epoch, first, last }
    }

    /// The event that the properties judge.
    fn appended(&self, batch: &LoggedBatch) -> Event<'static, RecordedMemory> {
        let count = (self.last - self.first + 1).min(MOST_RECORDS);
        Event::Appended {
            batch: Batch {
                producer: ProducerId(batch.producer_id),
                partition: Partition(0),
                identity: Some(Identity {
                    epoch: self.epoch,
                    first: Sequence(self.first),
                    last: Sequence(self.last),
                }),
                first_record: sequence::record(self.epoch, self.first),
                count: u32::try_from(count).unwrap_or(1),
            },
            base: Offset(batch.base_offset),
        }
    }

    /// Which properties the append breaks, and how.
    pub(super) fn judge(
        &self,
        batch: &LoggedBatch,
        past: &Past<'_>,
    ) -> impl Iterator<Item = (PropertyId, Violation)> + '_ {
        let event = self.appended(batch);
        let broken = PROPERTIES.map(|property| match property.judge(past, &event) {
            Judgement::Broken(violation) => Some((property, violation)),
            Judgement::Upheld | Judgement::Unconcerned => None,
        });
        broken.into_iter().flatten()
    }
}

/// Whether the batch plainly follows on: then no property of [`PROPERTIES`] is broken, and
/// none is asked. That makes the difference of a few nanoseconds to a few hundred; a test
/// shows that nothing else changes.
#[inline]
pub(super) fn follows_on(batch: &LoggedBatch, tail: &Tail) -> bool {
    let Some(newest) = tail.newest else {
        return false;
    };
    tail.epoch == batch.producer_epoch
        && sequence::plain(newest.last + 1) == batch.base_sequence
        && tail.records.as_ref().is_some_and(|records| {
            records.highest() == sequence::record(Epoch(tail.epoch.into()), newest.last)
        })
}

/// Judges the offset of a batch behind a log that ended at `end`: whether it lies before that.
/// Where it lies beyond, offsets are missing, and whether that is a fault is not told by one
/// batch.
pub(super) fn overlaps(batch: &LoggedBatch, end: i64) -> bool {
    let past = Past {
        tail: None,
        log_end: end,
    };
    let appended = Counted::of(batch, None).appended(batch);
    let judged = PropertyId::LogIsFold.judge(&past, &appended);
    matches!(
        judged,
        Judgement::Broken(Violation::LogIsFold(NotTheFold::BaseOffset { expected, got }))
            if got < expected
    )
}

/// Judges a marker by its epoch.
pub(super) fn marker_is_stale(batch: &LoggedBatch, past: &Past<'_>) -> bool {
    let marker = Counted {
        epoch: Epoch(batch.producer_epoch.into()),
        first: -1,
        last: -1,
    };
    let property = PropertyId::StaleEpochRejected;
    property.judge(past, &marker.appended(batch)).is_broken()
}

impl Tail {
    /// The producer with this batch written, which follows on.
    #[inline]
    pub(super) fn follow(&mut self, batch: &LoggedBatch, missing: u64) {
        let first = self.next();
        let last = first + sequence::span(batch.base_sequence, batch.last_sequence);
        let base = batch.base_offset;
        self.newest = Some(Newest { first, last, base });
        self.missing = missing;
        if let Some(records) = &mut self.records {
            records.extend(sequence::record(Epoch(self.epoch.into()), last));
        }
    }

    /// The producer with this batch written, wherever it stands. The newest batch is the one
    /// with the highest epoch and sequence: what comes late, or again, is not it.
    pub(super) fn with(
        tail: Option<Tail>,
        counted: Counted,
        batch: &LoggedBatch,
        missing: u64,
    ) -> Tail {
        let first = sequence::record(counted.epoch, counted.first);
        let last = sequence::record(counted.epoch, counted.last);
        let newest = Newest {
            first: counted.first,
            last: counted.last,
            base: batch.base_offset,
        };
        let Some(mut tail) = tail else {
            return Tail {
                epoch: batch.producer_epoch,
                newest: Some(newest),
                records: Some(Spans::new(first, last)),
                missing,
            };
        };
        let is_newest = batch.producer_epoch > tail.epoch
            || batch.producer_epoch == tail.epoch
                && tail.newest.is_none_or(|before| counted.first > before.last);
        if is_newest {
            tail.epoch = batch.producer_epoch;
            tail.newest = Some(newest);
            tail.missing = missing;
        }
        match &mut tail.records {
            Some(records) => records.add(first, last),
            None => tail.records = Some(Spans::new(first, last)),
        }
        tail
    }
}
