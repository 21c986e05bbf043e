//! What stands in a log already: a follower's appends, and what recovery reads back. It is
//! recorded as it is.

use hashbrown::HashMap;

use super::batch::{LoggedBatch, Marker};
use super::manager::ProducerStateManager;
use super::numbers::{Offset, ProducerId, Timestamp};
use super::permit::{CommitError, Data};
use super::producers::{SequenceRange, Slot};
use super::rejection::Rejection;
use super::transactions::CompletedTransaction;

/// One batch of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogEntry {
    /// A batch of a producer.
    Batch(LoggedBatch),
    /// A marker, at this offset.
    Marker(Marker, Offset),
    /// A control batch of this producer, at this offset, from which compaction removed the
    /// marker.
    EmptyControl(ProducerId, Offset),
    /// A batch of no producer that ends at this offset, exclusive.
    Plain(Offset),
}

impl ProducerStateManager {
    /// Records a batch that stands in the log, without any check of sequences or epochs. A
    /// lower epoch than the producer's is taken over too, as Kafka does. `now` is the
    /// wall-clock time.
    ///
    /// Offsets go upwards. Only while no producer is known may a batch begin before
    /// [`map_end_offset`](Self::map_end_offset), and must end behind it: after a reload the
    /// log start may lie within the first batch.
    ///
    /// # Errors
    /// [`CommitError::OffsetMovedBack`], or [`Rejection::OpenTransaction`]: then the log is
    /// not one that a leader wrote.
    pub fn replicate(&mut self, batch: &LoggedBatch, now: Timestamp) -> Result<(), CommitError> {
        let slot = self.admit(batch)?;
        let next = self.producers.next_sequence(slot);
        let data = Data {
            max_timestamp: batch.max_timestamp.get(),
            range: range(batch),
            epoch: batch.epoch.get(),
            transactional: batch.transactional,
            follows: next.is_some() && next == batch.base_sequence,
        };
        self.record(slot, &data, batch.base_offset, batch.last_offset);
        self.changed(slot, batch.end, now);
        Ok(())
    }

    /// Records a marker that stands in the log at `offset`, without any check of epochs.
    ///
    /// # Errors
    /// [`CommitError::OffsetMovedBack`].
    pub fn replicate_marker(
        &mut self,
        marker: &Marker,
        offset: Offset,
        now: Timestamp,
    ) -> Result<Option<CompletedTransaction>, CommitError> {
        let (_, end) = self.extent(offset, 0)?;
        let slot = self.find_or_insert(marker.producer_id);
        let completed = self.record_marker(slot, marker, offset);
        self.changed(slot, end, now);
        Ok(completed)
    }

    /// Records a control batch from which compaction removed the marker: it says nothing,
    /// but makes the producer known.
    ///
    /// # Errors
    /// [`CommitError::OffsetMovedBack`].
    pub fn replicate_empty_control(
        &mut self,
        producer_id: ProducerId,
        offset: Offset,
        now: Timestamp,
    ) -> Result<(), CommitError> {
        let (_, end) = self.extent(offset, 0)?;
        let slot = self.find_or_insert(producer_id);
        self.changed(slot, end, now);
        Ok(())
    }

    /// Records all batches of one read of the log, as Kafka does: it folds them into one
    /// update for each producer, which empties the window only if the epoch *after* the read
    /// is another one than before. That can be told apart from recording them one by one
    /// only if an epoch goes away and comes back within the read, and no leader writes such
    /// a log unless it forgot the producer in between. To be exactly Kafka, replay each
    /// segment, and append each fetch of a follower, by one call of this.
    ///
    /// Returns the transactions that ended.
    ///
    /// # Errors
    /// As [`replicate`](Self::replicate). Nothing of the read is recorded then.
    pub fn replicate_read(
        &mut self,
        entries: &[LogEntry],
        now: Timestamp,
    ) -> Result<Vec<CompletedTransaction>, CommitError> {
        self.admit_read(entries)?;
        let mut completed = Vec::new();
        for (entry, superseded) in entries.iter().zip(superseded(entries)) {
            match entry {
                LogEntry::Batch(batch) if superseded => self.pass_over(batch, now)?,
                LogEntry::Batch(batch) => self.replicate(batch, now)?,
                LogEntry::Marker(marker, offset) => {
                    let marker = match superseded {
                        true => self.without_epoch(marker),
                        false => *marker,
                    };
                    completed.extend(self.replicate_marker(&marker, *offset, now)?);
                }
                LogEntry::EmptyControl(producer_id, offset) => {
                    self.replicate_empty_control(*producer_id, *offset, now)?;
                }
                LogEntry::Plain(end) => self.skip_to(*end)?,
            }
        }
        Ok(completed)
    }

