//! Policy **java-4**: the Java client 2.5 to 4.x, idempotent part.
//!
//! Out of order for the batch that follows directly on the highest acknowledged one means
//! that the broker lost or never had something: the client raises its epoch by itself
//! (KIP-360) and renumbers all undecided batches from 0, in order. Out of order for any
//! other batch, or for one that was renumbered since that request left, is retried as it
//! is. While a batch that ran out of time leaves the partition unresolved, only the batch
//! right behind it asks for a bump. What is not retriable, a stale epoch among it, fails the
//! batch for good and asks for a bump; a batch that is too large is split. Only the lowest
//! undecided batch is retried, one at a time. The success of a batch that ran out of time
//! counts as acknowledged all the same.
//!
//! Source: `TransactionManager.canRetry`, `handleFailedBatch`, `maybeResolveSequences`,
//! `Sender.failBatch`, `RecordAccumulator.shouldStopDrainBatchesForPartition` at 4.3.1.

use crate::message::Refusal;
use crate::producer::Told;

use super::{
    by_record, failed, from_zero_in_order, keep_identity, lowest_undecided, nothing_else,
    nothing_more, BumpReaches, Cancels, Comparison, Exhausted, LateAnswers, Policy, Reaction,
    Refused, Renumbers,
};

/// See the head of this file.
pub const JAVA_4: Policy = Policy {
    name: "java-4",
    about:
        "out of order for the next expected batch raises the epoch and renumbers, otherwise retry",
    source: "Java client 2.5–4.x (KIP-360)",
    idempotent: true,
    on_refusal,
    pick_retry: lowest_undecided,
    match_reply: by_record,
    sequence_step: 1,
    before_resend: keep_identity,
    renumber: from_zero_in_order,
    after_disconnect: nothing_more,
    after_send: nothing_more,
    after_bump: nothing_else,
    after_reply: nothing_else,
    after_timeout: nothing_else,
    spare_span: 0,
    comparison: Comparison::Plain,
    renumbers: Renumbers::AtOnce,
    exhausted: Exhausted::LosesIdentity,
    bump_reaches: BumpReaches::OnePartition,
    idle_partition_restarts: true,
    timed_out: failed,
    waits_when_unresolved: true,
    late_answers: LateAnswers::Heeded,
    cancels: Cancels::Never,
    tracks_fate: false,
    any_length: true,
};

pub(super) fn on_refusal(refused: &Refused) -> Reaction {
    match refused.refusal {
        refusal if refusal.is_retriable() => Reaction::Retry,
        Refusal::TooLarge if refused.several_records => Reaction::Split,
        Refusal::UnknownProducer if refused.rewritten => Reaction::Retry,
        Refusal::UnknownProducer => Reaction::BumpAndRetry,
        Refusal::OutOfOrder => out_of_order(refused),
        _ => Reaction::TellAndBump(Told::Failed),
    }
}

fn out_of_order(refused: &Refused) -> Reaction {
    let asks_for_bump = match refused.unresolved {
        Some(next_after_it) => next_after_it,
        None => refused.next_expected && !refused.rewritten,
    };
    if asks_for_bump {
        Reaction::BumpAndRetry
    } else {
        Reaction::Retry
    }
}
