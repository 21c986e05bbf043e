//! The manager itself: what it holds, and how a batch that the log has is recorded.

use std::cell::Cell;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

use tracing::{info, warn};

use super::batch::Marker;
use super::config::Config;
use super::metrics::Metrics;
use super::numbers::{LeaderEpoch, Offset, ProducerId, Timestamp};
use super::permit::{Basis, CommitError, Data, MarkerPermit, Permit, UNKNOWN};
use super::producers::{CachedBatch, Change, Producers, Side, Slot};
use super::transactions::{CompletedTransaction, Transactions};

/// The state of all producers of one partition (Kafka: `ProducerStateManager`).
///
/// It decides by what the log holds and never runs ahead of it: a check changes nothing, a
/// commit records what was appended. Everything else that happens to a log has its method
/// too. A broker keeps one for each partition, beside the log and under the same lock (it can
/// be sent to another thread, but not be used by two at a time).
pub struct ProducerStateManager {
    pub(super) config: Config,
    pub(super) producers: Producers,
    pub(super) transactions: Transactions,
    pub(super) metrics: Arc<Metrics>,
    /// Where the recorded part of the log ends (exclusive).
    pub(super) map_end: Offset,
    pub(super) leader_epoch: Option<LeaderEpoch>,
    /// One number for each life of each manager of the process: permits of another are
    /// told by it.
    pub(super) incarnation: u64,
    /// Where the newest snapshot ends that was written or loaded.
    pub(super) last_snapshot: Offset,
    /// How many changes there were.
    pub(super) changes: u64,
    /// Where the next step of expiry begins.
    pub(super) expiry_cursor: Slot,
    /// One thread at a time: the counters rely on it.
    pub(super) not_sync: PhantomData<Cell<()>>,
}

