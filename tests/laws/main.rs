//! Laws of the production manager, tried on logs that were made up at random.
//!
//! Each law is one sentence above a function; `quickcheck` draws logs (several producers,
//! epoch bumps, sequences that wrap, compacted batches, coordinators' batches, transactions)
//! and shrinks what breaks the law.

mod decisions;
mod eviction;
mod expiry;
mod log;
mod permits;
mod replay;
mod seen;
mod sequences;
mod snapshots;
mod truncation;
mod window;
