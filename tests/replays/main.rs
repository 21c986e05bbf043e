//! Runs of the models on the real client and log of Apache Kafka.
//!
//! What the real ones answered is kept in `tests/data/replays.jsonl`, so that the same runs
//! are compared where there is no Java. With it they are played live, and random schedules
//! besides.

#[path = "../oracle/jvm.rs"]
mod jvm;
mod live;
mod mutants;
mod recorded;
mod schedules;
mod tampered;

use std::sync::LazyLock;

use retryproof::replay::{about_kafka, why_not, Recordings};
use retryproof::shadow::Process;
use retryproof_models::checking::{Limits, Silent, Verdict};
use retryproof_models::claims::{check_claims, ClaimOutcome};

/// The refuted claims about Kafka that can be played on it, with their runs.
static REFUTED: LazyLock<Vec<ClaimOutcome>> = LazyLock::new(|| {
    let mut claims = about_kafka(Verdict::Refuted);
    claims.retain(|claim| why_not(&claim.conditions).is_none());
    check_claims(&claims, &Limits::default(), &Silent, |_| {})
});

/// What is kept.
static KEPT: LazyLock<Recordings> = LazyLock::new(|| {
    Recordings::read(include_str!("../data/replays.jsonl")).expect("lines of recordings")
});

/// The client of this Kafka.
fn client(kafka: &jvm::Kafka) -> Process {
    Process::of_command_line(&kafka.command_line("client")).expect("a command")
}
