//! Rule **kfake**: a duplicate is answered without its offset, which then reads 0.
//!
//! 1. Batches 0 and 1 are written at offsets 0 and 1; the answer to 1 is lost.
//! 2. The retry of 1 is found in the window and answered "no error", with the default value
//!    where the offset belongs.
//! 3. The application is told that record 1 stands at offset 0.
//!
//! Source: twmb/franz-go commit dced7214 (kfake, the client's test broker); known-faults F02.

use crate::broker::Broker;
use crate::message::{Place, Request, Sequences};
use crate::rules::{kafka_4, Rule, Ruling, Verdict, KAFKA_4};

/// See the head of this file.
pub const KFAKE: Rule = Rule {
    name: "kfake",
    about: "kafka-4, but a duplicate is answered with offset 0",
    source: "twmb/franz-go before commit dced7214",
    decide,
    any_length: false,
    ..KAFKA_4
};

fn decide(broker: &Broker, request: &Request, sequences: Sequences) -> Ruling {
    let ruling = kafka_4::decide(broker, request, sequences);
    match ruling.verdict {
        Verdict::Duplicate(_) => Ruling::new(Verdict::Duplicate(Place::At(0)), ruling.branch),
        _ => ruling,
    }
}
