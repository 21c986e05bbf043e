//! What the manager knows, to be looked at (Kafka: DescribeProducers, KIP-664).

use super::manager::ProducerStateManager;
use super::numbers::{CoordinatorEpoch, Epoch, Offset, ProducerId, Sequence, Timestamp};
use super::producers::{CachedBatch, Producers, Slot};

/// One producer, as the manager knows it.
#[derive(Clone, Copy)]
pub struct ProducerView<'a> {
    producers: &'a Producers,
    slot: Slot,
}

/// One batch of a producer's window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchView {
    /// Sequence of the first record; `None` for a batch that a coordinator wrote.
    pub first_sequence: Option<Sequence>,
    /// Sequence of the last record; `None` for a batch that a coordinator wrote.
    pub last_sequence: Option<Sequence>,
    /// Offset of the first record.
    pub first_offset: Offset,
    /// Offset of the last record.
    pub last_offset: Offset,
    /// Largest timestamp of a record.
    pub timestamp: Timestamp,
}

impl BatchView {
    fn of(batch: CachedBatch) -> Self {
        BatchView {
            first_sequence: batch.range.first(),
            last_sequence: batch.range.last(),
            first_offset: Offset::new(batch.first_offset()).unwrap_or(Offset::ZERO),
            last_offset: Offset::new(batch.last_offset).unwrap_or(Offset::ZERO),
            timestamp: Timestamp::from_millis(batch.timestamp),
        }
    }
}

impl<'a> ProducerView<'a> {
    /// Its id.
    pub fn producer_id(&self) -> ProducerId {
        // Only valid ids get in.
        ProducerId::new(self.producers.producer_id(self.slot)).unwrap_or(ProducerId::LOWEST)
    }

    /// Its current epoch; −1 if all that is known of it is an empty control batch.
    pub fn epoch(&self) -> Epoch {
        Epoch::new(self.producers.epoch(self.slot))
    }

    /// Last sequence of its newest batch in that epoch.
    pub fn last_sequence(&self) -> Option<Sequence> {
        self.producers
            .last_sequence(self.slot)
            .and_then(Sequence::new)
    }

    /// Largest timestamp of its newest batch, or the time of a later marker; −1 for none.
    pub fn last_timestamp(&self) -> Timestamp {
        Timestamp::from_millis(self.producers.last_timestamp(self.slot))
    }

    /// Wall-clock time at which it last changed here.
    pub fn last_seen(&self) -> Timestamp {
        Timestamp::from_millis(self.producers.last_seen(self.slot))
    }

    /// Epoch of the coordinator that wrote its last marker.
    pub fn coordinator_epoch(&self) -> CoordinatorEpoch {
        self.producers.side(self.slot).coordinator_epoch
    }

    /// Where its open transaction began.
    pub fn transaction_first_offset(&self) -> Option<Offset> {
        self.producers
            .side(self.slot)
            .transaction_first_offset
            .and_then(Offset::new)
    }

    /// The batches of its window, oldest first.
    pub fn batches(&self) -> impl Iterator<Item = BatchView> + 'a {
        self.producers.batches(self.slot).map(BatchView::of)
    }
}

impl std::fmt::Debug for ProducerView<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ProducerView")
            .field("producer_id", &self.producer_id())
            .field("epoch", &self.epoch())
            .field("last_timestamp", &self.last_timestamp())
            .field("last_seen", &self.last_seen())
            .field("coordinator_epoch", &self.coordinator_epoch())
            .field("transaction_first_offset", &self.transaction_first_offset())
            .field("batches", &self.batches().collect::<Vec<_>>())
            .finish()
    }
}

/// Equal if they say the same of the same producer, whatever manager they come from; when it
/// was last seen is not compared, as clocks differ.
impl PartialEq for ProducerView<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.producer_id() == other.producer_id()
            && self.epoch() == other.epoch()
            && self.last_timestamp() == other.last_timestamp()
            && self.coordinator_epoch() == other.coordinator_epoch()
            && self.transaction_first_offset() == other.transaction_first_offset()
            && self.batches().eq(other.batches())
    }
}

impl ProducerStateManager {
    /// This producer, if it is known.
    pub fn producer(&self, producer_id: ProducerId) -> Option<ProducerView<'_>> {
        let slot = self.producers.find(producer_id.get())?;
        Some(self.view(slot))
    }

    /// All known producers, in no particular order (Kafka: `activeProducers`).
    pub fn active_producers(&self) -> impl ExactSizeIterator<Item = ProducerView<'_>> {
        self.producers.iter().map(|slot| self.view(slot))
    }

    fn view(&self, slot: Slot) -> ProducerView<'_> {
        ProducerView {
            producers: &self.producers,
            slot,
        }
    }
}
