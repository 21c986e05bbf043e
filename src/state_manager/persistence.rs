//! State into the bytes of a snapshot and back.

use super::config::Profile;
use super::expiry::is_expired;
use super::manager::{next_incarnation, ProducerStateManager};
use super::numbers::{CoordinatorEpoch, Offset, ProducerId, Timestamp};
use super::producers::{CachedBatch, Change, Kept, Producers, SequenceRange, Side, Slot};
use super::snapshot::{detect, kafka, whole_window, Format, SnapshotError};
use super::transactions::Transactions;

/// What a snapshot brought back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Restored {
    /// Producers that are known again.
    pub producers: usize,
    /// Producers of the snapshot that had expired in the meantime.
    pub expired: usize,
}

impl ProducerStateManager {
    /// The format in which this profile keeps its state: [`Format::Kafka`] is what Apache
    /// Kafka writes, [`Format::WholeWindow`] loses nothing.
    pub fn snapshot_format(&self) -> Format {
        match self.config.profile {
            Profile::Kafka => Format::Kafka,
            Profile::Hardened => Format::WholeWindow,
        }
    }

    /// All state in the bytes of a snapshot file. It covers the log up to
    /// [`map_end_offset`](Self::map_end_offset); a file of Kafka's format says that in its
    /// name only.
    ///
    /// # Errors
    /// [`SnapshotError::TooManyProducers`]: Kafka's format counts to 2³¹−1.
    pub fn encode(&self, format: Format) -> Result<Vec<u8>, SnapshotError> {
        match format {
            Format::Kafka => {
                kafka::encode(self.producers.iter().map(|slot| self.kafka_entry(slot)))
            }
            Format::WholeWindow => self.encode_whole_window(),
        }
    }

    fn kafka_entry(&self, slot: Slot) -> kafka::Entry {
        let side = self.producers.side(slot);
        let newest = self.producers.newest(slot);
        kafka::Entry {
            producer_id: self.producers.producer_id(slot),
            epoch: self.producers.epoch(slot),
            last_sequence: newest.map_or(-1, |batch| batch.range.last_sequence()),
            last_offset: newest.map_or(-1, |batch| batch.last_offset),
            offset_delta: newest.map_or(0, |batch| batch.range.offset_delta()),
            timestamp: self.producers.last_timestamp(slot),
            coordinator_epoch: side.coordinator_epoch.get(),
            transaction_first_offset: side.transaction_first_offset.unwrap_or(-1),
        }
    }

    fn encode_whole_window(&self) -> Result<Vec<u8>, SnapshotError> {
        let batches = self
            .producers
            .iter()
            .map(|slot| self.producers.window_len(slot));
        let mut encoder =
            whole_window::Encoder::with_room(self.map_end.get(), self.len(), batches.sum());
        for slot in self.producers.iter() {
            let side = self.producers.side(slot);
            let producer = whole_window::Producer {
                producer_id: self.producers.producer_id(slot),
                epoch: self.producers.epoch(slot),
                coordinator_epoch: side.coordinator_epoch.get(),
                last_timestamp: self.producers.last_timestamp(slot),
                last_seen: self.producers.last_seen(slot),
                transaction_first_offset: side.transaction_first_offset.unwrap_or(-1),
            };
            let records = self
                .producers
                .batches(slot)
                .map(|batch| whole_window::BatchRecord {
                    last_sequence: batch.range.last_sequence(),
                    last_offset: batch.last_offset,
                    offset_delta: batch.range.offset_delta(),
                    timestamp: batch.timestamp,
                });
            encoder.push(&producer, records)?;
        }
        Ok(encoder.finish())
    }

    /// Takes the state of a snapshot of either format that covers the log up to `map_end`,
    /// in place of all that is known, and drops what has expired by `now`. Permits from
    /// before are worthless.
    ///
    /// Kafka's format holds one batch of each producer, so the window is one batch then, and
    /// the time at which a producer was last seen is taken to be `now`.
    ///
    /// # Errors
    /// If the bytes are damaged, or cover another part of the log than said. The state is as
    /// it was.
    pub fn restore(
        &mut self,
        bytes: &[u8],
        map_end: Offset,
        now: Timestamp,
    ) -> Result<Restored, SnapshotError> {
        let mut restoring = Restoring {
            manager: self,
            producers: Producers::new(self.config.window(), self.config.max_producers),
            transactions: Transactions::default(),
            map_end,
            now,
            expired: Vec::new(),
        };
        match detect(bytes)? {
            Format::Kafka => restoring.read_kafka(bytes)?,
            Format::WholeWindow => restoring.read_whole_window(bytes)?,
        }
        let Restoring {
            mut producers,
            transactions,
            expired,
            ..
        } = restoring;
        for slot in &expired {
            producers.remove(*slot);
        }
        self.producers = producers;
        self.transactions = transactions;
        self.begin_again(map_end);
        self.producers.order_by_last_seen();
        self.evict_above_cap();
        let restored = Restored {
            producers: self.len(),
            expired: expired.len(),
        };
        self.metrics.restored.add(restored.producers as u64);
        self.metrics.expired.add(restored.expired as u64);
        Ok(restored)
    }

