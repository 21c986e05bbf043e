//! Rule **helix**: a window by first sequences, which takes gaps up to five and whatever
//! lies below it.
//!
//! A batch whose first sequence is in the window is a duplicate. One beyond the next
//! sequence is written if it is at most five beyond. One below the window is written too. A
//! new epoch may start anywhere, and so may a producer without state.
//!
//! 1. Two batches are in flight. The first is refused before anything is done.
//! 2. The second has a gap before it, and is written.
//! 3. The first is sent again: not in the window, and below it, so it is written behind the
//!    second.
//!
//! Source: helix, 2026-01; known-faults, table of designs.

use crate::broker::{read_to_the_end, remember, stutter, Broker};
use crate::message::{Place, Refusal, Request, Sequences, Small};
use crate::rules::{Rule, Ruling, Verdict};

/// How far beyond the next sequence a batch may lie.
const MAX_GAP: Small = 5;

const UNKNOWN: &str = "unknown producer, any first sequence";
const IN_WINDOW: &str = "first sequence in the window";
const STALE: &str = "epoch below the current one";
const NEW_EPOCH: &str = "new epoch, any first sequence";
const NEXT: &str = "next in sequence";
const SMALL_GAP: &str = "up to five beyond the next sequence";
const GAP: &str = "more than five beyond the next sequence";
const BELOW: &str = "not in the window, below the next sequence";

/// See the head of this file.
pub const HELIX: Rule = Rule {
    name: "helix",
    about: "window by first sequence; gaps up to five and what lies below the window are written",
    source: "helix, 2026-01",
    decide,
    branches: &[
        UNKNOWN, IN_WINDOW, STALE, NEW_EPOCH, NEXT, SMALL_GAP, GAP, BELOW,
    ],
    capacity: |window| window,
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
    let mut window = broker.window.iter();
    if let Some(cached) = window.find(|cached| sequences.same(cached.first, request.sequence)) {
        return Ruling::new(Verdict::Duplicate(Place::At(cached.offset)), IN_WINDOW);
    }
    let next = sequences.on_wire(broker.last_sequence) + 1;
    let sequence = sequences.on_wire(request.sequence);
    match sequence - next {
        0 => Ruling::new(Verdict::Append, NEXT),
        1..=MAX_GAP => Ruling::new(Verdict::Append, SMALL_GAP),
        gap if gap > MAX_GAP => Ruling::out_of_order(GAP),
        _ => Ruling::new(Verdict::Append, BELOW),
    }
}
