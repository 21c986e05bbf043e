//! Policy **librdkafka-4736**: a retry is not the batch that was sent, but a part of it;
//! a refusal of it is fatal.
//!
//! 1. A batch of two records is written, its answer lost.
//! 2. The retry is cut anew and holds the first record alone.
//! 3. That range is not in the broker's window: out of order.
//! 4. The client stops, and reports both records as failed, or as unknown, though they are
//!    in the log.
//!
//! Source: confluentinc/librdkafka issue 4736, PR 4750; known-faults C10.

use crate::policies::{Policy, STOP};
use crate::producer::Producer;

/// See the head of this file.
pub const LIBRDKAFKA_4736: Policy = Policy {
    name: "librdkafka-4736",
    about: "stop, but a batch of two records is sent again as two batches",
    source: "confluentinc/librdkafka issue 4736",
    before_resend: cut_anew,
    any_length: false,
    ..STOP
};

/// A batch of several records becomes two; the first of them is sent now.
pub(super) fn cut_anew(producer: &mut Producer, index: usize) {
    producer.split(index);
}
