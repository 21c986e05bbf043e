//! What a manager must know and answer, in plain lists and by the words of its documentation.
//! Nothing here is fast, packed or clever.

mod admission;
mod decision;

use std::collections::BTreeMap;

use retryproof::state_manager::{CompletedTransaction, Config, Counts, Marker, Offset, Profile};

use super::super::producer::{Cached, Producer, SEQUENCES};
use super::saved::Saved;

pub use admission::Basis;
pub use decision::Answer;

/// A batch, in bare numbers.
#[derive(Clone, Copy, Debug)]
pub struct Written {
    pub producer_id: i64,
    pub epoch: i16,
    /// −1 for none.
    pub base_sequence: i64,
    pub records: i64,
    pub timestamp: i64,
    pub transactional: bool,
}

impl Written {
    fn last_sequence(&self) -> i64 {
        match self.base_sequence {
            -1 => -1,
            first => (first + self.records - 1) % SEQUENCES,
        }
    }
}

/// One batch of a log.
#[derive(Clone, Copy, Debug)]
pub enum Entry {
    Batch(Written, i64),
    Marker(Marker, i64),
    EmptyControl(i64, i64),
    /// Ends here.
    Plain(i64),
}

/// See the head of this file.
#[derive(Clone)]
pub struct Reference {
    hardened: bool,
    window: usize,
    cap: usize,
    expiry: i64,
    pub producers: BTreeMap<i64, Producer>,
    /// Last change of each producer.
    versions: BTreeMap<i64, u64>,
    /// Who can be evicted, least recently seen first.
    order: Vec<i64>,
    /// Ended transactions: offset of the first record and of the marker.
    ended: Vec<(i64, i64)>,
    pub end: i64,
    leader_epoch: Option<i32>,
    life: u64,
    changes: u64,
    pub counts: Counts,
}

pub fn offset(number: i64) -> Offset {
    Offset::new(number).expect("not negative")
}

impl Reference {
    pub fn new(config: &Config, window: usize) -> Self {
        Reference {
            hardened: config.profile() == Profile::Hardened,
            window,
            cap: config.max_producers().map_or(usize::MAX, |cap| cap.get()),
            expiry: i64::try_from(config.expiry().as_millis()).expect("short"),
            producers: BTreeMap::new(),
            versions: BTreeMap::new(),
            order: Vec::new(),
            ended: Vec::new(),
            end: 0,
            leader_epoch: None,
            life: 0,
            changes: 0,
            counts: Counts::default(),
        }
    }

    /// Whether producers can be evicted.
    pub fn is_capped(&self) -> bool {
        self.cap != usize::MAX
    }

    pub fn record(&mut self, batch: &Written, base_offset: i64, now: i64) {
        let window = self.window;
        let last_offset = base_offset + (batch.records - 1);
        let producer = self.know(batch.producer_id);
        if producer.epoch != batch.epoch {
            producer.window.clear();
            producer.epoch = batch.epoch;
        }
        producer.window.push(Cached {
            first: batch.base_sequence,
            last: batch.last_sequence(),
            first_offset: base_offset,
            last_offset,
            timestamp: batch.timestamp,
        });
        if producer.window.len() > window {
            producer.window.remove(0);
        }
        producer.last_timestamp = batch.timestamp;
        if batch.transactional && producer.transaction.is_none() {
            producer.transaction = Some(base_offset);
        }
        self.changed(batch.producer_id, last_offset + 1, now);
    }

    /// The transaction that the marker ends, if one was open.
    pub fn record_marker(
        &mut self,
        marker: &Marker,
        at: i64,
        now: i64,
    ) -> Option<CompletedTransaction> {
        self.counts.markers += 1;
        let producer_id = marker.producer_id.get();
        let producer = self.know(producer_id);
        if producer.epoch != marker.epoch.get() {
            producer.window.clear();
            producer.epoch = marker.epoch.get();
        }
        producer.coordinator_epoch = marker.coordinator_epoch.get();
        producer.last_timestamp = marker.timestamp.get();
        let first = producer.transaction.take();
        self.ended.extend(first.map(|first| (first, at)));
        self.changed(producer_id, at + 1, now);
        first.map(|first| CompletedTransaction {
            producer_id: marker.producer_id,
            first_offset: offset(first),
            last_offset: offset(at),
            ending: marker.ending,
        })
    }

    pub fn record_empty_control(&mut self, producer_id: i64, at: i64, now: i64) {
        self.know(producer_id);
        self.changed(producer_id, at + 1, now);
    }

