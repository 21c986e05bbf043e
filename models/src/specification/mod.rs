//! The specification of one partition's idempotent-producer state, in plain numbers.
//!
//! The models decide about batches of one record, with small numbers, on a broker that
//! never restarts. This is the rest: batches of many records, sequences that wrap, a log
//! with segments, snapshot files, restarts, truncation, a log start that moves, expiry and
//! end-of-transaction markers. A state manager made for production is walked beside it and
//! must give the same answers and hold the same state.
//!
//! It is written to be read: every number is an `i64`, nothing is cached, the log is held
//! whole and states are recomputed from it. What it does not know is transactions: a batch
//! is never transactional, and no producer has one open.
//!
//! Source: Apache Kafka 4.3.1, `UnifiedLog`, `LogLoader`, `LogSegment.recover`,
//! `ProducerStateManager`, `ProducerAppendInfo`, `ProducerStateEntry`. The recorded answers
//! and states of the real ones are in `tests/data/kafka-4.3.1`; they decide.

mod answer;
mod decision;
mod entry;
mod log;
mod manager;
mod operation;
mod partition;
mod producer;
mod rebuild;
mod sequence;
mod settings;
mod snapshot;
mod start_up;

pub use answer::{Answer, ErrorName};
pub use log::{Batch, Content, Log, Segment};
pub use operation::{Fate, Mode, Operation, Origin, Recovery, Snapshots};
pub use partition::Partition;
pub use producer::{Producer, State};
pub use settings::{Profile, Settings};
