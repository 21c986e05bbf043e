//! Where a model's small numbers lie among real ones.

use std::fmt;

use retryproof_models::broker::Cached;
use retryproof_models::message::{Place, Refusal, Request, Small};
use retryproof_models::rules::Verdict;
use retryproof_models::specification::{Answer, ErrorName, Producer, State};
use retryproof_properties::Rejection;

use super::collect::Memory;

/// How many sequences there are.
const SEQUENCES: i64 = 1 << 31;
/// A sequence far from 0.
const FAR: i64 = 1 << 30;
/// The one producer.
pub(super) const PRODUCER: i64 = 4000;
/// The real epoch of a model's epoch 0: one before it and several after it are real too.
const EPOCH_0: i64 = 10;
/// The real offset of a model's offset 0. Offsets of worlds of any length are negative.
const OFFSET_0: i64 = 1_000_000;

/// How a memory is put among real numbers, and how a manager comes to hold it.
///
/// Nothing in a rule depends on absolute numbers but one: an epoch begins at sequence 0. In
/// a model that is 0 as well, for every epoch but the one the broker is in, and for every
/// epoch while the producer is unknown. So only the sequences of the broker's own epoch are
/// shifted, by which its next one may be put anywhere. All numbers lie modulo 2³¹: what is
/// below 0 in a model is near the end of the circle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    /// The real next sequence of the broker's epoch.
    pub next: i64,
    /// How many records each batch holds. A model's holds one, and stands for it as a whole.
    pub records: i64,
    /// How many batches of the same epoch were appended before the window.
    pub older: u8,
    /// Whether a batch of an earlier epoch was appended before those.
    pub earlier_epoch: bool,
    /// Whether all these are copied as a follower copies them; if not, each is committed as a
    /// leader does where its check allows it.
    pub copied: bool,
}

impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "batches of {}, next sequence {}, {} older",
            self.records, self.next, self.older
        )?;
        if self.earlier_epoch {
            f.write_str(", after an earlier epoch")?;
        }
        if self.copied {
            f.write_str(", copied from a leader")?;
        }
        Ok(())
    }
}

impl Placement {
    /// Every placement of a memory: the wrap of sequences at each place in the window and
    /// far from it, and if the window is full, with as many older batches as turn a ring once
    /// around.
    pub fn all(memory: &Memory, capacity: usize) -> Vec<Placement> {
        let mut all = Vec::new();
        for records in [1, 3] {
            for next in next_sequences(memory, records) {
                for (older, earlier_epoch) in pasts(memory, capacity) {
                    all.extend([false, true].map(|copied| Placement {
                        next,
                        records,
                        older,
                        earlier_epoch,
                        copied,
                    }));
                }
            }
        }
        all
    }
}

fn next_sequences(memory: &Memory, records: i64) -> Vec<i64> {
    if !memory.broker.known {
        return vec![0];
    }
    let in_window = memory.broker.window.len() as i64 * records;
    [FAR, SEQUENCES - 1]
        .into_iter()
        .chain(0..=in_window)
        .collect()
}

fn pasts(memory: &Memory, capacity: usize) -> Vec<(u8, bool)> {
    let len = memory.broker.window.len();
    if !memory.broker.known {
        vec![(0, false)]
    } else if len < capacity {
        vec![(0, false), (0, true)]
    } else {
        let older = 0..=len as u8;
        older.map(|older| (older, older % 2 == 1)).collect()
    }
}

/// A memory in its place.
#[derive(Clone, Copy, Debug)]
pub(in crate::shadow) struct Placed<'a> {
    pub memory: &'a Memory,
    pub placement: &'a Placement,
}

/// A batch with real numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::shadow) struct RealBatch {
    pub epoch: i64,
    pub first_sequence: i64,
    pub records: i64,
    pub first_offset: i64,
}

impl RealBatch {
    pub fn last_offset(&self) -> i64 {
        self.first_offset + self.records - 1
    }

    /// One that tells batches apart.
    pub fn timestamp(&self) -> i64 {
        self.last_offset()
    }

    /// As it can be observed in a window.
    pub fn observed(&self) -> [i64; 4] {
        let last_sequence = (self.first_sequence + self.records - 1).rem_euclid(SEQUENCES);
        let (first, last) = (self.first_offset, self.last_offset());
        [self.first_sequence, last_sequence, first, last]
    }
}

