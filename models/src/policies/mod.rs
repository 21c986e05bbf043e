//! Client policies: what a producer does about refusals, retries and lost connections.
//!
//! A policy is a value. What clients share is in [`crate::producer`]; the points in which
//! they differ are fields here. A mutant is a policy with one of them replaced.

mod java_4;
pub mod mutants;
mod pipelining;
mod plain;
mod stop;

pub use java_4::JAVA_4;
pub use pipelining::PIPELINING;
pub use plain::PLAIN;
pub use stop::STOP;

use crate::message::{Refusal, Reply, Small};
use crate::producer::{Producer, Reports, Status};

/// A refusal in the eyes of the client.
#[derive(Clone, Copy, Debug)]
pub struct Refused {
    /// What the broker said.
    pub refusal: Refusal,
    /// Whether no earlier batch is undecided.
    pub head_of_line: bool,
    /// Whether the batch follows directly on the highest acknowledged sequence.
    pub next_expected: bool,
    /// Whether the batch was given a new identity since this request was sent.
    pub rewritten: bool,
}

/// What the client does about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reaction {
    /// Send the batch again as it is.
    Retry,
    /// Raise the epoch, give every undecided batch a new identity, send again.
    BumpAndRetry,
    /// Report the batch as failed and raise the epoch for the others.
    FailAndBump,
    /// Report the batch as failed and send nothing any more.
    Stop,
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
    pub pick_retry: fn(&Producer) -> Option<usize>,
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

/// All policies but the mutants.
pub const ALL: &[&Policy] = &[&JAVA_4, &STOP, &PIPELINING, &PLAIN];

/// The policy or mutant of this name.
pub fn find(name: &str) -> Option<&'static Policy> {
    ALL.iter()
        .copied()
        .chain(mutants::ALL.iter().copied())
        .find(|policy| policy.name == name)
}

/// Only the lowest undecided batch is sent again, and only when it waits for it.
fn lowest_undecided(producer: &Producer) -> Option<usize> {
    let lowest = producer.undecided.as_slice().first()?;
    (lowest.status == Status::Queued).then_some(0)
}

/// The lowest waiting batch, whatever became of the ones before it.
fn lowest_queued(producer: &Producer) -> Option<usize> {
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
    for (batch, sequence) in producer.undecided.as_mut_slice().iter_mut().zip(0..) {
        batch.sequence = sequence;
    }
}

fn keep_identity(_producer: &mut Producer, _index: usize) {}

fn nothing_more(_producer: &mut Producer, _reports: &mut Reports) {}
