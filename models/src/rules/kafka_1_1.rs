//! Rule **kafka-1.1**: Apache Kafka 1.1 to 2.4.
//!
//! As kafka-4 for a producer with state: a duplicate older than the window is out of order
//! (KAFKA-6683 took the test for it out). A producer without state must start at 0, or is
//! answered UNKNOWN_PRODUCER_ID. Up to 2.3 the state goes when the log start offset passes
//! it (KAFKA-7190): forgetting is the condition `expiries`.

use crate::broker::{read_to_the_end, remember, stutter, Broker};
use crate::message::{Refusal, Request, Sequences};

use super::{kafka_4, whole_window, Rule, Ruling, Verdict};

const UNKNOWN: &str = "unknown producer, starts at 0";
const UNKNOWN_NOT_0: &str = "unknown producer, does not start at 0";

/// See the head of this file.
pub const KAFKA_1_1: Rule = Rule {
    name: "kafka-1.1",
    about: "kafka-4, but an unknown producer must start at 0, or is UNKNOWN_PRODUCER_ID",
    source: "Apache Kafka 1.1–2.4 (KAFKA-6683)",
    decide,
    branches: &[
        UNKNOWN,
        UNKNOWN_NOT_0,
        "exact match in the window",
        "epoch below the current one",
        "new epoch, starts at 0",
        "new epoch, does not start at 0",
        "next in sequence",
        "beyond the next sequence",
        "at or below the last sequence, not in the window",
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
    if broker.known {
        return kafka_4::decide_known(broker, request, sequences);
    }
    if sequences.same(request.sequence, 0) {
        Ruling::new(Verdict::Append, UNKNOWN)
    } else {
        Ruling::new(Verdict::Reject(Refusal::UnknownProducer), UNKNOWN_NOT_0)
    }
}
