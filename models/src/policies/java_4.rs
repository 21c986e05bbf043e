//! Policy **java-4**: the Java client 2.5 to 4.x, idempotent part.
//!
//! Out of order for the batch that follows directly on the highest acknowledged one means
//! that the broker lost or never had something: the client raises its epoch by itself
//! (KIP-360) and renumbers all undecided batches from 0, in order. Out of order for any
//! other batch, or for one that was renumbered since that request left, is retried as it
//! is. A stale epoch fails the batch for good and asks for a bump. Only the lowest
//! undecided batch is retried, one at a time.
//!
//! Source: `TransactionManager.canRetry`, `handleFailedBatch`,
//! `Sender.failBatch`, `RecordAccumulator.shouldStopDrainBatchesForPartition` at 4.3.1.

use crate::message::Refusal;

use super::{
    by_record, from_zero_in_order, keep_identity, lowest_undecided, nothing_more, Policy, Reaction,
    Refused,
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
    any_length: true,
};

fn on_refusal(refused: &Refused) -> Reaction {
    match refused.refusal {
        Refusal::StaleEpoch => Reaction::FailAndBump,
        Refusal::UnknownProducer if refused.rewritten => Reaction::Retry,
        Refusal::UnknownProducer => Reaction::BumpAndRetry,
        Refusal::OutOfOrder if refused.rewritten || !refused.next_expected => Reaction::Retry,
        Refusal::OutOfOrder => Reaction::BumpAndRetry,
    }
}
