//! Rule **strict**: like kafka-4, but a producer without state must start at 0.
//!
//! Shipped by no broker for idempotent producers; apache/kafka PR 22619 (KAFKA-19880)
//! proposes it. Refuses with OUT_OF_ORDER_SEQUENCE_NUMBER, as a transactional batch is
//! since 4.1 (KAFKA-18202).

use crate::broker::{read_to_the_end, remember, stutter, Broker};
use crate::message::{Request, Sequences};

use super::{kafka_4, whole_window, Rule, Ruling, Verdict};

const UNKNOWN: &str = "unknown producer, starts at 0";
pub(super) const UNKNOWN_NOT_0: &str = "unknown producer, does not start at 0";

/// See the head of this file.
pub const STRICT: Rule = Rule {
    name: "strict",
    about: "kafka-4, but an unknown producer must start at 0",
    source: "proposed: KAFKA-19880; for transactions v2 since 4.1 (KAFKA-18202)",
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
        Ruling::out_of_order(UNKNOWN_NOT_0)
    }
}
