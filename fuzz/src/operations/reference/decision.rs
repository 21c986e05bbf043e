//! What a check says.

use retryproof::state_manager::{
    Because, CoordinatorEpoch, Duplicate, Epoch, InvalidRecord, Marker, Rejection, Sequence,
    Timestamp,
};

use super::super::super::producer::Producer;
use super::{offset, Reference, Written};

/// Append, duplicate or reject.
#[derive(Debug, PartialEq, Eq)]
pub enum Answer {
    Append,
    Duplicate(Duplicate),
    Rejected(Rejection),
}

impl Reference {
    pub fn check(&mut self, batch: &Written) -> Answer {
        let answer = self.decide(batch);
        match &answer {
            Answer::Append => {}
            Answer::Duplicate(_) => self.counts.duplicates += 1,
            Answer::Rejected(Rejection::OutOfOrderSequence { .. }) => self.counts.out_of_order += 1,
            Answer::Rejected(_) => self.counts.other_rejections += 1,
        }
        answer
    }

    /// Duplicate before epoch, epoch before sequence, sequence before transaction.
    fn decide(&self, batch: &Written) -> Answer {
        let known = self.producers.get(&batch.producer_id);
        let range = (batch.base_sequence, batch.last_sequence());
        let original = known
            .filter(|producer| producer.epoch == batch.epoch)
            .and_then(|producer| {
                producer
                    .window
                    .iter()
                    .find(|old| (old.first, old.last) == range)
            });
        if let Some(original) = original {
            return Answer::Duplicate(Duplicate {
                first_offset: offset(original.first_offset),
                last_offset: offset(original.last_offset),
                timestamp: Timestamp::from_millis(original.timestamp),
            });
        }
        if let Some(rejection) = self.stale(batch.producer_id, batch.epoch) {
            return Answer::Rejected(rejection);
        }
        match self.expected(known, batch.epoch) {
            Some((expected, because)) if expected != batch.base_sequence => {
                return Answer::Rejected(Rejection::OutOfOrderSequence {
                    expected: sequence(expected),
                    received: sequence(batch.base_sequence),
                    because,
                });
            }
            _ => {}
        }
        match known.and_then(|producer| producer.transaction) {
            Some(first) if !batch.transactional => Answer::Rejected(open_transaction(first)),
            _ => Answer::Append,
        }
    }

    /// The only sequence that a batch may begin with, if there is only one.
    fn expected(&self, known: Option<&Producer>, epoch: i16) -> Option<(i64, Because)> {
        match known {
            None if self.hardened => Some((0, Because::UnknownProducer)),
            None => None,
            Some(producer) if producer.epoch == -1 && !self.hardened => None,
            Some(producer) if producer.epoch == epoch && !producer.window.is_empty() => {
                Some((producer.next_sequence(), Because::Next))
            }
            Some(_) => Some((0, Because::StartOfEpoch)),
        }
    }

    fn stale(&self, producer_id: i64, received: i16) -> Option<Rejection> {
        let current = self
            .producers
            .get(&producer_id)
            .map_or(-1, |producer| producer.epoch);
        (received < current).then_some(Rejection::StaleEpoch {
            current: Epoch::new(current),
            received: Epoch::new(received),
        })
    }

    pub fn check_request(&mut self, batches: usize) -> Rejection {
        self.counts.other_rejections += 1;
        InvalidRecord::NotOneBatch { batches }.into()
    }

    pub fn check_coordinator(&mut self, batch: &Written) -> Answer {
        match self.stale(batch.producer_id, batch.epoch) {
            Some(rejection) => {
                self.counts.other_rejections += 1;
                Answer::Rejected(rejection)
            }
            None => Answer::Append,
        }
    }

    pub fn check_marker(&mut self, marker: &Marker) -> Result<(), Rejection> {
        let producer_id = marker.producer_id.get();
        let known = self.producers.get(&producer_id);
        let current = known.map_or(-1, |producer| producer.coordinator_epoch);
        let fenced = marker.coordinator_epoch.get() < current;
        let fenced = fenced.then_some(Rejection::CoordinatorFenced {
            current: CoordinatorEpoch::new(current),
            received: marker.coordinator_epoch,
        });
        match self.stale(producer_id, marker.epoch.get()).or(fenced) {
            Some(rejection) => {
                self.counts.other_rejections += 1;
                Err(rejection)
            }
            None => Ok(()),
        }
    }
}

pub(super) fn open_transaction(first_offset: i64) -> Rejection {
    Rejection::OpenTransaction {
        first_offset: offset(first_offset),
    }
}

fn sequence(number: i64) -> Sequence {
    i32::try_from(number)
        .ok()
        .and_then(Sequence::new)
        .expect("in range")
}
