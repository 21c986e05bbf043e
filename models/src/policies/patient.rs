//! Policies **patient**, **modular** and **hardened**: what would close the client's holes.
//!
//! *patient* gives a batch a new identity only if no copy of it is in the log or on its way:
//! an epoch bump waits until every earlier batch is decided and every answer is read. A
//! batch of which a copy may still get anywhere keeps its identity to the end; if that
//! cannot be, the application is told that nothing is known of it. Only a batch that is
//! nowhere can be cancelled. So nothing of the old epoch that is sent again under the new
//! one can still be written, whatever old connections deliver. *modular* compares sequences
//! by the order of sending where they wrap, and takes a new producer id along when the last
//! epoch is used up. *hardened* is both.
//!
//! Source: ours; kafka-facts "What would close them".

use crate::message::Refusal;
use crate::producer::Told;

use super::{
    java_4, unknown_unless_nowhere, Cancels, Comparison, Exhausted, LateAnswers, Policy, Reaction,
    Refused, Renumbers, JAVA_4,
};

/// See the head of this file.
pub const PATIENT: Policy = Policy {
    name: "patient",
    about:
        "java-4, but only batches that are nowhere get a new identity; of others nothing is known",
    source: "ours (closes H4, H5)",
    on_refusal,
    renumbers: Renumbers::WhatIsNowhere,
    timed_out: unknown_unless_nowhere,
    waits_when_unresolved: false,
    late_answers: LateAnswers::Ignored,
    cancels: Cancels::WhatIsNowhere,
    tracks_fate: true,
    ..JAVA_4
};

/// See the head of this file.
pub const MODULAR: Policy = Policy {
    name: "modular",
    about:
        "java-4, but sequences are compared across the wrap, and a new id replaces a used-up one",
    source: "ours (closes H8, H9)",
    comparison: Comparison::Modular,
    exhausted: Exhausted::RenewsId,
    ..JAVA_4
};

/// See the head of this file.
pub const HARDENED: Policy = Policy {
    name: "hardened",
    about: "patient and modular together",
    source: "ours (closes H4, H5, H8, H9)",
    comparison: Comparison::Modular,
    exhausted: Exhausted::RenewsId,
    ..PATIENT
};

fn on_refusal(refused: &Refused) -> Reaction {
    match refused.refusal {
        refusal if refusal.is_retriable() => Reaction::Retry,
        // Its number is as good as any as long as an earlier batch is undecided.
        Refusal::OutOfOrder | Refusal::UnknownProducer if !refused.head_of_line => Reaction::Retry,
        Refusal::OutOfOrder | Refusal::UnknownProducer if refused.maybe_written => {
            Reaction::TellAndBump(Told::Unknown)
        }
        Refusal::OutOfOrder | Refusal::UnknownProducer => Reaction::BumpAndRetry,
        Refusal::TooLarge if refused.several_records && !refused.maybe_written => Reaction::Split,
        _ if refused.maybe_written => Reaction::TellAndBump(Told::Unknown),
        _ => java_4::on_refusal(refused),
    }
}
