//! Rule **kafka-1.1**: Apache Kafka 1.1 to 2.4.
//!
//! As kafka-4 for a producer with state: a duplicate older than the window is out of order
//! (KAFKA-6683 took the test for it out). A producer without state must start at 0, or is
//! answered UNKNOWN_PRODUCER_ID. Up to 2.3 the state goes when the log start offset passes
//! it (KAFKA-7190): forgetting is the condition `expiries`.

use crate::broker::Broker;
use crate::message::{Refusal, Request, Sequences};

use super::strict::UNKNOWN_NOT_0;
use super::{Rule, Ruling, Verdict, STRICT};

/// See the head of this file.
pub const KAFKA_1_1: Rule = Rule {
    name: "kafka-1.1",
    about: "kafka-4, but an unknown producer must start at 0, or is UNKNOWN_PRODUCER_ID",
    source: "Apache Kafka 1.1–2.4 (KAFKA-6683)",
    decide,
    ..STRICT
};

fn decide(broker: &Broker, request: &Request, sequences: Sequences) -> Ruling {
    let ruling = (STRICT.decide)(broker, request, sequences);
    match ruling.branch {
        UNKNOWN_NOT_0 => Ruling::new(Verdict::Reject(Refusal::UnknownProducer), UNKNOWN_NOT_0),
        _ => ruling,
    }
}
