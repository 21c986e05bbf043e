//! Policy **sarama-3354**: what leaves the retry buffer has no sequence of its own, and the
//! field reads 0.
//!
//! 1. Batch 0 is written and acknowledged.
//! 2. The connection breaks with batch 1 on it; it goes through the retry buffer.
//! 3. It leaves the buffer with sequence 0: the broker finds batch 0 in its window and
//!    answers with its offset.
//! 4. Batch 1 is acknowledged with the offset of batch 0, and may be written nowhere. Once
//!    0 has left the window the answer is out of order.
//!
//! In that client it befell records that waited behind a retry; here it befalls whatever is
//! sent again.
//!
//! Source: IBM/sarama issue 3354, PR 3362; known-faults C12.

use crate::policies::{Policy, JAVA_4};

/// See the head of this file.
pub const SARAMA_3354: Policy = Policy {
    name: "sarama-3354",
    about: "java-4, but a batch that is sent again has sequence 0",
    source: "IBM/sarama issue 3354",
    before_resend: |producer, index| producer.undecided.as_mut_slice()[index].sequence = 0,
    any_length: false,
    ..JAVA_4
};
