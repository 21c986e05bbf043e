//! Judges logs as they are read.
//!
//! A batch in a log becomes one event of the properties: it was appended, at its base offset.
//! What a log alone can break is judged there: no-duplicate, partition-order,
//! sequence-per-partition, gap-rejected, stale-epoch-rejected and, of log-is-fold, that
//! offsets are contiguous. The rest of log-is-fold is judged where a snapshot says what the
//! broker remembered. All other properties are about what was asked and answered, which a
//! log does not show.

#[cfg(test)]
mod agreement;
mod expected;
mod holes;
mod log;
mod producer;
pub(crate) mod refused;
pub(crate) mod replicas;
mod spans;
mod state;
mod summary;
mod tail;
pub(crate) mod words;

pub(crate) use expected::Ahead;
pub(crate) use log::Log;
pub use state::Compared;
pub use summary::Summary;
