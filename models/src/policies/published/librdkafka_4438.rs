//! Policy **librdkafka-4438**: "possibly persisted" is taken for "persisted".
//!
//! 1. A batch is sent, and times out before the answer is read.
//! 2. It may be in the log. The client goes on as if it were.
//! 3. The connection's leftovers are lost: the batch is nowhere.
//!
//! Source: confluentinc/librdkafka PR 4438; known-faults C09.

use crate::message::Place;
use crate::policies::{Policy, STOP};
use crate::producer::{Status, Told, Undecided};

/// See the head of this file.
pub const LIBRDKAFKA_4438: Policy = Policy {
    name: "librdkafka-4438",
    about: "stop, but a batch that may be written when its time is up counts as written",
    source: "confluentinc/librdkafka PR 4438",
    timed_out,
    any_length: false,
    ..STOP
};

fn timed_out(batch: &Undecided) -> Told {
    let possibly_persisted = batch.status != Status::Queued || batch.maybe_written;
    if possibly_persisted {
        Told::Acknowledged(Place::Unnamed)
    } else {
        Told::Failed
    }
}
