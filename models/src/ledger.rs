//! What the observer of a world writes down: the log, as far as any property can still
//! ask about it. Part of the state, and the [`History`] before which properties judge.

use std::fmt;

use retryproof_properties::{
    Epoch, History, Identity, LogEntry, Offset, Partition, ProducerId, Record, Sequence,
};

use crate::message::{
    Request, Small, ELSEWHERE, NO_IDENTITY, SOME_UNWRITTEN_RECORD, SOME_WRITTEN_RECORD,
    WHERE_IT_STANDS,
};
use crate::queue::Queue;

/// The most batches of the log that a world can hold.
pub const MAX_LOG: usize = 24;
/// The most records that a world can tell apart.
pub const MAX_RECORDS: usize = 32;

/// One batch in the log.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Entry {
    /// Its record.
    pub record: Small,
    /// Its epoch.
    pub epoch: Small,
    /// Its base sequence.
    pub sequence: Small,
    /// How many records follow the first.
    pub more: u8,
}

impl Entry {
    /// The batch of a request.
    pub fn of(request: &Request) -> Self {
        Entry {
            record: request.record,
            epoch: request.epoch,
            sequence: request.sequence,
            more: request.more,
        }
    }

    /// How many records it holds.
    #[inline]
    pub fn count(&self) -> Small {
        self.more as Small + 1
    }

    /// Whether the record is in it.
    #[inline]
    fn holds(&self, record: Small) -> bool {
        record == self.record || (record > self.record && record < self.record + self.count())
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "r{}", self.record)?;
        if self.more > 0 {
            write!(f, "..{}", self.record + self.more as Small)?;
        }
        match self.epoch {
            NO_IDENTITY => Ok(()),
            epoch => write!(f, " ({epoch},{})", self.sequence),
        }
    }
}

/// A set of records, by number.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct RecordSet(pub u32);

impl RecordSet {
    /// Whether the record is in it.
    pub fn contains(self, record: Small) -> bool {
        (0..MAX_RECORDS as Small).contains(&record) && self.0 & (1 << record) != 0
    }

    /// Adds a record; `false` if its number is too large.
    pub fn insert(&mut self, record: Small) -> bool {
        let fits = (0..MAX_RECORDS as Small).contains(&record);
        if fits {
            self.0 |= 1 << record;
        }
        fits
    }
}

impl RecordSet {
    /// Takes a record out.
    pub fn remove(&mut self, record: Small) {
        if self.contains(record) {
            self.0 &= !(1 << record);
        }
    }

    /// The lowest record in it.
    pub fn lowest(self) -> Option<Small> {
        (self.0 != 0).then(|| self.0.trailing_zeros() as Small)
    }

    /// The records in it, lowest first.
    pub fn iter(self) -> impl Iterator<Item = Small> {
        (0..MAX_RECORDS as Small).filter(move |record| self.contains(*record))
    }
}

impl fmt::Debug for RecordSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// The observer's notes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ledger {
    /// Log end offset.
    pub log_end: Small,
    /// The newest batches of the log, oldest first; the last stands at `log_end` − 1.
    pub tail: Queue<Entry, MAX_LOG>,
    /// Records that stand in the log before the tail.
    pub older: RecordSet,
    /// Records that the application was told have failed.
    pub failed: RecordSet,
    /// The highest record in the log, −1 if there is none.
    pub highest: Small,
    /// Records that were sent and of which the application was told nothing yet.
    pub undecided: RecordSet,
    /// Whether batches carry sequences.
    pub idempotent: bool,
    /// The log grew beyond what a world can hold: the search is not exhaustive.
    pub overflow: bool,
}

impl fmt::Debug for Ledger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "log {:?}, end {}", self.tail, self.log_end)?;
        if self.older.0 != 0 {
            write!(f, ", before it {:?}", self.older)?;
        }
        if self.failed.0 != 0 {
            write!(f, ", reported failed {:?}", self.failed)?;
        }
        Ok(())
    }
}