    /// One read of a log, folded into one update for each producer. Nobody is evicted in it.
    pub fn record_read(&mut self, entries: &[Entry], now: i64) -> Vec<CompletedTransaction> {
        let before = self.producers.clone();
        for producer in self.producers.values_mut() {
            producer.window.clear();
        }
        let completed = entries
            .iter()
            .filter_map(|entry| self.record_entry(entry, now))
            .collect();
        for (producer_id, producer) in &mut self.producers {
            let old = before
                .get(producer_id)
                .filter(|old| old.epoch == producer.epoch);
            let mut window = old.map_or(Vec::new(), |old| old.window.clone());
            window.append(&mut producer.window);
            window.drain(..window.len().saturating_sub(self.window));
            producer.window = window;
        }
        completed
    }

    fn record_entry(&mut self, entry: &Entry, now: i64) -> Option<CompletedTransaction> {
        match entry {
            Entry::Batch(batch, base_offset) => {
                self.counts.replicated += 1;
                self.record(batch, *base_offset, now);
            }
            Entry::Marker(marker, at) => return self.record_marker(marker, *at, now),
            Entry::EmptyControl(producer_id, at) => {
                self.record_empty_control(*producer_id, *at, now)
            }
            Entry::Plain(end) => self.end = *end,
        }
        None
    }

    fn know(&mut self, producer_id: i64) -> &mut Producer {
        let before = self.producers.len();
        self.producers
            .entry(producer_id)
            .or_insert_with(Producer::unwritten);
        if self.producers.len() > before {
            self.evict();
        }
        self.producers.get_mut(&producer_id).expect("just inserted")
    }

    fn evict(&mut self) {
        while self.producers.len() > self.cap && !self.order.is_empty() {
            let producer_id = self.order[0];
            self.forget(producer_id);
            self.counts.evicted += 1;
        }
    }

    pub fn forget(&mut self, producer_id: i64) {
        self.producers.remove(&producer_id);
        self.versions.remove(&producer_id);
        self.order.retain(|other| *other != producer_id);
    }

    fn changed(&mut self, producer_id: i64, end: i64, now: i64) {
        self.changes += 1;
        self.versions.insert(producer_id, self.changes);
        self.end = end;
        self.order.retain(|other| *other != producer_id);
        let producer = self.producers.get_mut(&producer_id).expect("known");
        producer.last_seen = now;
        if producer.transaction.is_none() {
            self.order.push(producer_id);
        }
    }

    /// Who is to be forgotten at this time.
    pub fn expired(&self, now: i64) -> Vec<i64> {
        let expired = |producer: &Producer| producer.is_expired(self.hardened, self.expiry, now);
        let expired = self
            .producers
            .iter()
            .filter(|(_, producer)| expired(producer));
        expired.map(|(producer_id, _)| *producer_id).collect()
    }

    /// Takes the state of a snapshot; says how many of its producers have expired.
    pub fn restore(&mut self, saved: &Saved, end: i64, now: i64) -> usize {
        self.life += 1;
        self.end = end;
        self.ended.clear();
        self.versions.clear();
        self.producers = saved.producers_at(now).collect();
        let expired = self.expired(now);
        self.order = saved
            .producers
            .iter()
            .map(|(producer_id, _)| *producer_id)
            .collect();
        expired
            .iter()
            .for_each(|producer_id| self.forget(*producer_id));
        let producers = &self.producers;
        self.order
            .retain(|producer_id| producers[producer_id].transaction.is_none());
        self.order
            .sort_by_key(|producer_id| producers[producer_id].last_seen);
        self.evict();
        self.versions = self
            .producers
            .keys()
            .map(|producer_id| (*producer_id, self.changes))
            .collect();
        self.counts.restored += self.producers.len() as u64;
        self.counts.expired += expired.len() as u64;
        expired.len()
    }

    pub fn on_log_start(&mut self, log_start: i64) {
        self.on_high_watermark(log_start);
        self.end = self.end.max(log_start);
    }

    pub fn on_high_watermark(&mut self, high_watermark: i64) {
        self.ended.retain(|(_, marker)| *marker >= high_watermark);
    }

    pub fn set_leader_epoch(&mut self, epoch: i32) {
        if self.leader_epoch != Some(epoch) {
            self.leader_epoch = Some(epoch);
            self.life += 1;
        }
    }

    pub fn first_undecided_offset(&self) -> Option<i64> {
        self.producers
            .values()
            .filter_map(|producer| producer.transaction)
            .min()
    }

    pub fn first_unstable_offset(&self) -> Option<i64> {
        let ended = self.ended.iter().map(|(first, _)| *first);
        ended.chain(self.first_undecided_offset()).min()
    }
}
