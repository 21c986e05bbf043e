//! Rule **kafka-2.1**: the first offset of a remembered batch is computed from its sequences
//! as if they did not wrap.
//!
//! 1. A batch of two records has the last and the first sequence there is. "Last minus
//!    first" is negative.
//! 2. The broker remembers the last offset, and that difference instead of the count.
//! 3. The retry is found by its sequences and answered with last offset minus difference:
//!    far behind where the batch stands.
//!
//! Source: KAFKA-7692 (fixed in 2.1.1 and 2.2.0); known-faults B05.

use crate::broker::{Broker, Cached};
use crate::message::{Place, Request, Sequences, Small};
use crate::rules::{find_duplicate, kafka_4, Rule, Ruling, Verdict, KAFKA_4};

/// See the head of this file.
pub const KAFKA_2_1: Rule = Rule {
    name: "kafka-2.1",
    about: "kafka-4, but a duplicate's offset is computed from sequences as if they did not wrap",
    source: "Apache Kafka 1.0–2.1.0 (KAFKA-7692)",
    decide,
    any_length: false,
    ..KAFKA_4
};

fn decide(broker: &Broker, request: &Request, sequences: Sequences) -> Ruling {
    let ruling = kafka_4::decide(broker, request, sequences);
    match (ruling.verdict, find_duplicate(broker, request, sequences)) {
        (Verdict::Duplicate(_), Some(cached)) => {
            let first_offset = first_offset(cached, sequences);
            Ruling::new(Verdict::Duplicate(Place::At(first_offset)), ruling.branch)
        }
        _ => ruling,
    }
}

fn first_offset(cached: &Cached, sequences: Sequences) -> Small {
    let last_offset = cached.offset + (cached.last - cached.first);
    let difference = sequences.on_wire(cached.last) - sequences.on_wire(cached.first);
    last_offset - difference
}
