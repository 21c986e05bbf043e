//! Policy **stop**: a refusal at the head of the line is fatal (librdkafka; the Java
//! client up to 2.4).
//!
//! The batch at the head is reported as failed, the producer sends nothing any more, and
//! what else was on its way is reported as unknown (librdkafka: "possibly persisted").
//! A refusal of a later batch is retried.
//!
//! Source: librdkafka 2.15 `rd_kafka_handle_Produce_error`; Java client 2.4
//! `Sender.canRetry`.

use crate::producer::Told;

use super::{unknown_unless_nowhere, LateAnswers, Policy, Reaction, Refused, JAVA_4};

/// See the head of this file.
pub const STOP: Policy = Policy {
    name: "stop",
    about: "out of order at the head of the line is fatal: the producer stops",
    source: "librdkafka 2.15; Java client up to 2.4",
    on_refusal,
    timed_out: unknown_unless_nowhere,
    waits_when_unresolved: false,
    late_answers: LateAnswers::Ignored,
    tracks_fate: true,
    ..JAVA_4
};

fn on_refusal(refused: &Refused) -> Reaction {
    if refused.refusal.is_retriable() || !refused.head_of_line {
        Reaction::Retry
    } else {
        Reaction::Stop(Told::Failed)
    }
}
