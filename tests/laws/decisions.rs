//! What is decided, against a plain reading of what the manager shows. This includes open
//! transactions, which neither the models nor the specification know.

use quickcheck::quickcheck;
use retryproof::state_manager::{
    Batch, Because, Check, Config, CoordinatorBatch, CoordinatorEpoch, Duplicate, Ending, Epoch,
    Marker, ProducerStateManager, Profile, Rejection, Sequence, Timestamp,
};

use crate::log::{after, log, one_of, producer_id, record_all, Choice, PRODUCERS};
use crate::seen::{answer, batches_to_try, seen, Answer, Seen, SeenProducer};

/// The answer to a client's batch, read off what is known.
fn read_off(seen: &Seen, profile: Profile, batch: &Batch) -> Answer {
    let starts_at = |expected, because| {
        let received = batch.base_sequence();
        if received == expected {
            return Answer::Append;
        }
        Answer::Rejected(Rejection::OutOfOrderSequence {
            expected,
            received,
            because,
        })
    };
    let Some(known) = seen.producers.get(&batch.producer_id().get()) else {
        return match profile {
            Profile::Kafka => Answer::Append,
            Profile::Hardened => starts_at(Sequence::ZERO, Because::UnknownProducer),
        };
    };
    if let Some(original) = original(known, batch) {
        return Answer::Duplicate(original);
    }
    if batch.epoch() < known.epoch {
        return Answer::Rejected(Rejection::StaleEpoch {
            current: known.epoch,
            received: batch.epoch(),
        });
    }
    let in_order = match known.batches.last() {
        _ if known.epoch == Epoch::NONE && profile == Profile::Kafka => Answer::Append,
        Some(newest) if known.epoch == batch.epoch() => {
            let next = newest.last_sequence.map_or(Sequence::ZERO, Sequence::next);
            starts_at(next, Because::Next)
        }
        _ => starts_at(Sequence::ZERO, Because::StartOfEpoch),
    };
    let is_transactional = batch.transactional() == *batch;
    match known.transaction_first_offset {
        Some(first_offset) if in_order == Answer::Append && !is_transactional => {
            Answer::Rejected(Rejection::OpenTransaction { first_offset })
        }
        _ => in_order,
    }
}

/// The batch of the window that this one is a retry of; the oldest, if there are several.
fn original(known: &SeenProducer, batch: &Batch) -> Option<Duplicate> {
    let mut same = known.batches.iter().filter(|cached| {
        known.epoch == batch.epoch()
            && cached.first_sequence == Some(batch.base_sequence())
            && cached.last_sequence == Some(batch.last_sequence())
    });
    same.next().map(|original| Duplicate {
        first_offset: original.first_offset,
        last_offset: original.last_offset,
        timestamp: original.timestamp,
    })
}

/// A marker to try: of any of our producers, epochs near those in our logs.
#[derive(Clone, Copy, Debug)]
struct AnyMarker(Marker);

impl quickcheck::Arbitrary for AnyMarker {
    fn arbitrary(g: &mut quickcheck::Gen) -> Self {
        let number = u8::arbitrary(g);
        AnyMarker(Marker {
            producer_id: producer_id(i64::from(number) % PRODUCERS.end),
            epoch: Epoch::new(*one_of(g, &[0, 1, 2, 3, 4, 9])),
            coordinator_epoch: CoordinatorEpoch::new(*one_of(g, &[0, 1, 2, 4, 8, 99])),
            timestamp: Timestamp::from_millis(number.into()),
            ending: *one_of(g, &[Ending::Committed, Ending::Aborted]),
        })
    }
}

fn manager(choices: &[Choice], hardened: bool) -> ProducerStateManager {
    let config = if hardened {
        Config::hardened()
    } else {
        Config::kafka()
    };
    let mut manager = ProducerStateManager::new(config);
    record_all(&mut manager, &log(choices));
    manager
}

quickcheck! {
    /// A duplicate is recognised before the epoch is looked at, the epoch before the sequence,
    /// the sequence before the transaction; and each is decided as the documents say.
    fn a_batch_is_decided_by_what_is_shown(choices: Vec<Choice>, hardened: bool) -> bool {
        let manager = manager(&choices, hardened);
        let seen = seen(&manager);
        let profile = manager.config().profile();
        batches_to_try(&seen)
            .iter()
            .all(|batch| answer(&manager, batch) == read_off(&seen, profile, batch))
    }

    /// Of a coordinator's batch only the epoch is looked at.
    fn a_coordinators_batch_needs_a_current_epoch(
        choices: Vec<Choice>,
        hardened: bool,
        marker: AnyMarker
    ) -> bool {
        let manager = manager(&choices, hardened);
        let AnyMarker(Marker { producer_id, epoch, timestamp, .. }) = marker;
        let batch = CoordinatorBatch { producer_id, epoch, records: 1, max_timestamp: timestamp };
        let known = manager.producer(producer_id).map(|known| known.epoch());
        match manager.check_coordinator(&batch) {
            Check::Append(_) => known.is_none_or(|current| epoch >= current),
            Check::Rejected(Rejection::StaleEpoch { current, received }) => {
                Some(current) == known && received == epoch && epoch < current
            }
            _ => false,
        }
    }

    /// A marker needs a current epoch and a coordinator that is not older than the last.
    /// Recorded, it ends the open transaction if there is one, and sets the producer's epoch
    /// and timestamp; batches stay as they are, but for those of another epoch.
    fn a_marker_ends_the_transaction_and_leaves_the_batches(
        choices: Vec<Choice>,
        hardened: bool,
        marker: AnyMarker
    ) -> bool {
        let AnyMarker(marker) = marker;
        let mut manager = manager(&choices, hardened);
        let mut expected = seen(&manager);
        let id = marker.producer_id.get();
        let before = expected.producers.get(&id).cloned();
        let refused = before.as_ref().is_some_and(|known| {
            marker.epoch < known.epoch || marker.coordinator_epoch < known.coordinator_epoch
        });
        let permit = match manager.check_marker(&marker) {
            Ok(permit) if !refused => permit,
            result => return result.is_err() == refused && seen(&manager) == expected,
        };
        let now = after(&log(&choices));
        let at = manager.map_end_offset();
        let ended = manager.commit_marker(permit, at, now).expect("a fresh permit");
        let was_open = before.as_ref().and_then(|known| known.transaction_first_offset);
        let batches = before.filter(|known| known.epoch == marker.epoch);
        expected.producers.insert(id, SeenProducer {
            epoch: marker.epoch,
            last_timestamp: marker.timestamp,
            last_seen: now,
            coordinator_epoch: marker.coordinator_epoch,
            transaction_first_offset: None,
            batches: batches.map_or_else(Vec::new, |known| known.batches),
        });
        let after = seen(&manager);
        let told_right = ended.is_none_or(|ended| {
            ended.producer_id == marker.producer_id
                && ended.last_offset == at
                && ended.ending == marker.ending
        });
        told_right
            && ended.map(|ended| ended.first_offset) == was_open
            && after.producers == expected.producers
            && after.map_end.get() == at.get() + 1
    }
}
