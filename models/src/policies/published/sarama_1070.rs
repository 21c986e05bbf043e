//! Policy **sarama-1070**: a retry is not the batch that was sent, but a part of it; the
//! client goes on in a new epoch.
//!
//! 1. A batch of two records is written, its answer lost.
//! 2. The retry is cut anew and holds the first record alone.
//! 3. That range is not in the broker's window: out of order.
//! 4. The client raises its epoch and sends both records again: they are written twice.
//!
//! That client did not raise its epoch before PR 1661; as it was, it sent the parts for
//! ever. The fault of the retry is the same.
//!
//! Source: IBM/sarama issue 1070; known-faults C10.

use crate::policies::{Policy, JAVA_4};

use super::librdkafka_4736::cut_anew;

/// See the head of this file.
pub const SARAMA_1070: Policy = Policy {
    name: "sarama-1070",
    about: "java-4, but a batch of two records is sent again as two batches",
    source: "IBM/sarama issue 1070",
    before_resend: cut_anew,
    any_length: false,
    ..JAVA_4
};