    /// Forgets everything: a log that begins at `map_end`. Permits from before are
    /// worthless.
    pub(super) fn forget_all(&mut self, map_end: Offset) {
        self.producers = Producers::new(self.config.window(), self.config.max_producers);
        self.transactions = Transactions::default();
        self.begin_again(map_end);
    }

    fn begin_again(&mut self, map_end: Offset) {
        self.map_end = map_end;
        // Whoever knows of a file says so: the bytes may have come from elsewhere.
        self.last_snapshot = Offset::ZERO;
        self.incarnation = next_incarnation();
        self.expiry_cursor = 0;
    }
}

/// A state on its way from a file, beside the one that is still in force.
struct Restoring<'a> {
    manager: &'a ProducerStateManager,
    producers: Producers,
    transactions: Transactions,
    map_end: Offset,
    now: Timestamp,
    /// Where those lie that have expired. They go last: until then a second entry of the same
    /// producer is recognised.
    expired: Vec<Slot>,
}

impl Restoring<'_> {
    fn read_kafka(&mut self, bytes: &[u8]) -> Result<(), SnapshotError> {
        let parsed = kafka::parse(bytes)?;
        self.producers.reserve(parsed.entries().len());
        for (at, entry) in parsed.entries().enumerate() {
            let producer = whole_window::Producer {
                producer_id: entry.producer_id,
                epoch: entry.epoch,
                coordinator_epoch: entry.coordinator_epoch,
                last_timestamp: entry.timestamp,
                last_seen: self.now.get(),
                transaction_first_offset: entry.transaction_first_offset,
            };
            let newest = entry.has_batch().then_some(CachedBatch {
                last_offset: entry.last_offset,
                timestamp: entry.timestamp,
                range: SequenceRange::new(entry.last_sequence, entry.offset_delta),
            });
            if entry.last_offset.max(entry.transaction_first_offset) >= self.map_end.get() {
                let what = "an offset is at or after the end of the log that the snapshot covers";
                return Err(SnapshotError::Implausible { entry: at, what });
            }
            self.take(at, &producer, newest)?;
        }
        Ok(())
    }

    fn read_whole_window(&mut self, bytes: &[u8]) -> Result<(), SnapshotError> {
        let parsed = whole_window::parse(bytes)?;
        if parsed.map_end() != self.map_end.get() {
            let what = "the end of the log that the snapshot covers is not that of its name";
            return Err(SnapshotError::ImplausibleHeader { what });
        }
        self.producers.reserve(parsed.entries().len());
        for (at, entry) in parsed.entries().enumerate() {
            let batches = entry.batches().map(|batch| CachedBatch {
                last_offset: batch.last_offset,
                timestamp: batch.timestamp,
                range: SequenceRange::new(batch.last_sequence, batch.offset_delta),
            });
            self.take(at, &entry.producer, batches)?;
        }
        Ok(())
    }

    fn take(
        &mut self,
        entry: usize,
        producer: &whole_window::Producer,
        batches: impl IntoIterator<Item = CachedBatch>,
    ) -> Result<(), SnapshotError> {
        let open = Offset::new(producer.transaction_first_offset);
        let kept = Kept {
            producer_id: producer.producer_id,
            epoch: producer.epoch,
            last_timestamp: producer.last_timestamp,
            side: Side {
                coordinator_epoch: CoordinatorEpoch::new(producer.coordinator_epoch),
                transaction_first_offset: open.map(Offset::get),
                newest_timestamp: None,
            },
            change: Change {
                number: self.manager.changes as u32,
                now: producer.last_seen,
            },
        };
        let Some(slot) = self.producers.restore(&kept, batches) else {
            let producer_id = producer.producer_id;
            return Err(SnapshotError::DuplicateProducer { producer_id });
        };
        if let (Some(first), Some(id)) = (open, ProducerId::new(producer.producer_id)) {
            if !self.transactions.begin(first, id) {
                let what = "its transaction begins where that of another producer does";
                return Err(SnapshotError::Implausible { entry, what });
            }
        } else if is_expired(&self.manager.config, &self.producers, slot, self.now) {
            self.expired.push(slot);
        }
        Ok(())
    }
}
