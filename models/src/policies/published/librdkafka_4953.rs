//! Policy **librdkafka-4953**: a new epoch renumbers the batches of every partition.
//!
//! 1. A batch of one partition is written, its answer not yet read.
//! 2. A batch of another partition is out of order: the client raises the epoch for all.
//! 3. The first batch is sent again under the new epoch and written again.
//!
//! What raises the epoch is of no account; in the world of the museum it is a batch that is
//! refused for good.
//!
//! Source: confluentinc/librdkafka issue 4953, PR 4972; known-faults C05.

use crate::policies::{BumpReaches, Policy, JAVA_4};

/// See the head of this file.
pub const LIBRDKAFKA_4953: Policy = Policy {
    name: "librdkafka-4953",
    about: "java-4, but a new epoch renumbers the undecided batches of all partitions",
    source: "confluentinc/librdkafka issue 4953",
    bump_reaches: BumpReaches::AllPartitions,
    any_length: false,
    ..JAVA_4
};
