//! Rule **kafka-4**: Apache Kafka 2.5 to 4.4.
//!
//! A duplicate is an exact match of first and last sequence in the window of the current
//! epoch; it is looked up before anything is refused. Then: a lower epoch is refused, a
//! higher one must start at 0, the same one must go on at last + 1. A producer without
//! state may start anywhere (KIP-360).
//!
//! Source: `UnifiedLog.analyzeAndValidateProducerState`,
//! `ProducerStateEntry.findDuplicateBatch`, `ProducerAppendInfo` at 4.3.1.

use crate::broker::{read_to_the_end, remember, stutter, Broker};
use crate::message::{Place, Refusal, Request, Sequences};

use super::{find_duplicate, whole_window, Rule, Ruling, Verdict};

const UNKNOWN: &str = "unknown producer, any first sequence";
const IN_WINDOW: &str = "exact match in the window";
const STALE: &str = "epoch below the current one";
const NEW_EPOCH: &str = "new epoch, starts at 0";
const NEW_EPOCH_NOT_0: &str = "new epoch, does not start at 0";
const NEXT: &str = "next in sequence";
const GAP: &str = "beyond the next sequence";
const BELOW: &str = "at or below the last sequence, not in the window";

/// See the head of this file.
pub const KAFKA_4: Rule = Rule {
    name: "kafka-4",
    about: "window of exact matches, older or beyond is out of order, unknown producers may start anywhere",
    source: "Apache Kafka 2.5–4.4 (KIP-98, KIP-360)",
    decide,
    branches: &[
        UNKNOWN, IN_WINDOW, STALE, NEW_EPOCH, NEW_EPOCH_NOT_0, NEXT, GAP, BELOW,
    ],
    capacity: whole_window,
    remember,
    on_reject: stutter,
    on_restart: Broker::restart,
    on_expiry: Broker::forget,
    on_recovery: read_to_the_end,
    any_length: true,
};

pub(super) fn decide(broker: &Broker, request: &Request, sequences: Sequences) -> Ruling {
    if !broker.known {
        return Ruling::new(Verdict::Append, UNKNOWN);
    }
    decide_known(broker, request, sequences)
}

/// The decision on a producer that the broker has state for.
pub(super) fn decide_known(broker: &Broker, request: &Request, sequences: Sequences) -> Ruling {
    if request.epoch == broker.epoch {
        if let Some(original) = find_duplicate(broker, request, sequences) {
            return Ruling::new(Verdict::Duplicate(Place::At(original.offset)), IN_WINDOW);
        }
    }
    if request.epoch < broker.epoch {
        return Ruling::new(Verdict::Reject(Refusal::StaleEpoch), STALE);
    }
    if request.epoch > broker.epoch {
        return if sequences.same(request.sequence, 0) {
            Ruling::new(Verdict::Append, NEW_EPOCH)
        } else {
            Ruling::out_of_order(NEW_EPOCH_NOT_0)
        };
    }
    if sequences.follows(broker.last_sequence, request.sequence) {
        Ruling::new(Verdict::Append, NEXT)
    } else if sequences.is_beyond(request.sequence, broker.last_sequence) {
        Ruling::out_of_order(GAP)
    } else {
        Ruling::out_of_order(BELOW)
    }
}
