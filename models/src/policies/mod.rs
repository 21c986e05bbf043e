//! Client policies: what a producer does about refusals, retries and lost connections.
//!
//! A policy is a value. What clients share is in [`crate::producer`]; the points in which
//! they differ are fields here. A mutant is a policy with one of them replaced.

mod java_4;
pub mod mutants;
mod patient;
mod pipelining;
mod plain;
pub mod published;
mod stop;

pub use java_4::JAVA_4;
pub use patient::{HARDENED, MODULAR, PATIENT};
pub use pipelining::PIPELINING;
pub use plain::PLAIN;
pub use stop::STOP;

use crate::message::{Refusal, Reply, Small};
use crate::producer::{Producer, ProducerConfig, Reports, Status, Told, Undecided};

/// A refusal in the eyes of the client.
#[derive(Clone, Copy, Debug)]
pub struct Refused {
    /// What the broker said.
    pub refusal: Refusal,
    /// Whether no earlier batch is undecided.
    pub head_of_line: bool,
    /// Whether the batch follows directly on the highest acknowledged sequence.
    pub next_expected: bool,
    /// Whether a later batch of the epoch is acknowledged.
    pub below_acked: bool,
    /// Whether the batch was given a new identity since this request was sent.
    pub rewritten: bool,
    /// While the partition is unresolved: whether the batch is the next one after it.
    pub unresolved: Option<bool>,
    /// Whether a copy of the batch may be in the log, or still get there.
    pub maybe_written: bool,
    /// Whether the batch holds several records.
    pub several_records: bool,
}

/// What the client does about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reaction {
    /// Send the batch again as it is.
    Retry,
    /// Raise the epoch, give every undecided batch a new identity, send again.
    BumpAndRetry,
    /// Tell the application this of the batch and go on.
    Tell(Told),
    /// Tell the application this of the batch and raise the epoch for the others.
    TellAndBump(Told),
    /// Tell the application this of the batch, and count sequences from 0 again in the same
    /// epoch.
    TellAndStartAtZero(Told),
    /// Cut the batch in two and send both.
    Split,
    /// Tell the application this of the batch, that nothing is known of the others, and
    /// send nothing any more.
    Stop(Told),
}

/// How a client compares sequences where they wrap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// As plain numbers: after the wrap, 0 is the lowest (Java client).
    Plain,
    /// By the order of sending.
    Modular,
}

/// What a client does about the answer to a batch that ran out of time before it came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LateAnswers {
    /// Nothing.
    Ignored,
    /// A success counts as acknowledged, whichever epoch is the current one by then; an
    /// error, or the loss of the connection, says nothing (Java client:
    /// `Sender.completeBatch` does not ask whether the batch is done, `failBatch` does).
    Heeded,
}

/// Which undecided batches an epoch bump gives a new identity, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Renumbers {
    /// All of them, at once (Java client).
    AtOnce,
    /// Once every earlier batch is decided and every answer is read: those of which no copy
    /// is in the log or on its way. Of the others nothing is known, and the application is
    /// told so.
    WhatIsNowhere,
}

/// Which batch the application may cancel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cancels {
    /// None.
    Never,
    /// Any that waits to be sent again.
    WhatWaits,
    /// One that waits and of which no copy is in the log or on its way.
    WhatIsNowhere,
}

/// What becomes of undecided batches when the last epoch is used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exhausted {
    /// They are sent without producer id, epoch and sequence (Java client).
    LosesIdentity,
    /// They are renumbered under a new producer id.
    RenewsId,
    /// They are renumbered under the last epoch.
    StaysAtLast,
}

/// How far an epoch bump reaches where a producer writes to several partitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BumpReaches {
    /// The partition that asked for it; others go over when nothing of theirs is undecided.
    OnePartition,
    /// All partitions at once.
    AllPartitions,
}

