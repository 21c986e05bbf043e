//! Rule **buffering**: like strict, but a batch from the future is kept until the gap
//! before it is filled, and answered then (S2.5).
//!
//! No Kafka broker does this. It costs memory for up to a whole in-flight set for each
//! producer, and an answer that may never come while the gap stays open; what it gives is
//! that a client sees no out-of-order error for a batch that was merely overtaken.

use crate::broker::{read_to_the_end, remember, stutter, Broker};
use crate::message::{Refusal, Request, Sequences};

use super::{kafka_4, whole_window, Rule, Ruling, Verdict};

const UNKNOWN: &str = "unknown producer, starts at 0";
const FUTURE: &str = "beyond the next sequence: kept";

/// See the head of this file.
pub const BUFFERING: Rule = Rule {
    name: "buffering",
    about: "strict, but a batch from the future is kept until the gap is filled",
    source: "S2.5 (an article's description; no Kafka broker)",
    decide,
    branches: &[
        UNKNOWN,
        FUTURE,
        "exact match in the window",
        "epoch below the current one",
        "new epoch, starts at 0",
        "next in sequence",
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
    if !broker.known {
        return if sequences.same(request.sequence, 0) {
            Ruling::new(Verdict::Append, UNKNOWN)
        } else {
            Ruling::new(Verdict::Hold, FUTURE)
        };
    }
    let ruling = kafka_4::decide_known(broker, request, sequences);
    let from_the_future = request.epoch > broker.epoch
        || (request.epoch == broker.epoch
            && sequences.is_beyond(request.sequence, broker.last_sequence));
    if from_the_future && ruling.verdict == Verdict::Reject(Refusal::OutOfOrder) {
        return Ruling::new(Verdict::Hold, FUTURE);
    }
    ruling
}
