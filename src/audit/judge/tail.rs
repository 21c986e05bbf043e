//! What is remembered of a producer while its log is read, and the history that the
//! properties ask.

use retryproof_properties::{
    Epoch, History, Identity, LogEntry, Offset, Partition, ProducerId, Record, Sequence,
};

use super::spans::Spans;
use crate::audit::sequence;

/// The newest batch of a producer in its epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Newest {
    /// First sequence, counted on ([`sequence`]).
    pub(super) first: i64,
    /// Last sequence, counted on.
    pub(super) last: i64,
    /// Offset of its first record.
    pub(super) base: i64,
}

/// What is remembered of one producer in one log: always the same few numbers, however many
/// batches it has.
#[derive(Clone, Debug)]
pub(super) struct Tail {
    /// Its epoch: that of its newest batch or marker.
    pub(super) epoch: i16,
    /// Its newest batch in that epoch; `None` if a marker began the epoch.
    pub(super) newest: Option<Newest>,
    /// Its records in the log; `None` before the first.
    pub(super) records: Option<Spans>,
    /// Offsets that were missing in the log up to its newest batch.
    pub(super) missing: u64,
}

impl Tail {
    /// The next sequence, counted on.
    #[inline]
    pub(super) fn next(&self) -> i64 {
        self.newest.map_or(0, |newest| newest.last + 1)
    }

    /// Its newest batch or marker, as a history tells it. The epoch of a marker has no batch
    /// yet: as if it ended with sequence −1, so that 0 is next.
    fn entry(&self) -> LogEntry {
        let newest = self.newest.unwrap_or(Newest {
            first: -1,
            last: -1,
            base: -1,
        });
        LogEntry {
            identity: Some(Identity {
                epoch: Epoch(self.epoch.into()),
                first: Sequence(newest.first),
                last: Sequence(newest.last),
            }),
            base: Offset(newest.base),
        }
    }
}

/// The history of one log as the batches of one producer are judged by it.
///
/// It knows the newest batch of the producer, and which of its records the log holds; nobody
/// is told anything in a log. Producer and partition are always those of the batch at hand.
pub(super) struct Past<'a> {
    /// What is remembered of the producer.
    pub(super) tail: Option<&'a Tail>,
    /// Log end offset.
    pub(super) log_end: i64,
}

impl History for Past<'_> {
    fn contains(&self, _: ProducerId, _: Partition, record: Record) -> bool {
        let records = self.tail.and_then(|tail| tail.records.as_ref());
        records.is_some_and(|records| records.contains(record))
    }

    /// Only the newest batch still has a place.
    fn stands_at(&self, _: ProducerId, _: Partition, record: Record, offset: Offset) -> bool {
        self.tail.is_some_and(|tail| {
            tail.newest.is_some_and(|newest| {
                let first = sequence::record(Epoch(tail.epoch.into()), newest.first);
                offset.0 - newest.base == record.0 - first.0
                    && (0..=newest.last - newest.first).contains(&(record.0 - first.0))
            })
        })
    }

    fn highest_record(&self, _: ProducerId, _: Partition) -> Option<Record> {
        self.tail
            .and_then(|tail| tail.records.as_ref())
            .map(Spans::highest)
    }

    fn nth_newest(&self, _: ProducerId, _: Partition, newest: usize) -> Option<LogEntry> {
        self.tail.filter(|_| newest == 0).map(Tail::entry)
    }

    fn log_end(&self, _: Partition) -> Offset {
        Offset(self.log_end)
    }

    fn was_reported_failed(&self, _: ProducerId, _: Partition, _: Record) -> bool {
        false
    }

    fn acknowledged_lost_by(
        &self,
        _: Partition,
        _: Offset,
    ) -> Option<(ProducerId, Record, Offset)> {
        None
    }

    fn any_undecided(&self) -> Option<Record> {
        None
    }
}
