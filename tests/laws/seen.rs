//! What is looked at when two managers are compared.

use std::collections::BTreeMap;

use retryproof::state_manager::{
    Batch, BatchView, Check, CoordinatorEpoch, Duplicate, Epoch, Offset, ProducerStateManager,
    ProducerView, Rejection, Sequence, Timestamp,
};

use crate::log::{producer_id, PRODUCERS};

/// Everything that a manager shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    pub map_end: Offset,
    pub first_undecided: Option<Offset>,
    pub producers: BTreeMap<i64, SeenProducer>,
}

/// Everything that it shows of one producer.
#[derive(Clone, Debug, PartialEq)]
pub struct SeenProducer {
    pub epoch: Epoch,
    pub last_timestamp: Timestamp,
    pub last_seen: Timestamp,
    pub coordinator_epoch: CoordinatorEpoch,
    pub transaction_first_offset: Option<Offset>,
    pub batches: Vec<BatchView>,
}

pub fn seen(manager: &ProducerStateManager) -> Seen {
    let producers = manager.active_producers();
    Seen {
        map_end: manager.map_end_offset(),
        first_undecided: manager.first_undecided_offset(),
        producers: producers
            .map(|view| (view.producer_id().get(), producer(&view)))
            .collect(),
    }
}

fn producer(view: &ProducerView<'_>) -> SeenProducer {
    SeenProducer {
        epoch: view.epoch(),
        last_timestamp: view.last_timestamp(),
        last_seen: view.last_seen(),
        coordinator_epoch: view.coordinator_epoch(),
        transaction_first_offset: view.transaction_first_offset(),
        batches: view.batches().collect(),
    }
}

impl Seen {
    /// The ids of all known producers.
    pub fn ids(&self) -> Vec<i64> {
        self.producers.keys().copied().collect()
    }
}

/// What a check says, without the permit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Answer {
    Append,
    Duplicate(Duplicate),
    Rejected(Rejection),
}

pub fn answer(manager: &ProducerStateManager, batch: &Batch) -> Answer {
    match manager.check(batch) {
        Check::Append(_) => Answer::Append,
        Check::Duplicate(original) => Answer::Duplicate(original),
        Check::Rejected(rejection) => Answer::Rejected(rejection),
    }
}

/// Batches that a client could send to a manager that shows this, for every producer of our
/// logs: each remembered batch again; batches that begin where one of the window begins or
/// ends, with and without a gap; in the epoch, the one before and the one after, in and out
/// of a transaction.
pub fn batches_to_try(seen: &Seen) -> Vec<Batch> {
    let mut all = Vec::new();
    for id in PRODUCERS {
        let known = seen.producers.get(&id);
        let epoch = known.map_or(0, |known| known.epoch.get());
        let mut extents = vec![(Sequence::ZERO, 1), (Sequence::MAX, 1)];
        for batch in known.into_iter().flat_map(|known| &known.batches) {
            let Some((first, last)) = batch.first_sequence.zip(batch.last_sequence) else {
                continue;
            };
            let records = batch.last_offset.get() - batch.first_offset.get() + 1;
            let records = i32::try_from(records).expect("a batch of our logs is short");
            extents.extend([
                (first, records),
                (first, records + 1),
                (first.next(), records),
            ]);
            extents.extend([(last.next(), 2), (last.plus(2), 1)]);
        }
        for (first, records) in extents {
            for epoch in epoch.max(1) - 1..=epoch + 1 {
                let (id, epoch) = (producer_id(id), Epoch::new(epoch));
                let batch = Batch::new(id, epoch, first, records, Timestamp::from_millis(7));
                let batch = batch.expect("a record or more");
                all.extend([batch, batch.transactional()]);
            }
        }
    }
    all
}
