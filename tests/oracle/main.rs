//! The real Apache Kafka as the judge: its log layer walks beside the specification and the
//! production manager, live (`oracle/README.md`).

mod beyond;
mod both;
mod conversation;
mod drawn;
mod edges;
mod expiry;
mod jvm;
mod kept;
#[path = "../../benches/side_by_side/operations.rs"]
mod operations;
#[path = "../../benches/side_by_side/ours.rs"]
mod ours;
mod recorded;
mod refused;
mod snapshots;
mod speed;
mod transactions;
mod wrong;

use jvm::Kafka;
use retryproof::shadow::Process;

/// The log of this release as a subject.
fn log(kafka: &Kafka) -> Process {
    Process::of_command_line(&kafka.command_line("log")).expect("a command line")
}