/// A client's policy.
pub struct Policy {
    /// Name, as the command line takes it.
    pub name: &'static str,
    /// What it is, in one line.
    pub about: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// Whether batches carry producer id, epoch and sequence.
    pub idempotent: bool,
    /// What to do about a refusal.
    pub on_refusal: fn(&Refused) -> Reaction,
    /// Which queued batch may be sent again now, as an index into the undecided batches.
    pub pick_retry: fn(&Producer, &ProducerConfig) -> Option<usize>,
    /// Which undecided batch a reply decides, as an index.
    pub match_reply: fn(&Producer, &Reply) -> Option<usize>,
    /// How far the sequence advances for one record.
    pub sequence_step: Small,
    /// What sending a batch again does to its identity: nothing, but in a mutant.
    pub before_resend: fn(&mut Producer, usize),
    /// The new sequences of the undecided batches after an epoch bump.
    pub renumber: fn(&mut Producer),
    /// What else a lost connection does: nothing, but in a mutant.
    pub after_disconnect: fn(&mut Producer, &mut Reports),
    /// What else sending a fresh batch does: nothing, but in a mutant.
    pub after_send: fn(&mut Producer, &mut Reports),
    /// What else an epoch bump does: nothing, but in a mutant. The second producer is the
    /// one before.
    pub after_bump: fn(&mut Producer, &Producer),
    /// What else reading a reply does: nothing, but in a mutant.
    pub after_reply: fn(&mut Producer, &Producer),
    /// What else a delivery timeout does: nothing, but in a mutant.
    pub after_timeout: fn(&mut Producer, &Producer),
    /// How many batches more than the limit may lie between the lowest undecided one and
    /// the newest, where that is counted: none, but in a mutant.
    pub spare_span: usize,
    /// How it compares sequences where they wrap.
    pub comparison: Comparison,
    /// Which batches an epoch bump renumbers, and when.
    pub renumbers: Renumbers,
    /// What becomes of undecided batches when the last epoch is used up.
    pub exhausted: Exhausted,
    /// How far an epoch bump reaches.
    pub bump_reaches: BumpReaches,
    /// Whether a partition without undecided batches counts from 0 when it goes over to a
    /// new epoch.
    pub idle_partition_restarts: bool,
    /// What the application is told of a batch that ran out of time.
    pub timed_out: fn(&Undecided) -> Told,
    /// Whether a batch that ran out of time after a retry keeps fresh ones back until the
    /// others are decided.
    pub waits_when_unresolved: bool,
    /// What it does about the answer to a batch that ran out of time.
    pub late_answers: LateAnswers,
    /// Which batch the application may cancel.
    pub cancels: Cancels,
    /// Whether it looks at [`Undecided::maybe_written`] at all.
    pub tracks_fate: bool,
    /// Whether worlds of any length are faithful to it: it looks at sequences only by
    /// their distance from the highest acknowledged one (see [`crate::quotient`]).
    pub any_length: bool,
}

impl PartialEq for Policy {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl std::fmt::Debug for Policy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// All policies but the published faulty ones and the mutants.
pub const ALL: &[&Policy] = &[
    &JAVA_4,
    &STOP,
    &PIPELINING,
    &PLAIN,
    &PATIENT,
    &MODULAR,
    &HARDENED,
];

/// The policy, published faulty one or mutant of this name.
pub fn find(name: &str) -> Option<&'static Policy> {
    ALL.iter()
        .copied()
        .chain(published::ALL.iter().copied())
        .chain(mutants::ALL.iter().copied())
        .find(|policy| policy.name == name)
}

/// Only the lowest undecided batch is sent again, and only when it waits for it. Which one
/// is the lowest is a matter of how sequences are compared.
fn lowest_undecided(producer: &Producer, config: &ProducerConfig) -> Option<usize> {
    let undecided = producer.undecided.as_slice();
    let lowest = match config.policy.comparison {
        Comparison::Plain if config.sequences.wrap_around() => {
            let on_wire = |index: &usize| config.sequences.on_wire(undecided[*index].sequence);
            (0..undecided.len()).min_by_key(on_wire)?
        }
        Comparison::Plain | Comparison::Modular => 0,
    };
    let batch = undecided.get(lowest)?;
    (batch.status == Status::Queued).then_some(lowest)
}

/// The lowest waiting batch, whatever became of the ones before it.
fn lowest_queued(producer: &Producer, _config: &ProducerConfig) -> Option<usize> {
    producer
        .undecided
        .iter()
        .position(|batch| batch.status == Status::Queued)
}

/// The batch whose request is answered.
fn by_record(producer: &Producer, reply: &Reply) -> Option<usize> {
    producer
        .undecided
        .iter()
        .position(|batch| batch.record == reply.record)
}

/// The undecided batches from 0 in the order in which they were first sent.
fn from_zero_in_order(producer: &mut Producer) {
    let mut next = 0;
    for batch in producer.undecided.as_mut_slice() {
        if !batch.anonymous {
            batch.sequence = next;
            next += batch.count();
        }
    }
}

fn keep_identity(_producer: &mut Producer, _index: usize) {}

fn nothing_more(_producer: &mut Producer, _reports: &mut Reports) {}

fn nothing_else(_producer: &mut Producer, _before: &Producer) {}

/// The application is told that the batch failed, whatever became of it (Java:
/// `TimeoutException`).
fn failed(_batch: &Undecided) -> Told {
    Told::Failed
}

/// The application is told that nothing is known, unless the batch is nowhere.
fn unknown_unless_nowhere(batch: &Undecided) -> Told {
    let nowhere = batch.status == Status::Queued && !batch.maybe_written;
    if nowhere {
        Told::Failed
    } else {
        Told::Unknown
    }
}
