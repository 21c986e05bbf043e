//! A manager and its reference, to which the same happens.

mod permits;
mod replica;
mod restart;

use std::collections::BTreeMap;

use retryproof::state_manager::{
    Config, CoordinatorEpoch, Ending, Epoch, LeaderEpoch, Marker, Offset, ProducerId,
    ProducerStateManager, Timestamp,
};

use super::super::producer::{Producer, SEQUENCES};
use super::operation::{Chosen, Ended, Operation, Place, Start, Time};
use super::reference::{offset, Reference, Written};
use super::saved::Saved;
use permits::Held;

/// Permits and snapshots that are kept at most.
const KEPT: usize = 4;

/// See the head of this file.
pub struct Pair {
    manager: ProducerStateManager,
    reference: Reference,
    held: Vec<Held>,
    saved: Vec<Saved>,
    now: i64,
}

impl Pair {
    pub fn new(config: Config, window_of_reference: usize) -> Self {
        Pair {
            manager: ProducerStateManager::new(config),
            reference: Reference::new(&config, window_of_reference),
            held: Vec::new(),
            saved: Vec::new(),
            now: 0,
        }
    }

    /// Does it to both, and compares what they answer.
    pub fn perform(&mut self, operation: &Operation) {
        match *operation {
            Operation::Append(chosen) => {
                let held = self.check(&self.written(&chosen, false));
                self.use_up(held, chosen.place);
            }
            Operation::Check(chosen) => {
                self.check(&self.written(&chosen, false));
            }
            Operation::Hold(chosen) => {
                let held = self.check(&self.written(&chosen, false));
                self.hold(held);
            }
            Operation::HoldMarker(ended) => {
                let held = self.check_marker(&self.marker(&ended));
                self.hold(held);
            }
            Operation::CommitHeld => {
                let held = (!self.held.is_empty()).then(|| self.held.remove(0));
                self.use_up(held, Place(0));
            }
            Operation::Request(chosen, batches) => self.request(&chosen, batches.into()),
            Operation::Coordinator(chosen) => self.coordinator(&chosen),
            Operation::Marker(ended) => {
                let held = self.check_marker(&self.marker(&ended));
                self.use_up(held, ended.place);
            }
            Operation::Replicate(chosen) => self.replicate(&chosen),
            Operation::ReplicateMarker(ended) => self.replicate_marker(&ended),
            Operation::ReplicateEmptyControl(producer, place) => {
                self.replicate_empty_control(producer, place)
            }
            Operation::ReplicateRead(read) => self.replicate_read(&read),
            Operation::Skip(by) => self.skip_to(self.reference.end.saturating_add(by)),
            Operation::SkipFar(before) => self.skip_to(i64::MAX - i64::from(before)),
            Operation::Wait(ms) => self.now += i64::from(ms),
            Operation::Expire => self.expire(),
            Operation::ExpireSome(places) => {
                self.expire_some(places);
            }
            Operation::ExpirePass(places) => self.expire_pass(places),
            Operation::Save(format) => self.save(format),
            Operation::Restore(which, damage) => self.restore(which, damage),
            Operation::LogStart(by) => {
                let log_start = self.near_end(by);
                self.manager.on_log_start(offset(log_start));
                self.reference.on_log_start(log_start);
            }
            Operation::HighWatermark(by) => {
                let high_watermark = self.near_end(by);
                self.manager.on_high_watermark(offset(high_watermark));
                self.reference.on_high_watermark(high_watermark);
            }
            Operation::LeaderEpoch(epoch) => {
                self.manager
                    .set_leader_epoch(LeaderEpoch::new(epoch.into()));
                self.reference.set_leader_epoch(epoch.into());
            }
        }
    }

    /// Fails unless both know the same.
    pub fn compare(&self, when: &str) {
        let Pair {
            manager, reference, ..
        } = self;
        let seen = manager.active_producers();
        let seen = seen.map(|view| (view.producer_id().get(), Producer::of(&view)));
        assert_eq!(
            seen.collect::<BTreeMap<_, _>>(),
            reference.producers,
            "{when}"
        );
        assert_eq!(manager.len(), reference.producers.len(), "{when}");
        for producer_id in reference.producers.keys() {
            let found = manager
                .producer(id(*producer_id))
                .map(|view| view.producer_id().get());
            assert_eq!(found, Some(*producer_id), "{when}");
        }
        assert_eq!(manager.map_end_offset().get(), reference.end, "{when}");
        assert_eq!(manager.metrics().counts(), reference.counts, "{when}");
        let unstable = manager.first_unstable_offset().map(Offset::get);
        assert_eq!(unstable, reference.first_unstable_offset(), "{when}");
        let undecided = manager.first_undecided_offset().map(Offset::get);
        assert_eq!(undecided, reference.first_undecided_offset(), "{when}");
    }

    /// The numbers that a choice comes to.
    fn written(&self, chosen: &Chosen, in_log: bool) -> Written {
        let known = self.reference.producers.get(&chosen.producer);
        let window = known.map_or(&[][..], |producer| &producer.window);
        let next = known.map_or(0, Producer::next_sequence);
        let newest = window.last().map_or(0, |newest| newest.first.max(0));
        let mut records = i64::from(chosen.records);
        let base_sequence = match chosen.start {
            Start::Next(by) => next + by,
            Start::Again(which) if !window.is_empty() => {
                let original = &window[which % window.len()];
                records = original.records();
                original.first.max(0)
            }
            Start::Again(_) => 0,
            Start::Inside(by) => newest + by,
            Start::At(sequence) => sequence,
            Start::BeforeWrap(by) => SEQUENCES - by,
            Start::Without if in_log => -1,
            Start::Without => next,
        };
        Written {
            producer_id: chosen.producer,
            epoch: known
                .map_or(0, |producer| producer.epoch)
                .wrapping_add(chosen.epoch),
            base_sequence: if base_sequence < 0 {
                -1
            } else {
                base_sequence % SEQUENCES
            },
            records,
            timestamp: match chosen.time {
                Time::Now => self.now,
                Time::Ago(ms) => self.now - ms,
                Time::At(time) => time,
            },
            transactional: chosen.transactional,
        }
    }

    fn marker(&self, ended: &Ended) -> Marker {
        let known = self.reference.producers.get(&ended.producer);
        Marker {
            producer_id: id(ended.producer),
            epoch: Epoch::new(
                known
                    .map_or(0, |producer| producer.epoch)
                    .wrapping_add(ended.epoch),
            ),
            coordinator_epoch: CoordinatorEpoch::new(ended.coordinator_epoch),
            timestamp: ms(self.now),
            ending: Ending::Aborted,
        }
    }

    fn near_end(&self, by: i8) -> i64 {
        self.reference.end.saturating_add(by.into()).max(0)
    }

    fn offset_at(&self, place: Place) -> i64 {
        self.reference.end.saturating_add(place.0).max(0)
    }
}

fn id(number: i64) -> ProducerId {
    ProducerId::new(number).expect("not negative")
}

fn ms(number: i64) -> Timestamp {
    Timestamp::from_millis(number)
}
