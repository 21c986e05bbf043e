//! Rule **kafka-4.5**: Apache Kafka 4.5 and later (KAFKA-15591).
//!
//! As kafka-4, but where the log never held a record of the partition, a producer without
//! state must start at 0.
//!
//! Source: apache/kafka PR 23234, merged 2026-08-21. In the models one producer writes a
//! partition, or the log counts as used as soon as this producer wrote to it.

use crate::broker::{read_to_the_end, remember, stutter, Broker};
use crate::message::{Request, Sequences};

use super::{kafka_4, whole_window, Rule, Ruling, Verdict};

const EMPTY: &str = "empty log, starts at 0";
const EMPTY_NOT_0: &str = "empty log, does not start at 0";

/// See the head of this file.
pub const KAFKA_4_5: Rule = Rule {
    name: "kafka-4.5",
    about: "kafka-4, but into a log that never held a record an unknown producer starts at 0",
    source: "Apache Kafka 4.5 (KAFKA-15591)",
    decide,
    branches: &[
        EMPTY,
        EMPTY_NOT_0,
        "unknown producer, any first sequence",
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
    if broker.known || broker.log_used {
        return kafka_4::decide(broker, request, sequences);
    }
    if sequences.same(request.sequence, 0) {
        Ruling::new(Verdict::Append, EMPTY)
    } else {
        Ruling::out_of_order(EMPTY_NOT_0)
    }
}
