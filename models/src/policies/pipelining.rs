//! Policy **pipelining**: java-4, but retries do not wait for each other.
//!
//! No client that is known to ship does this; a simple one would. It shows what the rule
//! "only the lowest undecided batch is retried, one at a time" is good for.

use super::{lowest_queued, Policy, JAVA_4};

/// See the head of this file.
pub const PIPELINING: Policy = Policy {
    name: "pipelining",
    about: "java-4, but retries are sent one behind the other without waiting",
    source: "a simple client; kafka-facts Q1 F",
    pick_retry: lowest_queued,
    ..JAVA_4
};
