//! The dropped conditions that the fixes are tried against, each at a small size.

use crate::conditions::{Budget, Conditions, ProducerKnown, RestartKeeps};

/// One dropped condition of the guarantee.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disturbance {
    /// The question whose condition is dropped.
    pub question: &'static str,
    /// What happens, in a few words.
    pub name: &'static str,
    /// The world in which it happens, without any fix.
    pub conditions: Conditions,
}

/// Two in flight, a window of two, nothing left over.
const SMALL: Conditions = Conditions {
    in_flight: 2,
    window: 2,
    connections: 1,
    ..Conditions::KAFKA
};

/// The same with one dead connection that may still deliver.
const LEFT_OVER: Conditions = Conditions {
    connections: 2,
    ..SMALL
};

const fn disturbance(
    question: &'static str,
    name: &'static str,
    conditions: Conditions,
) -> Disturbance {
    Disturbance {
        question,
        name,
        conditions,
    }
}

/// All of them, by question.
pub const DISTURBANCES: &[Disturbance] = &[
    disturbance(
        "B1",
        "a restart that keeps the newest batch",
        Conditions {
            restarts: Budget::ONE,
            ..LEFT_OVER
        },
    ),
    disturbance(
        "B1",
        "a restart that keeps nothing",
        Conditions {
            restarts: Budget::ONE,
            restart_keeps: RestartKeeps::Nothing,
            ..LEFT_OVER
        },
    ),
    disturbance(
        "B2",
        "an error after append",
        Conditions {
            errors_after_append: Budget::ONE,
            ..LEFT_OVER
        },
    ),
    disturbance(
        "B3",
        "a refusal before append, new producer",
        Conditions {
            refusals_before_append: Budget::ONE,
            ..LEFT_OVER
        },
    ),
    disturbance(
        "B4",
        "a refusal for good behind an error",
        Conditions {
            fatal_refusals: Budget::ONE,
            errors_after_append: Budget::ONE,
            ..SMALL
        },
    ),
    disturbance(
        "B5",
        "a delivery timeout with leftovers",
        Conditions {
            delivery_timeouts: Budget::ONE,
            ..LEFT_OVER
        },
    ),
    disturbance(
        "B6",
        "expiry",
        Conditions {
            expiries: Budget::ONE,
            ..LEFT_OVER
        },
    ),
    disturbance(
        "B7",
        "a refusal for good under the last epoch",
        Conditions {
            max_epoch: Some(0),
            fatal_refusals: Budget::ONE,
            disconnects: Budget::ONE,
            batches: Budget::AtMost(2),
            ..SMALL
        },
    ),
    disturbance(
        "B8",
        "two refusals before append at the wrap",
        Conditions {
            sequence_modulus: Some(4),
            refusals_before_append: Budget::AtMost(2),
            producer_state: ProducerKnown::Known,
            batches: Budget::AtMost(6),
            ..SMALL
        },
    ),
    disturbance(
        "B9",
        "a refusal for good",
        Conditions {
            fatal_refusals: Budget::ONE,
            ..SMALL
        },
    ),
    disturbance(
        "B12",
        "a delivery timeout",
        Conditions {
            delivery_timeouts: Budget::ONE,
            ..SMALL
        },
    ),
    disturbance(
        "B15",
        "a batch of two records that is too large",
        Conditions {
            fatal_refusals: Budget::ONE,
            records_per_batch: 2,
            batches: Budget::AtMost(2),
            ..SMALL
        },
    ),
];

/// All of them that runs of any length know, together.
pub const EVERYTHING: Disturbance = disturbance(
    "C",
    "all of them together",
    Conditions {
        restarts: Budget::ONE,
        expiries: Budget::ONE,
        refusals_before_append: Budget::ONE,
        errors_after_append: Budget::ONE,
        fatal_refusals: Budget::ONE,
        delivery_timeouts: Budget::ONE,
        ..SMALL
    },
);
