//! Policy **librdkafka-3720**: when the last epoch is used up the client stays in it.
//!
//! 1. The producer is in the last epoch and asks for a new one.
//! 2. There is none. It renumbers its batches from 0 all the same.
//! 3. The broker finds sequence 0 of that epoch in its window: another record, long
//!    written. The new one is acknowledged with its offset and written nowhere.
//!
//! The repair takes a new producer id (`modular`).
//!
//! Source: confluentinc/librdkafka issue 3720; known-faults B27.

use crate::policies::{Exhausted, Policy, JAVA_4};

/// See the head of this file.
pub const LIBRDKAFKA_3720: Policy = Policy {
    name: "librdkafka-3720",
    about: "java-4, but after the last epoch it counts from 0 in the last epoch again",
    source: "confluentinc/librdkafka issue 3720",
    exhausted: Exhausted::StaysAtLast,
    any_length: false,
    ..JAVA_4
};
