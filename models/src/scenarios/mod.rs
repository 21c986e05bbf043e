//! Scenarios: named runs that are told, drawn and explored.
//!
//! A scenario is data. Each act of it is a world and a run through it, given as the names of
//! its steps ([`names`]), so that it can be read without the model at hand and means the same
//! after the model has changed, or fails. A golden trace in `golden/` has every state of
//! every run; a test replays them.

mod act;
mod epochs;
mod eviction;
mod in_flight;
mod leaders;
pub mod names;
mod restart;
mod sequences;
mod time;
mod unknown;
mod walkthrough;

pub use act::{run, Act, NotRunnable};

/// A named run, or several that belong together.
#[derive(Clone, Copy, Debug)]
pub struct Scenario {
    /// Id, as the command line takes it.
    pub id: &'static str,
    /// What happens, in a few words.
    pub title: &'static str,
    /// What it shows, for a reader who never saw Kafka.
    pub shows: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// The claims that say what is true of all runs like it.
    pub claims: &'static [&'static str],
    /// What is run, in the order of telling.
    pub acts: &'static [Act],
}

/// All scenarios, in the order in which they are best read.
pub const ALL: &[&Scenario] = &[
    &walkthrough::DEDUP_AGAINST_PLAIN,
    &in_flight::IN_FLIGHT_5,
    &in_flight::IN_FLIGHT_6,
    &eviction::LEFT_BEHIND,
    &epochs::LATE_COPIES,
    &sequences::TWO_PARTITIONS,
    &restart::RESTARTED,
    &leaders::CLEAN_FAILOVER,
    &leaders::LEADER_MOVE,
    &leaders::FAILOVER_OF_A_NEW_PRODUCER,
    &leaders::DEPOSED_LEADER,
    &leaders::ACKS_1,
    &unknown::FIRST_BATCH_OVERTAKEN,
    &unknown::BUFFERED_GAP,
    &epochs::FENCING,
    &epochs::BUMP_WHILE_UNDECIDED,
    &epochs::BUMP_RACES_LATE_COPIES,
    &time::EXPIRY,
    &time::FORGOTTEN_FENCE,
    &time::DELIVERY_TIMEOUT,
    &sequences::WRAP,
];

/// The scenario of this id.
pub fn find(id: &str) -> Option<&'static Scenario> {
    ALL.iter().copied().find(|scenario| scenario.id == id)
}