impl Placed<'_> {
    /// A batch of one record in the model, in its place.
    pub fn batch(&self, epoch: Small, sequence: Small, offset: Small) -> RealBatch {
        RealBatch {
            epoch: EPOCH_0 + i64::from(epoch),
            first_sequence: self.sequence(epoch, sequence.into()),
            records: self.placement.records,
            first_offset: self.offset(offset.into()),
        }
    }

    /// A request, as it would be appended.
    pub fn request(&self, request: &Request) -> RealBatch {
        self.batch(request.epoch, request.sequence, self.memory.log_end)
    }

    /// What is appended before the request, oldest first.
    pub fn past(&self) -> Vec<RealBatch> {
        let broker = &self.memory.broker;
        let mut past = Vec::new();
        let Some(oldest) = broker.window.as_slice().first() else {
            return past;
        };
        let older = self.placement.older as Small;
        if self.placement.earlier_epoch {
            past.push(self.batch(broker.epoch - 1, 0, oldest.offset - older - 1));
        }
        past.extend(
            (1..=older).rev().map(|before| {
                self.batch(broker.epoch, oldest.first - before, oldest.offset - before)
            }),
        );
        past.extend(self.window(self.memory));
        past
    }

    /// Where the log ends before the request.
    pub fn log_end(&self) -> i64 {
        self.offset(self.memory.log_end.into())
    }

    /// A memory (this one, or the one after a decision in it) as a manager should show it.
    pub fn state(&self, memory: &Memory) -> State {
        if !memory.broker.known {
            return State::new();
        }
        let window = self.window(memory);
        let producer = Producer {
            epoch: EPOCH_0 + i64::from(memory.broker.epoch),
            last_timestamp: window.last().map_or(-1, RealBatch::timestamp),
            batches: window.iter().map(RealBatch::observed).collect(),
        };
        State::from([(PRODUCER, producer)])
    }

    /// A rule's answer to a request.
    pub fn answer(&self, request: &Request, verdict: Verdict) -> Answer {
        let records = self.placement.records;
        match verdict {
            Verdict::Append => {
                let batch = self.request(request);
                Answer::Append(batch.first_offset, batch.last_offset())
            }
            Verdict::Duplicate(Place::At(offset)) => {
                let first = self.offset(offset.into());
                Answer::Dup(first, first + records - 1)
            }
            Verdict::Duplicate(_) => Answer::Error(ErrorName::DuplicateSequenceNumber),
            Verdict::Reject(Refusal::OutOfOrder) => {
                Answer::Error(ErrorName::OutOfOrderSequenceNumber)
            }
            Verdict::Reject(Refusal::StaleEpoch) => Answer::Error(ErrorName::InvalidProducerEpoch),
            Verdict::Reject(Refusal::UnknownProducer) => {
                Answer::Error(ErrorName::UnknownProducerId)
            }
            // No rule refuses for reasons that come before or after its decision.
            Verdict::Reject(other) => {
                Answer::Error(ErrorName::Other(Rejection::from(other).to_string()))
            }
            Verdict::Hold => Answer::Error(ErrorName::Other("KEPT_FOR_LATER".to_owned())),
        }
    }

    fn window(&self, memory: &Memory) -> Vec<RealBatch> {
        let broker = &memory.broker;
        let cached = broker.window.iter();
        cached
            .map(|batch| self.batch(broker.epoch, batch.first, batch.offset))
            .collect()
    }

    fn sequence(&self, epoch: Small, sequence: i64) -> i64 {
        (sequence * self.placement.records + self.shift(epoch)).rem_euclid(SEQUENCES)
    }

    /// How far the sequences of an epoch are shifted.
    fn shift(&self, epoch: Small) -> i64 {
        let broker = &self.memory.broker;
        if broker.known && epoch == broker.epoch {
            self.placement.next - (i64::from(broker.last_sequence) + 1) * self.placement.records
        } else {
            0
        }
    }

    fn offset(&self, offset: i64) -> i64 {
        OFFSET_0 + offset * self.placement.records
    }

    /// The epoch of a model that lies here; `None` if none does.
    pub fn model_epoch(&self, epoch: i64) -> Option<Small> {
        Small::try_from(epoch - EPOCH_0).ok()
    }

    /// The offset of a model that lies here; `None` if none does.
    pub fn model_offset(&self, offset: i64) -> Option<Small> {
        self.model_number(offset - OFFSET_0)
    }

    /// The batch of a model, of this epoch of it, that is observed so; `None` if there is none.
    pub fn model_batch(&self, epoch: Small, observed: [i64; 4]) -> Option<Cached> {
        let [first, last, first_offset, _] = observed;
        let of_last_batch = last - (self.placement.records - 1);
        Some(Cached {
            first: self.model_sequence(epoch, first)?,
            last: self.model_sequence(epoch, of_last_batch)?,
            offset: self.model_offset(first_offset)?,
        })
    }

    fn model_sequence(&self, epoch: Small, sequence: i64) -> Option<Small> {
        let steps = (sequence - self.shift(epoch)).rem_euclid(SEQUENCES);
        let back = steps - SEQUENCES;
        self.model_number(steps).or(self.model_number(back))
    }

    fn model_number(&self, real: i64) -> Option<Small> {
        let records = self.placement.records;
        let whole = real.rem_euclid(records) == 0;
        Small::try_from(real.div_euclid(records))
            .ok()
            .filter(|_| whole)
    }
}
