//! B15, B16: a retry is cut at the same boundaries; the broker changes its state after, and
//! only if, the append succeeded.

use retryproof_properties::PropertyId::{self, *};

use crate::claims::{all_but, Claim};
use crate::conditions::{AppendOrder, Budget, Conditions, InFlightPer, RestartKeeps, Validation};
use crate::policies::{HARDENED, MODULAR};
use crate::rules::STRICT;

use super::{SMALL, SMALL_ALONE};

pub(super) fn claims() -> Vec<Claim> {
    [split(), half_way()].concat()
}

/// Batches of two records, one of which is found too large.
const TOO_LARGE: Conditions = Conditions {
    fatal_refusals: Budget::ONE,
    records_per_batch: 2,
    batches: Budget::AtMost(2),
    rule: &STRICT,
    in_flight_per: InFlightPer::Span,
    ..SMALL_ALONE
};

fn split() -> Vec<Claim> {
    vec![
        Claim::refuted(
            "split-of-a-written-batch",
            "B15",
            "A written batch whose retry is found too large and split does no harm",
            TOO_LARGE,
            &[NoDuplicate, RetryRecognised],
        )
        .from("kafka-facts 5.4, H10; known-faults C10"),
        Claim::holds(
            "split-of-what-is-nowhere",
            "B15",
            "With duplicates looked up first, and a client that splits only what is nowhere, it does \
             none",
            Conditions {
                client: &HARDENED,
                validation: Validation::AfterLookup,
                ..TOO_LARGE
            },
            PropertyId::ALL,
        )
        .from("ours"),
        Claim::holds(
            "batches-of-two-records",
            "B15",
            "Batches of two records are as safe as batches of one",
            Conditions {
                fatal_refusals: Budget::NONE,
                batches: Budget::AtMost(4),
                connections: 3,
                ..TOO_LARGE
            },
            PropertyId::ALL,
        )
        .from("S1.3"),
        Claim::holds(
            "batches-of-two-records-across-the-wrap",
            "B15",
            "So they are where a batch straddles the wrap",
            Conditions {
                fatal_refusals: Budget::NONE,
                batches: Budget::AtMost(6),
                sequence_modulus: Some(9),
                client: &MODULAR,
                ..TOO_LARGE
            },
            PropertyId::ALL,
        )
        .from("KAFKA-7692; known-faults B05"),
    ]
}

/// An append fails between its two steps.
const HALF_WAY: Conditions = Conditions {
    append_failures: Budget::ONE,
    batches: Budget::AtMost(3),
    in_flight_per: InFlightPer::Span,
    ..SMALL
};

/// The same with five in flight and a window of five.
const fn real(world: Conditions) -> Conditions {
    Conditions {
        in_flight: 5,
        window: 5,
        batches: Budget::AtMost(6),
        disconnects: Budget::AtMost(2),
        ..world
    }
}

fn half_way() -> Vec<Claim> {
    let state_first = Conditions {
        append_order: AppendOrder::StateFirst,
        ..HALF_WAY
    };
    let end_last = Conditions {
        append_order: AppendOrder::EndLast,
        ..HALF_WAY
    };
    let lost: &[PropertyId] = &[DuplicateAnswerTruthful, AckTruthful, LogIsFold];
    vec![
        Claim::holds(
            "append-write-first",
            "B16",
            "An append that fails after the write and before the state is updated, with a restart \
             at any time, breaks nothing",
            Conditions {
                restarts: Budget::ONE,
                restart_keeps: RestartKeeps::All,
                ..HALF_WAY
            },
            PropertyId::ALL,
        )
        .from("KAFKA-6683; kafka-facts 1.2"),
        Claim::refuted(
            "append-state-first",
            "B16",
            "An append that fails after the state is updated and before the write breaks nothing",
            state_first,
            lost,
        )
        .from("KAFKA-6683; known-faults B03, N01"),
        Claim::refuted(
            "append-state-first-real",
            "B16",
            "An append that fails after the state is updated and before the write breaks nothing, 5 \
             in flight",
            real(state_first),
            lost,
        )
        .from("KAFKA-6683; known-faults B03, N01"),
        Claim::holds(
            "append-write-first-real",
            "B16",
            "An append that fails after the write and before the state is updated breaks nothing, 5 \
             in flight",
            real(HALF_WAY),
            PropertyId::ALL,
        )
        .from("KAFKA-6683; kafka-facts 1.2"),
        Claim::refuted(
            "append-state-first-and-restart",
            "B16",
            "A restart repairs it",
            Conditions {
                restarts: Budget::ONE,
                ..state_first
            },
            lost,
        )
        .from("KAFKA-6683; known-faults B03"),
        Claim::refuted(
            "append-end-last",
            "B16",
            "An append that fails before the log end offset is moved breaks nothing",
            end_last,
            &[AckTruthful, LogIsFold],
        )
        .from("KAFKA-7866; known-faults B22"),
        Claim::holds(
            "append-end-last-writes-no-duplicate",
            "B16",
            "It writes no duplicate and keeps order",
            end_last,
            &all_but(&[DuplicateAnswerTruthful, AckTruthful, LogIsFold]),
        )
        .from("KAFKA-7866"),
    ]
}
