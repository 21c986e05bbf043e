//! The producer: one partition, batches of one record, an in-flight limit, retries.
//!
//! What clients differ in is a [`Policy`]; this file is what they share (Java:
//! `RecordAccumulator`, `Sender`, `TransactionManager`).

mod actor;

pub use actor::ProducerActor;

use std::fmt;

use crate::broker::MAX_WINDOW;
use crate::message::{Place, Reply, Request, Small, Word};
use crate::policies::{Policy, Reaction, Refused};
use crate::queue::Queue;

/// Where an undecided batch is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Status {
    /// Waiting to be sent again.
    #[default]
    Queued,
    /// Sent; the answer is awaited.
    OnWire,
    /// Sent; since then it was given a new identity, under which it was not sent yet.
    Rewritten,
}

/// A batch whose outcome the application does not know yet.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Undecided {
    /// Its record.
    pub record: Small,
    /// Its sequence in the producer's current epoch.
    pub sequence: Small,
    /// Where it is.
    pub status: Status,
}

impl fmt::Debug for Undecided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let status = match self.status {
            Status::Queued => "to retry",
            Status::OnWire => "on the wire",
            Status::Rewritten => "renumbered on the wire",
        };
        write!(f, "r{} seq {} {status}", self.record, self.sequence)
    }
}

/// What the application is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Told {
    /// Written, at this place.
    Acknowledged(Place),
    /// Not written.
    Failed,
    /// The producer does not know.
    Unknown,
}

/// One outcome told to the application.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Report {
    /// The record.
    pub record: Small,
    /// What was told.
    pub told: Told,
}

impl Default for Report {
    fn default() -> Self {
        Report {
            record: 0,
            told: Told::Unknown,
        }
    }
}

/// The outcomes that one step tells.
pub type Reports = Queue<Report, MAX_WINDOW>;

/// State of the producer.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Producer {
    /// The record that comes next: how many were sent.
    pub next_record: Small,
    /// Current epoch.
    pub epoch: Small,
    /// Sequence of the next fresh batch.
    pub next_sequence: Small,
    /// Highest acknowledged sequence of this epoch, −1 if there is none.
    pub last_acked: Small,
    /// An epoch bump was asked for; it is done when the client's loop starts anew.
    pub bump_wanted: bool,
    /// The producer gave up for good.
    pub stopped: bool,
    /// Sent and not decided, in the order of first sending.
    pub undecided: Queue<Undecided, MAX_WINDOW>,
}

impl Default for Producer {
    fn default() -> Self {
        Producer {
            next_record: 0,
            epoch: 0,
            next_sequence: 0,
            last_acked: -1,
            bump_wanted: false,
            stopped: false,
            undecided: Queue::default(),
        }
    }
}

impl fmt::Debug for Producer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "epoch {}, next seq {}, last acked {}, undecided {:?}",
            self.epoch, self.next_sequence, self.last_acked, self.undecided
        )?;
        if self.bump_wanted {
            f.write_str(", wants a new epoch")?;
        }
        if self.stopped {
            f.write_str(", stopped")?;
        }
        Ok(())
    }
}

impl Producer {
    /// Requests whose answers are awaited.
    pub fn in_flight(&self) -> usize {
        self.undecided
            .iter()
            .filter(|batch| batch.status != Status::Queued)
            .count()
    }

    /// Whether a fresh batch may be sent: the limit leaves room and nothing waits to be
    /// sent again (a waiting batch is at the head of the line).
    pub fn can_send(&self, limit: usize) -> bool {
        let waiting = self.undecided.len() - self.in_flight();
        !self.stopped && waiting == 0 && self.undecided.len() < limit
    }

    /// Sends the next record in a fresh batch.
    pub fn send(&mut self, policy: &Policy, reports: &mut Reports) -> Request {
        self.start_loop(policy);
        let batch = Undecided {
            record: self.next_record,
            sequence: self.next_sequence,
            status: Status::OnWire,
        };
        self.undecided.push(batch);
        self.next_record += 1;
        self.next_sequence += policy.sequence_step;
        (policy.after_send)(self, reports);
        self.request(batch)
    }

