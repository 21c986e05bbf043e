//! The producer state of one partition: what a broker must keep so that an idempotent
//! producer writes every record once and in order.
//!
//! # What it decides
//!
//! A producer numbers the records that it sends to a partition. A broker remembers, for each
//! producer, its epoch and the newest few batches with their sequences and offsets. When a
//! batch comes, that is enough to tell the one that goes on where the last one ended (append
//! it) from the retry of one that is in the log already (answer with where it stands) and
//! from one before which something is missing (refuse it). This module is that memory and
//! that decision, as Apache Kafka's `ProducerStateManager` and the parts of `UnifiedLog`
//! around it make them; which log and which network it works for is no matter to it.
//!
//! # An append, in two steps
//!
//! State must never run ahead of the log: a batch that is remembered but was not written is
//! lost for good, for its retry is taken for a duplicate. So [`check`] changes nothing, and
//! [`commit`] takes the permit that the check gave and the offset that the log gave:
//!
//! ```
//! use retryproof::state_manager::{
//!     Batch, BatchHeader, Check, Config, Offset, ProducerStateManager, Timestamp,
//! };
//!
//! # fn append_to_log(records: &[u8]) -> std::io::Result<Offset> { Ok(Offset::ZERO) }
//! # fn now() -> Timestamp { Timestamp::from_millis(0) }
//! let mut producers = ProducerStateManager::new(Config::kafka());
//!
//! # let header = BatchHeader { producer_id: 4000, producer_epoch: 0, base_sequence: 0,
//! #     last_offset_delta: 2, record_count: 3, max_timestamp: 0, transactional: false,
//! #     control: false };
//! # let records = [0u8; 3];
//! // `header` was read from the batch that a client sent.
//! let answer: Result<Offset, i16> = match Batch::from_header(&header) {
//!     Err(rejection) => Err(rejection.code()),
//!     // No producer id, no check: but the manager must know where the log ends.
//!     Ok(None) => {
//!         let base = append_to_log(&records)?;
//!         let end = base.checked_add(header.record_count.into()).unwrap();
//!         producers.skip_to(end)?;
//!         Ok(base)
//!     }
//!     Ok(Some(batch)) => match producers.check(&batch) {
//!         Check::Rejected(rejection) => Err(rejection.code()),
//!         Check::Duplicate(original) => Ok(original.first_offset),
//!         Check::Append(permit) => {
//!             // If this fails the permit is dropped, and nothing has happened.
//!             let base = append_to_log(&records)?;
//!             producers.commit(permit, base, now())?;
//!             Ok(base)
//!         }
//!     },
//! };
//! assert_eq!(answer, Ok(Offset::ZERO));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A whole broker in this manner, with a log on disk, snapshots and recovery, is
//! `examples/broker.rs`; it is killed at random points by `tests/broker_kill`.
//!
//! # Everything else that happens to a log
//!
//! | what happens | what the broker calls |
//! |---|---|
//! | a batch comes from the leader, or is read back at start-up | [`replicate`], or [`replicate_read`](ProducerStateManager::replicate_read) for all of one read; nothing is checked |
//! | a batch without a producer id is appended | [`skip_to`](ProducerStateManager::skip_to) |
//! | a transaction ends | [`check_marker`](ProducerStateManager::check_marker) and [`commit_marker`](ProducerStateManager::commit_marker), on a follower [`replicate_marker`](ProducerStateManager::replicate_marker) |
//! | a segment is rolled, the broker stops, recovery is over | [`take_snapshot`](ProducerStateManager::take_snapshot) |
//! | the log is truncated, the broker starts | [`truncate_and_reload`], then [`replicate`] from [`replay_from`](Reloaded::replay_from) on |
//! | a follower is so far behind that it begins anew | [`truncate_fully_and_start_at`](ProducerStateManager::truncate_fully_and_start_at) |
//! | the log start moves (retention, DeleteRecords) | [`on_log_start`](ProducerStateManager::on_log_start) |
//! | the high watermark moves | [`on_high_watermark`](ProducerStateManager::on_high_watermark) |
//! | this replica becomes leader | [`set_leader_epoch`](ProducerStateManager::set_leader_epoch) |
//! | time passes | [`expire_some`](ProducerStateManager::expire_some), or [`remove_expired`](ProducerStateManager::remove_expired) all at once |
//! | a coordinator writes for a producer | [`check_coordinator`](ProducerStateManager::check_coordinator) |
//! | a request has several batches for the partition | [`check_request`](ProducerStateManager::check_request) |
//! | segments are deleted, snapshots pile up | [`SnapshotDirectory::retain`](snapshot::SnapshotDirectory::retain), [`remove_below`](snapshot::SnapshotDirectory::remove_below) |
//! | someone asks for the active producers | [`active_producers`](ProducerStateManager::active_producers) |
//!
//! # Two profiles
//!
//! [`Profile::Kafka`] decides exactly as Apache Kafka 2.5 to 4.4 do, with their holes.
//! [`Profile::Hardened`] closes those that a broker can close alone: after a restart Kafka
//! knows one batch of each producer instead of five, a producer that it does not know may
//! begin anywhere, and it forgets active producers whose records carry old timestamps.
//!
//! # Formats, ids, operation
//!
//! [`snapshot`] reads and writes Kafka's snapshot files and a format of our own that keeps
//! the whole window. [`producer_ids`] gives out producer ids. What a manager does is counted
//! in [`Metrics`] and told as `tracing` events: a duplicate (debug), a rejection (warn), an
//! expiry, an eviction, which snapshot was written and loaded (info), one that was damaged
//! (warn).
//!
//! Out of scope: verification of transactions (KIP-890) and the stricter marker epochs that
//! go with it (KIP-1228); who may write is not asked here.
//!
//! [`check`]: ProducerStateManager::check
//! [`commit`]: ProducerStateManager::commit
//! [`replicate`]: ProducerStateManager::replicate
//! [`truncate_and_reload`]: ProducerStateManager::truncate_and_reload

mod batch;
mod check;
mod config;
mod expiry;
mod manager;
mod metrics;
mod numbers;
mod permit;
mod persistence;
pub mod producer_ids;
mod producers;
mod rejection;
mod reload;
mod replica;
pub mod snapshot;
mod transactions;
mod view;

pub use batch::{Batch, BatchHeader, CoordinatorBatch, Ending, LoggedBatch, Marker};
pub use config::{Config, ConfigError, Profile};
pub use expiry::ExpiryStep;
pub use manager::ProducerStateManager;
pub use metrics::{Counts, Metrics};
pub use numbers::{CoordinatorEpoch, Epoch, LeaderEpoch, Offset, ProducerId, Sequence, Timestamp};
pub use permit::{Check, CommitError, Duplicate, MarkerPermit, Permit};
pub use persistence::Restored;
pub use rejection::{Because, InvalidRecord, Rejection};
pub use reload::Reloaded;
pub use replica::LogEntry;
pub use transactions::CompletedTransaction;
pub use view::{BatchView, ProducerView};
