//! Which worlds can be played on Apache Kafka as it is.

use retryproof_models::conditions::{
    AppendOrder, Conditions, Expiry, Fault, Replicas, RestartKeeps, Validation,
};
use retryproof_models::policies::JAVA_4;
use retryproof_models::rules::KAFKA_4;

/// How many batches Kafka remembers of each producer.
pub const KAFKAS_WINDOW: usize = 5;

/// Why a world cannot be played on Apache Kafka; `None` if it can.
pub fn why_not(conditions: &Conditions) -> Option<&'static str> {
    let reasons = [
        (
            conditions.rule != &KAFKA_4 || conditions.client != &JAVA_4,
            "it is about another broker or client",
        ),
        (
            conditions.capacity() > KAFKAS_WINDOW,
            "Kafka remembers five batches, a constant",
        ),
        (
            !matches!(
                conditions.restart_keeps,
                RestartKeeps::Last | RestartKeeps::Nothing
            ),
            "a restart of Kafka keeps the newest batch of each producer",
        ),
        (
            conditions.append_order != AppendOrder::WriteFirst,
            "Kafka writes the log first",
        ),
        (
            conditions.has(Fault::AppendFailure),
            "a disk that fails half way is not scripted",
        ),
        (
            conditions.validation != Validation::BeforeLookup,
            "Kafka validates before it looks for duplicates",
        ),
        (
            conditions.replicas != Replicas::Copy,
            "followers of Kafka do not judge",
        ),
        (
            conditions.expiry != Expiry::ClientTime && conditions.has(Fault::Expiry),
            "producers of Kafka expire by the timestamps of their records",
        ),
    ];
    reasons
        .into_iter()
        .find_map(|(is_so, reason)| is_so.then_some(reason))
}

/// Whether Kafka's window must be cut short for this world: a what-if on the real code.
pub fn cuts_window(conditions: &Conditions) -> bool {
    conditions.capacity() < KAFKAS_WINDOW
}
