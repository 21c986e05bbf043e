//! Rule **redpanda-3039**: no lookup of duplicates; an exact retry is out of order.
//!
//! 1. A batch is written, its answer lost.
//! 2. The retry is out of order: the broker knows the last sequence and nothing else.
//! 3. A client that takes this for a loss raises its epoch and sends the batch again: a
//!    legal new batch, and the record stands twice.
//!
//! It looks at sequences as kafka-4 does, and appends nothing at or below the last: worlds
//! of any length are faithful to it.
//!
//! Source: redpanda issues 3038 and 3039, PR 3040 and 3077; Jepsen, Redpanda 21.10.1;
//! known-faults R01.

use crate::broker::Broker;
use crate::message::{Request, Sequences};
use crate::rules::{kafka_4, Rule, Ruling, Verdict, KAFKA_4};

const LAST_AGAIN: &str = "a duplicate, not looked up";

/// See the head of this file.
pub const REDPANDA_3039: Rule = Rule {
    name: "redpanda-3039",
    about: "kafka-4, but an exact retry is out of order",
    source: "redpanda issue 3039 (up to 21.10.1)",
    decide,
    branches: &[
        "unknown producer, any first sequence",
        LAST_AGAIN,
        "epoch below the current one",
        "new epoch, starts at 0",
        "new epoch, does not start at 0",
        "next in sequence",
        "beyond the next sequence",
        "at or below the last sequence, not in the window",
    ],
    any_length: true,
    ..KAFKA_4
};

fn decide(broker: &Broker, request: &Request, sequences: Sequences) -> Ruling {
    let ruling = kafka_4::decide(broker, request, sequences);
    match ruling.verdict {
        Verdict::Duplicate(_) => Ruling::out_of_order(LAST_AGAIN),
        _ => ruling,
    }
}
