//! The producer for one partition: batches, an in-flight limit, retries.
//!
//! What clients differ in is a [`Policy`](crate::policies::Policy); this file is what they share (Java:
//! `RecordAccumulator`, `Sender`, `TransactionManager`).

mod actor;
mod bump;
mod config;
mod outcome;
mod report;
mod undecided;

pub use actor::{ProducerActor, Sender};
pub use config::ProducerConfig;
pub use report::{Report, Reports, Told};
pub use undecided::{Expired, Status, Undecided};

use std::fmt;

use crate::broker::MAX_WINDOW;
use crate::message::{Reply, Request, Small, NO_IDENTITY};
use crate::queue::Queue;

/// The most undecided batches that a producer can have for one partition: a limit's worth
/// on each of two connections, or a few batches split in two.
pub const MAX_UNDECIDED: usize = 12;

/// State of the producer for one partition.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Producer {
    /// The record that comes next: how many were sent.
    pub next_record: Small,
    /// Current epoch. Where epochs run out, a new producer id counts on
    /// (see [`ProducerConfig::producer_id_of`]).
    pub epoch: Small,
    /// Sequence of the next fresh batch.
    pub next_sequence: Small,
    /// Highest acknowledged sequence of this epoch, −1 if there is none.
    pub last_acked: Small,
    /// An epoch bump was asked for; it is done when the client's loop starts anew.
    pub bump_wanted: bool,
    /// The sequence from which on batches can never be written under this epoch; only
    /// clients that renumber with care keep it (see [`Renumbers`](crate::policies::Renumbers)).
    pub hole: Option<Small>,
    /// A batch ran out of time after it had been sent again: the sequence that follows on
    /// it. Nothing fresh is sent until it is clear whether that is what the broker expects
    /// (Java: `partitionsWithUnresolvedSequences`).
    pub unresolved: Option<Small>,
    /// Batches that ran out of time while a request of theirs was on the wire: its answer is
    /// still to come.
    pub expired: Queue<Expired, MAX_WINDOW>,
    /// The producer gave up for good.
    pub stopped: bool,
    /// Sent and not decided, in the order of first sending.
    pub undecided: Queue<Undecided, MAX_UNDECIDED>,
}

impl Default for Producer {
    fn default() -> Self {
        Producer {
            next_record: 0,
            epoch: 0,
            next_sequence: 0,
            last_acked: -1,
            bump_wanted: false,
            hole: None,
            unresolved: None,
            expired: Queue::default(),
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
        if let Some(next) = self.unresolved {
            write!(f, ", unresolved before seq {next}")?;
        }
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
        self.in_flight_where(|_| true)
    }

    /// Requests to one broker whose answers are awaited.
    pub fn in_flight_to(&self, broker: u8) -> usize {
        self.in_flight_where(|other| other == broker)
    }

    fn in_flight_where(&self, is_meant: impl Fn(u8) -> bool) -> usize {
        let on_wire = self
            .undecided
            .iter()
            .filter(|batch| batch.status != Status::Queued && is_meant(batch.broker));
        let expired = self.expired.iter().filter(|batch| is_meant(batch.broker));
        on_wire.count() + expired.count()
    }

    /// Whether a fresh batch may be sent: the limit leaves room and nothing stands before it.
    pub fn can_send(&self, config: &ProducerConfig) -> bool {
        let taken = self.undecided.len() + self.expired.len();
        taken < config.in_flight && self.is_open(config)
    }

    /// Whether nothing stands before a fresh batch: nothing waits to be sent again (a
    /// waiting batch is at the head of the line), no sequence is unresolved, and no epoch
    /// bump has to wait.
    pub fn is_open(&self, config: &ProducerConfig) -> bool {
        let waiting = self
            .undecided
            .iter()
            .any(|batch| batch.status == Status::Queued);
        let unresolved = self.unresolved.is_some() && !self.undecided.is_empty();
        let bump_waits = self.bump_wanted && !self.may_bump(config);
        let too_far =
            config.counts_span && self.span(config) >= config.in_flight + config.policy.spare_span;
        !self.stopped && !waiting && !unresolved && !bump_waits && !too_far
    }

    /// How many batches there are from the lowest undecided one on, decided ones among
    /// them included.
    fn span(&self, config: &ProducerConfig) -> usize {
        let lowest = self.undecided.iter().map(|batch| batch.sequence).min();
        let records = lowest.map_or(0, |lowest| self.next_sequence - lowest);
        records as usize / usize::from(config.records)
    }

    /// Sends the next record or records in a fresh batch.
    pub fn send(&mut self, config: &ProducerConfig, reports: &mut Reports) -> Request {
        self.start_loop(config, reports);
        self.send_fresh(config, reports)
    }

    /// Sends a fresh batch without a turn of the client's loop before it.
    pub fn send_fresh(&mut self, config: &ProducerConfig, reports: &mut Reports) -> Request {
        let batch = Undecided {
            record: self.next_record,
            more: config.records - 1,
            sequence: self.next_sequence,
            status: Status::OnWire,
            anonymous: config.anonymous,
            ..Undecided::default()
        };
        self.undecided.push(batch);
        self.next_record += batch.count();
        self.next_sequence += batch.count() * config.policy.sequence_step;
        (config.policy.after_send)(self, reports);
        self.request(batch)
    }

    /// The batch that may be sent again now, as an index, if the limit leaves room.
    pub fn can_retry(&self, config: &ProducerConfig) -> Option<usize> {
        if self.in_flight() >= config.in_flight {
            return None;
        }
        self.next_retry(config)
    }

    /// The batch that is to be sent again next, as an index.
    pub fn next_retry(&self, config: &ProducerConfig) -> Option<usize> {
        if self.stopped {
            return None;
        }
        let index = (config.policy.pick_retry)(self, config)?;
        let sequence = self.undecided.as_slice()[index].sequence;
        let before_hole = self.hole.is_none_or(|hole| sequence < hole);
        let bump_waits = self.bump_wanted && !self.may_bump(config);
        (before_hole || !bump_waits).then_some(index)
    }

    /// Sends an undecided batch again, if one may be (see [`Producer::can_retry`]).
    pub fn retry(&mut self, config: &ProducerConfig, reports: &mut Reports) -> Option<Request> {
        self.start_loop(config, reports);
        let index = self.can_retry(config)?;
        Some(self.resend(config, index))
    }

    /// Sends one undecided batch again without a turn of the client's loop before it.
    pub fn resend(&mut self, config: &ProducerConfig, index: usize) -> Request {
        (config.policy.before_resend)(self, index);
        let batch = &mut self.undecided.as_mut_slice()[index];
        batch.status = Status::OnWire;
        let batch = *batch;
        self.request(batch)
    }

    fn request(&self, batch: Undecided) -> Request {
        let (epoch, sequence) = match batch.anonymous {
            true => (NO_IDENTITY, 0),
            false => (self.epoch, batch.sequence),
        };
        Request {
            epoch,
            sequence,
            record: batch.record,
            more: batch.more,
        }
    }

    /// The batch that a reply is about, under the identity by which the producer knows it
    /// now (sequence 0 if it does not know it any more).
    pub fn known_as(&self, reply: &Reply) -> Request {
        let known = self
            .undecided
            .iter()
            .find(|batch| batch.record == reply.record);
        match known {
            Some(batch) => self.request(*batch),
            None => Request {
                epoch: self.epoch,
                sequence: 0,
                record: reply.record,
                more: 0,
            },
        }
    }
}