impl Ledger {
    /// Nothing has happened yet.
    pub fn new(idempotent: bool) -> Self {
        Ledger {
            log_end: 0,
            tail: Queue::default(),
            older: RecordSet::default(),
            failed: RecordSet::default(),
            highest: -1,
            undecided: RecordSet::default(),
            idempotent,
            overflow: false,
        }
    }

    /// A batch was appended.
    pub fn note_append(&mut self, entry: Entry) {
        if self.tail.is_full() {
            self.overflow = true;
            return;
        }
        self.tail.push(entry);
        self.log_end += entry.count();
        self.highest = self.highest.max(entry.record + entry.more as Small);
    }

    /// A record was sent for the first time.
    pub fn note_sent(&mut self, record: Small) {
        self.overflow |= !self.undecided.insert(record);
    }

    /// The application was told what became of a record.
    pub fn note_reported(&mut self, record: Small, failed: bool) {
        self.undecided.remove(record);
        if failed {
            self.overflow |= !self.failed.insert(record);
        }
    }

    /// Offset of the first record of a batch of the tail.
    #[inline]
    fn offset_of(&self, index: usize) -> Small {
        let from_there: Small = self.tail.as_slice()[index..].iter().map(Entry::count).sum();
        self.log_end - from_there
    }

    /// Whether the record stands in the log.
    pub fn holds(&self, record: Small) -> bool {
        match record {
            SOME_WRITTEN_RECORD => true,
            SOME_UNWRITTEN_RECORD => false,
            _ => self.older.contains(record) || self.tail.iter().any(|entry| entry.holds(record)),
        }
    }

    /// Whether the record stands at the offset.
    pub fn holds_at(&self, record: Small, offset: Small) -> bool {
        self.tail
            .iter()
            .enumerate()
            .filter(|(_, entry)| entry.holds(record))
            .any(|(index, entry)| self.offset_of(index) + (record - entry.record) == offset)
    }
}

/// A record of an event as a small number.
fn small(record: Record) -> Small {
    record.0 as Small
}

impl History for Ledger {
    #[inline]
    fn contains(&self, _: ProducerId, _: Partition, record: Record) -> bool {
        self.holds(small(record))
    }

    #[inline]
    fn stands_at(&self, _: ProducerId, _: Partition, record: Record, offset: Offset) -> bool {
        match offset {
            WHERE_IT_STANDS => self.holds(small(record)),
            ELSEWHERE => false,
            Offset(offset) => self.holds_at(small(record), offset as Small),
        }
    }

    #[inline]
    fn highest_record(&self, _: ProducerId, _: Partition) -> Option<Record> {
        (self.highest >= 0).then_some(Record(self.highest.into()))
    }

    #[inline]
    fn nth_newest(&self, _: ProducerId, _: Partition, newest: usize) -> Option<LogEntry> {
        let index = self.tail.len().checked_sub(newest + 1)?;
        let entry = self.tail.as_slice()[index];
        let has_identity = self.idempotent && entry.epoch != NO_IDENTITY;
        Some(LogEntry {
            identity: has_identity.then(|| Identity {
                epoch: Epoch(entry.epoch.into()),
                first: Sequence(entry.sequence.into()),
                last: Sequence((entry.sequence + entry.more as Small).into()),
            }),
            base: Offset(self.offset_of(index).into()),
        })
    }

    #[inline]
    fn log_end(&self, _: Partition) -> Offset {
        Offset(self.log_end.into())
    }

    #[inline]
    fn was_reported_failed(&self, _: ProducerId, _: Partition, record: Record) -> bool {
        self.failed.contains(small(record))
    }

    /// Nothing: the worlds with one broker never cut a log.
    #[inline]
    fn acknowledged_lost_by(
        &self,
        _: Partition,
        _: Offset,
    ) -> Option<(ProducerId, Record, Offset)> {
        None
    }

    #[inline]
    fn any_undecided(&self) -> Option<Record> {
        self.undecided.lowest().map(|record| Record(record.into()))
    }
}
