//! The producer for one partition: batches, an in-flight limit, retries.
//!
//! What clients differ in is a [`Policy`](crate::policies::Policy); this file is what they share (Java:
//! `RecordAccumulator`, `Sender`, `TransactionManager`).

mod actor;
mod config;

pub use actor::{ProducerActor, Sender};
pub use config::ProducerConfig;

use std::fmt;

use crate::conditions::MAX_BROKERS;
use crate::message::{Place, Reply, Request, Small, Word, NO_IDENTITY};
use crate::policies::{Cancels, Comparison, Exhausted, Reaction, Refused, Renumbers};
use crate::queue::Queue;

/// The most undecided batches that a producer can have for one partition: a limit's worth
/// on each of two connections, or a few batches split in two.
pub const MAX_UNDECIDED: usize = 12;

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
    /// Its first record.
    pub record: Small,
    /// How many records follow the first.
    pub more: u8,
    /// Its base sequence in the producer's current epoch.
    pub sequence: Small,
    /// Where it is.
    pub status: Status,
    /// The broker that it was sent to last.
    pub broker: u8,
    /// It was queued again at least once (Java: `ProducerBatch.inRetry`).
    pub requeued: bool,
    /// A copy of it may be in the log, or still get there.
    pub maybe_written: bool,
    /// It lost its identity: it travels without producer id, epoch and sequence.
    pub anonymous: bool,
}

impl Undecided {
    /// How many records it holds.
    pub fn count(&self) -> Small {
        self.more as Small + 1
    }

    /// Sequence of its last record.
    pub fn last_sequence(&self) -> Small {
        self.sequence + self.more as Small
    }
}

impl fmt::Debug for Undecided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let status = match self.status {
            Status::Queued => "to retry",
            Status::OnWire => "on the wire",
            Status::Rewritten => "renumbered on the wire",
        };
        write!(f, "r{}", self.record)?;
        if self.more > 0 {
            write!(f, "..{}", self.record + self.more as Small)?;
        }
        match self.anonymous {
            true => write!(f, " without identity {status}"),
            false => write!(f, " seq {} {status}", self.sequence),
        }
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
    /// The first record of the batch.
    pub record: Small,
    /// How many records follow the first: all are told the same.
    pub more: u8,
    /// What was told; the place is that of the first.
    pub told: Told,
}

impl Default for Report {
    fn default() -> Self {
        Report {
            record: 0,
            more: 0,
            told: Told::Unknown,
        }
    }
}

