//! Policy **fluss-354**: a reset of the writer loses what waits to be sent again.
//!
//! 1. A batch is out of order, because the server has lost the writer's state.
//! 2. The writer takes a new identity, and starts with nothing to send.
//! 3. The application is never told what became of the batch.
//!
//! Source: apache/fluss issues 354 and 1163; known-faults N02.

use crate::policies::{Policy, JAVA_4};

/// See the head of this file.
pub const FLUSS_354: Policy = Policy {
    name: "fluss-354",
    about: "java-4, but a new epoch drops the undecided batches and tells nobody",
    source: "apache/fluss issue 354",
    renumber: |producer| producer.undecided.clear(),
    any_length: false,
    ..JAVA_4
};
