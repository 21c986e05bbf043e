//! Policy **sarama-1430**: a send that failed has used up its sequence.
//!
//! 1. A batch has its sequence and is refused before anything is done; the application is
//!    told that it failed.
//! 2. The next batch has the next sequence: a gap to the broker, out of order.
//! 3. It is sent again as it is, for ever.
//!
//! The repair raises the epoch with the failure, so that the counter starts at 0.
//!
//! Source: IBM/sarama issue 1430, PR 1661; known-faults C11.

use crate::message::Refusal;
use crate::policies::{java_4, Policy, Reaction, Refused, JAVA_4};
use crate::producer::Told;

/// See the head of this file.
pub const SARAMA_1430: Policy = Policy {
    name: "sarama-1430",
    about: "a refused batch fails and keeps its sequence, out of order is retried as it is",
    source: "IBM/sarama issue 1430",
    on_refusal: |refused| match refused.refusal {
        Refusal::RefusedBefore => Reaction::Tell(Told::Failed),
        _ => Reaction::Retry,
    },
    any_length: false,
    ..JAVA_4
};

/// See the head of this file.
pub const SARAMA_1430_REPAIRED: Policy = Policy {
    name: "sarama-1430-repaired",
    about: "a refused batch fails and the epoch is raised",
    source: "IBM/sarama PR 1661",
    on_refusal: bump_on_failure,
    any_length: false,
    ..JAVA_4
};

fn bump_on_failure(refused: &Refused) -> Reaction {
    match refused.refusal {
        Refusal::RefusedBefore => Reaction::TellAndBump(Told::Failed),
        _ => java_4::on_refusal(refused),
    }
}
