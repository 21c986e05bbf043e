//! What the fuzz targets do with their bytes.
//!
//! Ordinary functions that panic when something is wrong. The targets in `fuzz_targets/` call
//! them; `tests/fuzz_corpus.rs` of the main package includes this file and gives them the
//! whole corpus, without nightly Rust.

pub mod operations;
mod producer;
pub mod snapshots;
