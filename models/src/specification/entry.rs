//! What the broker keeps of one producer (Kafka: `ProducerStateEntry`).

use super::log::{Batch, Content};
use super::producer::Producer;
use super::sequence::last_of;
use super::settings::{Profile, Settings};

/// The epoch of a producer without state (Kafka: `RecordBatch.NO_PRODUCER_EPOCH`).
pub(super) const NO_EPOCH: i64 = -1;

/// One batch in the window (Kafka: `BatchMetadata`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Remembered {
    pub(super) first_seq: i64,
    pub(super) last_seq: i64,
    pub(super) first_offset: i64,
    pub(super) last_offset: i64,
}

/// State of one producer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) epoch: i64,
    pub(super) coordinator_epoch: i64,
    /// Timestamp of the newest batch or marker.
    pub(super) last_timestamp: i64,
    /// Clock when the partition last changed this entry.
    pub(super) last_seen: i64,
    /// The newest batches of the epoch, oldest first.
    pub(super) window: Vec<Remembered>,
}

impl Entry {
    /// What a producer without state counts as.
    pub(super) fn none() -> Self {
        Entry {
            epoch: NO_EPOCH,
            coordinator_epoch: -1,
            last_timestamp: -1,
            last_seen: -1,
            window: Vec::new(),
        }
    }

    /// Sequence of its newest record; `None` if only a marker is left.
    pub(super) fn last_seq(&self) -> Option<i64> {
        self.window.last().map(|newest| newest.last_seq)
    }

    /// The batch of this epoch with exactly these sequences; the oldest, if there are two.
    pub(super) fn find(&self, epoch: i64, first_seq: i64, last_seq: i64) -> Option<&Remembered> {
        self.window.iter().find(|batch| {
            epoch == self.epoch && (batch.first_seq, batch.last_seq) == (first_seq, last_seq)
        })
    }

    /// The same without its window: to this, an append or a replay adds batches.
    pub(super) fn without_window(&self) -> Self {
        Entry {
            window: Vec::new(),
            ..self.clone()
        }
    }

    /// Adds a batch of this producer, or a marker.
    pub(super) fn add(&mut self, batch: &Batch, window: usize, now: i64) {
        match batch.content {
            Content::Plain => return,
            Content::Records { epoch, seq, .. } => {
                self.set_epoch(epoch);
                let remembered = Remembered {
                    first_seq: seq,
                    last_seq: last_of(seq, batch.count),
                    first_offset: batch.base,
                    last_offset: batch.last(),
                };
                self.remember(remembered, window);
            }
            Content::Marker { epoch, coord, .. } => {
                self.set_epoch(epoch);
                self.coordinator_epoch = coord;
            }
        }
        self.last_timestamp = batch.timestamp;
        self.last_seen = now;
    }

    /// Takes over what was added to a copy [without the window](Entry::without_window).
    ///
    /// Only the epochs before and after are compared. If a replay went from one epoch to
    /// another and back, the window from before it stays.
    pub(super) fn take_over(&mut self, added: Entry, window: usize) {
        self.set_epoch(added.epoch);
        for remembered in added.window {
            self.remember(remembered, window);
        }
        self.coordinator_epoch = added.coordinator_epoch;
        self.last_timestamp = added.last_timestamp;
        self.last_seen = added.last_seen;
    }

    /// Whether it is to be forgotten.
    pub(super) fn is_expired(&self, settings: &Settings, now: i64) -> bool {
        let since = match settings.profile {
            Profile::Kafka => self.last_timestamp,
            Profile::Hardened => self.last_seen,
        };
        now - since >= settings.expiry_ms
    }

    /// What can be observed of it.
    pub(super) fn observed(&self) -> Producer {
        let batches = self.window.iter().map(|batch| {
            [
                batch.first_seq,
                batch.last_seq,
                batch.first_offset,
                batch.last_offset,
            ]
        });
        Producer {
            epoch: self.epoch,
            last_timestamp: self.last_timestamp,
            batches: batches.collect(),
        }
    }

    /// Another epoch, also a lower one, clears the window.
    fn set_epoch(&mut self, epoch: i64) {
        if self.epoch != epoch {
            self.epoch = epoch;
            self.window.clear();
        }
    }

    fn remember(&mut self, batch: Remembered, window: usize) {
        self.window.push(batch);
        if self.window.len() > window {
            self.window.remove(0);
        }
    }
}