    /// The batch that may be sent again now, as an index, if the limit leaves room.
    pub fn can_retry(&self, policy: &Policy, limit: usize) -> Option<usize> {
        if self.stopped || self.in_flight() >= limit {
            return None;
        }
        (policy.pick_retry)(self)
    }

    /// Sends an undecided batch again, if one may be (see [`Producer::can_retry`]).
    pub fn retry(&mut self, policy: &Policy, limit: usize) -> Option<Request> {
        self.start_loop(policy);
        let index = self.can_retry(policy, limit)?;
        (policy.before_resend)(self, index);
        let batch = &mut self.undecided.as_mut_slice()[index];
        batch.status = Status::OnWire;
        let batch = *batch;
        Some(self.request(batch))
    }

    fn request(&self, batch: Undecided) -> Request {
        Request {
            epoch: self.epoch,
            sequence: batch.sequence,
            record: batch.record,
        }
    }

    /// The batch that a reply is about, under the identity by which the producer knows it
    /// now (sequence 0 if it does not know it any more).
    pub fn known_as(&self, reply: &Reply) -> Request {
        let sequence = self
            .undecided
            .iter()
            .find(|batch| batch.record == reply.record)
            .map_or(0, |batch| batch.sequence);
        Request {
            epoch: self.epoch,
            sequence,
            record: reply.record,
        }
    }

    /// The start of the client's loop, where a wanted epoch bump is done (Java:
    /// `TransactionManager.bumpIdempotentEpochAndResetIdIfNeeded`).
    pub fn start_loop(&mut self, policy: &Policy) {
        if !self.bump_wanted {
            return;
        }
        self.bump_wanted = false;
        self.epoch += 1;
        (policy.renumber)(self);
        for batch in self.undecided.as_mut_slice() {
            if batch.status == Status::OnWire {
                batch.status = Status::Rewritten;
            }
        }
        self.next_sequence = self.undecided.len() as Small;
        self.last_acked = -1;
    }

    /// The live connection is gone: every outstanding request failed, in order.
    pub fn on_disconnect(&mut self, policy: &Policy, reports: &mut Reports) {
        for batch in self.undecided.as_mut_slice() {
            batch.status = Status::Queued;
        }
        (policy.after_disconnect)(self, reports);
    }

    /// Reads one reply.
    pub fn on_reply(&mut self, policy: &Policy, reply: &Reply, reports: &mut Reports) {
        let Some(index) = (policy.match_reply)(self, reply) else {
            return;
        };
        let batch = self.undecided.as_slice()[index];
        match reply.word {
            Word::Written(place) => {
                self.last_acked = self.last_acked.max(batch.sequence);
                self.decide(index, Told::Acknowledged(place), reports);
            }
            Word::Refused(refusal) => {
                let refused = Refused {
                    refusal,
                    head_of_line: index == 0,
                    next_expected: batch.sequence == self.last_acked + 1,
                    rewritten: batch.status == Status::Rewritten,
                };
                self.react((policy.on_refusal)(&refused), index, reports);
            }
        }
    }

    fn react(&mut self, reaction: Reaction, index: usize, reports: &mut Reports) {
        match reaction {
            Reaction::Retry => self.requeue(index),
            Reaction::BumpAndRetry => {
                self.requeue(index);
                self.bump_wanted = true;
            }
            Reaction::FailAndBump => {
                self.decide(index, Told::Failed, reports);
                self.bump_wanted = true;
            }
            Reaction::Stop => {
                self.decide(index, Told::Failed, reports);
                while !self.undecided.is_empty() {
                    self.decide(0, Told::Unknown, reports);
                }
                self.stopped = true;
            }
        }
    }

    fn requeue(&mut self, index: usize) {
        self.undecided.as_mut_slice()[index].status = Status::Queued;
    }

    /// Takes a batch out of the undecided ones and tells the application.
    pub(crate) fn decide(&mut self, index: usize, told: Told, reports: &mut Reports) {
        let batch = self.undecided.remove(index);
        reports.push(Report {
            record: batch.record,
            told,
        });
    }
}
