//! The recorded cases that are part of this crate: what the real Apache Kafka 4.3.1 answered.
//!
//! `tests/data/kafka-4.3.1/README.md` says how they were recorded.

use super::cases::{self, Case, NotCases};

/// 24 published faults of brokers and clients, with Kafka's answers.
const OPEN: &str = include_str!("../../tests/data/kafka-4.3.1/open.json");
/// 300 drawn sequences of operations, with Kafka's answers and states.
const VECTORS: &str = include_str!("../../tests/data/kafka-4.3.1/vectors.jsonl");

/// The 24 published faults of brokers and clients.
///
/// # Errors
/// Never, unless the crate was built from other files.
pub fn published() -> Result<Vec<Case>, NotCases> {
    cases::read("open.json", OPEN)
}

/// The 300 drawn sequences of operations, with states.
///
/// # Errors
/// Never, unless the crate was built from other files.
pub fn vectors() -> Result<Vec<Case>, NotCases> {
    cases::read("vectors.jsonl", VECTORS)
}
