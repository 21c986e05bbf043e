//! Rule **tansu**: one counter for each producer and partition, in one epoch.
//!
//! The batch at the counter is written. A lower one is DUPLICATE_SEQUENCE_NUMBER, which
//! names no offset and which clients take as success; a higher one is out of order. A newer
//! epoch is refused like an older one, a producer without state starts at 0, and the
//! counter never wraps.
//!
//! 1. The last sequence there is has been written. The next batch has sequence 0.
//! 2. That is lower than the counter: a duplicate.
//! 3. The record is acknowledged and written nowhere, and so is every one after it.
//!
//! Source: nisshi-storage (formerly tansu) at 939be10, read from source; known-faults N01
//! and the table of designs.

use crate::broker::{read_to_the_end, remember, stutter, Broker};
use crate::message::{Place, Refusal, Request, Sequences};
use crate::rules::{Rule, Ruling, Verdict};

const NEXT: &str = "at the counter";
const LOWER: &str = "below the counter";
const HIGHER: &str = "beyond the counter";
const OTHER_EPOCH: &str = "another epoch";

/// See the head of this file.
pub const TANSU: Rule = Rule {
    name: "tansu",
    about: "one counter: lower is a duplicate without an offset, another epoch is refused",
    source: "nisshi, formerly tansu, at 939be10",
    decide,
    branches: &[NEXT, LOWER, HIGHER, OTHER_EPOCH],
    capacity: |_window| 0,
    remember,
    on_reject: stutter,
    on_restart: Broker::restart,
    on_expiry: Broker::forget,
    on_recovery: read_to_the_end,
    any_length: false,
};

fn decide(broker: &Broker, request: &Request, sequences: Sequences) -> Ruling {
    if broker.known && request.epoch != broker.epoch {
        return Ruling::new(Verdict::Reject(Refusal::StaleEpoch), OTHER_EPOCH);
    }
    let last = if broker.known {
        sequences.on_wire(broker.last_sequence)
    } else {
        -1
    };
    let sequence = sequences.on_wire(request.sequence);
    if sequence == last + 1 {
        Ruling::new(Verdict::Append, NEXT)
    } else if sequence > last {
        Ruling::out_of_order(HIGHER)
    } else {
        Ruling::new(Verdict::Duplicate(Place::Unnamed), LOWER)
    }
}
