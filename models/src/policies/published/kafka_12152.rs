//! Policy **kafka-12152**: a partition with nothing in flight keeps its counter when the
//! epoch is raised.
//!
//! 1. Two partitions are written under epoch 0; the second is at sequence 5 and idle.
//! 2. An error on the first raises the epoch.
//! 3. The next batch of the second is sent as sequence 5 of epoch 1, and a new epoch must
//!    start at 0.
//!
//! Source: KAFKA-12152 (fixed in 2.7.1 and 2.8.0), apache/kafka PR 9832; known-faults C02.

use crate::policies::{Policy, JAVA_4};

/// See the head of this file.
pub const KAFKA_12152: Policy = Policy {
    name: "kafka-12152",
    about: "java-4, but an idle partition keeps its counter in a new epoch",
    source: "Java client 2.5.0–2.7.0 (KAFKA-12152)",
    idle_partition_restarts: false,
    any_length: false,
    ..JAVA_4
};
