//! B7, B8: epochs do not run out; sequences are compared across the wrap, and there are
//! enough of them.

use retryproof_properties::PropertyId::{self, *};

use crate::claims::{all_but, Claim};
use crate::conditions::{Budget, Conditions, InFlightPer, ProducerKnown, Validation};
use crate::policies::{HARDENED, MODULAR, PATIENT};
use crate::rules::STRICT;

use super::SMALL_ALONE;

pub(super) fn claims() -> Vec<Claim> {
    [epochs(), wrap(), modulus()].concat()
}

/// One batch is refused for good when the last epoch is in use; one connection breaks.
const LAST_EPOCH: Conditions = Conditions {
    max_epoch: Some(0),
    fatal_refusals: Budget::ONE,
    disconnects: Budget::ONE,
    batches: Budget::AtMost(3),
    rule: &STRICT,
    in_flight_per: InFlightPer::Span,
    validation: Validation::AfterLookup,
    ..SMALL_ALONE
};

fn epochs() -> Vec<Claim> {
    vec![
        Claim::refuted(
            "epochs-run-out",
            "B7",
            "A careful client whose epochs run out, and which then sends batches without identity, \
             writes no duplicate",
            Conditions {
                client: &PATIENT,
                ..LAST_EPOCH
            },
            &[NoDuplicate],
        )
        .from("kafka-facts H8 (ran S6); known-faults B27"),
        Claim::holds(
            "epochs-run-out-new-id",
            "B7",
            "One that renumbers them under a new producer id writes none",
            Conditions {
                client: &HARDENED,
                ..LAST_EPOCH
            },
            PropertyId::ALL,
        )
        .from("known-faults B27"),
        Claim::refuted(
            "a-new-id-fences-nothing",
            "B7",
            "A new producer id fences what dead connections left over of the one before",
            Conditions {
                client: &HARDENED,
                connections: 2,
                ..LAST_EPOCH
            },
            &[PartitionOrder, StaleEpochRejected],
        )
        .from("found by the model; KIP-360"),
        Claim::holds(
            "a-new-id-writes-no-duplicate",
            "B7",
            "A new producer id writes no duplicate all the same",
            Conditions {
                client: &HARDENED,
                connections: 2,
                ..LAST_EPOCH
            },
            &[NoDuplicate, AckTruthful, NoFalseFailure, EveryBatchDecided],
        )
        .from("ours"),
    ]
}

/// Refusals at the wrap; the broker knows the producer.
const AT_THE_WRAP: Conditions = Conditions {
    sequence_modulus: Some(4),
    refusals_before_append: Budget::AtMost(2),
    producer_state: ProducerKnown::Known,
    batches: Budget::AtMost(6),
    in_flight_per: InFlightPer::Span,
    ..SMALL_ALONE
};

fn wrap() -> Vec<Claim> {
    vec![
        Claim::refuted(
            "plain-comparison-at-the-wrap",
            "B8",
            "A client that compares sequences as plain numbers decides every batch across the wrap",
            AT_THE_WRAP,
            &[EveryBatchDecided],
        )
        .from("kafka-facts H9 (ran S5)"),
        Claim::holds(
            "plain-comparison-at-the-wrap-keeps-the-rest",
            "B8",
            "It writes no duplicate and keeps order there",
            AT_THE_WRAP,
            &all_but(&[EveryBatchDecided]),
        )
        .from("kafka-facts H9"),
        Claim::holds(
            "modular-comparison-at-the-wrap",
            "B8",
            "A client that compares sequences by the order of sending does all of it",
            Conditions {
                client: &MODULAR,
                ..AT_THE_WRAP
            },
            PropertyId::ALL,
        )
        .from("kafka-facts H9"),
    ]
}

/// So many in flight, such a window, so many sequences; any batch may be refused before it
/// is appended, so that others overtake it.
fn sequences(in_flight: u8, window: u8, modulus: u8) -> Conditions {
    Conditions {
        in_flight,
        window,
        sequence_modulus: Some(modulus),
        batches: Budget::AtMost(modulus + in_flight),
        refusals_before_append: Budget::Any,
        client: &MODULAR,
        ..AT_THE_WRAP
    }
}

fn modulus() -> Vec<Claim> {
    let wrong: &[PropertyId] = &[GapRejected, DuplicateAnswerTruthful, AckTruthful];
    let mut claims = Vec::new();
    for in_flight in 1..=5 {
        let enough = 2 * in_flight;
        claims.push(
            Claim::holds(
                format!("modulus-{enough}-for-{in_flight}"),
                "B8",
                format!(
                    "With {in_flight} in flight and a window of {in_flight}, {enough} sequences are \
                     enough: as many as both together"
                ),
                sequences(in_flight, in_flight, enough),
                PropertyId::ALL,
            )
            .from("the selective-repeat bound; KAFKA-7692"),
        );
        if in_flight > 1 {
            claims.push(
                Claim::refuted(
                    format!("modulus-{}-for-{in_flight}", enough - 1),
                    "B8",
                    format!(
                        "With {in_flight} in flight and a window of {in_flight}, {} sequences are \
                         enough",
                        enough - 1
                    ),
                    sequences(in_flight, in_flight, enough - 1),
                    wrong,
                )
                .from("the selective-repeat bound"),
            );
        }
    }
    for (window, enough) in [(3, 5), (4, 6)] {
        claims.push(
            Claim::holds(
                format!("modulus-{enough}-for-2-and-{window}"),
                "B8",
                format!(
                    "With 2 in flight and a window of {window}, {enough} sequences are enough: as \
                     many as both together"
                ),
                sequences(2, window, enough),
                PropertyId::ALL,
            )
            .from("the selective-repeat bound"),
        );
        claims.push(
            Claim::refuted(
                format!("modulus-{}-for-2-and-{window}", enough - 1),
                "B8",
                format!(
                    "With 2 in flight and a window of {window}, {} sequences are enough",
                    enough - 1
                ),
                sequences(2, window, enough - 1),
                wrong,
            )
            .from("the selective-repeat bound"),
        );
    }
    claims.push(
        Claim::refuted(
            "no-modulus-is-enough-for-leftovers",
            "B8",
            "Where a dead connection may deliver however late, sequences may start at 0 again",
            Conditions {
                sequence_modulus: Some(8),
                batches: Budget::AtMost(10),
                refusals_before_append: Budget::NONE,
                client: &MODULAR,
                connections: 2,
                disconnects: Budget::AtMost(2),
                ..AT_THE_WRAP
            },
            &[NoDuplicate],
        )
        .from("found by the model; known-faults I01"),
    );
    claims.push(
        Claim::holds(
            "two-wraps-without-leftovers",
            "B8",
            "Without leftovers a small space of sequences is used twice over without harm",
            Conditions {
                sequence_modulus: Some(3),
                batches: Budget::AtMost(8),
                refusals_before_append: Budget::NONE,
                client: &MODULAR,
                ..AT_THE_WRAP
            },
            PropertyId::ALL,
        )
        .from("known-faults B05"),
    );
    claims
}
