//! Policy **fluss-2826-repaired**: out of order at or below the highest acknowledged
//! sequence is a success.
//!
//! 1. Batch 0 is written, its answer lost or an error; batches behind it are written and
//!    acknowledged, until 0 has left the broker's window.
//! 2. The retry of 0 is out of order, for ever (java-4: "not the next expected", retry).
//! 3. But a later batch can only be acknowledged if 0 is in the log. The repaired client
//!    takes the answer for what it means.
//!
//! Step 3 needs a broker that takes only 0 from a producer it does not know, as Fluss does.
//! Apache Kafka 2.5 to 4.4 takes any first sequence: there a later batch can be written and
//! acknowledged before 0 is, and the repaired client acknowledges a record that is nowhere
//! (see the defect fluss-2826-at-kafka-4).
//!
//! Source: apache/fluss issue 2826, PR 2827; apache/fluss-rust issue 447, PR 448;
//! known-faults B02.

use crate::message::{Place, Refusal};
use crate::policies::{java_4, Policy, Reaction, Refused, JAVA_4};
use crate::producer::Told;

/// See the head of this file.
pub const FLUSS_2826_REPAIRED: Policy = Policy {
    name: "fluss-2826-repaired",
    about: "java-4, but out of order below an acknowledged batch is a success",
    source: "apache/fluss PR 2827",
    on_refusal,
    any_length: false,
    ..JAVA_4
};

fn on_refusal(refused: &Refused) -> Reaction {
    match refused.refusal {
        Refusal::OutOfOrder if refused.below_acked => {
            Reaction::Tell(Told::Acknowledged(Place::Unnamed))
        }
        _ => java_4::on_refusal(refused),
    }
}