    /// Whether all of a read can be recorded.
    fn admit_read(&self, entries: &[LogEntry]) -> Result<(), CommitError> {
        let mut end = self.map_end;
        let mut anyone = !self.is_empty();
        let mut open: HashMap<i64, Option<Offset>> = HashMap::new();
        for entry in entries {
            let (first, next) = match entry {
                LogEntry::Batch(batch) if anyone => (batch.base_offset, Some(batch.end)),
                LogEntry::Batch(batch) => (batch.last_offset, Some(batch.end)),
                LogEntry::Marker(_, at) | LogEntry::EmptyControl(_, at) => (*at, at.checked_add(1)),
                LogEntry::Plain(end) => (*end, Some(*end)),
            };
            if first < end {
                let (given, map_end) = (first, end);
                return Err(CommitError::OffsetMovedBack { given, map_end });
            }
            end = next.ok_or(CommitError::OffsetOverflow { given: first })?;
            anyone |= !matches!(entry, LogEntry::Plain(_));
            match entry {
                LogEntry::Batch(batch) => {
                    let open = open
                        .entry(batch.producer_id.get())
                        .or_insert_with(|| self.open_since(batch.producer_id));
                    if !batch.transactional {
                        refuse_if_open(*open)?;
                    }
                    *open = open.or(batch.transactional.then_some(batch.base_offset));
                }
                LogEntry::Marker(marker, _) => {
                    open.insert(marker.producer_id.get(), None);
                }
                LogEntry::EmptyControl(..) | LogEntry::Plain(_) => {}
            }
        }
        Ok(())
    }

    /// Where the open transaction of a producer began.
    fn open_since(&self, producer_id: ProducerId) -> Option<Offset> {
        let slot = self.producers.find(producer_id.get())?;
        let side = self.producers.side(slot);
        side.transaction_first_offset.and_then(Offset::new)
    }

    /// Records of a batch whose epoch does not last until the end of the read what outlives
    /// it: that the producer was there, and where its transaction began.
    fn pass_over(&mut self, batch: &LoggedBatch, now: Timestamp) -> Result<(), CommitError> {
        let slot = self.admit(batch)?;
        if batch.transactional {
            self.begin_transaction(slot, batch.base_offset);
        }
        self.changed(slot, batch.end, now);
        Ok(())
    }

    /// The marker, under the epoch that its producer has anyway.
    fn without_epoch(&mut self, marker: &Marker) -> Marker {
        let slot = self.find_or_insert(marker.producer_id);
        Marker {
            epoch: super::Epoch::new(self.producers.epoch(slot)),
            ..*marker
        }
    }

    /// The slot of the producer of a batch that may stand here.
    fn admit(&mut self, batch: &LoggedBatch) -> Result<Slot, CommitError> {
        // Before anything is known of the log, it may start within this batch.
        let before = match self.producers.len() {
            0 => batch.last_offset < self.map_end,
            _ => batch.base_offset < self.map_end,
        };
        if before {
            return Err(self.moved_back(batch.base_offset));
        }
        if !batch.transactional {
            refuse_if_open(self.open_since(batch.producer_id))?;
        }
        self.metrics.replicated.add(1);
        Ok(self.find_or_insert(batch.producer_id))
    }
}

/// A batch outside of a transaction cannot stand where one is open.
fn refuse_if_open(open: Option<Offset>) -> Result<(), Rejection> {
    match open {
        Some(first_offset) => Err(Rejection::OpenTransaction { first_offset }),
        None => Ok(()),
    }
}

fn range(batch: &LoggedBatch) -> SequenceRange {
    // A batch has at most 2³¹ records, so the delta of its offsets fits.
    let offset_delta = (batch.last_offset.get() - batch.base_offset.get()) as i32;
    let last = batch
        .base_sequence
        .map(|first| first.plus(offset_delta as u32));
    SequenceRange::new(last.map_or(-1, |last| last.get()), offset_delta)
}

/// For each entry, whether a later one has another epoch of the same producer.
fn superseded(entries: &[LogEntry]) -> Vec<bool> {
    /// Of a producer: its last epoch, and whether another one was met on the way back.
    struct Later {
        epoch: i16,
        another: bool,
    }
    let mut later: HashMap<i64, Later> = HashMap::new();
    let mut superseded: Vec<bool> = entries
        .iter()
        .rev()
        .map(|entry| {
            let (producer_id, epoch) = match entry {
                LogEntry::Batch(batch) => (batch.producer_id, batch.epoch),
                LogEntry::Marker(marker, _) => (marker.producer_id, marker.epoch),
                LogEntry::EmptyControl(..) | LogEntry::Plain(_) => return false,
            };
            let later = later.entry(producer_id.get()).or_insert(Later {
                epoch: epoch.get(),
                another: false,
            });
            later.another |= later.epoch != epoch.get();
            later.another
        })
        .collect();
    superseded.reverse();
    superseded
}
