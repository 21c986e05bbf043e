//! Rule **crabka**: one entry for each producer, and its offset for whatever is a duplicate.
//!
//! A batch at or below the last sequence is a duplicate, answered with the offset of the
//! newest batch. A new epoch may start anywhere.
//!
//! 1. Two batches are written, both answers lost.
//! 2. The retry of the first is answered with the offset of the second.
//! 3. The application is told that the first record stands where the second does.
//!
//! Source: crabka, first version; known-faults, table of designs.

use crate::broker::{read_to_the_end, remember, stutter, Broker};
use crate::message::{Place, Refusal, Request, Sequences};
use crate::rules::{Rule, Ruling, Verdict};

const UNKNOWN: &str = "unknown producer, any first sequence";
const AT_OR_BELOW: &str = "at or below the last sequence";
const STALE: &str = "epoch below the current one";
const NEW_EPOCH: &str = "new epoch, any first sequence";
const NEXT: &str = "next in sequence";
const GAP: &str = "beyond the next sequence";

/// See the head of this file.
pub const CRABKA: Rule = Rule {
    name: "crabka",
    about: "one entry: at or below the last sequence is a duplicate at the newest offset",
    source: "crabka, first version",
    decide,
    branches: &[UNKNOWN, AT_OR_BELOW, STALE, NEW_EPOCH, NEXT, GAP],
    capacity: |_window| 1,
    remember,
    on_reject: stutter,
    on_restart: Broker::restart,
    on_expiry: Broker::forget,
    on_recovery: read_to_the_end,
    any_length: false,
};

fn decide(broker: &Broker, request: &Request, sequences: Sequences) -> Ruling {
    if !broker.known {
        return Ruling::new(Verdict::Append, UNKNOWN);
    }
    if request.epoch < broker.epoch {
        return Ruling::new(Verdict::Reject(Refusal::StaleEpoch), STALE);
    }
    if request.epoch > broker.epoch {
        return Ruling::new(Verdict::Append, NEW_EPOCH);
    }
    if sequences.follows(broker.last_sequence, request.sequence) {
        return Ruling::new(Verdict::Append, NEXT);
    }
    if sequences.is_beyond(request.sequence, broker.last_sequence) {
        return Ruling::out_of_order(GAP);
    }
    let newest = broker.window.as_slice().last();
    let place = newest.map_or(Place::Unnamed, |cached| Place::At(cached.offset));
    Ruling::new(Verdict::Duplicate(place), AT_OR_BELOW)
}
