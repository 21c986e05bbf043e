//! Policy **librdkafka-3712**: the partition is dropped and made again, and its counter
//! starts at 0 under the same producer id and epoch.
//!
//! 1. Batch 0 is written and acknowledged.
//! 2. Metadata says for a moment that the topic is gone: what waits fails, and the client's
//!    record of the partition goes with its counter.
//! 3. The topic is back. A new record is sent as sequence 0 again: the broker finds that
//!    range in its window and answers with the old offset.
//! 4. The record is acknowledged and written nowhere.
//!
//! The moment without a topic is a refusal before anything is done. The repair asks for a
//! new epoch with the new counter.
//!
//! Source: confluentinc/librdkafka issue 3712, PR 3672; known-faults C06.

use crate::message::Refusal;
use crate::policies::{java_4, Policy, Reaction, Refused, JAVA_4};
use crate::producer::Told;

/// See the head of this file.
pub const LIBRDKAFKA_3712: Policy = Policy {
    name: "librdkafka-3712",
    about: "a refusal drops the partition: its counter starts at 0 in the same epoch",
    source: "confluentinc/librdkafka issue 3712",
    on_refusal: |refused| dropped(refused, Reaction::TellAndStartAtZero(Told::Failed)),
    any_length: false,
    ..JAVA_4
};

/// See the head of this file.
pub const LIBRDKAFKA_3712_REPAIRED: Policy = Policy {
    name: "librdkafka-3712-repaired",
    about: "a refusal drops the partition: its counter starts at 0 in a new epoch",
    source: "confluentinc/librdkafka PR 3672",
    on_refusal: |refused| dropped(refused, Reaction::TellAndBump(Told::Failed)),
    any_length: false,
    ..JAVA_4
};

fn dropped(refused: &Refused, reaction: Reaction) -> Reaction {
    match refused.refusal {
        Refusal::RefusedBefore => reaction,
        _ => java_4::on_refusal(refused),
    }
}
