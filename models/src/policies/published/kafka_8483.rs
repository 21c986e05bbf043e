//! Policy **kafka-8483**: the Java client renumbers in the order of a heap.
//!
//! 1. Three batches are in flight; the broker has lost the producer's state and answers the
//!    first with UNKNOWN_PRODUCER_ID.
//! 2. The client gives all three new sequences from 0, but walks its priority queue in the
//!    order of the array below it: first, third, second.
//! 3. The second and third change places in the log.
//!
//! That client counted from 0 in the same epoch; here it raises the epoch, as later ones
//! do. The order of renumbering is the same.
//!
//! Source: KAFKA-8483, apache/kafka PR 6883 of June 2019; known-faults C01.

use crate::policies::{Policy, JAVA_4};
use crate::producer::Producer;

/// See the head of this file.
pub const KAFKA_8483: Policy = Policy {
    name: "kafka-8483",
    about: "java-4, but in-flight batches are renumbered in the order of a heap",
    source: "Java client before apache/kafka PR 6883 (KAFKA-8483)",
    renumber: in_heap_order,
    any_length: false,
    ..JAVA_4
};

/// The lowest first, then the others from the highest down.
fn in_heap_order(producer: &mut Producer) {
    if let Some((_, others)) = producer.undecided.as_mut_slice().split_first_mut() {
        others.reverse();
    }
    (JAVA_4.renumber)(producer);
}