/// The outcomes that one step tells.
pub type Reports = Queue<Report, MAX_UNDECIDED>;

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
    /// clients that renumber with care keep it (see [`Renumbers`]).
    pub hole: Option<Small>,
    /// A batch ran out of time after it had been sent again: the sequence that follows on
    /// it. Nothing fresh is sent until it is clear whether that is what the broker expects
    /// (Java: `partitionsWithUnresolvedSequences`).
    pub unresolved: Option<Small>,
    /// Requests of batches that ran out of time and are still to be answered, by broker.
    pub expired_on_wire: [u8; MAX_BROKERS as usize],
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
            expired_on_wire: [0; MAX_BROKERS as usize],
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
        let expired = (0..).zip(self.expired_on_wire);
        let expired: usize = expired
            .filter(|(broker, _)| is_meant(*broker))
            .map(|(_, expired)| usize::from(expired))
            .sum();
        let on_wire = self
            .undecided
            .iter()
            .filter(|batch| batch.status != Status::Queued && is_meant(batch.broker));
        on_wire.count() + expired
    }

    /// Whether a fresh batch may be sent: the limit leaves room and nothing stands before it.
    pub fn can_send(&self, config: &ProducerConfig) -> bool {
        let expired: u8 = self.expired_on_wire.iter().sum();
        let taken = self.undecided.len() + usize::from(expired);
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

    /// The start of the client's loop: what is unresolved may be resolved now (Java:
    /// `maybeResolveSequences`), and a wanted epoch bump is done
    /// (`bumpIdempotentEpochAndResetIdIfNeeded`).
    pub fn start_loop(&mut self, config: &ProducerConfig, reports: &mut Reports) {
        self.resolve(config);
        if self.bump_wanted && self.may_bump(config) {
            self.bump_to(config, self.epoch + 1, reports);
        }
    }

    /// With nothing left undecided it is clear whether the sequence is what the broker
    /// expects; if it is not, a new epoch is wanted.
    pub fn resolve(&mut self, config: &ProducerConfig) {
        if self.unresolved.is_none() || !self.undecided.is_empty() {
            return;
        }
        self.unresolved = None;
        if !config.is_next(self.last_acked, self.next_sequence) {
            self.want_bump(config, self.next_sequence);
        }
    }

    fn want_bump(&mut self, config: &ProducerConfig, from: Small) {
        self.bump_wanted = true;
        if config.policy.renumbers == Renumbers::WhatIsNowhere {
            self.hole = Some(self.hole.map_or(from, |hole| hole.min(from)));
        }
    }

    /// Whether a wanted bump may be done now.
    pub fn may_bump(&self, config: &ProducerConfig) -> bool {
        match config.policy.renumbers {
            Renumbers::AtOnce => true,
            Renumbers::WhatIsNowhere => self.undecided.iter().all(|batch| {
                let may_be_written = self.hole.is_some_and(|hole| batch.sequence < hole);
                batch.status == Status::Queued && !may_be_written
            }),
        }
    }

    /// Goes over to a new epoch: every undecided batch gets a new identity.
    pub fn bump_to(&mut self, config: &ProducerConfig, epoch: Small, reports: &mut Reports) {
        let before = *self;
        self.bump_wanted = false;
        self.unresolved = None;
        self.hole = None;
        if config.policy.renumbers == Renumbers::WhatIsNowhere {
            self.give_up(|batch| batch.maybe_written, reports);
        }
        let exhausted = config.producer_id_of(epoch) != config.producer_id_of(self.epoch);
        self.last_acked = -1;
        match (exhausted, config.policy.exhausted) {
            (true, Exhausted::LosesIdentity) => {
                self.epoch = epoch;
                self.next_sequence = 0;
                for batch in self.undecided.as_mut_slice() {
                    batch.anonymous = true;
                    batch.sequence = 0;
                }
            }
            (true, Exhausted::StaysAtLast) => self.renumber(config),
            (true, Exhausted::RenewsId) | (false, _) => {
                self.epoch = epoch;
                self.renumber(config);
            }
        }
        for batch in self.undecided.as_mut_slice() {
            if batch.status == Status::OnWire {
                batch.status = Status::Rewritten;
            }
        }
        (config.policy.after_bump)(self, &before);
    }

    fn renumber(&mut self, config: &ProducerConfig) {
        (config.policy.renumber)(self);
        let named = self.undecided.iter().filter(|batch| !batch.anonymous);
        self.next_sequence = named.map(Undecided::count).sum();
    }

    /// The live connection to a broker is gone: every request outstanding there failed, in
    /// order.
    pub fn on_disconnect(&mut self, config: &ProducerConfig, broker: u8, reports: &mut Reports) {
        if let Some(expired) = self.expired_on_wire.get_mut(usize::from(broker)) {
            *expired = 0;
        }
        for batch in self.undecided.as_mut_slice() {
            if batch.status != Status::Queued && batch.broker == broker {
                batch.status = Status::Queued;
                batch.requeued = true;
                batch.maybe_written = true;
            }
        }
        (config.policy.after_disconnect)(self, reports);
    }

    /// Reads one reply, which came from `broker`.
    pub fn on_reply(
        &mut self,
        config: &ProducerConfig,
        reply: &Reply,
        broker: u8,
        reports: &mut Reports,
    ) {
        let Some(index) = (config.policy.match_reply)(self, reply) else {
            if let Some(expired) = self.expired_on_wire.get_mut(usize::from(broker)) {
                *expired = expired.saturating_sub(1);
            }
            return;
        };
        let before = *self;
        let batch = self.undecided.as_slice()[index];
        match reply.word {
            Word::Written(place) => {
                if !batch.anonymous {
                    self.note_acked(config, batch.last_sequence());
                }
                self.decide(index, Told::Acknowledged(place), reports);
            }
            Word::Refused(refusal) => {
                let refused = Refused {
                    refusal,
                    head_of_line: index == 0,
                    next_expected: config.is_next(self.last_acked, batch.sequence),
                    below_acked: batch.sequence <= self.last_acked,
                    rewritten: batch.status == Status::Rewritten,
                    unresolved: self.unresolved.map(|next| next == batch.sequence),
                    maybe_written: batch.maybe_written,
                    several_records: batch.more > 0,
                };
                self.undecided.as_mut_slice()[index].maybe_written |= refusal.may_be_written();
                self.react(config, (config.policy.on_refusal)(&refused), index, reports);
            }
        }
        (config.policy.after_reply)(self, &before);
    }

    fn note_acked(&mut self, config: &ProducerConfig, last: Small) {
        let is_higher = match config.policy.comparison {
            Comparison::Plain => config.sequences.is_beyond(last, self.last_acked),
            Comparison::Modular => last > self.last_acked,
        };
        if is_higher {
            self.last_acked = last;
        }
    }

    fn react(
        &mut self,
        config: &ProducerConfig,
        reaction: Reaction,
        index: usize,
        reports: &mut Reports,
    ) {
        let sequence = self.undecided.as_slice()[index].sequence;
        match reaction {
            Reaction::Retry => self.requeue(index),
            Reaction::BumpAndRetry => {
                self.requeue(index);
                self.want_bump(config, sequence);
            }
            Reaction::Tell(told) => self.decide(index, told, reports),
            Reaction::TellAndBump(told) => {
                self.decide(index, told, reports);
                self.want_bump(config, sequence);
            }
            Reaction::TellAndStartAtZero(told) => {
                self.decide(index, told, reports);
                self.next_sequence = 0;
                self.last_acked = -1;
            }
            Reaction::Split => self.split(index),
            Reaction::Stop(told) => {
                self.decide(index, told, reports);
                self.give_up(|_| true, reports);
                self.stopped = true;
            }
        }
    }

    fn requeue(&mut self, index: usize) {
        let batch = &mut self.undecided.as_mut_slice()[index];
        batch.status = Status::Queued;
        batch.requeued = true;
    }

    /// Of these batches the producer does not know, and tells the application so.
    fn give_up(&mut self, is_meant: impl Fn(&Undecided) -> bool, reports: &mut Reports) {
        while let Some(index) = self.undecided.iter().position(&is_meant) {
            self.decide(index, Told::Unknown, reports);
        }
    }

    /// Cuts a batch of two records into two of one, which wait to be sent; their sequences
    /// stay (Java: `RecordAccumulator.splitAndReenqueue`).
    pub(crate) fn split(&mut self, index: usize) {
        self.requeue(index);
        let batch = &mut self.undecided.as_mut_slice()[index];
        if batch.more == 0 {
            return;
        }
        batch.more = 0;
        let second = Undecided {
            record: batch.record + 1,
            sequence: batch.sequence + 1,
            ..*batch
        };
        self.undecided.insert(index + 1, second);
    }

    /// Whether the lowest undecided batch may run out of time.
    pub fn can_time_out(&self) -> bool {
        !self.stopped && !self.undecided.is_empty()
    }

    /// The lowest undecided batch runs out of time (delivery.timeout.ms).
    pub fn time_out(&mut self, config: &ProducerConfig, reports: &mut Reports) {
        let before = *self;
        let batch = self.undecided.as_slice()[0];
        if batch.status != Status::Queued {
            if let Some(expired) = self.expired_on_wire.get_mut(usize::from(batch.broker)) {
                *expired += 1;
            }
        }
        if batch.requeued && config.policy.waits_when_unresolved {
            self.unresolved = Some(batch.last_sequence() + 1);
        }
        self.decide(0, (config.policy.timed_out)(&batch), reports);
        (config.policy.after_timeout)(self, &before);
    }

    /// Whether the application may cancel the newest batch: it waits to be sent again.
    pub fn can_cancel(&self, config: &ProducerConfig) -> bool {
        let newest = self.undecided.as_slice().last();
        newest.is_some_and(|batch| match config.policy.cancels {
            Cancels::Never => false,
            Cancels::WhatWaits => batch.status == Status::Queued,
            Cancels::WhatIsNowhere => batch.status == Status::Queued && !batch.maybe_written,
        })
    }

    /// The application cancels the newest batch: it is told that the batch failed, and the
    /// batch's sequences are free again.
    pub fn cancel(&mut self, reports: &mut Reports) {
        let newest = self.undecided.len() - 1;
        self.next_sequence = self.undecided.as_slice()[newest].sequence;
        self.decide(newest, Told::Failed, reports);
    }

    /// Takes a batch out of the undecided ones and tells the application.
    pub(crate) fn decide(&mut self, index: usize, told: Told, reports: &mut Reports) {
        let batch = self.undecided.remove(index);
        reports.push(Report {
            record: batch.record,
            more: batch.more,
            told,
        });
    }
}
