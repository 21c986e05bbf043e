//! What can be seen of one producer, in bare numbers.

use retryproof::state_manager::{BatchView, ProducerView};

/// How many sequences there are.
pub const SEQUENCES: i64 = 1 << 31;

/// One batch of a window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cached {
    /// First sequence; −1 for a batch without sequences.
    pub first: i64,
    /// Last sequence; −1 for a batch without sequences.
    pub last: i64,
    pub first_offset: i64,
    pub last_offset: i64,
    pub timestamp: i64,
}

impl Cached {
    /// The batch with this last sequence (−1 for none) and offset, of `delta` + 1 records.
    pub fn ending(last: i64, last_offset: i64, delta: i64, timestamp: i64) -> Self {
        let first = match last {
            -1 => -1,
            last => (last - delta).rem_euclid(SEQUENCES),
        };
        Cached {
            first,
            last,
            first_offset: last_offset - delta,
            last_offset,
            timestamp,
        }
    }

    /// How many records it holds.
    pub fn records(&self) -> i64 {
        self.last_offset - self.first_offset + 1
    }

    fn of(batch: &BatchView) -> Self {
        Cached {
            first: batch.first_sequence.map_or(-1, |first| first.get().into()),
            last: batch.last_sequence.map_or(-1, |last| last.get().into()),
            first_offset: batch.first_offset.get(),
            last_offset: batch.last_offset.get(),
            timestamp: batch.timestamp.get(),
        }
    }
}

/// One producer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Producer {
    pub epoch: i16,
    pub coordinator_epoch: i32,
    /// Oldest first.
    pub window: Vec<Cached>,
    pub last_timestamp: i64,
    pub last_seen: i64,
    /// Where its open transaction began.
    pub transaction: Option<i64>,
}

impl Producer {
    /// One of which nothing is known but its id.
    pub fn unwritten() -> Self {
        Producer {
            epoch: -1,
            coordinator_epoch: -1,
            window: Vec::new(),
            last_timestamp: -1,
            last_seen: -1,
            transaction: None,
        }
    }

    /// The producer as a manager shows it.
    pub fn of(view: &ProducerView<'_>) -> Self {
        let producer = Producer {
            epoch: view.epoch().get(),
            coordinator_epoch: view.coordinator_epoch().get(),
            window: view.batches().map(|batch| Cached::of(&batch)).collect(),
            last_timestamp: view.last_timestamp().get(),
            last_seen: view.last_seen().get(),
            transaction: view.transaction_first_offset().map(|first| first.get()),
        };
        let last = view.last_sequence().map_or(-1, |last| last.get().into());
        assert_eq!(last, producer.last_sequence(), "{view:?}");
        producer
    }

    /// Last sequence of its newest batch, −1 if there is none.
    pub fn last_sequence(&self) -> i64 {
        self.window.last().map_or(-1, |newest| newest.last)
    }

    /// The sequence after its newest batch.
    pub fn next_sequence(&self) -> i64 {
        (self.last_sequence() + 1) % SEQUENCES
    }

    /// Whether it was not seen for `expiry` ms, by a manager of this profile.
    pub fn is_expired(&self, hardened: bool, expiry: i64, now: i64) -> bool {
        let seen = if hardened {
            self.last_seen
        } else {
            self.last_timestamp
        };
        let age = i128::from(now) - i128::from(seen);
        age >= i128::from(expiry) && self.transaction.is_none()
    }
}
