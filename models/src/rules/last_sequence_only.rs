//! Rule **last-sequence-only**: the rule as an article on the idempotent producer states
//! it (S2.3), with one number of state.
//!
//! Last + 1 is appended, anything at or below the last sequence is acknowledged without
//! writing, anything beyond is refused. With nothing but the last sequence the broker
//! cannot say where a duplicate stands, so its answer names no offset. A producer without
//! state starts from last = −1. The text is silent on epochs: a higher one must start at
//! 0 and a lower one is refused, as everywhere else.

use crate::broker::{read_to_the_end, remember, stutter, Broker};
use crate::message::{Place, Refusal, Request, Sequences};

use super::{Rule, Ruling, Verdict};

const NEXT: &str = "next in sequence";
const AT_OR_BELOW: &str = "at or below the last sequence";
const GAP: &str = "beyond the next sequence";
const STALE: &str = "epoch below the current one";
const NEW_EPOCH: &str = "new epoch, starts at 0";
const NEW_EPOCH_NOT_0: &str = "new epoch, does not start at 0";

/// See the head of this file.
pub const LAST_SEQUENCE_ONLY: Rule = Rule {
    name: "last-sequence-only",
    about: "no window: at or below the last sequence is acknowledged, without an offset",
    source: "S2.3",
    decide,
    branches: &[NEXT, AT_OR_BELOW, GAP, STALE, NEW_EPOCH, NEW_EPOCH_NOT_0],
    capacity: no_batch,
    remember,
    on_reject: stutter,
    on_restart: Broker::restart,
    on_expiry: Broker::forget,
    on_recovery: read_to_the_end,
    any_length: true,
};

fn no_batch(_window: usize) -> usize {
    0
}

fn decide(broker: &Broker, request: &Request, sequences: Sequences) -> Ruling {
    let (epoch, last_sequence) = if broker.known {
        (broker.epoch, broker.last_sequence)
    } else {
        (request.epoch, -1)
    };
    if request.epoch < epoch {
        return Ruling::new(Verdict::Reject(Refusal::StaleEpoch), STALE);
    }
    if request.epoch > epoch {
        return if sequences.same(request.sequence, 0) {
            Ruling::new(Verdict::Append, NEW_EPOCH)
        } else {
            Ruling::out_of_order(NEW_EPOCH_NOT_0)
        };
    }
    if sequences.follows(last_sequence, request.sequence) {
        Ruling::new(Verdict::Append, NEXT)
    } else if sequences.is_beyond(request.sequence, last_sequence) {
        Ruling::out_of_order(GAP)
    } else {
        Ruling::new(Verdict::Duplicate(Place::Unnamed), AT_OR_BELOW)
    }
}
