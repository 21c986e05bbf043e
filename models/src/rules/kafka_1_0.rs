//! Rule **kafka-1.0**: Apache Kafka 1.0.0 and 1.0.1.
//!
//! A window of five as today, but a batch that lies wholly below the window's first
//! sequence is answered DUPLICATE_SEQUENCE_NUMBER (46), which names no offset and which
//! clients take as success; and an unknown producer must start at 0, else
//! UNKNOWN_PRODUCER_ID (59). KAFKA-6683 (1.0.2, 1.1) took the first away, KIP-360 (2.5)
//! the second.
//!
//! Source: `ProducerStateManager` at 1.0.0; KAFKA-5494.

use crate::broker::{read_to_the_end, remember, stutter, Broker};
use crate::message::{Place, Refusal, Request, Sequences};

use super::{kafka_4, whole_window, Rule, Ruling, Verdict};

const UNKNOWN: &str = "unknown producer, starts at 0";
const UNKNOWN_NOT_0: &str = "unknown producer, does not start at 0";
const BELOW_WINDOW: &str = "wholly below the window";

/// See the head of this file.
pub const KAFKA_1_0: Rule = Rule {
    name: "kafka-1.0",
    about: "window of exact matches, older is DUPLICATE_SEQUENCE_NUMBER without an offset",
    source: "Apache Kafka 1.0.0–1.0.1 (KAFKA-5494)",
    decide,
    branches: &[
        UNKNOWN,
        UNKNOWN_NOT_0,
        BELOW_WINDOW,
        "exact match in the window",
        "epoch below the current one",
        "new epoch, starts at 0",
        "new epoch, does not start at 0",
        "next in sequence",
        "beyond the next sequence",
    ],
    capacity: whole_window,
    remember,
    on_reject: stutter,
    on_restart: Broker::restart,
    on_expiry: Broker::forget,
    on_recovery: read_to_the_end,
    any_length: true,
};

fn decide(broker: &Broker, request: &Request, sequences: Sequences) -> Ruling {
    if !broker.known {
        return if sequences.same(request.sequence, 0) {
            Ruling::new(Verdict::Append, UNKNOWN)
        } else {
            Ruling::new(Verdict::Reject(Refusal::UnknownProducer), UNKNOWN_NOT_0)
        };
    }
    let window_first = broker.window.as_slice().first().map(|cached| cached.first);
    if request.epoch == broker.epoch
        && window_first.is_some_and(|first| sequences.is_beyond(first, request.last_sequence()))
    {
        return Ruling::new(Verdict::Duplicate(Place::Unnamed), BELOW_WINDOW);
    }
    kafka_4::decide_known(broker, request, sequences)
}
