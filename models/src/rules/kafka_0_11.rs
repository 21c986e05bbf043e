//! Rule **kafka-0.11**: Apache Kafka 0.11.
//!
//! Only the last batch is remembered; its exact copy is answered
//! DUPLICATE_SEQUENCE_NUMBER (46), which names no offset. Anything else that does not go
//! on at last + 1 is out of order, and so is a first batch that does not start at 0. The
//! client of that release was held to one request in flight.
//!
//! Source: `ProducerStateManager` at 0.11.0; KIP-98.

use crate::broker::{read_to_the_end, remember, stutter, Broker};
use crate::message::{Place, Refusal, Request, Sequences};

use super::{find_duplicate, Rule, Ruling, Verdict};

const UNKNOWN: &str = "unknown producer, starts at 0";
const UNKNOWN_NOT_0: &str = "unknown producer, does not start at 0";
const LAST_AGAIN: &str = "the last batch again";
const STALE: &str = "epoch below the current one";
const NEW_EPOCH: &str = "new epoch, starts at 0";
const NEW_EPOCH_NOT_0: &str = "new epoch, does not start at 0";
const NEXT: &str = "next in sequence";
const GAP: &str = "beyond the next sequence";
const BELOW: &str = "below the last batch";

/// See the head of this file.
pub const KAFKA_0_11: Rule = Rule {
    name: "kafka-0.11",
    about: "remembers the last batch only; its copy is DUPLICATE_SEQUENCE_NUMBER without an offset",
    source: "Apache Kafka 0.11 (KIP-98)",
    decide,
    branches: &[
        UNKNOWN,
        UNKNOWN_NOT_0,
        LAST_AGAIN,
        STALE,
        NEW_EPOCH,
        NEW_EPOCH_NOT_0,
        NEXT,
        GAP,
        BELOW,
    ],
    capacity: last_batch,
    remember,
    on_reject: stutter,
    on_restart: Broker::restart,
    on_expiry: Broker::forget,
    on_recovery: read_to_the_end,
    any_length: true,
};

fn last_batch(_window: usize) -> usize {
    1
}

fn decide(broker: &Broker, request: &Request, sequences: Sequences) -> Ruling {
    if !broker.known {
        return if sequences.same(request.sequence, 0) {
            Ruling::new(Verdict::Append, UNKNOWN)
        } else {
            Ruling::out_of_order(UNKNOWN_NOT_0)
        };
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
    if find_duplicate(broker, request, sequences).is_some() {
        return Ruling::new(Verdict::Duplicate(Place::Unnamed), LAST_AGAIN);
    }
    if sequences.follows(broker.last_sequence, request.sequence) {
        Ruling::new(Verdict::Append, NEXT)
    } else if sequences.is_beyond(request.sequence, broker.last_sequence) {
        Ruling::out_of_order(GAP)
    } else {
        Ruling::out_of_order(BELOW)
    }
}