pub(super) fn next_incarnation() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl ProducerStateManager {
    /// A manager that knows no producer, for a log that begins at offset 0.
    pub fn new(config: Config) -> Self {
        ProducerStateManager {
            config,
            producers: Producers::new(config.window(), config.max_producers),
            transactions: Transactions::default(),
            metrics: Arc::default(),
            map_end: Offset::ZERO,
            last_snapshot: Offset::ZERO,
            leader_epoch: None,
            incarnation: next_incarnation(),
            changes: 0,
            expiry_cursor: 0,
            not_sync: PhantomData,
        }
    }

    /// How it is set up.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Its counters, to be read from anywhere.
    pub fn metrics(&self) -> Arc<Metrics> {
        Arc::clone(&self.metrics)
    }

    /// How many producers it knows.
    pub fn len(&self) -> usize {
        self.producers.len()
    }

    /// Whether it knows none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The state covers the log up to here, exclusive (Kafka: `mapEndOffset`). If the manager
    /// is told of every append, this is where the log ends, batches of no producer included
    /// (see [`skip_to`](Self::skip_to)).
    pub fn map_end_offset(&self) -> Offset {
        self.map_end
    }

    /// Where reading for consumers of committed data must stop: the first offset of the
    /// oldest transaction that is open, or ended by a marker that is not yet below the high
    /// watermark.
    pub fn first_unstable_offset(&self) -> Option<Offset> {
        self.transactions.first_unstable_offset()
    }

    /// The first offset of the oldest open transaction.
    pub fn first_undecided_offset(&self) -> Option<Offset> {
        self.transactions.first_undecided_offset()
    }

    /// Says that all below `high_watermark` is replicated.
    pub fn on_high_watermark(&mut self, high_watermark: Offset) {
        self.transactions.on_high_watermark(high_watermark);
    }

    /// Says that this replica leads the partition in another epoch than before: permits from
    /// before are worthless, even if it leads again after it did not for a while.
    pub fn set_leader_epoch(&mut self, epoch: LeaderEpoch) {
        if self.leader_epoch != Some(epoch) {
            self.leader_epoch = Some(epoch);
            self.incarnation = next_incarnation();
        }
    }

    /// Records a batch that was checked and that the log now has from `base_offset` on;
    /// `now` is the wall-clock time. Returns the offset of its last record.
    ///
    /// # Errors
    /// See [`CommitError`]; nothing was recorded. Between check and commit of one producer
    /// nothing else of it may be committed, so hold the partition's lock for both.
    #[inline]
    pub fn commit(
        &mut self,
        permit: Permit,
        base_offset: Offset,
        now: Timestamp,
    ) -> Result<Offset, CommitError> {
        let Permit { basis, data } = permit;
        let (last_offset, end) = self.extent(base_offset, data.range.offset_delta())?;
        let change = self.next_change(now);
        let went_on = self.changes_since(&basis).is_some_and(|between| {
            self.producers
                .go_on(&basis, &data, last_offset.get(), change, between)
        });
        if went_on {
            self.finish(end);
        } else {
            let slot = self.use_up(&basis)?;
            self.record(slot, &data, base_offset, last_offset);
            self.changed(slot, end, now);
        }
        self.metrics.appended.add(1);
        Ok(last_offset)
    }

    /// Records a marker that was checked and that the log now has at `offset`. Returns the
    /// transaction that it ended, if one was open.
    ///
    /// # Errors
    /// As those of [`commit`](Self::commit).
    pub fn commit_marker(
        &mut self,
        permit: MarkerPermit,
        offset: Offset,
        now: Timestamp,
    ) -> Result<Option<CompletedTransaction>, CommitError> {
        let MarkerPermit { basis, marker } = permit;
        let (_, end) = self.extent(offset, 0)?;
        let slot = self.use_up(&basis)?;
        let completed = self.record_marker(slot, &marker, offset);
        self.changed(slot, end, now);
        Ok(completed)
    }

    /// Says that the log ends at `end` (exclusive), after an append that is no producer's
    /// business: a batch without a producer id.
    ///
    /// # Errors
    /// [`CommitError::OffsetMovedBack`].
    pub fn skip_to(&mut self, end: Offset) -> Result<(), CommitError> {
        if end < self.map_end {
            return Err(self.moved_back(end));
        }
        self.map_end = end;
        Ok(())
    }

    /// The last offset of a batch and the one after it.
    #[inline]
    pub(super) fn extent(
        &self,
        base_offset: Offset,
        delta: i32,
    ) -> Result<(Offset, Offset), CommitError> {
        if base_offset < self.map_end {
            return Err(self.moved_back(base_offset));
        }
        base_offset
            .extent(delta)
            .ok_or(CommitError::OffsetOverflow { given: base_offset })
    }

    #[cold]
    pub(super) fn moved_back(&self, given: Offset) -> CommitError {
        CommitError::OffsetMovedBack {
            given,
            map_end: self.map_end,
        }
    }

    /// How many changes there were since a permit was given; `None` if it is of another life
    /// or manager, or so old that the number of a change, modulo 2³², could come again.
    #[inline]
    fn changes_since(&self, basis: &Basis) -> Option<u32> {
        if basis.incarnation != self.incarnation {
            return None;
        }
        u32::try_from(self.changes.wrapping_sub(basis.changes)).ok()
    }

    /// The slot that a permit is about, if it is not out of date.
    fn use_up(&mut self, basis: &Basis) -> Result<Slot, CommitError> {
        if let Some(between) = self.changes_since(basis) {
            if basis.slot == UNKNOWN {
                if self.producers.find(basis.producer_id.get()).is_none() {
                    return Ok(self.insert(basis.producer_id));
                }
            } else if self
                .producers
                .is_unchanged(basis, self.changes as u32, between)
            {
                return Ok(basis.slot);
            }
        }
        self.metrics.stale_permits.add(1);
        Err(CommitError::StalePermit)
    }

    pub(super) fn find_or_insert(&mut self, producer_id: ProducerId) -> Slot {
        match self.producers.find(producer_id.get()) {
            Some(slot) => slot,
            None => self.insert(producer_id),
        }
    }

    /// Makes a producer known, and room for it if there is a cap.
    pub(super) fn insert(&mut self, producer_id: ProducerId) -> Slot {
        let slot = self.producers.find_or_insert(producer_id.get()).0;
        // The new one is not in the order of use yet, so it is not the one to go.
        self.evict_above_cap();
        slot
    }

    pub(super) fn evict_above_cap(&mut self) {
        let Some(cap) = self.config.max_producers else {
            return;
        };
        while self.producers.len() > cap.get() {
            let Some(slot) = self.producers.least_recently_seen() else {
                warn!(
                    producers = self.producers.len(),
                    "more producers than the cap: all have a transaction open"
                );
                return;
            };
            self.evict(slot);
        }
    }

    fn evict(&mut self, slot: Slot) {
        info!(
            producer_id = self.producers.producer_id(slot),
            last_seen = self.producers.last_seen(slot),
            "producer evicted: there are more than the cap"
        );
        self.metrics.evicted.add(1);
        self.producers.remove(slot);
    }

    pub(super) fn record(
        &mut self,
        slot: Slot,
        data: &Data,
        base_offset: Offset,
        last_offset: Offset,
    ) {
        if self.producers.epoch(slot) != data.epoch {
            self.producers.set_epoch(slot, data.epoch);
        }
        let batch = CachedBatch {
            last_offset: last_offset.get(),
            timestamp: data.max_timestamp,
            range: data.range,
        };
        self.producers.push(slot, &batch, data.follows);
        if data.transactional {
            self.begin_transaction(slot, base_offset);
        }
    }

    #[cold]
    pub(super) fn begin_transaction(&mut self, slot: Slot, first_offset: Offset) {
        let side = self.producers.side(slot);
        if side.transaction_first_offset.is_some() {
            return;
        }
        self.producers.set_side(
            slot,
            Side {
                transaction_first_offset: Some(first_offset.get()),
                ..side
            },
        );
        if let Some(producer_id) = ProducerId::new(self.producers.producer_id(slot)) {
            self.transactions.begin(first_offset, producer_id);
        }
    }

    pub(super) fn record_marker(
        &mut self,
        slot: Slot,
        marker: &Marker,
        offset: Offset,
    ) -> Option<CompletedTransaction> {
        self.metrics.markers.add(1);
        self.producers.set_epoch(slot, marker.epoch.get());
        self.producers
            .set_last_timestamp(slot, marker.timestamp.get());
        let side = self.producers.side(slot);
        self.producers.set_side(
            slot,
            Side {
                coordinator_epoch: marker.coordinator_epoch,
                transaction_first_offset: None,
                ..side
            },
        );
        let completed = CompletedTransaction {
            producer_id: marker.producer_id,
            first_offset: side.transaction_first_offset.and_then(Offset::new)?,
            last_offset: offset,
            ending: marker.ending,
        };
        self.transactions.complete(&completed);
        Some(completed)
    }

    /// Notes that this producer changed and that the log ends at `end` now.
    pub(super) fn changed(&mut self, slot: Slot, end: Offset, now: Timestamp) {
        self.producers.changed(slot, self.next_change(now));
        self.finish(end);
    }

    #[inline]
    fn next_change(&self, now: Timestamp) -> Change {
        Change {
            number: self.changes.wrapping_add(1) as u32,
            now: now.get(),
        }
    }

    #[inline]
    fn finish(&mut self, end: Offset) {
        self.changes += 1;
        self.map_end = end;
    }
}

impl std::fmt::Debug for ProducerStateManager {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ProducerStateManager")
            .field("config", &self.config)
            .field("producers", &self.producers.len())
            .field("map_end", &self.map_end)
            .finish_non_exhaustive()
    }
}
