//! What must be true of a producer that retries, and of the broker that answers it.
//!
//! An observer sees *events* ([`Event`]): a batch stands in the log, a broker decided a
//! request, the producer read an answer, the application was told an outcome. He writes
//! them down as a *history* ([`History`]). A *property* judges each event in the light of
//! the history before it, and says whether it was concerned at all, upheld, or broken
//! ([`Judgement`]). There is one file for each property.
//!
//! Nothing here knows a model, a broker or a client: the same functions judge the state
//! space of a model, a production run, and a log dumped from a real broker. This crate
//! depends on nothing.

mod event;
mod history;
mod judgement;
mod property;
mod refusal;
#[cfg(test)]
mod testing;

pub mod ack_truthful;
pub mod duplicate_answer_truthful;
pub mod every_batch_decided;
pub mod gap_rejected;
pub mod log_is_fold;
pub mod no_duplicate;
pub mod no_false_failure;
pub mod partition_order;
pub mod reject_is_stutter;
pub mod retry_recognised;
pub mod sequence_per_partition;
pub mod stale_epoch_rejected;

pub use event::{
    Answer, Batch, BrokerMemory, Decision, Epoch, Event, Identity, Offset, Outcome, Partition,
    ProducerId, Record, Rejection, Remembered, Sequence,
};
pub use history::{History, LogEntry, RecordedHistory, RecordedMemory};
pub use judgement::{Judgement, Violation};
pub use property::{PropertyId, UnknownProperty};
pub use refusal::NotRefused;
