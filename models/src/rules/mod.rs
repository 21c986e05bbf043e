//! Broker rules: what a release, a design or a mutant decides about one batch.
//!
//! A rule is a value: a name, a small pure function `decide` in a file of its own, and the
//! few points in which designs differ beyond the decision. A mutant is a rule with one of
//! these replaced.

mod buffering;
mod hardened;
mod kafka_0_11;
mod kafka_1_0;
mod kafka_1_1;
mod kafka_4;
mod kafka_4_5;
mod last_sequence_only;
pub mod mutants;
pub mod published;
mod strict;

pub use buffering::BUFFERING;
pub use hardened::HARDENED;
pub use kafka_0_11::KAFKA_0_11;
pub use kafka_1_0::KAFKA_1_0;
pub use kafka_1_1::KAFKA_1_1;
pub use kafka_4::KAFKA_4;
pub use kafka_4_5::KAFKA_4_5;
pub use last_sequence_only::LAST_SEQUENCE_ONLY;
pub use strict::STRICT;

use crate::broker::{Broker, Cached};
use crate::conditions::RestartKeeps;
use crate::message::{Place, Refusal, Request, Sequences, Small};

/// What a rule says of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Write it.
    Append,
    /// It is in the log already; what the answer says of its place.
    Duplicate(Place),
    /// Refuse it.
    Reject(Refusal),
    /// Keep it and answer when it fits.
    Hold,
}

/// A verdict and the branch of the rule that gave it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ruling {
    /// The verdict.
    pub verdict: Verdict,
    /// The branch, one of [`Rule::branches`].
    pub branch: &'static str,
}

impl Ruling {
    fn new(verdict: Verdict, branch: &'static str) -> Self {
        Ruling { verdict, branch }
    }

    fn out_of_order(branch: &'static str) -> Self {
        Ruling::new(Verdict::Reject(Refusal::OutOfOrder), branch)
    }
}

/// A broker's rule.
pub struct Rule {
    /// Name, as the command line takes it.
    pub name: &'static str,
    /// What it is, in one line.
    pub about: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// The decision on a request of a producer with sequences.
    pub decide: fn(&Broker, &Request, Sequences) -> Ruling,
    /// All branches of `decide`.
    pub branches: &'static [&'static str],
    /// How many batches it remembers when the condition `window` is the argument.
    pub capacity: fn(usize) -> usize,
    /// What an append (at this offset, with this capacity) does to the state.
    pub remember: fn(&mut Broker, &Request, Small, usize),
    /// What a refusal does to the state, the rule's own or another: nothing, but in a
    /// mutant.
    pub on_reject: fn(&mut Broker, &Request, Refusal),
    /// What a restart makes of the state.
    pub on_restart: fn(&mut Broker, RestartKeeps),
    /// What an expiry makes of the state.
    pub on_expiry: fn(&mut Broker),
    /// What start-up makes of the state after an append that failed once it was written;
    /// the second state is that before the append.
    pub on_recovery: fn(&mut Broker, &Broker),
    /// Whether worlds of any length are faithful to it: it answers a request at or below
    /// last − window by that alone, and never appends it (see [`crate::quotient`]).
    pub any_length: bool,
}

impl PartialEq for Rule {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl std::fmt::Debug for Rule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// All rules but the published faulty ones and the mutants.
pub const ALL: &[&Rule] = &[
    &KAFKA_4,
    &KAFKA_4_5,
    &KAFKA_1_1,
    &KAFKA_1_0,
    &KAFKA_0_11,
    &STRICT,
    &HARDENED,
    &LAST_SEQUENCE_ONLY,
    &BUFFERING,
];

/// The rule, published faulty one or mutant of this name.
pub fn find(name: &str) -> Option<&'static Rule> {
    ALL.iter()
        .copied()
        .chain(published::ALL.iter().copied())
        .chain(mutants::ALL.iter().copied())
        .find(|rule| rule.name == name)
}

/// The whole window that the conditions name.
fn whole_window(window: usize) -> usize {
    window
}

/// Where a batch with exactly these first and last sequences stands in the window
/// (Kafka: `ProducerStateEntry.findDuplicateBatch`).
fn find_duplicate<'a>(
    broker: &'a Broker,
    request: &Request,
    sequences: Sequences,
) -> Option<&'a Cached> {
    let (first, last) = (request.sequence, request.last_sequence());
    broker
        .window
        .iter()
        .find(|cached| sequences.same(cached.first, first) && sequences.same(cached.last, last))
}
